"""Golden games of Fantastic Park: as ``simlab replay --format json`` prints them, byte for byte.

If a test here fails, the results for a seed have changed. When that is wanted, raise the `version`
of the game (never for speed alone), write the files again, and read what changed:

    python tests/test_park_golden.py && git diff tests/golden_park
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from twin_fantastic_park import play as play_twin
from twin_fantastic_park import tile_counts

from simlab.cli import cli
from simlab.games.fantastic_park import GAME
from simlab.policies import built_in

FOLDER = Path(__file__).parent / "golden_park"
COMMANDS = {
    "players_2": "random grower --seed 2",
    "players_3": "double-hunter planner random --seed 3 --deal 17",
    "players_4": "keeper cutter lone-wolf random --seed 4 --luck 1",
    "players_5": "grower random keeper random random --seed 18446744073709551615",
    "players_2_odd_rules": "cutter random --seed 5 --set tiles=5,9 --set rounds=supply "
    "--set double_unique=2",
}
"""Name of each file, and the words after ``simlab replay fantastic-park``."""


def printed(name: str) -> str:
    """What the command prints."""
    words = ["replay", "fantastic-park", *COMMANDS[name].split(), "--format", "json", "--quiet"]
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def golden(name: str) -> str:
    return (FOLDER / f"{name}.json").read_text(encoding="utf-8")


def record(name: str) -> dict[str, Any]:
    return json.loads(golden(name))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_game_is_told_byte_for_byte_as_before(name: str) -> None:
    assert printed(name) == golden(name)


def test_the_files_cover_tables_strategies_and_both_kinds_of_places() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(COMMANDS)
    games = [record(name) for name in COMMANDS]
    assert {game["version"] for game in games} == {GAME.version}
    assert {game["players"] for game in games} == {2, 3, 4, 5}
    assert {name for game in games for name in game["policies"]} == set(built_in(GAME))
    for game in games:
        levels = [event["level"] for event in game["events"] if event["event"] == "place"]
        assert min(levels) == 0
        assert max(levels) > 0


@pytest.mark.parametrize("name", COMMANDS)
def test_the_record_has_the_keys_that_others_read(name: str) -> None:
    keys = {
        "deal": ["event", "seat", "tiles"],
        "place": ["event", "round", "seat", "tile", "cells", "level"],
        "tour": ["event", "round", "seat", "tile", "groups", "points"],
        "draw": ["event", "round", "seat", "tiles"],
    }
    for event in record(name)["events"]:
        assert list(event) == keys[event["event"]]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_twin_plays_the_game_of_the_record(name: str) -> None:
    """It gets tiles and moves from the file, and has to come to the same events."""
    game = record(name)
    options = dict(game["options"])
    tiles = tuple(options.pop("tiles", (9, 3)))
    shown = [tuple(tile) for event in game["events"] if "tiles" in event for tile in event["tiles"]]
    rest = (Counter(tile_counts(tiles)) - Counter(shown)).elements()
    moves = iter([event for event in game["events"] if event["event"] == "place"])

    def choose(seat: int, _: list[Any]) -> Any:
        move = next(moves)
        assert move["seat"] == seat
        return tuple(move["tile"]), tuple(map(tuple, move["cells"])), move["level"]

    rules = options | {"tiles": tiles}
    events, result = play_twin(game["players"], [*shown, *rest], rules, choose)
    assert events == game["events"]
    assert result["points"] == game["result"]["points"]
    assert [float(share) for share in result["win_share"]] == game["result"]["win_share"]


def test_the_story_draws_the_park_of_the_record() -> None:
    """The last drawing shows every cell with its height, and the tours add up."""
    game = record("players_4")
    lines = [line for _, line in GAME.tell(game)]
    tops: dict[tuple[int, int], str] = {}
    for event in game["events"]:
        if event["event"] == "place":
            for animal, (x, y) in zip(event["tile"], event["cells"], strict=True):
                tops[x, y] = f"{animal[0]}{event['level'] + 1}"
    starts = [place for place, line in enumerate(lines) if line.startswith("the park from above")]
    assert len(starts) == 5
    drawing = lines[starts[-1] + 1 : starts[-1] + 1 + len({y for _, y in tops})]
    left, top = (min(cell[axis] for cell in tops) for axis in (0, 1))
    for y, line in enumerate(drawing, top):
        words = [line[2:][place : place + 2] for place in range(0, len(line) - 2, 3)]
        expected = {x: word for (x, row), word in tops.items() if row == y}
        found = {x: word for x, word in enumerate(words, left) if word.strip() != "."}
        assert found == expected
    assert any("final points" in line and "planner" not in line for line in lines)


def regenerate() -> None:
    """Write every file again."""
    FOLDER.mkdir(exist_ok=True)
    for name in COMMANDS:
        (FOLDER / f"{name}.json").write_bytes(printed(name).encode())
        sys.stdout.write(f"{FOLDER / name}.json\n")


if __name__ == "__main__":
    regenerate()

"""Golden transcripts: games as ``simlab replay --format json`` prints them, byte for byte.

A file of `tests/golden` is what one run of the command prints, a game on each line. If a test
here fails, the results for a seed have changed. When that is wanted, raise the `version` of the
game (never for speed alone), write the files again, and read what changed:

    python tests/test_golden.py && git diff tests/golden
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from positions import SIDES
from twin_fantastique import Twin

from simlab.cli import cli
from simlab.games.fantastique import GAME

FOLDER = Path(__file__).parent / "golden"
TWO, THREE = "greedy miser", "random high-fan medal-scheduler"
FOUR, FIVE = f"miser {THREE}", f"medal-scheduler high-fan {TWO} random"
ODD = (
    "--set deck=9,0,7,0,6,0,0,2 --set hand=1 --set rounds=9 --set stacks=6 --set stack_limit=2 "
    "--set gold=9,8,7,6,5,4,3,2,1 --set silver=1,1,2,2,3,3,4,4,5 --set bronze=0,0,1,1,0,0,1,1,0 "
    "--set bronze_from=5 --set finale_gold=8 --set finale_silver=11 --set finale_run=fullest "
    "--set finale_zero=false"
)
COMMANDS = {
    "players_2_side_I": f"{TWO} --seed 2 --set finale=I",
    "players_2_side_VI": f"{TWO} --seed 2 --deal 5 --set finale=VI",
    "players_3_side_II": f"{THREE} --seed 3 --set finale=II",
    "players_3_side_V": f"{THREE} --seed 3 --deal 17 --set finale=V",
    "players_4_side_III": f"{FOUR} --seed 4 --set finale=III",
    "players_4_side_random": f"{FOUR} --seed 4 --games 2 --luck 1 --set finale=random",
    "players_5_side_IV": f"{FIVE} --seed 18446744073709551615 --set finale=IV",
    "players_5_odd_rules": f"{FIVE} --seed 5 --games 2 {ODD} --set finale=VI",
}
"""Name of each file, and the words after ``simlab replay fantastique``."""


def printed(name: str) -> str:
    """What the command prints."""
    words = ["replay", "fantastique", *COMMANDS[name].split(), "--format", "json", "--quiet"]
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def golden(name: str) -> str:
    return (FOLDER / f"{name}.json").read_text(encoding="utf-8")


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in golden(name).splitlines()]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_game_is_told_byte_for_byte_as_before(name: str) -> None:
    assert printed(name) == golden(name)


def test_every_file_has_its_command() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(COMMANDS)


def test_the_files_cover_tables_sides_policies_and_rare_events() -> None:
    games = [game for name in COMMANDS for game in records(name)]
    assert {game["version"] for game in games} == {GAME.version}
    assert {game["players"] for game in games} == {2, 3, 4, 5}
    assert {game["options"]["finale"] for game in games} == set(SIDES)
    assert {name for game in games for name in game["policies"]} == set(FIVE.split())
    odd = Counter(
        event["event"] for game in records("players_5_odd_rules") for event in game["events"]
    )
    assert odd["reshuffle"] > 0
    assert odd["pass"] > 0
    assert set(games[-1]["options"]) == {option.key for option in GAME.options}


# --- The twin reads the same files -----------------------------------------------------------


def orders(game: dict[str, Any]) -> Iterator[list[int]]:
    """Every order of the deck, as far as the record shows it: dealt, then turned up."""
    cards: list[int] = []
    for event in game["events"]:
        if event["event"] in ("deal", "reveal"):
            cards += event["cards"]
    sizes = [sum(GAME.read_options(game["options"])["deck"])]
    sizes += [event["cards"] for event in game["events"] if event["event"] == "reshuffle"]
    for size in sizes:
        yield cards[:size]
        cards = cards[size:]


def completed(shown: list[int], deck: Counter[int]) -> list[int]:
    """The cards shown, and below them the others of the deck, in any order."""
    return shown + list((deck - Counter(shown)).elements())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_twin_plays_the_game_of_the_record(name: str) -> None:
    """It gets the cards and the moves from the file, and has to come to the same events."""
    for game in records(name):
        options = GAME.read_options(game["options"])
        side = str(options.pop("finale"))
        deck = Counter(dict(enumerate(options["deck"], 1)))
        shown = orders(game)
        twin = Twin(
            game["players"],
            options,
            completed(next(shown), deck),
            side,
            lambda discard, shown=shown: completed(next(shown), discard),
        )
        for event in game["events"]:
            if event["event"] in ("play", "draft"):
                assert twin.seat_to_move == event["seat"]
                twin.move(event["value"], event["count"])
        assert twin.events == game["events"]
        result = twin.result()
        assert game["result"]["points"] == result["points"]
        assert game["result"]["win_share"] == [float(share) for share in result["win_share"]]


def regenerate() -> None:
    """Write every file again."""
    for name in COMMANDS:
        (FOLDER / f"{name}.json").write_bytes(printed(name).encode())
        sys.stdout.write(f"{FOLDER / name}.json\n")


if __name__ == "__main__":
    regenerate()

"""Golden games of Fantastiqa: as ``simlab replay --format json`` prints them, byte for byte.

If a test here fails, the results for a seed have changed. When that is wanted, raise the `version`
of the game (never for speed alone), write the files again, and read what changed:

    python tests/test_fantastiqa_golden.py && git diff tests/golden_fantastiqa
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from simlab.cli import cli
from simlab.games.fantastiqa import GAME

FOLDER = Path(__file__).parent / "golden_fantastiqa"
ODD = (
    "--set deck=39-49-59 --set wilds=false --set loops=false --set fly_empty=true --set hand=6 "
    "--set gems=8 --set statue_cards=4 --set beast_price=-1 --set turn_cap=12"
)
COMMANDS = {
    "players_2": "random random --seed 2 --set turn_cap=25",
    "players_3": "random random random --seed 3 --deal 17 --luck 1 --set turn_cap=15",
    "players_4_teams": "random random random random --seed 18446744073709551615 "
    "--set teams=true --set goal=3 --set turn_cap=15",
    "players_2_odd_rules": f"random random --seed 5 {ODD}",
}
"""Name of each file, and the words after ``simlab replay fantastiqa``.

They draw lots only, so that better strategies do not change the files.
"""


def printed(name: str) -> str:
    """What the command prints."""
    words = ["replay", "fantastiqa", *COMMANDS[name].split(), "--format", "json", "--quiet"]
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


def test_the_files_cover_tables_and_nearly_all_that_can_happen() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(COMMANDS)
    records = [record(name) for name in COMMANDS]
    assert {game["version"] for game in records} == {GAME.version}
    assert {game["players"] for game in records} == {2, 3, 4}
    happened = Counter(event["event"] for game in records for event in game["events"])
    wanted = {"map", "choose", "deal", "turn", "creature", "open quest", "face", "lay", "subdue"}
    wanted |= {"stop", "visit", "at statue", "statue cards", "buy", "claim", "release", "leave"}
    wanted |= {"teleport", "commit", "hide", "withdraw", "discard", "fly", "use", "reshuffle"}
    wanted |= {"gems", "draw", "see", "shuffle", "end", "over", "raid", "give", "return"}
    assert wanted <= set(happened)


def regenerate() -> None:
    """Write every file again."""
    for name in COMMANDS:
        (FOLDER / f"{name}.json").write_bytes(printed(name).encode())
        sys.stdout.write(f"{FOLDER / name}.json\n")


if __name__ == "__main__":
    regenerate()

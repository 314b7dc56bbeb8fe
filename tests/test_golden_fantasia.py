"""Golden transcripts of Fantasía S.A.: games as ``simlab replay --format json`` prints them.

As in `test_golden`: if a test here fails, the results for a seed have changed. When that is wanted,
raise the `version` of the game, write the files again, and read what changed:

    python tests/test_golden_fantasia.py && git diff tests/golden_fantasia
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from simlab.cli import cli
from simlab.games.fantasia_sa import GAME
from simlab.policies import built_in

FOLDER = Path(__file__).parent / "golden_fantasia"
ODD = "--set hand=5 --set hand_limit=4 --set reserve=4 --set goal=7 --set turn_cap=40"
COMMANDS = {
    "players_2": "balanced greedy --seed 2",
    "players_3": "cautious sponsor-rush bully --seed 3 --deal 1",
    "players_4_friendly": "outfitter greedy cautious sponsor-rush --seed 4 --set hostile=false",
    "players_3_edited_friendly": "peaceful greedy balanced --seed 6 --set hostile=false "
    "--set edit=S7.gold:2/P24.renown:4",
    "players_4_random_capped": "4xrandom --seed 4 --luck 1 --set turn_cap=25",
    "players_5_odd_rules": "random bully balanced greedy outfitter "
    f"--seed 18446744073709551615 {ODD}",
}
"""Name of each file, and the words after ``simlab replay fantasia-sa``."""


def printed(name: str) -> str:
    """What the command prints."""
    words = ["replay", "fantasia-sa", *COMMANDS[name].split(), "--format", "json", "--quiet"]
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def golden(name: str) -> str:
    return (FOLDER / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_game_is_told_byte_for_byte_as_before(name: str) -> None:
    assert printed(name) == golden(name)


def test_the_files_cover_tables_strategies_and_what_can_happen() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(COMMANDS)
    games = [json.loads(golden(name)) for name in COMMANDS]
    assert {game["version"] for game in games} == {GAME.version}
    assert {game["players"] for game in games} == {2, 3, 4, 5}
    assert {name for game in games for name in game["policies"]} == set(built_in(GAME))
    seen = {event["event"] for game in games for event in game["events"]}
    wanted = "deal reveal turn draw drawn discard attempt action effect cancelled roll success "
    wanted += "failure buy lose hospital heal curse steal win turn_cap"
    assert set(wanted.split()) - seen == set()


def regenerate() -> None:
    """Write every file again."""
    FOLDER.mkdir(exist_ok=True)
    for name in COMMANDS:
        (FOLDER / f"{name}.json").write_bytes(printed(name).encode())
        sys.stdout.write(f"{FOLDER / name}.json\n")


if __name__ == "__main__":
    regenerate()

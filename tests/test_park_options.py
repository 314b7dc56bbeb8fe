"""Fantastic Park's options: each changes some game, wrong ones are refused, all are told."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from simlab.cli import cli
from simlab.compiled import INTERPRETED
from simlab.errors import UsageError
from simlab.experiments.batches import outcomes
from simlab.experiments.study import Study
from simlab.games.fantastic_park import GAME

CASES: dict[str, Any] = {
    "tiles": (7, 6),
    "rounds": "supply",
    "double_unique": 2,
    "hand": 3,
}
"""A value for every option, other than the printed one."""


def played(options: dict[str, Any], games: int = 6) -> Any:
    """What comes out, as plain numbers, of some games of three."""
    games = min(games, 3) if INTERPRETED else games
    rows = outcomes(Study.of(GAME, ["random", "grower", "random"], options=options, games=games))
    return rows.view(np.int64).reshape(len(rows), -1)


def test_every_option_has_a_case() -> None:
    assert list(CASES) == [option.key for option in GAME.options]


@pytest.mark.parametrize("key", CASES)
def test_every_option_changes_the_result_of_some_game(key: str) -> None:
    assert (played({}) != played({key: CASES[key]})).any()


def test_options_set_to_their_printed_values_change_nothing() -> None:
    printed = {"tiles": "9,3", "rounds": 6, "double_unique": "4", "hand": "4"}
    assert (played({}) == played(printed)).all()
    ten = {"tiles": (9,) * 6 + (3,) * 4}
    assert (played({}) == played(ten)).all()


@pytest.mark.parametrize(
    ("given", "value"),
    [("supply", "supply"), ("Printed", "printed"), ("7", 7), (7, 7), (7.0, 7), (88, 88)],
)
def test_rounds_are_a_word_or_a_number(given: object, value: object) -> None:
    assert GAME.read_options({"rounds": given})["rounds"] == value


MISTAKES = {
    "no rounds": ({"rounds": 0}, "rounds goes from 1 to 88, got 0"),
    "too many rounds": ({"rounds": "89"}, "rounds goes from 1 to 88, got 89"),
    "a negative number": ({"rounds": "-1"}, "rounds goes from 1 to 88, got -1"),
    "no word for rounds": (
        {"rounds": "all"},
        "rounds is one of printed, supply, 1 to 88, got 'all'",
    ),
    "true": ({"rounds": True}, "rounds takes whole numbers, got True"),
    "half a round": ({"rounds": 6.5}, "rounds takes whole numbers, got 6.5"),
    "a hand of one": ({"hand": 1}, "hand goes from 2 to 6, got 1"),
    "three numbers": ({"tiles": (9, 3, 1)}, r"tiles takes 2 numbers \(.*\) or 10, got 3"),
    "one number": ({"tiles": 9}, "tiles takes 2 to 10 numbers, got 1"),
    "too many tiles": ({"tiles": (15, 0)}, "tiles: .* 88 tiles, got 90: lower the copies"),
    "too few tiles": ({"tiles": (0, 1)}, "2 hands of 5 need 10 tiles, the box has 4: .*"),
    "an odd bonus": ({"double_unique": 5}, "double_unique goes from 2 to 4, got 5"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_names_the_option_and_the_value(name: str) -> None:
    given, words = MISTAKES[name]
    with pytest.raises(UsageError, match=f"^{words}$"):
        GAME.rules_for(2, given)


@pytest.mark.parametrize("players", [1, 6])
def test_too_few_or_too_many_players_are_refused(players: int) -> None:
    with pytest.raises(UsageError, match=f"^fantastic-park seats 2 to 5 players, got {players}$"):
        GAME.rules_for(players, {})


# --- On the command line ---------------------------------------------------------------------


def said(*words: str) -> str:
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_rules_tell_how_many_halves_each_animal_has() -> None:
    assert "halves: blue 33, green 33, pink 33, yellow 33" in said("rules", "fantastic-park")
    changed = said("rules", "fantastic-park", "--set", "tiles=7,2,9,5,0,8,1,4,6,3")
    # blue: 7 + 2 + 9 + two for its double; and so on.
    assert "halves: blue 20, green 20, pink 27, yellow 23" in changed


def test_rules_tell_how_far_the_tiles_go() -> None:
    figures = json.loads(said("rules", "fantastic-park", "--format", "json"))["figures"]
    tails = [line.partition(": ")[2] for line in figures if "players:" in line]
    assert tails == [
        "hands of 5, 8 rounds, 64 tiles placed, 0 left in the supply, 2 in hands",
        "hands of 4, 6 rounds, 54 tiles placed, 9 left in the supply, 3 in hands",
        "hands of 4, 5 rounds, 60 tiles placed, 2 left in the supply, 4 in hands",
        "hands of 4, 4 rounds, 60 tiles placed, 1 left in the supply, 5 in hands",
    ]


def test_every_ruling_that_an_option_varies_names_it() -> None:
    varied = {ruling.option for ruling in GAME.rulings if ruling.option}
    assert varied == {option.key for option in GAME.options}


def test_a_game_without_figures_shows_none() -> None:
    assert "In figures" not in said("rules", "fantastique")
    assert json.loads(said("rules", "fantastique", "--format", "json"))["figures"] == []

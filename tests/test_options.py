"""Rules as data: each option changes games, none compiles anything, mistakes are told in a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numba.core.event import install_recorder

from simlab import cache
from simlab.compiled import INTERPRETED
from simlab.engine import engine_of
from simlab.errors import UsageError
from simlab.experiments.batches import outcomes
from simlab.experiments.study import Study
from simlab.games.fantastique import GAME
from simlab.options import read_options, read_settings
from simlab.policies import built_in

FOUR = ("random", "greedy", "high-fan", "miser")
DEALS = 12 if INTERPRETED else 200
MEDALS = {metal: GAME.read_options({})[metal] for metal in ("gold", "silver", "bronze")}


def next_points(metal: str) -> tuple[int, ...]:
    """The printed medals with another value for the fourth round."""
    printed = MEDALS[metal]
    return (*printed[:3], printed[3] + 1, *printed[4:])


CASES: dict[str, tuple[dict[str, object], object]] = {
    "finale": ({}, "II"),
    "deck": ({}, (15, 16, 14, 13, 12, 11, 10, 9)),
    "hand": ({}, 9),
    "rounds": ({}, 6),
    "gold": ({}, next_points("gold")),
    "silver": ({}, next_points("silver")),
    "bronze": ({}, next_points("bronze")),
    "bronze_from": ({}, 5),
    "finale_gold": ({}, 21),
    "finale_silver": ({}, 11),
    "stacks": ({}, 4),
    "stack_limit": ({}, 2),
    "finale_run": ({"finale": "VI"}, "fullest"),
    "finale_zero": ({"finale": "II", "hand": 3, "rounds": 2}, False),
}
"""For each option the rules it is tried under, and a value that is not the printed one."""


def played(options: Mapping[str, object], deals: int = DEALS) -> Any:
    """Outcomes of some deals as plain numbers, one row a game."""
    study = Study.of(GAME, FOUR, options=options, seating="fixed", games=deals, seed=9)
    rows = outcomes(study)
    return rows.view(np.int64).reshape(len(rows), -1)


def changed(key: str) -> dict[str, object]:
    base, value = CASES[key]
    return {**base, key: value}


def test_every_option_has_a_case() -> None:
    assert list(CASES) == [option.key for option in GAME.options]


@pytest.mark.parametrize("option", GAME.options, ids=lambda option: option.key)
def test_every_option_changes_the_result_of_some_game(option: Any) -> None:
    base, value = CASES[option.key]
    assert option.read(value) != option.default
    assert (played(base) != played(changed(option.key))).any()


@pytest.mark.parametrize("option", GAME.options, ids=lambda option: option.key)
def test_an_option_set_to_its_printed_value_changes_nothing(option: Any) -> None:
    base = CASES[option.key][0]
    again = base | {option.key: option.text(option.default)}
    assert (played(base, 3) == played(again, 3)).all()


def test_random_finale_draws_every_side_and_leaves_the_cards_alone() -> None:
    """The side has chance of its own: the same deals, whatever side is drawn."""
    sides = [played({"finale": side}, 60) for side in ("I", "II", "III", "IV", "V", "VI")]
    drawn = played({"finale": "random"}, 60)
    same = np.array([(drawn == side).all(axis=1) for side in sides])
    assert same.any(axis=0).all(), "each game is the game on one of the six sides"
    assert same.any(axis=1).all(), "each side comes up"


def compiled_files() -> dict[str, tuple[int, int]]:
    """Compiled code of the loop and of the four policies, with its size and time."""
    texts = ["loop.play_deals_of_fantastique"]
    texts += [f"fantastique.{name.replace('-', '_')}-" for name in FOUR]
    found = {}
    for path in cache.folder().rglob("*.nb[ic]"):
        if path.name.startswith(tuple(texts)):
            found[path.name] = (path.stat().st_size, path.stat().st_mtime_ns)
    return found


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled with the compiler off")
def test_no_option_compiles_anything() -> None:
    play = engine_of(GAME).play
    played({}, 1)
    before = compiled_files()
    assert len(before) == 2 * (1 + len(FOUR)), "an index and the code of each"
    with install_recorder("numba:compile") as compilations:
        for key in CASES:
            played(changed(key), 1)
    assert not compilations.buffer
    assert len(play.signatures) == 1
    assert compiled_files() == before


# --- Values and mistakes ---------------------------------------------------------------------


LISTS = ("deck", "gold", "silver", "bronze")
NUMBERS = [option for option in GAME.options if isinstance(option.default, int | tuple)]
NUMBERS = [option for option in NUMBERS if not isinstance(option.default, bool)]


def as_given(option: Any, number: object) -> object:
    """A value of the option that consists of one number, as often as its list is long."""
    if not isinstance(option.default, tuple):
        return number
    return (number,) * len(option.default)


@pytest.mark.parametrize("option", NUMBERS, ids=lambda option: option.key)
def test_numbers_are_taken_within_their_bounds_only(option: Any) -> None:
    for number in (option.low, option.high):
        value = as_given(option, number)
        assert read_options(GAME.options, {option.key: value})[option.key] == value
    for number in (option.low - 1, option.high + 1):
        bounds = f"{option.key} goes from {option.low} to {option.high}, got {number}"
        with pytest.raises(UsageError, match=f"^{bounds}$"):
            GAME.read_options({option.key: as_given(option, number)})


@pytest.mark.parametrize("word", ["ten", "", "1.5", "0x10", "nan", 2.5, None, True])
@pytest.mark.parametrize("option", NUMBERS, ids=lambda option: option.key)
def test_what_is_no_whole_number_is_refused(option: Any, word: object) -> None:
    with pytest.raises(UsageError) as error:
        GAME.read_options({option.key: as_given(option, word)})
    assert str(error.value) == f"{option.key} takes whole numbers, got {word!r}"


@pytest.mark.parametrize("key", LISTS)
def test_a_list_is_read_from_words_with_commas_or_slashes(key: str) -> None:
    value = CASES[key][1]
    for mark in ",/":
        word = mark.join(map(str, value))
        assert GAME.read_options({key: word})[key] == value


MISTAKES = {
    "fan side VII": (
        2,
        {"finale": "VII"},
        "finale is one of I, II, III, IV, V, VI, random, got 'VII'",
    ),
    "a side by its number": (2, {"finale": 3}, "finale is one of .*, got '3'"),
    "no such run": (
        2,
        {"finale_run": "short"},
        "finale_run is one of longest, fullest, got 'short'",
    ),
    "neither true nor false": (
        2,
        {"finale_zero": "yes"},
        "finale_zero is true or false, got 'yes'",
    ),
    "a number for a flag": (2, {"finale_zero": 0}, "finale_zero is true or false, got 0"),
    "a deck of seven values": (2, {"deck": "9,9,9,9,9,9,9"}, "deck takes 8 numbers, got 7"),
    "a deck of nine values": (2, {"deck": (9,) * 9}, "deck takes 8 numbers, got 9"),
    "one number for the deck": (2, {"deck": 100}, "deck takes 8 numbers, got 1"),
    "thirteen medals": (2, {"gold": (1,) * 13}, "gold takes 1 to 12 numbers, got 13"),
    "no medals": (2, {"silver": ()}, "silver takes 1 to 12 numbers, got 0"),
    "201 cards": (2, {"deck": (26, 25, 25, 25, 25, 25, 25, 25)}, "deck .* at most 200 .*, got 201"),
    "an empty deck": (
        2,
        {"deck": (0,) * 8, "hand": 1},
        "2 hands of 1 need 2 cards, deck has 0: .*",
    ),
    "a hand too large": (5, {"hand": 21}, "5 hands of 21 need 105 cards, deck has 100: .*"),
    "a deck too small": (
        4,
        {"deck": (5,) * 7 + (4,)},
        "4 hands of 10 need 40 cards, deck has 39: .*",
    ),
    "a stack too few": (4, {"stacks": 3}, r"stacks .* players \(4\), got 3"),
    "gold too short": (2, {"rounds": 8}, "gold needs 8 values for 8 rounds, got 7"),
    "silver too short": (2, {"silver": (3, 4)}, "silver needs 7 values for 7 rounds, got 2"),
    "bronze too short": (4, {"bronze": (1,) * 6}, "bronze needs 7 values for 7 rounds, got 6"),
    "a slip": (2, {"finle": "II"}, "unknown option 'finle'; did you mean finale[?]"),
    "another slip": (2, {"stack": 6}, "unknown option 'stack'; did you mean stacks[?]"),
    "no option at all": (2, {"zzz": 1}, "unknown option 'zzz'; there are: finale, deck, .*"),
}
"""Players, settings, and what is said of them."""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_names_the_option_and_the_value(name: str) -> None:
    players, options, words = MISTAKES[name]
    with pytest.raises(UsageError, match=f"^{words}$"):
        GAME.rules_for(players, options)
    with pytest.raises(UsageError, match=f"^{words}$"):
        Study.of(GAME, ["random"] * players, options=options, games=1)


@pytest.mark.parametrize("players", [0, 1, 6])
def test_too_few_or_too_many_players_are_refused(players: int) -> None:
    with pytest.raises(UsageError, match=f"^fantastique seats 2 to 5 players, got {players}$"):
        GAME.rules_for(players, {})


def test_what_just_fits_is_taken() -> None:
    rules = GAME.rules_for(5, {"hand": 20})
    assert rules[0].hand * rules[0].players == rules[0].cards == 100
    assert GAME.rules_for(2, {"deck": (25,) * 8})[0].cards == 200
    assert GAME.rules_for(5, {"stacks": 5})[0].stacks == 5
    assert GAME.rules_for(5, {"rounds": 12} | dict.fromkeys(MEDALS, (1,) * 12))[0].rounds == 12


def test_bronze_may_be_short_where_it_is_not_used() -> None:
    assert GAME.rules_for(3, {"bronze": (1,)})[0].metals == 2
    assert GAME.rules_for(5, {"bronze": (1,), "bronze_from": 6})[0].metals == 2


def test_medals_for_more_rounds_than_are_played_are_left_out() -> None:
    longer = {metal: (*row, 1000, 1000) for metal, row in MEDALS.items()}
    assert (played(longer, 5) == played({}, 5)).all()
    assert GAME.rules_for(4, longer).tobytes() == GAME.rules_for(4, {}).tobytes()


def test_words_and_values_mean_the_same() -> None:
    """Every option's case as the command line takes it, case of letters and spaces aside."""
    options = {option.key: option for option in GAME.options}
    for key, (_, value) in CASES.items():
        word = options[key].text(options[key].read(value))
        assert GAME.read_options({key: word}) == GAME.read_options({key: value})
        assert GAME.read_options({key: word.upper()}) == GAME.read_options({key: value})
    assert read_settings([" hand = 9 ", "finale=II"]) == {"hand": "9", "finale": "II"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["hand=3", "rounds=2", "hand=4"], "hand is set twice"),
        (["hand=3", " hand=3"], "hand is set twice"),
        (["hand"], "a setting is written KEY=VALUE, got 'hand'"),
        (["=3"], "a setting is written KEY=VALUE, got '=3'"),
    ],
)
def test_settings_are_written_once_and_with_a_key(words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}$"):
        read_settings(words)


@pytest.mark.parametrize("key", CASES)
def test_what_is_changed_is_written_into_the_study_and_the_game_record(key: str) -> None:
    from simlab.engine import Matchup
    from simlab.replaying import Replayer

    policies = [built_in(GAME)[name] for name in FOUR]
    record = Replayer(Matchup(GAME, policies, changed(key)), seed=9).record(deal=0)
    expected = {k: GAME.read_options({k: v})[k] for k, v in changed(key).items()}
    assert record["options"] == {"finale": "I"} | expected
    written = Study.of(GAME, FOUR, options=changed(key), games=1).record()["options"]
    for name, value in expected.items():
        assert written[name] == (list(value) if isinstance(value, tuple) else value)

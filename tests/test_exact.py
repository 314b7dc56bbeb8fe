"""Decks so small that every order and every move can be tried: exact means against played ones.

The slow twin walks through all orders of the deck, all reshuffles and all lots that a policy
draws, each with its exact chance; the engine plays many games and has to agree.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import Any

import pytest
from positions import fits
from twin_fantastique import Twin

from simlab.compiled import INTERPRETED
from simlab.contract import WHOLE_WIN
from simlab.experiments.batches import outcomes
from simlab.experiments.study import Study
from simlab.games.fantastique import GAME

GAMES = 400 if INTERPRETED else 60_000
SIGMAS = 5
ALPHA = 1e-6

Choose = Callable[[Sequence[Any]], Any]
Result = tuple[int, ...]


@dataclass(frozen=True)
class Setting:
    """A tiny game: its deck, by counts of the values 1, 2, ..., and what else differs."""

    players: int
    deck: tuple[int, ...]
    hand: int = 1
    rounds: int = 1
    stacks: int = 2
    side: str = "I"
    more: tuple[tuple[str, object], ...] = ()

    @property
    def options(self) -> dict[str, object]:
        deck = self.deck + (0,) * (8 - len(self.deck))
        main = {"deck": deck, "hand": self.hand, "rounds": self.rounds, "stacks": self.stacks}
        return main | dict(self.more)


SETTINGS = {
    "a round for two": Setting(2, (2, 1, 1, 1), side="V"),
    "a round for two, one value passes": Setting(2, (3, 1, 1), side="III"),
    "a round for three with bronze": Setting(
        3, (2, 2, 1, 1), stacks=3, side="II", more=(("bronze_from", 3),)
    ),
    "hands of two": Setting(2, (2, 1, 2, 1), hand=2, side="VI"),
    "two rounds that may reshuffle": Setting(2, (3, 2, 1), rounds=2, side="I"),
    "two rounds that reshuffle": Setting(2, (2, 1, 1), rounds=2, side="IV"),
    "two rounds that pass and reshuffle": Setting(
        2, (3, 0, 2), rounds=2, side="VI", more=(("stack_limit", 1), ("finale_zero", False))
    ),
    "three players, two rounds": Setting(3, (3, 1, 1), rounds=2, stacks=3, side="IV"),
    "three rounds": Setting(2, (2, 1, 1), rounds=3, side="V"),
}
LONG_SETTINGS = {
    "hands of two, two rounds": Setting(2, (2, 2, 1, 1), hand=2, rounds=2, side="III"),
    "four rounds": Setting(2, (2, 2, 1), rounds=4, side="V"),
}
CASES = [
    *SETTINGS.items(),
    *(pytest.param(*case, marks=pytest.mark.slow) for case in LONG_SETTINGS.items()),
]

COLUMNS = ("points", "win_share", "finale_cards")
GAME_COLUMNS = ("passes", "reshuffles")


# --- Every game there is, each with its exact chance -----------------------------------------


def every_way(play: Callable[[Choose], Result]) -> Iterator[tuple[Fraction, Result]]:
    """Call ``play(choose)`` once for each sequence of choices that it can be given.

    Each call of ``choose(things)`` picks one of some equally likely things.
    """
    script: list[int] = []
    while True:
        made: list[tuple[int, int]] = []  # the choice, and how many there were

        def choose(things: Sequence[Any], made: Any = made, script: Any = tuple(script)) -> Any:
            chosen = script[len(made)] if len(made) < len(script) else 0
            made.append((chosen, len(things)))
            return things[chosen]

        result = play(choose)
        yield Fraction(1, math.prod(many for _, many in made)), result
        while made and made[-1][0] + 1 == made[-1][1]:
            made.pop()
        if not made:
            return
        script = [chosen for chosen, _ in made]
        script[-1] += 1


@cache
def orders(cards: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All distinct orders of some cards; shuffled objects come in each equally often."""
    if not cards:
        return ((),)
    found = []
    for first in sorted(set(cards)):
        rest = list(cards)
        rest.remove(first)
        found += [(first, *order) for order in orders(tuple(rest))]
    return tuple(found)


def draws_lots(legal: set[tuple[int, int]], choose: Choose) -> tuple[int, int]:
    return choose(sorted(legal))


def takes_most(legal: set[tuple[int, int]], choose: Choose) -> tuple[int, int]:
    return max(legal, key=lambda move: (move[1], move[0]))


POLICIES = {"random": draws_lots, "greedy": takes_most}


def play_twin(setting: Setting, policy: Callable[..., tuple[int, int]], choose: Choose) -> Result:
    """One game of the twin; what it needs to know of chance, it asks for."""
    deck = tuple(chain(*([value] * n for value, n in enumerate(setting.deck, 1))))

    def reshuffle(discard: Counter[int]) -> list[int]:
        return list(choose(orders(tuple(sorted(discard.elements())))))

    order = list(choose(orders(deck)))
    twin = Twin(setting.players, setting.options, order, setting.side, reshuffle)
    while twin.seat_to_move is not None:
        twin.move(*policy(twin.legal(), choose))
    result = twin.result()
    shares = [int(share * WHOLE_WIN) for share in result["win_share"]]
    columns = [result["points"], shares, result["finale_cards"]]
    return (*chain(*columns), *(result[name] for name in GAME_COLUMNS))


def distribution(setting: Setting, policy: str) -> dict[Result, Fraction]:
    """Exact chance of every result."""
    chances: dict[Result, Fraction] = Counter()
    for chance, result in every_way(lambda choose: play_twin(setting, POLICIES[policy], choose)):
        chances[result] += chance
    assert sum(chances.values()) == 1
    return chances


# --- The engine's games ----------------------------------------------------------------------


def played(setting: Setting, policy: str, seed: int) -> Any:
    """Results of many games, one row each, in the order in which the twin has them."""
    words = [policy] * setting.players
    options = setting.options | {"finale": setting.side}
    study = Study.of(GAME, words, options=options, games=GAMES, seed=seed)
    rows = outcomes(study)
    assert len(rows) == GAMES
    results = zip(
        *(rows["seats"][name][:, seat] for name in COLUMNS for seat in range(setting.players)),
        *(rows[name] for name in GAME_COLUMNS),
        strict=True,
    )
    return [tuple(map(int, result)) for result in results]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("name", "setting"), CASES)
def test_means_and_results_are_those_of_all_games_there_are(
    name: str, setting: Setting, policy: str
) -> None:
    """Points, win share and finale cards of each seat, passes and reshuffles; seed 1."""
    chances = distribution(setting, policy)
    results = played(setting, policy, seed=1)
    for column in range(len(results[0])):
        mean = sum(chance * result[column] for result, chance in chances.items())
        square = sum(chance * result[column] ** 2 for result, chance in chances.items())
        error = math.sqrt((square - mean**2) / len(results))
        found = sum(result[column] for result in results) / len(results)
        assert abs(found - float(mean)) <= SIGMAS * error, (column, found, float(mean), error)
    assert fits(Counter(results), chances, ALPHA)


def test_the_settings_pass_and_reshuffle_often_enough() -> None:
    chances = distribution(SETTINGS["two rounds that pass and reshuffle"], "random")
    for place in (-1, -2):
        assert sum(chance for result, chance in chances.items() if result[place]) > Fraction(1, 10)


def test_every_way_tries_all_choices_with_their_chances() -> None:
    """Two lots, the second one of as many things as the first one says."""
    ways = every_way(lambda choose: (first := choose([1, 2, 3]), choose(range(first))))
    pairs = [(first, second) for first in (1, 2, 3) for second in range(first)]
    assert list(ways) == [(Fraction(1, 3 * first), (first, second)) for first, second in pairs]


def test_orders_are_all_distinct_orders() -> None:
    assert set(orders((1, 1, 2))) == {(1, 1, 2), (1, 2, 1), (2, 1, 1)}
    assert len(orders((1, 1, 2, 2, 3))) == math.factorial(5) // 4

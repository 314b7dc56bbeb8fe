"""Tournaments to try things on: small ones, ones of darts, and ones without a game.

Those without a game have tables whose deals are drawn from chances that are known; ratings, races
and precision are tried on them, thousands of tournaments a minute.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from by_hand import TIES, few

from simlab.contract import WHOLE_WIN
from simlab.experiments import metagame
from simlab.experiments.batches import Played
from simlab.experiments.counting import Count, Part
from simlab.experiments.metagame import EmpiricalGame, MetaResult
from simlab.experiments.study import Study
from simlab.experiments.tournaments.playing import Step, run_tournament
from simlab.experiments.tournaments.results import TournamentResults
from simlab.experiments.tournaments.schedule import Schedule, Tournament
from simlab.totals import pair_of, seat_width

SEED = 73
PLAYERS = 3
POLICIES = ("greedy", "random", "spoiler")
DEALS = few(40, 3)
DARTS = f"{Path(__file__).parent / 'dart_game.py'}::GAME"
DARTERS = ("dart", "dart:at=45", "dart:at=55", "dart:at=60", "random", "sleeper")


def cup(seating: str = "rotate", **more: Any) -> Tournament:
    """Three policies at three seats: ten tables."""
    given: dict[str, Any] = {"players": PLAYERS, "games": DEALS * PLAYERS, "seed": SEED}
    given |= {"seating": seating, "options": TIES} | more
    return Tournament.of("fantastique", given.pop("policies", POLICIES), **given)


def darts(policies: tuple[str, ...] = DARTERS, **more: Any) -> Tournament:
    """A quick game whose best throws are known."""
    return Tournament.of(DARTS, policies, **{"games": few(200, 8), "seed": SEED} | more)


@cache
def played(seating: str = "rotate") -> TournamentResults:
    return run_tournament(cup(seating), workers=2)


@pytest.fixture(autouse=True, scope="module")
def quick() -> Iterator[None]:
    """Nothing waits for the disk; the game theory of equal payoffs is done once, in 100 draws."""
    known: dict[bytes, Any] = {}

    def bootstrap(game: EmpiricalGame, draws: int, seed: int) -> MetaResult:
        key = b" ".join(
            [game.payoffs.tobytes(), game.spread.tobytes(), repr(game.policies).encode()]
        )
        if key not in known:
            known[key] = metagame.resampling.bootstrap(game, draws=100, seed=seed)
        found: MetaResult = known[key]
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        patch.setattr(metagame, "bootstrap", bootstrap)
        yield


# --- Without a game ---------------------------------------------------------------------------

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


def counted(study: Study, ranks: Whole) -> Count:
    """What a table counts whose seats end at these ranks in one game a deal.

    Parameters
    ----------
    study : Study
        Its seating is the same in each game, or drawn by lot.
    ranks : numpy.ndarray of int64, shape (deals, players)
        Of the seats in the order of the line-up's words; 1 is best, ties are equal.
    """
    game, seating = study.game, study.matchup.seating
    held = [[s for s, who in enumerate(seating) if who == one] for one in range(max(seating) + 1)]
    won = ranks == ranks.min(axis=1, keepdims=True)
    shares = WHOLE_WIN // won.sum(axis=1, keepdims=True) * won
    own = np.stack([shares[:, seats].sum(axis=1) for seats in held], axis=1)
    place = game.all_seat_columns.index("win_share")
    sums = np.zeros((game.seats, game.seats, seat_width(game)), object)
    squares = sums.copy()
    for who, seats in enumerate(held):
        for seat in seats:
            sums[who, seat, place] = int(shares[:, seat].sum())
            squares[who, seat, place] = int((shares[:, seat] ** 2).sum())
    ahead, by_pair = halves(ranks, held, game.seats)
    return Count(
        len(ranks),
        len(ranks),
        {
            "sums": sums,
            "squares": squares,
            "share_products": _padded(own.T @ own, game.seats),
            "ahead": ahead,
            "ahead_products": _padded(by_pair.T @ by_pair, pair_of(0, game.seats)),
        },
    )


def halves(ranks: Whole, held: Sequence[Sequence[int]], seats: int) -> tuple[Any, Whole]:
    """Halves that each policy has against each other in all deals, and by pair in each deal."""
    ahead = np.zeros((seats, seats), object)
    by_pair = np.zeros((len(ranks), pair_of(0, seats)), np.int64)
    for j, theirs in enumerate(held):
        for i, mine in enumerate(held[:j]):
            for seat in mine:
                for other in theirs:
                    better = ranks[:, seat] < ranks[:, other]
                    worse = ranks[:, seat] > ranks[:, other]
                    by_pair[:, pair_of(i, j)] += 1 + better.astype(int) - worse
            ahead[i, j] = int(by_pair[:, pair_of(i, j)].sum())
            ahead[j, i] = 2 * len(mine) * len(theirs) * len(ranks) - ahead[i, j]
    return ahead, by_pair


def _padded(products: Whole, size: int) -> Any:
    found = np.zeros((size, size), object)
    found[: len(products), : len(products)] = products.astype(object)
    return found


def drawn(plan: Schedule, draw: Callable[[Study, int], Count]) -> Played:
    """A part of a tournament whose tables count what ``draw(study, deals)`` says."""
    total = Part([plan.nothing() for _ in plan.studies])
    for chunk in plan.chunks():
        assert chunk.study is not None
        count = draw(plan.studies[chunk.study], chunk.end - chunk.first)
        plan.add(total, chunk, Part([count]))
    return Played(plan, total, True, False, 0.0, 0.0, 0)


def by_lot(weights: dict[str, float], rng: np.random.Generator) -> Step:
    """Each game has one winner, drawn by the seats' weights; all others are last."""

    def draw(study: Study, deals: int) -> Count:
        seats = np.array([weights[policy.text] for policy in study.matchup.policies])
        wins = rng.multinomial(deals, seats / seats.sum())
        return won(study, wins)

    return lambda plan, seen: drawn(plan, draw)


def won(study: Study, wins: Whole) -> Count:
    """What a table counts in one game a deal, whose seats win so often."""
    game, seating = study.game, study.matchup.seating
    place = game.all_seat_columns.index("win_share")
    sums = np.zeros((game.seats, game.seats, seat_width(game)), object)
    squares = sums.copy()
    products = np.zeros((game.seats, game.seats), object)
    for seat, (who, games) in enumerate(zip(seating, wins, strict=True)):
        sums[who, seat, place] += WHOLE_WIN * int(games)
        squares[who, seat, place] += WHOLE_WIN**2 * int(games)
        products[who, who] += WHOLE_WIN**2 * int(games)
    deals, pairs = int(wins.sum()), pair_of(0, game.seats)
    nothing = {"ahead": np.zeros_like(products), "ahead_products": np.zeros((pairs, pairs), object)}
    kept = {"sums": sums, "squares": squares, "share_products": products}
    return Count(deals, deals, {**kept, **nothing})

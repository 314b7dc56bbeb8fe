"""Races and precision of tournaments keep their error, though somebody looks all the time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cups import by_lot
from scipy import stats

from simlab.experiments import sequences
from simlab.experiments.intervals import rate_interval
from simlab.experiments.tests_of_difference import p_value
from simlab.experiments.tournaments.playing import Found, follow
from simlab.experiments.tournaments.race import ERROR, Race, precise
from simlab.experiments.tournaments.results import TournamentResults
from simlab.experiments.tournaments.schedule import FIRST_LOOK, Tournament

NAMES = ("balanced", "greedy", "miser", "random")
STUDIES = 1000
MOST_FALSE = int(stats.binom.isf(1e-6, STUDIES, ERROR))
"""Tournaments of 1,000 in which something may be found that is not there."""


def cup(policies: int, games: int, **more: Any) -> Tournament:
    words = NAMES[:policies]
    return Tournament.of("fantastique", words, players=3, games=games, seating="fixed", **more)


def run(tournament: Tournament, weights: dict[str, float], seed: int) -> Found:
    return follow(tournament, by_lot(weights, np.random.default_rng(seed)))


EQUAL = dict.fromkeys(NAMES, 1.0)


# --- What a race does -------------------------------------------------------------------------


def test_the_worse_drop_out_the_sooner_the_worse_they_are() -> None:
    tournament = cup(4, 60_000, race=True)
    weights = dict(zip(NAMES, (1.3, 1.2, 1.0, 0.2), strict=True))
    found = run(tournament, weights, 1)
    out = found.out
    assert out[3] == FIRST_LOOK
    assert out[3] <= out[2] <= out.get(1, 10**9)
    assert 0 not in out


def test_tables_play_on_while_anybody_at_them_does() -> None:
    """So that nobody's field changes: whoever is out still sits at the tables of those who stay."""
    tournament = cup(3, 8192, race=True)
    race = Race(tournament.design, out={2: 512})
    rows = race.tables()
    assert [tournament.design.members(row) for row in range(10) if row not in rows] == [[2]]
    found = run(tournament, {"balanced": 1.0, "greedy": 1.0, "miser": 0.2}, 2)
    games = [count.games for count in found.part.counts]
    design = tournament.design
    assert {games[row] for row in range(10) if set(design.members(row)) != {2}} == {8192}
    assert games[[design.members(row) for row in range(10)].index([2])] == found.out[2]


def test_a_race_ends_when_one_alone_is_left() -> None:
    tournament = cup(3, 10**6, race=True)
    found = run(tournament, {"balanced": 3.0, "greedy": 1.0, "miser": 0.1}, 3)
    assert sorted(found.out) == [1, 2]
    assert found.stopped_early
    assert max(count.games for count in found.part.counts) < 10_000


def test_before_the_first_look_of_a_sequence_nobody_drops_out() -> None:
    """However bad he looks: with two deals a table nothing is known."""
    tournament = cup(3, 2, race=True)
    assert run(tournament, {"balanced": 1.0, "greedy": 1e-9, "miser": 1e-9}, 4).out == {}


def test_the_always_valid_words_are_used_by_races_and_precise_tournaments() -> None:
    for more in ({"race": True}, {"precision": 1.0}):
        results = TournamentResults(run(cup(3, 600, **more), EQUAL, 5))
        assert results.always_valid
        found = results.reading.rate(0)
        low, high = results._interval(found)
        deviation = found.error * math.sqrt(found.deals)
        assert (low, high) == sequences.interval(found.mean, deviation, found.deals)
        fixed = rate_interval(found)
        assert high - low > 1.2 * (fixed[1] - fixed[0])


# --- Error over a thousand tournaments --------------------------------------------------------


def looked_at(tournament: Tournament, weights: dict[str, float], seed: int) -> list[Any]:
    """What is read at each look, of a tournament that goes on to its end."""
    readings = []
    step = by_lot(weights, np.random.default_rng(seed))

    def watched(plan: Any, seen: int) -> Any:
        return step(plan, seen)

    def keep(reading: Any, wanted: float, out: Any = ()) -> bool:
        readings.append(reading)
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simlab.experiments.tournaments.playing.precise", keep)
        follow(tournament, watched)
    return readings


@pytest.mark.slow
def test_a_race_of_equals_seldom_drops_anybody() -> None:
    """Whoever looked as often with p-values for one look would drop somebody in every third."""
    tournament = cup(3, 4096, race=True)
    false = sum(bool(run(tournament, EQUAL, seed).out) for seed in range(STUDIES))
    assert false <= MOST_FALSE
    naive, some = cup(3, 4096, precision=0.01), 200
    fooled = 0
    for seed in range(some):
        readings = looked_at(naive, EQUAL, seed)
        fooled += any(_worse(reading, p_value) for reading in readings)
    assert fooled > stats.binom.isf(1e-6, some, ERROR)


def _worse(reading: Any, test: Callable[[float, float, int], float]) -> bool:
    """Whether somebody is worse than the leader by a test of one look."""
    leader = int(np.argmax(reading.rates))
    found = [reading.difference(leader, who) for who in range(3) if who != leader]
    return min(test(one.mean, one.error, one.deals) for one in found) <= ERROR


@pytest.mark.slow
def test_a_race_of_unequals_seldom_drops_the_best() -> None:
    tournament = cup(3, 4096, race=True)
    weights = {"balanced": 1.02, "greedy": 1.0, "miser": 0.6}
    lost, dropped = 0, 0
    for seed in range(STUDIES // 2):
        out = run(tournament, weights, seed).out
        lost += 0 in out
        dropped += 2 in out
    assert lost <= stats.binom.isf(1e-6, STUDIES // 2, ERROR)
    assert dropped == STUDIES // 2, "and always the one who is far behind"


@pytest.mark.slow
def test_a_tournament_that_stops_when_precise_holds_the_truth_in_its_intervals() -> None:
    """Of 1,000 that stop as soon as every rate is known within two points."""
    tournament = cup(3, 20_000, precision=2.0)
    weights = {"balanced": 1.0, "greedy": 0.7, "miser": 0.3}
    truth = _true_rates(tournament, weights)
    missed, stops = 0, []
    for seed in range(STUDIES):
        found = run(tournament, weights, seed)
        results = TournamentResults(found)
        rates = [results.reading.rate(who) for who in range(3)]
        spans = [results._interval(rate) for rate in rates]
        missed += not all(low <= t <= high for (low, high), t in zip(spans, truth, strict=True))
        assert precise(results.reading, 2.0)
        stops.append(max(count.games for count in found.part.counts))
        assert found.stopped_early
    assert missed <= MOST_FALSE
    assert max(stops) < 20_000


def _true_rates(tournament: Tournament, weights: dict[str, float]) -> list[float]:
    """By the chances of the seats of each table."""
    design, names = tournament.design, tournament.texts
    own = design.weights[:, None] * design.seats
    own = own / own.sum(axis=0)
    chances = np.array([weights[name] for name in names])
    shares = chances / (design.seats @ chances)[:, None]
    return [float(rate) for rate in (own * shares).sum(axis=0)]

"""Ratings find the strengths that drew the games, and stay finite for whoever never wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from cups import Floats, Whole, counted, drawn
from scipy import special, stats

from simlab.experiments.counting import Count
from simlab.experiments.study import Study
from simlab.experiments.tournaments.playing import follow
from simlab.experiments.tournaments.ratings import POINTS, PRIOR, fit, ratings
from simlab.experiments.tournaments.reading import Reading
from simlab.experiments.tournaments.schedule import Tournament

NAMES = ("balanced", "greedy", "miser", "random", "spoiler")
SURE = 5.0
"""Deviations; a right program is further off in one of three million tests."""

Draw = Callable[[Study, int], Count]


def cup(policies: int, players: int, games: int, **more: Any) -> Tournament:
    return Tournament.of(
        "fantastique", NAMES[:policies], players=players, games=games, seating="fixed", **more
    )


def centred(strengths: Floats) -> Floats:
    """On the scale of ratings: 0 ends ahead of half the field."""
    low, high = strengths.min() - 1, strengths.max() + 1
    for _ in range(100):
        middle = (low + high) / 2
        if special.expit(middle - strengths).mean() < 0.5:
            low = middle
        else:
            high = middle
    found: Floats = (strengths - middle) * POINTS
    return found


def luce(strengths: dict[str, float], rng: np.random.Generator, tie: float = 0.0) -> Draw:
    """Ranks by Luce's model; with a chance of ``tie`` all seats of a game end level."""

    def draw(study: Study, deals: int) -> Count:
        seats = np.array([strengths[policy.text] for policy in study.matchup.policies])
        speed = seats + rng.gumbel(size=(deals, len(seats)))
        ranks: Whole = 1 + (speed[:, None, :] > speed[:, :, None]).sum(axis=2)
        if tie:
            ranks[rng.random(deals) < tie] = 1
        return counted(study, ranks)

    return draw


def reading_of(tournament: Tournament, draw: Draw) -> Reading:
    return follow(tournament, lambda plan, seen: drawn(plan, draw)).reading()


def truth_of(strengths: Floats, tie: float = 0.0) -> Floats:
    """Ratings of the true chances to end ahead."""
    ahead = special.expit(strengths[:, None] - strengths[None, :])
    ahead = tie / 2 + (1 - tie) * ahead
    return fit(ahead, np.ones_like(ahead))


# --- Strengths that are known -----------------------------------------------------------------


@pytest.mark.parametrize("tie", [0.0, 0.3])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_ratings_are_the_strengths_that_drew_the_tables(players: int, tie: float) -> None:
    strengths = np.array([1.0, 0.4, 0.0, -0.5, -1.2])[: 5 if players < 4 else 3]
    names = dict(zip(NAMES, strengths, strict=False))
    tournament = cup(len(strengths), players, 4000)
    rng = np.random.default_rng(players)
    found = ratings(reading_of(tournament, luce(names, rng, tie)))
    truth = truth_of(strengths, tie)
    if not tie:
        assert truth == pytest.approx(centred(strengths), abs=1e-4)
    for rating, true in zip(found, truth, strict=True):
        error = (rating.high - rating.low) / 2 / 1.96
        assert abs(rating.points - true) < SURE * error
        assert 0.3 < error < 10, "and that is known well"


def test_a_fit_of_true_chances_is_exact() -> None:
    strengths = np.array([0.9, 0.1, -0.2, -2.0])
    ahead = special.expit(strengths[:, None] - strengths[None, :])
    assert fit(ahead, np.full((4, 4), 7.0)) == pytest.approx(centred(strengths), abs=1e-4)


def test_odds_of_ten_to_one_are_400_points() -> None:
    found = fit(np.array([[0.5, 10 / 11], [1 / 11, 0.5]]), np.ones((2, 2)))
    assert found == pytest.approx([200, -200], abs=1e-4)


def test_equal_policies_have_no_points() -> None:
    assert fit(np.full((4, 4), 0.5), np.ones((4, 4))) == pytest.approx(np.zeros(4), abs=1e-6)


@pytest.mark.parametrize("order", list(permutations(range(3)))[1:])
def test_other_labels_have_the_same_ratings(order: tuple[int, ...]) -> None:
    """Policies in another order, tables and all: nobody's rating, rate or error moves."""
    names = dict(zip(NAMES, (1.0, 0.0, -0.5), strict=False))
    reading = reading_of(cup(3, 3, 200), luce(names, np.random.default_rng(4)))
    places = np.argsort(order)
    tables = []
    for table in reading.tables:
        members = [int(places[who]) for who in table.members]
        sort = list(np.argsort(members))
        both = np.ix_(sort, sort)
        pairs = _pairs_after(sort)
        tables.append(
            replace(
                table,
                members=[members[n] for n in sort],
                shares=table.shares[sort],
                share_errors=table.share_errors[both],
                ahead=table.ahead[both],
                ahead_errors=_signed(table.ahead_errors, pairs),
            )
        )
    other = Reading(replace(reading.design, seats=reading.design.seats[:, list(order)]), tables)
    one, two = ratings(reading), ratings(other)
    for who in range(3):
        assert two[places[who]].points == pytest.approx(one[who].points, abs=1e-6)
        assert two[places[who]].low == pytest.approx(one[who].low, abs=1e-6)
        assert other.rates[places[who]] == pytest.approx(reading.rates[who], abs=1e-12)
        assert other.rate(int(places[who])).error == pytest.approx(reading.rate(who).error)


def _pairs_after(sort: list[int]) -> list[tuple[int, int]]:
    """Each pair of the new order: its place in the old one, and whether it was turned round."""
    found = []
    for j in range(len(sort)):
        for i in range(j):
            a, b = sort[i], sort[j]
            low, high = min(a, b), max(a, b)
            found.append((high * (high - 1) // 2 + low, 1 if a < b else -1))
    return found


def _signed(errors: Floats, pairs: list[tuple[int, int]]) -> Floats:
    places = [place for place, _ in pairs]
    signs = np.array([sign for _, sign in pairs])
    found: Floats = errors[np.ix_(places, places)] * np.outer(signs, signs)
    return found


# --- Where there is little to go by -----------------------------------------------------------


def by_rule(order: dict[str, int]) -> Draw:
    """Games that always end in this order; equals tie."""

    def draw(study: Study, deals: int) -> Count:
        ranks = [order[policy.text] for policy in study.matchup.policies]
        places = [1 + sum(other < rank for other in ranks) for rank in ranks]
        return counted(study, np.tile(places, (deals, 1)))

    return draw


def mixed(one: Draw, other: Draw, name: str) -> Draw:
    """One way to play where somebody sits, another where he does not."""
    return lambda study, deals: (
        one if any(policy.text == name for policy in study.matchup.policies) else other
    )(study, deals)


@pytest.mark.parametrize("wins", [True, False])
@pytest.mark.parametrize("games", [2, 100, 100_000])
def test_who_always_or_never_wins_has_a_finite_rating_and_moves_nobody_else(
    wins: bool, games: int
) -> None:
    """`balanced` is ahead of all, or behind all; the others are equal among themselves."""
    rank = dict.fromkeys(NAMES, 2) | {"balanced": 1 if wins else 3}
    found = ratings(reading_of(cup(4, 3, games), by_rule(rank)))
    sign = 1 if wins else -1
    extreme, others = found[0], found[1:]
    assert sign * extreme.points > 100
    assert np.isfinite([extreme.low, extreme.high]).all()
    assert extreme.high - extreme.low > 400, "how far beyond the others is hardly known"
    points = [other.points for other in others]
    assert max(points) - min(points) < 1e-3
    assert max(abs(point) for point in points) < 200
    if games == 100_000:
        for other in others:
            assert other.high - other.low < 100, "their own intervals do not grow with his"


def test_an_unbeaten_policy_does_not_shift_the_scale_of_the_others() -> None:
    """However far ahead he is, the others stay where they are to within a point."""
    rates = []
    for deals in (1_000, 100_000):
        rank = dict.fromkeys(NAMES, 2) | {"balanced": 1}
        found = ratings(reading_of(cup(4, 2, deals), by_rule(rank)))
        rates.append([rating.points for rating in found[1:]])
    assert rates[0] == pytest.approx(rates[1], abs=1.0)


def test_a_strict_order_is_rated_in_order() -> None:
    rank = {name: place for place, name in enumerate(NAMES)}
    found = ratings(reading_of(cup(5, 2, 100), by_rule(rank)))
    points = [rating.points for rating in found]
    assert points == sorted(points, reverse=True)
    assert np.isfinite([[r.low, r.high] for r in found]).all()


@pytest.mark.parametrize("players", [2, 3])
def test_one_game_at_each_table_gives_finite_words(players: int) -> None:
    """A table plays two deals at least, and even those may be all alike."""
    names = dict.fromkeys(NAMES, 0.0)
    for seed in range(20):
        draw = luce(names, np.random.default_rng(seed))
        found = ratings(reading_of(cup(3, players, 1), draw))
        assert np.isfinite([[r.points, r.low, r.high] for r in found]).all()
        for rating in found:
            assert rating.low < rating.points < rating.high


def test_without_any_game_everybody_is_even() -> None:
    tournament = cup(3, 2, 10)
    reading = reading_of(tournament, lambda study, deals: Count())
    assert not reading.whole
    found = ratings(reading)
    assert [rating.points for rating in found] == pytest.approx([0, 0, 0], abs=1e-6)


def test_two_who_never_met_are_rated_by_whom_they_met() -> None:
    """A gauntlet of two seats: the field never meets itself."""
    names = dict(zip(NAMES, (0.0, 1.0, -1.0), strict=False))
    tournament = cup(3, 2, 3000, focus="balanced")
    reading = reading_of(tournament, luce(names, np.random.default_rng(1)))
    assert np.isnan(reading.ahead[1, 2])
    found = ratings(reading)
    apart = found[1].points - found[2].points
    assert apart == pytest.approx(2 * POINTS, abs=60)
    assert PRIOR < 1


def test_a_policy_that_hardly_played_leaves_the_others_as_they_are() -> None:
    names = dict(zip(NAMES, (0.5, 0.0, -0.5), strict=False))
    draw = luce(names, np.random.default_rng(2))
    few = lambda study, deals: draw(study, 2)  # noqa: E731 - one of the two ways
    tournament = cup(3, 2, 5000)
    found = ratings(reading_of(tournament, mixed(few, draw, "miser")))
    alone = ratings(reading_of(cup(2, 2, 5000), luce(names, np.random.default_rng(2))))
    apart = found[0].points - found[1].points
    assert apart == pytest.approx(alone[0].points - alone[1].points, abs=40)
    assert found[2].high - found[2].low > 3 * (found[0].high - found[0].low)


# --- Coverage ---------------------------------------------------------------------------------

STUDIES = 1000
FEWEST_TRUE = int(stats.binom.ppf(1e-6, STUDIES, 0.95))


@pytest.mark.slow
@pytest.mark.parametrize(("policies", "players", "games"), [(3, 2, 60), (3, 4, 20)])
def test_intervals_of_ratings_hold_the_true_ones(policies: int, players: int, games: int) -> None:
    strengths = np.linspace(1.0, -1.0, policies)
    names = dict(zip(NAMES, strengths, strict=False))
    truth, rng = truth_of(strengths), np.random.default_rng(9)
    tournament, hits = cup(policies, players, games), np.zeros(policies)
    for _ in range(STUDIES):
        found = ratings(reading_of(tournament, luce(names, rng)))
        hits += [r.low <= true <= r.high for r, true in zip(found, truth, strict=True)]
    assert hits.min() >= FEWEST_TRUE
    assert hits.max() <= stats.binom.ppf(1 - 1e-6, STUDIES, 0.97), "and no wider than they need be"

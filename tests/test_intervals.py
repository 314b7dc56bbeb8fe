"""Intervals: equal to scipy's and statsmodels', sound at the ends, and as sure as they say."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from simlab.experiments.intervals import FEW, Estimate, estimate, mean_interval, rate_interval


def rate_of(wins: float, games: float) -> Estimate:
    """A rate whose error is that of so many independent games."""
    p = wins / games
    return Estimate(p, math.sqrt(p * (1 - p)), math.sqrt(p * (1 - p) / games), round(games))


def estimate_of(values: npt.NDArray[np.int64], unit: int = 1) -> Estimate:
    """The estimate from whole sums of a table of deals (rows) and the values in each."""
    numbers = values.astype(object)
    total, squares = int(numbers.sum()), int((numbers**2).sum())
    deals, per_deal = values.shape
    return estimate(total, squares, int((numbers.sum(axis=1) ** 2).sum()), deals, per_deal, unit)


# --- Against the libraries ------------------------------------------------------------------


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(
    ("wins", "games"), [(11, 22), (11, 5000), (37, 101), (90, 101), (9e5, 1e6)]
)
def test_with_more_than_ten_wins_and_losses_a_rate_has_wilson_s_interval(
    wins: int, games: int, confidence: float
) -> None:
    found = rate_interval(rate_of(wins, games), confidence)
    theirs = proportion_confint(wins, games, alpha=1 - confidence, method="wilson")
    assert found == pytest.approx(theirs, rel=1e-9)
    tested = stats.binomtest(int(wins), int(games)).proportion_ci(confidence, method="wilson")
    assert found == pytest.approx((tested.low, tested.high), rel=1e-9)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(
    ("wins", "games"), [(1, 2), (1, 4000), (9, 30), (9, 18), (22, 30), (99, 100)]
)
def test_with_fewer_wins_or_losses_a_rate_has_clopper_and_pearson_s_interval(
    wins: int, games: int, confidence: float
) -> None:
    found = rate_interval(rate_of(wins, games), confidence)
    theirs = proportion_confint(wins, games, alpha=1 - confidence, method="beta")
    assert found == pytest.approx(theirs, rel=1e-9)
    tested = stats.binomtest(wins, games).proportion_ci(confidence, method="exact")
    assert found == pytest.approx((tested.low, tested.high), rel=1e-9)


def test_the_effective_number_of_games_need_not_be_whole() -> None:
    theirs = proportion_confint(12.25, 77.5, method="wilson")
    assert rate_interval(rate_of(12.25, 77.5)) == pytest.approx(theirs, rel=1e-9)


def test_a_few_wins_count_no_more_games_than_there_are_deals() -> None:
    found = Estimate(0.05, 0.2, (0.05 * 0.95 / 160) ** 0.5, 40)  # as if 160 games, in 40 deals
    theirs = proportion_confint(2, 40, method="beta")
    assert rate_interval(found) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("deals", [2, 3, 30, 10**6])
def test_a_mean_has_student_s_interval_over_deals(deals: int, confidence: float) -> None:
    found = Estimate(41.5, 12.0, 0.25, deals)
    theirs = stats.t.interval(confidence, deals - 1, loc=41.5, scale=0.25)
    assert mean_interval(found, confidence) == pytest.approx(theirs, rel=1e-9)


def test_a_mean_s_interval_is_that_of_the_deals_own_means() -> None:
    values = np.random.default_rng(21).integers(0, 90, (40, 4)) + 5
    means = values.mean(axis=1)
    theirs = stats.t.interval(0.95, 39, loc=means.mean(), scale=stats.sem(means))
    assert mean_interval(estimate_of(values)) == pytest.approx(theirs, rel=1e-9)


# --- At the ends ----------------------------------------------------------------------------


@pytest.mark.parametrize("deals", [1, 2, 20, 5000])
@pytest.mark.parametrize("per_deal", [1, 4])
def test_no_wins_and_all_wins_count_as_many_games_as_there_are_deals(
    deals: int, per_deal: int
) -> None:
    """Clopper and Pearson's bound for 0 of n: all n are lost with a chance of 2.5 %."""
    bound = 1 - 0.025 ** (1 / deals)
    never = estimate_of(np.zeros((deals, per_deal), np.int64), unit=60)
    always = estimate_of(np.full((deals, per_deal), 60), unit=60)
    assert (never.mean, always.mean) == (0.0, 1.0)
    assert rate_interval(never) == pytest.approx((0.0, bound), rel=1e-9)
    assert rate_interval(always) == pytest.approx((1 - bound, 1.0), rel=1e-9)
    assert rate_interval(never)[0] == 0.0
    assert rate_interval(always)[1] == 1.0


def test_of_0_deals_nothing_is_known() -> None:
    found = estimate(0, 0, 0, 0, 4)
    assert math.isnan(found.mean)
    assert math.isnan(found.error)
    assert found.deals == 0
    assert rate_interval(found) == (0.0, 1.0)
    assert all(math.isnan(end) for end in mean_interval(found))


def test_one_deal_has_a_mean_and_no_error() -> None:
    found = estimate_of(np.array([[60, 0, 0, 0]]), unit=60)
    assert found.mean == 0.25
    assert found.sd == pytest.approx(0.5)
    assert math.isnan(found.error)
    assert all(math.isnan(end) for end in mean_interval(found))
    theirs = proportion_confint(0.25, 1, method="beta")
    assert rate_interval(found) == pytest.approx(theirs, rel=1e-9), "one game's worth of evidence"


def test_one_value_has_no_deviation() -> None:
    found = estimate_of(np.array([[7]]))
    assert found.mean == 7.0
    assert math.isnan(found.sd)
    assert math.isnan(found.error)


def test_deals_that_all_share_out_alike_count_as_one_game_each() -> None:
    """One win in four in every deal: no error is seen, yet 50 deals do not prove 1/4."""
    found = estimate_of(np.tile([60, 0, 0, 0], (50, 1)), unit=60)
    assert found.error == 0.0
    theirs = proportion_confint(12.5, 50, method="wilson")
    assert rate_interval(found) == pytest.approx(theirs, rel=1e-9)
    assert mean_interval(found) == (0.25, 0.25)


def test_a_rate_that_rounding_pushed_past_an_end_is_taken_to_be_at_the_end() -> None:
    beyond = Estimate(1.0 + 2**-52, 0.0, 0.0, 30)
    assert rate_interval(beyond) == rate_interval(Estimate(1.0, 0.0, 0.0, 30))
    before = Estimate(-(2.0**-60), 0.0, 0.0, 30)
    assert rate_interval(before) == rate_interval(Estimate(0.0, 0.0, 0.0, 30))


RATES = [
    rate_of(wins, games)
    for games in (2, 9, 35, 400, 10**6)
    for wins in (0.3, 1, games / 7, games / 2, games - 1, games - 0.3)
]


@pytest.mark.parametrize("found", RATES)
def test_a_rate_lies_in_its_interval_and_the_interval_in_0_to_1(found: Estimate) -> None:
    low, high = rate_interval(found)
    assert 0.0 <= low < found.mean < high <= 1.0


@pytest.mark.parametrize("found", RATES)
def test_wins_and_losses_have_mirrored_intervals(found: Estimate) -> None:
    low, high = rate_interval(found)
    lost = Estimate(1.0 - found.mean, found.sd, found.error, found.deals)
    assert rate_interval(lost) == pytest.approx((1.0 - high, 1.0 - low), rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("found", RATES)
def test_a_surer_interval_contains_a_less_sure_one(found: Estimate) -> None:
    spans = [rate_interval(found, confidence) for confidence in (0.5, 0.8, 0.95, 0.99)]
    for inner, outer in pairwise(spans):
        assert outer[0] < inner[0] < inner[1] < outer[1]


@pytest.mark.parametrize("p", [0.0, 0.003, 0.2, 0.5, 0.97, 1.0])
def test_more_deals_make_a_narrower_interval(p: float) -> None:
    """Also where Clopper and Pearson's interval gives way to Wilson's."""
    spans = [rate_interval(rate_of(p * games, games)) for games in 2 ** np.arange(3, 24)]
    widths = [high - low for low, high in spans]
    assert all(wider > narrower for wider, narrower in pairwise(widths))


# --- Sums -----------------------------------------------------------------------------------


def clustered(kind: str, deals: int, per_deal: int) -> npt.NDArray[np.int64]:
    """Whole numbers of which those in one deal are alike, opposed, or have nothing in common."""
    rng = np.random.default_rng([22, deals, per_deal])
    values = rng.integers(-40, 60, (deals, per_deal))
    if kind == "alike":
        values += rng.integers(-300, 300, (deals, 1))
    if kind == "opposed":
        values -= values.sum(axis=1, keepdims=True) // per_deal
    return values


@pytest.mark.parametrize("unit", [1, 60])
@pytest.mark.parametrize(("deals", "per_deal"), [(2, 1), (2, 5), (7, 2), (500, 1), (1000, 4)])
@pytest.mark.parametrize("kind", ["alike", "opposed", "independent"])
def test_sums_give_the_numbers_that_the_table_gives(
    kind: str, deals: int, per_deal: int, unit: int
) -> None:
    values = clustered(kind, deals, per_deal)
    found = estimate_of(values, unit)
    deal_means = values.mean(axis=1) / unit
    assert found.mean == pytest.approx((values / unit).mean(), rel=1e-12, abs=1e-12)
    assert found.sd == pytest.approx((values / unit).std(ddof=1), rel=1e-12)
    assert found.error == pytest.approx(
        deal_means.std(ddof=1) / math.sqrt(deals), rel=1e-12, abs=1e-12
    )
    assert found.deals == deals


def test_the_deal_is_the_unit_of_evidence() -> None:
    """Four equal games of a deal count once; games that make up for each other, more than once."""
    once = np.random.default_rng(23).integers(0, 61, (300, 1))
    four = np.repeat(once, 4, axis=1)
    assert estimate_of(four).error == pytest.approx(estimate_of(once).error, rel=1e-12)
    assert estimate_of(four.reshape(-1, 1)).error == pytest.approx(
        estimate_of(once).error / 2 * math.sqrt(299 / 299.75), rel=1e-12
    )
    opposed = np.hstack([once, 60 - once])
    assert estimate_of(opposed).error == 0.0


def test_small_deviations_of_huge_numbers_are_not_lost() -> None:
    """A million billion deals, half of them at 10**9 and half at 10**9 + 2: 1 either way."""
    half, low, high = 5 * 10**14, 10**9, 10**9 + 2
    squares = half * (low**2 + high**2)
    found = estimate(half * (low + high), squares, squares, 2 * half, 1)
    assert found.mean == 10**9 + 1
    assert found.sd == pytest.approx(1.0, rel=1e-12)
    assert found.error == pytest.approx(1 / math.sqrt(10**15), rel=1e-12)


# --- Coverage -------------------------------------------------------------------------------

GAMES = 4
"""Games that a deal is played in."""
WON = np.arange(GAMES + 1)
Chances = npt.NDArray[np.float64]
"""Chances that 0, 1, ... 4 of a deal's games are won."""


def independent(p: float) -> Chances:
    return np.asarray(stats.binom.pmf(WON, GAMES, p))


def agreeing(correlation: float) -> Callable[[float], Chances]:
    """Some deals favour the policy in all their games (beta-binomial)."""
    weight = 1 / correlation - 1

    def chances(p: float) -> Chances:
        return np.asarray(stats.betabinom.pmf(WON, GAMES, p * weight, (1 - p) * weight))

    return chances


def all_alike(p: float) -> Chances:
    return np.array([1 - p, 0, 0, 0, p])


def opposed(p: float) -> Chances:
    """In half the deals the games make up for each other as far as they can."""
    even = np.zeros(GAMES + 1)
    whole = int(GAMES * p)
    even[whole] = 1 - (GAMES * p - whole)
    even[whole + 1] = GAMES * p - whole
    return (even + independent(p)) / 2


CLUSTERS: dict[str, Callable[[float], Chances]] = {
    "opposed": opposed,
    "independent": independent,
    "agreeing, 0.1": agreeing(0.1),
    "agreeing, 0.3": agreeing(0.3),
    "agreeing, 0.7": agreeing(0.7),
    "all alike": all_alike,
}


class Cell(NamedTuple):
    """A rate to estimate from so many deals, and the wins to expect in independent games."""

    cluster: str
    p: float
    deals: int
    wins: float


def cell(cluster: str, p: float, deals: int) -> Cell:
    chances = CLUSTERS[cluster](p)
    variance = float(chances @ WON**2 - (chances @ WON) ** 2) / GAMES**2 / deals
    return Cell(cluster, p, deals, p * p * (1 - p) / variance)


def grid(cluster: str) -> list[Cell]:
    rates, deals = (0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.4, 0.5), (20, 50, 100, 200, 500, 2000)
    return [cell(cluster, p, n) for p in rates for n in deals]


def coverage(of: Cell, runs: int) -> float:
    """Share of so many simulated runs whose interval holds the rate."""
    rng = np.random.default_rng(24)
    counts = rng.multinomial(of.deals, CLUSTERS[of.cluster](of.p), runs)
    rows, times = np.unique(counts, axis=0, return_counts=True)
    held = 0
    for row, often in zip(rows, times, strict=True):
        won = int(row @ WON)
        low, high = rate_interval(estimate(won, won, int(row @ WON**2), of.deals, GAMES))
        held += int(often) * (low <= of.p <= high)
    return held / runs


def test_clusters_have_the_rate_and_the_correlation_they_are_named_for() -> None:
    found = {}
    for name, chances in CLUSTERS.items():
        for p in (0.005, 0.25, 0.5):
            assert chances(p).sum() == pytest.approx(1)
            assert chances(p) @ WON == pytest.approx(GAMES * p)
        both = chances(0.4) @ (WON * (WON - 1)) / (GAMES * (GAMES - 1))
        found[name] = (both - 0.16) / 0.24
    rest = {"agreeing, 0.1": 0.1, "agreeing, 0.3": 0.3, "agreeing, 0.7": 0.7, "all alike": 1}
    opposed_by = found.pop("opposed")
    assert opposed_by < -0.1
    assert found == pytest.approx({"independent": 0, **rest}, abs=1e-9)


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_a_95_percent_interval_holds_in_95_of_100_runs(cluster: str) -> None:
    covered = coverage(cell(cluster, 0.25, 500), 2000)
    assert covered == pytest.approx(0.95, abs=5 * math.sqrt(0.95 * 0.05 / 2000))


@pytest.mark.slow
@pytest.mark.parametrize("cluster", CLUSTERS)
def test_intervals_hold_with_ten_expected_wins(cluster: str) -> None:
    """Over the whole grid; with fewer than 200 deals the error itself is not well known."""
    found = {of: coverage(of, 4000) for of in grid(cluster) if of.wins >= FEW}
    many = {of: covered for of, covered in found.items() if of.deals >= 200}
    assert len(many) >= 15
    assert 0.94 <= np.mean(list(many.values())) <= 0.97
    assert {of: covered for of, covered in many.items() if covered < 0.93} == {}
    assert {of: covered for of, covered in found.items() if covered < 0.92} == {}


@pytest.mark.slow
@pytest.mark.parametrize("cluster", CLUSTERS)
def test_intervals_hold_below_ten_expected_wins(cluster: str) -> None:
    """At least 94 %, but for five standard errors of the simulation."""
    runs = 100_000
    noise = math.sqrt(0.94 * 0.06 / runs)
    found = {of: coverage(of, runs) for of in grid(cluster) if of.wins < FEW}
    assert len(found) >= 12
    assert {of: covered for of, covered in found.items() if covered < 0.94 - 5 * noise} == {}

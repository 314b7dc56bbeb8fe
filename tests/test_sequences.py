"""Sequences: the mixture of the paper, and right at all looks together as often as they say."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from scipy import integrate, special, stats

from simlab.experiments.sequences import (
    _RHO_SQUARED,
    FIRST_VALID,
    TUNED_FOR,
    UNSEEN,
    deals_for,
    half_width,
    interval,
    looks,
    p_value,
)

Floats = npt.NDArray[np.float64]

# --- Looks ----------------------------------------------------------------------------------


def test_one_looks_after_twice_as_many_deals_and_later_after_a_tenth_more() -> None:
    assert looks(1500) == [64, 128, 256, 512, 1024, 1126, 1238, 1361, 1497, 1500]


def test_all_deals_are_the_last_look() -> None:
    assert looks(1) == [1]
    assert looks(64) == [64]
    assert looks(65) == [64, 65]
    assert looks(1024)[-2:] == [512, 1024]
    assert looks(1025)[-2:] == [1024, 1025]


@pytest.mark.parametrize("first", [1, 10, 64, 100, 1024, 5000])
def test_looks_go_up_by_a_tenth_or_twice(first: int) -> None:
    found = looks(10**7, first)
    assert found[0] == first
    assert all(type(deals) is int for deals in found)
    steps = list(pairwise(found[:-1]))
    assert all(later == 2 * sooner for sooner, later in steps if sooner < 1024)
    assert all(later == sooner * 11 // 10 for sooner, later in steps if sooner >= 1024)


def test_a_longer_study_has_the_looks_of_a_shorter_one() -> None:
    longest = looks(10**6)
    for most in (63, 64, 1000, 1024, 12_345, 999_999):
        assert looks(most)[:-1] == [deals for deals in longest if deals < most]


@pytest.mark.parametrize(("most", "first"), [(0, 64), (-5, 64), (100, 0)])
def test_no_deals_cannot_be_looked_at(most: int, first: int) -> None:
    with pytest.raises(ValueError, match="at least 1 deal"):
        looks(most, first)


# --- The mixture ----------------------------------------------------------------------------

SPREADS = [
    (sd, deals, alpha)
    for sd in (0.01, 0.43, 9.0)
    for deals in (FIRST_VALID, 5000, 10**6)
    for alpha in (0.001, 0.05, 0.5)
]


@pytest.mark.parametrize(("sd", "deals", "alpha"), SPREADS)
def test_without_unseen_deals_the_width_is_the_paper_s(sd: float, deals: int, alpha: float) -> None:
    """Its formula, written as it stands there."""
    t, rho = deals, math.sqrt(_RHO_SQUARED)
    inside = 2 * (t * rho**2 + 1) / (t**2 * rho**2) * math.log(math.sqrt(t * rho**2 + 1) / alpha)
    assert half_width(sd, deals, alpha, None) == pytest.approx(sd * math.sqrt(inside), rel=1e-12)


@pytest.mark.parametrize(("sd", "deals", "alpha"), SPREADS)
@pytest.mark.parametrize("reach", [0.0, 1.0, 2.0])
def test_unseen_deals_add_to_the_variance(
    sd: float, deals: int, alpha: float, reach: float
) -> None:
    spread = math.sqrt(sd**2 + UNSEEN * reach**2 / deals)
    assert half_width(sd, deals, alpha, reach) == pytest.approx(
        half_width(spread, deals, alpha, None), rel=1e-12
    )


@pytest.mark.parametrize("deals", [FIRST_VALID, 5000, 10**5])
@pytest.mark.parametrize("z", [0.3, 2.5, 4.0])
def test_a_p_value_is_one_over_the_mixture_of_likelihood_ratios(deals: int, z: float) -> None:
    """Of a normal mean drawn with variance rho squared against a mean of 0, integrated."""
    total, rho = z * math.sqrt(deals), math.sqrt(_RHO_SQUARED)

    def ratio(slope: float) -> float:
        return math.exp(slope * total - slope**2 * deals / 2) * stats.norm.pdf(slope, scale=rho)

    peak = total / (deals + 1 / rho**2)
    width = 12 / math.sqrt(deals + 1 / rho**2)
    mixture, _ = integrate.quad(ratio, peak - width, peak + width, epsabs=0, epsrel=1e-10)
    found = p_value(z / math.sqrt(deals) * 7.0, 7.0, deals, None)
    assert found == pytest.approx(min(1.0, 1 / mixture), rel=1e-8)


@pytest.mark.parametrize(("sd", "deals", "alpha"), SPREADS)
@pytest.mark.parametrize("reach", [None, 1.0, 2.0])
def test_a_p_value_is_at_most_alpha_where_the_interval_leaves_0_out(
    sd: float, deals: int, alpha: float, reach: float | None
) -> None:
    half = half_width(sd, deals, alpha, reach)
    assert p_value(half, sd, deals, reach) == pytest.approx(alpha, rel=1e-9)
    for mean in (half * 1.001, -half * 1.001):
        low, high = interval(mean, sd, deals, alpha, None, reach)
        assert p_value(mean, sd, deals, reach) < alpha
        assert low > 0 or high < 0
    for mean in (half * 0.999, -half * 0.999):
        low, high = interval(mean, sd, deals, alpha, None, reach)
        assert p_value(mean, sd, deals, reach) > alpha
        assert low < 0 < high


def narrowest(deals: float) -> float:
    """The least half-width that any mixture has for a deviation of 1, at 5 %."""
    best = -float(np.real(special.lambertw(-(0.05**2) / math.e, -1)))  # deals * rho**2 + 1
    return math.sqrt(2 * best / (best - 1) * math.log(math.sqrt(best) / 0.05) / deals)


def test_the_sequence_is_narrowest_where_it_is_tuned() -> None:
    def dearer(deals: int) -> float:
        return half_width(1.0, deals, 0.05, None) / narrowest(deals)

    assert dearer(TUNED_FOR) == pytest.approx(1.0, abs=1e-3)
    assert dearer(1000) == pytest.approx(1.11, abs=0.01)
    assert dearer(100_000) == pytest.approx(1.10, abs=0.01)
    assert dearer(1_000_000) == pytest.approx(1.20, abs=0.01)
    assert all(1.0 <= dearer(deals) < 1.11 for deals in looks(100_000) if deals >= 1000)


def test_known_widths() -> None:
    """One seat of four at 10,000 deals of four independent seatings, and at one seating."""
    assert half_width(math.sqrt(0.1875 / 4), 10_000) == pytest.approx(0.00666, abs=1e-5)
    assert half_width(math.sqrt(0.1875), 10_000) == pytest.approx(0.01327, abs=1e-5)
    plain = 1.959964 * math.sqrt(0.1875 / 10_000)
    assert half_width(math.sqrt(0.1875), 10_000) == pytest.approx(1.56 * plain, rel=0.01)


@pytest.mark.parametrize("sd", [0.0, 0.02, 0.4, 30.0])
def test_more_deals_make_it_narrower_and_more_certainty_wider(sd: float) -> None:
    over_deals = [half_width(sd, deals) for deals in looks(10**8, FIRST_VALID)]
    assert all(wider > narrower for wider, narrower in pairwise(over_deals))
    over_alpha = [half_width(sd, 3000, alpha) for alpha in (0.001, 0.01, 0.05, 0.2)]
    assert all(wider > narrower for wider, narrower in pairwise(over_alpha))
    assert half_width(sd + 0.01, 3000) > half_width(sd, 3000)


def test_a_larger_difference_has_a_smaller_p_value() -> None:
    found = [p_value(mean, 0.3, 3000) for mean in np.linspace(0.0, 0.2, 50)]
    assert found[0] == 1.0
    assert all(later <= sooner for sooner, later in pairwise(found))
    assert found[-1] < 1e-100
    assert p_value(-0.1, 0.3, 3000) == p_value(0.1, 0.3, 3000)
    assert p_value(1e9, 1e-9, 10**6, None) == 0.0


# --- Where little is known ------------------------------------------------------------------


@pytest.mark.parametrize("deals", [0, 1, 64, FIRST_VALID - 1])
def test_few_deals_claim_nothing(deals: int) -> None:
    assert half_width(0.1, deals) == math.inf
    assert interval(0.25, 0.1, deals) == (0.0, 1.0)
    assert interval(0.25, 0.1, deals, bounds=(-1.0, 1.0)) == (-1.0, 1.0)
    assert interval(0.25, 0.1, deals, bounds=None) == (-math.inf, math.inf)
    assert p_value(0.9, 0.1, deals) == 1.0
    assert math.isfinite(half_width(0.1, FIRST_VALID))


def test_an_unknown_deviation_claims_nothing() -> None:
    for sd in (math.nan, math.inf):
        assert half_width(sd, 1000) == math.inf
        assert interval(math.nan, sd, 1000) == (0.0, 1.0)
        assert p_value(0.3, sd, 1000) == 1.0


@pytest.mark.parametrize("deals", [FIRST_VALID, 1000, 10**5])
def test_deals_that_were_all_alike_prove_somewhat_less_than_the_rule_of_three(deals: int) -> None:
    """For one look the rule of three is right; for all looks it takes more."""
    assert 7 / deals < half_width(0.0, deals) < 9 / deals
    assert half_width(0.0, deals, reach=2.0) == pytest.approx(2 * half_width(0.0, deals))
    low, high = interval(0.0, 0.0, deals)
    assert low == 0.0
    assert high > stats.beta.isf(0.05, 1, deals), "Clopper and Pearson's bound for none of them"
    assert p_value(0.0, 0.0, deals) == 1.0


def test_deals_that_were_all_alike_prove_nothing_where_an_unseen_one_has_no_bound() -> None:
    assert half_width(0.0, 1000, reach=None) == math.inf
    assert interval(7.0, 0.0, 1000, bounds=None, reach=None) == (-math.inf, math.inf)
    assert p_value(7.0, 0.0, 1000, reach=None) == 1.0


@pytest.mark.parametrize("deals", looks(10**5, FIRST_VALID))
def test_a_difference_that_was_always_the_same_is_not_believed_too_soon(deals: int) -> None:
    """Were the mean 0, deals unlike it would have a chance of at least mean / (1 + mean).

    Below 1 in 100,000 the limit theorem says nothing.
    """
    for mean in np.geomspace(1e-4, 1.0, 200):
        all_alike = (1 + mean) ** -float(deals)
        assert p_value(mean, 0.0, deals) > all_alike or all_alike < 1e-5


def test_an_interval_stays_within_its_bounds() -> None:
    half = half_width(0.4, 1000)
    assert interval(0.5, 0.4, 1000) == pytest.approx((0.5 - half, 0.5 + half))
    assert interval(0.01, 0.4, 1000) == pytest.approx((0.0, 0.01 + half))
    assert interval(0.99, 0.4, 1000) == pytest.approx((0.99 - half, 1.0))
    assert interval(0.01, 0.4, 1000, bounds=(-1, 1)) == pytest.approx((0.01 - half, 0.01 + half))
    assert interval(31.5, 0.4, 1000, bounds=None) == pytest.approx((31.5 - half, 31.5 + half))
    assert interval(0.5, 0.4, 1000, 0.01)[0] < interval(0.5, 0.4, 1000, 0.05)[0]


# --- Time to go -----------------------------------------------------------------------------


@pytest.mark.parametrize("sd", [0.0, 0.05, 0.4, 12.0])
@pytest.mark.parametrize("precision", [0.3, 0.02, 0.005, 0.0005])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_the_wanted_precision_comes_with_that_deal_and_not_before(
    sd: float, precision: float, alpha: float
) -> None:
    deals = deals_for(precision, sd, alpha)
    assert half_width(sd, deals, alpha) <= precision
    assert deals == FIRST_VALID or half_width(sd, deals - 1, alpha) > precision


def test_known_times_to_go() -> None:
    """Half a point of a percent for a seat of four, played in four independent seatings."""
    assert deals_for(0.005, math.sqrt(0.1875 / 4)) == 18_329
    assert deals_for(0.001, math.sqrt(0.1875 / 4)) == 603_413
    assert deals_for(10.0, 0.4) == FIRST_VALID


@pytest.mark.parametrize(
    ("precision", "sd", "reach"),
    [
        (0.0, 0.4, 1.0),
        (-1.0, 0.4, 1.0),
        (math.nan, 0.4, 1.0),
        (0.1, math.nan, 1.0),
        (0.1, math.inf, 1.0),
        (0.1, 0.0, None),
    ],
)
def test_some_precisions_never_come(precision: float, sd: float, reach: float | None) -> None:
    with pytest.raises(ValueError, match="no number of deals"):
        deals_for(precision, sd, reach=reach)


# --- Error over all looks, exactly ----------------------------------------------------------

LONGEST = 100_000
half_widths = np.frompyfunc(half_width, 4, 1)
p_values = np.frompyfunc(p_value, 4, 1)


def deviation_of(wins: Floats, deals: int) -> Floats:
    return np.sqrt(wins * (deals - wins) / (deals * (deals - 1.0)))


def chance_to_miss(p: float, alpha: float, reach: float | None = 1.0) -> float:
    """Chance that a sequence for a share misses it at any look, from the binomial itself.

    Carries the chances of all numbers of wins from look to look, without those that missed.
    """
    lost, before, least = 0.0, 0, 0
    chances = np.ones(1)
    for deals in looks(LONGEST):
        more = deals - before
        start = int(stats.binom.ppf(1e-13, more, p))
        new = np.arange(start, int(stats.binom.isf(1e-13, more, p)) + 2)
        chances = np.convolve(chances, stats.binom.pmf(new, more, p))
        before, least = deals, least + start
        wins = least + np.arange(len(chances), dtype=float)
        half = half_widths(deviation_of(wins, deals), deals, alpha, reach).astype(float)
        missed = np.abs(wins / deals - p) > half
        lost += float(chances[missed].sum())
        chances[missed] = 0.0
        kept = np.flatnonzero(chances > 1e-16)
        chances, least = chances[kept[0] : kept[-1] + 1], least + int(kept[0])
    return lost


RARE_TO_EVEN = (0.0001, 0.0005, 0.001, 0.002, 0.005, 0.007, 0.01, 0.02, 0.05, 0.1)


@pytest.mark.parametrize("p", [*RARE_TO_EVEN, 0.25, 0.5])
def test_a_95_percent_sequence_misses_a_share_in_3_percent_of_studies_at_most(p: float) -> None:
    assert chance_to_miss(p, 0.05) < 0.03


@pytest.mark.parametrize("p", RARE_TO_EVEN)
def test_a_99_percent_sequence_misses_a_share_in_1_percent_of_studies_at_most(p: float) -> None:
    assert chance_to_miss(p, 0.01) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("p", RARE_TO_EVEN)
def test_a_99_9_percent_sequence_misses_a_share_in_two_of_1000_studies_at_most(p: float) -> None:
    assert chance_to_miss(p, 0.001) < 0.002


def test_without_unseen_deals_rare_shares_would_be_missed_too_often() -> None:
    found = [chance_to_miss(p, 0.05, None) for p in (0.001, 0.003, 0.005)]
    assert min(found) > 0.08
    assert chance_to_miss(0.25, 0.05, None) < 0.03


# --- Error over all looks, by simulation ----------------------------------------------------


class Kind(NamedTuple):
    """A study of independent deals: the values that a deal can have, and their chances."""

    values: Floats
    chances: Floats
    reach: float | None = 1.0

    @property
    def mean(self) -> float:
        return float(self.values @ self.chances)


def kind(values: object, chances: object, reach: float | None = 1.0) -> Kind:
    weights = np.asarray(chances, dtype=float)
    return Kind(np.asarray(values, dtype=float), weights / weights.sum(), reach)


def share(p: float) -> Kind:
    return kind([0, 1], [1 - p, p])


def seatings(p: float, correlation: float) -> Kind:
    """Means of four games of which those in one deal agree (beta-binomial)."""
    weight, won = 1 / correlation - 1, np.arange(5)
    return kind(won / 4, stats.betabinom.pmf(won, 4, p * weight, (1 - p) * weight))


OPPOSED = kind([0, 0.25, 0.5], [0.02, 0.96, 0.02])
"""Most deals are won by the policy in one of their four games."""

EVEN = kind([-1, -0.5, -0.25, 0, 0.25, 0.5, 1], [0.005, 0.01, 0.03, 0.91, 0.03, 0.01, 0.005])
SELDOM = kind([-1, 0, 1], [0.0005, 0.999, 0.0005])
SKEWED = kind([-0.25, 0, 1], [0.02, 0.975, 0.005])
LOPSIDED = kind([-1, 0.02 / 0.98], [0.02, 0.98])

NULLS: dict[str, Kind] = {
    "share 0.25": share(0.25),
    "share 0.02": share(0.02),
    "share 0.005": share(0.005),
    "seatings 0.25, agreeing": seatings(0.25, 0.3),
    "seatings 0.25, nearly alike": seatings(0.25, 0.9),
    "seatings 0.25, opposed": OPPOSED,
    "seatings 0.02": seatings(0.02, 0.3),
    "seatings 0.005": seatings(0.005, 0.3),
    "differences": EVEN,
    "differences, seldom any": SELDOM,
    "differences, skewed": SKEWED,
    "differences, lopsided": LOPSIDED,
    "near-certain differences": kind([-1, 1], [0.005, 0.995], reach=2.0),
    "points": kind(np.arange(30), 0.7 ** np.arange(30), None),
    "rare bonus": kind([0, 10], [0.97, 0.03], None),
    "rare bonus over small change": kind([0, 0.01, 10], [0.48875, 0.48875, 0.0225], None),
}
STUDIES = 4000
NOISE = 5 * math.sqrt(0.05 * 0.95 / STUDIES)
"""Five standard errors of a rate of 5 % over so many studies."""

LOOKS = looks(LONGEST)


@cache
def studies(name: str) -> tuple[Floats, Floats]:
    """Means and deviations of many studies of one kind (rows) at all looks (columns)."""
    of, rng = NULLS[name], np.random.default_rng([31, list(NULLS).index(name)])
    counts = np.zeros((STUDIES, len(of.values)), np.int64)
    means, deviations, before = [], [], 0
    for deals in LOOKS:
        counts = counts + rng.multinomial(deals - before, of.chances, STUDIES)
        before = deals
        mean = counts @ of.values / deals
        squares = (counts @ of.values**2 - deals * mean**2) / (deals - 1)
        means.append(mean)
        deviations.append(np.sqrt(np.maximum(squares, 0.0)))
    return np.array(means).T, np.array(deviations).T


@cache
def missed(name: str) -> npt.NDArray[np.bool_]:
    """Whether the interval of each study misses the mean at each look."""
    means, deviations = studies(name)
    half = half_widths(deviations, np.array(LOOKS, dtype=object), 0.05, NULLS[name].reach)
    return np.asarray(np.abs(means - NULLS[name].mean) > half.astype(float))


@pytest.mark.parametrize("name", NULLS)
def test_at_all_looks_together_fewer_than_5_percent_of_studies_miss(name: str) -> None:
    assert missed(name).any(axis=1).mean() < 0.05


@pytest.mark.parametrize("name", ["share 0.25", "seatings 0.25, agreeing", "differences"])
def test_an_interval_for_one_look_would_miss_in_a_third_of_studies(name: str) -> None:
    """What the sequences are for."""
    means, deviations = studies(name)
    plain = 1.96 * deviations / np.sqrt(LOOKS)
    late = np.array(LOOKS) >= FIRST_VALID
    wrong = (np.abs(means - NULLS[name].mean) > plain)[:, late].any(axis=1)
    assert wrong.mean() > 1 / 3


@pytest.mark.parametrize("name", NULLS)
@pytest.mark.parametrize("many", [600, 5000, 50_000])
def test_where_a_study_stops_for_precision_its_interval_holds(name: str, many: int) -> None:
    """It stops at the first look that is precise enough, some time around so many deals."""
    of = NULLS[name]
    deviation = math.sqrt(float(of.values**2 @ of.chances) - of.mean**2)
    wanted = half_width(deviation, many, 0.05, of.reach)
    half = half_widths(studies(name)[1], np.array(LOOKS, dtype=object), 0.05, of.reach)
    enough = half.astype(float) <= wanted
    stopped = enough.any(axis=1)
    assert stopped.mean() > 0.99
    at = enough.argmax(axis=1)[stopped]
    assert missed(name)[stopped, at].mean() < 0.05


@pytest.mark.parametrize("name", ["differences", "differences, seldom any", "differences, skewed"])
def test_p_values_hold_for_whoever_stops_at_the_smallest(name: str) -> None:
    assert NULLS[name].mean == pytest.approx(0.0, abs=1e-12)
    means, deviations = studies(name)
    found = p_values(means, deviations, np.array(LOOKS, dtype=object), 1.0).astype(float)
    smallest = found.min(axis=1)
    for alpha in (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.9):
        noise = 5 * math.sqrt(alpha * (1 - alpha) / STUDIES)
        assert (smallest <= alpha).mean() <= alpha + noise, alpha
    assert (smallest <= 0.05).mean() < 0.05


def test_a_true_difference_is_found() -> None:
    """One in a hundred, with a deviation of 0.2: seen at 20,000 deals nearly always."""
    rng = np.random.default_rng(32)
    means = rng.normal(0.01, 0.2 / math.sqrt(20_000), STUDIES)
    found = p_values(means, 0.2, 20_000, 1.0).astype(float)
    assert (found <= 0.05).mean() > 0.99

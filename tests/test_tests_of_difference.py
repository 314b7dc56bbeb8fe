"""Tests of a difference: equal to the libraries', and wrong as seldom as they say."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import DescrStatsW

from simlab.experiments import sequences
from simlab.experiments.tests_of_difference import (
    best_set,
    deals_to_see,
    equivalent,
    gain,
    holm,
    p_value,
)

Floats = npt.NDArray[np.float64]
p_values = np.frompyfunc(p_value, 3, 1)
equivalents = np.frompyfunc(equivalent, 4, 1)


def noise(rate: float, studies: int) -> float:
    """Five standard errors of a rate that is counted over so many studies."""
    return 5 * math.sqrt(rate * (1 - rate) / studies)


def differences(deals: int, mean: float, seed: int) -> Floats:
    """Differences of win shares: 0 in most deals, else a quarter to a whole win either way."""
    rng = np.random.default_rng([41, deals, seed])
    steps = rng.choice(
        [-1, -0.5, -0.25, 0, 0.25, 0.5, 1], deals, p=[0.05, 0.1, 0.1, 0.5, 0.1, 0.1, 0.05]
    )
    return np.asarray(steps + mean)


def mean_and_error(values: Floats) -> tuple[float, float, int]:
    return float(values.mean()), float(stats.sem(values)), len(values)


# --- Two-sided t ----------------------------------------------------------------------------


@pytest.mark.parametrize("deals", [2, 3, 20, 1000, 10**6])
@pytest.mark.parametrize("mean", [0.001, -0.05, 0.4])
def test_a_difference_has_student_s_p_value(deals: int, mean: float) -> None:
    values = np.append(differences(deals, mean, 1)[:-1], 0.37)
    theirs = stats.ttest_1samp(values, 0.0).pvalue
    assert p_value(*mean_and_error(values)) == pytest.approx(theirs, rel=1e-9)


def test_better_by_any_amount_is_as_sure_as_worse_by_it() -> None:
    assert p_value(0.3, 0.1, 50) == p_value(-0.3, 0.1, 50)
    assert p_value(0.3, 0.1, 50) == pytest.approx(p_value(30.0, 10.0, 50)), "whatever the unit"
    assert p_value(1.96, 1.0, 10**9) == pytest.approx(0.05, abs=1e-4)


def test_no_difference_and_one_deal_prove_nothing() -> None:
    assert p_value(0.0, 0.0, 1000) == 1.0
    assert p_value(0.0, 0.1, 1000) == 1.0
    for deals in (0, 1):
        assert p_value(0.5, math.nan, deals) == 1.0


@pytest.mark.parametrize("deals", [2, 5, 20])
def test_deals_that_all_differ_alike_have_the_sign_test_s_p_value(deals: int) -> None:
    assert p_value(0.25, 0.0, deals) == stats.binomtest(deals, deals).pvalue
    assert p_value(0.25, 0.0, 10_000) == 0.0


@pytest.mark.parametrize("deals", [50, 500])
def test_false_alarms_are_as_rare_as_stated(deals: int) -> None:
    studies = 4000
    values = differences(deals * studies, 0.0, 2).reshape(studies, deals)
    found = p_values(values.mean(axis=1), stats.sem(values, axis=1), deals).astype(float)
    for alpha in (0.01, 0.05, 0.2, 0.5):
        assert (found <= alpha).mean() == pytest.approx(alpha, abs=noise(alpha, studies))


# --- Holm -----------------------------------------------------------------------------------


@pytest.mark.parametrize("comparisons", [1, 2, 3, 20, 190])
@pytest.mark.parametrize("seed", range(5))
def test_holm_agrees_with_statsmodels(comparisons: int, seed: int) -> None:
    rng = np.random.default_rng([42, comparisons, seed])
    found = list(rng.random(comparisons) ** rng.integers(1, 9))
    assert holm(found) == pytest.approx(multipletests(found, method="holm")[1], rel=1e-12)
    rounded = [round(p, 1) for p in found]  # ties, noughts and ones
    assert holm(rounded) == pytest.approx(multipletests(rounded, method="holm")[1], rel=1e-12)


def test_holm_by_hand() -> None:
    assert holm([]) == []
    assert holm([0.03]) == [0.03]
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8, 0.001]) == pytest.approx([1.0, 1.0, 0.003])
    assert holm((0.02, 0.02)) == pytest.approx([0.04, 0.04])


def test_holm_never_makes_a_p_value_smaller_nor_changes_their_order() -> None:
    found = list(np.random.default_rng(43).random(50) ** 3)
    adjusted = holm(found)
    assert all(after >= before for before, after in zip(found, adjusted, strict=True))
    order = np.argsort(found)
    assert all(later >= sooner for sooner, later in pairwise(np.array(adjusted)[order]))
    assert max(adjusted) <= 1.0


@pytest.mark.parametrize("shared", [0.0, 0.5, 0.95])
@pytest.mark.parametrize("true", [0, 5, 18])
def test_holm_makes_a_false_claim_in_5_percent_of_tables_at_most(shared: float, true: int) -> None:
    """20 comparisons that have luck in common, some of them of a true difference."""
    tables, comparisons, deals = 2000, 20, 200
    rng = np.random.default_rng([44, true])
    common = rng.standard_normal((tables, 1)) * math.sqrt(shared)
    z = common + rng.standard_normal((tables, comparisons)) * math.sqrt(1 - shared)
    error = np.sqrt(rng.chisquare(deals - 1, (tables, comparisons)) / (deals - 1))
    z[:, :true] += 5.0
    found = p_values(z, error, deals).astype(float)
    false = [min(holm(list(row))[true:]) <= 0.05 for row in found]
    assert np.mean(false) <= 0.05 + noise(0.05, tables)


# --- Equivalence ----------------------------------------------------------------------------


@pytest.mark.parametrize("deals", [2, 20, 1000])
@pytest.mark.parametrize("mean", [0.0, 0.02, -0.11])
@pytest.mark.parametrize("margin", [0.01, 0.1, 0.5])
def test_equivalence_agrees_with_statsmodels(deals: int, mean: float, margin: float) -> None:
    values = np.append(differences(deals, mean, 3)[:-1], 0.37)
    theirs = DescrStatsW(values).ttost_mean(-margin, margin)[0]
    assert equivalent(*mean_and_error(values), margin) == pytest.approx(theirs, rel=1e-9)


def test_equivalence_at_its_ends() -> None:
    assert equivalent(0.1, 0.02, 50, 0.1) == pytest.approx(0.5), "just at the margin"
    assert equivalent(-0.1, 0.02, 50, 0.1) == pytest.approx(0.5)
    assert equivalent(0.3, 0.02, 50, 0.1) > 0.999
    assert equivalent(0.0, math.nan, 1, 0.1) == 1.0
    assert equivalent(0.05, 0.02, 50, 0.1) == equivalent(-0.05, 0.02, 50, 0.1)
    wider = [equivalent(0.01, 0.02, 50, margin) for margin in (0.02, 0.05, 0.1, 0.2)]
    assert all(later < sooner for sooner, later in pairwise(wider))


def test_deals_that_were_all_alike_are_equivalent_only_when_they_are_many() -> None:
    """A hundred deals without a difference: one of 1 in 100 deals could well be unseen."""
    assert equivalent(0.0, 0.0, 100, 0.01) == pytest.approx(0.99**100)
    assert equivalent(0.0, 0.0, 298, 0.01) > 0.05 > equivalent(0.0, 0.0, 299, 0.01)
    assert equivalent(0.004, 0.0, 100, 0.01) == pytest.approx(0.994**100)
    assert equivalent(0.0, 0.0, 100, 0.01, reach=2.0) == pytest.approx(0.995**100)
    assert equivalent(0.02, 0.0, 100, 0.01) == 1.0
    assert equivalent(0.0, 0.0, 100, 1.5) == 0.0, "no difference of shares is that large"
    assert equivalent(0.0, 0.0, 100, 0.01, reach=None) == 1.0


@pytest.mark.parametrize("margin", [0.0, -0.1, math.nan])
def test_a_margin_is_more_than_0(margin: float) -> None:
    with pytest.raises(ValueError, match="a margin is more than 0"):
        equivalent(0.0, 0.1, 100, margin)


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(("deals", "margin"), [(300, 0.1), (2000, 0.04)])
def test_what_differs_by_the_margin_passes_for_equal_in_5_percent_of_studies(
    side: int, deals: int, margin: float
) -> None:
    studies = 2000
    values = differences(deals * studies, side * margin, 4).reshape(studies, deals)
    means, errors = values.mean(axis=1), stats.sem(values, axis=1)
    found = equivalents(means, errors, deals, margin).astype(float)
    assert (found <= 0.05).mean() == pytest.approx(0.05, abs=noise(0.05, studies))
    beyond = equivalents(means + side * margin / 2, errors, deals, margin).astype(float)
    assert (beyond <= 0.05).mean() < 0.01


# --- How many deals -------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("effect", [0.01, 0.05, 0.2, 0.5])
def test_deals_to_see_a_difference_are_those_of_the_exact_power(
    effect: float, power: float, alpha: float
) -> None:
    """The right way round: a small difference may also come out as its opposite."""
    exact = TTestPower().solve_power(effect, None, alpha / 2, power, alternative="larger")
    assert abs(deals_to_see(effect * 0.4, 0.4, alpha, power) - math.ceil(float(exact))) <= 1


def test_known_deals_to_see() -> None:
    """The textbook's 34 pairs for half a deviation; a point of a percent at a deviation of 0.4."""
    assert deals_to_see(0.5, 1.0) == 34
    assert deals_to_see(0.01, 0.4) == 12_561
    assert deals_to_see(-0.01, 0.4) == 12_561
    assert deals_to_see(0.5, 0.0) == 2
    assert deals_to_see(0.005, 0.4) == pytest.approx(4 * 12_561, rel=1e-3)


def test_no_number_of_deals_shows_a_difference_of_0() -> None:
    with pytest.raises(ValueError, match="a difference of 0"):
        deals_to_see(0.0, 0.4)


def test_gain_is_the_factor_of_deals_saved() -> None:
    assert gain(0.2, 0.25) == pytest.approx(1.25)
    assert gain(0.25, 0.2) == pytest.approx(0.8)
    assert gain(0.0, 0.2) == math.inf
    assert gain(0.0, 0.0) == 1.0
    rng = np.random.default_rng(45)
    luck = rng.standard_normal(20_000)
    one, other = (luck + rng.standard_normal(20_000) for _ in range(2))
    saved = gain(float((one - other).var()), float(one.var() + other.var()))
    assert saved == pytest.approx(2.0, abs=0.1), "half of what varies is common"


# --- Which are best -------------------------------------------------------------------------


def best_of(table: npt.NDArray[np.int64]) -> list[int]:
    """The best set of a table of deals (rows) and policies, from its exact sums."""
    return best_set(table.sum(axis=0), table.T @ table, len(table))


def shares(tables: int, deals: int, strengths: list[float], seed: int) -> npt.NDArray[np.int64]:
    """Wins in sixtieths, shape (tables, deals, policies): who wins is drawn by strength."""
    rng = np.random.default_rng([46, seed])
    winners = rng.choice(len(strengths), (tables, deals), p=np.array(strengths) / sum(strengths))
    return 60 * np.eye(len(strengths), dtype=np.int64)[winners]


@pytest.mark.parametrize("seed", range(5))
def test_the_best_set_is_what_paired_tests_and_holm_leave(seed: int) -> None:
    rng = np.random.default_rng([47, seed])
    table = rng.integers(0, 61, (200, 6)) + rng.integers(0, 200, (200, 1)) + np.arange(6) * 2
    best = int(table.sum(axis=0).argmax())
    others = [who for who in range(6) if who != best]
    found = [stats.ttest_rel(table[:, who], table[:, best]).pvalue for who in others]
    worse = multipletests(found, 0.05, "holm")[0]
    expected = sorted([best] + [who for who, out in zip(others, worse, strict=True) if not out])
    assert best_of(table) == expected
    assert len(expected) < 6


def test_pairing_tells_what_the_bare_sums_could_not() -> None:
    """All met the same luck, far larger than what parts them."""
    rng = np.random.default_rng(48)
    luck = rng.integers(0, 10_000, (100, 1))
    table = luck + np.array([5, 0, 4]) + rng.integers(0, 3, (100, 3))
    assert stats.ttest_ind(table[:, 0], table[:, 1]).pvalue > 0.5
    assert best_of(table) == [0]


def test_equals_are_all_best() -> None:
    same = np.tile(np.array([[10], [30], [20]]), (40, 3))
    assert best_of(same) == [0, 1, 2]
    assert best_of(same[:, :1]) == [0], "alone at the top"
    always_behind = same - np.array([0, 1, 0])
    assert best_of(always_behind) == [0, 2], "by the same amount in each of 120 deals"
    assert best_of(always_behind[:5]) == [0, 1, 2], "five deals in a row are not enough"


@pytest.mark.parametrize("deals", [0, 1])
def test_fewer_than_two_deals_tell_nobody_from_the_best(deals: int) -> None:
    assert best_of(np.array([[60, 0, 0]])[:deals]) == [0, 1, 2]


def test_sums_may_outgrow_64_bits() -> None:
    table = shares(1, 500, [3, 2, 1], 1)[0]
    sums, products, many = table.sum(axis=0), table.T @ table, 10**20
    small = best_set(sums, products, 500)
    assert best_set(sums.astype(object) * many, products.astype(object) * many**2, 500) == small
    assert small == [0]


def test_sums_may_come_as_lists() -> None:
    table = shares(1, 500, [3, 2.8, 1], 6)[0]
    sums, products = table.sum(axis=0), table.T @ table
    assert best_set(sums.tolist(), products.tolist(), 500) == best_of(table) == [0, 1]


def test_a_study_that_stopped_by_itself_has_a_best_set_too() -> None:
    """With the always-valid p-value in place of Student's, which makes it larger."""

    def always(mean: float, error: float, deals: int) -> float:
        return sequences.p_value(mean / 60, error / 60 * math.sqrt(deals), deals)

    table = shares(1, 2000, [3, 2.6, 1], 7)[0]
    sums, products = table.sum(axis=0), table.T @ table
    assert best_set(sums, products, 2000) == [0]
    assert best_set(sums, products, 2000, test=always) == [0, 1]
    assert best_set(sums, products, 1, test=always) == [0, 1, 2]


def test_a_stricter_set_is_larger() -> None:
    table = shares(1, 300, [5, 4.5, 4, 3.5, 3], 2)[0]
    sums, products = table.sum(axis=0), table.T @ table
    sets = [set(best_set(sums, products, 300, alpha)) for alpha in (1e-9, 0.001, 0.05, 0.5)]
    assert all(wide >= narrow for wide, narrow in pairwise(sets))
    assert len(sets[0]) > len(sets[-1])


@pytest.mark.parametrize(
    "strengths",
    [[1, 1], [1, 1, 1, 1], [1] * 10, [1, 1, 0.3, 0.3], [1.1, 1, 1, 1, 0.2]],
    ids=str,
)
def test_the_best_policy_is_left_out_of_5_percent_of_tables_at_most(strengths: list[float]) -> None:
    """Policy 0 is best, alone or with others; 2.5 % is what one expects of two equals."""
    tables = shares(1500, 300, strengths, 3)
    left_out = np.mean([0 not in best_of(table) for table in tables])
    assert left_out <= 0.025 + noise(0.025, 1500)


def test_among_many_equals_some_one_is_left_out_more_often() -> None:
    """What the best set does not promise."""
    tables = shares(1500, 300, [1] * 10, 4)
    someone = np.mean([len(best_of(table)) < 10 for table in tables])
    assert someone == pytest.approx(0.14, abs=noise(0.14, 1500))


def test_those_clearly_behind_are_left_out() -> None:
    tables = shares(300, 1000, [1.0, 0.95, 0.5, 0.3], 5)
    found = [best_of(table) for table in tables]
    assert all(2 not in left and 3 not in left for left in found)
    assert np.mean([0 in left for left in found]) > 0.97

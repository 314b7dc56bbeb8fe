"""Who is better, and by how much it takes to tell: tests on strategies that met the same deals.

What is tested is the difference within a deal, so luck that both had cancels. All of this is
for a number of deals that was fixed beforehand; for a study that stopped when it was precise
enough, these p-values are void, and `sequences.p_value` takes their place (`holm` takes both).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from scipy import special

if TYPE_CHECKING:
    import numpy.typing as npt


def p_value(mean: float, error: float, deals: int) -> float:
    """Two-sided p-value that the true difference is 0: Student's t over deals.

    Deals that all differ by the same amount have no error; then it is the chance that fair
    coins would have given them all the same sign, ``2 * 0.5**deals`` (sign test).

    Parameters
    ----------
    mean, error : float
        Mean over deals of the difference within a deal, and its standard error.
    deals : int

    Returns
    -------
    float
        1 for fewer than two deals.

    References
    ----------
    Student, "The probable error of a mean" (Biometrika 6, 1908).
    """
    if deals < 2 or mean == 0.0:
        return 1.0
    if error == 0.0:
        return 2.0 * 0.5**deals
    return 2.0 * float(special.stdtr(deals - 1, -abs(mean / error)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values for all comparisons of one table, in the order given.

    Those at most ``alpha`` may be called different, with at most ``alpha`` chance of a single
    false one among them, however the comparisons hang together.

    References
    ----------
    S. Holm, "A simple sequentially rejective multiple test procedure" (Scandinavian Journal of
    Statistics 6, 1979).
    """
    adjusted = [1.0] * len(p_values)
    largest = 0.0
    for done, which in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - done) * p_values[which]))
        adjusted[which] = largest
    return adjusted


def equivalent(
    mean: float, error: float, deals: int, margin: float, reach: float | None = 1.0
) -> float:
    """P-value that the true difference is ``margin`` or more, either way (two one-sided tests).

    When it is small, the two are the same for all purposes: a difference that is merely not
    significant does not say that.

    Parameters
    ----------
    mean, error : float
        Mean over deals of the difference within a deal, and its standard error.
    deals : int
    margin : float
        The least difference that matters, more than 0.
    reach : float or None
        When no error was seen: the farthest that an unseen deal may lie from those seen. The
        p-value is then the chance that none of its kind came up, were they just frequent
        enough to make a difference of ``margin``. None for no bound: nothing is proved.

    Returns
    -------
    float
        1 for fewer than two deals.

    Raises
    ------
    ValueError
        When the margin is not more than 0.

    References
    ----------
    D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach"
    (Journal of Pharmacokinetics and Biopharmaceutics 15, 1987).
    """
    if not margin > 0.0:
        raise ValueError(f"a margin is more than 0, got {margin}")
    room = margin - abs(mean)
    if deals < 2:
        return 1.0
    if error == 0.0:
        unseen = 0.0 if reach is None else min(max(room / reach, 0.0), 1.0)
        return (1.0 - unseen) ** deals
    return float(special.stdtr(deals - 1, -room / error))


def deals_to_see(difference: float, sd: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Deals it takes to tell a true difference from 0, rounded up.

    Parameters
    ----------
    difference : float
        The true mean difference within a deal.
    sd : float
        Standard deviation over deals of that difference.
    alpha : float
        Chance of a false alarm, two-sided.
    power : float
        Chance to see the difference, the right way round.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        When the difference is 0: no number of deals shows it.

    References
    ----------
    W. C. Guenther, "Sample size formulas for normal theory t tests" (The American Statistician
    35, 1981): the normal formula and half the square of the critical value, right to a deal.
    """
    if difference == 0.0:
        raise ValueError("no number of deals shows a difference of 0")
    critical = -float(special.ndtri(alpha / 2.0))
    both = critical + float(special.ndtri(power))
    return max(2, math.ceil((both * sd / difference) ** 2 + critical**2 / 2.0))


def gain(variance_paired: float, variance_independent: float) -> float:
    """How many times the deals it would take without common luck.

    Parameters
    ----------
    variance_paired : float
        Variance over deals of the difference when both meet the same deals.
    variance_independent : float
        The sum of the two variances, as for deals of their own.

    Returns
    -------
    float
        Under 1 where pairing costs; 1 where nothing varies; infinite where pairing removes all.
    """
    if variance_paired == variance_independent:
        return 1.0
    return math.inf if variance_paired == 0.0 else variance_independent / variance_paired


def best_set(
    sums: Sequence[int] | npt.NDArray[Any],
    products: Sequence[Sequence[int]] | npt.NDArray[Any],
    deals: int,
    alpha: float = 0.05,
    test: Callable[[float, float, int], float] = p_value,
) -> list[int]:
    """Policies that the data cannot tell from the best one.

    Each is compared with the one that has the highest sum, paired by deal, corrected by `holm`.
    The truly best one is left out of at most ``alpha`` of tables (2.5 % measured at 5 %). Among
    several that are equally good, any one may be the unlucky one: with two there is one left
    out in 5 % of tables, with five in 9 %, with ten in 14 %.

    Parameters
    ----------
    sums : whole numbers, shape (policies,)
        Sum over deals of each policy's result ``D_i`` in a deal.
    products : whole numbers, shape (policies, policies)
        Sum over deals of ``D_i * D_j``.
    deals : int
    alpha : float
    test : function of mean, error and deals
        The p-value of one difference, in the unit of ``D_i``; another one than `p_value` where
        the number of deals was not fixed beforehand.

    Returns
    -------
    list of int
        Ascending places in ``sums``; all of them for fewer than two deals.
    """
    policies = range(len(sums))
    best = max(policies, key=lambda who: int(sums[who]))
    others = [who for who in policies if who != best]
    found = [test(*_difference(sums, products, deals, who, best), deals) for who in others]
    worse = {who for who, p in zip(others, holm(found), strict=True) if p <= alpha}
    return [who for who in policies if who not in worse]


def _difference(
    sums: Sequence[int] | npt.NDArray[Any],
    products: Sequence[Sequence[int]] | npt.NDArray[Any],
    deals: int,
    one: int,
    other: int,
) -> tuple[float, float]:
    """Mean and error; Python integers to the last, as sums of many deals outgrow 64 bits."""
    if deals < 2:
        return math.nan, math.nan
    total = int(sums[one]) - int(sums[other])
    both = int(products[one][other])
    squares = int(products[one][one]) - 2 * both + int(products[other][other])
    spread = deals * squares - total * total  # deals**2 times the variance of the difference
    return total / deals, math.sqrt(spread / (deals - 1)) / deals

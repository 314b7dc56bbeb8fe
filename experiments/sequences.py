"""How sure a number is while the games still run: intervals that hold however often one looks.

A 95 % interval for a fixed number of deals misses the truth in 5 % of studies; who looks at it
again and again, and stops when he likes what he sees, is wrong far more often. These intervals
and p-values are wider, and hold at all looks together, hence wherever one stops.

``sd`` is always the standard deviation of one *deal's* mean, ``error * sqrt(deals)`` of an
`intervals.Estimate` (its own ``sd`` is that of a single value).

References
----------
I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, "Time-uniform central limit
theory and asymptotic confidence sequences" (Annals of Statistics 52, 2024). H. Robbins,
"Statistical methods related to the law of the iterated logarithm" (Annals of Mathematical
Statistics 41, 1970).
"""

from __future__ import annotations

import math

DOUBLING = 1024
"""One looks at twice as many deals up to here, then at every tenth part more."""

TUNED_FOR = 5_000
"""Deals at which the sequence is at its narrowest.

From 1,000 to 100,000 deals it is at most 11 % wider than the narrowest there could be for that
number of deals, and at 1,000,000 it is 20 % wider.
"""

FIRST_VALID = 512
"""Deals before which nothing is claimed: the central limit theorem needs some.

What decides is values of no known ``reach``. Where one deal in 50 is worth much and all others
nearly the same, a 95 % sequence misses the mean at some look up to 100,000 deals in 11 % of
studies when the first look is at 128 deals, in 4.7 % (one in 44: 5.6 %) when it is at 256, and
in 4.3 % when it is at 512. Shares would hold from 64 deals on.
"""

UNSEEN = 5
"""Deals that are reckoned with though not one of them was seen, each ``reach`` off the mean.

When something rare has not yet come up often, mean and deviation are both too small. With the
bare deviation over deals, 7 to 11 % of the 95 % sequences for shares of 1 % and less miss, and
a later first look helps only the least rare. 3 unseen deals bring that under 4 %; 5 bring it
under 3 %, and 99 % sequences under 1 %. They widen the interval by half a percent at 10,000
deals of four seatings.
"""

_DOUBT = -2.0 * math.log(0.05)
_RHO_SQUARED = (_DOUBT + math.log(_DOUBT + 1.0)) / TUNED_FOR
"""Variance of the mixture over the mean in deviations, narrowest at `TUNED_FOR` for 5 %.

The same for every error, so that intervals and p-values agree.
"""


def looks(most: int, first: int = 64) -> list[int]:
    """Numbers of deals at which a running study is looked at, the last one being all of them.

    They depend on nothing that differs from run to run, so a study stops at the same deal
    however many workers play it; a longer study has a shorter one's looks, but for its last.

    Parameters
    ----------
    most : int
        Deals at which the study ends if nothing ends it before.
    first : int

    Returns
    -------
    list of int
        Strictly increasing: 64, 128, 256, 512, 1024, then 10 % more each time.

    Raises
    ------
    ValueError
        When either is less than 1.
    """
    if most < 1 or first < 1:
        raise ValueError(f"a look takes at least 1 deal, got most={most}, first={first}")
    found = []
    deals = first
    while deals < most:
        found.append(deals)
        deals += deals if deals < DOUBLING else deals // 10
    return [*found, most]


def half_width(sd: float, deals: int, alpha: float = 0.05, reach: float | None = 1.0) -> float:
    """Half the width of the confidence sequence after so many deals.

    Robbins' normal mixture with the running deviation (Waudby-Smith et al.), to whose square
    ``UNSEEN * reach**2 / deals`` is added. That part vanishes, so the theorem holds as before;
    and deals that were all alike leave ``7.5 * reach / deals`` at 1,000 deals, where the rule of
    three for a fixed number of deals leaves ``3 / deals``.

    Parameters
    ----------
    sd : float
        Standard deviation of a deal's mean.
    deals : int
    alpha : float
        Chance to miss the true mean at any look at all.
    reach : float or None
        The farthest that a rare deal's mean may lie from the true one: 1 for shares and for
        differences of shares (2 where the mean difference is near 1 or -1). None for what has
        no bound: then nothing unseen is reckoned with, deals that were all alike prove nothing,
        and what hangs on less than one deal in 50 misses more often than ``alpha``.

    Returns
    -------
    float
        Infinite before `FIRST_VALID` deals, and where nothing is known of the deviation.
    """
    spread = _spread(sd, deals, reach)
    if spread == 0.0:
        return math.inf
    clock = deals * _RHO_SQUARED
    doubt = math.log(math.sqrt(clock + 1.0) / alpha)
    return spread * math.sqrt(2.0 * (clock + 1.0) / clock * doubt / deals)


def interval(
    mean: float,
    sd: float,
    deals: int,
    alpha: float = 0.05,
    bounds: tuple[float, float] | None = (0.0, 1.0),
    reach: float | None = 1.0,
) -> tuple[float, float]:
    """Interval for a mean over deals that holds at all looks together.

    Parameters
    ----------
    mean, sd : float
        Mean and standard deviation of a deal's mean.
    deals : int
    alpha, reach
        See `half_width`.
    bounds : pair of float, or None
        What the true mean cannot leave; None when there is no such bound.

    Returns
    -------
    low, high : float
        The bounds themselves (or infinite) while nothing is claimed.
    """
    least, most = (-math.inf, math.inf) if bounds is None else bounds
    half = half_width(sd, deals, alpha, reach)
    if math.isinf(half):
        return least, most
    return max(least, mean - half), min(most, mean + half)


def p_value(mean: float, sd: float, deals: int, reach: float | None = 1.0) -> float:
    """Always-valid p-value that the true mean is 0, for paired differences.

    Under that hypothesis it falls to ``alpha`` or below at any look at all in at most ``alpha``
    of studies. It does so just where `half_width` at ``alpha`` excludes 0: it is the inverse of
    Robbins' mixture likelihood ratio. As that holds by a limit theorem, it says less the smaller
    it gets: around 0.001 it is too small by up to a factor of 1.5 where what matters comes up
    in less than one deal of 100.

    Parameters
    ----------
    mean, sd : float
        Mean and standard deviation of a deal's difference.
    deals : int
    reach : float or None
        See `half_width`.

    Returns
    -------
    float
        1 while nothing is claimed.
    """
    spread = _spread(sd, deals, reach)
    if spread == 0.0:
        return 1.0
    clock = deals * _RHO_SQUARED
    z = mean / spread * math.sqrt(deals)
    ratio = z * z / 2.0 * clock / (clock + 1.0) - math.log(clock + 1.0) / 2.0
    return min(1.0, math.exp(-ratio))


def deals_for(precision: float, sd: float, alpha: float = 0.05, reach: float | None = 1.0) -> int:
    """Deals after which `half_width` is at most the wanted precision, if ``sd`` stays.

    Parameters
    ----------
    precision : float
        Wanted half-width, in the unit of the mean.
    sd, alpha, reach
        See `half_width`.

    Returns
    -------
    int
        At least `FIRST_VALID`; a study stops at the first of its `looks` from there on.

    Raises
    ------
    ValueError
        When no number of deals is enough.
    """
    most = FIRST_VALID
    if not precision > 0.0 or not 0.0 < _spread(sd, most, reach) < math.inf:
        raise ValueError(f"no number of deals gives a precision of {precision} when sd is {sd}")
    while half_width(sd, most, alpha, reach) > precision:
        most *= 2
    least = max(FIRST_VALID, most // 2)
    while least < most:
        middle = (least + most) // 2
        if half_width(sd, middle, alpha, reach) > precision:
            least = middle + 1
        else:
            most = middle
    return most


def _spread(sd: float, deals: int, reach: float | None) -> float:
    """Deviation with the unseen deals; 0 where nothing can be claimed."""
    if deals < FIRST_VALID or not sd >= 0.0:
        return 0.0
    if reach is None:
        return sd
    return math.sqrt(sd * sd + UNSEEN * reach * reach / deals)

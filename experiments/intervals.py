"""How sure a number is: intervals for rates and means when the deal is the unit of evidence.

All games of one deal share its luck, so they are summed up first; what varies between deals is
the error. Every sum is a whole number until the last step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import special

FEW = 10
"""Below so many expected wins or losses, Wilson's interval covers too little."""


@dataclass(frozen=True)
class Estimate:
    """A mean over games with its clustered error.

    Attributes
    ----------
    mean : float
    sd : float
        Standard deviation over single values (a seat in a game, or a game).
    error : float
        Standard error of the mean over deals; NaN for fewer than two deals.
    deals : int
    """

    mean: float
    sd: float
    error: float
    deals: int

    @property
    def deviation(self) -> float:
        """Standard deviation over deals of a deal's mean, as `sequences` takes it."""
        return self.error * math.sqrt(self.deals)


def estimate(
    total: int, squares: int, deal_squares: int, deals: int, per_deal: int, unit: int = 1
) -> Estimate:
    """Mean, deviation and clustered error from exact sums.

    Parameters
    ----------
    total, squares : int
        Sum of all values and of their squares.
    deal_squares : int
        Sum over deals of the square of the deal's sum.
    deals, per_deal : int
        Number of deals, and of values in each.
    unit : int
        What counts as one: 60 for win shares in sixtieths.

    Returns
    -------
    Estimate
    """
    values = deals * per_deal
    if values == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    spread = values * squares - total * total
    sd = math.sqrt(spread / (values * (values - 1))) if values > 1 else math.nan
    between = deals * deal_squares - total * total  # deals**2 times the variance of deal sums
    error = math.nan
    if deals > 1:
        error = math.sqrt(between / (deals * (deals - 1)) / deals) / per_deal
    return Estimate(total / values / unit, sd / unit, error / unit, deals)


def rate_interval(found: Estimate, confidence: float = 0.95) -> tuple[float, float]:
    """Interval for a rate between 0 and 1 that holds near both ends.

    Wilson's score interval on the effective number of games ``p (1 - p) / error**2`` (the
    deals, when either is 0); with fewer than ten expected wins or losses the Clopper-Pearson
    interval on that number or the deals, whichever is less.

    Parameters
    ----------
    found : Estimate
    confidence : float

    Returns
    -------
    low, high : float

    References
    ----------
    E. B. Wilson, "Probable inference" (JASA 22, 1927). C. J. Clopper, E. S. Pearson, "The use
    of confidence or fiducial limits" (Biometrika 26, 1934). L. D. Brown, T. T. Cai, A. DasGupta,
    "Interval estimation for a binomial proportion" (Statistical Science 16, 2001).
    """
    if found.deals == 0:
        return 0.0, 1.0
    p = min(max(found.mean, 0.0), 1.0)
    spread = p * (1.0 - p)
    certain = spread == 0.0 or not found.error > 0.0
    games = float(found.deals) if certain else spread / found.error**2
    tail = (1.0 - confidence) / 2.0
    if games * min(p, 1.0 - p) < FEW:
        # So few wins say little about how a deal's games hang together: no more than the deals
        # are counted, or the interval covers down to 0.927 where they agree.
        games = min(games, float(found.deals))
        return _clopper_pearson(p * games, games, tail)
    return _wilson(p, games, tail)


def _wilson(p: float, games: float, tail: float) -> tuple[float, float]:
    z = -float(special.ndtri(tail))
    centre = (p + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(p * (1 - p) / games + (z / (2 * games)) ** 2)
    return max(0.0, centre - half), min(1.0, centre + half)


def _clopper_pearson(wins: float, games: float, tail: float) -> tuple[float, float]:
    losses = games - wins
    low = float(special.betaincinv(wins, losses + 1, tail)) if wins > 0 else 0.0
    high = float(special.betaincinv(wins + 1, losses, 1 - tail)) if losses > 0 else 1.0
    return low, high


def mean_interval(found: Estimate, confidence: float = 0.95) -> tuple[float, float]:
    """Interval for a mean: Student's t over deals; NaN for fewer than two deals."""
    if found.deals < 2:
        return math.nan, math.nan
    t = float(special.stdtrit(found.deals - 1, (1.0 + confidence) / 2.0))
    return found.mean - t * found.error, found.mean + t * found.error

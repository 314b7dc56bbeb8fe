"""Which cards go with winning: who used a card against who had it and did not, deal by deal."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.experiments.intervals import Estimate
from simlab.experiments.tests_of_difference import holm, p_value

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd

FEW = 20
"""Below so many games of a seat no win rate is told."""
NOTHING = Estimate(math.nan, math.nan, math.nan, 0)


@dataclass(frozen=True)
class CardUse:
    """What a card has to do with winning.

    Attributes
    ----------
    card : str
    had, used : int
        Games of a seat in which it had the card, and in which it used it.
    use : Estimate
        Share of those that had it which used it.
    won, won_without : Estimate
        Win rate of a seat that used it, and of one that had it and did not; NaN below `FEW`.
    gain : Estimate
        Their difference; NaN if one of them is.
    p : float
        Whether the difference is 0; by Holm over the cards of the list; NaN without a difference.
    """

    card: str
    had: int
    used: int
    use: Estimate
    won: Estimate
    won_without: Estimate
    gain: Estimate
    p: float


@dataclass(frozen=True)
class _Ratio:
    """A ratio of sums over deals, and how far each deal pulls it: see `ratio`."""

    value: float
    pulls: npt.NDArray[np.float64]
    deals: int
    units: int

    @property
    def estimate(self) -> Estimate:
        if self.units < FEW:
            return NOTHING
        return Estimate(self.value, math.nan, _error(self.pulls, self.deals), self.deals)


def ratio(parts: npt.NDArray[np.float64], wholes: npt.NDArray[np.float64]) -> Estimate:
    """The sum of some numbers over the sum of others, with its error over deals.

    Parameters
    ----------
    parts, wholes : numpy.ndarray, shape (deals,)
        Sums of each deal. Deals without any whole say nothing and are not counted.

    Returns
    -------
    Estimate
        The error is that of a ratio estimator: W. G. Cochran, Sampling Techniques (1977), 6.4.
    """
    found = _ratio(parts, wholes)
    return Estimate(found.value, math.nan, _error(found.pulls, found.deals), found.deals)


def _ratio(parts: npt.NDArray[np.float64], wholes: npt.NDArray[np.float64]) -> _Ratio:
    total = float(wholes.sum())
    if total == 0:
        return _Ratio(math.nan, np.zeros(len(parts)), 0, 0)
    value = float(parts.sum()) / total
    pulls = (parts - value * wholes) / total
    return _Ratio(value, pulls, int((wholes > 0).sum()), int(total))


def _error(pulls: npt.NDArray[np.float64], deals: int) -> float:
    if deals < 2:
        return math.nan
    return math.sqrt(float((pulls**2).sum()) * deals / (deals - 1))


def card_uses(table: pd.DataFrame) -> list[CardUse]:
    """What each card of a list has to do with winning.

    Parameters
    ----------
    table : pandas.DataFrame
        ``deal, card, had, used, win_share``: one row for each card that a seat had in a game.

    Returns
    -------
    list of CardUse
        In the order of their ids.
    """
    found = [_use(str(card), rows) for card, rows in table.groupby("card", sort=True)]
    tested = [place for place, one in enumerate(found) if not math.isnan(one.p)]
    for place, p in zip(tested, holm([found[place].p for place in tested]), strict=True):
        found[place] = replace(found[place], p=p)
    return found


def _use(card: str, rows: pd.DataFrame) -> CardUse:
    """One card, its p-value not yet corrected."""
    deals, places = np.unique(rows["deal"].to_numpy(), return_inverse=True)
    used = rows["used"].to_numpy() > 0
    share = rows["win_share"].to_numpy()

    def summed(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        found = np.zeros(len(deals))
        np.add.at(found, places, values)
        return found

    use = ratio(summed(used), summed(np.ones(len(rows))))
    won = _ratio(summed(share * used), summed(used))
    without = _ratio(summed(share * ~used), summed(~used))
    gain, p = NOTHING, math.nan
    if min(won.units, without.units) >= FEW:
        error = _error(won.pulls - without.pulls, len(deals))
        gain = Estimate(won.value - without.value, math.nan, error, len(deals))
        p = p_value(gain.mean, gain.error, gain.deals)
    seats = len(rows), int(used.sum())
    return CardUse(card, *seats, use, won.estimate, without.estimate, gain, p)

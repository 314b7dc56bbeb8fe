"""Which cards go with winning: who used a card against who had it and did not, deal by deal."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.experiments.intervals import Estimate
from simlab.experiments.measures.ratios import Ratio, error_of, ratio, ratio_of
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


def _told(found: Ratio) -> Estimate:
    return found.estimate if found.units >= FEW else NOTHING


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
    won = ratio_of(summed(share * used), summed(used))
    without = ratio_of(summed(share * ~used), summed(~used))
    gain, p = NOTHING, math.nan
    if min(won.units, without.units) >= FEW:
        error = error_of(won.pulls - without.pulls, len(deals))
        gain = Estimate(won.value - without.value, math.nan, error, len(deals))
        p = p_value(gain.mean, gain.error, gain.deals)
    seats = len(rows), int(used.sum())
    return CardUse(card, *seats, use, _told(won), _told(without), gain, p)

"""How strong each policy is on one scale, from who ended ahead of whom.

The model is Bradley and Terry's: i ends ahead of j with chance ``s_i / (s_i + s_j)``; fitted by
choix. The scale is Elo's: 400 points are odds of ten to one. Who stands at 0 would end ahead of
half the field: so one who wins, or loses, against everybody moves nobody else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import optimize, special

from simlab.experiments.intervals import FEW

if TYPE_CHECKING:
    import numpy.typing as npt

    from simlab.experiments.tournaments.reading import Reading

    Floats = npt.NDArray[np.float64]

POINTS = 400 / math.log(10)
DRAWS = 400
PRIOR = 0.5
"""Meetings that each pair is given beforehand, won by halves: an unbeaten policy stays finite."""


@dataclass(frozen=True)
class Rating:
    """A policy's strength in Elo's points, and its interval (95 %, over deals)."""

    points: float
    low: float
    high: float


def ratings(reading: Reading, seed: int = 0, draws: int = DRAWS) -> list[Rating]:
    """Rate every policy of a tournament.

    Parameters
    ----------
    reading : Reading
    seed : int
        Of the draws that the intervals come from.
    draws : int

    Returns
    -------
    list of Rating
        One a policy. The interval is that of the fit under the tables' errors over deals: what
        would change with other deals, not with other opponents.

    References
    ----------
    R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs" (Biometrika 39,
    1952). L. Maystre, M. Grossglauser, "Fast and accurate inference of Plackett-Luce models"
    (NeurIPS 2015), as choix has it.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    meetings = reading.met_deals + PRIOR
    ahead = _with_prior(reading)
    points = fit(ahead, meetings)
    drawn = [fit(one, meetings) for one in _drawn(reading, ahead, draws, rng)]
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    ends = zip(points, np.minimum(low, points), np.maximum(high, points), strict=True)
    return [Rating(float(p), float(a), float(b)) for p, a, b in ends]


def _with_prior(reading: Reading) -> Floats:
    """How often i ends ahead of j, never quite 0 or 1; 1/2 where they never met."""
    deals = reading.met_deals
    found: Floats = (np.nan_to_num(reading.ahead) * deals + PRIOR / 2) / (deals + PRIOR)
    return found


def _drawn(reading: Reading, ahead: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """`ahead` as it might have come out, drawn on the scale of odds, where it has no ends.

    Deals in which nearly all ended alike show less error than there is: then it is taken to be
    that of single games, as for `intervals.rate_interval`.
    """
    offsets = reading.offsets_of_ahead(draws, rng)
    alone = ahead * (1 - ahead)
    deals = reading.met_deals
    few = (deals > 0) & (deals * np.minimum(ahead, 1 - ahead) < FEW)
    least = np.where(few, alone / np.maximum(deals, 1.0), 0.0)
    more = np.sqrt(np.maximum(least - reading.ahead_errors**2, 0.0))
    own = np.triu(rng.standard_normal(offsets.shape), 1) * more
    offsets = offsets + own - own.transpose(0, 2, 1)
    drawn: Floats = special.expit(special.logit(ahead) + offsets / alone)
    return drawn


def fit(ahead: Floats, meetings: Floats) -> Floats:
    """Points of each policy.

    Parameters
    ----------
    ahead : numpy.ndarray, shape (policies, policies)
        How often i ends ahead of j, ties half; between 0 and 1, neither of them reached.
    meetings : numpy.ndarray, shape (policies, policies)
        How many meetings that is from; more than 0.
    """
    import choix

    wins = ahead * meetings
    np.fill_diagonal(wins, 0.0)
    strengths: Floats = choix.ilsr_pairwise_dense(wins / wins.sum() * len(wins))
    rated: Floats = (strengths - _even(strengths)) * POINTS
    return rated


def _even(strengths: Floats) -> float:
    """Strength (log) of who would end ahead of half the field."""

    def surplus(strength: float) -> float:
        return float(special.expit(strength - strengths).mean()) - 0.5

    low, high = float(strengths.min()), float(strengths.max())
    if high - low < 1e-12:
        return low
    return float(optimize.brentq(surplus, low, high, xtol=1e-10))

"""How strong each policy is on one scale, from who ended ahead of whom.

The model is Bradley and Terry's: i ends ahead of j with chance ``s_i / (s_i + s_j)``; fitted by
choix. The scale is Elo's: 400 points are odds of ten to one, and the mean of all policies is 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

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
    meetings = _meetings(reading)
    points = fit(reading.ahead, meetings)
    rng = np.random.Generator(np.random.Philox(seed))
    drawn = [fit(ahead, meetings) for ahead in reading.draws_of_ahead(draws, rng)]
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    ends = zip(points, np.minimum(low, points), np.maximum(high, points), strict=True)
    return [Rating(float(p), float(a), float(b)) for p, a, b in ends]


def _meetings(reading: Reading) -> Floats:
    """How many deals each two policies met in; what the prior is weighed against."""
    n = reading.design.policies
    found = np.zeros((n, n))
    for table in reading.tables:
        found[np.ix_(table.members, table.members)] += table.deals
    np.fill_diagonal(found, 0.0)
    return found


def fit(ahead: Floats, meetings: Floats) -> Floats:
    """Points of each policy, mean 0.

    Parameters
    ----------
    ahead : numpy.ndarray, shape (policies, policies)
        How often i ends ahead of j, ties half; NaN where they never met.
    meetings : numpy.ndarray, shape (policies, policies)
        How many meetings that is from.
    """
    import choix

    wins = np.where(np.isnan(ahead), 0.5, ahead) * meetings
    wins = wins + PRIOR / 2
    np.fill_diagonal(wins, 0.0)
    found: Floats = choix.ilsr_pairwise_dense(wins / wins.sum() * len(wins))
    rated: Floats = (found - found.mean()) * POINTS
    return rated

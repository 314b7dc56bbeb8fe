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
PRIOR = 0.5
"""Meetings that each pair is given beforehand, won by halves: an unbeaten policy stays finite."""


@dataclass(frozen=True)
class Rating:
    """A policy's strength in Elo's points, and its interval (95 %, over deals)."""

    points: float
    low: float
    high: float


def ratings(reading: Reading) -> list[Rating]:
    """Rate every policy of a tournament.

    Parameters
    ----------
    reading : Reading

    Returns
    -------
    list of Rating
        One a policy. The interval is that of the fit under the tables' errors over deals (by the
        delta method, which needs no model of how the games of a deal or of a table hang
        together): what would change with other deals, not with other opponents.

    References
    ----------
    R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs" (Biometrika 39,
    1952). L. Maystre, M. Grossglauser, "Fast and accurate inference of Plackett-Luce models"
    (NeurIPS 2015), as choix has it. H. White, "Maximum likelihood estimation of misspecified
    models" (Econometrica 50, 1982), for the errors.
    """
    meetings = reading.met_deals + PRIOR
    ahead = _with_prior(reading)
    points = fit(ahead, meetings)
    spread = _slopes(points / POINTS, meetings)
    errors = POINTS * np.sqrt(np.einsum("ij,jk,ik->i", spread, _surplus_errors(reading), spread))
    z = -float(special.ndtri(0.025))
    ends = zip(points, points - z * errors, points + z * errors, strict=True)
    return [Rating(float(p), float(a), float(b)) for p, a, b in ends]


def _with_prior(reading: Reading) -> Floats:
    """How often i ends ahead of j, never quite 0 or 1; 1/2 where they never met."""
    deals = reading.met_deals
    found: Floats = (np.nan_to_num(reading.ahead) * deals + PRIOR / 2) / (deals + PRIOR)
    return found


def _slopes(strengths: Floats, meetings: Floats) -> Floats:
    """How strengths change with each policy's surplus of meetings won, shape (policies, policies).

    At the fit, each policy has won as many as it should have; the derivative of what it should
    have is a graph's Laplace matrix, whose inverse is unique but for who stands at 0.
    """
    even = special.expit(strengths[:, None] - strengths[None, :])
    weights = meetings * even * (1 - even)
    np.fill_diagonal(weights, 0.0)
    found = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights, hermitian=True)
    near = special.expit(strengths) * special.expit(-strengths)  # who is at 0 moves with these
    centred: Floats = found - (near / near.sum()) @ found
    return centred


def _surplus_errors(reading: Reading) -> Floats:
    """Covariances of the meetings that each policy won beyond what it should have.

    Deals in which nearly all ended alike show less error than there is: then it is taken to be
    at least that of single games, as for `intervals.rate_interval`.
    """
    deals = reading.met_deals
    found = reading.surplus_errors(deals)
    ahead = _with_prior(reading)
    few = (deals > 0) & (deals * np.minimum(ahead, 1 - ahead) < FEW)
    least = np.where(few, ahead * (1 - ahead) / np.maximum(deals, 1.0), 0.0)
    more = np.maximum(least - reading.ahead_errors**2, 0.0) * deals**2
    np.fill_diagonal(more, 0.0)
    found += np.diag(more.sum(axis=1)) - more
    return found


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

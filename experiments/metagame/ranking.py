"""Alpha-rank: how much of the time a small crowd that copies success plays each policy.

A crowd of ``population`` players all play one policy; now and then one of them tries another,
which either dies out or takes over before the next one tries. The share of time that the crowd
spends with each policy is its mass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from simlab.errors import UsageError
from simlab.experiments.metagame.game import EmpiricalGame
from simlab.experiments.metagame.tables import Floats, Ints, Seats, places_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

POPULATION = 50
"""As in the paper."""
LADDER = tuple(float(10.0 ** (step / 4)) for step in range(-4, 25))
"""Strengths of selection that are tried, in units of 1 / reach: 0.1 to a million."""
CHANGED = 0.01
"""Strength is enough when masses change by less than this in all with any more of it."""
SAME = 1e-9
"""Masses that differ by less are equal."""


@dataclass(frozen=True, eq=False)
class AlphaRank:
    """Shares of time of the policies.

    Attributes
    ----------
    policies : tuple of str
    alpha : float
        Strength of selection, in units of 1 / payoff.
    population : int
    mass : numpy.ndarray of float64, shape (policies,)
        Sums to 1.
    takeover : numpy.ndarray of float64, shape (policies, policies)
        ``takeover[r, s]``: chance that one player of r takes over a crowd of s. A policy that
        makes no difference does so with chance ``1 / population``, which is the diagonal.
    """

    policies: tuple[str, ...]
    alpha: float
    population: int
    mass: Floats
    takeover: Floats

    def frame(self) -> pd.DataFrame:
        """Columns ``policy, mass``, the greatest first."""
        import pandas as pd

        found = pd.DataFrame({"policy": list(self.policies), "mass": self.mass})
        return found.sort_values("mass", ascending=False, kind="stable", ignore_index=True)


def pair_payoffs(worth: Floats, seats: Seats) -> tuple[Floats, Floats]:
    """What two policies get at tables that only they sit at.

    Parameters
    ----------
    worth : numpy.ndarray of float64, shape (..., O, policies)
    seats : Seats

    Returns
    -------
    own, other : numpy.ndarray of float64, shape (..., policies, policies, players)
        ``own[i, j, k]``: payoff of a seat of i when k of the others are i and the rest j;
        ``other[i, j, k]``: of a seat of j when it has these others.
    """
    met = _met_by_pairs(seats)
    who = np.arange(seats.policies)
    return worth[..., met, who[:, None, None]], worth[..., met, who[None, :, None]]


def _met_by_pairs(seats: Seats) -> Ints:
    """Place of the others of which k are i and the rest j, for each i, j and k."""
    count, others = seats.policies, seats.players - 1
    members = np.zeros((count, count, seats.players, others), dtype=np.int64)
    members += np.arange(count)[None, :, None, None]
    for k in range(seats.players):
        members[:, :, k, :k] = np.arange(count)[:, None, None]
    return places_of(members, count)


def _hypergeometric(population: int, players: int, among: Ints) -> Floats:
    """Chance that k of the other seats are among so many of the other players of the crowd."""
    k = np.arange(players)
    rest = special.comb(population - 1 - among[:, None], players - 1 - k)
    return np.asarray(
        special.comb(among[:, None], k) * rest / special.comb(population - 1, players - 1)
    )


def log_takeover(worth: Floats, seats: Seats, alpha: float | Floats, population: int) -> Floats:
    """Logarithm of the chance that one i takes over a crowd of j; shape (..., i, j).

    Several strengths of selection come with three more axes, of length 1.

    Tables are drawn from the crowd without replacement, a step of the crowd copies by Fermi's
    rule: ``1 / (1 + sum over l of exp(-alpha (sum over p up to l of f_i(p) - f_j(p))))``.
    """
    own, other = pair_payoffs(worth, seats)
    mutants = np.arange(1, population)
    gain = own @ _hypergeometric(population, seats.players, mutants - 1).T
    gain = gain - other @ _hypergeometric(population, seats.players, mutants).T
    against_it = -alpha * np.cumsum(gain, axis=-1)
    found = -np.logaddexp(0.0, special.logsumexp(against_it, axis=-1))
    return np.asarray(found)


def stationary(logs: Floats) -> Floats:
    """Shares of time in each state of a chain, from logarithms of its rates of change.

    By the elimination of Grassmann, Taksar and Heyman, which never subtracts, here in
    logarithms: exact even where rates are too small for any float.

    Parameters
    ----------
    logs : numpy.ndarray of float64, shape (..., states, states)
        From the first to the second; the diagonal is not looked at.

    References
    ----------
    W. K. Grassmann, M. I. Taksar, D. P. Heyman, "Regenerative analysis and steady state
    distributions for Markov chains" (Operations Research 33, 1985).
    """
    rates = logs.copy()
    states = rates.shape[-1]
    for last in range(states - 1, 0, -1):
        away = special.logsumexp(rates[..., last, :last], axis=-1)
        rates[..., :last, last] -= away[..., None]
        through = rates[..., :last, last, None] + rates[..., last, None, :last]
        rates[..., :last, :last] = np.logaddexp(rates[..., :last, :last], through)
    found = np.zeros(rates.shape[:-1])
    for state in range(1, states):
        into = found[..., :state] + rates[..., :state, state]
        found[..., state] = special.logsumexp(into, axis=-1)
    return np.asarray(special.softmax(found, axis=-1))


def masses(worth: Floats, seats: Seats, alpha: float | Floats, population: int) -> Floats:
    """Alpha-rank masses of many games at once; shape (..., policies)."""
    return stationary(log_takeover(worth, seats, alpha, population).swapaxes(-1, -2))


def alpha_rank(
    game: EmpiricalGame, alpha: float | None = None, population: int = POPULATION
) -> AlphaRank:
    """Rank policies by the share of time that an evolving crowd plays them.

    One population, symmetric, any number of players; chances of takeover are exact for a finite
    crowd.

    Parameters
    ----------
    game : EmpiricalGame
    alpha : float, optional
        Strength of selection, in units of 1 / payoff. By default the least one on a ladder
        from which on the masses stay the same to a hundredth (the paper's sweep).
    population : int
        Players of the crowd, at least those of a table, and at least 2.

    Raises
    ------
    UsageError
        When the crowd does not fill a table, or selection is not stronger than 0.

    References
    ----------
    S. Omidshafiei et al., "alpha-Rank: Multi-agent evaluation by evolution" (Scientific Reports
    9, 2019). For several players to a table: C. S. Gokhale, A. Traulsen, "Evolutionary games in
    the multiverse" (PNAS 107, 2010).
    """
    _check_crowd(game, population)
    strength = enough_alpha(game, population) if alpha is None else float(alpha)
    if not 0.0 < strength < np.inf:
        raise UsageError(f"alpha is more than 0, got {alpha}")
    logs = log_takeover(game.worth, game.seats, strength, population)
    mass = stationary(logs.T)
    return AlphaRank(game.policies, strength, population, mass, np.exp(logs))


def _check_crowd(game: EmpiricalGame, population: int) -> None:
    if population < game.players:
        raise UsageError(
            f"a population of {population} does not fill a table of {game.players} seats"
        )


def enough_alpha(game: EmpiricalGame, population: int = POPULATION) -> float:
    """Least strength of selection from which on the masses hardly change."""
    strengths = np.array(LADDER) / (game.reach or 1.0)
    found = masses(game.worth, game.seats, strengths[:, None, None, None], population)
    away = np.abs(found - found[-1]).sum(axis=1) / 2
    last_far = np.flatnonzero(away > CHANGED)
    return float(strengths[last_far[-1] + 1 if len(last_far) else 0])


def alpha_sweep(
    game: EmpiricalGame, alphas: Sequence[float] | None = None, population: int = POPULATION
) -> pd.DataFrame:
    """Masses at growing strengths of selection.

    Parameters
    ----------
    game : EmpiricalGame
    alphas : sequence of float, optional
        By default from a tenth to a million times 1 / reach of the payoffs.
    population : int

    Returns
    -------
    pandas.DataFrame
        Columns ``alpha, policy, mass``.
    """
    import pandas as pd

    chosen = [step / (game.reach or 1.0) for step in LADDER] if alphas is None else alphas
    parts = [alpha_rank(game, alpha, population) for alpha in chosen]
    rows = [
        (rank.alpha, policy, float(mass))
        for rank in parts
        for policy, mass in zip(rank.policies, rank.mass, strict=True)
    ]
    return pd.DataFrame(rows, columns=["alpha", "policy", "mass"])

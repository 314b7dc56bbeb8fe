"""What clever players would settle on: mixes from which nobody gains by turning away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.experiments.metagame.dominance import always_better
from simlab.experiments.metagame.dynamics import NEAR, flow, scaled, starts_of
from simlab.experiments.metagame.game import EmpiricalGame, against
from simlab.experiments.metagame.stability import evolutionarily_stable
from simlab.experiments.metagame.supports import (
    MOST_POLICIES,
    all_equilibria,
    equilibria_among,
    newton,
    starts_in,
)
from simlab.experiments.metagame.tables import Flags, Floats, Seats, groups, places_of, seats_of

if TYPE_CHECKING:
    import pandas as pd

PRESENT = 1e-3
"""Least share of a policy that counts as part of the mix at the end of a flow."""
CHOOSING_STARTS = 12
"""Starts whose ends choose among several equilibria of a resample."""
MANY_STARTS = 200


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A symmetric Nash equilibrium: if all draw their policy from the mix, nobody gains.

    Attributes
    ----------
    policies : tuple of str
    mix : numpy.ndarray of float64, shape (policies,)
    payoff : float
        What everybody earns.
    regret : float
        The most that any policy gains on it, in the unit of the payoffs: how exact it is.
    stable : bool
        Whether it is evolutionarily stable.
    basin : float
        Share of the starts whose replicator flow ends here.
    """

    policies: tuple[str, ...]
    mix: Floats
    payoff: float
    regret: float
    stable: bool
    basin: float

    @property
    def support(self) -> tuple[str, ...]:
        """Policies that have a share."""
        return tuple(
            name for name, share in zip(self.policies, self.mix, strict=True) if share > 0.0
        )

    @property
    def variety(self) -> float:
        """Effective number of policies: exp of the entropy of the mix."""
        return float(variety(self.mix))


def variety(mixes: Floats) -> Floats:
    """Effective number of policies of each mix: exp of its entropy, from 1 up.

    References
    ----------
    M. O. Hill, "Diversity and evenness: a unifying notation" (Ecology 54, 1973).
    """
    safe = np.where(mixes > 0.0, mixes, 1.0)
    return np.asarray(np.exp(-(mixes * np.log(safe)).sum(axis=-1)))


def interchangeable(worth: Floats, seats: Seats) -> list[list[int]]:
    """Groups of policies that nobody could tell apart by any payoff at any table."""
    found: dict[int, list[int]] = {}
    for policy in range(seats.policies):
        twins = (first for first in found if _twins(worth, seats, first, policy))
        found.setdefault(next(twins, policy), []).append(policy)
    return list(found.values())


def _twins(worth: Floats, seats: Seats, one: int, other: int) -> bool:
    if not np.array_equal(worth[:, one], worth[:, other]):
        return False
    swap = np.arange(seats.policies)
    swap[[one, other]] = [other, one]
    swapped = worth[places_of(swap[seats.others], seats.policies)]
    return bool(np.array_equal(swapped[:, swap], worth))


def find_equilibria(worth: Floats, seats: Seats, each: int = 12, most: int = 6000) -> Floats:
    """Mixes of all symmetric equilibria that were found, in a game of reach 1.

    Policies that cannot be told apart share evenly. Up to ten policies every set of them is
    tried. Of more, those that are strictly dominated are left out, again and again, as no
    equilibrium has them; if more than ten remain, the sets that some flows end at or circle in,
    all single policies and all pairs are tried.

    Parameters
    ----------
    worth : numpy.ndarray of float64, shape (O, policies)
    seats : Seats
    each, most : int
        Starts of Newton's method in each set, and in all. Flows start from a fiftieth of the
        latter.
    """
    twins = interchangeable(worth, seats)
    if len(twins) < seats.policies:
        return _found_among(worth, seats, twins, each, most)
    if seats.policies <= MOST_POLICIES:
        return all_equilibria(worth, seats, each, most)
    left = np.flatnonzero(~always_better(worth).any(axis=0))
    if len(left) < seats.policies:
        return _found_among(worth, seats, [[policy] for policy in left.tolist()], each, most)
    starts = starts_of(seats.policies, 1 + most // 50, 0)
    ends, _ = flow(worth[None], starts[None], seats)
    sets = _likely_sets(ends[0])
    solutions = newton(worth, seats, *starts_in(sets, max(1, min(each, most // len(sets)))))
    return equilibria_among(worth, seats, np.concatenate([np.eye(seats.policies), solutions]))


def _found_among(
    worth: Floats, seats: Seats, teams: list[list[int]], each: int, most: int
) -> Floats:
    """Solve for the first policy of each team, and give each of its members an equal part."""
    first = np.array([team[0] for team in teams])
    fewer = seats_of(len(teams), seats.players)
    rows = places_of(first[fewer.others], seats.policies)
    found = find_equilibria(worth[rows[:, None], first], fewer, each, most)
    shared = np.zeros((len(found), seats.policies))
    for place, team in enumerate(teams):
        shared[:, team] = found[:, [place]] / len(team)
    return shared


def _likely_sets(ends: Floats) -> Flags:
    """Sets of policies that are left at the ends of flows, and all pairs."""
    count = ends.shape[1]
    pairs = np.zeros((count * (count - 1) // 2, count), dtype=np.bool_)
    both = groups(count, 2)
    both = both[both[:, 0] < both[:, 1]]
    for column in range(2):
        pairs[np.arange(len(both)), both[:, column]] = True
    return np.unique(np.vstack([ends > PRESENT, pairs]), axis=0)


def basins_of(mixes: Floats, ends: Floats, settled: Flags) -> Floats:
    """Share of the flows that end at each of these mixes."""
    far = np.abs(ends[:, None, :] - mixes[None]).max(axis=2)
    nearest = far.argmin(axis=1)
    counted = settled & (far.min(axis=1) < NEAR)
    return np.bincount(nearest[counted], minlength=len(mixes)) / len(ends)


def chosen(mixes: Floats, ends: Floats, settled: Flags) -> tuple[int, Floats]:
    """Which of several equilibria to expect, and their basins.

    The one with the largest basin; the first of equal ones. If no flow ends at any (they
    cycle), the one nearest to the mean of the flow from the even mix, which is the first one.
    """
    shares = basins_of(mixes, ends, settled)
    if shares.max() > 0.0:
        return int(shares.argmax()), shares
    return int(np.abs(mixes - ends[0]).max(axis=1).argmin()), shares


def symmetric_equilibria(game: EmpiricalGame) -> list[Equilibrium]:
    """Find the symmetric Nash equilibria of a game.

    Each is solved to rounding and checked: ``regret`` says how much the best policy gains on
    it. Two-player games are solved completely, but for ranges of equilibria, of which some
    points are given; with more players Newton's method starts from 12 mixes in every set of
    policies, and may miss one.

    Returns
    -------
    list of Equilibrium
        The one to expect first: it has the largest basin of the replicator flow from 200
        starts; or, if no flow settles, lies nearest to the mean of the flow from the even mix.
        If none was found (there always is one), the mix with the least regret that a flow came
        by.

    References
    ----------
    J. Nash, "Non-cooperative games" (Annals of Mathematics 54, 1951): a symmetric game has a
    symmetric equilibrium.
    """
    worth, seats = scaled(game.worth), game.seats
    starts = starts_of(seats.policies, MANY_STARTS, 0)
    ends, settled = (part[0] for part in flow(worth[None], starts[None], seats))
    mixes = find_equilibria(worth, seats)
    if not len(mixes):
        mixes = least_regret(worth, ends, seats)
    first, shares = chosen(mixes, ends, settled)
    order = sorted(range(len(mixes)), key=lambda place: (place != first, -shares[place], place))
    return [_equilibrium(game, mixes[place], float(shares[place])) for place in order]


def least_regret(worth: Floats, mixes: Floats, seats: Seats) -> Floats:
    """The one of these mixes that is nearest to an equilibrium; shape (1, policies)."""
    gains = against(worth, mixes, seats)
    regret = gains.max(axis=1) - (mixes * gains).sum(axis=1)
    return np.asarray(mixes[[regret.argmin()]])


def _equilibrium(game: EmpiricalGame, mix: Floats, basin: float) -> Equilibrium:
    payoff = float(mix @ game.payoffs_against(mix))
    stable = evolutionarily_stable(game, mix)
    return Equilibrium(game.policies, mix, payoff, game.regret(mix), stable, basin)


def equilibria_frame(found: list[Equilibrium]) -> pd.DataFrame:
    """Columns ``equilibrium, policy, share, payoff, regret, stable, basin``."""
    import pandas as pd

    rows: list[dict[str, Any]] = [
        {"equilibrium": place, "policy": policy, "share": float(share)}
        | {"payoff": one.payoff, "regret": one.regret, "stable": one.stable, "basin": one.basin}
        for place, one in enumerate(found)
        for policy, share in zip(one.policies, one.mix, strict=True)
    ]
    return pd.DataFrame(rows)

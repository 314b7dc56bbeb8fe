"""What a crowd of players would converge to when strategies that do well are copied.

The replicator equation: the share of a policy grows at the rate by which it does better than the
mean (P. D. Taylor, L. B. Jonker, "Evolutionary stable strategies and game dynamics",
Mathematical Biosciences 40, 1978; for several players to a table G. Palm, "Evolutionary stable
strategies and game dynamics for n-person games", Journal of Mathematical Biology 19, 1984).

Time is counted in units of 1 / reach of the payoffs: in one unit a policy that does better than
the mean by the whole reach grows by a factor of e.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator, Philox

from simlab.errors import UsageError
from simlab.experiments.metagame.game import EmpiricalGame, against
from simlab.experiments.metagame.tables import Flags, Floats, Seats

if TYPE_CHECKING:
    import pandas as pd

HORIZON = 2000.0
"""Units of time after which a crowd that still moves is said not to settle."""
STILL = 1e-7
"""A crowd is at rest when no share changes faster than this."""
STEP = 2.0
"""Step of the quick flow of many crowds, in units of time."""
QUICK_STEPS = 200
"""Steps after which it gives up."""
SETTLED = 1e-5
"""A crowd of the quick flow has settled when no policy gains more than this, in reaches."""
NEAR = 0.02
"""Crowds that end nearer to each other than this, in every share, end at one point."""


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The way of one crowd.

    Attributes
    ----------
    policies : tuple of str
    times : numpy.ndarray of float64, shape (T,)
        In units of 1 / reach.
    mixes : numpy.ndarray of float64, shape (T, policies)
    settled : bool
        Whether it came to rest; otherwise it still moves, in a cycle or slowly.
    """

    policies: tuple[str, ...]
    times: Floats
    mixes: Floats
    settled: bool

    @property
    def end(self) -> Floats:
        """The last mix."""
        return np.asarray(self.mixes[-1])

    @property
    def mean(self) -> Floats:
        """Mean mix over time, which is inside a cycle."""
        if len(self.times) < 2:
            return self.end
        middles = (self.mixes[1:] + self.mixes[:-1]) / 2
        return np.asarray(np.diff(self.times) @ middles / (self.times[-1] - self.times[0]))

    def frame(self) -> pd.DataFrame:
        """Columns ``time, policy, share``, one policy after the other."""
        import pandas as pd

        wide = pd.DataFrame(self.mixes, columns=list(self.policies))
        wide.insert(0, "time", self.times)
        return wide.melt(id_vars="time", var_name="policy", value_name="share")


def shares_of(game: EmpiricalGame, start: Any) -> Floats:
    """Check a mix that was given; the even one for None.

    Raises
    ------
    UsageError
        When it is not a share a policy, from 0 on and summing to 1.
    """
    count = len(game.policies)
    if start is None:
        return np.full(count, 1.0 / count)
    mix = np.asarray(start, dtype=np.float64)
    if mix.shape != (count,) or not (mix >= 0.0).all() or abs(mix.sum() - 1.0) > 1e-9:
        raise UsageError(
            f"a mix is {count} shares from 0 on that sum to 1, one a policy, got {mix.tolist()}"
        )
    return np.asarray(mix / mix.sum())


def scaled(worth: Floats) -> Floats:
    """Payoffs moved and stretched to go from 0 to 1, each game of a stack by itself."""
    low = worth.min(axis=(-2, -1), keepdims=True)
    reach = worth.max(axis=(-2, -1), keepdims=True) - low
    return np.asarray((worth - low) / np.where(reach > 0.0, reach, 1.0))


def replicator(game: EmpiricalGame, start: Any = None, horizon: float = HORIZON) -> Trajectory:
    """Follow the replicator equation from a mix until it rests, or till the horizon.

    Parameters
    ----------
    game : EmpiricalGame
    start : array of float, shape (policies,), optional
        By default all policies in equal shares. A policy with no share never gets one.
    horizon : float
        Longest time, in units of 1 / reach.

    Returns
    -------
    Trajectory
        At the steps of the integrator (Dormand and Prince's fifth order, relative error 1e-8).
    """
    from scipy.integrate import solve_ivp

    first = shares_of(game, start)
    worth, seats = scaled(game.worth), game.seats

    def velocity(_: float, mix: Floats) -> Floats:
        gains = against(worth, mix, seats)
        return np.asarray(mix * (gains - mix @ gains / mix.sum()))

    def speed(time: float, mix: Floats) -> float:
        return float(np.abs(velocity(time, mix)).max() - STILL)

    speed.terminal = True  # type: ignore[attr-defined]
    if speed(0.0, first) <= 0.0:
        return Trajectory(game.policies, np.zeros(1), first[None], settled=True)
    found = solve_ivp(
        velocity, (0.0, horizon), first, events=speed, rtol=1e-8, atol=1e-12, max_step=20.0
    )
    mixes = found.y.T.clip(min=0.0)
    mixes /= mixes.sum(axis=1, keepdims=True)
    return Trajectory(game.policies, found.t, mixes, settled=found.status == 1)


def starts_of(policies: int, count: int, seed: int) -> Floats:
    """The even mix, then mixes drawn evenly from all there are; shape (count, policies)."""
    rng = Generator(Philox(seed))
    even = np.full((1, policies), 1.0 / policies)
    return np.vstack([even, rng.dirichlet(np.ones(policies), max(count - 1, 0))])


def flow(worth: Floats, starts: Floats, seats: Seats) -> tuple[Floats, Flags]:
    """Let many crowds go at once, till each has settled where no policy gains.

    A fixed step of the fourth-order Runge-Kutta rule, in the logarithms of the shares, so that
    shares stay above zero.

    Parameters
    ----------
    worth : numpy.ndarray of float64, shape (games, O, policies)
        Each of reach 1 (`scaled`).
    starts : numpy.ndarray of float64, shape (games, starts, policies)
        All shares above zero.
    seats : Seats

    Returns
    -------
    ends : numpy.ndarray of float64, shape (games, starts, policies)
        The last mix of those that settled; of the others the mean of the later half.
    settled : numpy.ndarray of bool, shape (games, starts)
    """
    logs = np.log(starts)
    ends = np.zeros_like(starts)
    settled = np.zeros(starts.shape[:2], dtype=np.bool_)
    going = np.arange(len(starts))
    for step in range(QUICK_STEPS):
        mixes = _mixes_of(logs[going])
        gains = against(worth[going], mixes, seats)
        regret = gains.max(axis=2) - (mixes * gains).sum(axis=2)
        at_rest = regret <= SETTLED
        fresh = at_rest & ~settled[going]
        ends[going] = np.where(fresh[:, :, None], mixes, ends[going])
        settled[going] |= at_rest
        if step >= QUICK_STEPS // 2:
            still = ~settled[going][:, :, None]
            ends[going] += np.where(still, mixes, 0.0) / (QUICK_STEPS - QUICK_STEPS // 2)
        logs[going] = _next(worth[going], logs[going], gains, seats)
        going = going[~settled[going].all(axis=1)]
        if not len(going):
            break
    ends /= ends.sum(axis=2, keepdims=True)
    return ends, settled


def _mixes_of(logs: Floats) -> Floats:
    shares = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def _next(worth: Floats, logs: Floats, first: Floats, seats: Seats) -> Floats:
    second = against(worth, _mixes_of(logs + STEP / 2 * first), seats)
    third = against(worth, _mixes_of(logs + STEP / 2 * second), seats)
    fourth = against(worth, _mixes_of(logs + STEP * third), seats)
    moved = logs + STEP / 6 * (first + 2 * second + 2 * third + fourth)
    return np.asarray(moved - moved.max(axis=-1, keepdims=True))


@dataclass(frozen=True, eq=False)
class RestPoint:
    """Where crowds end.

    Attributes
    ----------
    mix : numpy.ndarray of float64, shape (policies,)
    share : float
        Share of the starts that end here (its basin).
    regret : float
        What the best policy gains on it.
    from_even : bool
        Whether the even mix of all policies ends here.
    """

    mix: Floats
    share: float
    regret: float
    from_even: bool


@dataclass(frozen=True, eq=False)
class Basins:
    """Where crowds end that start anywhere.

    Attributes
    ----------
    policies : tuple of str
    points : list of RestPoint
        The largest basin first.
    wandering : float
        Share of the starts from which a crowd did not settle: it cycles, or is very slow.
    starts : int
    """

    policies: tuple[str, ...]
    points: list[RestPoint]
    wandering: float
    starts: int

    def frame(self) -> pd.DataFrame:
        """Columns ``point, basin, policy, share``, a row for each point and policy."""
        import pandas as pd

        rows = [
            (place, point.share, policy, float(share))
            for place, point in enumerate(self.points)
            for policy, share in zip(self.policies, point.mix, strict=True)
        ]
        return pd.DataFrame(rows, columns=["point", "basin", "policy", "share"])


def basins(game: EmpiricalGame, starts: int = 200, seed: int = 0) -> Basins:
    """Rest points of the replicator equation, and how many starts lead to each.

    Parameters
    ----------
    game : EmpiricalGame
    starts : int
        At least 1; the first is the even mix, the others are drawn evenly from all mixes.
    seed : int
    """
    first = starts_of(len(game.policies), starts, seed)
    ends, settled = flow(scaled(game.worth)[None], first[None], game.seats)
    groups: dict[int, list[int]] = {}
    for start in np.flatnonzero(settled[0]).tolist():
        near = (g for g in groups if np.abs(ends[0, g] - ends[0, start]).max() < NEAR)
        groups.setdefault(next(near, start), []).append(start)
    points = [_rest_point(game, ends[0, group], group, len(first)) for group in groups.values()]
    points.sort(key=lambda point: -point.share)
    return Basins(game.policies, points, float(1.0 - settled[0].mean()), len(first))


def _rest_point(game: EmpiricalGame, ends: Floats, group: list[int], starts: int) -> RestPoint:
    """The end with the least regret speaks for its group."""
    mix = min(ends, key=game.regret)
    mix = np.where(mix < SETTLED, 0.0, mix)
    mix /= mix.sum()
    return RestPoint(mix, len(group) / starts, game.regret(mix), from_even=0 in group)

"""Mixes that no policy gains on: the equations of every set of policies, solved together.

In a symmetric equilibrium all policies of the mix earn the same. For each set of policies that
could be a mix these are as many polynomial equations as unknowns, which Newton's method solves
for all sets and several starts at once.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.random import Generator, Philox

from simlab.experiments.metagame.game import against, product, slopes
from simlab.experiments.metagame.tables import Flags, Floats, Seats, seats_of

MOST_POLICIES = 10
"""Up to so many policies every set of them is tried."""
ROUNDS = 25
"""Newton steps; single roots take some six, double roots some eighteen."""
DAMPING = 1e-9
"""Keeps the equations solvable where policies earn the same in a whole range of mixes."""
FAR = 1.5
"""A share so far from those of mixes seldom comes back."""
LONGEST = 0.5
"""Longest step of a share."""
SOLVED = 1e-11
"""Residual of a solution, in units of the reach of the payoffs."""
OUTSIDE = 1e-7
"""A share no farther from zero than this, either way, is zero."""
APART = 1e-4
"""Solutions that differ by less in every share are one."""
REGRET = 1e-6
"""What a policy may gain on an equilibrium, in units of the reach: rounding."""


@lru_cache(maxsize=16)
def every_support(policies: int) -> Flags:
    """Every set of at least one policy, small ones first; shape (sets, policies)."""
    numbers = np.arange(1, 2**policies)
    found = np.asarray((numbers[:, None] >> np.arange(policies)) & 1, dtype=np.bool_)
    return found[np.argsort(found.sum(axis=1), kind="stable")]


def _within(supports: Flags, seats: Seats) -> Flags:
    """Whether all of the others are of a set, for every set and group of others."""
    found = np.ones((len(supports), len(seats.others)), dtype=np.bool_)
    for seat in range(seats.others.shape[1]):
        found &= supports[:, seats.others[:, seat]]
    return found


@lru_cache(maxsize=16)
def _every_within(policies: int, players: int) -> Floats:
    within = _within(every_support(policies), seats_of(policies, players))
    return within.astype(np.float64)


def possible_supports(worth: Floats, seats: Seats) -> Flags:
    """Sets of policies in which none is worse than another against all that the set can seat.

    Such a one would be left out of any mix of the set ("conditional dominance"; R. Porter,
    E. Nudelman, Y. Shoham, "Simple search methods for finding a Nash equilibrium", AAAI 2004).
    """
    count = seats.policies
    supports = every_support(count)
    holds = (worth[:, :, None] >= worth[:, None, :]).reshape(len(worth), count * count)
    held = product(_every_within(count, seats.players), holds.astype(np.float64))
    beaten = (held.reshape(-1, count, count) == 0).any(axis=2)  # by one, whatever the others
    return np.asarray(supports[~(supports & beaten).any(axis=1)])


@lru_cache(maxsize=256)
def _points(size: int, count: int) -> Floats:
    """The even mix of so many policies, then others at random, the same ones each time."""
    rng = Generator(Philox(size))
    return np.vstack([np.full((1, size), 1 / size), rng.dirichlet(np.ones(size), count - 1)])


def starts_in(supports: Flags, each: int) -> tuple[Floats, Flags]:
    """Mixes to start from, ``each`` of them in every set, and the set of each of them."""
    mixes = np.zeros((len(supports), each, supports.shape[1]))
    for place, support in enumerate(supports):
        mixes[place][:, support] = _points(int(support.sum()), each)
    return mixes.reshape(-1, supports.shape[1]), np.repeat(supports, each, axis=0)


def _equations(
    worth: Floats, seats: Seats, mixes: Floats, level: Floats, inside: Flags
) -> tuple[Floats, Floats]:
    """What is not yet zero, and its derivatives.

    Policies of the set earn ``level``, others have no share, the shares sum to 1.
    """
    count = seats.policies
    known = slopes(worth, mixes, seats)
    gains = np.einsum("bj,bji->bi", mixes, known)
    missing = np.empty((len(mixes), count + 1))
    missing[:, :count] = np.where(inside, gains - level[:, None], mixes)
    missing[:, count] = mixes.sum(axis=1) - 1.0
    change = np.zeros((len(mixes), count + 1, count + 1))
    rise = (seats.players - 1) * known.transpose(0, 2, 1)
    change[:, :count, :count] = np.where(inside[:, :, None], rise, np.eye(count))
    change[:, :count, count] = np.where(inside, -1.0, 0.0)
    change[:, count, :count] = 1.0
    return missing, change


def newton(worth: Floats, seats: Seats, mixes: Floats, inside: Flags) -> Floats:
    """Solve the equations of every set from every start; those that are solved.

    Parameters
    ----------
    worth : numpy.ndarray of float64, shape (O, policies)
        Of reach 1.
    seats : Seats
    mixes : numpy.ndarray of float64, shape (starts, policies)
    inside : numpy.ndarray of bool, shape (starts, policies)
        The set of each start.

    Returns
    -------
    numpy.ndarray of float64, shape (solutions, policies)
        Not all of them are mixes: shares may be below zero.
    """
    level = np.einsum("bi,bi->b", mixes, against(worth, mixes, seats))
    found: list[Floats] = []
    for _ in range(ROUNDS):
        missing, change = _equations(worth, seats, mixes, level, inside)
        going = np.abs(missing).max(axis=1) > SOLVED
        found.append(mixes[~going])
        going &= np.abs(mixes).max(axis=1) < FAR
        if not going.any():
            break
        step = _steps(missing[going], change[going])
        mixes = mixes[going] + step[:, :-1]
        level, inside = level[going] + step[:, -1], inside[going]
    return np.concatenate(found)


def _steps(missing: Floats, change: Floats) -> Floats:
    """Damped least squares (Levenberg), no share by more than `LONGEST`."""
    turned = change.transpose(0, 2, 1)
    square = turned @ change + DAMPING * np.eye(change.shape[1])
    step = -np.linalg.solve(square, turned @ missing[:, :, None])[:, :, 0]
    longest = np.abs(step[:, :-1]).max(axis=1)
    return np.asarray(step * np.minimum(1.0, LONGEST / np.maximum(longest, LONGEST))[:, None])


def equilibria_among(worth: Floats, seats: Seats, solutions: Floats) -> Floats:
    """Solutions that are mixes on which no policy gains, each once, in the order given."""
    mixes = solutions[(solutions >= -OUTSIDE).all(axis=1)]
    mixes = np.where(mixes <= OUTSIDE, 0.0, mixes)
    mixes = mixes / mixes.sum(axis=1, keepdims=True)
    gains = against(worth, mixes, seats)
    regret = gains.max(axis=1) - np.einsum("bi,bi->b", mixes, gains)
    kept: list[Floats] = []
    for mix in mixes[regret <= REGRET]:
        if all(np.abs(mix - other).max() >= APART for other in kept):
            kept.append(mix)
    return np.array(kept).reshape(-1, seats.policies)


def all_equilibria(worth: Floats, seats: Seats, each: int = 6, most: int = 4000) -> Floats:
    """Symmetric equilibria of every set of policies.

    Parameters
    ----------
    worth : numpy.ndarray of float64, shape (O, policies)
        Of reach 1 (or 0).
    seats : Seats
    each : int
        Starts in each set; 1 finds all that there are for two players, whose equations are
        linear.
    most : int
        Starts in all; with many sets, each gets fewer.

    Returns
    -------
    numpy.ndarray of float64, shape (equilibria, policies)
    """
    supports = possible_supports(worth, seats)
    alone = supports.sum(axis=1) == 1
    pure = supports[alone].astype(np.float64)
    sets = supports[~alone]
    if not len(sets):
        return equilibria_among(worth, seats, pure)
    each = 1 if seats.players == 2 else max(1, min(each, most // len(sets)))
    solutions = newton(worth, seats, *starts_in(sets, each))
    return equilibria_among(worth, seats, np.concatenate([pure, solutions]))

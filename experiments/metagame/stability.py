"""Whether a mix that all play drives out every small group that plays otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator, Philox

from simlab.experiments.metagame.dynamics import scaled, shares_of
from simlab.experiments.metagame.game import EmpiricalGame, against, slopes
from simlab.experiments.metagame.supports import every_support
from simlab.experiments.metagame.tables import Floats, Ints, Seats

EQUAL = 1e-8
"""Payoffs, in units of their reach, that differ by less are equal."""
DIRECTIONS = 200
"""Mixes tried, besides the pure ones, where the slopes do not decide."""


def evolutionarily_stable(game: EmpiricalGame, mix: Any) -> bool:
    """Whether a mix is evolutionarily stable in a game of any number of players.

    A mix x is, if for every other mix y and every small enough share e of players who turn to
    y, those who stay with x do better than those who turned, when the others at a table are
    drawn from the crowd ``(1 - e) x + e y``. Expanded in e: of the numbers
    ``(x - y) . gains(players - 1 - k from x, k from y)`` for k = 0, 1, ... the first that is
    not zero is positive.

    k = 0 says that x is an equilibrium, and leaves the mixes of policies that earn as much as
    x. k = 1 is a quadratic form in y - x that must be negative: on what moves shares within x
    its eigenvalues are, and what is left for the policies that x lacks is strictly copositive.
    This is exact. Only where it is zero for some y, higher k decide, and these are tried for
    pure y, for y along the zero directions, and for 200 other mixes.

    Parameters
    ----------
    game : EmpiricalGame
    mix : array of float, shape (policies,)

    References
    ----------
    M. Broom, C. Cannings, G. T. Vickers, "Multi-player matrix games" (Bulletin of Mathematical
    Biology 59, 1997). M. Bukowski, J. Miekisz, "Evolutionary and asymptotic stability in
    symmetric multi-player games" (International Journal of Game Theory 33, 2004). J. Haigh,
    "Game theory and evolution" (Advances in Applied Probability 7, 1975) for the quadratic form,
    W. Kaplan, "A test for copositive matrices" (Linear Algebra and its Applications 313, 2000).
    """
    x = shares_of(game, mix)
    worth, seats = scaled(game.worth), game.seats
    gains = against(worth, x, seats)
    if gains.max() - x @ gains > EQUAL:
        return False
    equal = np.flatnonzero(gains >= gains.max() - EQUAL)
    if len(equal) == 1:
        return True
    form, basis = _quadratic_form(slopes(worth, x, seats), x, equal)
    kept = int((x[equal] > 0.0).sum()) - 1
    verdict, zero = _negative(form, kept)
    if verdict is not None:
        return verdict
    return _higher_orders(worth, seats, x, equal, zero @ basis)


def _quadratic_form(known: Floats, x: Floats, equal: Ints) -> tuple[Floats, Floats]:
    """What one who turns gains on one who stays by meeting another who turned, as a form.

    Returns
    -------
    form : numpy.ndarray of float64
        In coordinates of which the first, one fewer than policies of x, may have any sign; the
        others are shares of policies that x lacks, at the cost of one that it has.
    basis : numpy.ndarray of float64
        The change of the mix for each coordinate.
    """
    order = equal[np.argsort(x[equal] == 0.0, kind="stable")]
    basis = np.eye(len(x))[order[1:]] - np.eye(len(x))[order[0]]
    form = basis @ known @ basis.T
    return (form + form.T) / 2, basis


def _negative(form: Floats, kept: int) -> tuple[bool | None, Floats]:
    """Whether the form is negative for all changes that a mix can make; None if zero for some.

    The second value are those for which it is zero, as rows.
    """
    inner, across, outer = form[:kept, :kept], form[:kept, kept:], form[kept:, kept:]
    sizes, directions = np.linalg.eigh(inner) if kept else (np.zeros(0), np.zeros((0, 0)))
    if (sizes > EQUAL).any():
        return False, form[:0]
    flat = sizes > -EQUAL
    if flat.any():
        rows = np.zeros((int(flat.sum()), len(form)))
        rows[:, :kept] = directions[:, flat].T
        return None, np.vstack([rows, -rows])
    rest = outer - across.T @ np.linalg.solve(inner, across) if kept else outer
    worst, shares = _largest_on_shares(rest)
    if worst > EQUAL:
        return False, form[:0]
    if worst < -EQUAL:
        return True, form[:0]
    moved = -np.linalg.solve(inner, across @ shares) if kept else np.zeros(0)
    return None, np.concatenate([moved, shares])[None]


def _largest_on_shares(form: Floats) -> tuple[float, Floats]:
    """Greatest value of the form over vectors of length 1 without negative entries.

    It is taken at an eigenvector of a principal part whose entries are all positive.
    """
    if not len(form):
        return -np.inf, np.zeros(0)
    best, where = -np.inf, np.zeros(len(form))
    for part in every_support(len(form)):
        sizes, directions = np.linalg.eigh(form[np.ix_(part, part)])
        for size, direction in zip(sizes, directions.T, strict=True):
            turned = direction * np.sign(direction.sum())
            if size > best and (turned > 0.0).all():
                best, where = float(size), np.zeros(len(form))
                where[part] = turned
    return best, where


def _higher_orders(worth: Floats, seats: Seats, x: Floats, equal: Ints, directions: Floats) -> bool:
    """Whether those who stay do better than every kind that is tried."""
    rng = Generator(Philox(len(equal)))
    tried = np.zeros((DIRECTIONS, len(x)))
    tried[:, equal] = rng.dirichlet(np.ones(len(equal)), DIRECTIONS)
    ways = np.vstack([np.eye(len(x))[equal] - x, directions, tried - x])
    ways = ways[np.abs(ways).max(axis=1) > EQUAL]
    return all(_stays(worth, seats, x, _moved(x, way)) for way in ways)


def _moved(x: Floats, direction: Floats) -> Floats:
    """The mix farthest from x in a direction."""
    falling = direction < -EQUAL
    length = (x[falling] / -direction[falling]).min() if falling.any() else 0.0
    return np.asarray((x + length * direction).clip(min=0.0))


def _stays(worth: Floats, seats: Seats, x: Floats, y: Floats) -> bool:
    """Whether x does better than y among few y: the lowest order in their share decides."""
    shares = np.linspace(0.0, 1.0, seats.players)
    mixes = (1.0 - shares[:, None]) * x + shares[:, None] * y
    leads = against(worth, mixes, seats) @ (x - y)
    orders = np.polynomial.polynomial.polyfit(shares, leads, seats.players - 1)
    size = np.abs(x - y).max()
    counted = orders[np.abs(orders) > 1e3 * EQUAL * size]
    return bool(len(counted) and counted[0] > 0.0)

"""Who can sit at a table: every group of policies that fills its seats, counted and numbered.

Seats are alike here, so a group is a multiset: two of one policy and one of another. A group is
written as its members, ascending: ``(0, 0, 2)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

MOST_GROUPS = 2_000_000
"""More groups than this are refused: their payoffs alone would take gigabytes."""


def number_of_groups(policies: int, seats: int) -> int:
    """How many groups of policies fill so many seats."""
    return math.comb(policies + seats - 1, seats)


def can_be_numbered(policies: int, seats: int) -> bool:
    """Whether the groups are few enough to hold, and have numbers that fit in 63 bits."""
    return number_of_groups(policies, seats) <= MOST_GROUPS and policies**seats < 2**62


@lru_cache(maxsize=32)
def groups(policies: int, seats: int) -> Ints:
    """Every group of policies for so many seats, as members, in lexicographic order.

    Returns
    -------
    numpy.ndarray of int64, shape (groups, seats)
    """
    count = number_of_groups(policies, seats)
    found = np.empty((count, seats), dtype=np.int64)
    for place, members in enumerate(combinations_with_replacement(range(policies), seats)):
        found[place] = members
    found.setflags(write=False)
    return found


def counted(members: Ints, policies: int) -> Ints:
    """Seats of each policy in each group; shape (groups, policies)."""
    return np.asarray((members[:, :, None] == np.arange(policies)).sum(axis=1), dtype=np.int64)


def members_of(counts: Ints) -> Ints:
    """Members of each group, ascending, from the seats of each policy."""
    seats = int(counts[0].sum()) if len(counts) else 0
    names = np.tile(np.arange(counts.shape[1]), len(counts))
    return np.repeat(names, counts.ravel()).reshape(len(counts), seats)


def places_of(members: Ints, policies: int) -> Ints:
    """Places in `groups` of groups given by their members in any order; any leading shape."""
    seats = members.shape[-1]
    if seats == 0:
        return np.zeros(members.shape[:-1], dtype=np.int64)
    digits = policies ** np.arange(seats - 1, -1, -1, dtype=np.int64)
    known = groups(policies, seats) @ digits
    return np.asarray(np.searchsorted(known, np.sort(members, axis=-1) @ digits), dtype=np.int64)


def ways(members: Ints) -> Floats:
    """In how many orders each group can be drawn one by one (multinomial coefficients)."""
    seats = members.shape[1]
    orders = np.full(len(members), float(math.factorial(seats)))
    run = np.ones(len(members))
    for seat in range(1, seats):
        run = np.where(members[:, seat] == members[:, seat - 1], run + 1.0, 1.0)
        orders /= run
    return orders


@dataclass(frozen=True, eq=False)
class Seats:
    """The groups that one seat can meet, numbered, and what they make with one more policy.

    Attributes
    ----------
    policies, players : int
    others : numpy.ndarray of int64, shape (O, players - 1)
        The groups that the other seats can be, as members.
    other_ways : numpy.ndarray of float64, shape (O,)
        Orders in which each of them is drawn.
    tables : numpy.ndarray of int64, shape (O, policies)
        Place in ``groups(policies, players)`` of the table that one seat of a policy makes with
        these others.
    rest : numpy.ndarray of int64, shape (R, players - 2)
        Groups one seat smaller than the others.
    rest_ways : numpy.ndarray of float64, shape (R,)
    grown : numpy.ndarray of int64, shape (R, policies)
        Place in ``others`` of the rest with one more seat of a policy.
    """

    policies: int
    players: int
    others: Ints
    other_ways: Floats
    tables: Ints
    rest: Ints
    rest_ways: Floats
    grown: Ints


@lru_cache(maxsize=32)
def seats_of(policies: int, players: int) -> Seats:
    """Number the groups for so many policies and players."""
    others, rest = groups(policies, players - 1), groups(policies, players - 2)
    return Seats(
        policies=policies,
        players=players,
        others=others,
        other_ways=ways(others),
        tables=_with_one_more(others, policies),
        rest=rest,
        rest_ways=ways(rest),
        grown=_with_one_more(rest, policies),
    )


def _with_one_more(members: Ints, policies: int) -> Ints:
    one = np.broadcast_to(np.arange(policies), (len(members), policies))[..., None]
    many = np.broadcast_to(members[:, None, :], (len(members), policies, members.shape[1]))
    return places_of(np.concatenate([many, one], axis=-1), policies)


def chances(mixes: Floats, orders: Floats, seats: int) -> Floats:
    """Chance of each group when its seats are drawn independently from a mix.

    Groups in lexicographic order that begin with a policy are that policy with the last groups
    of one seat less, so their products are built from slices, without looking anything up.

    Parameters
    ----------
    mixes : numpy.ndarray of float64, shape (..., policies)
    orders : numpy.ndarray of float64, shape (groups,)
        From `ways`.
    seats : int
        Seats of a group.

    Returns
    -------
    numpy.ndarray of float64, shape (..., groups)
    """
    if seats == 0:
        return np.ones((*mixes.shape[:-1], 1))
    policies = mixes.shape[-1]
    found = mixes
    for seat in range(2, seats + 1):
        fewer, begin = found, 0
        found = np.empty((*mixes.shape[:-1], number_of_groups(policies, seat)))
        for first in range(policies):
            size = number_of_groups(policies - first, seat - 1)
            end = begin + size
            part, share = fewer[..., fewer.shape[-1] - size :], mixes[..., first, None]
            np.multiply(part, share, out=found[..., begin:end])
            begin = end
    return np.asarray(found * orders)

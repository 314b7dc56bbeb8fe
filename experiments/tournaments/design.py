"""Which policies meet at which tables, so that nobody's field is easier than another's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.errors import UsageError

if TYPE_CHECKING:
    import numpy.typing as npt

    Tables = npt.NDArray[np.int64]

EVERY, BALANCED, GAUNTLET = "every table", "balanced", "gauntlet"
"""Kinds of design."""
FEW_TABLES = 1000
"""Every table is played while there are at most so many; more are sampled in balance."""
MOST_TABLES = 5000
MOST_MIXES = 500
"""Tables that are played among the best of a sample, for the game of mixes."""
CANDIDATES = 3000
"""Base tables that are drawn to choose from."""
REPAIRS = 1500


@dataclass(frozen=True)
class Design:
    """The tables of a tournament and how much each counts.

    Attributes
    ----------
    kind : {"every table", "balanced", "gauntlet"}
    seats : numpy.ndarray of int64, shape (tables, policies)
        Seats that each policy holds at each table; a row sums to the players of a game.
    weights : numpy.ndarray of float64, shape (tables,)
        How much a table counts in a mean; they sum to one.
    """

    kind: str
    seats: Tables
    weights: npt.NDArray[np.float64]

    @property
    def players(self) -> int:
        """Seats at a table."""
        return int(self.seats[0].sum())

    @property
    def policies(self) -> int:
        """Policies that take part."""
        return int(self.seats.shape[1])

    def members(self, table: int) -> list[int]:
        """Policies at a table, in their order."""
        return [int(who) for who in np.flatnonzero(self.seats[table])]

    @cached_property
    def meetings(self) -> Tables:
        """At how many tables each two policies meet, shape (policies, policies)."""
        present = (self.seats > 0).astype(np.int64)
        found: Tables = present.T @ present
        return found

    def record(self) -> dict[str, Any]:
        """As plain values: each table as the policies that hold its seats."""
        tables = [
            [who for who in self.members(t) for _ in range(row[who])] for t, row in self._rows()
        ]
        return {"kind": self.kind, "tables": tables, "weights": self.weights.tolist()}

    def _rows(self) -> list[tuple[int, Tables]]:
        return list(enumerate(self.seats))


def of_record(record: dict[str, Any], policies: int) -> Design:
    """Read what `Design.record` wrote."""
    tables = _counted(record["tables"], policies)
    return Design(record["kind"], tables, np.array(record["weights"]))


def _counted(tables: list[Any], policies: int) -> Tables:
    found = np.zeros((len(tables), policies), np.int64)
    for row, table in zip(found, tables, strict=True):
        np.add.at(row, list(table), 1)
    return found


def number_of_tables(policies: int, players: int) -> int:
    """Multisets of policies at a table: ``C(policies + players - 1, players)``."""
    return math.comb(policies + players - 1, players)


def every_table(policies: int, players: int) -> Design:
    """Every multiset of policies, weighted by the ordered line-ups that it stands for.

    So a policy's weighted mean is what it wins when each other seat is drawn from all policies
    alike, its own kind included; over all policies these means average to a fair share.
    """
    tables = list(combinations_with_replacement(range(policies), players))
    seats = _counted(tables, policies)
    return Design(EVERY, seats, line_ups(seats) / policies**players)


def mixes_among(policies: int, players: int) -> int:
    """So many of the best policies that all their tables are few enough for the game of mixes."""
    best = 1
    while best < policies and number_of_tables(best + 1, players) <= MOST_MIXES:
        best += 1
    return best


def line_ups(seats: Tables) -> npt.NDArray[np.float64]:
    """Orders in which the policies of each table can sit (multinomial coefficients)."""
    found = [
        math.factorial(int(row.sum())) / math.prod(math.factorial(int(n)) for n in row)
        for row in seats
    ]
    return np.array(found)


def gauntlet(policies: int, players: int, focus: int, most: int = FEW_TABLES) -> Design:
    """One policy against every multiset of the others, weighted as if drawn seat by seat.

    Raises
    ------
    UsageError
        If there are too many such tables, or nobody to meet.
    """
    others = [who for who in range(policies) if who != focus]
    if not others:
        raise UsageError("a gauntlet needs a field: name more policies than the one in focus")
    count = number_of_tables(len(others), players - 1)
    if count > most:
        raise UsageError(
            f"a gauntlet of {len(others)} opponents has {count:,} tables, more than {most:,}; "
            "name fewer policies"
        )
    fields = list(combinations_with_replacement(others, players - 1))
    field_seats = _counted(fields, policies)
    weights = line_ups(field_seats) / len(others) ** (players - 1)
    return Design(GAUNTLET, _counted([(focus, *f) for f in fields], policies), weights)


def balanced(policies: int, players: int, tables: int, seed: int = 0) -> Design:
    """About so many tables of different policies, at which all pairs meet equally often.

    A cyclic design: a few base tables, each moved round the ring of policies, so that every
    policy sits at equally many; base tables are sought whose pairs meet equally often to within
    one table. Who stands where on the ring is drawn from the seed.

    Parameters
    ----------
    policies, players : int
        More policies than players.
    tables : int
        Wanted; a multiple of ``policies`` near it is made.
    seed : int

    Raises
    ------
    UsageError
        If no such design is found near that number of tables.

    References
    ----------
    J. A. John, E. R. Williams, "Cyclic and Computer Generated Designs" (Chapman and Hall, 1995).
    """
    rng = np.random.Generator(np.random.Philox(seed))
    wanted = max(1, round(tables / policies))
    for bases in sorted(range(1, 2 * wanted + 2), key=lambda count: (abs(count - wanted), count)):
        found = _base_tables(policies, players, bases, rng)
        if found is not None:
            break
    else:
        raise UsageError(
            f"no balanced design of about {tables:,} tables for {policies} policies and "
            f"{players} players; another number of tables may do"
        )
    ring = rng.permutation(policies)
    moved = [ring[(base + step) % policies] for base in found for step in range(policies)]
    seats = _counted(moved, policies)
    return Design(BALANCED, seats, np.full(len(seats), 1 / len(seats)))


def _base_tables(
    policies: int, players: int, bases: int, rng: np.random.Generator
) -> Tables | None:
    """Base tables whose pairs meet equally often, moved round the ring; None if none is found.

    Two policies ``d`` apart on the ring meet once for each pair of a base table that is ``d``
    apart; twice if ``d`` is half the ring, since the move by half of it brings them back.
    """
    drawn = rng.permuted(np.tile(np.arange(policies), (CANDIDATES, 1)), axis=1)[:, :players]
    meetings = _meetings(drawn, policies)
    pairs = np.full(policies // 2, 2)  # pairs so far apart, over half the policies
    if policies % 2 == 0:
        pairs[-1] = 1
    chosen = [int(one) for one in rng.integers(CANDIDATES, size=bases)]
    total = meetings[chosen].sum(axis=0)
    for _ in range(REPAIRS):
        if total.max() - total.min() <= 1:
            return drawn[chosen]
        # One base table is taken away, and one that suits those left is put in its place: not
        # always the best, or the same few would come and go.
        total = total - meetings[chosen.pop(int(rng.integers(bases)))]
        unevenness = (total + meetings) ** 2 @ pairs + rng.integers(0, 3, CANDIDATES)
        chosen.append(int(unevenness.argmin()))
        total = total + meetings[chosen[-1]]
    return None


def _meetings(bases: Tables, policies: int) -> Tables:
    """At how many tables policies ``1, 2, ... half the ring`` apart meet, a row for each base."""
    ahead, behind = np.triu_indices(bases.shape[1], 1)
    apart = np.abs(bases[:, ahead] - bases[:, behind])
    apart = np.minimum(apart, policies - apart)
    half = policies // 2
    places = apart - 1 + half * np.arange(len(bases))[:, None]
    found: Tables = np.bincount(places.ravel(), minlength=half * len(bases)).astype(np.int64)
    found = found.reshape(len(bases), half)
    if policies % 2 == 0:
        found[:, -1] *= 2
    return found


def choose(
    policies: int,
    players: int,
    *,
    focus: int | None = None,
    tables: int | None = None,
    seed: int = 0,
) -> Design:
    """The design of a tournament: every table while they are few, else a balanced sample.

    Parameters
    ----------
    policies, players : int
    focus : int, optional
        Place of the policy that plays a gauntlet.
    tables : int, optional
        Tables of a balanced design, also where every table could be played.
    seed : int
        Of the balanced design.

    Raises
    ------
    UsageError
        If no such design exists.
    """
    if tables is not None and not 1 <= tables <= MOST_TABLES:
        raise UsageError(f"tables go from 1 to {MOST_TABLES}, got {tables}")
    if focus is not None and tables is not None:
        raise UsageError("--focus and --tables exclude each other: a gauntlet plays every table")
    if focus is not None:
        return gauntlet(policies, players, focus)
    everything = number_of_tables(policies, players)
    if everything <= (FEW_TABLES if tables is None else tables):
        return every_table(policies, players)
    if policies <= players:
        raise UsageError(
            f"a balanced design needs more policies than the {players} seats, got {policies}"
        )
    return balanced(policies, players, tables or FEW_TABLES, seed)

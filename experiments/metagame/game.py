"""A tournament as a game: what a seat of each policy gets at every table it can sit at.

The players are alike (seats are rotated), each picks a policy, and a table's payoffs depend on
how many seats of each policy there are: a symmetric game of as many players as the table seats,
known as a heuristic payoff table (Walsh, Das, Tesauro, Kephart, "Analyzing complex strategic
interactions in multi-agent systems", AAAI workshop on game theoretic and decision theoretic
agents, 2002).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.random import Generator

from simlab.errors import UsageError, unknown
from simlab.experiments.metagame import tables
from simlab.experiments.metagame.tables import Flags, Floats, Ints, Seats

TINY = 1e-12
"""Parts of a covariance that are so much smaller than the largest are rounding."""

ONE_CORE = 200_000
"""Products of numbers in a matrix product that OpenBLAS does not share out to threads."""


@dataclass(frozen=True, eq=False)
class EmpiricalGame:
    """A symmetric game whose payoffs were estimated by playing, table by table.

    Attributes
    ----------
    policies : tuple of str
    players : int
        Seats of a table, at least 2.
    profiles : numpy.ndarray of int64, shape (M, policies)
        Seats that each policy held at each table; a row sums to ``players``.
    payoffs : numpy.ndarray of float64, shape (M, policies)
        Mean payoff (win share, points) of ONE seat of each policy; NaN where it had none.
    covariances : numpy.ndarray of float64, shape (M, policies, policies), or None
        Covariance of those means (not of single deals) at each table; what belongs to absent
        policies is not looked at. Tables are taken as independent: each has deals of its own.
        None for no error at all.
    deals : numpy.ndarray of int64, shape (M,), or None
        Deals behind each table, at least 1; None when the payoffs are known without playing.

    Raises
    ------
    UsageError
        When the parts do not fit each other. Tables may be missing as long as nothing is asked
        that needs them: `restrict` takes the part of a game that was played in full.
    """

    policies: tuple[str, ...]
    players: int
    profiles: Ints
    payoffs: Floats
    covariances: Floats | None = None
    deals: Ints | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "policies", tuple(self.policies))
        object.__setattr__(self, "profiles", np.asarray(self.profiles, dtype=np.int64))
        object.__setattr__(self, "payoffs", np.array(self.payoffs, dtype=np.float64))
        self._check_tables()
        self._check_numbers()

    def _check_tables(self) -> None:
        count = len(self.policies)
        if count == 0 or len(set(self.policies)) < count:
            raise UsageError(f"a game needs policies with different names, got {self.policies}")
        if self.players < 2:
            raise UsageError(f"a game needs at least 2 players, got {self.players}")
        if not tables.can_be_numbered(count, self.players):
            raise UsageError(f"{count} policies at {self.players} seats are too many tables")
        if self.profiles.ndim != 2 or self.profiles.shape[1] != count or not len(self.profiles):
            raise UsageError(f"profiles have a row a table and {count} columns, a column a policy")
        wrong = (self.profiles < 0).any(axis=1) | (self.profiles.sum(axis=1) != self.players)
        if wrong.any():
            row = self.profiles[wrong.argmax()].tolist()
            raise UsageError(f"a table has {self.players} seats, got the profile {row}")
        if len(np.unique(self.profiles, axis=0)) < len(self.profiles):
            raise UsageError("a table is listed twice in the profiles; put its deals together")

    def _check_numbers(self) -> None:
        if self.payoffs.shape != self.profiles.shape:
            raise UsageError(
                f"payoffs have the shape of the profiles {self.profiles.shape}, "
                f"got {self.payoffs.shape}"
            )
        for table in np.flatnonzero((~np.isfinite(self.payoffs) & self.present).any(axis=1)):
            raise UsageError(f"a payoff is missing at the table {self.table_name(int(table))}")
        self.payoffs[~self.present] = np.nan
        object.__setattr__(self, "deals", self._checked_deals())
        object.__setattr__(self, "covariances", self._checked_covariances())

    def _checked_deals(self) -> Ints | None:
        if self.deals is None:
            return None
        deals = np.asarray(self.deals, dtype=np.int64)
        if deals.shape != (len(self.profiles),):
            raise UsageError(f"deals hold a number a table: {len(self.profiles)} of them")
        for table in np.flatnonzero(deals < 1):
            raise UsageError(f"no deal was played at the table {self.table_name(int(table))}")
        return deals

    def _checked_covariances(self) -> Floats:
        count = len(self.policies)
        shape = (len(self.profiles), count, count)
        if self.covariances is None:
            return np.zeros(shape)
        given = np.array(self.covariances, dtype=np.float64)
        if given.shape != shape:
            raise UsageError(f"covariances have the shape {shape}, got {given.shape}")
        given[~(self.present[:, :, None] & self.present[:, None, :])] = 0.0
        if self.deals is not None:
            given[self.deals < 2] = 0.0  # whatever stands there, one deal has no spread
        variances = np.einsum("mii->mi", given)
        for table in np.flatnonzero(~np.isfinite(given).all((1, 2)) | (variances < 0).any(1)):
            raise UsageError(f"no covariance at the table {self.table_name(int(table))}")
        return (given + given.transpose(0, 2, 1)) / 2

    @classmethod
    def known(
        cls, policies: Sequence[str], players: int, payoff: Callable[[int, Ints], float]
    ) -> EmpiricalGame:
        """Make a game from its rules, with no error: the textbook kind.

        Parameters
        ----------
        policies : sequence of str
        players : int
        payoff : function of int and array of int64
            Payoff of a seat of a policy when the others hold so many seats of each policy.
        """
        count = len(policies)
        profiles = tables.counted(tables.groups(count, players), count)
        payoffs = np.full(profiles.shape, np.nan)
        for table, policy in zip(*np.nonzero(profiles), strict=True):
            others = profiles[table] - np.eye(count, dtype=np.int64)[policy]
            payoffs[table, policy] = payoff(int(policy), others)
        return cls(tuple(policies), players, profiles, payoffs)

    @classmethod
    def of_matrix(cls, policies: Sequence[str], matrix: Any) -> EmpiricalGame:
        """Make a two-player game: ``matrix[i][j]`` is what i gets against j."""
        gains = np.asarray(matrix, dtype=np.float64)
        return cls.known(policies, 2, lambda i, others: float(gains[i] @ others))

    # --- What is in it ------------------------------------------------------------------

    @property
    def present(self) -> Flags:
        """Whether each policy has a seat at each table."""
        return np.asarray(self.profiles > 0)

    @property
    def mixed(self) -> Flags:
        """Whether more than one policy sits at each table."""
        return np.asarray(self.present.sum(axis=1) > 1)

    @cached_property
    def reach(self) -> float:
        """Greatest payoff minus the least."""
        return float(np.nanmax(self.payoffs) - np.nanmin(self.payoffs))

    def table_name(self, table: int) -> str:
        """Write a table as a line-up: ``2xgreedy, random``."""
        return _line_up(self.policies, self.profiles[table])

    @cached_property
    def single_deals(self) -> tuple[str, ...]:
        """Tables of several policies that were played in one deal, which has no error."""
        if self.deals is None:
            return ()
        single = np.flatnonzero((self.deals == 1) & self.mixed)
        return tuple(self.table_name(int(table)) for table in single)

    @cached_property
    def seats(self) -> Seats:
        """The groups that the other seats can be."""
        return tables.seats_of(len(self.policies), self.players)

    @cached_property
    def rows(self) -> Ints:
        """Row of each table of `tables.groups`.

        Raises
        ------
        UsageError
            When a table is missing; the message names it.
        """
        count = len(self.policies)
        every = tables.groups(count, self.players)
        rows = np.full(len(every), -1, dtype=np.int64)
        rows[tables.places_of(tables.members_of(self.profiles), count)] = np.arange(
            len(self.profiles)
        )
        missing = np.flatnonzero(rows < 0)
        if len(missing):
            seats = tables.counted(every[missing[:1]], count)[0]
            raise UsageError(
                f"{len(missing)} of {len(every)} tables were not played, such as "
                f"{_line_up(self.policies, seats)}; play them, or restrict the game to fewer "
                "policies"
            )
        return rows

    def worth_of(self, payoffs: Floats) -> Floats:
        """Payoffs sorted by who the others are.

        Parameters
        ----------
        payoffs : numpy.ndarray of float64, shape (..., M, policies)
            As ``payoffs`` of the game.

        Returns
        -------
        numpy.ndarray of float64, shape (..., O, policies)
            What a seat of each policy gets when the other seats are a group of ``seats.others``.
        """
        found: Floats = payoffs[..., self.rows[self.seats.tables], np.arange(len(self.policies))]
        return found

    @cached_property
    def worth(self) -> Floats:
        """`worth_of` the estimated payoffs; shape (O, policies)."""
        return self.worth_of(self.payoffs)

    def payoffs_against(self, mix: Any) -> Floats:
        """Expected payoff of one seat of each policy when the others are drawn from a mix.

        Exact: each of the other ``players - 1`` seats is drawn independently.

        Parameters
        ----------
        mix : array of float, shape (policies,) or (..., policies)
            Shares of the policies, summing to 1.

        Returns
        -------
        numpy.ndarray of float64, of the same shape
        """
        return against(self.worth, np.asarray(mix, dtype=np.float64), self.seats)

    def regret(self, mix: Any) -> float:
        """How much the best policy gains on a mix when the others play the mix; 0 for Nash."""
        shares = np.asarray(mix, dtype=np.float64)
        gains = self.payoffs_against(shares)
        return float(max(0.0, gains.max() - shares @ gains))

    def restrict(self, policies: Sequence[str]) -> EmpiricalGame:
        """Keep these policies, in this order, and the tables that only they sit at.

        Raises
        ------
        UsageError
            When one of them is not in the game.
        """
        for name in policies:
            if name not in self.policies:
                raise unknown("policy of this game", name, self.policies)
        kept = [self.policies.index(name) for name in policies]
        rows = self.profiles[:, kept].sum(axis=1) == self.players
        assert self.covariances is not None
        return EmpiricalGame(
            tuple(policies),
            self.players,
            self.profiles[rows][:, kept],
            self.payoffs[rows][:, kept],
            self.covariances[rows][:, kept][:, :, kept],
            None if self.deals is None else self.deals[rows],
        )

    # --- How sure it is -----------------------------------------------------------------

    @cached_property
    def spread(self) -> Floats:
        """Covariance of the payoffs, with what deals that all agree cannot rule out.

        A policy that never won, or never lost, at a table shows no variance there, and yet its
        next deal may differ. It gets the deviation that one such deal among those played would
        have made (a win for one of its seats, of the size of the reach, at the cost of the
        others), which is also the posterior deviation after Laplace's rule of succession. After
        a single deal, that is the whole reach of the payoffs.
        """
        assert self.covariances is not None
        found = self.covariances.copy()
        if self.deals is None:
            return found
        variances = np.einsum("mii->mi", found)
        nothing = (TINY * self.reach) ** 2
        for table, policy in zip(*np.nonzero(self.present & self.mixed[:, None]), strict=True):
            if variances[table, policy] <= nothing:
                change = self._one_more_win(int(table), int(policy))
                found[table] += np.outer(change, change)
        return found

    def _one_more_win(self, table: int, policy: int) -> Floats:
        """What one deal that a policy wins instead of others adds to the means at a table."""
        assert self.deals is not None
        seats = int(self.profiles[table, policy])
        change = np.where(self.present[table], -1.0 / (self.players - seats), 0.0)
        change[policy] = 1.0 / seats
        return np.asarray(change * self.reach / self.deals[table])

    @cached_property
    def _roots(self) -> Floats:
        """Matrices whose products with normal numbers vary as the payoffs do."""
        sizes, directions = np.linalg.eigh(self.spread)
        largest = sizes.max(axis=1, keepdims=True)
        sizes = np.where(sizes > TINY * largest, sizes, 0.0)
        roots: Floats = directions * np.sqrt(sizes)[:, None, :]
        return roots

    def drawn_payoffs(self, rng: Generator) -> Floats:
        """Payoffs that might have been found instead, given the error of those that were.

        The Gaussian multiplier bootstrap over deals needs no more than the covariance of the
        deal means; dividing by the root of a chi-square over the deals (Student's factor) makes
        up for that covariance being an estimate. What sums to a constant at a table, as win
        shares do, still does.

        References
        ----------
        V. Chernozhukov, D. Chetverikov, K. Kato, "Gaussian approximations and multiplier
        bootstrap for maxima of sums of high-dimensional random vectors" (Annals of Statistics
        41, 2013).
        """
        normal = rng.standard_normal(self.payoffs.shape)
        noise = np.einsum("mij,mj->mi", self._roots, normal)
        if self.deals is not None:
            free = np.maximum(self.deals - 1, 1).astype(np.float64)
            scale = np.sqrt(free / rng.chisquare(free))
            noise *= np.where(self.deals > 1, scale, 1.0)[:, None]
        return np.asarray(self.payoffs + noise)

    def draw(self, rng: Generator) -> EmpiricalGame:
        """The game as it might have been found instead: one resample of all its payoffs."""
        return EmpiricalGame(
            self.policies,
            self.players,
            self.profiles,
            self.drawn_payoffs(rng),
            self.covariances,
            self.deals,
        )


def _line_up(policies: Sequence[str], seats: Ints) -> str:
    held = [(int(count), name) for count, name in zip(seats, policies, strict=True) if count]
    return ", ".join(name if count == 1 else f"{count}x{name}" for count, name in held)


def against(worth: Floats, mixes: Floats, seats: Seats) -> Floats:
    """Expected payoff of each policy when the others are drawn from a mix, for many at once.

    Parameters
    ----------
    worth : numpy.ndarray of float64, shape (..., O, policies)
    mixes : numpy.ndarray of float64, shape (policies,) or (..., mixes, policies)

    Returns
    -------
    numpy.ndarray of float64, of the shape of the mixes
    """
    found: Floats = tables.chances(mixes, seats.other_ways, seats.players - 1) @ worth
    return found


def slopes(worth: Floats, mixes: Floats, seats: Seats) -> Floats:
    """What each policy gets when one of the others is of a known policy, the rest of a mix.

    ``players - 1`` times this is the derivative of `against` by the mix.

    Parameters
    ----------
    worth : numpy.ndarray of float64, shape (O, policies)
    mixes : numpy.ndarray of float64, shape (..., policies)

    Returns
    -------
    numpy.ndarray of float64, shape (..., policies, policies)
        The last axis is whose payoff, the one before it who the known other is.
    """
    count = seats.policies
    grown = worth[seats.grown].reshape(len(seats.rest), count * count)
    weights = tables.chances(mixes, seats.rest_ways, seats.players - 2)
    found = product(weights.reshape(-1, len(grown)), grown)
    return np.asarray(found.reshape(*mixes.shape[:-1], count, count))


def product(many: Floats, matrix: Floats) -> Floats:
    """``many @ matrix`` in blocks of rows, each so small that BLAS does it on one core.

    Its threads wait for each other where other programs keep the cores busy: a bootstrap took
    two and a half times the work.
    """
    blocks = 1 + many.size * matrix.shape[1] // ONE_CORE
    return np.concatenate([part @ matrix for part in np.array_split(many, blocks)])

"""From the sums of many tables to rates and meetings, each with its error over deals.

Every number of a tournament is a weighted sum of means of tables. The tables meet deals of their
own, so that their errors add up; within a table, policies of the same deals hang together, which
the covariances say. The deals of such a sum are as many as would tell as much if all counted
alike (Kish, "Survey sampling", 1965): it grows as its variance shrinks, whatever else is played.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.contract import WHOLE_WIN
from simlab.experiments.intervals import Estimate
from simlab.experiments.plans import FEWEST_DEALS
from simlab.totals import pair_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from simlab.experiments.counting import Count
    from simlab.experiments.study import Study
    from simlab.experiments.tournaments.design import Design

    Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Table:
    """What one table found.

    Attributes
    ----------
    members : list of int
        Policies of the tournament that sit there, k of them.
    deals, games : int
    shares : numpy.ndarray, shape (k,)
        Mean win share of a seat of each.
    share_errors : numpy.ndarray, shape (k, k)
        Covariances of these means.
    ahead : numpy.ndarray, shape (k, k)
        How often a seat of the one ends ahead of one of the other, ties half.
    ahead_errors : numpy.ndarray, shape (pairs, pairs)
        Covariances of these means, by pairs as `simlab.totals.pair_of` counts them.
    seat_shares, seat_errors : numpy.ndarray, shape (k, players)
        Mean win share in each seat, and its standard error; NaN where it never sat.
    """

    members: list[int]
    deals: int
    games: int
    shares: Floats
    share_errors: Floats
    ahead: Floats
    ahead_errors: Floats
    seat_shares: Floats
    seat_errors: Floats


def read_table(members: list[int], study: Study, count: Count) -> Table:
    """Read one table's sums; those of a table that never played are NaN."""
    k, turns, deals = len(members), len(study.seatings), count.deals
    if not deals:
        pairs, seats = pair_of(0, k), len(study.matchup.policies)
        return Table(
            members, 0, 0, *(np.full(s, np.nan) for s in ((k,), (k, k), (k, k), (pairs, pairs))),
            *(np.full((k, seats), np.nan) for _ in range(2)),
        )  # fmt: skip
    held = [study.matchup.seating.count(who) for who in range(k)]
    place = study.game.all_seat_columns.index("win_share")
    sums = count.sums["sums"][:k, :, place]
    units = [WHOLE_WIN * turns * n for n in held]
    totals = [int(row.sum()) for row in sums]
    shares = np.array([total / (deals * unit) for total, unit in zip(totals, units, strict=True)])
    errors = _covariances(totals, count.sums["share_products"], units, deals)
    ahead, ahead_errors = _meetings(held, turns, count)
    by_seat = _by_seat(study, count, k, place)
    return Table(members, deals, count.games, shares, errors, ahead, ahead_errors, *by_seat)


def _covariances(totals: list[int], products: Any, units: list[int], deals: int) -> Floats:
    """Of means over deals, from exact sums and sums of products; zero for a single deal."""
    k = len(totals)
    found = np.zeros((k, k))
    if deals < 2:
        return found
    for i in range(k):
        for j in range(k):
            between = deals * int(products[i][j]) - totals[i] * totals[j]
            found[i, j] = between / (deals * (deals - 1)) / deals / (units[i] * units[j])
    return found


def _meetings(held: list[int], turns: int, count: Count) -> tuple[Floats, Floats]:
    k = len(held)
    ahead = np.full((k, k), 0.5)
    totals, units = [0] * pair_of(0, k), [1] * pair_of(0, k)
    for j in range(k):
        for i in range(j):
            unit = 2 * turns * held[i] * held[j]
            totals[pair_of(i, j)], units[pair_of(i, j)] = int(count.sums["ahead"][i, j]), unit
            ahead[i, j] = totals[pair_of(i, j)] / (count.deals * unit)
            ahead[j, i] = 1 - ahead[i, j]
    return ahead, _covariances(totals, count.sums["ahead_products"], units, count.deals)


def _by_seat(study: Study, count: Count, k: int, place: int) -> tuple[Floats, Floats]:
    """Win shares by seat. A deal's games in one seat count as one, which they mostly are."""
    seats = len(study.matchup.policies)
    shares, errors = np.full((k, seats), np.nan), np.full((k, seats), np.nan)
    times = _times_in_seat(study, k)
    for who in range(k):
        for seat in range(seats):
            if not times[who][seat]:
                continue
            games = count.deals * times[who][seat]
            total = int(count.sums["sums"][who, seat, place])
            squares = int(count.sums["squares"][who, seat, place])
            shares[who, seat] = total / games / WHOLE_WIN
            spread = games * squares - total * total
            if count.deals > 1:
                variance = spread / (games * (games - 1)) / WHOLE_WIN**2
                errors[who, seat] = math.sqrt(variance / count.deals)
    return shares, errors


def _times_in_seat(study: Study, k: int) -> list[list[int]]:
    """Games of a deal that each policy plays in each seat; none is known where seats are drawn."""
    if study.shuffled:
        return [[0] * len(study.matchup.policies)] * k
    return [[int((column == who).sum()) for column in study.seatings.T] for who in range(k)]


@dataclass(frozen=True)
class Reading:
    """All tables of a tournament, read.

    Attributes
    ----------
    design : Design
    tables : sequence of Table
        One a row of the design.
    """

    design: Design
    tables: Sequence[Table]

    @property
    def deals(self) -> int:
        """Deals of all tables."""
        return sum(table.deals for table in self.tables)

    @property
    def games(self) -> int:
        """Games of all tables."""
        return sum(table.games for table in self.tables)

    @property
    def whole(self) -> bool:
        """Whether every table has played enough to have an error."""
        return all(table.deals >= FEWEST_DEALS for table in self.tables)

    @cached_property
    def rates(self) -> Floats:
        """Win rate of each policy by the design's weights; NaN where a table of its is missing."""
        return self._weighted(self._own_weights)[0]

    @cached_property
    def rate_errors(self) -> Floats:
        """Covariances of the win rates, shape (policies, policies)."""
        return self._weighted(self._own_weights)[1]

    @cached_property
    def _own_weights(self) -> Floats:
        """How much each table counts for each policy, (tables, policies); columns sum to 1."""
        return _normed(self.design.weights[:, None] * self.design.seats)

    @cached_property
    def own_deals(self) -> Floats:
        """Deals behind each win rate, as if they counted alike."""
        return self.deals_behind(self._own_weights)

    def deals_behind(self, weights: Floats) -> Floats:
        """Deals that would tell as much if they counted alike, for columns of weights of tables."""
        deals = np.array([max(table.deals, 1) for table in self.tables], float)
        inverse = (weights**2 / deals[:, None]).sum(axis=0)
        found: Floats = np.divide(1.0, inverse, out=np.zeros(len(inverse)), where=inverse > 0)
        return found

    def against(self, rival: int) -> list[Estimate | None]:
        """Win rate of each policy at the tables where it meets a rival; None if it never does."""
        weights = self.design.weights * self.design.seats[:, rival]
        own = self.design.seats.astype(float)
        own[:, rival] = 0
        counted = _normed(weights[:, None] * own)
        means, errors = self._weighted(counted)
        deals = self.deals_behind(counted)
        met = self.design.meetings[rival]
        return [
            None
            if who == rival or not met[who]
            else _estimate(means[who], errors[who, who], deals[who])
            for who in range(self.design.policies)
        ]

    def rate(self, who: int) -> Estimate:
        """Win rate of a policy."""
        return _estimate(self.rates[who], self.rate_errors[who, who], self.own_deals[who])

    def difference(self, who: int, other: int) -> Estimate:
        """How much higher one win rate is than another."""
        cov = self.rate_errors
        variance = cov[who, who] + cov[other, other] - 2 * cov[who, other]
        deals = min(self.own_deals[who], self.own_deals[other])
        return _estimate(self.rates[who] - self.rates[other], variance, deals)

    def in_seat(self, who: int, seat: int) -> Estimate:
        """Win rate of a policy in one seat."""
        mean = variance = 0.0
        for table, weight in zip(self.tables, self._own_weights[:, who], strict=True):
            if weight:
                place = table.members.index(who)
                mean += weight * table.seat_shares[place, seat]
                variance += (weight * table.seat_errors[place, seat]) ** 2
        return _estimate(mean, variance, self.own_deals[who])

    def _weighted(self, weights: Floats) -> tuple[Floats, Floats]:
        """Weighted means of the tables' shares, and their covariances."""
        n = self.design.policies
        means, errors = np.zeros(n), np.zeros((n, n))
        for table, row in zip(self.tables, weights, strict=True):
            own = row[table.members]
            if own.any():
                counted = np.where(own > 0, own * table.shares, 0.0)
                means[table.members] += counted
                both = np.ix_(table.members, table.members)
                errors[both] += np.outer(own, own) * table.share_errors
        return means, errors

    # --- Who ends ahead of whom -------------------------------------------------------------------

    @cached_property
    def ahead(self) -> Floats:
        """How often i ends ahead of j at one table, ties half; NaN on the diagonal and unmet."""
        found = np.zeros((self.design.policies,) * 2)
        for table, weights in self._meeting_weights():
            found[np.ix_(table.members, table.members)] += weights * table.ahead
        never = self.design.meetings == 0
        np.fill_diagonal(never, True)
        found[never] = np.nan
        return found

    @cached_property
    def ahead_errors(self) -> Floats:
        """Standard errors of `ahead`."""
        variances = np.zeros((self.design.policies,) * 2)
        for table, weights in self._meeting_weights():
            k = len(table.members)
            for j in range(k):
                for i in range(j):
                    both = [(i, j), (j, i)]
                    spread = table.ahead_errors[pair_of(i, j), pair_of(i, j)]
                    for a, b in both:
                        at = table.members[a], table.members[b]
                        variances[at] += weights[a, b] ** 2 * spread
        found: Floats = np.sqrt(variances)
        return found

    @cached_property
    def met_deals(self) -> Floats:
        """Deals behind each of `ahead`, as if they counted alike; 0 where they never met."""
        inverse = np.zeros((self.design.policies,) * 2)
        for table, weights in self._meeting_weights():
            inverse[np.ix_(table.members, table.members)] += weights**2 / max(table.deals, 1)
        np.fill_diagonal(inverse, 0.0)
        found: Floats = np.divide(1.0, inverse, out=np.zeros_like(inverse), where=inverse > 0)
        return found

    def surplus_errors(self, meetings: Floats) -> Floats:
        """Covariances of the meetings that each policy wins in all, (policies, policies).

        Parameters
        ----------
        meetings : numpy.ndarray, shape (policies, policies)
            How many each two are taken to have had.
        """
        n = self.design.policies
        found = np.zeros((n, n))
        for table, weights in self._meeting_weights():
            k = len(table.members)
            sums = np.zeros((k, pair_of(0, k)))
            for j in range(k):
                for i in range(j):
                    won = weights[i, j] * meetings[table.members[i], table.members[j]]
                    sums[i, pair_of(i, j)], sums[j, pair_of(i, j)] = won, -won
            both = np.ix_(table.members, table.members)
            found[both] += sums @ table.ahead_errors @ sums.T
        return found

    def _meeting_weights(self) -> list[tuple[Table, Floats]]:
        """Each table with how much it counts for each two of its members."""
        seats = self.design.seats
        total = (self.design.weights[:, None] * seats).T @ seats.astype(float)
        found = []
        for row, weight, table in zip(seats, self.design.weights, self.tables, strict=True):
            own = row[table.members]
            both = total[np.ix_(table.members, table.members)]
            found.append((table, weight * np.outer(own, own) / both))
        return found


def _estimate(mean: float, variance: float, deals: float) -> Estimate:
    error = math.sqrt(max(0.0, variance)) if math.isfinite(variance) else math.nan
    return Estimate(float(mean), math.nan, error, int(deals + 1e-9))


def _normed(weights: Floats) -> Floats:
    """Columns that sum to one; all zero where there is nothing."""
    total = weights.sum(axis=0)
    found: Floats = weights / np.where(total > 0, total, 1.0)
    return found

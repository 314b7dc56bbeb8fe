"""What a tournament found, as frames for a notebook and as plain values for JSON."""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.contract import WHOLE_WIN
from simlab.errors import UsageError
from simlab.experiments import summary
from simlab.experiments.intervals import Estimate, mean_interval
from simlab.experiments.plans import FEWEST_DEALS
from simlab.experiments.tests_of_difference import holm
from simlab.experiments.tournaments.design import EVERY
from simlab.experiments.tournaments.ratings import Rating, ratings

if TYPE_CHECKING:
    import pandas as pd

    from simlab.experiments.metagame import EmpiricalGame, MetaResult
    from simlab.experiments.tournaments.playing import Found
    from simlab.experiments.tournaments.reading import Reading

DRAWS, MANY, DRAWS_OF_MANY = 400, 10, 100
"""Resamples for the game of mixes; fewer among more than ten, where each takes far longer."""


class TournamentResults:
    """Results of a tournament.

    Parameters
    ----------
    played : Found
        What was counted.
    folder : pathlib.Path, optional
        The run folder, if it has one.
    extended : bool
        Whether play went on after results could be looked at.
    """

    def __init__(
        self, played: Found, *, folder: Path | None = None, extended: bool = False
    ) -> None:
        self.played, self.folder, self.extended = played, folder, extended

    @property
    def policies(self) -> tuple[str, ...]:
        """Who took part."""
        return self.played.tournament.texts

    @property
    def always_valid(self) -> bool:
        """Whether intervals hold at all numbers of deals at once."""
        return self.extended or self.played.tournament.looked_at

    @cached_property
    def reading(self) -> Reading:
        """The sums of all tables, read."""
        return self.played.reading()

    @cached_property
    def mix_reading(self) -> Reading | None:
        """The sums of the tables from which it is known what mixes of policies get, read.

        All tables, if all were played; or those that the best of a sample played afterwards.
        """
        if self.played.tournament.design.kind == EVERY:
            return self.reading
        return self.played.mix_reading()

    def not_whole(self) -> str | None:
        """What is missing, in words, until every table has played: some would mislead."""
        missing = sum(table.deals < FEWEST_DEALS for table in self.reading.tables)
        if not missing:
            return None
        return (
            f"{missing:,} of {len(self.reading.tables):,} tables have not played yet; "
            "there are no results before each has"
        )

    def check_whole(self) -> None:
        """Raise `UsageError` unless every table has played."""
        missing = self.not_whole()
        if missing is not None:
            raise UsageError(missing)

    @cached_property
    def ratings(self) -> list[Rating]:
        """The rating of each policy, with an interval over deals."""
        return ratings(self.reading)

    def best(self) -> list[int]:
        """Policies that the data cannot tell from the best, by win rate (Holm, 5 %).

        Nobody in a gauntlet: its policies meet different fields.
        """
        n = len(self.policies)
        if self.played.tournament.focus is not None:
            return []
        best = max(range(n), key=lambda who: float(self.reading.rates[who]))
        others = [who for who in range(n) if who != best]
        apart = [self.reading.difference(best, who) for who in others]
        ps = holm([summary.p_value_of(found, self.always_valid) for found in apart])
        worse = {who for who, p in zip(others, ps, strict=True) if p <= 0.05}
        return [who for who in range(n) if who not in worse]

    def _interval(self, found: Estimate) -> list[float]:
        """Interval of a rate."""
        return list(summary.interval_of_rate(found, self.always_valid))

    @cached_property
    def seat_rates(self) -> list[Estimate]:
        """Win rate of each seat over all tables, by the design's weights, whoever sits there."""
        return [self._seat_rate(seat) for seat in range(self.played.tournament.players)]

    def _seat_rate(self, seat: int) -> Estimate:
        tournament, counts = self.played.tournament, self.played.part.counts
        mean, variance, deals = 0.0, 0.0, 0
        for table, weight in enumerate(tournament.design.weights):
            reading = summary.Reading(tournament.studies[table], counts[table])
            one = reading.seat(seat, reading.share_place, WHOLE_WIN)
            mean, deals = mean + weight * one.mean, deals + one.deals
            variance += (weight * one.error) ** 2
        return Estimate(mean, math.nan, math.sqrt(variance), deals)

    @property
    def timings(self) -> dict[str, Any]:
        """How play ended, and how long it took."""
        return summary.timings(self.played)

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """All numbers as plain values; equal whoever played them, and when."""
        self.check_whole()
        return {
            "study": self.played.tournament.record(),
            "tables": len(self.reading.tables),
            "games": self.played.count.games,
            "deals": sum(count.deals for count in self.played.part.counts),
            "intervals": summary.ALWAYS if self.always_valid else summary.FIXED,
            "policies": self._policies(),
            "head_to_head": self._head_to_head(),
            "mixes": self._mixes(),
            "meta": self._meta(),
        }

    @property
    def record(self) -> dict[str, Any]:
        """The numbers and the timings: what ``simlab tournament --format json`` prints."""
        return {**self.numbers, **self.timings}

    def _policies(self) -> list[dict[str, Any]]:
        best = set(self.best())
        rows = []
        for who, policy in enumerate(self.policies):
            found, rating = self.reading.rate(who), self.ratings[who]
            row = {
                "policy": policy,
                "win_rate": found.mean,
                "ci95": self._interval(found),
                "best": who in best,
                "rating": rating.points,
                "rating_ci95": [rating.low, rating.high],
                "games": sum(t.games for t in self.reading.tables if who in t.members),
                "out_after": self.played.out.get(who),
                "seats": self._seats(who),
                **self._opponents(who),
            }
            rows.append(row)
        return rows

    def _seats(self, who: int) -> list[dict[str, Any]]:
        rows = []
        for seat in range(self.reading.design.players):
            found = self.reading.in_seat(who, seat)
            known = math.isfinite(found.mean)
            interval = self._interval(found) if known and math.isfinite(found.error) else None
            mean = found.mean if known else None
            rows.append({"seat": seat, "win_rate": mean, "ci95": interval})
        return rows

    def _opponents(self, who: int) -> dict[str, Any]:
        """The opponents at whose tables a policy wins most and least, and all of them."""
        met: list[dict[str, Any]] = [
            {"policy": rival, "win_rate": found.mean, "ci95": self._interval(found)}
            for rival, found in zip(self.policies, self._against[who], strict=True)
            if found is not None
        ]
        met.sort(key=lambda row: -float(row["win_rate"]))
        best = met[0]["policy"] if met else None
        worst = met[-1]["policy"] if met else None
        return {"best_opponent": best, "worst_opponent": worst, "against": met}

    @cached_property
    def _against(self) -> list[list[Estimate | None]]:
        """By policy, then by rival."""
        columns = [self.reading.against(rival) for rival in range(len(self.policies))]
        return [list(row) for row in zip(*columns, strict=True)]

    def _head_to_head(self) -> dict[str, Any]:
        ahead, errors = self.reading.ahead, self.reading.ahead_errors
        n = len(self.policies)
        matrix: list[list[float | None]] = [[None] * n for _ in range(n)]
        intervals: list[list[list[float] | None]] = [[None] * n for _ in range(n)]
        for i in range(n):
            for j in range(n):
                if math.isfinite(ahead[i, j]):
                    deals = int(self.reading.met_deals[i, j] + 1e-9)
                    found = Estimate(float(ahead[i, j]), math.nan, float(errors[i, j]), deals)
                    matrix[i][j], intervals[i][j] = found.mean, self._interval(found)
        return {"policies": list(self.policies), "matrix": matrix, "ci95": intervals}

    @property
    def has_meta(self) -> bool:
        """Whether every table of some policies was played: then what mixes of them get is known."""
        return self.mix_reading is not None and self.mix_reading.whole

    @property
    def mixing(self) -> tuple[str, ...]:
        """Policies of the game of mixes: all, or the best of a sample."""
        found = self.played
        if found.tournament.mixes is None:
            return self.policies
        return tuple(self.policies[who] for who in found.best)

    def _mixes(self) -> dict[str, Any] | None:
        """The tables that a sampled tournament played besides, for the game of mixes."""
        reading = self.played.mix_reading()
        if reading is None or not self.has_meta:
            return None
        return {
            "policies": list(self.mixing),
            "tables": len(reading.tables),
            "games": reading.games,
        }

    @cached_property
    def empirical_game(self) -> EmpiricalGame:
        """The symmetric game whose payoffs are the tables' win shares.

        Of all policies, or of the best of a sample, which met at every table of theirs.

        Raises
        ------
        UsageError
            In a gauntlet, where the others did not meet without the policy in focus.
        """
        from simlab.experiments.metagame import EmpiricalGame

        self.check_whole()
        reading = self.mix_reading
        if reading is None or not reading.whole:
            raise UsageError(
                "the game of mixes needs every table of some policies: a tournament without --focus"
                " that has come to its end"
            )
        design, tables = reading.design, reading.tables
        payoffs = np.full(design.seats.shape, np.nan)
        errors = np.zeros((*design.seats.shape, design.policies))
        for row, table in enumerate(tables):
            payoffs[row, table.members] = table.shares
            errors[row][np.ix_(table.members, table.members)] = table.share_errors
        deals = np.array([table.deals for table in tables])
        return EmpiricalGame(self.mixing, design.players, design.seats, payoffs, errors, deals)

    @cached_property
    def meta(self) -> MetaResult:
        """What clever players would come to, with resamples of the deals."""
        from simlab.experiments.metagame import bootstrap

        draws = DRAWS if len(self.mixing) <= MANY else DRAWS_OF_MANY
        return bootstrap(self.empirical_game, draws, self.played.tournament.base.seed)

    def equilibrium(self) -> dict[str, float]:
        """The mix of policies that clever players are expected to come to."""
        mix = self.meta.equilibria[0].mix
        return dict(zip(self.mixing, (float(share) for share in mix), strict=True))

    def _meta(self) -> dict[str, Any] | None:
        return self.meta.record() if self.has_meta else None

    def summary(self) -> pd.DataFrame:
        """One row a policy, the highest win rate first.

        Returns
        -------
        pandas.DataFrame
            ``policy, win_rate, low, high, rating, rating_low, rating_high, best,
            best_opponent, worst_opponent``.
        """
        rows = []
        for row in self.numbers["policies"]:
            line = {"policy": row["policy"], "win_rate": row["win_rate"]}
            line |= dict(zip(("low", "high"), row["ci95"], strict=True))
            line |= {"rating": row["rating"]}
            line |= dict(zip(("rating_low", "rating_high"), row["rating_ci95"], strict=True))
            line |= {key: row[key] for key in ("best", "best_opponent", "worst_opponent")}
            rows.append(line)
        frame = _frame(rows)
        return frame.sort_values("win_rate", ascending=False, kind="stable", ignore_index=True)

    def head_to_head(self) -> pd.DataFrame:
        """How often the policy of a row ends ahead of that of a column, ties half; NaN if unmet."""
        import pandas as pd

        found = self.numbers["head_to_head"]
        names = list(self.policies)
        return pd.DataFrame(found["matrix"], index=names, columns=names, dtype=float)

    def against(self) -> pd.DataFrame:
        """Win rate of each policy at the tables of each rival: ``policy, rival, win_rate, ...``."""
        rows = []
        for row in self.numbers["policies"]:
            for met in row["against"]:
                low, high = met["ci95"]
                line = {"policy": row["policy"], "rival": met["policy"]}
                rows.append({**line, "win_rate": met["win_rate"], "low": low, "high": high})
        return _frame(rows)

    def by_seat(self) -> pd.DataFrame:
        """Win rate of each policy in each seat: ``policy, seat, win_rate, low, high``."""
        rows = []
        for row in self.numbers["policies"]:
            for seat in row["seats"]:
                low, high = seat["ci95"] or (math.nan, math.nan)
                line = {"policy": row["policy"], "seat": seat["seat"]}
                rows.append({**line, "win_rate": seat["win_rate"], "low": low, "high": high})
        return _frame(rows)

    def tables(self) -> pd.DataFrame:
        """What each table found.

        Returns
        -------
        pandas.DataFrame
            ``table, weight, deals, games, policy, seats, win_rate, low, high``: a row for each
            table and policy at it; ``win_rate`` is that of one seat.
        """
        rows = []
        design = self.reading.design
        for number, table in enumerate(self.reading.tables):
            for place, who in enumerate(table.members):
                error = math.sqrt(max(0.0, float(table.share_errors[place, place])))
                found = Estimate(float(table.shares[place]), math.nan, error, table.deals)
                low, high = self._interval(found) if table.deals > 1 else mean_interval(found)
                line = {"table": number, "weight": design.weights[number], "deals": table.deals}
                line |= {"games": table.games, "policy": self.policies[who]}
                line |= {"seats": int(design.seats[number, who]), "win_rate": found.mean}
                rows.append({**line, "low": low, "high": high})
        return _frame(rows)

    def __repr__(self) -> str:
        tournament = self.played.tournament
        head = f"{tournament.base.game.name}: {len(self.reading.tables):,} tables, "
        lines = [
            head + f"{self.reading.games:,} games" + ("" if self.played.complete else " (partial)")
        ]
        if self.reading.whole:
            for row in sorted(self._policies(), key=lambda row: -float(row["win_rate"])):
                low, high = (100 * end for end in row["ci95"])
                rate = f"{100 * row['win_rate']:.2f} % ({low:.2f} to {high:.2f})"
                lines.append(f"  {row['policy']:20s} wins {rate}, rating {row['rating']:.0f}")
        return "\n".join(lines)


def _frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows)

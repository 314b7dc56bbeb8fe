"""What a run found, as frames for a notebook, as plain values for JSON, and as files."""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.contract import WHOLE_WIN
from simlab.errors import UsageError, counted, unknown
from simlab.experiments import sequences
from simlab.experiments.batches import Played
from simlab.experiments.counting import Count
from simlab.experiments.intervals import Estimate
from simlab.experiments.summary import Reading, p_value_of, tidy_rows, timings
from simlab.experiments.tests_of_difference import best_set, holm

if TYPE_CHECKING:
    import pandas as pd

    from simlab.experiments.study import Study
    from simlab.experiments.tracing import Trace


class Results:
    """Results of a study (of the first one, where several were compared).

    Parameters
    ----------
    played : Played
        What was counted.
    folder : pathlib.Path, optional
        The run folder, if it has one.
    extended : bool
        Whether the run went on after its results could be looked at.
    """

    def __init__(
        self, played: Played, *, folder: Path | None = None, extended: bool = False
    ) -> None:
        self.played, self.folder, self.extended = played, folder, extended
        self.trace: Trace | None = None

    @property
    def study(self) -> Study:
        """The study."""
        return self.played.study

    @property
    def always_valid(self) -> bool:
        """Whether intervals hold at all numbers of deals at once."""
        return self.extended or self.study.precision is not None

    @cached_property
    def reading(self) -> Reading:
        """The sums, read as estimates."""
        return Reading(self.study, self.played.count, self.always_valid)

    @property
    def timings(self) -> dict[str, Any]:
        """How the run ended, and how long it took."""
        return timings(self.played)

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """All numbers as plain values; equal whoever played them, and when."""
        return self.own_numbers

    @cached_property
    def own_numbers(self) -> dict[str, Any]:
        """The numbers of the (first) study."""
        return self.reading.record()

    @property
    def record(self) -> dict[str, Any]:
        """The numbers and the timings: what ``simlab run --format json`` prints."""
        return {**self.numbers, **self.timings}

    def summary(self) -> pd.DataFrame:
        """One row a policy.

        Returns
        -------
        pandas.DataFrame
            ``policy, seat_games, deals, win_rate, low, high, points_mean, points_sd, best``;
            ``best`` says whether the data cannot tell the policy from the best one.
        """
        best = set(self.best())
        rows = [
            {
                "policy": row["policy"],
                "seat_games": row["seat_games"],
                **self._rates(row),
                "best": row["policy"] in best,
            }
            for row in self.own_numbers["policies"]
        ]
        return _frame(rows)

    def by_seat(self) -> pd.DataFrame:
        """One row a seat: ``seat, deals, win_rate, low, high, points_mean, points_sd``."""
        rows = [{"seat": row["seat"], **self._rates(row)} for row in self.own_numbers["seats"]]
        return _frame(rows)

    def _rates(self, row: dict[str, Any]) -> dict[str, Any]:
        low, high = row["ci95"]
        found = {"deals": self.own_numbers["deals"], "win_rate": row["win_rate"]}
        found |= {"low": low, "high": high}
        points = row["points"]
        return {**found, "points_mean": points["mean"], "points_sd": points["sd"]}

    def columns(self) -> pd.DataFrame:
        """Means of every column: ``of, name, column, mean, sd, low, high``.

        ``of`` is "policy", "seat" or "game"; ``name`` says which policy or seat.
        """
        rows = []
        parts = [("policy", row["policy"], row["columns"]) for row in self.own_numbers["policies"]]
        parts += [("seat", str(row["seat"]), row["columns"]) for row in self.own_numbers["seats"]]
        parts += [("game", "", self.own_numbers["game_columns"])]
        for of, name, columns in parts:
            for column, mean in columns.items():
                low, high = mean["ci95"]
                line = {"of": of, "name": name, "column": column, "mean": mean["mean"]}
                rows.append({**line, "sd": mean["sd"], "low": low, "high": high})
        return _frame(rows)

    def best(self) -> list[str]:
        """The policies that the data cannot tell from the best, by win rate."""
        sums = self._share_sums()
        products = self.played.count.sums.get("share_products")
        if products is None:
            return list(self.study.matchup.texts)
        # Rates, not sums: a policy that holds two seats adds up twice.
        held = [self.reading.held(who) for who in range(len(sums))]
        common = math.lcm(*held)
        scale = [common // h for h in held]
        scaled = [total * factor for total, factor in zip(sums, scale, strict=True)]
        lineup = range(len(sums))
        both = [[int(products[i, j]) * scale[i] * scale[j] for j in lineup] for i in lineup]
        texts = self.study.matchup.texts
        unit = WHOLE_WIN * common * len(self.study.seatings)  # a deal's sum to a share

        def test(mean: float, error: float, deals: int) -> float:
            return p_value_of(
                Estimate(mean / unit, math.nan, error / unit, deals), self.always_valid
            )

        return [texts[n] for n in best_set(scaled, both, self.played.count.deals, test=test)]

    def _share_sums(self) -> list[int]:
        place = self.reading.share_place
        sums = self.played.count.sums["sums"]
        return [int(sums[who, :, place].sum()) for who in range(len(self.study.matchup.lineup))]

    def pairs(self) -> pd.DataFrame:
        """Each pair of policies at the table, the one with the higher win rate first.

        Returns
        -------
        pandas.DataFrame
            ``policy, rival, difference, low, high, p_holm, ahead``: the difference of their win
            rates with its interval over deals, its p-value corrected by Holm over this table,
            and how often a seat of the one ends ahead of one of the other (ties half).
        """
        lineup, count = self.study.matchup.lineup, self.played.count
        rows, ps = [], []
        for i in range(len(lineup)):
            for j in range(i + 1, len(lineup)):
                found = self.difference(i, j)
                one, other = (i, j) if found.mean >= 0 else (j, i)
                found = self.difference(one, other)
                low, high = self._interval(found)
                meetings = count.sums["ahead"][one, other] + count.sums["ahead"][other, one]
                ahead = count.sums["ahead"][one, other] / meetings if meetings else math.nan
                names = {"policy": lineup[one].text, "rival": lineup[other].text}
                rows.append({**names, "difference": found.mean, "low": low, "high": high})
                rows[-1]["ahead"] = float(ahead)
                ps.append(p_value_of(found, self.always_valid))
        for row, p in zip(rows, holm(ps), strict=True):
            row["p_holm"] = p
        columns = ("policy", "rival", "difference", "low", "high", "p_holm", "ahead")
        return _frame(rows, columns)

    def difference(self, i: int, j: int) -> Estimate:
        """Difference of two policies' win rates (by their places in the line-up), over deals."""
        count, sums = self.played.count, self._share_sums()
        products = count.sums["share_products"]
        a, b = self.reading.held(j), self.reading.held(i)  # to common seats: S_i * h_j - S_j * h_i
        total = sums[i] * a - sums[j] * b
        squares = (
            a * a * int(products[i, i])
            + b * b * int(products[j, j])
            - 2 * a * b * int(products[i, j])
        )
        unit = WHOLE_WIN * a * b * len(self.study.seatings)
        deals = count.deals
        mean = total / deals / unit
        error = math.nan
        if deals > 1:
            between = max(0, deals * squares - total * total)
            error = math.sqrt(between / (deals * (deals - 1)) / deals) / unit
        return Estimate(mean, math.nan, error, deals)

    def _interval(self, found: Estimate) -> tuple[float, float]:
        if self.always_valid and found.deals > 1:
            bounds = (-1.0, 1.0)
            return sequences.interval(found.mean, found.deviation, found.deals, bounds=bounds)
        low, high = self.reading.mean(found)["ci95"]
        nan = math.nan
        return (nan if low is None else low), (nan if high is None else high)

    def histogram(self, column: str = "points") -> pd.DataFrame:
        """How often each value of a column came out, by policy.

        Parameters
        ----------
        column : str
            ``points`` of any run; other columns only of a run that kept its games.

        Returns
        -------
        pandas.DataFrame
            ``policy, <column>, seat_games``; a game counts once for each seat that the policy
            holds in it. Values that never came out are left out; points from 511 on are counted
            together.
        """
        if column != "points":
            return self._histogram_of_games(column)
        counts = self.played.count.sums["points_histogram"]
        rows = [
            {"policy": policy.text, "points": points, "seat_games": int(games)}
            for who, policy in enumerate(self.study.matchup.lineup)
            for points, games in enumerate(counts[who])
            if games
        ]
        return _frame(rows, ("policy", "points", "seat_games"))

    def _histogram_of_games(self, column: str) -> pd.DataFrame:
        games = self.games()
        if column not in games:
            raise unknown("column", column, [str(name) for name in games])
        found = games.groupby(["policy", column], observed=True).size()
        return found.rename("seat_games").reset_index()

    def convergence(self) -> pd.DataFrame:
        """Win rates at growing numbers of deals, with intervals that hold at all of them.

        Returns
        -------
        pandas.DataFrame
            ``deals, policy, win_rate, low, high``, a row for each chunk of the run folder and
            each policy.

        Raises
        ------
        UsageError
            If the run has no folder: its parts were not kept.
        """
        from simlab.experiments.folders import open_folder

        if self.folder is None:
            raise UsageError(
                "how an estimate converged is kept in a run folder: run with --out DIR"
            )
        rows, count = [], Count()
        for _, part in open_folder(self.folder).parts():
            count.add(part.counts[0])
            reading = Reading(self.study, count, always_valid=True)
            for who, policy in enumerate(self.study.matchup.lineup):
                rate, low, high = reading.win_rate(who)
                line = {"deals": count.deals, "policy": policy.text, "win_rate": rate}
                rows.append({**line, "low": low, "high": high})
        return _frame(rows, ("deals", "policy", "win_rate", "low", "high"))

    def games(self) -> pd.DataFrame:
        """The outcome table: one row for each game and seat, in order.

        Raises
        ------
        UsageError
            If the run did not keep its games.
        """
        import pandas as pd

        if self.folder is None or not self.study.save_games:
            raise UsageError("this run kept no games; run it with --save-games --out DIR")
        from simlab.experiments.folders import open_folder

        folder = open_folder(self.folder)
        files = [folder.games_path(chunk) for chunk, _ in folder.parts()]
        return pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)

    def to_parquet(self, path: str | Path) -> Path:
        """Write `columns` and the win rates as one Parquet file; returns its path."""
        self._tidy().to_parquet(path)
        return Path(path)

    def to_csv(self, path: str | Path) -> Path:
        """Write `columns` and the win rates as one CSV file; returns its path."""
        self._tidy().to_csv(path, index=False)
        return Path(path)

    def _tidy(self) -> pd.DataFrame:
        return _frame(tidy_rows(self.own_numbers))

    def __repr__(self) -> str:
        numbers = self.own_numbers
        games, deals = (counted(numbers[key], key[:-1]) for key in ("games", "deals"))
        partial = "" if self.played.complete else " (partial)"
        lines = [f"{numbers['study']['game']}: {games} of {deals}{partial}"]
        for row in numbers["policies"]:
            low, high = (100 * end for end in row["ci95"])
            rate = math.nan if row["win_rate"] is None else 100 * row["win_rate"]
            sure = "by symmetry" if self.reading.by_symmetry else f"({low:.2f} to {high:.2f})"
            lines.append(f"  {row['policy']:20s} wins {rate:.2f} % {sure}")
        return "\n".join(lines)


def _frame(rows: list[dict[str, Any]], columns: tuple[str, ...] | None = None) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=None if columns is None else list(columns))

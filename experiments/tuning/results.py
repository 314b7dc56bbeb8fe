"""What a search for better parameters found, and what it is worth."""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.experiments.intervals import Estimate, mean_interval, rate_interval
from simlab.experiments.tests_of_difference import holm, p_value

if TYPE_CHECKING:
    import pandas as pd

    from simlab.experiments.tuning.problem import Problem
    from simlab.experiments.tuning.search import Searched

SURE = 0.05


class TuningResults:
    """Results of a search.

    Parameters
    ----------
    played : Searched
    folder : pathlib.Path, optional
        The run folder, if it has one.
    """

    def __init__(self, played: Searched, *, folder: Path | None = None) -> None:
        self.played, self.folder = played, folder

    @property
    def problem(self) -> Problem:
        """What was tuned."""
        return self.played.problem

    @property
    def found(self) -> str:
        """The tuned policy as the command line takes it."""
        return self.problem.word(self.played.found)

    @property
    def timings(self) -> dict[str, Any]:
        """How the search ended, and how long it took."""
        played = self.played
        rate = played.played_games / played.seconds if played.seconds > 0 else 0.0
        return {
            "complete": played.complete,
            "seconds": played.seconds,
            "startup_seconds": played.startup_seconds,
            "games_per_second": rate,
        }

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """All numbers as plain values; those of the judgement are None until there is one."""
        problem = self.problem
        judged = self.played.judged
        before, after = judged[:2] if judged else (None, None)
        return {
            "study": problem.record(),
            "games": self.played.games,
            "found": self.found,
            "values": dict(zip(problem.keys, self.played.found, strict=True)),
            "start": {"policy": problem.policy.text, **_rate(before)},
            "tuned": {"policy": self.found, **_rate(after)},
            "gain": _difference(before, after),
            "parameters": self._parameters(),
            "search": self._search(),
        }

    @property
    def record(self) -> dict[str, Any]:
        """The numbers and the timings: what ``simlab tune --format json`` prints."""
        return {**self.numbers, **self.timings}

    def _parameters(self) -> list[dict[str, Any]]:
        """What each parameter is worth: the win rate lost when it alone goes back."""
        judged = self.played.judged
        rows: list[dict[str, Any]] = []
        for place, key in enumerate(self.problem.keys):
            row = {"parameter": key, "start": self.problem.start[place]}
            row |= {"found": self.played.found[place]}
            if judged:
                row |= _difference(judged[2 + place], judged[1])
            rows.append(row)
        if judged:
            for row, p in zip(rows, holm([row.pop("p") for row in rows]), strict=True):
                row["p_holm"] = p
        return rows

    def _search(self) -> list[dict[str, Any]]:
        """Each generation: what its candidates won, and where the search stood after it."""
        rows = []
        for number, one in enumerate(self.played.generations):
            rates = sorted(one.rates)
            row: dict[str, Any] = {"generation": number, "games": self.problem.games_in(number)}
            row |= {"least": rates[0], "median": rates[len(rates) // 2], "most": rates[-1]}
            row |= {"mean": dict(zip(self.problem.keys, one.mean, strict=True))}
            row |= {"deviation": dict(zip(self.problem.keys, one.deviations, strict=True))}
            rows.append(row)
        return rows

    def verdict(self) -> str:
        """What the judgement says, in a sentence."""
        numbers, fair = self.numbers, 1 / len(self.problem.base.words)
        if not self.played.judged:
            return "not judged yet"
        gain, tuned = numbers["gain"], numbers["tuned"]
        low, high = gain["ci95"]
        span = f"{100 * low:+.2f} to {100 * high:+.2f} points"
        rate = f"{100 * tuned['win_rate']:.1f} % on deals that the search never saw"
        if gain["p"] > SURE:
            return f"no gain is shown ({span}): the tuned policy wins {rate}"
        word = "gains" if gain["difference"] > 0 else "loses"
        points = 100 * abs(gain["difference"])
        said = f"the tuned policy {word} {points:.2f} points ({span})"
        return f"{said}: it wins {rate}, fair {100 * fair:.1f} %"

    def survives(self) -> str:
        """Whether a mix that was searched for a best response stands, in a sentence."""
        fair = 1 / len(self.problem.base.words)
        if not self.played.judged:
            return "not judged yet"
        tuned = self.numbers["tuned"]
        low, high = tuned["ci95"]
        found = f"{100 * tuned['win_rate']:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        share = f"the mix's own share is {100 * fair:.1f} %"
        if low > fair:
            said = f"{self.found} wins {found} against the mix"
            return f"the verdict does not survive: {said}; {share}"
        return f"the verdict survives this search: the best found wins {found}; {share}"

    def search(self) -> pd.DataFrame:
        """One row a generation: ``generation, games, least, median, most`` and each parameter."""
        import pandas as pd

        rows = []
        for row in self._search():
            line = {key: row[key] for key in ("generation", "games", "least", "median", "most")}
            rows.append({**line, **row["mean"]})
        return pd.DataFrame(rows)

    def parameters(self) -> pd.DataFrame:
        """One row a parameter.

        Returns
        -------
        pandas.DataFrame
            ``parameter, start, found, difference, low, high, p_holm``: the win rate that is
            lost when this parameter alone goes back to where it started.
        """
        import pandas as pd

        rows = []
        for row in self.numbers["parameters"]:
            line = dict(row)
            line["low"], line["high"] = line.pop("ci95", (math.nan, math.nan))
            rows.append(line)
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        games = f"{self.played.games:,} games" + ("" if self.played.complete else " (partial)")
        return f"{self.problem.policy.text} tuned in {games}: {self.found}\n  {self.verdict()}"


def _rate(found: Estimate | None) -> dict[str, Any]:
    if found is None:
        return {"win_rate": None, "ci95": None}
    return {"win_rate": found.mean, "ci95": list(rate_interval(found))}


def _difference(before: Estimate | None, after: Estimate | None) -> dict[str, Any]:
    """How much more the second wins; the two met different deals, so that errors add up."""
    if before is None or after is None:
        return {"difference": None, "ci95": None, "p": None}
    error = math.hypot(before.error, after.error)
    found = Estimate(after.mean - before.mean, math.nan, error, min(before.deals, after.deals))
    p = p_value(found.mean, found.error, found.deals)
    return {"difference": found.mean, "ci95": list(mean_interval(found)), "p": p}

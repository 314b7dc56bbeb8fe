"""What a balance study found: its runs, loaded from their folders, each by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simlab.experiments.measures import Measure, summarise_play
from simlab.experiments.standard import Standard
from simlab.experiments.standard.parts import Compared, Met, Part

if TYPE_CHECKING:
    import pandas as pd

    from simlab.experiments.comparing import Comparison
    from simlab.experiments.results import Results
    from simlab.experiments.tournaments.results import TournamentResults


@dataclass
class Findings:
    """The runs of a study that are there.

    Attributes
    ----------
    standard : Standard
    parts : list of Part
        All that the study is made of, with the numbers of games that were really played.
    results : dict
        Results by name of the part; what is missing or has no result yet is left out.
    """

    standard: Standard
    parts: list[Part]
    results: dict[str, Any]
    _tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    _measures: dict[str, list[Measure]] = field(default_factory=dict)

    @cached_property
    def tournaments(self) -> dict[int, TournamentResults]:
        """Tournaments by number of players."""
        return {
            part.players: self.results[part.name]
            for part in self.parts
            if isinstance(part, Met) and part.name in self.results
        }

    @property
    def main(self) -> TournamentResults | None:
        """The tournament at the size of the study's own table, or the nearest."""
        if not self.tournaments:
            return None
        seats = len(self.standard.table)
        return self.tournaments[min(self.tournaments, key=lambda n: (abs(n - seats), n))]

    @property
    def comparisons(self) -> list[tuple[Compared, Comparison]]:
        """Comparisons, each with the part that says what was varied."""
        return [
            (part, self.results[part.name])
            for part in self.parts
            if isinstance(part, Compared) and part.name in self.results
        ]

    def special(self, key: str) -> list[tuple[Compared, Comparison]]:
        """Comparisons for a game's own sections in which a rule is varied."""
        return [
            (part, results)
            for part, results in self.comparisons
            if part.sweep.key == key and part.sweep in self.standard.special
        ]

    def special_at(self, place: int) -> tuple[Compared, Comparison] | None:
        """The comparison at a place among the study's special ones, if it was played."""
        if place >= len(self.standard.special):
            return None
        sweep = self.standard.special[place]
        return next((one for one in self.comparisons if one[0].sweep is sweep), None)

    def kept(self, name: str) -> Results | None:
        """A run whose games were kept."""
        found: Results | None = self.results.get(name)
        return found

    def games(self, name: str) -> pd.DataFrame | None:
        """The outcome table of such a run."""
        run = self.kept(name)
        if run is None:
            return None
        if name not in self._tables:
            self._tables[name] = run.games()
        return self._tables[name]

    def trace(self, name: str) -> pd.DataFrame | None:
        """The traced decisions of such a run."""
        import pandas as pd

        run = self.kept(name)
        if run is None or run.folder is None:
            return None
        path = run.folder / "trace" / "choices.csv"
        return pd.read_csv(path) if path.exists() else None

    def measures(self, name: str) -> list[Measure]:
        """All measures of how such a run plays."""
        games = self.games(name)
        assert games is not None
        if name not in self._measures:
            self._measures[name] = summarise_play(games, self.trace(name))
        return self._measures[name]

    @property
    def games_played(self) -> int:
        """Games of all runs."""
        return sum(_games_of(one) for one in self.results.values())


def _games_of(results: Any) -> int:
    return sum(count.games for count in results.played.part.counts)


def describe(standard: Standard, policies: Mapping[str, Any], text: str) -> str:
    """First paragraph of a policy's docstring: what it does."""
    bare = text.rpartition("::")[2].partition(":")[0]
    words = (policies[bare].function.__doc__ or "") if bare in policies else ""
    return " ".join(words.strip().split("\n\n")[0].split())

"""What a balance study found: its runs, loaded from their folders, each by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.errors import UsageError
from simlab.experiments.standard import Effort, Standard, parts_of
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
    warnings : list of str
        What is missing or partial, in words.
    """

    standard: Standard
    parts: list[Part]
    results: dict[str, Any]
    warnings: list[str] = field(default_factory=list)

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

    def kept(self, name: str) -> Results | None:
        """A run whose games were kept."""
        found: Results | None = self.results.get(name)
        return found

    @cached_property
    def _tables(self) -> dict[str, Any]:
        return {}

    def games(self, name: str) -> pd.DataFrame | None:
        """The outcome table of such a run."""
        run = self.kept(name)
        if run is None:
            return None
        if name not in self._tables:
            self._tables[name] = run.games()
        found: pd.DataFrame = self._tables[name]
        return found

    def trace(self, name: str) -> pd.DataFrame | None:
        """The traced decisions of such a run."""
        import pandas as pd

        run = self.kept(name)
        if run is None or run.folder is None:
            return None
        path = run.folder / "trace" / "choices.csv"
        return pd.read_csv(path) if path.exists() else None

    @property
    def games_played(self) -> int:
        """Games of all runs."""
        return sum(_games_of(one) for one in self.results.values())


def _games_of(results: Any) -> int:
    return sum(count.games for count in results.played.part.counts)


def load_findings(standard: Standard, folder: Path, effort: Effort, seed: int = 0) -> Findings:
    """Read every run of a study that is in a folder; nothing is played.

    Raises
    ------
    UsageError
        If none is there.
    DamagedFolderError
        If a file is not as it was written; names it.
    """
    from simlab.experiments.folders import is_run_folder
    from simlab.experiments.running import load

    parts = list(parts_of(standard, effort, seed))
    results: dict[str, Any] = {}
    warnings = []
    for part in parts:
        if not is_run_folder(folder / part.name):
            warnings.append(f"{part.title} has not been played yet")
            continue
        found = load(folder / part.name)
        if not found.played.complete:
            warnings.append(f"{part.title} is partial: its run was stopped before its end")
        if _has_results(found):
            results[part.name] = found
    if not results:
        raise UsageError(f"{folder} holds no run of the balance study of {standard.game.name}")
    return Findings(standard, parts, results, warnings)


def _has_results(found: Any) -> bool:
    """Whether there is something to read: a tournament needs every table."""
    reading = getattr(found, "reading", None)
    whole = getattr(reading, "whole", True)
    return bool(found.played.count.games) and bool(whole)


def describe(standard: Standard, policies: Mapping[str, Any], text: str) -> str:
    """First paragraph of a policy's docstring: what it does."""
    bare = text.rpartition("::")[2].partition(":")[0]
    words = (policies[bare].function.__doc__ or "") if bare in policies else ""
    return " ".join(words.strip().split("\n\n")[0].split())

"""The runs of a balance study: each has a name, which is that of its folder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlab.experiments.batches import Watch
from simlab.experiments.plans import Plan
from simlab.experiments.running import Place, run_comparison, run_plan
from simlab.experiments.standard.declaration import Effort, Standard, Sweep
from simlab.experiments.study import Study


@dataclass(frozen=True, kw_only=True)
class Part(ABC):
    """One run of a study.

    Attributes
    ----------
    name : str
        Of its folder.
    title : str
        What it is for, in a few words.
    command : str
        The command line that plays it again.
    """

    name: str
    title: str
    options: Mapping[str, object]
    seed: int

    @abstractmethod
    def play(self, place: Place, workers: int | None, watch: Watch) -> Any:
        """Play it, or go on with it, in its folder."""

    @property
    @abstractmethod
    def command(self) -> str:
        """The command line that plays it again."""

    def _settings(self) -> str:
        said = "".join(f" --set {key}={value}" for key, value in self.options.items())
        return said + (f" --seed {self.seed}" if self.seed else "")


@dataclass(frozen=True, kw_only=True)
class Met(Part):
    """A tournament."""

    standard: Standard
    players: int
    games: int

    def play(self, place: Place, workers: int | None, watch: Watch) -> Any:
        """Play it, or go on with it, in its folder."""
        from simlab.experiments.tournaments.playing import run_tournament
        from simlab.experiments.tournaments.schedule import Tournament

        planned = Tournament.of(
            self.standard.game,
            self.standard.policies,
            players=self.players,
            games=self.games,
            options=self.options,
            seed=self.seed,
        )
        return run_tournament(planned, place, workers, watch)

    @property
    def command(self) -> str:
        """The command line that plays it again."""
        return (
            f"simlab tournament {self.standard.game.name} {' '.join(self.standard.policies)} "
            f"--players {self.players} --games {self.games}{self._settings()}"
        )


@dataclass(frozen=True, kw_only=True)
class Compared(Part):
    """A comparison of a rule's values on the same deals."""

    standard: Standard
    sweep: Sweep
    games: int

    @property
    def policies(self) -> tuple[str, ...]:
        """The line-up."""
        return self.sweep.policies or self.standard.table

    def play(self, place: Place, workers: int | None, watch: Watch) -> Any:
        """Play it, or go on with it, in its folder."""
        from simlab.experiments.comparing import comparison, read_varied

        varied = read_varied([f"{self.sweep.key}={','.join(self.sweep.values)}"])
        plan = comparison(
            self.standard.game,
            self.policies,
            varied,
            options=self.options,
            games=self.games,
            seed=self.seed,
        )
        return run_comparison(plan, varied, None, place, workers, watch)

    @property
    def command(self) -> str:
        """The command line that plays it again."""
        return (
            f"simlab compare {self.standard.game.name} {' '.join(self.policies)} "
            f"--vary {self.sweep.key}={','.join(self.sweep.values)} "
            f"--games {self.games}{self._settings()}"
        )


@dataclass(frozen=True, kw_only=True)
class Played(Part):
    """A run that keeps its games, and some decisions."""

    study: Study
    traced: int

    def play(self, place: Place, workers: int | None, watch: Watch) -> Any:
        """Play it, or go on with it, in its folder."""
        from simlab.experiments.tracing import trace_deals

        results = run_plan(Plan((self.study,)), place, workers, watch)
        assert place.path is not None
        if self.traced and results.played.complete and not _is_traced(place.path):
            trace_deals(self.study, min(self.traced, self.study.deals), place.path)
        return results

    @property
    def command(self) -> str:
        """The command line that plays it again."""
        study = self.study
        luck = f" --luck {study.luck}" if study.luck else ""
        traced = f" --trace {min(self.traced, study.deals)}" if self.traced else ""
        return (
            f"simlab run {study.game.name} {' '.join(study.words)} --games {study.games} "
            f"--save-games --out {self.name}{luck}{traced}{self._settings()}"
        )


def _is_traced(folder: Path) -> bool:
    return (folder / "trace" / "choices.csv").exists()


def parts_of(standard: Standard, effort: Effort, seed: int = 0) -> Iterator[Part]:
    """Every run of a study, in the order in which it is played."""
    common: dict[str, Any] = {"seed": seed, "standard": standard}
    for players in standard.counts:
        yield Met(
            name=f"players-{players}",
            title=f"every strategy at tables of {players}",
            options=standard.options,
            players=players,
            games=effort.table,
            **common,
        )
    for place, sweep in enumerate(standard.all_sweeps):
        others = {k: v for k, v in standard.options.items() if k != sweep.key}
        yield Compared(
            name=f"vary-{place + 1:02d}-{sweep.key.replace('.', '-').replace('_', '-')}",
            title=sweep.title,
            options={**others, **sweep.options},
            sweep=sweep,
            games=effort.value,
            **common,
        )
    yield from _kept(standard, effort, seed)
    if standard.more is not None:
        yield from standard.more(standard, effort, seed)


def _kept(standard: Standard, effort: Effort, seed: int) -> Iterator[Part]:
    """Tables whose games are kept: of good players (twice, with fresh luck), and of beginners."""
    seats = len(standard.table)
    lots = (standard.weakest,) * seats
    skill = (standard.strongest, *lots[1:])
    tables: list[tuple[str, str, tuple[str, ...], int]] = [
        ("table-good", "a table of good players", standard.table, 0),
        ("table-good-again", "the same deals with fresh luck of the players", standard.table, 1),
        ("table-best", "the strongest strategy in every seat", (standard.strongest,) * seats, 0),
        ("table-random", "a table that draws lots", lots, 0),
        ("table-skill", "the strongest strategy among those that draw lots", skill, 0),
    ]
    for name, title, words, luck in tables:
        study = Study.of(
            standard.game,
            words,
            options=standard.options,
            games=effort.kept,
            seed=seed,
            luck=luck,
            save_games=True,
        )
        traced = effort.traced if name in ("table-good", "table-random") else 0
        yield Played(
            name=name,
            title=title,
            options=standard.options,
            seed=seed,
            study=study,
            traced=traced,
        )

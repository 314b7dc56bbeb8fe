"""Plays a tournament round by round, and stops what has been seen enough of."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from simlab.experiments import sequences
from simlab.experiments.batches import Played, Series, Store, Watch, Workers, play
from simlab.experiments.counting import Count, Part
from simlab.experiments.folders import RunFolder, is_run_folder, read_run
from simlab.experiments.running import Place
from simlab.experiments.tournaments.reading import Reading, read_table
from simlab.experiments.tournaments.results import TournamentResults
from simlab.experiments.tournaments.schedule import Schedule, Tournament

ERROR = 0.05


def run_tournament(
    tournament: Tournament,
    place: Place | None = None,
    workers: Workers = None,
    watch: Watch | None = None,
) -> TournamentResults:
    """Play a tournament, keep it if it has a place, and read the results.

    Raises
    ------
    UsageError
        If the place holds something else, or is held by another process.
    PolicyError
        If a policy breaks a rule while it plays; finished chunks are kept.
    """
    watch = watch or Watch()
    if place is None or place.path is None:
        return TournamentResults(_rounds(tournament, workers, watch))
    if place.resume and is_run_folder(place.path) and not tournament.looked_at:
        kept = read_run(place.path)["studies"][0].get("chunk")
        tournament = replace(tournament, chunk=kept or tournament.chunk)
    folder = RunFolder(place.path, tournament.schedule)
    with folder.held():
        extra = _extra(tournament, place)
        folder.begin(resume=place.resume, overwrite=place.overwrite, extra=extra)
        found = _rounds(tournament, workers, watch, folder)
        results = TournamentResults(found, folder=place.path, extended=extra["extended"])
        extra["timings"] = results.timings
        if found.complete:
            extra["finished_at"] = tournament.games
        folder.write_run(extra)
        if found.complete:
            folder.write_results(results.numbers)
    return results


def _extra(tournament: Tournament, place: Place) -> dict[str, Any]:
    """What else ``run.json`` says: whether results were there to be looked at before."""
    assert place.path is not None
    extra: dict[str, Any] = {"game_word": tournament.base.game_word, "extended": False}
    if place.resume and is_run_folder(place.path):
        run = read_run(place.path)
        extra["finished_at"] = run.get("finished_at")
        seen = run.get("finished_at") not in (None, tournament.games)
        extra["extended"] = bool(run.get("extended")) or seen
    return extra


class Kept:
    """A store that plays nothing: what a folder has, in order, until something is missing."""

    def __init__(self, folder: RunFolder, watch: Watch) -> None:
        self.folder, self.watch = folder, watch

    def finished(self, chunk: Any) -> Part | None:
        """The chunk; play is stopped at the first that is not there."""
        found = self.folder.finished(chunk)
        if found is None:
            self.watch.stop.set()
        return found

    def keep(self, chunk: Any, part: Part, outcomes: Any) -> None:
        """Nothing is kept: a batch that began before the stop goes to waste."""


def load_tournament(folder: RunFolder, run: Mapping[str, Any]) -> TournamentResults:
    """Read the results of a folder that holds a tournament; nothing is played."""
    schedule = folder.plan
    assert isinstance(schedule, Schedule)
    assert schedule.tournament is not None
    watch = Watch()
    found = _rounds(schedule.tournament, 1, watch, Kept(folder, watch))
    timings = run.get("timings", {"seconds": 0.0, "startup_seconds": 0.0})
    found = replace(
        found,
        seconds=timings["seconds"],
        startup_seconds=timings["startup_seconds"],
        played_games=0,
    )
    extended = bool(run.get("extended"))
    return TournamentResults(found, folder=folder.path, extended=extended)


@dataclass
class Race:
    """Which policies still play for themselves.

    Whoever is clearly worse than the leader drops out: by a difference that holds at all looks
    together, with the error divided by the policies that might wrongly fall behind. So the best
    policy stays with a chance of 95 % at least. A table plays on while one of its policies does.
    """

    tournament: Tournament
    out: dict[int, int] = field(default_factory=dict)
    """Policies that have dropped out, and the games a table after which they did."""

    def tables(self) -> list[int]:
        """Tables that play on."""
        design = self.tournament.design
        rows = range(len(design.seats))
        return [t for t in rows if any(who not in self.out for who in design.members(t))]

    @property
    def over(self) -> bool:
        """Whether one alone is left."""
        return len(self.out) >= self.tournament.design.policies - 1

    def look(self, reading: Reading, games: int) -> None:
        """Let drop out whoever is clearly worse than the leader now."""
        n = self.tournament.design.policies
        staying = [who for who in range(n) if who not in self.out]
        leader = max(staying, key=lambda who: float(reading.rates[who]))
        for who in staying:
            found = reading.difference(leader, who)
            if who != leader and found.deals > 1:
                deviation = found.error * math.sqrt(found.deals)
                p = sequences.p_value(found.mean, deviation, found.deals)
                if p <= ERROR / (n - 1):
                    self.out[who] = games


def precise(reading: Reading, wanted: float) -> bool:
    """Whether every win rate is known within so many points, whenever one looks."""
    for who in range(reading.design.policies):
        found = reading.rate(who)
        if found.deals < 2:
            return False
        deviation = found.error * math.sqrt(found.deals)
        if sequences.half_width(deviation, found.deals) > wanted / 100:
            return False
    return True


@dataclass(frozen=True)
class Found:
    """What a tournament counted: as `Played`, with the race's end."""

    tournament: Tournament
    part: Part
    complete: bool
    stopped_early: bool
    seconds: float
    startup_seconds: float
    played_games: int
    out: dict[int, int]

    @property
    def plan(self) -> Schedule:
        """Everything that was to be played."""
        return self.tournament.schedule

    @property
    def count(self) -> Count:
        """Games of all tables."""
        return Count(games=sum(count.games for count in self.part.counts))

    def reading(self) -> Reading:
        """The sums of all tables, read."""
        design, studies = self.tournament.design, self.tournament.studies
        tables = [
            read_table(design.members(table), studies[table], count)
            for table, count in enumerate(self.part.counts)
        ]
        return Reading(design, tables)


def _rounds(
    tournament: Tournament, workers: Workers, watch: Watch, store: Store | None = None
) -> Found:
    """All rounds; with a race or a wanted precision each one waits for the one before."""
    schedule = tournament.schedule
    if not tournament.looked_at:
        return _found(tournament, [play(schedule, workers, watch, store=store)], {}, False)
    parts: list[Played] = []
    race, total = Race(tournament), Part([Count() for _ in tournament.studies])
    early = False
    for turn, games in enumerate(tournament.ends):
        tables = race.tables() if tournament.race else range(len(tournament.studies))
        seen = sum(count.games for count in total.counts)
        plan = schedule.only(turn, tables)
        parts.append(play(plan, workers, _shifted(watch, seen, schedule), store=store))
        total.add(parts[-1].part)
        if not parts[-1].complete:
            break
        reading = replace(_found(tournament, parts, {}, False), part=total).reading()
        if tournament.race:
            race.look(reading, games)
        enough = tournament.precision is not None and precise(reading, tournament.precision)
        if enough or (tournament.race and race.over):
            early = games < tournament.ends[-1]
            break
    return replace(_found(tournament, parts, race.out, early), part=total)


def _found(tournament: Tournament, parts: list[Played], out: dict[int, int], early: bool) -> Found:
    return Found(
        tournament,
        parts[-1].part,
        parts[-1].complete,
        early,
        sum(played.seconds for played in parts),
        sum(played.startup_seconds for played in parts),
        sum(played.played_games for played in parts),
        out,
    )


def _shifted(watch: Watch, seen: int, schedule: Series) -> Watch:
    """The watch of one round, whose progress goes on where the last round ended."""
    told: Callable[[Any, Part, int], None] | None = watch.progress
    if told is None:
        return watch

    def progress(plan: Any, part: Part, wanted: int) -> None:
        games = sum(count.games for count in part.counts)
        told(plan, Part([Count(games=seen + games)]), schedule.games)

    return replace(watch, progress=progress)


def tournament_of(path: str | Path) -> TournamentResults:
    """Read the results of a tournament's folder; raises `UsageError` if it holds something else."""
    from simlab.errors import UsageError
    from simlab.experiments.running import load

    found = load(path)
    if not isinstance(found, TournamentResults):
        raise UsageError(f"{path} holds no tournament; simlab tournament ... --out DIR makes one")
    return found

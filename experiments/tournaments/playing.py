"""Plays a tournament round by round, and stops what has been seen enough of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from simlab.errors import UsageError
from simlab.experiments.batches import Played, Store, Watch, Workers, play, play_chunk
from simlab.experiments.counting import Count, Part
from simlab.experiments.folders import DamagedFolderError, RunFolder, is_run_folder, read_run
from simlab.experiments.plans import Chunk
from simlab.experiments.running import Place
from simlab.experiments.tournaments.design import Design
from simlab.experiments.tournaments.design import of_record as design_of
from simlab.experiments.tournaments.race import Race, precise
from simlab.experiments.tournaments.reading import Reading, read_table
from simlab.experiments.tournaments.results import TournamentResults
from simlab.experiments.tournaments.schedule import Schedule, Tournament

Step = Callable[[Schedule, int], Played]
"""Plays (or reads) a part of a tournament, after so many games."""


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
        return TournamentResults(follow(tournament, _playing(workers, watch, None)))
    if place.resume and is_run_folder(place.path):
        tournament = _as_kept(tournament, read_run(place.path))
    folder = RunFolder(place.path, tournament.schedule)
    with folder.held():
        extra = _extra(tournament, place)
        folder.begin(resume=place.resume, overwrite=place.overwrite, extra=extra)
        found = follow(tournament, _playing(workers, watch, folder))
        results = TournamentResults(found, folder=place.path, extended=extra["extended"])
        folder.write_run({**extra, **_ended(results)})
        if found.complete:
            folder.write_results(results.numbers)
    return results


def _as_kept(tournament: Tournament, run: Mapping[str, Any]) -> Tournament:
    """With the chunks and the design of the folder that is there, if it holds this tournament."""
    if run["kind"] != "tournament":
        return tournament
    kept, own = run["studies"][0], tournament.record()
    if not tournament.looked_at:
        tournament = replace(tournament, chunk=kept["chunk"])
    keys = ("policies", "players", "seed", "wanted_tables", "focus")
    if all(kept[key] == own[key] for key in keys):
        design = design_of(kept["design"], len(tournament.texts))
        tournament = replace(tournament, design=design)
    return tournament


def _extra(tournament: Tournament, place: Place) -> dict[str, Any]:
    """What else ``run.json`` says: whether results were there to be looked at before."""
    assert place.path is not None
    extra: dict[str, Any] = {"game_word": tournament.base.game_word, "extended": False}
    if place.resume and is_run_folder(place.path):
        run = read_run(place.path)
        extra["finished_at"] = run.get("finished_at")
        seen = run.get("finished_at") not in (None, tournament.games)
        extra["extended"] = bool(run.get("extended")) or seen
        extra["timings"] = run.get("timings")
    return extra


def _ended(results: TournamentResults) -> dict[str, Any]:
    """What ``run.json`` says once play has ended: of how many chunks the results are."""
    found = results.played
    said: dict[str, Any] = {}
    if found.played_games:
        said["timings"] = results.timings
    if found.complete:
        count = len(found.chunks)
        said |= {"finished_at": found.tournament.games, "chunks": count, "chunks_done": count}
        said["complete"] = f"{count:,} of {count:,} chunks"
    return said


# --- What happens -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """What a tournament counted: as `Played`, with how it went.

    Attributes
    ----------
    part : Part
        A count for each table of the design, then for each of the game of mixes.
    out : dict
        Policies that dropped out of a race, and the games a table after which they did.
    best : tuple of int
        Who met at the tables of the game of mixes; empty before that is known.
    chunks : tuple of Chunk
        All that was asked for.
    """

    tournament: Tournament
    part: Part
    complete: bool
    stopped_early: bool
    seconds: float
    startup_seconds: float
    played_games: int
    out: dict[int, int]
    best: tuple[int, ...]
    chunks: tuple[Chunk, ...]

    @property
    def plan(self) -> Schedule:
        """Everything that was to be played."""
        return self.tournament.schedule

    @property
    def count(self) -> Count:
        """Games of all tables."""
        return Count(games=sum(count.games for count in self.part.counts))

    def reading(self) -> Reading:
        """The sums of the design's tables, read."""
        return _read(self.tournament.design, self.plan, self.part, 0)

    def mix_reading(self) -> Reading | None:
        """The sums of the tables that a sampled tournament plays for the game of mixes."""
        mixes = self.tournament.mixes
        if mixes is None or not self.best:
            return None
        plan = self.tournament.schedule_among(self.best)
        return _read(mixes, plan, self.part, len(self.tournament.studies))


def _read(design: Design, plan: Schedule, part: Part, first: int) -> Reading:
    rows = range(len(design.seats))
    tables = [
        read_table(design.members(row), plan.studies[first + row], part.counts[first + row])
        for row in rows
    ]
    return Reading(design, tables)


@dataclass
class _Course:
    """A tournament on its way."""

    tournament: Tournament
    step: Step
    part: Part
    race: Race
    parts: list[Played] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)

    def take(self, plan: Schedule) -> bool:
        """One part more; whether it came to its end."""
        seen = sum(count.games for count in self.part.counts)
        self.parts.append(self.step(plan, seen))
        self.part.add(self.parts[-1].part)
        self.chunks += plan.chunks()
        return self.complete

    @property
    def complete(self) -> bool:
        return all(played.complete for played in self.parts)

    def found(self, early: bool = False, best: Sequence[int] = ()) -> Found:
        """What was counted so far."""
        return Found(
            tournament=self.tournament,
            part=self.part,
            complete=self.complete,
            stopped_early=early and self.complete,
            seconds=sum(played.seconds for played in self.parts),
            startup_seconds=sum(played.startup_seconds for played in self.parts),
            played_games=sum(played.played_games for played in self.parts),
            out=self.race.out,
            best=tuple(best),
            chunks=tuple(self.chunks),
        )


def follow(tournament: Tournament, step: Step) -> Found:
    """Go through a tournament, whoever plays it or has played it.

    The tables of the design come first, in rounds if somebody looks; then those of the game of
    mixes.
    """
    counts = [Count() for _ in tournament.schedule.studies]
    course = _Course(tournament, step, Part(counts), Race(tournament.design))
    rounds = _looked_at(course) if tournament.looked_at else _at_once(course)
    early = rounds < len(tournament.ends)
    if not course.complete or tournament.mixes is None:
        return course.found(early)
    best = _best(course.found().reading(), tournament.mixes.policies)
    plan = tournament.schedule_among(best)
    tables = range(len(tournament.studies), len(plan.studies))
    course.take(plan.only(range(rounds), tables))
    return course.found(early, best)


def _at_once(course: _Course) -> int:
    """All rounds of all tables together; how many there were."""
    tournament = course.tournament
    rounds, tables = range(len(tournament.ends)), range(len(tournament.studies))
    course.take(tournament.schedule.only(rounds, tables))
    return len(rounds)


def _looked_at(course: _Course) -> int:
    """Round after round, until it is known what was asked for; how many there were."""
    tournament, race = course.tournament, course.race
    for turn, games in enumerate(tournament.ends):
        tables = race.tables()
        if not course.take(tournament.schedule.only([turn], tables)):
            return turn + 1
        reading = course.found().reading()
        if tournament.race:
            race.look(reading, games)
        wanted = tournament.precision
        enough = wanted is not None and precise(reading, wanted, race.out)
        if enough or race.over:
            return turn + 1
    return len(tournament.ends)


def _best(reading: Reading, how_many: int) -> list[int]:
    """So many policies with the highest win rates, in the order of their texts."""
    order = sorted(range(reading.design.policies), key=lambda who: -float(reading.rates[who]))
    return sorted(order[:how_many])


# --- Who does it ------------------------------------------------------------------------------


def _playing(workers: Workers, watch: Watch, store: Store | None) -> Step:
    """Plays what is not kept yet."""

    def step(plan: Schedule, seen: int) -> Played:
        return play(plan, workers, _shifted(watch, seen, plan), store=store)

    return step


def _shifted(watch: Watch, seen: int, schedule: Schedule) -> Watch:
    """The watch of one part, whose progress goes on where the part before it ended."""
    told: Callable[[Any, Part, int], None] | None = watch.progress
    if told is None:
        return watch
    assert schedule.tournament is not None
    wanted = schedule.tournament.schedule.games

    def progress(plan: Any, part: Part, _: int) -> None:
        games = sum(count.games for count in part.counts)
        told(plan, Part([Count(games=seen + games)]), wanted)

    return replace(watch, progress=progress)


def _reading_from(folder: RunFolder) -> Step:
    """Plays nothing: adds up what a folder has."""

    def step(plan: Schedule, seen: int) -> Played:
        total, complete = Part([plan.nothing() for _ in plan.studies]), True
        for chunk in plan.chunks():
            part = folder.finished(chunk)
            complete &= part is not None
            if part is not None:
                plan.add(total, chunk, part)
        return Played(plan, total, complete, False, 0.0, 0.0, 0)

    return step


def kept_course(folder: RunFolder) -> Found:
    """How the tournament in a folder went, as far as it is there."""
    schedule = folder.plan
    assert isinstance(schedule, Schedule)
    assert schedule.tournament is not None
    return follow(schedule.tournament, _reading_from(folder))


def load_tournament(folder: RunFolder, run: Mapping[str, Any]) -> TournamentResults:
    """Read the results of a folder that holds a tournament; nothing is played."""
    timings = run.get("timings") or {"seconds": 0.0, "startup_seconds": 0.0}
    times = {key: timings[key] for key in ("seconds", "startup_seconds")}
    found = replace(kept_course(folder), **times)
    return TournamentResults(found, folder=folder.path, extended=bool(run.get("extended")))


def play_again(folder: RunFolder, chunk: Chunk) -> Part:
    """Play one chunk of a kept tournament anew; who met in it may hang on those before it."""
    plan = folder.plan
    assert isinstance(plan, Schedule)
    assert plan.tournament is not None
    assert chunk.study is not None
    if chunk.study >= len(plan.tournament.studies):
        best = kept_course(folder).best
        if not best:
            raise DamagedFolderError(f"{folder.path} lacks chunks that say who met in later ones")
        plan = plan.tournament.schedule_among(best)
    return play_chunk(plan, chunk)[0]


def tournament_of(path: str | Path) -> TournamentResults:
    """Read the results of a tournament's folder; raises `UsageError` if it holds something else."""
    from simlab.experiments.running import load

    found = load(path)
    if not isinstance(found, TournamentResults):
        raise UsageError(f"{path} holds no tournament; simlab tournament ... --out DIR makes one")
    return found

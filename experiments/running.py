"""Runs a study from its first deal to its results, with or without a folder to keep them in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.errors import UsageError
from simlab.experiments.batches import Played, Watch, Workers, play
from simlab.experiments.comparing import (
    Comparison,
    Varied,
    check_margin,
    check_rescoring,
)
from simlab.experiments.counting import Paired, Part
from simlab.experiments.folders import RunFolder, is_run_folder, open_folder, read_run
from simlab.experiments.plans import Plan
from simlab.experiments.precision import precise_enough
from simlab.experiments.results import Results
from simlab.experiments.study import DEFAULT_GAMES, MOST_CHUNK, Study

if TYPE_CHECKING:
    from simlab.experiments.tournaments.results import TournamentResults
    from simlab.experiments.tuning.results import TuningResults


@dataclass(frozen=True)
class Place:
    """Where a run is kept, and what happens if something is there already.

    Attributes
    ----------
    path : pathlib.Path or None
        None keeps nothing.
    resume, overwrite : bool
        Go on with the run that is there; begin anew in its place.
    """

    path: Path | None = None
    resume: bool = False
    overwrite: bool = False

    def __post_init__(self) -> None:
        if self.resume and self.overwrite:
            raise UsageError("--resume and --overwrite exclude each other")
        if self.path is None and (self.resume or self.overwrite):
            raise UsageError("--resume and --overwrite need --out DIR")

    def games(self, given: object, default: int = DEFAULT_GAMES) -> object:
        """Games that are asked for; where none are, those of the run that goes on.

        Parameters
        ----------
        given : int, float, str or None
            What was asked for; None if nothing was.
        default : int
            For a run that begins.
        """
        if given is not None:
            return given
        if not self.resume or self.path is None or not is_run_folder(self.path):
            return default
        games: int = read_run(self.path)["studies"][0]["games"]
        return games


def run_plan(
    plan: Plan,
    place: Place | None = None,
    workers: Workers = None,
    watch: Watch | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Results:
    """Play a plan, keep it if it has a place, and read the results.

    Parameters
    ----------
    plan : Plan
    place : Place, optional
    workers : int, optional
    watch : Watch, optional
    extra : mapping, optional
        What else ``run.json`` is to hold; with ``vary`` in it the results are a comparison.

    Returns
    -------
    Results

    Raises
    ------
    UsageError
        If the place holds something else, or is held by another process.
    PolicyError
        If a policy breaks a rule while it plays; finished chunks are kept.
    """
    watch = watch or Watch()
    if plan.base.precision is not None:
        watch = replace(watch, enough=precise_enough)
    if place is None or place.path is None:
        _refuse_large(plan)
        return _read(play(plan, workers, watch), extra or {})
    if place.resume and is_run_folder(place.path):
        plan = _with_its_chunks(plan, place.path)
    folder = RunFolder(place.path, plan)
    with folder.held():
        extended = _extends(place, plan)
        extra = {"game_word": plan.base.game_word, "extended": extended, **(extra or {})}
        if place.resume and is_run_folder(place.path):
            was = read_run(place.path)
            extra |= {key: was.get(key) for key in ("finished_at", "timings")}
        folder.begin(resume=place.resume, overwrite=place.overwrite, extra=extra)
        played = play(plan, workers, watch, store=folder)
        results = _read(played, extra, place.path)
        if played.played_games or not extra.get("timings"):
            extra["timings"] = results.timings  # else those of when it was played
        if played.complete:
            extra["finished_at"] = plan.base.deals
        if played.stopped_early:
            extra["stopped_at"] = played.count.deals
        folder.write_run(extra)
        if played.complete:
            folder.write_results(results.numbers)
    return results


def _read(played: Played, extra: Mapping[str, Any], path: Path | None = None) -> Results:
    """Results, or a comparison's if something is varied."""
    more = {"folder": path, "extended": extra.get("extended", False)}
    if "vary" not in extra:
        return Results(played, **more)
    varied = [Varied(one["key"], tuple(one["values"])) for one in extra["vary"]]
    return Comparison(played, varied=varied, margin=extra["margin"], **more)


def run_comparison(
    plan: Plan,
    varied: Sequence[Varied],
    margin: float | None = None,
    place: Place | None = None,
    workers: Workers = None,
    watch: Watch | None = None,
) -> Comparison:
    """Play a comparison (from `comparing.comparison`) and read the results.

    Where games are scored again instead of played, some deals are played both ways first.

    Raises
    ------
    SimlabError
        If a policy is not as blind as it says.
    """
    check_margin(margin)
    check_rescoring(plan, workers)
    vary = [{"key": one.key, "values": list(one.values)} for one in varied]
    extra = {"vary": vary, "margin": margin}
    found = run_plan(plan, place, workers, watch, extra)
    assert isinstance(found, Comparison)
    return found


def _with_its_chunks(plan: Plan, path: Path) -> Plan:
    """The plan with the chunks of the run that is there: a larger run goes on in them."""
    chunk = read_run(path)["studies"][0].get("chunk")
    if not isinstance(chunk, int) or not 0 < chunk <= MOST_CHUNK:
        return plan  # it holds something else, and is refused for that
    return replace(plan, studies=tuple(replace(study, chunk=chunk) for study in plan.studies))


def _extends(place: Place, plan: Plan) -> bool:
    """Whether a finished run goes on: its results were there to be looked at."""
    assert place.path is not None
    if place.overwrite or not is_run_folder(place.path):
        return False
    run = read_run(place.path)
    return bool(run.get("extended")) or run.get("finished_at") not in (None, plan.base.deals)


def _refuse_large(plan: Plan) -> None:
    if plan.base.save_games:
        raise UsageError("--save-games needs --out DIR to write to")


def load(path: str | Path) -> Results | TournamentResults | TuningResults:
    """Read the results of a run folder; nothing is played.

    Raises
    ------
    UsageError
        If the folder holds no run.
    DamagedFolderError
        If a file of it is not as it was written.
    """
    folder = open_folder(Path(path))
    run = read_run(folder.path)
    if run["kind"] == "tournament":
        from simlab.experiments.tournaments.playing import load_tournament

        return load_tournament(folder, run)
    if run["kind"] == "tuning":
        from simlab.experiments.tuning.search import load_tuning

        return load_tuning(folder, run)
    part, chunks = _nothing(folder.plan), 0
    for _, found in folder.parts():
        part.add(found)
        chunks += 1
    complete = chunks == folder.counted_chunks
    early = complete and chunks < len(folder.chunks)
    timings = run.get("timings") or {"seconds": 0.0, "startup_seconds": 0.0}
    seconds, startup = timings["seconds"], timings["startup_seconds"]
    kept = (chunks, len(folder.chunks))
    played = Played(folder.plan, part, complete, early, seconds, startup, 0, kept)
    return _read(played, run, folder.path)


def _nothing(plan: Plan) -> Part:
    paired = [Paired() for _ in plan.studies[1:]] if plan.paired else []
    return Part([plan.nothing() for _ in plan.studies], paired)


def run(study: Study, **more: Any) -> Results:
    """Play a study and read its results; ``more`` goes to `run_plan` (place, workers, watch)."""
    return run_plan(Plan((study,)), **more)

"""Runs a study from its first deal to its results, with or without a folder to keep them in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from simlab.errors import UsageError
from simlab.experiments.batches import Plan, Played, Watch, play
from simlab.experiments.counting import Part
from simlab.experiments.folders import RunFolder, is_run_folder, open_folder, read_run
from simlab.experiments.precision import precise_enough
from simlab.experiments.results import Results
from simlab.experiments.study import Study


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


def run_plan(
    plan: Plan, place: Place | None = None, workers: int | None = None, watch: Watch | None = None
) -> Results:
    """Play a plan, keep it if it has a place, and read the results.

    Parameters
    ----------
    plan : Plan
    place : Place, optional
    workers : int, optional
    watch : Watch, optional

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
        return Results(play(plan, workers, watch))
    if place.resume and is_run_folder(place.path):
        plan = _with_its_chunks(plan, place.path)
    folder = RunFolder(place.path, plan)
    with folder.held():
        extended = _extends(place, plan)
        folder.begin(resume=place.resume, overwrite=place.overwrite, extra=_extra(plan, extended))
        played = play(plan, workers, watch, store=folder)
        results = Results(played, folder=place.path, extended=extended)
        folder.write_run({**_extra(plan, extended), "timings": results.timings})
        if played.complete:
            folder.write_results(results.numbers)
    return results


def _extra(plan: Plan, extended: bool) -> dict[str, Any]:
    return {"game_word": plan.base.game_word, "extended": extended}


def _with_its_chunks(plan: Plan, path: Path) -> Plan:
    """The plan with the chunks of the run that is there: a larger run goes on in them."""
    chunk = read_run(path)["studies"][0]["chunk"]
    return replace(plan, studies=tuple(replace(study, chunk=chunk) for study in plan.studies))


def _extends(place: Place, plan: Plan) -> bool:
    """Whether a finished run goes on: its results were there to be looked at."""
    assert place.path is not None
    if place.overwrite or not is_run_folder(place.path):
        return False
    run = read_run(place.path)
    if run.get("extended"):
        return True
    return (place.path / "results.json").exists() and run["studies"][0]["deals"] < plan.base.deals


def _refuse_large(plan: Plan) -> None:
    if plan.base.save_games:
        raise UsageError("--save-games needs --out DIR to write to")


def load(path: str | Path) -> Results:
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
    part, chunks = Part(), 0
    for _, found in folder.parts():
        part.add(found)
        chunks += 1
    complete = chunks == len(folder.edges) - 1 or (folder.path / "results.json").exists()
    early = complete and chunks < len(folder.edges) - 1
    timings = run.get("timings", {"seconds": 0.0, "startup_seconds": 0.0})
    seconds, startup = timings["seconds"], timings["startup_seconds"]
    games = sum(count.games for count in part.counts)
    played = Played(folder.plan, part, complete, early, seconds, startup, games)
    return Results(played, folder=folder.path, extended=run["extended"])


def run(study: Study, **more: Any) -> Results:
    """Play a study and read its results; ``more`` goes to `run_plan` (place, workers, watch)."""
    return run_plan(Plan((study,)), **more)


def simulate(
    game: str,
    policies: list[str],
    games: object = 100_000,
    *,
    seed: int = 0,
    seating: str = "rotate",
    precision: float | None = None,
    workers: int | None = None,
    **options: object,
) -> Results:
    """Play a line-up and read the results, in one line.

    Parameters
    ----------
    game : str
    policies : list of str
        As on the command line, repetitions allowed: ``["balanced", "greedy*3"]``.
    games : int, float or str
    seed, seating, precision, workers
        As on the command line.
    **options
        Rules that differ from the printed ones: ``finale="III"``.

    Returns
    -------
    Results

    Examples
    --------
    >>> import simlab
    >>> simlab.simulate("fantastique", ["balanced", "greedy*3"], games=1e6, finale="III").summary()
    """
    study = Study.of(
        game,
        policies,
        options=options,
        games=games,
        seed=seed,
        seating=seating,
        precision=precision,
    )
    return run(study, workers=workers)



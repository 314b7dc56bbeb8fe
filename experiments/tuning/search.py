"""CMA-ES over a policy's parameters: a generation on common deals, the verdict on fresh ones.

The candidates of a generation meet the same deals, which ranks them best; every generation meets
deals of its own, so that none is overlearned. What comes out is the mean of the last generation,
not its luckiest member, and what it is worth is measured on deals that no generation has met.

References
----------
N. Hansen, "The CMA evolution strategy: a tutorial" (arXiv 1604.00772, 2016), as the library cma
has it; the mean as the best estimate under noise is its recommendation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from simlab.contract import WHOLE_WIN
from simlab.experiments.batches import Store, Watch, Workers, play
from simlab.experiments.counting import Count, Part
from simlab.experiments.folders import RunFolder, is_run_folder, read_run
from simlab.experiments.intervals import Estimate
from simlab.experiments.plans import Chunk, Plan
from simlab.experiments.running import Place
from simlab.experiments.summary import Reading
from simlab.experiments.tuning.problem import DIGITS, Judgement, Problem, Search, Trial
from simlab.experiments.tuning.results import TuningResults

FIRST_STEP = 1.0
"""Deviation of the first generation, in the problem's scales."""


@dataclass(frozen=True)
class Generation:
    """One generation.

    Attributes
    ----------
    candidates : list of list of float
        The tuned parameters of each.
    rates : list of float
        Win rate of each, on the deals of the generation.
    mean, deviations : list of float
        Where the search stands after it, and how far it steps for each parameter.
    """

    candidates: list[list[float]]
    rates: list[float]
    mean: list[float]
    deviations: list[float]


@dataclass
class Searched:
    """What a search has done so far; `TuningResults` reads it.

    Attributes
    ----------
    judged : list of Estimate
        Win rates of the policy as it stood, as it was found, and as it was found but for one
        parameter each, all on fresh deals; empty until the search is over.
    """

    problem: Problem
    generations: list[Generation] = field(default_factory=list)
    judged: list[Estimate] = field(default_factory=list)
    complete: bool = False
    seconds: float = 0.0
    startup_seconds: float = 0.0
    played_games: int = 0
    games: int = 0

    @property
    def found(self) -> list[float]:
        """The parameters found."""
        return self.generations[-1].mean if self.generations else self.problem.start

    @property
    def count(self) -> Count:
        """All games of the search and its judgement."""
        return Count(games=self.games)

    @property
    def part(self) -> Part:
        """As `count`, for whoever asks a run how far it came."""
        return Part([self.count])

    @property
    def plan(self) -> Any:
        """What was to be played."""
        return Search((self.problem.base,), problem=self.problem)


def run_search(
    problem: Problem,
    place: Place | None = None,
    workers: Workers = None,
    watch: Watch | None = None,
) -> TuningResults:
    """Search, then judge.

    Parameters
    ----------
    problem : Problem
    place : Place, optional
        A folder keeps every generation, so that a search goes on where it was stopped.
    workers : int, optional
    watch : Watch, optional

    Returns
    -------
    TuningResults

    Raises
    ------
    UsageError
        If the place holds something else, or is held by another process.
    """
    watch = watch or Watch()
    if place is None or place.path is None:
        return TuningResults(_search(problem, workers, watch, None))
    folder = RunFolder(place.path, Search((problem.base,), problem=problem))
    with folder.held():
        extra: dict[str, Any] = {"game_word": problem.base.game_word}
        if place.resume and is_run_folder(place.path):
            extra["timings"] = read_run(place.path).get("timings")
        folder.begin(resume=place.resume, overwrite=place.overwrite, extra=extra)
        searched = _search(problem, workers, watch, folder)
        results = TuningResults(searched, folder=place.path)
        if searched.played_games:
            extra["timings"] = results.timings
        folder.write_run(extra)
        if searched.complete:
            folder.write_results(results.numbers)
    return results


def load_tuning(folder: RunFolder, run: Mapping[str, Any]) -> TuningResults:
    """Read a folder that holds a search; nothing is played."""
    plan = folder.plan
    assert isinstance(plan, Search)
    assert plan.problem is not None
    stopped = Watch()
    stopped.stop.set()
    searched = _search(plan.problem, 1, stopped, folder)
    timings = run.get("timings") or {"seconds": 0.0, "startup_seconds": 0.0}
    searched.seconds = timings["seconds"]
    searched.startup_seconds = timings["startup_seconds"]
    return TuningResults(searched, folder=folder.path)


class Again:
    """A folder's steps up to one, which is played anew and kept here; then all is stopped."""

    def __init__(self, folder: RunFolder, step: int) -> None:
        self.folder, self.step = folder, step
        self.part: Part | None = None
        self.watch = Watch()

    def finished(self, chunk: Chunk) -> Part | None:
        """The step as the folder has it, if it is one before."""
        if chunk.number > self.step:
            self.watch.stop.set()
        return self.folder.finished(chunk) if chunk.number < self.step else None

    def keep(self, chunk: Chunk, part: Part, games: Any) -> None:
        """Take what was played."""
        if chunk.number == self.step:
            self.part = part


def play_again(folder: RunFolder, step: int) -> Part | None:
    """Play one step of a kept search anew."""
    plan = folder.plan
    assert isinstance(plan, Search)
    assert plan.problem is not None
    again = Again(folder, step)
    _search(plan.problem, None, again.watch, again)
    return again.part


def _search(problem: Problem, workers: Workers, watch: Watch, folder: Store | None) -> Searched:
    """Every generation in turn, from the folder where it is there, and the judgement."""
    searched = Searched(problem)
    for number, strategy, asked in _generations(problem):
        candidates = [_rounded(problem, one) for one in asked]
        studies = [s for c in candidates for s in problem.studies(c, problem.games_in(number))]
        trial = _all_of(Trial(tuple(studies), from_deal=problem.first_deal(number)))
        part = _played(searched, number, trial, workers, watch, folder)
        if part is None:
            return searched
        rates = _rates(problem, trial, part)
        strategy.tell(asked, [-rate for rate in rates])
        mean = _rounded(problem, strategy.result.xfavorite)
        # Where one parameter alone is tuned, the strategy has two.
        pairs = zip(strategy.result.stds, problem.scales, strict=False)
        steps = [float(own * scale) for own, scale in pairs]
        searched.generations.append(Generation(candidates, rates, mean, steps))
    return _judge(searched, workers, watch, folder)


def _judge(searched: Searched, workers: Workers, watch: Watch, folder: Store | None) -> Searched:
    """Play what was, what was found, and what was found but for one parameter."""
    problem = searched.problem
    sides = [problem.start, searched.found]
    for place in range(len(problem.keys)):
        changed = list(searched.found)
        changed[place] = problem.start[place]
        sides.append(changed)
    studies = [study for values in sides for study in problem.studies(values, problem.judged)]
    judgement = _all_of(Judgement(tuple(studies)))
    part = _played(searched, problem.generations, judgement, workers, watch, folder)
    if part is not None:
        searched.judged = _estimates(problem, judgement, part)
        searched.complete = True
    return searched


def _generations(problem: Problem) -> Iterator[tuple[int, Any, list[Any]]]:
    """Ask for generation after generation, each once the one before has been told."""
    import cma

    rng = np.random.Generator(np.random.Philox(problem.base.seed))

    def draw(*shape: int) -> Any:
        return rng.standard_normal(shape)

    options = {"popsize": problem.candidates, "seed": math.nan, "randn": draw, "verbose": -9}
    options |= {"verb_log": 0, "tolfun": 0, "tolx": 0, "tolfunhist": 0, "tolstagnation": 10**9}
    start = [0.0] * len(problem.keys)
    # One parameter alone: the library takes two or more, so the second is one nobody reads.
    if len(start) == 1:
        start = [0.0, 0.0]
    strategy = cma.CMAEvolutionStrategy(start, FIRST_STEP, options)
    for number in range(problem.generations):
        yield number, strategy, strategy.ask()


def _rounded(problem: Problem, own: Sequence[float]) -> list[float]:
    """Parameters from the strategy's own units, to the digits that are printed."""
    parts = zip(own, problem.start, problem.scales, strict=False)
    return [float(f"{start + scale * float(one):.{DIGITS}g}") for one, start, scale in parts]


def _all_of(plan: Any) -> Any:
    """A series that plays all its tables, each in one chunk."""
    most = max(study.games for study in plan.studies)
    return replace(plan, ends=(most,), rounds=(0,), tables=tuple(range(len(plan.studies))))


def _played(
    searched: Searched,
    number: int,
    plan: Plan,
    workers: Workers,
    watch: Watch,
    folder: Store | None,
) -> Part | None:
    """One step of the search: from the folder, or played now; None if it was stopped."""
    where = Search((searched.problem.base,), problem=searched.problem).chunks()[number]
    part = folder.finished(where) if folder is not None else None
    if part is None:
        if watch.stop.is_set():
            return None
        played = play(plan, workers, _told(searched, watch))
        if not played.complete:
            return None
        part = played.part
        searched.seconds += played.seconds
        searched.startup_seconds += played.startup_seconds
        searched.played_games += played.played_games
        if folder is not None:
            folder.keep(where, part, None)
    searched.games += sum(count.games for count in part.counts)
    return part


def _told(searched: Searched, watch: Watch) -> Watch:
    """The watch of one step, told of all games so far and of all that are wanted."""
    told = watch.progress
    if told is None:
        return watch
    seen, wanted = searched.games, searched.plan.games

    def progress(plan: Any, part: Part, _: int) -> None:
        games = sum(count.games for count in part.counts)
        told(plan, Part([Count(games=seen + games)]), wanted)

    return replace(watch, progress=progress)


def _rates(problem: Problem, plan: Plan, part: Part) -> list[float]:
    return [found.mean for found in _estimates(problem, plan, part)]


def _estimates(problem: Problem, plan: Plan, part: Part) -> list[Estimate]:
    """Win rate of the tuned policy in each group of studies, one study a field."""
    fields = problem.fields
    found = []
    for first in range(0, len(plan.studies), len(fields)):
        means, variance, deals = 0.0, 0.0, 0
        for place, one in enumerate(fields, first):
            reading = Reading(plan.studies[place], part.counts[place])
            share = reading.policy(0, reading.share_place, WHOLE_WIN)
            means += one.weight * share.mean
            variance += (one.weight * share.error) ** 2 if share.deals > 1 else math.inf
            deals += share.deals
        found.append(Estimate(means, math.nan, math.sqrt(variance), deals))
    return found


def tuning_of(path: str | Path) -> TuningResults:
    """Read the results of a search's folder; raises `UsageError` if it holds something else."""
    from simlab.errors import UsageError
    from simlab.experiments.running import load

    found = load(path)
    if not isinstance(found, TuningResults):
        raise UsageError(f"{path} holds no search; simlab tune ... --out DIR makes one")
    return found

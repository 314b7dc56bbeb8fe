"""Plays studies in batches on every core; the only place of the experiments that plays.

A chunk is a fixed run of deals, what a run folder keeps; a batch is what a thread plays between two
looks at the stop flag, some fifth of a second. What comes out depends on neither, nor on who plays.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from simlab.compiled import INTERPRETED
from simlab.engine import Notice, Room, engine_of
from simlab.experiments.counting import Count, Paired, Part
from simlab.experiments.sequences import looks
from simlab.experiments.study import Study
from simlab.options import DRAWN
from simlab.totals import totals_type

if TYPE_CHECKING:
    import numpy.typing as npt

BATCH_SECONDS = 0.2
FIRST_BATCH = 8
MOST_GROWTH = 8
MOST_BATCH = 100_000
MOST_KEPT = 4_096
"""Deals in a batch whose sums or outcomes are kept one by one, so that memory stays flat."""


@dataclass(frozen=True)
class Plan:
    """Studies of the same deals, one for each value of what is varied; most often one alone.

    Attributes
    ----------
    studies : tuple of Study
        The first one is the baseline; chunking and number of deals are its own.
    rescored : bool
        Whether the studies differ only in what scoring reads and nobody looks at, so that the
        games of the first are scored again for the others.
    """

    studies: tuple[Study, ...]
    rescored: bool = False

    @property
    def base(self) -> Study:
        """The first study."""
        return self.studies[0]

    @property
    def paired(self) -> bool:
        """Whether the variants meet the same deals in the same seatings."""
        first = self.base.seatings
        return len(self.studies) > 1 and all(
            study.seatings.shape == first.shape and (study.seatings == first).all()
            for study in self.studies
        )

    @property
    def games(self) -> int:
        """Games of all variants, whole deals."""
        return sum(study.deals * len(study.seatings) for study in self.studies)

    def share_of(self, place: int, deal: int) -> int:
        """Deals of one of the studies that go with so many deals of the first.

        Studies of other numbers of players have other numbers of deals for as many games. It
        does not depend on how many are wanted in all, so that a longer run goes on in the same.
        """
        study = self.studies[place]
        if self.paired or deal == self.base.deals:
            return study.deals if deal == self.base.deals else deal
        return min(study.deals, deal * len(self.base.seatings) // len(study.seatings))

    def edges(self, kept: bool = True) -> list[int]:
        """Deals at which a chunk ends, beginning with 0.

        With a wanted precision every look is an edge, so that it falls on whole chunks. Where
        nothing is ``kept`` there are no other edges: a batch may be as long as it likes.
        """
        deals, chunk = self.base.deals, self.base.chunk
        ends = {*range(chunk, deals, chunk), deals} if kept else {deals}
        if self.base.precision is not None:
            ends |= set(looks(deals))
        return [0, *sorted(ends)]


class Store(Protocol):
    """Where finished chunks go, and come from when a run goes on."""

    def finished(self, chunk: int) -> Part | None:
        """The chunk, if it is there already."""

    def keep(self, chunk: int, part: Part, outcomes: npt.NDArray[Any] | None) -> None:
        """Keep a chunk that was finished just now."""


@dataclass
class Played:
    """What a run counted.

    Attributes
    ----------
    plan : Plan
    part : Part
        The sums over all deals that were counted.
    complete : bool
        False if it was stopped before its last deal (and not because it was precise enough).
    stopped_early : bool
        Whether it stopped because it was precise enough.
    seconds, startup_seconds : float
        Spent playing; spent before the first game, compiling or fetching what was compiled.
    played_games : int
        Games played just now, those of earlier runs left aside.
    """

    plan: Plan
    part: Part
    complete: bool
    stopped_early: bool
    seconds: float
    startup_seconds: float
    played_games: int

    @property
    def study(self) -> Study:
        """The (first) study."""
        return self.plan.base

    @property
    def count(self) -> Count:
        """The (first) study's sums."""
        return self.part.counts[0] if self.part.counts else Count()


@dataclass
class Watch:
    """How others follow a run and stop it.

    Attributes
    ----------
    progress : callable
        Is told the plan, the part counted so far and the games that are wanted.
    notice : callable
        Is told in one line when compiling begins.
    ready : callable
        Is called when compiling is over: from then on play looks at ``stop``.
    stop : threading.Event
        Once set, no further batch begins.
    enough : callable
        Is asked at each look, on the deals up to it, whether they are precise enough.
    """

    progress: Callable[[Plan, Part, int], None] | None = None
    notice: Notice | None = None
    ready: Callable[[], None] = lambda: None
    stop: threading.Event = field(default_factory=threading.Event)
    enough: Callable[[Plan, Part], bool] | None = None


def default_workers() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play(
    plan: Plan | Study,
    workers: int | None = None,
    watch: Watch | None = None,
    *,
    batch: int | None = None,
    store: Store | None = None,
) -> Played:
    """Play a plan and count it.

    Parameters
    ----------
    plan : Plan or Study
    workers : int, optional
        Threads; by default one for each core.
    watch : Watch, optional
    batch : int, optional
        Deals in a batch; by default as many as take a fifth of a second.
    store : Store, optional
        Keeps whole chunks and knows those of earlier runs. Without one, what was counted of a
        chunk that was not finished still counts.

    Returns
    -------
    Played

    Raises
    ------
    PolicyError
        If a policy breaks a rule while it plays.
    """
    plan = plan if isinstance(plan, Plan) else Plan((plan,))
    watch = watch or Watch()
    began = time.perf_counter()
    engine_of(plan.base.game, watch.notice)
    table = _Tables(plan)
    table.mine()
    startup = time.perf_counter() - began
    watch.ready()
    began = time.perf_counter()
    run = _Run(plan, watch, store)
    run.go(table, 1 if INTERPRETED else workers or default_workers(), batch)
    seconds = time.perf_counter() - began
    part = run.counted()
    complete = run.stopped_at is not None or run.missing == 0
    early = run.stopped_at is not None and run.stopped_at < len(run.edges) - 2
    return Played(plan, part, complete, early, seconds, startup, run.played_games)


Batch = tuple[int, int, int]
"""Chunk, first deal, number of deals."""


class _Tables:
    """Rooms for each thread, made when the thread first plays."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._local = threading.local()

    def mine(self) -> list[Room]:
        if not hasattr(self._local, "rooms"):
            self._local.rooms = self._rooms()
        return self._local.rooms  # type: ignore[no-any-return]

    def _rooms(self) -> list[Room]:
        plan = self.plan
        studies = plan.studies[:1] if plan.rescored else plan.studies
        rules = [s.matchup.rules for s in (plan.studies if plan.rescored else ())]
        return [
            Room(
                study.matchup,
                study.seatings,
                study.seed,
                study.luck,
                shuffled=study.shuffled,
                rules=np.concatenate(rules) if rules else None,
            )
            for study in studies
        ]

    def play(self, first: int, deals: int) -> tuple[Part, npt.NDArray[Any] | None]:
        """One batch of every variant, and its outcomes if the study keeps them."""
        plan, rooms = self.plan, self.mine()
        totals, sums, outcomes = [], [], None
        for place, room in enumerate(rooms):
            start, stop = (plan.share_of(place, deal) for deal in (first, first + deals))
            dtype = totals_type(plan.base.game)
            these = np.zeros(len(room.rules), dtype)
            kept = room.new_sums(deals) if plan.paired else None
            if plan.base.save_games:
                outcomes = np.zeros(room.rotations * deals, plan.base.game.outcome)
            room.play(start, stop - start, outcomes, these, sums=kept)
            totals += list(these)
            if kept is not None:
                sums += [(kept[0][n], kept[1][n]) for n in range(len(room.rules))]
        paired = [Paired.of(sums[0], other) for other in sums[1:]]
        return Part([Count.of(record) for record in totals], paired), outcomes


@dataclass
class _Pace:
    """Chooses how many deals make a batch of a fifth of a second."""

    deals: int
    most: int
    fixed: bool

    def learn(self, deals: int, seconds: float) -> None:
        if not self.fixed and seconds > 0:
            wanted = int(deals * BATCH_SECONDS / seconds)
            self.deals = max(1, min(wanted, MOST_GROWTH * deals, self.most))

    def share_of(self, deals: int) -> int:
        """Deals of the next batch, so that the last one of those left is not much shorter."""
        if self.fixed:
            return min(self.deals, deals)
        return -(-deals // -(-deals // self.deals))


@dataclass
class _Open:
    """A chunk that is being played."""

    missing: int
    part: Part = field(default_factory=Part)
    outcomes: dict[int, npt.NDArray[Any]] = field(default_factory=dict)


class _Keeper:
    """Keeps finished chunks in a thread of its own, while play goes on.

    One at a time: whoever brings the next one waits, so that memory stays flat.
    """

    def __init__(self, store: Store | None) -> None:
        self.store = store
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="simlab-keep")
        self._last: Future[None] | None = None

    def __enter__(self) -> _Keeper:
        return self

    def __exit__(self, *error: object) -> None:
        """Wait for the last one, also if play broke off: what was finished is kept."""
        self._pool.shutdown()
        self._wait()

    def keep(self, chunk: int, opened: _Open) -> None:
        """Keep one more; raises what went wrong with the one before."""
        if self.store is not None:
            self._wait()
            self._last = self._pool.submit(self._keep, chunk, opened)

    def _wait(self) -> None:
        last, self._last = self._last, None
        if last is not None:
            last.result()

    def _keep(self, chunk: int, opened: _Open) -> None:
        assert self.store is not None
        kept = [opened.outcomes[key] for key in sorted(opened.outcomes)]
        self.store.keep(chunk, opened.part, np.concatenate(kept) if kept else None)


class _Run:
    """One run of a plan: hands out batches, puts chunks together, looks at their prefix."""

    def __init__(self, plan: Plan, watch: Watch, store: Store | None) -> None:
        self.plan, self.watch, self.store = plan, watch, store
        self.edges = plan.edges(kept=store is not None)
        self.open: dict[int, _Open] = {}
        self.done: dict[int, Part] = {}  # finished chunks that wait for those before them
        self.prefix = Part([_no_games(plan) for _ in plan.studies])
        self.prefix.paired = [Paired() for _ in plan.studies[1:]] if plan.paired else []
        self.following = 0  # first chunk that is not in the prefix
        self.stopped_at: int | None = None  # chunk after which it was precise enough
        self.played_games = 0
        self.looks = set(looks(plan.base.deals)) if plan.base.precision is not None else set()

    @property
    def missing(self) -> int:
        """Chunks that are not finished."""
        return len(self.edges) - 1 - self.following - len(self.done)

    def go(self, tables: _Tables, workers: int, batch: int | None) -> None:
        """Play until all is played, or enough, or told to stop."""
        kept = self.plan.paired or self.plan.base.save_games
        pace = _Pace(batch or FIRST_BATCH, MOST_KEPT if kept else MOST_BATCH, batch is not None)
        batches = self._batches(pace)
        with (
            _Keeper(self.store) as self.keeper,
            ThreadPoolExecutor(workers, thread_name_prefix="simlab") as pool,
        ):
            running: dict[Future[Any], Batch] = {}
            try:
                while True:
                    while len(running) < 2 * workers and not self._ended():
                        following = next(batches, None)
                        if following is None:
                            break
                        running[pool.submit(_timed, tables, following)] = following
                    if not running:
                        return
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        where = running.pop(future)
                        seconds, part, outcomes = future.result()
                        pace.learn(where[2], seconds)
                        self._take(where, part, outcomes)
                    if self._ended():
                        running = {f: where for f, where in running.items() if not f.cancel()}
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    def _ended(self) -> bool:
        return self.watch.stop.is_set() or self.stopped_at is not None

    def _batches(self, pace: _Pace) -> Iterator[Batch]:
        for chunk in range(len(self.edges) - 1):
            first, stop = self.edges[chunk : chunk + 2]
            known = self.store.finished(chunk) if self.store is not None else None
            if known is not None:
                self._finish(chunk, known)
                if self._ended():
                    return
                continue
            self.open[chunk] = _Open(stop - first)
            while first < stop:
                deals = pace.share_of(stop - first)
                yield chunk, first, deals
                first += deals

    def _take(self, where: Batch, part: Part, outcomes: npt.NDArray[Any] | None) -> None:
        """Add a batch to its chunk; keep the chunk once it is whole."""
        chunk, first, deals = where
        self.played_games += sum(count.games for count in part.counts)
        if self.stopped_at is not None:
            return
        opened = self.open[chunk]
        opened.part.add(part)
        opened.missing -= deals
        if outcomes is not None:
            opened.outcomes[first] = outcomes
        if opened.missing == 0:
            del self.open[chunk]
            self.keeper.keep(chunk, opened)
            self._finish(chunk, opened.part)
        if self.watch.progress is not None:
            self.watch.progress(self.plan, self.counted(), self.plan.games)

    def _finish(self, chunk: int, part: Part) -> None:
        """Put a whole chunk into the prefix, in order, and look whether that is enough."""
        self.done[chunk] = part
        while self.following in self.done and self.stopped_at is None:
            self.prefix.add(self.done.pop(self.following))
            end = self.edges[self.following + 1]
            enough = self.watch.enough
            if end in self.looks and enough is not None and enough(self.plan, self.prefix):
                self.stopped_at = self.following
            self.following += 1

    def counted(self) -> Part:
        """The prefix, and unless it was enough what else was counted."""
        found = Part()
        found.add(self.prefix)
        if self.stopped_at is not None:
            return found
        more = list(self.done.values())
        if self.store is None:
            more += [opened.part for opened in self.open.values() if opened.part.counts]
        for part in more:
            found.add(part)
        return found


def _no_games(plan: Plan) -> Count:
    """The count of a run that was stopped before its first deal."""
    return Count.of(np.zeros(1, totals_type(plan.base.game))[0])


def _timed(tables: _Tables, where: Batch) -> tuple[float, Part, Any]:
    began = time.perf_counter()
    part, outcomes = tables.play(where[1], where[2])
    return time.perf_counter() - began, part, outcomes


def play_chunk(
    plan: Plan, first: int, end: int, notice: Notice | None = None
) -> tuple[Part, list[npt.NDArray[Any]] | None]:
    """Play the deals of one chunk again, in this thread: its sums, and its outcomes if kept."""
    engine_of(plan.base.game, notice)
    tables, part, kept = _Tables(plan), Part(), []
    while first < end:
        deals = min(MOST_KEPT, end - first)
        found, games = tables.play(first, deals)
        part.add(found)
        if games is not None:
            kept.append(games)
        first += deals
    return part, kept or None


def outcomes(
    study: Study, workers: int = 1, batch: int = 1000, first_deal: int = 0
) -> npt.NDArray[Any]:
    """Play a study and keep the outcome of every game in memory.

    Parameters
    ----------
    study : Study
    workers, batch : int
        Threads, and deals in a batch; the result does not depend on them.
    first_deal : int
        Number of the first deal.

    Returns
    -------
    numpy.ndarray of ``study.game.outcome``
        One row a game, in order of deals and rotations; ``rotations * deals`` rows in all.
    """
    engine_of(study.game)
    tables, rotations = _Tables(Plan((study,))), len(study.seatings)
    tables.mine()
    rows = np.zeros(rotations * study.deals, study.game.outcome)

    def one(start: int) -> None:
        deals = min(batch, study.deals - start)
        part = rows[start * rotations : (start + deals) * rotations]
        tables.mine()[0].play(first_deal + start, deals, part)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(one, range(0, study.deals, batch)))
    return rows


def shared_plan(studies: Sequence[Study]) -> Plan:
    """A plan that scores the games of the first study again where that is the same.

    It is, where the studies differ only in options that scoring alone reads, to which every
    policy at the table says that it is blind.
    """
    base = studies[0]
    options = [study.game.read_options(study.matchup.options) for study in studies]
    changed = {key for values in options for key in values if values[key] != options[0][key]}
    blind = set(base.game.scoring_only)
    for policy in base.matchup.lineup:
        blind &= set(policy.blind_to)
    same_seats = all(study.words == base.words for study in studies)
    # What is drawn for each deal cannot be set on a table after its game.
    drawn = any(values[key] == DRAWN for values in options for key in changed)
    rescored = len(studies) > 1 and same_seats and changed <= blind and not drawn
    return Plan(tuple(studies), rescored)

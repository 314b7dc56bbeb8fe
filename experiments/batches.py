"""Plays studies in batches on every core; the only place of the experiments that plays.

A chunk is a fixed run of deals, what a run folder keeps; a batch is what a thread plays between two
looks at the stop flag, some fifth of a second. What comes out depends on neither, nor on who plays.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from simlab.compiled import INTERPRETED
from simlab.engine import Notice, Room, engine_of
from simlab.errors import UsageError
from simlab.experiments.counting import Count, Paired, Part
from simlab.experiments.outcome_tables import joined, outcome_arrow
from simlab.experiments.plans import Chunk, Plan, Series
from simlab.experiments.sequences import looks
from simlab.experiments.study import Study
from simlab.totals import totals_type

if TYPE_CHECKING:
    import numpy.typing as npt
    import pyarrow as pa

BATCH_SECONDS = 0.2
FIRST_BATCH = 8
MOST_GROWTH = 8
MOST_BATCH = 100_000
MOST_WORKERS = 1024
MOST_KEPT = 16_384
"""Games in a batch whose sums or outcomes are kept one by one, so that memory stays flat."""


class Store(Protocol):
    """Where finished chunks go, and come from when a run goes on."""

    def finished(self, chunk: Chunk) -> Part | None:
        """The chunk, if it is there already."""

    def keep(self, chunk: Chunk, part: Part, games: pa.Table | None) -> None:
        """Keep a chunk that was finished just now, and its outcome table if there is one."""


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
    chunks : pair of int, optional
        Finished chunks, and all, where chunks are kept.
    """

    plan: Plan
    part: Part
    complete: bool
    stopped_early: bool
    seconds: float
    startup_seconds: float
    played_games: int
    chunks: tuple[int, int] | None = None

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


Batch = tuple[int, int, int]
"""Place of the chunk, first deal, number of deals."""

Timed = tuple[float, Part, "npt.NDArray[Any] | None"]
"""Seconds that a batch took, its sums, and its outcomes if they are kept."""


class Hands(Protocol):
    """Who plays the batches of one run.

    Attributes
    ----------
    batch : int or None
        Deals in a batch at most; None if as many as take a fifth of a second.
    patience : float or None
        Seconds between two looks at the stop flag, for batches that take long.
    """

    batch: int | None
    patience: float | None

    @property
    def at_once(self) -> int:
        """Batches that are handed out before the first of them is back."""

    def submit(self, chunk: Chunk, where: Batch) -> Future[Timed]:
        """Hand out a batch."""

    def leave(self) -> None:
        """Drop what was handed out and is not back."""


@runtime_checkable
class Crew(Protocol):
    """Others than this process's threads, who play run after run: `simlab.experiments.cluster`."""

    def begin(self, plan: Plan, watch: Watch) -> Hands:
        """Make ready for a run."""


Workers = int | Crew | None
"""Threads, by default one for each core; or others who play."""


def default_workers() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_workers(workers: int | None) -> None:
    """Raise `UsageError` unless so many threads can play (None: one for each core)."""
    if workers is None:
        return
    whole = isinstance(workers, Integral) and not isinstance(workers, bool)
    if not whole or not 1 <= workers <= MOST_WORKERS:
        raise UsageError(f"workers is a whole number from 1 to {MOST_WORKERS}, got {workers!r}")


def play(
    plan: Plan | Study,
    workers: Workers = None,
    watch: Watch | None = None,
    *,
    batch: int | None = None,
    store: Store | None = None,
) -> Played:
    """Play a plan and count it.

    Parameters
    ----------
    plan : Plan or Study
    workers : int or Crew, optional
        Threads, by default one for each core; or others who play.
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
    UsageError
        If so many threads cannot play.
    PolicyError
        If a policy breaks a rule while it plays.
    """
    plan = plan if isinstance(plan, Plan) else Plan((plan,))
    if not isinstance(workers, Crew):
        check_workers(workers)
    watch = watch or Watch()
    began = time.perf_counter()
    hands: Hands
    if isinstance(workers, Crew):
        hands = workers.begin(plan, watch)
    else:
        hands = _Threads(plan, 1 if INTERPRETED else workers or default_workers(), batch, watch)
    startup = time.perf_counter() - began
    watch.ready()
    began = time.perf_counter()
    run = _Run(plan, watch, store)
    run.go(hands)
    seconds = time.perf_counter() - began
    part = run.counted()
    complete = run.stopped_at is not None or run.missing == 0
    chunks = len(run.chunks)
    early = run.stopped_at is not None and run.stopped_at < chunks - 1
    kept = (chunks - run.missing, chunks) if store is not None else None
    return Played(plan, part, complete, early, seconds, startup, run.played_games, kept)


class _Tables:
    """Rooms for each thread, made when the thread first plays in them."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._local = threading.local()

    def rooms(self, study: int | None) -> list[Room]:
        """Rooms of one study or, for None, of all that are played together.

        A thread keeps those of the last study only: a tournament has hundreds.
        """
        if getattr(self._local, "study", -1) != study:
            self._local.rooms, self._local.study = self._rooms(study), study
        return self._local.rooms  # type: ignore[no-any-return]

    def _rooms(self, study: int | None) -> list[Room]:
        plan = self.plan
        if study is not None:
            return [_room(plan.studies[study])]
        if not plan.rescored:
            return [_room(one) for one in plan.studies]
        rules = np.concatenate([one.matchup.rules for one in plan.studies])
        return [_room(plan.base, rules)]

    def play(self, chunk: Chunk, first: int, deals: int) -> tuple[Part, pa.Table | None]:
        """One batch of a chunk, and its outcome table if the study keeps its games."""
        if chunk.study is not None:
            return self._play_one(chunk.study, first, deals), None
        plan, rooms = self.plan, self.rooms(None)
        totals, sums, games = [], [], None
        for place, room in enumerate(rooms):
            start, stop = (plan.share_of(place, deal) for deal in (first, first + deals))
            these, kept = _zeros(plan, room), room.new_sums(deals) if plan.paired else None
            rows = self._rows(room.rotations * deals) if plan.base.save_games else None
            room.play(start, stop - start, rows, these, sums=kept)
            totals += list(these)
            if kept is not None:
                sums += [(kept[0][n], kept[1][n]) for n in range(len(room.rules))]
            games = None if rows is None else outcome_arrow(plan.base, rows)
        paired = [Paired.of(sums[0], other) for other in sums[1:]]
        return Part([Count.of(record) for record in totals], paired), games

    def _rows(self, games: int) -> npt.NDArray[Any]:
        """Room of this thread for outcomes, used again and again: new memory costs time."""
        if len(getattr(self._local, "rows", ())) < games:
            self._local.rows = np.zeros(games, self.plan.base.game.outcome)
        return self._local.rows[:games]  # type: ignore[no-any-return]

    def _play_one(self, study: int, first: int, deals: int) -> Part:
        """One batch of a table that meets deals of its own."""
        plan, room = self.plan, self.rooms(study)[0]
        totals = _zeros(plan, room)
        room.play(plan.first_deal(study) + first, deals, None, totals)
        return Part([Count.of(totals[0])])


def _room(study: Study, rules: npt.NDArray[Any] | None = None) -> Room:
    more: dict[str, Any] = {"shuffled": study.shuffled, "rules": rules}
    return Room(study.matchup, study.seatings, study.seed, study.luck, **more)


def _zeros(plan: Plan, room: Room) -> npt.NDArray[Any]:
    return np.zeros(len(room.rules), totals_type(plan.base.game))


class _Threads:
    """Threads of this process; made ready, they have compiled."""

    patience: float | None = None  # a batch is short

    def __init__(self, plan: Plan, workers: int, batch: int | None, watch: Watch) -> None:
        engine_of(plan.base.game, watch.notice)
        self.batch, self.at_once = batch, 2 * workers
        self._tables = _Tables(plan)
        for chunk in plan.chunks()[:1]:
            self._tables.rooms(chunk.study)
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="simlab")

    def submit(self, chunk: Chunk, where: Batch) -> Future[Timed]:
        return self._pool.submit(_timed, self._tables, chunk, where)

    def leave(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


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
    games: dict[int, pa.Table] = field(default_factory=dict)


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

    def keep(self, chunk: Chunk, opened: _Open) -> None:
        """Keep one more; raises what went wrong with the one before."""
        if self.store is not None:
            self._wait()
            self._last = self._pool.submit(self._keep, chunk, opened)

    def _wait(self) -> None:
        last, self._last = self._last, None
        if last is not None:
            last.result()

    def _keep(self, chunk: Chunk, opened: _Open) -> None:
        assert self.store is not None
        self.store.keep(chunk, opened.part, _joined(opened.games))


def _joined(tables: Mapping[int, pa.Table]) -> pa.Table | None:
    """Outcome tables as one, by their first deals."""
    return joined([tables[first] for first in sorted(tables)]) if tables else None


class _Run:
    """One run of a plan: hands out batches, puts chunks together, looks at their prefix."""

    def __init__(self, plan: Plan, watch: Watch, store: Store | None) -> None:
        self.plan, self.watch, self.store = plan, watch, store
        self.chunks = plan.chunks(kept=store is not None)
        self.open: dict[int, _Open] = {}
        self.done: dict[int, Part] = {}  # finished chunks that wait for those before them
        self.prefix = Part([plan.nothing() for _ in plan.studies])
        self.prefix.paired = [Paired() for _ in plan.studies[1:]] if plan.paired else []
        self.following = 0  # first chunk that is not in the prefix
        self.stopped_at: int | None = None  # chunk after which it was precise enough
        self.played_games = self.known_games = 0
        self.looks = set(looks(plan.base.deals)) if plan.base.precision is not None else set()

    @property
    def missing(self) -> int:
        """Chunks that are not finished."""
        return len(self.chunks) - self.following - len(self.done)

    def go(self, hands: Hands) -> None:
        """Play until all is played, or enough, or told to stop."""
        kept = self.plan.paired or self.plan.base.save_games
        most = kept_at_once(self.plan) if kept else MOST_BATCH
        pace = _Pace(hands.batch or FIRST_BATCH, most, hands.batch is not None)
        batches = self._batches(pace)
        with _Keeper(self.store) as self.keeper:
            self._work(hands, pace, batches)

    def _work(self, hands: Hands, pace: _Pace, batches: Iterator[Batch]) -> None:
        """Hand out batches and take what comes back, until there is no more."""
        running: dict[Future[Timed], Batch] = {}
        try:
            while True:
                while len(running) < hands.at_once and not self._ended():
                    following = next(batches, None)
                    if following is None:
                        break
                    running[hands.submit(self.chunks[following[0]], following)] = following
                if not running:
                    return
                done, _ = wait(running, hands.patience, FIRST_COMPLETED)
                for future in done:
                    where = running.pop(future)
                    seconds, part, games = future.result()
                    pace.learn(where[2], seconds)
                    self._take(where, part, games)
                if self._ended():
                    running = {f: where for f, where in running.items() if not f.cancel()}
        finally:
            hands.leave()

    def _ended(self) -> bool:
        return self.watch.stop.is_set() or self.stopped_at is not None

    def _batches(self, pace: _Pace) -> Iterator[Batch]:
        for place, chunk in enumerate(self.chunks):
            first, stop = chunk.first, chunk.end
            known = self.store.finished(chunk) if self.store is not None else None
            if known is not None:
                self.known_games += sum(count.games for count in known.counts)
                self._finish(place, known)
                if self._ended():
                    return
                continue
            self.open[place] = _Open(stop - first)
            while first < stop:
                deals = pace.share_of(stop - first)
                yield place, first, deals
                first += deals

    def _take(self, where: Batch, part: Part, games: pa.Table | None) -> None:
        """Add a batch to its chunk; keep the chunk once it is whole."""
        place, first, deals = where
        self.played_games += sum(count.games for count in part.counts)
        if self.stopped_at is not None:
            return
        opened = self.open[place]
        opened.part.add(part)
        opened.missing -= deals
        if games is not None:
            opened.games[first] = games
        if opened.missing == 0:
            del self.open[place]
            self.keeper.keep(self.chunks[place], opened)
            self._finish(place, opened.part)
        if self.watch.progress is not None:
            self.watch.progress(self.plan, self._seen(), self.plan.games)

    def _finish(self, place: int, part: Part) -> None:
        """Put a whole chunk into the prefix, in order, and look whether that is enough."""
        self.done[place] = part
        while self.following in self.done and self.stopped_at is None:
            chunk = self.chunks[self.following]
            self.plan.add(self.prefix, chunk, self.done.pop(self.following))
            end = chunk.end
            enough = self.watch.enough
            if end in self.looks and enough is not None and enough(self.plan, self.prefix):
                self.stopped_at = self.following
            self.following += 1

    def _seen(self) -> Part:
        """What progress is told: of the hundreds of tables of a series only how many games."""
        if isinstance(self.plan, Series):
            return Part([Count(games=self.known_games + self.played_games)])
        return self.counted()

    def counted(self) -> Part:
        """The prefix, and unless it was enough what else was counted."""
        found = Part()
        found.add(self.prefix)
        if self.stopped_at is not None:
            return found
        more = list(self.done.items())
        if self.store is None:
            more += [(n, opened.part) for n, opened in self.open.items() if opened.part.counts]
        for place, part in more:
            self.plan.add(found, self.chunks[place], part)
        return found


def _timed(tables: _Tables, chunk: Chunk, where: Batch) -> Timed:
    began = time.perf_counter()
    part, games = tables.play(chunk, where[1], where[2])
    return time.perf_counter() - began, part, games


def kept_at_once(plan: Plan) -> int:
    """Deals in a batch of which more than sums is kept."""
    games = min(MOST_KEPT, plan.base.game.chunk_games)
    return max(1, games // len(plan.base.seatings))


def play_chunk(
    plan: Plan,
    chunk: Chunk,
    notice: Notice | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> tuple[Part, pa.Table | None]:
    """Play one chunk in this thread: its sums, and its outcome table if games are kept.

    Before each of its batches ``wanted`` is asked; if it is not any more, the rest is left out.
    """
    engine_of(plan.base.game, notice)
    tables, part, most = _Tables(plan), Part(), kept_at_once(plan)
    kept: dict[int, pa.Table] = {}
    for first in range(chunk.first, chunk.end, most):
        if not wanted():
            break
        found, games = tables.play(chunk, first, min(most, chunk.end - first))
        part.add(found)
        if games is not None:
            kept[first] = games
    return part, _joined(kept)


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
    tables.rooms(None)
    rows = np.zeros(rotations * study.deals, study.game.outcome)

    def one(start: int) -> None:
        deals = min(batch, study.deals - start)
        part = rows[start * rotations : (start + deals) * rotations]
        tables.rooms(None)[0].play(first_deal + start, deals, part)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(one, range(0, study.deals, batch)))
    return rows

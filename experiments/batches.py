"""Plays a study in batches on every core; the only place of the experiments that plays.

A batch is what a thread plays between two looks at the stop flag, some tenth of a second. What
comes out does not depend on how the deals are cut into batches, nor on who plays them.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.compiled import INTERPRETED
from simlab.engine import Notice, Room, engine_of
from simlab.experiments.study import Study
from simlab.totals import totals_type

if TYPE_CHECKING:
    import numpy.typing as npt

BATCH_SECONDS = 0.1
FIRST_BATCH = 8
MOST_BATCH = 100_000


@dataclass
class Count:
    """Exact sums over the deals played so far, as Python integers of any size."""

    deals: int = 0
    games: int = 0
    sums: dict[str, npt.NDArray[Any]] = field(default_factory=dict)

    def add(self, totals: npt.NDArray[Any]) -> None:
        """Add the totals of a batch; the order of batches does not matter."""
        record = totals[0]
        self.deals += int(record["deals"])
        self.games += int(record["games"])
        for name in record.dtype.names:
            if record[name].ndim:
                self.sums[name] = self.sums.get(name, 0) + record[name].astype(object)


@dataclass(frozen=True)
class Played:
    """What a run counted.

    Attributes
    ----------
    study : Study
    count : Count
    complete : bool
        False if it was stopped before its last deal.
    seconds : float
        Spent playing.
    startup_seconds : float
        Spent before the first game: compiling, or fetching what was compiled.
    """

    study: Study
    count: Count
    complete: bool
    seconds: float
    startup_seconds: float


Progress = Callable[[int, int], None]
"""Is told the games played so far and the games wanted."""


def default_workers() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play(
    study: Study,
    workers: int | None = None,
    *,
    progress: Progress | None = None,
    notice: Notice | None = None,
    stop: threading.Event | None = None,
    ready: Callable[[], None] | None = None,
    batch: int | None = None,
) -> Played:
    """Play a study and count it.

    Parameters
    ----------
    study : Study
    workers : int, optional
        Threads; by default one for each core.
    progress, notice : callable, optional
        Are told how far play is, and that compiling begins.
    stop : threading.Event, optional
        Once set, no further batch begins.
    ready : callable, optional
        Is called when compiling is over: from then on play looks at ``stop``.
    batch : int, optional
        Deals in a batch; by default as many as take a tenth of a second.

    Returns
    -------
    Played

    Raises
    ------
    PolicyError
        If a policy breaks a rule while it plays.
    """
    began = time.perf_counter()
    engine_of(study.game, notice)
    rooms = _Rooms(study)
    rooms.mine()
    startup = time.perf_counter() - began
    if ready is not None:
        ready()
    count = Count()
    began = time.perf_counter()
    dtype = totals_type(study.game)
    count.add(np.zeros(1, dtype))  # a run may be stopped before its first deal
    for totals in _batches(study, rooms, workers, stop, batch, dtype):
        count.add(totals)
        if progress is not None:
            progress(count.games, study.deals * len(study.seatings))
    seconds = time.perf_counter() - began
    return Played(study, count, count.deals == study.deals, seconds, startup)


class _Rooms:
    """A room for each thread, made when the thread first plays."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._local = threading.local()

    def mine(self) -> Room:
        if not hasattr(self._local, "room"):
            study = self._study
            self._local.room = Room(study.matchup, study.seatings, study.seed, study.luck)
        return self._local.room  # type: ignore[no-any-return]


@dataclass
class _Pace:
    """Chooses how many deals make a batch of a tenth of a second."""

    deals: int
    fixed: bool

    def learn(self, deals: int, seconds: float) -> None:
        if not self.fixed and seconds > 0:
            wanted = int(deals * BATCH_SECONDS / seconds)
            self.deals = max(1, min(wanted, 4 * deals, MOST_BATCH))


def _batches(
    study: Study,
    rooms: _Rooms,
    workers: int | None,
    stop: threading.Event | None,
    batch: int | None,
    dtype: np.dtype[Any],
) -> Iterator[npt.NDArray[Any]]:
    """Totals of each batch as it is finished, with two batches waiting for each worker."""
    threads = 1 if INTERPRETED else workers or default_workers()
    pace = _Pace(batch or FIRST_BATCH, batch is not None)

    def one(first: int, deals: int) -> tuple[int, float, npt.NDArray[Any]]:
        totals = np.zeros(1, dtype)
        started = time.perf_counter()
        rooms.mine().play(first, deals, totals=totals)
        return deals, time.perf_counter() - started, totals

    with ThreadPoolExecutor(threads, thread_name_prefix="simlab") as pool:
        running: set[Future[tuple[int, float, npt.NDArray[Any]]]] = set()
        following = 0
        try:
            while True:
                while following < study.deals and len(running) < 2 * threads and not _is_set(stop):
                    deals = min(pace.deals, study.deals - following)
                    running.add(pool.submit(one, following, deals))
                    following += deals
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    deals, seconds, totals = future.result()
                    pace.learn(deals, seconds)
                    yield totals
                if _is_set(stop):
                    for future in running:
                        future.cancel()
                    running = {future for future in running if not future.cancelled()}
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _is_set(stop: threading.Event | None) -> bool:
    return stop is not None and stop.is_set()


def outcomes(
    study: Study, workers: int = 1, batch: int = 1000, first_deal: int = 0
) -> npt.NDArray[Any]:
    """Play a study and keep the outcome of every game.

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
    rooms, rotations = _Rooms(study), len(study.seatings)
    rooms.mine()
    rows = np.zeros(rotations * study.deals, study.game.outcome)

    def one(start: int) -> None:
        deals = min(batch, study.deals - start)
        part = rows[start * rotations : (start + deals) * rotations]
        rooms.mine().play(first_deal + start, deals, part)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(one, range(0, study.deals, batch)))
    return rows

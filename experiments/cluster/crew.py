"""The side that asks: its connection to a Dask cluster, and the workers that it finds there."""

from __future__ import annotations

import asyncio
import math
import time
import warnings
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack
from typing import Any

from distributed import Client
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from simlab import __version__
from simlab.engine import Notice
from simlab.errors import SimlabError
from simlab.experiments.batches import Watch
from simlab.experiments.cluster.address import Address
from simlab.experiments.cluster.local import Processes, quiet_dask
from simlab.experiments.cluster.orders import Answer, read_answer
from simlab.experiments.cluster.pieces import PieceHands
from simlab.experiments.cluster.working import play_there
from simlab.experiments.plans import Plan

LOOK = 0.5
"""Seconds between two looks at who is there."""
CONNECT_SECONDS = 10
ALONE_SECONDS = 10
"""Without any worker, before it is said."""


class ClusterWarning(UserWarning):
    """A worker takes no part."""


class Cluster:
    """Who plays on a cluster: a `simlab.experiments.batches.Crew`.

    Nothing is started or connected before the first run begins.

    Parameters
    ----------
    address : Address

    Attributes
    ----------
    threads : dict
        Address of each worker that is there to its number of threads.
    refused : dict
        Address of each worker that plays nothing to why.
    lost : SimlabError or None
        What to raise, once the scheduler is gone.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self.threads: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self.lost: SimlabError | None = None
        self._notice: Notice | None = None
        self._greeted: set[tuple[str, str]] = set()
        self._told: set[str] = set()
        self._alone_until: float | None = None
        self._opened = ExitStack()
        self._client: Any = None

    # --- Opening and closing --------------------------------------------------------------------

    def begin(self, plan: Plan, watch: Watch) -> PieceHands:
        """Connect if need be, wait for workers, and let each one there make ready.

        Raises
        ------
        SimlabError
            If nobody answers at the address, or every worker is refused.
        """
        self._notice = watch.notice
        if self._client is None:
            self._connect()
        hands = PieceHands(self, plan)
        self.start(self._muster(hands, plan, watch)).result()
        return hands

    def _connect(self) -> None:
        opened = self._opened
        opened.enter_context(quiet_dask())
        where = self.address.word
        if self.address.processes is not None:
            processes = Processes(self.address.processes)
            opened.callback(processes.close)
            where = processes.address
        try:
            self._client = Client(where, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, CommClosedError) as error:
            raise SimlabError(
                f"no Dask scheduler answers at {self.address.word}; start one with: dask scheduler"
            ) from error
        opened.callback(self._disconnect)
        opened.callback(self.start(self._keep_looking()).cancel)

    def _disconnect(self) -> None:
        self._client.close(timeout=1 if self.lost else CONNECT_SECONDS)

    def close(self) -> None:
        """Let go of the cluster, and end its processes if they are its own."""
        self._opened.close()
        self._client = None

    # --- Talking to Dask --------------------------------------------------------------------------

    def start(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Let the thread that talks to Dask do something."""
        return asyncio.run_coroutine_threadsafe(work, self._client.loop.asyncio_loop)

    async def ask(
        self, order: bytes, piece: bytes, key: str, addresses: list[str] | None
    ) -> Answer | None:
        """Have a piece played; None if every one of the given addresses is gone.

        Raises
        ------
        KilledWorker
            If four workers died of it, or while they had it.
        SimlabError
            If the scheduler is lost, or workers cannot read what they are sent.
        """
        chosen: dict[str, Any] = {} if addresses is None else {"workers": addresses}
        task = self._client.submit(play_there, order, piece, key=key, pure=False, **chosen)
        answer = asyncio.ensure_future(self._client.gather(task, asynchronous=True))
        answer.add_done_callback(_heard)
        try:
            while not (await asyncio.wait([answer], timeout=LOOK))[0]:
                self.raise_if_lost()
                if addresses is not None and not self.threads.keys() & set(addresses):
                    return None
            return read_answer(answer.result())
        except (KilledWorker, SimlabError):
            raise
        except (CancelledError, CommClosedError, OSError) as error:
            self._lose()
            raise self.lost or error from error
        except Exception as error:  # whatever Dask raises, or a worker without simlab
            said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise SimlabError(
                f"{self.address.word} cannot play: {said}; its scheduler and its workers need "
                f"simlab {__version__} (pip install 'simlab[cluster]')"
            ) from error
        finally:
            # If nobody waits for it any more, a worker that plays it stops at its next batch.
            task.release()

    def raise_if_lost(self) -> None:
        """Raise the error that tells of it, once the scheduler is gone."""
        if self.lost is not None:
            raise self.lost

    def _lose(self) -> None:
        self.lost = self.lost or SimlabError(
            f"the scheduler at {self.address.word} is lost; finished chunks are kept in --out, "
            "go on with --resume"
        )

    # --- Who is there -----------------------------------------------------------------------------

    async def _keep_looking(self) -> None:
        while True:
            await self._look()
            await asyncio.sleep(LOOK)

    async def _look(self) -> None:
        if self._client.status != "running":
            self._lose()
        if self.lost is not None:
            return
        try:
            self.threads = dict(await self._client.scheduler.ncores())
        except (CommClosedError, OSError):
            self._lose()
        self._say_if_alone()

    def _say_if_alone(self) -> None:
        """Say once that there is no worker, when there has been none for a while."""
        now = time.monotonic()
        if self.threads:
            self._alone_until = None
        elif self._alone_until is None:
            self._alone_until = now + ALONE_SECONDS
        elif now > self._alone_until and self._notice is not None:
            self._notice(f"there is no worker at {self.address.word}; waiting for one ...")
            self._alone_until = math.inf

    async def _muster(self, hands: PieceHands, plan: Plan, watch: Watch) -> None:
        """Wait for workers, and have each one that is new make ready."""
        await self._look()
        while not self.threads and not watch.stop.is_set():
            self.raise_if_lost()
            await asyncio.sleep(LOOK / 5)
            await self._look()
        game = plan.base.game.identity
        new = [where for where in self.threads if (where, game) not in self._greeted]
        await asyncio.gather(*(hands.greet(where) for where in new))
        self._greeted |= {(where, game) for where in new}
        if self.refused:
            self._allowed()

    def refuse(self, answer: Answer) -> None:
        """Give a worker nothing to play any more."""
        where, why = answer.said["worker"], answer.said["refused"]
        self.refused.setdefault(where, f"worker {where} is refused: {why}")

    async def allowed(self) -> list[str] | None:
        """Workers that may play, once there is one; None for whoever is there or comes."""
        while self.refused:
            found = self._allowed()
            if found:
                return found
            self.raise_if_lost()
            await asyncio.sleep(LOOK)
        return None

    def _allowed(self) -> list[str]:
        """Workers that are there and were not refused; says once who was, raises if all were."""
        found = sorted(self.threads.keys() - self.refused.keys())
        if self.threads and not found:
            others = len(self.threads) - 1
            more = f" (and so are {others} others)" if others else ""
            raise SimlabError(self.refused[next(iter(self.threads))] + more)
        for where in self.refused.keys() - self._told:
            self._told.add(where)
            warnings.warn(self.refused[where], ClusterWarning, stacklevel=2)
        return found


def _heard(answer: asyncio.Future[Any]) -> None:
    """Take note of what came too late, or asyncio would complain."""
    if not answer.cancelled():
        answer.exception()

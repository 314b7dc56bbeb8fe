"""Hands the pieces of a plan to a cluster, each until somebody has played it.

A piece is a chunk, or a part of one that takes long. It is a Dask task whose key is the digest of
everything it depends on, so that the same piece is the same task. Workers may die, and play a
piece twice: each piece is one future here, which is fulfilled once.
"""

from __future__ import annotations

import time
from concurrent.futures import Future
from itertools import count
from typing import TYPE_CHECKING

from distributed.scheduler import KilledWorker

from simlab.errors import SimlabError
from simlab.experiments.batches import Batch, Timed
from simlab.experiments.cluster.orders import (
    Answer,
    order_digest,
    order_for,
    read_arrow,
    to_line,
)
from simlab.experiments.plans import Chunk, Plan, Series

if TYPE_CHECKING:
    from simlab.experiments.cluster.crew import Cluster

PIECE_GAMES = 4_000_000
"""Games in a task at most: some ten seconds of a core, so that large chunks are shared out."""
PIECE_OUTCOMES = 200_000
"""Games in a task at most if every outcome is kept and sent."""
PIECES_EACH = 8
"""Tasks for each thread of the cluster that a run is cut into, if it is long enough for them."""
AHEAD = 3
"""Tasks for each thread of the cluster that are handed out before the first is back."""
SPARE = 8
"""More such tasks, for what is short."""
PATIENCE = 0.5
"""Seconds between two looks at the stop flag."""
RETRIES = 1
"""Times that a piece is handed out again after Dask gave it up: it does so after four deaths."""
DEATHS = 4


class PieceHands:
    """The cluster's workers as they play one plan: a `simlab.experiments.batches.Hands`.

    Parameters
    ----------
    cluster : Cluster
    plan : Plan
    """

    def __init__(self, cluster: Cluster, plan: Plan) -> None:
        self.cluster, self.plan = cluster, plan
        self.batch: int | None = deals_in_a_piece(plan, sum(cluster.threads.values()))
        self.patience: float | None = PATIENCE
        self._orders: dict[int | None, tuple[bytes, str]] = {}
        self._out: set[Future[Timed]] = set()

    @property
    def at_once(self) -> int:
        """Pieces that are handed out before the first of them is back."""
        return AHEAD * sum(self.cluster.threads.values()) + SPARE

    def submit(self, chunk: Chunk, where: Batch) -> Future[Timed]:
        """Hand out a piece of a chunk."""
        _, first, deals = where
        self._order(chunk.study)  # in this thread, as it reads files
        future: Future[Timed] = self.cluster.start(self._played(chunk, first, first + deals))
        self._out.add(future)
        future.add_done_callback(self._out.discard)
        return future

    def leave(self) -> None:
        """Drop what is not back."""
        for future in list(self._out):
            future.cancel()

    def _order(self, study: int | None) -> tuple[bytes, str]:
        """What workers are told, and the digest that its pieces bear."""
        if study not in self._orders:
            order = order_for(self.plan, study)
            self._orders[study] = order, order_digest(self.plan, order)
        return self._orders[study]

    async def greet(self, where: str) -> None:
        """Have one worker compile, and see whether it plays the same as everybody."""
        order, digest = self._order(self.plan.chunks()[0].study)
        key = f"simlab-{digest}-ready-{where}-{time.time_ns()}"
        self._is_well(await self.cluster.ask(order, to_line(None), key, [where]))

    async def _played(self, chunk: Chunk, first: int, end: int) -> Timed:
        """One piece, handed out until somebody has played it."""
        order, digest = self._order(chunk.study)
        deaths = 0
        for attempt in count():
            key = f"simlab-{digest}-{chunk.number}-{first}-{attempt}"
            allowed = await self.cluster.allowed()
            try:
                answer = await self.cluster.ask(order, to_line([first, end]), key, allowed)
            except KilledWorker as error:
                deaths += DEATHS
                if deaths > RETRIES * DEATHS:
                    raise SimlabError(
                        f"chunk {chunk.number} brought down {deaths} workers, one after another; "
                        "finished chunks are kept in --out"
                    ) from error
                continue
            if self._is_well(answer):
                assert answer is not None
                return self._timed(answer, chunk)
        raise AssertionError

    def _is_well(self, answer: Answer | None) -> bool:
        """Whether a piece was played; raises what a policy did wrong in it."""
        if answer is None or "dropped" in answer.said:
            return False
        if "failed" in answer.said:
            raise SimlabError(answer.said["failed"])
        if "refused" in answer.said:
            self.cluster.refuse(answer)
            return False
        return True

    def _timed(self, answer: Answer, chunk: Chunk) -> Timed:
        games = read_arrow(answer.games) if self.plan.base.save_games else None
        return answer.said["seconds"], answer.part, games


def deals_in_a_piece(plan: Plan, threads: int) -> int:
    """Deals of the first study that a piece has at most: nobody waits for one long piece."""
    base = plan.base
    most = PIECE_OUTCOMES if base.save_games else PIECE_GAMES
    played = 1 if plan.rescored or isinstance(plan, Series) else len(plan.studies)
    share = -(-base.deals // (PIECES_EACH * max(1, threads)))
    least = base.game.chunk_games // len(base.seatings)
    return max(1, min(most // (played * len(base.seatings)), max(share, least)))

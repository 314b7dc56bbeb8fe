"""A cluster of processes of this machine, bound to loopback, ended with the command."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LOOPBACK = "127.0.0.1"
SILENT = logging.CRITICAL + 1


class Processes:
    """So many worker processes of one thread each, spawned, and a scheduler in this process.

    A worker that dies is started anew; all end when this process does, however it ends.

    Parameters
    ----------
    number : int
    """

    def __init__(self, number: int) -> None:
        import dask.config
        from distributed import LocalCluster

        self._room = tempfile.TemporaryDirectory(prefix="simlab-", ignore_cleanup_errors=True)
        settings: dict[str, Any] = {
            "distributed.worker.multiprocessing-method": "spawn",
            "distributed.worker.profile.enabled": False,  # it looks at every thread, often
        }
        with dask.config.set(settings):
            self._cluster: Any = LocalCluster(
                n_workers=number,
                threads_per_worker=1,
                processes=True,
                host=LOOPBACK,
                dashboard_address=f"{LOOPBACK}:0",
                worker_dashboard_address=f"{LOOPBACK}:0",
                memory_limit=0,  # what a run needs does not grow with its games
                silence_logs=SILENT,
                local_directory=self._room.name,
                preload=["simlab.experiments.cluster.working"],
            )

    @property
    def address(self) -> str:
        """Of the scheduler."""
        return str(self._cluster.scheduler_address)

    def close(self) -> None:
        """End all of them."""
        self._cluster.close(timeout=10)
        self._room.cleanup()


@contextmanager
def quiet_dask() -> Iterator[None]:
    """Keep Dask's log off standard error: what matters is said in one line of our own."""
    logger = logging.getLogger("distributed")
    level, logger_level = logger.level, SILENT
    logger.setLevel(logger_level)
    try:
        yield
    finally:
        logger.setLevel(level)

"""Ctrl-C that is answered at once, in the middle of compiling as well as of playing.

Compiled code and the compiler cannot be interrupted from inside, so the work is done in a second
thread while the main thread listens.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

import click

from simlab.errors import SimlabError

Result = TypeVar("Result")

INTERRUPTED = 130
REPEATS = 0.5
"""Seconds in which one more Ctrl-C is the same one: a shell and a terminal may both send it."""


class Listener:
    """Turns the first Ctrl-C into a stop flag, and the second into the end of the process.

    Attributes
    ----------
    stop : threading.Event
        Set by the first Ctrl-C.
    stoppable : bool
        Set once the work looks at the flag; until then the first Ctrl-C already ends all.
    """

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.stoppable = False
        self._stopped_at = 0.0

    def set_stoppable(self) -> None:
        """Say that the work looks at the stop flag from now on."""
        self.stoppable = True

    def work(self, job: Callable[[], Result]) -> Result:
        """Do a job in a second thread and hand over what it returns or raises."""
        box: dict[str, Any] = {}

        def do() -> None:
            try:
                box["result"] = job()
            except BaseException as error:
                box["error"] = error

        before = signal.signal(signal.SIGINT, self._heard)
        thread = threading.Thread(target=do, name="simlab-work", daemon=True)
        try:
            thread.start()
            while thread.is_alive():
                thread.join(0.05)
        finally:
            if not self.stop.is_set():  # else a repeat would break off the partial results
                signal.signal(signal.SIGINT, before)
        if "error" in box:
            if not isinstance(box["error"], Exception):
                raise SimlabError(f"stopped by {type(box['error']).__name__}")
            raise box["error"]
        return box["result"]  # type: ignore[no-any-return]

    def _heard(self, number: int, frame: FrameType | None) -> None:
        if self.stop.is_set() and time.monotonic() < self._stopped_at + REPEATS:
            return
        if self.stop.is_set() or not self.stoppable:
            click.echo("simlab: interrupted", err=True)
            sys.stderr.flush()
            os._exit(INTERRUPTED)
        self._stopped_at = time.monotonic()
        self.stop.set()

"""A process of its own for other people's code, which may hang, print, or end its process.

The child says what it finds in lines of JSON, and how long it may take for what comes next; the
parent ends it when it takes longer. It ends by itself, at once, when its parent is gone.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any, ClassVar

SIGN = "simlab-child "
"""What a child starts each of its own lines with; others come from the code that it runs."""


class Child:
    """Runs a module in a process of its own, and listens.

    Attributes
    ----------
    heard : dict
        The last thing of each kind that it said.
    late : bool
        Whether it was ended because it took too long.
    printed : str or None
        What it printed of its own, though it had said that it would be quiet; that ends it, too.
    """

    def __init__(self, module: str, words: Sequence[str]) -> None:
        # -P: the folder one stands in is not searched for modules; a random.py there is not ours.
        line = [sys.executable, "-P", "-m", module, json.dumps(sys.path), *words]
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self._process = subprocess.Popen(line, text=True, errors="replace", **pipes)
        self.heard: dict[str, Any] = {}
        self.late, self.printed = False, None
        self._complaints: list[str] = []
        self._changed = threading.Condition()
        self._deadline: float | None = None
        self._over = False

    def listen(self) -> dict[str, Any]:
        """Hear it to its end, and return what it said."""
        others = [threading.Thread(target=job, daemon=True) for job in (self._drain, self._time)]
        for thread in others:
            thread.start()
        try:
            self._hear()
        finally:
            self._process.kill()
            self._process.wait()
            with self._changed:
                self._over = True
                self._changed.notify()
            for thread in others:
                thread.join(1.0)
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                assert pipe is not None
                pipe.close()
        return self.heard

    def _hear(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            own, sign, said = line.partition(SIGN)
            if self.heard.get("quiet") and (own or not sign):
                self.printed = own.strip()
                return
            if sign:
                self.heard |= json.loads(said)
                with self._changed:
                    limit = self.heard.pop("limit", None)
                    self._deadline = None if limit is None else time.monotonic() + limit
                    self._changed.notify()
        self._process.wait()

    def _time(self) -> None:
        """End the child as soon as its time is over."""
        with self._changed:
            while not self._over:
                left = None if self._deadline is None else self._deadline - time.monotonic()
                if left is not None and left <= 0:
                    self.late = True
                    self._process.kill()
                    return
                self._changed.wait(left)

    def _drain(self) -> None:
        assert self._process.stderr is not None
        self._complaints.extend(self._process.stderr)

    def end(self) -> str:
        """How it died, and the last line that it wrote to standard error."""
        code = self._process.returncode
        died = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        said = [line.strip() for line in self._complaints if line.strip()]
        return f"{died}: {said[-1]}" if said else died


class Parent:
    """The parent, as the child sees it.

    Parameters
    ----------
    words : sequence of str
        Of the child's command line.

    Attributes
    ----------
    words : sequence of str
        Those that are not for this class.
    is_there : bool
        Whether this very process has one: whether it is a child.
    """

    is_there: ClassVar[bool] = False

    def __init__(self, words: Sequence[str]) -> None:
        path, *self.words = words
        Parent.is_there = True
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, too, and decides
        self._out = sys.stdout
        alive = os.dup(0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)  # who reads gets nothing, instead of waiting for ever
        os.close(nothing)
        threading.Thread(target=_end_with, args=(alive,), daemon=True).start()
        sys.path[:] = json.loads(path)  # what is imported here is what the parent will import

    def say(self, limit: float | None = None, **what: Any) -> None:
        """Say something, and how many seconds may pass until the next word."""
        faulthandler.cancel_dump_traceback_later()
        if limit is not None:  # should even the thread that watches the parent be stuck
            faulthandler.dump_traceback_later(3 * limit + 60, exit=True)
        print(SIGN + json.dumps({"limit": limit, **what}), file=self._out, flush=True)


def _end_with(pipe: int) -> None:
    """End this process when nobody holds the other end of a pipe any more."""
    while os.read(pipe, 1):
        pass
    os._exit(1)

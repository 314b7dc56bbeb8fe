"""How a cluster is written: ``local:4``, or ``tcp://host:port`` of a Dask scheduler."""

from __future__ import annotations

import re
from typing import NamedTuple

from simlab.errors import UsageError

MOST_PROCESSES = 1024
LOCAL = re.compile(r"local:(\d{1,6})\Z")
REMOTE = re.compile(r"tcp://(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})\Z")


class Address(NamedTuple):
    """Which cluster: so many processes of its own, or the scheduler at an address."""

    word: str
    processes: int | None = None


def read_address(word: str) -> Address:
    """Read what ``--scheduler`` takes.

    Raises
    ------
    UsageError
        If it is neither ``local:N`` nor ``tcp://host:port``, or a number is out of bounds.
    """
    here, there = LOCAL.match(word), REMOTE.match(word)
    if here is not None:
        processes = int(here[1])
        if not 1 <= processes <= MOST_PROCESSES:
            raise UsageError(
                f"--scheduler local:N starts 1 to {MOST_PROCESSES} processes, got {word!r}"
            )
        return Address(word, processes)
    if there is None or not 1 <= int(there[1]) <= 65535:
        raise UsageError(f"--scheduler is local:N or tcp://host:port, got {word!r}")
    return Address(word)

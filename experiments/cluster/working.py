"""What runs on a worker: reads an order once, compiles, and plays piece after piece of it."""

from __future__ import annotations

import hashlib
import json
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from simlab.errors import SimlabError
from simlab.experiments.batches import play_chunk
from simlab.experiments.cluster.orders import (
    Answer,
    RefusedError,
    Unpacked,
    arrow_bytes,
    as_asked,
    unpack,
)
from simlab.experiments.plans import Chunk

MOST_KEPT = 64
"""Orders that a process keeps, so that each is read once; a tournament has one a table."""

_ORDERS: OrderedDict[bytes, Unpacked] = OrderedDict()
_LOCK = threading.Lock()

Wanted = Callable[[], bool]


def play_there(order: bytes, piece: bytes) -> bytes:
    """Play a piece of an order on a Dask worker.

    Parameters
    ----------
    order : bytes
        From `orders.order_for`.
    piece : bytes
        JSON of first deal and end; of null to make ready and play nothing.

    Returns
    -------
    bytes
        A packed `Answer` that says ``ready``, ``part`` and ``seconds``, ``dropped`` (nobody waits
        for it any more), ``refused`` or ``failed``; and which ``worker`` says so.
    """
    from distributed import get_worker

    worker = get_worker()
    said, outcomes = played(order, piece, _folder_of(worker), lambda: _is_wanted(worker))
    return Answer({"worker": worker.address, **said}, outcomes).packed()


def played(
    order: bytes, piece: bytes, folder: Path, wanted: Wanted = lambda: True
) -> tuple[dict[str, Any], bytes]:
    """Play a piece in this process: what there is to say, and outcomes if they are kept."""
    unpacked = None
    try:
        unpacked = _ready(order, folder)
        deals = json.loads(piece)
        if deals is None:
            return {"ready": True}, b""
        first, end = deals
        return _play(unpacked, first, end, wanted)
    except RefusedError as error:
        return {"refused": str(error)}, b""
    except SimlabError as error:
        places = unpacked.places if unpacked is not None else _places_of(order, folder)
        return {"failed": as_asked(str(error), places)}, b""


def _play(unpacked: Unpacked, first: int, end: int, wanted: Wanted) -> tuple[dict[str, Any], bytes]:
    plan, began = unpacked.plan, time.perf_counter()
    study = 0 if _plays_alone(unpacked) else None
    part, games = play_chunk(plan, Chunk(0, first, end, study), wanted=wanted)
    if not wanted():
        return {"dropped": True}, b""
    seconds = time.perf_counter() - began
    kept = b"" if games is None else arrow_bytes(games)
    return {"part": part.record(), "seconds": seconds}, kept


def _ready(order: bytes, folder: Path) -> Unpacked:
    """The order as it was read, with everything compiled: by the first thread that asks."""
    key = hashlib.sha256(order).digest()
    with _LOCK:
        if key not in _ORDERS:
            found = unpack(order, folder)
            # One deal, thrown away: whatever is compiled when it is first needed, is now.
            _play(found, 0, 1, lambda: True)
            _ORDERS[key] = found
            if len(_ORDERS) > MOST_KEPT:
                _ORDERS.popitem(last=False)
        _ORDERS.move_to_end(key)
        return _ORDERS[key]


def _plays_alone(unpacked: Unpacked) -> bool:
    from simlab.experiments.plans import Series

    return isinstance(unpacked.plan, Series)


def _places_of(order: bytes, folder: Path) -> dict[str, str]:
    """Where the files of an order stand that could not be read to its end."""
    files = json.loads(order)["files"]
    return {path: str(folder / file["sha256"][:16] / file["name"]) for path, file in files.items()}


def _folder_of(worker: Any) -> Path:
    """A folder for policies' files, which Dask removes with the worker's own."""
    folder = Path(worker.local_directory) / "simlab"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _is_wanted(worker: Any) -> bool:
    """Whether somebody still waits for what this thread plays: the stop flag of a cluster."""
    task = worker.state.tasks.get(worker.get_current_task())
    return task is not None and task.state == "executing"


def dask_setup(worker: Any) -> None:
    """Leave Ctrl-C to the process that started this worker; Dask calls it as a preload."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

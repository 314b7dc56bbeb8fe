"""Where compiled code is kept between two runs, so that only the first one waits.

Numba notices an edit only in the file that declares a function, never in the helpers it calls,
and would go on with old machine code. So the folder's name is a digest of every source file of
the package, of the Numba and Python versions and of the processor: an edit means a new folder.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path

ROOMS = ("simlab", "policies", "experiments", "reports")
STALE_DAYS = 30


class CacheWarning(UserWarning):
    """Compiled code cannot be kept, so the next process compiles again."""


def package_root() -> Path:
    """Folder of ``simlab`` itself; the other rooms lie inside it, or beside it in a checkout."""
    return Path(__file__).resolve().parent


@cache
def source_digest() -> str:
    """Digest of every source file of the package (12 hex digits)."""
    root = package_root()
    digest = hashlib.sha256()
    for room in ROOMS:
        folder = root if room == "simlab" else root / room
        if not folder.is_dir():
            folder = root.parent / room
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"{room}/{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def file_digest(path: Path) -> str:
    """SHA-256 of one file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


INNOCENT = ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_DISABLE_JIT")
"""Settings of Numba that change nothing in the code that it makes."""


def _platform_digest() -> str:
    # Numba does not tell code that was made with bounds checks, say, from code made without.
    knobs = (f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("NUMBA_"))
    made_by = (sys.version, metadata.version("numba"), metadata.version("llvmlite"))
    settings = (knob for knob in knobs if not knob.startswith(INNOCENT))
    words = (platform.machine(), _processor(), *made_by, *settings)
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:8]


def _processor() -> str:
    """Name of the processor and its features: code compiled for one may crash on another."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    wanted = ("model name", "flags", "Features", "CPU part")
    first: dict[str, str] = {}
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() in wanted:
            first.setdefault(key.strip(), value.strip())
    return "\0".join(f"{key}={value}" for key, value in sorted(first.items()))


def cache_base() -> Path:
    """Folder that holds one folder for each digest; ``SIMLAB_CACHE_DIR`` moves it."""
    import platformdirs

    chosen = os.environ.get("SIMLAB_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("simlab", appauthor=False))


@cache
def folder() -> Path:
    """Folder for this very code on this very machine, made if need be.

    Returns
    -------
    pathlib.Path
        A writable folder; a private temporary one, with one warning, if the usual place cannot
        be written (a read-only home, no home at all).
    """
    base = cache_base()
    wanted = base / f"{source_digest()}-{_platform_digest()}"
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=wanted):
            pass
        os.utime(wanted)
    except OSError as error:
        return _temporary_folder(base, error)
    return wanted


def _temporary_folder(base: Path, error: OSError) -> Path:
    import atexit

    private = Path(tempfile.mkdtemp(prefix="simlab-"))
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    warnings.warn(
        f"cache folder {base} cannot be written ({error.strerror}); compiling for this process "
        "only. Set SIMLAB_CACHE_DIR to a folder that can be written",
        CacheWarning,
        stacklevel=2,
    )
    return private


@contextmanager
def warm_up_lock() -> Iterator[None]:
    """Let one process compile while the others wait and then find everything on disk."""
    from filelock import FileLock

    with FileLock(folder() / "warm-up.lock"):
        yield


def empty() -> None:
    """Remove all compiled code and markers of this digest (after a damaged file)."""
    for path in folder().iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.suffix != ".lock":
            path.unlink(missing_ok=True)


def sweep() -> None:
    """Remove the folders of earlier versions that nothing has used for thirty days."""
    oldest = time.time() - STALE_DAYS * 86400
    for other in folder().parent.iterdir():
        is_ours = other.is_dir() and len(other.name) == 21 and other.name[12] == "-"
        if is_ours and other != folder() and other.stat().st_mtime < oldest:
            shutil.rmtree(other, ignore_errors=True)

"""Run folders: what was played and counted, in files that a killed process cannot spoil.

``run.json`` says what is played, by which code, and how far it is; ``chunks/NNNNNN.json`` hold the
exact sums of each chunk; ``games/NNNNNN.parquet`` the outcomes, if they are kept; ``results.json``
the numbers, once all is played. Every file is written whole or not at all, by one process.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab import __version__
from simlab.errors import SimlabError, UsageError
from simlab.experiments.counting import Part
from simlab.experiments.outcome_tables import parquet_bytes
from simlab.experiments.plans import Chunk, Plan
from simlab.experiments.run_file import (
    PLAY_AGAIN,
    DamagedFolderError,
    differences,
    fingerprint,
    is_ours,
    is_run_folder,
    played_by,
    read_run,
    sealed,
    to_json,
)

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "DamagedFolderError",
    "RunFolder",
    "checked_bytes",
    "differences",
    "fingerprint",
    "holder",
    "is_held",
    "is_run_folder",
    "open_folder",
    "plan_of",
    "played_by",
    "read_checked",
    "read_run",
    "to_json",
    "write_whole",
]


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that there is never half of it: beside it first, then in its place."""
    waiting = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with waiting.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(waiting, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        waiting.unlink(missing_ok=True)
        raise SimlabError(
            f"{path} cannot be written ({error.strerror}); finished chunks are kept, "
            "make room and go on with --resume"
        ) from error


class RunFolder:
    """One run's folder.

    Parameters
    ----------
    path : pathlib.Path
    plan : Plan
        What is played in it.
    digest : str, optional
        Of the fingerprint that its chunks bear, where the folder was begun by other code.
    stopped_at : int, optional
        Deals after which it was precise enough.
    """

    def __init__(
        self, path: Path, plan: Plan, digest: str | None = None, stopped_at: int | None = None
    ) -> None:
        self.path, self.plan = path, plan
        self._digest = digest or hashlib.sha256(to_json(fingerprint(plan))).hexdigest()[:32]
        self.chunks = plan.chunks()
        self.stopped_at = stopped_at
        self._checked: set[int] = set()  # chunks whose games are known to be well

    @property
    def counted_chunks(self) -> int:
        """Chunks that the results are of: all, or those up to where it was precise enough."""
        if self.stopped_at is None:
            return len(self.chunks)
        return sum(chunk.end <= self.stopped_at for chunk in self.chunks)

    # --- Beginning and going on ---------------------------------------------------------------

    def begin(self, *, resume: bool, overwrite: bool, extra: Mapping[str, Any]) -> None:
        """Make the folder ready for this run.

        Raises
        ------
        UsageError
            If it holds something else and neither ``resume`` nor ``overwrite`` says what to do;
            if it holds another study (the message lists what differs), or more games.
        DamagedFolderError
            If a file of it is not as it was written; nothing is changed then.
        """
        there = self._holds_a_run()
        if there and overwrite:
            self.clear()
            there = False
        if there and not resume:
            raise UsageError(f"{self.path} holds a run; add --resume to go on, or --overwrite")
        if there:
            self._check_same()
            self._check_chunks()
        self._make_folders()
        # Results never stand beside a larger run than they are of.
        (self.path / "results.json").unlink(missing_ok=True)
        self.write_run(extra)

    def _holds_a_run(self) -> bool:
        """Whether there is a run; raises `UsageError` if there is something else."""
        if self.path.exists() and not self.path.is_dir():
            raise UsageError(f"{self.path} is a file; --out takes a folder")
        if not self.path.is_dir() or _is_as_good_as_empty(self.path):
            return False
        if not is_run_folder(self.path):
            raise UsageError(f"{self.path} is not empty and holds no run; choose another --out")
        if not is_ours(self.path):
            raise UsageError(
                f"{self.path / 'run.json'} is none that simlab wrote, or no longer; "
                "choose another --out"
            )
        return True

    def _make_folders(self) -> None:
        try:
            (self.path / "chunks").mkdir(parents=True, exist_ok=True)
            if self.plan.base.save_games:
                (self.path / "games").mkdir(exist_ok=True)
        except OSError as error:
            raise SimlabError(f"{self.path} cannot be written ({error.strerror})") from error

    def _check_same(self) -> None:
        run = read_run(self.path)
        found = list(differences(run["fingerprint"], json.loads(to_json(fingerprint(self.plan)))))
        if found:
            shown = "; ".join(found[:4]) + ("; ..." if len(found) > 4 else "")
            raise UsageError(f"{self.path} holds another run ({shown}); choose another --out")
        there, wanted = run["studies"][0], self.plan.record()["studies"][0]
        if wanted.get("deals", wanted["games"]) < there.get("deals", there["games"]):
            raise UsageError(
                f"{self.path} holds a run of {there['games']:,} games, which cannot shrink to "
                f"{wanted['games']:,}; go on with --games {there['games']} or more, or without "
                "--games, or choose another --out"
            )

    def _check_chunks(self) -> None:
        """Raise `DamagedFolderError` at the first file that is damaged, as long as all is there.

        The games of a chunk, which may be large, are read once only.
        """
        for chunk in self.chunks:
            self.finished(chunk)
            self._checked.add(chunk.number)

    def clear(self) -> None:
        """Remove what an earlier run left, and nothing of anybody else's."""
        (self.path / "results.json").unlink(missing_ok=True)
        for name, patterns in OWN_FILES.items():
            folder = self.path / name
            for pattern in patterns:
                for file in folder.glob(pattern):
                    file.unlink(missing_ok=True)
            with suppress(OSError):  # it is not there, or holds files of others
                folder.rmdir()
        (self.path / "run.json").unlink(missing_ok=True)  # last: it tells what the folder is

    def write_run(self, extra: Mapping[str, Any]) -> None:
        """Write ``run.json``: what is played, by which code, and how far it is."""
        chunks = len(self.chunks)
        done = sum(self.chunk_path(chunk).exists() for chunk in self.chunks)
        content = {
            "simlab": __version__,
            "complete": f"{done:,} of {chunks:,} chunks",
            "chunks_done": done,
            "chunks": chunks,
            **dict(sorted(extra.items())),  # in the same order whoever opens it
            **self.plan.record(),
            "fingerprint": fingerprint(self.plan),
            "digest": self._digest,
            "machine": {"node": platform.node(), "system": platform.platform()},
            "python": platform.python_version(),
        }
        write_whole(self.path / "run.json", sealed(content))

    # --- Chunks ---------------------------------------------------------------------------------

    def chunk_path(self, chunk: Chunk) -> Path:
        """File of the sums of a chunk."""
        return self.path / "chunks" / f"{chunk.number:06d}.json"

    def games_path(self, chunk: Chunk) -> Path:
        """File of the outcomes of a chunk."""
        return self.path / "games" / f"{chunk.number:06d}.parquet"

    def finished(self, chunk: Chunk) -> Part | None:
        """A chunk that is there already, checked; None if it is missing.

        A chunk with other edges, as an earlier run with fewer games may have left at its end,
        counts as missing.
        """
        path = self.chunk_path(chunk)
        if not path.exists():
            return None
        content = read_checked(path)
        try:
            if content["digest"] != self._digest:
                raise _damaged(path, "belongs to another run")
            if [content["first_deal"], content["end_deal"]] != [chunk.first, chunk.end]:
                return None
            if content["games_file"] is not None and chunk.number not in self._checked:
                self._check_games(chunk, content["games_file"])
            return Part.from_record(content["part"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise _damaged(path, "holds no sums of a chunk") from error

    def _check_games(self, chunk: Chunk, expected: Mapping[str, Any]) -> None:
        path, sums = self.games_path(chunk), self.chunk_path(chunk)
        if not path.exists():
            raise DamagedFolderError(f"{path} is missing; delete {sums} {PLAY_AGAIN}")
        if hashlib.sha256(path.read_bytes()).hexdigest() != expected["sha256"]:
            raise DamagedFolderError(f"{path} is not as it was written; delete {sums} {PLAY_AGAIN}")

    def keep(self, chunk: Chunk, part: Part, games: pa.Table | None) -> None:
        """Keep a chunk: its games first, then its sums, which make it count."""
        written = None
        if games is not None:
            content = parquet_bytes(games)
            write_whole(self.games_path(chunk), content)
            digest = hashlib.sha256(content).hexdigest()
            written = {"rows": games.num_rows, "sha256": digest}
        content_ = {
            "chunk": chunk.number,
            "first_deal": chunk.first,
            "end_deal": chunk.end,
            "digest": self._digest,
            "games_file": written,
            "part": part.record(),
        }
        write_whole(self.chunk_path(chunk), checked_bytes(content_))

    def parts(self) -> Iterator[tuple[Chunk, Part]]:
        """Every chunk that is there and counts, in order, each checked."""
        for chunk in self.chunks[: self.counted_chunks]:
            part = self.finished(chunk)
            if part is not None:
                yield chunk, part

    def write_results(self, record: Mapping[str, Any]) -> None:
        """Write the numbers, which do not depend on when and where they were played."""
        write_whole(self.path / "results.json", to_json(record))

    # --- Who holds it -----------------------------------------------------------------------------

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder, so that no other process writes in it; a dead holder never blocks.

        Raises
        ------
        UsageError
            If another process holds it; the message names it.
        """
        from filelock import FileLock, Timeout

        self._holds_a_run()  # other people's folders are not even given a lock
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SimlabError(f"{self.path} cannot be made ({error.strerror})") from error
        lock = FileLock(self.path / ".lock")
        try:
            lock.acquire(timeout=0.5, poll_interval=0.01)  # a look at it holds it for a moment
        except Timeout:
            raise UsageError(f"{self.path} is held by {holder(self.path)}; wait for it") from None
        except OSError as error:
            raise SimlabError(f"{self.path} cannot be written ({error.strerror})") from error
        try:
            who = {"pid": os.getpid(), "host": platform.node(), "since": time.time()}
            with suppress(OSError):  # a full disk: whoever waits is not told for whom
                (self.path / ".holder.json").write_bytes(to_json(who))
            yield
        finally:
            (self.path / ".holder.json").unlink(missing_ok=True)
            lock.release()


def _damaged(path: Path, what: str) -> DamagedFolderError:
    return DamagedFolderError(f"{path} {what}; delete it {PLAY_AGAIN}")


OWN_FILES = {
    "chunks": ("[0-9]*.json", ".[0-9]*.json.*"),
    "games": ("[0-9]*.parquet", ".[0-9]*.parquet.*"),
    "trace": ("records.jsonl", "choices.csv", ".records.jsonl.*", ".choices.csv.*"),
}
"""What a run writes in the folders of its folder, finished and not."""
OWN_MARKS = (".lock", ".holder.json", ".run.json.", ".results.json.")


def _is_as_good_as_empty(path: Path) -> bool:
    """Whether a folder holds nothing but what a run leaves that was killed as it began."""
    for one in path.iterdir():
        ours = one.name.startswith(OWN_MARKS) or one.name in ("chunks", "games")
        if not ours or (one.is_dir() and any(one.iterdir())):
            return False
    return True


def is_held(path: Path) -> bool:
    """Whether a process that lives holds the folder; nothing is written to find out."""
    from filelock import FileLock, Timeout

    if not (path / ".lock").exists():
        return False
    try:
        with FileLock(path / ".lock", timeout=0):
            return False
    except Timeout:
        return True
    except OSError:  # a folder that cannot be written: what its holder left has to do
        return _lives(_holder(path))


def _holder(path: Path) -> dict[str, Any]:
    try:
        who = json.loads((path / ".holder.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return who if isinstance(who, dict) and {"pid", "host"} <= who.keys() else {}


def _lives(who: Mapping[str, Any]) -> bool:
    """Whether a process lives (on another machine: whether it said that it holds the folder)."""
    if not who or who["host"] != platform.node() or not isinstance(who["pid"], int):
        return bool(who)
    if os.name == "nt":  # where asking would end it
        return True
    try:
        os.kill(who["pid"], 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def holder(path: Path) -> str:
    """The process that holds a folder, in words."""
    who = _holder(path)
    return f"process {who['pid']} on {who['host']}" if who else "another process"


def checked_bytes(content: Mapping[str, Any]) -> bytes:
    """Plain values and, in a last line, the digest of what stands above it."""
    body = (json.dumps(content, allow_nan=False, separators=(",", ":")) + "\n").encode()
    return body + hashlib.sha256(body).hexdigest().encode() + b"\n"


def read_checked(path: Path) -> dict[str, Any]:
    """Read what `checked_bytes` made.

    Raises
    ------
    DamagedFolderError
        If it is not as it was written; names the file.
    """
    content = path.read_bytes()
    body, _, rest = content.partition(b"\n")
    body += b"\n"
    if rest.strip() != hashlib.sha256(body).hexdigest().encode():
        raise _damaged(path, "is not as it was written")
    found = json.loads(body)
    if not isinstance(found, dict):
        raise _damaged(path, "holds no sums of a chunk")
    return found


def open_folder(path: Path) -> RunFolder:
    """Open a folder that holds a run, as it was begun.

    Policies from files are found again where they were; their digests are compared.

    Raises
    ------
    UsageError
        If it holds no run, or its policies are not what they were.
    """
    run = read_run(path)
    try:
        plan = plan_of(run)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = f"{type(error).__name__}: {error}"
        raise DamagedFolderError(f"{path / 'run.json'} cannot be of a run ({what})") from error
    return RunFolder(path, plan, run["digest"], run.get("stopped_at"))


def plan_of(run: Mapping[str, Any]) -> Plan:
    """The plan that ``run.json`` holds; raises `UsageError` if its parts are not there any more."""
    from dataclasses import replace

    from simlab.experiments.study import study_of

    if run["kind"] == "tournament":
        from simlab.experiments.tournaments.schedule import of_record

        return of_record(run["studies"][0], run["words"][0], run["game_word"]).schedule
    if run["kind"] == "tuning":
        from simlab.experiments.tuning.problem import Search
        from simlab.experiments.tuning.problem import of_record as problem_of

        problem = problem_of(run["studies"][0], run["words"][0][0], run["game_word"])
        return Search((problem.base,), problem=problem)
    studies = []
    for record, words in zip(run["studies"], run["words"], strict=True):
        study = study_of({**record, "policies": words, "game": run["game_word"]})
        studies.append(replace(study, words=tuple(words)))
    return Plan(tuple(studies), run["fingerprint"]["rescored"])

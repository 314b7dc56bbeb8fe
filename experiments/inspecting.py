"""What a run folder holds: how far it is, and whether it is as it was written."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simlab.engine import Notice
from simlab.errors import UsageError
from simlab.experiments.batches import play_chunk
from simlab.experiments.folders import RunFolder, holder, is_held, open_folder
from simlab.experiments.plans import Chunk
from simlab.experiments.run_file import (
    PLAY_AGAIN,
    DamagedFolderError,
    differences,
    played_by,
    read_run,
    to_json,
)

PLAYED_AGAIN = 2
AGAIN = PLAY_AGAIN.removeprefix("and go on ")


def status_of(path: Path) -> dict[str, Any]:
    """How far a run is, as one flat record.

    Raises
    ------
    UsageError
        If the folder holds no run.
    """
    run = read_run(path)
    study = run["studies"][0]
    done = len(list((path / "chunks").glob("[0-9]*.json")))
    results = path / "results.json"
    state = "running" if is_held(path) else "stopped"
    if results.exists():
        state = "finished"
    return {
        "folder": str(path),
        "state": state,
        "complete": f"{min(done, run['chunks']):,} of {run['chunks']:,} chunks",
        "game": study["game"],
        "policies": " ".join(study["policies"]),
        "variants": len(run["studies"]),
        "games": study["games"],
        "seed": study["seed"],
        "precision": study["precision"],
        "holder": holder(path) if state == "running" else None,
        "simlab": run["simlab"],
    }


def verify_folder(path: Path, notice: Notice | None = None) -> list[str]:
    """Check a folder: each file whole, the totals equal to the results, two chunks played again.

    Returns
    -------
    list of str
        What was found to be well, a line each.

    Raises
    ------
    DamagedFolderError
        At the first thing that is not; names the file.
    """
    folder = open_folder(path)
    now = played_by(folder.plan)
    was = {key: read_run(path)["fingerprint"].get(key) for key in now}
    changed = list(differences(was, now))
    if changed:
        raise UsageError(f"{path} cannot be played again as it was: {changed[0]}")
    parts = dict(folder.parts())
    said = [f"{len(parts):,} of {len(folder.chunks):,} chunks are there, each as it was written"]
    results = path / "results.json"
    if results.exists():
        from simlab.experiments.running import load

        for chunk in _counted(folder):
            if chunk not in parts:
                missing = folder.chunk_path(chunk)
                raise DamagedFolderError(f"{missing} is missing; go on {AGAIN}")
        if to_json(load(path).numbers) != results.read_bytes():
            raise DamagedFolderError(
                f"{results} is not what the chunks add up to; "
                "go on with --resume: it is written again"
            )
        said.append("results.json is what the chunks add up to")
    chosen = secrets.SystemRandom().sample(sorted(parts), min(PLAYED_AGAIN, len(parts)))
    for chunk in sorted(chosen):
        again, games = _played_again(folder, chunk, notice)
        if again is None or again.record() != parts[chunk].record():
            raise DamagedFolderError(
                f"chunk {chunk.number} of {path}, played again, comes out otherwise; delete "
                f"{folder.chunk_path(chunk)} {PLAY_AGAIN}"
            )
        if games is not None:
            _compare_games(folder, chunk, games)
        said.append(f"chunk {chunk.number}, played again, comes out the same")
    return said


def _counted(folder: RunFolder) -> Sequence[Chunk]:
    """The chunks that the results are of."""
    from simlab.experiments.tournaments.schedule import Schedule

    if isinstance(folder.plan, Schedule):
        from simlab.experiments.tournaments.playing import kept_course

        return kept_course(folder).chunks
    return folder.chunks[: folder.counted_chunks]


def _played_again(folder: RunFolder, chunk: Chunk, notice: Notice | None) -> tuple[Any, Any]:
    """One chunk, played anew by whoever knows what it is a part of."""
    from simlab.experiments.tournaments.schedule import Schedule
    from simlab.experiments.tuning.problem import Search

    if isinstance(folder.plan, Search):
        from simlab.experiments.tuning.search import play_again as search_again

        return search_again(folder, chunk.number), None
    if isinstance(folder.plan, Schedule):
        from simlab.experiments.tournaments.playing import play_again

        return play_again(folder, chunk), None
    return play_chunk(folder.plan, chunk, notice)


def _compare_games(folder: Any, chunk: Any, games: Any) -> None:
    import pyarrow.parquet as pq

    kept = pq.read_table(folder.games_path(chunk))
    if not kept.equals(games):
        raise DamagedFolderError(
            f"{folder.games_path(chunk)} holds other games than played again; delete "
            f"{folder.chunk_path(chunk)} {PLAY_AGAIN}"
        )

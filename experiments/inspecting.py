"""What a run folder holds: how far it is, and whether it is as it was written."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import numpy as np

from simlab.engine import Notice
from simlab.errors import UsageError
from simlab.experiments.batches import play_chunk
from simlab.experiments.folders import (
    DamagedFolderError,
    differences,
    holder,
    is_held,
    open_folder,
    played_by,
    read_run,
    to_json,
)

PLAYED_AGAIN = 2


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

        for chunk in folder.chunks[: folder.counted_chunks]:
            if chunk not in parts:
                raise DamagedFolderError(f"{folder.chunk_path(chunk)} is missing")
        if to_json(load(path).numbers) != results.read_bytes():
            raise DamagedFolderError(f"{results} is not what the chunks add up to")
        said.append("results.json is what the chunks add up to")
    chosen = secrets.SystemRandom().sample(sorted(parts), min(PLAYED_AGAIN, len(parts)))
    for chunk in sorted(chosen):
        again, outcomes = _played_again(folder, chunk, notice)
        if again is None or again.record() != parts[chunk].record():
            raise DamagedFolderError(
                f"chunk {chunk.number} of {path}, played again, comes out otherwise"
            )
        if outcomes is not None:
            _compare_games(folder, chunk, outcomes)
        said.append(f"chunk {chunk.number}, played again, comes out the same")
    return said


def _played_again(folder: Any, chunk: Any, notice: Notice | None) -> tuple[Any, Any]:
    """One chunk, played anew by whoever knows what it is a part of."""
    from simlab.experiments.tuning.problem import Search

    if isinstance(folder.plan, Search):
        from simlab.experiments.tuning.search import play_again

        return play_again(folder, chunk.number), None
    return play_chunk(folder.plan, chunk, notice)


def _compare_games(folder: Any, chunk: Any, outcomes: Any) -> None:
    import pyarrow.parquet as pq

    from simlab.experiments.outcome_tables import outcome_arrow

    kept = pq.read_table(folder.games_path(chunk))
    if not kept.equals(outcome_arrow(folder.plan.base, np.concatenate(outcomes))):
        raise DamagedFolderError(f"{folder.games_path(chunk)} holds other games than played again")

"""Plays a balance study: every run in a folder of its own, each where it was left off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from simlab.experiments.batches import Watch
from simlab.experiments.counting import Count, Part
from simlab.experiments.running import Place
from simlab.experiments.standard.declaration import Standard
from simlab.experiments.standard.parts import parts_of


def play_standard(
    standard: Standard,
    folder: Path,
    effort: str = "normal",
    *,
    seed: int = 0,
    workers: int | None = None,
    watch: Watch | None = None,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any] | None:
    """Play everything that a report of this game needs.

    Parameters
    ----------
    standard : Standard
    folder : pathlib.Path
        Gets a run folder for each part; what is there already is not played again.
    effort : str
        One of `EFFORTS`.
    seed : int
    workers : int, optional
    watch : Watch, optional
    note : callable
        Is told which part begins.

    Returns
    -------
    dict or None
        Results by name of the part; None if it was stopped before its end.

    Raises
    ------
    UsageError
        If a folder of a part holds something else.
    """
    watch = watch or Watch()
    parts = list(parts_of(standard, standard.sized(effort), seed))
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {}
    for number, part in enumerate(parts, 1):
        if watch.stop.is_set():
            return None
        note(f"{number} of {len(parts)}: {part.title}")
        told = _counted(watch, number - 1, len(parts))
        found[part.name] = part.play(Place(folder / part.name, resume=True), workers, told)
        if not found[part.name].played.complete:
            return None
    return found


def _counted(watch: Watch, done: int, parts: int) -> Watch:
    """The watch of one part, told of the whole in thousandths."""
    told = watch.progress
    if told is None:
        return watch

    def progress(plan: Any, part: Part, wanted: int) -> None:
        share = sum(count.games for count in part.counts) / max(1, wanted)
        told(plan, Part([Count(games=round(1000 * (done + share)))]), 1000 * parts)

    return replace(watch, progress=progress)

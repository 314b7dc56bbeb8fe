"""The comparisons that Fantastic Park's own sections are written from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simlab.experiments.comparing import Comparison
    from simlab.experiments.standard.parts import Compared
    from simlab.reports.findings import Findings

TILES, ROUNDS, DOUBLES, STACKING = range(4)
"""Places of the comparisons among the study's special ones."""


def varied(found: Findings, place: int) -> tuple[Compared, Comparison] | None:
    """One of the special comparisons, if it was played."""
    if place >= len(found.standard.special):
        return None
    sweep = found.standard.special[place]
    return next(((part, one) for part, one in found.comparisons if part.sweep is sweep), None)

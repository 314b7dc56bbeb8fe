"""Strategies for Fantastic Park, from drawing lots to weighing everything at once.

`survey` finds what placements make of the groups, `wishes` the placement that gives most of what
is wanted, and `strategies` want things. Copy one of these to write your own; the names it uses
come from there and from `simlab.games.fantastic_park`.
"""

from __future__ import annotations

from simlab.policies.fantastic_park.strategies import (
    cutter,
    double_hunter,
    grower,
    keeper,
    lone_wolf,
    planner,
    random,
)

__all__ = ["random", "grower", "keeper", "cutter", "double_hunter", "lone_wolf", "planner"]

"""Compiled play: a game's rules bound to the loop, policies as values, batches of deals.

The room holds `bound` (rules and loop compiled together), `compiling` (policies), `room` (where one
thread plays) and `readiness` (what is compiled once on a machine). It is the only place that knows
how the loop, the compiler and its cache fit together.
"""

from simlab.engine.bound import RULE_NAMES, Engine, Notice, array_of, trace_type
from simlab.engine.compiling import compiled_policy
from simlab.engine.readiness import engine_of, warm_up
from simlab.engine.room import Matchup, Room, check_seed, replay_line, shuffled_seatings

__all__ = [
    "RULE_NAMES",
    "Engine",
    "Matchup",
    "Notice",
    "Room",
    "array_of",
    "check_seed",
    "compiled_policy",
    "engine_of",
    "replay_line",
    "shuffled_seatings",
    "trace_type",
    "warm_up",
]

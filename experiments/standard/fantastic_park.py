"""Fantastic Park's balance study: strategies, seats, tiles, rounds, doubles, laying on top."""

from simlab.experiments.standard.declaration import Standard, Sweep
from simlab.games.fantastic_park import GAME

GOOD = ("planner", "lone-wolf", "cutter", "keeper")
THREE = GOOD[:3]
WITH_DOUBLES = ("planner", "lone-wolf", "double-hunter", "keeper")
"""A table with somebody who collects what the rule in question is about."""

TILES = Sweep("tiles", ("9/3", "7/6", "11/0", "5/9"), "copies of mixed tiles and of doubles")
ROUNDS = Sweep("rounds", ("printed", "supply"), "six or seven rounds", policies=THREE)
DOUBLES = Sweep(
    "double_unique", ("4", "3", "2"), "a double that nobody else shows", policies=WITH_DOUBLES
)
STACKING = Sweep("planner.top", ("0.2", "-4", "-2", "2", "4"), "planner's liking for laying on top")

STANDARD = Standard(
    game=GAME,
    policies=("cutter", "double-hunter", "grower", "keeper", "lone-wolf", "planner", "random"),
    strongest="planner",
    weakest="random",
    table=GOOD,
    counts=(2, 3, 4, 5),
    special=(TILES, ROUNDS, DOUBLES, STACKING),
    sweeps=(
        Sweep("rounds", ("5", "3", "4"), "rounds"),
        # A larger hand uses more tiles a round: three rounds are served with all of these.
        Sweep("hand", ("4", "3", "5"), "tiles in a full hand", {"rounds": "3"}),
    ),
    effort=0.2,  # its games take thirty times as long as Fantastique's
)

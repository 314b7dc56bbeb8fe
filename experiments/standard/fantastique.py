"""Fantastique's balance study: strategies, seats, fan sides, medals, hands, rounds, stacks."""

from simlab.experiments.standard.declaration import Standard, Sweep
from simlab.games.fantastique import GAME

GOOD = ("balanced", "card-counter", "greedy", "finale-collector")
OPEN_AND_CLOSED = ("balanced", "balanced:finale=0", "balanced", "balanced:finale=0")
SIDES = ("I", "II", "III", "IV", "V", "VI")
LONG_ROWS = {
    "gold": "6,8,10,12,14,16,18,20,22",
    "silver": "3,4,5,6,7,8,9,10,11",
    "bronze": "1,2,3,4,5,6,7,8,9",
}
"""The printed medal rows, gone on with for games of more rounds."""

STANDARD = Standard(
    game=GAME,
    policies=(
        "balanced",
        "card-counter",
        "finale-collector",
        "greedy",
        "high-fan",
        "medal-scheduler",
        "miser",
        "random",
        "spoiler",
    ),
    strongest="balanced",
    weakest="random",
    table=GOOD,
    counts=(2, 3, 4, 5),
    special=(
        Sweep("finale", SIDES, "fan sides"),
        Sweep("finale", SIDES, "planning for the finale", policies=OPEN_AND_CLOSED),
    ),
    sweeps=(
        Sweep("finale_gold", ("20", "0", "10", "30", "40"), "golden finale medal"),
        Sweep("finale_silver", ("10", "0", "20"), "silver finale medal"),
        Sweep(
            "gold",
            ("6/8/10/12/14/16/18", "12/12/12/12/12/12/12", "2/4/6/10/14/20/28"),
            "gold row: printed, flat, steep",
        ),
        Sweep("hand", ("10", "8", "12"), "cards dealt"),
        Sweep("rounds", ("7", "5", "9"), "rounds", LONG_ROWS),
        Sweep(
            "deck",
            ("16/15/14/13/12/11/10/9", "13/13/13/13/12/12/12/12"),
            "deck: printed, even",
        ),
        Sweep("stacks", ("5", "4", "6"), "stacks revealed"),
        Sweep("stack_limit", ("3", "2", "4"), "cards on a stack"),
    ),
    options={"finale": "random"},
)

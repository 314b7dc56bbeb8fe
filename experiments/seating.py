"""Who sits where: the games that one deal is played in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from simlab.errors import unknown

if TYPE_CHECKING:
    import numpy.typing as npt

SEATINGS = ("rotate", "fixed")


def seatings(kind: str, seating: Sequence[int]) -> npt.NDArray[np.int64]:
    """All seatings in which each deal is played.

    Parameters
    ----------
    kind : str
        ``rotate``: everybody moves one seat on from game to game, each distinct seating once
        (four of a kind have one, A B A B has two). ``fixed``: the seating as given.
    seating : sequence of int, length players
        Which policy of the line-up holds each seat.

    Returns
    -------
    numpy.ndarray of int64, shape (rotations, players)
    """
    if kind not in SEATINGS:
        raise unknown("seating", kind, SEATINGS)
    players = len(seating)
    turns = range(players) if kind == "rotate" else range(1)
    distinct = dict.fromkeys(
        tuple(seating[(seat - turn) % players] for seat in range(players)) for turn in turns
    )
    return np.array(list(distinct), dtype=np.int64)

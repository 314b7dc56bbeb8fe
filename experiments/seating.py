"""Who sits where: the games that one deal is played in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from simlab.errors import unknown

if TYPE_CHECKING:
    import numpy.typing as npt

SEATINGS = ("rotate", "fixed", "shuffle", "all")


def seatings(kind: str, seating: Sequence[int]) -> npt.NDArray[np.int64]:
    """All seatings in which each deal is played.

    Parameters
    ----------
    kind : str
        ``rotate``: everybody moves one seat on from game to game, each distinct seating once
        (four of a kind have one, A B A B has two). ``fixed``: the seating as given.
        ``shuffle``: a random seating for each deal, drawn by the engine; here as given.
        ``all``: every distinct permutation.
    seating : sequence of int, length players
        Which policy of the line-up holds each seat.

    Returns
    -------
    numpy.ndarray of int64, shape (rotations, players)
    """
    if kind not in SEATINGS:
        raise unknown("seating", kind, SEATINGS)
    players = len(seating)
    orders: Iterable[tuple[int, ...]] = [tuple(seating)]
    if kind == "rotate":
        turns = range(players)
        orders = (tuple(seating[(seat - turn) % players] for seat in turns) for turn in turns)
    elif kind == "all":
        orders = permutations(seating)
    return np.array(list(dict.fromkeys(orders)), dtype=np.int64)

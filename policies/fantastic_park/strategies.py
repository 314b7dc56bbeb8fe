"""Strategies for Fantastic Park, from drawing lots to weighing everything at once."""

from __future__ import annotations

from simlab.contract import policy
from simlab.games.fantastic_park import GAME, legal
from simlab.streams import below


@policy(GAME)
def random(rules, table, own, moves, weights, rng):
    """Draws lots: every legal move is equally likely.

    The yardstick that any idea has to beat.
    """
    return moves[below(rng, legal(rules, table, own, moves))]

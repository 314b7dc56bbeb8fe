"""Strategies for Fantasía S.A."""

from __future__ import annotations

from simlab.contract import policy
from simlab.games.fantasia_sa import GAME, legal
from simlab.streams import below


@policy(GAME)
def random(rules, table, own, moves, weights, rng):
    """Draws lots: every legal move is equally likely.

    The yardstick that any idea has to beat.
    """
    return moves[below(rng, legal(rules, table, own, moves))]

"""Strategies for Fantastiqa."""

from simlab.contract import policy
from simlab.games.fantastiqa import GAME, legal
from simlab.streams import below


@policy(GAME)
def random(rules, table, own, moves, weights, rng):
    """Draws lots: every legal move is equally likely."""
    return moves[below(rng, legal(rules, table, own, moves))]

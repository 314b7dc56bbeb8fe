"""Strategies for Fantasía S.A., from drawing lots to weighing everything at once.

Each is a function of what its seat may know and a row of numbers. Copy one from `plain` to write
your own; the names it uses come from `simlab.games.fantasia_sa`. None of them knows a card by its
name: they go by what cards do, so they play any set of cards.
"""

from simlab.policies.fantasia_sa.balanced import balanced, peaceful
from simlab.policies.fantasia_sa.plain import (
    bully,
    cautious,
    greedy,
    outfitter,
    random,
    sponsor_rush,
)

__all__ = [
    "random",
    "cautious",
    "greedy",
    "sponsor_rush",
    "outfitter",
    "bully",
    "balanced",
    "peaceful",
]

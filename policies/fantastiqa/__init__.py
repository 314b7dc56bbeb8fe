"""Strategies for Fantastiqa: from drawing lots to weighing paths, Quests and cards at once.

Each is a function of what its seat may know and a row of numbers. Most share one way to play, told
in `habits`, and differ in what they want; `sight` is what they look at.
"""

from simlab.policies.fantastiqa.strategies import (
    collector,
    dragon_sender,
    gem_dealer,
    planner,
    quester,
    random,
    wanderer,
)

__all__ = [
    "random",
    "wanderer",
    "quester",
    "collector",
    "gem_dealer",
    "dragon_sender",
    "planner",
]

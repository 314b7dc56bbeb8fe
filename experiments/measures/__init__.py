"""Measures of how a game plays, from its outcome table: fair, tight, dramatic, decided late."""

from simlab.experiments.measures.games import Games, Measure
from simlab.experiments.measures.luck import best_of, split_of_luck
from simlab.experiments.measures.play import (
    catch_up,
    choice,
    closeness,
    decidedness,
    drama,
    leads,
    length,
    seat_effect,
    summarise_play,
    ties,
)

__all__ = [
    "Games",
    "Measure",
    "best_of",
    "catch_up",
    "choice",
    "closeness",
    "decidedness",
    "drama",
    "leads",
    "length",
    "seat_effect",
    "split_of_luck",
    "summarise_play",
    "ties",
]

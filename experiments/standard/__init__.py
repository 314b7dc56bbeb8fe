"""The standard balance study of each game: what is played so that a report can be written."""

from simlab.experiments.standard.declaration import EFFORTS, Effort, Standard, Sweep, standard_of
from simlab.experiments.standard.parts import Compared, Met, Part, Played, parts_of
from simlab.experiments.standard.playing import play_standard

__all__ = [
    "EFFORTS",
    "Compared",
    "Effort",
    "Met",
    "Part",
    "Played",
    "Standard",
    "Sweep",
    "parts_of",
    "play_standard",
    "standard_of",
]

"""The game theory of tournaments: who dominates, who mixes, who cycles, and how sure that is.

A tournament becomes an `EmpiricalGame`; `bootstrap` does all of it, with its error, and
`verdict` says it in words. Nothing here plays a game.
"""

from __future__ import annotations

from simlab.experiments.metagame.dominance import Cycle, beats, cycles, dominance
from simlab.experiments.metagame.dynamics import (
    Basins,
    RestPoint,
    Trajectory,
    basins,
    replicator,
)
from simlab.experiments.metagame.equilibria import (
    Equilibrium,
    equilibria_frame,
    symmetric_equilibria,
    variety,
)
from simlab.experiments.metagame.game import EmpiricalGame
from simlab.experiments.metagame.ranking import AlphaRank, alpha_rank, alpha_sweep
from simlab.experiments.metagame.resampling import MetaResult, bootstrap
from simlab.experiments.metagame.stability import evolutionarily_stable
from simlab.experiments.metagame.verdict import verdict

__all__ = [
    "AlphaRank",
    "Basins",
    "Cycle",
    "EmpiricalGame",
    "Equilibrium",
    "MetaResult",
    "RestPoint",
    "Trajectory",
    "alpha_rank",
    "alpha_sweep",
    "basins",
    "beats",
    "bootstrap",
    "cycles",
    "dominance",
    "equilibria_frame",
    "evolutionarily_stable",
    "replicator",
    "symmetric_equilibria",
    "variety",
    "verdict",
]

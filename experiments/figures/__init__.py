"""Figures, each in two parts: its numbers as a frame, and the drawing, which computes none.

`plot_NAME` draws what `NAME_data` returns. Nothing is drawn with global state, so that figures
come out the same with no display, in any thread, and whatever else a program draws.
"""

from __future__ import annotations

from simlab.experiments.figures.alpha_rank import alpha_rank_data, plot_alpha_rank
from simlab.experiments.figures.comparison import comparison_data, plot_comparison
from simlab.experiments.figures.convergence import convergence_data, plot_convergence
from simlab.experiments.figures.evolution import (
    plot_replicator_flow,
    plot_trajectories,
    replicator_flow_data,
    trajectory_data,
)
from simlab.experiments.figures.kinds import KINDS, draw
from simlab.experiments.figures.meetings import head_to_head_data, plot_head_to_head
from simlab.experiments.figures.mixes import mix_data, plot_mix
from simlab.experiments.figures.park import park_data, plot_park
from simlab.experiments.figures.points import (
    plot_points_by_round,
    plot_points_distribution,
    points_by_round_data,
    points_distribution_data,
)
from simlab.experiments.figures.rates import plot_seats, plot_win_rates, seat_data, win_rate_data
from simlab.experiments.figures.searching import plot_search, plot_worth, search_data, worth_data
from simlab.experiments.figures.standings import (
    gauntlet_data,
    plot_gauntlet,
    plot_ratings,
    rating_data,
)
from simlab.experiments.figures.style import COLOURS, QUIET, colours_of, new_axes, save

__all__ = [
    "COLOURS",
    "KINDS",
    "QUIET",
    "alpha_rank_data",
    "colours_of",
    "comparison_data",
    "convergence_data",
    "draw",
    "gauntlet_data",
    "head_to_head_data",
    "mix_data",
    "new_axes",
    "park_data",
    "plot_alpha_rank",
    "plot_comparison",
    "plot_convergence",
    "plot_gauntlet",
    "plot_head_to_head",
    "plot_mix",
    "plot_park",
    "plot_points_by_round",
    "plot_points_distribution",
    "plot_ratings",
    "plot_replicator_flow",
    "plot_search",
    "plot_seats",
    "plot_trajectories",
    "plot_win_rates",
    "plot_worth",
    "points_by_round_data",
    "points_distribution_data",
    "rating_data",
    "replicator_flow_data",
    "save",
    "search_data",
    "seat_data",
    "trajectory_data",
    "win_rate_data",
    "worth_data",
]

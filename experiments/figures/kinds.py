"""Which figures a run offers, and what each takes from its results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simlab.errors import UsageError, unknown
from simlab.experiments.figures.comparison import comparison_data, plot_comparison
from simlab.experiments.figures.convergence import convergence_data, plot_convergence
from simlab.experiments.figures.points import (
    plot_points_by_round,
    plot_points_distribution,
    points_by_round_data,
    points_distribution_data,
)
from simlab.experiments.figures.rates import plot_seats, plot_win_rates, seat_data, win_rate_data
from simlab.experiments.figures.style import root_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simlab.experiments.results import Results

KINDS = ("win-rates", "seats", "points", "comparison", "rounds", "convergence")


def draw(kind: str, results: Results) -> Axes | Figure:
    """Draw a figure of a run.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    results : Results
        For "comparison" those of a comparison, for "convergence" those of a run folder.

    Raises
    ------
    UsageError
        If there is no such figure, or this run has nothing for it.
    """
    if kind not in KINDS:
        raise unknown("figure", kind, KINDS)
    if kind == "comparison":
        return _comparison(results)
    if kind == "convergence":
        return plot_convergence(convergence_data(results.convergence()))
    if kind == "points":
        return plot_points_distribution(points_distribution_data(results.histogram("points")))
    numbers: dict[str, Any] = results.reading.record()
    if kind == "win-rates":
        return plot_win_rates(win_rate_data(numbers))
    if kind == "seats":
        return plot_seats(seat_data(numbers))
    return plot_points_by_round(points_by_round_data(numbers))


def _comparison(results: Results) -> Figure:
    from simlab.experiments.comparing import Comparison

    if not isinstance(results, Comparison):
        raise UsageError("this run compares nothing; simlab compare ... --out DIR does")
    variants = range(len(results.plan.studies))
    if all(results.by_symmetry(variant) for variant in variants):
        only = results.study.matchup.lineup[0].text
        raise UsageError(
            f"{only} holds every seat, so its win rate is the fair share by symmetry under every "
            "value: there is nothing to draw; points and rounds may differ"
        )
    data = comparison_data(results.variants(), results.differences())
    upper, _ = plot_comparison(*data)
    return root_of(upper)

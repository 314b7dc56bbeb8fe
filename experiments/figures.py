"""Figures, each in two parts: a frame of what it shows, and a drawing that computes nothing.

Drawn on matplotlib's own `Figure` without any global state, so that they work with no display.
Colours are those of Okabe and Ito, which colour-blind readers can tell apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
QUIET = "#777777"


def new_axes(width: float = 7.0, height: float = 4.0) -> Axes:
    """Axes on a figure of its own, without the frame's upper and right edges (inches)."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def win_rate_data(summary: dict[str, Any]) -> pd.DataFrame:
    """Win rate of each policy of a run, in per cent, best first.

    Parameters
    ----------
    summary : dict
        As `simlab.experiments.summary.summarise` returns it.

    Returns
    -------
    pandas.DataFrame
        ``policy, win_rate, low, high, fair``; the interval is the 95 % one, ``fair`` the share
        of a seat at this table.
    """
    import pandas as pd

    rows = [
        {
            "policy": row["policy"],
            "win_rate": 100 * row["win_rate"],
            "low": 100 * row["ci95"][0],
            "high": 100 * row["ci95"][1],
            "fair": 100 / summary["study"]["players"],
        }
        for row in summary["policies"]
    ]
    found = pd.DataFrame(rows)
    return found.sort_values("win_rate", ascending=False, kind="stable", ignore_index=True)


def plot_win_rates(data: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw win rates as dots with their intervals, and the fair share as a line.

    Parameters
    ----------
    data : pandas.DataFrame
        From `win_rate_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    """
    axes = axes or new_axes(height=1.4 + 0.45 * len(data))
    places = range(len(data))
    fair = data["fair"].iloc[0]
    axes.axvline(fair, color=QUIET, linewidth=1, linestyle="--")
    axes.annotate(
        f"fair share {fair:.0f} %", (fair, -0.75), color=QUIET, ha="center", annotation_clip=False
    )
    errors = [data["win_rate"] - data["low"], data["high"] - data["win_rate"]]
    axes.errorbar(data["win_rate"], places, xerr=errors, fmt="o", color=COLOURS[0], capsize=3)
    for place, row in zip(places, data.itertuples(), strict=True):
        label = f"{row.win_rate:.1f} %"
        axes.annotate(
            label, (row.high, place), xytext=(8, 0), textcoords="offset points", va="center"
        )
    axes.set_yticks(places, labels=list(data["policy"]))
    axes.set_ylim(len(data) - 0.5, -0.6)
    axes.set_xlim(0, max(1.15 * data["high"].max(), 1.3 * fair))
    axes.set_xlabel("win rate in per cent (with 95 % interval)")
    return axes

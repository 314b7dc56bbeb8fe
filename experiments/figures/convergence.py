"""How an estimate settles as more deals are played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simlab.experiments.figures.style import (
    LINE_INCHES,
    Colours,
    colours_of,
    dashes_of,
    dressed,
    label_ends,
    lines_in,
    new_axes,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def convergence_data(frame: pd.DataFrame) -> pd.DataFrame:
    """Estimates of win rates at growing numbers of deals, in per cent.

    Parameters
    ----------
    frame : pandas.DataFrame
        ``deals, policy, win_rate, low, high``, as shares between 0 and 1, with an interval that
        holds at all numbers of deals together.

    Returns
    -------
    pandas.DataFrame
        The same columns in per cent, the deals of each policy ascending; without rows of no deal.
    """
    found = frame.loc[frame["deals"] > 0, ["deals", "policy", "win_rate", "low", "high"]].copy()
    numbers = ["win_rate", "low", "high"]
    found[numbers] = 100 * found[numbers].astype(float)
    return found.sort_values("deals", kind="stable", ignore_index=True)


def plot_convergence(
    frame: pd.DataFrame, axes: Axes | None = None, colours: Colours | None = None
) -> Axes:
    """Draw a line and a band a policy over the number of deals, on a log scale.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `convergence_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    colours : mapping, optional
        Policies to colours.
    """
    chosen = colours_of(frame["policy"], colours)
    dashes = dashes_of(chosen)
    needed = sum(lines + 0.25 for lines in lines_in(chosen)) * LINE_INCHES
    axes = dressed(axes or new_axes(height=max(4.0, 1.0 + needed)))
    axes.set_xscale("log")
    ends = {}
    for policy, colour in chosen.items():
        rows = frame[frame["policy"] == policy]
        axes.fill_between(rows["deals"], rows["low"], rows["high"], color=colour, alpha=0.18, linewidth=0)
        axes.plot(rows["deals"], rows["win_rate"], color=colour, linestyle=dashes[policy], linewidth=1.8)
        ends[policy] = (rows["deals"].iloc[-1], rows["win_rate"].iloc[-1])
    axes.margins(x=0.02)
    axes.set_xlabel("deals")
    axes.set_ylabel("win rate in per cent\n(band: always-valid 95 % interval)")
    label_ends(axes, ends, chosen)
    return axes

"""How an estimate settles as more deals are played."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from simlab.experiments.figures.style import (
    Colours,
    check_rows,
    colours_of,
    dashes_of,
    dressed,
    label_ends,
    new_axes,
    room_for,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


FEW = 4
"""Policies whose bands are shaded so that each can be seen; more of them are shaded lighter."""
FEW_DECADES = 30
"""Up to this ratio of the last to the first number of deals, 2 and 5 are marked as well."""


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
        The same columns in per cent, one policy after the other as they first appear, the deals
        of each ascending; without rows of no deal.
    """
    found = frame.loc[frame["deals"] > 0, ["deals", "policy", "win_rate", "low", "high"]].copy()
    numbers = ["win_rate", "low", "high"]
    found[numbers] = 100 * found[numbers].astype(float)
    found["policy"] = found["policy"].astype(str)
    order = {policy: rank for rank, policy in enumerate(found["policy"].unique())}
    found = found.assign(rank=found["policy"].map(order))
    return found.sort_values(["rank", "deals"], ignore_index=True).drop(columns="rank")


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
    check_rows(frame)
    chosen = colours_of(frame["policy"], colours)
    dashes = dashes_of(chosen)
    axes = dressed(axes or new_axes(height=max(4.0, 1.0 + room_for(chosen))))
    shade = 0.2 if len(chosen) <= FEW else 0.1
    ends = {}
    for policy, colour in chosen.items():
        rows = frame[frame["policy"] == policy]
        deals, rates = rows["deals"].to_numpy(), rows["win_rate"].to_numpy()
        axes.fill_between(deals, rows["low"], rows["high"], color=colour, alpha=shade, linewidth=0)
        axes.plot(deals, rates, color=colour, linestyle=dashes[policy], linewidth=1.8)
        axes.plot(deals[-1:], rates[-1:], "o", color=colour, markersize=4)
        ends[policy] = (deals[-1], rates[-1])
    _scale(axes, frame)
    axes.set_xlabel("deals")
    axes.set_ylabel("win rate in per cent\n(band: always-valid 95 % interval)")
    label_ends(axes, ends, chosen)
    return axes


def _scale(axes: Axes, frame: pd.DataFrame) -> None:
    """Show all estimates, and the bands of the later half: the first ones go from 0 to 100."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    first, last = frame["deals"].min(), frame["deals"].max()
    late = frame[frame["deals"] >= math.sqrt(first * last)]
    low = min(frame["win_rate"].min(), late["low"].min())
    high = max(frame["win_rate"].max(), late["high"].max())
    margin = 0.05 * (high - low) or 1.0
    axes.set_ylim(low - margin, high + margin)
    axes.set_xscale("log")
    axes.margins(x=0.02)
    marks = (1.0,) if last > FEW_DECADES * first else (1.0, 2.0, 5.0)
    axes.xaxis.set_major_locator(LogLocator(subs=marks, numticks=6))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda deals, _: in_words(deals)))
    axes.xaxis.set_minor_formatter(NullFormatter())


def in_words(number: float) -> str:
    """Write a number of deals as people do: 10,000 and 2 million."""
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if number >= size:
            return f"{number / size:g} {word}"
    return f"{number:,.0f}"

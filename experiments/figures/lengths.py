"""How long games take: the distribution of a column of whole games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simlab.experiments.figures.style import COLOURS, INK, check_rows, dressed, new_axes, write

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

BARS = 40


def length_data(games: pd.DataFrame, column: str) -> pd.DataFrame:
    """How many games are how long, in steps that give some forty bars.

    Parameters
    ----------
    games : pandas.DataFrame
        An outcome table: ``game`` and a column with one value a game.
    column : str

    Returns
    -------
    pandas.DataFrame
        ``start, width, share`` (per cent) of each bar, and the ``median`` in every row.
    """
    import numpy as np
    import pandas as pd

    values = games.groupby("game")[column].first()
    span = int(values.max() - values.min()) + 1
    width = max(1, -(-span // BARS))
    first = int(values.min()) // width
    counts = np.bincount((values // width - first).to_numpy(int))
    return pd.DataFrame(
        {
            "start": (np.arange(len(counts)) + first) * width,
            "width": width,
            "share": 100 * counts / len(values),
            "median": float(values.median()),
        }
    )


def plot_lengths(frame: pd.DataFrame, words: str, axes: Axes | None = None) -> Axes:
    """Draw how many games are how long, and the median.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `length_data`.
    words : str
        What is counted.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    """
    check_rows(frame)
    axes = dressed(axes or new_axes(height=3.2))
    width = frame["width"].iloc[0]
    axes.bar(frame["start"], frame["share"], width=0.9 * width, align="edge", color=COLOURS[0])
    median = frame["median"].iloc[0]
    axes.axvline(median, color=INK, linewidth=1)
    above = axes.get_xaxis_transform()
    write(axes, f"half of the games end by {median:,.0f}", (median, 1), above, (4, -4), va="top")
    axes.set_xlabel(words)
    axes.set_ylabel("games in per cent")
    axes.set_xlim(frame["start"].min() - width, frame["start"].max() + 2 * width)
    return axes

"""How a game plays: how far winners are ahead, and when they are decided."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simlab.experiments.figures.style import (
    COLOURS,
    INK,
    QUIET,
    check_rows,
    draw_dots,
    dressed,
    new_axes,
    write,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

CLOSE = 3
MOST_BARS = 60
DASHED = (0, (4, 3))


def margin_data(games: pd.DataFrame) -> pd.DataFrame:
    """How often the winner is ahead by so many points: ``margin, share`` (per cent), ``close``.

    Parameters
    ----------
    games : pandas.DataFrame
        An outcome table: ``game, points`` and more.
    """
    import pandas as pd

    best = games.groupby("game")["points"].nlargest(2).groupby(level=0)
    margins = (best.first() - best.last()).astype(int).clip(upper=MOST_BARS)
    counts = margins.value_counts().sort_index()
    frame = pd.DataFrame({"margin": counts.index, "share": 100 * counts.to_numpy() / len(margins)})
    frame["close"] = frame["margin"] <= CLOSE
    return frame


def plot_margins(frame: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw the distribution of margins; close endings are darker."""
    check_rows(frame)
    axes = dressed(axes or new_axes(height=3.2))
    for close, colour in ((True, COLOURS[0]), (False, "#A9C6DC")):
        part = frame[frame["close"] == close]
        axes.bar(part["margin"], part["share"], width=0.85, color=colour)
    axes.set_xlabel("points that the winner is ahead by")
    axes.set_ylabel("games in per cent")
    axes.set_xlim(-1, frame["margin"].max() + 1)
    return axes


def decided_data(measures: Sequence[Any]) -> pd.DataFrame:
    """Win share of the leader after each checkpoint, in per cent.

    Returns
    -------
    pandas.DataFrame
        ``checkpoint, won, low, high``.
    """
    import pandas as pd

    rows = [
        {"checkpoint": n, "won": 100 * m.value, "low": 100 * m.low, "high": 100 * m.high}
        for n, m in enumerate(measures, 1)
    ]
    return pd.DataFrame(rows)


def plot_decided(measures: Sequence[Any], fair: float, axes: Axes | None = None) -> Axes:
    """Draw how often the leader after each checkpoint wins, and the fair share."""
    frame = decided_data(measures)
    check_rows(frame)
    axes = dressed(axes or new_axes(width=6.0, height=3.4))
    axes.axhline(100 * fair, color=QUIET, linewidth=1, linestyle=DASHED, zorder=0)
    beside = axes.get_yaxis_transform()
    words = f"fair share {100 * fair:.3g} %"
    write(axes, words, (1, 100 * fair), beside, (6, 0), va="center", color=QUIET)
    axes.plot(frame["checkpoint"], frame["won"], color=INK, linewidth=1.2)
    draw_dots(axes, frame["checkpoint"].tolist(), frame, "won", color=INK)
    axes.set_xticks(frame["checkpoint"])
    axes.set_ylim(0, max(100.0, math.ceil(frame["won"].max())))
    axes.set_xlabel("checkpoint (round, or full turn of the table)")
    axes.set_ylabel("win share of who leads then,\nper cent")
    return axes

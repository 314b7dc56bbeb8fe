"""Who wins how often: by policy, and by seat."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from simlab.experiments.figures.style import (
    INK,
    LINE_INCHES,
    QUIET,
    Colours,
    check_rows,
    colours_of,
    draw_dots,
    dressed,
    lines_in,
    new_axes,
    wrapped,
    write,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

DASHED = (0, (4, 3))
RATE_LABEL = "win rate in per cent (with 95 % interval)"


def win_rate_data(summary: dict[str, Any]) -> pd.DataFrame:
    """Win rate of each policy of a run, in per cent, best first.

    Parameters
    ----------
    summary : dict
        As `simlab.experiments.summary.summarise` returns it.

    Returns
    -------
    pandas.DataFrame
        ``policy, place, win_rate, low, high, fair``; ``place`` is the place in the line-up,
        which gives the colour; the interval is the 95 % one; ``fair`` is the share of a seat at
        this table. What was not played is NaN, and comes last.
    """
    import pandas as pd

    rows = [
        {"policy": str(row["policy"]), "place": place, **_rates(row, summary)}
        for place, row in enumerate(summary["policies"])
    ]
    found = pd.DataFrame(rows)
    return found.sort_values("win_rate", ascending=False, kind="stable", ignore_index=True)


def seat_data(summary: dict[str, Any]) -> pd.DataFrame:
    """Win rate of each seat of a run, in per cent.

    Parameters
    ----------
    summary : dict
        As `simlab.experiments.summary.summarise` returns it.

    Returns
    -------
    pandas.DataFrame
        ``seat, win_rate, low, high, fair``, in order of the seats; seat 0 starts. The interval
        is the 95 % one, ``fair`` the share of a seat at this table.
    """
    import pandas as pd

    return pd.DataFrame([{"seat": row["seat"], **_rates(row, summary)} for row in summary["seats"]])


def _rates(row: dict[str, Any], summary: dict[str, Any]) -> dict[str, float]:
    rate = float("nan") if row["win_rate"] is None else row["win_rate"]
    low, high = row["ci95"]
    fair = 100 / summary["study"]["players"]
    return {"win_rate": 100 * rate, "low": 100 * low, "high": 100 * high, "fair": fair}


def plot_win_rates(
    frame: pd.DataFrame, axes: Axes | None = None, colours: Colours | None = None
) -> Axes:
    """Draw win rates as dots with their intervals, and the fair share as a line.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `win_rate_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    colours : mapping, optional
        Policies to colours; by default by their places in the line-up.
    """
    check_rows(frame)
    chosen = colours_of(frame.sort_values("place")["policy"], colours)
    tall = max(0.42, (max(lines_in(frame["policy"])) + 0.5) * LINE_INCHES)
    axes = dressed(axes or new_axes(height=1.2 + tall * len(frame)))
    fair = frame["fair"].iloc[0]
    axes.axvline(fair, color=QUIET, linewidth=1, linestyle=DASHED, zorder=0)
    above, beside = axes.get_xaxis_transform(), axes.get_yaxis_transform()
    write(axes, _fair_words(fair), (fair, 1), above, (0, 5), ha="center", color=QUIET)
    for place, policy in enumerate(frame["policy"]):
        row = frame.iloc[[place]]
        draw_dots(
            axes, [place], row, "win_rate", sideways=True, color=chosen[policy], clip_on=False
        )
        rate = row["win_rate"].iloc[0]
        words = "not played" if math.isnan(rate) else f"{rate:.1f} %"
        write(axes, words, (1, place), beside, (60, 0), ha="right", va="center")
    axes.set_yticks(
        range(len(frame)), [wrapped(name) for name in frame["policy"]], parse_math=False
    )
    axes.tick_params(axis="y", length=0, pad=8)
    axes.set_ylim(len(frame) - 0.5, -0.5)
    axes.set_xlim(0, min(100.0, 1.1 * frame[["high", "fair"]].max().max()))
    axes.set_xlabel(RATE_LABEL)
    return axes


def _fair_words(fair: float) -> str:
    return f"fair share {fair:.3g} %"


def plot_seats(frame: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw the win rate of each seat with its interval, and the fair share as a line.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `seat_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    """
    check_rows(frame)
    axes = dressed(axes or new_axes(width=5.5, height=3.6))
    fair = frame["fair"].iloc[0]
    axes.axhline(fair, color=QUIET, linewidth=1, linestyle=DASHED, zorder=0)
    beside = axes.get_yaxis_transform()
    write(axes, _fair_words(fair), (1, fair), beside, (6, 0), va="center", color=QUIET)
    draw_dots(axes, frame["seat"].tolist(), frame, "win_rate", color=INK)
    axes.set_xticks(frame["seat"])
    axes.set_xlim(frame["seat"].min() - 0.5, frame["seat"].max() + 0.5)
    axes.margins(y=0.1)
    axes.set_xlabel("seat (0 starts)")
    axes.set_ylabel(RATE_LABEL.replace(" (", "\n("))
    return axes

"""Who wins how often: by policy, and by seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simlab.experiments.figures.style import (
    FONT,
    INK,
    LINE_INCHES,
    QUIET,
    Colours,
    colours_of,
    dressed,
    lines_in,
    new_axes,
    wrapped,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

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
        {"policy": row["policy"], "place": place, **_rates(row, summary)}
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
        Policies to colours.
    """
    chosen = colours_of(frame.sort_values("place")["policy"], colours)
    tall = max(0.42, (max(lines_in(frame["policy"])) + 0.5) * LINE_INCHES)
    axes = dressed(axes or new_axes(height=1.2 + tall * len(frame)))
    fair = frame["fair"].iloc[0]
    axes.axvline(fair, color=QUIET, linewidth=1, linestyle=(0, (4, 3)), zorder=0)
    _fair_label(axes, fair, (fair, 1), (0, 4), "center", "bottom")
    for place, row in enumerate(frame.itertuples()):
        axes.errorbar(
            row.win_rate,
            place,
            xerr=[[row.win_rate - row.low], [row.high - row.win_rate]],
            fmt="o",
            markersize=7,
            color=chosen[str(row.policy)],
            elinewidth=1.6,
            capsize=3.5,
            clip_on=False,
        )
        axes.annotate(
            "not played" if row.win_rate != row.win_rate else f"{row.win_rate:.1f} %",
            (1, place),
            xycoords=axes.get_yaxis_transform(),
            xytext=(60, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=FONT,
            color=INK,
        )
    axes.set_yticks(range(len(frame)), [wrapped(name) for name in frame["policy"]], parse_math=False)
    axes.tick_params(axis="y", length=0, pad=8)
    axes.set_ylim(len(frame) - 0.5, -0.5)
    axes.set_xlim(0, min(100.0, 1.1 * max(frame["high"].max(), fair)))
    axes.set_xlabel(RATE_LABEL)
    return axes


def _fair_label(axes: Axes, fair: float, at: Any, offset: Any, ha: Any, va: Any) -> None:
    vertical = at[1] == 1
    axes.annotate(
        f"fair share {fair:.3g} %",
        at,
        xycoords=axes.get_xaxis_transform() if vertical else axes.get_yaxis_transform(),
        xytext=offset,
        textcoords="offset points",
        ha=ha,
        va=va,
        fontsize=FONT,
        color=QUIET,
    )


def plot_seats(frame: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw the win rate of each seat with its interval, and the fair share as a line.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `seat_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    """
    axes = dressed(axes or new_axes(width=5.5, height=3.6))
    fair = frame["fair"].iloc[0]
    axes.axhline(fair, color=QUIET, linewidth=1, linestyle=(0, (4, 3)), zorder=0)
    _fair_label(axes, fair, (0.999, fair), (6, 0), "left", "center")
    errors = [frame["win_rate"] - frame["low"], frame["high"] - frame["win_rate"]]
    axes.errorbar(
        frame["seat"],
        frame["win_rate"],
        yerr=errors,
        fmt="o",
        markersize=7,
        color=INK,
        elinewidth=1.6,
        capsize=4,
    )
    axes.set_xticks(frame["seat"])
    axes.set_xlim(frame["seat"].min() - 0.5, frame["seat"].max() + 0.5)
    axes.margins(y=0.1)
    axes.set_xlabel("seat (0 starts)")
    axes.set_ylabel(RATE_LABEL.replace(" (", "\n("))
    return axes

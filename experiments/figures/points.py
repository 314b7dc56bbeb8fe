"""How many points: how they are spread over the games, and how they grow from round to round."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from simlab.experiments.figures.style import (
    FAINT,
    LINE_INCHES,
    QUIET,
    SMALL,
    Colours,
    check_rows,
    colours_of,
    dashes_of,
    draw_dots,
    dressed,
    label_ends,
    lines_in,
    new_axes,
    room_for,
    wrapped,
    write,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MOST_STEPS = 150
"""Steps of a curve; with more of them neighbouring numbers of points are put together."""
MOST_ROUNDS = 10
"""Rounds with a number on the axis and a lead."""


def points_distribution_data(frame: pd.DataFrame) -> pd.DataFrame:
    """Share of a policy's games that ended with each number of points.

    Parameters
    ----------
    frame : pandas.DataFrame
        ``policy, points, seat_games``: how many games of a seat ended with so many points.

    Returns
    -------
    pandas.DataFrame
        ``policy, points, width, share, mean``: the share in per cent of the policy's games with
        ``points`` to ``points + width - 1`` points, with a row for every step from the fewest
        to the most points that the policy had; ``width`` is 1 unless those were too many steps,
        and the same for all. ``mean`` is the policy's mean. Empty if there were no games.
    """
    import pandas as pd

    played = frame[frame["seat_games"] > 0].astype({"points": "int64", "seat_games": float})
    if played.empty:
        return pd.DataFrame(columns=["policy", "points", "width", "share", "mean"])
    width = _width(int(played["points"].max() - played["points"].min()) + 1)
    parts = []
    for policy, rows in played.groupby("policy", sort=False, observed=True):
        games = rows["seat_games"].sum()
        counts = rows["seat_games"].groupby(rows["points"] // width * width).sum()
        counts = counts.reindex(range(counts.index.min(), counts.index.max() + 1, width))
        part = pd.DataFrame({"policy": str(policy), "points": counts.index, "width": width})
        part["share"] = 100 * counts.fillna(0).to_numpy() / games
        part["mean"] = (rows["points"] * rows["seat_games"]).sum() / games
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _width(numbers: int) -> int:
    """Smallest of 1, 2, 5, 10, 20, ... with which so many numbers make few enough steps."""
    size = 1
    while True:
        for width in (size, 2 * size, 5 * size):
            if numbers <= width * MOST_STEPS:
                return width
        size *= 10


def plot_points_distribution(
    frame: pd.DataFrame, axes: Axes | None = None, colours: Colours | None = None
) -> Axes:
    """Draw a step curve a policy, one below the other over the same points, with their means.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `points_distribution_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    colours : mapping, optional
        Policies to colours.
    """
    check_rows(frame)
    chosen = colours_of(frame["policy"], colours)
    tall = max(0.75, (max(lines_in(chosen)) + 0.5) * LINE_INCHES)
    axes = dressed(axes or new_axes(height=0.9 + tall * len(chosen)))
    highest = frame["share"].max()
    grounds = {policy: -place * 1.15 * highest for place, policy in enumerate(chosen)}
    for policy, ground in grounds.items():
        _draw_steps(axes, frame[frame["policy"] == policy], ground, chosen[policy])
    axes.set_yticks(
        list(grounds.values()), [wrapped(name) for name in grounds], parse_math=False, va="bottom"
    )
    axes.tick_params(axis="y", length=0, pad=8)
    axes.spines["left"].set_visible(False)
    axes.margins(x=0.02)
    axes.set_ylim(min(grounds.values()) - 0.12 * highest, 1.05 * highest)
    width = frame["width"].iloc[0]
    steps = "" if width == 1 else f" in steps of {width}"
    axes.set_xlabel(f"points{steps} (height: share of games, at most {highest:.1f} %)")
    return axes


def _draw_steps(axes: Axes, rows: pd.DataFrame, ground: float, colour: str) -> None:
    edges = [*rows["points"], rows["points"].iloc[-1] + rows["width"].iloc[-1]]
    tops = rows["share"] + ground
    axes.axhline(ground, color=FAINT, linewidth=0.8, zorder=0)
    axes.stairs(tops, edges, baseline=ground, fill=True, color=colour, alpha=0.2, linewidth=0)
    axes.stairs(tops, edges, baseline=ground, color=colour, linewidth=1.5)
    mean = rows["mean"].iloc[0]
    axes.plot([mean], [ground], "o", color=colour, markersize=6.5, clip_on=False)
    beside = axes.get_yaxis_transform()
    write(axes, f"mean {mean:.1f}", (1, ground), beside, (75, 2), ha="right")


def points_by_round_data(summary: dict[str, Any]) -> pd.DataFrame:
    """Mean points of each policy of a run after each round.

    Parameters
    ----------
    summary : dict
        As `simlab.experiments.summary.summarise` returns it.

    Returns
    -------
    pandas.DataFrame
        ``policy, round, points, low, high, lead``, in order of the line-up and the rounds, which
        count from 1; the interval is the 95 % one. ``lead`` is how far the best policy of the
        round is ahead of the next; for the others, and where only one policy plays, it is NaN.
        Empty if the game has no rounds.
    """
    import pandas as pd

    rows = [
        (str(row["policy"]), int(name.removeprefix("points_")), mean["mean"], *mean["ci95"])
        for row in summary["policies"]
        for name, mean in row["columns"].items()
        if re.fullmatch(r"points_[0-9]+", name)
    ]
    found = pd.DataFrame(rows, columns=["policy", "round", "points", "low", "high"])
    found = found.astype({"points": float, "low": float, "high": float})
    found["lead"] = float("nan")
    for _, tied in found.dropna(subset="points").groupby("round"):
        best = tied["points"].nlargest(2)
        if len(best) > 1:
            found.loc[best.index[0], "lead"] = best.iloc[0] - best.iloc[1]
    return found


def plot_points_by_round(
    frame: pd.DataFrame, axes: Axes | None = None, colours: Colours | None = None
) -> Axes:
    """Draw a line a policy, and above them the lead of the best policy in each round.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `points_by_round_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    colours : mapping, optional
        Policies to colours.
    """
    check_rows(frame)
    chosen = colours_of(frame["policy"], colours)
    dashes = dashes_of(chosen)
    axes = dressed(axes or new_axes(height=max(4.0, 1.2 + room_for(chosen))))
    ends = {}
    for policy, colour in chosen.items():
        rows = frame[frame["policy"] == policy]
        line = {"color": colour, "linestyle": dashes[policy], "linewidth": 1.8}
        look: dict[str, Any] = {**line, "markersize": 4, "capsize": 0}
        draw_dots(axes, rows["round"].tolist(), rows, "points", **look)
        ends[policy] = (rows["round"].iloc[-1], rows["points"].iloc[-1])
    rounds = sorted(set(frame["round"]))
    shown = rounds[:: -math.ceil(len(rounds) / MOST_ROUNDS)]
    axes.set_xticks(shown)
    axes.margins(x=0.02)
    axes.set_xlabel("round")
    axes.set_ylabel("mean points (with 95 % interval)")
    _write_leads(axes, frame[frame["round"].isin(shown)].dropna(subset="lead").sort_values("round"))
    label_ends(axes, ends, chosen)
    return axes


def _write_leads(axes: Axes, leads: pd.DataFrame) -> None:
    if leads.empty:
        return
    look = {"fontsize": SMALL, "color": QUIET}
    write(axes, "lead", (0, 1), "axes fraction", (-14, 5), ha="right", **look)
    above = axes.get_xaxis_transform()
    for at, lead in zip(leads["round"], leads["lead"], strict=True):
        write(axes, f"{lead:.1f}", (at, 1), above, (0, 5), ha="center", **look)

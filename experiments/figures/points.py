"""How many points: how they are spread over the games, and how they grow from round to round."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from simlab.experiments.figures.style import (
    FAINT,
    FONT,
    INK,
    LINE_INCHES,
    QUIET,
    SMALL,
    Colours,
    colours_of,
    dashes_of,
    dressed,
    label_ends,
    lines_in,
    new_axes,
    wrapped,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MOST_STEPS = 150
"""Steps of a curve; with more of them neighbouring numbers of points are put together."""
MOST_LEADS = 8


def points_distribution_data(frame: pd.DataFrame) -> pd.DataFrame:
    """Share of a policy's games that ended with each number of points.

    Parameters
    ----------
    frame : pandas.DataFrame
        ``policy, points, games``: how many games (of a seat) ended with so many points.

    Returns
    -------
    pandas.DataFrame
        ``policy, points, width, share, mean``: the share in per cent of the policy's games with
        ``points`` to ``points + width - 1`` points, with a row for every step from the fewest
        to the most points that anybody had; ``width`` is 1 unless that were too many steps.
        ``mean`` is the policy's mean.
    """
    import pandas as pd

    low, high = int(frame["points"].min()), int(frame["points"].max())
    width = _step(high - low + 1)
    first = low // width * width
    steps = range(first, high + 1, width)
    parts = []
    for policy, rows in frame.groupby("policy", sort=False):
        games = rows["games"].sum()
        counts = rows["games"].groupby(rows["points"] // width * width).sum()
        part = pd.DataFrame({"policy": policy, "points": steps, "width": width})
        part["share"] = 100 * counts.reindex(steps, fill_value=0).to_numpy() / games
        part["mean"] = (rows["points"] * rows["games"]).sum() / games
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _step(numbers: int) -> int:
    """Smallest of 1, 2, 5, 10, 20, ... that makes few enough steps."""
    size = 1
    while True:
        for width in (size, 2 * size, 5 * size):
            if numbers <= width * MOST_STEPS:
                return width
        size *= 10


def plot_points_distribution(
    frame: pd.DataFrame, axes: Axes | None = None, colours: Colours | None = None
) -> Axes:
    """Draw one step curve a policy, one above the other over the same points.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `points_distribution_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    colours : mapping, optional
        Policies to colours.
    """
    chosen = colours_of(frame["policy"], colours)
    tall = max(0.75, (max(lines_in(chosen)) + 0.5) * LINE_INCHES)
    axes = dressed(axes or new_axes(height=0.9 + tall * len(chosen)))
    row_height = 1.15 * frame["share"].max()
    for place, (policy, colour) in enumerate(chosen.items()):
        rows = frame[frame["policy"] == policy]
        ground = -place * row_height
        edges = [*rows["points"], rows["points"].iloc[-1] + rows["width"].iloc[-1]]
        steps = rows["share"] + ground
        axes.stairs(steps, edges, baseline=ground, fill=True, color=colour, alpha=0.2, linewidth=0)
        axes.stairs(steps, edges, baseline=None, color=colour, linewidth=1.6)
        mean = rows["mean"].iloc[0]
        axes.plot([mean], [ground], "o", color=colour, markersize=6, clip_on=False)
        axes.annotate(
            f"mean {mean:.1f}",
            (1, ground),
            xycoords=axes.get_yaxis_transform(),
            xytext=(6, 4),
            textcoords="offset points",
            fontsize=FONT,
            color=INK,
        )
    grounds = [-place * row_height for place in range(len(chosen))]
    axes.set_yticks(grounds, [wrapped(name) for name in chosen], parse_math=False, va="bottom")
    axes.tick_params(axis="y", length=0, pad=8)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("points")
    return axes


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
    """
    import pandas as pd

    nan = float("nan")
    found = pd.DataFrame(
        [
            {
                "policy": row["policy"],
                "round": int(name.removeprefix("points_")),
                "points": mean["mean"],
                "low": mean["ci95"][0],
                "high": mean["ci95"][1],
            }
            for row in summary["policies"]
            for name, mean in row["columns"].items()
            if re.fullmatch(r"points_[0-9]+", name)
        ],
        columns=["policy", "round", "points", "low", "high"],
    ).astype({"points": float, "low": float, "high": float})
    found["lead"] = nan
    for _, rows in found.groupby("round"):
        ranked = rows["points"].dropna().sort_values(ascending=False, kind="stable")
        if len(ranked) > 1:
            found.loc[ranked.index[0], "lead"] = ranked.iloc[0] - ranked.iloc[1]
    return found


def plot_points_by_round(
    frame: pd.DataFrame, axes: Axes | None = None, colours: Colours | None = None
) -> Axes:
    """Draw a line a policy, with the lead of the best policy in each round above.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `points_by_round_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    colours : mapping, optional
        Policies to colours.
    """
    chosen = colours_of(frame["policy"], colours)
    dashes = dashes_of(chosen)
    needed = sum(lines + 0.25 for lines in lines_in(chosen)) * LINE_INCHES
    axes = dressed(axes or new_axes(height=max(4.0, 1.2 + needed)))
    ends = {}
    for policy, colour in chosen.items():
        rows = frame[frame["policy"] == policy]
        axes.errorbar(
            rows["round"],
            rows["points"],
            yerr=[rows["points"] - rows["low"], rows["high"] - rows["points"]],
            color=colour,
            linestyle=dashes[policy],
            linewidth=1.8,
            marker="o",
            markersize=4,
            elinewidth=1.2,
            capsize=2.5,
        )
        ends[policy] = (rows["round"].iloc[-1], rows["points"].iloc[-1])
    leads = frame.dropna(subset="lead").sort_values("round")
    for row in leads.itertuples():
        axes.annotate(
            f"{row.lead:.1f}",
            (row.round, 1),
            xycoords=axes.get_xaxis_transform(),
            xytext=(0, 5),
            textcoords="offset points",
            ha="center",
            fontsize=SMALL,
            color=QUIET,
        )
    axes.set_xticks(sorted(set(frame["round"])))
    axes.margins(x=0.02)
    axes.set_xlabel("round")
    axes.set_ylabel("mean points (with 95 % interval)")
    label_ends(axes, ends, chosen)
    return axes

"""How a small crowd wanders from policy to policy: alpha-rank as a graph."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from simlab.experiments.figures.style import (
    QUIET,
    SMALL,
    Colours,
    check_rows,
    colours_of,
    new_axes,
    wrapped,
    write,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from simlab.experiments.metagame import AlphaRank

RADIUS = 0.22
"""Of a node that has all the mass; the area shows the mass."""
LEAST = 0.035
"""Radius of a node with none."""
NEUTRAL = 1.000001
"""Takeovers that are more frequent than those of a policy that makes no difference, by this."""


def alpha_rank_data(rank: AlphaRank) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Policies on a circle, and which of them take over from which.

    Returns
    -------
    nodes : pandas.DataFrame
        ``policy, mass`` (in per cent), ``x, y`` on a circle of radius 1, the greatest mass on
        top, then clockwise; ``place`` among the policies, which gives the colour.
    arrows : pandas.DataFrame
        ``source, target, chance, strength, flow``: a crowd of the source is taken over by one
        player of the target with this chance, where that is more than one that makes no
        difference has; ``strength`` goes from 0 there to 1 at certainty, in logarithms;
        ``flow`` is how often it happens, as a part of the most frequent one.
    """
    import numpy as np
    import pandas as pd

    count = len(rank.policies)
    order = np.argsort(-rank.mass, kind="stable")
    angle = math.pi / 2 - 2 * math.pi * np.arange(count) / count
    nodes = pd.DataFrame({"policy": [rank.policies[place] for place in order]})
    nodes["mass"], nodes["place"] = 100 * rank.mass[order], order
    nodes["x"], nodes["y"] = np.cos(angle), np.sin(angle)
    rows = []
    for target, source in zip(*np.nonzero(~np.eye(count, dtype=np.bool_)), strict=True):
        chance = float(rank.takeover[target, source])
        if chance * rank.population > NEUTRAL:
            strength = math.log(chance * rank.population) / math.log(rank.population)
            names = rank.policies[source], rank.policies[target]
            rows.append((*names, chance, strength, float(rank.mass[source]) * chance))
    arrows = pd.DataFrame(rows, columns=["source", "target", "chance", "strength", "flow"])
    arrows["flow"] /= arrows["flow"].max() if rows else 1.0
    return nodes, arrows


def plot_alpha_rank(
    nodes: pd.DataFrame,
    arrows: pd.DataFrame,
    axes: Axes | None = None,
    colours: Colours | None = None,
) -> Axes:
    """Draw policies as discs as large as their mass, and takeovers as arrows.

    Parameters
    ----------
    nodes, arrows : pandas.DataFrame
        From `alpha_rank_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    colours : mapping, optional
        Policies to colours; by default by their places among the policies.
    """
    check_rows(nodes)
    chosen = colours_of(nodes.sort_values("place")["policy"], colours)
    axes = axes or new_axes(width=8.0, height=6.2)
    axes.set_axis_off()
    axes.set_aspect("equal")
    radius = {
        policy: LEAST + (RADIUS - LEAST) * math.sqrt(mass / 100)
        for policy, mass in zip(nodes["policy"], nodes["mass"], strict=True)
    }
    where = dict(zip(nodes["policy"], zip(nodes["x"], nodes["y"], strict=True), strict=True))
    _draw_arrows(axes, arrows, where, radius)
    for policy, mass in zip(nodes["policy"], nodes["mass"], strict=True):
        _draw_node(axes, policy, mass, where[policy], radius[policy], chosen[policy])
    words = "disc: share of time; arrow: one player takes over a crowd\n"
    words += "more often than by chance (thicker: surer; darker: happens more)"
    look = {"ha": "center", "va": "bottom", "fontsize": SMALL, "color": QUIET}
    write(axes, words, (0.5, 0), "axes fraction", (0, 2), **look)
    axes.set_xlim(-2.1, 2.1)
    axes.set_ylim(-1.75, 1.5)
    return axes


def _draw_arrows(
    axes: Axes,
    arrows: pd.DataFrame,
    where: dict[str, tuple[float, float]],
    radius: dict[str, float],
) -> None:
    """Thin where a takeover is little more than chance, faint where it is rare; these first."""
    from matplotlib.patches import FancyArrowPatch

    for row in arrows.sort_values("flow", kind="stable").itertuples():
        begin, end = _between(where[row.source], where[row.target], radius, row)
        shade = 0.85 - 0.75 * math.sqrt(float(row.flow))
        look: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 12, "shrinkA": 0}
        look |= {"shrinkB": 0, "linewidth": 0.8 + 1.2 * float(row.strength)}
        axes.add_patch(FancyArrowPatch(begin, end, color=str(round(shade, 3)), zorder=1, **look))


def _between(
    begin: tuple[float, float], end: tuple[float, float], radius: dict[str, float], row: Any
) -> tuple[tuple[float, float], tuple[float, float]]:
    """From the edge of one disc to that of the other."""
    length = math.dist(begin, end)
    way = ((end[0] - begin[0]) / length, (end[1] - begin[1]) / length)
    first, last = radius[row.source] + 0.03, length - radius[row.target] - 0.03
    return (
        (begin[0] + first * way[0], begin[1] + first * way[1]),
        (begin[0] + last * way[0], begin[1] + last * way[1]),
    )


def _draw_node(
    axes: Axes, policy: str, mass: float, at: tuple[float, float], size: float, colour: str
) -> None:
    """A disc, with its name and mass outside the circle of all discs."""
    from matplotlib.patches import Circle

    axes.add_patch(Circle(at, size, facecolor=colour, edgecolor="white", linewidth=1, zorder=2))
    x, y = at
    outside = 1 + size + 0.1
    side = "center" if abs(x) < 0.2 else ("left" if x > 0 else "right")
    height = "center" if abs(y) < 0.8 else ("bottom" if y > 0 else "top")
    words = f"{wrapped(policy, 18)}\n{mass:.1f} %"
    write(axes, words, (x * outside, y * outside), "data", (0, 0), ha=side, va=height)

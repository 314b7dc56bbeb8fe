"""How a small crowd wanders from policy to policy: alpha-rank as a graph."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from simlab.experiments.figures.style import (
    LETTER_INCHES,
    LINE_INCHES,
    QUIET,
    SMALL,
    Colours,
    check_rows,
    colours_of,
    new_axes,
    spread,
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
SCALE = 1.9
"""Inches of the circle's radius."""
BESIDE = 1.4
"""How far from the middle names begin."""
NAME_WIDTH = 20
"""Letters of a name in one line."""
CAPTION_LINES = 4
"""Room below."""
MIDDLE = 1e-9
"""Discs no farther to the left than this are named on the right."""
NEUTRAL = 1.000001
"""Takeovers that are more frequent than those of a policy that makes no difference, by this."""


class Label(NamedTuple):
    """A name and mass beside the circle, in radii; ``side`` is 1 on the right, -1 on the left."""

    policy: str
    words: str
    side: int
    middle: float
    size: float


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
    names = _placed(nodes)
    high = max(1.3, *(abs(one.middle) + one.size / 2 for one in names))
    low = high + CAPTION_LINES * LINE_INCHES / SCALE
    wide = BESIDE + (NAME_WIDTH + 1) * LETTER_INCHES / SCALE
    axes = axes or new_axes(width=2 * wide * SCALE, height=(high + low) * SCALE)
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-wide, wide)
    axes.set_ylim(-low, high)
    radius = {
        policy: LEAST + (RADIUS - LEAST) * math.sqrt(mass / 100)
        for policy, mass in zip(nodes["policy"], nodes["mass"], strict=True)
    }
    where = dict(zip(nodes["policy"], zip(nodes["x"], nodes["y"], strict=True), strict=True))
    _draw_arrows(axes, arrows, where, radius)
    for policy, at in where.items():
        _draw_disc(axes, at, radius[policy], chosen[policy])
    for one in names:
        _name(axes, one, where[one.policy], radius[one.policy], chosen[one.policy])
    words = "disc: share of time; arrow: one player takes over a crowd\n"
    words += "more often than by chance (thicker: surer; darker: happens more)"
    look = {"ha": "center", "va": "bottom", "fontsize": SMALL, "color": QUIET}
    write(axes, words, (0.5, 0), "axes fraction", (0, 2), **look)
    return axes


def _placed(nodes: pd.DataFrame) -> list[Label]:
    """Put each name beside the circle, as near to its disc as there is room."""
    found = []
    for side in (1, -1):
        here = nodes[(nodes["x"] > -MIDDLE) == (side == 1)]
        words = [
            f"{wrapped(policy, NAME_WIDTH)}\n{mass:.1f} %"
            for policy, mass in zip(here["policy"], here["mass"], strict=True)
        ]
        sizes = [(text.count("\n") + 1.5) * LINE_INCHES / SCALE for text in words]
        half = max(1.3, sum(sizes) / 2)
        middles = spread(here["y"].tolist(), sizes, -half, half)
        rows = zip(here["policy"].tolist(), words, middles, sizes, strict=True)
        found += [Label(name, text, side, middle, size) for name, text, middle, size in rows]
    return found


def _draw_arrows(
    axes: Axes,
    arrows: pd.DataFrame,
    where: dict[str, tuple[float, float]],
    radius: dict[str, float],
) -> None:
    """Thin where a takeover is little more than chance, faint where it is rare; these first."""
    from matplotlib.patches import FancyArrowPatch

    ordered = arrows.sort_values("flow", kind="stable")
    columns = (ordered[name].tolist() for name in ("source", "target", "strength", "flow"))
    for source, target, strength, flow in zip(*columns, strict=True):
        begin, end = _between(where[source], where[target], radius[source], radius[target])
        shade = str(round(0.85 - 0.75 * math.sqrt(flow), 3))
        look: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 12, "zorder": 1}
        look |= {"shrinkA": 0, "shrinkB": 0, "linewidth": 0.8 + 1.2 * strength}
        axes.add_patch(FancyArrowPatch(begin, end, color=shade, **look))


def _between(
    begin: tuple[float, float], end: tuple[float, float], size: float, end_size: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """From the edge of one disc to that of the other."""
    length = math.dist(begin, end)
    way = ((end[0] - begin[0]) / length, (end[1] - begin[1]) / length)
    first, last = size + 0.03, length - end_size - 0.03
    return (
        (begin[0] + first * way[0], begin[1] + first * way[1]),
        (begin[0] + last * way[0], begin[1] + last * way[1]),
    )


def _draw_disc(axes: Axes, at: tuple[float, float], size: float, colour: str) -> None:
    from matplotlib.patches import Circle

    axes.add_patch(Circle(at, size, facecolor=colour, edgecolor="white", linewidth=1, zorder=2))


def _name(axes: Axes, label: Label, at: tuple[float, float], size: float, colour: str) -> None:
    """Write a name and a mass beside the circle, with a thin line to the disc."""
    begin = (label.side * BESIDE, label.middle)
    _, end = _between(begin, at, 0.0, size)
    line = [begin[0] - label.side * 0.03, end[0]], [begin[1], end[1]]
    axes.plot(*line, color=colour, linewidth=0.9, zorder=1)
    side = "left" if label.side == 1 else "right"
    write(axes, label.words, begin, "data", (0, 0), ha=side, va="center")

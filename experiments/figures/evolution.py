"""Where a crowd of players goes that copies success: on the triangle of three, and over time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from simlab.errors import UsageError
from simlab.experiments.figures.style import (
    FAINT,
    INK,
    LETTER_INCHES,
    LINE_INCHES,
    QUIET,
    SMALL,
    Colours,
    check_rows,
    colours_of,
    dashes_of,
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

    from simlab.experiments.metagame import EmpiricalGame, Trajectory

CORNERS = ((0.0, 0.0), (1.0, 0.0), (0.5, math.sqrt(3) / 2))
"""Where each of three policies is played by all."""
STEPS = 12
"""Arrows along an edge."""
ARROW = 0.045
"""Length of an arrow, in edges."""
CORNER_WIDTH = 20
"""Letters of a name at a corner in one line."""
EDGE = 4.4
"""Inches of an edge."""
MOST_TIMES = 400
"""Points of a curve."""


def replicator_flow_data(game: EmpiricalGame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Which way the replicator equation goes from each mix of three policies.

    Parameters
    ----------
    game : EmpiricalGame
        Of three policies (`EmpiricalGame.restrict`).

    Returns
    -------
    arrows : pandas.DataFrame
        ``x, y, dx, dy, speed``: from where to where on a triangle with edges of 1; ``speed`` as
        a part of the greatest. Arrows are equally long.
    points : pandas.DataFrame
        ``x, y, kind, policy``: the corners (``kind`` "corner", with the policy), and the
        equilibria ("stable" if evolutionarily stable, else "unstable").

    Raises
    ------
    UsageError
        When there are not three policies.
    """
    import numpy as np
    import pandas as pd

    from simlab.experiments.metagame import symmetric_equilibria

    if len(game.policies) != len(CORNERS):
        raise UsageError(
            f"a flow on a triangle is of 3 policies, got {len(game.policies)}; restrict the game"
        )
    corners = np.array(CORNERS)
    parts = np.array(
        [(a, b, STEPS - a - b) for a in range(STEPS + 1) for b in range(STEPS + 1 - a)]
    )
    mixes = (parts + 1 / 3) / (STEPS + 1)  # a little inside: corners do not move
    gains = game.payoffs_against(mixes)
    ways = mixes * (gains - (mixes * gains).sum(axis=1, keepdims=True)) @ corners
    speed = np.hypot(*ways.T)
    moving = speed > 1e-12 * float(np.nanmax(np.abs(game.payoffs)))
    places, ways, speed = mixes[moving] @ corners, ways[moving], speed[moving]
    arrows = pd.DataFrame(places, columns=["x", "y"])
    arrows[["dx", "dy"]] = ARROW * ways / speed[:, None]
    arrows["speed"] = speed / speed.max(initial=1e-300)
    rests = symmetric_equilibria(game)
    marks = [(*place, "corner", name) for place, name in zip(CORNERS, game.policies, strict=True)]
    marks += [(*(one.mix @ corners), "stable" if one.stable else "unstable", "") for one in rests]
    return arrows, pd.DataFrame(marks, columns=["x", "y", "kind", "policy"])


def plot_replicator_flow(
    arrows: pd.DataFrame,
    points: pd.DataFrame,
    axes: Axes | None = None,
    colours: Colours | None = None,
) -> Axes:
    """Draw the flow as arrows on a triangle, the darker the faster, and the equilibria as dots.

    Parameters
    ----------
    arrows, points : pandas.DataFrame
        From `replicator_flow_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    colours : mapping, optional
        Policies to colours, for the corners.
    """
    check_rows(points)
    corners = points[points["kind"] == "corner"]
    first, second, top = lines_in(corners["policy"], CORNER_WIDTH)
    line, beside = LINE_INCHES / EDGE, (CORNER_WIDTH / 2 + 1) * LETTER_INCHES / EDGE
    below, above = (max(first, second) + 3.5) * line, CORNERS[2][1] + (top + 1.5) * line
    axes = axes or new_axes(width=(1 + 2 * beside) * EDGE, height=(above + below) * EDGE)
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-beside, 1 + beside)
    axes.set_ylim(-below, above)
    _draw_corners(axes, corners, colours_of(corners["policy"], colours))
    if not arrows.empty:
        _draw_arrows(axes, arrows)
    look: dict[str, Any] = {"linestyle": "", "markersize": 11, "markeredgewidth": 2, "zorder": 3}
    for kind, face in (("stable", INK), ("unstable", "white")):
        rows = points[points["kind"] == kind]
        if not rows.empty:  # a line without points would take room at the corner of the figure
            draw: dict[str, Any] = {"markerfacecolor": face, "markeredgecolor": INK}
            axes.plot(rows["x"], rows["y"], "o", clip_on=False, **draw, **look)
    words = "filled: evolutionarily stable equilibrium; hollow: another\narrows: darker is faster"
    look = {"ha": "center", "va": "bottom", "fontsize": SMALL, "color": QUIET}
    write(axes, words, (0.5, 0), "axes fraction", (0, 2), **look)
    return axes


def _draw_arrows(axes: Axes, arrows: pd.DataFrame) -> None:
    axes.quiver(
        *(arrows[name].to_numpy() for name in ("x", "y", "dx", "dy")),
        arrows["speed"].to_numpy() ** 0.5,
        angles="xy",
        scale_units="xy",
        scale=1,
        cmap="Greys",
        clim=(-0.5, 1),
        width=0.005,
        pivot="mid",
    )


def _draw_corners(axes: Axes, corners: pd.DataFrame, chosen: Colours) -> None:
    around = [*corners.index, corners.index[0]]
    axes.plot(corners.loc[around, "x"], corners.loc[around, "y"], color=FAINT, linewidth=1.5)
    for x, y, policy in zip(corners["x"], corners["y"], corners["policy"], strict=True):
        below = y == 0
        look = {"ha": "center", "va": "top" if below else "bottom"}
        where = (0, -12 if below else 12)
        colour = chosen[policy]
        write(axes, wrapped(policy, CORNER_WIDTH), (x, y), "data", where, color=colour, **look)


def trajectory_data(path: Trajectory) -> pd.DataFrame:
    """Shares of the policies on the way of a crowd, in per cent.

    Returns
    -------
    pandas.DataFrame
        ``time, policy, share``, one policy after the other, at up to 400 even times; policies
        that never have a share are left out.
    """
    import numpy as np
    import pandas as pd

    last = float(path.times[-1])
    times = np.linspace(0, last, MOST_TIMES) if last > 0 else np.zeros(1)
    parts = [
        pd.DataFrame(
            {"time": times, "policy": name, "share": 100 * np.interp(times, path.times, share)}
        )
        for name, share in zip(path.policies, path.mixes.T, strict=True)
        if share.max() > 0
    ]
    return pd.concat(parts, ignore_index=True)


def plot_trajectories(
    frame: pd.DataFrame, axes: Axes | None = None, colours: Colours | None = None
) -> Axes:
    """Draw the share of each policy over time as a line.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `trajectory_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    colours : mapping, optional
        Policies to colours.
    """
    check_rows(frame)
    chosen = colours_of(frame["policy"], colours)
    dashes = dashes_of(chosen)
    axes = dressed(axes or new_axes(height=max(4.0, 1.0 + room_for(chosen))))
    ends = {}
    for policy, colour in chosen.items():
        rows = frame[frame["policy"] == policy]
        times, shares = rows["time"].to_numpy(), rows["share"].to_numpy()
        axes.plot(times, shares, color=colour, linestyle=dashes[policy], linewidth=1.8)
        axes.plot(times[-1:], shares[-1:], "o", color=colour, markersize=4, clip_on=False)
        ends[policy] = (float(times[-1]), float(shares[-1]))
    axes.set_ylim(0, max(100.0 / len(chosen), 1.05 * frame["share"].max()))
    axes.margins(x=0.02)
    axes.set_xlabel("time (in units of 1 / range of the payoffs)")
    axes.set_ylabel("share of the players in per cent")
    label_ends(axes, ends, chosen)
    return axes

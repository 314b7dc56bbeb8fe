"""Who ends ahead of whom at the tables of a tournament: a map of all pairs, with the numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from simlab.experiments.figures.style import (
    FONT,
    INK,
    LETTER_INCHES,
    LINE_INCHES,
    SMALL,
    check_rows,
    letters_in,
    lines_in,
    new_axes,
    wrapped,
    write,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SHADES = "PuOr"
"""Orange to purple by way of white: told apart with every kind of colour blindness, and in grey
by how far a cell is from even."""
EMPTY = "#EEEEEE"
CELL = 0.52
"""Inches that a cell takes if there is room, and at least if there are many policies."""
LEAST_CELL = 0.34
NAME_LETTERS = 40
"""Of a name in one line."""
FEW = 12
"""Up to so many policies numbers have a decimal."""
STRONG = 30.0
"""Per cent off even from where on a number is written in white."""


def head_to_head_data(numbers: dict[str, Any]) -> pd.DataFrame:
    """How often each policy ends ahead of each other, in per cent, ties half.

    Parameters
    ----------
    numbers : dict
        Of a tournament, as `TournamentResults.numbers` has them.

    Returns
    -------
    pandas.DataFrame
        ``policy, rival, row, column, ahead``, a row for each two of the policies; ``row`` and
        ``column`` are their places by win rate, the highest first; ``ahead`` is NaN for a policy
        and itself, and where two never met.
    """
    import pandas as pd

    found = numbers["head_to_head"]
    rates = {row["policy"]: row["win_rate"] for row in numbers["policies"]}
    order = sorted(found["policies"], key=lambda policy: -rates[policy])
    places = {policy: place for place, policy in enumerate(found["policies"])}
    rows = []
    for row, policy in enumerate(order):
        for column, rival in enumerate(order):
            ahead = found["matrix"][places[policy]][places[rival]]
            value = math.nan if ahead is None else 100 * ahead
            rows.append((str(policy), str(rival), row, column, value))
    return pd.DataFrame(rows, columns=["policy", "rival", "row", "column", "ahead"])


def plot_head_to_head(frame: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw all pairs as a map: a row ends ahead of a column so often.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `head_to_head_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure with room for the policies.
    """
    check_rows(frame)
    names = frame.loc[frame["column"] == 0].sort_values("row")["policy"].tolist()
    count = len(names)
    least = max(lines_in(_numbered(names), NAME_LETTERS)) * LINE_INCHES + 0.05
    cell = max(LEAST_CELL, min(CELL, 7.0 / count), least)
    axes = axes or _axes_for(names, cell)
    table = frame.pivot_table(index="row", columns="column", values="ahead", dropna=False)
    edges = range(count + 1)
    axes.set_facecolor(EMPTY)
    look: dict[str, Any] = {"cmap": SHADES, "edgecolors": "white", "linewidth": 1.0}
    axes.pcolormesh(edges, edges, table.to_numpy(float), vmin=0, vmax=100, **look)
    _write_values(axes, frame, count, cell)
    _name_policies(axes, names)
    words = "row ends ahead of column, in per cent (ties half)"
    write(axes, words, (0, 1), "axes fraction", (0, 2.4 * FONT), va="bottom")
    return axes


def _axes_for(names: list[str], cell: float) -> Axes:
    lines = [wrapped(name, NAME_LETTERS).split("\n") for name in _numbered(names)]
    longest = max(letters_in(line) for name in lines for line in name)
    side = cell * len(names)
    words = 4.2  # what stands above takes so many inches
    width = max(side, words) + longest * LETTER_INCHES + 0.5
    return new_axes(width, side + 4 * LINE_INCHES)


def _numbered(names: list[str]) -> list[str]:
    return [f"{number} {name}" for number, name in enumerate(names, 1)]


def _name_policies(axes: Axes, names: list[str]) -> None:
    """Names with their numbers to the left, the numbers alone on top."""
    middles = [place + 0.5 for place in range(len(names))]
    lines = [wrapped(name, NAME_LETTERS) for name in _numbered(names)]
    axes.set_yticks(middles, lines, parse_math=False)
    axes.set_xticks(middles, [str(number) for number in range(1, len(names) + 1)])
    axes.tick_params(length=0, labelsize=FONT, labelcolor=INK, top=True, labeltop=True)
    axes.tick_params(axis="x", bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    axes.set_aspect("equal")
    axes.set_anchor("W")
    axes.set_xlim(0, len(names))
    axes.set_ylim(len(names), 0)


def _write_values(axes: Axes, frame: pd.DataFrame, count: int, cell: float) -> None:
    digits = 1 if count <= FEW else 0
    size = min(SMALL, 72 * cell / (0.72 * (3 + 1.2 * digits)))
    for row in frame.to_dict("records"):
        place = (float(row["column"]) + 0.5, float(row["row"]) + 0.5)
        ahead = float(row["ahead"])
        if math.isnan(ahead):
            continue
        words = f"{ahead:.{digits}f}"
        colour = "white" if abs(ahead - 50) > STRONG else INK
        look: dict[str, Any] = {"ha": "center", "va": "center", "color": colour}
        write(axes, words, place, "data", (0, 0), fontsize=size, **look)

"""A park of Fantastic Park from above: the animal on each cell, and how many tiles lie there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from simlab.experiments.figures.style import FONT, INK, QUIET, check_rows, new_figure, root_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

ANIMALS = {"blue": "#56B4E9", "green": "#2FA982", "pink": "#DE8FBC", "yellow": "#F0E442"}
"""Okabe and Ito's colours, the darker ones a little lighter, for black letters."""
CELL = 0.46
"""Inches."""
GAP = 0.05
"""Between tiles, as a share of a cell."""
WIDEST, NARROWEST = 9.0, 4.6
"""Inches; a larger park has smaller cells."""
KEY = 0.5
"""Inches for the animals' names below the park."""
PALE = 0.25
"""Strength of the colours that a park of endless height would have on the table."""


def park_data(record: Mapping[str, Any]) -> pd.DataFrame:
    """The park at the end of a game, as it is seen from above.

    Parameters
    ----------
    record : mapping
        A game record, as ``simlab replay --format json`` prints it.

    Returns
    -------
    pandas.DataFrame
        ``x, y, animal, height, tile``, a row a cell, by rows of the park: ``y`` grows downwards,
        ``height`` counts the tiles that lie there, ``tile`` the placement that is on top, from 0.
    """
    import pandas as pd

    top: dict[tuple[int, int], tuple[str, int, int]] = {}
    placings = [event for event in record["events"] if event["event"] == "place"]
    for number, event in enumerate(placings):
        for animal, (x, y) in zip(event["tile"], event["cells"], strict=True):
            top[y, x] = animal, event["level"] + 1, number
    rows = [(x, y, *top[y, x]) for y, x in sorted(top)]
    return pd.DataFrame(rows, columns=["x", "y", "animal", "height", "tile"])


def plot_park(frame: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw a park from above: a colour and a letter for the animal, the height as a number.

    The higher a tile lies, the stronger its colour; where both halves of a tile are to be seen,
    one line runs around them.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `park_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure that is as large as the park.
    """
    check_rows(frame)
    axes = axes or _axes_for(frame)
    highest = int(frame["height"].max())
    for _, halves in frame.groupby("tile"):
        strength = PALE + (1 - PALE) * int(halves["height"].iloc[0]) / highest
        _draw_tile(axes, halves, strength)
    axes.set_xlim(frame["x"].min() - 0.6, frame["x"].max() + 0.6)
    axes.set_ylim(frame["y"].max() + 0.6, frame["y"].min() - 0.6)
    axes.set_aspect("equal")
    axes.set_axis_off()
    _explain(axes, frame["animal"])
    return axes


def _axes_for(frame: pd.DataFrame) -> Axes:
    """Axes with cells of `CELL` inches, or of less if the park is wide."""
    columns, rows = (int(frame[name].max() - frame[name].min()) + 1 for name in ("x", "y"))
    cell = min(CELL, WIDEST / columns)
    return new_figure(max(NARROWEST, cell * columns), cell * rows + KEY).add_subplot()


def _draw_tile(axes: Axes, halves: pd.DataFrame, strength: float) -> None:
    """What is to be seen of a tile, one half or both, and a line around it."""
    from matplotlib.patches import Rectangle

    left, top = halves["x"].min() - 0.5 + GAP, halves["y"].min() - 0.5 + GAP
    right, bottom = halves["x"].max() + 0.5 - GAP, halves["y"].max() + 0.5 - GAP
    cells = zip(halves["x"], halves["y"], halves["animal"], halves["height"], strict=True)
    for middle, line, animal, height in cells:
        x, y = max(left, middle - 0.5), max(top, line - 0.5)
        wide, tall = min(right, middle + 0.5) - x, min(bottom, line + 0.5) - y
        look: dict[str, Any] = {"color": ANIMALS[animal], "alpha": strength, "linewidth": 0}
        axes.add_patch(Rectangle((x, y), wide, tall, **look))
        words = f"{animal[0]}{height}"
        axes.text(middle, line, words, ha="center", va="center", fontsize=FONT, color=INK)
    around: dict[str, Any] = {"fill": False, "edgecolor": QUIET, "linewidth": 0.8}
    axes.add_patch(Rectangle((left, top), right - left, bottom - top, **around))


def _explain(axes: Axes, animals: pd.Series[str]) -> None:
    from matplotlib.patches import Patch

    key = [Patch(color=ANIMALS[animal], label=animal) for animal in sorted(set(animals))]
    look: dict[str, Any] = {"frameon": False, "fontsize": FONT, "labelcolor": INK}
    look |= {"handlelength": 1.0, "handleheight": 1.0, "columnspacing": 1.5}
    root_of(axes).legend(handles=key, loc="outside lower center", ncols=len(key), **look)

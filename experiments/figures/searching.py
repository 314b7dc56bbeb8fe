"""A search for better parameters: how it went, and what each parameter is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simlab.errors import UsageError
from simlab.experiments.figures.rates import DASHED
from simlab.experiments.figures.style import (
    COLOURS,
    INK,
    LINE_INCHES,
    QUIET,
    SMALL,
    check_rows,
    draw_dots,
    dressed,
    lines_in,
    new_axes,
    new_figure,
    wrapped,
    write,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

COLUMNS = 3
"""Parameters beside each other."""
SURE = 0.05
"""A loss is shown as sure if its corrected p is below."""


def search_data(numbers: dict[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Win rates by generation, and the way of each parameter.

    Parameters
    ----------
    numbers : dict
        Of a search, as `TuningResults.numbers` has them.

    Returns
    -------
    rates : pandas.DataFrame
        ``generation, least, median, most``: what its candidates won, in per cent.
    paths : pandas.DataFrame
        ``generation, parameter, value, low, high, start``: where the search stood after each
        generation, a deviation of its candidates to both sides, and where it began.
    """
    import pandas as pd

    start = {row["parameter"]: row["start"] for row in numbers["parameters"]}
    rates, paths = [], []
    for row in numbers["search"]:
        shares = [100 * row[key] for key in ("least", "median", "most")]
        rates.append((row["generation"], *shares))
        for key, value in row["mean"].items():
            step = row["deviation"][key]
            line = (row["generation"], key, value, value - step, value + step, start[key])
            paths.append(line)
    columns = ["generation", "parameter", "value", "low", "high", "start"]
    return (
        pd.DataFrame(rates, columns=["generation", "least", "median", "most"]),
        pd.DataFrame(paths, columns=columns),
    )


def plot_search(rates: pd.DataFrame, paths: pd.DataFrame) -> tuple[Axes, list[Axes]]:
    """Draw the win rates of all generations, and below the way of each parameter.

    Parameters
    ----------
    rates, paths : pandas.DataFrame
        From `search_data`.

    Returns
    -------
    above : matplotlib.axes.Axes
    below : list of matplotlib.axes.Axes
        One a parameter, on the same new figure.
    """
    check_rows(rates)
    keys = list(dict.fromkeys(paths["parameter"]))
    columns = min(COLUMNS, len(keys))
    rows = -(-len(keys) // columns)
    high, low = 2.8, 1.5
    figure = new_figure(7.5, high + low * rows + 0.3)
    grid = figure.add_gridspec(1 + rows, columns, height_ratios=[high] + [low] * rows)
    above = dressed(figure.add_subplot(grid[0, :]))
    _draw_rates(above, rates)
    below = []
    for place, key in enumerate(keys):
        axes = figure.add_subplot(grid[1 + place // columns, place % columns])
        _draw_path(dressed(axes), paths[paths["parameter"] == key], key)
        below.append(axes)
        if place + columns >= len(keys):
            axes.set_xlabel("generation")
    return above, below


def _draw_rates(axes: Axes, rows: pd.DataFrame) -> None:
    at = rows["generation"].to_numpy()
    colour = COLOURS[0]
    axes.fill_between(at, rows["least"], rows["most"], color=colour, alpha=0.2, linewidth=0)
    axes.plot(at, rows["median"], color=colour, linewidth=1.8, marker="o", markersize=3)
    words = "line: the median candidate; band: the least to the most\n"
    words += "below: where the search stood, a deviation to both sides; dashed: where it began"
    look = {"ha": "right", "va": "bottom", "fontsize": SMALL, "color": QUIET}
    write(axes, words, (1, 1), "axes fraction", (0, 4), **look)
    _whole_ticks(axes)
    axes.set_xlabel("generation")
    axes.set_ylabel("win rate of its candidates\nin per cent")


def _draw_path(axes: Axes, rows: pd.DataFrame, key: str) -> None:
    at = rows["generation"].to_numpy()
    axes.axhline(rows["start"].iloc[0], color=QUIET, linewidth=1, linestyle=DASHED, zorder=0)
    axes.fill_between(at, rows["low"], rows["high"], color=COLOURS[1], alpha=0.2, linewidth=0)
    axes.plot(at, rows["value"], color=COLOURS[1], linewidth=1.5)
    write(axes, wrapped(key, 20), (0, 1), "axes fraction", (0, 3), va="bottom", fontsize=SMALL)
    axes.tick_params(labelsize=SMALL)
    _whole_ticks(axes)


def _whole_ticks(axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))


def worth_data(numbers: dict[str, Any]) -> pd.DataFrame:
    """What each tuned parameter is worth, in percentage points, the most first.

    Parameters
    ----------
    numbers : dict
        Of a search, as `TuningResults.numbers` has them.

    Returns
    -------
    pandas.DataFrame
        ``parameter, start, found, worth, low, high, sure``: the win rate lost when it alone goes
        back to where it began; ``sure`` is whether ``p_holm`` is below 0.05.

    Raises
    ------
    UsageError
        If the search has not been judged yet.
    """
    import pandas as pd

    rows = []
    for row in numbers["parameters"]:
        if row.get("ci95") is None:
            raise UsageError("this search has not been judged yet; go on with --resume")
        worth = (100 * one for one in (row["difference"], *row["ci95"]))
        rows.append((row["parameter"], row["start"], row["found"], *worth, row["p_holm"] < SURE))
    columns = ["parameter", "start", "found", "worth", "low", "high", "sure"]
    found = pd.DataFrame(rows, columns=columns)
    return found.sort_values("worth", ascending=False, kind="stable", ignore_index=True)


def plot_worth(frame: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Draw what each parameter is worth as dots with their intervals; filled ones are sure.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `worth_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    """
    check_rows(frame)
    names = [f"{row.parameter}: {row.start:.4g} to {row.found:.4g}" for row in frame.itertuples()]
    tall = max(0.36, (max(lines_in(names)) + 0.4) * LINE_INCHES)
    axes = dressed(axes or new_axes(height=1.4 + tall * len(frame)))
    axes.axvline(0, color=QUIET, linewidth=1, linestyle=DASHED, zorder=0)
    for place, sure in enumerate(frame["sure"]):
        face: Any = INK if sure else axes.get_facecolor()
        row = frame.iloc[[place]]
        draw_dots(axes, [place], row, "worth", sideways=True, color=INK, markerfacecolor=face)
    axes.set_yticks(range(len(names)), [wrapped(name) for name in names], parse_math=False)
    axes.tick_params(axis="y", length=0, pad=8)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.margins(x=0.06)
    axes.set_xlabel("points of win rate lost if it alone goes back (with 95 % interval)")
    words = f"filled: p < {SURE} after Holm's correction"
    look = {"ha": "right", "va": "bottom", "fontsize": SMALL, "color": QUIET}
    write(axes, words, (1, 1), "axes fraction", (0, 4), **look)
    return axes

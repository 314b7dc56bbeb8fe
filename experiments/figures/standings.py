"""How strong the policies of a tournament are, and how one of them fares in every seat."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from simlab.errors import UsageError
from simlab.experiments.figures.rates import DASHED, RATE_LABEL, plot_seats
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
    new_figure,
    room_for,
    wrapped,
    write,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def rating_data(numbers: dict[str, Any]) -> pd.DataFrame:
    """Rating of each policy of a tournament in Elo's points, the strongest first.

    Parameters
    ----------
    numbers : dict
        Of a tournament, as `TournamentResults.numbers` has them.

    Returns
    -------
    pandas.DataFrame
        ``policy, place, rating, low, high``; ``place`` is the place among the policies, which
        gives the colour; the interval is the 95 % one.
    """
    import pandas as pd

    rows = []
    for place, row in enumerate(numbers["policies"]):
        low, high = row["rating_ci95"]
        rows.append((str(row["policy"]), place, row["rating"], low, high))
    found = pd.DataFrame(rows, columns=["policy", "place", "rating", "low", "high"])
    return found.sort_values("rating", ascending=False, kind="stable", ignore_index=True)


def plot_ratings(
    frame: pd.DataFrame, axes: Axes | None = None, colours: Colours | None = None
) -> Axes:
    """Draw ratings as dots with their intervals, and a line at 0, even with the field.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `rating_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    colours : mapping, optional
        Policies to colours; by default by their places among the policies.
    """
    check_rows(frame)
    chosen = colours_of(frame.sort_values("place")["policy"], colours)
    tall = max(0.36, (max(lines_in(frame["policy"])) + 0.4) * LINE_INCHES)
    axes = dressed(axes or new_axes(height=1.3 + tall * len(frame)))
    axes.axvline(0, color=QUIET, linewidth=1, linestyle=DASHED, zorder=0)
    above, beside = axes.get_xaxis_transform(), axes.get_yaxis_transform()
    write(axes, "even with the field", (0, 1), above, (0, 5), ha="center", color=QUIET)
    for place, policy in enumerate(frame["policy"]):
        row = frame.iloc[[place]]
        draw_dots(axes, [place], row, "rating", sideways=True, color=chosen[policy], clip_on=False)
        words = f"{row['rating'].iloc[0]:+.0f}"
        write(axes, words, (1, place), beside, (48, 0), ha="right", va="center")
    _name_rows(axes, frame["policy"].tolist())
    axes.margins(x=0.06)
    axes.set_xlabel("rating in Elo's points (with 95 % interval)")
    return axes


def _name_rows(axes: Axes, names: list[str]) -> None:
    axes.set_yticks(range(len(names)), [wrapped(name) for name in names], parse_math=False)
    axes.tick_params(axis="y", length=0, pad=8)
    axes.set_ylim(len(names) - 0.5, -0.5)


def gauntlet_data(numbers: dict[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """How the policy in focus of a gauntlet fares, in per cent.

    Parameters
    ----------
    numbers : dict
        Of a tournament, as `TournamentResults.numbers` has them.

    Returns
    -------
    seats : pandas.DataFrame
        ``seat, win_rate, low, high, fair``: its win rate in each seat in which it sat; seat 0
        starts, ``fair`` is the share of a seat.
    opponents : pandas.DataFrame
        ``opponent, place, win_rate, low, high, fair``: its win rate at the tables of each
        opponent, the highest first; ``place`` is the place among the policies.

    Raises
    ------
    UsageError
        If no policy is in focus.
    """
    import pandas as pd

    focus, fair = numbers["study"]["focus"], 100 / numbers["study"]["players"]
    if focus is None:
        raise UsageError("no policy is in focus here; simlab tournament ... --focus POLICY does it")
    own = next(row for row in numbers["policies"] if row["policy"] == focus)
    seats = [
        (row["seat"], *_in_per_cent(row), fair)
        for row in own["seats"]
        if row["win_rate"] is not None
    ]
    places = {row["policy"]: place for place, row in enumerate(numbers["policies"])}
    met = [
        (str(row["policy"]), places[row["policy"]], *_in_per_cent(row), fair)
        for row in own["against"]
    ]
    rates = ["win_rate", "low", "high", "fair"]
    opponents = pd.DataFrame(met, columns=["opponent", "place", *rates])
    order = {"ascending": False, "kind": "stable", "ignore_index": True}
    return (
        pd.DataFrame(seats, columns=["seat", *rates]),
        opponents.sort_values("win_rate", **order),  # type: ignore[call-overload]
    )


def _in_per_cent(row: dict[str, Any]) -> tuple[float, float, float]:
    low, high = row["ci95"] or (math.nan, math.nan)
    return 100 * row["win_rate"], 100 * low, 100 * high


def plot_gauntlet(
    seats: pd.DataFrame, opponents: pd.DataFrame, colours: Colours | None = None
) -> tuple[Axes, Axes]:
    """Draw the win rate of the policy in focus by seat, and below by opponent.

    Parameters
    ----------
    seats, opponents : pandas.DataFrame
        From `gauntlet_data`.
    colours : mapping, optional
        Policies to colours; by default by their places among the policies.

    Returns
    -------
    above, below : matplotlib.axes.Axes
        On a new figure.
    """
    check_rows(seats)
    check_rows(opponents)
    names = opponents["opponent"].tolist()
    chosen = colours_of(opponents.sort_values("place")["opponent"], colours)
    high, low = 2.4, max(1.2, room_for(names) + 0.12 * len(names))
    figure = new_figure(7.0, high + low + 1.5)
    above, below = figure.subplots(2, height_ratios=[high, low])
    plot_seats(seats, above)
    _draw_opponents(dressed(below), opponents, chosen)
    return above, below


def _draw_opponents(axes: Axes, rows: pd.DataFrame, chosen: Colours) -> None:
    axes.axvline(rows["fair"].iloc[0], color=QUIET, linewidth=1, linestyle=DASHED, zorder=0)
    beside = axes.get_yaxis_transform()
    for place, name in enumerate(rows["opponent"]):
        row = rows.iloc[[place]]
        colour = chosen.get(name, INK)
        draw_dots(axes, [place], row, "win_rate", sideways=True, color=colour, clip_on=False)
        words = f"{row['win_rate'].iloc[0]:.1f} %"
        write(axes, words, (1, place), beside, (60, 0), ha="right", va="center")
    _name_rows(axes, rows["opponent"].tolist())
    axes.margins(x=0.06)
    axes.set_xlabel(f"{RATE_LABEL.replace(' (', ' at the tables of each opponent (', 1)}")

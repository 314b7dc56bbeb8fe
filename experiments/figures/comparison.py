"""What a change of the rules or of a strategy does: win rates, and paired differences below."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from simlab.experiments.figures.style import (
    FAINT,
    LETTER_INCHES,
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
    letters_in,
    lines_in,
    new_figure,
    room_for,
    wrapped,
    write,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Places = dict[tuple[str, str], float]
"""Where each variant and policy is drawn on the shared axis."""
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
SURE = 0.05
"""A difference is shown as sure if its corrected p is below."""


def comparison_data(
    frame: pd.DataFrame, differences: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Win rates of variants and their differences, in per cent and in percentage points.

    Parameters
    ----------
    frame : pandas.DataFrame
        ``variant, policy, win_rate, low, high``, as shares between 0 and 1.
    differences : pandas.DataFrame
        ``variant, policy, difference, low, high, p_holm``: against the first variant, the
        baseline, as differences of shares.

    Returns
    -------
    rates : pandas.DataFrame
        ``variant, policy, win_rate, low, high, baseline`` in per cent, policies in the order in
        which they first appear, variants too unless all are numbers, which ascend; ``baseline``
        marks the first that was given.
    differences : pandas.DataFrame
        ``variant, policy, difference, low, high, sure`` in percentage points; ``sure`` is
        whether ``p_holm`` is below 0.05.
    """
    names = ["variant", "policy"]
    rates = frame[[*names, "win_rate", "low", "high"]].copy()
    changes = differences[[*names, "difference", "low", "high"]].copy()
    changes["sure"] = differences["p_holm"].astype(float) < SURE
    for part in (rates, changes):
        part[names] = part[names].astype(str)
        numbers = part.columns[2:5]
        part[numbers] = 100 * part[numbers].astype(float)
    variants, policies = (rates[name].unique().tolist() for name in names)
    rates["baseline"] = rates["variant"] == variants[0]
    if all(NUMBER.fullmatch(variant) for variant in variants):
        variants.sort(key=float)
    return _in_order(rates, variants, policies), _in_order(changes, variants, policies)


def _in_order(part: pd.DataFrame, variants: list[str], policies: list[str]) -> pd.DataFrame:
    ranked = part.assign(
        first=part["variant"].map(variants.index), then=part["policy"].map(policies.index)
    )
    return ranked.sort_values(["first", "then"], ignore_index=True).drop(columns=["first", "then"])


def plot_comparison(
    frame: pd.DataFrame, differences: pd.DataFrame, colours: Colours | None = None
) -> tuple[Axes, Axes]:
    """Draw the win rates of each variant, and below them the differences from the baseline.

    Parameters
    ----------
    frame, differences : pandas.DataFrame
        From `comparison_data`.
    colours : mapping, optional
        Policies to colours.

    Returns
    -------
    above, below : matplotlib.axes.Axes
        On a new figure. Differences that are sure are filled dots, others hollow ones.
    """
    check_rows(frame)
    chosen = colours_of(frame["policy"], colours)
    variants = list(dict.fromkeys(frame["variant"]))
    step = min(0.14, 0.8 / len(chosen))
    places = {
        (variant, policy): at + step * (rank - (len(chosen) - 1) / 2)
        for at, variant in enumerate(variants)
        for rank, policy in enumerate(chosen)
    }
    above, below = _two_axes(variants, list(chosen))
    _draw_rates(above, frame, places, chosen)
    _draw_differences(below, differences, places, chosen)
    first = frame.loc[frame["baseline"], "variant"].iloc[0]
    look: dict[str, Any] = {"fontsize": SMALL, "color": QUIET, "ha": "center"}
    write(below, "baseline", (variants.index(first), 0), "data", (0, 4), **look)
    for axes in (above, below):
        for at in range(1, len(variants)):
            axes.axvline(at - 0.5, color=FAINT, linewidth=0.8, zorder=0)
    ends = {}
    for policy in chosen:
        last = frame.loc[frame["policy"] == policy, "win_rate"].iloc[-1]
        ends[policy] = (len(variants) - 0.5, last)
    label_ends(above, ends, chosen)
    return above, below


def _two_axes(variants: list[str], policies: list[str]) -> tuple[Axes, Axes]:
    """Axes one above the other over the same variants, with room for all names."""
    longest = max(letters_in(line) for name in policies for line in wrapped(name).split("\n"))
    wide = max(4.4, len(variants) * max(0.95, 0.15 * len(policies)))
    letters = int(wide / len(variants) / LETTER_INCHES)
    high, low = max(2.6, room_for(policies)), 2.2
    names = max(lines_in(variants, letters)) * LINE_INCHES
    figure = new_figure(1.5 + wide + longest * LETTER_INCHES, 0.8 + high + low + names)
    above, below = figure.subplots(2, sharex=True, height_ratios=[high, low])
    below.set_xticks(
        range(len(variants)), [wrapped(name, letters) for name in variants], parse_math=False
    )
    below.set_xlim(-0.5, len(variants) - 0.5)
    above.set_ylabel("win rate in per cent\n(with 95 % interval)")
    below.set_ylabel("difference from the baseline\nin percentage points\n(with 95 % interval)")
    return dressed(above), dressed(below)


def _draw_rates(axes: Axes, frame: pd.DataFrame, places: Places, chosen: Colours) -> None:
    """Dots, and faint lines that lead the eye from one dot of a policy to the next."""
    edge, dashes = axes.get_xlim()[1], dashes_of(chosen)
    for policy, colour in chosen.items():
        rows = frame[frame["policy"] == policy]
        at = [places[variant, policy] for variant in rows["variant"]]
        rates = rows["win_rate"].tolist()
        look: dict[str, Any] = {"linestyle": dashes[policy], "linewidth": 1, "alpha": 0.4}
        axes.plot([*at, edge], [*rates, rates[-1]], color=colour, **look)
        draw_dots(axes, at, rows, "win_rate", color=colour)


def _draw_differences(axes: Axes, rows: pd.DataFrame, places: Places, chosen: Colours) -> None:
    axes.axhline(0, color=QUIET, linewidth=1, zorder=1)
    for nth, (variant, policy, sure) in enumerate(
        zip(rows["variant"], rows["policy"], rows["sure"], strict=True)
    ):
        face: Any = chosen[policy] if sure else axes.get_facecolor()
        row, at = rows.iloc[[nth]], [places[variant, policy]]
        draw_dots(axes, at, row, "difference", color=chosen[policy], markerfacecolor=face)
    look = {"fontsize": SMALL, "color": QUIET}
    words = f"filled: p < {SURE} after Holm's correction"
    write(axes, words, (1, 1), "axes fraction", (0, 4), ha="right", **look)

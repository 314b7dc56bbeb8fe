"""What a change of the rules or of a strategy does: win rates, and paired differences below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simlab.experiments.figures.style import (
    FAINT,
    FONT,
    INK,
    LINE_INCHES,
    QUIET,
    SMALL,
    Colours,
    colours_of,
    dressed,
    label_ends,
    lines_in,
    new_figure,
    wrapped,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

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
        ``variant, policy, difference, low, high, p_holm``: against the first variant, as
        differences of shares.

    Returns
    -------
    rates : pandas.DataFrame
        ``variant, policy, win_rate, low, high`` in per cent.
    differences : pandas.DataFrame
        ``variant, policy, difference, low, high, sure`` in percentage points; ``sure`` is
        whether ``p_holm`` is below 0.05.
    """
    names = ["variant", "policy"]
    rates = frame[[*names, "win_rate", "low", "high"]].copy()
    changes = differences[[*names, "difference", "low", "high"]].copy()
    for part in (rates, changes):
        numbers = part.columns[2:]
        part[numbers] = 100 * part[numbers].astype(float)
    changes["sure"] = differences["p_holm"].astype(float) < SURE
    return rates, changes


def plot_comparison(
    frame: pd.DataFrame, differences: pd.DataFrame, colours: Colours | None = None
) -> tuple[Axes, Axes]:
    """Draw the win rates of each variant, and below them the differences from the first one.

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
    chosen = colours_of(frame["policy"], colours)
    variants = list(dict.fromkeys(frame["variant"]))
    step = min(0.14, 0.8 / len(chosen))
    places = {
        (variant, policy): x + step * (rank - (len(chosen) - 1) / 2)
        for x, variant in enumerate(variants)
        for rank, policy in enumerate(chosen)
    }
    needed = sum(lines + 0.25 for lines in lines_in(chosen)) * LINE_INCHES
    figure = new_figure(
        width=max(7.0, 2.5 + 0.2 * len(places)), height=2.9 + max(2.4, needed)
    )
    above, below = figure.subplots(2, sharex=True, height_ratios=[max(2.4, needed), 2.0])
    dressed(above)
    dressed(below)
    ends = {}
    for policy, colour in chosen.items():
        rows = frame[frame["policy"] == policy]
        x = [places[variant, policy] for variant in rows["variant"]]
        above.plot(x, rows["win_rate"], color=colour, linewidth=1, alpha=0.4)
        above.errorbar(x, rows["win_rate"], yerr=[rows["win_rate"] - rows["low"], rows["high"] - rows["win_rate"]], fmt="o", color=colour, markersize=6, elinewidth=1.4, capsize=3)
        ends[policy] = (x[-1], rows["win_rate"].iloc[-1])
    below.axhline(0, color=QUIET, linewidth=1)
    for row in differences.itertuples():
        colour = chosen[row.policy]
        below.errorbar([places[row.variant, row.policy]], [row.difference], yerr=[[row.difference - row.low], [row.high - row.difference]], fmt="o", color=colour, markerfacecolor=colour if row.sure else "white", markersize=6, elinewidth=1.4, capsize=3)
    below.set_xticks(range(len(variants)), [wrapped(v, 70 // len(variants)) for v in variants], parse_math=False)
    below.set_xlim(-0.5, len(variants) - 0.5)
    above.set_ylabel("win rate in per cent\n(with 95 % interval)")
    below.set_ylabel("difference from the first\nin percentage points\n(with 95 % interval)")
    label_ends(above, ends, chosen)
    return above, below

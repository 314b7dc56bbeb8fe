"""What clever players would mix, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simlab.experiments.figures.style import (
    LINE_INCHES,
    Colours,
    check_rows,
    colours_of,
    draw_dots,
    dressed,
    lines_in,
    new_axes,
    wrapped,
    write,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from simlab.experiments.metagame import MetaResult


def mix_data(result: MetaResult) -> pd.DataFrame:
    """Share of each policy in the equilibrium to expect, in per cent, the largest first.

    Returns
    -------
    pandas.DataFrame
        ``policy, place`` (among the policies, which gives the colour), ``share`` of the
        estimates, ``low, high`` (95 % of resamples), ``used`` (per cent of resamples in which
        it has a share).
    """
    table = result.frame()
    found = table[["policy"]].copy()
    found["place"] = range(len(table))
    names = {"share": "mix", "low": "mix_low", "high": "mix_high", "used": "in_mix"}
    for name, source in names.items():
        found[name] = 100 * table[source]
    order = ["share", "used"]
    return found.sort_values(order, ascending=False, kind="stable", ignore_index=True)


def plot_mix(frame: pd.DataFrame, axes: Axes | None = None, colours: Colours | None = None) -> Axes:
    """Draw the shares of an equilibrium as dots with what they are in 95 % of resamples.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `mix_data`.
    axes : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    colours : mapping, optional
        Policies to colours; by default by their places among the policies.
    """
    check_rows(frame)
    chosen = colours_of(frame.sort_values("place")["policy"], colours)
    tall = max(0.42, (max(lines_in(frame["policy"])) + 0.5) * LINE_INCHES)
    axes = dressed(axes or new_axes(height=1.4 + tall * len(frame)))
    beside = axes.get_yaxis_transform()
    for place, policy in enumerate(frame["policy"]):
        row = frame.iloc[[place]]
        draw_dots(axes, [place], row, "share", sideways=True, color=chosen[policy], clip_on=False)
        # Rounded down: 100 means all of them.
        words = f"{int(row['used'].iloc[0] + 1e-9)} %"
        write(axes, words, (1, place), beside, (56, 0), ha="right", va="center")
    write(axes, "resamples that use it", (1, 1), "axes fraction", (56, 4), ha="right", va="bottom")
    axes.set_yticks(
        range(len(frame)), [wrapped(name) for name in frame["policy"]], parse_math=False
    )
    axes.tick_params(axis="y", length=0, pad=8)
    axes.set_ylim(len(frame) - 0.5, -0.5)
    axes.set_xlim(0, min(100.0, 1.1 * frame["high"].max()))
    axes.set_xlabel("share at the equilibrium in per cent (with 95 % of resamples)")
    return axes

"""Numbers as people read them: no more digits than the uncertainty allows."""

from __future__ import annotations

from typing import Any

from simlab.experiments import rounding
from simlab.experiments.rounding import decimals

TIMES = "\N{MULTIPLICATION SIGN}"
SURE = 0.05
"""P-value up to which equality within a margin counts as shown."""


def percent(share: float, digits: int) -> str:
    """A share between 0 and 1 in per cent."""
    return f"{100 * share:.{digits}f} %"


def percents(row: dict[str, Any]) -> list[str]:
    """A win rate and its interval, rounded by the interval's width."""
    low, high = row["ci95"]
    digits = decimals(100 * (high - low) / 2)
    span = f"{100 * low:.{digits}f} to {100 * high:.{digits}f}"
    return [percent(row["win_rate"], digits), span]


def mean_and_sd(mean: dict[str, Any]) -> list[str]:
    """A mean, rounded by its interval, and the standard deviation."""
    low, high = mean["ci95"]
    digits = 2 if low is None else decimals((high - low) / 2)
    return [
        f"{mean['mean']:.{digits}f}",
        "-" if mean["sd"] is None else f"{mean['sd']:.{min(digits, 2)}f}",
    ]


def points(row: dict[str, Any], scale: float) -> list[str]:
    """A difference and its interval, rounded by the interval's width, with its sign."""
    low, high = row["ci95"]
    if row["difference"] is None or low is None:
        return ["-", "-"]
    digits = decimals(scale * (high - low) / 2)
    span = f"{scale * low:+.{digits}f} to {scale * high:+.{digits}f}"
    return [f"{scale * row['difference']:+.{digits}f}", span]


def chance(p: float | None) -> str:
    """A p-value; "-" where nothing was tested."""
    return "-" if p is None else rounding.chance(p)


def times(gain: float | None) -> str:
    """How many times the games something is worth; "-" where that does not exist."""
    if gain is None:
        return "-"
    return TIMES + (f"{gain:.2f}" if gain < 100 else f"{gain:,.0f}")


def verdict(p: float | None) -> str:
    """Whether equality within a margin is shown."""
    return "shown" if p is not None and p <= SURE else "not shown"

"""Numbers as people read them: no more digits than the uncertainty allows."""

from __future__ import annotations

import math
from typing import Any


def percent(share: float, digits: int) -> str:
    """A share between 0 and 1 in per cent."""
    return f"{100 * share:.{digits}f} %"


def percents(row: dict[str, Any]) -> list[str]:
    """A win rate and its interval, rounded by the interval's width."""
    low, high = row["ci95"]
    digits = _digits(100 * (high - low) / 2)
    span = f"{100 * low:.{digits}f} to {100 * high:.{digits}f}"
    return [percent(row["win_rate"], digits), span]


def mean_and_sd(mean: dict[str, Any]) -> list[str]:
    """A mean, rounded by its interval, and the standard deviation."""
    low, high = mean["ci95"]
    digits = 2 if low is None else _digits((high - low) / 2)
    return [
        f"{mean['mean']:.{digits}f}",
        "-" if mean["sd"] is None else f"{mean['sd']:.{min(digits, 2)}f}",
    ]


def points(row: dict[str, Any], scale: float) -> list[str]:
    """A difference and its interval, rounded by the interval's width, with its sign."""
    low, high = row["ci95"]
    if row["difference"] is None or low is None:
        return ["-", "-"]
    digits = _digits(scale * (high - low) / 2)
    span = f"{scale * low:+.{digits}f} to {scale * high:+.{digits}f}"
    return [f"{scale * row['difference']:+.{digits}f}", span]


def _digits(half_width: float) -> int:
    """Decimals that show one digit of the half-width, from 1 to 4."""
    if not half_width > 0:
        return 1
    return min(4, max(1, math.ceil(-math.log10(half_width))))

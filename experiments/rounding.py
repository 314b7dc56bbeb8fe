"""How many digits of a number are meaningful."""

from __future__ import annotations

import math

FEWEST, MOST = 1, 4
LEAST_CHANCE = 1e-300
"""Smaller p-values are not told apart."""


def decimals(half_width: float | None) -> int:
    """Decimals that show one digit of a half-width, from 1 to 4.

    Parameters
    ----------
    half_width : float or None
        Of the interval, in the unit that is printed; None or 0 where there is none.
    """
    if half_width is None or not half_width > 0 or not math.isfinite(half_width):
        return FEWEST
    return min(MOST, max(FEWEST, math.ceil(-math.log10(half_width))))


def chance(p: float) -> str:
    """A p-value in two digits."""
    return f"< {LEAST_CHANCE:g}" if p < LEAST_CHANCE else f"{p:.2g}"

"""Ratios of sums over deals, each deal one observation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simlab.experiments.intervals import Estimate


@dataclass(frozen=True)
class Ratio:
    """The sum of some numbers over the sum of others.

    Attributes
    ----------
    value : float
        NaN if the others sum to nothing.
    pulls : numpy.ndarray, shape (deals,)
        How far each deal pulls it: what its error comes from, and that of a difference of two.
    deals : int
        Deals that say something: those in which the others are not 0.
    units : float
        The sum of the others.
    """

    value: float
    pulls: npt.NDArray[np.float64]
    deals: int
    units: float

    @property
    def estimate(self) -> Estimate:
        """With the error over the deals that say something."""
        return self.over(self.deals)

    def over(self, deals: int) -> Estimate:
        """With the error over so many deals; NaN where there is no ratio."""
        error = error_of(self.pulls, deals) if self.units else math.nan
        return Estimate(self.value, math.nan, error, deals)


def ratio_of(parts: npt.NDArray[Any], wholes: npt.NDArray[Any]) -> Ratio:
    """The sum of some numbers over the sum of others.

    The error is that of the linearised ratio (the delta method; W. G. Cochran, "Sampling
    Techniques", 1977, 6.3).

    Parameters
    ----------
    parts, wholes : numpy.ndarray, shape (deals,)
        Sums of each deal.
    """
    total = float(wholes.sum())
    if total == 0:
        return Ratio(math.nan, np.zeros(len(parts)), 0, 0.0)
    value = float(parts.sum()) / total
    return Ratio(value, (parts - value * wholes) / total, int((wholes > 0).sum()), total)


def ratio(parts: npt.NDArray[Any], wholes: npt.NDArray[Any]) -> Estimate:
    """As `ratio_of`, with its error over the deals that say something."""
    return ratio_of(parts, wholes).estimate


def error_of(pulls: npt.NDArray[np.float64], deals: int) -> float:
    """Standard error of what so many deals pull; NaN for fewer than two."""
    if deals < 2:
        return math.nan
    return math.sqrt(float((pulls**2).sum()) * deals / (deals - 1))

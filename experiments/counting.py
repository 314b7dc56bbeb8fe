"""Exact sums over games, as Python integers of any size, that merge in any order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Sums = dict[str, npt.NDArray[Any]]


def _merge(mine: Sums, theirs: Mapping[str, npt.NDArray[Any]]) -> None:
    for name, values in theirs.items():
        mine[name] = mine[name] + values if name in mine else values


@dataclass
class Count:
    """Sums over the deals of one study (see `simlab.totals.totals_type` for what they are)."""

    deals: int = 0
    games: int = 0
    sums: Sums = field(default_factory=dict)

    @classmethod
    def of(cls, record: Any) -> Count:
        """The totals of a batch."""
        names = [name for name in record.dtype.names if record[name].ndim]
        sums = {name: record[name].astype(object) for name in names}
        return cls(int(record["deals"]), int(record["games"]), sums)

    def add(self, other: Count) -> None:
        """Add the sums of other deals; the order does not matter."""
        self.deals += other.deals
        self.games += other.games
        _merge(self.sums, other.sums)

    def record(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"deals": self.deals, "games": self.games, "sums": _lists(self.sums)}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Count:
        """Read what `record` wrote."""
        return cls(record["deals"], record["games"], _arrays(record["sums"]))


@dataclass
class Paired:
    """Sums over deals of what one variant has more than the baseline, deal by deal.

    Attributes
    ----------
    sums : dict
        ``policy`` and ``policy_squares`` (who, column), ``game`` and ``game_squares`` (column).
    """

    deals: int = 0
    sums: Sums = field(default_factory=dict)

    @classmethod
    def of(cls, base: tuple[Any, Any], other: tuple[Any, Any]) -> Paired:
        """From the sums of single deals (by policy, by game) of a baseline and of a variant."""
        by_policy = (other[0] - base[0]).astype(np.int64)
        by_game = other[1] - base[1]
        by_game[:, :2] = 0  # deal and rotation only name a game
        sums = {
            "policy": by_policy.sum(axis=0).astype(object),
            "policy_squares": (by_policy * by_policy).sum(axis=0).astype(object),
            "game": by_game.sum(axis=0).astype(object),
            "game_squares": (by_game * by_game).sum(axis=0).astype(object),
        }
        return cls(len(by_policy), sums)

    def add(self, other: Paired) -> None:
        """Add the sums of other deals."""
        self.deals += other.deals
        _merge(self.sums, other.sums)

    def record(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"deals": self.deals, "sums": _lists(self.sums)}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Paired:
        """Read what `record` wrote."""
        return cls(record["deals"], _arrays(record["sums"]))


@dataclass
class Part:
    """What was counted in some deals: a count for each variant, differences for all but one."""

    counts: list[Count] = field(default_factory=list)
    paired: list[Paired] = field(default_factory=list)

    @classmethod
    def of_one(cls, place: int, places: int, count: Count) -> Part:
        """What was counted of one study where each meets deals of its own."""
        return cls([count if n == place else Count() for n in range(places)])

    def add(self, other: Part) -> None:
        """Add other deals of the same variants."""
        if not self.counts:
            self.counts = [Count() for _ in other.counts]
            self.paired = [Paired() for _ in other.paired]
        for mine, theirs in zip(self.counts, other.counts, strict=True):
            if theirs.sums:
                mine.add(theirs)
        for mine_, theirs_ in zip(self.paired, other.paired, strict=True):
            mine_.add(theirs_)

    def record(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "counts": [count.record() if count.sums else None for count in self.counts],
            "paired": [paired.record() for paired in self.paired],
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Part:
        """Read what `record` wrote."""
        counts = [Count.from_record(one) if one else Count() for one in record["counts"]]
        return cls(counts, [Paired.from_record(paired) for paired in record["paired"]])


def _lists(sums: Sums) -> dict[str, Any]:
    return {name: values.tolist() for name, values in sums.items()}


def _arrays(sums: Mapping[str, Any]) -> Sums:
    return {name: np.array(values, dtype=object) for name, values in sums.items()}

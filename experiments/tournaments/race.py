"""What ends a tournament before all is played: who has fallen behind, and what is known enough."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from simlab.experiments import sequences
from simlab.experiments.summary import p_value_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from simlab.experiments.tournaments.design import Design
    from simlab.experiments.tournaments.reading import Reading

ERROR = 0.05
"""Chance that a race wrongly drops anybody at all."""


@dataclass
class Race:
    """Which policies still play for themselves.

    Whoever is clearly worse than the leader drops out: by a difference that holds at all looks
    together, with the error divided by all pairs of policies, as any of them may lead. So with a
    chance of 95 % at least nobody drops out who is not worse than somebody, and the best stays. A
    table plays on while one of its policies does: nobody's field changes.
    """

    design: Design
    out: dict[int, int] = field(default_factory=dict)
    """Policies that have dropped out, and the games a table after which they did."""

    @property
    def staying(self) -> list[int]:
        """Policies that have not dropped out."""
        return [who for who in range(self.design.policies) if who not in self.out]

    def tables(self) -> list[int]:
        """Tables that play on."""
        rows = range(len(self.design.seats))
        return [t for t in rows if any(who not in self.out for who in self.design.members(t))]

    @property
    def over(self) -> bool:
        """Whether one alone is left."""
        return len(self.staying) <= 1

    def look(self, reading: Reading, games: int) -> None:
        """Let drop out whoever is clearly worse than the leader now."""
        staying = self.staying
        leader = max(staying, key=lambda who: float(reading.rates[who]))
        pairs = math.comb(self.design.policies, 2)
        for who in staying:
            found = reading.difference(leader, who)
            if who != leader and p_value_of(found, always_valid=True) <= ERROR / pairs:
                self.out[who] = games


def precise(reading: Reading, wanted: float, out: Collection[int] = ()) -> bool:
    """Whether every win rate is known within so many points, whenever one looks.

    Those who dropped out of a race play no more, and are known as well as they ever will be.
    """
    for who in set(range(reading.design.policies)).difference(out):
        found = reading.rate(who)
        if found.deals < 2:
            return False
        if sequences.half_width(found.deviation, found.deals) > wanted / 100:
            return False
    return True

"""When a run is precise enough to stop, by intervals that hold at all numbers of deals at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from simlab.contract import WHOLE_WIN
from simlab.experiments.sequences import half_width
from simlab.experiments.summary import Reading

if TYPE_CHECKING:
    from simlab.experiments.batches import Plan
    from simlab.experiments.counting import Part


def half_widths(plan: Plan, part: Part) -> list[float]:
    """Half-width of each win rate and each difference that is reported, as shares."""
    from simlab.experiments.comparing import share_difference

    found = []
    for study, count in zip(plan.studies, part.counts, strict=True):
        reading = Reading(study, count, always_valid=True)
        if len(study.matchup.lineup) == 1:
            continue  # its win rate is a fact
        for who in range(len(study.matchup.lineup)):
            share = reading.policy(who, reading.share_place, WHOLE_WIN)
            found.append(_half_width(share.error, share.deals))
    lineup = plan.base.matchup.lineup
    for variant, paired in enumerate(part.paired if len(lineup) > 1 else [], 1):
        shares = [share_difference(plan, variant, paired, who) for who in range(len(lineup))]
        found += [_half_width(share.error, share.deals) for share in shares]
    return found


def _half_width(error: float, deals: int) -> float:
    return half_width(error * math.sqrt(deals), deals) if deals > 1 else math.inf


def precise_enough(plan: Plan, part: Part) -> bool:
    """Whether everything that is reported is known as well as was asked for."""
    wanted = plan.base.precision
    return wanted is not None and max(half_widths(plan, part), default=0.0) <= wanted / 100

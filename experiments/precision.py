"""When a run is precise enough to stop, by intervals that hold at all numbers of deals at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from simlab.contract import WHOLE_WIN
from simlab.experiments.sequences import half_width
from simlab.experiments.summary import Reading

if TYPE_CHECKING:
    from simlab.experiments.counting import Part
    from simlab.experiments.plans import Plan


def half_widths(plan: Plan, part: Part) -> list[float]:
    """Half-width of each win rate and each difference that is reported, as shares.

    One policy in every seat wins its share by symmetry, which no game makes surer; of such a
    table it is the win rates of the seats that are waited for.
    """
    from simlab.experiments.comparing import share_difference

    pairs = zip(plan.studies, part.counts, strict=True)
    readings = [Reading(study, count, always_valid=True) for study, count in pairs]
    found = [
        _half_width(share.error, share.deals)
        for reading in readings
        for share in reading.shares().values()
    ]
    base, place = readings[0], readings[0].share_place
    for variant, reading in enumerate(readings[1:], 1):
        if base.by_symmetry and reading.by_symmetry:
            continue
        both = zip(base.study.matchup.lineup, reading.study.matchup.lineup, strict=False)
        for who, _ in enumerate(both):
            if plan.paired:
                share = share_difference(plan, variant, part.paired[variant - 1], who)
                found.append(_half_width(share.error, share.deals))
            else:
                one, other = (each.policy(who, place, WHOLE_WIN) for each in (base, reading))
                error = math.hypot(one.error, other.error)
                found.append(_half_width(error, min(one.deals, other.deals)))
    return found


def _half_width(error: float, deals: int) -> float:
    return half_width(error * math.sqrt(deals), deals) if deals > 1 else math.inf


def precise_enough(plan: Plan, part: Part) -> bool:
    """Whether everything that is reported is known as well as was asked for."""
    wanted = plan.base.precision
    return wanted is not None and max(half_widths(plan, part), default=0.0) <= wanted / 100

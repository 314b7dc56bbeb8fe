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
    variants = []
    for study, count in zip(plan.studies, part.counts, strict=True):
        reading = Reading(study, count, always_valid=True)
        lineup = range(len(study.matchup.lineup))
        shares = [reading.policy(who, reading.share_place, WHOLE_WIN) for who in lineup]
        variants.append(shares if len(shares) > 1 else [])  # the rate of one alone is a fact
        found += [_half_width(share.error, share.deals) for share in variants[-1]]
    for variant, shares in enumerate(variants[1:], 1):
        for who in range(min(len(shares), len(variants[0]))):
            if plan.paired:
                share = share_difference(plan, variant, part.paired[variant - 1], who)
                found.append(_half_width(share.error, share.deals))
            else:
                base, other = variants[0][who], shares[who]
                error = math.hypot(base.error, other.error)
                found.append(_half_width(error, min(base.deals, other.deals)))
    return found


def _half_width(error: float, deals: int) -> float:
    return half_width(error * math.sqrt(deals), deals) if deals > 1 else math.inf


def precise_enough(plan: Plan, part: Part) -> bool:
    """Whether everything that is reported is known as well as was asked for."""
    wanted = plan.base.precision
    return wanted is not None and max(half_widths(plan, part), default=0.0) <= wanted / 100

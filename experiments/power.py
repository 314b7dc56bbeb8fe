"""How many games it takes, from the variance that a pilot run measures."""

from __future__ import annotations

import math
from typing import Any

from simlab.contract import WHOLE_WIN
from simlab.errors import UsageError
from simlab.experiments.comparing import Comparison
from simlab.experiments.results import Results
from simlab.experiments.tests_of_difference import deals_to_see

POWER = 0.8
ALPHA = 0.05


def power_rows(pilot: Results, difference: float, power: float = POWER) -> list[dict[str, Any]]:
    """Deals and games to see a difference, for everything that the pilot compares.

    Parameters
    ----------
    pilot : Results
        Of a run (differences between policies at one table, and of each from the fair share) or
        of a comparison (differences of each policy from the baseline).
    difference : float
        In points of win rate.
    power : float
        Chance to find a difference that is there, at a two-sided level of 5 %.

    Returns
    -------
    list of dict
        ``of, difference, power, sd, deals, games``; ``sd`` is the deviation over deals of the
        compared share, in points.
    """
    check_power(difference, power)
    compared = _of_comparison(pilot) if isinstance(pilot, Comparison) else _of_run(pilot)
    rows = []
    for of, error, deals, rotations in compared:
        if not math.isfinite(error):
            games = pilot.played.count.games
            raise UsageError(f"a pilot of {games} games measures no variance; play more")
        sd = error * math.sqrt(deals)
        needed = deals_to_see(difference / 100, sd, ALPHA, power)
        row = {"of": of, "difference": difference, "power": power, "sd": 100 * sd}
        rows.append({**row, "deals": needed, "games": needed * rotations})
    return rows


def check_power(difference: float, power: float) -> None:
    """Raise `UsageError` unless both are what they should be."""
    if not 0 < difference < 100:
        raise UsageError(f"difference is in points, over 0 and under 100, got {difference}")
    if not 0 < power < 1:
        raise UsageError(f"power is a chance, over 0 and under 1, got {power}")


def _of_run(pilot: Results) -> list[tuple[str, float, int, int]]:
    lineup, reading = pilot.study.matchup.lineup, pilot.reading
    rotations, deals = len(pilot.study.seatings), pilot.played.count.deals
    found = []
    for who, policy in enumerate(lineup if len(lineup) > 1 else ()):
        share = reading.policy(who, reading.share_place, WHOLE_WIN)
        found.append((f"{policy.text} from the fair share", share.error, deals, rotations))
    for i in range(len(lineup)):
        for j in range(i + 1, len(lineup)):
            error = pilot.difference(i, j).error
            found.append((f"{lineup[i].text} from {lineup[j].text}", error, deals, rotations))
    return found


def _of_comparison(pilot: Comparison) -> list[tuple[str, float, int, int]]:
    from simlab.experiments.comparing import in_words

    found = []
    for variant in range(1, len(pilot.plan.studies)):
        study = pilot.plan.studies[variant]
        label = in_words(pilot.setting(study))
        rotations = max(len(pilot.plan.base.seatings), len(study.seatings))
        both = zip(
            pilot.plan.base.matchup.lineup, pilot.plan.studies[variant].matchup.lineup, strict=False
        )
        for who, (policy, _) in enumerate(both):
            estimate = pilot.share_difference(variant, who)
            found.append((f"{policy.text}, {label}", estimate.error, estimate.deals, rotations))
    return found

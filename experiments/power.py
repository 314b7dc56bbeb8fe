"""How many games it takes, from the variance that a pilot run measures."""

from __future__ import annotations

import math
from typing import Any

from simlab.errors import UsageError, counted, in_full
from simlab.experiments.comparing import Comparison
from simlab.experiments.plans import Plan
from simlab.experiments.results import Results
from simlab.experiments.tests_of_difference import deals_to_see

POWER = 0.8
ALPHA = 0.05
"""The level of a single comparison: chance to see a difference where there is none."""
LEAST_DIFFERENCE = 1e-5
"""Points. Less takes more games than a study may have, 10**15."""


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
        ``of, difference, power, level, sd, deals, games``; ``sd`` is the deviation over deals of
        the compared share, in points. With one policy in every seat of a run it is the seats
        whose win rates are told from the fair share.

    Raises
    ------
    UsageError
        If the difference or the power is out of bounds, nothing that could differ is compared,
        or the pilot is too small.
    """
    check_power(difference, power)
    check_compares(pilot.played.plan)
    compared = _of_comparison(pilot) if isinstance(pilot, Comparison) else _of_run(pilot)
    rows = []
    for of, error, deals, rotations in compared:
        if not math.isfinite(error):
            games = counted(pilot.played.count.games, "game")
            raise UsageError(f"a pilot of {games} measures no variance; play more with --pilot")
        sd = error * math.sqrt(deals)
        needed = deals_to_see(difference / 100, sd, ALPHA, power)
        row = {"of": of, "difference": difference, "power": power, "level": ALPHA, "sd": 100 * sd}
        rows.append({**row, "deals": needed, "games": needed * rotations})
    return rows


def check_power(difference: float, power: float) -> None:
    """Raise `UsageError` unless both are what they should be."""
    if not LEAST_DIFFERENCE <= difference < 100:
        raise UsageError(
            f"difference is in points of win rate, from {in_full(LEAST_DIFFERENCE)} (less takes "
            f"more games than the 1e15 of a study) to under 100, got {difference}"
        )
    if not ALPHA < power < 1:
        raise UsageError(
            f"power is a chance, over {ALPHA} (that often chance alone shows a difference) and "
            f"under 1, got {power}"
        )


def check_compares(plan: Plan) -> None:
    """Raise `UsageError` if a comparison has nothing whose win rate could differ."""
    base, *others = [study.matchup.lineup for study in plan.studies]
    if others and len(base) == 1 and all(len(lineup) == 1 for lineup in others):
        raise UsageError(
            f"{base[0].text} holds every seat, so its win rate is fixed by symmetry under every "
            "value and no number of games shows a difference; seat two policies or more"
        )


def _of_run(pilot: Results) -> list[tuple[str, float, int, int]]:
    lineup, reading = pilot.study.matchup.lineup, pilot.reading
    rotations, deals = len(pilot.study.seatings), pilot.played.count.deals
    found = []
    for name, share in reading.shares().items():
        found.append((f"{name} from the fair share", share.error, deals, rotations))
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
        if pilot.by_symmetry(variant):
            continue
        label = in_words(pilot.setting(study))
        rotations = max(len(pilot.plan.base.seatings), len(study.seatings))
        both = zip(
            pilot.plan.base.matchup.lineup, pilot.plan.studies[variant].matchup.lineup, strict=False
        )
        for who, (policy, _) in enumerate(both):
            estimate = pilot.share_difference(variant, who)
            found.append((f"{policy.text}, {label}", estimate.error, estimate.deals, rotations))
    return found

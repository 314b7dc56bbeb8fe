"""What the game theory of a tournament says, in plain sentences that its resamples support."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simlab.experiments.metagame.dominance import rings_of, shortest_ring
from simlab.experiments.metagame.resampling import MetaResult, interval
from simlab.experiments.metagame.tables import Flags, Floats

SURE = 0.95
"""Share of resamples that a sentence needs."""
MOST_NAMES = 8
"""Names in a list before the rest is counted."""


def verdict(result: MetaResult) -> list[str]:
    """Say what a tournament has shown; nothing that fewer than 95 % of resamples support.

    Parameters
    ----------
    result : MetaResult

    Returns
    -------
    list of str
        The most important first. After a table of several policies with a single deal: only
        that there is no telling, as one deal does not show its own error.
    """
    if len(result.policies) == 1:
        return [f"{result.policies[0]} is alone: there is nothing to compare it with"]
    single = result.game.single_deals
    if single:
        where = f"the table {single[0]}" if len(single) == 1 else f"{len(single)} tables"
        return [
            f"the data cannot tell anything: {where} had a single deal, which does not show "
            "its own error; play more deals"
        ]
    said = [*_dominance(result), *_cycle(result), *_safety(result)]
    return [*said, *_equilibrium(result), *_first(result), *_variety(result)]


def sure(count: float, draws: int) -> bool:
    """Whether so many of the resamples are enough for a claim."""
    return count >= SURE * draws - 1e-9


def in_resamples(result: MetaResult, count: float) -> str:
    """Write how many resamples support a claim, rounded down; nothing when all is known."""
    if result.game.deals is None and not result.game.spread.any():
        return ""
    percent = int(100 * count / result.draws + 1e-9)
    return f" (in {percent} % of resamples)"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Write names as a list: "a, b and c"."""
    shown = list(names)
    if len(shown) > MOST_NAMES:
        shown = [*shown[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1} more"]
    if len(shown) == 1:
        return shown[0]
    return f"{', '.join(shown[:-1])} {last} {shown[-1]}"


def _named(result: MetaResult, flags: Flags) -> list[str]:
    return [name for name, flag in zip(result.policies, flags, strict=True) if flag]


def _sure_ones(result: MetaResult, draws: Flags | Floats) -> Flags:
    return np.array([sure(float(count), result.draws) for count in draws.sum(axis=0)])


def _dominance(result: MetaResult) -> list[str]:
    dominant = _sure_ones(result, result.dominant)
    if not dominant.any():
        return [words for place in range(len(result.policies)) for words in _beaten(result, place)]
    place = int(dominant.argmax())
    return [
        f"{result.policies[place]} is dominant: whatever the others play, it does best"
        f"{in_resamples(result, int(result.dominant[:, place].sum()))}"
    ]


def _beaten(result: MetaResult, place: int) -> list[str]:
    """Say that a policy is always worse than another, the one of which it is surest."""
    counts = result.better[:, :, place].sum(axis=0)
    over = int(counts.argmax())
    if not sure(int(counts[over]), result.draws):
        return []
    return [
        f"{result.policies[place]} is dominated: whatever the others play, "
        f"{result.policies[over]} does better{in_resamples(result, int(counts[over]))}"
    ]


def _cycle(result: MetaResult) -> list[str]:
    """Say which policies beat each other in a ring, if each step of it is there in one go."""
    often = result.ahead.sum(axis=0)
    firm = np.vectorize(lambda count: sure(int(count), result.draws), otypes=[bool])(often)
    said = []
    for part in rings_of(firm):
        ring = shortest_ring(firm, part)
        steps = result.ahead[:, ring, [*ring[1:], ring[0]]].all(axis=1)
        if sure(int(steps.sum()), result.draws):
            names = [result.policies[place] for place in ring]
            order = ", ".join([*names, names[0]])
            said.append(
                f"{listed(names)} beat each other in a cycle: each of {order} beats the next"
                f"{in_resamples(result, int(steps.sum()))}"
            )
    return said


def _safety(result: MetaResult) -> list[str]:
    """Say what happens when all play one policy, unless one is dominant."""
    if _sure_ones(result, result.dominant).any():
        return []
    none = int((~result.safe.any(axis=1)).sum())
    if _each_surely_invaded(result) and sure(none, result.draws):
        return [
            "no policy is safe to play alone: whichever one all play, another gains on it"
            f"{in_resamples(result, none)}"
        ]
    safe = _sure_ones(result, result.safe)
    count = int(result.safe[:, safe].all(axis=1).sum())
    names = _named(result, safe)
    if not names or not sure(count, result.draws):
        return []
    if len(names) == 1:
        words = f"{names[0]} is safe to play alone: when all play it, nobody gains by another"
    else:
        words = (
            f"{listed(names)} are each safe once all play it: where players end depends on "
            "where they begin"
        )
    return [words + in_resamples(result, count)]


def _each_surely_invaded(result: MetaResult) -> bool:
    """Whether each policy has one that surely gains on it.

    That some one or other gains is no evidence: of many policies that are equally good, one
    always does in a sample.
    """
    most = result.invaded.sum(axis=0).max(axis=1)
    return all(sure(int(count), result.draws) for count in most)


def _equilibrium(result: MetaResult) -> list[str]:
    """Say who belongs to the mix of clever players, who does not, and where there's no telling."""
    used = result.in_mix
    inside, outside = _sure_ones(result, used), _sure_ones(result, ~used)
    alone = int((used == inside).all(axis=1).sum())
    if inside.sum() == 1 and sure(alone, result.draws):
        return [f"clever players all play {_named(result, inside)[0]}{in_resamples(result, alone)}"]
    said = [
        *_jointly(result, used, inside, "clever players use"),
        *_jointly(result, ~used, outside, "clever players leave out"),
    ]
    unsure = _named(result, ~(inside | outside))
    if unsure:
        said.append(f"the data cannot tell whether clever players use {listed(unsure, 'or')}")
    return said


def _jointly(result: MetaResult, draws: Flags, which: Flags, words: str) -> list[str]:
    """Say something of several policies if it holds of all of them in the same resamples."""
    count = int(draws[:, which].all(axis=1).sum())
    if not which.any() or not sure(count, result.draws):
        return []
    return [f"{words} {listed(_named(result, which))}{in_resamples(result, count)}"]


def _first(result: MetaResult) -> list[str]:
    """Say who ranks first by alpha-rank, or between which the data cannot tell."""
    parts = result.top.sum(axis=0)
    order = np.argsort(-parts, kind="stable")
    needed = 1 + int(np.argmax(np.cumsum(parts[order]) >= SURE * result.draws - 1e-9))
    names = [result.policies[place] for place in order[:needed]]
    if len(names) == 1:
        count = float(parts[order[0]])
        return [f"{names[0]} ranks first by alpha-rank{in_resamples(result, count)}"]
    if in_resamples(result, 0) == "":
        return [f"{listed(names)} share the first place by alpha-rank"]
    return [f"the data cannot tell which of {listed(names, 'or')} ranks first by alpha-rank"]


def _variety(result: MetaResult) -> list[str]:
    low, high = interval(result.variety)
    return [
        f"effective number of strategies at the equilibrium: {result.equilibria[0].variety:.1f} "
        f"(95 %: {low:.1f} to {high:.1f})"
    ]

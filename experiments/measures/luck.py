"""Luck and skill: which part of who wins comes from strategy, seat, deal and fresh luck."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.errors import UsageError
from simlab.experiments.measures.games import Games, Measure, jackknifed

if TYPE_CHECKING:
    import pandas as pd

DUERSCH = "after Duersch, Lambrecht, Oechssler 2020"
LEADING = 1.6448536269514722
"""Deviations that a leader must be ahead to lead with a chance of 95 %."""
PARTS = ("strategy", "seat", "deal", "matching", "luck")


def split_of_luck(table: pd.DataFrame, again: pd.DataFrame) -> list[Measure]:
    """Split the variance of win shares over its sources.

    Parameters
    ----------
    table, again : pandas.DataFrame
        Outcome tables of the same deals in the same seatings, each deal in several rotations,
        the second with fresh policy luck.

    Returns
    -------
    list of Measure
        Shares of the variance, summing to one: ``strategy`` and ``seat`` (main effects),
        ``deal`` (what a seat is dealt, whoever sits there), ``matching`` (how these strategies
        meet in this deal, the same with fresh luck) and ``luck`` (what is new when the players'
        own luck is). A part that the data show to be nothing may come out a little negative.

    Raises
    ------
    UsageError
        If the two tables are not of the same games, or each deal has a single game.
    """
    one, other = Games.of(table), Games.of(again)
    if one.policy.shape != other.policy.shape or (one.policy != other.policy).any():
        raise UsageError("the two tables are not of the same deals in the same seatings")
    turns = len(one.deal) // one.deals
    if turns < 2:
        raise UsageError("luck is split by deals that are played in several seatings")
    order = np.argsort(one.deal, kind="stable")

    def shares(weights: Any) -> list[float]:
        return _split(one, other, weights, order, turns)

    values = jackknifed(one, shares)
    words = {
        "strategy": "which strategy it is",
        "seat": "which seat it has",
        "deal": "what the seat is dealt, whoever sits there",
        "matching": "how these strategies meet in this deal",
        "luck": "the players' own fresh luck",
    }
    return [
        Measure(
            part, *value, one.deals, "share", f"variance of who wins from: {words[part]}", DUERSCH
        )
        for part, value in zip(PARTS, values, strict=True)
    ]


def _split(one: Games, other: Games, weights: Any, order: Any, turns: int) -> list[float]:
    """Shares of the variance by the method of moments, for games of these weights."""
    kept = weights > 0
    both = np.concatenate([one.share[kept], other.share[kept]])
    policy = np.concatenate([one.policy[kept]] * 2)
    total = float(both.var())
    if total == 0:
        return [math.nan] * len(PARTS)
    mean = both.mean()
    count = np.bincount(policy.ravel())
    by_policy = np.bincount(policy.ravel(), both.ravel()) / np.where(count, count, 1)
    strategy = float(np.average((by_policy - mean) ** 2, weights=count))
    by_seat = both.mean(axis=0)
    seat = float(((by_seat - mean) ** 2).mean())
    rest = [g.share - by_policy[g.policy] - by_seat + mean for g in (one, other)]
    first, second = (part[order][kept[order]].reshape(-1, turns, one.players) for part in rest)
    # Different seatings of a deal share only what the seat was dealt.
    sums, squares = first.sum(axis=1), (first**2).sum(axis=1)
    deal = float(((sums**2 - squares) / (turns * (turns - 1))).mean())
    # The same seating with fresh luck shares that, and how the strategies meet.
    same = float((first * second).mean())
    parts = [strategy, seat, deal, same - deal]
    return [part / total for part in (*parts, total - sum(parts))]


def best_of(table: pd.DataFrame, better: str, other: str) -> Measure:
    """Games until the better of two strategies leads with a chance of 95 %.

    By the normal approximation ``(1.645 sd / mean) ** 2`` of the difference of their win shares
    in a game; infinite where the other one is ahead.
    """
    games = Games.of(table)
    places = {name: n for n, name in enumerate(games.policies)}
    for name in (better, other):
        if name not in places:
            raise UsageError(f"{name} is not at this table")
    shares = []
    for name in (better, other):
        held = games.policy == places[name]
        shares.append((games.share * held).sum(axis=1) / np.maximum(held.sum(axis=1), 1))
    apart = shares[0] - shares[1]
    found, spread = games.mean(apart), float(apart.std())

    def needed(mean: float) -> float:
        return (LEADING * spread / mean) ** 2 if mean > 0 else math.inf

    low, high = found.mean - 1.96 * found.error, found.mean + 1.96 * found.error
    words = f"games until {better} leads {other} with a chance of 95 %"
    return Measure(
        "best of", needed(found.mean), needed(high), needed(low), games.deals, "games", words
    )

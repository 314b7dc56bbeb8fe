"""Seats, endings, leads, drama, decidedness, catching up, choice and length.

Sources: C. Browne, "Automatic Generation and Evaluation of Recombination Games" (PhD thesis,
2008), for drama, lead changes and decisiveness; E. F. Mangeli de Brito, "An Aesthetic Metric for
Multiplayer Turn-based Games" (2016), for their forms with more than two players; the concepts of
Ludii; G. S. Elias, R. Garfield, K. R. Gutschera, "Characteristics of Games" (MIT Press, 2012).
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.experiments.intervals import mean_interval
from simlab.experiments.measures.games import Games, Measure, jackknifed

if TYPE_CHECKING:
    import pandas as pd

BROWNE = "Browne 2008"
LUDII = "Ludii's concepts"
ELIAS = "Elias, Garfield, Gutschera 2012"
MANGELI = "Browne 2008, Mangeli 2016"
CLOSE = 3
"""Points within which an ending is called close."""
DECIDED = 0.8
"""Win share of the leader from which a game is called decided."""


def seat_effect(games: Games) -> list[Measure]:
    """How much the seat matters: by seat, the largest difference, and Cramér's V."""
    found = []
    for seat in range(games.players):
        share = games.mean(games.share[:, seat])
        words = f"win share of seat {seat} (0 starts)"
        found.append(games.measure(f"seat {seat}", share, "share", words))
    best, worst = int(games.share.mean(0).argmax()), int(games.share.mean(0).argmin())
    apart = games.mean(games.share[:, best] - games.share[:, worst])
    # The two were chosen for being the farthest apart, among so many pairs.
    pairs = max(1, len(list(combinations(range(games.players), 2))))
    ends = mean_interval(apart, 1 - 0.05 / pairs) if apart.deals > 1 else (math.nan, math.nan)
    words = "largest win share of a seat minus the smallest (corrected for the choice of the pair)"
    found.append(Measure("seat spread", apart.mean, *ends, games.deals, "share", words))
    fair = 1 / games.players
    v = math.sqrt(float(((games.share.mean(0) - fair) ** 2 / fair).sum()) / (games.players - 1))
    words = "Cramér's V of winner by seat: 0 no effect, 1 the seat decides"
    found.append(Measure("Cramér's V", v, math.nan, math.nan, games.deals, "number", words))
    return found


def closeness(games: Games, close: float = CLOSE) -> list[Measure]:
    """How tight endings are."""
    ordered = -np.sort(-games.points, axis=1)
    margin = ordered[:, 0] - ordered[:, 1]
    spread = float(games.points.std()) or math.nan
    near = (margin <= close).astype(float)
    words = "points of the winner minus those of the next"
    found = [games.measure("margin", games.mean(margin), "points", words)]
    words = f"games won by at most {close:g} points"
    found.append(games.measure("close endings", games.mean(near), "share", words))
    words = "margin in standard deviations of the final points"
    found.append(games.measure("relative margin", games.mean(margin / spread), "sd", words))
    return found


def ties(games: Games) -> list[Measure]:
    """How often nobody wins alone, and how often only the tie-break decides."""
    shared = (games.share.max(axis=1) < 1).astype(float)
    ordered = -np.sort(-games.points, axis=1)
    broken = ((ordered[:, 0] == ordered[:, 1]) & (shared == 0)).astype(float)
    words = "games with more than one winner"
    found = [games.measure("shared wins", games.mean(shared), "share", words, LUDII)]
    words = "games that the tie-break decides"
    found.append(games.measure("tie-breaks", games.mean(broken), "share", words))
    return found


def leads(games: Games) -> list[Measure]:
    """How often the lead moves, and how often it never does."""
    found = []
    if "lead_changes" in games.columns:
        changes = games.mean(games.by_game("lead_changes"))
        words = "checkpoints after which others lead than before"
        found.append(games.measure("lead changes", changes, "number", words, BROWNE))
    if games.after.shape[2]:
        ahead = games.after == games.after.max(axis=1, keepdims=True)
        alone = ahead & (ahead.sum(axis=1, keepdims=True) == 1)
        won = (alone.all(axis=2) * games.share).sum(axis=1)
        words = "games whose only leader after the first checkpoint leads after each and wins"
        found.append(games.measure("wire to wire", games.mean(won), "share", words))
    return found


def drama(games: Games) -> list[Measure]:
    """How far back winners come from; shared wins count by their share."""
    rounds = games.after.shape[2]
    if rounds < 2:
        return []
    spread = games.after.std(axis=(0, 1))
    spread[spread == 0] = math.inf
    behind = (games.after.max(axis=1, keepdims=True) - games.after)[:, :, :-1]
    behind = behind / spread[:-1]
    weight = games.share[:, :, None] * (behind > 0)
    times = weight.sum(axis=(1, 2))
    deficit = games.ratio((weight * behind).sum(axis=(1, 2)), times)
    root = games.ratio((weight * np.sqrt(behind)).sum(axis=(1, 2)), times)
    words = "mean deficit of the winner where it trails, in deviations of the points then"
    found = [games.measure("deficit", deficit, "sd", words, MANGELI)]
    words = "mean root of that deficit"
    found.append(games.measure("drama (root form)", root, "sd", words, BROWNE))
    if "winner_worst_place" in games.columns:
        worst = games.mean(games.by_game("winner_worst_place"))
        words = "worst place of the winner after any checkpoint (1 is the lead)"
        found.append(games.measure("winner's worst place", worst, "places", words))
    half = games.after[:, :, (rounds + 1) // 2 - 1]
    last = (half == half.min(axis=1, keepdims=True)) & (half < half.max(axis=1, keepdims=True))
    words = "games won from last place at half time"
    back = games.mean((last * games.share).sum(axis=1))
    found.append(games.measure("comebacks", back, "share", words))
    return found


def decidedness(games: Games) -> list[Measure]:
    """How well the lead after each checkpoint tells the winner."""
    found, decided = [], math.nan
    rounds, players = games.after.shape[2], games.players
    for place in range(rounds):
        points = games.after[:, :, place]
        ahead = (points == points.max(axis=1, keepdims=True)).astype(float)
        ahead /= ahead.sum(axis=1, keepdims=True)
        won = games.mean((ahead * games.share).sum(axis=1))
        words = f"win share of who leads after checkpoint {place + 1}"
        found.append(games.measure(f"leader after {place + 1}", won, "share", words))
        if math.isnan(decided) and won.mean > DECIDED:
            decided = float(place + 1)
        if place == (rounds + 1) // 2 - 1:
            found.append(_brier(games, ahead, won.mean, place + 1, players))
    words = f"first checkpoint after which the leader wins in over {100 * DECIDED:.0f} %"
    nan = math.nan
    found.append(Measure("decided after", decided, nan, nan, games.deals, "number", words))
    return found


def _brier(games: Games, ahead: Any, won: float, place: int, players: int) -> Measure:
    """How much better than a fair share the lead foretells the winner: 0 not at all, 1 wholly."""
    rest = (1 - won) / max(1, players - 1)
    forecast = np.where(ahead > 0, won * ahead, rest)
    forecast /= forecast.sum(axis=1, keepdims=True)
    missed = ((games.share - forecast) ** 2).sum(axis=1)
    fair = ((games.share - 1 / players) ** 2).sum(axis=1)
    found = games.ratio(fair - missed, fair)
    words = f"Brier skill of the lead after checkpoint {place}: 0 tells nothing, 1 everything"
    return games.measure("foretold at half time", found, "number", words)


def catch_up(games: Games) -> list[Measure]:
    """Whether who is ahead at half time goes on to gain more (positive), or less (negative)."""
    rounds = games.after.shape[2]
    if rounds < 2:
        return []
    half = games.after[:, :, (rounds + 1) // 2 - 1]
    gained = games.after[:, :, -1] - half

    def correlation(weights: Any) -> list[float]:
        w = np.repeat(weights[:, None], games.players, axis=1)
        x, y = half - np.average(half, weights=w), gained - np.average(gained, weights=w)
        spread = math.sqrt(float((w * x * x).sum()) * float((w * y * y).sum()))
        return [float((w * x * y).sum()) / spread if spread else math.nan]

    value, low, high = jackknifed(games, correlation)[0]
    words = "correlation of a seat's points at half time with what it gains afterwards"
    return [Measure("catch-up", value, low, high, games.deals, "number", words, ELIAS)]


def length(games: Games) -> list[Measure]:
    """How long games are."""
    found = []
    for column, unit in (("decisions", "decisions"), ("checkpoints", "checkpoints")):
        if column in games.columns:
            words = f"{unit} a game"
            mean = games.mean(games.by_game(column))
            found.append(games.measure(column, mean, unit, words, LUDII))
    return found


def choice(trace: pd.DataFrame) -> list[Measure]:
    """How much there is to choose, from the traced decisions of some deals.

    Parameters
    ----------
    trace : pandas.DataFrame
        ``deal, legal_moves`` and more, a row a decision (`simlab.experiments.tracing.Trace`).
    """
    deals = trace["deal"].nunique()
    place = trace["deal"].factorize()[0]
    moves = trace["legal_moves"].to_numpy(float)
    rows = len(moves)
    empty = np.zeros((rows, 1))
    every = Games(
        place.astype(np.int64), empty.astype(np.int64), empty, empty, empty.astype(np.int64),
        np.zeros((rows, 1, 0)), {}, (),
    )  # fmt: skip
    words = "legal moves a decision"
    found = [every.measure("legal moves", every.mean(moves), "moves", words, LUDII)]
    low, middle, high = np.quantile(moves, [0.25, 0.5, 0.75])
    nan = math.nan
    for name, value in (("lower quartile", low), ("median", middle), ("upper quartile", high)):
        said = f"{name} of the legal moves a decision"
        found.append(Measure(f"legal moves, {name}", float(value), nan, nan, deals, "moves", said))
    single = every.mean((moves == 1).astype(float))
    words = "decisions with only one legal move"
    found.append(every.measure("forced moves", single, "share", words))
    return found


def summarise_play(table: pd.DataFrame, trace: pd.DataFrame | None = None) -> list[Measure]:
    """Every measure that any game has, from its outcome table and, for choice, a trace."""
    games = Games.of(table)
    parts = (seat_effect, closeness, ties, leads, drama, decidedness, catch_up, length)
    found = [measure for part in parts for measure in part(games)]
    if trace is not None and len(trace):
        found += choice(trace)
    return found

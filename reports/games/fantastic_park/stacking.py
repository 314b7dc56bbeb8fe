"""Laying tiles on top: who does it how often, and whether it pays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.experiments.intervals import Estimate
from simlab.experiments.measures import Games
from simlab.experiments.measures.ratios import error_of, ratio_of
from simlab.reports.document import Block, Column, Number, Section, Sentence, Table
from simlab.reports.findings import Findings
from simlab.reports.games.fantastic_park.varied import STACKING
from simlab.reports.sections.rules import SURE
from simlab.reports.sections.strategies import column_mean, ordered, policy_rate
from simlab.reports.wording import apart, difference, estimated, key_of, mean, rate

if TYPE_CHECKING:
    from simlab.experiments.comparing import Comparison
    from simlab.experiments.tournaments.results import TournamentResults

CAUTION = (
    "The table above tells what went together, not what came of what: who lays more on top than "
    "it usually does may do so because the park, its hand or its rivals make that worthwhile, or "
    "because it is behind."
)


def stacking(found: Findings) -> Section | None:
    """Who lays how many tiles on top, what goes with it, and what comes of it."""
    blocks: list[Block | Section] = []
    if found.main is not None:
        on_top = {row["policy"]: _stacked(found.main, row["policy"]) for row in ordered(found.main)}
        blocks += [_stacked_words(found.main, on_top), _stacked_table(found.main, on_top)]
    games = found.games("table-good")
    if games is not None:
        blocks += [_more_or_less(Games.of(games)), Sentence.of(CAUTION)]
    made = found.special_at(STACKING)
    if made is not None:
        results = made[1]
        last = len(results.numbers["variants"]) - 1
        blocks += [
            Sentence.of(
                "Here only planner's liking for laying on top differs (points that such a "
                "placement is worth to it), on the same deals and against the same rivals:"
            ),
            *(worth(results, place) for place in (0, last)),
            _likings(results),
        ]
    return Section("stacking", "Laying tiles on top", blocks) if blocks else None


def _stacked(results: TournamentResults, policy: str) -> Number:
    found = column_mean(results, results.policies.index(policy), "on_top")
    return estimated(key_of("stacking", policy, "on_top"), found, "number")


def _tiles_laid(results: TournamentResults) -> int:
    """Tiles that a seat lays in a game."""
    rules = results.played.tournament.base.matchup.rules[0]
    return int(rules["rounds"]) * (int(rules["hand"]) - 1)


def _stacked_words(results: TournamentResults, on_top: dict[str, Number]) -> Sentence:
    ranked = sorted(on_top.items(), key=lambda one: one[1].value or 0.0)
    (least, low), (most, high) = ranked[0], ranked[-1]
    laid = Number(key_of("stacking", "laid"), float(_tiles_laid(results)), None, "count")
    if not apart(low, high):
        return Sentence.of("Of ", laid, " tiles a seat lays ", low, " to ", high, " on top.")
    return Sentence.of(
        "Of ", laid, f" tiles a game {least} lays ", low, f" on top, {most} ", high, "."
    )


def _stacked_table(results: TournamentResults, on_top: dict[str, Number]) -> Table:
    """How many tiles each strategy lays on top, and how often it wins."""
    laid = _tiles_laid(results)
    rows: list[list[str | Number]] = []
    for row in ordered(results):
        policy = row["policy"]
        number = on_top[policy]
        ends = number.ci95 and (number.ci95[0] / laid, number.ci95[1] / laid)
        share = Number(
            key_of("stacking", policy, "share"),
            None if number.value is None else number.value / laid,
            ends,
            "share",
            number.deals,
        )
        rows.append([policy, number, share, policy_rate(results, row)])
    columns = [Column("strategy", True), Column("tiles laid on top"), Column("share of its tiles")]
    title = "How much each strategy lays on top, and what it wins"
    return Table("park-on-top", title, [*columns, Column("win rate")], rows)


def _more_or_less(games: Games) -> Table:
    """Win rates of games in which a strategy laid more on top than it usually does, and others."""
    on_top = games.columns["on_top"]
    rows: list[list[str | Number]] = []
    for who, policy in enumerate(games.policies):
        mine = games.policy == who
        usual = float(np.median(on_top[mine]))
        more, less = mine & (on_top > usual), mine & (on_top <= usual)
        key = ("stacking", policy)
        rows.append(
            [
                policy,
                Number(key_of(*key, "median"), usual, None, "number", digits=0),
                estimated(key_of(*key, "more"), games.ratio(*_won(games, more))),
                estimated(key_of(*key, "not-more"), games.ratio(*_won(games, less))),
                estimated(
                    key_of(*key, "difference"), _contrast(games, more, less), "points of win rate"
                ),
            ]
        )
    columns = [Column("strategy", True), Column("median of tiles on top")]
    columns += [Column("win rate where more"), Column("win rate where not more")]
    columns.append(Column("difference, points"))
    title = "A strategy's games with more tiles on top than its median, and its other games"
    return Table("park-more-on-top", title, columns, rows, "At the table of good players.")


def _won(games: Games, chosen: Any) -> tuple[Any, Any]:
    """Wins and number of the chosen seats, game by game."""
    return (games.share * chosen).sum(axis=1), chosen.sum(axis=1).astype(float)


def _contrast(games: Games, one: Any, other: Any) -> Estimate:
    """How much more the seats of one choice win than those of another; error over deals."""
    more, less = (
        ratio_of(*(np.bincount(games.deal, values, games.deals) for values in _won(games, chosen)))
        for chosen in (one, other)
    )
    if not (more.units and less.units):
        return Estimate(math.nan, math.nan, math.nan, games.deals)
    error = error_of(more.pulls - less.pulls, games.deals)
    return Estimate(more.value - less.value, math.nan, error, games.deals)


def _liking(results: Comparison) -> list[tuple[float, int]]:
    """Values of the liking with their places among the variants, ascending."""
    variants = results.numbers["variants"]
    return sorted((float(next(iter(one["value"].values()))), n) for n, one in enumerate(variants))


def _lays(results: Comparison, variant: int) -> Number:
    run = results.numbers["variants"][variant]["run"]
    value = next(iter(results.numbers["variants"][variant]["value"].values()))
    row = next(row for row in run["policies"] if row["policy"].startswith("planner"))
    return mean(key_of("liking", value, "on_top"), row["columns"]["on_top"], "number", run["deals"])


def _gain(results: Comparison, variant: int) -> dict[str, Any] | None:
    """Row of the difference of planner's win rate from the first value's; None for the first."""
    value = results.numbers["variants"][variant]["value"]
    for row in results.numbers["differences"]:
        named = row["measure"] == "win_rate" and (row["policy"] or "").startswith("planner")
        if named and row["value"] == value:
            return dict(row)
    return None


def worth(results: Comparison, place: int) -> Sentence:
    """What the least (first place) or the greatest liking (last place) does."""
    _, variant = _liking(results)[place]
    value = next(iter(results.numbers["variants"][variant]["value"].values()))
    which = "shuns" if float(value) < 0 else "seeks"
    row = _gain(results, variant)
    does = f"A planner that {which} laying on top ({value}) does so "
    opening: list[str | Number] = [does, _lays(results, variant)]
    opening += [" times a game instead of ", _lays(results, 0)]
    if row is None or row["p_holm"] > SURE:
        return Sentence.of(*opening, "; no change of its win rate is shown.")
    number = difference(key_of("liking", value, "win_rate"), row, "points of win rate")
    return Sentence.of(*opening, "; its win rate changes by ", number, " points.")


def _likings(results: Comparison) -> Table:
    rows: list[list[str | Number]] = []
    for _, variant in _liking(results):
        run = results.numbers["variants"][variant]["run"]
        value = next(iter(results.numbers["variants"][variant]["value"].values()))
        row = next(row for row in run["policies"] if row["policy"].startswith("planner"))
        gain = _gain(results, variant)
        line: list[str | Number] = [value, _lays(results, variant)]
        line.append(rate(key_of("liking", value, "rate"), row, run["deals"]))
        if gain is None:
            line += ["", ""]
        else:
            key = key_of("liking", value, "win_rate")
            line.append(difference(key, gain, "points of win rate"))
            line.append(Number(f"{key}.p", gain["p_holm"], None, "p"))
        rows.append(line)
    columns = [Column("liking (planner's top)", True), Column("tiles laid on top")]
    columns += [Column("win rate"), Column("difference, points"), Column("p (Holm)")]
    base = next(iter(results.numbers["baseline"].values()))
    title = f"Planner by its liking for laying on top; differences from {base}"
    return Table("park-liking", title, columns, rows)

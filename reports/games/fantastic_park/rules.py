"""How the tiles are split, how many rounds there are, and what a double counts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from simlab.experiments.comparing import in_words
from simlab.experiments.intervals import Estimate
from simlab.reports.document import Block, Column, Number, Section, Sentence, Table
from simlab.reports.findings import Findings
from simlab.reports.games.fantastic_park.varied import DOUBLES, ROUNDS, TILES
from simlab.reports.sections.rules import SURE, section_of
from simlab.reports.wording import (
    apart,
    difference,
    estimated,
    heading,
    key_of,
    listed,
    mean,
    rate,
    spelled,
)

if TYPE_CHECKING:
    from simlab.experiments.comparing import Comparison
    from simlab.experiments.summary import Reading

# --- What a rule does to scores -------------------------------------------------------------------

OF_A_SEAT = {
    "points": "points of a seat",
    "mixed_points": "from mixed tiles",
    "double_points": "from doubles",
    "unique_points": "for being alone",
    "on_top": "tiles laid on top",
}
OF_A_GAME = {
    "height": "height of the park",
    "area": "cells of the park",
    "shared_win": "shared wins",
}


def _over_seats(reading: Reading, key: str, column: str) -> Number:
    """Mean of a column over all seats of the table."""
    place = reading.study.game.all_seat_columns.index(column)
    parts = [reading.seat(seat, place) for seat in range(len(reading.study.matchup.policies))]
    value = sum(part.mean for part in parts) / len(parts)
    # Seats of a deal hang together; their mean errs no more than they do on average.
    error = sum(part.error for part in parts) / len(parts)
    return estimated(key, Estimate(value, math.nan, error, parts[0].deals), "number")


def _by_value(name: str, results: Comparison, column: str) -> list[tuple[str, Number]]:
    """Mean of a seat's column at each value."""
    found = []
    for variant, reading in zip(results.numbers["variants"], results.readings, strict=True):
        value = in_words(variant["value"])
        found.append((value, _over_seats(reading, key_of(name, value, column), column)))
    return found


def _scores(name: str, results: Comparison) -> Table:
    """What seats score, and how the park looks, at each value."""
    by_column = {column: dict(_by_value(name, results, column)) for column in OF_A_SEAT}
    rows: list[list[str | Number]] = []
    for variant in results.numbers["variants"]:
        value, run = in_words(variant["value"]), variant["run"]
        line: list[str | Number] = [value, *(by_column[column][value] for column in OF_A_SEAT)]
        for column in OF_A_GAME:
            unit: Any = "share" if column == "shared_win" else "number"
            cell = run["game_columns"][column]
            line.append(mean(key_of(name, value, column), cell, unit, run["deals"]))
        rows.append(line)
    columns = [Column("value", True)]
    columns += [Column(title) for title in (*OF_A_SEAT.values(), *OF_A_GAME.values())]
    title = "What a seat scores, and how the park looks at the end"
    note = (
        "A game, all tours together. Points from mixed tiles and from doubles are those that count "
        "whatever the others show; what is doubled for being alone stands apart."
    )
    return Table(f"park-{name}", title, columns, rows, note)


def least_and_most(what: str, numbers: list[tuple[str, Number]]) -> Sentence:
    """At which value something is least and most, if the data can tell."""
    ranked = sorted(numbers, key=lambda one: one[1].value or 0.0)
    (least, low), (most, high) = ranked[0], ranked[-1]
    if not apart(low, high):
        return Sentence.of(
            f"{what} from ", low, " to ", high, ", which the data cannot tell apart."
        )
    return Sentence.of(f"{what} ", low, f" with {least} and ", high, f" with {most}.")


# --- The box of tiles -----------------------------------------------------------------------------


SPLITS = (
    "A split is written as the copies of each mixed tile and of each double: all of them make 66 "
    "tiles with every animal on as many halves. The rules do not say which one is in the box; the "
    "first is our best guess, so what hangs on the split is not certain."
)


def tiles(found: Findings) -> Section | None:
    """More or fewer doubles in the box."""
    made = found.special_at(TILES)
    if made is None:
        return None
    part, results = made
    blocks: list[Block | Section] = [
        Sentence.of(SPLITS),
        by_split(found.standard.strongest, results),
        least_and_most(
            "For its doubles a seat scores", _by_value("tiles", results, "double_points")
        ),
        _scores("tiles", results),
        *section_of(part, results).blocks,
    ]
    return Section("tiles", "How the tiles are split", blocks)


def by_split(strongest: str, results: Comparison) -> Sentence:
    """At which split the strongest strategy wins least and most, if that is shown."""
    numbers = []
    for variant in results.numbers["variants"]:
        run = variant["run"]
        row = next(row for row in run["policies"] if row["policy"] == strongest)
        value = in_words(variant["value"])
        key = key_of("tiles", value, strongest, "win_rate")
        numbers.append((value, rate(key, row, run["deals"])))
    ranked = sorted(numbers, key=lambda one: one[1].value or 0.0)
    (even, low), (uneven, high) = ranked[0], ranked[-1]
    if not apart(low, high):
        return Sentence.of(
            f"No split of the tiles is shown to be more even: {strongest} wins from ",
            low,
            " to ",
            high,
            ".",
        )
    return Sentence.of(
        f"Of the splits of the tiles (mixed/doubles) {strongest} wins least with {even}, ",
        low,
        f", and most with {uneven}, ",
        high,
        ".",
    )


# --- Rounds ---------------------------------------------------------------------------------------


def rounds(found: Findings) -> Section | None:
    """Printed rounds against as many as the supply serves, where these differ."""
    made = found.special_at(ROUNDS)
    if made is None:
        return None
    part, results = made
    players = len(results.study.matchup.policies)
    lengths = [
        f"{spelled(int(study.matchup.rules[0]['rounds']))} rounds" for study in results.plan.studies
    ]
    points = [number for _, number in _by_value("rounds", results, "points")]
    blocks: list[Block | Section] = [
        least_and_most("A seat scores", list(zip(lengths, points, strict=True))),
        _supply(results),
        _scores("rounds", results),
        *section_of(part, results).blocks,
    ]
    title = f"Printed rounds, or all that the supply serves, with {spelled(players)} players"
    return Section("rounds", title, blocks)


def _supply(results: Comparison) -> Table:
    """How far the tiles go: facts of the rules."""
    rows: list[list[str | Number]] = []
    for variant, study in zip(results.numbers["variants"], results.plan.studies, strict=True):
        value, rules = in_words(variant["value"]), study.matchup.rules[0]
        players, rounds = int(rules["players"]), int(rules["rounds"])
        placed = rounds * players * (int(rules["hand"]) - 1)
        facts = {
            "rounds": rounds,
            "placed": placed,
            "left": int(rules["tiles"]) - placed - players,
            "in-hands": players,
        }
        cells = [
            Number(key_of("supply", value, name), float(fact), None, "count")
            for name, fact in facts.items()
        ]
        rows.append([value, *cells])
    titles = ("rounds", "tiles placed", "left in the supply", "in hands at the end")
    columns = [Column("value", True), *(Column(title) for title in titles)]
    return Table("park-supply", "How far the tiles go", columns, rows)


# --- Doubles --------------------------------------------------------------------------------------


def doubles(found: Findings) -> Section | None:
    """How much a double counts that nobody else shows."""
    made = found.special_at(DOUBLES)
    if made is None:
        return None
    part, results = made
    texts = results.study.matchup.texts
    collector = "double-hunter" if "double-hunter" in texts else found.standard.strongest
    alone = [(f"x{name}", one) for name, one in _by_value("doubles", results, "unique_points")]
    blocks: list[Block | Section] = [
        changed(results, collector),
        least_and_most("For being alone with an animal a seat scores", alone),
        _scores("doubles", results),
        *section_of(part, results).blocks,
    ]
    title = f"{heading(part.title)}: {listed([name for name, _ in alone], 'or')}"
    return Section("doubles", title, blocks)


def changed(results: Comparison, policy: str) -> Sentence:
    """What the last factor instead of the first does to a policy's win rate."""
    rows = [
        row
        for row in results.numbers["differences"]
        if row["measure"] == "win_rate" and row["policy"] == policy
    ]
    value, base = in_words(rows[-1]["value"]), in_words(results.numbers["baseline"])
    opening = f"With x{value} instead of x{base} for a double that nobody else shows, "
    if rows[-1]["p_holm"] > SURE:
        return Sentence.of(f"{opening}no change of {policy}'s win rate is shown.")
    number = difference(key_of("doubles", "changed", policy), rows[-1], "points of win rate")
    return Sentence.of(f"{opening}the win rate of {policy} changes by ", number, " points.")

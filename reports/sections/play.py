"""Whether it plays well: tight, dramatic, decided late, a matter of skill, full of choice."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from simlab.experiments.figures.play import (
    margin_data,
    plot_decided,
    plot_margins,
)
from simlab.experiments.measures import (
    Measure,
    best_of,
    split_of_luck,
)
from simlab.reports.document import Block, Column, Figure, Number, Section, Sentence, Table
from simlab.reports.findings import Findings
from simlab.reports.sections.strategies import fair_share
from simlab.reports.wording import differs, key_of, measured, spelled

if TYPE_CHECKING:
    import pandas as pd

TABLES = {
    "table-good": "good players",
    "table-best": "the strongest alone",
    "table-random": "players who draw lots",
}
"""Tables that the measures are shown for: a game can be dramatic only for beginners."""


def play(found: Findings) -> Section | None:
    """Measures at several kinds of table, when the winner is decided, luck against skill."""
    measures = {name: found.measures(name) for name in TABLES if found.kept(name) is not None}
    if not measures:
        return None
    blocks: list[Block | Section] = []
    main = "table-good" if "table-good" in measures else next(iter(measures))
    blocks += _words(measures[main])
    blocks.append(_table(measures))
    games = found.games(main)
    assert games is not None
    blocks += _figures(main, games, measures[main])
    luck = _luck(found)
    return Section("play", "Does it play well", [*blocks, *([luck] if luck else [])])


def number_of(table: str, measure: Measure) -> Number:
    """A measure as a number of the report."""
    return measured(key_of("play", table, measure.name), measure)


def _named(measures: list[Measure]) -> dict[str, Measure]:
    return {one.name: one for one in measures}


def _words(measures: list[Measure]) -> list[Sentence]:
    by_name, said = _named(measures), []
    number = {name: number_of("table-good", one) for name, one in by_name.items()}
    if "close endings" in number:
        said.append(
            Sentence.of(
                "Among good players ",
                number["close endings"],
                " of games end within three points, the winner is ahead by ",
                number["margin"],
                " points on average.",
            )
        )
    if "comebacks" in number:
        said.append(
            Sentence.of(
                "Who is last at half time wins ",
                number["comebacks"],
                " of games; the winner's worst place was ",
                number["winner's worst place"],
                " on average.",
            )
        )
    if "catch-up" in number:
        said.append(_catch_up(number["catch-up"]))
    return said


def _catch_up(number: Number) -> Sentence:
    if not differs(number):
        said = "Being ahead at half time neither helps nor hinders what follows, as far as shown"
    elif (number.value or 0) > 0:
        said = "Who is ahead at half time goes on to gain more"
    else:
        said = "Who is ahead at half time gains less afterwards"
    return Sentence.of(f"{said} (correlation ", number, ").")


def _table(measures: dict[str, list[Measure]]) -> Table:
    names = list(dict.fromkeys(one.name for some in measures.values() for one in some))
    by_table = {table: _named(some) for table, some in measures.items()}
    columns = [Column("measure", True)] + [Column(TABLES[table]) for table in measures]
    columns.append(Column("what it is", True))
    rows: list[list[str | Number]] = []
    for name in names:
        line: list[str | Number] = [name]
        words = ""
        for table in measures:
            one = by_table[table].get(name)
            line.append(number_of(table, one) if one else "")
            words = words or (f"{one.definition}{_source(one)}" if one else "")
        rows.append([*line, words])
    title = "How it plays, at several kinds of table"
    return Table("play-measures", title, columns, rows, "Intervals are clustered by deal.")


def _source(measure: Measure) -> str:
    return f" ({measure.source})" if measure.source else ""


def _figures(table: str, games: pd.DataFrame, measures: list[Measure]) -> list[Figure]:
    def margins() -> Any:
        return plot_margins(margin_data(games))

    caption = "How far the winner is ahead at the end. The dark bars are endings within 3 points."
    found = [Figure("play-margins", caption, "A histogram of the winners' margins.", margins)]
    leaders = [one for one in measures if one.name.startswith("leader after ")]
    if leaders:
        players = int(games["seat"].max()) + 1

        def decided() -> Any:
            return plot_decided(leaders, 1 / players)

        caption = (
            "How often who leads after each checkpoint goes on to win, with 95 % intervals. Below "
            "the dashed line a leader wins less often than a seat at random."
        )
        alt = "A curve of the leader's win share by checkpoint."
        found.append(Figure("play-decided", caption, alt, decided))
    return found


def _luck(found: Findings) -> Section | None:
    """Luck against skill."""
    blocks: list[Block] = []
    skill = found.kept("table-skill")
    standard = found.standard
    if skill is not None:
        blocks.append(skill_words(found))
    one, other = found.games("table-good"), found.games("table-good-again")
    run = found.kept("table-good")
    if one is not None and other is not None and run is not None and len(run.study.seatings) > 1:
        rows: list[list[str | Number]] = [
            [part.name, measured(key_of("luck", part.name), part), part.definition]
            for part in split_of_luck(one, other)
        ]
        columns = [
            Column("part", True),
            Column("share of the variance"),
            Column("what it is", True),
        ]
        note = "Each deal in every seating, and again with fresh luck of the players."
        title = "Where the differences between winning and losing come from, at good players' table"
        blocks.append(Table("play-luck", title, columns, rows, note))
        second = next((p for p in standard.table if p != standard.strongest), None)
        if standard.strongest in standard.table and second is not None:
            blocks.append(_needed(one, standard.strongest, second))
    return Section("luck", "Luck against skill", blocks) if blocks else None


def skill_words(found: Findings) -> Sentence:
    """How often the strongest wins among players who draw lots."""
    skill, standard = found.kept("table-skill"), found.standard
    assert skill is not None
    row = next(r for r in skill.own_numbers["policies"] if r["policy"] == standard.strongest)
    low, high = row["ci95"]
    key = key_of("skill", standard.strongest)
    number = Number(key, row["win_rate"], (low, high), "share", skill.own_numbers["deals"])
    players = len(standard.table)
    return Sentence.of(
        f"Alone among {spelled(players - 1)} who draw lots, {standard.strongest} wins ",
        number,
        " of games; with luck alone it would be ",
        fair_share(players),
        ".",
    )


def _needed(games: pd.DataFrame, better: str, other: str) -> Sentence:
    found = best_of(games, better, other)
    if not math.isfinite(found.value):
        return Sentence.of(f"At this table {better} is not ahead of {other}.")
    number = measured(key_of("best-of", better, other), found)
    return Sentence.of(
        "It takes ", number, f" games until {better} leads {other} with a chance of 95 %."
    )

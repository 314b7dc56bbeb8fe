"""What the rules do: each rule varied on the same deals, and which of them moves what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from simlab.experiments.comparing import in_words
from simlab.experiments.figures.kinds import draw
from simlab.reports.document import Block, Column, Figure, Number, Section, Sentence, Table, Unit
from simlab.reports.findings import Findings
from simlab.reports.wording import difference, heading, key_of, listed

if TYPE_CHECKING:
    from simlab.experiments.comparing import Comparison
    from simlab.experiments.standard.parts import Compared

SURE = 0.05
GAME_MEASURES = ("lead_changes", "winner_worst_place", "decisions")
"""Measures of a whole game that every game has."""


def rules(found: Findings) -> Section | None:
    """A table and a figure for each rule, and which rule moves which measure most."""
    varied = [
        (part, results)
        for part, results in found.comparisons
        if part.sweep in found.standard.sweeps
    ]
    if not varied:
        return None
    blocks: list[Block | Section] = [
        Sentence.of(
            f"Each rule is varied alone, on the same deals, at a table of "
            f"{listed(list(found.standard.table))}. Changes that the data do not support "
            "(p over 0.05 after Holm's correction) are not called changes."
        ),
        sensitivity(found, varied),
    ]
    blocks += [section_of(part, results) for part, results in varied]
    return Section("rules", "What the rules do", blocks)


def section_of(part: Compared, results: Comparison) -> Section:
    """One rule: what changes, a table, a figure if a win rate changes."""
    assert part.sweep is not None
    name, base = part.name, in_words(results.numbers["baseline"])
    sure = _sure(results)
    blocks: list[Block] = [_words(part, results, sure), _table(part, results)]
    if sure:
        caption = (
            f"{heading(part.sweep.title)}: win rates of each strategy at each value, and below "
            f"them the differences from {base} on the same deals, with 95 % intervals."
        )
        alt = f"Win rates for {part.sweep.key} at {listed(list(part.sweep.values))}."
        blocks.append(Figure(name, caption, alt, lambda: draw("comparison", results)))
    return Section(name, heading(part.sweep.title), blocks)


def _sure(results: Comparison) -> list[dict[str, Any]]:
    rows = results.numbers["differences"]
    return [row for row in rows if row["measure"] == "win_rate" and row["p_holm"] <= SURE]


def _words(part: Compared, results: Comparison, sure: list[dict[str, Any]]) -> Sentence:
    if not sure:
        return Sentence.of("No win rate is shown to change.")
    row = max(sure, key=lambda row: abs(row["difference"]))
    value, policy = in_words(row["value"]), row["policy"]
    number = difference(key_of(part.name, value, policy, "win_rate"), row, "points of win rate")
    base = in_words(results.numbers["baseline"])
    return Sentence.of(
        f"The largest change: with {value} instead of {base}, the win rate of {policy} changes by ",
        number,
        " points.",
    )


def _measures(results: Comparison) -> list[str]:
    game = results.plan.base.game
    return [*GAME_MEASURES, *game.game_columns]


def _table(part: Compared, results: Comparison) -> Table:
    """Differences from the baseline: win rate of each policy, then measures of the game."""
    found = results.numbers["differences"]
    policies = list(dict.fromkeys(row["policy"] for row in found if row["policy"] is not None))
    measures = [name for name in _measures(results) if _moves(found, name)]
    columns = [Column("value", True)] + [Column(f"{name}, points") for name in policies]
    columns += [Column(name.replace("_", " ")) for name in measures]
    rows: list[list[str | Number]] = []
    for value in dict.fromkeys(in_words(row["value"]) for row in found):
        mine = [row for row in found if in_words(row["value"]) == value]
        line: list[str | Number] = [value]
        line += [
            _cell(part, mine, value, policy, "win_rate", "points of win rate")
            for policy in policies
        ]
        line += [_cell(part, mine, value, None, name, "number") for name in measures]
        rows.append(line)
    base = in_words(results.numbers["baseline"])
    title = f"{heading(part.title)}: differences from {base}"
    return Table(part.name, title, columns, rows, "Win rates in points; the others a game.")


def _moves(rows: list[dict[str, Any]], measure: str) -> bool:
    """Whether a measure is anywhere other than at the baseline, be it by chance."""
    return any(row["difference"] for row in rows if row["measure"] == measure)


def _cell(
    part: Compared,
    rows: list[dict[str, Any]],
    value: str,
    policy: str | None,
    measure: str,
    unit: Unit,
) -> Number | str:
    for row in rows:
        if row["policy"] == policy and row["measure"] == measure:
            return difference(key_of(part.name, value, policy or "game", measure), row, unit)
    return ""


def sensitivity(found: Findings, varied: list[tuple[Compared, Comparison]]) -> Table:
    """The largest supported change of each measure by each rule, in deviations of the measure."""
    rows: list[list[str | Number]] = []
    names = _measures(varied[0][1])
    for part, results in varied:
        assert part.sweep is not None
        line: list[str | Number] = [heading(part.title)]
        line += [_largest(part, results, name) for name in ("win_rate", *names)]
        rows.append(line)
    rows.sort(key=lambda row: -max(abs(c.value or 0) for c in row if isinstance(c, Number)))
    columns = [Column("rule", True), Column("a win rate, points")]
    columns += [Column(name.replace("_", " ")) for name in names]
    note = (
        "The largest change that the data support over the values tried (a dash where none is): "
        "of win rates in points, of the others in standard deviations of a single game."
    )
    return Table("rules-sensitivity", "Which rule moves what", columns, rows, note)


def _largest(part: Compared, results: Comparison, measure: str) -> Number:
    spread = 1.0
    if measure != "win_rate":
        mean = results.numbers["variants"][0]["run"]["game_columns"].get(measure)
        spread = (mean or {}).get("sd") or 1.0
    best = None
    for row in _rows(results, measure):
        if row["p_holm"] <= SURE and row["difference"] is not None:
            size = abs(row["difference"]) / spread
            if best is None or size > abs(best["difference"]) / spread:
                best = row
    key = key_of("sensitivity", part.name, measure)
    unit: Unit = "points of win rate" if measure == "win_rate" else "number"
    if best is None:
        return Number(key, None, None, unit)
    low, high = (end / spread for end in best["ci95"])
    return Number(key, best["difference"] / spread, (low, high), unit)


def _rows(results: Comparison, measure: str) -> Iterator[dict[str, Any]]:
    return (row for row in results.numbers["differences"] if row["measure"] == measure)

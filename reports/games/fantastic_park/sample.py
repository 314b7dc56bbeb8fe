"""A park from above, as one game of the study left it."""

from __future__ import annotations

import json
from typing import Any

from simlab.experiments.figures.park import park_data, plot_park
from simlab.reports.document import Column, Figure, Number, Section, Sentence, Table
from simlab.reports.findings import Findings
from simlab.reports.wording import key_of


def sample(found: Findings) -> Section | None:
    """The park of one game among good players, and its last tour."""
    run = found.kept("table-good")
    if run is None or run.folder is None:
        return None
    path = run.folder / "trace" / "records.jsonl"
    if not path.exists():
        return None
    with path.open(encoding="utf-8") as lines:
        record = json.loads(next(lines))
    park = park_data(record)
    number = {
        "cells": len(park),
        "covered": int((park["height"] > 1).sum()),
        "highest": int(park["height"].max()),
    }
    cells, covered, highest = (
        Number(key_of("sample", name), float(value), None, "count")
        for name, value in number.items()
    )
    words = Sentence.of(
        "Of ", cells, " cells ", covered, " were built over; the highest has ", highest, " tiles."
    )
    caption = (
        f"The park at the end of deal {record['deal']} of the table of good players, from above: "
        "the animal's letter, and the number of tiles that lie there; the higher a tile, the "
        "stronger its colour."
    )
    alt = "A grid of coloured cells, each with a letter for its animal and the height."
    figure = Figure("park-sample", caption, alt, lambda: plot_park(park))
    return Section("sample", "A park", [words, figure, _tours(record)])


def _tours(record: dict[str, Any]) -> Table:
    """What each seat showed last, and its final points."""
    last: dict[int, Any] = {e["seat"]: e for e in record["events"] if e["event"] == "tour"}
    rows: list[list[str | Number]] = []
    for seat, policy in enumerate(record["policies"]):
        shown, points = last[seat], record["result"]["points"][seat]
        groups = ", ".join(f"{animal} {size}" for animal, size in shown["groups"].items())
        one, other = shown["tile"]
        rows.append(
            [
                f"{seat}",
                policy,
                f"double {one}" if one == other else f"{one}-{other}",
                groups,
                Number(key_of("sample", seat, "tour"), shown["points"], None, "count"),
                Number(key_of("sample", seat, "points"), points, None, "count"),
            ]
        )
    columns = [Column("seat", True), Column("strategy", True), Column("tile shown last", True)]
    columns += [Column("its largest groups", True), Column("points of that tour")]
    columns.append(Column("final points"))
    return Table("park-tours", "The last tour of this game", columns, rows)

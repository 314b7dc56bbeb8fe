"""Reports to write in tests: with every kind of block, odd names, and numbers of every kind."""

from __future__ import annotations

from typing import Any

from simlab.experiments.figures.rates import plot_win_rates
from simlab.reports.document import (
    Column,
    Figure,
    Listing,
    Number,
    Report,
    Section,
    Sentence,
    Table,
)

HTML = "<script>alert('x')</script>"
LONG = "a-policy-whose-name-has-as-many-as-sixty-characters-in-all-x"
FORMULA = "=1+1"


def rate(key: str, value: float | None, half: float = 0.01) -> Number:
    ends = None if value is None else (value - half, value + half)
    return Number(key, value, ends, "share", 1000)


def a_figure(names: list[str]) -> Figure:
    def draw() -> Any:
        import pandas as pd

        rows = [
            {"policy": name, "place": n, "win_rate": 30.0 + n, "low": 29.0 + n, "high": 31.0 + n}
            for n, name in enumerate(names)
        ]
        return plot_win_rates(pd.DataFrame(rows).assign(fair=25.0))

    return Figure("rates", f"What to see: {HTML}", f"Dots of {len(names)} policies", draw)


def sample(policies: int = 3) -> Report:
    """A report with every kind of block; the first names are odd ones."""
    names = [HTML, LONG, FORMULA, *(f"policy-{n}" for n in range(policies))][:policies]
    rows: list[list[str | Number]] = [
        [
            name,
            rate(f"rate.{n}", 0.2 + 0.01 * n),
            Number(f"points.{n}", 1234.5678 + n, (1234.0, 1235.2)),
            Number(f"p.{n}", 0.0, None, "p"),
            Number(f"none.{n}", None),
        ]
        for n, name in enumerate(names)
    ]
    columns = [Column("strategy", True), Column("win rate"), Column("points"), Column("p")]
    table = Table("rates", f"Rates of {HTML}", [*columns, Column("nothing")], rows, "A note.")
    brief = Sentence.of(f"{HTML} wins ", rate("brief", 0.381, 0.002), " of games.")
    method = [
        Listing(["simlab run toy", HTML], code=True),
        Section("inner", "Inner", [Listing([f"one {HTML}", "two"])]),
    ]
    return Report(
        f"Report of {HTML}",
        "a sample",
        [
            Section("in-brief", "In brief", [brief]),
            Section("strategies", "Strategies", [table, a_figure(names)]),
            Section("method", "Method", method),
        ],
        [f"partial {HTML}"],
        {"game": "toy"},
    )

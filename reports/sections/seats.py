"""Seats: whether it matters where one sits, and whether the starter wins more."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simlab.experiments.figures.rates import plot_seats
from simlab.reports.document import Block, Column, Figure, Number, Section, Sentence, Table
from simlab.reports.findings import Findings
from simlab.reports.sections.strategies import fair_share, ordered
from simlab.reports.wording import against, differs, estimated, heading, key_of, rate, spelled

if TYPE_CHECKING:
    from simlab.experiments.tournaments.results import TournamentResults

MOST = 4
"""Decimals of a share at most."""


def seats(found: Findings) -> Section | None:
    """Win rates by seat at each number of players, and by strategy."""
    main = found.main
    if main is None:
        return None
    blocks: list[Block | Section] = [starter_words(n, one) for n, one in found.tournaments.items()]
    blocks += [_table(found), _figure(main), _by_strategy(main)]
    return Section("seats", "Seats", blocks)


def seat_rate(results: TournamentResults, seat: int) -> Number:
    """Win rate of a seat over all tables, by the design's weights."""
    players = results.played.tournament.players
    number = estimated(key_of("seats", players, seat), results.seat_rates[seat])
    # An interval that leaves out the fair share is printed so that this can be seen.
    while differs(number, 1 / players) and number.shown_digits < MOST and _meets(number, players):
        number = replace(number, digits=number.shown_digits + 1)
    return number


def _meets(number: Number, players: int) -> bool:
    """Whether one end of the interval, as it is printed, is the fair share."""
    assert number.ci95 is not None
    fair, *ends = (round(100 * value, number.shown_digits) for value in (1 / players, *number.ci95))
    return fair in ends


def starters_words(found: Findings) -> Sentence:
    """The starter's share at every number of players at which it is shown not to be fair.

    If it is shown at none, at the study's own number.
    """
    main = found.main
    assert main is not None
    shown = [
        _starts(players, one)
        for players, one in found.tournaments.items()
        if differs(seat_rate(one, 0), 1 / players)
    ] or [_starts(main.played.tournament.players, main)]
    return _sentence(shown)


def starter_words(players: int, results: TournamentResults) -> Sentence:
    """Whether the starter wins more or less than a fair share, or neither is shown."""
    return _sentence([_starts(players, results)])


def _starts(players: int, results: TournamentResults) -> list[str | Number]:
    """The starter's share beside the fair one: a part of a sentence."""
    starter, fair = seat_rate(results, 0), fair_share(players)
    words = f"with {spelled(players)} players, whoever starts wins "
    return [words, starter, against(starter, fair), fair]


def _sentence(said: list[list[str | Number]]) -> Sentence:
    """Parts of a sentence one after the other, the first with a capital."""
    parts = [part for one in said for part in ("; ", *one)][1:]
    return Sentence.of(heading(str(parts[0])), *parts[1:], ".")


def _table(found: Findings) -> Table:
    most = max(found.tournaments)
    columns = [Column("seat", True)] + [Column(f"{n} players") for n in found.tournaments]
    rows: list[list[str | Number]] = []
    for seat in range(most):
        line: list[str | Number] = [f"{seat}" + (" (starts)" if seat == 0 else "")]
        for players, one in found.tournaments.items():
            line.append(seat_rate(one, seat) if seat < players else "")
        rows.append(line)
    title = "Win rate of each seat, over all tables"
    return Table("seats-rates", title, columns, rows, "Seats are in the order of play.")


def _figure(main: TournamentResults) -> Figure:
    players = main.played.tournament.players

    def draw() -> Any:
        import pandas as pd

        rows = []
        for seat in range(players):
            number = seat_rate(main, seat)
            low, high = number.ci95 or (math.nan, math.nan)
            value = math.nan if number.value is None else number.value
            line = {"seat": seat, "win_rate": 100 * value, "low": 100 * low, "high": 100 * high}
            rows.append({**line, "fair": 100 / players})
        return plot_seats(pd.DataFrame(rows))

    caption = (
        f"Win rate of each seat at {players} players; bars are 95 % intervals. A seat whose bar "
        "misses the dashed line wins more or less than its share."
    )
    return Figure("seats-rates", caption, f"Dots of win rates of seats 0 to {players - 1}.", draw)


def _by_strategy(main: TournamentResults) -> Table:
    players = main.played.tournament.players
    columns = [Column("strategy", True)] + [Column(f"seat {seat}") for seat in range(players)]
    rows: list[list[str | Number]] = []
    for row in ordered(main):
        line: list[str | Number] = [row["policy"]]
        line += [rate(key_of("seats", row["policy"], s["seat"]), s) for s in row["seats"]]
        rows.append(line)
    title = f"Win rate of each strategy in each seat, {players} players"
    return Table("seats-strategies", title, columns, rows)

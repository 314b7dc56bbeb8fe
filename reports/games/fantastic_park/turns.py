"""Who starts rounds and who ends them: what the order of turns does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.experiments.measures import Games
from simlab.reports.document import Block, Column, Number, Section, Sentence, Table
from simlab.reports.findings import Findings
from simlab.reports.sections.seats import seat_rate
from simlab.reports.sections.strategies import fair_share
from simlab.reports.wording import differs, estimated, key_of, spelled

if TYPE_CHECKING:
    from simlab.experiments.tournaments.results import TournamentResults


def turns(found: Findings) -> Section | None:
    """What seats win by their turns, and what a place in the round is worth."""
    if not found.tournaments:
        return None
    blocks: list[Block | Section] = [closing_words(one) for one in found.tournaments.values()]
    blocks.append(_seats_table(found))
    games = found.games("table-best")
    if games is not None:
        read = Games.of(games)
        if read.after.shape[2]:
            blocks += [_order_words(found.standard.strongest, read), _order_table(read)]
    return Section("turns", "Who starts, who is last", blocks)


def closing_seat(players: int, rounds: int) -> int:
    """Seat that lays the last tile: the token goes on by a seat each round, from seat 0."""
    return (rounds - 2) % players


def closing_words(results: TournamentResults) -> Sentence:
    """Whether who lays the last tile of a game wins more or less than a fair share."""
    players = results.played.tournament.players
    fair = fair_share(players)
    seat = closing_seat(players, _rounds_of(results))
    number = _closing_rate(results, seat)
    if not differs(number, 1 / players):
        said = ", which the data cannot tell from a fair share of "
    elif (number.value or 0.0) > 1 / players:
        said = ", more than a fair share of "
    else:
        said = ", less than a fair share of "
    opening = (
        f"With {spelled(players)} players who lays the last tile of a game (seat {seat}) wins "
    )
    return Sentence.of(opening, number, said, fair, ".")


def _rounds_of(results: TournamentResults) -> int:
    return int(results.played.tournament.base.matchup.rules[0]["rounds"])


def _closing_rate(results: TournamentResults, seat: int) -> Number:
    key = key_of("turns", results.played.tournament.players, seat)
    return estimated(key, results.seat_rates[seat])


def _seats_table(found: Findings) -> Table:
    """How often each seat starts and ends rounds, and how often it wins."""
    rows: list[list[str | Number]] = []
    for players, results in found.tournaments.items():
        rounds = _rounds_of(results)
        closing = closing_seat(players, rounds)
        for seat in range(players):
            starts = sum(number % players == seat for number in range(rounds))
            ends = sum((number - 1) % players == seat for number in range(rounds))
            role = "lays the last tile" if seat == closing else ""
            name = (players, seat)
            rows.append(
                [
                    f"{spelled(players)} players, seat {seat}",
                    Number(key_of("turns", *name, "starts"), float(starts), None, "count"),
                    Number(key_of("turns", *name, "ends"), float(ends), None, "count"),
                    seat_rate(results, seat),
                    role,
                ]
            )
    columns = [Column("seat", True), Column("rounds started"), Column("rounds ended")]
    columns += [Column("win rate"), Column("", True)]
    title = "Turns of each seat, and what it wins"
    note = "Over all tables of the tournaments; the first player's token goes on each round."
    return Table("park-turns", title, columns, rows, note)


def _by_place(games: Games) -> Any:
    """Points of each tour by place in the round, who starts first; (games, rounds, places)."""
    gained = np.diff(games.after, axis=2, prepend=0.0)
    rounds, players = gained.shape[2], games.players
    order = [[(number + place) % players for place in range(players)] for number in range(rounds)]
    return np.stack([gained[:, order[number], number] for number in range(rounds)], axis=1)


def _order_words(policy: str, games: Games) -> Sentence:
    """What being last in a round brings, against starting it."""
    points = _by_place(games)
    ahead = games.mean((points[:, :, -1] - points[:, :, 0]).mean(axis=1))
    number = estimated(key_of("turns", "last-minus-first"), ahead, "number")
    if not differs(number):
        said = "the data cannot tell who starts a round from who is last in it: the last scores "
    elif (number.value or 0.0) > 0:
        said = "who is last in a round gains by it: the last scores "
    else:
        said = "who starts a round gains by it: the last scores "
    return Sentence.of(
        f"At a table of {policy} in every seat, {said}",
        number,
        " points more a tour than who starts (below zero: less).",
    )


def _order_table(games: Games) -> Table:
    points = _by_place(games)
    last = games.players - 1
    rows: list[list[str | Number]] = []
    for place in range(games.players):
        role = {0: " (starts)", last: " (last)"}.get(place, "")
        found = games.mean(points[:, :, place].mean(axis=1))
        rows.append(
            [f"{place + 1}{role}", estimated(key_of("turns", "place", place + 1), found, "number")]
        )
    columns = [Column("place in the round", True), Column("points of a tour")]
    title = "Points of a tour by place in the round, the strongest strategy in every seat"
    return Table("park-order", title, columns, rows)

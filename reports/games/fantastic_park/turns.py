"""Who starts rounds and who ends them: what the order of turns does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.experiments.measures import Games
from simlab.reports.document import Block, Column, Number, Section, Sentence, Table
from simlab.reports.findings import Findings
from simlab.reports.sections.seats import seat_rate
from simlab.reports.sections.strategies import fair_share
from simlab.reports.wording import against, differs, estimated, key_of, spelled

if TYPE_CHECKING:
    from simlab.experiments.tournaments.results import TournamentResults


def turns(found: Findings) -> Section | None:
    """What seats win by their turns, and what a place in the round is worth."""
    if not found.tournaments:
        return None
    blocks: list[Block | Section] = [last_words(one) for one in found.tournaments.values()]
    blocks.append(_seats_table(found))
    games = found.games("table-best")
    if games is not None:
        read = Games.of(games)
        if read.after.shape[2]:
            blocks += [_order_words(found.standard.strongest, read), _order_table(read)]
    return Section("turns", "Who starts, who is last", blocks)


def rounds_started(players: int, rounds: int) -> list[int]:
    """How many rounds each seat starts: the token goes on by a seat each round, from seat 0."""
    return [sum(number % players == seat for number in range(rounds)) for seat in range(players)]


def rounds_ended(players: int, rounds: int) -> list[int]:
    """How many rounds each seat is last in."""
    return [
        sum((number - 1) % players == seat for number in range(rounds)) for seat in range(players)
    ]


def last_words(results: TournamentResults) -> Sentence:
    """Whether the seat that ends the oddest number of rounds wins its fair share.

    Where all end as many, it is the seat that lays the last tile of the game.
    """
    players, rounds = results.played.tournament.players, _rounds_of(results)
    ended = rounds_ended(players, rounds)
    seat = max(range(players), key=lambda one: abs(ended[one] - rounds / players))
    even = len(set(ended)) == 1
    if even:
        seat = (rounds - 2) % players
    number = estimated(key_of("turns", players, "odd-seat"), results.seat_rates[seat])
    times = Number(key_of("turns", players, "odd-ends"), float(ended[seat]), None, "count")
    whole = Number(key_of("turns", players, "rounds"), float(rounds), None, "count")
    opening = f"With {spelled(players)} players " + ("every seat" if even else f"seat {seat}")
    who = f" rounds; who lays the last tile, seat {seat}, wins " if even else " rounds and wins "
    fair = fair_share(players)
    said: list[str | Number] = [f"{opening} is last in ", times, " of ", whole, who, number]
    return Sentence.of(*said, against(number, fair), fair, ".")


def _rounds_of(results: TournamentResults) -> int:
    return int(results.played.tournament.base.matchup.rules[0]["rounds"])


def _seats_table(found: Findings) -> Table:
    """How often each seat starts and ends rounds, and how often it wins."""
    rows: list[list[str | Number]] = []
    for players, results in found.tournaments.items():
        rounds = _rounds_of(results)
        started, ended = rounds_started(players, rounds), rounds_ended(players, rounds)
        for seat in range(players):
            counts = {"starts": started[seat], "ends": ended[seat]}
            cells = [
                Number(key_of("turns", players, seat, name), float(value), None, "count")
                for name, value in counts.items()
            ]
            name = f"{spelled(players)} players, seat {seat}"
            rows.append([name, *cells, seat_rate(results, seat)])
    columns = [Column("seat", True), Column("rounds started"), Column("rounds ended")]
    title = "Turns of each seat, and what it wins"
    note = "Over all tables of the tournaments; the first player's token goes on each round."
    return Table("park-turns", title, [*columns, Column("win rate")], rows, note)


def _by_place(games: Games) -> Any:
    """Points of each tour by place in the round, who starts first; (games, rounds, places)."""
    gained = np.diff(games.after, axis=2, prepend=0.0)
    rounds, players = gained.shape[2], games.players
    order = [[(number + place) % players for place in range(players)] for number in range(rounds)]
    return np.stack([gained[:, order[number], number] for number in range(rounds)], axis=1)


def _order_words(policy: str, games: Games) -> Sentence:
    """What being last in a round brings, against starting it."""
    points = _by_place(games)
    ahead = (points[:, :, -1] - points[:, :, 0]).mean(axis=1)
    sign = -1.0 if ahead.mean() < 0 else 1.0
    number = estimated(key_of("turns", "gain-of-a-place"), games.mean(sign * ahead), "number")
    table = f"At a table of {policy} in every seat"
    if not differs(number):
        return Sentence.of(
            f"{table} the data cannot tell who starts a round from who is last in it: their tours "
            "differ by ",
            number,
            " points.",
        )
    better, other = "who is last in a round", "who starts it"
    if sign < 0:
        better, other = "who starts a round", "who is last in it"
    return Sentence.of(f"{table} {better} scores ", number, f" points a tour more than {other}.")


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

"""Sums over games, in whole numbers, so that they merge in any order to the same last digit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.compiled import Record, record_type, rule
from simlab.contract import CHECKPOINTS

if TYPE_CHECKING:
    from simlab.contract import Game

IDENTIFIERS = 2
"""Leading columns of an outcome, deal and rotation, that name a game and are never summed."""

BINS = 512
"""Bins of one point each in the histogram of points; the last one holds all that is more."""


def pair_of(who: int, other: int) -> int:
    """Place of two policies of a line-up among its pairs, ``who < other``: 01, 02, 12, 03, ..."""
    return other * (other - 1) // 2 + who


def seat_width(game: Game) -> int:
    """Numbers in one seat's part of an outcome."""
    return len(game.all_seat_columns) + 1 + CHECKPOINTS


def totals_type(game: Game) -> np.dtype[Any]:
    """Dtype of the totals of a batch.

    ``who`` counts the policies of the line-up, ``seat`` the seats, ``column`` the numbers of a
    seat's (or the game's) part of an outcome. The squares of sums over one deal are what
    clustered errors come from.
    """
    seats, columns, game_columns = game.seats, seat_width(game), len(game.all_game_columns)
    pairs = pair_of(0, seats)
    return record_type(
        [
            ("deals", np.int64),
            ("games", np.int64),
            ("sums", np.int64, (seats, seats, columns)),  # by who and seat, over games
            ("squares", np.int64, (seats, seats, columns)),
            ("policy_deal_squares", np.int64, (seats, columns)),  # by who, over deals
            ("seat_deal_squares", np.int64, (seats, columns)),  # by seat, over deals
            # by who and whose rival, over deals: products of their sums of win share
            ("share_products", np.int64, (seats, seats)),
            # by who and whose rival, over games: 2 for each seat ahead of a rival's, 1 for a tie
            ("ahead", np.int64, (seats, seats)),
            # by two pairs of the line-up (see `pair_of`), over deals: products of what the first
            # of each pair has of such halves against the second
            ("ahead_products", np.int64, (pairs, pairs)),
            ("points_histogram", np.int64, (seats, BINS)),  # by who; the last bin is open
            ("game_sums", np.int64, (game_columns,)),
            ("game_squares", np.int64, (game_columns,)),
            ("game_deal_squares", np.int64, (game_columns,)),
        ]
    )


def scratch_fields(game: Game) -> list[tuple[Any, ...]]:
    """Fields in which `add_deal` adds up one deal."""
    columns = seat_width(game)
    return [
        ("by_policy", np.int64, (game.seats, columns)),
        ("by_pair", np.int64, (pair_of(0, game.seats),)),
        ("by_seat", np.int64, (game.seats, columns)),
        ("by_game", np.int64, (len(game.all_game_columns),)),
    ]


@rule
def add_deal(
    players: int,
    rotations: int,
    seatings: Record,
    flat: Record,
    row: int,
    scratch: Record,
    totals: Record,
) -> None:
    """Add all games of one deal to the totals, and leave the deal's own sums in the scratch."""
    for rotation in range(rotations):
        numbers, seating = flat[row + rotation], seatings[rotation]
        add_game(players, seating, numbers, scratch, totals)
        compare_seats(players, seating, numbers, scratch, totals)
    totals.deals += 1
    totals.games += rotations


@rule
def close_deal(players: int, seatings: Record, scratch: Record, totals: Record) -> None:
    """Square the sums of a deal, for errors between deals, and clear them for the next."""
    policies = 0
    for seat in range(players):
        policies = max(policies, 1 + seatings[0, seat])
    share = scratch.by_policy.shape[1] - CHECKPOINTS - 2
    for who in range(policies):
        for other in range(policies):
            product = scratch.by_policy[who, share] * scratch.by_policy[other, share]
            totals.share_products[who, other] += product
    pairs = policies * (policies - 1) // 2
    for pair in range(pairs):
        for another in range(pairs):
            product = scratch.by_pair[pair] * scratch.by_pair[another]
            totals.ahead_products[pair, another] += product
    for pair in range(pairs):
        scratch.by_pair[pair] = 0
    square_rows(policies, scratch.by_policy, totals.policy_deal_squares)
    square_rows(players, scratch.by_seat, totals.seat_deal_squares)
    for column in range(IDENTIFIERS, len(scratch.by_game)):
        value = scratch.by_game[column]
        totals.game_deal_squares[column] += value * value
        scratch.by_game[column] = 0


@rule
def add_game(
    players: int, seating: Record, numbers: Record, scratch: Record, totals: Record
) -> None:
    """Add one game's numbers, seat by seat, to the totals and to its deal's sums."""
    header = len(scratch.by_game)
    width = scratch.by_seat.shape[1]
    for column in range(IDENTIFIERS, header):
        value = numbers[column]
        totals.game_sums[column] += value
        totals.game_squares[column] += value * value
        scratch.by_game[column] += value
    for seat in range(players):
        who = seating[seat]
        start = header + seat * width
        for column in range(width):
            value = numbers[start + column]
            totals.sums[who, seat, column] += value
            totals.squares[who, seat, column] += value * value
            scratch.by_policy[who, column] += value
            scratch.by_seat[seat, column] += value


@rule
def compare_seats(
    players: int, seating: Record, numbers: Record, scratch: Record, totals: Record
) -> None:
    """Count who ends ahead of whom, and how often each number of points comes out."""
    header = len(scratch.by_game)
    width = scratch.by_seat.shape[1]
    rank = width - CHECKPOINTS - 3
    for seat in range(players):
        start = header + seat * width
        points = min(max(numbers[start], 0), BINS - 1)
        totals.points_histogram[seating[seat], points] += 1
        for other in range(seat + 1, players):
            mine, theirs = numbers[start + rank], numbers[header + other * width + rank]
            ahead = 1 + (mine < theirs) - (mine > theirs)
            who, rival = seating[seat], seating[other]
            totals.ahead[who, rival] += ahead
            totals.ahead[rival, who] += 2 - ahead
            if who < rival:
                scratch.by_pair[rival * (rival - 1) // 2 + who] += ahead
            elif rival < who:
                scratch.by_pair[who * (who - 1) // 2 + rival] += 2 - ahead


@rule
def square_rows(rows: int, sums: Record, squares: Record) -> None:
    """Add the square of each sum over a deal, and clear the sums."""
    for row in range(rows):
        for column in range(sums.shape[1]):
            squares[row, column] += sums[row, column] * sums[row, column]
            sums[row, column] = 0

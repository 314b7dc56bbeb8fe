"""Fantastic Park: lay tiles so that the animals on your last one stand in large groups.

Each round everybody places tiles in turn until one is left in every hand; that tile is shown and
scored. Reads top to bottom like the rulebook; what it leaves open is answered in `rulings`.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastic_park.groups import measure_groups
from simlab.games.fantastic_park.park import lay_tile, list_spots, takes_tile
from simlab.games.fantastic_park.records import (
    MOST_CELLS,
    NOTHING,
    PAIRS,
    PLACES,
    is_double,
    tile_of,
)
from simlab.streams import SHUFFLE, open_stream, purpose_of, shuffle

# --- Setup ----------------------------------------------------------------------------------


@rule
def deal(rules: Record, state: Record, chance: Record) -> None:
    """Shuffle, deal the hands, and go on to the first decision."""
    clear_table(rules, state.table)
    hidden = state.hidden
    hidden.order[:] = rules.box[:]
    hidden.next = 0
    open_stream(chance, chance.seed, chance.deal, purpose_of(SHUFFLE, 0, 0))
    shuffle(chance, hidden.order, rules.tiles)
    for seat in range(rules.players):
        own = state.seats[seat]
        own.seat = seat
        own.notes[:] = 0
        own.hand[:] = 0
        hidden.choices[seat] = 0
        draw_tiles(state, seat, rules.hand)
    count_choices(state)


@rule
def clear_table(rules: Record, table: Record) -> None:
    """An empty park, no points, and seat 0 to start."""
    table.to_move = 0
    table.checkpoint = 0
    table.round_number = 1
    table.starter = 0
    table.turn = 0
    table.supply = rules.tiles
    table.points[:] = 0
    table.mixed_points[:] = 0
    table.double_points[:] = 0
    table.unique_points[:] = 0
    table.on_top[:] = 0
    table.hand_tiles[:] = 0
    table.known[:] = NOTHING
    table.unseen[:] = rules.copies[:]
    table.largest[:] = 0
    table.spots = 1
    table.cells = 0
    table.ground[:] = 0


@rule
def draw_tiles(state: Record, seat: int, number: int) -> None:
    """Draw tiles from the supply into a hand."""
    hidden = state.hidden
    for place in range(hidden.next, hidden.next + number):
        state.seats[seat].hand[hidden.order[place]] += 1
    hidden.next += number
    state.table.supply -= number
    state.table.hand_tiles[seat] += number


# --- Placing tiles --------------------------------------------------------------------------


@rule
def allowed(rules: Record, table: Record, own: Record, move: int) -> bool:
    """Whether the seat holds this tile and may lay it there."""
    if move < 0 or move >= 2 * PLACES * PAIRS:
        return False
    shown = move & (PAIRS - 1)
    if own.hand[tile_of(shown)] == 0:
        return False
    if table.cells == 0 and shown != tile_of(shown):
        return False  # on the empty table the other way round is the same
    return takes_tile(table, move // PAIRS)


@rule
def legal(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """Write the legal moves, ascending, and return how many there are.

    Every spot takes every tile of the hand, mixed ones in two ways.
    """
    spots = list_spots(table, moves)
    sort_numbers(moves, spots)
    ways = ways_to_lay(table, own.hand)
    for place in range(spots - 1, -1, -1):  # last first, since each spot becomes several moves
        where = moves[place]
        n = ways * (place + 1)
        for shown in range(PAIRS - 1, -1, -1):
            if fits_hand(table, own.hand, shown):
                n -= 1
                moves[n] = PAIRS * where + shown
    return ways * spots


@rule
def fits_hand(table: Record, hand: Record, shown: int) -> bool:
    """Whether a hand can show these two animals in this order, and has to be asked."""
    return hand[tile_of(shown)] > 0 and (table.cells > 0 or shown == tile_of(shown))


@rule
def ways_to_lay(table: Record, hand: Record) -> int:
    """In how many ways a hand can fill one spot; equal tiles are one choice."""
    ways = 0
    for shown in range(PAIRS):
        ways += fits_hand(table, hand, shown)
    return ways


@rule
def sort_numbers(numbers: Record, n: int) -> None:
    """Put the first so many numbers in ascending order (Shell's sort, halving the gaps)."""
    gap = n // 2
    while gap > 0:
        for place in range(gap, n):
            number, to = numbers[place], place
            while to >= gap and numbers[to - gap] > number:
                numbers[to] = numbers[to - gap]
                to -= gap
            numbers[to] = number
        gap //= 2


@rule
def place_tile(table: Record, own: Record, move: int) -> None:
    """Lay a tile of the hand; of equal tiles the one that all have seen goes first."""
    shown, seat = move & (PAIRS - 1), own.seat
    tile = tile_of(shown)
    own.hand[tile] -= 1
    table.hand_tiles[seat] -= 1
    if table.known[seat] == tile:
        table.known[seat] = NOTHING
    else:
        table.unseen[tile] -= 1
    level = lay_tile(table, move // PAIRS, shown >> 2, shown & 3)
    table.on_top[seat] += level > 0
    table.turn += 1


# --- The tours ------------------------------------------------------------------------------


@rule
def hold_tours(rules: Record, state: Record) -> None:
    """Everybody shows the last tile, and scores the largest groups of its animals."""
    table = state.table
    for seat in range(rules.players):
        show_tile(table, state.seats[seat])
    labels = np.empty(MOST_CELLS + 1, np.int64)
    sizes = np.empty(MOST_CELLS + 1, np.int64)
    measure_groups(table, labels, sizes, table.largest)
    for seat in range(rules.players):
        score_tour(rules, table, seat)
    table.checkpoint = table.round_number


@rule
def show_tile(table: Record, own: Record) -> None:
    """Turn up the only tile of a hand; it stays there, and all know it from now on."""
    tile = 0
    while own.hand[tile] == 0:
        tile += 1
    if table.known[own.seat] != tile:
        table.unseen[tile] -= 1
        table.known[own.seat] = tile


@rule
def score_tour(rules: Record, table: Record, seat: int) -> None:
    """Points for both animals of the tile shown; for a double, and for an animal alone, twice."""
    tile = table.known[seat]
    one, other = tile >> 2, tile & 3
    if is_double(tile):
        base = 2 * table.largest[one]
        factor = rules.double_unique if is_alone(rules, table, seat, one) else 2
        extra = (factor - 2) * table.largest[one]
        table.double_points[seat] += base
    else:
        base = table.largest[one] + table.largest[other]
        extra = table.largest[one] * is_alone(rules, table, seat, one)
        extra += table.largest[other] * is_alone(rules, table, seat, other)
        table.mixed_points[seat] += base
    table.unique_points[seat] += extra
    table.points[seat] += base + extra


@rule
def is_alone(rules: Record, table: Record, seat: int, animal: int) -> bool:
    """Whether no other seat's tile shows an animal."""
    for other in range(rules.players):
        tile = table.known[other]
        if other != seat and (tile >> 2 == animal or tile & 3 == animal):
            return False
    return True


# --- The course of the game -----------------------------------------------------------------


@rule
def apply(rules: Record, state: Record, move: int, chance: Record) -> None:
    """Place a tile, and go on to the next decision: through the tours, when all are placed."""
    table = state.table
    place_tile(table, state.seats[table.to_move], move)
    if table.turn == rules.players * (rules.hand - 1):
        hold_tours(rules, state)
        if table.round_number == rules.rounds:
            table.to_move = -1
            return
        begin_round(rules, state)
    else:
        table.to_move = next_seat(rules, table.to_move)
    count_choices(state)


@rule
def begin_round(rules: Record, state: Record) -> None:
    """Fill the hands again, and pass the first player token to the left."""
    table = state.table
    for seat in range(rules.players):
        draw_tiles(state, seat, rules.hand - 1)
    table.round_number += 1
    table.turn = 0
    table.starter = next_seat(rules, table.starter)
    table.to_move = table.starter


@rule
def next_seat(rules: Record, seat: int) -> int:
    """Seat on the left."""
    return seat + 1 if seat + 1 < rules.players else 0


@rule
def count_choices(state: Record) -> None:
    """Add up how many legal moves the seat to move has."""
    table = state.table
    ways = ways_to_lay(table, state.seats[table.to_move].hand)
    state.hidden.choices[table.to_move] += ways * table.spots


@rule
def over(rules: Record, state: Record) -> bool:
    """Whether the last tours are done."""
    return state.table.to_move < 0


@rule
def progress(rules: Record, table: Record, seat: int) -> int:
    """Points from the tours so far."""
    return table.points[seat]


@rule
def score(rules: Record, state: Record, outcome: Record) -> None:
    """Most points wins; nothing breaks a tie. Fill the game's own columns."""
    table = state.table
    for seat in range(rules.players):
        row = outcome.seats[seat]
        row.points = table.points[seat]
        row.standing = table.points[seat]
        row.mixed_points = table.mixed_points[seat]
        row.double_points = table.double_points[seat]
        row.unique_points = table.unique_points[seat]
        row.on_top = table.on_top[seat]
        row.choices = state.hidden.choices[seat]
    outcome.height = 0
    for cell in range(1, table.cells + 1):
        outcome.height = max(outcome.height, table.height[cell])
    outcome.area = table.cells
    outcome.largest_blue = table.largest[0]
    outcome.largest_green = table.largest[1]
    outcome.largest_pink = table.largest[2]
    outcome.largest_yellow = table.largest[3]
    outcome.shared_win = shared_win(rules, table)


@rule
def shared_win(rules: Record, table: Record) -> bool:
    """Whether more than one seat has the most points."""
    best, winners = -1, 0
    for seat in range(rules.players):
        if table.points[seat] > best:
            best, winners = table.points[seat], 0
        winners += table.points[seat] == best
    return winners > 1

"""What one player may take the hidden tiles to be: a world consistent with what they know."""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.games.fantastic_park.records import NOTHING, PAIRS
from simlab.streams import shuffle


@rule
def imagine(rules: Record, table: Record, own: Record, world: Record, rng: Record) -> None:
    """Fill a state with one of the worlds that the seat cannot tell from the real one.

    Tiles are objects: one that was placed or shown has been seen. The others are spread evenly
    over the supply and the places of the others' hands that nobody has seen. What the others'
    play tells is ignored.

    Parameters
    ----------
    rules, table, own : records
        The rules, and what the seat sees.
    world : record
        The state to fill; whatever it held is overwritten.
    rng : record
        The stream to draw from.
    """
    world.table = table
    hidden = world.hidden
    hidden.choices[:] = 0  # of which the others' are a secret, and play does not depend on them
    unseen = lay_out_unseen(table, own, hidden.order)
    shuffle(rng, hidden.order, unseen)
    place = 0
    for seat in range(rules.players):
        other = world.seats[seat]
        other.seat = seat
        other.notes[:] = 0
        other.hand[:] = 0
        if seat == own.seat:
            other.notes[:] = own.notes[:]
            other.hand[:] = own.hand[:]
            continue
        tiles = table.hand_tiles[seat]
        if table.known[seat] != NOTHING:
            other.hand[table.known[seat]] += 1
            tiles -= 1
        for _ in range(tiles):
            other.hand[hidden.order[place]] += 1
            place += 1
    move_supply(rules, table, hidden, place)


@rule
def lay_out_unseen(table: Record, own: Record, order: Record) -> int:
    """Write the tiles that the seat has never seen to the front; returns how many."""
    n = 0
    for tile in range(PAIRS):
        copies = table.unseen[tile] - own.hand[tile] + (table.known[own.seat] == tile)
        for _ in range(copies):
            order[n] = tile
            n += 1
    return n


@rule
def move_supply(rules: Record, table: Record, hidden: Record, place: int) -> None:
    """Move the tiles from a place on to the end of the order, where the supply lies."""
    start = rules.tiles - table.supply
    for step in range(table.supply - 1, -1, -1):
        hidden.order[start + step] = hidden.order[place + step]
    hidden.next = start
    for drawn in range(start):
        hidden.order[drawn] = 0
    for beyond in range(rules.tiles, len(hidden.order)):
        hidden.order[beyond] = 0

"""What lies in Fantastic Park, what each player holds, and what the rules fix."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from simlab.compiled import record_type, rule
from simlab.contract import SEAT_FIELDS, TABLE_FIELDS
from simlab.errors import UsageError
from simlab.options import Option, Value

if TYPE_CHECKING:
    import numpy.typing as npt

SEATS = 5
ANIMALS = ("blue", "green", "pink", "yellow")
PAIRS = len(ANIMALS) * len(ANIMALS)
"""Ordered pairs of animals; see `pair`."""
TILES = tuple(
    len(ANIMALS) * one + other
    for one, other in (*combinations(range(4), 2), *((a, a) for a in range(4)))
)
"""The ten tiles: six mixed ones, then four doubles, each by the name of its animals."""

PRINTED_ROUNDS = (0, 0, 8, 6, 5, 4)
"""Rounds for so many players."""
PRINTED_HANDS = (0, 0, 5, 4, 4, 4)
"""Tiles in a full hand for so many players."""

MOST_HAND = 6
MOST_TILES = 88
MOST_CELLS = 2 * MOST_TILES
MOST_SPOTS = 7 * MOST_CELLS + 5
"""Most places for a tile in a park of so many cells.

A connected park of n cells with e inner edges has at most 2n + 2 and at most 4n - 2e empty
neighbours, each with at most three empty neighbours of its own, and at most e places across two
tiles: 3(2n + 2) + (n - 1) in all.
"""
MOST_MOVES = 2 * MOST_HAND * MOST_SPOTS

PLACES = 16384
ROW = 181
"""The plane is rolled up: cell (x, y) has address x + ROW y, modulo PLACES.

Two cells with one address are at least 178 steps apart (the shortest closed walk over addresses
that leads elsewhere), and in a park of at most 88 tiles no two cells or neighbours of cells are
more than 177 steps apart: no player can feel that the plane ends.
"""
STEPS = np.array([1, ROW, -1, -ROW])
"""To the neighbour on the right, below, on the left, above: directions 0 to 3."""
STEPS_X = np.array([1, 0, -1, 0])
STEPS_Y = np.array([0, 1, 0, -1])
DIRECTIONS = 4
RIGHT, BELOW = 0, 1

NOTHING = -1
"""What stands in ``known`` for a seat of whose tiles nobody has seen any."""

RULES = record_type(
    [
        ("players", np.int64),
        ("hand", np.int64),  # tiles in a full hand
        ("rounds", np.int64),
        ("double_unique", np.int64),  # factor of a double that nobody else's tile shares
        ("tiles", np.int64),  # in the box
        ("copies", np.int64, (PAIRS,)),  # of each tile, at its pair of animals in order
        ("box", np.int64, (MOST_TILES,)),  # all tiles, sorted
    ]
)

TABLE = record_type(
    [
        *TABLE_FIELDS,
        ("round_number", np.int64),  # counted from 1
        ("starter", np.int64),  # seat that holds the first player token
        ("turn", np.int64),  # tiles placed in this round
        ("supply", np.int64),  # tiles left to draw
        ("points", np.int64, (SEATS,)),  # from all tours so far
        ("mixed_points", np.int64, (SEATS,)),  # of them with mixed tiles, shared or not
        ("double_points", np.int64, (SEATS,)),  # of them with doubles, shared or not
        ("unique_points", np.int64, (SEATS,)),  # of them for being alone with an animal
        ("on_top", np.int64, (SEATS,)),  # tiles that the seat laid across two others
        ("hand_tiles", np.int64, (SEATS,)),  # tiles in each hand
        ("known", np.int64, (SEATS,)),  # tile in the hand that all have seen, or NOTHING
        ("unseen", np.int64, (PAIRS,)),  # of each tile: neither placed nor shown so far
        ("largest", np.int64, (len(ANIMALS),)),  # group of each animal at the last tour
        ("spots", np.int64),  # places where a tile may be laid now
        ("cells", np.int64),  # of the park; they are numbered from 1 in the order of building
        ("address", np.int64, (MOST_CELLS + 1,)),  # of each cell, by number
        ("x", np.int64, (MOST_CELLS + 1,)),  # to the right of the first tile's first half
        ("y", np.int64, (MOST_CELLS + 1,)),  # below it
        ("animal", np.int64, (MOST_CELLS + 1,)),  # that is visible
        ("height", np.int64, (MOST_CELLS + 1,)),  # tiles on top of each other
        ("partner", np.int64, (MOST_CELLS + 1,)),  # direction of the visible half's other half
        ("ground", np.uint8, (PLACES,)),  # number of the cell at each address, 0 for bare table
    ]
)

SEAT = record_type([*SEAT_FIELDS, ("hand", np.int64, (PAIRS,))])  # hand: how many of each tile

HIDDEN = record_type(
    [
        ("order", np.int64, (MOST_TILES,)),  # tiles, in the order in which they are drawn
        ("next", np.int64),  # place of the next one
        ("choices", np.int64, (SEATS,)),  # legal moves that each seat had, over all its decisions
    ]
)


@rule
def pair(one: int, other: int) -> int:
    """Two animals in this order; in ascending order it is the tile that shows them."""
    return 4 * one + other


@rule
def tile_of(shown: int) -> int:
    """Tile that shows a pair of animals, whichever way it lies."""
    return shown if shown >> 2 <= shown & 3 else pair(shown & 3, shown >> 2)


@rule
def is_double(tile: int) -> bool:
    """Whether both animals of a tile are the same."""
    return tile >> 2 == tile & 3


@rule
def spot(address: int, axis: int) -> int:
    """Place for a tile: the cell at the address and the one on its right (0) or below it (1)."""
    return 2 * address + axis


@rule
def placement(where: int, one: int, other: int) -> int:
    """Move that lays a tile on a spot: an animal on its first cell, the other on its second."""
    return PAIRS * where + pair(one, other)


OPTIONS = (
    Option(
        "tiles",
        (9, 3),
        "copies of each mixed tile and of each double, or of all ten tiles: "
        "blue-green, blue-pink, blue-yellow, green-pink, green-yellow, pink-yellow, "
        "then blue, green, pink, yellow doubles",
        low=0,
        high=MOST_TILES,
        lengths=(2, len(TILES)),
    ),
    Option(
        "rounds",
        "printed",
        "rounds: printed (8, 6, 5, 4 for 2 to 5 players), as many as the supply serves, or a "
        "number; the game ends early when the supply does not serve another round",
        low=1,
        high=MOST_TILES,
        choices=("printed", "supply"),
    ),
    Option("double_unique", 4, "factor of a double that shares no animal with a rival", 2, 4),
    Option(
        "hand",
        "printed",
        "tiles in a full hand: printed (5 for two players, else 4) or a number",
        low=2,
        high=MOST_HAND,
        choices=("printed",),
    ),
)


def make_rules(players: int, values: Mapping[str, Value]) -> npt.NDArray[Any]:
    """Rules record for a table, once its parts are known to fit together.

    Parameters
    ----------
    players : int
        Seats at the table.
    values : mapping
        A value for every one of `OPTIONS`.

    Returns
    -------
    numpy.ndarray
        One record of dtype `RULES`.

    Raises
    ------
    UsageError
        If there are too many tiles for the park, or too few for a round.
    """
    table = np.zeros(1, RULES)
    rules = table[0]
    copies = copies_of_tiles(cast("tuple[int, ...]", values["tiles"]))
    rules.players = players
    rules.hand = PRINTED_HANDS[players] if values["hand"] == "printed" else values["hand"]
    rules.double_unique = values["double_unique"]
    rules.tiles = sum(copies.values())
    _check_tiles(players, int(rules.hand), int(rules.tiles))
    for tile, number in copies.items():
        rules.copies[tile] = number
    rules.box[: rules.tiles] = np.repeat(np.arange(PAIRS), rules.copies)
    supplied = (int(rules.tiles) - players) // (players * (int(rules.hand) - 1))
    wanted = PRINTED_ROUNDS[players] if values["rounds"] == "printed" else values["rounds"]
    rules.rounds = supplied if wanted == "supply" else min(int(wanted), supplied)
    return table


def copies_of_tiles(numbers: tuple[int, ...]) -> dict[int, int]:
    """How often each tile is in the box, from two or from ten numbers."""
    if len(numbers) == 2:
        mixed, double = numbers
        return {tile: double if is_double(tile) else mixed for tile in TILES}
    if len(numbers) != len(TILES):
        raise UsageError(
            f"tiles takes 2 numbers (each mixed tile, each double) or {len(TILES)}, "
            f"got {len(numbers)}"
        )
    return dict(zip(TILES, numbers, strict=True))


def _check_tiles(players: int, hand: int, tiles: int) -> None:
    if tiles > MOST_TILES:
        raise UsageError(
            f"tiles: the park has room for {MOST_TILES} tiles, got {tiles}: lower the copies"
        )
    if tiles < players * hand:
        need = f"{players} hands of {hand} need {players * hand} tiles"
        raise UsageError(f"{need}, the box has {tiles}: enlarge tiles or lower hand")

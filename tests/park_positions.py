"""Positions of Fantastic Park, drawn by hand or taken from a game, turned, mirrored, moved.

A drawing has a word for each cell: the animal's first letter and the name of the tile, so that
``bA gA`` is a blue-green tile A, and ``.`` is bare table. Each further drawing is what lies on top.
``##`` marks the two cells on which somebody wants to lay a tile.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numba import types

from simlab.compiled import kernel
from simlab.engine import Matchup, array_of, engine_of, trace_type
from simlab.games.fantastic_park import GAME
from simlab.games.fantastic_park.groups import measure_groups
from simlab.games.fantastic_park.records import ANIMALS, MOST_CELLS, PAIRS, PLACES, ROW
from simlab.games.fantastic_park.rules import allowed, apply, over
from simlab.policies import read_policies
from simlab.replaying import Replayer
from simlab.streams import STREAM

Cell = tuple[int, int]
Spot = frozenset[Cell]
LETTERS = {animal[0]: animal for animal in ANIMALS}
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))

RULES_AT, STATES = array_of(GAME.rules), array_of(GAME.state)
STREAMS, NUMBERS = array_of(STREAM), types.int64[::1]
ROWS = array_of(trace_type(GAME))


def make_move(rules_at, states, move, streams):
    """Make a move if it is allowed; returns whether it was."""
    rules, state = rules_at[0], states[0]
    if over(rules, state):
        return 0
    if not allowed(rules, state.table, state.seats[state.table.to_move], move):
        return 0
    apply(rules, state, move, streams[0])
    return 1


def count_groups(states, labels, sizes, found):
    """Largest group of each animal of each state."""
    for place in range(len(states)):
        measure_groups(states[place].table, labels, sizes, found[place])
    return 0


@cache
def _make_move() -> Any:
    return kernel(make_move, types.int64(RULES_AT, STATES, types.int64, STREAMS))


@cache
def _count_groups() -> Any:
    signature = types.int64(STATES, NUMBERS, NUMBERS, types.int64[:, ::1])
    return kernel(count_groups, signature)


# --- Parks -----------------------------------------------------------------------------------


@dataclass
class Park:
    """A park: on each cell the animal that shows, the height, and the tile (any name)."""

    cells: dict[Cell, tuple[str, int, Any]] = field(default_factory=dict)

    def lay(self, name: Any, halves: Sequence[tuple[Cell, str]]) -> None:
        for cell, animal in halves:
            height = self.cells[cell][1] if cell in self.cells else 0
            self.cells[cell] = (animal, height + 1, name)

    def mapped(self, turn: Any) -> Park:
        """The park with every cell moved elsewhere."""
        return Park({turn(cell): shown for cell, shown in self.cells.items()})

    def partner(self, cell: Cell) -> int:
        """Direction of the other half of the tile that shows; 4 if that is covered."""
        x, y = cell
        for direction, (dx, dy) in enumerate(STEPS):
            other = self.cells.get((x + dx, y + dy))
            if other is not None and other[1:] == self.cells[cell][1:]:
                return direction
        return 4

    def spots(self) -> set[Spot]:
        """Pairs of cells that take a tile, by trying all around the park."""
        around = {(x + dx, y + dy) for x, y in self.cells for dx, dy in STEPS} | set(self.cells)
        found = set()
        for x, y in around:
            for dx, dy in STEPS:
                pair = ((x, y), (x + dx, y + dy))
                if self.takes(*pair):
                    found.add(frozenset(pair))
        return found

    def takes(self, one: Cell, other: Cell) -> bool:
        """Whether a tile may lie on two neighbouring cells, as the rulebook says it."""
        there = [self.cells.get(cell) for cell in (one, other)]
        if there == [None, None]:
            near = {(x + dx, y + dy) for x, y in (one, other) for dx, dy in STEPS}
            return any(cell in self.cells for cell in near)
        if None in there:
            return False
        return there[0][1] == there[1][1] and there[0][2] != there[1][2]

    def groups(self) -> dict[str, int]:
        """Largest group of each animal, by walking."""
        left = {cell: animal for cell, (animal, _, _) in self.cells.items()}
        largest = dict.fromkeys(ANIMALS, 0)
        while left:
            start, animal = next(iter(left.items()))
            del left[start]
            to_visit, size = [start], 0
            while to_visit:
                x, y = to_visit.pop()
                size += 1
                for dx, dy in STEPS:
                    if left.get((x + dx, y + dy)) == animal:
                        del left[x + dx, y + dy]
                        to_visit.append((x + dx, y + dy))
            largest[animal] = max(largest[animal], size)
        return largest


def drawn(*drawings: str) -> tuple[Park, list[Cell]]:
    """The park of some drawings, lowest first, and the cells marked with ``##``."""
    park, marked = Park(), []
    for drawing in drawings:
        tiles: dict[str, list[tuple[Cell, str]]] = defaultdict(list)
        lines = [line.split() for line in drawing.strip().splitlines()]
        for y, words in enumerate(lines):
            for x, word in enumerate(words):
                if word == "##":
                    marked.append((x, y))
                elif word != ".":
                    tiles[word[1:]].append(((x, y), LETTERS[word[0]]))
        for name, halves in tiles.items():
            assert len(halves) == 2, f"tile {name} has {len(halves)} halves"
            park.lay(name, halves)
    return park, marked


def park_of(table: Any) -> Park:
    """The park of an engine's table; tiles are named by where their halves show."""
    park = Park()
    for cell in range(1, int(table.cells) + 1):
        x, y, partner = int(table.x[cell]), int(table.y[cell]), int(table.partner[cell])
        other = (x + STEPS[partner][0], y + STEPS[partner][1])
        height = int(table.height[cell])
        name = (height, frozenset([(x, y), other]))
        park.cells[x, y] = (ANIMALS[table.animal[cell]], height, name)
    return park


def set_park(table: Any, park: Park) -> None:
    """Write a park into a table's fields, without any of the engine's rules."""
    table.ground[:] = 0
    table.cells, table.spots = len(park.cells), len(park.spots())
    for number, (cell, (animal, height, _)) in enumerate(park.cells.items(), 1):
        x, y = cell
        table.x[number], table.y[number] = x, y
        table.address[number] = (x + ROW * y) % PLACES
        table.ground[table.address[number]] = number
        table.animal[number] = ANIMALS.index(animal)
        table.height[number] = height
        # A half whose other half is covered may point anywhere but at another tile's height.
        partner = park.partner(cell)
        table.partner[number] = partner if partner < 4 else covered_partner(park, cell)


def covered_partner(park: Park, cell: Cell) -> int:
    """A direction in which the covered other half can lie: where the park is higher."""
    x, y = cell
    height = park.cells[cell][1]
    for direction, (dx, dy) in enumerate(STEPS):
        if park.cells.get((x + dx, y + dy), ("", 0))[1] > height:
            return direction
    raise AssertionError(f"the other half of the tile on {cell} is nowhere")


def tile_number(tile: str) -> int:
    """A tile by its letters, "bg", as the engine numbers it."""
    one, other = sorted(ANIMALS.index(LETTERS[letter]) for letter in tile)
    return 4 * one + other


# --- Positions -------------------------------------------------------------------------------


class Position:
    """A table in the middle of a game.

    Parameters
    ----------
    park : Park
    hands : tiles of each seat, as letters such as "bg"
    starter, turn, round_number, supply
        As on the table; the supply's tiles are all alike.
    **options
        Rules that differ from the printed ones.
    """

    def __init__(
        self,
        park: Park,
        hands: Sequence[Iterable[str]],
        *,
        starter: int = 0,
        turn: int = 0,
        round_number: int = 1,
        known: Mapping[int, str] | None = None,
        **options: object,
    ) -> None:
        self.rules = GAME.rules_for(len(hands), options)
        self._states = np.zeros(1, GAME.state)
        self._streams = np.zeros(1, STREAM)
        table = self.table
        set_park(table, park)
        table.starter, table.turn, table.round_number = starter, turn, round_number
        table.to_move = (starter + turn) % len(hands)
        table.known[:] = -1
        for seat, tile in (known or {}).items():
            table.known[seat] = tile_number(tile)
        table.unseen[:] = self.rules[0].copies
        table.supply = 30
        for seat, hand in enumerate(hands):
            tiles = list(hand)
            table.hand_tiles[seat] = len(tiles)
            self.state.seats[seat].seat = seat
            for tile in tiles:
                self.state.seats[seat].hand[tile_number(tile)] += 1

    @property
    def state(self) -> Any:
        return self._states[0]

    @property
    def table(self) -> Any:
        return self.state.table

    def legal(self) -> dict[Spot, set[tuple[str, str]]]:
        """For each spot the pairs of animals that the seat to move may show on it.

        The pair is in the order of the sorted cells.
        """
        found: dict[Spot, set[tuple[str, str]]] = defaultdict(set)
        where = cells_by_address(self.table)
        for move in self.moves():
            pair = ANIMALS[move % PAIRS // 4], ANIMALS[move % 4]
            found[spot_of(move, where)].add(pair)
        return dict(found)

    def moves(self) -> list[int]:
        """The legal moves of the seat to move, as the engine lists them."""
        rows = np.zeros(1, trace_type(GAME))
        rows[0]["state"], rows[0]["seat"] = self.state, self.table.to_move
        counts, moves = np.zeros(1, np.int64), np.zeros((1, GAME.max_moves), np.int64)
        engine_of(GAME).list_legal(self.rules, rows, counts, moves)
        return moves[0][: counts[0]].tolist()

    def spot_of(self, move: int) -> Spot:
        """The two cells of a move."""
        return spot_of(move, cells_by_address(self.table))

    def lay(self, tile: str, one: Cell, other: Cell) -> bool:
        """Let the seat to move lay a tile, its first letter on the first cell, if it may."""
        numbers = [ANIMALS.index(LETTERS[letter]) for letter in tile]
        if other < one:
            one, other, numbers = other, one, numbers[::-1]
        axis = 0 if other[0] > one[0] else 1
        where = 2 * ((one[0] + ROW * one[1]) % PLACES) + axis
        move = PAIRS * where + 4 * numbers[0] + numbers[1]
        return bool(_make_move()(self.rules, self._states, move, self._streams))

    @property
    def points(self) -> list[int]:
        return self.table.points[: int(self.rules[0].players)].tolist()


def cells_by_address(table: Any) -> dict[int, Cell]:
    """The only cell with each address, of those in the park and all around it."""
    cells = range(1, int(table.cells) + 1)
    park = {(int(table.x[cell]), int(table.y[cell])) for cell in cells} or {(0, 0)}
    for _ in range(2):
        park |= {(x + dx, y + dy) for x, y in park for dx, dy in STEPS}
    where = {(x + ROW * y) % PLACES: (x, y) for x, y in park}
    assert len(where) == len(park)
    return where


def spot_of(move: int, where: Mapping[int, Cell]) -> Spot:
    """The two cells of a move."""
    address, axis = divmod(move // PAIRS, 2)
    x, y = where[address]
    return frozenset([(x, y), (x + 1 - axis, y + axis)])


def largest_groups(parks: Sequence[Park]) -> list[dict[str, int]]:
    """The largest groups of some parks, as the engine finds them."""
    states = np.zeros(len(parks), GAME.state)
    for state, park in zip(states, parks, strict=True):
        set_park(state.table, park)
    labels, sizes = np.zeros((2, MOST_CELLS + 1), np.int64)
    found = np.zeros((len(parks), len(ANIMALS)), np.int64)
    _count_groups()(states, labels, sizes, found)
    return [dict(zip(ANIMALS, row, strict=True)) for row in found.tolist()]


def replayer(words: Sequence[str], options: Mapping[str, object], seed: int = 0) -> Replayer:
    """Plays traced games of some policies, one for each seat."""
    return Replayer(Matchup(GAME, read_policies(GAME, list(words)), options), seed)

"""The park of Fantastic Park: which places take a tile, and what a tile laid there changes."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastic_park.records import (
    BELOW,
    DIRECTIONS,
    PLACES,
    RIGHT,
    STEPS,
    STEPS_X,
    STEPS_Y,
    spot,
)

# --- Looking around --------------------------------------------------------------------------


@rule
def beside(address: int, direction: int) -> int:
    """Address of the neighbour in a direction (0 right, 1 below, 2 left, 3 above)."""
    return (address + STEPS[direction]) & (PLACES - 1)


@rule
def cell_at(table: Record, address: int) -> int:
    """Number of the cell at an address, 0 for bare table."""
    return np.int64(table.ground[address])


@rule
def neighbour(table: Record, cell: int, direction: int) -> int:
    """Number of the cell next to a cell, 0 for bare table."""
    return cell_at(table, beside(table.address[cell], direction))


@rule
def touches_park(table: Record, address: int) -> bool:
    """Whether some neighbour of an address belongs to the park."""
    found = 0
    for direction in range(DIRECTIONS):
        found |= cell_at(table, beside(address, direction))
    return found > 0


# --- Where a tile may lie --------------------------------------------------------------------


@rule
def takes_tile(table: Record, where: int) -> bool:
    """Whether a tile may be laid on a spot.

    Either on two bare cells of the table, one of them beside the park; or on two cells of the
    same height that show two different tiles. The first tile of a game has one spot only, since
    everything else is a turn or a shift of it.
    """
    first = where >> 1
    second = beside(first, where & 1)
    one, other = cell_at(table, first), cell_at(table, second)
    if one > 0 and other > 0:
        return lies_across(table, one, other, where & 1)
    if one > 0 or other > 0:
        return False
    if table.cells == 0:
        return where == spot(0, RIGHT)
    return touches_park(table, first) or touches_park(table, second)


@rule
def lies_across(table: Record, one: int, other: int, axis: int) -> bool:
    """Whether a tile may lie across a cell and its neighbour on the right or below.

    At equal heights both show halves of one tile exactly if one half points to the other.
    """
    return table.height[one] == table.height[other] and table.partner[one] != axis


@rule
def list_spots(table: Record, room: Record) -> int:
    """Write every spot that takes a tile, in no particular order; returns how many there are.

    Bare cells beside the park are found from the first neighbour that belongs to it.
    """
    if table.cells == 0:
        room[0] = spot(0, RIGHT)
        return 1
    n = 0
    for cell in range(1, table.cells + 1):
        address = table.address[cell]
        for direction in range(DIRECTIONS):
            near = beside(address, direction)
            other = cell_at(table, near)
            if other > 0:
                if direction <= BELOW and lies_across(table, cell, other, direction):
                    room[n] = spot(address, direction)
                    n += 1
            elif first_neighbour(table, near) == cell:
                n = list_spots_beside(table, near, room, n)
    return n


@rule
def first_neighbour(table: Record, address: int) -> int:
    """First cell of the park around an address: right, below, left, above; 0 for none."""
    for direction in range(DIRECTIONS):
        cell = cell_at(table, beside(address, direction))
        if cell > 0:
            return cell
    return 0


@rule
def list_spots_beside(table: Record, address: int, room: Record, n: int) -> int:
    """Add the spots of a bare cell beside the park, each pair of two such cells once."""
    for direction in range(DIRECTIONS):
        near = beside(address, direction)
        if cell_at(table, near) > 0:
            continue
        if direction > BELOW and touches_park(table, near):
            continue  # the other cell has this spot on its right or below it
        room[n] = spot(address, direction) if direction <= BELOW else spot(near, direction - 2)
        n += 1
    return n


# --- How many places there are ---------------------------------------------------------------


@rule
def spots_opened_beside(table: Record, first: int, second: int) -> int:
    """How many more spots there are once two bare cells belong to the park; call it before.

    Spots on them close, as far as they were open; tiles may lie across them and old neighbours
    of height 1; and bare cells that touch the park for the first time open their own spots.
    """
    opened = -1  # the spot itself
    for here, there in ((first, second), (second, first)):
        touching = touches_park(table, here)
        for direction in range(DIRECTIONS):
            near = beside(here, direction)
            cell = cell_at(table, near)
            if near == there:
                continue
            if cell > 0:
                opened += table.height[cell] == 1
            elif touches_park(table, near):
                opened -= 1
            else:
                opened -= touching
                opened += spots_opened_by(table, near, first, second)
    for direction in range(DIRECTIONS):
        near, across = beside(first, direction), beside(second, direction)
        if near != second and across != first and is_lonely(table, near):
            opened -= is_lonely(table, across)  # their common spot was counted for both
    return opened


@rule
def spots_opened_by(table: Record, address: int, first: int, second: int) -> int:
    """Spots that a bare cell opens by touching the park, two cells that are built on left out."""
    opened = 0
    for direction in range(DIRECTIONS):
        near = beside(address, direction)
        opened += near not in (first, second) and is_lonely(table, near)
    return opened


@rule
def is_lonely(table: Record, address: int) -> bool:
    """Whether a cell is bare and touches nothing."""
    return cell_at(table, address) == 0 and not touches_park(table, address)


@rule
def spots_across(table: Record, one: int, other: int) -> int:
    """How many spots across two tiles have one of these cells, or both."""
    found = 0
    for cell in (one, other):
        for direction in range(DIRECTIONS):
            near = neighbour(table, cell, direction)
            if near == 0 or (cell == other and near == one):
                continue
            found += table.height[near] == table.height[cell] and table.partner[cell] != direction
    return found


# --- Laying a tile ---------------------------------------------------------------------------


@rule
def lay_tile(table: Record, where: int, one: int, other: int) -> int:
    """Lay a tile on a spot that takes it; returns its level, 0 for the table."""
    first, axis = where >> 1, where & 1
    second = beside(first, axis)
    if cell_at(table, first) == 0:
        table.spots += spots_opened_beside(table, first, second)
        open_cells(table, first, second, axis)
    else:
        table.spots -= spots_across(table, cell_at(table, first), cell_at(table, second))
    here, there = cell_at(table, first), cell_at(table, second)
    table.animal[here] = one
    table.animal[there] = other
    table.partner[here] = axis
    table.partner[there] = axis + 2
    table.height[here] += 1
    table.height[there] += 1
    if table.height[here] > 1:
        table.spots += spots_across(table, here, there)
    return table.height[here] - 1


@rule
def open_cells(table: Record, first: int, second: int, axis: int) -> None:
    """Add two cells to the park; where they lie is told by a neighbour that was there before."""
    x, y = 0, 0
    for direction in range(DIRECTIONS):
        cell = cell_at(table, beside(first, direction))
        if cell > 0:
            x, y = table.x[cell] - STEPS_X[direction], table.y[cell] - STEPS_Y[direction]
        cell = cell_at(table, beside(second, direction))
        if cell > 0:
            x = table.x[cell] - STEPS_X[direction] - STEPS_X[axis]
            y = table.y[cell] - STEPS_Y[direction] - STEPS_Y[axis]
    open_cell(table, first, x, y)
    open_cell(table, second, x + STEPS_X[axis], y + STEPS_Y[axis])


@rule
def open_cell(table: Record, address: int, x: int, y: int) -> None:
    """Add a cell to the park, nothing on it yet."""
    table.cells += 1
    cell = table.cells
    table.ground[address] = cell
    table.address[cell] = address
    table.x[cell] = x
    table.y[cell] = y
    table.height[cell] = 0

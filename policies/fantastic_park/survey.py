"""What several strategies look at: what each placement would make of the largest groups.

Groups are found once for a decision. A placement is then judged by the groups around its two
cells; only where it covers a cell of a largest group, the rest of that group is walked through.

A policy's room for moves is its notepad here: the places named below say what stands where.
"""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.games.fantastic_park import spot
from simlab.games.fantastic_park.groups import measure_groups
from simlab.games.fantastic_park.park import (
    beside,
    cell_at,
    first_neighbour,
    lies_across,
    neighbour,
    touches_park,
)
from simlab.games.fantastic_park.records import (
    ANIMALS,
    BELOW,
    DIRECTIONS,
    MOST_CELLS,
    MOST_HAND,
    MOST_SPOTS,
    RIGHT,
)

# --- The notepad -----------------------------------------------------------------------------

WIDTH = MOST_CELLS + 1
SPOTS = 0
"""Spots that are worth telling apart."""
LABELS = MOST_SPOTS
"""Name of each cell's group."""
SIZES = LABELS + WIDTH
"""Cells of each group, at its name."""
ADDS = SIZES + WIDTH
"""What each cell's group adds to its neighbours' sizes, packed; see `size_of`."""
MARKS = ADDS + WIDTH
"""Number of the last walk that came by each cell."""
RESTS = MARKS + WIDTH
"""Largest group of a cell's animal once the cell is covered; UNKNOWN until somebody asks."""
TRAIL = RESTS + WIDTH
"""Cells that a walk has still to visit."""
LARGEST = TRAIL + WIDTH
"""Size of the largest group of each animal."""
LEADERS = LARGEST + len(ANIMALS)
"""Name of the largest group of each animal."""
SECONDS = LEADERS + len(ANIMALS)
"""Size of the next group of each animal."""
AFTER = SECONDS + len(ANIMALS)
"""Size of the largest group of each animal after the placement that is looked at."""
HELD = AFTER + len(ANIMALS)
"""Tiles of the hand, equal ones once."""
LIMITS = HELD + MOST_HAND
"""Packed sizes that groups have to exceed to matter once a tile is placed, by place in HELD."""
WALKS = LIMITS + MOST_HAND
"""How many walks there were."""

UNKNOWN = -1

# --- Four sizes in one number ----------------------------------------------------------------

BITS = 12
FIELD = (1 << BITS) - 1
EVERY_ONE = sum(1 << BITS * animal for animal in range(len(ANIMALS)))
EVERY_TOP = EVERY_ONE << (BITS - 1)


@rule
def size_of(sizes: int, animal: int) -> int:
    """One of four packed sizes, one for each animal; each is below 2048."""
    return (sizes >> BITS * animal) & FIELD


@rule
def packed(animal: int, size: int) -> int:
    """Packed sizes that are 0 but for one animal; they are added with +."""
    return size << BITS * animal


@rule
def only(sizes: int, animal: int) -> int:
    """Packed sizes with 0 for all other animals."""
    return sizes & (FIELD << BITS * animal)


@rule
def some_larger(sizes: int, others: int) -> bool:
    """Whether some animal's size is larger than its size among the others: four at a time."""
    return ((sizes + EVERY_TOP - others - EVERY_ONE) & EVERY_TOP) > 0


# --- The park as it is -----------------------------------------------------------------------


@rule
def survey(table: Record, room: Record) -> None:
    """Find the groups, and the largest and the next one of each animal."""
    labels = room[LABELS : LABELS + WIDTH]
    sizes = room[SIZES : SIZES + WIDTH]
    measure_groups(table, labels, sizes, room[LARGEST : LARGEST + len(ANIMALS)])
    room[WALKS] = 0
    labels[0] = 0
    room[ADDS] = 0
    for animal in range(len(ANIMALS)):
        room[LEADERS + animal] = 0
        room[SECONDS + animal] = 0
    for cell in range(1, table.cells + 1):
        room[MARKS + cell] = 0
        room[RESTS + cell] = UNKNOWN
        room[ADDS + cell] = packed(table.animal[cell], sizes[labels[cell]])
        if labels[cell] == cell:
            rank_group(table.animal[cell], cell, sizes[cell], room)


@rule
def rank_group(animal: int, name: int, size: int, room: Record) -> None:
    """Note a group as the largest of its animal, or as the next one."""
    if room[LEADERS + animal] == 0 and size == room[LARGEST + animal]:
        room[LEADERS + animal] = name
    else:
        room[SECONDS + animal] = max(room[SECONDS + animal], size)


@rule
def list_telling_spots(table: Record, room: Record) -> int:
    """Write the spots that differ in what they do to groups; returns how many.

    Of the spots that join one bare cell to cells that touch nothing, the first one stands for
    all.
    """
    if table.cells == 0:
        room[SPOTS] = spot(0, RIGHT)
        return 1
    n = 0
    for cell in range(1, table.cells + 1):
        address = table.address[cell]
        for direction in range(DIRECTIONS):
            near = beside(address, direction)
            other = cell_at(table, near)
            if other > 0:
                if direction <= BELOW and lies_across(table, cell, other, direction):
                    room[SPOTS + n] = spot(address, direction)
                    n += 1
            elif first_neighbour(table, near) == cell:
                n = list_telling_spots_beside(table, near, room, n)
    return n


@rule
def list_telling_spots_beside(table: Record, address: int, room: Record, n: int) -> int:
    """Add the spots of a bare cell beside the park: with its like, and one with a lonely cell."""
    lonely = False
    for direction in range(DIRECTIONS):
        near = beside(address, direction)
        if cell_at(table, near) > 0:
            continue
        if touches_park(table, near):
            if direction > BELOW:
                continue  # the other cell has this spot on its right or below it
        elif lonely:
            continue
        else:
            lonely = True
        where = spot(address, direction) if direction <= BELOW else spot(near, direction - 2)
        room[SPOTS + n] = where
        n += 1
    return n


# --- The park as it would be -----------------------------------------------------------------


@rule
def sizes_on(table: Record, address: int, room: Record) -> int:
    """Packed sizes of the group that each animal would have on a cell, the cell included.

    A neighbouring group counts once, however often it comes by. Bare cells add nothing.
    """
    right = cell_at(table, beside(address, 0))
    below = cell_at(table, beside(address, 1))
    left = cell_at(table, beside(address, 2))
    above = cell_at(table, beside(address, 3))
    a, b = room[LABELS + right], room[LABELS + below]
    c, d = room[LABELS + left], room[LABELS + above]
    sizes = EVERY_ONE + room[ADDS + right]
    sizes += room[ADDS + below] * (b != a)
    sizes += room[ADDS + left] * ((c != a) & (c != b))
    sizes += room[ADDS + above] * ((d != a) & (d != b) & (d != c))
    return sizes


@rule
def foresee(
    table: Record, where: int, one: int, other: int, here: int, there: int, room: Record
) -> bool:
    """Note the largest groups after a placement; False if they stay as they are."""
    if cell_at(table, where >> 1) > 0:
        return foresee_on_top(table, where, one, other, here, there, room)
    return foresee_beside(table, where, one, other, here, there, room)


@rule
def foresee_beside(
    table: Record, where: int, one: int, other: int, here: int, there: int, room: Record
) -> bool:
    """Note the largest groups once a tile lies on bare cells; False if they stay as they are.

    ``here`` and ``there`` are the sizes that groups have on its first and its second cell.
    """
    size, size_too = size_of(here, one), size_of(there, other)
    if one == other:
        if size + size_too <= room[LARGEST + one]:
            return False
        size = joint_group(table, where, one, room)
        size_too = size
    if size <= room[LARGEST + one] and size_too <= room[LARGEST + other]:
        return False
    for animal in range(len(ANIMALS)):
        room[AFTER + animal] = room[LARGEST + animal]
    room[AFTER + one] = max(room[AFTER + one], size)
    room[AFTER + other] = max(room[AFTER + other], size_too)
    return True


@rule
def joint_group(table: Record, where: int, animal: int, room: Record) -> int:
    """Size of the group that a double would have on a spot, wherever one of its cells touches."""
    first = where >> 1
    second = beside(first, where & 1)
    room[WALKS] += 1
    size = 2
    for place in range(2 * DIRECTIONS):
        near = beside(first if place < DIRECTIONS else second, place & 3)
        cell = cell_at(table, near)
        if cell == 0 or near in (first, second) or table.animal[cell] != animal:
            continue
        name = room[LABELS + cell]
        if room[MARKS + name] != room[WALKS]:
            room[MARKS + name] = room[WALKS]
            size += room[SIZES + name]
    return size


@rule
def foresee_on_top(
    table: Record, where: int, one: int, other: int, here: int, there: int, room: Record
) -> bool:
    """Note the largest groups once a tile lies across two; False if they stay as they are."""
    first = where >> 1
    cell, cell_too = cell_at(table, first), cell_at(table, beside(first, where & 1))
    covered, covered_too = table.animal[cell], table.animal[cell_too]
    if covered == one and covered_too == other:
        return False
    changed = False
    for animal in range(len(ANIMALS)):
        size = room[LARGEST + animal]
        if animal in (covered, covered_too):
            size = rest_below(table, cell, cell_too, one, other, animal, room)
        if animal in (one, other):
            grown = grown_on_top(
                table, where, cell, cell_too, one, other, here, there, animal, size, room
            )
            size = max(size, grown)
        room[AFTER + animal] = size
        changed |= size != room[LARGEST + animal]
    return changed


@rule
def rest_below(
    table: Record, cell: int, cell_too: int, one: int, other: int, animal: int, room: Record
) -> int:
    """Size of an animal's largest group, once a tile covers those of its cells that it does."""
    lost = table.animal[cell] == animal and one != animal
    lost_too = table.animal[cell_too] == animal and other != animal
    if lost and lost_too:
        return rest_without(table, cell, cell_too, room)
    if lost:
        return rest_of(table, cell, room)
    if lost_too:
        return rest_of(table, cell_too, room)
    return room[LARGEST + animal]


@rule
def grown_on_top(
    table: Record,
    where: int,
    cell: int,
    cell_too: int,
    one: int,
    other: int,
    here: int,
    there: int,
    animal: int,
    size: int,
    room: Record,
) -> int:
    """Size of the group that an animal has on the cells that it wins, if it can exceed a size."""
    won = one == animal and table.animal[cell] != animal
    won_too = other == animal and table.animal[cell_too] != animal
    if won and won_too:
        return joint_group(table, where, animal, room)
    # Where the other half covers the animal, it may cut off what the cell would join.
    if won:
        cuts = table.animal[cell_too] == animal and other != animal
        return reached_from(table, cell, cell_too, size_of(here, animal), cuts, animal, size, room)
    if won_too:
        cuts = table.animal[cell] == animal and one != animal
        return reached_from(table, cell_too, cell, size_of(there, animal), cuts, animal, size, room)
    return 0


@rule
def reached_from(
    table: Record,
    cell: int,
    closed: int,
    reached: int,
    cuts: bool,
    animal: int,
    size: int,
    room: Record,
) -> int:
    """Size of the group on a cell that an animal wins, its neighbour closed if that cuts it."""
    if not cuts:
        return reached
    return walk(table, cell, closed, animal, room) if reached - 1 > size else 0


@rule
def leads_group(table: Record, cell: int, room: Record) -> bool:
    """Whether a cell belongs to the largest group of its animal."""
    return cell > 0 and room[LABELS + cell] == room[LEADERS + table.animal[cell]]


@rule
def rest_of(table: Record, cell: int, room: Record) -> int:
    """Size of the largest group of a cell's animal once the cell is covered."""
    if room[RESTS + cell] == UNKNOWN:
        room[RESTS + cell] = rest_without(table, cell, cell, room)
    return room[RESTS + cell]


@rule
def rest_without(table: Record, cell: int, too: int, room: Record) -> int:
    """Size of the largest group of an animal once one or two of its cells are covered."""
    animal = table.animal[cell]
    leader = room[LEADERS + animal]
    if room[LABELS + cell] != leader and room[LABELS + too] != leader:
        return room[LARGEST + animal]
    room[WALKS] += 1
    room[MARKS + cell] = room[WALKS]
    room[MARKS + too] = room[WALKS]
    size = room[SECONDS + animal]
    for place in range(2 * DIRECTIONS):
        start = neighbour(table, cell if place < DIRECTIONS else too, place & 3)
        if start > 0 and table.animal[start] == animal:
            size = max(size, walk_on(table, start, animal, room))
    return size


@rule
def walk(table: Record, start: int, closed: int, animal: int, room: Record) -> int:
    """Size of an animal's group around a cell that becomes part of it, another one closed."""
    room[WALKS] += 1
    room[MARKS + closed] = room[WALKS]
    return walk_on(table, start, animal, room)


@rule
def walk_on(table: Record, start: int, animal: int, room: Record) -> int:
    """Cells of an animal that one reaches from a cell, as far as this walk was not there yet."""
    if room[MARKS + start] == room[WALKS]:
        return 0
    room[MARKS + start] = room[WALKS]
    room[TRAIL] = start
    reached, visited = 1, 0
    while visited < reached:
        cell = room[TRAIL + visited]
        visited += 1
        for direction in range(DIRECTIONS):
            near = neighbour(table, cell, direction)
            if near == 0 or table.animal[near] != animal or room[MARKS + near] == room[WALKS]:
                continue
            room[MARKS + near] = room[WALKS]
            room[TRAIL + reached] = near
            reached += 1
    return reached

"""What a strategy wants, and the placement that gives most of it.

The wants stand in an array of numbers; the places named below say which means what.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastic_park import is_double, placement
from simlab.games.fantastic_park.park import beside, cell_at
from simlab.games.fantastic_park.records import ANIMALS, MOST_HAND, PAIRS
from simlab.policies.fantastic_park.survey import (
    AFTER,
    FIELD,
    HELD,
    LARGEST,
    LIMITS,
    SPOTS,
    foresee,
    leads_group,
    list_telling_spots,
    only,
    packed,
    size_of,
    sizes_on,
    some_larger,
)

# --- What a strategy wants -------------------------------------------------------------------

ONE = 0
"""Worth of a cell in the largest group of a tile's first animal, were the tile kept; by tile."""
OTHER = ONE + PAIRS
"""Worth of a cell in the largest group of its second animal."""
BONUS = OTHER + PAIRS
"""Worth of keeping the tile itself."""
SPOIL = BONUS + PAIRS
"""What a cell in the largest group of an animal costs, because others score it; by animal."""
ON_TOP = SPOIL + len(ANIMALS)
"""Worth of laying a tile on top."""
SPARE = ON_TOP + 1
"""Share of the second best tile's worth that counts, should the best one turn out badly."""
QUIET = SPARE + 1
"""Worth of each placement that changes no largest group, by place in HELD."""
WANTS = QUIET + MOST_HAND


@rule
def new_wants() -> Record:
    """Wants nothing yet: an array of WANTS zeros."""
    return np.zeros(WANTS)


# --- The best placement ----------------------------------------------------------------------


@rule
def worth(hand: Record, placed: int, sizes: int, room: Record, held: int, wants: Record) -> float:
    """What the hand that is left is worth, if the largest groups stand at a place of the room."""
    best, next_best = -1e18, -1e18
    for place in range(held):
        tile = room[HELD + place]
        if tile == placed and hand[tile] == 1:
            continue
        value = wants[BONUS + tile]
        value += wants[ONE + tile] * room[sizes + (tile >> 2)]
        value += wants[OTHER + tile] * room[sizes + (tile & 3)]
        if value > best:
            best, next_best = value, best
        else:
            next_best = max(next_best, value)
    if next_best > -1e17:
        best += wants[SPARE] * next_best
    for animal in range(len(ANIMALS)):
        best -= wants[SPOIL + animal] * room[sizes + animal]
    return best


@rule
def harmless(wants: Record) -> bool:
    """Whether a strategy wants nothing but large groups of its own."""
    harm = wants[ON_TOP] != 0.0
    for animal in range(len(ANIMALS)):
        harm |= wants[SPOIL + animal] != 0.0
    return not harm


@rule
def list_held(hand: Record, room: Record) -> int:
    """Write the tiles of a hand, equal ones once; returns how many."""
    n = 0
    for tile in range(PAIRS):
        if hand[tile] > 0:
            room[HELD + n] = tile
            n += 1
    return n


@rule
def prepare(own: Record, room: Record, wants: Record) -> int:
    """List the tiles held, what each is worth if it changes nothing, and what sizes matter."""
    held = list_held(own.hand, room)
    for place in range(held):
        tile = room[HELD + place]
        wants[QUIET + place] = worth(own.hand, tile, LARGEST, room, held, wants)
        room[LIMITS + place] = sizes_to_exceed(own.hand, tile, room, held, wants)
    return held


@rule
def quietest(wants: Record, held: int) -> int:
    """Place in HELD of the tile that is best laid where it changes nothing."""
    best = 0
    for place in range(1, held):
        if wants[QUIET + place] > wants[QUIET + best]:
            best = place
    return best


@rule
def sizes_to_exceed(hand: Record, placed: int, room: Record, held: int, wants: Record) -> int:
    """Packed sizes of the largest groups; of animals that nobody minds, more than there can be."""
    limits = 0
    for animal in range(len(ANIMALS)):
        minded = wants[SPOIL + animal] != 0.0
        for place in range(held):
            tile = room[HELD + place]
            if tile != placed or hand[tile] > 1:
                minded |= tile >> 2 == animal or tile & 3 == animal
        limits += packed(animal, room[LARGEST + animal] if minded else FIELD >> 1)
    return limits


@rule
def best_placement(table: Record, own: Record, room: Record, wants: Record) -> int:
    """Move after which a hand is worth most; call `survey` before."""
    held = prepare(own, room, wants)
    quiet, mild = quietest(wants, held), harmless(wants)
    best, best_score = -1, -1e18
    for place in range(list_telling_spots(table, room)):
        best, best_score = judge_spot(
            table, own, room[SPOTS + place], room, wants, held, quiet, mild, best, best_score
        )
    return best


@rule
def judge_spot(
    table: Record,
    own: Record,
    where: int,
    room: Record,
    wants: Record,
    held: int,
    quiet: int,
    mild: bool,
    best: int,
    best_score: float,
) -> tuple[int, float]:
    """The best move so far and its worth, once a spot was looked at.

    Most spots change nothing that matters, whatever is laid there. If all that a strategy wants
    is larger groups of its own (``mild``), placements that only make groups smaller are left out:
    there is always a bare spot that does no harm.
    """
    first = where >> 1
    second = beside(first, where & 1)
    cell, cell_too = cell_at(table, first), cell_at(table, second)
    here, there = sizes_on(table, first, room), sizes_on(table, second, room)
    leads, leads_too = False, False
    if cell > 0:
        # What shows already cannot be won; what is covered there may be lost.
        here -= only(here, table.animal[cell])
        there -= only(there, table.animal[cell_too])
        leads, leads_too = leads_group(table, cell, room), leads_group(table, cell_too, room)
    bonus = wants[ON_TOP] * (cell > 0)
    if not some_growth(here + there, room, held) and (mild or not (leads or leads_too)):
        score = wants[QUIET + quiet] + bonus
        if score > best_score and not (leads or leads_too):
            best, best_score = PAIRS * where + room[HELD + quiet], score
        return best, best_score
    for number in range(held):
        tile = room[HELD + number]
        for turn in range(1 if is_double(tile) or table.cells == 0 else 2):
            one, other = (tile >> 2, tile & 3) if turn == 0 else (tile & 3, tile >> 2)
            grows = may_grow(here, there, one, other, room[LIMITS + number])
            loses = leads and table.animal[cell] != one
            loses |= leads_too and table.animal[cell_too] != other
            if mild and loses and not grows:
                continue
            if mild and grows:
                hope_for(one, other, here, there, room)
                if worth(own.hand, tile, AFTER, room, held, wants) <= best_score:
                    continue
            score = wants[QUIET + number]
            if (grows or loses) and foresee(table, where, one, other, here, there, room):
                score = worth(own.hand, tile, AFTER, room, held, wants)
            if score + bonus > best_score:
                best, best_score = placement(where, one, other), score + bonus
    return best, best_score


@rule
def some_growth(sizes: int, room: Record, held: int) -> bool:
    """Whether sizes exceed what matters once some tile is placed."""
    found = False
    for place in range(held):
        found |= some_larger(sizes, room[LIMITS + place])
    return found


@rule
def may_grow(here: int, there: int, one: int, other: int, limits: int) -> bool:
    """Whether a tile may make a group larger than what matters."""
    if one == other:
        return some_larger(only(here + there, one), limits)
    return some_larger(only(here, one) + only(there, other), limits)


@rule
def hope_for(one: int, other: int, here: int, there: int, room: Record) -> None:
    """Note the largest groups that a placement makes at best: nothing lost, nothing cut off."""
    for animal in range(len(ANIMALS)):
        room[AFTER + animal] = room[LARGEST + animal]
    size, size_too = size_of(here, one), size_of(there, other)
    if one == other:
        size += size_too
    room[AFTER + one] = max(room[AFTER + one], size)
    room[AFTER + other] = max(room[AFTER + other], size_too)

"""The strategies of Fantastic Park: functions of what a seat may know, and a row of numbers.

Most say what they want, and let `survey` find the placement that gives most of it.
"""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.contract import policy
from simlab.games.fantastic_park import GAME, pair, spot
from simlab.games.fantastic_park.park import beside, cell_at, lies_across, neighbour
from simlab.games.fantastic_park.records import (
    ANIMALS,
    DIRECTIONS,
    NOTHING,
    PAIRS,
    RIGHT,
    is_double,
)
from simlab.games.fantastic_park.rules import fits_hand, ways_to_lay
from simlab.policies.fantastic_park.survey import LARGEST, survey
from simlab.policies.fantastic_park.wishes import (
    BONUS,
    ON_TOP,
    ONE,
    OTHER,
    SPARE,
    SPOIL,
    best_placement,
    new_wants,
)
from simlab.streams import below

# --- Drawing lots ----------------------------------------------------------------------------

BESIDE_PATTERNS, ON_TOP_PATTERNS = 12, 2
PATTERNS = BESIDE_PATTERNS + ON_TOP_PATTERNS
TICKETS = 60
"""Divisible by every number of contacts that a spot can have, 1 to 6."""


@rule
def random_spot(table: Record, rng: Record) -> int:
    """Draw a spot, every one equally likely, without listing them.

    From a random cell one looks in a random way: at the spot across it and its neighbour on the
    right or below, or at one of the twelve spots that lie beside it. A spot with several contacts
    to the park is found in as many ways, and is taken so many times less often.
    """
    if table.cells == 0:
        return spot(0, RIGHT)
    while True:
        draw = below(rng, table.cells * PATTERNS * TICKETS)
        ticket, draw = draw % TICKETS, draw // TICKETS
        pattern, cell = draw % PATTERNS, 1 + draw // PATTERNS
        address = table.address[cell]
        if pattern >= BESIDE_PATTERNS:
            axis = pattern - BESIDE_PATTERNS
            other = neighbour(table, cell, axis)
            if other > 0 and lies_across(table, cell, other, axis):
                return spot(address, axis)
            continue
        out, on = pattern // 3, pattern % 3
        near = beside(address, out)
        way = (out + 3 + on) & 3  # on to the left, straight on, or to the right: never back
        far = beside(near, way)
        if cell_at(table, near) > 0 or cell_at(table, far) > 0:
            continue
        if ticket * (contacts(table, near) + contacts(table, far)) < TICKETS:
            return spot(near, way) if way < 2 else spot(far, way - 2)


@rule
def contacts(table: Record, address: int) -> int:
    """How many cells of the park are around an address."""
    found = 0
    for direction in range(DIRECTIONS):
        found += cell_at(table, beside(address, direction)) > 0
    return found


@policy(GAME)
def random(rules, table, own, moves, weights, rng):
    """Draws lots: every legal move is equally likely.

    The yardstick that any idea has to beat.
    """
    where = random_spot(table, rng)
    left = below(rng, ways_to_lay(table, own.hand))
    for shown in range(PAIRS):
        if fits_hand(table, own.hand, shown):
            if left == 0:
                return PAIRS * where + shown
            left -= 1
    return -1


# --- What a tile would score -----------------------------------------------------------------


@rule
def want_points(wants: Record) -> None:
    """Want what each tile would score if its animals were on others' tiles, too."""
    for tile in range(PAIRS):
        wants[ONE + tile] = 2.0 if is_double(tile) else 1.0
        wants[OTHER + tile] = 0.0 if is_double(tile) else 1.0


@rule
def shows(tile: int, animal: int) -> bool:
    """Whether a tile shows an animal."""
    return tile >> 2 == animal or tile & 3 == animal


@rule
def share_of_unseen(table: Record, own: Record, animal: int) -> float:
    """Share of the tiles this seat has never seen that show an animal."""
    showing, in_all = 0, 0
    for tile in range(PAIRS):
        copies = table.unseen[tile] - own.hand[tile] + (table.known[own.seat] == tile)
        in_all += copies
        if shows(tile, animal):
            showing += copies
    return showing / max(1, in_all)


@rule
def chance_to_keep(table: Record, own: Record, room: Record, animal: int, pull: float) -> float:
    """Chance that a rival of whose hand nothing is known keeps an animal.

    It is the animal's share of the unseen tiles; rivals are drawn to animals whose largest group
    is above the mean, in proportion times `pull`.
    """
    mean = 0.0
    for other in range(len(ANIMALS)):
        mean += room[LARGEST + other] / len(ANIMALS)
    share = share_of_unseen(table, own, animal)
    if mean > 0.0:
        share *= 1.0 + pull * (room[LARGEST + animal] / mean - 1.0)
    return min(0.95, max(0.05, share))


@rule
def chance_to_show(table: Record, seat: int, animal: int, stays: float, drawn: float) -> float:
    """Chance that a rival will show an animal.

    A tile that all know stays in the hand with chance `stays`; another one shows the animal with
    chance `drawn`.
    """
    known = table.known[seat]
    if known == NOTHING:
        return drawn
    return stays * shows(known, animal) + (1.0 - stays) * drawn


@rule
def want_animal(rules: Record, wants: Record, animal: int, alone: float) -> None:
    """Want the expected points of all tiles with an animal that counts twice with some chance."""
    for tile in range(PAIRS):
        if tile == pair(animal, animal):
            wants[ONE + tile] = 2.0 + (rules.double_unique - 2.0) * alone
        elif tile >> 2 == animal:
            wants[ONE + tile] = 1.0 + alone
        elif tile & 3 == animal:
            wants[OTHER + tile] = 1.0 + alone


@rule
def want_what_rivals_leave(
    rules: Record,
    table: Record,
    own: Record,
    room: Record,
    wants: Record,
    stays: float,
    pull: float,
    trust: float,
    spoil: float,
) -> None:
    """Want points by the chances to be alone, and that rivals' animals stand in small groups.

    Parameters
    ----------
    rules, table, own, room, wants
    stays, pull : float
        How rivals are taken to keep tiles; see `chance_to_show` and `chance_to_keep`.
    trust : float
        How much of the chance to be alone counts.
    spoil : float
        What a cell in the largest group of an animal costs for each rival sure to show it.
    """
    for animal in range(len(ANIMALS)):
        drawn = chance_to_keep(table, own, room, animal, pull)
        alone, showing = 1.0, 0.0
        for seat in range(rules.players):
            if seat != own.seat:
                chance = chance_to_show(table, seat, animal, stays, drawn)
                alone *= 1.0 - chance
                showing += chance
        want_animal(rules, wants, animal, trust * alone)
        wants[SPOIL + animal] = spoil * showing


# --- The strategies --------------------------------------------------------------------------


@policy(GAME)
def grower(rules, table, own, moves, weights, rng):
    """Lays each tile so that the best tile left in its hand would score most at once.

    It looks at no rival. What most people do in their first game.
    """
    survey(table, moves)
    wants = new_wants()
    want_points(wants)
    return best_placement(table, own, moves, wants)


@policy(GAME, double=4.0, support=1.0)
def keeper(rules, table, own, moves, weights, rng):
    """Decides at the start of a round which tile to keep, and lays all others for it.

    The tile is the one that would score most now; a double counts `double` points more, and each
    half of the other tiles in the hand that shows one of its animals `support` points.
    """
    survey(table, moves)
    if own.notes[0] != table.round_number:
        own.notes[0] = table.round_number
        own.notes[1] = tile_to_keep(own.hand, moves, weights[0], weights[1])
    wants = new_wants()
    want_points(wants)
    wants[BONUS + own.notes[1]] = SURELY
    return best_placement(table, own, moves, wants)


SURELY = 1e6
"""Bonus that no number of points makes up for."""


@rule
def tile_to_keep(hand: Record, room: Record, double: float, support: float) -> int:
    """The tile of a hand that promises most points."""
    best, best_score = 0, -1e9
    for tile in range(PAIRS):
        if hand[tile] == 0:
            continue
        score = room[LARGEST + (tile >> 2)] + room[LARGEST + (tile & 3)] + double * is_double(tile)
        for other in range(PAIRS):
            halves = shows(tile, other >> 2) + shows(tile, other & 3)
            score += support * halves * (hand[other] - (other == tile))
        if score > best_score:
            best, best_score = tile, score
    return best


@policy(GAME, mine=0.5, stays=0.7)
def cutter(rules, table, own, moves, weights, rng):
    """Covers and splits the groups of the animals that the others seem to build.

    It takes a rival to keep the tile that was shown last with chance `stays`, else any unseen
    tile. A cell in a group costs as much as rivals are expected to score for it; points of its
    own count `mine` times.
    """
    survey(table, moves)
    wants = new_wants()
    want_what_rivals_leave(rules, table, own, moves, wants, weights[1], 0.0, 0.0, 1.0)
    for tile in range(PAIRS):
        wants[ONE + tile] *= weights[0]
        wants[OTHER + tile] *= weights[0]
    return best_placement(table, own, moves, wants)


@policy(GAME, bonus=8.0)
def double_hunter(rules, table, own, moves, weights, rng):
    """Keeps a double as long as it has one, and builds one large group for it.

    A double is kept unless another tile would score `bonus` points more.
    """
    survey(table, moves)
    wants = new_wants()
    want_points(wants)
    for animal in range(len(ANIMALS)):
        wants[BONUS + pair(animal, animal)] = weights[0]
    return best_placement(table, own, moves, wants)


@policy(GAME, stays=0.7, trust=1.0)
def lone_wolf(rules, table, own, moves, weights, rng):
    """Keeps what nobody else will show, since an animal alone counts twice.

    Rivals keep the tile that was shown last with chance `stays`, else any unseen tile; the chance
    to be alone with an animal counts `trust` times.
    """
    survey(table, moves)
    wants = new_wants()
    want_what_rivals_leave(rules, table, own, moves, wants, weights[0], 0.0, weights[1], 0.0)
    return best_placement(table, own, moves, wants)


PLANNER = {
    "stays": 0.85,
    "pull": 1.8,
    "trust": 0.8,
    "spoil": 0.75,
    "late": -0.4,
    "double": -1.5,
    "spare": 0.3,
    "top": 0.2,
}
STAYS, PULL, TRUST, SPOILING, LATE, DOUBLE, INSURED, TOP = range(8)


@policy(GAME, **PLANNER)
def planner(rules, table, own, moves, weights, rng):
    """Weighs the points of the tile it keeps against those of the others, by what it knows.

    Rivals keep the tile that was shown last with chance `stays`, else an unseen one, drawn to the
    larger groups by `pull`. The chance to be alone with an animal counts `trust` times; a cell in
    a group costs `spoil` for each rival expected to show it, `late` more with each tile laid in
    the round (as a share of all). A double is worth `double` points more than it would score now,
    the second best tile left counts by `spare`, and laying a tile on top is worth `top`.

    Alone against 3xgrower it wins 65 % of the games. Whether other weights do better is asked by
    ``simlab tune fantastic-park planner --against 3xgrower --against 'planner cutter lone-wolf'``;
    on fresh deals the answer of 300,000 games gains nothing over these.
    """
    survey(table, moves)
    wants = new_wants()
    done = table.turn / (rules.players * (rules.hand - 1))
    spoil = weights[SPOILING] + weights[LATE] * done
    want_what_rivals_leave(
        rules, table, own, moves, wants, weights[STAYS], weights[PULL], weights[TRUST], spoil
    )
    for animal in range(len(ANIMALS)):
        wants[BONUS + pair(animal, animal)] = weights[DOUBLE]
    wants[SPARE] = weights[INSURED]
    wants[ON_TOP] = weights[TOP]
    return best_placement(table, own, moves, wants)

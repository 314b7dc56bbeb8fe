"""The map: six regions in three rows of two, seven creatures between them."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.records import GEMS_LOST, NOTHING, REGIONS, SPACES


@rule
def beyond(rules: Record, space: int, place: int) -> int:
    """Place behind a space, seen from another place; NOTHING if the space is not beside it."""
    if rules.ends[space, 0] == place:
        return rules.ends[space, 1]
    if rules.ends[space, 1] == place:
        return rules.ends[space, 0]
    return NOTHING


@rule
def can_fly(rules: Record, table: Record, seat: int, space: int) -> bool:
    """Whether one can fly over a space: a creature there joins two regions."""
    if beyond(rules, space, table.place[seat]) == NOTHING:
        return False
    return table.creature_at[space] != NOTHING or rules.fly_empty != 0


@rule
def can_fly_somewhere(rules: Record, table: Record, seat: int) -> bool:
    """Whether there is anything to fly over."""
    for space in range(SPACES):
        if can_fly(rules, table, seat, space):
            return True
    return False


@rule
def within_reach(rules: Record, table: Record, seat: int, steps: int) -> int:
    """Places that so many steps over creatures lead to, one bit each; the own one is left out."""
    reached = 1 << table.place[seat]
    for _ in range(steps):
        further = reached
        for space in range(SPACES):
            if table.creature_at[space] == NOTHING and rules.fly_empty == 0:
                continue
            one, other = rules.ends[space, 0], rules.ends[space, 1]
            if (reached >> one) & 1:
                further |= 1 << other
            if (reached >> other) & 1:
                further |= 1 << one
        reached = further
    return reached & ~(1 << table.place[seat])


@rule
def twin_statue(table: Record, place: int) -> int:
    """The other place with the same statue."""
    for other in range(REGIONS):
        if other != place and table.statue_at[other] == table.statue_at[place]:
            return other
    return NOTHING


@rule
def creatures_on_table(table: Record) -> int:
    """Spaces with a creature."""
    found = 0
    for space in range(SPACES):
        found += table.creature_at[space] != NOTHING
    return found


@rule
def are_opponents(rules: Record, seat: int, other: int) -> bool:
    """Whether two seats play against each other."""
    if rules.teams != 0:
        return (seat + other) % 2 == 1
    return seat != other


@rule
def some_opponent_here(rules: Record, table: Record, seat: int) -> bool:
    """Whether an opponent stands in the same region."""
    for other in range(rules.players):
        if are_opponents(rules, seat, other) and table.place[other] == table.place[seat]:
            return True
    return False


@rule
def take_gems(table: Record, seat: int, gems: int) -> int:
    """Give a seat gems from the supply, as far as they go; returns how many."""
    gems = min(gems, table.gem_supply)
    table.gem_supply -= gems
    table.gems[seat] += gems
    return gems


@rule
def pay_gems(table: Record, seat: int, gems: int) -> None:
    """Return gems of a seat to the supply."""
    table.gems[seat] -= gems
    table.gem_supply += gems


# --- Refilling the spaces between regions ---------------------------------------------------


@rule
def next_creature(table: Record, hidden: Record) -> int:
    """Turn up the next card of the creature deck; the deck has one."""
    kind = np.int64(hidden.deck[hidden.next])
    hidden.next += 1
    table.deck_cards -= 1
    if table.mixed > 0:
        table.mixed -= 1
        if table.mixed_in[kind] > 0:
            table.mixed_in[kind] -= 1
            return kind
    if table.upper[kind] > 0:
        table.upper[kind] -= 1
    else:
        table.lower[kind] -= 1
    return kind


@rule
def lay_creature(rules: Record, table: Record, space: int, kind: int) -> None:
    """Lay a creature between two regions, with its gem."""
    table.creature_at[space] = kind
    gems = min(rules.gem[kind], table.gem_supply)
    table.gems_at[space] = gems
    table.gem_supply -= gems


@rule
def raid(rules: Record, table: Record, hidden: Record, kind: int) -> None:
    """An event: who has most gems loses a part, unless those are too few to be noticed."""
    most = 0
    for seat in range(rules.players):
        most = max(most, table.gems[seat])
    if most < rules.spares_below[kind]:
        return
    for seat in range(rules.players):
        if table.gems[seat] == most:
            lost = most // rules.divides_by[kind]
            pay_gems(table, seat, lost)
            hidden.tally[seat, GEMS_LOST] += lost

"""Going on an adventure: subdue a creature, step over, and on to the next one."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.board import beyond
from simlab.games.fantastiqa.payments import can_pay, paid
from simlab.games.fantastiqa.records import (
    FOR_CREATURE,
    FREE,
    GEMS_EARNED,
    NOTHING,
    PAYING,
    SPACES,
    SUBDUED_1,
    TRAVELLING,
)
from simlab.games.fantastiqa.rucksack import leave_hand, leave_token, to_discard


@rule
def can_subdue(rules: Record, table: Record, own: Record, space: int) -> bool:
    """Whether the creature at a space is beside the adventurer and can be paid for."""
    if space >= SPACES or table.creature_at[space] == NOTHING:
        return False
    there = beyond(rules, space, table.place[own.seat])
    if there == NOTHING:
        return False
    if table.phase == TRAVELLING and rules.loops == 0 and (table.visited >> there) & 1:
        return False
    return can_pay(rules, table, own, FOR_CREATURE, space)


@rule
def begin_payment(table: Record, what: int, target: int) -> None:
    """Ask for cards towards a creature or a Quest."""
    table.phase = PAYING
    table.paying_for = what
    table.target = target
    table.laid_cards = 0


@rule
def set_out(table: Record, own: Record, space: int) -> None:
    """Begin or go on with an adventure."""
    if table.acted == 0:
        table.acted = 1
        table.visited = 1 << table.place[own.seat]
    begin_payment(table, FOR_CREATURE, space)


@rule
def lay_card(rules: Record, table: Record, own: Record, card: int, from_token: int) -> bool:
    """Lay a card, for all to see; returns whether that is enough now."""
    if from_token:
        leave_token(table, own, card)
    else:
        leave_hand(table, own, card)
    table.laid[table.laid_cards] = card
    table.laid_cards += 1
    return paid(rules, table, own.seat)


@rule
def discard_laid(table: Record, seat: int) -> None:
    """Put the cards that were laid on the discard pile."""
    for place in range(table.laid_cards):
        to_discard(table, seat, np.int64(table.laid[place]))
        table.laid[place] = 0
    table.laid_cards = 0
    table.paying_for = 0
    table.target = 0


@rule
def step_over(rules: Record, state: Record, own: Record) -> None:
    """Recruit the creature that was paid for, and move to the region behind it.

    Cards, creature and gems go where they belong at once: nothing can be done with them before
    the adventure is over.
    """
    table, tally = state.table, state.hidden.tally
    seat, space = own.seat, table.target
    creature = table.creature_at[space]
    table.place[seat] = beyond(rules, space, table.place[seat])
    table.visited |= 1 << table.place[seat]
    discard_laid(table, seat)
    to_discard(table, seat, creature)
    table.gems[seat] += table.gems_at[space]
    tally[seat, GEMS_EARNED] += table.gems_at[space]
    tally[seat, SUBDUED_1 + rules.level[creature] - 1] += 1
    table.creature_at[space] = NOTHING
    table.gems_at[space] = 0
    table.phase = TRAVELLING
    for further in range(SPACES):
        if can_subdue(rules, table, own, further):
            return
    stop_travelling(table)


@rule
def stop_travelling(table: Record) -> None:
    """The adventure is over."""
    table.visited = 0
    table.phase = FREE

"""Quests: committing cards to them, and completing them."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.adventure import begin_payment, discard_laid
from simlab.games.fantastiqa.board import take_gems
from simlab.games.fantastiqa.payments import (
    can_pay,
    committed_jokers,
    committed_symbols,
    paid,
)
from simlab.games.fantastiqa.records import (
    BY_GOAL,
    EXCESS,
    FINISHED,
    FOR_OPEN,
    FOR_PERSONAL,
    FREE,
    GEMS_EARNED,
    MOST_COMMITTED,
    NOTHING,
    OPEN,
    OPEN_QUESTS,
    PERSONAL_QUESTS,
    QUESTS_1,
    SLOTS,
)
from simlab.games.fantastiqa.rucksack import (
    hide_card,
    holds,
    leave_hand,
    leave_token,
    put_in,
    take_out,
    to_discard,
)
from simlab.games.fantastiqa.symbols import jokers_of, missing, symbols_of


@rule
def quest_at(table: Record, seat: int, place: int) -> int:
    """Quest card at a place of a `complete` move: personal slots first, then the open ones."""
    if place < SLOTS:
        return table.quests[seat, place]
    if place < SLOTS + OPEN:
        return table.open_quests[place - SLOTS]
    return NOTHING


@rule
def can_complete(rules: Record, table: Record, own: Record, place: int) -> bool:
    """Whether a Quest is to be completed in this region, and all cards together are enough."""
    quest = quest_at(table, own.seat, place)
    if quest == NOTHING or rules.region[quest] != table.region_at[table.place[own.seat]]:
        return False
    if place < SLOTS:
        return can_pay(rules, table, own, FOR_PERSONAL, place)
    return can_pay(rules, table, own, FOR_OPEN, place - SLOTS)


@rule
def begin_completing(rules: Record, state: Record, own: Record, place: int) -> None:
    """Ask for cards towards a Quest; committed ones may be enough already."""
    table = state.table
    table.acted = 1
    if place < SLOTS:
        begin_payment(table, FOR_PERSONAL, place)
        if paid(rules, table, own.seat):
            complete_quest(rules, state, own)
    else:
        begin_payment(table, FOR_OPEN, place - SLOTS)


@rule
def complete_quest(rules: Record, state: Record, own: Record) -> None:
    """Turn the Quest that was paid for face down: reward, points, and perhaps the game."""
    table, tally = state.table, state.hidden.tally
    seat, place = own.seat, table.target
    if table.paying_for == FOR_PERSONAL:
        quest = table.quests[seat, place]
        discard_committed(table, seat, place)
        table.quests[seat, place] = NOTHING
        table.points[seat] += 2 * rules.cups[quest]
        tally[seat, PERSONAL_QUESTS] += 1
    else:
        quest = table.open_quests[place]
        table.open_quests[place] = NOTHING
        table.points[seat] += rules.cups[quest] + table.open_bonus[place]
        table.bonus[seat] += table.open_bonus[place]
        table.open_bonus[place] = 0
        tally[seat, OPEN_QUESTS] += 1
    discard_laid(table, seat)
    table.completed[seat] += 1
    tally[seat, QUESTS_1 + rules.cups[quest] - 1] += 1
    tally[seat, GEMS_EARNED] += take_gems(table, seat, rules.reward[quest])
    table.phase = FREE
    if side_points(rules, table, seat) >= rules.goal:
        table.ended = BY_GOAL
        table.phase = FINISHED
        table.to_move = -1


@rule
def side_points(rules: Record, table: Record, seat: int) -> int:
    """Points of a seat, or of its team."""
    if rules.teams == 0:
        return table.points[seat]
    return table.points[seat] + table.points[(seat + 2) % 4]


# --- Committing -----------------------------------------------------------------------------


@rule
def can_commit(rules: Record, table: Record, own: Record, slot: int, card: int) -> bool:
    """Whether a card of the hand brings the Quest in a slot nearer: it shows what is lacking."""
    seat = own.seat
    quest = table.quests[seat, slot]
    if quest == NOTHING or table.committed_cards[seat, slot] == MOST_COMMITTED:
        return False
    if not holds(own.hand, table.hand_cards[seat], card):
        return False
    needs = rules.needs[quest]
    pile = committed_symbols(rules, table, seat, slot)
    jokers = committed_jokers(rules, table, seat, slot)
    more, more_jokers = pile + symbols_of(rules, card), jokers + jokers_of(rules, card)
    return missing(needs, more, more_jokers) < missing(needs, pile, jokers)


@rule
def commit_card(rules: Record, table: Record, own: Record, slot: int, card: int) -> None:
    """Tuck a card of the hand behind a personal Quest, for all to see."""
    seat = own.seat
    leave_hand(table, own, card)
    put_in(table.committed[seat, slot], table.committed_cards[seat, slot], card)
    table.committed_cards[seat, slot] += 1


@rule
def withdraw_card(table: Record, seat: int, slot: int, card: int) -> None:
    """Discard a card that was committed to a personal Quest."""
    take_out(table.committed[seat, slot], table.committed_cards[seat, slot], card)
    table.committed_cards[seat, slot] -= 1
    to_discard(table, seat, card)


@rule
def discard_committed(table: Record, seat: int, slot: int) -> None:
    """Discard all cards that were committed to a personal Quest."""
    for place in range(table.committed_cards[seat, slot]):
        to_discard(table, seat, np.int64(table.committed[seat, slot, place]))
        table.committed[seat, slot, place] = 0
    table.committed_cards[seat, slot] = 0


@rule
def can_hide(table: Record, own: Record, card: int) -> bool:
    """Whether a card of the hand may go under the Quest token; one too many can."""
    return holds(own.hand, table.hand_cards[own.seat], card)


@rule
def hide(rules: Record, table: Record, own: Record, card: int) -> None:
    """Put a card of the hand under the Quest token; if it is one too many, one has to go."""
    hide_card(table, own, card)
    if table.token_cards[own.seat] > rules.token_limit:
        table.phase = EXCESS


@rule
def withdraw_hidden(rules: Record, table: Record, own: Record, card: int) -> None:
    """Discard a card from under the Quest token."""
    leave_token(table, own, card)
    to_discard(table, own.seat, card)
    table.phase = FREE


@rule
def claim_quest(rules: Record, table: Record, seat: int, quest: int) -> None:
    """Lay a Quest face up before a player; until it is completed its cups are lost."""
    slot = 0
    while table.quests[seat, slot] != NOTHING:
        slot += 1
    table.quests[seat, slot] = quest
    table.points[seat] -= rules.cups[quest]


@rule
def free_slots(rules: Record, table: Record, seat: int) -> int:
    """Personal Quests that a player may still claim."""
    taken = 0
    for slot in range(SLOTS):
        taken += table.quests[seat, slot] != NOTHING
    return rules.quest_limit - taken

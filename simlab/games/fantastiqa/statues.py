"""Visiting a statue: draw and buy or claim, release cards, or teleport."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.board import pay_gems, twin_statue
from simlab.games.fantastiqa.quests import claim_quest, free_slots
from simlab.games.fantastiqa.records import (
    ADDING,
    ARTIFACTS_BOUGHT,
    AT_STATUE,
    BEAST,
    BEASTS_BOUGHT,
    BUYING,
    CARDS_RELEASED,
    CHEST,
    CLAIMING,
    DOUBLED,
    DRAGON,
    DRAW,
    FREE,
    GEMS_PAID_CARDS,
    GEMS_PAID_RELEASE,
    GEMS_PAID_TELEPORT,
    MOST_DRAWN,
    NOTHING,
    QUESTS,
    RELEASE,
    RELEASING,
    STATUE,
    VISITS,
)
from simlab.games.fantastiqa.rucksack import (
    discard_card,
    holds,
    leave_hand,
    off_discard,
    to_discard,
)
from simlab.streams import SHUFFLE, open_stream, purpose_of, shuffle

SUPPLIES = 8
"""Index of the first supply among the streams that shuffle."""
ONE = np.uint64(1)


@rule
def statue_here(table: Record, seat: int) -> int:
    """Statue in the region where an adventurer stands."""
    return table.statue_at[table.place[seat]]


# --- What can be done here ------------------------------------------------------------------


@rule
def can_draw_here(rules: Record, table: Record, seat: int) -> bool:
    """Whether cards may be drawn; of Quests one must be claimed, so there has to be room for it."""
    if statue_here(table, seat) != CHEST:
        return True
    quests = table.supply_cards[CHEST] + table.returned_cards[CHEST]
    return quests > 0 and free_slots(rules, table, seat) > 0


@rule
def can_teleport(rules: Record, table: Record, seat: int) -> bool:
    """Whether there is another such statue, and gems for it."""
    paid = table.gems[seat] >= rules.teleport_cost
    return paid and twin_statue(table, table.place[seat]) != NOTHING


@rule
def can_let_go(rules: Record, table: Record, own: Record) -> bool:
    """Whether there is a card to release, and gems for it; dragons stay."""
    seat = own.seat
    if table.gems[seat] < rules.release_cost:
        return False
    for place in range(table.hand_cards[seat]):
        if is_releasable(rules, np.int64(own.hand[place])):
            return True
    return table.discard_cards[seat] > np.int64(table.discard[seat, rules.dragon])


@rule
def is_releasable(rules: Record, card: int) -> bool:
    """Whether a card may be released at all."""
    return rules.group[card % DOUBLED] != DRAGON


@rule
def can_visit(rules: Record, table: Record, own: Record) -> bool:
    """Whether anything can be done at the statue."""
    if can_draw_here(rules, table, own.seat) or can_teleport(rules, table, own.seat):
        return True
    return rules.release_limit > 0 and can_let_go(rules, table, own)


@rule
def can_visit_by_key(rules: Record, table: Record, own: Record) -> bool:
    """The same for a visit by a card, which could itself be released."""
    seat = own.seat
    if can_draw_here(rules, table, seat) or can_teleport(rules, table, seat):
        return True
    return rules.release_limit > 0 and table.gems[seat] >= rules.release_cost


@rule
def may_at_statue(rules: Record, table: Record, own: Record, verb: int) -> bool:
    """Whether one of the three things can be done in this visit."""
    if verb == DRAW:
        return can_draw_here(rules, table, own.seat)
    if verb == RELEASE:
        return rules.release_limit > 0 and can_let_go(rules, table, own)
    return can_teleport(rules, table, own.seat)


@rule
def can_add(rules: Record, table: Record, own: Record, card: int) -> bool:
    """Whether a card of the hand adds to what this visit draws or releases."""
    kind = card % DOUBLED
    if rules.special[kind] != STATUE or table.left + rules.amount[kind] > MOST_DRAWN:
        return False
    return holds(own.hand, table.hand_cards[own.seat], card)


@rule
def can_add_some(rules: Record, table: Record, own: Record) -> bool:
    """Whether some card of the hand adds to this visit."""
    for place in range(table.hand_cards[own.seat]):
        if can_add(rules, table, own, np.int64(own.hand[place])):
            return True
    return False


# --- The visit ------------------------------------------------------------------------------


@rule
def begin_visit(state: Record, seat: int, free: int) -> None:
    """Ask what is to be done at the statue."""
    table = state.table
    table.phase = AT_STATUE
    table.free_visit = free
    if free == 0:
        table.acted = 1
    state.hidden.tally[seat, VISITS] += 1


@rule
def end_visit(table: Record) -> None:
    """The visit is over."""
    table.left = 0
    table.claimed = 0
    table.free_visit = 0
    table.phase = FREE


@rule
def choose_at_statue(rules: Record, state: Record, own: Record, verb: int, chance: Record) -> None:
    """Draw, release or teleport."""
    table = state.table
    if verb == RELEASE:
        table.phase = RELEASING
        table.left = rules.release_limit
        return
    if verb == DRAW:
        table.phase = ADDING
        table.left = rules.statue_cards
        if not can_add_some(rules, table, own):
            draw_at_statue(rules, state, own, chance)
        return
    seat = own.seat
    pay_gems(table, seat, rules.teleport_cost)
    state.hidden.tally[seat, GEMS_PAID_TELEPORT] += rules.teleport_cost
    table.place[seat] = twin_statue(table, table.place[seat])
    end_visit(table)


@rule
def add_card(rules: Record, state: Record, own: Record, card: int, chance: Record) -> None:
    """Use a card that adds to the visit."""
    table = state.table
    discard_card(table, own, card)
    table.left += rules.amount[card % DOUBLED]
    if table.phase == ADDING and not can_add_some(rules, table, own):
        draw_at_statue(rules, state, own, chance)


@rule
def draw_at_statue(rules: Record, state: Record, own: Record, chance: Record) -> None:
    """Turn up the cards of the statue, for all to see."""
    table = state.table
    statue = statue_here(table, own.seat)
    table.drawn_cards = 0
    for place in range(table.left):
        card = next_supply(rules, state, statue, chance)
        if card < 0:
            break
        table.drawn[place] = card
        table.drawn_cards += 1
    table.phase = CLAIMING if statue == CHEST else BUYING
    go_on_buying(rules, table, own.seat)


@rule
def next_supply(rules: Record, state: Record, statue: int, chance: Record) -> int:
    """Take a card off a supply; when none is face down the returned ones are shuffled."""
    table, hidden = state.table, state.hidden
    if table.supply_cards[statue] == 0:
        renew_supply(rules, state, statue, chance)
        if table.supply_cards[statue] == 0:
            return -1
    table.supply_cards[statue] -= 1
    card = np.int64(hidden.supply[statue, table.supply_cards[statue]])
    if statue == CHEST:
        table.quests_down &= ~(ONE << np.uint64(card))
    else:
        table.face_down[card] -= 1
    return card


@rule
def renew_supply(rules: Record, state: Record, statue: int, chance: Record) -> None:
    """Shuffle the cards returned to a supply."""
    table, hidden = state.table, state.hidden
    cards = 0
    if statue == CHEST:
        for quest in range(QUESTS):
            if (table.quests_up >> np.uint64(quest)) & ONE:
                hidden.supply[statue, cards] = quest
                cards += 1
        table.quests_down = table.quests_up
        table.quests_up = np.uint64(0)
    else:
        for kind in range(rules.kinds):
            if (rules.group[kind] == BEAST) == (statue != 0):
                for _ in range(np.int64(table.face_up[kind])):
                    hidden.supply[statue, cards] = kind
                    cards += 1
                table.face_down[kind] += table.face_up[kind]
                table.face_up[kind] = 0
    if cards == 0:
        return
    table.supply_cards[statue] = cards
    table.returned_cards[statue] = 0
    hidden.supply_shuffles[statue] += 1
    purpose = purpose_of(SHUFFLE, SUPPLIES + statue, hidden.supply_shuffles[statue])
    open_stream(chance, chance.seed, chance.deal, purpose)
    shuffle(chance, hidden.supply[statue], cards)


@rule
def is_drawn(table: Record, card: int) -> bool:
    """Whether a card is among those drawn."""
    for place in range(table.drawn_cards):
        if table.drawn[place] == card:
            return True
    return False


@rule
def can_buy(rules: Record, table: Record, seat: int, kind: int) -> bool:
    """Whether a card was drawn and can be paid for."""
    return is_drawn(table, kind) and rules.cost[kind] <= table.gems[seat]


@rule
def take_drawn(table: Record, card: int) -> None:
    """Take a card out of those drawn."""
    place = 0
    while table.drawn[place] != card:
        place += 1
    for later in range(place, table.drawn_cards - 1):
        table.drawn[later] = table.drawn[later + 1]
    table.drawn_cards -= 1
    table.drawn[table.drawn_cards] = 0


@rule
def buy_card(rules: Record, state: Record, seat: int, kind: int) -> None:
    """Pay for a card, and put it on the discard pile."""
    table, tally = state.table, state.hidden.tally
    take_drawn(table, kind)
    pay_gems(table, seat, rules.cost[kind])
    to_discard(table, seat, kind)
    tally[seat, GEMS_PAID_CARDS] += rules.cost[kind]
    tally[seat, BEASTS_BOUGHT if rules.group[kind] == BEAST else ARTIFACTS_BOUGHT] += 1
    go_on_buying(rules, table, seat)


@rule
def claim_drawn(rules: Record, table: Record, seat: int, quest: int) -> None:
    """Claim a Quest that was drawn."""
    take_drawn(table, quest)
    claim_quest(rules, table, seat, quest)
    table.claimed += 1
    go_on_buying(rules, table, seat)


@rule
def go_on_buying(rules: Record, table: Record, seat: int) -> None:
    """End the visit when nothing more can be bought or claimed."""
    if table.phase == CLAIMING:
        if table.drawn_cards == 0 or free_slots(rules, table, seat) == 0:
            return_drawn(table, seat)
        return
    for place in range(table.drawn_cards):
        if rules.cost[table.drawn[place]] <= table.gems[seat]:
            return
    return_drawn(table, seat)


@rule
def return_drawn(table: Record, seat: int) -> None:
    """Put the cards left over face up under their supply."""
    statue = statue_here(table, seat)
    for place in range(table.drawn_cards):
        card = table.drawn[place]
        if statue == CHEST:
            table.quests_up |= ONE << np.uint64(card)
        else:
            table.face_up[card] += 1
        table.returned_cards[statue] += 1
        table.drawn[place] = 0
    table.drawn_cards = 0
    end_visit(table)


@rule
def can_release(rules: Record, table: Record, own: Record) -> bool:
    """Whether one more card may be released in this visit."""
    return table.left > 0 and table.gems[own.seat] >= rules.release_cost


@rule
def let_go(rules: Record, state: Record, own: Record, card: int, from_discard: int) -> None:
    """Release a card from the game."""
    table, tally = state.table, state.hidden.tally
    seat = own.seat
    if from_discard:
        off_discard(table, seat, card)
    else:
        leave_hand(table, own, card)
    table.released[card % DOUBLED] += 1
    pay_gems(table, seat, rules.release_cost)
    tally[seat, GEMS_PAID_RELEASE] += rules.release_cost
    tally[seat, CARDS_RELEASED] += 1
    table.left -= 1
    table.claimed += 1
    more = table.left > 0 or can_add_some(rules, table, own)
    if not more or not can_let_go(rules, table, own):
        end_visit(table)

"""The three decks, their discard piles, the Reserves, and the hands."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantasia_sa.diary import (
    DRAWN,
    NEW_FEAT,
    NEW_SPONSOR,
    RESHUFFLED,
    note,
)
from simlab.games.fantasia_sa.records import (
    ACTION,
    EQUIPMENT_HELD,
    FEAT_PILE,
    HERO_KINDS,
    HERO_PILE,
    NOTHING,
    SPONSOR_PILE,
)
from simlab.streams import SHUFFLE, open_stream, purpose_of, shuffle


@rule
def lay_deck(rules: Record, state: Record, which: int, chance: Record) -> None:
    """Shuffle a whole deck for a new game."""
    order, deck, pile = state.hidden.orders[which], rules.decks[which], state.table.piles[which]
    for place in range(deck.number):
        order.cards[place] = deck.cards[place]
    order.next = 0
    pile.left = deck.number
    pile.reshuffles = 0
    pile.discard[:] = 0
    open_stream(chance, chance.seed, chance.deal, purpose_of(SHUFFLE, which, 0))
    shuffle(chance, order.cards, deck.number)


@rule
def reshuffle(rules: Record, state: Record, which: int, chance: Record) -> bool:
    """Make the discard pile the new deck; False when there is none."""
    order, pile = state.hidden.orders[which], state.table.piles[which]
    number = 0
    for kind in range(HERO_KINDS):
        for _ in range(pile.discard[kind]):
            order.cards[number] = kind
            number += 1
    if number == 0:
        return False
    pile.reshuffles += 1
    purpose = purpose_of(SHUFFLE, which, pile.reshuffles)
    open_stream(chance, chance.seed, chance.deal, purpose)
    shuffle(chance, order.cards, number)
    order.next = 0
    pile.left = number
    if which == HERO_PILE:
        remember_deck(rules, state)
    pile.discard[:] = 0
    note(state, RESHUFFLED, 0, which, number)
    return True


@rule
def remember_deck(rules: Record, state: Record) -> None:
    """All know what a reshuffled Hero deck is made of, and how many of it they draw."""
    table = state.table
    for kind in range(HERO_KINDS):
        table.recycled[kind] = table.piles[HERO_PILE].discard[kind]
    for seat in range(rules.players):
        state.seats[seat].drawn[:] = 0


@rule
def top_card(rules: Record, state: Record, which: int, chance: Record) -> int:
    """Take the top card of a deck, reshuffling first if it has run out; NOTHING without any."""
    order, pile = state.hidden.orders[which], state.table.piles[which]
    if pile.left == 0 and not reshuffle(rules, state, which, chance):
        return NOTHING
    card = np.int64(order.cards[order.next])
    order.next += 1
    pile.left -= 1
    return card


@rule
def refill(rules: Record, state: Record, chance: Record) -> None:
    """Fill both Reserves, as far as there are cards."""
    table = state.table
    for place in range(rules.reserve):
        if table.feat_reserve[place] == NOTHING:
            card = top_card(rules, state, FEAT_PILE, chance)
            table.feat_reserve[place] = card
            if card != NOTHING:
                note(state, NEW_FEAT, 0, card, 0)
    for place in range(rules.reserve):
        if table.sponsor_reserve[place] == NOTHING:
            card = top_card(rules, state, SPONSOR_PILE, chance)
            table.sponsor_reserve[place] = card
            if card != NOTHING:
                note(state, NEW_SPONSOR, 0, card, 0)


@rule
def take_from(reserve: Record, card: int) -> None:
    """Take a card of this kind out of a Reserve; its place stays empty until the next turn."""
    place = 0
    while reserve[place] != card:
        place += 1
    reserve[place] = NOTHING


@rule
def lies_in(rules: Record, reserve: Record, card: int) -> bool:
    """Whether a Reserve holds a card of this kind."""
    place = 0
    while place < rules.reserve and reserve[place] != card:
        place += 1
    return place < rules.reserve


# --- Hands -----------------------------------------------------------------------------------


@rule
def held_as(rules: Record, card: int) -> int:
    """Place of a Hero card's kind in ``holds``: when it may be played, or Equipment."""
    return EQUIPMENT_HELD if card < ACTION else rules.actions[card - ACTION].when


@rule
def card_at(own: Record, place: int) -> int:
    """Hero card at a place of the hand, wide enough to calculate with."""
    return np.int64(own.hand[place])


@rule
def add_to_hand(rules: Record, state: Record, seat: int, card: int) -> None:
    """Sort a Hero card into a hand."""
    own, knight = state.seats[seat], state.table.knights[seat]
    place = knight.hand_cards
    while place > 0 and own.hand[place - 1] > card:
        own.hand[place] = own.hand[place - 1]
        place -= 1
    own.hand[place] = card
    own.holds[held_as(rules, card)] += 1
    knight.hand_cards += 1


@rule
def take_from_hand(rules: Record, state: Record, seat: int, card: int) -> None:
    """Take a Hero card of this kind out of a hand."""
    own, knight = state.seats[seat], state.table.knights[seat]
    last = knight.hand_cards - 1
    place = 0
    while own.hand[place] != card:
        place += 1
    while place < last:
        own.hand[place] = own.hand[place + 1]
        place += 1
    own.hand[last] = 0
    own.holds[held_as(rules, card)] -= 1
    knight.hand_cards = last


@rule
def is_held(table: Record, own: Record, card: int) -> bool:
    """Whether a seat holds a Hero card of this kind."""
    number = table.knights[own.seat].hand_cards
    place = 0
    while place < number and own.hand[place] != card:
        place += 1
    return place < number


@rule
def draw(rules: Record, state: Record, seat: int, cards: int, chance: Record) -> None:
    """Draw Hero cards, as far as there are any."""
    for _ in range(cards):
        card = top_card(rules, state, HERO_PILE, chance)
        if card == NOTHING:
            return
        add_to_hand(rules, state, seat, card)
        state.seats[seat].drawn[card] += 1
        note(state, DRAWN, seat, card, 0)

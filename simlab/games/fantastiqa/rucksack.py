"""A player's own cards: the hand, the Magical Rucksack to draw from, the Rejuvenation Tent."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.knowledge import (
    note_draw,
    note_reshuffle,
    note_shown,
    note_token,
    note_token_shown,
)
from simlab.games.fantastiqa.records import DOUBLED, MOST_HAND, MOST_SUMMONED
from simlab.streams import SHUFFLE, open_stream, purpose_of, shuffle

OWN_DECKS = 16
"""Index of the first personal deck among the streams that shuffle."""


@rule
def holds(cards: Record, number: int, card: int) -> bool:
    """Whether a row of so many cards has this one."""
    for place in range(number):
        if cards[place] == card:
            return True
    return False


@rule
def put_in(cards: Record, number: int, card: int) -> None:
    """Put a card into a row of so many, which stays in order."""
    place = number
    while place > 0 and cards[place - 1] > card:
        cards[place] = cards[place - 1]
        place -= 1
    cards[place] = card


@rule
def take_out(cards: Record, number: int, card: int) -> None:
    """Take a card out of a row of so many."""
    place = 0
    while cards[place] != card:
        place += 1
    for later in range(place, number - 1):
        cards[later] = cards[later + 1]
    cards[number - 1] = 0


# --- Drawing --------------------------------------------------------------------------------


@rule
def draw_card(rules: Record, state: Record, seat: int, chance: Record) -> bool:
    """Draw a card into the hand; False if there is none, or no room for it."""
    table, own = state.table, state.seats[seat]
    if table.hand_cards[seat] == MOST_HAND:
        return False
    kind = lift_card(rules, state, seat, chance)
    if kind < 0:
        return False
    put_in(own.hand, table.hand_cards[seat], kind)
    table.hand_cards[seat] += 1
    return True


@rule
def look_at_card(rules: Record, state: Record, seat: int, chance: Record) -> bool:
    """Draw a card to look at before it goes anywhere; False if there is none."""
    own = state.seats[seat]
    if own.looked_cards == MOST_SUMMONED:
        return False
    kind = lift_card(rules, state, seat, chance)
    if kind < 0:
        return False
    put_in(own.looked, own.looked_cards, kind)
    own.looked_cards += 1
    return True


@rule
def lift_card(rules: Record, state: Record, seat: int, chance: Record) -> int:
    """Take the next card off the draw pile, made anew if need be; -1 if there is none."""
    table, hidden = state.table, state.hidden
    if table.pile_cards[seat] == 0:
        reshuffle(rules, state, seat, chance)
        if table.pile_cards[seat] == 0:
            return -1
    table.pile_cards[seat] -= 1
    note_draw(table, seat)
    return np.int64(hidden.pile[seat, table.pile_cards[seat]])


@rule
def fresh_discards(rules: Record, table: Record, seat: int) -> int:
    """Cards in the discard pile that were not spent in this turn."""
    fresh = table.discard_cards[seat]
    for kind in range(rules.kinds):
        if table.spent[kind] > 0:
            fresh -= min(np.int64(table.discard[seat, kind]), np.int64(table.spent[kind]))
    return fresh


@rule
def reshuffle(rules: Record, state: Record, seat: int, chance: Record) -> None:
    """Shuffle the discards together with the draw pile."""
    table, hidden = state.table, state.hidden
    if fresh_discards(rules, table, seat) == 0:
        if table.pile_cards[seat] == 0:
            return
    else:
        place = table.pile_cards[seat]
        for kind in range(rules.kinds):
            cards = np.int64(table.discard[seat, kind])
            for _ in range(cards - min(cards, np.int64(table.spent[kind]))):
                hidden.pile[seat, place] = kind
                place += 1
        note_reshuffle(rules, table, seat)
    hidden.shuffles[seat] += 1
    purpose = purpose_of(SHUFFLE, OWN_DECKS + seat, hidden.shuffles[seat])
    open_stream(chance, chance.seed, chance.deal, purpose)
    shuffle(chance, hidden.pile[seat], table.pile_cards[seat])


# --- Leaving the hand -----------------------------------------------------------------------


@rule
def leave_hand(table: Record, own: Record, card: int) -> None:
    """Take a card out of the hand, for all to see."""
    seat = own.seat
    take_out(own.hand, table.hand_cards[seat], card)
    table.hand_cards[seat] -= 1
    note_shown(table, seat, card % DOUBLED)


@rule
def leave_token(table: Record, own: Record, card: int) -> None:
    """Take a card out from under the Quest token, for all to see."""
    take_out(own.token, table.token_cards[own.seat], card)
    note_token_shown(table, own.seat, card % DOUBLED)


@rule
def to_discard(table: Record, seat: int, card: int) -> None:
    """Put a card on a discard pile."""
    table.discard[seat, card % DOUBLED] += 1
    table.discard_cards[seat] += 1


@rule
def off_discard(table: Record, seat: int, kind: int) -> None:
    """Take a card off a discard pile."""
    table.discard[seat, kind] -= 1
    table.discard_cards[seat] -= 1


@rule
def discard_card(table: Record, own: Record, card: int) -> None:
    """Discard a card of the hand."""
    leave_hand(table, own, card)
    to_discard(table, own.seat, card)


@rule
def hide_card(table: Record, own: Record, card: int) -> None:
    """Put a card of the hand under the Quest token."""
    seat = own.seat
    take_out(own.hand, table.hand_cards[seat], card)
    table.hand_cards[seat] -= 1
    put_in(own.token, table.token_cards[seat], card)
    note_token(table, seat)


@rule
def keep_looked(table: Record, own: Record, card: int) -> None:
    """Keep one of the cards looked at, and discard the others."""
    take_out(own.looked, own.looked_cards, card)
    own.looked_cards -= 1
    for _ in range(own.looked_cards):
        other = np.int64(own.looked[0])
        take_out(own.looked, own.looked_cards, other)
        own.looked_cards -= 1
        note_shown(table, own.seat, other)
        to_discard(table, own.seat, other)
    put_in(own.hand, table.hand_cards[own.seat], card)
    table.hand_cards[own.seat] += 1


@rule
def single_again(table: Record, own: Record) -> None:
    """At the end of a turn no card counts twice any more."""
    seat = own.seat
    single_row(own.hand, table.hand_cards[seat])
    single_row(own.token, table.token_cards[seat])
    for slot in range(table.committed.shape[1]):
        single_row(table.committed[seat, slot], table.committed_cards[seat, slot])


@rule
def single_row(cards: Record, number: int) -> None:
    """Make doubled cards single again, and put them where they belong in order."""
    while number > 0 and cards[number - 1] >= DOUBLED:
        card = np.int64(cards[number - 1]) - DOUBLED
        put_in(cards, number - 1, card)

"""Paying with cards, one by one: for a creature, for a personal Quest, for an open Quest.

A card is offered if some payment uses it together with all that was laid before, and no card could
be taken away from that payment. Nothing is lost by this: who wants to pay more may discard the
other cards, which is free before and after the turn action. So pairs that stand for another symbol
can be reached, and the payment is done as soon as it is enough.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.records import FOR_CREATURE, FOR_OPEN, FOR_PERSONAL, MOST_LAID
from simlab.games.fantastiqa.symbols import (
    jokers_of,
    missing,
    strength_against,
    symbols_of,
)

NO_SYMBOLS = np.uint64(0)
BYTE = 255
"""A place in the hand or under the token fits into one byte."""


@rule
def enough(
    rules: Record, table: Record, seat: int, what: int, target: int, pile: int, jokers: int
) -> bool:
    """Whether symbols pay for a thing.

    Parameters
    ----------
    what, target : int
        FOR_CREATURE and a space, FOR_PERSONAL and a slot, or FOR_OPEN and a place.
    pile, jokers : int
        Symbols, and symbols of any kind.
    """
    if what == FOR_CREATURE:
        creature = table.creature_at[target]
        worth = strength_against(pile, jokers, rules.weak_to[creature], rules.wilds)
        return worth >= rules.strength[creature]
    if what == FOR_OPEN:
        return missing(rules.needs[table.open_quests[target]], pile, jokers) == 0
    return missing(rules.needs[table.quests[seat, target]], pile, jokers) == 0


@rule
def committed_symbols(rules: Record, table: Record, seat: int, slot: int) -> int:
    """Symbols of the cards committed to a personal Quest."""
    pile = NO_SYMBOLS
    for place in range(table.committed_cards[seat, slot]):
        pile += symbols_of(rules, np.int64(table.committed[seat, slot, place]))
    return pile


@rule
def committed_jokers(rules: Record, table: Record, seat: int, slot: int) -> int:
    """Symbols of any kind among the cards committed to a personal Quest."""
    jokers = 0
    for place in range(table.committed_cards[seat, slot]):
        jokers += jokers_of(rules, np.int64(table.committed[seat, slot, place]))
    return jokers


@rule
def can_pay(rules: Record, table: Record, own: Record, what: int, target: int) -> bool:
    """Whether all cards together are enough: more cards never pay less."""
    seat = own.seat
    pile, jokers = NO_SYMBOLS, 0
    if what == FOR_PERSONAL:
        pile = committed_symbols(rules, table, seat, target)
        jokers = committed_jokers(rules, table, seat, target)
    if enough(rules, table, seat, what, target, pile, jokers):
        return True
    for place in range(table.hand_cards[seat]):
        pile += symbols_of(rules, np.int64(own.hand[place]))
        jokers += jokers_of(rules, np.int64(own.hand[place]))
        if enough(rules, table, seat, what, target, pile, jokers):
            return True
    if what == FOR_OPEN:
        for place in range(table.token_cards[seat]):
            pile += symbols_of(rules, np.int64(own.token[place]))
            jokers += jokers_of(rules, np.int64(own.token[place]))
        return enough(rules, table, seat, what, target, pile, jokers)
    return False


# --- The payment that is being made ---------------------------------------------------------


@rule
def fixed_symbols(rules: Record, table: Record, seat: int) -> int:
    """Symbols that pay without being laid: those of committed cards."""
    if table.paying_for == FOR_PERSONAL:
        return committed_symbols(rules, table, seat, table.target)
    return NO_SYMBOLS


@rule
def fixed_jokers(rules: Record, table: Record, seat: int) -> int:
    """The same for symbols of any kind."""
    if table.paying_for == FOR_PERSONAL:
        return committed_jokers(rules, table, seat, table.target)
    return 0


@rule
def paid(rules: Record, table: Record, seat: int) -> bool:
    """Whether the cards laid are enough."""
    pile, jokers = fixed_symbols(rules, table, seat), fixed_jokers(rules, table, seat)
    for place in range(table.laid_cards):
        pile += symbols_of(rules, np.int64(table.laid[place]))
        jokers += jokers_of(rules, np.int64(table.laid[place]))
    return enough(rules, table, seat, table.paying_for, table.target, pile, jokers)


@rule
def can_be_spared(
    rules: Record, table: Record, seat: int, pile: int, jokers: int, card: int
) -> bool:
    """Whether a payment stays enough without one of its cards."""
    return enough(
        rules,
        table,
        seat,
        table.paying_for,
        table.target,
        pile - symbols_of(rules, card),
        jokers - jokers_of(rules, card),
    )


@rule
def card_at(table: Record, own: Record, place: int) -> int:
    """Card at a place of those that may be laid: the hand first, then those under the token."""
    cards = table.hand_cards[own.seat]
    if place < cards:
        return np.int64(own.hand[place])
    return np.int64(own.token[place - cards])


@rule
def can_lay(rules: Record, table: Record, own: Record, card: int, from_token: bool) -> bool:
    """Whether some payment from which no card could be taken away has all laid and this card.

    Goes through the sets of further cards, a place of each in one byte of a word, and follows
    only sets that are not enough yet.
    """
    seat = own.seat
    hand = table.hand_cards[seat]
    places = hand + (table.token_cards[seat] if table.paying_for == FOR_OPEN else 0)
    taken = hand if from_token else 0
    while card_at(table, own, taken) != card:
        taken += 1
    pile, jokers = fixed_symbols(rules, table, seat), fixed_jokers(rules, table, seat)
    for place in range(table.laid_cards):
        pile += symbols_of(rules, np.int64(table.laid[place]))
        jokers += jokers_of(rules, np.int64(table.laid[place]))
    pile += symbols_of(rules, card)
    jokers += jokers_of(rules, card)
    if enough(rules, table, seat, table.paying_for, table.target, pile, jokers):
        return laid_is_least(rules, table, seat, pile, jokers, card)
    most = MOST_LAID - 1 - table.laid_cards
    chain, length, place = 0, 0, 0
    while True:
        if length < most and place < places:
            following = card_at(table, own, place)
            useless = (
                symbols_of(rules, following) == NO_SYMBOLS and jokers_of(rules, following) == 0
            )
            if place == taken or useless:
                place += 1
                continue
            pile += symbols_of(rules, following)
            jokers += jokers_of(rules, following)
            chain = chain * (BYTE + 1) + place
            length += 1
            place += 1
            if not enough(rules, table, seat, table.paying_for, table.target, pile, jokers):
                continue
            if laid_is_least(rules, table, seat, pile, jokers, card) and chain_is_least(
                rules, table, own, pile, jokers, chain, length
            ):
                return True
        if length == 0:
            return False
        place = chain & BYTE
        chain //= BYTE + 1
        length -= 1
        pile -= symbols_of(rules, card_at(table, own, place))
        jokers -= jokers_of(rules, card_at(table, own, place))
        place += 1


@rule
def laid_is_least(
    rules: Record, table: Record, seat: int, pile: int, jokers: int, card: int
) -> bool:
    """Whether neither this card nor one laid before could be taken away."""
    if can_be_spared(rules, table, seat, pile, jokers, card):
        return False
    for place in range(table.laid_cards):
        if can_be_spared(rules, table, seat, pile, jokers, np.int64(table.laid[place])):
            return False
    return True


@rule
def chain_is_least(
    rules: Record, table: Record, own: Record, pile: int, jokers: int, chain: int, length: int
) -> bool:
    """Whether none of the further cards could be taken away."""
    for _ in range(length):
        if can_be_spared(rules, table, own.seat, pile, jokers, card_at(table, own, chain & BYTE)):
            return False
        chain //= BYTE + 1
    return True

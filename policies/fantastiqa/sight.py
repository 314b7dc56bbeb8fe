"""What several strategies for Fantastiqa look at: distances, symbols, Quests, payments."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.payments import committed_jokers, committed_symbols
from simlab.games.fantastiqa.quests import quest_at
from simlab.games.fantastiqa.records import (
    ANY_SYMBOL,
    DOUBLED,
    NOTHING,
    OPEN,
    REGIONS,
    SLOTS,
)
from simlab.games.fantastiqa.symbols import (
    KINDS_OF_SYMBOLS,
    jokers_of,
    missing,
    number_in_all,
    number_of,
    symbols_of,
)

NO_SYMBOLS = np.uint64(0)
LARGE = 1000.0

# --- The map --------------------------------------------------------------------------------


@rule
def steps_between(place: int, other: int) -> int:
    """Steps between two places: they lie in three rows of two, and neighbours are joined."""
    return abs(place // 2 - other // 2) + abs(place % 2 - other % 2)


@rule
def place_of_region(table: Record, region: int) -> int:
    """Where a region lies."""
    for place in range(REGIONS):
        if table.region_at[place] == region:
            return place
    return NOTHING


@rule
def steps_to_statue(table: Record, place: int, statue: int) -> int:
    """Steps to the nearest statue of a kind."""
    nearest = REGIONS
    for other in range(REGIONS):
        if table.statue_at[other] == statue:
            nearest = min(nearest, steps_between(place, other))
    return nearest


# --- Symbols --------------------------------------------------------------------------------


@rule
def symbols_in_hand(rules: Record, table: Record, own: Record) -> int:
    """Symbols of all cards in the hand."""
    pile = NO_SYMBOLS
    for place in range(table.hand_cards[own.seat]):
        pile += symbols_of(rules, np.int64(own.hand[place]))
    return pile


@rule
def symbols_in_deck(rules: Record, table: Record, seat: int) -> int:
    """Symbols of all cards of a player, committed ones left aside: the table knows them all."""
    pile = NO_SYMBOLS
    for kind in range(rules.kinds):
        if rules.symbols[kind] != NO_SYMBOLS:
            pile += rules.symbols[kind] * np.uint64(copies_of(table, seat, kind))
    return pile


@rule
def copies_of(table: Record, seat: int, kind: int) -> int:
    """Cards of a kind that a player has, committed ones left aside."""
    number = np.int64(table.discard[seat, kind])
    for generation in range(table.generation[seat] + 1):
        number += np.int64(table.unseen[seat, generation, kind])
    return number


@rule
def cards_in_deck(table: Record, seat: int) -> int:
    """Cards of a player, committed ones left aside."""
    return (
        table.discard_cards[seat]
        + table.pile_cards[seat]
        + table.hand_cards[seat]
        + table.token_cards[seat]
    )


@rule
def lacking(needs: int, pile: int) -> int:
    """Symbols that a pile lacks of those needed, as a pile."""
    left = NO_SYMBOLS
    for symbol in range(KINDS_OF_SYMBOLS):
        lack = max(0, number_of(needs, symbol) - number_of(pile, symbol))
        left += np.uint64(lack) << np.uint64(7 * symbol)
    return left


@rule
def overlap(wanted: int, shown: int) -> int:
    """How many symbols shown are wanted."""
    if NO_SYMBOLS in (wanted, shown):
        return 0
    found = 0
    for symbol in range(KINDS_OF_SYMBOLS):
        found += min(number_of(wanted, symbol), number_of(shown, symbol))
    return found


@rule
def use_of_card(rules: Record, card: int, wanted: int) -> int:
    """Symbols of a card that are wanted; a joker is always one."""
    return overlap(wanted, symbols_of(rules, card)) + jokers_of(rules, card) % 2


# --- Quests ---------------------------------------------------------------------------------


@rule
def prepared(rules: Record, table: Record, own: Record, place: int) -> int:
    """Symbols that lie ready for a Quest: cards committed to it, or under the token."""
    if place < SLOTS:
        return committed_symbols(rules, table, own.seat, place)
    pile = NO_SYMBOLS
    for card in range(table.token_cards[own.seat]):
        pile += symbols_of(rules, np.int64(own.token[card]))
    return pile


@rule
def jokers_at_hand(rules: Record, table: Record, own: Record, place: int) -> int:
    """Jokers in the hand and those committed."""
    jokers = committed_jokers(rules, table, own.seat, place) if place < SLOTS else 0
    for card in range(table.hand_cards[own.seat]):
        jokers += jokers_of(rules, np.int64(own.hand[card]))
    return jokers


@rule
def wanted_for(rules: Record, table: Record, own: Record, place: int) -> int:
    """Symbols that a Quest still lacks beside those that lie ready, as a pile."""
    if place == NOTHING:
        return NO_SYMBOLS
    quest = quest_at(table, own.seat, place)
    return lacking(rules.needs[quest], prepared(rules, table, own, place))


@rule
def is_ready(rules: Record, table: Record, own: Record, place: int) -> bool:
    """Whether hand and cards that lie ready are enough for a Quest, wherever one stands."""
    quest = quest_at(table, own.seat, place)
    pile = prepared(rules, table, own, place) + symbols_in_hand(rules, table, own)
    jokers = jokers_at_hand(rules, table, own, place)
    return missing(rules.needs[quest], pile, jokers) == 0


@rule
def gain_of(rules: Record, table: Record, seat: int, place: int) -> int:
    """Points that completing a Quest brings: a personal one also stops to cost its cups."""
    quest = quest_at(table, seat, place)
    if place < SLOTS:
        return 2 * rules.cups[quest]
    return rules.cups[quest] + table.open_bonus[place - SLOTS]


@rule
def turns_for(
    rules: Record, table: Record, own: Record, place: int, deck: int, lack: float, far: float
) -> float:
    """Turns that a Quest is thought to take: the way there, or drawing what is lacking.

    A lacking symbol takes as many turns as its share in the deck makes it wait, times `lack`;
    each step takes `far` turns.
    """
    seat = own.seat
    quest = quest_at(table, seat, place)
    pile = prepared(rules, table, own, place) + symbols_in_hand(rules, table, own)
    cards = max(1, cards_in_deck(table, seat))
    waiting = 0.0
    for symbol in range(KINDS_OF_SYMBOLS):
        short = number_of(rules.needs[quest], symbol) - number_of(pile, symbol)
        if short > 0:
            each_turn = rules.hand * number_of(deck, symbol) / cards
            waiting += short / (each_turn + 0.05)
    goal = place_of_region(table, rules.region[quest])
    way = steps_between(table.place[seat], goal)
    return 1.0 + far * way + lack * waiting


@rule
def best_quest(rules: Record, table: Record, own: Record, lack: float, far: float) -> int:
    """The Quest that promises most points a turn; NOTHING if there is none."""
    deck = symbols_in_deck(rules, table, own.seat)
    best, best_rate = NOTHING, 0.0
    for place in range(SLOTS + OPEN):
        if quest_at(table, own.seat, place) == NOTHING:
            continue
        turns = turns_for(rules, table, own, place, deck, lack, far)
        rate = gain_of(rules, table, own.seat, place) / turns
        if rate > best_rate:
            best, best_rate = place, rate
    return best


# --- Payments -------------------------------------------------------------------------------


@rule
def price_of(rules: Record, card: int, wanted: int, hold: float) -> float:
    """What it costs to part with a card now: little, but for symbols that a Quest wants."""
    power = rules.special[card % DOUBLED]
    base = 1.0 + 0.25 * number_in_all(symbols_of(rules, card))
    if power == ANY_SYMBOL:
        base += hold
    return base + hold * overlap(wanted, symbols_of(rules, card))


@rule
def payment(
    rules: Record, table: Record, own: Record, space: int, used: int, wanted: int, hold: float
) -> int:
    """The cheapest cards for a creature, as bits of their places in the hand; 0 if none will do.

    Looks at cards that show the symbol, at single cards and at two cards that make a pair, and puts
    the two cheapest of them together for creatures that take two.
    """
    creature = table.creature_at[space]
    symbol, strength = rules.weak_to[creature], rules.strength[creature]
    first, second = 0, 0  # the cheapest set of cards worth one, and the next one apart from it
    whole = 0  # the cheapest card worth all
    first_price, second_price, whole_price = LARGE, LARGE, LARGE
    for one in range(min(table.hand_cards[own.seat], 60)):
        if (used >> one) & 1:
            continue
        card = np.int64(own.hand[one])
        cards, price = 1 << one, price_of(rules, card, wanted, hold)
        worth = worth_against(rules, card, symbol)
        if worth >= strength and price < whole_price:
            whole, whole_price = cards, price
        if worth == 0:
            cards, price = pair_with(rules, table, own, one, used, wanted, hold)
        if cards == 0 or (first & cards) != 0:
            continue
        if price < first_price:
            second, second_price = first, first_price
            first, first_price = cards, price
        elif price < second_price:
            second, second_price = cards, price
    if strength == 1:
        return first
    if whole != 0 and (whole_price <= first_price + second_price or strength > 2):
        return whole
    return first | second if second != 0 and strength == 2 else 0


@rule
def worth_against(rules: Record, card: int, symbol: int) -> int:
    """What one card alone is worth against a creature."""
    shown = symbols_of(rules, card)
    worth = number_of(shown, symbol) + jokers_of(rules, card) % 2
    if worth == 0 and rules.wilds != 0:
        worth = number_in_all(shown) // 2
    return worth


@rule
def pair_with(
    rules: Record, table: Record, own: Record, one: int, used: int, wanted: int, hold: float
) -> tuple[int, float]:
    """A card and a later one like it, as bits of their places, and their price; 0 if none is."""
    card = np.int64(own.hand[one])
    shown = symbols_of(rules, card)
    if rules.wilds == 0 or shown == NO_SYMBOLS:
        return 0, LARGE
    for other in range(one + 1, min(table.hand_cards[own.seat], 60)):
        like = np.int64(own.hand[other])
        if (used >> other) & 1 == 0 and symbols_of(rules, like) == shown:
            price = price_of(rules, card, wanted, hold) + price_of(rules, like, wanted, hold)
            return (1 << one) | (1 << other), price
    return 0, LARGE


@rule
def price_of_cards(
    rules: Record, table: Record, own: Record, cards: int, wanted: int, hold: float
) -> float:
    """What some cards of the hand, given as bits, cost together."""
    total = 0.0
    for place in range(min(table.hand_cards[own.seat], 60)):
        if (cards >> place) & 1:
            total += price_of(rules, np.int64(own.hand[place]), wanted, hold)
    return total

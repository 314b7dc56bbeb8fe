"""What one player may take the hidden cards to be: a world consistent with what they know."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.records import (
    BEAST,
    CHEST,
    CHOOSE_PLACE,
    DOUBLED,
    QUESTS,
    SEATS,
    STATUES,
    TALLIES,
)
from simlab.games.fantastiqa.rucksack import put_in
from simlab.streams import below, shuffle


@rule
def imagine(rules: Record, table: Record, own: Record, world: Record, rng: Record) -> None:
    """Fill a state with one of the worlds that the seat cannot tell from the real one.

    Others' cards are spread over hand, Quest token and draw pile as `knowledge` says; the own
    draw pile, the supplies and the creature deck have their known cards in random order. What
    others' play tells is ignored.

    Parameters
    ----------
    rules, table, own : records
        The rules, and what the seat sees.
    world : record
        The state to fill; whatever it held is overwritten.
    rng : record
        The stream to draw from.
    """
    world.table = table
    for seat in range(SEATS):
        other = world.seats[seat]
        if seat == own.seat:
            world.seats[seat] = own
            continue
        other.seat = seat
        other.notes[:] = 0
        other.hand[:] = 0
        other.token[:] = 0
        other.looked[:] = 0
        other.looked_cards = 0
    hidden = world.hidden
    for seat in range(SEATS):
        hidden.shuffles[seat] = 0
        for column in range(len(TALLIES)):
            hidden.tally[seat, column] = 0
    hidden.events = 0
    for seat in range(rules.players):
        if table.phase <= CHOOSE_PLACE:
            continue
        if seat == own.seat:
            imagine_own_pile(rules, table, own, hidden, rng)
        else:
            imagine_other(rules, table, world.seats[seat], hidden, rng)
    imagine_creatures(rules, table, hidden, rng)
    for statue in range(STATUES):
        imagine_supply(rules, table, statue, hidden, rng)


@rule
def imagine_own_pile(
    rules: Record, table: Record, own: Record, hidden: Record, rng: Record
) -> None:
    """Shuffle what is neither in the hand nor under the token: the order alone is unknown."""
    seat = own.seat
    pile = hidden.pile[seat]
    cards = 0
    for kind in range(rules.kinds):
        number = 0
        for generation in range(table.generation[seat] + 1):
            number += np.int64(table.unseen[seat, generation, kind])
        for place in range(table.hand_cards[seat]):
            number -= np.int64(own.hand[place]) % DOUBLED == kind
        for place in range(table.token_cards[seat]):
            number -= np.int64(own.token[place]) % DOUBLED == kind
        for place in range(own.looked_cards):
            number -= np.int64(own.looked[place]) == kind
        for _ in range(number):
            pile[cards] = kind
            cards += 1
    shuffle(rng, pile, cards)


@rule
def imagine_other(rules: Record, table: Record, other: Record, hidden: Record, rng: Record) -> None:
    """Spread another player's unseen cards over hand, Quest token and draw pile."""
    seat = other.seat
    pile = hidden.pile[seat]
    cards, drawn = 0, 0
    for generation in range(table.generation[seat] + 1):
        for kind in range(rules.kinds):
            for _ in range(np.int64(table.unseen[seat, generation, kind])):
                pile[cards] = kind
                cards += 1
        # The cards drawn in this generation are of it or older: any of those not drawn yet.
        for _ in range(table.drawn_in[seat, generation]):
            swap(pile, drawn, drawn + below(rng, cards - drawn))
            drawn += 1
    hide_some(table, seat, other, pile, drawn, rng)
    hidden_cards = table.token_cards[seat]
    for place in range(hidden_cards, drawn):
        put_in(other.hand, place - hidden_cards, np.int64(pile[place]))
    for place in range(drawn, cards):
        pile[place - drawn] = pile[place]
    shuffle(rng, pile, cards - drawn)


@rule
def hide_some(
    table: Record, seat: int, other: Record, pile: Record, drawn: int, rng: Record
) -> None:
    """Choose which of the cards drawn lie under the Quest token: some drawn before they went there.

    The cards drawn stand in front, in the order in which they were drawn; those chosen go first.
    """
    for token in range(table.token_cards[seat]):
        old = 0
        for generation in range(table.token_from[seat, token] + 1):
            old += table.drawn_in[seat, generation]
        choices = (old if old > token else drawn) - token
        chosen = token + below(rng, choices)
        put_in(other.token, token, np.int64(pile[chosen]))
        # The others keep their order.
        card = pile[chosen]
        for place in range(chosen, token, -1):
            pile[place] = pile[place - 1]
        pile[token] = card


@rule
def swap(cards: Record, one: int, other: int) -> None:
    """Swap two cards of a row."""
    cards[one], cards[other] = cards[other], cards[one]


@rule
def imagine_creatures(rules: Record, table: Record, hidden: Record, rng: Record) -> None:
    """Shuffle each section of the creature deck, and the events of the first fill among the top."""
    deck = hidden.deck
    events = 0
    for kind in range(rules.kinds):
        events += np.int64(table.mixed_in[kind])
    # Before the first fill the deck is whole, and a place of 0 says so; else one card is gone.
    start = 0 if table.phase <= CHOOSE_PLACE else 1
    hidden.next = start
    cards = start + events
    for section in range(2):
        first = cards
        for kind in range(rules.kinds):
            for _ in range(np.int64(table.upper[kind] if section == 0 else table.lower[kind])):
                deck[cards] = kind
                cards += 1
        shuffle_part(deck, first, cards - first, rng)
    place = start
    for kind in range(rules.kinds):
        for _ in range(np.int64(table.mixed_in[kind])):
            deck[place] = kind
            place += 1
    shuffle_part(deck, start, table.mixed, rng)


@rule
def shuffle_part(cards: Record, first: int, number: int, rng: Record) -> None:
    """Shuffle so many cards from a place on."""
    for left in range(number - 1, 0, -1):
        swap(cards, first + left, first + below(rng, left + 1))


@rule
def imagine_supply(rules: Record, table: Record, statue: int, hidden: Record, rng: Record) -> None:
    """Shuffle the cards face down in a supply, all of them known."""
    cards = 0
    if statue == CHEST:
        for quest in range(QUESTS):
            if (table.quests_down >> np.uint64(quest)) & np.uint64(1):
                hidden.supply[statue, cards] = quest
                cards += 1
    else:
        for kind in range(rules.kinds):
            if (rules.group[kind] == BEAST) == (statue != 0):
                for _ in range(np.int64(table.face_down[kind])):
                    hidden.supply[statue, cards] = kind
                    cards += 1
    shuffle(rng, hidden.supply[statue], cards)
    hidden.supply_shuffles[statue] = 0

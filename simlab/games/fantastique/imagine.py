"""What one player may take the hidden cards to be: a world consistent with what they know."""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.counters import VALUES, copies, count, total
from simlab.streams import shuffle


@rule
def imagine(rules: Record, table: Record, own: Record, world: Record, rng: Record) -> None:
    """Fill a state with one of the worlds that the seat cannot tell from the real one.

    Cards are objects, and the unseen ones are spread evenly over the unseen places: the others'
    hands and, until the first reshuffle, the deck. After it the deck is a pool of its own, made
    of cards that all have seen. What the others' play tells is ignored: how likely they were to
    play as they did, and what a pass gives away of a hand.

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
    deck = world.hidden.deck
    unseen = table.unseen - (own.hand - table.known[own.seat])
    unseen_cards = lay_in_order(deck, unseen)
    shuffle(rng, deck, unseen_cards)
    place = 0
    for seat in range(rules.players):
        world.seats[seat].seat = seat
        world.seats[seat].notes[:] = 0
        if seat == own.seat:
            world.seats[seat].hand = own.hand
            world.seats[seat].notes[:] = own.notes[:]
            continue
        hand = table.known[seat]
        for _ in range(table.hand_cards[seat] - total(table.known[seat])):
            hand += copies(deck[place], 1)
            place += 1
        world.seats[seat].hand = hand
    world.hidden.next = place
    if table.reshuffles > 0:
        cards = lay_in_order(deck, table.deck_pile)
        shuffle(rng, deck, cards)
        world.hidden.next = 0


@rule
def lay_in_order(deck: Record, pile: int) -> int:
    """Write a pile's cards to the front of a deck, by value; returns how many."""
    place = 0
    for value in range(1, VALUES + 1):
        for _ in range(count(pile, value)):
            deck[place] = value
            place += 1
    return place

"""What a table full of attentive players knows of somebody's hidden cards.

All purchases are public, so the cards of a player are known; only their split over hand, Quest
token and draw pile is not. A card is of a *generation*: the reshuffle after which it lay in the
draw pile. A card drawn since reshuffle g is of generation g or older, never younger: that is all
there is to know, but for what is played. When the draw pile runs out everything that was in it is
in the hand or under the token, so that all earlier generations become one.

Of two like cards the older one is taken to be played first, as the one that all know of.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.records import GENERATIONS, MOST_TOKEN


@rule
def note_draw(table: Record, seat: int) -> None:
    """Somebody took a card off the draw pile into the hand."""
    table.drawn_in[seat, table.generation[seat]] += 1


@rule
def note_reshuffle(rules: Record, table: Record, seat: int) -> None:
    """The discards (those not spent in this turn) go into the draw pile, for all to see."""
    if table.pile_cards[seat] == 0:
        close_generations(rules, table, seat)
    generation = min(table.generation[seat] + 1, GENERATIONS - 1)
    table.generation[seat] = generation
    for kind in range(rules.kinds):
        cards = np.int64(table.discard[seat, kind])
        moved = cards - min(cards, np.int64(table.spent[kind]))
        table.unseen[seat, generation, kind] += moved
        table.unseen_cards[seat, generation] += moved
        table.discard[seat, kind] -= moved
        table.discard_cards[seat] -= moved
        table.pile_cards[seat] += moved


@rule
def close_generations(rules: Record, table: Record, seat: int) -> None:
    """The draw pile is used up: its cards are all in the hand or under the token."""
    for generation in range(1, table.generation[seat] + 1):
        for kind in range(rules.kinds):
            table.unseen[seat, 0, kind] += table.unseen[seat, generation, kind]
            table.unseen[seat, generation, kind] = 0
        table.unseen_cards[seat, 0] += table.unseen_cards[seat, generation]
        table.unseen_cards[seat, generation] = 0
        table.drawn_in[seat, 0] += table.drawn_in[seat, generation]
        table.drawn_in[seat, generation] = 0
    for place in range(MOST_TOKEN):
        table.token_from[seat, place] = 0
    table.generation[seat] = 0


@rule
def note_token(table: Record, seat: int) -> None:
    """Somebody put a card of the hand under the Quest token, face down."""
    table.token_from[seat, table.token_cards[seat]] = table.generation[seat]
    table.token_cards[seat] += 1


@rule
def note_shown(rules: Record, table: Record, seat: int, kind: int) -> None:
    """A card of the hand is seen by all, and is hidden no more."""
    last = table.generation[seat]
    for card in range(last + 1):
        if table.unseen[seat, card, kind] == 0:
            continue
        for drawn in range(card, last + 1):
            if can_be_from(table, seat, card, drawn):
                strike(table, seat, kind, card, drawn)
                return
    strike_somehow(table, seat, kind)


@rule
def note_looked_at(rules: Record, table: Record, seat: int, kind: int) -> None:
    """A card just drawn is seen by all; if it can be it is of the last ones drawn."""
    last = table.generation[seat]
    for card in range(last + 1):
        if table.unseen[seat, card, kind] > 0 and can_be_from(table, seat, card, last):
            strike(table, seat, kind, card, last)
            return
    note_shown(rules, table, seat, kind)


@rule
def note_token_shown(rules: Record, table: Record, seat: int, kind: int) -> None:
    """A card from under the token is seen by all: one of the oldest that it can be."""
    last = table.generation[seat]
    for card in range(last + 1):
        if table.unseen[seat, card, kind] == 0:
            continue
        for drawn in range(card, last + 1):
            for place in range(table.token_cards[seat]):
                if table.token_from[seat, place] < drawn:
                    continue
                was = table.token_from[seat, place]
                take_token(table, seat, place)
                if can_be_from(table, seat, card, drawn):
                    strike(table, seat, kind, card, drawn)
                    return
                put_back_token(table, seat, place, was)
    take_token(table, seat, 0)
    strike_somehow(table, seat, kind)


@rule
def take_token(table: Record, seat: int, place: int) -> None:
    """One card less under the token."""
    table.token_cards[seat] -= 1
    for later in range(place, table.token_cards[seat]):
        table.token_from[seat, later] = table.token_from[seat, later + 1]
    table.token_from[seat, table.token_cards[seat]] = 0


@rule
def put_back_token(table: Record, seat: int, place: int, was: int) -> None:
    """Undo `take_token`."""
    for later in range(table.token_cards[seat], place, -1):
        table.token_from[seat, later] = table.token_from[seat, later - 1]
    table.token_from[seat, place] = was
    table.token_cards[seat] += 1


@rule
def can_be_from(table: Record, seat: int, card: int, drawn: int) -> bool:
    """Whether a card of one generation, drawn in another, can be the one that is gone now.

    What is left has to fit: no more cards drawn up to any generation than there are so old, and
    no fewer than lie under the token since then.
    """
    if table.drawn_in[seat, drawn] == 0:
        return False
    cards, draws = 0, 0
    for generation in range(table.generation[seat] + 1):
        cards += table.unseen_cards[seat, generation] - (generation == card)
        draws += table.drawn_in[seat, generation] - (generation == drawn)
        hidden = 0
        for place in range(table.token_cards[seat]):
            hidden += table.token_from[seat, place] <= generation
        if draws > cards or hidden > draws:
            return False
    return True


@rule
def strike(table: Record, seat: int, kind: int, card: int, drawn: int) -> None:
    """Take a card off what is unseen."""
    table.unseen[seat, card, kind] -= 1
    table.unseen_cards[seat, card] -= 1
    table.drawn_in[seat, drawn] -= 1


@rule
def strike_somehow(table: Record, seat: int, kind: int) -> None:
    """Take a card off what is unseen where conventions leave no place for it: the oldest one."""
    last = table.generation[seat]
    for card in range(last + 1):
        if table.unseen[seat, card, kind] == 0:
            continue
        for drawn in range(card, last + 1):
            if table.drawn_in[seat, drawn] > 0:
                strike(table, seat, kind, card, drawn)
                return
        for drawn in range(card):
            if table.drawn_in[seat, card - 1 - drawn] > 0:
                strike(table, seat, kind, card, card - 1 - drawn)
                return

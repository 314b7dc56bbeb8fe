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
def note_shown(table: Record, seat: int, kind: int) -> None:
    """A card of the hand (or from under the token) is seen by all, and is hidden no more.

    It is taken to be as old as it can be, and to be drawn as early as it can be. So never more
    cards are thought to have been drawn early than there are so old, and a younger card that is
    seen later was always thought to be possible.
    """
    card = oldest_of(table, seat, kind)
    drawn = card
    while drawn < table.generation[seat] and table.drawn_in[seat, drawn] == 0:
        drawn += 1
    strike(table, seat, kind, card, drawn)


@rule
def note_looked_at(table: Record, seat: int, kind: int) -> None:
    """A card just drawn is seen by all: one of the last draws, if the others are enough then."""
    card, last = oldest_of(table, seat, kind), table.generation[seat]
    cards, draws = 0, 0
    for generation in range(last):
        cards += table.unseen_cards[seat, generation]
        draws += table.drawn_in[seat, generation]
        if generation >= card and draws >= cards:
            note_shown(table, seat, kind)
            return
    strike(table, seat, kind, card, last)


@rule
def note_token_shown(table: Record, seat: int, kind: int) -> None:
    """A card from under the token is seen by all: of those there the first that it can be."""
    card = oldest_of(table, seat, kind)
    place = 0
    while place < table.token_cards[seat] - 1 and table.token_from[seat, place] < card:
        place += 1
    table.token_cards[seat] -= 1
    for later in range(place, table.token_cards[seat]):
        table.token_from[seat, later] = table.token_from[seat, later + 1]
    table.token_from[seat, table.token_cards[seat]] = 0
    note_shown(table, seat, kind)


@rule
def oldest_of(table: Record, seat: int, kind: int) -> int:
    """The oldest generation that has a hidden card of a kind."""
    generation = 0
    while table.unseen[seat, generation, kind] == 0:
        generation += 1
    return generation


@rule
def strike(table: Record, seat: int, kind: int, card: int, drawn: int) -> None:
    """Take a card of one generation, drawn in another, off what is unseen."""
    table.unseen[seat, card, kind] -= 1
    table.unseen_cards[seat, card] -= 1
    table.drawn_in[seat, drawn] -= 1

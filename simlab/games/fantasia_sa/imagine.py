"""What one player may take the hidden cards to be: a world consistent with what they know."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantasia_sa.decks import add_to_hand
from simlab.games.fantasia_sa.records import (
    ACTION,
    FEAT_PILE,
    HERO_KINDS,
    HERO_PILE,
    SPONSOR_PILE,
)
from simlab.streams import below, shuffle


@rule
def imagine(rules: Record, table: Record, own: Record, world: Record, rng: Record) -> None:
    """Fill a state with one of the worlds that the seat cannot tell from the real one.

    Feats and Sponsors that lie nowhere in sight are in their decks, in any order. Hero cards are
    objects: those out of sight lie in the Hero deck or in another hand, but since it was last
    reshuffled the deck holds only cards that were in it then, and none that this seat has drawn
    of it. Which of the others drew which of them, and what their play tells, is ignored.

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
    world.hidden.logged = 0
    imagine_feats(rules, table, world.hidden.orders[FEAT_PILE], rng)
    imagine_sponsors(rules, table, world.hidden.orders[SPONSOR_PILE], rng)
    for seat in range(rules.players):
        other = world.seats[seat]
        other.seat = seat
        other.notes[:] = 0
        other.hand[:] = 0
        other.holds[:] = 0
        other.drawn[:] = 0
    world.seats[own.seat] = own
    imagine_heroes(rules, table, own, world, rng)


@rule
def imagine_feats(rules: Record, table: Record, order: Record, rng: Record) -> None:
    """Put the Feats out of sight into their deck."""
    number = 0
    for kind in range(rules.feat_kinds):
        seen = table.piles[FEAT_PILE].discard[kind] + (1 if table.feat == kind else 0)
        for place in range(rules.reserve):
            seen += 1 if table.feat_reserve[place] == kind else 0
        for seat in range(rules.players):
            seen += table.knights[seat].curses[kind]
        for _ in range(rules.feats[kind].copies - seen):
            order.cards[number] = kind
            number += 1
    shuffle(rng, order.cards, number)
    order.next = 0


@rule
def imagine_sponsors(rules: Record, table: Record, order: Record, rng: Record) -> None:
    """Put the Sponsors out of sight into their deck."""
    number = 0
    for kind in range(rules.sponsor_kinds):
        seen = np.int64(table.piles[SPONSOR_PILE].discard[kind])
        for place in range(rules.reserve):
            seen += 1 if table.sponsor_reserve[place] == kind else 0
        for seat in range(rules.players):
            seen += table.knights[seat].sponsors[kind]
        for _ in range(rules.sponsors[kind].copies - seen):
            order.cards[number] = kind
            number += 1
    shuffle(rng, order.cards, number)
    order.next = 0


@rule
def hidden_heroes(rules: Record, table: Record, own: Record, kind: int) -> int:
    """Hero cards of a kind that this seat does not see."""
    seen = np.int64(table.piles[HERO_PILE].discard[kind])
    for place in range(table.knights[own.seat].hand_cards):
        seen += 1 if own.hand[place] == kind else 0
    if kind >= ACTION:
        for place in range(table.depth):
            seen += 1 if ACTION + table.stack[place].card == kind else 0
        return rules.actions[kind - ACTION].copies - seen
    for seat in range(rules.players):
        seen += table.knights[seat].equipment[kind]
    return rules.equipment[kind].copies - seen


@rule
def imagine_heroes(rules: Record, table: Record, own: Record, world: Record, rng: Record) -> None:
    """Spread the Hero cards out of sight over the deck and the other hands.

    The cards that may lie in the deck are drawn from first; what the deck does not take goes,
    with those that cannot lie there, to the hands.
    """
    order = world.hidden.orders[HERO_PILE]
    left = table.piles[HERO_PILE].left
    may_lie = 0  # cards that may be in the deck stand first in the order
    for kind in range(HERO_KINDS):
        unseen = hidden_heroes(rules, table, own, kind)
        in_deck = min(unseen, table.recycled[kind] - own.drawn[kind])
        for _ in range(in_deck):
            order.cards[may_lie] = kind
            may_lie += 1
    shuffle(rng, order.cards, may_lie)
    number = may_lie
    for kind in range(HERO_KINDS):
        unseen = hidden_heroes(rules, table, own, kind)
        for _ in range(unseen - max(0, min(unseen, table.recycled[kind] - own.drawn[kind]))):
            order.cards[number] = kind
            number += 1
    order.next = 0
    deal_hands(rules, table, own, world, left, number, rng)


@rule
def deal_hands(
    rules: Record, table: Record, own: Record, world: Record, left: int, number: int, rng: Record
) -> None:
    """Deal the cards behind the first ``left`` ones to the other hands, at random."""
    order = world.hidden.orders[HERO_PILE]
    for seat in range(rules.players):
        if seat == own.seat:
            continue
        cards = table.knights[seat].hand_cards
        world.table.knights[seat].hand_cards = 0
        for _ in range(cards):
            place = left + below(rng, number - left)
            number -= 1
            add_to_hand(rules, world, seat, np.int64(order.cards[place]))
            order.cards[place] = order.cards[number]

"""Lines over creatures: what they are worth, and how their creatures are paid for."""

from __future__ import annotations

import numpy as np

from simlab.compiled import rule
from simlab.games.fantastiqa.adventure import can_subdue
from simlab.games.fantastiqa.board import beyond
from simlab.games.fantastiqa.payments import can_lay
from simlab.games.fantastiqa.quests import quest_at
from simlab.games.fantastiqa.records import FOR_CREATURE, LAY, LAY_TOKEN, NOTHING, SPACES, WIDTH
from simlab.games.fantastiqa.symbols import jokers_of, number_in_all, symbols_of
from simlab.policies.fantastiqa.sight import (
    cards_in_deck,
    payment,
    place_of_region,
    price_of_cards,
    steps_between,
    use_of_card,
)
from simlab.policies.fantastiqa.style import (
    CARD,
    COLLECT,
    DEPTH,
    GEM,
    HOLD,
    LEVEL,
    NEED,
    STEP,
    UNEAGER,
)


@rule
def eagerness(table, seat, style):
    """How much Quests count: little until the deck is as large as wanted."""
    return 1.0 if cards_in_deck(table, seat) >= style[COLLECT] else UNEAGER


@rule
def best_path(rules, table, own, style, target, wanted, least):
    """First space of the line over creatures that is worth most, and its worth, above the least.

    Looks ahead `depth` creatures. Each is paid for as cheaply as can be.
    """
    goal = NOTHING
    if target != NOTHING:
        goal = place_of_region(table, rules.region[quest_at(table, own.seat, target)])
    best, best_worth = 0, least
    here = table.place[own.seat]
    for one in range(SPACES):
        if not open_to(rules, table, one, here, 0) or not can_subdue(rules, table, own, one):
            continue
        cards = payment(rules, table, own, one, 0, wanted, style[HOLD])
        if cards == 0:
            continue
        worth = step_worth(rules, table, own, style, goal, wanted, one, here, cards)
        if style[DEPTH] >= 2.0:
            worth += best_second(rules, table, own, style, goal, wanted, one, here, cards)
        if worth > best_worth:
            best, best_worth = one, worth
    return best, best_worth


@rule
def best_second(rules, table, own, style, goal, wanted, one, place, used):
    """What the best second creature of a line adds, with the best third one behind it."""
    there = beyond(rules, one, place)
    best = 0.0
    for two in range(SPACES):
        if not open_to(rules, table, two, there, 1 << one):
            continue
        cards = payment(rules, table, own, two, used, wanted, style[HOLD])
        if cards == 0:
            continue
        worth = step_worth(rules, table, own, style, goal, wanted, two, there, cards)
        if style[DEPTH] >= 3.0:
            all_used = used | cards
            worth += best_third(rules, table, own, style, goal, wanted, one, two, there, all_used)
        best = max(best, worth)
    return best


@rule
def best_third(rules, table, own, style, goal, wanted, one, two, place, used):
    """What the best third creature of a line adds."""
    there = beyond(rules, two, place)
    best = 0.0
    for three in range(SPACES):
        if open_to(rules, table, three, there, (1 << one) | (1 << two)):
            cards = payment(rules, table, own, three, used, wanted, style[HOLD])
            if cards != 0:
                worth = step_worth(rules, table, own, style, goal, wanted, three, there, cards)
                best = max(best, worth)
    return best


@rule
def open_to(rules, table, space, place, gone):
    """Whether a creature beside a place is still there."""
    if (gone >> space) & 1 or table.creature_at[space] == NOTHING:
        return False
    return beyond(rules, space, place) != NOTHING


@rule
def step_worth(rules, table, own, style, goal, wanted, space, place, cards):
    """What it is worth to subdue a creature and to stand behind it, less the cards it takes."""
    creature = table.creature_at[space]
    worth = style[LEVEL] * rules.level[creature] + style[GEM] * table.gems_at[space]
    eager = eagerness(table, own.seat, style)
    worth += eager * style[NEED] * use_of_card(rules, creature, wanted)
    if goal != NOTHING:
        there = beyond(rules, space, place)
        worth += eager * style[STEP] * (steps_between(place, goal) - steps_between(there, goal))
    return worth - style[CARD] * price_of_cards(rules, table, own, cards, wanted, style[HOLD])


@rule
def choose_payment(rules, table, own, wanted, style):
    """The card to lay: most towards the payment for what it costs; cards under the token first."""
    seat = own.seat
    if table.paying_for == FOR_CREATURE:
        planned = planned_card(rules, table, own, wanted, style)
        if planned >= 0:
            return WIDTH * LAY + planned
    for place in range(table.token_cards[seat]):
        card = np.int64(own.token[place])
        if table.paying_for != FOR_CREATURE and can_lay_hidden(rules, table, own, card):
            return WIDTH * LAY_TOKEN + card
    best, best_symbols = -1, 100
    for place in range(table.hand_cards[seat]):
        card = np.int64(own.hand[place])
        symbols = number_in_all(symbols_of(rules, card)) + 5 * (jokers_of(rules, card) % 2)
        if symbols < best_symbols and can_lay(rules, table, own, card, False):
            best, best_symbols = card, symbols
    return WIDTH * LAY + best


@rule
def can_lay_hidden(rules, table, own, card):
    """Whether a card under the token can be laid for an open Quest."""
    return table.paying_for == 2 and can_lay(rules, table, own, card, True)


@rule
def planned_card(rules, table, own, wanted, style):
    """A card of the cheapest payment; -1 if cards were laid already or it does not fit."""
    if table.laid_cards > 0:
        return -1
    cards = payment(rules, table, own, table.target, 0, wanted, style[HOLD])
    for place in range(min(table.hand_cards[own.seat], 60)):
        if (cards >> place) & 1:
            card = np.int64(own.hand[place])
            if can_lay(rules, table, own, card, False):
                return card
    return -1

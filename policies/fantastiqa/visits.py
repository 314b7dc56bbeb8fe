"""Visits to statues: what they are worth, and every step of them."""

from __future__ import annotations

import numpy as np

from simlab.compiled import rule
from simlab.games.fantastiqa.quests import free_slots
from simlab.games.fantastiqa.records import (
    ADD,
    ADDING,
    AT_STATUE,
    BAZAAR,
    BEAST,
    BUY,
    BUYING,
    CHEST,
    CLAIM,
    CLAIMING,
    DONE,
    DOUBLED,
    DRAW,
    LET_GO,
    LET_GO_DISCARD,
    RELEASE,
    STATUE,
    TELEPORT,
    WARDROBE,
    WIDTH,
)
from simlab.games.fantastiqa.statues import can_release, can_teleport, is_releasable, statue_here
from simlab.games.fantastiqa.symbols import number_in_all
from simlab.policies.fantastiqa.paths import eagerness
from simlab.policies.fantastiqa.sight import place_of_region, steps_between, use_of_card
from simlab.policies.fantastiqa.style import ARTIFACTS, BEASTS, CHESTS, STUCK, THIN


@rule
def visit_worth(rules, table, own, style):
    """What a visit to the statue here is worth."""
    return max(draw_worth(rules, table, own, style), release_worth(rules, table, own, style))


@rule
def draw_worth(rules, table, own, style):
    """What drawing at the statue here is worth: cards one could pay for, or Quests one wants."""
    seat = own.seat
    statue = statue_here(table, seat)
    gems = table.gems[seat]
    if statue == CHEST:
        has = rules.quest_limit - free_slots(rules, table, seat)
        room = table.supply_cards[CHEST] + table.returned_cards[CHEST] > 0
        if not room or has >= rules.quest_limit:
            return -1.0
        return eagerness(table, seat, style) * style[CHESTS] * (1.0 - 0.5 * has)
    if table.supply_cards[statue] + table.returned_cards[statue] == 0:
        return -1.0
    if statue == BAZAAR:
        return style[BEASTS] * (gems // 3)
    return style[ARTIFACTS] * (gems // 2)


@rule
def release_worth(rules, table, own, style):
    """What releasing here is worth: weak cards at hand that gems suffice for."""
    seat = own.seat
    if style[THIN] <= 0.0 or rules.release_limit == 0:
        return -1.0
    weak = 0
    for kind in range(rules.kinds):
        if table.discard[seat, kind] > 0 and is_weak(rules, kind):
            weak += np.int64(table.discard[seat, kind])
    for place in range(table.hand_cards[seat]):
        weak += 1 if is_weak(rules, np.int64(own.hand[place])) else 0
    payable = table.gems[seat] // max(1, rules.release_cost)
    return style[THIN] * min(weak, rules.release_limit, payable)


@rule
def is_weak(rules, card):
    """Whether a card is hardly worth its place: one symbol at most and no power."""
    kind = card % DOUBLED
    if rules.special[kind] != 0 or not is_releasable(rules, card):
        return False
    return number_in_all(rules.symbols[kind]) <= 1


@rule
def at_statue(rules, table, own, style, wanted):
    """Every step of a visit."""
    seat, phase = own.seat, table.phase
    if phase == AT_STATUE:
        return what_to_do_here(rules, table, own, style)
    if phase == ADDING:
        for place in range(table.hand_cards[seat]):
            card = np.int64(own.hand[place])
            adds = rules.special[card % DOUBLED] == STATUE
            if adds and use_of_card(rules, card, wanted) == 0 and table.left < 30:
                return WIDTH * ADD + card
        return WIDTH * DONE
    if phase == BUYING:
        return buy_best(rules, table, own, style, wanted)
    if phase == CLAIMING:
        return claim_best(rules, table, own)
    return release_weakest(rules, table, own)


@rule
def what_to_do_here(rules, table, own, style):
    """Draw or release, whichever is worth more and can be done."""
    seat = own.seat
    statue = statue_here(table, seat)
    quests = table.supply_cards[CHEST] + table.returned_cards[CHEST] > 0
    can_draw = statue != CHEST or (quests and free_slots(rules, table, seat) > 0)
    drawing = draw_worth(rules, table, own, style)
    if own.notes[STUCK] >= 2 and can_teleport(rules, table, seat) and drawing <= 0.0:
        return WIDTH * TELEPORT
    releasing = release_worth(rules, table, own, style)
    if can_draw and drawing >= releasing:
        return WIDTH * DRAW
    if releasing > 0.0:
        return WIDTH * RELEASE
    if can_draw:
        return WIDTH * DRAW
    from_gems = table.gems[seat] >= rules.release_cost and rules.release_limit > 0
    return WIDTH * RELEASE if from_gems else WIDTH * TELEPORT


@rule
def buy_best(rules, table, own, style, wanted):
    """The card that is worth most to the deck, of those that gems suffice for."""
    best, best_worth = -1, 0.0
    for place in range(table.drawn_cards):
        kind = table.drawn[place]
        if rules.cost[kind] > table.gems[own.seat]:
            continue
        likes = style[BEASTS] if rules.group[kind] == BEAST else style[ARTIFACTS]
        worth = likes * (1.0 + rules.cost[kind] + use_of_card(rules, kind, wanted))
        if rules.special[kind] == WARDROBE:
            worth = 0.0
        if worth > best_worth:
            best, best_worth = kind, worth
    return WIDTH * BUY + best if best >= 0 else WIDTH * DONE


@rule
def claim_best(rules, table, own):
    """The Quest that the deck fits best; one is enough."""
    if table.claimed > 0:
        return WIDTH * DONE
    best, best_score = 0, -1000.0
    for place in range(table.drawn_cards):
        quest = table.drawn[place]
        goal = place_of_region(table, rules.region[quest])
        score = 2.0 * rules.cups[quest] - 0.5 * steps_between(table.place[own.seat], goal)
        score -= number_in_all(rules.needs[quest])
        if score > best_score:
            best, best_score = quest, score
    return WIDTH * CLAIM + best


@rule
def release_weakest(rules, table, own):
    """Release cards that are hardly worth their place, then go."""
    seat = own.seat
    if can_release(rules, table, own):
        for place in range(table.hand_cards[seat]):
            card = np.int64(own.hand[place])
            if is_weak(rules, card):
                return WIDTH * LET_GO + card
        for kind in range(rules.kinds):
            if table.discard[seat, kind] > 0 and is_weak(rules, kind):
                return WIDTH * LET_GO_DISCARD + kind
    if table.claimed > 0:
        return WIDTH * DONE
    for place in range(table.hand_cards[seat]):
        if is_releasable(rules, np.int64(own.hand[place])):
            return WIDTH * LET_GO + np.int64(own.hand[place])
    for kind in range(rules.kinds):
        if table.discard[seat, kind] > 0 and is_releasable(rules, kind):
            return WIDTH * LET_GO_DISCARD + kind
    return WIDTH * DONE

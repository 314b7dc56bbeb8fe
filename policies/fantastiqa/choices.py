"""The choices before the first turn, and what powers of cards ask for."""

from __future__ import annotations

import numpy as np

from simlab.compiled import rule
from simlab.games.fantastiqa.board import are_opponents, beyond, can_fly
from simlab.games.fantastiqa.freely import can_double, can_stride
from simlab.games.fantastiqa.quests import quest_at
from simlab.games.fantastiqa.records import (
    BREW_DISCARD,
    BREW_HAND,
    BREWING,
    CHOOSE_ARTIFACT,
    CHOOSE_QUEST,
    DOUBLE_CARD,
    DOUBLING,
    DRAGON,
    EXCESS,
    FLY,
    FLYING,
    KEEP,
    KEEPING,
    NOTHING,
    POUR,
    REGIONS,
    SEND,
    SENDING,
    SPACES,
    START_AT,
    STRIDE_TO,
    STRIDING,
    SUMMON,
    SWAP,
    SWAPPING,
    TAKE_ARTIFACT,
    TAKE_QUEST,
    WIDTH,
    WITHDRAW_TOKEN,
)
from simlab.games.fantastiqa.rucksack import holds
from simlab.games.fantastiqa.symbols import number_in_all, symbols_of
from simlab.policies.fantastiqa.sight import place_of_region, steps_between, use_of_card


@rule
def choose_start(rules, table, own):
    """A Quest in the middle of the map if there is one, a Bell to see more cards, a good place."""
    if table.phase == CHOOSE_QUEST:
        best, best_score = 0, -1
        for quest in range(rules.quests):
            if rules.start_quest[quest] == 0 or is_taken(rules, table, quest):
                continue
            place = place_of_region(table, rules.region[quest])
            score = 10 * rules.reward[quest] + (5 if place in (2, 3) else 0)
            if score > best_score:
                best, best_score = quest, score
        return WIDTH * TAKE_QUEST + best
    if table.phase == CHOOSE_ARTIFACT:
        best, best_score = 0, -1
        for kind in range(rules.kinds):
            left = rules.starting[kind]
            for seat in range(rules.players):
                left -= np.int64(table.discard[seat, kind])
            score = 2 if rules.special[kind] == SUMMON else 1
            if left > 0 and score > best_score:
                best, best_score = kind, score
        return WIDTH * TAKE_ARTIFACT + best
    goal = place_of_region(table, rules.region[table.quests[own.seat, 0]])
    best, best_score = 0, -100
    for place in range(REGIONS):
        score = (2 if place in (2, 3) else 0) - steps_between(place, goal)
        for seat in range(rules.players):
            if table.place[seat] == place:
                score -= 50
        if score > best_score:
            best, best_score = place, score
    return WIDTH * START_AT + best


@rule
def is_taken(rules, table, quest):
    """Whether a player has a Quest already."""
    for seat in range(rules.players):
        if table.quests[seat, 0] == quest:
            return True
    return False


@rule
def opponent_here(rules, table, seat):
    """The opponent in this region with most points; -1 without one."""
    best, most = -1, -1000
    for other in range(rules.players):
        if are_opponents(rules, seat, other) and table.place[other] == table.place[seat]:
            if table.points[other] > most:
                best, most = other, table.points[other]
    return best


@rule
def strongest_opponent(rules, table, seat):
    """The opponent with most points."""
    best, most = -1, -1000
    for other in range(rules.players):
        if are_opponents(rules, seat, other) and table.points[other] > most:
            best, most = other, table.points[other]
    return best


@rule
def choose_target(rules, table, own, target, wanted):
    """What a power is used on."""
    seat, phase = own.seat, table.phase
    if phase in (FLYING, STRIDING):
        return choose_place(rules, table, own, target)
    if phase == SENDING:
        return WIDTH * SEND + strongest_opponent(rules, table, seat)
    if phase == DOUBLING:
        return WIDTH * DOUBLE_CARD + best_to_double(rules, table, own, wanted)
    if phase == KEEPING:
        return WIDTH * KEEP + best_looked_at(rules, own, wanted)
    if phase == BREWING:
        return card_to_brew(rules, table, own)
    if phase == EXCESS:
        return WIDTH * WITHDRAW_TOKEN + np.int64(own.token[0])
    if phase == SWAPPING:
        return first_swap(table)
    return WIDTH * POUR + strongest_opponent(rules, table, seat)


@rule
def choose_place(rules, table, own, target):
    """Fly or stride towards the Quest."""
    seat = own.seat
    goal = table.place[seat]
    if target != NOTHING:
        goal = place_of_region(table, rules.region[quest_at(table, seat, target)])
    best, best_way, found = -1, 100, -1
    if table.phase == FLYING:
        for space in range(SPACES):
            if can_fly(rules, table, seat, space):
                way = steps_between(beyond(rules, space, table.place[seat]), goal)
                if way < best_way:
                    best_way, found = way, WIDTH * FLY + space
        return found
    for place in range(REGIONS):
        if can_stride(rules, table, seat, place) and steps_between(place, goal) < best_way:
            best_way, best = steps_between(place, goal), place
    return WIDTH * STRIDE_TO + best


@rule
def best_to_double(rules, table, own, wanted):
    """The card that shows most of what is wanted."""
    best, best_use = -1, -1
    for place in range(table.hand_cards[own.seat]):
        card = np.int64(own.hand[place])
        if can_double(rules, card) and use_of_card(rules, card, wanted) > best_use:
            best, best_use = card, use_of_card(rules, card, wanted)
    return best


@rule
def best_looked_at(rules, own, wanted):
    """The card looked at that is most useful."""
    best, best_use = -1, -1
    for place in range(own.looked_cards):
        card = np.int64(own.looked[place])
        use = 4 * use_of_card(rules, card, wanted) + number_in_all(symbols_of(rules, card))
        if rules.group[card] != DRAGON:
            use += 1
        if use > best_use:
            best, best_use = card, use
    return best


@rule
def card_to_brew(rules, table, own):
    """A dragon if there is one; else the first card at hand."""
    seat = own.seat
    if holds(own.hand, table.hand_cards[seat], rules.dragon):
        return WIDTH * BREW_HAND + rules.dragon
    if table.discard[seat, rules.dragon] > 0:
        return WIDTH * BREW_DISCARD + rules.dragon
    if table.hand_cards[seat] > 0:
        return WIDTH * BREW_HAND + np.int64(own.hand[0])
    for kind in range(rules.kinds):
        if table.discard[seat, kind] > 0:
            return WIDTH * BREW_DISCARD + kind
    return -1


@rule
def first_swap(table):
    """Any two creatures."""
    first = -1
    for space in range(SPACES):
        if table.creature_at[space] != NOTHING:
            if first >= 0:
                return WIDTH * SWAP + 8 * first + space
            first = space
    return -1

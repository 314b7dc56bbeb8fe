"""How a player with a style plays: one text for all strategies that weigh, with other weights.

A style is a row of numbers, the parameters of `planner`. Every turn it picks the Quest that
promises most points a turn, completes what can be completed, and takes the turn action that is
worth most.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import rule
from simlab.games.fantastiqa.board import are_opponents, beyond, can_fly
from simlab.games.fantastiqa.freely import can_double, can_use
from simlab.games.fantastiqa.quests import can_commit, can_complete, quest_at
from simlab.games.fantastiqa.records import (
    BREW,
    CARPET,
    CHOOSE_PLACE,
    COMMIT,
    COMMIT_TOKEN,
    COMPLETE,
    DISCARD,
    DOUBLE,
    DOUBLED,
    DRAW_CARDS,
    FIND_GEM,
    FINISH,
    FLY,
    FREE,
    GIVE,
    GO,
    KEY,
    NOTHING,
    OPEN,
    PAYING,
    PURSE,
    RELEASING,
    RESHUFFLE,
    SLOTS,
    SPACES,
    STOP,
    STRIDE,
    SUMMON,
    SUMMON_DRAGON,
    TRAVELLING,
    USE,
    VISIT,
    WIDTH,
)
from simlab.games.fantastiqa.rucksack import holds
from simlab.games.fantastiqa.statues import can_visit
from simlab.games.fantastiqa.symbols import number_in_all, symbols_of
from simlab.policies.fantastiqa.choices import choose_start, choose_target, opponent_here
from simlab.policies.fantastiqa.paths import best_path, choose_payment
from simlab.policies.fantastiqa.sight import (
    LARGE,
    NO_SYMBOLS,
    best_quest,
    is_ready,
    lacking,
    place_of_region,
    prepared,
    steps_between,
    use_of_card,
    wanted_for,
)
from simlab.policies.fantastiqa.style import DRAGONS, FAR, HOLD, KEEPS, LACK, RENEW, STUCK
from simlab.policies.fantastiqa.visits import at_statue, visit_worth


@rule
def play(rules, table, own, moves, style):
    """Make the next decision of a turn, or of the setup."""
    phase = table.phase
    if phase <= CHOOSE_PLACE:
        return choose_start(rules, table, own)
    target = best_quest(rules, table, own, style[LACK], style[FAR])
    wanted = wanted_for(rules, table, own, target)
    if phase == FREE:
        return free_decision(rules, table, own, moves, style, target, wanted)
    if phase == PAYING:
        return choose_payment(rules, table, own, wanted, style)
    if phase == TRAVELLING:
        return travel_on(rules, table, own, style, target, wanted)
    if phase <= RELEASING:
        return at_statue(rules, table, own, style, wanted)
    return choose_target(rules, table, own, target, wanted)


@rule
def free_decision(rules, table, own, moves, style, target, wanted):
    """A turn action, a free action, or the end of the turn."""
    if table.acted == 0:
        done = completed_now(rules, table, own)
        if done >= 0:
            return done
        flight = flight_to_target(rules, table, own, target, wanted)
        if flight >= 0:
            return flight
    free = helpful_card(rules, table, own, style, target, wanted)
    if free >= 0:
        return free
    if table.acted == 0:
        action = best_action(rules, table, own, style, target, wanted)
        if action >= 0:
            return action
        action = way_out(rules, table, own, style, target, wanted)
        if action >= 0:
            return action
    return wind_up(rules, table, own, style, wanted)


@rule
def way_out(rules, table, own, style, target, wanted):
    """What one does rather than nothing: any creature at all, a carpet, a teleport; else -1."""
    space, worth = best_path(rules, table, own, style, target, wanted, -LARGE)
    if worth > -LARGE:
        return WIDTH * GO + space
    if own.notes[STUCK] < 1:
        return -1
    seat = own.seat
    if table.carpets[seat] > 0 and target != NOTHING:
        goal = place_of_region(table, rules.region[quest_at(table, seat, target)])
        flight = space_towards(rules, table, seat, goal)
        if flight >= 0:
            return WIDTH * FLY + flight
    spare = spare_carpet(rules, table, own, wanted)
    if spare >= 0 and can_use(rules, table, own, spare):
        return WIDTH * USE + spare
    if own.notes[STUCK] >= 2 and can_visit(rules, table, own):
        return WIDTH * VISIT
    return -1


@rule
def completed_now(rules, table, own):
    """Complete the Quest here that is worth most; -1 if none can be."""
    best, best_gain = -1, 0
    for place in range(SLOTS + OPEN):
        if can_complete(rules, table, own, place):
            quest = quest_at(table, own.seat, place)
            gain = rules.cups[quest] * (2 if place < SLOTS else 1)
            if place >= SLOTS:
                gain += table.open_bonus[place - SLOTS]
            if gain > best_gain:
                best, best_gain = place, gain
    return WIDTH * COMPLETE + best if best >= 0 else -1


@rule
def flight_to_target(rules, table, own, target, wanted):
    """Fly to where a Quest can be completed at once, if cards and tokens get there; else -1."""
    if target == NOTHING or not is_ready(rules, table, own, target):
        return -1
    seat = own.seat
    goal = place_of_region(table, rules.region[quest_at(table, seat, target)])
    way = steps_between(table.place[seat], goal)
    if way == 0:
        return -1
    spare = spare_carpet(rules, table, own, wanted)
    if way > table.carpets[seat] + (1 if spare >= 0 else 0):
        return -1
    space = space_towards(rules, table, seat, goal)
    if space < 0:
        return -1
    return WIDTH * USE + spare if spare >= 0 else WIDTH * FLY + space


@rule
def spare_carpet(rules, table, own, wanted):
    """A card that flies, and shows nothing that is wanted; -1 without one."""
    for place in range(table.hand_cards[own.seat]):
        card = np.int64(own.hand[place])
        if rules.special[card % DOUBLED] == CARPET and use_of_card(rules, card, wanted) == 0:
            return card
    return -1


@rule
def space_towards(rules, table, seat, goal):
    """A space to fly over that leads nearer to a place; -1 if there is none."""
    here = table.place[seat]
    for space in range(SPACES):
        if can_fly(rules, table, seat, space):
            there = beyond(rules, space, here)
            if steps_between(there, goal) < steps_between(here, goal):
                return space
    return -1


@rule
def helpful_card(rules, table, own, style, target, wanted):
    """A card that belongs to the Quest, or whose power helps at no cost; -1 if there is none."""
    seat = own.seat
    for place in range(table.hand_cards[seat]):
        card = np.int64(own.hand[place])
        useful = use_of_card(rules, card, wanted) > 0
        if useful and target < SLOTS and can_commit(rules, table, own, target, card):
            return WIDTH * (COMMIT + target) + card
        if useful and target >= SLOTS and table.token_cards[seat] < rules.token_limit:
            return WIDTH * COMMIT_TOKEN + card
        if power_helps(rules, table, own, style, target, card, useful):
            return WIDTH * USE + card
    return -1


@rule
def power_helps(rules, table, own, style, target, card, useful):
    """Whether it is a good moment for a card's power; `useful` if its symbols are wanted."""
    power = rules.special[card % DOUBLED]
    if power in (FIND_GEM, DRAW_CARDS, SUMMON):
        return True
    if power == 0 or not can_use(rules, table, own, card):
        return False
    if power == PURSE:
        return someone_is_richer(rules, table, own.seat)
    if power == SUMMON_DRAGON:
        return style[DRAGONS] > 0.0 and not useful and table.dragons > 0
    if power == BREW:
        return style[DRAGONS] > 0.0 and has_dragon(rules, table, own)
    if power == KEY:
        return not useful and visit_worth(rules, table, own, style) > 0.5
    if power == DOUBLE:
        return doubling_completes(rules, table, own, target)
    if power == STRIDE and target != NOTHING and table.acted == 0:
        goal = place_of_region(table, rules.region[quest_at(table, own.seat, target)])
        far = steps_between(table.place[own.seat], goal) > 0
        return far and is_ready(rules, table, own, target)
    return False


@rule
def someone_is_richer(rules, table, seat):
    """Whether an opponent has more gems."""
    for other in range(rules.players):
        if are_opponents(rules, seat, other) and table.gems[other] > table.gems[seat]:
            return True
    return False


@rule
def has_dragon(rules, table, own):
    """Whether there is a Peaceful Dragon to get rid of."""
    seat = own.seat
    in_hand = holds(own.hand, table.hand_cards[seat], rules.dragon)
    return in_hand or table.discard[seat, rules.dragon] > 0


@rule
def doubling_completes(rules, table, own, target):
    """Whether a card that counts twice would be enough for the target, in this region."""
    if target == NOTHING or table.acted != 0:
        return False
    seat = own.seat
    quest = quest_at(table, seat, target)
    if rules.region[quest] != table.region_at[table.place[seat]]:
        return False
    pile = prepared(rules, table, own, target)
    for place in range(table.hand_cards[seat]):
        pile += symbols_of(rules, np.int64(own.hand[place]))
    left = lacking(rules.needs[quest], pile)
    for place in range(table.hand_cards[seat]):
        card = np.int64(own.hand[place])
        if can_double(rules, card) and left != NO_SYMBOLS:
            if lacking(left, symbols_of(rules, card)) == NO_SYMBOLS:
                return True
    return False


@rule
def best_action(rules, table, own, style, target, wanted):
    """Set out or visit, whichever is worth more; -1 if neither is worth anything."""
    space, worth = best_path(rules, table, own, style, target, wanted, 0.0)
    visit = visit_worth(rules, table, own, style) if can_visit(rules, table, own) else -1.0
    if visit > worth and visit > 0.0:
        return WIDTH * VISIT
    return WIDTH * GO + space if worth > 0.0 else -1


@rule
def travel_on(rules, table, own, style, target, wanted):
    """On to the next creature, or enough."""
    space, worth = best_path(rules, table, own, style, target, wanted, 0.0)
    return WIDTH * GO + space if worth > 0.0 else WIDTH * STOP


@rule
def wind_up(rules, table, own, style, wanted):
    """Reshuffle, discard what is not worth keeping, give a dragon away, and finish."""
    seat = own.seat
    if table.reshuffles[seat] > 0 and table.discard_cards[seat] >= style[RENEW]:
        if table.pile_cards[seat] < rules.hand:
            return WIDTH * RESHUFFLE
    for place in range(table.hand_cards[seat]):
        card = np.int64(own.hand[place])
        # Who could do nothing this turn hopes for other cards.
        stale = table.acted == 0 or worth_keeping(rules, card, wanted, style) < style[KEEPS]
        if stale and card != rules.dragon:
            return WIDTH * DISCARD + card
    own.notes[STUCK] = 0 if table.acted != 0 else own.notes[STUCK] + 1
    if holds(own.hand, table.hand_cards[seat], rules.dragon):
        other = opponent_here(rules, table, seat)
        if other >= 0 and rules.giving != 0:
            return WIDTH * (GIVE + other) + rules.dragon
        own.notes[STUCK] -= 1 if table.acted == 0 else 0
        return WIDTH * DISCARD + rules.dragon
    return WIDTH * FINISH


@rule
def worth_keeping(rules, card, wanted, style):
    """What a card is worth in the hand for the next turn."""
    worth = number_in_all(symbols_of(rules, card)) + style[HOLD] * use_of_card(rules, card, wanted)
    if rules.special[card % DOUBLED] in (CARPET, STRIDE, DOUBLE):
        worth += 1.0
    return worth

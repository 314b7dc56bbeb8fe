"""How a player with a style plays: one text for all strategies that weigh, with other weights.

A style is a row of numbers, named here. Every turn it picks the Quest that promises most points a
turn, completes what can be completed, and takes the turn action that is worth most to it.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import rule
from simlab.games.fantastiqa.adventure import can_subdue
from simlab.games.fantastiqa.board import are_opponents, beyond, can_fly
from simlab.games.fantastiqa.freely import can_double, can_stride, can_use
from simlab.games.fantastiqa.payments import can_lay
from simlab.games.fantastiqa.quests import can_commit, can_complete, free_slots, quest_at
from simlab.games.fantastiqa.records import (
    ADD,
    ADDING,
    AT_STATUE,
    BAZAAR,
    BEAST,
    BREW,
    BREW_DISCARD,
    BREW_HAND,
    BREWING,
    BUY,
    BUYING,
    CARPET,
    CHEST,
    CHOOSE_ARTIFACT,
    CHOOSE_PLACE,
    CHOOSE_QUEST,
    CLAIM,
    CLAIMING,
    COMMIT,
    COMMIT_TOKEN,
    COMPLETE,
    DISCARD,
    DONE,
    DOUBLE,
    DOUBLE_CARD,
    DOUBLED,
    DOUBLING,
    DRAGON,
    DRAW,
    DRAW_CARDS,
    EXCESS,
    FIND_GEM,
    FINISH,
    FLY,
    FLYING,
    FOR_CREATURE,
    FREE,
    GIVE,
    GO,
    KEEP,
    KEEPING,
    KEY,
    LAY,
    LAY_TOKEN,
    LET_GO,
    LET_GO_DISCARD,
    NOTHING,
    OPEN,
    PAYING,
    POUR,
    PURSE,
    REGIONS,
    RELEASE,
    RELEASING,
    RESHUFFLE,
    SEND,
    SENDING,
    SLOTS,
    SPACES,
    START_AT,
    STATUE,
    STOP,
    STRIDE,
    STRIDE_TO,
    STRIDING,
    SUMMON,
    SUMMON_DRAGON,
    SWAP,
    TAKE_ARTIFACT,
    TAKE_QUEST,
    TRAVELLING,
    USE,
    VISIT,
    WARDROBE,
    WIDTH,
    WITHDRAW_TOKEN,
)
from simlab.games.fantastiqa.rucksack import holds
from simlab.games.fantastiqa.statues import can_release, can_visit, is_releasable, statue_here
from simlab.games.fantastiqa.symbols import jokers_of, number_in_all, symbols_of
from simlab.policies.fantastiqa.sight import (
    NO_SYMBOLS,
    best_quest,
    is_ready,
    lacking,
    payment,
    place_of_region,
    prepared,
    price_of_cards,
    steps_between,
    use_of_card,
    wanted_for,
)

STYLE = (
    "lack",
    "far",
    "need",
    "level",
    "gem",
    "step",
    "card",
    "hold",
    "beast",
    "artifact",
    "chest",
    "release",
    "dragons",
    "keep",
    "reshuffle",
    "depth",
)
"""The numbers of a style, in order; `planner` explains each."""
(
    LACK,
    FAR,
    NEED,
    LEVEL,
    GEM,
    STEP,
    CARD,
    HOLD,
    BEASTS,
    ARTIFACTS,
    CHESTS,
    THIN,
    DRAGONS,
    KEEPS,
    RENEW,
    DEPTH,
) = range(len(STYLE))


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


# --- Setup ----------------------------------------------------------------------------------


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
            score = 2 if rules.power[kind] == SUMMON else 1
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


# --- A turn ---------------------------------------------------------------------------------


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
    return wind_up(rules, table, own, style, wanted)


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
        if rules.power[card % DOUBLED] == CARPET and use_of_card(rules, card, wanted) == 0:
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
    power = rules.power[card % DOUBLED]
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


# --- The turn action ------------------------------------------------------------------------


@rule
def best_action(rules, table, own, style, target, wanted):
    """Set out or visit, whichever is worth more; -1 if neither is worth anything."""
    space, worth = best_path(rules, table, own, style, target, wanted)
    visit = visit_worth(rules, table, own, style) if can_visit(rules, table, own) else -1.0
    if visit > worth and visit > 0.0:
        return WIDTH * VISIT
    return WIDTH * GO + space if worth > 0.0 else -1


@rule
def travel_on(rules, table, own, style, target, wanted):
    """On to the next creature, or enough."""
    space, worth = best_path(rules, table, own, style, target, wanted)
    return WIDTH * GO + space if worth > 0.0 else WIDTH * STOP


@rule
def best_path(rules, table, own, style, target, wanted):
    """First space of the line over creatures that is worth most, and its worth.

    Looks ahead `depth` creatures. Each is paid for as cheaply as can be.
    """
    goal = NOTHING
    if target != NOTHING:
        goal = place_of_region(table, rules.region[quest_at(table, own.seat, target)])
    best, best_worth = 0, 0.0
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
    worth += style[NEED] * use_of_card(rules, creature, wanted)
    if goal != NOTHING:
        there = beyond(rules, space, place)
        worth += style[STEP] * (steps_between(place, goal) - steps_between(there, goal))
    return worth - style[CARD] * price_of_cards(rules, table, own, cards, wanted, style[HOLD])


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
        return style[CHESTS] * (1.0 - 0.5 * has) if room and has < rules.quest_limit else -1.0
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
    if rules.power[kind] != 0 or not is_releasable(rules, card):
        return False
    return number_in_all(rules.symbols[kind]) <= 1


# --- The end of a turn ----------------------------------------------------------------------


@rule
def wind_up(rules, table, own, style, wanted):
    """Reshuffle, discard what is not worth keeping, give a dragon away, and finish."""
    seat = own.seat
    if table.reshuffles[seat] > 0 and table.discard_cards[seat] >= style[RENEW]:
        if table.pile_cards[seat] < rules.hand:
            return WIDTH * RESHUFFLE
    if holds(own.hand, table.hand_cards[seat], rules.dragon) and rules.giving != 0:
        other = opponent_here(rules, table, seat)
        if other >= 0:
            return WIDTH * (GIVE + other) + rules.dragon
    for place in range(table.hand_cards[seat]):
        card = np.int64(own.hand[place])
        # Who could do nothing this turn hopes for other cards.
        if table.acted == 0 or worth_keeping(rules, card, wanted, style) < style[KEEPS]:
            return WIDTH * DISCARD + card
    return WIDTH * FINISH


@rule
def worth_keeping(rules, card, wanted, style):
    """What a card is worth in the hand for the next turn."""
    worth = number_in_all(symbols_of(rules, card)) + style[HOLD] * use_of_card(rules, card, wanted)
    if rules.power[card % DOUBLED] in (CARPET, STRIDE, DOUBLE):
        worth += 1.0
    return worth


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


# --- Paying ---------------------------------------------------------------------------------


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


# --- At a statue ----------------------------------------------------------------------------


@rule
def at_statue(rules, table, own, style, wanted):
    """Every step of a visit."""
    seat, phase = own.seat, table.phase
    if phase == AT_STATUE:
        return what_to_do_here(rules, table, own, style)
    if phase == ADDING:
        for place in range(table.hand_cards[seat]):
            card = np.int64(own.hand[place])
            adds = rules.power[card % DOUBLED] == STATUE
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
    releasing = release_worth(rules, table, own, style)
    if can_draw and drawing >= releasing:
        return WIDTH * DRAW
    if releasing > 0.0:
        return WIDTH * RELEASE
    if can_draw:
        return WIDTH * DRAW
    from_gems = table.gems[seat] >= rules.release_cost and rules.release_limit > 0
    return WIDTH * RELEASE if from_gems else WIDTH * (RELEASE + 1)


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
        if rules.power[kind] == WARDROBE:
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


# --- What powers ask for --------------------------------------------------------------------


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
    if phase > STRIDING or phase < FLYING:
        return -1
    if phase == STRIDING - 1:
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

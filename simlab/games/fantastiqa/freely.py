"""Free actions: tokens, powers of cards, and what Artifacts do."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.board import (
    are_opponents,
    beyond,
    can_fly_somewhere,
    creatures_on_table,
    take_gems,
    within_reach,
)
from simlab.games.fantastiqa.records import (
    ANY_SYMBOL,
    ARTIFACT,
    BREW,
    BREWING,
    CARDS_GIVEN,
    CARDS_USED,
    CARPET,
    CARPETS_USED,
    DOUBLE,
    DOUBLED,
    DOUBLING,
    DRAGONS_RECEIVED,
    DRAGONS_SENT,
    DRAW_CARDS,
    FIND_GEM,
    FLYING,
    FREE,
    GEMS_EARNED,
    GEMS_LOST,
    KEEPING,
    KEY,
    NOTHING,
    POURING,
    PURSE,
    SENDING,
    SPACES,
    STRIDE,
    STRIDING,
    SUMMON,
    SUMMON_DRAGON,
    SWAPPING,
    WARDROBE,
)
from simlab.games.fantastiqa.rucksack import (
    discard_card,
    draw_card,
    keep_looked,
    leave_hand,
    look_at_card,
    off_discard,
    put_in,
    take_out,
    to_discard,
)
from simlab.games.fantastiqa.statues import begin_visit, can_visit_by_key


@rule
def fly_over(table: Record, rules: Record, seat: int, space: int) -> None:
    """Move to the region behind a space; the creature stays."""
    table.place[seat] = beyond(rules, space, table.place[seat])


# --- What a card could do now ---------------------------------------------------------------


@rule
def can_use(rules: Record, table: Record, own: Record, card: int) -> bool:
    """Whether a card's power may be used: it needs a target, but not an effect."""
    seat, power = own.seat, rules.special[card % DOUBLED]
    if power == CARPET:
        return can_fly_somewhere(rules, table, seat)
    if power == SUMMON_DRAGON:
        return rules.dragon_power != 0
    if power == KEY:
        return can_visit_by_key(rules, table, own)
    if power == DOUBLE:
        return others_to_double(rules, table, own, card) > 0
    if power == BREW:
        return table.hand_cards[seat] > 1 or table.discard_cards[seat] > 0
    if power == WARDROBE:
        return creatures_on_table(table) > 1
    if power == STRIDE:
        return within_reach(rules, table, seat, rules.amount[card % DOUBLED]) != 0
    return power in (FIND_GEM, SUMMON, PURSE, DRAW_CARDS)


@rule
def can_double(rules: Record, card: int) -> bool:
    """Whether a card shows a symbol that can count twice."""
    if card >= DOUBLED:
        return False
    return rules.symbols[card] != np.uint64(0) or rules.special[card] == ANY_SYMBOL


@rule
def others_to_double(rules: Record, table: Record, own: Record, card: int) -> int:
    """Cards of the hand that can count twice, the one in use left aside."""
    found = 0
    for place in range(table.hand_cards[own.seat]):
        found += 1 if can_double(rules, np.int64(own.hand[place])) else 0
    return found - (1 if can_double(rules, card) else 0)


@rule
def only_opponent(rules: Record, seat: int) -> int:
    """The opponent, if there is but one; else NOTHING."""
    return 1 - seat if rules.players == 2 else NOTHING


# --- Using it -------------------------------------------------------------------------------


@rule
def use_card(rules: Record, state: Record, own: Record, card: int, chance: Record) -> None:
    """Use the power of a card of the hand; what it asks for is decided next."""
    table, tally = state.table, state.hidden.tally
    seat, kind = own.seat, card % DOUBLED
    table.special = rules.special[kind]
    table.amount = rules.amount[kind]
    tally[seat, CARDS_USED] += 1
    if rules.group[kind] == ARTIFACT:
        leave_hand(table, own, card)
        table.in_use = kind
    else:
        discard_card(table, own, card)
    if table.special == KEY:
        done_using(table, seat)
        begin_visit(state, seat, 1)
        return
    table.phase = phase_of_power(table.special)
    if table.phase != FREE:
        begin_choice(rules, state, own, chance)
        return
    use_at_once(rules, state, own, chance)
    done_using(table, seat)


@rule
def phase_of_power(power: int) -> int:
    """The decision that a power asks for; FREE if none."""
    if power == CARPET:
        return FLYING
    if power == SUMMON_DRAGON:
        return SENDING
    if power == DOUBLE:
        return DOUBLING
    if power == SUMMON:
        return KEEPING
    if power == BREW:
        return BREWING
    if power == WARDROBE:
        return SWAPPING
    return STRIDING if power == STRIDE else FREE


@rule
def begin_choice(rules: Record, state: Record, own: Record, chance: Record) -> None:
    """What comes before the decision of a power: the only opponent, the cards to look at."""
    table, seat = state.table, own.seat
    if table.phase == SENDING and only_opponent(rules, seat) != NOTHING:
        send_dragon(rules, state, seat, only_opponent(rules, seat))
    elif table.phase == KEEPING:
        for _ in range(table.amount):
            if not look_at_card(rules, state, seat, chance):
                break
        if own.looked_cards == 1:
            keep_card(rules, table, own, np.int64(own.looked[0]))
        elif own.looked_cards == 0:
            done_using(table, seat)


@rule
def use_at_once(rules: Record, state: Record, own: Record, chance: Record) -> None:
    """Powers that ask for no decision."""
    table, tally, seat = state.table, state.hidden.tally, own.seat
    if table.special == FIND_GEM:
        tally[seat, GEMS_EARNED] += take_gems(table, seat, table.amount)
    elif table.special == PURSE:
        take_from_the_richer(rules, state, seat)
    elif table.special == DRAW_CARDS:
        for _ in range(table.amount):
            draw_card(rules, state, seat, chance)


@rule
def done_using(table: Record, seat: int) -> None:
    """A card has done what it does; an Artifact is discarded now, and spent for this turn."""
    if table.in_use != NOTHING:
        to_discard(table, seat, table.in_use)
        table.spent[table.in_use] += 1
        table.in_use = NOTHING
    table.special = 0
    table.amount = 0
    table.phase = FREE


@rule
def take_from_the_richer(rules: Record, state: Record, seat: int) -> None:
    """Take gems from each opponent who has more, by what all have before the first one pays."""
    table, tally = state.table, state.hidden.tally
    had = table.gems[seat]
    for other in range(rules.players):
        if are_opponents(rules, seat, other) and table.gems[other] > had:
            gems = min(table.amount, table.gems[other])
            table.gems[other] -= gems
            table.gems[seat] += gems
            tally[other, GEMS_LOST] += gems
            tally[seat, GEMS_EARNED] += gems


@rule
def send_dragon(rules: Record, state: Record, seat: int, other: int) -> None:
    """Put a Peaceful Dragon of the supply on an opponent's discard pile."""
    table, tally = state.table, state.hidden.tally
    if table.dragons > 0:
        table.dragons -= 1
        to_discard(table, other, rules.dragon)
        tally[seat, DRAGONS_SENT] += 1
        tally[other, DRAGONS_RECEIVED] += 1
    done_using(table, seat)


@rule
def double_card(table: Record, own: Record, card: int) -> None:
    """Let a card of the hand count twice until the turn ends; only its player sees which."""
    number = table.hand_cards[own.seat]
    take_out(own.hand, number, card)
    put_in(own.hand, number - 1, card + DOUBLED)
    done_using(table, own.seat)


@rule
def keep_card(rules: Record, table: Record, own: Record, card: int) -> None:
    """Keep one of the cards looked at."""
    keep_looked(table, own, card)
    done_using(table, own.seat)


@rule
def brew_card(rules: Record, state: Record, own: Record, card: int, from_discard: int) -> None:
    """Pick up the card that is to go to an opponent."""
    table, seat = state.table, own.seat
    if from_discard:
        off_discard(table, seat, card)
    else:
        leave_hand(table, own, card)
    table.brewed = card % DOUBLED
    table.phase = POURING
    if only_opponent(rules, seat) != NOTHING:
        pour(rules, state, seat, only_opponent(rules, seat))


@rule
def pour(rules: Record, state: Record, seat: int, other: int) -> None:
    """Put the card picked up on an opponent's discard pile."""
    table = state.table
    hand_over(rules, state, seat, other, table.brewed)
    table.brewed = NOTHING
    done_using(table, seat)


@rule
def hand_over(rules: Record, state: Record, seat: int, other: int, card: int) -> None:
    """A card of one player ends up on another one's discard pile."""
    tally = state.hidden.tally
    to_discard(state.table, other, card)
    tally[seat, CARDS_GIVEN] += 1
    if card % DOUBLED == rules.dragon:
        tally[seat, DRAGONS_SENT] += 1
        tally[other, DRAGONS_RECEIVED] += 1


@rule
def can_swap(table: Record, pair: int) -> bool:
    """Whether a pair of spaces (8 times the first and the second) both have creatures."""
    first, second = pair // 8, pair % 8
    if first >= second or second >= SPACES:
        return False
    return table.creature_at[first] != NOTHING and table.creature_at[second] != NOTHING


@rule
def swap_creatures(table: Record, seat: int, pair: int) -> None:
    """Swap two creatures, with the gems on them."""
    first, second = pair // 8, pair % 8
    creature, gems = table.creature_at[first], table.gems_at[first]
    table.creature_at[first] = table.creature_at[second]
    table.gems_at[first] = table.gems_at[second]
    table.creature_at[second] = creature
    table.gems_at[second] = gems
    done_using(table, seat)


@rule
def can_stride(rules: Record, table: Record, seat: int, place: int) -> bool:
    """Whether a place is near enough."""
    return (within_reach(rules, table, seat, table.amount) >> place) & 1 != 0


@rule
def use_carpet_token(table: Record, state: Record, seat: int) -> None:
    """Turn over a Flying Carpet token."""
    table.carpets[seat] -= 1
    state.hidden.tally[seat, CARPETS_USED] += 1

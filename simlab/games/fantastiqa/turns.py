"""The course of the game: setup, replenishing the table, and the end of a turn."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.board import lay_creature, next_creature, raid
from simlab.games.fantastiqa.freely import hand_over
from simlab.games.fantastiqa.knowledge import note_reshuffle
from simlab.games.fantastiqa.quests import claim_quest
from simlab.games.fantastiqa.records import (
    BEAST,
    BY_CAP,
    BY_DECK,
    CHEST,
    CHOOSE_ARTIFACT,
    CHOOSE_PLACE,
    CHOOSE_QUEST,
    CREATURE,
    FINISHED,
    FREE,
    GENERATIONS,
    KINDS,
    MOST_TOKEN,
    NOTHING,
    OPEN,
    PASSES,
    REGIONS,
    SEATS,
    SLOTS,
    SPACES,
    STATUES,
    TALLIES,
    TURNS,
    TURNS_A_CHECKPOINT,
)
from simlab.games.fantastiqa.rucksack import (
    OWN_DECKS,
    draw_card,
    leave_hand,
    single_again,
    to_discard,
)
from simlab.games.fantastiqa.statues import SUPPLIES, next_supply
from simlab.streams import SETUP, SHUFFLE, below, open_stream, purpose_of, shuffle

UPPER, LOWER, MIXED, STARTING_QUESTS = 0, 1, 2, 3
"""Indices of the streams that shuffle the creature deck and the Starting Quests."""
MIXED_AMONG = 10
"""Creature cards among which the events of the first fill are shuffled."""
ONE = np.uint64(1)

# --- Setup ----------------------------------------------------------------------------------


@rule
def deal(rules: Record, state: Record, chance: Record) -> None:
    """Lay out the map, shuffle the decks, and ask the last seat for its first choice."""
    table = state.table
    clear_table(rules, table)
    lay_out_map(table, chance)
    for seat in range(SEATS):
        clear_seat(rules, state, seat)
    stack_creatures(rules, state, chance)
    stack_supplies(rules, state, chance)
    state.hidden.events = 0
    table.to_move = rules.players - 1
    table.phase = CHOOSE_QUEST


@rule
def clear_table(rules: Record, table: Record) -> None:
    """Take everything off the table that does not belong to a seat."""
    table.checkpoint = 0
    table.turn_number = 0
    table.ended = 0
    table.acted = 0
    for space in range(SPACES):
        table.creature_at[space] = NOTHING
        table.gems_at[space] = 0
    for place in range(OPEN):
        table.open_quests[place] = NOTHING
        table.open_bonus[place] = 0
    for kind in range(KINDS):
        table.released[kind] = 0
        table.spent[kind] = 0
        table.mixed_in[kind] = 0
        table.face_up[kind] = 0
        table.face_down[kind] = rules.supply[kind]
        table.upper[kind] = rules.upper[kind]
        table.lower[kind] = rules.lower[kind]
    table.mixed = 0
    table.dragons = rules.dragons
    table.gem_supply = rules.gem_supply
    table.bonus_supply = rules.bonus_supply
    table.paying_for = 0
    table.target = 0
    table.laid[:] = 0
    table.laid_cards = 0
    table.visited = 0
    table.free_visit = 0
    table.left = 0
    table.claimed = 0
    table.drawn[:] = 0
    table.drawn_cards = 0
    table.brewed = NOTHING
    table.in_use = NOTHING
    table.special = 0
    table.amount = 0


@rule
def clear_seat(rules: Record, state: Record, seat: int) -> None:
    """Give a seat its tokens and gems, and nothing else yet."""
    table, own, hidden = state.table, state.seats[seat], state.hidden
    sits = seat < rules.players
    table.place[seat] = NOTHING
    table.gems[seat] = rules.gems if sits else 0
    table.gem_supply -= table.gems[seat]
    table.carpets[seat] = rules.carpets if sits else 0
    table.reshuffles[seat] = rules.reshuffles if sits else 0
    table.points[seat] = 0
    table.bonus[seat] = 0
    table.completed[seat] = 0
    for slot in range(SLOTS):
        table.quests[seat, slot] = NOTHING
        table.committed_cards[seat, slot] = 0
        table.committed[seat, slot, :] = 0
    table.hand_cards[seat] = 0
    table.token_cards[seat] = 0
    table.pile_cards[seat] = 0
    table.discard[seat, :] = 0
    table.discard_cards[seat] = 0
    table.generation[seat] = 0
    for generation in range(GENERATIONS):
        table.unseen[seat, generation, :] = 0
        table.unseen_cards[seat, generation] = 0
        table.drawn_in[seat, generation] = 0
    for place in range(MOST_TOKEN):
        table.token_from[seat, place] = 0
    own.seat = seat
    own.notes[:] = 0
    own.hand[:] = 0
    own.token[:] = 0
    own.looked[:] = 0
    own.looked_cards = 0
    hidden.shuffles[seat] = 0
    for column in range(len(TALLIES)):
        hidden.tally[seat, column] = 0


@rule
def lay_out_map(table: Record, chance: Record) -> None:
    """Place regions at random, and on them the statues, two of each kind."""
    open_stream(chance, chance.seed, chance.deal, purpose_of(SETUP, 0, 0))
    for place in range(REGIONS):
        table.region_at[place] = place
        table.statue_at[place] = place % STATUES
    for place in range(REGIONS - 1, 0, -1):
        other = below(chance, place + 1)
        table.region_at[place], table.region_at[other] = (
            table.region_at[other],
            table.region_at[place],
        )
    for place in range(REGIONS - 1, 0, -1):
        other = below(chance, place + 1)
        table.statue_at[place], table.statue_at[other] = (
            table.statue_at[other],
            table.statue_at[place],
        )


@rule
def stack_creatures(rules: Record, state: Record, chance: Record) -> None:
    """Shuffle the two sections of the creature deck, the upper one on top."""
    table, hidden = state.table, state.hidden
    cards = 0
    for kind in range(rules.kinds):
        for _ in range(rules.lower[kind]):
            hidden.deck[cards] = kind
            cards += 1
    open_stream(chance, chance.seed, chance.deal, purpose_of(SHUFFLE, LOWER, 0))
    shuffle(chance, hidden.deck, cards)
    upper = 0
    for kind in range(rules.kinds):
        upper += rules.upper[kind]
    for place in range(cards - 1, -1, -1):
        hidden.deck[upper + place] = hidden.deck[place]
    upper = 0
    for kind in range(rules.kinds):
        for _ in range(rules.upper[kind]):
            hidden.deck[upper] = kind
            upper += 1
    open_stream(chance, chance.seed, chance.deal, purpose_of(SHUFFLE, UPPER, 0))
    shuffle(chance, hidden.deck, upper)
    hidden.next = 0
    table.deck_cards = upper + cards


@rule
def stack_supplies(rules: Record, state: Record, chance: Record) -> None:
    """Shuffle beasts, artifacts and Quests, each by themselves."""
    table, hidden = state.table, state.hidden
    for statue in range(STATUES):
        cards = 0
        for kind in range(rules.kinds):
            if statue != CHEST and (rules.group[kind] == BEAST) == (statue != 0):
                for _ in range(rules.supply[kind]):
                    hidden.supply[statue, cards] = kind
                    cards += 1
        if statue == CHEST:
            table.quests_up = np.uint64(0)
            table.quests_down = np.uint64(0)
            for quest in range(rules.quests):
                if rules.start_quest[quest] == 0:
                    table.quests_down |= ONE << np.uint64(quest)
                    hidden.supply[statue, cards] = quest
                    cards += 1
        open_stream(chance, chance.seed, chance.deal, purpose_of(SHUFFLE, SUPPLIES + statue, 0))
        shuffle(chance, hidden.supply[statue], cards)
        table.supply_cards[statue] = cards
        table.returned_cards[statue] = 0
        hidden.supply_shuffles[statue] = 0


# --- Choices before the first turn ----------------------------------------------------------


@rule
def can_take_quest(rules: Record, table: Record, quest: int) -> bool:
    """Whether a Starting Quest is still there to take."""
    if quest >= rules.quests or rules.start_quest[quest] == 0:
        return False
    for seat in range(rules.players):
        if table.quests[seat, 0] == quest:
            return False
    return True


@rule
def can_take_artifact(rules: Record, table: Record, kind: int) -> bool:
    """Whether a Starting Artifact is still there to take: those taken lie on the discards."""
    if kind >= rules.kinds:
        return False
    left = rules.starting[kind]
    for seat in range(rules.players):
        left -= np.int64(table.discard[seat, kind])
    return left > 0


@rule
def can_start_at(rules: Record, table: Record, place: int) -> bool:
    """Whether no adventurer stands in a region yet."""
    if place >= REGIONS:
        return False
    for seat in range(rules.players):
        if table.place[seat] == place:
            return False
    return True


@rule
def take_quest(rules: Record, table: Record, quest: int) -> None:
    """Take a Starting Quest."""
    claim_quest(rules, table, table.to_move, quest)
    table.phase = CHOOSE_ARTIFACT


@rule
def take_artifact(table: Record, kind: int) -> None:
    """Take a Starting Artifact; it waits on the discards until the deck is made."""
    to_discard(table, table.to_move, kind)
    table.phase = CHOOSE_PLACE


@rule
def start_at(rules: Record, state: Record, place: int, chance: Record) -> None:
    """Choose the region to start in; then it is the turn of the seat to the right."""
    table = state.table
    table.place[table.to_move] = place
    if table.to_move > 0:
        table.to_move -= 1
        table.phase = CHOOSE_QUEST
        return
    open_first_quests(rules, state, chance)
    for seat in range(rules.players):
        make_deck(rules, state, seat, chance)
    begin_turn(rules, state, chance)


@rule
def open_first_quests(rules: Record, state: Record, chance: Record) -> None:
    """Lay two of the Starting Quests left open; the others leave the game."""
    table, cards = state.table, state.hidden.pile[0]  # room that is free until decks are made
    number = 0
    for quest in range(rules.quests):
        if can_take_quest(rules, table, quest):
            cards[number] = quest
            number += 1
    open_stream(chance, chance.seed, chance.deal, purpose_of(SHUFFLE, STARTING_QUESTS, 0))
    shuffle(chance, cards, number)
    for place in range(OPEN):
        lay_open(table, place, np.int64(cards[place]))


@rule
def lay_open(table: Record, place: int, quest: int) -> None:
    """Lay a Quest open, with a Bonus token if there is one."""
    table.open_quests[place] = quest
    bonus = min(1, table.bonus_supply)
    table.open_bonus[place] = bonus
    table.bonus_supply -= bonus


@rule
def make_deck(rules: Record, state: Record, seat: int, chance: Record) -> None:
    """Shuffle a seat's first cards and draw a hand."""
    table, hidden = state.table, state.hidden
    for kind in range(rules.kinds):
        for _ in range(rules.items[kind]):
            to_discard(table, seat, kind)
    cards = 0
    for kind in range(rules.kinds):
        for _ in range(np.int64(table.discard[seat, kind])):
            hidden.pile[seat, cards] = kind
            cards += 1
    note_reshuffle(rules, table, seat)
    open_stream(chance, chance.seed, chance.deal, purpose_of(SHUFFLE, OWN_DECKS + seat, 0))
    shuffle(chance, hidden.pile[seat], cards)
    fill_hand(rules, state, seat, chance)


@rule
def fill_hand(rules: Record, state: Record, seat: int, chance: Record) -> None:
    """Draw until the hand is full."""
    while state.table.hand_cards[seat] < rules.hand:
        if not draw_card(rules, state, seat, chance):
            return


# --- A turn begins --------------------------------------------------------------------------


@rule
def begin_turn(rules: Record, state: Record, chance: Record) -> None:
    """Replenish the table, and ask for the first decision of a turn."""
    table = state.table
    table.acted = 0
    table.phase = FREE
    if state.hidden.next == 0:
        complete = fill_for_the_first_time(rules, state, chance)
    else:
        complete = fill_spaces(rules, state)
    if not complete:
        end_game(table, BY_DECK)
        return
    for place in range(OPEN):
        if table.open_quests[place] == NOTHING:
            quest = next_supply(rules, state, CHEST, chance)
            if quest >= 0:
                lay_open(table, place, quest)


@rule
def fill_spaces(rules: Record, state: Record) -> bool:
    """Lay a creature in each empty space; False if the deck runs out."""
    table, hidden = state.table, state.hidden
    for space in range(SPACES):
        while table.creature_at[space] == NOTHING:
            if table.deck_cards == 0:
                return False
            kind = next_creature(table, hidden)
            if rules.group[kind] == CREATURE:
                lay_creature(rules, table, space, kind)
            else:
                hidden.events += 1
                raid(rules, table, hidden, kind)
    return True


@rule
def fill_for_the_first_time(rules: Record, state: Record, chance: Record) -> bool:
    """The same before the first turn: events are set aside and mixed into the next ten cards."""
    table, hidden = state.table, state.hidden
    aside = 0
    for space in range(SPACES):
        while table.creature_at[space] == NOTHING:
            if table.deck_cards == 0:
                return False
            kind = next_creature(table, hidden)
            if rules.group[kind] == CREATURE:
                lay_creature(rules, table, space, kind)
            else:
                table.mixed_in[kind] += 1
                aside += 1
    if aside > 0:
        mix_events_in(table, hidden, aside, chance)
    return True


@rule
def mix_events_in(table: Record, hidden: Record, aside: int, chance: Record) -> None:
    """Shuffle the events set aside into the top of the deck, in the room that they left."""
    hidden.next -= aside
    place = hidden.next
    for kind in range(KINDS):
        for _ in range(np.int64(table.mixed_in[kind])):
            hidden.deck[place] = kind
            place += 1
    table.mixed = aside + min(MIXED_AMONG, table.deck_cards)
    table.deck_cards += aside
    open_stream(chance, chance.seed, chance.deal, purpose_of(SHUFFLE, MIXED, 0))
    for number in range(table.mixed - 1, 0, -1):
        one, other = hidden.next + number, hidden.next + below(chance, number + 1)
        hidden.deck[one], hidden.deck[other] = hidden.deck[other], hidden.deck[one]


# --- ... and ends ---------------------------------------------------------------------------


@rule
def give_card(rules: Record, state: Record, own: Record, other: int, card: int) -> None:
    """Put a card of the hand on the discards of an opponent in the same region."""
    leave_hand(state.table, own, card)
    hand_over(rules, state, own.seat, other, card)


@rule
def finish_turn(rules: Record, state: Record, chance: Record) -> None:
    """Fill up the hand; it is the next seat's turn."""
    table, tally = state.table, state.hidden.tally
    seat = table.to_move
    tally[seat, TURNS] += 1
    if table.acted == 0:
        tally[seat, PASSES] += 1
    single_again(table, state.seats[seat])
    fill_hand(rules, state, seat, chance)
    for kind in range(rules.kinds):
        table.spent[kind] = 0
    table.to_move = seat + 1
    if table.to_move == rules.players:
        table.to_move = 0
        table.turn_number += 1
        table.checkpoint = table.turn_number // TURNS_A_CHECKPOINT
        if table.turn_number == rules.turn_cap:
            end_game(table, BY_CAP)
            return
    begin_turn(rules, state, chance)


@rule
def end_game(table: Record, how: int) -> None:
    """The game is over without anybody having reached the goal."""
    table.ended = how
    table.phase = FINISHED
    table.to_move = -1

"""Fantastique: wave the biggest fan, win medals, and pick the cards for your next one.

Seven rounds of four phases: reveal five stacks, play one fan each, hand out medals, take a stack
each. Reads top to bottom like the rulebook; what it leaves open is answered in `rulings`.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.counters import VALUES, copies, count
from simlab.games.fantastique.records import (
    DRAFT,
    FINISHED,
    GOLD,
    MOST_STACKS,
    NOBODY,
    NOT_YET,
    PASSED,
    PLAY,
    SEATS,
    cards_in,
    choosing_rank,
    fan,
    value_of,
)
from simlab.streams import SETUP, SHUFFLE, below, open_stream, purpose_of, shuffle

# --- Setup ----------------------------------------------------------------------------------


@rule
def deal(rules: Record, state: Record, chance: Record) -> None:
    """Shuffle, deal the hands, and go on to the first decision."""
    lay_out(rules, state.table, chance)
    deck = state.hidden.deck
    for place in range(rules.cards):
        deck[place] = rules.deck[place]
    open_stream(chance, chance.seed, chance.deal, purpose_of(SHUFFLE, 0, 0))
    shuffle(chance, deck, rules.cards)
    for seat in range(rules.players):
        deal_hand(rules, state, seat)
    begin_round(rules, state, chance)
    go_on(rules, state, chance)


@rule
def lay_out(rules: Record, table: Record, chance: Record) -> None:
    """Clear the table for a new game and turn up the finale fan."""
    table.checkpoint = 0
    table.round_number = 1
    table.finale = rules.finale
    if rules.finale == 0:
        open_stream(chance, chance.seed, chance.deal, purpose_of(SETUP, 0, 0))
        table.finale = 1 + below(chance, 6)
    table.starter = 0
    table.deck_cards = rules.cards
    table.reshuffles = 0
    table.passes = 0
    table.unseen = rules.pile
    table.deck_pile = copies(1, 0)
    table.discard = copies(1, 0)


@rule
def deal_hand(rules: Record, state: Record, seat: int) -> None:
    """Give a seat its first cards off the deck."""
    table, own, hidden = state.table, state.seats[seat], state.hidden
    start = seat * rules.hand
    hand = copies(1, 0)
    for place in range(start, start + rules.hand):
        hand += copies(hidden.deck[place], 1)
    own.hand = hand
    own.seat = seat
    own.notes[:] = 0
    hidden.next = start + rules.hand
    table.deck_cards -= rules.hand
    table.hand_cards[seat] = rules.hand
    table.known[seat] = copies(1, 0)
    table.points[seat] = 0
    table.medals[seat, 0] = 0
    table.medals[seat, 1] = 0
    table.medals[seat, 2] = 0
    table.best_medal[seat] = 0
    table.cards_played[seat] = 0


# --- 1. Reveal fan cards --------------------------------------------------------------------


@rule
def begin_round(rules: Record, state: Record, chance: Record) -> None:
    """Open the stacks of a new round."""
    table = state.table
    table.phase = PLAY
    table.acted = 0
    table.drafted = 0
    table.open = 0
    for seat in range(SEATS):
        table.plays[seat] = NOT_YET
        table.choosing[seat] = NOBODY
        table.order[seat] = 0
    for stack in range(MOST_STACKS):
        table.stacks[stack] = 0
    # For each value, 1 + the place of the stack that still takes its cards.
    places = copies(1, 0)
    # The card that opens the last stack is the last one revealed.
    while table.open < rules.stacks:
        if table.deck_cards == 0 and not reshuffle(state, chance):
            return
        places = add_to_stacks(rules, table, places, reveal_card(state))


@rule
def reveal_card(state: Record) -> int:
    """Turn up the next card of the deck."""
    table, hidden = state.table, state.hidden
    value = np.int64(hidden.deck[hidden.next])
    hidden.next += 1
    table.deck_cards -= 1
    if table.reshuffles == 0:
        table.unseen -= copies(value, 1)
    else:
        table.deck_pile -= copies(value, 1)
    return value


@rule
def add_to_stacks(rules: Record, table: Record, places: int, value: int) -> int:
    """Lay a card on the stack of its value, or open a new one where none takes it.

    Written without a branch on the card, which no processor could guess.
    """
    place = count(places, value)
    stack = place - 1 if place > 0 else table.open
    table.open += place == 0
    grown = (table.stacks[stack] | (value - 1)) + fan(1, 1)
    table.stacks[stack] = grown
    takes_more = stack + 1 if cards_in(grown) < rules.stack_limit else 0
    return places - copies(value, place) + copies(value, takes_more)


@rule
def reshuffle(state: Record, chance: Record) -> bool:
    """Make the discard pile the new deck; False when there is none."""
    table, hidden = state.table, state.hidden
    place = 0
    for value in range(1, VALUES + 1):
        for _ in range(count(table.discard, value)):
            hidden.deck[place] = value
            place += 1
    if place == 0:
        return False
    table.reshuffles += 1
    purpose = purpose_of(SHUFFLE, 0, table.reshuffles)
    open_stream(chance, chance.seed, chance.deal, purpose)
    shuffle(chance, hidden.deck, place)
    hidden.next = 0
    table.deck_cards = place
    table.deck_pile = table.discard
    table.discard = copies(1, 0)
    return True


# --- 2. Play fans ---------------------------------------------------------------------------


@rule
def allowed(rules: Record, table: Record, own: Record, move: int) -> bool:
    """Whether the seat may play this fan, or take this stack."""
    if table.phase == PLAY:
        if move < fan(1, 1) or cards_in(move) > count(own.hand, value_of(move)):
            return False
        return not_played(rules, table, move)
    return move > 0 and place_of(table, move) >= 0


@rule
def not_played(rules: Record, table: Record, move: int) -> bool:
    """Whether nobody has shown this very combination in this round."""
    repeats = 0
    for seat in range(SEATS):
        repeats += table.plays[seat] == move
    return repeats == 0


@rule
def place_of(table: Record, move: int) -> int:
    """Place of the first stack like this one, -1 if there is none.

    Looks at all places, last to first, without a branch that a processor would guess wrong.
    """
    found = -1
    for place in range(MOST_STACKS - 1, -1, -1):
        found = place if table.stacks[place] == move else found
    return found


@rule
def legal(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """Write the legal moves, ascending, and return how many there are."""
    if table.phase == PLAY:
        return legal_fans(rules, table, own, moves)
    return legal_stacks(rules, table, moves)


@rule
def legal_fans(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """Fans that the seat may play: fewer cards first, then lower values."""
    n = 0
    largest = 0
    for value in range(1, VALUES + 1):
        largest = max(largest, count(own.hand, value))
    for cards in range(1, largest + 1):
        for value in range(1, VALUES + 1):
            move = fan(value, cards)
            if cards <= count(own.hand, value) and not_played(rules, table, move):
                moves[n] = move
                n += 1
    return n


@rule
def legal_stacks(rules: Record, table: Record, moves: Record) -> int:
    """Stacks that lie open; two equal ones are one choice."""
    n = 0
    for stack in range(rules.stacks):
        move = table.stacks[stack]
        if move == 0:
            continue
        place = n
        while place > 0 and moves[place - 1] > move:
            place -= 1
        if place > 0 and moves[place - 1] == move:
            continue
        for later in range(n, place, -1):
            moves[later] = moves[later - 1]
        moves[place] = move
        n += 1
    return n


@rule
def can_play(rules: Record, table: Record, own: Record) -> bool:
    """Whether some fan is left to the seat.

    A hand of h cards makes exactly h different fans, and each earlier player blocks at most
    one of them.
    """
    left = table.hand_cards[own.seat]
    if left > table.acted:
        return True
    for seat in range(rules.players):
        blocked = table.plays[seat]
        if blocked > 0 and cards_in(blocked) <= count(own.hand, value_of(blocked)):
            left -= 1
    return left > 0


@rule
def play_fan(table: Record, own: Record, move: int) -> None:
    """Lay a fan in front of the seat; of equal cards those that all know of go first."""
    value, cards = value_of(move), cards_in(move)
    seat = own.seat
    shown_before = min(cards, count(table.known[seat], value))
    own.hand -= copies(value, cards)
    table.known[seat] -= copies(value, shown_before)
    table.unseen -= copies(value, cards - shown_before)
    table.hand_cards[seat] -= cards
    table.cards_played[seat] += cards
    table.plays[seat] = move
    table.choosing[seat] = choosing_rank(move)
    table.acted += 1


# --- 3. Distribute medals -------------------------------------------------------------------


@rule
def award_medals(rules: Record, table: Record) -> None:
    """Give gold, silver (and bronze) to the most cards; the higher value breaks ties.

    A fan's number ranks it for medals, so a seat's metal is the number of better fans. Medals
    that nobody has a fan for are discarded.
    """
    for seat in range(rules.players):
        metal = 0
        for other in range(SEATS):
            metal += table.plays[other] > table.plays[seat]
        if metal < rules.metals and table.plays[seat] > 0:
            medal = rules.medals[metal, table.round_number - 1]
            table.points[seat] += medal
            table.medals[seat, metal] += 1
            table.best_medal[seat] = max(table.best_medal[seat], medal)
            if metal == GOLD:
                table.starter = seat  # who won gold plays first in the next round


# --- 4. Take new fan cards ------------------------------------------------------------------


@rule
def set_choosing_order(rules: Record, table: Record) -> None:
    """Highest value chooses first, then more cards; who passed comes last, in turn order."""
    for seat in range(rules.players):
        earlier = 0
        for other in range(SEATS):
            earlier += table.choosing[other] > table.choosing[seat]
        table.order[earlier] = seat


@rule
def take_stack(rules: Record, table: Record, own: Record, move: int) -> None:
    """Take a whole stack into the hand, for all to see."""
    cards = copies(value_of(move), cards_in(move))
    own.hand += cards
    table.known[own.seat] += cards
    table.hand_cards[own.seat] += cards_in(move)
    table.stacks[place_of(table, move)] = 0
    table.open -= 1
    table.drafted += 1


@rule
def clear_table(rules: Record, table: Record) -> None:
    """Put the played fans and the stacks left over on the discard pile."""
    for seat in range(rules.players):
        move = table.plays[seat]
        if move > 0:
            table.discard += copies(value_of(move), cards_in(move))
    for stack in range(rules.stacks):
        move = table.stacks[stack]
        table.discard += copies(value_of(move), cards_in(move))
        table.stacks[stack] = 0
    table.open = 0


# --- The course of the game -----------------------------------------------------------------


@rule
def apply(rules: Record, state: Record, move: int, chance: Record) -> None:
    """Make the move of the seat whose turn it is, and go on to the next decision."""
    table = state.table
    own = state.seats[table.to_move]
    if table.phase == PLAY:
        play_fan(table, own, move)
    else:
        take_stack(rules, table, own, move)
    go_on(rules, state, chance)


@rule
def go_on(rules: Record, state: Record, chance: Record) -> None:
    """Move to the next decision, through as many phases as need none."""
    table = state.table
    while True:
        if table.phase == PLAY:
            if ask_for_fan(rules, state):
                return
            award_medals(rules, table)
            set_choosing_order(rules, table)
            table.phase = DRAFT
        if table.drafted < rules.players and table.open > 0:
            table.to_move = table.order[table.drafted]
            return
        clear_table(rules, table)
        table.checkpoint = table.round_number
        if table.round_number == rules.rounds:
            table.phase = FINISHED
            table.to_move = -1
            return
        table.round_number += 1
        begin_round(rules, state, chance)


@rule
def ask_for_fan(rules: Record, state: Record) -> bool:
    """Find the next seat that can play, passing for those that cannot; False if none is left."""
    table = state.table
    while table.acted < rules.players:
        seat = table.starter + table.acted
        if seat >= rules.players:
            seat -= rules.players
        if can_play(rules, table, state.seats[seat]):
            table.to_move = seat
            return True
        table.plays[seat] = PASSED
        table.choosing[seat] = -1 - table.acted
        table.passes += 1
        table.acted += 1
    return False


@rule
def over(rules: Record, state: Record) -> bool:
    """Whether the last round is done."""
    return state.table.to_move < 0


@rule
def progress(rules: Record, table: Record, seat: int) -> int:
    """Points from medals so far."""
    return table.points[seat]

"""Fantastique: wave the biggest fan, win medals, and pick the cards for your next one.

Seven rounds of four phases: reveal five stacks, play one fan each, hand out medals, take a stack
each. Reads top to bottom like the rulebook; what it leaves open is answered in `rulings`.
"""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.counters import VALUES, copies, count
from simlab.games.fantastique.records import (
    DRAFT,
    FINISHED,
    NOT_YET,
    PASSED,
    PLAY,
    cards_in,
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
    shuffle(chance, deck, 0, rules.cards)
    for seat in range(rules.players):
        deal_hand(rules, state, seat)
    begin_round(rules, state, chance)
    go_on(rules, state, chance)


@rule
def lay_out(rules: Record, table: Record, chance: Record) -> None:
    """Clear the table for a new game and turn up the finale fan."""
    table.checkpoint = 0
    table.round = 1
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
    for seat in range(rules.players):
        table.plays[seat] = NOT_YET
        table.order[seat] = 0
    for stack in range(rules.stacks):
        table.stacks[stack] = 0
    # The card that opens the last stack is the last one revealed.
    while table.open < rules.stacks:
        if table.deck_cards == 0 and not reshuffle(state, chance):
            return
        add_to_stacks(rules, table, reveal_card(state))


@rule
def reveal_card(state: Record) -> int:
    """Turn up the next card of the deck."""
    table, hidden = state.table, state.hidden
    value = hidden.deck[hidden.next]
    hidden.next += 1
    table.deck_cards -= 1
    if table.reshuffles == 0:
        table.unseen -= copies(value, 1)
    else:
        table.deck_pile -= copies(value, 1)
    return value  # type: ignore[no-any-return]


@rule
def add_to_stacks(rules: Record, table: Record, value: int) -> None:
    """Lay a card on the stack of its value, or open a new one when that is full."""
    for stack in range(table.open):
        lying = table.stacks[stack]
        if value_of(lying) == value and cards_in(lying) < rules.stack_limit:
            table.stacks[stack] = lying + fan(1, 1)
            return
    table.stacks[table.open] = fan(value, 1)
    table.open += 1


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
    shuffle(chance, hidden.deck, 0, place)
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
    if move < fan(1, 1):
        return False
    for stack in range(rules.stacks):
        if table.stacks[stack] == move:
            return True
    return False


@rule
def not_played(rules: Record, table: Record, move: int) -> bool:
    """Whether nobody has shown this very combination in this round."""
    for seat in range(rules.players):
        if table.plays[seat] == move:
            return False
    return True


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
    return left > 0  # type: ignore[no-any-return]


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
    table.acted += 1


# --- 3. Distribute medals -------------------------------------------------------------------


@rule
def award_medals(rules: Record, table: Record) -> None:
    """Give gold, silver (and bronze) to the most cards; the higher value breaks ties."""
    beaten = fan(1, 256)
    for metal in range(rules.metals):
        winner = best_fan_below(rules, table, beaten)
        if winner < 0:
            return  # fewer fans than medals: the rest are discarded
        beaten = table.plays[winner]
        medal = rules.medals[metal, table.round - 1]
        table.points[winner] += medal
        table.medals[winner, metal] |= 1 << (table.round - 1)
        table.best_medal[winner] = max(table.best_medal[winner], medal)
        if metal == 0:
            table.starter = winner  # who won gold plays first in the next round


@rule
def best_fan_below(rules: Record, table: Record, beaten: int) -> int:
    """Seat with the best fan that is worse than a given one, -1 if there is none."""
    best, winner = 0, -1
    for seat in range(rules.players):
        if best < table.plays[seat] < beaten:
            best, winner = table.plays[seat], seat
    return winner


# --- 4. Take new fan cards ------------------------------------------------------------------


@rule
def set_draft_order(rules: Record, table: Record, first: int) -> None:
    """Highest value chooses first, then more cards; who passed comes last, in turn order."""
    seat = first
    for seated in range(rules.players):
        place = seated
        rank = choosing_rank(table.plays[seat])
        while place > 0 and choosing_rank(table.plays[table.order[place - 1]]) < rank:
            table.order[place] = table.order[place - 1]
            place -= 1
        table.order[place] = seat
        seat = seat + 1 if seat + 1 < rules.players else 0


@rule
def choosing_rank(move: int) -> int:
    """What ranks a fan when stacks are chosen."""
    if move == PASSED:
        return -1
    return 256 * value_of(move) + cards_in(move)


@rule
def take_stack(rules: Record, table: Record, own: Record, move: int) -> None:
    """Take a whole stack into the hand, for all to see."""
    stack = 0
    while table.stacks[stack] != move:
        stack += 1
    cards = copies(value_of(move), cards_in(move))
    own.hand += cards
    table.known[own.seat] += cards
    table.hand_cards[own.seat] += cards_in(move)
    table.stacks[stack] = 0
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
        if move > 0:
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
            first = table.starter
            award_medals(rules, table)
            set_draft_order(rules, table, first)
            table.phase = DRAFT
        if table.drafted < rules.players and table.open > 0:
            table.to_move = table.order[table.drafted]
            return
        clear_table(rules, table)
        table.checkpoint = table.round
        if table.round == rules.rounds:
            table.phase = FINISHED
            table.to_move = -1
            return
        table.round += 1
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
        table.passes += 1
        table.acted += 1
    return False


@rule
def over(rules: Record, state: Record) -> bool:
    """Whether the last round is done."""
    return state.table.to_move < 0  # type: ignore[no-any-return]


@rule
def progress(rules: Record, table: Record, seat: int) -> int:
    """Points from medals so far."""
    return table.points[seat]  # type: ignore[no-any-return]

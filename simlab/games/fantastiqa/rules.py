"""Fantastiqa: subdue creatures, recruit them, and complete Quests in the right regions.

A turn is a row of small decisions of one seat. This file says which of them may be made in which
phase, and hands each to the file that knows its rules.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.adventure import (
    can_subdue,
    lay_card,
    set_out,
    step_over,
    stop_travelling,
)
from simlab.games.fantastiqa.board import are_opponents, can_fly
from simlab.games.fantastiqa.freely import (
    brew_card,
    can_double,
    can_stride,
    can_swap,
    can_use,
    done_using,
    double_card,
    fly_over,
    keep_card,
    pour,
    send_dragon,
    swap_creatures,
    use_card,
    use_carpet_token,
)
from simlab.games.fantastiqa.payments import can_lay
from simlab.games.fantastiqa.quests import (
    begin_completing,
    can_commit,
    can_complete,
    can_hide,
    commit_card,
    complete_quest,
    hide,
    withdraw_card,
    withdraw_hidden,
)
from simlab.games.fantastiqa.records import (
    ADD,
    ADDING,
    AT_STATUE,
    BREW_DISCARD,
    BREW_HAND,
    BREWING,
    BUY,
    BUYING,
    CHOOSE_ARTIFACT,
    CHOOSE_PLACE,
    CHOOSE_QUEST,
    CLAIM,
    CLAIMING,
    COMMIT,
    COMMIT_3,
    COMMIT_TOKEN,
    COMPLETE,
    DISCARD,
    DONE,
    DOUBLE_CARD,
    DOUBLING,
    DRAW,
    EXCESS,
    FINISH,
    FLY,
    FLYING,
    FOR_CREATURE,
    FOR_OPEN,
    FREE,
    GIVE,
    GIVE_3,
    GO,
    KEEP,
    KEEPING,
    KINDS,
    LAY,
    LAY_TOKEN,
    LET_GO,
    LET_GO_DISCARD,
    OPEN,
    PAYING,
    POUR,
    POURING,
    QUESTS,
    REGIONS,
    RELEASE,
    RELEASING,
    RESHUFFLE,
    RESHUFFLES_USED,
    SEATS,
    SEND,
    SENDING,
    SLOTS,
    SPACES,
    START_AT,
    STOP,
    STRIDE_TO,
    STRIDING,
    SWAP,
    SWAPPING,
    TAKE_ARTIFACT,
    TAKE_QUEST,
    TELEPORT,
    TRAVELLING,
    USE,
    VERBS,
    VISIT,
    WIDTH,
    WITHDRAW,
    WITHDRAW_3,
    WITHDRAW_TOKEN,
)
from simlab.games.fantastiqa.rucksack import discard_card, holds, reshuffle
from simlab.games.fantastiqa.statues import (
    add_card,
    begin_visit,
    buy_card,
    can_add,
    can_buy,
    can_release,
    can_visit,
    choose_at_statue,
    claim_drawn,
    draw_at_statue,
    end_visit,
    is_drawn,
    is_releasable,
    let_go,
    may_at_statue,
    return_drawn,
)
from simlab.games.fantastiqa.turns import (
    can_start_at,
    can_take_artifact,
    can_take_quest,
    finish_turn,
    give_card,
    start_at,
    take_artifact,
    take_quest,
)

NUMBER_OF_VERBS = len(VERBS)

# --- Which moves there are ------------------------------------------------------------------


@rule
def belongs(verb: int, phase: int) -> bool:
    """Whether a verb is one of a phase."""
    if phase == FREE:
        if verb in (FINISH, GO, VISIT):
            return True
        return COMPLETE <= verb <= USE or GIVE <= verb <= GIVE_3
    if phase == PAYING:
        return verb in (LAY, LAY_TOKEN)
    if phase == TRAVELLING:
        return verb in (GO, STOP)
    if phase == AT_STATUE:
        return verb in (DRAW, RELEASE, TELEPORT)
    if phase == ADDING:
        return verb in (ADD, DONE)
    if phase == BUYING:
        return verb in (BUY, DONE)
    if phase == CLAIMING:
        return verb in (CLAIM, DONE)
    if phase == RELEASING:
        return verb in (ADD, LET_GO, LET_GO_DISCARD, DONE)
    if phase == BREWING:
        return verb in (BREW_HAND, BREW_DISCARD)
    return verb == only_verb(phase)


@rule
def only_verb(phase: int) -> int:
    """The verb of a phase that has but one."""
    if phase == CHOOSE_QUEST:
        return TAKE_QUEST
    if phase == CHOOSE_ARTIFACT:
        return TAKE_ARTIFACT
    if phase == CHOOSE_PLACE:
        return START_AT
    if phase == FLYING:
        return FLY
    if phase == SENDING:
        return SEND
    if phase == DOUBLING:
        return DOUBLE_CARD
    if phase == KEEPING:
        return KEEP
    if phase == POURING:
        return POUR
    if phase == SWAPPING:
        return SWAP
    if phase == EXCESS:
        return WITHDRAW_TOKEN
    return STRIDE_TO if phase == STRIDING else -1


@rule
def legal(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """Write the legal moves, ascending, and return how many there are."""
    n = 0
    for verb in range(NUMBER_OF_VERBS):
        if not belongs(verb, table.phase):
            continue
        # What could come into question is written behind the moves found, and then sifted.
        end = n + write_things(table, own, moves, n, verb)
        for place in range(n, end):
            thing = moves[place]
            if may(rules, table, own, verb, thing):
                moves[n] = WIDTH * verb + thing
                n += 1
    return n


@rule
def write_things(table: Record, own: Record, moves: Record, n: int, verb: int) -> int:
    """Write what a verb might be about from a place on, and return how much that is."""
    seat = own.seat
    things = things_of(verb)
    if things == HAND:
        return write_row(moves, n, own.hand, table.hand_cards[seat])
    if things == UNDER_TOKEN:
        return write_row(moves, n, own.token, table.token_cards[seat])
    if things == LOOKED:
        return write_row(moves, n, own.looked, own.looked_cards)
    if things == COMMITTED:
        slot = verb - WITHDRAW
        return write_row(moves, n, table.committed[seat, slot], table.committed_cards[seat, slot])
    for thing in range(things):
        moves[n + thing] = thing
    return things


@rule
def write_row(moves: Record, n: int, cards: Record, number: int) -> int:
    """Write the cards of a row; like cards are one choice."""
    found = 0
    for place in range(number):
        if place == 0 or cards[place - 1] != cards[place]:
            moves[n + found] = np.int64(cards[place])
            found += 1
    return found


HAND, UNDER_TOKEN, LOOKED, COMMITTED = -1, -2, -3, -4


@rule
def things_of(verb: int) -> int:
    """Where the things of a verb are found, or how many numbers they may have."""
    if verb in (LAY, ADD, LET_GO, DISCARD, USE, DOUBLE_CARD, BREW_HAND):
        return HAND
    if COMMIT <= verb <= COMMIT_TOKEN or GIVE <= verb <= GIVE_3:
        return HAND
    if verb in (LAY_TOKEN, WITHDRAW_TOKEN):
        return UNDER_TOKEN
    if verb == KEEP:
        return LOOKED
    if WITHDRAW <= verb <= WITHDRAW_3:
        return COMMITTED
    if verb in (GO, FLY):
        return SPACES
    if verb == COMPLETE:
        return SLOTS + OPEN
    if verb in (BUY, LET_GO_DISCARD, BREW_DISCARD, TAKE_ARTIFACT):
        return KINDS
    if verb in (CLAIM, TAKE_QUEST):
        return QUESTS
    if verb in (SEND, POUR):
        return SEATS
    if verb == SWAP:
        return 8 * SPACES
    return REGIONS if verb in (STRIDE_TO, START_AT) else 1


# --- Which of them are allowed --------------------------------------------------------------


@rule
def allowed(rules: Record, table: Record, own: Record, move: int) -> bool:
    """Whether the seat may make this move."""
    if move < 0 or move >= WIDTH * NUMBER_OF_VERBS:
        return False
    verb = move // WIDTH
    return belongs(verb, table.phase) and may(rules, table, own, verb, move % WIDTH)


@rule
def may(rules: Record, table: Record, own: Record, verb: int, thing: int) -> bool:
    """Whether a thing may be done that belongs to the phase."""
    if verb <= STOP or verb in (VISIT, COMPLETE):
        return may_act(rules, table, own, verb, thing)
    if verb <= LET_GO_DISCARD:
        return may_at_statue_or_paying(rules, table, own, verb, thing)
    if verb <= USE or (GIVE <= verb <= GIVE_3):
        return may_freely(rules, table, own, verb, thing)
    return may_choose(rules, table, own, verb, thing)


@rule
def may_act(rules: Record, table: Record, own: Record, verb: int, thing: int) -> bool:
    """Turn actions, and the end of a turn or of an adventure."""
    if verb == GO:
        return (table.phase == TRAVELLING or table.acted == 0) and can_subdue(
            rules, table, own, thing
        )
    if verb == VISIT:
        return thing == 0 and table.acted == 0 and can_visit(rules, table, own)
    if verb == COMPLETE:
        return table.acted == 0 and can_complete(rules, table, own, thing)
    return thing == 0


@rule
def may_at_statue_or_paying(
    rules: Record, table: Record, own: Record, verb: int, thing: int
) -> bool:
    """What is done while paying, or at a statue."""
    seat = own.seat
    if verb in (LAY, LAY_TOKEN):
        if verb == LAY:
            held = holds(own.hand, table.hand_cards[seat], thing)
        else:
            hidden = holds(own.token, table.token_cards[seat], thing)
            held = hidden and table.paying_for == FOR_OPEN
        return held and can_lay(rules, table, own, thing, verb == LAY_TOKEN)
    if verb in (DRAW, RELEASE, TELEPORT):
        return thing == 0 and may_at_statue(rules, table, own, verb)
    if verb == ADD:
        return can_add(rules, table, own, thing)
    if verb == BUY:
        return thing < KINDS and can_buy(rules, table, seat, thing)
    if verb == CLAIM:
        return is_drawn(table, thing)
    if verb == DONE:
        return thing == 0 and (table.phase in (ADDING, BUYING) or table.claimed > 0)
    if not is_releasable(rules, thing) or not can_release(rules, table, own):
        return False
    if verb == LET_GO:
        return holds(own.hand, table.hand_cards[seat], thing)
    return thing < KINDS and table.discard[seat, thing] > 0


@rule
def may_freely(rules: Record, table: Record, own: Record, verb: int, thing: int) -> bool:
    """Free actions, and giving a card away."""
    seat = own.seat
    if COMMIT <= verb <= COMMIT_3:
        return can_commit(rules, table, own, verb - COMMIT, thing)
    if verb == COMMIT_TOKEN:
        return can_hide(table, own, thing)
    if WITHDRAW <= verb <= WITHDRAW_3:
        slot = verb - WITHDRAW
        return holds(table.committed[seat, slot], table.committed_cards[seat, slot], thing)
    if verb == WITHDRAW_TOKEN:
        return holds(own.token, table.token_cards[seat], thing)
    if verb == FLY:
        ready = table.phase != FREE or table.carpets[seat] > 0
        return thing < SPACES and ready and can_fly(rules, table, seat, thing)
    if verb == RESHUFFLE:
        return thing == 0 and table.reshuffles[seat] > 0
    if not holds(own.hand, table.hand_cards[seat], thing):
        return False
    if verb == DISCARD:
        return True
    if verb == USE:
        return can_use(rules, table, own, thing)
    other = verb - GIVE
    here = other < rules.players and table.place[other] == table.place[seat]
    return rules.giving != 0 and here and are_opponents(rules, seat, other)


@rule
def may_choose(rules: Record, table: Record, own: Record, verb: int, thing: int) -> bool:
    """What a power asks for, and the choices before the first turn."""
    seat = own.seat
    if verb in (SEND, POUR):
        return thing < rules.players and are_opponents(rules, seat, thing)
    if verb == DOUBLE_CARD:
        held = holds(own.hand, table.hand_cards[seat], thing)
        return held and can_double(rules, thing)
    if verb == KEEP:
        return holds(own.looked, own.looked_cards, thing)
    if verb == BREW_HAND:
        return holds(own.hand, table.hand_cards[seat], thing)
    if verb == BREW_DISCARD:
        return thing < KINDS and table.discard[seat, thing] > 0
    if verb == SWAP:
        return can_swap(table, thing)
    if verb == STRIDE_TO:
        return can_stride(rules, table, seat, thing)
    if verb == TAKE_QUEST:
        return can_take_quest(rules, table, thing)
    if verb == TAKE_ARTIFACT:
        return can_take_artifact(rules, table, thing)
    return can_start_at(rules, table, thing)


# --- Making them ----------------------------------------------------------------------------


@rule
def apply(rules: Record, state: Record, move: int, chance: Record) -> None:
    """Make a move of the seat whose turn it is, and go on to the next decision."""
    own = state.seats[state.table.to_move]
    verb, thing = move // WIDTH, move % WIDTH
    if verb <= STOP or verb in (VISIT, COMPLETE):
        take_action(rules, state, own, verb, thing, chance)
    elif verb <= LET_GO_DISCARD:
        pay_or_visit(rules, state, own, verb, thing, chance)
    elif verb <= USE or (GIVE <= verb <= GIVE_3):
        act_freely(rules, state, own, verb, thing, chance)
    else:
        choose(rules, state, own, verb, thing, chance)


@rule
def take_action(
    rules: Record, state: Record, own: Record, verb: int, thing: int, chance: Record
) -> None:
    """Turn actions, and the end of a turn or of an adventure."""
    table = state.table
    if verb == FINISH:
        finish_turn(rules, state, chance)
    elif verb == GO:
        set_out(table, own, thing)
    elif verb == STOP:
        stop_travelling(table)
    elif verb == VISIT:
        begin_visit(state, own.seat, 0)
    else:
        begin_completing(rules, state, own, thing)


@rule
def pay_or_visit(
    rules: Record, state: Record, own: Record, verb: int, thing: int, chance: Record
) -> None:
    """What is done while paying, or at a statue."""
    table = state.table
    if verb in (LAY, LAY_TOKEN):
        if lay_card(rules, table, own, thing, verb == LAY_TOKEN):
            if table.paying_for == FOR_CREATURE:
                step_over(rules, state, own)
            else:
                complete_quest(rules, state, own)
    elif verb in (DRAW, RELEASE, TELEPORT):
        choose_at_statue(rules, state, own, verb, chance)
    elif verb == ADD:
        add_card(rules, state, own, thing, chance)
    elif verb == BUY:
        buy_card(rules, state, own.seat, thing)
    elif verb == CLAIM:
        claim_drawn(rules, table, own.seat, thing)
    elif verb == DONE:
        done_here(rules, state, own, chance)
    else:
        let_go(rules, state, own, thing, verb == LET_GO_DISCARD)


@rule
def done_here(rules: Record, state: Record, own: Record, chance: Record) -> None:
    """Enough added, bought, claimed or released."""
    table = state.table
    if table.phase == ADDING:
        draw_at_statue(rules, state, own, chance)
    elif table.phase == RELEASING:
        end_visit(table)
    else:
        return_drawn(table, own.seat)


@rule
def act_freely(
    rules: Record, state: Record, own: Record, verb: int, thing: int, chance: Record
) -> None:
    """Free actions, and giving a card away."""
    table, seat = state.table, own.seat
    if COMMIT <= verb <= COMMIT_3:
        commit_card(rules, table, own, verb - COMMIT, thing)
    elif verb == COMMIT_TOKEN:
        hide(rules, table, own, thing)
    elif WITHDRAW <= verb <= WITHDRAW_3:
        withdraw_card(table, seat, verb - WITHDRAW, thing)
    elif verb == WITHDRAW_TOKEN:
        withdraw_hidden(rules, table, own, thing)
    elif verb == DISCARD:
        discard_card(table, own, thing)
    elif verb == FLY:
        fly_over(table, rules, seat, thing)
        if table.phase == FREE:
            use_carpet_token(table, state, seat)
        else:
            done_using(table, seat)
    elif verb == RESHUFFLE:
        table.reshuffles[seat] -= 1
        state.hidden.tally[seat, RESHUFFLES_USED] += 1
        reshuffle(rules, state, seat, chance)
    elif verb == USE:
        use_card(rules, state, own, thing, chance)
    else:
        give_card(rules, state, own, verb - GIVE, thing)
        finish_turn(rules, state, chance)


@rule
def choose(
    rules: Record, state: Record, own: Record, verb: int, thing: int, chance: Record
) -> None:
    """What a power asks for, and the choices before the first turn."""
    table, seat = state.table, own.seat
    if verb == SEND:
        send_dragon(rules, state, seat, thing)
    elif verb == POUR:
        pour(rules, state, seat, thing)
    elif verb == DOUBLE_CARD:
        double_card(table, own, thing)
    elif verb == KEEP:
        keep_card(rules, table, own, thing)
    elif verb in (BREW_HAND, BREW_DISCARD):
        brew_card(rules, state, own, thing, verb == BREW_DISCARD)
    elif verb == SWAP:
        swap_creatures(table, seat, thing)
    elif verb == STRIDE_TO:
        table.place[seat] = thing
        done_using(table, seat)
    elif verb == TAKE_QUEST:
        take_quest(rules, table, thing)
    elif verb == TAKE_ARTIFACT:
        take_artifact(table, thing)
    else:
        start_at(rules, state, thing, chance)


@rule
def over(rules: Record, state: Record) -> bool:
    """Whether the game has ended."""
    return state.table.to_move < 0


@rule
def progress(rules: Record, table: Record, seat: int) -> int:
    """Points so far; incomplete Quests count against their player."""
    return table.points[seat]

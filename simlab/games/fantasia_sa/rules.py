"""Fantasía S.A.: perform heroic Feats, spend Gold and Renown, and retire on your Loot.

A turn has two phases: refill the Reserves and draw; then leave the hospital, or attempt a Feat.
Reads top to bottom like the rulebook; what it leaves open is answered in `rulings`.
"""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.games.fantasia_sa.actions import (
    answer_action,
    answer_roll,
    ask_before_roll,
    ask_to_answer,
    can_play,
    play_action,
    settle,
)
from simlab.games.fantasia_sa.box import OWN_FAILURE, OWN_TURN
from simlab.games.fantasia_sa.decks import (
    add_to_hand,
    draw,
    lay_deck,
    refill,
    take_from,
    take_from_hand,
    top_card,
)
from simlab.games.fantasia_sa.diary import (
    CAPPED,
    DEALT,
    DISCARDED,
    FAILED_IT,
    HEALED,
    TURNED,
    USED,
    note,
)
from simlab.games.fantasia_sa.feats import (
    attempt,
    buy,
    can_buy,
    end_feat,
    lose,
    roll_dice,
    suffer,
)
from simlab.games.fantasia_sa.records import (
    ANY_EQUIPMENT,
    BUY,
    CANCEL,
    CHOOSE,
    DICE,
    DISCARD,
    END,
    FAILED,
    FAILING,
    FINISHED,
    HERO_PILE,
    MOST_RESERVE,
    NOTHING,
    PASS,
    PILES,
    REROLL,
    ROLL,
    SPONSOR,
    TURN,
    card_of,
)

# --- Setup -----------------------------------------------------------------------------------


@rule
def deal(rules: Record, state: Record, chance: Record) -> None:
    """Shuffle the three decks, deal the hands, and go on to the first decision."""
    table = state.table
    clear_table(rules, table)
    state.hidden.logged = 0
    for which in range(PILES):
        lay_deck(rules, state, which, chance)
    table.recycled[:] = 0
    for place in range(rules.decks[HERO_PILE].number):
        table.recycled[rules.decks[HERO_PILE].cards[place]] += 1
    for seat in range(rules.players):
        clear_seat(state, seat)
        for _ in range(rules.hand):
            card = top_card(rules, state, HERO_PILE, chance)
            add_to_hand(rules, state, seat, card)
            state.seats[seat].drawn[card] += 1
            note(state, DEALT, seat, card, 0)
    refill(rules, state, chance)
    begin_turn(rules, state, chance)
    go_on(rules, state, chance)


@rule
def clear_table(rules: Record, table: Record) -> None:
    """Put everything that the last game left back into the box."""
    table.checkpoint = 0
    table.turn = 0
    table.active = 0
    table.feat = NOTHING
    table.failed = 0
    table.rerolls_used = 0
    table.dice[:] = 0
    table.currency = 0
    table.bought = 0
    table.asked = 0
    table.answered = 0
    table.card_bonus = 0
    table.boosts[:] = 0
    table.roll_again = 0
    table.depth = 0
    for place in range(len(table.stack)):
        table.stack[place].card = 0
        table.stack[place].seat = 0
        table.stack[place].move = 0
        table.stack[place].asked = 0
        table.stack[place].answered = 0
    table.victim = 0
    table.fate = 0
    table.winner = NOTHING
    table.capped = 0
    for place in range(MOST_RESERVE):
        table.feat_reserve[place] = NOTHING
        table.sponsor_reserve[place] = NOTHING
    for seat in range(rules.players):
        clear_knight(table.knights[seat])


@rule
def clear_knight(knight: Record) -> None:
    """A healthy knight with nothing but a name."""
    knight.loot = 0
    knight.in_hospital = 0
    knight.hand_cards = 0
    knight.rolls = 0
    knight.bonus[:] = 0
    knight.more_gold = 0
    knight.more_renown = 0
    knight.more_draws = 0
    knight.more_buys = 0
    knight.rerolls = 0
    knight.dodges = 0
    knight.shields = 0
    knight.sponsor_cards = 0
    knight.equipment_cards = 0
    knight.curse_cards = 0
    knight.turns = 0
    knight.hospital_turns = 0
    knight.tried[:] = 0
    knight.succeeded[:] = 0
    knight.tried_level[:] = 0
    knight.succeeded_level[:] = 0
    knight.gold = 0
    knight.renown = 0
    knight.sponsors_bought = 0
    knight.sponsors_lost = 0
    knight.equipment_bought = 0
    knight.equipment_lost = 0
    knight.curses_taken = 0
    knight.actions_played = 0
    knight.hostile_played = 0
    knight.cancelled = 0
    knight.sponsors[:] = 0
    knight.equipment[:] = 0
    knight.curses[:] = 0


@rule
def clear_seat(state: Record, seat: int) -> None:
    """An empty hand, and nothing remembered."""
    own = state.seats[seat]
    own.seat = seat
    own.notes[:] = 0
    own.hand[:] = 0
    own.holds[:] = 0
    own.drawn[:] = 0


# --- Phase 1: cards galore -------------------------------------------------------------------


@rule
def begin_turn(rules: Record, state: Record, chance: Record) -> None:
    """Refill the Reserves, and draw; the hand limit comes before any card may be used."""
    table = state.table
    table.turn += 1
    table.rerolls_used = 0
    knight = table.knights[table.active]
    knight.turns += 1
    note(state, TURNED, table.active, table.turn, 0)
    refill(rules, state, chance)
    draw(rules, state, table.active, 1 + knight.more_draws, chance)
    table.stage = DISCARD


@rule
def discard(rules: Record, state: Record, card: int) -> None:
    """Discard a Hero card for the hand limit, for all to see."""
    table = state.table
    take_from_hand(rules, state, table.active, card)
    table.piles[HERO_PILE].discard[card] += 1
    note(state, DISCARDED, table.active, card, 0)


# --- Phase 2: a bold deed --------------------------------------------------------------------


@rule
def begin_deed(state: Record) -> None:
    """Leave the hospital and end the turn, or go on to choose a Feat."""
    table = state.table
    knight = table.knights[table.active]
    if knight.in_hospital == 1:
        knight.in_hospital = 0
        knight.hospital_turns += 1
        note(state, HEALED, table.active, 0, 0)
        table.stage = END
        return
    table.stage = CHOOSE


@rule
def choose_feat(rules: Record, state: Record, feat: int) -> None:
    """Take a Feat out of the Reserve, and let everybody play cards on the roll."""
    table = state.table
    take_from(table.feat_reserve, feat)
    attempt(rules, state, feat)
    table.asked = 1
    table.answered = 0
    table.stage = ROLL


@rule
def may_reroll(table: Record) -> bool:
    """Whether the active player has an unused card in play that rolls a failed Feat again."""
    return table.knights[table.active].rerolls > table.rerolls_used


@rule
def answer_failure(rules: Record, state: Record, move: int) -> None:
    """Roll again with what lies in play, play a card, or accept the failure."""
    table = state.table
    if move == PASS:
        table.stage = FAILING
    elif move == REROLL:
        note(state, USED, table.active, table.rerolls_used, 0)
        table.rerolls_used += 1
        table.stage = DICE
    else:
        play_action(rules, state, move)


# --- The course of the game ------------------------------------------------------------------


@rule
def apply(rules: Record, state: Record, move: int, chance: Record) -> None:
    """Make the move of the seat that decides, and go on to the next decision."""
    table = state.table
    state.hidden.logged = 0
    phase = table.phase
    if phase == CHOOSE:
        choose_feat(rules, state, card_of(move))
    elif phase == BUY:
        buy(rules, state, move)
    elif phase == ROLL:
        answer_roll(rules, state, move)
    elif phase == CANCEL:
        answer_action(rules, state, move)
    elif phase == FAILED:
        answer_failure(rules, state, move)
    elif phase == TURN:
        if move == PASS:
            begin_deed(state)
        else:
            play_action(rules, state, move)
    elif phase == DISCARD:
        discard(rules, state, card_of(move))
    else:
        lose(rules, state, move)
    go_on(rules, state, chance)


@rule
def go_on(rules: Record, state: Record, chance: Record) -> None:
    """Move to the next decision, through as many stages as need none."""
    table = state.table
    while table.winner == NOTHING and table.capped == 0:
        if table.fate != 0:
            if suffer(rules, state, chance):
                return
        elif table.depth > 0:
            if ask_to_answer(rules, state):
                return
            settle(rules, state, chance)
        elif table.stage in (DISCARD, TURN, CHOOSE):
            if ask_before_feat(rules, state):
                return
        elif table.stage in (ROLL, DICE, FAILED, FAILING):
            if ask_about_roll(rules, state, chance):
                return
        elif table.stage == BUY:
            if can_buy(rules, table, state.seats[table.active]):
                ask_active(table, BUY)
                return
            table.stage = END
        else:
            end_turn(rules, state, chance)
    table.stage = FINISHED
    table.phase = FINISHED
    table.to_move = -1


@rule
def ask_active(table: Record, phase: int) -> bool:
    """Let the active player decide."""
    table.phase = phase
    table.to_move = table.active
    return True


@rule
def ask_before_feat(rules: Record, state: Record) -> bool:
    """Whether the active player decides something before a Feat is chosen."""
    table = state.table
    if table.stage == DISCARD:
        if table.knights[table.active].hand_cards > rules.hand_limit:
            return ask_active(table, DISCARD)
        table.stage = TURN
    if table.stage == TURN:
        if can_play(rules, table, state.seats[table.active], OWN_TURN):
            return ask_active(table, TURN)
        begin_deed(state)
    if table.stage == CHOOSE:
        for place in range(rules.reserve):
            if table.feat_reserve[place] != NOTHING:
                return ask_active(table, CHOOSE)
        table.stage = END  # every Feat lies somewhere as a curse
    return False


@rule
def ask_about_roll(rules: Record, state: Record, chance: Record) -> bool:
    """Whether somebody decides something before the dice, or after they failed."""
    table = state.table
    if table.stage == ROLL:
        if ask_before_roll(rules, state):
            return True
        table.asked = 0
        table.stage = DICE
    if table.stage == FAILED and table.roll_again == 1:
        table.roll_again = 0
        table.stage = DICE
    if table.stage == DICE:
        roll_dice(rules, state, chance)
        return False
    if table.stage == FAILED:
        if may_reroll(table) or can_play(rules, table, state.seats[table.active], OWN_FAILURE):
            return ask_active(table, FAILED)
        table.stage = FAILING
    fail(rules, state)
    return False


@rule
def fail(rules: Record, state: Record) -> None:
    """Begin to suffer what the Feat says; afterwards it is discarded, or stays as a curse."""
    table = state.table
    table.failed = 1
    note(state, FAILED_IT, table.active, table.feat, 0)
    table.victim = 0
    table.fate = rules.feats[table.feat].hospital
    table.fate += SPONSOR * rules.feats[table.feat].lose_sponsor
    table.fate += ANY_EQUIPMENT * rules.feats[table.feat].lose_equipment
    if table.fate != 0:
        table.victim = table.active
    table.stage = END


@rule
def end_turn(rules: Record, state: Record, chance: Record) -> None:
    """Put the Feat away, and let the next player begin, unless the cap on turns is reached."""
    table = state.table
    end_feat(rules, state)
    table.active += 1
    if table.active == rules.players:
        table.active = 0
        table.checkpoint += 1
    if table.turn == rules.turn_cap:
        table.capped = 1
        note(state, CAPPED, 0, table.turn, 0)
        return
    begin_turn(rules, state, chance)


@rule
def over(rules: Record, state: Record) -> bool:
    """Whether somebody has Loot enough, or the cap on turns is reached."""
    return state.table.to_move < 0


@rule
def progress(rules: Record, table: Record, seat: int) -> int:
    """Loot so far."""
    return table.knights[seat].loot

"""Action cards: who may play which of them when, and what waits for what.

Before a roll everybody may play, in passes from the active player's left, one card a pass, until
a full pass without a play. In one's own turn and after one's own failed roll only the active
player has cards to play. Whenever a card has been played, everybody may answer it with a card
that cancels, again in passes; the card played last is settled first.
"""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.games.fantasia_sa.box import ON_ACTION, OTHER_ROLL, OWN_FAILURE, OWN_ROLL, OWN_TURN
from simlab.games.fantasia_sa.decks import card_at, draw, is_held, take_from_hand
from simlab.games.fantasia_sa.diary import CANCELLED, HEALED, PLAYED, TOOK_EFFECT, note
from simlab.games.fantasia_sa.knights import steal
from simlab.games.fantasia_sa.records import (
    ACTION,
    ANY_EQUIPMENT,
    CANCEL,
    FAILED,
    HERO_PILE,
    HOSPITAL,
    LOWEST,
    NOTHING,
    PASS,
    ROLL,
    SPONSOR,
    TURN,
    action_of,
    left_of,
    play,
    stolen_by,
    target_of,
)

# --- What may be played ----------------------------------------------------------------------


@rule
def moment_of(table: Record, seat: int) -> int:
    """Which Action cards a seat may play in this phase, by their ``when``."""
    if table.phase == CANCEL:
        return ON_ACTION
    if table.phase == TURN:
        return OWN_TURN
    if table.phase == FAILED:
        return OWN_FAILURE
    return OWN_ROLL if seat == table.active else OTHER_ROLL


@rule
def is_aimed(card: Record) -> bool:
    """Whether an Action card is played on another player."""
    aims = card.steal + card.lose_lowest + card.lose_sponsor + card.lose_equipment + card.hospital
    return aims > 0


@rule
def has_use(table: Record, own: Record, card: Record) -> bool:
    """Whether a card without a target may be played: it heals only who is in hospital."""
    return card.heal == 0 or table.knights[own.seat].in_hospital == 1


@rule
def may_aim(table: Record, own: Record, card: Record, target: int) -> bool:
    """Whether a card may be aimed at a seat: it needs there whatever it takes away."""
    if target == own.seat or not has_use(table, own, card):
        return False
    knight = table.knights[target]
    if card.steal > 0 and knight.equipment_cards == 0:
        return False
    if card.lose_lowest + card.lose_sponsor > 0 and knight.sponsor_cards == 0:
        return False
    return card.lose_equipment == 0 or knight.equipment_cards + knight.curse_cards > 0


@rule
def may_play(rules: Record, table: Record, own: Record, action: int) -> bool:
    """Whether an Action card in hand may be played at all in this moment, on whomever."""
    card = rules.actions[action]
    if not is_aimed(card):
        return has_use(table, own, card)
    target = 0
    while target < rules.players and not may_aim(table, own, card, target):
        target += 1
    return target < rules.players


@rule
def can_play(rules: Record, table: Record, own: Record, moment: int) -> bool:
    """Whether a seat has a card that it may play in this moment."""
    if own.holds[moment] == 0:
        return False
    for place in range(table.knights[own.seat].hand_cards):
        action = card_at(own, place) - ACTION
        if action < 0 or rules.actions[action].when != moment:
            continue
        if may_play(rules, table, own, action):
            return True
    return False


@rule
def list_plays(rules: Record, table: Record, own: Record, moves: Record, n: int) -> int:
    """Write every way to play a card in this phase behind the first n moves, ascending."""
    moment = moment_of(table, own.seat)
    before = NOTHING
    for place in range(table.knights[own.seat].hand_cards):
        action = card_at(own, place) - ACTION
        if action < 0 or action == before or rules.actions[action].when != moment:
            continue
        before = action
        card = rules.actions[action]
        if not is_aimed(card):
            if has_use(table, own, card):
                moves[n] = play(action, NOTHING, NOTHING)
                n += 1
            continue
        for target in range(rules.players):
            if may_aim(table, own, card, target):
                n = list_aims(rules, table, action, target, moves, n)
    return n


@rule
def list_aims(rules: Record, table: Record, action: int, target: int, moves: Record, n: int) -> int:
    """Write every way to play a card on one player: for a theft, each Equipment there."""
    if rules.actions[action].steal == 0:
        moves[n] = play(action, target, NOTHING)
        return n + 1
    for kind in range(rules.equipment_kinds):
        if table.knights[target].equipment[kind] > 0:
            moves[n] = play(action, target, kind)
            n += 1
    return n


@rule
def play_allowed(rules: Record, table: Record, own: Record, move: int) -> bool:
    """Whether the seat may play this Action card in this way."""
    action, target, kind = action_of(move), target_of(move), stolen_by(move)
    if action < 0 or action >= rules.action_kinds:
        return False
    card = rules.actions[action]
    if card.when != moment_of(table, own.seat) or own.holds[card.when] == 0:
        return False
    if not is_held(table, own, ACTION + action):
        return False
    if not is_aimed(card):
        return target == NOTHING and kind == NOTHING and has_use(table, own, card)
    if target == NOTHING or target >= rules.players or not may_aim(table, own, card, target):
        return False
    if card.steal == 0:
        return kind == NOTHING
    return kind != NOTHING and table.knights[target].equipment[kind] > 0


# --- Passes ----------------------------------------------------------------------------------


@rule
def ask_before_roll(rules: Record, state: Record) -> bool:
    """Find the next seat that has a card to play on this roll; False after a pass without."""
    table = state.table
    table.phase = ROLL
    while True:
        while table.asked <= rules.players:
            seat = left_of(rules, table.active, table.asked)
            moment = OWN_ROLL if seat == table.active else OTHER_ROLL
            if can_play(rules, table, state.seats[seat], moment):
                table.to_move = seat
                return True
            table.asked += 1
        if table.answered == 0:
            return False
        table.asked = 1
        table.answered = 0


@rule
def ask_to_answer(rules: Record, state: Record) -> bool:
    """Find the next seat that has an answer to the card played last; False after a pass without."""
    table = state.table
    table.phase = CANCEL
    top = table.stack[table.depth - 1]
    while True:
        while top.asked <= rules.players:
            seat = left_of(rules, table.active, top.asked)
            if can_play(rules, table, state.seats[seat], ON_ACTION):
                table.to_move = seat
                return True
            top.asked += 1
        if top.answered == 0:
            return False
        top.asked = 1
        top.answered = 0


@rule
def answer_roll(rules: Record, state: Record, move: int) -> None:
    """Play a card before a roll, or pass."""
    table = state.table
    table.asked += 1
    if move != PASS:
        table.answered = 1
        play_action(rules, state, move)


@rule
def answer_action(rules: Record, state: Record, move: int) -> None:
    """Answer the card played last, or pass."""
    top = state.table.stack[state.table.depth - 1]
    top.asked += 1
    if move != PASS:
        top.answered = 1
        play_action(rules, state, move)


@rule
def play_action(rules: Record, state: Record, move: int) -> None:
    """Lay an Action card on the table, where it waits for answers."""
    table = state.table
    seat, action = table.to_move, action_of(move)
    take_from_hand(rules, state, seat, ACTION + action)
    knight = table.knights[seat]
    knight.actions_played += 1
    knight.hostile_played += rules.actions[action].hostile
    played = table.stack[table.depth]
    played.card = action
    played.seat = seat
    played.move = move
    played.asked = 1
    played.answered = 0
    table.depth += 1
    note(state, PLAYED, seat, action, 8 * (stolen_by(move) + 1) + target_of(move) + 1)


# --- Taking effect ---------------------------------------------------------------------------


@rule
def settle(rules: Record, state: Record, chance: Record) -> None:
    """Let the card played last take effect, and put it on the discard pile."""
    table = state.table
    top = table.stack[table.depth - 1]
    action, seat, move = top.card, top.seat, top.move
    clear_top(state)
    note(state, TOOK_EFFECT, seat, action, 0)
    card = rules.actions[action]
    if table.stage == ROLL and card.roll != 0:
        table.card_bonus += card.roll
        table.boosts[action] += 1
    if table.stage == FAILED and card.reroll > 0:
        table.roll_again = 1
    if card.cancel > 0 and table.depth > 0:
        cancel_top(state)
    draw(rules, state, seat, card.draw, chance)
    if card.heal > 0 and table.knights[seat].in_hospital == 1:
        table.knights[seat].in_hospital = 0
        note(state, HEALED, seat, action, 1)
    if is_aimed(card):
        strike(rules, state, seat, action, move)
    table.piles[HERO_PILE].discard[ACTION + action] += 1


@rule
def clear_top(state: Record) -> None:
    """Take the card played last off the stack."""
    table = state.table
    table.depth -= 1
    top = table.stack[table.depth]
    top.card = 0
    top.seat = 0
    top.move = 0
    top.asked = 0
    top.answered = 0


@rule
def cancel_top(state: Record) -> None:
    """Discard the card played last without effect."""
    table = state.table
    top = table.stack[table.depth - 1]
    note(state, CANCELLED, top.seat, top.card, 0)
    table.knights[top.seat].cancelled += 1
    table.piles[HERO_PILE].discard[ACTION + top.card] += 1
    clear_top(state)


@rule
def strike(rules: Record, state: Record, seat: int, action: int, move: int) -> None:
    """Do to another player what the card says; what they choose themselves comes after."""
    table, card = state.table, rules.actions[action]
    target, kind = target_of(move), stolen_by(move)
    if card.steal > 0 and table.knights[target].equipment[kind] > 0:
        steal(rules, state, seat, target, kind)
    fate = 0
    fate |= LOWEST if card.lose_lowest > 0 else 0
    fate |= SPONSOR if card.lose_sponsor > 0 else 0
    fate |= ANY_EQUIPMENT if card.lose_equipment > 0 else 0
    fate |= HOSPITAL if card.hospital > 0 else 0
    table.fate = fate
    table.victim = target if fate != 0 else 0

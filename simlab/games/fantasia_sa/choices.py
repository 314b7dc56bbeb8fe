"""What the seat to move may decide, as it sees the table."""

from __future__ import annotations

from simlab.cards import MOST_CARDS
from simlab.compiled import Record, rule
from simlab.games.fantasia_sa.actions import list_plays, play_allowed
from simlab.games.fantasia_sa.decks import card_at, is_held, lies_in
from simlab.games.fantasia_sa.feats import lowest_loot, pays_in, purse
from simlab.games.fantasia_sa.records import (
    ACTION,
    BUY,
    CANCEL,
    CHOOSE,
    DISCARD,
    FAILED,
    GOLD,
    HERO_KINDS,
    LOSE_EQUIPMENT,
    LOSE_LOWEST,
    NOTHING,
    PASS,
    RENOWN,
    REROLL,
    ROLL,
    SHIELD,
    TURN,
    card_move,
    card_of,
    sponsor_move,
)


@rule
def legal(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """Write the legal moves, ascending, and return how many there are."""
    phase = table.phase
    if phase == CHOOSE:
        return list_reserve(rules, table.feat_reserve, moves, 0)
    if phase == DISCARD:
        return list_hand(rules, table, own, moves, 0, HERO_KINDS)
    if phase in (TURN, ROLL, FAILED, CANCEL):
        moves[0] = PASS
        n = list_plays(rules, table, own, moves, 1)
        if phase == FAILED and table.knights[own.seat].rerolls > table.rerolls_used:
            moves[n] = REROLL
            n += 1
        return n
    if phase == BUY:
        return list_buys(rules, table, own, moves)
    return list_losses(rules, table, own, moves)


@rule
def list_reserve(rules: Record, reserve: Record, moves: Record, n: int) -> int:
    """Write the kinds that lie in a Reserve behind the first n moves, ascending, each once."""
    start = n
    for place in range(rules.reserve):
        if reserve[place] != NOTHING:
            n = sort_in(moves, start, n, card_move(reserve[place]))
    return n


@rule
def sort_in(moves: Record, start: int, n: int, move: int) -> int:
    """Write a move to its place among ascending ones, unless it is there already."""
    place = n
    while place > start and moves[place - 1] > move:
        place -= 1
    if place > start and moves[place - 1] == move:
        return n
    for later in range(n, place, -1):
        moves[later] = moves[later - 1]
    moves[place] = move
    return n + 1


@rule
def list_hand(rules: Record, table: Record, own: Record, moves: Record, n: int, end: int) -> int:
    """Write the kinds below ``end`` in the hand behind the first n moves, each once."""
    before = NOTHING
    for place in range(table.knights[own.seat].hand_cards):
        card = card_at(own, place)
        if card < end and card != before:
            moves[n] = card_move(card)
            n += 1
        before = card
    return n


@rule
def list_buys(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """Write what the Feat buys, for Gold and for Renown; nothing is always possible."""
    moves[0] = PASS
    n = 1
    for place in range(table.knights[own.seat].hand_cards):
        card = card_at(own, place)
        if card < ACTION and gold_buys(rules, table, card):
            n = sort_in(moves, 1, n, card_move(card))
    start = n
    for place in range(rules.reserve):
        card = table.sponsor_reserve[place]
        if card != NOTHING and renown_buys(rules, table, card):
            n = sort_in(moves, start, n, sponsor_move(card))
    return n


@rule
def gold_buys(rules: Record, table: Record, kind: int) -> bool:
    """Whether the Feat's Gold pays for an Equipment."""
    return pays_in(table, GOLD) and rules.equipment[kind].gold <= purse(rules, table, GOLD)


@rule
def renown_buys(rules: Record, table: Record, kind: int) -> bool:
    """Whether the Feat's Renown pays for a Sponsor."""
    return pays_in(table, RENOWN) and rules.sponsors[kind].renown <= purse(rules, table, RENOWN)


@rule
def list_losses(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """Write what may be given up: shields, Sponsors, or Equipment and curses."""
    knight, n = table.knights[own.seat], 0
    if table.phase == SHIELD:
        moves[0] = PASS
        n = 1
    for move in range(1, 1 + 2 * MOST_CARDS):
        if loss_allowed(rules, table, knight, move):
            moves[n] = move
            n += 1
    return n


@rule
def loss_allowed(rules: Record, table: Record, knight: Record, move: int) -> bool:
    """Whether this card in play may be given up now."""
    kind = card_of(move)
    if move < 1 or kind >= 2 * MOST_CARDS:
        return False
    if table.phase == SHIELD:
        if kind >= MOST_CARDS:
            kind -= MOST_CARDS
            return knight.sponsors[kind] > 0 and rules.sponsors[kind].shield > 0
        return knight.equipment[kind] > 0 and rules.equipment[kind].shield > 0
    if table.phase == LOSE_EQUIPMENT:
        if kind >= MOST_CARDS:
            return knight.curses[kind - MOST_CARDS] > 0
        return knight.equipment[kind] > 0
    if kind >= MOST_CARDS or knight.sponsors[kind] == 0:
        return False
    return table.phase != LOSE_LOWEST or rules.sponsors[kind].loot == lowest_loot(rules, knight)


@rule
def allowed(rules: Record, table: Record, own: Record, move: int) -> bool:
    """Whether the seat to move may make this move."""
    phase = table.phase
    if phase == CHOOSE:
        return move > 0 and lies_in(rules, table.feat_reserve, card_of(move))
    if phase == BUY:
        return move == PASS or (move > 0 and buy_allowed(rules, table, own, card_of(move)))
    if phase in (TURN, ROLL, FAILED, CANCEL):
        if move == REROLL:
            return phase == FAILED and table.knights[own.seat].rerolls > table.rerolls_used
        return move == PASS or (move > 0 and play_allowed(rules, table, own, move))
    if phase == DISCARD:
        return move > 0 and is_held(table, own, card_of(move))
    if phase == SHIELD and move == PASS:
        return True
    return loss_allowed(rules, table, table.knights[own.seat], move)


@rule
def buy_allowed(rules: Record, table: Record, own: Record, kind: int) -> bool:
    """Whether the Feat buys this card (a Sponsor after MOST_CARDS), and it can be had."""
    if kind < MOST_CARDS:
        return gold_buys(rules, table, kind) and is_held(table, own, kind)
    kind -= MOST_CARDS
    return lies_in(rules, table.sponsor_reserve, kind) and renown_buys(rules, table, kind)

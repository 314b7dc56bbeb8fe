"""What several strategies for Fantasía S.A. look at: chances, worths, reactions."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantasia_sa import (
    ACTION,
    CANCEL,
    DISCARD,
    GOLD,
    HERO_PILE,
    LOSE_EQUIPMENT,
    MOST_CARDS,
    NOTHING,
    PASS,
    RENOWN,
    REROLL,
    ROLL,
    SHIELD,
    TURN,
    action_of,
    card_at,
    card_move,
    card_of,
    is_aimed,
    left_of,
    legal,
    pays_in,
    purse,
    sponsor_move,
    target_of,
)


@rule
def chance_of(need: int) -> float:
    """Chance that two dice show at least so much; two ones never do, two sixes always."""
    if need <= 3:
        return 35.0 / 36.0
    if need >= 12:
        return 1.0 / 36.0
    if need <= 7:
        return (36 - (need - 2) * (need - 1) // 2) / 36.0
    return ((13 - need) * (14 - need) // 2) / 36.0


@rule
def need_of(rules: Record, table: Record, seat: int, feat: int) -> int:
    """What a seat's dice have to show for a Feat, by all that lies before its knight."""
    card = rules.feats[feat]
    return card.difficulty - table.knights[seat].bonus[card.type]


@rule
def roll_chance(rules: Record, table: Record, more: int) -> float:
    """Chance of the roll at hand, with so much added to what counts already."""
    need = need_of(rules, table, table.active, table.feat)
    return chance_of(need - table.card_bonus - more)


@rule
def use_of(card: Record, loot: float, bonus: float) -> float:
    """What a Sponsor or an Equipment is worth: its Loot, and what it adds to rolls and more."""
    rolls = card.combat + card.rescue + card.pickup + 3 * card.any_roll
    others = 2 * card.more_renown + card.more_gold + 2 * card.more_draws + 2 * card.reroll
    others += 2 * (card.buys - 1) if card.buys > 0 else 0
    others += card.shield + (1 if card.dodge > 0 else 0)
    return loot * card.loot + bonus * (rolls + others)


@rule
def best_sponsor(rules: Record, table: Record, funds: int, loot: float, bonus: float) -> int:
    """The Sponsor of the Reserve that is worth most for so much Renown, or NOTHING."""
    best, best_use = NOTHING, 0.0
    for place in range(rules.reserve):
        kind = table.sponsor_reserve[place]
        if kind == NOTHING or rules.sponsors[kind].renown > funds:
            continue
        use = use_of(rules.sponsors[kind], loot, bonus)
        if use > best_use:
            best, best_use = kind, use
    return best


@rule
def best_equipment(
    rules: Record, table: Record, own: Record, funds: int, loot: float, bonus: float
) -> int:
    """The Equipment in hand that is worth most for so much Gold, or NOTHING."""
    best, best_use = NOTHING, 0.0
    for place in range(table.knights[own.seat].hand_cards):
        kind = card_at(own, place)
        if kind >= ACTION:
            break  # Action cards come after all Equipment
        if rules.equipment[kind].gold > funds:
            continue
        use = use_of(rules.equipment[kind], loot, bonus)
        if use > best_use:
            best, best_use = kind, use
    return best


@rule
def rewards(
    rules: Record, table: Record, own: Record, moves: Record, sponsor: Record, equipment: Record
) -> None:
    """Write what each Feat of the Reserve buys, in thousandths, into the room for moves.

    ``sponsor`` and ``equipment`` are what a Loot and a point of a bonus count for each of them.
    """
    knight = table.knights[own.seat]
    for place in range(rules.reserve):
        moves[place] = 0
    for place in range(rules.reserve):
        kind = table.sponsor_reserve[place]
        if kind != NOTHING:
            card = rules.sponsors[kind]
            use = np.int64(1000.0 * use_of(card, sponsor[0], sponsor[1]))
            reward_renown(rules, table, moves, card.renown - knight.more_renown, use)
    for place in range(knight.hand_cards):
        kind = card_at(own, place)
        if kind >= ACTION:
            break  # Action cards come after all Equipment
        thing = rules.equipment[kind]
        use = np.int64(1000.0 * use_of(thing, equipment[0], equipment[1]))
        reward_gold(rules, table, moves, thing.gold - knight.more_gold, use)


@rule
def reward_renown(rules: Record, table: Record, moves: Record, price: int, use: int) -> None:
    """Note what a Sponsor is worth for each Feat whose Renown pays its price."""
    for place in range(rules.reserve):
        feat = table.feat_reserve[place]
        if feat != NOTHING and 0 < rules.feats[feat].renown >= price and use > moves[place]:
            moves[place] = use


@rule
def reward_gold(rules: Record, table: Record, moves: Record, price: int, use: int) -> None:
    """Note what an Equipment is worth for each Feat whose Gold pays its price."""
    for place in range(rules.reserve):
        feat = table.feat_reserve[place]
        if feat != NOTHING and 0 < rules.feats[feat].gold >= price and use > moves[place]:
            moves[place] = use


@rule
def leading_rival(rules: Record, table: Record, own: Record) -> int:
    """Seat with the most Loot, this one left aside; of equal ones the next in turn order."""
    best, leader = -1000, NOTHING
    for offset in range(1, rules.players):
        seat = left_of(rules, own.seat, offset)
        if table.knights[seat].loot > best:
            best, leader = table.knights[seat].loot, seat
    return leader


@rule
def purchase(rules: Record, table: Record, own: Record, loot: float, bonus: float) -> int:
    """Buy what is worth most, for Gold or for Renown; of equals the Sponsor."""
    sponsor, equipment = NOTHING, NOTHING
    if pays_in(table, RENOWN):
        sponsor = best_sponsor(rules, table, purse(rules, table, RENOWN), loot, bonus)
    if pays_in(table, GOLD):
        equipment = best_equipment(rules, table, own, purse(rules, table, GOLD), loot, bonus)
    if equipment == NOTHING:
        return PASS if sponsor == NOTHING else sponsor_move(sponsor)
    if sponsor != NOTHING:
        by_gold = use_of(rules.equipment[equipment], loot, bonus)
        if use_of(rules.sponsors[sponsor], loot, bonus) >= by_gold:
            return sponsor_move(sponsor)
    return card_move(equipment)


@rule
def least_useful_card(
    rules: Record, table: Record, own: Record, action: float, hostile: float
) -> int:
    """The Hero card in hand that is worth least; an Action counts as so much, a hostile one so."""
    least, least_use = NOTHING, 1e9
    for place in range(table.knights[own.seat].hand_cards):
        card = card_at(own, place)
        if card < ACTION:
            use = use_of(rules.equipment[card], 4.0, 1.0)
        else:
            use = hostile if rules.actions[card - ACTION].hostile == 1 else action
        if use < least_use:
            least, least_use = card, use
    return card_move(least)


@rule
def least_useful_loss(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """What is given up most lightly: curses first, then what is worth least."""
    n = legal(rules, table, own, moves)
    best, best_use = moves[n - 1], 1e9
    for place in range(n):
        kind = card_of(moves[place])
        if moves[place] == PASS:
            continue
        if table.phase == LOSE_EQUIPMENT and kind >= MOST_CARDS:
            return moves[place]
        sponsor = kind >= MOST_CARDS or (table.phase not in (LOSE_EQUIPMENT, SHIELD))
        card_use = (
            use_of(rules.sponsors[kind % MOST_CARDS], 4.0, 1.0)
            if sponsor
            else use_of(rules.equipment[kind], 4.0, 1.0)
        )
        if card_use < best_use:
            best, best_use = moves[place], card_use
    return best


@rule
def is_against(rules: Record, table: Record, own: Record) -> bool:
    """Whether the Action card played last is aimed at this seat, its roll or its card."""
    top = table.stack[table.depth - 1]
    if top.seat == own.seat:
        return False
    card = rules.actions[top.card]
    if card.cancel > 0:
        return table.depth > 1 and table.stack[table.depth - 2].seat == own.seat
    if is_aimed(card):
        return target_of(top.move) == own.seat
    return table.active == own.seat and card.roll < 0


@rule
def own_card(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """In one's own turn or roll: the first card that harms nobody, or PASS.

    Cards are drawn only while the deck lasts: two cards that draw could fetch each other out of
    the discard pile for ever.
    """
    n = legal(rules, table, own, moves)
    left = table.piles[HERO_PILE].left
    for place in range(1, n):
        if moves[place] == REROLL:
            return REROLL
        card = rules.actions[action_of(moves[place])]
        if not is_aimed(card) and card.roll >= 0 and card.draw <= left:
            return moves[place]
    return PASS


@rule
def aimed_card(rules: Record, table: Record, own: Record, moves: Record, target: int) -> int:
    """The last way to aim a card at a seat that harms it, or PASS."""
    n = legal(rules, table, own, moves)
    for later in range(1, n):
        move = moves[n - later]
        if move == REROLL or target_of(move) != target:
            continue
        card = rules.actions[action_of(move)]
        if card.hospital == 0 or table.knights[target].in_hospital == 0:
            return move
    return PASS


@rule
def react(rules: Record, table: Record, own: Record, moves: Record, fight: bool) -> int:
    """Play cards as most people do: helpful ones at once, harmful ones at the leader.

    A seat that does not `fight` plays only what helps it, and cancels only what is aimed at it.
    """
    phase = table.phase
    if phase == CANCEL:
        return first_play(rules, table, own, moves) if is_against(rules, table, own) else PASS
    if phase == ROLL and table.active != own.seat:
        ahead = table.knights[table.active].loot >= table.knights[own.seat].loot
        return first_play(rules, table, own, moves) if fight and ahead else PASS
    move = own_card(rules, table, own, moves)
    if move == PASS and fight and phase == TURN:
        return aimed_card(rules, table, own, moves, leading_rival(rules, table, own))
    return move


@rule
def first_play(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """The first card that may be played."""
    n = legal(rules, table, own, moves)
    return moves[1] if n > 1 else PASS


@rule
def give_up(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """Discard for the hand limit, give up a shield, or lose what is worth least."""
    if table.phase == DISCARD:
        return least_useful_card(rules, table, own, 3.0, 3.0)
    return least_useful_loss(rules, table, own, moves)

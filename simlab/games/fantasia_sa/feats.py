"""Feats: the dice, what success buys, and what failure costs."""

from __future__ import annotations

from simlab.cards import MOST_CARDS
from simlab.compiled import Record, rule
from simlab.games.fantasia_sa.decks import card_at, lies_in, take_from, take_from_hand
from simlab.games.fantasia_sa.diary import (
    BOUGHT_EQUIPMENT,
    BOUGHT_SPONSOR,
    CHOSEN,
    DIE,
    HURT,
    ROLLED,
    SHIELDED,
    SUCCEEDED,
    note,
)
from simlab.games.fantasia_sa.knights import (
    declare_winner,
    gain_curse,
    gain_equipment,
    gain_sponsor,
    lose_curse,
    lose_equipment,
    lose_sponsor,
)
from simlab.games.fantasia_sa.records import (
    ACTION,
    ANY_EQUIPMENT,
    BUY,
    DIE_ROLLED,
    EASY,
    END,
    EQUIPMENT_HELD,
    FAILED,
    FEAT_PILE,
    GOLD,
    HARD,
    HOSPITAL,
    LOSE_EQUIPMENT,
    LOSE_LOWEST,
    LOSE_SPONSOR,
    LOWEST,
    MEDIUM,
    NOTHING,
    PASS,
    RENOWN,
    SHIELD,
    SPONSOR,
    card_of,
)
from simlab.streams import DICE as DICE_STREAM
from simlab.streams import below, open_stream, purpose_of

# --- The roll --------------------------------------------------------------------------------


@rule
def level_of(difficulty: int) -> int:
    """EASY up to 6, MEDIUM 7 and 8, HARD from 9."""
    if difficulty <= 6:
        return EASY
    return MEDIUM if difficulty <= 8 else HARD


@rule
def attempt(rules: Record, state: Record, feat: int) -> None:
    """Choose a Feat: from here on it lies before the knight."""
    table = state.table
    knight, card = table.knights[table.active], rules.feats[feat]
    table.feat = feat
    table.card_bonus = 0
    table.boosts[:] = 0
    knight.tried[card.type] += 1
    knight.tried_level[level_of(card.difficulty)] += 1
    note(state, CHOSEN, table.active, feat, 0)


@rule
def open_dice(state: Record, seat: int, chance: Record) -> None:
    """Open the dice of a seat: each of its rolls has numbers of its own."""
    knight = state.table.knights[seat]
    purpose = purpose_of(DICE_STREAM, seat, knight.rolls)
    open_stream(chance, chance.seed, chance.deal, purpose)
    knight.rolls += 1


@rule
def roll_dice(rules: Record, state: Record, chance: Record) -> None:
    """Make a Feat Roll: two dice and all modifiers against the difficulty."""
    table = state.table
    knight, card = table.knights[table.active], rules.feats[table.feat]
    open_dice(state, table.active, chance)
    table.dice[0] = 1 + below(chance, 6)
    table.dice[1] = 1 + below(chance, 6)
    note(state, ROLLED, table.active, table.dice[0], table.dice[1])
    natural = table.dice[0] + table.dice[1]
    total = natural + knight.bonus[card.type] + table.card_bonus
    if natural == 12 or (natural > 2 and total >= card.difficulty):
        knight.succeeded[card.type] += 1
        knight.succeeded_level[level_of(card.difficulty)] += 1
        note(state, SUCCEEDED, table.active, table.feat, 0)
        table.stage = BUY
        return
    table.stage = FAILED


@rule
def end_feat(rules: Record, state: Record) -> None:
    """Put the Feat on the discard pile, or, failed and cursed, before the knight."""
    table = state.table
    if table.feat == NOTHING:
        return
    if table.failed == 1 and rules.feats[table.feat].curse > 0:
        gain_curse(rules, state, table.active, table.feat)
    else:
        table.piles[FEAT_PILE].discard[table.feat] += 1
    table.feat = NOTHING
    table.failed = 0
    table.currency = 0
    table.bought = 0
    table.card_bonus = 0
    table.boosts[:] = 0


# --- Success ---------------------------------------------------------------------------------


@rule
def purse(rules: Record, table: Record, currency: int) -> int:
    """Gold or Renown that the Feat performed is worth to the active player; -1: it pays none."""
    knight, card = table.knights[table.active], rules.feats[table.feat]
    if currency == GOLD:
        return card.gold + knight.more_gold if card.gold > 0 else -1
    return card.renown + knight.more_renown if card.renown > 0 else -1


@rule
def pays_in(table: Record, currency: int) -> bool:
    """Whether a Feat may (still) be exchanged for this: it cannot be for both."""
    return table.currency in (0, currency)


@rule
def can_buy(rules: Record, table: Record, own: Record) -> bool:
    """Whether the Feat buys one more card, and one can be paid for."""
    knight = table.knights[table.active]
    if table.bought > knight.more_buys:
        return False
    if pays_in(table, RENOWN):
        renown = purse(rules, table, RENOWN)
        for place in range(rules.reserve):
            kind = table.sponsor_reserve[place]
            if kind != NOTHING and rules.sponsors[kind].renown <= renown:
                return True
    if own.holds[EQUIPMENT_HELD] == 0 or not pays_in(table, GOLD):
        return False
    gold = purse(rules, table, GOLD)
    for place in range(knight.hand_cards):
        kind = card_at(own, place)
        if kind < ACTION and rules.equipment[kind].gold <= gold:
            return True
    return False


@rule
def buy(rules: Record, state: Record, move: int) -> None:
    """Exchange the Feat for Gold and buy an Equipment, or for Renown and a Sponsor, or stop."""
    table = state.table
    seat, kind = table.active, card_of(move)
    knight = table.knights[seat]
    if move == PASS:
        table.stage = END
        return
    currency = RENOWN if kind >= MOST_CARDS else GOLD
    worth = purse(rules, table, currency)
    if currency == GOLD:
        knight.gold += worth if table.bought == 0 else 0
        take_from_hand(rules, state, seat, kind)
        gain_equipment(rules, state, seat, kind)
        knight.equipment_bought += 1
        note(state, BOUGHT_EQUIPMENT, seat, kind, worth)
    else:
        kind -= MOST_CARDS
        knight.renown += worth if table.bought == 0 else 0
        take_from(table.sponsor_reserve, kind)
        gain_sponsor(rules, state, seat, kind)
        knight.sponsors_bought += 1
        note(state, BOUGHT_SPONSOR, seat, kind, worth)
    table.currency = currency
    table.bought += 1
    declare_winner(rules, state)


# --- Harm ------------------------------------------------------------------------------------


@rule
def suffer(rules: Record, state: Record, chance: Record) -> bool:
    """Do the next thing that a knight has to suffer; True where its player decides first."""
    table = state.table
    knight = table.knights[table.victim]
    if table.fate & HOSPITAL != 0:
        return go_to_hospital(rules, state, chance)
    table.to_move = table.victim
    if table.fate & LOWEST != 0 and knight.sponsor_cards > 0:
        table.phase = LOSE_LOWEST
        return True
    if table.fate & SPONSOR != 0 and knight.sponsor_cards > 0:
        table.phase = LOSE_SPONSOR
        return True
    if table.fate & ANY_EQUIPMENT != 0 and knight.equipment_cards + knight.curse_cards > 0:
        table.phase = LOSE_EQUIPMENT
        return True
    spare(table, table.fate)
    return False


@rule
def spare(table: Record, fate: int) -> None:
    """Take something off what a knight has to suffer, because it is done or cannot be."""
    table.fate &= ~fate
    if table.fate == 0:
        table.victim = 0


@rule
def go_to_hospital(rules: Record, state: Record, chance: Record) -> bool:
    """Send a knight to hospital, unless a die, then a shield, keeps it out."""
    table = state.table
    knight = table.knights[table.victim]
    if knight.in_hospital == 1:
        spare(table, HOSPITAL)
        return False
    if knight.dodges > 0 and table.fate & DIE_ROLLED == 0:
        table.fate |= DIE_ROLLED
        if dodge(rules, state, chance):
            spare(table, HOSPITAL | DIE_ROLLED)
        return False
    if knight.shields > 0:
        table.to_move = table.victim
        table.phase = SHIELD
        return True
    enter_hospital(state)
    return False


@rule
def enter_hospital(state: Record) -> None:
    """Turn the victim's card over to the side in plaster."""
    table = state.table
    table.knights[table.victim].in_hospital = 1
    note(state, HURT, table.victim, 0, 0)
    spare(table, HOSPITAL | DIE_ROLLED)


@rule
def dodge(rules: Record, state: Record, chance: Record) -> bool:
    """Roll a die for each card in play that may keep its knight out of hospital."""
    table = state.table
    knight = table.knights[table.victim]
    for kind in range(rules.equipment_kinds):
        needed = rules.equipment[kind].dodge
        for _ in range(knight.equipment[kind] if needed > 0 else 0):
            if roll_die(state, table.victim, kind, needed, chance):
                return True
    for kind in range(rules.sponsor_kinds):
        needed = rules.sponsors[kind].dodge
        for _ in range(knight.sponsors[kind] if needed > 0 else 0):
            if roll_die(state, table.victim, ACTION + kind, needed, chance):
                return True
    return False


@rule
def roll_die(state: Record, seat: int, card: int, needed: int, chance: Record) -> bool:
    """Roll one die; whether it shows as much as is needed."""
    open_dice(state, seat, chance)
    die = 1 + below(chance, 6)
    note(state, DIE, seat, card, die)
    return die >= needed


@rule
def lose(rules: Record, state: Record, move: int) -> None:
    """Give up a shield or not, or discard the Sponsor or the Equipment that its owner chose."""
    table = state.table
    seat, kind = table.victim, card_of(move)
    if table.phase == SHIELD:
        if move == PASS:
            enter_hospital(state)
            return
        spare(table, HOSPITAL | DIE_ROLLED)
        discard_shield(rules, state, seat, kind)
    elif table.phase in (LOSE_LOWEST, LOSE_SPONSOR):
        spare(table, LOWEST if table.phase == LOSE_LOWEST else SPONSOR)
        lose_sponsor(rules, state, seat, kind)
    else:
        spare(table, ANY_EQUIPMENT)
        if kind >= MOST_CARDS:
            lose_curse(rules, state, seat, kind - MOST_CARDS)
        else:
            lose_equipment(rules, state, seat, kind)


@rule
def discard_shield(rules: Record, state: Record, seat: int, kind: int) -> None:
    """Give up a card in play instead of going to hospital: an Equipment, or a Sponsor."""
    note(state, SHIELDED, seat, 0, 0)
    if kind >= MOST_CARDS:
        lose_sponsor(rules, state, seat, kind - MOST_CARDS)
    else:
        lose_equipment(rules, state, seat, kind)


@rule
def lowest_loot(rules: Record, knight: Record) -> int:
    """Loot of the Sponsor in play that brings least."""
    lowest = 1_000_000
    for kind in range(rules.sponsor_kinds):
        if knight.sponsors[kind] > 0:
            lowest = min(lowest, rules.sponsors[kind].loot)
    return lowest


@rule
def in_reserve(rules: Record, table: Record, feat: int) -> bool:
    """Whether a Feat of this kind lies face up."""
    return lies_in(rules, table.feat_reserve, feat)

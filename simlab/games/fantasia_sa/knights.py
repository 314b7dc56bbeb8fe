"""What lies before a knight: Sponsors and Equipment come and go, and with them what they do."""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.games.fantasia_sa.box import COMBAT, PICKUP, RESCUE
from simlab.games.fantasia_sa.diary import (
    CURSED,
    LOST_CURSE,
    LOST_EQUIPMENT,
    LOST_SPONSOR,
    STOLEN,
    WON,
    note,
)
from simlab.games.fantasia_sa.records import FEAT_PILE, HERO_PILE, NOTHING, SPONSOR_PILE, left_of


@rule
def count_in(knight: Record, card: Record, number: int) -> None:
    """Add what a Sponsor or an Equipment does (number 1), or take it away (-1)."""
    knight.loot += number * card.loot
    knight.bonus[COMBAT] += number * (card.combat + card.any_roll)
    knight.bonus[RESCUE] += number * (card.rescue + card.any_roll)
    knight.bonus[PICKUP] += number * (card.pickup + card.any_roll)
    knight.more_gold += number * card.more_gold
    knight.more_renown += number * card.more_renown
    knight.more_draws += number * card.more_draws
    knight.more_buys += number * (card.buys - 1) if card.buys > 0 else 0
    knight.rerolls += number * card.reroll
    knight.dodges += number if card.dodge > 0 else 0
    knight.shields += number * card.shield


@rule
def gain_sponsor(rules: Record, state: Record, seat: int, kind: int) -> None:
    """Lay a Sponsor before a knight."""
    knight = state.table.knights[seat]
    knight.sponsors[kind] += 1
    knight.sponsor_cards += 1
    count_in(knight, rules.sponsors[kind], 1)


@rule
def gain_equipment(rules: Record, state: Record, seat: int, kind: int) -> None:
    """Lay an Equipment before a knight."""
    knight = state.table.knights[seat]
    knight.equipment[kind] += 1
    knight.equipment_cards += 1
    count_in(knight, rules.equipment[kind], 1)


@rule
def lose_sponsor(rules: Record, state: Record, seat: int, kind: int) -> None:
    """Discard a Sponsor; its Loot and all it does end at once."""
    knight = state.table.knights[seat]
    knight.sponsors[kind] -= 1
    knight.sponsor_cards -= 1
    knight.sponsors_lost += 1
    count_in(knight, rules.sponsors[kind], -1)
    state.table.piles[SPONSOR_PILE].discard[kind] += 1
    note(state, LOST_SPONSOR, seat, kind, 0)
    declare_winner(rules, state)


@rule
def take_equipment(rules: Record, state: Record, seat: int, kind: int) -> None:
    """Take an Equipment from before a knight."""
    knight = state.table.knights[seat]
    knight.equipment[kind] -= 1
    knight.equipment_cards -= 1
    knight.equipment_lost += 1
    count_in(knight, rules.equipment[kind], -1)


@rule
def lose_equipment(rules: Record, state: Record, seat: int, kind: int) -> None:
    """Discard an Equipment; its Loot and all it does end at once."""
    take_equipment(rules, state, seat, kind)
    state.table.piles[HERO_PILE].discard[kind] += 1
    note(state, LOST_EQUIPMENT, seat, kind, 0)
    declare_winner(rules, state)


@rule
def steal(rules: Record, state: Record, thief: int, victim: int, kind: int) -> None:
    """Move an Equipment from before one knight to before another."""
    take_equipment(rules, state, victim, kind)
    gain_equipment(rules, state, thief, kind)
    note(state, STOLEN, thief, kind, victim)
    declare_winner(rules, state)


@rule
def gain_curse(rules: Record, state: Record, seat: int, feat: int) -> None:
    """Lay a failed Feat before a knight: it takes its number off rolls of its own type."""
    knight, card = state.table.knights[seat], rules.feats[feat]
    knight.curses[feat] += 1
    knight.curse_cards += 1
    knight.curses_taken += 1
    knight.bonus[card.type] -= card.curse
    note(state, CURSED, seat, feat, 0)


@rule
def lose_curse(rules: Record, state: Record, seat: int, feat: int) -> None:
    """Discard a curse."""
    knight, card = state.table.knights[seat], rules.feats[feat]
    knight.curses[feat] -= 1
    knight.curse_cards -= 1
    knight.bonus[card.type] += card.curse
    state.table.piles[FEAT_PILE].discard[feat] += 1
    note(state, LOST_CURSE, seat, feat, 0)


@rule
def declare_winner(rules: Record, state: Record) -> None:
    """End the game if somebody has Loot enough: the active player first, then in turn order."""
    table = state.table
    if table.winner != NOTHING:
        return
    for offset in range(rules.players):
        seat = left_of(rules, table.active, offset)
        if table.knights[seat].loot >= rules.goal:
            table.winner = seat
            note(state, WON, seat, 0, 0)
            return

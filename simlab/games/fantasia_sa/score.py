"""Who has won, and what is counted of a game."""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.games.fantasia_sa.box import COMBAT, PICKUP, RESCUE
from simlab.games.fantasia_sa.records import EASY, HARD, HERO_PILE, MEDIUM

WON = 1_000_000
"""What winning adds to a seat's standing: more than any Loot."""

SEAT_COLUMNS = (
    "turns",
    "hospital_turns",
    "tried",
    "tried_combat",
    "tried_rescue",
    "tried_pickup",
    "tried_easy",
    "tried_medium",
    "tried_hard",
    "succeeded",
    "succeeded_combat",
    "succeeded_rescue",
    "succeeded_pickup",
    "succeeded_easy",
    "succeeded_medium",
    "succeeded_hard",
    "gold",
    "renown",
    "sponsors_bought",
    "sponsors_lost",
    "equipment_bought",
    "equipment_lost",
    "curses_taken",
    "actions_played",
    "hostile_played",
    "actions_cancelled",
)
GAME_COLUMNS = ("turns_in_all", "off_turn_wins", "turn_cap_hits", "hero_reshuffles")
COLUMN_WORDS = {
    "points": "Loot at the end",
    "turns": "turns of the seat",
    "hospital_turns": "turns whose second phase the Knight spent in hospital",
    "tried": "Feats that were tried",
    "tried_combat": "Combat Feats that were tried",
    "tried_rescue": "Rescue Feats that were tried",
    "tried_pickup": "Pick-up Feats that were tried",
    "tried_easy": "Feats that were tried at the easy level",
    "tried_medium": "Feats that were tried at the medium level",
    "tried_hard": "Feats that were tried at the hard level",
    "succeeded": "Feats that were performed",
    "succeeded_combat": "Combat Feats that were performed",
    "succeeded_rescue": "Rescue Feats that were performed",
    "succeeded_pickup": "Pick-up Feats that were performed",
    "succeeded_easy": "Feats that were performed at the easy level",
    "succeeded_medium": "Feats that were performed at the medium level",
    "succeeded_hard": "Feats that were performed at the hard level",
    "gold": "Gold that Feats were exchanged for",
    "renown": "Renown that Feats were exchanged for",
    "sponsors_bought": "Sponsors that were engaged",
    "sponsors_lost": "Sponsors that were lost",
    "equipment_bought": "Equipment that was bought",
    "equipment_lost": "Equipment that was lost, stolen cards too, curses left aside",
    "curses_taken": "curses that the seat was given",
    "actions_played": "Action cards that were played, cancelled ones too",
    "hostile_played": "of those, cards that harm another seat",
    "actions_cancelled": "of those, cards that were cancelled",
    "turns_in_all": "turns of all seats together",
    "off_turn_wins": "1 if the winner reached the goal in another seat's turn, else 0",
    "turn_cap_hits": "1 if the cap on turns ended the game, else 0",
    "hero_reshuffles": "how often the discarded Hero cards were shuffled to be the deck again",
}
"""What the columns mean."""


@rule
def score(rules: Record, state: Record, outcome: Record) -> None:
    """Write every seat's Loot and columns; who reached the goal stands before all others."""
    table = state.table
    for seat in range(rules.players):
        knight, row = table.knights[seat], outcome.seats[seat]
        row.points = knight.loot
        row.standing = knight.loot + (WON if seat == table.winner else 0)
        count_feats(knight, row)
        count_cards(knight, row)
    outcome.turns_in_all = table.turn
    outcome.off_turn_wins = 1 if table.winner >= 0 and table.winner != table.active else 0
    outcome.turn_cap_hits = table.capped
    outcome.hero_reshuffles = table.piles[HERO_PILE].reshuffles


@rule
def count_feats(knight: Record, row: Record) -> None:
    """Feats attempted and performed, by type and by difficulty."""
    row.tried = knight.tried[COMBAT] + knight.tried[RESCUE] + knight.tried[PICKUP]
    row.tried_combat = knight.tried[COMBAT]
    row.tried_rescue = knight.tried[RESCUE]
    row.tried_pickup = knight.tried[PICKUP]
    row.tried_easy = knight.tried_level[EASY]
    row.tried_medium = knight.tried_level[MEDIUM]
    row.tried_hard = knight.tried_level[HARD]
    done = knight.succeeded
    row.succeeded = done[COMBAT] + done[RESCUE] + done[PICKUP]
    row.succeeded_combat = done[COMBAT]
    row.succeeded_rescue = done[RESCUE]
    row.succeeded_pickup = done[PICKUP]
    row.succeeded_easy = knight.succeeded_level[EASY]
    row.succeeded_medium = knight.succeeded_level[MEDIUM]
    row.succeeded_hard = knight.succeeded_level[HARD]


@rule
def count_cards(knight: Record, row: Record) -> None:
    """Turns, and cards bought, lost and played."""
    row.turns = knight.turns
    row.hospital_turns = knight.hospital_turns
    row.gold = knight.gold
    row.renown = knight.renown
    row.sponsors_bought = knight.sponsors_bought
    row.sponsors_lost = knight.sponsors_lost
    row.equipment_bought = knight.equipment_bought
    row.equipment_lost = knight.equipment_lost
    row.curses_taken = knight.curses_taken
    row.actions_played = knight.actions_played
    row.hostile_played = knight.hostile_played
    row.actions_cancelled = knight.cancelled

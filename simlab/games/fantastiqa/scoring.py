"""Who wins, and what is noted about how."""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.quests import side_points
from simlab.games.fantastiqa.records import (
    ARTIFACTS_BOUGHT,
    BEASTS_BOUGHT,
    BY_CAP,
    BY_DECK,
    BY_GOAL,
    CARDS_GIVEN,
    CARDS_RELEASED,
    CARDS_USED,
    CARPETS_USED,
    DOUBLED,
    DRAGONS_RECEIVED,
    DRAGONS_SENT,
    GEMS_EARNED,
    GEMS_LOST,
    GEMS_PAID_CARDS,
    GEMS_PAID_RELEASE,
    GEMS_PAID_TELEPORT,
    OPEN_QUESTS,
    PASSES,
    PERSONAL_QUESTS,
    QUESTS_1,
    QUESTS_2,
    QUESTS_3,
    RESHUFFLES_USED,
    SLOTS,
    SUBDUED_1,
    SUBDUED_2,
    TURNS,
    VISITS,
)
from simlab.games.fantastiqa.symbols import number_in_all


@rule
def score(rules: Record, state: Record, outcome: Record) -> None:
    """Write every seat's points and columns, and the game's own."""
    table = state.table
    best = -1
    for seat in range(rules.players):
        row = outcome.seats[seat]
        row.points = table.points[seat]
        row.standing = standing(rules, table, seat)
        best = max(best, row.standing)
        tell_tally(row, state.hidden.tally[seat])
        tell_deck(rules, state, seat, row)
        row.gems_left = table.gems[seat]
        row.bonus_points = table.bonus[seat]
    winners = 0
    for seat in range(rules.players):
        winners += outcome.seats[seat].standing == best
    outcome.goal_reached = table.ended == BY_GOAL
    outcome.deck_out = table.ended == BY_DECK
    outcome.turn_cap = table.ended == BY_CAP
    outcome.full_turns = table.turn_number
    outcome.events = state.hidden.events
    outcome.shared_win = winners > 1 + rules.teams


@rule
def standing(rules: Record, table: Record, seat: int) -> int:
    """What ranks a side: points, and for equal points the number of Quests completed."""
    done = table.completed[seat]
    if rules.teams != 0:
        done += table.completed[(seat + 2) % 4]
    return 1024 * (1024 + side_points(rules, table, seat)) + done


@rule
def tell_tally(row: Record, tally: Record) -> None:
    """Copy what was counted during the game."""
    row.turns = tally[TURNS]
    row.passes = tally[PASSES]
    row.subdued_1 = tally[SUBDUED_1]
    row.subdued_2 = tally[SUBDUED_2]
    row.quests_1 = tally[QUESTS_1]
    row.quests_2 = tally[QUESTS_2]
    row.quests_3 = tally[QUESTS_3]
    row.personal_quests = tally[PERSONAL_QUESTS]
    row.open_quests = tally[OPEN_QUESTS]
    row.gems_earned = tally[GEMS_EARNED]
    row.gems_paid_cards = tally[GEMS_PAID_CARDS]
    row.gems_paid_release = tally[GEMS_PAID_RELEASE]
    row.gems_paid_teleport = tally[GEMS_PAID_TELEPORT]
    row.gems_lost = tally[GEMS_LOST]
    row.beasts_bought = tally[BEASTS_BOUGHT]
    row.artifacts_bought = tally[ARTIFACTS_BOUGHT]
    row.cards_released = tally[CARDS_RELEASED]
    row.dragons_sent = tally[DRAGONS_SENT]
    row.dragons_received = tally[DRAGONS_RECEIVED]
    row.cards_given = tally[CARDS_GIVEN]
    row.cards_used = tally[CARDS_USED]
    row.carpets_used = tally[CARPETS_USED]
    row.reshuffles_used = tally[RESHUFFLES_USED]
    row.visits = tally[VISITS]


@rule
def tell_deck(rules: Record, state: Record, seat: int, row: Record) -> None:
    """Count the cards that a player ends with, and the symbols that they show."""
    table = state.table
    cards, symbols = 0, 0
    for kind in range(rules.kinds):
        number = np.int64(table.discard[seat, kind])
        for generation in range(table.generation[seat] + 1):
            number += np.int64(table.unseen[seat, generation, kind])
        cards += number
        symbols += number * number_in_all(rules.symbols[kind])
    for slot in range(SLOTS):
        for place in range(table.committed_cards[seat, slot]):
            cards += 1
            kind = np.int64(table.committed[seat, slot, place]) % DOUBLED
            symbols += number_in_all(rules.symbols[kind])
    row.deck_cards = cards
    row.deck_symbols = symbols

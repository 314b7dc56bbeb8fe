"""The Grande Finale: which cards of a hand the six fan sides count, and who wins its medals."""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.counters import VALUES, count, total
from simlab.games.fantastique.records import BRONZE, GOLD, SILVER

LOW_CARDS, HIGH_CARDS, TWO_MOST, ALL_BUT_MOST, ENDS, RUN = 1, 2, 3, 4, 5, 6
"""What sides I to VI count."""


@rule
def matching(rules: Record, side: int, hand: int) -> int:
    """Cards of a hand (a pile) that the finale fan counts on one of its sides 1 to 6."""
    if side == LOW_CARDS:
        return count(hand, 1) + count(hand, 2) + count(hand, 3)
    if side == HIGH_CARDS:
        return count(hand, 6) + count(hand, 7) + count(hand, 8)
    if side == TWO_MOST:
        return two_most(hand)
    if side == ALL_BUT_MOST:
        return total(hand) - most_of_one(hand)
    if side == ENDS:
        return lowest_and_highest(hand)
    return best_run(rules.run_by_cards, hand)


@rule
def most_of_one(hand: int) -> int:
    """Cards of the value that the hand holds most of."""
    most = 0
    for value in range(1, VALUES + 1):
        most = max(most, count(hand, value))
    return most


@rule
def two_most(hand: int) -> int:
    """Cards of the two values that the hand holds most of."""
    first, second = 0, 0
    for value in range(1, VALUES + 1):
        cards = count(hand, value)
        if cards > first:
            first, second = cards, first
        elif cards > second:
            second = cards
    return first + second


@rule
def lowest_and_highest(hand: int) -> int:
    """Cards of the lowest and of the highest value held; one value alone counts once."""
    lowest, highest = 0, 0
    for value in range(1, VALUES + 1):
        if count(hand, value) > 0:
            highest = value
            if lowest == 0:
                lowest = value
    if lowest == 0:
        return 0
    if lowest == highest:
        return count(hand, lowest)
    return count(hand, lowest) + count(hand, highest)


@rule
def best_run(by_cards: int, hand: int) -> int:
    """Cards of the best run of consecutive values.

    The best run is the longest, of equally long ones the one with most cards; with
    ``by_cards`` it is the one with most cards.
    """
    best_length, best_cards = 0, 0
    length, cards = 0, 0
    for value in range(1, VALUES + 1):
        held = count(hand, value)
        length = length + 1 if held > 0 else 0
        cards = cards + held if held > 0 else 0
        longer = by_cards == 0 and length > best_length
        fuller = cards > best_cards and (by_cards != 0 or length == best_length)
        if longer or fuller:
            best_length, best_cards = length, cards
    return best_cards


@rule
def score(rules: Record, state: Record, outcome: Record) -> None:
    """Write every seat's final points and columns, and the game's own."""
    table = state.table
    first, second = -1, -1  # most and second most matching cards
    for seat in range(rules.players):
        hand = state.seats[seat].hand
        cards = matching(rules, table.finale, hand)
        row = outcome.seats[seat]
        row.finale_cards = cards
        row.hand_cards = table.hand_cards[seat]
        if cards == 0 and rules.finale_zero == 0:
            continue
        if cards > first:
            first, second = cards, first
        elif second < cards < first:
            second = cards
    for seat in range(rules.players):
        score_seat(rules, table, seat, outcome.seats[seat], first, second)
    outcome.reshuffles = table.reshuffles
    outcome.passes = table.passes
    count_winners(rules, table, outcome)


@rule
def score_seat(
    rules: Record, table: Record, seat: int, row: Record, first: int, second: int
) -> None:
    """Add up one seat's medals; all who tie for a finale medal win one."""
    row.finale_points = 0
    if row.finale_cards == first:
        row.finale_points = rules.finale_gold
    elif row.finale_cards == second:
        row.finale_points = rules.finale_silver
    row.medal_points = table.points[seat]
    row.points = row.medal_points + row.finale_points
    row.standing = standing(row.points, table.best_medal[seat])
    row.gold = table.medals[seat, GOLD]
    row.silver = table.medals[seat, SILVER]
    row.bronze = table.medals[seat, BRONZE]
    row.cards_played = table.cards_played[seat]


@rule
def standing(points: int, best_medal: int) -> int:
    """What ranks a seat: points, and for equal points the highest round medal."""
    return 1024 * points + best_medal


@rule
def count_winners(rules: Record, table: Record, outcome: Record) -> None:
    """Note a shared win, and whether the finale changed who wins."""
    best, best_by_medals = -1, -1
    for seat in range(rules.players):
        best = max(best, outcome.seats[seat].standing)
        best_by_medals = max(best_by_medals, standing(table.points[seat], table.best_medal[seat]))
    winners = 0
    changed = 0
    for seat in range(rules.players):
        wins = outcome.seats[seat].standing == best
        led = standing(table.points[seat], table.best_medal[seat]) == best_by_medals
        winners += 1 if wins else 0
        changed |= 1 if wins != led else 0
    outcome.shared_win = 1 if winners > 1 else 0
    outcome.finale_changed_winner = changed

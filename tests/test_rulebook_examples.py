"""The rulebook's worked examples and the cases it leaves to the reader, played by the engine.

Every position is laid out by hand: hands, the order of the deck, and who begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numba import types
from positions import RULES_AT, SIDES, Position, compiled, pile, rules_of

from simlab.games.fantastique.finale import matching

SUKI, KIANO, EMILIE, SAMIR = range(4)


def four_at_the_table(**options: object) -> Position:
    """The example's four players, its reveal, and hands that can make its plays."""
    return Position(
        hands=[[4, 4, 6, 6], [3, 4, 4, 4], [2, 8], [1, 1, 1]],
        deck=[2, 5, 2, 4, 5, 8, 5, 7, 1, 1],
        **options,
    )


# --- 1. Reveal fan cards ---------------------------------------------------------------------


def test_the_example_reveals_five_stacks_and_stops_with_the_fifth() -> None:
    game = four_at_the_table()
    game.reveal()
    assert game.stacks == [[2, 2], [5, 5, 5], [4], [8], [7]]
    assert game.revealed == 8


def test_a_fourth_copy_opens_a_stack_and_a_fifth_copy_joins_it() -> None:
    game = Position([[1], [2]], deck=[3, 3, 3, 3, 3, 1, 5, 3, 6, 8])
    game.reveal()
    assert game.stacks == [[3, 3, 3], [3, 3, 3], [1], [5], [6]]


def test_a_seventh_copy_opens_a_third_stack_of_its_value() -> None:
    game = Position([[1], [2]], deck=[*[3] * 6, 1, 3, 3, 5])
    game.reveal()
    assert game.stacks == [[3, 3, 3], [3, 3, 3], [1], [3, 3], [5]]


def test_a_fourth_copy_that_opens_the_fifth_stack_is_the_last_card() -> None:
    game = Position([[1], [2]], deck=[3, 1, 3, 5, 6, 3, 3, 3, 3])
    game.reveal()
    assert game.stacks == [[3, 3, 3], [1], [5], [6], [3]]
    assert game.revealed == 7


def test_with_stack_limit_1_every_card_opens_a_stack() -> None:
    game = Position([[1], [2]], deck=[3, 3, 3, 4, 3, 3], stack_limit=1)
    game.reveal()
    assert game.stacks == [[3], [3], [3], [4], [3]]


def test_a_deck_that_runs_out_is_replaced_by_the_discard_pile_and_the_stacks_stay() -> None:
    game = Position([[1], [2]], deck=[3, 3, 4], discard=[6, 6, 6, 6, 6, 6, 6])
    game.reveal()
    assert game.stacks == [[3, 3], [4], [6, 6, 6], [6, 6, 6], [6]]
    assert (game.table.reshuffles, game.table.deck_cards, game.discard) == (1, 0, [])


def test_with_neither_deck_nor_discard_pile_fewer_stacks_lie_open() -> None:
    game = Position([[1], [2]], deck=[3, 3, 4])
    game.reveal()
    assert game.stacks == [[3, 3], [4]]
    assert game.table.reshuffles == 0


# --- 2. Play fans ----------------------------------------------------------------------------


def test_the_example_forbids_exactly_two_4s_to_the_second_player() -> None:
    game = four_at_the_table()
    game.reveal()
    game.play(SUKI, 4, cards=2)
    assert [game.may(4, cards) for cards in (1, 2, 3, 4)] == [True, False, True, False]
    assert game.may(3, 1)
    assert not game.may(3, 2), "one 3 is all that Kiano holds"


def test_a_combination_stays_forbidden_to_everybody_for_the_whole_round() -> None:
    game = Position([[2, 2], [2, 2, 3], [2, 2, 4], [2, 2, 5]], deck=[1, 3, 4, 5, 6])
    game.reveal()
    game.play(0, 2, cards=2)
    game.play(1, 2)
    game.play(2, 4)
    assert [game.may(2, 1), game.may(2, 2), game.may(5, 1)] == [False, False, True]


def test_a_combination_may_be_repeated_in_the_next_round() -> None:
    game = Position([[5, 5], [3, 3]], deck=[1, 2, 3, 4, 6, 1, 2, 3, 4, 6])
    game.reveal()
    game.play(0, 5)
    game.play(1, 3)
    game.take(0, 6)
    game.take(1, 4)
    game.play(0, 5)
    assert game.table.plays[:2].tolist() == [8 + 4, 0]


def test_turns_go_clockwise_from_the_starter() -> None:
    game = Position([[1], [2], [3], [4]], deck=[5, 6, 7, 8, 1], starter=2)
    game.reveal()
    for seat, value in [(2, 3), (3, 4), (0, 1), (1, 2)]:
        game.play(seat, value)


def test_a_seat_whose_every_fan_lies_on_the_table_passes() -> None:
    """It wins no medal, takes a stack after all others, and its cards stay in its hand."""
    game = Position([[2, 7], [2], [3, 3]], deck=[1, 4, 5, 6, 8])
    game.reveal()
    game.play(0, 2)
    game.play(2, 3, cards=2)
    assert game.table.passes == 1
    assert game.medals == [[0, 1, 0], [0, 0, 0], [1, 0, 0]]
    assert game.order == [2, 0, 1]
    assert game.hand(1) == [2]


def test_seats_that_pass_choose_last_in_turn_order() -> None:
    game = Position([[2], [2], [1], [2]], deck=[1, 4, 5, 6, 8], starter=2)
    game.reveal()
    game.play(2, 1)
    game.play(3, 2)
    assert game.table.passes == 2
    assert game.order == [3, 2, 0, 1]


def test_two_cards_of_one_value_can_both_be_blocked() -> None:
    game = Position([[4, 4, 4], [4, 1], [4, 4]], deck=[1, 5, 6, 7, 8])
    game.reveal()
    game.play(0, 4, cards=2)
    game.play(1, 4)
    assert game.table.passes == 1
    assert game.order == [0, 1, 2]


def test_a_seat_with_one_free_fan_left_has_to_play_it() -> None:
    game = Position([[4, 4], [4, 1], [4, 4, 4]], deck=[1, 5, 6, 7, 8])
    game.reveal()
    game.play(0, 4, cards=2)
    game.play(1, 4)
    assert [game.may(4, cards) for cards in (1, 2, 3)] == [False, False, True]


def test_an_empty_hand_passes_and_a_medal_nobody_has_a_fan_for_is_gone() -> None:
    game = Position([[], [6], [], []], deck=[1, 2, 3, 4, 5])
    game.reveal()
    game.play(1, 6)
    assert game.table.passes == 3
    assert game.medals == [[0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert game.order == [1, 0, 2, 3]


def test_if_nobody_can_play_nobody_wins_gold_and_the_same_seat_starts_again() -> None:
    game = Position([[], [], []], deck=[1, 2, 3, 4, 5, 1, 2, 3, 4, 5], starter=1)
    game.reveal()
    assert game.order == [1, 2, 0]
    game.take(1, 5)
    game.take(2, 4)
    game.take(0, 3)
    assert game.points == [0, 0, 0]
    assert (game.table.round_number, game.table.to_move) == (2, 1)


# --- 3. Distribute medals --------------------------------------------------------------------


def example_round(**options: object) -> Position:
    """The example's round, up to the medals."""
    game = four_at_the_table(**options)
    game.reveal()
    game.play(SUKI, 4, cards=2)
    game.play(KIANO, 4, cards=3)
    game.play(EMILIE, 8)
    game.play(SAMIR, 1, cards=2)
    return game


def test_the_example_gives_gold_to_kiano_silver_to_suki_and_bronze_to_samir() -> None:
    game = example_round()
    gold, silver, bronze, nothing = [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]
    assert game.medals == [silver, gold, nothing, bronze]
    assert game.points == [3, 6, 0, 1]


@pytest.mark.parametrize(
    ("round_number", "points"), [(2, [4, 8, 0, 2]), (6, [8, 16, 0, 6]), (7, [9, 18, 0, 7])]
)
def test_medals_grow_round_by_round(round_number: int, points: list[int]) -> None:
    assert example_round(round_number=round_number).points == points


@pytest.mark.parametrize(
    ("plays", "points"),
    [
        ([(1, 2), (8, 1), (2, 2)], [3, 0, 6]),  # cards before value, then value
        ([(8, 1), (1, 2), (7, 1)], [3, 6, 0]),
        ([(5, 3), (6, 3), (4, 3)], [3, 6, 0]),
    ],
)
def test_three_players_win_gold_and_silver_only(
    plays: list[tuple[int, int]], points: list[int]
) -> None:
    game = Position([[value] * 3 for value, _ in plays], deck=[1, 2, 3, 4, 5])
    game.reveal()
    for seat, (value, cards) in enumerate(plays):
        game.play(seat, value, cards)
    assert game.points == points


# --- 4. Take new fan cards -------------------------------------------------------------------


def test_the_example_chooses_in_the_order_emilie_kiano_suki_samir() -> None:
    game = example_round()
    assert game.order == [EMILIE, KIANO, SUKI, SAMIR]
    game.take(EMILIE, 5, cards=3)
    game.take(KIANO, 2, cards=2)
    game.take(SUKI, 8)
    game.take(SAMIR, 7)
    assert [game.hand(seat) for seat in (SUKI, KIANO, EMILIE, SAMIR)] == [
        [6, 6, 8],
        [2, 2, 3],
        [2, 5, 5, 5],
        [1, 7],
    ]


def test_only_whole_stacks_that_still_lie_there_may_be_taken() -> None:
    game = example_round()
    assert [game.may(5, cards) for cards in (1, 2, 3)] == [False, False, True]
    game.take(EMILIE, 5, cards=3)
    assert not game.may(5, 3)
    assert not game.may(6, 1)


def test_fans_and_the_stack_left_over_are_discarded_and_kiano_starts_the_next_round() -> None:
    game = example_round()
    for seat, value, cards in [(EMILIE, 5, 3), (KIANO, 2, 2), (SUKI, 8, 1), (SAMIR, 7, 1)]:
        game.take(seat, value, cards)
    # Two cards were left in the deck for the second reveal; then the discard pile, which held
    # the fans and the 4 that nobody took, became the deck.
    assert game.table.reshuffles == 1
    fans, left_over, deck = [4, 4, 4, 4, 4, 8, 1, 1], [4], [1, 1]
    lying = [card for stack in game.stacks for card in stack]
    assert sorted(lying + cards_left(game)) == sorted(fans + left_over + deck)
    assert (game.table.round_number, game.table.to_move) == (2, KIANO)


def cards_left(game: Position) -> list[int]:
    hidden = game.state.hidden
    start = int(hidden.next)
    return hidden.deck[start : start + int(game.table.deck_cards)].tolist()


# --- Grande Finale: what the six sides count -------------------------------------------------


def count_hand(rules_at, side, hand):
    return matching(rules_at[0], side, hand)


def counted(side: str, hand: Sequence[int], **options: object) -> int:
    """Cards of a hand that a side counts."""
    count = compiled(count_hand, RULES_AT, types.int64, types.uint64)
    return int(count(rules_of(2, options), SIDES.index(side) + 1, np.uint64(pile(hand))))


@pytest.mark.parametrize(
    ("side", "hand", "cards"),
    [
        ("III", [1, 2, 3, 3, 8, 8], 4),
        ("IV", [1, 4, 4, 4, 6, 7], 3),
        ("V", [2, 3, 3, 4, 8, 8], 3),
        ("VI", [4, 4, 5, 6, 8], 4),
    ],
)
def test_the_examples_printed_on_the_fans(side: str, hand: list[int], cards: int) -> None:
    assert counted(side, hand) == cards


@pytest.mark.parametrize("side", SIDES)
def test_an_empty_hand_counts_nothing(side: str) -> None:
    assert counted(side, []) == 0


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("value", range(1, 9))
def test_a_hand_of_one_value(side: str, value: int) -> None:
    """Sides I and II ask which value, IV takes the most frequent away, the others take all."""
    expected = {
        "I": 5 if value in (1, 2, 3) else 0,
        "II": 5 if value in (6, 7, 8) else 0,
        "IV": 0,
    }
    assert counted(side, [value] * 5) == expected.get(side, 5)


@pytest.mark.parametrize(
    ("side", "hand", "cards"),
    [
        ("I", [1, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8], 6),
        ("II", [1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 8], 6),
        ("III", [5, 1, 1, 2, 2, 3, 3], 4),  # a tie for the second value
        ("III", [8, 8, 8, 1, 2, 2], 5),
        ("III", [1, 1, 1, 2, 3, 3, 8, 8, 8, 8], 7),
        ("IV", [1, 1, 2, 2, 3], 3),  # a tie for the most
        ("IV", [1, 2, 3, 4, 5, 6, 7, 8], 7),
        ("V", [3, 3, 3], 3),  # lowest and highest at once
        ("V", [3, 4], 2),
        ("V", [1, 1, 5, 5, 5, 8], 3),
        ("VI", [1, 3, 5, 7, 7], 2),  # runs of one value: the one with most cards
        ("VI", [1, 2, 4, 4, 5, 5, 7, 8], 4),  # runs of two values
        ("VI", [1, 2, 3, 4, 5, 6, 7, 8, 8], 9),
        ("VI", [6, 7, 8, 8, 1, 2], 4),  # a run that ends at 8
        ("VI", [8, 1, 1], 2),  # 8 and 1 are no neighbours
    ],
)
def test_what_else_the_sides_count(side: str, hand: list[int], cards: int) -> None:
    assert counted(side, hand) == cards


def test_side_vi_takes_the_longest_run_or_by_option_the_fullest() -> None:
    hand = [1, 2, 3, 5, 5, 5, 5]
    assert counted("VI", hand) == 3
    assert counted("VI", hand, finale_run="fullest") == 4
    assert counted("VI", [1, 1, 2, 2, 4, 5, 6], finale_run="fullest") == 4


# --- Grande Finale: who wins its medals ------------------------------------------------------


def finale(
    side: str,
    hands: Sequence[Sequence[int]],
    *,
    points: Sequence[int] = (0, 0, 0, 0, 0),
    best_medal: Sequence[int] = (0, 0, 0, 0, 0),
    **options: object,
) -> Any:
    """Outcome of a game that ends with these hands and medals."""
    game = Position(hands, discard=[1] * 5, finale=side, **options)
    game.table.points[: len(hands)] = points[: len(hands)]
    game.table.best_medal[: len(hands)] = best_medal[: len(hands)]
    return game.finish()


def finale_points(*args: Any, **more: Any) -> list[int]:
    return column("finale_points", finale(*args, **more), len(args[1]))


def column(name: str, outcome: Any, players: int) -> list[int]:
    return outcome.seats[name][:players].tolist()


def test_the_example_on_side_i_gives_gold_to_samir_and_silver_to_two() -> None:
    hands = [[1, 2, 5, 8], [2, 2, 2, 7, 7, 7, 7], [1, 1, 1], [2, 2, 3, 3, 3]]
    outcome = finale("I", hands)
    assert column("finale_cards", outcome, 4) == [2, 3, 3, 5]
    assert column("finale_points", outcome, 4) == [0, 10, 10, 20]


def test_all_who_tie_for_first_win_gold_and_the_next_count_still_wins_silver() -> None:
    assert finale_points("I", [[1, 1], [2, 3], [1], [8]]) == [20, 20, 10, 0]


def test_all_who_tie_for_second_win_silver() -> None:
    assert finale_points("II", [[6], [7, 8], [8], [7], [1]]) == [10, 20, 10, 10, 0]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_if_all_tie_for_first_all_win_gold_and_nobody_silver(players: int) -> None:
    assert finale_points("I", [[1, 2]] * players) == [20] * players


def test_a_hand_that_counts_nothing_may_win_silver() -> None:
    assert finale_points("I", [[1], [8, 8, 8]]) == [20, 10]
    assert finale_points("I", [[1], [8], []]) == [20, 10, 10]


def test_without_finale_zero_a_hand_that_counts_nothing_wins_nothing() -> None:
    assert finale_points("I", [[1], [8, 8, 8]], finale_zero=False) == [20, 0]
    assert finale_points("I", [[8], [1, 2], [], [3]], finale_zero=False) == [0, 20, 0, 10]


def test_if_no_hand_counts_anything_all_win_gold_or_by_option_nobody_wins() -> None:
    assert finale_points("II", [[1], [], [5, 5]]) == [20, 20, 20]
    assert finale_points("II", [[1], [], [5, 5]], finale_zero=False) == [0, 0, 0]


def test_the_medals_of_the_finale_are_worth_what_the_options_say() -> None:
    hands = [[1], [1, 1], []]
    assert finale_points("I", hands, finale_gold=7, finale_silver=9) == [9, 7, 0]


# --- Who wins --------------------------------------------------------------------------------


def shares_and_ranks(outcome: Any, players: int) -> tuple[list[int], list[int]]:
    return column("win_share", outcome, players), column("rank", outcome, players)


def test_most_points_win_medals_and_finale_together() -> None:
    outcome = finale("I", [[1], [2, 2], [8]], points=[25, 14, 33], best_medal=[18, 8, 16])
    assert column("points", outcome, 3) == [35, 34, 33]
    assert shares_and_ranks(outcome, 3) == ([60, 0, 0], [1, 2, 3])
    assert outcome.finale_changed_winner == 1


def test_equal_points_the_highest_single_round_medal_wins() -> None:
    """Seat 2 gets 20 of its 40 points from the finale; its golden finale medal is no tie-break."""
    outcome = finale("I", [[8], [8], [1]], points=[30, 30, 20], best_medal=[14, 16, 12])
    assert column("points", outcome, 3) == [40, 40, 40]
    assert shares_and_ranks(outcome, 3) == ([0, 60, 0], [2, 1, 3])
    assert outcome.shared_win == 0


def test_equal_points_and_equal_highest_medals_share_the_win() -> None:
    outcome = finale("I", [[8], [8], [8], [8]], points=[30, 30, 30, 29], best_medal=[9, 9, 8, 18])
    assert shares_and_ranks(outcome, 4) == ([30, 30, 0, 0], [1, 1, 3, 4])
    assert outcome.shared_win == 1


@pytest.mark.parametrize("winners", [1, 2, 3, 4, 5])
def test_a_win_is_shared_in_equal_parts(winners: int) -> None:
    points = [50] * winners + [40] * (5 - winners)
    outcome = finale("I", [[8]] * 5, points=points)
    losers = 5 - winners
    assert shares_and_ranks(outcome, 5) == (
        [60 // winners] * winners + [0] * losers,
        [1] * winners + [1 + winners] * losers,
    )


def test_a_point_more_beats_the_highest_medal() -> None:
    outcome = finale("I", [[8], [8]], points=[31, 30], best_medal=[1, 1000])
    assert shares_and_ranks(outcome, 2) == ([60, 0], [1, 2])


def test_the_finale_may_leave_the_winner_as_it_was() -> None:
    outcome = finale("I", [[1], [8]], points=[31, 30])
    assert outcome.finale_changed_winner == 0


def test_the_finale_changes_the_winner_if_it_parts_or_joins_those_in_the_lead() -> None:
    parted = finale("I", [[1], [8]], points=[30, 30], best_medal=[9, 9])
    assert shares_and_ranks(parted, 2) == ([60, 0], [1, 2])
    assert parted.finale_changed_winner == 1
    joined = finale("I", [[1], [8]], points=[20, 30], best_medal=[9, 9])
    assert shares_and_ranks(joined, 2) == ([30, 30], [1, 1])
    assert joined.finale_changed_winner == 1

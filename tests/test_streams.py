"""Chance: the generator's known answers, exact bounds, fair shuffles, and streams kept apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from numba import types
from scipy import stats

from simlab.compiled import INTERPRETED, kernel, rule
from simlab.contract import Policy, policy
from simlab.counters import cards_of
from simlab.engine import Matchup, Room, array_of, trace_type
from simlab.experiments.seating import seatings
from simlab.games.fantastique import GAME
from simlab.policies import read_policies
from simlab.policies.fantastique import greedy
from simlab.replaying import Replayer, Traced
from simlab.streams import (
    DICE,
    LANES,
    MOST_LUCK,
    POLICY,
    SCRATCH,
    SEATING,
    SETUP,
    SHUFFLE,
    STREAM,
    WORDS,
    below,
    open_stream,
    purpose_of,
    refill,
    shuffle,
    uniform,
    word,
)

Stream = npt.NDArray[Any]
"""An array of one stream record, as kernels take it."""

ALPHA = 1e-6
LARGEST = 2**64 - 1
SEEDS = (0, 1, 2**32, LARGEST)
TABLE_SEED = 77
WASTED = 41
"""Words that a wasteful policy draws for nothing: no multiple of a block, more than a room."""
WORD, WORDS_OUT, WHOLE = types.uint64, types.uint64[::1], types.int64[::1]
KNOWN = {
    "zeros": ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    "ones": ((2**32 - 1,) * 4, (2**32 - 1,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    "pi": (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
}
"""Counter, key and the four words of the generator's authors."""


def many(number: int) -> int:
    """So many draws, or a fiftieth of them where the compiler is off."""
    return number // 50 if INTERPRETED else number


# --- Kernels --------------------------------------------------------------------------------


def start(stream_at, seed, deal, purpose):  # type: ignore[no-untyped-def]
    open_stream(stream_at[0], seed, deal, purpose)
    return 0


def compute_blocks(stream_at):  # type: ignore[no-untyped-def]
    refill(stream_at[0])
    return 0


def draw_words(stream_at, drawn):  # type: ignore[no-untyped-def]
    for place in range(len(drawn)):
        drawn[place] = word(stream_at[0])
    return 0


def draw_below(stream_at, n, drawn):  # type: ignore[no-untyped-def]
    for place in range(len(drawn)):
        drawn[place] = below(stream_at[0], n)
    return 0


def draw_uniform(stream_at, drawn):  # type: ignore[no-untyped-def]
    for place in range(len(drawn)):
        drawn[place] = uniform(stream_at[0])
    return 0


def shuffle_once(stream_at, cards, number):  # type: ignore[no-untyped-def]
    shuffle(stream_at[0], cards, number)
    return 0


def first_words(stream_at, seeds, deals, purposes, firsts):  # type: ignore[no-untyped-def]
    """First 64 bits of the stream of every combination."""
    found = 0
    for seed in seeds:
        for deal in deals:
            for purpose in purposes:
                open_stream(stream_at[0], seed, deal, purpose)
                high = word(stream_at[0]) << np.uint64(32)
                firsts[found] = high | word(stream_at[0])
                found += 1
    return found


def deck_orders(stream_at, cards, orders):  # type: ignore[no-untyped-def]
    """Shuffle the same cards once for each row."""
    for row in range(len(orders)):
        orders[row] = cards
        shuffle(stream_at[0], orders[row], len(cards))
    return 0


def wrong_orders(stream_at, cards, orders):  # type: ignore[no-untyped-def]
    """A common mistake: every card swaps with any card, which favours some orders."""
    for row in range(len(orders)):
        orders[row] = cards
        for place in range(len(cards)):
            other = below(stream_at[0], len(cards))
            orders[row, place], orders[row, other] = orders[row, other], orders[row, place]
    return 0


@cache
def compiled(text: Callable[..., int], *arguments: Any) -> Callable[..., int]:
    """A kernel that works on one stream, compiled when the first test asks for it."""
    return kernel(text, types.int64(array_of(STREAM), *arguments), keep=False)


# --- Streams, as the tests want them --------------------------------------------------------


def stream_of(seed: int, deal: int = 0, purpose: int = 0) -> Stream:
    stream = np.zeros(1, STREAM)
    begin = compiled(start, WORD, WORD, WORD)
    begin(stream, np.uint64(seed), np.uint64(deal), np.uint64(purpose))
    return stream


def waiting(*words: int) -> Stream:
    """A stream whose next words are the given ones, in the order in which they are drawn."""
    stream = stream_of(3)
    compiled(compute_blocks)(stream)
    for place, one in enumerate(words):
        stream[0]["words"][LANES * (place % 4) + place // 4] = one
    return stream


def words_from(stream: Stream, number: int) -> list[int]:
    drawn = np.zeros(number, np.uint64)
    compiled(draw_words, WORDS_OUT)(stream, drawn)
    return [int(one) for one in drawn]


def numbers_below(stream: Stream, n: int, number: int) -> npt.NDArray[np.int64]:
    drawn = np.zeros(number, np.int64)
    compiled(draw_below, types.int64, WHOLE)(stream, n, drawn)
    return drawn


def floats_from(stream: Stream, number: int) -> npt.NDArray[np.float64]:
    drawn = np.zeros(number)
    compiled(draw_uniform, types.float64[::1])(stream, drawn)
    return drawn


def shuffled(stream: Stream, cards: list[int], number: int) -> list[int]:
    room = np.array(cards, np.int64)
    compiled(shuffle_once, WHOLE, types.int64)(stream, room, number)
    return [int(card) for card in room]


def orders_of(
    stream: Stream, n: int, number: int, how: Callable[..., int] = deck_orders
) -> npt.NDArray[np.uint8]:
    """Shuffle n different cards so many times: a row for each."""
    orders = np.zeros((number, n), np.uint8)
    cards = np.arange(n, dtype=np.uint8)
    compiled(how, types.uint8[::1], types.uint8[:, ::1])(stream, cards, orders)
    return orders


def philox(counter: tuple[int, ...], key: tuple[int, int]) -> list[int]:
    """The generator once more, in Python's whole numbers and from its published description."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c0, 2**32)
        high2, low2 = divmod(0xCD9E8D57 * c2, 2**32)
        c0, c1, c2, c3 = high2 ^ c1 ^ k0, low2, high0 ^ c3 ^ k1, low0
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return [c0, c1, c2, c3]


def expected_words(seed: int, deal: int, purpose: int, blocks: int) -> list[int]:
    low, high = deal % 2**32, deal >> 32
    key = (seed % 2**32, seed >> 32)
    return [one for b in range(blocks) for one in philox((b, low, high, purpose), key)]


def even(counts: npt.NDArray[np.int64]) -> bool:
    """Whether equal chances explain the counts (chi-square at `ALPHA`)."""
    return bool(stats.chisquare(counts).pvalue > ALPHA)


def order_counts(orders: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """How often each of the n! orders came, those that never came included."""
    n = orders.shape[1]
    numbers = orders.astype(np.int64) @ (n ** np.arange(n))
    seen = np.unique(numbers, return_counts=True)[1]
    return np.pad(seen, (0, factorial(n) - len(seen)))


# --- The generator --------------------------------------------------------------------------


@pytest.mark.parametrize("name", KNOWN)
def test_the_first_block_is_the_known_answer(name: str) -> None:
    """The counter is block, deal low, deal high, purpose; the key is the seed, low word first."""
    (block, low, high, purpose), (key_low, key_high), answer = KNOWN[name]
    stream = stream_of(key_high << 32 | key_low, high << 32 | low, purpose)
    stream[0]["block"] = block
    compiled(compute_blocks)(stream)
    assert [f"{int(stream[0]['words'][LANES * n]):08x}" for n in range(4)] == answer.split()


@pytest.mark.parametrize("name", KNOWN)
def test_the_reference_gives_the_known_answer(name: str) -> None:
    counter, key, answer = KNOWN[name]
    assert [f"{one:08x}" for one in philox(counter, key)] == answer.split()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("deal", [0, 1, 2**32 - 1, 2**32, 2**63 - 1, LARGEST])
@pytest.mark.parametrize("purpose", [0, POLICY + 256 * 4, 2**32 - 1])
def test_words_come_block_by_block_in_order(seed: int, deal: int, purpose: int) -> None:
    """Over several refills, no word is skipped or drawn twice."""
    blocks = 3 * LANES + 2
    drawn = words_from(stream_of(seed, deal, purpose), 4 * blocks)
    assert drawn == expected_words(seed, deal, purpose, blocks)


def test_a_refill_lays_first_words_side_by_side_then_second_words() -> None:
    stream = stream_of(5, 6, 7)
    compiled(compute_blocks)(stream)
    by_block = np.array(expected_words(5, 6, 7, LANES), np.uint64).reshape(LANES, 4)
    assert stream[0]["words"].tolist() == by_block.T.ravel().tolist()
    assert (int(stream[0]["block"]), int(stream[0]["used"])) == (LANES, 0)


def test_an_opened_stream_starts_at_its_first_word_whatever_was_drawn_before() -> None:
    stream = stream_of(5, 6, 7)
    words_from(stream, WORDS + 3)
    compiled(start, WORD, WORD, WORD)(stream, np.uint64(8), np.uint64(9), np.uint64(10))
    assert words_from(stream, 8) == expected_words(8, 9, 10, 2)


@pytest.mark.skipif(INTERPRETED, reason="only the compiler infers types")
def test_draws_have_the_types_that_rules_count_on() -> None:
    """An unsigned number that meets a signed one would turn into a float without a word."""
    drawn = stream_of(1)
    numbers_below(drawn, 5, 1)
    floats_from(drawn, 1)
    rules: tuple[Any, ...] = (word, below, uniform)
    returned = {
        rule.__name__: {str(found.return_type) for found in rule.nopython_signatures}
        for rule in rules
    }
    assert returned == {"word": {"uint64"}, "below": {"int64"}, "uniform": {"float64"}}


# --- Streams kept apart ---------------------------------------------------------------------


def test_first_words_differ_over_a_million_streams() -> None:
    """64 bits each: even one pair that meets by chance has odds of 1 in 37 million."""
    each = 20 if INTERPRETED else 100
    near = [0, 1, 2, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**63, LARGEST - 1, LARGEST]
    seeds = np.array(near + list(range(3, 3 + each - len(near))), np.uint64)
    deals = seeds[::-1].copy()
    kinds = (SHUFFLE, SETUP, DICE, POLICY, SEATING)
    packed = [kind + 256 * i + 65536 * n for kind, i, n in product(kinds, range(5), range(4))]
    purposes = np.array(packed[:each], np.uint64)
    firsts = np.zeros(each**3, np.uint64)
    assert compiled(first_words, *[WORDS_OUT] * 4)(
        np.zeros(1, STREAM), seeds, deals, purposes, firsts
    ) == len(firsts)
    assert len(np.unique(firsts)) == len(firsts)


def test_every_kind_seat_and_count_is_a_purpose_of_its_own_below_2_to_the_32() -> None:
    kinds = (SHUFFLE, SETUP, DICE, POLICY, SEATING, SCRATCH)
    ends = (0, 1, 2, 4, 127, 128, 254, 255)
    counts = (*ends, 256, MOST_LUCK - 1, MOST_LUCK)
    found = [int(purpose_of(*parts)) for parts in product(kinds, ends, counts)]
    assert len(set(found)) == len(found)
    assert 0 < min(found) <= max(found) < 2**32


# --- Bounded draws --------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 7, 100])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_number_below_n_comes_equally_often(n: int, seed: int) -> None:
    drawn = numbers_below(stream_of(seed, 1, POLICY), n, many(500_000))
    counts = np.bincount(drawn, minlength=n)
    assert len(counts) == n
    assert even(counts)


def test_below_1_there_is_only_0_and_every_draw_takes_one_word() -> None:
    stream = waiting(0, 1, 2**31, 2**32 - 1)
    assert numbers_below(stream, 1, 4).tolist() == [0, 0, 0, 0]
    assert int(stream[0]["used"]) == 4


def test_a_number_below_2_to_the_32_is_the_word_itself() -> None:
    drawn = numbers_below(stream_of(9), 2**32, 4 * WORDS)
    assert drawn.tolist() == expected_words(9, 0, 0, WORDS)


@pytest.mark.parametrize("shift", [0, 8, 16, 24])
def test_every_byte_of_a_word_is_even(shift: int) -> None:
    drawn = numbers_below(stream_of(9, 2), 2**32, many(500_000))
    assert even(np.bincount((drawn >> shift) & 255, minlength=256))


def test_a_bound_that_fits_badly_favours_nothing() -> None:
    """Of 2**32 words a quarter must be refused; kept, they double every third number."""
    drawn = numbers_below(stream_of(10), 3 * 2**30, many(500_000))
    assert drawn.min() >= 0
    assert drawn.max() < 3 * 2**30
    assert even(np.bincount(drawn % 3, minlength=3))
    assert even(np.bincount(drawn >> 26, minlength=48))


@pytest.mark.parametrize("n", [3, 7, 100, 3 * 2**30])
def test_a_word_is_refused_exactly_where_it_would_favour_a_number(n: int) -> None:
    """Of the words that fall just behind a number's first, 2**32 mod n are too many."""
    spare = 2**32 % n
    for result in {0, 1, n // 2, n - 1}:
        lowest = -(-(result * 2**32) // n)  # first word that would give this number
        behind = lowest * n - result * 2**32
        drawn = numbers_below(waiting(lowest, 2**32 - 1), n, 1)
        assert drawn[0] == (n - 1 if behind < spare else result)


def test_several_refused_words_in_a_row_are_all_passed_over() -> None:
    """0 is refused below 3, also when it is the last word of a block."""
    stream = waiting(0, 0, 0, 0, 0, 2**31, 0, 2**32 - 1)
    assert numbers_below(stream, 3, 2).tolist() == [1, 2]
    assert int(stream[0]["used"]) == 8


def test_a_power_of_two_refuses_no_word() -> None:
    assert numbers_below(waiting(0, 1, 2**32 - 1), 8, 3).tolist() == [0, 0, 7]


# --- Floats ---------------------------------------------------------------------------------


def test_floats_lie_in_0_to_1_evenly() -> None:
    drawn = floats_from(stream_of(11), many(500_000))
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    assert stats.kstest(drawn, "uniform").pvalue > ALPHA
    finest = np.mod(drawn * 2**53, 256).astype(np.int64)
    assert even(np.bincount(finest, minlength=256)), "the last of 53 bits are even, too"


def test_the_ends_of_the_floats_are_0_and_just_below_1() -> None:
    top = 2**32 - 1
    assert floats_from(waiting(0, 0, top, top), 2).tolist() == [0.0, 1.0 - 2.0**-53]


def test_a_float_takes_27_bits_of_one_word_and_26_of_the_next() -> None:
    assert floats_from(waiting(2**31, 2**6), 1)[0] == 0.5 + 2.0**-53
    assert floats_from(waiting(2**5 - 1, 2**6 - 1), 1)[0] == 0.0


# --- Shuffles -------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 4, 5, 6])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_order_of_a_few_cards_is_equally_likely(n: int, seed: int) -> None:
    """Four cards and fewer are drawn one by one, five and six four at a time."""
    orders = orders_of(stream_of(seed, 3, SHUFFLE), n, many(400_000))
    assert even(order_counts(orders))


@pytest.mark.parametrize("n", [3, 4, 5])
def test_a_common_mistake_would_not_pass_as_even(n: int) -> None:
    """The number of shuffles that the test above makes at least is enough to catch it."""
    orders = orders_of(stream_of(0, 3, SHUFFLE), n, 8000, wrong_orders)
    assert not even(order_counts(orders))


def test_every_card_of_a_hundred_comes_to_every_place_equally_often() -> None:
    """Counts of card by place, whose rows and columns have fixed sums: 99 times 99 are free."""
    n, times = 100, many(200_000)
    orders = orders_of(stream_of(12), n, times)
    cells = np.arange(n) * n + orders
    counts = np.bincount(cells.ravel(), minlength=n * n)
    expected = times / n
    statistic = float(((counts - expected) ** 2).sum() / expected * (n - 1) / n)
    assert stats.chi2.sf(statistic, (n - 1) ** 2) > ALPHA
    assert stats.chi2.cdf(statistic, (n - 1) ** 2) > ALPHA, "too even to be chance"


@pytest.mark.parametrize(("place", "other"), [(99, 98), (99, 97), (98, 96), (97, 96), (96, 95)])
def test_places_drawn_from_one_word_do_not_depend_on_each_other(place: int, other: int) -> None:
    """Tens of the cards in two places of a hundred: only 90 of 9,900 pairs share their ten."""
    orders = orders_of(stream_of(13), 100, many(400_000))
    pairs = 10 * (orders[:, place] // 10).astype(np.int64) + orders[:, other] // 10
    counts = np.bincount(pairs, minlength=100)
    chances = (100 - 10 * np.eye(10)).ravel() / 9900
    assert stats.chisquare(counts, chances * len(orders)).pvalue > ALPHA


def test_a_shuffle_of_0_to_260_cards_keeps_every_card_and_touches_no_other() -> None:
    stream = stream_of(14)
    behind = [-1, -2, -3, -4, -5]
    for n in range(261):
        cards = shuffled(stream, [*range(n), *behind], n)
        assert sorted(cards[:n]) == list(range(n))
        assert cards[n:] == behind


@pytest.mark.parametrize("n", [255, 256])
def test_large_decks_are_even_where_the_ways_of_drawing_meet(n: int) -> None:
    """Up to 255 cards four places come from a word, above that one."""
    orders = orders_of(stream_of(15), n, many(100_000))
    for place in (0, n // 2, n - 5, n - 4, n - 2, n - 1):
        assert even(np.bincount(orders[:, place], minlength=n))


@pytest.mark.parametrize("n", [5, 100, 255])
def test_a_refused_word_moves_no_card(n: int) -> None:
    """2**32 has 0 and a few other words too many, so 0 is passed over."""
    refusing, straight = waiting(0), waiting(0)
    straight[0]["used"] = 1
    cards = list(range(n))
    assert shuffled(refusing, cards, n) == shuffled(straight, cards, n)
    assert refusing.tobytes() == straight.tobytes()


def test_every_order_of_five_cards_has_as_many_words() -> None:
    """A word gives one of 120 orders; the 2**32 mod 120 words too many are refused."""
    cards, orders = [0, 1, 2, 3, 4], set()
    for place in range(120):
        lowest, end = (-(-(n * 2**32) // 120) for n in (place, place + 1))
        stream = waiting(lowest)
        shuffled(stream, cards, 5)
        refused = lowest * 120 - place * 2**32 < 2**32 % 120
        assert int(stream[0]["used"]) == (2 if refused else 1)
        first, last = (shuffled(waiting(one), cards, 5) for one in (lowest + 1, end - 1))
        assert first == last
        orders.add(tuple(first))
    assert len(orders) == 120


# --- Policies, decks and seats --------------------------------------------------------------


play_greedily = rule(greedy.function)


@policy(GAME)
def wasteful(rules, table, own, moves, weights, rng):  # type: ignore[no-untyped-def]
    """Plays like greedy, and draws numbers for nothing."""
    for _ in range(WASTED):
        word(rng)
    return play_greedily(rules, table, own, moves, weights, rng)


WASTEFUL = replace(wasteful, source=Path(__file__))
"""As if from a user's file, so that its machine code is not kept."""
RESHUFFLED = {"deck": (8, 8, 8, 8, 8, 8, 8, 8)}
"""64 cards, 40 of them dealt to four: the deck runs out in every game."""


def table_of(*seated: Policy | str) -> Matchup:
    """Four seats, by policy or by name, and a deck that is reshuffled in every game."""
    found = [read_policies(GAME, [one] * 4)[0] if isinstance(one, str) else one for one in seated]
    return Matchup(GAME, found, RESHUFFLED)


def traced_games(matchup: Matchup, luck: int = 0) -> list[Traced]:
    replayer = Replayer(matchup, TABLE_SEED, luck)
    games = [replayer.trace(deal) for deal in range(many(200))]
    assert all(game.outcome.reshuffles > 0 for game in games)
    return games


def same_course(game: Traced, other: Traced) -> bool:
    """Equal decks, hands, tables and moves before every decision, and equal results."""
    return (
        game.rows["state"].tobytes() == other.rows["state"].tobytes()
        and game.rows["move"].tolist() == other.rows["move"].tolist()
        and game.outcome.tobytes() == other.outcome.tobytes()
    )


def test_a_policy_that_draws_more_changes_no_deck_and_no_number_of_other_seats() -> None:
    """Seats 1 and 3 draw lots; seat 0 plays alike, with many numbers or without any."""
    games = traced_games(table_of("greedy", "random", "greedy", "random"))
    others = traced_games(table_of(WASTEFUL, "random", "greedy", "random"))
    for game, other in zip(games, others, strict=True):
        assert same_course(game, other)
        elsewhere = game.rows["seat"] > 0
        assert game.rows["stream"][elsewhere].tobytes() == other.rows["stream"][elsewhere].tobytes()
        at_the_end = game.rows[-1].stream, other.rows[-1].stream  # of seat 0
        assert at_the_end[0].tobytes() != at_the_end[1].tobytes()


@pytest.mark.parametrize("luck", [1, MOST_LUCK])
def test_luck_gives_the_policies_other_numbers_and_changes_no_deck(luck: int) -> None:
    matchup = table_of(*[WASTEFUL] * 4)
    for game, other in zip(traced_games(matchup), traced_games(matchup, luck), strict=True):
        assert same_course(game, other), "nothing but the policies' numbers depends on luck"
        for row, lucky in zip(game.rows[4:-1], other.rows[4:-1], strict=True):
            assert not np.intersect1d(row.stream.words, lucky.stream.words).size


def test_luck_deals_the_same_cards_to_policies_that_then_play_otherwise() -> None:
    matchup = table_of("random", "random", "random", "random")
    pairs = list(zip(traced_games(matchup), traced_games(matchup, 1), strict=True))
    for game, other in pairs:
        assert game.rows[0].state.tobytes() == other.rows[0].state.tobytes()
    assert all(game.rows["move"].tolist() != other.rows["move"].tolist() for game, other in pairs)


def test_every_seat_draws_from_the_stream_of_its_own_purpose() -> None:
    for deal, game in enumerate(traced_games(table_of(*[WASTEFUL] * 4), luck=5)[:10]):
        for seat in range(4):
            asked = game.rows[game.rows["seat"] == seat]
            drawn = [n for row in asked for n in words_from(np.array([row.stream]), WASTED)]
            purpose = purpose_of(POLICY, seat, 5)
            expected = expected_words(TABLE_SEED, deal, purpose, len(drawn) // 4 + 1)
            assert drawn == expected[: len(drawn)]


def test_the_deck_of_a_deal_is_the_same_whatever_the_rotation() -> None:
    """A room that stops after its first, second, ... rotation shows where each one started."""
    matchup = Matchup(GAME, read_policies(GAME, ["greedy", "random", "miser", "balanced"]), {})
    turns = seatings("rotate", matchup.seating)
    trace = np.zeros(GAME.max_decisions + 1, trace_type(GAME))
    outcomes = np.zeros(len(turns), GAME.outcome)
    for deal in range(3 if INTERPRETED else 20):
        starts = set()
        for rotations in range(1, len(turns) + 1):
            Room(matchup, turns[:rotations], TABLE_SEED).play(deal, 1, outcomes, trace=trace)
            assert outcomes[rotations - 1]["rotation"] == rotations - 1
            starts.add(trace[0]["state"].tobytes())
        assert len(starts) == 1


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("deal", [0, 1, 2**32, 2**63 - 1])
def test_the_deck_and_the_hands_come_from_the_shuffling_stream_of_the_deal(
    seed: int, deal: int
) -> None:
    matchup = Matchup(GAME, read_policies(GAME, ["5xgreedy"]), {})
    state = Replayer(matchup, seed).trace(deal).rows[0].state
    ordered = np.repeat(np.arange(1, 9), (16, 15, 14, 13, 12, 11, 10, 9)).tolist()
    deck = shuffled(stream_of(seed, deal, purpose_of(SHUFFLE, 0, 0)), ordered, 100)
    assert state.hidden.deck[:100].tolist() == deck
    for seat in range(5):
        hand = deck[10 * seat : 10 * seat + 10]
        assert cards_of(state.seats[seat].hand) == sorted(hand)


def test_every_reshuffle_has_a_stream_of_its_own() -> None:
    """A tiny deck is shuffled again and again; each order is the one of its count."""
    options = {"deck": (3, 3, 3, 3, 3, 3, 3, 3), "hand": 2, "rounds": 7}
    replayer = Replayer(Matchup(GAME, read_policies(GAME, ["3xrandom"]), options), TABLE_SEED)
    checked = 0
    for deal in range(many(500)):
        for before, after in pairwise(replayer.trace(deal).rows["state"]):
            count = int(after.table.reshuffles)
            if count == int(before.table.reshuffles):
                continue
            cards = int(after.hidden.next + after.table.deck_cards)
            deck = after.hidden.deck[:cards].tolist()
            stream = stream_of(TABLE_SEED, deal, purpose_of(SHUFFLE, 0, count))
            assert shuffled(stream, sorted(deck), cards) == deck
            checked += count > 1
    assert checked > 5

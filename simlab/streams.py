"""Where chance comes from: numbered streams that no worker, batch or machine can shift.

Philox 4x32-10 turns (key, counter) into four 32-bit words. The key is the seed; the counter is
(block, deal low, deal high, purpose), so that each purpose of each deal has a stream of its own
and a policy that draws more cannot change a deck.

References
----------
J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3"
(SC 2011): the generator and its constants.
N. Brackett-Rozinsky, D. Lemire, "Batched ranged random integer generation" (2024): several
bounded draws from one word by multiply-and-reject, exactly uniform.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, record_type, rule

LANES = 8
"""Blocks that are computed side by side (a compiler turns them into one vector)."""
WORDS = 4 * LANES

STREAM = record_type(
    [
        ("seed", np.uint64),  # key of the generator
        ("deal", np.uint64),  # number of the deal, counted from 0
        ("purpose", np.uint64),  # what the numbers are for, below 2**32
        ("block", np.uint64),  # next block of four words
        ("used", np.int64),  # words of the room below that have been drawn
        ("words", np.uint64, (WORDS,)),  # 32-bit words, waiting; see `refill`
    ]
)

# Purposes: a kind in the lowest byte, above it 8 bits of seat or deck and 16 bits of count.
SHUFFLE = 1  # a deck: index = which deck, count = how often it was reshuffled
SETUP = 2  # what is drawn before the first move, such as a random fan side
DICE = 3  # dice: index = the seat that rolls
POLICY = 4  # a policy's own numbers: index = its seat, count = luck
SEATING = 5  # who sits where
SCRATCH = 6  # imagined worlds of a checker: never a game's own chance

MOST_LUCK = 65535

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
MULTIPLIER_0 = np.uint64(0xD2511F53)
MULTIPLIER_1 = np.uint64(0xCD9E8D57)
WEYL_0 = np.uint64(0x9E3779B9)
WEYL_1 = np.uint64(0xBB67AE85)
ROUNDS = 10


@rule
def purpose_of(kind: int, index: int, count: int) -> int:
    """Pack a kind of chance, its seat or deck (below 256) and a count (below 65,536)."""
    return kind + 256 * index + 65536 * count


@rule
def open_stream(stream: Record, seed: int, deal: int, purpose: int) -> None:
    """Set a stream to the first number that it has for this purpose."""
    stream.seed = np.uint64(seed)
    stream.deal = np.uint64(deal)
    stream.purpose = np.uint64(purpose)
    stream.block = np.uint64(0)
    stream.used = WORDS


@rule
def refill(stream: Record) -> None:
    """Compute the next blocks of four words.

    Side by side they cost hardly more than one alone. The first words of all blocks lie next to
    each other, then all second words, and so on, so that they are written as vectors.
    """
    words = stream.words
    key_low, key_high = stream.seed & LOW, stream.seed >> HALF
    deal_low, deal_high = stream.deal & LOW, stream.deal >> HALF
    first, purpose = stream.block, stream.purpose
    # Written out here, not as a function: only a plain loop in a loop becomes vectors.
    for lane in range(LANES):
        c0, c1, c2, c3 = (first + np.uint64(lane)) & LOW, deal_low, deal_high, purpose
        k0, k1 = key_low, key_high
        for _ in range(ROUNDS):
            p0 = MULTIPLIER_0 * c0
            p1 = MULTIPLIER_1 * c2
            c0 = (p1 >> HALF) ^ c1 ^ k0
            c1 = p1 & LOW
            c2 = (p0 >> HALF) ^ c3 ^ k1
            c3 = p0 & LOW
            k0 = (k0 + WEYL_0) & LOW
            k1 = (k1 + WEYL_1) & LOW
        words[lane] = c0
        words[LANES + lane] = c1
        words[2 * LANES + lane] = c2
        words[3 * LANES + lane] = c3
    stream.block = first + np.uint64(LANES)
    stream.used = 0


@rule
def word(stream: Record) -> int:
    """Draw the next 32-bit word, as a 64-bit unsigned integer."""
    if stream.used == WORDS:
        refill(stream)
    drawn = stream.used
    stream.used = drawn + 1
    return stream.words[LANES * (drawn & 3) + (drawn >> 2)]


@rule
def below(stream: Record, n: int) -> int:
    """Draw an integer from 0 to n - 1, each equally likely (n from 1 to 2**32)."""
    bound = np.uint64(n)
    product = word(stream) * bound
    if (product & LOW) < bound:
        # A fraction of (2**32 mod n) / 2**32 of the words would favour some results: draw again.
        threshold = (np.uint64(1) << HALF) % bound
        while (product & LOW) < threshold:
            product = word(stream) * bound
    return np.int64(product >> HALF)


@rule
def uniform(stream: Record) -> float:
    """Draw a float from [0, 1), a multiple of 2**-53."""
    high = np.int64(word(stream) >> np.uint64(5))
    low = np.int64(word(stream) >> np.uint64(6))
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)


@rule
def shuffle(stream: Record, cards: Record, number: int) -> None:
    """Put the first so many cards in random order, every order equally likely.

    Four places are drawn from one word while four factors fit below 2**32 (up to 255 cards).
    """
    left = np.uint64(number)  # cards not yet in place; unsigned, so that no index is negative
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    while np.uint64(255) >= left > four:
        x = word(stream) * left
        j0 = x >> HALF
        x = (x & LOW) * (left - one)
        j1 = x >> HALF
        x = (x & LOW) * (left - two)
        j2 = x >> HALF
        x = (x & LOW) * (left - three)
        j3 = x >> HALF
        product = left * (left - one) * (left - two) * (left - three)
        if (x & LOW) < product and (x & LOW) < (one << HALF) % product:
            continue
        cards[left - one], cards[j0] = cards[j0], cards[left - one]
        cards[left - two], cards[j1] = cards[j1], cards[left - two]
        cards[left - three], cards[j2] = cards[j2], cards[left - three]
        cards[left - four], cards[j3] = cards[j3], cards[left - four]
        left -= four
    while left > one:
        j = np.uint64(below(stream, left))
        cards[left - one], cards[j] = cards[j], cards[left - one]
        left -= one

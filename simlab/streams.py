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
"""Blocks that a shuffle computes side by side (a compiler turns them into one vector)."""
WORDS = 4 * LANES

STREAM = record_type(
    [
        ("seed", np.uint64),  # key of the generator
        ("deal", np.uint64),  # number of the deal, counted from 0
        ("purpose", np.uint64),  # what the numbers are for, below 2**32
        ("block", np.uint64),  # next block of four words
        ("used", np.int64),  # words of the room below that have been drawn
        ("filled", np.int64),  # words of the room below that have been computed
        ("words", np.uint64, (WORDS,)),  # 32-bit words, waiting
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
def philox(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    """Four 32-bit words (in 64-bit integers) for a counter and a key."""
    for _ in range(ROUNDS):
        p0 = MULTIPLIER_0 * c0
        p1 = MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (p1 >> HALF) ^ c1 ^ k0, p1 & LOW, (p0 >> HALF) ^ c3 ^ k1, p0 & LOW
        k0 = (k0 + WEYL_0) & LOW
        k1 = (k1 + WEYL_1) & LOW
    return c0, c1, c2, c3


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
    stream.used = 0
    stream.filled = 0


@rule
def refill(stream: Record, blocks: int) -> None:
    """Compute the next blocks into the room; words still waiting there are lost."""
    words = stream.words
    deal_low, deal_high = stream.deal & LOW, stream.deal >> HALF
    key_low, key_high = stream.seed & LOW, stream.seed >> HALF
    for lane in range(blocks):
        counter = (stream.block + np.uint64(lane)) & LOW
        w0, w1, w2, w3 = philox(counter, deal_low, deal_high, stream.purpose, key_low, key_high)
        words[4 * lane] = w0
        words[4 * lane + 1] = w1
        words[4 * lane + 2] = w2
        words[4 * lane + 3] = w3
    stream.block += np.uint64(blocks)
    stream.used = 0
    stream.filled = 4 * blocks


@rule
def word(stream: Record) -> int:
    """Draw the next 32-bit word, as a 64-bit unsigned integer."""
    if stream.used == stream.filled:
        refill(stream, 1)
    stream.used += 1
    return stream.words[stream.used - 1]  # type: ignore[no-any-return]


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
def shuffle(stream: Record, cards: Record, start: int, stop: int) -> None:
    """Put ``cards[start:stop]`` in random order, every order equally likely.

    Four places are drawn from one word while four factors fit below 2**32 (up to 255 cards).
    """
    last = stop - start - 1
    while last >= 4 and last < 255:
        if stream.used == stream.filled:
            refill(stream, LANES)
        b0, b1 = np.uint64(last + 1), np.uint64(last)
        b2, b3 = np.uint64(last - 1), np.uint64(last - 2)
        x = word(stream) * b0
        j0 = start + np.int64(x >> HALF)
        x = (x & LOW) * b1
        j1 = start + np.int64(x >> HALF)
        x = (x & LOW) * b2
        j2 = start + np.int64(x >> HALF)
        x = (x & LOW) * b3
        j3 = start + np.int64(x >> HALF)
        product = b0 * b1 * b2 * b3
        if (x & LOW) < product and (x & LOW) < (np.uint64(1) << HALF) % product:
            continue
        i = start + last
        cards[i], cards[j0] = cards[j0], cards[i]
        cards[i - 1], cards[j1] = cards[j1], cards[i - 1]
        cards[i - 2], cards[j2] = cards[j2], cards[i - 2]
        cards[i - 3], cards[j3] = cards[j3], cards[i - 3]
        last -= 4
    while last > 0:
        i, j = start + last, start + below(stream, last + 1)
        cards[i], cards[j] = cards[j], cards[i]
        last -= 1

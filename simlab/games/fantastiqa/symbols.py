"""Piles of symbols: how many of each of the nine some cards show, in one 64-bit word.

A creature is beaten by enough of its symbol, where two equal ones stand for one of any other; a
Quest takes nothing but what it asks for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simlab.compiled import Record, rule
from simlab.games.fantastiqa.records import ANY_SYMBOL, DOUBLED

KINDS_OF_SYMBOLS = 9
BITS = 7
"""Bits of each counter: nine of them fit, and none counts further than 127."""
FIELD = np.uint64(127)
LOW_SIX = np.uint64(sum(63 << (BITS * symbol) for symbol in range(KINDS_OF_SYMBOLS)))
ONES = np.uint64(sum(1 << (BITS * symbol) for symbol in range(KINDS_OF_SYMBOLS)))
TOP = np.uint64(BITS * (KINDS_OF_SYMBOLS - 1))
ONE = np.uint64(1)
PAIRED = 256
"""A card that counts as any one symbol, and counts twice, in a number of jokers."""


def pile_of_symbols(counts: Sequence[int]) -> int:
    """Pack nine counts, as the compiled rules see them."""
    return sum(int(number) << (BITS * symbol) for symbol, number in enumerate(counts))


def counts_of_symbols(pile: int) -> list[int]:
    """Unpack a pile of symbols."""
    return [(int(pile) >> (BITS * symbol)) & 127 for symbol in range(KINDS_OF_SYMBOLS)]


@rule
def symbols_of(rules: Record, card: int) -> int:
    """Symbols that a card shows; twice as many if it counts twice."""
    return rules.symbols[card % DOUBLED] << np.uint64(card // DOUBLED)


@rule
def jokers_of(rules: Record, card: int) -> int:
    """Symbols of any kind that a card stands for: `PAIRED` for two that have to be equal."""
    if rules.special[card % DOUBLED] != ANY_SYMBOL:
        return 0
    return 1 if card < DOUBLED else PAIRED


@rule
def number_of(pile: int, symbol: int) -> int:
    """How many of a symbol a pile has."""
    return np.int64((pile >> np.uint64(BITS * symbol)) & FIELD)


@rule
def number_in_all(pile: int) -> int:
    """How many symbols a pile has (below 128)."""
    return np.int64(((pile * ONES) >> TOP) & FIELD)


@rule
def strength_against(pile: int, jokers: int, symbol: int, wilds: int) -> int:
    """What symbols are worth against a creature: its own, and one for each pair of another."""
    own = number_of(pile, symbol)
    own += jokers % PAIRED + 2 * (jokers // PAIRED)
    if wilds == 0:
        return own
    pairs = number_in_all((pile >> ONE) & LOW_SIX)
    return own + pairs - number_of(pile, symbol) // 2


@rule
def missing(needs: int, pile: int, jokers: int) -> int:
    """How many symbols are lacking of those needed, jokers used as well as can be.

    A joker that counts twice fills two where two of a symbol are lacking, else one.
    """
    lacks, twos = 0, 0
    for symbol in range(KINDS_OF_SYMBOLS):
        lack = max(0, number_of(needs, symbol) - number_of(pile, symbol))
        lacks += lack
        twos += lack // 2
    filled = jokers % PAIRED + jokers // PAIRED + min(jokers // PAIRED, twos)
    return max(0, lacks - filled)

"""Eight counters in one 64-bit word: how many cards of each value 1 to 8 a pile holds.

A hand is copied, compared and summed in one instruction, and nothing is allocated. Each counter
is one byte, so no pile may hold more than 255 cards; a deck of at most 200 never does.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import rule

VALUES = 8
BYTE = np.uint64(255)
EVERY_BYTE_ONE = np.uint64(0x0101010101010101)
TOP_BYTE = np.uint64(56)


@rule
def count(pile: int, value: int) -> int:
    """Cards of a value (1 to 8) in a pile."""
    return np.int64((pile >> np.uint64(8 * (value - 1))) & BYTE)


@rule
def copies(value: int, number: int) -> int:
    """Pile of so many cards of one value; piles are added and taken away with + and -."""
    return np.uint64(number) << np.uint64(8 * (value - 1))


@rule
def total(pile: int) -> int:
    """Cards in a pile: the multiplication adds all eight bytes up in the highest one."""
    return np.int64((pile * EVERY_BYTE_ONE) >> TOP_BYTE)


def pile_of(counts: list[int]) -> int:
    """Pack eight counts, for value 1 first, as the compiled rules see them."""
    return sum(int(number) << (8 * place) for place, number in enumerate(counts))


def counts_of(pile: int) -> list[int]:
    """Unpack a pile into eight counts, value 1 first."""
    return [(int(pile) >> (8 * place)) & 255 for place in range(VALUES)]


def cards_of(pile: int) -> list[int]:
    """Unpack a pile into its cards' values, ascending."""
    return [place + 1 for place, number in enumerate(counts_of(pile)) for _ in range(number)]

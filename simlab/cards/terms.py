"""The vocabulary of effects: a cell such as ``combat +1; loot 1`` as named numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simlab.errors import unknown

NUMBER = re.compile(r"[+-]?\d{1,9}\Z")
MINUS_SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-"})
"""What spreadsheets like to write for a minus."""


@dataclass(frozen=True)
class Term:
    """One effect that a card may have.

    Attributes
    ----------
    words : str
        How it is written in a cell, apart from its number.
    field : str
        Name of the number that compiled rules read; a card without the effect has 0.
    meaning : str
        What it does, in one line.
    low, high : int
        Bounds of its number. Both 1: it is written without a number, and counts 1.
    """

    words: str
    field: str
    meaning: str
    low: int = 1
    high: int = 1

    @property
    def bare(self) -> bool:
        """Whether it is written without a number."""
        return self.low == self.high == 1

    @property
    def written(self) -> str:
        """How it is written in a cell: ``loot 1``, or with a sign where it may be negative."""
        if self.bare:
            return self.words
        return f"{self.words} {'+' if self.low < 0 else ''}N"

    @property
    def allowed(self) -> str:
        """What its number may be, in words."""
        return "no number" if self.bare else f"{self.low} to {self.high}"


def read_effects(terms: Sequence[Term], cell: str) -> dict[str, int]:
    """Read a cell of effects, separated by semicolons; the number stands before or behind.

    Parameters
    ----------
    terms : sequence of Term
        The vocabulary of the column.
    cell : str
        Such as ``combat +1; loot 1`` or ``+1 combat``; empty (or ``-``) for no effect.

    Returns
    -------
    dict
        Every term's field and number, 0 where the cell does not have it.

    Raises
    ------
    ValueError
        With what was expected, in one line.
    """
    found = {term.field: 0 for term in terms}
    known = {term.words: term for term in terms}
    for part in cell.translate(MINUS_SIGNS).split(";"):
        pieces = part.casefold().split()
        numbers = [piece for piece in pieces if NUMBER.match(piece)]
        words = " ".join(piece for piece in pieces if not NUMBER.match(piece))
        if not pieces or pieces == ["-"]:
            continue
        if words not in known:
            raise ValueError(str(unknown("effect", words or part.strip(), known)))
        term = known[words]
        if found[term.field]:
            raise ValueError(f"effect {words!r} stands twice")
        found[term.field] = _amount(term, numbers)
    return found


def _amount(term: Term, numbers: list[str]) -> int:
    if term.bare and not numbers:
        return 1
    if term.bare or len(numbers) != 1:
        raise ValueError(f"effect {term.words!r} is written {term.written!r}")
    amount = int(numbers[0])
    if not term.low <= amount <= term.high or amount == 0:
        raise ValueError(f"effect {term.words!r} takes {term.allowed}, got {amount}")
    return amount


def write_effects(terms: Sequence[Term], values: Mapping[str, int]) -> str:
    """The cell that `read_effects` reads these numbers from."""
    parts = []
    for term in terms:
        amount = values[term.field]
        if amount:
            sign = "+" if term.low < 0 < amount else ""
            parts.append(term.words if term.bare else f"{term.words} {sign}{amount}")
    return "; ".join(parts)

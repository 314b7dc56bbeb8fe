"""What a table of cards is made of: its file, its columns, and what each of them may hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from simlab.cards.terms import Term, read_effects, write_effects
from simlab.compiled import record_type
from simlab.errors import unknown

MOST_CARDS = 64
"""Most cards of one table, copies counted: the rooms of the compiled rules are that large."""
LONGEST = 120
"""Most letters of a cell of text."""
PROVENANCES = ("rulebook", "public", "reconstructed")
"""Where a card's numbers are from: printed in the rules, told in public, or made to fit."""
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,15}\Z")
COMMON = ("id", "name", "copies", "provenance", "note")
"""Columns of every table; ``note`` may be empty or left out."""


@dataclass(frozen=True)
class Column:
    """One column of numbers, words or effects; made by `number`, `word` or `effects`.

    Attributes
    ----------
    name, meaning : str
    low, high : int
        Bounds of a number.
    words : tuple of str
        Words that the cell may hold; compiled rules see the place of the word.
    terms : tuple of Term
        Vocabulary of a column of effects.
    """

    name: str
    meaning: str
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the numbers that compiled rules read."""
        return tuple(term.field for term in self.terms) or (self.name,)

    def read(self, cell: str) -> dict[str, int]:
        """The numbers of a cell, by field; raises `ValueError` with what was expected."""
        if self.terms:
            return read_effects(self.terms, cell)
        if self.words:
            return {self.name: _place(self.words, cell)}
        return {self.name: _whole(cell, self.low, self.high)}

    def write(self, values: Mapping[str, int]) -> str:
        """The cell that `read` reads these numbers from."""
        if self.terms:
            return write_effects(self.terms, values)
        value = values[self.name]
        return self.words[value] if self.words else str(value)


def number(name: str, low: int, high: int, meaning: str) -> Column:
    """A column of whole numbers."""
    return Column(name, meaning, low, high)


def copies() -> Column:
    """The column that every table has: how many such cards there are."""
    return number("copies", 0, MOST_CARDS, "how many such cards there are")


def word(name: str, words: Sequence[str], meaning: str) -> Column:
    """A column of words out of a few; compiled rules see the place of the word, from 0."""
    return Column(name, meaning, words=tuple(words))


def effects(name: str, terms: Sequence[Term], meaning: str) -> Column:
    """A column of effects, written as ``combat +1; loot 1``."""
    return Column(name, meaning, terms=tuple(terms))


def _whole(cell: str, low: int, high: int) -> int:
    try:
        found = int(cell)
    except ValueError:
        found = low - 1
    if not low <= found <= high or len(cell) > 12:
        raise ValueError(f"a whole number from {low} to {high} is expected, got {cell[:40]!r}")
    return found


def _place(words: tuple[str, ...], cell: str) -> int:
    text = cell.casefold()
    if text not in words:
        raise ValueError(f"one of {', '.join(words)} is expected, got {cell[:40]!r}")
    return words.index(text)


@dataclass(frozen=True)
class Amount:
    """A number, or a row of them, that a set of cards has beside its tables.

    Attributes
    ----------
    key, meaning : str
    low, high : int
        Bounds of each number.
    length : int
        How many; 0: one number, not a list.
    """

    key: str
    meaning: str
    low: int
    high: int
    length: int = 0

    def read(self, value: object) -> int | tuple[int, ...]:
        """Check a value; raises `ValueError` with what was expected."""
        numbers: list[Any] = value if isinstance(value, list) else [value]
        wanted = f"{self.length} whole numbers" if self.length else "a whole number"
        right = isinstance(value, list) == (self.length > 0) and len(numbers) == (self.length or 1)
        for one in numbers:
            right = right and type(one) is int and self.low <= one <= self.high
        if not right:
            raise ValueError(f"{wanted} from {self.low} to {self.high} expected, got {value!r}")
        return tuple(int(one) for one in numbers) if self.length else int(numbers[0])


@dataclass(frozen=True)
class CardTable:
    """One table of cards, kept in the file ``NAME.csv``.

    Besides its own columns it has ``id`` (short, unique), ``name``, ``copies`` (how many such
    cards there are), ``provenance`` and, if one likes, ``note``.

    Attributes
    ----------
    name, meaning : str
    columns : tuple of Column
        The table's own columns.
    required : tuple of str
        Ids of cards that every set must have, because the rules name them.
    least : int
        Fewest cards, copies counted.
    most : int
        Most cards, copies counted; at most `MOST_CARDS`.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]
    required: tuple[str, ...] = ()
    least: int = 1
    most: int = MOST_CARDS

    @property
    def file(self) -> str:
        """Name of the table's file."""
        return f"{self.name}.csv"

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the numbers of one card, in their order in its record."""
        return ("copies", *(name for column in self.columns for name in column.fields))

    @cached_property
    def record(self) -> np.dtype[Any]:
        """Dtype of one card as compiled rules see it: whole numbers, by field."""
        if len(set(self.fields)) < len(self.fields):
            raise ValueError(f"{self.name} has two fields of one name: {self.fields}")
        return record_type([(name, np.int64) for name in self.fields])

    def lay_out(self, cards: Sequence[Any], records: Any) -> None:
        """Write cards into the records of an array, one a kind; the others become zero."""
        records[...] = np.zeros(1, self.record)[0]
        for place, card in enumerate(cards):
            for name in self.fields:
                records[place][name] = card.values[name]

    def read_row(self, cells: Mapping[str, str]) -> dict[str, int]:
        """The numbers of a row; raises `CellError` for the first cell that is wrong."""
        values: dict[str, int] = {}
        for column in (copies(), *self.columns):
            try:
                values |= column.read(cells[column.name])
            except ValueError as error:
                raise CellError(column.name, str(error)) from None
        return values

    def read_words(self, cells: Mapping[str, str]) -> dict[str, str]:
        """The id, name, provenance and note of a row; raises `CellError`."""
        if not ID.match(cells["id"]):
            raise CellError("id", f"1 to 16 letters, digits, - or _ expected, got {cells['id']!r}")
        for name in ("name", "note"):
            if len(cells[name]) > LONGEST:
                raise CellError(name, f"at most {LONGEST} letters fit, got {len(cells[name])}")
        provenance = cells["provenance"].casefold()
        if provenance not in PROVENANCES:
            raise CellError("provenance", str(unknown("provenance", provenance, PROVENANCES)))
        return {key: cells[key] for key in ("id", "name", "note")} | {"provenance": provenance}


class CellError(Exception):
    """A cell holds what its column does not take."""

    def __init__(self, column: str, what: str) -> None:
        super().__init__(what)
        self.column, self.what = column, what

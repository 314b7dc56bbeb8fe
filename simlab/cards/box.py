"""A game's box of cards: what a set of cards consists of, and the sets that were read."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from simlab.cards.sheets import decoded, read_bytes, read_sheet
from simlab.cards.tables import COMMON, Amount, CardTable, CellError
from simlab.errors import UsageError, unknown


class Card(NamedTuple):
    """One kind of card, as it was read.

    Attributes
    ----------
    id, name, provenance, note : str
    values : dict
        Its numbers by field, ``copies`` among them.
    """

    id: str
    name: str
    provenance: str
    note: str
    values: dict[str, int]

    @property
    def copies(self) -> int:
        """How many such cards there are."""
        return self.values["copies"]


@dataclass(frozen=True)
class CardSet:
    """A set of cards that was read and checked.

    Attributes
    ----------
    tables : mapping
        Name of each table to its kinds of cards, in the order of the file.
    amounts : mapping
        The numbers beside the tables.
    folder : pathlib.Path
        Where it was read from.
    """

    tables: Mapping[str, tuple[Card, ...]]
    amounts: Mapping[str, int | tuple[int, ...]]
    folder: Path = field(compare=False)

    @cached_property
    def digest(self) -> str:
        """Digest of all that can change a game or its record (16 hex digits); notes cannot."""
        tables = {
            name: [[card.id, card.name, card.values] for card in cards]
            for name, cards in self.tables.items()
        }
        text = json.dumps([tables, dict(self.amounts)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def mark(self) -> int:
        """The digest as a number that fits a field of the rules; `known_set` finds the set."""
        return int(self.digest, 16)

    def __getitem__(self, table: str) -> tuple[Card, ...]:
        """The kinds of cards of a table."""
        return self.tables[table]


_READ: dict[int, CardSet] = {}
"""Every set that this process has read, by its mark."""


def known_set(mark: int) -> CardSet:
    """The set of cards that a record of rules was made from, by its mark."""
    return _READ[int(mark)]


@dataclass(frozen=True)
class CardBox:
    """What the sets of cards of one game consist of, and where the printed one lies.

    Attributes
    ----------
    game : str
        Name of the game.
    printed_folder : pathlib.Path
        Where the printed set lies: beside the game's modules, as part of the package.
    tables : tuple of CardTable
    amounts : tuple of Amount
        Numbers beside the tables, kept in ``numbers.toml``; without any there is no such file.
    """

    game: str
    printed_folder: Path
    tables: tuple[CardTable, ...]
    amounts: tuple[Amount, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files of a set."""
        numbers = ("numbers.toml",) if self.amounts else ()
        return tuple(table.file for table in self.tables) + numbers

    @cached_property
    def printed(self) -> CardSet:
        """The set that ships with the game."""
        return self.read(self.printed_folder)

    def read(self, folder: Path) -> CardSet:
        """Read a folder of cards, and check every cell.

        Raises
        ------
        UsageError
            In one line with file, row and column, and what was expected there.
        """
        if not folder.is_dir():
            way = f"simlab cards export {self.game} DIR makes one"
            raise UsageError(f"there is no folder of cards {str(folder)!r}; {way}")
        tables = {table.name: read_table(table, folder / table.file) for table in self.tables}
        amounts = read_amounts(self.amounts, folder / "numbers.toml") if self.amounts else {}
        return registered(self, CardSet(tables, amounts, folder))


def registered(box: CardBox, made: CardSet) -> CardSet:
    """A set of cards, once it is checked as a whole; `known_set` finds it from then on."""
    for table in box.tables:
        _check_number(table, table.file, made[table.name])
    _check_ids(box, made)
    _READ[made.mark] = made
    return made


def read_table(table: CardTable, path: Path) -> tuple[Card, ...]:
    """The kinds of cards of one file; raises `UsageError`."""
    names = [*COMMON[:2], *(column.name for column in table.columns), *COMMON[2:]]
    cards = []
    for row in read_sheet(path, names, optional=("note",)):
        try:
            words, values = table.read_words(row.cells), table.read_row(row.cells)
        except CellError as error:
            where = f"{path.name}, row {row.number}, column {error.column}"
            raise UsageError(f"{where}: {error.what}") from None
        cards.append(Card(**words, values=values))
    return tuple(cards)


def _check_number(table: CardTable, file: str, cards: Sequence[Card]) -> None:
    copies = sum(card.copies for card in cards)
    if len(cards) > table.most:
        raise UsageError(f"{file} holds {len(cards)} kinds of cards, at most {table.most} fit")
    if copies > table.most:
        raise UsageError(f"{file} holds {copies} cards with copies, at most {table.most} fit")
    if copies < table.least:
        raise UsageError(f"{file} holds {copies} cards with copies, at least {table.least} needed")
    ids = [card.id for card in cards]
    for wanted in table.required:
        if wanted not in ids:
            raise UsageError(f"{file}: the rules need a card with the id {wanted!r}")


def _check_ids(box: CardBox, cards: CardSet) -> None:
    """An id names one card of the whole set, so that a record of a game needs no more."""
    seen: dict[str, str] = {}
    for table in box.tables:
        for card in cards[table.name]:
            if card.id in seen:
                raise UsageError(f"{table.file}: id {card.id!r} stands in {seen[card.id]} already")
            seen[card.id] = table.file


def read_amounts(amounts: tuple[Amount, ...], path: Path) -> dict[str, Any]:
    """The numbers beside the tables; raises `UsageError`."""
    try:
        found = tomllib.loads(decoded(read_bytes(path)).replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path.name} is no TOML file: {error}") from None
    known = {amount.key: amount for amount in amounts}
    for key in found:
        if key not in known:
            raise UsageError(f"{path.name}: {unknown('key', key, known)}")
    values = {}
    for key, amount in known.items():
        if key not in found:
            raise UsageError(f"{path.name}: key {key} is missing")
        try:
            values[key] = amount.read(found[key])
        except ValueError as error:
            raise UsageError(f"{path.name}, key {key}: {error}") from None
    return values

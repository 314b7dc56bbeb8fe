"""The option ``edit``: single cells of a set of cards changed for a run, without a folder."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from simlab.cards.box import Card, CardBox, CardSet, registered
from simlab.cards.tables import CardTable, Column
from simlab.cards.tables import copies as copies_column
from simlab.errors import UsageError, unknown
from simlab.options import Option, Value

NONE = "none"
"""The value that changes nothing."""
WRITTEN = re.compile(r"([A-Za-z0-9_-]+)\.([a-z_]+):(.*)\Z", re.DOTALL)


class Edit(NamedTuple):
    """One cell: the card's id, the column as the list names it, and what is written there."""

    card: str
    column: str
    cell: str

    @property
    def text(self) -> str:
        """The edit as the command line takes it."""
        return f"{self.card}.{self.column}:{self.cell}"


@dataclass(frozen=True)
class EditOption(Option):
    """Cells of the cards that are changed: ``none``, or ``S6.gold:2/P05.renown:5``.

    So a sweep over a card's price needs no folders: ``--vary edit=none,S6.gold:3,S6.gold:5``.

    Attributes
    ----------
    box : CardBox
        The game's box; required.
    """

    box: CardBox = field(kw_only=True)

    def read(self, given: object) -> Value:
        """Read edits; raises `UsageError` for one that is not written as edits are."""
        text = str(given).strip()
        if text.lower() == NONE:
            return NONE
        return "/".join(edit.text for edit in self._edits(text))

    @property
    def allowed(self) -> str:
        """What the value may be, in words."""
        return f"{NONE}, or CARD.COLUMN:VALUE as in the lists of cards, several with / between"

    def _edits(self, text: str) -> list[Edit]:
        found = []
        for part in text.split("/"):
            written = WRITTEN.match(part.strip())
            if written is None:
                raise UsageError(
                    f"{self.key} is {self.allowed}, as S7.gold:9; got {part.strip()!r}"
                )
            found.append(Edit(written[1], written[2], written[3].strip()))
        places = [(edit.card, edit.column) for edit in found]
        for card, column in places:
            if places.count((card, column)) > 1:
                raise UsageError(f"{self.key}: {card}.{column} is changed twice")
        return found

    def applied(self, cards: CardSet, value: Value) -> CardSet:
        """A set of cards with the edits made; the set itself if there are none.

        Raises
        ------
        UsageError
            If there is no such card or column, or the column does not take the value.
        """
        if value == NONE:
            return cards
        tables = {name: list(kinds) for name, kinds in cards.tables.items()}
        for edit in self._edits(str(value)):
            table, place = self._found(cards, edit)
            tables[table.name][place] = self._edited(table, tables[table.name][place], edit)
        made = {name: tuple(kinds) for name, kinds in tables.items()}
        return registered(self.box, CardSet(made, cards.amounts, cards.folder))

    def _found(self, cards: CardSet, edit: Edit) -> tuple[CardTable, int]:
        for table in self.box.tables:
            for place, card in enumerate(cards[table.name]):
                if card.id == edit.card:
                    return table, place
        spans = (f"{kinds[0].id} to {kinds[-1].id}" for kinds in cards.tables.values() if kinds)
        way = f"simlab cards export {self.box.game} DIR lists them"
        raise UsageError(f"unknown card {edit.card!r}; there are {', '.join(spans)}: {way}")

    def _edited(self, table: CardTable, card: Card, edit: Edit) -> Card:
        columns: dict[str, Column] = {c.name: c for c in (copies_column(), *table.columns)}
        if edit.column not in columns:
            raise unknown(f"column of {table.file}", edit.column, columns)
        try:
            changed = columns[edit.column].read(edit.cell)
        except ValueError as error:
            raise UsageError(f"{self.key} {edit.card}.{edit.column}: {error}") from None
        return card._replace(values=card.values | changed)

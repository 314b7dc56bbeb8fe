"""Cards as data: lists that a designer opens in a spreadsheet, and that compiled rules read.

A game declares a `CardBox`: tables of cards (`CardTable`), whose columns are numbers, words and
effects, and a few `Amount`s beside them. Its printed set lies next to the game as CSV files; a
run is pointed at an edited copy with ``--set cards=DIR`` (`CardOption`), or changes single cells
(`EditOption`). The cards are laid into the record of rules, so another list compiles nothing.
"""

from simlab.cards.box import Card, CardBox, CardSet, known_set
from simlab.cards.editing import EditOption
from simlab.cards.files import export_cards
from simlab.cards.option import CardOption, box_of
from simlab.cards.tables import (
    MOST_CARDS,
    PROVENANCES,
    Amount,
    CardTable,
    Column,
    effects,
    number,
    word,
)
from simlab.cards.terms import Term

__all__ = [
    "MOST_CARDS",
    "PROVENANCES",
    "Amount",
    "Card",
    "CardBox",
    "CardOption",
    "CardSet",
    "CardTable",
    "Column",
    "EditOption",
    "Term",
    "box_of",
    "effects",
    "export_cards",
    "known_set",
    "number",
    "word",
]

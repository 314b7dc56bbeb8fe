"""What a report is made of, before it becomes a page: numbers, sentences, tables, figures.

Every number that is printed is a `Number` with a key of its own; ``report.json`` lists them all,
and whoever reads the page by machine finds the key beside the number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from simlab.experiments.rounding import chance, decimals

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawn

Unit = Literal["share", "points of win rate", "count", "games", "number", "p"]
"""What a number is: a share is shown in per cent; a difference of shares in points of win rate."""

NO_BREAK = "\N{NO-BREAK SPACE}"
NONE = "\N{EN DASH}"
"""What stands where there is no number."""


@dataclass(frozen=True)
class Number:
    """A number of the report.

    Attributes
    ----------
    key : str
        Its name in ``report.json``, as ``strategies.4.balanced.win_rate``; once in a report.
    value : float or None
        None where there is none: shown as a dash.
    ci95 : (float, float) or None
        Its interval, if it is an estimate.
    unit : Unit
    deals : int or None
        Deals that it is from, if it is an estimate.
    digits : int or None
        Decimals to show; by default as many as the interval leaves meaningful.
    """

    key: str
    value: float | None
    ci95: tuple[float, float] | None = None
    unit: Unit = "number"
    deals: int | None = None
    digits: int | None = None

    @property
    def scale(self) -> float:
        """What the value is multiplied by to be shown."""
        return 100.0 if self.unit in ("share", "points of win rate") else 1.0

    @property
    def shown_digits(self) -> int:
        """Decimals that are shown."""
        if self.unit in ("count", "games"):
            return 0
        if self.digits is not None:
            return self.digits
        if self.ci95 is None or not all(map(math.isfinite, self.ci95)):
            return 1 if self.scale == 100.0 else 2
        most = 2 if self.unit == "share" else 4
        return min(most, decimals(self.scale * (self.ci95[1] - self.ci95[0]) / 2))

    def _plain(self, value: float, sign: str = "") -> str:
        return f"{self.scale * value:{sign}z,.{self.shown_digits}f}"  # z: never a negative nought

    @property
    def text(self) -> str:
        """The number as it is printed, with its unit."""
        if self.value is None or not math.isfinite(self.value):
            return NONE
        if self.unit == "p":
            return chance(self.value)
        if self.unit == "share":
            return f"{self._plain(self.value)}{NO_BREAK}%"
        if self.unit == "points of win rate":
            return self._plain(self.value, "+")
        return self._plain(self.value)

    @property
    def span(self) -> str:
        """The interval as it is printed, without unit; empty if there is none."""
        if self.ci95 is None or not all(map(math.isfinite, self.ci95)):
            return ""
        sign = "+" if self.unit == "points of win rate" else ""
        low, high = (self._plain(end, sign) for end in self.ci95)
        return f"{low} to {high}"

    def record(self) -> dict[str, Any]:
        """The number unrounded, as ``report.json`` has it."""
        finite = self.value is not None and math.isfinite(self.value)
        ends = self.ci95 if self.ci95 and all(map(math.isfinite, self.ci95)) else None
        return {
            "value": self.value if finite else None,
            "ci95": None if ends is None else list(ends),
            "unit": self.unit,
            "deals": self.deals,
            "text": self.text,
        }


Part = str | Number
"""A piece of a sentence: words, or a number."""


def _unbroken(part: Part) -> Part:
    return part.replace(" %", f"{NO_BREAK}%") if isinstance(part, str) else part


@dataclass(frozen=True)
class Sentence:
    """Words and numbers in turn; a number with an interval is followed by it in brackets.

    Attributes
    ----------
    parts : tuple of str and Number
    bare : bool
        Whether intervals are left out: where a table beside it has them.
    """

    parts: tuple[Part, ...]
    bare: bool = False

    @classmethod
    def of(cls, *parts: Part, bare: bool = False) -> Sentence:
        """A sentence of these parts, in order; a per cent sign never stands alone in a line."""
        return cls(tuple(map(_unbroken, parts)), bare)

    @property
    def text(self) -> str:
        """The sentence as plain text."""
        return "".join(part if isinstance(part, str) else self.written(part) for part in self.parts)

    def written(self, number: Number) -> str:
        """A number of this sentence, with its interval if it has one."""
        if self.bare or not number.span:
            return number.text
        return f"{number.text} ({number.span})"


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading, what it means, and whether it holds words."""

    title: str
    words: bool = False
    meaning: str = ""


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes
    ----------
    name : str
        Its file is ``tables/NAME.csv``; letters, digits and hyphens.
    title : str
        What the table shows, in one line.
    columns : sequence of Column
    rows : sequence of rows of str and Number
        A number is shown with its interval below or beside it.
    note : str
        What a reader should know below it.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Part]]
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes
    ----------
    name : str
        Its files are ``figures/NAME.svg`` and ``.png``.
    caption : str
        What to see in it, in a sentence or two.
    alt : str
        What it shows, for readers who do not see it.
    draw : callable
        Draws it anew; called once.
    """

    name: str
    caption: str
    alt: str
    draw: Callable[[], Axes | Drawn]


@dataclass(frozen=True)
class Listing:
    """Lines as they are typed or kept: commands, rulings."""

    lines: Sequence[str]
    code: bool = False


Block = Sentence | Table | Figure | Listing


@dataclass(frozen=True)
class Section:
    """A part of the report.

    Attributes
    ----------
    name : str
        Anchor and file names start with it; letters, digits and hyphens.
    title : str
    blocks : sequence of blocks and sections
        Sections inside are one level lower.
    """

    name: str
    title: str
    blocks: Sequence[Block | Section] = ()

    def walk(self) -> Iterator[Block | Section]:
        """Everything in it, in order, sections inside too."""
        for block in self.blocks:
            yield block
            if isinstance(block, Section):
                yield from block.walk()


@dataclass(frozen=True)
class Report:
    """A whole report.

    Attributes
    ----------
    title, subtitle : str
    sections : sequence of Section
    warnings : sequence of str
        What stands above everything: that a run is partial, that card numbers are reconstructed.
    facts : dict
        What ``report.json`` says beside the numbers: game, versions, seeds, games, commands.
    colours : dict
        The colour that each policy has all over the page.
    """

    title: str
    subtitle: str
    sections: Sequence[Section]
    warnings: Sequence[str] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)

    def blocks(self) -> Iterator[Block | Section]:
        """Everything in it, in order."""
        for section in self.sections:
            yield section
            yield from section.walk()

    def numbers(self) -> dict[str, Number]:
        """Every number by its key.

        Raises
        ------
        ValueError
            If one key names two different numbers.
        """
        found: dict[str, Number] = {}
        for block in self.blocks():
            for number in _numbers_in(block):
                if found.setdefault(number.key, number).record() != number.record():
                    raise ValueError(f"two numbers of the report are called {number.key}")
        return found


def _numbers_in(block: Block | Section) -> Iterator[Number]:
    if isinstance(block, Sentence):
        yield from (part for part in block.parts if isinstance(part, Number))
    elif isinstance(block, Table):
        for row in block.rows:
            yield from (cell for cell in row if isinstance(cell, Number))

"""Tables that fit a terminal: names are folded, columns put below one another, no digit is cut."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

import click

GAP = 2
"""Spaces between columns."""
NARROW = (16, 8)
"""Letters to which names and headers may be folded: before columns go into another block, and
where not even one of them fits otherwise."""


def room() -> int | None:
    """Letters in a line of the terminal; None where there is none, and lines may be long."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def say(text: str) -> None:
    """Write a sentence, on a terminal broken between its words."""
    width = room()
    click.echo(text if width is None else filled(text, width))


def filled(text: str, width: int) -> str:
    """A sentence in lines of at most so many letters."""
    return textwrap.fill(text, width, break_on_hyphens=False, break_long_words=False)


@dataclass(frozen=True)
class Column:
    """A column of a table: words, to the left, or numbers, to the right."""

    header: str
    cells: tuple[str, ...]
    words: bool

    @property
    def width(self) -> int:
        """Letters that it takes with nothing folded."""
        return max(map(len, (self.header, *self.cells)))

    def least(self, narrow: int) -> int:
        """Letters that it takes with names and headers folded; numbers never are."""
        longest = max(map(len, self.header.split()), default=0)
        header = _width(folded(self.header, min(narrow, longest)))
        if not self.words:
            return max(header, *map(len, self.cells), 0)
        return max(header, *(_width(folded(cell, narrow)) for cell in self.cells), 0)


def _width(text: str) -> int:
    return max(map(len, text.split("\n")))


def folded(text: str, width: int) -> str:
    """Break a name where a reader would: after a space or a mark, anywhere if there is none."""
    lines = [""]
    for part in re.findall(r"[^\s,;/:]*[\s,;/:]+|[^\s,;/:]+$", text):
        pieces = re.findall(r"[^_=-]*[_=-]+|[^_=-]+$", part) if len(part) > width else [part]
        for piece in pieces:
            rest = piece
            if lines[-1] and len((lines[-1] + rest).rstrip()) > width:
                lines.append("")
            while len((lines[-1] + rest).rstrip()) > width:
                lines[-1], rest = rest[:width], rest[width:]
                lines.append("")
            lines[-1] += rest
    return "\n".join(line.rstrip() for line in lines)


def fit(columns: Sequence[Column], width: int | None, narrow: int) -> list[int]:
    """Width of each column; together they take as much room as there is, or as little as they can.

    Headers of numbers are folded first, then what holds words, the widest first.
    """
    widths = [column.width for column in columns]
    if width is None:
        return widths
    least = [min(column.width, column.least(narrow)) for column in columns]
    for words in (False, True):
        able = [n for n, column in enumerate(columns) if column.words == words]
        while _taken(widths) > width:
            widest = max(able, key=lambda n: (widths[n] > least[n], widths[n]), default=None)
            if widest is None or widths[widest] == least[widest]:
                break
            widths[widest] -= 1
    return widths


def _taken(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


Block = list[tuple[Column, int]]
"""Columns side by side, each with its width."""


def blocks(columns: Sequence[Column], width: int | None) -> list[Block]:
    """Columns block below block; each block has those of words, and as many others as fit.

    Where names cannot be folded enough for a single number, it sticks out: it is never cut.
    """
    for narrow in NARROW:
        found = _split(columns, width, narrow)
        if width is None or all(_taken([wide for _, wide in block]) <= width for block in found):
            break
    return found


def _split(columns: Sequence[Column], width: int | None, narrow: int) -> list[Block]:
    numbers = [place for place, column in enumerate(columns) if not column.words]
    found: list[Block] = []
    while numbers or not found:
        for many in range(len(numbers), -1, -1):
            here = [c for n, c in enumerate(columns) if c.words or n in numbers[:many]]
            widths = fit(here, width, narrow)
            if many <= 1 or width is None or _taken(widths) <= width:
                break
        found.append(list(zip(here, widths, strict=True)))
        numbers = numbers[many:]
    return found


def table_text(
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    words: Container[int],
    width: int | None,
) -> str:
    """A table as text of at most so many letters a line; parts of a wide one below one another.

    Parameters
    ----------
    headers : sequence of str
    rows : iterable of sequence of str
    words : container of int
        Places of the columns that hold words, which stand to the left and may be folded.
    width : int or None
        Letters in a line; None for as many as it takes.
    """
    cells = list(zip(*rows, strict=True)) or [()] * len(headers)
    columns = [Column(header, tuple(cells[n]), n in words) for n, header in enumerate(headers)]
    return "\n\n".join(_drawn(block) for block in blocks(columns, width))


def _drawn(block: Block) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for column, wide in block:
        header = Text(folded(column.header, wide), style="dim")
        table.add_column(header, justify="left" if column.words else "right", no_wrap=True)
    for row in zip(*(column.cells for column, _ in block), strict=True):
        parts = zip(row, block, strict=True)
        table.add_row(*(Text(folded(cell, wide)) for cell, (_, wide) in parts))
    # Wide letters take two places: more room than is needed, so that nothing is ever cropped.
    console = Console(highlight=False, width=2 * sum(wide + GAP for _, wide in block) + GAP)
    with console.capture() as capture:
        console.print(table)
    # Without a width to fill, padding at the ends of lines would only be in the way.
    return "\n".join(line.rstrip() for line in capture.get().splitlines())

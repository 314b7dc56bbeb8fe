"""CSV files as spreadsheets write them: other separators, byte order marks, Windows accents."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from simlab.errors import UsageError, unknown

MOST_BYTES = 1_000_000
SEPARATORS = (",", ";", "\t")


class Row(NamedTuple):
    """One row of a sheet: its number as a spreadsheet shows it, and its cells by column."""

    number: int
    cells: dict[str, str]


def read_bytes(path: Path) -> bytes:
    """Content of a file; raises `UsageError` if it is missing, unreadable or huge."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{path.name} is larger than {MOST_BYTES:,} bytes: no list of cards")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})") from None


def decoded(content: bytes) -> str:
    """Text of a file as Excel and others write it.

    Byte order marks are heeded; without one it is UTF-8 or, if that cannot be, the code page
    that Windows uses for western languages.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", errors="replace")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp1252", errors="replace")
    return unicodedata.normalize("NFC", text)


def read_sheet(path: Path, columns: Sequence[str], optional: Sequence[str]) -> list[Row]:
    """Rows of a CSV file by the names in its first row; empty rows are left out.

    Parameters
    ----------
    path : pathlib.Path
    columns : sequence of str
        Columns that there may be.
    optional : sequence of str
        Those of them that may be left out (their cells are empty).

    Raises
    ------
    UsageError
        If the file is no CSV, a column is missing, unknown or comes twice, or a row is too long.
    """
    lines = _lines(path)
    names = [" ".join(cell.split()).casefold() for cell in lines[0][1]]
    while names and not names[-1]:
        names.pop()
    _check_names(path.name, lines[0][0], names, columns, optional)
    rows = []
    for number, line in lines[1:]:
        cells = [" ".join(cell.split()) for cell in line]
        if any(cells[len(names) :]):
            raise UsageError(
                f"{path.name}, row {number}: {len(names)} cells expected, got {len(cells)}"
            )
        if any(cells):
            filled = cells + [""] * (len(names) - len(cells))
            found = dict(zip(names, filled, strict=False))
            rows.append(Row(number, {name: found.get(name, "") for name in columns}))
    return rows


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    """The cells of every line, with its number; the line that names the columns comes first."""
    text = decoded(read_bytes(path))
    hint, start = None, 0
    first = text.partition("\n")[0].strip()
    if first.casefold().startswith("sep=") and len(first) == 5:  # Excel's own note to itself
        hint, start = first[4], 1
        text = text.partition("\n")[2]
        first = text.partition("\n")[0]
    separator = hint or max(SEPARATORS, key=first.count)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise UsageError(f"{path.name} is no CSV file: {error}") from None
    numbered = [(start + place, line) for place, line in enumerate(lines, 1)]
    filled = [one for one in numbered if any(cell.strip() for cell in one[1])]
    if not filled:
        raise UsageError(f"{path.name} is empty: a first row with the names of columns is expected")
    return filled


def _check_names(
    file: str, row: int, names: list[str], columns: Sequence[str], optional: Sequence[str]
) -> None:
    for name in names:
        if name not in columns:
            raise UsageError(f"{file}, row {row}: {unknown('column', name, columns)}")
        if names.count(name) > 1:
            raise UsageError(f"{file}, row {row}: column {name} comes twice")
    for name in columns:
        if name not in names and name not in optional:
            raise UsageError(f"{file}, row {row}: column {name} is missing")

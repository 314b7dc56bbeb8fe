"""What several commands take from the command line, and how they speak."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Container, Iterable, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeVar

import click

from simlab.cli import layout
from simlab.errors import UsageError
from simlab.options import read_settings

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_DEAL = 2**63 - 1


POLICIES = """\b
Each POLICY is one of
  balanced                   a built-in strategy (simlab policies GAME)
  balanced:late=0.5,card=5   with other numbers for some of its parameters
  3xgreedy                   in three seats, one after the other
  mine.py::sniper            from a file of your own, with parameters or without
one for each seat, in seat order; seat 0 starts. GAME is one of those that simlab games
lists, or your own as file.py::NAME.
"""
"""What GAME and POLICY may be, for the end of a command's help."""


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number between two bounds; says both when it is not."""

    name = "N"

    def __init__(self, what: str, low: int, high: int) -> None:
        self.what, self.low, self.high = what, low, high

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Read the word: ``100000``, ``1e5`` and ``100_000`` are understood."""
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            number = Decimal("nan")
        # Bounds first: to write out 1e999999999 takes all memory that there is.
        inside = number.is_finite() and self.low <= number <= self.high
        if not inside or number != int(number):
            raise UsageError(
                f"{self.what} is a whole number from {self.low} to {self.high}, got {value!r}"
            )
        return int(number)


class Folder(click.ParamType):  # type: ignore[type-arg]
    """The name of a folder that results go to."""

    name = "DIR"

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:
        """Read the word."""
        if not str(value).strip():
            raise UsageError(f"--out takes the name of a folder, got {value!r}")
        return Path(value)


def settings(function: Function) -> Function:
    """Add ``--set KEY=VALUE``, given as a dict."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        callback=lambda ctx, param, words: read_settings(words),
        help="A rule or variant that differs from the printed game; see simlab rules GAME.",
    )(function)


def seed(function: Function) -> Function:
    """Add ``--seed``."""
    return click.option(
        "--seed",
        type=Whole("seed", 0, 2**64 - 1),
        default=0,
        show_default=True,
        help="Every number of every run follows from it.",
    )(function)


def luck(function: Function) -> Function:
    """Add ``--luck``."""
    return click.option(
        "--luck",
        type=Whole("luck", 0, 65535),
        default=0,
        help="The same deals with other random numbers for the policies.",
    )(function)


def workers(function: Function) -> Function:
    """Add ``--workers``."""
    return click.option(
        "--workers",
        type=Whole("workers", 1, 1024),
        default=None,
        help="Threads; by default one for each core. No digit depends on it.",
    )(function)


def scheduler(function: Function) -> Function:
    """Add ``--scheduler``."""
    return click.option(
        "--scheduler",
        metavar="tcp://HOST:PORT|local:N",
        help="Play on a Dask cluster, or in N processes; the same bytes as in threads.",
    )(function)


def quiet(function: Function) -> Function:
    """Add ``--quiet``."""
    return click.option("--quiet", "-q", is_flag=True, help="No progress and no notes.")(function)


def output_format(*choices: str) -> Callable[[Function], Function]:
    """Add ``--format`` with these choices, the first one being the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
        help="How the result is written to standard output.",
    )


def note(quiet: bool) -> Callable[[str], None]:
    """A function that says a line on standard error, or nothing."""

    def say(line: str) -> None:
        if not quiet:
            click.echo(f"simlab: {line}", err=True)

    return say


def print_json(value: Any) -> None:
    """Write one value as JSON; what does not exist is null, never NaN."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))


def print_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Write rows of equal keys as CSV."""
    import csv

    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def print_table(
    title: str, headers: Sequence[str], rows: Iterable[Sequence[str]], words: Container[int] = (0,)
) -> None:
    """Write a table; the columns that hold words stand to the left, numbers to the right."""
    width = layout.room()
    if title:
        click.secho(title if width is None else layout.filled(title, width), bold=True)
    click.echo(layout.table_text(headers, rows, words, width))

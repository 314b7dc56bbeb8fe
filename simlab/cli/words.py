"""What several commands take from the command line, and how they speak."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, TypeVar

import click

from simlab.errors import UsageError
from simlab.options import read_settings

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_DEAL = 2**63 - 1


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number between two bounds; says both when it is not."""

    name = "N"

    def __init__(self, what: str, low: int, high: int) -> None:
        self.what, self.low, self.high = what, low, high

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Read the word."""
        try:
            number = int(str(value).replace("_", ""))
        except ValueError:
            number = None
        if number is None or not self.low <= number <= self.high:
            raise UsageError(
                f"{self.what} is a whole number from {self.low} to {self.high}, got {value!r}"
            )
        return number


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
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if title:
        click.secho(title, bold=True)  # a title of the table itself would wrap at its width
    table = Table(box=None, pad_edge=False)
    for place, header in enumerate(headers):
        table.add_column(
            Text(header, style="dim"), justify="left" if place in words else "right", no_wrap=True
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 240)
    with console.capture() as capture:
        console.print(table)
    # Without a terminal's width to fill, padding at the ends of lines would only be in the way.
    click.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))

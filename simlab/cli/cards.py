"""``simlab cards``: lists of cards for a spreadsheet, and a look at edited ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from simlab.cli import words
from simlab.errors import UsageError
from simlab.games import game_named


@click.group()
def cards() -> None:
    """Export a game's lists of cards, edit them in a spreadsheet, and play with them.

    \b
    simlab cards export fantasia-sa mycards
    simlab cards check fantasia-sa mycards
    simlab run fantasia-sa balanced 3xgreedy --set cards=mycards
    """


def _box(game: str) -> Any:
    from simlab.cards import box_of

    found = game_named(game)
    box = box_of(found.options)
    if box is None:
        raise UsageError(f"{found.name} has no lists of cards; simlab rules {found.name} has more")
    return box


@cards.command("export")
@click.argument("game")
@click.argument("folder", type=click.Path(path_type=Path))
@words.quiet
def export(game: str, folder: Path, quiet: bool) -> None:
    """Copy the printed lists of GAME into FOLDER, as CSV files; nothing is overwritten."""
    from simlab.cards import export_cards

    box = _box(game)
    for path in export_cards(box, folder):
        click.echo(path)
    words.note(quiet)(
        f"edit them, then: simlab cards check {box.game} {folder}; play with: --set cards={folder}"
    )


@cards.command("check")
@click.argument("game")
@click.argument("folder", type=click.Path(path_type=Path))
@words.output_format("table", "json", "csv")
def check(game: str, folder: Path, form: str) -> None:
    """Read the lists of GAME in FOLDER, check every cell, and say what is in them."""
    box = _box(game)
    found = box.read(folder)
    rows = [_row(table.name, found, box.printed) for table in box.tables]
    if form == "json":
        words.print_json({"game": box.game, "digest": found.digest, "tables": rows})
    elif form == "csv":
        words.print_csv(rows)
    else:
        cells = [[str(value) for value in row.values()] for row in rows]
        words.print_table(f"cards of {box.game} in {folder}", list(rows[0]), cells)
        same = " (the printed set)" if found.digest == box.printed.digest else ""
        click.echo(f"\nfit to play with; digest {found.digest}{same}")


def _row(table: str, found: Any, printed: Any) -> dict[str, Any]:
    from simlab.cards import PROVENANCES

    kinds = found[table]
    was = {card.id: (card.name, card.values) for card in printed[table]}
    now = {card.id: (card.name, card.values) for card in kinds}
    counts = {origin: sum(card.provenance == origin for card in kinds) for origin in PROVENANCES}
    return {
        "table": table,
        "kinds": len(kinds),
        "cards": sum(card.copies for card in kinds),
        "changed": sum(key in was and was[key] != value for key, value in now.items()),
        "new": sum(key not in was for key in now),
        "gone": sum(key not in now for key in was),
        **counts,
    }

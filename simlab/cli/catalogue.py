"""``simlab games``, ``rules`` and ``policies``: what there is to play with."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import click

from simlab.cli.layout import room
from simlab.cli.words import output_format, print_csv, print_json, print_table, settings
from simlab.compiled import plain
from simlab.errors import in_full
from simlab.games import MODULES, game_named
from simlab.options import Option

if TYPE_CHECKING:
    from simlab.contract import Game, Policy

WIDTH = 96
"""Letters in a line, where the terminal is not narrower."""


@click.command()
@output_format("table", "json", "csv")
def games(form: str) -> None:
    """List the games: name, players, and what each is about."""
    rows = []
    for name in MODULES:
        game = game_named(name)
        low, high = game.players
        about = {"game": name, "title": game.title, "players": f"{low} to {high}"}
        rows.append({**about, "version": game.version, "summary": game.summary})
    _print(form, "games", rows)


@click.command()
@click.argument("game")
@settings
@output_format("text", "json")
def rules(game: str, settings: dict[str, str], form: str) -> None:
    """Print a game's rules in our own words, what may be varied, every ruling, every column.

    A ruling is an answer where the rulebook is silent or can be read in two ways. With --set the
    figures that follow from the options (of games that have some) are those of the changed game.
    A column is a number that results have of each game, or of each seat in it.
    """
    found = game_named(game)
    figures = _figures(found, settings)
    if form == "json":
        options = [_option(option) for option in found.options]
        rulings = [ruling._asdict() for ruling in found.rulings]
        print_json(
            {
                "game": found.name,
                "rules": found.rules_text,
                "options": options,
                "figures": figures,
                "rulings": rulings,
                "columns": _columns(found),
            }
        )
        return
    click.echo(f"{found.title}\n\n{found.rules_text}\n")
    click.echo(
        "Options (simlab run ... --set KEY=VALUE; values are checked, nothing is compiled)\n"
    )
    for option in found.options:
        click.echo(f"  {option.key} = {option.text(option.default)}")
        click.echo(_indented(f"{option.meaning} ({option.allowed})"))
    if figures:
        changed = " ".join(f"{key}={word}" for key, word in settings.items())
        click.echo(f"\nIn figures, {f'with {changed}' if changed else 'as printed'}\n")
        for line in figures:
            click.echo(_indented(line))
    click.echo("\nRulings, where the rulebook leaves a question open\n")
    for number, ruling in enumerate(found.rulings, 1):
        click.echo(f"  {number}. {ruling.question}")
        varied = f" [option {ruling.option}]" if ruling.option else ""
        click.echo(_indented(ruling.answer + varied))
    for of in ("seat", "game"):
        click.echo(f"\nColumns of the results, with one value a {of}\n")
        for column in _columns(found):
            if column["of"] == of:
                click.echo(f"  {column['column']}")
                click.echo(_indented(column["meaning"]))


def _columns(game: Game) -> list[dict[str, str]]:
    """Every column of the game's results: what it is of, and what it means."""
    return [
        {"column": name, "of": of, "meaning": meaning}
        for name, (of, meaning) in game.columns_in_words.items()
    ]


def _figures(game: Game, settings: dict[str, str]) -> list[str]:
    """What follows from the options at every size of table; what is the same is said once."""
    low, high = game.players
    lines: list[str] = []
    for players in range(low, high + 1):
        lines += game.figures(plain(game.rules_for(players, settings)[0]))
    return list(dict.fromkeys(lines))


def _option(option: Option) -> dict[str, Any]:
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    return {
        "key": option.key,
        "default": default,
        "allowed": option.allowed,
        "meaning": option.meaning,
    }


def _indented(text: str) -> str:
    width = min(WIDTH, room() or WIDTH)
    margin = " " * 6
    return textwrap.fill(  # names and commands with hyphens stay whole
        text, width, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False
    )


@click.command()
@click.argument("game")
@click.argument("policy", required=False)
@output_format("text", "json", "csv")
def policies(game: str, policy: str | None, form: str) -> None:
    """List a game's built-in strategies, or show one POLICY: its idea, and each parameter.

    \b
    simlab policies fantastique
    simlab policies fantastique balanced
    simlab policies fantastique mine.py::sniper
    """
    from simlab.policies import built_in, read_policy

    found = game_named(game)
    shown = [read_policy(found, policy)] if policy else list(built_in(found).values())
    rows = [_policy(one) for one in shown]
    if form == "text":
        for row in rows:
            _tell(row)
        click.echo("\nOther numbers: simlab run GAME name:key=value,key=value ...")
    elif form == "csv":
        print_csv([{key: _flat(value) for key, value in row.items()} for row in rows])
    else:
        print_json(rows)


def _policy(policy: Policy) -> dict[str, Any]:
    return {
        "policy": policy.text,
        "idea": policy.idea,
        "details": policy.details,
        "parameters": dict(zip(policy.defaults, policy.values, strict=True)),
        "blind_to": list(policy.blind_to),
    }


def _tell(row: dict[str, Any]) -> None:
    """A policy as a paragraph: its idea, what its parameters do, and their values."""
    click.echo(row["policy"])
    for paragraph in (row["idea"], *row["details"].split("\n\n")):
        if paragraph:
            click.echo(_indented(paragraph))
    if row["parameters"]:
        click.echo(_indented(f"parameters: {_flat(row['parameters'], ', ')}"))
    if row["blind_to"]:
        click.echo(_indented(f"never looks at: {_flat(row['blind_to'], ', ')}"))


def _flat(value: object, between: str = ",") -> str:
    """A value in one cell, as the command line takes it."""
    if isinstance(value, dict):
        return between.join(f"{key}={in_full(number)}" for key, number in value.items())
    return between.join(value) if isinstance(value, list) else str(value)


def _print(form: str, title: str, rows: list[dict[str, Any]]) -> None:
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        cells = [[str(cell) for cell in row.values()] for row in rows]
        print_table(title, list(rows[0]), cells, range(len(rows[0])))

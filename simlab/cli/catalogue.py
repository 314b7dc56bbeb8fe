"""``simlab games``, ``rules`` and ``policies``: what there is to play with."""

from __future__ import annotations

import textwrap
from typing import Any

import click

from simlab.cli.words import output_format, print_csv, print_json, print_table, settings
from simlab.compiled import plain
from simlab.contract import Game
from simlab.games import MODULES, game_named
from simlab.options import Option

WIDTH = 96


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
    """Print a game's rules in our own words, what may be varied, and every ruling.

    A ruling is an answer where the rulebook is silent or can be read in two ways. With --set the
    figures that follow from the options (of games that have some) are those of the changed game.
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
    return textwrap.fill(text, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)


@click.command()
@click.argument("game")
@output_format("text", "json", "csv")
def policies(game: str, form: str) -> None:
    """List a game's built-in strategies: the idea of each, and its parameters."""
    from simlab.policies import built_in

    found = built_in(game_named(game)).values()
    if form == "text":
        for policy in found:
            values = ", ".join(f"{key}={value:g}" for key, value in policy.defaults.items())
            click.echo(policy.name + (f"  ({values})" if values else ""))
            click.echo(_indented(policy.idea))
        click.echo("\nOther numbers: simlab run GAME name:key=value,key=value ...")
        return
    rows = [
        {
            "policy": policy.name,
            "idea": policy.idea,
            "parameters": dict(policy.defaults),
            "blind_to": list(policy.blind_to),
        }
        for policy in found
    ]
    _print(form, "policies", rows)


def _print(form: str, title: str, rows: list[dict[str, Any]]) -> None:
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        cells = [[str(cell) for cell in row.values()] for row in rows]
        print_table(title, list(rows[0]), cells, range(len(rows[0])))

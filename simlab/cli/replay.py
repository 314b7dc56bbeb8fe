"""``simlab replay``: single games, as a story or as a record that anybody can check."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import click

from simlab.cli import words
from simlab.cli.interrupt import Listener

COLOURS: dict[str, dict[str, Any]] = {
    "heading": {"bold": True},
    "gold": {"fg": "yellow"},
    "quiet": {"dim": True},
}


@click.command()
@click.argument("game")
@click.argument("policies", nargs=-1, required=True, metavar="POLICY...")
@click.option(
    "--deal",
    type=words.Whole("deal", 0, words.MOST_DEAL),
    default=0,
    show_default=True,
    help="Number of the deal.",
)
@click.option(
    "--games",
    type=words.Whole("games", 1, 1_000_000),
    default=1,
    show_default=True,
    help="Consecutive deals to show.",
)
@words.settings
@words.seed
@words.luck
@words.output_format("text", "json")
@words.quiet
def replay(
    game: str,
    policies: tuple[str, ...],
    deal: int,
    games: int,
    settings: dict[str, str],
    seed: int,
    luck: int,
    form: str,
    quiet: bool,
) -> None:
    """Show games of GAME again, with one POLICY for each seat, in seat order.

    \b
    simlab replay fantastique balanced 3xgreedy --seed 7 --deal 12
    simlab replay fantastique 2xrandom --format json --games 10
    """
    listener = Listener()

    def prepare() -> Any:
        from simlab.engine import Matchup, engine_of
        from simlab.games import game_named
        from simlab.policies import read_policies
        from simlab.replaying import Replayer

        found = game_named(game)
        values = found.read_options(settings)
        rules = {key: values[key] for key in settings}
        matchup = Matchup(found, read_policies(found, policies), rules)
        matchup.rules  # noqa: B018 - wrong rules are refused before anything is compiled
        engine_of(found, words.note(quiet))
        return Replayer(matchup, seed, luck)

    replayer = listener.work(prepare)
    if deal + games - 1 > words.MOST_DEAL:
        games = words.MOST_DEAL - deal + 1
    for record in replayer.records(deal, games):
        if form == "json":
            click.echo(json.dumps(record, allow_nan=False, separators=(",", ":")))
        else:
            _story(record, replayer.matchup.game.tell(record))


def _story(record: dict[str, Any], lines: Iterable[tuple[str, str]]) -> None:
    coloured = sys.stdout.isatty()
    options = ", ".join(f"{key}={_value(value)}" for key, value in record["options"].items())
    title = f"{record['game']}, {record['players']} players"
    title += f", seed {record['seed']}, deal {record['deal']}"
    click.echo(f"{title} ({options})\n" if options else title + "\n")
    for style, line in lines:
        click.echo(click.style(line, **COLOURS[style]) if coloured and style else line)
    click.echo()


def _value(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)

"""``simlab warmup`` and ``bench``: what this machine has compiled, and how fast it plays."""

from __future__ import annotations

from typing import Any

import click

from simlab.cli import words
from simlab.cli.interrupt import Listener


@click.command()
@click.argument("game", required=False)
@words.quiet
def warmup(game: str | None, quiet: bool) -> None:
    """Compile everything of GAME (of all games) now, so that no later run waits."""
    listener = Listener()

    def job() -> str:
        from simlab import cache
        from simlab.engine import warm_up
        from simlab.games import MODULES, game_named

        for name in [game] if game else list(MODULES):
            warm_up(game_named(name), words.note(quiet))
        return str(cache.folder())

    folder = listener.work(job)
    click.echo(f"compiled code is ready in {folder}")


@click.command()
@click.argument("game", required=False)
@click.argument("policies", nargs=-1, metavar="[POLICY...]")
@click.option(
    "--seconds",
    type=words.Whole("seconds", 1, 3600),
    default=2,
    show_default=True,
    help="Time for each measurement.",
)
@words.workers
@words.output_format("table", "json", "csv")
@words.quiet
def bench(
    game: str | None,
    policies: tuple[str, ...],
    seconds: int,
    workers: int | None,
    form: str,
    quiet: bool,
) -> None:
    """Measure games a second and nanoseconds a decision, on one core and on all.

    Outcomes are scored, written and summed up, as in every run. Without POLICY each of the
    game's own policies plays a table of its own kind.
    """
    listener = Listener()

    def job() -> list[dict[str, Any]]:
        from simlab.experiments.benchmark import measure
        from simlab.games import MODULES

        names = [game] if game else list(MODULES)
        rows = []
        for name in names:
            rows += measure(name, policies, seconds, workers, words.note(quiet))
        return rows

    rows = listener.work(job)
    if form == "json":
        words.print_json(rows)
    elif form == "csv":
        words.print_csv(rows)
    else:
        headers = ["line-up", "workers", "games/s", "ns a decision", "decisions a game"]
        click.echo(rows[0]["machine"])
        words.print_table("", headers, [_cells(row) for row in rows])


def _cells(row: dict[str, Any]) -> list[str]:
    numbers = (
        row["workers"],
        row["games_per_second"],
        row["ns_per_decision"],
        row["decisions_per_game"],
    )
    lineup = f"{row['game']} {row['policies']}"
    return [lineup, *(f"{number:,.0f}" for number in numbers)]

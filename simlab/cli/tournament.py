"""``simlab tournament``: everybody meets everybody; who is how strong, and how surely."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from simlab.cli import words
from simlab.cli.playing import check_policies, played, playing_options, who_plays


@click.command()
@click.argument("game")
@click.argument("policies", nargs=-1, metavar="[POLICY...|all]")
@click.option(
    "--players", type=int, metavar="N", help="Seats at a table; 4 unless the game differs."
)
@click.option("--focus", metavar="POLICY", help="A gauntlet: this policy alone meets the others.")
@click.option(
    "--tables",
    type=int,
    metavar="N",
    help="About so many tables in balance; every table is played while there are at most 1000.",
)
@click.option("--race", is_flag=True, help="Tables stop once all at them are clearly worse.")
@playing_options
def tournament(
    game: str,
    policies: tuple[str, ...],
    players: int | None,
    focus: str | None,
    tables: int | None,
    race: bool,
    games: str | None,
    seating: str,
    settings: dict[str, str],
    seed: int,
    luck: int,
    precision: float | None,
    workers: int | None,
    scheduler: str | None,
    out: Path | None,
    resume: bool,
    overwrite: bool,
    form: str,
    quiet: bool,
) -> None:
    """Let policies meet at every table they can form, and say who is how strong, how surely.

    GAMES are those of each table (10,000 unless given).

    \b
    simlab tournament fantastique
    simlab tournament fantastique balanced greedy card-counter --players 3 --games 1e5
    simlab tournament fantastique all --focus balanced --set finale=random
    simlab tournament fantastique all mine.py::sniper --race --out cup --resume
    """

    def job(watch: Any) -> Any:
        from simlab.experiments.running import Place
        from simlab.experiments.tournaments.playing import run_tournament
        from simlab.experiments.tournaments.schedule import DEFAULT_GAMES, Tournament

        place = Place(out, resume, overwrite)
        planned = Tournament.of(
            game,
            policies,
            players=players,
            focus=focus,
            tables=tables,
            games=place.games(games, DEFAULT_GAMES),
            race=race,
            precision=precision,
            options=settings,
            seating=seating,
            seed=seed,
            luck=luck,
        )
        check_policies(planned.base, planned.words)
        with who_plays(workers, scheduler) as crew:
            return run_tournament(planned, place, crew, watch)

    def show(results: Any) -> None:
        from simlab.cli.standings import show_tournament

        show_tournament(results, form, words.note(quiet))

    played(job, show, quiet)

"""``simlab power``: how many games it takes to see a difference."""

from __future__ import annotations

from typing import Any

import click

from simlab.cli import words
from simlab.cli.interrupt import Listener
from simlab.cli.layout import say
from simlab.cli.playing import check_files
from simlab.errors import in_full


@click.command(epilog=words.POLICIES)
@click.argument("game")
@click.argument("policies", nargs=-1, required=True, metavar="POLICY...")
@click.option(
    "--difference", type=float, default=1.0, show_default=True, help="Points of win rate."
)
@click.option(
    "--power", "chance", type=float, default=0.8, show_default=True, help="Chance to see it."
)
@click.option(
    "--vary", multiple=True, metavar="KEY=V1,V2,...", help="Compare values, as in compare."
)
@click.option("--pilot", default="20000", show_default=True, help="Games to measure the variance.")
@click.option("--seating", default="rotate", show_default=True, metavar="rotate|fixed|shuffle|all")
@words.settings
@words.seed
@words.workers
@words.output_format("table", "json", "csv")
@words.quiet
def power(
    game: str,
    policies: tuple[str, ...],
    difference: float,
    chance: float,
    vary: tuple[str, ...],
    pilot: str,
    seating: str,
    settings: dict[str, str],
    seed: int,
    workers: int | None,
    form: str,
    quiet: bool,
) -> None:
    """Say how many games it takes to see a difference in win rate, from a pilot run.

    A difference counts as seen when its p-value is 5 % or less in a single comparison; a table
    of several is corrected for their number, and takes more.

    \b
    simlab power fantastique balanced 3xgreedy --difference 0.5
    simlab power fantastique balanced 3xgreedy --vary finale=I,II --difference 1
    """

    def job() -> list[dict[str, Any]]:
        from simlab.experiments.batches import Watch
        from simlab.experiments.comparing import comparison, read_varied
        from simlab.experiments.plans import Plan
        from simlab.experiments.power import check_compares, check_power, power_rows
        from simlab.experiments.running import run_comparison, run_plan
        from simlab.experiments.study import Study, read_games

        check_power(difference, chance)
        watch = Watch(notice=words.note(quiet))
        more: Any = {"options": settings, "seating": seating, "seed": seed}
        more["games"] = read_games(pilot, "pilot")
        found: Any
        if vary:
            varied = read_varied(vary)
            plan = comparison(game, policies, varied, **more)
            check_compares(plan)
            check_files(plan.base)
            found = run_comparison(plan, varied, workers=workers, watch=watch)
        else:
            study = Study.of(game, policies, **more)
            check_files(study)
            found = run_plan(Plan((study,)), workers=workers, watch=watch)
        return power_rows(found, difference, chance)

    rows = Listener().work(job)
    if form == "json":
        words.print_json(rows)
    elif form == "csv":
        words.print_csv(rows)
    else:
        cells = [[r["of"], f"{r['sd']:.2f}", f"{r['deals']:,}", f"{r['games']:,}"] for r in rows]
        title = (
            f"to see {in_full(difference)} points of win rate with a chance of {in_full(chance)}"
        )
        words.print_table(title, ["difference of", "sd over deals", "deals", "games"], cells)
        click.echo()
        say("level 5 % for a single comparison; a table of several corrects for their number")

"""``simlab compare``: the same deals under other rules, or with other numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from simlab.cli import words
from simlab.cli.playing import check_files, played, playing_options, who_plays


@click.command(epilog=words.POLICIES)
@click.argument("game")
@click.argument("policies", nargs=-1, required=True, metavar="POLICY...")
@click.option(
    "--vary",
    multiple=True,
    required=True,
    metavar="KEY=V1,V2,...",
    help="A rule, players, or policy.parameter, and its values; lists are written with /. "
    "Several --vary are played in every combination.",
)
@click.option(
    "--baseline",
    metavar="VALUE",
    help="What the others are compared with; by default the first.",
)
@click.option(
    "--margin",
    type=float,
    metavar="POINTS",
    help="Test whether win rates are equal within so many points (two one-sided tests, each "
    "difference alone, level 5 %).",
)
@playing_options
def compare(
    game: str,
    policies: tuple[str, ...],
    vary: tuple[str, ...],
    baseline: str | None,
    margin: float | None,
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
    """Play the same deals with each value of what is varied, and say what differs how surely.

    All values meet the same luck, so that some of it cancels in the differences. One policy in
    every seat wins its fair share under any rule; seat two or more to compare win rates.

    \b
    simlab compare fantastique balanced 3xgreedy --vary finale=I,II,III,IV,V,VI
    simlab compare fantastique balanced 3xgreedy --vary finale_gold=0,10,20,30 --margin 1
    simlab compare fantastique balanced 3xgreedy --vary balanced.card=3,7,12
    simlab compare fantastique balanced greedy --vary players=2,3,4,5
    """

    def job(watch: Any) -> Any:
        from simlab.experiments.comparing import comparison, read_varied
        from simlab.experiments.running import Place, run_comparison

        place = Place(out, resume, overwrite)
        plan = comparison(
            game,
            policies,
            read_varied(vary),
            baseline=baseline,
            options=settings,
            seating=seating,
            games=place.games(games),
            seed=seed,
            luck=luck,
            precision=precision,
        )
        for study in plan.studies:
            check_files(study)
        with who_plays(workers, scheduler) as crew:
            return run_comparison(plan, read_varied(vary), margin, place, crew, watch)

    def show(results: Any) -> None:
        from simlab.cli.tables import say_how_it_went, show_comparison

        say_how_it_went(results, words.note(quiet))
        show_comparison(results, form)

    played(job, show, quiet)

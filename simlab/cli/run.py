"""``simlab run``: many games, and the win rate of each policy with its uncertainty."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from simlab.cli import words
from simlab.cli.playing import check_files, played, playing_options, who_plays


@click.command(epilog=words.POLICIES)
@click.argument("game")
@click.argument("policies", nargs=-1, required=True, metavar="POLICY...")
@click.option("--save-games", is_flag=True, help="Keep every game's outcome, as Parquet, in --out.")
@click.option(
    "--trace",
    type=words.Whole("trace", 1, 100_000),
    metavar="N",
    help="Also play N deals that record every event and the legal moves of each decision.",
)
@playing_options
def run(
    game: str,
    policies: tuple[str, ...],
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
    save_games: bool,
    trace: int | None,
    form: str,
    quiet: bool,
) -> None:
    """Play many games of GAME with one POLICY for each seat, and say who wins how often.

    \b
    simlab run fantastique balanced 3xgreedy
    simlab run fantastique balanced:card=5 greedy mine.py::sniper --games 1e6 --seed 7
    simlab run fantastique balanced 3xgreedy --set finale=III --set gold=6,8,10,12,14,16,30
    simlab run fantastique balanced 3xgreedy --games 1e9 --out night --resume
    simlab run fantastique balanced 3xgreedy --games 1e8 --precision 0.1
    """

    def job(watch: Any) -> Any:
        from simlab.experiments.plans import Plan
        from simlab.experiments.running import Place, run_plan
        from simlab.experiments.study import Study
        from simlab.experiments.tracing import check_trace

        place = Place(out, resume, overwrite)
        study = Study.of(
            game,
            policies,
            options=settings,
            seating=seating,
            games=place.games(games),
            seed=seed,
            luck=luck,
            precision=precision,
            save_games=save_games,
        )
        check_trace(study, trace, out)
        check_files(study)
        with who_plays(workers, scheduler) as crew:
            results = run_plan(Plan((study,)), place, crew, watch)
        if trace is not None and results.played.complete:
            from simlab.experiments.tracing import trace_deals

            results.trace = trace_deals(study, trace, out)
        return results

    def show(results: Any) -> None:
        from simlab.cli.tables import say_how_it_went, show_results

        say_how_it_went(results, words.note(quiet))
        show_results(results, form)

    played(job, show, quiet)

"""``simlab status``, ``verify``, ``show`` and ``plot``: what a run folder holds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from simlab.cli import words
from simlab.cli.interrupt import Listener

FOLDER = click.Path(path_type=Path)


@click.command()
@click.argument("folder", type=FOLDER)
@words.output_format("table", "json", "csv")
def status(folder: Path, form: str) -> None:
    """Say how far the run in FOLDER is, and who holds it."""
    from simlab.experiments.inspecting import status_of

    found = status_of(folder)
    if form == "json":
        words.print_json(found)
    elif form == "csv":
        words.print_csv([found])
    else:
        rows = [[key, "-" if value is None else str(value)] for key, value in found.items()]
        words.print_table(str(folder), ["what", "value"], rows, (0, 1))


@click.command()
@click.argument("folder", type=FOLDER)
@words.quiet
def verify(folder: Path, quiet: bool) -> None:
    """Check the run in FOLDER: files whole, totals equal, two chunks played again."""

    def job() -> list[str]:
        from simlab.experiments.inspecting import verify_folder

        return verify_folder(folder, words.note(quiet))

    for line in Listener().work(job):
        click.echo(line)


@click.command()
@click.argument("folder", type=FOLDER)
@words.output_format("table", "json", "csv")
def show(folder: Path, form: str) -> None:
    """Print the tables of the run in FOLDER again; nothing is played."""
    from simlab.cli.standings import show_tournament
    from simlab.cli.tables import show_comparison, show_results
    from simlab.cli.tune import show_tuning
    from simlab.experiments.running import load
    from simlab.experiments.tournaments.results import TournamentResults
    from simlab.experiments.tuning.results import TuningResults

    results = load(folder)
    if not results.played.complete:
        words.note(False)(f"this run is partial: see simlab status {folder}")
    if not results.played.count.games:
        return
    if isinstance(results, TuningResults):
        show_tuning(results, form, words.note(False))
    elif isinstance(results, TournamentResults):
        show_tournament(results, form, words.note(False))
    elif len(results.played.plan.studies) > 1:
        show_comparison(results, form)
    else:
        show_results(results, form)


OF_A_RUN = ("win-rates", "seats", "points", "rounds", "convergence", "comparison", "park")
OF_A_TOURNAMENT = ("head-to-head", "ratings", "gauntlet")
OF_MIXES = ("mix", "alpha-rank", "trajectories", "flow")
OF_A_SEARCH = ("search", "worth")
KINDS = OF_A_RUN + OF_A_TOURNAMENT + OF_MIXES + OF_A_SEARCH
"""As `simlab.experiments.figures.KINDS`, which takes long to import."""


@click.command()
@click.argument("folder", type=FOLDER)
@click.argument("kind", type=click.Choice(KINDS), metavar="KIND")
@click.option("-o", "--output", "path", required=True, type=FOLDER, help="file.png, .svg or .pdf")
def plot(folder: Path, kind: str, path: Path) -> None:
    """Draw a figure of the run, tournament or search in FOLDER.

    KIND of a run: win-rates, seats, points, rounds, convergence, comparison; of Fantastic
    Park: park (the first game's, from above). Of a tournament: win-rates, head-to-head, ratings,
    gauntlet, and what clever players come to: mix, alpha-rank, trajectories, flow. Of a search:
    search, worth.

    \b
    simlab plot night win-rates -o rates.png
    simlab plot cup head-to-head -o meetings.svg
    simlab plot tuned worth -o worth.pdf
    """

    def job() -> None:
        from simlab.experiments import figures
        from simlab.experiments.running import load

        results: Any = load(folder)
        figures.save(figures.draw(kind, results), path)

    Listener().work(job)
    click.echo(str(path))
    sys.stdout.flush()

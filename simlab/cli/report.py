"""``simlab report``: a page that a designer hands to a colleague."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from simlab.cli import words
from simlab.cli.interrupt import Listener
from simlab.cli.playing import Bar
from simlab.errors import UsageError


@click.command()
@click.argument("what", nargs=-1, metavar="GAME|STUDY.toml|RUNDIR...")
@click.option(
    "-o", "--output", "out", type=click.Path(path_type=Path), help="Folder of the report."
)
@click.option(
    "--effort",
    default="normal",
    show_default=True,
    metavar="quick|normal|deep",
    help="How much of a game's standard study is played.",
)
@click.option("--list", "listing", is_flag=True, help="Name the sections that each game offers.")
@click.option("--overwrite", is_flag=True, help="Begin anew in a folder that holds another report.")
@words.seed
@words.workers
@words.quiet
def report(
    what: tuple[str, ...],
    out: Path | None,
    effort: str,
    listing: bool,
    overwrite: bool,
    seed: int,
    workers: int | None,
    quiet: bool,
) -> None:
    """Write a balance report: index.html, report.md, tables, figures, report.json.

    \b
    simlab report fantastique -o report/
    simlab report study.toml -o report/
    simlab report night/ cup/ -o report/
    """
    if listing:
        _list()
        return
    if not what or out is None:
        raise UsageError("a report takes a game, a study's file or folders of runs, and -o FOLDER")
    listener, bar = Listener(), Bar(quiet)
    folder = out

    def job() -> Path:
        from simlab.experiments.batches import Watch
        from simlab.reports.making import report as make

        watch = Watch(
            bar.show if bar.wanted else None,
            words.note(quiet),
            listener.set_stoppable,
            listener.stop,
        )
        one: Any = what[0] if len(what) == 1 else list(what)
        more: dict[str, Any] = {"effort": effort, "seed": seed, "workers": workers, "watch": watch}
        try:
            return make(one, folder, note=words.note(quiet), overwrite=overwrite, **more)
        finally:
            bar.close()

    click.echo(str(listener.work(job)))


def _list() -> None:
    from simlab.games import MODULES, game_named
    from simlab.reports.balance import section_names

    rows = [[name, ", ".join(section_names(game_named(name)))] for name in MODULES]
    words.print_table("sections of the reports", ["game", "sections"], rows, (0, 1))

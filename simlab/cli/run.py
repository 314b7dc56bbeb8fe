"""``simlab run``: many games, and the win rate of each policy with its uncertainty."""

from __future__ import annotations

import sys
import time
from typing import Any

import click

from simlab.cli import words
from simlab.cli.interrupt import INTERRUPTED, Listener


@click.command()
@click.argument("game")
@click.argument("policies", nargs=-1, required=True, metavar="POLICY...")
@click.option(
    "--games", default="100000", show_default=True, help="Games in all; 1e6 is understood."
)
@click.option(
    "--seating",
    default="rotate",
    show_default=True,
    metavar="rotate|fixed",
    help="rotate: each deal is played in every distinct rotation of the seats.",
)
@words.settings
@words.seed
@words.luck
@words.workers
@words.output_format("table", "json", "csv")
@words.quiet
def run(
    game: str,
    policies: tuple[str, ...],
    games: str,
    seating: str,
    settings: dict[str, str],
    seed: int,
    luck: int,
    workers: int | None,
    form: str,
    quiet: bool,
) -> None:
    """Play many games of GAME with one POLICY for each seat, and say who wins how often.

    \b
    simlab run fantastique balanced 3xgreedy
    simlab run fantastique balanced:hold=0.8 greedy mine.py::sniper --games 1e6 --seed 7
    simlab run fantastique 4xgreedy --set finale=III --set gold=6,8,10,12,14,16,30
    """
    listener = Listener()

    def job() -> Any:
        from simlab.checking import ensure_checked
        from simlab.experiments.batches import play
        from simlab.experiments.study import Study
        from simlab.policies import repeated

        study = Study.of(
            game, policies, options=settings, seating=seating, games=games, seed=seed, luck=luck
        )
        ensure_checked(game, repeated(policies), study.matchup.policies)
        bar = _Bar(quiet)
        try:
            return play(
                study,
                workers,
                progress=bar.show,
                notice=words.note(quiet),
                stop=listener.stop,
                ready=listener.set_stoppable,
            )
        finally:
            bar.close()

    played = listener.work(job)
    if played.count.games == 0:
        click.echo("simlab: interrupted before the first game was counted", err=True)
        sys.exit(INTERRUPTED)
    _show(played, form, words.note(quiet))
    if not played.complete:
        wanted = played.study.deals * len(played.study.seatings)
        line = f"interrupted: these are partial results, {played.count.games:,} of {wanted:,} games"
        click.echo(f"simlab: {line}", err=True)
        sys.stdout.flush()
        sys.exit(INTERRUPTED)


class _Bar:
    """Progress on standard error; nothing when it is no terminal, or was not wanted."""

    def __init__(self, quiet: bool) -> None:
        self._wanted = not quiet and sys.stderr.isatty()
        self._began = time.monotonic()
        self._bar: Any = None

    def show(self, games: int, wanted: int) -> None:
        """Move the bar; it appears only when play takes longer than half a second."""
        if not self._wanted or (self._bar is None and time.monotonic() - self._began < 0.5):
            return
        if self._bar is None:
            self._open(wanted)
        rate = games / (time.monotonic() - self._began)
        self._bar.update(self._task, completed=games, rate=f"{rate:,.0f} games/s")

    def _open(self, wanted: int) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("playing", total=wanted, rate="")
        self._bar.start()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()


def _show(played: Any, form: str, note: Any) -> None:
    from simlab.experiments.summary import summarise, tidy_rows

    summary = summarise(played)
    asked = played.study.games
    if played.complete and summary["games"] != asked:
        turns = len(played.study.seatings)
        note(
            f"{asked:,} games are rounded up to {summary['games']:,}: "
            f"whole deals of {turns} seatings"
        )
    if form == "json":
        words.print_json(summary)
    elif form == "csv":
        words.print_csv(tidy_rows(summary))
    else:
        _tables(summary)


def _tables(summary: dict[str, Any]) -> None:
    from simlab.cli.numbers import mean_and_sd, percent, percents

    study = summary["study"]
    players = study["players"]
    options = study["options"]
    side = f", finale {options['finale']}" if "finale" in options else ""
    head = (
        f"{study['game']}, {players} players{side}, seating {study['seating']}, "
        f"seed {study['seed']}: {summary['games']:,} games of {summary['deals']:,} deals"
        f" in {summary['seconds']:.2f} s ({summary['games_per_second']:,.0f} games/s)"
    )
    click.echo(head + "\n")
    headers = ["policy", "seat games", "win rate", "95 % interval", "points", "sd"]
    rows = [
        [row["policy"], f"{row['seat_games']:,}", *percents(row), *mean_and_sd(row["points"])]
        for row in summary["policies"]
    ]
    words.print_table(f"win rates (a fair share is {percent(1 / players, 1)})", headers, rows)
    click.echo()
    headers = ["seat", "win rate", "95 % interval", "points", "sd"]
    rows = [
        [str(row["seat"]), *percents(row), *mean_and_sd(row["points"])] for row in summary["seats"]
    ]
    words.print_table("by seat (0 starts)", headers, rows)
    click.echo()
    _columns(summary)


def _columns(summary: dict[str, Any]) -> None:
    from simlab.cli.numbers import mean_and_sd

    names = [row["policy"] for row in summary["policies"]]
    rows = []
    for column in summary["policies"][0]["columns"]:
        means = [mean_and_sd(row["columns"][column]) for row in summary["policies"]]
        rows.append([column, *(f"{mean} ({sd})" for mean, sd in means)])
    words.print_table("means (and standard deviations) a game", ["column", *names], rows)
    click.echo()
    rows = [[name, *mean_and_sd(mean)] for name, mean in summary["game_columns"].items()]
    words.print_table("by game", ["column", "mean", "sd"], rows)

"""What the commands that play have in common: where results go, progress, and being stopped."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from simlab.cli import words
from simlab.cli.interrupt import INTERRUPTED, Listener

if TYPE_CHECKING:
    from simlab.experiments.batches import Watch
    from simlab.experiments.results import Results

Function = TypeVar("Function", bound=Callable[..., Any])


def keeping_options(function: Function) -> Function:
    """Add the options that say where a run is kept."""
    for option in (
        click.option("--overwrite", is_flag=True, help="Begin anew in a folder that holds a run."),
        click.option(
            "--resume", is_flag=True, help="Go on with the run in --out, if there is one."
        ),
        click.option("--out", type=click.Path(path_type=Path), help="Folder that keeps the run."),
    ):
        function = option(function)
    return function


def playing_options(function: Function) -> Function:
    """Add the options of a command that plays studies."""
    for option in (
        words.quiet,
        words.output_format("table", "json", "csv"),
        keeping_options,
        words.workers,
        click.option(
            "--precision",
            type=float,
            metavar="POINTS",
            help="Stop once every win rate (and difference) is known within so many points.",
        ),
        words.luck,
        words.seed,
        click.option(
            "--seating",
            default="rotate",
            show_default=True,
            metavar="rotate|fixed|shuffle|all",
            help="How each deal is seated: in every rotation, as given, at random, in every order.",
        ),
        click.option(
            "--games",
            default=None,
            help="Games in all (100,000), or the most if --precision is given; 1e6 is understood.",
        ),
        words.settings,
    ):
        function = option(function)
    return function


def check_policies(study: Any, words: Sequence[str]) -> None:
    """Give those of some policies that stand in a user's files their short check, at one table."""
    from simlab.checking import ensure_checked
    from simlab.policies import read_policy

    policies = [read_policy(study.game, word) for word in words]
    ensure_checked(study.game_word, tuple(words), policies)


def check_files(study: Any) -> None:
    """Give the policies from a user's files their short check."""
    from simlab.checking import ensure_checked

    ensure_checked(study.game_word, study.words, study.matchup.policies)


def played(job: Callable[[Watch], Results], show: Callable[[Results], None], quiet: bool) -> None:
    """Play, show what was found, and leave with the right code if it was stopped."""
    listener = Listener()

    def work() -> Results:
        from simlab.experiments.batches import Watch

        bar = Bar(quiet)
        show_bar = bar.show if bar.wanted else None
        watch = Watch(show_bar, words.note(quiet), listener.set_stoppable, listener.stop)
        try:
            return job(watch)
        finally:
            bar.close()

    results = listener.work(work)
    if results.played.count.games:
        show(results)
    sys.stdout.flush()
    if not results.played.complete:
        _leave(results)


def _leave(results: Results) -> None:
    games = sum(count.games for count in results.played.part.counts)
    wanted = results.played.plan.games
    click.echo(
        f"simlab: interrupted: these are partial results, {games:,} of {wanted:,} games", err=True
    )
    if results.folder is not None:
        line = "add --resume to the same command" if "--resume" not in sys.argv else "run it again"
        click.echo(f"simlab: whole chunks are kept in {results.folder}; {line} to go on", err=True)
    sys.exit(INTERRUPTED)


class Bar:
    """Progress on standard error; nothing when it is no terminal, or was not wanted."""

    def __init__(self, quiet: bool) -> None:
        self.wanted = not quiet and sys.stderr.isatty()
        self._began = time.monotonic()
        self._bar: Any = None

    def show(self, plan: Any, part: Any, wanted: int) -> None:
        """Move the bar; it appears only when play takes longer than half a second."""
        if time.monotonic() - self._began < 0.5:
            return
        if self._bar is None:
            self._open(wanted)
        games = sum(count.games for count in part.counts)
        rate = games / (time.monotonic() - self._began)
        text = f"{rate:,.0f} games/s  {leading(plan, part)}"
        self._bar.update(self._task, completed=games, found=text)

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
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[found]}", markup=False),
        )
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("playing", total=wanted, found="")
        self._bar.start()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()


def leading(plan: Any, part: Any) -> str:
    """The two leading estimates so far with intervals that allow for being looked at.

    With a wanted precision also how many deals it takes, as it looks now. Nothing of a
    tournament or a search, which tell progress only how many games they have played.
    """
    import math

    from simlab.contract import WHOLE_WIN
    from simlab.experiments.sequences import deals_for
    from simlab.experiments.summary import Reading

    if not part.counts[0].sums:
        return ""
    reading = Reading(plan.base, part.counts[0], always_valid=True)
    lineup = plan.base.matchup.lineup
    shares = [reading.policy(who, reading.share_place, WHOLE_WIN) for who in range(len(lineup))]
    order = sorted(range(len(lineup)), key=lambda who: -shares[who].mean)
    said = []
    for who in order[:2]:
        low, high = reading.rate(shares[who])
        half = 50 * (high - low)
        said.append(f"{lineup[who].text} {100 * shares[who].mean:.1f} % (±{half:.2f})")
    wanted = plan.base.precision
    if wanted is not None and len(lineup) > 1:
        spread = max(share.error * math.sqrt(share.deals) for share in shares if share.deals > 1)
        said.append(f"to ±{wanted:g}: some {deals_for(wanted / 100, spread):,} deals")
    return "; ".join(said)

"""What the commands that play have in common: where results go, progress, and being stopped."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from simlab.cli import words
from simlab.cli.interrupt import INTERRUPTED, Listener
from simlab.errors import UsageError, in_full

if TYPE_CHECKING:
    from simlab.experiments.batches import Watch, Workers
    from simlab.experiments.results import Results

Function = TypeVar("Function", bound=Callable[..., Any])

BAR = 20
"""Letters that the bar takes; where there is not room for it and for numbers, it goes."""
LEAST_ROOM = 50
LONGEST_NAME = 24


def keeping_options(function: Function) -> Function:
    """Add the options that say where a run is kept."""
    for option in (
        click.option("--overwrite", is_flag=True, help="Begin anew in a folder that holds a run."),
        click.option(
            "--resume", is_flag=True, help="Go on with the run in --out, if there is one."
        ),
        click.option("--out", type=words.Folder(), help="Folder that keeps the run."),
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
        words.scheduler,
        click.option(
            "--precision",
            type=float,
            metavar="POINTS",
            help="Stop once every win rate (and difference) is known within so many points; with "
            "one policy in every seat, the win rate of every seat.",
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
            metavar="N",
            help="Games in all (100,000), in compare of each value, in tournament of each table; "
            "the most if --precision is given; 1e6 is understood.",
        ),
        words.settings,
    ):
        function = option(function)
    return function


@contextmanager
def who_plays(workers: int | None, scheduler: str | None) -> Iterator[Workers]:
    """Threads, or a cluster for as long as it is needed."""
    if scheduler is None:
        yield workers
        return
    if workers is not None:
        raise UsageError("--workers are threads here, --scheduler is a cluster: give one of them")
    from simlab.experiments.cluster import open_cluster

    with open_cluster(scheduler) as cluster:
        yield cluster


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
        self._room = 0
        self._first = (0.0, 0)  # time and games as play began: what is compiled or kept is no speed

    def show(self, plan: Any, part: Any, wanted: int) -> None:
        """Move the bar; it appears only when play takes longer than half a second."""
        now, games = time.monotonic(), sum(count.games for count in part.counts)
        if not self._first[0]:
            self._first = (now, games)
        if now - self._began < 0.5:
            return
        if self._bar is None:
            self._open(wanted)
        text = fitting(self._pieces(plan, part, games, now), self._room)
        self._bar.update(self._task, completed=games, found=text)

    def _pieces(self, plan: Any, part: Any, games: int, now: float) -> list[str]:
        """What there is to say, the most important first."""
        said = leading(plan, part)
        began, before = self._first
        if plan is None or now == began:  # without a plan it is parts that are counted
            return said
        speed = [f"{(games - before) / (now - began):,.0f} games/s"]
        return [*said[:1], *speed, *reversed(said[1:])]

    def _open(self, wanted: int) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        console = Console(stderr=True)
        self._room = console.width - len(f"{wanted}/{wanted} 0:00:00 ")
        columns: list[Any] = [
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[found]}", markup=False),
        ]
        if self._room > LEAST_ROOM + BAR:
            self._room -= BAR + 1
            columns.insert(0, BarColumn(bar_width=BAR))
        self._bar = Progress(*columns, console=console, transient=True)
        self._task = self._bar.add_task("playing", total=wanted, found="")
        self._bar.start()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()


def fitting(pieces: Sequence[str], room: int) -> str:
    """As many pieces, from the first, as there is room for: a number is shown whole or not."""
    said = ""
    for piece in pieces:
        longer = f"{said}; {piece}" if said else piece
        if len(longer) <= room:
            said = longer
    return said


def leading(plan: Any, part: Any) -> list[str]:
    """The two leading estimates so far with intervals that allow for being looked at.

    With a wanted precision also how many deals it takes, as it looks now. Nothing where only games
    are counted, as of a tournament's hundreds of tables.
    """
    from simlab.experiments.sequences import deals_for
    from simlab.experiments.summary import Reading

    if not part.counts[0].sums:
        return []
    reading = Reading(plan.base, part.counts[0], always_valid=True)
    shares = reading.shares()
    order = sorted(shares, key=lambda name: -shares[name].mean)
    said = []
    for name in order[:2]:
        low, high = reading.rate(shares[name])
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        sure = f"±{50 * (high - low):.2f}" if high - low < 1 else "few deals yet"
        said.append(f"{short} {100 * shares[name].mean:.1f} % ({sure})")
    wanted = plan.base.precision
    known = [share for share in shares.values() if share.deals > 1]
    if wanted is not None and known:
        spread = max(share.deviation for share in known)
        said.append(f"to ±{in_full(wanted)}: some {deals_for(wanted / 100, spread):,} deals")
    return said

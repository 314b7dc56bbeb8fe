"""``simlab check``: whether a policy plays by the contract."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from simlab.cli import words
from simlab.cli.interrupt import Listener

MEANINGS = {
    "legal": "every move was legal, every game ended",
    "deterministic": "the same decision in the same position",
    "tidy": "writes nothing but its notes, prints nothing",
    "honest": "the same decision when hidden cards are dealt anew",
    "blind": "really blind to what it says it is blind to",
}


@click.command()
@click.argument("game")
@click.argument("policy")
@click.option(
    "--games",
    type=words.Whole("games", 1, 10_000_000),
    default=1000,
    show_default=True,
    help="Games, over all sizes of table and all seats.",
)
@click.option(
    "--time-limit",
    type=words.Whole("time-limit", 1, 86_400),
    default=60,
    show_default=True,
    help="Seconds for each game, and for loading POLICY, after which it counts as never returning.",
)
@words.seed
@words.output_format("table", "json", "csv")
@words.quiet
def check(
    game: str, policy: str, games: int, time_limit: int, seed: int, form: str, quiet: bool
) -> None:
    """Play GAME with POLICY in a process of its own, and say whether it keeps the contract.

    \b
    simlab check fantastique balanced
    simlab check fantastique mine.py::sniper
    """
    listener = Listener()

    def job() -> Any:
        from simlab.checking import check as examine
        from simlab.engine import engine_of
        from simlab.games import game_named
        from simlab.policies import read_policy

        found = game_named(game)
        if "::" in policy:  # it is loaded in the process that checks it, not here
            _say_which(Path(policy.rpartition("::")[0]), quiet)
        else:
            read_policy(found, policy)
        engine_of(found, words.note(quiet))
        return examine(game, policy, games, seed, time_limit)

    verdict = listener.work(job)
    flat = asdict(verdict)
    if form == "json":
        words.print_json(flat)
    elif form == "csv":
        words.print_csv([flat])
    else:
        _table(flat)
    if not verdict.passed:
        sys.stdout.flush()
        sys.exit(1)


def _say_which(path: Path, quiet: bool) -> None:
    """Say which file is checked, if there is one."""
    from simlab.cache import file_digest

    if path.is_file():
        words.note(quiet)(f"{path.resolve()} (sha256 {file_digest(path)[:16]})")


def _table(verdict: dict[str, Any]) -> None:
    marks = {True: "yes", False: "NO", None: "not reached"}
    if verdict["passed"] and verdict["blind"] is None:
        marks[None] = "claims nothing"
    rows = [[name, marks[verdict[name]], meaning] for name, meaning in MEANINGS.items()]
    words.print_table(
        f"{verdict['policy']} ({verdict['game']})", ["property", "kept", "meaning"], rows, range(3)
    )
    if verdict["passed"]:
        spent = verdict["ns_per_decision"]
        time = f", {spent:.0f} ns a decision" if spent is not None else ""
        click.echo(
            f"\npassed: {verdict['games']:,} games, {verdict['decisions']:,} decisions{time}"
        )
        return
    click.echo(f"\nfailed: {verdict['failure']}")
    if verdict["position"]:
        click.echo("\n" + verdict["position"])
    if verdict["replay"]:
        click.echo(f"\nsee the whole game: {verdict['replay']}")

"""``simlab tune``: the numbers that make a policy strongest, judged on fresh deals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from simlab.cli import words
from simlab.cli.playing import check_policies, keeping_options, played, who_plays
from simlab.errors import UsageError


@click.command()
@click.argument("game")
@click.argument("policy")
@click.option("--against", metavar="LINE-UP", help="The other seats: '3xgreedy'.")
@click.option(
    "--exploit",
    metavar="DIR",
    help="Instead: against the equilibrium mix of the tournament in DIR; does its verdict stand?",
)
@click.option("--params", metavar="A,B,...", help="Parameters to tune; all unless given.")
@click.option("--sides", metavar="all", help="Draw the fan side for each deal.")
@click.option("--games", default="2000000", show_default=True, help="Games of the search.")
@click.option(
    "--judged",
    default="200000",
    show_default=True,
    help="Games of the judgement: of each side, and of each parameter's worth.",
)
@click.option("--seating", default="rotate", show_default=True, metavar="rotate|fixed|shuffle|all")
@words.settings
@words.seed
@words.workers
@words.scheduler
@keeping_options
@words.output_format("table", "json", "csv")
@words.quiet
def tune(
    game: str,
    policy: str,
    against: str | None,
    exploit: str | None,
    params: str | None,
    sides: str | None,
    games: str,
    judged: str,
    seating: str,
    settings: dict[str, str],
    seed: int,
    workers: int | None,
    scheduler: str | None,
    out: Path | None,
    resume: bool,
    overwrite: bool,
    form: str,
    quiet: bool,
) -> None:
    """Tune the parameters of POLICY (CMA-ES), and say what they gain on fresh deals.

    \b
    simlab tune fantastique balanced --against 3xgreedy --params card,deny
    simlab tune fantastique balanced --against 3xbalanced --sides all --out tuned --resume
    simlab tournament fantastique --out cup && simlab tune fantastique greedy --exploit cup
    """

    def job(watch: Any) -> Any:
        from simlab.experiments.running import Place
        from simlab.experiments.tuning.problem import Problem
        from simlab.experiments.tuning.search import tune as search

        problem = Problem.of(
            game,
            policy,
            _fields(game, against, exploit),
            params=[key for key in (params or "").split(",") if key],
            games=games,
            judged=judged,
            options=settings,
            sides=sides,
            seating=seating,
            seed=seed,
        )
        place = Place(out, resume, overwrite)
        others = [word for one in problem.fields for word in one.words]
        check_policies(problem.base, [problem.policy.word, *others])
        with who_plays(workers, scheduler) as crew:
            return search(problem, place, crew, watch)

    def show(results: Any) -> None:
        show_tuning(results, form, exploit is not None)

    played(job, show, quiet)


def _fields(game: str, against: str | None, exploit: str | None) -> Any:
    from simlab.experiments.tuning.problem import Field, mix_of_fields
    from simlab.policies import repeated

    if (against is None) == (exploit is None):
        raise UsageError("a policy is tuned --against LINE-UP, or to --exploit a tournament's DIR")
    if against is not None:
        return [Field(tuple(repeated(against.split())))]
    from simlab.experiments.tournaments.playing import tournament_of

    assert exploit is not None
    found = tournament_of(exploit)
    held = found.played.tournament.base.game.name
    if held != game:
        raise UsageError(f"{exploit} holds a tournament of {held}, not of {game}")
    return mix_of_fields(found.equilibrium(), found.played.tournament.players - 1)


def show_tuning(results: Any, form: str, exploits: bool = False) -> None:
    """Print a search in one of its forms."""
    if form == "json":
        words.print_json(results.record)
    elif form == "csv":
        words.print_csv(results.search().to_dict("records"))
    else:
        _tables(results, exploits)


def _tables(results: Any, exploits: bool) -> None:
    numbers, timings = results.numbers, results.timings
    partial = "" if timings["complete"] else ", PARTIAL"
    click.echo(
        f"{numbers['study']['game']}, {numbers['study']['players']} players: {numbers['games']:,} "
        f"games in {timings['seconds']:.1f} s{partial}\n"
    )
    rows = [
        [str(r["generation"]), f"{r['games']:,}"]
        + [f"{100 * r[key]:.1f} %" for key in ("least", "median", "most")]
        + [f"{value:.4g}" for value in r["mean"].values()]
        for r in _some(numbers["search"])
    ]
    headers = ["generation", "games each", "least", "median", "most", *numbers["values"]]
    words.print_table("the search: win rates of its candidates, and where it stood", headers, rows)
    if results.played.judged:
        click.echo()
        _worth(numbers["parameters"])
    click.echo(f"\n{numbers['found']}")
    click.echo(results.survives() if exploits else results.verdict())


def _some(rows: list[Any], most: int = 12) -> list[Any]:
    """At most so many rows, evenly taken, the last one among them."""
    step = -(-len(rows) // most)
    return rows if step <= 1 else [*rows[:-1:step], rows[-1]]


def _worth(parameters: list[dict[str, Any]]) -> None:
    from simlab.cli.numbers import points

    rows = []
    for row in parameters:
        cells = [row["parameter"], f"{row['start']:.4g}", f"{row['found']:.4g}", *points(row, 100)]
        rows.append([*cells, f"{row['p_holm']:.2g}"])
    headers = [
        "parameter",
        "was",
        "found",
        "points lost if it goes back",
        "95 % interval",
        "p (Holm)",
    ]
    words.print_table("what each parameter alone is worth, on fresh deals", headers, rows)

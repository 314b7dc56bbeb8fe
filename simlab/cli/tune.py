"""``simlab tune``: the numbers that make a policy strongest, judged on fresh deals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from simlab.cli import words
from simlab.cli.playing import check_policies, keeping_options, played, who_plays


@click.command()
@click.argument("game")
@click.argument("policy")
@click.option(
    "--against",
    metavar="LINE-UP",
    multiple=True,
    help="The other seats: '3xgreedy'; given several times, these fields count alike.",
)
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
    against: tuple[str, ...],
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
    simlab tune fantastique balanced --against 3xgreedy --against 3xbalanced --sides all
    simlab tune fantastique balanced --against 'greedy 2xspoiler' --out tuned --resume
    simlab tournament fantastique --out cup && simlab tune fantastique balanced --exploit cup
    """

    def job(watch: Any) -> Any:
        from simlab.experiments.running import Place
        from simlab.experiments.tuning.posing import pose
        from simlab.experiments.tuning.search import run_search

        problem = pose(
            game,
            policy,
            against,
            exploit,
            params=[key for key in (params or "").split(",") if key],
            games=games,
            judged=judged,
            options=settings,
            sides=sides,
            seating=seating,
            seed=seed,
        )
        more = problem.judgement_games
        words.note(quiet)(
            f"a search of {problem.games:,} games, then {more:,} to judge what it finds (--judged)"
        )
        place = Place(out, resume, overwrite)
        others = [word for one in problem.fields for word in one.words]
        check_policies(problem.base, [problem.policy.word, *others])
        with who_plays(workers, scheduler) as crew:
            return run_search(problem, place, crew, watch)

    def show(results: Any) -> None:
        show_tuning(results, form, words.note(quiet))

    played(job, show, quiet)


def show_tuning(results: Any, form: str, note: Callable[[str], None]) -> None:
    """Print a search in one of its forms."""
    if results.played.complete and not results.played.seconds:
        note(f"this search was finished already; nothing was played ({results.folder})")
    if form == "json":
        words.print_json(results.record)
    elif form == "csv":
        words.print_csv(results.search().to_dict("records"))
    else:
        _tables(results)


def _tables(results: Any) -> None:
    numbers, timings = results.numbers, results.timings
    partial = "" if timings["complete"] else ", PARTIAL"
    study, seconds = numbers["study"], timings["seconds"]
    click.echo(
        f"{study['game']}, {study['players']} players, seed {study['seed']}: "
        f"{numbers['games']:,} games" + (f" in {seconds:.1f} s" if seconds else "") + partial + "\n"
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
    click.echo(numbers["verdict"])


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

"""The tables of a run and of a comparison, as they are printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from simlab.cli import words
from simlab.cli.numbers import mean_and_sd, percent, percents, points


def say_how_it_went(results: Any, note: Callable[[str], None]) -> None:
    """Notes on how the games came about: rounded up, nothing left to play, stopped early."""
    played = results.played
    study, games = played.study, played.count.games
    if played.complete and not played.stopped_early and games != study.games:
        turns = len(study.seatings)
        note(f"{study.games:,} games are rounded up to {games:,}: whole deals of {turns} seatings")
    if played.complete and played.played_games == 0:
        note(f"this run was finished already; nothing was played ({results.folder})")
    if played.stopped_early:
        note(f"precise enough after {games:,} of at most {study.games:,} games")


def show_results(results: Any, form: str) -> None:
    """Print a run in one of its forms."""
    if form == "json":
        words.print_json(results.record)
    elif form == "csv":
        from simlab.experiments.summary import tidy_rows

        words.print_csv(tidy_rows(results.numbers))
    else:
        _run_tables(results)


def _heading(study: dict[str, Any]) -> str:
    options = study["options"]
    side = f", finale {options['finale']}" if "finale" in options else ""
    return (
        f"{study['game']}, {study['players']} players{side}, seating {study['seating']}, "
        f"seed {study['seed']}"
    )


def _speed(results: Any) -> str:
    timings = results.timings
    if not results.played.played_games:
        return ""
    return f" in {timings['seconds']:.2f} s ({timings['games_per_second']:,.0f} games/s)"


def _run_tables(results: Any) -> None:
    numbers = results.numbers
    study, games = numbers["study"], f"{numbers['games']:,} games of {numbers['deals']:,} deals"
    click.echo(f"{_heading(study)}: {games}{_speed(results)}\n")
    best = set(results.best())
    headers = ["policy", "seat games", "win rate", "95 % interval", "points", "sd", ""]
    rows = [
        [
            row["policy"],
            f"{row['seat_games']:,}",
            *percents(row),
            *mean_and_sd(row["points"]),
            "best" if row["policy"] in best and len(numbers["policies"]) > 1 else "",
        ]
        for row in numbers["policies"]
    ]
    fair = percent(1 / study["players"], 1)
    words.print_table(f"win rates (a fair share is {fair})", headers, rows)
    click.echo()
    headers = ["seat", "win rate", "95 % interval", "points", "sd"]
    rows = [
        [str(row["seat"]), *percents(row), *mean_and_sd(row["points"])] for row in numbers["seats"]
    ]
    words.print_table("by seat (0 starts)", headers, rows)
    click.echo()
    _columns(numbers)
    click.echo(f"\nintervals: {numbers['intervals']}")
    click.echo(f"{4 * numbers['games']:,} games would halve them")


def _columns(numbers: dict[str, Any]) -> None:
    names = [row["policy"] for row in numbers["policies"]]
    rows = []
    for column in numbers["policies"][0]["columns"]:
        means = [mean_and_sd(row["columns"][column]) for row in numbers["policies"]]
        rows.append([column, *(f"{mean} ({sd})" for mean, sd in means)])
    words.print_table("means (and standard deviations) a game", ["column", *names], rows)
    click.echo()
    rows = [[name, *mean_and_sd(mean)] for name, mean in numbers["game_columns"].items()]
    words.print_table("by game", ["column", "mean", "sd"], rows)


def show_comparison(results: Any, form: str) -> None:
    """Print a comparison in one of its forms."""
    if form == "json":
        words.print_json({**results.numbers, **results.timings})
    elif form == "csv":
        words.print_csv(_comparison_rows(results.numbers))
    else:
        _comparison_tables(results)


def _comparison_rows(numbers: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for row in numbers["differences"]:
        low, high = row["ci95"]
        line = {**row["value"], "policy": row["policy"], "measure": row["measure"]}
        line |= {"difference": row["difference"], "low": low, "high": high}
        rows.append({**line, "p_holm": row["p_holm"], "gain": row["gain"]})
    return rows


def _comparison_tables(results: Any) -> None:
    from simlab.experiments.comparing import in_words

    numbers = results.numbers
    games = sum(variant["run"]["games"] for variant in numbers["variants"])
    what = " and ".join(one["key"] for one in numbers["vary"])
    click.echo(f"{_heading(numbers['study'])}: {what} varied, {games:,} games{_speed(results)}")
    if not numbers["paired"]:
        click.echo("not paired: the values are played in different seatings")
    if numbers["rescored"]:
        click.echo("the same games, scored again: nobody at the table looks at what is varied")
    click.echo()
    rows = []
    for variant in numbers["variants"]:
        label = in_words(variant["value"])
        for row in variant["run"]["policies"]:
            rows.append([label, row["policy"], *percents(row), *mean_and_sd(row["points"])])
            label = ""
    headers = [what, "policy", "win rate", "95 % interval", "points", "sd"]
    words.print_table("win rates", headers, rows, (0, 1))
    click.echo()
    _game_columns(numbers)
    base = in_words(numbers["baseline"])
    for measure in ("win_rate", "points"):
        click.echo()
        _differences(numbers, measure, base, results.margin)
    click.echo(f"\nintervals: {numbers['variants'][0]['run']['intervals']}")
    click.echo("p-values are corrected over each table (Holm); --format json has every measure")


def _game_columns(numbers: dict[str, Any]) -> None:
    from simlab.experiments.comparing import in_words

    labels = [in_words(variant["value"]) for variant in numbers["variants"]]
    runs = [variant["run"] for variant in numbers["variants"]]
    rows = [
        [name, *(mean_and_sd(run["game_columns"][name])[0] for run in runs)]
        for name in runs[0]["game_columns"]
    ]
    first = runs[0]["policies"][0]["policy"]
    for name in ("finale_cards", "hand_cards"):
        if name in runs[0]["policies"][0]["columns"]:
            cells = [mean_and_sd(run["policies"][0]["columns"][name])[0] for run in runs]
            rows.append([f"{name} of {first}", *cells])
    words.print_table("means a game", ["column", *labels], rows)


def _differences(numbers: dict[str, Any], measure: str, base: str, margin: float | None) -> None:
    from simlab.experiments.comparing import in_words

    share = measure == "win_rate"
    headers = ["value", "policy", "difference", "95 % interval", "p (Holm)", "common luck"]
    if margin is not None and share:
        headers.append(f"within {margin:g}")
    rows = []
    for row in numbers["differences"]:
        if row["measure"] != measure:
            continue
        gain = "-" if row["gain"] is None else f"{row['gain']:.2f} times the games"
        cells = [in_words(row["value"]), row["policy"], *points(row, 100 if share else 1)]
        cells += [f"{row['p_holm']:.2g}", gain]
        if margin is not None and share:
            p = row["p_equivalent"]
            cells.append("shown" if p is not None and p <= 0.05 else "not shown")
        rows.append(cells)
    unit = "points of win rate" if share else measure
    words.print_table(f"differences from {base}, in {unit}", headers, rows, (0, 1))

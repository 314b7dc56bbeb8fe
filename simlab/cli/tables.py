"""The tables of a run and of a comparison, as they are printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from simlab.cli import words
from simlab.cli.layout import say
from simlab.cli.numbers import chance, mean_and_sd, percent, percents, points, times, verdict
from simlab.errors import counted, in_full


def say_how_it_went(results: Any, note: Callable[[str], None]) -> None:
    """Notes on how the games came about: rounded up, nothing left to play, stopped early."""
    played = results.played
    study, games = played.study, played.count.games
    if played.complete and not played.stopped_early and games != study.games:
        turns = counted(len(study.seatings), "seating")
        wanted = f"{counted(study.games, 'game')} {'is' if study.games == 1 else 'are'}"
        note(f"{wanted} rounded up to {games:,}: whole deals of {turns}")
    if played.complete and played.played_games == 0:
        note(f"this run was finished already; nothing was played ({results.folder})")
    if study.precision is not None and results.reading.by_symmetry:
        only = study.matchup.lineup[0].text
        note(f"{only} holds every seat: --precision goes by the win rates of the seats")
    if played.stopped_early:
        note(f"precise enough after {games:,} of at most {counted(study.games, 'game')}")


def show_results(results: Any, form: str) -> None:
    """Print a run in one of its forms."""
    if form == "json":
        words.print_json(results.record)
    elif form == "csv":
        from simlab.experiments.summary import tidy_rows

        words.print_csv(tidy_rows(results.numbers))
    else:
        _run_tables(results)


def _heading(results: Any, varied: Sequence[str] = ()) -> str:
    """What was played, by which rules: those that are printed are left out."""
    study, record = results.study, results.numbers["study"]
    printed = {option.key: option.default for option in study.game.options}
    said = [record["game"]]
    if "players" not in varied:
        said.append(counted(record["players"], "player"))
    for option in study.game.options:
        value = study.game.read_options(study.matchup.options)[option.key]
        if option.key not in varied and (option.key == "finale" or value != printed[option.key]):
            said.append(f"{option.key} {option.text(value)}")
    return ", ".join([*said, f"seating {record['seating']}", f"seed {record['seed']}"])


def _partial(results: Any) -> str:
    """How much of the run there is, if it is not all."""
    played = results.played
    if played.complete:
        return ""
    if played.chunks is not None:
        done, chunks = played.chunks
        return f"PARTIAL, {done:,} of {counted(chunks, 'chunk')}: "
    games = sum(count.games for count in played.part.counts)
    return f"PARTIAL, {games:,} of {counted(played.plan.games, 'game')}: "


def _speed(results: Any, games: int) -> str:
    """How long it took; where other games count than those of that time, how many it were.

    A run that goes on has games of earlier parts, one that was interrupted such as are not kept.
    """
    timings, now = results.timings, results.played.played_games
    if not now:
        return ""
    which = f"; {counted(now, 'game')} played now" if now != games else ""
    return f"{which} in {timings['seconds']:.2f} s ({timings['games_per_second']:,.0f} games/s)"


def _by_symmetry(results: Any) -> str:
    only = results.study.matchup.lineup[0].text
    return f"{only} holds every seat: its win rate is the fair share by symmetry, no estimate"


def _run_tables(results: Any) -> None:
    numbers, games = results.numbers, results.numbers["games"]
    size = f"{counted(games, 'game')} of {counted(numbers['deals'], 'deal')}"
    say(f"{_partial(results)}{_heading(results)}: {size}{_speed(results, games)}")
    click.echo()
    _win_rates(results)
    click.echo()
    headers = ["seat", "win rate", "95 % interval", "points", "sd"]
    rows = [
        [str(row["seat"]), *percents(row), *mean_and_sd(row["points"])] for row in numbers["seats"]
    ]
    words.print_table("by seat (0 starts)", headers, rows)
    click.echo()
    _columns(numbers)
    click.echo()
    say(f"intervals: {numbers['intervals']}")
    say(f"{counted(4 * games, 'game')} would halve them")
    say(f"what the columns mean: simlab rules {results.study.game_word}")


def _win_rates(results: Any) -> None:
    """Who wins how often; of one policy in every seat only the points are news."""
    rows, alone = results.numbers["policies"], results.reading.by_symmetry
    best = set() if alone else set(results.best())
    headers = ["policy", "seat games", "win rate", "95 % interval", "points", "sd", ""]
    cells = [
        [
            row["policy"],
            f"{row['seat_games']:,}",
            *((percents(row)[0], "by symmetry") if alone else percents(row)),
            *mean_and_sd(row["points"]),
            "best" if row["policy"] in best else "",
        ]
        for row in rows
    ]
    fair = percent(1 / results.numbers["study"]["players"], 1)
    words.print_table(f"win rates (a fair share is {fair})", headers, cells)
    if alone:
        say(f"{_by_symmetry(results)}; those of the seats are estimates")
    else:
        say("best: the highest win rate, and those that the same deals cannot tell from it")


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


# --- Comparisons ----------------------------------------------------------------------------------


def show_comparison(results: Any, form: str) -> None:
    """Print a comparison in one of its forms."""
    if form == "json":
        words.print_json({**results.numbers, **results.timings})
    elif form == "csv":
        words.print_csv(comparison_rows(results.numbers))
    else:
        _comparison_tables(results)


def comparison_rows(numbers: dict[str, Any]) -> list[dict[str, Any]]:
    """A row for each value, policy and measure: its mean, and how it differs from the baseline.

    The baseline's own rows come first; they, and policies that one of the tables does not have,
    have no difference. With a margin, ``within_margin`` is the verdict on equality.
    """
    found = []
    differences = {_key(row): row for row in numbers["differences"]}
    measures = dict.fromkeys(row["measure"] for row in numbers["differences"])
    margin = any("p_equivalent" in row for row in numbers["differences"])
    for variant in numbers["variants"]:
        for policy, measure, mean in _means(variant["run"]):
            if measure not in measures:
                continue
            line = {**variant["value"], "policy": policy, "measure": measure, **mean}
            key = (tuple(variant["value"].values()), policy, measure)
            found.append({**line, **_difference(differences.get(key), margin)})
    return found


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row["value"].values()), row["policy"], row["measure"]


def _means(run: dict[str, Any]) -> list[tuple[str | None, str, dict[str, Any]]]:
    """Policy, measure and mean with its interval of everything that a run has."""
    found: list[tuple[str | None, str, dict[str, Any]]] = []
    for row in run["policies"]:
        rate = {"mean": row["win_rate"], "ci95": row["ci95"]}
        columns = {"win_rate": rate, "points": row["points"], **row["columns"]}
        found += [(row["policy"], name, _mean(mean)) for name, mean in columns.items()]
    return found + [(None, name, _mean(mean)) for name, mean in run["game_columns"].items()]


def _mean(mean: dict[str, Any]) -> dict[str, Any]:
    low, high = mean["ci95"]
    return {"mean": mean["mean"], "mean_low": low, "mean_high": high}


def _difference(row: dict[str, Any] | None, margin: bool) -> dict[str, Any]:
    low, high = (None, None) if row is None else row["ci95"]
    row = row or {}
    found = {"difference": row.get("difference"), "low": low, "high": high}
    found |= {"p_holm": row.get("p_holm"), "gain": row.get("gain")}
    if margin:
        tested = row.get("p_holm") is not None and "p_equivalent" in row
        found["p_equivalent"] = row.get("p_equivalent")
        found["within_margin"] = verdict(row["p_equivalent"]) if tested else None
    return found


def _comparison_tables(results: Any) -> None:
    from simlab.experiments.comparing import in_words

    numbers = results.numbers
    games = sum(variant["run"]["games"] for variant in numbers["variants"])
    base, keys = in_words(numbers["baseline"]), [one["key"] for one in numbers["vary"]]
    size = f"{counted(games, 'game')}{_speed(results, games)}"
    say(f"{_partial(results)}{_heading(results, keys)}: {size}")
    for one in numbers["vary"]:
        say(f"varied: {one['key']} = {', '.join(one['values'])}")
    how = (
        "on the same deals"
        if numbers["paired"]
        else "not paired: the values are played in different seatings"
    )
    if numbers["rescored"]:
        how = "the same games, scored again: nobody at the table looks at what is varied"
    say(f"compared with {base}; {how}")
    click.echo()
    what = " and ".join(keys)
    alone = all(results.by_symmetry(n) for n in range(len(numbers["variants"])))
    _values(results, what, alone)
    click.echo()
    _game_columns(numbers)
    for measure in ("points",) if alone else ("win_rate", "points"):
        click.echo()
        _differences(numbers, measure, base, results.margin)
    _footnotes(results, alone)


def _values(results: Any, what: str, alone: bool) -> None:
    """The main figures of each value."""
    from simlab.experiments.comparing import in_words

    rows = []
    for variant in results.numbers["variants"]:
        label = in_words(variant["value"])
        for row in variant["run"]["policies"]:
            rates = [percents(row)[0], "by symmetry"] if alone else percents(row)
            rows.append([label, row["policy"], *rates, *mean_and_sd(row["points"])])
            label = ""
    headers = [what, "policy", "win rate", "95 % interval", "points", "sd"]
    words.print_table("win rates", headers, rows, (0, 1))


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
        headers.append(f"within {in_full(margin)}")
    rows = []
    for row in numbers["differences"]:
        if row["measure"] != measure:
            continue
        cells = [in_words(row["value"]), row["policy"], *points(row, 100 if share else 1)]
        if row["p_holm"] is None:
            cells[3] = "by symmetry"
        cells += [chance(row["p_holm"]), times(row["gain"])]
        if margin is not None and share:
            cells.append("-" if row["p_holm"] is None else verdict(row["p_equivalent"]))
        rows.append(cells)
    unit = "points of win rate" if share else measure
    words.print_table(f"differences from {base}, in {unit}", headers, rows, (0, 1))


def _footnotes(results: Any, alone: bool) -> None:
    """What the words of a comparison's tables mean, as far as they are used."""
    numbers = results.numbers
    click.echo()
    if alone:
        margin = "" if results.margin is None else " and nothing to hold within a margin"
        say(f"{_by_symmetry(results)}; there is nothing to compare{margin}")
    say(f"intervals: {numbers['variants'][0]['run']['intervals']}")
    say("p-values are corrected over each table (Holm); --format json has every measure")
    if any(row["gain"] is not None for row in numbers["differences"]):
        say(
            "common luck: both values meet the same deals, so that some luck cancels; "
            f"{times(1.3)}: as precise as from 1.30 times the games, each on deals of their own"
        )
    say(f"what the columns mean: simlab rules {results.study.game_word}")

"""The tables of a tournament, as they are printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from simlab.cli import words
from simlab.cli.numbers import percent, percents

WIDE = 12
"""Most policies that a head-to-head matrix is printed for; JSON and CSV have every pair."""


def show_tournament(results: Any, form: str, note: Callable[[str], None]) -> None:
    """Print a tournament in one of its forms; nothing before every table has played."""
    missing = results.not_whole()
    if missing is not None:
        note(missing)
    elif form == "json":
        words.print_json(results.record)
    elif form == "csv":
        words.print_csv(_rows(results))
    else:
        _say_how_it_went(results, note)
        _tables(results)


def _say_how_it_went(results: Any, note: Callable[[str], None]) -> None:
    played = results.played
    if played.complete and played.played_games == 0:
        note(f"this tournament was finished already; nothing was played ({results.folder})")
    if played.stopped_early:
        note("stopped before all games were played: what was asked for is known")
    study = results.numbers["study"]
    if not played.complete and study["design"]["kind"] == "balanced":
        note("the tables among the best, for the game of mixes, have not all played")


def _rows(results: Any) -> list[dict[str, Any]]:
    """One row for each two policies that met, with what each is on its own."""
    found = results.numbers["head_to_head"]
    own = {row["policy"]: row for row in results.numbers["policies"]}
    rows = []
    for i, policy in enumerate(found["policies"]):
        for j, rival in enumerate(found["policies"]):
            ahead, interval = found["matrix"][i][j], found["ci95"][i][j]
            if ahead is None:
                continue
            row = own[policy]
            low, high = row["ci95"]
            line = {"policy": policy, "win_rate": row["win_rate"], "low": low, "high": high}
            line |= {"rating": row["rating"], "rival": rival, "ahead": ahead}
            rows.append({**line, "ahead_low": interval[0], "ahead_high": interval[1]})
    return rows


def _tables(results: Any) -> None:
    numbers = results.numbers
    ordered = sorted(numbers["policies"], key=lambda row: -row["win_rate"])
    click.echo(_heading(results) + "\n")
    _standings(results, ordered)
    click.echo()
    if len(ordered) <= WIDE:
        _matrix(numbers["head_to_head"], [row["policy"] for row in ordered])
        click.echo()
    if numbers["study"]["focus"] is not None:
        _gauntlet(numbers)
        click.echo()
    if numbers["meta"] is not None:
        _meta(numbers["meta"], numbers["mixes"])
    click.echo(f"\nintervals: {numbers['intervals']}")
    fixed = ", 95 % at these deals" if results.always_valid else ""
    click.echo(f"ratings: Elo's scale, 0 is even with the field; intervals over deals{fixed}")


def _heading(results: Any) -> str:
    numbers, played = results.numbers, results.played
    study, timings = numbers["study"], results.timings
    kind = {"every table": "every table", "balanced": "a balanced sample of tables"}
    what = kind.get(study["design"]["kind"], f"gauntlet of {study['focus']}")
    speed = f" in {timings['seconds']:.1f} s ({timings['games_per_second']:,.0f} games/s)"
    partial = "" if played.complete else ", PARTIAL"
    return (
        f"{study['game']}, {study['players']} players, {what} ({numbers['tables']:,}), "
        f"seed {study['seed']}: {numbers['games']:,} games"
        + (speed if played.played_games else "")
        + partial
    )


def _standings(results: Any, ordered: list[dict[str, Any]]) -> None:
    study = results.numbers["study"]
    headers = ["policy", "win rate", "95 % interval", "rating", "95 % interval"]
    headers += ["wins most", "least"]
    more: list[tuple[str, Any]] = []  # what else a row says, and under which heading
    if study["focus"] is None:
        more.append(("best", lambda row: "best" if row["best"] else ""))
    if study["race"]:
        more.append(("out after", _out_after))
    rows = []
    for row in ordered:
        low, high = row["rating_ci95"]
        cells = [row["policy"], *percents(row)]
        cells += [f"{row['rating']:+.0f}", f"{low:+.0f} to {high:+.0f}"]
        cells += [row["best_opponent"] or "-", row["worst_opponent"] or "-"]
        rows.append(cells + [say(row) for _, say in more])
    fair = percent(1 / study["players"], 1)
    title = f"standings (a fair share is {fair}; wins most and least: at whose tables)"
    words.print_table(title, headers + [name for name, _ in more], rows, (0, 5, 6, 7, 8))


def _out_after(row: dict[str, Any]) -> str:
    return "" if row["out_after"] is None else f"{row['out_after']:,} games a table"


def _matrix(found: dict[str, Any], order: list[str]) -> None:
    """How often the policy of the row ends ahead of that of the column, in per cent."""
    place = {policy: n for n, policy in enumerate(found["policies"])}
    rows = []
    for policy in order:
        cells = [found["matrix"][place[policy]][place[rival]] for rival in order]
        rows.append([policy, *("-" if c is None else f"{100 * c:.1f}" for c in cells)])
    numbers = [str(n + 1) for n in range(len(order))]
    rows = [[f"{n} {row[0]}", *row[1:]] for n, row in zip(numbers, rows, strict=True)]
    words.print_table("row ends ahead of column, per cent (ties half)", ["", *numbers], rows)


def _gauntlet(numbers: dict[str, Any]) -> None:
    """How the policy in focus does in each seat, and against each opponent."""
    focus = next(r for r in numbers["policies"] if r["policy"] == numbers["study"]["focus"])
    rows = [[str(s["seat"]), *percents(s)] for s in focus["seats"] if s["ci95"] is not None]
    if rows:
        title = f"{focus['policy']} by seat (0 starts)"
        words.print_table(title, ["seat", "win rate", "95 % interval"], rows)
        click.echo()
    rows = [[met["policy"], *percents(met)] for met in focus["against"]]
    title = f"{focus['policy']} at the tables of each opponent"
    words.print_table(title, ["opponent", "win rate", "95 % interval"], rows)


def _meta(meta: dict[str, Any], mixes: dict[str, Any] | None) -> None:
    """What clever players would come to: shares of the mix and of alpha-rank, and in words."""
    if mixes is not None:
        click.echo(
            f"the game of mixes: among the best {len(mixes['policies'])}, at every table of theirs "
            f"({mixes['tables']:,} tables, {mixes['games']:,} games, which count for it alone)\n"
        )
    rows = []
    for row in sorted(meta["bootstrap"]["policies"], key=lambda row: (-row["mix"], -row["mass"])):
        cells = [row["policy"]]
        for key in ("mix", "mass"):
            span = f"{100 * row[f'{key}_low']:.0f} to {100 * row[f'{key}_high']:.0f}"
            cells += [f"{100 * row[key]:.1f} %", span]
        rows.append([*cells, f"{100 * row['in_mix']:.0f} %", f"{100 * row['safe']:.0f} %"])
    draws = meta["bootstrap"]["draws"]
    headers = ["policy", "mix", "95 %", "alpha-rank", "95 %", "in the mix", "safe alone"]
    title = f"what clever players come to (resamples of the deals: {draws})"
    words.print_table(title, headers, rows)
    click.echo()
    for sentence in meta["verdict"]:
        click.echo(f"- {sentence}")

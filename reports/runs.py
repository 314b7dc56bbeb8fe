"""A report of any run folders: what each holds, in tables and figures; nothing is played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simlab import __version__
from simlab.errors import UsageError
from simlab.experiments.comparing import Comparison, in_words
from simlab.experiments.figures.kinds import draw
from simlab.experiments.measures import summarise_play
from simlab.experiments.results import Results
from simlab.experiments.tournaments.results import TournamentResults
from simlab.reports.document import (
    Block,
    Column,
    Figure,
    Listing,
    Number,
    Report,
    Section,
    Sentence,
    Table,
)
from simlab.reports.sections.method import CAUTION, SOURCES
from simlab.reports.sections.strategies import ordered
from simlab.reports.wording import capital, difference, key_of, measured, rate, strongest_words
from simlab.reports.wording import mean as mean_number

MAPPED = 30
"""Most strategies whose meetings are drawn as a map."""


def report_of_runs(folders: list[Path]) -> Report:
    """A section for each folder.

    Raises
    ------
    UsageError
        If a folder holds no run, or nothing was played in it yet.
    DamagedFolderError
        If a file is not as it was written; names it.
    """
    from simlab.experiments.running import load

    if not folders:
        raise UsageError("a report needs a game, a study's file or folders of runs")
    sections, warnings, games, titles = [], [], 0, []
    for place, folder in enumerate(folders, 1):
        results: Any = load(folder)
        if not results.played.count.games:
            raise UsageError(f"nothing was played in {folder} yet")
        if not results.played.complete:
            warnings.append(f"{folder.name} is partial: its run was stopped before its end")
        games += sum(count.games for count in results.played.part.counts)
        section, title = _section(f"run-{place}", folder, results)
        sections.append(section)
        titles.append(title)
    method = Section(
        "method",
        "Method",
        [
            Sentence.of(Number("games-played", float(games), None, "games"), " games were played."),
            Listing(SOURCES),
            Section("cautions", "What not to conclude", [Listing(CAUTION)]),
        ],
    )
    title = ", ".join(dict.fromkeys(titles))
    subtitle = f"{len(folders)} run{'s' if len(folders) > 1 else ''}, {games:,} games"
    return Report(
        f"Report: {title}",
        f"{subtitle}, simlab {__version__}",
        [*sections, method],
        warnings,
        {"games": games, "folders": [folder.name for folder in folders]},
    )


def _section(name: str, folder: Path, results: Any) -> tuple[Section, str]:
    if isinstance(results, TournamentResults):
        return _tournament(name, folder, results), results.played.tournament.base.game.title
    if isinstance(results, Comparison):
        return _comparison(name, folder, results), results.study.game.title
    if isinstance(results, Results):
        return _run(name, folder, results), results.study.game.title
    raise UsageError(f"{folder} holds a search; reports are of runs, comparisons and tournaments")


def _setting(study: dict[str, Any]) -> Listing:
    """What was played, in lines."""
    lines = [f"{study['players']} players: {', '.join(study['policies'])}"]
    lines.append(f"seating {study['seating']}, seed {study['seed']}")
    lines += [f"{key} = {value}" for key, value in study["options"].items()]
    return Listing(lines)


def _best_words(name: str, results: Results) -> Sentence:
    numbers = results.own_numbers
    rows = sorted(numbers["policies"], key=lambda row: -(row["win_rate"] or 0.0))
    players = numbers["study"]["players"]
    fair = Number(key_of(name, "fair"), 1 / players, None, "share")
    number = rate(key_of(name, rows[0]["policy"], "win_rate"), rows[0], numbers["deals"])
    if len(rows) == 1:
        return Sentence.of(
            f"{rows[0]['policy']} sits in every seat: each wins its share, ", fair, "."
        )
    best = set(results.best())
    return strongest_words(
        [row["policy"] for row in rows if row["policy"] in best], number, players, fair
    )


def _run(name: str, folder: Path, results: Results) -> Section:
    numbers = results.own_numbers
    blocks: list[Block | Section] = [_best_words(name, results), _rates(name, numbers)]
    if len(numbers["policies"]) > 1:
        caption = "Win rates with 95 % intervals; the dashed line is a fair share."
        blocks.append(
            Figure(
                f"{name}-rates", caption, "Dots of win rates.", lambda: draw("win-rates", results)
            )
        )
    blocks += [_seats(name, numbers), _columns(name, numbers)]
    if results.study.save_games and results.folder is not None:
        measures = summarise_play(results.games())
        rows: list[list[str | Number]] = [
            [one.name, measured(key_of(name, "play", one.name), one), one.definition]
            for one in measures
        ]
        columns = [Column("measure", True), Column("value"), Column("what it is", True)]
        blocks.append(Table(f"{name}-play", "How it plays", columns, rows))
    blocks.append(Section(f"{name}-setting", "What was played", [_setting(numbers["study"])]))
    return Section(name, f"Run {folder.name}", _at_every_look(results) + blocks)


def _rates(name: str, numbers: dict[str, Any]) -> Table:
    columns = [Column("strategy", True), Column("seat games"), Column("win rate"), Column("points")]
    rows: list[list[str | Number]] = []
    for row in numbers["policies"]:
        key, deals = key_of(name, row["policy"]), numbers["deals"]
        games = Number(f"{key}.games", float(row["seat_games"]), None, "games")
        points = mean_number(f"{key}.points", row["points"], "number", deals)
        rows.append([row["policy"], games, rate(f"{key}.win_rate", row, deals), points])
    return Table(f"{name}-rates", "Win rates", columns, rows)


def _seats(name: str, numbers: dict[str, Any]) -> Table:
    columns = [Column("seat", True), Column("win rate"), Column("points")]
    rows: list[list[str | Number]] = []
    for row in numbers["seats"]:
        key = key_of(name, "seat", row["seat"])
        points = mean_number(f"{key}.points", row["points"])
        rows.append([str(row["seat"]), rate(f"{key}.win_rate", row), points])
    return Table(f"{name}-seats", "By seat (0 starts)", columns, rows)


def _columns(name: str, numbers: dict[str, Any]) -> Table:
    columns = [Column("column", True)] + [Column(row["policy"]) for row in numbers["policies"]]
    rows: list[list[str | Number]] = []
    for column in numbers["policies"][0]["columns"]:
        line: list[str | Number] = [column.replace("_", " ")]
        line += [
            mean_number(key_of(name, row["policy"], column), row["columns"][column])
            for row in numbers["policies"]
        ]
        rows.append(line)
    return Table(f"{name}-columns", "Means of a seat in a game", columns, rows)


def _comparison(name: str, folder: Path, results: Comparison) -> Section:
    numbers = results.numbers
    rows: list[list[str | Number]] = []
    for variant in numbers["variants"]:
        label = in_words(variant["value"])
        for row in variant["run"]["policies"]:
            key = key_of(name, label, row["policy"], "win_rate")
            rows.append([label, row["policy"], rate(key, row, variant["run"]["deals"])])
    columns = [Column("value", True), Column("strategy", True), Column("win rate")]
    blocks: list[Block | Section] = [Table(f"{name}-rates", "Win rates", columns, rows)]
    caption = "Win rates at each value, and the differences below; bars are 95 % intervals."
    if all(results.by_symmetry(variant) for variant in range(len(numbers["variants"]))):
        only = results.study.matchup.lineup[0].text
        blocks.append(Sentence.of(f"{only} holds every seat: its win rate is fixed by symmetry."))
    else:
        alt = "Win rates by value."
        blocks.append(Figure(name, caption, alt, lambda: draw("comparison", results)))
    rows = []
    for row in numbers["differences"]:
        if row["measure"] != "win_rate":
            continue
        key = key_of(name, "difference", in_words(row["value"]), row["policy"])
        p = Number(f"{key}.p", row["p_holm"], None, "p")
        number = difference(key, row, "points of win rate")
        rows.append([in_words(row["value"]), row["policy"], number, p])
    columns = [Column("value", True), Column("strategy", True), Column("difference, points")]
    title = f"Differences from {in_words(numbers['baseline'])}"
    blocks.append(Table(f"{name}-differences", title, [*columns, Column("p (Holm)")], rows))
    blocks.append(Section(f"{name}-setting", "What was played", [_setting(numbers["study"])]))
    return Section(name, f"Comparison {folder.name}", _at_every_look(results) + blocks)


def _tournament(name: str, folder: Path, results: TournamentResults) -> Section:
    rows: list[list[str | Number]] = []
    for row in ordered(results):
        key = key_of(name, row["policy"])
        rating = Number(f"{key}.rating", row["rating"], tuple(row["rating_ci95"]))
        rows.append([row["policy"], rate(f"{key}.win_rate", row), rating])
    columns = [Column("strategy", True), Column("win rate"), Column("rating")]
    blocks: list[Block | Section] = [Table(f"{name}-rates", "Standings", columns, rows)]
    if 1 < len(rows) <= MAPPED:
        caption = "How often the strategy of a row ends ahead of that of a column; ties count half."
        alt = "A map of who ends ahead of whom, from the highest win rate to the lowest."
        blocks.append(Figure(name, caption, alt, lambda: draw("head-to-head", results)))
    if results.has_meta:
        verdict = results.numbers["meta"]["verdict"]
        blocks += [Sentence.of(f"{capital(line)}.") for line in verdict]
    return Section(name, f"Tournament {folder.name}", _at_every_look(results) + blocks)


def _at_every_look(results: Any) -> list[Block | Section]:
    """Why intervals are wider than the number of games lets expect, where they are."""
    if not results.always_valid:
        return []
    return [
        Sentence.of(
            "This run stopped by its precision, or went on after its numbers could be seen: its "
            "intervals hold at every look, and so are wider than those of a run of a fixed length."
        )
    ]

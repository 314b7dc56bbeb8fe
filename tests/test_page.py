"""A report as files: escaped, self-contained, the same bytes again, every number in its JSON."""

from __future__ import annotations

import csv
import json
import math
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from report_samples import FORMULA, HTML, LONG, rate, sample

from simlab.errors import UsageError
from simlab.experiments.intervals import Estimate
from simlab.reports.document import Number, Report, Section, Sentence, Table
from simlab.reports.page import write_report
from simlab.reports.sections.seats import starter_words, starters_words
from simlab.reports.wording import apart, differs, listed, strongest_words


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(sample(), tmp_path_factory.mktemp("report") / "r").parent


def page(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8")


def test_names_with_html_show_as_text(folder: Path) -> None:
    assert HTML not in page(folder)
    assert page(folder).count("alert(") >= 4
    markdown = (folder / "report.md").read_text(encoding="utf-8")
    assert HTML not in re.sub(r"```.*?```", "", markdown, flags=re.DOTALL)


def test_the_page_needs_nothing_from_outside(folder: Path) -> None:
    found = re.findall(r"""(?:src|href)\s*=\s*["']([^"'#]*)""", page(folder))
    assert not [where for where in found if where]
    assert "@import" not in page(folder)
    assert not re.search(r"url\((?!#)", page(folder))


def test_every_number_of_the_page_is_that_of_its_json(folder: Path) -> None:
    kept = json.loads((folder / "report.json").read_text())["numbers"]
    shown = re.findall(r'data-number="([^"]+)">([^<]*)<', page(folder))
    assert {unescape(key) for key, _ in shown} == set(kept)
    for key, text in shown:
        assert unescape(text) == kept[unescape(key)]["text"]


def test_a_second_build_has_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    again = write_report(sample(), tmp_path / "again").parent
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert len(files) == 6
    for name in files:
        assert (folder / name).read_bytes() == (again / name).read_bytes(), name


def test_tables_are_kept_unrounded_and_are_no_formulas(folder: Path) -> None:
    lines = (folder / "tables" / "rates.csv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines))
    assert [row["strategy"] for row in rows] == [HTML, LONG, f"'{FORMULA}"]
    assert float(rows[0]["points"]) == 1234.5678
    assert float(rows[0]["win rate low"]) == pytest.approx(0.19)
    assert rows[0]["nothing"] == ""


def test_a_folder_of_strangers_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("dear")
    with pytest.raises(UsageError, match="holds no report"):
        write_report(sample(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_what_an_earlier_report_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    write_report(sample(), tmp_path / "r")
    (tmp_path / "r" / "mine.txt").write_text("notes")
    bare = replace(sample(), sections=[Section("one", "One", [Sentence.of("Words.")])])
    write_report(bare, tmp_path / "r")
    assert not (tmp_path / "r" / "figures" / "rates.svg").exists()
    assert (tmp_path / "r" / "mine.txt").read_text() == "notes"


def test_a_list_of_files_that_points_elsewhere_removes_nothing(tmp_path: Path) -> None:
    write_report(sample(), tmp_path / "r")
    (tmp_path / "victim.txt").write_text("dear")
    index = tmp_path / "r" / "report.json"
    kept = json.loads(index.read_text())
    kept["files"] += ["../victim.txt", str(tmp_path / "victim.txt")]
    index.write_text(json.dumps(kept))
    write_report(sample(), tmp_path / "r")
    assert (tmp_path / "victim.txt").exists()


def test_one_key_is_one_number() -> None:
    twice = Sentence.of(rate("a", 0.1), rate("a", 0.2))
    with pytest.raises(ValueError, match="called a"):
        Report("t", "s", [Section("one", "One", [twice])]).numbers()


def test_thirty_policies_and_no_rows_give_a_page(tmp_path: Path) -> None:
    write_report(sample(30), tmp_path / "many")
    empty = Table("none", "Nothing", [], [])
    write_report(Report("t", "s", [Section("one", "One", [empty])]), tmp_path / "empty")


@pytest.mark.parametrize(
    ("number", "text", "span"),
    [
        (Number("a", 0.3812, (0.3791, 0.3829), "share"), "38.1\xa0%", "37.9 to 38.3"),
        (Number("a", 0.02, (0.01, 0.03), "points of win rate"), "+2.0", "+1.0 to +3.0"),
        (Number("a", -0.0213, (-0.0215, -0.0211), "points of win rate"), "-2.13", "-2.15 to -2.11"),
        (Number("a", 12345.0, None, "games"), "12,345", ""),
        (Number("a", 0.0, None, "p"), "< 1e-300", ""),
        (Number("a", None), "\N{EN DASH}", ""),
        (Number("a", 1.0, (1.0, 1.0), "share"), "100.0\xa0%", "100.0 to 100.0"),
    ],
)
def test_numbers_are_rounded_by_their_uncertainty(number: Number, text: str, span: str) -> None:
    assert (number.text, number.span) == (text, span)


def test_a_tie_for_the_best_is_said_to_be_one() -> None:
    fair = Number("fair", 0.25, None, "share")
    alone = strongest_words(["a"], rate("r", 0.4), 4, fair).text
    assert alone.startswith("The strongest strategy here, a, wins 40.0")
    tied = strongest_words(["a", "b"], rate("r", 0.4), 2, fair).text
    assert tied.startswith("The data cannot tell which of a and b is the strongest")
    assert "two-player games" in tied


def test_a_table_where_every_game_is_shared_has_no_strongest() -> None:
    half = Number("r", 0.5, (0.5, 0.5), "share")
    said = strongest_words(["a", "b"], half, 2, Number("fair", 0.5, None, "share")).text
    assert said.startswith("The data cannot tell which of a and b")
    assert "a wins 50.0" in said


def starter(mean: float, error: float, players: int = 4, deals: int = 1000) -> str:
    rates = [Estimate(mean, math.nan, error, deals)] * players
    tournament = SimpleNamespace(players=players)
    found: Any = SimpleNamespace(seat_rates=rates, played=SimpleNamespace(tournament=tournament))
    return starter_words(players, found).text


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (starter(0.26, 0.01), "which the data cannot tell from a fair share of 25.0\xa0%"),
        (starter(0.25, 0.0), "which the data cannot tell from"),
        (starter(0.30, 0.01), "more than a fair share"),
        (starter(0.20, 0.01), "less than a fair share"),
        (starter(0.9, math.nan, deals=1), "which the data cannot tell from"),
        (starter(0.45, 0.001, players=2), "With two players, whoever starts wins 45.0"),
    ],
)
def test_the_starter_is_said_to_win_more_or_less_only_where_that_is_shown(
    said: str, words: str
) -> None:
    assert words in said


def tournaments(*rates: tuple[int, float, float]) -> Any:
    """Findings with a tournament for each number of players; the last one is the study's own."""
    by_players = {}
    for players, mean, error in rates:
        played = SimpleNamespace(tournament=SimpleNamespace(players=players))
        seats = [Estimate(mean, math.nan, error, 10**4)] * players
        by_players[players] = SimpleNamespace(seat_rates=seats, played=played)
    return SimpleNamespace(tournaments=by_players, main=list(by_players.values())[-1])


def test_in_brief_every_number_of_players_at_which_the_starter_matters_is_named() -> None:
    said = starters_words(tournaments((2, 0.53, 0.001), (3, 1 / 3, 0.001), (4, 0.24, 0.001))).text
    assert said.startswith("With two players, whoever starts wins 53.0")
    assert "; with four players, whoever starts wins 24.0" in said
    assert "three" not in said
    alone = starters_words(tournaments((2, 0.5, 0.01), (4, 0.25, 0.01))).text
    assert alone.startswith("With four players")
    assert "cannot tell" in alone


def test_an_interval_that_leaves_out_the_fair_share_is_printed_so_that_it_does() -> None:
    said = starters_words(tournaments((5, 0.1975, 0.00125))).text
    assert "less than a fair share of 20.0" in said
    assert "to 20.0)" not in said


def test_a_per_cent_sign_never_begins_a_line_and_nought_is_never_negative() -> None:
    assert Sentence.of("in 95 % of games, 5 %").text == "in 95\xa0% of games, 5\xa0%"
    assert Number("a", -0.00001, (-0.00002, 0.00001), "share", digits=1).text == "0.0\xa0%"
    assert Number("a", -1e-9, (-1e-9, 1e-9), "points of win rate", digits=1).text == "+0.0"


def test_numbers_differ_only_where_their_intervals_do() -> None:
    assert apart(rate("a", 0.2), rate("b", 0.3))
    assert not apart(rate("a", 0.2), rate("b", 0.21))
    assert not apart(rate("a", 0.2), Number("b", 0.9))
    assert differs(rate("a", 0.2), 0.25)
    assert not differs(rate("a", 0.245), 0.25)
    assert listed(["a", "b", "c"]) == "a, b and c"

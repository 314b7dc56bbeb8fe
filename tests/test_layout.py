"""Tables on narrow terminals: what is folded, what goes below, and that no digit is ever cut."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from types import SimpleNamespace
from typing import Any

import pytest
from by_hand import said
from hypothesis import given, settings
from hypothesis import strategies as st

from simlab.cli import playing
from simlab.cli.layout import Column, blocks, filled, folded, table_text
from simlab.cli.numbers import chance, times
from simlab.experiments.batches import play
from simlab.experiments.counting import Count, Part
from simlab.experiments.plans import Plan
from simlab.experiments.study import Study

HEADERS = ["value", "policy", "difference", "95 % interval", "p (Holm)", "common luck"]
ROWS = [
    ["II", "balanced", "-5.0", "-7.1 to -3.0", "9.1e-06", "x1.08"],
    ["II", "finale-collector:hold=0.7,chase=2.5", "+5.8", "+4.6 to +7.0", "1.3e-19", "x1.00"],
]
WORDS = (0, 1)
POLICY = "finale-collector:hold=0.7,chase=2.5"


def lines_of(width: int | None) -> list[str]:
    return table_text(HEADERS, ROWS, WORDS, width).splitlines()


def test_a_table_that_fits_stands_as_it_is() -> None:
    widest = max(map(len, lines_of(None)))
    assert lines_of(widest) == lines_of(None)
    assert len(lines_of(None)) == 1 + len(ROWS)
    assert POLICY in lines_of(None)[2]


def test_headers_of_numbers_are_folded_first() -> None:
    lines = lines_of(max(map(len, lines_of(None))) - 2)
    assert len(lines) == 2 + len(ROWS)
    assert POLICY in lines[3]


def test_then_a_policy_s_name_is_folded_where_a_reader_would_break_it() -> None:
    lines = lines_of(75)
    assert max(map(len, lines)) <= 75
    assert [line.split()[:2] for line in lines[2:]] == [
        ["II", "balanced"],
        ["II", "finale-collector:"],
        ["hold=0.7,chase=2.5"],
    ]
    assert [line.split()[-1] for line in lines[2:4]] == ["x1.08", "x1.00"]


def test_then_columns_go_below_one_another_each_block_with_the_names() -> None:
    lines = lines_of(45)
    assert max(map(len, lines)) <= 45
    blank = lines.index("")
    for block in (lines[:blank], lines[blank + 1 :]):
        text = " ".join(block)
        assert text.count("II") == len(ROWS)
        assert "balanced" in text


def test_a_number_with_no_room_at_all_sticks_out_and_is_not_cut() -> None:
    lines = lines_of(5)
    for row in ROWS:
        for cell in row[2:]:
            assert any(line.endswith(cell) for line in lines), cell


@given(
    st.lists(st.tuples(st.integers(1, 60), st.booleans()), min_size=1, max_size=9),
    st.integers(8, 120),
)
@settings(max_examples=60, deadline=None)
def test_every_number_is_whole_and_no_letter_lost_at_every_width(
    shapes: list[tuple[int, bool]], width: int
) -> None:
    """A column of digits 3 is found in one line of one block, one of letters d in every block."""
    columns = [
        Column("H H", ((chr(ord("a") + n) if words else str(n)) * size,), words)
        for n, (size, words) in enumerate(shapes)
    ]
    names = {n for n, column in enumerate(columns) if column.words}
    rows = [[column.cells[0] for column in columns]]
    text = table_text([column.header for column in columns], rows, names, width)
    found = blocks(columns, width)
    parts = text.split("\n\n")
    assert len(parts) == len(found)
    for n, column in enumerate(columns):
        (cell,) = column.cells
        if n in names:
            assert all(part.count(cell[0]) == len(cell) for part in parts)
        else:
            assert re.findall(f"{n}+", text) == [cell]
    for part, block in zip(parts, found, strict=True):
        numbers = [column for column, _ in block if not column.words]
        if len(numbers) > 1:
            assert max(map(len, part.splitlines())) <= width


@given(
    st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=60),
    st.integers(1, 30),
)
def test_a_folded_name_loses_no_letter_and_no_line_is_too_long(name: str, width: int) -> None:
    lines = folded(name, width).split("\n")
    assert "".join(lines).replace(" ", "") == name.replace(" ", "")
    assert max(map(len, lines)) <= width


def test_sentences_break_between_words() -> None:
    text = "simlab run fantastique mine.py::sniper --games 1_000_000"
    assert filled(text, 30).split("\n") == [
        "simlab run fantastique",
        "mine.py::sniper --games",
        "1_000_000",
    ]


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.0, "< 1e-300"), (5e-324, "< 1e-300"), (1e-300, "1e-300"), (0.04321, "0.043"), (1.0, "1")],
)
def test_a_p_value_is_never_shown_as_nothing(p: float, text: str) -> None:
    assert chance(p) == text


def test_what_was_not_tested_has_a_dash() -> None:
    assert chance(None) == "-"
    assert times(None) == "-"


@pytest.mark.parametrize(("gain", "text"), [(1.18, "1.18"), (0.976, "0.98"), (12345.6, "12,346")])
def test_a_gain_is_a_factor(gain: float, text: str) -> None:
    assert times(gain) == f"\N{MULTIPLICATION SIGN}{text}"


# --- Progress ---------------------------------------------------------------------------------


def test_pieces_of_progress_are_whole_or_not_there() -> None:
    pieces = ["balanced 74.9 % (±2.61)", "18,000,000 games/s", "greedy 10.1 % (±1.39)"]
    whole = "; ".join(pieces)
    assert playing.fitting(pieces, len(whole)) == whole
    assert playing.fitting(pieces, len(whole) - 1) == "; ".join(pieces[:2])
    assert playing.fitting(["who", "much longer", "why"], 10) == "who; why"
    assert playing.fitting(pieces, 10) == ""


def test_the_speed_that_progress_shows_is_that_of_playing_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was compiled, or kept from an earlier run, took no time and made no games."""
    clock = iter([0.0, 15.0, 17.0])
    monkeypatch.setattr(playing.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(playing, "leading", lambda plan, part: ["who leads"])
    said_: list[str] = []
    bar = playing.Bar(quiet=True)
    bar._room = 80
    bar._bar = SimpleNamespace(update=lambda task, completed, found: said_.append(found))
    bar._task = None
    for games in (1_000_000, 1_003_000):
        bar.show(Plan(()), Part([Count(games=games)]), 2_000_000)
    assert said_ == ["who leads", "who leads; 1,500 games/s"]


def test_progress_of_a_tournament_has_its_speed_and_no_policy_that_leads() -> None:
    """Of hundreds of tables only the games are counted; one of them would say nothing."""
    assert playing.leading(None, Part([Count(games=1000)])) == []


def test_progress_says_who_leads_and_of_one_policy_which_seat() -> None:
    for policies, names in ((["greedy", "random"], {"greedy", "random"}), (["2xgreedy"], {"seat"})):
        study = Study.of("fantastique", policies, games=40)
        said_ = playing.leading(Plan((study,)), play(study, 1).part)
        assert {piece.split()[0] for piece in said_} == names
        assert all("few deals yet" in piece for piece in said_)


# --- A real terminal --------------------------------------------------------------------------


def on_a_terminal(width: int, *words: str) -> str:
    """What a command writes to a terminal of that width, without colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    env = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    line = [sys.executable, "-m", "simlab", *words]
    more: dict[str, Any] = {"stdout": theirs, "stderr": theirs, "stdin": theirs}
    child = subprocess.Popen(line, env=env | {"TERM": "xterm"}, close_fds=True, **more)
    os.close(theirs)
    written = b""
    while True:
        try:
            some = os.read(ours, 65536)
        except OSError:
            break
        if not some:
            break
        written += some
    os.close(ours)
    assert child.wait(timeout=60) == 0
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", written.decode()).replace("\r", "")


def figures_in(text: str) -> set[str]:
    return set(re.findall(r"[-+]?\d[\d,.]*(?:e-?\d+)?", text))


def test_on_eighty_columns_no_line_is_longer_and_no_figure_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["compare", "fantastique", "greedy", POLICY, "--vary", "finale=I,II,III"]
    words += ["--games", "40", "--margin", "1", "--quiet"]
    narrow = on_a_terminal(80, *words)
    code, wide, _ = said(capsys, *words)
    assert code == 0
    assert max(map(len, narrow.splitlines())) <= 80
    assert max(map(len, wide.splitlines())) > 80
    assert "…" not in narrow
    timing = r" in [\d.]+ s \([\d,]+\s+games/s\)"
    missing = figures_in(re.sub(timing, "", wide)) - figures_in(narrow)
    assert not missing

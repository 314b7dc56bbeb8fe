"""`simlab tournament` and `simlab tune` on the command line: what they print and refuse."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from by_hand import said, said_json
from cups import DARTS
from test_cli import process, simlab

from simlab.compiled import INTERPRETED
from simlab.experiments.tournaments.playing import tournament_of
from simlab.experiments.tuning.search import tuning_of

GAMES = "8" if INTERPRETED else "200"
CUP = ["tournament", DARTS, "dart", "dart:at=60", "random", "--players", "2", "--games", GAMES]
compiled_only = pytest.mark.skipif(INTERPRETED, reason="takes many games")
TUNE = ["tune", DARTS, "dart", "--against", "random", "--games", "30000", "--judged", "500"]


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "cup"
    assert simlab(*CUP, "--out", str(folder), "--quiet") == 0
    return folder


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if INTERPRETED:
        pytest.skip("a search takes many games")
    folder = tmp_path_factory.mktemp("cli") / "tuned"
    assert simlab(*TUNE, "--out", str(folder), "--quiet") == 0
    return folder


# --- What is printed --------------------------------------------------------------------------


def test_the_table_of_a_tournament_says_who_wins_and_what_clever_players_come_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = said(capsys, *CUP)
    assert code == 0
    for words in (
        "darts, 2 players, every table (6), seed 0",
        "standings (a fair share is 50.0 %",
        "row ends ahead of column",
        "what clever players come to",
        "intervals: 95 % at a number of deals fixed beforehand",
        "ratings: Elo's scale, 0 is even with the field",
    ):
        assert words in out
    lines = out.splitlines()
    assert lines[4].startswith("dart:at=60"), "the best one first"
    assert "Traceback" not in err


def test_a_sample_says_who_met_for_the_game_of_mixes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", DARTS, "--players", "2", "--tables", "16", "--games", GAMES]
    words += ["dart", "dart:at=60", "random", "sleeper", "dart:at=50", "rock", "paper", "scissors"]
    _, out, _ = said(capsys, *words)
    assert "a balanced sample of tables (16)" in out
    assert "the game of mixes: among the best 8, at every table of theirs (36 tables" in out


def test_a_gauntlet_is_told_by_seat_and_by_opponent(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, *CUP, "--focus", "dart:at=60")
    assert "gauntlet of dart:at=60" in out
    assert "dart:at=60 by seat (0 starts)" in out
    assert "dart:at=60 at the tables of each opponent" in out
    assert "what clever players" not in out


@compiled_only
def test_a_race_says_after_how_many_games_who_dropped_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, err = said(capsys, *CUP[:-1], "20000", "--race")
    assert "512 games a table" in out
    assert "stopped before all games were played" in err
    assert "intervals: 95 % at all numbers of deals at once" in out
    assert "95 % at these deals" in out, "those of ratings do not hold at every look"


def test_the_json_of_a_tournament_is_its_record(
    cup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = said_json(capsys, *CUP)
    expected = tournament_of(cup).numbers
    assert {key: found[key] for key in expected} == json.loads(json.dumps(expected))


def test_the_csv_of_a_tournament_has_a_row_for_each_two_that_met(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = said(capsys, *CUP, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 3 * 2
    keys = ["policy", "win_rate", "low", "high", "rating", "rival", "ahead"]
    assert list(rows[0]) == [*keys, "ahead_low", "ahead_high"]
    pairs = {(row["policy"], row["rival"]): float(row["ahead"]) for row in rows}
    for (one, other), ahead in pairs.items():
        assert ahead + pairs[other, one] == pytest.approx(1)


@compiled_only
def test_the_table_of_a_search_says_what_was_found_and_what_it_gains(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = said(capsys, *TUNE)
    assert code == 0
    assert "the search: win rates of its candidates" in out
    assert "what each parameter alone is worth, on fresh deals" in out
    assert "\ndart:at=" in out
    assert "on deals that the search never saw" in out.splitlines()[-1]


@compiled_only
def test_the_json_and_the_csv_of_a_search_are_its_record(
    tuned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = said_json(capsys, *TUNE)
    expected = tuning_of(tuned).numbers
    assert {key: found[key] for key in expected} == json.loads(json.dumps(expected))
    _, out, _ = said(capsys, *TUNE, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == len(expected["search"])
    assert list(rows[0])[:5] == ["generation", "games", "least", "median", "most"]


@compiled_only
def test_exploiting_a_folder_says_whether_its_verdict_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--players", "2", "--games", "600", "--set", "kind=hands", "--quiet"]
    folder = str(tmp_path / "cup")
    assert simlab("tournament", DARTS, "rock", "paper", *words, "--out", folder) == 0
    more = ["--games", "40000", "--judged", "4000"]
    _, out, _ = said(capsys, "tune", DARTS, "mixer", "--exploit", folder, *more)
    assert "the verdict does not survive: mixer:" in out
    assert "the mix's own share is 50.0 %" in out


# --- Folders ----------------------------------------------------------------------------------


def test_show_status_and_verify_tell_of_a_tournament(
    cup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, direct, _ = said(capsys, *CUP)
    code, out, _ = said(capsys, "show", str(cup))
    assert code == 0
    assert out.splitlines()[2:] == direct.splitlines()[2:], "but for how long it took"
    assert said_json(capsys, "show", str(cup))["games"] == tournament_of(cup).numbers["games"]
    _, out, _ = said(capsys, "status", str(cup))
    assert "6 of 6 chunks" in out
    code, out, _ = said(capsys, "verify", str(cup))
    assert code == 0
    assert "results.json is what the chunks add up to" in out


@compiled_only
def test_show_status_and_verify_tell_of_a_search(
    tuned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, direct, _ = said(capsys, *TUNE)
    _, out, err = said(capsys, "show", str(tuned))
    assert out.splitlines()[1:] == direct.splitlines()[1:]
    assert err == ""
    assert said_json(capsys, "status", str(tuned))["state"] == "finished"
    assert said(capsys, "verify", str(tuned))[0] == 0


def test_a_finished_tournament_says_that_nothing_was_played(
    cup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, err = said(capsys, *CUP, "--out", str(cup), "--resume")
    assert "finished already; nothing was played" in err


@compiled_only
def test_a_finished_search_says_that_nothing_was_played(
    tuned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, err = said(capsys, *TUNE, "--out", str(tuned), "--resume")
    assert "finished already; nothing was played" in err


def test_a_figure_is_plotted_or_its_kind_refused(
    cup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "meetings.svg"
    assert simlab("plot", str(cup), "head-to-head", "-o", str(path)) == 0
    assert path.read_bytes().startswith(b"<?xml")
    capsys.readouterr()
    for kind in ("seats", "worth", "gauntlet"):
        code, out, err = said(capsys, "plot", str(cup), kind, "-o", str(path))
        assert (code, out) == (2, "")
        assert "it has win-rates, head-to-head, ratings, mix, alpha-rank, trajectories" in err
        assert err.count("\n") == 1


# --- Interrupted ------------------------------------------------------------------------------


@compiled_only
def test_ctrl_c_before_every_table_has_played_shows_nothing_and_says_how_to_go_on(
    tmp_path: Path,
) -> None:
    words = ["tournament", "fantastique", "--games", "1e6", "--out", str(tmp_path / "c")]
    with process(*words) as running:
        chunks = tmp_path / "c" / "chunks"
        _wait_until(lambda: chunks.is_dir() and any(chunks.glob("*.json")), running)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert out == ""
    assert "tables have not played yet" in err
    assert "add --resume to the same command" in err
    assert "Traceback" not in err


@compiled_only
@pytest.mark.slow
def test_ctrl_c_in_a_search_keeps_its_generations(tmp_path: Path) -> None:
    words = ["tune", DARTS, "dart", "--against", "random", "--games", "1e9"]
    with process(*words, "--out", str(tmp_path / "s")) as running:
        chunks = tmp_path / "s" / "chunks"
        _wait_until(lambda: chunks.is_dir() and any(chunks.glob("*.json")), running)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "not judged yet" in out
    assert "PARTIAL" in out
    assert "of 1,000,800,000 games" in err
    assert "Traceback" not in err


def _wait_until(ready: Any, running: Any) -> None:
    for _ in range(1200):
        if ready() or running.poll() is not None:
            return
        time.sleep(0.05)
    raise AssertionError("it does not begin")


@compiled_only
@pytest.mark.parametrize("command", ["tournament", pytest.param("tune", marks=pytest.mark.slow)])
def test_progress_is_shown_on_a_terminal(command: str, tmp_path: Path) -> None:
    """A bar that fails would stop the whole tournament."""
    words = {
        "tournament": [*CUP[:-1], "400000"],
        "tune": [*TUNE[:6], "1000000", "--judged", "500"],
    }[command]
    parent, child = pty.openpty()
    line = [sys.executable, "-m", "simlab", *words]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=child, text=True) as running:
        os.close(child)
        shown = bytearray()
        while True:
            try:
                block = os.read(parent, 4096)
            except OSError:
                break
            if not block:
                break
            shown += block
        out = running.communicate(timeout=120)[0]
    os.close(parent)
    assert running.returncode == 0
    assert b"games/s" in shown
    assert b"Traceback" not in shown
    assert "standings" in out or "the search" in out


# --- Mistakes ---------------------------------------------------------------------------------

TUNE_SIDES = ["tune", "fantastique", "balanced", "--against", "greedy", "--sides", "all"]
MISTAKES: list[tuple[list[str], list[str]]] = [
    (["tournament"], ["GAME"]),
    (["tournament", "fantastik"], ["fantastik", "did you mean"]),
    (["tournament", "fantastique", "greedy"], ["two policies or more", "greedy"]),
    (["tournament", "fantastique", "2xgreedy"], ["greedy takes part twice"]),
    (["tournament", "fantastique", "gredy", "random"], ["gredy", "did you mean greedy"]),
    (["tournament", "fantastique", "--players", "9"], ["seats 2 to 5 players, got 9"]),
    (["tournament", "fantastique", "--players", "four"], ["--players", "four"]),
    (["tournament", "fantastique", "--tables", "0"], ["tables go from 1 to 5000, got 0"]),
    (["tournament", "fantastique", "--tables", "x"], ["--tables", "x"]),
    (["tournament", "fantastique", "--focus", "nobody"], ["nobody"]),
    (["tournament", "fantastique", "--focus", "greedy", "--race"], ["exclude each other"]),
    (["tournament", "fantastique", "--focus", "greedy", "--tables", "9"], ["exclude each other"]),
    (["tournament", "fantastique", "--games", "none"], ["games", "'none'"]),
    (["tournament", "fantastique", "--games", "2e12"], ["games", "2,000,000,000,000"]),
    (["tournament", "fantastique", "--precision", "0"], ["precision"]),
    (["tournament", "fantastique", "--seating", "round"], ["round", "rotate"]),
    (["tournament", "fantastique", "--set", "finale=VII"], ["finale", "VII"]),
    (["tournament", "fantastique", "--resume"], ["--out DIR"]),
    (["tournament", "fantastique", "gone.py::me", "random"], ["gone.py", "no file"]),
    (["tournament", "fantastique", "--format", "xml"], ["xml"]),
    (["tune", "fantastique"], ["POLICY"]),
    (["tune", "fantastique", "balanced"], ["--against LINE-UP", "--exploit"]),
    (["tune", "fantastique", "greedy", "--against", "random"], ["greedy has no parameters"]),
    (["tune", "fantastique", "balanced", "--against", "nobody"], ["nobody"]),
    (["tune", "fantastique", "balanced", "--against", "5xgreedy"], ["2 to 5 players, got 6"]),
    (["tune", "fantastique", "balanced", "--against", ""], ["--against LINE-UP"]),
    (
        ["tune", "fantastique", "balanced", "--against", "greedy", "--params", "crad"],
        ["crad", "did you mean card"],
    ),
    (["tune", "fantastique", "balanced", "--against", "greedy", "--sides", "I"], ["--sides", "I"]),
    ([*TUNE_SIDES, "--set", "finale=I"], ["leave out --set finale"]),
    (["tune", "fantastique", "balanced", "--against", "greedy", "--games", "9"], ["got 9"]),
    (["tune", "fantastique", "balanced", "--against", "greedy", "--judged", "0"], ["judged", "0"]),
    (["tune", "fantastique", "balanced", "--exploit", "nowhere"], ["nowhere", "holds no run"]),
    (
        ["tune", "fantastique", "balanced", "--exploit", "a", "--against", "greedy"],
        ["--against LINE-UP", "--exploit"],
    ),
    (
        ["tune", "fantastique", "balanced", "--exploit", "a", "--set", "finale=I"],
        ["rules of its tournament", "leave out --set"],
    ),
    (["plot", "nowhere", "pie", "-o", "x.png"], ["pie", "head-to-head"]),
]


@pytest.mark.parametrize(("words", "parts"), MISTAKES, ids=lambda v: " ".join(map(str, v)))
def test_a_mistake_gets_one_line_that_names_value_and_rule(
    words: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("simlab: ")
    assert err.count("\n") == 1
    for part in parts:
        assert part in err


@pytest.mark.parametrize("command", ["tournament", "tune", "plot"])
def test_help_answers_within_a_moment_and_imports_nothing_heavy(command: str) -> None:
    code = (
        "import sys; from simlab.cli import main\n"
        "try:\n    main([sys.argv[1], '--help'])\n"
        "except SystemExit:\n    pass\n"
        "heavy = {'numba', 'pandas', 'cma', 'choix', 'scipy', 'matplotlib'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    line = [sys.executable, "-c", code, command]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert f"simlab {command}" in done.stdout

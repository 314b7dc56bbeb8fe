"""Files of users: programs that may hang, print, exit or change, and never spoil a run."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from test_cli import GOOD, HEAD, policy_file, process, simlab

from simlab import userfiles
from simlab.checking import check
from simlab.children import SIGN, Child
from simlab.cli import interrupt
from simlab.cli.interrupt import INTERRUPTED, Listener
from simlab.compiled import INTERPRETED
from simlab.engine import warm_up
from simlab.errors import SimlabError, UsageError
from simlab.experiments.folders import RunFolder
from simlab.experiments.plans import Plan
from simlab.experiments.study import Study
from simlab.games.fantastique import GAME

SNIPER = "@policy(GAME)\ndef sniper(rules, table, own, moves, weights, rng):\n    'Mine.'\n    "
TOY = Path(__file__).parent / "toy_game.py"


def written(folder: Path, first: str, body: str = GOOD) -> str:
    """The word of a policy in a file that does something else first."""
    path = folder / "mine.py"
    path.write_text(f"{first}\n{HEAD}{SNIPER}{body}\n", encoding="utf-8")
    return f"{path}::sniper"


# --- While it is loaded ------------------------------------------------------------------------

LOADING = {
    "a loop": ("while True: pass", "did not finish loading within 2 s"),
    "exit()": ("exit()", "does not load: it leaves Python, line 1"),
    "sys.exit": ("import sys\nsys.exit(0)", "does not load: it leaves Python, line 2"),
    "os._exit": ("import os\nos._exit(0)", "ends the process that loads it (exit code 0)"),
    "a signal": ("import os\nos.kill(os.getpid(), 9)", "the process that loads it (signal 9)"),
    "input()": ("input('name? ')", "EOFError"),
    "an error": ("1 / 0", "does not load: ZeroDivisionError: division by zero, line 1"),
}
COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "run": lambda word: ["run", "fantastique", word, "random", "--games", "4"],
    "replay": lambda word: ["replay", "fantastique", word, "random"],
    "check": lambda word: ["check", "fantastique", word, "--games", "5", "--time-limit", "2"],
    "a game": lambda word: ["rules", word],
}


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(userfiles, "LOADING_SECONDS", 2.0)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("what", LOADING)
def test_whatever_a_file_does_while_it_is_loaded_is_one_line(
    what: str, tmp_path: Path, capsys
) -> None:
    first, said = LOADING[what]
    word = written(tmp_path, f"{first}  # {what}")
    for command in ["run", "a game"] if what == "exit()" else ["run"]:
        began = time.monotonic()
        assert simlab(*COMMANDS[command](word)) == 1
        assert time.monotonic() - began < 60
        shown = capsys.readouterr()
        assert shown.out == ""
        assert shown.err.count("\n") == 1
        assert said in shown.err
        assert "mine.py" in shown.err
    assert not any(name.startswith(userfiles.FILE_MODULE) for name in new_modules(tmp_path))


def new_modules(folder: Path) -> list[str]:
    """Modules of this process that come from a folder."""
    return [
        n for n, m in list(sys.modules.items()) if str(folder) in str(getattr(m, "__file__", ""))
    ]


@pytest.mark.parametrize("what", ["a loop", "os._exit"])
def test_check_says_what_a_file_does_while_it_is_loaded(what: str, tmp_path: Path, capsys) -> None:
    words = COMMANDS["check"](written(tmp_path, f"{LOADING[what][0]}  # check {what}"))
    assert simlab(*words, "--quiet") == 1
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert LOADING[what][1] in shown.err


def test_what_a_file_prints_while_it_is_loaded_is_not_mixed_with_results(
    tmp_path: Path, capsys
) -> None:
    word = written(tmp_path, "print('hello', end='')")
    for command in ("run", "replay"):
        assert simlab(*COMMANDS[command](word), "--format", "json") == 0
        shown = capsys.readouterr()
        assert json.loads(shown.out)
        assert "hello" not in shown.out


def test_a_file_is_tried_once_for_each_content(tmp_path: Path, monkeypatch, capsys) -> None:
    tried = []
    monkeypatch.setattr(userfiles, "Child", lambda *words: tried.append(words) or Child(*words))
    mark = f"# {time.time_ns()} {os.getpid()}"
    for line, times in ((mark, 1), (mark, 1), (f"{mark} again", 2)):
        word = written(tmp_path, line)
        for name in new_modules(tmp_path):
            del sys.modules[name]
        assert simlab(*COMMANDS["replay"](word)) == 0
        assert len(tried) == times


def test_a_file_may_import_what_lies_where_this_process_looks(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    """As in a notebook, whose folder is searched."""
    (tmp_path / "beside_mine.py").write_text(f"NUMBER = {time.time_ns()}", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert simlab(*COMMANDS["replay"](written(tmp_path, "import beside_mine"))) == 0


@pytest.mark.parametrize("command", ["run", "check"])
def test_a_policy_without_its_game_is_one_clear_line(command: str, tmp_path: Path, capsys) -> None:
    path = policy_file(tmp_path, GOOD, "@policy")
    assert simlab(*COMMANDS[command](f"{path}::sniper"), "--quiet") == 1
    said = capsys.readouterr().err
    assert "@policy needs the game that sniper plays: write @policy(GAME), line" in said
    assert said.count("\n") == 1


# --- While it plays ------------------------------------------------------------------------------

PRINTS = "n = legal(rules, table, own, moves)\n    print('my hand', own.seat)\n    return moves[0]"


def test_check_fails_a_policy_that_prints(tmp_path: Path, capsys) -> None:
    word = written(tmp_path, "", PRINTS)
    assert simlab(*COMMANDS["check"](word), "--format", "json", "--quiet") == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["passed"], found["tidy"]) == (False, False)
    assert "prints while it plays (in deal 0 with 2 players): 'my hand " in found["failure"]
    assert simlab(*COMMANDS["run"](word), "--format", "json") == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "prints while it plays" in shown.err


def test_check_of_what_is_not_there_is_a_mistake_of_the_command_line(tmp_path: Path) -> None:
    written(tmp_path, "")
    with pytest.raises(UsageError, match="snipper"):
        check("fantastique", f"{tmp_path / 'mine.py'}::snipper", 5)
    with pytest.raises(SimlabError, match="does not load"):
        check("fantastique", written(tmp_path, "1 / 0"), 5)


# --- A process of its own ------------------------------------------------------------------------

TALKER = """
import sys, time
from simlab.children import Parent
parent = Parent(sys.argv[1:])
{body}
"""


def talker(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> Child:
    (folder / "talker.py").write_text(TALKER.format(body=body), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return Child("talker", [])


def test_the_time_limit_is_for_each_thing_not_for_all_together(tmp_path, monkeypatch) -> None:
    body = "for game in range(6):\n    parent.say(limit=2, playing=game)\n    time.sleep(0.5)\n"
    child = talker(tmp_path, monkeypatch, f"{body}parent.say(done=True)\ntime.sleep(2.5)")
    heard = child.listen()
    assert heard == {"playing": 5, "done": True}
    assert not child.late


def test_who_takes_too_long_is_ended(tmp_path, monkeypatch) -> None:
    child = talker(tmp_path, monkeypatch, "parent.say(limit=0.5, playing=7)\ntime.sleep(60)")
    began = time.monotonic()
    assert child.listen() == {"playing": 7}
    assert child.late
    assert time.monotonic() - began < 30
    assert child.end().startswith("signal 9")


@pytest.mark.parametrize("line", ["print('x')", "print('x', end='')", f"print('x{SIGN}', end='')"])
def test_what_is_printed_counts_from_the_moment_when_it_should_be_quiet(
    line: str, tmp_path, monkeypatch
) -> None:
    before = talker(tmp_path, monkeypatch, "print('x', end='')\nparent.say(quiet=True, done=1)")
    assert before.listen()["done"] == 1
    assert before.printed is None
    body = f"parent.say(quiet=True)\n{line}\nparent.say(done=1)"
    child = talker(tmp_path, monkeypatch, body)
    assert "done" not in child.listen()
    assert child.printed == "x"


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # One that is dead but not yet fetched by its parent is there, too.
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def until(what: Callable[[], bool], seconds: float) -> bool:
    """Whether something comes true within so many seconds."""
    over = time.monotonic() + seconds
    while not what():
        if time.monotonic() > over:
            return False
        time.sleep(0.02)
    return True


ENDLESS = "n = 0\n    while n >= 0:\n        n = n + 1 if n < 1000 else 0\n    return n"


@pytest.mark.skipif(INTERPRETED, reason="compiled code is what cannot be interrupted")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=lambda how: how.name)
def test_whatever_ends_a_check_ends_the_process_that_plays_at_once(how: int, tmp_path) -> None:
    warm_up(GAME)
    note = tmp_path / "pid"
    first = f"import os, pathlib\npathlib.Path({str(note)!r}).write_text(str(os.getpid()))"
    word = written(tmp_path, first, ENDLESS)
    child = process("check", "fantastique", word, "--time-limit", "600", "--quiet")
    try:
        assert until(lambda: note.exists() and note.read_text() != "", 60)
        pid = int(note.read_text())
        assert pid != child.pid
        time.sleep(0.5)
        child.send_signal(how)
        child.communicate(timeout=30)
        assert until(lambda: not lives(pid), 5)
    finally:
        child.kill()
        child.communicate()
    assert child.returncode in (INTERRUPTED, -signal.SIGKILL)


# --- Ctrl-C ------------------------------------------------------------------------------------


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Codes with which the process would have been ended; afterwards Ctrl-C is as it was."""
    codes: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(interrupt.os, "_exit", codes.append)
    yield codes
    signal.signal(signal.SIGINT, before)


def interrupted(pauses: list[float], stoppable: bool = True) -> tuple[Listener, str]:
    """Work that is interrupted again and again, and goes on to its end."""
    listener = Listener()
    if stoppable:
        listener.set_stoppable()

    def work() -> str:
        for pause in pauses:
            time.sleep(pause)
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        return "partial results"

    return listener, listener.work(work)


def test_a_repeat_within_half_a_second_is_the_same_ctrl_c(ended: list[int]) -> None:
    listener, result = interrupted([0.05, 0.005, 0.005, 0.1])
    assert result == "partial results"
    assert listener.stop.is_set()
    assert ended == []
    os.kill(os.getpid(), signal.SIGINT)  # while the partial results are shown
    time.sleep(0.05)
    assert ended == []


def test_a_second_ctrl_c_ends_the_process(ended: list[int], capsys) -> None:
    interrupted([0.05, 0.6])
    assert ended == [INTERRUPTED]
    assert capsys.readouterr().err == "simlab: interrupted\n"


def test_before_play_begins_the_first_ctrl_c_ends_the_process(ended: list[int], capsys) -> None:
    interrupted([0.05], stoppable=False)
    assert ended == [INTERRUPTED]


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="too slow to be interrupted in time")
def test_two_signals_at_once_keep_the_partial_results(tmp_path: Path) -> None:
    warm_up(GAME)
    words = ["run", "fantastique", "greedy", "random", "--games", "1e8", "--format", "json"]
    child = process(*words, "--out", str(tmp_path / "run"))
    assert until(lambda: any(tmp_path.glob("run/chunks/*.json")), 60) or child.poll() is None
    for _ in range(3):
        child.send_signal(signal.SIGINT)
        time.sleep(0.01)
    out, err = child.communicate(timeout=60)
    assert child.returncode == INTERRUPTED
    assert json.loads(out)["complete"] is False
    assert "partial" in err


# --- What has changed --------------------------------------------------------------------------


def own_game(folder: Path, line: str) -> RunFolder:
    """The folder of a study of a game in a file, written just now with one more line."""
    file = folder / "own_game.py"
    file.write_text(TOY.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")
    study = Study.of(f"{file}::GAME", ["steady", "steady"], games=4)
    return RunFolder(folder / "run", Plan((study,)))


def test_a_game_whose_file_has_changed_is_refused_by_name(tmp_path: Path) -> None:
    before = own_game(tmp_path, "# one")
    before.begin(resume=False, overwrite=False, extra={"game_word": "own_game.py::GAME"})
    now = own_game(tmp_path, "# two")
    with pytest.raises(UsageError, match=r"sources\.own_game\.py was '\w{16}', is '\w{16}'"):
        now.begin(resume=True, overwrite=False, extra={})
    before.begin(resume=True, overwrite=False, extra={"game_word": "own_game.py::GAME"})


def test_a_built_in_game_is_named_by_its_version_alone() -> None:
    sources: dict[str, Any] = Study.of("fantastique", ["greedy", "random"]).identity()["sources"]
    assert list(sources) == ["greedy", "random"]

"""Run folders of odd content, of strangers, and that cannot be written: one line, nothing lost."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_cli import simlab
from test_folders import OTHER, SMALL, chunk_name, everything, finish, kept, play_in, refusal_of

from simlab import __version__
from simlab.errors import UsageError
from simlab.experiments.folders import holder, is_held
from simlab.experiments.inspecting import status_of, verify_folder
from simlab.experiments.run_file import FORMAT, differences, sealed
from simlab.experiments.running import load

WORDS = ("run", "fantastique", "greedy", "random", "--seed", "11", "--save-games", "--games", "10")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of few games, that nobody writes into."""
    folder = tmp_path_factory.mktemp("small") / "run"
    play_in(folder, SMALL)
    return folder


@pytest.fixture
def folder(small: Path, tmp_path: Path) -> Path:
    """A copy of it, to be ill-treated."""
    return Path(shutil.copytree(small, tmp_path / "run"))


def content(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    del found["check"]
    return found


def commands(folder: Path) -> Iterator[tuple[str, ...]]:
    """Everything that reads a run folder."""
    for name in ("status", "verify", "show"):
        yield (name, str(folder))
    yield ("plot", str(folder), "win-rates", "-o", str(folder.parent / "rates.png"))
    yield (*WORDS, "--out", str(folder), "--resume")


def answers(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[tuple[int, str]]:
    """Exit code and what is said on standard error, of each of the commands."""
    found = []
    for words in commands(folder):
        capsys.readouterr()
        found.append((simlab(*words), capsys.readouterr().err))
    return found


# --- What run.json may hold --------------------------------------------------------------------

UNREADABLE = {
    "nothing": b"",
    "a list": b"[]\n",
    "a number": b"7\n",
    "a word": b'"run"\n',
    "another program's": b'{"name": "night run", "version": 3}\n',
    "half": b'{"simlab": "0.1.0", "finger',
    "no text": b"\xff\xfe\x00run",
    "NaN": b'{"simlab": NaN, "fingerprint": {}, "studies": []}\n',
    "a depth of thousands": b"[" * 100_000,
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_a_run_json_that_is_none_is_one_line_of_every_command_and_stays(
    what: str, folder: Path, capsys
) -> None:
    (folder / "run.json").write_bytes(UNREADABLE[what])
    before = everything(folder)
    for code, said in answers(folder, capsys):
        assert code in (1, 2)
        assert said.count("\n") == 1
        assert "run.json" in said
        assert "unexpected" not in said
    assert everything(folder) == before


OPTIONAL = {"complete", "chunks_done", "extended", "finished_at", "timings", "machine", "python"}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in plain values at which something stands."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        yield (*path, key)
        if isinstance(one, dict | list):
            yield from places(one, (*path, key))


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy of plain values with another one at a place; None takes it away."""
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if new is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new
    return copy


def is_unread(path: tuple[Any, ...]) -> bool:
    """Whether a place is only for people, or for a comparison of fingerprints."""
    return path[0] in OPTIONAL - {"timings", "finished_at"} or path[0] == "fingerprint"


ODD: tuple[Any, ...] = (None, [], {}, "odd", -1, 1.5, True)


def test_a_run_json_with_anything_odd_in_it_is_read_or_refused_in_one_line(
    folder: Path, capsys
) -> None:
    """Each value is taken away and replaced in turn; the digest of the file is right."""
    whole, refused = content(folder), 0
    for place, path in enumerate(places(whole)):
        if is_unread(path):
            continue
        new = ODD[place % len(ODD)]
        (folder / "run.json").write_bytes(sealed(changed(whole, path, new)))
        for words in list(commands(folder))[:3:2]:
            code, said = simlab(*words), capsys.readouterr().err
            assert code in (0, 1, 2), path
            assert said.count("\n") <= 1, (path, said)
            assert "unexpected" not in said, (path, said)
            refused += code > 0
    assert refused > 30


@pytest.mark.parametrize("new", ODD, ids=repr)
def test_each_key_that_is_read_may_be_missing_or_of_any_kind(
    new: Any, folder: Path, capsys
) -> None:
    whole = content(folder)
    for path in [(key,) for key in whole] + [
        ("studies", 0),
        ("words", 0),
        ("fingerprint", "format"),
    ]:
        (folder / "run.json").write_bytes(sealed(changed(whole, path, new)))
        code, said = simlab("status", str(folder)), capsys.readouterr().err
        assert code in (0, 1, 2), path
        assert said.count("\n") <= 1
        assert "unexpected" not in said, (path, said)
        assert code == 0 or "run.json" in said or "format" in said


def test_a_folder_of_another_version_names_both_and_the_way_out(folder: Path, capsys) -> None:
    run = content(folder)
    run["simlab"], run["fingerprint"]["format"] = "7.3", FORMAT + 1
    (folder / "run.json").write_bytes(json.dumps({**run, "check": "other rules"}).encode())
    for code, said in answers(folder, capsys):
        assert code == 2
        assert said.count("\n") == 1
        for part in (str(folder), "7.3", __version__, f"format {FORMAT}", "another --out"):
            assert part in said


@pytest.mark.parametrize("name", ["chunks", "results.json"])
def test_a_chunk_of_odd_content_with_a_right_digest_is_named(name: str, folder: Path) -> None:
    from simlab.experiments.folders import checked_bytes

    if name == "results.json":
        (folder / name).write_bytes(b"[]")
        with pytest.raises(Exception, match=r"results\.json is not what the chunks add up to"):
            verify_folder(folder)
        return
    for odd in ({}, [], {"digest": content(folder)["digest"]}):
        (folder / chunk_name(0)).write_bytes(checked_bytes(odd))  # type: ignore[arg-type]
        assert f"{folder / chunk_name(0)} " in refusal_of(finish(SMALL), folder)


# --- Another run is there ------------------------------------------------------------------------


def test_what_differs_is_a_short_line_for_each_key(folder: Path) -> None:
    said = refusal_of(finish(OTHER), folder)
    assert said == f"{folder} holds another run (seed was 11, is 12); choose another --out"


def test_no_difference_is_a_dump() -> None:
    long = {f"key{n}": n for n in range(200)}
    pairs = [(long, None), (None, long), ([1] * 100, [2] * 99), ("x" * 500, "y"), ([], ["a", "b"])]
    for old, new in pairs:
        for line in differences({"rules": old}, {"rules": new}):
            assert line.startswith("rules")
            assert len(line) < 140
    assert list(differences({"seats": ["a", "b"]}, {"seats": ["a"]})) == ["seats was 'a,b', is 'a'"]
    assert list(differences({}, {"late": 0.5})) == ["late was not there, is 0.5"]


def test_a_run_is_not_taken_for_a_tournament_or_a_search(folder: Path, tmp_path: Path) -> None:
    cup = ["tournament", "fantastique", "greedy", "random", "--players", "2", "--games", "4"]
    assert simlab(*cup, "--out", str(tmp_path / "cup"), "--quiet") == 0
    before = everything(folder)
    for words, place in ((cup, folder), (WORDS, tmp_path / "cup")):
        assert simlab(*words, "--out", str(place), "--resume") == 2
    assert everything(folder) == before


def test_a_tournament_never_shrinks_and_goes_on_with_its_own_games(tmp_path: Path, capsys) -> None:
    cup = [
        "tournament",
        "fantastique",
        "greedy",
        "random",
        "--players",
        "2",
        "--out",
        str(tmp_path),
    ]
    assert simlab(*cup, "--games", "40", "--format", "json") == 0
    shown, before = json.loads(capsys.readouterr().out), kept(tmp_path)
    assert simlab(*cup, "--games", "20", "--resume") == 2
    assert "holds a run of 40 games" in capsys.readouterr().err
    assert simlab(*cup, "--resume", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["games"] == shown["games"]
    assert kept(tmp_path) == before


def test_a_comparison_goes_on_with_its_own_games(tmp_path: Path, capsys) -> None:
    words = ["compare", "fantastique", "greedy", "random", "--vary", "hand=8,9"]
    words += ["--out", str(tmp_path), "--format", "json"]
    assert simlab(*words, "--games", "8") == 0
    before, shown = kept(tmp_path), json.loads(capsys.readouterr().out)
    assert simlab(*words, "--resume") == 0
    assert json.loads(capsys.readouterr().out)["variants"] == shown["variants"]
    assert kept(tmp_path) == before
    assert simlab(*words, "--games", "4", "--resume") == 2


# --- Other people's files ------------------------------------------------------------------------


@pytest.mark.parametrize("flag", [(), ("--resume",), ("--overwrite",)], ids=" ".join)
def test_a_strangers_folder_with_a_run_json_is_refused_and_untouched(
    flag: tuple[str, ...], tmp_path: Path, capsys
) -> None:
    for name in ("run.json", "results.json", "chunks/000000.json", "games/chess.pgn"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"mine": true}', encoding="utf-8")
    before = everything(tmp_path)
    assert simlab(*WORDS, "--out", str(tmp_path), *flag) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert f"{tmp_path / 'run.json'} is none that simlab wrote" in said.err
    assert everything(tmp_path) == before


def test_overwriting_keeps_what_others_put_into_the_folders_of_a_run(folder: Path) -> None:
    mine = ("games/notes.txt", "chunks/by_hand.csv", "trace/mine.md")
    for name in mine:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("mine", encoding="utf-8")
    play_in(folder, OTHER, overwrite=True)
    for name in mine:
        assert (folder / name).read_text(encoding="utf-8") == "mine"
    assert load(folder).numbers["study"]["seed"] == OTHER.seed


# --- A folder that cannot be written ----------------------------------------------------------


def make_read_only(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let nothing in a folder be opened for writing, made or removed, as if it could not be.

    Taking away the right to write would not stop the superuser, who may run the tests.
    """
    opened = os.open

    def refusing(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if str(path).startswith(str(folder)) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return opened(path, flags, *more, **named)

    patch.setattr(os, "open", refusing)


@pytest.mark.parametrize("lock", [True, False])
def test_the_status_of_a_folder_that_cannot_be_written_is_told(
    lock: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not lock:
        (folder / ".lock").unlink()
    expected = status_of(folder)
    make_read_only(monkeypatch, folder)
    assert status_of(folder) == expected


def test_a_look_leaves_nothing_behind(folder: Path) -> None:
    (folder / ".lock").unlink()
    before = everything(folder)
    status_of(folder)
    assert everything(folder) == before


@pytest.mark.parametrize(
    ("who", "held"),
    [
        ({"pid": os.getpid()}, True),
        ({"pid": 2**22 + 7}, False),
        ({"pid": 1, "host": "elsewhere"}, True),
        ([], False),
        ({}, False),
    ],
)
def test_of_a_folder_that_cannot_be_written_the_holder_tells_whether_it_is_held(
    who: Any, held: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import platform

    if isinstance(who, dict) and who:
        who = {"host": platform.node(), **who}
    (folder / ".holder.json").write_text(json.dumps(who), encoding="utf-8")
    make_read_only(monkeypatch, folder)
    assert is_held(folder) is held
    assert holder(folder) == (
        f"process {who['pid']} on {who['host']}" if who else "another process"
    )


def test_a_run_in_a_folder_that_cannot_be_written_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    make_read_only(monkeypatch, folder)
    assert simlab(*WORDS, "--out", str(folder), "--resume") == 1
    said = capsys.readouterr().err
    assert said == f"simlab: {folder} cannot be written (Read-only file system)\n"


def test_the_python_surface_refuses_fewer_games_too(folder: Path) -> None:
    from simlab.experiments.study import Study

    fewer = Study.of("fantastique", SMALL.words, games=4, seed=SMALL.seed, save_games=True, chunk=2)
    with pytest.raises(UsageError, match="holds a run of 10 games, which cannot shrink to 4"):
        play_in(folder, fewer, resume=True)

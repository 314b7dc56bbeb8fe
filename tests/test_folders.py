"""Run folders: what is kept, what a kill or a full disk leaves, and what is refused."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_cli import process, simlab

from simlab.compiled import INTERPRETED
from simlab.engine import Room
from simlab.errors import SimlabError, UsageError
from simlab.experiments.batches import Watch
from simlab.experiments.folders import (
    DamagedFolderError,
    checked_bytes,
    is_held,
    read_checked,
    to_json,
    write_whole,
)
from simlab.experiments.inspecting import status_of, verify_folder
from simlab.experiments.results import Results
from simlab.experiments.running import Place, load, run
from simlab.experiments.study import Study
from simlab.experiments.summary import ALWAYS, FIXED, Reading
from simlab.experiments.tracing import trace_deals
from simlab.games.fantastique import GAME

SEED = 11
POLICIES = ("balanced", "greedy", "random", "greedy")
TURNS = 4
CHUNK, DEALS = (2, 9) if INTERPRETED else (16, 200)
"""Chunks are small, so that there are many; the last one is shorter."""
WORDS = ("run", "fantastique", *POLICIES, "--seed", str(SEED), "--save-games")
compiled_only = pytest.mark.skipif(INTERPRETED, reason="too slow to be stopped in time")


def study(deals: int = DEALS, chunk: int | None = CHUNK, **more: Any) -> Study:
    given = {"policies": POLICIES, "seed": SEED, "save_games": True, "games": deals * TURNS} | more
    policies = given.pop("policies")
    return Study.of("fantastique", policies, chunk=chunk, **given)


def play_in(
    folder: Path,
    what: Study | None = None,
    *,
    stop_at: int | None = None,
    workers: int = 2,
    **place: bool,
) -> Results:
    """Run a study in a folder; stop it at the first batch after so many deals are kept."""
    watch = Watch()

    def progress(plan: Any, part: Any, wanted: int) -> None:
        if stop_at is not None and part.counts[0].deals >= stop_at:
            watch.stop.set()

    watch.progress = progress
    return run(what or study(), place=Place(folder, **place), workers=workers, watch=watch)


def kept(folder: Path) -> dict[str, bytes]:
    """The files that do not depend on when and by whom a run was played."""
    patterns = ("results.json", "chunks/*.json", "games/*.parquet")
    files = [file for pattern in patterns for file in folder.glob(pattern)]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def everything(folder: Path) -> dict[str, bytes | None]:
    """Every file and every folder below a folder."""
    found = sorted(folder.rglob("*"))
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in found
    }


def chunk_name(chunk: int) -> str:
    return f"chunks/{chunk:06d}.json"


def games_name(chunk: int) -> str:
    return f"games/{chunk:06d}.parquet"


def without(value: Any, *names: str) -> Any:
    """Plain values without the keys of these names, at any depth."""
    if isinstance(value, dict):
        return {key: without(one, *names) for key, one in value.items() if key not in names}
    return [without(one, *names) for one in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, played by one worker, that nobody writes into."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    play_in(folder, workers=1)
    return folder


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody pulls a plug here, so nothing has to wait for the disk."""
    monkeypatch.setattr(os, "fsync", lambda file: None)


@pytest.fixture
def finished(whole: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, to be ill-treated."""
    return Path(shutil.copytree(whole, tmp_path / "finished"))


# --- A run that was stopped and went on equals one that was not -----------------------------

SIZES = {2: 9, 5: 21} if INTERPRETED else {16: 200, 50: 800, None: 5 * GAME.chunk_games // 2}
"""Deals in a chunk (None: as many as the study chooses) to deals in all."""


def sized(chunk: int | None) -> Study:
    if chunk is None:
        return study(chunk=None, seating="fixed", games=SIZES[chunk], save_games=False)
    return study(SIZES[chunk], chunk)


@cache
def uninterrupted(chunk: int | None) -> dict[str, bytes]:
    """Files of a run that one worker played without a break."""
    with tempfile.TemporaryDirectory() as folder:
        play_in(Path(folder), sized(chunk), workers=1)
        return kept(Path(folder))


@pytest.mark.parametrize("late", [False, True], ids=["first batch", "later"])
@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("chunk", SIZES)
def test_a_run_stopped_and_resumed_leaves_the_files_of_one_that_was_not(
    chunk: int | None, workers: int, late: bool, tmp_path: Path
) -> None:
    what, stop_at = sized(chunk), 0
    if late:
        stop_at = what.deals // 4 if chunk else 1
    first = play_in(tmp_path, what, stop_at=stop_at, workers=workers)
    assert not first.played.complete
    left = kept(tmp_path)
    assert "results.json" not in left
    again = play_in(tmp_path, what, workers=workers % 3 + 1, resume=True)
    assert kept(tmp_path) == uninterrupted(chunk)
    assert left.items() <= uninterrupted(chunk).items()
    missing = what.deals - first.played.count.deals
    assert again.played.played_games == missing * len(what.seatings)


@pytest.mark.parametrize("workers", [2, 3])
def test_files_do_not_depend_on_workers(workers: int, tmp_path: Path, whole: Path) -> None:
    play_in(tmp_path, workers=workers)
    assert kept(tmp_path) == kept(whole)


@pytest.mark.parametrize("chunk", [CHUNK // 2, CHUNK + 1, DEALS, None])
def test_numbers_do_not_depend_on_chunks(chunk: int | None, tmp_path: Path, whole: Path) -> None:
    numbers = play_in(tmp_path, study(chunk=chunk)).numbers
    assert numbers["study"]["chunk"] != CHUNK
    assert without(numbers, "chunk") == without(load(whole).numbers, "chunk")


def test_a_file_is_on_the_disk_before_it_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, replace = [], os.replace

    def noted(old: Path, new: Path) -> None:
        done.append(f"{new.name} takes its place, {old.stat().st_size} bytes")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", lambda file: done.append(str(os.fstat(file).st_size)))
    monkeypatch.setattr(os, "replace", noted)
    write_whole(tmp_path / "night", b"seven b")
    assert done[:2] == ["7", "night takes its place, 7 bytes"]
    assert len(done) == 3, "and then the folder"
    assert everything(tmp_path) == {"night": b"seven b"}


# --- Killed at any moment -------------------------------------------------------------------


def pair(deals: int, seed: int = SEED) -> Study:
    """A study of few games."""
    return study(chunk=2, policies=("greedy", "random"), games=2 * deals, seed=seed)


SMALL, LARGE, OTHER = pair(5), pair(8), pair(5, SEED + 1)
"""The last chunk of the smaller run is cut short, and has to be played again for the larger."""
Job = Callable[[Path], Any]


class Killed(BaseException):
    """What stands for the end of the process; nobody catches it."""


def fail_at(
    patch: pytest.MonkeyPatch, folder: Path, step: int, error: BaseException, calls: tuple[str, ...]
) -> list[str]:
    """Let one change in a folder fail that is made by any of these calls; returns all of them."""
    made: list[str] = []

    def failing(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *more: Any, **named: Any) -> Any:
            target = Path(more[0] if name == "replace" else path)
            inside = str(folder) in str(target) or named.get("dir_fd") is not None
            nothing_new = name == "mkdir" and target.exists()
            if inside and not nothing_new and target.name not in (".lock", ".holder.json"):
                made.append(f"{name} {target.name}")
                if len(made) == step:
                    raise error
            return real(path, *more, **named)

        return call

    for name in calls:
        patch.setattr(os, name, failing(name, getattr(os, name)))
    return made


CHANGES = ("replace", "unlink", "mkdir", "rmdir")


def broken_off(
    job: Job, start: Job, folder: Path, error: BaseException, calls: tuple[str, ...] = CHANGES
) -> Iterator[tuple[Path, str]]:
    """Do a job again and again; let it fail at its first change of the folder, its second ...

    Yields what is left each time, and where it broke off, until it comes to its end.
    """
    for step in range(1, 200):
        place = folder / f"step{step}"
        start(place)
        with pytest.MonkeyPatch.context() as patch:
            made = fail_at(patch, place, step, error, calls)
            try:
                job(place)
            except (Killed, SimlabError):
                assert len(made) >= step
            else:
                assert 6 < len(made) < step
                return
        yield place, f"broken off at step {step}: {made[step - 1]}"
    raise AssertionError("the job never comes to its end")


def finish(what: Study) -> Job:
    """Play a study in a folder that may hold a part of it."""
    return lambda folder: play_in(folder, what, resume=True)


def refusal_of(job: Job, folder: Path) -> str:
    """What a job is refused with in a folder; nothing if it is done."""
    try:
        job(folder)
    except SimlabError as error:
        return str(error)
    return ""


def overwrite(folder: Path) -> None:
    """Play the small study in place of whatever is there."""
    play_in(folder, SMALL, overwrite=True)


def nothing_there(folder: Path) -> None:
    """Begin where there is no folder."""


STARTS: dict[str, tuple[Job, Study]] = {
    "a new run": (nothing_there, SMALL),
    "a larger run": (finish(SMALL), LARGE),
}


def files_of(start: Job, what: Study, folder: Path) -> dict[str, bytes]:
    """Files of a run that nothing happened to."""
    start(folder)
    finish(what)(folder)
    return kept(folder)


@pytest.mark.parametrize("start", STARTS)
def test_a_run_killed_at_any_change_of_its_folder_goes_on_as_if_it_was_not(
    start: str, tmp_path: Path
) -> None:
    begin, what = STARTS[start]
    expected = files_of(begin, what, tmp_path / "whole")
    for folder, where in broken_off(finish(what), begin, tmp_path, Killed()):
        finish(what)(folder)
        assert kept(folder) == expected, where
        assert load(folder).numbers["deals"] == what.deals, where


@pytest.mark.parametrize("start", STARTS)
def test_a_disk_that_is_full_at_any_file_is_one_error_and_loses_nothing(
    start: str, tmp_path: Path
) -> None:
    begin, what = STARTS[start]
    expected = files_of(begin, what, tmp_path / "whole")
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    calls = ("replace", "mkdir")
    for folder, where in broken_off(finish(what), begin, tmp_path, full, calls):
        assert [path for path in folder.rglob(".*") if path.name != ".lock"] == [], where
        finish(what)(folder)
        assert kept(folder) == expected, where


def test_what_a_killed_run_leaves_is_never_shown_as_more_than_it_is(tmp_path: Path) -> None:
    """Until it is overwritten the folder has the old numbers, then a part or all of the new."""
    numbers = [play_in(tmp_path / str(what.seed), what).numbers for what in (OTHER, SMALL)]
    for folder, where in broken_off(overwrite, finish(OTHER), tmp_path, Killed()):
        try:
            shown = load(folder)
        except SimlabError:
            continue
        assert shown.numbers in numbers or not shown.played.complete, where


def test_an_overwrite_that_was_killed_can_be_done_again(tmp_path: Path) -> None:
    expected = files_of(nothing_there, SMALL, tmp_path / "whole")
    for folder, where in broken_off(overwrite, finish(OTHER), tmp_path, Killed()):
        overwrite(folder)
        assert kept(folder) == expected, where


def test_an_overwrite_that_was_killed_goes_on_with_the_run_that_is_there(tmp_path: Path) -> None:
    expected = files_of(nothing_there, SMALL, tmp_path / "whole")
    for folder, where in broken_off(overwrite, finish(OTHER), tmp_path, Killed()):
        said = refusal_of(finish(SMALL), folder)
        if said:
            assert "seed was 12, is 11" in said, where
        else:
            assert kept(folder) == expected, where


def counted_chunks(folder: Path) -> int:
    return len(list(folder.glob("chunks/*.json")))


def wait_for_chunks(folder: Path, chunks: int, child: subprocess.Popen[str]) -> None:
    """Wait until so many chunks are kept, or the process is at its end."""
    until = time.monotonic() + 120
    while counted_chunks(folder) < chunks and child.poll() is None:
        assert time.monotonic() < until, "nothing is played"
        time.sleep(0.005)


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "more", "kills"), [("2e6", (), 20), ("1e6", ("--save-games",), 10)]
)
def test_kills_at_random_moments_leave_the_files_of_a_run_that_was_left_alone(
    games: str, more: tuple[str, ...], kills: int, tmp_path: Path
) -> None:
    """SIGINT and SIGKILL in turn; some while the process starts, most while it plays."""
    line = ["run", "fantastique", "balanced", "3xgreedy", "--workers", "2", *more]
    line += ["--games", games, "--seed", str(SEED), "--format", "csv", "--quiet"]
    alone, folder = tmp_path / "alone", tmp_path / "killed"
    assert simlab(*line, "--out", str(alone)) == 0
    expected, draw, hits = kept(alone), random.Random(SEED), 0
    line += ["--out", str(folder), "--resume"]
    for kill in range(kills):
        child = process(*line)
        if kill % 5 == 0:
            time.sleep(draw.uniform(0, 2))
        else:
            wait_for_chunks(folder, counted_chunks(folder) + draw.randrange(1, 4), child)
            time.sleep(draw.uniform(0, 0.05))
        child.send_signal(signal.SIGKILL if kill % 2 else signal.SIGINT)
        child.communicate(timeout=60)
        hits += child.returncode != 0
        assert kept(folder).items() <= expected.items(), f"after kill {kill}"
    assert hits > kills // 2
    assert simlab(*line) == 0
    assert kept(folder) == expected
    assert simlab("verify", str(folder)) == 0
    chunks = counted_chunks(alone)
    assert status_of(folder)["complete"] == f"{chunks:,} of {chunks:,} chunks"


LIMITED = """
import resource, sys
from simlab.cli import main
most = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
main(sys.argv[2:])
"""


@compiled_only
@pytest.mark.parametrize("most", [0, 6000], ids=lambda most: f"{most} bytes")
def test_a_file_that_cannot_be_written_is_one_line_and_finished_chunks_stay(
    most: int, tmp_path: Path, whole: Path
) -> None:
    """A process that may write no file of more than so many bytes."""
    play_in(tmp_path, stop_at=DEALS // 2)
    before = kept(tmp_path)
    line = [sys.executable, "-c", LIMITED, str(most), *WORDS, "--games", str(DEALS * TURNS)]
    line += ["--out", str(tmp_path), "--resume"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert f"simlab: {tmp_path}" in done.stderr
    assert "cannot be written (File too large)" in done.stderr
    assert kept(tmp_path) == before
    assert status_of(tmp_path)["state"] == "stopped"
    play_in(tmp_path, resume=True)
    assert kept(tmp_path) == kept(whole)


# --- Damage is found by name ----------------------------------------------------------------


def flipped(content: bytes, place: int, bit: int = 0) -> bytes:
    changed = bytearray(content)
    changed[place] ^= 1 << bit
    return bytes(changed)


DAMAGES: dict[str, Callable[[bytes], bytes | None]] = {
    "gone": lambda content: None,
    "empty": lambda content: b"",
    "half": lambda content: content[: len(content) // 2],
    "short of ten bytes": lambda content: content[:-10],
    "longer": lambda content: content + b"0",
    "flipped at its start": lambda content: flipped(content, 3),
    "flipped in its middle": lambda content: flipped(content, len(content) // 2),
    "flipped near its end": lambda content: flipped(content, -9),
}
NAMES = (chunk_name(1), games_name(2), "results.json")


def damage(folder: Path, name: str, how: str) -> None:
    content = DAMAGES[how]((folder / name).read_bytes())
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)


def verdict(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit code of ``simlab verify``, and the one line that it said if it found something."""
    capsys.readouterr()
    code = simlab("verify", str(folder), "--quiet")
    said = capsys.readouterr()
    lines = (said.out.count("\n"), said.err.count("\n"))
    assert lines == (0, 1) if code else lines[0] >= 1
    return code, said.err


@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_file_is_found_by_name(name: str, how: str, finished: Path, capsys) -> None:
    if (name, how) == ("results.json", "gone"):
        pytest.skip("a run that has no results yet is not damaged")
    assert verdict(finished, capsys)[0] == 0
    damage(finished, name, how)
    code, said = verdict(finished, capsys)
    assert code == 1
    assert f"{finished / name} " in said


@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_run_is_played_again_or_refused_by_name(
    name: str, how: str, finished: Path, whole: Path
) -> None:
    """Where it is refused, it goes on once the chunk is taken away."""
    damage(finished, name, how)
    before = everything(finished)
    said = refusal_of(finish(study()), finished)
    if said:
        assert f"{finished / name} " in said
        assert everything(finished) == before, "nothing is lost, the results least of all"
        chunk = finished / chunk_name(int(Path(name).stem))
        way_out = "go on with --resume: its games are played again"
        assert any(f"; delete {what} and {way_out}" in said for what in ("it", chunk))
        chunk.unlink(missing_ok=True)
        play_in(finished, resume=True)
    assert kept(finished) == kept(whole)


@pytest.mark.parametrize("chunk", [0, 1, -1], ids=["first", "second", "last"])
def test_numbers_without_a_chunk_that_is_gone_are_not_shown_as_whole(
    chunk: int, finished: Path, capsys
) -> None:
    sorted(finished.glob("chunks/*.json"))[chunk].unlink()
    if simlab("show", str(finished), "--format", "json") == 0:
        said = capsys.readouterr()
        assert "partial" in said.err
        assert json.loads(said.out)["complete"] is False


def test_any_flipped_bit_of_a_chunk_is_seen(finished: Path) -> None:
    path, draw = finished / chunk_name(1), random.Random(SEED)
    content = path.read_bytes()
    for place in draw.sample(range(len(content) - 1), 200):
        path.write_bytes(flipped(content, place, draw.randrange(8)))
        with pytest.raises(DamagedFolderError, match=chunk_name(1)):
            read_checked(path)


def test_a_flipped_bit_of_run_json_is_an_error_or_harmless(tmp_path: Path) -> None:
    """Whatever it makes of the file; no number that is shown afterwards is wrong."""
    play_in(tmp_path, SMALL)
    path, draw = tmp_path / "run.json", random.Random(SEED)
    content, expected = path.read_bytes(), load(tmp_path).numbers
    for place in draw.sample(range(len(content)), 10 if INTERPRETED else 150):
        path.write_bytes(flipped(content, place, draw.randrange(7)))
        try:
            verify_folder(tmp_path)
        except SimlabError:
            continue
        assert load(tmp_path).numbers == expected, f"byte {place}"


def test_chunks_that_changed_places_do_not_count(finished: Path, whole: Path, capsys) -> None:
    one, two = finished / chunk_name(1), finished / chunk_name(2)
    content = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(content)
    assert verdict(finished, capsys)[0] == 1
    play_in(finished, resume=True)
    assert kept(finished) == kept(whole)


def test_a_chunk_of_another_run_is_refused_by_name(finished: Path, tmp_path: Path, capsys) -> None:
    play_in(tmp_path / "other", study(seed=SEED + 1))
    shutil.copy(tmp_path / "other" / chunk_name(2), finished / chunk_name(2))
    assert verdict(finished, capsys)[0] == 1
    with pytest.raises(DamagedFolderError, match=f"{chunk_name(2)} belongs to another run"):
        play_in(finished, resume=True)


TWO_CHUNKS = CHUNK * 2 - 1
"""Deals of a study with as many chunks as are played again."""


def seal(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change a chunk so that its digest is right again."""
    content = read_checked(path)
    change(content)
    path.write_bytes(checked_bytes(content))


@pytest.mark.parametrize("chunk", [0, 1])
def test_sums_that_were_never_played_are_found_by_playing_again(
    chunk: int, tmp_path: Path, capsys
) -> None:
    """Though every digest is right, and the results fit them."""
    play_in(tmp_path, study(TWO_CHUNKS))

    def change(content: dict[str, Any]) -> None:
        content["part"]["counts"][0]["sums"]["squares"][0][0][0] += 1

    seal(tmp_path / chunk_name(chunk), change)
    (tmp_path / "results.json").write_bytes(to_json(load(tmp_path).numbers))
    code, said = verdict(tmp_path, capsys)
    assert code == 1
    assert f"chunk {chunk} of {tmp_path}, played again, comes out otherwise" in said


def test_games_that_were_never_played_are_found_by_playing_again(tmp_path: Path, capsys) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    play_in(mine, study(TWO_CHUNKS))
    play_in(other, study(TWO_CHUNKS, seed=SEED + 1))
    shutil.copy(other / games_name(1), mine / games_name(1))
    theirs = read_checked(other / chunk_name(1))["games_file"]
    seal(mine / chunk_name(1), lambda content: content.update(games_file=theirs))
    code, said = verdict(mine, capsys)
    assert code == 1
    assert f"{mine / games_name(1)} holds other games" in said


# --- One process at a time ------------------------------------------------------------------

LONG = ("run", "fantastique", "balanced", "3xgreedy", "--games", "1e7", "--workers", "2", "--quiet")
LONG_CHUNK, LONG_DEALS = GAME.chunk_games // 4, 10**7 // 4


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that plays for a long time, and has kept two chunks."""
    child = process(*LONG, "--out", str(tmp_path), "--format", "json")
    wait_for_chunks(tmp_path, 2, child)
    yield child
    if child.poll() is None:
        child.kill()
        child.communicate()


def goes_on(folder: Path) -> bool:
    """Whether the long run may go on where it is: it is stopped at its first batch."""
    long, before = Study.of("fantastique", ["balanced", "3xgreedy"], games="1e7"), kept(folder)
    found = play_in(folder, long, stop_at=0, resume=True)
    assert before.items() <= kept(folder).items()
    return found.played.played_games > 0  # a chunk before the kept ones may have been missing


@compiled_only
def test_a_second_process_is_refused_and_the_first_named_until_it_is_killed(
    playing: subprocess.Popen[str], tmp_path: Path, capsys
) -> None:
    for flag in ("--resume", "--overwrite"):
        assert simlab(*LONG, "--out", str(tmp_path), flag) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert f"{tmp_path} is held by process {playing.pid} on " in said.err
    found = status_of(tmp_path)
    assert found["state"] == "running"
    assert found["holder"].startswith(f"process {playing.pid} ")
    playing.kill()
    playing.communicate()
    assert playing.returncode == -signal.SIGKILL
    assert (tmp_path / ".holder.json").exists(), "nobody tidied up"
    found = status_of(tmp_path)
    assert (found["state"], found["holder"]) == ("stopped", None)
    assert goes_on(tmp_path)


@compiled_only
def test_ctrl_c_keeps_whole_chunks_and_says_how_to_go_on(
    playing: subprocess.Popen[str], tmp_path: Path, capsys
) -> None:
    playing.send_signal(signal.SIGINT)
    out, err = playing.communicate(timeout=60)
    assert playing.returncode == 130
    shown, chunks = json.loads(out), counted_chunks(tmp_path)
    assert shown["complete"] is False
    assert shown["deals"] == chunks * LONG_CHUNK
    assert f"these are partial results, {shown['games']:,} of 10,000,000 games" in err
    assert f"whole chunks are kept in {tmp_path}; add --resume to the same command" in err
    assert not (tmp_path / "results.json").exists()
    assert not (tmp_path / ".holder.json").exists()
    assert simlab("status", str(tmp_path), "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    wanted = -(-LONG_DEALS // LONG_CHUNK)
    assert (found["state"], found["complete"]) == ("stopped", f"{chunks} of {wanted} chunks")
    assert simlab("show", str(tmp_path), "--format", "json") == 0
    said = capsys.readouterr()
    assert "partial" in said.err
    assert json.loads(said.out)["policies"] == shown["policies"]
    assert verdict(tmp_path, capsys)[0] == 0
    assert goes_on(tmp_path)


def test_a_look_at_a_folder_never_keeps_a_run_from_it(tmp_path: Path) -> None:
    """Whoever asks whether it is held holds it for a moment."""
    over, asked = threading.Event(), []

    def look() -> None:
        while not over.is_set():
            asked.append(is_held(tmp_path))

    overwrite(tmp_path)
    looking = threading.Thread(target=look)
    looking.start()
    try:
        for _ in range(2 if INTERPRETED else 20):
            finish(SMALL)(tmp_path)
    finally:
        over.set()
        looking.join()
    assert len(asked) > 20


# --- What is there already ------------------------------------------------------------------


def command(folder: Path, *more: str, deals: int = DEALS) -> int:
    """The command that the finished run is of, with other words after it, or in its place."""
    words = list(WORDS)
    for option in {"--seed"} & set(more):
        place = words.index(option)
        del words[place : place + 2]
    return simlab(*words, "--games", str(deals * TURNS), "--out", str(folder), *more)


def written(folder: Path) -> dict[Path, int]:
    """When each chunk and each file of games was written."""
    return {path: path.stat().st_mtime_ns for path in folder.glob("*/*")}


def test_a_finished_run_plays_nothing_again_and_says_so(
    finished: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    simlab("show", str(finished), "--format", "csv")
    shown = capsys.readouterr().out
    before, when = kept(finished), written(finished)
    monkeypatch.setattr(Room, "play", None)
    assert command(finished, "--resume", "--format", "csv") == 0
    said = capsys.readouterr()
    assert f"this run was finished already; nothing was played ({finished})" in said.err
    assert said.out == shown
    assert kept(finished) == before
    assert written(finished) == when


def refused(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """The one line with which the command is refused; nothing in the folder has changed."""
    before = everything(folder)
    assert command(folder, *more) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert everything(folder) == before
    return said.err


def test_a_run_that_is_there_is_refused_unless_a_flag_says_what_to_do(
    finished: Path, capsys
) -> None:
    said = refused(finished, capsys)
    assert "--resume" in said
    assert "--overwrite" in said
    assert "exclude each other" in refused(finished, capsys, "--resume", "--overwrite")


OTHERS = {
    "seed": (("--seed", "12"), "seed was 11, is 12"),
    "rules": (("--set", "finale=II"), "options.finale was 'I', is 'II'"),
    "a list": (("--set", "gold=1,2,3,4,5,6,7"), "options.gold[0] was 6, is 1"),
    "seating": (("--seating", "fixed"), "seating was 'rotate', is 'fixed'"),
    "luck": (("--luck", "3"), "luck was 0, is 3"),
    "precision": (("--precision", "1"), "precision was False, is True"),
}


@pytest.mark.parametrize("what", OTHERS)
def test_another_study_is_refused_with_what_differs(what: str, finished: Path, capsys) -> None:
    more, said = OTHERS[what]
    assert said in refused(finished, capsys, *more, "--resume")


def test_other_policies_are_refused_with_what_differs(finished: Path) -> None:
    before = everything(finished)
    for policies, said in (
        (("balanced", "greedy", "greedy", "random"), "policies[2] was 'random', is 'greedy'"),
        (("balanced:late=1", *POLICIES[1:]), "policies[0] was 'balanced', is 'balanced:late=1"),
        (POLICIES[:3], "players was 4, is 3"),
    ):
        with pytest.raises(UsageError) as refusal:
            play_in(finished, study(policies=policies), resume=True)
        assert said in str(refusal.value)
    with pytest.raises(UsageError, match="save_games was True, is False"):
        play_in(finished, study(save_games=False), resume=True)
    assert everything(finished) == before


MINE = """
from simlab import policy
from simlab.games.fantastique import GAME, legal


@policy(GAME)
def sniper(rules, table, own, moves, weights, rng):
    'Mine.'
    return moves[legal(rules, table, own, moves) - 1]
"""


def sniper_study(folder: Path, line: str = "") -> Study:
    """A study with a policy from a file, written just now with one more line."""
    file = folder / "mine.py"
    file.write_text(f"{MINE}{line}\n", encoding="utf-8")
    return study(6, 4, policies=(f"{file}::sniper", "random"))


@pytest.mark.parametrize("early", [True, False], ids=["before it is played", "afterwards"])
def test_a_policy_whose_file_has_changed_is_refused(early: bool, tmp_path: Path) -> None:
    """A study plays what stood in the file when it was made."""
    before = sniper_study(tmp_path)
    if early:
        now = sniper_study(tmp_path, "# changed")
        play_in(tmp_path / "run", before)
    else:
        play_in(tmp_path / "run", before)
        now = sniper_study(tmp_path, "# changed")
    with pytest.raises(UsageError, match=r"sources\.mine\.py::sniper was '\w{16}', is '\w{16}'"):
        play_in(tmp_path / "run", now, resume=True)
    assert play_in(tmp_path / "run", before, resume=True).played.played_games == 0


def test_verify_says_that_a_policy_has_changed_since(tmp_path: Path) -> None:
    """The folder is well; its games cannot be played again as they were."""
    play_in(tmp_path / "run", sniper_study(tmp_path))
    sniper_study(tmp_path, "# changed")
    with pytest.raises(UsageError, match=r"mine\.py"):
        verify_folder(tmp_path / "run")


@pytest.mark.parametrize("name", ["notes.txt", ".lock", "sub/notes.txt"])
@pytest.mark.parametrize("flag", [(), ("--resume",), ("--overwrite",)], ids=" ".join)
def test_a_folder_with_other_files_is_refused_and_untouched(
    flag: tuple[str, ...], name: str, tmp_path: Path, capsys
) -> None:
    for file in (tmp_path / name, tmp_path / "budget.csv"):
        file.parent.mkdir(exist_ok=True)
        file.write_text("mine", encoding="utf-8")
    said = refused(tmp_path, capsys, *flag)
    assert f"{tmp_path} is not empty and holds no run; choose another --out" in said


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path, capsys) -> None:
    file = tmp_path / "night"
    file.write_text("mine", encoding="utf-8")
    assert f"{file} is a file" in refused(file, capsys, "--resume")
    assert file.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("flag", ["--resume", "--overwrite"])
def test_flags_without_a_folder_are_refused(flag: str, capsys) -> None:
    assert simlab(*WORDS[:-1], flag) == 2
    assert "need --out DIR" in capsys.readouterr().err


def test_games_are_not_saved_without_a_folder(capsys) -> None:
    assert simlab(*WORDS) == 2
    assert "--save-games needs --out DIR" in capsys.readouterr().err


@cache
def numbers_of(deals: int) -> dict[str, Any]:
    """Numbers of the study, played without a folder."""
    return run(study(deals, save_games=False)).numbers


@pytest.mark.parametrize("flag", [(), ("--resume",), ("--overwrite",)], ids=" ".join)
@pytest.mark.parametrize("there", [False, True])
def test_a_folder_that_is_missing_or_empty_is_filled(
    there: bool, flag: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "deep" / "down"
    if there:
        folder.mkdir(parents=True)
    assert command(folder, *flag, deals=5) == 0
    assert without(load(folder).numbers, "study") == without(numbers_of(5), "study")


def test_overwriting_leaves_nothing_of_the_old_run_and_all_that_is_not_its_own(
    finished: Path, tmp_path: Path
) -> None:
    trace_deals(study(), 2, finished)
    (finished / "notes.txt").write_text("mine", encoding="utf-8")
    play_in(finished, OTHER, overwrite=True)
    play_in(tmp_path / "fresh", OTHER)
    assert everything(finished).keys() - everything(tmp_path / "fresh").keys() == {"notes.txt"}
    assert kept(finished) == kept(tmp_path / "fresh")


# --- More games, and fewer ------------------------------------------------------------------

MORE = DEALS * 2 + 3


@pytest.fixture(scope="module")
def longer(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Results, Results]:
    """The finished run with more games, and one that had as many from the start."""
    folder = tmp_path_factory.mktemp("longer")
    shutil.copytree(whole, folder / "extended")
    extended = play_in(folder / "extended", study(MORE, None), resume=True)
    return extended, play_in(folder / "long", study(MORE))


def folder_of(results: Results) -> Path:
    assert results.folder is not None
    return results.folder


def test_more_games_than_a_finished_run_had_give_the_files_of_one_long_run(
    longer: tuple[Results, Results],
) -> None:
    extended, long = longer
    files, expected = kept(folder_of(extended)), kept(folder_of(long))
    assert files.keys() == expected.keys()
    assert {name for name in files if files[name] != expected[name]} == {"results.json"}
    apart = ("ci95", "intervals")
    assert without(extended.numbers, *apart) == without(long.numbers, *apart)
    # The last chunk was shorter, and is played again.
    assert extended.played.played_games == TURNS * (MORE - DEALS // CHUNK * CHUNK)


def test_intervals_after_more_games_hold_at_any_number_and_say_so(
    longer: tuple[Results, Results], capsys
) -> None:
    extended, long = longer
    assert extended.numbers["intervals"] == ALWAYS
    assert long.numbers["intervals"] == FIXED
    assert extended.numbers == Reading(long.study, long.played.count, always_valid=True).record()
    for wide, narrow in zip(extended.numbers["policies"], long.numbers["policies"], strict=True):
        assert np.diff(wide["ci95"]) > np.diff(narrow["ci95"])
    assert simlab("show", str(extended.folder)) == 0
    assert f"intervals: {ALWAYS}" in capsys.readouterr().out


def test_a_run_with_more_games_stays_one_when_it_is_stopped_or_asked_for_again(
    longer: tuple[Results, Results], finished: Path
) -> None:
    assert not play_in(finished, study(MORE), stop_at=DEALS, resume=True).played.complete
    assert load(finished).numbers["intervals"] == ALWAYS
    for _ in range(2):
        play_in(finished, study(MORE), resume=True)
        assert kept(finished) == kept(folder_of(longer[0]))


def test_a_run_goes_on_with_more_games_from_the_command_line(finished: Path, capsys) -> None:
    assert command(finished, "--resume", "--format", "json", deals=MORE) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["deals"], found["intervals"]) == (MORE, ALWAYS)
    assert verdict(finished, capsys)[0] == 0


def test_a_run_never_shrinks(finished: Path, capsys) -> None:
    """Neither what it says of itself nor its results; the line says how to go on."""
    before = everything(finished)
    for more in ((), ("--format", "json")):
        assert command(finished, "--resume", *more, deals=DEALS - 1) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert f"holds a run of {DEALS * TURNS:,} games" in said.err
        assert f"--games {DEALS * TURNS} or more, or without --games" in said.err
    assert everything(finished) == before


def test_games_that_are_rounded_up_to_as_many_deals_are_no_fewer(finished: Path, capsys) -> None:
    words = [*WORDS, "--games", str(DEALS * TURNS - 1), "--out", str(finished), "--resume"]
    assert simlab(*words) == 0
    assert "nothing was played" in capsys.readouterr().err


@pytest.mark.parametrize("stopped", [False, True], ids=["finished", "stopped"])
def test_a_run_goes_on_to_its_own_number_of_games_if_none_is_given(
    stopped: bool, tmp_path: Path, whole: Path, capsys
) -> None:
    play_in(tmp_path, stop_at=DEALS // 2 if stopped else None)
    assert simlab(*WORDS, "--out", str(tmp_path), "--resume", "--format", "json") == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["games"] == DEALS * TURNS
    assert ("nothing was played" in said.err) != stopped
    assert kept(tmp_path) == kept(whole)


@compiled_only
def test_chunks_after_the_one_that_was_precise_enough_do_not_count(tmp_path: Path, capsys) -> None:
    """They are there if they were finished before it, or if less is asked for later."""
    wide, narrow = (
        study(chunk=100, precision=points, policies=("greedy", "balanced"), games=6000)
        for points in (8, 4)
    )
    more = play_in(tmp_path / "run", narrow)
    found = play_in(tmp_path / "run", wide, resume=True)
    expected = play_in(tmp_path / "fresh", wide, workers=1)
    assert more.played.count.deals > expected.played.count.deals
    assert found.numbers == expected.numbers
    assert load(tmp_path / "run").numbers == expected.numbers
    assert verdict(tmp_path / "run", capsys)[0] == 0
    assert len(found.games()) == 2 * found.numbers["games"]


# --- A part of a run ------------------------------------------------------------------------


def test_a_part_of_a_run_is_shown_and_counted_as_what_it_is(tmp_path: Path, capsys) -> None:
    found = play_in(tmp_path, stop_at=DEALS // 4)
    chunks, wanted = counted_chunks(tmp_path), -(-DEALS // CHUNK)
    assert 0 < chunks < wanted
    assert simlab("status", str(tmp_path)) == 0
    said = capsys.readouterr().out
    assert f"{chunks} of {wanted} chunks" in said
    assert "stopped" in said
    assert simlab("show", str(tmp_path), "--format", "json") == 0
    said = capsys.readouterr()
    assert "this run is partial: see simlab status" in said.err
    shown = json.loads(said.out)
    assert shown["complete"] is False
    assert {key: shown[key] for key in found.numbers} == found.numbers
    deals = [deal for deal in range(DEALS) if (tmp_path / chunk_name(deal // CHUNK)).exists()]
    assert shown["deals"] == len(deals)
    assert verdict(tmp_path, capsys)[0] == 0


@pytest.mark.parametrize(
    "words", [("status",), ("verify",), ("show",), ("show", "--format", "json")], ids=" ".join
)
def test_a_run_without_a_chunk_yet_is_shown_as_that(
    words: tuple[str, ...], tmp_path: Path, capsys
) -> None:
    play_in(tmp_path, stop_at=0)
    for path in tmp_path.glob("chunks/*"):
        path.unlink()
    assert simlab(words[0], str(tmp_path), *words[1:]) in (0, 1)
    said = capsys.readouterr()
    assert said.err.count("\n") <= 1
    assert "0 of" in said.out or "partial" in said.err


def test_games_without_their_sums_do_not_count(finished: Path) -> None:
    """A kill between the two files of a chunk leaves its games alone."""
    (finished / chunk_name(1)).unlink()
    (finished / "results.json").unlink()
    found = load(finished)
    assert found.numbers["deals"] == DEALS - CHUNK
    assert set(found.games()["deal"]).isdisjoint(range(CHUNK, 2 * CHUNK))
    assert len(found.games()) == found.numbers["games"] * len(POLICIES)


def test_a_folder_without_a_run_is_one_line_and_untouched(tmp_path: Path, capsys) -> None:
    for name in ("status", "show", "verify"):
        for folder in (tmp_path, tmp_path / "missing"):
            assert simlab(name, str(folder)) == 2
            said = capsys.readouterr()
            assert (said.out, said.err.count("\n")) == ("", 1)
            assert f"{folder} holds no run" in said.err
    assert everything(tmp_path) == {}

"""Studies on a cluster: the same bytes as one process, whatever dies, comes twice, or is old."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from test_cli import process, simlab
from test_folders import kept

from simlab.compiled import INTERPRETED
from simlab.engine import warm_up
from simlab.errors import SimlabError, UsageError
from simlab.experiments.batches import Watch
from simlab.experiments.cluster import open_cluster, read_address
from simlab.experiments.cluster.crew import Cluster
from simlab.experiments.cluster.local import Processes, quiet_dask
from simlab.experiments.cluster.orders import (
    Answer,
    arrow_bytes,
    order_for,
    read_answer,
    read_arrow,
    unpack,
)
from simlab.experiments.cluster.pieces import PIECE_GAMES, PIECES_EACH, deals_in_a_piece
from simlab.experiments.cluster.working import played
from simlab.experiments.inspecting import verify_folder
from simlab.experiments.plans import Plan
from simlab.experiments.running import Place, run
from simlab.experiments.study import Study
from simlab.games.fantastique import GAME

SEED = 5
TABLE = ("greedy", "random", "greedy", "random")
TURNS = 2
"""Distinct seatings of that table."""
CHUNK, DEALS = (3, 10) if INTERPRETED else (100, 2_050)
ROOT = Path(__file__).resolve().parent.parent
compiled_only = pytest.mark.skipif(INTERPRETED, reason="too slow to be disturbed in time")

SNIPER = '''
"""Ein Scharfschütze."""

from simlab import policy
from simlab.games.fantastique import GAME, legal


@policy(GAME, last=1.0)
def sniper(rules, table, own, moves, weights, rng):
    """Plays the `last` legal move."""
    n = legal(rules, table, own, moves)
    return moves[max(0, n - int(weights[0]))]


@policy(GAME)
def cheat(rules, table, own, moves, weights, rng):
    """Makes a move that is none, once its notes say that it has played for a while."""
    n = legal(rules, table, own, moves)
    own.notes[0] += 1
    return -1 if table.round_number == rules.rounds else moves[0]
'''


def study(deals: int = DEALS, chunk: int | None = CHUNK, **more: Any) -> Study:
    given: dict[str, Any] = {"seed": SEED, "games": deals * TURNS, "chunk": chunk} | more
    return Study.of("fantastique", given.pop("policies", TABLE), **given)


def workers_of_this_process() -> list[psutil.Process]:
    """Worker processes that this process has started."""
    children = psutil.Process().children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody pulls a plug here, so nothing has to wait for the disk."""
    monkeypatch.setattr(os, "fsync", lambda file: None)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A scheduler with two workers, for all tests that break nothing."""
    warm_up(GAME)
    with quiet_dask():
        processes = Processes(2)
        yield processes.address
        processes.close()
    assert workers_of_this_process() == []


@pytest.fixture
def sniper(tmp_path: Path) -> str:
    """Path of a user's file."""
    path = tmp_path / "a hunter's" / "sniper.py"
    path.parent.mkdir()
    path.write_text(SNIPER, encoding="utf-8")
    return str(path)


def both_ways(tmp_path: Path, address: str, *words: str) -> tuple[dict[str, bytes], ...]:
    """What a command keeps when this process plays, and when a cluster does."""
    found = []
    for name, who in (("here", ["--workers", "2"]), ("there", ["--scheduler", address])):
        folder = tmp_path / name
        assert simlab(*words, "--quiet", "--out", str(folder), *who) == 0
        found.append(kept(folder))
    return tuple(found)


# --- The same bytes ---------------------------------------------------------------------------


def commands(games: int) -> list[tuple[str, ...]]:
    game, few = ("fantastique", *TABLE), ("--games", str(games), "--seed", str(SEED))
    return [
        ("run", *game, *few, "--save-games", "--seating", "shuffle"),
        ("compare", *game, *few, "--vary", "stack_limit=1,2"),
        ("compare", "fantastique", "4xrandom", *few, "--vary", "finale=I,II"),
        ("compare", "fantastique", "greedy", "random", *few, "--vary", "players=2,3"),
        ("tournament", "fantastique", "greedy", "random", "--players", "3", *few),
    ]


@pytest.mark.parametrize("words", commands(12 if INTERPRETED else 3_000), ids=" ".join)
def test_a_cluster_keeps_the_bytes_of_one_process(
    words: tuple[str, ...], tmp_path: Path, address: str
) -> None:
    here, there = both_ways(tmp_path, address, *words)
    assert here == there
    assert "results.json" in here


def test_many_chunks_that_come_back_in_any_order_add_up_to_the_same(
    tmp_path: Path, address: str
) -> None:
    run(study(), place=Place(tmp_path / "here"), workers=1)
    with open_cluster(address) as cluster:
        run(study(), place=Place(tmp_path / "there"), workers=cluster)
    assert kept(tmp_path / "here") == kept(tmp_path / "there")
    assert len(kept(tmp_path / "there")) > DEALS // CHUNK


def test_chunks_too_large_for_a_task_are_shared_out_and_put_together(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simlab.experiments.cluster.pieces.PIECE_OUTCOMES", 4)
    what = study(11, 7, save_games=True)
    run(what, place=Place(tmp_path / "here"), workers=1)
    with open_cluster(address) as cluster:
        run(what, place=Place(tmp_path / "there"), workers=cluster)
        assert cluster.begin(Plan((what,)), Watch()).batch == 2
    assert kept(tmp_path / "here") == kept(tmp_path / "there")


@pytest.mark.parametrize("race", [True, False])
def test_what_stops_early_stops_at_the_same_deal(race: bool, tmp_path: Path, address: str) -> None:
    words: list[str] = ["run", "fantastique", *TABLE, "--precision", "20" if INTERPRETED else "2"]
    if race:
        words = ["tournament", "fantastique", "greedy", "random", "--players", "2", "--race"]
    games = (1_200 if race else 2_000) if INTERPRETED else 40_000
    if INTERPRETED:
        pytest.skip("hundreds of games a table before the first look")
    here, there = both_ways(tmp_path, address, *words, "--games", str(games))
    # Beyond the deal at which it was enough, chunks may be there that happened to be finished.
    assert here["results.json"] == there["results.json"]
    assert all(here[name] == there[name] for name in here.keys() & there.keys())
    runs = [json.loads((tmp_path / name / "run.json").read_text()) for name in ("here", "there")]
    assert runs[0].get("stopped_at") == runs[1].get("stopped_at")
    if not race:
        assert 0 < runs[1]["stopped_at"] < games // TURNS


def test_a_policy_from_a_file_is_compiled_where_it_plays(
    sniper: str, tmp_path: Path, address: str
) -> None:
    what = study(10, 4, policies=[f"{sniper}::sniper", f"{sniper}::sniper:last=2", "2xrandom"])
    run(what, place=Place(tmp_path / "here"), workers=1)
    with open_cluster(address) as cluster:
        run(what, place=Place(tmp_path / "there"), workers=cluster)
    assert kept(tmp_path / "here") == kept(tmp_path / "there")


@compiled_only
@pytest.mark.slow
def test_a_game_from_a_file_is_compiled_and_played_there_too(tmp_path: Path, address: str) -> None:
    toy = ROOT / "tests" / "toy_game.py"
    what = Study.of(f"{toy}::GAME", [f"{toy}::steady", f"{toy}::random"], games=40, chunk=8)
    run(what, place=Place(tmp_path / "here"), workers=1)
    with open_cluster(address) as cluster:
        run(what, place=Place(tmp_path / "there"), workers=cluster)
    assert kept(tmp_path / "here") == kept(tmp_path / "there")


def test_a_search_finds_the_same_parameters(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if INTERPRETED:
        pytest.skip("a search plays thousands of games")
    words = ("tune", "fantastique", "finale-collector", "--against", "random")
    here, there = both_ways(tmp_path, address, *words, "--games", "40000", "--judged", "2000")
    assert here == there


# --- Twice, and not at all ----------------------------------------------------------------------


def test_a_chunk_that_is_played_and_delivered_twice_counts_once(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, twice = Cluster.ask, []

    async def ask_twice(self: Cluster, order: bytes, piece: bytes, key: str, who: Any) -> Any:
        first = await ask(self, order, piece, key, who)
        again = await ask(self, order, piece, f"{key}-again", who)
        assert first is not None
        assert again is not None
        twice.append(first.said.get("part") == again.said.get("part"))
        return again

    monkeypatch.setattr(Cluster, "ask", ask_twice)
    run(study(), place=Place(tmp_path / "here"), workers=1)
    with open_cluster(address) as cluster:
        run(study(), place=Place(tmp_path / "there"), workers=cluster)
    assert kept(tmp_path / "here") == kept(tmp_path / "there")
    assert all(twice)
    assert len(twice) >= DEALS // CHUNK


def test_two_runs_of_one_study_at_once_share_their_tasks_and_keep_the_same(
    tmp_path: Path, address: str
) -> None:
    def go(name: str) -> None:
        with open_cluster(address) as cluster:
            run(study(), place=Place(tmp_path / name), workers=cluster)

    threads = [threading.Thread(target=go, args=(name,)) for name in ("one", "other")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run(study(), place=Place(tmp_path / "here"), workers=1)
    assert kept(tmp_path / "one") == kept(tmp_path / "other") == kept(tmp_path / "here")


def test_a_run_that_one_process_began_goes_on_in_a_cluster(tmp_path: Path, address: str) -> None:
    watch = Watch()

    def stop(plan: Any, part: Any, wanted: int) -> None:
        if part.counts[0].deals >= CHUNK:
            watch.stop.set()

    watch.progress = stop
    run(study(), place=Place(tmp_path / "run"), workers=1, watch=watch)
    begun = kept(tmp_path / "run")
    assert begun
    assert "results.json" not in begun
    with open_cluster(address) as cluster:
        run(study(), place=Place(tmp_path / "run", resume=True), workers=cluster)
    run(study(), place=Place(tmp_path / "whole"), workers=1)
    assert kept(tmp_path / "run") == kept(tmp_path / "whole")


# --- Who is told what ---------------------------------------------------------------------------


def test_a_rule_broken_on_a_worker_is_told_as_it_would_be_here(
    sniper: str, tmp_path: Path, address: str
) -> None:
    what = study(4, policies=[f"{sniper}::cheat", "random", "random", "random"])
    said = []
    with open_cluster(address) as cluster:
        for who in (1, cluster):
            with pytest.raises(SimlabError) as error:
                run(what, workers=who)
            said.append(str(error.value))
    assert said[0] == said[1]
    assert f"{Path(sniper).name}::cheat" in said[0]


def test_a_worker_refuses_other_sources_files_and_studies(sniper: str, tmp_path: Path) -> None:
    what = study(4, policies=[f"{sniper}::sniper", "random", "random", "random"])
    order = json.loads(order_for(Plan((what,)), None))

    def answer(**changed: Any) -> str:
        changes = json.dumps(order | changed).encode()
        return str(played(changes, b"null", tmp_path / "there")[0].get("refused"))

    assert "with sources" in answer(sources="0123456789ab")
    assert "0.0.9" in answer(sources="0123456789ab", simlab="0.0.9")
    edited = {**order["files"][sniper], "text": SNIPER.replace("last=1.0", "last=2.0")}
    assert "did not arrive as it was sent" in answer(files={sniper: edited})
    older = [{**order["identities"][0], "version": 0}]
    assert "another study" in answer(identities=older)
    assert "version" in answer(identities=older)
    assert answer() == "None"


def test_files_stand_in_a_room_of_their_own_byte_by_byte(tmp_path: Path) -> None:
    path = tmp_path / "old.py"
    path.write_bytes(b"# -*- coding: latin-1 -*-\r\n# Sch\xfctze" + SNIPER.encode("latin-1"))
    what = study(4, policies=[f"{path}::sniper", "random", "random", "random"])
    there = unpack(order_for(Plan((what,)), None), tmp_path / "there")
    written = Path(there.places[str(path)])
    assert written.read_bytes() == path.read_bytes()
    assert written.parent.stat().st_mode & 0o777 == 0o700
    assert there.plan.base.identity() == what.identity()


def test_a_file_that_was_edited_since_it_was_read_is_not_sent(sniper: str) -> None:
    what = study(4, policies=[f"{sniper}::sniper", "random", "random", "random"])
    Path(sniper).write_text(SNIPER + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match="was edited since it was read"):
        order_for(Plan((what,)), None)


def test_what_is_sent_and_answered_is_plain_text_numbers_and_arrow() -> None:
    what = study(3, save_games=True)
    order = order_for(Plan((what,)), None)
    assert json.loads(order)["studies"][0]["policies"] == list(TABLE)
    said, content = played(order, b"[0,3]", Path("unused"))
    answer = read_answer(Answer(said, content).packed())
    table = read_arrow(answer.games)
    assert table.num_rows == 3 * TURNS * len(TABLE)
    assert read_arrow(arrow_bytes(table)).equals(table)
    assert answer.part.counts[0].deals == 3


@pytest.mark.parametrize("threads", [0, 1, 2, 64, 10_000])
@pytest.mark.parametrize("deals", [1, 10**5, 10**7, 10**9])
def test_a_run_is_cut_so_that_no_thread_waits_for_one_long_piece(deals: int, threads: int) -> None:
    plan = Plan((study(deals, None),))
    piece = deals_in_a_piece(plan, threads)
    pieces = -(-deals // piece)
    enough = PIECES_EACH * max(1, threads)
    assert piece * TURNS <= PIECE_GAMES
    assert pieces >= enough or piece <= GAME.chunk_games // TURNS


WRONG = [
    ("local:0", "local:0"),
    ("local:many", "local:many"),
    ("local:99999", "1 to 1024"),
    ("10.0.0.1:8786", "tcp://host:port"),
    ("tcp://host", "tcp://host:port"),
    ("tcp://host:99999", "99999"),
    ("inproc://a", "tcp://host:port"),
]


@pytest.mark.parametrize(("word", "hint"), WRONG)
def test_an_address_that_is_none_is_refused_in_one_line(
    word: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simlab("run", "fantastique", *TABLE, "--scheduler", word) == 2
    said = capsys.readouterr().err
    assert hint in said
    assert said.count("\n") == 1


def test_addresses_of_schedulers_are_read() -> None:
    assert read_address("local:4").processes == 4
    assert read_address("tcp://10.0.0.1:8786").processes is None
    assert read_address("tcp://[::1]:8786").word == "tcp://[::1]:8786"


def test_without_the_extra_one_line_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert simlab("run", "fantastique", *TABLE, "--scheduler", "local:2") == 2
    said = capsys.readouterr().err
    assert "pip install 'simlab[cluster]'" in said
    assert said.count("\n") == 1


def test_threads_and_a_cluster_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--scheduler", "local:2", "--workers", "2")
    assert simlab("run", "fantastique", *TABLE, *words) == 2
    assert "--workers" in capsys.readouterr().err


def test_nothing_of_dask_is_imported_unless_asked_for() -> None:
    text = (
        "import sys, simlab.cli.run, simlab.experiments.running, simlab.experiments.cluster\n"
        "assert not {'dask', 'distributed', 'tornado'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == 0


def test_nobody_at_the_address_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simlab.experiments.cluster.crew.CONNECT_SECONDS", 0.3)
    assert simlab("run", "fantastique", *TABLE, "--scheduler", "tcp://127.0.0.1:9") == 1
    said = capsys.readouterr().err
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in said
    assert said.count("\n") == 1


def test_processes_listen_to_this_machine_alone(address: str) -> None:
    listening = [
        connection.laddr.ip
        for one in (psutil.Process(), *workers_of_this_process())
        for connection in one.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert len(listening) >= 3
    assert set(listening) == {"127.0.0.1"}


# --- What breaks --------------------------------------------------------------------------------

LONG_CHUNK, LONG_DEALS = 20_000, 1_000_000


def long_study() -> Study:
    """Some seconds of playing, in fifty chunks."""
    return study(LONG_DEALS, LONG_CHUNK)


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long") / "run"
    run(long_study(), place=Place(folder), workers=2)
    return folder


@contextmanager
def scheduler_with_workers(
    tmp_path: Path, workers: int = 1
) -> Iterator[tuple[str, subprocess.Popen[bytes], Callable[..., subprocess.Popen[bytes]]]]:
    """A scheduler and workers as a user starts them; the way to start more."""
    started = []
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

    def start(*words: str, **more: Any) -> subprocess.Popen[bytes]:
        # -P: the folder one stands in may hold a simlab of its own.
        line = [sys.executable, "-P", "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        child = subprocess.Popen(line, **(quiet | more))
        started.append(child)
        return child

    file = tmp_path / "scheduler.json"
    here = ("--host", "127.0.0.1", "--no-dashboard")
    scheduler = start("scheduler", *here, "--port", "0", "--scheduler-file", str(file))
    try:
        while not file.exists() or not file.read_text():
            assert scheduler.poll() is None
            time.sleep(0.05)
        address = json.loads(file.read_text())["address"]

        def worker(**more: Any) -> subprocess.Popen[bytes]:
            room = ("--local-directory", str(tmp_path), "--nthreads", "1", "--no-nanny")
            return start("worker", address, *here, *room, **more)

        for _ in range(workers):
            worker()
        yield address, scheduler, worker
    finally:
        for child in started:
            child.kill()
        for child in started:
            child.wait()


@compiled_only
@pytest.mark.slow
def test_three_workers_killed_in_mid_run_change_no_byte(tmp_path: Path, long_run: Path) -> None:
    kills, seen = [], threading.Event()

    def kill(plan: Any, part: Any, wanted: int) -> None:
        if len(kills) < 3 and part.counts[0].deals >= (1 + 12 * len(kills)) * LONG_CHUNK:
            victims = [one for one in workers_of_this_process() if one.pid not in kills]
            if victims:
                os.kill(victims[0].pid, signal.SIGKILL)
                kills.append(victims[0].pid)
                seen.set()

    with open_cluster("local:2") as cluster:
        watch = Watch(progress=kill)
        run(long_study(), place=Place(tmp_path / "run"), workers=cluster, watch=watch)
    assert len(set(kills)) == 3
    assert kept(tmp_path / "run") == kept(long_run)
    assert not set(kills) & {one.pid for one in workers_of_this_process()}


@compiled_only
@pytest.mark.slow
def test_a_lost_scheduler_keeps_what_is_finished_and_the_run_goes_on(
    tmp_path: Path, long_run: Path
) -> None:
    what, folder = long_study(), tmp_path / "run"
    with scheduler_with_workers(tmp_path) as (address, scheduler, _):

        def lose(plan: Any, part: Any, wanted: int) -> None:
            if part.counts[0].deals >= 5 * LONG_CHUNK and scheduler.poll() is None:
                scheduler.kill()

        with (
            open_cluster(address) as cluster,
            pytest.raises(SimlabError, match=r"scheduler at .* is lost.*--resume"),
        ):
            run(what, place=Place(folder), workers=cluster, watch=Watch(progress=lose))
    begun = kept(folder)
    assert 5 <= len(begun) < LONG_DEALS // LONG_CHUNK
    run(what, place=Place(folder, resume=True), workers=2)
    assert kept(folder) == kept(long_run)


@compiled_only
@pytest.mark.slow
def test_a_worker_with_another_version_is_refused_by_name_and_plays_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old"
    for room in ("simlab", "policies", "experiments", "reports"):
        shutil.copytree(ROOT / room, old / room, ignore=shutil.ignore_patterns("__pycache__"))
    init = old / "simlab" / "__init__.py"
    init.write_text(re.sub('__version__ = ".*"', '__version__ = "0.0.9"', init.read_text()))
    words = ("run", "fantastique", *TABLE, "--games", "6000", "--seed", str(SEED), "--quiet")
    with scheduler_with_workers(tmp_path, workers=0) as (address, _, worker):
        worker(env=os.environ | {"PYTHONPATH": str(old)})
        alone = r"worker tcp://\S+ is refused: it has simlab 0\.0\.9 with sources"
        with open_cluster(address) as cluster, pytest.raises(SimlabError, match=alone):
            run(study(), workers=cluster)
        worker()
        wait_for_threads(address, 2)
        with warnings.catch_warnings():
            warnings.simplefilter("always")  # the command line prints it
            here, there = both_ways(tmp_path, address, *words)
        assert here == there
        assert capsys.readouterr().err.count("is refused") == 1


def wait_for_threads(address: str, threads: int) -> None:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(threads, timeout=60)


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_ctrl_c_and_a_kill_end_every_process_and_keep_whole_chunks(
    number: signal.Signals, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    words = ("run", "fantastique", *TABLE, "--games", "4e7", "--seed", str(SEED))
    child = process(*words, "--scheduler", "local:2", "--out", str(folder), start_new_session=True)
    while len(list(folder.glob("chunks/*.json"))) < 2:
        assert child.poll() is None
        time.sleep(0.05)
    workers = psutil.Process(child.pid).children(recursive=True)
    assert len(workers) >= 2
    began = time.perf_counter()
    if number == signal.SIGINT:
        os.killpg(child.pid, number)  # as a terminal does: every process hears it
    else:
        child.kill()
    _, err = child.communicate(timeout=60)
    assert psutil.wait_procs(workers, timeout=20)[1] == []
    assert time.perf_counter() - began < 20
    assert "Traceback" not in err
    if number == signal.SIGINT:
        assert child.returncode == 130
        assert "partial" in err
        assert "--resume" in err
    assert not (folder / "results.json").exists()
    assert len(verify_folder(folder)) == 3  # each file whole, two chunks played again


def test_pieces_are_named_by_what_they_depend_on(sniper: str) -> None:
    from simlab.experiments.cluster.orders import order_digest

    def name(**more: Any) -> str:
        plan = Plan((study(**more),))
        return order_digest(plan, order_for(plan, None))

    assert name() == name()
    assert len({name(), name(seed=6), name(luck=1), name(options={"hand": 5})}) == 4

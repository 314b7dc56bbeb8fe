"""Compiled code on disk: found by the next process, never stale, never in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import toy_game

from simlab import cache
from simlab.compiled import INTERPRETED
from simlab.engine import warm_up
from simlab.games.fantastique import GAME

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

SCRIPT = """
import sys
from simlab.engine import engine_of
from simlab.experiments.batches import play
from simlab.experiments.study import Study
from simlab.games import game_named
game = game_named(sys.argv[1])
played = play(Study.of(game, sys.argv[2:], games=100), 1)
stats = engine_of(game).play.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), played.count.games)
"""
SNIPER = """
from simlab import policy
from simlab.games.fantastique import GAME, legal

@policy(GAME, number={number})
def sniper(rules, table, own, moves, weights, rng):
    "Plays its last legal move, or the {number}th."
    return moves[legal(rules, table, own, moves) - 1]
"""


@pytest.fixture
def warm(tmp_path: Path) -> Path:
    """A cache of its own, filled with what this machine has compiled."""
    warm_up(GAME)
    warm_up(toy_game.GAME)
    shutil.copytree(cache.folder(), tmp_path / "cache" / cache.folder().name)
    return tmp_path / "cache"


def run(
    cache_base: Path | str, *words: str, flags: tuple[str, ...] = ()
) -> subprocess.CompletedProcess:
    env = os.environ | {"SIMLAB_CACHE_DIR": str(cache_base)}
    line = [sys.executable, *flags, "-c", SCRIPT, *words]
    return subprocess.run(line, env=env, capture_output=True, text=True, timeout=300, check=False)


def files(base: Path) -> set[str]:
    return {
        str(path.relative_to(base)) for path in base.rglob("*") if path.suffix in (".nbi", ".nbc")
    }


def test_the_next_process_finds_everything_compiled(warm: Path) -> None:
    before = files(warm)
    result = run(warm, "fantastique", "random", "greedy", "balanced")
    hits, misses, games = map(int, result.stdout.split())
    assert (hits, misses, games) == (1, 0, 102)
    assert files(warm) == before


def test_five_users_policies_leave_no_files_behind(warm: Path, tmp_path: Path) -> None:
    before = files(warm)
    for number in range(5):
        path = tmp_path / f"mine{number}.py"
        path.write_text(SNIPER.format(number=number), encoding="utf-8")
        result = run(warm, "fantastique", f"{path}::sniper", "random")
        assert result.stdout.split() == ["1", "0", "100"], result.stderr
    assert files(warm) == before


def test_a_folder_that_cannot_be_written_costs_one_warning() -> None:
    """No home, a read-only file system: compiled for this process only, and said so."""
    toy = f"{Path(toy_game.__file__)}::GAME"
    result = run("/proc/none", toy, "random", "steady")
    assert result.stdout.split()[1:] == ["1", "100"], result.stderr
    assert result.stderr.count("SIMLAB_CACHE_DIR") == 1


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_truncated_files_are_thrown_away_and_compiled_again(warm: Path, suffix: str) -> None:
    for name in files(warm):
        path = warm / name
        if path.suffix == suffix and "toy" in path.name:
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    toy = f"{Path(toy_game.__file__)}::GAME"
    assert run(warm, toy, "random", "steady").stdout.split()[2:] == ["100"]
    assert run(warm, toy, "random", "steady").stdout.split() == ["1", "0", "100"]


@pytest.mark.slow
def test_code_that_plays_otherwise_than_its_marker_says_is_compiled_again(warm: Path) -> None:
    marker = next(warm.rglob("ready-toy_*.json"))
    good = marker.read_text(encoding="utf-8")
    marker.write_text('{"self_test": "0"}', encoding="utf-8")
    toy = f"{Path(toy_game.__file__)}::GAME"
    assert run(warm, toy, "random", "steady").stdout.split() == ["0", "1", "100"]
    assert marker.read_text(encoding="utf-8") == good


def test_an_edit_of_any_source_file_means_another_folder(tmp_path: Path, monkeypatch) -> None:
    root = tmp_path / "simlab"
    shutil.copytree(cache.package_root(), root, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "package_root", lambda: root)
    first = cache.source_digest.__wrapped__()
    counters = root / "counters.py"
    counters.write_text(counters.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    assert cache.source_digest.__wrapped__() != first


def test_folders_of_old_versions_are_swept(tmp_path: Path, monkeypatch) -> None:
    old, new = tmp_path / ("0" * 12 + "-" + "0" * 8), tmp_path / ("1" * 12 + "-" + "0" * 8)
    mine, foreign = tmp_path / ("2" * 12 + "-" + "0" * 8), tmp_path / "notes"
    for folder in (old, new, mine, foreign):
        folder.mkdir()
    os.utime(old, (0, 0))
    os.utime(foreign, (0, 0))
    monkeypatch.setattr(cache, "folder", lambda: mine)
    cache.sweep()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        p.name for p in (new, mine, foreign)
    )

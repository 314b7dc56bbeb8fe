"""Memory: a run that keeps only totals needs no more of it for ten times the games."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from simlab.compiled import INTERPRETED
from simlab.engine import warm_up
from simlab.games.fantastique import GAME

MOST_GROWTH = 40 * 1024
"""In kB, as the system counts."""
PEAK = """
import re, sys
from pathlib import Path
from simlab.cli import main
try:
    main(sys.argv[1:])
except SystemExit as left:
    assert not left.code
print(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def peak(games: str, *more: str) -> int:
    """The most memory that a run in a process of its own had at any time, in kB."""
    line = [sys.executable, "-c", PEAK, "run", "fantastique", "2xgreedy", "--seating", "fixed"]
    line += ["--games", games, "--workers", "2", "--format", "csv", "--quiet", *more]
    done = subprocess.run(line, capture_output=True, text=True, timeout=170, check=True)
    return int(done.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="too slow for so many games")
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not say")
@pytest.mark.parametrize("folder", [False, True], ids=["no folder", "in a folder"])
def test_ten_times_the_games_need_no_more_memory(folder: bool, tmp_path: Path) -> None:
    warm_up(GAME)
    out = [("--out", str(tmp_path / name)) if folder else () for name in ("few", "many")]
    few, many = peak("1e6", *out[0]), peak("1e7", *out[1])
    assert many - few < MOST_GROWTH

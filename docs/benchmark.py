"""Measures what we claim: ``python docs/benchmark.py [speed] [sides] [parts] [memory] [start]``.

Speed is that of whole games with outcomes scored and written, policies called as values. Run it on
a machine with nothing else to do; the best of several repetitions is printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
from numba import types

from simlab.contract import MIND
from simlab.engine import Matchup, Room, array_of, engine_of
from simlab.experiments.batches import play
from simlab.experiments.benchmark import machine
from simlab.experiments.running import Place, run
from simlab.experiments.study import Study
from simlab.games.fantastique import GAME
from simlab.policies import read_policies
from simlab.streams import open_stream
from simlab.totals import totals_type

GAMES, BLOCK = 100_000, 5_000
REPEATS = 5


def best(job, repeats: int = REPEATS) -> float:
    """Seconds of the quickest of several runs."""
    return min(timed(job) for _ in range(repeats))


def room_for(lineup: str) -> Room:
    """A room for one thread, four seats, one seating."""
    matchup = Matchup(GAME, read_policies(GAME, [lineup]), {})
    return Room(matchup, np.array([matchup.seating]))


def speed() -> None:
    """Games a second of the bare engine, and what sums and kept games leave of it.

    The bare engine writes outcomes into the same few rows again and again. What is compared with it
    is played in turns with it, so that both meet the same machine; medians.
    """
    for lineup in ("4xgreedy", "4xrandom", "4xbalanced"):
        room, rows = room_for(lineup), np.zeros(BLOCK, GAME.outcome)
        room.play(0, 1, rows)
        games = BLOCK * (50 if lineup == "4xbalanced" else 200)
        study = Study.of("fantastique", [lineup], games=games)
        play(study, 1)
        spent: list[list[float]] = [[], [], [], []]
        for _ in range(REPEATS):
            spent[0].append(timed(partial(bare, room, rows, games)))
            for workers in (1, 2):
                spent[workers].append(timed(partial(play, study, workers)))
            spent[3].append(timed(partial(in_a_folder, lineup, games)))
        engine, one, two, kept = (games / float(np.median(times)) for times in spent)
        print(f"{lineup}: {engine:,.0f} games/s on one core, outcomes written")
        print(f"  run, totals only, 1 thread: {one:,.0f} games/s, {one / engine:.1%} of that")
        print(f"  2 threads: {two:,.0f}; with every game kept in a folder: {kept:,.0f} games/s,")
        print(f"  {kept / two:.1%} of totals only")


def bare(room: Room, rows, games: int) -> None:
    """So many games, blocks of them into the same rows."""
    for first in range(0, games, len(rows)):
        room.play(first, len(rows), rows)


def in_a_folder(lineup: str, games: int) -> None:
    """Play with every game kept, on two threads."""
    with tempfile.TemporaryDirectory() as folder:
        study = Study.of("fantastique", [lineup], games=games, save_games=True)
        run(study, place=Place(Path(folder) / "run"), workers=2)


def timed(job) -> float:
    """Seconds that it takes."""
    began = time.perf_counter()
    job()
    return time.perf_counter() - began


def sides() -> None:
    """Six fan sides of a million games each, one command."""
    vary = ["--vary", "finale=I,II,III,IV,V,VI", "--games", "1e6", "--quiet"]
    seeing = ("balanced", "card-counter", "greedy", "finale-collector")
    blind = ("spoiler", "high-fan", "greedy", "medal-scheduler")
    for lineup, how in ((seeing, "each played"), (blind, "scored again, as nobody looks at them")):
        line = [sys.executable, "-m", "simlab", "compare", "fantastique", *lineup, *vary]
        spent = timed(partial(subprocess.run, line, check=True, capture_output=True))
        print(f"six fan sides of 1e6 games, {how}: {spent:.1f} s ({', '.join(lineup)})")


def deal_many(rules_at, desks, n):
    """Deal only, n times (bound to the game before it is used)."""
    desk = desks[0]
    for number in range(n):
        open_stream(desk.chance, 0, number, 0)
        deal(rules_at[0], desk.dealt, desk.chance)  # noqa: F821
    return 0


def ask_many(rules_at, lineup, minds, rows, desks, n):
    """Ask a policy again at each of some decisions, n times over."""
    rules, desk, total = rules_at[0], desks[0], 0
    for _ in range(n):
        for place in range(len(rows)):
            row = rows[place]
            own = row.state.seats[row.seat]
            weights = minds[0].weights
            total += lineup[0](rules, row.state.table, own, desk.moves, weights, row.stream)
    return total


def parts() -> None:
    """Where the time of a game goes, in nanoseconds."""
    engine, desks, repeats = engine_of(GAME), np.zeros(1, engine_of(GAME).desk), GAMES // 10
    dealing = engine.bind(deal_many, array_of(GAME.rules), array_of(engine.desk), types.int64)
    records = [array_of(dtype) for dtype in (MIND, engine.trace, engine.desk)]
    lined = types.UniTuple(GAME.policy_type, GAME.seats)
    asking = engine.bind(ask_many, array_of(GAME.rules), lined, *records, types.int64)
    for lineup in ("4xgreedy", "4xrandom"):
        room, rows = room_for(lineup), np.zeros(GAMES, GAME.outcome)
        rules, minds, policies = room.rules, room.matchup.minds, room.matchup.compiled()
        totals, outcome = np.zeros(1, totals_type(GAME)), np.zeros(1, GAME.outcome)
        trace = np.zeros(GAME.max_decisions + 1, engine.trace)
        room.play(0, 1, outcome, trace=trace)
        asked = trace[: outcome[0]["decisions"]]
        whole = best(partial(room.play, 0, GAMES, rows)) / GAMES * 1e9
        added = best(partial(room.play, 0, GAMES, totals=totals)) / GAMES * 1e9 - whole
        dealt = best(partial(dealing, rules, desks, GAMES)) / GAMES * 1e9
        ask = partial(asking, rules, policies, minds, asked, desks, repeats)
        decided = best(ask) / repeats * 1e9
        rest = whole - dealt - decided
        print(f"{lineup}: {whole:.0f} ns a game, of which {dealt:.0f} shuffling and dealing,")
        print(f"  {decided:.0f} policies, {rest:.0f} rules, checks, scoring and writing;")
        print(f"  summing up adds {added:.0f}")


def memory() -> None:
    """Peak memory of runs of two sizes, in a process of its own each."""
    code = (
        "import resource, sys, simlab;"
        "simlab.simulate('fantastique', ['4xgreedy'], games=sys.argv[1]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    for games in ("1e5", "1e8"):
        line = [sys.executable, "-c", code, games]
        began = time.perf_counter()
        peak = subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()
        print(f"{games} games: peak {peak} MB, {time.perf_counter() - began:.1f} s")


def start() -> None:
    """Seconds until an answer: help, a warm run of 1,000 games, the first run ever."""
    simlab = [sys.executable, "-m", "simlab"]
    small = [*simlab, "run", "fantastique", "balanced", "3xgreedy", "--games", "1000", "-q"]
    done = partial(subprocess.run, check=True, capture_output=True)
    print(f"--help: {best(lambda: done([*simlab, '--help']), 3):.2f} s")
    print(f"warm run of 1,000 games: {best(lambda: done(small), 3):.2f} s")
    with tempfile.TemporaryDirectory() as empty:
        env = os.environ | {"SIMLAB_CACHE_DIR": empty}
        cold = best(lambda: done(small, env=env), 1)
    print(f"the first run of all, compiling: {cold:.1f} s")


PARTS = {"speed": speed, "sides": sides, "parts": parts, "memory": memory, "start": start}

if __name__ == "__main__":
    print(machine())
    chosen = sys.argv[1:] or list(PARTS)
    for name in chosen:
        PARTS[name]()

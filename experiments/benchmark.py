"""How fast this machine plays: games a second and nanoseconds a decision."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simlab.engine import Notice, warm_up
from simlab.experiments.batches import Played, default_workers, play
from simlab.experiments.study import Study
from simlab.games import game_named
from simlab.policies import built_in, read_policies

FIRST_GAMES = 400
MOST_PLAYERS = 4


def machine() -> str:
    """Name of the processor, number of cores, and versions that speed depends on."""
    from importlib import metadata

    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [
            line for line in info.read_text(encoding="utf-8").splitlines() if "model name" in line
        ]
        name = models[0].partition(":")[2].strip() if models else name
    versions = f"Python {platform.python_version()}, Numba {metadata.version('numba')}"
    return f"{name}, {default_workers()} cores, {versions}"


def measure(
    game_word: str,
    policies: Sequence[str],
    seconds: float,
    workers: int | None = None,
    notice: Notice | None = None,
) -> list[dict[str, Any]]:
    """Measure line-ups on one thread and on all.

    Parameters
    ----------
    game_word : str
    policies : sequence of str
        A line-up; empty for the game's own policies, each at a table of its own kind.
    seconds : float
        Time for each measurement.
    workers : int, optional
        The larger number of threads; by default one for each core.
    notice : callable, optional
        Is told when compiling begins.

    Returns
    -------
    list of dict
        ``machine, game, policies, players, workers, games, seconds, games_per_second,
        ns_per_decision, decisions_per_game``. A nanosecond is one of a thread's.
    """
    game = game_named(game_word)
    players = min(MOST_PLAYERS, game.players[1])
    lineups = [list(policies)] if policies else [[f"{players}x{name}"] for name in built_in(game)]
    for lineup in lineups:
        read_policies(game, lineup)  # mistakes first, compiling after
    warm_up(game, notice)
    sizes = list(dict.fromkeys((1, workers or default_workers())))
    return [
        _measure(game_word, lineup, seconds, threads) for lineup in lineups for threads in sizes
    ]


def _measure(game_word: str, lineup: list[str], seconds: float, threads: int) -> dict[str, Any]:
    from simlab.policies import repeated

    def played(games: int) -> Played:
        study = Study.of(game_word, repeated(lineup), games=games, seating="fixed")
        return play(study, threads)

    games, found = FIRST_GAMES, played(FIRST_GAMES)
    while found.seconds < seconds / 2:
        games = int(games * min(20.0, max(1.5, seconds / max(found.seconds, 1e-4))))
        found = played(games)
    place = found.study.game.all_game_columns.index("decisions")
    decisions = int(found.count.sums["game_sums"][place])
    rate = found.count.games / found.seconds
    return {
        "machine": machine(),
        "game": found.study.game.name,
        "policies": " ".join(lineup),
        "players": len(found.study.matchup.policies),
        "workers": threads,
        "games": found.count.games,
        "seconds": found.seconds,
        "games_per_second": rate,
        "ns_per_decision": found.seconds * threads / decisions * 1e9,
        "decisions_per_game": decisions / found.count.games,
    }

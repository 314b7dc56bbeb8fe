"""Engines that are ready to play: compiled once on a machine, and tested before they are used."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from simlab import cache
from simlab.compiled import INTERPRETED
from simlab.contract import Game
from simlab.engine.bound import Engine, Notice
from simlab.engine.compiling import compiled_policy, forget_policies
from simlab.engine.room import Matchup, Room
from simlab.errors import SimlabError

_ENGINES: dict[int, Engine] = {}


def engine_of(game: Game, notice: Notice | None = None) -> Engine:
    """The game's engine, ready to play.

    The first process on a machine compiles it, under a lock, while others wait; later ones find
    the machine code on disk. A marker keeps the digest of a few games played by fresh code; code
    from disk that plays them differently, or that cannot be read, is thrown away.

    Parameters
    ----------
    game : Game
    notice : callable, optional
        Is told when compiling begins.
    """
    if id(game) in _ENGINES:
        return _ENGINES[id(game)]
    if INTERPRETED:
        return _ENGINES.setdefault(id(game), Engine(game))
    marker = cache.folder() / f"ready-{game.identity}-{_rules_digest(game)}.json"
    with cache.warm_up_lock():
        if not marker.exists() and notice is not None:
            notice(f"compiling {game.name} for this machine, once (some 15 seconds) ...")
        engine = _sound_engine(game, marker)
    _ENGINES[id(game)] = engine
    return engine


def _sound_engine(game: Game, marker: Path) -> Engine:
    """An engine whose self-test agrees with the marker, compiled afresh if need be."""
    for attempt in range(2):
        engine = Engine(game)
        try:
            digest = _self_test(engine)
            if not marker.exists():
                _write_marker(marker, {"self_test": digest})
                cache.sweep()
                return engine
            if json.loads(marker.read_text(encoding="utf-8")).get("self_test") == digest:
                return engine
        except (OSError, EOFError, ValueError, AttributeError, ImportError) as error:
            if attempt:
                raise SimlabError(f"{game.name} cannot be compiled: {error}") from error
        except Exception as error:  # what unpickling a damaged file raises has no common class
            if attempt or "pickl" not in type(error).__name__.lower():
                raise
        cache.empty()
        forget_policies()
    warnings.warn(
        f"compiled code in {cache.folder()} does not repeat its self-test; it is compiled anew",
        cache.CacheWarning,
        stacklevel=3,
    )
    marker.unlink(missing_ok=True)
    return engine


def _rules_digest(game: Game) -> str:
    """Digest of the printed rules: lists of cards change what code plays, not the code."""
    low, high = game.players
    rules = [game.rules_for(players, {}).tobytes() for players in range(low, high + 1)]
    return hashlib.sha256(b"".join(rules)).hexdigest()[:12]


def _self_test(engine: Engine) -> str:
    """Digest of a few games, played at every size of table."""
    game, digest = engine.game, hashlib.sha256()
    for players in range(game.players[0], game.players[1] + 1):
        matchup = Matchup(game, [engine.first_legal] * players, {})
        outcomes = np.zeros(4, game.outcome)
        Room(matchup, np.zeros((1, players), np.int64), engine=engine).play(0, 4, outcomes)
        digest.update(outcomes.tobytes())
    return digest.hexdigest()


def _write_marker(marker: Path, content: Mapping[str, str]) -> None:
    waiting = marker.with_suffix(f".{os.getpid()}")
    waiting.write_text(json.dumps(content), encoding="utf-8")
    os.replace(waiting, marker)


def warm_up(game: Game, notice: Notice | None = None) -> Engine:
    """Compile everything that a game ever needs, so that no later process waits."""
    from simlab.policies import built_in

    engine = engine_of(game, notice)
    with cache.warm_up_lock():
        for policy in built_in(game).values():
            compiled_policy(policy)
        engine.decide, engine.redeal, engine.list_legal  # noqa: B018 - compiled when first read
        for thing in game.blinds:
            engine.conceal(thing)
    return engine

"""The built-in strategies, a file or a folder for each game, and how policies are written in words.

``name``, ``name:key=value,key=value``, ``file.py::name`` and ``3xname`` are understood.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

from simlab.contract import Game, Policy
from simlab.errors import UsageError, unknown
from simlab.userfiles import load_module, named

REPEAT_BEFORE = re.compile(r"(\d+)x(.+)\Z", re.DOTALL)
REPEAT_AFTER = re.compile(r"(.+)\*(\d+)\Z", re.DOTALL)
MOST_REPEATS = 100


def built_in(game: Game) -> dict[str, Policy]:
    """The game's own policies by name, in the order in which their module lists them.

    That is the order of its ``__all__``, or without one the order in which they are written.
    """
    module = import_module(game.policies)
    found = (getattr(module, name) for name in getattr(module, "__all__", vars(module)))
    return {p.name: p for p in found if isinstance(p, Policy) and p.game is game}


def repeated(words: tuple[str, ...] | list[str]) -> list[str]:
    """Write out repetitions: ``3xgreedy`` (or ``greedy*3``) is greedy three times.

    Raises
    ------
    UsageError
        If something is repeated no times, or more than a hundred.
    """
    written: list[str] = []
    for word in words:
        before, after = REPEAT_BEFORE.match(word), REPEAT_AFTER.match(word)
        name, times = word, 1
        if before:
            name, times = before[2], int(before[1])
        elif after:
            name, times = after[1], int(after[2])
        if not 1 <= times <= MOST_REPEATS:
            raise UsageError(
                f"{word!r} repeats a policy {times} times; 1 to {MOST_REPEATS} make sense"
            )
        written += [name] * times
    return written


def read_policy(game: Game, word: str) -> Policy:
    """Find the policy that a word names, and set its parameters.

    Parameters
    ----------
    game : Game
    word : str
        ``name``, ``name:key=value,...`` or ``file.py::name``, with parameters or without.

    Returns
    -------
    Policy

    Raises
    ------
    UsageError
        If there is no such file, policy or parameter, or a value is not a finite number.
    SimlabError
        If a file does not load.
    """
    if "::" in word:
        path, _, rest = word.rpartition("::")
        name, _, settings = rest.partition(":")
        return _with_values(_from_file(game, Path(path), name), settings)
    name, _, settings = word.partition(":")
    if name.endswith(".py") or "/" in name:
        raise UsageError(f"a policy from a file is written file.py::name, got {word!r}")
    known = built_in(game)
    if name not in known:
        raise unknown(f"policy of {game.name}", name, known)
    return _with_values(known[name], settings)


def _from_file(game: Game, path: Path, name: str) -> Policy:
    module: ModuleType = load_module(path)
    found = named(module, Policy)
    if name not in found:
        names = {policy.name for policy in found.values()}
        raise unknown(f"policy in {path.name}", name, sorted(names))
    policy = found[name]
    # A game from a user's file is made anew each time that file is loaded under another path;
    # what counts is that both were written for the same records.
    if policy.game is not game:
        raise UsageError(f"{path.name}::{name} plays {policy.game.name}, not {game.name}")
    source = path.absolute()
    if source.name.startswith(tuple("=+-@")):
        raise UsageError(f"a spreadsheet would take {source.name!r} for a formula; rename the file")
    return replace(policy, source=source)


def _with_values(policy: Policy, settings: str) -> Policy:
    values = dict(zip(policy.defaults, policy.values, strict=True))
    given: set[str] = set()
    for setting in filter(None, settings.split(",")):
        key, equals, text = setting.partition("=")
        if not equals:
            raise UsageError(f"a parameter is written key=value, got {setting!r}")
        if key not in values:
            raise unknown(f"parameter of {policy.name}", key, values)
        if key in given:
            raise UsageError(f"parameter {key} of {policy.name} is set twice")
        given.add(key)
        values[key] = _finite(policy, key, text)
    return replace(policy, values=tuple(values.values()))


def _finite(policy: Policy, key: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"parameter {key} of {policy.name} is a finite number, got {text!r}")
    return value


def read_policies(game: Game, words: tuple[str, ...] | list[str]) -> list[Policy]:
    """One policy for each seat, in seat order; raises `UsageError` for the wrong number."""
    written = repeated(words)
    game.check_players(len(written))
    found = [read_policy(game, word) for word in written]
    sources: dict[str, Path | None] = {}
    for policy in found:
        if sources.setdefault(policy.text, policy.source) != policy.source:
            where = f"{sources[policy.text]} and {policy.source}"
            raise UsageError(f"{policy.text} names two policies, of {where}; rename a file")
    return found

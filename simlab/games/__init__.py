"""The games, by name. A game's module is imported when somebody asks for that game."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from simlab.errors import unknown

if TYPE_CHECKING:
    from simlab.contract import Game

MODULES = {
    "fantastique": "simlab.games.fantastique",
    "fantastic-park": "simlab.games.fantastic_park",
    "fantasia-sa": "simlab.games.fantasia_sa",
    "fantastiqa": "simlab.games.fantastiqa",
}
"""Name on the command line to module; each module has a ``GAME``."""


def game_named(name: str) -> Game:
    """Look a game up by its name, or load it from ``file.py::NAME``.

    Raises
    ------
    UsageError
        If there is no such game, or the file has none of that name.
    """
    from simlab.contract import Game

    if "::" in name:
        from simlab.userfiles import load

        path, _, attribute = name.rpartition("::")
        return load(Path(path), attribute, Game)
    if name not in MODULES:
        raise unknown("game", name, MODULES)
    return cast("Game", import_module(MODULES[name]).GAME)

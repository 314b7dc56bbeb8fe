"""Sections that games add to their balance reports, found by the game's name.

A file or folder ``GAME`` (dashes as underscores) offers ``sections(found) -> list of Section`` and
``in_brief(found) -> list of Sentence``, and names its sections in ``TITLES``; what it has under
``WARNINGS`` stands above everything.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from simlab.contract import Game


def own_sections(game: Game) -> ModuleType | None:
    """The module with a game's own sections, if it has one."""
    name = f"simlab.reports.games.{game.name.replace('-', '_')}"
    if not name.rpartition(".")[2].isidentifier() or find_spec(name) is None:
        return None
    return import_module(name)

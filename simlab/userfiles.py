"""Policies and games from a user's own file, loaded only from a path that was typed.

A file is a program: to load it may hang, print, or end the process. So each content of a file is
loaded in a process of its own first, with a time limit.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from simlab import cache
from simlab.cache import file_digest
from simlab.children import Child, Parent
from simlab.errors import SimlabError, UsageError, unknown

Kind = TypeVar("Kind")

FILE_MODULE = "simlab_file_"
"""What the names of modules from files begin with; a digest of the file follows."""

LOADING_SECONDS = 20.0
ONLY_DECLARES = "a file of policies or games declares them, and does no more"


def load_module(path: Path) -> ModuleType:
    """Run a user's file as a module named after its content, once a process.

    What it prints meanwhile goes to standard error, so that it is never mixed with results.

    Raises
    ------
    UsageError
        If there is no such file.
    SimlabError
        If it is not Python, fails while it is being read, takes too long, or ends the process.
    """
    if not path.is_file():
        raise UsageError(f"there is no file {str(path)!r}")
    if path.suffix != ".py":
        raise UsageError(f"a policy's file ends in .py, got {path.name!r}")
    name = f"{FILE_MODULE}{file_digest(path)[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    if not Parent.is_there:
        try_loading(path)
    spec = spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise SimlabError(f"{path.name} cannot be loaded as Python")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise SimlabError(f"{path.name} does not load: {_one_line(error, path)}") from error
    return module


def try_loading(path: Path) -> None:
    """Load a file in a process of its own, once for each content of the file.

    Raises
    ------
    SimlabError
        If it does not load there, or not in time.
    """
    marker = cache.folder() / f"loads-{file_digest(path)[:24]}"
    if marker.exists():
        return
    child = Child("simlab.userfiles", [str(path.resolve()), str(LOADING_SECONDS)])
    heard = child.listen()
    if "loaded" in heard:
        marker.touch()
    elif "error" in heard:
        raise SimlabError(heard["error"])
    else:
        raise SimlabError(f"{path.name} {how_it_ended(child, LOADING_SECONDS)}")


def how_it_ended(child: Child, seconds: float) -> str:
    """What a file did to the process that was to load it within so many seconds."""
    if child.late:
        return f"did not finish loading within {seconds:g} s; {ONLY_DECLARES}"
    return f"ends the process that loads it ({child.end()}); {ONLY_DECLARES}"


def load(path: Path, attribute: str, kind: type[Kind]) -> Kind:
    """Get one thing of a kind out of a user's file, by the name it has there.

    Raises
    ------
    UsageError
        If the file has nothing of that name and kind.
    """
    module = load_module(path)
    things = named(module, kind)
    if attribute not in things:
        raise unknown(f"{kind.__name__.lower()} in {path.name}", attribute, things)
    return things[attribute]


def named(module: ModuleType, kind: type[Kind]) -> dict[str, Kind]:
    """Everything of a kind in a module, by its own ``name`` or else by the variable's."""
    found: dict[str, Kind] = {}
    for variable, value in vars(module).items():
        if isinstance(value, kind):
            found[variable] = value
            found[str(getattr(value, "name", variable))] = value
    return found


def _one_line(error: BaseException, path: Path) -> str:
    text = str(error).strip().splitlines()
    place = ""
    trace: Any = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path.resolve()):
            place = f", line {trace.tb_lineno}"
        trace = trace.tb_next
    if isinstance(error, SyntaxError):
        place = f", line {error.lineno}"
    if isinstance(error, SystemExit):
        return f"it leaves Python{place}; {ONLY_DECLARES}"
    said = text[0] if text else "no message"
    kind = "" if isinstance(error, SimlabError) else f"{type(error).__name__}: "
    return f"{kind}{said}{place}"


def _main(words: Sequence[str]) -> None:
    """Load one file and say how that went (the process that tries it)."""
    parent = Parent(words)
    path, seconds = parent.words
    parent.say(limit=float(seconds))
    try:
        load_module(Path(path))
    except SimlabError as error:
        parent.say(error=str(error))
        return
    parent.say(loaded=True)


if __name__ == "__main__":
    _main(sys.argv[1:])

"""Policies and games from a user's own file, loaded only from a path that was typed."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from simlab.cache import file_digest
from simlab.errors import SimlabError, UsageError, unknown

Kind = TypeVar("Kind")

FILE_MODULE = "simlab_file_"
"""What the names of modules from files begin with; a digest of the file follows."""


def load_module(path: Path) -> ModuleType:
    """Run a user's file as a module named after its content, once a process.

    Raises
    ------
    UsageError
        If there is no such file.
    SimlabError
        If it is not Python, or fails while it is being read.
    """
    if not path.is_file():
        raise UsageError(f"there is no file {str(path)!r}")
    if path.suffix != ".py":
        raise UsageError(f"a policy's file ends in .py, got {path.name!r}")
    name = f"{FILE_MODULE}{file_digest(path)[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise SimlabError(f"{path.name} cannot be loaded as Python")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise SimlabError(f"{path.name} does not load: {_one_line(error, path)}") from error
    return module


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
    return f"{type(error).__name__}: {text[0] if text else 'no message'}{place}"

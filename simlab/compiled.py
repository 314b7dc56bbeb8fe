"""The one door to the compiler: every compiled function of the package is declared through it.

Importing this module decides where compiled code is kept, which must happen before Numba sees
the first function.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import config, types
from numba.core.errors import NumbaExperimentalFeatureWarning

from simlab import cache

# Policies are values of one function type, which Numba 0.68 still calls experimental at each call.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

INTERPRETED = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]
if INTERPRETED:
    # Unsigned words wrap on purpose; NumPy's scalars would warn where machine code does not.
    np.seterr(over="ignore")
else:
    config.CACHE_DIR = str(cache.folder())  # type: ignore[attr-defined]

Function = TypeVar("Function", bound=Callable[..., Any])

Record = Any
"""A structured record: NumPy and Numba read its fields by name, type checkers cannot."""


def rule(function: Function) -> Function:
    """Compile a rule that kernels inline; it leaves no file of its own in the cache."""
    return cast(Function, numba.njit(nogil=True)(function))


def kernel(function: Function, signature: Any, *, keep: bool = True) -> Function:
    """Compile an entry point for one explicit signature.

    Parameters
    ----------
    function : callable
        The Python text.
    signature : numba signature
        The only signature that there will be; two of them compiled by two processes at once
        could land under each other's key.
    keep : bool
        Whether the machine code is written to the cache folder.
    """
    if INTERPRETED:
        return np.errstate(over="ignore")(function)  # in whatever thread it runs
    return cast(Function, numba.njit(signature, nogil=True, cache=keep)(function))


def bound(text: Callable[..., Any], name: str, functions: dict[str, Any]) -> Callable[..., Any]:
    """Give a text its own copy, in which some global names mean the given functions.

    Numba inlines what a function finds among its globals. Binding one text to the rules of a
    game therefore costs nothing at run time, and the copy's own name gives it its own entry in
    the cache, where the next process finds it.

    Parameters
    ----------
    text : function
        The text to copy; its own globals stay visible.
    name : str
        Name of the copy, unique for the functions it is bound to.
    functions : dict
        What the names mean in the copy.
    """
    import types as python_types

    names = {**text.__globals__, **functions}
    copy = python_types.FunctionType(text.__code__, names, name, text.__defaults__)
    copy.__qualname__ = name
    copy.__module__ = text.__module__
    return copy


def record_type(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """Dtype of a record whose fields are read by name, compiled or interpreted alike.

    Raises
    ------
    ValueError
        For a field such as ``round`` or ``size``: plain Python would find NumPy's own method.
    """
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise ValueError(
                f"a record cannot have a field {name!r}: NumPy's records use that name"
            )
    return np.dtype((np.record, np.dtype(fields, align=True)))


def plain(record: Any) -> SimpleNamespace:
    """A copy of a record in plain Python: numbers, lists, and namespaces for nested records.

    Reading it is many times faster than reading the record field by field.
    """
    return _named(record.dtype, record.item())


def _named(dtype: np.dtype[Any], values: tuple[Any, ...]) -> SimpleNamespace:
    found = dict(zip(dtype.names or (), values, strict=True))
    for name, value in found.items():
        if isinstance(value, tuple):
            found[name] = _named(dtype[name], value)
        elif isinstance(value, np.ndarray) and value.dtype.names:
            found[name] = [_named(value.dtype, one) for one in value.tolist()]
        elif isinstance(value, np.ndarray):
            found[name] = value.tolist()
    return SimpleNamespace(**found)


def numba_type(dtype: np.dtype[Any]) -> Any:
    """Numba's type for one record of the dtype."""
    return numba.from_dtype(dtype)


def policy_signature(
    rules: np.dtype[Any],
    table: np.dtype[Any],
    seat: np.dtype[Any],
    room: Any,
    weights: Any,
    stream: Any,
) -> Any:
    """Signature that every policy of a game is compiled for."""
    args = (
        numba_type(rules),
        numba_type(table),
        numba_type(seat),
        room,
        weights,
        numba_type(stream),
    )
    return types.int64(*args)

"""Policies as values of their game's one function type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types

from simlab.compiled import INTERPRETED, kernel
from simlab.contract import Policy
from simlab.errors import PolicyError

_COMPILED: dict[Callable[..., int], Callable[..., int]] = {}


def compiled_policy(policy: Policy) -> Callable[..., int]:
    """The policy's text as a value of its game's function type; other numbers, same code.

    Raises
    ------
    PolicyError
        If the text does not compile, or does not return a whole number.
    """
    function = policy.function
    if function not in _COMPILED:
        _COMPILED[function] = _compile(policy)
    return _COMPILED[function]


def _compile(policy: Policy) -> Callable[..., int]:
    signature = policy.game.policy_signature
    if INTERPRETED:
        return policy.function
    if policy.source is None:
        return kernel(policy.function, signature)
    # A user's text is compiled for its arguments only, which tells what it returns: the full
    # signature would cut a float to a whole number without a word. It is never cached: it may
    # be edited between two runs, and compiles in a tenth of a second.
    try:
        made: Any = kernel(policy.function, signature.args, keep=False)
        found = made.nopython_signatures[0].return_type
        if not isinstance(found, types.Integer):
            raise PolicyError(
                f"{policy.text} returns {_kind(found)}; a policy returns the number of a move"
            )
        if found != types.int64:
            made = kernel(policy.function, signature, keep=False)
    except PolicyError:
        raise
    except Exception as error:  # besides its own errors Numba lets some of its inner ones out
        raise PolicyError(f"{policy.text} does not compile: {reason(error)}") from error
    return made  # type: ignore[no-any-return]


def _kind(found: Any) -> str:
    if isinstance(found, types.Optional) or found == types.none:
        return "nothing on some path"
    if isinstance(found, types.Float):
        return "a float"
    return f"a {found}"


def reason(error: Exception) -> str:
    """The line of a compiler's message that says what is wrong, and where."""
    if isinstance(error, KeyError):
        return f"there is no field {error}"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    dull = ("Failed in", "During:", "- Resolution", "There are", "Overload of", "raised from")
    telling = [line for line in lines if not line.startswith(dull)]
    place = [line for line in lines if line.startswith("File ")]
    first = telling[0] if telling else type(error).__name__
    for line in telling:
        if "Field" in line or "NameError" in line or "not found" in line or "Unknown" in line:
            first = line
            break
    where = place[-1].removesuffix(":").replace("File ", "") if place else ""
    return first + (f" ({where})" if where else "")


def forget_policies() -> None:
    """Compile every policy anew when it is next asked for (after damaged code was found)."""
    _COMPILED.clear()

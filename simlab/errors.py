"""What can go wrong, said in one line that names the value, the rule and the way out."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SimlabError(Exception):
    """Something failed; the message is one line that a user can act on (exit code 1)."""

    exit_code = 1


class UsageError(SimlabError):
    """What was asked for does not exist or is out of bounds (exit code 2)."""

    exit_code = 2


class PolicyError(SimlabError):
    """A policy broke a rule of the game or of the contract while it played."""


def unknown(kind: str, name: str, choices: Iterable[str]) -> UsageError:
    """Build the error for a name that does not exist, with the nearest one that does.

    Parameters
    ----------
    kind : str
        What the name should have been, such as ``"policy"``.
    name : str
        What was typed.
    choices : iterable of str
        The names that exist.

    Returns
    -------
    UsageError
        To be raised by the caller.
    """
    known = list(choices)
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known) or 'none'}"
    return UsageError(f"unknown {kind} {name!r}; {hint}")


def counted(number: int, thing: str) -> str:
    """So many of a thing, as a message says it: "1 deal", "2,000 deals"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def in_full(value: float) -> str:
    """A number with as many digits as it takes to read the same number again."""
    return repr(float(value)).removesuffix(".0").replace("e+", "e")

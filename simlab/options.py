"""Rules that a designer may vary: what each is called, what it may be, and how it is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simlab.errors import UsageError, unknown

Value = int | str | bool | tuple[int, ...]

DRAWN = "random"
"""The choice of an option that is drawn anew for each deal."""


@dataclass(frozen=True)
class Option:
    """One rule of a game as data.

    Attributes
    ----------
    key : str
        Name on the command line.
    default : int, str, bool or tuple of int
        The printed rule; its type says what kind of value the option takes.
    meaning : str
        What it rules, with its unit, in one line.
    low, high : int
        Bounds of a number, or of each number of a list.
    choices : tuple of str
        The words that a text may be; with bounds it may also be a number ("printed", or 7).
    lengths : tuple of int
        Fewest and most numbers in a list.
    """

    key: str
    default: Value
    meaning: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    lengths: tuple[int, int] = (1, 1)

    def read(self, given: object) -> Value:
        """Turn a word of the command line, or a value from Python, into this rule's value.

        Raises
        ------
        UsageError
            If it is of another kind, out of bounds, or not among the choices.
        """
        if isinstance(self.default, bool):
            return self._flag(given)
        if isinstance(self.default, tuple):
            return self._numbers(given)
        if isinstance(self.default, str):
            return self._choice(given)
        return self._number(given)

    def text(self, value: Value) -> str:
        """The value as the command line takes it."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, tuple):
            return ",".join(str(number) for number in value)
        return str(value)

    def identity(self, value: Value) -> Value:
        """What of a value the results depend on: the value itself, unless it names a place."""
        return value

    @property
    def allowed(self) -> str:
        """What the value may be, in words."""
        if isinstance(self.default, bool):
            return "true or false"
        span = f"{self.low} to {self.high}"
        if self.choices:
            return ", ".join([*self.choices, span] if self.high else self.choices)
        if isinstance(self.default, tuple):
            fewest, most = self.lengths
            many = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            return f"{many} numbers from {span}"
        return span

    def _flag(self, given: object) -> bool:
        words = {"true": True, "false": False}
        found = given if isinstance(given, bool) else words.get(str(given).lower())
        if found is None:
            raise UsageError(f"{self.key} is true or false, got {given!r}")
        return found

    def _choice(self, given: object) -> str | int:
        text = str(given)
        for choice in self.choices:
            if text.lower() == choice.lower():
                return choice
        if self.high and (isinstance(given, int | float) or text.lstrip("-").isdigit()):
            return self._number(given)
        raise UsageError(f"{self.key} is one of {self.allowed}, got {text!r}")

    def _number(self, given: object) -> int:
        number = _integer(self.key, given)
        if not self.low <= number <= self.high:
            raise UsageError(f"{self.key} goes from {self.low} to {self.high}, got {number}")
        return number

    def _numbers(self, given: object) -> tuple[int, ...]:
        if isinstance(given, str):
            parts: list[object] = [*given.replace("/", ",").split(",")]
        elif isinstance(given, Iterable):
            parts = list(given)
        else:
            parts = [given]
        fewest, most = self.lengths
        if not fewest <= len(parts) <= most:
            many = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            raise UsageError(f"{self.key} takes {many} numbers, got {len(parts)}")
        return tuple(self._number(part) for part in parts)


def _integer(key: str, given: object) -> int:
    wrong = UsageError(f"{key} takes whole numbers, got {given!r}")
    if isinstance(given, bool):
        raise wrong
    try:
        number = int(given)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        raise wrong from None
    if isinstance(given, float) and number != given:
        raise wrong
    return int(number)


def read_options(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """Read settings, and fill in every default.

    Parameters
    ----------
    options : sequence of Option
        What the game lets one vary.
    given : mapping
        Key to word or value; keys that are absent keep their defaults.

    Returns
    -------
    dict
        Every option's value, in the game's own order.

    Raises
    ------
    UsageError
        For a key that does not exist, or a value that its option does not take.
    """
    known = {option.key: option for option in options}
    for key in given:
        if key not in known:
            raise unknown("option", key, known)
    return {
        key: option.read(given[key]) if key in given else option.default
        for key, option in known.items()
    }


def read_settings(words: Sequence[str]) -> dict[str, str]:
    """Split ``KEY=VALUE`` words; a key that comes twice is an error."""
    settings: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"a setting is written KEY=VALUE, got {word!r}")
        if key.strip() in settings:
            raise UsageError(f"{key.strip()} is set twice")
        settings[key.strip()] = value.strip()
    return settings


def changed(options: Sequence[Option], values: Mapping[str, Value]) -> dict[str, Any]:
    """The options that are not at their defaults."""
    return {o.key: values[o.key] for o in options if values[o.key] != o.default}

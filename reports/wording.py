"""How numbers become sentences: what may be called a difference, and what may not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simlab.experiments.intervals import Estimate, mean_interval, rate_interval
from simlab.experiments.measures import Measure
from simlab.reports.document import Number, Sentence, Unit

if TYPE_CHECKING:
    from simlab.experiments.summary import Reading

OPENINGS = ("the", "no", "clever", "effective")
"""Words that a sentence of the game of mixes may begin with."""
NAMES = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def spelled(number: int) -> str:
    """A small number as a word."""
    return NAMES[number] if 0 <= number < len(NAMES) else f"{number:,}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names as a list in words: ``a, b and c``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def key_of(*parts: object) -> str:
    """A number's key: parts joined by dots, what is no plain word made one."""
    plain = (str(part).replace(".", "_").replace(" ", "-") for part in parts)
    return ".".join(plain)


def rate(key: str, row: dict[str, Any], deals: int | None = None) -> Number:
    """A win rate from a row with ``win_rate`` and ``ci95``."""
    ends = None if row["ci95"] is None else (row["ci95"][0], row["ci95"][1])
    return Number(key, row["win_rate"], ends, "share", deals)


def mean(key: str, row: dict[str, Any], unit: Unit = "number", deals: int | None = None) -> Number:
    """A mean from a row with ``mean`` and ``ci95``."""
    low, high = row["ci95"]
    ends = None if low is None else (low, high)
    return Number(key, row["mean"], ends, unit, deals)


def difference(key: str, row: dict[str, Any], unit: Unit) -> Number:
    """A difference from a row with ``difference`` and ``ci95``."""
    low, high = row["ci95"]
    return Number(key, row["difference"], None if low is None else (low, high), unit)


def amount(number: Number) -> Number:
    """A difference without its sign, where words say which way it goes."""
    if number.value is None or number.value >= 0:
        return number
    ends = None if number.ci95 is None else (-number.ci95[1], -number.ci95[0])
    return Number(f"{number.key}.amount", -number.value, ends, number.unit, number.deals)


def estimated(key: str, found: Estimate, unit: Unit = "share") -> Number:
    """An estimate with the interval that suits its kind."""
    if not math.isfinite(found.mean):
        return Number(key, None, None, unit)
    known = found.deals > 1 and math.isfinite(found.error)
    ends = rate_interval(found) if unit == "share" else mean_interval(found)
    return Number(key, found.mean, ends if known else None, unit, found.deals)


def game_mean(key: str, reading: Reading, column: str, unit: Unit = "number") -> Number:
    """The mean of a column with one value a game; of a share with an interval that holds at 0."""
    place = reading.study.game.all_game_columns.index(column)
    return estimated(key, reading.game(place), unit)


def against(number: Number, fair: Number) -> str:
    """How a win rate stands to the fair share that is told next."""
    assert fair.value is not None
    if number.value is None or not differs(number, fair.value):
        return ", which the data cannot tell from a fair share of "
    return f", {'more' if number.value > fair.value else 'less'} than a fair share of "


def measured(key: str, found: Measure) -> Number:
    """A measure of how a game plays."""
    unit: Unit = "share" if found.unit == "share" else "number"
    known = math.isfinite(found.low) and math.isfinite(found.high)
    ends = (float(found.low), float(found.high)) if known else None
    digits = 0 if found.unit == "games" and found.value >= 10 else None
    return Number(key, float(found.value), ends, unit, found.deals, digits)


def apart(one: Number, other: Number) -> bool:
    """Whether two numbers are called different: their intervals do not meet.

    Stricter than a test of their difference, so that a sentence never claims too much.
    """
    if one.ci95 is None or other.ci95 is None:
        return False
    return one.ci95[1] < other.ci95[0] or other.ci95[1] < one.ci95[0]


def differs(number: Number, from_value: float = 0.0) -> bool:
    """Whether a number's interval leaves out a value."""
    return number.ci95 is not None and not number.ci95[0] <= from_value <= number.ci95[1]


def strongest_words(best: Sequence[str], number: Number, players: int, fair: Number) -> Sentence:
    """Who wins most at a table, or who cannot be told apart from whom."""
    games = f" of {spelled(players)}-player games, where a fair share is "
    if len(best) == 1:
        return Sentence.of(
            "The strongest strategy here, ", best[0], ", wins ", number, games, fair, "."
        )
    shown = listed(list(best))
    return Sentence.of(
        f"The data cannot tell which of {shown} is the strongest; {best[0]} wins ",
        number,
        games,
        fair,
        ".",
    )


def capital(line: str) -> str:
    """A sentence with a capital, unless it begins with a policy's name, which stays as it is."""
    first = line.split(" ", 1)[0]
    return line[:1].upper() + line[1:] if first in OPENINGS else line


def heading(words: str) -> str:
    """Words as a heading or the start of a caption, with a capital."""
    return words[:1].upper() + words[1:]

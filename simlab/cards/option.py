"""The option ``cards``: which set of cards is played with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from simlab.cards.box import CardBox, CardSet, known_set
from simlab.errors import UsageError
from simlab.options import Option, Value

PRINTED = "printed"
PINNED = re.compile(r"(.+)@([0-9a-f]{16})\Z", re.DOTALL)


@dataclass(frozen=True)
class CardOption(Option):
    """A set of cards: ``printed``, or a folder.

    A folder's value is its whole path and the digest of what was read there. Whoever reads the
    value again, in this process or in another, gets the very same cards or an error.

    Attributes
    ----------
    box : CardBox
        The game's box; required.
    """

    box: CardBox = field(kw_only=True)

    def read(self, given: object) -> Value:
        """Read a folder of cards; raises `UsageError` for the first cell that is wrong."""
        text = str(given)
        if text == PRINTED:
            return text
        if not text.strip():
            raise UsageError(f"{self.key} is {self.allowed}; got {text!r}")
        pinned = PINNED.match(text)
        path, digest = (pinned[1], pinned[2]) if pinned else (text, "")
        found = self._known(digest) or self.box.read(Path(path).absolute())
        if digest and found.digest != digest:
            raise UsageError(
                f"the cards in {path} have been edited: their digest was {digest}, is "
                f"{found.digest}; leave @{digest} away to play with them as they are"
            )
        return f"{Path(path).absolute()}@{found.digest}"

    def _known(self, digest: str) -> CardSet | None:
        try:
            return known_set(int(digest or "0", 16))
        except KeyError:
            return None

    @property
    def allowed(self) -> str:
        """What the value may be, in words."""
        return f"{PRINTED}, or a folder made by simlab cards export {self.box.game} DIR"

    def identity(self, value: Value) -> Value:
        """The digest of the cards, wherever they lie."""
        return self.cards(value).digest

    def cards(self, value: Value) -> CardSet:
        """The set of cards that a value names."""
        if value == PRINTED:
            return self.box.printed
        pinned = PINNED.match(str(self.read(value)))
        assert pinned is not None
        return known_set(int(pinned[2], 16))


def box_of(options: Iterable[Option]) -> CardBox | None:
    """The box of cards of a game with these options, if it has cards."""
    for option in options:
        if isinstance(option, CardOption):
            return option.box
    return None

"""Small positions of Fantastiqa for the twin's tests, and what is looked up in them.

The map of a scene, if it says nothing else (regions, statues, creature spaces):

    TL Forests, Tower    --1-- TR Fields, Tower
     |6                         |2
    ML Highlands, Bazaar --7-- MR Hills, Bazaar
     |5                         |3
    BL Wetlands, Chest   --4-- BR Frozen Wastelands, Chest
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twin_fantastiqa import Choices, Game, Position, Seat, legal_free_actions, legal_turns

SWORD, FIRE, WATER, TOOTH, NET = "Spatula", "Candle", "Pail", "Cat", "Spiders"
TWO_SWORDS, TWO_NETS, TWO_WANDS = "Gryphon", "Giant Spider", "Fairies"
DRAGON, GLASS, ROBE, BELL = "Peaceful Dragon", "Looking Glass", "Uriel's Robe", "Bell of Summoning"


def scene(*hand: str, **parts: Any) -> Position:
    """Seat 0 to move with this hand in the Highlands, seat 1 far away in the Fields.

    Parts that a seat has belong to seat 0, the others to the table; `on` is the creatures on some
    spaces, `supply` what is left of gems, bonus tokens and dragons.
    """
    own = {name: parts.pop(name) for name in list(parts) if name in Seat.__dataclass_fields__}
    me = Seat(**{"place": "ML", **own}, hand=list(hand))
    others = parts.pop("others", [Seat(place="TR", draw=[SWORD] * 5)])
    creatures, supply = parts.pop("on", {}), parts.pop("supply", {})
    position = Position([me, *others], turn=5, **parts, **supply)
    position.creatures.update(creatures)
    return position


def game(position: Position, *answers: Any) -> Game:
    """A table whose players give these answers one after the other; shuffles reverse."""
    left = list(answers)

    def choose(seat: int, kind: str, options: Any) -> Any:
        return left.pop(0)

    def shuffle(what: tuple, cards: list[str]) -> Sequence[str]:
        return cards[::-1]

    return Game(position, choose, shuffle)


def done(position: Position, *actions: Any, answers: Sequence[Any] = ()) -> Game:
    """The table after these actions."""
    table = game(position, *answers)
    for action in actions:
        table.perform(action)
    return table


def paying(position: Position, space: int) -> set[tuple[str, ...]]:
    """All payments for the creature on a space, taken from the adventures of one step."""
    lines = [turn[1] for turn in legal_turns(position) if turn[0] == "adventure"]
    return {line[0][1] for line in lines if len(line) == 1 and line[0][0] == space}


def allowed(position: Position, action: Any) -> bool:
    """Whether an action is allowed: asked directly and looked up in the list."""
    direct = action in Choices(position)
    assert direct == (action in legal_turns(position) | legal_free_actions(position))
    return direct


def named(table: Game, event: str) -> list[dict]:
    return [one for one in table.events if one["event"] == event]

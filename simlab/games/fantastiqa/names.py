"""What cards, regions and statues are called, in records of games and in stories."""

from __future__ import annotations

from functools import cache

from simlab.cards import Card, known_set
from simlab.compiled import Record
from simlab.games.fantastiqa.cards import REGION_NAMES, SYMBOLS
from simlab.games.fantastiqa.options import all_kinds, all_quests
from simlab.games.fantastiqa.records import DOUBLED, KINDS
from simlab.games.fantastiqa.symbols import counts_of_symbols

STATUE_NAMES = ("Artifact Tower", "Beast Bazaar", "Quest Chest")
SUPPLY_NAMES = ("artifacts", "beasts", "quests")
PLACE_NAMES = (
    "top left",
    "top right",
    "middle left",
    "middle right",
    "bottom left",
    "bottom right",
)
REGIONS_IN_WORDS = tuple(name.title() for name in REGION_NAMES)
ENDINGS = ("", "goal", "deck", "cap")


@cache
def kinds_of(mark: int) -> tuple[Card, ...]:
    """The kinds of cards of a set, in the order of the rules."""
    return tuple(card for _, card in all_kinds(known_set(mark)))


@cache
def quests_of(mark: int) -> tuple[Card, ...]:
    """The Quest cards of a set, in the order of the rules."""
    return tuple(all_quests(known_set(mark)))


def card_id(rules: Record, card: int) -> str:
    """Id of a card, whether it counts twice or not."""
    return kinds_of(rules.mark)[card % DOUBLED].id


def card_ids(rules: Record, cards: list[int]) -> list[str]:
    """Ids of some cards."""
    return [card_id(rules, card) for card in cards]


def quest_id(rules: Record, quest: int) -> str:
    """Id of a Quest card."""
    return quests_of(rules.mark)[quest].id


def names_by_id(mark: int) -> dict[str, str]:
    """Name of every card of a set by its id."""
    return {card.id: card.name for card in (*kinds_of(mark), *quests_of(mark))}


def counted(counts: list[int]) -> list[int]:
    """Cards, ascending, of a row that counts each kind."""
    return [kind for kind in range(KINDS) for _ in range(counts[kind])]


def symbols_in_words(pile: int) -> str:
    """A pile of symbols as players say it: "2 sword, 1 net"."""
    counts = counts_of_symbols(pile)
    found = [f"{n} {name}" for n, name in zip(counts, SYMBOLS, strict=True) if n]
    return ", ".join(found) or "no symbols"

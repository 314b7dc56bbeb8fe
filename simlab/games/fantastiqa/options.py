"""What a designer may vary in Fantastiqa, and how a record of rules is made from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simlab.cards import Card, CardOption, CardSet
from simlab.errors import UsageError
from simlab.games.fantastiqa.cards import BOX, DECKS, MOST_SYMBOLS, POWERS, SYMBOLS
from simlab.games.fantastiqa.records import (
    ANY_SYMBOL,
    ARTIFACT,
    BEAST,
    CREATURE,
    DRAGON,
    EVENT,
    ITEM,
    KINDS,
    MOST_CARDS,
    MOST_TOKEN,
    OPEN,
    QUESTS,
    RULES,
    SLOTS,
    SPACES,
)
from simlab.games.fantastiqa.symbols import pile_of_symbols
from simlab.options import Option, Value

if TYPE_CHECKING:
    import numpy.typing as npt

PROFILES = ("48-59-59", "39-49-59")
"""The makes of the creature deck as options name them: cards with 2, 3 and 4 players."""
LENGTHS = ("short", "standard", "long")

OPTIONS = (
    CardOption("cards", "printed", "lists of cards", box=BOX),
    Option("deck", PROFILES[0], "creature cards with 2, 3 and 4 players", choices=PROFILES),
    Option("goal", "standard", "points that win, or how long a game is wanted", 1, 99, LENGTHS),
    Option("teams", False, "four play as two teams: seats 0 and 2 against 1 and 3"),
    Option("wilds", True, "two equal symbols count as any other one against a creature"),
    Option("loops", True, "an adventure may come back to a region that it has seen"),
    Option("fly_empty", False, "one may fly over a space whose creature is gone"),
    Option("dragon_power", True, "powers of cards may send Peaceful Dragons"),
    Option("giving", True, "a card may be given to an opponent in the same region"),
    Option("turn_cap", 200, "turns of each player after which the game is ranked", 1, 400),
    Option("hand", 5, "cards to which a hand is filled up", 1, 12),
    Option("gems", 3, "gems that each player starts with", 0, 20),
    Option("carpets", 3, "Flying Carpet tokens of each player", 0, 9),
    Option("reshuffles", 3, "Reshuffle tokens of each player", 0, 6),
    Option("statue_cards", 3, "cards drawn at a statue", 1, 9),
    Option("release_limit", 3, "cards released in one visit", 0, 9),
    Option("release_cost", 1, "gems for each card released", 0, 9),
    Option("teleport_cost", 2, "gems for a teleport", 0, 9),
    Option("quest_limit", SLOTS, "personal Quests at a time", 1, SLOTS),
    Option("token_limit", 5, "cards under a Quest token", 0, MOST_TOKEN - 1),
    Option("beast_price", 0, "gems added to the price of each Beast", -9, 9),
    Option("artifact_price", 0, "gems added to the price of each Artifact", -9, 9),
    Option("gem_supply", 60, "gems in the box", 20, 500),
    Option("bonus_supply", 12, "Bonus tokens in the box", 0, 64),
)

ENDS = ((0, 1), (1, 3), (3, 5), (5, 4), (4, 2), (2, 0), (2, 3))
"""Places that each space joins; places from left to right, top to bottom."""


class Section(NamedTuple):
    """Copies of each kind of creature (by level) and event in one part of the deck."""

    level_1: int
    level_2: int
    events: int


def make_rules(players: int, values: Mapping[str, Value]) -> npt.NDArray[Any]:
    """Rules record for a table, once its parts are known to fit together.

    Parameters
    ----------
    players : int
        Seats at the table.
    values : mapping
        A value for every one of `OPTIONS`.

    Returns
    -------
    numpy.ndarray
        One record of dtype `RULES`.

    Raises
    ------
    UsageError
        If the cards are too many or too few, or a card makes no sense; if teams are asked for
        with other than four players.
    """
    lists = OPTIONS[0]
    assert isinstance(lists, CardOption)
    cards = lists.cards(values["cards"])
    table = np.zeros(1, RULES)
    rules = table[0]
    rules.players = players
    rules.mark = cards.mark
    if values["teams"] and players != 4:
        raise UsageError(f"teams needs 4 players, got {players}")
    for option in OPTIONS:
        if option.key in (RULES.names or ()) and option.key != "goal":
            rules[option.key] = values[option.key]
    rules.goal = _goal(players, values, cards)
    rules.ends = ENDS
    _lay_out_kinds(rules, cards, int(values["beast_price"]), int(values["artifact_price"]))
    _divide_creatures(rules, cards, str(values["deck"]))
    _lay_out_quests(rules, cards)
    _check(rules)
    return table


def _goal(players: int, values: Mapping[str, Value], cards: CardSet) -> int:
    length = values["goal"]
    if isinstance(length, int):
        return length
    if values["teams"]:
        return _row(cards, "goal_teams")[LENGTHS.index(str(length))]
    return _row(cards, f"goal_{length}")[players - 2]


def _row(cards: CardSet, key: str) -> tuple[int, ...]:
    row = cards.amounts[key]
    assert isinstance(row, tuple)
    return row


def all_kinds(cards: CardSet) -> list[tuple[int, Card]]:
    """Every kind of card that can be in a deck, with its group, in the order of the rules."""
    groups = {
        ITEM: "items",
        DRAGON: "dragons",
        CREATURE: "creatures",
        EVENT: "events",
        BEAST: "beasts",
        ARTIFACT: "artifacts",
    }
    return [(group, card) for group, name in groups.items() for card in cards[name]]


def all_quests(cards: CardSet) -> list[Card]:
    """Every Quest card, copies one after another."""
    return [card for card in cards["quests"] for _ in range(card.copies)]


def _lay_out_kinds(rules: Any, cards: CardSet, beast_price: int, artifact_price: int) -> None:
    kinds = all_kinds(cards)
    if len(kinds) > KINDS:
        raise UsageError(f"at most {KINDS} kinds of cards fit besides Quests, got {len(kinds)}")
    if len(cards["dragons"]) != 1:
        raise UsageError(f"dragons.csv holds one kind of card, got {len(cards['dragons'])}")
    rules.kinds = len(kinds)
    for kind, (group, card) in enumerate(kinds):
        values = card.values
        rules.group[kind] = group
        rules.symbols[kind] = pile_of_symbols([values.get(name, 0) for name in SYMBOLS])
        rules.special[kind], rules.amount[kind] = _power(card)
        if group == ITEM:
            rules.items[kind] = card.copies
        elif group == DRAGON:
            rules.dragon = kind
            rules.items[kind] = 1
            rules.dragons = card.copies - rules.players
        elif group == CREATURE:
            rules.level[kind], rules.gem[kind] = values["level"], values["gem"]
            rules.weak_to[kind], rules.strength[kind] = _weakness(card)
        elif group == EVENT:
            rules.spares_below[kind] = values["spares below"]
            rules.divides_by[kind] = values["divides by"]
        else:
            rules.supply[kind] = card.copies
            rules.starting[kind] = values.get("starting", 0)
            change = beast_price if group == BEAST else artifact_price
            rules.cost[kind] = max(0, values["cost"] + change)


def _power(card: Card) -> tuple[int, int]:
    """Number of a card's power, and the power's own number; zeros without one."""
    found = [
        (number, card.values[term.field])
        for number, term in enumerate(POWERS, 1)
        if card.values.get(term.field, 0)
    ]
    if len(found) > 1:
        raise UsageError(f"card {card.id!r} has {len(found)} powers; a card has one at most")
    if found and found[0][0] == ANY_SYMBOL and any(card.values[name] for name in SYMBOLS):
        raise UsageError(f"card {card.id!r} counts as any symbol, so it shows none of its own")
    return found[0] if found else (0, 0)


def _weakness(card: Card) -> tuple[int, int]:
    found = [
        (place, card.values[f"by_{name}"])
        for place, name in enumerate(SYMBOLS)
        if card.values[f"by_{name}"]
    ]
    if len(found) != 1:
        raise UsageError(f"creature {card.id!r} is beaten by one symbol, got {len(found)}")
    return found[0]


def _divide_creatures(rules: Any, cards: CardSet, profile: str) -> None:
    """Say which copies lie in the upper section, which in the lower one, which in the box."""
    deck, place = DECKS[PROFILES.index(profile)], int(rules.players) - 2
    names = ("1", "2", "events")
    upper, out = (
        Section(*(_row(cards, f"{deck}_{part}_{name}")[place] for name in names))
        for part in ("upper", "out")
    )
    for kind, (group, card) in enumerate(all_kinds(cards)):
        if group not in (CREATURE, EVENT):
            continue
        section = 2 if group == EVENT else int(rules.level[kind]) - 1
        left = max(0, card.copies - out[section])
        rules.upper[kind] = min(left, upper[section])
        rules.lower[kind] = left - rules.upper[kind]


def _lay_out_quests(rules: Any, cards: CardSet) -> None:
    quests = all_quests(cards)
    rules.quests = len(quests)
    assert len(quests) <= QUESTS
    for number, card in enumerate(quests):
        values = card.values
        needed = [values[name] for name in SYMBOLS]
        if not 0 < sum(needed) <= MOST_SYMBOLS:
            raise UsageError(
                f"Quest {card.id!r} needs 1 to {MOST_SYMBOLS} symbols, got {sum(needed)}"
            )
        rules.needs[number] = pile_of_symbols(needed)
        rules.cups[number], rules.reward[number] = values["cups"], values["gems"]
        rules.region[number], rules.start_quest[number] = values["region"], values["set"]


def _check(rules: Any) -> None:
    """Raise `UsageError` where a game could not be set up."""
    players = int(rules.players)
    dragons = int(rules.dragons)
    if dragons < 0:
        raise UsageError(f"dragons.csv needs a dragon for each of {players} players")
    starting = int(rules.starting.sum())
    if starting < players:
        raise UsageError(f"{players} players need {players} Starting Artifacts, got {starting}")
    quests = int(rules.start_quest.sum())
    if quests < players + OPEN:
        raise UsageError(f"{players} players need {players + OPEN} Starting Quests, got {quests}")
    creatures = rules.group[: rules.kinds] == CREATURE
    on_table = int((rules.upper + rules.lower)[: rules.kinds][creatures].sum())
    if on_table < SPACES:
        raise UsageError(f"the creature deck needs {SPACES} creatures, got {on_table}")
    cards = int((rules.upper + rules.lower + rules.supply + rules.starting).sum())
    cards += players * int(rules.items.sum()) + dragons
    if cards >= MOST_CARDS:
        raise UsageError(f"less than {MOST_CARDS} cards fit besides Quests, got {cards}")
    if players * int(rules.gems) > int(rules.gem_supply):
        need = f"{players} players with {rules.gems} gems need {players * int(rules.gems)}"
        raise UsageError(f"{need}, gem_supply has {rules.gem_supply}")

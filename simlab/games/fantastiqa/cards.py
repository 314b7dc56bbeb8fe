"""The cards of Fantastiqa as lists for a spreadsheet: what their columns may hold."""

from __future__ import annotations

from pathlib import Path

from simlab.cards import Amount, CardBox, CardTable, Column, Term, effects, number, word

SYMBOLS = ("sword", "fire", "water", "broom", "tooth", "net", "helmet", "bat", "wand")
REGION_NAMES = ("forests", "fields", "highlands", "hills", "wetlands", "frozen wastelands")
MOST_SYMBOLS = 7
"""Most symbols that a Quest may need in all."""

POWERS = (
    Term("carpet", "carpet", "fly over a creature to the region behind it"),
    Term("dragon", "dragon", "put a Peaceful Dragon from the supply on an opponent's discards"),
    Term("gem", "find_gem", "take N gems", 1, 5),
    Term("statue", "statue", "draw or release N cards more in a visit to a statue", 1, 5),
    Term("key", "key", "visit the statue here as a free action"),
    Term("double", "double", "another card in the hand counts its symbols twice this turn"),
    Term(
        "summon", "summon", "look at N cards of the own draw pile, keep one, discard the rest", 2, 8
    ),
    Term("purse", "purse", "take N gems from each opponent who has more gems", 1, 5),
    Term("brew", "brew", "move a card from the hand or the discards to an opponent's discards"),
    Term("wardrobe", "wardrobe", "swap two creatures on the table, with their gems"),
    Term("any symbol", "any_symbol", "counts as any one symbol, for a creature or a Quest"),
    Term("stride", "stride", "move N regions at most, creatures stay", 1, 3),
    Term("draw", "draw_cards", "draw N cards", 1, 5),
)
"""What a card may do besides showing symbols; a card has one power at most."""


def _symbols(column: str, prefix: str, most: int, meaning: str) -> Column:
    terms = [Term(name, prefix + name, f"N times {name}", 1, most) for name in SYMBOLS]
    return effects(column, terms, meaning)


SHOWN = _symbols("symbols", "", 3, "symbols that it shows when played from the hand")
POWER = effects("power", POWERS, "what it does instead, as a free action")
COST = number("cost", 0, 30, "gems")

TABLES = (
    CardTable("items", "what each adventurer starts with", (SHOWN, POWER), most=20),
    CardTable("dragons", "Peaceful Dragons; one starts in each deck", (SHOWN, POWER), least=4),
    CardTable(
        "creatures",
        "creatures between the regions",
        (
            number("level", 1, 2, "1 or 2"),
            SHOWN,
            _symbols("beaten by", "by_", 3, "symbols that subdue it"),
            number("gem", 0, 3, "gems laid on it"),
            POWER,
        ),
        least=8,
    ),
    CardTable(
        "events",
        "events in the creature deck: who has most gems loses some",
        (
            number("spares below", 1, 99, "fewer gems than this are safe"),
            number("divides by", 1, 9, "1 of so many gems is lost, rounded down"),
        ),
        least=0,
        most=12,
    ),
    CardTable("beasts", "supply of the Beast Bazaar", (COST, SHOWN, POWER), least=0),
    CardTable(
        "artifacts",
        "supply of the Artifact Tower, and Starting Artifacts",
        (number("starting", 0, 4, "copies among the Starting Artifacts"), COST, SHOWN, POWER),
        least=0,
    ),
    CardTable(
        "quests",
        "Quests",
        (
            word("set", ("deck", "start"), "Starting Quest or not"),
            number("cups", 1, 3, "points"),
            number("gems", 0, 9, "reward"),
            _symbols("needs", "", MOST_SYMBOLS, "symbols that complete it"),
            word("region", REGION_NAMES, "where it is completed"),
        ),
        least=6,
    ),
)

DECKS = ("usual", "growing")
"""Two makes of the creature deck, by the prefix of their numbers."""


def _section(deck: str, part: str, what: str) -> Amount:
    where = "in the upper section" if part == "upper" else "left in the box"
    meaning = f"copies of each {what} {where}, for 2, 3 and 4 players"
    return Amount(f"{deck}_{part}_{what.rsplit(maxsplit=1)[-1]}", meaning, 0, 64, 3)


AMOUNTS = (
    *(
        _section(deck, part, what)
        for deck in DECKS
        for part in ("upper", "out")
        for what in ("creature of level 1", "creature of level 2", "events")
    ),
    *(
        Amount(f"goal_{length}", "points that win, for 2, 3 and 4 players", 1, 99, 3)
        for length in ("short", "standard", "long")
    ),
    Amount("goal_teams", "points that win for two teams: short, standard, long", 1, 99, 3),
)

BOX = CardBox("fantastiqa", Path(__file__).parent / "cards", TABLES, AMOUNTS)

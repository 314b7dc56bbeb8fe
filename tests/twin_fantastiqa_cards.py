"""The cards, the map and the goals of Fantastiqa as the twin is dealt them: tables, no rules.

What is printed on a card or on the board is data, so that other tables can be given to the twin.
The tables below are the default reconstruction (three of each creature, two of each beast, nine
starting quests and 36 others, eight kinds of artifacts).
"""

import csv
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from io import StringIO

SYMBOLS = ("Sword", "Fire", "Water", "Broom", "Tooth", "Net", "Helmet", "Bat", "Wand")
REGIONS = ("Forests", "Fields", "Highlands", "Hills", "Wetlands", "Frozen Wastelands")
TOWER, BAZAAR, CHEST = "Artifact Tower", "Beast Bazaar", "Quest Chest"
STATUES = (TOWER, TOWER, BAZAAR, BAZAAR, CHEST, CHEST)
DECK_OF = {TOWER: "artifact", BAZAAR: "beast", CHEST: "quest"}
PLACES = ("TL", "TR", "ML", "MR", "BL", "BR")  # top, middle and bottom row; left and right

SPACES = {
    1: ("TL", "TR"),
    2: ("TR", "MR"),
    3: ("MR", "BR"),
    4: ("BR", "BL"),
    5: ("BL", "ML"),
    6: ("ML", "TL"),
    7: ("ML", "MR"),
}
"""The creature spaces in the order in which they are filled, and the places that each one joins."""

RAVEN, DOG, DRAGON = "Mischievous Raven", "Dog", "Peaceful Dragon"

GOALS = {
    "short": {2: 8, 3: 7, 4: 7},
    "standard": {2: 10, 3: 8, 4: 7},
    "long": {2: 11, 3: 10, 4: 8},
}
TEAM_GOALS = {"short": 10, "standard": 11, "long": 11}

SUPPLY = {"gems": 60, "bonus": 12, "dragons": 16}
AT_START = {"gems": 3, "carpets": 3, "reshuffles": 3, "hand": 5}


@dataclass(frozen=True)
class Card:
    """One kind of card that can come into a player's deck (or lie on the table, or be a Raven)."""

    name: str
    family: str  # item, dog, dragon, creature, beast, artifact, raven
    symbols: tuple[str, ...] = ()  # top left, what it gives when it is played
    power: str = ""  # carpet, key, +S, dragon, gem
    effect: str = ""  # of an artifact: see ARTIFACTS
    weakness: tuple[str, int] = ("", 0)  # of a creature: which symbol subdues it, and how many
    gem: bool = False  # of a creature: a gem is put on it when it comes to the table
    price: int = 0  # of a beast and an artifact, in gems


@dataclass(frozen=True)
class Quest:
    """One quest card."""

    name: str
    cups: int
    gems: int  # the reward
    needs: tuple[tuple[str, int], ...]  # (symbol, how many)
    region: str


@dataclass(eq=False)
class Tables:
    """Every card of the game by its name, and which deck holds how many of it."""

    cards: dict[str, Card] = field(default_factory=dict)
    quests: dict[str, Quest] = field(default_factory=dict)
    starting_items: list[str] = field(default_factory=list)  # for each player, before the artifact
    starting_quests: list[str] = field(default_factory=list)
    starting_artifacts: list[str] = field(default_factory=list)
    artifact_deck: Counter[str] = field(default_factory=Counter)
    beast_deck: Counter[str] = field(default_factory=Counter)
    quest_deck: list[str] = field(default_factory=list)
    creature_decks: dict[tuple[str, int], tuple[Counter[str], Counter[str]]] = field(
        default_factory=dict
    )  # (profile, players) to the up-arrow section (on top) and the down-arrow section


# name, symbol, how many of it, weakness (as many), gem, power as a creature, power as a beast
CREATURES = """\
Knight,Sword,1,Wand,1,,
Baby Dragon,Fire,1,Sword,1,,
Fen Fairy,Water,1,Fire,0,+S,
Witch,Broom,1,Water,0,carpet,
Rabbits,Tooth,1,Broom,0,key,
Spiders,Net,1,Tooth,1,,
Billy Goat,Helmet,1,Net,1,,
Troll,Bat,1,Helmet,1,,
Enchantress,Wand,1,Bat,0,dragon,
Gryphon,Sword,2,Wand,1,,carpet
Dragon,Fire,2,Sword,1,,key
Water Nymphs,Water,2,Fire,0,+S,+S
Warlock's Pet,Broom,2,Water,0,carpet,carpet
Vampire Bats,Tooth,2,Broom,0,key,key
Giant Spider,Net,2,Tooth,1,,+S
Satyr,Helmet,2,Net,1,,+S
Bear,Bat,2,Helmet,1,,key
Fairies,Wand,2,Bat,0,carpet,carpet
"""

ITEMS = """\
Spatula,Sword
Candle,Fire
Pail,Water
Broom,Broom
Cat,Tooth
Net,Net
Helmet,Helmet
Bat,Bat
Toothbrush,Wand
"""

# name, effect, price, whether one of it is in the starting set
ARTIFACTS = """\
Looking Glass,double another card,2,1
Bell of Summoning,draw three keep one,2,1
Rogue's Purse,take a gem from the richer,2,1
Bitter Brew,pass a card on,2,1
Wardrobe,swap two creatures,1,1
Uriel's Robe,any symbol,3,0
A7,walk two steps,2,0
A8,draw two,3,0
"""

# name, cups, gems, what it needs, region
QUESTS = """\
S1,1,3,2 Sword,Hills
S2,1,3,2 Fire,Wetlands
S3,1,3,2 Water,Fields
S4,1,3,2 Broom,Fields
S5,1,3,2 Tooth,Frozen Wastelands
S6,1,3,2 Net,Hills
S7,1,3,2 Helmet,Frozen Wastelands
S8,1,3,2 Bat,Highlands
S9,1,3,2 Wand,Wetlands
Q01,2,2,3 Sword,Fields
Q02,2,2,3 Fire,Highlands
Q03,2,2,3 Water,Hills
Q04,2,2,3 Broom,Wetlands
Q05,2,2,3 Tooth,Frozen Wastelands
Q06,2,2,3 Net,Forests
Q07,2,2,3 Helmet,Fields
Q08,2,2,3 Bat,Highlands
Q09,2,2,3 Wand,Hills
Q10,2,2,2 Sword + 2 Water,Wetlands
Q11,2,2,2 Sword + 2 Tooth,Frozen Wastelands
Q12,2,2,2 Fire + 2 Broom,Forests
Q13,2,2,2 Fire + 2 Net,Fields
Q14,2,2,2 Water + 2 Tooth,Highlands
Q15,2,2,2 Water + 2 Helmet,Hills
Q16,2,2,2 Broom + 2 Net,Wetlands
Q17,2,2,2 Broom + 2 Bat,Frozen Wastelands
Q18,2,2,2 Tooth + 2 Helmet,Forests
Q19,2,2,2 Tooth + 2 Wand,Fields
Q20,2,2,2 Net + 2 Bat,Highlands
Q21,2,2,2 Net + 2 Sword,Hills
Q22,2,2,2 Helmet + 2 Wand,Wetlands
Q23,2,2,2 Helmet + 2 Fire,Frozen Wastelands
Q24,2,2,2 Bat + 2 Sword,Forests
Q25,2,2,2 Bat + 2 Water,Fields
Q26,2,2,2 Wand + 2 Fire,Highlands
Q27,2,2,2 Wand + 2 Broom,Hills
Q28,3,1,2 Sword + 3 Broom,Wetlands
Q29,3,1,2 Fire + 3 Tooth,Frozen Wastelands
Q30,3,1,2 Water + 3 Net,Forests
Q31,3,1,2 Broom + 3 Helmet,Fields
Q32,3,1,2 Tooth + 3 Bat,Highlands
Q33,3,1,2 Net + 3 Wand,Hills
Q34,3,1,2 Helmet + 3 Sword,Wetlands
Q35,3,1,2 Bat + 3 Fire,Frozen Wastelands
Q36,3,1,2 Wand + 3 Water,Forests
"""

# up-arrow section: singles of each kind, ravens; down-arrow section: singles, doubles, ravens
PROFILES = {
    ("48/59/59", 2): ((2, 1), (1, 2, 2)),
    ("48/59/59", 3): ((2, 1), (1, 3, 4)),
    ("48/59/59", 4): ((2, 1), (1, 3, 4)),
    ("39/49/59", 2): ((2, 1), (0, 2, 2)),
    ("39/49/59", 3): ((3, 2), (0, 2, 2)),
    ("39/49/59", 4): ((3, 2), (0, 3, 3)),
}


def rows(text: str) -> list[list[str]]:
    """The lines of a table, each cut at its commas."""
    return list(csv.reader(StringIO(text)))


def beast(name: str) -> str:
    """How the beast of an animal is called, which shares its name with a creature."""
    return f"{name} (beast)"


def add_creatures(tables: Tables) -> None:
    """The creatures, the beasts of the two-symbol ones, and the Raven."""
    for name, symbol, number, weak, gem, power, beast_power in rows(CREATURES):
        symbols, weakness = (symbol,) * int(number), (weak, int(number))
        tables.cards[name] = Card(
            name, "creature", symbols, power, weakness=weakness, gem=gem == "1"
        )
        if len(symbols) == 2:
            animal = beast(name)
            tables.cards[animal] = Card(animal, "beast", symbols, beast_power, price=3)
            tables.beast_deck[animal] = 2
    tables.cards[RAVEN] = Card(RAVEN, "raven")


def add_starting_cards(tables: Tables) -> None:
    """What each player begins with: nine items, the dog, a peaceful dragon."""
    for name, symbol in rows(ITEMS):
        tables.cards[name] = Card(name, "item", (symbol,))
        tables.starting_items.append(name)
    tables.cards[DOG] = Card(DOG, "dog", power="gem")
    tables.cards[DRAGON] = Card(DRAGON, "dragon")
    tables.starting_items += [DOG, DRAGON]


def add_artifacts(tables: Tables) -> None:
    """The starting artifacts, one of each, and three of every kind in the deck."""
    for name, effect, price, starting in rows(ARTIFACTS):
        tables.cards[name] = Card(name, "artifact", effect=effect, price=int(price))
        tables.artifact_deck[name] = 3
        if starting == "1":
            tables.starting_artifacts.append(name)


def add_quests(tables: Tables) -> None:
    """The starting quests and those of the deck."""
    for name, cups, gems, wanted, region in rows(QUESTS):
        pairs = [need.split() for need in wanted.split(" + ")]
        needs = tuple((symbol, int(number)) for number, symbol in pairs)
        tables.quests[name] = Quest(name, int(cups), int(gems), needs, region)
        (tables.starting_quests if name[0] == "S" else tables.quest_deck).append(name)


def add_creature_decks(tables: Tables) -> None:
    """Which creatures and how many Ravens are in the two sections, by profile and players."""
    creatures = [card for card in tables.cards.values() if card.family == "creature"]
    singles = [card.name for card in creatures if len(card.symbols) == 1]
    doubles = [card.name for card in creatures if len(card.symbols) == 2]
    for key, ((up, up_ravens), (down, down_doubles, down_ravens)) in PROFILES.items():
        top = Counter({**dict.fromkeys(singles, up), RAVEN: up_ravens})
        bottom = Counter(
            {
                **dict.fromkeys(singles, down),
                **dict.fromkeys(doubles, down_doubles),
                RAVEN: down_ravens,
            }
        )
        tables.creature_decks[key] = (+top, +bottom)


@cache
def default_tables() -> Tables:
    """The default reconstruction; do not write into it (copy.deepcopy gives one of your own)."""
    tables = Tables()
    add_creatures(tables)
    add_starting_cards(tables)
    add_artifacts(tables)
    add_quests(tables)
    add_creature_decks(tables)
    return tables

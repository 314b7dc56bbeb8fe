"""The 95 reconstructed cards of Fantasía S.A. as the slow twin reads them: plain tables.

A Feat: id, type, difficulty, Gold, Renown, what failure does. Equipment: id, kind, Gold cost, what
it does. Sponsors come in four types that differ by one benefit. Action cards go by their names.
"""

FEATS = """
F01 Combat  5 1 2 -
F02 Rescue  5 1 2 hospital
F03 Pickup  5 1 2 lose_equipment
F04 Combat  6 2 3 hospital
F05 Rescue  6 2 3 -
F06 Pickup  6 2 3 lose_sponsor
F07 Combat  6 2 3 hospital
F08 Rescue  6 2 3 curse
F09 Pickup  7 3 4 hospital
F10 Combat  7 3 4 -
F11 Rescue  7 3 4 hospital
F12 Pickup  7 3 4 lose_equipment
F13 Combat  7 3 4 hospital
F14 Rescue  7 3 4 lose_sponsor
F15 Pickup  8 3 5 -
F16 Combat  8 3 5 hospital
F17 Rescue  8 3 5 curse
F18 Pickup  8 3 5 hospital
F19 Combat  8 3 5 lose_equipment
F20 Rescue  8 3 5 hospital+lose_sponsor
F21 Pickup  9 4 6 -
F22 Combat  9 4 6 hospital
F23 Rescue  9 4 6 lose_sponsor
F24 Pickup  9 4 6 hospital
F25 Combat 10 5 7 lose_equipment
F26 Rescue 10 5 7 -
F27 Pickup 10 5 7 curse
F28 Combat 11 5 8 hospital
F29 Rescue 11 5 8 lose_sponsor
F30 Pickup 12 6 9 hospital+lose_sponsor
"""

# What Equipment and Sponsors do: roll:TYPE:n, renown:n, loot:n, reroll, helper:LOWEST DIE, shield,
# two, draw:n.
EQUIPMENT = """
S1 Style     1 roll:Rescue:1
S2 Style     2 renown:1
S3 Style     2 roll:Pickup:1
S4 Style     3 loot:1
S5 Style     3 renown:1
S6 Style     4 roll:all:1
S7 Style     5 loot:2
A1 Assistant 1 roll:Combat:1
A2 Assistant 2 roll:Pickup:1
A3 Assistant 2 roll:Rescue:1
A4 Assistant 3 roll:Combat:2
A5 Assistant 3 helper:4
A6 Assistant 4 reroll
A7 Assistant 4 two
C1 Clothing  1 roll:Combat:1
C2 Clothing  1 roll:Pickup:1
C3 Clothing  2 shield
C4 Clothing  2 roll:Rescue:1
C5 Clothing  3 roll:Pickup:2
C6 Clothing  3 roll:Rescue:2
C7 Clothing  4 roll:all:1
"""

# Six of each type, alike but for the benefit of the second, fourth and sixth.
SPONSOR_TYPES = {
    "Materials": "roll:Combat:1",
    "Service": "roll:Rescue:1",
    "Herald": "roll:Pickup:1",
    "Magic": "draw:1",
}
SPONSOR_COSTS_AND_LOOT = ((2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3))

ACTIONS = {  # name: (window, effect, number), copies
    "Una Mision Divina": (("before roll", "bonus", 1), 4),
    "Hindrance": (("before roll", "hinder", -2), 4),
    "Re-roll": (("after roll", "reroll", 0), 2),
    "Humiliated by Mum": (("turn", "humiliate", 0), 2),
    "Beaten like a red-headed serf": (("turn", "beat", 0), 2),
    "Cancel": (("cancel", "cancel", 0), 2),
    "Fresh ideas": (("turn", "draw", 2), 2),
    "Light fingers": (("turn", "steal", 0), 1),
    "Miracle cure": (("turn", "cure", 0), 1),
}


def effects_of(words: str) -> list[tuple]:
    """`roll:all:1` as ("roll", "all", 1); `-` is nothing at all."""
    effects = []
    for word in words.split("+"):
        name, *numbers = word.split(":")
        if name != "-":
            effects.append((name, *(n if n.isalpha() else int(n) for n in numbers)))
    return effects


def all_cards() -> dict[str, dict]:
    """Every card by its id, with the deck that it belongs to."""
    cards: dict[str, dict] = {}
    for line in FEATS.split("\n")[1:-1]:
        name, kind, difficulty, gold, renown, failure = line.split()
        cards[name] = {"deck": "feat", "is": "feat", "type": kind, "difficulty": int(difficulty)}
        cards[name] |= {"gold": int(gold), "renown": int(renown), "failure": effects_of(failure)}
    for line in EQUIPMENT.split("\n")[1:-1]:
        name, kind, cost, effects = line.split()
        cards[name] = {"deck": "hero", "is": "equipment", "type": kind, "cost": int(cost)}
        cards[name]["effects"] = effects_of(effects)
    for i, (kind, benefit) in enumerate(SPONSOR_TYPES.items()):
        for j, (cost, loot) in enumerate(SPONSOR_COSTS_AND_LOOT):
            cards[f"P{6 * i + j + 1:02}"] = {
                "deck": "sponsor",
                "is": "sponsor",
                "type": kind,
                "cost": cost,
                "effects": [("loot", loot), *(effects_of(benefit) if j % 2 else [])],
            }
    for name, ((window, effect, number), _) in ACTIONS.items():
        cards[name] = {"deck": "hero", "is": "action", "window": window}
        cards[name] |= {"effect": effect, "number": number}
    return cards


CARDS = all_cards()


def printed_decks() -> dict[str, list[str]]:
    """All 95 cards, sorted into their three decks."""
    decks: dict[str, list[str]] = {"feat": [], "hero": [], "sponsor": []}
    for name, card in CARDS.items():
        decks[card["deck"]] += [name] * (ACTIONS[name][1] if name in ACTIONS else 1)
    return decks

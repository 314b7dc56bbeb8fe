"""The engine against a slow twin written from the rulebook by somebody who never saw the engine.

Both get the same deck orders, dice and moves; every event, every set of legal moves and the result
have to be the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import twin_fantasia

from simlab.cards import known_set
from simlab.compiled import INTERPRETED
from simlab.contract import WHOLE_WIN
from simlab.engine import Matchup, engine_of
from simlab.games.fantasia_sa import GAME
from simlab.games.fantasia_sa.records import (
    ACTION,
    BUY,
    CANCEL,
    CHOOSE,
    DISCARD,
    FAILED,
    LOSE_EQUIPMENT,
    LOSE_LOWEST,
    LOSE_SPONSOR,
    REROLL,
    ROLL,
    SHIELD,
    TURN,
    action_of,
    stolen_by,
    target_of,
)
from simlab.policies import read_policies
from simlab.replaying import Replayer, Traced

NAMES = {
    "divina": "Una Mision Divina",
    "hindrance": "Hindrance",
    "again": "Re-roll",
    "mum": "Humiliated by Mum",
    "beaten": "Beaten like a red-headed serf",
    "cancel": "Cancel",
    "ideas": "Fresh ideas",
    "fingers": "Light fingers",
    "cure": "Miracle cure",
}
"""Our ids of Action cards, and what the twin calls them."""
KINDS = {
    DISCARD: "discard",
    TURN: "turn",
    CHOOSE: "feat",
    ROLL: "before roll",
    FAILED: "after roll",
    BUY: "buy",
    CANCEL: "cancel",
    SHIELD: "shield",
    LOSE_LOWEST: "lose sponsor",
    LOSE_SPONSOR: "lose sponsor",
    LOSE_EQUIPMENT: "lose equipment",
}
DECKS = ("feat", "hero", "sponsor")
ODD: dict[str, dict[str, object]] = {
    "friendly": {"hostile": False},
    "small hands": {"hand": 0, "hand_limit": 2},
    "full hands": {"hand": 8, "hand_limit": 4},
    "one card in each Reserve": {"reserve": 1},
    "wide Reserves": {"reserve": 6},
    "short race": {"goal": 3},
    "long race, early end": {"goal": 60, "turn_cap": 50},
}
MIXED = ("greedy", "random", "balanced", "outfitter", "bully")


class Reader:
    """Reads the engine's decisions of one traced game in the twin's words."""

    def __init__(self, replayer: Replayer, traced: Traced) -> None:
        self.rules = replayer.matchup.rules
        self.cards = known_set(self.rules[0].set_mark)
        self.rows = traced.rows
        self.legal = self._legal_moves()
        self.place = 0

    def _legal_moves(self) -> list[list[int]]:
        rows = self.rows[:-1].copy()
        counts = np.zeros(len(rows), np.int64)
        moves = np.zeros((len(rows), GAME.max_moves), np.int64)
        engine_of(GAME).list_legal(self.rules, rows, counts, moves)
        return [list(map(int, row[:n])) for n, row in zip(counts, moves, strict=True)]

    def choose(self, seat: int, kind: str, options: list[tuple]) -> tuple:
        """Answer the twin with the engine's move, once both agree on what there is to choose."""
        row, legal = self.rows[self.place], self.legal[self.place]
        table = row.state.table
        assert (int(row.seat), KINDS[int(table.phase)]) == (seat, kind)
        assert Counter(self.word(table, move) for move in legal) == Counter(options)
        self.place += 1
        return self.word(table, int(row.move))

    def word(self, table: Any, move: int) -> tuple:
        """A move as the twin says it."""
        phase, kind = int(table.phase), move - 1
        if move == 0:
            return ("nothing",) if phase == BUY else ("pass",)
        if move == REROLL:
            held = self._kinds("equipment", table.knights[table.active].equipment)
            return ("use", *(card.id for card in held if card.values["reroll"]))
        if phase in (TURN, ROLL, FAILED, CANCEL):
            return self._play(table, move)
        if phase == CHOOSE:
            return ("feat", self.cards["feats"][kind].id)
        if phase == DISCARD:
            return ("discard", self._hero(kind))
        if phase in (LOSE_LOWEST, LOSE_SPONSOR):
            return ("lose", self.cards["sponsors"][kind].id)
        after = "sponsors" if phase == BUY else "feats"
        table_name = after if kind >= ACTION else "equipment"
        word = {BUY: "buy", SHIELD: "shield"}.get(phase, "lose")
        return (word, self.cards[table_name][kind % ACTION].id)

    def _kinds(self, table: str, numbers: Any) -> Iterator[Any]:
        return (self.cards[table][kind] for kind in np.flatnonzero(numbers))

    def _hero(self, kind: int) -> str:
        if kind >= ACTION:
            return NAMES[self.cards["actions"][kind - ACTION].id]
        return self.cards["equipment"][kind].id

    def _play(self, table: Any, move: int) -> tuple:
        name = NAMES[self.cards["actions"][action_of(move)].id]
        target, stolen = target_of(move), stolen_by(move)
        if table.phase == CANCEL:
            top = table.stack[table.depth - 1]
            return ("play", name, int(top.seat), NAMES[self.cards["actions"][top.card].id])
        aim = [target] if target >= 0 else []
        return ("play", name, *aim, *([self._hero(stolen)] if stolen >= 0 else []))

    def orders(self, deck: int) -> list[list[str]]:
        """Every order that a deck had: as first shuffled, and after each reshuffle."""
        found = []
        for row in self.rows:
            pile, order = row.state.table.piles[deck], row.state.hidden.orders[deck]
            if pile.reshuffles == len(found):
                kinds = order.cards[: order.next + pile.left].tolist()
                found.append([self._name(deck, kind) for kind in kinds])
            assert pile.reshuffles == len(found) - 1
        return found

    def _name(self, deck: int, kind: int) -> str:
        if DECKS[deck] == "hero":
            return self._hero(kind)
        return self.cards[f"{DECKS[deck]}s"][kind].id


# --- Events in words that both have ----------------------------------------------------------


def grouped(events: list[tuple]) -> list[tuple]:
    """Cards turned up or drawn one after another as one event, a reshuffle before it."""
    found: list[tuple] = []
    for event in events:
        before = next((one for one in reversed(found) if one[0] != "reshuffle"), None)
        if event[0] in ("refill", "draw") and before is not None and before[:2] == event[:2]:
            place = len(found) - 1 - found[::-1].index(before)
            found[place] = (*before[:2], before[2] + event[2])
            between = found.pop() if place < len(found) - 1 else None
            if between is not None:
                found.insert(place, between)
        else:
            found.append(event)
    return [(*e[:2], tuple(sorted(e[2]))) if e[0] == "draw" else e for e in found]


def named(card: str | None) -> str | None:
    """A card in the twin's words: only Action cards differ."""
    return card if card is None else NAMES.get(card, card)


def rolled(event: dict) -> tuple:
    modifiers = sorted((named(name) or "", n) for name, n in event["modifiers"])
    return (tuple(event["dice"]), tuple(modifiers), event["total"], event["success"])


def ours(events: list[dict]) -> list[tuple]:
    """The engine's events; that a card is drawn all see, which one only its player."""
    words, stack = [], []
    for event in events:
        if event["event"] == "action":
            aim = (event.get("target"), event.get("equipment"), None)
            if named(event["card"]) == "Cancel":
                aim = (stack[-1][1], None, stack[-1][0])
            stack.append((named(event["card"]), event["seat"]))
            words.append(("play", event["seat"], named(event["card"]), *aim))
        elif event["event"] in ("effect", "cancelled"):
            assert stack.pop() == (named(event["card"]), event["seat"])
        if event["event"] not in ("action", "effect", "draw"):
            words.append(OURS.get(event["event"], told)(event))
    return grouped(words)


def told(event: dict) -> tuple:
    """An event of which only seat and card count."""
    return (event["event"], event.get("seat"), named(event.get("card")))


Event = Callable[[dict], tuple]
OURS: dict[str, Event] = {
    "deal": lambda e: ("deal", e["seat"], tuple(sorted(named(c) or "" for c in e["cards"]))),
    "reveal": lambda e: ("refill", e["reserve"][:-1], (e["card"],)),
    "reshuffle": lambda e: ("reshuffle", e["deck"][:-1].replace("heroe", "hero"), e["cards"]),
    "drawn": lambda e: ("draw", e["seat"], (named(e["card"]),)),
    "roll": lambda e: ("roll", e["seat"], *rolled(e)),
    "die": lambda e: ("avoid", e["seat"], e["card"], e["die"]),
    "heal": lambda e: ("heal", e["seat"], named(e["why"])),
    "steal": lambda e: ("steal", e["seat"], e["victim"], e["card"], *e["loot"]),
    "buy": lambda e: ("buy", e["seat"], e["card"], e["pay"], e["worth"], e["loot"]),
    "lose": lambda e: ("lose", e["seat"], e["card"], e["loot"]),
    "shield": lambda e: ("shield", e["seat"], e["card"], e["loot"]),
    "win": lambda e: ("win", e["seat"], e["loot"]),
    "attempt": lambda e: ("attempt", e["seat"], e["feat"]),
    "success": lambda e: ("success", e["seat"], e["feat"]),
    "failure": lambda e: ("failure", e["seat"], e["feat"]),
}


def theirs(events: list[dict]) -> list[tuple]:
    """The twin's events; it also tells of a hospital for a knight who is there already."""
    words = []
    for event in events:
        empty = event["event"] in ("deal", "draw") and not event["cards"]
        if not empty and event.get("news", True):
            words.append(THEIRS.get(event["event"], told)(event))
    return grouped(words)


def avoided(event: dict) -> tuple:
    if "die" in event:
        return ("avoid", event["seat"], event["card"], event["die"])
    return ("shield", event["seat"], event["card"], event["loot"][event["seat"]])


def played(event: dict) -> tuple:
    aim = (event.get("target"), event.get("taken"), event.get("against"))
    return ("play", event["seat"], event["card"], *aim)


def stolen(event: dict) -> tuple:
    loot, seats = event["loot"], (event["seat"], event["target"])
    return ("steal", *seats, event["card"], *(loot[seat] for seat in seats))


def bought(event: dict) -> tuple:
    about = (event[key] for key in ("seat", "card", "pay", "worth"))
    return ("buy", *about, event["loot"][event["seat"]])


THEIRS: dict[str, Event] = {
    "deal": lambda e: ("deal", e["seat"], tuple(e["cards"])),
    "refill": lambda e: ("refill", e["deck"], tuple(e["cards"])),
    "draw": lambda e: ("draw", e["seat"], tuple(e["cards"])),
    "reshuffle": lambda e: ("reshuffle", e["deck"], e["cards"]),
    "play": played,
    "roll": lambda e: ("roll", e["seat"], *rolled(e)),
    "avoid": avoided,
    "heal": lambda e: ("heal", e["seat"], e["why"]),
    "steal": stolen,
    "buy": lambda e: (
        "buy",
        *(e[k] for k in ("seat", "card", "pay", "worth")),
        e["loot"][e["seat"]],
    ),
    "lose": lambda e: ("lose", e["seat"], e["card"], e["loot"][e["seat"]]),
    "win": lambda e: ("win", e["seat"], e["loot"][e["seat"]]),
    "feat": lambda e: ("attempt", e["seat"], e["card"]),
    "use": lambda e: ("reroll", e["seat"], e["card"]),
    "succeed": lambda e: ("success", e["seat"], e["card"]),
    "fail": lambda e: ("failure", e["seat"], e["card"]),
    "cap": lambda e: ("turn_cap", None, None),
}


def dice_of(events: list[dict], players: int) -> list[Iterator[int]]:
    """The dice that each seat rolled, one after another."""
    rolled = defaultdict(list)
    for event in events:
        if event["event"] in ("roll", "die"):
            rolled[event["seat"]] += event["dice"] if event["event"] == "roll" else [event["die"]]
    return [iter(rolled[seat]) for seat in range(players)]


def compare(replayer: Replayer, deal: int) -> list[tuple]:
    """Play one deal in the engine, the same cards, dice and moves in the twin; compare all."""
    traced = replayer.trace(deal)
    reader, players = Reader(replayer, traced), len(replayer.matchup.policies)
    events = [seen.event for seen in replayer.events(traced)]
    orders = {name: iter(reader.orders(deck)) for deck, name in enumerate(DECKS)}

    def reshuffle(deck: str, cards: Counter) -> list[str]:
        order = next(orders[deck])
        assert Counter(order) == +cards
        return order

    rules = replayer.matchup.rules[0]
    names = ("hand", "hand_limit", "reserve", "turn_cap")
    options = {name: int(rules[name]) for name in names} | {"goals": {players: int(rules.goal)}}
    decks = {name: next(order) for name, order in orders.items()}
    dice = dice_of(events, players)
    said, result = twin_fantasia.play(players, decks, dice, reshuffle, options, reader.choose)
    assert reader.place == len(traced.rows) - 1
    assert all(next(numbers, None) is None for numbers in dice)
    words = ours(events)
    assert words == theirs(said)
    seats = traced.outcome.seats[:players]
    assert seats["points"].tolist() == result["points"]
    assert [Fraction(int(share), WHOLE_WIN) for share in seats["win_share"]] == result["win_share"]
    assert int(traced.outcome.turns_in_all) == result["turns"]
    assert bool(traced.outcome.turn_cap_hits) == result["capped"]
    return words


def replayer_for(policies: list[str], options: dict[str, object], seed: int = 5) -> Replayer:
    return Replayer(Matchup(GAME, read_policies(GAME, policies), options), seed)


def mixed(players: int) -> list[str]:
    return [MIXED[seat % len(MIXED)] for seat in range(players)]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_engine_and_twin_agree_on_every_event(players: int) -> None:
    for policies in ([f"{players}xrandom"], mixed(players)):
        replayer = replayer_for(policies, {"turn_cap": 60})
        for deal in range(1 if INTERPRETED else 3):
            compare(replayer, deal)


@pytest.mark.parametrize("name", ODD)
def test_engine_and_twin_agree_under_odd_rules(name: str) -> None:
    for players in (2, 3) if INTERPRETED else (2, 3, 4, 5):
        for policies in ([f"{players}xrandom"], mixed(players)):
            compare(replayer_for(policies, {"turn_cap": 40} | ODD[name]), 0)


def test_the_games_compared_show_everything_that_can_happen() -> None:
    seen: Counter = Counter()
    replayer = replayer_for(["4xrandom"], {"turn_cap": 200})
    for deal in range(2):
        seen.update(word[0] for word in compare(replayer, deal))
    wanted = "refill draw discard play cancelled steal hospital avoid shield lose heal attempt roll"
    wanted += " success failure reroll buy curse reshuffle"
    assert [word for word in wanted.split() if seen[word] == 0] == []


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_engine_and_twin_agree_on_500_games(players: int) -> None:
    random = replayer_for([f"{players}xrandom"], {"turn_cap": 30}, seed=11)
    others = replayer_for(mixed(players), {"turn_cap": 30, "goal": 5}, seed=12)
    for deal in range(500):
        compare(random, deal)
    for deal in range(200):
        compare(others, deal)

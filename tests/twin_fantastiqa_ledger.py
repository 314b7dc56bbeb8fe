"""Who holds what in Fantastiqa, told by the twin's events alone, and the keys that they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from twin_fantastiqa_cards import AT_START, Tables

KEYS: dict[str, str] = {
    "map": "regions statues",
    "choose": "kind chosen",
    "open quest": "space quest bonus",
    "deal": "cards",
    "creature": "space card gems",
    "raven": "space aside losses",
    "ravens shuffled in": "ravens cards",
    "subdue": "space creature cards doubled symbol needed matching pairs to",
    "recruit": "creatures gems",
    "pass": "",
    "visit": "place statue option plus key",
    "statue cards": "deck cards",
    "buy": "card price",
    "claim": "quest score",
    "return": "deck cards",
    "release": "card source",
    "teleport": "to",
    "complete": "quest hand committed doubled gems bonus score",
    "commit": "card quest",
    "withdraw": "card quest",
    "discard": "card",
    "fly": "by space to",
    "reshuffle": "cards",
    "gem": "card gems",
    "dragon": "card to dragons",
    "shuffle": "deck cards drawn_before",
    "end": "",
    "give": "card to",
    "draw": "cards",
    "turn": "gems scores hands draws discards",
    "over": "reason scores quests",
}
ARTIFACT_KEYS = {
    "Looking Glass": "doubled",
    "Bell of Summoning": "kept discarded",
    "Rogue's Purse": "seats",
    "Bitter Brew": "source passed to",
    "Wardrobe": "spaces",
    "A7": "to",
    "A8": "cards",
}
TELL_NOTHING = "map creature return pass end over"
"""Events that change neither gems nor cards of a player."""


def check_keys(event: dict) -> None:
    """An event has the keys that are documented, and no others."""
    name = event["event"]
    keys = f"card {ARTIFACT_KEYS[event['card']]}" if name == "artifact" else KEYS[name]
    assert set(event) == {"event", "turn", "seat", *keys.split()}


class Ledger:
    """Gems, cards, places and scores of each seat, event by event."""

    def __init__(self, players: int, tables: Tables) -> None:
        self.tables = tables
        self.gems = [AT_START["gems"]] * players
        self.scores = [0] * players
        self.places: list[str | None] = [None] * players
        self.hands: list[Counter[str]] = [Counter() for _ in range(players)]
        self.draws = [len(tables.starting_items) + 1] * players
        self.discards = [0] * players
        self.used = [0] * players  # artifacts of this turn
        self.mine: set[tuple[int, str]] = set()  # personal quests that are incomplete

    def read(self, event: dict) -> None:
        """Write one event down."""
        check_keys(event)
        name = event["event"]
        if name not in TELL_NOTHING.split():
            getattr(self, "on_" + name.replace(" ", "_"))(event, event["seat"])

    # --- Cards that move ---

    def leave(self, seat: int, cards: Iterable[str]) -> None:
        """Cards leave the hand for somewhere else than the discard pile."""
        gone = Counter(cards)
        assert gone <= self.hands[seat]
        self.hands[seat] -= gone

    def discard(self, seat: int, cards: Iterable[str]) -> None:
        """Cards go from the hand to the discard pile."""
        gone = list(cards)
        self.leave(seat, gone)
        self.discards[seat] += len(gone)

    def take(self, seat: int, cards: list[str]) -> None:
        """Cards are drawn into the hand."""
        self.hands[seat] += Counter(cards)
        self.draws[seat] -= len(cards)

    def owe(self, seat: int, quest: str) -> None:
        self.mine.add((seat, quest))
        self.scores[seat] -= self.tables.quests[quest].cups

    # --- The setup and the two ends of a turn ---

    def on_choose(self, event: dict, seat: int) -> None:
        if event["kind"] == "starting quest":
            self.owe(seat, event["chosen"])
        if event["kind"] == "starting region":
            self.places[seat] = event["chosen"]

    def on_open_quest(self, event: dict, seat: int) -> None:
        assert event["quest"] in self.tables.quests

    def on_deal(self, event: dict, seat: int) -> None:
        self.take(seat, event["cards"])

    def on_raven(self, event: dict, seat: int) -> None:
        for loser, gems in event["losses"].items():
            self.gems[loser] -= gems

    def on_ravens_shuffled_in(self, event: dict, seat: int) -> None:
        assert event["turn"] == 1

    def on_draw(self, event: dict, seat: int) -> None:
        self.take(seat, event["cards"])

    def on_give(self, event: dict, seat: int) -> None:
        assert self.places[seat] == self.places[event["to"]]
        self.leave(seat, [event["card"]])
        self.discards[event["to"]] += 1

    def on_shuffle(self, event: dict, seat: int) -> None:
        if event["deck"] == "draw":
            assert 0 <= self.discards[seat] - event["cards"] <= self.used[seat]
            assert self.draws[seat] == event["drawn_before"]  # they are told with the others
            self.draws[seat] += event["cards"]
            self.discards[seat] -= event["cards"]

    def on_turn(self, event: dict, seat: int) -> None:
        """The event says what everybody has: the ledger has to know it already."""
        self.used[seat] = 0
        assert event["gems"] == self.gems
        assert event["scores"] == self.scores
        assert event["hands"] == [hand.total() for hand in self.hands]
        assert event["draws"] == self.draws
        assert event["discards"] == self.discards

    # --- Turn actions ---

    def on_subdue(self, event: dict, seat: int) -> None:
        assert event["matching"] + event["pairs"] >= event["needed"]
        self.discard(seat, event["cards"])
        self.places[seat] = event["to"]

    def on_recruit(self, event: dict, seat: int) -> None:
        self.discards[seat] += len(event["creatures"])
        self.gems[seat] += event["gems"]

    def on_visit(self, event: dict, seat: int) -> None:
        assert event["place"] == self.places[seat]
        self.discard(seat, [event["key"]] if event["key"] else [])
        self.discard(seat, event["plus"])

    def on_statue_cards(self, event: dict, seat: int) -> None:
        assert event["deck"] in ("artifact", "beast", "quest")

    def on_buy(self, event: dict, seat: int) -> None:
        self.gems[seat] -= event["price"]
        self.discards[seat] += 1

    def on_claim(self, event: dict, seat: int) -> None:
        self.owe(seat, event["quest"])
        assert self.scores[seat] == event["score"]

    def on_release(self, event: dict, seat: int) -> None:
        self.gems[seat] -= 1
        if event["source"] == "hand":
            self.leave(seat, [event["card"]])
        else:
            self.discards[seat] -= 1

    def on_teleport(self, event: dict, seat: int) -> None:
        self.gems[seat] -= 2
        self.places[seat] = event["to"]

    def on_complete(self, event: dict, seat: int) -> None:
        quest = self.tables.quests[event["quest"]]
        personal = (seat, quest.name) in self.mine
        self.mine.discard((seat, quest.name))
        self.discard(seat, event["hand"])
        self.discards[seat] += len(event["committed"])
        self.gems[seat] += event["gems"]
        self.scores[seat] += quest.cups * (2 if personal else 1) + event["bonus"]
        assert self.scores[seat] == event["score"]

    # --- Free actions ---

    def on_commit(self, event: dict, seat: int) -> None:
        self.leave(seat, [event["card"]])

    def on_withdraw(self, event: dict, seat: int) -> None:
        self.discards[seat] += 1

    def on_discard(self, event: dict, seat: int) -> None:
        self.discard(seat, [event["card"]])

    def on_fly(self, event: dict, seat: int) -> None:
        self.discard(seat, [event["by"]] if event["by"] != "token" else [])
        self.places[seat] = event["to"]

    def on_reshuffle(self, event: dict, seat: int) -> None:
        shuffled = event["cards"] - self.draws[seat]
        assert 0 <= self.discards[seat] - shuffled <= self.used[seat]
        self.draws[seat] = event["cards"]
        self.discards[seat] -= shuffled

    def on_gem(self, event: dict, seat: int) -> None:
        self.discard(seat, [event["card"]])
        self.gems[seat] += event["gems"]

    def on_dragon(self, event: dict, seat: int) -> None:
        self.discard(seat, [event["card"]])
        self.discards[event["to"]] += event["dragons"]

    def on_artifact(self, event: dict, seat: int) -> None:
        self.discard(seat, [event["card"]])
        self.used[seat] += 1
        match event:
            case {"kept": kept, "discarded": discarded}:
                self.take(seat, kept)
                self.draws[seat] -= len(discarded)
                self.discards[seat] += len(discarded)
            case {"seats": losers}:
                for loser in losers:
                    self.gems[loser] -= 1
                    self.gems[seat] += 1
            case {"source": source, "passed": passed, "to": receiver}:
                if source == "hand":
                    self.leave(seat, [passed])
                else:
                    self.discards[seat] -= 1
                self.discards[receiver] += 1
            case {"to": place}:
                self.places[seat] = place
            case {"cards": cards}:
                self.take(seat, cards)

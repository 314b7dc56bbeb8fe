"""What a seat of Fantastique can know, rebuilt from the events that it saw and from nothing else.

Used to prove that the records which policies are shown hold no more than that.
"""

from __future__ import annotations

from collections import Counter

METALS = ("gold", "silver", "bronze")
UNUSED = -1000


def fan(value: int, count: int) -> int:
    return 8 * count + value - 1


def pile(cards: Counter) -> int:
    assert all(number >= 0 for number in cards.values()), cards
    return sum(number << (8 * (value - 1)) for value, number in cards.items())


class Onlooker:
    """One seat's memory of a game: `see` events, then read `table` and `own`."""

    def __init__(self, options: dict, players: int, seat: int) -> None:
        self.options, self.players, self.seat = options, players, seat
        self.side = ("I", "II", "III", "IV", "V", "VI").index(options["finale"]) + 1
        self.hand: Counter = Counter()
        self.unseen = Counter({v + 1: n for v, n in enumerate(options["deck"]) if n})
        self.sizes = [options["hand"]] * players
        self.known: list[Counter] = [Counter() for _ in range(players)]
        self.discard: Counter = Counter()
        self.deck_cards = sum(options["deck"]) - options["hand"] * players
        self.deck_pile: Counter = Counter()
        self.points = [0] * players
        self.medals = [[0, 0, 0] for _ in range(players)]
        self.best = [0] * players
        self.played = [0] * players
        self.reshuffles = self.passes = self.round = self.starter = 0

    def decide(self, move: int) -> None:
        """What one decides oneself is seen by all in the events that follow."""

    def see(self, event: dict) -> None:
        getattr(self, "see_" + event["event"])(event)

    def see_deal(self, event: dict) -> None:
        assert event["seat"] == self.seat, "other hands are not shown"
        self.hand += Counter(event["cards"])

    def see_reshuffle(self, event: dict) -> None:
        self._clear_round()
        # The old deck is used up by the reveal that follows; what is left of it comes first.
        self.old_deck = self.deck_cards
        self.deck_pile, self.discard = self.discard, Counter()
        assert self.deck_pile.total() == event["cards"]
        self.deck_cards += event["cards"]
        self.reshuffled_now = True

    def see_reveal(self, event: dict) -> None:
        if not getattr(self, "reshuffled_now", False):
            self._clear_round()
            self.old_deck = self.deck_cards if self.reshuffles == 0 else 0
        for place, value in enumerate(event["cards"]):
            from_old = place < self.old_deck
            if self.reshuffles == 0 and from_old:
                self.unseen[value] -= 1
            elif self.reshuffles > 0 and getattr(self, "reshuffled_now", False) and from_old:
                pass  # the last of an earlier reshuffled deck: its pile is gone already
            else:
                self.deck_pile[value] -= 1
        self.deck_cards -= len(event["cards"])
        if getattr(self, "reshuffled_now", False):
            self.reshuffles += 1
            self.reshuffled_now = False
        self.round = event["round"]
        self.stacks = [fan(stack[0], len(stack)) for stack in event["stacks"]]
        self.plays = [0] * 5
        self.choosing = [UNUSED] * 5
        self.order: list[int] = []
        self.acted = self.drafted = 0
        self.phase = 1
        self.starter_now = self.starter

    def _clear_round(self) -> None:
        """Fans and stacks left over go to the discard pile."""
        if self.round:
            for move in (*self.plays, *self.stacks):
                if move > 0:
                    self.discard[move % 8 + 1] += move // 8
            self.plays, self.stacks = [], []

    def see_play(self, event: dict) -> None:
        seat, value, count = event["seat"], event["value"], event["count"]
        shown = min(count, self.known[seat][value])
        self.known[seat][value] -= shown
        self.unseen[value] -= count - shown
        if seat == self.seat:
            self.hand[value] -= count
        self.sizes[seat] -= count
        self.played[seat] += count
        self.plays[seat] = fan(value, count)
        self._act(seat, 256 * value + count)

    def see_pass(self, event: dict) -> None:
        self.passes += 1
        self.plays[event["seat"]] = -1
        self._act(event["seat"], -1 - self.acted)

    def _act(self, seat: int, rank: int) -> None:
        self.choosing[seat] = rank
        self.acted += 1
        if self.acted == self.players:
            self.phase = 2
            self.order = sorted(range(self.players), key=lambda s: -self.choosing[s])

    def see_medal(self, event: dict) -> None:
        seat, metal = event["seat"], METALS.index(event["metal"])
        self.points[seat] += event["points"]
        self.medals[seat][metal] += 1
        self.best[seat] = max(self.best[seat], event["points"])
        if metal == 0:
            self.starter = seat

    def see_draft(self, event: dict) -> None:
        seat, value, count = event["seat"], event["value"], event["count"]
        if seat == self.seat:
            self.hand[value] += count
        self.known[seat][value] += count
        self.sizes[seat] += count
        self.stacks[self.stacks.index(fan(value, count))] = 0
        self.drafted += 1

    def to_move(self) -> int:
        if self.phase == 1:
            return (self.starter_now + self.acted) % self.players
        return self.order[self.drafted]

    def table(self) -> dict:
        deck_pile = self.deck_pile if self.reshuffles else Counter()
        return {
            "to_move": self.to_move(),
            "checkpoint": self.round - 1,
            "round_number": self.round,
            "phase": self.phase,
            "finale": self.side,
            "starter": self.starter,
            "acted": self.acted,
            "drafted": self.drafted,
            "open": sum(move > 0 for move in self.stacks),
            "plays": self.plays,
            "choosing": self.choosing,
            "order": padded(self.order, 5),
            "stacks": padded(self.stacks, 10),
            "hand_cards": padded(self.sizes, 5),
            "points": padded(self.points, 5),
            "medals": [*self.medals, *[[0, 0, 0]] * (5 - self.players)],
            "best_medal": padded(self.best, 5),
            "cards_played": padded(self.played, 5),
            "deck_cards": self.deck_cards,
            "reshuffles": self.reshuffles,
            "passes": self.passes,
            "known": padded([pile(cards) for cards in self.known], 5),
            "unseen": pile(self.unseen),
            "deck_pile": pile(deck_pile),
            "discard": pile(self.discard),
        }

    def own(self) -> dict:
        return {"seat": self.seat, "hand": pile(self.hand)}


def padded(values: list, length: int) -> list:
    return [*values, *[0] * (length - len(values))]

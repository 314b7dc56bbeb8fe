"""Worlds that a seat imagines: consistent with all it knows, and evenly spread over the rest.

What a seat knows is worked out here from the events that it saw, by a notebook in plain Python
that keeps cards as objects: what was shown has been seen, and of a dealt and a drafted copy the
drafted one goes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
import pytest
from numba import types
from positions import (
    NUMBERS,
    ROWS,
    RULES_AT,
    STATES,
    STREAMS,
    compiled,
    counts_in,
    fits,
    fresh_stream,
    legal_lists,
    replayer,
)
from test_exact import orders

from simlab.compiled import INTERPRETED
from simlab.games.fantastique import GAME
from simlab.games.fantastique.imagine import imagine
from simlab.games.fantastique.records import FINISHED
from simlab.games.fantastique.rules import allowed, apply, legal, over
from simlab.streams import SCRATCH, below

ALPHA = 1e-6
DRAWS_A_WORLD = 10 if INTERPRETED else 200
MOST_WORLDS = 40 if INTERPRETED else 400
GARBAGE = 0x5A

World = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
"""Every seat's hand, ascending, and the deck in the order in which it comes."""


def imagine_worlds(rules_at, rows, worlds, streams):
    """Fill each world from the next row's seat; the rows are used again and again."""
    for place in range(len(worlds)):
        row = rows[place % len(rows)]
        own = row.state.seats[row.seat]
        imagine(rules_at[0], row.state.table, own, worlds[place], streams[0])
    return 0


def play_on(rules_at, worlds, moves, streams):
    """Play each world to its end by lot; returns how many got there by legal moves."""
    rules = rules_at[0]
    for place in range(len(worlds)):
        state = worlds[place]
        while not over(rules, state):
            own = state.seats[state.table.to_move]
            n = legal(rules, state.table, own, moves)
            if n == 0:
                return place
            move = moves[below(streams[0], n)]
            if not allowed(rules, state.table, own, move):
                return place
            apply(rules, state, move, streams[0])
    return len(worlds)


def imagined(rules: Any, rows: Any, number: int, seed: int = 0) -> Any:
    """So many worlds, filled in over garbage."""
    worlds = np.zeros(number, GAME.state)
    worlds.view(np.uint8)[:] = GARBAGE
    kernel = compiled(imagine_worlds, RULES_AT, ROWS, STATES, STREAMS)
    kernel(rules, rows, worlds, fresh_stream(SCRATCH, seed))
    return worlds


# --- What one seat knows ---------------------------------------------------------------------


class Notebook:
    """What a seat could have written down, card by card, from the events that it saw."""

    def __init__(self, seat: int, players: int, options: Mapping[str, Any]) -> None:
        self.seat, self.hand_size = seat, options["hand"]
        deck = options["deck"]
        self.unseen = Counter({value: n for value, n in enumerate(deck, 1) if n})
        self.deck_cards = sum(deck) - players * self.hand_size
        self.deck: Counter[int] | None = None  # what is in it; nobody knows before a reshuffle
        self.own: Counter[int] = Counter()
        self.known: list[Counter[int]] = [Counter() for _ in range(players)]
        self.unknown = [0 if s == seat else self.hand_size for s in range(players)]
        self.lying: Counter[int] = Counter()  # fans and stacks of this round
        self.discard: Counter[int] = Counter()
        self.old_deck = 0  # cards still drawn from the deck before the reshuffle
        self.round = 1

    def read(self, event: Mapping[str, Any]) -> None:
        if event.get("round", self.round) != self.round:
            self.round = event["round"]
            self.discard += self.lying
            self.lying = Counter()
        if event["event"] in ("deal", "reshuffle", "reveal", "play", "draft"):
            getattr(self, event["event"])(event)

    def deal(self, event: Mapping[str, Any]) -> None:
        self.own += Counter(event["cards"])
        self.unseen -= Counter(event["cards"])

    def reshuffle(self, event: Mapping[str, Any]) -> None:
        """The discard pile comes under what is left of the deck."""
        self.old_deck, self.old = self.deck_cards, self.deck
        assert event["cards"] == self.discard.total()
        self.deck, self.discard = self.discard, Counter()
        self.deck_cards += event["cards"]

    def reveal(self, event: Mapping[str, Any]) -> None:
        first, later = event["cards"][: self.old_deck], event["cards"][self.old_deck :]
        if self.old_deck:
            self._take(self.old, first)
        self._take(self.deck, later)
        self.old_deck = 0
        self.deck_cards -= len(event["cards"])
        self.lying += Counter(event["cards"])

    def _take(self, pool: Counter[int] | None, cards: list[int]) -> None:
        pool = self.unseen if pool is None else pool
        pool.subtract(cards)
        assert min(pool.values(), default=0) >= 0

    def play(self, event: Mapping[str, Any]) -> None:
        seat, value, cards = event["seat"], event["value"], event["count"]
        self.lying[value] += cards
        if seat == self.seat:
            self.own[value] -= cards
            return
        drafted = min(cards, self.known[seat][value])
        self.known[seat][value] -= drafted
        self.unknown[seat] -= cards - drafted
        self.unseen[value] -= cards - drafted

    def draft(self, event: Mapping[str, Any]) -> None:
        hand = self.own if event["seat"] == self.seat else self.known[event["seat"]]
        hand[event["value"]] += event["count"]
        self.lying[event["value"]] -= event["count"]

    @property
    def pools(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Cards that may lie in any unseen place of the hands (and deck), and of the deck."""
        deck = () if self.deck is None else tuple(sorted(self.deck.elements()))
        return tuple(sorted(self.unseen.elements())), deck

    def worlds(self) -> dict[World, float]:
        """Every world that there may be, with its chance: each place of each card alike.

        Objects in random places show each distinct order of their values equally often.
        """
        hidden, deck = self.pools
        found: Counter[World] = Counter(
            self._world(order, rest) for order, rest in product(orders(hidden), orders(deck))
        )
        ways = sum(found.values())
        return {world: n / ways for world, n in found.items()}

    def _world(self, order: tuple[int, ...], deck: tuple[int, ...]) -> World:
        hands, place = [], 0
        for seat, n in enumerate(self.unknown):
            shown = self.own if seat == self.seat else self.known[seat]
            hands.append(tuple(sorted([*shown.elements(), *order[place : place + n]])))
            place += n
        return tuple(hands), order[place:] + deck

    @property
    def size(self) -> int:
        """Orders that `worlds` goes through."""
        hidden, deck = self.pools
        return len(orders(hidden)) * len(orders(deck)) if len(hidden + deck) < 8 else 10**9


def notebooks(game: Any, rows: Any, options: Mapping[str, Any]) -> Iterator[Notebook]:
    """For each decision what its seat has written down by then."""
    rules, players = game.matchup.rules[0], len(game.matchup.policies)
    books = [Notebook(seat, players, options) for seat in range(players)]
    before = move = None
    for row in rows[:-1]:
        for seen in GAME.narrate(rules, before, move, row.state, None):
            for seat in range(players) if seen.seats is None else seen.seats:
                books[seat].read(seen.event)
        before, move = row.state, int(row.move)
        yield books[row.seat]


def world_of(state: Any, players: int) -> World:
    hands = counts_in(state["seats"]["hand"][:players])
    cards = tuple(tuple(np.repeat(np.arange(1, 9), hand).tolist()) for hand in hands)
    first, n = int(state["hidden"]["next"]), int(state["table"]["deck_cards"])
    return cards, tuple(state["hidden"]["deck"][first : first + n].tolist())


# --- Tiny decks: all worlds there are --------------------------------------------------------


TINY: dict[str, tuple[int, dict[str, Any]]] = {
    "two players": (2, {"deck": (2, 2, 1, 1, 0, 0, 0, 0), "hand": 2, "rounds": 3, "stacks": 2}),
    "two players, one in hand": (
        2,
        {"deck": (3, 2, 1, 0, 0, 0, 0, 0), "hand": 1, "rounds": 5, "stacks": 2},
    ),
    "three players": (
        3,
        {"deck": (3, 2, 2, 1, 0, 0, 0, 0), "hand": 2, "rounds": 4, "stacks": 3},
    ),
    "all cards dealt": (
        3,
        {"deck": (2, 2, 2, 0, 0, 0, 0, 0), "hand": 2, "rounds": 4, "stacks": 3},
    ),
}
KINDS = (
    "before a reshuffle, nothing known",
    "before a reshuffle, cards known",
    "after a reshuffle, cards known",
)


def kind_of(book: Notebook) -> str:
    known = any(cards.total() for cards in book.known)
    if book.deck is None:
        return KINDS[1] if known else KINDS[0]
    return KINDS[2] if known else ""


def tiny_positions(name: str, deals: int) -> Iterator[tuple[Any, Any, Notebook]]:
    """Decisions of tiny games: rules, the row, and what its seat knows."""
    players, options = TINY[name]
    game = replayer(["random"] * players, options, seed=3)
    for deal in range(deals):
        rows = game.trace(deal).rows
        for row, book in zip(rows, notebooks(game, rows, options), strict=False):
            if any(book.unknown) and not any(passed(row)):
                yield game.matchup.rules, row, book


def passed(row: Any) -> list[bool]:
    """Who passed in this round: of them one knows more than which cards were shown."""
    return [bool(move < 0) for move in row.state.table.plays]

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
from positions import (
    NUMBERS,
    ROWS,
    RULES_AT,
    STATES,
    STREAMS,
    Position,
    compiled,
    counts_in,
    fits,
    fresh_stream,
    legal_lists,
    pile,
    replayer,
)
from test_exact import orders

from simlab.compiled import INTERPRETED
from simlab.engine import trace_type
from simlab.games.fantastique import GAME
from simlab.games.fantastique.imagine import imagine
from simlab.games.fantastique.records import FINISHED, PASSED
from simlab.games.fantastique.rules import allowed, apply, legal, over
from simlab.streams import SCRATCH, below

ALPHA = 1e-6
DRAWS_A_WORLD = 10 if INTERPRETED else 100
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
        self.old_deck = 0  # cards that came before the reshuffle in the reveal of that round
        self.old: Counter[int] | None = None  # what is known of them
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
        """The discard pile comes below what is left of the deck."""
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
    "two players": (2, {"deck": (3, 3, 2, 2, 0, 0, 0, 0), "hand": 2, "stacks": 2}),
    "a stack left over": (2, {"deck": (4, 3, 3, 2, 0, 0, 0, 0), "hand": 3, "stacks": 3}),
    "three players": (3, {"deck": (4, 3, 3, 3, 0, 0, 0, 0), "hand": 3, "stacks": 3}),
    "all cards dealt": (3, {"deck": (3, 3, 2, 1, 0, 0, 0, 0), "hand": 3, "stacks": 3}),
}
for _, _options in TINY.values():
    _options |= {"stack_limit": 1, "rounds": 5}
FRESH, DRAFTED, RESHUFFLED = "nothing known", "drafted cards known", "reshuffled, cards known"


def kind_of(book: Notebook) -> str:
    if not any(cards.total() for cards in book.known):
        return FRESH if book.deck is None else ""
    return DRAFTED if book.deck is None else RESHUFFLED


def tiny_positions(name: str, kind: str, number: int) -> list[tuple[Any, Any, dict[World, float]]]:
    """The first positions of a kind in which a seat has several worlds to think of.

    Games in which somebody passed are left out: a pass tells more than the cards shown.

    Returns
    -------
    list of (rules, one row, the chance of each world)
    """
    players, options = TINY[name]
    game = replayer(["random"] * players, options, seed=3)
    found: list[tuple[Any, Any, dict[World, float]]] = []
    for deal in range(500):
        rows = game.trace(deal).rows
        for place, book in enumerate(notebooks(game, rows, options)):
            wanted = rows[place].state.table.passes == 0 and kind_of(book) == kind
            if wanted and any(book.unknown) and book.size <= MOST_WORLDS and len(book.worlds()) > 3:
                found.append((game.matchup.rules, rows[place : place + 1].copy(), book.worlds()))
        if len(found) >= number:
            return found[:number]
    raise AssertionError(f"only {len(found)} positions of this kind")


CASES = [
    *((name, FRESH) for name in TINY),
    *((name, kind) for name in list(TINY)[:3] for kind in (DRAFTED, RESHUFFLED)),
]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_every_world_is_imagined_as_often_as_its_chance(name: str, kind: str) -> None:
    """Chi-square at 1e-6 for four positions of each kind, seed 0."""
    players = TINY[name][0]
    for rules, rows, chances in tiny_positions(name, kind, 1 if INTERPRETED else 4):
        worlds = imagined(rules, rows, DRAWS_A_WORLD * len(chances))
        found = Counter(world_of(world, players) for world in worlds)
        assert fits(found, chances, ALPHA)


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_the_real_world_is_among_those_imagined(name: str, kind: str) -> None:
    players = TINY[name][0]
    for rules, rows, chances in tiny_positions(name, kind, 2):
        real = world_of(rows[0].state, players)
        assert real in chances
        worlds = imagined(rules, rows, 20 * len(chances), seed=1)
        assert real in {world_of(world, players) for world in worlds}


def test_a_pass_tells_nothing() -> None:
    """A pass would give a hand away now and then; like all play it is taken to tell nothing.

    Three hold a card each; the first two both hold a 1, so the second one passes.
    """
    game = Position([[1], [1], [2]], deck=[2, 2, 2, 3], stacks=3, stack_limit=1)
    game.reveal()
    game.play(0, 1)
    assert game.table.plays[1] == PASSED
    rows = np.zeros(1, trace_type(GAME))
    rows[0].state, rows[0].seat = game.state, 2
    hands = imagined(game.rules, rows, 100)["seats"]["hand"][:, 1]
    assert {int(hand) for hand in hands} == {pile([1]), pile([3])}


# --- Games of the usual size -----------------------------------------------------------------


USUAL: dict[str, tuple[int, dict[str, Any]]] = {
    "two players": (2, {}),
    "three players": (3, {"finale": "random"}),
    "four players": (4, {}),
    "five players": (5, {}),
    "five players, a small deck": (5, {"deck": (12, 11, 10, 9, 8, 5, 4, 3)}),
    "a deck that runs dry": (4, {"deck": (4, 3, 2, 1, 2, 0, 0, 1), "hand": 3}),
}


@pytest.fixture(params=USUAL, scope="module")
def imaginings(request: Any) -> tuple[Any, Any, Any, Any]:
    """Rules, every decision of some games, the same rows after imagining, and the worlds."""
    players, options = USUAL[request.param]
    game = replayer(["random", "greedy", "miser", "random", "high-fan"][:players], options, seed=7)
    rows = np.concatenate([game.trace(deal).rows[:-1] for deal in range(3 if INTERPRETED else 20)])
    rows["state"]["seats"]["notes"] = np.arange(len(rows))[:, None, None] + 1
    before, rules = rows.copy(), game.matchup.rules
    return rules, before, rows, imagined(rules, rows, 2 * len(rows))


def twice(column: Any) -> Any:
    """Each row's value for both of the worlds that were imagined from it."""
    return np.concatenate([column, column])


def cards_hidden(states: Any, players: int) -> Any:
    """Cards in all hands and in the deck, shape (states, 8)."""
    hands = counts_in(states["seats"]["hand"][:, :players]).sum(axis=1)
    decks = [np.bincount(world_of(state, players)[1], minlength=9)[1:] for state in states]
    return hands + np.array(decks)


def test_what_is_shown_is_left_as_it_is(imaginings: Any) -> None:
    """Byte for byte: the records shown, and the table and the own record of the world."""
    _, before, rows, worlds = imaginings
    assert rows.tobytes() == before.tobytes()
    assert worlds["table"].tobytes() == twice(before["state"]["table"]).tobytes()
    seats = twice(before["seat"])
    own = worlds["seats"][np.arange(len(worlds)), seats]
    assert own.tobytes() == twice(before["state"]["seats"])[np.arange(len(worlds)), seats].tobytes()


def test_others_sit_at_their_places_with_empty_notes(imaginings: Any) -> None:
    rules, before, _, worlds = imaginings
    players = int(rules[0].players)
    others = np.arange(players) != twice(before["seat"])[:, None]
    seats = worlds["seats"][:, :players]
    assert (seats["seat"] == np.arange(players)).all()
    assert (seats["notes"][others] == 0).all()


def test_hands_and_deck_have_their_sizes_and_known_cards_are_where_they_are(
    imaginings: Any,
) -> None:
    rules, before, _, worlds = imaginings
    players, tables = int(rules[0].players), worlds["table"]
    hands = counts_in(worlds["seats"]["hand"][:, :players])
    assert (hands.sum(axis=2) == tables["hand_cards"][:, :players]).all()
    assert (hands >= counts_in(tables["known"][:, :players])).all()
    real = cards_hidden(before["state"], players)
    assert (cards_hidden(worlds, players) == twice(real)).all()


def test_the_seat_has_the_same_legal_moves_in_every_world(imaginings: Any) -> None:
    rules, before, _, worlds = imaginings
    there = twice(before)
    there["state"] = worlds
    assert legal_lists(rules, there) == 2 * legal_lists(rules, before.copy())


def test_every_world_can_be_played_to_its_end(imaginings: Any) -> None:
    rules, _, _, worlds = imaginings
    players, played = int(rules[0].players), worlds.copy()
    moves = np.zeros(GAME.max_moves, np.int64)
    kernel = compiled(play_on, RULES_AT, STATES, NUMBERS, STREAMS)
    assert kernel(rules, played, moves, fresh_stream(SCRATCH, seed=2)) == len(played)
    assert (played["table"]["phase"] == FINISHED).all()
    left = cards_hidden(played, players) + counts_in(played["table"]["discard"])
    assert (left == counts_in(rules[0].pile)).all()

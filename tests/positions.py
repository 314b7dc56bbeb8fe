"""Positions of Fantastique: laid out by hand as at a table, or taken from a traced game.

Everything that happens to them happens in the engine's own compiled rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numba import types
from scipy.special import chdtrc

from simlab.compiled import bound, kernel, rule
from simlab.counters import pile_of
from simlab.engine import RULE_NAMES, Matchup, array_of, engine_of, trace_type
from simlab.games.fantastique import GAME
from simlab.games.fantastique.records import FINISHED, PLAY
from simlab.games.fantastique.rules import allowed, apply, begin_round, go_on, over
from simlab.games.fantastique.story import value_and_count
from simlab.loop import finish
from simlab.policies import read_policies
from simlab.replaying import Replayer
from simlab.streams import STREAM

SIDES = ("I", "II", "III", "IV", "V", "VI")

RULES_AT = array_of(GAME.rules)
STATES = array_of(GAME.state)
STREAMS = array_of(STREAM)
ROWS = array_of(trace_type(GAME))
OUTCOMES = array_of(GAME.outcome)
NUMBERS = types.int64[::1]

finish_hand_made = rule(
    bound(finish, "finish_hand_made", {name: getattr(GAME, name) for name in RULE_NAMES})
)


@cache
def compiled(text: Callable[..., Any], *arguments: Any) -> Callable[..., int]:
    """A kernel for the tests: compiled once a process, never kept."""
    return kernel(text, types.int64(*arguments), keep=False)


def open_round(rules_at, states, streams):
    """Reveal the stacks, and go on to the first seat that can play."""
    begin_round(rules_at[0], states[0], streams[0])
    go_on(rules_at[0], states[0], streams[0])
    return 0


def make_move(rules_at, states, move, streams):
    """Make a move if it is allowed; returns whether it was."""
    rules, state = rules_at[0], states[0]
    if over(rules, state):
        return 0
    if not allowed(rules, state.table, state.seats[state.table.to_move], move):
        return 0
    apply(rules, state, move, streams[0])
    return 1


def finish_game(rules_at, states, outcomes):
    """Score, rank, and share the win."""
    outcomes[0].checkpoints = 0
    finish_hand_made(rules_at[0], states[0], outcomes[0])
    return 0


def fresh_stream(purpose: int, seed: int = 0) -> Any:
    """An array of one stream that has drawn nothing yet."""
    streams = np.zeros(1, STREAM)
    streams["seed"] = seed
    streams["purpose"] = purpose
    streams["used"] = streams["words"].shape[-1]
    return streams


def pile(cards: Iterable[int]) -> int:
    """Cards, by their values, as the rules hold them."""
    held = Counter(cards)
    return pile_of([held[value] for value in range(1, 9)])


def counts_in(piles: Any) -> Any:
    """Cards of each value 1 to 8 along a new last axis, for any array of piles."""
    shifts = np.arange(0, 64, 8, dtype=np.uint64)
    return ((np.asarray(piles, np.uint64)[..., None] >> shifts) & np.uint64(255)).astype(np.int64)


def rules_of(players: int, options: Mapping[str, object]) -> Any:
    """An array of one rules record."""
    return GAME.rules_for(players, options)


class Position:
    """A table in the middle of a game, laid out card by card.

    Parameters
    ----------
    hands : sequence of cards for each seat
    deck : cards in the order in which they come
    discard : cards on the discard pile
    round_number, starter : int
    **options
        Rules that differ from the printed ones; the deck is what the cards laid out make.
    """

    def __init__(
        self,
        hands: Sequence[Iterable[int]],
        deck: Iterable[int] = (),
        *,
        discard: Iterable[int] = (),
        round_number: int = 1,
        starter: int = 0,
        **options: object,
    ) -> None:
        hands, deck, discard = [list(hand) for hand in hands], list(deck), list(discard)
        hidden_cards = [*chain(*hands), *deck]
        counts = tuple(int(n) for n in counts_in(pile([*hidden_cards, *discard])))
        self.rules = rules_of(len(hands), {"hand": 1, "deck": counts} | options)
        self._states = np.zeros(1, GAME.state)
        self._streams = np.zeros(1, STREAM)
        table = self.state.table
        table.round_number, table.starter = round_number, starter
        table.finale = self.rules[0].finale
        table.deck_cards = len(deck)
        self.state.hidden.deck[: len(deck)] = deck
        table.discard = pile(discard)
        table.unseen = pile(hidden_cards)
        for seat, hand in enumerate(hands):
            table.hand_cards[seat] = len(hand)
            self.state.seats[seat].seat = seat
            self.state.seats[seat].hand = pile(hand)

    @property
    def state(self) -> Any:
        return self._states[0]

    @property
    def table(self) -> Any:
        return self.state.table

    def reveal(self) -> None:
        """Open the round."""
        compiled(open_round, RULES_AT, STATES, STREAMS)(self.rules, self._states, self._streams)

    def may(self, value: int, cards: int) -> bool:
        """Whether the seat to move may play this fan, or take this stack."""
        return bool(self._make(value, cards, self._states.copy()))

    def play(self, seat: int, value: int, cards: int = 1) -> None:
        """Let a seat, which has to be the one to move, play a fan."""
        assert (self.table.phase, self.table.to_move) == (PLAY, seat)
        assert self._make(value, cards, self._states)

    def take(self, seat: int, value: int, cards: int = 1) -> None:
        """Let a seat, which has to be the one to move, take a stack."""
        assert self.table.phase != PLAY
        assert self.table.to_move == seat
        assert self._make(value, cards, self._states)

    def _make(self, value: int, cards: int, states: Any) -> int:
        move = compiled(make_move, RULES_AT, STATES, types.int64, STREAMS)
        return move(self.rules, states, 8 * cards + value - 1, self._streams)

    @property
    def over(self) -> bool:
        return bool(self.table.phase == FINISHED)

    @property
    def stacks(self) -> list[list[int]]:
        """The open stacks, in the order in which they were opened."""
        lying = [value_and_count(stack) for stack in self.table.stacks if stack > 0]
        return [[value] * cards for value, cards in lying]

    @property
    def revealed(self) -> int:
        """Cards taken off the deck."""
        return int(self.state.hidden.next)

    def hand(self, seat: int) -> list[int]:
        """A seat's cards, ascending."""
        return cards_in_pile(self.state.seats[seat].hand)

    @property
    def discard(self) -> list[int]:
        return cards_in_pile(self.table.discard)

    @property
    def medals(self) -> list[list[int]]:
        """Gold, silver and bronze medals of each seat."""
        return self._of_seats(self.table.medals)

    @property
    def points(self) -> list[int]:
        """Points from round medals of each seat."""
        return self._of_seats(self.table.points)

    @property
    def order(self) -> list[int]:
        """Seats in the order in which they choose a stack."""
        return self._of_seats(self.table.order)

    def _of_seats(self, column: Any) -> Any:
        return column[: int(self.rules[0].players)].tolist()

    def finish(self) -> Any:
        """The outcome, were the game over now."""
        outcomes = np.zeros(1, GAME.outcome)
        kernel_of_finish = compiled(finish_game, RULES_AT, STATES, OUTCOMES)
        kernel_of_finish(self.rules, self._states, outcomes)
        return outcomes[0]


def cards_in_pile(held: int) -> list[int]:
    """A pile's cards, ascending."""
    return [value for value, n in enumerate(counts_in(held), 1) for _ in range(n)]


def replayer(words: Sequence[str], options: Mapping[str, object], seed: int = 0) -> Replayer:
    """Plays traced games of some policies, one for each seat."""
    return Replayer(Matchup(GAME, read_policies(GAME, list(words)), options), seed)


def legal_lists(rules_at: Any, rows: Any) -> list[list[int]]:
    """The legal moves of each traced decision's seat, as the engine lists them."""
    counts = np.zeros(len(rows), np.int64)
    moves = np.zeros((len(rows), GAME.max_moves), np.int64)
    engine_of(GAME).list_legal(rules_at, rows, counts, moves)
    return [listed[:n].tolist() for n, listed in zip(counts, moves, strict=True)]


def fits(found: Counter[Any], chances: Mapping[Any, Any], alpha: float) -> bool:
    """Chi-square test of counts against exact chances; what cannot happen never fits."""
    draws = sum(found.values())
    if not set(found) <= set(chances):
        return False
    distances = ((found[thing] - draws * p) ** 2 / (draws * p) for thing, p in chances.items())
    freedom = len(chances) - 1
    return freedom == 0 or float(chdtrc(freedom, float(sum(distances)))) > alpha

"""A game's rules bound to the loop and compiled together."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numba import types

from simlab import loop, probes
from simlab.compiled import bound, kernel, numba_type, record_type, rule
from simlab.contract import MIND, Game, Policy
from simlab.streams import STREAM
from simlab.totals import scratch_fields, totals_type

JOB = record_type(
    [
        ("seed", np.uint64),
        ("luck", np.int64),  # the same deal again with other numbers for the policies
        ("first_deal", np.uint64),
        ("deals", np.int64),
        ("shuffled", np.int64),  # 1: each deal has a random seating
        ("most_decisions", np.int64),  # after which a game counts as stuck
        ("deal", np.uint64),  # from here on: where play stands
        ("rotation", np.int64),
        ("decision", np.int64),
        ("seat", np.int64),
        ("move", np.int64),
    ]
)

RULE_NAMES = (
    "deal",
    "legal",
    "allowed",
    "apply",
    "over",
    "score",
    "progress",
    "imagine",
    "rescope",
)

Notice = Callable[[str], None]
"""Is told in one line when something takes a while."""


def desk_type(game: Game) -> np.dtype[Any]:
    """Dtype of the room in which one thread plays a game."""
    return record_type(
        [
            ("dealt", game.state),
            ("state", game.state),
            ("chance", STREAM),
            ("streams", STREAM, (game.seats,)),
            ("moves", np.int64, (game.max_moves,)),
            *scratch_fields(game),
        ]
    )


def trace_type(game: Game) -> np.dtype[Any]:
    """Dtype of one decision of a traced game; the last row holds the final state."""
    return record_type(
        [
            ("state", game.state),  # before the decision
            ("stream", STREAM),  # of the seat's policy, before the decision
            ("seat", np.int64),  # -1 in the last row
            ("move", np.int64),
        ]
    )


def array_of(dtype: np.dtype[Any]) -> Any:
    """Numba type of a contiguous array of records."""
    return numba_type(dtype)[::1]


class Engine:
    """A game's rules and the loop, compiled together; one for each game (`engine_of`)."""

    def __init__(self, game: Game) -> None:
        self.game = game
        rules = {name: getattr(game, name) for name in RULE_NAMES}
        for text in (loop.note_progress, loop.finish, loop.play_game, loop.play_deal):
            rules[text.__name__] = rule(bound(text, self._name(text), rules))
        self._rules = rules
        self.desk, self.trace = desk_type(game), trace_type(game)

    def _name(self, text: Callable[..., Any]) -> str:
        return f"{text.__name__}_of_{self.game.identity}"

    def bind(self, text: Callable[..., Any], *signature: Any, **more: Any) -> Callable[..., Any]:
        """Compile a text with the game's rules among its globals, and keep the machine code.

        Parameters
        ----------
        text : callable
            Uses the names of the game's rules as if they were globals.
        *signature : numba types
            Of the arguments; what it returns is an int64.
        **more : compiled functions
            Further names that the text uses; they become part of the copy's own name.
        """
        name = "_".join([self._name(text), *(f.__name__ for f in more.values())])
        return kernel(bound(text, name, {**self._rules, **more}), types.int64(*signature))

    @property
    def _lineup_type(self) -> Any:
        return types.UniTuple(self.game.policy_type, self.game.seats)  # type: ignore[no-untyped-call]

    @cached_property
    def play(self) -> Callable[..., int]:
        """`simlab.loop.play_deals` for this game."""
        game = self.game
        return self.bind(
            loop.play_deals,
            array_of(game.rules),
            self._lineup_type,
            array_of(MIND),
            types.int64[:, ::1],
            array_of(JOB),
            array_of(self.desk),
            numba_type(game.outcome)[:, ::1],
            types.int64[:, :, ::1],
            array_of(totals_type(game)),
            types.int64[:, :, :, ::1],
            types.int64[:, :, ::1],
            array_of(self.trace),
        )

    @cached_property
    def decide(self) -> Callable[..., int]:
        """`simlab.probes.decide` for this game."""
        game = self.game
        return self.bind(
            probes.decide,
            array_of(game.rules),
            self._lineup_type,
            types.int64,
            array_of(MIND),
            array_of(self.trace),
            array_of(self.desk),
            types.int64[::1],
        )

    @cached_property
    def redeal(self) -> Callable[..., int]:
        """`simlab.probes.redeal` for this game."""
        records = (self.game.rules, self.trace, self.desk)
        return self.bind(probes.redeal, *(array_of(record) for record in records))

    @cached_property
    def list_legal(self) -> Callable[..., int]:
        """`simlab.probes.list_legal` for this game."""
        records = (array_of(self.game.rules), array_of(self.trace))
        return self.bind(probes.list_legal, *records, types.int64[::1], types.int64[:, ::1])

    def conceal(self, thing: str) -> Callable[..., int]:
        """`simlab.probes.conceal` for one of the things that policies may be blind to."""
        records = (array_of(self.game.rules), array_of(self.trace))
        return self.bind(probes.conceal, *records, types.int64, vary=self.game.blinds[thing])

    @cached_property
    def first_legal(self) -> Policy:
        """A policy that plays the lowest legal move: what the self-test plays with."""
        text = probes.first_legal
        return Policy(
            self.game,
            "first-legal",
            bound(text, self._name(text), self._rules),
            {},
            (),
        )

"""What a game and a policy have to be, so that one loop plays them all.

A game is three records (what everybody sees, what one seat sees, what nobody sees) and a handful
of compiled rules. A policy is a function of what its seat may know, and a row of numbers.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import types

from simlab.compiled import Record, policy_signature, record_type, rule
from simlab.errors import UsageError, in_full, unknown
from simlab.options import Option, Value, read_options
from simlab.streams import STREAM

if TYPE_CHECKING:
    import numpy.typing as npt

NOTES = 8
"""Numbers that a policy may keep from one decision to the next."""
WEIGHTS = 32
"""Most parameters of a policy."""
CHECKPOINTS = 12
"""Checkpoints that an outcome keeps; points after later ones are in the last."""
WHOLE_WIN = 60
"""A win in sixtieths, so that a win shared by up to six seats stays a whole number."""

TABLE_FIELDS: list[tuple[str, Any]] = [
    ("to_move", np.int64),  # seat that decides next, -1 when the game is over
    ("checkpoint", np.int64),  # checkpoints passed: rounds, or full turns of the table
]
"""Fields that the table of every game starts with."""

SEAT_FIELDS: list[tuple[Any, ...]] = [
    ("seat", np.int64),  # where this seat sits; 0 starts
    ("notes", np.int64, (NOTES,)),  # a policy's own memory, the one field that it may write
]
"""Fields that what one seat sees starts with."""

MIND = record_type([("weights", np.float64, (WEIGHTS,))])
"""A policy's row of numbers."""


class Ruling(NamedTuple):
    """A question that the rulebook leaves open, and how it is answered here."""

    question: str
    answer: str
    option: str = ""


class Seen(NamedTuple):
    """An event of the game record, and the seats that saw it (None: everybody)."""

    event: dict[str, Any]
    seats: tuple[int, ...] | None = None


@rule
def keep_table(rules: Record, table: Record) -> None:
    """Change nothing: for games whose tables show no option that only scoring reads."""


@dataclass(frozen=True, eq=False)
class Game:
    """A game, declared: records, rules, options, words. Nothing else is asked of a new game.

    Attributes
    ----------
    name, title, version
        Name on the command line, name on the box, and a number that goes up when the results
        for a seed change (never for speed).
    players : tuple of int
        Fewest and most seats.
    rules, table, seat, hidden : numpy.dtype
        Records made with `record_type`. ``rules`` has a field ``players``; ``table`` starts with
        `TABLE_FIELDS`, ``seat`` with `SEAT_FIELDS`.
    max_moves, max_decisions : int
        Most legal moves of one decision; decisions after which a game counts as stuck.
    options, make_rules
        What may be varied, and a function ``(players, values) -> array of one rules record``
        that raises `UsageError` where values do not fit together.
    deal, legal, allowed, apply, over, score, progress, imagine : compiled rules
        ``deal(rules, state, chance)`` sets up and goes on to the first decision.
        ``legal(rules, table, own, moves) -> n`` writes the legal moves, ascending.
        ``allowed(rules, table, own, move)`` judges one move, quickly.
        ``apply(rules, state, move, chance)`` makes it and goes on to the next decision; a seat
        without a legal move is not asked, the game passes for it.
        ``over(rules, state)`` says whether the game has ended.
        ``score(rules, state, outcome)`` fills the seats' ``points`` and ``standing`` (what ranks
        them: more is better) and the game's own columns.
        ``progress(rules, table, seat)`` is a seat's points at a checkpoint, before any scoring
        at the end.
        ``imagine(rules, table, own, world, rng)`` fills a whole state consistently with what one
        seat knows.
    seat_columns, game_columns : tuple of str
        The game's own columns, a value a seat or a value a game, all whole numbers.
    column_words : dict
        What each of the game's own columns means, in a line; see `columns_in_words`.
    narrate : callable
        ``(rules, before, move, after, outcome) -> list of Seen``, in plain Python on plain
        copies of the records (`simlab.compiled.plain`), like those that follow: what was seen
        to happen because of a move; ``before`` and ``move`` are None for the setup,
        ``outcome`` is None until the game is over.
    tell : callable
        ``(record) -> iterable of (style, line)``: a game record as a story; the styles are
        "heading", "gold", "quiet" and "".
    record_options : callable
        ``(rules, state) -> dict``: options that the record names even at their defaults.
    checkpoints_of : callable
        ``(rules) -> int``: checkpoints that tables show, at most `CHECKPOINTS`.
    figures : callable
        ``(rules) -> list of str``: what follows from the options, for ``simlab rules``.
    name_move : callable
        ``(state, move) -> str``: a move in words, for messages.
    show : callable
        ``(rules, state, seat) -> list of str``: the position as one seat sees it.
    summary, rules_text, rulings
        One line, our own words, and the answers where the rulebook is silent.
    policies : str
        Module that holds the built-in policies, imported when one is asked for.
    blinds : dict
        What a policy may declare itself blind to: a name, and a compiled
        ``(rules, table, choice) -> choices`` that sets the thing to choice number 0, 1, ...
    scoring_only : tuple of str
        Options that only scoring reads, each also one of ``blinds``: where every policy at a
        table is blind to one, its values are compared on the very same games.
    rescope : compiled rule
        ``(rules, table)`` sets on a finished game's table what it shows of those options.
    check_options : dict
        Settings under which ``simlab check`` plays, where the printed rules show too little.
    chunk_games : int
        Games in a chunk of a run folder, as a rule: about as many as take a tenth of a second to
        some seconds, what Ctrl-C may lose and a file is worth.
    """

    name: str
    title: str
    version: int
    players: tuple[int, int]
    rules: np.dtype[Any]
    table: np.dtype[Any]
    seat: np.dtype[Any]
    hidden: np.dtype[Any]
    max_moves: int
    max_decisions: int
    options: tuple[Option, ...]
    make_rules: Callable[[int, Mapping[str, Value]], npt.NDArray[Any]]
    deal: Callable[..., None]
    legal: Callable[..., int]
    allowed: Callable[..., bool]
    apply: Callable[..., None]
    over: Callable[..., bool]
    score: Callable[..., None]
    progress: Callable[..., int]
    imagine: Callable[..., None]
    narrate: Callable[[Record, Record | None, int | None, Record, Record | None], list[Seen]]
    tell: Callable[[Mapping[str, Any]], Iterable[tuple[str, str]]]
    name_move: Callable[[Record, int], str]
    show: Callable[[Record, Record, int], list[str]]
    summary: str
    policies: str
    seat_columns: tuple[str, ...] = ()
    game_columns: tuple[str, ...] = ()
    column_words: Mapping[str, str] = field(default_factory=dict)
    record_options: Callable[[Record, Record], dict[str, Any]] = lambda rules, state: {}
    checkpoints_of: Callable[[Record], int] = lambda rules: CHECKPOINTS
    figures: Callable[[Record], list[str]] = lambda rules: []
    rules_text: str = ""
    rulings: tuple[Ruling, ...] = ()
    blinds: Mapping[str, Callable[..., int]] = field(default_factory=dict)
    check_options: Mapping[str, Value] = field(default_factory=dict)
    scoring_only: tuple[str, ...] = ()
    chunk_games: int = 4096
    rescope: Callable[..., None] = keep_table

    @property
    def seats(self) -> int:
        """Seats that the records have room for."""
        return self.players[1]

    @cached_property
    def state(self) -> np.dtype[Any]:
        """Dtype of a whole state: ``table``, ``seats[P]``, ``hidden``."""
        return record_type(
            [
                ("table", self.table),
                ("seats", self.seat, (self.seats,)),
                ("hidden", self.hidden),
            ]
        )

    @cached_property
    def outcome(self) -> np.dtype[Any]:
        """Dtype of one game's outcome: the columns of the game, then those of each seat.

        Every value is a 64-bit integer, so that a row is also a plain row of numbers.
        """
        seat: list[tuple[Any, ...]] = [(name, np.int64) for name in self.all_seat_columns]
        seat += [("standing", np.int64), ("points_after", np.int64, (CHECKPOINTS,))]
        whole = [(name, np.int64) for name in self.all_game_columns]
        return record_type([*whole, ("seats", record_type(seat), (self.seats,))])

    @property
    def all_seat_columns(self) -> tuple[str, ...]:
        """Columns of an outcome with a value for each seat, in their order in its row."""
        return ("points", *self.seat_columns, "rank", "win_share")

    @property
    def all_game_columns(self) -> tuple[str, ...]:
        """Columns of an outcome with one value a game, in their order in its row."""
        return GAME_COLUMNS + self.game_columns

    @property
    def columns_in_words(self) -> dict[str, tuple[str, str]]:
        """Every column that results may show: one value a "seat" or a "game", and its meaning."""
        words = {**COLUMN_WORDS, **self.column_words}
        seat = [*self.all_seat_columns, "points_k"]
        found = {name: ("seat", words.get(name, "")) for name in seat}
        return found | {name: ("game", words.get(name, "")) for name in self.all_game_columns}

    @property
    def room(self) -> Any:
        """Numba type of the room in which a policy may list its legal moves."""
        return types.NestedArray(types.int64, (self.max_moves,))

    @cached_property
    def policy_type(self) -> Any:
        """The one function type that every policy of this game is a value of."""
        return types.FunctionType(self.policy_signature)

    @cached_property
    def policy_signature(self) -> Any:
        """``int64(rules, table, own, moves, weights, rng)`` for this game's records."""
        weights = types.NestedArray(types.float64, (WEIGHTS,))
        return policy_signature(self.rules, self.table, self.seat, self.room, weights, STREAM)

    @cached_property
    def identity(self) -> str:
        """Name by which compiled code of this game is kept: name, and digest of its own module.

        The cache folder already stands for every source file of the package; the digest is for
        games that live elsewhere, in a file of the user's.
        """
        path = inspect.getsourcefile(self.make_rules)
        source = Path(path).read_bytes() if path else b""
        return f"{self.name}_{hashlib.sha256(source).hexdigest()[:12]}".replace("-", "_")

    def read_options(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Every option's value, defaults filled in; raises `UsageError` for what does not fit."""
        return read_options(self.options, given)

    def check_players(self, players: int) -> None:
        """Raise `UsageError` unless the game seats so many."""
        low, high = self.players
        if not low <= players <= high:
            raise UsageError(f"{self.name} seats {low} to {high} players, got {players}")

    def rules_for(self, players: int, given: Mapping[str, object]) -> npt.NDArray[Any]:
        """The record of rules (an array of one) for a table of so many seats."""
        self.check_players(players)
        return self.make_rules(players, self.read_options(given))


GAME_COLUMNS = (
    "deal",
    "rotation",
    "decisions",
    "checkpoints",
    "lead_changes",
    "winner_worst_place",
)
"""Columns that the loop fills for every game."""

COLUMN_WORDS = {
    "points": "points at the end",
    "rank": "place at the end, 1 for the winner; equals share the better place (1, 1, 3)",
    "win_share": "1 for the winner, 1/k for each of k winners whom no tie-break tells apart",
    "points_k": "points after checkpoint k (a round, or a full turn of the table): points_1, ...",
    "deal": "number of the deal, from 0",
    "rotation": "which of the deal's seatings, from 0",
    "decisions": "moves that were made, by all seats together",
    "checkpoints": "checkpoints that were passed (rounds, or full turns of the table)",
    "lead_changes": "how often another seat, or another group of equals, had most points after a "
    "checkpoint than after the one before",
    "winner_worst_place": "worst place that the winner had after any checkpoint (of several "
    "winners the worst); 1: led from the first to the last",
}
"""What the columns mean that every game has."""


@dataclass(frozen=True, eq=False)
class Policy:
    """A strategy: a compiled text, and the numbers that it plays with.

    Attributes
    ----------
    game : Game
    name : str
        Name on the command line.
    function : callable
        The Python text ``(rules, table, own, moves, weights, rng) -> move``.
    defaults : dict
        Parameters in the order in which ``weights`` holds them.
    values : tuple of float
        The parameters' values.
    blind_to : tuple of str
        What the text never looks at.
    source : pathlib.Path or None
        The user's file it comes from; None if built in.
    told : str
        The idea in words, where it is not the first paragraph of the function's docstring.
    """

    game: Game
    name: str
    function: Callable[..., int]
    defaults: Mapping[str, float]
    values: tuple[float, ...]
    blind_to: tuple[str, ...] = ()
    source: Path | None = None
    told: str = ""

    @property
    def text(self) -> str:
        """The policy as the command line takes it; parameters at their defaults are left out."""
        pairs = zip(self.defaults.items(), self.values, strict=True)
        shown = [f"{key}={in_full(value)}" for (key, default), value in pairs if value != default]
        stem = f"{self.source.name}::{self.name}" if self.source else self.name
        return stem + (":" + ",".join(shown) if shown else "")

    @property
    def word(self) -> str:
        """The policy as the command line takes it from anywhere: files by their whole path."""
        return str(self.source.parent / self.text) if self.source else self.text

    @property
    def idea(self) -> str:
        """The idea as a player would say it: by default the docstring's first paragraph."""
        return self.told or self._paragraphs[0]

    @property
    def details(self) -> str:
        """The paragraphs that follow: what each parameter does, where the idea comes from."""
        return "\n\n".join(self._paragraphs[0 if self.told else 1 :])

    @property
    def _paragraphs(self) -> list[str]:
        text = inspect.getdoc(self.function) or ""
        return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]

    def __call__(self, *args: Any) -> int:
        """Play from plain Python, as the interpreter reads the text."""
        return self.function(*args)


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\Z")


def policy(
    game: Game, *, name: str | None = None, blind_to: Iterable[str] = (), **parameters: float
) -> Callable[[Callable[..., int]], Policy]:
    """Declare a function to be a policy of a game.

    Parameters
    ----------
    game : Game
        The game it plays.
    name : str, optional
        Name on the command line; by default the function's, with ``-`` for ``_``.
    blind_to : iterable of str
        What the function never looks at (`Game.blinds`); ``simlab check`` verifies it.
    **parameters : float
        Names and defaults of its numbers, in the order in which ``weights`` holds them.

    Returns
    -------
    callable
        A decorator that turns ``(rules, table, own, moves, weights, rng) -> move`` into a
        `Policy`.

    Raises
    ------
    UsageError
        If a name, a parameter or a blindness is not one; if there is no game.
    """
    if not isinstance(game, Game):
        name = getattr(game, "__name__", repr(game))
        raise UsageError(f"@policy needs the game that {name} plays: write @policy(GAME)")

    def declare(function: Callable[..., int]) -> Policy:
        label = name or function.__name__.replace("_", "-")
        if not NAME.match(label):
            raise UsageError(f"a policy's name is letters, digits and . _ -, got {label!r}")
        if len(parameters) > WEIGHTS:
            raise UsageError(f"{label} has {len(parameters)} parameters, at most {WEIGHTS} fit")
        blind: Sequence[str] = [blind_to] if isinstance(blind_to, str) else list(blind_to)
        for thing in blind:
            if thing not in game.blinds:
                known = ", ".join(game.blinds) or "nothing"
                raise UsageError(f"{label} is blind to {thing!r}; {game.name} knows {known}")
        values = tuple(float(value) for value in parameters.values())
        return Policy(game, label, function, dict(parameters), values, tuple(blind))

    return declare


def variant(base: Policy, name: str, idea: str, **parameters: float) -> Policy:
    """Declare a strategy that is another one with other numbers; nothing more is compiled for it.

    Parameters
    ----------
    base : Policy
        Whose text it plays by; its docstring explains the numbers.
    name : str
        Name on the command line.
    idea : str
        What such a player is after, in a sentence.
    **parameters : float
        The numbers that differ from the base's.

    Raises
    ------
    UsageError
        If the base has no such parameter, or the name is not one.
    """
    if not NAME.match(name):
        raise UsageError(f"a policy's name is letters, digits and . _ -, got {name!r}")
    for key in parameters:
        if key not in base.defaults:
            raise unknown(f"parameter of {base.name}", key, base.defaults)
    defaults = {**base.defaults, **parameters}
    values = tuple(float(value) for value in defaults.values())
    return replace(base, name=name, defaults=defaults, values=values, told=idea)

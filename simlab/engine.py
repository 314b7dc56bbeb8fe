"""Compiled play: a game's rules bound to the loop, policies as values, batches of deals.

This is the only place that knows how the loop, the compiler and its cache fit together.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache as cache_once
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from simlab import cache, loop, probes
from simlab.compiled import INTERPRETED, bound, kernel, numba_type, plain, record_type, rule
from simlab.contract import MIND, Game, Policy
from simlab.errors import PolicyError, SimlabError, UsageError
from simlab.streams import STREAM
from simlab.totals import scratch_fields, seat_width, totals_type

if TYPE_CHECKING:
    import numpy.typing as npt

    Table = npt.NDArray[Any]

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
        for text in (loop.note_progress, loop.finish, loop.play_game):
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


def warm_up(game: Game, notice: Notice | None = None) -> Engine:
    """Compile everything that a game ever needs, so that no later process waits."""
    from simlab.policies import built_in

    engine = engine_of(game, notice)
    with cache.warm_up_lock():
        for policy in built_in(game).values():
            compiled_policy(policy)
        engine.decide, engine.redeal, engine.list_legal  # noqa: B018 - compiled when first read
        for thing in game.blinds:
            engine.conceal(thing)
    return engine


_ENGINES: dict[int, Engine] = {}
_COMPILED: dict[Callable[..., int], Callable[..., int]] = {}


def engine_of(game: Game, notice: Notice | None = None) -> Engine:
    """The game's engine, ready to play.

    The first process on a machine compiles it, under a lock, while others wait; later ones find
    the machine code on disk. A marker keeps the digest of a few games played by fresh code; code
    from disk that plays them differently, or that cannot be read, is thrown away.

    Parameters
    ----------
    game : Game
    notice : callable, optional
        Is told when compiling begins.
    """
    if id(game) in _ENGINES:
        return _ENGINES[id(game)]
    if INTERPRETED:
        return _ENGINES.setdefault(id(game), Engine(game))
    marker = cache.folder() / f"ready-{game.identity}-{_rules_digest(game)}.json"
    with cache.warm_up_lock():
        if not marker.exists() and notice is not None:
            notice(f"compiling {game.name} for this machine, once (some 15 seconds) ...")
        engine = _sound_engine(game, marker)
    _ENGINES[id(game)] = engine
    return engine


def _sound_engine(game: Game, marker: Path) -> Engine:
    """An engine whose self-test agrees with the marker, compiled afresh if need be."""
    for attempt in range(2):
        engine = Engine(game)
        try:
            digest = _self_test(engine)
            if not marker.exists():
                _write_marker(marker, {"self_test": digest})
                cache.sweep()
                return engine
            if json.loads(marker.read_text(encoding="utf-8")).get("self_test") == digest:
                return engine
        except (OSError, EOFError, ValueError, AttributeError, ImportError) as error:
            if attempt:
                raise SimlabError(f"{game.name} cannot be compiled: {error}") from error
        except Exception as error:  # what unpickling a damaged file raises has no common class
            if attempt or "pickl" not in type(error).__name__.lower():
                raise
        cache.empty()
        _COMPILED.clear()
    warnings.warn(
        f"compiled code in {cache.folder()} does not repeat its self-test; it is compiled anew",
        cache.CacheWarning,
        stacklevel=3,
    )
    marker.unlink(missing_ok=True)
    return engine


def _rules_digest(game: Game) -> str:
    """Digest of the printed rules: lists of cards change what code plays, not the code."""
    low, high = game.players
    rules = [game.rules_for(players, {}).tobytes() for players in range(low, high + 1)]
    return hashlib.sha256(b"".join(rules)).hexdigest()[:12]


def _self_test(engine: Engine) -> str:
    """Digest of a few games, played at every size of table."""
    game, digest = engine.game, hashlib.sha256()
    for players in range(game.players[0], game.players[1] + 1):
        matchup = Matchup(game, [engine.first_legal] * players, {})
        outcomes = np.zeros(4, game.outcome)
        Room(matchup, np.zeros((1, players), np.int64), engine=engine).play(0, 4, outcomes)
        digest.update(outcomes.tobytes())
    return digest.hexdigest()


def _write_marker(marker: Path, content: Mapping[str, str]) -> None:
    waiting = marker.with_suffix(f".{os.getpid()}")
    waiting.write_text(json.dumps(content), encoding="utf-8")
    os.replace(waiting, marker)


def compiled_policy(policy: Policy) -> Callable[..., int]:
    """The policy's text as a value of its game's function type; other numbers, same code.

    Raises
    ------
    PolicyError
        If the text does not compile, or does not return a whole number.
    """
    function = policy.function
    if function not in _COMPILED:
        _COMPILED[function] = _compile(policy)
    return _COMPILED[function]


def _compile(policy: Policy) -> Callable[..., int]:
    signature = policy.game.policy_signature
    if INTERPRETED:
        return policy.function
    if policy.source is None:
        return kernel(policy.function, signature)
    # A user's text is compiled for its arguments only, which tells what it returns: the full
    # signature would cut a float to a whole number without a word. It is never cached: it may
    # be edited between two runs, and compiles in a tenth of a second.
    try:
        made: Any = kernel(policy.function, signature.args, keep=False)
        found = made.nopython_signatures[0].return_type
        if not isinstance(found, types.Integer):
            raise PolicyError(
                f"{policy.text} returns {_kind(found)}; a policy returns the number of a move"
            )
        if found != types.int64:
            made = kernel(policy.function, signature, keep=False)
    except PolicyError:
        raise
    except Exception as error:  # besides its own errors Numba lets some of its inner ones out
        raise PolicyError(f"{policy.text} does not compile: {reason(error)}") from error
    return made  # type: ignore[no-any-return]


def _kind(found: Any) -> str:
    if isinstance(found, types.Optional) or found == types.none:
        return "nothing on some path"
    if isinstance(found, types.Float):
        return "a float"
    return f"a {found}"


def reason(error: Exception) -> str:
    """The line of a compiler's message that says what is wrong, and where."""
    if isinstance(error, KeyError):
        return f"there is no field {error}"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    dull = ("Failed in", "During:", "- Resolution", "There are", "Overload of", "raised from")
    telling = [line for line in lines if not line.startswith(dull)]
    place = [line for line in lines if line.startswith("File ")]
    first = telling[0] if telling else type(error).__name__
    for line in telling:
        if "Field" in line or "NameError" in line or "not found" in line or "Unknown" in line:
            first = line
            break
    where = place[-1].removesuffix(":").replace("File ", "") if place else ""
    return first + (f" ({where})" if where else "")


@dataclass(frozen=True)
class Matchup:
    """Policies at the seats of one table, under one set of rules.

    Attributes
    ----------
    game : Game
    policies : sequence of Policy
        One for each seat, in seat order.
    options : mapping
        Settings that differ from the printed rules.
    """

    game: Game
    policies: Sequence[Policy]
    options: Mapping[str, object]

    @cached_property
    def rules(self) -> Table:
        """The rules record, in an array of one."""
        return self.game.rules_for(len(self.policies), self.options)

    @cached_property
    def lineup(self) -> tuple[Policy, ...]:
        """The distinct policies, in order of first appearance: equal words, equal policy."""
        return tuple(
            {policy.text: policy for policy in reversed(self.policies)}[text] for text in self.texts
        )

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The distinct policies' words, in order of first appearance."""
        return tuple(dict.fromkeys(policy.text for policy in self.policies))

    @cached_property
    def seating(self) -> tuple[int, ...]:
        """Place in the line-up of the policy at each seat, as given."""
        return tuple(self.texts.index(policy.text) for policy in self.policies)

    @cached_property
    def minds(self) -> Table:
        """Parameters of each policy of the line-up."""
        minds = np.zeros(len(self.lineup), MIND)
        for mind, policy in zip(minds, self.lineup, strict=True):
            mind["weights"][: len(policy.values)] = policy.values
        return minds

    def compiled(self) -> tuple[Callable[..., int], ...]:
        """The line-up as function values, padded to the most seats of the game."""
        functions = [compiled_policy(policy) for policy in self.lineup]
        return tuple(functions + functions[:1] * (self.game.seats - len(functions)))


class Room:
    """Where one thread plays: its own states and streams, nothing shared.

    Parameters
    ----------
    matchup : Matchup
    seatings : numpy.ndarray of int64, shape (rotations, players)
        Place in the line-up of the policy that holds each seat, for each game of a deal.
    seed, luck : int
    shuffled : bool
        Whether the only seating is put in random order for each deal.
    rules : numpy.ndarray of rules records, optional
        By default the matchup's own; more than one if the same games are scored again by rules
        that differ in what only scoring reads.
    engine : Engine, optional
        Given only while an engine tests itself.
    """

    def __init__(
        self,
        matchup: Matchup,
        seatings: Table,
        seed: int = 0,
        luck: int = 0,
        *,
        shuffled: bool = False,
        rules: Table | None = None,
        engine: Engine | None = None,
    ) -> None:
        game = matchup.game
        self.matchup = matchup
        self.rules = matchup.rules if rules is None else rules
        self.rotations = len(seatings)
        rows = np.concatenate([seatings, seatings]) if shuffled else seatings
        self.seatings = np.array(rows, dtype=np.int64, order="C")
        self._engine = engine or engine_of(game)
        self._policies = matchup.compiled()
        self._job = np.zeros(1, JOB)
        self._job[0]["seed"] = seed
        self._job[0]["luck"] = luck
        self._job[0]["shuffled"] = shuffled
        self._job[0]["most_decisions"] = game.max_decisions
        self._desks = np.zeros(1, self._engine.desk)
        self._one_deal = np.zeros((len(self.rules), self.rotations), game.outcome)
        self._no_totals = np.zeros(0, totals_type(game))
        self._no_trace = np.zeros(0, self._engine.trace)
        self._no_sums = self.new_sums(0)

    def new_sums(self, deals: int) -> tuple[Table, Table]:
        """Arrays for the sums of single deals, by policy and by game; see `play`."""
        game, rules = self.matchup.game, len(self.rules)
        by_policy = np.zeros((rules, deals, game.seats, seat_width(game)), np.int64)
        return by_policy, np.zeros((rules, deals, len(game.all_game_columns)), np.int64)

    def play(
        self,
        first_deal: int,
        deals: int,
        outcomes: Table | None = None,
        totals: Table | None = None,
        trace: Table | None = None,
        sums: tuple[Table, Table] | None = None,
    ) -> None:
        """Play all seatings of some deals, one after another.

        Parameters
        ----------
        first_deal, deals : int
        outcomes : numpy.ndarray of ``game.outcome``, optional
            Filled with a row for each game, shape (games,) or (rules, games); by default no
            outcome is kept.
        totals : numpy.ndarray of records of totals, one for each rules record, optional
            Added to.
        trace : numpy.ndarray of trace records, optional
            Filled with the decisions of the last game.
        sums : pair of numpy.ndarray, optional
            From `new_sums`, filled with each deal's sums; needs ``totals``.

        Raises
        ------
        PolicyError
            If a policy makes a move that is not allowed, raises, or never lets the game end.
        """
        job = self._job[0]
        job["first_deal"] = first_deal
        job["deals"] = deals
        rows = self._one_deal if outcomes is None else np.atleast_2d(outcomes)
        try:
            code = self._engine.play(
                self.rules,
                self._policies,
                self.matchup.minds,
                self.seatings,
                self._job,
                self._desks,
                rows,
                rows.view(np.int64).reshape(*rows.shape, -1),
                self._no_totals if totals is None else totals,
                *(self._no_sums if sums is None else sums),
                self._no_trace if trace is None else trace,
            )
        except Exception as error:
            said = f"raised {type(error).__name__}: {error}".rstrip(": ")
            raise PolicyError(self._blame(said)) from error
        if code == loop.ILLEGAL:
            raise PolicyError(self._blame(self._illegal_move()))
        if code == loop.TOO_LONG:
            limit = int(job["most_decisions"])
            raise PolicyError(self._blame(f"and its table did not end within {limit} decisions"))

    def _illegal_move(self) -> str:
        move = int(self._job[0]["move"])
        state = plain(self._desks[0]["state"])
        words = self.matchup.game.name_move(state, move) if 0 <= move < 2**31 else f"move {move}"
        return f"made a move that is not legal: {words}"

    def _blame(self, what: str) -> str:
        job = self._job[0]
        seating = self.seatings[int(job["rotation"])]
        policies = [self.matchup.lineup[who] for who in seating]
        seat = int(job["seat"])
        line = replay_line(
            self.matchup.game,
            policies,
            self.matchup.options,
            int(job["seed"]),
            int(job["deal"]),
            int(job["luck"]),
        )
        place = f"in seat {seat}, deal {int(job['deal'])}, decision {int(job['decision'])}"
        return f"{policies[seat].text} {what} ({place}); see: {line}"


def shuffled_seatings(seed: int, deals: Table, lineup: Table) -> Table:
    """The random seating of each deal, as the loop draws it.

    Parameters
    ----------
    seed : int
    deals : numpy.ndarray of int64
        Numbers of the deals.
    lineup : numpy.ndarray of int64, shape (players,)
        The seating that is put in random order.

    Returns
    -------
    numpy.ndarray of int64, shape (deals, players)
    """
    jobs, streams = np.zeros(1, JOB), np.zeros(1, SHUFFLER)
    jobs[0]["seed"] = seed
    seatings = np.array([lineup, lineup], dtype=np.int64)
    found = np.zeros((len(deals), len(lineup)), np.int64)
    numbers = np.ascontiguousarray(deals, dtype=np.int64)
    _shuffle_many()(jobs, streams, numbers, seatings, found)
    return found


SHUFFLER = record_type([("chance", STREAM)])


@cache_once
def _shuffle_many() -> Callable[..., int]:
    signature = types.int64(
        array_of(JOB),
        array_of(SHUFFLER),
        types.int64[::1],
        types.int64[:, ::1],
        types.int64[:, ::1],
    )
    return kernel(loop.shuffle_many, signature)


def replay_line(
    game: Game,
    policies: Sequence[Policy],
    options: Mapping[str, object],
    seed: int,
    deal: int,
    luck: int = 0,
) -> str:
    """The command that shows one game again."""
    import shlex

    words = ["simlab", "replay", game.name]
    words += [policy.word for policy in policies]
    known = {option.key: option for option in game.options}
    for key, value in options.items():
        option = known[key]
        words += ["--set", f"{key}={option.text(option.read(value))}"]
    words += ["--seed", str(seed), "--deal", str(deal)]
    if luck:
        words += ["--luck", str(luck)]
    return shlex.join(words)


def check_seed(seed: int) -> int:
    """Raise `UsageError` unless a seed fits into 64 bits."""
    if not 0 <= seed < 2**64:
        raise UsageError(f"seed goes from 0 to {2**64 - 1} (64 bits), got {seed}")
    return seed

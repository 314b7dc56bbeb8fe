"""The room in which one thread plays: policies at the seats of a table, deal by deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache as cache_once
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from simlab import loop
from simlab.compiled import kernel, plain, record_type
from simlab.contract import MIND, Game, Policy
from simlab.engine.bound import JOB, Engine, array_of
from simlab.engine.compiling import compiled_policy
from simlab.errors import PolicyError, UsageError
from simlab.streams import STREAM
from simlab.totals import seat_width, totals_type

if TYPE_CHECKING:
    import numpy.typing as npt

    Table = npt.NDArray[Any]


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
        from simlab.engine.readiness import engine_of  # whose self-test plays in a room, too

        game = matchup.game
        self.matchup = matchup
        self.rules = matchup.rules if rules is None else rules
        self.rotations = len(seatings)
        self._block = max(1, loop.BLOCK // self.rotations)
        rows = np.repeat(seatings, self._block + 1, axis=0) if shuffled else seatings
        self.seatings = np.array(rows, dtype=np.int64, order="C")
        self._engine = engine or engine_of(game)
        self._policies = matchup.compiled()
        self._job = np.zeros(1, JOB)
        self._job[0]["seed"] = seed
        self._job[0]["luck"] = luck
        self._job[0]["shuffled"] = shuffled
        self._job[0]["most_decisions"] = game.max_decisions
        self._desks = np.zeros(1, self._engine.desk)
        self._one_block = np.zeros((len(self.rules), self._block * self.rotations), game.outcome)
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
            outcome is kept. More rows than games stay as they are.
        totals : numpy.ndarray of records of totals, one for each rules record, optional
            Added to; they have to be of a room with as many rotations.
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
        rows = self._one_block if outcomes is None else np.atleast_2d(outcomes)
        if outcomes is not None and rows.shape[1] < deals * self.rotations:
            raise ValueError(f"{deals * self.rotations} games do not fit into {rows.shape[1]} rows")
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
        row = int(job["rotation"])
        if job["shuffled"]:
            row = (int(job["deal"]) - int(job["first_deal"])) % self._block
        policies = [self.matchup.lineup[who] for who in self.seatings[row]]
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

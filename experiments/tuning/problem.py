"""What is tuned, against whom, and how many games it may cost; validated once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from simlab.contract import Game, Policy
from simlab.errors import UsageError, unknown
from simlab.experiments.plans import TABLE_DEALS, Chunk, Plan, Series
from simlab.experiments.study import Study, read_games, sources_of
from simlab.games import game_named
from simlab.policies import read_policy

DEFAULT_GAMES = 2_000_000
DEFAULT_JUDGED = 200_000
EACH = 2_000
"""Games of a candidate in the first generation, about; four times as many in the last, since
near the end the candidates differ less than at the beginning."""
GROWTH = 2.5
"""Games of a candidate in the mean over generations, in those of the first."""
MOST_GENERATIONS = 200
"""More games than these take go to the candidates: sharper eyes see more than more looks."""
LEAST_GAMES = 64
"""Of a candidate against a field that the mix seldom sends."""
FIRST_TABLE = 8192
"""Place, among tables of a series, whose deals a search takes; a tournament has fewer tables, so
that what exploits its verdict meets deals that it never saw."""
DIGITS = 4
"""Significant digits of a tuned number: what is judged is what is printed."""


@dataclass(frozen=True)
class Field:
    """Opponents in the other seats, and how much they count."""

    words: tuple[str, ...]
    weight: float = 1.0


@dataclass(frozen=True)
class Problem:
    """A policy whose parameters are tuned, and the fields it is tuned against.

    Make one with `Problem.of`, which validates.

    Attributes
    ----------
    policy : Policy
        As it stands now: what it is compared with.
    keys : tuple of str
        Its parameters that are tuned.
    fields : tuple of Field
    games, judged : int
        Games of the search; games of each side of the final judgement, and of each parameter's.
    exploits : bool
        Whether the fields are what a tournament's equilibrium sends.
    """

    base: Study = field(repr=False)
    policy: Policy
    keys: tuple[str, ...]
    fields: tuple[Field, ...]
    games: int
    judged: int
    exploits: bool = False

    @classmethod
    def of(
        cls,
        game: str | Game,
        policy: str,
        fields: Sequence[Field],
        *,
        params: Sequence[str] = (),
        games: object = DEFAULT_GAMES,
        judged: object = DEFAULT_JUDGED,
        options: Mapping[str, object] | None = None,
        seating: str = "rotate",
        seed: int = 0,
        exploits: bool = False,
    ) -> Problem:
        """Read and check the parts.

        Parameters
        ----------
        game, policy
            As on the command line; the policy as it stands is where the search begins.
        fields : sequence of Field
        params : sequence of str
            Parameters to tune; by default all.
        games, judged, exploits
            See the attributes.
        options, seating, seed
            As for `Study.of`.

        Raises
        ------
        UsageError
            If a part does not exist or does not fit the others.
        """
        found = game if isinstance(game, Game) else game_named(game)
        tuned = read_policy(found, policy)
        keys = _keys(tuned, params)
        if not fields:
            raise UsageError("a policy is tuned against somebody: --against LINE-UP")
        sizes = {len(one.words) for one in fields}
        if len(sizes) > 1:
            raise UsageError(f"fields of one size are needed, got {sorted(sizes)} opponents")
        words = [tuned.word, *fields[0].words]
        more: dict[str, Any] = {"options": options, "seating": seating, "seed": seed}
        base = Study.of(game, words, games=EACH, **more)
        counts = _games(games, "games"), _games(judged, "judged")
        made = cls(base, tuned, keys, tuple(fields), *counts, exploits)
        least = made.candidates * EACH
        if made.games < least:
            raise UsageError(
                f"tuning {len(keys)} parameters takes {least:,} games or more, got {made.games:,}"
            )
        return made

    @property
    def judgement_games(self) -> int:
        """Games of the judgement: both policies, and what was found without each parameter."""
        return self.judged * (2 + len(self.keys))

    @property
    def candidates(self) -> int:
        """Candidates of a generation: what Hansen recommends for so many parameters."""
        return 4 + math.floor(3 * math.log(len(self.keys)))

    @cached_property
    def generations(self) -> int:
        """Generations that the games allow, if their candidates play from one to four `EACH`."""
        wanted = round(self.games / (GROWTH * EACH * self.candidates))
        return min(max(wanted, 1), MOST_GENERATIONS)

    @property
    def each(self) -> int:
        """Games of a candidate in the first generation: so many that all add up to the games."""
        mean = GROWTH if self.generations > 1 else 1.0
        return round(self.games / (mean * self.generations * self.candidates))

    def games_in(self, generation: int) -> int:
        """Games of each candidate in a generation."""
        return round(self.each * (1 + 3 * generation / max(1, self.generations - 1)))

    def first_deal(self, generation: int) -> int:
        """Engine's number of the first deal of a generation: beyond those of all before it."""
        before = sum(self.games_in(n) + LEAST_GAMES for n in range(generation))
        return FIRST_TABLE * TABLE_DEALS + before

    @property
    def start(self) -> list[float]:
        """The tuned parameters as they stand."""
        values = dict(zip(self.policy.defaults, self.policy.values, strict=True))
        return [values[key] for key in self.keys]

    @property
    def scales(self) -> list[float]:
        """How far the search steps at first: half of each parameter, a quarter where it is 0."""
        return [max(abs(value) / 2, 0.25) for value in self.start]

    def word(self, values: Sequence[float]) -> str:
        """The policy with these parameters, as the command line takes it."""
        now = dict(zip(self.policy.defaults, self.policy.values, strict=True))
        now |= dict(zip(self.keys, values, strict=True))
        return replace(self.policy, values=tuple(now.values())).word

    def studies(self, values: Sequence[float], games: int) -> list[Study]:
        """These parameters against each field, the games shared out by weight."""
        word, base = self.word(values), self.base
        more: dict[str, Any] = {"seating": base.seating, "seed": base.seed}
        return [
            Study.of(
                base.game,
                [word, *one.words],
                options=base.matchup.options,
                games=max(LEAST_GAMES, round(games * one.weight)),
                **more,
            )
            for one in self.fields
        ]

    def record(self) -> dict[str, Any]:
        """The problem as plain values, every default written out."""
        kept = self.base.record()
        for key in ("deals", "chunk", "precision", "save_games", "parameters"):
            del kept[key]
        return {
            **kept,
            "precision": None,
            "policy": self.policy.text,
            "params": list(self.keys),
            "start": self.start,
            "fields": [{"words": list(one.words), "weight": one.weight} for one in self.fields],
            "games": self.games,
            "judged": self.judged,
            "candidates": self.candidates,
            "generations": self.generations,
            "exploits": self.exploits,
        }


def of_record(record: Mapping[str, Any], word: str, game_word: str) -> Problem:
    """The problem that `Problem.record` wrote."""
    fields = [Field(tuple(one["words"]), one["weight"]) for one in record["fields"]]
    keys = ("games", "judged", "options", "seating", "seed", "params", "exploits")
    return Problem.of(game_word, word, fields, **{key: record[key] for key in keys})


def _keys(policy: Policy, params: Sequence[str]) -> tuple[str, ...]:
    """The parameters that are tuned, in the policy's order."""
    if not policy.defaults:
        raise UsageError(f"{policy.name} has no parameters to tune")
    for key in params:
        if key not in policy.defaults:
            raise unknown(f"parameter of {policy.name}", key, policy.defaults)
    return tuple(key for key in policy.defaults if not params or key in params)


def _games(games: object, what: str) -> int:
    number = read_games(games, what)
    if number >= TABLE_DEALS:
        raise UsageError(f"{what} of a search are less than {TABLE_DEALS:,}, got {number:,}")
    return number


@dataclass(frozen=True)
class Trial(Series):
    """Candidates that meet the same deals, which no other generation meets."""

    from_deal: int = 0

    def first_deal(self, study: int) -> int:
        """Every candidate begins at the same deal."""
        return self.from_deal


@dataclass(frozen=True)
class Judgement(Series):
    """Policies on deals of their own that no search has seen."""

    def first_deal(self, study: int) -> int:
        """Beyond all deals of the search."""
        return (FIRST_TABLE + 1 + study) * TABLE_DEALS


@dataclass(frozen=True)
class Search(Plan):
    """What a run folder keeps of a problem: a chunk for each generation, then the judgement."""

    problem: Problem | None = None

    @property
    def games(self) -> int:
        """Games of the search and of the judgement, about."""
        assert self.problem is not None
        return self.problem.games + self.problem.judgement_games

    def chunks(self, *, kept: bool = True) -> list[Chunk]:
        """One for each generation, one for the judgement."""
        assert self.problem is not None
        return [Chunk(n, n, n + 1) for n in range(self.problem.generations + 1)]

    def record(self) -> dict[str, Any]:
        """The problem and its words."""
        assert self.problem is not None
        return {
            "kind": "tuning",
            "studies": [self.problem.record()],
            "words": [[self.problem.policy.word]],
        }

    def identity(self) -> dict[str, Any]:
        """Everything that the results depend on."""
        assert self.problem is not None
        words = {word for one in self.problem.fields for word in one.words}
        policies = [self.problem.policy]
        policies += [read_policy(self.problem.base.game, word) for word in sorted(words)]
        sources = sources_of(self.problem.base.game, policies)
        return {"tuning": self.problem.record(), "sources": sources}

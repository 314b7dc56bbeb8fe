"""What is tuned, against whom, and how many games it may cost; validated once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

from simlab.contract import Game, Policy
from simlab.errors import UsageError, unknown
from simlab.experiments.batches import TABLE_DEALS, Chunk, Plan, Series
from simlab.experiments.study import Study, read_games, sources_of
from simlab.games import game_named
from simlab.options import DRAWN
from simlab.policies import read_policy, repeated

DEFAULT_GAMES = 2_000_000
DEFAULT_JUDGED = 200_000
EACH = 2_000
"""Games of a candidate in the first generation; four times as many in the last, since near the
end the candidates differ less than at the beginning."""
LEAST_WEIGHT = 0.002
"""A field that a mix meets more seldom is left out."""
DIGITS = 4
"""Significant digits of a tuned number: what is judged is what is printed."""


@dataclass(frozen=True)
class Field:
    """Opponents in the other seats, and how much they count."""

    words: tuple[str, ...]
    weight: float = 1.0


def mix_of_fields(mix: Mapping[str, float], opponents: int) -> tuple[Field, ...]:
    """Every field that a mix of policies can send, weighted by how often it does.

    Parameters
    ----------
    mix : mapping
        Policies to their chances, as each other seat is drawn.
    opponents : int

    Raises
    ------
    UsageError
        If nothing is in the mix.
    """
    names = [name for name, chance in mix.items() if chance > 0]
    if not names:
        raise UsageError("the mix has no policy in it; play a tournament first")
    fields = []
    for words in combinations_with_replacement(names, opponents):
        times = [words.count(name) for name in names]
        orders = math.factorial(opponents) / math.prod(math.factorial(n) for n in times)
        chance = math.prod(mix[name] ** n for name, n in zip(names, times, strict=True))
        fields.append(Field(words, orders * chance))
    kept = [one for one in fields if one.weight >= LEAST_WEIGHT]
    whole = sum(one.weight for one in kept)
    return tuple(Field(one.words, one.weight / whole) for one in kept)


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
    """

    base: Study = field(repr=False)
    policy: Policy
    keys: tuple[str, ...]
    fields: tuple[Field, ...]
    games: int
    judged: int

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
        sides: str | None = None,
        seating: str = "rotate",
        seed: int = 0,
    ) -> Problem:
        """Read and check the parts.

        Parameters
        ----------
        game, policy
            As on the command line; the policy as it stands is where the search begins.
        fields : sequence of Field
        params : sequence of str
            Parameters to tune; by default all.
        games, judged
            See the attributes.
        options, seating, seed
            As for `Study.of`.
        sides : str, optional
            "all" draws the fan side (or what else scoring alone reads) anew for each deal.

        Raises
        ------
        UsageError
            If a part does not exist or does not fit the others.
        """
        found = game if isinstance(game, Game) else game_named(game)
        tuned = read_policy(found, policy)
        if not tuned.defaults:
            raise UsageError(f"{tuned.name} has no parameters to tune")
        for key in params:
            if key not in tuned.defaults:
                raise unknown(f"parameter of {tuned.name}", key, tuned.defaults)
        keys = tuple(key for key in tuned.defaults if not params or key in params)
        if not fields:
            raise UsageError("a policy is tuned against somebody: --against LINE-UP")
        seats = {len(repeated(list(one.words))) for one in fields}
        if len(seats) > 1:
            raise UsageError(f"fields of one size are needed, got {sorted(seats)} opponents")
        rules = {**(options or {}), **_sides(found, sides)}
        words = [tuned.word, *fields[0].words]
        more: dict[str, Any] = {"options": rules, "seating": seating, "seed": seed}
        base = Study.of(game, words, games=EACH, **more)
        made = cls(
            base, tuned, keys, tuple(fields), read_games(games), read_games(judged, "judged")
        )
        if made.generations < 1:
            least = made.candidates * EACH
            raise UsageError(
                f"tuning {len(keys)} parameters takes {least:,} games or more, got {made.games:,}"
            )
        return made

    @property
    def candidates(self) -> int:
        """Candidates of a generation: what Hansen recommends for so many parameters."""
        return 4 + math.floor(3 * math.log(len(self.keys)))

    @cached_property
    def generations(self) -> int:
        """Generations that the games allow; they grow from one to four times `EACH`."""
        return round(self.games / (2.5 * EACH * self.candidates))

    def games_in(self, generation: int) -> int:
        """Games of each candidate in a generation."""
        return round(EACH * (1 + 3 * generation / max(1, self.generations - 1)))

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
                games=max(64, round(games * one.weight)),
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
        }


def of_record(record: Mapping[str, Any], word: str, game_word: str) -> Problem:
    """The problem that `Problem.record` wrote."""
    fields = [Field(tuple(one["words"]), one["weight"]) for one in record["fields"]]
    keys = ("games", "judged", "options", "seating", "seed", "params")
    return Problem.of(game_word, word, fields, **{key: record[key] for key in keys})


def _sides(game: Game, sides: str | None) -> dict[str, object]:
    """The option for which each deal draws a value."""
    if sides is None:
        return {}
    if sides != "all":
        raise UsageError(f"--sides is all (or --set an option), got {sides!r}")
    drawn = [option.key for option in game.options if DRAWN in str(option.choices)]
    if not drawn:
        raise UsageError(f"{game.name} has no rule that is drawn for each deal")
    return dict.fromkeys(drawn, DRAWN)


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
        return (1 + study) * TABLE_DEALS


@dataclass(frozen=True)
class Search(Plan):
    """What a run folder keeps of a problem: a chunk for each generation, then the judgement."""

    problem: Problem | None = None

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

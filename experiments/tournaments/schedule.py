"""A tournament as it is to be played: who, at which tables, how often; validated once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from simlab.contract import Game, Policy
from simlab.errors import UsageError, unknown
from simlab.experiments.plans import TABLE_DEALS, Series
from simlab.experiments.study import Study, read_games, source_digest
from simlab.experiments.tournaments.design import (
    BALANCED,
    Design,
    choose,
    every_table,
    mixes_among,
)
from simlab.experiments.tournaments.design import of_record as design_of
from simlab.games import game_named
from simlab.policies import built_in, read_policy, repeated

DEFAULT_GAMES = 10_000
FIRST_LOOK = 512
"""Games a table before a race or a wanted precision is looked at, then after twice as many."""
CHUNK = 5_000
"""Games a table in its first chunk: few files where tables are many, partial results in time."""
MOST_STEP = 10_000_000
"""Games of a table that are played at most before they are kept, or looked at."""
ALL = "all"


@dataclass(frozen=True)
class Tournament:
    """Policies, the tables at which they meet, and how often each table plays.

    Make one with `Tournament.of`, which validates.

    Attributes
    ----------
    base : Study
        A table of the first policy alone; game, rules, seating and seed are those of every table.
    words, texts : tuple of str
        The policies as the command line takes them and as they are printed, in order of the
        texts: results do not depend on the order in which they were named.
    design : Design
    games : int
        Games a table; the most, if a race or a wanted precision may end it sooner.
    chunk : int
        Games a table in a chunk.
    focus : str or None
        The policy that plays a gauntlet.
    race : bool
        Whether tables stop at which everybody is clearly worse than the best.
    precision : float or None
        Half-width in points of win rate at which play may stop.
    wanted_tables : int or None
        About so many tables of a balanced design were asked for.
    """

    base: Study = field(repr=False)
    words: tuple[str, ...]
    texts: tuple[str, ...]
    design: Design = field(repr=False)
    games: int
    chunk: int
    focus: str | None = None
    race: bool = False
    precision: float | None = None
    wanted_tables: int | None = None

    @classmethod
    def of(
        cls,
        game: str | Game,
        policies: Sequence[str] = (ALL,),
        *,
        players: int | None = None,
        focus: str | None = None,
        tables: int | None = None,
        games: object = DEFAULT_GAMES,
        race: bool = False,
        precision: float | None = None,
        chunk: int | None = None,
        design: Design | None = None,
        **more: Any,
    ) -> Tournament:
        """Read and check the parts of a tournament.

        Parameters
        ----------
        game : str or Game
        policies : sequence of str
            As on the command line, each once; "all" stands for the game's own.
        players : int, optional
            Seats at a table; by default 4, or the nearest number that the game has.
        focus : str, optional
            One of the policies: it alone meets the others.
        tables : int, optional
            About so many tables of a balanced design instead of every table.
        games, race, precision, chunk
            See the attributes.
        design : Design, optional
            The tables themselves, of the policies in the order of their texts.
        **more
            ``options, seating, seed, luck`` as for `Study.of`.

        Raises
        ------
        UsageError
            If a part does not exist, is out of bounds, or does not fit the others.
        """
        found = game if isinstance(game, Game) else game_named(game)
        seats = _players(found, players)
        number = _games(games)
        words, texts = _named(found, policies)
        if race and focus is not None:
            raise UsageError(
                "--race and --focus exclude each other: a gauntlet has no field to race"
            )
        base = Study.of(game, [words[0]] * seats, games=number, precision=precision, **more)
        if base.save_games:
            raise UsageError("a tournament keeps no single games; simlab run --save-games does")
        if chunk is not None and not 1 <= chunk <= MOST_STEP:
            raise UsageError(f"a chunk is 1 to {MOST_STEP:,} games of a table, got {chunk}")
        place = None if focus is None else _focus(found, focus, texts)
        wanted: dict[str, Any] = {"focus": place, "tables": tables, "seed": base.seed}
        return cls(
            base=base,
            words=words,
            texts=texts,
            design=design or choose(len(texts), seats, **wanted),
            games=number,
            chunk=chunk or CHUNK,
            focus=None if place is None else texts[place],
            race=race,
            precision=precision,
            wanted_tables=tables,
        )

    @property
    def players(self) -> int:
        """Seats at a table."""
        return self.design.players

    @property
    def looked_at(self) -> bool:
        """Whether results are looked at while it is played."""
        return self.race or self.precision is not None

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """Games a table at which chunks end: at every look, or at so many that few are lost.

        Each time as many again, up to `MOST_STEP`: so the longest has few chunks, and a short one
        that goes on has those of a long one.
        """
        ends, games = [], FIRST_LOOK if self.looked_at else self.chunk
        while games < self.games:
            ends.append(games)
            games += min(games, MOST_STEP)
        return (*ends, self.games)

    @cached_property
    def mixes(self) -> Design | None:
        """Every table of the best, which a sampled tournament plays afterwards.

        They count for the game of mixes alone. A place in this design is that of one of the
        best, in the order of their texts.
        """
        if self.design.kind != BALANCED:
            return None
        return every_table(mixes_among(self.design.policies, self.players), self.players)

    @cached_property
    def schedule(self) -> Schedule:
        """Everything that may be played; see `schedule_among` for who the best are."""
        among = 0 if self.mixes is None else self.mixes.policies
        return self.schedule_among(range(among))

    def schedule_among(self, best: Sequence[int]) -> Schedule:
        """Everything that may be played, once it is known who the best of a sample are.

        The chunks are the same whoever they are.
        """
        studies = list(self.studies)
        if self.mixes is not None:
            rows = range(len(self.mixes.seats))
            studies += [self._table(self.mixes, row, [self.words[who] for who in best])
                        for row in rows]  # fmt: skip
        rounds, tables = range(len(self.ends)), range(len(studies))
        return Schedule(tuple(studies), False, self.ends, tuple(rounds), tuple(tables), self)

    @cached_property
    def studies(self) -> tuple[Study, ...]:
        """The table of each row of the design."""
        rows = range(len(self.design.seats))
        return tuple(self._table(self.design, row, self.words) for row in rows)

    def _table(self, design: Design, row: int, words: Sequence[str]) -> Study:
        seated = [words[who] for who in design.members(row) for _ in range(design.seats[row, who])]
        base = self.base
        options = base.matchup.options
        more: dict[str, Any] = {"seating": base.seating, "seed": base.seed, "luck": base.luck}
        return Study.of(base.game, seated, options=options, games=self.games, **more)

    def record(self) -> dict[str, Any]:
        """The tournament as plain values, every default written out."""
        kept = self.base.record()
        for key in ("deals", "policies", "parameters", "save_games"):
            del kept[key]
        return {
            **kept,
            "policies": list(self.texts),
            "parameters": self._parameters(),
            "games": self.games,
            "chunk": self.chunk,
            "focus": self.focus,
            "race": self.race,
            "precision": self.precision,
            "wanted_tables": self.wanted_tables,
            "design": self.design.record(),
        }

    def _parameters(self) -> dict[str, dict[str, float]]:
        return {
            policy.text: dict(zip(policy.defaults, policy.values, strict=True))
            for policy in self._policies
        }

    @property
    def sources(self) -> dict[str, str]:
        """Digest of the file of each policy."""
        return {policy.text: source_digest(policy.function) for policy in self._policies}

    @cached_property
    def _policies(self) -> list[Policy]:
        return [read_policy(self.base.game, word) for word in self.words]


@dataclass(frozen=True)
class Schedule(Series):
    """The tables of a tournament, or those of them that still play; those of mixes come last."""

    tournament: Tournament | None = None

    def only(self, rounds: Sequence[int], tables: Sequence[int]) -> Schedule:
        """Some rounds of some tables."""
        return replace(self, rounds=tuple(rounds), tables=tuple(tables))

    def record(self) -> dict[str, Any]:
        """What a run folder keeps of it: one study that stands for all tables."""
        assert self.tournament is not None
        words = [list(self.tournament.words)]
        return {"kind": "tournament", "studies": [self.tournament.record()], "words": words}

    def identity(self) -> dict[str, Any]:
        """Everything that the results depend on, but for how many games are played."""
        assert self.tournament is not None
        parts = self.tournament.record()
        for key in ("games", "precision"):
            del parts[key]
        parts["looked_at"] = self.tournament.looked_at
        if self.tournament.looked_at:
            del parts["chunk"]
        return {"tournament": parts, "sources": self.tournament.sources}


def of_record(record: Mapping[str, Any], words: Sequence[str], game_word: str) -> Tournament:
    """The tournament that `Tournament.record` wrote."""
    keys = ("seating", "options", "seed", "luck", "games", "chunk", "race", "precision", "focus")
    more = {key: record[key] for key in keys}
    # The design as it was drawn, whatever this version would draw.
    more["design"] = design_of(record["design"], len(words))
    tables = record["wanted_tables"]
    return Tournament.of(game_word, words, players=record["players"], tables=tables, **more)


def _named(game: Game, policies: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words and texts of the policies, in the order of their texts."""
    read = [read_policy(game, word) for word in _words(game, policies)]
    named = sorted((policy.text, policy.word) for policy in read)
    texts = tuple(text for text, _ in named)
    for (text, word), (other, other_word) in pairwise(named):
        if text == other and word != other_word:
            raise UsageError(f"{text} names two policies, {word} and {other_word}; rename a file")
        if text == other:
            raise UsageError(f"{text} takes part twice; each policy is named once")
    if len(texts) < 2:
        raise UsageError(f"a tournament needs two policies or more, got {' '.join(texts)}")
    return tuple(word for _, word in named), texts


def _games(games: object) -> int:
    number = read_games(games)
    if number >= TABLE_DEALS:
        raise UsageError(f"a table plays less than {TABLE_DEALS:,} games, got {number:,}")
    return number


def _words(game: Game, policies: Sequence[str]) -> list[str]:
    if isinstance(policies, str):
        raise UsageError(f"policies of a tournament are a list of words, got {policies!r}")
    words = repeated(list(policies)) or [ALL]
    own = list(built_in(game))
    return [name for word in words for name in (own if word == ALL else [word])]


def _players(game: Game, players: int | None) -> int:
    if players is None:
        fewest, most = game.players
        return min(max(4, fewest), most)
    game.check_players(players)
    return players


def _focus(game: Game, focus: str, texts: Sequence[str]) -> int:
    text = read_policy(game, focus).text
    if text not in texts:
        raise unknown("policy of this tournament", text, texts)
    return texts.index(text)

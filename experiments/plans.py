"""What is to be played: studies of the same deals, or of deals of their own, cut into chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from simlab.experiments.counting import Count, Part
from simlab.experiments.sequences import looks
from simlab.experiments.study import Study
from simlab.options import DRAWN
from simlab.totals import totals_type


class Chunk(NamedTuple):
    """A run of deals that is kept as one: of every study of a plan, or of one of them."""

    number: int
    first: int
    end: int
    study: int | None = None


@dataclass(frozen=True)
class Plan:
    """Studies of the same deals, one for each value of what is varied; most often one alone.

    Attributes
    ----------
    studies : tuple of Study
        The first one is the baseline; chunking and number of deals are its own.
    rescored : bool
        Whether the studies differ only in what scoring reads and nobody looks at, so that the
        games of the first are scored again for the others.
    """

    studies: tuple[Study, ...]
    rescored: bool = False

    @property
    def base(self) -> Study:
        """The first study."""
        return self.studies[0]

    @property
    def paired(self) -> bool:
        """Whether the variants meet the same deals in the same seatings."""
        first = self.base.seatings
        return len(self.studies) > 1 and all(
            study.seatings.shape == first.shape and (study.seatings == first).all()
            for study in self.studies
        )

    @property
    def games(self) -> int:
        """Games of all variants, whole deals."""
        return sum(study.deals * len(study.seatings) for study in self.studies)

    def share_of(self, place: int, deal: int) -> int:
        """Deals of one of the studies that go with so many deals of the first.

        Studies of other numbers of players have other numbers of deals for as many games. It
        does not depend on how many are wanted in all, so that a longer run goes on in the same.
        """
        study = self.studies[place]
        if self.paired or deal == self.base.deals:
            return study.deals if deal == self.base.deals else deal
        return min(study.deals, deal * len(self.base.seatings) // len(study.seatings))

    def edges(self, kept: bool = True) -> list[int]:
        """Deals at which a chunk ends, beginning with 0.

        With a wanted precision every look is an edge, so that it falls on whole chunks. Where
        nothing is ``kept`` there are no other edges: a batch may be as long as it likes.
        """
        deals, chunk = self.base.deals, self.base.chunk
        ends = {*range(chunk, deals, chunk), deals} if kept else {deals}
        if self.base.precision is not None:
            ends |= set(looks(deals))
        return [0, *sorted(ends)]

    def chunks(self, *, kept: bool = True) -> list[Chunk]:
        """What is played, in the order in which it is counted; see `edges`."""
        return [Chunk(number, *ends) for number, ends in enumerate(pairwise(self.edges(kept=kept)))]

    def first_deal(self, study: int) -> int:
        """The engine's number of the first deal of a study; variants meet the same deals."""
        return 0

    def record(self) -> dict[str, Any]:
        """What a run folder keeps of it, as plain values; `folders.open_folder` reads it."""
        return {
            "kind": "study",
            "studies": [study.record() for study in self.studies],
            "words": [list(study.words) for study in self.studies],
        }

    def identity(self) -> dict[str, Any]:
        """Everything that the results depend on, but for how many games are played."""
        return {
            "rescored": self.rescored,
            "precision": self.base.precision is not None,
            "studies": [study.identity() for study in self.studies],
        }

    def nothing(self) -> Count:
        """The count of a study that was stopped before its first deal."""
        return Count.of(np.zeros(1, totals_type(self.base.game))[0])

    def add(self, total: Part, chunk: Chunk, part: Part) -> None:
        """Add what was counted in (a batch of) a chunk to the total."""
        total.add(part)


TABLE_DEALS = 2**40
"""Numbers of deals that each table of a series has for itself."""
FEWEST_DEALS = 2
"""Deals that a table of a series plays at least: a single one has no error."""


@dataclass(frozen=True)
class Series(Plan):
    """Studies that each meet deals of their own: the tables of a tournament.

    Attributes
    ----------
    ends : tuple of int
        Games a table at which its chunks end, ascending; none plays more than its study wants.
    rounds : tuple of int
        Places in ``ends`` of those that are played.
    tables : tuple of int
        Places in ``studies`` of those that play.
    """

    ends: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()
    tables: tuple[int, ...] = ()

    @property
    def paired(self) -> bool:
        """Never: no two tables meet the same deal."""
        return False

    @property
    def games(self) -> int:
        """Games of all that is played, whole deals."""
        return sum(
            (chunk.end - chunk.first) * len(self.studies[chunk.study].seatings)
            for chunk in self.chunks()
            if chunk.study is not None
        )

    def share_of(self, place: int, deal: int) -> int:
        """Deals of a table are counted as they are."""
        return deal

    def chunks(self, *, kept: bool = True) -> list[Chunk]:
        """Every table's deals of the first round, then of the next: all go on together.

        A chunk has the same number however many rounds and tables there are, so that a longer
        tournament goes on in a shorter one's.
        """
        found = []
        for turn in self.rounds:
            for table in self.tables:
                study = self.studies[table]
                first = _whole_deals(self.ends[turn - 1], study) if turn else 0
                end = _whole_deals(self.ends[turn], study)
                if first < end:
                    found.append(Chunk(turn * len(self.studies) + table, first, end, table))
        return found

    def first_deal(self, study: int) -> int:
        """The engine's number of the first deal of a table."""
        return study * TABLE_DEALS

    def nothing(self) -> Count:
        """The count of a table that has not played: without sums, as there are many."""
        return Count()

    def add(self, total: Part, chunk: Chunk, part: Part) -> None:
        """A chunk is of one table, and so holds one count: there are hundreds of tables."""
        assert chunk.study is not None
        if not total.counts:
            total.counts = [self.nothing() for _ in self.studies]
        total.counts[chunk.study].add(part.counts[0])


def _whole_deals(games: int, study: Study) -> int:
    """Deals of a table that make so many games, or as many as are wanted of it."""
    return max(FEWEST_DEALS, -(-min(games, study.games) // len(study.seatings)))


def shared_plan(studies: Sequence[Study]) -> Plan:
    """A plan that scores the games of the first study again where that is the same.

    It is, where the studies differ only in options that scoring alone reads, to which every
    policy at the table says that it is blind.
    """
    base = studies[0]
    options = [study.game.read_options(study.matchup.options) for study in studies]
    changed = {key for values in options for key in values if values[key] != options[0][key]}
    blind = set(base.game.scoring_only)
    for policy in base.matchup.lineup:
        blind &= set(policy.blind_to)
    same_seats = all(study.words == base.words for study in studies)
    # What is drawn for each deal cannot be set on a table after its game.
    drawn = any(values[key] == DRAWN for values in options for key in changed)
    rescored = len(studies) > 1 and same_seats and changed <= blind and not drawn
    return Plan(tuple(studies), rescored)

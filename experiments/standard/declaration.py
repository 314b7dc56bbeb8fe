"""What a game's balance study is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from simlab.contract import Game
from simlab.policies import built_in

if TYPE_CHECKING:
    from simlab.experiments.standard.parts import Part


@dataclass(frozen=True)
class Effort:
    """How much a study plays.

    Attributes
    ----------
    table : int
        Games of each table of a tournament.
    value : int
        Games of each value that is compared.
    kept : int
        Games that are kept one by one, for measures that need them.
    traced : int
        Deals in which every decision's legal moves are counted.
    """

    table: int
    value: int
    kept: int
    traced: int


EFFORTS = {
    "quick": Effort(table=160, value=8_000, kept=8_000, traced=40),
    "normal": Effort(table=4_000, value=200_000, kept=100_000, traced=200),
    "deep": Effort(table=40_000, value=2_000_000, kept=400_000, traced=1_000),
}


@dataclass(frozen=True)
class Sweep:
    """A rule whose values are compared on the same deals.

    Attributes
    ----------
    key : str
        Option of the game, or ``policy.parameter``.
    values : tuple of str
        As the command line takes them; the first one is the baseline, as a rule the printed one.
    title : str
        What is varied, in a few words.
    options : mapping
        Other rules that this sweep needs.
    policies : tuple of str
        Line-up; by default the study's table of good players.
    """

    key: str
    values: tuple[str, ...]
    title: str
    options: Mapping[str, object] = field(default_factory=dict)
    policies: tuple[str, ...] = ()


@dataclass(frozen=True)
class Standard:
    """The balance study of a game.

    Attributes
    ----------
    game : Game
    policies : tuple of str
        Strategies that meet in tournaments.
    strongest : str
        The strategy that luck and skill are measured with, against `weakest`.
    weakest : str
        A strategy that draws lots.
    table : tuple of str
        Line-up of good players, for comparisons and for how the game plays.
    counts : tuple of int
        Numbers of players.
    sweeps : tuple of Sweep
        Rules to vary, each a comparison of its own.
    special : tuple of Sweep
        Comparisons that the game's own sections are written from.
    effort : float
        What the efforts are multiplied by: less for slow games.
    options : mapping
        Rules that are not the printed ones, in every run.
    more : callable, optional
        Gives the runs that only this game's own sections need, for an effort and a seed.
    """

    game: Game
    policies: tuple[str, ...]
    strongest: str
    weakest: str
    table: tuple[str, ...]
    counts: tuple[int, ...]
    sweeps: tuple[Sweep, ...] = ()
    special: tuple[Sweep, ...] = ()
    effort: float = 1.0
    options: Mapping[str, object] = field(default_factory=dict)
    more: Callable[[Standard, Effort, int], Iterable[Part]] | None = None

    def sized(self, name: str) -> Effort:
        """An effort by name, as this game's speed allows."""
        one = EFFORTS[name]
        return Effort(*(max(40, round(n * self.effort)) for n in vars(one).values()))

    @property
    def all_sweeps(self) -> tuple[Sweep, ...]:
        """Every comparison."""
        return self.special + self.sweeps


def standard_of(game: Game) -> Standard:
    """The declared study of a game, or a plain one of all its strategies.

    A game's study stands in ``simlab.experiments.standard.GAME``, with dashes as underscores.
    """
    module = f"simlab.experiments.standard.{game.name.replace('-', '_')}"
    if game.name.replace("-", "_").isidentifier() and find_spec(module) is not None:
        declared: Standard = import_module(module).STANDARD
        if declared.game is game:
            return declared
    names = tuple(built_in(game))
    seats = min(max(4, game.players[0]), game.players[1])
    counts = tuple(range(game.players[0], game.players[1] + 1))
    table = tuple(names[place % len(names)] for place in range(seats))
    return Standard(game, names, names[-1], names[0], table, counts)

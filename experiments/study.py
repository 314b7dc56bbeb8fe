"""What is to be played, validated once, with every default written out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simlab.contract import Game
from simlab.engine import Matchup, check_seed
from simlab.errors import UsageError, unknown
from simlab.experiments.seating import SEATINGS, seatings
from simlab.games import game_named
from simlab.policies import read_policies
from simlab.streams import MOST_LUCK

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_GAMES = 10**15
DEFAULT_GAMES = 100_000


def read_games(given: object) -> int:
    """Read a number of games: ``100000``, ``1e6`` and ``1_000_000`` are understood.

    Raises
    ------
    UsageError
        Unless it is a whole number from 1 to 10**15.
    """
    wrong = UsageError(f"games is a whole number from 1 to 1e15, got {given!r}")
    if isinstance(given, bool):
        raise wrong
    try:
        number = float(str(given))
        exact = (
            int(str(given))
            if "e" not in str(given).lower() and "." not in str(given)
            else int(number)
        )
    except (ValueError, OverflowError):
        raise wrong from None
    if not math.isfinite(number) or number != int(number) or not 1 <= exact <= MOST_GAMES:
        raise wrong
    return exact


@dataclass(frozen=True)
class Study:
    """One line-up of policies at one table, and how often it plays.

    Make one with `Study.of`, which validates. The order of the policies is the seat order of
    the first game of each deal.
    """

    matchup: Matchup
    words: tuple[str, ...]
    seating: str
    games: int
    seed: int
    luck: int

    @classmethod
    def of(
        cls,
        game: str | Game,
        policies: Sequence[str],
        *,
        options: Mapping[str, object] | None = None,
        seating: str = "rotate",
        games: object = DEFAULT_GAMES,
        seed: int = 0,
        luck: int = 0,
    ) -> Study:
        """Read and check the parts of a study.

        Parameters
        ----------
        game : str or Game
        policies : sequence of str
            One for each seat, as on the command line.
        options : mapping, optional
            Rules that differ from the printed ones.
        seating : {"rotate", "fixed"}
        games : int or str
            Rounded up to whole deals.
        seed, luck : int

        Raises
        ------
        UsageError
            If a part does not exist, is out of bounds, or does not fit the others.
        """
        if seating not in SEATINGS:
            raise unknown("seating", seating, SEATINGS)
        wanted = read_games(games)
        check_seed(seed)
        if not 0 <= luck <= MOST_LUCK:
            raise UsageError(f"luck goes from 0 to {MOST_LUCK}, got {luck}")
        found = game if isinstance(game, Game) else game_named(game)
        given = dict(options or {})
        found.read_options(given)
        matchup = Matchup(found, read_policies(found, list(policies)), given)
        matchup.rules  # noqa: B018 - built now, so that wrong rules are refused here
        return cls(matchup, tuple(policies), seating, wanted, seed, luck)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.matchup.game

    @cached_property
    def seatings(self) -> npt.NDArray[np.int64]:
        """Every seating in which each deal is played."""
        return seatings(self.seating, self.matchup.seating)

    @property
    def deals(self) -> int:
        """Deals to play: the games, rounded up."""
        return -(-self.games // len(self.seatings))

    def record(self) -> dict[str, Any]:
        """The study as plain values, every default written out."""
        options = self.game.read_options(self.matchup.options)
        return {
            "game": self.game.name,
            "version": self.game.version,
            "players": len(self.matchup.policies),
            "policies": [policy.text for policy in self.matchup.policies],
            "parameters": {
                policy.text: dict(zip(policy.defaults, policy.values, strict=True))
                for policy in self.matchup.lineup
            },
            "options": {k: list(v) if isinstance(v, tuple) else v for k, v in options.items()},
            "seating": self.seating,
            "games": self.games,
            "deals": self.deals,
            "seed": self.seed,
            "luck": self.luck,
        }

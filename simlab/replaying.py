"""One game again, move by move: the record that others can check, and the story."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.compiled import plain
from simlab.contract import WHOLE_WIN, Seen
from simlab.engine import Matchup, Room, engine_of
from simlab.options import changed

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True)
class Traced:
    """A game with its position before every decision.

    Attributes
    ----------
    rows : numpy.ndarray of trace records
        One a decision, and a last one with the final state.
    outcome : record
    """

    rows: npt.NDArray[Any]
    outcome: Any


class Replayer:
    """Plays single games of a matchup, policies seated as given, and keeps what happened."""

    def __init__(self, matchup: Matchup, seed: int = 0, luck: int = 0) -> None:
        self.matchup, self.seed, self.luck = matchup, seed, luck
        game = matchup.game
        self._room = Room(matchup, np.array([matchup.seating]), seed, luck)
        self._trace = np.zeros(game.max_decisions + 1, engine_of(game).trace)
        self._outcomes = np.zeros(1, game.outcome)

    def trace(self, deal: int) -> Traced:
        """Play one deal.

        Raises
        ------
        PolicyError
            If a policy breaks a rule.
        """
        self._room.play(deal, 1, self._outcomes, trace=self._trace)
        decisions = int(self._outcomes[0]["decisions"])
        return Traced(self._trace[: decisions + 1].copy(), self._outcomes.copy()[0])

    def steps(self, traced: Traced) -> Iterator[list[Seen]]:
        """What was seen to happen at the setup, and then because of each decision in turn."""
        narrate, rules = self.matchup.game.narrate, plain(self.matchup.rules[0])
        last = len(traced.rows) - 1
        before = None
        for place, row in enumerate(traced.rows):
            state = plain(row["state"])
            move = int(traced.rows[place - 1]["move"]) if place else None
            outcome = plain(traced.outcome) if place == last else None
            yield narrate(rules, before, move, state, outcome)
            before = state

    def events(self, traced: Traced) -> list[Seen]:
        """Everything that was seen to happen, in order, with who saw it."""
        return [seen for step in self.steps(traced) for seen in step]

    def record(self, deal: int) -> dict[str, Any]:
        """The game record of one deal, ready for JSON."""
        return self.record_of(deal, self.trace(deal))

    def record_of(self, deal: int, traced: Traced) -> dict[str, Any]:
        """The game record of a deal that was traced."""
        game, players = self.matchup.game, len(self.matchup.policies)
        values = game.read_options(self.matchup.options)
        seats = traced.outcome["seats"][:players]
        return {
            "game": game.name,
            "version": game.version,
            "options": changed(game.options, values)
            | game.record_options(plain(self.matchup.rules[0]), plain(traced.rows[-1]["state"])),
            "players": players,
            "policies": [policy.text for policy in self.matchup.policies],
            "seed": self.seed,
            "deal": deal,
            "luck": self.luck,
            "events": [seen.event for seen in self.events(traced)],
            "result": {
                "points": [int(points) for points in seats["points"]],
                "win_share": [float(Fraction(int(w), WHOLE_WIN)) for w in seats["win_share"]],
            },
        }

    def records(self, first_deal: int, games: int) -> Iterator[dict[str, Any]]:
        """Records of consecutive deals."""
        for deal in range(first_deal, first_deal + games):
            yield self.record(deal)

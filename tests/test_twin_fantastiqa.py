"""The engine of Fantastiqa against a twin written by somebody who never saw the engine.

Both get the same orders of all decks and the same decisions; all events and results have to be the
same, and on random positions both have to offer the same sets of whole turns and free actions.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from bridge_fantastiqa import Bridge, normal, options_of
from explore_fantastiqa import Explorer, Position
from twin_fantastiqa import legal_free_actions, legal_turns, play

from simlab.compiled import INTERPRETED
from simlab.contract import WHOLE_WIN
from simlab.engine import Matchup
from simlab.games.fantastiqa import GAME
from simlab.policies import read_policies
from simlab.replaying import Replayer

GAMES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {}),
    (4, {}),
    (4, {"teams": True}),
    (2, {"deck": "39-49-59", "goal": "short"}),
    (3, {"wilds": False, "loops": False}),
    (4, {"fly_empty": True, "goal": 3, "turn_cap": 30}),
]


def replayer_for(players: int, options: dict[str, Any], policy: str, seed: int) -> Replayer:
    matchup = Matchup(GAME, read_policies(GAME, [f"{players}x{policy}"]), options)
    return Replayer(matchup, seed)


def compare(replayer: Replayer, deal: int, positions: int = 0) -> Counter[str]:
    """Play one deal in the engine, the same cards and decisions in the twin, and compare all.

    At so many random decisions of the game all legal actions are compared, too. Returns how many
    actions of each kind were.
    """
    traced = replayer.trace(deal)
    bridge = Bridge(replayer, traced)
    rules = replayer.matchup.rules
    explorer, found = Explorer(rules), Counter[str]()
    lots = np.random.default_rng(deal)
    acts = [action for action in bridge.actions if action[0] in ("act", "after")]
    chosen = {acts[n][3] for n in lots.integers(0, len(acts), positions)}

    def choose(seat: int, kind: str, options: Any) -> Any:
        wanted, mover, action, row = bridge.actions.popleft()
        assert (wanted, mover) == (kind, seat), action
        if kind in ("act", "after") and row in chosen and are_few(options.position):
            chosen.discard(row)
            here = Position(rules, traced.rows[row : row + 1]["state"].copy())
            legal = explorer.turns(here) if kind == "act" else set()
            free = explorer.free_actions(here)
            assert legal == legal_turns(options.position)
            assert free == legal_free_actions(options.position)
            found.update(one[0] for one in legal | free)
        return action

    players = len(replayer.matchup.policies)
    events, result = play(players, choose, bridge.shuffle, options_of(replayer))
    for ours, theirs in zip(bridge.events, normal(events), strict=False):
        assert ours == theirs
    assert len(bridge.events) == len(events)
    assert not bridge.actions
    seats = traced.outcome.seats[:players]
    assert list(seats["points"]) == result["points"]
    assert list(seats["rank"]) == result["rank"]
    assert [Fraction(int(w), WHOLE_WIN) for w in seats["win_share"]] == result["win_share"]
    return found


def are_few(position: Any) -> bool:
    """Whether the cards that may be released are few enough to go through all choices."""
    kinds = len({*position.me.hand, *position.me.discard})
    return position.me.gems * kinds < 60 and len(position.me.hand) < 8


@pytest.mark.parametrize(("players", "options"), GAMES)
def test_engine_and_twin_agree_on_every_event_and_offer_the_same(
    players: int, options: dict[str, Any]
) -> None:
    replayer = replayer_for(players, options | {"turn_cap": 40}, "random", seed=5)
    for deal in range(1 if INTERPRETED else 2):
        compare(replayer, deal, 2 if INTERPRETED else 6)


def test_the_positions_compared_hold_all_kinds_of_actions() -> None:
    found = Counter[str]()
    for deal in range(1 if INTERPRETED else 8):
        found += compare(replayer_for(2, {"turn_cap": 60}, "random", seed=9), deal, 8)
    kinds = {"adventure", "pass", "draw", "commit", "withdraw", "discard", "carpet", "use"}
    kinds |= {"teleport", "release", "reshuffle"}
    assert INTERPRETED or set(found) >= kinds


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_twin_agree_in_many_games(players: int) -> None:
    for deal in range(3 if INTERPRETED else 300):
        replayer = replayer_for(players, {"turn_cap": 30}, "random", seed=12)
        compare(replayer, deal, 1)

"""The engine against a slow twin written from the rulebook by somebody who never saw the engine.

Both get the same deck orders and the same moves; every event, every set of legal moves and every
column has to be the same.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import count

import numpy as np
import pytest
from twin_fantastique import Twin

from simlab.contract import WHOLE_WIN
from simlab.counters import cards_of
from simlab.engine import Matchup, engine_of
from simlab.games.fantastique import GAME
from simlab.games.fantastique.story import value_and_count
from simlab.policies import read_policies
from simlab.replaying import Replayer, Traced

SIDES = ("I", "II", "III", "IV", "V", "VI")
COLUMNS = (
    "points",
    "rank",
    "medal_points",
    "finale_cards",
    "finale_points",
    "hand_cards",
    "gold",
    "silver",
    "bronze",
    "cards_played",
)
GAME_COLUMNS = ("reshuffles", "passes", "shared_win", "lead_changes", "finale_changed_winner")
ODD = {
    "tiny deck that reshuffles": {"deck": (3, 3, 3, 3, 0, 0, 0, 0), "hand": 1, "rounds": 9}
    | dict.fromkeys(("gold", "silver", "bronze"), (5, 4, 3, 2, 1, 2, 3, 4, 5)),
    "deck that runs dry": {"deck": (4, 3, 2, 1, 0, 0, 0, 1), "hand": 2},
    "all cards dealt": {"deck": (2, 2, 2, 2, 2, 0, 0, 0), "hand": 2},
    "hands of one": {"hand": 1},
    "one card a stack": {"stack_limit": 1},
    "one value, players stuck": {"deck": (0, 0, 30, 0, 0, 0, 0, 0), "hand": 1, "stack_limit": 2},
    "fullest run": {"finale_run": "fullest"},
    "no medal for nothing": {"finale_zero": False, "hand": 2, "deck": (9, 9, 9, 9, 9, 9, 1, 0)},
    "bronze for two": {"bronze_from": 2},
    "no bronze": {"bronze_from": 6},
    "many stacks": {"stacks": 10},
    "equal medals": dict.fromkeys(("gold", "silver", "bronze"), (2,) * 7) | {"finale_gold": 0},
    "three rounds": {"rounds": 3, "finale_silver": 20},
}


def deck_orders(traced: Traced) -> list[list[int]]:
    """Every order that the deck had: as first shuffled, and after each reshuffle."""
    states = traced.rows["state"]
    _, firsts = np.unique(states["table"]["reshuffles"], return_index=True)
    orders = []
    for state in states[firsts]:
        cards = state["hidden"]["next"] + state["table"]["deck_cards"]
        orders.append(state["hidden"]["deck"][:cards].tolist())
    return orders


def twin_of(traced: Traced, replayer: Replayer) -> Twin:
    matchup = replayer.matchup
    rules = matchup.rules[0]
    orders = deck_orders(traced)
    following = count(1)
    options = dict(GAME.read_options(matchup.options))
    side = SIDES[int(traced.rows[0].state.table.finale) - 1]
    options.pop("finale")
    return Twin(
        int(rules.players),
        options,
        orders[0],
        side,
        lambda discard: _checked(discard, orders, following),
    )


def _checked(discard: Counter, orders: list[list[int]], following) -> list[int]:
    order = orders[next(following)]
    assert Counter(order) == +discard
    return order


def legal_sets(replayer: Replayer, traced: Traced) -> list[set[tuple[int, int]]]:
    rows = traced.rows[:-1].copy()
    counts = np.zeros(len(rows), np.int64)
    moves = np.zeros((len(rows), GAME.max_moves), np.int64)
    engine_of(GAME).list_legal(replayer.matchup.rules, rows, counts, moves)
    lists = zip(counts, moves.tolist(), strict=True)
    return [{value_and_count(move) for move in listed[:n]} for n, listed in lists]


def compare(replayer: Replayer, deal: int) -> Twin:
    """Play one deal in the engine, the same cards and moves in the twin, and compare all."""
    traced = replayer.trace(deal)
    twin = twin_of(traced, replayer)
    seats, moves = traced.rows["seat"].tolist(), traced.rows["move"].tolist()
    for seat, move, legal in zip(seats, moves, legal_sets(replayer, traced), strict=False):
        assert twin.seat_to_move == seat
        assert twin.legal() == legal
        twin.move(*value_and_count(move))
    assert twin.seat_to_move is None
    assert [seen.event for seen in replayer.events(traced)] == twin.events
    compare_outcome(replayer, traced, twin)
    return twin


def compare_outcome(replayer: Replayer, traced: Traced, twin: Twin) -> None:
    players, result = len(replayer.matchup.policies), twin.result()
    seats, rounds = traced.outcome.seats[:players], int(replayer.matchup.rules[0].rounds)
    for column in COLUMNS:
        assert list(seats[column]) == result[column], column
    assert [Fraction(int(share), WHOLE_WIN) for share in seats["win_share"]] == result["win_share"]
    for column in GAME_COLUMNS:
        assert int(traced.outcome[column]) == int(result[column]), column
    assert seats["points_after"][:, :rounds].T.tolist() == result["points_by_round"]
    assert int(traced.outcome.decisions) == len(traced.rows) - 1
    hands = [cards_of(seat.hand) for seat in traced.rows[-1].state.seats[:players]]
    assert hands == [event["hand"] for event in twin.events if event["event"] == "finale"]


def replayer_for(policy: str, players: int, options: dict, seed: int = 5) -> Replayer:
    matchup = Matchup(GAME, read_policies(GAME, [f"{players}x{policy}"]), options)
    return Replayer(matchup, seed)


def fitting(options: dict, players: int) -> bool:
    deck, hand = options.get("deck", (100,)), options.get("hand", 10)
    return sum(deck) >= hand * players


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_engine_and_twin_agree_on_every_event(players: int, side: str, policy: str) -> None:
    replayer = replayer_for(policy, players, {"finale": side})
    for deal in range(8):
        compare(replayer, deal)


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("name", ODD)
def test_engine_and_twin_agree_under_odd_rules(name: str, policy: str) -> None:
    for players in (2, 3, 4, 5):
        if fitting(ODD[name], players):
            replayer = replayer_for(policy, players, ODD[name] | {"finale": "random"})
            for deal in range(8):
                compare(replayer, deal)


def test_odd_rules_reach_what_they_are_for() -> None:
    """The odd settings do reshuffle, run dry, make players pass, and open too few stacks."""
    seen: Counter = Counter()
    for options in ODD.values():
        for players in (2, 3, 4, 5):
            if not fitting(options, players):
                continue
            replayer = replayer_for("random", players, options)
            for deal in range(10):
                twin = compare(replayer, deal)
                seen["reshuffles"] += twin.result()["reshuffles"]
                seen["passes"] += twin.result()["passes"]
                stacks = [len(e["stacks"]) for e in twin.events if e["event"] == "reveal"]
                seen["dry"] += sum(n < options.get("stacks", 5) for n in stacks)
                seen["no stack at all"] += sum(n == 0 for n in stacks)
    assert all(seen[what] > 5 for what in ("reshuffles", "passes", "dry", "no stack at all")), seen


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_engine_and_twin_agree_on_2000_games(players: int, side: str, policy: str) -> None:
    replayer = replayer_for(policy, players, {"finale": side}, seed=11)
    for deal in range(2000):
        compare(replayer, deal)


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD)
def test_engine_and_twin_agree_under_odd_rules_in_many_games(name: str) -> None:
    for players in (2, 3, 4, 5):
        for policy in ("random", "greedy"):
            if fitting(ODD[name], players):
                replayer = replayer_for(policy, players, ODD[name] | {"finale": "random"}, seed=12)
                for deal in range(400):
                    compare(replayer, deal)

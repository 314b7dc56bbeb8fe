"""What strategies foresee of the groups of a park, against placing the tile and counting anew."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numba import types

from simlab.compiled import INTERPRETED, kernel
from simlab.engine import Matchup, array_of, trace_type
from simlab.games.fantastic_park import GAME
from simlab.games.fantastic_park.groups import measure_groups
from simlab.games.fantastic_park.park import beside, lay_tile, list_spots
from simlab.games.fantastic_park.records import MOST_CELLS, PAIRS
from simlab.policies import read_policies
from simlab.policies.fantastic_park.survey import (
    AFTER,
    HELD,
    LARGEST,
    foresee,
    sizes_on,
    survey,
)
from simlab.policies.fantastic_park.wishes import (
    BONUS,
    ON_TOP,
    ONE,
    OTHER,
    SPARE,
    SPOIL,
    WANTS,
    best_placement,
    worth,
)
from simlab.replaying import Replayer

ROWS = array_of(trace_type(GAME))
STATES = array_of(GAME.state)
NUMBERS = types.int64[::1]


def foresee_all(rows, states, room, notes):
    """Judge every pair of animals on every spot both ways; returns how many, -1 for a mistake.

    ``notes`` counts what happened: groups that stayed, grew, shrank.
    """
    judged = 0
    labels, sizes = np.zeros(MOST_CELLS + 1, np.int64), np.zeros(MOST_CELLS + 1, np.int64)
    largest, spots = np.zeros(4, np.int64), np.zeros(len(room), np.int64)
    for place in range(len(rows)):
        table = rows[place].state.table
        survey(table, room)
        n = list_spots(table, spots)
        for number in range(n):
            where = spots[number]
            first = where >> 1
            second = beside(first, where & 1)
            here, there = sizes_on(table, first, room), sizes_on(table, second, room)
            for shown in range(PAIRS):
                one, other = shown >> 2, shown & 3
                changed = foresee(table, where, one, other, here, there, room)
                states[0] = rows[place].state
                lay_tile(states[0].table, where, one, other)
                measure_groups(states[0].table, labels, sizes, largest)
                for animal in range(4):
                    before = room[LARGEST + animal]
                    foreseen = room[AFTER + animal] if changed else before
                    if foreseen != largest[animal]:
                        return -1
                    notes[1 + (foreseen > before) - (foreseen < before)] += 1
                judged += 1
    return judged


def judge_choices(rows, states, room, wants, slow_room):
    """Compare the best placement with the best of all placements tried; returns mistakes."""
    mistakes = 0
    labels, sizes = np.zeros(MOST_CELLS + 1, np.int64), np.zeros(MOST_CELLS + 1, np.int64)
    for place in range(len(rows)):
        table, own = rows[place].state.table, rows[place].state.seats[rows[place].seat]
        survey(table, room)
        chosen = best_placement(table, own, room, wants)
        best, chosen_worth = -1e18, -1e18
        n = list_spots(table, slow_room)
        held = 0
        for tile in range(PAIRS):
            if own.hand[tile] > 0:
                room[HELD + held] = tile
                held += 1
        for number in range(n):
            for shown in range(PAIRS):
                one, other = shown >> 2, shown & 3
                tile = shown if one <= other else 4 * other + one
                if own.hand[tile] == 0:
                    continue
                states[0] = rows[place].state
                level = lay_tile(states[0].table, slow_room[number], one, other)
                measure_groups(states[0].table, labels, sizes, room[AFTER : AFTER + 4])
                value = worth(own.hand, tile, AFTER, room, held, wants)
                value += wants[ON_TOP] * (level > 0)
                best = max(best, value)
                if chosen == PAIRS * slow_room[number] + shown:
                    chosen_worth = value
        mistakes += chosen_worth < best - 1e-9
    return mistakes


@cache
def foreseeing() -> Any:
    return kernel(foresee_all, types.int64(ROWS, STATES, NUMBERS, NUMBERS))


@cache
def judging() -> Any:
    signature = types.int64(ROWS, STATES, NUMBERS, types.float64[::1], NUMBERS)
    return kernel(judge_choices, signature)


def decisions(policy: str, players: int, deals: int) -> tuple[Any, Any]:
    """Rules, and every decision of some games."""
    words = [f"{players}x{policy}"]
    replayer = Replayer(Matchup(GAME, read_policies(GAME, words), {}), seed=8)
    rows = np.concatenate([replayer.trace(deal).rows[:-1] for deal in range(deals)])
    return replayer.matchup.rules, rows


def on_paper() -> tuple[Any, Any, Any]:
    """Room for a state, for moves, and for more moves."""
    return np.zeros(1, GAME.state), *np.zeros((2, GAME.max_moves), np.int64)


@pytest.mark.parametrize("policy", ["random", "grower", "planner"])
def test_the_groups_foreseen_are_those_that_come(policy: str) -> None:
    """Every pair of animals on every spot of every position of some games."""
    judge = foreseeing()
    for players in (2, 4):
        _, rows = decisions(policy, players, 1)
        rows = rows[:: 20 if INTERPRETED else 4].copy()
        state, room, _ = on_paper()
        notes = np.zeros(3, np.int64)
        judged = judge(rows, state, room, notes)
        assert judged > len(rows) * PAIRS
        assert (notes > 0).all(), "some groups shrink, stay, grow"


WISHES = {
    "own points": {ONE: 1.0, OTHER: 1.0},
    "doubles": {ONE: 1.0, OTHER: 0.5, BONUS + 5: 7.0},
    "harm": {ONE: 0.5, OTHER: 0.5, SPOIL: 1.0, SPOIL + 2: 0.3, SPOIL + 3: 2.0},
    "everything": {ONE: 1.5, OTHER: 0.7, SPOIL + 1: 0.6, ON_TOP: 0.25, SPARE: 0.3, BONUS + 1: 2.0},
    "height": {ON_TOP: 1.0},
}


@pytest.mark.parametrize("name", WISHES)
def test_no_placement_is_worth_more_than_the_best_one(name: str) -> None:
    """Spots and tiles that the search leaves out are never better."""
    judge = judging()
    wants = np.zeros(WANTS)
    for place, value in WISHES[name].items():
        many = PAIRS if place in (ONE, OTHER) else 1
        wants[place : place + many] = value
    for policy in ("random", "grower"):
        for players in (2, 3):
            _, rows = decisions(policy, players, 1)
            rows = rows[:: 20 if INTERPRETED else 4].copy()
            state, room, more_room = on_paper()
            assert judge(rows, state, room, wants, more_room) == 0

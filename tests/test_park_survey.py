"""What strategies foresee of the groups of a park, against placing the tile and counting anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import types

from simlab.compiled import INTERPRETED, kernel
from simlab.engine import Matchup, array_of, trace_type
from simlab.games.fantastic_park import GAME
from simlab.games.fantastic_park.groups import measure_groups
from simlab.games.fantastic_park.park import beside, cell_at, lay_tile, list_spots
from simlab.games.fantastic_park.records import MOST_CELLS, PAIRS
from simlab.policies import read_policies
from simlab.policies.fantastic_park.survey import (
    AFTER,
    LARGEST,
    best_placement,
    foresee_beside,
    foresee_on_top,
    list_telling_spots,
    new_wants,
    sizes_on,
    survey,
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
                if cell_at(table, first) > 0:
                    changed = foresee_on_top(table, where, one, other, here, there, room)
                else:
                    changed = foresee_beside(table, where, one, other, here, there, room)
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

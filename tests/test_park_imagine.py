"""Worlds that a seat of Fantastic Park imagines: all that fit what it knows, equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from park_positions import replayer
from positions import fits

from simlab.compiled import INTERPRETED
from simlab.engine import engine_of
from simlab.games.fantastic_park import GAME

ALPHA = 1e-6
GARBAGE = 0x5A
DRAWS_A_WORLD = 8 if INTERPRETED else 60

TINY: dict[str, tuple[int, dict[str, Any]]] = {
    "two seats": (2, {"tiles": (1, 1, 1, 0, 0, 0, 1, 1, 1, 1), "hand": 2, "rounds": "supply"}),
    "equal tiles": (2, {"tiles": (3, 0, 0, 0, 0, 0, 4, 0, 0, 0), "hand": 2, "rounds": "supply"}),
    "three seats": (3, {"tiles": (2, 1, 1, 0, 0, 0, 3, 2, 0, 0), "hand": 2, "rounds": "supply"}),
}

World = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
"""Every seat's hand, ascending, and the supply in the order in which it comes."""


def world_of(state: Any, rules: Any) -> World:
    hidden = state["hidden"]
    hands = state["seats"]["hand"][: rules["players"]]
    supply = hidden["order"][hidden["next"] : rules["tiles"]]
    return tuple(in_order(hand) for hand in hands), tuple(supply.tolist())


def in_order(hand: Any) -> tuple[int, ...]:
    return tuple(np.repeat(np.arange(len(hand)), hand).tolist())


def imagined(rules: Any, row: Any, number: int) -> Any:
    """So many worlds as the row's seat imagines them, filled in over garbage."""
    engine = engine_of(GAME)
    desks = np.zeros(1, engine.desk)
    desks["state"].view(np.uint8)[:] = GARBAGE
    desks[0]["chance"]["purpose"] = 6
    desks[0]["chance"]["used"] = desks[0]["chance"]["words"].shape[-1]
    rows = np.repeat(row, number)
    engine.redeal(rules, rows, desks)
    return rows["state"]


def chances_of(row: Any, rules: Any) -> dict[World, float]:
    """Every world that the row's seat cannot rule out, with its chance.

    Tiles that nobody has shown are dealt anew, in every order, to the places that hold one.
    """
    state, seat = row["state"], int(row["seat"])
    hands, supply = world_of(state, rules)
    known = [[tile] if tile >= 0 else [] for tile in state["table"]["known"].tolist()]
    others = [s for s in range(len(hands)) if s != seat]
    hidden = {s: list((Counter(hands[s]) - Counter(known[s])).elements()) for s in others}
    pool = [tile for s in others for tile in hidden[s]] + list(supply)
    found: Counter[World] = Counter()
    for order in permutations(pool):
        places = iter(order)
        now = list(hands)
        for s in others:
            now[s] = tuple(sorted([*known[s], *(next(places) for _ in hidden[s])]))
        found[tuple(now), tuple(places)] += 1
    return {world: n / found.total() for world, n in found.items()}


def decisions(name: str) -> Iterator[tuple[Any, Any]]:
    """Rules, and decisions of a tiny game with few enough worlds to write them all down."""
    players, options = TINY[name]
    game = replayer(["random"] * players, options, seed=4)
    for deal in range(1 if INTERPRETED else 2):
        rows = game.trace(deal).rows[:-1]
        for place in range(len(rows)):
            tiles = int(rows[place]["state"]["table"]["unseen"].sum())
            if tiles <= 8:
                yield game.matchup.rules, rows[place : place + 1]


@pytest.mark.parametrize("name", TINY)
def test_every_world_that_fits_is_imagined_equally_often(name: str) -> None:
    seen = Counter()
    for rules, row in decisions(name):
        chances = chances_of(row[0], rules[0])
        real = world_of(row[0]["state"], rules[0])
        assert real in chances
        if len(chances) > (40 if INTERPRETED else 200):
            continue
        states = imagined(rules, row, DRAWS_A_WORLD * len(chances))
        found = Counter(world_of(state, rules[0]) for state in states)
        assert fits(found, chances, ALPHA)
        seen[len(chances) > 1] += 1
    assert seen[True] > 1


@pytest.mark.parametrize(("players", "options"), [(2, {}), (4, {}), (5, {"hand": 2})])
def test_worlds_look_the_same_to_the_seat_and_can_be_played(
    players: int, options: dict[str, Any]
) -> None:
    """The table, the seat's own record, sizes of hands and supply, and all tiles together."""
    game = replayer(["random"] * players, options, seed=9)
    rules, rows = game.matchup.rules[0], game.trace(0).rows[:-1]
    for place in range(0, len(rows), 7):
        row = rows[place : place + 1]
        seat = int(row[0]["seat"])
        before = row[0]["state"].copy()
        before["seats"]["notes"][seat] = 5
        row[0]["state"] = before
        for state in imagined(game.matchup.rules, row, 3):
            assert state["table"].tobytes() == before["table"].tobytes()
            assert state["seats"][seat].tobytes() == before["seats"][seat].tobytes()
            hands, supply = world_of(state, rules)
            real_hands, real_supply = world_of(before, rules)
            assert [len(hand) for hand in hands] == [len(hand) for hand in real_hands]
            assert len(supply) == len(real_supply) == state["table"]["supply"]
            assert counted(hands, supply) == counted(real_hands, real_supply)
            others = np.arange(players) != seat
            assert (state["seats"]["notes"][:players][others] == 0).all()
            for other, tile in enumerate(state["table"]["known"][:players].tolist()):
                assert tile < 0 or tile in hands[other]


def counted(hands: Any, supply: Any) -> Counter:
    return Counter([*(tile for hand in hands for tile in hand), *supply])

"""Strategies of Fantastic Park do what they say, and the planner wins."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from park_positions import Position, drawn, replayer, tile_number
from positions import fits

from simlab.compiled import INTERPRETED
from simlab.engine import Matchup, engine_of
from simlab.experiments.batches import outcomes
from simlab.experiments.study import Study
from simlab.games.fantastic_park import GAME
from simlab.games.fantastic_park.records import ANIMALS, PAIRS, tile_of
from simlab.policies import read_policies

ALPHA = 1e-6


def asked(policy: str, game: Position, times: int = 1) -> list[int]:
    """What a policy does in a position, asked again with fresh numbers each time."""
    engine = engine_of(GAME)
    matchup = Matchup(GAME, read_policies(GAME, [policy, policy]), {})
    rows = np.zeros(1, engine.trace)
    rows[0]["state"], rows[0]["seat"] = game.state, game.table.to_move
    rows[0]["stream"]["used"] = rows[0]["stream"]["words"].shape[-1]
    desks, moves = np.zeros(1, engine.desk), np.zeros(1, np.int64)
    found = []
    for _ in range(times):
        engine.decide(game.rules, matchup.compiled(), 0, matchup.minds, rows, desks, moves)
        found.append(int(moves[0]))
    return found


def laid(policy: str, game: Position) -> tuple[str, set[tuple[int, int]]]:
    """The tile that a policy lays in a position, by its letters, and the cells."""
    (move,) = asked(policy, game)
    tile = tile_of(move % PAIRS)
    letters = "".join(sorted(ANIMALS[half][0] for half in divmod(tile, 4)))
    return letters, set(game.spot_of(move))


# --- Random ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "drawings",
    [
        ["bA gA yB pB\nbC gC yD pD", ".  bE gE .\n.  yF pF ."],
        ["bA gA yB\nbC .  yB\nbC pD pD"],
        ["bA gA"],
    ],
)
def test_random_draws_every_legal_move_equally_often(drawings: list[str]) -> None:
    park, _ = drawn(*drawings)
    game = Position(park, [["bg", "bg", "pp"], ["yy"]])
    legal = game.moves()
    found = Counter(asked("random", game, (5 if INTERPRETED else 20) * len(legal)))
    assert fits(found, dict.fromkeys(legal, 1 / len(legal)), ALPHA)


# --- Ideas -----------------------------------------------------------------------------------

BLUE_LINE = """
    bA bA bB gB yC pC
"""


def test_grower_lays_what_makes_its_best_tile_larger() -> None:
    """It keeps the double blue, 3 cells long, and adds the only blue half it has to it."""
    park, _ = drawn(BLUE_LINE)
    tile, cells = laid("grower", Position(park, [["bb", "by"], ["pp"]]))
    assert tile == "by"
    assert cells & {(-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (2, -1), (2, 1), (3, 0)}


def test_keeper_lays_anything_but_the_tile_that_it_has_chosen() -> None:
    game = replayer(["keeper", "random"], {}, seed=2)
    for deal in range(1 if INTERPRETED else 10):
        rows = game.trace(deal).rows
        mine = rows[:-1][rows["seat"][:-1] == 0]
        chosen = {}
        for row in mine:
            after = row["state"]["table"]["round_number"]
            chosen.setdefault(int(after), []).append(tile_of(int(row["move"]) % PAIRS))
        for number, (row, later) in enumerate(zip(mine[::4], mine[4::4], strict=False), 1):
            kept = int(later["state"]["seats"]["notes"][0][1])
            assert int(later["state"]["table"]["known"][0]) == kept
            assert len(chosen[number]) == 4
            assert row["state"]["seats"]["hand"][0][kept] > 0


def test_cutter_covers_what_its_rival_is_known_to_keep() -> None:
    """The rival showed a double blue; of four blue cells in a row one is left, or two apart."""
    park, _ = drawn("bA bA bB bB\n.  gC gC .", ".  .  .  .")
    game = Position(park, [["gp", "gy"], ["bb", "yy"]], known={1: "bb"})
    (move,) = asked("cutter", game)
    cells = game.spot_of(move)
    assert cells == {(1, 0), (2, 0)}
    assert {move % PAIRS // 4, move % 4} & {ANIMALS.index("blue")} == set()


@pytest.mark.parametrize(("policy", "kept"), [("double-hunter", "yy"), ("grower", "bg")])
def test_double_hunter_keeps_a_double_where_others_keep_the_larger_groups(
    policy: str, kept: str
) -> None:
    park, _ = drawn("bA bA bB gB\n.  gC gC gD\n.  yE pE gD")
    position = Position(park, [["yy", "bg"], ["pp"]])
    (move,) = asked(policy, position)
    assert tile_of(move % PAIRS) == tile_number({"yy": "bg", "bg": "yy"}[kept])


@pytest.mark.parametrize(("policy", "laid_tile"), [("lone-wolf", "bg"), ("grower", "py")])
def test_lone_wolf_keeps_what_the_others_are_not_known_to_have(policy: str, laid_tile: str) -> None:
    """Blue and green are larger, but everybody else has shown them."""
    park, _ = drawn("bA bA bB gB\n.  pE pE gD\n.  yF yF gD")
    known = {1: "bg", 2: "bb", 3: "gg"}
    hands = [["bg", "py"], ["bg"], ["bb"], ["gg"]]
    (move,) = asked(policy, Position(park, hands, known=known))
    assert tile_of(move % PAIRS) == tile_number(laid_tile)


# --- Strength --------------------------------------------------------------------------------


def win_rate(words: list[str], games: int) -> float:
    """Share of wins of the first policy."""
    study = Study.of(GAME, words, games=games, seed=20)
    rows = outcomes(study)
    seats: Any = rows["seats"]["win_share"][:, : len(words)]
    turns = rows["rotation"]
    return float(seats[np.arange(len(rows)), turns].mean()) / 60


def test_planner_beats_three_growers_far_above_its_share() -> None:
    """More than 45 % of the games where a quarter would be fair: five sigma, and to spare."""
    if INTERPRETED:
        pytest.skip("needs compiled games")
    assert win_rate(["planner", *["grower"] * 3], 800) > 0.45 + 5 * 0.018


def test_every_strategy_beats_random() -> None:
    if INTERPRETED:
        pytest.skip("needs compiled games")
    for policy in ("grower", "keeper", "cutter", "double-hunter", "lone-wolf", "planner"):
        assert win_rate([policy, "random"], 400) > 0.5 + 5 * 0.025, policy

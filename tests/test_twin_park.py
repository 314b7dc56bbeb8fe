"""Fantastic Park against a slow twin written from the rulebook by somebody who never saw it.

Both get the same order of tiles and the same moves; every event, every set of legal placements
and every column has to be the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from twin_fantastic_park import ANIMALS, Option, Tile
from twin_fantastic_park import play as play_twin

from simlab.compiled import INTERPRETED, plain
from simlab.contract import WHOLE_WIN
from simlab.engine import Matchup, engine_of
from simlab.games.fantastic_park import GAME
from simlab.games.fantastic_park.records import PAIRS, PLACES, ROW
from simlab.policies import read_policies
from simlab.replaying import Replayer, Traced

TEN = (7, 2, 9, 5, 0, 8, 1, 4, 6, 3)
TEN_TILES = [(a, b) for n, a in enumerate(ANIMALS) for b in ANIMALS[n + 1 :]]
TEN_TILES += [(a, a) for a in ANIMALS]
ODD: dict[str, dict[str, Any]] = {
    "seven rounds": {"rounds": 7},
    "all the supply": {"rounds": "supply"},
    "one round": {"rounds": 1},
    "doubles for two": {"double_unique": 2, "tiles": (3, 12)},
    "no doubles": {"tiles": (11, 0)},
    "only doubles": {"tiles": (0, 10), "rounds": "supply"},
    "few tiles": {"tiles": (3, 2), "rounds": "supply"},
    "a box of one's own": {"tiles": TEN, "rounds": "supply"},
    "as many as fit": {"tiles": (10, 7), "rounds": "supply"},
}


def options_of(table: Any, moves: list[int]) -> list[Option]:
    """Moves as the twin writes them: the tile, the cells of its animals, and the level."""
    spots = {move // PAIRS for move in moves}
    where, places = cells_by_address(table), {}
    for spot in spots:
        address, axis = divmod(spot, 2)
        x, y = where[address]
        cells = ((x, y), (x + 1 - axis, y + axis))
        level = table.height[table.ground[address]] if table.ground[address] else 0
        places[spot] = (cells, cells[::-1]), level
    found = []
    for move in moves:
        cells, level = places[move // PAIRS]
        found.append((NAMES[move % PAIRS], cells[TURNED[move % PAIRS]], level))
    return found


def as_the_twin_writes(shown: int) -> tuple[Tile, bool]:
    """A pair of animals by name, sorted, and whether that turned it."""
    one, other = ANIMALS[shown // 4], ANIMALS[shown % 4]
    return ((one, other), False) if one <= other else ((other, one), True)


NAMES, TURNED = zip(*map(as_the_twin_writes, range(PAIRS)), strict=True)


def cells_by_address(table: Any) -> dict[int, tuple[int, int]]:
    """The only cell with each address that is as near to the park as a new tile can be."""
    xs, ys = table.x[1 : table.cells + 1] or [0], table.y[1 : table.cells + 1] or [0]
    cells = [
        (x, y) for y in range(min(ys) - 2, max(ys) + 3) for x in range(min(xs) - 2, max(xs) + 3)
    ]
    where = {(x + ROW * y) % PLACES: (x, y) for x, y in cells}
    assert len(where) == len(cells)
    return where


class Comparison:
    """One deal, played in the engine and, with the same tiles and moves, in the twin."""

    def __init__(self, replayer: Replayer, deal: int) -> None:
        self.replayer = replayer
        self.rules = replayer.matchup.rules
        self.traced: Traced = replayer.trace(deal)
        self.rows = self.traced.rows[:-1].copy()
        self.tables = [plain(row["state"]["table"]) for row in self.rows]
        self.legal = self._legal_sets()
        self.place = 0

    def _legal_sets(self) -> list[set[Option]]:
        counts = np.zeros(len(self.rows), np.int64)
        moves = np.zeros((len(self.rows), GAME.max_moves), np.int64)
        engine_of(GAME).list_legal(self.rules, self.rows, counts, moves)
        found = []
        for table, n, listed in zip(self.tables, counts, moves, strict=True):
            options = set(options_of(table, listed[:n].tolist()))
            assert len(options) == n, "no placement is listed twice"
            found.append(options)
        return found

    def choose(self, seat: int, options: list[Option]) -> Option:
        """What the twin asks: it gets the engine's move, once all else is the same."""
        row = self.rows[self.place]
        assert seat == row["seat"]
        assert self.legal[self.place] == set(options)
        (option,) = options_of(self.tables[self.place], [int(row["move"])])
        self.place += 1
        return option

    def run(self) -> None:
        players, given = len(self.replayer.matchup.policies), self.replayer.matchup.options
        order = self.traced.rows[0]["state"]["hidden"]["order"][: self.rules[0]["tiles"]]
        tiles = [NAMES[tile] for tile in order.tolist()]
        events, result = play_twin(players, tiles, twin_rules(given), self.choose)
        assert self.place == len(self.rows)
        assert [seen.event for seen in self.replayer.events(self.traced)] == events
        self.compare_outcome(players, result)

    def compare_outcome(self, players: int, result: Mapping[str, Any]) -> None:
        outcome, last = self.traced.outcome, self.traced.rows[-1]["state"]
        seats = outcome["seats"][:players]
        for column in ("points", "rank", "on_top"):
            assert seats[column].tolist() == result[column], column
        shares = [Fraction(int(share), WHOLE_WIN) for share in seats["win_share"]]
        assert shares == result["win_share"]
        by_round = seats["points_after"].T.tolist()
        shown = GAME.checkpoints_of(self.rules[0])
        assert len(result["points_by_round"]) == result["rounds"] == outcome["checkpoints"]
        running = np.cumsum(result["points_by_round"], axis=0).tolist()
        assert by_round[: shown - 1] == running[: shown - 1]
        assert by_round[shown - 1] == running[-1]
        for column in ("height", "area", "decisions"):
            assert outcome[column] == result[column], column
        assert seats["choices"].sum() == result["options"]
        assert {a: outcome[f"largest_{a}"] for a in ANIMALS} == result["largest"]
        hidden = last["hidden"]
        left = hidden["order"][hidden["next"] : self.rules[0]["tiles"]].tolist()
        assert [NAMES[tile] for tile in left] == result["supply"]


def twin_rules(given: Mapping[str, Any]) -> dict[str, Any]:
    rules = dict(given)
    if len(rules.get("tiles", ())) == len(TEN):
        rules["tiles"] = dict(zip(TEN_TILES, rules["tiles"], strict=True))
    return rules


def replayer_for(words: list[str], options: dict, seed: int = 5) -> Replayer:
    return Replayer(Matchup(GAME, read_policies(GAME, words), options), seed)


def fitting(options: Mapping[str, Any], players: int) -> bool:
    tiles = options.get("tiles", (9, 3))
    box = 6 * tiles[0] + 4 * tiles[1] if len(tiles) == 2 else sum(tiles)
    return box >= players * (5 if players == 2 else 4)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_engine_and_twin_agree_on_every_event(players: int) -> None:
    replayer = replayer_for([f"{players}xrandom"], {})
    for deal in range(1 if INTERPRETED else 3):
        Comparison(replayer, deal).run()


@pytest.mark.parametrize("players", [2, 5])
def test_engine_and_twin_agree_on_the_parks_of_strategies(players: int) -> None:
    """Parks that grow high, and parks with large groups."""
    words = ["planner", "grower", "cutter", "double-hunter", "random"]
    Comparison(replayer_for(words[:players], {}), 0).run()


@pytest.mark.parametrize("name", ODD)
def test_engine_and_twin_agree_under_odd_rules(name: str) -> None:
    """At two sizes of table, other ones for each odd rule."""
    first = 2 + list(ODD).index(name) % 2
    for players in (first,) if INTERPRETED else (first, first + 2):
        if fitting(ODD[name], players):
            Comparison(replayer_for([f"{players}xrandom"], ODD[name]), 0).run()


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_engine_and_twin_agree_on_300_games(players: int) -> None:
    replayer = replayer_for([f"{players}xrandom"], {}, seed=11)
    for deal in range(2 if INTERPRETED else 300):
        Comparison(replayer, deal).run()

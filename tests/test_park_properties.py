"""What holds at every step of every game of Fantastic Park, whatever the rules and the seed.

Hypothesis draws the settings, the same ones on every run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from park_positions import (
    Park,
    Position,
    largest_groups,
    park_of,
    replayer,
)

from simlab.compiled import INTERPRETED
from simlab.engine import engine_of
from simlab.errors import UsageError
from simlab.games.fantastic_park import GAME
from simlab.games.fantastic_park.records import (
    ANIMALS,
    MOST_CELLS,
    MOST_SPOTS,
    MOST_TILES,
    PAIRS,
    PLACES,
    PRINTED_ROUNDS,
    ROW,
    TILES,
    tile_of,
)
from simlab.policies import built_in

POLICIES = tuple(built_in(GAME))

repeatable = settings(
    derandomize=True, database=None, deadline=None, max_examples=5 if INTERPRETED else 25
)


@dataclass(frozen=True)
class Played:
    """A game's settings; plays it when somebody looks."""

    words: tuple[str, ...]
    options: dict[str, Any]
    seed: int

    @property
    def players(self) -> int:
        return len(self.words)

    @cached_property
    def replayer(self) -> Any:
        return replayer(self.words, self.options, self.seed)

    @cached_property
    def traced(self) -> Any:
        return self.replayer.trace(0)

    @property
    def rules(self) -> Any:
        return self.replayer.matchup.rules

    @property
    def rows(self) -> Any:
        return self.traced.rows

    @property
    def tables(self) -> Any:
        return self.rows["state"]["table"]

    @property
    def hands(self) -> Any:
        """Tiles of each kind in each hand, shape (rows, players, pairs)."""
        return self.rows["state"]["seats"]["hand"][:, : self.players]

    def laid(self) -> Any:
        """Tiles of each kind that lie in the park, shape (rows, pairs)."""
        tiles = [tile_of(int(move) % PAIRS) for move in self.rows["move"][:-1]]
        counts = np.zeros((len(self.rows), PAIRS), np.int64)
        for place, tile in enumerate(tiles, 1):
            counts[place] = counts[place - 1]
            counts[place, tile] += 1
        return counts

    def supplies(self) -> Any:
        """Tiles of each kind in the supply, shape (rows, pairs)."""
        hidden, tiles = self.rows["state"]["hidden"], int(self.rules[0].tiles)
        places = zip(hidden["order"], hidden["next"], strict=True)
        lying = [order[first:tiles] for order, first in places]
        return np.array([np.bincount(kinds, minlength=PAIRS) for kinds in lying])


@st.composite
def games(draw: Any) -> Played:
    """Any game under any rules."""
    players = draw(st.integers(2, 5))
    hand = draw(st.sampled_from(["printed", 2, 3, 6]))
    size = (5 if players == 2 else 4) if hand == "printed" else hand
    ten = st.lists(st.integers(0, 12), min_size=10, max_size=10).map(tuple)
    tiles = draw(
        st.one_of(
            st.sampled_from([(9, 3), (7, 6), (1, 15), (14, 1)]),
            ten.filter(lambda numbers: players * size <= sum(numbers) <= MOST_TILES),
        ).filter(lambda numbers: box_of(numbers) <= MOST_TILES)
    )
    options = {
        "tiles": tiles,
        "hand": hand,
        "rounds": draw(st.sampled_from(["printed", "supply", 1, 3])),
        "double_unique": draw(st.integers(2, 4)),
    }
    words = draw(st.lists(st.sampled_from(POLICIES), min_size=players, max_size=players))
    return Played(tuple(words), options, draw(st.integers(0, 2**64 - 1)))


def box_of(numbers: tuple[int, ...]) -> int:
    return 6 * numbers[0] + 4 * numbers[1] if len(numbers) == 2 else sum(numbers)


# --- Tiles -----------------------------------------------------------------------------------


@repeatable
@given(games())
def test_no_tile_is_lost_or_made(game: Played) -> None:
    """Hands, supply and park are the box, before every decision and at the end."""
    everything = game.hands.sum(axis=1) + game.supplies() + game.laid()
    assert (everything == game.rules[0].copies).all()
    assert (game.tables["supply"] == game.supplies().sum(axis=1)).all()
    assert (game.tables["hand_tiles"][:, : game.players] == game.hands.sum(axis=2)).all()


@repeatable
@given(games())
def test_what_is_unseen_is_in_the_supply_or_unknown_in_hands(game: Played) -> None:
    known = game.tables["known"][:, : game.players]
    shown = (known[:, :, None] == np.arange(PAIRS)).sum(axis=1)
    hidden = game.hands.sum(axis=1) + game.supplies() - shown
    assert (game.tables["unseen"] == hidden).all()
    for row, seats in zip(game.hands, known, strict=True):
        assert all(tile < 0 or hand[tile] > 0 for hand, tile in zip(row, seats, strict=True))


@repeatable
@given(games())
def test_every_half_of_a_tile_lies_on_one_cell(game: Played) -> None:
    """The heights of all cells add up to two for each tile; the last one laid can be seen."""
    cells = np.arange(MOST_CELLS + 1)
    for row, table in enumerate(game.tables):
        inside = (cells >= 1) & (cells <= table["cells"])
        assert table["height"][inside].sum() == 2 * row
        assert (table["height"][inside] >= 1).all()
        found = np.flatnonzero(table["ground"])
        assert sorted(table["address"][inside]) == found.tolist()
        assert (table["ground"][table["address"][inside]] == cells[inside]).all()
        assert ((table["x"] + ROW * table["y"])[inside] % PLACES == table["address"][inside]).all()


# --- The course of the game ------------------------------------------------------------------


@repeatable
@given(games())
def test_seats_lay_tiles_in_turn_and_the_token_goes_round(game: Played) -> None:
    in_a_round = game.players * (int(game.rules[0].hand) - 1)
    decisions = np.arange(len(game.rows) - 1)
    rounds, turns = np.divmod(decisions, in_a_round)
    assert (game.tables["round_number"][:-1] == rounds + 1).all()
    assert (game.rows["seat"][:-1] == (rounds + turns) % game.players).all()
    assert len(decisions) == in_a_round * int(game.rules[0].rounds)


@repeatable
@given(games())
def test_points_are_those_of_the_tours(game: Played) -> None:
    """Each tour again, from the tiles that all hold and groups found by walking."""
    before = np.zeros(game.players, np.int64)
    in_a_round = game.players * (int(game.rules[0].hand) - 1)
    for row in game.rows[in_a_round::in_a_round]:
        table = row["state"]["table"]
        groups = park_of(table).groups()
        tiles = table["known"][: game.players].tolist()
        expected = [tour(tiles, seat, groups, game) for seat in range(game.players)]
        points = table["points"][: game.players]
        assert (points - before).tolist() == expected
        before = points
    kinds = ("mixed_points", "double_points", "unique_points")
    seats = game.traced.outcome["seats"][: game.players]
    assert (sum(seats[kind] for kind in kinds) == seats["points"]).all()


def tour(tiles: list[int], seat: int, groups: dict[str, int], game: Played) -> int:
    others = {half for n, tile in enumerate(tiles) if n != seat for half in divmod(tile, 4)}
    one, other = divmod(tiles[seat], 4)
    if one == other:
        return groups[ANIMALS[one]] * (2 if one in others else game.options["double_unique"])
    return sum(groups[ANIMALS[half]] * (1 if half in others else 2) for half in (one, other))


# --- Places ----------------------------------------------------------------------------------


@repeatable
@given(games(), st.data())
def test_the_legal_moves_are_the_places_found_by_trying_and_no_others(
    game: Played, data: Any
) -> None:
    """At one decision of the game: places, ways to lie, and how many the table says there are."""
    row = game.rows[data.draw(st.integers(1, len(game.rows) - 2))]
    position = Position(park_of(row["state"]["table"]), [["bg"]] * game.players)
    position.table.to_move = 0
    position.state.seats[0].hand[:] = row["state"]["seats"]["hand"][row["seat"]]
    spots = park_of(row["state"]["table"]).spots()
    assert row["state"]["table"]["spots"] == len(spots)
    legal = position.legal()
    assert set(legal) == spots
    held = {tile for tile in range(PAIRS) if position.state.seats[0].hand[tile] > 0}
    ways = {(ANIMALS[a], ANIMALS[b]) for tile in held for a, b in both(*divmod(tile, 4))}
    assert all(found == ways for found in legal.values())
    # The same numbers, whether the park was laid tile by tile or set down at once.
    rows = np.array([row])
    counts, moves = np.zeros(1, np.int64), np.zeros((1, GAME.max_moves), np.int64)
    engine_of(GAME).list_legal(game.rules, rows, counts, moves)
    assert moves[0][: counts[0]].tolist() == position.moves()


def both(one: int, other: int) -> set[tuple[int, int]]:
    return {(one, other), (other, one)}


TURNS = {
    "a quarter turn": lambda cell: (-cell[1], cell[0]),
    "half a turn": lambda cell: (-cell[0], -cell[1]),
    "a mirror": lambda cell: (-cell[0], cell[1]),
    "the other mirror": lambda cell: (cell[1], cell[0]),
    "a long way": lambda cell: (cell[0] + 5000, cell[1] - 777),
}


@repeatable
@given(games(), st.data())
def test_a_park_turned_mirrored_or_moved_has_the_same_groups_and_places(
    game: Played, data: Any
) -> None:
    row = game.rows[data.draw(st.integers(1, len(game.rows) - 1))]
    park = park_of(row["state"]["table"])
    parks = [park.mapped(turn) for turn in TURNS.values()]
    assert largest_groups([park, *parks]) == [park.groups()] * (1 + len(parks))
    places = Position(park, [["bg"], ["bg"]]).legal()
    for turn, turned in zip(TURNS.values(), parks, strict=True):
        expected = {frozenset(map(turn, spot)) for spot in places}
        assert set(Position(turned, [["bg"], ["bg"]]).legal()) == expected


# --- The edge that nobody can feel -----------------------------------------------------------


def steps_apart(dx: int, dy: int) -> int:
    return abs(dx) + abs(dy)


def test_no_two_cells_of_any_park_share_an_address() -> None:
    """Cells of a park, or next to one, are at most two a tile apart; equal addresses are more."""
    reach = 2 * MOST_TILES + 1
    for dx in range(-reach, reach + 1):
        for dy in range(-reach, reach + 1):
            if 0 < steps_apart(dx, dy) <= reach:
                assert (dx + ROW * dy) % PLACES != 0
    assert (
        min(
            steps_apart(dx, dy)
            for dx in range(-200, 201)
            for dy in range(-200, 201)
            if (dx, dy) != (0, 0) and (dx + ROW * dy) % PLACES == 0
        )
        > reach
    )


def a_path(steps: list[tuple[int, int]], tiles: int) -> Park:
    """Tiles end to end; each half of a tile is some steps on."""
    park, (x, y) = Park(), (0, 0)
    for half in range(2 * tiles):
        park.cells[x, y] = (ANIMALS[half % 4], 1, half // 2)
        dx, dy = steps[half % len(steps)]
        x, y = x + dx, y + dy
    return park


LONG_PARKS = {
    "a line": [(1, 0)],
    "a column": [(0, 1)],
    "a stair up": [(1, 0), (0, -1)],
    "a stair down": [(1, 0), (0, 1)],
    "a flat stair": [(1, 0), (1, 0), (1, 0), (0, 1)],
    "a steep stair": [(0, 1), (0, 1), (-1, 0), (0, 1)],
}


@pytest.mark.parametrize("name", LONG_PARKS)
def test_the_longest_parks_have_no_more_and_no_fewer_places_than_in_the_plane(name: str) -> None:
    """All tiles but one, in the shapes that reach farthest; then the last tile, and its groups."""
    park = a_path(LONG_PARKS[name], MOST_TILES - 1)
    position = Position(park, [["bg"], ["bg"]])
    assert set(position.legal()) == park.spots()
    assert len(park.spots()) <= MOST_SPOTS
    whole = Park(
        {
            cell: ("blue", 1, tile)
            for cell, (_, _, tile) in a_path(LONG_PARKS[name], MOST_TILES).cells.items()
        }
    )
    assert largest_groups([whole])[0]["blue"] == len(whole.cells) == MOST_CELLS
    split = Park(
        {cell: (ANIMALS[n % 2], *shown[1:]) for n, (cell, shown) in enumerate(whole.cells.items())}
    )
    assert largest_groups([split])[0]["blue"] == 1, "the ends do not touch each other"


def test_more_tiles_than_the_park_has_room_for_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^tiles: .* 88 tiles, got 90: lower the copies$"):
        GAME.rules_for(4, {"tiles": (9, 9)})
    assert GAME.rules_for(4, {"tiles": (10, 7)})[0].tiles == MOST_TILES


# --- The supply ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "first", "refill", "supply_rounds", "left", "left_at_supply"),
    [(2, 10, 8, 8, 0, 0), (3, 12, 9, 7, 9, 0), (4, 16, 12, 5, 2, 2), (5, 20, 15, 4, 1, 1)],
)
def test_tiles_last_as_long_as_the_arithmetic_says(
    players: int, first: int, refill: int, supply_rounds: int, left: int, left_at_supply: int
) -> None:
    """First deal, refill each round, and what is left after the printed and all possible rounds."""
    for rounds, played, rest in (
        ("printed", PRINTED_ROUNDS[players], left),
        ("supply", supply_rounds, left_at_supply),
        (88, supply_rounds, left_at_supply),
    ):
        game = Played(("random",) * players, {"rounds": rounds}, seed=1)
        supply = game.tables["supply"]
        assert supply[0] == 66 - first
        assert supply[refill] == supply[0] - refill
        assert game.traced.outcome.checkpoints == played
        assert supply[-1] == rest
        assert len(game.rows) - 1 == played * refill


def test_the_printed_box_has_66_tiles_and_33_halves_of_each_animal() -> None:
    rules = GAME.rules_for(2, {})[0]
    assert rules.tiles == sum(rules.copies) == 66
    for animal in range(4):
        halves = sum(rules.copies[tile] * divmod(tile, 4).count(animal) for tile in TILES)
        assert halves == 33

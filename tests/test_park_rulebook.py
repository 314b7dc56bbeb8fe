"""Fantastic Park's worked example, and right and wrong places for a tile, drawn by hand.

See `park_positions` for how to read a drawing.
"""

from __future__ import annotations

import pytest
from park_positions import Park, Position, drawn, largest_groups

from simlab.games.fantastic_park.records import ANIMALS

NASTYA, EGOR, ANDREY, NIKITA = range(4)

# --- The worked example ----------------------------------------------------------------------

SECOND_ROUND = """
    gA gA gB yC yC yD
    gE gE gB yF yF yD
    bG bG pH pH .  .
    bI bI pJ pJ .  .
"""


def test_the_example_of_the_second_round_scores_10_12_14_and_10() -> None:
    """Groups of 4 blue, 6 green, 6 yellow and 4 pink; only Andrey shows pink."""
    park, _ = drawn(SECOND_ROUND)
    hands = [["bg", "py"], ["yy", "bg"], ["gp", "by"], ["by", "gp"]]
    game = Position(park, hands, turn=8, round_number=2)
    assert game.lay("py", (0, 4), (0, 5))
    assert game.lay("gb", (1, 4), (1, 5))
    assert game.lay("yb", (2, 4), (2, 5))
    assert game.points == [0, 0, 0, 0]
    assert game.lay("gp", (3, 4), (3, 5))
    assert game.table.largest.tolist() == [4, 6, 4, 6]  # blue, green, pink, yellow
    assert game.points == [10, 12, 14, 10]


def test_after_the_tours_hands_are_filled_and_the_token_goes_to_the_left() -> None:
    """Tiles that were kept stay in hands, known to all; the park stays as it is."""
    park, _ = drawn(SECOND_ROUND)
    hands = [["bg", "py"], ["yy", "bg"], ["gp", "by"], ["by", "gp"]]
    game = Position(park, hands, turn=8, round_number=2)
    game.state.hidden.order[:12] = 4 * 0 + 0  # the supply: blue doubles
    for tile, column in (("py", 0), ("gb", 1), ("yb", 2), ("gp", 3)):
        assert game.lay(tile, (column, 4), (column, 5))
    assert game.table.hand_tiles[:4].tolist() == [4, 4, 4, 4]
    assert game.state.seats[ANDREY].hand.sum() == 4
    assert game.table.known[:4].tolist() == [1, 15, 6, 3]  # bg, yy, gp, by
    assert (game.table.round_number, game.table.starter, game.table.to_move) == (3, 1, EGOR)
    assert game.table.cells == len(park.cells) + 8


# --- Tours -----------------------------------------------------------------------------------

FOUR_SIZES = """
    bA bA gB .  .
    .  yC gB gD gD
    .  yC yE pE .
"""
"""Groups of 2 blue, 4 green, 1 pink and 3 yellow animals."""


def scored(tiles: list[str], **options: object) -> list[int]:
    """Points when these tiles are shown in a park with 2 blue, 4 green, 1 pink, 3 yellow."""
    park, _ = drawn(FOUR_SIZES)
    hands = [[tiles[0], "bp"], *([tile] for tile in tiles[1:])]
    last_turn = len(tiles) * (4 if len(tiles) == 2 else 3) - 1
    game = Position(park, hands, turn=last_turn, starter=-last_turn % len(tiles), **options)
    assert game.lay("pb", (1, 3), (0, 3))  # below yellow: nothing grows
    assert game.table.largest.tolist() == [2, 4, 1, 3]
    return game.points


@pytest.mark.parametrize(
    ("tiles", "points"),
    [
        (["bg", "bg"], [6, 6]),  # two animals, added
        (["gg", "bg"], [8, 2 * 2 + 4]),  # a double counts twice; blue is alone
        (["gg", "bp"], [4 * 4, 2 * 2 + 2 * 1]),  # a double of an animal that nobody else shows
        (["gy", "gb"], [4 + 2 * 3, 4 + 2 * 2]),  # one of two animals alone
        (["gy", "bp"], [2 * 4 + 2 * 3, 2 * 2 + 2 * 1]),  # both animals alone
        (["yy", "yy", "gp"], [6, 6, 10]),  # two equal doubles take each other's bonus
        (["bg", "gy", "yb"], [6, 7, 5]),  # every animal twice
        (["bb", "gg", "pp", "yy"], [8, 16, 4, 12]),  # each alone
    ],
)
def test_a_tour_scores(tiles: list[str], points: list[int]) -> None:
    assert scored(tiles) == points


def test_a_double_alone_may_count_twice_only() -> None:
    assert scored(["gg", "bp"], double_unique=2) == [2 * 4, 2 * 2 + 2 * 1]
    assert scored(["gg", "gp"], double_unique=2) == scored(["gg", "gp"]) == [8, 4 + 2]


def test_an_animal_that_is_not_in_the_park_scores_nothing() -> None:
    park, _ = drawn("bA gA")
    game = Position(park, [["yy", "bp"], ["py"]])
    game.table.turn, game.table.to_move = 7, 0
    assert game.lay("bp", (0, 1), (1, 1))
    assert game.points == [0, 2]  # one pink, for one seat alone


def test_the_tile_that_is_kept_is_the_one_that_was_never_laid() -> None:
    """There is no decision between the last tile and the tours."""
    park, _ = drawn("bA gA")
    game = Position(park, [["bg", "pp"], ["yy"]])
    game.table.turn, game.table.to_move = 7, 0
    assert game.lay("pp", (2, 0), (3, 0))
    assert game.table.checkpoint == 1
    assert game.table.known[:2].tolist() == [1, 15]


# --- Groups ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawings", "sizes"),
    [
        (["bA bA bB gB"], (3, 1, 0, 0)),
        (["bA gA .\n.  bB gB"], (1, 1, 0, 0)),  # blue and blue touch at a corner only
        (["bA gA bB\n.  .  yB"], (1, 1, 0, 1)),  # blue is cut by green
        (["bA bA bB\n.  .  bB", ".  gC gC"], (1, 2, 0, 0)),  # covered cells do not count
        (["bA yA gB\n.  .  gB", ".  bC bC"], (3, 1, 0, 0)),  # at whatever height
        (["bA bA\nbB bB\nbC bC", ".  .\n.  gD\n.  pD"], (4, 1, 1, 0)),
        (["bA bA bB bB\nbC .  .  bD\nbC bE bE bD"], (10, 0, 0, 0)),  # round a hole
    ],
)
def test_the_largest_groups_are(drawings: list[str], sizes: tuple[int, ...]) -> None:
    park, _ = drawn(*drawings)
    assert largest_groups([park]) == [dict(zip(ANIMALS, sizes, strict=True))]


# --- Right places ----------------------------------------------------------------------------


def may_lie(*drawings: str) -> bool:
    """Whether a tile may lie on the marked cells: all ways round, or none."""
    park, marked = drawn(*drawings)
    ways = Position(park, [["bg", "pp"], ["yy"]]).legal().get(frozenset(marked), set())
    assert ways in (set(), {("blue", "green"), ("green", "blue"), ("pink", "pink")})
    return bool(ways)


RIGHT = {
    "side by side": ["bA gA\n## ##"],
    "end to end": ["bA gA ## ##"],
    "across the end": ["bA gA ##\n.  .  ##"],
    "with one half only": [".  bA gA\n## ## .\n"],
    "in a gap between two tiles": ["bA gA\n## ##\nbB gB"],
    "in a hole of the park": ["bA gA yB yB\nbC ## ## gD\nbC yE yE gD"],
    "next to animals of another kind": ["yA yA ## ##"],
    "across two tiles side by side": ["bA gA\nyB pB", "## .\n## ."],
    "across two tiles end to end": ["bA gA yB pB", ".  ## ##"],
    "across a tile and the end of another": ["bA gA yB\n.  .  pB", ".  ## ##"],
    "two levels up": ["bA gA yB pB\nbC gC yD pD", ".  bE gE .\n.  yF pF .", ".  ## .\n.  ## ."],
    "hiding two tiles that were half hidden": ["bA gA\nbC gC", ".  yE\n.  pE", "## .\n## ."],
    "beside a tower": ["bA gA yB pB", ".  bC gC", ".  .  .  .  ##\n.  .  .  .  ##"],
    "to the left of and above the first tile": [".  ##\n.  ##\nbA gA"],
}
WRONG = {
    "at a corner only": ["bA gA .\n.  .  ##\n.  .  ##"],
    "away from the park": ["bA gA .\n.  .  .\n## ## ."],
    "on one whole tile": ["bA gA", "## ##"],
    "on one whole tile in the midst of others": ["bA gA yB\nyC pC yB", "## ##\n.  ."],
    "half on the table, half on a tile": ["bA gA .", ".  ## ##"],
    "across two heights": ["bA gA yB pB", ".  bC gC", "## ##"],
    "across two heights, the other way": ["bA gA yB pB", ".  bC gC", ".  .  ## ##"],
    "on the whole of a tile that lies on top": ["bA gA yB pB", ".  bC gC", ".  ## ##"],
    "half on a tower, half on the table": ["bA gA\nyB pB", ".  bC\n.  gC", ".  ## ##"],
    "over a hole": ["bA gA yB\nbC .  yB\nbC pD pD", ".  ##\n.  ##"],
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_tile_may_lie(name: str) -> None:
    assert may_lie(*RIGHT[name])


@pytest.mark.parametrize("name", WRONG)
def test_a_tile_may_not_lie(name: str) -> None:
    assert not may_lie(*WRONG[name])


def test_the_first_tile_has_one_place_and_the_second_any_around_it() -> None:
    """Each tile of the hand is one choice on the bare table. Around it there are 16 places."""
    game = Position(Park(), [["bg", "pp"], ["bg", "yy"]])
    assert len(game.moves()) == 2
    assert game.lay("bg", (0, 0), (1, 0))
    legal = game.legal()
    assert len(legal) == 16
    assert all(
        ways == {("blue", "green"), ("green", "blue"), ("yellow", "yellow")}
        for ways in legal.values()
    )


def test_equal_tiles_are_one_choice_and_a_double_lies_one_way() -> None:
    park, _ = drawn("bA gA")
    assert len(Position(park, [["bg", "bg", "bg", "bg"], ["yy"]]).moves()) == 32
    assert len(Position(park, [["pp", "pp", "bg"], ["yy"]]).moves()) == 48
    assert len(Position(park, [["pp"], ["yy"]]).moves()) == 16


def test_a_move_that_is_not_legal_is_not_allowed() -> None:
    park, _ = drawn("bA gA yB pB")
    game = Position(park, [["bg", "pp"], ["yy", "yy"]])
    assert not game.lay("yy", (4, 0), (5, 0))  # a tile of another hand
    assert not game.lay("bg", (0, 0), (1, 0))  # a whole tile
    assert not game.lay("bg", (7, 0), (8, 0))  # away
    assert game.lay("gb", (1, 0), (2, 0))
    assert game.table.height[1 : 1 + 4].tolist() == [1, 2, 2, 1]
    assert game.table.on_top[0] == 1
    assert not game.lay("yy", (1, 0), (2, 0))  # the tile that lies there now

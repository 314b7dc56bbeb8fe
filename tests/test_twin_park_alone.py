"""The slow Fantastic Park against the rulebook: examples, positions drawn by hand, random parks.

A drawing has a word for each cell: the animal's first letter and the tile's name, so that `bA gA`
is a blue-green tile A, and `.` is bare table. Further drawings are further layers. `##` marks the
two cells on which somebody wants to lay a tile.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twin_fantastic_park import (
    ANIMALS,
    Cell,
    Option,
    Park,
    Tile,
    groups_of,
    largest_groups,
    lay,
    level_for,
    placements,
    play,
    seen_from_above,
    sorted_tile,
    spots,
    tile_counts,
    tour,
)

LETTERS = {animal[0]: animal for animal in ANIMALS}
BG: Tile = ("blue", "green")
BY: Tile = ("blue", "yellow")
GP: Tile = ("green", "pink")
BB: Tile = ("blue", "blue")
PP: Tile = ("pink", "pink")
YY: Tile = ("yellow", "yellow")

repeatable = settings(derandomize=True, database=None, deadline=None, max_examples=60)


# --- Drawings ---


def words_of(drawing: str) -> dict[Cell, str]:
    rows = [line.split() for line in drawing.strip().splitlines()]
    cells = {(x, y): word for y, row in enumerate(rows) for x, word in enumerate(row)}
    return {cell: word for cell, word in cells.items() if word != "."}


def park_of(*layers: str) -> Park:
    """The park that these drawings show, laid tile by tile."""
    park: Park = {}
    numbers = iter(range(1000))
    for level, layer in enumerate(layers):
        tiles: dict[str, list[tuple[str, Cell]]] = defaultdict(list)
        for cell, word in words_of(layer).items():
            tiles[word[1:]].append((LETTERS[word[0]], cell))
        for name, ends in tiles.items():
            (one, here), (other, there) = ends
            assert abs(here[0] - there[0]) + abs(here[1] - there[1]) == 1, name
            lay(park, ((one, other), (here, there), level), next(numbers))
    return park


def level_at(where: str, *layers: str) -> int | None:
    """The level at which a tile may lie on the cells marked ##, None if it may not."""
    one, other = words_of(where)
    park = park_of(*layers)
    level = level_for(park, one, other)
    assert level_for(park, other, one) == level
    assert (level is not None) == ((one, other, level) in spots(park))
    return level


def view_of(drawing: str) -> Park:
    """A park of single ends: for groups, it does not matter which ends are one tile."""
    cells = words_of(drawing)
    return {cell: [(LETTERS[word], i)] for i, (cell, word) in enumerate(cells.items())}


# --- The tiles ---


def test_the_box_has_66_tiles_with_33_halves_of_each_animal() -> None:
    for split in ((9, 3), (7, 6), (5, 9)):
        counts = tile_counts(split)
        assert sum(counts.values()) == 66
        assert len(counts) == 10
        halves: Counter = Counter()
        for tile, copies in counts.items():
            for animal in tile:
                halves[animal] += copies
        assert halves == dict.fromkeys(ANIMALS, 33)


def test_nine_mixed_and_three_doubles_means_nine_blue_green_and_three_blue_blue() -> None:
    assert (tile_counts((9, 3))[BG], tile_counts((9, 3))[BB]) == (9, 3)
    assert tile_counts({("green", "blue"): 2}) == {BG: 2}


# --- Placing, right and wrong ---


def test_a_tile_may_join_another_by_the_side_of_one_of_its_ends() -> None:
    assert level_at(".  .  ## ##", "bA gA .  .") == 0


def test_a_tile_may_join_by_its_whole_length() -> None:
    assert level_at(".  .\n## ##", "bA gA\n.  .") == 0


def test_a_tile_may_stand_upright_beside_another() -> None:
    assert level_at(".  .  ##\n.  .  ##", "bA gA .\n.  .  .") == 0


def test_a_tile_that_meets_the_park_at_a_corner_only_does_not_join_it() -> None:
    assert level_at(".  .  .  .\n.  .  ## ##", "bA gA .  .\n.  .  .  .") is None


def test_a_tile_apart_from_the_park_does_not_join_it() -> None:
    assert level_at(".  .  .  ## ##", "bA gA .  .  .") is None


def test_a_gap_inside_the_park_may_be_filled_from_below_but_not_by_half() -> None:
    ring = """
        bA gA yB
        pC .  yB
        pC gD bD
    """
    assert level_at(".  .  .\n.  ## .\n.  ## .", ring) is None
    wider = """
        bA gA yB
        pC .  yB
        pC .  bD
        gE gE bD
    """
    assert level_at(".  .  .\n.  ## .\n.  ## .\n.  .  .", wider) == 0


def test_a_tile_may_lie_across_two_tiles_in_a_row() -> None:
    assert level_at(".  ## ## .", "bA gA yB pB") == 1


def test_a_tile_may_lie_across_two_tiles_side_by_side() -> None:
    assert level_at("## .\n## .", "bA gA\nyB pB") == 1


def test_a_tile_may_not_cover_another_one_whole() -> None:
    assert level_at("## ## .  .", "bA gA yB pB") is None


def test_a_tile_may_not_lie_half_on_the_table_and_half_on_a_tile() -> None:
    assert level_at(".  ## ##", "bA gA .") is None
    assert level_at("## .\n## .", "bA gA\n.  .") is None


def test_a_tile_may_not_lie_on_two_heights() -> None:
    assert level_at(".  .  ## ## .  .", "bA gA yB pB gC bC", ".  bD bD .  .  .") is None


def test_a_tile_may_lie_across_two_tiles_on_the_second_floor() -> None:
    ground = """
        bA gA yB pB
        yC gC gE bE
    """
    upper = """
        .  yD pD .
        .  bF gF .
    """
    assert level_at(".  ## .  .\n.  ## .  .", ground, upper) == 2
    assert level_at(".  ## ## .\n.  .  .  .", ground, upper) is None  # covers D whole


def test_the_two_ends_below_count_by_what_lies_on_top_of_them() -> None:
    """Both of C's ends are one tile's below, but D and E lie on them now."""
    ground = """
        bA .  .  pB
        gA yC yC gB
    """
    upper = """
        .  .  .  .
        bD gD gE pE
    """
    assert level_at(".  .  .  .\n.  ## ## .", ground, upper) == 2


def test_a_tile_half_covered_before_may_be_covered_whole_by_another_one() -> None:
    ground = """
        bA gA yB pB
        .  bC gC .
        .  yF yF .
    """
    upper = """
        .  .  bD .
        .  .  pD .
        .  .  .  .
    """
    assert level_at(".  ## .  .\n.  ## .  .\n.  .  .  .", ground, upper) == 1


def test_there_is_no_limit_to_the_height() -> None:
    """Two bricks across, two bricks along, again and again."""
    park = park_of("bA gA\nyB pB")
    for level in range(1, 30):
        across = [((0, 0), (0, 1)), ((1, 0), (1, 1))]
        along = [((0, 0), (1, 0)), ((0, 1), (1, 1))]
        for one, other in across if level % 2 else along:
            assert (one, other, level) in spots(park)
            lay(park, (GP, (one, other), level), 1000 + 2 * level + one[0] + one[1])


def test_colours_need_not_match_and_every_way_to_lay_a_tile_is_listed_once() -> None:
    """Around one tile: five places above it, five below, three at each end."""
    park = park_of("bA gA")
    where = {(one, other) for one, other, _ in spots(park)}
    for y, outer in ((-1, -2), (1, 2)):  # above and below: three lying, two upright
        assert {((x, y), (x + 1, y)) for x in (-1, 0, 1)} <= where
        assert {((x, min(y, outer)), (x, max(y, outer))) for x in (0, 1)} <= where
    assert {((-2, 0), (-1, 0)), ((-1, -1), (-1, 0)), ((-1, 0), (-1, 1))} <= where
    assert {((2, 0), (3, 0)), ((2, -1), (2, 0)), ((2, 0), (2, 1))} <= where
    assert len(where) == 16
    assert len(placements(park, [BG])) == 32
    assert len(placements(park, [PP])) == 16
    assert len(placements(park, [BG, PP, BG])) == 48


def test_the_first_tile_has_one_place_whatever_it_shows() -> None:
    first = ((0, 0), (1, 0))
    assert placements({}, [GP, BB, GP]) == [(BB, first, 0), (GP, first, 0)]


# --- Groups ---


def test_neighbours_at_a_right_angle_are_one_group_and_diagonal_ones_are_not() -> None:
    view = view_of("""
        b b g
        g b b
        b g g
    """)
    assert largest_groups(view) == {"blue": 4, "green": 2, "pink": 0, "yellow": 0}
    assert sorted(len(group) for _, group in groups_of(view)) == [1, 1, 1, 2, 4]


def test_a_lone_animal_is_a_group_of_one_and_a_missing_one_of_none() -> None:
    assert largest_groups(view_of("b g")) == {"blue": 1, "green": 1, "pink": 0, "yellow": 0}


def test_only_what_is_visible_counts_and_its_height_does_not() -> None:
    ground = "bA bA bB bB"
    assert largest_groups(park_of(ground))["blue"] == 4
    split = park_of(ground, ".  gC yC .")
    assert largest_groups(split) == {"blue": 1, "green": 1, "pink": 0, "yellow": 1}
    joined = park_of("bA gA gB bB", ".  bC bC .")
    assert largest_groups(joined)["blue"] == 4


def test_groups_go_round_corners_and_holes() -> None:
    view = view_of("""
        y y y y
        y . . y
        y p p y
        y y g y
    """)
    assert largest_groups(view) == {"blue": 0, "green": 1, "pink": 2, "yellow": 11}


# --- Tours ---

AFTER_TWO_ROUNDS = """
    b b g g g b
    p b b g g p
    p p y y g y
    b p g y y y
    y g b p p g
    g b p b y p
    p g b y p y
"""


def test_the_rulebooks_example_of_a_second_round_with_four_players() -> None:
    """Groups of 4 blue, 6 green, 6 yellow, 4 pink; 10, 12, 14 and 10 points."""
    largest = largest_groups(view_of(AFTER_TWO_ROUNDS))
    assert largest == {"blue": 4, "green": 6, "yellow": 6, "pink": 4}
    tiles = [BG, YY, GP, BY]  # Nastya, Egor, Andrey, Nikita
    tours = [tour(largest, tiles, seat) for seat in range(4)]
    assert [scored["points"] for scored in tours] == [10, 12, 14, 10]
    assert tours[0]["groups"] == {"blue": 4, "green": 6}
    assert tours[1]["groups"] == {"yellow": 6}


def test_a_unique_animal_of_a_mixed_tile_is_doubled_alone() -> None:
    largest = {"blue": 5, "green": 3, "pink": 0, "yellow": 1}
    assert tour(largest, [BG, BY], 0)["points"] == 5 + 2 * 3
    assert tour(largest, [BG, BY], 1)["points"] == 5 + 2 * 1


def test_two_unique_animals_are_both_doubled() -> None:
    largest = {"blue": 5, "green": 3, "pink": 2, "yellow": 1}
    assert tour(largest, [BG, PP, YY], 0)["points"] == 2 * 5 + 2 * 3


def test_a_double_that_somebody_else_shows_is_doubled_once() -> None:
    largest = {"blue": 5, "green": 3, "pink": 0, "yellow": 1}
    assert tour(largest, [BB, BG], 0)["points"] == 10
    assert tour(largest, [BB, BB], 0)["points"] == 10


@pytest.mark.parametrize(("double_unique", "points"), [(4, 20), (2, 10)])
def test_a_double_of_a_unique_animal_counts_as_the_rule_says(
    double_unique: int, points: int
) -> None:
    largest = {"blue": 5, "green": 3, "pink": 0, "yellow": 1}
    assert tour(largest, [BB, GP], 0, double_unique)["points"] == points
    assert tour(largest, [BB, BG], 0, double_unique)["points"] == 10
    assert tour(largest, [BG, YY], 0, double_unique)["points"] == 2 * 5 + 2 * 3


def test_an_animal_that_is_not_in_the_park_brings_nothing() -> None:
    largest = {"blue": 0, "green": 3, "pink": 0, "yellow": 1}
    scored = tour(largest, [BB, BG], 0)
    assert scored == {"groups": {"blue": 0}, "points": 0}


# --- A small game by hand ---


def follow(moves: list[tuple[int, Option]]) -> Callable[[int, list[Option]], Option]:
    script = iter(moves)

    def choose(seat: int, options: list[Option]) -> Option:
        expected, option = next(script)
        assert seat == expected
        assert option in options
        return option

    return choose


def row(tile: Tile, x: int, y: int) -> Option:
    return (tile, ((x, y), (x + 1, y)), 0)


def test_a_game_of_one_round_by_hand() -> None:
    """Seat 0 lays blue-greens in a column, seat 1 yellows beside them; then a last one on top.

    b g y y
    b g y y
    b g y y
    b g p p   and pink-green across the y and the b of the top row: not next to each other, so
              seat 1's last tile goes across g and y of the top row instead.
    """
    order = [BG] * 5 + [YY, YY, YY, GP, BB]
    moves = [
        (0, row(BG, 0, 0)),
        (1, row(YY, 2, 0)),
        (0, row(BG, 0, 1)),
        (1, row(YY, 2, 1)),
        (0, row(BG, 0, 2)),
        (1, row(YY, 2, 2)),
        (0, row(BG, 0, 3)),
        (1, (GP, ((2, 0), (1, 0)), 1)),
    ]
    tiles = {BG: 5, YY: 3, GP: 1, BB: 1}
    events, result = play(2, order, {"tiles": tiles}, follow(moves))
    assert events[0] == {"event": "deal", "seat": 0, "tiles": [["blue", "green"]] * 5}
    assert events[1]["tiles"] == [["blue", "blue"], ["green", "pink"]] + [["yellow"] * 2] * 3
    assert events[2] == {
        "event": "place",
        "round": 1,
        "seat": 0,
        "tile": ["blue", "green"],
        "cells": [[0, 0], [1, 0]],
        "level": 0,
    }
    assert events[9]["cells"] == [[2, 0], [1, 0]]
    assert events[9]["level"] == 1
    assert events[10:] == [
        {
            "event": "tour",
            "round": 1,
            "seat": 0,
            "tile": ["blue", "green"],
            "groups": {"blue": 4, "green": 3},
            "points": 4 + 2 * 3,
        },
        {
            "event": "tour",
            "round": 1,
            "seat": 1,
            "tile": ["blue", "blue"],
            "groups": {"blue": 4},
            "points": 8,
        },
    ]
    assert result["points"] == [10, 8]
    assert result["win_share"] == [1, 0]
    assert result["rank"] == [1, 2]
    assert (result["on_top"], result["height"], result["area"]) == ([0, 1], 2, 14)
    assert result["largest"] == {"blue": 4, "green": 3, "pink": 1, "yellow": 5}


def test_equal_points_share_the_win() -> None:
    events, result = play(2, [BG] * 10, {"tiles": {BG: 10}}, at_random(3))
    assert len({event["points"] for event in events if event["event"] == "tour"}) == 1
    assert result["win_share"] == [Fraction(1, 2), Fraction(1, 2)]
    assert result["rank"] == [1, 1]


def test_a_placement_that_is_not_legal_is_refused() -> None:
    def choose(seat: int, options: list[Option]) -> Option:
        return row(BG, 5, 5) if len(options) > 1 else options[0]

    with pytest.raises(ValueError, match="may not place"):
        play(2, [BG] * 10, {"tiles": {BG: 10}}, choose)


def test_a_game_that_cannot_be_set_up_is_refused() -> None:
    with pytest.raises(ValueError, match="2 to 5 players"):
        play(6, [], {}, at_random(0))
    with pytest.raises(ValueError, match="not an order"):
        play(2, [BG] * 66, {}, at_random(0))
    with pytest.raises(ValueError, match="too few"):
        play(3, [BG] * 11, {"tiles": {BG: 11}}, at_random(0))
    with pytest.raises(ValueError, match="unknown rules"):
        play(2, [BG] * 10, {"tile": {BG: 10}}, at_random(0))


# --- Whole games ---


def at_random(seed: int) -> Callable[[int, list[Option]], Option]:
    luck = random.Random(seed)
    return lambda seat, options: luck.choice(options)


def shuffled(seed: int, tiles: tuple[int, int] = (9, 3)) -> list[Tile]:
    order = sorted(tile_counts(tiles).elements())
    random.Random(seed).shuffle(order)
    return order


SUPPLY = [  # players, rounds option, rounds played, supply left (game_data's table)
    (2, "printed", 8, 0),
    (3, "printed", 6, 9),
    (3, "supply", 7, 0),
    (3, 7, 7, 0),
    (3, 9, 7, 0),
    (4, "printed", 5, 2),
    (4, "supply", 5, 2),
    (5, "printed", 4, 1),
    (5, 2, 2, 31),
]


@pytest.mark.parametrize(("players", "rounds", "played", "left"), SUPPLY)
def test_the_supply_lasts_as_long_as_the_table_of_rounds_says(
    players: int, rounds: object, played: int, left: int
) -> None:
    events, result = play(players, shuffled(1), {"rounds": rounds}, at_random(players))
    assert result["rounds"] == played == max(e["round"] for e in events if "round" in e)
    assert len(result["supply"]) == left
    kinds = Counter(event["event"] for event in events)
    size = 5 if players == 2 else 4
    assert kinds == {
        "deal": players,
        "place": players * (size - 1) * played,
        "tour": players * played,
        "draw": players * (played - 1),
    }
    assert kinds["place"] + left + players == 66
    assert result["decisions"] == kinds["place"]


def test_tiles_are_dealt_and_drawn_by_seat_from_the_front() -> None:
    order = shuffled(2)
    events, _ = play(3, order, {}, at_random(2))
    given_out = [event for event in events if event["event"] in ("deal", "draw")]
    assert [event["seat"] for event in given_out] == [0, 1, 2] * 6
    front = 0
    for event in given_out:
        count = 4 if event["event"] == "deal" else 3
        assert event["tiles"] == [list(tile) for tile in sorted(order[front : front + count])]
        front += count


def test_the_first_place_moves_on_by_a_seat_each_round() -> None:
    events, _ = play(4, shuffled(3), {}, at_random(3))
    for number in range(1, 6):
        seats = [e["seat"] for e in events if e["event"] == "place" and e["round"] == number]
        first = (number - 1) % 4
        assert seats == [(first + i) % 4 for i in range(4)] * 3


def test_the_kept_tile_stays_in_the_hand_and_may_be_placed_later() -> None:
    """A seat's placed tiles are always from its dealt and drawn tiles, kept ones among them."""
    placed_later = 0
    for seed in range(4):
        events, result = play(2, shuffled(seed), {}, at_random(seed))
        hands: dict[int, Counter] = defaultdict(Counter)
        kept: dict[int, Tile] = {}
        for event in events:
            seat = event["seat"]
            if event["event"] in ("deal", "draw"):
                fresh = Counter(map(sorted_tile, event["tiles"]))
                if event["event"] == "draw":
                    assert list(hands[seat].elements()) == [kept[seat]]
                    placed_later += kept[seat] not in fresh
                hands[seat] += fresh
            elif event["event"] == "place":
                tile = sorted_tile(event["tile"])
                assert hands[seat][tile] > 0
                hands[seat][tile] -= 1
                hands[seat] = +hands[seat]
            else:
                kept[seat] = sorted_tile(event["tile"])
                assert list(hands[seat].elements()) == [kept[seat]]
        assert [[kept[seat]] for seat in range(2)] == result["hands"]
    assert placed_later > 0


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_referee_who_reads_only_the_record_finds_every_tour_right(players: int) -> None:
    for double_unique in (4, 2):
        events, result = play(
            players,
            shuffled(players, (7, 6)),
            {"double_unique": double_unique, "tiles": (7, 6)},
            at_random(players),
        )
        totals = [0] * players
        view: dict[Cell, str] = {}
        for event in events:
            if event["event"] == "place":
                view |= dict(zip(map(tuple, event["cells"]), event["tile"], strict=True))
            if event["event"] == "tour":
                shown = [
                    other["tile"]
                    for other in events
                    if other["event"] == "tour" and other["round"] == event["round"]
                ]
                points = points_by_halves(view, shown, event["seat"], double_unique)
                assert event["points"] == points
                totals[event["seat"]] += points
        assert totals == result["points"]
        assert sum(result["win_share"]) == 1


def points_by_halves(
    view: dict[Cell, str], shown: list[list[str]], seat: int, double_unique: int
) -> int:
    """The points of a last tile, half by half: a double is two halves of one animal."""
    sizes = Counter(sizes_by_relabelling(view))
    best = {animal: max((n for a, n in sizes if a == animal), default=0) for animal in ANIMALS}
    points = 0
    for half in shown[seat]:
        alone = sum(half in tile for tile in shown) == 1
        capped = alone and shown[seat][0] == shown[seat][1] and double_unique == 2
        points += best[half] * (2 if alone and not capped else 1)
    return points


# --- Random parks ---


def sizes_by_relabelling(view: dict[Cell, str]) -> list[tuple[str, int]]:
    """The groups again: every cell takes the smallest name among its like neighbours, for ever."""
    names = {cell: cell for cell in view}
    changed = True
    while changed:
        changed = False
        for (x, y), animal in view.items():
            around = [(x, y - 1), (x - 1, y), (x, y), (x + 1, y), (x, y + 1)]
            name = min(names[near] for near in around if view.get(near) == animal)
            changed = changed or name != names[x, y]
            names[x, y] = name
    return sorted((view[name], size) for name, size in Counter(names.values()).items())


def all_ways(park: Park, tile: Tile) -> set[tuple[frozenset, int]]:
    """Legal placements again: a tile is turned all four ways round each cell, and mirrored."""
    heights = {cell: len(pile) for cell, pile in park.items()}
    showing: dict[int, set[Cell]] = defaultdict(set)
    for cell, pile in park.items():
        showing[pile[-1][1]].add(cell)
    whole = [cells for cells in showing.values() if len(cells) == 2]
    joined = {(x + dx, y + dy) for x, y in park for dx, dy in TURNS} - set(park)
    ways = set()
    for x in range(-70, 70):
        for y in range(-70, 70):
            if (x, y) not in park and not any((x + dx, y + dy) in joined for dx, dy in STAYS):
                continue
            for dx, dy in TURNS:
                for one, other in (tile, tile[::-1]):
                    cells = {(x, y), (x + dx, y + dy)}
                    levels = {heights.get(cell, 0) for cell in cells}
                    on_table = not cells & set(park)
                    fits = cells & joined if on_table else cells not in whole
                    if len(levels) == 1 and fits:
                        ends = frozenset({((x, y), one), ((x + dx, y + dy), other)})
                        ways.add((ends, levels.pop()))
    return ways


TURNS = [(1, 0), (0, 1), (-1, 0), (0, -1)]
STAYS = [(0, 0), *TURNS]

animals = st.sampled_from(ANIMALS)
tiles_drawn = st.tuples(animals, animals).map(sorted_tile)


@st.composite
def parks(draw: st.DrawFn, most: int = 30) -> Park:
    """A park grown tile by tile; half of the parks love to build upwards."""
    upwards = draw(st.booleans())
    park: Park = {}
    for number in range(draw(st.integers(1, most))):
        options = placements(park, [draw(tiles_drawn)])
        high = [option for option in options if option[2] > 0]
        among = high if upwards and high and number > 8 else options
        lay(park, among[draw(st.integers(0, 10_000)) % len(among)], number)
    return park


def canonical(options: list[Option]) -> set[tuple[frozenset, int]]:
    return {(frozenset(zip(cells, tile, strict=True)), level) for tile, cells, level in options}


@repeatable
@given(parks())
def test_groups_are_the_same_found_another_way(park: Park) -> None:
    view = seen_from_above(park)
    found = sorted((animal, len(group)) for animal, group in groups_of(park))
    assert found == sizes_by_relabelling(view)
    assert sorted(chain.from_iterable(group for _, group in groups_of(park))) == sorted(view)


@repeatable
@given(parks(), tiles_drawn)
def test_placements_are_the_same_found_another_way_and_each_listed_once(
    park: Park, tile: Tile
) -> None:
    options = placements(park, [tile])
    assert len(options) == len(set(options)) == len(canonical(options))
    assert canonical(options) == all_ways(park, tile)
    for (one, other), cells, _ in options:
        assert (one, other) == tile
        assert one != other or cells == tuple(sorted(cells))


def symmetries() -> list[Callable[[Cell], Cell]]:
    """The eight ways to turn and mirror the table, and a shift with them."""
    return [
        lambda cell, a=a, b=b, swap=swap: (
            a * cell[swap] + 3,
            b * cell[1 - swap] - 5,
        )
        for a in (1, -1)
        for b in (1, -1)
        for swap in (0, 1)
    ]


@repeatable
@given(parks(), tiles_drawn, st.sampled_from(symmetries()))
def test_a_park_turned_or_mirrored_has_the_same_groups_and_placements(
    park: Park, tile: Tile, turn: Callable[[Cell], Cell]
) -> None:
    turned: Park = {turn(cell): pile for cell, pile in park.items()}
    assert largest_groups(turned) == largest_groups(park)
    moved = {
        (frozenset((turn(cell), animal) for cell, animal in ends), level)
        for ends, level in canonical(placements(park, [tile]))
    }
    assert canonical(placements(turned, [tile])) == moved


@repeatable
@given(parks())
def test_every_tile_lies_flat_on_two_others_or_on_the_table(park: Park) -> None:
    where: dict[int, list[tuple[Cell, int]]] = defaultdict(list)
    for cell, pile in park.items():
        for level, (_, number) in enumerate(pile):
            where[number].append((cell, level))
    for (one, level), (other, other_level) in where.values():
        assert level == other_level
        assert abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
        if level > 0:
            assert park[one][level - 1][1] != park[other][level - 1][1]
    assert sum(map(len, park.values())) == 2 * len(where)


def test_random_parks_do_get_high() -> None:
    heights = []

    @repeatable
    @given(parks())
    def look(park: Park) -> None:
        heights.append(max(len(pile) for pile in park.values()))

    look()
    assert max(heights) >= 4
    assert heights.count(1) > 5

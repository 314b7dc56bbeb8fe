"""Fantastic Park's engine and its slow twin on random parks, set down as they are.

No rule of the engine laid these parks, so that a place that its own games never reach counts, too.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from park_positions import Park, Position, largest_groups
from test_twin_park_alone import parks, tiles_drawn
from twin_fantastic_park import Park as TwinPark
from twin_fantastic_park import Tile, placements
from twin_fantastic_park import largest_groups as groups_of_the_twin

from simlab.compiled import INTERPRETED

repeatable = settings(
    derandomize=True, database=None, deadline=None, max_examples=10 if INTERPRETED else 100
)


def set_down(park: TwinPark) -> Park:
    """The twin's piles, as they are seen from above."""
    return Park({cell: (pile[-1][0], len(pile), pile[-1][1]) for cell, pile in park.items()})


def as_letters(tile: Tile) -> str:
    return "".join(animal[0] for animal in tile)


@repeatable
@given(parks(), st.lists(tiles_drawn, min_size=1, max_size=4))
def test_engine_and_twin_list_the_same_placements(park: TwinPark, hand: list[Tile]) -> None:
    """Each placement once: two cells, and which animal shows on which of them."""
    position = Position(set_down(park), [map(as_letters, hand), ["bg"]])
    wanted = set()
    for tile, cells, _ in placements(park, hand):
        turned = tile if cells[0] < cells[1] else tile[::-1]
        wanted.add((frozenset(cells), turned))
    found = {(spot, pair) for spot, pairs in position.legal().items() for pair in pairs}
    assert found == wanted
    assert len(position.moves()) == len(placements(park, hand)) == len(wanted)


@repeatable
@given(st.lists(parks(), min_size=1, max_size=5))
def test_engine_and_twin_find_the_same_largest_groups(drawn: list[TwinPark]) -> None:
    assert largest_groups([set_down(park) for park in drawn]) == [
        groups_of_the_twin(park) for park in drawn
    ]

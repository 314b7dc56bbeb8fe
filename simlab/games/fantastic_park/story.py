"""A game of Fantastic Park as others read it: the record's events, and a story in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from simlab.compiled import Record
from simlab.contract import Seen
from simlab.games.fantastic_park.records import (
    ANIMALS,
    NOTHING,
    PAIRS,
    PLACES,
    RIGHT,
    ROW,
    TILES,
)

Cell = tuple[int, int]
Park = dict[Cell, tuple[str, int]]
"""From above: the animal that shows on each cell (x, y), and how many tiles lie there."""


# --- Words -----------------------------------------------------------------------------------


def animals_of(tile: int) -> list[str]:
    """The two animals of a tile, by name."""
    return [ANIMALS[tile // 4], ANIMALS[tile % 4]]


def name_tile(animals: Iterable[str]) -> str:
    """A tile as players say it: "blue-green", "double blue"."""
    one, other = animals
    return f"double {one}" if one == other else f"{one}-{other}"


def tiles_in(hand: list[int]) -> list[list[str]]:
    """The tiles of a hand, sorted."""
    return [animals_of(tile) for tile in range(PAIRS) for _ in range(hand[tile])]


def name_tiles(tiles: Iterable[Iterable[str]]) -> str:
    """Several tiles in words."""
    return ", ".join(name_tile(tile) for tile in tiles)


def name_move(state: Record, move: int) -> str:
    """A move in words; a place is told by its first half's distance from the first tile's."""
    shown, where = move % PAIRS, move // PAIRS
    if where >= 2 * PLACES:
        return f"move {move}"
    one, other = animals_of(shown)
    x, y = _coordinates(state.table, where // 2)
    way = "on its right" if where % 2 == RIGHT else "below it"
    return f"lay {one} on cell ({x}, {y}) and {other} {way} (move {move})"


def _coordinates(table: Record, address: int) -> Cell:
    """Where an address is, as near as possible to the park's cells."""
    cell = table.ground[address]
    if cell:
        return table.x[cell], table.y[cell]
    for row in range(PLACES // ROW + 1):
        for x, y in ((0, row), (0, -row)):
            for step in range(-ROW // 2, ROW // 2 + 1):
                if (x + step + ROW * y - address) % PLACES == 0:
                    return step, y
    raise ValueError(f"there is no address {address}")


# --- The record ------------------------------------------------------------------------------


def narrate(
    rules: Record, before: Record | None, move: int | None, after: Record, outcome: Record | None
) -> list[Seen]:
    """Events that follow from one move (or from the setup), in the order in which they are seen.

    Parameters
    ----------
    rules : record
    before, after : record
        States before and after the move; ``before`` is None for the setup.
    move : int or None
    outcome : record or None
        The scored game, once it is over.

    Returns
    -------
    list of Seen
    """
    seats = range(rules.players)
    if before is None or move is None:
        hands = [tiles_in(after.seats[seat].hand) for seat in seats]
        return [
            Seen({"event": "deal", "seat": seat, "tiles": tiles}, (seat,))
            for seat, tiles in enumerate(hands)
        ]
    events = [_placing(before.table, move, after.table)]
    if after.table.checkpoint == before.table.checkpoint:
        return events
    number = before.table.round_number
    events += [_tour(before.table, after.table, seat) for seat in seats]
    if after.table.to_move >= 0:
        events += [_drawing(number, before, move, after, seat) for seat in seats]
    return events


def _placing(before: Record, move: int, table: Record) -> Seen:
    shown, where = move % PAIRS, move // PAIRS
    address, axis = where // 2, where % 2
    step = 1 if axis == RIGHT else ROW
    cells = [table.ground[address], table.ground[(address + step) % PLACES]]
    places = [[table.x[cell], table.y[cell]] for cell in cells]
    tile = animals_of(shown)
    if tile[0] > tile[1]:
        tile.reverse()
        places.reverse()
    return Seen(
        {
            "event": "place",
            "round": before.round_number,
            "seat": before.to_move,
            "tile": tile,
            "cells": places,
            "level": table.height[cells[0]] - 1,
        }
    )


def _tour(before: Record, after: Record, seat: int) -> Seen:
    tile = animals_of(after.known[seat])
    return Seen(
        {
            "event": "tour",
            "round": before.round_number,
            "seat": seat,
            "tile": tile,
            "groups": {animal: after.largest[ANIMALS.index(animal)] for animal in tile},
            "points": after.points[seat] - before.points[seat],
        }
    )


def _drawing(number: int, before: Record, move: int, after: Record, seat: int) -> Seen:
    drawn = list(after.seats[seat].hand)
    drawn[after.table.known[seat]] -= 1  # the tile that was kept
    event = {"event": "draw", "round": number, "seat": seat, "tiles": tiles_in(drawn)}
    return Seen(event, (seat,))


# --- Drawings --------------------------------------------------------------------------------


def draw(park: Park) -> list[str]:
    """The park from above, a word for each cell: the animal's letter and the tiles lying there.

    Returns
    -------
    list of str
        A line for each row, such as ``b1 g2  .``; a dot is bare table.
    """
    if not park:
        return ["(no tile yet)"]
    xs, ys = [x for x, _ in park], [y for _, y in park]
    return [
        " ".join(_word(park.get((x, y))) for x in range(min(xs), max(xs) + 1)).rstrip()
        for y in range(min(ys), max(ys) + 1)
    ]


def _word(cell: tuple[str, int] | None) -> str:
    if cell is None:
        return " ."
    animal, height = cell
    return f"{animal[0]}{height}"


LEGEND = "b, g, p, y: blue, green, pink, yellow; the number of tiles that lie there; . bare table"


def park_of(table: Record) -> Park:
    """The park of a table."""
    return {
        (table.x[cell], table.y[cell]): (ANIMALS[table.animal[cell]], table.height[cell])
        for cell in range(1, table.cells + 1)
    }


def show(rules: Record, state: Record, seat: int) -> list[str]:
    """The position as one seat sees it, a line for each thing on the table."""
    table, own = state.table, state.seats[seat]
    lines = [
        f"round {table.round_number} of {rules.rounds}, {table.supply} tiles in the supply: "
        f"seat {seat} is to place a tile",
        f"own hand: {name_tiles(tiles_in(own.hand))}",
    ]
    for other in range(rules.players):
        known = table.known[other]
        seen = "no tile known" if known == NOTHING else f"{name_tile(animals_of(known))} known"
        lines.append(
            f"seat {other}: {table.points[other]} points, {table.hand_tiles[other]} tiles ({seen})"
        )
    return [*lines, f"the park ({LEGEND}):", *draw(park_of(table))]


# --- The story -------------------------------------------------------------------------------


def tell(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A game record as a story, with a drawing of the park at the end of each round.

    Yields
    ------
    style, line : str
        The style is "heading", "gold", "quiet" or empty; a terminal may colour by it.
    """
    who = [f"{name} (seat {seat})" for seat, name in enumerate(record["policies"])]
    points = [0] * record["players"]
    park: Park = {}
    told = ""
    for event in record["events"]:
        kind, name = event["event"], who[event["seat"]]
        if kind == "deal":
            yield "quiet", f"{name} is dealt {name_tiles(event['tiles'])}"
        elif kind == "draw":
            yield "quiet", f"{name} draws {name_tiles(event['tiles'])}"
        elif kind == "place":
            if told != kind:
                yield "", ""
                yield "heading", f"Round {event['round']}"
            _lay(park, event)
            yield "", f"{name} {_placing_in_words(event)}"
        elif kind == "tour":
            if told != kind:
                yield from _drawn(park)
            points[event["seat"]] += event["points"]
            yield _tour_in_words(event, name, points[event["seat"]])
        told = kind
    yield "", ""
    yield from _ending(record, who)


def _lay(park: Park, event: Mapping[str, Any]) -> None:
    for animal, (x, y) in zip(event["tile"], event["cells"], strict=True):
        park[x, y] = (animal, event["level"] + 1)


def _drawn(park: Park) -> Iterator[tuple[str, str]]:
    yield "", ""
    yield "quiet", f"the park from above ({LEGEND}):"
    for line in draw(park):
        yield "", f"  {line}"
    yield "", ""


def _placing_in_words(event: Mapping[str, Any]) -> str:
    (x, y), (x2, y2) = event["cells"]
    where = "on the table" if event["level"] == 0 else f"across two tiles, level {event['level']}"
    return f"lays {name_tile(event['tile'])} {where}, cells ({x}, {y}) and ({x2}, {y2})"


def _tour_in_words(event: Mapping[str, Any], name: str, points: int) -> tuple[str, str]:
    groups = " and ".join(f"{size} {animal}" for animal, size in event["groups"].items())
    double = len(event["groups"]) == 1
    plain = sum(event["groups"].values()) * (2 if double else 1)
    alone = ", alone with an animal" if event["points"] > plain else ""
    line = f"{name} shows {name_tile(event['tile'])}: groups of {groups}{alone}: "
    line += f"{_points(event['points'])}, {points} in all"
    return ("gold" if alone else ""), line


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _ending(record: Mapping[str, Any], who: list[str]) -> Iterator[tuple[str, str]]:
    result = record["result"]
    order = sorted(range(len(who)), key=lambda seat: -result["points"][seat])
    yield "", "final points: " + ", ".join(f"{who[s]} {result['points'][s]}" for s in order)
    winners = [who[s] for s in range(len(who)) if result["win_share"][s] > 0]
    verb = "wins" if len(winners) == 1 else "share the win"
    yield "heading", f"{' and '.join(winners)} {verb}"


# --- Figures ---------------------------------------------------------------------------------


def figures(rules: Record) -> list[str]:
    """What follows from the options: the box, the animals' halves, and how far the tiles go."""
    copies = {tile: rules.copies[tile] for tile in TILES}
    box = ", ".join(f"{n} {name_tile(animals_of(tile))}" for tile, n in copies.items())
    halves = [
        f"{animal} {sum(n * animals_of(tile).count(animal) for tile, n in copies.items())}"
        for animal in ANIMALS
    ]
    placed = rules.players * (rules.hand - 1) * rules.rounds
    left = rules.tiles - placed - rules.players
    return [
        f"{rules.tiles} tiles: {box}",
        f"halves: {', '.join(halves)}",
        f"{rules.players} players: hands of {rules.hand}, {rules.rounds} rounds, {placed} tiles "
        f"placed, {left} left in the supply, {rules.players} in hands",
    ]

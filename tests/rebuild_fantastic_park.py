"""What a seat of Fantastic Park can know, rebuilt from the events that it saw and nothing else.

Used to prove that the records which policies are shown hold no more than that.
"""

from __future__ import annotations

from typing import Any

ANIMALS = ("blue", "green", "pink", "yellow")
SEATS, MOST_CELLS, PLACES, ROW = 5, 176, 16384, 181
AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1))
Cell = tuple[int, int]


def number_of(tile: list[str]) -> int:
    one, other = sorted(ANIMALS.index(animal) for animal in tile)
    return 4 * one + other


def copies_of(numbers: tuple[int, ...]) -> list[int]:
    """Copies of each tile, at its number, from two or from ten numbers."""
    mixed = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    doubles = [(a, a) for a in range(4)]
    if len(numbers) == 2:
        numbers = (numbers[0],) * 6 + (numbers[1],) * 4
    copies = [0] * 16
    for (a, b), n in zip(mixed + doubles, numbers, strict=True):
        copies[4 * a + b] = n
    return copies


class Onlooker:
    """One seat's memory of a game: `see` events, then read `table` and `own`."""

    def __init__(self, options: dict, players: int, seat: int) -> None:
        self.players, self.seat = players, seat
        printed = 5 if players == 2 else 4
        self.full = printed if options["hand"] == "printed" else options["hand"]
        self.double_unique = options["double_unique"]
        self.unseen = copies_of(options["tiles"])
        self.supply = sum(self.unseen) - players * self.full
        self.hand = [0] * 16
        self.sizes = [self.full] * players
        self.known = [-1] * SEATS
        self.points = {name: [0] * SEATS for name in ("mixed", "double", "unique")}
        self.on_top = [0] * SEATS
        self.largest = [0] * 4
        self.tours: list[dict] = []
        self.round, self.turn, self.starter = 1, 0, 0
        self.park: dict[Cell, tuple[int, int]] = {}  # from a cell to its height and its tile
        self.cells: dict[str, list[int]] = {
            name: [0] * (MOST_CELLS + 1)
            for name in ("address", "x", "y", "animal", "height", "partner")
        }
        self.numbers: dict[Cell, int] = {}
        self.ground = [0] * PLACES

    def decide(self, move: int) -> None:
        """Nothing is remembered of a move but what is seen of it."""

    def see(self, event: dict) -> None:
        getattr(self, "see_" + event["event"])(event)

    def see_deal(self, event: dict) -> None:
        assert event["seat"] == self.seat, "other hands are not shown"
        for tile in event["tiles"]:
            self.hand[number_of(tile)] += 1

    see_draw = see_deal

    def see_place(self, event: dict) -> None:
        seat, tile = event["seat"], number_of(event["tile"])
        if self.known[seat] == tile:
            self.known[seat] = -1
        else:
            self.unseen[tile] -= 1
        self.hand[tile] -= seat == self.seat
        self.sizes[seat] -= 1
        self.on_top[seat] += event["level"] > 0
        self.turn += 1
        self._build(event)

    def _build(self, event: dict) -> None:
        halves = sorted(zip(map(tuple, event["cells"]), event["tile"], strict=True))
        (first, _), (second, _) = halves
        axis = 0 if second[0] > first[0] else 1
        tile = 100 * self.round + self.turn  # a name that no other tile has
        for (cell, animal), partner in zip(halves, (axis, axis + 2), strict=True):
            number = self.numbers.setdefault(cell, len(self.numbers) + 1)
            x, y = cell
            address = (x + ROW * y) % PLACES
            self.ground[address] = number
            values = (address, x, y, ANIMALS.index(animal), event["level"] + 1, partner)
            for name, value in zip(self.cells, values, strict=True):
                self.cells[name][number] = value
            self.park[cell] = (event["level"] + 1, tile)

    def see_tour(self, event: dict) -> None:
        self.tours.append(event)
        if len(self.tours) < self.players:
            return
        for tour in self.tours:
            self._score(tour)
        self.tours = []
        self._measure()
        # Everybody fills the hand again.
        self.supply -= self.players * (self.full - 1)
        self.sizes = [self.full] * self.players
        self.round, self.turn = self.round + 1, 0
        self.starter = (self.starter + 1) % self.players

    def _score(self, tour: dict) -> None:
        seat, tile = tour["seat"], number_of(tour["tile"])
        if self.known[seat] != tile:
            self.unseen[tile] -= 1
            self.known[seat] = tile
        double = tour["tile"][0] == tour["tile"][1]
        base = sum(tour["groups"].values()) * (2 if double else 1)
        self.points["double" if double else "mixed"][seat] += base
        self.points["unique"][seat] += tour["points"] - base

    def _measure(self) -> None:
        """Largest group of each animal, by walking from every cell."""
        view = {cell: self.cells["animal"][number] for cell, number in self.numbers.items()}
        self.largest = [0] * 4
        while view:
            start, animal = next(iter(view.items()))
            to_visit, size = [start], 0
            del view[start]
            while to_visit:
                x, y = to_visit.pop()
                size += 1
                for dx, dy in AROUND:
                    if view.get((x + dx, y + dy)) == animal:
                        del view[x + dx, y + dy]
                        to_visit.append((x + dx, y + dy))
            self.largest[animal] = max(self.largest[animal], size)

    def spots(self) -> int:
        """Pairs of neighbouring cells that take a tile."""
        if not self.park:
            return 1
        near = {(x + dx, y + dy) for x, y in self.park for dx, dy in AROUND} - set(self.park)
        bare = {
            frozenset((cell, (cell[0] + dx, cell[1] + dy)))
            for cell in near
            for dx, dy in AROUND
            if (cell[0] + dx, cell[1] + dy) not in self.park
        }
        across = 0
        for (x, y), (height, tile) in self.park.items():
            for other in ((x + 1, y), (x, y + 1)):
                there = self.park.get(other)
                across += there is not None and there[0] == height and there[1] != tile
        return len(bare) + across

    def table(self) -> dict[str, Any]:
        points = [sum(column) for column in zip(*self.points.values(), strict=True)]
        return {
            "to_move": (self.starter + self.turn) % self.players,
            "checkpoint": self.round - 1,
            "round_number": self.round,
            "starter": self.starter,
            "turn": self.turn,
            "supply": self.supply,
            "points": points,
            **{f"{kind}_points": column for kind, column in self.points.items()},
            "on_top": self.on_top,
            "hand_tiles": [*self.sizes, *[0] * (SEATS - self.players)],
            "known": self.known,
            "unseen": self.unseen,
            "largest": self.largest,
            "spots": self.spots(),
            "cells": len(self.park),
            **self.cells,
            "ground": self.ground,
        }

    def own(self) -> dict[str, Any]:
        return {"seat": self.seat, "hand": self.hand}

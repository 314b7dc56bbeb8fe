"""A slow and obvious Fantastic Park: the twin that the fast engine has to agree with.

Written from the rulebook alone. The park is a dictionary from (x, y) to the pile of (animal, tile
number) that lies there, lowest first; groups are found by flood fill, placements by trying every
pair of neighbouring cells around the park. Nothing is meant to be quick.

`play(players, order, rules, choose)` plays a game and returns (events, result).

- `order`: all tiles, shuffled, as pairs of animal names. Seat 0 is dealt its whole first hand from
  the front, then seat 1, and so on; after each round but the last seat 0 draws all the tiles that
  it needs (a hand less the kept tile), then seat 1, and so on: by seat, whoever starts the round.
  Tours are scored by seat too; only the placing goes round from the starter. Seat 0 starts round 1,
  then the next higher seat each round.
- `rules`: what differs from `DEFAULTS`: `rounds` ("printed", "supply" or a number), `double_unique`
  (4 or 2, the factor for a double of an animal that nobody else shows), `tiles` (a pair: copies of
  each mixed tile and of each double; or a dictionary from tile to copies).
- `choose(seat, options)`: is asked at every decision, with all legal options in a fixed order, and
  returns one of them. An option is (tile, (cell, cell), level): the tile as a sorted pair, cell i
  shows tile[i], level 0 is the table. Cells are (x, y), x to the right and y down, and the first
  tile of the game lies with its first animal on (0, 0) and its second on (1, 0).
  Equal tiles of a hand are one option; of a double, whose two ends look alike, only the placement
  with its cells sorted is listed; on the empty table, where everything is a turn, a shift or a
  mirror of everything else, each tile has exactly one option.

Which tile is kept is no decision of its own: it is what is left when all others are placed, so an
option ("keep", tile) never occurs (an engine that asks for it anyway asks too much).

Animals are sorted by name (blue, green, pink, yellow), in tiles, in lists of tiles (the deal and
draw events) and among the keys of `groups`.

Where the rulebook and its rulings are silent, read literally:

- A number of rounds that the supply cannot serve ends early: the game always ends when the supply
  has fewer tiles than the next round needs. The same holds for the printed number of rounds.
- Too few tiles for the first hands is no game: an error.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction

Cell = tuple[int, int]
Tile = tuple[str, str]
Park = dict[Cell, list[tuple[str, int]]]
Option = tuple[Tile, tuple[Cell, Cell], int]

ANIMALS = ("blue", "green", "pink", "yellow")
PRINTED_ROUNDS = {2: 8, 3: 6, 4: 5, 5: 4}
DEFAULTS: dict = {"rounds": "printed", "double_unique": 4, "tiles": (9, 3)}
FIRST_CELLS = ((0, 0), (1, 0))


# --- The tiles ---


def sorted_tile(tile: Iterable[str]) -> Tile:
    """The tile as it is written down: its two animals by name."""
    one, other = sorted(tile)
    return one, other


def tile_counts(tiles: tuple[int, int] | dict) -> Counter:
    """How often each tile is in the box."""
    if isinstance(tiles, dict):
        return Counter({sorted_tile(tile): copies for tile, copies in tiles.items()})
    mixed, double = tiles
    return Counter(
        {
            (one, other): double if one == other else mixed
            for one in ANIMALS
            for other in ANIMALS
            if one <= other
        }
    )


# --- The park ---


def beside(cell: Cell) -> list[Cell]:
    """The four cells that share a side with this one."""
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def level_for(park: Park, one: Cell, other: Cell) -> int | None:
    """At which level a tile may lie on these two neighbouring cells; None if it may not."""
    on_table = [cell not in park for cell in (one, other)]
    if all(on_table):
        touches = any(near in park for cell in (one, other) for near in beside(cell))
        return 0 if touches else None
    if any(on_table):
        return None  # one half on the table, one on a tile: not flat
    (_, lower_tile), (_, other_lower_tile) = park[one][-1], park[other][-1]
    if len(park[one]) != len(park[other]):
        return None  # not flat either
    if lower_tile == other_lower_tile:
        return None  # would cover a whole tile
    return len(park[one])


def spots(park: Park) -> list[tuple[Cell, Cell, int]]:
    """Where a tile may lie, whatever it shows: two cells, in order, and the level."""
    xs = [x for x, _ in park]
    ys = [y for _, y in park]
    found = []
    for x in range(min(xs) - 2, max(xs) + 3):
        for y in range(min(ys) - 2, max(ys) + 3):
            for other in ((x, y + 1), (x + 1, y)):
                level = level_for(park, (x, y), other)
                if level is not None:
                    found.append(((x, y), other, level))
    return found


def placements(park: Park, hand: Iterable[Tile]) -> list[Option]:
    """Every way to place a tile of this hand, each one once."""
    tiles = sorted(set(hand))
    if not park:
        return [(tile, FIRST_CELLS, 0) for tile in tiles]
    options = []
    for one, other, level in spots(park):
        for tile in tiles:
            options.append((tile, (one, other), level))
            if tile[0] != tile[1]:
                options.append((tile, (other, one), level))
    return options


def lay(park: Park, option: Option, number: int) -> None:
    """Put the tile with this number where the option says."""
    tile, cells, level = option
    for animal, cell in zip(tile, cells, strict=True):
        pile = park.setdefault(cell, [])
        assert len(pile) == level, f"{option} does not lie flat"
        pile.append((animal, number))


# --- Groups and tours ---


def seen_from_above(park: Park) -> dict[Cell, str]:
    """The animal that is visible on each cell."""
    return {cell: pile[-1][0] for cell, pile in park.items()}


def flood(view: dict[Cell, str], start: Cell) -> set[Cell]:
    """All cells that one reaches from the start side by side without leaving its animal."""
    group = {start}
    to_visit = [start]
    while to_visit:
        for near in beside(to_visit.pop()):
            if near not in group and view.get(near) == view[start]:
                group.add(near)
                to_visit.append(near)
    return group


def groups_of(park: Park) -> list[tuple[str, set[Cell]]]:
    """All groups of the park, each with its animal."""
    view = seen_from_above(park)
    groups = []
    left = set(view)
    while left:
        start = min(left)
        group = flood(view, start)
        groups.append((view[start], group))
        left -= group
    return groups


def largest_groups(park: Park) -> dict[str, int]:
    """The size of the largest group of each animal, 0 for one that is not to be seen."""
    sizes = dict.fromkeys(ANIMALS, 0)
    for animal, group in groups_of(park):
        sizes[animal] = max(sizes[animal], len(group))
    return sizes


def tour(largest: dict[str, int], tiles: list[Tile], seat: int, double_unique: int = 4) -> dict:
    """What the last tile of a seat brings: the groups that count, and the points.

    Parameters
    ----------
    largest : dict
        Size of the largest group of each animal.
    tiles : list
        The last tile of every seat.
    seat : int
        Whose tour it is.
    double_unique : int
        The factor of a double whose animal nobody else shows.
    """
    tile = tiles[seat]
    elsewhere = {animal for i, other in enumerate(tiles) if i != seat for animal in other}
    points = 0
    for animal in set(tile):
        double, unique = tile == (animal, animal), animal not in elsewhere
        if double and unique:
            factor = double_unique
        elif double or unique:
            factor = 2
        else:
            factor = 1
        points += factor * largest[animal]
    return {"groups": {animal: largest[animal] for animal in tile}, "points": points}


# --- One game ---


def play(
    players: int,
    order: list[Tile],
    rules: dict,
    choose: Callable[[int, list[Option]], Option],
) -> tuple[list[dict], dict]:
    """Play a whole game; see the top of the file.

    Returns
    -------
    events : list of dict
        What happened, in order, with the keys of the game record.
    result : dict
        `points`, `win_share` (Fractions) and `rank` by seat, `points_by_round` (a list for each
        round), `on_top` (tiles that each seat laid across others), `largest` (by animal, at the
        end), `height` (of the highest pile) and `area` (cells covered), `rounds` played, `supply`
        left over, `hands` (at the end), `decisions` and `options` (their legal options in all).
    """
    game = _Game(players, order, rules, choose)
    game.deal()
    while True:
        game.place_tiles()
        game.visit_the_park()
        if game.is_over():
            return game.events, game.result()
        game.draw()


class _Game:
    """One game: the table, the hands, and the record of what happened."""

    def __init__(self, players: int, order: list[Tile], rules: dict, choose: Callable) -> None:
        if players not in PRINTED_ROUNDS:
            raise ValueError(f"2 to 5 players, not {players}")
        if unknown := set(rules) - set(DEFAULTS):
            raise ValueError(f"unknown rules: {sorted(unknown)}")
        self.rules: dict = {**DEFAULTS, **rules}
        if self.rules["double_unique"] not in (2, 4):
            raise ValueError(f"double_unique is 4 or 2, not {self.rules['double_unique']!r}")
        self.supply = [sorted_tile(tile) for tile in order]
        if Counter(self.supply) != +tile_counts(self.rules["tiles"]):
            raise ValueError("the order is not an order of this game's tiles")
        self.players = players
        self.choose = choose
        self.hand_size = 5 if players == 2 else 4
        if len(self.supply) < players * self.hand_size:
            raise ValueError("too few tiles to deal")
        self.park: Park = {}
        self.hands: list[list[Tile]] = [[] for _ in range(players)]
        self.round = 1
        self.placed = 0
        self.on_top = [0] * players
        self.points_by_round: list[list[int]] = []
        self.options_seen: list[int] = []
        self.events: list[dict] = []

    def note(self, event: str, **details: object) -> None:
        self.events.append({"event": event, **details})

    def take(self, seat: int, count: int) -> list[list[str]]:
        """Move tiles from the front of the supply to a hand; say which, for the record."""
        taken, self.supply = self.supply[:count], self.supply[count:]
        self.hands[seat] += taken
        return [list(tile) for tile in sorted(taken)]

    def deal(self) -> None:
        for seat in range(self.players):
            self.note("deal", seat=seat, tiles=self.take(seat, self.hand_size))

    def draw(self) -> None:
        """Everybody keeps the last tile and fills the hand again; then the next round begins."""
        for seat in range(self.players):
            tiles = self.take(seat, self.hand_size - 1)
            self.note("draw", round=self.round, seat=seat, tiles=tiles)
        self.round += 1

    def place_tiles(self) -> None:
        """In turn, from this round's starter, until everybody has one tile left."""
        starter = (self.round - 1) % self.players
        for _ in range(self.hand_size - 1):
            for step in range(self.players):
                self.place_one((starter + step) % self.players)
        assert all(len(hand) == 1 for hand in self.hands)

    def place_one(self, seat: int) -> None:
        options = placements(self.park, self.hands[seat])
        self.options_seen.append(len(options))
        option = self.choose(seat, list(options))
        if option not in options:
            raise ValueError(f"seat {seat} may not place {option}")
        tile, cells, level = option
        lay(self.park, option, self.placed)
        self.placed += 1
        self.hands[seat].remove(tile)
        self.on_top[seat] += level > 0
        self.note(
            "place",
            round=self.round,
            seat=seat,
            tile=list(tile),
            cells=[list(cell) for cell in cells],
            level=level,
        )

    def visit_the_park(self) -> None:
        """Everybody shows the last tile and scores it."""
        largest = largest_groups(self.park)
        tiles = [hand[0] for hand in self.hands]
        row = []
        for seat, tile in enumerate(tiles):
            scored = tour(largest, tiles, seat, self.rules["double_unique"])
            self.note("tour", round=self.round, seat=seat, tile=list(tile), **scored)
            row.append(scored["points"])
        self.points_by_round.append(row)

    def is_over(self) -> bool:
        """Whether the round that was just scored is the last one."""
        limit = self.rules["rounds"]
        if limit == "printed":
            limit = PRINTED_ROUNDS[self.players]
        if limit != "supply" and self.round >= limit:
            return True
        return len(self.supply) < self.players * (self.hand_size - 1)

    def result(self) -> dict:
        points = [sum(column) for column in zip(*self.points_by_round, strict=True)]
        winners = points.count(max(points))
        return {
            "points": points,
            "win_share": [
                Fraction(1, winners) if mine == max(points) else Fraction(0) for mine in points
            ],
            "rank": [1 + sum(other > mine for other in points) for mine in points],
            "points_by_round": self.points_by_round,
            "on_top": self.on_top,
            "largest": largest_groups(self.park),
            "height": max(len(pile) for pile in self.park.values()),
            "area": len(self.park),
            "rounds": self.round,
            "supply": list(self.supply),
            "hands": [list(hand) for hand in self.hands],
            "decisions": len(self.options_seen),
            "options": sum(self.options_seen),
        }

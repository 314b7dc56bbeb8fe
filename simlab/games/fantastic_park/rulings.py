"""Fantastic Park in our own words, and every answer that we give where the rulebook is silent."""

from __future__ import annotations

from simlab.contract import Ruling

RULES = """\
Two to five players build one park from tiles that show two animals each, and score with the last
tile in hand. There are four animals (blue, green, pink, yellow) and 66 tiles: nine of each mixed
pair and three of each double, so that every animal is on 33 halves. (How the tiles are split is
our best guess; the rulebook does not say. See the option tiles.)

Everybody starts with four tiles, or five if there are two players. A round goes like this.
1. Place: from the starter clockwise, everybody lays one tile of the hand in the park, again and
   again, until one tile is left in each hand. A tile either lies on the table with at least one
   side against the park, or across two different tiles: half of it on each, both at the same
   height. What the animals next to it or under it are does not matter.
2. Tours: the tiles left are shown. A tile scores the largest group of each of its animals, where
   a group is what hangs together side by side, seen from above, at whatever height. A double
   scores its group twice. An animal that is on nobody else's tile counts twice.
3. Everybody keeps the tile shown, fills the hand from the supply, and the next seat starts.

The park stays from round to round. There are 8, 6, 5 or 4 rounds for 2, 3, 4 or 5 players. Most
points wins."""

RULINGS = (
    Ruling("Who starts round 1?", "seat 0; who sits there is the experiment's business"),
    Ruling("Who starts later rounds?", "the next seat each time"),
    Ruling("Which tiles are in the box?", "nine of each mixed pair, three of each double", "tiles"),
    Ruling("Where does a tile lie?", "on two neighbouring cells of a square grid, never between"),
    Ruling(
        "On the table?",
        "both cells are bare, and one of them shares a side with a cell of the park",
    ),
    Ruling("Do animals have to match?", "no, neither beside nor on top"),
    Ruling(
        "Across tiles?", "the topmost tiles under its halves are two different ones, equally high"
    ),
    Ruling(
        "May a tile cover the second half of one that was half covered before?",
        "yes; only one tile with both its halves on top may not be covered at once",
    ),
    Ruling("One half on the table, one on a tile?", "no, it would not lie flat"),
    Ruling("How high may the park grow?", "as high as tiles allow; it has no border either"),
    Ruling("Where does the first tile of a later round go?", "into the park that is there"),
    Ruling("Where does the very first tile go?", "anywhere; all places and turns are one choice"),
    Ruling("Does the tile kept count in the park?", "no, it stays in the hand"),
    Ruling("Is which tile to keep a choice of its own?", "no, it is the one that was never placed"),
    Ruling("An animal that is not in the park?", "scores 0; one that stands alone scores 1"),
    Ruling("Two different animals?", "the largest group of each, added"),
    Ruling("What is unique compared with?", "the tiles that all others show in this round"),
    Ruling("A double of an animal that nobody else shows?", "four times", "double_unique"),
    Ruling("A mixed tile with two animals that nobody else shows?", "each counts twice"),
    Ruling(
        "The tile kept, in the next round?",
        "may be placed or kept again; all know that it is there",
    ),
    Ruling("A player who cannot place a tile?", "does not exist: a park always has an edge"),
    Ruling(
        "Three players: the supply serves a seventh round?",
        "the six printed rounds are played",
        "rounds",
    ),
    Ruling(
        "More rounds than the supply serves?",
        "the game ends when it has fewer tiles than the next round needs",
        "rounds",
    ),
    Ruling("How many tiles in a hand?", "five for two players, four for more", "hand"),
    Ruling("Equal points?", "the win is shared"),
    Ruling("The end of the scoring track?", "has no rule; points are plain numbers"),
    Ruling(
        "What is known to all?",
        "all tiles placed and all tiles shown, so what is left in supply and hands together; of a "
        "hand, the tile that was kept, until one like it is placed",
    ),
)

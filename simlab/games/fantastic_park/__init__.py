"""Fantastic Park, a game of tiles on a growing and stacking park for two to five players.

The room holds `records` (what lies where), `park` (places for tiles), `groups` (of animals),
`rules` (the course of the game), `imagine` (what a seat cannot know), `story` (a game told) and
`rulings` (in words).
"""

from simlab.contract import CHECKPOINTS, Game
from simlab.games.fantastic_park.imagine import imagine
from simlab.games.fantastic_park.park import list_spots
from simlab.games.fantastic_park.records import (
    HIDDEN,
    MOST_MOVES,
    MOST_TILES,
    OPTIONS,
    RULES,
    SEAT,
    SEATS,
    TABLE,
    is_double,
    make_rules,
    pair,
    placement,
    spot,
    tile_of,
)
from simlab.games.fantastic_park.rules import (
    allowed,
    apply,
    deal,
    legal,
    over,
    progress,
    score,
)
from simlab.games.fantastic_park.rulings import RULES as RULES_TEXT
from simlab.games.fantastic_park.rulings import RULINGS
from simlab.games.fantastic_park.story import figures, name_move, narrate, show, tell

GAME = Game(
    name="fantastic-park",
    title="Fantastic Park",
    version=1,
    players=(2, SEATS),
    rules=RULES,
    table=TABLE,
    seat=SEAT,
    hidden=HIDDEN,
    max_moves=MOST_MOVES,
    max_decisions=MOST_TILES,  # each one places a tile
    chunk_games=2_048,  # 0.2 to 2 s
    options=OPTIONS,
    make_rules=make_rules,
    deal=deal,
    legal=legal,
    allowed=allowed,
    apply=apply,
    over=over,
    score=score,
    progress=progress,
    imagine=imagine,
    narrate=narrate,
    tell=tell,
    name_move=name_move,
    show=show,
    figures=figures,
    checkpoints_of=lambda rules: min(CHECKPOINTS, int(rules.rounds)),
    seat_columns=("mixed_points", "double_points", "unique_points", "on_top", "choices"),
    game_columns=(
        "height",
        "area",
        "largest_blue",
        "largest_green",
        "largest_pink",
        "largest_yellow",
        "shared_win",
    ),
    column_words={
        "mixed_points": "points from tiles with two animals, in all tours",
        "double_points": "points from tiles that show one animal twice, in all tours",
        "unique_points": "of both, points for being alone with an animal",
        "on_top": "tiles that the seat laid across two others",
        "choices": "legal moves that the seat had, over all its decisions together",
        "height": "most tiles on top of each other at the end",
        "area": "cells of the park at the end",
        "largest_blue": "cells of the largest group of blue animals at the last tour",
        "largest_green": "cells of the largest group of green animals at the last tour",
        "largest_pink": "cells of the largest group of pink animals at the last tour",
        "largest_yellow": "cells of the largest group of yellow animals at the last tour",
        "shared_win": "1 if several have the most points, else 0; its mean is the share of such "
        "games",
    },
    summary="lay animals side by side and on top, keep the tile whose groups are largest",
    rules_text=RULES_TEXT,
    rulings=RULINGS,
    policies="simlab.policies.fantastic_park",
)

__all__ = [
    "GAME",
    "is_double",
    "legal",
    "list_spots",
    "pair",
    "placement",
    "spot",
    "tile_of",
]

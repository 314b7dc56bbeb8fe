"""Fantastique, a game of fans and medals for two to five players.

The room holds `records` (what lies where), `rules` (the course of the game), `finale` (its
scoring), `imagine` (what a seat cannot know), `story` (a game told) and `rulings` (in words).
"""

from simlab.contract import Game
from simlab.counters import count, total
from simlab.games.fantastique.blinds import rescope, vary_finale
from simlab.games.fantastique.finale import matching, score
from simlab.games.fantastique.imagine import imagine
from simlab.games.fantastique.records import (
    DRAFT,
    HIDDEN,
    MOST_MOVES,
    OPTIONS,
    PLAY,
    RULES,
    SEAT,
    SEATS,
    TABLE,
    cards_in,
    fan,
    make_rules,
    value_of,
)
from simlab.games.fantastique.rules import (
    allowed,
    apply,
    deal,
    legal,
    not_played,
    over,
    place_of,
    progress,
)
from simlab.games.fantastique.rulings import RULES as RULES_TEXT
from simlab.games.fantastique.rulings import RULINGS
from simlab.games.fantastique.story import (
    name_move,
    narrate,
    record_options,
    show,
    tell,
)

GAME = Game(
    name="fantastique",
    title="Fantastique",
    version=1,
    players=(2, SEATS),
    rules=RULES,
    table=TABLE,
    seat=SEAT,
    hidden=HIDDEN,
    max_moves=MOST_MOVES,
    max_decisions=120,  # 12 rounds of a fan and a stack for five seats
    chunk_games=32_768,  # 0.1 to 0.5 s
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
    record_options=record_options,
    checkpoints_of=lambda rules: int(rules.rounds),
    seat_columns=(
        "medal_points",
        "finale_cards",
        "finale_points",
        "hand_cards",
        "gold",
        "silver",
        "bronze",
        "cards_played",
    ),
    game_columns=("reshuffles", "passes", "shared_win", "finale_changed_winner"),
    column_words={
        "medal_points": "points from the medals of the rounds",
        "finale_cards": "cards in the last hand that the Grande Finale counted",
        "finale_points": "points from the medals of the Grande Finale",
        "hand_cards": "cards in hand at the end",
        "gold": "gold medals won in the rounds",
        "silver": "silver medals won in the rounds",
        "bronze": "bronze medals won in the rounds",
        "cards_played": "cards laid out in fans, in all rounds together",
        "reshuffles": "how often the discard pile was shuffled to be the deck again",
        "passes": "how often a seat had no fan that it might play, all seats together",
        "shared_win": "1 if several won together, else 0; its mean is the share of such games",
        "finale_changed_winner": "1 if the winners are not those that the medals of the rounds "
        "alone would have made, else 0; its mean is the share of such games",
    },
    summary="play fans of equal cards for medals, keep what the Grande Finale counts",
    rules_text=RULES_TEXT,
    rulings=RULINGS,
    policies="simlab.policies.fantastique",
    blinds={"finale": vary_finale},
    check_options={"finale": "random"},
    scoring_only=("finale",),
    rescope=rescope,
)

__all__ = [
    "DRAFT",
    "GAME",
    "PLAY",
    "cards_in",
    "count",
    "fan",
    "legal",
    "matching",
    "not_played",
    "place_of",
    "total",
    "value_of",
]

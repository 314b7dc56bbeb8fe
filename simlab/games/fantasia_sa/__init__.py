"""Fantasía S.A., a game of Feats, dice and Loot for two to five players.

The room holds `box` (what the cards may say), `cards/` (what they do say), `records` (what lies
where), `rules` (the course of the game) with `decks`, `knights`, `feats` and `actions`, `choices`
(what may be decided), `score`, `imagine` (what a seat cannot know), `diary` and `story` (a game
told), `tale` (in plain words) and `rulings`.
"""

from simlab.cards import MOST_CARDS
from simlab.contract import Game
from simlab.games.fantasia_sa.actions import is_aimed
from simlab.games.fantasia_sa.choices import allowed, legal
from simlab.games.fantasia_sa.decks import card_at
from simlab.games.fantasia_sa.feats import lowest_loot, pays_in, purse
from simlab.games.fantasia_sa.imagine import imagine
from simlab.games.fantasia_sa.records import (
    ACTION,
    BUY,
    CANCEL,
    CHOOSE,
    DISCARD,
    FAILED,
    GOLD,
    HERO_PILE,
    HIDDEN,
    LOSE_EQUIPMENT,
    LOSE_LOWEST,
    LOSE_SPONSOR,
    MOST_MOVES,
    NOTHING,
    OPTIONS,
    PASS,
    RENOWN,
    REROLL,
    ROLL,
    RULES,
    SEAT,
    SEATS,
    SHIELD,
    TABLE,
    TURN,
    action_of,
    card_move,
    card_of,
    curse_move,
    left_of,
    make_rules,
    play,
    sponsor_move,
    stolen_by,
    target_of,
)
from simlab.games.fantasia_sa.rules import apply, deal, over, progress
from simlab.games.fantasia_sa.rulings import RULES as RULES_TEXT
from simlab.games.fantasia_sa.rulings import RULINGS
from simlab.games.fantasia_sa.score import COLUMN_WORDS, GAME_COLUMNS, SEAT_COLUMNS, score
from simlab.games.fantasia_sa.story import narrate
from simlab.games.fantasia_sa.tale import name_move, show, tell

GAME = Game(
    name="fantasia-sa",
    title="Fantasía S.A.",
    version=1,
    players=(2, SEATS),
    rules=RULES,
    table=TABLE,
    seat=SEAT,
    hidden=HIDDEN,
    max_moves=MOST_MOVES,
    max_decisions=15_000,  # a thousand turns of fifteen decisions; lots drawn take four
    chunk_games=8_192,  # 0.2 to 2 s
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
    seat_columns=SEAT_COLUMNS,
    game_columns=GAME_COLUMNS,
    column_words=COLUMN_WORDS,
    summary="perform heroic Feats with dice, and retire on your Loot (the cards are reconstructed)",
    rules_text=RULES_TEXT,
    rulings=RULINGS,
    policies="simlab.policies.fantasia_sa",
    check_options={"turn_cap": 100},  # drawing lots hardly ever ends a game by itself
)

__all__ = [
    "ACTION",
    "BUY",
    "CANCEL",
    "CHOOSE",
    "DISCARD",
    "FAILED",
    "GAME",
    "GOLD",
    "HERO_PILE",
    "LOSE_EQUIPMENT",
    "LOSE_LOWEST",
    "LOSE_SPONSOR",
    "MOST_CARDS",
    "NOTHING",
    "PASS",
    "RENOWN",
    "REROLL",
    "ROLL",
    "SHIELD",
    "TURN",
    "action_of",
    "allowed",
    "card_at",
    "card_move",
    "card_of",
    "curse_move",
    "is_aimed",
    "left_of",
    "legal",
    "lowest_loot",
    "pays_in",
    "play",
    "purse",
    "sponsor_move",
    "stolen_by",
    "target_of",
]

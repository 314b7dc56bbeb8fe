"""Fantastiqa, a game of a map, personal decks and Quests for two to four players.

The room holds `records` (what lies where), `cards` (lists of cards), `rules` (which decision when),
then a file for each topic of the rulebook, `imagine` (what a seat cannot know), `story` (a game
told) and `rulings` (in words).
"""

from simlab.contract import CHECKPOINTS, Game
from simlab.games.fantastiqa.imagine import imagine
from simlab.games.fantastiqa.options import OPTIONS, make_rules
from simlab.games.fantastiqa.records import (
    HIDDEN,
    RULES,
    SEAT,
    SEATS,
    TABLE,
    TALLIES,
    TURNS_A_CHECKPOINT,
)
from simlab.games.fantastiqa.rules import allowed, apply, legal, over, progress
from simlab.games.fantastiqa.rulings import COLUMN_WORDS, RULINGS, figures
from simlab.games.fantastiqa.rulings import RULES as RULES_TEXT
from simlab.games.fantastiqa.scoring import score
from simlab.games.fantastiqa.story import narrate
from simlab.games.fantastiqa.telling import name_move, record_options, show, tell
from simlab.games.fantastiqa.turns import deal

GAME = Game(
    name="fantastiqa",
    title="Fantastiqa",
    version=1,
    players=(2, SEATS),
    rules=RULES,
    table=TABLE,
    seat=SEAT,
    hidden=HIDDEN,
    max_moves=1024,
    max_decisions=40_000,  # four seats, 200 turns, 50 decisions in each
    chunk_games=512,  # 0.1 to 2 s
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
    seat_columns=(*TALLIES, "gems_left", "bonus_points", "deck_cards", "deck_symbols"),
    game_columns=("full_turns", "goal_reached", "deck_out", "turn_cap", "events", "shared_win"),
    column_words=COLUMN_WORDS,
    checkpoints_of=lambda rules: min(CHECKPOINTS, -(-int(rules.turn_cap) // TURNS_A_CHECKPOINT)),
    figures=figures,
    summary="travel a wild map, recruit what you subdue, complete Quests where they ask for it",
    rules_text=RULES_TEXT,
    rulings=RULINGS,
    policies="simlab.policies.fantastiqa",
)

__all__ = ["GAME", "legal"]

"""Fantasía S.A.'s balance study: strategies, seats, cards, hostility, lengths, prices, goals."""

from simlab.experiments.standard.declaration import Standard, Sweep
from simlab.experiments.standard.fantasia_sa_cards import told_parts
from simlab.games.fantasia_sa import GAME

GOOD = ("balanced", "bully", "greedy", "outfitter")
SHOT_AT = ("balanced", "peaceful", "greedy", "outfitter")
"""The best with hostile cards, and the best without, among others."""
ALIKE = ("greedy", "greedy", "greedy", "greedy")
PLAYERS = ("4", "2", "3", "5")

STANDARD = Standard(
    game=GAME,
    policies=("balanced", "bully", "cautious", "greedy", "outfitter", "random", "sponsor-rush"),
    strongest="balanced",
    weakest="random",
    table=GOOD,
    counts=(2, 3, 4, 5),
    special=(
        Sweep("hostile", ("true", "false"), "hostile cards", policies=SHOT_AT),
        Sweep(
            "players",
            PLAYERS,
            "length by players, without hostile cards",
            {"hostile": False},
            ALIKE,
        ),
        Sweep("players", PLAYERS, "length by players, with hostile cards", policies=ALIKE),
        Sweep(
            "edit",
            ("none", "S6.gold:2/C7.gold:2", "S6.gold:3/C7.gold:3", "S6.gold:5/C7.gold:5"),
            "price of the Equipment that helps every roll (S6 and C7, 4 Gold)",
        ),
        Sweep(
            "edit",
            ("none", "S7.gold:3", "S7.gold:4", "S7.gold:6"),
            "price of the Equipment with 2 Loot (S7, 5 Gold)",
        ),
        Sweep(
            "edit",
            (
                "none",
                "P05.renown:5/P11.renown:5/P17.renown:5/P23.renown:5",
                "P05.renown:7/P11.renown:7/P17.renown:7/P23.renown:7",
            ),
            "price of the Sponsors with 3 Loot alone (P05, P11, P17, P23, 6 Renown)",
        ),
    ),
    sweeps=(
        Sweep("goal", ("10", "7", "8", "12", "14"), "Loot that wins"),
        Sweep("hand", ("3", "1", "5"), "Hero cards dealt"),
        Sweep("hand_limit", ("6", "4", "8"), "hand limit"),
        Sweep("reserve", ("3", "2", "4"), "cards in each Reserve"),
        Sweep("turn_cap", ("500", "100"), "cap on turns"),
    ),
    effort=0.5,
    more=told_parts,
)

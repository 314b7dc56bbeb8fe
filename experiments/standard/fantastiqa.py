"""Fantastiqa's balance study: strategies, Quest Goals, wilds, dragons, prices and known tips."""

from simlab.experiments.standard.declaration import Standard, Sweep
from simlab.games.fantastiqa import GAME

GOOD = ("planner", "quester", "gem-dealer", "dragon-sender")
LENGTHS = ("standard", "short", "long")

STANDARD = Standard(
    game=GAME,
    policies=(
        "collector",
        "dragon-sender",
        "gem-dealer",
        "planner",
        "quester",
        "random",
        "wanderer",
    ),
    strongest="planner",
    weakest="random",
    table=GOOD,
    counts=(2, 3, 4),
    special=(
        Sweep("goal", LENGTHS, "Quest Goal with two players", policies=GOOD[:2]),
        Sweep("goal", LENGTHS, "Quest Goal with three players", policies=GOOD[:3]),
        Sweep("goal", LENGTHS, "Quest Goal with four players", policies=GOOD),
        Sweep("wilds", ("true", "false"), "pairs as wilds"),
        Sweep("dragon_power", ("true", "false"), "cards that send Peaceful Dragons"),
        Sweep("dragon-sender.dragons", ("1", "0"), "a table with and without a sender of dragons"),
        Sweep("beast_price", ("0", "-1", "1"), "price of Beasts"),
        Sweep("artifact_price", ("0", "-1", "1"), "price of Artifacts"),
        Sweep("gems", ("3", "0", "6"), "gems at the start"),
        Sweep("carpets", ("3", "0", "6"), "Flying Carpets"),
        Sweep("planner.reshuffle", ("99", "10", "5"), "when planner reshuffles"),
    ),
    sweeps=(
        Sweep("deck", ("48-59-59", "39-49-59"), "creature deck with two players", {}, GOOD[:2]),
        Sweep("hand", ("5", "4", "6"), "cards in hand"),
        Sweep("statue_cards", ("3", "2", "4"), "cards drawn at a statue"),
        Sweep("fly_empty", ("false", "true"), "flying over emptied spaces"),
        Sweep("giving", ("true", "false"), "giving cards away"),
    ),
    effort=0.05,  # a thousand games a second, where others play a million
)

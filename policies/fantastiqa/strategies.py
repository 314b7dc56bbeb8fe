"""The strategies for Fantastiqa: what each of them wants."""

from __future__ import annotations

from simlab.contract import policy
from simlab.games.fantastiqa import GAME, legal
from simlab.policies.fantastiqa.habits import play
from simlab.streams import below


@policy(GAME)
def random(rules, table, own, moves, weights, rng):
    """Draws lots: every legal decision is equally likely.

    The yardstick that any idea has to beat. It discards and commits far too much.
    """
    return moves[below(rng, legal(rules, table, own, moves))]


@policy(GAME, level=1.0)
def wanderer(rules, table, own, moves, weights, rng):
    """Subdues whatever it can, as many creatures as it can, wherever that leads.

    What children do in their first game: Quests are completed when it happens to stand in the right
    region. A creature is worth `level` for each of its levels; cards cost nothing.
    """
    style = (
        0.3,
        0.5,
        0.0,
        weights[0],
        0.5,
        0.0,
        0.02,
        0.0,
        0.2,
        0.2,
        0.0,
        0.0,
        0.0,
        2.0,
        99.0,
        3.0,
    )
    return play(rules, table, own, moves, style)


@policy(GAME, need=3.0, step=2.0)
def quester(rules, table, own, moves, weights, rng):
    """Picks the Quest that is nearest in symbols and steps, and steers and recruits for it.

    A symbol that the Quest lacks is worth `need` on a creature, a step towards its region `step`.
    Once it is at home in a Quest it commits cards early, and it keeps tokens for the last step.
    """
    style = (
        1.0,
        1.0,
        weights[0],
        0.5,
        0.5,
        weights[1],
        0.2,
        1.0,
        0.5,
        0.1,
        1.0,
        0.0,
        0.0,
        2.0,
        99.0,
        1.0,
    )
    return play(rules, table, own, moves, style)


@policy(GAME, cards=24.0)
def collector(rules, table, own, moves, weights, rng):
    """Builds a strong deck first: level 2, beasts, no weak cards; then it turns to Quests.

    Until its deck has `cards` cards it hardly looks at Quests, and it releases household items.
    """
    deck = table.discard_cards[own.seat] + table.pile_cards[own.seat] + table.hand_cards[own.seat]
    if deck < weights[0]:
        style = (1.0, 1.0, 0.5, 2.0, 1.0, 0.2, 0.2, 0.3, 2.0, 0.5, 0.0, 0.7, 0.0, 2.0, 12.0, 2.0)
        return play(rules, table, own, moves, style)
    late = (1.0, 1.0, 3.0, 1.0, 0.5, 2.0, 0.2, 1.0, 0.5, 0.1, 1.0, 0.5, 0.0, 2.0, 12.0, 2.0)
    return play(rules, table, own, moves, late)


@policy(GAME, gem=3.0, beast=4.0, artifact=2.0)
def gem_dealer(rules, table, own, moves, weights, rng):
    """Collects gems, the bottleneck of the first turns, and spends them on Beasts and Artifacts.

    A gem on a creature is worth `gem`; what gems would buy at a statue here is worth `beast` for
    each Beast and `artifact` for each Artifact.
    """
    style = (
        1.0,
        1.0,
        2.0,
        0.5,
        weights[0],
        1.0,
        0.2,
        1.0,
        weights[1],
        weights[2],
        0.5,
        0.0,
        0.0,
        2.0,
        99.0,
        2.0,
    )
    return play(rules, table, own, moves, style)


@policy(GAME, need=3.0, step=2.0)
def dragon_sender(rules, table, own, moves, weights, rng):
    """Clogs the leader's deck: sends and gives Peaceful Dragons whenever it can.

    Otherwise it plays for Quests: a lacking symbol is worth `need`, a step towards its region
    `step`.
    """
    style = (
        1.0,
        1.0,
        weights[0],
        0.5,
        0.5,
        weights[1],
        0.2,
        1.0,
        0.5,
        0.1,
        1.0,
        0.0,
        1.0,
        2.0,
        99.0,
        1.0,
    )
    return play(rules, table, own, moves, style)


PLANNER = {
    "lack": 1.0,
    "far": 1.0,
    "need": 3.0,
    "level": 0.8,
    "gem": 0.7,
    "step": 2.0,
    "card": 0.2,
    "hold": 1.0,
    "beast": 1.0,
    "artifact": 0.3,
    "chest": 1.0,
    "release": 0.3,
    "dragons": 1.0,
    "keep": 2.0,
    "reshuffle": 10.0,
    "depth": 3.0,
}


@policy(GAME, **PLANNER)
def planner(rules, table, own, moves, weights, rng):
    """Weighs Quests, paths, cards, gems and thinning against each other, over whole paths.

    It aims for the Quest that promises most points a turn, where a lacking symbol waits `lack`
    times as long as its share in the deck makes it wait and a step takes `far` turns. A line of up
    to `depth` creatures is worth `level` for each level, `gem` for each gem, `need` for each
    symbol that the Quest lacks and `step` for each step nearer, less `card` times the price of
    the cards, which is larger by `hold` for each symbol that the Quest wants. A visit is worth
    `beast` or `artifact` for each card that gems buy, `chest` for a Quest that it has room for,
    `release` for each weak card that it sheds. It sends dragons if `dragons` is above 0, keeps
    cards worth `keep` or more, and reshuffles when `reshuffle` cards are discarded and the draw
    pile is low.
    """
    style = (weights[0], weights[1], weights[2], weights[3], weights[4], weights[5], weights[6],
             weights[7], weights[8], weights[9], weights[10], weights[11], weights[12],
             weights[13], weights[14], weights[15])  # fmt: skip
    return play(rules, table, own, moves, style)

"""What is printed on the cards of Fantasía S.A.: four tables, and the words for effects."""

from __future__ import annotations

from pathlib import Path

from simlab.cards import Amount, CardBox, CardTable, Column, Term, effects, number, word

TYPES = ("combat", "rescue", "pickup")
"""Kinds of Feats, in the order of their numbers."""
COMBAT, RESCUE, PICKUP = 0, 1, 2

MOMENTS = ("own turn", "own roll", "other roll", "own failure", "action")
"""When an Action card may be played, in the order of their numbers."""
OWN_TURN, OWN_ROLL, OTHER_ROLL, OWN_FAILURE, ON_ACTION = 0, 1, 2, 3, 4

BENEFITS = (
    Term("combat", "combat", "added to one's rolls for Combat Feats", low=-9, high=9),
    Term("rescue", "rescue", "added to one's rolls for Rescue Feats", low=-9, high=9),
    Term("pickup", "pickup", "added to one's rolls for Pickup Feats", low=-9, high=9),
    Term("all rolls", "any_roll", "added to all one's Feat Rolls", low=-9, high=9),
    Term("gold", "more_gold", "Gold more when a Feat is exchanged for Gold", low=-9, high=9),
    Term("renown", "more_renown", "Renown more when exchanged for Renown", low=-9, high=9),
    Term("draw", "more_draws", "Hero cards drawn besides the one of Phase 1", low=1, high=5),
    Term("buy", "buys", "cards that one Feat may buy, each within its whole value", low=2, high=5),
    Term("reroll", "reroll", "once a turn a failed Feat Roll may be rolled again"),
    Term("stay out from", "dodge", "sent to hospital: a die of N or more, and one stays out", 2, 6),
    Term("shield", "shield", "may be discarded instead of going to hospital"),
)
"""What a Sponsor or an Equipment does as long as it lies before a knight."""
HARMS = (
    Term("hospital", "hospital", "the knight goes to hospital"),
    Term("lose sponsor", "lose_sponsor", "discards a Sponsor of one's choice"),
    Term("lose equipment", "lose_equipment", "discards an Equipment, or a curse, of one's choice"),
    Term("curse", "curse", "stays as harmful Equipment: N off its type of rolls", low=1, high=9),
)
"""What a failed Feat does, in this order."""
DEEDS = (
    Term("roll", "roll", "added to the Feat Roll that is about to be made", low=-9, high=9),
    Term("reroll", "reroll", "the failed Feat Roll is made again, and counts"),
    Term("cancel", "cancel", "the Action card that was played last has no effect"),
    Term("draw", "draw", "draws Hero cards", low=1, high=9),
    Term("heal", "heal", "leaves the hospital at once"),
    Term("steal", "steal", "takes an Equipment that lies before the other player, no curse"),
    Term("hospital", "hospital", "the other knight goes to hospital"),
    Term("lose lowest sponsor", "lose_lowest", "the other discards the Sponsor of lowest Loot"),
    Term("lose sponsor", "lose_sponsor", "the other discards a Sponsor of their choice"),
    Term("lose equipment", "lose_equipment", "the other discards an Equipment, or a curse"),
)
"""What an Action card does, in this order; the last five are aimed at another player."""


def _feats() -> tuple[Column, ...]:
    return (
        word("type", TYPES, "which bonuses count"),
        number("difficulty", 2, 30, "least total of the Feat Roll that succeeds"),
        number("gold", 0, 30, "Gold that it may be exchanged for, 0: none"),
        number("renown", 0, 30, "Renown that it may be exchanged for, 0: none"),
        effects("failure", HARMS, "what a knight suffers who fails"),
    )


FEATS = CardTable("feats", "what knights attempt", _feats())
EQUIPMENT = CardTable(
    "equipment",
    "Hero cards that are bought for Gold, out of the hand",
    (
        word("type", ("style", "assistant", "clothing"), "no rule looks at it"),
        number("gold", 0, 30, "price"),
        effects(
            "effect",
            (*BENEFITS, Term("loot", "loot", "counts towards the goal", low=-9, high=9)),
            "what it does while it lies before a knight",
        ),
    ),
    least=0,
)
ACTIONS = CardTable(
    "actions",
    "Hero cards that are played out of the hand",
    (
        word("when", MOMENTS, "when it may be played"),
        word("hostile", ("no", "yes"), "aimed at others; hostile=false leaves it out"),
        effects("effect", DEEDS, "what it does"),
    ),
    least=0,
)
SPONSORS = CardTable(
    "sponsors",
    "what is bought for Renown, out of the Sponsor Reserve",
    (
        word("type", ("materials", "service", "herald", "magic"), "no rule looks at it"),
        number("renown", 0, 30, "price"),
        number("loot", 0, 9, "counts towards the goal"),
        effects("effect", BENEFITS, "what it does while it lies before a knight"),
    ),
)
BOX = CardBox(
    "fantasia-sa",
    Path(__file__).parent / "cards",
    (FEATS, EQUIPMENT, ACTIONS, SPONSORS),
    (
        Amount("goals", "Loot that wins with 2, 3, 4 and 5 players", 1, 200, length=4),
        Amount("hand", "Hero cards dealt to each player", 0, 12),
        Amount("hand_limit", "Hero cards kept after the draw of Phase 1", 1, 64),
        Amount("reserve", "Feats, and Sponsors, that lie face up", 1, 6),
    ),
)

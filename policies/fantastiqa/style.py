"""The numbers of a style, in the order of the parameters of `planner`, which explains them."""

from __future__ import annotations

(
    LACK,
    FAR,
    NEED,
    LEVEL,
    GEM,
    STEP,
    CARD,
    HOLD,
    BEASTS,
    ARTIFACTS,
    CHESTS,
    THIN,
    DRAGONS,
    KEEPS,
    RENEW,
    DEPTH,
    COLLECT,
) = range(17)
STUCK = 0
"""Place in a policy's notes: turns in a row in which it could do nothing."""
UNEAGER = 0.15
"""What Quests count for while a deck is too small."""

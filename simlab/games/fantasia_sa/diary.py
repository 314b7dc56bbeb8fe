"""What the last move made happen, line by line, so that a game can be told.

The diary is part of what nobody sees: policies are not shown it, and it changes nothing.
"""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.games.fantasia_sa.records import MOST_LINES

(
    DEALT,
    TURNED,
    NEW_FEAT,
    NEW_SPONSOR,
    RESHUFFLED,
    DRAWN,
    DISCARDED,
    CHOSEN,
    PLAYED,
    CANCELLED,
    TOOK_EFFECT,
    USED,
    ROLLED,
    SUCCEEDED,
    FAILED_IT,
    BOUGHT_EQUIPMENT,
    BOUGHT_SPONSOR,
    LOST_EQUIPMENT,
    LOST_SPONSOR,
    LOST_CURSE,
    SHIELDED,
    CURSED,
    STOLEN,
    DIE,
    HURT,
    HEALED,
    WON,
    CAPPED,
) = range(28)
"""What may happen. Each line holds one of them, a seat, and up to two numbers."""


@rule
def note(state: Record, what: int, seat: int, card: int, more: int) -> None:
    """Add a line; past its room the diary only counts, and whoever tells the game complains."""
    hidden = state.hidden
    line = hidden.logged
    hidden.logged = line + 1
    if line < MOST_LINES:
        hidden.diary[line, 0] = what
        hidden.diary[line, 1] = seat
        hidden.diary[line, 2] = card
        hidden.diary[line, 3] = more

"""A game of Fantasía S.A. as others read it: the record's events, and a story in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simlab.cards import Card, CardSet, known_set
from simlab.compiled import Record
from simlab.contract import Seen
from simlab.errors import SimlabError
from simlab.games.fantasia_sa import diary
from simlab.games.fantasia_sa.box import TYPES
from simlab.games.fantasia_sa.records import (
    ACTION,
    MOST_LINES,
    PILES,
    ROLL,
)

DECKS = ("feats", "heroes", "sponsors")
assert len(DECKS) == PILES


def hero(cards: CardSet, kind: int) -> Card:
    """The Hero card of a number."""
    return cards["actions"][kind - ACTION] if kind >= ACTION else cards["equipment"][kind]


def narrate(
    rules: Record, before: Record | None, move: int | None, after: Record, outcome: Record | None
) -> list[Seen]:
    """Events that follow from one move (or from the setup), in the order in which they are seen.

    Parameters
    ----------
    rules : record
    before, after : record
        States before and after the move; ``before`` is None for the setup.
    move : int or None
    outcome : record or None
        The scored game, once it is over.

    Returns
    -------
    list of Seen

    Raises
    ------
    SimlabError
        If one move made more happen than the diary has room for.
    """
    lines = after.hidden.logged
    if lines > MOST_LINES:
        raise SimlabError(f"one move made {lines} things happen, at most {MOST_LINES} can be told")
    teller = _Teller(rules, before)
    for what, *about in after.hidden.diary[:lines]:
        teller.see(what, *about)
    return teller.events


class _Teller:
    """Turns the lines of a diary into events, and keeps in mind what lies before each knight."""

    def __init__(self, rules: Record, before: Record | None) -> None:
        self.cards = known_set(rules.set_mark)
        self.events: list[Seen] = []
        kinds = range(rules.players)
        table = before.table if before is not None else None
        knights = table.knights if table is not None else None
        nothing = [0] * ACTION
        self.equipment = [list(knights[s].equipment if knights else nothing) for s in kinds]
        self.sponsors = [list(knights[s].sponsors if knights else nothing) for s in kinds]
        self.curses = [list(knights[s].curses if knights else nothing) for s in kinds]
        self.loot = [knights[s].loot if knights else 0 for s in kinds]
        self.boosts = list(table.boosts) if table is not None else [0] * ACTION
        self.feat = table.feat if table is not None else -1
        self.before_roll = table is not None and table.stage == ROLL
        self.shielded = False
        self.hands: dict[int, list[str]] = {}

    def say(self, event: str, /, seat: int | None = None, **more: Any) -> None:
        """Add an event that everybody sees."""
        who = {} if seat is None else {"seat": seat}
        self.events.append(Seen({"event": event, **who, **more}))

    def see(self, what: int, seat: int, card: int, more: int) -> None:
        """Tell one line of the diary."""
        if what in (diary.DEALT, diary.DRAWN):
            self._see_drawn(what, seat, card)
        elif what in (diary.TURNED, diary.NEW_FEAT, diary.NEW_SPONSOR, diary.RESHUFFLED):
            self._see_phase_1(what, seat, card, more)
        elif what in (diary.PLAYED, diary.CANCELLED, diary.TOOK_EFFECT):
            self._see_action(what, seat, card, more)
        elif what in (diary.CHOSEN, diary.USED, diary.ROLLED, diary.SUCCEEDED, diary.FAILED_IT):
            self._see_feat(what, seat, card, more)
        elif what in (diary.DIE, diary.HURT, diary.HEALED):
            self._see_hospital(what, seat, card, more)
        elif what == diary.DISCARDED:
            self.say("discard", seat, card=hero(self.cards, card).id)
        elif what == diary.WON:
            self.say("win", seat, loot=self.loot[seat])
        elif what == diary.SHIELDED:
            self.shielded = True
        elif what == diary.CAPPED:
            self.say("turn_cap", turn=card)
        else:
            self._see_in_play(what, seat, card, more)

    def _see_drawn(self, what: int, seat: int, card: int) -> None:
        name = hero(self.cards, card).id
        if what == diary.DRAWN:
            self.say("draw", seat)
            self.events.append(Seen({"event": "drawn", "seat": seat, "card": name}, (seat,)))
            return
        if seat not in self.hands:
            self.hands[seat] = []
            event = {"event": "deal", "seat": seat, "cards": self.hands[seat]}
            self.events.append(Seen(event, (seat,)))
        self.hands[seat].append(name)

    def _see_phase_1(self, what: int, seat: int, card: int, more: int) -> None:
        if what == diary.TURNED:
            self.say("turn", seat, turn=card)
        elif what == diary.RESHUFFLED:
            self.say("reshuffle", deck=DECKS[card], cards=more)
        else:
            name = "feats" if what == diary.NEW_FEAT else "sponsors"
            self.say("reveal", reserve=name, card=self.cards[name][card].id)

    def _see_action(self, what: int, seat: int, card: int, more: int) -> None:
        action = self.cards["actions"][card]
        if what == diary.PLAYED:
            target, stolen = more % 8 - 1, more // 8 - 1
            aim: dict[str, Any] = {"target": target} if target >= 0 else {}
            aim |= {"equipment": self.cards["equipment"][stolen].id} if stolen >= 0 else {}
            self.say("action", seat, card=action.id, **aim)
            return
        if what == diary.TOOK_EFFECT and self.before_roll and action.values["roll"]:
            self.boosts[card] += 1
        self.say("cancelled" if what == diary.CANCELLED else "effect", seat, card=action.id)

    def _see_feat(self, what: int, seat: int, card: int, more: int) -> None:
        if what == diary.CHOSEN:
            self.feat, self.boosts, self.before_roll = card, [0] * ACTION, True
            self.say("attempt", seat, feat=self.cards["feats"][card].id)
        elif what == diary.USED:
            self.say("reroll", seat, card=self._rerolling(seat)[card].id)
        elif what == diary.ROLLED:
            self._see_roll(seat, [card, more])
        else:
            word = "success" if what == diary.SUCCEEDED else "failure"
            self.say(word, seat, feat=self.cards["feats"][card].id)

    def _rerolling(self, seat: int) -> list[Card]:
        return [card for card in self._in_play(seat) if card.values["reroll"]]

    def _in_play(self, seat: int) -> Iterator[Card]:
        """Equipment, then Sponsors before a knight, each copy by itself."""
        for name, lying in (("equipment", self.equipment), ("sponsors", self.sponsors)):
            for kind, number in enumerate(lying[seat]):
                for _ in range(number):
                    yield self.cards[name][kind]

    def _see_roll(self, seat: int, dice: list[int]) -> None:
        feat = self.cards["feats"][self.feat]
        kind = TYPES[feat.values["type"]]
        found: list[tuple[str, int]] = [
            (card.id, card.values[kind] + card.values["any_roll"]) for card in self._in_play(seat)
        ]
        for curse, number in enumerate(self.curses[seat]):
            card = self.cards["feats"][curse] if number else feat
            same = card.values["type"] == feat.values["type"]
            found += [(card.id, -card.values["curse"])] * (number if same else 0)
        for action, number in enumerate(self.boosts):
            if number:
                card = self.cards["actions"][action]
                found += [(card.id, card.values["roll"])] * number
        modifiers = [[name, amount] for name, amount in found if amount]
        total, difficulty = sum(dice) + sum(n for _, n in found), feat.values["difficulty"]
        success = sum(dice) == 12 or (sum(dice) > 2 and total >= difficulty)
        result = {"total": total, "difficulty": difficulty, "success": success}
        self.say("roll", seat, dice=dice, modifiers=modifiers, **result)

    def _see_hospital(self, what: int, seat: int, card: int, more: int) -> None:
        if what == diary.DIE:
            name = "sponsors" if card >= ACTION else "equipment"
            self.say("die", seat, card=self.cards[name][card % ACTION].id, die=more)
        else:
            self._see_ward(what, seat, card, more)

    def _see_ward(self, what: int, seat: int, card: int, more: int) -> None:
        if what == diary.HURT:
            self.say("hospital", seat)
        else:
            self.say("heal", seat, why=self.cards["actions"][card].id if more else "rest")

    def _see_in_play(self, what: int, seat: int, card: int, more: int) -> None:
        """Something comes to lie before a knight, or goes."""
        if what in (diary.CURSED, diary.LOST_CURSE):
            self.curses[seat][card] += 1 if what == diary.CURSED else -1
            word, name = ("curse", "feats") if what == diary.CURSED else ("lose", "feats")
        elif what in (diary.BOUGHT_SPONSOR, diary.LOST_SPONSOR):
            number = 1 if what == diary.BOUGHT_SPONSOR else -1
            word, name = "buy" if number > 0 else "lose", "sponsors"
            self.sponsors[seat][card] += number
            self.loot[seat] += number * self.cards[name][card].values["loot"]
        else:
            number = -1 if what == diary.LOST_EQUIPMENT else 1
            word, name = "buy" if number > 0 else "lose", "equipment"
            self.equipment[seat][card] += number
            self.loot[seat] += number * self.cards[name][card].values["loot"]
        if what == diary.STOLEN:
            self.equipment[more][card] -= 1
            self.loot[more] -= self.cards[name][card].values["loot"]
            event = {"victim": more, "card": self.cards[name][card].id}
            self.say("steal", seat, **event, loot=[self.loot[seat], self.loot[more]])
            return
        if self.shielded:
            word, self.shielded = "shield", False
        price: dict[str, Any] = {}
        if word == "buy":
            price = {"pay": "gold" if name == "equipment" else "renown", "worth": more}
        self.say(word, seat, card=self.cards[name][card].id, **price, loot=self.loot[seat])

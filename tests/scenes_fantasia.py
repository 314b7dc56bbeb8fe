"""Scenes of Fantasía S.A.: tables laid out by hand, cards by their ids, dice as one wants them.

Everything that happens to them happens in the engine's own compiled rules.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from simlab.cards import export_cards, known_set
from simlab.engine import array_of, engine_of
from simlab.games.fantasia_sa import GAME
from simlab.games.fantasia_sa.box import BOX
from simlab.games.fantasia_sa.decks import add_to_hand
from simlab.games.fantasia_sa.knights import gain_curse, gain_equipment, gain_sponsor
from simlab.games.fantasia_sa.records import (
    ACTION,
    BUY,
    CANCEL,
    CHOOSE,
    DISCARD,
    FAILED,
    LOSE_EQUIPMENT,
    LOSE_LOWEST,
    LOSE_SPONSOR,
    NOTHING,
    PASS,
    REROLL,
    ROLL,
    SHIELD,
    TURN,
    action_of,
    stolen_by,
    target_of,
)
from simlab.games.fantasia_sa.rules import begin_turn, clear_seat, clear_table, go_on
from simlab.streams import DICE as DICE_STREAM
from simlab.streams import STREAM, below, open_stream, purpose_of

PHASES = {
    DISCARD: "discard",
    TURN: "turn",
    CHOOSE: "choose",
    ROLL: "roll",
    FAILED: "failed",
    BUY: "buy",
    CANCEL: "answer",
    SHIELD: "shield",
    LOSE_LOWEST: "lose lowest",
    LOSE_SPONSOR: "lose sponsor",
    LOSE_EQUIPMENT: "lose equipment",
}
RULES_AT = array_of(GAME.rules)
STATES = array_of(GAME.state)
STREAMS = array_of(STREAM)
NUMBERS = types.int64[::1]

CLEAR, HAND, SPONSOR, EQUIPMENT, CURSE, START, GO, MOVE = range(8)


def act(rules_at, states, streams, what, seat, card):
    """Lay out one thing, or make one move; returns whether a move was allowed."""
    rules, state, chance = rules_at[0], states[0], streams[0]
    if what == CLEAR:
        clear_table(rules, state.table)
        for one in range(rules.players):
            clear_seat(state, one)
    elif what == HAND:
        add_to_hand(rules, state, seat, card)
    elif what == SPONSOR:
        gain_sponsor(rules, state, seat, card)
    elif what == EQUIPMENT:
        gain_equipment(rules, state, seat, card)
    elif what == CURSE:
        gain_curse(rules, state, seat, card)
    elif what == START:
        begin_turn(rules, state, chance)
        go_on(rules, state, chance)
    elif what == GO:
        go_on(rules, state, chance)
    elif allowed(rules, state.table, state.seats[state.table.to_move], card):  # noqa: F821
        apply(rules, state, card, chance)  # noqa: F821
    else:
        return 0
    return 1


def find_dice(streams, seat, wanted):
    """The first deal in which a seat's rolls show the wanted dice, two by two."""
    chance = streams[0]
    for deal in range(100_000_000):
        fits = 1
        for roll in range(len(wanted) // 2):
            purpose = purpose_of(DICE_STREAM, seat, roll)
            open_stream(chance, chance.seed, np.uint64(deal), purpose)
            fits &= 1 + below(chance, 6) == wanted[2 * roll]
            second = wanted[2 * roll + 1]
            fits &= second == 0 or 1 + below(chance, 6) == second
            if fits == 0:
                break
        if fits == 1:
            return deal
    return -1


@cache
def act_kernel() -> Any:
    records = (RULES_AT, STATES, STREAMS)
    return engine_of(GAME).bind(act, *records, types.int64, types.int64, types.int64)


@cache
def dice_kernel() -> Any:
    return engine_of(GAME).bind(find_dice, STREAMS, types.int64, NUMBERS)


Cards = Iterable[str]


class Scene:
    """A table in the middle of a game; cards that are laid nowhere are in the decks.

    Parameters
    ----------
    hands : sequence of ids for each seat
    feats, market : ids in the two Reserves; by default the first three Sponsors lying nowhere
    sponsors, equipment, curses : mapping of seat to ids before that knight
    hospital : seats in hospital
    active : seat whose turn begins
    dice : mapping of seat to its rolls, pairs (a single die is (n, 0)); one seat at most
    top : ids on top of the Hero deck; deck: False if there is nothing else in it
    **options
        Rules that differ from the printed ones.
    """

    def __init__(
        self,
        hands: Sequence[Cards],
        *,
        feats: Sequence[str] = ("F01", "F05", "F10"),
        market: Sequence[str] | None = None,
        sponsors: Mapping[int, Cards] | None = None,
        equipment: Mapping[int, Cards] | None = None,
        curses: Mapping[int, Cards] | None = None,
        hospital: Cards | Sequence[int] = (),
        active: int = 0,
        dice: Mapping[int, Sequence[tuple[int, int]]] | None = None,
        top: Sequence[str] = (),
        deck: bool = True,
        discard: Cards = (),
        turn: int = 0,
        **options: object,
    ) -> None:
        self.rules = GAME.rules_for(len(hands), options)
        self.cards = known_set(self.rules[0].set_mark)
        self._states = np.zeros(1, GAME.state)
        self._streams = np.zeros(1, STREAM)
        self.of = {
            card.id: (table.name, kind)
            for table in BOX.tables
            for kind, card in enumerate(self.cards[table.name])
        }
        self._do(CLEAR)
        self.table.active, self.table.turn = active, turn
        for seat, hand in enumerate(hands):
            for name in hand:
                self._do(HAND, seat, self.hero(name))
        for what, lying in ((SPONSOR, sponsors), (EQUIPMENT, equipment), (CURSE, curses)):
            for seat, names in (lying or {}).items():
                for name in names:
                    self._do(what, seat, self.of[name][1])
        for seat in hospital:
            self.table.knights[seat].in_hospital = 1
        if market is None:
            used = {name for names in (sponsors or {}).values() for name in names}
            market = [card.id for card in self.cards["sponsors"] if card.id not in used][:3]
        for reserve, names in (("feat_reserve", feats), ("sponsor_reserve", market)):
            for place, name in enumerate(names):
                self.table[reserve][place] = self.of[name][1]
        for name in discard:
            self.table.piles[1].discard[self.hero(name)] += 1
        self._lay_decks(top, deck)
        for seat, rolls in (dice or {}).items():
            wanted = np.array([die for roll in rolls for die in roll], np.int64)
            self._streams["deal"] = dice_kernel()(self._streams.copy(), seat, wanted)
        self._do(START)

    def hero(self, name: str) -> int:
        table, kind = self.of[name]
        return kind + (ACTION if table == "actions" else 0)

    def _do(self, what: int, seat: int = 0, card: int = 0) -> int:
        kernel = act_kernel()
        return int(kernel(self.rules, self._states, self._streams, what, seat, card))

    @property
    def state(self) -> Any:
        return self._states[0]

    @property
    def table(self) -> Any:
        return self.state.table

    def lying(self) -> list[Counter]:
        """Cards of each pile that lie anywhere but in its deck."""
        table, rules = self.table, self.rules[0]
        found: list[Counter] = [Counter(), Counter(), Counter()]
        knights = table.knights[: rules.players]
        for pile, (field, reserve) in enumerate(
            (("curses", table.feat_reserve), ("equipment", []), ("sponsors", table.sponsor_reserve))
        ):
            for knight in knights:
                found[pile].update(dict(enumerate(knight[field].tolist())))
            found[pile].update(int(kind) for kind in reserve if kind != NOTHING)
            found[pile].update(dict(enumerate(table.piles[pile].discard.tolist())))
        found[0].update([int(table.feat)] if table.feat != NOTHING else [])
        for seat, knight in enumerate(knights):
            found[1].update(self.state.seats[seat].hand[: knight.hand_cards].tolist())
        found[1].update(ACTION + int(one.card) for one in table.stack[: table.depth])
        return [+counts for counts in found]

    def in_decks(self) -> list[Counter]:
        """Cards in the three decks."""
        pairs = zip(self.state.hidden.orders, self.table.piles, strict=True)
        return [Counter(o.cards[o.next : o.next + p.left].tolist()) for o, p in pairs]

    def every_card(self) -> list[Counter]:
        """All cards of the three piles, as the rules list them."""
        return [Counter(deck.cards[: deck.number].tolist()) for deck in self.rules[0].decks]

    def _lay_decks(self, top: Sequence[str], deck: bool) -> None:
        for pile, (whole, used) in enumerate(zip(self.every_card(), self.lying(), strict=True)):
            wanted = [self.hero(name) for name in top] if pile == 1 else []
            assert not used - whole, "cards laid out twice"
            rest = whole - used - Counter(wanted)
            if deck and pile == 1 and not top and rest[self.hero("cure")]:
                wanted = [self.hero("cure")]  # of no use to the healthy
                rest -= Counter(wanted)
            order = wanted + (sorted(rest.elements()) if deck or pile != 1 else [])
            self.state.hidden.orders[pile].cards[: len(order)] = order
            self.table.piles[pile].left = len(order)

    # --- Playing ------------------------------------------------------------------------------

    @property
    def asked(self) -> tuple[int, str]:
        """Who decides what."""
        if self.table.to_move < 0:
            return (-1, "over")
        return int(self.table.to_move), PHASES[int(self.table.phase)]

    def moves(self) -> list[int]:
        """The legal moves, as the rules number them."""
        rows = np.zeros(1, engine_of(GAME).trace)
        rows[0]["state"], rows[0]["seat"] = self.state, self.table.to_move
        counts, moves = np.zeros(1, np.int64), np.zeros((1, GAME.max_moves), np.int64)
        engine_of(GAME).list_legal(self.rules, rows, counts, moves)
        return [int(move) for move in moves[0, : counts[0]]]

    def legal(self) -> list[tuple]:
        """What may be decided, in words."""
        return [self.word(move) for move in self.moves()]

    def word(self, move: int) -> tuple:
        phase, kind = int(self.table.phase), move - 1
        if move in (PASS, REROLL):
            return ("pass",) if move == PASS else ("reroll",)
        if phase in (TURN, ROLL, FAILED, CANCEL):
            target, stolen = target_of(move), stolen_by(move)
            name = self.cards["actions"][action_of(move)].id
            thing = [self.cards["equipment"][stolen].id] if stolen >= 0 else []
            return (name, *([target] if target >= 0 else []), *thing)
        if phase == DISCARD:
            tables = ("equipment", "actions")
        elif phase == CHOOSE:
            tables = ("feats", "")
        elif phase in (LOSE_LOWEST, LOSE_SPONSOR):
            tables = ("sponsors", "")
        else:
            tables = ("equipment", "feats" if phase == LOSE_EQUIPMENT else "sponsors")
        return (self.cards[tables[kind // ACTION]][kind % ACTION].id,)

    def do(self, seat: int, *words: Any) -> None:
        """Let a seat, which has to be the one to decide, decide so."""
        assert self.table.to_move == seat, self.asked
        assert words in self.legal(), self.legal()
        assert self._do(MOVE, 0, self.moves()[self.legal().index(words)]) == 1
        self.check_cards()

    def check_cards(self) -> None:
        """No card is lost or made: each lies somewhere, or is in its deck."""
        piles = zip(self.every_card(), self.lying(), self.in_decks(), strict=True)
        for whole, lying, deck in piles:
            assert lying + deck == whole

    def may(self, *words: Any) -> bool:
        """Whether the seat to move may decide so."""
        return words in self.legal()

    # --- Looking ------------------------------------------------------------------------------

    def knight(self, seat: int) -> Any:
        return self.table.knights[seat]

    def loot(self) -> list[int]:
        return self.table.knights["loot"][: self.rules[0].players].tolist()

    def before(self, seat: int) -> list[str]:
        """What lies before a knight: Equipment, Sponsors, curses."""
        knight, found = self.knight(seat), []
        for table, field in (("equipment",) * 2, ("sponsors",) * 2, ("feats", "curses")):
            for kind in np.flatnonzero(knight[field]):
                found += [self.cards[table][kind].id] * int(knight[field][kind])
        return found

    def hand(self, seat: int) -> list[str]:
        numbers = self.state.seats[seat].hand[: self.knight(seat).hand_cards].tolist()
        tables = ("equipment", "actions")
        return [self.cards[tables[n // ACTION]][n % ACTION].id for n in numbers]

    @property
    def dice(self) -> list[int]:
        return [int(die) for die in self.table.dice]

    def winner(self) -> int:
        return int(self.table.winner)


# --- Edited cards ----------------------------------------------------------------------------


def edited(folder: Path, changes: Mapping[str, Mapping[str, str]]) -> str:
    """A folder with the printed cards, but for some cells: id to column to text.

    A card with an id that is not printed is added to the table whose first letters it names, as
    in ``actions:noble``.
    """
    export_cards(BOX, folder)
    for table in BOX.tables:
        path = folder / table.file
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        for name, cells in changes.items():
            if name.startswith(f"{table.name}:"):
                rows.append(rows[0] | {"id": name.partition(":")[2]} | dict(cells))
            for one in rows:
                if one["id"] == name:
                    one.update(cells)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return str(folder)

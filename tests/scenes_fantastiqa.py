"""Positions of Fantastiqa laid out by hand; everything that happens to them is the engine's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from explore_fantastiqa import Position

from simlab.compiled import plain
from simlab.games.fantastiqa import GAME
from simlab.games.fantastiqa import records as r
from simlab.games.fantastiqa.names import kinds_of, quests_of

TL, TR, ML, MR, BL, BR = range(6)
"""Places; regions lie on them in their own order, statues in pairs from top to bottom."""
TOP, CENTRE, LEFT = 0, 6, 5
"""Spaces between TL and TR, ML and MR, and ML and TL."""


class Scene(Position):
    """The turn of seat 0, in the middle of a game.

    Parameters
    ----------
    *hand : ids of cards
    place : where seat 0 stands; the others stand at BR, or where ``others`` says
    on : creatures by space, and ``gems_on`` their gems
    discard, pile, token : more cards of seat 0; the pile's first card is drawn first
    quests, opened : ids of personal and open Quests
    deck : the creature deck; ``supply`` the cards of a statue, the first comes next
    **more : options, and gems, carpets, reshuffles of seat 0
    """

    def __init__(
        self,
        *hand: str,
        players: int = 2,
        place: int = TL,
        others: Sequence[int] = (BR, BR, BR),
        on: Mapping[int, str] | None = None,
        gems_on: Mapping[int, int] | None = None,
        discard: Iterable[str] = (),
        pile: Sequence[str] = (),
        token: Sequence[str] = (),
        quests: Sequence[str] = (),
        opened: Sequence[str] = (),
        deck: Sequence[str] = (),
        supply: Sequence[str] = (),
        gems: Sequence[int] = (3, 3, 3, 3),
        carpets: int = 0,
        reshuffles: int = 0,
        **options: object,
    ) -> None:
        super().__init__(GAME.rules_for(players, options), np.zeros(1, GAME.state))
        mark = int(self.rules[0]["mark"])
        self.ids = [card.id for card in kinds_of(mark)]
        self.quest_ids = [card.id for card in quests_of(mark)]
        table = self.table
        table["phase"] = r.FREE
        table["region_at"] = range(6)
        table["statue_at"] = (r.TOWER, r.TOWER, r.BAZAAR, r.BAZAAR, r.CHEST, r.CHEST)
        for name in ("creature_at", "open_quests", "quests", "brewed", "in_use"):
            table[name] = r.NOTHING
        table["place"] = [place, *others, *[BR] * (3 - len(others))]
        table["gems"] = [*gems, *[0] * (4 - len(gems))]
        table["gem_supply"], table["bonus_supply"], table["dragons"] = 40, 10, 12
        table["carpets"][0], table["reshuffles"][0] = carpets, reshuffles
        for space, card in (on or {}).items():
            table["creature_at"][space] = self.kind(card)
            table["gems_at"][space] = (gems_on or {}).get(space, 0)
        for seat in range(4):
            self.state["seats"][seat]["seat"] = seat
        self._lay_cards(hand, discard, pile, token)
        for slot, quest in enumerate(quests):
            table["quests"][0, slot] = self.quest(quest)
        for space, quest in enumerate(opened):
            table["open_quests"][space], table["open_bonus"][space] = self.quest(quest), 1
        self._lay_decks(deck, supply)

    def _lay_cards(
        self, hand: Sequence[str], discard: Iterable[str], pile: Sequence[str], token: Sequence[str]
    ) -> None:
        table, own, hidden = self.table, self.state["seats"][0], self.state["hidden"]
        own["hand"][: len(hand)] = sorted(self.kind(card) for card in hand)
        own["token"][: len(token)] = sorted(self.kind(card) for card in token)
        hidden["pile"][0, : len(pile)] = [self.kind(card) for card in reversed(pile)]
        for name, cards in (("hand", hand), ("token", token), ("pile", pile)):
            table[f"{name}_cards"][0] = len(cards)
        for card in discard:
            table["discard"][0, self.kind(card)] += 1
            table["discard_cards"][0] += 1
        for card in (*hand, *pile, *token):
            table["unseen"][0, 0, self.kind(card)] += 1
        table["unseen_cards"][0, 0] = len(hand) + len(pile) + len(token)
        table["drawn_in"][0, 0] = len(hand) + len(token)

    def _lay_decks(self, deck: Sequence[str], supply: Sequence[str]) -> None:
        table, hidden = self.table, self.state["hidden"]
        hidden["next"] = 1  # 0 says that the table was never filled
        hidden["deck"][1 : 1 + len(deck)] = [self.kind(card) for card in deck]
        table["deck_cards"] = len(deck)
        for card in deck:
            table["lower"][self.kind(card)] += 1
        statue = int(table["statue_at"][table["place"][0]])
        for place, card in enumerate(reversed(supply)):
            if statue == r.CHEST:
                hidden["supply"][statue, place] = self.quest(card)
                table["quests_down"] |= np.uint64(1 << self.quest(card))
            else:
                hidden["supply"][statue, place] = self.kind(card)
                table["face_down"][self.kind(card)] += 1
        table["supply_cards"][statue] = len(supply)

    # --- Names ---

    def kind(self, card: str) -> int:
        return self.ids.index(card)

    def quest(self, card: str) -> int:
        return self.quest_ids.index(card)

    def thing(self, thing: Any) -> int:
        if not isinstance(thing, str):
            return int(thing)
        if thing.endswith(" x2"):
            return self.kind(thing.removesuffix(" x2")) + r.DOUBLED
        return self.kind(thing) if thing in self.ids else self.quest(thing)

    # --- Doing things ---

    def may(self, verb: int, thing: Any = 0) -> bool:
        """Whether a move is among those offered."""
        return (verb, self.thing(thing)) in self.moves()

    def do(self, verb: int, *things: Any) -> Scene:
        """Make a move, which has to be allowed, for each thing."""
        for thing in things or (0,):
            assert self.make(verb, self.thing(thing)), (verb, thing)
        return self

    def pay(self, space: int, *cards: str) -> Scene:
        """Subdue the creature at a space with these cards and no others."""
        return self.do(r.GO, space).do(r.LAY, *cards)

    # --- Looking at them ---

    @property
    def offered(self) -> set[str]:
        """Cards that may be laid now."""
        return {self.ids[card % r.DOUBLED] for verb, card in self.moves() if verb == r.LAY}

    def hand(self) -> list[str]:
        number = int(self.table["hand_cards"][0])
        cards = [int(card) for card in self.state["seats"][0]["hand"][:number]]
        return [self.ids[card % r.DOUBLED] + (" x2" if card >= r.DOUBLED else "") for card in cards]

    def discards(self, seat: int = 0) -> list[str]:
        counts = self.table["discard"][seat]
        return [card for kind, card in enumerate(self.ids) for _ in range(counts[kind])]

    def of_me(self, column: str) -> int:
        return int(self.table[column][0])

    def everything(self) -> Counter[str]:
        """All cards that are anywhere, the Peaceful Dragons of the supply left aside."""
        state = plain(self.state)
        return all_cards(state, self.ids, self.quest_ids)


def all_cards(state: Any, ids: Sequence[str], quest_ids: Sequence[str]) -> Counter[str]:
    """All cards of a state, wherever they are, as far as they are still in the game."""
    table, hidden = state.table, state.hidden
    found: list[int] = list(hidden.deck[hidden.next : hidden.next + table.deck_cards])
    found += [kind for kind in table.creature_at if kind != r.NOTHING]
    found += [kind for kind in (table.in_use, table.brewed) if kind != r.NOTHING]
    found += table.laid[: table.laid_cards]
    for statue in (r.TOWER, r.BAZAAR):
        found += hidden.supply[statue][: table.supply_cards[statue]]
    quests = list(hidden.supply[r.CHEST][: table.supply_cards[r.CHEST]])
    quests += [quest for quest in range(r.QUESTS) if table.quests_up >> quest & 1]
    quests += [quest for quest in table.open_quests if quest != r.NOTHING]
    at_chest = table.phase == r.CLAIMING
    (quests if at_chest else found).extend(table.drawn[: table.drawn_cards])
    counts = Counter({k: table.face_up[k] + table.released[k] for k in range(r.KINDS)})
    for seat in range(r.SEATS):
        own = state.seats[seat]
        found += own.hand[: table.hand_cards[seat]] + own.token[: table.token_cards[seat]]
        found += own.looked[: own.looked_cards]
        found += hidden.pile[seat][: table.pile_cards[seat]]
        counts.update(dict(enumerate(table.discard[seat])))
        for slot in range(r.SLOTS):
            found += table.committed[seat][slot][: table.committed_cards[seat][slot]]
        quests += [quest for quest in table.quests[seat] if quest != r.NOTHING]
    cards = Counter(ids[card % r.DOUBLED] for card in found)
    cards.update({ids[kind]: n for kind, n in counts.items() if n})
    cards.update(quest_ids[quest] for quest in quests)
    return cards

"""What a seat of Fantastiqa can know, rebuilt from the events that it saw and from nothing else.

Used to prove that the records which policies are shown hold no more than that.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from typing import Any

import numpy as np

from simlab.compiled import plain
from simlab.games.fantastiqa import GAME
from simlab.games.fantastiqa import records as r
from simlab.games.fantastiqa.names import (
    ENDINGS,
    PLACE_NAMES,
    REGIONS_IN_WORDS,
    STATUE_NAMES,
    SUPPLY_NAMES,
    kinds_of,
    quests_of,
)


class Unseen:
    """The hidden cards of one player, as far as anybody can tell: see `knowledge`."""

    def __init__(self) -> None:
        self.cards: list[Counter[int]] = [Counter()]  # by generation
        self.drawn = [0]  # cards drawn in each generation, and still hidden
        self.token: list[int] = []  # generation in which each card went under the token

    def reshuffle(self, discards: Counter[int], pile: int) -> None:
        """The discards go into the draw pile, which had so many cards."""
        if pile == 0:
            self.cards, self.drawn = [sum(self.cards, Counter())], [sum(self.drawn)]
            self.token = [0] * len(self.token)
        self.cards.append(Counter(discards))
        self.drawn.append(0)

    def oldest(self, kind: int) -> int:
        return next(age for age, cards in enumerate(self.cards) if cards[kind])

    def show(self, kind: int) -> None:
        """A card of the hand is seen: as old as it can be, drawn as early as it can be."""
        card = self.oldest(kind)
        drawn = next(age for age in range(card, len(self.cards)) if self.drawn[age])
        self.strike(kind, card, drawn)

    def strike(self, kind: int, card: int, drawn: int) -> None:
        self.cards[card][kind] -= 1
        self.drawn[drawn] -= 1

    def show_newest(self, kind: int) -> None:
        """A card just drawn is seen: one of the last draws, if cards for the others are left."""
        card, newest = self.oldest(kind), len(self.cards) - 1
        for last in range(card, newest):
            cards = sum(c.total() for c in self.cards[: last + 1])
            if sum(self.drawn[: last + 1]) >= cards:
                self.show(kind)
                return
        self.strike(kind, card, newest)

    def show_token(self, kind: int) -> None:
        """A card from under the token is seen: the first one there that is young enough."""
        fitting = [place for place, since in enumerate(self.token) if since >= self.oldest(kind)]
        self.token.pop(fitting[0] if fitting else -1)
        self.show(kind)


class Onlooker:
    """One seat's memory of a game: `see` events, then read `table` and `own`."""

    def __init__(self, options: dict, players: int, seat: int) -> None:
        self.players, self.seat = players, seat
        self.rules = plain(GAME.rules_for(players, options)[0])
        self.kinds = {card.id: kind for kind, card in enumerate(kinds_of(self.rules.mark))}
        self.quest_numbers = {q.id: n for n, q in enumerate(quests_of(self.rules.mark))}
        self.t = plain(np.zeros(1, GAME.table)[0])
        self.unseen = [Unseen() for _ in range(players)]
        self.discards: list[Counter[int]] = [Counter() for _ in range(r.SEATS)]
        self.hand: list[int] = []
        self.token: list[int] = []
        self.looked: list[int] = []
        self.looking = 0
        self.drawn: list[int] = []
        self.laid: list[int] = []
        self.committed = [[[] for _ in range(r.SLOTS)] for _ in range(r.SEATS)]
        self.last = ""
        self.set_up()

    def set_up(self) -> None:
        t, rules = self.t, self.rules
        for name in ("creature_at", "open_quests"):
            setattr(t, name, [r.NOTHING] * len(getattr(t, name)))
        t.place = [r.NOTHING] * r.SEATS
        t.quests = [[r.NOTHING] * r.SLOTS for _ in range(r.SEATS)]
        for name in ("gems", "carpets", "reshuffles"):
            here = getattr(rules, name)
            setattr(t, name, [here if s < self.players else 0 for s in range(r.SEATS)])
        t.gem_supply = rules.gem_supply - self.players * rules.gems
        t.bonus_supply, t.dragons = rules.bonus_supply, rules.dragons
        t.upper, t.lower = list(rules.upper), list(rules.lower)
        t.deck_cards = sum(t.upper) + sum(t.lower)
        t.face_down = list(rules.supply)
        beasts = [kind for kind in range(rules.kinds) if rules.group[kind] == r.BEAST]
        number = sum(rules.supply[kind] for kind in beasts)
        deck = [q for q in range(rules.quests) if not rules.start_quest[q]]
        t.supply_cards = [sum(rules.supply) - number, number, len(deck)]
        t.quests_down = sum(1 << quest for quest in deck)
        t.brewed = t.in_use = r.NOTHING
        t.to_move, t.phase = self.players - 1, r.CHOOSE_QUEST

    def decide(self, move: int) -> None:
        """Nothing is remembered of a move but what is seen of it."""

    def see(self, event: dict) -> None:
        getattr(self, "see_" + event["event"].replace(" ", "_"))(event)
        self.last = event["event"]

    def card(self, event: dict) -> int:
        return self.kinds[event["card"]] + (r.DOUBLED if event.get("doubled") else 0)

    # --- What is read ---

    def table(self) -> dict[str, Any]:
        t = self.t
        t.discard = [[self.discards[s][k] for k in range(r.KINDS)] for s in range(r.SEATS)]
        t.discard_cards = [self.discards[s].total() for s in range(r.SEATS)]
        for seat, unseen in enumerate(self.unseen):
            t.generation[seat] = len(unseen.cards) - 1
            t.token_from[seat] = filled(unseen.token, r.MOST_TOKEN)
            t.drawn_in[seat] = filled(unseen.drawn, r.GENERATIONS)
            empty = [Counter[int]()] * (r.GENERATIONS - len(unseen.cards))
            for age, cards in enumerate([*unseen.cards, *empty]):
                t.unseen[seat][age] = [cards[kind] for kind in range(r.KINDS)]
                t.unseen_cards[seat][age] = cards.total()
            t.token_cards[seat] = len(unseen.token)
        for seat, slots in enumerate(self.committed):
            for slot, cards in enumerate(slots):
                t.committed[seat][slot] = filled(sorted(cards), r.MOST_COMMITTED)
                t.committed_cards[seat][slot] = len(cards)
        t.drawn, t.drawn_cards = filled(self.drawn, r.MOST_DRAWN), len(self.drawn)
        t.laid, t.laid_cards = filled(self.laid, r.MOST_LAID), len(self.laid)
        return vars(t)

    def own(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "hand": filled(sorted(self.hand), r.MOST_HAND),
            "token": filled(sorted(self.token), r.MOST_TOKEN),
            "looked": filled(sorted(self.looked), r.MOST_SUMMONED),
            "looked_cards": len(self.looked),
        }

    # --- Cards that move ---

    def leave(self, seat: int, card: int, source: str = "hand") -> None:
        """A card leaves hand or token, for all to see."""
        kind = card % r.DOUBLED
        if source == "token":
            self.unseen[seat].show_token(kind)
        else:
            self.unseen[seat].show(kind)
            self.t.hand_cards[seat] -= 1
        if seat == self.seat:
            (self.token if source == "token" else self.hand).remove(card)

    def to_discard(self, seat: int, card: int) -> None:
        self.discards[seat][card % r.DOUBLED] += 1

    def take_gems(self, seat: int, gems: int) -> None:
        self.t.gems[seat] += gems
        self.t.gem_supply -= gems

    def done_using(self) -> None:
        t = self.t
        if t.in_use != r.NOTHING:
            self.to_discard(t.to_move, t.in_use)
            t.spent[t.in_use] += 1
            t.in_use = r.NOTHING
        t.special = t.amount = 0
        t.phase = r.FREE

    def fresh(self, seat: int) -> Counter[int]:
        """The discards that are shuffled: those not spent in this turn."""
        cards = self.discards[seat]
        return +Counter({k: n - min(n, self.t.spent[k]) for k, n in cards.items()})

    def reshuffle(self, seat: int) -> None:
        moved = self.fresh(seat)
        if moved:
            self.unseen[seat].reshuffle(moved, self.t.pile_cards[seat])
            self.discards[seat] -= moved
            self.t.pile_cards[seat] += moved.total()

    # --- Setup and turns ---

    def see_map(self, event: dict) -> None:
        self.t.region_at = [REGIONS_IN_WORDS.index(name) for name in event["regions"]]
        self.t.statue_at = [STATUE_NAMES.index(name) for name in event["statues"]]

    def see_choose(self, event: dict) -> None:
        t, seat = self.t, event["seat"]
        if "quest" in event:
            self.claim(seat, self.quest_numbers[event["quest"]])
            t.phase = r.CHOOSE_ARTIFACT
        elif "card" in event:
            self.to_discard(seat, self.card(event))
            t.phase = r.CHOOSE_PLACE
        else:
            t.place[seat] = PLACE_NAMES.index(event["place"])
            t.to_move, t.phase = seat - 1, r.CHOOSE_QUEST
            if seat == 0:
                self.make_decks()

    def make_decks(self) -> None:
        for seat in range(self.players):
            for kind in range(self.rules.kinds):
                self.discards[seat][kind] += self.rules.items[kind]
            self.reshuffle(seat)
            hand = min(self.rules.hand, self.t.pile_cards[seat])
            self.draw(seat, hand)
            self.t.hand_cards[seat] += hand

    def draw(self, seat: int, number: int) -> None:
        self.t.pile_cards[seat] -= number
        self.unseen[seat].drawn[-1] += number

    def claim(self, seat: int, quest: int) -> None:
        slot = self.t.quests[seat].index(r.NOTHING)
        self.t.quests[seat][slot] = quest
        self.t.points[seat] -= self.rules.cups[quest]

    def see_deal(self, event: dict) -> None:
        assert event["seat"] == self.seat, "other hands are not shown"
        self.hand = [self.kinds[card] for card in event["cards"]]

    def see_open_quest(self, event: dict) -> None:
        t, quest = self.t, self.quest_numbers[event["quest"]]
        t.open_quests[event["space"]] = quest
        t.open_bonus[event["space"]] = event["bonus"]
        t.bonus_supply -= event["bonus"]
        if t.phase == r.FREE:
            self.take_from_supply(r.CHEST, [quest])

    def see_turn(self, event: dict) -> None:
        t = self.t
        t.to_move, t.phase, t.acted = event["seat"], r.FREE, 0
        t.turn_number = (event["number"] - 1) // self.players
        t.checkpoint = t.turn_number // r.TURNS_A_CHECKPOINT
        t.spent = [0] * r.KINDS

    def turn_up(self, kind: int) -> None:
        """A card of the creature deck."""
        t = self.t
        t.deck_cards -= 1
        if t.mixed > 0:
            t.mixed -= 1
            if t.mixed_in[kind] > 0:
                t.mixed_in[kind] -= 1
                return
        section = t.upper if t.upper[kind] else t.lower
        section[kind] -= 1

    def see_creature(self, event: dict) -> None:
        t, kind = self.t, self.card(event)
        self.turn_up(kind)
        t.creature_at[event["space"]] = kind
        t.gems_at[event["space"]] = event["gems"]
        t.gem_supply -= event["gems"]

    def see_raid(self, event: dict) -> None:
        self.turn_up(self.card(event))
        for seat, gems in enumerate(event["losses"]):
            self.take_gems(seat, -gems)

    def see_mix_in(self, event: dict) -> None:
        for card in event["cards"]:
            self.t.mixed_in[self.kinds[card]] += 1
        self.t.mixed = event["among"]
        self.t.deck_cards += len(event["cards"])

    def see_end(self, event: dict) -> None:
        seat = event["seat"]
        for cards in self.committed[seat]:
            cards[:] = [card % r.DOUBLED for card in cards]
        if seat == self.seat:
            self.hand = [card % r.DOUBLED for card in self.hand]
            self.token = [card % r.DOUBLED for card in self.token]

    def see_give(self, event: dict) -> None:
        card = self.kinds[event["card"]]
        self.leave(event["seat"], card)
        self.to_discard(event["to"], card)

    def see_draw(self, event: dict) -> None:
        self.draw(event["seat"], event["number"])
        if self.t.special == r.SUMMON:
            self.looking += event["number"]
        else:
            self.t.hand_cards[event["seat"]] += event["number"]

    def see_see(self, event: dict) -> None:
        assert event["seat"] == self.seat
        row = self.looked if self.t.special == r.SUMMON else self.hand
        row += [self.kinds[card] for card in event["cards"]]

    def see_shuffle(self, event: dict) -> None:
        if event["deck"] == "own":
            self.reshuffle(event["seat"])
            assert self.t.pile_cards[event["seat"]] == event["cards"]
        else:
            self.renew(SUPPLY_NAMES.index(event["deck"]))

    def see_reshuffle(self, event: dict) -> None:
        self.t.reshuffles[event["seat"]] -= 1
        self.reshuffle(event["seat"])
        assert self.t.pile_cards[event["seat"]] == event["cards"]

    def see_over(self, event: dict) -> None:
        self.t.ended = ENDINGS.index(event["reason"])
        self.t.to_move, self.t.phase = -1, r.FINISHED

    # --- Adventures and Quests ---

    def begin_payment(self, what: int, target: int) -> None:
        self.t.phase, self.t.paying_for, self.t.target = r.PAYING, what, target

    def see_face(self, event: dict) -> None:
        t = self.t
        if not t.acted:
            t.acted, t.visited = 1, 1 << t.place[event["seat"]]
        self.begin_payment(r.FOR_CREATURE, event["space"])

    def see_attempt(self, event: dict) -> None:
        t, quest = self.t, self.quest_numbers[event["quest"]]
        t.acted = 1
        if quest in t.quests[event["seat"]]:
            self.begin_payment(r.FOR_PERSONAL, t.quests[event["seat"]].index(quest))
        else:
            self.begin_payment(r.FOR_OPEN, t.open_quests.index(quest))

    def see_lay(self, event: dict) -> None:
        card = self.card(event)
        self.leave(event["seat"], card, event["source"])
        self.laid.append(card)

    def end_payment(self, seat: int) -> None:
        for card in self.laid:
            self.to_discard(seat, card)
        self.laid = []
        self.t.paying_for = self.t.target = 0

    def see_subdue(self, event: dict) -> None:
        t, seat, space = self.t, event["seat"], event["space"]
        self.end_payment(seat)
        self.to_discard(seat, t.creature_at[space])
        t.gems[seat] += t.gems_at[space]
        t.creature_at[space], t.gems_at[space] = r.NOTHING, 0
        t.place[seat] = PLACE_NAMES.index(event["to"])
        t.visited |= 1 << t.place[seat]
        t.phase = r.TRAVELLING

    def see_stop(self, event: dict) -> None:
        self.t.visited, self.t.phase = 0, r.FREE

    def see_complete(self, event: dict) -> None:
        t, seat, quest = self.t, event["seat"], self.quest_numbers[event["quest"]]
        if t.paying_for == r.FOR_PERSONAL:
            slot = t.quests[seat].index(quest)
            for card in self.committed[seat][slot]:
                self.to_discard(seat, card)
            self.committed[seat][slot] = []
            t.quests[seat][slot] = r.NOTHING
        else:
            place = t.open_quests.index(quest)
            t.open_quests[place], t.open_bonus[place] = r.NOTHING, 0
        self.end_payment(seat)
        t.completed[seat] += 1
        t.bonus[seat] += event["bonus"]
        t.points[seat] = event["points"]
        self.take_gems(seat, event["gems"])
        t.phase = r.FREE

    def see_commit(self, event: dict) -> None:
        card, seat = self.card(event), event["seat"]
        self.leave(seat, card)
        slot = self.t.quests[seat].index(self.quest_numbers[event["quest"]])
        insort(self.committed[seat][slot], card)

    def see_withdraw(self, event: dict) -> None:
        card, seat = self.card(event), event["seat"]
        if event["quest"] == "token":
            self.leave(seat, card, "token")
            self.t.phase = r.FREE
        else:
            slot = self.t.quests[seat].index(self.quest_numbers[event["quest"]])
            self.committed[seat][slot].remove(card)
        self.to_discard(seat, card)

    def see_hide(self, event: dict) -> None:
        unseen = self.unseen[event["seat"]]
        unseen.token.append(len(unseen.cards) - 1)
        self.t.hand_cards[event["seat"]] -= 1
        if len(unseen.token) > self.rules.token_limit:
            self.t.phase = r.EXCESS

    def see_hidden(self, event: dict) -> None:
        assert event["seat"] == self.seat
        self.hand.remove(self.card(event))
        insort(self.token, self.card(event))

    # --- Statues ---

    def see_visit(self, event: dict) -> None:
        self.t.phase = r.AT_STATUE
        if self.last == "use":
            self.done_using()
            self.t.phase, self.t.free_visit = r.AT_STATUE, 1
        else:
            self.t.acted = 1

    def see_at_statue(self, event: dict) -> None:
        if event["option"] == "draw":
            self.t.phase, self.t.left = r.ADDING, self.rules.statue_cards
        elif event["option"] == "release":
            self.t.phase, self.t.left = r.RELEASING, self.rules.release_limit

    def see_add(self, event: dict) -> None:
        card = self.card(event)
        self.leave(event["seat"], card)
        self.to_discard(event["seat"], card)
        self.t.left += self.rules.amount[card % r.DOUBLED]

    def statue(self) -> int:
        return self.t.statue_at[self.t.place[self.t.to_move]]

    def renew(self, statue: int) -> None:
        t = self.t
        t.supply_cards[statue] += t.returned_cards[statue]
        t.returned_cards[statue] = 0
        if statue == r.CHEST:
            t.quests_down, t.quests_up = t.quests_down | t.quests_up, 0
            return
        for kind in range(self.rules.kinds):
            if (self.rules.group[kind] == r.BEAST) == (statue == r.BAZAAR):
                t.face_down[kind] += t.face_up[kind]
                t.face_up[kind] = 0

    def take_from_supply(self, statue: int, cards: list[int]) -> None:
        t = self.t
        t.supply_cards[statue] -= len(cards)
        for card in cards:
            if statue == r.CHEST:
                t.quests_down &= ~(1 << card)
            else:
                t.face_down[card] -= 1

    def named(self, statue: int, ids: list[str]) -> list[int]:
        return [(self.quest_numbers if statue == r.CHEST else self.kinds)[one] for one in ids]

    def see_statue_cards(self, event: dict) -> None:
        statue = self.statue()
        self.drawn = self.named(statue, event["cards"])
        self.take_from_supply(statue, self.drawn)
        self.t.phase = r.CLAIMING if statue == r.CHEST else r.BUYING

    def see_buy(self, event: dict) -> None:
        card = self.card(event)
        self.drawn.remove(card)
        self.take_gems(event["seat"], -event["price"])
        self.to_discard(event["seat"], card)

    def see_claim(self, event: dict) -> None:
        quest = self.quest_numbers[event["quest"]]
        self.drawn.remove(quest)
        self.claim(event["seat"], quest)
        self.t.claimed += 1

    def see_return(self, event: dict) -> None:
        t, statue = self.t, self.statue()
        for card in self.named(statue, event["cards"]):
            t.returned_cards[statue] += 1
            if statue == r.CHEST:
                t.quests_up |= 1 << card
            else:
                t.face_up[card] += 1
        self.drawn = []

    def see_release(self, event: dict) -> None:
        t, card, seat = self.t, self.card(event), event["seat"]
        if event["source"] == "hand":
            self.leave(seat, card)
        else:
            self.discards[seat][card] -= 1
        t.released[card % r.DOUBLED] += 1
        self.take_gems(seat, -self.rules.release_cost)
        t.left -= 1
        t.claimed += 1

    def see_teleport(self, event: dict) -> None:
        self.take_gems(event["seat"], -self.rules.teleport_cost)
        self.t.place[event["seat"]] = PLACE_NAMES.index(event["to"])

    def see_leave(self, event: dict) -> None:
        t = self.t
        t.left = t.claimed = t.free_visit = 0
        t.phase = r.FREE

    # --- Free actions ---

    def see_discard(self, event: dict) -> None:
        self.leave(event["seat"], self.card(event))
        self.to_discard(event["seat"], self.card(event))

    def see_use(self, event: dict) -> None:
        t, card, seat = self.t, self.card(event), event["seat"]
        kind = card % r.DOUBLED
        self.leave(seat, card)
        t.special, t.amount = self.rules.special[kind], self.rules.amount[kind]
        if self.rules.group[kind] == r.ARTIFACT:
            t.in_use = kind
        else:
            self.to_discard(seat, card)
        t.phase = {
            r.CARPET: r.FLYING,
            r.SUMMON_DRAGON: r.SENDING,
            r.DOUBLE: r.DOUBLING,
            r.SUMMON: r.KEEPING,
            r.BREW: r.BREWING,
            r.WARDROBE: r.SWAPPING,
            r.STRIDE: r.STRIDING,
        }.get(t.special, r.FREE)
        self.looking = 0

    def see_gems(self, event: dict) -> None:
        self.take_gems(event["seat"], event["gems"])
        self.done_using()

    def see_rob(self, event: dict) -> None:
        for other, gems in enumerate(event["losses"]):
            self.t.gems[other] -= gems
            self.t.gems[event["seat"]] += gems
        self.done_using()

    def see_done(self, event: dict) -> None:
        self.done_using()

    def see_double(self, event: dict) -> None:
        assert event["seat"] == self.seat
        self.hand.remove(self.card(event))
        self.hand.append(self.card(event) + r.DOUBLED)

    def see_dragon(self, event: dict) -> None:
        self.t.dragons -= event["dragons"]
        for _ in range(event["dragons"]):
            self.to_discard(event["to"], self.rules.dragon)
        self.done_using()

    def see_fly(self, event: dict) -> None:
        self.t.place[event["seat"]] = PLACE_NAMES.index(event["to"])
        if event["by"] == "token":
            self.t.carpets[event["seat"]] -= 1
        else:
            self.done_using()

    def see_keep(self, event: dict) -> None:
        seat = event["seat"]
        for one in event["discarded"]:
            kind = self.kinds[one]
            self.unseen[seat].show_newest(kind)
            self.to_discard(seat, kind)
            if seat == self.seat:
                self.looked.remove(kind)
        self.t.hand_cards[seat] += min(1, self.looking)
        if seat == self.seat:
            self.hand += self.looked
            self.looked = []
        self.done_using()

    def see_kept(self, event: dict) -> None:
        assert self.card(event) in self.hand

    def see_brew(self, event: dict) -> None:
        card, seat = self.card(event), event["seat"]
        if event["source"] == "hand":
            self.leave(seat, card)
        else:
            self.discards[seat][card] -= 1
        self.t.brewed, self.t.phase = card % r.DOUBLED, r.POURING

    def see_pour(self, event: dict) -> None:
        self.to_discard(event["to"], self.t.brewed)
        self.t.brewed = r.NOTHING
        self.done_using()

    def see_swap(self, event: dict) -> None:
        first, second = event["spaces"]
        for row in (self.t.creature_at, self.t.gems_at):
            row[first], row[second] = row[second], row[first]
        self.done_using()

    def see_stride(self, event: dict) -> None:
        self.t.place[event["seat"]] = PLACE_NAMES.index(event["to"])
        self.done_using()


def filled(cards: list[int], room: int) -> list[int]:
    """Cards in a row with zeros behind them."""
    return cards + [0] * (room - len(cards))

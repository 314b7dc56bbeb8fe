"""From the engine's Fantastiqa to the twin's: names, orders of decks, actions, events.

The engine makes a turn of small decisions, the twin of whole actions; what is written here puts
the small ones together. It decides nothing: all rules are in the engine and in the twin.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Any

from twin_fantastiqa import MARK
from twin_fantastiqa_cards import PLACES, default_tables

from simlab.compiled import plain
from simlab.games.fantastiqa import records as r
from simlab.games.fantastiqa.names import PLACE_NAMES, kinds_of, quests_of
from simlab.games.fantastiqa.options import all_kinds
from simlab.replaying import Replayer, Traced

OTHER_NAMES = {"boots": "A7", "almanac": "A8"}
PLACE = dict(zip(PLACE_NAMES, PLACES, strict=True))
DECKS = {"artifacts": "artifact", "beasts": "beast", "quests": "quest", "own": "draw"}
SUPPLIES = ("artifact", "beast", "quest")


class Names:
    """What the twin calls the engine's cards."""

    def __init__(self, rules: Any) -> None:
        from simlab.games.fantastiqa.cards import BOX

        mark = int(rules.mark)
        groups = [group for group, _ in all_kinds(BOX.printed)]
        self.kinds = [
            OTHER_NAMES.get(card.id, card.name + (" (beast)" if group == r.BEAST else ""))
            for group, card in zip(groups, kinds_of(mark), strict=True)
        ]
        self.ids = {card.id: name for card, name in zip(kinds_of(mark), self.kinds, strict=True)}
        self.quests = [card.id for card in quests_of(mark)]

    def card(self, card: int) -> str:
        return self.kinds[card % r.DOUBLED] + (MARK if card >= r.DOUBLED else "")

    def cards(self, cards: Any) -> tuple[str, ...]:
        return tuple(sorted(self.card(int(card)) for card in cards))


def options_of(replayer: Replayer) -> dict[str, Any]:
    """The options of a matchup as the twin names them."""
    given = replayer.matchup.game.read_options(replayer.matchup.options)
    return {
        "goal": given["goal"],
        "profile": str(given["deck"]).replace("-", "/"),
        "teams": given["teams"],
        "loops": given["loops"],
        "fly_over_empty": given["fly_empty"],
        "wilds": given["wilds"],
        "turn_cap": given["turn_cap"],
    }


# --- Decisions ------------------------------------------------------------------------------


class Actions:
    """Puts the engine's decisions together to the twin's actions.

    Attributes
    ----------
    done : list of (kind, seat, action, row)
        What the twin is to be answered, in order; the row is that of the first small decision.
    """

    def __init__(self, names: Names, rules: Any) -> None:
        self.names, self.rules = names, rules
        self.done: list[tuple[str, int, Any, int]] = []
        self.row = self.start = 0
        self.steps: list[tuple[int, tuple[str, ...]]] = []
        self.held: list[str] = []
        self.under: list[str] = []
        self.old: list[str] = []
        self.plus: list[str] = []
        self.taken: list[str] = []
        self.key: str | None = None
        self.option = ""
        self.using: list[Any] = []

    def add(self, kind: str, action: Any) -> None:
        """An action is complete."""
        self.done.append((kind, self.seat, action, self.start))

    def act(self, action: Any) -> None:
        """An action of a turn is complete."""
        self.add("act" if not self.acted else "after", action)

    def read(self, before: Any, move: int, after: Any) -> None:
        """One small decision."""
        verb, thing = move // r.WIDTH, move % r.WIDTH
        table = before.table
        self.seat = table.to_move
        if table.phase <= r.FREE:
            self.start = self.row
            self.acted = table.acted
        self.row += 1
        self.before, self.after = table, after.table
        if verb in (r.TAKE_QUEST, r.TAKE_ARTIFACT, r.START_AT):
            self.choose_start(verb, thing)
        elif verb in (r.FINISH, *range(r.GIVE, r.GIVE_3 + 1)):
            self.finish(verb, thing)
        elif verb in (r.GO, r.STOP, r.LAY, r.LAY_TOKEN, r.COMPLETE):
            self.pay(verb, thing)
        elif r.VISIT <= verb <= r.LET_GO_DISCARD:
            self.visit(verb, thing)
        elif r.COMMIT <= verb <= r.WITHDRAW_TOKEN:
            self.commit(verb, thing)
        elif verb == r.USE:
            self.use(thing, before, after)
        elif verb >= r.SEND:
            self.use_on(verb, thing)
        else:
            self.freely(verb, thing)

    def choose_start(self, verb: int, thing: int) -> None:
        if verb == r.TAKE_QUEST:
            self.add("starting quest", self.names.quests[thing])
        elif verb == r.TAKE_ARTIFACT:
            self.add("starting artifact", self.names.card(thing))
        else:
            self.add("starting region", PLACES[thing])

    def finish(self, verb: int, thing: int) -> None:
        if not self.acted:
            self.act(("pass",))
        self.add("after", ("end",))
        gift = (
            None if verb == r.FINISH else (self.names.card(thing).removesuffix(MARK), verb - r.GIVE)
        )
        self.add("give", gift)

    def pay(self, verb: int, thing: int) -> None:
        """A step on an adventure, or towards a Quest."""
        if verb in (r.LAY, r.LAY_TOKEN):
            (self.held if verb == r.LAY else self.under).append(self.names.card(thing))
            if self.after.phase != r.PAYING:
                if self.before.paying_for == r.FOR_CREATURE:
                    self.steps.append((self.before.target + 1, tuple(sorted(self.held))))
                    self.held = []
                else:
                    self.completed(self.before.paying_for == r.FOR_PERSONAL, self.before.target)
        elif verb == r.COMPLETE and self.after.phase != r.PAYING:
            self.completed(thing < r.SLOTS, thing)
        if self.steps and self.after.phase == r.FREE:
            self.act(("adventure", tuple(self.steps)))
            self.steps = []

    def completed(self, personal: bool, place: int) -> None:
        quest = self.before.quests[self.seat][place] if personal else self.before.open_quests[place]
        held, under = tuple(sorted(self.held)), tuple(sorted(self.under))
        self.act(("complete", self.names.quests[quest], held, under))
        self.held, self.under = [], []

    def visit(self, verb: int, thing: int) -> None:
        if verb in (r.DRAW, r.RELEASE, r.TELEPORT):
            self.option = {r.DRAW: "draw", r.RELEASE: "release"}.get(verb, "teleport")
        elif verb == r.ADD:
            self.plus.append(self.names.card(thing))
        elif verb == r.LET_GO:
            self.held.append(self.names.card(thing))
        elif verb == r.LET_GO_DISCARD:
            self.old.append(self.names.card(thing))
        elif verb == r.BUY:
            self.taken.append(self.names.card(thing))
        elif verb == r.CLAIM:
            self.taken.append(self.names.quests[thing])
        phases = (r.AT_STATUE, r.ADDING, r.RELEASING)
        if verb != r.VISIT and self.after.phase not in phases and self.before.phase in phases:
            self.visited(self.visit_action())
        if self.option == "draw" and self.after.phase == r.FREE:
            here = self.before.statue_at[self.before.place[self.seat]]
            self.add("claim" if here == r.CHEST else "buy", tuple(sorted(self.taken)))
        if verb != r.VISIT and self.after.phase == r.FREE:
            self.held, self.old, self.plus, self.taken = [], [], [], []
            self.option = ""

    def visit_action(self) -> tuple:
        plus = tuple(sorted(self.plus))
        if self.option == "draw":
            return ("draw", plus)
        if self.option == "teleport":
            return ("teleport",)
        # What was added lies on the discards without its mark.
        return ("release", plus, tuple(sorted(self.held)), tuple(sorted(self.old)))

    def visited(self, action: tuple) -> None:
        """By a turn action, or by a key, which a free visit's table says."""
        if self.key is not None:
            self.act(("use", self.key, action))
            self.key = None
        else:
            self.act(action)

    def commit(self, verb: int, thing: int) -> None:
        card = self.names.card(thing)
        if self.before.phase == r.EXCESS:
            self.add("excess", card)
            return
        commits = verb <= r.COMMIT_TOKEN
        slot = verb - (r.COMMIT if commits else r.WITHDRAW)
        quest = "token"
        if slot < r.SLOTS:
            quest = self.names.quests[self.before.quests[self.seat][slot]]
        self.act(("commit" if commits else "withdraw", card, quest))

    def use(self, thing: int, before: Any, after: Any) -> None:
        """A card is used; most powers ask for a target next."""
        card, power = self.names.card(thing), self.rules.special[thing % r.DOUBLED]
        self.using = ["use", card]
        if power == r.KEY:
            self.key = card
        elif power in (r.FIND_GEM, r.PURSE, r.DRAW_CARDS):
            self.act(("use", card))
        elif power == r.SUMMON:
            self.act(("use", card))
            if after.table.phase != r.KEEPING:
                looked = self.drawn_by(before, after)
                if looked:
                    self.add("keep", looked)
        elif power == r.SUMMON_DRAGON and after.table.phase == r.FREE:
            self.act(("use", card, 1 - self.seat))

    def drawn_by(self, before: Any, after: Any) -> str:
        """The one card that came to the hand by a bell."""
        was = list(before.seats[self.seat].hand[: before.table.hand_cards[self.seat]])
        now = list(after.seats[self.seat].hand[: after.table.hand_cards[self.seat]])
        for card in was:
            if card in now:
                now.remove(card)
        if len(after.seats[self.seat].hand[: after.table.hand_cards[self.seat]]) < len(was):
            return ""
        return self.names.card(now[0]) if now else self.using[1]

    def use_on(self, verb: int, thing: int) -> None:
        if verb == r.KEEP:
            self.add("keep", self.names.card(thing))
            return
        if verb in (r.BREW_HAND, r.BREW_DISCARD):
            source = "hand" if verb == r.BREW_HAND else "discard"
            self.using += [source, self.names.card(thing)]
            if self.after.phase != r.FREE:
                return
            self.using.append(1 - self.seat)
        elif verb in (r.SEND, r.POUR):
            self.using.append(thing)
        elif verb == r.DOUBLE_CARD:
            self.using.append(self.names.card(thing))
        elif verb == r.SWAP:
            self.using += [thing // 8 + 1, thing % 8 + 1]
        else:
            self.using.append(PLACES[thing])
        self.act(tuple(self.using))

    def freely(self, verb: int, thing: int) -> None:
        if verb == r.DISCARD:
            self.act(("discard", self.names.card(thing)))
        elif verb == r.RESHUFFLE:
            self.act(("reshuffle",))
        elif self.before.phase == r.FREE:
            self.act(("carpet", thing + 1))
        else:
            self.act((*self.using, thing + 1))


# --- Orders of decks ------------------------------------------------------------------------


def orders_of(names: Names, rules: Any, states: list[Any], steps: list[list]) -> dict[Any, deque]:
    """Every order that chance gave to some cards, by what the twin calls the shuffle."""
    orders: dict[Any, deque] = defaultdict(deque)
    first, players = states[0], int(rules.players)
    upper = sum(rules.upper)
    deck = [names.kinds[kind] for kind in first.hidden.deck[: first.table.deck_cards]]
    orders["creature up",].append(deck[:upper])
    orders["creature down",].append(deck[upper:])
    for statue, what in enumerate(SUPPLIES):
        cards = first.hidden.supply[statue][: first.table.supply_cards[statue]][::-1]
        orders[what,].append(named_supply(names, what, cards))
    for state, events in zip(states[1:], steps[1:], strict=True):
        for seen in events:
            event = seen.event
            read_shuffle(names, orders, event, state, players)
    return orders


def named_supply(names: Names, what: str, cards: list[int]) -> list[str]:
    return [names.quests[c] if what == "quest" else names.kinds[c] for c in cards]


def read_shuffle(names: Names, orders: dict, event: dict, state: Any, players: int) -> None:
    kind, hidden, table = event["event"], state.hidden, state.table
    if kind == "deal":
        seat = event["seat"]
        cards = hidden.pile[seat][: table.pile_cards[seat] + table.hand_cards[seat]][::-1]
        orders["draw", seat].append([names.kinds[card] for card in cards])
    elif kind == "mix in":
        # The deck as it lies now: nothing has been turned up since.
        cards = hidden.deck[hidden.next : hidden.next + event["among"]]
        orders["ravens",].append([names.kinds[card] for card in cards])
    elif kind == "reshuffle" or (kind == "shuffle" and event["deck"] == "own"):
        cards = hidden.pile[event["seat"]][: event["cards"]][::-1]
        orders["draw", event["seat"]].append([names.kinds[card] for card in cards])
    elif kind == "shuffle":
        what = DECKS[event["deck"]]
        cards = hidden.supply[SUPPLIES.index(what)][: event["cards"]][::-1]
        orders[what,].append(named_supply(names, what, cards))


# --- Events ---------------------------------------------------------------------------------


class Story:
    """Tells the engine's events as the twin does."""

    def __init__(self, names: Names, players: int) -> None:
        self.names, self.players = names, players
        self.tables = default_tables()
        self.events: list[dict[str, Any]] = []
        self.turn = self.mover = 0
        self.laid: dict[str, list[str]] = {"hand": [], "token": []}
        self.recruits: list[str] = []
        self.recruit_gems = 0
        self.key: str | None = None
        self.plus: list[str] = []
        self.released: dict[str, list[str]] = {"hand": [], "discard": []}
        self.bought: list[dict] = []
        self.using = ""
        self.drawn: list[str] = []
        self.ending = self.looking = False
        self.brewed: dict[str, str] = {}
        self.committed: dict[tuple[int, str], list[str]] = defaultdict(list)
        self.visit: dict[str, Any] = {}

    def note(self, event: str, **details: Any) -> None:
        self.events.append({"event": event, "turn": self.turn, "seat": self.mover, **details})

    def read(self, steps: list[list], states: list[Any]) -> list[dict[str, Any]]:
        """All events of a game, given as those of each decision, and the states after them."""
        for place, events in enumerate(steps):
            self.state, self.was = states[place], states[max(0, place - 1)]
            for seen in events:
                getattr(self, "on_" + seen.event["event"].replace(" ", "_"))(seen.event)
                self.last = seen.event["event"]
            if self.ending:
                self.end_of_turn()
        return self.events

    def card(self, event: dict) -> str:
        return self.names.ids[event["card"]] + (MARK if event.get("doubled") else "")

    def plain(self, event: dict) -> str:
        return self.names.ids[event["card"]]

    def named(self, deck: str, ids: list[str]) -> list[str]:
        return list(ids) if deck == "quest" else [self.names.ids[one] for one in ids]

    # --- Setup and the beginning of turns ---

    def on_map(self, event: dict) -> None:
        regions = dict(zip(PLACES, event["regions"], strict=True))
        statues = dict(zip(PLACES, event["statues"], strict=True))
        self.mover = None  # type: ignore[assignment]
        self.note("map", regions=regions, statues=statues)

    def on_choose(self, event: dict) -> None:
        self.mover = event["seat"]
        if "quest" in event:
            self.note("choose", kind="starting quest", chosen=event["quest"])
        elif "card" in event:
            self.note("choose", kind="starting artifact", chosen=self.plain(event))
        else:
            self.note("choose", kind="starting region", chosen=PLACE[event["place"]])

    def on_open_quest(self, event: dict) -> None:
        if self.turn == 0:
            self.mover = 0
        self.note("open quest", space=event["space"], quest=event["quest"], bonus=event["bonus"])

    def on_deal(self, event: dict) -> None:
        self.mover = event["seat"]
        self.note("deal", cards=self.named("draw", event["cards"]))

    def on_turn(self, event: dict) -> None:
        if self.ending:
            self.end_of_turn()
        self.turn, self.mover = event["number"], event["seat"]

    def on_creature(self, event: dict) -> None:
        self.note("creature", space=event["space"] + 1, card=self.plain(event), gems=event["gems"])

    def on_raid(self, event: dict) -> None:
        losses = {seat: gems for seat, gems in enumerate(event["losses"]) if gems}
        self.note("raven", space=event["space"] + 1, aside=event["aside"], losses=losses)

    def on_mix_in(self, event: dict) -> None:
        self.note("ravens shuffled in", ravens=len(event["cards"]), cards=event["among"])

    # --- The end of a turn ---

    def on_end(self, event: dict) -> None:
        if event["passed"]:
            self.note("pass")
        self.note("end")
        self.ending, self.drawn = True, []
        for (seat, _), cards in self.committed.items():
            if seat == self.mover:  # what was doubled counts once again, also where it is laid
                cards[:] = [card.removesuffix(MARK) for card in cards]

    def on_give(self, event: dict) -> None:
        self.note("give", card=self.plain(event), to=event["to"])

    def on_draw(self, event: dict) -> None:
        """How many is told; which ones comes next."""

    def on_see(self, event: dict) -> None:
        self.drawn += self.named("draw", event["cards"])

    def end_of_turn(self) -> None:
        """What everybody has; gems as they are before the next turn's events."""
        self.ending = False
        self.note("draw", cards=self.drawn)
        self.drawn = []
        table = self.state.table
        self.note(
            "turn",
            gems=self.was.table.gems[: self.players],
            scores=table.points[: self.players],
            hands=table.hand_cards[: self.players],
            draws=table.pile_cards[: self.players],
            discards=table.discard_cards[: self.players],
        )

    def on_over(self, event: dict) -> None:
        if self.ending:
            self.end_of_turn()
        reason = {"deck": "creatures"}.get(event["reason"], event["reason"])
        self.note("over", reason=reason, scores=event["points"], quests=event["quests"])

    # --- Adventures and Quests ---

    def on_face(self, event: dict) -> None:
        """Told once the creature is subdued."""

    on_attempt = on_face

    def on_lay(self, event: dict) -> None:
        self.laid[event["source"]].append(self.card(event))

    def pop_laid(self, source: str) -> list[str]:
        cards, self.laid[source] = sorted(self.laid[source]), []
        return cards

    def on_subdue(self, event: dict) -> None:
        cards = self.pop_laid("hand")
        creature = self.names.ids[event["creature"]]
        self.note(
            "subdue",
            space=event["space"] + 1,
            creature=creature,
            cards=[card.removesuffix(MARK) for card in cards],
            doubled=[card.removesuffix(MARK) for card in cards if card.endswith(MARK)],
            symbol=event["symbol"].title(),
            needed=event["needed"],
            matching=event["matching"],
            pairs=event["pairs"],
            to=PLACE[event["to"]],
        )
        self.recruits.append(creature)
        self.recruit_gems += event["gems"]

    def on_stop(self, event: dict) -> None:
        self.note("recruit", creatures=self.recruits, gems=self.recruit_gems)
        self.recruits, self.recruit_gems = [], 0

    def on_complete(self, event: dict) -> None:
        quest = event["quest"]
        held, under = self.pop_laid("hand"), self.pop_laid("token")
        committed = self.committed.pop((self.mover, quest), []) or under
        self.note(
            "complete",
            quest=quest,
            hand=[card.removesuffix(MARK) for card in held],
            committed=sorted(card.removesuffix(MARK) for card in committed),
            doubled=sorted(
                card.removesuffix(MARK) for card in [*committed, *held] if card.endswith(MARK)
            ),
            gems=event["gems"],
            bonus=event["bonus"],
            score=event["points"],
        )

    # --- Statues ---

    def on_visit(self, event: dict) -> None:
        self.visit = {"place": PLACE[event["place"]], "statue": event["statue"]}
        self.plus, self.released = [], {"hand": [], "discard": []}
        self.bought = []
        self.key = self.using if self.last == "use" else None

    def on_at_statue(self, event: dict) -> None:
        self.visit["option"] = event["option"]
        if event["option"] == "teleport":
            self.tell_visit()

    def on_add(self, event: dict) -> None:
        self.plus.append(self.card(event))

    def tell_visit(self) -> None:
        if self.visit:
            plus = [card.removesuffix(MARK) for card in sorted(self.plus)]
            self.note("visit", **self.visit, plus=plus, key=self.key)
            self.visit = {}

    def on_statue_cards(self, event: dict) -> None:
        self.tell_visit()
        deck = DECKS[event["deck"]]
        self.note("statue cards", deck=deck, cards=self.named(deck, event["cards"]))

    def on_buy(self, event: dict) -> None:
        self.bought.append({"card": self.plain(event), "price": event["price"]})

    def on_claim(self, event: dict) -> None:
        self.bought.append({"quest": event["quest"]})
        self.points = event["points"]

    def on_return(self, event: dict) -> None:
        deck = DECKS[event["deck"]]
        if deck == "quest":
            claimed = sorted(one["quest"] for one in self.bought)
            cups = [self.tables.quests[quest].cups for quest in claimed]
            for place, quest in enumerate(claimed):
                self.note("claim", quest=quest, score=self.points + sum(cups[place + 1 :]))
        else:
            for one in sorted(self.bought, key=lambda one: one["card"]):
                self.note("buy", **one)
        self.note("return", deck=deck, cards=self.named(deck, event["cards"]))

    def on_release(self, event: dict) -> None:
        self.released[event["source"]].append(self.card(event))

    def on_teleport(self, event: dict) -> None:
        self.note("teleport", to=PLACE[event["to"]])

    def on_leave(self, event: dict) -> None:
        self.tell_visit()
        for source, cards in self.released.items():
            for card in sorted(cards):
                self.note("release", card=card.removesuffix(MARK), source=source)
        self.released = {"hand": [], "discard": []}

    # --- Free actions ---

    def on_commit(self, event: dict) -> None:
        self.committed[self.mover, event["quest"]].append(self.card(event))
        self.note("commit", card=self.plain(event), quest=event["quest"])

    def on_hide(self, event: dict) -> None:
        """That there is one more; which one only its player sees, next."""

    def on_hidden(self, event: dict) -> None:
        self.note("commit", card=self.plain(event), quest="token")

    def on_withdraw(self, event: dict) -> None:
        if event["quest"] != "token":
            self.committed[self.mover, event["quest"]].remove(self.card(event))
        self.note("withdraw", card=self.plain(event), quest=event["quest"])

    def on_discard(self, event: dict) -> None:
        self.note("discard", card=self.plain(event))

    def on_fly(self, event: dict) -> None:
        by = "token" if event["by"] == "token" else self.using
        self.note("fly", by=by, space=event["space"] + 1, to=PLACE[event["to"]])

    def on_reshuffle(self, event: dict) -> None:
        self.note("reshuffle", cards=event["cards"])

    def on_shuffle(self, event: dict) -> None:
        self.tell_visit()
        self.note(
            "shuffle",
            deck=DECKS[event["deck"]],
            cards=event["cards"],
            drawn_before=event["drawn_before"],
        )

    def on_use(self, event: dict) -> None:
        self.using, self.drawn = self.plain(event), []

    def on_gems(self, event: dict) -> None:
        self.note("gem", card=self.using, gems=event["gems"])

    def on_dragon(self, event: dict) -> None:
        self.note("dragon", card=self.using, to=event["to"], dragons=event["dragons"])

    def on_rob(self, event: dict) -> None:
        seats = [seat for seat, gems in enumerate(event["losses"]) if gems]
        self.note("artifact", card=self.using, seats=seats)

    def on_done(self, event: dict) -> None:
        """Cards were drawn, or one doubled, which its player sees next."""
        if self.using == "A8":
            self.note("artifact", card=self.using, cards=self.drawn)
            self.drawn = []

    def on_double(self, event: dict) -> None:
        self.note("artifact", card=self.using, doubled=self.plain(event))

    def on_keep(self, event: dict) -> None:
        discarded = sorted(self.names.ids[one] for one in event["discarded"])
        kept = list(self.drawn)
        for card in discarded:
            kept.remove(card)
        self.note("artifact", card=self.using, kept=kept, discarded=discarded)
        self.drawn = []

    def on_kept(self, event: dict) -> None:
        assert self.events[-1]["kept"] == [self.plain(event)]

    def on_brew(self, event: dict) -> None:
        self.brewed = {"source": event["source"], "passed": self.plain(event)}

    def on_pour(self, event: dict) -> None:
        self.note("artifact", card=self.using, **self.brewed, to=event["to"])

    def on_swap(self, event: dict) -> None:
        self.note("artifact", card=self.using, spaces=[space + 1 for space in event["spaces"]])

    def on_stride(self, event: dict) -> None:
        self.note("artifact", card=self.using, to=PLACE[event["to"]])


# --- A whole game ---------------------------------------------------------------------------


class Bridge:
    """One traced game as the twin would have it."""

    def __init__(self, replayer: Replayer, traced: Traced) -> None:
        self.rules = plain(replayer.matchup.rules[0])
        self.names = Names(self.rules)
        self.rows = traced.rows
        self.states = [plain(row["state"]) for row in traced.rows]
        self.moves = [int(row["move"]) for row in traced.rows[:-1]]
        steps = list(replayer.steps(traced))
        actions = Actions(self.names, self.rules)
        for place, move in enumerate(self.moves):
            actions.read(self.states[place], move, self.states[place + 1])
        self.actions = deque(actions.done)
        self.orders = orders_of(self.names, self.rules, self.states, steps)
        self.events = Story(self.names, int(self.rules.players)).read(steps, self.states)

    def shuffle(self, what: tuple, cards: list[str]) -> list[str]:
        """The order that chance gave in the engine."""
        table = self.states[0].table
        if what == ("regions",):
            return [self.events[0]["regions"][place] for place in PLACES]
        if what == ("statues",):
            return [self.events[0]["statues"][place] for place in PLACES]
        if what == ("starting quests",):
            opened = [event["quest"] for event in self.events if event["event"] == "open quest"][:2]
            return opened + [quest for quest in cards if quest not in opened]
        assert table is not None
        order: list[str] = self.orders[what].popleft()
        return order


def normal(events: Any) -> Iterator[dict[str, Any]]:
    """The twin's events, with cards sorted where their order means nothing."""
    for event in events:
        changed = dict(event)
        for key in ("committed", "doubled", "discarded"):
            if isinstance(changed.get(key), list):
                changed[key] = sorted(changed[key])
        yield changed

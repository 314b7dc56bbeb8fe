"""What a seat of Fantasía S.A. can know, rebuilt from the events that it saw and nothing else.

Used to prove that the records which policies are shown hold no more than that. It also sees what
it is asked itself: `table` and `own` are read only while its seat decides.
"""

from __future__ import annotations

from collections import Counter

from simlab.cards import CardSet
from simlab.games.fantasia_sa.box import BOX, MOMENTS, TYPES
from simlab.games.fantasia_sa.records import OPTIONS

ROOM, HEROES, SEATS, RESERVE, STACK = 64, 128, 5, 6, 17
PILES = ("feats", "heroes", "sponsors")
LEVELS = ((6, 0), (8, 1), (99, 2))
HARMS = ("hospital", "lose_lowest", "lose_sponsor", "lose_equipment")
BITS = (("hospital", 1), ("rolled", 2), ("lose_lowest", 4), ("lose_sponsor", 8))
BITS += (("lose_equipment", 16),)
COUNTERS = ["turns", "hospital_turns", "gold", "renown", "sponsors_bought", "sponsors_lost"]
COUNTERS += ["equipment_bought", "equipment_lost", "curses_taken", "actions_played"]
COUNTERS += ["hostile_played", "cancelled"]
PHASES = ["discard", "turn", "choose", "roll", "failed", "buy", "action", "shield", "lowest"]
PHASES += ["sponsor", "equipment", "finished"]
STAGES = {"discard": 0, "turn": 1, "choose": 2, "roll": 3, "failed": 4, "buy": 5, "end": 22}


def row(numbers: Counter, length: int) -> list[int]:
    assert all(number >= 0 for number in numbers.values()), numbers
    return [numbers[place] for place in range(length)]


class Knight:
    """What everybody knows of one player."""

    def __init__(self) -> None:
        self.hand_cards = self.rolls = self.hospital = 0
        self.lying = {name: Counter() for name in ("sponsors", "equipment", "curses")}
        self.tried, self.succeeded = [0] * 3, [0] * 3
        self.tried_level, self.succeeded_level = [0] * 3, [0] * 3
        self.counted: Counter = Counter()

    def record(self, cards: CardSet) -> dict:
        things = [
            cards[name][kind].values
            for name in ("sponsors", "equipment")
            for kind in self.lying[name].elements()
        ]
        bonus = [sum(one[name] + one["any_roll"] for one in things) for name in TYPES]
        for feat in self.lying["curses"].elements():
            bonus[cards["feats"][feat].values["type"]] -= cards["feats"][feat].values["curse"]
        sums = {
            name: sum(one[name] for one in things)
            for name in ("loot", "more_gold", "more_renown", "more_draws")
        }
        return {
            **sums,
            "in_hospital": self.hospital,
            "hand_cards": self.hand_cards,
            "rolls": self.rolls,
            "bonus": bonus,
            "more_buys": sum(max(one["buys"] - 1, 0) for one in things),
            "rerolls": sum(one["reroll"] for one in things),
            "dodges": sum(one["dodge"] > 0 for one in things),
            "shields": sum(one["shield"] for one in things),
            "sponsor_cards": self.lying["sponsors"].total(),
            "equipment_cards": self.lying["equipment"].total(),
            "curse_cards": self.lying["curses"].total(),
            "tried": self.tried,
            "succeeded": self.succeeded,
            "tried_level": self.tried_level,
            "succeeded_level": self.succeeded_level,
            **{name: self.counted[name] for name in COUNTERS},
            **{name: row(numbers, ROOM) for name, numbers in self.lying.items()},
        }


class Onlooker:
    """One seat's memory of a game: `see` events, then read `table` and `own`."""

    def __init__(self, options: dict, players: int, seat: int) -> None:
        self.players, self.seat = players, seat
        self.cards: CardSet = OPTIONS[0].cards(options["cards"])  # type: ignore[attr-defined]
        names = [(table.name, self.cards[table.name]) for table in BOX.tables]
        self.of = {c.id: (name, k) for name, kinds in names for k, c in enumerate(kinds)}
        numbers = self.cards.amounts
        self.limit = options["hand_limit"] or numbers["hand_limit"]
        self.reserve = options["reserve"] or numbers["reserve"]
        dealt = options["hand"] if options["hand"] >= 0 else numbers["hand"]
        self.knights = [Knight() for _ in range(players)]
        for knight in self.knights:
            knight.hand_cards = dealt
        self.decks = {
            "feats": Counter({k: c.copies for k, c in enumerate(self.cards["feats"])}),
            "sponsors": Counter({k: c.copies for k, c in enumerate(self.cards["sponsors"])}),
            "heroes": self._heroes(options["hostile"]),
        }
        self.left = {name: deck.total() for name, deck in self.decks.items()}
        self.left["heroes"] -= dealt * players
        self.recycled = Counter(self.decks["heroes"])
        self.discard: dict[str, Counter] = {name: Counter() for name in PILES}
        self.reshuffles = dict.fromkeys(PILES, 0)
        self.lie: dict[str, list[int]] = {n: [-1] * self.reserve for n in ("feats", "sponsors")}
        self.hand: Counter = Counter()
        self.drawn: Counter = Counter()
        self.turn = self.active = self.checkpoint = 0
        self.dice = [0, 0]
        self.stack: list[dict] = []
        self.waiting: list[int] = []
        self.suffering: dict[str, int] = {}
        self.victim = -1
        self._clear_turn()

    def _heroes(self, hostile: bool) -> Counter:
        kept = Counter({k: c.copies for k, c in enumerate(self.cards["equipment"])})
        for kind, card in enumerate(self.cards["actions"]):
            if hostile or not card.values["hostile"]:
                kept[ROOM + kind] = card.copies
        return +kept

    def _clear_turn(self) -> None:
        self.feat, self.currency, self.bought, self.rerolls_used = -1, 0, 0, 0
        self.boosts: Counter = Counter()
        self.roll_again = self.failed = 0
        self.last_play = 0  # position of who played a card on the roll last
        self.before_me: list[int] = []  # positions of those who played since this seat was asked
        self.turn_passed = self.failure_passed = self.cursed = False
        self.stage = "start"

    def hero(self, name: str) -> int:
        table, kind = self.of[name]
        return kind + (ROOM if table == "actions" else 0)

    def see(self, event: dict) -> None:
        if event["event"] not in ("draw", "drawn", "reshuffle", "heal", "steal"):
            self._put_away()
        getattr(self, "see_" + event["event"])(event)

    def _put_away(self) -> None:
        """An Action card reaches the discard pile after what it does at once."""
        self.discard["heroes"].update(self.waiting)
        self.waiting = []

    # --- Phase 1 -----------------------------------------------------------------------------

    def see_deal(self, event: dict) -> None:
        assert event["seat"] == self.seat, "other hands are not shown"
        self.hand += Counter(self.hero(name) for name in event["cards"])
        self.drawn += self.hand

    def see_turn(self, event: dict) -> None:
        if self.feat >= 0 and not self.cursed:
            self.discard["feats"][self.feat] += 1
        self.checkpoint += self.turn > 0 and event["seat"] == 0
        self.turn, self.active = event["turn"], event["seat"]
        self.knights[self.active].counted["turns"] += 1
        self.suffering = {}
        self._clear_turn()

    def see_reveal(self, event: dict) -> None:
        """Three of each at the setup, then whatever a turn fills up."""
        name, kind = self.of[event["card"]]
        assert name == event["reserve"]
        self.lie[name][self.lie[name].index(-1)] = kind
        self.left[name] -= 1

    def see_reshuffle(self, event: dict) -> None:
        deck = event["deck"]
        assert self.discard[deck].total() == event["cards"]
        if deck == "heroes":
            self.recycled, self.drawn = Counter(self.discard[deck]), Counter()
        self.left[deck], self.discard[deck] = event["cards"], Counter()
        self.reshuffles[deck] += 1

    def see_draw(self, event: dict) -> None:
        self.knights[event["seat"]].hand_cards += 1
        self.left["heroes"] -= 1

    def see_drawn(self, event: dict) -> None:
        assert event["seat"] == self.seat, "what others draw is not shown"
        self.hand[self.hero(event["card"])] += 1
        self.drawn[self.hero(event["card"])] += 1

    def _leave_hand(self, seat: int, card: int) -> None:
        self.knights[seat].hand_cards -= 1
        if seat == self.seat:
            self.hand[card] -= 1
            assert self.hand[card] >= 0

    def see_discard(self, event: dict) -> None:
        self._leave_hand(event["seat"], self.hero(event["card"]))
        self.discard["heroes"][self.hero(event["card"])] += 1

    # --- Action cards ------------------------------------------------------------------------

    def steps_to(self, seat: int) -> int:
        """Position in a pass: 1 is left of the active player, who comes last."""
        return (seat - self.active - 1) % self.players + 1

    def see_action(self, event: dict) -> None:
        seat, kind = event["seat"], self.of[event["card"]][1]
        if self.stack:
            self.stack[-1]["before_me"].append(self.steps_to(seat))
            self.stack[-1]["last_play"] = self.steps_to(seat)
        elif self.stage == "roll":
            self.before_me.append(self.steps_to(seat))
            self.last_play = self.steps_to(seat)
        elif self.stage == "start":
            self.stage = "turn"
        self._leave_hand(seat, ROOM + kind)
        counted = self.knights[seat].counted
        counted["actions_played"] += 1
        counted["hostile_played"] += self.cards["actions"][kind].values["hostile"]
        target = event.get("target", -1)
        stolen = self.of[event["equipment"]][1] if "equipment" in event else -1
        move = 1 + (8 * kind + target + 1) * (ROOM + 1) + stolen + 1
        played = {"card": kind, "seat": seat, "move": move, "target": target}
        self.stack.append({**played, "last_play": 0, "before_me": []})

    def see_effect(self, event: dict) -> None:
        top = self.stack.pop()
        values = self.cards["actions"][top["card"]].values
        if self.stage == "roll" and values["roll"]:
            self.boosts[top["card"]] += 1
        if self.stage == "failed" and values["reroll"]:
            self.roll_again = 1
        if top["target"] >= 0:
            self.victim = top["target"]
            self.suffering = {name: values[name] for name in HARMS}
        self.waiting.append(ROOM + top["card"])

    def see_cancelled(self, event: dict) -> None:
        top = self.stack.pop()
        self.discard["heroes"][ROOM + top["card"]] += 1
        self.knights[event["seat"]].counted["cancelled"] += 1

    # --- The Feat ----------------------------------------------------------------------------

    def see_attempt(self, event: dict) -> None:
        self.feat = self.of[event["feat"]][1]
        self.lie["feats"][self.lie["feats"].index(self.feat)] = -1
        self.stage = "roll"
        self._count("tried")

    def _count(self, what: str) -> None:
        values, knight = self.cards["feats"][self.feat].values, self.knights[self.active]
        getattr(knight, what)[values["type"]] += 1
        level = next(level for most, level in LEVELS if values["difficulty"] <= most)
        getattr(knight, f"{what}_level")[level] += 1

    def see_reroll(self, event: dict) -> None:
        self.rerolls_used += 1

    def see_roll(self, event: dict) -> None:
        assert sum(v for _, v in event["modifiers"]) + sum(event["dice"]) == event["total"]
        self.dice = event["dice"]
        self.knights[event["seat"]].rolls += 1
        self.roll_again, self.failure_passed = 0, False
        self.stage = "failed"

    def see_success(self, event: dict) -> None:
        self._count("succeeded")
        self.stage = "buy"

    def see_failure(self, event: dict) -> None:
        values = self.cards["feats"][self.feat].values
        self.victim = self.active
        self.suffering = {name: values.get(name, 0) for name in HARMS}
        self.stage, self.failed = "end", 1

    def see_buy(self, event: dict) -> None:
        name, kind = self.of[event["card"]]
        knight = self.knights[event["seat"]]
        knight.lying[name][kind] += 1
        knight.counted[f"{name}_bought"] += 1
        knight.counted[event["pay"]] += event["worth"] if self.bought == 0 else 0
        self.currency, self.bought = 1 if event["pay"] == "gold" else 2, self.bought + 1
        if name == "equipment":
            self._leave_hand(event["seat"], kind)
        else:
            self.lie[name][self.lie[name].index(kind)] = -1

    # --- Harm --------------------------------------------------------------------------------

    def _suffered(self, *what: str) -> None:
        for name in what:
            self.suffering[name] = 0

    def see_die(self, event: dict) -> None:
        self.knights[event["seat"]].rolls += 1
        self.suffering["rolled"] = 1
        name, kind = self.of[event["card"]]
        if event["die"] >= self.cards[name][kind].values["dodge"]:
            self._suffered("hospital", "rolled")

    def see_hospital(self, event: dict) -> None:
        self.knights[event["seat"]].hospital = 1
        self._suffered("hospital", "rolled")

    def see_heal(self, event: dict) -> None:
        self.knights[event["seat"]].hospital = 0
        self.knights[event["seat"]].counted["hospital_turns"] += event["why"] == "rest"

    def see_curse(self, event: dict) -> None:
        self.cursed = True
        knight = self.knights[event["seat"]]
        knight.lying["curses"][self.of[event["card"]][1]] += 1
        knight.counted["curses_taken"] += 1

    def see_lose(self, event: dict) -> None:
        name, kind = self.of[event["card"]]
        knight = self.knights[event["seat"]]
        knight.lying["curses" if name == "feats" else name][kind] -= 1
        self.discard["heroes" if name == "equipment" else name][kind] += 1
        if name != "feats":
            knight.counted[f"{name}_lost"] += 1
        if event["event"] == "shield":
            self._suffered("hospital", "rolled")
        elif name == "sponsors":
            self._suffered("lose_lowest" if self.suffering["lose_lowest"] else "lose_sponsor")
        else:
            self._suffered("lose_equipment")

    see_shield = see_lose

    def see_steal(self, event: dict) -> None:
        kind = self.of[event["card"]][1]
        for seat, number in ((event["seat"], 1), (event["victim"], -1)):
            self.knights[seat].lying["equipment"][kind] += number
        self.knights[event["victim"]].counted["equipment_lost"] += 1

    def see_win(self, event: dict) -> None:
        """Nobody decides any more."""

    see_turn_cap = see_win

    # --- What this seat is asked -------------------------------------------------------------

    def decide(self, move: int) -> None:
        """One knows what one decided oneself, also when others see nothing of it."""
        phase = self.phase()
        if phase == "action":
            self.stack[-1]["before_me"] = []
        elif phase == "roll":
            self.before_me = []
        elif phase == "turn" and move == 0:
            self.turn_passed = True

    def _asks_for_shield(self) -> bool:
        mine = self.knights[self.victim].record(self.cards)
        waits = self.suffering.get("hospital", 0) and not mine["in_hospital"]
        return bool(waits and mine["shields"])

    def _harm_asked(self) -> str:
        """What this seat has to give up, if anything."""
        if self.victim != self.seat or not any(self.suffering.values()):
            return ""
        if self._asks_for_shield():
            return "shield"
        lying = self.knights[self.seat].lying
        things = lying["equipment"].total() + lying["curses"].total()
        for name, there in (
            ("lose_lowest", lying["sponsors"].total()),
            ("lose_sponsor", lying["sponsors"].total()),
            ("lose_equipment", things),
        ):
            if self.suffering[name] and there:
                return name.removeprefix("lose_")
        return ""

    def _can_play_in_turn(self) -> bool:
        held = {card - ROOM for card in +self.hand if card >= ROOM}
        return any(self._has_use(self.cards["actions"][kind].values) for kind in held)

    def _has_use(self, values: dict[str, int]) -> bool:
        if values["when"] != MOMENTS.index("own turn"):
            return False
        if values["heal"] and not self.knights[self.seat].hospital:
            return False
        if not any(values[name] for name in (*HARMS, "steal")):
            return True
        others = [knight for seat, knight in enumerate(self.knights) if seat != self.seat]
        return any(self._is_aim(values, knight.lying) for knight in others)

    def _is_aim(self, values: dict[str, int], lying: dict[str, Counter]) -> bool:
        things, sponsors = lying["equipment"].total(), lying["sponsors"].total()
        return (
            (not values["steal"] or things > 0)
            and (not values["lose_lowest"] + values["lose_sponsor"] or sponsors > 0)
            and (not values["lose_equipment"] or things + lying["curses"].total() > 0)
        )

    def phase(self) -> str:
        """What this seat is asked, for it is asked something."""
        if self.stack:
            return "action"
        harm = self._harm_asked()
        if harm or self.stage not in ("start", "turn"):
            return harm or self.stage
        if self.stage == "start" and self.hand.total() > self.limit:
            return "discard"
        return "choose" if self.turn_passed or not self._can_play_in_turn() else "turn"

    def _passes(self, last_play: int, before_me: list[int], *, asked: bool) -> tuple[int, int]:
        """How far a pass has come, and whether a card was played in it."""
        if not asked:
            return last_play + 1, 1
        here = self.steps_to(self.seat)
        return here, int(any(place < here for place in before_me))

    def _stack(self) -> list[dict]:
        found = []
        for place, one in enumerate(self.stack):
            top = place == len(self.stack) - 1
            asked, answered = self._passes(one["last_play"], one["before_me"], asked=top)
            names = ("card", "seat", "move")
            found.append({n: one[n] for n in names} | {"asked": asked, "answered": answered})
        empty = dict.fromkeys(("card", "seat", "move", "asked", "answered"), 0)
        return [*found, *[empty] * (STACK - len(found))]

    def table(self) -> dict:
        self._put_away()
        phase = self.phase()
        harmed = phase in ("shield", "lowest", "sponsor", "equipment")
        fate = sum(bit * (self.suffering.get(name, 0) > 0) for name, bit in BITS) if harmed else 0
        asked, answered = 0, 0
        if self.stage == "roll":
            here = phase == "roll"
            asked, answered = self._passes(self.last_play, self.before_me, asked=here)
        in_turn = phase in ("discard", "turn", "choose")
        values = [self.cards["actions"][k].values["roll"] for k in self.boosts.elements()]
        unused = [
            {
                name: [0] * len(value) if isinstance(value, list) else 0
                for name, value in self.knights[0].record(self.cards).items()
            }
        ]
        return {
            "to_move": self.seat,
            "checkpoint": self.checkpoint,
            "turn": self.turn,
            "active": self.active,
            "stage": STAGES[phase if in_turn else self.stage],
            "phase": PHASES.index(phase),
            "feat": self.feat,
            "failed": self.failed,
            "dice": self.dice,
            "card_bonus": sum(values),
            "boosts": row(self.boosts, ROOM),
            "rerolls_used": self.rerolls_used,
            "roll_again": self.roll_again,
            "currency": self.currency,
            "bought": self.bought,
            "asked": asked,
            "answered": answered,
            "depth": len(self.stack),
            "stack": self._stack(),
            "victim": self.victim if harmed else 0,
            "fate": fate,
            "winner": -1,
            "capped": 0,
            "feat_reserve": self.lie["feats"] + [-1] * (RESERVE - self.reserve),
            "sponsor_reserve": self.lie["sponsors"] + [-1] * (RESERVE - self.reserve),
            "piles": [
                {
                    "left": self.left[name],
                    "reshuffles": self.reshuffles[name],
                    "discard": row(self.discard[name], HEROES),
                }
                for name in PILES
            ],
            "recycled": row(self.recycled, HEROES),
            "knights": [knight.record(self.cards) for knight in self.knights]
            + unused * (SEATS - self.players),
        }

    def own(self) -> dict:
        hand = sorted(self.hand.elements())
        holds = [0] * 6
        for card in hand:
            kinds = self.cards["actions"]
            holds[5 if card < ROOM else kinds[card - ROOM].values["when"]] += 1
        return {
            "seat": self.seat,
            "hand": hand + [0] * (HEROES - len(hand)),
            "holds": holds,
            "drawn": row(self.drawn, HEROES),
        }

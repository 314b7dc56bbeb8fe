"""A slow and obvious Fantasía S.A.: the twin that the fast engine has to agree with.

Written from the rulebook, the reconstructed cards and the rulings alone. Nothing is meant to be
quick. `play(players, decks, dice, reshuffle, rules, choose)` returns (events, result).

- `decks`: {"feat": ids, "hero": ids, "sponsor": ids}, the next card first. Three Hero cards go to
  seat 0, then three to seat 1, and so on; then three Feats and three Sponsors are turned up.
- `dice`: for each seat an iterator of single dice. A Feat Roll takes two, a helper's roll one.
- `reshuffle(deck, cards)`: called with a deck's name and a Counter of its discards, returns the new
  order. It happens when a card is wanted and the deck has none, not earlier.
- `rules`: what differs from `DEFAULTS`; `cards` may replace the meaning of the ids (`CARDS`).
- `choose(seat, kind, options)`: returns one of the options.

Copies of an Action card share its name; what a card does stands in `twin_fantasia_cards.py`.

THE DECISIONS, as (kind: options). Forced ones are asked even if one option is left; a free one is
not asked when refusing (`("pass",)`, `("nothing",)`, first in the list) would be its only option.

- "discard" (forced): ("discard", card) for each different card in hand; asked again until the hand
  is down to the limit. Only after the draw of Phase 1, only of the active seat.
- "turn" (free): window (a). Own-turn cards of the active seat; see `aims` for what follows the
  name: ("play", card), ("play", card, victim), ("play", card, victim, equipment). The whole aim is
  said when the card is played. Asked again after each card until the seat passes.
- "feat" (forced): ("feat", card) for each Feat in the Reserve.
- "before roll" (free): window (b), in passes from the active seat's left, the active seat last:
  ("play", card). The bonus is for the active seat, the hindrance for the others.
- "after roll" (free): window (c), the active seat, after each failed roll (and again after a
  re-roll that fails or that is cancelled): ("play", card) and ("use", equipment).
- "cancel" (free): window (d), after each card played, a Cancel too: ("play", cancel, its player,
  the card that it would cancel). In passes from the active seat's left.
- "buy" (free): ("buy", card) for Equipment in hand within the Gold, Sponsors of the Reserve within
  the Renown: the card chosen says which of the two the Feat was exchanged for. With a card that
  lets two be bought it is asked again, for cards of the same currency.
- "lose equipment", "lose sponsor" (forced): ("lose", card), the cards among which the owner picks.
- "shield" (free): ("pass",) goes to hospital, ("shield", equipment) is discarded instead.

THE EVENTS, in order; each has `event` and `turn` (0 is the setup, the first turn is 1).

- deal: seat, cards (sorted; PRIVATE). refill: deck ("feat" or "sponsor"), cards (as turned up).
  reshuffle: deck, cards (how many); stands before the refill or draw that needed it.
- turn: seat. draw: seat, cards (sorted; PRIVATE), why ("phase 1" or the card's name).
  discard: seat, card.
- play: seat, card, and of its aim: target (a seat), taken (Equipment), against (a card's name).
  Then the plays that answer it; then either cancelled: seat, card, or what it does.
- steal: seat, target, card, loot. hospital: seat, why, news (False if it was there already).
  avoid: seat, card, and either die and avoided (a helper's roll) or loot (it was discarded).
  lose: seat, card, why, loot. heal: seat, why ("rest" or the card's name).
- feat: seat, card. roll: seat, dice, modifiers ([source, value]: cards in play sorted by id, then
  Actions as played), total, success. use: seat, card (Equipment that rolls again).
  succeed and fail: seat, card; once, after all re-rolls, before what follows.
- buy: seat, card, pay ("gold" or "renown"), worth (what the Feat was worth), loot.
  curse: seat, card (the failed Feat stays).
- win: seat, loot. cap: loot.

`why` is a card: the Feat that failed, or the Action played. `loot` is everybody's, afterwards.

READ LITERALLY where rulebook and rulings are silent (those in "" are switches in `rules`):

- The Feat Reserve is refilled before the Sponsor Reserve; all Phase 1 cards (with those of Magic
  Sponsors) are drawn before the hand is checked; Fresh ideas draws what there is.
- An Action card is discarded after its effect, so Fresh ideas is not in a reshuffle it causes.
- "beat_patients": a knight in hospital may be sent there again (nothing happens, no roll, no
  shield). "humiliate_self": Humiliated by Mum is for rivals, as the publisher's blurb has it,
  though its line says only "a player". Among several lowest Sponsors their owner picks.
- "cancel_own": one may cancel one's own card. When a Cancel is cancelled, the pass of Cancels
  against the first card goes on with the next seat, until a full pass without a play.
- A helper's roll against the hospital is no choice and comes first; a shield may be kept
  ("shield_optional"). No shield is asked for when a helper's roll has saved the knight.
- A re-roll takes both dice again under the same modifiers, without a new window (b). Equipment
  that re-rolls is no Action card: it cannot be cancelled, and each works once a turn.
- "two_at_once": a card that lets two be bought counts for the Feat that bought it.
- Losses are suffered in the order in which the Feat names them. A curse counts as Equipment when
  Equipment is lost (it goes to the Feat discards), and only then.
- A win ends everything at once: a second card is not bought, no further pass is made.
- The cap counts turns of all seats. Without any Feat in the Reserve nothing is attempted.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

from twin_fantasia_cards import CARDS

Option = tuple
Choose = Callable[[int, str, list[Option]], Option]

PRIVATE = ("deal", "draw")  # only the event's own seat sees its cards
PASS: Option = ("pass",)
NOTHING: Option = ("nothing",)
AIM_KEYS = ("target", "taken")  # what the record calls a victim, and a piece of Equipment

# --- The rules ---

GOALS = {2: 14, 3: 12, 4: 10, 5: 9}
DEFAULTS: dict = {
    "goals": GOALS,
    "hand": 3,
    "hand_limit": 6,
    "reserve": 3,
    "turn_cap": 500,
    "curse": -1,
    "cards": CARDS,
    "beat_patients": True,
    "humiliate_self": False,
    "cancel_own": True,
    "shield_optional": True,
    "two_at_once": True,
}


def succeeds(dice: tuple[int, int], modifiers: int, difficulty: int) -> bool:
    """Whether a Feat Roll succeeds: a natural 12 always does, a natural 2 never."""
    natural = sum(dice)
    if natural == 2:
        return False
    return natural == 12 or natural + modifiers >= difficulty


# --- A game ---


class Over(Exception):
    """The game is over at this very moment."""


class Knight:
    """What one player has: a hand, and what lies in front of them."""

    def __init__(self) -> None:
        self.hand: list[str] = []
        self.equipment: list[str] = []
        self.curses: list[str] = []
        self.sponsors: list[str] = []
        self.in_hospital = False


def play(
    players: int,
    decks: dict[str, list[str]],
    dice: list[Iterator[int]],
    reshuffle: Callable[[str, Counter], list[str]],
    rules: dict,
    choose: Choose,
) -> tuple[list[dict], dict]:
    """Play a whole game; see the top of the file.

    Returns
    -------
    events : list of dict
        What happened, in order.
    result : dict
        `points` (the Loot) and `win_share` (Fractions) by seat, `turns` in all, `capped`.
    """
    game = Game(players, decks, dice, reshuffle, rules, choose)
    game.play_on()
    return game.events, game.result()


class Game:
    """The table of one game, and what happened at it."""

    def __init__(
        self,
        players: int,
        decks: dict[str, list[str]],
        dice: list[Iterator[int]],
        reshuffle: Callable[[str, Counter], list[str]],
        rules: dict,
        choose: Choose,
    ) -> None:
        if unknown := set(rules) - set(DEFAULTS):
            raise ValueError(f"unknown rules: {sorted(unknown)}")
        self.rules: dict = {**DEFAULTS, **rules}
        self.cards = self.rules["cards"]
        self.players = players
        self.goal = self.rules["goals"][players]
        self.decks = {name: list(decks[name]) for name in ("feat", "hero", "sponsor")}
        for name, deck in self.decks.items():
            if strangers := {card for card in deck if self.cards[card]["deck"] != name}:
                raise ValueError(f"not in the {name} deck: {sorted(strangers)}")
        self.discards: dict[str, list[str]] = {name: [] for name in self.decks}
        self.reserves: dict[str, list[str]] = {"feat": [], "sponsor": []}
        self.dice, self.shuffle, self.choose = dice, reshuffle, choose
        self.knights = [Knight() for _ in range(players)]
        self.events: list[dict] = []
        self.turn, self.active = 0, players - 1  # so that seat 0 has turn 1
        self.on_table: list[str] = []  # cards that are being played or attempted just now
        self.winners: list[int] = []
        self.attempt: str | None = None  # the Feat that is attempted
        self.action_modifiers: list[list] = []  # on this attempt
        self.failed = False  # the last roll of this attempt
        self.used: Counter = Counter()  # Equipment that worked this turn
        self.set_up()

    # --- Small things that happen often ---

    def note(self, event: str, **details: object) -> None:
        self.events.append({"event": event, "turn": self.turn, **details})

    def ask(self, seat: int, kind: str, options: list[Option]) -> Option:
        options = list(dict.fromkeys(options))
        if options in ([PASS], [NOTHING]):
            return options[0]
        chosen = self.choose(seat, kind, list(options))
        if chosen not in options:
            raise ValueError(f"seat {seat} may not choose {chosen} for {kind}")
        return chosen

    def from_the_left(self) -> list[int]:
        """All seats from the active one's left, the active one last."""
        return [(self.active + step) % self.players for step in range(1, self.players + 1)]

    def others(self, seat: int) -> list[int]:
        return [other for other in range(self.players) if other != seat]

    def take_from(self, deck: str) -> str | None:
        """The next card of a deck; None if there is none, not even among its discards."""
        if not self.decks[deck] and self.discards[deck]:
            before = Counter(self.discards[deck])
            self.decks[deck] = list(self.shuffle(deck, Counter(before)))
            assert Counter(self.decks[deck]) == before, "the reshuffle changed the cards"
            self.discards[deck] = []
            self.note("reshuffle", deck=deck, cards=before.total())
        return self.decks[deck].pop(0) if self.decks[deck] else None

    def put_away(self, card: str) -> None:
        self.discards[self.cards[card]["deck"]].append(card)

    def effects(self, seat: int, name: str) -> list[tuple[str, tuple]]:
        """All effects of a name among the Equipment and Sponsors in front of a knight."""
        knight = self.knights[seat]
        return [
            (card, effect)
            for card in sorted(knight.equipment + knight.sponsors)
            for effect in self.cards[card]["effects"]
            if effect[0] == name
        ]

    def loot_of(self, seat: int) -> int:
        return sum(effect[1] for _, effect in self.effects(seat, "loot"))

    def loot(self) -> list[int]:
        return [self.loot_of(seat) for seat in range(self.players)]

    def see_who_has_won(self) -> None:
        """The game ends at once when somebody has enough; the active seat goes before others."""
        for seat in [self.active, *self.from_the_left()]:
            if self.loot_of(seat) >= self.goal:
                self.winners = [seat]
                self.note("win", seat=seat, loot=self.loot())
                raise Over

    # --- The course of the game ---

    def set_up(self) -> None:
        for seat in range(self.players):
            self.note("deal", seat=seat, cards=self.draw(seat, self.rules["hand"]))
        for deck in self.reserves:
            self.refill(deck)

    def play_on(self) -> None:
        """Turn after turn to the end."""
        try:
            while self.turn < self.rules["turn_cap"]:
                self.take_turn()
        except Over:
            return
        self.note("cap", loot=self.loot())
        best = max(self.loot())
        self.winners = [seat for seat, loot in enumerate(self.loot()) if loot == best]

    def result(self) -> dict:
        share = Fraction(1, len(self.winners))
        return {
            "points": self.loot(),
            "win_share": [
                share if seat in self.winners else Fraction(0) for seat in range(self.players)
            ],
            "turns": self.turn,
            "capped": self.events[-1]["event"] == "cap",
        }

    def take_turn(self) -> None:
        self.turn += 1
        self.active = (self.active + 1) % self.players
        self.used.clear()
        self.note("turn", seat=self.active)
        self.cards_galore()
        self.window("turn")
        knight = self.knights[self.active]
        if knight.in_hospital:
            knight.in_hospital = False
            self.note("heal", seat=self.active, why="rest")
        else:
            self.bold_deed()

    # --- Phase 1 ---

    def cards_galore(self) -> None:
        for deck in self.reserves:
            self.refill(deck)
        seat = self.active
        extra = sum(effect[1] for _, effect in self.effects(seat, "draw"))
        self.draw_and_note(seat, 1 + extra, "phase 1")
        hand = self.knights[seat].hand
        while len(hand) > self.rules["hand_limit"]:
            _, card = self.ask(seat, "discard", [("discard", card) for card in sorted(hand)])
            hand.remove(card)
            self.put_away(card)
            self.note("discard", seat=seat, card=card)

    def refill(self, deck: str) -> None:
        cards: list[str] = []
        while len(self.reserves[deck]) < self.rules["reserve"]:
            card = self.take_from(deck)
            if card is None:
                break
            self.reserves[deck].append(card)
            cards.append(card)
        if cards:
            self.note("refill", deck=deck, cards=cards)

    def draw(self, seat: int, count: int) -> list[str]:
        drawn = [card for _ in range(count) if (card := self.take_from("hero")) is not None]
        self.knights[seat].hand += drawn
        return sorted(drawn)

    def draw_and_note(self, seat: int, count: int, why: str) -> None:
        if cards := self.draw(seat, count):
            self.note("draw", seat=seat, cards=cards, why=why)

    # --- Action cards: windows, passes, Cancels ---

    def window(self, kind: str) -> None:
        """Passes from the left of the active seat until one goes by without a play."""
        anybody = True
        while anybody:
            anybody = False
            for seat in self.from_the_left():
                chosen = self.ask(seat, kind, [PASS, *self.playable(seat, kind)])
                if chosen == PASS:
                    continue
                anybody = True
                if chosen[0] == "use":
                    self.use(seat, chosen[1])
                else:
                    self.play_card(seat, chosen)

    def playable(self, seat: int, kind: str) -> list[Option]:
        """What a seat may play in a window, without the pass."""
        if kind == "after roll" and not self.failed:
            return []
        options: list[Option] = [
            ("play", card, *aim)
            for card in sorted(set(self.knights[seat].hand))
            if self.cards[card].get("window") == kind
            for aim in self.aims(seat, self.cards[card]["effect"])
        ]
        if kind == "after roll" and seat == self.active:
            rerolls = [card for card, _ in self.effects(seat, "reroll")]
            options += [("use", card) for card in rerolls if rerolls.count(card) > self.used[card]]
        return options

    def aims(self, seat: int, effect: str) -> list[tuple]:
        """At what a seat may aim a card with this effect now; [()] is no aim, [] is not at all."""
        mine, others = seat == self.active, self.others(seat)
        if effect == "hinder":
            return [] if mine else [()]
        if not mine:  # everything else is for one's own turn and one's own roll
            return []
        if effect == "cure":
            return [()] if self.knights[seat].in_hospital else []
        if effect == "humiliate":
            whom = range(self.players) if self.rules["humiliate_self"] else others
            return [(other,) for other in whom if self.knights[other].sponsors]
        if effect == "beat":
            patients = self.rules["beat_patients"]
            return [(o,) for o in others if patients or not self.knights[o].in_hospital]
        if effect == "steal":
            return [(o, card) for o in others for card in sorted(self.knights[o].equipment)]
        return [()]

    def play_card(self, seat: int, option: Option) -> bool:
        """Play an Action card, let Cancels answer; returns whether it took effect."""
        _, card, *aim = option
        self.knights[seat].hand.remove(card)
        self.on_table.append(card)
        keys = ("target", "against") if self.cards[card]["effect"] == "cancel" else AIM_KEYS
        self.note("play", seat=seat, card=card, **dict(zip(keys, aim, strict=False)))
        stands = not self.is_cancelled(seat, card)
        if stands:
            self.take_effect(seat, card, aim)
        else:
            self.note("cancelled", seat=seat, card=card)
        self.on_table.remove(card)
        self.put_away(card)
        return stands

    def is_cancelled(self, player: int, card: str) -> bool:
        """Ask for Cancels, in passes; whether one of them stands against the card."""
        anybody = True
        while anybody:
            anybody = False
            for seat in self.from_the_left():
                if seat == player and not self.rules["cancel_own"]:
                    continue
                options = [
                    ("play", cancel, player, card)
                    for cancel in sorted(self.knights[seat].hand)
                    if self.cards[cancel].get("window") == "cancel"
                ]
                chosen = self.ask(seat, "cancel", [PASS, *options])
                if chosen == PASS:
                    continue
                anybody = True
                if self.play_card(seat, chosen):
                    return True
        return False

    def take_effect(self, seat: int, card: str, aim: list) -> None:
        effect, number = self.cards[card]["effect"], self.cards[card]["number"]
        if effect in ("bonus", "hinder"):
            self.action_modifiers.append([card, number])
        elif effect == "reroll":
            self.roll()
        elif effect == "humiliate":
            self.humiliate(aim[0], card)
        elif effect == "beat":
            self.send_to_hospital(aim[0], card)
        elif effect == "draw":
            self.draw_and_note(seat, number, card)
        elif effect == "steal":
            self.steal(seat, *aim)
        elif effect == "cure":
            self.knights[seat].in_hospital = False
            self.note("heal", seat=seat, why=card)

    def use(self, seat: int, card: str) -> None:
        """Roll again by a piece of Equipment."""
        self.used[card] += 1
        self.note("use", seat=seat, card=card)
        self.roll()

    def steal(self, seat: int, victim: int, card: str) -> None:
        self.knights[victim].equipment.remove(card)
        self.knights[seat].equipment.append(card)
        self.note("steal", seat=seat, target=victim, card=card, loot=self.loot())
        self.see_who_has_won()

    def humiliate(self, victim: int, why: str) -> None:
        """The victim loses a Sponsor of the lowest Loot."""

        def loot(card: str) -> int:
            return sum(e[1] for e in self.cards[card]["effects"] if e[0] == "loot")

        sponsors = self.knights[victim].sponsors
        lowest = min(map(loot, sponsors))
        self.lose(victim, "lose sponsor", [c for c in sponsors if loot(c) == lowest], why)

    # --- Phase 2 ---

    def bold_deed(self) -> None:
        seat = self.active
        reserve = self.reserves["feat"]
        if not reserve:
            return
        _, feat = self.ask(seat, "feat", [("feat", card) for card in sorted(reserve)])
        reserve.remove(feat)
        self.on_table.append(feat)
        self.attempt, self.action_modifiers, self.failed = feat, [], False
        self.note("feat", seat=seat, card=feat)
        self.window("before roll")
        self.roll()
        self.window("after roll")
        if self.failed:
            self.note("fail", seat=seat, card=feat)
            stays = self.suffer(seat, feat)
        else:
            self.note("succeed", seat=seat, card=feat)
            self.exchange(seat, feat)
            stays = False
        self.on_table.remove(feat)
        self.attempt = None
        if stays:
            self.knights[seat].curses.append(feat)
        else:
            self.put_away(feat)

    def modifiers(self) -> list[list]:
        """What changes the roll for the Feat that is attempted, each with its source."""
        feat = self.cards[self.attempt]
        found = [
            [card, number]
            for card, (_, kind, number) in self.effects(self.active, "roll")
            if kind in ("all", feat["type"])
        ]
        found += [
            [curse, self.rules["curse"]]
            for curse in self.knights[self.active].curses
            if self.cards[curse]["type"] == feat["type"]
        ]
        return sorted(found) + self.action_modifiers

    def roll(self) -> None:
        seat = self.active
        dice = (next(self.dice[seat]), next(self.dice[seat]))
        modifiers = self.modifiers()
        total = sum(number for _, number in modifiers)
        success = succeeds(dice, total, self.cards[self.attempt]["difficulty"])
        self.failed = not success
        self.note(
            "roll",
            seat=seat,
            dice=list(dice),
            modifiers=[list(modifier) for modifier in modifiers],
            total=sum(dice) + total,
            success=success,
        )

    # --- Success ---

    def exchange(self, seat: int, feat: str) -> None:
        """Buy with a completed Feat: Equipment for its Gold, or Sponsors for its Renown."""
        currencies = ["gold", "renown"]
        limit = 2 if self.effects(seat, "two") else 1
        bought = 0
        while bought < limit:
            offers = {c: pay for pay in currencies for c in self.affordable(seat, feat, pay)}
            chosen = self.ask(seat, "buy", [NOTHING, *(("buy", card) for card in sorted(offers))])
            if chosen == NOTHING:
                return
            card = chosen[1]
            currencies = [offers[card]]
            self.buy(seat, card, offers[card], self.worth(seat, feat, offers[card]))
            bought += 1
            if self.rules["two_at_once"] and self.effects(seat, "two"):
                limit = 2

    def worth(self, seat: int, feat: str, pay: str) -> int:
        worth = self.cards[feat][pay]
        if pay == "renown":
            worth += sum(effect[1] for _, effect in self.effects(seat, "renown"))
        return worth

    def affordable(self, seat: int, feat: str, pay: str) -> list[str]:
        shelf = self.knights[seat].hand if pay == "gold" else self.reserves["sponsor"]
        worth = self.worth(seat, feat, pay)
        return [
            card
            for card in shelf
            if self.cards[card]["is"] != "action" and self.cards[card]["cost"] <= worth
        ]

    def buy(self, seat: int, card: str, pay: str, worth: int) -> None:
        knight = self.knights[seat]
        if pay == "gold":
            knight.hand.remove(card)
            knight.equipment.append(card)
        else:
            self.reserves["sponsor"].remove(card)
            knight.sponsors.append(card)
        self.note("buy", seat=seat, card=card, pay=pay, worth=worth, loot=self.loot())
        self.see_who_has_won()

    # --- Failure ---

    def suffer(self, seat: int, feat: str) -> bool:
        """Follow the failure text; returns whether the Feat stays as a curse."""
        knight = self.knights[seat]
        stays = False
        for (what,) in self.cards[feat]["failure"]:
            if what == "hospital":
                self.send_to_hospital(seat, feat)
            elif what == "lose_equipment":
                self.lose(seat, "lose equipment", knight.equipment + knight.curses, feat)
            elif what == "lose_sponsor":
                self.lose(seat, "lose sponsor", knight.sponsors, feat)
            elif what == "curse":
                stays = True
                self.note("curse", seat=seat, card=feat)
        return stays

    def lose(self, seat: int, kind: str, cards: list[str], why: str) -> None:
        """The owner puts one of these cards away, if there are any."""
        if not cards:
            return
        _, card = self.ask(seat, kind, [("lose", card) for card in sorted(cards)])
        knight = self.knights[seat]
        for pile in (knight.equipment, knight.curses, knight.sponsors):
            if card in pile:
                pile.remove(card)
                break
        self.put_away(card)
        self.note("lose", seat=seat, card=card, why=why, loot=self.loot())

    def send_to_hospital(self, seat: int, why: str) -> None:
        knight = self.knights[seat]
        if knight.in_hospital:
            self.note("hospital", seat=seat, why=why, news=False)
            return
        if self.helper_saves(seat) or self.shield_saves(seat):
            return
        knight.in_hospital = True
        self.note("hospital", seat=seat, why=why, news=True)

    def helper_saves(self, seat: int) -> bool:
        for card, (_, lowest) in self.effects(seat, "helper"):
            die = next(self.dice[seat])
            self.note("avoid", seat=seat, card=card, die=die, avoided=die >= lowest)
            if die >= lowest:
                return True
        return False

    def shield_saves(self, seat: int) -> bool:
        shields = [("shield", card) for card, _ in self.effects(seat, "shield")]
        if not shields:
            return False
        free = [PASS] if self.rules["shield_optional"] else []
        chosen = self.ask(seat, "shield", free + shields)
        if chosen == PASS:
            return False
        self.knights[seat].equipment.remove(chosen[1])
        self.put_away(chosen[1])
        self.note("avoid", seat=seat, card=chosen[1], loot=self.loot())
        return True

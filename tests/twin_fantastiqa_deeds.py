"""What happens on a table of Fantastiqa when a player acts, told event by event."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from twin_fantastiqa_cards import CHEST, DECK_OF, DRAGON
from twin_fantastiqa_rules import (
    MOST_DRAWN,
    MOST_QUESTS,
    RELEASE_PRICE,
    TELEPORT_PRICE,
    TOKEN,
    Action,
    Cards,
    Choices,
    groups,
    strength,
    without,
)
from twin_fantastiqa_table import MARK, Position, Seat, plain

Choose = Callable[[int, str, Any], Any]
Shuffle = Callable[[tuple, list[str]], Sequence[str]]

MOST_UNDER_TOKEN = 5
BELL_CARDS, DRAW_TWO = 3, 2
LEAST_FOR_RAVEN = 5


class Deeds:
    """A table with the players around it: carries out what they choose and writes it down."""

    def __init__(self, position: Position, choose: Choose, shuffle: Shuffle) -> None:
        self.position = position
        self.events: list[dict] = []
        self.over: str | None = None  # why the game has ended: goal, creatures, cap
        self._choose = choose
        self._shuffle = shuffle

    @property
    def me(self) -> Seat:
        """The player whose turn it is."""
        return self.position.me

    def note(self, event: str, **details: object) -> None:
        """Write down what the player to move does, or what happens in that turn."""
        now = {"turn": self.position.turn, "seat": self.position.mover}
        self.events.append({"event": event, **now, **details})

    def ask(self, seat: int, kind: str, options: Any) -> Any:
        """Let a seat choose, and refuse what is not among the options."""
        chosen = self._choose(seat, kind, options)
        if chosen not in options:
            raise ValueError(f"seat {seat} may not choose {chosen!r} as {kind!r}")
        return chosen

    def shuffled(self, what: tuple, cards: Iterable[str]) -> list[str]:
        """These cards in the order that chance gives them."""
        before = list(cards)
        after = list(self._shuffle(what, list(before)))
        assert Counter(after) == Counter(before), f"the shuffle of {what} changed the cards"
        return after

    # --- Moving cards ---

    def to_discard(self, cards: Iterable[str], seat: int | None = None) -> None:
        """Put cards on a discard pile, the own one if no seat is given."""
        owner = self.me if seat is None else self.position.seats[seat]
        owner.discard += [plain(card) for card in cards]

    def take_from_hand(self, cards: Iterable[str]) -> None:
        """Take cards out of the hand of the player to move."""
        self.me.hand = without(self.me.hand, cards)

    def draw(self, seat: int, number: int) -> list[str]:
        """Draw from the own deck; when it is empty the discard pile becomes the deck."""
        player, drawn = self.position.seats[seat], []
        while len(drawn) < number:
            if not player.draw:
                fresh = player.fresh()
                if not fresh:
                    break
                player.draw = self.shuffled(("draw", seat), fresh)
                player.discard = without(player.discard, fresh)
                self.note("shuffle", deck="draw", cards=len(player.draw), drawn_before=len(drawn))
            drawn.append(player.draw.pop(0))
        return drawn

    def draw_statue_cards(self, deck: str, number: int) -> list[str]:
        """Draw from a statue's deck; when no card lies face down the others are shuffled."""
        pile, drawn = self.position.piles[deck], []
        while len(drawn) < number:
            if not pile.down:
                if not pile.up:
                    break
                pile.down, pile.up = self.shuffled((deck,), pile.up), []
                self.note("shuffle", deck=deck, cards=len(pile.down), drawn_before=len(drawn))
            drawn.append(pile.down.pop(0))
        return drawn

    # --- Moving gems ---

    def gain_gems(self, number: int) -> int:
        """Take gems from the supply as far as it goes; how many there were."""
        gained = min(number, self.position.gems)
        self.position.gems -= gained
        self.me.gems += gained
        return gained

    def pay_gems(self, number: int) -> None:
        """Return gems to the supply."""
        self.me.gems -= number
        self.position.gems += number

    # --- Every action ---

    def perform(self, action: Action) -> None:
        """Carry out a legal action."""
        if action not in Choices(self.position):
            raise ValueError(f"seat {self.position.mover} may not do {action!r}")
        match action:
            case ("adventure", steps):
                self.adventure(steps)
            case ("complete", quest, held, under):
                self.complete(quest, held, under)
            case ("pass",):
                self.note("pass")
            case ("draw" | "release" | "teleport", *_):
                self.visit(action, None)
            case _:
                self.act_freely(action)
                return
        self.position.acted = True

    # --- Turn actions ---

    def adventure(self, steps: tuple) -> None:
        """Subdue one creature after the other, then recruit them all and take their gems."""
        table, mine = self.position, self.me
        recruits, gems = [], 0
        for space, cards in steps:
            creature = table.creatures[space]
            assert creature is not None
            assert mine.place is not None
            wanted, number = table.card(creature).weakness
            matching, pairs = strength(table, cards, wanted)
            mine.place = table.beyond(mine.place, space)
            self.note(
                "subdue",
                space=space,
                creature=creature,
                cards=[plain(card) for card in cards],
                doubled=[plain(card) for card in cards if card.endswith(MARK)],
                symbol=wanted,
                needed=number,
                matching=matching,
                pairs=pairs,
                to=mine.place,
            )
            self.take_from_hand(cards)
            self.to_discard(cards)
            table.creatures[space] = None
            recruits.append(creature)
            gems += table.gems_on[space]
            table.gems_on[space] = 0
        self.to_discard(recruits)
        mine.gems += gems
        self.note("recruit", creatures=recruits, gems=gems)

    def visit(self, visit: Action, key: str | None) -> None:
        """Use one of the options at the statue here; a key has opened the way or none."""
        table = self.position
        option, plus = visit[0], list(visit[1]) if len(visit) > 1 else []
        self.note(
            "visit",
            place=self.me.place,
            statue=table.statue_here(),
            option=option,
            plus=[plain(card) for card in plus],
            key=key,
        )
        self.take_from_hand(plus)
        self.to_discard(plus)
        match visit:
            case ("draw", _):
                self.draw_at_statue(MOST_DRAWN + len(plus))
            case ("release", _, held, old):
                self.release(held, old)
            case ("teleport",):
                self.teleport()

    def draw_at_statue(self, number: int) -> None:
        """Draw, show, take what is wanted, and put the rest face up under the deck."""
        table = self.position
        statue = table.statue_here()
        deck = DECK_OF[statue]
        table.shown = self.draw_statue_cards(deck, number)
        self.note("statue cards", deck=deck, cards=list(table.shown))
        taken = self.claim() if statue == CHEST else self.buy()
        returned = without(table.shown, taken)
        table.shown = []
        table.piles[deck].up += returned
        self.note("return", deck=deck, cards=returned)

    def buy(self) -> Cards:
        """Let the player buy any of the cards shown; they go to the discard pile."""
        table = self.position

        def price(cards: Cards) -> int:
            return sum(table.card(card).price for card in cards)

        options = [c for c in groups(table.shown, len(table.shown)) if price(c) <= self.me.gems]
        bought: Cards = self.ask(table.mover, "buy", options)
        for card in bought:
            self.pay_gems(table.card(card).price)
            self.to_discard([card])
            self.note("buy", card=card, price=table.card(card).price)
        return bought

    def claim(self) -> Cards:
        """Let the player take at least one quest, up to three in all."""
        table = self.position
        room = MOST_QUESTS - len(self.me.quests)
        options = [some for some in groups(table.shown, room) if some]
        claimed: Cards = self.ask(table.mover, "claim", options)
        for quest in claimed:
            self.me.quests[quest] = []
            self.note("claim", quest=quest, score=table.own_score(table.mover))
        return claimed

    def release(self, held: Cards, old: Cards) -> None:
        """Remove cards of the hand and of the discard pile for good, for a gem each."""
        self.take_from_hand(held)
        self.me.discard = without(self.me.discard, old)
        for source, cards in (("hand", held), ("discard", old)):
            for card in cards:
                self.pay_gems(RELEASE_PRICE)
                self.position.gone.append(plain(card))
                self.note("release", card=plain(card), source=source)

    def teleport(self) -> None:
        """Go to the other region with the statue that stands here."""
        assert self.me.place is not None
        self.pay_gems(TELEPORT_PRICE)
        self.me.place = self.position.twin_statue(self.me.place)
        self.note("teleport", to=self.me.place)

    def complete(self, quest: str, held: Cards, under: Cards) -> None:
        """Spend the cards, take the reward, and see whether that wins."""
        table, mine = self.position, self.me
        committed = list(mine.quests.get(quest, under))
        self.take_from_hand(held)
        mine.token = without(mine.token, under)
        self.to_discard([*committed, *held])
        bonus = 0
        if quest in mine.quests:
            del mine.quests[quest]
        else:
            space = table.open_quests.index(quest)
            bonus, table.bonus_on[space] = table.bonus_on[space], 0
            table.open_quests[space] = None
            mine.bonus += bonus
        mine.completed.append(quest)
        gems = self.gain_gems(table.tables.quests[quest].gems)
        self.note(
            "complete",
            quest=quest,
            hand=[plain(card) for card in held],
            committed=[plain(card) for card in committed],
            doubled=[plain(card) for card in [*committed, *held] if card.endswith(MARK)],
            gems=gems,
            bonus=bonus,
            score=table.own_score(table.mover),
        )
        if table.score(table.mover) >= table.goal():
            self.over = "goal"

    # --- Free actions ---

    def act_freely(self, action: Action) -> None:
        """Carry out a free action."""
        match action:
            case ("commit", card, quest):
                self.commit(card, quest)
            case ("withdraw", card, quest):
                (self.me.token if quest == TOKEN else self.me.quests[quest]).remove(card)
                self.to_discard([card])
                self.note("withdraw", card=plain(card), quest=quest)
            case ("discard", card):
                self.take_from_hand([card])
                self.to_discard([card])
                self.note("discard", card=plain(card))
            case ("carpet", space):
                self.me.carpets -= 1
                self.fly("token", space)
            case ("reshuffle",):
                self.reshuffle()
            case ("use", card, *rest):
                self.use(card, rest)

    def commit(self, card: str, quest: str) -> None:
        """Lay a card to a quest; of six under the quest token one has to go at once."""
        self.take_from_hand([card])
        (self.me.token if quest == TOKEN else self.me.quests[quest]).append(card)
        self.note("commit", card=plain(card), quest=quest)
        while len(self.me.token) > MOST_UNDER_TOKEN:
            excess = self.ask(self.position.mover, "excess", sorted(set(self.me.token)))
            self.me.token.remove(excess)
            self.to_discard([excess])
            self.note("withdraw", card=plain(excess), quest=TOKEN)

    def fly(self, by: str, space: int) -> None:
        """Cross a space and leave its creature there."""
        assert self.me.place is not None
        self.me.place = self.position.beyond(self.me.place, space)
        self.note("fly", by=by, space=space, to=self.me.place)

    def reshuffle(self) -> None:
        """Shuffle the discard pile into the draw deck."""
        mine = self.me
        mine.reshuffles -= 1
        fresh = mine.fresh()
        mine.draw = self.shuffled(("draw", self.position.mover), [*mine.draw, *fresh])
        mine.discard = without(mine.discard, fresh)
        self.note("reshuffle", cards=len(mine.draw))

    def use(self, card: str, rest: list) -> None:
        """Use a power, whose card is discarded first, or an artifact, which is discarded last."""
        printed = self.position.card(card)
        self.take_from_hand([card])
        if printed.power:
            self.to_discard([card])
            self.use_power(plain(card), rest)
        else:
            self.use_artifact(plain(card), rest)
            self.to_discard([card])
            self.me.used.append(plain(card))

    def use_power(self, card: str, rest: list) -> None:
        """Fly, fetch a gem, send a dragon, or visit a statue."""
        table = self.position
        match (table.card(card).power, *rest):
            case ("carpet", space):
                self.fly(card, space)
            case ("gem",):
                self.note("gem", card=card, gems=self.gain_gems(1))
            case ("dragon", seat):
                sent = min(1, table.dragons)
                table.dragons -= sent
                self.to_discard([DRAGON] * sent, seat)
                self.note("dragon", card=card, to=seat, dragons=sent)
            case ("key", visit):
                self.visit(visit, card)

    def use_artifact(self, card: str, rest: list) -> None:
        """Carry out what an artifact does."""
        match (self.position.card(card).effect, *rest):
            case ("double another card", other):
                self.double(card, other)
            case ("draw three keep one",):
                self.ring_bell(card)
            case ("take a gem from the richer",):
                self.rob(card)
            case ("pass a card on", source, other, seat):
                self.pass_on(card, source, other, seat)
            case ("swap two creatures", first, second):
                self.swap(card, first, second)
            case ("walk two steps", place):
                self.me.place = place
                self.note("artifact", card=card, to=place)
            case ("draw two",):
                drawn = self.draw(self.position.mover, DRAW_TWO)
                self.me.hand += drawn
                self.note("artifact", card=card, cards=drawn)

    def double(self, card: str, other: str) -> None:
        """Mark another card of the hand: it counts its symbols twice this turn."""
        self.take_from_hand([other])
        self.me.hand.append(other + MARK)
        self.note("artifact", card=card, doubled=other)

    def ring_bell(self, card: str) -> None:
        """Draw three, keep one in hand, discard the others."""
        table = self.position
        table.shown = self.draw(table.mover, BELL_CARDS)
        drawn, kept = list(table.shown), []
        if drawn:
            kept = [self.ask(table.mover, "keep", sorted(set(drawn)))]
        table.shown = []
        self.me.hand += kept
        discarded = without(drawn, kept)
        self.to_discard(discarded)
        self.note("artifact", card=card, kept=kept, discarded=discarded)

    def rob(self, card: str) -> None:
        """Take a gem from each opponent who has more gems, as they are before any is taken."""
        seats = self.position.seats
        mine = self.me.gems
        others = self.position.opponents(self.position.mover)
        victims = [seat for seat in others if seats[seat].gems > mine]
        for seat in victims:
            seats[seat].gems -= 1
            self.me.gems += 1
        self.note("artifact", card=card, seats=victims)

    def pass_on(self, card: str, source: str, other: str, seat: int) -> None:
        """Put a card of the own hand or discard pile on an opponent's discard pile."""
        if source == "hand":
            self.take_from_hand([other])
        else:
            self.me.discard = without(self.me.discard, [other])
        self.to_discard([other], seat)
        self.note("artifact", card=card, source=source, passed=plain(other), to=seat)

    def swap(self, card: str, first: int, second: int) -> None:
        """Exchange two creatures with the gems that lie on them."""
        for what in (self.position.creatures, self.position.gems_on):
            what[first], what[second] = what[second], what[first]
        self.note("artifact", card=card, spaces=[first, second])

    # --- The end of a turn ---

    def undouble(self) -> None:
        """A doubled card counts once again, wherever it is."""
        mine = self.me
        for cards in chain([mine.hand, mine.token], mine.quests.values()):
            cards[:] = [plain(card) for card in cards]

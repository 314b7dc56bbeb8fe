"""A game of Fantastiqa as its record has it: the events that follow from each move, in order.

Every event names the seat that acts. What only one seat sees is an event of its own, beside the one
that tells the others that something happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from simlab.compiled import Record
from simlab.contract import Seen
from simlab.games.fantastiqa.cards import SYMBOLS
from simlab.games.fantastiqa.names import (
    ENDINGS,
    PLACE_NAMES,
    REGIONS_IN_WORDS,
    STATUE_NAMES,
    SUPPLY_NAMES,
    card_id,
    card_ids,
    quest_id,
)
from simlab.games.fantastiqa.records import (
    ADD,
    ADDING,
    ANY_SYMBOL,
    AT_STATUE,
    BREW_DISCARD,
    BREW_HAND,
    BUY,
    BUYING,
    BY_CAP,
    BY_DECK,
    CHEST,
    CLAIM,
    CLAIMING,
    COMMIT,
    COMMIT_TOKEN,
    COMPLETE,
    CREATURE,
    DISCARD,
    DONE,
    DOUBLE_CARD,
    DOUBLED,
    DRAW,
    DRAW_CARDS,
    FIND_GEM,
    FINISH,
    FLY,
    FOR_CREATURE,
    FOR_PERSONAL,
    FREE,
    GIVE,
    GIVE_3,
    GO,
    KEEP,
    KEEPING,
    KEY,
    LAY,
    LAY_TOKEN,
    LET_GO,
    LET_GO_DISCARD,
    NOTHING,
    OPEN,
    POUR,
    PURSE,
    RELEASE,
    RESHUFFLE,
    SEND,
    SLOTS,
    SPACES,
    START_AT,
    STOP,
    STRIDE_TO,
    SUMMON,
    SUMMON_DRAGON,
    SWAP,
    TAKE_ARTIFACT,
    TAKE_QUEST,
    TELEPORT,
    TRAVELLING,
    USE,
    VISIT,
    WIDTH,
    WITHDRAW,
    WITHDRAW_TOKEN,
)


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
    """
    if before is None or move is None:
        table = after.table
        regions = [REGIONS_IN_WORDS[region] for region in table.region_at]
        statues = [STATUE_NAMES[statue] for statue in table.statue_at]
        return [Seen({"event": "map", "regions": regions, "statues": statues})]
    narrator = Narrator(rules, before, after)
    narrator.tell(move // WIDTH, move % WIDTH)
    return narrator.events


class Narrator:
    """Writes down what one move led to."""

    def __init__(self, rules: Record, before: Record, after: Record) -> None:
        self.rules, self.before, self.after = rules, before, after
        self.was, self.now = before.table, after.table
        self.seat = int(before.table.to_move)
        self.events: list[Seen] = []

    def note(self, event: str, **details: Any) -> None:
        """Note what everybody sees."""
        self.events.append(Seen({"event": event, "seat": self.seat, **details}))

    def note_privately(self, event: str, seat: int | None = None, **details: Any) -> None:
        """Note what one seat sees, by default the one that acts."""
        who = self.seat if seat is None else seat
        self.events.append(Seen({"event": event, "seat": who, **details}, (who,)))

    def card(self, card: int) -> dict[str, Any]:
        """A card as events name it; whether it counts twice only if it does."""
        named: dict[str, Any] = {"card": card_id(self.rules, card)}
        return named | {"doubled": True} if card >= DOUBLED else named

    def tell(self, verb: int, thing: int) -> None:
        """Note a move and all that it led to."""
        if verb in (LAY, LAY_TOKEN):
            self.tell_laying(thing, "token" if verb == LAY_TOKEN else "hand")
        elif COMMIT <= verb <= WITHDRAW_TOKEN:
            self.tell_committing(verb, thing)
        elif verb in (TAKE_QUEST, TAKE_ARTIFACT, START_AT):
            self.tell_choice(verb, thing)
        elif verb in (VISIT, DRAW, RELEASE, TELEPORT, ADD, BUY, CLAIM, DONE, LET_GO) or (
            verb == LET_GO_DISCARD
        ):
            self.tell_visit(verb, thing)
        elif verb == USE:
            self.tell_use(thing)
        elif verb in (FINISH, *range(GIVE, GIVE_3 + 1)):
            self.tell_end_of_turn(verb, thing)
        else:
            self.tell_rest(verb, thing)
        if self.now.ended:
            self.tell_ending()

    # --- Setup ---

    def tell_choice(self, verb: int, thing: int) -> None:
        """A choice before the first turn; after the last one the game begins."""
        if verb == TAKE_QUEST:
            self.note("choose", quest=quest_id(self.rules, thing))
        elif verb == TAKE_ARTIFACT:
            self.note("choose", card=card_id(self.rules, thing))
        else:
            self.note("choose", place=PLACE_NAMES[thing])
            if self.seat == 0:
                self.tell_first_turn()

    def tell_first_turn(self) -> None:
        """Open Quests, hands, and the first turn."""
        for place in range(OPEN):
            self.tell_open_quest(place)
        for seat in range(self.rules.players):
            pile, left = self.after.hidden.pile[seat], self.now.pile_cards[seat]
            drawn = pile[left : left + self.now.hand_cards[seat]][::-1]
            self.note_privately("deal", seat, cards=card_ids(self.rules, drawn))
        self.tell_turn()

    def tell_open_quest(self, place: int) -> None:
        """A Quest is laid open."""
        quest = quest_id(self.rules, self.now.open_quests[place])
        self.note("open quest", space=place, quest=quest, bonus=self.now.open_bonus[place])

    # --- A turn begins ---

    def tell_turn(self) -> None:
        """The table is replenished for the next turn."""
        turn = self.now.turn_number * self.rules.players
        if self.now.ended != BY_DECK:
            turn += self.now.to_move + 1
            self.seat = int(self.now.to_move)
        else:
            self.seat = (self.seat + 1) % self.rules.players
            turn += self.seat + 1
        self.note("turn", number=turn)
        self.tell_spaces()
        if self.now.ended == BY_DECK:
            return
        supply = self.was.supply_cards[CHEST]
        for place in range(OPEN):
            opened = self.was.open_quests[place] == NOTHING != self.now.open_quests[place]
            if opened and not self._first_fill():
                if supply == 0:
                    supply = self.was.returned_cards[CHEST]
                    self.note("shuffle", deck=SUPPLY_NAMES[CHEST], cards=supply, drawn_before=0)
                supply -= 1
                self.tell_open_quest(place)

    def _first_fill(self) -> bool:
        return bool(self.before.hidden.next == 0)

    def tell_spaces(self) -> None:
        """Creatures and events as they are turned up, space by space."""
        deck = self.before.hidden.deck[self.before.hidden.next :][: self.was.deck_cards]
        gems, supply = list(self.was.gems), self.was.gem_supply
        aside: list[int] = []
        for space in range(SPACES):
            there = self.was.creature_at[space]
            while there == NOTHING and deck:
                kind = deck.pop(0)
                if self.rules.group[kind] == CREATURE:
                    there = kind
                    laid = min(self.rules.gem[kind], supply)
                    supply -= laid
                    self.note("creature", space=space, gems=laid, **self.card(kind))
                    continue
                losses: dict[int, int] = {}
                if self._first_fill():
                    aside.append(kind)
                else:
                    losses = self.losses(kind, gems)
                    supply += sum(losses.values())
                self.note(
                    "raid",
                    space=space,
                    aside=self._first_fill(),
                    losses=[losses.get(seat, 0) for seat in range(self.rules.players)],
                    **self.card(kind),
                )
        if aside:
            names = card_ids(self.rules, sorted(aside))
            self.note("mix in", cards=names, among=self.now.mixed)

    def losses(self, kind: int, gems: list[int]) -> dict[int, int]:
        """Gems that seats lose by an event; takes them away."""
        most = max(gems[: self.rules.players])
        if most < self.rules.spares_below[kind]:
            return {}
        lost = {
            seat: most // self.rules.divides_by[kind]
            for seat in range(self.rules.players)
            if gems[seat] == most
        }
        for seat, number in lost.items():
            gems[seat] -= number
        return lost

    # --- ... and ends ---

    def tell_end_of_turn(self, verb: int, thing: int) -> None:
        """A gift, the cards drawn, and the next turn."""
        gift = verb != FINISH
        self.note("end", passed=not self.was.acted)
        if gift:
            self.note("give", to=verb - GIVE, **self.card(thing))
        self.tell_draws(self.now.hand_cards[self.seat] - self.was.hand_cards[self.seat] + gift)
        if self.now.ended != BY_CAP:
            self.tell_turn()

    def tell_draws(self, number: int) -> None:
        """Cards drawn off the own pile, with the shuffle if it ran out."""
        for part in self.drawn(number):
            if isinstance(part, int):
                self.note("shuffle", deck="own", cards=part, drawn_before=self._drawn_before)
            elif part:
                self._drawn_before = len(part)
                self.note("draw", number=len(part))
                self.note_privately("see", cards=card_ids(self.rules, part))

    _drawn_before = 0

    def drawn(self, number: int) -> list[Any]:
        """The cards drawn, in order: before a shuffle; the cards shuffled; after it."""
        seat = self.seat
        left, now = self.was.pile_cards[seat], self.now.pile_cards[seat]
        first = self.before.hidden.pile[seat][max(0, left - number) : left][::-1]
        if number <= left:
            return [first]
        more = number - left
        return [first, now + more, self.after.hidden.pile[seat][now : now + more][::-1]]

    def tell_ending(self) -> None:
        """The game is over."""
        players = self.rules.players
        self.note(
            "over",
            reason=ENDINGS[self.now.ended],
            points=self.now.points[:players],
            quests=self.now.completed[:players],
        )

    # --- Paying ---

    def tell_laying(self, card: int, source: str) -> None:
        """A card is laid; perhaps that is enough."""
        self.note("lay", source=source, **self.card(card))
        laid = [*self.was.laid[: self.was.laid_cards], card]
        if self.was.paying_for != FOR_CREATURE:
            if self.now.phase == FREE or self.now.ended:
                self.tell_completed(laid)
        elif self.now.phase in (TRAVELLING, FREE):
            self.tell_subdued(laid)

    def tell_subdued(self, laid: list[int]) -> None:
        """A creature is recruited."""
        space = self.was.target
        creature = self.was.creature_at[space]
        wanted, symbols, jokers = self.rules.weak_to[creature], Counter[int](), 0
        for card in laid:
            times = 2 if card >= DOUBLED else 1
            pile = int(self.rules.symbols[card % DOUBLED])
            for symbol in range(len(SYMBOLS)):
                symbols[symbol] += times * ((pile >> (7 * symbol)) & 127)
            jokers += times * (self.rules.special[card % DOUBLED] == ANY_SYMBOL)
        matching = symbols.pop(wanted) + jokers
        self.note(
            "subdue",
            space=space,
            creature=card_id(self.rules, creature),
            symbol=SYMBOLS[wanted],
            needed=self.rules.strength[creature],
            matching=matching,
            pairs=sum(n // 2 for n in symbols.values()) if self.rules.wilds else 0,
            gems=self.was.gems_at[space],
            to=PLACE_NAMES[self.now.place[self.seat]],
        )
        if self.now.phase == FREE:
            self.note("stop")

    def tell_completed(self, laid: list[int]) -> None:
        """A Quest is completed: the one that was paid for."""
        seat, place = self.seat, self.was.target
        personal = self.was.paying_for == FOR_PERSONAL
        self._tell_completed(personal, place, laid, self.now.gems[seat] - self.was.gems[seat])

    def _tell_completed(self, personal: bool, place: int, laid: list[int], gems: int) -> None:
        seat = self.seat
        if personal:
            quest = self.was.quests[seat][place]
            number = self.was.committed_cards[seat][place]
            committed = self.was.committed[seat][place][:number]
        else:
            quest, committed = self.was.open_quests[place], []
        self.note(
            "complete",
            quest=quest_id(self.rules, quest),
            cards=card_ids(self.rules, laid),
            committed=card_ids(self.rules, committed),
            gems=gems,
            bonus=self.now.bonus[seat] - self.was.bonus[seat],
            points=self.now.points[seat],
        )

    # --- At a statue ---

    def tell_visit(self, verb: int, thing: int) -> None:
        """A step of a visit."""
        if verb == VISIT:
            self.tell_arrival()
        elif verb in (DRAW, RELEASE, TELEPORT):
            self.note("at statue", option={DRAW: "draw", RELEASE: "release"}.get(verb, "teleport"))
        elif verb == ADD:
            self.note("add", **self.card(thing))
        elif verb == BUY:
            self.note("buy", price=self.rules.cost[thing], **self.card(thing))
        elif verb == CLAIM:
            points = self.now.points[self.seat]
            self.note("claim", quest=quest_id(self.rules, thing), points=points)
        elif verb in (LET_GO, LET_GO_DISCARD):
            source = "hand" if verb == LET_GO else "discard"
            self.note("release", source=source, **self.card(thing))
        if verb == TELEPORT:
            self.note("teleport", to=PLACE_NAMES[self.now.place[self.seat]])
        draws = self.was.phase in (AT_STATUE, ADDING) and verb in (DRAW, ADD, DONE)
        if draws and self.now.phase != ADDING:
            self.tell_statue_cards()
        elif self.was.phase in (BUYING, CLAIMING) and self.now.phase == FREE:
            self.tell_return(self._left_over(verb, thing))
        if verb != VISIT and self.now.phase == FREE:
            self.note("leave")

    def tell_arrival(self) -> None:
        """Somebody visits the statue where they stand."""
        statue = STATUE_NAMES[self.now.statue_at[self.now.place[self.seat]]]
        self.note("visit", place=PLACE_NAMES[self.now.place[self.seat]], statue=statue)

    def statue(self) -> int:
        """The statue where the seat stood before the move."""
        return int(self.was.statue_at[self.was.place[self.seat]])

    def tell_statue_cards(self) -> None:
        """The cards turned up; those that nobody can buy go back at once."""
        statue, hidden = self.statue(), self.after.hidden
        before, returned = self.was.supply_cards[statue], self.was.returned_cards[statue]
        wanted = self.was.left
        if self.was.phase == AT_STATUE:
            wanted = self.rules.statue_cards
        elif self.now.discard_cards[self.seat] > self.was.discard_cards[self.seat]:
            wanted += self._added()
        shuffled = wanted > before and returned > 0
        drawn = self.before.hidden.supply[statue][max(0, before - wanted) : before][::-1]
        if shuffled:
            left = self.now.supply_cards[statue]
            more = min(wanted - before, returned)
            drawn = [*drawn, *hidden.supply[statue][left : left + more][::-1]]
            deck = SUPPLY_NAMES[statue]
            self.note("shuffle", deck=deck, cards=returned, drawn_before=before)
        self.note("statue cards", deck=SUPPLY_NAMES[statue], cards=self._names(statue, drawn))
        if self.now.phase == FREE:
            self.tell_return(drawn)

    def _added(self) -> int:
        """What the card just added adds."""
        for kind in range(self.rules.kinds):
            if self.now.discard[self.seat][kind] > self.was.discard[self.seat][kind]:
                return int(self.rules.amount[kind])
        return 0

    def _names(self, statue: int, cards: Iterable[int]) -> list[str]:
        if statue == CHEST:
            return [quest_id(self.rules, quest) for quest in cards]
        return [card_id(self.rules, card) for card in cards]

    def _left_over(self, verb: int, thing: int) -> list[int]:
        """The cards that were neither bought nor claimed."""
        left = list(self.was.drawn[: self.was.drawn_cards])
        if verb != DONE:
            left.remove(thing)
        return left

    def tell_return(self, cards: list[int]) -> None:
        """Cards go back under their supply."""
        statue = self.statue()
        self.note("return", deck=SUPPLY_NAMES[statue], cards=self._names(statue, cards))

    # --- Free actions ---

    def tell_committing(self, verb: int, card: int) -> None:
        """A card goes to a Quest or away from it."""
        if verb == COMMIT_TOKEN:
            self.note("hide")
            self.note_privately("hidden", **self.card(card))
        elif verb == WITHDRAW_TOKEN:
            self.note("withdraw", quest="token", **self.card(card))
        else:
            commits = verb < COMMIT + SLOTS
            slot = verb - COMMIT if commits else verb - WITHDRAW
            quest = quest_id(self.rules, self.was.quests[self.seat][slot])
            self.note("commit" if commits else "withdraw", quest=quest, **self.card(card))

    def tell_use(self, card: int) -> None:
        """A card is used for its power."""
        power, seat = self.rules.special[card % DOUBLED], self.seat
        self.note("use", **self.card(card))
        if power == FIND_GEM:
            self.note("gems", gems=self.now.gems[seat] - self.was.gems[seat])
        elif power == PURSE:
            pairs = zip(self.was.gems, self.now.gems, strict=True)
            taken = [max(0, old - new) for old, new in pairs]
            self.note("rob", losses=taken[: self.rules.players])
        elif power == DRAW_CARDS:
            self.tell_draws(self.now.hand_cards[seat] - self.was.hand_cards[seat] + 1)
            self.note("done")
        elif power == SUMMON:
            self.tell_look()
        elif power == SUMMON_DRAGON and self.now.phase == FREE:
            self.tell_dragon(1 - seat)
        elif power == KEY:
            self.tell_arrival()

    def tell_look(self) -> None:
        """Cards are drawn to be looked at; a single one is kept."""
        seat = self.seat
        kept = self.now.hand_cards[seat] - self.was.hand_cards[seat] + 1
        looked = self.after.seats[seat].looked_cards
        self.tell_draws(looked if self.now.phase == KEEPING else kept)
        if self.now.phase != KEEPING:
            self.note("keep", discarded=[])

    def tell_dragon(self, to: int) -> None:
        """A Peaceful Dragon comes to an opponent, if there is one left."""
        self.note("dragon", to=to, dragons=self.was.dragons - self.now.dragons)

    def tell_rest(self, verb: int, thing: int) -> None:
        """All other moves."""
        seat = self.seat
        if verb == GO:
            creature = card_id(self.rules, self.was.creature_at[thing])
            self.note("face", space=thing, creature=creature)
        elif verb == STOP:
            self.note("stop")
        elif verb == COMPLETE:
            self.tell_attempt(thing)
        elif verb == DISCARD:
            self.note("discard", **self.card(thing))
        elif verb == FLY:
            by = "token" if self.was.phase == FREE else "card"
            self.note("fly", by=by, space=thing, to=PLACE_NAMES[self.now.place[seat]])
        elif verb == RESHUFFLE:
            self.note("reshuffle", cards=self.now.pile_cards[seat])
        else:
            self.tell_target(verb, thing)

    def tell_target(self, verb: int, thing: int) -> None:
        """What a power in use asked for."""
        if verb == SEND:
            self.tell_dragon(thing)
        elif verb == DOUBLE_CARD:
            self.note("done")
            self.note_privately("double", card=card_id(self.rules, thing))
        elif verb == KEEP:
            self.tell_kept(thing)
        elif verb in (BREW_HAND, BREW_DISCARD):
            source = "hand" if verb == BREW_HAND else "discard"
            self.note("brew", source=source, **self.card(thing))
            if self.now.phase == FREE:
                self.note("pour", to=1 - self.seat)
        elif verb == POUR:
            self.note("pour", to=thing)
        elif verb == SWAP:
            self.note("swap", spaces=[thing // 8, thing % 8])
        elif verb == STRIDE_TO:
            self.note("stride", to=PLACE_NAMES[thing])

    def tell_attempt(self, place: int) -> None:
        """A Quest is to be completed; committed cards may be enough at once."""
        seat = self.seat
        personal = place < SLOTS
        quest = self.was.quests[seat][place] if personal else self.was.open_quests[place - SLOTS]
        self.note("attempt", quest=quest_id(self.rules, quest))
        if self.now.phase == FREE or self.now.ended:
            self._tell_completed(personal, place, [], self.now.gems[seat] - self.was.gems[seat])

    def tell_kept(self, kept: int) -> None:
        """One of the cards looked at is kept, the others are discarded."""
        own = self.before.seats[self.seat]
        others = list(own.looked[: own.looked_cards])
        others.remove(kept)
        self.note("keep", discarded=card_ids(self.rules, others))
        self.note_privately("kept", card=card_id(self.rules, kept))

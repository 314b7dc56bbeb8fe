"""What a player of Fantastiqa may do: for each action a rule that allows it, and lists of them.

Actions are tuples; their forms are explained in `twin_fantastiqa`. A list is made by trying
whatever could come into question and keeping what the rule allows.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, combinations_with_replacement, product

from twin_fantastiqa_cards import CHEST, DECK_OF, PLACES, SPACES, SYMBOLS
from twin_fantastiqa_table import MARK, Position, plain

Action = tuple
Cards = tuple[str, ...]

MOST_QUESTS = 3
MOST_DRAWN = 3
MOST_RELEASED = 3
TELEPORT_PRICE = 2
RELEASE_PRICE = 1
TOKEN = "token"  # the place of committed cards that is no personal quest

# --- Sets of cards in which the same card may be several times ---


def contains(whole: Iterable[str], part: Iterable[str]) -> bool:
    """Whether all cards of the part are in the whole, as often as they are in the part."""
    return Counter(part) <= Counter(whole)


def without(whole: Iterable[str], part: Iterable[str]) -> list[str]:
    """The cards of the whole that are not in the part, in their order."""
    left = list(whole)
    for card in part:
        left.remove(card)
    return left


def groups(cards: Iterable[str], most: int) -> list[Cards]:
    """All different choices of up to so many of these cards, each in alphabetical order."""
    ordered = sorted(cards)
    return sorted({group for size in range(most + 1) for group in combinations(ordered, size)})


def one_fewer(cards: Cards) -> list[Cards]:
    """The choices that remain when one card is taken away."""
    return [cards[:place] + cards[place + 1 :] for place in range(len(cards))]


# --- Symbols ---


def showings(position: Position, card: str) -> list[Cards]:
    """The symbols that a card can be played for: one way, but any symbol for a Robe."""
    printed = position.card(card)
    times = 2 if card.endswith(MARK) else 1
    if printed.effect == "any symbol":
        return [(symbol,) * times for symbol in SYMBOLS]
    return [printed.symbols * times]


def symbol_counts(position: Position, cards: Iterable[str]) -> Iterator[Counter[str]]:
    """How many of each symbol these cards show, for each way in which they can be played."""
    for way in product(*(showings(position, card) for card in cards)):
        yield Counter(chain(*way))


def strength(position: Position, cards: Iterable[str], wanted: str) -> tuple[int, int]:
    """How many of the wanted symbol the cards show, and how many more their pairs stand for.

    The pairs are made of equal symbols other than the wanted one. Among the ways to play the cards
    the one with the largest sum counts, then the one with fewest pairs.
    """
    ways = []
    for count in symbol_counts(position, cards):
        matching = count.pop(wanted, 0)
        pairs = sum(number // 2 for number in count.values()) if position.options["wilds"] else 0
        ways.append((matching, pairs))
    return max(ways, key=lambda way: (sum(way), way[0]))


def missing(position: Position, cards: Iterable[str], quest: str) -> int:
    """How many symbols of a quest these cards leave open. No pairs stand for others here."""
    needs = position.tables.quests[quest].needs
    return min(
        sum(max(0, number - count[symbol]) for symbol, number in needs)
        for count in symbol_counts(position, cards)
    )


# --- Adventuring ---


def subdues(position: Position, cards: Cards, space: int) -> bool:
    """Whether these cards subdue the creature on a space, and none of them could be saved."""
    creature = position.creatures[space]
    if creature is None:
        return False
    wanted, number = position.card(creature).weakness

    def enough(played: Cards) -> bool:
        return sum(strength(position, played, wanted)) >= number

    return enough(cards) and not any(enough(fewer) for fewer in one_fewer(cards))


def may_adventure(position: Position, steps: tuple) -> bool:
    """One continuous line over creatures, each of them subdued with cards of its own."""
    place, hand = position.me.place, list(position.me.hand)
    crossed: set[int] = set()
    visited = {place}
    for space, cards in steps:
        onward = position.beyond(place or "", space) if space in SPACES else None
        if onward is None or space in crossed:
            return False
        if onward in visited and not position.options["loops"]:
            return False
        if not contains(hand, cards) or not subdues(position, cards, space):
            return False
        hand = without(hand, cards)
        crossed.add(space)
        visited.add(onward)
        place = onward
    return len(steps) > 0


def payments(position: Position, hand: list[str], space: int) -> list[Cards]:
    """All payments for a creature. A needed symbol takes one card, or two that make a pair."""
    creature = position.creatures[space]
    if creature is None:
        return []
    most = 2 * position.card(creature).weakness[1]
    return [cards for cards in groups(hand, most) if subdues(position, cards, space)]


def adventures(position: Position) -> Iterator[Action]:
    """All adventures, each line after the shorter ones that it goes on from."""
    known: dict[tuple[Cards, int], list[Cards]] = {}
    lines: list[tuple] = [()]
    for line in lines:
        spent = list(chain(*(cards for _, cards in line)))
        hand = without(position.me.hand, spent)
        for space in SPACES:
            key = (tuple(sorted(hand)), space)
            if key not in known:
                known[key] = payments(position, hand, space)
            longer = [(*line, (space, cards)) for cards in known[key]]
            lines += [steps for steps in longer if may_adventure(position, steps)]
    yield from (("adventure", steps) for steps in lines[1:])


# --- Visiting a statue ---


def all_plus(position: Position, cards: Iterable[str]) -> bool:
    """Whether all these cards have the power +S."""
    return all(position.card(card).power == "+S" for card in cards)


def may_draw(position: Position, hand: list[str], plus: Cards) -> bool:
    """Drawing statue cards; at a Quest Chest there must be a quest, and room for it."""
    if not contains(hand, plus) or not all_plus(position, plus):
        return False
    if position.statue_here() != CHEST:
        return True
    pile = position.piles[DECK_OF[CHEST]]
    return len(position.me.quests) < MOST_QUESTS and bool(pile.down or pile.up)


def may_release(
    position: Position, hand: list[str], discard: list[str], plus: Cards, held: Cards, old: Cards
) -> bool:
    """Releasing cards of hand and discard pile; used +S cards lie on the discard pile by then."""
    if not contains(hand, plus) or not all_plus(position, plus):
        return False
    released = [*held, *old]
    if not 1 <= len(released) <= MOST_RELEASED + len(plus):
        return False
    if len(released) * RELEASE_PRICE > position.me.gems:
        return False
    there = [*discard, *map(plain, plus)]  # a mark is lost with the card when it leaves the hand
    if not contains(without(hand, plus), held) or not contains(there, old):
        return False
    return not any(position.card(card).family == "dragon" for card in released)


def may_visit(position: Position, hand: list[str], discard: list[str], visit: Action) -> bool:
    """One of the three options at the statue in the mover's region."""
    match visit:
        case ("draw", plus):
            return may_draw(position, hand, plus)
        case ("release", plus, held, old):
            return may_release(position, hand, discard, plus, held, old)
        case ("teleport",):
            return position.me.gems >= TELEPORT_PRICE
    return False


def releases(position: Position, hand: list[str], discard: list[str]) -> Iterator[Action]:
    """All ways to release cards."""
    for plus in groups([card for card in hand if all_plus(position, [card])], len(hand)):
        most = min(MOST_RELEASED + len(plus), position.me.gems // RELEASE_PRICE)
        sources = sorted({(0, card) for card in without(hand, plus)}) + sorted(
            {(1, card) for card in [*discard, *map(plain, plus)]}
        )
        for size in range(1, most + 1):
            for chosen in combinations_with_replacement(sources, size):
                held = tuple(card for source, card in chosen if source == 0)
                old = tuple(card for source, card in chosen if source == 1)
                yield ("release", plus, held, old)


def visits(position: Position, hand: list[str], discard: list[str]) -> Iterator[Action]:
    """All visits with this hand and this discard pile."""
    wide: Iterable[Action] = chain(
        (
            ("draw", plus)
            for plus in groups([c for c in hand if all_plus(position, [c])], len(hand))
        ),
        releases(position, hand, discard),
        [("teleport",)],
    )
    return (visit for visit in wide if may_visit(position, hand, discard, visit))


# --- Completing a quest ---


def may_complete(position: Position, quest: str, held: Cards, under: Cards) -> bool:
    """A personal or an open quest, in its region, with no card too many of those chosen.

    What is committed to a personal quest counts for it and is spent with it, needed or not. For an
    open quest cards under the quest token may be used, and they are chosen one by one.
    """
    mine = position.me
    if quest not in mine.quests and quest not in position.open_quests:
        return False
    if position.regions[mine.place or ""] != position.tables.quests[quest].region:
        return False
    if not contains(mine.hand, held) or not contains(mine.token, under):
        return False
    committed = mine.quests.get(quest, [])
    if quest in mine.quests and under:
        return False

    def enough(first: Cards, second: Cards) -> bool:
        return missing(position, [*committed, *first, *second], quest) == 0

    if not enough(held, under):
        return False
    could_save = any(enough(fewer, under) for fewer in one_fewer(held)) or any(
        enough(held, fewer) for fewer in one_fewer(under)
    )
    return not could_save


def completions(position: Position) -> Iterator[Action]:
    """All ways to complete a quest; a symbol that is needed takes at most one card."""
    mine, quests = position.me, position.tables.quests
    for quest in sorted({*mine.quests, *filter(None, position.open_quests)}):
        if quests[quest].region != position.regions[mine.place or ""]:
            continue
        most = sum(number for _, number in quests[quest].needs)
        token = mine.token if quest in position.open_quests else []
        for held in groups(mine.hand, most):
            for under in groups(token, most - len(held)):
                if may_complete(position, quest, held, under):
                    yield ("complete", quest, held, under)


# --- Free actions ---


def may_commit(position: Position, card: str, quest: str) -> bool:
    """Anything goes under the quest token; a personal quest takes what brings it nearer."""
    mine = position.me
    if card not in mine.hand:
        return False
    if quest == TOKEN:
        return True
    if quest not in mine.quests:
        return False
    committed = mine.quests[quest]
    return missing(position, [*committed, card], quest) < missing(position, committed, quest)


def may_withdraw(position: Position, card: str, quest: str) -> bool:
    """A card that is committed there."""
    committed = position.me.token if quest == TOKEN else position.me.quests.get(quest, [])
    return card in committed


def strides(position: Position) -> set[str]:
    """The places one or two flights away, but not the own one."""
    here = position.me.place or ""
    near = set(position.flights(here).values())
    far = {place for middle in near for place in position.flights(middle).values()}
    return (near | far) - {here}


def may_use(position: Position, card: str, rest: tuple) -> bool:
    """A card's special power or an artifact, with what it is used on."""
    mine = position.me
    if card not in mine.hand:
        return False
    printed = position.card(card)
    others = without(mine.hand, [card])
    match (printed.power or printed.effect, rest):
        case ("carpet", (space,)):
            return space in position.flights(mine.place or "")
        case ("dragon", (seat,)):
            return seat in position.opponents(position.mover)
        case ("key", (visit,)):
            return may_visit(position, others, [*mine.discard, plain(card)], visit)
        case ("double another card", (other,)):
            return (
                other in others
                and not other.endswith(MARK)
                and any(len(symbols) > 0 for symbols in showings(position, other))
            )
        case ("pass a card on", (source, other, seat)):
            cards = {"hand": others, "discard": mine.discard}.get(source, [])
            return other in cards and seat in position.opponents(position.mover)
        case ("swap two creatures", (first, second)):
            filled = [space for space in SPACES if position.creatures[space]]
            return first in filled and second in filled and first < second
        case ("walk two steps", (place,)):
            return place in strides(position)
        case ("gem" | "draw three keep one" | "take a gem from the richer" | "draw two", ()):
            return True
    return False


def targets(position: Position, card: str) -> Iterator[tuple]:
    """Whatever any card could conceivably be used on, with the card itself out of the hand."""
    mine = position.me
    others = without(mine.hand, [card])
    seats = range(len(position.seats))
    yield ()
    single: list = [*SPACES, *seats, *PLACES, *others]
    yield from ((one,) for one in dict.fromkeys(single))
    yield from product(SPACES, SPACES)
    yield from product(["hand"], sorted(set(others)), seats)
    yield from product(["discard"], sorted(set(mine.discard)), seats)
    if position.card(card).power == "key":
        yield from ((visit,) for visit in visits(position, others, [*mine.discard, plain(card)]))


def uses(position: Position) -> Iterator[Action]:
    """All uses of all cards in hand."""
    for card in sorted(set(position.me.hand)):
        for rest in targets(position, card):
            if may_use(position, card, rest):
                yield ("use", card, *rest)


def may_act_freely(position: Position, action: Action) -> bool:
    """Whether a free action is allowed."""
    mine = position.me
    match action:
        case ("commit", card, quest):
            return may_commit(position, card, quest)
        case ("withdraw", card, quest):
            return may_withdraw(position, card, quest)
        case ("discard", card):
            return card in mine.hand
        case ("carpet", space):
            return mine.carpets > 0 and space in position.flights(mine.place or "")
        case ("reshuffle",):
            return mine.reshuffles > 0
        case ("use", card, *rest):
            return may_use(position, card, tuple(rest))
    return False


def simple_free_actions(position: Position) -> Iterator[Action]:
    """All free actions but the uses of cards."""
    mine = position.me
    hand = sorted(set(mine.hand))
    wide: list[Action] = list(product(["commit"], hand, [TOKEN, *mine.quests]))
    wide += product(["withdraw"], sorted(set(mine.token)), [TOKEN])
    for quest, committed in mine.quests.items():
        wide += product(["withdraw"], sorted(set(committed)), [quest])
    wide += [("discard", card) for card in hand]
    wide += [("carpet", space) for space in SPACES]
    wide.append(("reshuffle",))
    return (action for action in wide if may_act_freely(position, action))


# --- Everything together ---


def may_act(position: Position, action: Action) -> bool:
    """Whether a turn action is allowed now: there is one in a turn."""
    if position.acted:
        return False
    match action:
        case ("adventure", steps):
            return may_adventure(position, steps)
        case ("complete", quest, held, under):
            return may_complete(position, quest, held, under)
        case ("pass",):
            return True
    return may_visit(position, position.me.hand, position.me.discard, action)


LISTS: dict[str, Callable[[Position], Iterator[Action]]] = {
    "adventure": adventures,
    "visit": lambda position: visits(position, position.me.hand, position.me.discard),
    "complete": completions,
    "pass": lambda position: iter([("pass",)]),
    "use": uses,
    "free": simple_free_actions,
    "end": lambda position: iter([("end",)]),
}
BEFORE = ("adventure", "visit", "complete", "pass", "use", "free")
AFTER = ("use", "free", "end")


def legal_turns(position: Position) -> set[Action]:
    """All turn actions that the mover may take now; empty when one was taken this turn."""
    if position.acted:
        return set()
    return set(chain(*(LISTS[kind](position) for kind in BEFORE[:4])))


def legal_free_actions(position: Position) -> set[Action]:
    """All free actions that the mover may take now."""
    return set(chain(uses(position), simple_free_actions(position)))


class Choices:
    """The actions that are open now: asked one by one with `in`, listed only on demand."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.kinds = AFTER if position.acted else BEFORE

    def of(self, kind: str) -> Iterator[Action]:
        """List the actions of one kind, one after the other."""
        return LISTS[kind](self.position)

    def __iter__(self) -> Iterator[Action]:
        return chain(*(self.of(kind) for kind in self.kinds))

    def __contains__(self, action: Action) -> bool:
        if action == ("end",):
            return self.position.acted
        return may_act(self.position, action) or may_act_freely(self.position, action)

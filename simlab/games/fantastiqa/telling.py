"""Fantastiqa in words: moves, positions, and whole games as stories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from simlab.compiled import Record
from simlab.games.fantastiqa.cards import BOX, REGION_NAMES
from simlab.games.fantastiqa.names import (
    PLACE_NAMES,
    REGIONS_IN_WORDS,
    STATUE_NAMES,
    counted,
    kinds_of,
    quests_of,
    symbols_in_words,
)
from simlab.games.fantastiqa.records import (
    BREW_DISCARD,
    BUY,
    CLAIM,
    COMPLETE,
    DOUBLED,
    FLY,
    GO,
    LET_GO_DISCARD,
    NOTHING,
    POUR,
    SEND,
    SLOTS,
    START_AT,
    STRIDE_TO,
    SWAP,
    TAKE_ARTIFACT,
    TAKE_QUEST,
    VERBS,
    WIDTH,
)

BARE = ("finish the turn", "stop travelling", "visit the statue", "draw at the statue")
BARE += ("release at the statue", "teleport", "done", "use a Reshuffle token")


def name_move(state: Record, move: int) -> str:
    """A move in words; cards are named by their numbers, as lists of cards may vary."""
    verb, thing = move // WIDTH, move % WIDTH
    if not 0 <= verb < len(VERBS):
        return f"move {move}"
    words = VERBS[verb]
    if words in BARE:
        return f"{words} (move {move})"
    return f"{words} {_thing(verb, thing)} (move {move})"


def _thing(verb: int, thing: int) -> str:
    if verb in (SEND, POUR):
        return str(thing)
    if verb in (STRIDE_TO, START_AT):
        return PLACE_NAMES[thing] if thing < len(PLACE_NAMES) else str(thing)
    if verb == GO:
        return f"the creature at space {thing}"
    if verb == FLY:
        return f"space {thing}"
    if verb == SWAP:
        return f"{thing // 8} and {thing % 8}"
    if verb == COMPLETE:
        return f"Quest {thing + 1}" if thing < SLOTS else f"open Quest {thing - SLOTS + 1}"
    if verb in (CLAIM, TAKE_QUEST):
        return f"Quest card {thing}"
    if verb in (BUY, TAKE_ARTIFACT, LET_GO_DISCARD, BREW_DISCARD):
        return f"card {thing}"
    return f"card {thing % DOUBLED}" + (" (counts twice)" if thing >= DOUBLED else "")


# --- A position -----------------------------------------------------------------------------


def show(rules: Record, state: Record, seat: int) -> list[str]:
    """The position as one seat sees it, a line for each thing on the table."""
    table, own = state.table, state.seats[seat]
    lines = [f"turn {table.turn_number + 1} of the table, seat {seat} is to decide"]
    lines += [_place(rules, table, place) for place in range(len(PLACE_NAMES))]
    for space, creature in enumerate(table.creature_at):
        ends = " - ".join(PLACE_NAMES[place] for place in rules.ends[space])
        there = "empty" if creature == NOTHING else _creature(rules, creature)
        gems = f", {table.gems_at[space]} gem" if table.gems_at[space] else ""
        lines.append(f"space {space} ({ends}): {there}{gems}")
    opened = [_quest(rules, quest) for quest in table.open_quests if quest != NOTHING]
    lines.append(f"open Quests: {'; '.join(opened) or 'none'}")
    lines.append(f"own hand: {_hand(rules, own.hand[: table.hand_cards[seat]])}")
    lines.append(f"under the token: {_hand(rules, own.token[: table.token_cards[seat]])}")
    for other in range(rules.players):
        lines.append(_seat(rules, table, other))
    return lines


def _place(rules: Record, table: Record, place: int) -> str:
    here = [str(seat) for seat in range(rules.players) if table.place[seat] == place]
    who = f"; seat {', '.join(here)} here" if here else ""
    region, statue = REGIONS_IN_WORDS[table.region_at[place]], STATUE_NAMES[table.statue_at[place]]
    return f"{PLACE_NAMES[place]}: {region}, {statue}{who}"


def _creature(rules: Record, kind: int) -> str:
    weakness = 1 << (7 * int(rules.weak_to[kind]))
    needed = symbols_in_words(weakness * int(rules.strength[kind]))
    return f"{kinds_of(rules.mark)[kind].name} (beaten by {needed})"


def _quest(rules: Record, quest: int) -> str:
    card = quests_of(rules.mark)[quest]
    where = REGION_NAMES[rules.region[quest]].title()
    return f"{card.id} ({symbols_in_words(rules.needs[quest])}; {where}; {rules.cups[quest]} cups)"


def _hand(rules: Record, cards: list[int]) -> str:
    kinds = kinds_of(rules.mark)
    names = [kinds[card % DOUBLED].name + (" x2" if card >= DOUBLED else "") for card in cards]
    return ", ".join(names) or "nothing"


def _seat(rules: Record, table: Record, seat: int) -> str:
    quests = [_quest(rules, quest) for quest in table.quests[seat] if quest != NOTHING]
    discards = len(counted(table.discard[seat]))
    return (
        f"seat {seat}: {table.points[seat]} points, {table.gems[seat]} gems, "
        f"{table.hand_cards[seat]} cards in hand, {table.pile_cards[seat]} to draw, "
        f"{discards} discarded, {table.token_cards[seat]} under the token, "
        f"{table.carpets[seat]} carpets, {table.reshuffles[seat]} reshuffles; "
        f"Quests: {'; '.join(quests) or 'none'}"
    )


def record_options(rules: Record, state: Record) -> dict[str, Any]:
    """The points that win, which the record always names."""
    return {"goal": int(rules.goal)}


# --- A story --------------------------------------------------------------------------------


def tell(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A game record as a story.

    Yields
    ------
    style, line : str
        The style is "heading", "gold", "quiet" or empty; a terminal may colour by it.
    """
    teller = Teller(record)
    for event in record["events"]:
        yield from teller.lines(event)
    yield "", ""
    yield from teller.ending()


class Teller:
    """Turns events into lines."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.who = [f"{name} (seat {seat})" for seat, name in enumerate(record["policies"])]
        self.names = _names(record)

    def lines(self, event: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """The lines that tell of one event."""
        kind = event["event"]
        if kind == "turn":
            yield "", ""
            yield "heading", f"Turn {event['number']}: {self.who[event['seat']]}"
        elif kind == "map":
            for place, region, statue in zip(
                PLACE_NAMES, event["regions"], event["statues"], strict=True
            ):
                yield "quiet", f"{place}: {region}, {statue}"
        elif kind in SENTENCES:
            line = SENTENCES[kind](event, self)
            yield ("gold" if kind == "complete" else ""), "  " + line
        elif kind in QUIET:
            yield "quiet", "  " + QUIET[kind](event, self)

    def card(self, event: Mapping[str, Any]) -> str:
        """The card of an event by its name."""
        return self.names.get(event["card"], event["card"])

    def cards(self, ids: list[str]) -> str:
        """Names of some cards."""
        return ", ".join(self.names.get(one, one) for one in ids) or "nothing"

    def ending(self) -> Iterator[tuple[str, str]]:
        """Who won."""
        result, who = self.record["result"], self.who
        order = sorted(range(len(who)), key=lambda seat: -result["points"][seat])
        yield "", "final points: " + ", ".join(f"{who[s]} {result['points'][s]}" for s in order)
        winners = [who[s] for s in range(len(who)) if result["win_share"][s] > 0]
        verb = "wins" if len(winners) == 1 else "share the win"
        yield "heading", f"{' and '.join(winners)} {verb}"


def _names(record: Mapping[str, Any]) -> dict[str, str]:
    """Names of the cards by id; a set of cards that is gone is told by its ids."""
    if "cards" in record["options"]:
        return {}
    cards = BOX.printed
    return {card.id: card.name for table in cards.tables.values() for card in table}


Sentence = Callable[[Mapping[str, Any], Teller], str]


def _subdued(e: Mapping[str, Any], t: Teller) -> str:
    name = t.names.get(e["creature"], e["creature"])
    pairs = f" and {e['pairs']} by pairs" if e["pairs"] else ""
    gems = f", {e['gems']} gem" if e["gems"] else ""
    return f"subdues {name} with {e['matching']} {e['symbol']}{pairs}{gems}; on to {e['to']}"


def _raided(e: Mapping[str, Any], t: Teller) -> str:
    if e["aside"]:
        return f"{t.card(e)} comes too early and is set aside"
    hurt = [f"seat {seat} loses {gems}" for seat, gems in enumerate(e["losses"]) if gems]
    return f"{t.card(e)}: {', '.join(hurt) or 'nobody loses a gem'}"


def _completed(e: Mapping[str, Any], t: Teller) -> str:
    bonus = " and a bonus point" if e["bonus"] else ""
    quest = t.names.get(e["quest"], e["quest"])
    return f"completes {quest} for {e['gems']} gems{bonus}; has {e['points']} points now"


def _shuffled(e: Mapping[str, Any], t: Teller) -> str:
    return f"the discards of {e['deck']} ({e['cards']} cards) become the deck"


SENTENCES: dict[str, Sentence] = {
    "choose": lambda e, t: (
        f"{t.who[e['seat']]} chooses "
        + (t.names.get(e.get("quest", ""), "") or e.get("place") or t.card(e))
    ),
    "face": lambda e, t: f"faces {t.names.get(e['creature'], e['creature'])}",
    "lay": lambda e, t: f"lays {t.card(e)}",
    "subdue": _subdued,
    "attempt": lambda e, t: f"sets out to complete {t.names.get(e['quest'], e['quest'])}",
    "complete": _completed,
    "visit": lambda e, t: f"visits the {e['statue']}",
    "add": lambda e, t: f"adds {t.card(e)}",
    "statue cards": lambda e, t: f"turns up {t.cards(e['cards'])}",
    "buy": lambda e, t: f"buys {t.card(e)} for {e['price']} gems",
    "claim": lambda e, t: (
        f"claims {t.names.get(e['quest'], e['quest'])}; has {e['points']} points now"
    ),
    "release": lambda e, t: f"releases {t.card(e)}",
    "teleport": lambda e, t: f"teleports to {e['to']}",
    "commit": lambda e, t: f"commits {t.card(e)} to {t.names.get(e['quest'], e['quest'])}",
    "hide": lambda e, t: "puts a card under the Quest token",
    "withdraw": lambda e, t: f"withdraws {t.card(e)}",
    "discard": lambda e, t: f"discards {t.card(e)}",
    "fly": lambda e, t: f"flies to {e['to']}",
    "reshuffle": lambda e, t: f"reshuffles: {e['cards']} cards to draw",
    "use": lambda e, t: f"uses {t.card(e)}",
    "gems": lambda e, t: f"finds {e['gems']} gems",
    "rob": lambda e, t: f"takes gems: {', '.join(str(gems) for gems in e['losses'])} by seat",
    "dragon": lambda e, t: f"sends {e['dragons']} Peaceful Dragon to seat {e['to']}",
    "keep": lambda e, t: f"keeps a card, discards {t.cards(e['discarded'])}",
    "brew": lambda e, t: f"picks {t.card(e)}",
    "pour": lambda e, t: f"passes it to seat {e['to']}",
    "swap": lambda e, t: f"swaps the creatures at spaces {e['spaces'][0]} and {e['spaces'][1]}",
    "stride": lambda e, t: f"strides to {e['to']}",
    "give": lambda e, t: f"gives {t.card(e)} to seat {e['to']}",
}
"""How each event is told that somebody brings about."""

QUIET: dict[str, Sentence] = {
    "deal": lambda e, t: f"{t.who[e['seat']]} is dealt {t.cards(e['cards'])}",
    "creature": lambda e, t: (
        f"{t.card(e)} comes to space {e['space']}" + (" with a gem" if e["gems"] else "")
    ),
    "raid": _raided,
    "mix in": lambda e, t: f"{t.cards(e['cards'])} shuffled into the top {e['among']} cards",
    "open quest": lambda e, t: f"open Quest: {t.names.get(e['quest'], e['quest'])}",
    "hidden": lambda e, t: f"(it is {t.card(e)})",
    "double": lambda e, t: f"(it is {t.card(e)} that counts twice)",
    "kept": lambda e, t: f"(it is {t.card(e)})",
    "see": lambda e, t: f"draws {t.cards(e['cards'])}",
    "shuffle": _shuffled,
    "over": lambda e, t: f"the game is over ({e['reason']})",
}
"""How each event is told that happens to the table, or that one seat alone sees."""

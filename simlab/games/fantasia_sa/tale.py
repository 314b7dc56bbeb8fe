"""Fantasía S.A. in plain words: moves by name, positions, and a whole game as a story."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from simlab.cards import MOST_CARDS, CardSet, known_set
from simlab.compiled import Record
from simlab.games.fantasia_sa.records import (
    ACTION,
    BUY,
    CANCEL,
    CHOOSE,
    DISCARD,
    FAILED,
    LOSE_EQUIPMENT,
    OPTIONS,
    PASS,
    REROLL,
    ROLL,
    SHIELD,
    TURN,
    action_of,
    stolen_by,
    target_of,
)
from simlab.games.fantasia_sa.story import hero

PHASES = {
    DISCARD: "discard down to the hand limit",
    TURN: "play an Action card before the deed, or none",
    CHOOSE: "choose a Feat",
    ROLL: "play an Action card before the roll, or none",
    FAILED: "answer the failure",
    BUY: "buy something, or nothing",
    CANCEL: "answer the Action card played last",
    SHIELD: "give up a card instead of going to hospital, or go",
}
"""What the seat to move decides, in words; anything else is a loss."""


def name_move(state: Record, move: int) -> str:
    """A move in words; cards are named by their numbers, for the state does not know their set."""
    return f"{_deed(state.table, move)} (move {move})"


def _deed(table: Record, move: int) -> str:
    phase, kind = table.phase, move - 1
    if move == PASS:
        return "pass"
    if move == REROLL:
        return "roll again with a card in play"
    if phase in (TURN, ROLL, FAILED, CANCEL):
        target, stolen = target_of(move), stolen_by(move)
        aim = f" on seat {target}" if target >= 0 else ""
        return f"play Action {action_of(move)}{aim}" + (f" for {stolen}" if stolen >= 0 else "")
    if phase == CHOOSE:
        return f"attempt Feat {kind}"
    if phase == BUY:
        return f"buy Sponsor {kind - ACTION}" if kind >= ACTION else f"buy Equipment {kind}"
    if phase == DISCARD:
        return f"discard Action {kind - ACTION}" if kind >= ACTION else f"discard Equipment {kind}"
    if phase == SHIELD:
        return f"give up the shield {kind}"
    if phase == LOSE_EQUIPMENT:
        return f"lose curse {kind - MOST_CARDS}" if kind >= MOST_CARDS else f"lose Equipment {kind}"
    return f"lose Sponsor {kind}"


def show(rules: Record, state: Record, seat: int) -> list[str]:
    """The position as one seat sees it, a line for each thing on the table."""
    cards, table, own = known_set(rules.set_mark), state.table, state.seats[seat]
    deed = PHASES.get(table.phase, "discard what is lost")
    hand = [hero(cards, kind).id for kind in own.hand[: table.knights[seat].hand_cards]]
    lines = [
        f"turn {table.turn} of seat {table.active}, goal {rules.goal}: seat {seat} is to {deed}",
        f"Feats: {_kinds(cards, 'feats', table.feat_reserve)}; "
        f"Sponsors: {_kinds(cards, 'sponsors', table.sponsor_reserve)}",
        f"own hand: {', '.join(hand) or 'nothing'}",
    ]
    if table.feat >= 0:
        lines.append(f"attempted: {cards['feats'][table.feat].id}, dice {table.dice}")
    waiting = [cards["actions"][one.card].id for one in table.stack[: table.depth]]
    if waiting:
        lines.append(f"Action cards that wait: {', '.join(waiting)}")
    knights = enumerate(table.knights[: rules.players])
    return lines + [f"seat {other}: {_knight(cards, knight)}" for other, knight in knights]


def _kinds(cards: CardSet, table: str, kinds: list[int]) -> str:
    return ", ".join(cards[table][kind].id for kind in kinds if kind >= 0) or "none"


def _knight(cards: CardSet, knight: Record) -> str:
    lying = [
        card.id
        for table, numbers in (
            ("sponsors", knight.sponsors),
            ("equipment", knight.equipment),
            ("feats", knight.curses),
        )
        for card, number in zip(cards[table], numbers, strict=False)
        for _ in range(number)
    ]
    where = ", in hospital" if knight.in_hospital else ""
    return f"Loot {knight.loot}, {knight.hand_cards} cards{where}; {', '.join(lying) or 'nothing'}"


# --- A story ---------------------------------------------------------------------------------


def tell(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A game record as a story.

    Yields
    ------
    style, line : str
        The style is "heading", "gold", "quiet" or empty; a terminal may colour by it.
    """
    who = [f"{name} (seat {seat})" for seat, name in enumerate(record["policies"])]
    names = _names(record["options"])
    for event in record["events"]:
        if event["event"] == "turn":
            yield "", ""
            yield "heading", f"Turn {event['turn']}: {who[event['seat']]}"
        elif event["event"] in _LINES:
            style, line = _LINES[event["event"]]
            yield style, line(event, who, names)
    yield "", ""
    result = record["result"]
    order = sorted(range(len(who)), key=lambda seat: -result["points"][seat])
    yield "", "Loot: " + ", ".join(f"{who[s]} {result['points'][s]}" for s in order)
    winners = [who[s] for s in range(len(who)) if result["win_share"][s] > 0]
    verb = "wins" if len(winners) == 1 else "share the win"
    yield "heading", f"{' and '.join(winners)} {verb}"


def _names(options: Mapping[str, Any]) -> dict[str, str]:
    """Name of each card by its id."""
    option = OPTIONS[0]
    cards = option.cards(options.get("cards", option.default))  # type: ignore[attr-defined]
    every = (card for kinds in cards.tables.values() for card in kinds)
    return {card.id: f"{card.name} [{card.id}]" for card in every}


Line = Callable[[Mapping[str, Any], list[str], dict[str, str]], str]


def _deal(event: Mapping[str, Any], who: list[str], names: dict[str, str]) -> str:
    return f"{who[event['seat']]} is dealt {', '.join(names[card] for card in event['cards'])}"


def _roll(event: Mapping[str, Any], who: list[str], names: dict[str, str]) -> str:
    first, second = event["dice"]
    added = "".join(f" {amount:+d} ({names[name]})" for name, amount in event["modifiers"])
    return f"  rolls {first} and {second}{added}: {event['total']} against {event['difficulty']}"


def _action(event: Mapping[str, Any], who: list[str], names: dict[str, str]) -> str:
    aim = f" on {who[event['target']]}" if "target" in event else ""
    aim += f", for {names[event['equipment']]}" if "equipment" in event else ""
    return f"  {who[event['seat']]} plays {names[event['card']]}{aim}"


def _steal(event: Mapping[str, Any], who: list[str], names: dict[str, str]) -> str:
    return f"  {who[event['seat']]} takes {names[event['card']]} from {who[event['victim']]}"


_LINES: dict[str, tuple[str, Line]] = {
    "deal": ("quiet", _deal),
    "reveal": ("quiet", lambda e, who, names: f"  turned up: {names[e['card']]}"),
    "reshuffle": ("quiet", lambda e, who, names: f"  {e['cards']} {e['deck']} are shuffled again"),
    "drawn": ("quiet", lambda e, who, names: f"  {who[e['seat']]} draws {names[e['card']]}"),
    "discard": ("", lambda e, who, names: f"  discards {names[e['card']]}"),
    "attempt": ("", lambda e, who, names: f"  attempts {names[e['feat']]}"),
    "action": ("", _action),
    "cancelled": ("", lambda e, who, names: f"  {names[e['card']]} is cancelled"),
    "reroll": ("", lambda e, who, names: f"  rolls again: {names[e['card']]}"),
    "roll": ("", _roll),
    "success": ("", lambda e, who, names: "  succeeds"),
    "failure": ("", lambda e, who, names: "  fails"),
    "buy": (
        "gold",
        lambda e, who, names: (
            f"  buys {names[e['card']]} for {e['worth']} {e['pay']}: Loot {e['loot']}"
        ),
    ),
    "lose": (
        "",
        lambda e, who, names: f"  {who[e['seat']]} loses {names[e['card']]}: Loot {e['loot']}",
    ),
    "shield": ("", lambda e, who, names: f"  gives up {names[e['card']]} to stay out of hospital"),
    "curse": ("", lambda e, who, names: f"  {names[e['card']]} stays with {who[e['seat']]}"),
    "steal": ("", _steal),
    "die": ("", lambda e, who, names: f"  {who[e['seat']]} rolls {e['die']} ({names[e['card']]})"),
    "hospital": ("", lambda e, who, names: f"  {who[e['seat']]} goes to hospital"),
    "heal": ("", lambda e, who, names: f"  {who[e['seat']]} leaves the hospital"),
    "win": ("heading", lambda e, who, names: f"  {who[e['seat']]} has {e['loot']} Loot"),
    "turn_cap": ("heading", lambda e, who, names: f"the cap of {e['turn']} turns is reached"),
}
"""How each kind of event is told; what stands nowhere here goes without saying."""

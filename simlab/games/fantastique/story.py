"""A game of Fantastique as others read it: the record's events, and a story in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from simlab.compiled import Record
from simlab.contract import Seen
from simlab.counters import cards_of
from simlab.games.fantastique.records import DRAFT, FINISHED, PLAY, SIDES

METAL_NAMES = ("gold", "silver", "bronze")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def value_and_count(move: int) -> tuple[int, int]:
    """A fan or a stack as (value, number of cards)."""
    return move % 8 + 1, move // 8


def fan_in_words(value: int, count: int) -> str:
    """A fan as players say it: "three 4s"."""
    number = NUMBERS[count] if count < len(NUMBERS) else str(count)
    return f"{number} {value}" + ("s" if count != 1 else "")


def name_move(state: Record, move: int) -> str:
    """A move in words."""
    value, count = value_and_count(move)
    verb = "take" if state.table.phase == DRAFT else "play"
    return f"{verb} {fan_in_words(value, count)} (move {move})"


def show(rules: Record, state: Record, seat: int) -> list[str]:
    """The position as one seat sees it, a line for each thing on the table."""
    table, own = state.table, state.seats[seat]
    phase = "play a fan" if table.phase == PLAY else "take a stack"
    stacks = [fan_in_words(*value_and_count(stack)) for stack in table.stacks if stack > 0]
    lines = [
        f"round {table.round_number} of {rules.rounds}, "
        f"side {SIDES[table.finale - 1]}: seat {seat} is to {phase}",
        f"open stacks: {', '.join(stacks) or 'none'}",
        f"own hand: {_list(cards_of(own.hand))}",
    ]
    for other in range(rules.players):
        lying = table.plays[other]
        fan = fan_in_words(*value_and_count(lying)) if lying > 0 else "nothing"
        lines.append(
            f"seat {other}: {table.points[other]} points, {table.hand_cards[other]} "
            f"cards (known: {_list(cards_of(table.known[other])) or 'none'}), shows {fan}"
        )
    return lines


def record_options(rules: Record, state: Record) -> dict[str, Any]:
    """The fan side in force, which the record always names."""
    return {"finale": SIDES[state.table.finale - 1]}


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
        deals = [
            Seen({"event": "deal", "seat": s, "cards": cards_of(after.seats[s].hand)}, (s,))
            for s in range(rules.players)
        ]
        cards = after.hidden.deck[rules.hand * rules.players : after.hidden.next]
        return deals + _opening(rules, after, cards)
    events = _deed(before, move)
    play_ended = before.table.phase == PLAY and (
        after.table.phase != PLAY or after.table.round_number != before.table.round_number
    )
    if before.table.phase == PLAY:
        stop = rules.players if play_ended else after.table.acted
        events += _passes(rules, before.table, range(before.table.acted + 1, stop))
    if play_ended:
        events += _medals(rules, before.table, after.table)
    if after.table.round_number != before.table.round_number:
        events += _next_round(rules, before, after)
    if after.table.phase == FINISHED:
        events += _finale(rules, after, outcome)
    return events


def _deed(before: Record, move: int) -> list[Seen]:
    value, count = value_and_count(move)
    table = before.table
    word = "play" if table.phase == PLAY else "draft"
    names = {"event": word, "round": table.round_number, "seat": table.to_move}
    return [Seen({**names, "value": value, "count": count})]


def _passes(rules: Record, table: Record, places: range) -> list[Seen]:
    seats = [(table.starter + place) % rules.players for place in places]
    return [Seen({"event": "pass", "round": table.round_number, "seat": seat}) for seat in seats]


def _medals(rules: Record, before: Record, after: Record) -> list[Seen]:
    events = []
    for metal in range(rules.metals):
        for seat in range(rules.players):
            if after.medals[seat][metal] > before.medals[seat][metal]:
                points = rules.medals[metal][before.round_number - 1]
                where = {"event": "medal", "round": before.round_number, "seat": seat}
                events.append(Seen({**where, "metal": METAL_NAMES[metal], "points": points}))
    return events


def _next_round(rules: Record, before: Record, after: Record) -> list[Seen]:
    old, new = before.hidden, after.hidden
    if after.table.reshuffles == before.table.reshuffles:
        return _opening(rules, after, old.deck[old.next : new.next])
    rest = old.deck[old.next : old.next + before.table.deck_cards]
    cards = new.next + after.table.deck_cards
    event = {"event": "reshuffle", "round": after.table.round_number, "cards": cards}
    return [Seen(event), *_opening(rules, after, [*rest, *new.deck[: new.next]])]


def _opening(rules: Record, after: Record, cards: list[int]) -> list[Seen]:
    """The reveal, and the passes of those who come before the first decision of the round."""
    table = after.table
    lying = [value_and_count(stack) for stack in table.stacks if stack > 0]
    event = {
        "event": "reveal",
        "round": table.round_number,
        "cards": cards,
        "stacks": [[value] * count for value, count in lying],
    }
    stop = table.acted if table.phase == PLAY else rules.players
    return [Seen(event), *_passes(rules, table, range(stop))]


def _finale(rules: Record, after: Record, outcome: Record | None) -> list[Seen]:
    if outcome is None:
        raise ValueError("a finished game is narrated with its outcome")
    events = []
    for seat in range(rules.players):
        row = outcome.seats[seat]
        event = {
            "event": "finale",
            "seat": seat,
            "hand": cards_of(after.seats[seat].hand),
            "count": row.finale_cards,
            "points": row.finale_points,
        }
        events.append(Seen(event))
    return events


def tell(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A game record as a story.

    Yields
    ------
    style, line : str
        The style is "heading", "gold", "quiet" or empty; a terminal may colour by it.
    """
    who = [f"{name} (seat {seat})" for seat, name in enumerate(record["policies"])]
    points = [0] * record["players"]
    acting = ""
    for event in record["events"]:
        kind = event["event"]
        if kind == "deal":
            yield "quiet", f"{who[event['seat']]} is dealt {_list(event['cards'])}"
        elif kind == "reveal":
            acting = ""
            yield "", ""
            yield "heading", f"Round {event['round']}"
            stacks = " | ".join(_list(stack) for stack in event["stacks"])
            yield "", f"on the table: {stacks or 'nothing'}"
        elif kind == "reshuffle":
            yield "quiet", f"the discard pile ({event['cards']} cards) becomes the deck"
        elif kind in ("play", "pass", "draft"):
            if acting == "draft" and kind != "draft":
                yield "", ""
            acting = kind
            yield "", _deed_in_words(event, who)
        elif kind == "medal":
            points[event["seat"]] += event["points"]
            style = "gold" if event["metal"] == "gold" else ""
            name = f"{event['metal']} ({event['points']})"
            yield (
                style,
                f"  {name} to {who[event['seat']]}, who has {_points(points[event['seat']])}",
            )
        elif kind == "finale":
            if event["seat"] == 0:
                yield "", ""
                yield "heading", f"Grande Finale, side {record['options']['finale']}"
            yield "", _finale_in_words(event, who)
    yield "", ""
    yield from _ending(record, who)


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _list(cards: list[int]) -> str:
    return " ".join(str(card) for card in cards)


def _deed_in_words(event: Mapping[str, Any], who: list[str]) -> str:
    name = who[event["seat"]]
    if event["event"] == "pass":
        return f"{name} has no fan left to play and passes"
    verb = "plays" if event["event"] == "play" else "takes"
    return f"{name} {verb} {fan_in_words(event['value'], event['count'])}"


def _finale_in_words(event: Mapping[str, Any], who: list[str]) -> str:
    cards = "1 card" if event["count"] == 1 else f"{event['count']} cards"
    shown = f"{who[event['seat']]} shows {_list(event['hand']) or 'an empty hand'}"
    return f"{shown}: {cards} count, {_points(event['points'])}"


def _ending(record: Mapping[str, Any], who: list[str]) -> Iterator[tuple[str, str]]:
    result = record["result"]
    order = sorted(range(len(who)), key=lambda seat: -result["points"][seat])
    yield "", "final points: " + ", ".join(f"{who[s]} {result['points'][s]}" for s in order)
    winners = [who[s] for s in range(len(who)) if result["win_share"][s] > 0]
    verb = "wins" if len(winners) == 1 else "share the win"
    yield "heading", f"{' and '.join(winners)} {verb}"

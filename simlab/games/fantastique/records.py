"""What lies on the table of Fantastique, what each player holds, and what the rules fix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from simlab.compiled import record_type, rule
from simlab.contract import SEAT_FIELDS, TABLE_FIELDS
from simlab.counters import VALUES
from simlab.errors import UsageError
from simlab.options import Option, Value

if TYPE_CHECKING:
    import numpy.typing as npt

SEATS = 5
MOST_STACKS = 10
MOST_ROUNDS = 12
MOST_CARDS = 200
MOST_MOVES = MOST_CARDS
METALS = 3
GOLD, SILVER, BRONZE = 0, 1, 2
SIDES = ("I", "II", "III", "IV", "V", "VI")

REVEALED, PLAY, DRAFT, FINISHED = 0, 1, 2, 3
"""Phases in which a state can be between two decisions (REVEALED only while it moves on)."""

NOT_YET, PASSED = 0, -1
"""What stands in ``plays`` for a seat without a fan in front of it."""
NOBODY = -1000
"""What stands in ``choosing`` for a seat that has not acted: behind all who passed."""

RULES = record_type(
    [
        ("players", np.int64),
        ("finale", np.int64),  # fan side 1 to 6; 0: drawn for each deal
        ("hand", np.int64),  # cards dealt to each seat
        ("rounds", np.int64),
        ("stacks", np.int64),  # stacks revealed in a round
        ("stack_limit", np.int64),  # most cards on one stack
        ("metals", np.int64),  # 2: gold and silver; 3: bronze as well
        ("medals", np.int64, (METALS, MOST_ROUNDS)),  # points of each metal's medal, by round
        ("finale_gold", np.int64),  # points
        ("finale_silver", np.int64),  # points
        ("run_by_cards", np.int64),  # side VI: 1 takes the fullest run, 0 the longest
        ("finale_zero", np.int64),  # 1: a seat without a matching card may win a finale medal
        ("cards", np.int64),  # cards in the deck
        ("pile", np.uint64),  # the deck as a pile
        ("deck", np.uint8, (MOST_CARDS,)),  # the deck in order of value
    ]
)

TABLE = record_type(
    [
        *TABLE_FIELDS,
        ("round_number", np.int64),  # counted from 1
        ("phase", np.int64),  # PLAY, DRAFT or FINISHED
        ("finale", np.int64),  # fan side in force, 1 to 6
        ("starter", np.int64),  # seat that begins: this round, once medals are given the next
        ("acted", np.int64),  # seats that have played or passed in this round
        ("drafted", np.int64),  # seats that have taken a stack in this round
        ("open", np.int64),  # stacks still on the table
        ("plays", np.int64, (SEATS,)),  # fan in front of each seat (a move), NOT_YET or PASSED
        ("choosing", np.int64, (SEATS,)),  # ranks the seats for choosing stacks: more is earlier
        ("order", np.int64, (SEATS,)),  # seats in order of choosing, while in DRAFT
        ("stacks", np.int64, (MOST_STACKS,)),  # stacks in the order opened (moves), 0 once taken
        ("hand_cards", np.int64, (SEATS,)),  # cards in each hand
        ("points", np.int64, (SEATS,)),  # from round medals so far
        ("medals", np.int64, (SEATS, METALS)),  # round medals of each metal
        ("best_medal", np.int64, (SEATS,)),  # points of the highest round medal, 0 without one
        ("cards_played", np.int64, (SEATS,)),
        ("deck_cards", np.int64),  # cards in the face-down pile
        ("reshuffles", np.int64),
        ("passes", np.int64),
        ("known", np.uint64, (SEATS,)),  # pile: cards taken from open stacks and not yet played
        ("unseen", np.uint64),  # pile: cards that have never been shown to all
        ("deck_pile", np.uint64),  # pile: the face-down cards, known to all after a reshuffle
        ("discard", np.uint64),  # pile
    ]
)

SEAT = record_type([*SEAT_FIELDS, ("hand", np.uint64)])  # hand: pile

HIDDEN = record_type(
    [
        ("deck", np.uint8, (MOST_CARDS,)),  # values, in the order in which they come
        ("next", np.int64),  # place of the next card
    ]
)


@rule
def fan(value: int, cards: int) -> int:
    """Move that plays so many cards of a value, or takes a stack of them.

    The numbers are made so that comparing two fans as numbers ranks them for medals: more
    cards first, then the higher value. One that is made of no cards is no move.
    """
    return 8 * cards + value - 1


@rule
def choosing_rank(move: int) -> int:
    """What ranks a fan when stacks are chosen: the higher value first, then more cards."""
    return 256 * value_of(move) + cards_in(move)


@rule
def value_of(move: int) -> int:
    """Value of the cards in a fan or stack, 1 to 8."""
    return (move & 7) + 1


@rule
def cards_in(move: int) -> int:
    """Number of cards in a fan or stack."""
    return move >> 3


OPTIONS = (
    Option("finale", "I", "side of the Grande Finale fan", choices=(*SIDES, "random")),
    Option(
        "deck",
        (16, 15, 14, 13, 12, 11, 10, 9),
        "cards of each value 1 to 8",
        low=0,
        high=MOST_CARDS,
        lengths=(VALUES, VALUES),
    ),
    Option("hand", 10, "cards dealt to each player", low=1, high=100),
    Option("rounds", 7, "rounds played", low=1, high=MOST_ROUNDS),
    Option(
        "gold",
        (6, 8, 10, 12, 14, 16, 18),
        "points of the gold medal, round by round",
        high=1000,
        lengths=(1, MOST_ROUNDS),
    ),
    Option(
        "silver",
        (3, 4, 5, 6, 7, 8, 9),
        "points of the silver medal, round by round",
        high=1000,
        lengths=(1, MOST_ROUNDS),
    ),
    Option(
        "bronze",
        (1, 2, 3, 4, 5, 6, 7),
        "points of the bronze medal, round by round",
        high=1000,
        lengths=(1, MOST_ROUNDS),
    ),
    Option("bronze_from", 4, "players from which bronze medals are used", low=2, high=6),
    Option("finale_gold", 20, "points of the golden finale medal", high=1000),
    Option("finale_silver", 10, "points of the silver finale medal", high=1000),
    Option("stacks", 5, "stacks revealed each round", low=2, high=MOST_STACKS),
    Option("stack_limit", 3, "most cards on one stack", low=1, high=20),
    Option("finale_run", "longest", "run that side VI counts", choices=("longest", "fullest")),
    Option("finale_zero", True, "a hand without a matching card may win a finale medal"),
)


def make_rules(players: int, values: Mapping[str, Value]) -> npt.NDArray[Any]:
    """Rules record for a table, once its parts are known to fit together.

    Parameters
    ----------
    players : int
        Seats at the table.
    values : mapping
        A value for every one of `OPTIONS`.

    Returns
    -------
    numpy.ndarray
        One record of dtype `RULES`.

    Raises
    ------
    UsageError
        If the deck is too large, or too small for the hands; if there are fewer stacks than
        players; if a row of medals in use is shorter than the game.
    """
    table = np.zeros(1, RULES)
    rules = table[0]
    counts = cast("tuple[int, ...]", values["deck"])
    _check_cards(players, int(values["hand"]), sum(counts))
    if int(values["stacks"]) < players:
        raise UsageError(
            f"stacks is at least the number of players ({players}), got {values['stacks']}"
        )
    rules.players = players
    rules.finale = 0 if values["finale"] == "random" else SIDES.index(str(values["finale"])) + 1
    for key in ("hand", "rounds", "stacks", "stack_limit", "finale_gold", "finale_silver"):
        rules[key] = values[key]
    rules.run_by_cards = values["finale_run"] == "fullest"
    rules.finale_zero = values["finale_zero"]
    rules.metals = METALS if players >= int(values["bronze_from"]) else METALS - 1
    for metal, key in enumerate(("gold", "silver", "bronze")[: rules.metals]):
        _set_medals(rules, metal, key, cast("tuple[int, ...]", values[key]))
    rules.cards = sum(counts)
    rules.pile = sum(number << (8 * place) for place, number in enumerate(counts))
    rules.deck[: rules.cards] = np.repeat(np.arange(1, VALUES + 1), counts)
    return table


def _check_cards(players: int, hand: int, cards: int) -> None:
    if cards > MOST_CARDS:
        raise UsageError(f"deck holds at most {MOST_CARDS} cards, got {cards}")
    if hand * players > cards:
        need = f"{players} hands of {hand} need {hand * players} cards"
        raise UsageError(f"{need}, deck has {cards}: lower hand or enlarge deck")


def _set_medals(rules: Any, metal: int, key: str, row: tuple[int, ...]) -> None:
    rounds = int(rules.rounds)
    if len(row) < rounds:
        raise UsageError(f"{key} needs {rounds} values for {rounds} rounds, got {len(row)}")
    rules.medals[metal, :rounds] = row[:rounds]

"""What lies on the table of Fantasía S.A., what each player holds, and what the rules fix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.cards import MOST_CARDS, CardOption, CardSet, EditOption
from simlab.compiled import Record, record_type, rule
from simlab.contract import SEAT_FIELDS, TABLE_FIELDS
from simlab.errors import UsageError
from simlab.games.fantasia_sa.box import ACTIONS, BOX, EQUIPMENT, FEATS, SPONSORS
from simlab.options import Option, Value

if TYPE_CHECKING:
    import numpy.typing as npt

SEATS = 5
ACTION = MOST_CARDS
"""A Hero card is a number: an Equipment's kind as it is, an Action's kind after ACTION."""
HERO_KINDS = 2 * MOST_CARDS
MOST_RESERVE = 6
MOST_STACK = 17
"""Action cards that can wait for each other: one, and those that cancel."""
MOST_STEALERS = 8
MOST_MOVES = MOST_STEALERS * MOST_CARDS + (MOST_CARDS - MOST_STEALERS) * (SEATS - 1) + 2
MOST_TURNS = 1000
MOST_LINES = 256
NOTHING = -1
"""What stands where no card lies."""

FEAT_PILE, HERO_PILE, SPONSOR_PILE = 0, 1, 2
PILES = 3

(
    DISCARD,
    TURN,
    CHOOSE,
    ROLL,
    FAILED,
    BUY,
    CANCEL,
    SHIELD,
    LOSE_LOWEST,
    LOSE_SPONSOR,
    LOSE_EQUIPMENT,
    FINISHED,
) = range(12)
"""What the seat to move decides: which card to discard for the hand limit; which card to play in
one's own turn; the Feat; cards before a roll; cards after a failed one; what to buy; whether to
cancel; whether a shield is given up; which Sponsor or Equipment is lost."""

DICE, FAILING, END = 20, 21, 22
"""Stages of a turn between two decisions, beside those above."""

HOSPITAL, DIE_ROLLED, LOWEST, SPONSOR, ANY_EQUIPMENT = 1, 2, 4, 8, 16
"""Bits of ``fate``: what a knight still has to suffer, in this order."""

GOLD, RENOWN = 1, 2
"""What a Feat was exchanged for, in ``currency``; 0 before its first purchase."""
PASS = 0
"""Move that plays, buys, cancels or gives up nothing."""
REROLL = 50_000
"""Move that uses an Equipment (or a Sponsor) to make a failed roll again."""

EASY, MEDIUM, HARD = 0, 1, 2
"""Difficulty of a Feat: up to 6, 7 or 8, from 9."""

DECK = record_type([("number", np.int64), ("cards", np.int8, (HERO_KINDS,))])

RULES = record_type(
    [
        ("players", np.int64),
        ("goal", np.int64),  # Loot that wins
        ("hand", np.int64),  # Hero cards dealt to each seat
        ("hand_limit", np.int64),  # Hero cards kept after the draw of Phase 1
        ("reserve", np.int64),  # Feats, and Sponsors, that lie face up
        ("turn_cap", np.int64),  # turns after which most Loot wins
        ("set_mark", np.uint64),  # which set of cards this is
        ("feat_kinds", np.int64),
        ("equipment_kinds", np.int64),
        ("action_kinds", np.int64),
        ("sponsor_kinds", np.int64),
        ("feats", FEATS.record, (MOST_CARDS,)),
        ("equipment", EQUIPMENT.record, (MOST_CARDS,)),
        ("actions", ACTIONS.record, (MOST_CARDS,)),
        ("sponsors", SPONSORS.record, (MOST_CARDS,)),
        ("decks", DECK, (PILES,)),  # every card of each deck, in order of kind
    ]
)

KNIGHT = record_type(
    [
        ("loot", np.int64),  # of Sponsors and Equipment in play
        ("in_hospital", np.int64),  # 1: in plaster
        ("hand_cards", np.int64),
        ("rolls", np.int64),  # times that this seat has rolled dice
        ("bonus", np.int64, (3,)),  # to Combat, Rescue and Pickup rolls; curses are taken off
        ("more_gold", np.int64),  # when a Feat is exchanged
        ("more_renown", np.int64),
        ("more_draws", np.int64),  # in Phase 1
        ("more_buys", np.int64),  # cards beyond the first that a Feat may buy
        ("rerolls", np.int64),  # failed rolls a turn that may be made again
        ("dodges", np.int64),  # cards in play that roll a die against the hospital
        ("shields", np.int64),  # cards in play that may be given up against the hospital
        ("sponsor_cards", np.int64),  # in play
        ("equipment_cards", np.int64),  # in play, curses left aside
        ("curse_cards", np.int64),  # in play
        ("turns", np.int64),  # from here on: counted for the outcome
        ("hospital_turns", np.int64),  # turns whose Phase 2 was spent in hospital
        ("tried", np.int64, (3,)),  # Feats attempted, by type
        ("succeeded", np.int64, (3,)),
        ("tried_level", np.int64, (3,)),  # by difficulty: EASY, MEDIUM, HARD
        ("succeeded_level", np.int64, (3,)),
        ("gold", np.int64),  # Gold that Feats were exchanged for
        ("renown", np.int64),
        ("sponsors_bought", np.int64),
        ("sponsors_lost", np.int64),
        ("equipment_bought", np.int64),
        ("equipment_lost", np.int64),  # stolen ones too; curses left aside
        ("curses_taken", np.int64),
        ("actions_played", np.int64),
        ("hostile_played", np.int64),
        ("cancelled", np.int64),  # own Action cards that were cancelled
        ("sponsors", np.int8, (MOST_CARDS,)),  # in play, by kind
        ("equipment", np.int8, (MOST_CARDS,)),  # in play, by kind
        ("curses", np.int8, (MOST_CARDS,)),  # in play, by kind of Feat
    ]
)

PILE = record_type(
    [
        ("left", np.int64),  # cards of the face-down deck
        ("reshuffles", np.int64),
        ("discard", np.int8, (HERO_KINDS,)),  # by kind
    ]
)

PLAYED = record_type(
    [
        ("card", np.int64),  # kind of Action
        ("seat", np.int64),  # who played it
        ("move", np.int64),  # the move that played it
        ("asked", np.int64),  # how far this pass has come: 1 is left of the active player
        ("answered", np.int64),  # 1: somebody played a card in this pass
    ]
)

TABLE = record_type(
    [
        *TABLE_FIELDS,
        ("turn", np.int64),  # counted from 1
        ("active", np.int64),  # seat whose turn it is
        ("stage", np.int64),  # of the turn, which reactions do not change
        ("phase", np.int64),  # what the seat to move decides
        ("feat", np.int64),  # kind of the Feat attempted, or NOTHING
        ("failed", np.int64),  # 1: it failed, and what follows is suffered
        ("dice", np.int64, (2,)),  # last Feat Roll
        ("card_bonus", np.int64),  # of Action cards, to the roll at hand
        ("boosts", np.int8, (MOST_CARDS,)),  # those cards, by kind
        ("rerolls_used", np.int64),  # in this turn, of cards in play
        ("roll_again", np.int64),  # 1: the failed roll is made again
        ("currency", np.int64),  # what this Feat was exchanged for: GOLD, RENOWN, 0 not yet
        ("bought", np.int64),  # cards bought with this Feat
        ("asked", np.int64),  # before a roll: how far this pass has come
        ("answered", np.int64),  # before a roll: 1 if somebody played a card in this pass
        ("depth", np.int64),  # Action cards that wait to take effect
        ("stack", PLAYED, (MOST_STACK,)),  # them, first to last
        ("victim", np.int64),  # seat that suffers ``fate``
        ("fate", np.int64),  # what it still has to suffer, as bits
        ("winner", np.int64),  # seat, or NOTHING
        ("capped", np.int64),  # 1: the cap on turns ended the game
        ("feat_reserve", np.int64, (MOST_RESERVE,)),  # face-up kinds, or NOTHING
        ("sponsor_reserve", np.int64, (MOST_RESERVE,)),  # face-up kinds, or NOTHING
        ("piles", PILE, (PILES,)),
        ("recycled", np.int8, (HERO_KINDS,)),  # the Hero deck as it last was complete, by kind
        ("knights", KNIGHT, (SEATS,)),
    ]
)

SEAT = record_type(
    [
        *SEAT_FIELDS,
        ("hand", np.int8, (HERO_KINDS,)),  # Hero cards, ascending; their number is on the table
        ("holds", np.int64, (6,)),  # Actions in hand by when they may be played; Equipment
        ("drawn", np.int8, (HERO_KINDS,)),  # Hero cards drawn since the last reshuffle, by kind
    ]
)
EQUIPMENT_HELD = 5
"""Place in ``holds`` of the Equipment."""

ORDER = record_type([("cards", np.int8, (HERO_KINDS,)), ("next", np.int64)])

HIDDEN = record_type(
    [
        ("orders", ORDER, (PILES,)),  # kinds, in the order in which they come
        ("logged", np.int64),  # lines of the diary
        ("diary", np.int16, (MOST_LINES, 4)),  # what the last move made happen: see `diary`
    ]
)


@rule
def left_of(rules: Record, seat: int, steps: int) -> int:
    """Seat so many steps (at most once around) to the left; a division would cost more."""
    found = seat + steps
    return found - rules.players if found >= rules.players else found


# --- Moves -----------------------------------------------------------------------------------


@rule
def card_move(card: int) -> int:
    """Move that discards, attempts, buys, gives up or loses a card of this kind."""
    return 1 + card


@rule
def sponsor_move(sponsor: int) -> int:
    """Move that buys a Sponsor (where an Equipment could be bought as well)."""
    return 1 + MOST_CARDS + sponsor


@rule
def curse_move(feat: int) -> int:
    """Move that gets rid of a curse (where an Equipment must be lost)."""
    return 1 + MOST_CARDS + feat


@rule
def card_of(move: int) -> int:
    """Kind of card that a move is about."""
    return move - 1


@rule
def play(action: int, target: int, equipment: int) -> int:
    """Move that plays an Action card; target and Equipment are NOTHING where it has none."""
    return 1 + (8 * action + target + 1) * (MOST_CARDS + 1) + equipment + 1


@rule
def action_of(move: int) -> int:
    """Kind of the Action card that a move plays."""
    return (move - 1) // (8 * (MOST_CARDS + 1))


@rule
def target_of(move: int) -> int:
    """Seat that the Action card is aimed at, or NOTHING."""
    return (move - 1) // (MOST_CARDS + 1) % 8 - 1


@rule
def stolen_by(move: int) -> int:
    """Kind of Equipment that the Action card takes, or NOTHING."""
    return (move - 1) % (MOST_CARDS + 1) - 1


# --- Options ---------------------------------------------------------------------------------

OPTIONS: tuple[Option, ...] = (
    CardOption("cards", "printed", "the lists of cards that are played with", box=BOX),
    EditOption("edit", "none", "cells of those lists that are changed, as S6.gold:3", box=BOX),
    Option("hostile", True, "Action cards against other players are in the deck"),
    Option("goal", 0, "Loot that wins; 0: as the cards' numbers.toml has it", high=200),
    Option("hand", -1, "Hero cards dealt to each; -1: as numbers.toml has it", low=-1, high=12),
    Option("hand_limit", 0, "Hero cards kept in Phase 1; 0: as numbers.toml has it", high=64),
    Option("reserve", 0, "cards in each Reserve; 0: as numbers.toml has it", high=MOST_RESERVE),
    Option("turn_cap", 500, "turns after which most Loot wins", low=1, high=MOST_TURNS),
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
        If there are too few Hero cards for the hands, or more cards that cancel (or steal)
        than there is room for.
    """
    option, edit = OPTIONS[:2]
    assert isinstance(option, CardOption)
    assert isinstance(edit, EditOption)
    cards = edit.applied(option.cards(values["cards"]), values["edit"])
    table = np.zeros(1, RULES)
    rules = table[0]
    rules.players = players
    rules.turn_cap = values["turn_cap"]
    rules.set_mark = cards.mark
    goals = cards.amounts["goals"]
    assert isinstance(goals, tuple)
    rules.goal = values["goal"] or goals[players - 2]
    rules.hand = values["hand"] if values["hand"] != -1 else cards.amounts["hand"]
    for key in ("hand_limit", "reserve"):
        rules[key] = values[key] or cards.amounts[key]
    _lay_out(rules, cards, hostile=bool(values["hostile"]))
    _check_cards(rules)
    return table


def _lay_out(rules: Any, cards: CardSet, *, hostile: bool) -> None:
    """Write the cards into the rules, and the decks that they make."""
    kinds = ("feat_kinds", "equipment_kinds", "action_kinds", "sponsor_kinds")
    for table, number in zip(BOX.tables, kinds, strict=True):
        table.lay_out(cards[table.name], rules[table.name])
        rules[number] = len(cards[table.name])
    if not hostile:
        rules.actions["copies"][rules.actions["hostile"] == 1] = 0
    heroes = [*rules.equipment["copies"], *rules.actions["copies"]]
    for pile, copies in enumerate((rules.feats["copies"], heroes, rules.sponsors["copies"])):
        order = np.repeat(np.arange(len(copies)), copies)
        rules.decks[pile].number = len(order)
        rules.decks[pile].cards[: len(order)] = order


def _check_cards(rules: Any) -> None:
    need, heroes = int(rules.hand * rules.players), int(rules.decks[HERO_PILE].number)
    if need > heroes:
        way = "lower hand or add Hero cards"
        raise UsageError(f"{need} Hero cards are dealt, the deck has {heroes}: {way}")
    cancelling = int(rules.actions["copies"][rules.actions["cancel"] == 1].sum())
    if cancelling >= MOST_STACK:
        raise UsageError(f"at most {MOST_STACK - 1} cards may cancel, the set has {cancelling}")
    stealing = int((rules.actions["steal"] == 1).sum())
    if stealing > MOST_STEALERS:
        raise UsageError(f"at most {MOST_STEALERS} kinds may steal, the set has {stealing}")

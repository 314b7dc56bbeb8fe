"""What lies on the table of Fantastiqa, what each player holds, and how moves are numbered."""

from __future__ import annotations

import numpy as np

from simlab.compiled import record_type, rule
from simlab.contract import SEAT_FIELDS, TABLE_FIELDS

# Rows of single bytes have lengths that eight divides: no field is followed by room that is neither
# copied nor compared.
SEATS = 4
KINDS = 64  # most kinds of cards that can be in a deck, all tables together
QUESTS = 64  # most Quest cards, copies counted
MOST_CARDS = 256  # room for cards in one deck; a game has some fewer, Quests left aside
MOST_HAND = 120  # a hand that has so many cards draws no more
DOUBLED = 64  # added to a kind: this very card counts its symbols twice until the turn ends
REGIONS = 6
SPACES = 7  # of creatures, between the regions; numbered in the order in which they are filled
SLOTS = 3  # personal Quests that one player may have
OPEN = 2  # open Quests
MOST_COMMITTED = 8  # room for cards on one personal Quest: no Quest needs so many symbols
MOST_TOKEN = 8  # room for cards under a Quest token, one too many among them
MOST_DRAWN = 40  # cards drawn at a statue in one visit
MOST_SUMMONED = 8  # cards that one card lets its player look at
MOST_LAID = 8  # cards laid for one creature or Quest
GENERATIONS = 8  # times that a draw pile can be reshuffled before it runs out, and one more
TURNS_A_CHECKPOINT = 4  # full turns of the table that make a checkpoint
NOTHING = -1

# Classes of cards.
ITEM, DRAGON, CREATURE, EVENT, BEAST, ARTIFACT = 0, 1, 2, 3, 4, 5

# Statues, which are also the supplies that they draw from.
TOWER, BAZAAR, CHEST = 0, 1, 2
STATUES = 3

# Powers of cards: the vocabulary of `cards`, in the same order.
CARPET, SUMMON_DRAGON, FIND_GEM, STATUE, KEY = 1, 2, 3, 4, 5
DOUBLE, SUMMON, PURSE, BREW, WARDROBE, ANY_SYMBOL, STRIDE, DRAW_CARDS = 6, 7, 8, 9, 10, 11, 12, 13

# Phases: which decision is next.
CHOOSE_QUEST, CHOOSE_ARTIFACT, CHOOSE_PLACE = 0, 1, 2  # setup
FREE = 3  # a turn action, a free action, or the end of the turn
PAYING = 4  # cards towards a creature or a Quest, one by one
TRAVELLING = 5  # a creature is subdued: on to the next one, or enough
AT_STATUE = 6  # draw, release or teleport
ADDING = 7  # cards that let one draw more, before cards are drawn
BUYING, CLAIMING, RELEASING = 8, 9, 10
FLYING = 11  # which creature to fly over
SENDING = 12  # who gets the Peaceful Dragon
DOUBLING = 13  # which card counts twice
KEEPING = 14  # which of the cards looked at
BREWING, POURING = 15, 16  # which card to move, and to whom
SWAPPING = 17  # which two creatures
STRIDING = 18  # where to
EXCESS = 19  # which of too many cards under the Quest token goes
FINISHED = 20

# What a payment is for, and the outcome of a game.
FOR_CREATURE, FOR_PERSONAL, FOR_OPEN = 0, 1, 2
BY_GOAL, BY_DECK, BY_CAP = 1, 2, 3

# Numbers that are kept for the outcome, by seat.
TALLIES = (
    "subdued_1",
    "subdued_2",
    "quests_1",
    "quests_2",
    "quests_3",
    "personal_quests",
    "open_quests",
    "gems_earned",
    "gems_paid_cards",
    "gems_paid_release",
    "gems_paid_teleport",
    "gems_lost",
    "beasts_bought",
    "artifacts_bought",
    "cards_released",
    "dragons_sent",
    "dragons_received",
    "cards_given",
    "cards_used",
    "carpets_used",
    "reshuffles_used",
    "visits",
    "passes",
    "turns",
)
(
    SUBDUED_1,
    SUBDUED_2,
    QUESTS_1,
    QUESTS_2,
    QUESTS_3,
    PERSONAL_QUESTS,
    OPEN_QUESTS,
    GEMS_EARNED,
    GEMS_PAID_CARDS,
    GEMS_PAID_RELEASE,
    GEMS_PAID_TELEPORT,
    GEMS_LOST,
    BEASTS_BOUGHT,
    ARTIFACTS_BOUGHT,
    CARDS_RELEASED,
    DRAGONS_SENT,
    DRAGONS_RECEIVED,
    CARDS_GIVEN,
    CARDS_USED,
    CARPETS_USED,
    RESHUFFLES_USED,
    VISITS,
    PASSES,
    TURNS,
) = range(len(TALLIES))

RULES = record_type(
    [
        ("players", np.int64),
        ("mark", np.uint64),  # digest of the cards, for stories to find their names
        ("teams", np.int64),  # 1: seats 0 and 2 against 1 and 3
        ("goal", np.int64),  # points that win
        ("turn_cap", np.int64),  # turns of each seat after which the game is ranked
        ("hand", np.int64),  # cards to which a hand is filled up
        ("gems", np.int64),  # gems that each seat starts with
        ("carpets", np.int64),  # Flying Carpet tokens of each seat
        ("reshuffles", np.int64),  # Reshuffle tokens of each seat
        ("gem_supply", np.int64),
        ("bonus_supply", np.int64),  # Bonus tokens
        ("statue_cards", np.int64),  # cards drawn at a statue
        ("release_limit", np.int64),  # cards released in one visit
        ("release_cost", np.int64),  # gems for each
        ("teleport_cost", np.int64),  # gems
        ("quest_limit", np.int64),  # personal Quests, at most SLOTS
        ("token_limit", np.int64),  # cards under a Quest token, less than MOST_TOKEN
        ("wilds", np.int64),  # 1: two equal symbols count as any other one against a creature
        ("loops", np.int64),  # 1: an adventure may come back to a region
        ("fly_empty", np.int64),  # 1: one may fly over a space whose creature is gone
        ("dragon_power", np.int64),  # 1: cards may send Peaceful Dragons
        ("giving", np.int64),  # 1: a card may be given away at the end of a turn
        ("dragon", np.int64),  # kind of the Peaceful Dragon
        ("dragons", np.int64),  # in the supply when play begins
        ("ends", np.int64, (SPACES, 2)),  # the two places that a space joins
        ("kinds", np.int64),  # kinds of cards
        ("group", np.int64, (KINDS,)),  # ITEM, DRAGON, CREATURE, EVENT, BEAST or ARTIFACT
        ("symbols", np.uint64, (KINDS,)),  # shown by a card: a pile of symbols
        ("weak_to", np.int64, (KINDS,)),  # symbol that beats a creature
        ("strength", np.int64, (KINDS,)),  # how many of them it takes
        ("level", np.int64, (KINDS,)),  # of a creature
        ("gem", np.int64, (KINDS,)),  # gems laid on a creature
        ("cost", np.int64, (KINDS,)),  # gems
        ("special", np.int64, (KINDS,)),  # CARPET, ...; 0 without one
        ("amount", np.int64, (KINDS,)),  # number of a power
        ("spares_below", np.int64, (KINDS,)),  # an event's: fewer gems are safe
        ("divides_by", np.int64, (KINDS,)),  # an event's: of so many gems one is lost
        ("items", np.int64, (KINDS,)),  # in each seat's deck at the start
        ("starting", np.int64, (KINDS,)),  # Starting Artifacts
        ("upper", np.int64, (KINDS,)),  # in the upper section of the creature deck
        ("lower", np.int64, (KINDS,)),  # in the lower section
        ("supply", np.int64, (KINDS,)),  # in the supply of the tower or the bazaar
        ("quests", np.int64),  # Quest cards
        ("needs", np.uint64, (QUESTS,)),  # pile of symbols
        ("cups", np.int64, (QUESTS,)),
        ("reward", np.int64, (QUESTS,)),  # gems
        ("region", np.int64, (QUESTS,)),  # where it is completed
        ("start_quest", np.int64, (QUESTS,)),  # 1: a Starting Quest
    ]
)

TABLE = record_type(
    [
        *TABLE_FIELDS,
        ("phase", np.int64),
        ("turn_number", np.int64),  # full turns of the table that are over
        ("ended", np.int64),  # BY_GOAL, BY_DECK or BY_CAP; 0 while the game goes on
        ("acted", np.int64),  # 1: the turn action is done
        ("region_at", np.int64, (REGIONS,)),  # region at each place
        ("statue_at", np.int64, (REGIONS,)),  # statue at each place
        ("creature_at", np.int64, (SPACES,)),  # kind of the creature at each space, or NOTHING
        ("gems_at", np.int64, (SPACES,)),  # gems on it
        ("open_quests", np.int64, (OPEN,)),  # Quest cards, or NOTHING
        ("open_bonus", np.int64, (OPEN,)),  # Bonus tokens beside them
        ("place", np.int64, (SEATS,)),  # of each adventurer; NOTHING before it is chosen
        ("gems", np.int64, (SEATS,)),
        ("carpets", np.int64, (SEATS,)),  # Flying Carpet tokens left
        ("reshuffles", np.int64, (SEATS,)),  # Reshuffle tokens left
        ("points", np.int64, (SEATS,)),
        ("bonus", np.int64, (SEATS,)),  # Bonus tokens won
        ("completed", np.int64, (SEATS,)),  # Quests completed
        ("quests", np.int64, (SEATS, SLOTS)),  # personal Quests, or NOTHING
        ("committed", np.uint8, (SEATS, SLOTS, MOST_COMMITTED)),  # cards, ascending
        ("committed_cards", np.int64, (SEATS, SLOTS)),
        ("hand_cards", np.int64, (SEATS,)),
        ("token_cards", np.int64, (SEATS,)),  # cards under the Quest token
        ("pile_cards", np.int64, (SEATS,)),  # cards in the draw pile
        ("discard", np.uint8, (SEATS, KINDS)),  # cards of each kind in the discard pile
        ("discard_cards", np.int64, (SEATS,)),
        # What others can know of a seat's hand, Quest token and draw pile; see `knowledge`.
        ("generation", np.int64, (SEATS,)),
        ("unseen", np.uint8, (SEATS, GENERATIONS, KINDS)),
        ("unseen_cards", np.int64, (SEATS, GENERATIONS)),
        ("drawn_in", np.int64, (SEATS, GENERATIONS)),
        ("token_from", np.int64, (SEATS, MOST_TOKEN)),
        ("released", np.uint8, (KINDS,)),  # cards out of the game
        ("deck_cards", np.int64),  # creature cards left
        ("upper", np.uint8, (KINDS,)),  # those of the upper section
        ("lower", np.uint8, (KINDS,)),  # those of the lower section
        ("mixed", np.int64),  # cards left of those that events of the first fill were mixed into
        ("mixed_in", np.uint8, (KINDS,)),  # events that are still among them
        ("face_down", np.uint8, (KINDS,)),  # beasts and artifacts in their supplies
        ("face_up", np.uint8, (KINDS,)),  # those returned to the bottom
        ("quests_down", np.uint64),  # Quest cards face down, one bit each
        ("quests_up", np.uint64),  # Quest cards returned
        ("supply_cards", np.int64, (STATUES,)),  # cards face down in each supply
        ("returned_cards", np.int64, (STATUES,)),  # cards returned to each supply
        ("dragons", np.int64),  # in the supply
        ("gem_supply", np.int64),
        ("bonus_supply", np.int64),
        ("spent", np.uint8, (KINDS,)),  # Artifacts used in this turn: not drawn again in it
        ("paying_for", np.int64),  # while PAYING: FOR_CREATURE, FOR_PERSONAL or FOR_OPEN
        ("target", np.int64),  # space of the creature, slot or number of the Quest
        ("laid", np.uint8, (MOST_LAID,)),  # cards laid so far
        ("laid_cards", np.int64),
        ("visited", np.int64),  # places seen on this adventure, one bit each
        ("free_visit", np.int64),  # 1: a visit by a key, which is no turn action
        ("left", np.int64),  # cards to draw, to claim or to release in this visit
        ("claimed", np.int64),  # Quests claimed, or cards released, in this visit
        ("drawn", np.int64, (MOST_DRAWN,)),  # cards drawn at a statue, in order
        ("drawn_cards", np.int64),
        ("brewed", np.int64),  # kind of the card on its way to an opponent
        ("in_use", np.int64),  # kind of the Artifact in use, NOTHING without one
        ("special", np.int64),  # power in use
        ("amount", np.int64),  # its number
    ]
)

SEAT = record_type(
    [
        *SEAT_FIELDS,
        ("hand", np.uint8, (MOST_HAND,)),  # cards, ascending; a doubled one is kind + DOUBLED
        ("token", np.uint8, (MOST_TOKEN,)),  # cards under the Quest token, ascending
        ("looked", np.uint8, (MOST_SUMMONED,)),  # cards looked at, while KEEPING, ascending
        ("looked_cards", np.int64),
    ]
)

HIDDEN = record_type(
    [
        ("deck", np.uint8, (MOST_CARDS,)),  # creature deck, in the order in which cards come
        ("next", np.int64),  # place of its next card
        ("pile", np.uint8, (SEATS, MOST_CARDS)),  # draw piles; the last card comes next
        ("supply", np.uint8, (STATUES, MOST_CARDS)),  # supplies; the last card comes next
        ("shuffles", np.int64, (SEATS,)),  # of each draw pile
        ("supply_shuffles", np.int64, (STATUES,)),
        # Kept for the outcome only; what of it matters to play is on the table.
        ("tally", np.int64, (SEATS, len(TALLIES))),
        ("events", np.int64),  # events turned up after the first fill
    ]
)

# --- Moves ----------------------------------------------------------------------------------

WIDTH = 128
"""Room for the thing that a move is about: a card, a quest, a space, a place or a seat."""

(
    FINISH,
    GO,
    STOP,
    LAY,
    LAY_TOKEN,
    VISIT,
    DRAW,
    RELEASE,
    TELEPORT,
    ADD,
    BUY,
    CLAIM,
    DONE,
    LET_GO,
    LET_GO_DISCARD,
    COMPLETE,
    COMMIT,
    COMMIT_2,
    COMMIT_3,
    COMMIT_TOKEN,
    WITHDRAW,
    WITHDRAW_2,
    WITHDRAW_3,
    WITHDRAW_TOKEN,
    DISCARD,
    FLY,
    RESHUFFLE,
    USE,
    SEND,
    DOUBLE_CARD,
    KEEP,
    BREW_HAND,
    BREW_DISCARD,
    POUR,
    SWAP,
    STRIDE_TO,
    GIVE,
    GIVE_1,
    GIVE_2,
    GIVE_3,
    TAKE_QUEST,
    TAKE_ARTIFACT,
    START_AT,
) = range(43)
VERBS = (
    "finish the turn",
    "subdue",
    "stop travelling",
    "lay",
    "lay from under the token",
    "visit the statue",
    "draw at the statue",
    "release at the statue",
    "teleport",
    "add",
    "buy",
    "claim",
    "done",
    "release",
    "release from the discard pile",
    "complete",
    "commit to Quest 1:",
    "commit to Quest 2:",
    "commit to Quest 3:",
    "put under the token:",
    "withdraw from Quest 1:",
    "withdraw from Quest 2:",
    "withdraw from Quest 3:",
    "withdraw from under the token:",
    "discard",
    "fly over",
    "use a Reshuffle token",
    "use",
    "send a dragon to seat",
    "double",
    "keep",
    "brew from the hand:",
    "brew from the discard pile:",
    "pour it to seat",
    "swap the creatures at spaces",
    "stride to place",
    "give to seat 0:",
    "give to seat 1:",
    "give to seat 2:",
    "give to seat 3:",
    "take the Quest",
    "take the Artifact",
    "start at place",
)


@rule
def act(verb: int, thing: int) -> int:
    """Move of a verb (`GO`, `LAY`, ...) and the thing that it is about; 0 without a thing."""
    return WIDTH * verb + thing


@rule
def verb_of(move: int) -> int:
    """What a move does."""
    return move // WIDTH


@rule
def thing_of(move: int) -> int:
    """What a move is about."""
    return move % WIDTH


@rule
def subdue(space: int) -> int:
    """Move that starts to subdue the creature at a space, 0 to 6."""
    return WIDTH * GO + space


@rule
def lay(card: int) -> int:
    """Move that lays a card of the hand towards the creature or Quest."""
    return WIDTH * LAY + card


@rule
def complete(quest: int) -> int:
    """Move that completes a Quest: 0 to 2 the personal ones by slot, 3 and 4 the open ones."""
    return WIDTH * COMPLETE + quest


@rule
def commit(slot: int, card: int) -> int:
    """Move that commits a card to a personal Quest; slot 3 is the Quest token."""
    return WIDTH * (COMMIT + slot) + card


@rule
def withdraw(slot: int, card: int) -> int:
    """Move that discards a committed card; slot 3 is the Quest token."""
    return WIDTH * (WITHDRAW + slot) + card


@rule
def discard(card: int) -> int:
    """Move that discards a card of the hand."""
    return WIDTH * DISCARD + card


@rule
def fly(space: int) -> int:
    """Move that flies over a space: with a token, or as the power that was just used says."""
    return WIDTH * FLY + space


@rule
def use(card: int) -> int:
    """Move that uses the power of a card of the hand."""
    return WIDTH * USE + card


@rule
def buy(card: int) -> int:
    """Move that buys a kind of the cards drawn."""
    return WIDTH * BUY + card


@rule
def claim(quest: int) -> int:
    """Move that claims one of the Quests drawn."""
    return WIDTH * CLAIM + quest


@rule
def give(seat: int, card: int) -> int:
    """Move that gives a card to an opponent in the same region, and ends the turn."""
    return WIDTH * (GIVE + seat) + card


@rule
def kind_of(card: int) -> int:
    """Kind of a card, whether it counts twice or not."""
    return card % DOUBLED

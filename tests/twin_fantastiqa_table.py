"""All that lies on a table of Fantastiqa at one moment, and simple questions about it."""

from collections import Counter
from dataclasses import dataclass, field

from twin_fantastiqa_cards import (
    DECK_OF,
    GOALS,
    PLACES,
    REGIONS,
    SPACES,
    STATUES,
    SUPPLY,
    TEAM_GOALS,
    Card,
    Tables,
    default_tables,
)

DEFAULTS: dict = {
    "goal": "standard",  # short, standard, long, or a number of points
    "profile": "48/59/59",  # of the creature deck; the other one is 39/49/59
    "teams": False,  # four players as two pairs: seats 0 and 2 against 1 and 3
    "loops": True,  # whether an adventure may come back to a region by other creatures
    "fly_over_empty": False,  # whether an empty space may be flown over
    "wilds": True,  # whether two equal symbols stand for any other one against a creature
    "turn_cap": 200,  # turns of each player
}
MARK = " (doubled)"  # a card that counts its symbols twice until the end of the turn


def plain(card: str) -> str:
    """The card without the mark of a Looking Glass."""
    return card.removesuffix(MARK)


@dataclass
class Pile:
    """A deck of statue cards: face down on top (the next is the first), face up below."""

    down: list[str] = field(default_factory=list)
    up: list[str] = field(default_factory=list)


@dataclass
class Seat:
    """What one player has."""

    place: str | None = None  # where the adventurer stands
    hand: list[str] = field(default_factory=list)
    draw: list[str] = field(default_factory=list)  # the next card is the first
    discard: list[str] = field(default_factory=list)  # the top card is the last
    used: list[str] = field(default_factory=list)  # artifacts of this turn: not drawn again in it
    quests: dict[str, list[str]] = field(default_factory=dict)  # open personal quest: committed
    token: list[str] = field(default_factory=list)  # cards under the quest token
    completed: list[str] = field(default_factory=list)
    bonus: int = 0
    gems: int = 3
    carpets: int = 3
    reshuffles: int = 3

    def fresh(self) -> list[str]:
        """The discards that may be shuffled: without the artifacts of this turn."""
        cards = list(self.discard)
        for card in self.used:
            if card in cards:
                cards.remove(card)
        return cards


@dataclass
class Position:
    """Everything on the table. Each part has a default, so that a scene names what matters."""

    seats: list[Seat]
    options: dict = field(default_factory=dict)  # those that are not at their default
    tables: Tables = field(default_factory=default_tables)
    regions: dict[str, str] = field(default_factory=lambda: dict(zip(PLACES, REGIONS, strict=True)))
    statues: dict[str, str] = field(default_factory=lambda: dict(zip(PLACES, STATUES, strict=True)))
    creatures: dict[int, str | None] = field(default_factory=lambda: dict.fromkeys(SPACES))
    gems_on: dict[int, int] = field(default_factory=lambda: dict.fromkeys(SPACES, 0))
    open_quests: list[str | None] = field(default_factory=lambda: [None, None])
    bonus_on: list[int] = field(default_factory=lambda: [0, 0])
    creature_deck: list[str] = field(default_factory=list)  # the next card is the first
    piles: dict[str, Pile] = field(
        default_factory=lambda: {deck: Pile() for deck in DECK_OF.values()}
    )
    gems: int = SUPPLY["gems"]  # in the supply, as the next two
    dragons: int = SUPPLY["dragons"]
    bonus: int = SUPPLY["bonus"]
    shown: list[str] = field(default_factory=list)  # drawn, and waiting for a choice
    gone: list[str] = field(default_factory=list)  # released cards and Ravens
    turn: int = 1  # the number of the turn, over all players
    mover: int = 0  # the seat whose turn it is
    acted: bool = False  # whether the turn action was done

    def __post_init__(self) -> None:
        """Fill in the options."""
        unknown = set(self.options) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"unknown options: {sorted(unknown)}")
        self.options = {**DEFAULTS, **self.options}

    # --- Cards ---

    def card(self, name: str) -> Card:
        """What is printed on a card, whether it is doubled now or not."""
        return self.tables.cards[plain(name)]

    @property
    def me(self) -> Seat:
        """The player whose turn it is."""
        return self.seats[self.mover]

    # --- The map ---

    def beyond(self, place: str, space: int) -> str | None:
        """The place that one comes to from this place over this space, if they touch."""
        ends = SPACES[space]
        if place not in ends:
            return None
        return ends[1] if place == ends[0] else ends[0]

    def flights(self, place: str) -> dict[int, str]:
        """Each space that can be flown over from a place, with where that leads."""
        return {
            space: other
            for space in SPACES
            if (other := self.beyond(place, space))
            and (self.creatures[space] or self.options["fly_over_empty"])
        }

    def statue_here(self) -> str:
        """The statue in the mover's region."""
        return self.statues[self.me.place or ""]

    def twin_statue(self, place: str) -> str:
        """The other place with the same statue."""
        same = [p for p in PLACES if p != place and self.statues[p] == self.statues[place]]
        assert len(same) == 1, "two of each statue"
        return same[0]

    # --- Who is against whom ---

    def team(self, seat: int) -> list[int]:
        """The seats that win together with this one, itself included."""
        if self.options["teams"]:
            return [seat % 2, seat % 2 + 2]
        return [seat]

    def opponents(self, seat: int) -> list[int]:
        """All seats that do not win together with this one."""
        return [other for other in range(len(self.seats)) if other not in self.team(seat)]

    # --- The score ---

    def own_score(self, seat: int) -> int:
        """Cups of completed quests and bonus tokens, less the cups of incomplete quests."""
        player, quests = self.seats[seat], self.tables.quests
        done = sum(quests[name].cups for name in player.completed)
        owed = sum(quests[name].cups for name in player.quests)
        return done + player.bonus - owed

    def score(self, seat: int) -> int:
        """What counts for the goal: the own score, or that of the team."""
        return sum(self.own_score(member) for member in self.team(seat))

    def quests_done(self, seat: int) -> int:
        """How many quests the seat, or its team, has completed: the tie-break."""
        return sum(len(self.seats[member].completed) for member in self.team(seat))

    def goal(self) -> int:
        """The points that win."""
        goal = self.options["goal"]
        if isinstance(goal, int):
            return goal
        return TEAM_GOALS[goal] if self.options["teams"] else GOALS[goal][len(self.seats)]

    # --- Counting everything, for proofs that nothing is lost ---

    def all_cards(self) -> Counter[str]:
        """Every card and quest that is in the game, wherever it is, but the dragons in supply."""
        found: list[str] = [*self.creature_deck, *self.shown, *self.gone]
        found += [card for card in self.creatures.values() if card]
        found += [quest for quest in self.open_quests if quest]
        for pile in self.piles.values():
            found += pile.down + pile.up
        for seat in self.seats:
            found += seat.hand + seat.draw + seat.discard + seat.token
            found += [*seat.quests, *seat.completed]
            for committed in seat.quests.values():
                found += committed
        return Counter(plain(card) for card in found)

    def all_gems(self) -> int:
        """Every gem: in the supply, on creatures, with players."""
        return self.gems + sum(self.gems_on.values()) + sum(seat.gems for seat in self.seats)

    def all_bonus(self) -> int:
        """Every bonus token: in the supply, beside open quests, with players."""
        return self.bonus + sum(self.bonus_on) + sum(seat.bonus for seat in self.seats)

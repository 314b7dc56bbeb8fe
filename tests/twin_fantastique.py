"""A slow and obvious Fantastique: the twin that the fast engine has to agree with.

Written from the rulebook alone, with lists, dicts and Counters. Nothing here is meant to be quick;
everything is meant to be easy to check by reading it next to the rules.
"""

from collections import Counter
from collections.abc import Callable, Generator
from fractions import Fraction
from itertools import pairwise

Move = tuple[int, int]  # (value, count): a fan that is played or a stack that is taken

DEFAULTS: dict = {
    "deck": [16, 15, 14, 13, 12, 11, 10, 9],
    "hand": 10,
    "rounds": 7,
    "gold": [6, 8, 10, 12, 14, 16, 18],
    "silver": [3, 4, 5, 6, 7, 8, 9],
    "bronze": [1, 2, 3, 4, 5, 6, 7],
    "bronze_from": 4,
    "finale_gold": 20,
    "finale_silver": 10,
    "stacks": 5,
    "stack_limit": 3,
    "finale_run": "longest",
    "finale_zero": True,
}
SIDES = ("I", "II", "III", "IV", "V", "VI")


# --- The Grande Finale: how many cards of a hand match a side ---


def runs_of(values: set[int]) -> list[list[int]]:
    """Cut a set of values into its unbroken runs: {4, 5, 6, 8} gives [4, 5, 6] and [8]."""
    runs: list[list[int]] = []
    for value in sorted(values):
        if runs and runs[-1][-1] == value - 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return runs


def matching_cards(side: str, hand: list[int], finale_run: str = "longest") -> int:
    """How many cards of this hand the given finale side counts."""
    copies = Counter(hand)
    if not hand:
        return 0
    if side == "I":  # the low values
        return copies[1] + copies[2] + copies[3]
    if side == "II":  # the high values
        return copies[6] + copies[7] + copies[8]
    if side == "III":  # the two values held most often
        return sum(sorted(copies.values(), reverse=True)[:2])
    if side == "IV":  # everything but the value held most often
        return len(hand) - max(copies.values())
    if side == "V":  # both ends; a hand of a single value counts its cards once
        ends = {min(hand), max(hand)}
        return sum(copies[value] for value in ends)
    if side == "VI":  # a run of neighbouring values
        runs = runs_of(set(hand))
        sizes = [(len(run), sum(copies[value] for value in run)) for run in runs]
        if finale_run == "fullest":
            return max(cards for _, cards in sizes)
        longest = max(length for length, _ in sizes)
        return max(cards for length, cards in sizes if length == longest)
    raise ValueError(f"no such finale side: {side!r}")


def finale_medals(counts: list[int], gold: int, silver: int, zero_wins: bool = True) -> list[int]:
    """Points that each seat gets for its number of matching cards.

    All who share the highest number get gold, and all who share the next lower number get silver.
    If zero_wins is False, those without any matching card stay out of it.
    """
    numbers = {count for count in counts if count > 0 or zero_wins}
    places = sorted(numbers, reverse=True)
    prize = dict(zip(places, [gold, silver], strict=False))
    return [prize.get(count, 0) for count in counts]


# --- One game ---


class Twin:
    """One game of Fantastique, played move by move."""

    def __init__(
        self,
        players: int,
        options: dict,
        deck: list[int],
        finale: str,
        reshuffle: Callable[[Counter], list[int]],
    ) -> None:
        """Deal the cards, reveal the first display and go on to the first decision."""
        unknown = set(options) - set(DEFAULTS) - {"finale"}
        if unknown:
            raise ValueError(f"unknown options: {sorted(unknown)}")
        self.options: dict = {**DEFAULTS, **options}
        self.players = players
        self.finale = finale
        self._check_setup(deck)

        self.pile: list[int] = [int(card) for card in deck]  # the next card is pile[0]
        self.discard: list[int] = []
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.stacks: list[list[int]] = []  # the open stacks, oldest first
        self.fans: dict[int, Move] = {}  # what each seat played this round
        self.passed: list[int] = []  # who could not play this round, in turn order
        self.medals: list[list[tuple[str, int]]] = [[] for _ in range(players)]
        self.cards_played: list[int] = [0] * players
        self.points_by_round: list[list[int]] = []
        self.finale_cards: list[int] = [0] * players
        self.finale_points: list[int] = [0] * players
        self.reshuffles = 0
        self.passes = 0
        self.round = 0
        self.starter = 0

        self._reshuffle = reshuffle
        self._events: list[dict] = []
        self._phase = "play"
        self._seat: int | None = None
        self._game = self._play_game()
        self._seat = next(self._game, None)

    def _check_setup(self, deck: list[int]) -> None:
        """Refuse a game that cannot be set up."""
        if self.finale not in SIDES:
            raise ValueError(f"no such finale side: {self.finale!r}")
        if self.options["finale_run"] not in ("longest", "fullest"):
            raise ValueError(f"no such finale_run: {self.options['finale_run']!r}")
        if len(deck) < self.players * self.options["hand"]:
            raise ValueError("too few cards to deal")
        for metal in self._metals():
            if len(self.options[metal]) < self.options["rounds"]:
                raise ValueError(f"too few {metal} medals for the rounds")

    # --- What the outside sees ---

    @property
    def seat_to_move(self) -> int | None:
        """The seat that has to decide, or None when the game is over."""
        return self._seat

    @property
    def phase(self) -> str:
        """What the seat decides about: "play" a fan, or "draft" a stack."""
        return self._phase

    @property
    def events(self) -> list[dict]:
        """All that happened so far, in order."""
        return self._events

    def legal(self) -> set[Move]:
        """The fans that the seat to move may play, or the stacks that it may take."""
        if self._seat is None:
            return set()
        if self._phase == "play":
            return self._fans_allowed(self._seat)
        return {(stack[0], len(stack)) for stack in self.stacks}

    def move(self, value: int, count: int) -> None:
        """Make the move of the seat to move and go on to the next decision."""
        chosen = (int(value), int(count))
        if chosen not in self.legal():
            raise ValueError(f"seat {self._seat} may not {self._phase} {chosen}")
        try:
            self._seat = self._game.send(chosen)
        except StopIteration:
            self._seat = None

    # --- The course of the game; each yield asks a seat and gets its (value, count) ---

    def _play_game(self) -> Generator[int, Move, None]:
        """The whole game from the deal to the finale."""
        self._deal()
        for number in range(1, self.options["rounds"] + 1):
            self.round = number
            self._reveal()
            yield from self._play_fans()
            self._award_medals()
            yield from self._take_stacks()
            self._clear_table()
        self._score_finale()

    def _deal(self) -> None:
        """Give each seat its cards, one whole hand after the other."""
        for seat in range(self.players):
            dealt = [self.pile.pop(0) for _ in range(self.options["hand"])]
            self.hands[seat] = dealt
            self._events.append({"event": "deal", "seat": seat, "cards": sorted(dealt)})

    def _reveal(self) -> None:
        """Phase 1: turn cards up until the last stack is opened or no card is left anywhere."""
        self.stacks = []
        revealed: list[int] = []
        while len(self.stacks) < self.options["stacks"]:
            if not self.pile:
                self._turn_discard_over()
            if not self.pile:
                break
            card = self.pile.pop(0)
            revealed.append(card)
            self._put_on_display(card)
        self._note("reveal", cards=revealed, stacks=[list(stack) for stack in self.stacks])

    def _turn_discard_over(self) -> None:
        """Shuffle the discard pile, if there is one, into a new face-down pile."""
        if not self.discard:
            return
        before = Counter(self.discard)
        order = [int(card) for card in self._reshuffle(Counter(before))]
        assert Counter(order) == before, "the reshuffle changed the cards"
        self.pile = order
        self.discard = []
        self.reshuffles += 1
        self._note("reshuffle", cards=len(order))

    def _put_on_display(self, card: int) -> None:
        """Lay a revealed card on a stack of its value with room, else open a new stack."""
        for stack in self.stacks:
            if stack[0] == card and len(stack) < self.options["stack_limit"]:
                stack.append(card)
                return
        self.stacks.append([card])

    def _turn_order(self) -> list[int]:
        """The seats of this round, clockwise from the one that starts it."""
        return [(self.starter + step) % self.players for step in range(self.players)]

    def _fans_allowed(self, seat: int) -> set[Move]:
        """All fans in the seat's hand but those that lie on the table already."""
        in_hand = {
            (value, count)
            for value, held in Counter(self.hands[seat]).items()
            for count in range(1, held + 1)
        }
        return in_hand - set(self.fans.values())

    def _play_fans(self) -> Generator[int, Move, None]:
        """Phase 2: each seat in turn plays a fan, or passes because none is allowed to it."""
        self._phase = "play"
        self.fans = {}
        self.passed = []
        for seat in self._turn_order():
            if not self._fans_allowed(seat):
                self.passed.append(seat)
                self.passes += 1
                self._note("pass", seat=seat)
                continue
            value, count = yield seat
            for _ in range(count):
                self.hands[seat].remove(value)
            self.fans[seat] = (value, count)
            self.cards_played[seat] += count
            self._note("play", seat=seat, value=value, count=count)

    def _metals(self) -> list[str]:
        """The kinds of round medals in this game, the best first."""
        if self.players >= self.options["bronze_from"]:
            return ["gold", "silver", "bronze"]
        return ["gold", "silver"]

    def _medal_order(self) -> list[int]:
        """The seats that played: most cards first, among equals the higher value first."""

        def size_then_value(seat: int) -> tuple[int, int]:
            value, count = self.fans[seat]
            return (count, value)

        return sorted(self.fans, key=size_then_value, reverse=True)

    def _draft_order(self) -> list[int]:
        """Highest value first, among equals more cards first; then who passed, in turn order."""
        return sorted(self.fans, key=lambda seat: self.fans[seat], reverse=True) + self.passed

    def _award_medals(self) -> None:
        """Phase 3: hand out this round's medals; a medal that nobody can claim is gone."""
        for metal, seat in zip(self._metals(), self._medal_order(), strict=False):
            points = self.options[metal][self.round - 1]
            self.medals[seat].append((metal, points))
            self._note("medal", seat=seat, metal=metal, points=points)
            if metal == "gold":
                self.starter = seat  # of the next round
        self.points_by_round.append([self._medal_points(seat) for seat in range(self.players)])

    def _take_stacks(self) -> Generator[int, Move, None]:
        """Phase 4: the seats choose a stack each, as long as there are any."""
        self._phase = "draft"
        for seat in self._draft_order():
            if not self.stacks:
                return
            value, count = yield seat
            stack = [value] * count
            self.stacks.remove(stack)
            self.hands[seat].extend(stack)
            self._note("draft", seat=seat, value=value, count=count)

    def _clear_table(self) -> None:
        """Put the fans and the stacks that nobody took on the discard pile."""
        for value, count in self.fans.values():
            self.discard.extend([value] * count)
        for stack in self.stacks:
            self.discard.extend(stack)
        self.fans = {}
        self.stacks = []

    def _score_finale(self) -> None:
        """Count the matching cards of each hand and hand out the finale medals."""
        run = self.options["finale_run"]
        self.finale_cards = [matching_cards(self.finale, hand, run) for hand in self.hands]
        self.finale_points = finale_medals(
            self.finale_cards,
            self.options["finale_gold"],
            self.options["finale_silver"],
            self.options["finale_zero"],
        )
        for seat in range(self.players):
            self._events.append(
                {
                    "event": "finale",
                    "seat": seat,
                    "hand": sorted(self.hands[seat]),
                    "count": self.finale_cards[seat],
                    "points": self.finale_points[seat],
                }
            )

    def _note(self, event: str, **details: object) -> None:
        """Write down something that happened in the current round."""
        self._events.append({"event": event, "round": self.round, **details})

    # --- The result ---

    def _medal_points(self, seat: int) -> int:
        """The seat's points from round medals so far."""
        return sum(points for _, points in self.medals[seat])

    def _best_medal(self, seat: int) -> int:
        """The seat's most valuable single round medal, which breaks ties; 0 if it has none."""
        return max((points for _, points in self.medals[seat]), default=0)

    def _medal_count(self, metal: str) -> list[int]:
        """How many round medals of this metal each seat has."""
        return [sum(kind == metal for kind, _ in own) for own in self.medals]

    def _ranks(self, points: list[int]) -> list[int]:
        """Each seat's place: 1 plus the number of seats that are strictly better."""
        scores = [(points[seat], self._best_medal(seat)) for seat in range(self.players)]
        return [1 + sum(other > mine for other in scores) for mine in scores]

    def _lead_changes(self) -> int:
        """In how many rounds after the first the set of leaders became another one."""
        leaders = [
            {seat for seat, points in enumerate(row) if points == max(row)}
            for row in self.points_by_round
        ]
        return sum(earlier != later for earlier, later in pairwise(leaders))

    def result(self) -> dict:
        """Who won by how much, and the figures of the game. Only when the game is over."""
        if self._seat is not None:
            raise RuntimeError("the game is not over yet")
        seats = range(self.players)
        medal_points = [self._medal_points(seat) for seat in seats]
        points = [medal_points[seat] + self.finale_points[seat] for seat in seats]
        rank = self._ranks(points)
        winners = {seat for seat in seats if rank[seat] == 1}
        rank_by_medals = self._ranks(medal_points)
        winners_by_medals = {seat for seat in seats if rank_by_medals[seat] == 1}
        return {
            "points": points,
            "win_share": [
                Fraction(1, len(winners)) if seat in winners else Fraction(0) for seat in seats
            ],
            "rank": rank,
            "medal_points": medal_points,
            "finale_cards": list(self.finale_cards),
            "finale_points": list(self.finale_points),
            "hand_cards": [len(hand) for hand in self.hands],
            "gold": self._medal_count("gold"),
            "silver": self._medal_count("silver"),
            "bronze": self._medal_count("bronze"),
            "cards_played": list(self.cards_played),
            "points_by_round": [list(row) for row in self.points_by_round],
            "reshuffles": self.reshuffles,
            "passes": self.passes,
            "shared_win": len(winners) > 1,
            "lead_changes": self._lead_changes(),
            "finale_changed_winner": winners != winners_by_medals,
        }

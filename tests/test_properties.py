"""What holds at every step of every game, whatever the rules, the players, the seed.

Hypothesis draws the settings, the same ones on every run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import types
from positions import ROWS, RULES_AT, SIDES, compiled, counts_in, legal_lists, replayer

from simlab.compiled import INTERPRETED
from simlab.contract import WHOLE_WIN
from simlab.games.fantastique import GAME
from simlab.games.fantastique.records import FINISHED, MOST_CARDS, MOST_ROUNDS, PLAY
from simlab.games.fantastique.rules import allowed
from simlab.games.fantastique.story import value_and_count
from simlab.policies import built_in

POLICIES = tuple(built_in(GAME))
METALS = ("gold", "silver", "bronze")
PRINTED_DECK = (16, 15, 14, 13, 12, 11, 10, 9)

repeatable = settings(
    derandomize=True, database=None, deadline=None, max_examples=8 if INTERPRETED else 50
)

sparse = st.lists(st.sampled_from([0, 0, 0, 1, 5, 30]), min_size=8, max_size=8)
dense = st.lists(st.integers(0, 25), min_size=8, max_size=8)
decks = st.one_of(st.just(PRINTED_DECK), sparse.map(tuple), dense.map(tuple))


@dataclass
class Round:
    """What was done in one round."""

    fans: dict[int, tuple[int, int]] = field(default_factory=dict)  # seat to (value, cards)
    taken: list[int] = field(default_factory=list)  # seats that took a stack, in order
    open_stacks: int = 0  # when the first was taken


@dataclass(frozen=True)
class Played:
    """A game's settings; plays it when somebody looks."""

    words: tuple[str, ...]
    options: dict[str, Any]
    seed: int
    deal: int

    @property
    def players(self) -> int:
        return len(self.words)

    @cached_property
    def replayer(self) -> Any:
        return replayer(self.words, self.options, self.seed)

    @cached_property
    def traced(self) -> Any:
        return self.replayer.trace(self.deal)

    @property
    def rows(self) -> Any:
        return self.traced.rows

    @property
    def tables(self) -> Any:
        return self.rows["state"]["table"]

    @property
    def hands(self) -> Any:
        """Cards in each hand, shape (rows, players, 8)."""
        return counts_in(self.rows["state"]["seats"]["hand"][:, : self.players])

    @property
    def known(self) -> Any:
        return counts_in(self.tables["known"][:, : self.players])

    @property
    def decks(self) -> Any:
        """Cards of each value that lie face down, shape (rows, 8)."""
        hidden, cards = self.rows["state"]["hidden"], self.tables["deck_cards"]
        lying = [
            deck[first : first + n]
            for deck, first, n in zip(hidden["deck"], hidden["next"], cards, strict=True)
        ]
        return np.array([np.bincount(cards, minlength=9)[1:] for cards in lying])

    def of_seats(self, column: str) -> list[int]:
        """A column of the outcome, seat by seat."""
        return self.traced.outcome["seats"][column][: self.players].tolist()

    @cached_property
    def rounds(self) -> list[Round]:
        """The decisions by round; a round in which nobody could do anything is empty."""
        rounds = [Round() for _ in range(self.options["rounds"])]
        for row in self.rows[:-1]:
            table, now = row.state.table, rounds[int(row.state.table.round_number) - 1]
            if table.phase == PLAY:
                now.fans[int(row.seat)] = value_and_count(row.move)
            else:
                now.open_stacks = now.open_stacks or int(table.open)
                now.taken.append(int(row.seat))
        return rounds

    @cached_property
    def starters(self) -> list[int]:
        """Who begins each round: who won gold in the one before, else the same seat again."""
        starters = [0]
        for this in self.rounds[:-1]:
            ranked = for_medals(this)
            starters.append(ranked[0] if ranked else starters[-1])
        return starters

    def clockwise(self, round_place: int) -> list[int]:
        start = self.starters[round_place]
        return [(start + step) % self.players for step in range(self.players)]

    @cached_property
    def awards(self) -> list[list[tuple[int, str, int]]]:
        """For each round the medals that its fans win: (seat, metal, points)."""
        in_use = METALS if self.players >= self.options["bronze_from"] else METALS[:2]
        return [
            [
                (seat, metal, self.options[metal][place])
                for seat, metal in zip(for_medals(this), in_use, strict=False)
            ]
            for place, this in enumerate(self.rounds)
        ]


def for_medals(this: Round) -> list[int]:
    """Seats from the most cards to the fewest, then from the higher value to the lower."""
    return sorted(this.fans, key=lambda seat: this.fans[seat][::-1], reverse=True)


@st.composite
def games(draw: Any, **fixed: Any) -> Played:
    """Any game under any rules; some rules may be fixed."""
    players = draw(st.integers(2, 5))
    deck = draw(decks.filter(lambda cards: players <= sum(cards) <= MOST_CARDS))
    rounds = draw(st.integers(1, MOST_ROUNDS))
    medals = st.lists(st.integers(0, 20), min_size=rounds, max_size=MOST_ROUNDS).map(tuple)
    options = {
        "deck": deck,
        "hand": draw(st.integers(1, min(100, sum(deck) // players))),
        "rounds": rounds,
        "gold": draw(medals),
        "silver": draw(medals),
        "bronze": draw(medals),
        "bronze_from": draw(st.integers(2, 6)),
        "finale": draw(st.sampled_from([*SIDES, "random"])),
        "finale_gold": draw(st.integers(0, 30)),
        "finale_silver": draw(st.integers(0, 30)),
        "finale_zero": draw(st.booleans()),
        "finale_run": draw(st.sampled_from(["longest", "fullest"])),
        "stacks": draw(st.integers(players, 10)),
        "stack_limit": draw(st.integers(1, 20)),
    }
    words = draw(st.lists(st.sampled_from(POLICIES), min_size=players, max_size=players))
    seed, deal = draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 2**63 - 1))
    return Played(tuple(words), options | fixed, seed, deal)


# --- Cards -----------------------------------------------------------------------------------


@repeatable
@given(games())
def test_no_card_is_lost_or_made(game: Played) -> None:
    """Hands, deck, discard pile, stacks and fans are the deck, before every decision."""
    lying = np.zeros((len(game.rows), 8), np.int64)
    fans = game.tables["plays"].clip(0)
    fans[game.tables["phase"] == FINISHED] = 0  # they show what was played, but are discarded
    for moves in (game.tables["stacks"], fans):
        for value in range(1, 9):
            lying[:, value - 1] += (moves // 8 * (moves % 8 == value - 1)).sum(axis=1)
    everything = game.hands.sum(axis=1) + game.decks + counts_in(game.tables["discard"]) + lying
    assert (everything == game.options["deck"]).all()


@repeatable
@given(games())
def test_the_table_knows_how_many_cards_each_seat_holds(game: Played) -> None:
    sizes = game.tables["hand_cards"][:, : game.players]
    assert (sizes == game.hands.sum(axis=2)).all()
    assert sizes[-1].tolist() == game.of_seats("hand_cards")


@repeatable
@given(games())
def test_known_cards_are_in_the_hand_and_the_others_have_never_been_seen(game: Played) -> None:
    """Until the first reshuffle the deck is unseen, too; later all know what is in it."""
    assert (game.known <= game.hands).all()
    unseen_in_hands = (game.hands - game.known).sum(axis=1)
    reshuffled = (game.tables["reshuffles"] > 0)[:, None]
    expected = unseen_in_hands + np.where(reshuffled, 0, game.decks)
    assert (counts_in(game.tables["unseen"]) == expected).all()
    assert (counts_in(game.tables["deck_pile"]) == np.where(reshuffled, game.decks, 0)).all()


@repeatable
@given(games())
def test_of_equal_cards_those_taken_from_a_stack_are_played_first(game: Played) -> None:
    known = np.zeros((game.players, 8), np.int64)
    for row, after in zip(game.rows[:-1], game.known[1:], strict=True):
        value, cards = value_and_count(row.move)
        held = known[row.seat, value - 1]
        change = -min(cards, held) if row.state.table.phase == PLAY else cards
        known[row.seat, value - 1] += change
        assert (after == known).all()


@repeatable
@given(games())
def test_a_seat_knows_its_own_place_and_policies_keep_no_notes_unasked(game: Played) -> None:
    seats = game.rows["state"]["seats"][:, : game.players]
    assert (seats["seat"] == np.arange(game.players)).all()
    assert (seats["notes"][0] == 0).all()


@repeatable
@given(games())
def test_cards_played_are_the_cards_of_all_fans(game: Played) -> None:
    played = [0] * game.players
    for this in game.rounds:
        for seat, (_, cards) in this.fans.items():
            played[seat] += cards
    assert game.of_seats("cards_played") == played


# --- Moves -----------------------------------------------------------------------------------


def judge(rules_at, rows, lowest, verdicts):
    """Whether each row's seat is allowed each move from the lowest one on."""
    for place in range(len(rows)):
        row = rows[place]
        own = row.state.seats[row.seat]
        for step in range(verdicts.shape[1]):
            verdicts[place, step] = allowed(rules_at[0], row.state.table, own, lowest + step)
    return 0


@repeatable
@given(games())
def test_the_legal_moves_are_those_that_are_allowed_and_no_others(game: Played) -> None:
    rows, rules = game.rows[:-1].copy(), game.replayer.matchup.rules
    lowest, most = -5, 300 if INTERPRETED else 8 * (MOST_CARDS + 2)
    verdicts = np.zeros((len(rows), most - lowest + 1), np.int64)
    kernel = compiled(judge, RULES_AT, ROWS, types.int64, types.int64[:, ::1])
    kernel(rules, rows, lowest, verdicts)
    listed = legal_lists(rules, rows)
    for legal, verdict in zip(listed, verdicts, strict=True):
        assert legal == (np.flatnonzero(verdict) + lowest).tolist()
    assert all(row.move in legal for row, legal in zip(rows, listed, strict=True))


@repeatable
@given(games())
def test_a_hand_of_h_cards_makes_h_fans_less_those_on_the_table(game: Played) -> None:
    rows = game.rows[:-1].copy()
    for row, legal in zip(rows, legal_lists(game.replayer.matchup.rules, rows), strict=True):
        hand, table = counts_in(row.state.seats[row.seat].hand), row.state.table
        if table.phase != PLAY:
            assert set(legal) == {stack for stack in table.stacks.tolist() if stack > 0}
            continue
        lying = [value_and_count(move) for move in table.plays if move > 0]
        blocked = sum(cards <= hand[value - 1] for value, cards in lying)
        assert len(legal) == table.hand_cards[row.seat] - blocked > 0


# --- The course of a round -------------------------------------------------------------------


@repeatable
@given(games())
def test_fans_are_played_clockwise_and_only_who_cannot_play_is_left_out(game: Played) -> None:
    passes = 0
    for place, this in enumerate(game.rounds):
        able = [seat for seat in game.clockwise(place) if seat in this.fans]
        assert list(this.fans) == able
        passes += game.players - len(able)
    assert game.traced.outcome.passes == passes
    for before, after in pairwise(game.rows):
        for seat in passed_between(before.state.table, after.state.table, game.players):
            assert not fans_left(after.state, seat)


def passed_between(before: Any, after: Any, players: int) -> list[int]:
    """Seats that passed between two decisions of one round."""
    if before.round_number != after.round_number:
        return []
    return [s for s in range(players) if before.plays[s] != -1 and after.plays[s] == -1]


def fans_left(state: Any, seat: int) -> set[tuple[int, int]]:
    """Fans of a seat's hand that nobody has laid out."""
    hand = enumerate(counts_in(state.seats[seat].hand), 1)
    mine = {(value, cards) for value, held in hand for cards in range(1, held + 1)}
    return mine - {value_and_count(move) for move in state.table.plays if move > 0}


@repeatable
@given(games())
def test_who_wins_gold_starts_the_next_round(game: Played) -> None:
    for row in game.rows[:-1]:
        if row.state.table.phase == PLAY:
            place = int(row.state.table.round_number) - 1
            assert row.state.table.starter == game.starters[place]


@repeatable
@given(games())
def test_the_highest_value_chooses_first_then_more_cards_then_who_passed(game: Played) -> None:
    for place, this in enumerate(game.rounds):
        order = sorted(this.fans, key=lambda seat: this.fans[seat], reverse=True)
        order += [seat for seat in game.clockwise(place) if seat not in this.fans]
        assert this.taken == order[: min(game.players, this.open_stacks)]


@repeatable
@given(games())
def test_stacks_are_of_one_value_within_the_limit_and_the_last_one_has_one_card(
    game: Played,
) -> None:
    options, openings = game.options, 0
    for row in game.rows[:-1]:
        table = row.state.table
        if table.acted or table.phase != PLAY:
            continue
        openings += 1
        stacks = [value_and_count(stack) for stack in table.stacks if stack > 0]
        assert len(stacks) == table.open <= options["stacks"]
        assert all(1 <= cards <= options["stack_limit"] for _, cards in stacks)
        if len(stacks) == options["stacks"]:
            assert stacks[-1][1] == 1
        else:
            assert table.deck_cards == 0, "revealing stops early only when no card is left"
    assert openings <= options["rounds"]


# --- Medals and points -----------------------------------------------------------------------


@repeatable
@given(games())
def test_each_round_hands_out_its_medals_to_the_best_fans(game: Played) -> None:
    points = np.zeros((len(game.rounds), game.players), np.int64)
    for place, awards in enumerate(game.awards):
        for seat, _, worth in awards:
            points[place:, seat] += worth
    after = game.traced.outcome["seats"]["points_after"][: game.players]
    assert after[:, : len(game.rounds)].T.tolist() == points.tolist()
    assert game.of_seats("medal_points") == points[-1].tolist()


@repeatable
@given(games())
def test_medals_handed_out_are_the_printed_rows_in_use_less_those_without_a_fan(
    game: Played,
) -> None:
    in_use = 3 if game.players >= game.options["bronze_from"] else 2
    rows = [game.options[metal][: len(game.rounds)] for metal in METALS[:in_use]]
    unclaimed = 0
    for place, this in enumerate(game.rounds):
        unclaimed += sum(row[place] for row in rows[len(this.fans) :])
        assert len(this.fans) == game.players or game.traced.outcome.passes > 0
    assert sum(game.of_seats("medal_points")) == sum(map(sum, rows)) - unclaimed


@repeatable
@given(games())
def test_medals_are_counted_by_metal_and_the_highest_one_is_remembered(game: Played) -> None:
    won = [medal for awards in game.awards for medal in awards]
    for metal in METALS:
        counted = [sum((s, m) == (seat, metal) for s, m, _ in won) for seat in range(game.players)]
        assert game.of_seats(metal) == counted
    highest = [
        max((worth for seat, _, worth in won if seat == mine), default=0)
        for mine in range(game.players)
    ]
    assert game.tables["best_medal"][-1, : game.players].tolist() == highest


@repeatable
@given(games())
def test_points_are_medals_and_finale_medals(game: Played) -> None:
    finale = game.of_seats("finale_points")
    assert set(finale) <= {0, game.options["finale_gold"], game.options["finale_silver"]}
    sums = [a + b for a, b in zip(game.of_seats("medal_points"), finale, strict=True)]
    assert game.of_seats("points") == sums


@repeatable
@given(games())
def test_a_hand_that_counts_more_wins_no_less_of_the_finale(game: Played) -> None:
    """All with most cards win gold, all with second most silver, the others nothing."""
    cards = game.of_seats("finale_cards")
    places = sorted({n for n in cards if n > 0 or game.options["finale_zero"]}, reverse=True)
    prizes = dict(
        zip(places, [game.options["finale_gold"], game.options["finale_silver"]], strict=False)
    )
    assert game.of_seats("finale_points") == [prizes.get(n, 0) for n in cards]
    assert all(0 <= n <= held for n, held in zip(cards, game.of_seats("hand_cards"), strict=True))


# --- Who wins --------------------------------------------------------------------------------


@repeatable
@given(games())
def test_ranks_follow_points_and_then_the_highest_medal(game: Played) -> None:
    best = game.tables["best_medal"][-1, : game.players].tolist()
    scores = list(zip(game.of_seats("points"), best, strict=True))
    ranks = [1 + sum(other > mine for other in scores) for mine in scores]
    assert game.of_seats("rank") == ranks
    standing = game.of_seats("standing")
    assert [1 + sum(other > mine for other in standing) for mine in standing] == ranks


@repeatable
@given(games())
def test_the_win_is_shared_among_the_first_and_its_parts_make_a_whole(game: Played) -> None:
    first = [rank == 1 for rank in game.of_seats("rank")]
    shares = game.of_seats("win_share")
    assert sum(shares) == WHOLE_WIN == 60
    assert shares == [60 // sum(first) if wins else 0 for wins in first]
    assert game.traced.outcome.shared_win == (sum(first) > 1)


@repeatable
@given(games())
def test_lead_changes_are_changes_of_the_set_of_leaders_from_round_to_round(game: Played) -> None:
    after = game.traced.outcome["seats"]["points_after"][: game.players, : len(game.rounds)]
    leaders = [frozenset(np.flatnonzero(points == points.max())) for points in after.T]
    changes = sum(a != b for a, b in pairwise(leaders))
    assert game.traced.outcome.lead_changes == changes
    assert game.traced.outcome.checkpoints == len(game.rounds)


@repeatable
@given(games())
def test_the_finale_changed_the_winner_if_others_lead_by_medals_alone(game: Played) -> None:
    best = game.tables["best_medal"][-1, : game.players].tolist()
    by_medals = list(zip(game.of_seats("medal_points"), best, strict=True))
    leads = [mine == max(by_medals) for mine in by_medals]
    wins = [rank == 1 for rank in game.of_seats("rank")]
    assert game.traced.outcome.finale_changed_winner == (leads != wins)


NOTHING = (0,) * MOST_ROUNDS


@repeatable
@given(games(gold=NOTHING, silver=NOTHING, bronze=NOTHING, finale_gold=0, finale_silver=0))
def test_with_worthless_medals_all_seats_share_the_win(game: Played) -> None:
    assert game.of_seats("points") == [0] * game.players
    assert game.of_seats("rank") == [1] * game.players
    assert game.of_seats("win_share") == [60 // game.players] * game.players
    assert game.traced.outcome.shared_win == 1


@repeatable
@given(st.integers(0, 2**64 - 1), st.integers(1, 7), st.sampled_from(POLICIES))
def test_two_players_whose_medals_are_all_equal_share_the_win(
    seed: int, rounds: int, policy: str
) -> None:
    medals = dict.fromkeys(("gold", "silver"), (4,) * rounds)
    options = medals | {"rounds": rounds, "finale_gold": 0, "finale_silver": 0}
    game = Played((policy, "random"), options, seed, deal=0)
    assert game.of_seats("points") == [4 * rounds] * 2
    assert game.of_seats("win_share") == [30, 30]


def test_the_settings_drawn_reach_the_rare_events() -> None:
    """What the properties above are checked on; without rare events they would say little."""
    events = ("passes", "reshuffles", "shared_win", "finale_changed_winner")
    seen = []

    @settings(repeatable, max_examples=50)
    @given(games())
    def look(game: Played) -> None:
        seen.append([int(game.traced.outcome[event]) > 0 for event in events])

    look()
    times = dict(zip(events, np.sum(seen, axis=0), strict=True))
    assert all(2 <= n < len(seen) for n in times.values()), times

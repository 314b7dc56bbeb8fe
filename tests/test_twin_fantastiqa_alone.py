"""The slow twin of Fantastiqa by itself: tables, setup, what may be done, and random games.

Random games are checked at every decision (nothing is lost or made) and at their end (the events
alone tell who holds what), and the lists of what may be done against a blind search.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import chain, permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twin_fantastiqa import (
    Choices,
    Game,
    Position,
    Seat,
    legal_turns,
    play,
    set_up,
)
from twin_fantastiqa_cards import REGIONS, SPACES, STATUES, SYMBOLS, Tables, default_tables
from twin_fantastiqa_ledger import ARTIFACT_KEYS, KEYS, Ledger

TABLES = default_tables()
OTHER_RULES: list[dict] = [
    {},
    {"profile": "39/49/59", "goal": "short"},
    {"loops": False, "wilds": False, "goal": "long", "turn_cap": 30},
    {"fly_over_empty": True, "turn_cap": 20},
    {"goal": -2, "turn_cap": 60},
]


def cheap_tables() -> Tables:
    """Other tables: all cards on sale cost one gem, and the game starts with other artifacts."""
    tables = deepcopy(TABLES)
    for name, card in tables.cards.items():
        tables.cards[name] = replace(card, price=min(1, card.price))
    tables.starting_artifacts[:] = ["A8", "A7", "Uriel's Robe", "Looking Glass", "A8"]
    return tables


class RandomPlayers:
    """Chance and all players, from one seed: any kind of action first, then any of that kind."""

    def __init__(self, seed: int, eager: float = 0.8) -> None:
        self.luck = random.Random(seed)
        self.eager = eager  # how often a quest is completed if it can be, and passing avoided

    def shuffle(self, what: tuple, cards: list[str]) -> list[str]:
        self.luck.shuffle(cards)
        return cards

    def choose(self, seat: int, kind: str, options: Any) -> Any:
        if isinstance(options, Choices):
            return self.act(options)
        if kind == "buy":  # else nobody ever has enough gems
            return max(options, key=len)
        return self.luck.choice(list(options))

    def act(self, options: Choices) -> Any:
        while True:
            kind = self.luck.choice(options.kinds)
            if "complete" in options.kinds and self.luck.random() < self.eager:
                kind = "complete" if any(options.of("complete")) else kind
            if kind == "pass" and self.luck.random() < self.eager:
                continue
            of_kind = list(options.of(kind))
            if of_kind:
                return self.luck.choice(of_kind)


# --- Tables and setup ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "players", "up", "down"),
    [
        ("48/59/59", 2, 19, 29),
        ("48/59/59", 3, 19, 40),
        ("48/59/59", 4, 19, 40),
        ("39/49/59", 2, 19, 20),
        ("39/49/59", 3, 29, 20),
        ("39/49/59", 4, 29, 30),
    ],
)
def test_the_creature_deck_has_its_sections(profile: str, players: int, up: int, down: int) -> None:
    sections = TABLES.creature_decks[profile, players]
    assert [section.total() for section in sections] == [up, down]
    assert all(len(TABLES.cards[name].symbols) < 2 for name in sections[0])


def test_the_full_deck_has_59_cards_with_thirty_gems_and_five_ravens() -> None:
    up, down = TABLES.creature_decks["48/59/59", 4]
    deck = up + down
    assert sum(number for name, number in deck.items() if TABLES.cards[name].gem) == 30
    assert deck["Mischievous Raven"] == 5
    symbols = Counter(chain(*(TABLES.cards[name].symbols for name in deck.elements())))
    assert symbols == dict.fromkeys(SYMBOLS, 9)


def test_each_symbol_beats_the_next_one_in_the_ring() -> None:
    """Wand, Sword, Fire, Water, Broom, Tooth, Net, Helmet, Bat, and Wand again."""
    for name in TABLES.creature_decks["48/59/59", 4][1]:
        card = TABLES.cards[name]
        if card.family == "creature":
            before = SYMBOLS[SYMBOLS.index(card.symbols[0]) - 1]
            assert card.weakness == (before, len(card.symbols))


def test_the_decks_are_as_large_as_the_box_says() -> None:
    assert TABLES.beast_deck.total() == 18
    assert TABLES.artifact_deck.total() + len(TABLES.starting_artifacts) == 29
    assert len(TABLES.starting_quests) + len(TABLES.quest_deck) == 45
    asked = Counter(dict.fromkeys(SYMBOLS, 0))
    for quest in TABLES.quests.values():
        asked.update(dict(quest.needs))
    assert asked == dict.fromkeys(SYMBOLS, 18)
    regions = Counter(TABLES.quests[name].region for name in TABLES.quest_deck)
    assert regions == dict.fromkeys(REGIONS, 6)


def fresh(players: int, **options: Any) -> Game:
    """A game right after the setup: nobody is choosy, and shuffles change nothing."""
    return set_up(players, lambda s, k, o: o[0], lambda w, c: c, options, TABLES)


def test_the_last_seat_chooses_first_and_seat_0_last() -> None:
    chosen = [e for e in fresh(3).events if e["event"] == "choose"]
    assert [(e["seat"], e["chosen"]) for e in chosen] == [
        (2, "S1"),
        (2, "Looking Glass"),
        (2, "TL"),
        (1, "S2"),
        (1, "Bell of Summoning"),
        (1, "TR"),
        (0, "S3"),
        (0, "Rogue's Purse"),
        (0, "ML"),
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_starts_with_the_same_and_owes_one_cup(players: int) -> None:
    table = fresh(players).position
    assert table.statues == dict(zip(table.regions, STATUES, strict=True))
    for number, seat in enumerate(table.seats):
        assert (seat.gems, seat.carpets, seat.reshuffles) == (3, 3, 3)
        assert (len(seat.hand), len(seat.draw), table.own_score(number)) == (5, 7, -1)
        artifact = TABLES.starting_artifacts[players - 1 - number]
        assert Counter(seat.hand + seat.draw) == Counter([*TABLES.starting_items, artifact])
    assert len({seat.place for seat in table.seats}) == players
    assert (table.gems, table.dragons, table.bonus) == (60 - 3 * players, 16 - players, 10)
    assert table.open_quests == TABLES.starting_quests[players : players + 2]
    assert table.bonus_on == [1, 1]


def test_the_up_arrow_section_lies_on_top() -> None:
    deck = fresh(2).position.creature_deck
    up, down = TABLES.creature_decks["48/59/59", 2]
    assert (Counter(deck[:19]), Counter(deck[19:])) == (up, down)


@pytest.mark.parametrize(
    ("options", "goals"),
    [
        ({}, [10, 8, 7]),
        ({"goal": "short"}, [8, 7, 7]),
        ({"goal": "long"}, [11, 10, 8]),
        ({"goal": 9}, [9, 9, 9]),
    ],
)
def test_the_goal_depends_on_players_and_length(options: dict, goals: list[int]) -> None:
    assert [fresh(players, **options).position.goal() for players in (2, 3, 4)] == goals


@pytest.mark.parametrize(("length", "goal"), [("short", 10), ("standard", 11), ("long", 11)])
def test_teams_have_goals_of_their_own(length: str, goal: int) -> None:
    assert fresh(4, goal=length, teams=True).position.goal() == goal


@pytest.mark.parametrize(("players", "options"), [(1, {}), (5, {}), (3, {"teams": True})])
def test_a_wrong_number_of_players_is_refused(players: int, options: dict) -> None:
    with pytest.raises(ValueError, match="players"):
        fresh(players, **options)


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown options"):
        fresh(2, gaol=3)


def test_the_cap_ends_the_game_after_as_many_turns_of_each() -> None:
    def idle(seat: int, kind: str, options: Any) -> Any:
        return {"act": ("pass",), "after": ("end",), "give": None}.get(kind) or (
            None if kind == "give" else options[0]
        )

    events, result = play(3, idle, lambda what, cards: cards, {"turn_cap": 2})
    assert (result["reason"], result["turns"]) == ("cap", 6)
    assert Counter(e["seat"] for e in events if e["event"] == "pass") == {0: 2, 1: 2, 2: 2}
    assert result["win_share"] == [Fraction(1, 3)] * 3


# --- What may be done, against a blind search ------------------------------------------------


def most_units(symbols: tuple[str, ...], wanted: str) -> int:
    """How often one can take away one wanted symbol, or two equal others: all ways tried."""

    @cache
    def most(left: tuple[str, ...]) -> int:
        best = 0
        for i, symbol in enumerate(left):
            rest = left[:i] + left[i + 1 :]
            if symbol == wanted:
                best = max(best, 1 + most(rest))
            elif symbol in rest:
                j = rest.index(symbol)
                best = max(best, 1 + most(rest[:j] + rest[j + 1 :]))
        return best

    return most(tuple(sorted(symbols)))


def paths(place: str, length: int) -> Iterator[tuple[int, ...]]:
    """All lines of spaces of this length from a place, each space used once."""
    for spaces in permutations(SPACES, length):
        here: str | None = place
        for space in spaces:
            ends = SPACES[space]
            here = None if here not in ends else ends[1 - ends.index(here)]
            if here is None:
                break
        else:
            yield spaces


def blind_adventures(position: Position, longest: int) -> set[tuple]:
    """Every way to lay each card of the hand on a creature of a line or on none, if it works."""
    found, hand = set(), position.me.hand

    def subdued(cards: Sequence[str], space: int) -> bool:
        wanted, number = TABLES.cards[position.creatures[space] or ""].weakness
        symbols = tuple(chain(*(TABLES.cards[card].symbols for card in cards)))
        return most_units(symbols, wanted) >= number

    for length in range(1, longest + 1):
        for spaces in paths(position.me.place or "", length):
            if not all(position.creatures[space] for space in spaces):
                continue
            for laid in product(range(-1, length), repeat=len(hand)):
                rows = [
                    [card for card, on in zip(hand, laid, strict=True) if on == step]
                    for step in range(length)
                ]
                if all(
                    subdued(cards, space)
                    and not any(
                        subdued(cards[:i] + cards[i + 1 :], space) for i in range(len(cards))
                    )
                    for cards, space in zip(rows, spaces, strict=True)
                ):
                    steps = zip(spaces, (tuple(sorted(row)) for row in rows), strict=True)
                    found.add(("adventure", tuple(steps)))
    return found


def random_position(seed: int, cards: int) -> Position:
    """Any hand in any place among creatures, some spaces empty."""
    luck = random.Random(seed)
    names = [n for n, c in TABLES.cards.items() if c.symbols]
    few = luck.sample(names, 4)  # so that pairs are common
    position = Position(
        [Seat(place=luck.choice(["TL", "ML", "BR"]), hand=luck.choices(few, k=cards)), Seat()]
    )
    creatures = [n for n in names if TABLES.cards[n].family == "creature"]
    for space in SPACES:
        position.creatures[space] = luck.choice([None, *creatures[:9], *creatures])
    return position


@pytest.mark.parametrize("seed", range(25))
def test_all_adventures_are_found_and_no_others(seed: int) -> None:
    position = random_position(seed, cards=4)
    listed = {turn for turn in legal_turns(position) if turn[0] == "adventure"}
    assert {turn for turn in listed if len(turn[1]) <= 3} == blind_adventures(position, 3)
    assert all(len(turn[1]) <= 4 for turn in listed)


def test_the_blind_search_meets_lines_of_several_creatures_and_pairs() -> None:
    """Else the comparison above would compare little."""
    lines = [blind_adventures(random_position(seed, cards=4), 3) for seed in range(25)]
    sizes = Counter(len(turn[1]) for line in lines for turn in line)
    assert min(sizes[1], sizes[2], sizes[3]) >= 5
    assert any(len(cards) >= 3 for line in lines for turn in line for _, cards in turn[1])


def forged(part: Any, luck: random.Random, cards: list[str]) -> Any:
    """Part of an action with a card exchanged, left out or added, or another number or quest."""
    if isinstance(part, int):
        return luck.randrange(9)
    if part in TABLES.quests:
        return luck.choice(["token", *TABLES.quests])
    if isinstance(part, str):
        return luck.choice(cards) if part in cards else part
    if set(part) <= set(cards):
        fewer = [card for card in part if luck.random() < 0.7]
        return tuple(sorted(fewer + luck.choices(cards, k=luck.choice([0, 1]))))
    place = luck.randrange(len(part))
    return (*part[:place], forged(part[place], luck, cards), *part[place + 1 :])


def test_an_action_is_allowed_exactly_when_it_is_listed() -> None:
    """For actions that resemble the listed ones, asked directly at any moment of a game."""
    luck, seen = random.Random(8), Counter[bool]()
    crowd = RandomPlayers(8)

    def choose(seat: int, kind: str, options: Any) -> Any:
        if isinstance(options, Choices) and luck.random() < 0.2:
            listed, me = set(options), options.position.me
            cards = [*me.hand, *me.discard, *me.token, "Bear"]
            for action in luck.choices(sorted(listed, key=str), k=40):
                other = forged(action, luck, cards)
                seen[other in options] += 1
                assert (other in options) == (other in listed), other
        return crowd.choose(seat, kind, options)

    play(3, choose, crowd.shuffle, {"turn_cap": 40})
    assert min(seen.values()) > 100


# --- Random games ----------------------------------------------------------------------------


def check_shares(result: dict) -> None:
    assert sum(result["win_share"]) == 1
    assert all(
        (share > 0) == (rank == 1)
        for share, rank in zip(result["win_share"], result["rank"], strict=True)
    )
    if result["reason"] != "goal":
        best = max(zip(result["counted"], result["quests"], strict=True))
        assert result["counted"][result["rank"].index(1)] == best[0]


class Watch:
    """Counts everything at each decision: nothing is lost or made."""

    def __init__(self, players: int, profile: str) -> None:
        up, down = TABLES.creature_decks[profile, players]
        self.cards = up + down + TABLES.beast_deck + TABLES.artifact_deck
        self.cards += Counter(TABLES.quest_deck)
        for _ in range(players):
            self.cards += Counter(TABLES.starting_items)
        self.chosen: Counter[str] = Counter()  # of the starting quests and artifacts
        self.decisions = 0

    def look(self, table: Position) -> None:
        self.decisions += 1
        cards = table.all_cards()
        dragons = cards.pop("Peaceful Dragon", 0)
        more = cards - self.cards
        self.chosen = self.chosen or more
        assert more == self.chosen
        assert self.cards - cards <= Counter({"Peaceful Dragon": len(table.seats)})
        assert (dragons + table.dragons, table.all_gems(), table.all_bonus()) == (16, 60, 12)
        assert all(len(seat.token) <= 5 and len(seat.quests) <= 3 for seat in table.seats)
        assert min(seat.gems for seat in table.seats) >= 0


def play_watched(players: int, rules: dict, seed: int, tables: Tables = TABLES) -> list[dict]:
    """The events of a random game in which everything is counted at every decision."""
    crowd = RandomPlayers(seed)
    watch = Watch(players, rules.get("profile", "48/59/59"))

    def choose(seat: int, kind: str, options: Any) -> Any:
        if isinstance(options, Choices):
            watch.look(options.position)
        return crowd.choose(seat, kind, options)

    events, result = play(players, choose, crowd.shuffle, rules, tables)
    assert watch.chosen.total() == 2 * players + 2
    assert watch.decisions > 0
    check_shares(result)
    ledger = Ledger(players, tables)
    for event in events:
        ledger.read(event)
    assert events[-1] == events[-1] | {"event": "over", "scores": ledger.scores}
    assert result["turns"] <= rules.get("turn_cap", 200) * players
    return list(events)


@cache
def some_events() -> list[dict]:
    """Games under various rules and two tables of cards, with two, three and four players."""
    events = []
    for seed, (rules, players) in enumerate(product(OTHER_RULES, (2, 3, 4)), 1):
        events += play_watched(players, rules, seed)
    return events + play_watched(3, {"turn_cap": 40}, 0, cheap_tables())


def test_nothing_is_lost_or_made_and_the_events_tell_who_has_what() -> None:
    """All of it is looked at while the games are played; here, that there was much to look at."""
    assert Counter(event["event"] for event in some_events())["turn"] > 500


def test_everything_that_can_happen_happens_in_random_games() -> None:
    happened = {event["event"] for event in some_events()}
    assert happened == set(KEYS) | {"artifact"}
    assert {event["price"] for event in some_events() if event["event"] == "buy"} >= {1, 2, 3}
    used = {event["card"] for event in some_events() if event["event"] == "artifact"}
    assert used == set(ARTIFACT_KEYS)
    options = {event["option"] for event in some_events() if event["event"] == "visit"}
    assert options == {"draw", "release", "teleport"}
    reasons = {event["reason"] for event in some_events() if event["event"] == "over"}
    assert reasons == {"goal", "creatures", "cap"}


@settings(derandomize=True, database=None, deadline=None, max_examples=10)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([2, 3, 4]),
    st.booleans(),
    st.fixed_dictionaries(
        {"turn_cap": st.integers(1, 30)},
        optional={
            "goal": st.integers(-1, 4),
            "profile": st.sampled_from(["48/59/59", "39/49/59"]),
            "loops": st.booleans(),
            "wilds": st.booleans(),
            "fly_over_empty": st.booleans(),
        },
    ),
)
def test_every_random_game_ends_under_any_rules(
    seed: int, players: int, teams: bool, rules: dict
) -> None:
    events = play_watched(players, rules | {"teams": teams and players == 4}, seed)
    assert events[-1]["event"] == "over"

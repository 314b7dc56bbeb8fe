"""The slow Fantasía S.A. against the rulebook: its examples, scenes at a table, random games.

A scene is a table laid out by hand, and a script of who is asked what, in order, and answers what.
Somebody who is asked and stands not in the script, or the other way round, fails the test.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

import pytest
from twin_fantasia import GOALS, NOTHING, PASS, Game, Option, Over, play, succeeds
from twin_fantasia_cards import CARDS, printed_decks

DIVINE = "Una Mision Divina"
HINDER = "Hindrance"
REROLL = "Re-roll"
MUM = "Humiliated by Mum"
SERF = "Beaten like a red-headed serf"
CANCEL = "Cancel"
IDEAS = "Fresh ideas"
FINGERS = "Light fingers"
CURE = "Miracle cure"

Line = tuple[int, str, Option]  # who is asked, about what, and the answer


class Scene:
    """A table laid out by hand; seat 0 has the next turn."""

    def __init__(
        self,
        *script: Line,
        players: int = 3,
        feats: Iterable[str] = ("F01", "F02", "F03"),
        sponsors: Iterable[str] = ("P06", "P12", "P18"),
        heroes: Iterable[str] = (),
        hands: dict[int, list[str]] | None = None,
        fronts: dict[int, list[str]] | None = None,
        hospital: Iterable[int] = (),
        dice: dict[int, list[int]] | None = None,
        reshuffled: Iterable[list[str]] = (),
        **rules: object,
    ) -> None:
        self.script = list(script)
        self.offered: list[list[Option]] = []  # the options of each line of the script
        self.dice = [iter((dice or {}).get(seat, [])) for seat in range(players)]
        self.reshuffled = list(reshuffled)
        decks = {"feat": list(feats), "hero": list(heroes), "sponsor": list(sponsors)}
        self.game = Game(players, decks, self.dice, self.shuffle, {"hand": 0, **rules}, self.answer)
        for seat, hand in (hands or {}).items():
            self.game.knights[seat].hand = list(hand)
        for seat, front in (fronts or {}).items():
            self.lay_in_front(seat, front)
        for seat in hospital:
            self.game.knights[seat].in_hospital = True

    def lay_in_front(self, seat: int, cards: list[str]) -> None:
        knight = self.game.knights[seat]
        piles = {"equipment": knight.equipment, "feat": knight.curses, "sponsor": knight.sponsors}
        for card in cards:
            piles[CARDS[card]["is"]].append(card)

    def shuffle(self, deck: str, cards: Counter) -> list[str]:
        order = self.reshuffled.pop(0)
        assert Counter(order) == cards, deck
        return order

    def answer(self, seat: int, kind: str, options: list[Option]) -> Option:
        assert self.script, f"seat {seat} was asked {kind}: {options}"
        expected_seat, expected_kind, option = self.script.pop(0)
        assert (seat, kind) == (expected_seat, expected_kind), (seat, kind, options)
        self.offered.append(options)
        return option

    def turns(self, count: int = 1) -> list[dict]:
        """Play some turns; what happened in them. All dice and lines have to be used."""
        before = len(self.game.events)
        for _ in range(count):
            self.game.take_turn()
        return self.played_since(before)

    def to_the_end(self) -> list[dict]:
        before = len(self.game.events)
        self.game.play_on()
        return self.played_since(before)

    def played_since(self, before: int) -> list[dict]:
        assert self.script == []
        assert [next(dice, None) for dice in self.dice] == [None] * len(self.dice)
        return self.game.events[before:]

    def knight(self, seat: int):
        return self.game.knights[seat]


def of(events: list[dict], *kinds: str) -> list[dict]:
    return [event for event in events if event["event"] in kinds]


def told(events: list[dict], *kinds: str) -> list[tuple]:
    """The events of these kinds, short: the kind, the seat, the card."""
    return [(e["event"], e["seat"], e.get("card")) for e in of(events, *kinds)]


def tries(feat: str, seat: int = 0) -> Line:
    return (seat, "feat", ("feat", feat))


def before(seat: int, card: str) -> Line:
    return (seat, "before roll", ("play", card))


def cancels(seat: int, player: int, card: str) -> Line:
    return (seat, "cancel", ("play", CANCEL, player, card))


# --- The box ---


def test_the_box_has_95_cards_in_the_printed_numbers() -> None:
    decks = printed_decks()
    assert {name: len(deck) for name, deck in decks.items()} == {
        "feat": 30,
        "hero": 41,
        "sponsor": 24,
    }
    assert sum(CARDS[card]["is"] == "equipment" for card in decks["hero"]) == 21
    kinds = Counter(CARDS[card]["type"] for card in decks["feat"])
    assert kinds == {"Combat": 10, "Rescue": 10, "Pickup": 10}
    families = Counter(CARDS[card]["type"] for card in decks["sponsor"])
    assert families == {"Materials": 6, "Service": 6, "Herald": 6, "Magic": 6}
    loot = [e[1] for c in decks["sponsor"] for e in CARDS[c]["effects"] if e[0] == "loot"]
    assert sum(loot) == 48


def test_the_cards_of_the_examples_have_their_printed_prices() -> None:
    assert (CARDS["F09"]["gold"], CARDS["F09"]["renown"], CARDS["F09"]["difficulty"]) == (3, 4, 7)
    assert CARDS["A2"]["cost"] == 2
    assert CARDS["P03"]["cost"] == CARDS["P09"]["cost"] == 4
    assert CARDS["P08"]["effects"] == [("loot", 1), ("roll", "Rescue", 1)]
    assert CARDS["P24"]["effects"] == [("loot", 3), ("draw", 1)]
    assert CARDS["P23"]["effects"] == [("loot", 3)]


@pytest.mark.parametrize(("players", "goal"), [(2, 14), (3, 12), (4, 10), (5, 9)])
def test_the_goal_depends_on_the_number_of_players(players: int, goal: int) -> None:
    assert GOALS[players] == goal
    assert Scene(players=players).game.goal == goal


# --- The Feat Roll ---


def test_a_seven_with_plus_two_and_minus_one_is_an_eight() -> None:
    assert succeeds((3, 4), +2 - 1, 8)
    assert not succeeds((3, 4), +2 - 1, 9)


def test_a_natural_12_always_succeeds_and_a_natural_2_never() -> None:
    assert succeeds((6, 6), -9, 12)
    assert not succeeds((1, 1), +9, 5)
    assert succeeds((1, 2), +9, 12)  # a 12 only by modifiers is no natural one
    assert not succeeds((6, 4), -8, 3)  # nor is such a 2


@pytest.mark.parametrize(
    ("difficulty", "ways"),
    [(5, 30), (6, 26), (7, 21), (8, 15), (9, 10), (10, 6), (11, 3), (12, 1)],
)
def test_a_feat_succeeds_in_as_many_of_36_ways_as_the_table_says(
    difficulty: int, ways: int
) -> None:
    dice = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    assert sum(succeeds(pair, 0, difficulty) for pair in dice) == ways
    assert sum(succeeds(pair, 20, difficulty) for pair in dice) == 35
    assert sum(succeeds(pair, -20, difficulty) for pair in dice) == 1


def test_every_modifier_stands_in_the_record_with_its_source() -> None:
    """A Pickup of 8: +2, +1 and +1 in front, two curses of which one is a Pickup, -2 by a rival."""
    scene = Scene(
        tries("F15"),
        before(1, HINDER),
        before(0, DIVINE),
        feats=["F15", "F16", "F17"],
        fronts={0: ["C5", "P14", "A4", "F08", "F27", "S6"]},
        hands={0: [DIVINE], 1: [HINDER]},
        dice={0: [2, 5]},
    )
    (roll,) = of(scene.turns(), "roll")
    sources = [["C5", 2], ["F27", -1], ["P14", 1], ["S6", 1], [HINDER, -2], [DIVINE, 1]]
    assert roll["modifiers"] == sources
    assert (roll["dice"], roll["total"], roll["success"]) == ([2, 5], 9, True)


def test_two_divine_missions_give_plus_two() -> None:
    scene = Scene(
        tries("F04"),
        before(0, DIVINE),
        before(0, DIVINE),
        feats=["F04", "F16", "F17"],
        hands={0: [DIVINE, DIVINE]},
        dice={0: [1, 3]},
    )
    events = scene.turns()
    assert of(events, "roll")[0]["total"] == 6
    assert told(events, "succeed", "fail") == [("succeed", 0, "F04")]
    assert scene.game.discards["hero"] == [DIVINE, DIVINE]


def test_modifiers_of_one_attempt_are_gone_in_the_next() -> None:
    scene = Scene(
        tries("F01"),
        before(0, DIVINE),
        tries("F04", seat=1),
        players=2,
        feats=["F01", "F04", "F05", "F06"],
        heroes=["C7", "A7"],
        hands={0: [DIVINE]},
        dice={0: [4, 4], 1: [4, 4]},
    )
    assert [roll["total"] for roll in of(scene.turns(2), "roll")] == [9, 8]


# --- Buying ---


def test_three_gold_buy_the_equipment_of_two_and_no_change_is_given() -> None:
    """The example of Child's Shield, with a dearer and an unaffordable card in hand."""
    scene = Scene(
        tries("F09"),
        (0, "buy", ("buy", "A2")),
        feats=["F09", "F16", "F17"],
        sponsors=["P03", "P04", "P05"],
        hands={0: ["A2", "A4", "A6", "C1"]},
        dice={0: [4, 4]},
    )
    events = scene.turns()
    assert scene.offered[1] == [
        NOTHING,
        ("buy", "A2"),
        ("buy", "A4"),
        ("buy", "C1"),
        ("buy", "P03"),
    ]
    (bought,) = of(events, "buy")
    assert (bought["card"], bought["pay"], bought["worth"]) == ("A2", "gold", 3)
    assert scene.knight(0).equipment == ["A2"]
    assert sorted(scene.knight(0).hand) == ["A4", "A6", "C1"]
    assert scene.game.discards["feat"] == ["F09"]
    assert scene.game.reserves["feat"] == ["F16", "F17"]  # refilled with the next turn only


def test_four_renown_buy_the_sponsor_of_four_from_the_reserve() -> None:
    scene = Scene(
        tries("F09"),
        (0, "buy", ("buy", "P03")),
        feats=["F09", "F16", "F17", "F18"],
        sponsors=["P03", "P04", "P05", "P01"],
        dice={0: [4, 4]},
    )
    events = scene.turns()
    (bought,) = of(events, "buy")
    assert (bought["pay"], bought["worth"], bought["loot"]) == ("renown", 4, [2, 0, 0])
    assert scene.knight(0).sponsors == ["P03"]
    assert scene.game.reserves["sponsor"] == ["P04", "P05"]
    scene.script = [tries("F18", seat=1)]
    scene.dice[1] = iter([1, 1])
    refills = of(scene.turns(), "refill")
    assert [(e["deck"], e["cards"]) for e in refills] == [("feat", ["F18"]), ("sponsor", ["P01"])]


def test_one_may_buy_nothing_and_is_not_asked_if_nothing_is_within_reach() -> None:
    scene = Scene(
        tries("F09"),
        (0, "buy", NOTHING),
        feats=["F09", "F16", "F17"],
        sponsors=["P03", "P04", "P05"],
        dice={0: [4, 4]},
    )
    assert of(scene.turns(), "buy") == []
    poor = Scene(tries("F01"), hands={0: ["A2", IDEAS]}, dice={0: [4, 4]}, feats=["F01", "F02"])
    poor.script.insert(0, (0, "turn", PASS))
    assert of(poor.turns(), "buy") == []
    assert poor.game.discards["feat"] == ["F01"]


def test_a_card_that_adds_renown_does_so_for_sponsors_only() -> None:
    scene = Scene(
        tries("F09"),
        (0, "buy", ("buy", "P06")),
        feats=["F09", "F16", "F17"],
        sponsors=["P06", "P05", "P04"],
        fronts={0: ["S2", "S5", "P01"]},
        hands={0: ["A6"]},
        dice={0: [4, 4]},
    )
    with pytest.raises(ValueError, match="may not choose"):
        scene.turns()
    assert scene.offered[1] == [NOTHING, ("buy", "P04"), ("buy", "P05")]  # 6, not 7, and no A6


def test_two_cards_for_one_feat_are_of_one_currency_and_each_within_its_value() -> None:
    scene = Scene(
        tries("F09"),
        (0, "buy", ("buy", "A4")),
        (0, "buy", ("buy", "C5")),
        feats=["F09", "F16", "F17"],
        sponsors=["P03", "P04", "P05"],
        fronts={0: ["A7"]},
        hands={0: ["A4", "C5", "C1", "A6"]},
        dice={0: [4, 4]},
    )
    events = scene.turns()
    assert scene.offered[2] == [NOTHING, ("buy", "C1"), ("buy", "C5")]
    assert [(e["card"], e["worth"]) for e in of(events, "buy")] == [("A4", 3), ("C5", 3)]
    assert scene.game.reserves["sponsor"] == ["P03", "P04", "P05"]


@pytest.mark.parametrize("at_once", [True, False])
def test_two_sponsors_may_be_bought_as_well(at_once: bool) -> None:
    scene = Scene(
        tries("F09"),
        (0, "buy", ("buy", "P03")),
        (0, "buy", ("buy", "P09")),
        feats=["F09", "F16", "F17"],
        sponsors=["P03", "P09", "P05"],
        fronts={0: ["A7"]},
        hands={0: ["C1"]},
        dice={0: [4, 4]},
        two_at_once=at_once,
    )
    assert [e["loot"][0] for e in of(scene.turns(), "buy")] == [2, 4]


@pytest.mark.parametrize("at_once", [True, False])
def test_the_card_that_lets_two_be_bought_may_count_for_its_own_feat(at_once: bool) -> None:
    script: list[Line] = [tries("F21"), (0, "buy", ("buy", "A7"))]
    if at_once:
        script.append((0, "buy", ("buy", "C1")))
    scene = Scene(
        *script,
        feats=["F21", "F16", "F17"],
        hands={0: ["A7", "C1"]},
        dice={0: [6, 3]},
        two_at_once=at_once,
    )
    scene.turns()
    assert scene.knight(0).equipment == (["A7", "C1"] if at_once else ["A7"])


def test_action_cards_are_not_for_sale_and_a_sponsors_benefit_starts_at_once() -> None:
    scene = Scene(
        tries("F30"),
        (0, "buy", ("buy", "P24")),
        tries("F02", seat=1),
        players=2,
        feats=["F30", "F02", "F03", "F04", "F05"],
        sponsors=["P24"],
        heroes=["C1", "C2", "C4", "C5"],
        hands={0: [CANCEL]},
        dice={0: [6, 6], 1: [1, 1]},
    )
    scene.turns(2)
    assert scene.offered[1] == [NOTHING, ("buy", "C1"), ("buy", "P24")]
    scene.script = [tries("F03")]
    scene.dice[0] = iter([1, 1])
    (draw,) = of(scene.turns(), "draw")
    assert (draw["cards"], draw["why"]) == (["C4", "C5"], "phase 1")


# --- Winning ---


def test_the_game_ends_the_moment_a_sponsor_brings_enough_loot() -> None:
    """With 11 of 12 and a card that buys two, the second Sponsor is never bought."""
    scene = Scene(
        tries("F09"),
        (0, "buy", ("buy", "P01")),
        feats=["F09", "F16", "F17"],
        sponsors=["P01", "P07", "P13"],
        fronts={0: ["A7", "P05", "P06", "P11", "P09"]},
        dice={0: [4, 4]},
    )
    events = scene.to_the_end()
    assert [event["event"] for event in events[-2:]] == ["buy", "win"]
    assert events[-1] == {"event": "win", "turn": 1, "seat": 0, "loot": [12, 0, 0]}
    assert scene.game.result() == {
        "points": [12, 0, 0],
        "win_share": [1, 0, 0],
        "turns": 1,
        "capped": False,
    }


def test_equipment_with_loot_wins_too() -> None:
    scene = Scene(
        tries("F25"),
        (0, "buy", ("buy", "S7")),
        feats=["F25", "F16", "F17"],
        fronts={0: ["P05", "P06", "P11", "S4"]},
        hands={0: ["S7"]},
        dice={0: [6, 4]},
    )
    assert scene.to_the_end()[-1]["loot"] == [12, 0, 0]


def test_a_win_in_the_middle_of_a_pass_ends_it() -> None:
    """Light fingers takes the Loot that was missing: no further card, no Feat."""
    scene = Scene(
        (0, "turn", ("play", FINGERS, 2, "S7")),
        (1, "cancel", PASS),
        hands={0: [FINGERS, IDEAS, MUM], 1: [CANCEL]},
        fronts={0: ["P05", "P06", "P11", "S4"], 2: ["S7", "P01"]},
    )
    events = scene.to_the_end()
    assert [event["event"] for event in events] == ["turn", "play", "steal", "win"]
    assert events[-2]["loot"] == events[-1]["loot"] == [12, 0, 1]
    assert scene.game.result()["win_share"] == [1, 0, 0]
    assert cards_at(scene.game)[FINGERS] == 1


def test_of_two_who_have_enough_at_once_the_active_one_wins_then_who_is_next() -> None:
    rich = ["P05", "P06", "P11", "P12"]
    scene = Scene(fronts={0: rich, 2: ["P17", "P18", "P23", "P24"]}, players=3)
    for active, winner in ((2, 2), (0, 0), (1, 2)):
        scene.game.active = active
        with pytest.raises(Over):
            scene.game.see_who_has_won()
        assert scene.game.winners == [winner]


def test_at_the_turn_cap_the_highest_loot_wins_and_ties_share() -> None:
    scene = Scene(
        tries("F01"),
        tries("F02", seat=1),
        feats=["F01", "F02", "F03", "F04"],
        sponsors=(),
        fronts={0: ["P01"], 1: ["P03"], 2: ["P09"]},
        dice={0: [1, 1], 1: [1, 1]},
        turn_cap=2,
    )
    assert scene.to_the_end()[-1] == {"event": "cap", "turn": 2, "loot": [1, 2, 2]}
    half = Fraction(1, 2)
    assert scene.game.result() == {
        "points": [1, 2, 2],
        "win_share": [0, half, half],
        "turns": 2,
        "capped": True,
    }


# --- Phase 1 ---


def test_the_setup_deals_whole_hands_and_turns_up_three_and_three() -> None:
    decks = printed_decks()
    game = Game(2, decks, [], lambda deck, cards: [], {}, lambda seat, kind, options: options[0])
    assert game.events == [
        {"event": "deal", "turn": 0, "seat": 0, "cards": ["S1", "S2", "S3"]},
        {"event": "deal", "turn": 0, "seat": 1, "cards": ["S4", "S5", "S6"]},
        {"event": "refill", "turn": 0, "deck": "feat", "cards": ["F01", "F02", "F03"]},
        {"event": "refill", "turn": 0, "deck": "sponsor", "cards": ["P01", "P02", "P03"]},
    ]


def test_a_seventh_card_is_discarded_before_any_card_may_be_used() -> None:
    hand = ["A1", "A2", "A3", "A4", IDEAS, IDEAS]
    scene = Scene(
        (0, "discard", ("discard", IDEAS)),
        (0, "turn", PASS),
        tries("F01"),
        hands={0: hand},
        heroes=["A5"],
        dice={0: [1, 1]},
    )
    events = scene.turns()
    assert [event["event"] for event in events][:4] == ["turn", "draw", "discard", "feat"]
    assert len(scene.offered[0]) == 6  # the two Fresh ideas are one option
    assert scene.game.discards["hero"] == [IDEAS]


def test_magic_sponsors_draw_more_and_the_hand_is_cut_down_card_by_card() -> None:
    scene = Scene(
        (0, "discard", ("discard", "S1")),
        (0, "discard", ("discard", "S2")),
        tries("F01"),
        hands={0: ["A1", "A2", "A3", "A4", "A5"]},
        heroes=["S1", "S2", "S3", "S4"],
        fronts={0: ["P20", "P22"], 1: ["P24"]},
        dice={0: [1, 1]},
    )
    (draw,) = of(scene.turns(), "draw")
    assert draw["cards"] == ["S1", "S2", "S3"]
    assert len(scene.knight(0).hand) == 6


def test_a_deck_that_is_empty_when_a_card_is_wanted_is_its_discards_shuffled() -> None:
    """Seat 0 empties the Hero deck; both decks are shuffled in seat 1's turn, not before."""
    scene = Scene(
        tries("F02"),
        before(0, DIVINE),
        players=2,
        feats=["F01", "F02", "F03"],
        heroes=[DIVINE],
        dice={0: [1, 2]},
        reshuffled=[["F02"], [DIVINE]],
    )
    assert of(scene.turns(), "reshuffle") == []
    scene.script = [tries("F03", seat=1), before(1, DIVINE)]
    scene.dice[1] = iter([1, 1])
    events = scene.turns()
    assert [(e["event"], e.get("deck"), e.get("cards")) for e in events][1:5] == [
        ("reshuffle", "feat", 1),
        ("refill", "feat", ["F02"]),
        ("reshuffle", "hero", 1),
        ("draw", None, [DIVINE]),
    ]


def test_a_reserve_stays_short_if_no_card_is_left_anywhere() -> None:
    scene = Scene(tries("F01"), feats=["F01"], sponsors=["P06"], dice={0: [1, 1]})
    assert of(scene.turns(), "refill", "reshuffle", "draw") == []
    assert scene.offered == [[("feat", "F01")]]  # forced, and asked all the same
    empty = Scene(feats=[], sponsors=[])
    assert [event["event"] for event in empty.turns()] == ["turn"]


# --- Hospital ---


def test_a_knight_in_hospital_draws_and_plays_but_rests_instead_of_a_feat() -> None:
    scene = Scene(
        (0, "turn", ("play", IDEAS)),
        hands={0: [IDEAS]},
        heroes=["A1", "A2", "A3"],
        hospital=[0],
    )
    events = scene.turns()
    assert [event["event"] for event in events] == ["turn", "draw", "play", "draw", "heal"]
    assert events[-1]["why"] == "rest"
    assert not scene.knight(0).in_hospital


def test_a_miracle_cure_lets_the_knight_attempt_a_feat_and_play_on_before_it() -> None:
    scene = Scene(
        (0, "turn", ("play", CURE)),
        (0, "turn", ("play", IDEAS)),
        tries("F01"),
        hands={0: [CURE, IDEAS]},
        heroes=["A1", "A2", "A3"],
        hospital=[0],
        dice={0: [1, 1]},
    )
    events = scene.turns()
    assert told(events, "heal", "feat") == [("heal", 0, None), ("feat", 0, "F01")]
    assert of(events, "heal")[0]["why"] == CURE


def test_a_healthy_knight_may_not_play_the_cure() -> None:
    scene = Scene(tries("F01"), hands={0: [CURE]}, dice={0: [1, 1]})
    scene.turns()
    assert scene.knight(0).hand == [CURE]


def test_who_is_sent_to_hospital_loses_the_next_phase_2_only() -> None:
    scene = Scene(
        tries("F02"),
        tries("F01", seat=1),
        tries("F05", seat=1),
        tries("F03"),
        players=2,
        feats=["F02", "F01", "F03", "F05", "F10", "F15"],
        dice={0: [1, 2, 1, 1], 1: [1, 1, 1, 1]},
    )
    assert told(scene.turns(5), "feat", "hospital", "heal") == [
        ("feat", 0, "F02"),
        ("hospital", 0, None),
        ("feat", 1, "F01"),
        ("heal", 0, None),
        ("feat", 1, "F05"),
        ("feat", 0, "F03"),
    ]


def test_a_second_way_to_hospital_changes_nothing() -> None:
    scene = Scene(
        (0, "turn", ("play", SERF, 1)),
        tries("F01"),
        hands={0: [SERF]},
        hospital=[1],
        fronts={1: ["A5", "C3"]},
        dice={0: [1, 1]},
    )
    (sent,) = of(scene.turns(), "hospital")
    assert (sent["news"], sent["why"]) == (False, SERF)
    assert scene.knight(1).in_hospital
    assert scene.knight(1).equipment == ["A5", "C3"]


def test_whether_a_patient_may_be_beaten_again_is_a_switch() -> None:
    options = []
    for switch in (True, False):
        scene = Scene(
            (0, "turn", PASS),
            tries("F01"),
            hands={0: [SERF]},
            hospital=[1],
            dice={0: [1, 1]},
            beat_patients=switch,
        )
        scene.turns()
        options.append(scene.offered[0])
    assert options == [
        [PASS, ("play", SERF, 1), ("play", SERF, 2)],
        [PASS, ("play", SERF, 2)],
    ]


@pytest.mark.parametrize(("die", "saved"), [(3, False), (4, True)])
def test_the_helper_saves_the_knight_on_a_four(die: int, saved: bool) -> None:
    scene = Scene(
        (0, "turn", ("play", SERF, 1)),
        tries("F01"),
        hands={0: [SERF]},
        fronts={1: ["A5"]},
        dice={0: [1, 1], 1: [die]},
    )
    events = scene.turns()
    (roll,) = of(events, "avoid")
    assert (roll["seat"], roll["card"], roll["die"], roll["avoided"]) == (1, "A5", die, saved)
    assert scene.knight(1).in_hospital is not saved
    assert len(of(events, "hospital")) == (not saved)
    assert scene.knight(1).equipment == ["A5"]


def test_a_shield_is_discarded_instead_if_its_owner_wants_to() -> None:
    scene = Scene(
        tries("F02"),
        (0, "shield", ("shield", "C3")),
        fronts={0: ["C3", "S4"]},
        dice={0: [1, 2]},
    )
    events = scene.turns()
    assert told(events, "avoid", "hospital") == [("avoid", 0, "C3")]
    assert not scene.knight(0).in_hospital
    assert scene.game.discards["hero"] == ["C3"]
    kept = Scene(tries("F02"), (0, "shield", PASS), fronts={0: ["C3"]}, dice={0: [1, 2]})
    assert told(kept.turns(), "avoid", "hospital") == [("hospital", 0, None)]
    assert kept.knight(0).equipment == ["C3"]


def test_a_shield_that_has_to_be_used_leaves_no_choice() -> None:
    scene = Scene(
        tries("F02"),
        (0, "shield", ("shield", "C3")),
        fronts={0: ["C3"]},
        dice={0: [1, 2]},
        shield_optional=False,
    )
    scene.turns()
    assert scene.offered[1] == [("shield", "C3")]


def test_the_helper_rolls_before_the_shield_is_thought_of() -> None:
    scene = Scene(tries("F02"), fronts={0: ["A5", "C3"]}, dice={0: [1, 2, 6]})
    assert told(scene.turns(), "avoid", "hospital") == [("avoid", 0, "A5")]
    scene = Scene(tries("F02"), (0, "shield", PASS), fronts={0: ["A5", "C3"]}, dice={0: [1, 2, 1]})
    assert told(scene.turns(), "avoid", "hospital") == [("avoid", 0, "A5"), ("hospital", 0, None)]


# --- Failure ---


def test_a_failed_feat_without_a_text_only_goes_to_the_discards() -> None:
    scene = Scene(tries("F01"), fronts={0: ["A1", "P01"]}, dice={0: [1, 2]})
    events = scene.turns()
    assert [event["event"] for event in events] == ["turn", "feat", "roll", "fail"]
    assert scene.game.discards["feat"] == ["F01"]


def test_the_owner_picks_the_equipment_lost_and_may_pick_a_curse() -> None:
    scene = Scene(
        tries("F03"),
        (0, "lose equipment", ("lose", "F08")),
        fronts={0: ["C1", "F08", "P01"]},
        dice={0: [1, 2]},
    )
    (lost,) = of(scene.turns(), "lose")
    assert (lost["card"], lost["why"]) == ("F08", "F03")
    assert scene.offered[1] == [("lose", "C1"), ("lose", "F08")]
    assert scene.game.discards == {"feat": ["F08", "F03"], "hero": [], "sponsor": []}
    assert scene.knight(0).curses == []


def test_the_owner_picks_the_sponsor_lost_and_its_loot_is_gone() -> None:
    scene = Scene(
        tries("F06"),
        (0, "lose sponsor", ("lose", "P05")),
        feats=["F06", "F01", "F02"],
        fronts={0: ["P01", "P05", "C1"]},
        dice={0: [1, 2]},
    )
    (lost,) = of(scene.turns(), "lose")
    assert lost["loot"] == [1, 0, 0]
    assert scene.offered[1] == [("lose", "P01"), ("lose", "P05")]
    assert scene.game.discards["sponsor"] == ["P05"]


def test_who_has_nothing_to_lose_loses_nothing() -> None:
    scene = Scene(tries("F03"), fronts={0: ["P01"]}, dice={0: [1, 2]})
    assert of(scene.turns(), "lose") == []
    scene = Scene(tries("F06"), feats=["F06"], fronts={0: ["C1", "F08"]}, dice={0: [1, 2]})
    assert of(scene.turns(), "lose") == []


def test_two_consequences_come_in_the_order_of_the_feat() -> None:
    scene = Scene(
        tries("F30"),
        (0, "lose sponsor", ("lose", "P01")),
        feats=["F30", "F01", "F02"],
        fronts={0: ["P01"]},
        dice={0: [5, 6]},
    )
    events = scene.turns()
    assert told(events, "fail", "hospital", "lose") == [
        ("fail", 0, "F30"),
        ("hospital", 0, None),
        ("lose", 0, "P01"),
    ]


def test_a_curse_stays_and_hinders_feats_of_its_own_type_only() -> None:
    scene = Scene(
        tries("F08"),
        tries("F01", seat=1),
        tries("F14"),
        tries("F02", seat=1),
        tries("F10"),
        players=2,
        feats=["F08", "F01", "F02", "F14", "F10", "F13", "F15"],
        dice={0: [1, 2, 4, 3, 4, 3], 1: [1, 1, 1, 1]},
    )
    events = scene.turns(5)
    assert told(events, "curse") == [("curse", 0, "F08")]
    mine = [roll for roll in of(events, "roll") if roll["seat"] == 0]
    assert [roll["modifiers"] for roll in mine] == [[], [["F08", -1]], []]
    assert [roll["success"] for roll in mine] == [False, False, True]
    assert "F08" not in scene.game.discards["feat"]


# --- Rolling again ---


def test_a_re_roll_keeps_the_second_roll_and_the_modifiers() -> None:
    scene = Scene(
        tries("F04"),
        before(0, DIVINE),
        (0, "after roll", ("play", REROLL)),
        feats=["F04", "F01", "F02"],
        hands={0: [REROLL, DIVINE]},
        dice={0: [1, 2, 4, 1]},
    )
    events = scene.turns()
    assert [(r["total"], r["success"]) for r in of(events, "roll")] == [(4, False), (6, True)]
    assert told(events, "succeed", "fail") == [("succeed", 0, "F04")]


def test_a_knight_may_roll_again_and_again_by_card_and_by_assistant_once_each() -> None:
    scene = Scene(
        tries("F04"),
        (0, "after roll", ("use", "A6")),
        (0, "after roll", ("play", REROLL)),
        (0, "after roll", ("play", REROLL)),
        feats=["F04", "F01", "F02"],
        hands={0: [REROLL, REROLL]},
        fronts={0: ["A6"]},
        dice={0: [1, 2, 1, 3, 2, 2, 1, 1]},
    )
    events = scene.turns()
    assert [roll["dice"] for roll in of(events, "roll")] == [[1, 2], [1, 3], [2, 2], [1, 1]]
    assert told(events, "use", "play", "fail") == [
        ("use", 0, "A6"),
        ("play", 0, REROLL),
        ("play", 0, REROLL),
        ("fail", 0, "F04"),
    ]
    assert scene.offered[1] == [PASS, ("play", REROLL), ("use", "A6")]
    assert scene.offered[2] == [PASS, ("play", REROLL)]


def test_the_assistant_works_once_in_each_turn_and_only_for_its_owner() -> None:
    scene = Scene(
        tries("F01"),
        (0, "after roll", ("use", "A6")),
        tries("F10", seat=1),
        tries("F05"),
        (0, "after roll", ("use", "A6")),
        players=2,
        feats=["F01", "F10", "F05", "F15", "F21"],
        fronts={0: ["A6"]},
        dice={0: [1, 1, 1, 1, 1, 1, 5, 5], 1: [1, 1]},
    )
    assert [e["seat"] for e in of(scene.turns(3), "use")] == [0, 0]


def test_a_success_needs_no_re_roll_and_a_rival_has_none_to_offer() -> None:
    scene = Scene(tries("F01"), hands={0: [REROLL]}, fronts={0: ["A6"]}, dice={0: [3, 3]})
    scene.turns()
    scene = Scene(tries("F01"), hands={1: [REROLL]}, fronts={1: ["A6"]}, dice={0: [1, 2]})
    scene.turns()


def test_after_a_cancelled_re_roll_another_may_be_played() -> None:
    scene = Scene(
        tries("F04"),
        (0, "after roll", ("play", REROLL)),
        cancels(2, 0, REROLL),
        (0, "after roll", ("play", REROLL)),
        feats=["F04", "F01", "F02"],
        hands={0: [REROLL, REROLL], 2: [CANCEL]},
        dice={0: [1, 2, 5, 1]},
    )
    events = scene.turns()
    assert told(events, "cancelled", "succeed") == [("cancelled", 0, REROLL), ("succeed", 0, "F04")]
    assert len(of(events, "roll")) == 2


# --- Cards of one's own turn ---


def test_humiliation_takes_the_sponsor_of_the_lowest_loot_and_ties_are_the_owners() -> None:
    scene = Scene(
        (0, "turn", ("play", MUM, 1)),
        (1, "lose sponsor", ("lose", "P08")),
        tries("F01"),
        hands={0: [MUM]},
        fronts={0: ["P13"], 1: ["P05", "P08", "P01"]},
        dice={0: [1, 1]},
    )
    events = scene.turns()
    assert scene.offered[0] == [PASS, ("play", MUM, 1)]  # seat 2 has no Sponsor, seat 0 no rival
    assert scene.offered[1] == [("lose", "P01"), ("lose", "P08")]
    (lost,) = of(events, "lose")
    assert (lost["why"], lost["loot"]) == (MUM, [1, 4, 0])


def test_whether_one_may_humiliate_oneself_is_a_switch() -> None:
    scene = Scene(
        (0, "turn", ("play", MUM, 0)),
        (0, "lose sponsor", ("lose", "P13")),
        tries("F01"),
        hands={0: [MUM]},
        fronts={0: ["P13"]},
        dice={0: [1, 1]},
        humiliate_self=True,
    )
    assert told(scene.turns(), "lose") == [("lose", 0, "P13")]


def test_light_fingers_takes_equipment_but_no_curse_and_no_sponsor() -> None:
    scene = Scene(
        (0, "turn", ("play", FINGERS, 2, "C7")),
        tries("F05"),
        hands={0: [FINGERS]},
        feats=["F05", "F01", "F02"],
        fronts={0: ["A1"], 1: ["F08", "P01"], 2: ["C7", "S4"]},
        dice={0: [1, 3]},
    )
    events = scene.turns()
    assert scene.offered[0] == [
        PASS,
        ("play", FINGERS, 2, "C7"),
        ("play", FINGERS, 2, "S4"),
    ]
    (played,) = of(events, "play")
    assert (played["target"], played["taken"]) == (2, "C7")
    assert of(events, "roll")[0]["modifiers"] == [["C7", 1]]  # it works for the thief at once
    assert scene.knight(2).equipment == ["S4"]


def test_fresh_ideas_may_fill_the_hand_beyond_six_until_the_next_draw() -> None:
    hand = [IDEAS, "A1", "A2", "A3", "A4"]
    scene = Scene(
        (0, "turn", ("play", IDEAS)),
        tries("F01"),
        hands={0: hand},
        heroes=["S1", "S2", "S3"],
        dice={0: [1, 1]},
    )
    events = scene.turns()
    assert len(scene.knight(0).hand) == 7
    assert [(e["cards"], e["why"]) for e in of(events, "draw")] == [
        (["S1"], "phase 1"),
        (["S2", "S3"], IDEAS),
    ]


def test_fresh_ideas_is_not_among_the_cards_that_it_has_shuffled() -> None:
    scene = Scene(
        (0, "turn", ("play", IDEAS)),
        tries("F01"),
        hands={0: [IDEAS]},
        heroes=["S1"],
        dice={0: [1, 1]},
        reshuffled=[["S2"]],
    )
    scene.game.discards["hero"] = ["S2"]
    events = scene.turns()
    assert [e["event"] for e in events][1:5] == ["draw", "play", "reshuffle", "draw"]
    assert scene.knight(0).hand == ["S1", "S2"]
    assert scene.game.discards["hero"] == [IDEAS]


def test_cards_of_ones_own_turn_are_not_for_the_turns_of_others() -> None:
    own = [MUM, SERF, IDEAS, FINGERS, CURE, REROLL, DIVINE]
    scene = Scene(
        tries("F01"), hands={1: own}, fronts={0: ["C1", "P01"]}, hospital=[1], dice={0: [1, 2]}
    )
    scene.turns()
    assert scene.knight(1).hand == own


def test_nobody_hinders_his_own_roll() -> None:
    scene = Scene(tries("F01"), hands={0: [HINDER]}, dice={0: [1, 2]})
    scene.turns()


# --- Passes and Cancels ---


def test_the_left_of_the_active_seat_plays_first_and_passes_go_round_twice() -> None:
    """Seat 1 waits in the first pass, and still may play in the second; then nobody has a card."""
    scene = Scene(
        tries("F10"),
        (1, "before roll", PASS),
        before(2, HINDER),
        before(0, DIVINE),
        before(1, HINDER),
        before(0, DIVINE),
        feats=["F10", "F01", "F02"],
        hands={0: [DIVINE, DIVINE], 1: [HINDER], 2: [HINDER]},
        dice={0: [6, 2]},
    )
    events = scene.turns()
    assert [e["seat"] for e in of(events, "play")] == [2, 0, 1, 0]
    (roll,) = of(events, "roll")
    assert [value for _, value in roll["modifiers"]] == [-2, 1, -2, 1]
    assert roll["total"] == 6


def test_the_passes_end_with_the_first_one_in_which_all_refuse() -> None:
    scene = Scene(
        (2, "turn", PASS),
        (2, "feat", ("feat", "F10")),
        before(0, HINDER),
        (1, "before roll", PASS),
        (2, "before roll", PASS),
        (0, "before roll", PASS),
        (1, "before roll", PASS),
        (2, "before roll", PASS),
        feats=["F10", "F01", "F02"],
        hands={0: [HINDER, HINDER], 1: [HINDER], 2: [DIVINE, IDEAS]},
        dice={2: [6, 3]},
    )
    scene.game.active = 1  # so that seat 2 is the next one
    assert told(scene.turns(), "play", "succeed") == [("play", 0, HINDER), ("succeed", 2, "F10")]


def test_a_cancelled_card_has_no_effect_and_was_its_players_card_of_the_pass() -> None:
    """Seat 1's Hindrance is cancelled; seat 2 plays first before seat 1 may play the other."""
    scene = Scene(
        tries("F10"),
        before(1, HINDER),
        cancels(0, 1, HINDER),
        before(2, HINDER),
        before(1, HINDER),
        feats=["F10", "F01", "F02"],
        hands={0: [CANCEL], 1: [HINDER, HINDER], 2: [HINDER]},
        dice={0: [6, 5]},
    )
    events = scene.turns()
    assert told(events, "play", "cancelled") == [
        ("play", 1, HINDER),
        ("play", 0, CANCEL),
        ("cancelled", 1, HINDER),
        ("play", 2, HINDER),
        ("play", 1, HINDER),
    ]
    assert of(events, "play")[1]["against"] == HINDER
    assert of(events, "play")[1]["target"] == 1
    assert of(events, "roll")[0]["total"] == 7
    assert Counter(scene.game.discards["hero"]) == {HINDER: 3, CANCEL: 1}


def test_a_cancel_does_not_use_up_the_card_of_the_pass() -> None:
    """Seat 0 cancels in its own pass and plays its Divine Mission in the same pass."""
    scene = Scene(
        tries("F10"),
        before(1, HINDER),
        cancels(0, 1, HINDER),
        before(0, DIVINE),
        feats=["F10", "F01", "F02"],
        hands={0: [CANCEL, DIVINE], 1: [HINDER]},
        dice={0: [5, 1]},
    )
    assert of(scene.turns(), "roll")[0]["modifiers"] == [[DIVINE, 1]]


def test_a_cancel_of_a_cancel_lets_the_first_card_stand() -> None:
    scene = Scene(
        tries("F04"),
        before(0, DIVINE),
        cancels(1, 0, DIVINE),
        cancels(0, 1, CANCEL),
        feats=["F04", "F01", "F02"],
        hands={0: [DIVINE, CANCEL], 1: [CANCEL]},
        dice={0: [2, 3]},
    )
    events = scene.turns()
    assert told(events, "play", "cancelled", "succeed") == [
        ("play", 0, DIVINE),
        ("play", 1, CANCEL),
        ("play", 0, CANCEL),
        ("cancelled", 1, CANCEL),
        ("succeed", 0, "F04"),
    ]


def test_after_a_cancelled_cancel_the_next_seat_may_cancel_the_card_again() -> None:
    scene = Scene(
        tries("F04"),
        before(0, DIVINE),
        cancels(1, 0, DIVINE),
        (2, "cancel", PASS),  # does not save the Divine Mission
        cancels(0, 1, CANCEL),
        (2, "cancel", PASS),  # does not save seat 1's Cancel either
        cancels(2, 0, DIVINE),
        feats=["F04", "F01", "F02"],
        hands={0: [DIVINE, CANCEL], 1: [CANCEL], 2: [CANCEL]},
        dice={0: [2, 3]},
    )
    events = scene.turns()
    assert told(events, "cancelled", "fail") == [
        ("cancelled", 1, CANCEL),
        ("cancelled", 0, DIVINE),
        ("fail", 0, "F04"),
    ]


def test_who_refused_to_cancel_is_asked_again_after_somebody_elses_cancel_failed() -> None:
    scene = Scene(
        tries("F04"),
        before(0, DIVINE),
        (1, "cancel", PASS),
        cancels(2, 0, DIVINE),
        cancels(1, 2, CANCEL),  # now seat 1 protects it, with one of two
        (1, "cancel", PASS),  # ... its own Cancel is not to be cancelled
        feats=["F04", "F01", "F02"],
        hands={0: [DIVINE], 1: [CANCEL, CANCEL], 2: [CANCEL]},
        dice={0: [2, 3]},
    )
    scene.script.append((1, "cancel", PASS))  # the second pass against the Divine Mission
    assert told(scene.turns(), "cancelled", "succeed") == [
        ("cancelled", 2, CANCEL),
        ("succeed", 0, "F04"),
    ]


@pytest.mark.parametrize("allowed", [True, False])
def test_whether_one_may_cancel_ones_own_card_is_a_switch(allowed: bool) -> None:
    script: list[Line] = [tries("F04"), before(0, DIVINE)]
    if allowed:
        script.append(cancels(0, 0, DIVINE))
    scene = Scene(
        *script,
        feats=["F04", "F01", "F02"],
        hands={0: [DIVINE, CANCEL]},
        dice={0: [2, 3]},
        cancel_own=allowed,
    )
    assert len(of(scene.turns(), "cancelled")) == allowed


def test_cancels_are_asked_for_from_the_active_seats_left_whoever_played() -> None:
    scene = Scene(
        (1, "feat", ("feat", "F10")),
        before(0, HINDER),
        (2, "cancel", PASS),
        (0, "cancel", PASS),
        (1, "cancel", PASS),
        feats=["F10", "F01", "F02"],
        hands={0: [HINDER, CANCEL], 1: [CANCEL], 2: [CANCEL]},
        dice={1: [6, 3]},
    )
    scene.game.active = 0
    assert told(scene.turns(), "succeed") == [("succeed", 1, "F10")]


def test_a_use_of_equipment_cannot_be_cancelled() -> None:
    scene = Scene(
        tries("F04"),
        (0, "after roll", ("use", "A6")),
        feats=["F04", "F01", "F02"],
        hands={1: [CANCEL]},
        fronts={0: ["A6"]},
        dice={0: [1, 2, 5, 5]},
    )
    assert told(scene.turns(), "succeed") == [("succeed", 0, "F04")]


def test_a_cancelled_card_on_a_rival_leaves_the_rival_alone() -> None:
    for card, aim in ((SERF, (1,)), (MUM, (1,)), (FINGERS, (1, "C1")), (IDEAS, ()), (CURE, ())):
        scene = Scene(
            (0, "turn", ("play", card, *aim)),
            cancels(1, 0, card),
            *([] if card == CURE else [tries("F01")]),
            hands={0: [card], 1: [CANCEL]},
            fronts={1: ["C1", "P01"]},
            hospital=[0] if card == CURE else [],
            dice={} if card == CURE else {0: [1, 2]},
        )
        events = scene.turns()
        assert of(events, "lose", "steal", "hospital", "draw") == []
        assert told(events, "heal") == ([("heal", 0, None)] if card == CURE else [])
        assert (scene.knight(1).equipment, scene.knight(1).sponsors) == (["C1"], ["P01"])


# --- Mistakes at the door ---


def test_a_choice_that_was_not_offered_is_refused() -> None:
    scene = Scene(tries("F30"))
    with pytest.raises(ValueError, match="may not choose"):
        scene.turns()


def test_cards_in_the_wrong_deck_and_unknown_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="not in the feat deck"):
        Scene(feats=["P01"])
    with pytest.raises(ValueError, match="unknown rules"):
        Scene(cap=3)


# --- Random games ---


def cards_at(game: Game) -> Counter:
    """All cards of a game, wherever they are."""
    cards: Counter = Counter(game.on_table)
    for piles in (game.decks, game.discards, game.reserves):
        for pile in piles.values():
            cards.update(pile)
    for knight in game.knights:
        for pile in (knight.hand, knight.equipment, knight.curses, knight.sponsors):
            cards.update(pile)
    return cards


class Luck:
    """Shuffles, dice and choices of one random game."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.kinds: Counter = Counter()
        self.game: Game | None = None
        self.decks = {
            name: self.random.sample(deck, len(deck)) for name, deck in printed_decks().items()
        }

    def dice(self) -> Iterator[int]:
        while True:
            yield self.random.randint(1, 6)

    def reshuffle(self, deck: str, cards: Counter) -> list[str]:
        order = sorted(cards.elements())
        self.random.shuffle(order)
        return order

    def choose(self, seat: int, kind: str, options: list[Option]) -> Option:
        self.kinds[kind] += 1
        assert len(options) == len(set(options))
        assert options not in ([PASS], [NOTHING])
        if self.game is not None:
            assert cards_at(self.game) == ALL
        return self.random.choice(options)

    def start(self, players: int, rules: dict | None = None) -> Game:
        dice = [self.dice() for _ in range(players)]
        self.game = Game(players, self.decks, dice, self.reshuffle, rules or {}, self.choose)
        return self.game


ALL = Counter(card for deck in printed_decks().values() for card in deck)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_card_of_the_95_is_ever_lost_or_doubled(players: int) -> None:
    assert ALL.total() == 95
    for seed in range(4):
        game = Luck(seed).start(players)
        game.play_on()
        assert cards_at(game) == ALL
        assert sum(game.result()["win_share"]) == 1


def test_the_same_cards_dice_and_choices_give_the_same_game() -> None:
    records = []
    for _ in range(2):
        luck = Luck(8)
        dice = [luck.dice() for _ in range(4)]
        records.append(play(4, luck.decks, dice, luck.reshuffle, {}, luck.choose))
    assert records[0] == records[1]


class Onlooker:
    """Rebuilds a game from its record alone, and checks that each event can follow the last."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.hands: list[Counter] = [Counter() for _ in range(players)]
        self.fronts: list[Counter] = [Counter() for _ in range(players)]
        self.hospital: set[int] = set()
        self.reserves: dict[str, Counter] = {"feat": Counter(), "sponsor": Counter()}
        self.active = players - 1
        self.actions: list[tuple[str, int]] = []  # modifiers by Actions on this Feat
        self.pending: list[tuple[int, str]] = []  # Actions played, not yet settled
        self.seen: Counter = Counter()

    def loot(self) -> list[int]:
        return [
            sum(
                n * effect[1]
                for card, n in front.items()
                for effect in CARDS[card].get("effects", ())
                if effect[0] == "loot"
            )
            for front in self.fronts
        ]

    def move(self, card: str, source: Counter, goal: Counter | None = None) -> None:
        assert source[card] > 0, card
        source[card] -= 1
        if goal is not None:
            goal[card] += 1

    def see(self, event: dict) -> None:
        self.seen[event["event"]] += 1
        if event["event"] not in ("play", "cancelled"):
            self.settle()
        getattr(self, f"see_{event['event']}")(event)
        if "loot" in event:
            assert event["loot"] == self.loot()
            assert max(self.loot()) < GOALS[self.players] or event["event"] in (
                "win",
                "buy",
                "steal",
            )

    def settle(self) -> None:
        """What was played and not cancelled counts."""
        for _, card in self.pending:
            number = CARDS[card]["number"]
            if CARDS[card]["effect"] in ("bonus", "hinder"):
                self.actions.append((card, number))
        self.pending = []

    def see_deal(self, event: dict) -> None:
        self.hands[event["seat"]].update(event["cards"])

    see_draw = see_deal

    def see_refill(self, event: dict) -> None:
        self.reserves[event["deck"]].update(event["cards"])
        assert self.reserves[event["deck"]].total() <= 3

    def see_reshuffle(self, event: dict) -> None:
        assert event["cards"] > 0

    def see_turn(self, event: dict) -> None:
        self.active = (self.active + 1) % self.players
        assert event["seat"] == self.active
        assert event["turn"] == self.seen["turn"]
        self.actions = []

    def see_discard(self, event: dict) -> None:
        assert self.hands[self.active].total() > 6
        self.move(event["card"], self.hands[self.active])

    def see_play(self, event: dict) -> None:
        card = event["card"]
        self.move(card, self.hands[event["seat"]])
        if CARDS[card]["effect"] == "cancel":
            target = (event["target"], event["against"])
            assert self.pending[-1] == target
        else:
            self.settle()
        self.pending.append((event["seat"], card))

    def see_cancelled(self, event: dict) -> None:
        """The last two on the pile: the card, and the Cancel that stands."""
        cancel, card = self.pending.pop(), self.pending.pop()
        assert cancel[1] == "Cancel"
        assert card == (event["seat"], event["card"])

    def see_steal(self, event: dict) -> None:
        self.move(event["card"], self.fronts[event["target"]], self.fronts[event["seat"]])

    def see_hospital(self, event: dict) -> None:
        assert event["news"] == (event["seat"] not in self.hospital)
        self.hospital.add(event["seat"])

    def see_avoid(self, event: dict) -> None:
        if "die" in event:
            assert event["avoided"] == (event["die"] >= 4)
        else:
            self.move(event["card"], self.fronts[event["seat"]])

    def see_heal(self, event: dict) -> None:
        self.hospital.remove(event["seat"])

    def see_lose(self, event: dict) -> None:
        self.move(event["card"], self.fronts[event["seat"]])

    def see_feat(self, event: dict) -> None:
        assert event["seat"] == self.active not in self.hospital
        self.move(event["card"], self.reserves["feat"])
        self.feat = event["card"]

    def see_roll(self, event: dict) -> None:
        kind = CARDS[self.feat]["type"]
        expected: Counter = Counter(self.actions)
        for card, n in self.fronts[self.active].items():
            if CARDS[card]["is"] == "feat" and CARDS[card]["type"] == kind:
                expected[card, -1] += n
            for what, *rest in CARDS[card].get("effects", ()):
                if what == "roll" and rest[0] in ("all", kind):
                    expected[card, rest[1]] += n
        assert Counter(map(tuple, event["modifiers"])) == +expected
        natural = sum(event["dice"])
        assert event["total"] == natural + sum(n for _, n in event["modifiers"])
        enough = event["total"] >= CARDS[self.feat]["difficulty"]
        assert event["success"] == {2: False, 12: True}.get(natural, enough)
        self.success = event["success"]

    def see_use(self, event: dict) -> None:
        assert self.fronts[event["seat"]][event["card"]] > 0
        assert not self.success

    def see_succeed(self, event: dict) -> None:
        assert (event["card"], True) == (self.feat, self.success)

    def see_fail(self, event: dict) -> None:
        assert (event["card"], False) == (self.feat, self.success)

    def see_buy(self, event: dict) -> None:
        shelf = self.hands[self.active] if event["pay"] == "gold" else self.reserves["sponsor"]
        self.move(event["card"], shelf, self.fronts[self.active])
        assert CARDS[event["card"]]["cost"] <= event["worth"]
        extra = self.fronts[self.active]["S2"] + self.fronts[self.active]["S5"]
        worth = CARDS[self.feat][event["pay"]]
        assert event["worth"] == (worth if event["pay"] == "gold" else worth + extra)

    def see_curse(self, event: dict) -> None:
        assert ("curse",) in CARDS[event["card"]]["failure"]
        self.fronts[event["seat"]][event["card"]] += 1

    def see_win(self, event: dict) -> None:
        assert self.loot()[event["seat"]] >= GOALS[self.players]

    def see_cap(self, event: dict) -> None:
        assert event["turn"] == 500


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_an_onlooker_can_follow_every_event_of_random_games(players: int) -> None:
    seen: Counter = Counter()
    kinds: Counter = Counter()
    for seed in range(20, 26):
        luck = Luck(seed)
        game = luck.start(players)
        luck.game = None  # another test looks at all cards
        game.play_on()
        onlooker = Onlooker(players)
        for event in game.events:
            onlooker.see(event)
        for seat, knight in enumerate(game.knights):
            assert +onlooker.hands[seat] == Counter(knight.hand)
            front = knight.equipment + knight.curses + knight.sponsors
            assert +onlooker.fronts[seat] == Counter(front)
            assert (seat in onlooker.hospital) == knight.in_hospital
        assert onlooker.loot() == game.result()["points"]
        seen += onlooker.seen
        kinds += luck.kinds
    assert set(seen) - {"cap"} == EVENTS - {"cap"}
    assert set(kinds) == KINDS


EVENTS = {name.removeprefix("see_") for name in vars(Onlooker) if name.startswith("see_")}
KINDS = {
    "discard",
    "turn",
    "feat",
    "before roll",
    "after roll",
    "cancel",
    "buy",
    "lose equipment",
    "lose sponsor",
    "shield",
}

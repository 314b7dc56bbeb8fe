"""Fantasía S.A. by hand: the rulebook's own examples, and who may answer what in which order."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenes_fantasia import Scene, edited

# --- The rulebook's examples ------------------------------------------------------------------


def test_a_7_with_a_bonus_of_2_and_a_penalty_of_1_makes_8() -> None:
    """Difficulty 8 is just reached: A4 adds 2 to Combat, C1 and two curses make it 1 less."""
    scene = Scene(
        [[], []],
        feats=["F16"],
        equipment={0: ["A4"]},
        dice={0: [(3, 4)]},
        market=["P06", "P12", "P18"],
    )
    assert scene.knight(0).bonus.tolist() == [2, 0, 0]
    scene.table.knights[0].bonus[0] -= 1
    scene.do(0, "F16")
    assert scene.dice == [3, 4]
    assert scene.knight(0).succeeded.tolist() == [1, 0, 0]


def test_two_cards_of_una_mision_divina_add_two_to_a_roll() -> None:
    scene = Scene([["divina", "divina"], []], feats=["F10"], dice={0: [(2, 3)]})
    scene.do(0, "F10")
    for _ in range(2):
        assert scene.asked == (0, "roll")
        scene.do(0, "divina")
    assert scene.dice == [2, 3]
    assert scene.knight(0).succeeded.tolist() == [1, 0, 0], "5 and 2 reach 7"


def test_childs_shield_for_three_gold_buys_the_elemental_and_one_gold_is_lost() -> None:
    scene = Scene([["A2"], []], feats=["F09"], market=["P24", "P18", "P12"], dice={0: [(6, 6)]})
    scene.do(0, "F09")
    assert scene.asked == (0, "buy")
    assert scene.legal() == [("pass",), ("A2",)], "four Renown pay for none of those Sponsors"
    scene.do(0, "A2")
    assert scene.before(0) == ["A2"]
    assert scene.knight(0).gold == 3, "what it was exchanged for, though the card cost two"
    assert scene.asked[0] == 1, "there is no change to buy more with"


def test_childs_shield_for_four_renown_buys_the_emporium() -> None:
    scene = Scene([["A2"], []], feats=["F09"], market=["P21", "P24", "P18"], dice={0: [(6, 6)]})
    scene.do(0, "F09")
    assert scene.legal() == [("pass",), ("A2",), ("P21",)], "Gold or Renown, or nothing"
    scene.do(0, "P21")
    assert scene.before(0) == ["P21"]
    assert scene.loot() == [2, 0]
    assert scene.hand(0).count("A2") == 1, "not both"


@pytest.mark.parametrize(("players", "goal"), [(2, 14), (3, 12), (4, 10), (5, 9)])
def test_the_goal_falls_with_the_number_of_players(players: int, goal: int) -> None:
    assert Scene([[] for _ in range(players)]).rules[0].goal == goal


# --- Phase 1 ---------------------------------------------------------------------------------


def test_a_hand_above_six_is_cut_down_before_any_card_is_used() -> None:
    hand = ["A1", "A3", "C4", "C6", "ideas", "ideas"]
    scene = Scene([hand, []], top=["cure"])
    assert scene.asked == (0, "discard")
    assert scene.legal() == [("A1",), ("A3",), ("C4",), ("C6",), ("ideas",), ("cure",)]
    scene.do(0, "A1")
    assert scene.asked == (0, "turn")
    scene.do(0, "ideas")
    assert len(scene.hand(0)) == 7, "the limit is looked at only then"
    assert scene.asked == (0, "turn")


def test_a_knight_in_hospital_refills_draws_and_rests() -> None:
    scene = Scene([[], []], feats=["F01"], market=[], hospital=[0], top=["A1", "A3"])
    assert scene.asked == (1, "choose"), "seat 0 has had its turn already"
    assert scene.hand(0) == ["A1"]
    assert (scene.table.feat_reserve[:3] >= 0).all()
    assert (scene.table.sponsor_reserve[:3] >= 0).all()
    assert scene.knight(0).in_hospital == 0
    assert scene.knight(0).hospital_turns == 1


def test_a_miracle_cure_lets_a_knight_in_hospital_attempt_a_feat() -> None:
    scene = Scene([["cure"], []], hospital=[0])
    assert scene.asked == (0, "turn")
    scene.do(0, "cure")
    assert scene.asked == (0, "choose")
    assert scene.knight(0).hospital_turns == 0


def test_a_miracle_cure_is_of_no_use_to_the_healthy() -> None:
    assert Scene([["cure"], []]).asked == (0, "choose")


def test_the_hero_deck_is_shuffled_again_when_a_card_is_wanted_and_none_is_left() -> None:
    scene = Scene([[], []], deck=False, discard=every_hero_but([]))
    assert scene.table.piles[1].reshuffles == 1
    assert scene.table.piles[1].left == 40
    assert scene.table.recycled.sum() == 41


def every_hero_but(names: list[str]) -> list[str]:
    """All 41 Hero cards, but for some."""
    cards = Scene([[], []])
    tables = ((c.id, c.copies) for t in ("equipment", "actions") for c in cards.cards[t])
    found = [name for name, copies in tables for _ in range(copies)]
    for name in names:
        found.remove(name)
    return found


# --- The roll --------------------------------------------------------------------------------


def test_two_ones_fail_whatever_is_added() -> None:
    scene = Scene([[], []], feats=["F01"], equipment={0: ["S6", "C7", "A4"]}, dice={0: [(1, 1)]})
    assert scene.knight(0).bonus[0] == 4
    scene.do(0, "F01")
    assert scene.knight(0).succeeded.sum() == 0


def test_two_sixes_succeed_whatever_is_taken_away() -> None:
    curses = {0: ["F27"]}
    scene = Scene([["hindrance"], ["hindrance"]], feats=["F30"], curses=curses, dice={0: [(6, 6)]})
    scene.do(0, "F30")
    scene.do(1, "hindrance")
    assert scene.knight(0).succeeded.tolist() == [0, 0, 1]


def test_a_roll_made_again_counts_with_the_cards_played_on_it() -> None:
    hands = [["divina", "again"], []]
    scene = Scene(hands, feats=["F10"], dice={0: [(1, 2), (2, 4)]})
    scene.do(0, "F10")
    scene.do(0, "divina")
    assert scene.asked == (0, "failed")
    scene.do(0, "again")
    assert scene.dice == [2, 4]
    assert scene.knight(0).succeeded.sum() == 1, "6 and 1 reach 7"


def test_equipment_rolls_again_once_a_turn() -> None:
    scene = Scene([[], []], feats=["F10"], equipment={0: ["A6"]}, dice={0: [(1, 2), (1, 3)]})
    scene.do(0, "F10")
    assert scene.legal() == [("pass",), ("reroll",)]
    scene.do(0, "reroll")
    assert scene.asked[0] == 1, "failed again, and no second time"
    assert scene.knight(0).rolls == 2


# --- Buying ----------------------------------------------------------------------------------


def test_a_card_that_lets_two_be_bought_gives_the_whole_value_twice() -> None:
    market = ["P03", "P09", "P06"]
    scene = Scene([[], []], feats=["F09"], market=market, equipment={0: ["A7"]}, dice={0: [(6, 6)]})
    scene.do(0, "F09")
    scene.do(0, "P03")
    assert scene.asked == (0, "buy")
    assert scene.legal() == [("pass",), ("P09",)]
    scene.do(0, "P09")
    assert scene.loot() == [4, 0]
    assert scene.knight(0).renown == 4, "one Feat, exchanged once"


def test_a_card_just_bought_lets_two_be_bought_at_once() -> None:
    scene = Scene([["A7", "A1"], []], feats=["F24"], market=["P06"], dice={0: [(6, 6)]})
    scene.do(0, "F24")
    scene.do(0, "A7")
    assert scene.legal() == [("pass",), ("A1",)], "for Gold again, never for Renown too"


def test_loot_of_equipment_wins_at_once() -> None:
    scene = Scene(
        [["S7"], []], feats=["F25"], sponsors={0: ["P05", "P11", "P17", "P23"]}, dice={0: [(6, 6)]}
    )
    assert scene.loot() == [12, 0]
    scene.do(0, "F25")
    scene.do(0, "S7")
    assert scene.asked == (-1, "over")
    assert scene.winner() == 0


def test_one_may_buy_nothing_and_is_not_asked_if_nothing_can_be_paid() -> None:
    scene = Scene([["S7"], []], feats=["F01"], market=["P06", "P12", "P18"], dice={0: [(6, 6)]})
    scene.do(0, "F01")
    assert scene.asked[0] == 1
    assert scene.before(0) == []


# --- Failure ---------------------------------------------------------------------------------


def test_a_curse_stays_and_takes_one_off_rolls_of_its_own_type() -> None:
    scene = Scene([[], []], feats=["F08"], dice={0: [(1, 2)]})
    scene.do(0, "F08")
    assert scene.before(0) == ["F08"]
    assert scene.knight(0).bonus.tolist() == [0, -1, 0]


def test_a_curse_may_be_lost_where_an_equipment_must_be() -> None:
    gear = {0: ["A1"]}
    scene = Scene([[], []], feats=["F12"], equipment=gear, curses={0: ["F08"]}, dice={0: [(1, 2)]})
    scene.do(0, "F12")
    assert scene.asked == (0, "lose equipment")
    assert scene.legal() == [("A1",), ("F08",)]
    scene.do(0, "F08")
    assert scene.before(0) == ["A1"]
    assert scene.knight(0).bonus.tolist() == [1, 0, 0]
    assert scene.table.piles[0].discard[scene.of["F08"][1]] == 1


def test_hospital_comes_before_the_loss_of_a_sponsor() -> None:
    gear = {0: ["C3"]}
    scene = Scene(
        [[], []], feats=["F20"], equipment=gear, sponsors={0: ["P01"]}, dice={0: [(1, 2)]}
    )
    scene.do(0, "F20")
    assert scene.asked == (0, "shield")
    scene.do(0, "C3")
    assert scene.asked == (0, "lose sponsor")
    scene.do(0, "P01")
    assert scene.before(0) == []
    assert scene.knight(0).in_hospital == 0


def test_a_shield_may_be_kept() -> None:
    scene = Scene([[], []], feats=["F02"], equipment={0: ["C3"]}, dice={0: [(1, 2)]})
    scene.do(0, "F02")
    assert scene.legal() == [("pass",), ("C3",)]
    scene.do(0, "pass")
    assert scene.before(0) == ["C3"]
    assert scene.knight(0).in_hospital == 1


@pytest.mark.parametrize(("die", "hurt"), [(3, 1), (4, 0)])
def test_a_die_of_four_keeps_out_of_hospital(die: int, hurt: int) -> None:
    dice = {0: [(1, 2), (die, 0)]}
    scene = Scene([[], []], feats=["F02"], equipment={0: ["A5"]}, dice=dice)
    scene.do(0, "F02")
    assert scene.knight(0).in_hospital == hurt
    assert scene.knight(0).rolls == 2


def test_the_die_comes_before_the_shield() -> None:
    gear = {0: ["A5", "C3"]}
    saved = Scene([[], []], feats=["F02"], equipment=gear, dice={0: [(1, 2), (6, 0)]})
    saved.do(0, "F02")
    assert saved.asked[0] == 1, "nobody is asked for the shield"
    asked = Scene([[], []], feats=["F02"], equipment=gear, dice={0: [(1, 2), (1, 0)]})
    asked.do(0, "F02")
    assert asked.asked == (0, "shield")


def test_nothing_is_lost_where_nothing_lies() -> None:
    scene = Scene([[], []], feats=["F20"], dice={0: [(1, 2)]})
    scene.do(0, "F20")
    assert scene.asked[0] == 1
    assert scene.knight(0).in_hospital == 1


# --- Action cards in one's own turn ----------------------------------------------------------


def test_mum_takes_the_sponsor_of_lowest_loot_and_its_owner_chooses_between_equal_ones() -> None:
    scene = Scene([["mum"], []], sponsors={1: ["P05", "P01", "P07"]})
    scene.do(0, "mum", 1)
    assert scene.asked == (1, "lose lowest")
    assert scene.legal() == [("P01",), ("P07",)]
    scene.do(1, "P07")
    assert scene.before(1) == ["P01", "P05"]
    assert scene.loot() == [0, 4]


def test_mum_needs_a_sponsor_to_be_ashamed_before() -> None:
    assert Scene([["mum"], [], []], equipment={1: ["A1"]}).asked == (0, "choose")


def test_a_serfs_beating_sends_another_knight_to_hospital() -> None:
    scene = Scene([["beaten"], [], []])
    assert scene.legal() == [("pass",), ("beaten", 1), ("beaten", 2)]
    scene.do(0, "beaten", 2)
    assert [int(scene.knight(seat).in_hospital) for seat in range(3)] == [0, 0, 1]


def test_sent_to_hospital_twice_nothing_happens_and_nothing_is_asked() -> None:
    scene = Scene([["beaten"], []], equipment={1: ["A5", "C3"]}, hospital=[1])
    scene.do(0, "beaten", 1)
    assert scene.asked == (0, "choose")
    assert scene.knight(1).rolls == 0
    assert scene.before(1) == ["A5", "C3"]


def test_light_fingers_take_equipment_but_no_curse_and_it_works_at_once() -> None:
    scene = Scene([["fingers"], []], equipment={1: ["S4", "A4"]}, curses={1: ["F08"]})
    assert scene.legal() == [("pass",), ("fingers", 1, "S4"), ("fingers", 1, "A4")]
    scene.do(0, "fingers", 1, "A4")
    assert scene.before(0) == ["A4"]
    assert scene.knight(0).bonus.tolist() == [2, 0, 0]
    assert scene.before(1) == ["S4", "F08"]


def test_a_theft_wins_at_once() -> None:
    rich = {0: ["P05", "P11", "P17", "P23"]}
    scene = Scene([["fingers"], []], equipment={1: ["S7"]}, sponsors=rich)
    scene.do(0, "fingers", 1, "S7")
    assert scene.asked == (-1, "over")


def test_fresh_ideas_are_not_in_the_deck_that_they_make_new() -> None:
    rest = every_hero_but(["ideas", "A1"])
    scene = Scene([["ideas"], []], deck=False, top=["A1"], discard=rest)
    scene.do(0, "ideas")
    assert scene.table.piles[1].reshuffles == 1
    assert scene.table.recycled.sum() == 39
    assert len(scene.hand(0)) == 3


# --- Passes before a roll --------------------------------------------------------------------


def test_the_player_to_the_left_comes_first_and_the_active_one_last() -> None:
    scene = Scene([["divina"], ["hindrance"], ["hindrance"], []], feats=["F10"])
    scene.do(0, "F10")
    order = []
    while scene.asked[1] == "roll":
        order.append(scene.asked[0])
        scene.do(scene.asked[0], "pass")
    assert order == [1, 2, 0]


def test_the_order_begins_at_the_left_of_whoever_is_active() -> None:
    scene = Scene([["hindrance"], ["hindrance"], ["divina"]], feats=["F10"], active=2)
    scene.do(2, "F10")
    order = []
    while scene.asked[1] == "roll":
        order.append(scene.asked[0])
        scene.do(scene.asked[0], "pass")
    assert order == [0, 1, 2]


def test_passes_go_round_again_until_one_without_a_card() -> None:
    hands = [["divina", "divina"], ["hindrance", "hindrance"], []]
    scene = Scene(hands, feats=["F10"], dice={0: [(3, 4)]})
    scene.do(0, "F10")
    scene.do(1, "hindrance")
    scene.do(0, "divina")
    assert scene.asked == (1, "roll"), "a second pass, for cards were played in the first"
    scene.do(1, "pass")
    assert scene.asked == (0, "roll")
    scene.do(0, "divina")
    assert scene.asked == (1, "roll"), "a third, where seat 1 has changed its mind"
    scene.do(1, "hindrance")
    assert scene.table.card_bonus == 0, "rolled: nobody has a card left for a fourth"
    assert scene.dice == [3, 4]
    assert scene.knight(0).tried.tolist() == [1, 0, 0]
    assert scene.knight(0).succeeded.sum() == 0, "7, 2 and -4 make 5"


def test_who_passed_before_the_others_played_is_asked_again() -> None:
    scene = Scene([["divina"], ["hindrance"], []], feats=["F10"])
    scene.do(0, "F10")
    scene.do(1, "pass")
    scene.do(0, "divina")
    assert scene.asked == (1, "roll")
    scene.do(1, "pass")
    assert scene.asked[1] != "roll"


def test_a_seat_with_no_card_for_the_moment_is_not_asked() -> None:
    scene = Scene([["hindrance"], ["divina", "again", "ideas", "cure", "A1"], []], feats=["F10"])
    scene.do(0, "F10")
    assert scene.asked[1] != "roll"


# --- Answers ---------------------------------------------------------------------------------


def test_a_cancelled_card_has_no_effect_and_was_its_players_card_of_the_pass() -> None:
    hands = [["divina", "divina"], ["cancel", "hindrance"], []]
    scene = Scene(hands, feats=["F10"], dice={0: [(3, 4)]})
    scene.do(0, "F10")
    scene.do(1, "pass")
    scene.do(0, "divina")
    assert scene.asked == (1, "answer")
    scene.do(1, "cancel")
    assert scene.asked == (1, "roll"), "the next pass"
    assert scene.table.card_bonus == 0
    assert scene.knight(0).cancelled == 1


def test_a_cancel_is_no_card_of_the_pass() -> None:
    scene = Scene([["divina"], ["hindrance"], ["cancel", "hindrance"]], feats=["F10"])
    scene.do(0, "F10")
    scene.do(1, "hindrance")
    scene.do(2, "cancel")
    assert scene.asked == (2, "roll"), "its turn in the very same pass"
    scene.do(2, "hindrance")
    assert scene.table.card_bonus == -2


def test_a_cancel_of_a_cancel_lets_the_first_card_work() -> None:
    scene = Scene([["beaten", "cancel"], ["cancel"], []])
    scene.do(0, "beaten", 1)
    assert scene.asked == (1, "answer"), "from the left of the active player"
    scene.do(1, "cancel")
    assert scene.asked == (0, "answer"), "the card played last is answered first"
    scene.do(0, "cancel")
    assert scene.knight(1).in_hospital == 1
    assert scene.knight(1).cancelled == 1
    assert scene.asked == (0, "choose")


def test_after_a_cancelled_cancel_the_first_card_may_be_answered_again(tmp_path: Path) -> None:
    cards = edited(tmp_path / "set", {"cancel": {"copies": "4"}})
    scene = Scene([["beaten", "cancel"], ["cancel", "cancel"], ["cancel"]], cards=cards)
    scene.do(0, "beaten", 1)
    scene.do(1, "cancel")
    assert scene.asked == (1, "answer"), "one may answer one's own card"
    scene.do(1, "pass")
    scene.do(2, "pass")
    scene.do(0, "cancel")
    assert scene.asked == (1, "answer"), "the third card"
    scene.do(1, "pass")
    scene.do(2, "pass")
    assert scene.table.depth == 1
    assert scene.asked == (2, "answer"), "the pass against the first goes on with the next seat"
    scene.do(2, "pass")
    assert scene.asked == (1, "answer"), "and round again, for it was not without a card"
    scene.do(1, "cancel")
    scene.do(2, "cancel")
    assert scene.knight(1).in_hospital == 1
    assert scene.asked == (0, "choose")


def test_one_may_cancel_ones_own_card() -> None:
    scene = Scene([["ideas", "cancel"], []])
    scene.do(0, "ideas")
    assert scene.asked == (0, "answer")
    scene.do(0, "cancel")
    assert scene.hand(0) == [name for name in scene.hand(0) if name not in ("ideas", "cancel")]
    assert len(scene.hand(0)) == 1, "only the card of Phase 1"


def test_a_win_in_the_middle_of_a_pass_ends_the_game_off_turn(tmp_path: Path) -> None:
    """A thief who may steal before another's roll wins there and then."""
    changes = {"fingers": {"when": "other roll"}, "A1": {"effect": "combat +1; loot 1"}}
    cards = edited(tmp_path / "set", changes)
    scene = Scene(
        [["divina"], ["fingers"], ["hindrance"]],
        feats=["F10"],
        equipment={0: ["A1"]},
        sponsors={1: ["P05", "P11", "P17", "P09"]},
        cards=cards,
    )
    assert scene.loot() == [1, 11, 0]
    scene.do(0, "F10")
    scene.do(1, "fingers", 0, "A1")
    assert scene.asked == (-1, "over"), "neither seat 2 nor the dice come any more"
    assert (scene.winner(), int(scene.table.active)) == (1, 0)
    assert scene.dice == [0, 0]


def test_if_one_effect_lifts_two_to_the_goal_the_active_player_wins(tmp_path: Path) -> None:
    """Seat 1 gets rid of a card that costs Loot, by which seat 0 gains."""
    rich = edited(tmp_path / "rich", {"S4": {"effect": "loot -1"}})
    both = Scene(
        [["fingers"], []],
        equipment={1: ["S4"]},
        cards=rich,
        goal=9,
        sponsors={0: ["P05", "P11", "P17", "P01"], 1: ["P06", "P12", "P18"]},
    )
    assert both.loot() == [10, 8]
    both.do(0, "fingers", 1, "S4")
    assert both.loot() == [9, 9]
    assert both.winner() == 0


def test_the_cap_on_turns_ends_the_game_and_the_most_loot_wins() -> None:
    scene = Scene([[], []], feats=["F30"], turn=499, sponsors={1: ["P01"]}, dice={0: [(1, 2)]})
    scene.do(0, "F30")
    assert scene.asked[1] == "lose sponsor" or scene.asked == (-1, "over")
    assert scene.table.capped == 1
    assert scene.winner() == -1

"""The slow twin of Fantastiqa by hand: adventures, flights, visits and quests, scene by scene."""

from __future__ import annotations

from fractions import Fraction

import pytest
from twin_fantastiqa import (
    Game,
    Pile,
    Position,
    Seat,
    legal_free_actions,
    legal_turns,
)
from twin_fantastiqa_rules import missing, strength
from twin_fantastiqa_scenes import (
    DRAGON,
    FIRE,
    NET,
    ROBE,
    SWORD,
    TOOTH,
    TWO_NETS,
    TWO_SWORDS,
    WATER,
    allowed,
    done,
    game,
    named,
    paying,
    scene,
)

# --- Going adventuring: symbols and pairs ---


def test_one_matching_symbol_subdues_a_small_creature() -> None:
    """A Baby Dragon fears the sword."""
    assert paying(scene(SWORD, FIRE, on={7: "Baby Dragon"}), 7) == {(SWORD,)}


def test_the_own_symbol_of_a_creature_does_not_subdue_it() -> None:
    assert paying(scene(FIRE, on={7: "Baby Dragon"}), 7) == set()


def test_two_matching_symbols_subdue_a_large_creature_on_one_card_or_on_two() -> None:
    table = scene(SWORD, "Knight", TWO_SWORDS, on={7: "Dragon"})
    assert paying(table, 7) == {("Knight", SWORD), (TWO_SWORDS,)}


def test_two_equal_symbols_stand_for_any_other() -> None:
    assert paying(scene("Net", NET, TOOTH, on={7: "Baby Dragon"}), 7) == {("Net", NET)}


def test_one_double_card_is_a_pair() -> None:
    assert paying(scene(TWO_NETS, on={7: "Baby Dragon"}), 7) == {(TWO_NETS,)}


def test_three_equal_symbols_are_one_pair_and_two_different_ones_none() -> None:
    table = scene()
    assert strength(table, ["Net", NET, NET], "Sword") == (0, 1)
    assert strength(table, [TWO_NETS, NET], "Sword") == (0, 1)
    assert strength(table, [TWO_NETS, TWO_NETS], "Sword") == (0, 2)
    assert strength(table, ["Net", TOOTH], "Sword") == (0, 0)
    assert strength(table, [SWORD, SWORD, "Net", NET], "Sword") == (2, 1)


def test_three_equal_symbols_do_not_subdue_what_needs_two() -> None:
    assert paying(scene("Net", NET, NET, on={7: "Dragon"}), 7) == set()


def test_a_match_and_a_pair_subdue_a_large_creature() -> None:
    table = scene(SWORD, TWO_NETS, "Rabbits", on={7: "Dragon"})
    assert paying(table, 7) == {(TWO_NETS, SWORD)}


def test_two_pairs_subdue_a_large_creature() -> None:
    table = scene(TWO_NETS, "Rabbits", TOOTH, on={7: "Dragon"})
    assert paying(table, 7) == {(TOOTH, TWO_NETS, "Rabbits")}


def test_a_payment_from_which_a_card_could_be_taken_away_is_not_listed() -> None:
    """Paying too much is only discarding, and that is free."""
    table = scene(SWORD, "Knight", on={7: "Baby Dragon"})
    assert paying(table, 7) == {(SWORD,), ("Knight",)}
    assert not allowed(table, ("adventure", ((7, ("Knight", SWORD)),)))


def test_pairs_do_not_count_when_the_option_says_so() -> None:
    table = scene(TWO_NETS, SWORD, on={7: "Baby Dragon"}, options={"wilds": False})
    assert paying(table, 7) == {(SWORD,)}


# --- Going adventuring: the line ---


def test_a_pair_is_not_split_between_two_creatures() -> None:
    """Two nets are one wild; two creatures would need one each."""
    table = scene("Net", NET, on={7: "Baby Dragon", 2: "Baby Dragon"})
    turns = {turn for turn in legal_turns(table) if turn[0] == "adventure"}
    assert turns == {("adventure", ((7, ("Net", NET)),))}


def test_a_double_card_does_not_serve_two_creatures() -> None:
    table = scene(TWO_SWORDS, on={7: "Baby Dragon", 2: "Baby Dragon"})
    assert not allowed(table, ("adventure", ((7, (TWO_SWORDS,)), (2, (TWO_SWORDS,)))))
    assert allowed(table, ("adventure", ((7, (TWO_SWORDS,)),)))


def test_a_line_goes_over_several_creatures_in_either_order_of_payment() -> None:
    table = scene(SWORD, "Knight", on={7: "Baby Dragon", 2: "Baby Dragon"})
    assert allowed(table, ("adventure", ((7, (SWORD,)), (2, ("Knight",)))))
    assert allowed(table, ("adventure", ((7, ("Knight",)), (2, (SWORD,)))))


def test_a_creature_that_does_not_touch_the_region_is_out_of_reach() -> None:
    """From the Highlands lead 5, 6 and 7; the diagonals and the other side do not."""
    table = scene(SWORD, on=dict.fromkeys(range(1, 8), "Baby Dragon"))
    reached = {
        line[0][0]
        for name, line in ((t[0], t[-1]) for t in legal_turns(table))
        if name == "adventure"
    }
    assert reached == {5, 6, 7}


def test_an_empty_space_is_not_passed() -> None:
    assert not allowed(scene(SWORD), ("adventure", ((7, ()),)))
    assert not allowed(scene(SWORD), ("adventure", ((7, (SWORD,)),)))


def test_the_way_back_over_the_same_space_is_closed() -> None:
    table = scene(SWORD, "Knight", on={7: "Baby Dragon"})
    assert not allowed(table, ("adventure", ((7, (SWORD,)), (7, ("Knight",)))))


def test_a_loop_comes_back_over_other_creatures_unless_loops_are_off() -> None:
    """Highlands, Hills, Fields, Forests, Highlands: spaces 7, 2, 1, 6."""
    swords = [SWORD, "Knight", "Knight", SWORD]
    loop = (
        "adventure",
        tuple((space, (card,)) for space, card in zip((7, 2, 1, 6), swords, strict=True)),
    )
    beasts = dict.fromkeys(range(1, 8), "Baby Dragon")
    assert allowed(scene(*swords, on=beasts), loop)
    closed = scene(*swords, on=beasts, options={"loops": False})
    assert not allowed(closed, loop)
    assert allowed(closed, ("adventure", loop[1][:3]))


def test_a_loop_may_meet_the_line_at_any_region_that_it_came_through() -> None:
    """From the Wetlands: Highlands, Forests, Fields, Hills, and the Highlands again."""
    swords = [SWORD, "Knight", "Knight", SWORD, SWORD]
    steps = zip((5, 6, 1, 2, 7), swords, strict=True)
    line = ("adventure", tuple((space, (card,)) for space, card in steps))
    beasts = dict.fromkeys(range(1, 8), "Baby Dragon")
    for loops in (True, False):
        table = scene(*swords, place="BL", on=beasts, options={"loops": loops})
        assert allowed(table, line) == loops


def test_after_the_line_cards_and_creatures_are_discarded_and_the_gems_taken() -> None:
    table = scene(SWORD, TWO_NETS, FIRE, on={7: "Baby Dragon", 2: "Knight"}, gems=1)
    table.gems_on[7] = table.gems_on[2] = 1
    after = done(table, ("adventure", ((7, (SWORD,)), (2, (TWO_NETS,)))))
    me = table.me
    assert (me.place, me.gems, me.hand) == ("TR", 3, [FIRE])
    assert sorted(me.discard) == sorted([SWORD, TWO_NETS, "Baby Dragon", "Knight"])
    assert table.creatures[7] is None
    assert table.gems_on[7] == 0
    assert [(e["space"], e["matching"], e["pairs"], e["to"]) for e in named(after, "subdue")] == [
        (7, 1, 0, "MR"),
        (2, 0, 1, "TR"),
    ]
    assert named(after, "recruit")[0]["gems"] == 2
    assert legal_turns(table) == set()


# --- Flying ---


def test_a_carpet_flies_over_a_creature_that_stays() -> None:
    table = scene("Witch", on={7: "Bear"}, carpets=1)
    assert {a for a in legal_free_actions(table) if a[0] in ("carpet", "use")} == {
        ("carpet", 7),
        ("use", "Witch", 7),
    }
    done(table, ("carpet", 7), ("use", "Witch", 7))
    assert (table.me.place, table.creatures[7], table.me.carpets) == ("ML", "Bear", 0)
    assert (table.me.hand, table.me.discard) == ([], ["Witch"])
    assert not allowed(table, ("carpet", 7))


def test_nobody_flies_over_an_empty_space_unless_the_option_says_so() -> None:
    assert not allowed(scene(), ("carpet", 7))
    assert allowed(scene(options={"fly_over_empty": True}), ("carpet", 7))


def test_a7_goes_one_or_two_steps_over_creatures() -> None:
    """7 leads to the Hills, 2 on to the Fields; 3 is empty, so Frozen Wastelands is too far."""
    table = scene("A7", on={7: "Bear", 2: "Bear", 1: "Bear"})
    places = {action[2] for action in legal_free_actions(table) if action[0] == "use"}
    assert places == {"MR", "TR"}
    done(table, ("use", "A7", "TR"))
    assert (table.me.place, table.creatures[7]) == ("TR", "Bear")


# --- Visiting a statue ---


def test_three_beasts_are_drawn_and_what_can_be_paid_may_be_bought() -> None:
    bear, satyr, bats = "Bear (beast)", "Satyr (beast)", "Vampire Bats (beast)"
    table = scene(gems=6)
    table.piles["beast"] = Pile(down=[bear, satyr, bats, bear])
    after = game(table, (bear, satyr))
    after.perform(("draw", ()))
    assert (table.me.gems, sorted(table.me.discard), table.me.hand) == (0, [bear, satyr], [])
    assert table.piles["beast"] == Pile(down=[bear], up=[bats])
    assert [event["price"] for event in named(after, "buy")] == [3, 3]


def test_more_than_the_gems_pay_for_cannot_be_bought_and_nothing_need_be() -> None:
    table = scene(gems=5)
    table.piles["beast"] = Pile(down=["Bear (beast)"] * 3)
    with pytest.raises(ValueError, match="may not choose"):
        done(table, ("draw", ()), answers=[("Bear (beast)", "Bear (beast)")])
    table = scene(gems=5)
    table.piles["beast"] = Pile(down=["Bear (beast)"] * 3)
    done(table, ("draw", ()), answers=[()])
    assert table.piles["beast"] == Pile(up=["Bear (beast)"] * 3)


def test_artifacts_cost_what_is_printed_on_them() -> None:
    table = scene(place="TL", gems=6)
    table.piles["artifact"] = Pile(down=["Wardrobe", ROBE, "A8"])
    done(table, ("draw", ()), answers=[(ROBE, "Wardrobe")])
    assert table.me.gems == 2


def test_each_plus_card_adds_a_card_to_the_draw() -> None:
    table = scene("Fen Fairy", "Water Nymphs", FIRE)
    table.piles["beast"] = Pile(down=["Bear (beast)"] * 6)
    after = done(table, ("draw", ("Fen Fairy", "Water Nymphs")), answers=[()])
    assert len(named(after, "statue cards")[0]["cards"]) == 5
    assert (table.me.hand, table.me.discard) == ([FIRE], ["Fen Fairy", "Water Nymphs"])


def test_only_plus_cards_are_played_with_a_visit() -> None:
    assert not allowed(scene(FIRE), ("draw", (FIRE,)))
    assert not allowed(scene("Fen Fairy"), ("use", "Fen Fairy"))


def test_when_no_card_lies_face_down_the_returned_ones_are_shuffled() -> None:
    names = ["Bear (beast)", "Satyr (beast)", "Fairies (beast)"]
    table = scene()
    table.piles["beast"] = Pile(down=["Dragon (beast)"], up=list(names))
    after = done(table, ("draw", ()), answers=[()])
    shown = named(after, "statue cards")[0]["cards"]
    assert shown == ["Dragon (beast)", "Fairies (beast)", "Satyr (beast)"]
    assert table.piles["beast"] == Pile(down=["Bear (beast)"], up=shown)
    assert named(after, "shuffle")[0]["drawn_before"] == 1


def test_at_the_chest_at_least_one_quest_is_taken_and_at_most_three_are_held() -> None:
    def chest(held: int, wanted: tuple[str, ...]) -> Position:
        quests: dict[str, list[str]] = {f"S{number}": [] for number in range(1, held + 1)}
        table = scene(place="BL", quests=quests)
        table.piles["quest"] = Pile(down=["Q01", "Q11", "Q28"])
        done(table, ("draw", ()), answers=[wanted])
        return table

    assert list(chest(0, ("Q01", "Q11", "Q28")).me.quests) == ["Q01", "Q11", "Q28"]
    assert list(chest(2, ("Q11",)).me.quests) == ["S1", "S2", "Q11"]
    assert chest(2, ("Q11",)).piles["quest"].up == ["Q01", "Q28"]
    for held, wanted in ((0, ()), (2, ("Q01", "Q11")), (1, ("Q01", "Q11", "Q28"))):
        with pytest.raises(ValueError, match="may not choose"):
            chest(held, wanted)


def test_with_three_quests_or_without_any_in_the_deck_the_chest_gives_no_draw() -> None:
    full = scene(FIRE, place="BL", gems=2, quests={"S1": [], "S2": [], "S3": []})
    full.piles["quest"] = Pile(down=["Q01"])
    assert legal_turns(full) == {("pass",), ("teleport",), ("release", (), (FIRE,), ())}
    assert not allowed(scene(place="BL"), ("draw", ()))
    returned = scene(place="BL")
    returned.piles["quest"] = Pile(up=["Q01"])
    assert allowed(returned, ("draw", ()))


def test_a_claimed_quest_costs_its_cups_and_pays_them_back_twice() -> None:
    """Q35, worth three cups: two bats and three fires."""
    table = scene("Bear", "Dragon", FIRE, place="BR")
    table.piles["quest"] = Pile(down=["Q35"])
    after = done(table, ("draw", ()), answers=[("Q35",)])
    assert (table.own_score(0), named(after, "claim")[0]["score"]) == (-3, -3)
    table.acted = False  # another turn
    done(table, ("complete", "Q35", ("Bear", FIRE, "Dragon"), ()))
    assert (table.own_score(0), table.me.gems) == (3, 4)


def test_up_to_three_cards_are_released_from_hand_and_discard_pile_for_a_gem_each() -> None:
    table = scene(FIRE, SWORD, gems=4, discard=[FIRE, TOOTH])
    after = done(table, ("release", (), (FIRE,), (FIRE, TOOTH)))
    assert (table.me.hand, table.me.discard, table.me.gems) == ([SWORD], [], 1)
    assert (sorted(table.gone), table.gems) == ([FIRE, FIRE, TOOTH], 63)
    assert [e["source"] for e in named(after, "release")] == ["hand", "discard", "discard"]


def test_a_release_is_bounded_by_three_by_the_gems_and_by_what_is_there() -> None:
    four = scene(FIRE, SWORD, TOOTH, WATER, gems=4)
    assert not allowed(four, ("release", (), (FIRE, SWORD, TOOTH, WATER), ()))
    assert not allowed(scene(FIRE, SWORD, gems=1), ("release", (), (FIRE, SWORD), ()))
    assert not allowed(scene(FIRE, discard=[SWORD]), ("release", (), (SWORD,), ()))
    assert not allowed(scene(FIRE), ("release", (), (), ()))


def test_a_plus_card_releases_a_fourth_card_even_itself() -> None:
    table = scene("Fen Fairy", FIRE, SWORD, TOOTH, gems=4)
    done(table, ("release", ("Fen Fairy",), (TOOTH, FIRE, SWORD), ("Fen Fairy",)))
    assert (table.me.hand, table.me.discard, table.me.gems) == ([], [], 0)


def test_a_peaceful_dragon_is_never_released() -> None:
    table = scene(DRAGON, discard=[DRAGON])
    assert not any(turn[0] == "release" for turn in legal_turns(table))


def test_a_teleport_leads_to_the_other_statue_of_the_kind_for_two_gems() -> None:
    table = scene(gems=2)
    done(table, ("teleport",))
    assert (table.me.place, table.me.gems, table.gems) == ("MR", 0, 62)
    assert not allowed(scene(gems=1), ("teleport",))


def test_keys_open_visits_one_after_the_other_before_and_after_the_turn_action() -> None:
    """Teleport to the Hills, release the first key there, pass, and teleport back."""
    table = scene("Rabbits", "Vampire Bats", "Rabbits", gems=5)
    table_after = done(
        table,
        ("use", "Rabbits", ("teleport",)),
        ("use", "Vampire Bats", ("release", (), (), ("Rabbits",))),
        ("pass",),
        ("use", "Rabbits", ("teleport",)),
    )
    assert (table.me.place, table.me.gems, table.gone) == ("ML", 0, ["Rabbits"])
    assert table.me.discard == ["Vampire Bats", "Rabbits"]
    assert [e["key"] for e in named(table_after, "visit")] == ["Rabbits", "Vampire Bats", "Rabbits"]


def test_a_key_lies_on_the_discard_pile_when_its_visit_goes_on() -> None:
    table = scene("Rabbits")
    done(table, ("use", "Rabbits", ("release", (), (), ("Rabbits",))))
    assert (table.gone, table.me.discard, table.me.hand) == (["Rabbits"], [], [])


def test_one_visit_is_one_option_and_one_turn_has_one_turn_action() -> None:
    table = scene(FIRE, gems=5, on={6: "Witch"})
    done(table, ("teleport",))
    assert legal_turns(table) == set()
    with pytest.raises(ValueError, match="may not do"):
        done(table, ("teleport",))


# --- Quests ---


def test_a_personal_quest_is_completed_in_its_region_with_exact_symbols() -> None:
    """S8 asks for two bats in the Highlands and pays three gems."""
    table = scene("Bat", "Troll", FIRE, quests={"S8": []})
    after = done(table, ("complete", "S8", ("Bat", "Troll"), ()))
    assert (table.me.completed, table.me.quests, table.me.gems) == (["S8"], {}, 6)
    assert (table.own_score(0), table.me.bonus) == (1, 0)
    assert sorted(table.me.discard) == ["Bat", "Troll"]
    assert named(after, "complete")[0]["score"] == 1


def test_pairs_do_not_stand_for_other_symbols_of_a_quest() -> None:
    table = scene("Bat", TWO_NETS, quests={"S8": []})
    assert not allowed(table, ("complete", "S8", ("Bat", TWO_NETS), ()))
    assert missing(table, ["Bat", TWO_NETS], "S8") == 1


def test_a_quest_elsewhere_or_of_somebody_else_is_not_completed() -> None:
    assert not allowed(
        scene("Bear", place="MR", quests={"S8": []}), ("complete", "S8", ("Bear",), ())
    )
    theirs = scene("Bear", others=[Seat(place="ML", quests={"S8": []})])
    assert not allowed(theirs, ("complete", "S8", ("Bear",), ()))


def test_a_quest_may_be_overshot_by_a_card_that_is_needed() -> None:
    """Q08 asks for three bats: two double cards show four."""
    table = scene("Bear", "Bear", "Bat", quests={"Q08": []})
    ways = {turn for turn in legal_turns(table) if turn[0] == "complete"}
    assert ways == {
        ("complete", "Q08", ("Bear", "Bear"), ()),
        ("complete", "Q08", ("Bat", "Bear"), ()),
    }


def test_committed_cards_count_and_are_all_discarded() -> None:
    """Tooth and Water, two of each; the second Water Nymphs card is one too many."""
    table = scene(TOOTH, "Rabbits", quests={"Q14": ["Water Nymphs", "Cat"]})
    ways = {turn for turn in legal_turns(table) if turn[0] == "complete"}
    assert ways == {("complete", "Q14", (TOOTH,), ()), ("complete", "Q14", ("Rabbits",), ())}
    done(table, ("complete", "Q14", (TOOTH,), ()))
    assert sorted(table.me.discard) == sorted(["Water Nymphs", "Cat", TOOTH])
    assert table.me.gems == 5


def test_an_open_quest_gives_a_bonus_token_and_leaves_its_space_empty_for_this_turn() -> None:
    table = scene("Bear", token=["Bat", "Troll", FIRE], open_quests=["S1", "S8"], bonus_on=[1, 1])
    ways = {turn for turn in legal_turns(table) if turn[0] == "complete"}
    assert ways == {
        ("complete", "S8", ("Bear",), ()),
        ("complete", "S8", (), ("Bat", "Troll")),
    }
    after = done(table, ("complete", "S8", (), ("Bat", "Troll")))
    assert (table.me.token, table.me.bonus, table.own_score(0)) == ([FIRE], 1, 2)
    assert (table.open_quests, table.bonus_on) == (["S1", None], [1, 0])
    assert named(after, "complete")[0]["committed"] == ["Bat", "Troll"]


def test_cards_under_the_token_are_no_use_for_a_personal_quest() -> None:
    table = scene("Bat", token=["Troll"], quests={"S8": []})
    assert not allowed(table, ("complete", "S8", ("Bat",), ("Troll",)))


def test_a_card_is_committed_only_to_what_is_still_missing() -> None:
    """Two bats and two waters: one bat is there."""
    table = scene("Bear", "Bat", FIRE, "Pail", quests={"Q25": ["Bat"]})
    commits = {a[1] for a in legal_free_actions(table) if a[0] == "commit" and a[2] == "Q25"}
    assert commits == {"Bear", "Bat", "Pail"}
    done(table, ("commit", "Bear", "Q25"))
    commits = {a[1] for a in legal_free_actions(table) if a[0] == "commit" and a[2] == "Q25"}
    assert commits == {"Pail"}


def test_any_card_goes_under_the_token_and_of_six_one_is_discarded() -> None:
    table = scene(DRAGON, token=[FIRE, FIRE, SWORD, WATER, TOOTH])
    done(table, ("commit", DRAGON, "token"), answers=[SWORD])
    assert (table.me.token, table.me.discard) == ([FIRE, FIRE, WATER, TOOTH, DRAGON], [SWORD])


def test_withdrawn_cards_go_to_the_discard_pile_and_the_quest_stays() -> None:
    table = scene(quests={"S8": ["Bat", "Troll"]}, token=[FIRE])
    done(table, ("withdraw", "Bat", "S8"), ("withdraw", FIRE, "token"))
    assert (table.me.quests, table.me.token) == ({"S8": ["Troll"]}, [])
    assert (table.me.discard, table.me.hand) == (["Bat", FIRE], [])
    assert not allowed(table, ("withdraw", "Bat", "S8"))


def test_a_card_is_committed_and_the_quest_completed_in_one_turn() -> None:
    table = scene("Bear", quests={"S8": []})
    done(table, ("commit", "Bear", "S8"), ("complete", "S8", (), ()))
    assert table.me.completed == ["S8"]


def test_reaching_the_goal_wins_at_once_and_incomplete_quests_count_against_it() -> None:
    def score_after(owed: dict[str, list[str]]) -> Game:
        table = scene("Bear", quests={"S8": [], **owed}, completed=["Q28", "Q29", "Q30"])
        table.options["goal"] = 10
        return done(table, ("complete", "S8", ("Bear",), ()))

    won = score_after({})
    assert (won.over, won.result()["win_share"]) == ("goal", [Fraction(1), Fraction(0)])
    assert score_after({"S1": []}).over is None


def test_a_supply_without_gems_or_bonus_tokens_gives_none() -> None:
    table = scene("Bear", "Dog", quests={"S8": []}, supply={"gems": 1, "bonus": 0})
    after = done(table, ("use", "Dog"), ("complete", "S8", ("Bear",), ()))
    assert (table.me.gems, named(after, "complete")[0]["gems"]) == (4, 0)
    after.lay_open(0, "Q01")
    assert table.bonus_on == [0, 0]

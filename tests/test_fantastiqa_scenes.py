"""Fantastiqa by hand: the rules and rulings, each in a position that one can lay out on a table."""

from __future__ import annotations

import pytest
from scenes_fantastiqa import BR, CENTRE, LEFT, MR, TL, TOP, TR, Scene

from simlab.errors import UsageError
from simlab.games.fantastiqa import GAME
from simlab.games.fantastiqa import records as r

# --- Going on an adventure ------------------------------------------------------------------


def test_one_matching_symbol_subdues_a_creature_of_level_1() -> None:
    """A Troll (bat) is beaten by a helmet; card and creature go to the discards, gem to me."""
    scene = Scene("helmet", "cat", on={TOP: "troll"}, gems_on={TOP: 1})
    scene.pay(TOP, "helmet")
    assert (scene.hand(), scene.discards()) == (["cat"], ["helmet", "troll"])
    assert (scene.of_me("place"), scene.of_me("gems")) == (TR, 4)
    assert scene.table["creature_at"][TOP] == r.NOTHING


def test_two_matching_symbols_subdue_a_creature_of_level_2() -> None:
    scene = Scene("spatula", "knight", "cat", on={TOP: "dragon"})
    scene.do(r.GO, TOP)
    assert scene.offered == {"spatula", "knight"}
    scene.do(r.LAY, "knight", "spatula")
    assert scene.of_me("place") == TR


def test_a_pair_of_another_symbol_stands_for_one() -> None:
    """Two nets beat a Troll; a net and a cat do not."""
    assert Scene("net", "spiders", on={TOP: "troll"}).may(r.GO, TOP)
    assert not Scene("net", "cat", on={TOP: "troll"}).may(r.GO, TOP)


def test_one_card_with_two_equal_symbols_is_a_pair() -> None:
    scene = Scene("giant-spider", on={TOP: "troll"})
    scene.pay(TOP, "giant-spider")
    assert scene.of_me("place") == TR


def test_three_equal_symbols_are_one_pair_and_four_are_two() -> None:
    three = Scene("net", "giant-spider", on={TOP: "bear"})
    assert not three.may(r.GO, TOP)
    assert Scene("net", "giant-spider", "spiders", on={TOP: "bear"}).may(r.GO, TOP)


def test_no_wilds_by_option() -> None:
    assert not Scene("net", "spiders", on={TOP: "troll"}, wilds=False).may(r.GO, TOP)


def test_a_card_that_could_be_taken_away_is_not_offered() -> None:
    """Once the helmet lies it is enough; with a net first only the other net is left."""
    scene = Scene("helmet", "net", "spiders", on={TOP: "troll"})
    scene.do(r.GO, TOP)
    assert scene.offered == {"helmet", "net", "spiders"}
    scene.do(r.LAY, "net")
    assert scene.offered == {"spiders"}


def test_an_adventure_goes_on_until_one_stops() -> None:
    scene = Scene("helmet", "spatula", "cat", on={TOP: "troll", 1: "baby-dragon", LEFT: "troll"})
    scene.pay(TOP, "helmet")
    assert scene.moves() == [(r.GO, 1), (r.STOP, 0)]
    scene.pay(1, "spatula")
    assert (scene.of_me("place"), scene.phase) == (MR, r.FREE)
    assert not any(verb in (r.GO, r.VISIT, r.COMPLETE) for verb, _ in scene.moves())


def test_a_pair_may_not_be_divided_and_a_card_serves_one_creature() -> None:
    """With two nets one Troll is subdued, not two."""
    scene = Scene("net", "spiders", on={TOP: "troll", 1: "troll"})
    scene.pay(TOP, "net", "spiders")
    assert scene.phase == r.FREE


def test_diagonals_and_emptied_spaces_lead_nowhere() -> None:
    scene = Scene("helmet", on={2: "troll", CENTRE: "troll"})
    assert not any(verb == r.GO for verb, _ in scene.moves())
    assert not Scene("helmet").may(r.GO, TOP)


@pytest.mark.parametrize("loops", [True, False])
def test_one_may_come_back_over_other_creatures_unless_loops_are_off(loops: bool) -> None:
    ring = dict.fromkeys((TOP, 1, CENTRE, LEFT), "troll")
    scene = Scene("helmet", "billy-goat", "satyr", "b-satyr", on=ring, loops=loops)
    scene.pay(TOP, "helmet").pay(1, "billy-goat").pay(CENTRE, "satyr")
    assert scene.may(r.GO, LEFT) == loops


def test_no_free_action_in_the_middle_of_an_adventure() -> None:
    scene = Scene("helmet", "dog", "spatula", on={TOP: "troll", 1: "baby-dragon"}, carpets=1)
    scene.pay(TOP, "helmet")
    assert {verb for verb, _ in scene.moves()} == {r.GO, r.STOP}


# --- Statues --------------------------------------------------------------------------------


def test_three_cards_are_drawn_and_as_many_bought_as_gems_allow() -> None:
    scene = Scene(supply=["wardrobe", "robe", "purse", "boots"], gems=(3, 0))
    scene.do(r.VISIT).do(r.DRAW)
    assert not scene.may(r.BUY, "boots")
    scene.do(r.BUY, "wardrobe", "purse")
    assert (scene.discards(), scene.of_me("gems")) == (["purse", "wardrobe"], 0)
    assert scene.table["face_up"][scene.kind("robe")] == 1
    assert scene.phase == r.FREE


def test_nothing_has_to_be_bought() -> None:
    scene = Scene(supply=["wardrobe", "robe", "purse"])
    scene.do(r.VISIT).do(r.DRAW).do(r.DONE)
    assert (scene.discards(), scene.of_me("gems")) == ([], 3)


def test_a_card_that_adds_draws_one_more_before_cards_are_drawn() -> None:
    scene = Scene("fen-fairy", supply=["wardrobe", "robe", "purse", "boots"], gems=(9, 0))
    scene.do(r.VISIT).do(r.DRAW).do(r.ADD, "fen-fairy")
    assert scene.may(r.BUY, "boots")
    assert scene.discards() == ["fen-fairy"]


def test_of_quests_one_has_to_be_claimed_and_it_costs_its_cups() -> None:
    scene = Scene(place=BR, others=(TL,), supply=["Q01", "Q28", "Q10"])
    scene.do(r.VISIT).do(r.DRAW)
    assert not scene.may(r.DONE)
    scene.do(r.CLAIM, "Q28")
    assert scene.of_me("points") == -3
    scene.do(r.DONE)
    assert scene.table["quests_up"] == (1 << scene.quest("Q01")) | (1 << scene.quest("Q10"))


def test_with_three_personal_quests_one_may_release_or_teleport_only() -> None:
    scene = Scene("cat", place=BR, others=(TL,), supply=["Q01"], quests=["Q02", "Q03", "Q04"])
    scene.do(r.VISIT)
    assert scene.moves() == [(r.RELEASE, 0), (r.TELEPORT, 0)]


def test_claiming_ends_with_the_third_personal_quest() -> None:
    scene = Scene(place=BR, others=(TL,), supply=["Q01", "Q05", "Q06"], quests=["Q02", "Q03"])
    scene.do(r.VISIT).do(r.DRAW).do(r.CLAIM, "Q05")
    assert scene.phase == r.FREE


def test_up_to_three_cards_are_released_for_a_gem_each_and_never_a_dragon() -> None:
    scene = Scene("cat", "peaceful-dragon", discard=["net", "pail", "bat"], gems=(5, 0))
    scene.do(r.VISIT).do(r.RELEASE)
    assert not scene.may(r.LET_GO, "peaceful-dragon")
    scene.do(r.LET_GO, "cat").do(r.LET_GO_DISCARD, "net", "bat")
    assert (scene.hand(), scene.discards()) == (["peaceful-dragon"], ["pail"])
    assert (scene.of_me("gems"), scene.phase) == (2, r.FREE)


def test_a_card_that_adds_releases_one_more_and_may_be_released_itself() -> None:
    scene = Scene("fen-fairy", discard=["net", "pail", "bat"], gems=(5, 0))
    scene.do(r.VISIT).do(r.RELEASE).do(r.LET_GO_DISCARD, "net", "pail", "bat")
    scene.do(r.ADD, "fen-fairy").do(r.LET_GO_DISCARD, "fen-fairy")
    assert (scene.discards(), scene.of_me("gems")) == ([], 1)


def test_a_teleport_leads_to_the_twin_statue_for_two_gems() -> None:
    scene = Scene(gems=(2, 0))
    scene.do(r.VISIT).do(r.TELEPORT)
    assert (scene.of_me("place"), scene.of_me("gems")) == (TR, 0)
    assert not Scene(gems=(1, 0)).do(r.VISIT).may(r.TELEPORT)


def test_returned_cards_are_shuffled_when_one_is_needed_and_none_is_left() -> None:
    scene = Scene("rabbits", supply=["wardrobe", "robe"], gems=(9, 0))
    scene.do(r.VISIT).do(r.DRAW).do(r.BUY, "wardrobe").do(r.DONE)
    scene.do(r.USE, "rabbits").do(r.DRAW)
    assert scene.may(r.BUY, "robe")
    assert not scene.may(r.BUY, "wardrobe")


def test_a_key_is_a_visit_as_a_free_action_and_several_are_fine() -> None:
    scene = Scene("rabbits", "rabbits", gems=(4, 0), on={TOP: "troll"}, place=TL)
    scene.do(r.USE, "rabbits").do(r.TELEPORT).do(r.USE, "rabbits").do(r.TELEPORT)
    assert (scene.of_me("place"), scene.of_me("gems")) == (TL, 0)
    assert scene.of_me("place") == TL
    assert scene.table["acted"] == 0


# --- Quests ---------------------------------------------------------------------------------


def test_a_personal_quest_is_completed_in_its_region_and_swings_twice_its_cups() -> None:
    """S2: 2 Fire in the Wetlands, which lie at BL."""
    scene = Scene("candle", "baby-dragon", "cat", place=4, others=(TL,), quests=["S2"])
    before = scene.of_me("points")
    scene.do(r.COMPLETE, 0).do(r.LAY, "candle", "baby-dragon")
    assert scene.of_me("points") - before == 2
    assert (scene.of_me("gems"), scene.of_me("completed"), scene.hand()) == (6, 1, ["cat"])
    assert not Scene("candle", "baby-dragon", quests=["S2"]).may(r.COMPLETE, 0)


def test_pairs_do_not_stand_for_others_in_quests() -> None:
    cards = ("candle", "net", "spiders")
    assert not Scene(*cards, place=4, others=(TL,), quests=["S2"]).may(r.COMPLETE, 0)


def test_committed_cards_count_and_are_all_discarded() -> None:
    scene = Scene("candle", "baby-dragon", "dragon", place=4, others=(TL,), quests=["S2"])
    scene.do(r.COMMIT, "candle", "dragon")
    assert not scene.may(r.COMMIT, "baby-dragon")
    scene.do(r.COMPLETE, 0)
    assert (scene.hand(), scene.discards()) == (["baby-dragon"], ["candle", "dragon"])


def test_only_what_is_lacking_may_be_committed_and_a_double_may_overshoot() -> None:
    scene = Scene("candle", "dragon", "cat", quests=["S2"])
    assert not scene.may(r.COMMIT, "cat")
    scene.do(r.COMMIT, "candle", "dragon")
    assert scene.hand() == ["cat"]


def test_an_open_quest_takes_cards_from_under_the_token_and_brings_a_bonus() -> None:
    scene = Scene("candle", token=["baby-dragon", "cat"], place=4, others=(TL,), opened=["S2"])
    scene.do(r.COMPLETE, 3).do(r.LAY_TOKEN, "baby-dragon").do(r.LAY, "candle")
    assert (scene.of_me("points"), scene.of_me("bonus")) == (2, 1)
    assert scene.of_me("token_cards") == 1
    assert scene.table["open_quests"][0] == r.NOTHING


def test_cards_under_the_token_are_for_open_quests_only() -> None:
    scene = Scene("candle", token=["baby-dragon"], place=4, others=(TL,), quests=["S2"])
    assert not scene.may(r.COMPLETE, 0)


def test_a_sixth_card_under_the_token_makes_one_of_the_six_go() -> None:
    scene = Scene("candle", token=["cat", "net", "bat", "pail", "dog"])
    scene.do(r.COMMIT_TOKEN, "candle")
    assert {verb for verb, _ in scene.moves()} == {r.WITHDRAW_TOKEN}
    scene.do(r.WITHDRAW_TOKEN, "dog")
    assert (scene.discards(), scene.of_me("token_cards"), scene.phase) == (["dog"], 5, r.FREE)


def test_withdrawn_cards_go_to_the_discards() -> None:
    scene = Scene("candle", token=["cat"], quests=["S2"]).do(r.COMMIT, "candle")
    scene.do(r.WITHDRAW, "candle").do(r.WITHDRAW_TOKEN, "cat")
    assert (scene.hand(), scene.discards()) == ([], ["candle", "cat"])


def test_who_reaches_the_goal_wins_at_once() -> None:
    scene = Scene("candle", "baby-dragon", place=4, others=(TL,), opened=["S2"], goal=2)
    scene.do(r.COMPLETE, 3).do(r.LAY, "candle", "baby-dragon")
    assert (scene.table["ended"], scene.table["to_move"]) == (r.BY_GOAL, -1)


def test_incomplete_quests_keep_one_from_the_goal() -> None:
    scene = Scene("candle", "baby-dragon", place=4, others=(TL,), opened=["S2"], goal=2)
    scene.table["points"][0] = -1
    scene.do(r.COMPLETE, 3).do(r.LAY, "candle", "baby-dragon")
    assert (scene.of_me("points"), scene.table["ended"]) == (1, 0)


def test_partners_reach_the_goal_together() -> None:
    scene = Scene("candle", "baby-dragon", players=4, place=4, opened=["S2"], goal=5, teams=True)
    scene.table["points"][:] = (0, 9, 3, 0)
    scene.do(r.COMPLETE, 3).do(r.LAY, "candle", "baby-dragon")
    assert scene.table["ended"] == r.BY_GOAL


# --- Free actions ---------------------------------------------------------------------------


def test_a_carpet_flies_over_a_creature_and_leaves_it_there() -> None:
    scene = Scene("witch", on={TOP: "troll", 1: "troll"}, carpets=1)
    scene.do(r.FLY, TOP).do(r.USE, "witch").do(r.FLY, 1)
    assert (scene.of_me("place"), scene.of_me("carpets"), scene.discards()) == (MR, 0, ["witch"])
    assert scene.table["creature_at"][TOP] == scene.kind("troll")


@pytest.mark.parametrize("fly_empty", [True, False])
def test_one_flies_over_an_empty_space_by_option_only(fly_empty: bool) -> None:
    assert Scene(carpets=1, fly_empty=fly_empty).may(r.FLY, TOP) == fly_empty


def test_a_dog_finds_a_gem_if_there_is_one() -> None:
    scene = Scene("dog", "dog").do(r.USE, "dog")
    assert scene.of_me("gems") == 4
    scene.table["gem_supply"] = 0
    assert scene.do(r.USE, "dog").of_me("gems") == 4


def test_a_dragon_is_sent_to_any_opponent_wherever_they_are() -> None:
    scene = Scene("enchantress", players=3).do(r.USE, "enchantress")
    assert scene.things(r.SEND) == [1, 2]
    scene.do(r.SEND, 2)
    assert (scene.discards(2), scene.table["dragons"]) == (["peaceful-dragon"], 11)


def test_without_dragons_in_the_supply_the_power_has_no_effect() -> None:
    scene = Scene("enchantress")
    scene.table["dragons"] = 0
    assert scene.do(r.USE, "enchantress").discards(1) == []


def test_partners_are_no_opponents() -> None:
    scene = Scene("enchantress", players=4, teams=True).do(r.USE, "enchantress")
    assert scene.things(r.SEND) == [1, 3]


def test_a_reshuffle_token_takes_the_discards_into_the_draw_pile() -> None:
    scene = Scene(pile=["cat"], discard=["net", "bat"], reshuffles=1).do(r.RESHUFFLE)
    assert (scene.of_me("pile_cards"), scene.discards(), scene.of_me("reshuffles")) == (3, [], 0)


def test_a_looking_glass_doubles_a_card_until_the_turn_ends() -> None:
    scene = Scene("looking-glass", "candle", "dog", on={TOP: "water-nymphs"}, deck=["troll"] * 9)
    assert not scene.may(r.GO, TOP)
    scene.do(r.USE, "looking-glass")
    assert scene.things(r.DOUBLE_CARD) == [scene.kind("candle")]
    scene.do(r.DOUBLE_CARD, "candle")
    assert scene.may(r.GO, TOP)
    scene.do(r.FINISH)
    assert scene.hand() == ["candle", "dog"]


def test_a_doubled_card_counts_twice_in_a_quest() -> None:
    scene = Scene("looking-glass", "candle", place=4, others=(TL,), quests=["S2"])
    scene.do(r.USE, "looking-glass").do(r.DOUBLE_CARD, "candle")
    scene.do(r.COMPLETE, 0).do(r.LAY, "candle x2")
    assert scene.discards() == ["candle", "looking-glass"]


def test_a_bell_shows_three_cards_of_which_one_is_kept() -> None:
    scene = Scene("summoning-bell", pile=["cat", "net", "bat", "pail"]).do(r.USE, "summoning-bell")
    assert len(scene.things(r.KEEP)) == 3
    scene.do(r.KEEP, "net")
    assert (scene.hand(), scene.of_me("pile_cards")) == (["net"], 1)
    assert scene.discards() == ["cat", "bat", "summoning-bell"]


def test_an_artifact_used_is_not_drawn_again_in_the_same_turn() -> None:
    scene = Scene("summoning-bell", discard=["cat"], deck=["troll"] * 9)
    scene.do(r.USE, "summoning-bell")
    assert (scene.hand(), scene.discards()) == (["cat"], ["summoning-bell"])
    scene.do(r.FINISH)
    assert (scene.hand(), scene.discards()) == (["cat"], ["summoning-bell"])


def test_an_artifact_used_may_be_released_in_the_same_turn() -> None:
    scene = Scene("almanac").do(r.USE, "almanac").do(r.VISIT).do(r.RELEASE)
    assert scene.may(r.LET_GO_DISCARD, "almanac")


def test_the_purse_takes_a_gem_from_everybody_who_had_more() -> None:
    scene = Scene("purse", players=4, gems=(4, 5, 4, 7)).do(r.USE, "purse")
    assert scene.table["gems"].tolist() == [6, 4, 4, 6]


def test_a_brew_moves_a_card_of_hand_or_discards_to_an_opponent() -> None:
    scene = Scene("bitter-brew", "bitter-brew", "peaceful-dragon", discard=["candle"])
    scene.do(r.USE, "bitter-brew").do(r.BREW_HAND, "peaceful-dragon")
    scene.do(r.USE, "bitter-brew").do(r.BREW_DISCARD, "candle")
    assert scene.discards(1) == ["candle", "peaceful-dragon"]
    assert scene.discards() == ["bitter-brew", "bitter-brew"]


def test_a_wardrobe_swaps_two_creatures_with_their_gems() -> None:
    scene = Scene("wardrobe", on={TOP: "troll", 3: "witch"}, gems_on={TOP: 1})
    scene.do(r.USE, "wardrobe").do(r.SWAP, 8 * TOP + 3)
    assert scene.table["creature_at"][3] == scene.kind("troll")
    assert scene.table["gems_at"].tolist() == [0, 0, 0, 1, 0, 0, 0]


def test_a_robe_counts_as_any_symbol_for_creatures_and_quests() -> None:
    assert Scene("robe", on={TOP: "troll"}).may(r.GO, TOP)
    assert Scene("robe", "candle", place=4, others=(TL,), quests=["S2"]).may(r.COMPLETE, 0)


def test_boots_go_two_regions_far_over_creatures() -> None:
    scene = Scene("boots", on={TOP: "troll", 1: "troll"}).do(r.USE, "boots")
    assert scene.things(r.STRIDE_TO) == [TR, MR]
    scene.do(r.STRIDE_TO, MR)
    assert scene.of_me("place") == MR


def test_an_almanac_draws_two_cards() -> None:
    scene = Scene("almanac", pile=["cat"], discard=["net"]).do(r.USE, "almanac")
    assert scene.hand() == ["cat", "net"]


# --- Turns ----------------------------------------------------------------------------------


def test_the_hand_is_filled_up_to_five_and_more_are_kept() -> None:
    scene = Scene("cat", pile=["net"] * 6, deck=["troll"] * 9).do(r.FINISH)
    assert len(scene.hand()) == 5
    six = Scene(*["cat"] * 6, pile=["net"], deck=["troll"] * 9).do(r.FINISH)
    assert len(six.hand()) == 6


def test_a_card_is_given_to_an_opponent_in_the_same_region_only() -> None:
    scene = Scene("peaceful-dragon", others=(TL,), deck=["troll"] * 9)
    scene.do(r.GIVE_1, "peaceful-dragon")
    assert (scene.discards(1), scene.table["to_move"]) == (["peaceful-dragon"], 1)
    assert not Scene("cat").may(r.GIVE_1, "cat")
    assert not Scene("cat", others=(TL,), giving=False).may(r.GIVE_1, "cat")


def test_spaces_are_filled_clockwise_with_the_centre_last() -> None:
    deck = ["troll", "witch", "knight", "rabbits", "spiders", "bear", "fairies", "dragon"]
    scene = Scene(deck=deck).do(r.FINISH)
    assert [scene.ids[kind] for kind in scene.table["creature_at"]] == deck[:7]
    assert scene.table["gems_at"].tolist() == [1, 0, 1, 0, 1, 1, 0]


@pytest.mark.parametrize(
    ("gems", "left"), [((5, 3), [3, 3]), ((4, 3), [4, 3]), ((7, 7), [4, 4]), ((6, 9), [6, 5])]
)
def test_the_raven_takes_half_from_who_has_most_but_not_from_four(
    gems: tuple[int, int], left: list[int]
) -> None:
    on = dict.fromkeys(range(1, 7), "troll")
    scene = Scene(on=on, gems=gems, deck=["raven", "witch"]).do(r.FINISH)
    assert scene.table["gems"][:2].tolist() == left
    assert scene.ids[scene.table["creature_at"][TOP]] == "witch"


def test_the_game_ends_when_a_space_cannot_be_filled() -> None:
    scene = Scene(on=dict.fromkeys(range(1, 7), "troll"), deck=["raven"]).do(r.FINISH)
    assert scene.table["ended"] == r.BY_DECK


def test_an_open_quest_is_replaced_at_the_next_turn() -> None:
    scene = Scene(place=BR, others=(TL,), on=dict.fromkeys(range(7), "troll"), supply=["Q01"])
    scene.do(r.FINISH)
    assert scene.table["open_quests"].tolist() == [scene.quest("Q01"), r.NOTHING]
    assert scene.table["open_bonus"].tolist() == [1, 0]


def test_a_turn_may_pass_and_the_turn_cap_ends_the_game() -> None:
    scene = Scene(on=dict.fromkeys(range(7), "troll"), turn_cap=1)
    scene.do(r.FINISH)
    scene.make(r.FINISH)
    assert scene.table["ended"] == r.BY_CAP


# --- Rules that make no sense ---------------------------------------------------------------


def test_teams_are_for_four() -> None:
    with pytest.raises(UsageError, match="teams needs 4 players, got 3"):
        GAME.rules_for(3, {"teams": True})


@pytest.mark.parametrize(
    ("players", "options", "goal"),
    [(2, {}, 10), (3, {}, 8), (4, {}, 7), (2, {"goal": "long"}, 11), (4, {"teams": True}, 11)],
)
def test_the_goal_follows_players_and_length(players: int, options: dict, goal: int) -> None:
    assert GAME.rules_for(players, options)[0]["goal"] == goal


@pytest.mark.parametrize(
    ("deck", "cards"), [("48-59-59", [48, 59, 59]), ("39-49-59", [39, 49, 59])]
)
def test_the_creature_deck_has_its_cards(deck: str, cards: list[int]) -> None:
    rules = [GAME.rules_for(players, {"deck": deck})[0] for players in (2, 3, 4)]
    assert [int(r["upper"].sum() + r["lower"].sum()) for r in rules] == cards

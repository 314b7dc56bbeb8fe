"""The slow twin of Fantastiqa by hand: powers, artifacts, the turn's two ends, and teams."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from twin_fantastiqa import (
    MARK,
    Game,
    Pile,
    Position,
    Seat,
    legal_free_actions,
)
from twin_fantastiqa_rules import missing, strength
from twin_fantastiqa_scenes import (
    BELL,
    DRAGON,
    FIRE,
    GLASS,
    ROBE,
    SWORD,
    TOOTH,
    WATER,
    allowed,
    done,
    game,
    named,
    paying,
    scene,
)

# --- Powers and artifacts ---


def test_the_dog_fetches_a_gem_and_is_discarded() -> None:
    table = scene("Dog")
    done(table, ("use", "Dog"))
    assert (table.me.gems, table.gems, table.me.discard) == (4, 59, ["Dog"])


def test_a_dragon_is_sent_to_any_opponent_as_long_as_there_are_some() -> None:
    table = scene("Enchantress", "Enchantress", dragons=1)
    done(table, ("use", "Enchantress", 1), ("use", "Enchantress", 1))
    assert (table.seats[1].discard, table.dragons) == ([DRAGON], 0)
    assert table.me.discard == ["Enchantress", "Enchantress"]
    assert not allowed(scene("Enchantress"), ("use", "Enchantress", 0))


def test_a_reshuffle_token_puts_the_discard_pile_into_the_draw_deck() -> None:
    table = scene(draw=[FIRE], discard=[SWORD, TOOTH], reshuffles=1)
    done(table, ("reshuffle",))
    assert (table.me.draw, table.me.discard) == ([TOOTH, SWORD, FIRE], [])
    assert not allowed(table, ("reshuffle",))


def test_a_looking_glass_doubles_another_card_until_the_end_of_the_turn() -> None:
    table = scene(GLASS, SWORD, FIRE, "Dog", on={7: "Dragon"}, draw=[FIRE] * 5)
    others = {action[2] for action in legal_free_actions(table) if action[:2] == ("use", GLASS)}
    assert others == {SWORD, FIRE}
    done(table, ("use", GLASS, SWORD))
    assert paying(table, 7) == {(SWORD + MARK,)}
    assert table.me.discard == [GLASS]
    after = game(table, ("pass",), ("end",), None)
    after.act()
    after.end_turn()
    assert sorted(table.seats[0].hand) == sorted([SWORD, FIRE, "Dog", FIRE, FIRE])
    assert table.seats[0].discard == [GLASS]


def test_a_doubled_single_card_is_a_pair_and_counts_twice_for_a_quest() -> None:
    table = scene(GLASS, "Bat", quests={"S8": []}, on={7: "Baby Dragon"})
    done(table, ("use", GLASS, "Bat"))
    assert paying(table, 7) == {("Bat" + MARK,)}
    done(table, ("complete", "S8", ("Bat" + MARK,), ()))
    assert table.me.discard == [GLASS, "Bat"]


def test_no_card_is_doubled_twice() -> None:
    table = scene(GLASS, GLASS, SWORD)
    done(table, ("use", GLASS, SWORD))
    assert not any(action[0] == "use" for action in legal_free_actions(table))


def test_the_bell_draws_three_keeps_one_and_cannot_draw_itself() -> None:
    table = scene(BELL, draw=[SWORD], discard=[TOOTH, FIRE])
    done(table, ("use", BELL), answers=[FIRE])
    assert (table.me.hand, table.me.draw) == ([FIRE], [])
    assert table.me.discard == [SWORD, TOOTH, BELL]
    assert table.me.used == [BELL]


def test_an_artifact_used_is_not_drawn_again_this_turn_not_even_in_the_refill() -> None:
    table = scene("A8", discard=[SWORD, FIRE, TOOTH])
    after = game(table, ("use", "A8"), ("pass",), ("end",), None)
    after.act()
    after.end_turn()
    assert sorted(table.seats[0].hand) == sorted([TOOTH, FIRE, SWORD])
    assert table.seats[0].discard == ["A8"]


def test_the_purse_takes_a_gem_from_everybody_richer_than_before() -> None:
    """With 4 against 5, 4 and 7: the first and the last lose one each."""
    others = [Seat(place="TR", gems=gems) for gems in (5, 4, 7)]
    table = scene("Rogue's Purse", gems=4, others=others)
    done(table, ("use", "Rogue's Purse"))
    assert [seat.gems for seat in table.seats] == [6, 4, 4, 6]


def test_the_brew_moves_a_card_of_hand_or_discard_pile_to_any_opponent() -> None:
    table = scene("Bitter Brew", "Bitter Brew", DRAGON, discard=[FIRE])
    done(table, ("use", "Bitter Brew", "hand", DRAGON, 1))
    done(table, ("use", "Bitter Brew", "discard", FIRE, 1))
    assert (table.seats[1].discard, table.me.hand) == ([DRAGON, FIRE], [])
    assert table.me.discard == ["Bitter Brew"] * 2
    alone = scene("Bitter Brew", discard=[])
    assert not any(action[0] == "use" for action in legal_free_actions(alone))


def test_the_wardrobe_swaps_two_creatures_with_their_gems() -> None:
    table = scene("Wardrobe", on={1: "Knight", 3: "Witch"}, gems_on={1: 1, 3: 0})
    spaces = {action[2:] for action in legal_free_actions(table) if action[0] == "use"}
    assert spaces == {(1, 3)}
    done(table, ("use", "Wardrobe", 1, 3))
    assert (table.creatures[1], table.creatures[3]) == ("Witch", "Knight")
    assert table.gems_on == {1: 0, 3: 1}


def test_a_robe_is_any_one_symbol_for_a_creature_and_for_a_quest() -> None:
    table = scene(ROBE, "Knight", "Bat", quests={"S8": []}, on={7: "Dragon", 6: "Baby Dragon"})
    assert paying(table, 7) == {("Knight", ROBE)}
    assert paying(table, 6) == {
        ("Knight",),
        (ROBE,),
    }
    assert allowed(table, ("complete", "S8", ("Bat", ROBE), ()))
    assert not any(action[0] == "use" for action in legal_free_actions(table))


def test_a_robe_makes_a_pair_with_any_card_but_that_is_no_better_than_a_match() -> None:
    table = scene()
    assert strength(table, [ROBE, "Bat"], "Sword") == (1, 0)
    assert strength(table, [ROBE + MARK], "Sword") == (2, 0)


def test_a_doubled_robe_is_twice_one_symbol_not_two_different_ones() -> None:
    """Q25: two bats and two waters."""
    table = scene()
    assert missing(table, [ROBE + MARK], "Q25") == 2
    assert missing(table, [ROBE + MARK, "Bat", "Pail"], "Q25") == 1
    assert missing(table, [ROBE, ROBE, "Bat", "Pail"], "Q25") == 0


def test_a_committed_robe_serves_whichever_symbol_is_missing() -> None:
    table = scene("Bat", "Troll", "Pail", place="TR", quests={"Q25": [ROBE, "Bat"]})
    assert missing(table, [ROBE, "Bat"], "Q25") == 2
    commits = {a[1] for a in legal_free_actions(table) if a[0] == "commit" and a[2] == "Q25"}
    assert commits == {"Bat", "Troll", "Pail"}
    done(table, ("commit", "Bat", "Q25"), ("commit", "Pail", "Q25"))
    assert allowed(table, ("complete", "Q25", (), ()))


# --- The end of a turn ---


def ended(position: Position, give: Any = None) -> Game:
    after = game(position, give)
    after.end_turn()
    return after


def test_the_hand_is_refilled_to_five_and_more_are_kept() -> None:
    few = scene(FIRE, draw=[SWORD, SWORD], discard=[TOOTH, WATER, FIRE])
    after = ended(few)
    assert few.seats[0].hand == [FIRE, SWORD, SWORD, FIRE, WATER]
    assert (few.seats[0].draw, few.seats[0].discard) == ([TOOTH], [])
    assert named(after, "shuffle")[0]["drawn_before"] == 2
    many = scene(*[FIRE] * 6, draw=[SWORD])
    ended(many)
    assert (len(many.seats[0].hand), many.mover, many.turn) == (6, 1, 6)


def test_with_no_card_left_anywhere_fewer_are_drawn() -> None:
    table = scene(FIRE, draw=[SWORD])
    ended(table)
    assert table.seats[0].hand == [FIRE, SWORD]


def test_a_card_is_given_only_to_an_opponent_in_the_same_region() -> None:
    near = scene(DRAGON, others=[Seat(place="ML"), Seat(place="TR")])
    ended(near, (DRAGON, 1))
    assert (near.seats[1].discard, near.seats[0].hand) == ([DRAGON], [])
    for seat in (0, 2):
        table = scene(DRAGON, others=[Seat(place="ML"), Seat(place="TR")])
        with pytest.raises(ValueError, match="may not choose"):
            ended(table, (DRAGON, seat))


# --- Replenishing ---


def full() -> dict[int, str]:
    return dict.fromkeys(range(1, 8), "Witch")


def test_empty_spaces_are_filled_in_order_and_gems_laid_on_those_that_show_one() -> None:
    table = scene(on={**full(), 2: None, 7: None}, creature_deck=["Knight", "Witch", "Bear"])
    table.open_quests = ["S1", "S2"]
    after = game(table)
    after.replenish()
    assert [(e["space"], e["card"], e["gems"]) for e in after.events] == [
        (2, "Knight", 1),
        (7, "Witch", 0),
    ]
    assert (table.gems, table.creature_deck) == (59, ["Bear"])


def raven_scene(*gems: int, deck: Sequence[str] = ("Mischievous Raven", "Witch")) -> Game:
    others = [Seat(place="TR", gems=number) for number in gems[1:]]
    table = scene(gems=gems[0], others=others, on={**full(), 3: None})
    table.creature_deck, table.open_quests = list(deck), ["S1", "S2"]
    after = game(table)
    after.replenish()
    return after


@pytest.mark.parametrize(
    ("before", "losses"),
    [
        ((4, 3), {}),
        ((4, 4, 4), {}),
        ((5, 4), {0: 2}),
        ((6, 9, 9), {1: 4, 2: 4}),
        ((5, 5), {0: 2, 1: 2}),
        ((7, 8, 0, 6), {1: 4}),
    ],
)
def test_the_raven_takes_half_from_all_with_most_gems(
    before: tuple[int, ...], losses: dict[int, int]
) -> None:
    after = raven_scene(*before)
    table = after.position
    assert named(after, "raven")[0]["losses"] == losses
    left = [gems - losses.get(seat, 0) for seat, gems in enumerate(before)]
    assert [seat.gems for seat in table.seats] == left
    assert table.gems == 60 + sum(losses.values())
    assert (table.creatures[3], table.gone) == ("Witch", ["Mischievous Raven"])


def test_two_ravens_in_a_row_both_act_before_the_space_is_filled() -> None:
    after = raven_scene(9, 6, deck=["Mischievous Raven", "Mischievous Raven", "Witch"])
    assert [event["losses"] for event in named(after, "raven")] == [{0: 4}, {1: 3}]


def test_in_the_first_filling_ravens_are_set_aside_and_shuffled_into_the_top_ten() -> None:
    deck = ["Mischievous Raven", *["Knight"] * 3, "Mischievous Raven", *["Knight"] * 4]
    deck += [*["Witch"] * 10, "Bear"]
    table = scene(gems=9, creature_deck=deck)
    table.turn, table.open_quests = 1, ["S1", "S2"]
    after = game(table)
    after.replenish()
    assert table.me.gems == 9
    assert all(table.creatures[space] == "Knight" for space in range(1, 8))
    assert table.creature_deck == [*["Mischievous Raven"] * 2, *["Witch"] * 10, "Bear"]
    assert named(after, "ravens shuffled in")[0]["cards"] == 12


def test_without_a_creature_for_a_space_the_game_is_over_before_the_turn_action() -> None:
    others = [Seat(place="TR", completed=["S1"]), Seat(place="TL", completed=["S2"], bonus=1)]
    table = scene(on={**full(), 4: None}, others=others, creature_deck=["Mischievous Raven"])
    after = game(table)
    after.finish()
    assert after.result()["reason"] == "creatures"
    assert after.result()["rank"] == [3, 2, 1]
    assert after.events[-1]["event"] == "over"


def test_a_tie_goes_to_more_completed_quests_and_then_the_win_is_shared() -> None:
    def shares(*completed: list[str], bonus: int) -> list[Fraction]:
        seats = [Seat(place="TR", completed=quests) for quests in completed]
        after = game(scene(others=seats, completed=["Q01"], bonus=bonus))
        after.finish()
        return after.result()["win_share"]

    assert shares(["S1", "S2"], ["S3"], bonus=0) == [0, 1, 0]
    assert shares(["Q02"], ["S1"], bonus=0) == [Fraction(1, 2), Fraction(1, 2), 0]
    assert shares(["S1", "S2"], ["Q02"], bonus=1) == [1, 0, 0]


def test_an_empty_quest_space_gets_the_next_quest_with_a_bonus_token() -> None:
    table = scene(on=full(), open_quests=[None, "S2"], bonus_on=[0, 1], supply={"bonus": 11})
    table.piles["quest"] = Pile(down=["Q05", "Q06"])
    game(table).replenish()
    assert (table.open_quests, table.bonus_on, table.bonus) == (["Q05", "S2"], [1, 1], 10)


def test_an_empty_quest_deck_is_made_of_the_returned_quests_or_the_space_stays_open() -> None:
    table = scene(on=full(), open_quests=[None, None])
    table.piles["quest"] = Pile(up=["Q05"])
    after = game(table)
    after.replenish()
    assert table.open_quests == ["Q05", None]
    assert after.over is None


# --- Teams ---


def teams(**mine: Any) -> Position:
    others = [
        Seat(place="ML", completed=["Q28"], gems=9),
        Seat(place="ML", completed=["Q29", "Q30", "Q31"], quests={"S1": []}, gems=9),
        Seat(place="ML", gems=1),
    ]
    return scene(DRAGON, "Bear", "Enchantress", others=others, options={"teams": True}, **mine)


def test_partners_add_up_their_scores_and_win_together() -> None:
    """3 + 3 + 3 - 1 of the partner and 3 for Q32 are 11, the goal of two teams."""
    table = teams(quests={"Q32": []}, token=[])
    table.me.quests["Q32"] = ["Rabbits", "Cat", "Bat"]
    assert (table.score(0), table.score(1), table.goal()) == (5, 3, 11)
    after = done(table, ("complete", "Q32", ("Bear",), ()))
    assert after.over == "goal"
    half = Fraction(1, 2)
    assert after.result()["win_share"] == [half, 0, half, 0]
    assert after.result()["rank"] == [1, 3, 1, 3]


def test_a_partner_is_no_opponent() -> None:
    table = teams()
    dragons = {a[2] for a in legal_free_actions(table) if a[:2] == ("use", "Enchantress")}
    assert dragons == {1, 3}
    with pytest.raises(ValueError, match="may not choose"):
        ended(teams(), (DRAGON, 2))
    table.me.hand.append("Rogue's Purse")
    done(table, ("use", "Rogue's Purse"))
    assert [seat.gems for seat in table.seats] == [4, 8, 9, 1]

"""Every word of Fantasía S.A.'s cards in a scene of its own: what it does, and what it leaves."""

from __future__ import annotations

import pytest
from scenes_fantasia import Scene

from simlab.games.fantasia_sa.box import BENEFITS, DEEDS, HARMS

DEAR = ["P06", "P12", "P18"]
"""Sponsors that no Feat of these scenes pays for."""
SEVEN = {"combat": "F10", "rescue": "F11", "pickup": "F09"}
"""A Feat of difficulty 7 of each type; it pays 3 Gold or 4 Renown."""
SEEN = {
    *("hospital", "lose sponsor", "lose equipment", "curse"),  # as failures: test_fantasia_scenes
    *("roll", "reroll", "cancel", "draw", "heal", "steal", "lose lowest sponsor", "loot"),
    *(
        "combat",
        "rescue",
        "pickup",
        "all rolls",
        "gold",
        "renown",
        "buy",
        "stay out from",
        "shield",
    ),
}


def wearing(effect: str, **more: object) -> Scene:
    """A table of two whose first knight wears an Equipment that does this."""
    words: dict[str, object] = {"market": DEAR, **more}
    hands = words.pop("hands", [[], []])
    edit = f"S4.effect:{effect}"
    return Scene(hands, equipment={0: ["S4"]}, edit=edit, **words)  # type: ignore[arg-type]


def engaging(effect: str, **more: object) -> Scene:
    """A table of two whose first knight has a Sponsor that does this."""
    words: dict[str, object] = {"market": DEAR, **more}
    hands = words.pop("hands", [[], []])
    edit = f"P01.effect:{effect}"
    return Scene(hands, sponsors={0: ["P01"]}, edit=edit, **words)  # type: ignore[arg-type]


def test_the_scenes_know_every_word() -> None:
    words = {term.words for term in (*BENEFITS, *HARMS, *DEEDS)}
    assert words <= SEEN


@pytest.mark.parametrize("laid_out", [wearing, engaging])
@pytest.mark.parametrize(
    ("effect", "helped"),
    [
        ("combat +1", ["combat"]),
        ("rescue +1", ["rescue"]),
        ("pickup +1", ["pickup"]),
        ("all rolls +1", ["combat", "rescue", "pickup"]),
        ("all rolls +2; combat -1; rescue -2", ["combat", "pickup"]),
        ("combat -1", []),
    ],
)
def test_a_bonus_counts_for_its_own_type_of_feats(
    laid_out: type[Scene], effect: str, helped: list[str]
) -> None:
    """Six is one short of seven."""
    for kind, feat in SEVEN.items():
        scene = laid_out(effect, feats=[feat], dice={0: [(3, 3)]})  # type: ignore[call-arg]
        scene.do(0, feat)
        assert scene.dice == [3, 3]
        assert scene.knight(0).succeeded.sum() == (kind in helped), kind


def test_gold_more_buys_what_the_feat_alone_does_not() -> None:
    plain = wearing("loot 1", hands=[["A6"], []], feats=["F09"], dice={0: [(6, 6)]})
    plain.do(0, "F09")
    assert plain.asked[0] == 1, "A6 costs 4 Gold, the Feat pays 3"
    rich = wearing("gold +1", hands=[["A6"], []], feats=["F09"], dice={0: [(6, 6)]})
    rich.do(0, "F09")
    assert rich.legal() == [("pass",), ("A6",)]
    rich.do(0, "A6")
    assert rich.knight(0).gold == 4


def test_renown_more_buys_what_the_feat_alone_does_not() -> None:
    market = ["P04", "P12", "P18"]
    scene = wearing("renown +1", market=market, feats=["F10"], dice={0: [(6, 6)]})
    scene.do(0, "F10")
    assert scene.legal() == [("pass",), ("P04",)], "5 Renown, of which the Feat pays 4"
    scene.do(0, "P04")
    assert (scene.loot(), scene.knight(0).renown) == ([2, 0], 5)


def test_loot_of_equipment_counts_and_may_be_less_than_nothing() -> None:
    assert wearing("loot 3").loot() == [3, 0]
    assert wearing("loot -2").loot() == [-2, 0]


@pytest.mark.parametrize("laid_out", [wearing, engaging])
def test_a_card_that_draws_gives_more_hero_cards_in_phase_1(laid_out: type[Scene]) -> None:
    top = ["A1", "A3", "C4", "C6"]
    assert laid_out("draw 2", top=top).hand(0) == ["A1", "A3", "C4"]  # type: ignore[call-arg]
    assert laid_out("combat +1", top=top).hand(0) == ["A1"]  # type: ignore[call-arg]


def test_a_sponsor_may_let_two_be_bought() -> None:
    scene = engaging("buy 2", hands=[["A1", "A3"], []], feats=["F09"], dice={0: [(6, 6)]})
    scene.do(0, "F09")
    scene.do(0, "A1")
    assert scene.asked == (0, "buy")
    scene.do(0, "A3")
    assert scene.before(0) == ["A1", "A3", "P01"]
    assert scene.asked[0] == 1


def test_a_sponsor_may_make_a_failed_roll_again() -> None:
    scene = engaging("reroll", feats=["F10"], dice={0: [(1, 2), (6, 6)]})
    scene.do(0, "F10")
    assert (scene.asked, scene.dice) == ((0, "failed"), [1, 2])
    scene.do(0, "reroll")
    assert scene.dice == [6, 6]
    assert scene.knight(0).succeeded.sum() == 1


@pytest.mark.parametrize(("die", "hurt"), [(2, 1), (3, 0)])
def test_a_sponsor_may_keep_a_knight_out_of_hospital(die: int, hurt: int) -> None:
    dice = {0: [(1, 2), (die, 0)]}
    scene = engaging("stay out from 3", feats=["F13"], dice=dice)
    scene.do(0, "F13")
    assert scene.knight(0).in_hospital == hurt


def test_a_sponsor_may_be_given_up_instead_of_going_to_hospital() -> None:
    scene = engaging("shield", feats=["F13"], dice={0: [(1, 2)]})
    scene.do(0, "F13")
    assert scene.asked == (0, "shield")
    scene.do(0, "P01")
    assert (scene.before(0), scene.loot()) == ([], [0, 0])
    assert scene.knight(0).in_hospital == 0


def test_an_action_may_take_a_sponsor_that_its_owner_chooses() -> None:
    sponsors = {1: ["P01", "P05"]}
    scene = Scene([["mum"], []], sponsors=sponsors, edit="mum.effect:lose sponsor")
    scene.do(0, "mum", 1)
    assert scene.asked == (1, "lose sponsor")
    assert scene.legal() == [("P01",), ("P05",)], "not only the lowest"
    scene.do(1, "P05")
    assert (scene.before(1), scene.loot()) == (["P01"], [0, 1])


def test_an_action_may_take_an_equipment_or_a_curse_that_its_owner_chooses() -> None:
    scene = Scene(
        [["beaten"], []],
        equipment={1: ["A4"]},
        curses={1: ["F08"]},
        edit="beaten.effect:lose equipment",
    )
    scene.do(0, "beaten", 1)
    assert scene.asked == (1, "lose equipment")
    scene.do(1, "F08")
    assert scene.before(1) == ["A4"]
    assert scene.asked == (0, "choose")

"""A tiny balance study of Fantastiqa, reported: its own sections, numbers and sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from simlab.compiled import INTERPRETED
from simlab.experiments.running import load
from simlab.experiments.standard import EFFORTS, Effort, Standard
from simlab.experiments.standard import fantastiqa as declared
from simlab.games.fantastiqa import GAME
from simlab.games.fantastiqa.cards import BOX
from simlab.games.fantastiqa.options import all_kinds
from simlab.games.fantastiqa.records import BUY, WIDTH
from simlab.reports.document import Number, Sentence
from simlab.reports.games import fantastiqa as own
from simlab.reports.making import report

GOOD = ("planner", "dragon-sender")
DRAGONS = "dragon-sender.dragons"
TINY = Standard(
    game=GAME,
    policies=GOOD,
    strongest="planner",
    weakest="dragon-sender",  # lots make games of hundreds of turns
    table=GOOD,
    counts=(2,),
    special=tuple(
        replace(sweep, policies=GOOD, values=sweep.values[:2])
        for sweep in declared.STANDARD.special[2:]
        if sweep.key in ("goal", "wilds", "beast_price", "gems", DRAGONS)
    ),
)
PLAIN = pytest.mark.skipif(INTERPRETED, reason="some hundreds of games, too slow interpreted")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(declared, "STANDARD", TINY)
        patch.setitem(EFFORTS, "quick", Effort(table=40, value=40, kept=40, traced=10))
        out = tmp_path_factory.mktemp("balance") / "r"
        yield report("fantastiqa", out, effort="quick", seed=3, workers=1).parent


def numbers(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "report.json").read_text())["numbers"]
    return found


def said(sentence: Sentence) -> str:
    return "".join(part if isinstance(part, str) else "#" for part in sentence.parts)


def a_number(value: float, half: float) -> Number:
    return Number("n", value, (value - half, value + half))


@PLAIN
@pytest.mark.parametrize("name", own.TITLES)
def test_every_section_of_its_own_is_there(folder: Path, name: str) -> None:
    assert f'<section id="{name}"' in (folder / "index.html").read_text(encoding="utf-8")


@PLAIN
def test_the_page_says_that_its_cards_are_reconstructed(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    brief = page[page.index('<section id="in-brief"') :]
    assert "reconstructed" in brief[: brief.index("</section>")]
    assert page.index(own.WARNINGS[0][:60]) < page.index('<section id="in-brief"')


@PLAIN
@pytest.mark.parametrize("column", ["visits", "gems_earned", "quests_2"])
def test_what_winners_did_is_what_the_outcome_table_says(folder: Path, column: str) -> None:
    games: pd.DataFrame = load(folder / "runs" / "table-good").games()
    won = games[games["win_share"] == 1.0][column].sum()
    lost = games[games["win_share"] == 0.0][column].sum()
    shared = games[games["win_share"] == 0.5][column].sum()
    found = numbers(folder)[f"winners.{column}.winner"]["value"]
    many = games["game"].nunique()
    assert found == pytest.approx((won + shared / 2) / many)
    found = numbers(folder)[f"winners.{column}.others"]["value"]
    assert found == pytest.approx((lost + shared / 2) / many)


@PLAIN
def test_cards_are_counted_as_often_as_they_were_bought(folder: Path) -> None:
    trace = pd.read_csv(folder / "runs" / "table-good" / "trace" / "choices.csv")
    moves = trace["move"][trace["move"] // WIDTH == BUY] % WIDTH
    assert len(moves) > 0
    found = numbers(folder)
    for kind, times in moves.value_counts().items():
        assert found[f"cards.{kind}.times"]["value"] == times
    buyable = sum(card.name != "" for group, card in all_kinds(BOX.printed) if group in (4, 5))
    never = found.get("cards.never", {"value": 0})["value"]
    assert never == buyable - moves.nunique()


@PLAIN
def test_the_goal_of_a_row_is_the_one_that_the_game_was_played_to(folder: Path) -> None:
    found = numbers(folder)
    assert found["goal.2.standard.points"]["value"] == 10
    assert found["goal.2.short.points"]["value"] == 8


def test_a_seat_that_took_a_card_twice_in_two_deals_counts_by_deals() -> None:
    seats = pd.DataFrame({"deal": [0, 0, 1], "win_share": [1.0, 0.0, 1.0]})
    found = own.share_won(seats)
    assert found.mean == pytest.approx(2 / 3)
    # By deal: 1 of 2 is 1/3 too few, 1 of 1 is 1/3 too many.
    assert found.error == pytest.approx(((2 / 9) * 2) ** 0.5 / 3)


def test_nobody_who_took_a_card_has_no_win_rate() -> None:
    seats = pd.DataFrame({"deal": [], "win_share": []})
    assert own.share_won(seats).deals == 0


def test_dragons_pay_only_if_that_is_shown() -> None:
    assert "not shown to change" in said(own.dragon_words(a_number(-0.02, 0.03), False))
    assert "sending them pays" in said(own.dragon_words(a_number(-0.05, 0.03), True))
    assert "costs more than it brings" in said(own.dragon_words(a_number(0.05, 0.03), True))


def test_middle_and_corner_differ_only_if_their_intervals_are_apart() -> None:
    same = said(own.middle_words(a_number(0.5, 0.1), a_number(0.4, 0.1)))
    assert "cannot tell" in same
    assert "more than" in said(own.middle_words(a_number(0.6, 0.05), a_number(0.4, 0.05)))
    assert "less than" in said(own.middle_words(a_number(0.4, 0.05), a_number(0.6, 0.05)))


def test_gems_lengthen_a_game_only_if_that_is_shown() -> None:
    assert "not shown" in said(own.gem_words(a_number(0.5, 1.0), False))
    assert "longer: by" in said(own.gem_words(a_number(2.0, 1.0), True))
    assert "shorter" in said(own.gem_words(a_number(-2.0, 1.0), True))


def test_goals_of_equal_length_are_named() -> None:
    base = a_number(20.0, 1.0)
    others = [("short", a_number(20.5, 1.0)), ("long", a_number(30.0, 1.0))]
    words = said(own.length_words(4, base, others))
    assert words.endswith("; short cannot be told from standard.")
    assert "cannot" not in said(own.length_words(2, base, others[1:]))


def test_cards_that_nobody_took_are_named_while_they_are_few() -> None:
    assert said(own.never_words("cards", "bought", [])).startswith("There are no kinds")
    assert said(own.never_words("cards", "bought", ["Robe", "Dog"])).startswith(
        "Never bought: Robe and Dog"
    )
    assert "Q1" not in said(own.never_words("quests", "claimed", ["Q1"] * 40))


@PLAIN
@pytest.mark.parametrize(("key", "value"), [("wilds", "false"), ("gems", "0"), (DRAGONS, "0")])
def test_how_much_longer_a_game_is_comes_from_the_difference_of_the_two_runs(
    folder: Path, key: str, value: str
) -> None:
    name = key.replace(".", "-")
    (run,) = (folder / "runs").glob(f"vary-*-{name}")
    base, other = load(run).readings
    if key == DRAGONS:
        place = GAME.all_seat_columns.index("win_share")
        wanted = (other.policy(1, place, 60).mean - base.policy(1, place, 60).mean, "win_rate")
        who = "dragon-sender"
    else:
        place = GAME.all_game_columns.index("full_turns")
        wanted = (other.game(place).mean - base.game(place).mean, "full_turns")
        who = "game"
    found = numbers(folder)[f"change.{key.replace('.', '_')}.{value}.{who}.{wanted[1]}"]
    assert found["value"] == pytest.approx(wanted[0])


def test_tips_are_told_as_shown_or_as_not_shown() -> None:
    assert "not shown to change" in said(own.reshuffle_words(a_number(0.01, 0.02), False))
    assert "not shown" not in said(own.reshuffle_words(a_number(0.04, 0.02), True))
    assert said(own.longer_words("A game", a_number(-2.0, 1.0), True)) == (
        "A game grows shorter: by # turns of each."
    )

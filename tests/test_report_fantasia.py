"""A tiny balance study of Fantasía S.A., played and reported: its own sections, counted by hand."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from simlab.experiments.comparing import comparison, read_varied
from simlab.experiments.figures.lengths import length_data
from simlab.experiments.intervals import Estimate
from simlab.experiments.measures.cards import FEW, CardUse, card_uses, ratio
from simlab.experiments.running import load
from simlab.experiments.standard import (
    EFFORTS,
    Compared,
    Effort,
    Standard,
    Sweep,
    fantasia_sa_cards,
    parts_of,
)
from simlab.experiments.standard import fantasia_sa as declared
from simlab.experiments.standard.fantasia_sa_cards import LISTS, read_cards, told_parts
from simlab.games.fantasia_sa import GAME
from simlab.replaying import Replayer
from simlab.reports.balance import section_names
from simlab.reports.document import Number
from simlab.reports.findings import Findings
from simlab.reports.games import fantasia_sa as own
from simlab.reports.games import fantasia_sa_cards as own_cards
from simlab.reports.making import report

DECLARED = declared.STANDARD
POLICIES = ("greedy", "outfitter", "random")
PLAYERS = ("3", "2")
TINY = Standard(
    game=GAME,
    policies=POLICIES,
    strongest="outfitter",
    weakest="random",
    table=POLICIES,
    counts=(2, 3),
    special=(
        Sweep("hostile", ("true", "false"), "hostile cards"),
        Sweep("players", PLAYERS, "friendly", {"hostile": False}, ("greedy",) * 3),
        Sweep("players", PLAYERS, "hostile", policies=("greedy",) * 3),
        Sweep("edit", ("none", "S7.gold:1"), "price of S7"),
    ),
    sweeps=(Sweep("goal", ("12", "6"), "Loot that wins"),),
    options={"turn_cap": 90},
    more=told_parts,
)


@pytest.fixture(scope="module", autouse=True)
def tiny() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(declared, "STANDARD", TINY)
        patch.setitem(EFFORTS, "quick", Effort(table=40, value=90, kept=90, traced=4))
        patch.setattr(fantasia_sa_cards, "TOLD", 1)
        yield


@pytest.fixture(scope="module")
def folder(tiny: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("fantasia") / "r"
    return report("fantasia-sa", out, effort="quick", seed=3, workers=1).parent


@pytest.fixture(scope="module")
def numbers(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "report.json").read_text())["numbers"]
    return found


@pytest.fixture(scope="module")
def told(folder: Path) -> pd.DataFrame:
    found = read_cards(folder / "runs" / "cards")
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["cards", "cards-winning", "feats", "prices", "hostile", "length"])
def test_every_section_is_there(folder: Path, name: str) -> None:
    assert f'<section id="{name}"' in (folder / "index.html").read_text(encoding="utf-8")


def test_the_game_offers_the_sections_that_it_writes(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    written = [name for name in section_names(GAME) if f'<section id="{name}"' in page]
    assert written == section_names(GAME)
    assert set(own.TITLES) < set(written)


def test_the_page_says_above_everything_that_the_cards_are_reconstructed(
    folder: Path, numbers: dict[str, Any]
) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert page.index(own.WARNINGS[0][:60]) < page.index('<section id="in-brief"')
    assert (numbers["cards.reconstructed"]["value"], numbers["cards.all"]["value"]) == (95, 95)


def test_the_page_warns_that_a_win_rate_is_no_cause(folder: Path) -> None:
    assert own_cards.CAUTION in unescape((folder / "index.html").read_text(encoding="utf-8"))


def test_the_games_told_card_by_card_are_told_by_a_command(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    said = "simlab replay fantasia-sa greedy greedy greedy --games 40 --format json"
    assert f"{said} --set turn_cap=90 --seed 3" in page


# --- Cards -----------------------------------------------------------------------------------


def test_cards_are_counted_as_the_record_of_the_game_tells_them(
    folder: Path, told: pd.DataFrame
) -> None:
    study = load(folder / "runs" / "cards").study
    record = Replayer(study.matchup, study.seed).record(2)
    used: Counter = Counter()
    done: Counter = Counter()
    had: Counter = Counter()
    for event in record["events"]:
        about = event.get("seat"), event.get("feat") or event.get("card")
        used[about] += event["event"] in ("buy", "action", "attempt")
        done[about] += event["event"] in ("buy", "effect", "success")
        had[about] += event["event"] == "drawn"
        for card in event.get("cards", ()) if event["event"] == "deal" else ():
            had[event["seat"], card] += 1
    rows = told[told["deal"] == 2]
    keys = list(zip(rows["seat"], rows["card"], strict=True))
    assert dict(zip(keys, rows["used"], strict=True)) == {key: used[key] for key in keys}
    assert dict(zip(keys, rows["done"], strict=True)) == {key: done[key] for key in keys}
    assert {key for key, n in used.items() if n} <= set(keys)
    heroes = rows[rows["list"].isin(["equipment", "actions"])]
    keys = list(zip(heroes["seat"], heroes["card"], strict=True))
    assert dict(zip(keys, heroes["had"], strict=True)) == {key: had[key] for key in keys}
    shares = rows.groupby("seat")["win_share"].first()
    assert shares.tolist() == record["result"]["win_share"]


def test_what_a_seat_uses_it_has_had(told: pd.DataFrame) -> None:
    assert set(told["list"]) == set(LISTS)
    assert (told["used"] >= told["done"]).all()
    of_sponsors = told[told["list"] == "sponsors"]
    assert (of_sponsors["had"] >= of_sponsors["used"]).all()
    assert (told.loc[told["used"] > 0, "had"] > 0).all()


@pytest.mark.parametrize(("name", "card"), [("equipment", "S2"), ("sponsors", "P21")])
def test_win_rates_of_a_card_are_those_of_the_table(
    told: pd.DataFrame, numbers: dict[str, Any], name: str, card: str
) -> None:
    rows = told[(told["list"] == name) & (told["card"] == card)]
    bought = rows[rows["used"] > 0]
    kept = rows[rows["used"] == 0]
    key = f"cards.{name}.{card}"
    assert numbers[f"{key}.had"]["value"] == len(rows)
    assert numbers[f"{key}.use"]["value"] == pytest.approx(len(bought) / len(rows))
    shares = bought["win_share"].mean(), kept["win_share"].mean()
    wanted = shares if min(len(bought), len(kept)) >= FEW else (None, None)
    if len(bought) >= FEW:
        assert numbers[f"{key}.won"]["value"] == pytest.approx(shares[0])
    if wanted[0] is not None:
        assert numbers[f"{key}.gain"]["value"] == pytest.approx(shares[0] - shares[1])
    else:
        assert numbers[f"{key}.gain"]["value"] is None


def test_feats_are_attempted_and_performed_as_in_the_table(
    told: pd.DataFrame, numbers: dict[str, Any]
) -> None:
    rows = told[told["card"] == "F10"]
    tried, done = numbers["cards.feats.F10.attempted"], numbers["cards.feats.F10.performed"]
    assert tried["value"] == pytest.approx(rows["used"].sum() / rows["had"].sum())
    assert done["value"] == pytest.approx(rows["done"].sum() / rows["used"].sum())


@pytest.mark.parametrize(("difficulty", "of_36"), [(2, 35), (5, 30), (7, 21), (12, 1), (13, 1)])
def test_bare_chances_are_those_of_two_dice(difficulty: int, of_36: int) -> None:
    assert own_cards.bare_chance(difficulty) == of_36 / 36


def test_the_error_of_a_ratio_is_the_plain_one_where_every_deal_has_one_whole() -> None:
    values = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    found = ratio(values, np.ones(5))
    assert found.mean == pytest.approx(0.6)
    assert found.error == pytest.approx(values.std(ddof=1) / math.sqrt(5))


def test_deals_without_the_card_say_nothing_of_it() -> None:
    one = ratio(np.array([1.0, 0.0, 2.0]), np.array([1.0, 1.0, 2.0]))
    other = ratio(np.array([1.0, 0.0, 2.0, 0.0]), np.array([1.0, 1.0, 2.0, 0.0]))
    assert one == other
    assert ratio(np.zeros(3), np.zeros(3)).deals == 0


def test_the_interval_of_a_ratio_covers_the_truth_nineteen_times_in_twenty() -> None:
    from simlab.experiments.intervals import rate_interval

    rng, covered, runs = np.random.Generator(np.random.Philox(5)), 0, 1000
    for _ in range(runs):
        wholes = rng.integers(0, 4, 200).astype(float)
        luck = rng.beta(2, 6, 200)  # seats of one deal hang together
        parts = rng.binomial(wholes.astype(int), luck).astype(float)
        low, high = rate_interval(ratio(parts, wholes))
        covered += low <= 0.25 <= high
    assert covered / runs == pytest.approx(0.95, abs=5 * math.sqrt(0.95 * 0.05 / runs))


def table_of(wins: list[float], losses_without: int) -> pd.DataFrame:
    """A card that some used, with those win shares, and others had and did not, and lost."""
    rows = [(n, "X", 1, 1, share) for n, share in enumerate(wins)]
    rows += [(n, "X", 1, 0, 0.0) for n in range(losses_without)]
    return pd.DataFrame(rows, columns=["deal", "card", "had", "used", "win_share"])


def test_no_win_rate_is_told_of_fewer_than_twenty_seats() -> None:
    (few,) = card_uses(table_of([1.0] * (FEW - 1), FEW))
    assert math.isnan(few.won.mean)
    assert math.isnan(few.gain.mean)
    assert math.isnan(few.p)
    (enough,) = card_uses(table_of([1.0, 0.0] * (FEW // 2), FEW))
    assert enough.won.mean == 0.5
    assert enough.gain.mean == 0.5
    assert enough.p < 0.05


# --- Sentences at their edges ----------------------------------------------------------------


def a_use(card: str, used: int, gain: float = 0.1, p: float = 1.0) -> CardUse:
    use = Estimate(used / 100, math.nan, 0.01, 50)
    won = Estimate(0.3, math.nan, 0.01, 50)
    return CardUse(card, 100, used, use, won, won, Estimate(gain, math.nan, 0.01, 50), p)


@pytest.fixture
def none_found() -> Findings:
    return Findings(TINY, [], {})


def test_cards_that_nobody_bought_are_named(none_found: Findings) -> None:
    uses = {"equipment": [a_use("S7", 0), a_use("S6", 3)], "sponsors": []}
    said = own_cards._never(none_found, uses).text
    assert said == "Greedy players never bought Jewelled monocle (S7) (0 of 100 seats that had it)."


def test_where_all_were_bought_the_rarest_is_named(none_found: Findings) -> None:
    uses = {"equipment": [a_use("S7", 9), a_use("S6", 3)], "sponsors": [a_use("P01", 50)]}
    said = own_cards._never(none_found, uses).text
    assert "least often Herald's fanfare (S6): by 3.0" in said


def test_a_difference_that_is_not_sure_is_not_told(none_found: Findings) -> None:
    said = own_cards._best_words(none_found, "equipment", [a_use("S6", 50, 0.3, 0.051)]).text
    assert said == "Equipment: no card is shown to go with winning or with losing."


def test_winning_and_losing_cards_are_told_each_with_its_sign(none_found: Findings) -> None:
    uses = [a_use("S6", 50, 0.3, 0.05), a_use("S7", 50, 0.1, 0.01), a_use("A1", 50, -0.2, 0.0)]
    said = own_cards._best_words(none_found, "equipment", uses).text
    assert said.startswith("Equipment: who bought Herald's fanfare (S6) wins +30")
    assert "the most of 2 cards that go with winning; Squire with a stick (A1) goes with" in said


def test_cards_that_are_always_used_are_not_compared(none_found: Findings) -> None:
    said = own_cards._best_words(none_found, "actions", [a_use("cancel", 99, 0.5, 0.0)]).text
    assert "say little" in said


# --- Hostility and length --------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_lengths_are_those_of_games_played_alone(
    folder: Path, numbers: dict[str, Any], players: int
) -> None:
    from simlab import simulate

    options = {"hostile": False, "turn_cap": 90}
    played = simulate("fantasia-sa", ["greedy"] * players, games=90, seed=3, **options)
    turns = played.own_numbers["game_columns"]["turns_in_all"]["mean"]
    assert numbers[f"length.friendly.{players}.turns"]["value"] == pytest.approx(turns)
    assert numbers[f"length.friendly.{players}.minutes"]["value"] == pytest.approx(turns / 2)


def test_games_that_the_cap_ended_are_those_of_the_outcome_table(
    folder: Path, numbers: dict[str, Any]
) -> None:
    for table in ("table-good", "table-random"):
        games = load(folder / "runs" / table).games()
        capped = games.groupby("game")["turn_cap_hits"].first().mean()
        number = numbers[f"length.{table}.turn_cap_hits"]
        assert number["value"] == pytest.approx(capped)
        assert number["ci95"][0] < number["ci95"][1]


def test_bars_of_lengths_hold_every_game_and_the_middle_one() -> None:
    turns = [3, 3, 10, 200]
    games = pd.DataFrame({"game": [0, 1, 2, 3], "turns_in_all": turns})
    found = length_data(games, "turns_in_all")
    assert found["share"].sum() == pytest.approx(100)
    assert found["median"].iloc[0] == 6.5
    for value in set(turns):
        inside = (found["start"] <= value) & (value < found["start"] + found["width"])
        share = 100 * turns.count(value) / len(turns)
        assert found.loc[inside, "share"].tolist() == [pytest.approx(share)]


def test_an_amount_loses_its_sign_and_keeps_its_interval_in_order() -> None:
    from simlab.reports.wording import amount

    found = amount(Number("x", -3.0, (-4.0, -1.0)))
    assert (found.value, found.ci95) == (3.0, (1.0, 4.0))
    assert amount(Number("x", 3.0, (1.0, 4.0))).value == 3.0


class Fixed:
    """A comparison of which only the differences are known."""

    def __init__(self, turns: float, p: float) -> None:
        ends = [turns - 1, turns + 1]
        row = {"policy": None, "measure": "turns_in_all", "difference": turns, "ci95": ends}
        self.numbers = {"differences": [{**row, "p_holm": p, "value": {"edit": "S7.gold:1"}}]}


@pytest.mark.parametrize(
    ("turns", "p", "said"),
    [
        (-5.0, 0.05, "Without hostile cards a game among good players is 5.0 (4.0 to 6.0) turns"),
        (5.0, 0.05, "turns of all seats together longer."),
        (-5.0, 0.06, "Hostile cards are not shown to change how many turns a game takes."),
    ],
)
def test_only_sure_differences_of_length_are_told(turns: float, p: float, said: str) -> None:
    assert said in own._hostile_words(Fixed(turns, p)).text  # type: ignore[arg-type]


# --- The study itself ------------------------------------------------------------------------


def test_every_sweep_of_the_study_can_be_played() -> None:
    sweeps = [one for one in parts_of(DECLARED, DECLARED.sized("quick")) if type(one) is Compared]
    assert len(sweeps) == len(DECLARED.all_sweeps) > 8
    for part in sweeps:
        varied = read_varied([f"{part.sweep.key}={','.join(part.sweep.values)}"])
        plan = comparison(GAME, part.policies, varied, options=part.options, games=100)
        assert len(plan.studies) == len(part.sweep.values)

"""Power: deals worked out by hand from a pilot, and a promise that studies keep."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from by_hand import (
    about,
    deal_means,
    few,
    one_line,
    rates_by_deal,
    said,
    said_json,
    seat_rows,
    spread,
)
from scipy import stats

import simlab
from simlab.compiled import INTERPRETED
from simlab.experiments.comparing import Comparison, comparison, read_varied
from simlab.experiments.plans import Plan
from simlab.experiments.power import power_rows
from simlab.experiments.results import Results
from simlab.experiments.running import run_comparison
from simlab.experiments.study import Study

SEED = 71

RUNS = {
    "two": (["greedy", "spoiler"], "rotate"),
    "two of three seats": (["spoiler", "greedy", "spoiler"], "rotate"),
    "four": (["greedy", "spoiler", "miser", "random"], "rotate"),
    "shuffled": (["greedy", "spoiler", "miser"], "shuffle"),
}
COMPARED = {
    "scored again": (["greedy", "spoiler"], ["finale=I,II,V"]),
    "a parameter": (["medal-scheduler", "greedy", "greedy"], ["medal-scheduler.start=2,5"]),
    "two rules": (["greedy", "random"], ["finale=I,II", "hand=9,10"]),
}


@cache
def study_of(name: str) -> Study:
    policies, seating = RUNS[name]
    rotations = len(policies) if seating == "rotate" else 1
    games = few(150) * rotations
    return Study.of("fantastique", policies, seating=seating, games=games, seed=SEED)


@cache
def plan_of(name: str) -> Plan:
    policies, vary = COMPARED[name]
    games = few(150) * len(policies)
    return comparison("fantastique", policies, read_varied(vary), games=games, seed=SEED)


def deals_by_hand(sd: float, difference: float, power: float) -> int:
    """The normal formula with half the square of the critical value, which a t-test costs."""
    critical = stats.norm.ppf(0.975)
    needed = ((critical + stats.norm.ppf(power)) * sd / difference) ** 2 + critical**2 / 2
    return max(2, math.ceil(needed))


def check(row: dict[str, Any], of: str, sd: float, rotations: int, *asked: float) -> None:
    """One row of the table against the formula; ``asked`` is the difference and the power."""
    difference, power = asked
    assert set(row) == {"of", "difference", "power", "level", "sd", "deals", "games"}
    assert (row["of"], row["difference"], row["power"]) == (of, difference, power)
    assert row["level"] == 0.05
    assert row["sd"] == about(100 * sd)
    assert row["deals"] == deals_by_hand(sd, difference / 100, power)
    assert row["games"] == row["deals"] * rotations


@pytest.mark.parametrize("asked", [(1.0, 0.8), (0.1, 0.95), (30.0, 0.5)])
@pytest.mark.parametrize("name", RUNS)
def test_the_deals_of_a_run_follow_from_the_deviation_between_deals(
    name: str, asked: tuple[float, float]
) -> None:
    study = study_of(name)
    rates, rows = rates_by_deal(study), power_rows(simlab.run(study), *asked)
    expected = [(f"{word} from the fair share", spread(deals)) for word, deals in rates.items()]
    expected += [
        (f"{one} from {other}", spread(rates[one] - rates[other]))
        for one, other in combinations(rates, 2)
    ]
    for row, (of, sd) in zip(rows, expected, strict=True):
        check(row, of, sd, len(study.seatings), *asked)


@pytest.mark.parametrize("asked", [(1.0, 0.8), (0.1, 0.95)])
@pytest.mark.parametrize("name", COMPARED)
def test_the_deals_of_a_comparison_follow_from_what_differs_within_a_deal(
    name: str, asked: tuple[float, float]
) -> None:
    plan, vary = plan_of(name), COMPARED[name][1]
    result = run_comparison(plan, read_varied(vary))
    shares = [list(rates_by_deal(study).values()) for study in plan.studies]
    rows = iter(power_rows(result, *asked))
    for study, rates in zip(plan.studies[1:], shares[1:], strict=True):
        setting = result.setting(study)
        label = ", ".join(f"{key}={value}" for key, value in setting.items())
        label = label if len(setting) > 1 else label.partition("=")[2]
        for word, one, other in zip(plan.base.matchup.texts, shares[0], rates, strict=True):
            sd, rotations = spread(other - one), len(plan.base.seatings)
            check(next(rows), f"{word}, {label}", sd, rotations, *asked)
    assert next(rows, None) is None


def test_common_luck_makes_a_comparison_cheaper() -> None:
    """Fewer deals than the same two rates would take, each on deals of its own."""
    plan = plan_of("scored again")
    shares = [rates_by_deal(study)["greedy"] for study in plan.studies[:2]]
    result = run_comparison(plan, read_varied(COMPARED["scored again"][1]))
    apart = math.hypot(*(spread(deals) for deals in shares))
    if not INTERPRETED:
        assert power_rows(result, 1.0)[0]["deals"] < 0.8 * deals_by_hand(apart, 0.01, 0.8)


# --- The command line -------------------------------------------------------------------------

WORDS = ["power", "fantastique", "greedy", "spoiler", "--seed", str(SEED)]


def test_power_prints_the_rows_of_a_pilot_of_so_many_games(
    capsys: pytest.CaptureFixture[str],
) -> None:
    games = str(study_of("two").games)
    words = [*WORDS, "--pilot", games, "--difference", "0.5", "--power", "0.9"]
    rows = said_json(capsys, *words)
    assert rows == power_rows(simlab.run(study_of("two")), 0.5, 0.9)
    code, out, _ = said(capsys, *words, "--format", "csv")
    assert code == 0
    for read, row in zip(csv.DictReader(io.StringIO(out)), rows, strict=True):
        assert {key: str(value) for key, value in row.items()} == read
    code, out, _ = said(capsys, *words)
    assert code == 0
    assert "to see 0.5 points of win rate with a chance of 0.9" in out
    assert "level 5 % for a single comparison" in out
    for row in rows:
        assert any(
            row["of"] in line and f"{row['deals']:,}" in line and f"{row['games']:,}" in line
            for line in out.splitlines()
        )


def test_power_of_a_comparison_and_of_a_seating(capsys: pytest.CaptureFixture[str]) -> None:
    games = str(plan_of("scored again").base.games)
    rows = said_json(capsys, *WORDS, "--vary", "finale=I,II,V", "--pilot", games)
    plan = plan_of("scored again")
    assert rows == power_rows(run_comparison(plan, read_varied(["finale=I,II,V"])), 1.0)
    shuffled = said_json(capsys, *WORDS, "--seating", "shuffle", "--pilot", "20")
    study = Study.of("fantastique", ["greedy", "spoiler"], games=20, seed=SEED, seating="shuffle")
    assert shuffled == power_rows(simlab.run(study), 1.0)


def test_power_of_one_policy_in_every_seat_is_that_of_its_seats(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its own win rate is a matter of symmetry; whether it helps to start is not."""
    games = few(300, 40)
    rows = said_json(capsys, "power", "fantastique", "3xgreedy", "--pilot", str(games))
    study = Study.of("fantastique", ["greedy"] * 3, games=games)
    table = seat_rows(study)
    for seat, row in enumerate(rows):
        sd = spread(deal_means(table[table["seat"] == seat], "win_share"))
        check(row, f"seat {seat} from the fair share", sd, 1, 1.0, 0.8)
    assert len(rows) == 3


def test_power_of_one_policy_under_several_rules_is_refused_before_it_plays(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> Results:
        raise AssertionError("it plays")

    monkeypatch.setattr("simlab.experiments.running.run_plan", never)
    for vary in ("finale=I,II", "players=2,4"):
        code, out, err = said(capsys, "power", "fantastique", "4xgreedy", "--vary", vary)
        assert (code, out) == (2, "")
        assert one_line(err, "greedy", "every seat", "symmetry", "two policies")


def test_a_table_that_is_one_policy_s_is_still_compared_with_one_that_is_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of two seats one policy has both, of three it has two: its rate may differ from a half."""
    words = ["power", "fantastique", "greedy", "greedy", "spoiler", "--pilot", str(few(600, 60))]
    (row,) = said_json(capsys, *words, "--vary", "players=2,3")
    assert row["of"] == "greedy, 3"
    assert row["sd"] > 1


MISTAKES = [
    (["--difference", "0"], ["difference", "0"]),
    (["--difference", "-1"], ["difference", "-1"]),
    (["--difference", "100"], ["difference", "100"]),
    (["--difference", "nan"], ["difference", "nan"]),
    (["--difference", "1e-300"], ["difference", "1e-300", "1e-05", "1e15"]),
    (["--difference", "9e-6"], ["difference", "9e-06", "1e-05"]),
    (["--power", "0"], ["power", "0"]),
    (["--power", "1"], ["power", "1"]),
    (["--power", "nan"], ["power", "nan"]),
    (["--power", "0.05"], ["power", "0.05", "chance alone"]),
    (["--pilot", "0"], ["pilot", "0"]),
    (["--pilot", "many"], ["pilot", "many"]),
    (["--pilot", "2"], ["pilot", "2"]),
    (["--vary", "finale=I"], ["two values"]),
    (["--vary", "fnale=I,II"], ["fnale", "finale"]),
    (["--seating", "round"], ["round"]),
]


@pytest.mark.parametrize(("words", "parts"), MISTAKES, ids=lambda value: " ".join(value))
def test_a_mistake_is_one_line(
    words: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A pilot of one deal too: it has no deviation."""
    pilot = [] if "--pilot" in words else ["--pilot", "8"]
    code, out, err = said(capsys, *WORDS, *pilot, *words)
    assert (code, out) == (2, "")
    assert err.startswith("simlab: ")
    assert one_line(err, *parts)


@pytest.mark.parametrize("words", [["--difference", "0"], ["--power", "1"]])
def test_a_mistake_is_said_before_the_pilot_is_played(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> Results:
        raise AssertionError("it plays")

    monkeypatch.setattr("simlab.experiments.running.run_plan", never)
    code, _, err = said(capsys, *WORDS, *words)
    assert code == 2
    assert one_line(err, words[0].strip("-"))


@pytest.mark.parametrize("players", ["2,3", "3,2"])
def test_power_for_numbers_of_players_counts_the_games_of_each(
    players: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A policy that one of the tables does not have is not compared."""
    words = ["power", "fantastique", "greedy", "spoiler", "miser", "--pilot", str(few(600, 60))]
    rows = said_json(capsys, *words, "--vary", f"players={players}")
    other = players.partition(",")[2]
    assert [row["of"] for row in rows] == [f"greedy, {other}", f"spoiler, {other}"]
    assert all(row["games"] >= row["deals"] for row in rows)


@pytest.mark.parametrize("players", ["2,3,4,5", "5,2,4,3", "3,5,2,4"])
def test_power_for_numbers_of_players_has_its_rows_in_order_of_the_values(
    players: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first value is what the others are compared with, wherever it stands by size."""
    words = ["power", "fantastique", "greedy", "spoiler", "--pilot", str(few(600, 60))]
    rows = said_json(capsys, *words, "--vary", f"players={players}")
    base, *others = players.split(",")
    assert [row["of"] for row in rows] == [
        f"{policy}, {other}" for other in others for policy in ("greedy", "spoiler")
    ]
    for row in rows:
        rotations = [2 if n in "24" else int(n) for n in (base, row["of"].split(", ")[1])]
        assert row["games"] == row["deals"] * max(rotations)


# --- Whether the promise is kept --------------------------------------------------------------

STUDIES = 300
PROMISED = 0.8


def about_as_often_as_promised(seen: int) -> None:
    """Within five standard errors, and 3 % for what the formula leaves out."""
    error = math.sqrt(PROMISED * (1 - PROMISED) / STUDIES)
    assert abs(seen / STUDIES - PROMISED) < 5 * error + 0.03


def needed(pilot: Results | Comparison, of: str, difference: float) -> int:
    rows = {row["of"]: row for row in power_rows(pilot, 100 * difference, PROMISED)}
    return int(rows[of]["games"])


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="hundreds of studies")
def test_runs_of_that_size_see_a_difference_about_as_often_as_promised() -> None:
    words = ["greedy", "spoiler"]
    pilot = simlab.simulate("fantastique", words, 300_000, seed=10**6)
    truth = pilot.difference(0, 1).mean
    games = needed(pilot, "greedy from spoiler", truth)
    share = pilot.summary()["win_rate"][0] - 0.5
    alone = needed(pilot, "greedy from the fair share", share)
    seen, above = 0, 0
    for seed in range(STUDIES):
        (line,) = (
            simlab.simulate("fantastique", words, games, seed=seed, workers=1)
            .pairs()
            .to_dict("records")
        )
        seen += line["p_holm"] <= 0.05 and line["policy"] == "greedy"
        rates = simlab.simulate("fantastique", words, alone, seed=seed, workers=1).summary()
        above += rates["low"][0] > 0.5
    assert 0.02 < truth < 0.2
    about_as_often_as_promised(seen)
    about_as_often_as_promised(above)


def seen_in(words: Sequence[str], vary: str, games: int, upward: bool) -> int:
    """Comparisons whose first win rate's interval leaves out 0 on the right side."""
    seen, varied = 0, read_varied([vary])
    for seed in range(STUDIES):
        plan = comparison("fantastique", words, varied, games=games, seed=seed)
        first = run_comparison(plan, varied, workers=1).differences().iloc[0]
        seen += bool(first["low"] > 0 if upward else first["high"] < 0)
    return seen


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="hundreds of studies")
def test_comparisons_of_that_size_see_a_difference_about_as_often_as_promised() -> None:
    words, vary = ["spoiler", "greedy", "high-fan"], "finale=I,VI"
    varied = read_varied([vary])
    plan = comparison("fantastique", words, varied, games=300_000, seed=10**6)
    pilot = run_comparison(plan, varied)
    truth = pilot.share_difference(1, 0).mean
    games = needed(pilot, "spoiler, VI", abs(truth))
    assert 0.01 < abs(truth) < 0.2
    assert np.isfinite(truth)
    about_as_often_as_promised(seen_in(words, vary, games, truth > 0))

"""A run's summary against the same numbers worked out by hand from the table of outcomes."""

from __future__ import annotations

import json
import math
import threading
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from simlab.compiled import INTERPRETED
from simlab.experiments.batches import Played, Watch, outcomes, play
from simlab.experiments.counting import Part
from simlab.experiments.plans import Plan
from simlab.experiments.study import Study
from simlab.experiments.summary import frame, summarise, tidy_rows

SEED = 31
GAME_COLUMNS = (
    "reshuffles",
    "passes",
    "shared_win",
    "finale_changed_winner",
    "decisions",
    "checkpoints",
    "lead_changes",
    "winner_worst_place",
)
SEAT_COLUMNS = (
    "medal_points",
    "finale_cards",
    "finale_points",
    "hand_cards",
    "gold",
    "silver",
    "bronze",
    "cards_played",
    "rank",
)
TIES = {"rounds": 2, "gold": (2, 2), "silver": (2, 2), "bronze": (2, 2)}
TIES |= {"finale_gold": 0, "finale_silver": 0}
"""All medals are worth the same, so that most games have several winners."""


@dataclass(frozen=True)
class Setup:
    """A study by hand: who sits where in the first game, and in how many games of a deal."""

    policies: tuple[str, ...]
    games_a_deal: int
    deals: int = 150
    seating: str = "rotate"
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def rounds(self) -> int:
        return int(dict(self.options).get("rounds", 7))


SETUPS = {
    "four different": Setup(("greedy", "random", "miser", "balanced"), 4),
    "two kinds in turn": Setup(("greedy", "random", "greedy", "random"), 2),
    "two alike, side by side": Setup(("random", "random", "balanced"), 3),
    "all four alike": Setup(("greedy",) * 4, 1),
    "seats fixed": Setup(("balanced", "greedy", "random", "greedy"), 1, seating="fixed"),
    "one policy, two settings": Setup(("high-fan", "high-fan:cards=7"), 2),
    "five seats and many ties": Setup(
        ("random", "random", "greedy", "miser", "random"), 5, options=tuple(TIES.items())
    ),
    "three rounds": Setup(("greedy", "random", "random"), 3, options=(("rounds", 3),)),
    "reshuffles": Setup(("random", "greedy"), 2, options=(("deck", (4,) * 8), ("finale", "V"))),
    "one deal": Setup(("greedy", "random", "miser", "balanced"), 4, deals=1),
    "one game": Setup(("greedy", "random", "greedy"), 1, deals=1, seating="fixed"),
    "two deals": Setup(("greedy", "random", "random", "random"), 4, deals=2),
}


@cache
def study_of(name: str) -> Study:
    setup = SETUPS[name]
    deals = min(setup.deals, 6) if INTERPRETED else setup.deals
    return Study.of(
        "fantastique",
        setup.policies,
        options=dict(setup.options),
        seating=setup.seating,
        games=deals * setup.games_a_deal,
        seed=SEED,
    )


@cache
def played(name: str) -> Played:
    return play(study_of(name), 2, batch=7)


def summary_of(name: str) -> dict[str, Any]:
    return summarise(played(name))


@cache
def seat_table(name: str) -> pd.DataFrame:
    """A row for each game and seat, with the policy that everybody moving on brings there."""
    setup, lines = SETUPS[name], []
    players = len(setup.policies)
    for game in outcomes(study_of(name)):
        turn = int(game["rotation"])
        for seat in range(players):
            row = game["seats"][seat]
            line = {"deal": int(game["deal"]), "rotation": turn, "seat": seat}
            line["policy"] = setup.policies[(seat - turn) % players]
            line["win_share"] = int(row["win_share"]) / 60
            line |= {column: int(row[column]) for column in ("points", *SEAT_COLUMNS)}
            after = row["points_after"][: setup.rounds]
            line |= {f"points_{n + 1}": int(points) for n, points in enumerate(after)}
            lines.append(line)
    return pd.DataFrame(lines)


@cache
def game_table(name: str) -> pd.DataFrame:
    games = outcomes(study_of(name))
    return pd.DataFrame({column: games[column] for column in ("deal", *GAME_COLUMNS)})


def clustered_error(rows: pd.DataFrame, column: str) -> float:
    """Standard error of the mean, from the means of each deal; NaN for one deal."""
    means = rows.groupby("deal")[column].mean()
    return float(means.std(ddof=1) / math.sqrt(len(means)))


def expected_mean(rows: pd.DataFrame, column: str) -> dict[str, Any]:
    mean, error = rows[column].mean(), clustered_error(rows, column)
    deals = rows["deal"].nunique()
    half = stats.t.ppf(0.975, deals - 1) * error if deals > 1 else math.nan
    sd = rows[column].std(ddof=1)
    return {"mean": mean, "sd": sd, "ci95": [mean - half, mean + half]}


def expected_interval(rows: pd.DataFrame) -> list[float]:
    """Wilson's interval on the effective games, or Clopper and Pearson's with few wins."""
    rate, error = rows["win_share"].mean(), clustered_error(rows, "win_share")
    deals = float(rows["deal"].nunique())
    games = deals
    if rate * (1 - rate) > 0 and error > 1e-12:
        games = rate * (1 - rate) / error**2
    method = "wilson"
    if games * min(rate, 1 - rate) < 10:
        method, games = "beta", min(games, deals)
    return list(proportion_confint(rate * games, games, alpha=0.05, method=method))


def numbers(means: dict[str, Any]) -> list[float]:
    """Mean, deviation and interval in a row, NaN for what does not exist."""
    flat = [means["mean"], means["sd"], *means["ci95"]]
    return [math.nan if number is None else number for number in flat]


def close_to(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)


def check_means(found: dict[str, Any], rows: pd.DataFrame, rounds: int) -> None:
    columns = (*SEAT_COLUMNS, *(f"points_{n + 1}" for n in range(rounds)))
    assert list(found["columns"]) == list(columns)
    assert numbers(found["points"]) == close_to(numbers(expected_mean(rows, "points")))
    for column in columns:
        expected = numbers(expected_mean(rows, column))
        assert numbers(found["columns"][column]) == close_to(expected), column


@pytest.mark.parametrize("name", SETUPS)
def test_every_policy_has_the_numbers_that_the_table_gives(name: str) -> None:
    setup, rows, summary = SETUPS[name], seat_table(name), summary_of(name)
    alone = len(set(setup.policies)) == 1
    assert [one["policy"] for one in summary["policies"]] == list(dict.fromkeys(setup.policies))
    for found in summary["policies"]:
        own = rows[rows["policy"] == found["policy"]]
        assert found["seat_games"] == len(own)
        assert found["win_rate"] == close_to(own["win_share"].mean())
        if not alone:
            assert found["ci95"] == close_to(expected_interval(own))
        check_means(found, own, setup.rounds)


@pytest.mark.parametrize("name", SETUPS)
def test_every_seat_has_the_numbers_that_the_table_gives(name: str) -> None:
    setup, rows, summary = SETUPS[name], seat_table(name), summary_of(name)
    assert [one["seat"] for one in summary["seats"]] == list(range(len(setup.policies)))
    for found in summary["seats"]:
        own = rows[rows["seat"] == found["seat"]]
        assert found["win_rate"] == close_to(own["win_share"].mean())
        assert found["ci95"] == close_to(expected_interval(own))
        check_means(found, own, setup.rounds)


@pytest.mark.parametrize("name", SETUPS)
def test_every_column_of_the_game_has_the_numbers_that_the_table_gives(name: str) -> None:
    rows, summary = game_table(name), summary_of(name)
    assert list(summary["game_columns"]) == list(GAME_COLUMNS)
    for column in GAME_COLUMNS:
        expected = numbers(expected_mean(rows, column))
        assert numbers(summary["game_columns"][column]) == close_to(expected), column


@pytest.mark.parametrize("name", SETUPS)
def test_a_summary_says_what_was_played(name: str) -> None:
    setup, summary = SETUPS[name], summary_of(name)
    deals = study_of(name).deals
    assert summary["study"] == study_of(name).record()
    assert (summary["deals"], summary["games"]) == (deals, deals * setup.games_a_deal)
    assert summary["complete"] is True
    assert summary["games_per_second"] == pytest.approx(summary["games"] / summary["seconds"])


@pytest.mark.skipif(INTERPRETED, reason="plays too few deals to see everything")
def test_the_tables_have_what_the_tests_are_about() -> None:
    """Ties, reshuffles, short games, and deals whose games are not independent."""
    ties = game_table("five seats and many ties")
    assert ties["shared_win"].mean() > 0.3
    shares = seat_table("five seats and many ties")["win_share"].round(9)
    assert set(shares) >= {0.0, 0.5, 1.0, round(1 / 3, 9)}
    assert game_table("reshuffles")["reshuffles"].mean() > 0.5
    assert (game_table("three rounds")["checkpoints"] == 3).all()
    rows = seat_table("four different")
    own = rows[rows["policy"] == "balanced"]
    naive = own["points"].std(ddof=1) / math.sqrt(len(own))
    assert clustered_error(own, "points") != pytest.approx(naive, rel=0.02)


# --- Facts that need no table ---------------------------------------------------------------


@pytest.mark.parametrize("name", SETUPS)
def test_win_rates_weighted_by_seats_sum_to_one(name: str) -> None:
    policies, summary = SETUPS[name].policies, summary_of(name)
    rates = {one["policy"]: one["win_rate"] for one in summary["policies"]}
    assert sum(rates[policy] for policy in policies) == pytest.approx(1, abs=1e-12)
    assert sum(one["win_rate"] for one in summary["seats"]) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_policy_that_sits_alone_at_the_table_wins_its_exact_share(players: int) -> None:
    """Not an estimate: whoever wins, it does; and there is one seating for each deal."""
    study = Study.of("fantastique", [f"{players}xrandom"], games=5, seed=SEED)
    summary = summarise(play(study, 1))
    assert len(study.seatings) == 1
    (found,) = summary["policies"]
    assert found["win_rate"] == 1 / players
    assert found["ci95"] == [1 / players, 1 / players]
    assert found["seat_games"] == 5 * players
    assert all(seat["ci95"][0] < seat["ci95"][1] for seat in summary["seats"])


@pytest.mark.parametrize(
    ("policies", "rotations"),
    [
        (("greedy", "random", "greedy", "random"), ["0101", "1010"]),
        (("greedy", "greedy", "random", "random"), ["0011", "1001", "1100", "0110"]),
        (("greedy", "random", "random"), ["011", "101", "110"]),
        (("greedy", "random", "miser"), ["012", "201", "120"]),
        (("miser", "miser"), ["00"]),
    ],
)
def test_each_distinct_seating_is_played_once(
    policies: tuple[str, ...], rotations: list[str]
) -> None:
    rotated = Study.of("fantastique", policies, games=1)
    assert ["".join(map(str, row)) for row in rotated.seatings] == rotations
    fixed = Study.of("fantastique", policies, games=1, seating="fixed")
    assert fixed.seatings.tolist() == rotated.seatings[:1].tolist()


def test_games_are_rounded_up_to_whole_deals() -> None:
    study = Study.of("fantastique", ["greedy", "random", "miser"], games=7, seed=SEED)
    summary = summarise(play(study, 1))
    assert (summary["deals"], summary["games"]) == (3, 9)
    assert [one["seat_games"] for one in summary["policies"]] == [9, 9, 9]


def test_rotation_gives_every_policy_every_seat_equally_often() -> None:
    rows = seat_table("two alike, side by side")
    counts = rows.groupby(["policy", "seat"]).size().unstack()
    assert (counts.nunique(axis=1) == 1).all()
    fixed = seat_table("seats fixed")
    assert fixed[fixed["policy"] == "balanced"]["seat"].unique().tolist() == [0]


# --- A run that was stopped -----------------------------------------------------------------


def stopped_after(batches: int) -> Played:
    """One worker plays four deals a batch, and is told to stop after some."""
    stop, seen = threading.Event(), []

    def progress(plan: Plan, part: Part, wanted: int) -> None:
        seen.append((part, wanted))
        if len(seen) >= batches:
            stop.set()

    if batches == 0:
        stop.set()
    watch = Watch(progress=progress, stop=stop)
    return play(study_of("two kinds in turn"), 1, watch, batch=4)


@pytest.mark.skipif(INTERPRETED, reason="plays too few deals to be stopped")
def test_a_stopped_run_counts_the_deals_that_it_finished() -> None:
    part = summarise(stopped_after(3))
    assert part["complete"] is False
    assert 12 <= part["deals"] < 150
    first = Study.of(
        "fantastique", SETUPS["two kinds in turn"].policies, games=part["games"], seed=SEED
    )
    whole = summarise(play(first, 1))
    for key in ("games", "deals", "policies", "seats", "game_columns"):
        assert part[key] == whole[key]


def test_a_run_stopped_before_its_first_deal_has_no_numbers() -> None:
    summary = summarise(stopped_after(0))
    assert (summary["games"], summary["deals"], summary["complete"]) == (0, 0, False)
    for found in (*summary["policies"], *summary["seats"]):
        assert found["win_rate"] is None
        assert found["ci95"] == [0.0, 1.0]
        assert found["points"] == {"mean": None, "sd": None, "ci95": [None, None]}


# --- As rows, as a frame, as JSON -----------------------------------------------------------


def parts(value: Any) -> list[Any]:
    """Every plain value in nested lists and dictionaries."""
    if isinstance(value, dict):
        return [part for inner in value.values() for part in parts(inner)]
    if isinstance(value, list):
        return [part for inner in value for part in parts(inner)]
    return [value]


@pytest.mark.parametrize("name", SETUPS)
def test_a_summary_survives_json_and_holds_no_nan(name: str) -> None:
    summary = summary_of(name)
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    kinds = {type(part) for part in parts(summary)}
    assert kinds <= {int, float, bool, str, type(None)}, "plain Python, no NumPy scalars"


def test_one_deal_has_means_and_none_for_every_error() -> None:
    summary = summary_of("one deal")
    for found in (*summary["policies"], *summary["seats"]):
        assert found["points"]["ci95"] == [None, None]
        assert found["points"]["mean"] > 0
        assert found["points"]["sd"] >= 0
        assert 0 <= found["ci95"][0] <= found["win_rate"] <= found["ci95"][1] <= 1
    assert summary["game_columns"]["decisions"]["ci95"] == [None, None]


def test_one_game_has_no_deviation_either() -> None:
    summary = summary_of("one game")
    single = next(one for one in summary["policies"] if one["seat_games"] == 1)
    assert single["policy"] == "random"
    assert single["points"]["sd"] is None
    assert all(one["points"]["sd"] is None for one in summary["seats"])


@pytest.mark.parametrize("name", SETUPS)
def test_rows_say_the_same_as_the_summary(name: str) -> None:
    summary = summary_of(name)
    rows = tidy_rows(summary)
    named = [("policy", one["policy"], one) for one in summary["policies"]]
    named += [("seat", str(one["seat"]), one) for one in summary["seats"]]
    assert [(row["of"], row["name"]) for row in rows] == [(of, who) for of, who, _ in named]
    for row, (_, _, one) in zip(rows, named, strict=True):
        expected = {"win_rate": one["win_rate"], "low": one["ci95"][0], "high": one["ci95"][1]}
        expected |= {"games": summary["games"], "deals": summary["deals"]}
        for column, mean in {"points": one["points"], **one["columns"]}.items():
            expected |= {f"{column}_mean": mean["mean"], f"{column}_sd": mean["sd"]}
        assert {key: value for key, value in row.items() if key not in ("of", "name")} == expected


@pytest.mark.parametrize("name", SETUPS)
def test_a_frame_has_a_row_for_each_policy_and_seat_and_a_column_for_each_number(
    name: str,
) -> None:
    summary = summary_of(name)
    rows, found = tidy_rows(summary), frame(summary)
    assert len(found) == len(summary["policies"]) + len(summary["seats"])
    assert all(list(row) == list(found.columns) for row in rows)
    assert found["win_rate"].tolist() == [row["win_rate"] for row in rows]
    assert found["win_rate"].dtype == np.float64
    columns = [column for column in found.columns if column.endswith("_mean")]
    assert columns[0] == "points_mean"
    assert len(columns) == 1 + len(SEAT_COLUMNS) + SETUPS[name].rounds

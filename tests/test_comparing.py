"""Comparisons: paired by hand, scored again as if played, and honest about what is not shown."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from by_hand import (
    TIES,
    WIN,
    about,
    deal_sums,
    few,
    game_rows,
    holm_of,
    numbers,
    one_line,
    said,
    said_json,
    seat_rows,
    t_interval,
    t_test,
    user_file,
    values_of,
)
from positions import SIDES
from statsmodels.stats.weightstats import DescrStatsW
from test_summary import GAME_COLUMNS, SEAT_COLUMNS

import simlab
from simlab.compiled import INTERPRETED
from simlab.errors import SimlabError, UsageError
from simlab.experiments import batches
from simlab.experiments.batches import play
from simlab.experiments.comparing import Comparison, comparison, read_varied
from simlab.experiments.plans import Plan
from simlab.experiments.running import Place, run_comparison
from simlab.experiments.study import Study

SEED = 51
MEASURES = ("win_rate", "points", *SEAT_COLUMNS)
FLAT = {key: value for key, value in TIES.items() if key != "finale_gold"}


@dataclass(frozen=True)
class Setup:
    """What is compared, and how often it is played."""

    policies: tuple[str, ...]
    vary: tuple[str, ...]
    deals: int = 100
    baseline: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def plan(self, **other: Any) -> Plan:
        """The studies; a deal has at most as many seatings as seats."""
        games = few(self.deals) * len(self.policies)
        more = {"games": games, "seed": SEED, **self.more, **other}
        varied = read_varied(self.vary)
        return comparison("fantastique", self.policies, varied, baseline=self.baseline, **more)


SETUPS = {
    "scored again": Setup(("greedy", "spoiler", "miser"), ("finale=I,III,VI",)),
    "played": Setup(("finale-collector", "greedy", "greedy"), ("finale=I,III,VI",)),
    "a parameter": Setup(("medal-scheduler", "greedy"), ("medal-scheduler.start=2,4,5",)),
    "two rules": Setup(("greedy", "random"), ("hand=8,10", "finale=I,II"), 60),
    "a list": Setup(("greedy", "spoiler"), ("gold=6/8/10/12/14/16/18,0/0/0/0/0/0/9",)),
    "ties": Setup(("random", "greedy", "greedy"), ("finale_gold=0,3",), 60, more={"options": FLAT}),
    "another baseline": Setup(("greedy", "spoiler"), ("finale=I,II,V",), baseline="V"),
    "shuffled": Setup(
        ("greedy", "spoiler", "spoiler"), ("finale=I,II",), more={"seating": "shuffle"}
    ),
    "nothing changes": Setup(("high-fan", "greedy"), ("high-fan.cards=3,3.5",)),
    "one deal": Setup(("greedy", "spoiler"), ("finale=I,II",), 1),
    "alone": Setup(("greedy", "greedy", "greedy"), ("finale=I,II",), 40),
}


def compared(plan: Plan, vary: Sequence[str], margin: float | None = None) -> Comparison:
    return run_comparison(plan, read_varied(vary), margin, workers=2)


@cache
def found(name: str) -> Comparison:
    return compared(SETUPS[name].plan(), SETUPS[name].vary)


def column_of(measure: str) -> tuple[str, int]:
    """Column of a measure, and what counts as one."""
    return ("win_share", WIN) if measure == "win_rate" else (measure, 1)


def paired_line(base: pd.DataFrame, other: pd.DataFrame, measure: str) -> dict[str, Any]:
    """Difference, interval, p-value and gain, all from what differs within each deal."""
    column, unit = column_of(measure)
    (one, values), (two, same) = (deal_sums(rows, column) for rows in (base, other))
    assert values == same
    deals = (two - one) / (values * unit)
    gain = math.nan
    if len(deals) > 1:
        apart, paired = one.var(ddof=1) + two.var(ddof=1), (two - one).var(ddof=1)
        gain = 1.0 if apart == paired else math.nan if paired == 0 else apart / paired
    interval = t_interval(deals)
    return {"difference": deals.mean(), "ci95": interval, "p": t_test(deals), "gain": gain}


def differences_by_hand(plan: Plan) -> list[dict[str, Any]]:
    """Every difference in the order of the product's table; Holm over each measure."""
    tables = [seat_rows(study) for study in plan.studies]
    games = [game_rows(study) for study in plan.studies]
    lines = []
    for variant, study in enumerate(plan.studies[1:], 1):
        for word, same in zip(plan.base.matchup.texts, study.matchup.texts, strict=True):
            both = [
                rows[rows["policy"] == name]
                for rows, name in ((tables[0], word), (tables[variant], same))
            ]
            for measure in MEASURES:
                line = {"variant": variant, "policy": word, "measure": measure}
                lines.append(line | paired_line(*both, measure))
        for measure in GAME_COLUMNS:
            line = {"variant": variant, "policy": None, "measure": measure}
            lines.append(line | paired_line(games[0], games[variant], measure))
    for measure in (*MEASURES, *GAME_COLUMNS):
        table = [line for line in lines if line["measure"] == measure]
        for line, p in zip(table, holm_of([line["p"] for line in table]), strict=True):
            line["p_holm"] = p
            if measure == "win_rate" and len(plan.base.matchup.texts) == 1:
                line |= {"p_holm": None, "gain": math.nan}  # by symmetry: nothing is tested
    return lines


@pytest.mark.parametrize("name", SETUPS)
def test_every_difference_is_that_of_the_same_deals_by_hand(name: str) -> None:
    result, plan = found(name), SETUPS[name].plan()
    expected = differences_by_hand(plan)
    values = [variant["value"] for variant in result.numbers["variants"]]
    assert result.numbers["paired"] is True
    for line, wanted in zip(result.numbers["differences"], expected, strict=True):
        where = (wanted["variant"], wanted["policy"], wanted["measure"])
        assert line["value"] == values[wanted["variant"]]
        assert (line["policy"], line["measure"]) == where[1:]
        given = numbers([line["difference"], *line["ci95"], line["gain"]])
        assert given == about([wanted["difference"], *wanted["ci95"], wanted["gain"]]), where
        if wanted["p_holm"] is None:
            assert line["p_holm"] is None, where
        else:
            assert line["p_holm"] == pytest.approx(wanted["p_holm"], rel=1e-6, abs=1e-300), where


@pytest.mark.parametrize("name", SETUPS)
def test_each_variant_has_the_numbers_of_its_own_study(name: str) -> None:
    result, plan = found(name), SETUPS[name].plan()
    for variant, study in zip(result.numbers["variants"], plan.studies, strict=True):
        alone = simlab.run(study, workers=1)
        assert variant["run"] == alone.numbers
        frame = result.variants()
        label = ", ".join(f"{key}={one}" for key, one in variant["value"].items())
        own = frame[frame["variant"].isin([label, *variant["value"].values()])]
        summary = alone.summary()
        for column in ("policy", "deals", "win_rate", "low", "high", "points_mean", "points_sd"):
            assert own[column].tolist() == summary[column].tolist()


@pytest.mark.parametrize("name", SETUPS)
@pytest.mark.parametrize("measure", ["win_rate", "finale_points", "lead_changes"])
def test_the_frame_of_differences_has_the_rows_of_one_measure(name: str, measure: str) -> None:
    frame = found(name).differences(measure)
    lines = [r for r in found(name).numbers["differences"] if r["measure"] == measure]
    names = ["variant", "policy", "difference", "low", "high", "p_holm", "gain"]
    assert list(frame.columns) == names
    for row, line in zip(frame.to_dict("records"), lines, strict=True):
        value = line["value"]
        label = ", ".join(f"{key}={one}" for key, one in value.items())
        assert row["variant"] == (label if len(value) > 1 else label.partition("=")[2])
        policy = row["policy"] if isinstance(row["policy"], str) else None
        assert policy == line["policy"]
        expected = [line["difference"], *line["ci95"], line["p_holm"], line["gain"]]
        assert numbers([row[key] for key in names[2:]]) == about(numbers(expected))


@pytest.mark.skipif(INTERPRETED, reason="plays too few deals to find anything")
def test_the_comparisons_have_what_the_tests_are_about() -> None:
    """Differences found and not found, luck that cancels and luck that does not, ties."""
    by_name = {
        name: found(name).differences().set_index(["variant", "policy"])
        for name in ("scored again", "a parameter", "two rules", "nothing changes")
    }
    assert by_name["scored again"]["gain"].max() > 4
    assert (by_name["scored again"]["p_holm"] > 0.05).any()
    assert by_name["scored again"]["p_holm"].min() < 0.05
    assert by_name["a parameter"]["gain"].max() < 1.5
    assert (by_name["nothing changes"]["difference"] == 0).all()
    assert (by_name["nothing changes"]["p_holm"] == 1).all()
    ties = seat_rows(SETUPS["ties"].plan().studies[0])
    assert (ties["win_share"] % WIN > 0).mean() > 0.1
    assert found("alone").differences()["difference"].tolist() == [0]


def test_a_measure_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError) as raised:
        found("alone").differences("finale_crads")
    assert one_line(str(raised.value), "finale_crads", "finale_cards")


# --- The baseline's own results ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["scored again", "a parameter", "two rules"])
def test_a_comparison_is_also_the_result_of_its_baseline(name: str, tmp_path: Path) -> None:
    result, alone = found(name), simlab.run(SETUPS[name].plan().base)
    for frame in ("summary", "by_seat", "columns", "pairs", "histogram"):
        pd.testing.assert_frame_equal(getattr(result, frame)(), getattr(alone, frame)())
    assert result.best() == alone.best()
    paths = [one.to_csv(tmp_path / str(n)) for n, one in enumerate((result, alone))]
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_comparison_shows_itself_in_a_notebook() -> None:
    text = repr(found("two rules"))
    assert "fantastique" in text
    for word in ("greedy", "random"):
        assert word in text


# --- Values, baselines, combinations ----------------------------------------------------------


def test_several_keys_make_every_combination_the_baseline_first() -> None:
    setup = Setup(("greedy", "random"), ("hand=8,9", "finale=I,II,III"), 2, "9,II")
    given = [study.matchup.options for study in setup.plan().studies]
    values = [{key: str(value) for key, value in one.items()} for one in given]
    assert values[0] == {"hand": "9", "finale": "II"}
    assert [tuple(one.values()) for one in values[1:]] == [
        ("8", "I"),
        ("8", "II"),
        ("8", "III"),
        ("9", "I"),
        ("9", "III"),
    ]
    result = compared(setup.plan(), setup.vary)
    assert result.numbers["baseline"] == {"hand": "9", "finale": "II"}
    labels = result.variants()["variant"].unique().tolist()
    assert labels[0] == "hand=9, finale=II"
    assert len(labels) == 6


def test_a_baseline_is_one_of_the_values_wherever_it_stands() -> None:
    result = found("another baseline")
    assert result.numbers["baseline"] == {"finale": "V"}
    assert [one["value"]["finale"] for one in result.numbers["variants"]] == ["V", "I", "II"]
    turned = Setup(("greedy", "spoiler"), ("finale=V,I,II",))
    again = compared(turned.plan(), turned.vary)
    assert again.numbers["differences"] == result.numbers["differences"]


def test_python_takes_values_as_they_are_and_the_command_line_as_words() -> None:
    gold = [(6, 8, 10, 12, 14, 16, 18), (0, 0, 0, 0, 0, 0, 9)]
    setup = SETUPS["a list"]
    games = setup.plan().base.games
    lists = simlab.compare(
        "fantastique", list(setup.policies), games, vary={"gold": gold}, seed=SEED
    )
    assert lists.numbers == found("a list").numbers
    options = [study.matchup.rules[0]["medals"][0].tolist()[:7] for study in lists.plan.studies]
    assert options == [list(values) for values in gold]
    flags = simlab.compare(
        "fantastique", ["greedy", "random"], 4, vary={"finale_zero": [True, False]}
    )
    assert [one["value"] for one in flags.numbers["variants"]] == [
        {"finale_zero": "true"},
        {"finale_zero": "false"},
    ]


@pytest.mark.parametrize(
    ("key", "values", "baseline"), [("hand", [8, 10], 10), ("finale_zero", [True, False], False)]
)
def test_python_names_the_baseline_by_its_value(
    key: str, values: list[Any], baseline: object
) -> None:
    result = simlab.compare(
        "fantastique",
        ["greedy", "random"],
        4,
        vary={key: values},
        baseline=baseline,
    )
    assert result.numbers["baseline"] == {key: str(baseline).lower()}


@pytest.mark.parametrize("name", SETUPS)
def test_each_variant_is_called_as_it_was_asked_for(name: str) -> None:
    """So that who reads the JSON can look a value up."""
    result = found(name).numbers
    asked = {one["key"]: one["values"] for one in result["vary"]}
    for variant in result["variants"]:
        assert list(variant["value"]) == list(asked)
        for key, value in variant["value"].items():
            assert value in asked[key]


def test_values_that_differ_in_late_digits_have_names_of_their_own() -> None:
    setup = Setup(("finale-collector", "greedy"), ("finale-collector.hold=0.1234567,0.1234568",), 1)
    result = compared(setup.plan(), setup.vary)
    assert len({one["value"]["finale-collector.hold"] for one in result.numbers["variants"]}) == 2


def test_a_parameter_is_set_in_every_seat_of_its_policy() -> None:
    words = ["finale-collector:chase=1", "greedy", "finale-collector:hold=0.9", "finale-collector"]
    plan = comparison("fantastique", words, read_varied(["finale-collector.hold=0.2,0.5"]), games=4)
    for study, hold in zip(plan.studies, (0.2, 0.5), strict=True):
        seats = [values_of(policy) for policy in study.matchup.policies]
        assert seats == [
            {"hold": hold, "chase": 1.0},
            {},
            {"hold": hold, "chase": 3.0},
            {"hold": hold, "chase": 3.0},
        ]
    assert plan.rescored is False


@pytest.mark.parametrize("whole", [False, True])
def test_a_parameter_of_a_user_s_policy_is_varied_by_name_or_by_path(
    whole: bool, tmp_path: Path
) -> None:
    path = user_file(tmp_path, "name='x', level=2.0, more=1.0")
    key = f"{path}::x.level" if whole else "x.level"
    varied = read_varied([f"{key}=2,7"])
    plan = comparison("fantastique", [f"{path}::x:more=5", "greedy"], varied, games=4)
    assert [values_of(study.matchup.policies[0]) for study in plan.studies] == [
        {"level": 2.0, "more": 5.0},
        {"level": 7.0, "more": 5.0},
    ]
    result = run_comparison(plan, varied)
    assert [one["value"][key] for one in result.numbers["variants"]] == ["2", "7"]


# --- Players ----------------------------------------------------------------------------------

PLAYERS = Setup(("greedy", "spoiler", "miser"), ("players=2,3,5",))


def players_plan(deals: int = 30) -> Plan:
    return PLAYERS.plan(games=few(deals, 2) * 30)


def test_the_line_up_is_repeated_in_order_for_more_players_and_cut_for_fewer() -> None:
    a, b, c = PLAYERS.policies
    seated = [[p.text for p in study.matchup.policies] for study in players_plan().studies]
    assert seated == [[a, b], [a, b, c], [a, b, c, a, b]]


@pytest.mark.parametrize("policies", [("greedy", "spoiler"), ("greedy", "spoiler", "miser")])
def test_numbers_of_players_are_compared_unpaired_and_never_by_scoring_again(
    policies: tuple[str, ...],
) -> None:
    setup = Setup(policies, ("players=2,3",), 20)
    assert not setup.plan().paired
    assert not setup.plan().rescored
    result = compared(setup.plan(), setup.vary)
    assert result.numbers["paired"] is False
    assert result.numbers["rescored"] is False
    assert all(line["gain"] is None for line in result.numbers["differences"])


@pytest.mark.parametrize("players", ["2,3,5", "5,3,2"])
def test_every_number_of_players_gets_the_games_that_were_asked_for(players: str) -> None:
    setup = Setup(("greedy", "spoiler", "miser"), (f"players={players}",))
    plan = setup.plan(games=few(20, 2) * 30)
    result = compared(plan, setup.vary)
    for variant, study in zip(result.numbers["variants"], plan.studies, strict=True):
        assert variant["run"]["games"] == plan.base.games
        assert variant["run"]["deals"] == study.deals == variant["run"]["study"]["deals"]
    assert result.played.complete


def test_differences_between_numbers_of_players_are_those_of_two_samples() -> None:
    """Two means and the root of both squared errors; a policy that is missing is left out."""
    plan = players_plan()
    result = compared(plan, PLAYERS.vary)
    counts = result.played.part.counts
    rows = [
        seat_rows(replace(study, games=count.games))
        for study, count in zip(plan.studies, counts, strict=True)
    ]
    lines = [r for r in result.numbers["differences"] if r["measure"] == "win_rate"]
    expected = [("3", "greedy"), ("3", "spoiler"), ("5", "greedy"), ("5", "spoiler")]
    assert [(line["value"]["players"], line["policy"]) for line in lines] == expected
    for line in lines:
        which = ["2", "3", "5"].index(line["value"]["players"])
        means, errors = [], []
        for n in (which, 0):
            own = rows[n][rows[n]["policy"] == line["policy"]]
            sums, values = deal_sums(own, "win_share")
            shares = sums / (values * WIN)
            means.append(shares.mean())
            errors.append(shares.std(ddof=1) / math.sqrt(len(shares)))
        error, mean = math.hypot(*errors), means[0] - means[1]
        assert line["difference"] == about(mean)
        low, high = line["ci95"]
        assert (low + high) / 2 == about(mean)
        assert 1.95 * error < (high - low) / 2 < 2.6 * error


def extended(place: Path, games: Sequence[int], players: str) -> Comparison:
    """A comparison in a folder that is asked for more games again and again."""
    setup = Setup(PLAYERS.policies, (f"players={players}",))
    for wanted in games:
        plan = setup.plan(games=wanted, chunk=7)
        result = run_comparison(plan, read_varied(setup.vary), place=Place(place, resume=True))
    return result


@pytest.mark.parametrize("players", ["2,3,5", "5,2"])
def test_a_comparison_of_numbers_of_players_goes_on_with_more_games_as_if_never_stopped(
    players: str, tmp_path: Path
) -> None:
    """Tables of other sizes have other numbers of deals: none twice, and none left out."""
    steps = (60, 61, 120) if INTERPRETED else (120, 121, 457)
    result = extended(tmp_path / "steps", steps, players)
    once = extended(tmp_path / "once", steps[-1:], players)
    assert result.played.part.record() == once.played.part.record()
    assert [study.deals for study in result.plan.studies] == [
        count.deals for count in result.played.part.counts
    ]
    for variant, study in zip(result.numbers["variants"], result.plan.studies, strict=True):
        alone = simlab.run(study).numbers
        assert variant["run"]["games"] == alone["games"]
        for row, own in zip(variant["run"]["policies"], alone["policies"], strict=True):
            assert (row["win_rate"], row["points"]["mean"]) == (
                own["win_rate"],
                own["points"]["mean"],
            )
    assert result.always_valid
    assert not once.always_valid
    loaded = simlab.load(tmp_path / "steps")
    assert loaded.numbers == result.numbers


def test_the_table_says_that_numbers_of_players_are_not_paired(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["compare", "fantastique", *PLAYERS.policies, "--games", "30", "--vary"]
    code, out, _ = said(capsys, *words, "players=2,3")
    assert code == 0
    assert "paired" in out
    code, out, _ = said(capsys, *words, "finale=I,II")
    assert code == 0
    assert "not paired" not in out
    assert "unpaired" not in out


# --- Scored again -----------------------------------------------------------------------------

AGAIN = {
    "two": Setup(("random", "greedy"), ("finale=I,II,III,IV,V,VI",)),
    "three": Setup(("high-fan", "miser", "medal-scheduler"), ("finale=I,II,III,IV,V,VI",)),
    "four": Setup(
        ("card-counter", "spoiler", "random", "greedy"),
        ("finale=I,II,III,IV,V,VI",),
        60,
        "VI",
        {"options": {"finale_run": "fullest", "finale_zero": False}},
    ),
    "five, shuffled, new luck": Setup(
        ("random", "random", "greedy", "miser", "spoiler"),
        ("finale=I,II,III,IV,V,VI",),
        200,
        "IV",
        {"seating": "shuffle", "luck": 3},
    ),
    "ties": Setup(
        ("random", "greedy", "random"),
        ("finale=VI,V,IV,III,II,I",),
        60,
        None,
        {"options": TIES | {"finale_gold": 2}},
    ),
    "every order": Setup(
        ("greedy", "spoiler", "miser"), ("finale=II,IV,V",), 60, None, {"seating": "all"}
    ),
    "reshuffles": Setup(
        ("random", "miser"), ("finale=I,III,VI",), 60, None, {"options": {"deck": (4,) * 8}}
    ),
}


@pytest.mark.parametrize("name", AGAIN)
def test_games_scored_again_have_every_sum_of_games_played_anew(name: str) -> None:
    plan = AGAIN[name].plan()
    assert plan.rescored
    again, anew = play(plan, 2), play(Plan(plan.studies), 2)
    assert again.part.record() == anew.part.record()
    for study, count in zip(plan.studies, again.part.counts, strict=True):
        assert count.record() == play(study, 1).count.record()
    scored = [count.record()["sums"]["sums"] for count in again.part.counts]
    assert all(one != scored[0] for one in scored[1:])


NOT_AGAIN = {
    "a policy that looks": Setup(("balanced", "greedy"), ("finale=I,II",)),
    "one of many that looks": Setup(("greedy", "random", "finale-collector"), ("finale=I,II",)),
    "another rule too": Setup(("greedy", "random"), ("finale=I,II", "hand=9,10")),
    "another rule only": Setup(("greedy", "random"), ("finale=I", "hand=9,10")),
    "a rule of scoring that policies see": Setup(("greedy", "random"), ("finale_gold=10,20",)),
    "drawn for each deal": Setup(("greedy", "random"), ("finale=I,random",)),
    "drawn for the baseline": Setup(("greedy", "random"), ("finale=random,I",)),
    "a parameter": Setup(("high-fan", "greedy"), ("high-fan.cards=2,7",)),
    "a parameter too": Setup(("high-fan", "greedy"), ("finale=I,II", "high-fan.cards=2,7")),
}


@pytest.mark.parametrize("name", NOT_AGAIN)
def test_games_are_played_where_somebody_or_something_looks(name: str) -> None:
    setup = NOT_AGAIN[name]
    plan = setup.plan(games=40)
    assert not plan.rescored
    result = compared(plan, setup.vary)
    assert result.numbers["rescored"] is False
    for study, count in zip(plan.studies, result.played.part.counts, strict=True):
        assert count.record() == play(study, 1).count.record()


def test_scored_again_means_that_the_games_are_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []

    class Watched(batches.Room):
        def play(self, first_deal: int, deals: int, *words: Any, **more: Any) -> None:
            seen.append((len(self.rules), deals))
            super().play(first_deal, deals, *words, **more)

    monkeypatch.setattr(batches, "Room", Watched)
    deals = few(50)
    for policies, rules, tables in ((("greedy", "random"), 6, 1), (("greedy", "balanced"), 1, 6)):
        seen.clear()
        setup = Setup(policies, ("finale=I,II,III,IV,V,VI",))
        play(setup.plan(games=2 * deals), 1)
        assert {scored for scored, _ in seen} == {rules}
        assert sum(count for _, count in seen) == tables * deals


LOOKS = "cheapest_fan(rules, table, own.hand) if table.finale % 2 else largest_fan"
BLIND = "name='x', blind_to=['finale']"


def test_a_policy_of_a_user_s_that_is_blind_indeed_is_scored_again(tmp_path: Path) -> None:
    path = user_file(tmp_path, BLIND)
    setup = Setup((f"{path}::x", "greedy"), ("finale=I,II",), 20)
    assert compared(setup.plan(), setup.vary).numbers["rescored"] is True
    silent = user_file(tmp_path, "name='x'", name="silent")
    assert not Setup((f"{silent}::x", "greedy"), ("finale=I,II",)).plan().rescored


def test_a_policy_that_looks_though_it_says_it_is_blind_stops_the_comparison_by_name(
    tmp_path: Path,
) -> None:
    path = user_file(tmp_path, BLIND, fan=LOOKS, name="liar")
    with pytest.raises(SimlabError) as raised:
        simlab.compare(
            "fantastique", ["greedy", f"{path}::x"], few(2000, 8), vary={"finale": ["I", "II"]}
        )
    assert raised.value.exit_code == 1
    assert one_line(str(raised.value), "liar.py::x is not blind", "finale", "simlab check")
    assert "greedy" not in str(raised.value)


def test_of_several_that_say_they_are_blind_those_that_look_are_named(tmp_path: Path) -> None:
    liar = user_file(tmp_path, BLIND, fan=LOOKS, name="liar")
    other = user_file(tmp_path, BLIND.replace("'x'", "'y'"), fan=LOOKS, name="other")
    honest = user_file(tmp_path, BLIND, name="honest")
    words = [f"{honest}::x", f"{liar}::x", "greedy", f"{other}::y"]
    with pytest.raises(SimlabError) as raised:
        simlab.compare("fantastique", words, few(2000, 8), vary={"finale": ["I", "II"]})
    message = str(raised.value)
    assert one_line(message, "liar.py::x and other.py::y are not blind to finale")
    assert "honest" not in message


# --- Equal within a margin --------------------------------------------------------------------


def equivalence_by_hand(setup: Setup, margin: float) -> list[float]:
    """P-values of two one-sided tests by statsmodels, for each variant and policy."""
    plan = setup.plan()
    tables, found_ = [seat_rows(study) for study in plan.studies], []
    for rows, study in zip(tables[1:], plan.studies[1:], strict=True):
        for word, same in zip(plan.base.matchup.texts, study.matchup.texts, strict=True):
            one, values = deal_sums(tables[0][tables[0]["policy"] == word], "win_share")
            two, _ = deal_sums(rows[rows["policy"] == same], "win_share")
            deals = (two - one) / (values * WIN)
            if np.ptp(deals) == 0:
                found_.append((1 - margin / 100 + abs(deals[0])) ** len(deals))
            else:
                found_.append(DescrStatsW(deals).ttost_mean(-margin / 100, margin / 100)[0])
    return found_


@pytest.mark.parametrize("margin", [0.1, 2.0, 10.0])
@pytest.mark.parametrize("name", ["scored again", "a parameter", "nothing changes", "ties"])
def test_equivalence_is_two_one_sided_tests_of_win_rates(name: str, margin: float) -> None:
    setup = SETUPS[name]
    result = compared(setup.plan(), setup.vary, margin).numbers["differences"]
    found_ = [line["p_equivalent"] for line in result if line["measure"] == "win_rate"]
    assert found_ == pytest.approx(equivalence_by_hand(setup, margin), rel=1e-6, abs=1e-300)
    assert all("p_equivalent" not in line for line in result if line["measure"] != "win_rate")


@pytest.mark.skipif(INTERPRETED, reason="too few deals show nothing")
def test_equal_play_is_shown_to_be_equal_by_many_deals_and_different_play_never() -> None:
    def shown(vary: str, deals: int, margin: float) -> list[bool]:
        setup = Setup(("medal-scheduler", "greedy"), (vary,))
        result = compared(setup.plan(games=2 * deals), setup.vary, margin)
        lines = [r for r in result.numbers["differences"] if r["measure"] == "win_rate"]
        return [line["p_equivalent"] <= 0.05 for line in lines]

    assert shown("medal-scheduler.start=4,3.5", 1000, 1.0) == [True, True], "round 4 either way"
    assert shown("medal-scheduler.start=4,3.5", 50, 1.0) == [False, False], "too few deals"
    assert shown("medal-scheduler.start=4,5", 2000, 1.0) == [False, False]
    assert shown("medal-scheduler.start=2,4", 2000, 10.0) == [True, True], "2 points apart"
    assert shown("finale=I,II", 2000, 1.0) != [True, True]


def test_without_a_margin_nothing_is_said_of_equality() -> None:
    assert all("p_equivalent" not in r for r in found("scored again").numbers["differences"])


# --- The command line -------------------------------------------------------------------------

WORDS = ["fantastique", "greedy", "spoiler", "--games", "40", "--seed", str(SEED)]
RUN_KEYS = {"study", "games", "deals", "intervals", "policies", "seats", "game_columns"}


def test_compare_prints_exactly_the_promised_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", *WORDS, "--vary", "finale=I,II,III", "--baseline", "II"]
    result = said_json(capsys, *words)
    promised = {"study", "vary", "baseline", "variants", "differences"}
    extra = {"paired", "rescored", "complete", "stopped_early", "seconds", "startup_seconds"}
    assert set(result) == promised | extra | {"games_per_second"}
    assert result["vary"] == [{"key": "finale", "values": ["I", "II", "III"]}]
    assert result["baseline"] == {"finale": "II"}
    assert [set(one) for one in result["variants"]] == [{"value", "run"}] * 3
    assert [one["value"]["finale"] for one in result["variants"]] == ["II", "I", "III"]
    assert all(set(one["run"]) == RUN_KEYS for one in result["variants"])
    keys = {"value", "policy", "measure", "difference", "ci95", "p_holm", "gain"}
    assert all(set(line) == keys for line in result["differences"])
    assert {line["measure"] for line in result["differences"]} == {*MEASURES, *GAME_COLUMNS}
    alone = simlab.compare(
        "fantastique",
        ["greedy", "spoiler"],
        40,
        vary={"finale": ["I", "II", "III"]},
        baseline="II",
        seed=SEED,
    )
    assert {key: result[key] for key in alone.numbers} == alone.numbers


def test_a_margin_adds_one_key_to_differences_of_win_rates(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["compare", *WORDS, "--vary", "finale=I,II", "--margin", "20"]
    for line in said_json(capsys, *words)["differences"]:
        assert ("p_equivalent" in line) == (line["measure"] == "win_rate")
    code, out, _ = said(capsys, *words)
    assert code == 0
    assert "within 20" in out
    assert "shown" in out


def csv_rows(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, str]]:
    code, out, _ = said(capsys, *words, "--format", "csv")
    assert code == 0
    return list(csv.DictReader(io.StringIO(out)))


@pytest.mark.parametrize("margin", [(), ("--margin", "20")])
def test_the_csv_of_a_comparison_has_the_means_of_each_value_and_the_differences_of_its_json(
    margin: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", *WORDS, "--vary", "finale=I,II", "--vary", "hand=9,10", *margin]
    result, rows = said_json(capsys, *words), csv_rows(capsys, *words)
    lines = {
        (*line["value"].values(), line["policy"], line["measure"]): line
        for line in result["differences"]
    }
    measures = {line["measure"] for line in result["differences"]}
    runs = {tuple(one["value"].values()): one["run"] for one in result["variants"]}
    assert len(rows) == 4 * (2 * len(MEASURES) + len(GAME_COLUMNS))
    for row in rows:
        where = (row["finale"], row["hand"])
        mean = mean_in(runs[where], row["policy"], row["measure"])
        given = [row[key] for key in ("mean", "mean_low", "mean_high")]
        assert numbers([value or None for value in given]) == about(numbers(mean))
        assert row["measure"] in measures
        line = lines.pop((*where, row["policy"] or None, row["measure"]), None)
        given = [row[key] for key in ("difference", "low", "high", "p_holm", "gain")]
        if line is None:
            assert where == ("I", "9"), "the baseline differs from nothing"
            assert set(given) == {""}
            continue
        expected = [line["difference"], *line["ci95"], line["p_holm"], line["gain"]]
        assert numbers([value or None for value in given]) == about(numbers(expected))
        verdict = {} if "p_equivalent" not in line else line
        if margin:
            shown = verdict and ("shown" if line["p_equivalent"] <= 0.05 else "not shown")
            assert row["within_margin"] == (shown or "")
            assert (row["p_equivalent"] != "") == bool(verdict)
    assert not lines, "every difference has its row"
    assert ("within_margin" in rows[0]) == bool(margin)


def mean_in(run: dict[str, Any], policy: str, measure: str) -> list[Any]:
    """Mean and interval of a measure, as the JSON of a run has it."""
    if not policy:
        found = run["game_columns"][measure]
    else:
        (own,) = (row for row in run["policies"] if row["policy"] == policy)
        if measure == "win_rate":
            return [own["win_rate"], *own["ci95"]]
        found = own["points"] if measure == "points" else own["columns"][measure]
    return [found["mean"], *found["ci95"]]


def test_the_csv_of_a_comparison_has_policies_that_the_first_value_does_not_seat(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["compare", "fantastique", "greedy", "spoiler", "miser", "--games", "30"]
    rows = csv_rows(capsys, *words, "--vary", "players=2,3")
    rates = [row for row in rows if row["measure"] == "win_rate"]
    seated = [(row["players"], row["policy"], row["difference"] != "") for row in rates]
    assert seated == [
        ("2", "greedy", False),
        ("2", "spoiler", False),
        ("3", "greedy", True),
        ("3", "spoiler", True),
        ("3", "miser", False),
    ]
    assert all(row["mean"] for row in rates)


# --- One policy in every seat -----------------------------------------------------------------

ALONE = ["compare", "fantastique", "3xgreedy", "--games", "40", "--seed", str(SEED)]


@pytest.mark.parametrize("vary", ["finale=I,II", "players=2,4,5", "finale_gold=0,30"])
def test_a_policy_in_every_seat_has_no_test_of_its_win_rate_and_all_of_the_others(
    vary: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its win rate is a fair share by symmetry: 1/2 less 1/4 is no finding."""
    result = said_json(capsys, *ALONE, "--vary", vary, "--margin", "1")
    players = [one["run"]["study"]["players"] for one in result["variants"]]
    rates = [line for line in result["differences"] if line["measure"] == "win_rate"]
    for seats, line in zip(players[1:], rates, strict=True):
        difference = 1 / seats - 1 / players[0]
        assert line["difference"] == about(difference)
        assert line["ci95"] == about([difference, difference])
        assert (line["p_holm"], line["p_equivalent"], line["gain"]) == (None, None, None)
    others = [line for line in result["differences"] if line["measure"] != "win_rate"]
    assert all(line["p_holm"] is not None for line in others)
    code, out, _ = said(capsys, *ALONE, "--vary", vary, "--margin", "1")
    assert code == 0
    assert "greedy holds every seat: its win rate is the fair share by symmetry" in out
    assert "nothing to hold within a margin" in out
    assert "in points of win rate" not in out
    assert "differences from" in out
    (row,) = csv_rows(capsys, *ALONE, "--vary", vary, "--margin", "1")[:1]
    assert (row["measure"], row["within_margin"], row["p_holm"]) == ("win_rate", "", "")


def test_other_tables_of_the_comparison_are_corrected_without_what_is_fixed_by_symmetry() -> None:
    """Two seats of one policy, then three with another one: only the second is a test."""
    setup = Setup(("greedy", "greedy", "spoiler"), ("players=2,3",))
    result = compared(setup.plan(), setup.vary)
    (line,) = result.differences().to_dict("records")
    assert line["policy"] == "greedy"
    assert 0 <= line["p_holm"] <= 1
    assert line["low"] < line["difference"] < line["high"]


# --- How it is printed ------------------------------------------------------------------------


def test_the_heading_of_a_comparison_says_what_is_varied_and_only_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["compare", *WORDS, "--set", "rounds=6", "--baseline", "II,9"]
    code, out, _ = said(capsys, *words, "--vary", "finale=I,II", "--vary", "hand=9,10")
    assert code == 0
    first, *lines = out.splitlines()
    assert first.startswith("fantastique, 2 players, rounds 6, seating rotate, seed 51: 160 games ")
    assert lines[:2] == ["varied: finale = I, II", "varied: hand = 9, 10"]
    assert lines[2] == "compared with finale=II, hand=9; on the same deals"
    code, out, _ = said(capsys, "compare", *WORDS, "--vary", "players=2,3")
    assert out.startswith("fantastique, finale I, seating rotate, seed 51: ")
    assert "compared with 2; not paired" in out


def test_common_luck_is_a_factor_that_is_explained_where_it_appears(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = said(capsys, "compare", *WORDS, "--vary", "finale=I,II")
    lines = said_json(capsys, "compare", *WORDS, "--vary", "finale=I,II")["differences"]
    gains = [line["gain"] for line in lines if line["measure"] in ("win_rate", "points")]
    for gain in gains:
        assert f"\N{MULTIPLICATION SIGN}{gain:.2f}" in out
    assert out.count("common luck: both values meet the same deals") == 1
    _, out, _ = said(capsys, "compare", *WORDS, "--vary", "players=2,3")
    assert "common luck:" not in out


def test_a_label_is_a_number_as_it_was_given_without_digits_that_nobody_typed() -> None:
    values = ("0.1", "0.30000000000000004", "1e-07", "123456789.12345678", "2")
    setup = Setup(("finale-collector", "greedy"), (f"finale-collector.hold={','.join(values)}",), 1)
    result = compared(setup.plan(), setup.vary)
    assert tuple(one["value"]["finale-collector.hold"] for one in result.numbers["variants"]) == (
        values
    )


def test_the_table_of_a_comparison_has_every_variant_and_difference(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = said(capsys, "compare", *WORDS, "--vary", "finale=I,II,VI")
    assert (code, err) == (0, "")
    assert "the same games, scored again" in out
    assert "differences from I, in points of win rate" in out
    assert "95 % interval" in out
    assert "Holm" in out
    starts = [line.split()[0] for line in out.splitlines() if line.strip()]
    assert [starts.count(side) for side in ("I", "II", "VI")] == [1, 5, 5], "a win rate; two tables"


SEATED = ["fantastique", "finale-collector", "random"]
HAND_AND_SIDE = ["--vary", "hand=1,2,3,4,5,6,7,8,9,10", "--vary", f"finale={','.join(SIDES)}"]
MISTAKES: list[tuple[list[str], list[str]]] = [
    (["--vary", "fnale=I,II"], ["fnale", "finale"]),
    (["--vary", "nonsense=I,II"], ["nonsense"]),
    (["--vary", "finale=I"], ["two values"]),
    (["--vary", "finale=I", "--vary", "hand=9"], ["two values"]),
    (["--vary", "finale=I,II,I"], ["finale", "twice"]),
    (["--vary", "finale=I,i"], ["finale", "twice"]),
    (["--vary", "hand=9,09"], ["hand", "twice"]),
    (["--vary", "finale_zero=true,True"], ["finale_zero", "twice"]),
    (["--vary", "players=2,02"], ["players", "twice"]),
    (["--vary", "finale-collector.hold=0.5,0.50"], ["hold", "twice"]),
    (["--vary", "finale=I,II", "--vary", "finale=II,III"], ["finale", "twice"]),
    (["--vary", "finale"], ["KEY=V1,V2", "'finale'"]),
    (["--vary", "finale=I,,II"], ["KEY=V1,V2", "I,,II"]),
    (["--vary", "=I,II"], ["KEY=V1,V2"]),
    (["--vary", ".hold=1,2"], ["policy.parameter", "'.hold'"]),
    (["--vary", "finale-collector.=1,2"], ["policy.parameter", "'finale-collector.'"]),
    (["--vary", "xyzzy=1,2"], ["there are: finale, deck, hand, rounds", "policy.parameter"]),
    (["--vary", "greedy.hold=1,2"], ["'greedy'", "finale-collector, random sit"]),
    (["--vary", "finale=I,VII"], ["finale", "VII"]),
    (["--vary", "hand=9,many"], ["hand", "many"]),
    (["--vary", "hand=9,60"], ["hand", "60"]),
    (["--vary", "gold=1/2/3/4/5/6/7,1/2"], ["gold", "7", "2"]),
    (["--vary", "players=2,7"], ["2 to 5", "7"]),
    (["--vary", "players=2,three"], ["players", "three"]),
    (["--vary", "finale=I,II", "--baseline", "III"], ["III", "I; II"]),
    (["--vary", "finale=I,II", "--vary", "hand=9,10", "--baseline", "I"], ["'I'", "I,9"]),
    (["--vary", "finale=I,II", "--set", "finale=I"], ["finale", "both set and varied"]),
    (["--vary", "greedy.hold=1,2"], ["greedy", "hold"]),
    (["--vary", "balanced.card=1,2"], ["balanced", "card"]),
    (["--vary", "finale-collector.hodl=1,2"], ["hodl", "hold"]),
    (["--vary", "finale-collector.hold=1,much"], ["hold", "much"]),
    (["--vary", "finale-collector.hold=1,nan"], ["hold", "nan"]),
    (
        [*HAND_AND_SIDE, "--vary", "stacks=4,5,6,7,8"],
        ["300", "200"],
    ),
    *[
        (["--vary", "finale=I,II", "--margin", margin], ["margin", margin])
        for margin in ("0", "-1", "100", "nan", "inf")
    ],
    (["--vary", "finale=I,II", "--precision", "nan"], ["precision", "nan"]),
    (["--vary", "finale=I,II", "--games", "0"], ["games", "0"]),
    ([], ["--vary"]),
]


@pytest.mark.parametrize(("words", "parts"), MISTAKES, ids=lambda value: " ".join(value))
def test_a_mistake_in_a_comparison_is_one_line(
    words: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    few_games = [] if "--games" in words else ["--games", "4"]
    code, out, err = said(capsys, "compare", *SEATED, *few_games, *words)
    assert (code, out) == (2, "")
    assert err.startswith("simlab: ")
    assert one_line(err, *parts)


def test_a_margin_is_refused_before_anything_is_played() -> None:
    """A mistake should not cost a night."""
    plan = Setup(("greedy", "random"), ("finale=I,II",)).plan(games=10**12)
    with pytest.raises(UsageError) as raised:
        run_comparison(plan_that_never_plays(plan), read_varied(["finale=I,II"]), 0.0)
    assert one_line(str(raised.value), "margin")


def plan_that_never_plays(plan: Plan) -> Plan:
    class Stuck(Plan):
        def edges(self) -> list[int]:
            raise AssertionError("it plays")

    return Stuck(plan.studies)


def test_workers_and_batches_change_no_number_of_a_comparison() -> None:
    for name in ("scored again", "a parameter"):
        setup = SETUPS[name]
        plan = setup.plan()
        records = {
            workers: play(plan, workers, batch=batch).part.record()
            for workers, batch in ((1, 1), (2, 7), (3, 1000))
        }
        assert records[1] == records[2] == records[3] == found(name).played.part.record()


def test_a_comparison_of_two_hundred_values_is_allowed() -> None:
    values = ",".join(str(value) for value in range(200))
    study = Study.of("fantastique", ["greedy", "random"])
    plan = comparison("fantastique", study.words, read_varied([f"finale_gold={values}"]))
    assert len(plan.studies) == 200
    with pytest.raises(UsageError, match="201"):
        comparison("fantastique", study.words, read_varied([f"finale_gold={values},200"]))

"""Precision: runs stop where every interval is narrow enough, and find no more than there is."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from by_hand import (
    Floats,
    about,
    deal_means,
    few,
    holm_of,
    numbers,
    rates_by_deal,
    said,
    said_json,
    seat_rows,
    spread,
)
from scipy import stats

import simlab
from simlab.compiled import INTERPRETED
from simlab.experiments import sequences
from simlab.experiments.batches import Played, Watch, play
from simlab.experiments.comparing import Comparison, comparison, read_varied, share_difference
from simlab.experiments.counting import Part
from simlab.experiments.intervals import Estimate
from simlab.experiments.plans import Plan
from simlab.experiments.precision import precise_enough
from simlab.experiments.results import Results
from simlab.experiments.running import run_comparison
from simlab.experiments.sequences import FIRST_VALID, looks
from simlab.experiments.study import Study
from simlab.experiments.tests_of_difference import p_value

SEED = 61
ALL_LOOKS = "95 % at all numbers of deals at once (asymptotic confidence sequence)"
compiled_only = pytest.mark.skipif(
    INTERPRETED, reason=f"nothing is claimed before {FIRST_VALID} deals"
)

RUNS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "two": (["greedy", "spoiler"], {"precision": 3.0}),
    "rare wins": (["greedy", "random", "random"], {"precision": 2.0}),
    "shuffled": (["greedy", "spoiler", "miser"], {"precision": 4.0, "seating": "shuffle"}),
}
COMPARED: dict[str, tuple[list[str], str]] = {
    "scored again": (["greedy", "spoiler"], "finale=I,II,V"),
    "played": (["medal-scheduler", "greedy"], "medal-scheduler.start=2,5"),
}


def study_of(name: str, **other: Any) -> Study:
    policies, more = RUNS[name]
    return Study.of("fantastique", policies, **{"games": 40_000, "seed": SEED, **more, **other})


def plan_of(name: str, **other: Any) -> Plan:
    policies, vary = COMPARED[name]
    more = {"games": 40_000, "seed": SEED, "precision": 3.0, **other}
    return comparison("fantastique", policies, read_varied([vary]), **more)


def stopped(plan: Plan | Study, workers: int = 2, batch: int | None = None) -> Played:
    return play(plan, workers, Watch(enough=precise_enough), batch=batch)


@cache
def run(name: str) -> Results:
    return simlab.run(study_of(name), workers=2)


@cache
def compared(name: str) -> Comparison:
    return run_comparison(plan_of(name), read_varied([COMPARED[name][1]]), workers=2)


def width_by_hand(deals: Floats) -> float:
    """Half-width after these deals."""
    return sequences.half_width(spread(deals), len(deals))


def widths_of(plan: Plan, deals: int) -> Floats:
    """Half-width of each win rate and each difference after so many deals, in points."""
    shares = [
        rates_by_deal(replace(study, games=deals * len(study.seatings))) for study in plan.studies
    ]
    rows = [rate for rates in shares for rate in rates.values()]
    for rates in shares[1:]:
        pairs = zip(shares[0].values(), rates.values(), strict=True)
        rows += [other - one for one, other in pairs]
    return np.array([100 * width_by_hand(row) for row in rows])


# --- Where a run stops ------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("name", RUNS)
def test_a_run_stops_at_the_first_look_at_which_every_rate_is_known_well_enough(name: str) -> None:
    result, plan = run(name), Plan((study_of(name),))
    wanted, deals = plan.base.precision, result.played.count.deals
    assert wanted is not None
    assert result.played.stopped_early
    assert result.played.complete
    all_looks = looks(plan.base.deals)
    assert deals in all_looks[:-1]
    assert deals > FIRST_VALID
    assert widths_of(plan, deals).max() <= wanted
    assert widths_of(plan, all_looks[all_looks.index(deals) - 1]).max() > wanted


@compiled_only
@pytest.mark.parametrize("name", COMPARED)
def test_a_comparison_stops_once_its_differences_are_known_too(name: str) -> None:
    result, plan = compared(name), plan_of(name)
    deals = result.played.count.deals
    assert {count.deals for count in result.played.part.counts} == {deals}
    assert result.played.stopped_early
    before = looks(plan.base.deals)[looks(plan.base.deals).index(deals) - 1]
    assert widths_of(plan, deals).max() <= 3.0
    assert widths_of(plan, before).max() > 3.0


@compiled_only
def test_the_differences_alone_may_be_what_a_comparison_waits_for() -> None:
    """Luck that does not cancel makes a difference wider than either rate."""
    widths = widths_of(plan_of("played"), compared("played").played.count.deals)
    assert widths.argmax() >= 2 * 2


@compiled_only
def test_unpaired_differences_are_known_as_well_as_was_asked_for() -> None:
    words = ["greedy", "spoiler", "miser"]
    varied = read_varied(["players=2,3"])
    plan = comparison("fantastique", words, varied, games=60_000, seed=SEED, precision=3.0)
    lines = run_comparison(plan, varied).numbers["differences"]
    for line in lines:
        if line["measure"] == "win_rate":
            low, high = line["ci95"]
            assert 50 * (high - low) <= 3.0 * (1 + 1e-9)


@compiled_only
@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("batch", [None, 9, 77, 5000])
def test_it_stops_at_the_same_deal_whoever_plays_in_whatever_batches(
    workers: int, batch: int | None
) -> None:
    found = stopped(study_of("two"), workers, batch)
    assert found.count.record() == run("two").played.count.record()
    assert found.stopped_early
    part = stopped(plan_of("scored again"), workers, batch).part
    assert part.record() == compared("scored again").played.part.record()


@compiled_only
@pytest.mark.parametrize("chunk", [100, 700, 10**6])
def test_it_stops_at_the_same_deal_in_whatever_chunks(chunk: int) -> None:
    found = stopped(study_of("two", chunk=chunk))
    assert found.count.record() == run("two").played.count.record()


@compiled_only
@pytest.mark.parametrize("games", [20_000, "1e12"])
def test_it_stops_at_the_same_deal_however_many_games_it_might_have_played(games: object) -> None:
    assert stopped(study_of("two", games=games)).count.deals == run("two").played.count.deals


@compiled_only
def test_a_run_that_stopped_has_the_sums_of_a_run_of_just_so_many_games() -> None:
    stopped_ = run("two").played
    study = study_of("two", games=stopped_.count.games, precision=None)
    assert play(study, 1).count.record() == stopped_.count.record()


@pytest.mark.parametrize("deals", [1, 2, 700])
def test_a_run_ends_at_its_last_game_where_that_is_not_enough(deals: int) -> None:
    deals = few(deals)
    result = simlab.run(study_of("two", games=2 * deals, precision=0.1))
    assert result.played.count.deals == deals
    assert result.played.complete
    assert not result.played.stopped_early
    assert result.numbers["intervals"] == ALL_LOOKS


@compiled_only
def test_a_run_that_is_precise_at_its_very_end_did_not_stop_early() -> None:
    deals = run("two").played.count.deals
    result = simlab.run(study_of("two", games=2 * deals))
    assert result.played.count.deals == deals
    assert result.played.complete
    assert not result.played.stopped_early


def seat_widths(study: Study, deals: int) -> Floats:
    """Half-width of each seat's win rate after so many deals, in points."""
    rows = seat_rows(replace(study, games=deals * len(study.seatings)))
    seats = [deal_means(own, "win_share") for _, own in rows.groupby("seat")]
    return np.array([100 * width_by_hand(seat) for seat in seats])


@compiled_only
def test_with_one_policy_in_every_seat_precision_goes_by_the_win_rates_of_the_seats(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its own is the fair share by symmetry, at the first deal as at the last."""
    study = Study.of("fantastique", ["greedy*3"], games=40_000, precision=3.0, seed=SEED)
    result = simlab.run(study, workers=2)
    deals, all_looks = result.played.count.deals, looks(study.deals)
    assert result.played.stopped_early
    assert seat_widths(study, deals).max() <= 3.0
    assert seat_widths(study, all_looks[all_looks.index(deals) - 1]).max() > 3.0
    assert result.summary()[["low", "high"]].to_numpy().tolist() == [[1 / 3, 1 / 3]]
    words = ["run", "fantastique", "3xgreedy", "--games", "40000", "--seed", str(SEED)]
    code, out, err = said(capsys, *words, "--precision", "3")
    assert code == 0
    assert "greedy holds every seat: --precision goes by the win rates of the seats" in err
    assert f"precise enough after {deals:,} of at most 40,000 games" in err
    assert "by symmetry" in out


def test_one_policy_in_every_seat_is_never_known_before_its_seats_are() -> None:
    games = few(500, 65)
    study = Study.of("fantastique", ["greedy*3"], games=games, precision=0.01, seed=SEED)
    result = simlab.run(study)
    assert result.played.count.games == games
    assert not result.played.stopped_early


@compiled_only
def test_a_comparison_of_one_policy_with_itself_stops_by_its_seats_too() -> None:
    more = {"games": 40_000, "seed": SEED, "precision": 4.0}
    varied = read_varied(["finale=I,VI"])
    plan = comparison("fantastique", ["greedy*3"], varied, **more)
    deals = run_comparison(plan, varied).played.count.deals
    all_looks = looks(plan.base.deals)
    before = all_looks[all_looks.index(deals) - 1]
    widths = {at: max(seat_widths(s, at).max() for s in plan.studies) for at in (before, deals)}
    assert widths[deals] <= 4.0 < widths[before]


# --- Intervals that hold at every look --------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("name", RUNS)
def test_the_intervals_of_win_rates_are_those_that_hold_at_all_looks(name: str) -> None:
    result = run(name)
    study = replace(study_of(name), games=result.played.count.games)
    rows, rates = seat_rows(study), rates_by_deal(study)
    for line in result.summary().to_dict("records"):
        deals = rates[line["policy"]]
        half = width_by_hand(deals)
        assert line["win_rate"] == about(deals.mean())
        expected = [max(0, deals.mean() - half), min(1, deals.mean() + half)]
        assert [line["low"], line["high"]] == about(expected)
    for line in result.by_seat().to_dict("records"):
        deals = deal_means(rows[rows["seat"] == line["seat"]], "win_share")
        half = width_by_hand(deals)
        assert [line["low"], line["high"]] == about([deals.mean() - half, deals.mean() + half])
    assert result.numbers["intervals"] == ALL_LOOKS


@compiled_only
@pytest.mark.parametrize("name", RUNS)
def test_pairs_have_intervals_and_p_values_that_hold_at_all_looks_and_agree(name: str) -> None:
    """Without one agreeing with the other, a table would contradict itself."""
    result = run(name)
    rates = rates_by_deal(replace(study_of(name), games=result.played.count.games))
    frame = result.pairs()
    ps = []
    for line, (one, other) in zip(frame.to_dict("records"), combinations(rates, 2), strict=True):
        sign = 1 if line["policy"] == one else -1
        deals = sign * (rates[one] - rates[other])
        low, high = sequences.interval(
            deals.mean(), spread(deals), len(deals), bounds=(-1.0, 1.0), reach=1.0
        )
        assert line["difference"] == about(deals.mean())
        assert [line["low"], line["high"]] == about([low, high])
        ps.append(sequences.p_value(deals.mean(), spread(deals), len(deals)))
    assert frame["p_holm"].tolist() == pytest.approx(holm_of(ps), rel=1e-6, abs=1e-300)


@compiled_only
@pytest.mark.parametrize("name", COMPARED)
def test_differences_have_intervals_and_p_values_that_hold_at_all_looks(name: str) -> None:
    result, plan = compared(name), plan_of(name)
    games = result.played.count.games
    shares = [list(rates_by_deal(replace(study, games=games)).values()) for study in plan.studies]
    lines = [r for r in result.numbers["differences"] if r["measure"] == "win_rate"]
    deals = [v - b for rates in shares[1:] for b, v in zip(shares[0], rates, strict=True)]
    ps = [sequences.p_value(row.mean(), spread(row), len(row)) for row in deals]
    for line, row, p in zip(lines, deals, holm_of(ps), strict=True):
        half = width_by_hand(row)
        assert line["difference"] == about(row.mean())
        assert line["ci95"] == about([row.mean() - half, row.mean() + half])
        assert line["p_holm"] == pytest.approx(p, rel=1e-6, abs=1e-300)
    for variant in result.numbers["variants"]:
        assert variant["run"]["intervals"] == ALL_LOOKS


@compiled_only
def test_they_are_wider_than_those_for_a_number_fixed_beforehand() -> None:
    result = run("two")
    fixed = simlab.run(study_of("two", games=result.played.count.games, precision=None))
    for frame in ("summary", "by_seat", "columns", "pairs"):
        one, other = getattr(result, frame)(), getattr(fixed, frame)()
        wide, narrow = one["high"] - one["low"], other["high"] - other["low"]
        moves = narrow > 0
        assert moves.any()
        assert (wide[moves] > 1.2 * narrow[moves]).all()


def test_before_the_first_valid_look_nothing_is_claimed() -> None:
    result = simlab.run(study_of("two", games=few(200, 8)))
    assert result.summary()[["low", "high"]].to_numpy().tolist() == [[0, 1], [0, 1]]
    assert result.best() == ["greedy", "spoiler"]
    (line,) = result.pairs().to_dict("records")
    assert line["p_holm"] == 1
    assert numbers([line["low"], line["high"]]) in (
        about([math.nan, math.nan]),
        [-1, 1],
        [-math.inf, math.inf],
    )


# --- The command line -------------------------------------------------------------------------

WORDS = ["fantastique", "greedy", "spoiler", "--games", "40000", "--seed", str(SEED)]


@compiled_only
def test_the_command_line_stops_there_too_and_names_the_method(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = said(capsys, "run", *WORDS, "--precision", "3")
    games = run("two").played.count.games
    assert code == 0
    assert f"precise enough after {games:,} of at most 40,000 games" in err
    assert f"intervals: {ALL_LOOKS}" in out
    found = said_json(capsys, "run", *WORDS, "--precision", "3")
    assert {key: found[key] for key in run("two").numbers} == run("two").numbers
    assert found["stopped_early"] is True
    code, out, _ = said(capsys, "run", *WORDS, "--precision", "3", "--format", "csv")
    for row, line in zip(
        csv.DictReader(io.StringIO(out)), run("two").summary().to_dict("records"), strict=False
    ):
        assert numbers([row["low"], row["high"]]) == about([line["low"], line["high"]])


@compiled_only
def test_compare_names_the_method_and_stops(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", *WORDS, "--precision", "3", "--vary", "finale=I,II,V"]
    code, out, err = said(capsys, *words)
    assert code == 0
    assert "precise enough after" in err
    assert f"intervals: {ALL_LOOKS}" in out
    found = said_json(capsys, *words)
    expected = compared("scored again").numbers
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("points", ["0", "-1", "51", "nan", "inf", "fine"])
def test_no_precision_is_one_line(points: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "run", *WORDS, "--precision", points)
    assert (code, out) == (2, "")
    assert err.startswith("simlab: ")
    assert err.count("\n") == 1
    assert "precision" in err
    assert points in err


# --- Found where there is nothing, and missed where there is something ------------------------

STUDIES = 1000
MOST_FALSE = int(stats.binom.isf(1e-6, STUDIES, 0.05))
"""Studies of 1,000 that may find what is not there, each with a chance of 5 %."""
FEWEST_TRUE = int(stats.binom.ppf(1e-6, STUDIES, 0.95))
ALIKE = ["high-fan", "high-fan:cards=3.25", "high-fan:cards=3.5"]
"""Three names for the same play."""
SECOND_RANDOM = """from simlab.contract import policy
from simlab.games.fantastique import GAME, PLAY, not_played, place_of
from simlab.policies.fantastique import nth_card, nth_open_stack
from simlab.streams import below, word


@policy(GAME)
def second(rules, table, own, moves, weights, rng):
    word(rng)  # it draws the lots that random draws, but with other numbers
    while table.phase == PLAY:
        move = nth_card(own.hand, below(rng, table.hand_cards[own.seat]))
        if not_played(rules, table, move):
            return move
    while True:
        place = nth_open_stack(table, below(rng, table.open))
        move = table.stacks[place]
        if place_of(table, move) == place:
            return move
"""


def found_in_pairs(policies: Sequence[str], deals: int, seating: str) -> int:
    """How many small studies call two policies different."""
    found = 0
    for seed in range(STUDIES):
        rotations = len(policies) if seating == "rotate" else 1
        study = Study.of(
            "fantastique", policies, games=deals * rotations, seed=seed, seating=seating
        )
        found += bool(simlab.run(study, workers=1).pairs()["p_holm"].min() <= 0.05)
    return found


@pytest.mark.slow
@compiled_only
def test_policies_that_play_alike_are_seldom_told_apart() -> None:
    """In seats drawn by lot; at each table one pair of three is a false alarm at most so often."""
    assert MOST_FALSE / 10 < found_in_pairs(ALIKE, 200, "shuffle") <= MOST_FALSE


@pytest.mark.slow
@compiled_only
def test_policies_that_play_alike_are_seldom_told_apart_in_rotation(tmp_path: Path) -> None:
    """Games of one deal hang together; who counted them one by one would be wrong here."""
    path = tmp_path / "lots.py"
    path.write_text(SECOND_RANDOM, encoding="utf-8")
    assert found_in_pairs(["random", f"{path}::second"], 200, "rotate") <= MOST_FALSE


@pytest.mark.slow
@compiled_only
def test_a_rule_that_changes_nobody_s_chances_is_seldom_found_to() -> None:
    """Whatever the side, three that play alike in seats drawn by lot win a third each."""
    found, varied, gains = 0, read_varied(["finale=I,II,V"]), []
    for seed in range(STUDIES):
        more = {"games": 200, "seed": seed, "seating": "shuffle"}
        plan = comparison("fantastique", ALIKE, varied, **more)
        frame = run_comparison(plan, varied, workers=1).differences()
        found += bool(frame["p_holm"].min() <= 0.05)
        gains.append(frame["gain"].median())
    assert MOST_FALSE / 10 < found <= MOST_FALSE
    assert np.median(gains) > 1.5, "the deals are the same, the winners are not"


@pytest.mark.slow
@compiled_only
def test_who_looks_all_the_time_is_seldom_fooled_by_what_holds_at_all_looks() -> None:
    """And would be in one study of six or so by p-values for a number fixed beforehand."""
    always: set[int] = set()
    fixed: set[int] = set()
    for seed in range(STUDIES):
        more = {"games": 1500, "seed": seed, "seating": "shuffle", "precision": 0.01}
        plan = Plan((Study.of("fantastique", ALIKE[:2], **more),))

        def look(plan: Plan, part: Part, seed: int = seed) -> bool:
            result = Results(Played(plan, part, False, False, 0.0, 0.0, 0))
            found = result.difference(0, 1)
            if p_value(found.mean, found.error, found.deals) <= 0.05:
                fixed.add(seed)
            (line,) = result.pairs().to_dict("records")
            if line["p_holm"] <= 0.05 or line["low"] > 0:
                always.add(seed)
            return False

        assert play(plan, 1, Watch(enough=look)).count.deals == 1500
    assert len(always) <= MOST_FALSE
    assert len(fixed) > 1.5 * MOST_FALSE


@pytest.mark.slow
@compiled_only
def test_comparisons_with_a_wanted_precision_seldom_find_what_is_not_there() -> None:
    """Whatever the side, two that play alike in seats drawn by lot win a half each.

    Neither where a study stops nor at any look before; p-values for a number of deals fixed
    beforehand find something at some look far too often.
    """
    varied, more = read_varied(["finale=I,II"]), {"games": 4000, "seating": "shuffle"}
    stops, found = [], 0
    always: set[int] = set()
    fixed: set[int] = set()
    for seed in range(STUDIES):

        def look(plan: Plan, part: Part, seed: int = seed) -> bool:
            rows = [share_difference(plan, n, paired, 0) for n, paired in enumerate(part.paired, 1)]
            for alarms, ps in (
                (always, [sequences.p_value(r.mean, deviation(r), r.deals) for r in rows]),
                (fixed, [p_value(r.mean, r.error, r.deals) for r in rows]),
            ):
                if min(holm_of(ps)) <= 0.05:
                    alarms.add(seed)
            return precise_enough(plan, part)

        plan = comparison("fantastique", ALIKE[:2], varied, seed=seed, precision=5.0, **more)
        played = play(plan, 1, Watch(enough=look), batch=4000)
        result = Comparison(played, varied=varied)
        stops.append(result.played.count.deals)
        frame = result.differences()
        found += bool((frame["p_holm"].min() <= 0.05) or (frame["low"].max() > 0))
    assert max(stops) < plan.base.deals, "precise enough, each of them"
    assert found <= MOST_FALSE
    assert len(always) <= MOST_FALSE
    assert len(fixed) > 1.5 * MOST_FALSE


def deviation(found: Estimate) -> float:
    """Deviation of one deal's difference."""
    return found.error * math.sqrt(found.deals)


@pytest.mark.slow
@compiled_only
def test_intervals_of_real_runs_hold_the_rate_of_a_long_run() -> None:
    words = ["greedy", "spoiler", "high-fan", "random"]
    more = {"seating": "rotate", "luck": 0}
    long = simlab.run(Study.of("fantastique", words, games=400_000, seed=10**6, **more))
    frames = ("summary", "by_seat", "pairs")
    hits = {frame: np.zeros(len(getattr(long, frame)())) for frame in frames}
    truth = {frame: getattr(long, frame)() for frame in frames}
    truth["pairs"] = truth["pairs"].assign(win_rate=truth["pairs"]["difference"])
    for seed in range(STUDIES):
        short = simlab.run(Study.of("fantastique", words, games=400, seed=seed, **more), workers=1)
        for frame in frames:
            found = getattr(short, frame)()
            rate = truth[frame]["win_rate"].to_numpy()
            if frame == "pairs":
                same = (found["policy"] == truth[frame]["policy"]).to_numpy()
                rate = np.where(same, rate, -rate)
            hits[frame] += ((found["low"] <= rate) & (rate <= found["high"])).to_numpy()
    for frame in frames:
        assert hits[frame].min() >= FEWEST_TRUE, frame
        assert hits[frame].min() < STUDIES, frame

"""Tuning finds what is known to be best, claims no more than fresh deals show, and goes on."""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from by_hand import WIN, about, few, seated, t_interval
from cups import DARTS
from scipy import stats
from test_folders import kept

import simlab
from simlab.compiled import INTERPRETED
from simlab.errors import SimlabError, UsageError
from simlab.experiments import batches
from simlab.experiments.batches import Watch, outcomes
from simlab.experiments.folders import DamagedFolderError
from simlab.experiments.inspecting import status_of, verify_folder
from simlab.experiments.plans import TABLE_DEALS
from simlab.experiments.running import Place, load
from simlab.experiments.tournaments.design import MOST_TABLES
from simlab.experiments.tuning.posing import LEAST_WEIGHT, mix_of_fields, pose
from simlab.experiments.tuning.problem import (
    EACH,
    FIRST_TABLE,
    MOST_GENERATIONS,
    Judgement,
    Problem,
    Search,
    of_record,
)
from simlab.experiments.tuning.results import TuningResults
from simlab.experiments.tuning.search import run_search, tuning_of

SEED = 17
BULL, GAMES = 60, 200_000
compiled_only = pytest.mark.skipif(INTERPRETED, reason="a search takes many games")


@pytest.fixture(autouse=True, scope="module")
def unhurried() -> Iterator[None]:
    """Nobody pulls a plug here, so nothing has to wait for the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        patch.setattr("simlab.experiments.tuning.problem.EACH", few(EACH, 8))
        yield


def problem(policy: str = "dart", against: Any = "random", **more: Any) -> Problem:
    """A dart thrown at 30, where 60 is best."""
    given = {"games": few(GAMES, 480), "judged": few(4_000, 8), "seed": SEED} | more
    return pose(DARTS, policy, against, given.pop("exploit", None), **given)


@cache
def found(policy: str = "dart", against: str = "random", params: tuple[str, ...] = ()) -> Any:
    return run_search(problem(policy, against, params=params), workers=2)


# --- What is known to be best -----------------------------------------------------------------


@compiled_only
def test_a_dart_is_tuned_to_the_bull() -> None:
    results = found()
    assert results.played.found[0] == pytest.approx(BULL, abs=3)
    gain = results.numbers["gain"]
    assert gain["ci95"][0] > 0.05
    assert "gains" in results.verdict()
    assert results.found.startswith("dart:at=")


@compiled_only
def test_one_parameter_alone_is_tuned_too() -> None:
    results = found(params=("at",))
    assert list(results.numbers["values"]) == ["at"]
    assert results.played.found[0] == pytest.approx(BULL, abs=3)
    assert len(results.played.judged) == 3, "as it was, as found, and as found but for one"
    assert results.numbers["parameters"][0]["p_holm"] < 1e-6


@compiled_only
def test_a_dart_that_is_at_the_bull_already_gains_nothing() -> None:
    results = found("same-dart", "2xdart", ())
    assert results.numbers["gain"]["ci95"][0] <= 0
    assert "no gain is shown" in results.verdict()


@compiled_only
def test_a_parameter_that_does_nothing_gets_no_claim() -> None:
    rows = {row["parameter"]: row for row in found().numbers["parameters"]}
    low, high = rows["idle"]["ci95"]
    assert low < 0 < high
    assert rows["idle"]["p_holm"] > 0.05
    assert rows["at"]["p_holm"] < 1e-6
    frame = found().parameters().set_index("parameter")
    assert frame.loc["at", "difference"] > 0.05
    assert [frame.loc["idle", "low"], frame.loc["idle", "high"]] == [low, high]


@compiled_only
@pytest.mark.slow
def test_a_search_without_anything_to_find_seldom_shows_a_gain() -> None:
    """Two parameters that nobody reads: at most 5 % of searches claim something, either way.

    Seated by lot: in rotation each throw that is drawn would be thrown by both, and nothing vary.
    """
    searches, shown, worth = 300, 0, 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simlab.experiments.tuning.problem.EACH", 50)
        for seed in range(searches):
            more: dict[str, Any] = {"games": 1_500, "judged": 400, "seating": "shuffle"}
            null = problem("sleeper", "random", seed=seed, **more)
            results = run_search(null, workers=1)
            numbers = results.numbers
            shown += "no gain is shown" not in results.verdict()
            worth += min(row["p_holm"] for row in numbers["parameters"]) <= 0.05
    most = stats.binom.isf(1e-6, searches, 0.05)
    assert 0 < shown <= most
    assert worth <= most


# --- Fresh deals ------------------------------------------------------------------------------


def deals_of(plan: Any, study: int) -> range:
    """Engine's numbers of the deals of a study, from the plan."""
    (chunk,) = [one for one in plan.chunks() if one.study == study]
    first = plan.first_deal(study)
    return range(first + chunk.first, first + chunk.end)


def plans_of(what: Problem) -> list[Any]:
    """Plan of every step of a search, the judgement last."""
    plans: list[Any] = []
    from simlab.experiments.tuning import search

    real = search.play

    def noted(plan: Any, *args: Any, **more: Any) -> Any:
        plans.append(plan)
        return real(plan, *args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "play", noted)
        run_search(what)
    return plans


def test_the_judgement_meets_deals_that_the_search_never_saw() -> None:
    """Generations share no deal with each other, their candidates all of theirs."""
    plans = plans_of(problem(against=["random", "dart:at=45"]))
    assert isinstance(plans[-1], Judgement)
    seen: set[int] = set()
    for plan in plans[:-1]:
        own = [deals_of(plan, study) for study in range(len(plan.studies))]
        assert {deals.start for deals in own} == {own[0].start}
        longest = max(own, key=len)
        assert not seen & set(longest)
        seen |= set(longest)
    judged = [deals_of(plans[-1], study) for study in range(len(plans[-1].studies))]
    fresh = [deal for deals in judged for deal in deals]
    assert len(set(fresh)) == len(fresh), "each side has deals of its own"
    assert not seen & set(fresh)
    assert max(seen) < min(fresh)


def test_what_is_played_are_the_deals_of_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: list[tuple[str, int, int]] = []

    class Watched(batches.Room):
        def play(self, first_deal: int, deals: int, *args: Any, **more: Any) -> None:
            super().play(first_deal, deals, *args, **more)
            dealt.append((self.matchup.policies[0].text, first_deal, first_deal + deals))

    what = problem()
    plans = plans_of(what)
    monkeypatch.setattr(batches, "Room", Watched)
    run_search(what, workers=1)
    planned = [
        (plan.studies[n].matchup.policies[0].text, deals_of(plan, n))
        for plan in plans
        for n in range(len(plan.studies))
    ]
    by_hand = sorted((name, deal) for name, deals in planned for deal in deals)
    played = sorted((name, deal) for name, first, end in dealt for deal in range(first, end))
    assert played == by_hand


def test_a_search_begins_beyond_the_deals_of_every_tournament() -> None:
    """What exploits a tournament's verdict is judged by deals that did not make it."""
    assert FIRST_TABLE >= MOST_TABLES + 500
    assert problem().first_deal(0) >= (MOST_TABLES + 500) * TABLE_DEALS


def test_gain_and_rates_are_those_of_the_judged_games() -> None:
    """By hand, from the outcomes of the judgement's own deals."""
    what = problem(against="2xrandom")
    plan = plans_of(what)[-1]
    results = run_search(what)
    rates = []
    for n, study in enumerate(plan.studies):
        deals = deals_of(plan, n)
        assert study.deals == len(deals)
        games = outcomes(study, first_deal=deals.start)
        own = np.array(seated(study, games)) == study.matchup.policies[0].text
        shares = games["seats"]["win_share"][:, :3][own].reshape(len(deals), -1).mean(axis=1) / WIN
        rates.append(shares)
    numbers = results.numbers
    assert numbers["start"]["win_rate"] == about(rates[0].mean())
    assert numbers["tuned"]["win_rate"] == about(rates[1].mean())
    assert numbers["gain"]["difference"] == about(rates[1].mean() - rates[0].mean())
    error = math.sqrt(sum(r.var(ddof=1) / len(r) for r in rates[:2]))
    low, high = numbers["gain"]["ci95"]
    t = stats.t.ppf(0.975, len(rates[0]) - 1)
    assert [low, high] == about(
        [rates[1].mean() - rates[0].mean() + sign * t * error for sign in (-1, 1)]
    )
    for place, row in enumerate(numbers["parameters"]):
        assert row["difference"] == about(rates[1].mean() - rates[2 + place].mean())
    assert len(t_interval(rates[0])) == 2


# --- How much is played -----------------------------------------------------------------------


@pytest.mark.parametrize("games", [30_000, 200_000, 2_000_000, 10**8])
def test_a_search_plays_about_the_games_that_were_asked_for(games: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simlab.experiments.tuning.problem.EACH", EACH)
        what = problem(games=games)
        planned = sum(what.games_in(n) for n in range(what.generations)) * what.candidates
        assert planned == pytest.approx(games, rel=0.001)
        assert what.generations <= MOST_GENERATIONS
        sizes = [what.games_in(n) for n in range(what.generations)]
        assert sizes == sorted(sizes)
        assert min(sizes) >= 0.6 * EACH


@compiled_only
def test_the_fewest_games_that_a_search_takes_are_those_that_are_named() -> None:
    with pytest.raises(UsageError, match="tuning 2 parameters takes 12,000 games or more"):
        problem(games=11_999)
    assert problem(games=12_000).generations == 1


def test_fields_of_a_mix_play_by_their_weight() -> None:
    mix = {"random": 0.9, "dart": 0.1}
    fields = mix_of_fields(mix, 1)
    what = Problem.of(DARTS, "dart", fields, games=few(GAMES, 480), judged=few(4_000, 400))
    plan = plans_of(what)[-1]
    games = [len(deals_of(plan, n)) * len(plan.studies[n].seatings) for n in range(2)]
    assert games[0] == pytest.approx(0.9 * what.judged, abs=2)
    assert games[1] == pytest.approx(max(64, 0.1 * what.judged), abs=2)


def test_a_mix_sends_each_field_as_often_as_seats_drawn_by_lot() -> None:
    fields = {one.words: one.weight for one in mix_of_fields({"a": 0.5, "b": 0.25, "c": 0.25}, 2)}
    assert fields == pytest.approx(
        {("a", "a"): 0.25, ("a", "b"): 0.25, ("a", "c"): 0.25}
        | {("b", "b"): 0.0625, ("b", "c"): 0.125, ("c", "c"): 0.0625}
    )
    alone = mix_of_fields({"a": 0.0, "b": 1.0}, 3)
    assert [(one.words, one.weight) for one in alone] == [(("b", "b", "b"), 1.0)]


def test_a_field_that_hardly_ever_comes_is_left_out_and_the_rest_is_whole() -> None:
    fields = mix_of_fields({"a": 1 - LEAST_WEIGHT / 2, "b": LEAST_WEIGHT / 2}, 1)
    assert [one.words for one in fields] == [("a",)]
    assert fields[0].weight == 1.0
    with pytest.raises(UsageError, match="no policy in it"):
        mix_of_fields({"a": 0.0}, 1)


def test_several_line_ups_count_alike() -> None:
    what = problem(against=["random", "dart:at=45"])
    assert [(one.words, one.weight) for one in what.fields] == [
        (("random",), 0.5),
        (("dart:at=45",), 0.5),
    ]
    assert problem(against=["random", "random"]).fields[0].weight == 1


def test_against_itself_a_policy_wins_its_share_as_a_fact() -> None:
    results = run_search(problem("dart", "2xdart"))
    start = results.numbers["start"]
    assert start["win_rate"] == about(1 / 3)
    assert start["ci95"] == about([1 / 3, 1 / 3])
    low, high = results.numbers["tuned"]["ci95"]
    assert high > low


# --- Whoever plays, and going on --------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 3])
def test_a_search_does_not_depend_on_workers(workers: int) -> None:
    assert run_search(problem(), workers=workers).numbers == found().numbers


def test_another_seed_searches_elsewhere() -> None:
    other = run_search(problem(seed=SEED + 1))
    assert other.played.generations[0].candidates != found().played.generations[0].candidates


def in_folder(folder: Path, steps: int | None = None, **place: bool) -> TuningResults:
    """Search in a folder; stop after so many steps."""
    watch = Watch()

    def progress(plan: Any, part: Any, wanted: int) -> None:
        if steps is not None and len(list((folder / "chunks").iterdir())) >= steps:
            watch.stop.set()

    watch.progress = progress
    return run_search(problem(), Place(folder, **place), 2, watch)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tuned") / "search"
    in_folder(folder)
    return folder


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_a_search_stopped_and_resumed_leaves_the_files_of_one_that_was_not(
    steps: int, finished: Path, tmp_path: Path
) -> None:
    first = in_folder(tmp_path, steps)
    assert not first.played.complete
    assert first.verdict() == "not judged yet"
    left = kept(tmp_path)
    assert len(left) >= min(steps, 1)
    again = in_folder(tmp_path, resume=True)
    assert kept(tmp_path) == kept(finished)
    assert left.items() <= kept(finished).items()
    assert again.numbers == found().numbers


def test_a_finished_search_plays_nothing_again_and_is_shown_as_it_was(
    finished: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(finished, tmp_path / "search"))
    again = in_folder(folder, resume=True)
    assert again.played.played_games == 0
    assert kept(folder) == kept(finished)
    shown = tuning_of(folder)
    assert shown.numbers == found().numbers
    assert shown.timings["seconds"] > 0, "those of when it was played"


def test_status_and_verify_find_a_finished_search_whole(finished: Path) -> None:
    steps = problem().generations + 1
    assert status_of(finished)["complete"] == f"{steps} of {steps} chunks"
    assert status_of(finished)["state"] == "finished"
    said = verify_folder(finished)
    assert "results.json is what the chunks add up to" in said
    assert sum("comes out the same" in line for line in said) == 2


def test_verify_plays_two_steps_of_a_partial_search_and_not_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from simlab.experiments.tuning import search

    in_folder(tmp_path, 2)
    steps = len(list((tmp_path / "chunks").iterdir()))
    assert steps < problem().generations + 1
    played, real = [], search.play
    monkeypatch.setattr(search, "play", lambda *a, **m: played.append(a) or real(*a, **m))
    verify_folder(tmp_path)
    assert len(played) == min(2, steps)


@pytest.mark.parametrize("step", [0, -1])
def test_a_flipped_byte_of_a_search_is_found_and_its_file_named(
    step: int, finished: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(finished, tmp_path / "search"))
    hurt = sorted((folder / "chunks").iterdir())[step]
    content = bytearray(hurt.read_bytes())
    content[len(content) // 3] ^= 4
    hurt.write_bytes(content)
    with pytest.raises(DamagedFolderError, match=hurt.name):
        load(folder)


def test_another_search_is_refused_in_a_folder_that_holds_one(
    finished: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(finished, tmp_path / "search"))
    other = problem(seed=SEED + 1)
    with pytest.raises(UsageError, match="seed was 17, is 18"):
        run_search(other, Place(folder, resume=True))
    simlab.run(simlab.Study.of(DARTS, ["random", "dart"], games=4), place=Place(tmp_path / "r"))
    with pytest.raises(UsageError, match="holds no search"):
        tuning_of(tmp_path / "r")


def test_a_problem_is_read_as_it_was_written() -> None:
    what = problem(params=["at"], options={"luck": 500})
    record = json.loads(json.dumps(what.record(), allow_nan=False))
    again = of_record(record, what.policy.word, DARTS)
    assert again.record() == what.record()
    assert again.keys == ("at",)
    plan = Search((what.base,), problem=what)
    assert plan.games == what.games + 3 * what.judged
    assert len(plan.chunks()) == what.generations + 1


def test_numbers_are_json_without_nan() -> None:
    numbers = json.loads(json.dumps(found().record, allow_nan=False))
    keys = {"study", "games", "found", "start", "tuned", "gain", "parameters", "search", "verdict"}
    assert keys <= set(numbers)
    partial = TuningResults(type(found().played)(problem()))
    json.dumps(partial.record, allow_nan=False)
    assert partial.numbers["gain"] == {"difference": None, "ci95": None, "p": None}
    assert "tuned in" in repr(found())
    assert list(found().search().columns[:5]) == ["generation", "games", "least", "median", "most"]


def test_three_lines_in_a_notebook_tune_a_policy(tmp_path: Path) -> None:
    more: dict[str, Any] = {"games": few(GAMES, 480), "judged": few(4_000, 8), "seed": SEED}
    results = simlab.tune(DARTS, "dart", "random", out=tmp_path / "tuned", **more)
    assert results.numbers == found().numbers
    again = simlab.tune(DARTS, "dart", "random", out=tmp_path / "tuned", resume=True, **more)
    assert again.played.played_games == 0


# --- Does a verdict survive? ------------------------------------------------------------------


def hands(*policies: str) -> Any:
    return simlab.tournament(DARTS, policies, games=few(600, 12), players=2, kind="hands")


@compiled_only
def test_rock_paper_scissors_survives_every_mixer() -> None:
    """Nobody gains against all three in equal parts."""
    results = simlab.tune(
        DARTS, "mixer", exploit=hands("rock", "paper", "scissors"), games=60_000, judged=10_000
    )
    assert "the verdict survives this search" in results.verdict()
    assert results.numbers["tuned"]["win_rate"] == pytest.approx(0.5, abs=0.03)
    assert results.problem.base.matchup.options == {"kind": "hands"}
    assert len(results.problem.fields) == 3


@compiled_only
def test_without_scissors_the_verdict_of_paper_does_not_survive(tmp_path: Path) -> None:
    """Paper dominates rock; a mixer finds the hand that was not in the tournament."""
    more: dict[str, Any] = {"games": 600, "players": 2, "kind": "hands", "out": tmp_path / "cup"}
    simlab.tournament(DARTS, ["rock", "paper"], **more)
    results = simlab.tune(
        DARTS, "mixer", exploit=tmp_path / "cup", games=60_000, judged=10_000, out=tmp_path / "try"
    )
    assert "the verdict does not survive" in results.verdict()
    assert results.numbers["tuned"]["win_rate"] > 0.75
    found = dict(zip(results.problem.keys, results.played.found, strict=True))
    assert found["scissors"] > max(found["rock"], found["paper"])
    assert load(tmp_path / "try").verdict() == results.verdict(), "a folder remembers what it was"
    assert [one.words for one in results.problem.fields] == [("paper",)]


def test_exploiting_goes_by_the_rules_of_the_tournament(tmp_path: Path) -> None:
    cup = hands("rock", "paper")
    for more in ({"options": {"luck": 5}}, {"seating": "fixed"}):
        with pytest.raises(UsageError, match="plays by the rules of its tournament"):
            pose(DARTS, "mixer", exploit=cup, **more)
    with pytest.raises(UsageError, match="it holds a tournament of darts, not of fantastique"):
        pose("fantastique", "balanced", exploit=cup)
    with pytest.raises(UsageError, match="holds no run"):
        pose(DARTS, "mixer", exploit=tmp_path / "nothing")


def test_a_policy_of_a_file_in_the_mix_is_found_from_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from simlab.contract import policy\nfrom simlab.userfiles import load\n"
        "from pathlib import Path\nfrom simlab.contract import Game\n"
        f"GAME = load(Path({DARTS.split('::')[0]!r}), 'GAME', Game)\n\n\n"
        "@policy(GAME)\ndef sheet(rules, table, own, moves, weights, rng):\n    return 1\n",
        encoding="utf-8",
    )
    cup = hands("rock", f"{path}::sheet")
    what = pose(DARTS, "mixer", exploit=cup, games=few(GAMES, 480), judged=few(4_000, 8))
    assert {word for one in what.fields for word in one.words} == {f"{path}::sheet"}


# --- Refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "against", "more", "said"),
    [
        ("random", "dart", {}, "random has no parameters to tune"),
        ("dart", "random", {"params": ["aim"]}, "unknown parameter of dart 'aim'"),
        ("darts", "random", {}, "did you mean dart"),
        ("dart", "nobody", {}, "nobody"),
        ("dart", None, {}, "--against LINE-UP, or to --exploit"),
        ("dart", "", {}, "--against LINE-UP, or to --exploit"),
        ("dart", "random", {"exploit": "cup"}, "--against LINE-UP, or to --exploit"),
        ("dart", "4xrandom", {}, "seats 2 to 4 players, got 5"),
        ("dart", "0xrandom", {}, "0 times"),
        ("dart", ["random", "2xrandom"], {}, "fields of one size are needed, got [1, 2]"),
        ("dart", "random", {"games": 10}, "games or more, got 10"),
        ("dart", "random", {"games": "many"}, "games is a whole number"),
        ("dart", "random", {"games": 2**40}, "games of a search are less than"),
        ("dart", "random", {"judged": 0}, "judged is a whole number"),
        ("dart", "random", {"judged": 2**40}, "judged of a search are less than"),
        ("dart", "random", {"sides": "all"}, "darts has no rule that is drawn for each deal"),
        ("dart", "random", {"sides": "some"}, "--sides is all"),
        ("dart", "random", {"seating": "random"}, "unknown seating"),
        ("dart", "random", {"seed": -1}, "seed goes from 0"),
    ],
)
def test_what_cannot_be_tuned_is_refused_in_one_line(
    policy: str, against: Any, more: dict[str, Any], said: str
) -> None:
    with pytest.raises(SimlabError) as refused:
        problem(policy, against, **{"games": 60_000, **more})
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_sides_are_drawn_for_each_deal_and_not_set_besides() -> None:
    more: dict[str, Any] = {"games": 100_000, "sides": "all"}
    what = pose("fantastique", "balanced", "greedy", params=["card"], **more)
    assert what.record()["options"]["finale"] == "random"
    with pytest.raises(UsageError, match="leave out --set finale"):
        pose("fantastique", "balanced", "greedy", options={"finale": "II"}, **more)

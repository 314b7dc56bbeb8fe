"""Games that a run keeps: the outcome table as Parquet, who sat where, and traced deals."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from positions import fits
from test_cli import simlab
from test_folders import SEED, play_in, study
from test_twin import twin_of

from simlab.compiled import INTERPRETED
from simlab.engine import Matchup
from simlab.errors import SimlabError
from simlab.experiments.batches import outcomes
from simlab.experiments.outcome_tables import (
    LEADING,
    joined,
    outcome_arrow,
    outcome_columns,
    outcome_frame,
    parquet_bytes,
)
from simlab.experiments.study import Study
from simlab.experiments.tracing import Trace, trace_deals
from simlab.games.fantastique import GAME
from simlab.games.fantastique.story import value_and_count
from simlab.policies import read_policies
from simlab.replaying import Replayer

ALPHA = 1e-6
SEATINGS = ("rotate", "fixed", "shuffle", "all")
LINEUP = ("balanced", "greedy", "random", "greedy")
DISTINCT = ("balanced", "greedy", "random", "miser")
PLAYERS = 4
GAMES = 36 if INTERPRETED else 1200


CHUNKS = {"rotate": 1 + GAMES // 28, "fixed": 1 + GAMES // 7, "shuffle": 1 + GAMES // 7}
CHUNKS["all"] = 1 + GAMES // 84
"""Deals in a chunk: some chunks each."""


def seated(seating: str, chunk: int | None = None) -> Study:
    chunk = chunk or CHUNKS[seating]
    return study(chunk=chunk, seating=seating, policies=LINEUP, games=GAMES)


def games_of(what: Study, workers: int = 2) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The Parquet files of a run, read by pandas alone, and its numbers."""
    with tempfile.TemporaryDirectory() as folder:
        numbers = play_in(Path(folder), what, workers=workers).numbers
        files = sorted(Path(folder).glob("games/*.parquet"))
        assert len(files) == -(-what.deals // what.chunk)
        return pd.concat([pd.read_parquet(file) for file in files], ignore_index=True), numbers


@cache
def run_of(seating: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    return games_of(seated(seating))


def sat(table: pd.DataFrame) -> list[tuple[str, ...]]:
    """Who sat where in each game, in order."""
    assert (table["seat"].to_numpy().reshape(-1, PLAYERS) == np.arange(PLAYERS)).all()
    return [tuple(row) for row in table["policy"].to_numpy().reshape(-1, PLAYERS)]


# --- Parquet ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seating", SEATINGS)
def test_parquet_rows_are_the_outcomes_played_without_a_folder(seating: str) -> None:
    found, what = run_of(seating)[0], seated(seating)
    expected = outcome_columns(what, outcomes(what, 2, batch=7))
    assert list(found.columns) == list(expected)
    assert tuple(found.columns[: len(LEADING)]) == LEADING
    assert len(found) == GAMES * PLAYERS
    for name, values in expected.items():
        known = np.array(what.matchup.texts)[values] if name == "policy" else values
        assert (found[name].to_numpy() == known).all(), name


@pytest.mark.parametrize("batch", [1, 7, GAMES])
def test_the_file_is_the_same_in_whatever_batches_its_games_were_played(batch: int) -> None:
    what = seated("rotate")
    rows = outcomes(what, 2)
    parts = [outcome_arrow(what, rows[n : n + batch]) for n in range(0, len(rows), batch)]
    assert parquet_bytes(joined(parts)) == parquet_bytes(outcome_arrow(what, rows))


def test_a_number_that_the_table_cannot_hold_is_refused_and_never_cut() -> None:
    what = seated("rotate")
    rows = outcomes(what, 2)
    rows["seats"]["points"][5, 1] = 2**31
    with pytest.raises(SimlabError, match="up to 2,147,483,647"):
        outcome_columns(what, rows)
    rows["seats"]["points"][5, 1] = -(2**31)
    rows["deal"] += 10**12
    assert outcome_columns(what, rows)["points"].min() == -(2**31)
    assert outcome_columns(what, rows)["deal"].min() == 10**12


@pytest.mark.parametrize("seating", SEATINGS)
def test_rows_are_games_in_order_with_one_win_to_share_and_give_the_win_rates(
    seating: str,
) -> None:
    found, numbers = run_of(seating)
    assert found["game"].tolist() == [game for game in range(GAMES) for _ in range(PLAYERS)]
    turns = len(seated(seating).seatings)
    assert (found["deal"] == found["game"] // turns).all()
    assert (found["rotation"] == found["game"] % turns).all()
    by_game = found.groupby("game")
    assert by_game["win_share"].sum().tolist() == pytest.approx([1] * GAMES)
    assert (by_game["rank"].min() == 1).all()
    best = by_game["points"].transform("max")
    assert (found.loc[found["win_share"] > 0, "points"] == best[found["win_share"] > 0]).all()
    rates = found.groupby("policy", observed=True)["win_share"].mean()
    points = found.groupby("policy", observed=True)["points"].mean()
    assert {row["policy"] for row in numbers["policies"]} == set(rates.index)
    for row in numbers["policies"]:
        assert row["win_rate"] == pytest.approx(rates[row["policy"]], abs=1e-12)
        assert row["points"]["mean"] == pytest.approx(points[row["policy"]], abs=1e-9)
    for row, rate in zip(numbers["seats"], found.groupby("seat")["win_share"].mean(), strict=True):
        assert row["win_rate"] == pytest.approx(rate, abs=1e-12)


SEATINGS_OF_A_DEAL = {
    "rotate": [LINEUP[-turn:] + LINEUP[:-turn] for turn in range(PLAYERS)],
    "fixed": [LINEUP],
    "all": sorted(set(permutations(LINEUP))),
}


@pytest.mark.parametrize("seating", SEATINGS_OF_A_DEAL)
def test_every_deal_is_played_once_in_each_of_its_seatings(seating: str) -> None:
    expected = SEATINGS_OF_A_DEAL[seating]
    orders = sat(run_of(seating)[0])
    for first in range(0, GAMES, len(expected)):
        found = orders[first : first + len(expected)]
        assert (sorted(found) if seating == "all" else found) == expected


@pytest.mark.parametrize("seating", SEATINGS)
def test_each_row_names_who_played_it(seating: str) -> None:
    """The same deal with the policies given in that order has the same points in each seat."""
    found = run_of(seating)[0]
    orders, points = sat(found), found["points"].to_numpy().reshape(-1, PLAYERS)
    for game in range(0, GAMES, GAMES // 12 + 1):
        deal = int(found["deal"][PLAYERS * game])
        alone = study(1, policies=orders[game], seating="fixed", games=1)
        row = outcomes(alone, first_deal=deal)[0]
        assert row["seats"]["points"][:PLAYERS].tolist() == points[game].tolist()


# --- Random seatings ------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("chunk", [GAMES // 12, GAMES - 1, 10**6])
def test_shuffled_seatings_do_not_depend_on_chunks_or_workers(chunk: int, workers: int) -> None:
    found, numbers = games_of(seated("shuffle", chunk), workers)
    table, expected = run_of("shuffle")
    pd.testing.assert_frame_equal(found, table)
    assert numbers["policies"] == expected["policies"]


@cache
def shuffled(policies: tuple[str, ...], seed: int = SEED) -> list[tuple[str, ...]]:
    """Who sat where in some thousand deals."""
    games = 240 if INTERPRETED else 12_000
    what = study(policies=policies, seating="shuffle", games=games, seed=seed)
    return sat(outcome_frame(what, outcomes(what, 2)))


@pytest.mark.parametrize("policies", [DISTINCT, LINEUP], ids=["four", "two alike"])
def test_every_order_of_the_lineup_is_seated_equally_often(policies: tuple[str, ...]) -> None:
    orders = set(permutations(policies))
    assert len(orders) in (24, 12)
    assert fits(Counter(shuffled(policies)), dict.fromkeys(orders, 1 / len(orders)), ALPHA)


@pytest.mark.parametrize("policy", DISTINCT)
def test_every_policy_sits_in_every_seat_equally_often(policy: str) -> None:
    seats = Counter(order.index(policy) for order in shuffled(DISTINCT))
    assert fits(seats, dict.fromkeys(range(PLAYERS), 1 / PLAYERS), ALPHA)


def test_a_seating_says_nothing_about_that_of_the_next_deal() -> None:
    """By who starts, whoever started before."""
    starts = Counter(pairwise(order[0] for order in shuffled(DISTINCT)))
    pairs = [(one, other) for one in DISTINCT for other in DISTINCT]
    assert fits(starts, dict.fromkeys(pairs, 1 / 16), ALPHA)


def test_another_seed_seats_otherwise() -> None:
    same = [a == b for a, b in zip(shuffled(DISTINCT), shuffled(DISTINCT, SEED + 1), strict=True)]
    # One in 24 by chance; five standard deviations above is 0.051 in 12,000.
    assert sum(same) / len(same) < (0.11 if INTERPRETED else 0.051)


# --- Traced deals ---------------------------------------------------------------------------

RULES = {"stack_limit": 2, "finale": "random"}
SETTINGS = [word for key, value in RULES.items() for word in ("--set", f"{key}={value}")]
TRACED = 3


def traced_by_hand() -> Replayer:
    return Replayer(Matchup(GAME, read_policies(GAME, list(LINEUP)), RULES), SEED)


def trace_command(folder: Path, traced: int, games: int = 20, *more: str) -> int:
    line = ["run", "fantastique", *LINEUP, *SETTINGS, "--seed", str(SEED), "--quiet"]
    line += ["--games", str(games), "--trace", str(traced), "--out", str(folder)]
    return simlab(*line, *more)


def test_traced_deals_are_the_records_that_replay_prints(tmp_path: Path) -> None:
    assert trace_command(tmp_path, TRACED) == 0
    lines = (tmp_path / "trace" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    by_hand = traced_by_hand()
    assert [json.loads(line) for line in lines] == [by_hand.record(deal) for deal in range(TRACED)]


@pytest.mark.parametrize("more", [(), ("--seating", "shuffle")], ids=["rotated", "shuffled"])
def test_choices_have_every_decision_with_the_moves_that_the_twin_allows(
    more: tuple[str, ...], tmp_path: Path
) -> None:
    """The deals are traced with the policies seated as given, however the run seats them."""
    assert trace_command(tmp_path, TRACED, 20, *more) == 0
    found = pd.read_csv(tmp_path / "trace" / "choices.csv")
    assert list(found) == ["deal", "decision", "seat", "policy", "legal_moves", "move"]
    replayer, expected = traced_by_hand(), []
    for deal in range(TRACED):
        traced = replayer.trace(deal)
        twin = twin_of(traced, replayer)
        for decision, move in enumerate(traced.rows["move"][:-1].tolist()):
            seat = twin.seat_to_move
            assert seat is not None
            expected.append([deal, decision, seat, LINEUP[seat], len(twin.legal()), move])
            twin.move(*value_and_count(move))
        assert twin.seat_to_move is None
    assert found.to_numpy().tolist() == expected
    assert found["legal_moves"].nunique() > 5


def test_a_trace_in_memory_is_the_one_that_is_written(tmp_path: Path) -> None:
    what = study(5, policies=LINEUP, seating="fixed", games=5)
    trace = trace_deals(what, TRACED)
    assert isinstance(trace, Trace)
    play_in(tmp_path, what)
    assert trace_deals(what, TRACED, tmp_path) == trace
    assert len(trace.records) == TRACED
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "trace" / "choices.csv"), trace.choices())


def test_a_trace_does_not_change_the_run(tmp_path: Path) -> None:
    assert trace_command(tmp_path / "traced", TRACED) == 0
    line = ["run", "fantastique", *LINEUP, *SETTINGS, "--seed", str(SEED), "--games", "20"]
    assert simlab(*line, "--out", str(tmp_path / "plain")) == 0
    one, other = (tmp_path / name / "results.json" for name in ("traced", "plain"))
    assert one.read_bytes() == other.read_bytes()


def test_more_traced_deals_than_the_run_has_are_refused_before_it_is_played(
    tmp_path: Path, capsys
) -> None:
    assert trace_command(tmp_path / "run", 6, 20) == 2
    assert "--trace 6: the run has 5 deals" in capsys.readouterr().err
    assert not (tmp_path / "run" / "results.json").exists()


def test_a_trace_that_would_be_written_nowhere_is_refused(capsys) -> None:
    assert simlab("run", "fantastique", *LINEUP, "--games", "20", "--trace", "2") == 2
    assert "--out" in capsys.readouterr().err

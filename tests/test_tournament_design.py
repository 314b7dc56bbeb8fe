"""Designs of tournaments: who meets whom is fair by count, whatever the number of policies."""

from __future__ import annotations

import json
from itertools import product
from math import comb, factorial

import numpy as np
import pytest

from simlab.errors import UsageError
from simlab.experiments.tournaments.design import (
    BALANCED,
    EVERY,
    FEW_TABLES,
    GAUNTLET,
    MOST_MIXES,
    Design,
    balanced,
    choose,
    every_table,
    gauntlet,
    mixes_among,
    number_of_tables,
    of_record,
)

SIZES = [(2, 2), (3, 2), (2, 4), (9, 4), (5, 5), (7, 3), (30, 2), (1, 3)]


def tables_of(design: Design) -> list[tuple[int, ...]]:
    """Each table as the policies at its seats, ascending."""
    return [tuple(np.repeat(range(design.policies), row)) for row in design.seats]


def off_diagonal(table: np.ndarray) -> np.ndarray:
    return table[~np.eye(len(table), dtype=bool)]


# --- Every table ------------------------------------------------------------------------------


@pytest.mark.parametrize(("policies", "players"), SIZES)
def test_every_multiset_of_policies_meets_at_just_one_table(policies: int, players: int) -> None:
    design = every_table(policies, players)
    by_hand = {tuple(sorted(seats)) for seats in product(range(policies), repeat=players)} if (
        policies**players < 10_000
    ) else None  # fmt: skip
    found = tables_of(design)
    assert len(set(found)) == len(found) == comb(policies + players - 1, players)
    assert by_hand is None or set(found) == by_hand
    assert number_of_tables(policies, players) == len(found)
    assert design.kind == EVERY
    assert (design.policies, design.players) == (policies, players)


@pytest.mark.parametrize(("policies", "players"), SIZES)
def test_a_table_counts_as_often_as_seats_drawn_by_lot_make_it(policies: int, players: int) -> None:
    """Multinomial: 12 of the 256 line-ups of four policies at four seats are AABC in some order."""
    design = every_table(policies, players)
    by_hand = [
        factorial(players) / np.prod([factorial(n) for n in row]) / policies**players
        for row in design.seats
    ]
    assert design.weights == pytest.approx(by_hand, rel=1e-12)
    assert design.weights.sum() == pytest.approx(1, abs=1e-12)


def test_the_weights_of_three_policies_at_two_seats_are_one_ninth_and_two() -> None:
    design = every_table(3, 2)
    assert tables_of(design) == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    assert design.weights == pytest.approx(np.array([1, 2, 2, 1, 2, 1]) / 9)


def test_all_policies_meet_at_equally_many_of_every_table() -> None:
    meetings = every_table(5, 4).meetings
    assert len(set(off_diagonal(meetings))) == 1
    assert len(set(meetings.diagonal())) == 1


# --- Balanced samples -------------------------------------------------------------------------

GRID = [
    (policies, players, tables)
    for policies in (6, 7, 8, 9, 12, 13, 20, 31)
    for players in (2, 3, 4, 5)
    for tables in (policies, 50, 120)
]


@pytest.mark.parametrize(("policies", "players", "tables"), GRID)
def test_in_a_balanced_sample_every_pair_meets_equally_often_to_within_a_table(
    policies: int, players: int, tables: int
) -> None:
    design = balanced(policies, players, tables, seed=3)
    meetings = off_diagonal(design.meetings)
    assert meetings.max() - meetings.min() <= 1
    assert len(set(design.seats.sum(axis=0))) == 1, "every policy sits equally often"
    assert design.seats.max() == 1, "nobody meets himself"
    assert set(design.seats.sum(axis=1)) == {players}
    assert design.weights == pytest.approx(np.full(len(design.seats), 1 / len(design.seats)))
    assert len(design.seats) % policies == 0
    assert abs(len(design.seats) - tables) <= 2 * policies, "about so many"


@pytest.mark.parametrize(("policies", "players"), [(10, 4), (15, 4), (30, 3), (25, 5)])
def test_a_thousand_tables_are_made_to_within_a_round_of_the_policies(
    policies: int, players: int
) -> None:
    design = balanced(policies, players, 1000)
    assert abs(len(design.seats) - 1000) <= policies
    meetings = off_diagonal(design.meetings)
    assert meetings.max() - meetings.min() <= 1


def test_a_sample_hangs_on_its_seed_and_on_nothing_else() -> None:
    one, same, other = (balanced(13, 4, 52, seed) for seed in (5, 5, 6))
    assert (one.seats == same.seats).all()
    assert one.seats.shape != other.seats.shape or (one.seats != other.seats).any()


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_any_seed_draws_a_sample(seed: int) -> None:
    assert len(balanced(8, 3, 24, seed).seats) > 0


# --- Gauntlets --------------------------------------------------------------------------------


@pytest.mark.parametrize(("policies", "players", "focus"), [(4, 4, 0), (4, 4, 3), (9, 3, 5)])
def test_in_a_gauntlet_the_one_in_focus_meets_every_field_of_the_others(
    policies: int, players: int, focus: int
) -> None:
    design = gauntlet(policies, players, focus)
    assert design.kind == GAUNTLET
    assert set(design.seats[:, focus]) == {1}
    fields = tables_of(design)
    assert len(set(fields)) == len(fields) == number_of_tables(policies - 1, players - 1)
    assert design.weights.sum() == pytest.approx(1, abs=1e-12)


def test_the_fields_of_a_gauntlet_count_as_if_drawn_seat_by_seat() -> None:
    """Against two others at three seats: BB once, BC in two orders, CC once."""
    design = gauntlet(3, 3, focus=0)
    assert tables_of(design) == [(0, 1, 1), (0, 1, 2), (0, 2, 2)]
    assert design.weights.tolist() == [0.25, 0.5, 0.25]


# --- Which of them ----------------------------------------------------------------------------


def test_every_table_is_played_while_there_are_few_and_a_sample_beyond() -> None:
    assert number_of_tables(9, 4) == 495
    assert choose(9, 4).kind == EVERY
    assert number_of_tables(11, 4) == 1001
    sampled = choose(11, 4)
    assert sampled.kind == BALANCED
    assert abs(len(sampled.seats) - FEW_TABLES) <= 11


def test_so_many_tables_are_sampled_as_were_asked_for() -> None:
    assert choose(9, 4, tables=494).kind == BALANCED
    assert choose(9, 4, tables=495).kind == EVERY
    assert len(choose(9, 4, tables=90).seats) == 90


def test_a_focus_makes_a_gauntlet() -> None:
    assert choose(9, 4, focus=2).kind == GAUNTLET


@pytest.mark.parametrize(
    ("policies", "players", "best"), [(20, 4, 9), (20, 5, 7), (50, 2, 31), (40, 3, 13), (6, 4, 6)]
)
def test_as_many_of_the_best_meet_at_every_table_as_have_500(
    policies: int, players: int, best: int
) -> None:
    assert mixes_among(policies, players) == best
    assert number_of_tables(best, players) <= MOST_MIXES
    assert best == policies or number_of_tables(best + 1, players) > MOST_MIXES


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"policies": 5, "players": 4, "tables": 0}, "tables go from 1 to 5000, got 0"),
        ({"policies": 5, "players": 4, "tables": 5001}, "tables go from 1 to 5000, got 5001"),
        ({"policies": 4, "players": 4, "tables": 10}, "more policies than the 4 seats, got 4"),
        ({"policies": 5, "players": 4, "tables": 9, "focus": 1}, "exclude each other"),
        ({"policies": 1, "players": 4, "focus": 0}, "a gauntlet needs a field"),
        ({"policies": 50, "players": 5, "focus": 0}, "more than 1,000; name fewer policies"),
    ],
)
def test_a_design_that_cannot_be_is_refused_in_one_line(more: dict, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        choose(**more)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_where_no_sample_is_balanced_another_number_of_tables_is_recommended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from simlab.experiments.tournaments import design as module

    monkeypatch.setattr(module, "_base_tables", lambda *given: None)
    with pytest.raises(UsageError, match="another number of tables may do"):
        balanced(7, 4, 21)


# --- Written down -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "design", [every_table(4, 3), balanced(9, 4, 27), gauntlet(5, 4, 2)], ids=lambda d: d.kind
)
def test_a_design_is_read_as_it_was_written(design: Design) -> None:
    record = json.loads(json.dumps(design.record()))
    again = of_record(record, design.policies)
    assert again.kind == design.kind
    assert (again.seats == design.seats).all()
    assert again.weights.tolist() == design.weights.tolist()
    assert record["tables"][0] == list(tables_of(design)[0])

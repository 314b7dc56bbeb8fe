"""Measures of how a game plays, on tables small enough to work them out by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from simlab.errors import UsageError
from simlab.experiments.measures import (
    Games,
    Measure,
    best_of,
    catch_up,
    choice,
    closeness,
    decidedness,
    drama,
    leads,
    seat_effect,
    split_of_luck,
    summarise_play,
    ties,
)


def table(games: list[tuple[int, list[list[int]]]], policies: str = "ab") -> pd.DataFrame:
    """Games as (deal, [points after each checkpoint of each seat]); the last are the final ones."""
    rows = []
    for number, (deal, seats) in enumerate(games):
        finals = [points[-1] for points in seats]
        winners = finals.count(max(finals))
        for seat, points in enumerate(seats):
            won = points[-1] == max(finals)
            row = {"game": number, "deal": deal, "rotation": 0, "seat": seat}
            row |= {"policy": policies[seat], "points": points[-1]}
            row |= {"rank": 1 + sum(f > points[-1] for f in finals)}
            row |= {"win_share": won / winners}
            rows.append(row | {f"points_{n + 1}": p for n, p in enumerate(points)})
    return pd.DataFrame(rows)


THREE = table(
    [
        (0, [[1, 4, 9], [2, 3, 7]]),  # b leads, then a, who wins by 2
        (1, [[5, 6, 7], [0, 1, 1]]),  # a leads all along and wins by 6
        (2, [[2, 2, 4], [3, 4, 4]]),  # b leads until both have 4: a shared win
    ]
)


def value(measures: list[Measure], name: str) -> float:
    return next(one.value for one in measures if one.name == name)


def test_margins_and_close_endings() -> None:
    found = closeness(Games.of(THREE))
    assert value(found, "margin") == pytest.approx((2 + 6 + 0) / 3)
    assert value(found, "close endings") == pytest.approx(2 / 3)
    spread = np.std([9, 7, 7, 1, 4, 4])
    assert value(found, "relative margin") == pytest.approx(8 / 3 / spread)


def test_shared_wins_and_tie_breaks() -> None:
    assert value(ties(Games.of(THREE)), "shared wins") == pytest.approx(1 / 3)
    broken = THREE.assign(win_share=[1.0, 0.0, 1.0, 0.0, 1.0, 0.0])
    assert value(ties(Games.of(broken)), "tie-breaks") == pytest.approx(1 / 3)


def test_wire_to_wire_needs_the_lead_alone_after_every_checkpoint() -> None:
    assert value(leads(Games.of(THREE)), "wire to wire") == pytest.approx(1 / 3)


def test_the_winners_deficit_where_it_trails() -> None:
    games = Games.of(THREE)
    first, second = (np.std([[1, 2], [5, 0], [2, 3]]), np.std([[4, 3], [6, 1], [2, 4]]))
    # a trails by 1 after the first in game 0; in game 2 a (half a win) by 1, then by 2.
    weights, deficits = [1, 0.5, 0.5], [1 / first, 1 / first, 2 / second]
    expected = np.average(deficits, weights=weights)
    assert value(drama(games), "deficit") == pytest.approx(expected)
    roots = np.average(np.sqrt(deficits), weights=weights)
    assert value(drama(games), "drama (root form)") == pytest.approx(roots)


def test_comebacks_are_won_from_last_place_at_half_time() -> None:
    """After two of three checkpoints a is last in game 2 only, and wins half of it."""
    assert value(drama(Games.of(THREE)), "comebacks") == pytest.approx(0.5 / 3)


def test_the_leader_after_each_checkpoint() -> None:
    found = decidedness(Games.of(THREE))
    assert value(found, "leader after 1") == pytest.approx((0 + 1 + 0.5) / 3)
    assert value(found, "leader after 2") == pytest.approx((1 + 1 + 0.5) / 3)
    assert value(found, "decided after") == 2


def test_catching_up_is_a_correlation_of_halves() -> None:
    half, gained = [4, 3, 6, 1, 2, 4], [5, 4, 1, 0, 2, 0]
    expected = np.corrcoef(half, gained)[0, 1]
    assert value(catch_up(Games.of(THREE)), "catch-up") == pytest.approx(expected)


def test_seats_and_their_spread() -> None:
    found = seat_effect(Games.of(THREE))
    assert value(found, "seat 0") == pytest.approx(2.5 / 3)
    assert value(found, "seat spread") == pytest.approx(2 / 3)
    assert value(found, "Cramér's V") == pytest.approx(2 / 3)


def test_choice_counts_legal_moves() -> None:
    trace = pd.DataFrame({"deal": [0, 0, 1, 1], "legal_moves": [1, 3, 5, 7]})
    found = choice(trace)
    assert value(found, "legal moves") == 4
    assert value(found, "forced moves") == 0.25
    assert value(found, "legal moves, median") == 4


def test_games_until_the_better_leads() -> None:
    """Differences 1, 1, 0: mean 2/3, deviation sqrt(2)/3."""
    found = best_of(THREE, "a", "b")
    assert found.value == pytest.approx((1.6448536 * math.sqrt(2) / 2) ** 2)
    assert best_of(THREE, "b", "a").value == math.inf
    with pytest.raises(UsageError, match="nobody"):
        best_of(THREE, "a", "nobody")


@pytest.mark.parametrize("games", [THREE[THREE["game"] == 0], THREE])
def test_every_measure_of_few_games_is_a_number_or_none(games: pd.DataFrame) -> None:
    for one in summarise_play(games):
        assert not math.isinf(one.value)
        assert math.isnan(one.low) == math.isnan(one.high)


def test_a_table_without_checkpoints_has_the_measures_that_need_none() -> None:
    bare = THREE.drop(columns=["points_1", "points_2", "points_3"])
    names = {one.name for one in summarise_play(bare)}
    assert {"margin", "shared wins", "seat 0"} <= names
    assert "deficit" not in names


def test_a_table_with_seats_missing_is_refused() -> None:
    with pytest.raises(UsageError, match="missing"):
        Games.of(THREE.iloc[1:])


# --- Luck -----------------------------------------------------------------------------------------


def played(seed: int, luck: float, dealt: float, deals: int = 4000) -> pd.DataFrame:
    """Two players in both seatings: most of strategy, cards and fresh luck together wins."""
    deal_rng, luck_rng = (np.random.Generator(np.random.Philox(s)) for s in (7, seed))
    cards = dealt * deal_rng.standard_normal((deals, 2))
    rows = []
    for deal in range(deals):
        for rotation in range(2):
            strength = [0.5, 0.0] if rotation == 0 else [0.0, 0.5]
            total = cards[deal] + strength + luck * luck_rng.standard_normal(2)
            for seat in range(2):
                row = {"game": 2 * deal + rotation, "deal": deal, "rotation": rotation}
                row |= {"seat": seat, "policy": "ab"[(seat + rotation) % 2]}
                row |= {"points": total[seat], "rank": 1 + (total[seat] < total[1 - seat])}
                rows.append(row | {"win_share": float(total[seat] > total[1 - seat])})
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("luck", "dealt", "largest"), [(0.0, 3.0, "deal"), (3.0, 0.0, "luck"), (0.01, 0.0, "strategy")]
)
def test_the_largest_part_of_the_variance_is_where_it_was_put(
    luck: float, dealt: float, largest: str
) -> None:
    found = split_of_luck(played(1, luck, dealt), played(2, luck, dealt))
    assert sum(one.value for one in found) == pytest.approx(1.0)
    assert max(found, key=lambda one: one.value).name == largest


def test_luck_is_split_only_of_the_same_deals() -> None:
    with pytest.raises(UsageError, match="same deals"):
        split_of_luck(played(1, 1.0, 0.0, 10), played(1, 1.0, 0.0, 12))
    with pytest.raises(UsageError, match="several seatings"):
        split_of_luck(THREE, THREE)

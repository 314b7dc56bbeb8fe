"""Tournaments: who sits where, numbers by hand, and the same digits whoever plays."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from by_hand import TIES, WIN, Floats, about, seat_rows, seated, user_file
from cups import DEALS, PLAYERS, POLICIES, SEED, cup, darts, played, quick

from simlab.compiled import INTERPRETED
from simlab.contract import WHOLE_WIN
from simlab.engine import Matchup
from simlab.errors import PolicyError, SimlabError, UsageError
from simlab.experiments import batches
from simlab.experiments.batches import outcomes
from simlab.experiments.plans import TABLE_DEALS
from simlab.experiments.summary import ALWAYS
from simlab.experiments.tournaments.playing import run_tournament
from simlab.experiments.tournaments.schedule import CHUNK, MOST_STEP, Tournament
from simlab.games.fantastique import GAME
from simlab.policies import read_policies
from simlab.replaying import Replayer

__all__ = ["quick"]  # for all tests here

# --- The schedule -----------------------------------------------------------------------------


def test_every_policy_plays_in_every_seat_of_every_table_of_its_own() -> None:
    tournament = cup()
    for row, study in enumerate(tournament.studies):
        games = outcomes(study, first_deal=row * TABLE_DEALS)
        seats = pd.DataFrame(seated(study, games))
        for who in tournament.design.members(row):
            at = (seats == tournament.texts[who]).sum()
            assert (at == at[0]).all(), "equally often in each seat"
            assert at.sum() == tournament.design.seats[row, who] * len(games)


def test_no_two_tables_share_a_deal_and_no_deal_is_played_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Distinct deals are as many as deals; each table's are those of its own number."""
    dealt: list[tuple[str, int]] = []

    class Watched(batches.Room):
        def play(self, first_deal: int, deals: int, *args: Any, **more: Any) -> None:
            super().play(first_deal, deals, *args, **more)
            words = " ".join(policy.text for policy in self.matchup.policies)
            dealt.extend((words, first_deal + n) for n in range(deals))

    monkeypatch.setattr(batches, "Room", Watched)
    tournament = cup(chunk=7)
    results = run_tournament(tournament, workers=2)
    numbers = [deal for _, deal in dealt]
    assert len(set(numbers)) == len(numbers) == results.numbers["deals"]
    for row, study in enumerate(tournament.studies):
        own = sorted(deal for words, deal in dealt if words == " ".join(study.words))
        first = row * TABLE_DEALS
        assert own == list(range(first, first + study.deals))


def test_no_two_games_of_a_tournament_are_alike() -> None:
    """The same line-up of cards would show at two tables of the same policies."""
    courses = [
        outcomes(study, first_deal=row * TABLE_DEALS)["seats"]["points_after"].tobytes()
        for row, study in enumerate(cup().studies)
    ]
    assert len(set(courses)) == len(courses)


@pytest.mark.parametrize("row", [0, 4, 9])
def test_a_game_of_a_table_is_replayed_from_the_number_of_its_deal(row: int) -> None:
    tournament = cup()
    study = tournament.studies[row]
    deal, turns = row * TABLE_DEALS + DEALS - 1, len(study.seatings)
    games = outcomes(study, first_deal=row * TABLE_DEALS)
    for turn in range(turns):
        words = [study.words[(seat - turn) % PLAYERS] for seat in range(PLAYERS)]
        matchup = Matchup(GAME, read_policies(GAME, words), TIES)
        found = Replayer(matchup, SEED).trace(deal).outcome
        found["rotation"] = turn
        assert found.tobytes() == games[(DEALS - 1) * turns + turn].tobytes()


def test_a_broken_rule_names_the_deal_that_a_replay_shows(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(
        "from simlab.contract import policy\nfrom simlab.games.fantastique import GAME\n\n\n"
        "@policy(GAME)\ndef bad(rules, table, own, moves, weights, rng):\n    return -1\n",
        encoding="utf-8",
    )
    tournament = cup(policies=["greedy", f"{path}::bad"])
    with pytest.raises(PolicyError) as broken:
        run_tournament(tournament, workers=1)
    found = re.search(
        r"simlab replay fantastique (.*) --set rounds=2.* --deal (\d+)", str(broken.value)
    )
    assert found is not None
    table, deal = divmod(int(found[2]), TABLE_DEALS)
    assert deal < tournament.studies[table].deals
    assert sorted(found[1].split()) == sorted(tournament.studies[table].words)


def test_a_table_plays_two_deals_at_least_since_one_has_no_error() -> None:
    results = run_tournament(cup(games=1))
    assert set(results.tables()["deals"]) == {2}
    assert np.isfinite(results.summary()[["low", "high", "rating"]].to_numpy()).all()


# --- Numbers by hand --------------------------------------------------------------------------


@cache
def rows_of(seating: str) -> list[pd.DataFrame]:
    """Seat by seat, the games of each table."""
    return [seat_rows(study, row * TABLE_DEALS) for row, study in enumerate(cup(seating).studies)]


def share_by_deal(rows: pd.DataFrame, policy: str, seat: int | None = None) -> Floats:
    """Each deal's mean win share of a policy's seats."""
    own = rows[rows["policy"] == policy]
    own = own if seat is None else own[own["seat"] == seat]
    return (own.groupby("deal")["win_share"].mean() / WIN).to_numpy()


def ahead_by_deal(rows: pd.DataFrame, policy: str, rival: str) -> Floats:
    """How often a seat of one ends ahead of one of another in each deal, ties half."""
    keys = ["deal", "rotation"]
    both = rows[rows["policy"] == policy].merge(rows[rows["policy"] == rival], on=keys)
    halves = (both["rank_x"] < both["rank_y"]) + (both["rank_x"] == both["rank_y"]) / 2
    return halves.groupby(both["deal"]).mean().to_numpy()


def weighed(parts: list[tuple[float, Floats]]) -> tuple[float, float]:
    """Weighted mean of tables and its standard error over deals."""
    whole = sum(weight for weight, _ in parts)
    mean = sum(weight * deals.mean() for weight, deals in parts) / whole
    variance = sum(
        (weight / whole) ** 2 * deals.var(ddof=1) / len(deals) for weight, deals in parts
    )
    return float(mean), math.sqrt(variance)


@pytest.mark.parametrize("seating", ["rotate", "all", "fixed"])
def test_win_rates_are_weighted_means_of_tables_with_errors_over_deals(seating: str) -> None:
    design, reading = cup(seating).design, played(seating).reading
    for who, policy in enumerate(POLICIES):
        parts = [
            (weight * seats[who], share_by_deal(rows, policy))
            for rows, weight, seats in zip(
                rows_of(seating), design.weights, design.seats, strict=True
            )
            if seats[who]
        ]
        mean, error = weighed(parts)
        found = reading.rate(who)
        assert [found.mean, found.error] == about([mean, error])


def test_win_rates_average_to_a_fair_share() -> None:
    assert played().summary()["win_rate"].mean() == about(1 / PLAYERS)


@pytest.mark.parametrize("seating", ["rotate", "all", "fixed"])
def test_a_difference_of_win_rates_counts_what_both_have_in_common(seating: str) -> None:
    """At each deal of each table the two shares hang together: the error is of the difference."""
    design, reading = cup(seating).design, played(seating).reading
    own = design.weights[:, None] * design.seats
    own = own / own.sum(axis=0)
    for i, j in ((0, 1), (1, 2)):
        mean = variance = 0.0
        for rows, weights in zip(rows_of(seating), own, strict=True):
            deals = rows["deal"].unique()
            apart = np.zeros(len(deals))
            for who, sign in ((i, 1), (j, -1)):
                if weights[who]:
                    apart += sign * weights[who] * share_by_deal(rows, POLICIES[who])
            mean += apart.mean()
            variance += apart.var(ddof=1) / len(apart)
        found = reading.difference(i, j)
        assert [found.mean, found.error] == about([mean, math.sqrt(variance)])


@pytest.mark.parametrize("seating", ["rotate", "all", "fixed"])
def test_who_ends_ahead_of_whom_is_counted_pair_by_pair_of_seats(seating: str) -> None:
    design, results = cup(seating).design, played(seating)
    matrix = results.head_to_head()
    for i, policy in enumerate(POLICIES):
        for j, rival in enumerate(POLICIES):
            parts = [
                (weight * seats[i] * seats[j], ahead_by_deal(rows, policy, rival))
                for rows, weight, seats in zip(
                    rows_of(seating), design.weights, design.seats, strict=True
                )
                if i != j and seats[i] and seats[j]
            ]
            if i == j:
                assert math.isnan(matrix.loc[policy, rival])
                continue
            mean, error = weighed(parts)
            assert matrix.loc[policy, rival] == about(mean)
            assert results.reading.ahead_errors[i, j] == about(error)
            assert matrix.loc[policy, rival] + matrix.loc[rival, policy] == about(1)


@pytest.mark.parametrize("seating", ["rotate", "all", "fixed"])
def test_win_rates_at_the_tables_of_a_rival_are_weighed_by_the_seats_of_both(seating: str) -> None:
    design, results = cup(seating).design, played(seating)
    found = results.against().set_index(["policy", "rival"])
    for i, policy in enumerate(POLICIES):
        for j, rival in enumerate(POLICIES):
            if i == j:
                assert (policy, rival) not in found.index
                continue
            parts = [
                (weight * seats[i] * seats[j], share_by_deal(rows, policy))
                for rows, weight, seats in zip(
                    rows_of(seating), design.weights, design.seats, strict=True
                )
                if seats[i] and seats[j]
            ]
            mean, error = weighed(parts)
            estimate = results.reading.against(j)[i]
            assert estimate is not None
            assert [estimate.mean, estimate.error] == about([mean, error])
            assert found.loc[(policy, rival), "win_rate"] == about(mean)


@pytest.mark.parametrize("seating", ["rotate", "all"])
def test_win_rates_by_seat_are_means_of_tables_and_never_surer_than_their_deals(
    seating: str,
) -> None:
    """Where a policy sits in a seat once in a deal, the error is that over deals; else larger."""
    design, results = cup(seating).design, played(seating)
    frame = results.by_seat().set_index(["policy", "seat"])
    for who, policy in enumerate(POLICIES):
        for seat in range(PLAYERS):
            parts = [
                (weight * seats[who], share_by_deal(rows, policy, seat))
                for rows, weight, seats in zip(
                    rows_of(seating), design.weights, design.seats, strict=True
                )
                if seats[who]
            ]
            mean, error = weighed(parts)
            assert frame.loc[(policy, seat), "win_rate"] == about(mean)
            found = results.reading.in_seat(who, seat)
            assert found.error >= error * (0.5 if INTERPRETED else 1 - 1e-9), (
                "of three deals: about"
            )
            assert found.error <= 2 * error + 1e-9
    for row, table in enumerate(results.reading.tables):
        single = [n for n, who in enumerate(table.members) if design.seats[row, who] == 1]
        for place in single if seating == "rotate" else []:
            deals = share_by_deal(rows_of(seating)[row], POLICIES[table.members[place]], 1)
            error = math.sqrt(deals.var(ddof=1) / len(deals))
            assert table.seat_errors[place, 1] == about(error)


def test_a_seat_in_which_a_policy_never_sits_has_no_win_rate() -> None:
    """Seated as named, the second of two policies never starts."""
    results = run_tournament(darts(("dart", "random"), players=2, seating="fixed", tables=None))
    found = results.by_seat().set_index(["policy", "seat"])["win_rate"]
    assert math.isnan(found["random", 0]) or found["random", 0] >= 0
    json.dumps(results.record, allow_nan=False)


def test_seats_drawn_by_lot_have_no_rates_by_seat_but_all_others(tmp_path: Path) -> None:
    results = played("shuffle")
    assert results.by_seat()["win_rate"].isna().all()
    design = cup("shuffle").design
    parts = [
        (weight * seats[0], share_by_deal(rows, "greedy"))
        for rows, weight, seats in zip(
            rows_of("shuffle"), design.weights, design.seats, strict=True
        )
        if seats[0]
    ]
    mean, error = weighed(parts)
    assert [results.reading.rate(0).mean, results.reading.rate(0).error] == about([mean, error])


def test_tables_say_what_each_found() -> None:
    frame, rows = played().tables(), rows_of("rotate")
    assert len(frame) == sum(len(cup().design.members(row)) for row in range(10))
    for line in frame.to_dict("records"):
        deals = share_by_deal(rows[line["table"]], line["policy"])
        assert line["win_rate"] == about(deals.mean())
        assert line["deals"] == len(deals)
        assert line["low"] - 1e-12 <= line["win_rate"] <= line["high"] + 1e-12


def test_deals_behind_a_rate_are_those_of_its_tables_as_if_they_counted_alike() -> None:
    """A policy that never wins is not surer to, the more tables others play without it."""
    reading = played().reading
    own = reading.design.weights[:, None] * reading.design.seats
    own = own / own.sum(axis=0)
    deals = np.array([table.deals for table in reading.tables])
    for who in range(len(POLICIES)):
        expected = 1 / (own[:, who] ** 2 / deals).sum()
        assert reading.rate(who).deals == int(expected + 1e-9)
        assert reading.rate(who).deals < deals[own[:, who] > 0].sum()
        assert reading.difference(who, (who + 1) % 3).deals <= reading.rate(who).deals


def test_the_game_of_mixes_has_the_shares_of_the_tables() -> None:
    results = played()
    game, rows = results.empirical_game, rows_of("rotate")
    assert game.policies == POLICIES
    for row in range(10):
        for who in cup().design.members(row):
            deals = share_by_deal(rows[row], POLICIES[who])
            assert game.payoffs[row, who] == about(deals.mean())
            assert game.covariances is not None
            expected = deals.var(ddof=1) / len(deals)
            assert game.covariances[row, who, who] == about(expected)


# --- Whoever plays ----------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("chunk", [5, 33, None])
def test_numbers_do_not_depend_on_workers_or_chunks(workers: int, chunk: int | None) -> None:
    results = run_tournament(cup(chunk=chunk), workers=workers)
    assert results.played.part.record() == played().played.part.record()
    assert _without(results.numbers, "chunk") == _without(played().numbers, "chunk")


def _without(numbers: dict[str, Any], key: str) -> dict[str, Any]:
    study = {name: value for name, value in numbers["study"].items() if name != key}
    return {**numbers, "study": study}


def test_the_order_in_which_policies_are_named_does_not_matter() -> None:
    for order in (POLICIES[::-1], ("spoiler", "greedy", "random")):
        assert run_tournament(cup(policies=order)).numbers == played().numbers


def test_a_longer_tournament_has_the_games_of_a_shorter_one() -> None:
    longer = cup(games=2 * DEALS * PLAYERS)
    both = run_tournament(longer).played.part
    for row, count in enumerate(both.counts):
        study = longer.studies[row]
        rows = [
            seat_rows(cup().studies[row], row * TABLE_DEALS),
            seat_rows(cup().studies[row], row * TABLE_DEALS + cup().studies[row].deals),
        ]
        place = GAME.all_seat_columns.index("win_share")
        shares = pd.concat(rows)["win_share"].sum()
        assert int(count.sums["sums"][:, :, place].sum()) == shares
        assert count.deals == study.deals


@pytest.mark.parametrize("games", [1, 4_999, 5_000, 5_001, 10**4, 10**6, 10**12])
def test_chunks_are_few_however_long_a_tournament_is(games: int) -> None:
    ends = cup(games=games).ends
    assert ends[-1] == games
    assert list(ends) == sorted(set(ends))
    assert ends[0] == min(CHUNK, games)
    steps = np.diff([0, *ends])
    assert steps.max() <= MOST_STEP
    assert len(ends) <= 14 + games / MOST_STEP


@pytest.mark.skipif(INTERPRETED, reason="takes many games")
def test_two_names_of_the_same_play_share_and_neither_is_called_better() -> None:
    """A dart at 60 and another policy whose dart is at 60, against two others."""
    tournament = darts(("dart:at=60", "same-dart", "dart", "sleeper"), games=4000, players=3)
    results = run_tournament(tournament)
    names = results.policies
    one, other = names.index("dart:at=60"), names.index("same-dart")
    found = results.reading.difference(one, other)
    assert abs(found.mean) < 5 * found.error
    assert {one, other} <= set(results.best())
    assert names.index("sleeper") not in results.best()
    ahead = results.head_to_head().loc["dart:at=60", "same-dart"]
    assert abs(ahead - 0.5) < 5 * results.reading.ahead_errors[one, other]
    assert results.ratings[one].low < results.ratings[other].high


def test_a_policy_from_a_file_plays_as_the_built_in_one_that_it_copies(tmp_path: Path) -> None:
    """The same tables in the same places give the same numbers under another name."""
    path = user_file(tmp_path, "", name="gs")
    named = run_tournament(cup(policies=["greedy", "spoiler"]))
    copied = run_tournament(cup(policies=[f"{path}::policy-0", "spoiler"]))
    assert copied.policies == ("gs.py::policy-0", "spoiler")
    assert copied.summary()["win_rate"].tolist() == named.summary()["win_rate"].tolist()
    assert copied.played.part.record() == named.played.part.record()


# --- The best of a sample ---------------------------------------------------------------------


def test_the_best_of_a_sample_meet_at_every_table_for_the_game_of_mixes_alone() -> None:
    tournament = darts(players=4, tables=12)
    results = run_tournament(tournament)
    design = tournament.design
    assert design.kind == "balanced"
    assert tournament.mixes is not None
    assert results.numbers["mixes"]["policies"] == list(results.mixing)
    assert results.numbers["mixes"]["tables"] == math.comb(6 + 3, 4)
    assert results.has_meta
    games = sum(count.games for count in results.played.part.counts)
    assert results.numbers["games"] == games
    assert results.reading.games < games
    assert results.numbers["tables"] == len(design.seats)
    assert results.empirical_game.players == 4


def test_who_is_worse_in_a_sample_does_not_take_part_in_the_game_of_mixes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from simlab.experiments.tournaments import design

    monkeypatch.setattr(design, "MOST_MIXES", 15)
    tournament = darts(players=4, tables=12)
    results = run_tournament(tournament)
    order = results.summary()["policy"].tolist()
    assert len(results.mixing) == 3
    assert set(results.mixing) == set(order[:3])
    assert list(results.mixing) == sorted(results.mixing)
    assert set(results.equilibrium()) == set(results.mixing)
    first = len(design_rows := tournament.design.seats)
    words = {
        study.words for study in tournament.schedule_among(results.played.best).studies[first:]
    }
    assert {word for line in words for word in line} == set(results.mixing)
    assert len(words) == 15
    assert len(design_rows) == 12


def test_the_tables_among_the_best_meet_deals_of_their_own() -> None:
    """The best were chosen by the deals of the sample, so others judge the mixes."""
    schedule = darts(players=4, tables=12).schedule
    firsts = [schedule.first_deal(study) for study in range(len(schedule.studies))]
    assert len(set(firsts)) == len(firsts) == 12 + 126
    assert max(study.deals for study in schedule.studies) < TABLE_DEALS


# --- Gauntlets, races, precision --------------------------------------------------------------


def test_a_gauntlet_tells_of_one_policy_in_every_seat_and_against_each_other() -> None:
    results = run_tournament(cup(policies=["greedy", "random", "spoiler", "miser"], focus="greedy"))
    focus = results.numbers["policies"][0]
    assert focus["policy"] == "greedy"
    assert [row["seat"] for row in focus["seats"]] == [0, 1, 2]
    assert {row["policy"] for row in focus["against"]} == {"random", "spoiler", "miser"}
    assert results.best() == []
    assert results.numbers["meta"] is None
    with pytest.raises(UsageError, match="without --focus"):
        results.empirical_game  # noqa: B018 - it is what is tried


@pytest.mark.skipif(INTERPRETED, reason="a race takes many games")
def test_in_a_race_the_worse_drop_out_and_the_best_plays_on() -> None:
    tournament = darts(players=2, games=40_000, race=True)
    results = run_tournament(tournament, workers=2)
    out = results.played.out
    assert results.policies.index("dart:at=60") not in out
    assert {"random", "sleeper", "dart"} <= {results.policies[who] for who in out}
    assert all(games in tournament.ends for games in out.values())
    last = {who: games for who, games in out.items() if games < tournament.ends[-1]}
    for row, table in enumerate(results.reading.tables):
        members = tournament.design.members(row)
        wanted = max(last.get(who, 10**9) for who in members)
        assert table.games >= min(wanted, results.reading.tables[row].games)
        if all(who in last for who in members):
            assert table.games == pytest.approx(wanted, abs=2), "nobody there plays on"
    assert results.numbers["intervals"] == ALWAYS


@pytest.mark.skipif(INTERPRETED, reason="precision takes many games")
def test_a_tournament_stops_at_the_first_look_at_which_all_rates_are_known() -> None:
    tournament = darts(("dart", "dart:at=60", "random"), players=2, games=50_000, precision=2.0)
    results = run_tournament(tournament)
    table = results.tables()
    games = table["games"].max()
    assert results.played.stopped_early
    assert games in tournament.ends[1:-1]
    frame = results.summary()
    assert ((frame["high"] - frame["low"]) / 2).max() <= 0.02
    before = tournament.ends[tournament.ends.index(int(games)) - 1]
    shorter = run_tournament(darts(("dart", "dart:at=60", "random"), players=2, games=before,
                                   precision=2.0))  # fmt: skip
    frame = shorter.summary()
    assert ((frame["high"] - frame["low"]) / 2).max() > 0.02
    assert not shorter.played.stopped_early


@pytest.mark.skipif(INTERPRETED, reason="a race takes many games")
def test_who_dropped_out_of_a_race_does_not_keep_a_wanted_precision_waiting() -> None:
    more: dict[str, Any] = {"players": 2, "games": 10**6, "race": True, "precision": 1.0}
    results = run_tournament(darts(("dart", "dart:at=55", "dart:at=60", "dart:at=61"), **more))
    assert results.played.stopped_early
    assert results.played.out


# --- Refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policies", "more", "said"),
    [
        (("greedy", "greedy"), {}, "greedy takes part twice"),
        (("3xgreedy",), {}, "greedy takes part twice"),
        (("greedy", "greedy:"), {}, "greedy takes part twice"),
        (("greedy",), {}, "needs two policies or more, got greedy"),
        (("gredy", "random"), {}, "did you mean greedy"),
        ("greedy", {}, "a list of words, got 'greedy'"),
        (("greedy", "random"), {"players": 6}, "seats 2 to 5 players, got 6"),
        (("greedy", "random"), {"games": 0}, "games is a whole number"),
        (("greedy", "random"), {"games": 2**40}, "less than 1,099,511,627,776 games"),
        (("greedy", "random"), {"chunk": 0}, "a chunk is 1 to 10,000,000"),
        (("greedy", "random"), {"focus": "spoiler"}, "unknown policy of this tournament 'spoiler'"),
        (("greedy", "random"), {"focus": "greedy", "race": True}, "exclude each other"),
        (("greedy", "random"), {"focus": "greedy", "tables": 5}, "exclude each other"),
        (("greedy", "random"), {"tables": 3}, "more policies than the 4 seats"),
        (("greedy", "random"), {"precision": 0}, "precision is in points"),
        (("greedy", "random"), {"seating": "random"}, "unknown seating 'random'"),
        (("greedy", "random"), {"save_games": True}, "keeps no single games"),
        (("greedy", "random"), {"options": {"finale": "VII"}}, "finale is one of"),
    ],
)
def test_what_makes_no_tournament_is_refused_in_one_line(
    policies: Any, more: dict[str, Any], said: str
) -> None:
    with pytest.raises(SimlabError) as refused:
        Tournament.of("fantastique", policies, **more)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    words = [f"{user_file(tmp_path / part, '')}::policy-0" for part in ("a", "b")]
    with pytest.raises(UsageError, match=r"names two policies, .*; rename a file"):
        Tournament.of("fantastique", words)


def test_four_sit_at_a_table_unless_the_game_differs() -> None:
    assert Tournament.of("fantastique", POLICIES, games=8).players == 4
    assert Tournament.of("fantastique", games=8).texts == tuple(
        sorted(Tournament.of("fantastique", ["all"], games=8).texts)
    )
    assert WHOLE_WIN == WIN

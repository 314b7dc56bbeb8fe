"""What is played depends on the seed, the deal, the luck and the seats, and on nothing else."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from simlab.compiled import INTERPRETED, rule
from simlab.contract import Policy, policy
from simlab.engine import Matchup, Room, shuffled_seatings
from simlab.errors import PolicyError, UsageError
from simlab.experiments import batches
from simlab.experiments.batches import Count, outcomes, play
from simlab.experiments.study import Study
from simlab.games.fantastique import GAME
from simlab.policies import read_policies
from simlab.policies.fantastique import greedy, miser
from simlab.replaying import Replayer
from simlab.streams import below
from simlab.totals import BINS, IDENTIFIERS, pair_of, seat_width, totals_type

HERE = Path(__file__)
Table = npt.NDArray[Any]

SEED = 41
DEALS = 3 if INTERPRETED else 150
POLICIES = ("random", "greedy", "balanced", "random")
PLAYERS, ROTATIONS = 4, 4
OPTIONS = {"deck": (8,) * 8, "finale": "random"}
"""The deck is reshuffled in every game, and a number is drawn for the fan side."""
LAST_DEAL = 2**63 - 1
SEEDS = (0, 1, 2**32, 2**63, 2**64 - 1)


def study_of(deals: int = DEALS, seed: int = SEED, **more: Any) -> Study:
    games = deals * ROTATIONS
    return Study.of("fantastique", POLICIES, options=OPTIONS, games=games, seed=seed, **more)


@cache
def table() -> Table:
    """Outcomes of the study, by one worker in one batch."""
    return outcomes(study_of(), 1, 10**6)


@cache
def count() -> Count:
    return play(study_of(), 1, batch=10**6).count


def same(found: Count, expected: Count) -> bool:
    """Whether two counts are equal to the last digit, and whole numbers throughout."""
    return (
        (found.deals, found.games) == (expected.deals, expected.games)
        and found.sums.keys() == expected.sums.keys()
        and all((found.sums[key] == expected.sums[key]).all() for key in found.sums)
        and {type(one) for sums in found.sums.values() for one in sums.flat} == {int}
    )


# --- Workers and batches --------------------------------------------------------------------


@pytest.mark.parametrize("batch", [1, 7, 1000])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_outcomes_do_not_depend_on_workers_or_batches(workers: int, batch: int) -> None:
    found = outcomes(study_of(), workers, batch)
    assert found.tobytes() == table().tobytes()


@pytest.mark.parametrize("batch", [1, 7, 1000, None])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_counts_do_not_depend_on_workers_or_batches(workers: int, batch: int | None) -> None:
    found = play(study_of(), workers, batch=batch)
    assert found.complete
    assert same(found.count, count())


def test_a_table_has_a_row_for_every_rotation_of_every_deal_in_order() -> None:
    assert table()["deal"].tolist() == np.repeat(np.arange(DEALS), ROTATIONS).tolist()
    assert table()["rotation"].tolist() == [*range(ROTATIONS)] * DEALS


def test_counts_are_the_sums_of_the_table() -> None:
    """By policy and seat over games, and the squares of their sums over deals."""
    width, header = seat_width(GAME), len(GAME.all_game_columns)
    numbers = table().view(np.int64).reshape(DEALS, ROTATIONS, -1)
    seats = numbers[:, :, header:].reshape(DEALS, ROTATIONS, GAME.seats, width)[:, :, :PLAYERS]
    sums = {name: np.zeros_like(part) for name, part in count().sums.items()}
    by_policy = np.zeros((DEALS, GAME.seats, width), np.int64)
    names = list(dict.fromkeys(POLICIES))
    for rotation in range(ROTATIONS):
        for seat in range(PLAYERS):
            who = names.index(POLICIES[(seat - rotation) % PLAYERS])
            values = seats[:, rotation, seat]
            sums["sums"][who, seat] += values.sum(axis=0)
            sums["squares"][who, seat] += (values**2).sum(axis=0)
            by_policy[:, who] += values
    sums["policy_deal_squares"] += (by_policy**2).sum(axis=0)
    sums["seat_deal_squares"][:PLAYERS] += (seats.sum(axis=1) ** 2).sum(axis=0)
    games = numbers[:, :, IDENTIFIERS:header]
    sums["game_sums"][IDENTIFIERS:] += games.sum(axis=(0, 1))
    sums["game_squares"][IDENTIFIERS:] += (games**2).sum(axis=(0, 1))
    sums["game_deal_squares"][IDENTIFIERS:] += (games.sum(axis=1) ** 2).sum(axis=0)
    share = GAME.all_seat_columns.index("win_share")
    shares = by_policy[:, :, share]
    sums["share_products"] += shares.T @ shares
    by_pair = np.zeros((DEALS, pair_of(0, GAME.seats)), np.int64)
    for seat in range(PLAYERS):
        for rotation in range(ROTATIONS):
            who = names.index(POLICIES[(seat - rotation) % PLAYERS])
            points = np.clip(seats[:, rotation, seat, 0], 0, BINS - 1)
            np.add.at(sums["points_histogram"][who], points, 1)
            for other in {*range(PLAYERS)} - {seat}:
                rival = names.index(POLICIES[(other - rotation) % PLAYERS])
                mine, theirs = (seats[:, rotation, one, share - 1] for one in (seat, other))
                halves = 1 + (mine < theirs) - (mine > theirs)
                sums["ahead"][who, rival] += halves.sum()
                if who < rival:
                    by_pair[:, pair_of(who, rival)] += halves
    sums["ahead_products"] += by_pair.T @ by_pair
    assert (count().deals, count().games) == (DEALS, DEALS * ROTATIONS)
    for name, expected in sums.items():
        assert (count().sums[name] == expected).all(), name


def test_batches_add_up_in_any_order() -> None:
    room, totals = Room(study_of().matchup, study_of().seatings, SEED), []
    for deal in range(DEALS):
        totals.append(np.zeros(1, totals_type(GAME)))
        room.play(deal, 1, totals=totals[-1])
    for order in (totals, totals[::-1], totals[1::2] + totals[::2]):
        found = Count()
        for one in order:
            found.add(Count.of(one[0]))
        assert same(found, count())


def test_every_deal_is_dealt_once_and_no_two_workers_share_a_deck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three workers, all of them at work, look at the whole deck of each deal they play."""
    deals, workers = (DEALS, 1) if INTERPRETED else (600, 3)
    all_here, met = threading.Barrier(workers, timeout=30), threading.local()
    dealt: list[tuple[int, int, bytes]] = []

    class Watched(Room):
        def play(self, first_deal: int, deals: int, *args: Any, **more: Any) -> None:
            if not hasattr(met, "others"):
                met.others = all_here.wait()
            super().play(first_deal, deals, *args, **more)
            deck = self._desks[0]["dealt"]["hidden"]["deck"][:64].tobytes()
            dealt.append((threading.get_ident(), first_deal, deck))

    monkeypatch.setattr(batches, "Room", Watched)
    play(study_of(deals), workers, batch=1)
    assert len({thread for thread, _, _ in dealt}) == workers
    assert sorted(deal for _, deal, _ in dealt) == list(range(deals))
    assert len({deck for _, _, deck in dealt}) == deals, "as many first decks as deals"


def test_no_two_games_of_a_study_are_alike() -> None:
    """Medals by round and seat tell the games of a hundred deals apart."""
    courses = {game["seats"]["points_after"].tobytes() for game in table()}
    assert len(courses) == len(table())


# --- A game alone, and a longer run ---------------------------------------------------------


@pytest.mark.parametrize("deal", [0, 1, DEALS // 2, DEALS - 1])
def test_a_deal_played_alone_is_the_deal_of_the_batch(deal: int) -> None:
    alone = outcomes(study_of(1), first_deal=deal)
    expected = table()[deal * ROTATIONS : (deal + 1) * ROTATIONS]
    assert alone.tobytes() == expected.tobytes()


def replayed(study: Study, deal: int, rotation: int) -> Any:
    """Outcome of one game replayed with the policies in its seat order."""
    words = [study.words[(seat - rotation) % PLAYERS] for seat in range(PLAYERS)]
    matchup = Matchup(GAME, read_policies(GAME, words), OPTIONS)
    found = Replayer(matchup, study.seed, study.luck).trace(deal).outcome
    found["rotation"] = rotation  # a replay has no rotations
    return found


@pytest.mark.parametrize("luck", [0, 1, 65535])
def test_a_game_replayed_is_the_game_of_the_batch(luck: int) -> None:
    study = study_of(luck=luck)
    batch = outcomes(study)
    for row in range(0, len(batch), max(1, len(batch) // 12) | 1):
        found = replayed(study, row // ROTATIONS, row % ROTATIONS)
        assert found.tobytes() == batch[row].tobytes()


def test_luck_changes_what_the_policies_draw() -> None:
    lucky = outcomes(study_of(luck=1))
    assert lucky["deal"].tolist() == table()["deal"].tolist()
    changed = [a.tobytes() != b.tobytes() for a, b in zip(lucky, table(), strict=True)]
    assert np.mean(changed) > 0.9


@pytest.mark.parametrize("workers", [1, 2])
def test_a_longer_run_extends_a_shorter_one(workers: int) -> None:
    """By 200 games, which begin in the middle of a batch."""
    more = DEALS + (2 if INTERPRETED else 50)
    longer = outcomes(study_of(more), workers, batch=11)
    assert longer[: len(table())].tobytes() == table().tobytes()
    tail = outcomes(study_of(more - DEALS), first_deal=DEALS)
    assert longer[len(table()) :].tobytes() == tail.tobytes()


# --- The ends of the numbers ----------------------------------------------------------------


def test_seeds_from_0_to_the_last_of_64_bits_play_different_games() -> None:
    deals = min(DEALS, 20)
    found = [outcomes(study_of(deals, seed)) for seed in SEEDS]
    courses = {game["seats"].tobytes() for games in found for game in games}
    assert len(courses) == len(SEEDS) * deals * ROTATIONS


@pytest.mark.parametrize("seed", SEEDS)
def test_any_seed_plays_the_same_in_other_batches_and_in_a_replay(seed: int) -> None:
    study = study_of(min(DEALS, 10), seed)
    found = outcomes(study, 2, batch=3)
    assert found.tobytes() == outcomes(study).tobytes()
    assert replayed(study, 2, 1).tobytes() == found[2 * ROTATIONS + 1].tobytes()


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_beyond_64_bits_is_refused(seed: int) -> None:
    with pytest.raises(UsageError, match=f"seed goes from 0 to {2**64 - 1}"):
        study_of(seed=seed)


@pytest.mark.parametrize("first", [2**31 - 2, 2**32 - 2, 2**53 - 2, LAST_DEAL - 3])
def test_deals_of_any_size_have_their_number_and_their_own_cards(first: int) -> None:
    study, deals = study_of(4), range(first, first + 4)
    found = outcomes(study, 2, batch=1, first_deal=first)
    assert found["deal"].tolist() == [deal for deal in deals for _ in range(ROTATIONS)]
    assert found.tobytes() == outcomes(study, first_deal=first).tobytes()
    for place in (0, 3):
        row = place * ROTATIONS + 2
        assert replayed(study, deals[place], 2).tobytes() == found[row].tobytes()
    courses = {game["seats"].tobytes() for game in [*found, *outcomes(study)]}
    assert len(courses) == 2 * len(found), "and none of them is one of the first four"


# --- Rooms have no memory -------------------------------------------------------------------


play_greedily, play_meanly = rule(greedy.function), rule(miser.function)


@policy(GAME)
def waltz(rules, table, own, moves, weights, rng):  # type: ignore[no-untyped-def]
    """Counts its decisions in its notes, and is mean at every third one."""
    own.notes[0] += 1
    if own.notes[0] % 3 == 0:
        return play_meanly(rules, table, own, moves, weights, rng)
    return play_greedily(rules, table, own, moves, weights, rng)


@policy(GAME)
def stumbler(rules, table, own, moves, weights, rng):  # type: ignore[no-untyped-def]
    """Makes a move that does not exist, once in 60 times."""
    if below(rng, 60) == 0:
        return -1
    return play_greedily(rules, table, own, moves, weights, rng)


def seated(*policies: Policy | str) -> Room:
    """A fresh room, in which every policy takes every seat; nothing compiled is kept."""
    found = [
        read_policies(GAME, [one] * 2)[0] if isinstance(one, str) else replace(one, source=HERE)
        for one in policies
    ]
    turns = [[(seat - turn) % len(found) for seat in range(len(found))] for turn in (0, 1, 2)]
    return Room(Matchup(GAME, found, OPTIONS), np.array(turns), SEED)


def results(room: Room, deal: int, before: int = 0) -> tuple[bytes, bytes]:
    """Outcomes of a deal in rows that held other numbers before, and its totals."""
    rows, totals = np.zeros(3, GAME.outcome), np.zeros(1, totals_type(GAME))
    plain = rows.view(np.int64).reshape(3, -1)
    plain[:] = before
    room.play(deal, 1, rows, totals)
    header, width = len(GAME.all_game_columns), seat_width(GAME)
    return plain[:, : header + 3 * width].tobytes(), totals.tobytes()


def test_a_deal_does_not_depend_on_what_the_room_played_before() -> None:
    """Forwards, backwards and twice; with notes that must be empty when a game begins."""
    used = seated(waltz, "random", "balanced")
    for deal in (5, 0, 3, 3, 2, 1000, 1, 0):
        assert results(used, deal, before=-1) == results(seated(waltz, "random", "balanced"), deal)


def test_notes_are_empty_at_the_deal_and_kept_from_then_on() -> None:
    """Each seat sees how often it has decided in this game, however many were played before."""
    replayer = Replayer(seated(waltz, "random", "balanced").matchup, SEED)
    for deal in (0, 7, 7):
        rows = replayer.trace(deal).rows[:-1]
        for seat, kept in ((0, 1), (1, 0)):
            own = [row.state.seats[seat].notes[0] for row in rows if row.seat == seat]
            assert own == [kept * asked for asked in range(14)]


def test_a_room_counts_rightly_after_a_policy_broke_off_a_game() -> None:
    used, broken, whole = seated(stumbler, "random", "balanced"), 0, 0
    for deal in range(12 if INTERPRETED else 60):
        try:
            found = results(used, deal)
        except PolicyError:
            broken += 1
            continue
        whole += 1
        assert found == results(seated(stumbler, "random", "balanced"), deal)
    assert broken > 2
    assert whole > 2


def stumbles(matchup: Matchup, first: int, deals: int) -> str:
    """What a room with drawn seats says when the stumbler stumbles in one of some deals."""
    room = Room(matchup, np.array([matchup.seating]), SEED, shuffled=True)
    try:
        room.play(first, deals)
    except PolicyError as error:
        return str(error)
    return ""


def test_a_broken_rule_is_blamed_on_the_policy_that_sat_there_in_that_deal() -> None:
    """Whichever of the deals of a block it was, and whatever seat it was given by lot."""
    policies = [replace(stumbler, source=HERE), *read_policies(GAME, ["random", "balanced"])]
    matchup, blamed = Matchup(GAME, policies, OPTIONS), set()
    for first in range(0, 200 if INTERPRETED else 600, 20):
        said = stumbles(matchup, first, 20)
        place = re.search(r"in seat (\d), deal (\d+)", said)
        if place is not None:
            seat, deal = int(place[1]), int(place[2])
            sat = shuffled_seatings(SEED, np.array([deal]), np.array(matchup.seating))[0]
            assert said.startswith("test_determinism.py::stumbler ")
            assert sat[seat] == 0
            blamed.add((seat, deal > first))
    assert len(blamed) > 3, "in several seats, not only in the first deal"


def test_outcomes_that_do_not_fit_are_refused_and_spare_rows_stay_empty() -> None:
    study = study_of(4)
    rows = np.zeros(4 * ROTATIONS + 1, GAME.outcome)
    with pytest.raises(ValueError, match="16 games do not fit into 15 rows"):
        Room(study.matchup, study.seatings, SEED).play(0, 4, rows[: 4 * ROTATIONS - 1])
    Room(study.matchup, study.seatings, SEED).play(0, 4, rows)
    assert rows[:-1].tobytes() == outcomes(study).tobytes()
    assert not any(rows[-1:].tobytes())


# --- Other processes ------------------------------------------------------------------------


def digest(seeds: Sequence[int] = SEEDS) -> str:
    """Of three deals for each seed, played in this process."""
    found = hashlib.sha256()
    for seed in seeds:
        study = study_of(3, seed)
        rows = np.zeros(3 * ROTATIONS, GAME.outcome)
        Room(study.matchup, study.seatings, seed).play(2, 3, rows)
        found.update(rows.tobytes())
    return found.hexdigest()


def test_another_process_plays_the_same_with_the_compiler_and_without() -> None:
    """Each way of running the tests plays against the other one."""
    other = {"NUMBA_DISABLE_JIT": "0" if INTERPRETED else "1"}
    code = "import test_determinism as here; print(here.INTERPRETED, here.digest())"
    answer = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | other,
        cwd=HERE.parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert answer.stdout.split() == [str(not INTERPRETED), digest()], answer.stderr

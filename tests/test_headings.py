"""Headings that say how much of a run there is, and which games the seconds were spent on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from by_hand import said

from simlab.cli.tables import show_comparison, show_results
from simlab.compiled import INTERPRETED
from simlab.experiments.batches import Watch
from simlab.experiments.comparing import comparison, read_varied
from simlab.experiments.plans import Plan
from simlab.experiments.running import Place, run_comparison, run_plan
from simlab.experiments.study import Study

SEED, CHUNK = 81, 5
CHUNKS = 4 if INTERPRETED else 40
TABLE = ["greedy", "spoiler"]
GAMES = 2 * CHUNK * CHUNKS
SIDES = read_varied(["finale=I,II"])


def stopping_watch(games: int) -> Watch:
    """Stops play once so many games are counted."""
    watch = Watch()

    def progress(plan: Plan, part: Any, wanted: int) -> None:
        if sum(count.games for count in part.counts) >= games:
            watch.stop.set()

    watch.progress = progress
    return watch


def studied(place: Path | None, watch: Watch | None = None, games: int = GAMES) -> Any:
    study = Study.of("fantastique", TABLE, games=games, chunk=CHUNK, seed=SEED)
    return run_plan(Plan((study,)), Place(place, resume=place is not None), 1, watch)


def compared(place: Path | None, watch: Watch | None = None) -> Any:
    plan = comparison("fantastique", TABLE, SIDES, games=GAMES, chunk=CHUNK, seed=SEED)
    return run_comparison(plan, SIDES, None, Place(place, resume=place is not None), 1, watch)


def heading(results: Any, capsys: pytest.CaptureFixture[str]) -> str:
    (show_comparison if hasattr(results, "varied") else show_results)(results, "table")
    return capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("play", [studied, compared])
def test_a_part_of_a_run_in_a_folder_says_so_in_its_heading_whenever_it_is_shown(
    play: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = play(tmp_path / "run", stopping_watch(2 * CHUNK))
    assert not results.played.complete
    done = len(list((tmp_path / "run" / "chunks").iterdir()))
    assert 0 < done < CHUNKS
    part = f"PARTIAL, {done} of {CHUNKS} chunks: fantastique, 2 players, "
    assert heading(results, capsys).startswith(part)
    code, out, _ = said(capsys, "show", str(tmp_path / "run"))
    assert code == 0
    assert out.startswith(part)
    play(tmp_path / "run")
    code, out, _ = said(capsys, "show", str(tmp_path / "run"))
    assert out.startswith("fantastique, 2 players, ")


@pytest.mark.parametrize("play", [studied, compared])
def test_a_part_of_a_run_without_a_folder_says_how_many_games_it_has(
    play: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    results = play(None, stopping_watch(2 * CHUNK))
    games = sum(count.games for count in results.played.part.counts)
    wanted = GAMES * len(results.played.plan.studies)
    assert games < wanted
    assert heading(results, capsys).startswith(f"PARTIAL, {games} of {wanted} games: fantastique")


SPEED = re.compile(r"; ([\d,]+) games played now in [\d.]+ s \(([\d,]+) games/s\)$")


@pytest.mark.parametrize("play", [studied, compared])
def test_a_run_that_went_on_names_the_games_that_its_seconds_were_spent_on(
    play: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = play(tmp_path / "run", stopping_watch(2 * CHUNK))
    kept = sum(count.games for count in first.played.part.counts)
    rest = play(tmp_path / "run")
    wanted = GAMES * len(rest.played.plan.studies)
    line = heading(rest, capsys)
    found = SPEED.search(line)
    assert found is not None, line
    assert int(found[1].replace(",", "")) == wanted - kept == rest.played.played_games
    rate = rest.played.played_games / rest.played.seconds
    assert int(found[2].replace(",", "")) == pytest.approx(rate, rel=0.01, abs=1)
    again = play(tmp_path / "run")
    assert " s (" not in heading(again, capsys), "nothing was played, so nothing was quick"
    whole = play(None)
    assert SPEED.search(heading(whole, capsys)) is None

"""Folders of tournaments: stopped, gone on with, shown, verified, damaged; frames and JSON."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from by_hand import few
from cups import DARTS, SEED, darts, played, quick
from test_folders import chunk_name, everything, kept

import simlab
from simlab.compiled import INTERPRETED
from simlab.errors import UsageError
from simlab.experiments import batches
from simlab.experiments.batches import Watch
from simlab.experiments.folders import DamagedFolderError
from simlab.experiments.inspecting import status_of, verify_folder
from simlab.experiments.running import Place, load
from simlab.experiments.summary import ALWAYS, FIXED
from simlab.experiments.tournaments.playing import run_tournament, tournament_of
from simlab.experiments.tournaments.results import TournamentResults
from simlab.experiments.tournaments.schedule import Tournament

__all__ = ["quick"]  # for all tests here
FACTS = {"version", "players", "design", "options", "parameters"}

# --- Folders ----------------------------------------------------------------------------------


KINDS: dict[str, dict[str, Any]] = {
    "every table": {"policies": ("dart", "dart:at=60", "random"), "players": 3},
    "sample": {"players": 2, "tables": 12},
    "gauntlet": {"focus": "dart", "players": 3},
}
if not INTERPRETED:
    KINDS["race"] = {"players": 2, "games": 20_000, "race": True}
    KINDS["precise"] = {"players": 2, "games": 50_000, "precision": 3.0}


def planned(kind: str, **more: Any) -> Tournament:
    return darts(**{**KINDS[kind], **more})


def in_folder(
    folder: Path, tournament: Tournament, stop_after: int | None = None, **place: bool
) -> TournamentResults:
    """Play in a folder; stop once so many games are counted."""
    watch = Watch()

    def progress(plan: Any, part: Any, wanted: int) -> None:
        if stop_after is not None and part.counts[0].games >= stop_after:
            watch.stop.set()

    watch.progress = progress
    return run_tournament(tournament, Place(folder, **place), 2, watch)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A finished folder of each kind, that nobody writes into."""
    found = {}
    for kind in KINDS:
        found[kind] = tmp_path_factory.mktemp("cups") / kind.replace(" ", "-")
        in_folder(found[kind], planned(kind))
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", [0.0, 0.5])
def test_a_tournament_stopped_and_resumed_leaves_the_files_of_one_that_was_not(
    kind: str, part: float, finished: dict[str, Path], tmp_path: Path
) -> None:
    whole = load(finished[kind])
    games = part * sum(count.games for count in whole.played.part.counts)
    first = in_folder(tmp_path, planned(kind), stop_after=int(games))
    left = kept(tmp_path)
    again = in_folder(tmp_path, planned(kind), resume=True)
    assert kept(tmp_path) == kept(finished[kind])
    assert not first.played.complete
    assert "results.json" not in left
    assert left.items() <= kept(tmp_path).items()
    assert again.numbers == whole.numbers


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_tells_what_was_found_without_playing(
    kind: str, finished: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    direct = run_tournament(planned(kind))

    def refuse(*given: Any, **more: Any) -> None:
        raise AssertionError("nothing is to be played")

    monkeypatch.setattr(batches.Room, "play", refuse)
    shown = tournament_of(finished[kind])
    assert shown.numbers == direct.numbers
    assert shown.played.complete
    assert shown.timings["seconds"] > 0
    assert json.loads((finished[kind] / "results.json").read_text()) == shown.numbers


@pytest.mark.parametrize("kind", KINDS)
def test_a_finished_tournament_plays_nothing_again(
    kind: str, finished: dict[str, Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(finished[kind], tmp_path / "cup"))
    again = in_folder(folder, planned(kind), resume=True)
    assert again.played.played_games == 0
    assert kept(folder) == kept(finished[kind])
    assert again.numbers["intervals"] == load(finished[kind]).numbers["intervals"]


@pytest.mark.parametrize("kind", KINDS)
def test_status_and_verify_find_a_finished_tournament_whole(
    kind: str, finished: dict[str, Path]
) -> None:
    found = status_of(finished[kind])
    chunks = len(list((finished[kind] / "chunks").iterdir()))
    assert found["state"] == "finished"
    assert found["complete"] == f"{chunks:,} of {chunks:,} chunks"
    assert found["game"] == "darts"
    said = verify_folder(finished[kind])
    assert "results.json is what the chunks add up to" in said
    assert sum("played again, comes out the same" in line for line in said) == 2


def test_a_chunk_among_the_best_is_played_again_by_those_who_met_in_it(
    finished: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever they are is known only from the chunks of the sample."""
    from simlab.experiments import inspecting

    class Last:
        def sample(self, chunks: list[Any], count: int) -> list[Any]:
            return chunks[-count:]

    monkeypatch.setattr(inspecting.secrets, "SystemRandom", Last)
    said = verify_folder(finished["sample"])
    assert f"chunk {12 + 20}, played again, comes out the same" in said


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", ["first", "last"])
def test_a_flipped_byte_is_found_and_its_file_named(
    kind: str, place: str, finished: dict[str, Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(finished[kind], tmp_path / "cup"))
    chunks = sorted((folder / "chunks").iterdir())
    hurt = chunks[0 if place == "first" else -1]
    content = bytearray(hurt.read_bytes())
    content[len(content) // 2] ^= 1
    hurt.write_bytes(content)
    for look in (verify_folder, load):
        with pytest.raises(DamagedFolderError, match=hurt.name):
            look(folder)


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_chunk_of_a_finished_tournament_is_named(
    kind: str, finished: dict[str, Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(finished[kind], tmp_path / "cup"))
    gone = sorted((folder / "chunks").iterdir())[1]
    gone.unlink()
    with pytest.raises(DamagedFolderError, match=rf"{gone.name} is missing"):
        verify_folder(folder)


def test_a_changed_result_is_found(finished: dict[str, Path], tmp_path: Path) -> None:
    folder = Path(shutil.copytree(finished["every table"], tmp_path / "cup"))
    results = folder / "results.json"
    results.write_text(results.read_text().replace('"games"', '"gamez"', 1))
    with pytest.raises(DamagedFolderError, match="not what the chunks add up to"):
        verify_folder(folder)


def test_a_chunk_of_another_tournament_is_refused(
    finished: dict[str, Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(finished["every table"], tmp_path / "cup"))
    shutil.copy(finished["gauntlet"] / chunk_name(0), folder / chunk_name(0))
    with pytest.raises(DamagedFolderError, match="belongs to another run"):
        load(folder)


@pytest.mark.parametrize("kind", ["every table", "sample", "gauntlet"])
def test_more_games_extend_a_finished_tournament_and_say_so(
    kind: str, finished: dict[str, Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(finished[kind], tmp_path / "cup"))
    games = few(600, 24)
    longer = in_folder(folder, planned(kind, games=games), resume=True)
    direct = run_tournament(planned(kind, games=games))
    assert longer.played.part.record() == direct.played.part.record()
    assert longer.numbers["intervals"] == ALWAYS, "it went on after it was looked at"
    assert direct.numbers["intervals"] == FIXED
    assert load(folder).numbers == longer.numbers
    rates = [row["win_rate"] for row in direct.numbers["policies"]]
    assert [row["win_rate"] for row in longer.numbers["policies"]] == rates


def test_another_tournament_is_refused_and_what_differs_is_named(
    finished: dict[str, Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(finished["every table"], tmp_path / "cup"))
    before = everything(folder)
    for more, said in (
        ({"seed": SEED + 1}, "seed was 73, is 74"),
        ({"players": 2}, "players was 3, is 2"),
        ({"policies": ("dart", "dart:at=59", "random")}, "dart:at=60"),
        ({"options": {"luck": 5}}, "luck was 4000, is 5"),
        ({"race": True}, "race was False, is True"),
    ):
        with pytest.raises(UsageError) as refused:
            in_folder(folder, planned("every table", **more), resume=True)
        assert said in str(refused.value)
    with pytest.raises(UsageError, match="add --resume"):
        in_folder(folder, planned("every table"))
    assert everything(folder).keys() - before.keys() <= {".lock"}


def test_a_folder_keeps_the_design_that_was_drawn(
    finished: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A library that draws otherwise changes neither what is shown nor what goes on."""
    from simlab.experiments.tournaments import design

    folder = Path(shutil.copytree(finished["sample"], tmp_path / "cup"))
    numbers = load(folder).numbers
    real = design.balanced
    monkeypatch.setattr(
        design,
        "balanced",
        lambda policies, players, tables, seed: real(policies, players, tables, 5),
    )
    assert (planned("sample").design.seats != load(folder).played.tournament.design.seats).any()
    assert load(folder).numbers == numbers
    assert in_folder(folder, planned("sample"), resume=True).played.played_games == 0


def test_partial_results_are_shown_once_every_table_has_played(tmp_path: Path) -> None:
    tournament = planned("every table", chunk=few(40, 4))
    early = in_folder(tmp_path / "early", tournament, stop_after=1)
    with pytest.raises(UsageError, match="of 10 tables have not played yet"):
        early.numbers  # noqa: B018 - it is what is tried
    assert early.not_whole() is not None
    rounds = tournament.ends[0] * 10 + 20
    late = in_folder(tmp_path / "late", tournament, stop_after=rounds)
    assert not late.played.complete
    assert late.not_whole() is None
    assert late.numbers["games"] < run_tournament(tournament).numbers["games"]
    assert "(partial)" in repr(late)
    assert load(tmp_path / "late").numbers == late.numbers


def test_only_a_tournament_is_read_as_one(tmp_path: Path) -> None:
    study = simlab.Study.of(DARTS, ["random", "dart"], games=8)
    simlab.run(study, place=Place(tmp_path / "run"))
    with pytest.raises(UsageError, match="holds no tournament"):
        tournament_of(tmp_path / "run")


# --- Frames and JSON --------------------------------------------------------------------------


def test_json_has_the_promised_keys_and_no_nan() -> None:
    found = json.loads(json.dumps(played().record, allow_nan=False))
    assert {"study", "tables", "games", "policies", "head_to_head", "meta"} <= set(found)
    for row in found["policies"]:
        assert {"policy", "win_rate", "ci95", "rating", "rating_ci95"} <= set(row)
        assert row["ci95"][0] <= row["win_rate"] <= row["ci95"][1]
        assert row["rating_ci95"][0] <= row["rating"] <= row["rating_ci95"][1]
    assert set(found["head_to_head"]) == {"policies", "matrix", "ci95"}
    keys = {"equilibrium", "alpha_rank", "replicator", "dominant", "cycles", "bootstrap"}
    assert keys <= set(found["meta"])
    assert set(found["study"]) >= FACTS
    assert found["study"]["design"]["kind"] == "every table"
    assert {"seconds", "startup_seconds", "games_per_second", "complete"} <= set(found)


def test_frames_agree_with_the_json() -> None:
    results = played()
    frame = results.summary()
    assert frame["win_rate"].is_monotonic_decreasing
    rows = {row["policy"]: row for row in results.numbers["policies"]}
    for line in frame.to_dict("records"):
        row = rows[line["policy"]]
        assert [line["low"], line["high"]] == row["ci95"]
        assert [line["rating_low"], line["rating_high"]] == row["rating_ci95"]
        assert line["best"] == row["best"]
    assert "10 tables" in repr(results)
    assert repr(results).count("\n") == 3


def test_three_lines_in_a_notebook_play_a_tournament(tmp_path: Path) -> None:
    more = {"games": few(40, 4), "players": 2, "seed": SEED, "out": tmp_path / "cup"}
    more["resume"] = True
    results = simlab.tournament("fantastique", ["greedy", "random"], finale="III", **more)
    assert results.numbers["study"]["options"]["finale"] == "III"
    assert results.summary()["policy"].tolist()[0] == "greedy"
    again = simlab.tournament("fantastique", ["greedy", "random"], finale="III", **more)
    assert again.played.played_games == 0

"""Reports of run folders and of one's own studies: each kind, tiny, partial, damaged, crowded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simlab.compiled import INTERPRETED
from simlab.errors import UsageError
from simlab.experiments.batches import Watch
from simlab.experiments.comparing import comparison, read_varied
from simlab.experiments.folders import DamagedFolderError
from simlab.experiments.running import Place, run, run_comparison
from simlab.experiments.study import Study, write_study
from simlab.experiments.tournaments.playing import run_tournament
from simlab.experiments.tournaments.schedule import Tournament
from simlab.games.fantastique import GAME
from simlab.policies import read_policies
from simlab.reports.making import report

GAMES = 8 if INTERPRETED else 60


def played(folder: Path, *policies: str, **more: Any) -> Path:
    given: dict[str, Any] = {"games": GAMES} | more
    run(Study.of(GAME, policies, **given), place=Place(folder))
    return folder


def compared(folder: Path, *policies: str) -> Path:
    varied = read_varied(["hand=8,10"])
    run_comparison(comparison(GAME, policies, varied, games=GAMES), varied, place=Place(folder))
    return folder


def met(folder: Path, *policies: str, **more: Any) -> Path:
    given: dict[str, Any] = {"players": 2, "games": GAMES} | more
    run_tournament(Tournament.of(GAME, policies, **given), Place(folder))
    return folder


def pages(out: Path) -> tuple[str, dict[str, Any]]:
    """The Markdown form and the numbers."""
    content: dict[str, Any] = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert (out / "index.html").stat().st_size > 5000
    return (out / "report.md").read_text(encoding="utf-8"), content


def reported(out: Path, *folders: Path) -> tuple[str, dict[str, Any]]:
    report(list(folders), out)
    return pages(out)


def test_a_run_a_comparison_and_a_tournament_make_one_page(tmp_path: Path) -> None:
    folders = (
        played(tmp_path / "night", "greedy", "random", save_games=True),
        compared(tmp_path / "hands", "greedy", "random"),
        met(tmp_path / "cup", "greedy", "random", "miser"),
    )
    said, content = reported(tmp_path / "out", *folders)
    for heading in ("## Run night", "## Comparison hands", "## Tournament cup", "How it plays"):
        assert heading in said
    drawn = {name for name in content["files"] if name.endswith(".svg")}
    assert drawn == {f"figures/{name}.svg" for name in ("run-1-rates", "run-2", "run-3")}
    won = [content["numbers"][f"run-1.{name}.win_rate"]["value"] for name in ("greedy", "random")]
    assert sum(won) == pytest.approx(1)


def test_the_same_bytes_from_the_same_folders(tmp_path: Path) -> None:
    folder = played(tmp_path / "night", "greedy", "random")
    for out in ("one", "other"):
        reported(tmp_path / out, folder)
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*")]
    assert len(files) > 4
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_one_policy_in_every_seat_says_that_there_is_nothing_to_win(tmp_path: Path) -> None:
    said, _ = reported(tmp_path / "out", played(tmp_path / "alike", "greedy", "greedy"))
    assert "greedy sits in every seat: each wins its share" in said
    said, _ = reported(tmp_path / "out2", compared(tmp_path / "same", "greedy", "greedy"))
    assert "greedy holds every seat: its win rate is fixed by symmetry." in said


def test_one_game_has_no_interval_and_still_a_page(tmp_path: Path) -> None:
    said, content = reported(
        tmp_path / "out", played(tmp_path / "single", "greedy", "random", games=1, seating="fixed")
    )
    assert "1 run, 1 games" in said or "1 game" in said
    assert content["numbers"]["run-1.greedy.win_rate"]["value"] in (0, 0.5, 1)
    assert "nan" not in said.lower()


def test_many_policies_with_names_of_sixty_letters(tmp_path: Path) -> None:
    words = [
        f"balanced:card={7 if n == 1 else -9.125 * n},choice=0.123456,deny=0.123456,late=1.012345,"
        "typical=2.512345"
        for n in range(1, 13)  # but for the first they throw their cards away: quickly told apart
    ]
    policies = [policy.text for word in words for policy in read_policies(GAME, [f"2x{word}"])[:1]]
    assert min(map(len, policies)) >= 60
    cup = met(tmp_path / "cup", *words, games=40)
    said, content = reported(tmp_path / "out", cup)
    assert all(policy in said for policy in policies)
    assert "figures/run-1.svg" in content["files"]


def test_a_partial_run_says_so_at_the_top(tmp_path: Path) -> None:
    watch = Watch()

    def stop(plan: Any, part: Any, games: int) -> None:
        if part.counts[0].games:
            watch.stop.set()

    watch.progress = stop
    study = Study.of(GAME, ["greedy", "random"], games=4000, chunk=50)
    found = run(study, place=Place(tmp_path / "part"), workers=1, watch=watch)
    assert 0 < found.played.count.games < 4000
    said, content = reported(tmp_path / "out", tmp_path / "part")
    assert said.index("part is partial: its run was stopped before its end") < said.index("## ")
    assert len(content["warnings"]) == 1


def test_a_damaged_folder_is_refused_by_the_name_of_its_file(tmp_path: Path) -> None:
    folder = played(tmp_path / "night", "greedy", "random")
    chunk = folder / "chunks" / "000000.json"
    chunk.write_bytes(chunk.read_bytes()[:-9])
    with pytest.raises(DamagedFolderError, match=r"000000\.json"):
        report([folder], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("what", ["nothing", "empty", "file", "missing"])
def test_what_is_no_run_is_refused_in_one_line(what: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    folders = [] if what == "nothing" else [tmp_path / what]
    with pytest.raises(UsageError) as refused:
        report(folders, tmp_path / "out")
    assert "\n" not in str(refused.value)
    assert what == "nothing" or what in str(refused.value)


def test_a_word_that_is_nothing_is_told_what_it_might_be(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"'nigth' is no game \(fantastique, .*no folder.*no study"
    ):
        report("nigth", tmp_path / "out")


def test_a_run_that_went_on_says_why_its_intervals_are_wide(tmp_path: Path) -> None:
    folder = played(tmp_path / "night", "greedy", "random")
    assert "hold at every look" not in reported(tmp_path / "out", folder)[0]
    study = Study.of(GAME, ["greedy", "random"], games=2 * GAMES)
    run(study, place=Place(folder, resume=True))
    assert "hold at every look" in reported(tmp_path / "out", folder)[0]


def test_a_study_of_ones_own_is_played_and_gone_on_with(tmp_path: Path) -> None:
    study = Study.of(GAME, ["greedy", "random"], games=GAMES, options={"finale": "III"})
    write_study(study, tmp_path / "mine.toml")
    out = report(tmp_path / "mine.toml", tmp_path / "out", workers=1).parent
    said, content = pages(out)
    assert "finale = III" in said
    report(tmp_path / "mine.toml", tmp_path / "out", workers=1)
    assert pages(out) == (said, content)

"""A tiny balance study of Fantastique, played and reported: whole, right, and gone on with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from simlab.cli import main
from simlab.experiments.running import load
from simlab.experiments.standard import EFFORTS, Effort, Standard, Sweep
from simlab.experiments.standard import fantastique as declared
from simlab.games.fantastique import GAME
from simlab.reports.making import report

POLICIES = ("balanced", "greedy", "random")
TINY = Standard(
    game=GAME,
    policies=POLICIES,
    strongest="balanced",
    weakest="random",
    table=POLICIES,
    counts=(2, 3),
    special=tuple(replace(one, values=("I", "II")) for one in declared.STANDARD.special),
    sweeps=(
        Sweep("finale_gold", ("20", "0"), "golden finale medal", (20, 0)),
        Sweep("hand", ("10", "8"), "cards dealt", (10, 8)),
    ),
    options={"finale": "random"},
)


@pytest.fixture(scope="module", autouse=True)
def tiny() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(declared, "STANDARD", TINY)
        patch.setitem(EFFORTS, "quick", Effort(table=40, value=240, kept=120, traced=4))
        yield


@pytest.fixture(scope="module")
def folder(tiny: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("balance") / "r"
    return report("fantastique", out, effort="quick", seed=3, workers=1).parent


def numbers(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "report.json").read_text())["numbers"]
    return found


def games_of(folder: Path, name: str) -> pd.DataFrame:
    found: pd.DataFrame = load(folder / "runs" / name).games()
    return found


@pytest.mark.parametrize(
    "name", ["in-brief", "strategies", "seats", "sides", "rules", "play", "method"]
)
def test_every_section_is_there(folder: Path, name: str) -> None:
    assert f'<section id="{name}"' in (folder / "index.html").read_text(encoding="utf-8")


def test_every_rule_that_was_varied_has_its_words(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "Golden finale medal" in page
    assert "Cards dealt" in page


def test_every_command_of_the_method_is_on_the_page(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    for players in TINY.counts:
        said = f"simlab tournament fantastique {' '.join(POLICIES)} --players {players}"
        assert f"{said} --games 40 --set finale=random --seed 3" in page


@pytest.mark.parametrize("table", ["table-good", "table-random"])
def test_margins_and_close_endings_are_those_of_the_outcome_table(folder: Path, table: str) -> None:
    points = games_of(folder, table).groupby("game")["points"]
    ahead = points.agg(lambda one: one.nlargest(2).iloc[0] - one.nlargest(2).iloc[1])
    kept = numbers(folder)
    assert kept[f"play.{table}.margin"]["value"] == pytest.approx(ahead.mean())
    assert kept[f"play.{table}.close-endings"]["value"] == pytest.approx((ahead <= 3).mean())


def test_a_second_call_plays_nothing_and_writes_the_same_bytes(folder: Path) -> None:
    def files() -> dict[Path, bytes]:
        # A run's own record says how each opening of it went: no result.
        found = (path for path in folder.rglob("*") if path.is_file() and path.name != "run.json")
        return {path: path.read_bytes() for path in found}

    def times() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in folder.glob("runs/*/chunks/*")}

    written, played = files(), times()
    assert folder / "index.html" in written
    assert len(played) >= 11  # a chunk or more of each part
    report("fantastique", folder, effort="quick", seed=3, workers=1)
    assert files() == written
    assert times() == played


def test_a_folder_with_another_seeds_report_is_refused(folder: Path) -> None:
    from simlab.errors import UsageError

    with pytest.raises(UsageError, match=r"seed 3.*--overwrite"):
        report("fantastique", folder, effort="quick", seed=4, workers=1)


def test_the_list_names_the_sections_of_each_game(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["report", "--list"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    line = next(one for one in said.splitlines() if "fantastique" in one)
    for name in ("in-brief", "strategies", "sides", "method"):
        assert name in line

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
from simlab.experiments.batches import outcomes
from simlab.experiments.figures.style import colours_of
from simlab.experiments.outcome_tables import outcome_frame
from simlab.experiments.plans import TABLE_DEALS
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
        Sweep("finale_gold", ("20", "0"), "golden finale medal"),
        Sweep("hand", ("10", "8"), "cards dealt"),
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


def of_policy(games: pd.DataFrame, policy: str) -> float:
    return float(games.loc[games["policy"] == policy, "win_share"].mean())


def test_the_strongest_among_those_who_draw_lots_wins_what_its_games_say(folder: Path) -> None:
    games = games_of(folder, "table-skill")
    assert set(games["policy"]) == {"balanced", "random"}
    expected = of_policy(games, "balanced")
    assert numbers(folder)["skill.balanced"]["value"] == pytest.approx(expected)


@pytest.mark.parametrize("after", [1, 3, 6])
def test_a_leader_after_a_round_wins_as_often_as_its_games_say(folder: Path, after: int) -> None:
    games = games_of(folder, "table-good")
    best = games.groupby("game")[f"points_{after}"].transform("max")
    leaders = games[games[f"points_{after}"] == best]
    expected = leaders.groupby("game")["win_share"].mean().mean()
    found = numbers(folder)[f"play.table-good.leader-after-{after}"]["value"]
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("side", ["I", "II"])
def test_what_a_side_does_is_what_its_games_say_when_each_is_kept(folder: Path, side: str) -> None:
    sides = load(folder / "runs" / "vary-01-finale")
    (study,) = (one for one in sides.plan.studies if one.matchup.options["finale"] == side)
    games, found = outcome_frame(study, outcomes(study)), numbers(folder)
    played = games["game"].nunique()
    assert played == 240
    for policy in POLICIES:
        value = found[f"sides.{side}.{policy}.win_rate"]["value"]
        assert value == pytest.approx(of_policy(games, policy))
    medals = games["finale_points"].value_counts()
    assert found[f"sides.{side}.golden"]["value"] == pytest.approx(medals.get(20, 0) / played)
    assert found[f"sides.{side}.silver"]["value"] == pytest.approx(medals.get(10, 0) / played)
    assert found[f"sides.{side}.spread"]["value"] == pytest.approx(games["points"].std(ddof=0))
    assert found[f"sides.{side}.all.points"]["value"] == pytest.approx(games["points"].mean())
    weight = games["points"].cov(games["finale_points"]) / games["points"].var()
    assert found[f"sides.{side}.finale_weight"]["value"] == pytest.approx(weight)
    changed = games.groupby("game")["finale_changed_winner"].first().mean()
    assert found[f"sides.{side}.finale_changed_winner"]["value"] == pytest.approx(changed)


def test_differences_of_a_rule_are_those_of_the_same_games_under_both_values(folder: Path) -> None:
    results = load(folder / "runs" / "vary-03-finale-gold")
    printed, other = (outcome_frame(one, outcomes(one)) for one in results.plan.studies)
    for policy in POLICIES:
        expected = of_policy(other, policy) - of_policy(printed, policy)
        found = numbers(folder)[f"vary-03-finale-gold.0.{policy}.win_rate"]["value"]
        assert found == pytest.approx(expected)


def test_a_strategy_at_tables_of_two_meets_all_alike_itself_among_them(folder: Path) -> None:
    """Against itself it wins half; the others by the games of their own table."""
    tournament = load(folder / "runs" / "players-2").played.tournament
    won = {}
    for table, study in enumerate(tournament.studies):
        games = outcome_frame(study, outcomes(study, first_deal=TABLE_DEALS * table))
        won[study.matchup.texts] = {policy: of_policy(games, policy) for policy in POLICIES}
    met = [
        rates["balanced"]
        for pair, rates in won.items()
        if len(set(pair)) == 2 and "balanced" in pair
    ]
    assert len(met) == len(POLICIES) - 1
    found = numbers(folder)["strategies.2.balanced.win_rate"]["value"]
    assert found == pytest.approx((0.5 + sum(met)) / len(POLICIES))


def test_a_policy_keeps_its_colour_on_every_figure_of_the_page(folder: Path) -> None:
    """The dots of a policy that stands elsewhere in a line-up than among all strategies."""
    colours = colours_of(sorted(POLICIES))
    for name in ("strategies-rates", "sides"):
        drawing = (folder / "figures" / f"{name}.svg").read_text()
        assert all(colour.lower() in drawing.lower() for colour in colours.values()), name


def test_a_second_call_plays_nothing_and_writes_the_same_bytes(folder: Path) -> None:
    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

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

"""Fantastic Park's own sections: numbers by hand from outcome tables, words at their edges."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from simlab.cli import main
from simlab.compiled import INTERPRETED
from simlab.experiments.batches import outcomes
from simlab.experiments.figures import park_data, plot_park
from simlab.experiments.running import load
from simlab.experiments.standard import EFFORTS, Effort, Standard
from simlab.experiments.standard import fantastic_park as declared
from simlab.experiments.study import Study
from simlab.games.fantastic_park import GAME
from simlab.reports.document import Number
from simlab.reports.findings import Findings
from simlab.reports.games import fantastic_park as own
from simlab.reports.games.fantastic_park.rules import by_split, changed, least_and_most
from simlab.reports.games.fantastic_park.stacking import worth
from simlab.reports.games.fantastic_park.turns import against, rounds_ended, rounds_started
from simlab.reports.making import report
from simlab.reports.wording import key_of

POLICIES = ("planner", "grower", "keeper")
SEED = 5
VALUES = (("9/3", "7/6"), ("printed", "supply"), ("4", "2"), ("0.2", "-4", "4"))
TINY = Standard(
    game=GAME,
    policies=POLICIES,
    strongest="planner",
    weakest="random",
    table=POLICIES,
    counts=(2, 3),
    special=tuple(
        replace(sweep, values=values, policies=POLICIES)
        for sweep, values in zip(declared.STANDARD.special, VALUES, strict=True)
    ),
)
KEPT = 120


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    if INTERPRETED:
        pytest.skip("needs compiled games")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(declared, "STANDARD", TINY)
        patch.setitem(EFFORTS, "quick", Effort(table=40, value=150, kept=KEPT, traced=2))
        out = tmp_path_factory.mktemp("park") / "r"
        yield report("fantastic-park", out, effort="quick", seed=SEED, workers=1).parent


def value(folder: Path, key: str) -> float:
    found: float = json.loads((folder / "report.json").read_text())["numbers"][key]["value"]
    return found


def games_of(folder: Path, name: str) -> pd.DataFrame:
    found: pd.DataFrame = load(folder / "runs" / name).games()
    return found


# --- What is on the page ---------------------------------------------------------------------


@pytest.mark.parametrize("name", own.TITLES)
def test_every_section_is_on_the_page(folder: Path, name: str) -> None:
    assert f'<section id="{name}"' in (folder / "index.html").read_text(encoding="utf-8")


def test_in_brief_tells_of_tiles_turns_and_laying_on_top(folder: Path) -> None:
    page = (folder / "report.md").read_text(encoding="utf-8")
    brief = page[page.index("## In brief") : page.index("## Strategies")]
    for words in ("tiles", "is last in", "laying on top"):
        assert words in brief


def test_who_stacks_more_is_not_said_to_win_by_it(folder: Path) -> None:
    page = (folder / "report.md").read_text(encoding="utf-8")
    table = page.index("with more tiles on top than its median")
    assert "what went together, not what came of what" in page[table:]


def test_what_was_not_played_has_no_section() -> None:
    nothing = Findings(TINY, [], {})
    assert own.sections(nothing) == []
    assert own.in_brief(nothing) == []


def test_the_declared_study_can_be_played() -> None:
    """Every line-up holds known strategies, and every value is one that its rule takes."""
    from simlab.experiments.standard import parts_of

    standard = declared.STANDARD
    parts = list(parts_of(standard, standard.sized("quick")))
    assert len(parts) == len(standard.counts) + len(standard.all_sweeps) + 5
    for sweep in standard.all_sweeps:
        for setting in sweep.values if "." not in sweep.key else ():
            options = {**sweep.options, sweep.key: setting}
            Study.of(GAME, sweep.policies or standard.table, options=options)


# --- Numbers by hand -------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
def test_games_with_more_on_top_than_usual_are_those_of_the_outcome_table(
    folder: Path, policy: str
) -> None:
    games = games_of(folder, "table-good")
    mine = games[games["policy"] == policy]
    usual = mine["on_top"].median()
    more = mine.loc[mine["on_top"] > usual, "win_share"].mean()
    less = mine.loc[mine["on_top"] <= usual, "win_share"].mean()
    assert value(folder, f"stacking.{policy}.median") == usual
    assert value(folder, f"stacking.{policy}.more") == pytest.approx(more)
    assert value(folder, f"stacking.{policy}.not-more") == pytest.approx(less)
    assert value(folder, f"stacking.{policy}.difference") == pytest.approx(more - less)


def test_points_by_place_in_the_round_are_those_of_the_outcome_table(folder: Path) -> None:
    """Seat 0 starts round 1, seat 1 round 2, and so on."""
    gains: dict[int, list[int]] = {1: [], 2: [], 3: []}
    for row in games_of(folder, "table-best").to_dict("records"):
        before = 0
        for number in range(1, 7):
            place = (row["seat"] - (number - 1)) % 3 + 1
            gains[place].append(row[f"points_{number}"] - before)
            before = row[f"points_{number}"]
    for place, points in gains.items():
        assert value(folder, f"turns.place.{place}") == pytest.approx(np.mean(points))


@pytest.mark.parametrize("liking", VALUES[3])
def test_a_liking_for_laying_on_top_lays_as_many_on_top_as_the_games_say(
    folder: Path, liking: str
) -> None:
    study = Study.of(GAME, [f"planner:top={liking}", *POLICIES[1:]], games=150, seed=SEED)
    rows = outcomes(study)
    seat = study.seatings[rows["rotation"]].argmin(axis=1)  # of the first in the line-up
    on_top = rows["seats"]["on_top"][np.arange(len(rows)), seat]
    assert value(folder, key_of("liking", liking, "on_top")) == pytest.approx(on_top.mean())


@pytest.mark.parametrize("copies", VALUES[0])
def test_points_from_doubles_are_those_of_games_with_these_tiles(folder: Path, copies: str) -> None:
    study = Study.of(GAME, POLICIES, games=150, seed=SEED, options={"tiles": copies})
    found = outcomes(study)["seats"]["double_points"][:, :3].mean()
    assert value(folder, f"tiles.{copies}.double_points") == pytest.approx(found)


def test_six_rounds_leave_nine_tiles_in_the_supply_of_three_players_and_seven_none(
    folder: Path,
) -> None:
    facts = {"printed": (6, 54, 9), "supply": (7, 63, 0)}
    for name, (rounds, placed, left) in facts.items():
        assert value(folder, f"supply.{name}.rounds") == rounds
        assert value(folder, f"supply.{name}.placed") == placed
        assert value(folder, f"supply.{name}.left") == left


@pytest.mark.parametrize(
    ("players", "rounds", "started", "ended"),
    [
        (2, 8, [4, 4], [4, 4]),
        (3, 6, [2, 2, 2], [2, 2, 2]),
        (3, 7, [3, 2, 2], [2, 2, 3]),
        (4, 5, [2, 1, 1, 1], [1, 1, 1, 2]),
        (5, 4, [1, 1, 1, 1, 0], [1, 1, 1, 0, 1]),
    ],
)
def test_the_token_goes_on_by_a_seat_each_round(
    players: int, rounds: int, started: list[int], ended: list[int]
) -> None:
    assert rounds_started(players, rounds) == started
    assert rounds_ended(players, rounds) == ended


# --- The drawing -----------------------------------------------------------------------------

RECORD = {
    "events": [
        {"event": "place", "tile": ["blue", "green"], "cells": [[0, 0], [1, 0]], "level": 0},
        {"event": "place", "tile": ["pink", "yellow"], "cells": [[0, 1], [1, 1]], "level": 0},
        {"event": "tour", "tile": ["pink", "pink"]},
        {"event": "place", "tile": ["blue", "pink"], "cells": [[1, 1], [1, 0]], "level": 1},
    ]
}


def test_a_park_from_above_shows_what_lies_on_top() -> None:
    """b1 p2 in the upper row, p1 b2 in the lower: the last tile lies across the first two."""
    rows = park_data(RECORD).to_dict("records")
    assert [tuple(row.values()) for row in rows] == [
        (0, 0, "blue", 1, 0),
        (1, 0, "pink", 2, 2),
        (0, 1, "pink", 1, 1),
        (1, 1, "blue", 2, 2),
    ]


def test_the_drawing_has_a_word_for_each_cell_where_it_lies() -> None:
    axes = plot_park(park_data(RECORD))
    words = {text.get_position(): text.get_text() for text in axes.texts}
    assert words == {(0, 0): "b1", (1, 0): "p2", (0, 1): "p1", (1, 1): "b2"}
    low, high = axes.get_ylim()
    assert low > high  # y grows downwards, as in the record


def test_the_sample_counts_the_cells_of_its_record(folder: Path) -> None:
    trace = folder / "runs" / "table-good" / "trace" / "records.jsonl"
    record = json.loads(trace.read_text(encoding="utf-8").splitlines()[0])
    heights: dict[tuple[int, int], int] = {}
    for event in record["events"]:
        if event["event"] == "place":
            for x, y in event["cells"]:
                heights[x, y] = heights.get((x, y), 0) + 1
    assert value(folder, "sample.cells") == len(heights)
    assert value(folder, "sample.covered") == sum(height > 1 for height in heights.values())
    assert value(folder, "sample.highest") == max(heights.values())
    for seat, points in enumerate(record["result"]["points"]):
        assert value(folder, f"sample.{seat}.points") == points


def test_plot_draws_the_park_of_a_runs_first_game(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "park.png"
    with pytest.raises(SystemExit) as left:
        main(["plot", str(folder / "runs" / "table-good"), "park", "-o", str(path)])
    assert left.value.code in (0, None)
    assert str(path) in capsys.readouterr().out
    assert path.stat().st_size > 4_000


# --- Words at their edges --------------------------------------------------------------------


def number(low: float, high: float, key: str = "k") -> Number:
    return Number(key, (low + high) / 2, (low, high), "share", 100)


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ((0.2, 0.25), "cannot tell"),
        ((0.2, 0.2499), "less than"),
        ((0.25, 0.3), "cannot tell"),
        ((0.2501, 0.3), "more than"),
    ],
)
def test_a_win_rate_is_more_than_fair_only_if_its_interval_is(
    ends: tuple[float, float], words: str
) -> None:
    assert words in against(number(*ends), Number("fair", 0.25, None, "share"))


def test_least_and_most_are_told_only_where_intervals_do_not_meet() -> None:
    apart = [("9/3", number(0.30, 0.40)), ("7/6", number(0.41, 0.50)), ("5/9", number(0.3, 0.5))]
    assert least_and_most("A seat scores", apart).text.endswith("with 7/6.")
    touching = [("9/3", number(0.30, 0.40)), ("7/6", number(0.40, 0.50))]
    assert "cannot tell apart" in least_and_most("A seat scores", touching).text


def variants(key: str, rows: dict[str, tuple[float, float]], policy: str) -> Any:
    """Results of a comparison as the sentences read them."""
    found = []
    for setting, (low, high) in rows.items():
        row = {"policy": policy, "win_rate": (low + high) / 2, "ci95": [low, high]}
        row["columns"] = {"on_top": {"mean": 9.0, "ci95": [8.9, 9.1]}}
        found.append({"value": {key: setting}, "run": {"policies": [row], "deals": 100}})
    return SimpleNamespace(numbers={"variants": found, "baseline": found[0]["value"]})


def test_a_split_is_more_even_only_if_the_intervals_are_apart() -> None:
    told = by_split("p", variants("tiles", {"9/3": (0.3, 0.4), "7/6": (0.45, 0.5)}, "p")).text
    assert "wins least with 9/3" in told
    assert "most with 7/6" in told
    told = by_split("p", variants("tiles", {"9/3": (0.3, 0.4), "7/6": (0.35, 0.5)}, "p")).text
    assert told.startswith("No split of the tiles is shown to be more even")


def with_difference(results: Any, setting: dict[str, str], policy: str, p: float) -> Any:
    row = {"value": setting, "policy": policy, "measure": "win_rate", "difference": -0.1}
    results.numbers["differences"] = [row | {"ci95": [-0.15, -0.05], "p_holm": p}]
    return results


@pytest.mark.parametrize(("p", "words"), [(0.05, "changes by -10"), (0.051, "no change")])
def test_a_change_is_told_only_if_the_data_support_it(p: float, words: str) -> None:
    rows = {"4": (0.3, 0.4), "2": (0.2, 0.3)}
    results = variants("double_unique", rows, "double-hunter")
    told = changed(
        with_difference(results, {"double_unique": "2"}, "double-hunter", p), "double-hunter"
    )
    assert words in told.text
    likings = variants("planner.top", {"0.2": (0.3, 0.4), "-4": (0.2, 0.3)}, "planner")
    told = worth(with_difference(likings, {"planner.top": "-4"}, "planner", p), 0)
    assert words in told.text
    assert "shuns laying on top (-4)" in told.text

"""A notebook: one line for a study, and one clear line for everything that does not fit in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from by_hand import few, one_line

import simlab
from simlab.errors import UsageError
from simlab.experiments.study import Study
from simlab.games.fantastique import GAME

GAMES = few(40, 4) * 2
TABLE = ["greedy", "spoiler"]


def simulated(*words: Any, **more: Any) -> Any:
    return simlab.simulate("fantastique", *words, **{"games": GAMES, **more}).numbers


def compared(*words: Any, **more: Any) -> Any:
    return simlab.compare("fantastique", *words, **{"games": GAMES, **more}).numbers


def test_policies_may_be_one_text_as_on_the_command_line() -> None:
    assert simulated("greedy spoiler") == simulated(TABLE)
    assert simulated(" greedy  3xspoiler ") == simulated(["greedy", "spoiler*3"])
    sides = {"finale": ["I", "II"]}
    assert compared("greedy spoiler", vary=sides) == compared(tuple(TABLE), vary=sides)


def test_rules_are_given_one_by_one_or_together_to_run_and_to_compare() -> None:
    both = {"finale": "II", "rounds": 6}
    assert simulated(TABLE, **both) == simulated(TABLE, options=both)
    assert simulated(TABLE, finale="II", options={"rounds": 6}) == simulated(TABLE, options=both)
    hands = {"hand": [9, 10]}
    found = compared(TABLE, vary=hands, **both)
    assert found == compared(TABLE, vary=hands, options=both)
    options = [one["run"]["study"]["options"] for one in found["variants"]]
    assert [(one["finale"], one["rounds"], one["hand"]) for one in options] == [
        ("II", 6, 9),
        ("II", 6, 10),
    ]


def test_what_is_varied_may_be_one_text_with_commas_or_any_list() -> None:
    listed = compared(TABLE, vary={"finale": ["I", "II"]})
    for values in ("I,II", ("I", "II"), np.array(["I", "II"]), iter(["I", "II"])):
        assert compared(TABLE, vary={"finale": values}) == listed
    assert compared(TABLE, vary={"hand": np.array([9, 10])}) == compared(
        TABLE, vary={"hand": "9,10"}
    )


def test_a_game_itself_is_as_good_as_its_name() -> None:
    assert simlab.simulate(GAME, TABLE, GAMES).numbers == simulated(TABLE)


def test_a_run_is_kept_and_goes_on_as_on_the_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "night"
    first = simlab.simulate(
        "fantastique", TABLE, GAMES, luck=5, out=str(folder), save_games=True, seating="fixed"
    )
    assert first.folder == folder
    assert len(first.games()) == 2 * GAMES
    assert first.study.luck == 5
    more = {"luck": 5, "save_games": True, "seating": "fixed", "resume": True}
    longer = simlab.simulate("fantastique", TABLE, 2 * GAMES, out=folder, **more)
    assert longer.played.played_games == 2 * GAMES
    assert len(simlab.load(folder).games()) == 4 * GAMES
    assert longer.numbers["policies"] != simulated(TABLE, games=2 * GAMES)["policies"], "the luck"
    anew = simlab.simulate("fantastique", TABLE, GAMES, out=folder, overwrite=True)
    assert anew.numbers == simulated(TABLE)


def test_a_comparison_is_kept_and_goes_on_too(tmp_path: Path) -> None:
    folder, vary = tmp_path / "night", {"finale": "I,II"}
    compared(TABLE, vary=vary, out=folder)
    again = simlab.compare("fantastique", TABLE, GAMES, vary=vary, out=folder, resume=True)
    assert again.played.played_games == 0
    assert again.numbers == compared(TABLE, vary=vary)


SIDES: dict[str, Any] = {"finale": ["I", "II"]}
WRONG: list[tuple[dict[str, Any], list[str]]] = [
    ({"workers": -1}, ["workers", "1 to 1024", "-1"]),
    ({"workers": 0}, ["workers", "1 to 1024", "0"]),
    ({"workers": 2.5}, ["workers", "2.5"]),
    ({"workers": True}, ["workers", "True"]),
    ({"workers": "two"}, ["workers", "'two'"]),
    ({"out": ""}, ["out", "folder", "''"]),
    ({"out": 7}, ["out", "folder", "7"]),
    ({"resume": True}, ["--out"]),
    ({"finle": "I"}, ["finle", "did you mean finale"]),
    ({"options": ["finale"]}, ["options", "['finale']"]),
    ({"options": {"rounds": 6}, "rounds": 7}, ["rounds", "twice"]),
    ({"luck": -1}, ["luck", "-1"]),
    ({"seed": "one"}, ["seed", "'one'"]),
    ({"policies": 3}, ["policies", "3"]),
    ({"policies": [3, 4]}, ["policies", "[3, 4]"]),
    ({"policies": ""}, ["2 to 5 players, got 0"]),
]
WRONG_COMPARISONS: list[tuple[dict[str, Any], list[str]]] = [
    ({"vary": {"finale": "III"}}, ["two values", "--vary"]),
    ({"vary": {"finale": ["III"]}}, ["two values"]),
    ({"vary": {"hand": 9}}, ["two values"]),
    ({"vary": {"finale": []}}, ["KEY=V1,V2"]),
    ({"vary": {}}, ["two values"]),
    ({"vary": "finale=I,II"}, ["vary", "{'finale': ['I', 'II']}", "'finale=I,II'"]),
    ({"vary": SIDES, "finale": "II"}, ["finale", "both set and varied"]),
    ({"vary": SIDES, "baseline": "III"}, ["III", "I; II"]),
    ({"vary": SIDES, "margin": -1}, ["margin", "-1"]),
]


@pytest.mark.parametrize(("more", "parts"), WRONG, ids=lambda value: str(value))
def test_what_does_not_fit_is_one_line(
    more: dict[str, Any], parts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    policies = more.get("policies", TABLE)
    rest = {key: value for key, value in more.items() if key != "policies"}
    for call, given in ((simlab.simulate, {}), (simlab.compare, {"vary": {"hand": [8, 9]}})):
        with pytest.raises(UsageError) as raised:
            call("fantastique", policies, GAMES, **given, **rest)
        assert one_line(str(raised.value), *parts)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("more", "parts"), WRONG_COMPARISONS, ids=lambda value: str(value))
def test_a_comparison_that_does_not_fit_is_one_line(more: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(UsageError) as raised:
        simlab.compare("fantastique", TABLE, GAMES, **more)
    assert one_line(str(raised.value), *parts)


@pytest.mark.parametrize("workers", [-1, 0, 1.0, 2000])
def test_a_study_is_told_of_wrong_workers_too(workers: Any) -> None:
    study = Study.of("fantastique", TABLE, games=2)
    with pytest.raises(UsageError) as raised:
        simlab.run(study, workers=workers)
    assert one_line(str(raised.value), "workers", repr(workers))
    assert simlab.run(study, workers=np.int64(1)).numbers["games"] == 2

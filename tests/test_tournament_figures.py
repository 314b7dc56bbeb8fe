"""Figures of tournaments and searches: the numbers by value, and what is drawn says them."""

from __future__ import annotations

import math
from copy import deepcopy
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cups import DARTS
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.container import ErrorbarContainer
from test_figures import NASTY, picture

import simlab
from simlab.cli import folder
from simlab.compiled import INTERPRETED
from simlab.errors import UsageError
from simlab.experiments import figures
from simlab.experiments.figures import kinds
from simlab.experiments.figures.meetings import STRONG
from simlab.experiments.figures.style import colours_of, new_axes

GAMES = 8 if INTERPRETED else 200


def numbers_of(*policies: str, focus: str | None = None) -> dict[str, Any]:
    """As `TournamentResults.numbers`, as far as figures look; the first is the weakest."""
    count = len(policies)
    rows = []
    for n, policy in enumerate(policies):
        rate = (n + 1) / (count + 1)
        against = [
            {"policy": other, "win_rate": rate + 0.01 * m, "ci95": [rate - 0.02, rate + 0.05]}
            for m, other in enumerate(policies)
            if other != policy
        ]
        seats = [
            {"seat": 0, "win_rate": rate, "ci95": [rate - 0.1, rate + 0.1]},
            {"seat": 1, "win_rate": rate + 0.05, "ci95": None},
            {"seat": 2, "win_rate": None, "ci95": None},
        ]
        row = {"policy": policy, "win_rate": rate, "ci95": [rate - 0.1, rate + 0.1]}
        row |= {"rating": 100.0 * n, "rating_ci95": [100.0 * n - 30, 100.0 * n + 20]}
        rows.append({**row, "against": against, "seats": seats})
    matrix = [
        [None if i == j else 0.5 + 0.5 * (i - j) / count for j in range(count)]
        for i in range(count)
    ]
    meetings = {"policies": list(policies), "matrix": matrix}
    return {
        "study": {"players": 4, "focus": focus},
        "policies": rows,
        "head_to_head": meetings,
    }


def search_of(*keys: str) -> dict[str, Any]:
    """As `TuningResults.numbers`: two generations."""
    search = [
        {"generation": n, "games": 100, "least": 0.1, "median": 0.2 + n / 10, "most": 0.5}
        | {"mean": dict.fromkeys(keys, 2.0 + n), "deviation": dict.fromkeys(keys, 0.5)}
        for n in range(2)
    ]
    worth = [
        {"parameter": key, "start": 1.0, "found": 2.0, "difference": 0.01 * n}
        | {"ci95": [0.01 * n - 0.02, 0.01 * n + 0.03], "p_holm": 0.01 if n else 0.5}
        for n, key in enumerate(keys)
    ]
    return {"search": search, "parameters": worth}


# --- Head to head -----------------------------------------------------------------------------


def test_the_map_of_meetings_is_in_the_order_of_win_rates_and_in_per_cent() -> None:
    frame = figures.head_to_head_data(numbers_of("low", "mid", "top"))
    assert frame["policy"].tolist() == ["top"] * 3 + ["mid"] * 3 + ["low"] * 3
    assert frame["rival"].tolist() == ["top", "mid", "low"] * 3
    table = frame.pivot_table(index="row", columns="column", values="ahead", dropna=False)
    expected = [
        [math.nan, 200 / 3, 250 / 3],
        [100 / 3, math.nan, 200 / 3],
        [50 / 3, 100 / 3, math.nan],
    ]
    assert table.to_numpy() == pytest.approx(np.array(expected), nan_ok=True)


def cells(axes: Axes) -> list[Any]:
    return [text for text in axes.texts if text.get_text().replace(".", "").isdigit()]


def test_each_pair_that_met_has_its_number_in_its_cell() -> None:
    axes = figures.plot_head_to_head(figures.head_to_head_data(numbers_of("low", "mid", "top")))
    written = {text.xy: text.get_text() for text in cells(axes)}
    assert written[(1.5, 0.5)] == "66.7"
    assert written[(0.5, 2.5)] == "16.7"
    assert len(written) == 6, "nothing on the diagonal"
    (mesh,) = [one for one in axes.collections if isinstance(one, QuadMesh)]
    assert mesh.get_clim() == (0, 100)
    assert axes.yaxis_inverted()
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["1 top", "2 mid", "3 low"]


def test_numbers_stand_out_from_their_shade() -> None:
    """White on the dark ends of the map, dark in its middle."""
    axes = figures.plot_head_to_head(figures.head_to_head_data(numbers_of(*"abcdefgh")))
    for text in cells(axes):
        strong = abs(float(text.get_text()) - 50) > STRONG
        assert (text.get_color() == "white") == strong


@pytest.mark.parametrize("count", [2, 12, 13, 30])
def test_a_map_of_2_to_30_policies_has_room_for_each_number_and_each_name(count: int) -> None:
    names = [f"policy-{n}:parameter={n / 7:.3f}" for n in range(count)]
    axes = figures.plot_head_to_head(figures.head_to_head_data(numbers_of(*names)))
    axes.figure.canvas.draw()
    width = axes.transData.transform((1, 0))[0] - axes.transData.transform((0, 0))[0]
    for text in cells(axes):
        assert text.get_window_extent().width < width
        assert text.get_fontsize() >= 6.0
    boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert min(box.x0 for box in boxes) >= 0, "and the names are on the paper"
    digits = {"." in text.get_text() for text in cells(axes)}
    assert digits == {count <= 12}


def test_two_that_never_met_have_an_empty_cell() -> None:
    numbers = numbers_of("a", "b")
    numbers["head_to_head"]["matrix"] = [[None, None], [None, None]]
    axes = figures.plot_head_to_head(figures.head_to_head_data(numbers))
    assert cells(axes) == []


# --- Ratings and gauntlets --------------------------------------------------------------------


def test_ratings_are_drawn_the_strongest_first_with_their_intervals() -> None:
    frame = figures.rating_data(numbers_of("low", "mid", "top"))
    assert frame["policy"].tolist() == ["top", "mid", "low"]
    assert frame[["rating", "low", "high"]].to_numpy().tolist() == [
        [200, 170, 220],
        [100, 70, 120],
        [0, -30, 20],
    ]
    axes = figures.plot_ratings(frame)
    bars = [one for one in axes.containers if isinstance(one, ErrorbarContainer)]
    assert len(bars) == 3
    ends = bars[0].lines[2][0].get_segments()[0][:, 0].tolist()
    assert ends == [170, 220]
    assert "+200" in [text.get_text() for text in axes.texts]
    shades = colours_of(["low", "mid", "top"])
    assert bars[0].lines[0].get_color() == shades["top"]


def test_a_gauntlet_is_drawn_by_seat_and_by_opponent() -> None:
    seats, opponents = figures.gauntlet_data(numbers_of("low", "mid", "top", focus="mid"))
    assert seats["seat"].tolist() == [0, 1], "it never sat in seat 2"
    assert seats["win_rate"].tolist() == pytest.approx([50, 55])
    assert seats["low"].tolist() == pytest.approx([40, math.nan], nan_ok=True)
    assert set(seats["fair"]) == {25.0}
    assert opponents["opponent"].tolist() == ["top", "low"]
    assert opponents["win_rate"].tolist() == pytest.approx([52, 50])
    above, below = figures.plot_gauntlet(seats, opponents)
    assert above.figure is below.figure
    assert [label.get_text() for label in below.get_yticklabels()] == ["top", "low"]
    with pytest.raises(UsageError, match="--focus"):
        figures.gauntlet_data(numbers_of("a", "b"))


# --- Searches ---------------------------------------------------------------------------------


def test_a_search_is_drawn_by_generation_with_the_way_of_each_parameter() -> None:
    rates, paths = figures.search_data(search_of("hold", "chase"))
    shares = rates[["least", "median", "most"]].to_numpy()
    assert shares == pytest.approx(np.array([[10, 20, 50], [10, 30, 50]]))
    first = paths[paths["parameter"] == "hold"]
    assert first[["value", "low", "high", "start"]].to_numpy().tolist() == [
        [2, 1.5, 2.5, 1],
        [3, 2.5, 3.5, 1],
    ]
    above, below = figures.plot_search(rates, paths)
    assert list(above.lines[0].get_ydata()) == pytest.approx([20, 30])  # type: ignore[arg-type]
    assert len(below) == 2
    assert below[1].lines[-1].get_ydata().tolist() == [2, 3]  # type: ignore[union-attr]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 10])
def test_every_parameter_of_a_search_has_a_place_of_its_own(count: int) -> None:
    keys = [f"parameter_{n}" for n in range(count)]
    above, below = figures.plot_search(*figures.search_data(search_of(*keys)))
    above.figure.canvas.draw()
    boxes = [axes.get_window_extent() for axes in [above, *below]]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert min(box.width for box in boxes) > 80
    assert len({tuple(np.round(box.extents)) for box in boxes}) == count + 1


def test_worth_is_in_points_the_most_first_and_filled_if_sure() -> None:
    frame = figures.worth_data(search_of("idle", "some", "much"))
    assert frame["parameter"].tolist() == ["much", "some", "idle"]
    assert frame["worth"].tolist() == pytest.approx([2, 1, 0])
    assert frame["low"].tolist() == pytest.approx([0, -1, -2])
    assert frame["sure"].tolist() == [True, True, False]
    axes = figures.plot_worth(frame)
    faces = [bar.lines[0].get_markerfacecolor() for bar in axes.containers]
    assert faces[0] == faces[1] != faces[2]
    unjudged = search_of("a")
    del unjudged["parameters"][0]["ci95"]
    with pytest.raises(UsageError, match="not been judged yet"):
        figures.worth_data(unjudged)


# --- Any of them ------------------------------------------------------------------------------

MADE: dict[str, tuple[Any, Any, Any]] = {
    "head-to-head": (figures.head_to_head_data, figures.plot_head_to_head, numbers_of("a", "b")),
    "ratings": (figures.rating_data, figures.plot_ratings, numbers_of("a", "b")),
    "gauntlet": (figures.gauntlet_data, figures.plot_gauntlet, numbers_of("a", "b", focus="a")),
    "search": (figures.search_data, figures.plot_search, search_of("a", "b")),
    "worth": (figures.worth_data, figures.plot_worth, search_of("a", "b")),
}


@pytest.mark.parametrize("kind", MADE)
def test_no_figure_changes_what_it_was_given_nor_draws_nothing(kind: str) -> None:
    shape, draw, numbers = MADE[kind]
    before = deepcopy(numbers)
    frames = shape(numbers)
    assert numbers == before
    frames = frames if isinstance(frames, tuple) else (frames,)
    kept = deepcopy(frames)
    draw(*frames)
    assert all(one.equals(other) for one, other in zip(frames, kept, strict=True))
    with pytest.raises(UsageError, match="nothing to draw"):
        draw(*(frame.iloc[:0] for frame in frames))


@pytest.mark.parametrize("kind", ["head-to-head", "ratings", "worth"])
def test_figures_of_one_part_may_be_drawn_on_given_axes(kind: str) -> None:
    shape, draw, numbers = MADE[kind]
    axes = new_axes()
    assert draw(shape(numbers), axes) is axes


def test_names_of_any_kind_are_drawn_as_they_are() -> None:
    axes = figures.plot_head_to_head(figures.head_to_head_data(numbers_of(*NASTY)))
    assert picture(axes)
    assert picture(figures.plot_ratings(figures.rating_data(numbers_of(*NASTY))))
    numbers = numbers_of(*NASTY, focus=NASTY[0])
    above, _ = figures.plot_gauntlet(*figures.gauntlet_data(numbers))
    assert picture(above)


# --- Which results offer which ----------------------------------------------------------------


@cache
def results_of(what: str) -> Any:
    """Quick results of each sort."""
    if what == "search":
        games = 12_000
        return simlab.tune(DARTS, "dart", "random", games=games, judged=64, params=["at"])
    if what == "run":
        return simlab.run(simlab.Study.of(DARTS, ["dart", "random"], games=64))
    more = {"gauntlet": {"focus": "dart"}, "two": {}, "three": {}, "four": {}}[what]
    names = ["dart", "random", "sleeper", "dart:at=60"][: {"two": 2, "four": 4}.get(what, 3)]
    return simlab.tournament(DARTS, names, games=GAMES, players=2, **more)  # type: ignore[arg-type]


TOURNAMENT = ["win-rates", "head-to-head", "ratings"]
MIXES = ["mix", "alpha-rank", "trajectories"]
OFFERED = {
    "search": ["search", "worth"],
    "run": ["win-rates", "seats", "points", "rounds", "convergence"],
    "gauntlet": ["gauntlet", *TOURNAMENT],
    "two": [*TOURNAMENT, *MIXES],
    "three": [*TOURNAMENT, *MIXES, "flow"],
    "four": [*TOURNAMENT, *MIXES, "flow"],
}
needs_games = {"search"} if INTERPRETED else set()


@pytest.mark.parametrize("what", sorted(set(OFFERED) - needs_games))
def test_results_offer_the_figures_that_fit_them_and_no_others(what: str) -> None:
    results = results_of(what)
    _, offered = kinds.figures_of(results)
    assert list(offered) == OFFERED[what]
    for kind in set(figures.KINDS) - set(offered):
        with pytest.raises(UsageError) as refused:
            figures.draw(kind, results)
        assert f"has no figure {kind}; it has {', '.join(offered)}" in str(refused.value)
        assert "\n" not in str(refused.value)
    with pytest.raises(UsageError, match="unknown figure"):
        figures.draw("pie", results)


@pytest.mark.parametrize("what", sorted({"gauntlet", "four", "search"} - needs_games))
def test_every_figure_that_is_offered_is_drawn(what: str, tmp_path: Path) -> None:
    results = results_of(what)
    for kind in OFFERED[what]:
        path = tmp_path / f"{kind}.png"
        figures.save(figures.draw(kind, results), path)
        assert path.stat().st_size > 4_000


def test_the_flow_of_more_than_three_is_that_of_the_three_that_rank_first() -> None:
    meta = results_of("four").meta
    mass = dict(zip(meta.policies, meta.ranking.mass, strict=True))
    kept = kinds.three_of(meta).policies
    assert len(kept) == 3
    left = set(meta.policies) - set(kept)
    assert mass[left.pop()] <= min(mass[name] for name in kept)


def test_the_command_line_knows_the_figures_that_there_are() -> None:
    assert sorted(folder.KINDS) == sorted(figures.KINDS)
    for kind in figures.KINDS:
        assert kind in (folder.plot.help or "")


def test_frames_of_figures_are_frames() -> None:
    for shape, _, numbers in MADE.values():
        frames = shape(numbers)
        frames = frames if isinstance(frames, tuple) else (frames,)
        assert all(isinstance(frame, pd.DataFrame) for frame in frames)

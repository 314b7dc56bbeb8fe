"""Figures of the game theory: the numbers by hand, and that what is drawn is what they say."""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import deepcopy
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.patches import Circle, FancyArrowPatch
from matplotlib.quiver import Quiver
from matplotlib.text import Text
from metagame_games import (
    any_game,
    by_strength,
    hawk_dove,
    heavy_rock,
    prisoners,
    rock_paper_scissors,
    three_roads,
    tournament,
)
from test_figures import NASTY

from simlab.errors import UsageError
from simlab.experiments.figures import (
    COLOURS,
    alpha_rank_data,
    mix_data,
    new_axes,
    plot_alpha_rank,
    plot_mix,
    plot_replicator_flow,
    plot_trajectories,
    replicator_flow_data,
    save,
    trajectory_data,
)
from simlab.experiments.metagame import (
    AlphaRank,
    EmpiricalGame,
    MetaResult,
    Trajectory,
    alpha_rank,
    bootstrap,
    replicator,
)

HIGH = math.sqrt(3) / 2
RING = {"a": "b", "b": "c", "c": "a"}


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def picture(axes: Axes) -> bytes:
    axes.figure.canvas.draw()  # type: ignore[attr-defined]
    return bytes(axes.figure.canvas.buffer_rgba())  # type: ignore[attr-defined]


# --- The flow on the triangle ---------------------------------------------------------------


def mix_at(x: float, y: float) -> np.ndarray[Any, Any]:
    """The mix at a place of the triangle: corners at (0, 0), (1, 0) and (1/2, high)."""
    third = y / HIGH
    second = x - third / 2
    return np.array([1 - second - third, second, third])


def test_arrows_go_where_the_replicator_equation_goes() -> None:
    game = heavy_rock()
    arrows, _ = replicator_flow_data(game)
    assert list(arrows.columns) == ["x", "y", "dx", "dy", "speed"]
    assert len(arrows) == 13 * 14 // 2
    assert np.hypot(arrows["dx"], arrows["dy"]).to_numpy() == pytest.approx(0.045)
    for row in arrows.iloc[[0, 20, 50, 90]].itertuples():
        path = replicator(game, mix_at(float(str(row.x)), float(str(row.y))), horizon=1e-4)
        way = path.end - path.mixes[0]
        x, y = way[1] + way[2] / 2, way[2] * HIGH
        drawn = math.atan2(float(str(row.dy)), float(str(row.dx)))
        assert math.atan2(y, x) == pytest.approx(drawn, abs=1e-3)


def test_the_fastest_arrow_counts_one_and_equilibria_say_whether_they_are_stable() -> None:
    arrows, points = replicator_flow_data(three_roads())
    assert arrows["speed"].max() == pytest.approx(1)
    assert points["kind"].tolist() == ["corner"] * 3 + ["stable"]
    assert points["policy"].tolist()[:3] == ["long", "short", "steep"]
    assert mix_at(*points.loc[3, ["x", "y"]]) == pytest.approx([1 / 2, 1 / 3, 1 / 6])
    _, points = replicator_flow_data(rock_paper_scissors())
    assert points["kind"].tolist() == ["corner"] * 3 + ["unstable"]


def test_where_nothing_moves_there_are_no_arrows() -> None:
    arrows, points = replicator_flow_data(EmpiricalGame.of_matrix("abc", np.ones((3, 3))))
    assert arrows.empty
    picture(plot_replicator_flow(arrows, points))


def test_a_triangle_takes_three_policies() -> None:
    with pytest.raises(UsageError, match="of 3 policies, got 2; restrict the game"):
        replicator_flow_data(prisoners())


def test_the_flow_is_drawn_where_the_frames_say() -> None:
    arrows, points = replicator_flow_data(three_roads())
    axes = plot_replicator_flow(arrows, points)
    (drawn,) = [one for one in axes.collections if isinstance(one, Quiver)]
    assert np.asarray(drawn.XY) == pytest.approx(arrows[["x", "y"]].to_numpy())
    assert np.asarray(drawn.U) == pytest.approx(arrows["dx"].to_numpy())
    edge, stable = axes.lines
    assert np.asarray(edge.get_xydata()).tolist() == [[0, 0], [1, 0], [0.5, HIGH], [0, 0]]
    assert np.asarray(stable.get_xydata()) == pytest.approx(points.loc[[3], ["x", "y"]].to_numpy())
    assert to_hex(stable.get_markerfacecolor()) == "#222222"
    assert texts(axes)[:3] == ["long", "short", "steep"]
    assert [to_hex(text.get_color()).upper() for text in axes.texts[:3]] == list(COLOURS[:3])


# --- Shares over time -----------------------------------------------------------------------


def test_shares_over_time_are_per_cents_at_even_times() -> None:
    path = Trajectory(
        ("a", "b", "c"), np.array([0.0, 3.0, 4.0]),
        np.array([[0.5, 0.5, 0], [0.8, 0.2, 0], [1, 0, 0]]), settled=True,
    )  # fmt: skip
    found = trajectory_data(path)
    assert list(found.columns) == ["time", "policy", "share"]
    assert found["policy"].unique().tolist() == ["a", "b"], "c never has a share"
    times = found.loc[found["policy"] == "a", "time"].to_numpy()
    assert (times[0], times[-1], len(times)) == (0, 4, 400)
    assert np.diff(times) == pytest.approx(4 / 399)
    shares = found.loc[found["policy"] == "b", "share"].to_numpy()
    assert np.interp([0, 1.5, 3, 4], times, shares) == pytest.approx([50, 35, 20, 0], abs=0.2)


def test_a_crowd_that_rests_from_the_beginning_is_a_point() -> None:
    found = trajectory_data(replicator(rock_paper_scissors()))
    assert found["time"].tolist() == [0, 0, 0]
    picture(plot_trajectories(found))


def test_shares_are_drawn_with_names_at_their_ends() -> None:
    found = trajectory_data(replicator(prisoners()))
    axes = plot_trajectories(found)
    lines = [line for line in axes.lines if len(np.asarray(line.get_xdata())) > 1]
    for line, policy in zip(lines, ("silent", "talks"), strict=True):
        rows = found.loc[found["policy"] == policy, ["time", "share"]]
        assert np.asarray(line.get_xydata()).tolist() == rows.to_numpy().tolist()
    assert texts(axes) == ["silent", "talks"]
    assert axes.get_ylim()[0] == 0


# --- Alpha-rank -----------------------------------------------------------------------------


def rank_of(mass: list[float], takeover: list[list[float]], population: int = 100) -> AlphaRank:
    names = tuple("abcdefghi"[: len(mass)])
    return AlphaRank(names, 1.0, population, np.array(mass), np.array(takeover))


def test_policies_stand_in_a_circle_with_the_greatest_mass_on_top() -> None:
    nodes, _ = alpha_rank_data(rank_of([0.2, 0.1, 0.6, 0.1], np.full((4, 4), 0.01).tolist()))
    assert list(nodes.columns) == ["policy", "mass", "place", "x", "y"]
    assert nodes["policy"].tolist() == ["c", "a", "b", "d"]
    assert nodes["mass"].tolist() == pytest.approx([60, 20, 10, 10])
    assert nodes["place"].tolist() == [2, 0, 1, 3]
    assert nodes["x"].tolist() == pytest.approx([0, 1, 0, -1])
    assert nodes["y"].tolist() == pytest.approx([1, 0, -1, 0])


def test_an_arrow_goes_to_who_takes_over_more_often_than_chance() -> None:
    """In a crowd of 100 chance is 1 %; 10 % is half way to certainty, in logarithms."""
    _, arrows = alpha_rank_data(
        rank_of([0.75, 0.25, 0], [[0.01, 0.1, 1], [0.01, 0.01, 0.5], [0.002, 0, 0.01]])
    )
    assert list(arrows.columns) == ["source", "target", "chance", "strength", "flow"]
    found = arrows.set_index(["source", "target"])
    assert set(found.index) == {("b", "a"), ("c", "a"), ("c", "b")}
    assert found.loc[("b", "a"), "chance"] == 0.1
    assert found.loc[("b", "a"), "strength"] == pytest.approx(0.5)
    assert found.loc[("c", "a"), "strength"] == pytest.approx(1)
    assert found["flow"].tolist() == pytest.approx([1, 0, 0]), "c is never played"


def test_rock_paper_and_scissors_go_round() -> None:
    _, arrows = alpha_rank_data(alpha_rank(rock_paper_scissors(), 10.0))
    assert set(zip(arrows["source"], arrows["target"], strict=True)) == {
        ("rock", "paper"),
        ("paper", "scissors"),
        ("scissors", "rock"),
    }
    assert arrows["flow"].tolist() == pytest.approx([1, 1, 1])


def test_policies_alike_have_no_arrows_and_one_alone_is_a_disc() -> None:
    alike = EmpiricalGame.of_matrix("ab", np.ones((2, 2)))
    nodes, arrows = alpha_rank_data(alpha_rank(alike))
    assert arrows.empty
    picture(plot_alpha_rank(nodes, arrows))
    picture(plot_alpha_rank(*alpha_rank_data(alpha_rank(alike.restrict(["a"])))))


def test_discs_are_as_large_as_masses_and_arrows_go_from_edge_to_edge() -> None:
    nodes, arrows = alpha_rank_data(alpha_rank(hawk_dove(), 0.2))
    axes = plot_alpha_rank(nodes, arrows)
    discs = [one for one in axes.patches if isinstance(one, Circle)]
    sizes = [one.get_radius() for one in discs]
    parts = [math.sqrt(mass / 100) for mass in nodes["mass"]]
    assert sizes == pytest.approx([0.035 + 0.185 * part for part in parts])
    assert [to_hex(one.get_facecolor()).upper() for one in discs] == [
        COLOURS[place] for place in nodes["place"]
    ]
    (arrow,) = [one for one in axes.patches if isinstance(one, FancyArrowPatch)]
    begin, end = np.asarray(arrow._posA_posB)  # type: ignore[attr-defined]
    assert (begin[0], end[0]) == pytest.approx((0, 0), abs=1e-12)
    assert begin[1] == pytest.approx(-1 + sizes[1] + 0.03), "from the doves below"
    assert end[1] == pytest.approx(1 - sizes[0] - 0.03)
    names = [f"{name}\n{mass:.1f} %" for name, mass in nodes[["policy", "mass"]].to_numpy()]
    assert texts(axes)[:2] == names


# --- The mix --------------------------------------------------------------------------------


def a_result(names: tuple[str, ...] = ("a", "b", "c", "d")) -> MetaResult:
    ring = dict(zip(names[:3], [*names[1:3], names[0]], strict=True)) if len(names) > 2 else None
    strength = {name: 1.0 if place < 3 else 0.1 for place, name in enumerate(names)}
    return bootstrap(tournament(by_strength(strength, 2, ring), 500), 100)


def test_the_mix_is_in_per_cent_with_the_largest_share_first() -> None:
    result = a_result()
    found = mix_data(result)
    table = result.frame().set_index("policy")
    assert list(found.columns) == ["policy", "place", "share", "low", "high", "used"]
    assert found["policy"].tolist()[-1] == "d"
    assert found["share"].is_monotonic_decreasing
    for row in found.to_dict("records"):
        known = table.loc[row["policy"]]
        assert row["share"] == pytest.approx(100 * known["mix"])
        assert row["low"] == pytest.approx(100 * known["mix_low"])
        assert row["high"] == pytest.approx(100 * known["mix_high"])
        assert row["used"] == pytest.approx(100 * known["in_mix"])


def test_the_mix_is_drawn_where_the_frame_says_and_99_and_a_half_is_not_100() -> None:
    frame = pd.DataFrame(
        [("b", 1, 70, 60, 80, 100), ("a", 0, 30, 20, 40, 99.75)],
        columns=["policy", "place", "share", "low", "high", "used"],
    )
    axes = plot_mix(frame)
    first, second = (one for one in axes.containers if isinstance(one, ErrorbarContainer))
    assert np.asarray(first.lines[0].get_xydata()).tolist() == [[70, 0]]
    assert np.asarray(second.lines[0].get_xydata()).tolist() == [[30, 1]]
    (bar,) = second.lines[2]
    assert np.asarray(bar.get_segments()[0]).tolist() == [[20, 1], [40, 1]]  # type: ignore[union-attr]
    assert texts(axes) == ["100 %", "99 %", "resamples that use it"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", "a"]


# --- Any of them ----------------------------------------------------------------------------

Maker = Callable[..., Any]
DRAWINGS: dict[str, tuple[Maker, Maker]] = {
    "flow": (plot_replicator_flow, lambda: replicator_flow_data(heavy_rock())),
    "trajectories": (plot_trajectories, lambda: (trajectory_data(replicator(prisoners())),)),
    "alpha-rank": (plot_alpha_rank, lambda: alpha_rank_data(alpha_rank(any_game(5, 3, 1)))),
    "mix": (plot_mix, lambda: (mix_data(a_result()),)),
}


@pytest.mark.parametrize("kind", DRAWINGS)
def test_no_drawing_changes_its_frames_and_each_may_go_on_given_axes(kind: str) -> None:
    draw, make = DRAWINGS[kind]
    frames = make()
    before = deepcopy(frames)
    axes = new_axes(7, 6)
    assert draw(*frames, axes) is axes
    picture(axes)
    assert all(one.equals(other) for one, other in zip(frames, before, strict=True))


@pytest.mark.parametrize("kind", DRAWINGS)
def test_there_is_no_drawing_of_nothing(kind: str) -> None:
    draw, make = DRAWINGS[kind]
    with pytest.raises(UsageError, match="nothing to draw"):
        draw(*(frame.iloc[:0] for frame in make()))


@pytest.mark.parametrize("kind", DRAWINGS)
def test_the_same_drawing_gives_the_same_bytes(kind: str, tmp_path: Path) -> None:
    draw, make = DRAWINGS[kind]
    for name in ("1.svg", "2.svg"):
        save(draw(*make()), tmp_path / name)
    assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()


def test_colours_may_be_given() -> None:
    given = {"silent": "#101010", "talks": "#202020"}
    lines = plot_trajectories(trajectory_data(replicator(prisoners())), colours=given).lines
    assert {line.get_color() for line in lines} == set(given.values())


@pytest.mark.parametrize("count", [1, 2, 3, 5, 9])
def test_nasty_names_break_no_layout(count: int) -> None:
    """Nothing is cut off, and no two words lie on each other."""
    names = NASTY[:count]
    game = EmpiricalGame(
        names, 2, *(getattr(any_game(count, 2, 3), n) for n in ("profiles", "payoffs"))
    )
    drawn = {
        "trajectories": plot_trajectories(trajectory_data(replicator(game, horizon=20))),
        "alpha-rank": plot_alpha_rank(*alpha_rank_data(alpha_rank(game))),
        "mix": plot_mix(mix_data(bootstrap(game, 100))),
    }
    if count == 3:
        drawn["flow"] = plot_replicator_flow(*replicator_flow_data(game))
    for kind, axes in drawn.items():
        picture(axes)
        room = axes.figure.bbox
        ticks = axes.get_yticklabels() if kind == "mix" else []
        boxes = [(text.get_text(), Text.get_window_extent(text)) for text in [*axes.texts, *ticks]]
        for word, box in boxes:
            assert min(box.x0, box.y0) >= 0, (kind, word)
            assert box.x1 <= room.width, (kind, word)
            assert box.y1 <= room.height, (kind, word)
        for (one, box), (other, next_box) in combinations(boxes, 2):
            assert not box.overlaps(next_box), (kind, one, other)

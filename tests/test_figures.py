"""Figures: the numbers by hand, and that what is drawn is what the numbers say."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.patches import StepPatch
from matplotlib.text import Annotation, Text

from simlab.errors import UsageError
from simlab.experiments import figures
from simlab.experiments.figures import (
    COLOURS,
    colours_of,
    comparison_data,
    convergence_data,
    new_axes,
    plot_comparison,
    plot_convergence,
    plot_points_by_round,
    plot_points_distribution,
    plot_seats,
    plot_win_rates,
    points_by_round_data,
    points_distribution_data,
    save,
    seat_data,
    win_rate_data,
)
from simlab.experiments.figures.convergence import in_words
from simlab.experiments.figures.points import MOST_ROUNDS, MOST_STEPS
from simlab.experiments.figures.style import (
    NAME_WIDTH,
    dashes_of,
    letters_in,
    palette,
    spread,
    wrapped,
)

NAN = math.nan
NASTY = (
    "balanced:card=8,choice=0.25,deny=0.1,late=1.05,strength=0.21",
    "$one$ and $\\frac$",
    "_hidden",
    "a_name_of_sixty_characters_that_has_no_good_place_to_break_it",
    "W" * 60,
    "100 % {x} \\n & <b>'\"",
    "two\nlines\tand a tab",
    "greedy",
    "$",
)


# --- Hand-made input ------------------------------------------------------------------------


def mean(value: float | None, error: float = 0.5) -> dict[str, Any]:
    interval = [None, None] if value is None else [value - error, value + error]
    return {"mean": value, "sd": 1.0, "ci95": interval}


def summary_of(
    rates: dict[str, float | None], points: dict[str, list[float | None]] | None = None
) -> dict[str, Any]:
    """As `summarise` gives it, as far as figures look at it; four players."""
    points = points or {policy: [1.0 + n, 3.0 + n] for n, policy in enumerate(rates)}
    policies = [
        {
            "policy": policy,
            "win_rate": rate,
            "ci95": [0.0, 1.0] if rate is None else [rate - 0.02, rate + 0.03],
            "points": mean(10),
            "columns": {"gold": mean(2), "points_per_card": mean(3)}
            | {f"points_{n + 1}": mean(value) for n, value in enumerate(points[policy])},
        }
        for policy, rate in rates.items()
    ]
    seats = [
        {"seat": seat, "win_rate": rate, "ci95": [rate - 0.01, rate + 0.01], "columns": {}}
        for seat, rate in enumerate((0.22, 0.24, 0.26, 0.28))
    ]
    return {"study": {"players": 4}, "policies": policies, "seats": seats}


def points_frame(*policies: str) -> pd.DataFrame:
    rows = [
        (policy, points, games)
        for n, policy in enumerate(policies or ("a", "b"))
        for points, games in ((3 + n, 1), (4 + n, 2), (6 + n, 1))
    ]
    return pd.DataFrame(rows, columns=["policy", "points", "seat_games"])


def variants_frames(
    variants: tuple[str, ...] = ("printed", "new"), policies: tuple[str, ...] = ("a", "b")
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rates 0.20, 0.30, ... that rise by 0.04 with each variant; the first policy's is sure."""
    rates, changes = [], []
    for at, variant in enumerate(variants):
        for n, policy in enumerate(policies):
            rate = 0.2 + 0.1 * n + 0.04 * at
            rates.append((variant, policy, rate, rate - 0.01, rate + 0.02))
            if at:
                p = 0.01 if n == 0 else 0.05
                changes.append((variant, policy, 0.04 * at, 0.04 * at - 0.03, 0.04 * at + 0.03, p))
    return (
        pd.DataFrame(rates, columns=["variant", "policy", "win_rate", "low", "high"]),
        pd.DataFrame(changes, columns=["variant", "policy", "difference", "low", "high", "p_holm"]),
    )


def looks_frame(*policies: str) -> pd.DataFrame:
    rows = [
        (deals, policy, 0.2 + 0.1 * n, 0.2 + 0.1 * n - 1 / deals, 0.2 + 0.1 * n + 1 / deals)
        for n, policy in enumerate(policies or ("a", "b"))
        for deals in (10, 100, 1000, 10000)
    ]
    return pd.DataFrame(rows, columns=["deals", "policy", "win_rate", "low", "high"])


def every_figure(policies: tuple[str, ...]) -> dict[str, Axes]:
    """Each kind of figure, of these policies."""
    summary = summary_of({policy: 0.1 + 0.05 * n for n, policy in enumerate(policies)})
    variants = variants_frames(tuple(f"{name}!" for name in NASTY[:6]), policies)
    return {
        "win rates": plot_win_rates(win_rate_data(summary)),
        "seats": plot_seats(seat_data(summary)),
        "distribution": plot_points_distribution(points_distribution_data(points_frame(*policies))),
        "comparison": plot_comparison(*comparison_data(*variants))[0],
        "by round": plot_points_by_round(points_by_round_data(summary)),
        "convergence": plot_convergence(convergence_data(looks_frame(*policies))),
    }


# --- What is on a drawing -------------------------------------------------------------------


def dots(axes: Axes) -> list[ErrorbarContainer]:
    return [one for one in axes.containers if isinstance(one, ErrorbarContainer)]


def places(container: ErrorbarContainer) -> Any:
    """Rows of x and y."""
    return np.asarray(container.lines[0].get_xydata()).round(9).tolist()


def bars(container: ErrorbarContainer) -> list[list[list[float]]]:
    """From where to where each error bar goes."""
    (lines,) = container.lines[2]
    assert isinstance(lines, LineCollection)
    return [np.asarray(segment).tolist() for segment in lines.get_segments()]


def colour(container: ErrorbarContainer) -> str:
    return str(to_hex(container.lines[0].get_color())).upper()


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def picture(axes: Axes) -> bytes:
    """Every dot of it."""
    axes.figure.canvas.draw()  # type: ignore[attr-defined]
    return bytes(axes.figure.canvas.buffer_rgba())  # type: ignore[attr-defined]


# --- Win rates, by policy and by seat -------------------------------------------------------


def test_win_rates_are_per_cents_with_the_best_first() -> None:
    found = win_rate_data(summary_of({"a": 0.2, "b": 0.5, "c": 0.3}))
    assert list(found.columns) == ["policy", "place", "win_rate", "low", "high", "fair"]
    assert found["policy"].tolist() == ["b", "c", "a"]
    assert found["place"].tolist() == [1, 2, 0]
    assert found["win_rate"].tolist() == pytest.approx([50, 30, 20])
    assert found["low"].tolist() == pytest.approx([48, 28, 18])
    assert found["high"].tolist() == pytest.approx([53, 33, 23])
    assert found["fair"].tolist() == [25, 25, 25]


def test_what_was_not_played_comes_last_and_says_so() -> None:
    found = win_rate_data(summary_of({"a": None, "b": 0.5}))
    assert found["policy"].tolist() == ["b", "a"]
    assert math.isnan(found["win_rate"][1])
    assert "not played" in texts(plot_win_rates(found))


def test_a_run_without_games_can_be_drawn() -> None:
    found = win_rate_data(summary_of({"a": None, "b": None}))
    assert texts(plot_win_rates(found)).count("not played") == 2


def test_win_rates_are_drawn_where_the_frame_says() -> None:
    axes = plot_win_rates(win_rate_data(summary_of({"a": 0.2, "b": 0.5, "c": 0.3})))
    first, second, third = dots(axes)
    assert places(first) == [[50, 0]]
    assert places(second) == [[30, 1]]
    assert places(third) == [[20, 2]]
    assert bars(first) == [[pytest.approx([48, 0]), pytest.approx([53, 0])]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", "c", "a"]
    assert [colour(one) for one in dots(axes)] == [COLOURS[1], COLOURS[2], COLOURS[0]]
    assert texts(axes) == ["fair share 25 %", "50.0 %", "30.0 %", "20.0 %"]
    assert np.asarray(axes.lines[0].get_xdata()).tolist() == [25, 25]
    assert axes.get_xlabel() == "win rate in per cent (with 95 % interval)"


def test_the_axis_of_win_rates_never_goes_beyond_a_hundred() -> None:
    axes = plot_win_rates(win_rate_data(summary_of({"a": 0.97, "b": 0.02})))
    assert axes.get_xlim() == (0, 100)


def test_seats_are_per_cents_in_their_order() -> None:
    found = seat_data(summary_of({"a": 0.25}))
    assert list(found.columns) == ["seat", "win_rate", "low", "high", "fair"]
    assert found["seat"].tolist() == [0, 1, 2, 3]
    assert found["win_rate"].tolist() == pytest.approx([22, 24, 26, 28])
    assert found["low"].tolist() == pytest.approx([21, 23, 25, 27])
    assert found["high"].tolist() == pytest.approx([23, 25, 27, 29])
    assert found["fair"].tolist() == [25] * 4


def test_seats_are_drawn_where_the_frame_says() -> None:
    axes = plot_seats(seat_data(summary_of({"a": 0.25})))
    (found,) = dots(axes)
    assert places(found) == [[0, 22], [1, 24], [2, 26], [3, 28]]
    assert bars(found)[3] == [pytest.approx([3, 27]), pytest.approx([3, 29])]
    assert np.asarray(axes.lines[0].get_ydata()).tolist() == [25, 25]
    assert texts(axes) == ["fair share 25 %"]
    assert axes.get_ylabel() == "win rate in per cent\n(with 95 % interval)"


# --- Points ---------------------------------------------------------------------------------


def test_shares_of_points_are_of_each_policys_own_games() -> None:
    given = [("a", 3, 1), ("a", 5, 3), ("b", 4, 1), ("b", 4, 1), ("b", 9, 0)]
    found = points_distribution_data(
        pd.DataFrame(given, columns=["policy", "points", "seat_games"])
    )
    assert list(found.columns) == ["policy", "points", "width", "share", "mean"]
    assert found["policy"].tolist() == ["a", "a", "a", "b"]
    assert found["points"].tolist() == [3, 4, 5, 4]
    assert found["share"].tolist() == [25, 0, 75, 100]
    assert found["mean"].tolist() == [4.5, 4.5, 4.5, 4]
    assert set(found["width"]) == {1}


def test_many_numbers_of_points_are_put_together_in_steps() -> None:
    frame = pd.DataFrame(
        {"policy": "a", "points": [-3, 0, 4, 5, 400], "seat_games": [1, 1, 1, 1, 4]}
    )
    found = points_distribution_data(frame)
    assert set(found["width"]) == {5}
    assert found["points"].tolist() == list(range(-5, 401, 5))
    shares = found.set_index("points")["share"]
    assert shares[shares > 0].to_dict() == {-5: 12.5, 0: 25, 5: 12.5, 400: 50}
    assert found["mean"].unique().tolist() == [(-3 + 0 + 4 + 5 + 4 * 400) / 8]
    assert "in steps of 5" in plot_points_distribution(found).get_xlabel()


@pytest.mark.parametrize("most", [1, 149, 150, 151, 10_000, 123_456_789])
def test_however_many_points_there_are_few_steps(most: int) -> None:
    frame = pd.DataFrame({"policy": "a", "points": [0, most], "seat_games": 1})
    assert len(points_distribution_data(frame)) <= MOST_STEPS + 1


def test_games_that_are_bigger_than_any_float_have_shares() -> None:
    games = pd.Series([10**30, 3 * 10**30], dtype=object)
    frame = pd.DataFrame({"policy": "a", "points": [1, 2], "seat_games": games})
    assert points_distribution_data(frame)["share"].tolist() == pytest.approx([25, 75])


def test_distributions_are_drawn_one_below_the_other() -> None:
    found = points_distribution_data(points_frame("a", "b"))
    axes = plot_points_distribution(found)
    curves = [one for one in axes.patches if isinstance(one, StepPatch) and not one.get_fill()]
    grounds = axes.get_yticks()
    assert len(curves) == len(grounds) == 2
    assert grounds[1] < grounds[0] == 0
    for curve, ground, first in zip(curves, grounds, (3, 4), strict=True):
        steps = curve.get_data()
        assert steps.edges.tolist() == [first + n for n in range(5)]
        assert (steps.values - ground).tolist() == pytest.approx([25, 50, 0, 25])
    means = [line.get_xydata() for line in axes.lines if line.get_marker() == "o"]
    assert np.ravel(means).tolist() == pytest.approx([4.25, 0, 5.25, grounds[1]])
    assert texts(axes) == ["mean 4.2", "mean 5.2"]
    assert "at most 50.0 %" in axes.get_xlabel()


def test_points_by_round_are_means_with_the_lead_of_the_best() -> None:
    summary = summary_of({"a": 0.2, "b": 0.3, "c": 0.5}, {"a": [2, 9], "b": [4, 6], "c": [1, 6]})
    found = points_by_round_data(summary)
    assert list(found.columns) == ["policy", "round", "points", "low", "high", "lead"]
    assert found["policy"].tolist() == ["a", "a", "b", "b", "c", "c"]
    assert found["round"].tolist() == [1, 2, 1, 2, 1, 2]
    assert found["points"].tolist() == [2, 9, 4, 6, 1, 6]
    assert found["low"].tolist() == [1.5, 8.5, 3.5, 5.5, 0.5, 5.5]
    assert found["high"].tolist() == [2.5, 9.5, 4.5, 6.5, 1.5, 6.5]
    assert found["lead"].tolist() == pytest.approx([NAN, 3, 2, NAN, NAN, NAN], nan_ok=True)


def test_who_plays_alone_has_no_lead_and_who_is_level_leads_by_nothing() -> None:
    assert points_by_round_data(summary_of({"a": 0.25}))["lead"].isna().all()
    level = points_by_round_data(summary_of({"a": 0.2, "b": 0.3}, {"a": [2], "b": [2]}))
    assert level["lead"].tolist() == pytest.approx([0, NAN], nan_ok=True)


def test_points_by_round_are_drawn_where_the_frame_says() -> None:
    summary = summary_of({"a": 0.2, "b": 0.3}, {"a": [2, 9], "b": [4, 6]})
    axes = plot_points_by_round(points_by_round_data(summary))
    first, second = dots(axes)
    assert places(first) == [[1, 2], [2, 9]]
    assert places(second) == [[1, 4], [2, 6]]
    assert bars(first) == [[[1, 1.5], [1, 2.5]], [[2, 8.5], [2, 9.5]]]
    assert texts(axes) == ["lead", "2.0", "3.0", "a", "b"]
    assert {text.xy for text in axes.texts if isinstance(text, Annotation)} >= {(2, 9), (2, 6)}
    assert axes.get_ylabel() == "mean points (with 95 % interval)"


def test_of_many_rounds_some_are_marked_the_last_one_always() -> None:
    rounds: list[float | None] = [float(n) for n in range(37)]
    axes = plot_points_by_round(points_by_round_data(summary_of({"a": 0.3}, {"a": rounds})))
    marked = sorted(axes.get_xticks())
    assert len(marked) <= MOST_ROUNDS
    assert marked[-1] == 37
    assert len(set(np.diff(marked))) == 1


def test_rounds_without_numbers_are_left_open() -> None:
    summary = summary_of({"a": 0.2, "b": None}, {"a": [2, 9], "b": [None, None]})
    found = points_by_round_data(summary)
    assert found["lead"].isna().all()
    assert texts(plot_points_by_round(found)) == ["a"]


# --- Comparison -----------------------------------------------------------------------------


def test_a_comparison_is_in_per_cent_and_percentage_points() -> None:
    rates, changes = comparison_data(*variants_frames())
    assert list(rates.columns) == ["variant", "policy", "win_rate", "low", "high", "baseline"]
    assert rates["win_rate"].tolist() == pytest.approx([20, 30, 24, 34])
    assert rates["low"].tolist() == pytest.approx([19, 29, 23, 33])
    assert rates["high"].tolist() == pytest.approx([22, 32, 26, 36])
    assert list(changes.columns) == ["variant", "policy", "difference", "low", "high", "sure"]
    assert changes["difference"].tolist() == pytest.approx([4, 4])
    assert changes["low"].tolist() == pytest.approx([1, 1])
    assert changes["sure"].tolist() == [True, False], "0.05 is not below 0.05"


def test_a_comparison_keeps_the_order_of_variants_and_policies() -> None:
    rates, changes = variants_frames(("z", "y", "x"), ("b", "a"))
    mixed = pd.concat([rates.iloc[:2], rates.iloc[[5, 2, 3, 4]]])
    mixed_changes = changes.iloc[[3, 0, 1, 2]]
    shown, shown_changes = comparison_data(mixed, mixed_changes)
    assert shown["variant"].tolist() == ["z", "z", "x", "x", "y", "y"]
    assert shown["policy"].tolist() == ["b", "a"] * 3
    assert shown_changes["variant"].tolist() == ["x", "x", "y", "y"]
    assert shown_changes["sure"].tolist() == [True, False, True, False]


def test_variants_that_are_numbers_ascend_and_the_baseline_is_marked_where_it_stands() -> None:
    rates, changes = comparison_data(*variants_frames(("20", "0", "100", "-3.5"), ("a",)))
    assert rates["variant"].tolist() == ["-3.5", "0", "20", "100"]
    assert rates["baseline"].tolist() == [False, False, True, False]
    assert changes["variant"].tolist() == ["-3.5", "0", "100"]
    _, below = plot_comparison(rates, changes)
    (label,) = (text for text in below.texts if text.get_text() == "baseline")
    assert label.xy[0] == 2


def test_inside_a_palette_a_policy_has_its_colour_wherever_it_stands() -> None:
    with palette({"b": "#123456"}):
        assert colours_of(["a", "b"])["b"] == "#123456"
        assert colours_of(["b"], {"b": "#654321"})["b"] == "#654321"
    assert colours_of(["a", "b"])["b"] != "#123456"


def test_variants_may_be_numbers_and_a_missing_p_is_not_sure() -> None:
    rates, changes = variants_frames()
    rates["variant"] = [0.5, 0.5, 2.0, 2.0]
    changes["variant"] = [2.0, 2.0]
    changes["p_holm"] = None
    shown, shown_changes = comparison_data(rates, changes)
    assert shown["variant"].unique().tolist() == ["0.5", "2.0"]
    assert not shown_changes["sure"].any()


def test_a_comparison_is_drawn_where_the_frames_say() -> None:
    above, below = plot_comparison(*comparison_data(*variants_frames()))
    first, second = dots(above)
    assert places(first) == [[-0.07, 20], [0.93, 24]]
    assert places(second) == [[0.07, 30], [1.07, 34]]
    assert bars(first)[1] == [pytest.approx([0.93, 23]), pytest.approx([0.93, 26])]
    sure, unsure = dots(below)
    assert places(sure) == [[0.93, 4]]
    assert places(unsure) == [[1.07, 4]]
    assert bars(sure) == [[pytest.approx([0.93, 1]), pytest.approx([0.93, 7])]]
    assert [colour(one) for one in (first, second, sure, unsure)] == [*COLOURS[:2], *COLOURS[:2]]
    assert to_hex(sure.lines[0].get_markerfacecolor()).upper() == COLOURS[0]
    assert to_hex(unsure.lines[0].get_markerfacecolor()) == "#ffffff"
    assert np.asarray(below.lines[0].get_ydata()).tolist() == [0, 0]
    assert [label.get_text() for label in below.get_xticklabels()] == ["printed", "new"]
    assert above.get_xlim() == below.get_xlim()
    assert above.figure is below.figure


def test_a_single_variant_is_drawn_without_differences() -> None:
    above, below = plot_comparison(*comparison_data(*variants_frames(("printed",))))
    assert (len(dots(above)), len(dots(below))) == (2, 0)


# --- Convergence ----------------------------------------------------------------------------


def test_convergence_is_in_per_cent_with_the_deals_ascending() -> None:
    given = [(0, "b", None, 0, 1), (100, "b", 0.5, 0.4, 0.6), (10, "a", 0.1, 0, 1)]
    given += [(10, "b", 0.3, 0.1, 0.9), (100, "a", 0.2, 0.1, 0.3)]
    columns = ["deals", "policy", "win_rate", "low", "high"]
    found = convergence_data(pd.DataFrame(given, columns=columns))
    assert list(found.columns) == columns
    assert found["policy"].tolist() == ["b", "b", "a", "a"]
    assert found["deals"].tolist() == [10, 100, 10, 100]
    assert found["win_rate"].tolist() == pytest.approx([30, 50, 10, 20])
    assert found["low"].tolist() == pytest.approx([10, 40, 0, 10])
    assert found["high"].tolist() == pytest.approx([90, 60, 100, 30])


def test_convergence_is_drawn_where_the_frame_says() -> None:
    axes = plot_convergence(convergence_data(looks_frame("a", "b")))
    assert axes.get_xscale() == "log"
    lines = [line for line in axes.lines if len(np.asarray(line.get_xdata())) > 1]
    assert [np.asarray(line.get_xdata()).tolist() for line in lines] == [[10, 100, 1000, 10000]] * 2
    assert [line.get_ydata()[0] for line in lines] == pytest.approx([20, 30])
    for band, rate in zip(axes.collections, (20, 30), strict=True):
        corners = {tuple(corner) for corner in band.get_paths()[0].vertices.round(9).tolist()}
        assert {(100, rate - 1), (100, rate + 1), (10, rate - 10), (10, rate + 10)} <= corners
    assert texts(axes) == ["a", "b"]
    assert "always-valid 95 % interval" in axes.get_ylabel()


def test_first_bands_do_not_squeeze_what_comes_later() -> None:
    low, high = plot_convergence(convergence_data(looks_frame("a", "b"))).get_ylim()
    assert low == pytest.approx(19.9 - 0.05 * 10.2)
    assert high == pytest.approx(30.1 + 0.05 * 10.2)


@pytest.mark.parametrize("last", [10, 20, 10**12])
def test_one_look_and_many_can_be_drawn(last: int) -> None:
    frame = looks_frame("a").iloc[:1]
    later = frame.assign(deals=last)
    axes = plot_convergence(convergence_data(pd.concat([frame, later]).drop_duplicates()))
    picture(axes)


def test_numbers_of_deals_are_written_as_people_do() -> None:
    numbers = (1, 200, 10_000, 1e6, 2e7, 5e9)
    words = ["1", "200", "10,000", "1 million", "20 million", "5 billion"]
    assert [in_words(number) for number in numbers] == words


# --- Colours --------------------------------------------------------------------------------


def test_colours_follow_the_order_of_first_appearance() -> None:
    assert colours_of(["b", "a", "b", "c"]) == dict(zip("bac", COLOURS, strict=False))


def test_settled_colours_stay_and_others_get_those_that_are_left() -> None:
    settled = {"x": COLOURS[0], "b": "#123456"}
    assert colours_of(["a", "b", "c"], settled) == {
        "a": COLOURS[1],
        "b": "#123456",
        "c": COLOURS[2],
    }


def test_a_colour_that_comes_again_is_dashed() -> None:
    names = [f"p{n}" for n in range(2 * len(COLOURS))]
    chosen = colours_of(names)
    assert len({(chosen[name], dashes_of(chosen)[name]) for name in names}) == len(names)


def test_a_policy_has_the_same_colour_in_every_figure() -> None:
    summary = summary_of({"a": 0.2, "b": 0.5})
    assert [colour(one) for one in dots(plot_win_rates(win_rate_data(summary)))] == [
        COLOURS[1],
        COLOURS[0],
    ]
    by_round = plot_points_by_round(points_by_round_data(summary))
    assert [colour(one) for one in dots(by_round)] == list(COLOURS[:2])


def test_colours_may_be_given_to_every_figure() -> None:
    given = {"a": "#101010", "b": "#202020"}
    summary = summary_of({"a": 0.2, "b": 0.5})
    drawn = [
        plot_win_rates(win_rate_data(summary), colours=given),
        plot_points_by_round(points_by_round_data(summary), colours=given),
        *plot_comparison(*comparison_data(*variants_frames()), colours=given),
    ]
    assert all({colour(one) for one in dots(axes)} == set(given.values()) for axes in drawn)
    steps = plot_points_distribution(points_distribution_data(points_frame()), colours=given)
    assert {to_hex(one.get_edgecolor()) for one in steps.patches} >= set(given.values())
    lines = plot_convergence(convergence_data(looks_frame()), colours=given).lines
    assert {line.get_color() for line in lines} == set(given.values())


# --- Names ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("greedy", ["greedy"]),
        ("", [""]),
        ("finale-collector:hold=0.75", ["finale-collector:hold=0.75"]),
        (NASTY[0], ["balanced:card=8,", "choice=0.25,deny=0.1,", "late=1.05,strength=0.21"]),
        ("mine/strategies.py::sniper:reserve=4", ["mine/strategies.py::", "sniper:reserve=4"]),
        ("x" * 60, ["x" * 26, "x" * 26, "x" * 8]),
        ("W" * 20, ["W" * 16, "W" * 4]),
        (NASTY[6], ["two lines and a tab"]),
    ],
)
def test_names_break_where_a_reader_would_break_them(name: str, lines: list[str]) -> None:
    assert wrapped(name).split("\n") == lines


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("width", [8, NAME_WIDTH])
def test_no_line_is_too_long_and_no_letter_is_lost(name: str, width: int) -> None:
    assert max(map(letters_in, wrapped(name, width).split("\n"))) <= width
    assert "".join(wrapped(name, width).split()) == "".join(name.split())


def is_name(word: str) -> bool:
    """Whether it is one of the nasty names, however it was broken; not a number on an axis."""
    return "".join(word.rstrip("!").split()) in ["".join(name.split()) for name in NASTY]


@pytest.mark.parametrize("count", [1, 2, 4, 9])
def test_nasty_names_break_no_layout(count: int) -> None:
    """Nothing is cut off, and no two words lie on each other."""
    for kind, axes in every_figure(NASTY[:count]).items():
        picture(axes)
        room = axes.figure.bbox
        for part in axes.figure.axes:
            assert part.get_window_extent().width > room.width / 4, kind
            ticks = [*part.get_xticklabels(), *part.get_yticklabels()]
            words = [*part.texts, *(tick for tick in ticks if is_name(tick.get_text()))]
            boxes = [(text.get_text(), Text.get_window_extent(text)) for text in words]
            for word, box in boxes:
                assert min(box.x0, box.y0) >= 0, (kind, word)
                assert box.x1 <= room.width, (kind, word)
                assert box.y1 <= room.height, (kind, word)
            for (one, box), (other, next_box) in combinations(boxes, 2):
                assert not box.overlaps(next_box), (kind, one, other)


def test_names_are_written_as_they_are() -> None:
    """Not as formulas, and not left out because they begin with a low line."""
    axes = plot_win_rates(win_rate_data(summary_of({"$a$ $b$": 0.2, "_c": 0.3, "$\\no$": 0.1})))
    picture(axes)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["_c", "$a$ $b$", "$\\no$"]
    assert not any(label.get_parse_math() for label in axes.get_yticklabels())


def test_labels_keep_their_order_and_do_not_overlap() -> None:
    found = spread([0.5, 0.51, 0.1, 0.49], [0.2, 0.1, 0.1, 0.1], 0, 1)
    assert found[2] == pytest.approx(0.1), "nobody is in its way"
    assert found[0] - found[3] == pytest.approx(0.15)
    assert found[1] - found[0] == pytest.approx(0.15)


def test_labels_stay_inside_while_there_is_room() -> None:
    assert spread([0, 1], [0.2, 0.2], 0, 1) == pytest.approx([0.1, 0.9])
    assert spread([1, 1, 1], [0.2, 0.2, 0.2], 0, 1) == pytest.approx([0.5, 0.7, 0.9])
    assert spread([0.5, 0.5], [1, 1], 0, 1) == pytest.approx([0.5, 1.5]), "no room for both"
    assert spread([], [], 0, 1) == []


# --- Any figure -----------------------------------------------------------------------------

Maker = Callable[..., Any]
DRAWINGS: dict[str, tuple[Maker, Maker, Maker]] = {
    "win rates": (win_rate_data, plot_win_rates, lambda: (summary_of({"a": 0.2, "b": 0.5}),)),
    "seats": (seat_data, plot_seats, lambda: (summary_of({"a": 0.25}),)),
    "distribution": (
        points_distribution_data,
        plot_points_distribution,
        lambda: (points_frame(),),
    ),
    "comparison": (comparison_data, plot_comparison, variants_frames),
    "by round": (
        points_by_round_data,
        plot_points_by_round,
        lambda: (summary_of({"a": 0.2, "b": 0.5}),),
    ),
    "convergence": (convergence_data, plot_convergence, lambda: (looks_frame(),)),
}


def same(one: Any, other: Any) -> bool:
    return one.equals(other) if isinstance(one, pd.DataFrame) else bool(one == other)


@pytest.mark.parametrize("kind", DRAWINGS)
def test_no_figure_changes_what_it_was_given(kind: str) -> None:
    shape, draw, make = DRAWINGS[kind]
    given = make()
    before = deepcopy(given)
    frames = shape(*given)
    frames = frames if isinstance(frames, tuple) else (frames,)
    drawn_from = deepcopy(frames)
    draw(*frames)
    assert all(map(same, given, before))
    assert all(map(same, frames, drawn_from))


@pytest.mark.parametrize("kind", sorted(set(DRAWINGS) - {"comparison"}))
def test_a_figure_may_be_drawn_on_given_axes(kind: str) -> None:
    shape, draw, make = DRAWINGS[kind]
    parts = new_axes(12, 6).figure.subfigures(1, 2)  # type: ignore[union-attr]
    axes = parts[1].add_subplot()
    assert draw(shape(*make()), axes) is axes
    assert picture(parts[0].add_subplot())


@pytest.mark.parametrize("kind", DRAWINGS)
def test_there_is_no_figure_of_nothing(kind: str) -> None:
    shape, draw, make = DRAWINGS[kind]
    frames = shape(*make())
    frames = frames if isinstance(frames, tuple) else (frames,)
    with pytest.raises(UsageError, match="nothing to draw"):
        draw(*(frame.iloc[:0] for frame in frames))


def test_no_games_and_no_rounds_give_empty_frames() -> None:
    assert points_distribution_data(points_frame().assign(seat_games=0)).empty
    assert points_by_round_data(summary_of({"a": 0.2}, {"a": []})).empty
    assert convergence_data(looks_frame().assign(deals=0)).empty


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_same_figure_gives_the_same_bytes(ending: str, tmp_path: Path) -> None:
    for kind, axes in every_figure(("a", "$b$")).items():
        first, second = tmp_path / f"1.{ending}", tmp_path / f"2.{ending}"
        save(axes, first)
        picture(axes)
        save(axes.figure, str(second))  # type: ignore[arg-type]
        assert first.read_bytes() == second.read_bytes(), kind


def test_a_saved_figure_is_what_its_ending_says(tmp_path: Path) -> None:
    axes = plot_seats(seat_data(summary_of({"a": 0.25})))
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "PNG": b"\x89PNG"}
    for ending, start in begins.items():
        save(axes, tmp_path / f"seats.{ending}")
        written = (tmp_path / f"seats.{ending}").read_bytes()
        assert written.startswith(start)
        assert b"Date" not in written
    width = int.from_bytes((tmp_path / "seats.png").read_bytes()[16:20], "big")
    assert width == 150 * 5.5


@pytest.mark.parametrize("name", ["seats", "seats.jpg", "seats.png.txt", "png", ".png"])
def test_other_endings_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.png, \.svg or \.pdf"):
        save(new_axes(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["pictures", "pictures.png"])
def test_a_folder_in_place_of_a_figure_s_file_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(UsageError, match="is a folder"):
        save(new_axes(), tmp_path / name)
    assert list((tmp_path / name).iterdir()) == []


def test_figures_need_no_display_and_no_backend(tmp_path: Path) -> None:
    """Even with a backend that matplotlib itself refuses to be imported with."""
    program = (
        "import os, sys\n"
        "from simlab.experiments.figures import new_axes, save\n"
        "assert 'matplotlib' not in sys.modules\n"
        "save(new_axes(), sys.argv[1])\n"
        "assert os.environ['MPLBACKEND'] == 'nonsense'\n"
        "assert 'matplotlib.' + 'pyplot' not in sys.modules\n"
    )
    unwanted = ("DISPLAY", "WAYLAND_DISPLAY")
    env = {name: value for name, value in os.environ.items() if name not in unwanted}
    env |= {"MPLBACKEND": "nonsense", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", program, str(tmp_path / "empty.png")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "empty.png").exists()


def test_everything_that_is_offered_exists() -> None:
    assert all(hasattr(figures, name) for name in figures.__all__)

"""Results as frames, against the same numbers worked out by hand from every game's outcome."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from by_hand import (
    TIES,
    WIN,
    about,
    deal_means,
    few,
    game_rows,
    holm_of,
    numbers,
    one_line,
    rates_by_deal,
    said,
    seat_rows,
    spread,
    t_interval,
    t_test,
    user_file,
)
from test_summary import GAME_COLUMNS, SEAT_COLUMNS, expected_interval

import simlab
from simlab.compiled import INTERPRETED
from simlab.errors import UsageError
from simlab.experiments import sequences
from simlab.experiments.results import Results
from simlab.experiments.running import Place
from simlab.experiments.study import Study
from simlab.games.fantastique import GAME

SEED = 41


@dataclass(frozen=True)
class Table:
    """A line-up, how it is seated, and under which rules."""

    policies: tuple[str, ...]
    deals: int = 120
    seating: str = "rotate"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def study(self) -> Study:
        deals = few(self.deals)
        more = {"seating": self.seating, "options": self.options, "seed": SEED}
        rotations = len(Study.of("fantastique", self.policies, **more).seatings)
        return Study.of("fantastique", self.policies, games=deals * rotations, **more)


TABLES = {
    "two": Table(("greedy", "random")),
    "four": Table(("greedy", "card-counter", "miser", "spoiler")),
    "two seats each": Table(("greedy", "card-counter", "greedy", "card-counter")),
    "two of three seats": Table(("spoiler", "greedy", "spoiler")),
    "unequal, fixed": Table(
        ("spoiler", "greedy", "greedy", "card-counter", "greedy"), 120, "fixed"
    ),
    "shuffled": Table(("greedy", "spoiler", "spoiler", "miser"), 120, "shuffle"),
    "every order": Table(("greedy", "spoiler", "medal-scheduler"), 60, "all"),
    "ties": Table(("random", "greedy", "random", "miser", "spoiler"), 90, "rotate", TIES),
    "one policy, two settings": Table(("high-fan", "high-fan:cards=5", "high-fan:cards=7")),
    "play alike": Table(("high-fan", "high-fan:cards=3.5", "greedy"), 90),
    "alone": Table(("greedy",) * 4),
    "one deal": Table(("greedy", "random", "miser"), 1),
    "two deals": Table(("greedy", "random", "miser"), 2),
    "one game": Table(("greedy", "greedy", "miser"), 1, "fixed"),
}


@cache
def found(name: str) -> Results:
    study = TABLES[name].study
    words = [policy.text for policy in study.matchup.policies]
    more = {"seating": study.seating, "seed": SEED, "workers": 2}
    return simlab.simulate("fantastique", words, study.games, **more, **study.matchup.options)


@cache
def rows_of(name: str) -> pd.DataFrame:
    return seat_rows(TABLES[name].study)


def rate_by_hand(rows: pd.DataFrame) -> list[float]:
    """Win rate and its interval."""
    shares = rows.assign(win_share=rows["win_share"] / WIN)
    return [shares["win_share"].mean(), *expected_interval(shares)]


def mean_by_hand(rows: pd.DataFrame, column: str) -> list[float]:
    """Mean, deviation and interval."""
    return [rows[column].mean(), rows[column].std(ddof=1), *t_interval(deal_means(rows, column))]


def rates_line(rows: pd.DataFrame, *, alone: bool = False) -> list[float]:
    """Deals, win rate, interval, mean and deviation of points: what both summaries say."""
    rate = rate_by_hand(rows)
    if alone:
        rate = [rate[0]] * 3
    return [rows["deal"].nunique(), *rate, *mean_by_hand(rows, "points")[:2]]


def best_by_hand(name: str) -> list[str]:
    """Those that a paired t-test on deals, corrected by Holm, cannot tell from the first."""
    rates = rates_by_deal(TABLES[name].study)
    best = max(rates, key=lambda word: round(float(rates[word].mean()), 12))
    others = [word for word in rates if word != best]
    ps = holm_of([t_test(rates[word] - rates[best]) for word in others])
    worse = {word for word, p in zip(others, ps, strict=True) if p <= 0.05}
    return [word for word in rates if word not in worse]


# --- Frames -----------------------------------------------------------------------------------

RATES = ["deals", "win_rate", "low", "high", "points_mean", "points_sd"]


@pytest.mark.parametrize("name", TABLES)
def test_the_summary_has_a_row_for_each_policy_with_the_numbers_of_its_games(name: str) -> None:
    frame, rows, words = found(name).summary(), rows_of(name), TABLES[name].policies
    assert list(frame.columns) == ["policy", "seat_games", *RATES, "best"]
    assert frame["policy"].tolist() == list(dict.fromkeys(words))
    for line in frame.to_dict("records"):
        own = rows[rows["policy"] == line["policy"]]
        assert line["seat_games"] == len(own)
        expected = rates_line(own, alone=len(set(words)) == 1)
        assert numbers([line[column] for column in RATES]) == about(expected)
    assert frame[frame["best"]]["policy"].tolist() == best_by_hand(name)


@pytest.mark.parametrize("name", TABLES)
def test_by_seat_has_a_row_for_each_seat_with_the_numbers_of_its_games(name: str) -> None:
    frame, rows = found(name).by_seat(), rows_of(name)
    assert list(frame.columns) == ["seat", *RATES]
    assert frame["seat"].tolist() == list(range(len(TABLES[name].policies)))
    for line in frame.to_dict("records"):
        expected = rates_line(rows[rows["seat"] == line["seat"]])
        assert numbers([line[column] for column in RATES]) == about(expected)


@pytest.mark.parametrize("name", TABLES)
def test_columns_has_every_column_of_every_policy_seat_and_game(name: str) -> None:
    frame, rows = found(name).columns(), rows_of(name)
    assert list(frame.columns) == ["of", "name", "column", "mean", "sd", "low", "high"]
    rounds = [str(column) for column in rows if str(column).startswith("points_")]
    expected = []
    words = TABLES[name].policies
    names = [("policy", word) for word in dict.fromkeys(words)]
    for of, one in names + [("seat", seat) for seat in range(len(words))]:
        own = rows[rows[of] == one]
        columns = (*SEAT_COLUMNS, *rounds)
        expected += [(of, str(one), column, mean_by_hand(own, column)) for column in columns]
    games = game_rows(TABLES[name].study)
    expected += [("game", "", column, mean_by_hand(games, column)) for column in GAME_COLUMNS]
    for line, (of, who, column, values) in zip(frame.to_dict("records"), expected, strict=True):
        assert (line["of"], line["name"], line["column"]) == (of, who, column)
        given = numbers([line[key] for key in ("mean", "sd", "low", "high")])
        assert given == about(values), (of, who, column)


def ahead_by_hand(rows: pd.DataFrame, one: str, other: str) -> float:
    """How often a seat of the one has the better rank than one of the other, ties half."""
    ranks = rows[["deal", "rotation", "policy", "rank"]]
    both = ranks[ranks["policy"] == one].merge(
        ranks[ranks["policy"] == other], on=["deal", "rotation"]
    )
    better = (both["rank_x"] < both["rank_y"]).sum() + (both["rank_x"] == both["rank_y"]).sum() / 2
    return float(better / len(both))


@pytest.mark.parametrize("name", TABLES)
def test_pairs_are_compared_within_each_deal(name: str) -> None:
    """A difference of win rates over deals, its t interval, Holm over the table, who is ahead."""
    frame, rates = found(name).pairs(), rates_by_deal(TABLES[name].study)
    columns = ["policy", "rival", "difference", "low", "high", "p_holm", "ahead"]
    assert list(frame.columns) == columns
    expected = []
    for one, other in combinations(rates, 2):
        deals = rates[one] - rates[other]
        first, second = (other, one) if deals.mean() < -1e-12 else (one, other)
        deals = rates[first] - rates[second]
        ahead = ahead_by_hand(rows_of(name), first, second)
        expected.append((first, second, [deals.mean(), *t_interval(deals)], t_test(deals), ahead))
    assert len(frame) == len(expected) == math.comb(len(rates), 2)
    corrected = holm_of([row[3] for row in expected])
    for line, row, p in zip(frame.to_dict("records"), expected, corrected, strict=True):
        assert (line["policy"], line["rival"]) == row[:2]
        assert numbers([line[key] for key in ("difference", "low", "high")]) == about(row[2])
        assert line["p_holm"] == pytest.approx(p, rel=1e-6, abs=1e-300)
        assert line["ahead"] == about(row[4])


@pytest.mark.parametrize("name", TABLES)
def test_best_are_those_that_cannot_be_told_from_the_first(name: str) -> None:
    assert found(name).best() == best_by_hand(name)


@pytest.mark.skipif(INTERPRETED, reason="plays too few deals to tell anything apart")
def test_the_tables_have_what_the_tests_are_about() -> None:
    """Ties, deals whose games hang together, pairs told apart and pairs that are not."""
    assert (rows_of("ties")["win_share"] % WIN > 0).mean() > 0.1
    rates = rates_by_deal(TABLES["two seats each"].study)
    rows = rows_of("two seats each")
    own = rows[rows["policy"] == "greedy"]
    naive = own["win_share"].std(ddof=1) / WIN / math.sqrt(len(own))
    clustered = rates["greedy"].std(ddof=1) / math.sqrt(len(rates["greedy"]))
    assert clustered < 0.9 * naive
    best = {name: found(name).best() for name in TABLES}
    assert best["four"] == ["greedy"]
    assert best["unequal, fixed"] != list(dict.fromkeys(TABLES["unequal, fixed"].policies))
    assert len(best["play alike"]) in {1, 2}
    assert best["one deal"] == ["greedy", "random", "miser"]
    ps = found("four").pairs()["p_holm"]
    assert ps.min() < 1e-6
    assert ps.max() > 0.01


def test_policies_that_play_alike_differ_in_nothing_but_luck() -> None:
    """In every rotation of a deal they are the same game: they win equally often, exactly."""
    frame = found("play alike").summary().set_index("policy")
    assert frame.loc["high-fan", "points_mean"] != frame.loc["greedy", "points_mean"]
    alike = simlab.simulate("fantastique", ["high-fan", "high-fan:cards=3.5"], few(200), seed=SEED)
    (line,) = alike.pairs().to_dict("records")
    assert (line["difference"], line["low"], line["high"]) == (0, 0, 0)
    assert (line["p_holm"], line["ahead"]) == (1, 0.5)
    assert alike.best() == ["high-fan", "high-fan:cards=3.5"]


@pytest.mark.parametrize("name", TABLES)
def test_the_histogram_counts_every_seat_of_every_game(name: str) -> None:
    frame, rows = found(name).histogram(), rows_of(name)
    assert list(frame.columns) == ["policy", "points", "seat_games"]
    expected = []
    for word in dict.fromkeys(TABLES[name].policies):
        counts = rows[rows["policy"] == word]["points"].value_counts().sort_index()
        expected += [(word, points, games) for points, games in counts.items()]
    assert list(frame.itertuples(index=False, name=None)) == expected
    assert frame["seat_games"].sum() == len(rows)


def test_points_from_511_on_are_counted_together() -> None:
    gold = (400, 600, 1000, 1000, 1000, 1000, 1000)
    games = few(40)
    result = simlab.simulate("fantastique", ["greedy", "random"], games, seed=SEED, gold=gold)
    study = Study.of(
        "fantastique", ["greedy", "random"], games=games, seed=SEED, options={"gold": gold}
    )
    rows = seat_rows(study)
    assert (rows["points"] > 511).any()
    clipped = rows.assign(points=rows["points"].clip(upper=511))
    expected = clipped.groupby(["policy", "points"], sort=True).size()
    assert result.histogram().set_index(["policy", "points"])["seat_games"].to_dict() == (
        expected.to_dict()
    )


@pytest.fixture(scope="module", params=["rotate", "shuffle"])
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A run that kept its games."""
    more = {"seating": request.param, "seed": SEED, "save_games": True}
    study = Study.of("fantastique", ["greedy", "miser", "greedy"], games=few(60), **more)
    return simlab.run(study, place=Place(tmp_path_factory.mktemp("runs") / "kept"))


@pytest.mark.parametrize("column", ["finale_cards", "rank", "win_share", "points_7", "passes"])
def test_a_run_that_kept_its_games_has_a_histogram_of_every_column(
    column: str, kept: Results
) -> None:
    frame = kept.histogram(column)
    assert list(frame.columns) == ["policy", column, "seat_games"]
    rows = seat_rows(kept.study)
    games = game_rows(kept.study)
    rows["passes"] = np.repeat(games["passes"].to_numpy(), 3)
    rows["win_share"] /= WIN
    expected = rows.groupby(["policy", column]).size().to_dict()
    assert frame.set_index(["policy", column])["seat_games"].to_dict() == expected


def test_a_histogram_of_what_is_not_there_is_one_line(kept: Results) -> None:
    with pytest.raises(UsageError) as raised:
        kept.histogram("finale_crads")
    assert one_line(str(raised.value), "finale_crads", "finale_cards")
    with pytest.raises(UsageError) as raised:
        found("two").histogram("finale_cards")
    assert one_line(str(raised.value), "--save-games", "--out")


# --- Convergence ------------------------------------------------------------------------------


@pytest.mark.parametrize("policies", [("greedy", "spoiler"), ("spoiler", "greedy", "spoiler")])
def test_convergence_has_every_policy_after_each_chunk_with_an_interval_that_always_holds(
    policies: tuple[str, ...], tmp_path: Path
) -> None:
    deals, chunk = few(2500, 10), few(600, 3)
    games = deals * len(policies)
    study = Study.of("fantastique", policies, games=games, chunk=chunk, seed=SEED)
    frame = simlab.run(study, place=Place(tmp_path / "run"), workers=2).convergence()
    ends = [*range(chunk, deals, chunk), deals]
    assert list(frame.columns) == ["deals", "policy", "win_rate", "low", "high"]
    rates = rates_by_deal(study)
    expected = [(end, word, rates[word][:end]) for end in ends for word in rates]
    for line, (end, word, first) in zip(frame.to_dict("records"), expected, strict=True):
        assert (line["deals"], line["policy"]) == (end, word)
        interval = sequences.interval(first.mean(), spread(first), end)
        found_ = [line["win_rate"], line["low"], line["high"]]
        assert found_ == about([first.mean(), *interval]), (end, word)
    if not INTERPRETED:
        widths = (frame["high"] - frame["low"])[frame["policy"] == "greedy"].tolist()
        assert widths == sorted(widths, reverse=True)
        assert 0 < widths[-1] < widths[0] < 1
    pd.testing.assert_frame_equal(simlab.load(tmp_path / "run").convergence(), frame)


def test_one_policy_in_every_seat_has_converged_from_the_first_deal_on(tmp_path: Path) -> None:
    study = Study.of("fantastique", ["greedy*4"], games=6, chunk=2, seed=SEED)
    frame = simlab.run(study, place=Place(tmp_path / "run")).convergence()
    assert frame["deals"].tolist() == [2, 4, 6]
    assert (frame[["win_rate", "low", "high"]] == 0.25).all(axis=None)


def test_a_run_without_a_folder_cannot_say_how_it_converged() -> None:
    with pytest.raises(UsageError) as raised:
        found("two").convergence()
    assert one_line(str(raised.value), "folder", "--out")


# --- As text and as files ---------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_a_result_says_in_a_notebook_what_was_played_and_who_wins(name: str) -> None:
    result, rows = found(name), rows_of(name)
    games, deals = rows.groupby(["deal", "rotation"]).ngroups, rows["deal"].nunique()
    first, *lines = repr(result).splitlines()
    counts = [f"{n} {what}{'s' * (n > 1)}" for n, what in ((games, "game"), (deals, "deal"))]
    assert first == f"fantastique: {' of '.join(counts)}"
    words = list(dict.fromkeys(TABLES[name].policies))
    for line, word in zip(lines, words, strict=True):
        own = rows[rows["policy"] == word]
        rate, low, high = (100 * number for number in rate_by_hand(own))
        sure = "by symmetry" if len(words) == 1 else f"({low:.2f} to {high:.2f})"
        assert line.split() == f"{word} wins {rate:.2f} % {sure}".split()


def tidy_by_hand(name: str) -> list[dict[str, Any]]:
    """What the files hold: one row a policy, then one a seat."""
    rows, words, lines = rows_of(name), list(dict.fromkeys(TABLES[name].policies)), []
    games = rows.groupby(["deal", "rotation"]).ngroups
    parts = [("policy", word, rows[rows["policy"] == word]) for word in words]
    parts += [("seat", str(seat), own) for seat, own in rows.groupby("seat")]
    rounds = [str(column) for column in rows if str(column).startswith("points_")]
    for of, who, own in parts:
        deals, *rate = rates_line(own, alone=of == "policy" and len(words) == 1)[:4]
        line: dict[str, Any] = {"of": of, "name": who, "games": games, "deals": deals}
        line |= dict(zip(("win_rate", "low", "high"), rate, strict=True))
        for column in ("points", *SEAT_COLUMNS, *rounds):
            mean, deviation, *_ = mean_by_hand(own, column)
            line |= {f"{column}_mean": mean, f"{column}_sd": deviation}
        lines.append(line)
    return lines


@pytest.mark.parametrize("name", ["four", "ties", "alone", "one game"])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_has_every_mean_of_every_policy_and_seat(
    name: str, ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"out.{ending}"
    assert getattr(found(name), f"to_{ending}")(path) == path
    read = pd.read_csv(path, dtype={"name": str}) if ending == "csv" else pd.read_parquet(path)
    expected = tidy_by_hand(name)
    assert list(read.columns) == list(expected[0])
    for line, wanted in zip(read.to_dict("records"), expected, strict=True):
        assert (line["of"], line["name"]) == (wanted["of"], wanted["name"])
        values = [key for key in wanted if key not in ("of", "name")]
        given = numbers([line[key] for key in values])
        assert given == about([wanted[key] for key in values])


# --- Names that spreadsheets take for something else ------------------------------------------

MISSING = ("None", "NA", "null", "nan")


def test_policies_called_like_nothing_come_out_under_their_names(tmp_path: Path) -> None:
    path = user_file(tmp_path, *(f"name={name!r}" for name in MISSING))
    words = [f"{path}::{name}" for name in MISSING]
    texts = [f"{path.name}::{name}" for name in MISSING]
    result = simlab.simulate("fantastique", words, few(40, 4))
    assert result.summary()["policy"].tolist() == texts
    assert result.best() == texts, "they play alike"
    assert set(result.histogram()["policy"]) == set(texts)
    pairs = result.pairs()
    assert set(pairs["policy"]) | set(pairs["rival"]) == set(texts)
    for ending in ("csv", "parquet"):
        getattr(result, f"to_{ending}")(tmp_path / f"out.{ending}")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        named = [line["name"] for line in csv.DictReader(file) if line["of"] == "policy"]
    assert named == texts
    assert pd.read_parquet(tmp_path / "out.parquet")["name"].tolist()[:4] == texts
    assert pd.read_csv(tmp_path / "out.csv")["name"].tolist()[:4] == texts


REFUSED = ["=1+1", "$a$b", "_x", "-x", "+x", "@x", "?", " x", "x y", "a,b", "a=b", "a::b", "x\n"]


@pytest.mark.parametrize("name", REFUSED)
def test_names_that_a_table_or_a_figure_would_take_for_something_else_are_refused(
    name: str,
) -> None:
    def text(rules, table, own, moves, weights, rng):
        return 0

    with pytest.raises(UsageError) as raised:
        simlab.policy(GAME, name=name)(text)
    assert one_line(str(raised.value), "name", repr(name))


@pytest.mark.parametrize("name", ["=1+1", "$a$b", "_x", "-x"])
def test_a_file_that_declares_such_a_name_is_refused_in_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = user_file(tmp_path, f"name={name!r}")
    code, out, err = said(capsys, "run", "fantastique", f"{path}::{name}", "random")
    assert (code, out) == (1, "")
    assert one_line(err, path.name, repr(name))


# --- Labels -----------------------------------------------------------------------------------


def by_policy(words: list[str], seating: str, deals: int = 90) -> dict[str, dict[str, Any]]:
    """Everything that a run says of each policy."""
    study = Study.of("fantastique", words, seating=seating)
    games = few(deals, 4) * len(study.seatings)
    study = Study.of("fantastique", words, seating=seating, games=games, seed=SEED)
    result = simlab.run(study)
    columns = result.columns()
    return {
        line["policy"]: {**line, "columns": own.drop(columns="name").to_dict("records")}
        for line in result.summary().to_dict("records")
        for own in [columns[(columns["of"] == "policy") & (columns["name"] == line["policy"])]]
    }


def renamed(rows: Mapping[str, dict[str, Any]], names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(key, key): row | {"policy": names.get(key, key)} for key, row in rows.items()}


@pytest.mark.parametrize("seating", ["fixed", "rotate", "shuffle", "all"])
def test_exchanging_two_labels_exchanges_their_rows_and_nothing_else(seating: str) -> None:
    """One plays like the other, so who is called what is all that differs."""
    one, other = "high-fan", "high-fan:cards=3.25"
    found_ = by_policy([one, "greedy", other, "spoiler"], seating)
    swapped = by_policy([other, "greedy", one, "spoiler"], seating)
    assert renamed(found_, {one: other, other: one}) == swapped
    if seating == "fixed":
        assert found_[one]["points_mean"] != found_[other]["points_mean"]


ORDERS: list[tuple[str, Callable[[list[str]], list[str]]]] = [
    ("all", lambda words: words[::-1]),
    ("all", lambda words: [words[1], words[0], *words[2:]]),
    ("rotate", lambda words: words[1:] + words[:1]),
    ("rotate", lambda words: words[-1:] + words[:-1]),
]


@pytest.mark.parametrize("words", [["greedy", "random", "spoiler"], ["greedy", "random", "greedy"]])
@pytest.mark.parametrize(("seating", "order"), ORDERS, ids=lambda value: str(value)[:8])
def test_the_order_of_the_line_up_changes_no_number_where_the_seatings_are_the_same(
    words: list[str], seating: str, order: Callable[[list[str]], list[str]]
) -> None:
    assert by_policy(words, seating, 30) == by_policy(order(words), seating, 30)


# --- In a notebook ----------------------------------------------------------------------------


def test_three_lines_in_a_notebook_give_a_table() -> None:
    games = few(1000, 8)
    frame = simlab.simulate(
        "fantastique", ["balanced", "greedy*3"], games=float(games), finale="III"
    ).summary()
    study = Study.of(
        "fantastique", ["balanced", "3xgreedy"], games=games, options={"finale": "III"}
    )
    rows = seat_rows(study)
    for line in frame.to_dict("records"):
        own = rows[rows["policy"] == line["policy"]]
        assert numbers([line[key] for key in RATES]) == about(rates_line(own))
    assert frame["seat_games"].tolist() == [games, 3 * games]


@pytest.mark.parametrize(
    ("more", "parts"),
    [
        ({"finle": "I"}, ["finle", "finale"]),
        ({"finale": "VII"}, ["VII"]),
        ({"games": "many"}, ["games", "many"]),
        ({"seating": "round"}, ["round"]),
        ({"precision": -1}, ["precision", "-1"]),
    ],
)
def test_a_mistake_in_a_notebook_is_one_line(more: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(UsageError) as raised:
        simlab.simulate("fantastique", ["greedy", "random"], **more)
    assert one_line(str(raised.value), *parts)


def test_the_surface_has_what_it_lists_and_nothing_else() -> None:
    for name in simlab.__all__:
        assert getattr(simlab, name) is not None
    with pytest.raises(AttributeError, match="simulatte"):
        simlab.simulatte  # noqa: B018


def test_workers_change_no_number_of_a_run() -> None:
    study = TABLES["four"].study
    one, three = simlab.run(study, workers=1), simlab.run(study, workers=3)
    assert one.numbers == three.numbers == found("four").numbers

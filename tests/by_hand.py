"""Numbers of a study worked out by hand: pandas on the outcome of each game, one row a seat.

The tests of results, comparisons, precision and power hold what the product says against these.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from scipy import stats
from test_summary import GAME_COLUMNS, SEAT_COLUMNS

from simlab.cli import main
from simlab.compiled import INTERPRETED
from simlab.contract import Policy
from simlab.engine import shuffled_seatings
from simlab.experiments.batches import outcomes
from simlab.experiments.study import Study

Whole = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

WIN = 60
"""A win as the outcomes count it."""
TIES: dict[str, Any] = {"rounds": 2, "gold": (2, 2), "silver": (2, 2), "bronze": (2, 2)}
TIES |= {"finale_gold": 0, "finale_silver": 0}
"""All medals are worth the same, so that most games have several winners."""


def few(deals: int, least: int = 4) -> int:
    """So many deals, or hardly any with the compiler off."""
    return min(deals, least) if INTERPRETED else deals


# --- From games to a table --------------------------------------------------------------------


def seated(study: Study, games: npt.NDArray[Any]) -> list[tuple[str, ...]]:
    """Who sits where in each game, by the plain meaning of each seating."""
    words = tuple(policy.text for policy in study.matchup.policies)
    players = len(words)
    if study.seating == "shuffle":
        deals = np.ascontiguousarray(games["deal"])
        order = shuffled_seatings(study.seed, deals, np.array(study.matchup.seating))
        return [tuple(study.matchup.texts[who] for who in row) for row in order]
    if study.seating == "all":
        orders = list(dict.fromkeys(permutations(words)))
    elif study.seating == "fixed":
        orders = [words]
    else:
        orders = [
            tuple(words[(seat - turn) % players] for seat in range(players))
            for turn in range(players)
        ]
    return [orders[turn] for turn in games["rotation"]]


def seat_rows(study: Study, first_deal: int = 0) -> pd.DataFrame:
    """A row for each game and seat; ``win_share`` in sixtieths, everything in whole numbers."""
    games = outcomes(study, first_deal=first_deal)
    words = seated(study, games)
    players = len(words[0])
    seats = games["seats"][:, :players]
    found = {key: np.repeat(games[key], players) for key in ("deal", "rotation")}
    found |= {"seat": np.tile(np.arange(players), len(games)), "policy": np.array(words).ravel()}
    for column in ("win_share", "points", *SEAT_COLUMNS):
        found[column] = seats[column].ravel()
    for n in range(int(study.matchup.rules[0]["rounds"])):
        found[f"points_{n + 1}"] = seats["points_after"][:, :, n].ravel()
    return pd.DataFrame(found)


def game_rows(study: Study) -> pd.DataFrame:
    """A row for each game."""
    games = outcomes(study)
    return pd.DataFrame({column: games[column] for column in ("deal", *GAME_COLUMNS)})


def deal_sums(rows: pd.DataFrame, column: str) -> tuple[Whole, int]:
    """Each deal's sum of a column, and how many values it has."""
    groups = rows.groupby("deal")[column]
    (values,) = set(groups.size())
    return groups.sum().to_numpy(np.int64), int(values)


def deal_means(rows: pd.DataFrame, column: str) -> Floats:
    """Each deal's mean of a column, of win shares as a share."""
    sums, values = deal_sums(rows, column)
    return sums / (values * (WIN if column == "win_share" else 1))


def rates_by_deal(study: Study) -> dict[str, Floats]:
    """Each policy's win rate in each deal."""
    rows = seat_rows(study)
    return {
        word: deal_means(rows[rows["policy"] == word], "win_share") for word in study.matchup.texts
    }


# --- From a table to tests --------------------------------------------------------------------


def spread(deals: Floats) -> float:
    """Standard deviation over deals, free of dust where all are alike; NaN for one."""
    if len(deals) < 2:
        return math.nan
    return float(np.std(deals, ddof=1)) if np.ptp(deals) > 1e-12 else 0.0


def t_interval(deals: Floats) -> list[float]:
    """Student's interval for the mean over deals; NaN for fewer than two."""
    if len(deals) < 2:
        return [math.nan, math.nan]
    half = stats.t.ppf(0.975, len(deals) - 1) * spread(deals) / math.sqrt(len(deals))
    return [deals.mean() - half, deals.mean() + half]


def t_test(deals: Floats) -> float:
    """P-value that the mean over deals is 0; by coins where all deals are alike."""
    if len(deals) < 2 or abs(deals.mean()) < 1e-12:
        return 1.0
    if spread(deals) == 0.0:
        return float(stats.binomtest(0, len(deals)).pvalue)
    return float(stats.ttest_1samp(deals, 0).pvalue)


def holm_of(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: each as bad as the worst of those before it, times those not before."""
    return [
        max(min(1.0, q * sum(r >= q for r in p_values)) for q in p_values if q <= p)
        for p in p_values
    ]


def numbers(values: Sequence[Any]) -> list[float]:
    """Plain numbers, NaN for None."""
    return [math.nan if value is None else float(value) for value in values]


def about(expected: Any) -> Any:
    """Equal but for rounding."""
    return pytest.approx(expected, rel=1e-9, abs=1e-11, nan_ok=True)


# --- A user's files, and the command line -----------------------------------------------------

HEADER = """from simlab.contract import policy
from simlab.games.fantastique import GAME, PLAY
from simlab.policies.fantastique import cheapest_fan, largest_fan, largest_stack
from simlab.streams import word
"""
POLICY = """

@policy(GAME, {declared})
def policy_{number}(rules, table, own, moves, weights, rng):
    if table.phase == PLAY:
        return {fan}(rules, table, own.hand)
    return largest_stack(table)
"""


def user_file(folder: Path, *declared: str, fan: str = "largest_fan", name: str = "mine") -> Path:
    """A file of policies that differ only in what they declare; they play what greedy plays."""
    path = folder / f"{name}.py"
    texts = [
        POLICY.format(declared=words, number=number, fan=fan)
        for number, words in enumerate(declared)
    ]
    path.write_text(HEADER + "".join(texts), encoding="utf-8")
    return path


def values_of(policy: Policy) -> dict[str, float]:
    """A policy's parameters by name."""
    return dict(zip(policy.defaults, policy.values, strict=True))


def said(capsys: Any, *words: str) -> tuple[int, str, str]:
    """Run a command in this process: exit code, and what it wrote to both outputs."""
    with pytest.raises(SystemExit) as left:
        main(list(words))
    captured = capsys.readouterr()
    return int(left.value.code or 0), captured.out, captured.err


def said_json(capsys: Any, *words: str) -> Any:
    """What a command prints as JSON, with no constant that JSON does not have."""
    code, out, _ = said(capsys, *words, "--format", "json")
    assert code == 0

    def refuse(constant: str) -> Any:
        raise ValueError(f"JSON has no {constant}")

    return json.loads(out, parse_constant=refuse)


def one_line(message: str, *parts: str) -> bool:
    """Whether a message is one line that has all parts."""
    assert "\n" not in message.strip(), message
    for part in parts:
        assert part in message
    return True

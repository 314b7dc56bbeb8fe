"""From exact sums to the numbers that people read: rates and means with their intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from simlab.contract import GAME_COLUMNS, WHOLE_WIN
from simlab.experiments.batches import Played
from simlab.experiments.intervals import Estimate, estimate, mean_interval, rate_interval
from simlab.totals import IDENTIFIERS

if TYPE_CHECKING:
    import pandas as pd

    from simlab.contract import Game


def shown_columns(game: Game, rules: Any) -> list[tuple[str, int]]:
    """Columns of a seat that tables show, with their places in the sums.

    ``points`` and ``win_share`` stand apart and are left out; of the points after each
    checkpoint, those that the rules have.
    """
    names = game.all_seat_columns
    columns = [
        (name, place) for place, name in enumerate(names) if name not in ("points", "win_share")
    ]
    first = len(names) + 1
    after = [(f"points_{n + 1}", first + n) for n in range(game.checkpoints_of(rules))]
    return columns + after


def summarise(played: Played) -> dict[str, Any]:
    """Everything a run has to say, as plain values ready for JSON, unrounded.

    Returns
    -------
    dict
        ``study, games, deals, complete, policies, seats, game_columns, seconds,
        startup_seconds, games_per_second``. Each of ``policies`` has ``policy, seat_games,
        win_rate, ci95, points, columns``; each of ``seats`` has ``seat, win_rate, ci95,
        points, columns``. A mean comes as ``mean, sd, ci95``; numbers that do not exist (the
        error of a single deal) are None.
    """
    study, count = played.study, played.count
    rate = count.games / played.seconds if played.seconds > 0 else 0.0
    return {
        "study": study.record(),
        "games": count.games,
        "deals": count.deals,
        "complete": played.complete,
        "policies": [_policy(played, who) for who in range(len(study.matchup.lineup))],
        "seats": [_seat(played, seat) for seat in range(len(study.matchup.policies))],
        "game_columns": _game_columns(played),
        "seconds": played.seconds,
        "startup_seconds": played.startup_seconds,
        "games_per_second": rate,
    }


def _policy(played: Played, who: int) -> dict[str, Any]:
    study, count = played.study, played.count
    held = study.matchup.seating.count(who)  # seats that hold it in each game
    per_deal = held * len(study.seatings)
    sums, squares = count.sums["sums"][who].sum(axis=0), count.sums["squares"][who].sum(axis=0)
    deal_squares = count.sums["policy_deal_squares"][who]
    body = _body(played, sums, squares, deal_squares, per_deal)
    if len(study.matchup.lineup) == 1:
        # Whoever wins, this policy does: its share is a fact, not an estimate.
        body["win_rate"] = 1 / held
        body["ci95"] = [1 / held, 1 / held]
    text = study.matchup.lineup[who].text
    return {"policy": text, "seat_games": count.games * held, **body}


def _seat(played: Played, seat: int) -> dict[str, Any]:
    count = played.count
    sums, squares = (
        count.sums["sums"][:, seat].sum(axis=0),
        count.sums["squares"][:, seat].sum(axis=0),
    )
    per_deal = len(played.study.seatings)
    return {
        "seat": seat,
        **_body(played, sums, squares, count.sums["seat_deal_squares"][seat], per_deal),
    }


def _body(
    played: Played, sums: Any, squares: Any, deal_squares: Any, per_deal: int
) -> dict[str, Any]:
    game, deals = played.study.game, played.count.deals

    def found(place: int, unit: int = 1) -> Estimate:
        return estimate(sums[place], squares[place], deal_squares[place], deals, per_deal, unit)

    share = found(game.all_seat_columns.index("win_share"), WHOLE_WIN)
    columns = shown_columns(game, played.study.matchup.rules[0])
    return {
        "win_rate": _number(share.mean),
        "ci95": list(rate_interval(share)),
        "points": _mean(found(0)),
        "columns": {name: _mean(found(place)) for name, place in columns},
    }


def _game_columns(played: Played) -> dict[str, Any]:
    study, sums = played.study, played.count.sums
    names = study.game.all_game_columns
    found = {}
    for place, name in enumerate(names):
        if place >= IDENTIFIERS:
            keys = ("game_sums", "game_squares", "game_deal_squares")
            total, squares, deal_squares = (sums[key][place] for key in keys)
            deals, per_deal = played.count.deals, len(study.seatings)
            found[name] = _mean(estimate(total, squares, deal_squares, deals, per_deal))
    shown = study.game.game_columns + GAME_COLUMNS[IDENTIFIERS:]
    return {name: found[name] for name in shown}


def _mean(found: Estimate) -> dict[str, Any]:
    low, high = mean_interval(found)
    return {
        "mean": _number(found.mean),
        "sd": _number(found.sd),
        "ci95": [_number(low), _number(high)],
    }


def _number(value: float) -> float | None:
    """None for what does not exist: JSON has no NaN."""
    return None if math.isnan(value) else value


def tidy_rows(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """One flat row for each policy, then one for each seat, with equal keys.

    ``of`` is "policy" or "seat", ``name`` says which; then ``deals, win_rate, low, high`` and
    a mean and a deviation for ``points`` and every column.
    """
    named = [("policy", row["policy"], row) for row in summary["policies"]]
    named += [("seat", str(row["seat"]), row) for row in summary["seats"]]
    return [_tidy(summary, kind, name, row) for kind, name, row in named]


def _tidy(summary: dict[str, Any], kind: str, name: str, row: dict[str, Any]) -> dict[str, Any]:
    low, high = row["ci95"]
    line: dict[str, Any] = {
        "of": kind,
        "name": name,
        "games": summary["games"],
        "deals": summary["deals"],
    }
    line |= {"win_rate": row["win_rate"], "low": low, "high": high}
    for column, mean in {"points": row["points"], **row["columns"]}.items():
        line |= {f"{column}_mean": mean["mean"], f"{column}_sd": mean["sd"]}
    return line


def frame(summary: dict[str, Any]) -> pd.DataFrame:
    """`tidy_rows` as a frame."""
    import pandas as pd

    return pd.DataFrame(tidy_rows(summary))

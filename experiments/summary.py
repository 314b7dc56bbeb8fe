"""From exact sums to the numbers that people read: rates and means with their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simlab.contract import GAME_COLUMNS, WHOLE_WIN
from simlab.experiments import sequences
from simlab.experiments.counting import Count
from simlab.experiments.intervals import Estimate, estimate, mean_interval, rate_interval
from simlab.experiments.tests_of_difference import p_value
from simlab.totals import IDENTIFIERS

if TYPE_CHECKING:
    import pandas as pd

    from simlab.contract import Game
    from simlab.experiments.batches import Played
    from simlab.experiments.study import Study
    from simlab.experiments.tournaments.playing import Found

FIXED = "95 % at a number of deals fixed beforehand (Wilson or Clopper-Pearson; t for means)"
ALWAYS = "95 % at all numbers of deals at once (asymptotic confidence sequence)"
"""How the intervals of a summary are made, in words."""


def shown_columns(game: Game, rules: Any) -> list[tuple[str, int]]:
    """Columns of a seat that tables show, with their places in the sums.

    ``points`` and ``win_share`` stand apart and are left out; of the points after each
    checkpoint, those that the rules have.
    """
    names = game.all_seat_columns
    apart = ("points", "win_share")
    columns = [(name, place) for place, name in enumerate(names) if name not in apart]
    first = len(names) + 1
    after = [(f"points_{n + 1}", first + n) for n in range(game.checkpoints_of(rules))]
    return columns + after


def interval_of_rate(found: Estimate, always_valid: bool) -> tuple[float, float]:
    """Interval of a win rate, for a number of deals fixed beforehand or for all at once."""
    if not always_valid:
        return rate_interval(found)
    if found.deals < 2:
        return 0.0, 1.0
    return sequences.interval(found.mean, found.deviation, found.deals)


def p_value_of(found: Estimate, always_valid: bool) -> float:
    """P-value that a difference of win rates is 0, for one number of deals or for all."""
    if found.deals < 2:
        return 1.0
    if always_valid:
        return sequences.p_value(found.mean, found.deviation, found.deals)
    return p_value(found.mean, found.error, found.deals)


@dataclass(frozen=True)
class Reading:
    """The sums of one study, read as estimates.

    Attributes
    ----------
    study : Study
    count : Count
    always_valid : bool
        Whether intervals have to hold however the number of deals came about: play stopped when
        it was precise enough, or went on after it was looked at.
    """

    study: Study
    count: Count
    always_valid: bool = False

    def held(self, who: int) -> int:
        """Seats that a policy of the line-up holds in each game."""
        return self.study.matchup.seating.count(who)

    def policy(self, who: int, place: int, unit: int = 1) -> Estimate:
        """A column's mean over the seats of one policy; ``place`` is the column's."""
        sums = self.count.sums
        per_deal = self.held(who) * len(self.study.seatings)
        total, squares = (int(sums[key][who, :, place].sum()) for key in ("sums", "squares"))
        deal_squares = int(sums["policy_deal_squares"][who, place])
        return estimate(total, squares, deal_squares, self.count.deals, per_deal, unit)

    def seat(self, seat: int, place: int, unit: int = 1) -> Estimate:
        """A column's mean over the games of one seat."""
        sums, per_deal = self.count.sums, len(self.study.seatings)
        total, squares = (int(sums[key][:, seat, place].sum()) for key in ("sums", "squares"))
        deal_squares = int(sums["seat_deal_squares"][seat, place])
        return estimate(total, squares, deal_squares, self.count.deals, per_deal, unit)

    def game(self, place: int) -> Estimate:
        """The mean of a column with one value a game."""
        keys = ("game_sums", "game_squares", "game_deal_squares")
        total, squares, deal_squares = (int(self.count.sums[key][place]) for key in keys)
        deals, per_deal = self.count.deals, len(self.study.seatings)
        return estimate(total, squares, deal_squares, deals, per_deal)

    @property
    def share_place(self) -> int:
        """Place of the win share among a seat's columns."""
        return self.study.game.all_seat_columns.index("win_share")

    @property
    def by_symmetry(self) -> bool:
        """Whether one policy holds every seat: its win rate is a fact, no estimate."""
        return len(self.study.matchup.lineup) == 1

    def shares(self) -> dict[str, Estimate]:
        """The win rates that games say something about.

        Those of the policies, by their texts; of one policy in every seat, those of the seats.
        """
        place = self.share_place
        if self.by_symmetry:
            seats = range(len(self.study.matchup.policies))
            return {f"seat {seat}": self.seat(seat, place, WHOLE_WIN) for seat in seats}
        lineup = enumerate(self.study.matchup.lineup)
        return {policy.text: self.policy(who, place, WHOLE_WIN) for who, policy in lineup}

    def win_rate(self, who: int) -> tuple[float, float, float]:
        """Win rate of a policy with its interval, which is no wider than itself by symmetry."""
        if self.by_symmetry:
            return (1 / self.held(who),) * 3
        share = self.policy(who, self.share_place, WHOLE_WIN)
        return share.mean, *self.rate(share)

    def rate(self, found: Estimate) -> tuple[float, float]:
        """Interval of a win rate."""
        return interval_of_rate(found, self.always_valid)

    def mean(self, found: Estimate) -> dict[str, Any]:
        """A mean with its deviation and interval, as plain values."""
        low, high = mean_interval(found)
        if self.always_valid and found.deals > 1:
            low, high = sequences.interval(
                found.mean, found.deviation, found.deals, bounds=None, reach=None
            )
        interval = [_number(low), _number(high)]
        return {"mean": _number(found.mean), "sd": _number(found.sd), "ci95": interval}

    def record(self) -> dict[str, Any]:
        """Everything the sums have to say, as plain values ready for JSON, unrounded."""
        study, count = self.study, self.count
        return {
            "study": study.record(),
            "games": count.games,
            "deals": count.deals,
            "intervals": ALWAYS if self.always_valid else FIXED,
            "policies": [self._policy(who) for who in range(len(study.matchup.lineup))],
            "seats": [self._seat(seat) for seat in range(len(study.matchup.policies))],
            "game_columns": self._game_columns(),
        }

    def _policy(self, who: int) -> dict[str, Any]:
        body = self._body(self.win_rate(who), lambda place: self.policy(who, place))
        text = self.study.matchup.lineup[who].text
        return {"policy": text, "seat_games": self.count.games * self.held(who), **body}

    def _seat(self, seat: int) -> dict[str, Any]:
        share = self.seat(seat, self.share_place, WHOLE_WIN)
        rate = (share.mean, *self.rate(share))
        return {"seat": seat, **self._body(rate, lambda place: self.seat(seat, place))}

    def _body(self, rate: tuple[float, float, float], column: Any) -> dict[str, Any]:
        columns = shown_columns(self.study.game, self.study.matchup.rules[0])
        mean, *interval = rate
        return {
            "win_rate": _number(mean),
            "ci95": interval,
            "points": self.mean(column(0)),
            "columns": {name: self.mean(column(place)) for name, place in columns},
        }

    def _game_columns(self) -> dict[str, Any]:
        game = self.study.game
        places = {name: place for place, name in enumerate(game.all_game_columns)}
        shown = game.game_columns + GAME_COLUMNS[IDENTIFIERS:]
        return {name: self.mean(self.game(places[name])) for name in shown}


def summarise(played: Played) -> dict[str, Any]:
    """Everything a run of one study has to say, as plain values ready for JSON, unrounded.

    Returns
    -------
    dict
        ``study, games, deals, intervals, policies, seats, game_columns, complete,
        stopped_early, seconds, startup_seconds, games_per_second``. Each of ``policies`` has
        ``policy, seat_games, win_rate, ci95, points, columns``; each of ``seats`` has ``seat,
        win_rate, ci95, points, columns``. A mean comes as ``mean, sd, ci95``; numbers that do
        not exist (the error of a single deal) are None.
    """
    always = played.study.precision is not None
    return {**Reading(played.study, played.count, always).record(), **timings(played)}


def timings(played: Played | Found) -> dict[str, Any]:
    """How a run ended, and how long it took."""
    rate = played.played_games / played.seconds if played.seconds > 0 else 0.0
    return {
        "complete": played.complete,
        "stopped_early": played.stopped_early,
        "seconds": played.seconds,
        "startup_seconds": played.startup_seconds,
        "games_per_second": rate,
    }


def _number(value: float) -> float | None:
    """None for what does not exist: JSON has no NaN and no infinity."""
    return value if math.isfinite(value) else None


def tidy_rows(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """One flat row for each policy, then one for each seat, with equal keys.

    ``of`` is "policy" or "seat", ``name`` says which; then ``games, deals, win_rate, low, high``
    and a mean and a deviation for ``points`` and every column.
    """
    named = [("policy", row["policy"], row) for row in summary["policies"]]
    named += [("seat", str(row["seat"]), row) for row in summary["seats"]]
    return [_tidy(summary, kind, name, row) for kind, name, row in named]


def _tidy(summary: dict[str, Any], kind: str, name: str, row: dict[str, Any]) -> dict[str, Any]:
    low, high = row["ci95"]
    line: dict[str, Any] = {"of": kind, "name": name}
    line |= {"games": summary["games"], "deals": summary["deals"]}
    line |= {"win_rate": row["win_rate"], "low": low, "high": high}
    for column, mean in {"points": row["points"], **row["columns"]}.items():
        line |= {f"{column}_mean": mean["mean"], f"{column}_sd": mean["sd"]}
    return line


def frame(summary: dict[str, Any]) -> pd.DataFrame:
    """`tidy_rows` as a frame."""
    import pandas as pd

    return pd.DataFrame(tidy_rows(summary))

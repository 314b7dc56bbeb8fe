"""An outcome table as arrays by game and seat, and estimates whose error is that between deals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.errors import UsageError
from simlab.experiments.intervals import Estimate, mean_interval
from simlab.experiments.measures.ratios import ratio_of

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

Z95 = 1.959963984540054


@dataclass(frozen=True)
class Measure:
    """One number about how a game plays.

    Attributes
    ----------
    name : str
        As in ``wire to wire``.
    value, low, high : float
        With the 95 % interval over deals; NaN where the games do not show it.
    deals : int
    unit : str
        "share", "points", "number", "places", "decisions", "sd" (of the points) and the like.
    definition : str
        What is counted, in one sentence.
    source : str
        Where the measure comes from; empty where it is ours.
    """

    name: str
    value: float
    low: float
    high: float
    deals: int
    unit: str
    definition: str
    source: str = ""


@dataclass(frozen=True)
class Games:
    """Games of one line-up, G of them, with P seats and R checkpoints.

    Attributes
    ----------
    deal : numpy.ndarray of int64, shape (G,)
        Places of the deals, from 0.
    policy : numpy.ndarray of int64, shape (G, P)
        Place of each seat's policy in `policies`.
    points, share, rank : numpy.ndarray, shape (G, P)
    after : numpy.ndarray, shape (G, P, R)
        Points after each checkpoint, before scoring at the end.
    columns : dict of str to numpy.ndarray, shape (G, P)
        All other columns of the table.
    policies : tuple of str
    """

    deal: Ints
    policy: Ints
    points: Floats
    share: Floats
    rank: Ints
    after: Floats
    columns: dict[str, Any]
    policies: tuple[str, ...]

    @classmethod
    def of(cls, table: pd.DataFrame) -> Games:
        """Read an outcome table (`simlab.Results.games`), whole games in any order.

        Raises
        ------
        UsageError
            If it holds no game, or games of different numbers of seats.
        """
        if not len(table):
            raise UsageError("the outcome table has no games")
        table = table.sort_values(["game", "seat"], kind="stable")
        players = int(table["seat"].max()) + 1
        if len(table) % players or (table["seat"].to_numpy() != _tiled(players, len(table))).any():
            raise UsageError("the outcome table has games with seats missing")
        shape = (-1, players)
        codes, names = table["policy"].astype(str).factorize(sort=True)
        names_of = [str(name) for name in table]
        rounds = [n for n in names_of if n.startswith("points_") and n[7:].isdigit()]
        rounds.sort(key=lambda name: int(name[7:]))
        after = [table[name].to_numpy(float).reshape(shape) for name in rounds]
        known = {"game", "deal", "rotation", "seat", "policy", "points", "rank", "win_share"}
        own = [name for name in names_of if name not in known and name not in rounds]
        deals = table["deal"].to_numpy().reshape(shape)[:, 0]
        return cls(
            deal=np.unique(deals, return_inverse=True)[1].astype(np.int64),
            policy=codes.reshape(shape).astype(np.int64),
            points=table["points"].to_numpy(float).reshape(shape),
            share=table["win_share"].to_numpy(float).reshape(shape),
            rank=table["rank"].to_numpy(np.int64).reshape(shape),
            after=np.stack(after, axis=2) if after else np.zeros((len(deals), players, 0)),
            columns={name: table[name].to_numpy().reshape(shape) for name in own},
            policies=tuple(names),
        )

    @property
    def players(self) -> int:
        """Seats of a game."""
        return int(self.points.shape[1])

    @property
    def deals(self) -> int:
        """Deals that the games are of."""
        return int(self.deal.max()) + 1

    def by_game(self, column: str) -> Floats:
        """A column that has one value a game, shape (G,)."""
        found: Floats = self.columns[column][:, 0].astype(float)
        return found

    def mean(self, values: Floats) -> Estimate:
        """Mean over games of one value each, with its error over deals."""
        return self.ratio(values, np.ones(len(values)))

    def ratio(self, above: Floats, below: Floats) -> Estimate:
        """Sum of one thing over that of another, its error over all deals: see `ratio_of`."""
        sums = (np.bincount(self.deal, values, self.deals) for values in (above, below))
        return ratio_of(*sums).over(self.deals)

    def measure(
        self, name: str, found: Estimate, unit: str, definition: str, source: str = ""
    ) -> Measure:
        """An estimate as a measure."""
        low, high = mean_interval(found) if math.isfinite(found.error) else (math.nan, math.nan)
        if unit == "share":
            low, high = max(0.0, low), min(1.0, high)
        return Measure(name, found.mean, low, high, found.deals, unit, definition, source)


def _tiled(players: int, rows: int) -> Ints:
    found: Ints = np.tile(np.arange(players), -(-rows // players))[:rows]
    return found


def jackknifed(games: Games, statistic: Any, blocks: int = 50) -> list[tuple[float, float, float]]:
    """Values of a statistic of games and their 95 % intervals, by leaving out blocks of deals.

    Parameters
    ----------
    games : Games
    statistic : callable
        ``(weights over games) -> array``: what the games say with these weights, 0 or 1.
    blocks : int
        At most as many as there are deals.

    Returns
    -------
    list of (value, low, high)

    References
    ----------
    B. Efron, "The Jackknife, the Bootstrap and Other Resampling Plans" (SIAM, 1982).
    """
    whole = np.asarray(statistic(np.ones(len(games.deal))), dtype=float)
    blocks = min(blocks, games.deals)
    if blocks < 2:
        return [(float(v), math.nan, math.nan) for v in whole]
    block = games.deal % blocks
    left = np.array([statistic((block != one).astype(float)) for one in range(blocks)])
    error = np.sqrt((blocks - 1) / blocks * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
    from scipy import special

    t = float(special.stdtrit(blocks - 1, 0.975))
    return [
        (float(v), float(v - t * e), float(v + t * e)) for v, e in zip(whole, error, strict=True)
    ]

"""How sure the game theory of a tournament is: all of it again on many resamples of its deals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator, Philox

from simlab.errors import UsageError
from simlab.experiments.metagame.dominance import (
    always_better,
    cycles,
    dominance,
    dominant_of,
    edges,
    rings_of,
)
from simlab.experiments.metagame.dynamics import Basins, basins, flow, scaled, starts_of
from simlab.experiments.metagame.equilibria import (
    CHOOSING_STARTS,
    Equilibrium,
    chosen,
    find_equilibria,
    least_regret,
    symmetric_equilibria,
    variety,
)
from simlab.experiments.metagame.game import EmpiricalGame
from simlab.experiments.metagame.ranking import (
    POPULATION,
    SAME,
    AlphaRank,
    alpha_rank,
    masses,
)
from simlab.experiments.metagame.tables import Flags, Floats, Ints, Seats

if TYPE_CHECKING:
    import pandas as pd

FEWEST = 100
"""Resamples below which a share of 95 % of them says too little."""
ROOM = 40_000
"""Numbers in the arrays that are worked on at once: they should stay in a processor's cache."""
EACH, MOST = 6, 600
"""Starts of Newton's method in a set of policies and in all, in each resample."""


@dataclass(frozen=True, eq=False)
class MetaResult:
    """The game theory of a tournament, and how it comes out on resamples of its deals.

    D is the number of resamples, n that of policies.

    Attributes
    ----------
    game : EmpiricalGame
    seed : int
    equilibria : list of Equilibrium
        Of the estimates, the one to expect first.
    ranking : AlphaRank
        Of the estimates.
    basins : Basins
        Of the estimates.
    mixes : numpy.ndarray of float64, shape (D, n)
        The equilibrium to expect in each resample.
    found : numpy.ndarray of int64, shape (D,)
        Equilibria that were found in each; 0 where none was (the mix is then the one with the
        least regret).
    flows : numpy.ndarray of float64, shape (D, n)
        Where the replicator flow from the even mix ends; if it cycles, its mean.
    settled : numpy.ndarray of bool, shape (D,)
        Whether that flow comes to rest.
    mass : numpy.ndarray of float64, shape (D, n)
        Alpha-rank masses, at the estimates' strength of selection.
    better : numpy.ndarray of bool, shape (D, n, n)
        Whether i does better than j whatever the others play.
    ahead : numpy.ndarray of bool, shape (D, n, n)
        Whether i beats j among the two alone.
    invaded : numpy.ndarray of bool, shape (D, n, n)
        Whether one who plays j among players of i only does better than they do.
    """

    game: EmpiricalGame
    seed: int
    equilibria: list[Equilibrium]
    ranking: AlphaRank
    basins: Basins
    mixes: Floats
    found: Ints
    flows: Floats
    settled: Flags
    mass: Floats
    better: Flags
    ahead: Flags
    invaded: Flags

    @property
    def policies(self) -> tuple[str, ...]:
        """Names of the policies."""
        return self.game.policies

    @property
    def draws(self) -> int:
        """Number of resamples."""
        return len(self.mixes)

    @property
    def dominant(self) -> Flags:
        """Whether each policy is dominant in each resample; shape (D, n)."""
        return dominant_of(self.better)

    @property
    def safe(self) -> Flags:
        """Whether nobody gains by turning away when all play a policy; shape (D, n)."""
        return np.asarray(~self.invaded.any(axis=2))

    @cached_property
    def top(self) -> Floats:
        """Part that each policy has in the first place by alpha-rank; shape (D, n)."""
        first = self.mass >= self.mass.max(axis=1, keepdims=True) - SAME
        return np.asarray(first / first.sum(axis=1, keepdims=True))

    @property
    def in_mix(self) -> Flags:
        """Whether each policy has a share of the equilibrium in each resample; shape (D, n)."""
        return np.asarray(self.mixes > 0.0)

    @cached_property
    def cyclic(self) -> Flags:
        """Whether some policies beat each other in a ring in each resample; shape (D,)."""
        return np.array([bool(rings_of(ahead)) for ahead in self.ahead], dtype=np.bool_)

    @property
    def variety(self) -> Floats:
        """Effective number of policies of the equilibrium in each resample; shape (D,)."""
        return variety(self.mixes)

    def frame(self) -> pd.DataFrame:
        """Each policy with what the resamples say of it.

        Returns
        -------
        pandas.DataFrame
            ``policy``; ``mix, mix_mean, mix_low, mix_high, in_mix``: its share of the expected
            equilibrium (of the estimates; mean and 95 % interval over resamples; how often it
            has any); ``flow, flow_mean, flow_low, flow_high`` likewise for the end of the
            replicator flow from the even mix (of the estimates: NaN where it does not settle);
            ``mass, mass_mean, mass_low, mass_high, top`` for alpha-rank; ``dominant, safe``:
            how often.
        """
        import pandas as pd

        table = pd.DataFrame({"policy": list(self.policies)})
        even = [point.mix for point in self.basins.points if point.from_even]
        end = even[0] if even else np.full(len(self.policies), np.nan)
        for name, value, draws in (
            ("mix", self.equilibria[0].mix, self.mixes),
            ("flow", end, self.flows),
            ("mass", self.ranking.mass, self.mass),
        ):
            low, high = interval(draws)
            table[name], table[f"{name}_mean"] = value, draws.mean(axis=0)
            table[f"{name}_low"], table[f"{name}_high"] = low, high
        shares = {"in_mix": self.in_mix, "top": self.top}
        shares |= {"dominant": self.dominant, "safe": self.safe}
        for name, flags in shares.items():
            table[name] = flags.mean(axis=0)
        return table

    def record(self) -> dict[str, Any]:
        """Everything as plain values ready for JSON."""
        from simlab.experiments.metagame.verdict import verdict

        low, high = interval(self.variety)
        table = dominance(self.game)
        return {
            "equilibrium": [_plain_equilibrium(one) for one in self.equilibria],
            "variety": {
                "effective_policies": self.equilibria[0].variety,
                "mean": float(self.variety.mean()),
                "ci95": [float(low), float(high)],
            },
            "alpha_rank": {
                "alpha": self.ranking.alpha,
                "population": self.ranking.population,
                "mass": _by_name(self.policies, self.ranking.mass),
            },
            "replicator": {
                "starts": self.basins.starts,
                "wandering": self.basins.wandering,
                "rest_points": [
                    {"mix": _by_name(self.policies, point.mix), "basin": point.share}
                    | {"regret": point.regret, "from_even": point.from_even}
                    for point in self.basins.points
                ],
            },
            "dominant": _names(self.policies, dominant_of(always_better(self.game.worth))),
            "dominated": table.loc[table["kind"] != "none", ["policy", "over", "kind", "p_holm"]]
            .astype({"p_holm": float})
            .to_dict("records"),
            "cycles": [
                {"policies": list(one.policies), "ring": list(one.ring)}
                for one in cycles(self.game)
            ],
            "bootstrap": {
                "draws": self.draws,
                "seed": self.seed,
                "policies": _without_nan(self.frame().to_dict("records")),
                "cycle": float(self.cyclic.mean()),
                "several_equilibria": float((self.found > 1).mean()),
                "settled": float(self.settled.mean()),
            },
            "verdict": verdict(self),
        }


def interval(draws: Floats) -> tuple[Any, Any]:
    """Limits that leave 2.5 % on either side, over the first axis.

    By Weibull's positions k / (D + 1), between which a further value falls 95 times in 100
    however few the draws are; the usual quantiles of 100 draws hold 93.
    """
    low, high = np.quantile(draws, [0.025, 0.975], axis=0, method="weibull")
    return low, high


def _plain_equilibrium(one: Equilibrium) -> dict[str, Any]:
    return {
        "mix": _by_name(one.policies, one.mix),
        "payoff": one.payoff,
        "regret": one.regret,
        "stable": one.stable,
        "basin": one.basin,
    }


def _by_name(policies: tuple[str, ...], values: Floats) -> dict[str, float]:
    return dict(zip(policies, map(float, values), strict=True))


def _names(policies: tuple[str, ...], flags: Flags) -> list[str]:
    return [name for name, flag in zip(policies, flags, strict=True) if flag]


def _without_nan(rows: Any) -> list[dict[str, Any]]:
    """None for NaN: JSON has none."""
    import pandas as pd

    return [{key: None if pd.isna(one) else one for key, one in row.items()} for row in rows]


def bootstrap(
    game: EmpiricalGame, draws: int = 400, seed: int = 0, population: int = POPULATION
) -> MetaResult:
    """Do the game theory of a tournament on its estimates and on resamples of them.

    Each resample draws all payoffs from their sampling distribution (`drawn_payoffs`), so what
    comes out the same in nearly all of them is not an accident of the deals. A resample depends
    on the seed and on its number only: more draws extend fewer.

    Parameters
    ----------
    game : EmpiricalGame
        All tables played.
    draws : int
        At least 100.
    seed : int
    population : int
        Players of alpha-rank's crowd.

    Raises
    ------
    UsageError
        When a table is missing, or there are too few draws.
    """
    if draws < FEWEST:
        raise UsageError(f"a bootstrap takes at least {FEWEST} draws, got {draws}")
    ranking = alpha_rank(game, population=population)
    rng = Generator(Philox(seed))
    parts = []
    together = 1 + ROOM // (CHOOSING_STARTS * len(game.seats.others))
    for first in range(0, draws, together):
        count = min(together, draws - first)
        payoffs = np.array([game.drawn_payoffs(rng) for _ in range(count)])
        parts.append(_analysed(game.worth_of(payoffs), game.seats, ranking))
    return MetaResult(
        game=game,
        seed=seed,
        equilibria=symmetric_equilibria(game),
        ranking=ranking,
        basins=basins(game),
        **{name: np.concatenate([part[name] for part in parts]) for name in parts[0]},
    )


def _analysed(worth: Floats, seats: Seats, ranking: AlphaRank) -> dict[str, Any]:
    """Everything that is asked of some resamples, by its name in the result."""
    better = always_better(worth)
    mixes, found, flows, settled = _settled_on(scaled(worth), seats)
    return {
        "mixes": mixes,
        "found": found,
        "flows": flows,
        "settled": settled,
        "mass": masses(worth, seats, ranking.alpha, ranking.population),
        "better": better,
        "ahead": edges(worth, seats) > 0.0,
        "invaded": _invaded(worth, seats),
    }


def _invaded(worth: Floats, seats: Seats) -> Flags:
    """Whether j does better than i where all others are i; shape (..., i, j)."""
    alone = np.flatnonzero((seats.others == seats.others[:, :1]).all(axis=1))
    gains = worth[..., alone, :]
    return np.asarray(gains > np.einsum("...ii->...i", gains)[..., None])


def _settled_on(worth: Floats, seats: Seats) -> tuple[Floats, Ints, Floats, Flags]:
    """The equilibrium to expect in each of some games, how many there are, and the even flow."""
    sets = [find_equilibria(one, seats, EACH, MOST) for one in worth]
    starts = starts_of(seats.policies, CHOOSING_STARTS, 0)
    torn = np.array([len(mixes) != 1 for mixes in sets])
    ends = np.zeros((len(worth), len(starts), seats.policies))
    settled = np.zeros(ends.shape[:2], dtype=np.bool_)
    for which, count in ((torn, len(starts)), (~torn, 1)):
        if which.any():
            first = np.repeat(starts[None, :count], int(which.sum()), axis=0)
            ends[which, :count], settled[which, :count] = flow(worth[which], first, seats)
    mixes = np.zeros((len(worth), seats.policies))
    for place, choice in enumerate(sets):
        if len(choice) == 0:
            mixes[place] = least_regret(worth[place], ends[place], seats)[0]
        elif len(choice) == 1:
            mixes[place] = choice[0]
        else:
            mixes[place] = choice[chosen(choice, ends[place], settled[place])[0]]
    found = np.array([len(choice) for choice in sets], dtype=np.int64)
    return mixes, found, ends[:, 0], settled[:, 0]

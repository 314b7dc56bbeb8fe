"""Which policy is better whatever the others play, and which beat each other in a ring."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import special
from scipy.sparse import csgraph

from simlab.experiments.metagame.game import EmpiricalGame
from simlab.experiments.metagame.ranking import pair_payoffs
from simlab.experiments.metagame.tables import Flags, Floats, Ints, Seats, groups, places_of
from simlab.experiments.tests_of_difference import holm, p_value

if TYPE_CHECKING:
    import pandas as pd

ROUNDING = 1e-12
"""Differences, in units of the reach, that are no difference."""


def margins(worth: Floats) -> Floats:
    """How much better a seat of i does than one of j with the same others.

    Shape (..., O, i, j), from payoffs of shape (..., O, policies).
    """
    return worth[..., :, None] - worth[..., None, :]


def always_better(worth: Floats) -> Flags:
    """Whether i does better than j with any others; shape (..., i, j)."""
    count = worth.shape[-1]
    found = np.zeros((*worth.shape[:-2], count, count), dtype=np.bool_)
    for one in range(count):
        found[..., one, :] = (worth[..., one, None] > worth).all(axis=-2)
    return found


def dominant_of(better: Flags) -> Flags:
    """Whether a policy is always better than every other; shape (..., policies)."""
    every = better | np.eye(better.shape[-1], dtype=np.bool_)
    alone = better.shape[-1] == 1
    return np.asarray(every.all(axis=-1) & (not alone))


def dominance(game: EmpiricalGame) -> pd.DataFrame:
    """For each two policies, whether one does better than the other whatever the others play.

    Strictly: by more than nothing with all others; weakly: never worse, and better with some.
    The evidence is the margin with those others where it is least in standard errors. To say
    "always better", each margin has to be more than 0, so the largest of their one-sided
    p-values is a p-value of the whole (intersection-union test); a correction over the tables
    would only weaken it. Over the pairs it is corrected by Holm's method.

    Returns
    -------
    pandas.DataFrame
        A row for each ordered pair: ``policy, over, kind`` ("strict", "weak" or "none", of the
        estimates), ``least_margin, errors`` (that margin and the least one in standard errors;
        infinite when known exactly), ``p_holm`` (1 unless strict).

    References
    ----------
    R. L. Berger, "Multiparameter hypothesis testing and acceptance sampling" (Technometrics 24,
    1982).
    """
    import pandas as pd

    found = margins(game.worth)
    errors, deals = _margin_errors(game)
    rows = []
    for one, other in zip(*np.nonzero(~np.eye(len(game.policies), dtype=np.bool_)), strict=True):
        margin, error = found[:, one, other], errors[:, one, other]
        size = _in_errors(margin, error, game.reach)
        p = _one_sided(size, deals[:, one, other])
        rows.append(
            {"policy": game.policies[one], "over": game.policies[other]}
            | {"kind": kind_of(margin, game.reach), "least_margin": float(margin.min())}
            | {"errors": float(size.min()), "p": float(p.max())}
        )
    columns = ["policy", "over", "kind", "least_margin", "errors", "p"]
    table = pd.DataFrame(rows, columns=columns)
    table["p_holm"] = np.where(table["kind"] == "strict", holm(table["p"].tolist()), 1.0)
    return table.drop(columns="p")


def kind_of(margin: Floats, reach: float) -> str:
    """Say whether margins with all others make a policy "strict"ly, "weak"ly or not better."""
    least, most = margin.min(), margin.max()
    nothing = ROUNDING * reach
    if least > nothing:
        return "strict"
    return "weak" if least >= -nothing and most > nothing else "none"


def _margin_errors(game: EmpiricalGame) -> tuple[Floats, Floats]:
    """Standard errors and deals of `margins`; the two seats are at different tables."""
    variances = np.where(game.present, np.einsum("mii->mi", game.spread), 0.0)
    each = game.worth_of(variances)
    rows = game.rows[game.seats.tables]
    played = np.full(rows.shape, np.inf) if game.deals is None else game.deals[rows] * 1.0
    errors = np.sqrt(each[:, :, None] + each[:, None, :])
    return errors, np.minimum(played[:, :, None], played[:, None, :])


def _in_errors(margin: Floats, error: Floats, reach: float) -> Floats:
    """Margins in standard errors; without error they are infinite, or 0 when there is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(error > 0.0, margin / error, np.sign(margin) * np.inf)
    return np.where(np.abs(margin) <= ROUNDING * reach, 0.0, found)


def _one_sided(size: Floats, deals: Floats) -> Floats:
    """P-values that margins of so many standard errors are no more than 0; 1 for one deal."""
    free = np.minimum(np.maximum(deals - 1.0, 1.0), 1e9)
    return np.where(deals > 1, special.stdtr(free, -size), np.where(size == np.inf, 0.0, 1.0))


# --- Who beats whom -------------------------------------------------------------------------


def edges(worth: Floats, seats: Seats) -> Floats:
    """By how much a seat of i does better than one of j among the two alone.

    The mean over tables at which all other seats are i or j, each number of i's as often: over
    all shares of i and j in a crowd of the two. It is more than 0 just when one i takes over a
    large crowd of j's more probably than the other way round, at any strength of selection; for
    two players and win shares, when i wins more than half.

    Shape (..., i, j); the edge of j over i is its negative.

    References
    ----------
    S. Kurokawa, Y. Ihara, "Emergence of cooperation in public goods games" (Proceedings of the
    Royal Society B 276, 2009). C. S. Gokhale, A. Traulsen, "Evolutionary games in the
    multiverse" (PNAS 107, 2010).
    """
    own, other = pair_payoffs(worth, seats)
    return np.asarray((own - other).mean(axis=-1))


def _edge_errors(game: EmpiricalGame) -> tuple[Floats, Floats]:
    """Standard errors of `edges` and the least deals behind each; shape (i, j)."""
    count, players = len(game.policies), game.players
    errors, deals = np.zeros((count, count)), np.full((count, count), np.inf)
    for one, other in groups(count, 2).tolist():
        if one == other:
            continue
        rows = _tables_of_two(game, one, other)
        weights = np.zeros(count)
        weights[[one, other]] = 1.0 / players, -1.0 / players
        variance = np.einsum("i,mij,j->", weights, game.spread[rows], weights)
        errors[[one, other], [other, one]] = np.sqrt(max(float(variance), 0.0))
        if game.deals is not None:
            deals[[one, other], [other, one]] = game.deals[rows].min()
    return errors, deals


def _tables_of_two(game: EmpiricalGame, one: int, other: int) -> Ints:
    """Rows of the tables that seat only these two, from none of the one to all of it."""
    members = np.full((game.players + 1, game.players), other)
    for seats in range(game.players + 1):
        members[seats, :seats] = one
    return game.rows[places_of(members, len(game.policies))]


def beats(game: EmpiricalGame) -> pd.DataFrame:
    """Who beats whom, among the two alone, and how surely (`edges` says how it is measured).

    Returns
    -------
    pandas.DataFrame
        A row for each two policies: ``policy`` (the one that is ahead), ``over, edge`` (from 0
        up), ``error, p_holm`` (two-sided, corrected over the pairs).
    """
    import pandas as pd

    found, (errors, deals) = edges(game.worth, game.seats), _edge_errors(game)
    rows = []
    for one, other in groups(len(game.policies), 2).tolist():
        if one == other:
            continue
        ahead, behind = (one, other) if found[one, other] >= 0.0 else (other, one)
        edge, error = float(found[ahead, behind]), float(errors[ahead, behind])
        p = _two_sided(edge, error, float(deals[one, other]), game.reach)
        rows.append((game.policies[ahead], game.policies[behind], edge, error, p))
    table = pd.DataFrame(rows, columns=["policy", "over", "edge", "error", "p"])
    table["p_holm"] = holm(table["p"].tolist())
    return table.drop(columns="p")


def _two_sided(edge: float, error: float, deals: float, reach: float) -> float:
    if np.isinf(deals):
        return 0.0 if edge > ROUNDING * reach else 1.0
    return p_value(edge, error, int(deals))


@dataclass(frozen=True)
class Cycle:
    """Policies none of which is on top: each is beaten by another that it is not above.

    Attributes
    ----------
    policies : tuple of str
        All that belong together (a strongly connected part of who beats whom).
    ring : tuple of str
        A shortest ring among them: each beats the next, and the last beats the first.
    """

    policies: tuple[str, ...]
    ring: tuple[str, ...]


def cycles(game: EmpiricalGame, alpha: float = 0.05) -> list[Cycle]:
    """Groups of policies that beat each other in a ring, of what is sure.

    Parameters
    ----------
    game : EmpiricalGame
    alpha : float
        A policy beats another if the corrected p-value of its edge is at most this.
    """
    table = beats(game)
    sure = table[table["p_holm"] <= alpha]
    places = {name: place for place, name in enumerate(game.policies)}
    beaten = np.zeros((len(places), len(places)), dtype=np.bool_)
    beaten[[places[name] for name in sure["policy"]], [places[name] for name in sure["over"]]] = (
        True
    )
    return [
        Cycle(
            tuple(game.policies[place] for place in part),
            tuple(game.policies[place] for place in shortest_ring(beaten, part)),
        )
        for part in rings_of(beaten)
    ]


def rings_of(beaten: Flags) -> list[list[int]]:
    """Strongly connected parts of more than one policy of who beats whom."""
    count, labels = csgraph.connected_components(beaten, directed=True, connection="strong")
    parts = [np.flatnonzero(labels == label).tolist() for label in range(count)]
    return sorted(part for part in parts if len(part) > 1)


def shortest_ring(beaten: Flags, part: list[int]) -> list[int]:
    """A shortest ring within a strongly connected part; the first one that there is."""
    found = [_way_back(beaten, part, first) for first in part]
    return min(found, key=len)


def _way_back(beaten: Flags, part: list[int], first: int) -> list[int]:
    """Shortest way from a policy over those it beats back to itself."""
    ways = deque([[first]])
    seen = {first}
    while True:
        way = ways.popleft()
        if len(way) > 1 and beaten[way[-1], first]:
            return way
        for other in part:
            if beaten[way[-1], other] and other not in seen:
                seen.add(other)
                ways.append([*way, other])

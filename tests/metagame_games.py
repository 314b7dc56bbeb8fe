"""Textbook games whose equilibria are known, and tournaments with a known truth."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlab.experiments.metagame import EmpiricalGame

ROCK = ("rock", "paper", "scissors")


def rock_paper_scissors(win: float = 1.0, loss: float = 1.0) -> EmpiricalGame:
    return EmpiricalGame.of_matrix(ROCK, [[0, -loss, win], [win, 0, -loss], [-loss, win, 0]])


def heavy_rock() -> EmpiricalGame:
    """Zero-sum; a win with rock counts 2. The mix makes all payoffs 0.

    Against (r, p, s): rock gets 2 s - p, paper r - s, scissors p - 2 r, so p = 2 s and r = s:
    (1/4, 1/2, 1/4).
    """
    return EmpiricalGame.of_matrix(ROCK, [[0, -1, 2], [1, 0, -1], [-2, 1, 0]])


def prisoners() -> EmpiricalGame:
    return EmpiricalGame.of_matrix(("silent", "talks"), [[3, 0], [5, 1]])


def hawk_dove(value: float = 4.0, cost: float = 6.0) -> EmpiricalGame:
    """Hawks make up value / cost of the mix."""
    fight = (value - cost) / 2
    return EmpiricalGame.of_matrix(("hawk", "dove"), [[fight, value], [0, value / 2]])


def stag_hunt() -> EmpiricalGame:
    """Two pure equilibria; between them 2 x = 1 - x, x = 1/3."""
    return EmpiricalGame.of_matrix(("left", "right"), [[2, 0], [0, 1]])


def volunteers(cost: float) -> EmpiricalGame:
    """Three players; all get 1 if any volunteers, who pays the cost.

    A volunteer gets 1 - cost, another 1 - (1 - x)^2: equal at x = 1 - sqrt(cost).
    """
    return EmpiricalGame.known(
        ("volunteers", "waits"), 3, lambda who, others: 1 - cost if who == 0 else others[0] > 0
    )


def two_of_three(cost: float) -> EmpiricalGame:
    """Three players; all get 1 if two or more help, who pay the cost.

    Helping pays if just one of the others helps: 2 x (1 - x) = cost.
    """
    return EmpiricalGame.known(
        ("helps", "idles"),
        3,
        lambda who, others: float(others[0] + (who == 0) >= 2) - cost * (who == 0),
    )


def three_roads() -> EmpiricalGame:
    """Three players; who is alone on a road gets 4, 9/4 or 36/25, others nothing.

    At (1/2, 1/3, 1/6) nobody else is there with chance 1/4, 4/9, 25/36: each road yields 1.
    """
    values = (4, 9 / 4, 36 / 25)
    return EmpiricalGame.known(
        ("long", "short", "steep"), 3, lambda who, others: values[who] * (others[who] == 0)
    )


def any_game(policies: int, players: int, seed: int) -> EmpiricalGame:
    """Payoffs at random between 0 and 1."""
    rng = np.random.Generator(np.random.Philox(seed))
    names = [f"p{place}" for place in range(policies)]
    return EmpiricalGame.known(names, players, lambda who, others: float(rng.random()))


def tournament(shares: EmpiricalGame, deals: int | list[int]) -> EmpiricalGame:
    """The same game as if these win shares had been measured, one winner a deal.

    The winner of a deal is of policy i with chance ``count_i * share_i``, and a seat of i gets
    1 / count_i then: the covariance of the mean over deals is that of a multinomial.
    """
    each = np.broadcast_to(np.asarray(deals, dtype=np.int64), len(shares.profiles)).copy()
    counts = shares.profiles
    wins = counts * np.nan_to_num(shares.payoffs)
    spread = -wins[:, :, None] * wins[:, None, :]
    np.einsum("mii->mi", spread)[...] += wins
    per_seat = np.where(counts > 0, 1 / np.maximum(counts, 1), 0.0)
    spread *= per_seat[:, :, None] * per_seat[:, None, :] / each[:, None, None]
    return EmpiricalGame(shares.policies, shares.players, counts, shares.payoffs, spread, each)


def by_strength(
    strength: dict[str, float], players: int = 2, beats: dict[str, str] | None = None, by: float = 2
) -> EmpiricalGame:
    """Win shares in proportion to strengths; for each other seat that a policy beats, times by."""
    names, ring = tuple(strength), beats or {}

    def force(who: int, others: Any) -> float:
        prey = ring.get(names[who])
        met = int(others[names.index(prey)]) if prey is not None else 0
        return float(strength[names[who]] * by**met)

    def share(who: int, others: Any) -> float:
        table = others + np.eye(len(names), dtype=np.int64)[who]
        total = sum(
            int(count) * force(seat, table - np.eye(len(names), dtype=np.int64)[seat])
            for seat, count in enumerate(table)
            if count
        )
        return force(who, others) / total

    return EmpiricalGame.known(names, players, share)

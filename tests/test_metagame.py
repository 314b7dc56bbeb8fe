"""The game theory of tournaments, on games whose answers are known."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from metagame_games import (
    any_game,
    by_strength,
    hawk_dove,
    heavy_rock,
    prisoners,
    rock_paper_scissors,
    stag_hunt,
    three_roads,
    tournament,
    two_of_three,
    volunteers,
)
from scipy import stats

from simlab.errors import UsageError
from simlab.experiments.metagame import (
    EmpiricalGame,
    alpha_rank,
    alpha_sweep,
    basins,
    beats,
    cycles,
    dominance,
    equilibria_frame,
    evolutionarily_stable,
    replicator,
    symmetric_equilibria,
    variety,
)
from simlab.experiments.metagame.supports import MOST_POLICIES

Maker = Callable[[], EmpiricalGame]


# --- The game -------------------------------------------------------------------------------


def drawn_one_by_one(game: EmpiricalGame, mix: Any) -> list[float]:
    """Expected payoffs, by going through every way to fill the other seats one by one."""
    tables = {tuple(row): pay for row, pay in zip(game.profiles, game.payoffs, strict=True)}
    count = len(game.policies)
    found = [0.0] * count
    for who in range(count):
        for others in itertools.product(range(count), repeat=game.players - 1):
            seats = np.bincount([who, *others], minlength=count)
            chance = math.prod(mix[other] for other in others)
            found[who] += chance * tables[tuple(seats)][who]
    return found


@pytest.mark.parametrize(("policies", "players"), [(1, 2), (1, 5), (3, 2), (4, 3), (3, 5), (5, 4)])
def test_payoffs_against_a_mix_are_those_of_drawing_seat_by_seat(
    policies: int, players: int
) -> None:
    game = any_game(policies, players, seed=policies)
    rng = np.random.Generator(np.random.Philox(7))
    for mix in rng.dirichlet(np.ones(policies), 3):
        assert game.payoffs_against(mix) == pytest.approx(drawn_one_by_one(game, mix))


def test_many_mixes_are_answered_at_once() -> None:
    game = any_game(3, 4, seed=1)
    mixes = np.array([[1, 0, 0], [0.2, 0.3, 0.5], [0, 0, 1]])
    found = game.payoffs_against(mixes)
    assert found.shape == (3, 3)
    assert found[1] == pytest.approx(game.payoffs_against(mixes[1]))


def test_the_order_of_the_tables_does_not_matter() -> None:
    game = any_game(3, 3, seed=2)
    turned = EmpiricalGame(game.policies, 3, game.profiles[::-1], game.payoffs[::-1])
    mix = [0.5, 0.3, 0.2]
    assert turned.payoffs_against(mix) == pytest.approx(game.payoffs_against(mix))


def test_win_shares_of_a_mix_against_itself_are_the_fair_share() -> None:
    game = by_strength({"a": 1, "b": 2, "c": 4}, players=4)
    mix = np.array([0.2, 0.3, 0.5])
    assert mix @ game.payoffs_against(mix) == pytest.approx(1 / 4)


def test_a_part_of_the_game_keeps_the_tables_of_its_policies_in_the_order_asked() -> None:
    game = tournament(by_strength({"a": 1, "b": 2, "c": 4}, players=3), 100)
    part = game.restrict(["c", "a"])
    assert part.policies == ("c", "a")
    assert part.profiles.tolist() == [[0, 3], [1, 2], [2, 1], [3, 0]]
    assert part.payoffs[1] == pytest.approx([4 / 6, 1 / 6])
    assert part.deals is not None
    assert part.deals.tolist() == [100] * 4
    assert part.covariances is not None
    assert part.covariances[1, 0, 0] == pytest.approx(4 / 6 * 2 / 6 / 100)
    with pytest.raises(UsageError, match=r"unknown policy of this game 'd'; there are: a, b, c"):
        game.restrict(["d"])


def test_a_missing_table_is_named_and_its_policies_can_be_left_out() -> None:
    game = by_strength({"a": 1, "b": 2, "c": 4}, players=3)
    kept = ~(game.profiles == [0, 1, 2]).all(axis=1)
    partial = EmpiricalGame(game.policies, 3, game.profiles[kept], game.payoffs[kept])
    with pytest.raises(UsageError, match=r"1 of 10 tables were not played, such as b, 2xc; play"):
        partial.payoffs_against([1 / 3] * 3)
    assert partial.restrict(["a", "b"]).regret([0, 1]) == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"policies": ("a", "a")}, "different names"),
        ({"policies": ()}, "different names"),
        ({"players": 1}, "at least 2 players, got 1"),
        ({"players": 3}, r"has 3 seats, got the profile \[0, 2\]"),
        ({"profiles": [[0, 2], [1, 1], [3, -1]]}, r"got the profile \[3, -1\]"),
        ({"profiles": [[0, 2], [1, 1], [1, 1]]}, "listed twice"),
        ({"profiles": [[2], [2], [2]]}, "a column a policy"),
        ({"payoffs": [[1, 2]]}, r"shape of the profiles \(3, 2\), got \(1, 2\)"),
        ({"payoffs": [[0, 1], [math.nan, 1], [1, 0]]}, "missing at the table a, b"),
        ({"payoffs": [[0, 1], [math.inf, 1], [1, 0]]}, "missing at the table a, b"),
        ({"covariances": np.zeros((3, 2))}, "shape"),
        ({"covariances": np.full((3, 2, 2), math.nan)}, "no covariance at the table 2xb"),
        ({"covariances": np.full((3, 2, 2), -1.0)}, "no covariance at the table 2xb"),
        ({"deals": [1, 2]}, "a number a table: 3"),
        ({"deals": [1, 0, 2]}, "no deal was played at the table a, b"),
        ({"policies": tuple("abcdefghijklmnopqrst"), "players": 60}, "too many tables"),
    ],
)
def test_parts_that_do_not_fit_are_refused(change: dict[str, Any], words: str) -> None:
    whole: dict[str, Any] = {"policies": ("a", "b"), "players": 2}
    whole |= {"profiles": [[0, 2], [1, 1], [2, 0]], "payoffs": [[0, 1], [0, 1], [1, 0]]}
    EmpiricalGame(**whole)
    with pytest.raises(UsageError, match=words):
        EmpiricalGame(**whole | change)


@pytest.mark.parametrize("mix", [[1], [0.5, 0.4], [1.5, -0.5], [math.nan, 1]])
def test_what_is_no_mix_is_refused(mix: list[float]) -> None:
    with pytest.raises(UsageError, match="a mix is 2 shares"):
        replicator(prisoners(), mix)


# --- Equilibria -----------------------------------------------------------------------------

TEXTBOOK: dict[str, tuple[Maker, list[list[float]]]] = {
    "rock, paper, scissors": (rock_paper_scissors, [[1 / 3] * 3]),
    "where winning counts more": (lambda: rock_paper_scissors(win=2), [[1 / 3] * 3]),
    "where losing counts more": (lambda: rock_paper_scissors(loss=2), [[1 / 3] * 3]),
    "a heavy rock": (heavy_rock, [[1 / 4, 1 / 2, 1 / 4]]),
    "prisoners": (prisoners, [[0, 1]]),
    "hawks and doves": (hawk_dove, [[2 / 3, 1 / 3]]),
    "hawks that have to fight": (lambda: hawk_dove(value=6, cost=4), [[1, 0]]),
    "a stag hunt": (stag_hunt, [[1, 0], [0, 1], [1 / 3, 2 / 3]]),
    "volunteers at a quarter": (lambda: volunteers(1 / 4), [[1 / 2, 1 / 2]]),
    "volunteers at nine hundredths": (lambda: volunteers(0.09), [[0.7, 0.3]]),
    "two of three": (lambda: two_of_three(0.32), [[0.8, 0.2], [0.2, 0.8], [0, 1]]),
    "two of three, too dear": (lambda: two_of_three(0.6), [[0, 1]]),
    "three roads": (three_roads, [[1 / 2, 1 / 3, 1 / 6]]),
    "a policy alone": (lambda: EmpiricalGame.of_matrix("a", [[3]]), [[1]]),
}


@pytest.mark.parametrize("name", TEXTBOOK)
def test_equilibria_are_the_textbooks(name: str) -> None:
    make, known = TEXTBOOK[name]
    found = symmetric_equilibria(make())
    assert sorted(one.mix.round(7).tolist() for one in found) == [
        pytest.approx(mix, abs=1e-7) for mix in sorted(known)
    ]
    assert all(one.regret < 1e-9 for one in found)


def test_an_equilibrium_says_what_it_pays_and_whose_it_is() -> None:
    (found,) = symmetric_equilibria(three_roads())
    assert found.payoff == pytest.approx(1)
    assert found.support == ("long", "short", "steep")
    assert found.stable
    assert found.basin == 1
    assert found.variety == pytest.approx(2 ** (1 / 2) * 3 ** (1 / 3) * 6 ** (1 / 6))


def test_the_equilibrium_with_the_largest_basin_comes_first() -> None:
    """Left takes over from a third on: two thirds of the starts; the mix between has none."""
    left, right, between = symmetric_equilibria(stag_hunt())
    assert left.mix.tolist() == [1, 0]
    assert left.basin == pytest.approx(2 / 3, abs=5 * math.sqrt(2 / 9 / 200))
    assert right.basin == pytest.approx(1 - left.basin)
    assert between.basin == 0
    assert (left.stable, right.stable, between.stable) == (True, True, False)


def test_policies_that_cannot_be_told_apart_share_evenly() -> None:
    doubled = EmpiricalGame.of_matrix(
        ("hawk", "dove", "pigeon"), [[-1, 4, 4], [0, 2, 2], [0, 2, 2]]
    )
    (found,) = symmetric_equilibria(doubled)
    assert found.mix == pytest.approx([2 / 3, 1 / 6, 1 / 6])
    assert not found.stable, "pigeons may replace doves"
    alike = EmpiricalGame.of_matrix("abc", np.ones((3, 3)))
    assert symmetric_equilibria(alike)[0].mix == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize(("policies", "players"), [(4, 2), (5, 3), (6, 4), (3, 6)])
def test_whatever_the_payoffs_each_equilibrium_is_one_and_there_is_one(
    policies: int, players: int
) -> None:
    for seed in range(3):
        game = any_game(policies, players, seed)
        found = symmetric_equilibria(game)
        assert found
        for one in found:
            gains = game.payoffs_against(one.mix)
            assert one.mix.sum() == pytest.approx(1)
            assert gains.max() <= one.mix @ gains + 1e-6
        apart = [abs(a.mix - b.mix).max() for a, b in itertools.combinations(found, 2)]
        assert min(apart, default=1) > 1e-5


def test_more_policies_than_every_set_can_be_tried_of_still_have_an_equilibrium() -> None:
    """Twelve in a ring of rock, paper, scissors among the three strongest."""
    ring = {"a": "b", "b": "c", "c": "a"}
    weak = {f"weak_{place}": 0.5 for place in range(MOST_POLICIES - 1)}
    found = symmetric_equilibria(by_strength({"a": 1, "b": 1, "c": 1, **weak}, 3, ring))
    assert found[0].support == ("a", "b", "c")
    assert found[0].mix[:3] == pytest.approx([1 / 3] * 3)


def test_of_many_policies_that_none_dominates_equilibria_are_found_as_well() -> None:
    """Twelve that do worst against themselves: 1/12 each, as all pay the same then."""
    names = [f"p{place}" for place in range(MOST_POLICIES + 2)]
    found = symmetric_equilibria(
        EmpiricalGame.known(names, 3, lambda who, others: -float(others[who]) - who * 1e-9)
    )
    assert found[0].mix == pytest.approx([1 / 12] * 12, abs=1e-6)
    assert found[0].stable


def test_equilibria_come_as_a_frame() -> None:
    table = equilibria_frame(symmetric_equilibria(stag_hunt()))
    columns = ["equilibrium", "policy", "share", "payoff", "regret", "stable", "basin"]
    assert list(table.columns) == columns
    assert table["policy"].tolist() == ["left", "right"] * 3
    assert table["share"].tolist() == pytest.approx([1, 0, 0, 1, 1 / 3, 2 / 3])


def test_the_effective_number_of_policies_counts_those_that_matter() -> None:
    assert variety(np.array([1.0, 0, 0])) == 1
    assert variety(np.full(7, 1 / 7)) == pytest.approx(7)
    assert variety(np.array([0.5, 0.5, 0])) == pytest.approx(2)


@pytest.mark.parametrize("seed", range(6))
def test_equilibria_of_two_players_are_those_of_nashpy(seed: int) -> None:
    nashpy = pytest.importorskip("nashpy", reason="pip install simlab[test]")
    game = any_game(4, 2, seed)
    pairs = nashpy.Game(game.worth.T, game.worth).support_enumeration()
    known = [row for row, column in pairs if np.allclose(row, column, atol=1e-9)]
    found = [one.mix for one in symmetric_equilibria(game)]
    assert sorted(mix.round(6).tolist() for mix in found) == sorted(
        mix.round(6).tolist() for mix in known
    )


# --- Evolutionary stability -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "mix", "stable"),
    [
        (prisoners(), [0, 1], True),
        (prisoners(), [1, 0], False),
        (hawk_dove(), [2 / 3, 1 / 3], True),
        (hawk_dove(), [1, 0], False),
        (stag_hunt(), [1, 0], True),
        (stag_hunt(), [1 / 3, 2 / 3], False),
        (rock_paper_scissors(), [1 / 3] * 3, False),
        (rock_paper_scissors(win=2), [1 / 3] * 3, True),
        (rock_paper_scissors(loss=2), [1 / 3] * 3, False),
        (volunteers(0.25), [0.5, 0.5], True),
        (two_of_three(0.32), [0.8, 0.2], True),
        (two_of_three(0.32), [0.2, 0.8], False),
        (two_of_three(0.32), [0, 1], True),
        (three_roads(), [1 / 2, 1 / 3, 1 / 6], True),
        (EmpiricalGame.of_matrix("a", [[1]]), [1], True),
    ],
)
def test_evolutionary_stability_is_the_textbooks(
    game: EmpiricalGame, mix: list[float], stable: bool
) -> None:
    assert evolutionarily_stable(game, mix) is stable


@pytest.mark.parametrize(("a", "stable"), [(-5, True), (0, True), (1.9, True), (2.5, False)])
def test_two_that_do_as_well_as_the_one_that_all_play_may_invade_together(
    a: float, stable: bool
) -> None:
    """Of p and q of them, it loses p^2 + q^2 - 2 (a - 1) p q: never less than 0 up to a = 2.

    At a = -5 the form has both signs, but not among shares that are not negative.
    """
    game = EmpiricalGame.of_matrix("xyz", [[1, 1, 1], [1, 0, a], [1, a, 0]])
    assert evolutionarily_stable(game, [1, 0, 0]) is stable


@pytest.mark.parametrize(
    ("leads", "stable"),
    [
        ((1, -9, -9), True),
        ((-1, 9, 9), False),
        ((0, 1, -9), True),
        ((0, -1, 9), False),
        ((0, 0, 1), True),
        ((0, 0, -1), False),
        ((0, 0, 0), False),
    ],
)
def test_of_three_players_the_first_number_of_invaders_that_matters_decides(
    leads: tuple[float, float, float], stable: bool
) -> None:
    """``leads[k]``: what a resident has over an invader when k of the other two are invaders."""
    game = EmpiricalGame.known(
        ("resident", "invader"), 3, lambda who, others: leads[others[1]] * (who == 0)
    )
    assert evolutionarily_stable(game, [1, 0]) is stable


# --- The replicator equation ----------------------------------------------------------------


def test_a_crowd_of_prisoners_ends_up_talking() -> None:
    path = replicator(prisoners())
    assert path.settled
    assert path.mixes[0].tolist() == [0.5, 0.5]
    assert path.end == pytest.approx([0, 1], abs=1e-5)
    assert (np.diff(path.mixes[:, 1]) > 0).all()


def test_hawks_and_doves_find_their_mix_from_any_side() -> None:
    for hawks in (0.01, 0.5, 0.99):
        path = replicator(hawk_dove(), [hawks, 1 - hawks])
        assert path.settled
        assert path.end == pytest.approx([2 / 3, 1 / 3], abs=1e-5)


def test_rock_paper_scissors_goes_round_for_ever_on_a_curve_of_one_product() -> None:
    path = replicator(rock_paper_scissors(), [0.6, 0.2, 0.2], horizon=300)
    assert not path.settled
    products = path.mixes.prod(axis=1)
    assert products == pytest.approx(np.full(len(products), 0.024), rel=1e-4)
    assert path.mean == pytest.approx([1 / 3] * 3, abs=0.02)


def test_a_policy_without_a_share_never_gets_one() -> None:
    path = replicator(prisoners(), [1, 0])
    assert path.settled
    assert path.end.tolist() == [1, 0]


def test_a_share_grows_by_the_equation() -> None:
    """Of a better and a worse policy, by d: the logarithm of the odds grows by d a unit."""
    game = EmpiricalGame.of_matrix("ab", [[1, 1], [0, 0]])
    path = replicator(game, [0.1, 0.9], horizon=5)
    odds = np.log(path.mixes[:, 0] / path.mixes[:, 1])
    assert odds == pytest.approx(np.log(1 / 9) + path.times, abs=1e-6)


def test_a_path_comes_as_a_frame() -> None:
    table = replicator(prisoners()).frame()
    assert list(table.columns) == ["time", "policy", "share"]
    assert table.groupby("time")["share"].sum().to_numpy() == pytest.approx(1)


def test_basins_are_as_large_as_the_way_to_the_point_between() -> None:
    found = basins(stag_hunt(), starts=400, seed=3)
    left, right = found.points
    assert left.mix == pytest.approx([1, 0])
    assert right.mix == pytest.approx([0, 1])
    assert left.share == pytest.approx(2 / 3, abs=5 * math.sqrt(2 / 9 / 400))
    assert left.share + right.share == pytest.approx(1)
    assert (left.from_even, right.from_even) == (True, False)
    assert found.wandering == 0
    assert found.frame()["share"].tolist() == pytest.approx([1, 0, 0, 1])


def test_crowds_that_cycle_wander() -> None:
    found = basins(rock_paper_scissors(), starts=50)
    assert found.wandering == pytest.approx(49 / 50), "only the even mix rests"
    assert found.points[0].from_even


@pytest.mark.parametrize("seed", range(3))
def test_the_replicator_equation_is_open_spiels(seed: int) -> None:
    dynamics = pytest.importorskip(
        "open_spiel.python.egt.dynamics", reason="pip install simlab[test]"
    )
    from scipy.integrate import solve_ivp

    game = any_game(3, 2, seed)
    matrix = (game.worth.T - game.worth.min()) / game.reach
    theirs = dynamics.SinglePopulationDynamics(np.array([matrix, matrix.T]), dynamics.replicator)
    path = replicator(game, [0.2, 0.3, 0.5], horizon=20)
    known = solve_ivp(
        lambda time, mix: theirs(mix), (0, 20), [0.2, 0.3, 0.5], t_eval=path.times, rtol=1e-9,
        atol=1e-12,
    )  # fmt: skip
    assert path.mixes == pytest.approx(known.y.T, abs=1e-5)


@pytest.mark.parametrize(("policies", "players"), [(3, 2), (3, 4), (4, 3)])
def test_payoffs_against_a_mix_are_open_spiels(policies: int, players: int) -> None:
    """Theirs are of one population a seat, each with a payoff for every seating."""
    dynamics = pytest.importorskip(
        "open_spiel.python.egt.dynamics", reason="pip install simlab[test]"
    )
    game = any_game(policies, players, seed=5)
    tables = {tuple(row): pay for row, pay in zip(game.profiles, game.payoffs, strict=True)}
    seatings = np.zeros((players, *[policies] * players))
    for seated in itertools.product(range(policies), repeat=players):
        pays = tables[tuple(np.bincount(seated, minlength=policies))]
        for seat, who in enumerate(seated):
            seatings[(seat, *seated)] = pays[who]
    theirs = dynamics.MultiPopulationDynamics(seatings, lambda mix, gains: gains)
    mix = np.arange(1, policies + 1) / sum(range(1, policies + 1))
    known = theirs(np.tile(mix, players)).reshape(players, policies)
    for seat in range(players):
        assert game.payoffs_against(mix) == pytest.approx(known[seat])


# --- Alpha-rank -----------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.1, 1.0, 10.0])
def test_rock_paper_and_scissors_have_a_third_of_the_time_each(alpha: float) -> None:
    assert alpha_rank(rock_paper_scissors(), alpha).mass == pytest.approx([1 / 3] * 3)


def test_a_heavy_rock_has_a_third_as_well_once_selection_is_strong() -> None:
    """Each step of the ring is then certain; how much it wins does not matter."""
    assert alpha_rank(heavy_rock(), 100.0).mass == pytest.approx([1 / 3] * 3)


def test_talking_takes_all_the_time_of_prisoners() -> None:
    rank = alpha_rank(prisoners())
    assert rank.mass == pytest.approx([0, 1], abs=0.01)
    assert rank.frame()["policy"].tolist() == ["talks", "silent"]


def test_of_two_policies_the_odds_are_those_of_the_leads_on_the_way() -> None:
    """``exp(alpha * sum over l of f_a(l) - f_b(l))``; doves among hawks, a crowd of 3.

    One hawk: it meets doves (4), they a hawk or a dove (1); two: hawk or dove (1.5), a hawk (0).
    """
    rank = alpha_rank(hawk_dove(), alpha=0.3, population=3)
    assert rank.mass[0] / rank.mass[1] == pytest.approx(math.exp(0.3 * ((4 - 1) + (1.5 - 0))))
    assert np.diag(rank.takeover) == pytest.approx([1 / 3] * 2)


def takeover_step_by_step(
    game: EmpiricalGame, one: int, other: int, alpha: float, population: int
) -> float:
    """Chance that one takes over, from the whole chain of numbers and every table of the crowd."""
    tables = {tuple(row): pay for row, pay in zip(game.profiles, game.payoffs, strict=True)}

    def mean_payoff(who: int, rest: list[int]) -> float:
        pays = [
            tables[tuple(np.bincount([who, *seats], minlength=len(game.policies)))][who]
            for seats in itertools.combinations(rest, game.players - 1)
        ]
        return float(np.mean(pays))

    states = population - 1
    step = np.eye(states)
    absorbed = np.zeros(states)
    for size in range(1, population):
        ones, others = [one] * size, [other] * (population - size)
        lead = mean_payoff(one, ones[1:] + others) - mean_payoff(other, ones + others[1:])
        up = 1 / (1 + math.exp(-alpha * lead))
        if size < population - 1:
            step[size - 1, size] -= up
        else:
            absorbed[size - 1] = up
        if size > 1:
            step[size - 1, size - 2] -= 1 - up
    return float(np.linalg.solve(step, absorbed)[0])


@pytest.mark.parametrize(("players", "population"), [(2, 6), (3, 5), (4, 6), (3, 3)])
def test_chances_of_takeover_are_those_of_the_chain_step_by_step(
    players: int, population: int
) -> None:
    game = any_game(3, players, seed=players)
    rank = alpha_rank(game, alpha=2.0, population=population)
    for one, other in itertools.permutations(range(3), 2):
        known = takeover_step_by_step(game, one, other, 2.0, population)
        assert rank.takeover[one, other] == pytest.approx(known)


def test_masses_are_those_of_the_chain_of_takeovers() -> None:
    game = any_game(5, 3, seed=4)
    rank = alpha_rank(game, alpha=3.0, population=10)
    chain = rank.takeover.T / 4
    np.fill_diagonal(chain, 0)
    np.fill_diagonal(chain, 1 - chain.sum(axis=1))
    assert rank.mass @ chain == pytest.approx(rank.mass)
    assert rank.mass.sum() == pytest.approx(1)


def test_selection_may_be_so_strong_that_no_float_holds_the_chances() -> None:
    rank = alpha_rank(prisoners(), alpha=1e9)
    assert rank.mass.tolist() == [0, 1]
    assert alpha_rank(stag_hunt(), alpha=1e9).mass.tolist() == [1, 0]


def test_masses_settle_as_selection_grows() -> None:
    table = alpha_sweep(hawk_dove())
    assert list(table.columns) == ["alpha", "policy", "mass"]
    hawks = table[table["policy"] == "hawk"]["mass"].to_numpy()
    assert hawks[0] < 0.95 < hawks[-1]
    chosen = alpha_rank(hawk_dove())
    assert abs(chosen.mass[0] - hawks[-1]) <= 0.01


def test_policies_alike_rank_alike_and_one_alone_has_all_the_time() -> None:
    assert alpha_rank(EmpiricalGame.of_matrix("abc", np.ones((3, 3)))).mass == pytest.approx(
        [1 / 3] * 3
    )
    assert alpha_rank(EmpiricalGame.of_matrix("a", [[2]])).mass.tolist() == [1]


@pytest.mark.parametrize(("alpha", "population"), [(0, 50), (-1, 50), (math.nan, 50), (1, 3)])
def test_no_selection_and_too_small_a_crowd_are_refused(alpha: float, population: int) -> None:
    with pytest.raises(UsageError, match=r"alpha is more than 0|does not fill a table of 4"):
        alpha_rank(any_game(2, 4, 0), alpha, population)


@pytest.mark.filterwarnings("ignore")  # theirs
@pytest.mark.parametrize("alpha", [0.1, 1.0, 5.0])
def test_alpha_rank_is_open_spiels(alpha: float) -> None:
    theirs = pytest.importorskip(
        "open_spiel.python.egt.alpharank", reason="pip install simlab[test]"
    )
    for seed in range(3):
        game = any_game(4, 2, seed)
        matrix = game.worth.T.copy()
        chances, _, masses, _, _ = theirs.compute(
            [matrix], m=20, alpha=alpha, use_local_selection_model=False
        )
        rank = alpha_rank(game, alpha, population=20)
        assert rank.mass == pytest.approx(masses, abs=1e-9)
        apart = ~np.eye(4, dtype=bool)
        assert rank.takeover[apart] == pytest.approx(chances.T[apart], abs=1e-12)


# --- Dominance and cycles -------------------------------------------------------------------


def kinds(game: EmpiricalGame) -> dict[tuple[str, str], str]:
    table = dominance(game)
    return dict(zip(zip(table["policy"], table["over"], strict=True), table["kind"], strict=True))


def test_talking_dominates_silence() -> None:
    assert kinds(prisoners()) == {("silent", "talks"): "none", ("talks", "silent"): "strict"}
    table = dominance(prisoners()).set_index("policy")
    assert table.loc["talks", "least_margin"] == 1
    assert table.loc["talks", "errors"] == math.inf
    assert table.loc["talks", "p_holm"] == 0


def test_who_is_sometimes_better_and_never_worse_dominates_weakly() -> None:
    game = EmpiricalGame.of_matrix("abc", [[1, 2, 0], [1, 1, 0], [1, 1, 0]])
    found = kinds(game)
    assert found["a", "b"] == found["a", "c"] == "weak"
    assert {kind for pair, kind in found.items() if pair[0] != "a"} == {"none"}
    assert dominance(game)["p_holm"].tolist() == [1] * 6


def test_dominance_is_over_all_tables_and_not_only_those_of_the_two() -> None:
    """b does better than a against a and b, but not when a c is there."""
    game = EmpiricalGame.known(
        "abc", 3, lambda who, others: (0, 1 if others[2] == 0 else -1, 0)[who]
    )
    assert kinds(game)["b", "a"] == "none"
    assert kinds(game.restrict("ab"))["b", "a"] == "strict"


def test_dominance_is_as_sure_as_its_least_margin() -> None:
    """A seat of the strong against the strong or the weak, in place of a weak one."""
    game = tournament(by_strength({"strong": 3, "weak": 1}), 50)
    table = dominance(game).set_index("policy")
    error = math.sqrt(0.75 * 0.25 / 50)
    assert table.loc["strong", "least_margin"] == pytest.approx(0.25)
    assert table.loc["strong", "errors"] == pytest.approx(0.25 / error)
    assert table.loc["strong", "p_holm"] == pytest.approx(2 * stats.t.sf(0.25 / error, 49))
    assert table.loc["weak", "p_holm"] == 1


def test_nobody_is_above_rock_and_each_is_beaten() -> None:
    table = beats(rock_paper_scissors())
    pairs = set(zip(table["policy"], table["over"], strict=True))
    assert pairs == {("rock", "scissors"), ("paper", "rock"), ("scissors", "paper")}
    assert table["edge"].tolist() == [1, 1, 1]
    (found,) = cycles(rock_paper_scissors())
    assert found.policies == ("rock", "paper", "scissors")
    assert found.ring == ("rock", "scissors", "paper")


def test_prisoners_and_a_stag_hunt_have_no_cycle() -> None:
    assert cycles(prisoners()) == []
    assert cycles(stag_hunt()) == []
    assert cycles(EmpiricalGame.of_matrix("a", [[1]])) == []


def test_an_edge_is_the_mean_lead_over_all_numbers_of_the_two() -> None:
    """Two volunteers of three: 3/4 against 0, 1 and 1 for who waits."""
    table = beats(volunteers(0.25))
    assert table.loc[0, "policy"] == "volunteers"
    assert table.loc[0, "edge"] == pytest.approx((0.75 + (0.75 - 1) * 2) / 3)


def test_an_edge_of_win_shares_is_as_sure_as_the_shares() -> None:
    """At one table a and b win 0.6 and 0.4 of 100 deals: half their difference, 0.1."""
    game = tournament(by_strength({"a": 3, "b": 2}), 100)
    table = beats(game)
    error = math.sqrt(0.6 * 0.4 / 100)
    assert table.loc[0, "edge"] == pytest.approx(0.1)
    assert table.loc[0, "error"] == pytest.approx(error)
    assert table.loc[0, "p_holm"] == pytest.approx(2 * stats.t.sf(0.1 / error, 99))


RING = {"a": "b", "b": "c", "c": "a"}


def test_a_cycle_needs_evidence_for_each_of_its_steps() -> None:
    shares = by_strength({"a": 1, "b": 1, "c": 1, "d": 0.1}, 2, RING, by=1.5)
    assert cycles(tournament(shares, 20)) == []
    (found,) = cycles(tournament(shares, 2000))
    assert set(found.policies) == {"a", "b", "c"}, "d loses to all"


def test_the_ring_of_a_larger_cycle_is_a_shortest_one() -> None:
    """Five in a ring, each beating the next but one as well."""
    names = "abcde"
    gains = np.zeros((5, 5))
    for place in range(5):
        for step in (1, 2):
            gains[place, (place + step) % 5] = 1
            gains[(place + step) % 5, place] = -1
    (found,) = cycles(EmpiricalGame.of_matrix(names, gains))
    assert found.policies == tuple(names)
    assert len(found.ring) == 3

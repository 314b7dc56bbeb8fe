"""How sure the game theory of a tournament is, and what is said of it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from metagame_games import (
    by_strength,
    hawk_dove,
    prisoners,
    rock_paper_scissors,
    stag_hunt,
    three_roads,
    tournament,
)
from numpy.random import Generator, Philox
from scipy import stats

from simlab.errors import UsageError
from simlab.experiments.metagame import (
    EmpiricalGame,
    MetaResult,
    bootstrap,
    verdict,
)
from simlab.experiments.metagame.verdict import listed

RING = {"a": "b", "b": "c", "c": "a"}


def drawn(game: EmpiricalGame, draws: int, seed: int = 1) -> Any:
    rng = Generator(Philox(seed))
    return np.array([game.drawn_payoffs(rng) for _ in range(draws)])


# --- Resampling -----------------------------------------------------------------------------


def test_resamples_vary_as_the_measured_means_do() -> None:
    """Mean, variances and covariances of 4,000 resamples, within five standard errors."""
    game = tournament(by_strength({"a": 1, "b": 2, "c": 3}, players=3), 400)
    draws = drawn(game, 4000)
    assert game.covariances is not None
    for table in range(len(game.profiles)):
        here = game.present[table]
        spread = game.covariances[table][np.ix_(here, here)]
        away = draws[:, table, here] - game.payoffs[table, here]
        deviations = np.sqrt(np.diag(spread))
        assert (np.abs(away.mean(axis=0)) <= 5 * deviations / math.sqrt(4000) + 1e-12).all()
        size = np.outer(deviations, deviations)
        close = np.abs(away.T @ away / 4000 - spread) <= 5 * 2 * size / math.sqrt(4000) + 1e-12
        assert close.all()


def test_win_shares_of_a_resampled_table_still_sum_to_one() -> None:
    game = tournament(by_strength({"a": 1, "b": 2, "c": 300}, players=4), 50)
    sums = (game.profiles * np.nan_to_num(drawn(game, 100))).sum(axis=2)
    assert sums == pytest.approx(np.ones_like(sums), abs=1e-12)


def test_few_deals_spread_more_than_their_covariance_says() -> None:
    """Of three deals, by Student's law with two degrees of freedom."""
    game = tournament(by_strength({"a": 1, "b": 1}), 3)
    table = int(game.mixed.argmax())
    away = (drawn(game, 2000)[:, table, 0] - 0.5) / math.sqrt(0.25 / 3)
    assert stats.kstest(away, stats.t(2).cdf).pvalue > 1e-6
    assert stats.kstest(away, stats.norm.cdf).pvalue < 1e-6


def test_tables_vary_independently() -> None:
    game = tournament(by_strength({"a": 1, "b": 2, "c": 3}), 400)
    first, second = np.flatnonzero(game.mixed)[:2]
    draws = drawn(game, 2000)
    one = draws[:, first, game.present[first].argmax()]
    other = draws[:, second, game.present[second].argmax()]
    assert abs(stats.pearsonr(one, other).statistic) < 5 / math.sqrt(2000)


def test_who_never_won_may_have_been_unlucky() -> None:
    """As if one of the hundred deals had gone the other way; two losers share what they won."""
    never = EmpiricalGame.of_matrix(("loser", "winner"), [[0.5, 0], [1, 0.5]])
    game = tournament(never, 100)
    table = int(game.mixed.argmax())
    assert game.spread[table] * 100**2 == pytest.approx(np.array([[1, -1], [-1, 1]]))
    assert drawn(game, 1000)[:, table, 0].std() == pytest.approx(0.01, rel=0.15)
    assert (drawn(never, 3)[:, table, 0] == 0).all(), "what is known without playing has no luck"
    three = EmpiricalGame.known(
        ("loser", "winner"),
        3,
        lambda who, others: 1 / 3 if others[who] == 2 else who / (1 + others[1]),
    )
    game = tournament(three, 100)
    table = game.profiles.tolist().index([2, 1])
    assert game.spread[table] * 100**2 == pytest.approx(np.array([[1 / 4, -1 / 2], [-1 / 2, 1]]))


def test_who_won_all_of_three_deals_is_not_dominant_yet_who_won_all_of_thirty_is() -> None:
    never = EmpiricalGame.of_matrix(("loser", "winner"), [[0.5, 0], [1, 0.5]])
    said = verdict(bootstrap(tournament(never, 3), 200))
    assert said[0] == "the data cannot tell whether clever players use loser or winner"
    assert verdict(bootstrap(tournament(never, 30), 200))[0].startswith("winner is dominant")


def test_a_single_deal_says_nothing_of_its_error() -> None:
    deals = [100, 1, 100]
    game = tournament(by_strength({"a": 1, "b": 3}), deals)
    assert game.single_deals == ("a, b",)
    assert drawn(game, 500)[:, 1, 0].std() > 0.3, "as wide as win shares can be apart"
    assert verdict(bootstrap(game, 100)) == [
        "the data cannot tell anything: the table a, b had a single deal, which does not show its "
        "own error; play more deals"
    ]


def test_a_single_deal_of_one_policy_among_itself_does_not_matter() -> None:
    game = tournament(by_strength({"a": 1, "b": 9}), [1, 400, 1])
    assert game.single_deals == ()
    assert verdict(bootstrap(game, 100))[0].startswith("b is dominant")


def test_the_same_seed_gives_the_same_resamples_and_more_extend_fewer() -> None:
    game = tournament(by_strength({"a": 1, "b": 1, "c": 1}, 3, RING), 60)
    few, again, more = bootstrap(game, 100, 5), bootstrap(game, 100, 5), bootstrap(game, 130, 5)
    other = bootstrap(game, 100, 6)
    for name in ("mixes", "mass", "flows", "better", "ahead", "invaded", "found", "settled"):
        assert np.array_equal(getattr(few, name), getattr(again, name)), name
        assert np.array_equal(getattr(few, name), getattr(more, name)[:100]), name
    assert not np.array_equal(few.mixes, other.mixes)
    assert (few.draws, more.draws) == (100, 130)


def test_too_few_resamples_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 100 draws, got 99"):
        bootstrap(prisoners(), 99)


def test_a_game_with_a_missing_table_cannot_be_resampled() -> None:
    game = tournament(by_strength({"a": 1, "b": 2}), 100)
    assert game.deals is not None
    part = EmpiricalGame(
        game.policies, 2, game.profiles[:2], game.payoffs[:2], None, game.deals[:2]
    )
    with pytest.raises(UsageError, match="1 of 3 tables were not played, such as 2xb"):
        bootstrap(part)


def test_every_resampled_mix_is_an_equilibrium_of_its_resample() -> None:
    game = tournament(by_strength({"a": 1, "b": 1, "c": 1, "d": 0.9}, 3, RING), 200)
    result = bootstrap(game, 100, seed=2)
    rng = Generator(Philox(2))
    for mix, found in zip(result.mixes, result.found, strict=True):
        again = game.draw(rng)
        assert found >= 1
        assert again.regret(mix) < 1e-5
        assert mix.sum() == pytest.approx(1)


def test_what_is_known_without_playing_comes_out_the_same_each_time() -> None:
    result = bootstrap(hawk_dove(), 100)
    assert result.mixes == pytest.approx(np.tile([2 / 3, 1 / 3], (100, 1)))
    assert result.flows == pytest.approx(result.mixes, abs=1e-3)
    assert result.settled.all()
    assert (result.found == 1).all()
    assert result.equilibria[0].mix == pytest.approx([2 / 3, 1 / 3])
    assert result.variety == pytest.approx(np.full(100, 1.889882), abs=1e-6)


def test_of_several_equilibria_each_resample_takes_the_one_with_the_largest_basin() -> None:
    result = bootstrap(stag_hunt(), 100)
    assert (result.found == 3).all()
    assert result.mixes.tolist() == [[1, 0]] * 100


def test_a_frame_has_each_policy_with_its_intervals() -> None:
    game = tournament(by_strength({"a": 1, "b": 1, "c": 1, "d": 0.1}, 2, RING), 2000)
    table = bootstrap(game, 200).frame().set_index("policy")
    assert table.index.tolist() == ["a", "b", "c", "d"]
    assert table.loc["d", ["mix", "mix_high", "in_mix", "safe", "dominant"]].tolist() == [0] * 5
    ring = table.loc[["a", "b", "c"]]
    assert (ring["in_mix"] == 1).all()
    assert (ring["mix_low"] < 1 / 3).all()
    assert (ring["mix_high"] > 1 / 3).all()
    assert (ring["mass_low"] <= ring["mass_high"]).all()
    assert table["mix"].sum() == pytest.approx(1)
    assert table["top"].sum() == pytest.approx(1)


def test_a_record_is_plain_json_without_nan() -> None:
    for game in (
        tournament(by_strength({"a": 1, "b": 1, "c": 1}, 3, RING), 500),
        prisoners(),
        EmpiricalGame.of_matrix("a", [[1]]),
    ):
        record = bootstrap(game, 100).record()
        assert json.loads(json.dumps(record, allow_nan=False)) == record
        keys = {"equilibrium", "alpha_rank", "replicator", "dominant", "cycles", "bootstrap"}
        assert keys <= set(record)
    assert record["verdict"] == ["a is alone: there is nothing to compare it with"]


def test_a_record_says_who_dominates_and_who_cycles() -> None:
    record = bootstrap(prisoners(), 100).record()
    assert record["dominant"] == ["talks"]
    assert record["dominated"] == [
        {"policy": "talks", "over": "silent", "kind": "strict", "p_holm": 0}
    ]
    assert record["equilibrium"][0]["mix"] == {"silent": 0, "talks": 1}
    record = bootstrap(rock_paper_scissors(), 100).record()
    assert record["cycles"][0]["ring"] == ["rock", "scissors", "paper"]
    assert record["bootstrap"]["cycle"] == 1


# --- In words -------------------------------------------------------------------------------


def test_a_dominant_policy_is_called_so() -> None:
    game = tournament(by_strength({"a": 1, "b": 3, "c": 1}, players=3), 2000)
    assert verdict(bootstrap(game, 100)) == [
        "b is dominant: whatever the others play, it does best (in 100 % of resamples)",
        "clever players all play b (in 100 % of resamples)",
        "b ranks first by alpha-rank (in 100 % of resamples)",
        "effective number of strategies at the equilibrium: 1.0 (95 %: 1.0 to 1.0)",
    ]


def test_a_cycle_is_called_so_and_nobody_is_safe_alone() -> None:
    game = tournament(by_strength({"a": 1, "b": 1, "c": 1, "d": 0.1}, 2, RING), 2000)
    said = verdict(bootstrap(game, 100))
    where = "(in 100 % of resamples)"
    assert said[1:5] == [
        f"a, b and c beat each other in a cycle: each of a, b, c, a beats the next {where}",
        f"no policy is safe to play alone: whichever one all play, another gains on it {where}",
        f"clever players use a, b and c {where}",
        f"clever players leave out d {where}",
    ]
    assert said[0].startswith("d is dominated: whatever the others play, ")
    assert said[-1].startswith("effective number of strategies at the equilibrium: 3.0 (95 %: ")


def test_what_is_known_is_said_without_resamples() -> None:
    assert verdict(bootstrap(rock_paper_scissors(), 100)) == [
        "rock, scissors and paper beat each other in a cycle: each of rock, scissors, paper, rock "
        "beats the next",
        "no policy is safe to play alone: whichever one all play, another gains on it",
        "clever players use rock, paper and scissors",
        "rock, paper and scissors share the first place by alpha-rank",
        "effective number of strategies at the equilibrium: 3.0 (95 %: 3.0 to 3.0)",
    ]


def test_where_two_are_safe_it_depends_on_the_beginning() -> None:
    said = verdict(bootstrap(stag_hunt(), 100))
    assert said[0] == (
        "left and right are each safe once all play it: where players end depends on where they "
        "begin"
    )


def test_equal_policies_are_seldom_told_apart() -> None:
    """Three that are equally good, in 10 tournaments: 30 pairs, 10 chances of a cycle.

    Each claim needs several differences of one sign in 95 % of resamples, so it comes up in
    far less than one in twenty: 60 tournaments had none.
    """
    game = tournament(by_strength(dict.fromkeys("abc", 1.0), players=2), 500)
    said: list[str] = []
    for seed in range(10):
        sample = replace(game, payoffs=game.drawn_payoffs(Generator(Philox(seed))))
        said += verdict(bootstrap(sample, 100, seed))
    claims = ("dominant", "dominated", "cycle", "safe")
    assert sum(any(claim in words for claim in claims) for words in said) <= 3
    assert sum("cannot tell" in words for words in said) >= 10


@cache
def usual() -> MetaResult:
    return bootstrap(tournament(by_strength({"a": 1, "b": 1, "c": 1}, 2, RING), 100), 100)


def of_resamples(**parts: Any) -> MetaResult:
    """A result of 200 resamples of three policies, with these parts in place of its own."""
    names = ("mixes", "found", "flows", "settled", "mass", "better", "ahead", "invaded")
    twice = {name: np.concatenate([getattr(usual(), name)] * 2) for name in names}
    return replace(usual(), **twice | parts)


def often(count: int, one: Any, other: Any) -> Any:
    """So many times the one, then the other, to 200."""
    return np.array([one] * count + [other] * (200 - count))


NONE = np.zeros((3, 3), dtype=bool)
OVER_ALL = np.array([[False, True, True], [False, False, False], [False, False, False]])


@pytest.mark.parametrize(("count", "percent"), [(189, None), (190, 95), (199, 99), (200, 100)])
def test_dominance_is_claimed_from_95_per_cent_of_resamples_on(
    count: int, percent: int | None
) -> None:
    """199 of 200 are not called 100 %."""
    said = verdict(of_resamples(better=often(count, OVER_ALL, NONE)))
    claims = [words for words in said if "dominant" in words]
    expected = (
        f"a is dominant: whatever the others play, it does best (in {percent} % of resamples)"
    )
    assert claims == ([] if percent is None else [expected])


@pytest.mark.parametrize("count", [189, 190])
def test_a_policy_is_called_dominated_from_95_per_cent_on(count: int) -> None:
    above = NONE.copy()
    above[1, 2] = True
    said = verdict(of_resamples(better=often(count, above, NONE)))
    claim = "c is dominated: whatever the others play, b does better (in 95 % of resamples)"
    assert (claim in said) is (count == 190)


@pytest.mark.parametrize("count", [189, 190])
def test_a_cycle_is_claimed_from_95_per_cent_on(count: int) -> None:
    round_and_round = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool)
    said = verdict(of_resamples(ahead=often(count, round_and_round, OVER_ALL)))
    assert any("cycle" in words for words in said) is (count == 190)


def test_steps_that_are_each_there_often_enough_are_no_cycle_unless_together() -> None:
    """Each step is missing in 8 of 200, never in the same: together in 176."""
    ahead = np.tile(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool), (200, 1, 1))
    for step, (one, other) in enumerate(((0, 1), (1, 2), (2, 0))):
        ahead[8 * step : 8 * step + 8, one, other] = False
    assert not any("cycle" in words for words in verdict(of_resamples(ahead=ahead)))


def test_that_some_policy_or_other_gains_is_no_evidence() -> None:
    """In all resamples somebody gains on a, but it is b in one half and c in the other."""
    from_b, from_c = NONE.copy(), NONE.copy()
    from_b[0, 1] = from_c[0, 2] = True
    from_b[[1, 2], [0, 0]] = from_c[[1, 2], [0, 0]] = True
    unsure = verdict(of_resamples(invaded=often(100, from_b, from_c)))
    assert not any("safe" in words for words in unsure)
    sure = verdict(of_resamples(invaded=often(190, from_b, from_c)))
    assert any("no policy is safe to play alone" in words for words in sure)


@pytest.mark.parametrize("count", [189, 190])
def test_one_is_safe_alone_from_95_per_cent_on(count: int) -> None:
    others_gain = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 0]], dtype=bool)
    a_gains = np.array([[0, 1, 0], [1, 0, 0], [1, 0, 0]], dtype=bool)
    said = verdict(
        of_resamples(invaded=often(count, others_gain, a_gains), better=often(0, NONE, NONE))
    )
    assert any(words.startswith("a is safe to play alone") for words in said) is (count == 190)


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (200, ["clever players all play a (in 100 % of resamples)"]),
        (190, ["clever players all play a (in 95 % of resamples)"]),
        (
            189,
            [
                "clever players use a (in 100 % of resamples)",
                "clever players leave out c (in 100 % of resamples)",
                "the data cannot tell whether clever players use b",
            ],
        ),
        (
            10,
            [
                "clever players use a and b (in 95 % of resamples)",
                "clever players leave out c (in 100 % of resamples)",
            ],
        ),
    ],
)
def test_who_is_in_the_mix_is_said_from_95_per_cent_on(count: int, words: list[str]) -> None:
    said = verdict(of_resamples(mixes=often(count, [1.0, 0, 0], [0.5, 0.5, 0])))
    assert [one for one in said if "clever players" in one] == words


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (190, "a ranks first by alpha-rank (in 95 % of resamples)"),
        (189, "the data cannot tell which of a or c ranks first by alpha-rank"),
        (50, "the data cannot tell which of c or a ranks first by alpha-rank"),
    ],
)
def test_who_ranks_first_is_said_from_95_per_cent_on(count: int, words: str) -> None:
    said = verdict(of_resamples(mass=often(count, [0.6, 0.1, 0.3], [0.2, 0.1, 0.7])))
    assert words in said


def test_a_shared_first_place_counts_by_halves() -> None:
    said = verdict(of_resamples(mass=often(200, [0.45, 0.45, 0.1], [0, 0, 1])))
    assert "the data cannot tell which of a or b ranks first by alpha-rank" in said


def test_long_lists_of_names_are_cut() -> None:
    assert listed("a") == "a"
    assert listed("ab", "or") == "a or b"
    assert listed("abcdefgh") == "a, b, c, d, e, f, g and h"
    assert listed("abcdefghi") == "a, b, c, d, e, f, g and 2 more"


# --- Whether it holds -----------------------------------------------------------------------


@pytest.mark.slow
def test_intervals_of_a_mix_cover_the_truth_as_often_as_they_say() -> None:
    """Three roads' mix (1/2, 1/3, 1/6) from 200 tournaments of 400 deals a table.

    95 % intervals of three shares; with 200 trials the binomial's bounds at 1e-6 are .86 and 1.
    """
    truth, trials = three_roads(), 200
    deals = np.full(len(truth.profiles), 400)
    rng = Generator(Philox(11))
    covered = np.zeros(3)
    for trial in range(trials):
        payoffs, spread = played(truth, 400, rng)
        game = EmpiricalGame(truth.policies, 3, truth.profiles, payoffs, spread, deals)
        table = bootstrap(game, 100, seed=trial).frame()
        mix = np.array([1 / 2, 1 / 3, 1 / 6])
        covered += (table["mix_low"] <= mix) & (table["mix_high"] >= mix)
    low, high = stats.binom.interval(1 - 1e-6, trials, 0.95)
    assert (covered >= low).all(), covered
    assert (covered <= high).all(), covered


def played(truth: EmpiricalGame, deals: int, rng: Generator) -> tuple[Any, Any]:
    """Means over deals that each add noise, skewed and shared by the seats, to the truth."""
    payoffs = truth.payoffs.copy()
    spread = np.zeros((*payoffs.shape, payoffs.shape[1]))
    for table in range(len(payoffs)):
        here = np.flatnonzero(truth.present[table])
        luck = rng.exponential(size=(deals, 1)) - 1
        seats = luck * rng.choice([-1, 1], size=(1, len(here))) + rng.normal(
            size=(deals, len(here))
        )
        found = truth.payoffs[table, here] + seats
        payoffs[table, here] = found.mean(axis=0)
        spread[table][np.ix_(here, here)] = np.atleast_2d(np.cov(found.T)) / deals
    return payoffs, spread


@pytest.mark.slow
def test_nine_policies_at_four_seats_are_resampled_in_time() -> None:
    """300 resamples in 20 s of work on an idle core; here with room for a busy one."""
    import time

    begin = time.process_time()
    game = tournament(by_strength({f"p{n}": 1.1**n for n in range(9)}, 4, {"p0": "p8"}), 2000)
    assert bootstrap(game, 300).draws == 300
    assert time.process_time() - begin < 60

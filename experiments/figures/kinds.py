"""Which figures a run, a comparison, a tournament or a search offers, and what each takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from simlab.errors import UsageError, unknown
from simlab.experiments.figures.alpha_rank import alpha_rank_data, plot_alpha_rank
from simlab.experiments.figures.comparison import comparison_data, plot_comparison
from simlab.experiments.figures.convergence import convergence_data, plot_convergence
from simlab.experiments.figures.evolution import (
    CORNERS,
    plot_replicator_flow,
    plot_trajectories,
    replicator_flow_data,
    trajectory_data,
)
from simlab.experiments.figures.meetings import head_to_head_data, plot_head_to_head
from simlab.experiments.figures.mixes import mix_data, plot_mix
from simlab.experiments.figures.park import park_data, plot_park
from simlab.experiments.figures.points import (
    plot_points_by_round,
    plot_points_distribution,
    points_by_round_data,
    points_distribution_data,
)
from simlab.experiments.figures.rates import plot_seats, plot_win_rates, seat_data, win_rate_data
from simlab.experiments.figures.searching import plot_search, plot_worth, search_data, worth_data
from simlab.experiments.figures.standings import (
    gauntlet_data,
    plot_gauntlet,
    plot_ratings,
    rating_data,
)
from simlab.experiments.figures.style import root_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simlab.experiments.metagame import EmpiricalGame, MetaResult

Drawing = Callable[[Any], Any]
"""Draws a figure from results."""


def _flow(results: Any) -> Axes:
    return plot_replicator_flow(*replicator_flow_data(three_of(results.meta)))


def three_of(meta: MetaResult) -> EmpiricalGame:
    """The game among three policies, those with the greatest part in alpha-rank if it has more."""
    order = sorted(range(len(meta.policies)), key=lambda who: -float(meta.ranking.mass[who]))
    kept = sorted(order[: len(CORNERS)])
    return meta.game.restrict([meta.policies[who] for who in kept])


def _trajectories(results: Any) -> Axes:
    from simlab.experiments.metagame import replicator

    return plot_trajectories(trajectory_data(replicator(results.empirical_game)))


def _comparison(results: Any) -> tuple[Axes, Axes]:
    if all(results.by_symmetry(variant) for variant in range(len(results.plan.studies))):
        only = results.study.matchup.lineup[0].text
        raise UsageError(
            f"{only} holds every seat, so its win rate is the fair share by symmetry under every "
            "value: there is nothing to draw; points and rounds may differ"
        )
    return plot_comparison(*comparison_data(results.variants(), results.differences()))


OF_A_RUN: Mapping[str, Drawing] = {
    "win-rates": lambda results: plot_win_rates(win_rate_data(results.reading.record())),
    "seats": lambda results: plot_seats(seat_data(results.reading.record())),
    "points": lambda results: plot_points_distribution(
        points_distribution_data(results.histogram("points"))
    ),
    "rounds": lambda results: plot_points_by_round(points_by_round_data(results.reading.record())),
    "convergence": lambda results: plot_convergence(convergence_data(results.convergence())),
}
OF_A_COMPARISON: Mapping[str, Drawing] = {
    "comparison": _comparison,
    **OF_A_RUN,
}
OF_A_TOURNAMENT: Mapping[str, Drawing] = {
    "win-rates": lambda results: plot_win_rates(win_rate_data(results.numbers)),
    "head-to-head": lambda results: plot_head_to_head(head_to_head_data(results.numbers)),
    "ratings": lambda results: plot_ratings(rating_data(results.numbers)),
}
OF_A_GAUNTLET: Mapping[str, Drawing] = {
    "gauntlet": lambda results: plot_gauntlet(*gauntlet_data(results.numbers)),
    **OF_A_TOURNAMENT,
}
OF_MIXES: Mapping[str, Drawing] = {
    "mix": lambda results: plot_mix(mix_data(results.meta)),
    "alpha-rank": lambda results: plot_alpha_rank(*alpha_rank_data(results.meta.ranking)),
    "trajectories": _trajectories,
}
OF_A_SEARCH: Mapping[str, Drawing] = {
    "search": lambda results: plot_search(*search_data(results.numbers)),
    "worth": lambda results: plot_worth(worth_data(results.numbers)),
}
OF_GAMES: Mapping[str, Mapping[str, Drawing]] = {
    "fantastic-park": {"park": lambda results: plot_park(park_data(_first_game(results)))},
}
"""What runs of some games offer besides, by the game's name."""
FLOW = "flow"
KINDS = tuple(
    dict.fromkeys(
        [
            *OF_A_RUN,
            "comparison",
            *(kind for drawings in OF_GAMES.values() for kind in drawings),
            *OF_A_GAUNTLET,
            *OF_MIXES,
            FLOW,
            *OF_A_SEARCH,
        ]
    )
)


def _first_game(results: Any) -> dict[str, Any]:
    """The record of a run's first game, played again."""
    from simlab.replaying import Replayer

    study = results.study
    return Replayer(study.matchup, study.seed, study.luck).record(0)


def draw(kind: str, results: Any) -> Axes | Figure:
    """Draw a figure of a run, a comparison, a tournament or a search.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    results : Results, TournamentResults or TuningResults
        For "convergence" those of a run folder.

    Raises
    ------
    UsageError
        If there is no such figure, or these results have nothing for it; names those they have.
    """
    if kind not in KINDS:
        raise unknown("figure", kind, KINDS)
    what, drawings = figures_of(results)
    if kind not in drawings:
        raise UsageError(f"{what} has no figure {kind}; it has {', '.join(drawings)}")
    drawn = drawings[kind](results)
    if isinstance(drawn, tuple):  # of several axes the whole figure
        return root_of(drawn[0])
    return drawn  # type: ignore[no-any-return]


def figures_of(results: Any) -> tuple[str, Mapping[str, Drawing]]:
    """What results are, in words, and the figures that they offer."""
    from simlab.experiments.comparing import Comparison
    from simlab.experiments.tournaments.results import TournamentResults
    from simlab.experiments.tuning.results import TuningResults

    if isinstance(results, TuningResults):
        return "a search", OF_A_SEARCH
    if not isinstance(results, TournamentResults):
        own = OF_GAMES.get(results.study.game.name, {})
        if isinstance(results, Comparison):
            return "a comparison", {**OF_A_COMPARISON, **own}
        return "a run", {**OF_A_RUN, **own}
    if results.played.tournament.focus is not None:
        return "a gauntlet", OF_A_GAUNTLET
    if not results.has_meta:
        return "a tournament whose best have not all met", OF_A_TOURNAMENT
    mixes = {**OF_A_TOURNAMENT, **OF_MIXES}
    if len(results.mixing) >= len(CORNERS):
        mixes[FLOW] = _flow
    return f"a tournament of {len(results.policies)} policies", mixes

"""Strategies: who wins at how many players, against whom, and what clever players would play."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.experiments.figures.meetings import head_to_head_data, plot_head_to_head
from simlab.experiments.figures.mixes import mix_data, plot_mix
from simlab.experiments.figures.rates import plot_win_rates
from simlab.experiments.intervals import Estimate
from simlab.experiments.summary import Reading
from simlab.experiments.tournaments.design import EVERY
from simlab.policies import built_in
from simlab.reports.document import (
    Block,
    Column,
    Figure,
    Number,
    Section,
    Sentence,
    Table,
)
from simlab.reports.findings import Findings, describe
from simlab.reports.wording import (
    capital,
    estimated,
    key_of,
    listed,
    rate,
    spelled,
    strongest_words,
)

if TYPE_CHECKING:
    from simlab.experiments.tournaments.results import TournamentResults

DRAWS = 200
WIDE = 14
"""Most policies whose head-to-head matrix is printed."""


def strategies(found: Findings, colours: dict[str, str]) -> Section | None:
    """Win rates by number of players, meetings, rating, mix; what each does and how it scores."""
    main = found.main
    if main is None:
        return None
    blocks: list[Block | Section] = [_strongest(n, one) for n, one in found.tournaments.items()]
    if len(found.tournaments) > 1:
        blocks.append(change(found))
    blocks += [_rates_table(found), _rates_figure(main, colours)]
    more = (_meetings(main), _mix(main, colours), _portraits(found, main))
    blocks += [section for section in more if section is not None]
    return Section("strategies", "Strategies", blocks)


def ordered(results: TournamentResults) -> list[dict[str, Any]]:
    """Rows of the policies, the highest win rate first."""
    return sorted(results.numbers["policies"], key=lambda row: -float(row["win_rate"]))


def fair_share(players: int) -> Number:
    """One seat's share."""
    return Number(key_of("fair", players), 1 / players, None, "share")


def policy_rate(results: TournamentResults, row: dict[str, Any]) -> Number:
    """A policy's win rate in a tournament."""
    players = results.played.tournament.players
    key = key_of("strategies", players, row["policy"], "win_rate")
    return rate(key, row, results.numbers["deals"])


def best_of(results: TournamentResults) -> list[str]:
    """The policies that the data cannot tell from the best, the highest first."""
    return [row["policy"] for row in ordered(results) if row["best"]]


def _strongest(players: int, results: TournamentResults) -> Sentence:
    first = policy_rate(results, ordered(results)[0])
    return strongest_words(best_of(results), first, players, fair_share(players))


def best_everywhere(found: Findings) -> set[str]:
    """Strategies that are among the best at every number of players."""
    return set.intersection(*(set(best_of(one)) for one in found.tournaments.values()))


def change(found: Findings) -> Sentence:
    """Whether the best strategy is the same at every number of players."""
    common = best_everywhere(found)
    if common:
        return Sentence.of(
            f"{listed(sorted(common))} is among the strongest at every number of players."
        )
    by_best: dict[str, list[str]] = {}
    for players, one in found.tournaments.items():
        by_best.setdefault(listed(best_of(one), "or"), []).append(spelled(players))
    said = "; ".join(f"{who} with {listed(counts)}" for who, counts in by_best.items())
    return Sentence.of(f"The strongest strategy changes with the number of players: {said}.")


def _rates_table(found: Findings) -> Table:
    columns = [Column("strategy", words=True)]
    columns += [Column(f"{n} players", meaning="win rate of a seat") for n in found.tournaments]
    by_count = {
        n: {row["policy"]: row for row in one.numbers["policies"]}
        for n, one in found.tournaments.items()
    }
    main = found.main
    assert main is not None
    rows: list[list[str | Number]] = []
    for row in ordered(main):
        cells: list[str | Number] = [row["policy"]]
        for n, one in found.tournaments.items():
            cells.append(policy_rate(one, by_count[n][row["policy"]]))
        rows.append(cells)
    fair: list[str | Number] = ["(a fair share)", *(fair_share(n) for n in found.tournaments)]
    note = (
        "Each other seat is drawn from all strategies alike (where there are too many tables, "
        "from a balanced sample of tables of different strategies)."
    )
    title = "Win rates by number of players, against the whole field"
    return Table("strategies-rates", title, columns, [*rows, fair], note)


def _rates_figure(main: TournamentResults, colours: dict[str, str]) -> Figure:
    players = main.played.tournament.players

    def draw() -> Any:
        import pandas as pd

        rows = [
            {
                "policy": row["policy"],
                "place": place,
                "win_rate": 100 * row["win_rate"],
                "low": 100 * row["ci95"][0],
                "high": 100 * row["ci95"][1],
                "fair": 100 / players,
            }
            for place, row in enumerate(ordered(main))
        ]
        return plot_win_rates(pd.DataFrame(rows), colours=colours)

    caption = (
        f"Win rates at {players} players against the whole field. A dot to the right of the dashed "
        "line wins more than its fair share; the bars are 95 % intervals (often hidden by the dot)."
    )
    names = listed([row["policy"] for row in ordered(main)])
    return Figure(
        "strategies-rates", caption, f"Dots of win rates, from high to low: {names}.", draw
    )


def _meetings(main: TournamentResults) -> Section | None:
    """Who ends ahead of whom, and the rating that comes from it."""
    players, rows = main.played.tournament.players, ordered(main)
    head = main.numbers["head_to_head"]
    place = {policy: n for n, policy in enumerate(head["policies"])}
    blocks: list[Block] = []
    ratings = [
        [
            row["policy"],
            Number(key_of("rating", row["policy"]), row["rating"], tuple(row["rating_ci95"])),
            row["best_opponent"] or "",
            row["worst_opponent"] or "",
        ]
        for row in rows
    ]
    columns = [
        Column("strategy", True),
        Column("rating", meaning="Elo's scale: 400 points are odds of ten to one; mean 0"),
        Column("wins most at tables with", True),
        Column("wins least at tables with", True),
    ]
    note = "Bradley and Terry's model of who ends ahead of whom at one table; intervals over deals."
    blocks.append(Table("strategies-ratings", "Ratings", columns, ratings, note))
    if len(rows) <= WIDE:
        cells: list[list[str | Number]] = []
        for row in rows:
            i = place[row["policy"]]
            line: list[str | Number] = [row["policy"]]
            for other in rows:
                j = place[other["policy"]]
                value, ends = head["matrix"][i][j], head["ci95"][i][j]
                key = key_of("ahead", row["policy"], other["policy"])
                number = Number(key, value, tuple(ends) if ends else None, "share", digits=1)
                line.append(number if value is not None else "")
            cells.append(line)
        columns = [Column("ends ahead of", True)] + [Column(row["policy"]) for row in rows]
        title = (
            f"How often the strategy of a row ends ahead of that of a column ({players} players)"
        )
        blocks += [
            _meetings_figure(main),
            Table("strategies-ahead", title, columns, cells, "Ties count half."),
        ]
    return Section("meetings", "Who beats whom", blocks)


def _meetings_figure(main: TournamentResults) -> Figure:
    caption = (
        "The strategies in the order of their win rates, above and to the left. Where strength is "
        "all that counts, a row has over 50 everywhere to the right of the empty diagonal; a cell "
        "there under 50 is a strategy that is beaten by one below it."
    )
    names = listed([row["policy"] for row in ordered(main)])
    alt = f"Map of who ends ahead of whom, from the highest win rate to the lowest: {names}."
    return Figure(
        "strategies-ahead", caption, alt, lambda: plot_head_to_head(head_to_head_data(main.numbers))
    )


def _mix(main: TournamentResults, colours: dict[str, str]) -> Section | None:
    """The game of mixes: what clever players would come to."""
    if not main.has_meta or main.played.tournament.design.kind != EVERY:
        return None
    meta, record = main.meta, main.numbers["meta"]
    blocks: list[Block] = [Sentence.of(f"{capital(line)}.") for line in record["verdict"]]
    against = _against_mix(main)
    rows: list[list[str | Number]] = []
    for row in sorted(record["bootstrap"]["policies"], key=lambda row: (-row["mix"], -row["mass"])):
        name = row["policy"]
        mix = Number(key_of("mix", name), row["mix"], (row["mix_low"], row["mix_high"]), "share")
        mass = Number(
            key_of("alpha", name), row["mass"], (row["mass_low"], row["mass_high"]), "share"
        )
        rows.append([name, mix, mass, against[name]])
    columns = [
        Column("strategy", True),
        Column("share of the mix", meaning="symmetric equilibrium"),
        Column("alpha-rank", meaning="how often a population is found playing it"),
        Column("win rate against the mix"),
    ]
    note = (
        f"Intervals from {meta.draws} resamples of the deals. In the mix, nobody gains by playing "
        "something else; alpha-rank says where a population that tries things out spends its time."
    )
    blocks.append(Table("strategies-mix", "What clever players come to", columns, rows, note))
    if sum(row["in_mix"] > 0 for row in record["bootstrap"]["policies"]) > 1:
        blocks.append(_mix_figure(main, colours))
    return Section("mix", "What clever players would play", blocks)


def _mix_figure(main: TournamentResults, colours: dict[str, str]) -> Figure:
    caption = (
        "How often each strategy is played where nobody gains by playing another, with what that "
        "is in 95 % of resamples of the deals, and in how many of them it is played at all."
    )
    used = [row["policy"] for row in main.numbers["meta"]["bootstrap"]["policies"] if row["mix"]]
    alt = f"Dots of shares at the equilibrium; played are {listed(used)}."
    return Figure("mix", caption, alt, lambda: plot_mix(mix_data(main.meta), colours=colours))


def _against_mix(main: TournamentResults) -> dict[str, Number]:
    """Win rate of each policy when all others play the equilibrium mix."""
    game, mix = main.empirical_game, main.meta.equilibria[0].mix
    rng = np.random.Generator(np.random.Philox(main.played.tournament.base.seed))
    value = game.payoffs_against(mix)
    drawn = np.array([game.draw(rng).payoffs_against(mix) for _ in range(DRAWS)])
    low, high = np.clip(np.quantile(drawn, [0.025, 0.975], axis=0), 0.0, 1.0)
    return {
        name: Number(
            key_of("against-mix", name), float(v), (float(min(a, v)), float(max(b, v))), "share"
        )
        for name, v, a, b in zip(main.policies, value, low, high, strict=True)
    }


def _portraits(found: Findings, main: TournamentResults) -> Section:
    """What each strategy does and how it scores."""
    policies = built_in(found.standard.game)
    names = found.standard.game.seat_columns
    columns = [Column("strategy", True), Column("points")]
    columns += [Column(name.replace("_", " ")) for name in names]
    rows: list[list[str | Number]] = []
    for row in ordered(main):
        who = main.policies.index(row["policy"])
        line: list[str | Number] = [row["policy"]]
        for name in ("points", *names):
            key = key_of("scores", row["policy"], name)
            line.append(estimated(key, column_mean(main, who, name), "number"))
        rows.append(line)
    lines = [
        f"{row['policy']}: {describe(found.standard, policies, row['policy'])}"
        for row in ordered(main)
    ]
    from simlab.reports.document import Listing

    table = Table("strategies-scores", "How each scores: means of a seat in a game", columns, rows)
    return Section("portraits", "What each strategy does", [Listing(lines), table])


def column_mean(results: TournamentResults, who: int, column: str) -> Estimate:
    """Mean of a column over a policy's seats, by the design's weights."""
    played = results.played
    design, studies = played.tournament.design, played.tournament.studies
    place = played.tournament.base.game.all_seat_columns.index(column)
    weights = design.weights * design.seats[:, who]
    weights = weights / weights.sum()
    value, variance, deals = 0.0, 0.0, 0
    for table in np.flatnonzero(weights):
        reading = Reading(studies[table], played.part.counts[table])
        one = reading.policy(design.members(int(table)).index(who), place)
        value += weights[table] * one.mean
        variance += (weights[table] * one.error) ** 2
        deals += one.deals
    return Estimate(value, math.nan, math.sqrt(variance), deals)

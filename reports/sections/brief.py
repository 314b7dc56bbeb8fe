"""In brief: five to eight sentences, each with its number and its uncertainty."""

from __future__ import annotations

from simlab.reports.document import Section, Sentence
from simlab.reports.findings import Findings
from simlab.reports.sections.play import TABLES, number_of, skill_words
from simlab.reports.sections.seats import starters_words
from simlab.reports.sections.strategies import (
    best_everywhere,
    best_of,
    change,
    fair_share,
    ordered,
    policy_rate,
)
from simlab.reports.wording import strongest_words

MOST = 8


def brief(found: Findings, more: list[Sentence]) -> Section:
    """The report's first section.

    Parameters
    ----------
    found : Findings
    more : list of Sentence
        What the game's own sections have to say in brief.
    """
    said: list[Sentence] = []
    main = found.main
    if main is not None:
        players = main.played.tournament.players
        first = policy_rate(main, ordered(main)[0])
        said.append(strongest_words(best_of(main), first, players, fair_share(players)))
        if not best_everywhere(found):
            said.append(change(found))
        if main.has_meta:
            said.append(_mix(main.numbers["meta"]["verdict"]))
        said.append(starters_words(found))
    said += more
    if found.kept("table-good") is not None:
        by_name = {one.name: one for one in found.measures("table-good")}
        said.append(
            Sentence.of(
                "Endings are this tight: ",
                number_of("table-good", by_name["close endings"]),
                f" of games among {TABLES['table-good']} are won by at most three points.",
            )
        )
    if found.kept("table-skill") is not None:
        said.append(skill_words(found))
    return Section("in-brief", "In brief", said[:MOST])


def _mix(verdict: list[str]) -> Sentence:
    """The most important sentence of the game of mixes."""
    for wanted in ("is dominant", "in a cycle", "no policy is safe", "clever players"):
        for line in verdict:
            if wanted in line:
                return Sentence.of(f"Among these strategies, {line}.")
    return Sentence.of(f"Among these strategies, {verdict[0]}.")

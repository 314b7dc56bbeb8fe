"""How the numbers came about: games, seeds, intervals, rulings, commands, cautions."""

from __future__ import annotations

from simlab.reports.document import Block, Listing, Number, Section, Sentence
from simlab.reports.findings import Findings

CAUTION = (
    "The players here are programs with simple ideas. What holds among them need not hold among "
    "people: a rule that looks harmless to them may be broken by a clever player, and a strategy "
    "that wins here may have a counter that nobody programmed.",
    "A win rate belongs to its field: against other opponents it is another one.",
    "A difference that is not shown is not shown to be nothing; it may be smaller than the "
    "games could tell.",
)
SOURCES = (
    "Win rates: Wilson's or Clopper and Pearson's interval on the effective number of games, "
    "errors between deals; means: Student's t over deals.",
    "Differences are taken deal by deal, on the same cards and the same luck of the players; "
    "p-values are corrected by Holm over each table.",
    "Ratings: Bradley and Terry (1952). Equilibria and alpha-rank: of the empirical game whose "
    "payoffs are the tables' win shares; Omidshafiei et al. (2019).",
    "Drama, lead changes, decisiveness: C. Browne (2008), for several players after E. Mangeli "
    "(2016); the concepts of Ludii; luck, skill and catch-up: Elias, Garfield and Gutschera, "
    "Characteristics of Games (2012); Duersch, Lambrecht and Oechssler (2020).",
)


def method(found: Findings) -> Section:
    """Everything that it takes to get the numbers again."""
    standard = found.standard
    games = Number("games-played", float(found.games_played), None, "games")
    blocks: list[Block | Section] = [
        Sentence.of(
            games,
            f" games of {standard.game.title} (rules version {standard.game.version}) were played. "
            "Every number follows from the seed, whatever the machine and however many cores.",
        ),
        Listing(SOURCES),
        Section("cautions", "What not to conclude", [Listing(CAUTION)]),
        Section("commands", "The commands that give every table again", [_commands(found)]),
        Section("rulings", "Rulings where the rulebook is silent", [_rulings(found)]),
    ]
    return Section("method", "Method", blocks)


def _commands(found: Findings) -> Listing:
    return Listing([part.command for part in found.parts if part.name in found.results], code=True)


def _rulings(found: Findings) -> Listing:
    return Listing([f"{one.question} {one.answer}" for one in found.standard.game.rulings])

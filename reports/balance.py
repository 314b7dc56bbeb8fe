"""The balance report of a game: from the runs of its standard study to a `Report`."""

from __future__ import annotations

from simlab import __version__
from simlab.contract import Game
from simlab.experiments.figures.style import colours_of
from simlab.reports.document import Report, Section
from simlab.reports.findings import Findings
from simlab.reports.games import own_sections
from simlab.reports.sections.brief import brief
from simlab.reports.sections.method import method
from simlab.reports.sections.play import play
from simlab.reports.sections.rules import rules
from simlab.reports.sections.seats import seats
from simlab.reports.sections.strategies import strategies


def balance_report(found: Findings) -> Report:
    """Write the report of a balance study; plays nothing."""
    standard = found.standard
    own = own_sections(standard.game)
    colours = colours_of(standard.policies)
    parts: list[Section | None] = [
        brief(found, own.in_brief(found) if own else []),
        strategies(found, colours),
        seats(found),
        *(own.sections(found) if own else []),
        rules(found),
        play(found),
        method(found),
    ]
    return Report(
        title=f"Balance report: {standard.game.title}",
        subtitle=(
            f"{len(standard.policies)} strategies, {found.games_played:,} games, "
            f"rules version {standard.game.version}, simlab {__version__}"
        ),
        sections=[part for part in parts if part is not None],
        warnings=getattr(own, "WARNINGS", ()),
        facts={
            "game": standard.game.name,
            "version": standard.game.version,
            "games": found.games_played,
            "seed": found.parts[0].seed if found.parts else 0,
            "commands": [part.command for part in found.parts if part.name in found.results],
        },
        colours=colours,
    )


SECTIONS = ("in-brief", "strategies", "seats", "rules", "play", "method")


def section_names(game: Game) -> list[str]:
    """Sections that a game's report has, its own among them."""
    own = own_sections(game)
    names = list(SECTIONS)
    return names[:3] + (list(own.TITLES) if own else []) + names[3:]

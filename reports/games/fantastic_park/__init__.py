"""Fantastic Park's own sections: the tiles, rounds, doubles, turns, laying on top, and a park."""

from __future__ import annotations

from simlab.reports.document import Section, Sentence
from simlab.reports.findings import Findings
from simlab.reports.games.fantastic_park.rules import by_split, doubles, rounds, tiles
from simlab.reports.games.fantastic_park.sample import sample
from simlab.reports.games.fantastic_park.stacking import stacking, worth
from simlab.reports.games.fantastic_park.turns import last_words, turns
from simlab.reports.games.fantastic_park.varied import STACKING, TILES

TITLES = ("park", "tiles", "rounds", "doubles", "turns", "stacking", "sample")


def sections(found: Findings) -> list[Section]:
    """The park: its tiles, rounds and doubles, who is last, what laying on top does, and one."""
    parts = [one(found) for one in (tiles, rounds, doubles, turns, stacking, sample)]
    blocks = [part for part in parts if part is not None]
    return [Section("park", "The park", blocks)] if blocks else []


def in_brief(found: Findings) -> list[Sentence]:
    """How even the splits of tiles are, who is last, and whether laying on top pays."""
    said = []
    split, liking = found.special_at(TILES), found.special_at(STACKING)
    if split is not None:
        said.append(by_split(found.standard.strongest, split[1]))
    if found.main is not None:
        said.append(last_words(found.main))
    if liking is not None:
        said.append(worth(liking[1], 0))
    return said

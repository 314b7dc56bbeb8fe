"""Fantasía S.A.'s own sections: its cards, hostility, and how long a game takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simlab.cards import CardSet, box_of
from simlab.experiments.figures.kinds import draw
from simlab.experiments.figures.lengths import length_data, plot_lengths
from simlab.experiments.summary import Reading
from simlab.reports.document import (
    Block,
    Column,
    Figure,
    Number,
    Section,
    Sentence,
    Table,
    Unit,
)
from simlab.reports.findings import Findings
from simlab.reports.games.fantasia_sa_cards import cards_section
from simlab.reports.sections.play import TABLES
from simlab.reports.sections.rules import SURE
from simlab.reports.wording import (
    amount,
    apart,
    difference,
    game_mean,
    key_of,
    listed,
    mean,
    rate,
)

if TYPE_CHECKING:
    from simlab.experiments.comparing import Comparison

    Lengths = dict[bool, dict[int, Reading]]
    """Runs by number of players, with hostile cards (True) and without."""

TITLES = ("cards", "hostile", "length")
WARNINGS = (
    "The cards are reconstructed. The rulebook prints neither what the 95 cards say nor what they "
    "cost, but for three examples; every other number is made up to fit those and the length that "
    "the box promises. This report describes the reconstruction, not the printed game.",
)
SECONDS = 30
"""A turn at a table, in seconds: an assumption, not a measurement."""
BOX_MINUTES = 20
"""What the box promises."""


def sections(found: Findings) -> list[Section]:
    """Card by card, with and without hostile cards, and how long it takes."""
    parts = (cards_section(found, reconstructed(found)), _hostile(found), _length(found))
    return [part for part in parts if part is not None]


def in_brief(found: Findings) -> list[Sentence]:
    """That the cards are made up, how long a game takes, and what hostile cards do."""
    said = [reconstructed(found)]
    lengths = _lengths(found)
    if lengths:
        said.append(_length_words(lengths))
    for _, results in found.special("hostile"):
        said.append(_hostile_words(results))
    return said


def reconstructed(found: Findings) -> Sentence:
    """How many of the cards have numbers that nobody printed."""
    box = box_of(found.standard.game.options)
    assert box is not None
    every = sum(copies_of(box.printed, None))
    made_up = sum(copies_of(box.printed, "reconstructed"))
    return Sentence.of(
        "The cards are reconstructed: ",
        Number(key_of("cards", "reconstructed"), made_up, None, "count"),
        " of ",
        Number(key_of("cards", "all"), every, None, "count"),
        " cards carry numbers that are printed nowhere, so what is said of them holds for this "
        "set, not for the printed one.",
    )


def copies_of(cards: CardSet, provenance: str | None) -> list[int]:
    """Copies of each kind of card, or of those whose numbers are from one source."""
    kinds = [card for table in cards.tables.values() for card in table]
    return [card.copies for card in kinds if provenance in (None, card.provenance)]


# --- With and without hostile cards ----------------------------------------------------------


def _game(results: Comparison, measure: str) -> dict[str, Any]:
    """The difference of a measure of whole games between the first value and the second."""
    rows = results.numbers["differences"]
    return next(row for row in rows if row["policy"] is None and row["measure"] == measure)


def _hostile_words(results: Comparison) -> Sentence:
    """Whether hostile cards make a game longer."""
    row = _game(results, "turns_in_all")
    number = difference(key_of("hostile", "turns_in_all", "difference"), row, "number")
    if row["p_holm"] > SURE:
        return Sentence.of("Hostile cards are not shown to change how many turns a game takes.")
    way = "shorter" if (number.value or 0) < 0 else "longer"
    return Sentence.of(
        "Without hostile cards a game among good players is ",
        amount(number),
        f" turns of all seats together {way}.",
    )


def _gainers(results: Comparison) -> Sentence:
    """Who wins more without hostile cards, and who less."""
    rows = [row for row in results.numbers["differences"] if row["measure"] == "win_rate"]
    sure = [row for row in rows if row["p_holm"] is not None and row["p_holm"] <= SURE]
    if not sure:
        return Sentence.of("No strategy is shown to win more or less without hostile cards.")
    parts: list[str | Number] = []
    for row in sorted(sure, key=lambda row: -row["difference"]):
        key = key_of("hostile", row["policy"], "win_rate", "difference")
        words = f"{row['policy']} " if not parts else f", {row['policy']} "
        parts += [words, difference(key, row, "points of win rate")]
    return Sentence.of("Points of win rate without hostile cards: ", *parts, ".")


MEASURES: dict[str, tuple[str, Unit]] = {
    "turns_in_all": ("turns of all seats", "number"),
    "turn_cap_hits": ("games that the cap on turns ended", "share"),
    "off_turn_wins": ("games won in another seat's turn", "share"),
    "lead_changes": ("lead changes", "number"),
    "winner_worst_place": ("worst place of the winner", "number"),
    "decisions": ("decisions", "number"),
}
SEAT_COLUMNS = ("hospital_turns", "sponsors_lost", "equipment_lost", "hostile_played")


def _hostile(found: Findings) -> Section | None:
    """Two tables, side by side: what the hostile cards do to the game, and to whom."""
    there = found.special("hostile")
    if not there:
        return None
    part, results = there[0]
    caption = (
        "Win rates of each strategy with hostile cards (true) and without (false), and below them "
        "the differences on the same deals, with 95 % intervals."
    )
    drawing = Figure(
        "hostile", caption, "Win rates by hostile cards.", lambda: draw("comparison", results)
    )
    about = Sentence.of(
        f"A table of {listed(list(part.policies))}, on the same deals with all cards and without "
        "those that are aimed at others or cancel."
    )
    blocks: list[Block | Section] = [about, _hostile_words(results), _gainers(results)]
    blocks += [_both(results), _seats(results), drawing]
    return Section("hostile", "With and without hostile cards", blocks)


def _both(results: Comparison) -> Table:
    """Win rates and measures of the game with hostile cards, without, and the difference."""
    one, other = (variant["run"] for variant in results.numbers["variants"][:2])
    differences = results.numbers["differences"]
    rows: list[list[str | Number]] = []
    for row, less in zip(one["policies"], other["policies"], strict=True):
        name = row["policy"]
        line = next(d for d in differences if d["policy"] == name and d["measure"] == "win_rate")
        key = key_of("hostile", name, "win_rate")
        cells = [rate(f"{key}.with", row, one["deals"]), rate(f"{key}.without", less)]
        cells.append(difference(f"{key}.difference", line, "points of win rate"))
        rows.append([f"{name} wins", *cells, Number(f"{key}.p", line["p_holm"], None, "p")])
    for measure, (words, unit) in MEASURES.items():
        line, key = _game(results, measure), key_of("hostile", measure)
        change: Unit = "points of win rate" if unit == "share" else "number"
        cells = [
            game_mean(f"{key}.{way}", reading, measure, unit)
            for way, reading in zip(("with", "without"), results.readings, strict=False)
        ]
        cells.append(difference(f"{key}.difference", line, change))
        rows.append([words, *cells, Number(f"{key}.p", line["p_holm"], None, "p")])
    columns = [Column("", True), Column("with"), Column("without"), Column("difference")]
    note = "Differences deal by deal; shares in points. p-values by Holm over each measure."
    title = "The same deals with hostile cards and without"
    return Table("hostile", title, [*columns, Column("p (Holm)")], rows, note)


def _seats(results: Comparison) -> Table:
    """What each strategy suffers with hostile cards, and without."""
    runs = [variant["run"] for variant in results.numbers["variants"][:2]]
    columns = [Column("strategy", True)]
    for name in SEAT_COLUMNS:
        words = name.replace("_", " ")
        columns += [Column(words), Column("without")]
    rows: list[list[str | Number]] = []
    for place, row in enumerate(runs[0]["policies"]):
        line: list[str | Number] = [row["policy"]]
        for name in SEAT_COLUMNS:
            for way, run in zip(("with", "without"), runs, strict=True):
                key = key_of("hostile", row["policy"], name, way)
                line.append(mean(key, run["policies"][place]["columns"][name]))
        rows.append(line)
    title = "What each strategy suffers in a game, with hostile cards and without"
    return Table("hostile-seats", title, columns, rows, "Means of a seat in a game.")


# --- How long a game takes -------------------------------------------------------------------


def _lengths(found: Findings) -> Lengths:
    lengths: Lengths = {}
    for part, results in found.special("players"):
        by_players = {len(one.study.matchup.policies): one for one in results.readings}
        lengths[bool(part.sweep.options.get("hostile", True))] = dict(sorted(by_players.items()))
    return lengths


def _turns(hostile: bool, players: int, run: Reading) -> Number:
    key = key_of("length", "hostile" if hostile else "friendly", players, "turns")
    return game_mean(key, run, "turns_in_all")


def _minutes(turns: Number) -> Number:
    """Turns as minutes at a table."""
    scale = SECONDS / 60
    ends = None if turns.ci95 is None else (scale * turns.ci95[0], scale * turns.ci95[1])
    value = None if turns.value is None else scale * turns.value
    key = turns.key.removesuffix("turns") + "minutes"
    return Number(key, value, ends, "number", turns.deals, 0 if (value or 0) >= 100 else 1)


def _length_words(lengths: Lengths) -> Sentence:
    """How many minutes a game takes, against what the box promises."""
    parts: list[str | Number] = []
    for hostile, runs in sorted(lengths.items()):
        minutes = [_minutes(_turns(hostile, n, run)) for n, run in runs.items()]
        short = min(minutes, key=lambda one: one.value or 0.0)
        long = max(minutes, key=lambda one: one.value or 0.0)
        words = "with hostile cards" if hostile else "without hostile cards"
        parts += [" and " if parts else "", short, " to ", long, f" minutes {words}"]
    return Sentence.of(
        f"At {SECONDS} seconds a turn (an assumption) a table of greedy players takes ",
        *parts,
        ", by the number of players; the box promises ",
        Number(key_of("length", "box"), BOX_MINUTES, None, "count"),
        ".",
    )


def _length(found: Findings) -> Section | None:
    lengths = _lengths(found)
    if not lengths:
        return None
    blocks: list[Block | Section] = [_length_words(lengths)]
    blocks += [_by_players(hostile, runs) for hostile, runs in sorted(lengths.items())]
    blocks += [_length_table(lengths), *_capped(found)]
    games = found.games("table-good")
    if games is not None:
        caption = (
            "Turns of all seats until a game of good players ends. Games with as many turns as "
            "the cap allows were ended by it."
        )
        alt = "A histogram of the numbers of turns."
        blocks.append(
            Figure(
                "length",
                caption,
                alt,
                lambda: plot_lengths(length_data(games, "turns_in_all"), "turns of all seats"),
            )
        )
    return Section("length", "How long a game takes", blocks)


def _capped(found: Findings) -> list[Sentence]:
    """How many games the cap on turns had to end, at the tables whose games were kept."""
    said: list[str | Number] = []
    for name, who in TABLES.items():
        run = found.kept(name)
        if run is not None:
            key = key_of("length", name, "turn_cap_hits")
            capped = game_mean(key, Reading(run.study, run.played.count), "turn_cap_hits", "share")
            said += [", " if said else "", capped, f" with {who}"]
    if not said:
        return []
    return [Sentence.of("Games that only the cap on turns ended: ", *said, ".")]


def _by_players(hostile: bool, runs: dict[int, Reading]) -> Sentence:
    """Whether the goals keep a game as long for many players as for few."""
    turns = {n: _turns(hostile, n, run) for n, run in runs.items()}
    short, long = min(turns, key=_of(turns)), max(turns, key=_of(turns))
    words = "With hostile cards" if hostile else "Without hostile cards"
    if not apart(turns[short], turns[long]):
        return Sentence.of(f"{words} no number of players is shown to make a longer game.")
    return Sentence.of(
        f"{words} the goals of the rulebook make games of ",
        turns[short],
        f" turns with {short} players and of ",
        turns[long],
        f" with {long}.",
    )


def _of(turns: dict[int, Number]) -> Any:
    return lambda players: turns[players].value or 0.0


def _length_table(lengths: Lengths) -> Table:
    columns, rows = [Column("players", True)], []
    for hostile in sorted(lengths):
        words = "with hostile cards" if hostile else "without"
        columns += [Column(f"turns {words}"), Column("minutes"), Column("ended by the cap")]
    for players in sorted({n for runs in lengths.values() for n in runs}):
        line: list[str | Number] = [str(players)]
        for hostile, runs in sorted(lengths.items()):
            run = runs.get(players)
            line += _length_cells(hostile, players, run) if run else [""] * 3
        rows.append(line)
    note = f"Greedy in every seat. Minutes: {SECONDS} seconds a turn."
    return Table("length", "Length by the number of players", columns, rows, note)


def _length_cells(hostile: bool, players: int, run: Reading) -> list[str | Number]:
    turns = _turns(hostile, players, run)
    key = turns.key.removesuffix("turns") + "turn_cap_hits"
    return [turns, _minutes(turns), game_mean(key, run, "turn_cap_hits", "share")]

"""Fantasía S.A.'s cards: which win, which nobody buys, how hard Feats are, what prices do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.cards import Card, CardTable, box_of
from simlab.experiments.comparing import in_words
from simlab.experiments.measures.cards import FEW, CardUse, card_uses
from simlab.experiments.measures.ratios import ratio
from simlab.experiments.standard.fantasia_sa_cards import read_cards
from simlab.reports.document import Block, Column, Number, Section, Sentence, Table
from simlab.reports.findings import Findings
from simlab.reports.sections.rules import SURE, section_of
from simlab.reports.wording import amount, difference, estimated, key_of, mean

if TYPE_CHECKING:
    import pandas as pd

    from simlab.experiments.comparing import Comparison
    from simlab.experiments.standard.parts import Compared

TOLD = "cards"
"""The run whose cards were told."""
RARE = 0.1
"""Where fewer than this share of seats used a card, or kept it, sentences compare nothing."""
CAUTION = (
    "A card's win rate is no proof of what the card does. Who performs more Feats buys more cards "
    "of every kind and wins more often, whatever is bought; a long game shows a seat more cards; "
    "and the first thing that is bought says less than the last, which may have won the game. Only "
    "a change of the card itself on the same deals, as under Prices, tells cause from company."
)
KINDS: dict[str, tuple[str, str, str]] = {
    "equipment": ("Equipment", "bought", "it was in the hand"),
    "sponsors": ("Sponsors", "engaged", "it could be paid for"),
    "actions": ("Action cards", "played", "it was in the hand"),
}
"""Title of each list, what is done with its cards, and what it takes to have had one."""


def cards_section(found: Findings, reconstructed: Sentence) -> Section | None:
    """Everything about single cards; None if nothing was played for it."""
    blocks: list[Block | Section] = [reconstructed]
    told = _told(found)
    if told is not None:
        blocks += [_winning(found, told), _feats(found, told[told["list"] == "feats"])]
    prices = _prices(found)
    if prices:
        blocks.append(Section("prices", "Prices", prices))
    return Section("cards", "The cards", blocks) if len(blocks) > 1 else None


def _told(found: Findings) -> pd.DataFrame | None:
    run = found.kept(TOLD)
    return None if run is None or run.folder is None else read_cards(run.folder)


def _printed(found: Findings, name: str) -> tuple[CardTable, dict[str, Card]]:
    """A list of cards as it ships, by id."""
    box = box_of(found.standard.game.options)
    assert box is not None
    table = next(one for one in box.tables if one.name == name)
    return table, {card.id: card for card in box.printed[name]}


# --- Which cards win -------------------------------------------------------------------------


def _winning(found: Findings, told: pd.DataFrame) -> Section:
    deals = told["deal"].nunique()
    about = Sentence.of(
        "Greedy in every seat, so that no card's win rate is that of the strategy that likes it; ",
        Number(key_of("cards", "deals"), deals, None, "count"),
        f" deals were told card by card. {CAUTION}",
    )
    uses = {name: card_uses(told[told["list"] == name]) for name in KINDS}
    blocks: list[Block | Section] = [about, _never(found, uses)]
    for name, some in uses.items():
        blocks += [_best_words(found, name, some), _table(found, name, some)]
    return Section("cards-winning", "Which cards win", blocks)


def _use_number(name: str, one: CardUse) -> Number:
    return estimated(key_of("cards", name, one.card, "use"), one.use)


def _gain(name: str, one: CardUse) -> Number:
    return estimated(key_of("cards", name, one.card, "gain"), one.gain, "points of win rate")


def _called(card: Card) -> str:
    """A card by its name and id."""
    return f"{card.name} ({card.id})"


def _never(found: Findings, uses: dict[str, list[CardUse]]) -> Sentence:
    """Which cards nobody bought though they could, and how sure that is."""
    parts: list[str | Number] = []
    printed = {name: _printed(found, name)[1] for name in ("equipment", "sponsors")}
    for name in printed:
        for one in uses[name]:
            if one.used == 0 and one.had >= FEW:
                key = key_of("cards", name, one.card, "had")
                number = Number(key, float(one.had), None, "games")
                parts += [", " if parts else "", _called(printed[name][one.card]), " (0 of "]
                parts += [number, " seats that had it)"]
    if parts:
        return Sentence.of("Greedy players never bought ", *parts, ".")
    some = [(name, one) for name in printed for one in uses[name]]
    if not some:
        return Sentence.of("Nobody had anything to buy.")
    name, rarest = min(some, key=lambda pair: pair[1].use.mean)
    return Sentence.of(
        "Every card that somebody had was bought now and then, least often ",
        f"{_called(printed[name][rarest.card])}: by ",
        _use_number(name, rarest),
        " of the seats that had it.",
    )


def _best_words(found: Findings, name: str, uses: Sequence[CardUse]) -> Sentence:
    """The cards of a list that go with winning most, and those that go with losing."""
    title, done, _ = KINDS[name]
    printed = _printed(found, name)[1]
    told = [one for one in uses if RARE <= one.use.mean <= 1 - RARE]
    if not told:
        return Sentence.of(
            f"{title}: greedy players use them whenever they can, so who kept one mostly drew it "
            "as the game ended, and the differences below say little."
        )
    more = [one for one in told if one.p <= SURE and one.gain.mean > 0]
    less = [one for one in told if one.p <= SURE and one.gain.mean < 0]
    if not more and not less:
        return Sentence.of(f"{title}: no card is shown to go with winning or with losing.")
    parts: list[str | Number] = []
    if more:
        best = max(more, key=lambda one: one.gain.mean)
        words = f"{title}: who {done} {_called(printed[best.card])} wins "
        parts += [words, _gain(name, best), f" points more often than who had it and {_not(name)}"]
        if len(more) > 1:
            parts.append(f", the most of {len(more)} cards that go with winning")
    if less:
        worst = min(less, key=lambda one: one.gain.mean)
        words = "; " if parts else f"{title}: "
        parts += [
            f"{words}{_called(printed[worst.card])} goes with losing (",
            _gain(name, worst),
        ]
        parts.append(" points)")
    return Sentence.of(*parts, ".")


def _not(name: str) -> str:
    return {"actions": "kept it"}.get(name, "did not buy it")


def _table(found: Findings, name: str, uses: Sequence[CardUse]) -> Table:
    """A list's cards, those first that go with winning most."""
    title, done, had = KINDS[name]
    table, printed = _printed(found, name)
    columns = [Column("card", True)]
    columns += [Column(one.name, bool(one.words or one.terms)) for one in _shown(table)]
    columns += [
        Column("seats", meaning=f"games of a seat in which {had}"),
        Column(f"{done} by", meaning="share of those seats"),
        Column(f"win rate {done}"),
        Column("win rate had, not"),
        Column("difference, points"),
        Column("p (Holm)"),
    ]
    rows: list[list[str | Number]] = []
    for one in sorted(uses, key=_rank):
        key, card = key_of("cards", name, one.card), printed[one.card]
        line: list[str | Number] = [_called(card)]
        line += [_cell(column, card) for column in _shown(table)]
        line += [
            Number(f"{key}.had", float(one.had), None, "games"),
            _use_number(name, one),
            estimated(f"{key}.won", one.won),
            estimated(f"{key}.won_without", one.won_without),
            _gain(name, one),
            Number(f"{key}.p", None if one.p != one.p else one.p, None, "p"),
        ]
        rows.append(line)
    note = (
        f"A seat had a card if {had} at any time. A dash: fewer than {FEW} seats. "
        "Errors are over deals. No card's win rate is a proof of cause, see above."
    )
    return Table(f"cards-{name}", f"{title}: what goes with winning", columns, rows, note)


def _rank(one: CardUse) -> tuple[bool, float]:
    """Cards with a difference first, the largest first."""
    known = one.gain.mean == one.gain.mean
    return (not known, -one.gain.mean if known else 0.0)


def _shown(table: CardTable) -> list[Any]:
    """Columns of a list that a reader of its table wants to see."""
    return [column for column in table.columns if column.name not in ("type", "hostile")]


def _cell(column: Any, card: Card) -> str:
    return column.write(card.values) or "-"


# --- Feats -----------------------------------------------------------------------------------


def _feats(found: Findings, told: pd.DataFrame) -> Section:
    """How often each Feat is attempted when it lies there, and performed when attempted."""
    table, printed = _printed(found, "feats")
    columns = [Column("Feat", True)]
    columns += [Column(one.name, bool(one.words or one.terms)) for one in table.columns]
    columns += [
        Column("attempted", meaning="share of the choices at which it lay there"),
        Column("performed", meaning="share of the attempts"),
        Column("bare chance", meaning="two dice without any bonus or card"),
    ]
    rows: list[list[str | Number]] = []
    for card, mine in told.groupby("card", sort=True):
        feat, sums = printed[str(card)], mine.groupby("deal")[["had", "used", "done"]].sum()
        key = key_of("cards", "feats", card)
        tried, done = (
            ratio(sums[part].to_numpy(np.float64), sums[whole].to_numpy(np.float64))
            for part, whole in (("used", "had"), ("done", "used"))
        )
        line: list[str | Number] = [_called(feat)]
        line += [column.write(feat.values) or "-" for column in table.columns]
        line += [estimated(f"{key}.attempted", tried), estimated(f"{key}.performed", done)]
        line.append(Number(f"{key}.bare", bare_chance(feat.values["difficulty"]), None, "share"))
        rows.append(line)
    note = "Every healthy knight has to attempt one of those that lie there, good or bad."
    title = "Feats: how often they are attempted and performed by greedy players"
    block = Table("cards-feats", title, columns, rows, note)
    return Section("feats", "Feats and dice", [_feat_words(told), block])


def bare_chance(difficulty: int) -> float:
    """Chance of a Feat Roll without any modifier: two ones fail, two sixes succeed."""
    totals = [one + other for one in range(1, 7) for other in range(1, 7)]
    return sum(t == 12 or (t > 2 and t >= difficulty) for t in totals) / len(totals)


def _feat_words(told: pd.DataFrame) -> Sentence:
    sums = told.groupby("deal")[["used", "done"]].sum().to_numpy(np.float64)
    number = estimated(key_of("cards", "feats", "performed"), ratio(sums[:, 1], sums[:, 0]))
    return Sentence.of("Of all Feats that greedy players attempt ", number, " are performed.")


# --- Prices ----------------------------------------------------------------------------------


def _prices(found: Findings) -> list[Block | Section]:
    """What other prices do to the game, on the same deals."""
    blocks: list[Block | Section] = []
    for part, results in found.special("edit"):
        section = section_of(part, results)
        more: list[Block] = [_length_words(part, results), _bought(part, results)]
        blocks.append(Section(section.name, section.title, [*more, *section.blocks]))
    return blocks


def _length_words(part: Compared, results: Comparison) -> Sentence:
    """Whether another price changes how long a game takes."""
    rows = [r for r in results.numbers["differences"] if r["measure"] == "turns_in_all"]
    sure = [row for row in rows if row["p_holm"] <= SURE]
    if not sure:
        return Sentence.of("No price tried is shown to change how many turns a game takes.")
    row = max(sure, key=lambda row: abs(row["difference"]))
    key = key_of(part.name, in_words(row["value"]), "turns")
    number = amount(difference(key, row, "number"))
    way = "more" if row["difference"] > 0 else "fewer"
    words = f" turns {way} than with the cards as they are."
    return Sentence.of(f"With {in_words(row['value'])} a game takes ", number, words)


def _bought(part: Compared, results: Comparison) -> Table:
    """What each strategy buys at each price."""
    variants = results.numbers["variants"]
    names = [row["policy"] for row in variants[0]["run"]["policies"]]
    columns = [Column("cards", True)]
    columns += [Column(f"{name}: {what}") for name in names for what in ("Equipment", "Sponsors")]
    rows: list[list[str | Number]] = []
    for variant in variants:
        label = in_words(variant["value"])
        line: list[str | Number] = [label]
        for row in variant["run"]["policies"]:
            for column in ("equipment_bought", "sponsors_bought"):
                key = key_of(part.name, "bought", label, row["policy"], column)
                line.append(mean(key, row["columns"][column]))
        rows.append(line)
    return Table(f"{part.name}-bought", "Bought by a seat in a game", columns, rows)

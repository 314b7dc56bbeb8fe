"""Fantastiqa's own sections: goals and length, winners, cards, wilds, dragons, prices, tips.

All lists of cards are reconstructed, so every section says something of these lists alone.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from simlab.cards import CardOption
from simlab.experiments.intervals import Estimate
from simlab.experiments.measures.ratios import ratio
from simlab.games.fantastiqa.options import OPTIONS, all_kinds, all_quests
from simlab.games.fantastiqa.records import (
    ARTIFACT,
    BEAST,
    BUY,
    CLAIM,
    START_AT,
    TAKE_QUEST,
    TALLIES,
    WIDTH,
)
from simlab.games.fantastiqa.rulings import COLUMN_WORDS
from simlab.reports.document import Block, Column, Number, Section, Sentence, Table, Unit
from simlab.reports.findings import Findings
from simlab.reports.sections.rules import SURE, section_of
from simlab.reports.wording import (
    apart,
    difference,
    differs,
    estimated,
    game_mean,
    heading,
    key_of,
    listed,
    spelled,
)

if TYPE_CHECKING:
    import pandas as pd

    from simlab.cards import CardSet
    from simlab.experiments.comparing import Comparison
    from simlab.experiments.standard.parts import Compared
    from simlab.experiments.summary import Reading

TITLES = ("adventure", "length", "winners", "cards", "wilds", "dragons", "prices", "tips")
TABLE = "table-good"
"""The run whose games are kept and whose decisions are traced."""
MIDDLE = (2, 3)
"""Places with three creatures around them; all others have two."""
UNTOLD = ("gems_lost", "cards_given", "cards_used", "turns")
"""Tallies that say nothing of how one plays well."""
OF_WINNERS = (
    *(name for name in TALLIES if name not in UNTOLD),
    "deck_cards",
    "mean_symbols",
)
WARNINGS = (
    "All lists of cards are reconstructed: the printed Quests, Artifacts, Quest Goals and numbers "
    "of copies are not known. This report describes the reconstruction, not the printed game.",
)
NO_CAUSE = (
    "What winners did more of need not be why they won: who is ahead can afford more, and who "
    "plays longer does more of everything."
)
MOST_QUESTS = 12
"""Quests that are listed one by one."""


def sections(found: Findings) -> list[Section]:
    """One section with a part for each question that only this game asks."""
    parts = (
        _length(found),
        _winners(found),
        _cards(found),
        _compared(found, "wilds", "Pairs as wilds", ("wilds",)),
        _compared(found, "dragons", "Dragon war", ("dragon_power", "dragon-sender.dragons")),
        _compared(
            found, "prices", "Prices of Beasts and Artifacts", ("beast_price", "artifact_price")
        ),
        _tips(found),
    )
    there = [part for part in parts if part is not None]
    if not there:
        return []
    return [Section("adventure", "Adventure: goals, cards and tips", [_source(found), *there])]


def in_brief(found: Findings) -> list[Sentence]:
    """How long a game lasts, what dragons do, and that the cards are not the printed ones."""
    said = [words for words in (_endings(found), _dragons(found)) if words is not None]
    return [*said, _warning()]


# --- What it is about -----------------------------------------------------------------------------


def _warning() -> Sentence:
    return Sentence.of(
        "Lists of cards are reconstructed: all results describe these lists, not the printed game."
    )


def _set_of(found: Findings) -> CardSet:
    lists = OPTIONS[0]
    assert isinstance(lists, CardOption)
    return lists.cards(str(found.standard.options.get("cards", lists.default)))


def _source(found: Findings) -> Sentence:
    """How many rows of the lists of cards are reconstructed."""
    cards = [card for name in ("quests", "artifacts", "beasts") for card in _set_of(found)[name]]
    made = sum(card.provenance == "reconstructed" for card in cards)
    return Sentence.of(
        "Reconstructed: of the ",
        Number("cards.rows", len(cards), None, "count"),
        " kinds of Quests, Artifacts and Beasts, ",
        Number("cards.reconstructed", made, None, "count"),
        " are made up to fit what is known; the numbers of copies, the Quest Goals and the make "
        "of the creature deck are so too. All that follows describes these lists, not the printed "
        "game.",
    )


def _compared(found: Findings, name: str, title: str, keys: tuple[str, ...]) -> Section | None:
    """Comparisons of some rules, each in the words that every rule gets."""
    there = [one for key in keys for one in found.special(key)]
    if not there:
        return None
    said: tuple[Sentence | None, ...] = ()
    if name == "dragons":
        said = _dragons(found), _kept_back(found)
    elif name == "wilds":
        said = (_without_wilds(found),)
    first = [words for words in said if words is not None]
    parts = [section_of(*one) for one in there]
    # One comparison needs no heading of its own below that of the section.
    inner = parts[0].blocks if len(parts) == 1 else parts
    return Section(name, title, [*first, *inner])


def _change(
    results: Comparison, value: str, measure: str, policy: str | None
) -> tuple[Number, bool] | None:
    """Difference of a measure by value and policy (None: of the game), and if it is shown.

    It is shown if Holm's correction leaves it, as in the words of every rule.
    """
    for row in results.numbers["differences"]:
        same = next(iter(row["value"].values())) == value and row["policy"] == policy
        if same and row["measure"] == measure:
            (key,) = row["value"]
            name = key_of("change", key, value, policy or "game", measure)
            share = measure == "win_rate"
            number = difference(name, row, "points of win rate" if share else "number")
            return number, differs(number) and row["p_holm"] <= SURE
    return None


def _dragons(found: Findings) -> Sentence | None:
    """Whether sending dragons pays: what who sends them loses when powers cannot."""
    for _, results in found.special("dragon_power"):
        lost = _change(results, "false", "win_rate", "dragon-sender")
        if lost is not None:
            return dragon_words(*lost)
    return None


def _without_wilds(found: Findings) -> Sentence | None:
    """What a game's length does when pairs are no wilds."""
    for _, results in found.special("wilds"):
        turns = _change(results, "false", "full_turns", None)
        if turns is not None:
            return longer_words("Without pairs as wilds a game", *turns)
    return None


def _kept_back(found: Findings) -> Sentence | None:
    """Whether sending dragons pays: what who could send them loses when it alone sends none."""
    for _, results in found.special("dragon-sender.dragons"):
        lost = _change(results, "0", "win_rate", "dragon-sender")
        if lost is not None:
            return dragon_words(*lost, "If it alone sends no Peaceful Dragons")
    return None


def dragon_words(
    lost: Number, shown: bool, when: str = "Without cards that send Peaceful Dragons"
) -> Sentence:
    """What dragon-sender's win rate does when it cannot, or does not, send dragons."""
    if not shown:
        return Sentence.of(
            f"{when} the win rate of dragon-sender is not shown to change (by ",
            lost,
            " points).",
        )
    assert lost.value is not None
    pays = "so sending them pays" if lost.value < 0 else "so sending them costs more than it brings"
    return Sentence.of(
        f"{when} the win rate of dragon-sender changes by ",
        lost,
        f" points, {pays}.",
    )


# --- Goals and length -----------------------------------------------------------------------------


def _length(found: Findings) -> Section | None:
    goals = found.special("goal")
    if not goals:
        return None
    words = _endings(found)
    blocks: list[Block] = [] if words is None else [words]
    for part, results in goals:
        blocks.append(_length_words(len(part.policies), results))
    return Section("length", "Quest Goals and length", [*blocks, _goals(goals)])


def _game_mean(
    players: int, value: str, reading: Reading, name: str, unit: Unit = "number"
) -> Number:
    return game_mean(key_of("goal", players, value, name), reading, name, unit)


def _by_value(results: Comparison) -> list[tuple[str, Reading]]:
    """Each value of the rule with what was counted, the baseline first."""
    variants = zip(results.numbers["variants"], results.readings, strict=True)
    return [(str(next(iter(variant["value"].values()))), one) for variant, one in variants]


def _endings(found: Findings) -> Sentence | None:
    """How the games of good players end at the standard goal, with the fewest players."""
    goals = found.special("goal")
    if not goals:
        return None
    part, results = goals[0]
    players, (value, reading) = len(part.policies), _by_value(results)[0]
    return Sentence.of(
        f"With {spelled(players)} good players a game to the standard goal lasts ",
        _game_mean(players, value, reading, "full_turns"),
        " turns of each; the creature deck runs out in ",
        _game_mean(players, value, reading, "deck_out", "share"),
        " of games.",
    )


def _length_words(players: int, results: Comparison) -> Sentence:
    """How much shorter or longer the other goals are, as far as the data show it."""
    turns = [
        (value, _game_mean(players, value, reading, "full_turns"))
        for value, reading in _by_value(results)
    ]
    return length_words(players, turns[0][1], turns[1:])


def length_words(players: int, base: Number, others: list[tuple[str, Number]]) -> Sentence:
    """Turns at each goal; those that cannot be told from the standard one are named."""
    same = [value for value, number in others if not apart(base, number)]
    parts: list[str | Number] = [f"With {spelled(players)} players a game lasts "]
    for place, (value, number) in enumerate((("standard", base), *others)):
        parts += ["" if place == 0 else ", ", number, f" ({value})"]
    end = " turns of each"
    if same:
        end += f"; {listed(same)} cannot be told from standard"
    return Sentence((*parts, end + "."), bare=True)


def _goals(goals: list[tuple[Compared, Comparison]]) -> Table:
    columns = [Column("players", True), Column("length", True), Column("points that win")]
    columns += [Column("turns of each"), Column("goal reached"), Column("deck out")]
    columns += [Column("most turns"), Column("shared wins")]
    rows: list[list[str | Number]] = []
    for part, results in goals:
        players = len(part.policies)
        for value, reading in _by_value(results):
            goal = int(reading.study.matchup.rules[0]["goal"])
            line: list[str | Number] = [str(players), value]
            line.append(Number(key_of("goal", players, value, "points"), goal, None, "count"))
            line.append(_game_mean(players, value, reading, "full_turns"))
            line += [
                _game_mean(players, value, reading, name, "share")
                for name in ("goal_reached", "deck_out", "turn_cap", "shared_win")
            ]
            rows.append(line)
    note = "Goals are reconstructed. Games end at the goal, with the deck, or after the most turns."
    return Table("length", "Length of a game at each Quest Goal", columns, rows, note)


# --- What winners do ------------------------------------------------------------------------------


def _winners(found: Findings) -> Section | None:
    games = found.games(TABLE)
    if games is None:
        return None
    rows: list[list[str | Number]] = []
    for name, (won, lost, more) in winners(games).items():
        cells = zip(("winner", "others", "difference"), (won, lost, more), strict=True)
        line: list[str | Number] = [_label(name)]
        line += [estimated(key_of("winners", name, which), one, "number") for which, one in cells]
        rows.append(line)
    columns = [Column("a game", True), Column("the winner"), Column("the others")]
    columns.append(Column("difference"))
    title = f"What winners did, at a table of {listed(list(found.standard.table))}"
    table = Table("winners", title, columns, rows, "Means of a seat in a game.")
    return Section("winners", "What goes with winning", [Sentence.of(NO_CAUSE), table])


def _label(name: str) -> str:
    words = COLUMN_WORDS.get(name, "mean symbols of a card of the deck at the end")
    return heading(words.split(",")[0])


def winners(games: pd.DataFrame) -> dict[str, tuple[Estimate, Estimate, Estimate]]:
    """Mean of each column over winners, over the others, and the difference, over deals.

    A shared win counts in part; games that all won alike say nothing and are left out.
    """
    table = games.assign(mean_symbols=games["deck_symbols"] / games["deck_cards"].clip(lower=1))
    share, game = table["win_share"], table["game"]
    seats = table.groupby("game")["seat"].transform("size")
    lost = (1.0 - share) / (seats - 1)
    found = {}
    for name in OF_WINNERS:
        by_game = table.assign(won=share * table[name], lost=lost * table[name]).groupby(game)
        sums = by_game[["won", "lost"]].sum().assign(deal=by_game["deal"].first())
        deals = sums.groupby("deal").mean().assign(more=lambda d: d["won"] - d["lost"])
        won, other, more = (_over_deals(deals[which]) for which in ("won", "lost", "more"))
        found[name] = won, other, more
    return found


def _over_deals(values: pd.Series) -> Estimate:
    deals = len(values)
    sd = float(values.std()) if deals > 1 else math.nan
    return Estimate(float(values.mean()), sd, sd / math.sqrt(deals), deals)


# --- Cards and Quests in traced games -------------------------------------------------------------


def _traced(found: Findings) -> pd.DataFrame | None:
    """Traced decisions, each with what its seat won and what it did."""
    trace, games = found.trace(TABLE), found.games(TABLE)
    if trace is None or games is None:
        return None
    first = games[games["rotation"] == 0][["deal", "seat", "win_share"]]
    table = trace.merge(first, on=["deal", "seat"], validate="many_to_one")
    return table.assign(verb=table["move"] // WIDTH, thing=table["move"] % WIDTH)


def _cards(found: Findings) -> Section | None:
    table = _traced(found)
    if table is None:
        return None
    cards = _set_of(found)
    bought = {
        number: card.name if group == ARTIFACT else f"{card.name} (Beast)"
        for number, (group, card) in enumerate(all_kinds(cards))
        if group in (BEAST, ARTIFACT)
    }
    quests = {number: card.name for number, card in enumerate(all_quests(cards))}
    buys = table[table["verb"] == BUY]
    claims = table[table["verb"].isin((CLAIM, TAKE_QUEST))]
    deals = int(table["deal"].nunique())
    blocks: list[Block] = [
        Sentence.of(
            "From ",
            Number("cards.traced", deals, None, "count"),
            f" games whose every decision was kept, so only large effects show. {NO_CAUSE}",
        ),
        _never("cards", "bought", buys, bought),
        _takers("cards", "Beasts and Artifacts", "bought", buys, bought, len(bought)),
        _never("quests", "claimed", claims, quests),
        _takers("quests", "personal Quests", "claimed", claims, quests, MOST_QUESTS),
    ]
    return Section("cards", "Which cards and Quests win", blocks)


def _never(key: str, did: str, taken: pd.DataFrame, names: dict[int, str]) -> Sentence:
    return never_words(key, did, [name for n, name in names.items() if n not in set(taken.thing)])


def never_words(key: str, did: str, never: list[str]) -> Sentence:
    """Which cards nobody took; many are counted and not named."""
    what = "kinds of Beasts and Artifacts" if key == "cards" else "Quests"
    if not never:
        return Sentence.of(f"There are no {what} that were never {did}.")
    number = Number(key_of(key, "never"), len(never), None, "count")
    if len(never) > MOST_QUESTS:
        return Sentence.of(number, f" {what} were never {did}.")
    return Sentence.of(f"Never {did}: {listed(never)} (", number, f" of all {what}).")


def _takers(
    key: str, title: str, did: str, taken: pd.DataFrame, names: dict[int, str], most: int
) -> Table:
    """How often each card was taken, and what those who took it won."""
    counts = taken["thing"].value_counts()
    ranked = sorted((n for n in names if n in counts.index), key=lambda n: (-counts[n], n))
    rows: list[list[str | Number]] = []
    for number in ranked[:most]:
        seats = taken[taken["thing"] == number].drop_duplicates(["deal", "seat"])
        times = Number(key_of(key, number, "times"), int(counts[number]), None, "count")
        won = estimated(key_of(key, number, "win_rate"), share_won(seats))
        rows.append([names[number], times, won])
    columns = [Column("card", True), Column(f"times {did}"), Column("its takers win")]
    title = f"{heading(title)}: how often {did}, and how often those who did so win"
    note = f"The most often {did} first; who takes what need not win or lose by it."
    return Table(f"adventure-{key}", title, columns, rows, note)


def share_won(seats: pd.DataFrame) -> Estimate:
    """Mean win share of some seats; seats of one deal hang together."""
    by_deal = seats.groupby("deal")["win_share"].agg(["sum", "size"])
    return ratio(by_deal["sum"].to_numpy(float), by_deal["size"].to_numpy(float))


# --- Known tips -----------------------------------------------------------------------------------


def _tips(found: Findings) -> Section | None:
    keys = ("gems", "carpets", "planner.reshuffle")
    there = [one for key in keys for one in found.special(key)]
    table = _traced(found)
    blocks: list[Block | Section] = []
    if table is not None:
        blocks.append(_middle(table))
    blocks += _tip_words(found)
    blocks += [section_of(*one) for one in there]
    return Section("tips", "Known tips, measured", blocks) if blocks else None


def _tip_words(found: Findings) -> list[Sentence]:
    """What each tip's comparison says of it, in a sentence."""
    carpets = "Tip: carpets are for when one is stuck. Without any a game"
    asked = (
        ("gems", "0", "full_turns", None, gem_words),
        ("carpets", "0", "full_turns", None, partial(longer_words, carpets)),
        ("planner.reshuffle", "10", "win_rate", "planner", reshuffle_words),
    )
    return [
        words(*change)
        for key, value, measure, policy, words in asked
        for _, results in found.special(key)
        if (change := _change(results, value, measure, policy)) is not None
    ]


def _middle(table: pd.DataFrame) -> Sentence:
    starts = table[table["verb"] == START_AT]
    middle = starts["thing"].isin(MIDDLE)
    inside, outside = (share_won(starts[which]) for which in (middle, ~middle))
    return middle_words(
        estimated("tips.start.middle", inside), estimated("tips.start.corner", outside)
    )


def middle_words(inside: Number, outside: Number) -> Sentence:
    """Whether who starts in a middle region wins more."""
    said = "more than" if (inside.value or 0.0) > (outside.value or 0.0) else "less than"
    if not apart(inside, outside):
        said = "which the data cannot tell from"
    return Sentence.of(
        "Tip: middle regions offer more. Who starts in one wins ",
        inside,
        f", {said} those who start in a corner: ",
        outside,
        ".",
    )


def gem_words(turns: Number, shown: bool) -> Sentence:
    """Whether a game without gems at the start takes longer."""
    return longer_words(
        "Tip: gems are the early bottleneck. Without gems at the start a game", turns, shown
    )


def longer_words(what: str, turns: Number, shown: bool) -> Sentence:
    """Whether a game takes more turns under another rule, as far as the data show it."""
    if not shown:
        return Sentence.of(
            f"{what} is not shown to be longer or shorter (by ", turns, " turns of each)."
        )
    word = "longer" if (turns.value or 0.0) > 0 else "shorter"
    return Sentence.of(f"{what} grows {word}: by ", turns, " turns of each.")


def reshuffle_words(gained: Number, shown: bool) -> Sentence:
    """Whether it pays to reshuffle early, by what planner then wins more or less."""
    tip = "Tip: reshuffle right after gaining strong cards. If planner does so from ten discards on"
    if not shown:
        return Sentence.of(f"{tip}, its win rate is not shown to change (by ", gained, " points).")
    return Sentence.of(f"{tip}, its win rate changes by ", gained, " points.")

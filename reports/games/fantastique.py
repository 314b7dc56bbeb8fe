"""Fantastique's own sections: the six fan sides of the Grande Finale, and planning for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simlab.experiments.counting import Part
from simlab.experiments.figures.kinds import draw
from simlab.experiments.plans import Plan
from simlab.experiments.results import Results
from simlab.reports.document import Block, Column, Figure, Number, Section, Sentence, Table
from simlab.reports.findings import Findings
from simlab.reports.wording import apart, difference, estimated, key_of, listed, mean, rate

if TYPE_CHECKING:
    from simlab.experiments.comparing import Comparison

TITLES = ("sides",)
GOLD, SILVER = 20, 10
OPEN = "balanced"
CLOSED = "balanced:finale=0"


def sections(found: Findings) -> list[Section]:
    """Fan sides side by side, and how much each rewards planning for it."""
    sides, planning = _special(found)
    blocks: list[Block | Section] = []
    if sides is not None:
        blocks += [
            _evenness(sides),
            _rates(sides),
            _finale(sides),
            _differences(sides),
            _figure(sides),
        ]
    if planning is not None:
        blocks.append(Section("planning", "Planning for the finale", _planning(planning)))
    return [Section("sides", "Grande Finale fan sides I to VI", blocks)] if blocks else []


def in_brief(found: Findings) -> list[Sentence]:
    """Which side is the most even, and how often the finale decides."""
    sides, planning = _special(found)
    said = []
    if sides is not None:
        said += [_evenness(sides), _decisive(sides)]
    if planning is not None:
        said.append(_planned(planning))
    return said


def _special(found: Findings) -> tuple[Comparison | None, Comparison | None]:
    """The fan sides, and planning for them."""
    there = found.special_at(0), found.special_at(1)
    sides, planning = (one and one[1] for one in there)
    return sides, planning


def _side(variant: dict[str, Any]) -> str:
    return str(variant["value"]["finale"])


def _strongest(sides: Comparison) -> list[tuple[str, str, Number]]:
    """Each side with its strongest strategy and what that wins."""
    found = []
    for variant in sides.numbers["variants"]:
        row = max(variant["run"]["policies"], key=lambda row: row["win_rate"])
        key = key_of("sides", _side(variant), row["policy"], "win_rate")
        found.append((_side(variant), row["policy"], rate(key, row, variant["run"]["deals"])))
    return found


def _evenness(sides: Comparison) -> Sentence:
    """The side on which the strongest strategy wins least, and the one on which it wins most."""
    ranked = sorted(_strongest(sides), key=lambda one: one[2].value or 0.0)
    (even, who, low), (uneven, other, high) = ranked[0], ranked[-1]
    if not apart(low, high):
        return Sentence.of(
            "No fan side is shown to be more even than others: the strongest strategy wins from ",
            low,
            " to ",
            high,
            ".",
        )
    rivals = [side for side, _, number in ranked[1:] if not apart(low, number)]
    most = [side for side, _, number in ranked[:-1] if not apart(high, number)]
    evens, unevens = listed([even, *rivals]), listed([uneven, *most])
    return Sentence.of(
        f"{'Fan sides' if rivals else 'Fan side'} {evens} {'are' if rivals else 'is'} the most "
        f"even ({who} wins ",
        low,
        f" on side {even}), {unevens} the most one-sided ({other} wins ",
        high,
        f" on side {uneven}).",
    )


def _decisive(sides: Comparison) -> Sentence:
    numbers = [
        (
            _side(v),
            mean(
                key_of("sides", _side(v), "finale_changed_winner"),
                v["run"]["game_columns"]["finale_changed_winner"],
                "share",
                v["run"]["deals"],
            ),
        )
        for v in sides.numbers["variants"]
    ]
    numbers.sort(key=lambda one: one[1].value or 0.0)
    (least, low), (most, high) = numbers[0], numbers[-1]
    return Sentence.of(
        "The finale changes who wins in ",
        low,
        f" (side {least}) to ",
        high,
        f" (side {most}) of games.",
    )


def _rates(sides: Comparison) -> Table:
    variants = sides.numbers["variants"]
    names = [row["policy"] for row in variants[0]["run"]["policies"]]
    columns = [Column("side", True)] + [Column(name) for name in names]
    rows: list[list[str | Number]] = []
    for variant in variants:
        line: list[str | Number] = [_side(variant)]
        for row in variant["run"]["policies"]:
            key = key_of("sides", _side(variant), row["policy"], "win_rate")
            line.append(rate(key, row, variant["run"]["deals"]))
        rows.append(line)
    return Table("sides-rates", "Win rates on each fan side, on the same deals", columns, rows)


def _finale(sides: Comparison) -> Table:
    """What the finale counts, ties, points and how often it decides."""
    columns = [Column("side", True)]
    titles = ("cards counted", "golden medals a game", "silver medals a game", "points of a seat")
    columns += [Column(title) for title in titles]
    columns += [Column("spread of points"), Column("of its variance, from the finale")]
    columns.append(Column("winner changed by the finale"))
    columns += [Column("lead changes"), Column("shared wins")]
    rows: list[list[str | Number]] = []
    for variant, reading in zip(sides.numbers["variants"], sides.readings, strict=True):
        side, run = _side(variant), variant["run"]
        cells: list[str | Number] = [side, _over_seats(reading, side, "finale_cards")]
        cells += _medals(reading, side)
        cells.append(_over_seats(reading, side, "points"))
        cells.append(Number(key_of("sides", side, "spread"), _variance(reading, "points") ** 0.5))
        weight = Number(key_of("sides", side, "finale_weight"), _weight(reading), None, "share")
        cells.append(weight)
        for name, unit in (
            ("finale_changed_winner", "share"),
            ("lead_changes", "number"),
            ("shared_win", "share"),
        ):
            key = key_of("sides", side, name)
            cells.append(mean(key, run["game_columns"][name], unit, run["deals"]))  # type: ignore[arg-type]
        rows.append(cells)
    note = (
        "One golden and one silver medal a game are the least: what is more are ties for first "
        "and for second place (a tie of all for first leaves no second)."
    )
    return Table("sides-finale", "What the finale does on each side", columns, rows, note)


def _place(reading: Any, column: str) -> int:
    return int(reading.study.game.all_seat_columns.index(column))


def _over_seats(reading: Any, side: str, column: str) -> Number:
    """Mean of a column over all seats of the table."""
    from simlab.experiments.intervals import Estimate

    place, players = _place(reading, column), len(reading.study.matchup.policies)
    parts = [reading.seat(seat, place) for seat in range(players)]
    value = sum(part.mean for part in parts) / players
    # Seats of a deal hang together; the largest error of one is at least that of their mean.
    error = max(part.error for part in parts)
    found = Estimate(value, 0.0, error, parts[0].deals)
    return estimated(key_of("sides", side, "all", column), found, "number")


def _medals(reading: Any, side: str) -> list[Number]:
    """Golden and silver finale medals a game, from the sums of finale points and their squares."""
    sums = reading.count.sums
    place = _place(reading, "finale_points")
    total, squares = (int(sums[key][:, :, place].sum()) for key in ("sums", "squares"))
    golden = (squares - SILVER * total) / (GOLD * GOLD - GOLD * SILVER)
    silver = (total - GOLD * golden) / SILVER
    games = reading.count.games
    return [
        Number(key_of("sides", side, name), value / games, None)
        for name, value in (("golden", golden), ("silver", silver))
    ]


def _variance(reading: Any, column: str) -> float:
    """Of a column, over all seats of all games."""
    sums, place = reading.count.sums, _place(reading, column)
    total, squares = (int(sums[key][:, :, place].sum()) for key in ("sums", "squares"))
    values = reading.count.games * len(reading.study.matchup.policies)
    return float(squares / values - (total / values) ** 2)


def _weight(reading: Any) -> float | None:
    """Share of the variance of points that comes from finale points.

    Their covariance with all points; points are those of medals and of the finale, so that the
    covariance of the two follows from three variances.
    """
    whole, medals, finale = (
        _variance(reading, name) for name in ("points", "medal_points", "finale_points")
    )
    return (finale + (whole - medals - finale) / 2) / whole if whole else None


def _differences(sides: Comparison) -> Table:
    found = [row for row in sides.numbers["differences"] if row["measure"] == "win_rate"]
    columns = [Column("side", True), Column("strategy", True), Column("difference, points")]
    columns += [Column("p (Holm)")]
    rows: list[list[str | Number]] = []
    for row in found:
        side, policy = row["value"]["finale"], row["policy"]
        key = key_of("sides-differences", side, policy)
        p = Number(f"{key}.p", row["p_holm"], None, "p")
        rows.append([side, policy, difference(key, row, "points of win rate"), p])
    base = sides.numbers["baseline"]["finale"]
    title = f"Differences of win rates from side {base}, deal by deal"
    return Table("sides-differences", title, columns, rows)


def _figure(sides: Comparison) -> Figure:
    caption = (
        "Win rates of each strategy on the six fan sides, and below them the differences from "
        "side I on the same deals, with 95 % intervals."
    )
    return Figure("sides", caption, "Win rates by fan side.", lambda: draw("comparison", sides))


# --- Planning -------------------------------------------------------------------------------------


def _payoffs(planning: Comparison) -> list[tuple[str, Number]]:
    """By side, how much more a strategy wins that sees the fan side than its blind twin."""
    found = []
    for place, study in enumerate(planning.plan.studies):
        part = Part([planning.played.part.counts[place]])
        alone = Results(replace(planning.played, plan=Plan((study,)), part=part))
        texts = list(study.matchup.texts)
        one = alone.difference(texts.index(OPEN), texts.index(CLOSED))
        side = planning.setting(study)["finale"]
        found.append((side, estimated(key_of("planning", side), one, "points of win rate")))
    return found


def _planned(planning: Comparison) -> Sentence:
    ranked = sorted(_payoffs(planning), key=lambda one: one[1].value or 0.0)
    (least, low), (most, high) = ranked[0], ranked[-1]
    return Sentence.of(
        "Planning for the finale pays from ",
        low,
        f" points of win rate (side {least}) to ",
        high,
        f" (side {most}): {OPEN} against itself with its eye on the finale closed.",
    )


def _planning(planning: Comparison) -> list[Block]:
    rows: list[list[str | Number]] = [[side, number] for side, number in _payoffs(planning)]
    columns = [Column("side", True), Column("win rate gained by seeing the side, points")]
    title = f"{OPEN} against {CLOSED}, two seats each"
    return [_planned(planning), Table("planning", title, columns, rows)]

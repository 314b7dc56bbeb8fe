"""The same deals under other rules or with other numbers: how much differs, and how surely."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from simlab.contract import GAME_COLUMNS, WHOLE_WIN, Game, Policy
from simlab.errors import SimlabError, UsageError, in_full, unknown
from simlab.experiments import sequences
from simlab.experiments.batches import Workers, play
from simlab.experiments.counting import Count, Paired
from simlab.experiments.intervals import Estimate, mean_interval
from simlab.experiments.plans import Plan, shared_plan
from simlab.experiments.results import Results
from simlab.experiments.study import Study
from simlab.experiments.summary import Reading
from simlab.experiments.tests_of_difference import equivalent, gain, holm, p_value
from simlab.games import game_named
from simlab.policies import repeated
from simlab.totals import IDENTIFIERS

if TYPE_CHECKING:
    import pandas as pd

PROBE_DEALS = 1000
"""Deals that are played both ways before games are scored again instead of played."""
MOST_VARIANTS = 200


@dataclass(frozen=True)
class Varied:
    """What is varied: a rule, the number of players, or a policy's parameter, and its values."""

    key: str
    values: tuple[str, ...]


def read_varied(words: Sequence[str]) -> list[Varied]:
    """Read ``KEY=V1,V2,...`` words; values that are lists are separated by ``/`` inside.

    Raises
    ------
    UsageError
        If a key comes twice, or there are fewer than two different values in all.
    """
    found = []
    for word in words:
        key, equals, values = word.partition("=")
        parts = tuple(value.strip() for value in values.split(","))
        if not equals or not key.strip() or not all(parts):
            raise UsageError(f"what varies is written KEY=V1,V2,..., got {word!r}")
        if len(set(parts)) < len(parts):
            raise UsageError(f"a value of {key.strip()} comes twice: {values}")
        found.append(Varied(key.strip(), parts))
    keys = [varied.key for varied in found]
    for key in keys:
        if keys.count(key) > 1:
            raise UsageError(f"{key} is varied twice; give all its values at once")
    if math.prod(len(varied.values) for varied in found) < 2:
        raise UsageError("a comparison needs two values or more: --vary KEY=V1,V2")
    return found


def comparison(
    game_word: str | Game,
    policies: Sequence[str],
    varied: Sequence[Varied],
    *,
    baseline: str | None = None,
    options: Mapping[str, object] | None = None,
    **more: Any,
) -> Plan:
    """The studies of a comparison, the baseline first.

    Parameters
    ----------
    game_word, policies, options
        As for a study.
    varied : sequence of Varied
        With several, every combination of values is played.
    baseline : str, optional
        ``value`` or ``value,value`` of what the others are compared with; by default the first.
    **more
        Further arguments of `Study.of`.

    Raises
    ------
    UsageError
        If a key or a value does not exist, or the baseline is none of the values.
    """
    game = game_word if isinstance(game_word, Game) else game_named(game_word)
    combinations = list(product(*(one.values for one in varied)))
    if len(combinations) > MOST_VARIANTS:
        raise UsageError(f"{len(combinations)} combinations; at most {MOST_VARIANTS} are compared")
    if baseline is not None:
        wanted = tuple(part.strip() for part in str(baseline).split(","))
        if wanted not in combinations:
            known = "; ".join(",".join(values) for values in combinations)
            raise UsageError(f"baseline {baseline!r} is none of the values: {known}")
        combinations.sort(key=lambda values: values != wanted)
    studies = []
    for values in combinations:
        setting = dict(zip((one.key for one in varied), values, strict=True))
        words, rules = _applied(game, policies, dict(options or {}), setting)
        studies.append(Study.of(game_word, words, options=rules, **more))
    identities = [study.identity() for study in studies]
    if any(one in identities[:place] for place, one in enumerate(identities)):
        keys = " or ".join(one.key for one in varied)
        raise UsageError(f"a value of {keys} comes twice, written in two ways")
    chunk = max(study.chunk for study in studies)
    return shared_plan([replace(study, chunk=chunk) for study in studies])


def _applied(
    game: Game, policies: Sequence[str], options: dict[str, object], setting: Mapping[str, str]
) -> tuple[list[str], dict[str, object]]:
    """The line-up and the options with these values in force."""
    words = repeated(list(policies))
    known = [option.key for option in game.options]
    for key, value in setting.items():
        name, dot, parameter = key.rpartition(".")
        if key == "players":
            words = _seated(words, value)
        elif key in known:
            if key in options:
                raise UsageError(f"{key} is both set and varied")
            options[key] = value
        elif dot and not (name and parameter):
            raise UsageError(f"what varies is a rule, players, or policy.parameter, got {key!r}")
        elif dot:
            words = _with_parameter(words, name, parameter, value)
        else:
            raise unknown("option to vary", key, [*known, "players", "policy.parameter"])
    return words, options


def _seated(words: list[str], value: str) -> list[str]:
    try:
        players = int(value)
    except ValueError:
        raise UsageError(f"players is a whole number, got {value!r}") from None
    if not 1 <= players <= 100:
        raise UsageError(f"players is a number of seats, got {players}")
    return [words[seat % len(words)] for seat in range(players)]


def _with_parameter(words: list[str], name: str, parameter: str, value: str) -> list[str]:
    """The line-up with a parameter set in every seat of a policy."""
    changed, found = [], False
    for word in words:
        stem, _, rest = word.rpartition("::")
        bare, _, settings = (rest if stem else word).partition(":")
        if name not in (bare, f"{stem}::{bare}"):
            changed.append(word)
            continue
        found = True
        kept = [s for s in settings.split(",") if s and s.partition("=")[0] != parameter]
        full = f"{stem}::{bare}" if stem else bare
        changed.append(f"{full}:{','.join([*kept, f'{parameter}={value}'])}")
    if not found:
        seated = ", ".join(dict.fromkeys(words))
        raise UsageError(f"no seat is held by {name!r}, whose {parameter} is varied: {seated} sit")
    return changed


def share_difference(plan: Plan, variant: int, paired: Paired, who: int) -> Estimate:
    """How much higher a policy's win rate is than under the baseline, deal by deal."""
    place = Reading(plan.base, Count()).share_place
    return _paired_estimate(plan, paired, who, place, WHOLE_WIN)


def _paired_estimate(
    plan: Plan, paired: Paired, who: int | None, place: int, unit: int = 1
) -> Estimate:
    kind = "game" if who is None else "policy"
    where = (place,) if who is None else (who, place)
    total = int(paired.sums[kind][where])
    squares = int(paired.sums[f"{kind}_squares"][where])
    held = 1 if who is None else plan.base.matchup.seating.count(who)
    per_deal = held * len(plan.base.seatings) * unit
    deals = paired.deals
    error = math.nan
    if deals > 1:
        between = max(0, deals * squares - total * total)
        error = math.sqrt(between / (deals * (deals - 1)) / deals) / per_deal
    return Estimate(total / deals / per_deal if deals else math.nan, math.nan, error, deals)


class Comparison(Results):
    """Results of a comparison: those of the baseline, of each variant, and the differences.

    Parameters
    ----------
    played, folder, extended
        As for `Results`.
    varied : sequence of Varied
    margin : float, optional
        Points of win rate within which two count as equal.
    """

    def __init__(
        self, *words: Any, varied: Sequence[Varied], margin: float | None = None, **more: Any
    ) -> None:
        super().__init__(*words, **more)
        check_margin(margin)
        self.varied, self.margin = list(varied), margin

    @property
    def plan(self) -> Plan:
        """What was played."""
        return self.played.plan

    @cached_property
    def readings(self) -> list[Reading]:
        """The sums of each variant, the baseline first."""
        pairs = zip(self.plan.studies, self.played.part.counts, strict=True)
        return [Reading(study, count, self.always_valid) for study, count in pairs]

    def setting(self, study: Study) -> dict[str, str]:
        """What is varied, as it is in one of the studies."""
        found = {}
        options = {option.key: option for option in study.game.options}
        for one in self.varied:
            name, _, parameter = one.key.rpartition(".")
            if one.key == "players":
                found[one.key] = str(len(study.matchup.policies))
            elif one.key in options:
                value = study.game.read_options(study.matchup.options)[one.key]
                found[one.key] = options[one.key].text(value).replace(",", "/")
            else:
                bare = name.rpartition("::")[2]
                seated = next(p for p in study.matchup.policies if p.name == bare)
                values = dict(zip(seated.defaults, seated.values, strict=True))
                found[one.key] = in_full(values[parameter])
        return found

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """All numbers as plain values."""
        base = self.plan.base
        return {
            "study": base.record(),
            "vary": [{"key": one.key, "values": list(one.values)} for one in self.varied],
            "baseline": self.setting(base),
            "paired": self.plan.paired,
            "rescored": self.plan.rescored,
            "variants": [
                {"value": self.setting(reading.study), "run": reading.record()}
                for reading in self.readings
            ],
            "differences": self._differences(),
        }

    def _differences(self) -> list[dict[str, Any]]:
        """Every difference from the baseline; p-values corrected over each measure's table."""
        rows = list(self._rows())
        for measure in dict.fromkeys(row["measure"] for row in rows):
            table = [row for row in rows if row["measure"] == measure]
            tested = [row for row in table if row["p_holm"] is not None]
            for row, p in zip(tested, holm([row["p_holm"] for row in tested]), strict=True):
                row["p_holm"] = p
        return rows

    def by_symmetry(self, variant: int) -> bool:
        """Whether the same policy holds every seat of the baseline and of a variant.

        Then it wins its share whatever the rules are: nothing is compared by its win rate.
        """
        return self.readings[0].by_symmetry and self.readings[variant].by_symmetry

    def _rows(self) -> Iterator[dict[str, Any]]:
        base = self.readings[0]
        columns = _columns(base.study.game)
        for variant, reading in enumerate(self.readings[1:], 1):
            value = self.setting(reading.study)
            for who, policy in enumerate(base.study.matchup.lineup):
                if who >= len(reading.study.matchup.lineup):
                    continue
                for measure, place, unit in columns:
                    found = self._compared(variant, who, place, unit)
                    yield {"value": value, "policy": policy.text, "measure": measure, **found}
            places = {name: n for n, name in enumerate(base.study.game.all_game_columns)}
            for measure in base.study.game.game_columns + GAME_COLUMNS[IDENTIFIERS:]:
                found = self._compared(variant, None, places[measure], 1)
                yield {"value": value, "policy": None, "measure": measure, **found}

    def _compared(self, variant: int, who: int | None, place: int, unit: int) -> dict[str, Any]:
        if unit == WHOLE_WIN and self.by_symmetry(variant):
            return self._untested(variant)
        apart = [self._single(self.readings[n], who, place, unit) for n in (0, variant)]
        independent = apart[0].error ** 2 + apart[1].error ** 2
        if self.plan.paired:
            paired = self.played.part.paired[variant - 1]
            found = _paired_estimate(self.plan, paired, who, place, unit)
            saved: float | None = gain(found.error**2, independent)
        else:
            deals = min(one.deals for one in apart)
            mean = apart[1].mean - apart[0].mean
            found = Estimate(mean, math.nan, math.sqrt(independent), deals)
            saved = None
        share = unit == WHOLE_WIN
        return self._judged(found, share) | {"gain": _finite(saved)}

    def _untested(self, variant: int) -> dict[str, Any]:
        """A difference of win rates that are fixed by symmetry: a fact, without a p-value."""
        base, other = (1 / self.readings[n].held(0) for n in (0, variant))
        fact = {"difference": other - base, "ci95": [other - base] * 2, "p_holm": None}
        equivalent_ = {} if self.margin is None else {"p_equivalent": None}
        return fact | equivalent_ | {"gain": None}

    def _single(self, reading: Reading, who: int | None, place: int, unit: int) -> Estimate:
        if who is None:
            return reading.game(place)
        return reading.policy(who, place, unit)

    def _judged(self, found: Estimate, share: bool) -> dict[str, Any]:
        """A difference with its interval, its p-value, and whether it is within the margin."""
        reach = 1.0 if share else None
        if found.deals < 2:
            low, high, p = math.nan, math.nan, 1.0
        elif self.always_valid:
            ends = (-1.0, 1.0) if share else None
            seen = found.mean, found.deviation, found.deals
            low, high = sequences.interval(*seen, 0.05, ends, reach)
            p = sequences.p_value(*seen, reach)
        else:
            low, high = mean_interval(found)
            p = p_value(found.mean, found.error, found.deals)
        judged: dict[str, Any] = {"difference": _finite(found.mean)}
        judged |= {"ci95": [_finite(low), _finite(high)]}
        judged["p_holm"] = p  # corrected once the whole table is there
        if self.margin is not None and share:
            judged["p_equivalent"] = self._equivalent(found, (low, high))
        return judged

    def _equivalent(self, found: Estimate, interval: tuple[float, float]) -> float | None:
        """P-value of two one-sided tests; under always-valid intervals 0.05 or none."""
        assert self.margin is not None
        margin = self.margin / 100
        if found.deals < 2:
            return None
        if self.always_valid:
            return 0.05 if -margin < interval[0] and interval[1] < margin else None
        return equivalent(found.mean, found.error, found.deals, margin)

    def share_difference(self, variant: int, who: int) -> Estimate:
        """How much higher a policy's win rate is in a variant than in the baseline."""
        if self.plan.paired:
            return share_difference(self.plan, variant, self.played.part.paired[variant - 1], who)
        place = self.reading.share_place
        one, other = (self.readings[n].policy(who, place, WHOLE_WIN) for n in (variant, 0))
        error = math.hypot(one.error, other.error)
        return Estimate(one.mean - other.mean, math.nan, error, min(one.deals, other.deals))

    def variants(self) -> pd.DataFrame:
        """One row for each variant and policy.

        Returns
        -------
        pandas.DataFrame
            ``variant, policy, deals, win_rate, low, high, points_mean, points_sd``; ``variant``
            is the varied values in words.
        """
        rows = []
        for variant in self.numbers["variants"]:
            for row in variant["run"]["policies"]:
                line = {"variant": in_words(variant["value"]), "policy": row["policy"]}
                rows.append({**line, **self._rates(row)})
                rows[-1]["deals"] = variant["run"]["deals"]
        return _frame(rows)

    def differences(self, measure: str = "win_rate") -> pd.DataFrame:
        """Differences from the baseline: ``variant, policy, difference, low, high, p_holm, gain``.

        Parameters
        ----------
        measure : str
            ``win_rate`` (as a share), ``points``, or any column; for a column of the whole game
            ``policy`` is None. Win rates that are fixed by symmetry have no p-value.
        """
        known = dict.fromkeys(row["measure"] for row in self.numbers["differences"])
        if measure not in known:
            raise unknown("measure", measure, list(known))
        rows = []
        for row in self.numbers["differences"]:
            if row["measure"] == measure:
                low, high = row["ci95"]
                line = {"variant": in_words(row["value"]), "policy": row["policy"]}
                line |= {"difference": row["difference"], "low": low, "high": high}
                rows.append({**line, "p_holm": row["p_holm"], "gain": row["gain"]})
        return _frame(rows)


def in_words(value: Mapping[str, str]) -> str:
    """The varied values of a variant, as a label."""
    if len(value) == 1:
        return next(iter(value.values()))
    return ", ".join(f"{key}={one}" for key, one in value.items())


def _columns(game: Game) -> list[tuple[str, int, int]]:
    """Measures of a seat that are compared: name, place among its columns, unit."""
    names = game.all_seat_columns
    found = [("win_rate", names.index("win_share"), WHOLE_WIN), ("points", 0, 1)]
    apart = ("points", "win_share")
    return found + [(name, n, 1) for n, name in enumerate(names) if name not in apart]


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows)


def check_margin(margin: float | None) -> None:
    """Raise `UsageError` unless a margin is one (or there is none)."""
    if margin is not None and not 0 < margin < 100:
        raise UsageError(f"margin is in points of win rate, over 0 and under 100, got {margin}")


def check_rescoring(plan: Plan, workers: Workers = None) -> None:
    """Play some deals both ways: scored again, and played anew under each value.

    Raises
    ------
    SimlabError
        If they differ: some policy is not as blind as it says.
    """
    if not plan.rescored:
        return
    games = min(plan.base.games, PROBE_DEALS * len(plan.base.seatings))
    short = [replace(s, games=games, precision=None, save_games=False) for s in plan.studies]
    if _same_both_ways(short, workers):
        return
    lineup, things = plan.base.matchup.lineup, ", ".join(plan.base.game.scoring_only)
    seeing = _who_sees(short)
    names = " and ".join(policy.text for policy in seeing or lineup)
    says = "is not" if len(seeing) == 1 else "are not" if seeing else "are not all"
    raise SimlabError(
        f"{names} {says} blind to {things}, as declared: games differ by it; find out with "
        f"simlab check {plan.base.game_word} {(seeing or lineup)[0].word}"
    )


def _same_both_ways(studies: Sequence[Study], workers: Workers = None) -> bool:
    """Whether games that are scored again come out as games that are played under each value."""
    again = play(Plan(tuple(studies), rescored=True), workers).part.counts
    anew = play(Plan(tuple(studies)), workers).part.counts
    return all(one.record() == other.record() for one, other in zip(again, anew, strict=True))


def _who_sees(studies: Sequence[Study]) -> list[Policy]:
    """The policies whose games differ by what is varied when they play among themselves."""
    return [
        policy
        for policy in studies[0].matchup.lineup
        if not _same_both_ways([_among_themselves(study, policy) for study in studies])
    ]


def _among_themselves(study: Study, policy: Policy) -> Study:
    seats = len(study.words)
    matchup = replace(study.matchup, policies=[policy] * seats)
    games = min(study.games, PROBE_DEALS)
    return replace(study, matchup=matchup, words=(policy.word,) * seats, games=games)

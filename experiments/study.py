"""What is to be played, validated once, with every default written out."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.contract import Game, Policy
from simlab.engine import Matchup, check_seed
from simlab.errors import UsageError, unknown
from simlab.experiments.seating import SEATINGS, seatings
from simlab.games import game_named
from simlab.policies import read_policies, repeated
from simlab.streams import MOST_LUCK
from simlab.userfiles import FILE_MODULE

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_GAMES = 10**15
DEFAULT_GAMES = 100_000
MOST_CHUNKS = 500
KEPT_GAMES = 65_536
"""Games in a chunk that keeps them, unless the game asks for more: some 100 MB of memory."""
MOST_CHUNK = MOST_GAMES


def read_games(given: object, what: str = "games") -> int:
    """Read a number of games: ``100000``, ``1e6`` and ``1_000_000`` are understood.

    Raises
    ------
    UsageError
        Unless it is a whole number from 1 to 10**15.
    """
    wrong = UsageError(f"{what} is a whole number from 1 to 1e15, got {given!r}")
    text = str(given).lower()
    if isinstance(given, bool):
        raise wrong
    try:
        number = float(text) if set(text) & set("e.") else int(text)
    except (ValueError, OverflowError):
        raise wrong from None
    if not math.isfinite(number) or number != int(number) or not 1 <= number <= MOST_GAMES:
        raise wrong
    return int(number)


@dataclass(frozen=True)
class Study:
    """One line-up of policies at one table, and how often it plays.

    Make one with `Study.of`, which validates, or read one with `read_study`. The order of the
    policies is the seat order of the first game of each deal.

    Attributes
    ----------
    matchup : Matchup
        The game, the policies in seat order, and the rules.
    game_word : str
        The game as the command line takes it.
    words : tuple of str
        The policies as the command line takes them, files by their whole paths, one a seat.
    seating : {"rotate", "fixed", "shuffle", "all"}
    games : int
        Games wanted; rounded up to whole deals.
    seed, luck : int
    chunk : int
        Deals in a chunk, the unit that is kept in a run folder; no number depends on it.
    precision : float or None
        Half-width, in points of win rate, at which play may stop before all games are played.
    save_games : bool
        Whether the outcome of every game is kept.
    """

    matchup: Matchup = field(repr=False)
    game_word: str
    words: tuple[str, ...]
    seating: str
    games: int
    seed: int
    luck: int
    chunk: int
    precision: float | None = None
    save_games: bool = False

    @classmethod
    def of(
        cls,
        game: str | Game,
        policies: Sequence[str],
        *,
        options: Mapping[str, object] | None = None,
        seating: str = "rotate",
        games: object = DEFAULT_GAMES,
        seed: int = 0,
        luck: int = 0,
        chunk: int | None = None,
        precision: float | None = None,
        save_games: bool = False,
    ) -> Study:
        """Read and check the parts of a study.

        Parameters
        ----------
        game : str or Game
        policies : sequence of str
            As on the command line, repetitions allowed.
        options : mapping, optional
            Rules that differ from the printed ones.
        seating, games, seed, luck, precision, save_games
            See the attributes; ``games`` may be text such as "1e6".
        chunk : int, optional
            By default the game's `chunk_games`, and so many that there are at most 500 chunks;
            fewer where games are kept, which are written a chunk at a time.

        Raises
        ------
        UsageError
            If a part does not exist, is out of bounds, or does not fit the others.
        """
        check_kinds(
            {
                "policies": policies,
                "options": options or {},
                "seating": seating,
                "seed": seed,
                "luck": luck,
                "chunk": 1 if chunk is None else chunk,
                "precision": precision,
                "save_games": save_games,
            }
        )
        seed, luck, chunk = int(seed), int(luck), None if chunk is None else int(chunk)
        if seating not in SEATINGS:
            raise unknown("seating", seating, SEATINGS)
        wanted = read_games(games)
        check_seed(seed)
        if not 0 <= luck <= MOST_LUCK:
            raise UsageError(f"luck goes from 0 to {MOST_LUCK}, got {luck}")
        if precision is not None and not 0 < precision <= 50:
            raise UsageError(f"precision is in points of win rate, over 0 to 50, got {precision}")
        if chunk is not None and not 1 <= chunk <= MOST_CHUNK:
            raise UsageError(f"chunk is a number of deals from 1 to {MOST_CHUNK}, got {chunk}")
        found = game if isinstance(game, Game) else game_named(game)
        given = dict(options or {})
        # Read once: what a folder holds may be edited while the study is played.
        values = found.read_options(given)
        given = {key: values[key] for key in given}
        words = repeated(list(policies))
        matchup = Matchup(found, read_policies(found, words), given)
        matchup.rules  # noqa: B018 - built now, so that wrong rules are refused here
        game_word = game if isinstance(game, str) else game.name
        if "::" in game_word:
            game_word = str(Path(game_word).absolute())
        words = [policy.word for policy in matchup.policies]
        made = cls(matchup, game_word, tuple(words), seating, wanted, seed, luck, chunk or 1)
        if chunk is not None and made.deals > chunk * MOST_CHUNKS * MOST_CHUNKS:
            raise UsageError(f"chunk is too small for {made.deals:,} deals, got {chunk}")
        if chunk is None:
            made = replace(made, chunk=_usual_chunk(made, save_games))
        return replace(made, precision=precision, save_games=save_games)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.matchup.game

    @property
    def shuffled(self) -> bool:
        """Whether each deal has a random seating."""
        return self.seating == "shuffle"

    @cached_property
    def seatings(self) -> npt.NDArray[np.int64]:
        """Every seating in which each deal is played (the line-up itself if they are random)."""
        return seatings(self.seating, self.matchup.seating)

    @property
    def deals(self) -> int:
        """Deals to play: the games, rounded up."""
        return -(-self.games // len(self.seatings))

    def record(self) -> dict[str, Any]:
        """The study as plain values, every default written out; `of_record` reads it again."""
        options = self.game.read_options(self.matchup.options)
        return {
            "game": self.game.name,
            "version": self.game.version,
            "players": len(self.matchup.policies),
            "policies": [policy.text for policy in self.matchup.policies],
            "parameters": {
                policy.text: dict(zip(policy.defaults, policy.values, strict=True))
                for policy in self.matchup.lineup
            },
            "options": {k: list(v) if isinstance(v, tuple) else v for k, v in options.items()},
            "seating": self.seating,
            "games": self.games,
            "deals": self.deals,
            "seed": self.seed,
            "luck": self.luck,
            "chunk": self.chunk,
            "precision": self.precision,
            "save_games": self.save_games,
        }

    def identity(self) -> dict[str, Any]:
        """Everything that the results depend on, but for how many games are played.

        The policies' sources are named by digests: of the file they stand in.
        """
        parts = self.record()
        values = self.game.read_options(self.matchup.options)
        for option in self.game.options:
            value = option.identity(values[option.key])
            parts["options"][option.key] = list(value) if isinstance(value, tuple) else value
        for key in ("games", "deals", "precision"):
            del parts[key]
        return {**parts, "sources": sources_of(self.game, self.matchup.lineup)}


def sources_of(game: Game, policies: Sequence[Policy]) -> dict[str, str]:
    """Digests of the files that some policies stand in, and a game that is not one of ours."""
    found = {policy.text: source_digest(policy.function) for policy in policies}
    if not game.make_rules.__module__.startswith("simlab."):
        name = Path(game.make_rules.__code__.co_filename).name
        found[name] = source_digest(game.make_rules)
    return found


def _usual_chunk(study: Study, save_games: bool) -> int:
    """Deals in a chunk where nothing else is asked for.

    Few files where only sums are kept; where games are, memory for them must not grow with their
    number.
    """
    rotations, deals = len(study.seatings), study.deals
    least = max(1, study.game.chunk_games // rotations)
    usual = max(least, -(-deals // MOST_CHUNKS))
    if not save_games:
        return usual
    most = max(least, KEPT_GAMES // rotations)
    return max(min(usual, most), -(-deals // MOST_CHUNKS**2))


def source_digest(function: Any) -> str:
    """Digest of the file that a function stands in, as it was loaded (16 hex digits).

    The built-in policies of a game may fill a folder, whose files share what they look at.
    """
    if function.__module__.startswith(FILE_MODULE):
        return str(function.__module__.removeprefix(FILE_MODULE))
    path = Path(function.__code__.co_filename)
    paths = sorted(path.parent.glob("*.py")) if path.parent.parent.name == "policies" else [path]
    return hashlib.sha256(b"".join(one.read_bytes() for one in paths)).hexdigest()[:16]


STUDY_KEYS = (
    "game",
    "policies",
    "options",
    "seating",
    "games",
    "seed",
    "luck",
    "chunk",
    "precision",
    "save_games",
)
DERIVED_KEYS = ("version", "players", "parameters", "deals")
"""Keys that a written study has for its readers; they follow from the others."""


def read_study(path: str | Path) -> Study:
    """Read a study from a TOML or JSON file.

    Raises
    ------
    UsageError
        If the file is missing or broken; if a key is unknown, comes twice, is missing or has a
        value that it cannot have (the message names the key).
    """
    path = Path(path)
    if path.is_dir():
        raise UsageError(f"a study is a file, {str(path)!r} is a folder; simlab show reads a run's")
    if not path.is_file():
        raise UsageError(f"there is no file {str(path)!r}")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path.name} cannot be read: {error}") from None
    return study_of(parse(text, path.name))


def parse(text: str, name: str) -> dict[str, Any]:
    """Plain values from the text of a TOML or JSON file, by the ending of its name."""
    import tomllib

    try:
        if name.endswith(".json"):
            found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
        else:
            found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name} cannot be read: {error}{_line_of(error, text)}") from None
    if not isinstance(found, dict):
        raise UsageError(f"{name} holds no study: keys and values are expected")
    return found


def _line_of(error: Exception, text: str) -> str:
    """The line that a parser stumbled over, which says more than its number."""
    found = re.search(r"at line (\d+)", str(error))
    lines = text.splitlines()
    if found is None or not 0 < int(found[1]) <= len(lines):
        return ""
    return f": {lines[int(found[1]) - 1].strip()[:60]}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise UsageError(f"key {key!r} comes twice")
        found[key] = value
    return found


def _no_constant(word: str) -> Any:
    raise UsageError(f"a study has no {word}")


def check_kinds(values: Mapping[str, Any]) -> None:
    """Raise `UsageError` naming the key if a part of a study is of the wrong kind."""
    kinds: dict[str, Any] = {"policies": (list, tuple), "options": Mapping}
    kinds |= {"seating": str, "save_games": bool}
    words = {"policies": "list", "options": "table", "seating": "word", "save_games": "truth"}
    for key, kind in kinds.items():
        if not isinstance(values[key], kind):
            raise UsageError(f"{key} of a study is a {words[key]}, got {values[key]!r}")
    if not all(isinstance(word, str) for word in values["policies"]):
        raise UsageError(f"policies of a study are words, got {values['policies']!r}")
    for key in ("seed", "luck", "chunk"):
        if isinstance(values[key], bool) or not isinstance(values[key], Integral):
            raise UsageError(f"{key} of a study is a whole number, got {values[key]!r}")
    precision = values["precision"]
    if precision is not None and (isinstance(precision, bool) or not _is_number(precision)):
        raise UsageError(f"precision of a study is a number, got {precision!r}")


def study_of(values: Mapping[str, Any]) -> Study:
    """Make a study of plain values, as `Study.record` writes them; raises `UsageError`."""
    for key in values:
        if key not in STUDY_KEYS + DERIVED_KEYS:
            raise unknown("key of a study", key, STUDY_KEYS)
    for key in ("game", "policies"):
        if key not in values:
            raise UsageError(f"a study needs the key {key!r}")
    if not isinstance(values.get("options", {}), Mapping):
        raise UsageError(f"options of a study is a table, got {values['options']!r}")
    if not isinstance(values["game"], str):
        raise UsageError(f"game of a study is a word, got {values['game']!r}")
    given = {key: values[key] for key in STUDY_KEYS[2:] if key in values}
    made = Study.of(values["game"], values["policies"], **given)
    for key in DERIVED_KEYS:
        if key in values and values[key] != made.record()[key]:
            found = made.record()[key]
            raise UsageError(f"{key} of the study is {values[key]!r}, but follows to be {found!r}")
    return made


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def write_study(study: Study, path: str | Path) -> None:
    """Write a study as TOML or JSON, by the ending of the path; `read_study` reads it again."""
    path = Path(path)
    record = {key: value for key, value in study.record().items() if value is not None}
    record |= {"game": study.game_word, "policies": list(study.words)}
    if path.suffix == ".json":
        path.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    elif path.suffix == ".toml":
        path.write_text(_toml(record), encoding="utf-8")
    else:
        raise UsageError(f"a study is written to .toml or .json, got {path.name!r}")


def _toml(record: Mapping[str, Any]) -> str:
    """The few kinds of values that a study has, as TOML (a JSON scalar or list is one there)."""
    tables = {key: value for key, value in record.items() if isinstance(value, dict)}
    lines = [f"{key} = {_in_toml(v)}" for key, v in record.items() if key not in tables]
    for key, table in tables.items():
        nested = any(isinstance(value, dict) for value in table.values())
        if not nested:
            lines += ["", f"[{key}]"]
            lines += [f"{_in_toml(name)} = {_in_toml(value)}" for name, value in table.items()]
            continue
        for name, inner in table.items():
            lines += ["", f"[{key}.{_in_toml(name)}]"]
            lines += [f"{_in_toml(k)} = {_in_toml(v)}" for k, v in inner.items()]
    return "\n".join(lines) + "\n"


def _in_toml(value: Any) -> str:
    """A text, number, truth or list; JSON writes them as TOML does, but for one letter."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

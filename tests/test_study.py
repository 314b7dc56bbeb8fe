"""Studies: what one writes is what one reads, and every mistake in a file is one line."""

from __future__ import annotations

import json
import math
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from by_hand import one_line, user_file, values_of

import simlab
from simlab.errors import UsageError
from simlab.experiments.study import KEPT_GAMES, Study, read_games, read_study, write_study
from simlab.games.fantastique import GAME

ENDINGS = (".toml", ".json")
FULL: dict[str, Any] = {
    "options": {"finale": "VI", "gold": (1, 2, 3), "silver": "1/1/1", "bronze": [0, 0, 0]}
    | {"rounds": 3, "finale_zero": False, "finale_run": "fullest"},
    "seating": "all",
    "games": "1_000",
    "seed": 2**64 - 1,
    "luck": 7,
    "chunk": 11,
    "precision": 0.25,
    "save_games": True,
}
STUDIES = {
    "defaults": Study.of("fantastique", ["greedy", "random"]),
    "everything set": Study.of("fantastique", ["greedy", "2xrandom", "miser"], **FULL),
    "parameters": Study.of(
        "fantastique", ["balanced:card=3,late=0.125", "balanced", "high-fan:cards=1e-7"], games=5
    ),
    "many digits": Study.of(
        "fantastique", ["balanced:card=7.1234567890123456,late=1e-300", "finale-collector:hold=0.1"]
    ),
    "the largest": Study.of("fantastique", ["greedy*5"], games=10**15, seed=2**63),
    "a whole precision": Study.of("fantastique", ["greedy", "random"], precision=1),
}


def written(study: Study, folder: Path, ending: str) -> Path:
    path = folder / f"study{ending}"
    write_study(study, path)
    return path


def read_again(study: Study, folder: Path, ending: str) -> Study:
    return read_study(written(study, folder, ending))


# --- Written and read again -------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_that_was_written_is_read_as_it_was(name: str, ending: str, tmp_path: Path) -> None:
    study = STUDIES[name]
    found = read_again(study, tmp_path, ending)
    assert found.record() == study.record()
    assert found.identity() == study.identity()
    assert found.words == study.words
    assert (found.matchup.minds == study.matchup.minds).all()
    assert found.seatings.tolist() == study.seatings.tolist()
    for one, other in zip(found.matchup.policies, study.matchup.policies, strict=True):
        assert values_of(one) == values_of(other)


@pytest.mark.parametrize("ending", ENDINGS)
def test_writing_what_was_read_gives_the_same_file(ending: str, tmp_path: Path) -> None:
    path = written(STUDIES["everything set"], tmp_path, ending)
    text = path.read_text(encoding="utf-8")
    write_study(read_study(path), path)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", STUDIES)
def test_a_file_has_every_default_written_out(name: str, ending: str, tmp_path: Path) -> None:
    study = STUDIES[name]
    text = written(study, tmp_path, ending).read_text(encoding="utf-8")
    found = json.loads(text) if ending == ".json" else tomllib.loads(text)
    wanted = {"game", "version", "players", "policies", "parameters", "options", "seating"}
    wanted |= {"games", "deals", "seed", "luck", "chunk", "save_games"}
    assert set(found) == wanted | ({"precision"} if study.precision is not None else set())
    assert set(found["options"]) == {option.key for option in study.game.options}
    for policy in study.matchup.policies:
        assert found["parameters"][policy.text] == values_of(policy)
    assert found == {key: value for key, value in study.record().items() if value is not None}


def test_the_defaults_are_the_printed_rules_and_what_the_help_says() -> None:
    record = STUDIES["defaults"].record()
    assert record["options"]["finale"] == "I"
    assert record["options"]["gold"] == [6, 8, 10, 12, 14, 16, 18]
    assert record["options"]["finale_zero"] is True
    assert (record["seating"], record["games"], record["deals"]) == ("rotate", 100_000, 50_000)
    assert (record["seed"], record["luck"], record["chunk"]) == (0, 0, GAME.chunk_games // 2)
    assert (record["precision"], record["save_games"]) == (None, False)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_short_file_by_hand_means_the_defaults(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"short{ending}"
    line = '{"game": "fantastique", "policies": ["greedy*2", "random"]}'
    text = 'game = "fantastique"\npolicies = ["greedy*2", "random"]\n'
    path.write_text(line if ending == ".json" else text, encoding="utf-8")
    expected = Study.of("fantastique", ["greedy", "greedy", "random"])
    assert read_study(path).record() == expected.record()


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.toml or \.json"):
        write_study(STUDIES["defaults"], tmp_path / "study.yaml")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["mine", "my own \u2013 \N{GAME DIE}"])
def test_policies_from_a_file_are_found_again_from_any_folder(
    name: str, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = user_file(tmp_path, "name='x', level=2.0", name=name)
    study = Study.of("fantastique", [f"{path}::x:level=3", "greedy"], games=10)
    file = written(study, tmp_path, ending)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    found = read_study(file)
    assert found.identity() == study.identity()
    assert found.words == study.words


def test_policies_of_equal_names_from_two_files_are_never_taken_for_one(tmp_path: Path) -> None:
    """Else one of them would play for both, and nobody would notice."""
    words = []
    for folder, fan in (("one", "largest_fan"), ("two", "cheapest_fan")):
        (tmp_path / folder).mkdir()
        path = user_file(tmp_path / folder, "name='x'", fan=fan)
        words.append(f"{path}::x")
    with pytest.raises(UsageError) as raised:
        Study.of("fantastique", words, games=4)
    assert one_line(str(raised.value), "mine.py::x")
    same = Study.of("fantastique", [words[0], words[0]], games=4)
    assert len(same.matchup.lineup) == 1


def test_an_identity_tells_everything_but_how_much_is_played() -> None:
    base = Study.of("fantastique", ["greedy", "random"], chunk=64)
    same = ({"games": 10}, {"games": 500})
    other = ({"seed": 1}, {"luck": 1}, {"seating": "all"}, {"options": {"hand": 9}}, {"chunk": 65})
    for change in same:
        more = {"chunk": 64, **change}
        assert Study.of("fantastique", ["greedy", "random"], **more).identity() == base.identity()
    for change in other:
        more = {"chunk": 64, **change}
        assert Study.of("fantastique", ["greedy", "random"], **more).identity() != base.identity()
    assert Study.of("fantastique", ["random", "greedy"], chunk=64).identity() != base.identity()


# --- Mistakes in a file -----------------------------------------------------------------------

TABLE = 'game = "fantastique"\npolicies = ["greedy", "random"]\n'
TOML_MISTAKES = [
    ("sead = 3", ["sead", "seed"]),
    ("nonsense = 3", ["nonsense"]),
    ("seed = 1\nseed = 2", ["seed"]),
    ("[options]\nfinale = 'I'\nfinale = 'II'", ["finale"]),
    *[
        (f"games = {games}", ["games", "1 to 1e15"])
        for games in ("0", "-1", "1.5", "nan", "inf", "-inf", "true", "[1]", "'many'", "''")
    ],
    ("games = 10000000000000000", ["games", "1 to 1e15"]),
    ("games = 1e400", ["games", "1 to 1e15"]),
    ("games = 2020-01-01", ["games", "1 to 1e15"]),
    ("seed = -1", ["seed", "-1"]),
    ("seed = 18446744073709551616", ["seed", "18446744073709551616"]),
    ("seed = 1.5", ["seed", "1.5"]),
    ("seed = '1'", ["seed", "'1'"]),
    ("seed = true", ["seed", "True"]),
    ("luck = 65536", ["luck", "65536"]),
    ("luck = nan", ["luck", "nan"]),
    ("chunk = 0", ["chunk", "0"]),
    ("chunk = 1.0", ["chunk", "1.0"]),
    ("chunk = 10000000000000000", ["chunk"]),
    ("chunk = 1\ngames = 1e15", ["chunk"]),
    ("seating = 'rotated'", ["seating", "rotated", "rotate"]),
    ("seating = 1", ["seating", "1"]),
    ("save_games = 1", ["save_games", "1"]),
    ("save_games = 'yes'", ["save_games", "'yes'"]),
    ("precision = nan", ["precision", "nan"]),
    ("precision = inf", ["precision", "inf"]),
    ("precision = 0", ["precision", "0"]),
    ("precision = -0.5", ["precision", "-0.5"]),
    ("precision = 51", ["precision", "51"]),
    ("precision = '1'", ["precision", "'1'"]),
    ("precision = true", ["precision", "True"]),
    ("options = 1", ["options", "1"]),
    ("[options]\nfinals = 'I'", ["finals", "finale"]),
    ("[options]\nfinale = 'VII'", ["finale", "VII"]),
    ("[options]\nfinale_gold = nan", ["finale_gold", "nan"]),
    ("[options]\nhand = inf", ["hand", "inf"]),
    ("[options]\nhand = 10.5", ["hand", "10.5"]),
    ("[options]\nhand = true", ["hand", "True"]),
    ("[options]\nhand = 1000000", ["hand", "1000000"]),
    ("[options]\ngold = [1, nan, 2, 3, 4, 5, 6]", ["gold", "nan"]),
    ("[options]\ngold = [1, 2]", ["gold", "7", "2"]),
    ("[options]\ndeck = {a = 1}", ["deck"]),
    ("[options]\nfinale_zero = 'maybe'", ["finale_zero", "maybe"]),
    ("players = 3", ["players", "3", "2"]),
    ("version = 99", ["version", "99", "1"]),
    ("deals = 7", ["deals", "7", "50000"]),
    ("[parameters]\n", ["parameters"]),
    ("[parameters]\ngreedy = {hold = 1.0}\nrandom = {}", ["parameters", "hold"]),
]


def refused(text: str, folder: Path, ending: str = ".toml") -> str:
    """What reading a file says, with no trace of where it came from."""
    path = folder / f"wrong{ending}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        read_study(path)
    assert raised.value.exit_code == 2
    return str(raised.value)


@pytest.mark.parametrize(("lines", "parts"), TOML_MISTAKES, ids=lambda value: repr(value)[:40])
def test_a_mistake_in_toml_is_one_line_that_names_the_key(
    lines: str, parts: list[str], tmp_path: Path
) -> None:
    assert one_line(refused(TABLE + lines + "\n", tmp_path), *parts)


JSON_TABLE = '"game": "fantastique", "policies": ["greedy", "random"]'
JSON_MISTAKES = [
    (f"{{{JSON_TABLE}, {more}}}", parts)
    for more, parts in [
        ('"seed": 1, "seed": 2', ["seed", "twice"]),
        ('"options": {"hand": 9, "hand": 8}', ["hand", "twice"]),
        ('"precision": NaN', ["NaN"]),
        ('"precision": Infinity', ["Infinity"]),
        ('"options": {"hand": -Infinity}', ["-Infinity"]),
        ('"precision": 1e999', ["precision", "inf"]),
        ('"games": 1e999', ["games", "inf"]),
        ('"games": null', ["games", "None"]),
        ('"seed": null', ["seed", "None"]),
        ('"options": {"hand": null}', ["hand", "None"]),
        ('"options": {"finale": ["I"]}', ["finale"]),
        ('"options": null', ["options", "None"]),
        ('"gmae": 1', ["gmae", "game"]),
        ('"games": ' + "9" * 5000, []),
        ('"options": ' + "[" * 100_000, []),
    ]
] + [
    ('{"policies": ["greedy", "random"]}', ["game"]),
    ('{"game": "fantastique"}', ["policies"]),
    ('{"game": 1, "policies": ["greedy", "random"]}', ["game", "1"]),
    ('{"game": "fantastik", "policies": ["greedy", "random"]}', ["fantastik", "fantastiqa"]),
    ('{"game": "fantastique", "policies": "greedy"}', ["policies", "greedy"]),
    ('{"game": "fantastique", "policies": [1, 2]}', ["policies", "1"]),
    ('{"game": "fantastique", "policies": []}', ["players", "0"]),
    ('{"game": "fantastique", "policies": ["gredy", "random"]}', ["gredy", "greedy"]),
    ("[1]", ["no study"]),
    ('"study"', ["no study"]),
    ("{", ["wrong.json"]),
    ("", ["wrong.json"]),
    ("{'game': 1}", ["wrong.json"]),
]


@pytest.mark.parametrize(("text", "parts"), JSON_MISTAKES, ids=lambda value: repr(value)[-40:])
def test_a_mistake_in_json_is_one_line_that_names_the_key(
    text: str, parts: list[str], tmp_path: Path
) -> None:
    assert one_line(refused(text, tmp_path, ".json"), *parts)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_that_is_not_there_or_is_no_text_is_one_line(ending: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no file"):
        read_study(tmp_path / f"gone{ending}")
    with pytest.raises(UsageError) as raised:
        read_study(tmp_path)
    assert one_line(str(raised.value), str(tmp_path), "is a folder", "a study is a file")
    path = tmp_path / f"bytes{ending}"
    path.write_bytes(b"\xff\xfe\x00game")
    with pytest.raises(UsageError) as raised:
        read_study(path)
    assert one_line(str(raised.value), path.name)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seed", 1.5),
        ("seed", "1"),
        ("seed", True),
        ("luck", 0.5),
        ("luck", "1"),
        ("chunk", 1.5),
        ("chunk", "4"),
        ("precision", "1"),
        ("precision", True),
        ("precision", math.nan),
        ("save_games", 1),
        ("options", 5),
    ],
)
def test_python_is_told_of_wrong_kinds_as_files_are(key: str, value: object) -> None:
    with pytest.raises(UsageError) as raised:
        Study.of("fantastique", ["greedy", "random"], **{key: value})
    assert one_line(str(raised.value), key)


def test_whole_numbers_of_numpy_are_whole_numbers(tmp_path: Path) -> None:
    """A loop over ``np.arange`` gives them as seeds."""
    study = Study.of("fantastique", ["greedy", "random"], games=np.int64(10), seed=np.int64(3))
    assert read_again(study, tmp_path, ".json").record() == study.record()


# --- How many games ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "games"),
    [
        (1, 1),
        (100_000, 100_000),
        (1e6, 1_000_000),
        ("1e6", 1_000_000),
        ("1E6", 1_000_000),
        ("1_000_000", 1_000_000),
        ("2.5e3", 2500),
        (1e15, 10**15),
        ("1e15", 10**15),
        (999_999_999_999_999, 999_999_999_999_999),
        ("999_999_999_999_999", 999_999_999_999_999),
        (np.int64(7), 7),
    ],
)
def test_numbers_of_games_are_read_as_people_write_them(given: object, games: int) -> None:
    assert read_games(given) == games
    assert type(read_games(given)) is int
    assert Study.of("fantastique", ["greedy", "random"], games=given).games == games


@pytest.mark.parametrize(
    "given", [0, -1, 1.5, "1.5", "0.9", "1e16", 10**15 + 1, True, None, "", "e", ".", "0x10", []]
)
def test_what_is_no_number_of_games_is_named_with_the_bounds(given: object) -> None:
    with pytest.raises(UsageError) as raised:
        read_games(given, "pilot")
    assert one_line(str(raised.value), "pilot", "1 to 1e15", repr(given))


@pytest.mark.parametrize("games", [1, 2, 3, 4, 5, 4095, 4096, 99_999, 10**15])
@pytest.mark.parametrize("rotations", [1, 2, 3, 4])
def test_games_are_rounded_up_to_whole_deals(games: int, rotations: int) -> None:
    lineups = {1: ["greedy*2"], 2: ["greedy", "miser"], 3: ["greedy*2", "miser"]}
    study = Study.of("fantastique", lineups.get(rotations, ["greedy*3", "miser"]), games=games)
    assert len(study.seatings) == rotations
    assert (study.deals - 1) * rotations < games <= study.deals * rotations


# --- Seatings ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policies", "rotate", "every"),
    [
        ("AA", 1, 1),
        ("AB", 2, 2),
        ("AAB", 3, 3),
        ("ABC", 3, 6),
        ("AAAA", 1, 1),
        ("AAAB", 4, 4),
        ("AABB", 4, 6),
        ("ABAB", 2, 6),
        ("ABBA", 4, 6),
        ("AABC", 4, 12),
        ("ABCD", 4, 24),
        ("AAAAA", 1, 1),
        ("ABABA", 5, 10),
        ("AABBC", 5, 30),
        ("ABCDE", 5, 120),
    ],
)
def test_a_deal_is_played_in_each_distinct_seating_once(
    policies: str, rotate: int, every: int
) -> None:
    words = [f"high-fan:cards={1 + 'ABCDE'.index(letter)}" for letter in policies]
    found = {}
    for seating in ("rotate", "fixed", "shuffle", "all"):
        study = Study.of("fantastique", words, seating=seating, games=1200)
        found[seating] = [tuple(row) for row in study.seatings.tolist()]
        assert study.deals == math.ceil(1200 / len(found[seating]))
        assert study.shuffled == (seating == "shuffle")
    lineup = [sorted(set(policies), key=policies.index).index(letter) for letter in policies]
    assert found["fixed"] == found["shuffle"] == [tuple(lineup)]
    turned = {tuple(lineup[-turn:] + lineup[:-turn]) for turn in range(len(policies))}
    assert set(found["rotate"]) == turned
    assert len(found["rotate"]) == rotate
    assert found["rotate"][0] == found["all"][0] == tuple(lineup)
    assert len(found["all"]) == len(set(found["all"])) == every
    assert all(sorted(row) == sorted(lineup) for row in found["all"])


# --- Chunks -----------------------------------------------------------------------------------

LEAST = GAME.chunk_games
DEALS = (1, LEAST - 1, LEAST, LEAST + 1, 500 * LEAST, 500 * LEAST + 1, 10**9 + 7, 10**12, 10**15)


@pytest.mark.parametrize("deals", DEALS)
def test_a_chunk_is_worth_a_file_and_there_are_at_most_500(deals: int) -> None:
    study = Study.of("fantastique", ["greedy*2"], games=deals)
    assert study.deals == deals
    assert study.chunk >= LEAST
    assert math.ceil(deals / study.chunk) <= 500
    assert study.chunk == LEAST or math.ceil(deals / (study.chunk - 1)) > 500


@pytest.mark.parametrize("deals", DEALS)
def test_a_chunk_that_keeps_its_games_is_no_larger_than_memory_bears(deals: int) -> None:
    study = Study.of("fantastique", ["greedy*2"], games=deals, save_games=True)
    assert study.chunk >= LEAST
    assert study.chunk <= KEPT_GAMES or math.ceil(deals / (study.chunk - 1)) > 500**2


def test_a_game_says_how_many_of_its_games_make_a_chunk() -> None:
    found = {}
    for name in ("fantastique", "fantastiqa"):
        study = Study.of(name, ["random", "wanderer" if name == "fantastiqa" else "greedy"])
        found[name] = study.chunk * len(study.seatings)
        assert found[name] == study.game.chunk_games
    assert found["fantastiqa"] < found["fantastique"]


@pytest.mark.parametrize("chunk", [1, 100, 10**9])
def test_a_chunk_is_as_long_as_one_says(chunk: int) -> None:
    assert Study.of("fantastique", ["greedy*2"], games=1000, chunk=chunk).chunk == chunk


def test_the_surface_reads_and_writes_studies(tmp_path: Path) -> None:
    study = simlab.Study.of("fantastique", ["greedy", "random"], games=10)
    path = tmp_path / "study.toml"
    simlab.write_study(study, path)
    assert simlab.read_study(path).record() == study.record()

"""The command line: what it prints, and one clear line for every mistake."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simlab.cli import COMMANDS, main
from simlab.cli.words import Whole
from simlab.compiled import INTERPRETED
from simlab.engine import engine_of, warm_up
from simlab.errors import UsageError
from simlab.games import MODULES, game_named
from simlab.games.fantastique import GAME
from simlab.policies import read_policies

TABLE = ["greedy", "3xrandom"]
TOY = f"{Path(__file__).parent / 'toy_game.py'}::GAME"


def simlab(*words: str) -> int:
    """Run a command in this process; its exit code."""
    with pytest.raises(SystemExit) as left:
        main(list(words))
    return int(left.value.code or 0)


MISTAKES = [
    (["rnu"], 2, ["rnu", "run"]),
    (["run", "fantastik", *TABLE], 2, ["fantastik", "did you mean fantastiqa"]),
    (["run", "fantastique", "gredy", "random"], 2, ["gredy", "did you mean greedy"]),
    (["run", "fantastique", "greedy"], 2, ["seats 2 to 5 players, got 1"]),
    (["run", "fantastique", "6xgreedy"], 2, ["seats 2 to 5 players, got 6"]),
    (["run", "fantastique", "0xgreedy", "random"], 2, ["0xgreedy", "0 times"]),
    (["run", "fantastique"], 2, ["POLICY"]),
    (["run", "fantastique", "finale-collector:hodl=1", "random"], 2, ["hodl", "hold"]),
    (["run", "fantastique", "finale-collector:hold=many", "random"], 2, ["hold", "'many'"]),
    (["run", "fantastique", "finale-collector:hold=nan", "random"], 2, ["hold", "'nan'"]),
    (["run", "fantastique", "finale-collector:hold=1,hold=2", "random"], 2, ["hold", "twice"]),
    (["run", "fantastique", "finale-collector:hold", "random"], 2, ["key=value", "'hold'"]),
    (["run", "fantastique", *TABLE, "--gmaes", "7"], 2, ["--gmaes", "--games"]),
    *[
        (["run", "fantastique", *TABLE, "--games", games], 2, ["games", "1 to 1e15", games])
        for games in ("0", "-5", "1.5", "1e30", "ten", "inf", "nan", "")
    ],
    (
        ["run", "fantastique", *TABLE, "--seed", "-1"],
        2,
        ["seed", "-1", "0 to 18446744073709551615"],
    ),
    (["run", "fantastique", *TABLE, "--seed", str(2**64)], 2, ["seed", str(2**64)]),
    (["run", "fantastique", *TABLE, "--seed", "one"], 2, ["seed", "'one'"]),
    (["run", "fantastique", *TABLE, "--workers", "0"], 2, ["workers", "'0'"]),
    (["run", "fantastique", *TABLE, "--seating", "rotated"], 2, ["rotated", "rotate"]),
    (["run", "fantastique", *TABLE, "--format", "xml"], 2, ["xml", "table"]),
    (["run", "fantastique", *TABLE, "--set", "finale=VII"], 2, ["finale", "VII", "I, II, III"]),
    (["run", "fantastique", *TABLE, "--set", "finals=I"], 2, ["finals", "finale"]),
    (["run", "fantastique", *TABLE, "--set", "finale"], 2, ["KEY=VALUE", "finale"]),
    (["run", "fantastique", *TABLE, "--set", "hand=1", "--set", "hand=2"], 2, ["hand", "twice"]),
    (["run", "fantastique", *TABLE, "--set", "gold=6,8"], 2, ["gold", "7 values", "got 2"]),
    (["run", "fantastique", *TABLE, "--set", "gold=a,b"], 2, ["gold", "'a'"]),
    (["run", "fantastique", *TABLE, "--set", "gold="], 2, ["gold", "''"]),
    (["run", "fantastique", *TABLE, "--set", "hand=30"], 2, ["4 hands of 30", "100"]),
    (["run", "fantastique", *TABLE, "--set", "hand=1e2"], 2, ["hand", "'1e2'"]),
    (["run", "fantastique", *TABLE, "--set", "stacks=3"], 2, ["stacks", "players (4)", "3"]),
    (["run", "fantastique", *TABLE, "--set", "rounds=13"], 2, ["rounds", "1 to 12", "13"]),
    (["run", "fantastique", *TABLE, "--set", "finale_zero=maybe"], 2, ["finale_zero", "maybe"]),
    *[
        (
            [command, "fantastique", *TABLE, "--games"],
            2,
            ["--games", f"see simlab {command} --help"],
        )
        for command in ("run", "compare", "replay", "check")
    ],
    (["run", "--seed"], 2, ["--seed", "see simlab run --help"]),
    (["compare", "fantastique", *TABLE, "--vary"], 2, ["--vary", "see simlab compare --help"]),
    (["plot", "night", "points", "-o"], 2, ["-o", "see simlab plot --help"]),
    *[
        ([command, "fantastique", *TABLE, "--games", "8", "--games", "9"], 2, ["--games", "twice"])
        for command in ("run", "compare", "replay", "check")
    ],
    (
        ["run", "fantastique", *TABLE, "--seed=1", "--games", "8", "--seed=1"],
        2,
        ["--seed", "twice"],
    ),
    (["plot", "night", "points", "-o", "a.png", "--output", "b.png"], 2, ["--output", "twice"]),
    *[
        ([command, "fantastique", *TABLE, *more, "--out", out], 2, ["--out", "folder", repr(out)])
        for command, more in (("run", ()), ("compare", ("--vary", "hand=8,9")))
        for out in ("", " ")
    ],
    (["run", "fantastique", *TABLE, "--workers", "1.5"], 2, ["workers", "'1.5'"]),
    (["run", "fantastique", *TABLE, "--seed", "1e999999999"], 2, ["seed", "1e999999999"]),
    (["check", "fantastique", "greedy", "--games", "1e8"], 2, ["games", "10000000", "'1e8'"]),
    (["check", "fantastique", "greedy", "--games", "inf"], 2, ["games", "'inf'"]),
    (["policies", "fantastique", "gredy"], 2, ["gredy", "did you mean greedy"]),
    (["policies", "fantastique", "greedy:hold=1"], 2, ["hold", "greedy"]),
    (["replay", "fantastique", *TABLE, "--deal", "-1"], 2, ["deal", "-1"]),
    (["replay", "fantastique", *TABLE, "--luck", "70000"], 2, ["luck", "65535", "70000"]),
    (["rules", "chess"], 2, ["chess", "fantastique"]),
    (["policies", "chess"], 2, ["chess", "fantastique"]),
    (["check", "fantastique", "nobody"], 2, ["nobody", "there are"]),
    (["bench", "fantastique", "2xnobody"], 2, ["nobody"]),
    (["warmup", "chess"], 2, ["chess"]),
    (["run", "fantastique", "gone.py::sniper", "random"], 2, ["gone.py", "no file"]),
    (["run", "fantastique", "gone.py", "random"], 2, ["gone.py", "file.py::name"]),
    (["run", "gone.py::GAME", "random"], 2, ["gone.py", "no file"]),
]


@pytest.mark.parametrize(
    ("words", "code", "parts"),
    MISTAKES,
    ids=lambda v: " ".join(map(str, v)) if isinstance(v, list) else str(v),
)
def test_a_mistake_gets_one_line_that_names_value_and_rule(words, code, parts, capsys) -> None:
    assert simlab(*words) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("simlab: ")
    assert said.err.count("\n") == 1
    for part in parts:
        assert part in said.err


def test_help_lists_each_command_with_the_line_it_has_itself(capsys) -> None:
    assert simlab("--help") == 0
    text = capsys.readouterr().out
    for command in COMMANDS:
        assert command in text
        assert simlab(command, "--help") == 0
        assert "Usage: simlab" in capsys.readouterr().out


def test_run_prints_the_promised_json(capsys) -> None:
    words = ["run", "fantastique", *TABLE, "--games", "200", "--format", "json", "--seed", "3"]
    assert simlab(*words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 200
    assert found["deals"] == 50
    assert found["study"]["options"]["finale"] == "I"
    assert found["study"]["options"]["gold"] == [6, 8, 10, 12, 14, 16, 18]
    assert [row["policy"] for row in found["policies"]] == ["greedy", "random"]
    for row in found["policies"] + found["seats"]:
        low, high = row["ci95"]
        assert 0 <= low <= row["win_rate"] <= high <= 1
        assert set(row["points"]) >= {"mean", "sd"}
        assert {"finale_cards", "medal_points", "points_7"} <= set(row["columns"])
    assert found["game_columns"]["passes"]["mean"] >= 0
    assert found["games_per_second"] > 0
    assert {"seconds", "startup_seconds"} <= set(found)
    assert found["policies"][0]["seat_games"] == 200
    assert found["policies"][1]["seat_games"] == 600


def test_run_is_the_same_whatever_the_workers(capsys) -> None:
    texts = []
    for workers in ("1", "2", "3"):
        games = "40" if INTERPRETED else "2_000"
        words = ["run", "fantastique", *TABLE, "--games", games, "--workers", workers]
        assert simlab(*words, "--format", "csv") == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] == texts[2]
    rows = list(csv.DictReader(io.StringIO(texts[0])))
    assert [(row["of"], row["name"]) for row in rows[:2]] == [
        ("policy", "greedy"),
        ("policy", "random"),
    ]
    assert len(rows) == 2 + 4


def test_run_says_that_games_are_rounded_up_to_whole_deals(capsys) -> None:
    assert simlab("run", "fantastique", *TABLE, "--games", "1e2", "--seed", "1") == 0
    assert "rounded" not in capsys.readouterr().err
    assert simlab("run", "fantastique", *TABLE, "--games", "101") == 0
    said = capsys.readouterr()
    assert "101 games are rounded up to 104" in said.err
    assert "104 games of 26 deals" in said.out
    assert simlab("run", "fantastique", *TABLE, "--games", "101", "--quiet") == 0
    assert capsys.readouterr().err == ""


def test_a_fixed_seating_plays_each_deal_once(capsys) -> None:
    words = [
        "run",
        "fantastique",
        *TABLE,
        "--games",
        "30",
        "--seating",
        "fixed",
        "--format",
        "json",
    ]
    assert simlab(*words) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 30


def test_star_and_x_repeat_alike(capsys) -> None:
    texts = []
    for words in (["greedy*3", "random"], ["3xgreedy", "random"], ["greedy"] * 3 + ["random"]):
        assert simlab("run", "fantastique", *words, "--games", "40", "--format", "csv") == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] == texts[2]


def test_replay_prints_one_line_of_json_for_each_deal(capsys) -> None:
    words = ["replay", "fantastique", "greedy", "random", "--deal", "5", "--format", "json"]
    assert simlab(*words, "--games", "3", "--set", "finale=VI", "--set", "stack_limit=2") == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["deal"] for record in records] == [5, 6, 7]
    assert records[0]["options"] == {"finale": "VI", "stack_limit": 2}
    assert records[0]["policies"] == ["greedy", "random"]
    keys = ["game", "version", "options", "players", "policies"]
    keys += ["seed", "deal", "luck", "events", "result"]
    assert list(records[0]) == keys


def test_replay_names_the_side_that_was_drawn(capsys) -> None:
    words = ["replay", "fantastique", "2xrandom", "--set", "finale=random", "--games", "30"]
    assert simlab(*words, "--format", "json") == 0
    lines = capsys.readouterr().out.splitlines()
    sides = {json.loads(line)["options"]["finale"] for line in lines}
    assert sides == {"I", "II", "III", "IV", "V", "VI"}


def test_replay_tells_a_story(capsys) -> None:
    assert simlab("replay", "fantastique", "balanced", "3xgreedy") == 0
    story = capsys.readouterr().out
    for words in (
        "Round 7",
        "on the table",
        "gold (18) to",
        "Grande Finale, side I",
        "final points",
    ):
        assert words in story
    assert "\x1b" not in story


def test_rules_print_every_ruling_and_option(capsys) -> None:
    assert simlab("rules", "fantastique") == 0
    text = capsys.readouterr().out
    for ruling in GAME.rulings:
        assert ruling.question in text
    for option in GAME.options:
        assert f"  {option.key} = " in text
    assert simlab("rules", "fantastique", "--format", "json") == 0
    assert len(json.loads(capsys.readouterr().out)["rulings"]) == len(GAME.rulings)


@pytest.mark.parametrize("number", ["20", "2e1", "2_0", "20.0", "0.2e2", " 20"])
def test_numbers_are_read_as_people_write_them(number: str) -> None:
    assert Whole("games", 1, 20).convert(number, None, None) == 20
    for low, high in ((1, 19), (21, 30)):
        with pytest.raises(UsageError) as raised:
            Whole("games", low, high).convert(number, None, None)
        assert f"from {low} to {high}, got {number!r}" in str(raised.value)


def test_flags_and_options_that_add_up_may_come_again(capsys) -> None:
    words = ["run", "fantastique", *TABLE, "--games", "8", "--quiet", "-q", "--format", "csv"]
    assert simlab(*words, "--set", "hand=9", "--set", "rounds=6") == 0


def test_rules_tell_what_every_column_means(capsys) -> None:
    """Of a game's own columns, and of those that every game has."""
    assert simlab("rules", "fantastique", "--format", "json") == 0
    columns = json.loads(capsys.readouterr().out)["columns"]
    by_name = {column["column"]: column for column in columns}
    assert simlab("run", "fantastique", *TABLE, "--games", "8", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    shown = {name.rstrip("0123456789") for name in found["policies"][0]["columns"]}
    assert {name.replace("_k", "_") for name in by_name} >= shown | {"points"}
    assert set(found["game_columns"]) <= set(by_name)
    assert {name for name, column in by_name.items() if column["of"] == "game"} >= set(
        found["game_columns"]
    )
    assert simlab("rules", "fantastique") == 0
    text = " ".join(capsys.readouterr().out.split())
    for column in columns:
        assert column["meaning"], column["column"]
        assert f" {column['column']} {column['meaning']}" in text


@pytest.mark.parametrize("name", MODULES)
def test_every_column_of_every_game_has_its_words(name: str) -> None:
    game = game_named(name)
    own = {*game.seat_columns, *game.game_columns}
    assert own <= set(game.column_words), "declared beside the columns"
    assert set(game.column_words) <= own | {*game.all_seat_columns, *game.all_game_columns}
    for column, (of, meaning) in game.columns_in_words.items():
        assert meaning not in ("", column), column
        assert (of == "game") == (column in game.all_game_columns)


@pytest.mark.parametrize("game", MODULES)
def test_every_parameter_of_every_policy_is_explained_where_policies_are_shown(
    game: str, capsys
) -> None:
    assert simlab("policies", game, "--format", "json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows
    for row in rows:
        for parameter in row["parameters"]:
            assert f"`{parameter}`" in row["idea"] + row["details"], (row["policy"], parameter)
    assert simlab("policies", game) == 0
    listed = " ".join(capsys.readouterr().out.split())
    for row in rows:
        assert " ".join(row["details"].split()) in listed


def test_one_policy_is_shown_with_the_numbers_it_was_given(tmp_path: Path, capsys) -> None:
    path = policy_file(tmp_path, GOOD, "@policy(GAME, reserve=2.0)")
    for word, shown in (
        ("finale-collector:hold=0.25", "parameters: hold=0.25, chase=3"),
        ("spoiler", "never looks at: finale"),
        (f"{path}::sniper:reserve=0.125", "parameters: reserve=0.125"),
    ):
        assert simlab("policies", "fantastique", word) == 0
        out = capsys.readouterr().out
        assert shown in out
        assert out.startswith(word.rpartition("/")[2])
        assert "medal-scheduler" not in out


def test_the_csv_of_policies_is_words_that_the_command_line_takes(capsys) -> None:
    assert simlab("policies", "fantastique", "--format", "csv") == 0
    rows = {row["policy"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert rows["finale-collector"]["parameters"] == "hold=0.5,chase=3"
    assert rows["finale-collector"]["blind_to"] == ""
    assert rows["random"]["parameters"] == ""
    assert rows["random"]["blind_to"] == "finale"
    assert not any(mark in cell for row in rows.values() for cell in row.values() for mark in "{[")


@pytest.mark.parametrize("command", ["run", "compare", "power"])
def test_help_says_what_a_game_and_a_policy_may_be_by_examples_that_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    assert simlab(command, "--help") == 0
    text = capsys.readouterr().out
    _, _, forms = text.partition("Each POLICY is one of")
    words = [line.split()[0] for line in forms.splitlines()[1:5]]
    assert words == ["balanced", "balanced:late=0.5,card=5", "3xgreedy", "mine.py::sniper"]
    for form in ("file.py::NAME", "simlab games", "simlab policies GAME"):
        assert form in text
    policy_file(tmp_path, GOOD, "@policy(GAME)")
    monkeypatch.chdir(tmp_path)
    seated = [policy.text for policy in read_policies(GAME, words[:3])]
    assert seated == [*words[:2], "greedy", "greedy", "greedy"]
    assert [policy.text for policy in read_policies(GAME, words[3:] * 2)] == words[3:] * 2


def test_the_examples_of_help_seat_more_than_one_policy_where_win_rates_are_asked_for(
    capsys,
) -> None:
    for command in ("run", "compare", "power"):
        assert simlab(command, "--help") == 0
        lines = capsys.readouterr().out.splitlines()
        examples = [line.split() for line in lines if f"simlab {command} fantastique" in line]
        assert examples
        for words in examples:
            options = [place for place, word in enumerate(words) if word.startswith("--")]
            assert len(words[3 : min([*options, len(words)])]) > 1, words


def test_bench_promises_what_it_does(capsys) -> None:
    assert simlab("bench", "--help") == 0
    assert "all of them a table" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("games", "more", "said"),
    [
        ("1", ["--seating", "fixed"], ["1 game of 1 deal", "4 games would halve"]),
        ("4", [], ["4 games of 1 deal ", "16 games would halve"]),
    ],
)
def test_one_of_a_thing_is_not_called_many(
    games: str, more: list[str], said: list[str], capsys
) -> None:
    assert simlab("run", "fantastique", *TABLE, "--games", games, *more) == 0
    out = capsys.readouterr().out
    for part in said:
        assert part in out
    assert simlab("run", "fantastique", *TABLE, "--games", "1") == 0
    assert "1 game are" not in (err := capsys.readouterr().err)
    assert "1 game is rounded up to 4: whole deals of 4 seatings" in err


def test_the_table_of_a_run_says_what_best_means_and_which_rules_are_not_the_printed_ones(
    capsys,
) -> None:
    words = ["run", "fantastique", *TABLE, "--games", "40", "--set", "gold=1,2,3,4,5,6,7"]
    assert simlab(*words, "--set", "hand=10") == 0
    out = capsys.readouterr().out
    assert "4 players, finale I, gold 1,2,3,4,5,6,7, seating rotate" in out
    assert "best: the highest win rate, and those that the same deals cannot tell from it" in out
    assert "what the columns mean: simlab rules fantastique" in out


def test_games_and_policies_are_listed_in_every_format(capsys) -> None:
    for form in ("table", "json", "csv"):
        assert simlab("games", "--format", form) == 0
        assert "fantastique" in capsys.readouterr().out
    for form in ("text", "json", "csv"):
        assert simlab("policies", "fantastique", "--format", form) == 0
        assert "medal-scheduler" in capsys.readouterr().out


def test_bench_measures_one_core_and_all(capsys) -> None:
    words = ["bench", TOY, "2xsteady", "--seconds", "1", "--workers", "2", "--format", "json"]
    assert simlab(*words) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["workers"] for row in rows] == [1, 2]
    assert all(row["ns_per_decision"] > 0 and row["machine"] for row in rows)


def test_warmup_names_the_folder(capsys) -> None:
    assert simlab("warmup", "fantastique") == 0
    assert "compiled code is ready in" in capsys.readouterr().out


class Surprise(Exception):
    """What nobody has foreseen."""


@pytest.mark.parametrize(
    "error",
    [Surprise("two\nlines"), KeyError("deals"), RecursionError(), MemoryError(), AssertionError()],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("in_work", [True, False])
def test_what_nobody_foresaw_is_one_line_or_with_debugging_a_traceback(
    in_work: bool, error: Exception, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    """In the thread that works as well as beside it."""

    def fail(*words: object, **more: object) -> None:
        raise error

    name = "simlab.experiments.running.run_plan" if in_work else "simlab.cli.tables.show_results"
    monkeypatch.setattr(name, fail)
    words = ["run", "fantastique", *TABLE, "--games", "4", "--quiet"]
    for off in ("", "0"):
        monkeypatch.setenv("SIMLAB_DEBUG", off)
        assert simlab(*words) == 1
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert said.err.startswith(f"simlab: unexpected {type(error).__name__}")
        assert "please report; SIMLAB_DEBUG=1 shows the traceback" in said.err
    monkeypatch.setenv("SIMLAB_DEBUG", "1")
    with pytest.raises(type(error)):
        main(words)


# --- Policies from files ---------------------------------------------------------------------

HEAD = """
from simlab import policy
from simlab.games.fantastique import GAME, legal, fan

"""
LIST = "n = legal(rules, table, own, moves)"
BAD = {
    "float": (["return 0.5"], "returns a float"),
    "nothing": (["if table.phase == 1:", "    return 8"], "returns nothing"),
    "field": (["return table.deck_order"], "deck_order"),
    "name": (["return undefined_thing"], "undefined_thing"),
    "raises": (
        ["if table.round_number > 2:", "    raise ValueError('no idea')", LIST, "return moves[0]"],
        "raised ValueError: no idea",
    ),
    "illegal": (["return fan(8, 9)"], "not legal"),
    "negative": (["return -1"], "not legal"),
    "writes": (
        [LIST, "table.points[own.seat] += 1", "return moves[0]"],
        "writes into the records",
    ),
    "peeks": (
        [
            LIST,
            "beyond = own.notes[30] + own.notes[31] + own.notes[12]",
            "return moves[beyond % n]",
        ],
        "dealt anew",
    ),
    "forever": (
        ["n = 0", "while n >= 0:", "    n = n + 1 if n < 1000 else 0", "return n"],
        "did not return",
    ),
}


def policy_file(folder: Path, body: str, decorator: str = "@policy(GAME)") -> Path:
    path = folder / "mine.py"
    head = f"{decorator}\ndef sniper(rules, table, own, moves, weights, rng):\n    'Mine.'\n    "
    path.write_text(HEAD + head + body + "\n", encoding="utf-8")
    return path


GOOD = "n = legal(rules, table, own, moves)\n    return moves[n - 1]"


@pytest.mark.skipif(INTERPRETED, reason="compiling is what is tested")
@pytest.mark.parametrize("kind", BAD)
def test_check_and_run_name_what_is_wrong_with_a_file(kind: str, tmp_path: Path, capsys) -> None:
    lines, said = BAD[kind]
    path = policy_file(tmp_path, "\n    ".join(lines))
    word = f"{path}::sniper"
    assert simlab("check", "fantastique", word, "--time-limit", "2", "--quiet") == 1
    out = capsys.readouterr().out
    assert said in out
    if kind in ("raises", "illegal", "negative"):
        assert "own hand:" in out
        assert "simlab replay fantastique" in out
    if kind != "forever":  # the short check before a run waits longer
        assert simlab("run", "fantastique", word, "random", "--games", "10") == 1
        assert said in capsys.readouterr().err


def test_a_false_claim_of_blindness_is_found(tmp_path: Path, capsys) -> None:
    body = "n = legal(rules, table, own, moves)\n    return moves[table.finale % n]"
    path = policy_file(tmp_path, body, '@policy(GAME, blind_to=["finale"])')
    assert simlab("check", "fantastique", f"{path}::sniper", "--games", "20") == 1
    assert "blind to" in capsys.readouterr().out


def test_a_good_file_plays_and_is_checked_once(tmp_path: Path, capsys) -> None:
    path = policy_file(tmp_path, GOOD, "@policy(GAME, unused=1.0)")
    words = ["run", "fantastique", f"{path}::sniper", f"{path}::sniper:unused=2", "--games", "20"]
    assert simlab(*words, "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["policy"] for row in found["policies"]] == [
        "mine.py::sniper",
        "mine.py::sniper:unused=2",
    ]
    began = time.perf_counter()
    assert simlab(*words) == 0
    assert time.perf_counter() - began < 20  # no second check in a process of its own


@pytest.mark.parametrize(
    ("text", "name", "code", "said"),
    [
        ("def (", "sniper", 1, "SyntaxError"),
        ("import nothing_like_it", "sniper", 1, "nothing_like_it"),
        ("1 / 0", "sniper", 1, "ZeroDivisionError"),
        (HEAD, "sniper", 2, "sniper"),
        (HEAD + "@policy(GAME, blind_to=['moon'])\ndef a(rules): pass", "a", 1, "moon"),
    ],
)
def test_a_file_that_does_not_load_is_one_line(text, name, code, said, tmp_path, capsys) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    assert simlab("run", "fantastique", f"{path}::{name}", "random") == code
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_policy_of_another_game_is_refused(capsys) -> None:
    toy = f"{Path(__file__).parent / 'toy_game.py'}"
    assert simlab("run", "fantastique", f"{toy}::steady", "random") == 2
    assert "plays toy, not fantastique" in capsys.readouterr().err


# --- The process -----------------------------------------------------------------------------


def process(*words: str, **more) -> subprocess.Popen:
    line = [sys.executable, "-m", "simlab", *words]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


@pytest.mark.skipif(INTERPRETED, reason="too slow to be interrupted in time")
def test_ctrl_c_keeps_what_was_counted_and_leaves_within_half_a_second() -> None:
    warm_up(GAME)
    child = process("run", "fantastique", *TABLE, "--games", "1e12", "--format", "json")
    time.sleep(6)
    child.send_signal(signal.SIGINT)
    began = time.perf_counter()
    out, err = child.communicate(timeout=30)
    assert time.perf_counter() - began < 2  # half a second on a machine with nothing else to do
    assert child.returncode == 130
    found = json.loads(out)
    assert found["complete"] is False
    assert found["games"] > 1000
    assert "partial" in err


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_ctrl_c_is_heard_while_compiling(tmp_path: Path) -> None:
    env = os.environ | {"SIMLAB_CACHE_DIR": str(tmp_path)}
    child = process("run", "fantastique", *TABLE, env=env)
    assert child.stderr is not None
    assert "compiling" in child.stderr.readline()
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    began = time.perf_counter()
    child.communicate(timeout=30)
    assert time.perf_counter() - began < 2
    assert child.returncode == 130


def test_a_closed_pipe_is_no_traceback() -> None:
    engine_of(game_named("fantastique"))  # or the process says that it compiles
    child = process("replay", "fantastique", *TABLE, "--games", "500", "--format", "json")
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    assert child.stderr.read() == ""
    child.stderr.close()
    assert child.wait(timeout=60) == 1


HEAVY = """
import sys
from simlab.cli import main
try:
    main(sys.argv[2:])
except SystemExit:
    pass
print([name for name in sys.argv[1].split() if name in sys.modules])
"""


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        ("--help", "numba numpy pandas scipy matplotlib rich"),
        ("run --help", "numba numpy pandas scipy matplotlib rich"),
        ("run fantastique 2xgreedy --games 10", "scipy.stats scipy.optimize pandas matplotlib"),
        ("replay fantastique 2xgreedy", "scipy.special scipy.stats pandas matplotlib rich"),
    ],
)
def test_a_command_imports_nothing_heavy_that_it_does_not_need(words: str, heavy: str) -> None:
    line = [sys.executable, "-c", HEAVY, heavy, *words.split()]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"

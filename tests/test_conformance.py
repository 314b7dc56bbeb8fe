"""What every game and every policy has to keep; a new one gets these tests by being declared.

A game needs, beside its declaration, an onlooker in `ONLOOKERS`: plain Python that rebuilds what a
seat may know from the events that it saw.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import rebuild_fantasia_sa
import rebuild_fantastic_park
import rebuild_fantastiqa
import rebuild_fantastique
import rebuild_toy
import toy_game

from simlab.checking import examine
from simlab.compiled import INTERPRETED, plain
from simlab.contract import CHECKPOINTS, SEAT_FIELDS, TABLE_FIELDS, WHOLE_WIN, Game
from simlab.engine import Matchup, engine_of
from simlab.experiments.batches import outcomes, play
from simlab.experiments.study import Study
from simlab.games import MODULES, game_named
from simlab.policies import built_in, read_policies, read_policy
from simlab.replaying import Replayer, Traced

GAMES = {**{name: game_named(name) for name in MODULES}, "toy": toy_game.GAME}
ONLOOKERS = {
    "fantastique": rebuild_fantastique.Onlooker,
    "fantastiqa": rebuild_fantastiqa.Onlooker,
    "fantastic-park": rebuild_fantastic_park.Onlooker,
    "fantasia-sa": rebuild_fantasia_sa.Onlooker,
    "toy": rebuild_toy.Onlooker,
}
VARIANTS = {
    "fantasia-sa": [
        {"turn_cap": 60},
        {"turn_cap": 60, "hostile": False, "hand_limit": 3, "goal": 5},
        {"turn_cap": 60, "hand": 6, "reserve": 5},
    ],
    "fantastique": [
        {},
        {"finale": "random", "deck": (3, 3, 3, 3, 2, 2, 2, 2), "hand": 2, "stack_limit": 1},
        {"deck": (5, 4, 3, 2, 1, 1, 1, 1), "hand": 1, "finale": "VI"},
    ],
    "fantastic-park": [{}, {"tiles": (3, 6), "rounds": "supply", "double_unique": 2}, {"hand": 2}],
    "fantastiqa": [
        {"turn_cap": 40},
        {"turn_cap": 15, "hand": 6, "reshuffles": 6, "fly_empty": True, "token_limit": 2},
        {"turn_cap": 15, "gems": 9, "wilds": False, "loops": False, "deck": "39-49-59"},
    ],
    "toy": [{}, {"goal": 50, "luck": 5}],
}
DEALS = {"fantastique": 25, "fantastic-park": 2, "fantasia-sa": 1, "fantastiqa": 1, "toy": 25}
"""Deals that onlookers watch; a park takes them longer than a handful of cards."""

CHECKED = {"fantastique": 120, "fantastic-park": 12, "fantasia-sa": 6, "fantastiqa": 1, "toy": 120}
"""Games in which each policy is checked; each decision is asked several times."""


def few(number: int, interpreted: int) -> int:
    """So many games, or hardly any with the compiler off."""
    return min(number, interpreted) if INTERPRETED else number


def tables(game: Game) -> Iterator[tuple[int, dict]]:
    for players in range(game.players[0], game.players[1] + 1):
        for options in VARIANTS[game.name]:
            yield players, options


def replayer_for(game: Game, players: int, options: dict) -> Replayer:
    names = list(built_in(game))
    words = [names[seat % len(names)] for seat in range(players)]
    return Replayer(Matchup(game, read_policies(game, words), options), seed=3)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]


def test_each_game_has_an_onlooker_and_variants() -> None:
    assert set(ONLOOKERS) == set(GAMES) == set(VARIANTS) == set(DEALS)


def test_a_declaration_says_everything(game: Game) -> None:
    assert game.summary
    assert game.rules_text
    assert game.rulings
    assert [name for name, _ in TABLE_FIELDS] == list(game.table.names[: len(TABLE_FIELDS)])
    assert [field[0] for field in SEAT_FIELDS] == list(game.seat.names[: len(SEAT_FIELDS)])
    assert "players" in game.rules.names
    keys = {option.key for option in game.options}
    assert {ruling.option for ruling in game.rulings} <= keys | {""}
    for option in game.options:
        assert option.read(option.text(option.default)) == option.default
        assert option.meaning


def test_a_seat_knows_what_it_could_rebuild_from_what_it_saw(game: Game) -> None:
    """The records that a policy is shown hold no more, and no less, than a perfect memory."""
    for players, options in tables(game):
        replayer = replayer_for(game, players, options)
        for deal in range(few(DEALS[game.name], 3)):
            compare_with_onlookers(game, replayer, replayer.trace(deal))


def compare_with_onlookers(game: Game, replayer: Replayer, traced: Traced) -> None:
    rules, players = plain(replayer.matchup.rules[0]), len(replayer.matchup.policies)
    options = game.read_options(replayer.matchup.options)
    options = options | game.record_options(rules, plain(traced.rows[0].state))
    onlookers = [ONLOOKERS[game.name](options, players, seat) for seat in range(players)]
    for row, events in zip(traced.rows[:-1], replayer.steps(traced), strict=False):
        show(events, onlookers)
        seat = int(row.seat)
        assert as_dicts(plain(row.state.table)) == onlookers[seat].table()
        own = as_dicts(plain(row.state.seats[seat]))
        own.pop("notes")
        assert own == onlookers[seat].own()
        onlookers[seat].decide(int(row.move))


def as_dicts(value: Any) -> Any:
    """A plain record as nested dicts, which are easier to compare."""
    if isinstance(value, SimpleNamespace):
        return {name: as_dicts(inner) for name, inner in vars(value).items()}
    return [as_dicts(inner) for inner in value] if isinstance(value, list) else value


def show(events: list, onlookers: list) -> None:
    for seen in events:
        for onlooker in onlookers:
            if seen.seats is None or onlooker.seat in seen.seats:
                onlooker.see(seen.event)


def test_legal_moves_exist_are_allowed_and_ascend(game: Game) -> None:
    for players, options in tables(game):
        replayer = replayer_for(game, players, options)
        rows = replayer.trace(0).rows[:-1].copy()
        counts = np.zeros(len(rows), np.int64)
        moves = np.zeros((len(rows), game.max_moves), np.int64)
        engine_of(game).list_legal(replayer.matchup.rules, rows, counts, moves)
        assert (counts > 0).all(), "a seat without a legal move is not asked"
        for row, n, listed in zip(rows, counts, moves, strict=True):
            assert (np.diff(listed[:n]) > 0).all()
            assert row.move in listed[:n]


def test_imagined_worlds_look_the_same_to_their_seat(game: Game) -> None:
    for players, options in tables(game):
        replayer = replayer_for(game, players, options)
        rows = replayer.trace(1).rows[:-1].copy()
        worlds = rows.copy()
        engine = engine_of(game)
        desks = np.zeros(1, engine.desk)
        desks[0].chance.used = len(desks[0].chance.words)
        engine.redeal(replayer.matchup.rules, worlds, desks)
        for row, world in zip(rows, worlds, strict=True):
            assert row.state.table.tobytes() == world.state.table.tobytes()
            seat = int(row.seat)
            assert row.state.seats[seat].tobytes() == world.state.seats[seat].tobytes()


def test_outcomes_are_ranked_shared_and_followed(game: Game) -> None:
    for players, options in tables(game):
        names = list(built_in(game))
        words = [names[seat % len(names)] for seat in range(players)]
        study = Study.of(game, words, options=options, games=20 if INTERPRETED else 500)
        rows = outcomes(study)
        seats = rows["seats"][:, :players]
        assert (seats["win_share"].sum(axis=1) == WHOLE_WIN).all()
        assert ((seats["rank"] == 1) == (seats["win_share"] > 0)).all()
        assert (rows["decisions"] <= game.max_decisions).all()
        shown = game.checkpoints_of(study.matchup.rules[0])
        assert 1 <= shown <= CHECKPOINTS


def test_counting_equals_the_outcome_table(game: Game) -> None:
    names = list(built_in(game))
    study = Study.of(game, [names[0], names[-1]], games=20 if INTERPRETED else 400)
    rows, count = outcomes(study), play(study, 2, batch=7).count
    assert count.games == len(rows)
    for place, name in enumerate(game.all_seat_columns):
        assert count.sums["sums"][..., place].sum() == rows["seats"][:, :2][name].sum(), name


def test_records_tell_a_story_and_come_out_the_same_twice(game: Game) -> None:
    replayer = replayer_for(game, game.players[0], {})
    record = replayer.record(4)
    assert record == replayer_for(game, game.players[0], {}).record(4)
    assert list(game.tell(record))
    assert sum(record["result"]["win_share"]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "policy"),
    [(name, policy) for name, game in GAMES.items() for policy in built_in(game)],
)
def test_each_built_in_policy_keeps_the_contract(name: str, policy: str) -> None:
    games = CHECKED[name]
    verdict = examine(read_policy(GAMES[name], policy), few(games, min(games, 8)))
    assert verdict.passed, verdict.failure


@pytest.mark.parametrize(
    ("name", "policy"),
    [(name, policy) for name, game in GAMES.items() for policy in built_in(game)],
)
def test_each_built_in_policy_explains_itself_and_its_numbers(name: str, policy: str) -> None:
    found = read_policy(GAMES[name], policy)
    text = inspect.getdoc(found.function) or ""
    assert found.idea
    for key in found.defaults:
        assert f"`{key}`" in text, f"{policy} does not say what {key} is"

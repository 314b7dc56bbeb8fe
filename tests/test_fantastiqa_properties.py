"""Properties of any game of Fantastiqa: nothing is lost, nothing leaks, every option matters."""

from __future__ import annotations

import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from positions import fits
from scenes_fantastiqa import Scene, all_cards

from simlab.compiled import INTERPRETED, plain
from simlab.engine import Matchup, engine_of
from simlab.errors import UsageError
from simlab.experiments.batches import outcomes
from simlab.experiments.study import Study
from simlab.games.fantastiqa import GAME
from simlab.games.fantastiqa import records as r
from simlab.games.fantastiqa.cards import BOX
from simlab.games.fantastiqa.names import kinds_of, quests_of
from simlab.policies import built_in, read_policies
from simlab.replaying import Replayer

POLICIES = list(built_in(GAME))
EXAMPLES = 2 if INTERPRETED else 12
STEP = 3
"""Of so many positions one is looked at."""
ALPHA = 1e-6


class Played:
    """A matchup and one traced game of it."""

    def __init__(self, words: list[str], options: dict[str, object], seed: int) -> None:
        self.words, self.options, self.seed = words, options, seed
        self.matchup = Matchup(GAME, read_policies(GAME, words), options)
        self.traced = Replayer(self.matchup, seed).trace(0)

    def __repr__(self) -> str:
        return f"Played({self.words}, {self.options}, {self.seed})"


@st.composite
def games(draw: Any) -> Played:
    players = draw(st.integers(2, 4))
    words = [draw(st.sampled_from(POLICIES)) for _ in range(players)]
    options: dict[str, object] = {"turn_cap": 3 if INTERPRETED else 60}
    if players == 4:
        options["teams"] = draw(st.booleans())
    for key in ("wilds", "loops", "fly_empty", "dragon_power", "giving"):
        options[key] = draw(st.booleans())
    for key, low, high in (
        ("hand", 1, 9),
        ("gems", 0, 9),
        ("carpets", 0, 9),
        ("reshuffles", 0, 6),
        ("statue_cards", 1, 9),
        ("release_limit", 0, 9),
        ("token_limit", 0, 5),
        ("quest_limit", 1, 3),
        ("gem_supply", 36, 60),
        ("bonus_supply", 0, 12),
    ):
        options[key] = draw(st.integers(low, high))
    return Played(words, options, draw(st.integers(0, 2**32)))


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(games())
def test_no_card_gem_or_token_is_lost_or_made(game: Played) -> None:
    matchup, traced = game.matchup, game.traced
    rules = plain(matchup.rules[0])
    kinds = kinds_of(rules.mark)
    ids, quests = [card.id for card in kinds], [card.id for card in quests_of(rules.mark)]
    events = {kinds[k].id for k in range(rules.kinds) if rules.group[k] == r.EVENT}
    seen: Counter[str] = Counter()
    for row in traced.rows[::STEP]:
        state = plain(row["state"])
        table = state.table
        gems = table.gem_supply + sum(table.gems) + sum(table.gems_at)
        assert gems == rules.gem_supply
        assert table.bonus_supply + sum(table.open_bonus) + sum(table.bonus) == rules.bonus_supply
        if table.phase < r.FREE:
            continue
        cards = all_cards(state, ids, quests)
        assert all(cards[quest] <= 1 for quest in quests)
        cards["peaceful-dragon"] += table.dragons
        found = Counter({c: n for c, n in cards.items() if c in ids and c not in events})
        seen = seen or found
        assert found == seen


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(games())
def test_what_is_known_of_hidden_cards_is_true(game: Played) -> None:
    """The unseen cards of a seat are those of its hand, its token and its draw pile."""
    matchup, traced = game.matchup, game.traced
    for row in traced.rows[::STEP]:
        state = plain(row["state"])
        table = state.table
        for seat in range(len(matchup.policies)):
            own = state.seats[seat]
            hidden = own.hand[: table.hand_cards[seat]] + own.token[: table.token_cards[seat]]
            hidden = [card % r.DOUBLED for card in hidden] + own.looked[: own.looked_cards]
            held = len(hidden)
            hidden += state.hidden.pile[seat][: table.pile_cards[seat]] if table.phase > 2 else []
            known = np.array(table.unseen[seat])
            assert Counter(hidden) == +Counter(dict(enumerate(known.sum(axis=0).tolist())))
            assert known.sum(axis=1).tolist() == table.unseen_cards[seat]
            assert sum(table.drawn_in[seat]) == held
            draws, cards = np.cumsum(table.drawn_in[seat]), np.cumsum(table.unseen_cards[seat])
            assert (draws <= cards).all()


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(games())
def test_imagined_worlds_hold_the_same_cards(game: Played) -> None:
    matchup, traced = game.matchup, game.traced
    rules = plain(matchup.rules[0])
    ids = [card.id for card in kinds_of(rules.mark)]
    quests = [card.id for card in quests_of(rules.mark)]
    rows = traced.rows[:-1][:: 4 * STEP].copy()
    worlds = rows.copy()
    desks = np.zeros(1, engine_of(GAME).desk)
    desks[0]["chance"]["used"] = len(desks[0]["chance"]["words"])
    engine_of(GAME).redeal(matchup.rules, worlds, desks)
    for row, world in zip(rows, worlds, strict=True):
        if row["state"]["table"]["phase"] >= r.FREE:
            real = all_cards(plain(row["state"]), ids, quests)
            assert all_cards(plain(world["state"]), ids, quests) == real


def test_a_card_kept_over_a_reshuffle_is_known_and_the_new_ones_are_equally_likely() -> None:
    """Seat 1 kept a cat when its pile ran out, then drew one of three cards."""
    scene = Scene("dog", pile=["net"])
    table = scene.table
    table["hand_cards"][1], table["pile_cards"][1], table["generation"][1] = 2, 2, 1
    table["unseen"][1, 0, scene.kind("cat")] = 1
    for card in ("net", "bat", "pail"):
        table["unseen"][1, 1, scene.kind(card)] = 1
    table["unseen_cards"][1, :2] = (1, 3)
    table["drawn_in"][1, :2] = (1, 1)
    draws = 60 if INTERPRETED else 3000
    rows = np.zeros(draws, engine_of(GAME).trace)
    rows["state"] = scene.states[0]
    desks = np.zeros(1, engine_of(GAME).desk)
    desks[0]["chance"]["used"] = len(desks[0]["chance"]["words"])
    engine_of(GAME).redeal(scene.rules, rows, desks)
    hands = [tuple(row["state"]["seats"]["hand"][1, :2].tolist()) for row in rows]
    chances = {
        tuple(sorted((scene.kind("cat"), scene.kind(card)))): 1 / 3
        for card in ("net", "bat", "pail")
    }
    assert fits(Counter(hands), chances, ALPHA)


# --- Options --------------------------------------------------------------------------------

FOR_FOUR = {"teams": True}
CHANGED: dict[str, object] = {
    "deck": "39-49-59",
    "goal": "short",
    "wilds": False,
    "loops": False,
    "fly_empty": True,
    "dragon_power": False,
    "giving": False,
    "turn_cap": 9,
    "hand": 6,
    "gems": 5,
    "carpets": 0,
    "reshuffles": 0,
    "statue_cards": 4,
    "release_limit": 0,
    "release_cost": 2,
    "teleport_cost": 0,
    "quest_limit": 1,
    "token_limit": 1,
    "beast_price": -1,
    "artifact_price": 3,
    "gem_supply": 20,
    "bonus_supply": 2,
    **FOR_FOUR,
}


def test_every_option_has_a_case() -> None:
    assert {option.key for option in GAME.options} == {*CHANGED, "cards"}


@cache
def played(players: int, key: str, words: str) -> Any:
    options = {key: CHANGED[key]} if key else {}
    games = 2 if INTERPRETED else 60
    study = Study.of(GAME, [words] * players, options=options, games=games, seed=4)
    return outcomes(study)


@pytest.mark.skipif(INTERPRETED, reason="takes more games than an interpreter plays")
@pytest.mark.parametrize("key", CHANGED)
def test_every_option_changes_the_result_of_some_game(key: str) -> None:
    players = 4 if key in FOR_FOUR else 2
    words = ["planner", "random"]
    assert any(
        played(players, key, one).tobytes() != played(players, "", one).tobytes() for one in words
    )


# --- Cards ----------------------------------------------------------------------------------


def edited(tmp_path: Path, file: str, old: str, new: str) -> Path:
    """The printed lists with one change."""
    folder = tmp_path / "cards"
    shutil.copytree(BOX.printed_folder, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    return folder


def test_the_printed_lists_have_the_cards_of_the_box() -> None:
    cards = BOX.printed
    numbers = {name: sum(card.copies for card in kinds) for name, kinds in cards.tables.items()}
    assert numbers["creatures"] + numbers["events"] == 59
    assert (numbers["beasts"], numbers["quests"], numbers["dragons"]) == (18, 45, 16)
    starting = sum(card.values["starting"] for card in cards["artifacts"])
    assert numbers["artifacts"] + starting == 29


def test_an_edited_list_is_played_with(tmp_path: Path) -> None:
    folder = edited(tmp_path, "quests.csv", "S2,2 Fire in the Wetlands,1,start,1,3,fire 2",
                    "S2,2 Fire in the Wetlands,1,start,3,3,fire 1")  # fmt: skip
    scene = Scene("candle", place=4, others=(0,), quests=["S2"], cards=str(folder))
    scene.do(r.COMPLETE, 0).do(r.LAY, "candle")
    assert scene.of_me("points") == 6


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("items.csv", "sword 1,,", "sword 1,key; carpet,", "has 2 powers"),
        ("creatures.csv", "sword 1,wand 1", "sword 1,wand 1; net 1", "beaten by one symbol"),
        ("creatures.csv", "sword 1,wand 1", "sword 1,trout 1", "unknown effect 'trout'"),
        ("quests.csv", "3,1,helmet 2; sword 3", "3,1,helmet 4; sword 4", "needs 1 to 7 symbols"),
        ("quests.csv", ",1,start,", ",1,deck,", "Starting Quests"),
        ("artifacts.csv", ",3,1,", ",3,0,", "Starting Artifacts"),
        ("artifacts.csv", "any symbol", "any symbol; draw 1", "has 2 powers"),
        ("dragons.csv", "peaceful-dragon,", "calm,Calm,4,,,public,\npeaceful-dragon,", "one kind"),
    ],
)
def test_a_card_that_makes_no_sense_is_refused(
    tmp_path: Path, file: str, old: str, new: str, message: str
) -> None:
    folder = edited(tmp_path, file, old, new)
    with pytest.raises(UsageError, match=message):
        GAME.rules_for(2, {"cards": str(folder)})

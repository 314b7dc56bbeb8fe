"""All whole turns and free actions that the engine's small decisions lead to, by trying all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from bridge_fantastiqa import Names
from numba import types
from twin_fantastiqa_cards import PLACES

from simlab.compiled import bound, kernel, plain
from simlab.engine import array_of
from simlab.games.fantastiqa import GAME
from simlab.games.fantastiqa import records as r
from simlab.streams import STREAM

Action = tuple


def list_moves(rules_at, states, moves):
    """Write the legal moves of the seat to move; how many."""
    rules, table = rules_at[0], states[0].table
    return legal(rules, table, states[0].seats[table.to_move], moves)  # noqa: F821 - bound


def make_move(rules_at, states, move, streams):
    """Make a move if it is allowed; whether it was."""
    rules, table = rules_at[0], states[0].table
    if table.to_move < 0:
        return 0
    if not allowed(rules, table, states[0].seats[table.to_move], move):  # noqa: F821 - bound
        return 0
    apply(rules, states[0], move, streams[0])  # noqa: F821 - bound
    return 1


@cache
def compiled(text: Callable[..., Any], *arguments: Any) -> Callable[..., int]:
    """A kernel bound to the game, found in the cache by the next process."""
    rules = {name: getattr(GAME, name) for name in ("legal", "allowed", "apply")}
    name = f"{text.__name__}_for_tests_of_{GAME.identity}"
    return kernel(bound(text, name, rules), types.int64(*arguments))


RECORDS = (array_of(GAME.rules), array_of(GAME.state))


class Position:
    """A state of a game from which moves are tried out."""

    def __init__(self, rules: Any, states: Any) -> None:
        self.rules, self.states = rules, states

    @property
    def state(self) -> Any:
        return self.states[0]

    @property
    def table(self) -> Any:
        return self.states[0]["table"]

    @property
    def phase(self) -> int:
        return int(self.table["phase"])

    def moves(self) -> list[tuple[int, int]]:
        """Legal moves as verbs and things."""
        room = np.zeros(GAME.max_moves, np.int64)
        n = compiled(list_moves, *RECORDS, types.int64[::1])(self.rules, self.states, room)
        return [divmod(int(move), r.WIDTH) for move in room[:n]]

    def things(self, verb: int) -> list[int]:
        """What a verb may be about now."""
        return [thing for one, thing in self.moves() if one == verb]

    def after(self, verb: int, thing: int = 0) -> Position:
        """The position after a move, which has to be allowed."""
        there = Position(self.rules, self.states.copy())
        assert there.make(verb, thing), (verb, thing)
        return there

    def make(self, verb: int, thing: int = 0) -> bool:
        """Make a move here, if it is allowed."""
        streams = np.zeros(1, STREAM)
        streams["used"] = streams["words"].shape[-1]
        made = compiled(make_move, *RECORDS, types.int64, array_of(STREAM))
        return bool(made(self.rules, self.states, r.WIDTH * verb + thing, streams))


class Explorer:
    """Lists the actions of a position as the twin names them."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.names = Names(plain(rules[0]))

    def turns(self, here: Position) -> set[Action]:
        """All turn actions, passing included."""
        found: set[Action] = {("pass",)} if here.table["acted"] == 0 else set()
        for verb, thing in here.moves():
            if verb == r.GO:
                found |= {("adventure", steps) for steps in self.adventures(here, thing, ())}
            elif verb == r.VISIT:
                found |= set(self.visits(here.after(verb)))
            elif verb == r.COMPLETE:
                found |= set(self.completions(here, thing))
        return found

    def adventures(self, here: Position, space: int, line: tuple) -> Iterator[tuple]:
        """All lines that go on over a space."""
        for cards, _, there in self.payments(here.after(r.GO, space)):
            longer = (*line, (space + 1, cards))
            yield longer
            if there.phase == r.TRAVELLING:
                assert (r.STOP, 0) in there.moves()
                for further in there.things(r.GO):
                    yield from self.adventures(there, further, longer)

    def payments(self, here: Position) -> list[tuple[tuple, tuple, Position]]:
        """All payments that can be made card by card, and what comes after."""
        found: dict[tuple[tuple, tuple], Position] = {}
        waiting = [((), (), here)]
        seen = set()
        for held, under, there in waiting:
            if there.phase != r.PAYING:
                found[held, under] = there
                continue
            moves = there.moves()
            assert moves, "a payment that cannot be completed"
            for verb, thing in moves:
                name = (self.names.card(thing),)
                more = (tuple(sorted(held + name)), under)
                if verb == r.LAY_TOKEN:
                    more = (held, tuple(sorted(under + name)))
                if more not in seen:
                    seen.add(more)
                    waiting.append((*more, there.after(verb, thing)))
        return [(held, under, there) for (held, under), there in found.items()]

    def completions(self, here: Position, place: int) -> Iterator[Action]:
        table = plain(here.state).table
        personal = place < r.SLOTS
        quests = table.quests[table.to_move] if personal else table.open_quests
        quest = self.names.quests[quests[place if personal else place - r.SLOTS]]
        for held, under, _ in self.payments(here.after(r.COMPLETE, place)):
            yield ("complete", quest, held, under)

    def visits(self, here: Position) -> Iterator[Action]:
        for verb, _ in here.moves():
            there = here.after(verb)
            if verb == r.TELEPORT:
                yield ("teleport",)
            elif verb == r.DRAW:
                yield from self.draws(there)
            else:
                yield from self.releases(there)

    def draws(self, here: Position) -> set[Action]:
        found: set[Action] = set()
        waiting: list[tuple[tuple, Position]] = [((), here)]
        for plus, there in waiting:
            if there.phase != r.ADDING:
                found.add(("draw", plus))
                continue
            found.add(("draw", plus))
            assert (r.DONE, 0) in there.moves()
            for thing in there.things(r.ADD):
                more = tuple(sorted((*plus, self.names.card(thing))))
                if all(more != other for other, _ in waiting):
                    waiting.append((more, there.after(r.ADD, thing)))
        return found

    def releases(self, here: Position) -> set[Action]:
        found: set[Action] = set()
        waiting: list[tuple[tuple, tuple, tuple, Position]] = [((), (), (), here)]
        seen: set[Action] = set()
        for plus, held, old, there in waiting:
            over = there.phase != r.RELEASING
            moves = [] if over else there.moves()
            if over or (r.DONE, 0) in moves:
                found.add(("release", plus, held, old))
            for verb, thing in moves:
                if verb == r.DONE:
                    continue
                card = (self.names.card(thing),)
                more = {
                    r.ADD: (tuple(sorted(plus + card)), held, old),
                    r.LET_GO: (plus, tuple(sorted(held + card)), old),
                    r.LET_GO_DISCARD: (plus, held, tuple(sorted(old + card))),
                }[verb]
                if more not in seen:
                    seen.add(more)
                    waiting.append((*more, there.after(verb, thing)))
        return found

    # --- Free actions ---

    def free_actions(self, here: Position) -> set[Action]:
        """All free actions."""
        found: set[Action] = set()
        quests = plain(here.state).table.quests[int(here.table["to_move"])]
        for verb, thing in here.moves():
            card = self.names.card(thing) if verb != r.FLY else ""
            if r.COMMIT <= verb <= r.WITHDRAW_TOKEN:
                what = "commit" if verb <= r.COMMIT_TOKEN else "withdraw"
                slot = verb - (r.COMMIT if what == "commit" else r.WITHDRAW)
                quest = self.names.quests[quests[slot]] if slot < r.SLOTS else "token"
                found.add((what, card, quest))
            elif verb == r.DISCARD:
                found.add(("discard", card))
            elif verb == r.FLY:
                found.add(("carpet", thing + 1))
            elif verb == r.RESHUFFLE:
                found.add(("reshuffle",))
            elif verb == r.USE:
                rest = self.uses(here, here.after(verb, thing), thing)
                found |= {("use", card, *some) for some in rest}
        return found

    def uses(self, here: Position, there: Position, card: int) -> Iterator[tuple]:
        """What a card may be used on."""
        seat = int(here.table["to_move"])
        power = int(self.rules[0]["special"][card % r.DOUBLED])
        if there.phase == r.AT_STATUE:
            yield from ((visit,) for visit in self.visits(there))
        elif there.phase in (r.FREE, r.KEEPING):
            yield (1 - seat,) if power == r.SUMMON_DRAGON else ()
        elif there.phase == r.BREWING:
            for verb, thing in there.moves():
                source = "hand" if verb == r.BREW_HAND else "discard"
                poured = there.after(verb, thing)
                seats = poured.things(r.POUR) if poured.phase == r.POURING else [1 - seat]
                yield from ((source, self.names.card(thing), other) for other in seats)
        else:
            for verb, thing in there.moves():
                yield self.target(verb, thing)

    def target(self, verb: int, thing: int) -> tuple:
        if verb == r.FLY:
            return (thing + 1,)
        if verb == r.SWAP:
            return (thing // 8 + 1, thing % 8 + 1)
        if verb == r.STRIDE_TO:
            return (PLACES[thing],)
        return (self.names.card(thing) if verb == r.DOUBLE_CARD else thing,)

"""Whether a policy plays by the contract: legal, honest, repeatable, tidy, blind where it says so.

A policy is a program: it may write where it should not, or never return, and compiled code
cannot be stopped from inside. So a check plays in a process of its own, with a time limit.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from simlab import cache
from simlab.children import Child, Parent
from simlab.compiled import plain
from simlab.contract import Policy
from simlab.engine import (
    Engine,
    Matchup,
    Room,
    compiled_policy,
    engine_of,
    replay_line,
)
from simlab.errors import PolicyError, SimlabError, UsageError
from simlab.streams import SCRATCH
from simlab.userfiles import how_it_ended

GAMES = 1000
SHORT_CHECK_GAMES = 40
SECONDS = 60.0
SHORT_CHECK_SECONDS = 10.0
"""Time for loading the policy, and then for each game; compiling does not count."""
TIMED_GAMES = 50


@dataclass
class Verdict:
    """What a check found; a property that was not reached is None.

    Attributes
    ----------
    legal : bool
        Every move was legal, and every game ended.
    deterministic : bool
        Asked again in the same position, with the same numbers drawn, it moves alike.
    tidy : bool
        It writes into nothing but its notes, and prints nothing.
    honest : bool
        It moves alike when what its seat cannot know is dealt anew.
    blind : bool
        It moves alike when what it says it is blind to is changed.
    failure, position, replay : str
        The first failure in words, the position, and the command that shows the game.
    """

    game: str
    policy: str
    games: int = 0
    decisions: int = 0
    ns_per_decision: float | None = None
    legal: bool | None = None
    deterministic: bool | None = None
    tidy: bool | None = None
    honest: bool | None = None
    blind: bool | None = None
    passed: bool = False
    failure: str | None = None
    position: str | None = None
    replay: str | None = None

    def fail(self, failure: str, position: str | None = None, replay: str | None = None) -> Verdict:
        """Note the first failure."""
        self.failure, self.position, self.replay = failure, position, replay
        return self


class _Examiner:
    """Examines a policy at one size of table."""

    def __init__(self, verdict: Verdict, policy: Policy, players: int, seed: int) -> None:
        game = policy.game
        self.verdict, self.policy, self.game, self.seed = verdict, policy, game, seed
        self.engine: Engine = engine_of(game)
        others = self._opponents(players)
        self.options = dict(game.check_options)
        self.matchup = Matchup(game, [policy, *others], self.options)
        self.trace = np.zeros(game.max_decisions + 1, engine_of(game).trace)
        self.outcome = np.zeros(1, game.outcome)
        self.desks = np.zeros(1, self.engine.desk)
        self.desks[0]["chance"]["purpose"] = SCRATCH
        self.desks[0]["chance"]["used"] = len(self.desks[0]["chance"]["words"])
        seats = range(players)
        turn = [[(seat - start) % players for seat in seats] for start in seats]
        self.seatings = [np.array([[self.matchup.seating[s] for s in row]]) for row in turn]
        self.rooms = [Room(self.matchup, seating, seed) for seating in self.seatings]
        self.kept: list[Any] = []  # decisions to measure time on

    def _opponents(self, players: int) -> list[Policy]:
        from simlab.policies import built_in

        plain = next(iter(built_in(self.game).values()))
        return [plain if seat % 2 else self.policy for seat in range(1, players)]

    def examine(self, deal: int) -> bool:
        """Play one deal and examine each decision of the policy; False at the first failure."""
        turn = deal % len(self.rooms)
        try:
            self.rooms[turn].play(deal, 1, self.outcome, trace=self.trace)
        except PolicyError as error:
            self.verdict.legal = False
            words, _, line = str(error).partition("; see: ")
            job = self.rooms[turn]._job[0]
            self.verdict.fail(words, self._position(self.trace[int(job["decision"])]), line)
            return False
        rows = self.trace[: int(self.outcome[0]["decisions"])]
        mine = rows[[self.seatings[turn][0][seat] == 0 for seat in rows["seat"]]]
        self.verdict.games += 1
        self.verdict.decisions += len(mine)
        if len(mine) == 0:
            return True
        if len(self.kept) < TIMED_GAMES:
            self.kept.append(mine.copy())
        return all(
            self._same(name, mine, turn, deal, changes) for name, changes in self._changes(mine)
        )

    def _changes(self, mine: Any) -> list[tuple[str, Callable[[Any, Any], None]]]:
        changes: list[tuple[str, Callable[[Any, Any], None]]] = [
            ("deterministic", lambda rows, rules: None),
            ("honest", self._redeal),
        ]
        for thing in self.policy.blind_to:
            conceal = self.engine.conceal(thing)
            rows, rules = mine[:1].copy(), self.matchup.rules.copy()
            for choice in range(conceal(rules, rows, 0)):

                def change(
                    rows: Any, rules: Any, choice: int = choice, conceal: Any = conceal
                ) -> None:
                    conceal(rules, rows, choice)

                changes.append(("blind", change))
        return changes

    def _same(
        self, name: str, mine: Any, turn: int, deal: int, change: Callable[[Any, Any], None]
    ) -> bool:
        """Whether the policy moves as it did, once something was changed behind its back."""
        rows, rules = mine.copy(), self.matchup.rules.copy()
        change(rows, rules)
        shown = rows.copy()
        moves = np.zeros(len(rows), np.int64)
        self._decide(rules, rows, moves)
        if name == "deterministic" and not self._tidy(shown, rows, turn, deal):
            return False
        wrong = np.flatnonzero(moves != mine["move"])
        if len(wrong) == 0:
            setattr(self.verdict, name, True)
            return True
        setattr(self.verdict, name, False)
        first = mine[wrong[0]]
        reasons = {
            "deterministic": "asked again in the same position it moves otherwise",
            "honest": "moves otherwise when cards that it cannot see are dealt anew",
            "blind": f"looks at what it says it is blind to ({', '.join(self.policy.blind_to)})",
        }
        was, now = (
            self.game.name_move(plain(first["state"]), int(move))
            for move in (first["move"], moves[wrong[0]])
        )
        self._fail(f"{reasons[name]}: {was}, then {now}", first, turn, deal)
        return False

    def _redeal(self, rows: Any, rules: Any) -> None:
        self.engine.redeal(rules, rows, self.desks)

    def _decide(self, rules: Any, rows: Any, moves: Any) -> None:
        lineup, minds = self.matchup.compiled(), self.matchup.minds
        self.engine.decide(rules, lineup, 0, minds, rows, self.desks, moves)

    def time(self) -> tuple[int, float]:
        """Decisions asked again, and the seconds that they took."""
        rows = np.concatenate(self.kept) if self.kept else self.trace[:0]
        moves = np.zeros(len(rows), np.int64)
        spent = []
        for _ in range(3):  # the quickest one, least disturbed by others on the machine
            again = rows.copy()
            began = time.perf_counter()
            self._decide(self.matchup.rules, again, moves)
            spent.append(time.perf_counter() - began)
        return len(rows), min(spent)

    def _tidy(self, shown: Any, rows: Any, turn: int, deal: int) -> bool:
        """Whether the records are as they were shown, the seat's notes left aside."""
        for place, (before, after) in enumerate(zip(shown, rows, strict=True)):
            seat = int(before["seat"])
            after["state"]["seats"]["notes"][seat] = before["state"]["seats"]["notes"][seat]
            if before["state"].tobytes() != after["state"].tobytes():
                self.verdict.tidy = False
                self._fail("writes into the records that it is shown", shown[place], turn, deal)
                return False
        self.verdict.tidy = True
        return True

    def _position(self, row: Any) -> str:
        rules, state = plain(self.matchup.rules[0]), plain(row["state"])
        return "\n".join(self.game.show(rules, state, max(0, int(row["seat"]))))

    def _fail(self, what: str, row: Any, turn: int, deal: int) -> None:
        policies = [self.matchup.lineup[who] for who in self.seatings[turn][0]]
        line = replay_line(self.game, policies, self.options, self.seed, deal)
        where = f" (in seat {int(row['seat'])}, deal {deal})"
        self.verdict.fail(f"{self.policy.text} {what}{where}", self._position(row), line)


def examine(
    policy: Policy,
    games: int = GAMES,
    seed: int = 0,
    tell: Callable[[int, int], None] | None = None,
) -> Verdict:
    """Check a policy in this very process.

    Parameters
    ----------
    policy : Policy
    games : int
        Games to play, spread over all sizes of table and all seats.
    seed : int
    tell : callable, optional
        Is told players and deal before each game, and before decisions are measured.

    Returns
    -------
    Verdict
    """
    game = policy.game
    verdict = Verdict(game.name, policy.text)
    engine = engine_of(game)
    try:
        compiled_policy(policy)
    except PolicyError as error:
        return verdict.fail(str(error))
    # Compiled now, not in the first game, whose time is limited.
    engine.play, engine.decide, engine.redeal  # noqa: B018
    for thing in policy.blind_to:
        engine.conceal(thing)
    low, high = game.players
    sizes = [_Examiner(verdict, policy, players, seed) for players in range(low, high + 1)]
    for number in range(games):
        size = sizes[number % len(sizes)]
        deal = number // len(sizes)
        if tell is not None:
            tell(len(size.matchup.policies), deal)
        if not size.examine(deal):
            return verdict
    times = []
    for size in sizes:
        if tell is not None:
            tell(len(size.matchup.policies), 0)
        times.append(size.time())
    asked, spent = (sum(parts) for parts in zip(*times, strict=True))
    verdict.ns_per_decision = spent / asked * 1e9 if asked else None
    verdict.legal = True
    verdict.passed = True
    return verdict


def check(
    game_word: str, policy_word: str, games: int = GAMES, seed: int = 0, seconds: float = SECONDS
) -> Verdict:
    """Check a policy in a process of its own.

    Parameters
    ----------
    game_word, policy_word : str
        As on the command line.
    games, seed : int
    seconds : float
        Time for loading the policy, and for each game; compiling does not count.

    Returns
    -------
    Verdict

    Raises
    ------
    SimlabError
        If there is no such policy, or the other process dies before it can say anything.
    """
    child = Child("simlab.checking", [game_word, policy_word, *map(str, (games, seed, seconds))])
    heard = child.listen()
    if child.printed is not None:
        return _prints(game_word, policy_word, child)
    if "verdict" in heard:
        return Verdict(**heard["verdict"])
    if "error" in heard:
        raise (UsageError if heard["usage"] else SimlabError)(heard["error"])
    if "loaded" not in heard:
        raise SimlabError(f"{policy_word} {how_it_ended(child, seconds)}")
    if "playing" not in heard:
        raise SimlabError(f"the check of {policy_word} ended before it began: {child.end()}")
    if child.late:
        what = f"did not return within {seconds:g} s ({_where(heard)})"
    else:
        what = f"brought its process down ({_where(heard)}): {child.end()}"
    return Verdict(game_word, policy_word, legal=False).fail(f"{policy_word} {what}")


def _where(heard: Mapping[str, Any]) -> str:
    players, deal = heard["playing"]
    return f"in deal {deal} with {players} players"


def _prints(game_word: str, policy_word: str, child: Child) -> Verdict:
    """The verdict on a policy that prints: in a run that would be mixed with the results."""
    said = child.printed or ""
    shown = said if len(said) <= 40 else f"{said[:37]}..."
    what = f"{policy_word} prints while it plays ({_where(child.heard)}): {shown!r}"
    return Verdict(game_word, policy_word, tidy=False).fail(what)


def ensure_checked(game_word: str, words: Sequence[str], policies: Sequence[Policy]) -> None:
    """Give each policy from a user's file a short check, once for each content of the file.

    Raises
    ------
    PolicyError
        If it fails; says how to see more.
    """
    for word, policy in dict(zip(words, policies, strict=True)).items():
        if policy.source is None:
            continue
        marker = cache.folder() / f"checked-{_check_digest(policy)}"
        if marker.exists():
            continue
        verdict = check(game_word, word, SHORT_CHECK_GAMES, seconds=SHORT_CHECK_SECONDS)
        if not verdict.passed:
            raise PolicyError(f"{verdict.failure}; more with: simlab check {game_word} {word}")
        marker.touch()


def _check_digest(policy: Policy) -> str:
    import hashlib

    assert policy.source is not None
    words = f"{policy.game.identity}\0{cache.file_digest(policy.source)}\0{policy.text}"
    return hashlib.sha256(words.encode()).hexdigest()[:24]


def _main(words: Sequence[str]) -> None:
    """Run one check and say what comes of it (the checking process)."""
    from simlab.games import game_named
    from simlab.policies import read_policy

    parent = Parent(words)
    game_word, policy_word, games, seed, limit = parent.words
    seconds = float(limit)

    def tell(*at: int) -> None:
        parent.say(limit=seconds, playing=at, quiet=True)

    try:
        game = game_named(game_word)
        parent.say(limit=seconds)
        policy = read_policy(game, policy_word)
        parent.say(loaded=True)
        verdict = examine(policy, int(games), int(seed), tell)
    except SimlabError as error:
        parent.say(error=str(error), usage=isinstance(error, UsageError))
        return
    parent.say(verdict=_plain(asdict(verdict)))


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value.item() if isinstance(value, np.generic) else value
        for key, value in values.items()
    }


if __name__ == "__main__":
    _main(sys.argv[1:])

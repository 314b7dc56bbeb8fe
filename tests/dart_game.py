"""Darts: each seat throws once, at a number or at each other; what is best to do is known.

On the board (`kind=board`) the throw that lands nearest to the bull wins, each with some luck of
its own: whoever aims at the bull wins most. With `kind=hands` a throw is rock, paper or scissors
(0, 1, 2), a win over each seat that it beats and a loss to each that beats it.
"""

import numpy as np

from simlab.compiled import record_type, rule
from simlab.contract import SEAT_FIELDS, TABLE_FIELDS, Game, Ruling, Seen, policy
from simlab.options import Option
from simlab.streams import SETUP, below, open_stream, purpose_of, uniform

NUMBERS, BULL, FAR = 100, 60, 10_000
RULES = record_type([("players", np.int64), ("hands", np.int64), ("luck", np.int64)])
TABLE = record_type([*TABLE_FIELDS, ("throws", np.int64, (4,))])
SEAT = record_type(SEAT_FIELDS)
HIDDEN = record_type([("luck", np.int64, (4,))])
OPTIONS = (
    Option("kind", "board", "what is thrown at", choices=("board", "hands")),
    Option("luck", 4000, "the most that luck adds to a throw", low=1, high=FAR),
)


def make_rules(players, values):
    rules = np.zeros(1, RULES)
    rules[0] = (players, values["kind"] == "hands", values["luck"])
    return rules


@rule
def deal(rules, state, chance):
    state.table.checkpoint = 0
    state.table.to_move = 0
    open_stream(chance, chance.seed, chance.deal, purpose_of(SETUP, 0, 0))
    for seat in range(rules.players):
        state.seats[seat].seat = seat
        state.seats[seat].notes[:] = 0
        state.table.throws[seat] = -1
        state.hidden.luck[seat] = below(chance, rules.luck)


@rule
def legal(rules, table, own, moves):
    count = 3 if rules.hands else NUMBERS
    for move in range(count):
        moves[move] = move
    return count


@rule
def allowed(rules, table, own, move):
    return 0 <= move < (3 if rules.hands else NUMBERS)


@rule
def apply(rules, state, move, chance):
    table = state.table
    table.throws[table.to_move] = move
    table.to_move += 1
    if table.to_move == rules.players:
        table.checkpoint = 1
        table.to_move = -1


@rule
def over(rules, state):
    return state.table.to_move < 0


@rule
def progress(rules, table, seat):
    return 0


@rule
def beaten_by(rules, table, seat):
    balance = 0
    for other in range(rules.players):
        turn = (table.throws[seat] - table.throws[other]) % 3
        if turn == 1:
            balance += 1
        elif turn == 2:
            balance -= 1
    return balance


@rule
def score(rules, state, outcome):
    table = state.table
    for seat in range(rules.players):
        points = 10 + beaten_by(rules, table, seat)
        if not rules.hands:
            off = table.throws[seat] - BULL
            points = FAR - off * off + state.hidden.luck[seat]
        outcome.seats[seat].points = outcome.seats[seat].standing = points


@rule
def imagine(rules, table, own, world, rng):
    world.table = table
    for seat in range(rules.players):
        world.seats[seat].seat = seat
        world.seats[seat].notes[:] = 0
        world.hidden.luck[seat] = below(rng, rules.luck)


def narrate(rules, before, move, after, outcome):
    if before is None:
        return []
    return [Seen({"event": "throw", "seat": int(before.table.to_move), "at": int(move)})]


GAME = Game(
    name="darts",
    title="Darts",
    version=1,
    players=(2, 4),
    rules=RULES,
    table=TABLE,
    seat=SEAT,
    hidden=HIDDEN,
    max_moves=NUMBERS,
    max_decisions=4,
    options=OPTIONS,
    make_rules=make_rules,
    deal=deal,
    legal=legal,
    allowed=allowed,
    apply=apply,
    over=over,
    score=score,
    progress=progress,
    imagine=imagine,
    narrate=narrate,
    tell=lambda record: [("", str(event)) for event in record["events"]],
    name_move=lambda state, move: f"throw at {move}",
    show=lambda rules, state, seat: [f"seat {seat}"],
    checkpoints_of=lambda rules: 1,
    summary="throw at what you like",
    rules_text="Everybody throws once.",
    rulings=(Ruling("Who throws first?", "seat 0"),),
    policies=__name__,
)


@policy(GAME)
def random(rules, table, own, moves, weights, rng):
    """Throws anywhere."""
    return below(rng, legal(rules, table, own, moves))


@policy(GAME, at=30.0, idle=1.0)
def dart(rules, table, own, moves, weights, rng):
    """Throws `at` a number; `idle` does nothing."""
    return min(max(np.int64(weights[0]), 0), NUMBERS - 1)


@policy(GAME, at=60.0)
def same_dart(rules, table, own, moves, weights, rng):
    """Throws `at` a number."""
    return min(max(np.int64(weights[0]), 0), NUMBERS - 1)


@policy(GAME, idle=1.0, lazy=0.0)
def sleeper(rules, table, own, moves, weights, rng):
    """Throws anywhere; neither `idle` nor `lazy` does anything."""
    return below(rng, legal(rules, table, own, moves))


@policy(GAME)
def rock(rules, table, own, moves, weights, rng):
    """A rock."""
    return 0


@policy(GAME)
def paper(rules, table, own, moves, weights, rng):
    """A sheet of paper."""
    return 1


@policy(GAME)
def scissors(rules, table, own, moves, weights, rng):
    """A pair of scissors."""
    return 2


@policy(GAME, rock=1.0, paper=1.0, scissors=1.0)
def mixer(rules, table, own, moves, weights, rng):
    """A hand drawn by weights: `rock`, `paper` and `scissors`."""
    shares = max(weights[0], 0.0), max(weights[1], 0.0), max(weights[2], 0.0)
    drawn = uniform(rng) * (shares[0] + shares[1] + shares[2])
    if drawn < shares[0]:
        return 0
    return 1 if drawn < shares[0] + shares[1] else 2

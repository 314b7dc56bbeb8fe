"""Toy: roll as long as you dare, bank the sum, and hope that nobody holds a shield against you.

A turn is several small decisions (roll again or bank); banking may be answered out of turn, by
each other seat in order, with a hidden shield that halves the gain. Seats without shields are
not asked. It has nothing in common with Fantastique, and the same loop plays it.
"""

import numpy as np

from simlab.compiled import record_type, rule
from simlab.contract import SEAT_FIELDS, TABLE_FIELDS, Game, Ruling, Seen, policy
from simlab.options import Option
from simlab.streams import DICE, SETUP, below, open_stream, purpose_of

ROLL, BANK, LET, SHIELD = 0, 1, 2, 3
WORDS = ("roll", "bank", "let it pass", "raise a shield")
RULES = record_type(
    [("players", np.int64), ("goal", np.int64), ("turns", np.int64), ("luck", np.int64)]
)
TABLE = record_type(
    TABLE_FIELDS
    + [(name, np.int64) for name in ("active", "turn", "banking", "pot", "rolls", "die")]
    + [("points", np.int64, (4,)), ("shields_used", np.int64, (4,))]
)
SEAT = record_type([*SEAT_FIELDS, ("shields", np.int64)])
HIDDEN = record_type([("nothing", np.int64)])
OPTIONS = (
    Option("goal", 20, "points that end the game", low=5, high=100),
    Option("turns", 12, "full turns of the table at most", low=1, high=50),
    Option("luck", 2, "most shields that a seat is dealt", low=0, high=5),
)


def make_rules(players, values):
    rules = np.zeros(1, RULES)
    rules[0] = (players, values["goal"], values["turns"], values["luck"])
    return rules


@rule
def deal(rules, state, chance):
    table = state.table
    table.checkpoint = table.active = table.turn = table.banking = 0
    table.pot = table.rolls = table.die = 0
    open_stream(chance, chance.seed, chance.deal, purpose_of(SETUP, 0, 0))
    for seat in range(rules.players):
        state.seats[seat].seat = seat
        state.seats[seat].notes[:] = 0
        state.seats[seat].shields = below(chance, rules.luck + 1)
        table.points[seat] = table.shields_used[seat] = 0
    table.to_move = 0


@rule
def legal(rules, table, own, moves):
    if table.banking == 0:
        moves[0], moves[1] = ROLL, BANK
    else:
        moves[0], moves[1] = LET, SHIELD
    return 2


@rule
def allowed(rules, table, own, move):
    if table.banking == 0:
        return move in (ROLL, BANK)
    return move == LET or (move == SHIELD and own.shields > 0)


@rule
def apply(rules, state, move, chance):
    table = state.table
    if move == ROLL:
        table.rolls += 1
        open_stream(chance, chance.seed, chance.deal, purpose_of(DICE, table.active, table.rolls))
        table.die = 1 + below(chance, 6)
        table.pot = 0 if table.die == 1 else table.pot + table.die
        if table.die == 1:
            end_turn(rules, table)
    elif move == SHIELD:
        table.pot //= 2
        state.seats[table.to_move].shields -= 1
        table.shields_used[table.to_move] += 1
    if move != ROLL:
        table.banking += 1
        ask_next(rules, state)


@rule
def ask_next(rules, state):
    table = state.table
    while table.banking < rules.players:
        seat = (table.active + table.banking) % rules.players
        if state.seats[seat].shields > 0 and table.pot > 1:
            table.to_move = seat
            return
        table.banking += 1
    table.points[table.active] += table.pot
    end_turn(rules, table)


@rule
def end_turn(rules, table):
    done = table.points[table.active] >= rules.goal
    table.pot = table.banking = 0
    table.active = (table.active + 1) % rules.players
    if table.active == 0:
        table.turn += 1
        table.checkpoint = table.turn
    table.to_move = -1 if done or table.turn == rules.turns else table.active


@rule
def over(rules, state):
    return state.table.to_move < 0


@rule
def progress(rules, table, seat):
    return table.points[seat]


@rule
def score(rules, state, outcome):
    for seat in range(rules.players):
        outcome.seats[seat].points = outcome.seats[seat].standing = state.table.points[seat]
        outcome.seats[seat].shields_used = state.table.shields_used[seat]
    outcome.turns = state.table.turn


@rule
def imagine(rules, table, own, world, rng):
    world.table = table
    for seat in range(rules.players):
        world.seats[seat].seat = seat
        world.seats[seat].notes[:] = 0
        most = max(0, rules.luck - table.shields_used[seat])
        world.seats[seat].shields = below(rng, most + 1)
    world.seats[own.seat].notes[:] = own.notes[:]
    world.seats[own.seat].shields = own.shields


def narrate(rules, before, move, after, outcome):
    if before is None:
        seats = range(int(rules.players))
        return [
            Seen({"event": "deal", "seat": s, "shields": int(after.seats[s].shields)}, (s,))
            for s in seats
        ]
    seat = int(before.table.to_move)
    if move == ROLL:
        return [Seen({"event": "roll", "seat": seat, "die": int(after.table.die)})]
    events = [Seen({"event": WORDS[move], "seat": seat})] if move != LET else []
    if after.table.banking == 0:
        active = int(before.table.active)
        gained = int(after.table.points[active] - before.table.points[active])
        events.append(Seen({"event": "gain", "seat": active, "points": gained}))
    return events


def tell(record):
    for event in record["events"]:
        yield "", " ".join(str(value) for value in event.values())


GAME = Game(
    name="toy",
    title="Toy",
    version=1,
    players=(2, 4),
    rules=RULES,
    table=TABLE,
    seat=SEAT,
    hidden=HIDDEN,
    max_moves=2,
    max_decisions=5000,
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
    tell=tell,
    name_move=lambda state, move: (
        f"{WORDS[move]} (move {move})" if 0 <= move < 4 else f"move {move}"
    ),
    show=lambda rules, state, seat: [f"seat {seat}, pot {int(state.table.pot)}"],
    seat_columns=("shields_used",),
    game_columns=("turns",),
    summary="roll as long as you dare",
    rules_text="Roll or bank; shields halve what others bank.",
    rulings=(Ruling("Who starts?", "seat 0"),),
    policies=__name__,
)


@policy(GAME)
def random(rules, table, own, moves, weights, rng):
    """Draws lots."""
    return moves[below(rng, legal(rules, table, own, moves))]


@policy(GAME, hold=8.0, tight=4.0)
def steady(rules, table, own, moves, weights, rng):
    """Banks from `hold` points on, and shields against `tight` points or more."""
    own.notes[0] += 1
    if table.banking == 0:
        return BANK if table.pot >= weights[0] else ROLL
    return SHIELD if table.pot >= weights[1] else LET

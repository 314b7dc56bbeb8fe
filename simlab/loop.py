"""The one loop that plays every game.

These texts are never compiled as they stand: `simlab.engine` binds copies of them to a game's
rules, whose names (`deal`, `apply`, ...) they use as if they were globals. They draw nothing
themselves, check every move, and return codes; the surface turns a code into words.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.contract import CHECKPOINTS, WHOLE_WIN
from simlab.streams import POLICY, SEATING, below, open_stream, purpose_of
from simlab.totals import add_deal, close_deal, finish_totals

DONE, ILLEGAL, TOO_LONG = 0, 1, 2
"""How a batch ended: all played, a move that is not allowed, a game that does not end."""


BLOCK = 16
"""Games that are played before they are summed up: their numbers are out of the processor's hands
by then, and its code for summing up comes in once for all of them."""


def play_deals(
    rules_at,
    lineup,
    minds,
    seatings,
    job_at,
    desks,
    outcomes,
    flat,
    totals,
    deal_sums,
    deal_games,
    trace,
):
    """Play every seating of a run of deals.

    Parameters
    ----------
    rules_at : array of rules records
        The first is played by; the others differ in what only scoring reads, and score the
        very same games again.
    lineup : tuple of policies
        As values of the game's one function type, padded to the most seats.
    minds : array of MIND
        The parameters of each policy in the line-up.
    seatings : int64 array, shape (rotations, players)
        Place in the line-up of the policy that holds each seat. If the job says ``shuffled``
        there is a row for each deal of a block, filled with the last row in random order.
    job_at : array of one JOB record
        Which deals; where play stands, for messages.
    desks : array of one desk record
        Room to play in.
    outcomes : array of outcomes, shape (rules, rows)
        One row a game, deal by deal; where it holds one block only, each overwrites the last.
    flat : int64 array, shape (rules, rows, width)
        The same memory as plain numbers.
    totals : array of records of totals, one for each rules record
        Sums to add to; empty if none are wanted.
    deal_sums : int64 array, shape (rules, deals, seats, columns)
        Filled with each deal's sums by policy, if it holds any deals (and totals are wanted).
    deal_games : int64 array, shape (rules, deals, game columns)
        Filled with each deal's sums of the columns of a game, likewise.
    trace : array of trace records
        Filled with the decisions of the last game, if not empty.

    Returns
    -------
    int
        DONE, ILLEGAL or TOO_LONG.
    """
    rules, job, desk = rules_at[0], job_at[0], desks[0]
    rotations = 1 if job.shuffled else len(seatings)
    block = max(1, BLOCK // rotations)
    keep = outcomes.shape[1] >= rotations * job.deals
    for first in range(0, job.deals, block):
        deals = min(block, job.deals - first)
        start = first * rotations if keep else 0
        for turn in range(deals):
            job.deal = job.first_deal + np.uint64(first + turn)
            row = start + turn * rotations
            code = play_deal(
                rules_at, lineup, minds, seatings, turn, job, desk, outcomes, row, trace
            )
            if code != DONE:
                return code
        for scored in range(len(totals)):
            for turn in range(deals):
                seated = seatings[turn : turn + 1] if job.shuffled else seatings
                row = start + turn * rotations
                add_deal(rules.players, seated, flat[scored], row, desk, totals[scored])
                if deal_sums.shape[1] > 0:
                    deal_sums[scored, first + turn] = desk.by_policy
                    deal_games[scored, first + turn] = desk.by_game
                close_deal(rules.players, seated, flat[scored, row], desk, totals[scored])
    for scored in range(len(totals)):
        finish_totals(rules.players, rotations, totals[scored])
    return DONE


def play_deal(rules_at, lineup, minds, seatings, turn, job, desk, outcomes, row, trace):
    """Play every seating of one deal, and score its games by every rules record."""
    rules = rules_at[0]
    if job.shuffled:
        shuffle_seats(rules.players, job, desk, seatings, turn)
    open_stream(desk.chance, job.seed, job.deal, 0)
    deal(rules, desk.dealt, desk.chance)
    for rotation in range(1 if job.shuffled else len(seatings)):
        job.rotation = rotation
        desk.state = desk.dealt
        place, seating = row + rotation, seatings[turn if job.shuffled else rotation]
        code = play_game(rules, lineup, minds, seating, job, desk, outcomes[0, place], trace)
        if code != DONE:
            return code
        outcomes[0, place].deal = np.int64(job.deal)
        outcomes[0, place].rotation = rotation
        for other in range(1, len(rules_at)):
            outcomes[other, place] = outcomes[0, place]
            rescope(rules_at[other], desk.state.table)
            finish(rules_at[other], desk.state, outcomes[other, place])
    return DONE


@rule
def shuffle_seats(players: int, job: Record, desk: Record, seatings: Record, row: int) -> None:
    """Seat the line-up (the last row) at random for this deal (in a row before it)."""
    purpose = purpose_of(SEATING, 0, 0)
    open_stream(desk.chance, job.seed, job.deal, purpose)
    for seat in range(players):
        seatings[row, seat] = seatings[len(seatings) - 1, seat]
    for seat in range(players - 1, 0, -1):
        other = below(desk.chance, seat + 1)
        seatings[row, seat], seatings[row, other] = seatings[row, other], seatings[row, seat]


def shuffle_many(job_at, desks, deals, seatings, found):
    """Write the random seating of each of some deals."""
    players = seatings.shape[1]
    for place in range(len(deals)):
        job_at[0].deal = np.uint64(deals[place])
        shuffle_seats(players, job_at[0], desks[0], seatings, 0)
        for seat in range(players):
            found[place, seat] = seatings[0, seat]
    return 0


def play_game(rules, lineup, minds, seating, job, desk, outcome, trace):
    """Play one dealt game to its end, and score it."""
    state = desk.state
    table = state.table
    for seat in range(rules.players):
        purpose = purpose_of(POLICY, seat, job.luck)
        open_stream(desk.streams[seat], job.seed, job.deal, purpose)
    leaders = 0
    outcome.lead_changes = 0
    reached = 0
    for decision in range(job.most_decisions + 1):
        if table.checkpoint > reached:
            leaders = note_progress(rules, table, reached, leaders, outcome)
            reached = table.checkpoint
        seat = table.to_move
        if decision < len(trace):
            trace[decision].state = state
            trace[decision].stream = desk.streams[seat if seat >= 0 else 0]
            trace[decision].seat = seat
        if over(rules, state):
            outcome.checkpoints = reached
            finish(rules, state, outcome)
            outcome.decisions = decision
            return DONE
        job.decision = decision
        job.seat = seat
        who = seating[seat]
        own = state.seats[seat]
        weights = minds[who].weights
        move = lineup[who](rules, table, own, desk.moves, weights, desk.streams[seat])
        if decision < len(trace):
            trace[decision].move = move
        if not allowed(rules, table, own, move):
            job.move = move
            return ILLEGAL
        apply(rules, state, move, desk.chance)
    return TOO_LONG


def note_progress(rules, table, reached, leaders, outcome):
    """Write the points at the checkpoints passed, and count a change of leaders.

    A checkpoint without a decision of its own has the points of the next decision; from the
    last one that an outcome keeps, later points overwrite earlier ones.
    """
    last = min(table.checkpoint, CHECKPOINTS) - 1
    best = progress(rules, table, 0)
    for seat in range(rules.players):
        points = progress(rules, table, seat)
        best = max(best, points)
        outcome.seats[seat].points_after[last] = points
        for skipped in range(reached, last):
            outcome.seats[seat].points_after[skipped] = points
    now = 0
    for seat in range(rules.players):
        now |= (progress(rules, table, seat) == best) << seat
    if reached > 0 and now != leaders:
        outcome.lead_changes += 1
    return now


def finish(rules, state, outcome):
    """Score a finished game, rank the seats, and share the win.

    At checkpoints that the game did not reach, seats have the points that it ended with.
    """
    score(rules, state, outcome)
    winners = rank_seats(rules.players, outcome)
    reached = outcome.checkpoints
    outcome.winner_worst_place = 0
    for seat in range(rules.players):
        row = outcome.seats[seat]
        row.win_share = 0
        at_the_end = progress(rules, state.table, seat)
        for checkpoint in range(reached, CHECKPOINTS):
            row.points_after[checkpoint] = at_the_end
        if row.rank == 1:
            row.win_share = WHOLE_WIN // winners
            worst = worst_place(rules.players, outcome, seat)
            outcome.winner_worst_place = max(outcome.winner_worst_place, worst)


@rule
def worst_place(players: int, outcome: Record, seat: int) -> int:
    """Worst place that a seat had after any checkpoint (of those kept), 1 being the lead."""
    worst = 1
    for checkpoint in range(min(outcome.checkpoints, CHECKPOINTS)):
        place = 1
        for other in range(players):
            ahead = outcome.seats[other].points_after[checkpoint]
            place += ahead > outcome.seats[seat].points_after[checkpoint]
        worst = max(worst, place)
    return worst


@rule
def rank_seats(players: int, outcome: Record) -> int:
    """Rank the seats by standing (1, 1, 3), and return how many are first."""
    winners = 0
    for seat in range(players):
        better = 0
        for other in range(players):
            if outcome.seats[other].standing > outcome.seats[seat].standing:
                better += 1
        outcome.seats[seat].rank = 1 + better
        if better == 0:
            winners += 1
    return winners

"""What a checker asks of a game's rules and a policy, decision by decision, in compiled code.

Like the loop these texts are bound to a game before they are used.
"""

from __future__ import annotations


def decide(rules_at, lineup, who, minds, rows, desks, moves):
    """Ask a policy again at each traced decision, on the row's own state and stream.

    Parameters
    ----------
    rules_at : array of one rules record
    lineup : tuple of policies
    who : int
        Place of the policy in the line-up.
    minds : array of MIND
    rows : array of trace records
        What the policy writes into them stays, for the caller to find.
    desks : array of one desk record
    moves : int64 array, shape (rows,)
        Filled with the moves.
    """
    rules, desk = rules_at[0], desks[0]
    for place in range(len(rows)):
        row = rows[place]
        own = row.state.seats[row.seat]
        weights = minds[who].weights
        moves[place] = lineup[who](rules, row.state.table, own, desk.moves, weights, row.stream)
    return 0


def redeal(rules_at, rows, desks):
    """Replace each row's state by another world that its seat cannot tell from it."""
    rules, desk = rules_at[0], desks[0]
    for place in range(len(rows)):
        row = rows[place]
        own = row.state.seats[row.seat]
        imagine(rules, row.state.table, own, desk.state, desk.chance)
        row.state = desk.state
    return 0


def list_legal(rules_at, rows, counts, moves):
    """Write the legal moves of each row's seat: how many, and which."""
    rules = rules_at[0]
    for place in range(len(rows)):
        row = rows[place]
        own = row.state.seats[row.seat]
        counts[place] = legal(rules, row.state.table, own, moves[place])
    return 0


def conceal(rules_at, rows, choice):
    """Set what a policy says it is blind to, in the rules and on each row's table."""
    choices = 0
    for place in range(len(rows)):
        choices = vary(rules_at[0], rows[place].state.table, choice)
    return choices


def first_legal(rules, table, own, moves, weights, rng):
    """Play the lowest legal move (bound to a game before it is used)."""
    legal(rules, table, own, moves)
    return moves[0]

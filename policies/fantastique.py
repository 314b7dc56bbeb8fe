"""Strategies for Fantastique, from drawing lots to weighing everything at once.

Each is a function of what its seat may know and a row of numbers. Copy one to write your own;
the names it uses come from `simlab.games.fantastique`.
"""

from __future__ import annotations

import numpy as np

from simlab.compiled import Record, rule
from simlab.contract import policy
from simlab.counters import EVERY_BYTE_ONE, VALUES, copies, count
from simlab.games.fantastique import (
    GAME,
    PLAY,
    cards_in,
    fan,
    matching,
    not_played,
    place_of,
    value_of,
)
from simlab.games.fantastique.records import MOST_STACKS, NOT_YET
from simlab.streams import below

# --- What several strategies look at ---------------------------------------------------------


@rule
def nth_card(hand: int, n: int) -> int:
    """Fan of the n-th card of a hand (from 0, by value) and those of its value before it.

    The multiplication turns the counts into running sums, one in each byte.
    """
    running = hand * EVERY_BYTE_ONE
    value = 1
    for lower in range(1, VALUES + 1):
        value += count(running, lower) <= n
    return fan(value, 1 + n - count(running << np.uint64(8), value))


@rule
def nth_open_stack(table: Record, n: int) -> int:
    """Place of the n-th open stack, from 0."""
    seen = 0
    place = 0
    for stack in range(MOST_STACKS):
        seen += table.stacks[stack] > 0
        place += seen <= n
    return place


@rule
def largest_fan(rules: Record, table: Record, hand: int) -> int:
    """Fan with most cards, then the highest value, that may still be played; 0 without one."""
    best = 0
    for value in range(1, VALUES + 1):
        best = max(best, fan(value, count(hand, value)))
    if best < fan(1, 1):
        return 0
    if not_played(rules, table, best):
        return best
    best = 0
    for value in range(1, VALUES + 1):
        cards = count(hand, value)
        while cards > 0 and not not_played(rules, table, fan(value, cards)):
            cards -= 1
        if cards > 0:
            best = max(best, fan(value, cards))
    return best


@rule
def largest_stack(table: Record) -> int:
    """Open stack with most cards, then the highest value."""
    best = 0
    for stack in range(MOST_STACKS):
        best = max(best, table.stacks[stack])
    return best


@rule
def growth(hand: int, stack: int) -> int:
    """How much a stack adds to the sum of the squares of a hand's counts.

    Squares prize many equal cards: a third copy adds more than a first one.
    """
    cards = cards_in(stack)
    return cards * (2 * count(hand, value_of(stack)) + cards)


@rule
def most_growing_stack(table: Record, hand: int) -> int:
    """Open stack that makes the largest fans of a hand larger; the higher value breaks ties."""
    best, best_score = 0, -1
    for place in range(MOST_STACKS):
        stack = table.stacks[place]
        score = VALUES * growth(hand, stack) + value_of(stack)
        if stack > 0 and score > best_score:
            best, best_score = stack, score
    return best


@rule
def cheapest_fan(rules: Record, table: Record, hand: int) -> int:
    """The fan of fewest cards, from the value held least, then the lowest value."""
    best, best_score = 0, 0
    for value in range(1, VALUES + 1):
        for cards in range(1, count(hand, value) + 1):
            move = fan(value, cards)
            if not_played(rules, table, move):
                score = 1_000_000 - 10_000 * cards - VALUES * count(hand, value) - value
                if score > best_score:
                    best, best_score = move, score
                break
    return best


@rule
def leading_rival(rules: Record, table: Record, own: Record) -> int:
    """Seat with the most points, this one left aside."""
    best, leader = -1, -1
    for seat in range(rules.players):
        if seat != own.seat and table.points[seat] > best:
            best, leader = table.points[seat], seat
    return leader


# --- The strategies --------------------------------------------------------------------------


@policy(GAME, blind_to=["finale"])
def random(rules, table, own, moves, weights, rng):
    """Draws lots: every legal move is equally likely.

    The yardstick that any idea has to beat.
    """
    if table.phase == PLAY:
        while True:
            move = nth_card(own.hand, below(rng, table.hand_cards[own.seat]))
            if not_played(rules, table, move):
                return move
    while True:
        place = nth_open_stack(table, below(rng, table.open))
        move = table.stacks[place]
        if place_of(table, move) == place:  # the second of two equal stacks is no second choice
            return move


@policy(GAME, blind_to=["finale"])
def greedy(rules, table, own, moves, weights, rng):
    """Wants this medal and these cards: most cards, then the highest value; the biggest stack.

    What most people do in their first game.
    """
    if table.phase == PLAY:
        return largest_fan(rules, table, own.hand)
    return largest_stack(table)


@policy(GAME, blind_to=["finale"], cards=3.0)
def high_fan(rules, table, own, moves, weights, rng):
    """Waves its highest value to choose first, and takes the stack that helps its hand most.

    Medals come second: the idea is that the best stack of every round wins in the end. It lays
    out at most `cards` cards of that value.
    """
    if table.phase != PLAY:
        return most_growing_stack(table, own.hand)
    for step in range(VALUES):
        value = VALUES - step
        most = min(count(own.hand, value), max(1, np.int64(weights[0])))
        for fewer in range(most):
            move = fan(value, most - fewer)
            if not_played(rules, table, move):
                return move
    return largest_fan(rules, table, own.hand)


@policy(GAME, blind_to=["finale"])
def miser(rules, table, own, moves, weights, rng):
    """Spends as little as it can: one card of the value it holds least; hoards big stacks.

    Ends with the fullest hand, which some fan sides reward.
    """
    if table.phase == PLAY:
        return cheapest_fan(rules, table, own.hand)
    return largest_stack(table)


@policy(GAME, blind_to=["finale"], start=4.0)
def medal_scheduler(rules, table, own, moves, weights, rng):
    """Saves its strength for the late medals, which are worth three times the early ones.

    Before round `start` it spends the least; from then on it plays its largest fan. It takes
    the stacks that make its largest fans larger.
    """
    if table.phase != PLAY:
        return most_growing_stack(table, own.hand)
    if table.round_number < weights[0]:
        return cheapest_fan(rules, table, own.hand)
    return largest_fan(rules, table, own.hand)


@policy(GAME, hold=0.5, chase=3.0)
def finale_collector(rules, table, own, moves, weights, rng):
    """Keeps and drafts what the Grande Finale counts; spends the rest on medals.

    A counted card laid out costs `hold` cards of fan size; a counted card drafted is worth
    `chase` units of growing fans. Twenty points for the finale are more than any one medal.
    """
    hold, chase = weights[0], weights[1]
    counted = matching(rules, table.finale, own.hand)
    best, best_score = 0, -1e9
    if table.phase == PLAY:
        for value in range(1, VALUES + 1):
            for cards in range(1, count(own.hand, value) + 1):
                move = fan(value, cards)
                lost = counted - matching(rules, table.finale, own.hand - copies(value, cards))
                score = move / VALUES - hold * lost
                if score > best_score and not_played(rules, table, move):
                    best, best_score = move, score
        return best
    for place in range(MOST_STACKS):
        stack = table.stacks[place]
        hand = own.hand + copies(value_of(stack), cards_in(stack))
        gained = matching(rules, table.finale, hand) - counted
        score = growth(own.hand, stack) + chase * gained
        if stack > 0 and score > best_score:
            best, best_score = stack, score
    return best


@rule
def likely_better(rules: Record, table: Record, own: Record, move: int, slack: float) -> int:
    """Fans that beat this one: those laid out, and those that known hands can still lay out.

    A hand's unknown cards are taken to add `slack` cards to its largest known fan.
    """
    better = 0
    for seat in range(rules.players):
        if seat == own.seat:
            continue
        if table.plays[seat] != NOT_YET:
            better += table.plays[seat] > move
            continue
        largest = 0
        for value in range(1, VALUES + 1):
            largest = max(largest, fan(value, count(table.known[seat], value)))
        better += largest + VALUES * slack > move
    return better


@policy(GAME, blind_to=["finale"], slack=0.5, gold=4.0)
def card_counter(rules, table, own, moves, weights, rng):
    """Remembers who took which stacks, and plays just enough to win gold, else silver.

    It expects `slack` cards more in a fan than it knows of, and pays at most `gold` cards for
    a gold medal, two less for silver; when neither is to be had it spends the least.
    """
    if table.phase != PLAY:
        return most_growing_stack(table, own.hand)
    for better in range(2):
        for cards in range(1, np.int64(weights[1]) - 2 * better + 1):
            for value in range(1, VALUES + 1):
                move = fan(value, cards)
                if cards > count(own.hand, value) or not not_played(rules, table, move):
                    continue
                if likely_better(rules, table, own, move, weights[0]) <= better:
                    return move
    return cheapest_fan(rules, table, own.hand)


@policy(GAME, blind_to=["finale"], spite=1.0)
def spoiler(rules, table, own, moves, weights, rng):
    """Plays the very combination that the leader needs, which then nobody may repeat.

    It knows the leader's cards from the stacks they took. When it cannot copy their best fan it
    plays its own largest. A stack counts for it with what it adds to its own hand, and `spite`
    times what it would add to the leader's.
    """
    leader = leading_rival(rules, table, own)
    needed = largest_fan(rules, table, table.known[leader])
    if table.phase == PLAY:
        waits = table.plays[leader] == NOT_YET
        if waits and needed > 0 and cards_in(needed) <= count(own.hand, value_of(needed)):
            return needed
        return largest_fan(rules, table, own.hand)
    best, best_score = 0, -1.0
    for place in range(MOST_STACKS):
        stack = table.stacks[place]
        score = growth(own.hand, stack) + weights[0] * growth(table.known[leader], stack)
        if stack > 0 and score > best_score:
            best, best_score = stack, score
    return best


# --- Balanced --------------------------------------------------------------------------------

BALANCED = {
    "medal": 1.0,
    "strength": 0.18,
    "finale": 1.3,
    "late": 1.05,
    "choice": 0.0,
    "card": 7.0,
    "deny": 0.05,
    "typical": 2.7,
    "known": 1.23,
    "learn": 0.0,
}
(
    MEDAL,
    STRENGTH,
    FINALE,
    LATE,
    CHOICE,
    CARD,
    DENY,
    TYPICAL,
    KNOWN,
    LEARN,
) = range(10)


@rule
def hand_worth(rules: Record, table: Record, hand: int, weights: Record) -> float:
    """What a hand is worth after this decision: fans still to come, and the finale."""
    left = rules.rounds - table.round_number
    squares, cards = 0, 0
    for value in range(1, VALUES + 1):
        held = count(hand, value)
        squares += held * held
        cards += held
    ahead = left / rules.rounds
    counted = matching(rules, table.finale, hand)
    soon = 1.0 + weights[LATE] * (table.round_number / rules.rounds - 1.0)
    return (
        ahead * (weights[STRENGTH] * squares + weights[CARD] * cards)
        + weights[FINALE] * soon * counted
    )


@rule
def chance_beaten(rules: Record, table: Record, seat: int, move: int, weights: Record) -> float:
    """Chance that a seat which has not yet acted lays out a better fan than this one.

    A typical best fan grows from `typical` cards by `learn` a round; what is known of the hand
    counts with weight `known`. The chance falls with the fourth power of the fan's size.
    """
    largest = 0
    for value in range(1, VALUES + 1):
        largest = max(largest, fan(value, count(table.known[seat], value)))
    typical = weights[TYPICAL] + weights[LEARN] * table.round_number
    expected = max(0.5, typical + weights[KNOWN] * (largest / VALUES - typical))
    ratio = (move / VALUES) / expected
    squared = ratio * ratio
    return 1.0 / (1.0 + squared * squared)


@rule
def medal_worth(rules: Record, table: Record, own: Record, move: int, weights: Record) -> float:
    """Points that a fan is expected to win now.

    Keeps the chances that none, one or two of those still to act lay out a better fan.
    """
    better = 0
    none, one, two = 1.0, 0.0, 0.0
    for seat in range(rules.players):
        if seat == own.seat:
            continue
        if table.plays[seat] != NOT_YET:
            better += table.plays[seat] > move
            continue
        p = chance_beaten(rules, table, seat, move, weights)
        two = two * (1.0 - p) + one * p
        one = one * (1.0 - p) + none * p
        none = none * (1.0 - p)
    worth = 0.0
    place = table.round_number - 1
    if better < rules.metals:
        worth += none * rules.medals[better, place]
    if better + 1 < rules.metals:
        worth += one * rules.medals[better + 1, place]
    if better + 2 < rules.metals:
        worth += two * rules.medals[better + 2, place]
    return worth


@policy(GAME, **BALANCED)
def balanced(rules, table, own, moves, weights, rng):
    """Weighs the medal now against the hand it leaves: fans to come, the finale, first choice.

    A fan is worth `medal` times the points it is expected to win (others are expected to lay out
    what is `typical`, grows as they `learn`, and is `known` of their hands), `choice` for
    each step of value, and what the rest of the hand is worth: `strength` times the squares of
    its counts and `card` for each card, both shrinking as rounds run out, and `finale` for each
    card that the fan side counts, growing `late` in the game. A stack is worth what the hand
    is worth with it, and `deny` times what it would add to the leader's fans.

    Whether other weights do better is asked by ``simlab tune fantastique balanced --against
    3xgreedy --against 3xbalanced --sides all``; on fresh deals its answer gains nothing over
    these. Weights found against 3xbalanced alone win 30 % there, but 11 points fewer against
    3xgreedy.
    """
    best, best_score = 0, -1e9
    if table.phase == PLAY:
        for value in range(1, VALUES + 1):
            for cards in range(1, count(own.hand, value) + 1):
                move = fan(value, cards)
                if not not_played(rules, table, move):
                    continue
                score = weights[MEDAL] * medal_worth(rules, table, own, move, weights)
                score += hand_worth(rules, table, own.hand - copies(value, cards), weights)
                score += weights[CHOICE] * value
                if score > best_score:
                    best, best_score = move, score
        return best
    leader = leading_rival(rules, table, own)
    for place in range(MOST_STACKS):
        stack = table.stacks[place]
        if stack > 0:
            hand = own.hand + copies(value_of(stack), cards_in(stack))
            score = hand_worth(rules, table, hand, weights)
            score += weights[DENY] * growth(table.known[leader], stack)
            if score > best_score:
                best, best_score = stack, score
    return best

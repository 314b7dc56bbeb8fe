"""Strategies for Fantasía S.A. with one idea each."""

from __future__ import annotations

from simlab.compiled import Record, rule
from simlab.contract import policy
from simlab.games.fantasia_sa import (
    BUY,
    CANCEL,
    CHOOSE,
    DISCARD,
    FAILED,
    GAME,
    NOTHING,
    PASS,
    RENOWN,
    ROLL,
    TURN,
    action_of,
    card_move,
    legal,
    pays_in,
    purse,
    sponsor_move,
)
from simlab.policies.fantasia_sa.looking import (
    best_sponsor,
    chance_of,
    first_play,
    give_up,
    is_against,
    leading_rival,
    least_useful_card,
    need_of,
    purchase,
    react,
    rewards,
    roll_chance,
)
from simlab.streams import below


@policy(GAME)
def random(rules, table, own, moves, weights, rng):
    """Draws lots: every legal move is equally likely.

    The yardstick that any idea has to beat. It discards and loses at random too, so its games
    are long, and many meet the cap on turns.
    """
    return moves[below(rng, legal(rules, table, own, moves))]


@policy(GAME, bonus=1.0)
def cautious(rules, table, own, moves, weights, rng):
    """Attempts the Feat that it is most likely to perform, and buys whatever that pays for.

    Hospital and losses cost turns; a small reward is better than none. Between equal chances the
    better reward decides, where a point of a bonus counts `bonus` and a Loot four. It plays no
    card against others.
    """
    phase = table.phase
    if phase == CHOOSE:
        count_uses = (4.0, weights[0])
        rewards(rules, table, own, moves, count_uses, count_uses)
        best, best_score = NOTHING, -1e9
        for place in range(rules.reserve):
            feat = table.feat_reserve[place]
            if feat == NOTHING:
                continue
            score = 1_000_000.0 * chance_of(need_of(rules, table, own.seat, feat)) + moves[place]
            if score > best_score:
                best, best_score = feat, score
        return card_move(best)
    if phase == BUY:
        return purchase(rules, table, own, 4.0, weights[0])
    if phase in (TURN, ROLL, FAILED, CANCEL):
        return react(rules, table, own, moves, False)
    return give_up(rules, table, own, moves)


@rule
def most_promising(rules: Record, table: Record, own: Record, moves: Record) -> int:
    """The Feat with the highest chance times reward; without any reward the likeliest."""
    best, best_score = NOTHING, -1.0
    for place in range(rules.reserve):
        feat = table.feat_reserve[place]
        if feat == NOTHING:
            continue
        score = chance_of(need_of(rules, table, own.seat, feat)) * (moves[place] + 10.0)
        if score > best_score:
            best, best_score = feat, score
    return card_move(best)


@policy(GAME, loot=4.0, bonus=1.0)
def greedy(rules, table, own, moves, weights, rng):
    """Attempts the Feat with the highest expected reward: chance times what it can buy now.

    A Loot counts `loot`, a point of a bonus `bonus`. It plays every card as soon as it may,
    harmful ones at whoever has most Loot. What most people do in their first game.
    """
    phase = table.phase
    if phase == CHOOSE:
        rewards(rules, table, own, moves, (weights[0], weights[1]), (weights[0], weights[1]))
        return most_promising(rules, table, own, moves)
    if phase == BUY:
        return purchase(rules, table, own, weights[0], weights[1])
    if phase in (TURN, ROLL, FAILED, CANCEL):
        return react(rules, table, own, moves, True)
    return give_up(rules, table, own, moves)


@policy(GAME, bonus=0.5)
def sponsor_rush(rules, table, own, moves, weights, rng):
    """Takes Renown, always: Loot comes from Sponsors, and Equipment only delays them.

    It attempts the Feat with the highest chance times the Loot of the Sponsor that it would buy,
    and counts a point of a Sponsor's bonus as `bonus` quarters of a Loot.
    """
    phase = table.phase
    if phase == CHOOSE:
        rewards(rules, table, own, moves, (4.0, weights[0]), (0.0, 0.0))
        return most_promising(rules, table, own, moves)
    if phase == BUY:
        kind = NOTHING
        if pays_in(table, RENOWN):
            kind = best_sponsor(rules, table, purse(rules, table, RENOWN), 4.0, weights[0])
        return PASS if kind == NOTHING else sponsor_move(kind)
    if phase in (TURN, ROLL, FAILED, CANCEL):
        return react(rules, table, own, moves, True)
    return give_up(rules, table, own, moves)


@policy(GAME, gear=4.0, early=3.0)
def outfitter(rules, table, own, moves, weights, rng):
    """Dresses first: buys Equipment until it wears `gear` of them, then Sponsors.

    While it dresses, a point of a bonus counts `early`, where a Loot counts one; afterwards it
    plays like `greedy`. Bonuses pay in every later turn.
    """
    phase = table.phase
    dressing = table.knights[own.seat].equipment_cards < weights[0]
    loot = 1.0 if dressing else 4.0
    bonus = weights[1] if dressing else 1.0
    if phase == CHOOSE:
        rewards(rules, table, own, moves, (loot, bonus), (loot, bonus))
        return most_promising(rules, table, own, moves)
    if phase == BUY:
        return purchase(rules, table, own, loot, bonus)
    if phase in (TURN, ROLL, FAILED, CANCEL):
        return react(rules, table, own, moves, True)
    return give_up(rules, table, own, moves)


@policy(GAME, near=4.0, bite=0.15)
def bully(rules, table, own, moves, weights, rng):
    """Collects cards that harm, and turns them on the leader when it hurts.

    It keeps them until the rival with most Loot has all but `near` of what wins, and then plays
    them all at that one; a card on a roll only where it takes `bite` off the chance. It cancels
    what is aimed at itself, and what helps the leader's roll. In all else it is `greedy`.
    """
    phase = table.phase
    if phase == CHOOSE:
        rewards(rules, table, own, moves, (4.0, 1.0), (4.0, 1.0))
        return most_promising(rules, table, own, moves)
    if phase == BUY:
        return purchase(rules, table, own, 4.0, 1.0)
    if phase == DISCARD:
        return least_useful_card(rules, table, own, 2.0, 6.0)
    leader = leading_rival(rules, table, own)
    close = table.knights[leader].loot + weights[0] >= rules.goal
    if phase == ROLL and table.active != own.seat:
        return hinder(rules, table, own, moves, close and table.active == leader, weights[1])
    if phase == CANCEL:
        top = table.stack[table.depth - 1]
        helps = top.seat == leader and rules.actions[top.card].hostile == 0
        if is_against(rules, table, own) or (close and helps):
            return first_play(rules, table, own, moves)
        return PASS
    if phase in (TURN, ROLL, FAILED):
        return react(rules, table, own, moves, close)
    return give_up(rules, table, own, moves)


@rule
def hinder(
    rules: Record, table: Record, own: Record, moves: Record, wanted: bool, bite: float
) -> int:
    """Play a card on another's roll if it is wanted and takes enough off the chance."""
    n = legal(rules, table, own, moves)
    for place in range(1, n):
        loss = rules.actions[action_of(moves[place])].roll
        if wanted and loss < 0:
            before = roll_chance(rules, table, 0)
            if before - roll_chance(rules, table, loss) >= bite:
                return moves[place]
    return PASS

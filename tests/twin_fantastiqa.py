"""A slow and obvious Fantastiqa: the twin that a fast engine has to agree with.

Written from the rulebook and the rulings alone, with lists, dicts and tuples. Nothing here is meant
to be quick; everything is meant to be easy to check by reading it next to the rules.

The parts: `twin_fantastiqa_cards` (tables: cards, quests, map, goals), `twin_fantastiqa_table`
(`Position`: all that lies on the table), `twin_fantastiqa_rules` (what is allowed),
`twin_fantastiqa_deeds` (what happens), and this file (setup, the course of the game, the result).

How to use it
-------------
`play(players, choose, shuffle, options, tables) -> (events, result)` plays a whole game.
`Game(position, choose, shuffle)` goes on from any position: `perform(action)` does one action,
`take_turn()` a whole turn (from replenishing the table), `finish()` the rest of the game; `events`,
`over` (None, or why it ended) and `result()` tell about it.
`legal_turns(position) -> set` and `legal_free_actions(position) -> set` list what `position.mover`
may do; `action in Choices(position)` asks for one action without listing any.

A `Position` needs its seats; every other part has a default, so a checker names what matters.

`options` names what differs from `DEFAULTS` in `twin_fantastiqa_table`. `tables` are the card
tables, by default those of `twin_fantastiqa_cards`. Seats count from 0; seat 0 starts; "left" is
the next higher seat. A card is named by its kind (`"Knight"`, `"Gryphon (beast)"`), a quest by its
id; copies of a card are one and the same. Places are TL, TR, ML, MR, BL, BR (top, middle, bottom;
left, right); the creature spaces are 1 to 7 in the order in which they are filled (7: the centre).
A card doubled by a Looking Glass has `MARK` behind its name in hand, under the quest token and
among committed cards, hence in actions too; in events names are plain.

Decisions
---------
`choose(seat, kind, options)` returns one of the options. Every decision is asked, even if it has
one option only. Kinds, in order of the first time:

"starting quest", "starting artifact", "starting region"  a name; a name; a place
"act"       before the turn action: `Choices` of a turn action or a free action
"after"     after it: `Choices` of a free action or ("end",)
"buy"       a tuple of the cards shown, in alphabetical order, maybe empty, that can be paid
"claim"     a tuple of one or more of the quests shown, within the limit of three
"keep"      one of the cards drawn by a Bell (not asked when none was drawn)
"excess"    one of the six cards under the quest token, which is discarded
"give"      None, or (card, seat) of an opponent in the same region

Turn actions. All sets of cards are tuples in alphabetical order:

("adventure", ((space, cards), ...))   the line with the payment for each creature. A payment is
    legal if it subdues the creature and would not without any one of its cards.
("draw", plus)                         draw at the statue here; plus: the +S cards played with it
("release", plus, from_hand, from_discard)
("teleport",)
("complete", quest, from_hand, from_token)   personal: what is committed to it is spent anyway,
    from_token is empty and no card of from_hand could be saved; open: no card of either.
("pass",)

Free actions:

("commit", card, quest)  ("withdraw", card, quest)   quest is an id, or "token"
("discard", card)  ("carpet", space)  ("reshuffle",)
("use", card, *rest)   a power or an artifact; rest by what it does:
    carpet: space | dragon: seat | gem: nothing | key: a visit as above, as one tuple
    Looking Glass: another card in hand | Bell, Purse, A8: nothing | Wardrobe: two spaces, the lower
    first | Bitter Brew: "hand" or "discard", card, seat | A7: place

Chance
------
`shuffle(what, cards)` returns the cards in a new order; the first is drawn first. It is called in
this order in the setup: ("regions",) and ("statues",), laid out on TL, TR, ML, MR, BL, BR;
("artifact",), ("beast",), ("quest",), the three statue decks; ("creature up",), ("creature down",),
the sections of the creature deck; then, when all have chosen, ("starting quests",), the remaining
ones, of which the first two are laid open; ("draw", seat) for seats 0, 1, ..., the personal decks
of twelve. In the game: ("ravens",), the ten top cards of the creature deck and the Ravens set aside
in the first filling (only if there were any); ("draw", seat) whenever a personal deck is made anew
(by its end or by a token: then with what is left of the deck); (deck,) for a statue's deck.

Events
------
Dicts with "event", "turn" (0 in the setup, then counted over all players), "seat" (who does it; in
a replenishing, whose turn it is) and:

map: regions, statues (place to name; seat is None)
choose: kind, chosen | open quest: space (0, 1), quest, bonus (0, 1)
deal: cards (in order)                                       [cards seen by this seat only]
creature: space, card, gems | raven: space, aside (True in the first filling), losses (seat: gems)
ravens shuffled in: ravens, cards (how many were shuffled)
subdue: space, creature, cards, doubled, symbol, needed, matching, pairs, to
recruit: creatures, gems | pass
visit: place, statue, option (draw, release, teleport), plus, key (the card, or None)
statue cards: deck, cards | buy: card, price | claim: quest, score (after it) | return: deck, cards
release: card, source (hand, discard) | teleport: to
complete: quest, hand, committed (spent; under the token for an open one), doubled, gems, bonus,
    score (after it)
commit, withdraw: card, quest (id or "token")       [commit to the token: seen by this seat only]
discard: card | fly: by ("token" or a card), space, to | reshuffle: cards (of the new deck)
gem: card, gems | dragon: card, to, dragons (0 when none is left)
artifact: card, and by what it does: doubled [this seat only] | kept [this seat only], discarded |
    seats (who loses a gem) | source, passed, to | spaces | to | cards [this seat only]
shuffle: deck ("draw", "artifact", "beast", "quest"), cards, drawn_before (in the same draw)
end: nothing | give: card, to
draw: cards (in order)                                       [cards seen by this seat only]
turn: gems, scores, hands, draws, discards (of each seat, when the turn is over)
over: reason (goal, creatures, cap), scores, quests (completed, by seat)

Readings where rulebook and rulings are silent
----------------------------------------------
 1. The first filling happens in the first turn, after all have chosen their regions; only then
    Ravens are set aside. With fewer than ten cards left, all of them are shuffled.
 2. A statue's deck, as a personal one, is shuffled when a card has to be drawn and none lies face
    down, not as soon as the last one is drawn. What was just drawn stays out of it.
 3. At a Tower or Bazaar without any cards one may still "draw": nothing happens.
 4. A release takes at least one card. More +S cards than needed may be played. A key or a +S card
    is on the discard pile when the visit goes on, so it can be released from there.
 5. Powers and artifacts may be used for no effect (no gem in the supply, no dragon, nobody richer,
    no card to draw), but not without a target: a Looking Glass needs another card in hand that
    shows a symbol and is not doubled; the Wardrobe needs two creatures.
 6. An artifact used is on the discard pile as soon as its effect is over, and can be released or
    passed on from there; but it stays behind when the discards are shuffled, until its turn has
    ended and the hand is refilled ("not drawn again this turn"). Without this two of A8 could be
    played for ever. A Robe is played for its symbol, as other cards are.
 7. A doubled card counts twice for creatures, quests and commitments, until the turn action and
    the free actions after it are over; the mark is lost with the card when it leaves hand, quest
    token or quest. No card is doubled twice.
 8. A Robe counts as the symbol that suits best whenever cards are counted, so a committed one may
    stand for one symbol now and another later; doubled, it counts twice as one symbol.
 9. A card may be committed to a personal quest if it lowers the number of symbols missing.
10. A sixth card may go under the quest token: then one of the six is discarded at once.
11. The quest token takes cards even while no open quest lies on the table.
12. A7 walks as carpets fly: over spaces with a creature (or empty ones if `fly_over_empty`).
13. The Purse compares with the own gems before any is taken. Partners are no opponents: they lose
    no gems and get no dragons and no cards.
14. Discards at the end of a turn are free actions; the gift comes after them, before the refill.
15. An adventure that comes back is a loop if it enters a region that it left or came through.
16. The turn cap ends the game after the last player's turn of that number.
17. Both parts of a ranking hold in every ending: score, then completed quests; in teams those of
    the team. "rank" counts 1, 1, 3; "win_share" is split evenly among the seats of rank 1.
"""

from collections.abc import Sequence
from fractions import Fraction

from twin_fantastiqa_cards import (
    AT_START,
    DRAGON,
    PLACES,
    RAVEN,
    REGIONS,
    SPACES,
    STATUES,
    Tables,
    default_tables,
)
from twin_fantastiqa_deeds import LEAST_FOR_RAVEN, Choose, Deeds, Shuffle
from twin_fantastiqa_rules import Choices, legal_free_actions, legal_turns
from twin_fantastiqa_table import DEFAULTS, MARK, Pile, Position, Seat, plain

__all__ = [
    "DEFAULTS",
    "MARK",
    "Choices",
    "Game",
    "Pile",
    "Position",
    "Seat",
    "legal_free_actions",
    "legal_turns",
    "plain",
    "play",
    "set_up",
]

CARDS_OVER_RAVENS = 10
BONUS_FOR_OPEN = 1


class Game(Deeds):
    """A game of Fantastiqa from any position on."""

    # --- A turn ---

    def take_turn(self) -> None:
        """Replenish the table, act, end the turn; the game may be over on the way."""
        self.replenish()
        if not self.over:
            self.act()
        if not self.over:
            self.end_turn()
        if self.over:
            self.note("over", reason=self.over, scores=self.scores(), quests=self.quests_done())

    def finish(self) -> None:
        """Play turns until the game is over."""
        while not self.over:
            self.take_turn()

    def act(self) -> None:
        """Free actions, one turn action, free actions again."""
        table = self.position
        while not table.acted:
            self.perform(self.ask(table.mover, "act", Choices(table)))
        while not self.over:
            action = self.ask(table.mover, "after", Choices(table))
            if action == ("end",):
                return
            self.perform(action)

    def end_turn(self) -> None:
        """Give a card away or not, refill the hand, and pass the turn on."""
        table, mine = self.position, self.me
        self.note("end")
        self.undouble()
        self.give()
        drawn = self.draw(table.mover, AT_START["hand"] - len(mine.hand))
        mine.hand += drawn
        self.note("draw", cards=drawn)
        mine.used = []
        self.note(
            "turn",
            gems=[seat.gems for seat in table.seats],
            scores=self.scores(),
            hands=[len(seat.hand) for seat in table.seats],
            draws=[len(seat.draw) for seat in table.seats],
            discards=[len(seat.discard) for seat in table.seats],
        )
        table.acted = False
        if table.turn == table.options["turn_cap"] * len(table.seats):
            self.over = "cap"
            return
        table.turn += 1
        table.mover = (table.mover + 1) % len(table.seats)

    def give(self) -> None:
        """Put one card of the hand on the discard pile of an opponent who stands here, or not."""
        table, mine = self.position, self.me
        here = [s for s in table.opponents(table.mover) if table.seats[s].place == mine.place]
        options = [None, *((card, seat) for card in sorted(set(mine.hand)) for seat in here)]
        given = self.ask(table.mover, "give", options)
        if given is None:
            return
        card, seat = given
        self.take_from_hand([card])
        self.to_discard([card], seat)
        self.note("give", card=card, to=seat)

    # --- Replenishing the table ---

    def replenish(self) -> None:
        """Fill the spaces with creatures, clockwise with the centre last, then the open quests."""
        table = self.position
        aside: list[str] = []
        for space in SPACES:
            while table.creatures[space] is None:
                if not table.creature_deck:
                    self.over = "creatures"
                    return
                card = table.creature_deck.pop(0)
                if card != RAVEN:
                    self.show_creature(space, card)
                elif table.turn == 1:
                    aside.append(card)
                    self.note("raven", space=space, aside=True, losses={})
                else:
                    table.gone.append(card)
                    self.note("raven", space=space, aside=False, losses=self.raven())
        if aside:
            self.shuffle_ravens_in(aside)
        self.open_quests()

    def show_creature(self, space: int, card: str) -> None:
        """Lay a creature on a space, with a gem if it shows one and there is one."""
        table = self.position
        gems = min(1, table.gems) if table.card(card).gem else 0
        table.gems -= gems
        table.creatures[space], table.gems_on[space] = card, gems
        self.note("creature", space=space, card=card, gems=gems)

    def raven(self) -> dict[int, int]:
        """Each of those with most gems loses half of them, rounded down, unless they are few."""
        table = self.position
        most = max(seat.gems for seat in table.seats)
        losses: dict[int, int] = {}
        for number, seat in enumerate(table.seats):
            if seat.gems == most and most >= LEAST_FOR_RAVEN:
                losses[number] = seat.gems // 2
                seat.gems -= losses[number]
                table.gems += losses[number]
        return losses

    def shuffle_ravens_in(self, ravens: list[str]) -> None:
        """Shuffle the Ravens that came too early into the top ten cards of the deck."""
        table = self.position
        top = table.creature_deck[:CARDS_OVER_RAVENS]
        below = table.creature_deck[CARDS_OVER_RAVENS:]
        mixed = self.shuffled(("ravens",), [*top, *ravens])
        table.creature_deck = mixed + below
        self.note("ravens shuffled in", ravens=len(ravens), cards=len(mixed))

    def open_quests(self) -> None:
        """Turn up a quest on each empty space for one, if there is any."""
        for space, quest in enumerate(self.position.open_quests):
            if quest is None:
                for drawn in self.draw_statue_cards("quest", 1):
                    self.lay_open(space, drawn)

    def lay_open(self, space: int, quest: str) -> None:
        """Lay a quest open, with a bonus token if there is one left."""
        table = self.position
        bonus = min(BONUS_FOR_OPEN, table.bonus)
        table.bonus -= bonus
        table.open_quests[space], table.bonus_on[space] = quest, bonus
        self.note("open quest", space=space, quest=quest, bonus=bonus)

    # --- The result ---

    def scores(self) -> list[int]:
        """The own score of each seat."""
        return [self.position.own_score(seat) for seat in range(len(self.position.seats))]

    def quests_done(self) -> list[int]:
        """How many quests each seat has completed."""
        return [len(seat.completed) for seat in self.position.seats]

    def result(self) -> dict:
        """Who won, and how. Only when the game is over."""
        if not self.over:
            raise RuntimeError("the game is not over yet")
        table = self.position
        seats = range(len(table.seats))
        standing = [(table.score(seat), table.quests_done(seat)) for seat in seats]
        rank = [1 + sum(other > mine for other in standing) for mine in standing]
        winners = rank.count(1)
        return {
            "points": self.scores(),
            "counted": [table.score(seat) for seat in seats],  # the team's points in teams
            "quests": self.quests_done(),
            "rank": rank,
            "win_share": [Fraction(int(place == 1), winners) for place in rank],
            "reason": self.over,
            "turns": table.turn,
        }


# --- The setup ---


def check_setup(players: int, options: dict) -> None:
    """Refuse a game that cannot be set up."""
    if not 2 <= players <= 4:
        raise ValueError(f"Fantastiqa seats 2 to 4 players, got {players}")
    if options["teams"] and players != 4:
        raise ValueError(f"teams need 4 players, got {players}")


def set_up(
    players: int, choose: Choose, shuffle: Shuffle, options: dict | None, tables: Tables
) -> Game:
    """Build the table, let the players choose in reverse order, and deal their hands."""
    check_setup(players, {**DEFAULTS, **(options or {})})
    seats = [
        Seat(**{what: AT_START[what] for what in ("gems", "carpets", "reshuffles")})
        for _ in range(players)
    ]
    table = Position(seats, options or {}, tables, turn=0)
    game = Game(table, choose, shuffle)
    table.gems -= AT_START["gems"] * players
    lay_out_the_map(game)
    shuffle_the_decks(game)
    leftover = choose_starts(game)
    for space, quest in enumerate(game.shuffled(("starting quests",), leftover)[:2]):
        game.lay_open(space, quest)
    deal_hands(game)
    table.turn = 1
    return game


def lay_out_the_map(game: Game) -> None:
    """Put a region and a statue on each place."""
    table = game.position
    table.regions = dict(zip(PLACES, game.shuffled(("regions",), REGIONS), strict=True))
    table.statues = dict(zip(PLACES, game.shuffled(("statues",), STATUES), strict=True))
    game.note("map", seat=None, regions=dict(table.regions), statues=dict(table.statues))


def shuffle_the_decks(game: Game) -> None:
    """The three decks of the statues, and the creature deck in its two sections."""
    table, tables = game.position, game.position.tables
    table.piles["artifact"].down = game.shuffled(("artifact",), tables.artifact_deck.elements())
    table.piles["beast"].down = game.shuffled(("beast",), tables.beast_deck.elements())
    table.piles["quest"].down = game.shuffled(("quest",), tables.quest_deck)
    up, down = tables.creature_decks[table.options["profile"], len(table.seats)]
    table.creature_deck = game.shuffled(("creature up",), up.elements())
    table.creature_deck += game.shuffled(("creature down",), down.elements())


def choose_starts(game: Game) -> list[str]:
    """From the last seat to seat 0: a quest, an artifact, a region. The quests left over."""
    table, tables = game.position, game.position.tables
    quests, artifacts = list(tables.starting_quests), list(tables.starting_artifacts)
    for seat in reversed(range(len(table.seats))):
        player = table.seats[seat]
        quest = choose_one(game, seat, "starting quest", quests)
        artifact = choose_one(game, seat, "starting artifact", artifacts)
        free = [place for place in PLACES if place not in [other.place for other in table.seats]]
        player.place = choose_one(game, seat, "starting region", free)
        player.quests[quest] = []
        player.draw = [*tables.starting_items, artifact]
        table.dragons -= tables.starting_items.count(DRAGON)
    return quests


def choose_one(game: Game, seat: int, kind: str, options: list[str]) -> str:
    """Let a seat take one thing, which is not there for the others then."""
    chosen: str = game.ask(seat, kind, list(options))
    options.remove(chosen)
    game.note("choose", seat=seat, kind=kind, chosen=chosen)
    return chosen


def deal_hands(game: Game) -> None:
    """Each player shuffles the personal deck and draws a hand."""
    for seat, player in enumerate(game.position.seats):
        player.draw = game.shuffled(("draw", seat), player.draw)
        player.hand = game.draw(seat, AT_START["hand"])
        game.note("deal", seat=seat, cards=list(player.hand))


def play(
    players: int,
    choose: Choose,
    shuffle: Shuffle,
    options: dict | None = None,
    tables: Tables | None = None,
) -> tuple[Sequence[dict], dict]:
    """Play a whole game; all its events, and its result."""
    game = set_up(players, choose, shuffle, options, tables or default_tables())
    game.finish()
    return game.events, game.result()

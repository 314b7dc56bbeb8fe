"""Fantastiqa in our own words, and every answer that we give where the rulebook is silent."""

from __future__ import annotations

from simlab.compiled import Record
from simlab.contract import Ruling

RULES = """\
Two to four adventurers travel a map of six regions, two by three. Between neighbouring regions
lie seven creatures, on each region stands a statue (two Artifact Towers, two Beast Bazaars, two
Quest Chests). Everybody owns a deck of twelve: nine household items with one symbol each, a Dog,
a Peaceful Dragon and one Starting Artifact; a hand of five, three gems, three Flying Carpets,
three Reshuffles.

Before the first turn, from the last seat to the first, each takes a Starting Quest, a Starting
Artifact and a free region. Two more Starting Quests are laid open, each with a Bonus token.

A turn: empty spaces get new creatures (with gems, if they carry them), empty Quest spaces new
Quests. Then ONE turn action, with as many free actions before and after it as one likes; at the
end one may give a card to an opponent in the same region, and draws up to five cards.
- Go adventuring: pay for a neighbouring creature with cards that show the symbol that beats it,
  step over, and go on to the next one. Two equal symbols stand for any other one. Cards and
  creatures go to the own discards, so creatures join the deck; their gems are kept.
- Visit the statue here: draw three cards and buy any of them (of Quests claim at least one), or
  release up to three cards of hand and discards for a gem each, or teleport to the other such
  statue for two gems.
- Complete a Quest in its region, with cards of the hand and those committed to it; no wilds.
Free actions: commit cards to Quests, withdraw or discard them; use a token; use a card's power
(fly, find a gem, send a Peaceful Dragon to an opponent's discards, visit by key) or an Artifact.

A completed Quest scores its cups, an incomplete personal one costs them. Who reaches the goal
wins at once. If the creature deck runs out most points win, then most Quests completed.

All lists of cards are reconstructed: the printed ones are not known. Results describe these
lists."""

RULINGS = (
    Ruling("Who starts?", "seat 0; who sits there is the experiment's business"),
    Ruling("In what order are the first choices made?", "from the last seat down to seat 0"),
    Ruling("What is taken first?", "a Starting Quest, then an Artifact, then a free region"),
    Ruling("Does a Starting Quest count against its player?", "yes, as every personal Quest does"),
    Ruling("Which Quests lie open at the start?", "two random Starting Quests that nobody took"),
    Ruling("May players arrange regions and statues?", "no, the map is random"),
    Ruling("When are creatures laid out first?", "in the first turn, after all have chosen places"),
    Ruling(
        "An event during the first filling?",
        "is set aside, then shuffled with the top ten cards (or all that are left)",
    ),
    Ruling(
        "What does the Raven do?",
        "every player with most gems loses half of them, rounded down, unless that is 4 or fewer",
    ),
    Ruling("After an event?", "it leaves the game, and the next card is for the same space"),
    Ruling("The creature deck is empty when a space must be filled?", "the game ends at once"),
    Ruling("Who wins then?", "most points, then most completed Quests; else the win is shared"),
    Ruling("When are spaces refilled?", "at the beginning of the next turn, not before"),
    Ruling("May one pass over an empty space?", "no, a creature joins two regions", "fly_empty"),
    Ruling(
        "What beats a creature?",
        "its symbol, and each pair of another equal symbol counts as one; three are one pair",
        "wilds",
    ),
    Ruling("Is one card with two equal symbols a pair?", "yes"),
    Ruling("May one card serve two creatures?", "no, and no pair may be divided"),
    Ruling(
        "May one pay too much?",
        "cards that could be taken away from a payment are not offered: discarding is free",
    ),
    Ruling("May an adventure return to a region?", "yes, over another creature", "loops"),
    Ruling("Free actions in the middle of an adventure?", "no"),
    Ruling("Where do creatures and cards go?", "to the own discards; gems to the own supply"),
    Ruling("A card used for its power?", "is discarded first; its symbols are not used"),
    Ruling("A power without effect?", "may be used, but not without a target"),
    Ruling(
        "Whom may a Peaceful Dragon be sent to?",
        "by its power to any opponent, from the supply; at the end of a turn one card of the hand "
        "may go to an opponent in the same region",
        "dragon_power",
    ),
    Ruling("The last Peaceful Dragon is gone?", "the power has no effect"),
    Ruling("How much is done in one visit?", "one of the three: draw, release, teleport"),
    Ruling(
        "When are cards added that draw or release more?",
        "once it is said whether one draws or releases, and before cards are drawn",
    ),
    Ruling("How many cards may be bought?", "all that can be paid for; they are discarded"),
    Ruling("The Quest Chest with three personal Quests?", "one may not draw there", "quest_limit"),
    Ruling(
        "Cards that are not taken?",
        "go face up under their supply; they are shuffled when a card is needed and none is left",
    ),
    Ruling("A supply without any cards?", "one may draw, and gets nothing; not so of Quests"),
    Ruling("What may be released?", "at least one card of hand or discards, never a Dragon"),
    Ruling("What is a visit by key?", "a whole visit as a free action; several a turn are fine"),
    Ruling("Where does a teleport lead?", "to the other region with the same statue"),
    Ruling("How many Quests a turn?", "one; paying more than needed is no use, wilds do not count"),
    Ruling("What may be committed to a personal Quest?", "a card that lowers the symbols lacking"),
    Ruling("What may lie under the Quest token?", "any five cards, for open Quests only"),
    Ruling(
        "A sixth card there?", "goes there, and one of the six is discarded at once", "token_limit"
    ),
    Ruling("Cards committed to a personal Quest that is completed?", "are all discarded"),
    Ruling("Cards left under the token after an open Quest?", "stay"),
    Ruling("Withdrawn cards?", "are discarded; the Quest stays"),
    Ruling("When is the goal checked?", "when a Quest is completed, on the own turn"),
    Ruling("No Bonus tokens or gems left?", "nobody gets any"),
    Ruling("More than five cards at the end of a turn?", "are kept"),
    Ruling("No card left to draw?", "the discards are shuffled; if there are none, draw fewer"),
    Ruling("When may a Reshuffle be used?", "whenever a free action may be done"),
    Ruling("May one pass?", "yes, a turn needs no turn action"),
    Ruling("May several stand in one region?", "yes, once all have chosen where to start"),
    Ruling(
        "How long does a doubled card count twice?",
        "until the turn ends, for creatures, Quests and commitments; it is never doubled again",
    ),
    Ruling("Who sees which card counts twice?", "only its player, until it is played"),
    Ruling("May a card that stands for any symbol count twice?", "yes, for two of one symbol"),
    Ruling(
        "An Artifact used?",
        "is discarded after its effect; it is not drawn again in this turn, so it stays behind "
        "when the discards are shuffled",
    ),
    Ruling("The Purse?", "compares with the own gems before the first gem is taken"),
    Ruling("How does one stride?", "over spaces that one could fly over"),
    Ruling(
        "Four players?",
        "play each for themselves; as teams the points of seats 0 and 2, 1 and 3 add up, partners "
        "win together and share the win; exchanging cards with a partner is left out",
        "teams",
    ),
    Ruling("Nobody gets anywhere?", "after 200 turns of each the game is ranked", "turn_cap"),
    Ruling("How many points win?", "10, 8, 7 with 2, 3, 4 players; see the options", "goal"),
    Ruling(
        "How is the creature deck made?",
        "18 creatures of level 1 and an event on top; 9 of level 1, the others and the other "
        "events below; with two players 48 cards",
        "deck",
    ),
    Ruling("No Quest left to lay open?", "returned ones are shuffled; if none, the space stays"),
    Ruling(
        "What is known to all?",
        "everything but hands, cards under Quest tokens and the order of decks: all purchases are "
        "seen, so only the split of known cards over hand, token and draw pile is unknown",
    ),
    Ruling("How are points shown over time?", "after every fourth full turn of the table"),
)

COLUMN_WORDS = {
    "subdued_1": "creatures of level 1 subdued, and so recruited",
    "subdued_2": "creatures of level 2 subdued, and so recruited",
    "quests_1": "Quests of 1 cup completed",
    "quests_2": "Quests of 2 cups completed",
    "quests_3": "Quests of 3 cups completed",
    "personal_quests": "personal Quests completed",
    "open_quests": "open Quests completed",
    "gems_earned": "gems taken from creatures, Quests, powers of cards and opponents",
    "gems_paid_cards": "gems paid for Beasts and Artifacts",
    "gems_paid_release": "gems paid for releasing cards",
    "gems_paid_teleport": "gems paid for teleports",
    "gems_lost": "gems lost to events and to opponents",
    "beasts_bought": "Beasts bought",
    "artifacts_bought": "Artifacts bought",
    "cards_released": "cards released from the game",
    "dragons_sent": "Peaceful Dragons that went to opponents, by powers or given away",
    "dragons_received": "Peaceful Dragons that came from opponents",
    "cards_given": "cards of the own that went to opponents, Dragons included",
    "cards_used": "cards used for their power",
    "carpets_used": "Flying Carpet tokens used",
    "reshuffles_used": "Reshuffle tokens used",
    "visits": "visits to statues, by keys included",
    "passes": "turns without a turn action",
    "turns": "turns taken",
    "gems_left": "gems at the end",
    "bonus_points": "Bonus tokens at the end, a point each",
    "deck_cards": "cards in the deck at the end, wherever they are",
    "deck_symbols": "symbols that they show; divided by deck_cards, the mean of a card",
    "full_turns": "full turns of the table",
    "goal_reached": "1 if somebody reached the goal, else 0; its mean is the share of such games",
    "deck_out": "1 if the creature deck ran out, else 0; its mean is the share of such games",
    "turn_cap": "1 if the most turns were reached, else 0; its mean is the share of such games",
    "events": "events turned up after the first filling of the table",
    "shared_win": "1 if several won together (in teams: both teams), else 0; its mean is the share "
    "of such games",
}
"""What the game's own columns mean."""


def figures(rules: Record) -> list[str]:
    """What follows from the options and the lists of cards."""
    upper, lower = sum(rules.upper), sum(rules.lower)
    players, dragons = int(rules.players), int(rules.dragons)
    return [
        f"{players} players: {int(rules.goal)} points win; {upper + lower} creature cards, "
        f"{upper} of them in the upper section; {dragons} Peaceful Dragons in the supply"
    ]

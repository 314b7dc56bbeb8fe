"""Fantasía S.A. in our own words, and every answer that we give where the rulebook is silent."""

from __future__ import annotations

from simlab.contract import Ruling

RULES = """\
Two to five knights perform heroic Feats for Gold and Renown, and retire on their Loot: whoever
first has 14 (with three players 12, four 10, five 9) wins at that very moment, in anybody's turn.

THE CARDS ARE RECONSTRUCTED. The rulebook prints neither what the 95 cards say nor what they cost,
but for three examples: a Feat that pays 3 Gold or 4 Renown, an Equipment for 2 Gold, a Sponsor for
4 Renown; and that two cards called Una Misión Divina add 2 to a roll. Every other number is made up
to fit those and the lengths of games that the box promises. The column `provenance` of each list
says so card by card: simlab cards export fantasia-sa DIR writes the lists into a folder, and
--set cards=DIR plays with what is there. --set edit=S6.gold:3/P05.loot:2 changes single numbers.

Everybody starts with three Hero cards; three Feats and three Sponsors lie face up. A turn has two
phases.
1. Cards galore: fill the face-up cards up to three again, draw a Hero card, discard down to six.
2. Bold deed: a knight in hospital leaves it, which is all. Any other must attempt one of the three
   Feats: two dice, and all bonuses, have to reach its difficulty. Two ones always fail, two sixes
   always succeed.
Success: exchange the Feat for its Gold, which buys one Equipment out of the hand, or for its
Renown, which buys one of the face-up Sponsors; there is no change. Both stay before the knight and
do what they say; Sponsors, and some Equipment, bring Loot.
Failure: hospital, the loss of a Sponsor or an Equipment, or the Feat itself stays as a curse.
Action cards say when they may be played. Before a roll everybody may, one card each from the left
of the active player, round and round until a whole round without a card. Every Action card may be
answered by one that cancels it, and that one by another.
A deck that runs out is made of its discard pile again."""

RULINGS = (
    Ruling("Who starts?", "seat 0; who sits there is the experiment's business"),
    Ruling("Do the knights differ?", "no; a knight is healthy or in hospital"),
    Ruling("Does a knight in hospital refill and draw?", "yes; only Phase 2 is lost"),
    Ruling(
        "When does the hand limit hold?",
        "right after the draw of Phase 1, before any card is used, and at no other time; the "
        "player chooses what to discard, card by card",
        "hand_limit",
    ),
    Ruling("When are the Reserves refilled?", "only at the start of a turn", "reserve"),
    Ruling("Must a healthy knight attempt a Feat?", "yes, unless none lies face up"),
    Ruling(
        "Two ones fail, two sixes succeed?", "as the dice show, whatever is added or taken away"
    ),
    Ruling(
        "When may Action cards be played?",
        "in one's own turn between the hand limit and Phase 2, also in hospital; once a Feat is "
        "chosen, before the dice; after one's own failed roll; when an Action card was played. "
        "Each card says for which of these moments it is",
    ),
    Ruling(
        "In what order?",
        "from the left of the active player, who comes last; one card a player and pass, until a "
        "pass in which nobody plays",
    ),
    Ruling("Who may answer an Action card?", "everybody, also who played it; from the same left"),
    Ruling(
        "An answer to an answer?",
        "the card played last is settled first; one that was not cancelled takes effect, then "
        "those below it may be answered again until a full pass without an answer",
    ),
    Ruling("Does an answer use up one's card of the pass?", "no"),
    Ruling(
        "A cancelled card?", "is discarded without effect, and was its player's card of the pass"
    ),
    Ruling("How many Action cards?", "any number; equal cards add up"),
    Ruling("When does an Action card reach the discard pile?", "after it took effect"),
    Ruling(
        "Two cards that draw, once the deck is empty?",
        "may fetch each other out of the discard pile for ever; a strategy that does so never lets "
        "its table end, and is told so. The built-in ones draw only while the deck lasts",
    ),
    Ruling("Cards played on a roll that is made again?", "count for the second roll too"),
    Ruling("An Equipment that rolls again?", "once in each turn, as an answer to a failure"),
    Ruling(
        "Whom may Action cards be aimed at?",
        "another player who has what the card takes; a knight in hospital may be sent there again, "
        "without effect",
    ),
    Ruling("Where does a stolen Equipment go?", "before the thief, where it works at once"),
    Ruling("May a curse be stolen?", "no"),
    Ruling(
        "Success?", "Gold or Renown, not both; at most one card, no change; one may buy nothing"
    ),
    Ruling("Equipment or Sponsors from where?", "from the hand; from the Sponsor Reserve only"),
    Ruling("A card that lets a Feat buy two?", "each within the whole value of the Feat"),
    Ruling("Does a card just bought already help to buy?", "yes, it works from then on"),
    Ruling("When is the goal checked?", "at the very moment Loot changes, Equipment counts too"),
    Ruling("Two players reach the goal at once?", "the active player wins, then turn order"),
    Ruling("A failed Feat?", "is discarded after its text was followed, unless it is a curse"),
    Ruling("In what order is a failure suffered?", "hospital, then Sponsor, Equipment, curse"),
    Ruling("Who chooses the card that is lost?", "its owner; of the lowest Sponsors too"),
    Ruling("What is a curse?", "harmful Equipment: it may be lost where an Equipment must be lost"),
    Ruling("Sent to hospital while there?", "nothing happens, and nothing is given up"),
    Ruling(
        "A die, and a shield, against the hospital?",
        "the die is rolled first, by itself; then the owner may give up the shield",
    ),
    Ruling("Sent to hospital before one's own turn?", "only Phase 2 of that turn is lost"),
    Ruling("Lost cards?", "go to their discard pile; what they do ends at once"),
    Ruling("A deck and its discard pile empty?", "nothing is drawn, a Reserve stays short"),
    Ruling("Several Equipment of one kind?", "any number"),
    Ruling(
        "A game without an end?",
        "after so many turns the most Loot wins, ties are shared; counted as turn_cap_hits",
        "turn_cap",
    ),
    Ruling("Hostile cards?", "those aimed at others, and those that cancel", "hostile"),
    Ruling(
        "What is known to all?",
        "everything but hands and the order of the decks; what the Hero deck is made of is known "
        "once it was reshuffled",
    ),
)

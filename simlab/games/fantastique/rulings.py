"""Fantastique in our own words, and every answer that we give where the rulebook is silent."""

from __future__ import annotations

from simlab.contract import Ruling

RULES = """\
Two to five players wave fans of equal cards for medals. The deck has 100 cards with values 1 to 8,
many low ones and few high ones (16, 15, 14, 13, 12, 11, 10, 9); everybody starts with ten.

Each of the seven rounds has four phases.
1. Reveal: cards are turned up and sorted into stacks by value until a fifth stack is opened. A
   stack takes three cards; one more of its value opens a new stack. The card that opens the
   fifth stack is the last.
2. Play: in turn, each player lays out one fan: one or more cards of one value. Nobody may repeat
   a combination of value and number that was shown earlier in the round.
3. Medals: most cards wins gold, second most silver, third most bronze (bronze with four or five
   players only); between fans of equal size the higher value counts. Medals grow round by round.
4. Take: from the highest value played to the lowest (more cards first among equals), each player
   takes one whole stack into the hand. Fans and leftover stacks are discarded; who won gold
   starts the next round.

After the last round comes the Grande Finale: the fan side chosen at the start says which cards of a
hand count. Most counted cards wins 20 points, second most 10; all who tie get the medal.
  I    the 1s, 2s and 3s            II   the 6s, 7s and 8s
  III  the two most frequent values IV   everything but the most frequent value
  V    the lowest and highest value VI   the longest run of consecutive values
Most points wins; a tie goes to the highest single round medal."""

RULINGS = (
    Ruling("Who starts round 1?", "seat 0; who sits there is the experiment's business"),
    Ruling("Who starts later rounds?", "who won gold; if nobody did, the same seat as before"),
    Ruling("Are the stacks seen before fans are played?", "yes, revealing comes first"),
    Ruling(
        "A fifth copy of a value?", "goes on the stack that the fourth one opened", "stack_limit"
    ),
    Ruling("When does revealing stop?", "as the last stack opens; it holds one card", "stacks"),
    Ruling(
        "The deck runs out while cards are revealed?",
        "the discard pile is shuffled when a card is needed and none is left; stacks stay",
    ),
    Ruling(
        "Deck and discard pile both empty?",
        "revealing stops; fewer stacks are open, and a player left without one takes none",
    ),
    Ruling("May one pass?", "no, whoever can play a fan must"),
    Ruling(
        "A player without a fan that may be played?",
        "plays nothing, wins no medal, chooses after all others (several: in turn order)",
    ),
    Ruling("In what order are medals given?", "gold, silver, bronze; by cards, then by value"),
    Ruling("When is bronze used?", "with four or five players", "bronze_from"),
    Ruling("Fewer fans than medals?", "the medals left over are discarded"),
    Ruling("In what order are stacks taken?", "by value played, then by number of cards"),
    Ruling("May one take part of a stack, or none?", "no, one whole stack; hands have no limit"),
    Ruling("Stacks that nobody takes?", "are discarded along with the fans"),
    Ruling("Cards taken in the last round?", "count in the finale"),
    Ruling("Fewer stacks with two or three players?", "no, five for every number", "stacks"),
    Ruling(
        "Side III, a tie for the second value?", "any choice counts the same; one value: it alone"
    ),
    Ruling("Side IV, a tie for the most?", "any choice counts the same"),
    Ruling("Side V, one value only?", "its cards count once"),
    Ruling("Side VI, several longest runs?", "the one with most cards"),
    Ruling("Side VI, a shorter run with more cards?", "the longest run counts", "finale_run"),
    Ruling("Finale, a tie for first?", "all tied win gold, the next count still wins silver"),
    Ruling("Finale, a tie for second?", "all tied win silver"),
    Ruling("Finale, all tied for first?", "all win gold, nobody silver"),
    Ruling("Finale, a hand with no matching card?", "may win a medal all the same", "finale_zero"),
    Ruling("Equal points?", "the highest single round medal wins, finale medals left out"),
    Ruling("Still equal?", "the win is shared"),
    Ruling("Which fan side?", "side I unless set; random draws one for each deal", "finale"),
    Ruling(
        "What is known to all?",
        "stacks, fans, medals and every card taken from a stack; dealt cards and the deck's order "
        "are hidden, the deck's contents are known once it was reshuffled",
    ),
)

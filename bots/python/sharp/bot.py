"""Sharp: weighs what each legal card may cost now against the danger of keeping it.

The cost now is the chance that the card takes the trick, times the points that the trick will then contain.
The danger is how likely the card is to take a trick later. Both are estimated from the cards not seen yet and
from the seats that could not follow a suit. The pass gets rid of high cards, first of those in short suits.

The constants were found by playing thousands of rounds against the other bots in this folder.
"""

from __future__ import annotations

from papayoo_bot import PAYOO, Memory, PassQuestion, PlayQuestion, points, rank, run, winner

# the pass
PLAIN_RANK = 2.4  # a rank of a plain suit is as bad to keep as this many ranks of Payoo
PLAIN_LONG = 1.0  # less by this for each card of the same plain suit: the lower ones are played first

# the play, in points
LATER = 0.5  # how much the danger of keeping a card counts against what happens now
KEEP_PAPAYOO = 25.0
KEEP_CATCHER = 6.0  # a card above the Papayoo while that is out
KEEP_PLAIN = 11.0  # a plain card above all others
KEEP_PAYOO = 8.0  # a Payoo above all others, and for each of its ranks
KEEP_PAYOO_RANK = 0.3
THROWN = 0.8  # a seat that cannot follow throws this much of the mean of the four highest unseen Payoos
CAUGHT = 20.0  # what a card above the Papayoo catches when led, shared among the unseen of the suit

memory = Memory()


def choose_pass(question: PassQuestion) -> list[str]:
    suits = [card[0] for card in question["hand"]]

    def badness(card: str) -> float:
        if card[0] == PAYOO:
            return rank(card)
        return PLAIN_RANK * rank(card) - PLAIN_LONG * suits.count(card[0])

    return sorted(question["hand"], key=badness)[-question["count"] :]


def choose_card(question: PlayQuestion) -> str:
    memory.watch(question)
    if len(question["legal"]) == 1:
        return question["legal"][0]
    return min(question["legal"], key=View(question).cost)


class View:
    """A question as the asked seat sees it, with estimates of what may come."""

    def __init__(self, question: PlayQuestion) -> None:
        players = len(question["scores"])
        self.papayoo_suit = question["papayoo_suit"]
        self.papayoo = self.papayoo_suit + "7"
        self.trick = question["trick"]
        self.best = winner(self.trick) if self.trick else ""
        self.in_trick = sum(points(card, self.papayoo_suit) for card in self.trick)
        self.later = [(question["seat"] + i) % players for i in range(1, players - len(self.trick))]
        self.unseen = memory.unseen(question["hand"])
        self.unseen_cards = max(1, sum(map(len, self.unseen.values())))
        self.hand_size = self.unseen_cards / (players - 1)  # of another seat, on average
        self.papayoo_out = 7 in self.unseen[self.papayoo_suit]
        highest = self.unseen[PAYOO][-4:]
        self.thrown = THROWN * sum(highest) / max(1, len(highest))  # by a seat that cannot follow

    def cost(self, card: str) -> float:
        """Estimate the points that playing `card` costs, less the danger of keeping it."""
        now = 0.0
        if not self.trick or (card[0] == self.best[0] and rank(card) > rank(self.best)):
            chance, to_come = self.taking(card)
            now = chance * (self.in_trick + points(card, self.papayoo_suit) + to_come)
        return now - LATER * self.danger(card)

    def taking(self, card: str) -> tuple[float, float]:
        """Return the chance that a card which is winning so far takes the trick, and the points to come."""
        unseen = self.unseen[card[0]]
        lower = [other for other in unseen if other < rank(card)]
        none_lower = (1 - len(lower) / self.unseen_cards) ** self.hand_size
        void = (1 - len(unseen) / self.unseen_cards) ** self.hand_size
        if card[0] == PAYOO:
            followed = (1 - void) * sum(lower) / max(1, len(lower))
        else:
            catches = card[0] == self.papayoo_suit and self.papayoo_out and rank(card) > 7
            followed = CAUGHT / len(unseen) if catches else 0.0
        chance, to_come = 1.0, 0.0
        for seat in self.later:
            if card[0] in memory.voids[seat]:
                to_come += self.thrown
            else:
                # A seat plays over the card only if it has the suit and no lower card in it.
                chance *= 1 - (none_lower - void)
                to_come += void * self.thrown + followed
        return chance, to_come

    def danger(self, card: str) -> float:
        """Estimate the points that keeping `card` may cost."""
        if card == self.papayoo:
            return KEEP_PAPAYOO
        height, unseen = rank(card), self.unseen[card[0]]
        below = sum(other < height for other in unseen) / max(1, len(unseen))
        if card[0] == PAYOO:
            return KEEP_PAYOO * below + KEEP_PAYOO_RANK * height
        if not unseen:
            return -1.0  # only our own lead can bring this suit up again
        catcher = card[0] == self.papayoo_suit and self.papayoo_out and height > 7
        return KEEP_PLAIN * below + KEEP_CATCHER * catcher


if __name__ == "__main__":
    run("Sharp", choose_pass, choose_card)

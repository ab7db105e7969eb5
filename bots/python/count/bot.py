"""Count: remembers every card played, so it knows how safe each of its own cards still is.

One idea more than Dump: a card is dangerous while the other seats hold cards below it, for they will stay
under it. Count leads its safest card and throws its most dangerous one. When it plays last, it takes a trick
that costs nothing with its highest card.
"""

from __future__ import annotations

from papayoo_bot import PAYOO, Memory, PassQuestion, PlayQuestion, points, rank, run, winner

PLAIN_IN_PAYOO = 1.2  # a plain rank is about as bad to keep as this many times the rank in Payoo

memory = Memory()


def choose_pass(question: PassQuestion) -> list[str]:
    def badness(card: str) -> float:
        return rank(card) if card[0] == PAYOO else PLAIN_IN_PAYOO * rank(card)

    return sorted(question["hand"], key=badness)[-question["count"] :]


def choose_card(question: PlayQuestion) -> str:
    memory.watch(question)
    legal, trick, papayoo_suit = question["legal"], question["trick"], question["papayoo_suit"]
    unseen = memory.unseen(question["hand"])

    def danger(card: str) -> float:
        return danger_of(card, unseen[card[0]], papayoo_suit)

    if not trick:
        return min(legal, key=lambda card: danger(card) if unseen[card[0]] else 100 + rank(card))
    best = winner(trick)
    if legal[0][0] != best[0]:
        return max(legal, key=danger)
    return follow(question, best)


def danger_of(card: str, unseen: list[int], papayoo_suit: str) -> float:
    """Estimate the points that keeping `card` may cost, if the others hold these ranks of its suit."""
    height = rank(card)
    if card == papayoo_suit + "7":
        return 40
    if not unseen:
        return -1  # only our own lead can bring this suit up again
    below = sum(other < height for other in unseen) / len(unseen)
    if card[0] == PAYOO:
        return below * (8 + 0.8 * height)
    catches_papayoo = card[0] == papayoo_suit and height > 7 and 7 in unseen
    return below * (25 if catches_papayoo else 10)


def follow(question: PlayQuestion, best: str) -> str:
    """Return the card to play onto a trick that `best` is winning, when every legal card follows suit."""
    legal, trick, papayoo_suit = question["legal"], question["trick"], question["papayoo_suit"]
    papayoo = papayoo_suit + "7"
    last = len(trick) == len(question["scores"]) - 1
    free = best[0] != PAYOO and not any(points(card, papayoo_suit) for card in trick)
    under = [card for card in legal if rank(card) < rank(best)]
    if under and not (last and free):
        return max(under, key=rank)
    harmless = [card for card in legal if card != papayoo] or legal
    if last and best[0] != PAYOO:
        # The trick is ours anyway, or costs nothing: a good time to get rid of a high card.
        return max(harmless, key=rank)
    return min(harmless, key=rank)


if __name__ == "__main__":
    run("Count", choose_pass, choose_card)

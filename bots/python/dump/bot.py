"""Dump: ducks, and throws its most expensive card into any trick that it cannot follow.

One idea more than Duck: a seat that cannot follow cannot take the trick either, so this is the time to get
rid of points. Dump throws the Papayoo first, then its highest Payoo, then its highest card.
"""

from __future__ import annotations

from papayoo_bot import PassQuestion, PlayQuestion, points, rank, run, winner


def choose_pass(question: PassQuestion) -> list[str]:
    return sorted(question["hand"], key=rank)[-question["count"] :]


def choose_card(question: PlayQuestion) -> str:
    legal, trick, papayoo_suit = question["legal"], question["trick"], question["papayoo_suit"]

    def cost(card: str) -> tuple[int, int]:
        return points(card, papayoo_suit), rank(card)

    if not trick:
        return min(legal, key=rank)
    best = winner(trick)
    losing = [card for card in legal if card[0] != best[0] or rank(card) < rank(best)]
    return max(losing, key=cost) if losing else min(legal, key=cost)


if __name__ == "__main__":
    run("Dump", choose_pass, choose_card)

"""Duck: stays under the card that is winning the trick, with the highest card that still does.

One idea more than Low: high cards must go, and the time to play them is a trick that another seat takes. Duck
passes its highest cards. It knows nothing of points, and throws its lowest card when it cannot follow.
"""

from __future__ import annotations

from papayoo_bot import PassQuestion, PlayQuestion, rank, run, winner


def choose_pass(question: PassQuestion) -> list[str]:
    return sorted(question["hand"], key=rank)[-question["count"] :]


def choose_card(question: PlayQuestion) -> str:
    legal, trick = question["legal"], question["trick"]
    if trick:
        best = winner(trick)
        under = [card for card in legal if card[0] == best[0] and rank(card) < rank(best)]
        if under:
            return max(under, key=rank)
    return min(legal, key=rank)


if __name__ == "__main__":
    run("Duck", choose_pass, choose_card)

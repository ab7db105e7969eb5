"""Low: always plays its lowest card. It takes few tricks early, and later it has only high cards left.

One idea: a low card rarely takes a trick. There is no idea behind its pass: the first cards of the hand.
"""

from __future__ import annotations

from papayoo_bot import PassQuestion, PlayQuestion, rank, run


def choose_pass(question: PassQuestion) -> list[str]:
    return question["hand"][: question["count"]]


def choose_card(question: PlayQuestion) -> str:
    return min(question["legal"], key=rank)


if __name__ == "__main__":
    run("Low", choose_pass, choose_card)

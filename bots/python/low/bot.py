"""Low: always the lowest card. It takes few tricks early, and late it has only high cards left.

One idea: a low card rarely takes a trick. Its pass is no idea at all: the first cards of the hand.
"""

from __future__ import annotations

from papayoo_bot import RANK, PassQuestion, PlayQuestion, run


def choose_pass(question: PassQuestion) -> list[str]:
    return question["hand"][: question["count"]]


def choose_card(question: PlayQuestion) -> str:
    return min(question["legal"], key=RANK.__getitem__)


if __name__ == "__main__":
    run("Low", choose_pass, choose_card)

"""Random: any legal card, any pass. The yardstick that every idea about the game must beat."""

from __future__ import annotations

from random import Random

from papayoo_bot import PassQuestion, PlayQuestion, Start, run

dice = Random(0)


def start(news: Start) -> None:
    """The arena's seed makes a match repeatable: the same questions get the same answers."""
    dice.seed(news["seed"])


def choose_pass(question: PassQuestion) -> list[str]:
    return dice.sample(question["hand"], question["count"])


def choose_card(question: PlayQuestion) -> str:
    return dice.choice(question["legal"])


if __name__ == "__main__":
    run("Random", choose_pass, choose_card, start=start)

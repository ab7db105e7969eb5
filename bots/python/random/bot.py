"""Random: plays any legal card and passes any cards. Every idea about the game must beat this bot."""

from __future__ import annotations

from random import Random

from papayoo_bot import Message, PassQuestion, PlayQuestion, run

dice = Random(0)


def news(message: Message) -> None:
    """Seed the dice from the arena, so that the same questions of a match get the same answers again."""
    if message["type"] == "start":
        dice.seed(message["seed"])


def choose_pass(question: PassQuestion) -> list[str]:
    return dice.sample(question["hand"], question["count"])


def choose_card(question: PlayQuestion) -> str:
    return dice.choice(question["legal"])


if __name__ == "__main__":
    run("Random", choose_pass, choose_card, news)

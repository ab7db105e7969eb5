"""Redeal: deals the hidden cards again and again, in ways that fit all that was seen, and plays on.

In every such deal each choice is played to the end of the round, with every seat playing as Sharp does. The
choice that costs least on average is taken (determinised Monte Carlo).

    bot.py           what a seat has seen of the round
    search.py        which choice is best, and how long to think
    arena.strategy   the hidden cards, dealt again; how every seat plays on

It imports the rules, `arena.papayoo`, and `arena.strategy`: the command of a sample bot is {python}, the
interpreter that runs the arena, where both are installed. Random numbers come from the seed of the match, so
the bot plays the same way again after the same seed and the same questions, unless a busy machine cuts its
search short.
"""

from __future__ import annotations

from random import Random

from search import CARDS_PER_MS, PASS_CARDS_PER_MS, Effort, search_card, search_pass

from arena.papayoo import SUIT_MASKS, SUITS, Position, deck, mask_of, names_of, parse_card
from arena.strategy import Seen
from papayoo_bot import Memory, Message, PassQuestion, PlayQuestion, Question, run

memory = Memory()
match = {"seed": 0}


def news(message: Message) -> None:
    if message["type"] == "start":
        match["seed"] = message["seed"]
        memory.round = (-1, -1)


def chance_for(question: Question, trick: int) -> Random:
    """Return random numbers that depend on the match's seed and the question, not on earlier answers."""
    return Random(f"{match['seed']} {question['round']} {trick}")


def set_of(names: list[str]) -> int:
    return mask_of(map(parse_card, names))


def choose_pass(question: PassQuestion) -> list[str]:
    effort = Effort(question["move_ms"], PASS_CARDS_PER_MS)
    memory.watch(question)
    players = len(question["scores"])
    place = (question["seat"] - question["dealer"]) % players
    return names_of(search_pass(set_of(question["hand"]), players, place, chance_for(question, -1), effort))


def choose_card(question: PlayQuestion) -> str:
    effort = Effort(question["move_ms"], CARDS_PER_MS)
    memory.watch(question)
    legal = set_of(question["legal"])
    if len(question["legal"]) == 1:
        return question["legal"][0]
    chance = chance_for(question, question["trick_number"])
    card = search_card(position_of(question), seen_of(question), legal, chance, effort)
    return names_of(1 << card)[0]


def position_of(question: PlayQuestion) -> Position:
    """Return the round as the seat sees it, with the other hands empty."""
    hands = [0] * len(question["scores"])
    hands[question["seat"]] = set_of(question["hand"])
    return Position(
        papayoo_suit=SUITS.index(question["papayoo_suit"]),
        dealer=question["dealer"],
        leader=question["leader"],
        hands=tuple(hands),
        trick=tuple(map(parse_card, question["trick"])),
        points=tuple(question["points"]),
    )


def seen_of(question: PlayQuestion) -> Seen:
    """Return what the seat knows about the other hands."""
    me, players, cards = question["seat"], len(question["scores"]), len(question["hand"])
    trick = len(question["trick"])
    gone = set_of([*memory.seen, *question["trick"], *question["hand"]])
    hidden = deck(players) & ~gone
    places = [(seat - question["leader"]) % players for seat in range(players)]
    # The left neighbour got our pass, and still holds those of its cards that are not played.
    known = [0] * players
    known[(me + 1) % players] = set_of(question["passed"]) & hidden
    return Seen(
        me=me,
        held=[cards - (place < trick) for place in places],
        known=known,
        possible=[
            sum(mask for suit, mask in zip(SUITS, SUIT_MASKS, strict=True) if suit not in voids)
            for voids in memory.voids
        ],
        hidden=hidden,
    )


if __name__ == "__main__":
    run("Redeal", choose_pass, choose_card, news)

"""Breaks the rules of the game whenever it can: revoke, foreign (a card of others), too_few, double."""

import sys

from speak import good_answer, play

HOW = sys.argv[1]
ALL = [suit + str(rank) for suit in "SHDCP" for rank in range(1, 21 if suit == "P" else 11)]


def decide(number: int, question: dict) -> dict:
    answer = good_answer(question)
    hand = question["hand"]
    if question["type"] == "pass":
        if HOW == "too_few":
            answer["cards"] = hand[: question["count"] - 1]
        elif HOW == "double":
            answer["cards"] = [hand[0]] * question["count"]
    elif HOW == "revoke":
        answer["card"] = next((card for card in hand if card not in question["legal"]), answer["card"])
    elif HOW == "foreign":
        answer["card"] = next(card for card in ALL if card not in hand)
    return answer


play(decide)

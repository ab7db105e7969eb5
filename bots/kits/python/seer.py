"""A second example: a bot that remembers the whole round from the events, and plays at many tables at once.

    arena play 'python3 seer.py' random low duck

All events of a round together are the round as your seat saw it, with your own moves:

    passed     seat (yours), cards, by        you passed these cards
    received   seat (yours), cards            you received these
    die        seat (the dealer), card        the Papayoo of this round
    played     seat, card, and by if yours    a card fell
    taken      seat, cards                    that seat took this trick

`by` is "bot", or "stand_in" where the referee chose for you after a fault. Events come with the next
question, with `round_over` or with `match_over`.
"""

from __future__ import annotations

from papayoo_bot import Message, points, rank, run, winner

DECK = [suit + str(number) for suit in "SHDCP" for number in range(1, 21 if suit == "P" else 11)]


class Table:
    """What is known at one table. One process may play at many tables, so nothing is kept outside."""

    def __init__(self, start: Message) -> None:
        plain_aces = {"S1", "H1", "D1", "C1"} if start["players"] > 6 else set()
        self.deck = set(DECK) - plain_aces
        self.gone: set[str] = set()  # cards of this round that have been played

    def see(self, events: list[Message]) -> None:
        for event in events:
            if event["event"] == "die":  # a new round begins to be played
                self.gone = set()
            elif event["event"] == "played":
                self.gone.add(event["card"])

    def danger(self, card: str, hand: list[str]) -> int:
        """Return how many cards in other hands are of the same suit and lower."""
        others = self.deck - self.gone - set(hand)
        return sum(other[0] == card[0] and rank(other) < rank(card) for other in others)


TABLES: dict[int, Table] = {}  # by the key "table" of every message


def news(message: Message) -> None:
    """Take note of `start`, `round_over` and `match_over`."""
    match message["type"]:
        case "start":
            TABLES[message["table"]] = Table(message)
        case "round_over":
            TABLES[message["table"]].see(message["events"])
        case "match_over":
            del TABLES[message["table"]]


def choose_pass(question: Message) -> list[str]:
    return sorted(question["hand"], key=rank)[-question["count"] :]


def choose_card(question: Message) -> str:
    table = TABLES[question["table"]]
    table.see(question["events"])
    hand, legal, trick = question["hand"], question["legal"], question["trick"]

    def cost(card: str) -> tuple[int, int, int]:
        return points(card, question["papayoo_suit"]), table.danger(card, hand), rank(card)

    if not trick:  # lead what the others can hardly stay below
        return min(legal, key=lambda card: (table.danger(card, hand), rank(card)))
    best = winner(trick)
    losing = [card for card in legal if card[0] != best[0] or rank(card) < rank(best)]
    return max(losing, key=cost) if losing else min(legal, key=cost)


if __name__ == "__main__":
    run("@NAME@", choose_pass, choose_card, news, tables=64)

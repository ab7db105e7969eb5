"""Learned: a small network that was trained by playing against itself says what each card is likely to cost.

    bot.py         reads what has arrived, and answers all questions in it with one look of the network
    network.py     what the network sees of a round, and the network; numpy only
    weights.npz    what it has learnt
    train.py       how it learnt, and curve.py how well; neither is needed to play

It imports `arena.learn`, whose arrays it was trained on: the command of a sample bot is {python}, the
interpreter that runs the arena, where it is installed.
"""

from __future__ import annotations

import os

# Before numpy is imported: for so small a network, a second thread costs more than it brings.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from network import Network

from arena.learn import Batch, Observation, Watcher
from arena.papayoo import CARD_NAMES
from papayoo_bot import decode, encode

NAME = "Learned"
TABLES = 8
WEIGHTS = Path(__file__).with_name("weights.npz")

Message = dict[str, Any]


class Player:
    """Plays at any number of tables by one network."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._watchers: dict[int, Watcher] = {}
        for players in (3, 8):  # the first look takes longest: here nobody waits for it
            network.choose(Batch(1, players).observe())

    def answers(self, messages: list[Message]) -> list[Message]:
        """Take in the messages that have arrived, and return the answers to those that are questions."""
        answers: list[Message] = []
        asked: dict[int, Message] = {}
        for message in messages:
            if message["type"] in ("pass", "play"):
                table = message["table"]
                if table in asked:  # it comes after one that ran out of time, and both are answered in turn
                    answers += self._decided(asked)
                    asked = {}
                self._watchers.setdefault(table, Watcher()).told(message)
                asked[table] = message
        return answers + self._decided(asked)

    def _decided(self, asked: dict[int, Message]) -> list[Message]:
        """Return the answers to these questions, one of each table."""
        chosen: dict[int, list[str]] = {table: [] for table in asked}
        while left := [table for table, cards in chosen.items() if len(cards) < asked[table].get("count", 1)]:
            self._choose(left, chosen)
        return [_answer(message, chosen[table]) for table, message in asked.items()]

    def _choose(self, tables: list[int], chosen: dict[int, list[str]]) -> None:
        """Choose one card at each of these tables. Cards are passed one after another, as in training."""
        sights = [self._watchers[table].observe(chosen[table]) for table in tables]
        for size in {seen.planes.shape for seen in sights}:
            alike = [number for number, seen in enumerate(sights) if seen.planes.shape == size]
            cards = self._network.choose(_together([sights[number] for number in alike]))
            for number, card in zip(alike, cards, strict=True):
                chosen[tables[number]].append(CARD_NAMES[card])


def _together(sights: list[Observation]) -> Observation:
    """Return observations of one round each, at tables of one size, as one."""
    return Observation(
        np.concatenate([seen.planes for seen in sights]),
        np.concatenate([seen.facts for seen in sights]),
        np.concatenate([seen.legal for seen in sights]),
        np.concatenate([seen.seat for seen in sights]),
    )


def _answer(question: Message, cards: list[str]) -> Message:
    if question["type"] == "pass":
        return {"type": "cards", "id": question["id"], "cards": cards}
    return {"type": "card", "id": question["id"], "card": cards[0]}


def arrived() -> Iterator[list[Message]]:
    """Yield the messages that have arrived, as soon as there is one, until the arena closes the pipe."""
    rest = b""
    while data := os.read(sys.stdin.fileno(), 1 << 16):
        *lines, rest = (rest + data).split(b"\n")
        yield [decode(line) for line in lines]


def main() -> None:
    player = Player(Network.load(WEIGHTS))
    for messages in arrived():
        said = [message for message in messages if message["type"] == "hello"]
        about = {"name": NAME, "version": "1", "tables": TABLES, "language": "Python"}
        answers: list[Message] = [{"type": "ready", "id": hello["id"], **about} for hello in said]
        answers += player.answers(messages)
        sys.stdout.buffer.write(b"".join(map(encode, answers)))
        sys.stdout.buffer.flush()
        if any(message["type"] == "bye" for message in messages):
            return


if __name__ == "__main__":
    main()

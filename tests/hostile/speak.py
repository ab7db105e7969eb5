"""What all hostile bots share: how to talk as a good bot does. Each of them then departs from it once.

The good answer is the first `count` cards of the hand, or the first legal card.
"""

from __future__ import annotations

import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator

import msgpack

Message = dict  # of str to whatever the protocol says


def messages() -> Iterator[Message]:
    for line in sys.stdin.buffer:
        yield msgpack.unpackb(b64decode(line))


def raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(message: Message) -> None:
    raw(b64encode(msgpack.packb(message)) + b"\n")


def note(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def good_answer(question: Message) -> Message:
    if question["type"] == "pass":
        return {"type": "cards", "id": question["id"], "cards": question["hand"][: question["count"]]}
    return {"type": "card", "id": question["id"], "card": question["legal"][0]}


def play(
    decide: Callable[[int, Message], Message | None] = lambda number, question: good_answer(question),
    hear: Callable[[Message], None] = lambda news: None,
) -> None:
    """Play until bye. `decide` gets the number of the decision in this process, from 1, and the
    question; it gives the answer, or None when it has done something else."""
    number = 0
    for message in messages():
        kind = message["type"]
        if kind == "bye":
            return
        if kind == "hello":
            say({"type": "ready", "id": message["id"], "name": "Hostile", "version": "1"})
        elif kind in ("pass", "play"):
            number += 1
            answer = decide(number, message)
            if answer is not None:
                say(answer)
        else:
            hear(message)

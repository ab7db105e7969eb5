"""Plays at several tables at once: TABLES HOW [WHEN]. HOW, from decision WHEN (from 1) on:

good; dies: once with exit code 3; one_silent: no answer at the first table it sat at; swaps: each answer has
the id of another open question.
"""

from __future__ import annotations

import os
import sys
from base64 import b64decode, b64encode

import msgpack
from speak import Message, good_answer, note, raw

TABLES, HOW = int(sys.argv[1]), sys.argv[2]
WHEN = int(sys.argv[3]) if len(sys.argv) > 3 else 1


def line(message: Message) -> bytes:
    return b64encode(msgpack.packb(message)) + b"\n"


def answers(batch: list[Message], number: int) -> bytes:
    """What it says to a batch whose last question is decision `number`."""
    if HOW == "good" or number < WHEN:
        return b"".join(line(good_answer(question)) for question in batch)
    match HOW:
        case "dies":
            note("dies now")
            os._exit(3)
        case "one_silent":
            return b"".join(line(good_answer(question)) for question in batch if question["table"])
        case "swaps":
            ids = [question["id"] for question in batch]
            swapped = zip(batch, ids[1:] + ids[:1], strict=True)
            return b"".join(line(good_answer({**question, "id": other})) for question, other in swapped)
    raise ValueError(HOW)


def main() -> None:
    rest, number = b"", 0
    while data := os.read(0, 1 << 18):
        *lines, rest = (rest + data).split(b"\n")
        messages = [msgpack.unpackb(b64decode(one)) for one in lines]
        for message in messages:
            if message["type"] == "bye":
                return
            if message["type"] == "hello":
                about = {"name": "Many", "version": "1", "tables": TABLES}
                raw(line({"type": "ready", "id": message["id"], **about}))
        batch = [message for message in messages if message["type"] in ("pass", "play")]
        if batch:
            number += len(batch)
            raw(answers(batch, number))


main()

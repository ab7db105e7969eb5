"""Plays at several tables at once: TABLES HOW [WHEN]. HOW, from decision WHEN (from 1) on:

good; backwards: the last question first; dies: once with exit code 3; silent: no answer; one_silent: no
answer at the first table it sat at; swaps: each answer has the id of another open question; loud: a stray
line before each answer; much: a flood of lines; waits: until then, half a second before each answer.
"""

from __future__ import annotations

import os
import sys
import time
from base64 import b64decode, b64encode

import msgpack
from speak import Message, good_answer, note, raw

TABLES, HOW = int(sys.argv[1]), sys.argv[2]
WHEN = int(sys.argv[3]) if len(sys.argv) > 3 else 1


def line(message: Message) -> bytes:
    return b64encode(msgpack.packb(message)) + b"\n"


def answers(batch: list[Message], number: int) -> bytes:
    """What it says to a batch whose last question is decision `number`."""
    if HOW == "good" or (number > WHEN if HOW == "waits" else number < WHEN):
        return b"".join(line(good_answer(question)) for question in batch)
    match HOW:
        case "backwards":
            return b"".join(line(good_answer(question)) for question in reversed(batch))
        case "dies":
            note("dies now")
            os._exit(3)
        case "silent":
            return b""
        case "one_silent":
            return b"".join(line(good_answer(question)) for question in batch if question["table"])
        case "swaps":
            ids = [question["id"] for question in batch]
            swapped = zip(batch, ids[1:] + ids[:1], strict=True)
            return b"".join(line(good_answer({**question, "id": other})) for question, other in swapped)
        case "loud":
            return b"".join(b"thinking\n" + line(good_answer(question)) for question in batch)
        case "much":
            return b"x\n" * 200
    for question in batch:
        time.sleep(0.5)
        raw(line(good_answer(question)))
    return b""


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

"""Answers with lines that are no answer, or odd ones: early, stale, trailing, drip, crlf, unknown_keys."""

import sys
from base64 import b64encode

import msgpack
from speak import good_answer, note, play, raw, say

HOW = sys.argv[1]
old = []


def line(answer: dict, more: bytes = b"") -> bytes:
    return b64encode(msgpack.packb(answer) + more) + b"\n"


def decide(number: int, question: dict) -> dict | None:
    answer = good_answer(question)
    old.append(answer)
    good = line(answer)
    match HOW:
        case "early" if number == 2:  # the answer, and one to a question that has not been put
            raw(good + line({**answer, "id": "0" * 12}))
        case "stale" if number > 2:
            say(old[0])
        case "drip":  # slowly, and right
            for byte in good:
                raw(bytes([byte]))
        case "crlf":
            raw(good[:-1] + b"\r\n")
        case "unknown_keys":
            say({**answer, "extra": {"deep": [1, None, "x"]}})
        case "trailing":
            raw(line(answer, b"\x00"))
        case _:
            return answer
    return None


note(f"abuses by {HOW}")
play(decide)

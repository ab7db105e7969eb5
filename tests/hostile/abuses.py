"""Answers with bytes that are no answer, or no usual one: each word of the command line is a way."""

import struct
import sys
from base64 import b64encode

import msgpack
from speak import good_answer, note, play, raw, say

HOW = sys.argv[1]
old = []


def packed(answer: dict, key: bytes, value: bytes) -> bytes:
    """The answer as msgpack with one more key at its end."""
    body = msgpack.packb(answer)
    return bytes([body[0] + 1]) + body[1:] + key + value


def line(data: bytes) -> bytes:
    return b64encode(data) + b"\n"


def instead(answer: dict, **changed: object) -> bytes:
    """The answer with other values; None leaves the key out."""
    return line(msgpack.packb({key: value for key, value in {**answer, **changed}.items() if value != ()}))


def bad_line(answer: dict) -> bytes | None:
    what = "card" if "card" in answer else "cards"
    extra = msgpack.packb("extra")
    card = msgpack.packb({key: value for key, value in answer.items() if key != what})
    head = bytes([card[0] + 1]) + card[1:] + msgpack.packb(what)  # all but the card
    ways = {
        "json": b'{"type": "card", "card": "S7"}\n',
        "trailing": line(msgpack.packb(answer) + b"\x00"),
        "nan": line(head + b"\xcb" + struct.pack(">d", float("nan"))),
        "huge_number": instead(answer, **{what: (1 << 64) - 1}),
        "bad_utf8": line(head + b"\xa2\xff\xfe"),
        "no_such_card": instead(answer, **{what: "S11" if what == "card" else ["S11"] * 5}),
        "duplicate": line(packed(answer, msgpack.packb("type"), msgpack.packb("card"))),
        "nested": line(packed(answer, extra, b"\x91" * 40_000 + b"\xc0")),
        "claims": line(packed(answer, extra, b"\xdd\xff\xff\xff\xff")),
        "no_id": instead(answer, id=()),
    }
    return ways.get(HOW)


def decide(number: int, question: dict) -> dict | None:
    answer = good_answer(question)
    old.append(answer)
    wrong = bad_line(answer)
    good = line(msgpack.packb(answer))
    match HOW:
        case "early" if number == 2:  # the answer, and one to a question that has not been put
            raw(good + line(msgpack.packb({**answer, "id": "0" * 12})))
        case "stale" if number > 2:
            say(old[0])
        case "drip":  # slowly, and right
            for byte in good:
                raw(bytes([byte]))
        case "crlf":
            raw(good[:-1] + b"\r\n")
        case "unknown_keys":
            say({**answer, "extra": {"deep": [1, None, "x"]}})
        case _ if wrong is not None:
            raw(wrong)
        case _:
            return answer
    return None


note(f"abuses by {HOW}")
play(decide)

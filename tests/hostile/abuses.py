"""Answers with bytes that are no answer, or no usual one: each word of the command line is a way."""

import struct
import sys
from base64 import b64encode, urlsafe_b64encode

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
    good = line(msgpack.packb(answer))
    what = "card" if "card" in answer else "cards"
    extra = msgpack.packb("extra")
    card = msgpack.packb({key: value for key, value in answer.items() if key != what})
    head = bytes([card[0] + 1]) + card[1:] + msgpack.packb(what)  # all but the card
    ways = {
        "json": b'{"type": "card", "card": "S7"}\n',
        "empty": b"\n",
        "zeros": bytes(40) + b"\n",
        "bom": b"\xef\xbb\xbf" + good,
        "url_safe": urlsafe_b64encode(msgpack.packb({**answer, "x": "\xff?>~" * 9})) + b"\n",
        "unpadded": good.rstrip(b"=\n")[:-1] + b"\n",
        "wrapped": good[:20] + b"\n" + good[20:],
        "a_list": line(msgpack.packb([1, 2])),
        "a_number": line(msgpack.packb(5)),
        "no_bytes_left": line(msgpack.packb(answer)[:-1]),
        "trailing": line(msgpack.packb(answer) + b"\x00"),
        "two_maps": line(msgpack.packb(answer) * 2),
        "nan": line(head + b"\xcb" + struct.pack(">d", float("nan"))),
        "float": instead(answer, **{what: 5.0}),
        "true": instead(answer, **{what: True}),
        "minus": instead(answer, **{what: -1}),
        "huge_number": instead(answer, **{what: (1 << 64) - 1}),
        "ext": line(head + msgpack.packb(msgpack.ExtType(5, b"x"))),
        "bytes": line(head + msgpack.packb(b"S7")),
        "nil": instead(answer, **{what: None}),
        "bad_utf8": line(head + b"\xa2\xff\xfe"),
        "no_such_card": instead(answer, **{what: "S11" if what == "card" else ["S11"] * 5}),
        "long_card": instead(answer, **{what: "S" * 5000}),
        "duplicate": line(packed(answer, msgpack.packb("type"), msgpack.packb("card"))),
        "key_number": line(packed(answer, b"\x05", extra)),
        "nested": line(packed(answer, extra, b"\x91" * 40_000 + b"\xc0")),
        "claims": line(packed(answer, extra, b"\xdd\xff\xff\xff\xff")),
        "many_keys": instead(answer, **{f"k{n}": n for n in range(4000)}),
        "no_type": instead(answer, type=()),
        "unknown_type": instead(answer, type="move"),
        "no_id": instead(answer, id=()),
        "id_number": instead(answer, id=7),
        "long_id": instead(answer, id="7" * 33),
        "no_card": instead(answer, **{what: ()}),
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

"""Talks to the arena for a bot, with the standard library only. There is nothing to change here.

    run("Mine", choose_pass, choose_card)

`rank`, `points` and `winner` help with playing. SPEC.md of the arena describes the protocol.
"""

from __future__ import annotations

import os
import re
import struct
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

Message = dict[str, Any]
"""A question or news, with the keys that bot.py lists. Ignore keys that it does not list."""

# ---------------------------------------------------------------------------- cards


def rank(card: str) -> int:
    """Return the number of a card: 20 for "P20". Its suit is card[0]."""
    return int(card[1:])


def points(card: str, papayoo_suit: str) -> int:
    """Return what a card costs its taker: a Payoo its rank, the 7 of `papayoo_suit` 40, any other 0."""
    if card[0] == "P":
        return rank(card)
    return 40 if card == papayoo_suit + "7" else 0


def winner(trick: Sequence[str]) -> str:
    """Return the card that takes a trick: the highest of the suit that was led."""
    return max((card for card in trick if card[0] == trick[0][0]), key=rank)


# ---------------------------------------------------------------------------- the conversation


def run(
    name: str,
    choose_pass: Callable[[Message], list[str]],
    choose_card: Callable[[Message], str],
    news: Callable[[Message], object] | None = None,
    tables: int = 1,
) -> None:
    """Answer questions until the arena says bye or closes the pipe.

    `news` is called with `start`, `round_over` and `match_over`. `tables` is the number of matches that the
    bot can play at once, telling them apart by `table`, a key of every message. Standard output belongs to
    the arena, so what a bot prints goes to standard error.

    Questions of several tables come together. Their answers are sent together too, which is quicker, unless
    that takes long, for each question has its own time.
    """
    out = sys.stdout.buffer
    sys.stdout = sys.stderr
    about = {"name": name, "version": "1", "language": "Python"}
    if tables > 1:
        about |= {"tables": tables}
    rest = b""
    while data := os.read(sys.stdin.fileno(), 1 << 16):
        *lines, rest = (rest + data).split(b"\n")
        began = monotonic()
        for line in lines:
            message = decode(line)
            match message.get("type"):
                case "hello":
                    answer = {"type": "ready", "id": message["id"], **about}
                case "pass":
                    answer = {"type": "cards", "id": message["id"], "cards": choose_pass(message)}
                case "play":
                    answer = {"type": "card", "id": message["id"], "card": choose_card(message)}
                case "bye":
                    return
                case other:
                    if news is not None and other in ("start", "round_over", "match_over"):
                        news(message)
                    continue  # nobody waits for an answer
            out.write(encode(answer))
            if monotonic() - began > 0.01:
                out.flush()
        out.flush()


# ---------------------------------------------------------------------------- lines
# A message is a line: base64 of a msgpack map. Of msgpack the protocol uses nil, bool, int, str, array
# and map. What does not fit into the first byte follows it, most significant byte first.

_LINE = re.compile(rb"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_MAX_LINE, _MAX_INT, _MAX_DEPTH, _MAX_ITEMS, _MAX_KEYS = 65536, 2**53 - 1, 8, 1024, 64
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_INTS = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
_SIZES = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I", 0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}


def decode(line: bytes) -> Message:
    """Return the message in a line, with or without its end. Raises ValueError if it breaks the protocol."""
    text = line.removesuffix(b"\n").removesuffix(b"\r")
    if not text or len(text) >= _MAX_LINE or not _LINE.fullmatch(text):
        raise ValueError("not a line of base64")
    reader = _Reader(b64decode(text))
    message = reader.value(0)
    if not isinstance(message, dict) or reader.at != len(reader.data):
        raise ValueError("a message is exactly one map")
    return message


class _Reader:
    """Reads values out of msgpack bytes, one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0  # the index of the next byte

    def value(self, depth: int) -> Any:
        first = self.take(1)[0]
        if first < 0x80:
            return first
        if first < 0x90:
            return self.map(first - 0x80, depth + 1)
        if first < 0xA0:
            return self.array(first - 0x90, depth + 1)
        if first < 0xC0:
            return self.take(first - 0xA0).decode()
        if first >= 0xE0:
            return first - 0x100
        if first in _CONSTANTS:
            return _CONSTANTS[first]
        if first in _INTS:
            return self.integer(_INTS[first])
        if first not in _SIZES:
            raise ValueError(f"msgpack type 0x{first:02x} is not part of the protocol")
        size = self.number(_SIZES[first])
        if first <= 0xDB:
            return self.take(size).decode()
        return self.array(size, depth + 1) if first <= 0xDD else self.map(size, depth + 1)

    def take(self, count: int) -> bytes:
        part = self.data[self.at : self.at + count]
        if len(part) < count:
            raise ValueError("a message is cut short")
        self.at += count
        return part

    def number(self, form: str) -> int:
        (number,) = struct.unpack(form, self.take(struct.calcsize(form)))
        return int(number)

    def integer(self, form: str) -> int:
        number = self.number(form)
        if abs(number) > _MAX_INT:
            raise ValueError(f"an integer of 2^53 or more: {number}")
        return number

    def array(self, count: int, depth: int) -> list[Any]:
        if count > _MAX_ITEMS or depth > _MAX_DEPTH:
            raise ValueError("an array too long or too deep")
        return [self.value(depth) for _ in range(count)]

    def map(self, count: int, depth: int) -> Message:
        if count > _MAX_KEYS or depth > _MAX_DEPTH:
            raise ValueError("a map too large or too deep")
        pairs: Message = {}
        for _ in range(count):
            key = self.value(depth)
            if not isinstance(key, str) or key in pairs:
                raise ValueError(f"a key that is no string, or comes twice: {key!r}")
            pairs[key] = self.value(depth)
        return pairs


def encode(message: Message) -> bytes:
    """Return the line of a message, with its newline."""
    return b64encode(_packed(message)) + b"\n"


def _packed(value: Any) -> bytes:
    match value:
        case None:
            return b"\xc0"
        case bool():
            return b"\xc3" if value else b"\xc2"
        case int():
            return _packed_int(value)
        case str():
            data = value.encode()
            return _head(len(data), 0xA0, 32, {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}) + data
        case list() | tuple():
            items = b"".join(map(_packed, value))
            return _head(len(value), 0x90, 16, {0xDC: ">H", 0xDD: ">I"}) + items
        case dict():
            items = b"".join(_packed(part) for pair in value.items() for part in pair)
            return _head(len(value), 0x80, 16, {0xDE: ">H", 0xDF: ">I"}) + items
    raise TypeError(f"a message holds None, bool, int, str, list and dict, not {value!r}")


def _head(size: int, first: int, most: int, forms: dict[int, str]) -> bytes:
    """Return how a str, list or dict begins: with its size in the first byte if that is below `most`."""
    return bytes([first + size]) if size < most else _shortest(size, forms)


def _packed_int(value: int) -> bytes:
    if -32 <= value < 128:
        return bytes([value & 0xFF])
    return _shortest(value, {kind: form for kind, form in _INTS.items() if (kind < 0xD0) == (value >= 0)})


def _shortest(number: int, forms: dict[int, str]) -> bytes:
    """Return the first byte and the number, in the first form that is wide enough."""
    for kind, form in forms.items():
        try:
            return bytes([kind]) + struct.pack(form, number)
        except struct.error:
            continue
    raise ValueError(f"{number} is too large")

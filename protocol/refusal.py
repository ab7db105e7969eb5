"""Why a line was refused, in words: kinds, the exception that carries one, what the line probably is instead.

Bytes and messages of strangers are made fit to show here. Nothing here reads a line; `packing`, `codec` and
`messages` raise what is defined here.

    ValueError
      BadMessage      a line that is no message of protocol 1; `reason` is a Refusal
"""

from __future__ import annotations

import json
import re
from binascii import Error as Base64Error
from binascii import a2b_base64
from enum import Enum


class Refusal(Enum):
    """Every reason for refusing a line by itself. The value is the sentence that its author reads.

    Whether a well-formed answer belongs to an open question is for the referee to find.
    """

    EMPTY_LINE = "The line is empty; a message is one line of base64."
    LINE_TOO_LONG = "The line is longer than 65536 bytes."
    NOT_BASE64 = "The line is not base64 (standard alphabet, padded with =, nothing else inside)."
    NOT_MSGPACK = "The decoded bytes are not msgpack, or stop before the value is complete."
    TRAILING_BYTES = "The decoded bytes go on after the first msgpack value; one line holds one map."
    NOT_A_MAP = "The decoded value is not a map."
    KEY_NOT_A_STRING = "A map has a key that is not a string."
    DUPLICATE_KEY = "A map has the same key twice."
    FORBIDDEN_TYPE = "The message holds a float, a bin or an ext; use nil, bool, int, str, array and map."
    INT_TOO_LARGE = "The message holds an integer of 2^53 or more in size."
    INVALID_UTF8 = "The message holds a string that is not valid UTF-8."
    TOO_DEEP = "Maps and arrays are nested more than 8 deep."
    TOO_MANY_ITEMS = "An array has more than 1024 items or a map more than 64 keys."
    MISSING_KEY = "A key that this message must have is missing."
    WRONG_TYPE = "A key has a value of the wrong type."
    BAD_VALUE = "A key has a value of the right type that is out of its range."
    UNKNOWN_TYPE = "The message type is not one that a bot may send (ready, cards, card)."
    NOT_A_CARD = "A card is not one of the 60 names S1-S10, H1-H10, D1-D10, C1-C10, P1-P20."

    @property
    def sentence(self) -> str:
        """Return the sentence for people."""
        return self.value


class BadMessage(ValueError):  # noqa: N818 - named after the fault it becomes
    """Raised for a line that is no message of protocol 1.

    `reason` is the kind. `detail` says what exactly, and may be empty. It quotes what a stranger sent, and
    ends up in databases and terminals. So what cannot be seen is written as escapes, whoever raises this.
    """

    def __init__(self, reason: Refusal, detail: str = "") -> None:
        super().__init__(reason, visible(detail))
        self.reason = reason
        self.detail = visible(detail)

    def __str__(self) -> str:
        return f"{self.reason.sentence} {self.detail}".rstrip()


_JSON = re.compile(rb"\s*[\[{]")
"""How JSON begins. As msgpack these would be small integers, so no message begins with them either."""
_MAP = re.compile(rb"[\x80-\x8f\xde\xdf]")
"""The first byte of a map in msgpack."""
_LOOKED_AT = 120
"""The bytes of a line that are looked at: its author may want to cost the referee time."""
_PROSE = re.compile(rb"[A-Za-z]{2}[,.:!?]? +\S")
"""Two words, which no base64 has between them."""


def guess(line: bytes) -> str:
    """Return what a refused line probably is and what to write instead, as a sentence; empty if unknown."""
    line = line[:_LOOKED_AT]
    if _JSON.match(line):
        return "It looks like JSON; a message is msgpack, written as base64."
    if _MAP.match(line):
        return "It looks like msgpack without base64; write the bytes as base64, and a newline after them."
    if _PROSE.search(line):
        return "It looks like a text for people; print that to standard error."
    try:
        inside = a2b_base64(line[: len(line) // 4 * 4])
    except Base64Error:
        return ""
    return "It looks like base64 of JSON; a message is base64 of msgpack." if _JSON.match(inside) else ""


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


def printable(data: bytes, limit: int = 80) -> str:
    """Return the first `limit` bytes as one line of text that is safe in logs and pages.

    UTF-8 is shown as itself. Control, bidi and other invisible characters and bytes that are no
    UTF-8 are shown as escapes, a backslash as two. An ellipsis says that more bytes follow.
    """
    text = data[:limit].decode("utf-8", "surrogateescape")
    return "".join(map(_shown, text)) + ("…" if len(data) > limit else "")


def visible(text: str) -> str:
    """Return a text with its control, bidi and other invisible characters, line ends too, as escapes."""
    return "".join(char if char.isprintable() else _shown(char) for char in text)


def readable(message: object) -> str:
    """Return a message as one line of JSON in which nothing is invisible."""
    text = json.dumps(message, ensure_ascii=False)
    return text if text.isprintable() else "".join(map(_escaped, text))


def _escaped(char: str) -> str:
    """Return a character as JSON escapes it where it cannot be seen.

    Such a character can only stand inside a string, so the value stays the same.
    """
    return char if char.isprintable() else json.dumps(char)[1:-1]


def _shown(char: str) -> str:
    code = ord(char)
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    if 0xDC80 <= code <= 0xDCFF:  # how surrogateescape carries a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

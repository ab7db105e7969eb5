"""Says what a line that is no message probably is, for the words of a refusal. It decides nothing."""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64

__all__ = ["guess"]

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

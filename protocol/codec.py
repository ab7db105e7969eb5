"""Lines: cut from a stream of bytes, and one message to one line and back, as base64 of a msgpack map.

It does no input or output, and must not know what messages mean.

This is the referee's hot path: causes are looked for only once a line is known to be bad.
"""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from pybase64 import b64encode

from protocol.packing import Value, pack, unpack, with_type
from protocol.refusal import BadMessage, Refusal, guess, printable

__all__ = [
    "MAX_LINE",
    "BadMessage",
    "LineSplitter",
    "Refusal",
    "Value",
    "decode",
    "encode",
    "line_of",
    "printable",
]

MAX_LINE: Final = 65536
"""The most bytes of one line, its end included."""

_encoded: Final[Callable[[bytes], bytes]] = b64encode
_FOREIGN: Final = re.compile(rb"[^A-Za-z0-9+/=]")


def encode(message: Mapping[str, object]) -> bytes:
    """Return the canonical line of a message, with its newline; keys in the order given.

    Values are as for `packing.pack`. Raises ValueError when the line would be longer than MAX_LINE.
    """
    return line_of(pack(message if type(message) is dict else dict(message)))


def line_of(packed: bytes) -> bytes:
    """Return the line of a message that is packed already. Raises ValueError when it would be too long."""
    line = _encoded(packed) + b"\n"
    if len(line) > MAX_LINE:
        raise ValueError(f"the message makes a line of {len(line)} bytes; at most {MAX_LINE} are allowed")
    return line


def decode(line: bytes) -> dict[str, Value]:
    r"""Return the map that a line holds. One `\n` and then one `\r` are dropped from its end, if there.

    Raises BadMessage for anything that is not strict base64 of one map within protocol 1.
    """
    try:
        value = unpack(_bytes_of(line))
    except BadMessage as refused:
        detail = f"{guess(line)} {refused.detail}".strip()
        raise BadMessage(refused.reason, detail) from None
    if type(value) is not dict:
        raise BadMessage(Refusal.NOT_A_MAP, f"Found {with_type(value)}.")
    return value


def _bytes_of(line: bytes) -> bytes:
    """Return the msgpack bytes that a line carries, at least one."""
    if len(line) > MAX_LINE:
        raise BadMessage(Refusal.LINE_TOO_LONG, f"It has {len(line)} bytes.")
    text = line.removesuffix(b"\n").removesuffix(b"\r")
    try:
        data = a2b_base64(text, strict_mode=True)
    except Base64Error:
        raise _not_base64(text) from None
    size = len(text)
    # strict_mode lets surplus padding pass.
    if size & 3 or 3 * size // 4 - len(data) > 2:
        raise _not_base64(text)
    if not data:
        raise BadMessage(Refusal.EMPTY_LINE)
    return data


def _not_base64(text: bytes) -> BadMessage:
    """Return the refusal of a line whose base64 is wrong, with the likeliest cause."""
    quoted = f"The line: {printable(text)}"
    foreign = _FOREIGN.search(text)
    if foreign is not None and foreign.group() in b"-_":
        cause = "It uses - or _, the URL alphabet; use + and / instead."
    elif foreign is not None:
        cause = f'It has "{printable(foreign.group())}" at byte {foreign.start()}.'
    elif b"=" in text.rstrip(b"="):
        cause = "Text follows the padding; one line holds one message."
    else:
        cause = f"It has {len(text)} characters; with padding it must be a multiple of 4."
        if len(text) % 4 == 0:
            cause = "It has too much padding."
    return BadMessage(Refusal.NOT_BASE64, f"{cause} {quoted}")


class LineSplitter:
    r"""Collects what was read from a bot and hands out complete lines, oldest first.

    Lines come without their `\n` (a `\r` before it stays; the codec drops it). The work is linear in the
    bytes fed, however they are cut. Nothing is ever thrown away here: the caller watches `unread_bytes` and
    `lines_waiting`, and decides what is too much.
    """

    __slots__ = ("_lines", "_partial", "_waiting_bytes")

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        # The bytes of the complete lines, each with its newline.
        self._waiting_bytes = 0
        self._partial = bytearray()

    def feed(self, data: bytes) -> None:
        """Take in the next bytes of the stream, of any number."""
        lines = data.split(b"\n")
        rest = lines.pop()
        # A partial line is joined once, when its newline comes, so the work stays linear.
        if lines:
            if self._partial:
                lines[0] = bytes(self._partial) + lines[0]
                self._partial.clear()
            self._lines.extend(lines)
            self._waiting_bytes += sum(map(len, lines)) + len(lines)
        self._partial += rest

    def next_line(self) -> bytes | None:
        """Remove and return the oldest complete line, or return None when there is none yet."""
        if not self._lines:
            return None
        line = self._lines.popleft()
        self._waiting_bytes -= len(line) + 1
        return line

    @property
    def lines_waiting(self) -> int:
        """Return the number of complete lines that have not been taken out."""
        return len(self._lines)

    @property
    def partial(self) -> bytes:
        """Return the beginning of a line whose newline has not come."""
        return bytes(self._partial)

    @property
    def unread_bytes(self) -> int:
        """Return the number of bytes that were fed and not taken out.

        They are the complete lines with their newlines, and the partial line.
        """
        return self._waiting_bytes + len(self._partial)

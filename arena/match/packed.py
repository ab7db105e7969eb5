"""Messages put together from bytes that are packed already: most of a question was in the one before.

It writes the msgpack of the few kinds of values that the referee sends: whole numbers from 0, texts, arrays
and maps. It must never read what a bot has sent.

Why not `protocol.packing`? It packs a whole message each time, and here most bytes are copied from the last
question. Why not inside `protocol`? Importing that package loads msgpack, and `arena.match` is pure: it can
be played where nothing is installed. A property in tests/match/test_packed.py keeps both writers equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final


def pack(value: object) -> bytes:
    """Return the canonical msgpack of a number from 0 to 2^64 - 1, a text, or a list, tuple or map of such.

    Raises TypeError or OverflowError for anything else.
    """
    if type(value) is int:  # exact types: True is not 1
        return NUMBERS[value] if 0 <= value < 256 else _pack_number(value)
    if isinstance(value, str):
        return _pack_text(value)
    if isinstance(value, list | tuple):
        return pack_array([pack(item) for item in value])
    if isinstance(value, dict):
        return _head(0x80, 16, (None, 0xDE), len(value)) + pack_pairs(value)
    raise TypeError(f"no message of the referee has a {type(value).__name__}")


def pack_array(items: Sequence[bytes]) -> bytes:
    """Return an array of values that are packed already."""
    size = len(items)
    return (ARRAYS[size] if size < 256 else _head(0x90, 16, (None, 0xDC), size)) + b"".join(items)


def pack_pairs(values: Mapping[str, object]) -> bytes:
    """Return the keys and values of a map, without its head."""
    return b"".join([_pack_text(key) + pack(value) for key, value in values.items()])


def _head(fix: int, below: int, codes: tuple[int | None, int], size: int) -> bytes:
    """Return the start of a text, array or map. `codes` are the first bytes for sizes of one byte and of two.

    The numbers here and below are the first bytes of the msgpack specification's formats.
    """
    if size < below:
        return bytes([fix + size])
    one, two = codes
    if one is not None and size < 1 << 8:
        return bytes([one, size])
    return bytes([two]) + size.to_bytes(2, "big")


@cache
def _pack_text(text: str) -> bytes:
    """Return a packed text. It is cached because texts are few: keys, cards and the names of bots."""
    data = text.encode()
    return _head(0xA0, 32, (0xD9, 0xDA), len(data)) + data


def _pack_number(number: int) -> bytes:
    if number < 0x80:
        return number.to_bytes(1, "big")
    power = ((number.bit_length() + 7) // 8 - 1).bit_length()
    return bytes([0xCC + power]) + number.to_bytes(1 << power, "big")


NUMBERS: Final = tuple(_pack_number(number) for number in range(256))
"""The numbers below 256, packed."""
ARRAYS: Final = tuple(_head(0x90, 16, (None, 0xDC), size) for size in range(256))
"""The heads of arrays, by size."""
_TEXTS: Final = tuple(_head(0xA0, 32, (0xD9, 0xDA), size) for size in range(256))

_TO_ID: Final = tuple(pack("id") + head for head in _TEXTS)
"""The bytes between the type and the id, by the length of the id."""
_TO_REST: Final = tuple(pack("table") + number for number in NUMBERS)
"""The bytes between the id and the rest, by a small table number."""


ROOM: Final = (b"", b"", b"")
"""The room for id and table in the pieces of a question, behind its type; see `pack_question`."""


def pack_question(pieces: list[bytes], question_id: str, table: int) -> bytes:
    """Return the bytes of `PackedMessage(type_, "", rest)` at that table with that id, without making one.

    `pieces`: its type, ROOM, and its rest. The id and the table are written into the list itself.
    """
    pieces[1] = _TO_ID[len(question_id)]
    pieces[2] = question_id.encode()
    pieces[3] = _TO_REST[table] if table < 256 else _pack_table(table)
    return b"".join(pieces)


def _pack_table(table: int) -> bytes:
    return pack("table") + pack(table)


class PackedMessage(Mapping[str, Any]):
    """A message that begins with its type, then (in a question) `id`, then `table`. The last two may change.

    `type_`: all bytes before the id or table, the head of the map included. `rest`: all bytes after the
    table, in any number of pieces. It reads like the dict that it is on the wire. Reading is slow and
    meant for people and tests.
    """

    __slots__ = ("_question_id", "_rest", "_table", "_type", "_unpacked")

    def __init__(self, type_: bytes, question_id: str | None, rest: Sequence[bytes]) -> None:
        self._type = type_
        self._question_id = question_id
        self._table = 0
        self._rest = rest
        self._unpacked: dict[str, Any] | None = None

    def address(self, table: int, question_id: str | None) -> None:
        """Set the table and, in a question, the id."""
        self._table = table
        self._question_id = question_id
        self._unpacked = None

    @property
    def packed(self) -> bytes:
        """Return the bytes of the whole map."""
        return self.packed_for(self._table, self._question_id)

    def packed_for(self, table: int, question_id: str | None) -> bytes:
        """Return what `packed` would be after `address`, and faster than both."""
        if question_id is None:
            return b"".join([self._type, _pack_table(table), *self._rest])
        return pack_question([self._type, *ROOM, *self._rest], question_id, table)

    def __getitem__(self, key: str) -> Any:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __repr__(self) -> str:
        return repr(self._read())

    def _read(self) -> dict[str, Any]:
        if self._unpacked is None:
            self._unpacked, _ = _value(self.packed, 0)
        return self._unpacked


def _value(data: bytes, at: int) -> tuple[Any, int]:
    """Return the value at a place in what `pack` wrote, and the place after it."""
    first = data[at]
    at += 1
    if first < 0x80:
        return first, at
    if first < 0xA0:
        return _map(data, at, first - 0x80) if first < 0x90 else _array(data, at, first - 0x90)
    size = first - 0xA0
    if first >= 0xC0:  # a number follows: a value itself, or a size
        width = _WIDTHS[first]
        size, at = int.from_bytes(data[at : at + width], "big"), at + width
        if first >= 0xDC:
            return _array(data, at, size) if first == 0xDC else _map(data, at, size)
        if first < 0xD0:
            return size, at
    return data[at : at + size].decode(), at + size


_WIDTHS: Final = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD9: 1, 0xDA: 2, 0xDC: 2, 0xDE: 2}
"""The bytes of the number that follows a first byte."""


def _array(data: bytes, at: int, size: int) -> tuple[list[Any], int]:
    items = []
    for _ in range(size):
        item, at = _value(data, at)
        items.append(item)
    return items, at


def _map(data: bytes, at: int, size: int) -> tuple[dict[str, Any], int]:
    flat, at = _array(data, at, 2 * size)
    return dict(zip(flat[::2], flat[1::2], strict=True)), at

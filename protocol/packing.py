"""The one typed wrapper around msgpack: values and their limits. It must not know lines or messages.

Nothing else in the project may import msgpack, which ships no types and accepts far more than
protocol 1 allows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn, TypeAlias, cast

import msgpack

from protocol.refusal import BadMessage, Refusal, printable

Value: TypeAlias = "bool | int | str | list[Value] | dict[str, Value] | None"
"""The values that a message may hold."""

MAX_INT = 2**53 - 1
"""The largest integer; its negative is the least.

A float64, the number of JavaScript, holds these exactly.
"""
MAX_DEPTH = 8
"""The deepest nesting of maps and arrays. The message itself is depth 1."""
MAX_ITEMS = 1024
"""The most items of one array."""
MAX_KEYS = 64
"""The most keys of one map."""

_pack = msgpack.Packer(use_bin_type=True, strict_types=True).pack


def pack(value: object) -> bytes:
    """Return the canonical msgpack bytes: every value in its shortest form, keys in the order given.

    `value` is a `Value` or a typed dict of such. It is the referee's own, so mypy checks its types and they
    are not checked again here (this is the referee's hot path). Raises TypeError for what msgpack does not
    know. Must not be used from several threads at once.
    """
    return cast(bytes, _pack(value))


def unpack(data: bytes) -> Value:
    """Return the one value that `data` holds, in any legal encoding.

    Raises BadMessage for everything outside protocol 1: trailing or missing bytes, floats, bin, ext,
    keys that are no strings or come twice, integers beyond MAX_INT, invalid UTF-8, sizes above the limits.
    """
    try:
        value: object = msgpack.unpackb(
            data,
            strict_map_key=False,  # _map looks at the keys itself and can name the bad one
            object_pairs_hook=_map,
            ext_hook=_refuse_ext,
            max_array_len=MAX_ITEMS,  # otherwise five bytes could reserve memory for thousands of items
            max_map_len=MAX_KEYS,
        )
    except BadMessage:
        raise
    except Exception as error:  # whatever msgpack raises is caused by the bytes
        raise _refusal(error) from None
    _check((value,), 0)
    return cast(Value, value)


def _map(pairs: Iterable[tuple[object, object]]) -> dict[object, object]:
    items = pairs if type(pairs) is list else list(pairs)  # msgpack without its C part gives a generator
    try:
        result = dict(items)
    except TypeError:  # a list or a map as key
        raise BadMessage(Refusal.KEY_NOT_A_STRING) from None
    for key in result:
        if type(key) is not str:
            raise BadMessage(Refusal.KEY_NOT_A_STRING, f"Found {with_type(key)}.")
    # A dict keeps one of two equal keys, so a difference in size is the quickest sign of a duplicate.
    if len(result) != len(items):
        _refuse_duplicate([key for key, _ in items])
    return result


def _refuse_duplicate(keys: list[object]) -> NoReturn:
    twice = next(key for place, key in enumerate(keys) if key in keys[:place])
    raise BadMessage(Refusal.DUPLICATE_KEY, f"Found {shown(twice)} twice.")


def _refuse_ext(code: int, data: bytes) -> NoReturn:
    raise BadMessage(Refusal.FORBIDDEN_TYPE, f"Found an ext of type {code}.")


def _check(container: Iterable[object], depth: int) -> None:
    """Refuse what msgpack let through: floats, bins, timestamps, large integers, deep nesting.

    `container` gives the items of an array or the values of a map, at nesting level `depth`.
    """
    if depth > MAX_DEPTH:
        raise BadMessage(Refusal.TOO_DEEP)
    for value in container:  # exact types: bool is an int to isinstance
        kind = type(value)
        if kind is str or kind is bool or value is None:
            continue
        if type(value) is int:
            if not -MAX_INT <= value <= MAX_INT:
                raise BadMessage(Refusal.INT_TOO_LARGE, f"Found {value}.")
        elif type(value) is list:
            _check(value, depth + 1)
        elif type(value) is dict:
            _check(value.values(), depth + 1)
        else:
            raise BadMessage(Refusal.FORBIDDEN_TYPE, f"Found {with_type(value)}.")


def _refusal(error: Exception) -> BadMessage:
    """Return the refusal that an exception of msgpack means.

    Some of msgpack's limits can be told apart by their text only.
    """
    text = str(error)
    if isinstance(error, UnicodeDecodeError):
        return BadMessage(Refusal.INVALID_UTF8, f"Found {printable(error.object, 40)}.")
    if isinstance(error, msgpack.ExtraData):
        extra = bytes(error.extra)
        return BadMessage(Refusal.TRAILING_BYTES, f"{len(extra)} more: {printable(extra, 40)}.")
    if isinstance(error, msgpack.StackError | RecursionError):
        return BadMessage(Refusal.TOO_DEEP)
    if "max_array_len" in text or "max_map_len" in text:
        return BadMessage(Refusal.TOO_MANY_ITEMS)
    if "imestamp" in text:
        return BadMessage(Refusal.FORBIDDEN_TYPE, "Found a broken timestamp, an ext of type -1.")
    if isinstance(error, msgpack.FormatError):
        return BadMessage(Refusal.NOT_MSGPACK, "Found the byte 0xc1, which starts no value.")
    return BadMessage(Refusal.NOT_MSGPACK, "The value is cut short.")


_NAMES: dict[type, str] = {
    bool: "bool",
    int: "int",
    str: "str",
    list: "array",
    dict: "map",
    float: "float",
    bytes: "bin",
}


def with_type(value: object) -> str:
    """Return a decoded value after the msgpack name of its type, for messages to people: `the int 5`."""
    return "nil" if value is None else f"the {_NAMES.get(type(value), 'ext')} {shown(value)}"


def shown(value: object, limit: int = 40) -> str:
    """Return a decoded value for messages to people, as one short printable line."""
    match value:
        case None:
            return "nil"
        case bool():
            return str(value).lower()
        case str():
            return f'"{printable(value[:limit].encode("utf-8", "replace"), limit)}"'
        case list() | dict():
            return f"of {len(value)}"
        case bytes():
            return printable(value, limit)
        case _:
            return printable(str(value).encode(), limit)

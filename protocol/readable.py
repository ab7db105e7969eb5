"""Lines of the protocol as text for people, and back. A message is one line of JSON. It must not read files.

    ValueError
      Unreadable      a text that is no message; its own text says what is wrong and at which character

A line that is no message raises `BadMessage`, as for a referee.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NoReturn

from protocol.codec import decode, encode
from protocol.messages import read_answer
from protocol.refusal import BadMessage

__all__ = ["ANSWERS", "Unreadable", "line_of_text", "readable", "refusal_of", "text_of_line"]

ANSWERS = frozenset({"ready", "cards", "card"})
"""The types of the messages that a bot may send."""


class Unreadable(ValueError):  # noqa: N818 - it says what is wrong with a text
    """Raised for a text that is no message of the protocol."""


def text_of_line(line: bytes) -> str:
    """Return the message of a line as JSON: one line, keys in the order of the line, safe for a terminal.

    Raises BadMessage for what is no line of the protocol.
    """
    return readable(decode(line))


def readable(message: object) -> str:
    """Return a message as one line of JSON in which nothing is invisible."""
    text = json.dumps(message, ensure_ascii=False)
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(char: str) -> str:
    """Return a character as JSON escapes it where it cannot be seen.

    Such a character can only stand inside a string, so the value stays the same.
    """
    return char if char.isprintable() else json.dumps(char)[1:-1]


def line_of_text(text: str) -> bytes:
    """Return the canonical line of a message given as JSON, with its newline; keys in the order given.

    Raises Unreadable for a text that is no message, or one that may not be sent.
    """
    try:
        value: object = json.loads(
            text, object_pairs_hook=_once, parse_float=_no_float, parse_constant=_no_float
        )
    except json.JSONDecodeError as error:
        near = text[error.pos : error.pos + 20]
        found = f'found "{near}"' if near else "found the end"
        raise Unreadable(f"not JSON: {error.msg} at character {error.pos + 1}, {found}") from None
    except RecursionError:
        raise Unreadable("maps and arrays are nested far too deep") from None
    if not isinstance(value, dict):
        raise Unreadable(f"not a message: expected a JSON object such as {_EXAMPLE}")
    try:
        line = encode(value)
        decode(line)
    except BadMessage as refused:
        raise Unreadable(str(refused)) from None
    except (ValueError, OverflowError) as error:
        raise Unreadable(f"cannot be a line: {error}") from None
    return line


_EXAMPLE = '{"type": "card", "id": "q1", "card": "S7"}'


def refusal_of(message: object, line: bytes) -> str | None:
    """Return why a referee would not take this message as an answer.

    None where the referee would take it, or where the message is no answer.
    """
    if not isinstance(message, dict) or message.get("type") not in ANSWERS:
        return None
    try:
        read_answer(line)
    except BadMessage as refused:
        return str(refused)
    return None


def _once(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    items = list(pairs)
    found = dict(items)
    if len(found) != len(items):
        keys = [key for key, _ in items]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise Unreadable(f'the key "{twice}" stands twice in one object')
    return found


def _no_float(text: str) -> NoReturn:
    raise Unreadable(f"{text}: a message holds no floats; write a whole number, without a point")

"""Writes text and numbers for people: foreign text made visible, numbers in one form everywhere.

Escaping of markup is not done here: the templates do that to everything.
"""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from functools import lru_cache

from arena.wording import clauses, listed, ordinal

__all__ = [
    "clauses", "listed", "milliseconds", "minute", "number", "ordinal", "points", "signed",
    "visible",
]  # fmt: skip

_KEPT = {"\n", "\t"}
_MINUS = "−"
_SHORT = 400
"""The letters of a text that is worth remembering: most sentences have fewer."""
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159"
)
"""Characters that are no format characters and show nothing, as in `arena.league.texts`. No league file may
give them to a bot, but a bot may call itself so, and older databases may have them."""


def visible(text: str) -> str:
    """Return the text with every invisible character, and every one that moves others, written out.

    Control, format (bidi, zero width), private, surrogate and unassigned characters, the two Unicode
    separators and letters that are blank become "\\u202e" and the like; line ends and tabs stay.
    """
    # A quick way for plain text, because every printed text comes through here.
    if text.isascii() and text.isprintable():
        return text
    return _seen_again(text) if len(text) <= _SHORT else _seen(text)


def _seen(text: str) -> str:
    return "".join(_written_out(c) if _is_hidden(c) else c for c in text)


_seen_again = lru_cache(maxsize=2048)(_seen)
"""The same for our own sentences with signs of typography, which stand on every page."""


def _is_hidden(character: str) -> bool:
    category = unicodedata.category(character)
    hidden = category[0] == "C" or category in ("Zl", "Zp") or character in _BLANK
    return hidden and character not in _KEPT


def _written_out(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def number(value: int) -> str:
    """Return a whole number with commas between thousands and a real minus: 1,920."""
    return f"{value:,}".replace("-", _MINUS)


def points(value: float, digits: int = 2) -> str:
    """Return points with a fixed number of digits and a real minus: 61.50. Never "-0.00"."""
    rounded = round(value, digits)
    return f"{(rounded + 0.0 if rounded else 0.0):,.{digits}f}".replace("-", _MINUS)


def signed(value: float, digits: int = 2) -> str:
    """Return a difference of points with its sign: +1.20, −3.10, 0.00."""
    return f"{'+' * (round(value, digits) > 0)}{points(value, digits)}"


def milliseconds(micros: float) -> str:
    """Return a time, given in microseconds: "0.04 ms", "3.1 ms", "120 ms", "1.25 s"."""
    millis = micros / 1000
    if millis >= 1000:
        return f"{millis / 1000:.2f} s"
    digits = 2 if millis < 1 else 1 if millis < 100 else 0
    return f"{millis:.{digits}f} ms"


def minute(millis: int) -> str:
    """Return a time, given in milliseconds since 1970, as date and minute (UTC): "2026-11-21 07:15"."""
    return f"{datetime.fromtimestamp(millis / 1000, UTC):%Y-%m-%d %H:%M}"

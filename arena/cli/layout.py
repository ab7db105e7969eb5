"""Text for a terminal: columns that line up, times, shares, and nothing that could move the cursor.

Prints nothing, and asks the terminal only for its width. Widths count what a terminal shows, where some
characters take two columns and some none.
"""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime

from protocol.refusal import visible

__all__ = [
    "TERMINAL",
    "columns",
    "fitted",
    "plain",
    "prose",
    "prose_width",
    "table",
    "time_text",
    "width",
    "wrapped",
]

TERMINAL = 80
"""Columns that every terminal is taken to have: so wide are tables at most."""


def plain(text: str) -> str:
    """The text on one line, with what is not printable as escapes: none of it moves a terminal's cursor."""
    return visible(text.replace("\n", " "))


def width(text: str) -> int:
    """How many columns a text takes."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1


def fitted(text: str, most: int) -> str:
    """The text in at most so many columns, cut with "..." if need be."""
    if width(text) <= most:
        return text
    kept = ""
    for letter in text:
        if width(kept + letter) > most - 3:
            break
        kept += letter
    return kept + "..."


def wrapped(text: str, most: int) -> str:
    """The text in lines of at most so many columns, cut at blanks; a longer word has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(lines[-1]) + 1 + width(word) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def prose_width(most: int = TERMINAL) -> int:
    """In how many columns sentences are set: so many, or as many as the terminal has."""
    return min(most, shutil.get_terminal_size((most, 0)).columns)


def prose(text: str, indent: int = 0) -> str:
    """Sentences wrapped for the terminal, with so many columns before them."""
    return wrapped(text, prose_width() - indent)


def columns(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Lines of a name and a text each, the texts below each other; a text of several lines is indented."""
    indent = max((width(name) for name, _ in rows), default=0) + 2
    return [
        f"{(name if not number else '').ljust(indent)}{line}".rstrip()
        for name, text in rows
        for number, line in enumerate(text.splitlines() or [""])
    ]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: frozenset[int]) -> list[str]:
    """Lines of a table with a head, two blanks between columns; the columns of `left` are flush left."""
    widths = [max(width(row[i]) for row in [head, *rows]) for i in range(len(head))]
    return [
        "  ".join(_padded(cell, widths[i], i in left) for i, cell in enumerate(row)).rstrip()
        for row in [head, *rows]
    ]


def _padded(cell: str, to: int, left: bool) -> str:
    blanks = " " * (to - width(cell))
    return cell + blanks if left else blanks + cell


def time_text(at: int) -> str:
    """A time in milliseconds since 1970, to the second: "2026-01-31 18:05:59 UTC"."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"

"""Finds the line of a key in the text of a league file, because tomllib gives values but no lines.

It searches a text that tomllib has accepted, and only to point at it: a key in a place that nobody would
write it, such as inside of a text of several lines, may get the line of its section.
"""

from __future__ import annotations

import re

KeyPath = tuple[str | int, ...]
"""Keys from the outside in, with the index inside arrays: ("bots", 1, "name")."""

_WORD = r"""[ \t]*(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*"""
_HEADER = re.compile(rf"[ \t]*(\[\[?)({_WORD}(?:\.{_WORD})*)\]")
_KEY = re.compile(rf"({_WORD}(?:\.{_WORD})*)=")


def line_of(text: str, path: KeyPath) -> int:
    """Return the line of `path`, from 1, else that of its section, else 1."""
    section = path[0]
    number = path[1] if len(path) > 1 and isinstance(path[1], int) else None
    key = next((part for part in path[1:] if isinstance(part, str)), None)
    found, table, seen = 0, "", -1
    for line, content in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(content):
            table, *inner = _words(header[2])
            # The tables below the last of several, such as [bots.env], are part of it.
            seen += table == section and header[1] == "[[" and not inner
            names = [table, *inner]
        elif given := _KEY.match(content):
            inner = _words(given[1])
            names = [table, *inner] if table else inner
        else:
            continue
        if names[0] == section and number in (None, seen):
            if key is None or names[1:2] == [key]:
                return line
            found = found or line
    return found or 1


def _words(dotted: str) -> list[str]:
    return [word.strip(" \t\"'") for word in dotted.split(".")]

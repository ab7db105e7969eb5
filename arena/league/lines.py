"""Finds the line of each key in a TOML text, with a small scanner, because tomllib gives values but no lines.

It reads text that tomllib has accepted, and only to point at it: values are skipped, nothing is validated.
A text that the scanner does not understand ends the scan. The keys found so far are kept, and `line_of` falls
back to the innermost section or table around a key.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress

KeyPath = tuple[str | int, ...]
"""Keys from the outside in, with the index inside arrays: ("bots", 1, "name")."""

_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
# TOML allows one or two quotes right before the three that end a string, so they are part of it.
_STRING = re.compile(
    r'''"""(?:[^\\]|\\.)*?""""{0,2}|\'\'\'.*?\'\'\'\'{0,2}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*\'''', re.DOTALL
)
_PLAIN = re.compile(r"[^,\]}#\n]+")
_DOT = re.compile(r"[ \t]*\.[ \t]*")


class _LostError(Exception):
    """The text is not what the scanner expects here."""


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line (from 1) of every key and section header of `text`, the first of several."""
    scanner = _Scanner(text)
    with suppress(_LostError, RecursionError):  # the lines found so far are better than none
        scanner.document()
    return scanner.lines


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """Return the line of `path`, else that of the innermost thing around it that has one, else 1."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return 1


class _Scanner:
    """A recursive descent over the text. `at` is the place that it has reached."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.lengths: dict[KeyPath, int] = {}  # of arrays of tables

    def document(self) -> None:
        table: KeyPath = ()
        self.take(_GAP)
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                table = self.header()
            else:
                self.pair(table)
            self.take(_GAP)

    def header(self) -> KeyPath:
        line = self.line()
        is_array = self.text.startswith("[[", self.at)
        self.at += 2 if is_array else 1
        *outer, last = self.dotted_key()
        path: KeyPath = ()
        for part in outer:
            path = self.inside((*path, part))
        path = (*path, last)
        self.note(path, line)
        if is_array:
            number = self.lengths.get(path, 0)
            self.lengths[path] = number + 1
            path = (*path, number)
            self.note(path, line)
        else:
            path = self.inside(path)
        self.expect("]]" if is_array else "]")
        return path

    def inside(self, path: KeyPath) -> KeyPath:
        """Return `path`, or its last table where it is an array of tables."""
        return (*path, self.lengths[path] - 1) if path in self.lengths else path

    def pair(self, table: KeyPath) -> None:
        line = self.line()
        path = table
        for part in self.dotted_key():
            path = (*path, part)
            self.note(path, line)
        self.expect("=")
        self.value(path)

    def value(self, path: KeyPath) -> None:
        self.take(_GAP)
        if self.text.startswith("[", self.at):
            self.array(path)
        elif self.text.startswith("{", self.at):
            self.inline_table(path)
        elif not self.take(_STRING) and not self.take(_PLAIN):
            raise _LostError

    def array(self, path: KeyPath) -> None:
        self.expect("[")
        number = 0
        while not self.closes("]"):
            self.note((*path, number), self.line())
            self.value((*path, number))
            number += 1

    def inline_table(self, path: KeyPath) -> None:
        self.expect("{")
        while not self.closes("}"):
            self.pair(path)

    def closes(self, bracket: str) -> bool:
        """Return whether the bracket stands here, after an optional comma, and if so pass over it."""
        self.take(_GAP)
        if self.text.startswith(",", self.at):
            self.at += 1
            self.take(_GAP)
        found = self.text.startswith(bracket, self.at)
        self.at += len(bracket) if found else 0
        return found

    def dotted_key(self) -> list[str]:
        self.take(_GAP)
        parts = [self.key()]
        while self.take(_DOT):
            parts.append(self.key())
        return parts

    def key(self) -> str:
        word = self.take(_KEY)
        if not word:
            raise _LostError
        if word[0] not in "\"'":
            return word
        try:
            return str(tomllib.loads(f"key = {word}")["key"])
        except ValueError:
            raise _LostError from None

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found.group()

    def expect(self, symbol: str) -> None:
        self.take(_GAP)
        if not self.text.startswith(symbol, self.at):
            raise _LostError
        self.at += len(symbol)

    def note(self, path: KeyPath, line: int) -> None:
        self.lines.setdefault(path, line)

    def line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

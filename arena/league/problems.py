"""What is wrong with a league file, for people: one line `file:line: key: text` for each problem.

It must not read files or decide what is valid; the model decides that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from difflib import get_close_matches
from operator import itemgetter

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from arena.league.describe import LISTS, KeyInfo, all_keys, heading_of, keys_of, sections, shown
from arena.league.model import MOST_BOTS, MOST_STAGES
from arena.league.texts import without_password

KeyPath = tuple[str | int, ...]
"""Keys from the outside in, with the index inside arrays: ("bots", 1, "name")."""

_WORD = r"""[ \t]*(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*"""
_HEADER = re.compile(rf"[ \t]*(\[\[?)({_WORD}(?:\.{_WORD})*)\]")
_KEY = re.compile(rf"({_WORD}(?:\.{_WORD})*)=")

WRITE_BOTS = "write [[bots]] with double brackets, once for each bot"
"""What is said of a section [bots], wherever it is noticed."""
WRITE_STAGES = "write [[stages]] with double brackets, once for each stage"
TOO_MANY_STAGES = f"a league has at most {MOST_STAGES} stages"
_OTHER_WORDS = {
    ("league", "players"): "seats",
    ("league", "games"): "rounds",
    ("league", "hands"): "rounds",
    ("time", "timeout"): "move_seconds",
    ("bots", "path"): "folder",
    ("bots", "dir"): "folder",
    ("bots", "directory"): "folder",
    ("bots", "cwd"): "folder",
    ("bots", "exec"): "command",
    ("bots", "program"): "command",
}
"""Words that other runners use for keys, by section: no spelling is near enough to find these keys."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where (keys from the outside in) and what."""

    path: KeyPath
    text: str


def rendered(problems: Iterable[Problem], file: str, text: str) -> str:
    """Return one line for each problem in the order of `text`; of several at one key only the first."""
    first: dict[KeyPath, Problem] = {}
    for problem in problems:
        first.setdefault(problem.path, problem)
    placed = sorted(((_line_of(text, one.path), one) for one in first.values()), key=itemgetter(0))
    return "\n".join(f"{file}:{line}: {_label(one.path)}: {one.text}" for line, one in placed)


def _line_of(text: str, path: KeyPath) -> int:
    """Return the line of `path`, from 1, else that of its section, else 1: tomllib gives values but no lines.

    It only points at a text that tomllib has accepted: a key in a place that nobody would write it, such as
    inside of a text of several lines, may get the line of its section.
    """
    section = path[0]
    number = path[1] if len(path) > 1 and isinstance(path[1], int) else None
    key = next((part for part in path[1:] if isinstance(part, str)), None)
    found, table, seen = 0, "", -1
    for line, content in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(content):
            table, *inner = _dotted(header[2])
            # The tables below the last of several, such as [bots.env], are part of it.
            seen += table == section and header[1] == "[[" and not inner
            names = [table, *inner]
        elif given := _KEY.match(content):
            inner = _dotted(given[1])
            names = [table, *inner] if table else inner
        else:
            continue
        if names[0] == section and number in (None, seen):
            if key is None or names[1:2] == [key]:
                return line
            found = found or line
    return found or 1


def _dotted(dotted: str) -> list[str]:
    return [word.strip(" \t\"'") for word in dotted.split(".")]


def invalid(error: ValidationError) -> list[Problem]:
    """Return the problems behind an error of the model, one for each key."""
    problems: dict[KeyPath, Problem] = {}
    for detail in error.errors(include_url=False):
        for problem in _problems(detail):
            problems.setdefault(problem.path, problem)
    return list(problems.values())


def nearest(word: str, words: Iterable[str]) -> str:
    """Return `; did you mean "..."?` with the nearest of `words`, or nothing when none is near."""
    near = get_close_matches(word.lower(), list(words), n=1, cutoff=0.6)
    return f'; did you mean "{near[0]}"?' if near else ""


def _problems(detail: ErrorDetails) -> list[Problem]:
    if detail["type"] == "bots_alike":
        return [Problem(("bots", number, key), text) for number, key, text in detail["ctx"]["clashes"]]
    if detail["type"] == "does_not_fit":
        return [Problem(path, text) for path, text in detail["ctx"]["wrong"].items()]
    path = detail["loc"]
    # The place of a key: ("bots", number, key) in a list, else (section, key). The rest is in its value.
    depth = 3 if path[0] in LISTS else 2
    if len(path) < depth:
        return [Problem(path, _section_text(detail))]
    key = all_keys().get(f"{path[0]}.{path[depth - 1]}")
    if key is None:
        return [Problem(path[:depth], _unknown_key(str(path[0]), str(path[depth - 1])))]
    return [Problem(path[:depth], _key_text(key, detail, path[depth:]))]


def _section_text(detail: ErrorDetails) -> str:
    name, value = str(detail["loc"][0]), detail["input"]
    if detail["type"] == "extra_forbidden":
        return _unknown_section(name, value)
    if name not in LISTS:
        if detail["type"] == "missing":
            return f"missing; it needs {' and '.join(_required(name))}"
        return f"expected the section [{name}] with keys, got {described(value)}"
    if detail["type"] == "too_long":
        return f"at most {MOST_BOTS} bots can play in a league" if name == "bots" else TOO_MANY_STAGES
    if len(detail["loc"]) > 1:
        return f"expected a section {heading_of(name)} with keys, got {described(value)}"
    if isinstance(value, dict):
        return WRITE_BOTS if name == "bots" else WRITE_STAGES
    return f"expected sections {heading_of(name)}, got {described(value)}"


def _required(section: str) -> list[str]:
    return [key.name for key in all_keys().values() if key.section == section and key.default == "required"]


def _unknown_section(name: str, value: object) -> str:
    if isinstance(value, dict | list):
        return "unknown section" + nearest(name, sections())
    return f"unknown key outside of all sections{_home_of(name)}"


def _unknown_key(section: str, name: str) -> str:
    near = nearest(_OTHER_WORDS.get((section, name.lower()), name), keys_of(section))
    return f"unknown key{near or _home_of(name)}"


def _home_of(name: str) -> str:
    """Return `; it belongs in [...]` with the first section that has such a key, or nothing if none has."""
    homes = [key.section for key in all_keys().values() if key.name == name]
    return f"; it belongs in {heading_of(homes[0])}" if homes else ""


def _key_text(key: KeyInfo, detail: ErrorDetails, inner: KeyPath) -> str:
    if detail["type"] == "missing" and inner:
        return f"expected {key.expected}, got a table without {inner[-1]}"
    if detail["type"] == "missing":
        return key.missing or f"missing; expected {key.expected}"
    value = detail["input"]
    if key.path == "store.url" and isinstance(value, str):
        value = without_password(value)
    text = f"expected {key.expected}"
    if detail["type"] == "value_error":
        text += f" ({detail['ctx']['error']})"
    text += f", got {described(value)}"
    if inner and isinstance(inner[0], int):
        text += f" as item {inner[0] + 1}"
    # Where a list is expected, a word of it alone is no better when it is said again.
    unknown = isinstance(value, str) and value not in key.choices
    return text + (nearest(value, key.choices) if unknown else "")


def described(value: object) -> str:
    """Return a value of the file in words, for people."""
    if isinstance(value, str):
        return shown("".join(one if one.isprintable() else f"\\u{ord(one):04X}" for one in value))
    if isinstance(value, list | tuple):
        return "an empty list" if not value else "a list"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, datetime | date | time):
        return "a date or time"
    text = shown(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _label(path: KeyPath) -> str:
    section, *rest = path
    if section not in sections():
        return str(section)
    if section not in LISTS:
        rest = rest[:1]  # what is wrong inside of a value is in the text
    words = [f"number {part + 1}," if isinstance(part, int) else part for part in rest]
    return " ".join([heading_of(str(section)), *words]).rstrip(",")

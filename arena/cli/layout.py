"""Lays out text for a terminal: tables, wrapped sentences, times, and nothing that could move the cursor.

Must not print, and asks the terminal only for its width. Widths are in columns of the terminal: some
characters take two of them and some none.
"""

from __future__ import annotations

import shutil
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from protocol.refusal import visible

if TYPE_CHECKING:
    from arena.store.views import SeasonView

_NAME_IN_TEXT = 24
LEAST_NAME = 8
"""The fewest columns that a name is cut to."""

TERMINAL = 80
"""The width in columns that every terminal is assumed to have. No table is wider."""


def plain(text: str) -> str:
    """Return the text on one line, with escapes for what is not printable: it cannot move the cursor."""
    return visible(text.replace("\n", " "))


def width(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1


def fitted(text: str, most: int) -> str:
    """Return the text in at most `most` columns, cut with "..." if it is wider."""
    return text if width(text) <= most else _beginning(text, most - 3) + "..."


def fitted_apart(texts: Iterable[str], most: int) -> dict[str, str]:
    """Return each text in at most `most` columns, at least 8, so that different ones stay different.

    Of those that are alike when their ends are cut the middle goes instead; if that does not tell them apart
    either, they are numbered.
    """
    shown = {text: fitted(text, most) for text in texts}
    for text in _alike(shown):
        if width(text) > most:
            head = _beginning(text, (most - 3) // 3)
            shown[text] = f"{head}...{_beginning(text[::-1], most - 3 - width(head))[::-1]}"
    for number, text in enumerate(_alike(shown), 1):
        shown[text] = f"{fitted(text, most - len(str(number)) - 1)}~{number}"
    return shown


def _alike(shown: Mapping[str, str]) -> list[str]:
    """Return the texts that are shown as another one is."""
    times = Counter(shown.values())
    return [text for text, cut in shown.items() if times[cut] > 1]


def _beginning(text: str, most: int) -> str:
    """Return as many letters as fit into `most` columns."""
    kept = ""
    for letter in text:
        if width(kept + letter) > most:
            break
        kept += letter
    return kept


def wrapped(text: str, most: int) -> str:
    """Break the text at blanks into lines of at most `most` columns; a longer word gets a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(lines[-1]) + 1 + width(word) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def prose_width(most: int = TERMINAL) -> int:
    """Return the width for sentences: `most` columns, or that of the terminal if it is narrower."""
    return min(most, shutil.get_terminal_size((most, 0)).columns)


def prose(text: str, indent: int = 0) -> str:
    """Wrap sentences for the terminal, leaving `indent` columns for what stands before them."""
    return wrapped(text, prose_width() - indent)


def columns(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Return lines of a name and a text, with the texts aligned. Further lines of a text are indented."""
    indent = max((width(name) for name, _ in rows), default=0) + 2
    return [
        f"{(name if not number else '').ljust(indent)}{line}".rstrip()
        for name, text in rows
        for number, line in enumerate(text.splitlines() or [""])
    ]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: frozenset[int]) -> list[str]:
    """Return the lines of a table with a head. The columns numbered in `left` are flush left."""
    widths = [max(width(row[i]) for row in [head, *rows]) for i in range(len(head))]
    return [
        "  ".join(_padded(cell, widths[i], i in left) for i, cell in enumerate(row)).rstrip()
        for row in [head, *rows]
    ]


def narrow_table(head: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> list[str]:
    """Return the lines of a table whose column `names` is cut to the width that the others leave.

    Names that differ stay different.
    """
    widths = [max(map(width, column)) for column in zip(head, *rows, strict=True)]
    others = sum(widths) - widths[names] + 2 * (len(head) - 1)
    most = max(LEAST_NAME, TERMINAL - others)
    shown = fitted_apart([row[names] for row in rows], most)
    cut = [(*row[:names], shown[row[names]], *row[names + 1 :]) for row in rows]
    return table(head, cut, frozenset({names}))


def _padded(cell: str, to: int, left: bool) -> str:
    blanks = " " * (to - width(cell))
    return cell + blanks if left else blanks + cell


def time_text(at: int) -> str:
    """Format a time in milliseconds since 1970, to the second: "2026-01-31 18:05:59 UTC"."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def span(seconds: float) -> str:
    """Format seconds in at most two units: "45 s", "3 min 20 s", "2 h 5 min", "4 d 3 h"."""
    whole = max(1, round(seconds))
    units = ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s"))
    for unit, name, smaller, part in units:
        if whole >= unit:
            return f"{whole // unit:,} {name} {whole % unit // smaller} {part}"
    return f"{whole} s"


def points_text(points: float | None) -> str:
    """Return points a round with two digits, "-" if there are none. Never "-0.00"."""
    return "-" if points is None else f"{points:z.2f}"


def names_of(season: SeasonView) -> dict[str, str]:
    """Return the name of each bot, with escapes for what a terminal cannot show.

    In an open season a bot with all its versions has the name of the first.
    """
    from arena.score.entry_ids import bot_of

    names = {entry.bot: plain(entry.name) for entry in season.entries}
    for entry in season.entries:
        names.setdefault(bot_of(entry.bot), plain(entry.name))
    return names


def short_names(season: SeasonView) -> dict[str, str]:
    """Return the name of each bot for a sentence: not long, and different from every other."""
    names = names_of(season)
    shown = fitted_apart(names.values(), _NAME_IN_TEXT)
    return {bot: shown[name] for bot, name in names.items()}

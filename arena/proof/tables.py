"""Makes the tables of docs/statistics.md from stored findings. Simulates nothing.

Cells have no spaces around them. A share stands with its upper bound behind it, a mean with its standard
error. Worlds that were held out have a star.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from math import sqrt
from typing import Any

from arena.proof.stages import RULES


def filled(document: str, stored: Mapping[str, Any]) -> str:
    """Return a document with each table below the comment that has its name."""
    for name, table in markdown(stored).items():
        mark = f"<!-- {name} -->\n"
        before, found, after = document.partition(mark)
        lines = after.splitlines(keepends=True)
        rest = "".join(dropwhile(lambda line: line.startswith("|"), lines))
        document = f"{before}{found}{table}\n{rest}" if found else document
    return document


Row = tuple[str, int, Mapping[str, Any]]
"""The title of a row, its leagues and figures."""

_COLUMNS = {
    "closed": (
        "wrong order", "same bot separated", "falsely level", "settled", "sessions", "form said to vary",
        "form said to last",
    ),
    "open": (
        "newcomers: scores", "newcomers: differences", "newcomers: bias", "veterans: scores",
        "veterans: differences", "veterans: bias", "wrong tables", "a season with one",
    ),
    "stages": (
        "best bot cut", "best bot first", "finalists", "wrong tables", "scores", "differences", "bias",
    ),
    "gauntlet": ("better", "worse", "level", "open", "sessions"),
    "excluded": ("any bot out", "late", "matches"),
}  # fmt: skip
"""The columns of a table by the first word of the names of its studies: keys of figures."""
_NORMAL = 1.959964
"""The half width of a normal 95 % interval, in standard errors."""
_NO_SHARES = {"sessions", "finalists", "matches", "bias"}


def markdown(stored: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables by name."""
    rows = {kind: list(_rows(stored, kind)) for kind in _COLUMNS}
    found = {
        kind: _table(
            columns, [(title, count, _cells(columns, figures)) for title, count, figures in rows[kind]]
        )
        for kind, columns in _COLUMNS.items()
    }
    covered = [row for row in rows["closed"] if _sizes(row[2])]
    columns = ("sessions", "scores", "differences", "largest error", "mean ±/true")
    found["coverage"] = _table(columns, [(title, count, _coverage(own)) for title, count, own in covered])
    return found


def _rows(stored: Mapping[str, Any], kind: str) -> Iterator[Row]:
    """Yield a row for each study of a kind, or for each of its rules of who goes on."""
    for name, found in stored.items():
        if name.partition(".")[0] == kind:
            title, figures = found["title"] + "*" * found["held_out"], found["figures"]
            for rule in RULES if kind == "stages" else ("",):
                begin = f"{rule}: " if rule else ""
                own = {k.removeprefix(begin): each for k, each in figures.items() if k.startswith(begin)}
                yield (f"{title}: {rule}" if rule else title), found["leagues"], own


def _table(columns: Sequence[str], rows: Sequence[tuple[str, int, Sequence[str]]]) -> str:
    head = ["world", "leagues", *columns]
    lines = [head, ["---"] * len(head), *([title, f"{count:,}", *cells] for title, count, cells in rows)]
    return "\n".join(f"|{'|'.join(line)}|" for line in lines)


def _cells(columns: Sequence[str], figures: Mapping[str, Any]) -> list[str]:
    return [_cell(key, figures[key]) if key in figures else "" for key in columns]


def _cell(key: str, found: Mapping[str, float]) -> str:
    value = found["value"]
    if "upper" in found:
        return f"{100 * value:.1f}({100 * found['upper']:.1f})"
    if (what := key.split()[-1]) in _NO_SHARES:
        return f"{value:.2f}±{found['error']:.2f}" if what == "bias" else f"{value:.0f}"
    return f"{100 * value:.1f}±{100 * found['error']:.1f}"


def _sizes(figures: Mapping[str, Any]) -> list[str]:
    return [key.removesuffix(": scores") for key in figures if key.endswith(": scores")]


def _coverage(figures: Mapping[str, Any]) -> list[str]:
    sizes = _sizes(figures)
    shares = [[figures[f"{size}: {what}"] for size in sizes] for what in ("scores", "differences")]
    shown = ["/".join(f"{100 * each['value']:.1f}" for each in row) for row in shares]
    error = max(each["error"] for row in shares for each in row)
    widths = [
        figures[f"{size}: ±"]["value"] / (_NORMAL * sqrt(figures[f"{size}: square error"]["value"]))
        for size in sizes
    ]
    return ["/".join(sizes), *shown, f"{100 * error:.1f}", "/".join(f"{width:.2f}" for width in widths)]

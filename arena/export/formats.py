"""Writes rows as CSV, JSON or JSON lines, piece by piece, so that a table of any size needs little memory.

It writes no file. Equal rows give equal bytes.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import TypeVar

from arena.score.columns import Cell

_ROWS_AT_ONCE = 1000
"""Rows of a piece."""

_Row = Sequence[Cell]
_Item = TypeVar("_Item")


class Format(StrEnum):
    """The format of a table; all in UTF-8."""

    CSV = "csv"
    """RFC 4180 with a header; a missing value is empty, truth is `true` or `false`."""
    JSON = "json"
    """One list of objects, one on each line."""
    JSONL = "jsonl"
    """One object on each line."""


def encoded(rows: Iterable[_Row], names: Sequence[str], format: Format) -> Iterator[bytes]:
    """Yield the table with these column names, in pieces."""
    match format:
        case Format.CSV:
            pieces = _csv(rows, names)
        case Format.JSON:
            pieces = _json(rows, names)
        case Format.JSONL:
            pieces = ("".join(f"{line}\n" for line in batch) for batch in _batches(_objects(rows, names)))
    return (piece.encode() for piece in pieces)


def _csv(rows: Iterable[_Row], names: Sequence[str]) -> Iterator[str]:
    yield _csv_lines([names])
    for batch in _batches(rows):
        yield _csv_lines([[_csv_cell(cell) for cell in row] for row in batch])


def _csv_lines(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()


def _csv_cell(cell: Cell) -> Cell:
    """Return the value as CSV has it."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return harmless(cell)


def harmless(cell: Cell) -> Cell:
    """Return the value, with an apostrophe before a text that looks like a formula.

    A spreadsheet would compute such a text, and names of bots come from strangers.
    """
    risky = isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{cell}" if risky else cell


def _json(rows: Iterable[_Row], names: Sequence[str]) -> Iterator[str]:
    before = "[\n"
    for batch in _batches(_objects(rows, names)):
        yield before + ",\n".join(batch)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _objects(rows: Iterable[_Row], names: Sequence[str]) -> Iterator[str]:
    return (json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows)


def _batches(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    iterator = iter(items)
    while batch := list(islice(iterator, _ROWS_AT_ONCE)):
        yield batch

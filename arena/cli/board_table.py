"""Lays out lines of a leaderboard for a terminal of 80 columns: what `standings` and `gauntlet` show."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.cli.layout import fitted, narrow_table, plain, points_text
from arena.score.columns import Column, Kind, Line, for_people

_NAME = "name"
_TEXT = 8
"""The most columns of the terminal of a text that is no name."""


def board_table(lines: Sequence[Line], without: Collection[str] = ()) -> list[str]:
    """Return the head and one line of text for each line. `without`: names of columns that are left out."""
    columns = [column for column in for_people(lines) if column.short and column.name not in without]
    rows = [[_cell(column, line) for column in columns] for line in lines]
    names = [column.name for column in columns].index(_NAME)
    return narrow_table([column.short for column in columns], rows, names)


def _cell(column: Column, line: Line) -> str:
    """Return a value as the terminal shows it, "-" if there is none."""
    value = column.for_people(line)
    if value is None or value == "":
        return "-"
    if isinstance(value, float):
        return points_text(value)
    if isinstance(value, int):
        return f"{value:,}"
    if column.name == _NAME:
        return plain(value)
    return fitted(value, _TEXT) if column.kind is Kind.TEXT else value.replace("–", "-")

"""Tables that several commands show: lines of a leaderboard, and the balance certificate, also as JSON.

They fit 80 columns. Must not count anything itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.cli.layout import fitted, narrow_table, plain, points_text, table
from arena.conduct.balance import Balance
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


def balance_table(balance: Balance) -> list[str]:
    """Return the lines of the certificate as a table."""
    rows = [(one.name, one.counted, f"{one.least:,}", f"{one.most:,}", f"{one.spread:,}") for one in balance]
    return table(["balance", "counted", "least", "most", "spread"], rows, frozenset({0, 1}))


def balance_json(balance: Balance) -> dict[str, object]:
    """Return the certificate with every count; the keys of a pair and a seat read "duck low" and "duck 2"."""
    return {
        one.name: {
            "counted": one.counted,
            "least": one.least,
            "most": one.most,
            "spread": one.spread,
            "counts": {" ".join(map(str, key)): count for key, count in one.counts.items()},
        }
        for one in balance
    }

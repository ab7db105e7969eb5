"""The constraints by which tables refuse values: a condition, or some values of a column. Knows no table."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from sqlalchemy import CheckConstraint

__all__ = ["check", "kinds", "one_of"]


def check(name: str, condition: str) -> CheckConstraint:
    """Return a constraint that holds a condition, which is SQL. `name`: under which an error names it."""
    return CheckConstraint(condition, name=name)


def one_of(column: str, values: Iterable[str]) -> CheckConstraint:
    """Return a constraint that a column holds one of the values."""
    # Not `IN`: SQLite would build a table of the values for each row first.
    known = " OR ".join(f"{column} = '{value}'" for value in values)
    return check(f"{column}_known", known)


def kinds(column: str, of: type[StrEnum]) -> CheckConstraint:
    """Return a constraint that a column holds one of the values of an enum."""
    return one_of(column, (kind.value for kind in of))

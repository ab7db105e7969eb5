"""What each version of the tables has added: how an older database is read, and how it is brought up to date.

A database of version 2 or later stays readable for ever; tests/store/landed has one of each. A step is
written out and never changed, because the models say only what the tables are today. Executes no SQL.

Steps are a list of our own and not Alembic's: a database is migrated as a copy that then takes the original's
place, it must also be readable without being changed, and one list of columns serves both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from arena.store.models import SCHEMA_VERSION

__all__ = ["OLDEST", "added_since", "is_older", "steps_from", "views_for"]

OLDEST = 2
"""The oldest version that can be read."""


class _Added(NamedTuple):
    """A column that a version has added. `empty`: its value in the rows of older versions, as SQL."""

    version: int
    table: str
    column: str
    kind: str
    empty: str


_ADDED = (
    _Added(3, "round", "extended", "VARCHAR", "''"),
    _Added(3, "seat", "extended_us", "BIGINT", "0"),
    _Added(4, "season", "chain_end", "VARCHAR", "''"),
    _Added(4, "stretch", "document", "VARCHAR", "''"),
    _Added(4, "entry", "version", "VARCHAR", "''"),
    _Added(4, "entry", "entered_at", "BIGINT", "0"),
)


def is_older(version: int) -> bool:
    """Return whether a database of this version is older than this arena, and can be read by it."""
    return OLDEST <= version < SCHEMA_VERSION


def added_since(version: int) -> frozenset[tuple[str, str]]:
    """Return the columns, as (table, column), that a database of this version does not have."""
    return frozenset((one.table, one.column) for one in _since(version))


def views_for(version: int) -> Iterator[str]:
    """Yield statements after which one connection sees an older database as if it were of today.

    They make a temporary view for each table that has grown, and change nothing in the file. SQLite looks a
    name up among what is temporary first (https://www.sqlite.org/lang_naming.html).
    """
    grown: defaultdict[str, list[str]] = defaultdict(list)
    for one in _since(version):
        grown[one.table].append(f'{one.empty} AS "{one.column}"')
    for table, columns in grown.items():
        # A view has no row numbers of its own, but a column may bear their name.
        what = ", ".join(["rowid AS rowid", "*", *columns])
        yield f'CREATE TEMP VIEW "{table}" AS SELECT {what} FROM main."{table}"'  # noqa: S608  (names of our own)


def steps_from(version: int) -> Iterator[str]:
    """Yield statements that make a database of this version one of today, but for the version it tells."""
    for one in _since(version):
        yield (f'ALTER TABLE "{one.table}" ADD COLUMN "{one.column}" {one.kind} DEFAULT {one.empty} NOT NULL')


def _since(version: int) -> Iterator[_Added]:
    return (one for one in _ADDED if one.version > version)

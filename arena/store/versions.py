"""What each version of the tables has added: how an older database is read, and how it is brought up to date.

A database of version 2 or later stays readable for ever; tests/store/landed has one of each. A step is
written out and never changed, because the models say only what the tables are today. Executes no SQL.

Steps are a list of our own and not Alembic's: a database is migrated as a copy that then takes the original's
place, it must also be readable without being changed, and one list of columns serves both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from sqlalchemy import Table

from arena.store.models import SCHEMA_VERSION

__all__ = ["OLDEST", "SUBJECT", "added_since", "is_lacking", "is_older", "steps_from", "views_for"]

OLDEST = 2
"""The oldest version that can be read."""
SUBJECT = "database"
"""The subject of the line that the log gets when a database is brought up to date."""


class _Added(NamedTuple):
    """A column that a version has added. `empty`: its value in the rows of older versions, as SQL."""

    version: int
    table: str
    column: str
    kind: str
    empty: str
    refers: str = ""

    @property
    def said(self) -> str:
        """Return how the column is written down."""
        rule = f"DEFAULT {self.empty}" if self.empty == "NULL" else f"DEFAULT {self.empty} NOT NULL"
        return f'"{self.column}" {self.kind} {rule}{self.refers}'


class _Made(NamedTuple):
    """A table that a version has added. `rules`: what is written down after its columns."""

    version: int
    table: str
    columns: Mapping[str, str]
    rules: str

    @property
    def said(self) -> str:
        """Return how the table is written down."""
        columns = [f'"{name}" {kind} NOT NULL' for name, kind in self.columns.items()]
        return f'CREATE TABLE "{self.table}" ({", ".join([*columns, self.rules])})'


_HOST = {
    "id": "INTEGER",
    "name": "VARCHAR",
    "machine": "VARCHAR",
    "processor": "VARCHAR",
    "cores": "INTEGER",
    "compiled": "BOOLEAN",
    "sandbox": "VARCHAR",
    "arena": "VARCHAR",
    "python": "VARCHAR",
    "pace_us": "BIGINT",
    "first_seen_at": "BIGINT",
}
_REVIEW = {
    "match": "INTEGER",
    "seat": "INTEGER",
    "round": "INTEGER",
    "question": "INTEGER",
    "phase": "VARCHAR",
    "chosen": "VARCHAR",
    "best": "VARCHAR",
    "cost": "FLOAT",
    "error": "FLOAT",
    "true_cost": "FLOAT",
    "beside": "FLOAT",
    "beside_error": "FLOAT",
    "expected": "FLOAT",
    "worlds": "INTEGER",
    "options": "INTEGER",
    "method": "INTEGER",
    "in_sample": "BOOLEAN",
}
_REVIEW_RULES = (
    "PRIMARY KEY (match, seat, round, question), CONSTRAINT seat_range CHECK (seat BETWEEN 0 AND 7), "
    "CONSTRAINT phase_known CHECK (phase = 'pass' OR phase = 'lead' OR phase = 'follow' OR "
    "phase = 'discard'), CONSTRAINT amounts CHECK (round >= 0 AND question >= 0 AND method > 0 AND "
    "worlds > 0 AND error >= 0 AND beside_error >= 0), FOREIGN KEY(match) REFERENCES match (id)"
)
_REVIEW_SUMMARY = {"season": "INTEGER", "bot": "VARCHAR", "at": "BIGINT", "document": "VARCHAR"}
_REVIEW_SUMMARY_RULES = (
    "PRIMARY KEY (season, bot), FOREIGN KEY(season) REFERENCES season (number), "
    "FOREIGN KEY(bot) REFERENCES bot (slug)"
)
_MADE = (
    _Made(5, "host", _HOST, "PRIMARY KEY (id), CONSTRAINT amounts CHECK (cores >= 0 AND pace_us >= 0)"),
    _Made(6, "review", _REVIEW, _REVIEW_RULES),
    _Made(6, "review_summary", _REVIEW_SUMMARY, _REVIEW_SUMMARY_RULES),
)
_ADDED = (
    _Added(3, "round", "extended", "VARCHAR", "''"),
    _Added(3, "seat", "extended_us", "BIGINT", "0"),
    _Added(4, "season", "chain_end", "VARCHAR", "''"),
    _Added(4, "stretch", "document", "VARCHAR", "''"),
    _Added(4, "entry", "version", "VARCHAR", "''"),
    _Added(4, "entry", "entered_at", "BIGINT", "0"),
    _Added(5, "stretch", "blocks", "VARCHAR", "''"),
    _Added(5, "match", "host", "INTEGER", "NULL", refers=" REFERENCES host (id)"),
)


def is_older(version: int) -> bool:
    """Return whether a database of this version is older than this arena, and can be read by it."""
    return OLDEST <= version < SCHEMA_VERSION


def added_since(version: int) -> frozenset[tuple[str, str]]:
    """Return the columns, as (table, column), that a database of this version does not have.

    A table that it does not have is there with all its columns.
    """
    columns = [(one.table, one.column) for one in _ADDED if one.version > version]
    return frozenset(columns).union(
        (one.table, column) for one in _MADE if one.version > version for column in one.columns
    )


def is_lacking(table: Table, without: Collection[tuple[str, str]]) -> bool:
    """Return whether a table is not there at all. `without`: the columns that are not (`added_since`)."""
    return all((table.name, column.name) in without for column in table.columns)


def views_for(version: int, row: str = "rowid", place: str = "main.") -> Iterator[str]:
    """Yield statements after which one connection sees an older database as if it were of today.

    They make a temporary view for each table that is new or has grown, and change nothing in the database.
    SQLite and PostgreSQL look a name up among what is temporary first
    (https://www.sqlite.org/lang_naming.html). `row`: what tells where a row is in its table; `place`: what a
    table of the database itself is called by.
    """
    grown: defaultdict[str, list[str]] = defaultdict(list)
    for one in _ADDED:
        if one.version > version:
            grown[one.table].append(f'CAST({one.empty} AS {one.kind}) AS "{one.column}"')
    for table, columns in grown.items():
        # A view has no places of rows of its own, but a column may bear their name.
        what = ", ".join([f"{row} AS {row}", "*", *columns])
        yield f'CREATE TEMP VIEW "{table}" AS SELECT {what} FROM {place}"{table}"'  # noqa: S608  (our names)
    for made in _MADE:
        if made.version > version:
            empty = [f'CAST(NULL AS {kind}) AS "{name}"' for name, kind in made.columns.items()]
            what = ", ".join([f"NULL AS {row}", *empty])
            yield f'CREATE TEMP VIEW "{made.table}" AS SELECT {what} WHERE 1 = 0'


def steps_from(version: int) -> Iterator[str]:
    """Yield statements that make a database of this version one of today, but for the version it tells."""
    yield from (one.said for one in _MADE if one.version > version)
    yield from (f'ALTER TABLE "{one.table}" ADD COLUMN {one.said}' for one in _ADDED if one.version > version)

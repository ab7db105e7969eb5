"""Many rows by one statement: what is stored is what SQLAlchemy alone would have stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Integer,
    MetaData,
    String,
    Table,
    bindparam,
    create_engine,
    event,
    update,
)
from sqlalchemy.exc import StatementError

from arena.store.bulk import execute_for_each, execute_for_rows

TABLE = Table(
    "line",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("order", Integer),  # a word that SQL must have quoted
    Column("text", String, default="none"),
    Column("true", Boolean),
)
INSERT = TABLE.insert()
UPDATE = update(TABLE).where(TABLE.c.id == bindparam("which")).values(order=bindparam("order"), text="done")
ROWS = [
    {"id": 1, "order": 7, "true": True},
    {"true": None, "id": 2, "order": 2**60},  # what a row says counts, not in which order
    {"id": 3, "order": None, "true": False},
]


@pytest.fixture(params=["qmark", "named"])
def connection(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Connection]:
    """A connection as ours, and one that says its parameters by name, as other databases may."""
    engine = create_engine(f"sqlite:///{tmp_path / 'x.db'}", paramstyle=request.param)
    with engine.begin() as connection:
        TABLE.create(connection)
        yield connection
    engine.dispose()


def stored(connection: Connection) -> list[tuple[object, ...]]:
    """All rows, as SQLite has them."""
    found = connection.exec_driver_sql(
        'SELECT id, "order", text, "true", typeof("true") FROM line ORDER BY id'
    )
    return [tuple(row) for row in found]


def test_rows_are_stored_with_the_defaults_of_their_columns(connection: Connection) -> None:
    execute_for_each(connection, INSERT, ROWS)
    assert stored(connection) == [
        (1, 7, "none", 1, "integer"),
        (2, 2**60, "none", None, "null"),
        (3, None, "none", 0, "integer"),
    ]


def test_rows_may_say_more_or_less_than_others(connection: Connection) -> None:
    """What they do not say is the default, or NULL, and never what another row says."""
    execute_for_each(connection, INSERT, [ROWS[0], {**ROWS[1], "text": "said"}, {"id": 3, "true": True}])
    assert [row[:4] for row in stored(connection)] == [
        (1, 7, "none", 1),
        (2, 2**60, "said", None),
        (3, None, "none", 1),
    ]


@pytest.mark.parametrize(
    "columns", [("id", "order", "text", "true"), ("true", "id", "text", "order"), ("id", "true")]
)
def test_rows_of_the_same_columns_may_say_them_in_any_order(
    connection: Connection, columns: tuple[str, ...]
) -> None:
    said = {"id": 4, "order": 5, "text": "six", "true": 1}
    execute_for_rows(connection, INSERT, columns, [tuple(said[name] for name in columns)])
    left_out = {"order": None, "text": "none"}
    expected = [said[name] if name in columns else left_out[name] for name in said]
    assert [list(row[:4]) for row in stored(connection)] == [expected]


def test_an_update_keeps_what_it_says_for_all_rows(connection: Connection) -> None:
    execute_for_each(connection, INSERT, ROWS)
    execute_for_each(connection, UPDATE, [{"which": 3, "order": 30}, {"order": 10, "which": 1}])
    assert [row[1:3] for row in stored(connection)] == [(10, "done"), (2**60, "none"), (30, "done")]


def test_no_rows_are_no_statement(connection: Connection) -> None:
    statements: list[str] = []
    event.listen(connection, "before_cursor_execute", lambda *said: statements.append(said[2]))
    execute_for_each(connection, INSERT, [])
    assert statements == []
    execute_for_each(connection, INSERT, ROWS[::2])
    assert len(statements) == 1


def test_rows_that_say_too_little_are_refused(connection: Connection) -> None:
    """Nothing that was forgotten may become NULL, or a condition that no row meets."""
    execute_for_each(connection, INSERT, ROWS)
    with pytest.raises((ValueError, StatementError)):
        execute_for_each(connection, UPDATE, [{"which": 1}])
    assert stored(connection)[0][1] == 7

"""Brings a database of an older arena up to date where it is on a server: in one transaction, or not at all.

No copy is kept, for a server's owner has backups. Whoever calls this holds the lock of the league.
`arena.store.migration` is the counterpart for a file.
"""

from __future__ import annotations

import time
from collections import defaultdict

from sqlalchemy import Connection, Engine, inspect, make_url, select, text, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from arena.errors import ServerGone
from arena.store.database import Database, is_there
from arena.store.driver_errors import in_words
from arena.store.history import LogLine
from arena.store.models import SCHEMA_VERSION, Log, Meta, Row, table_of
from arena.store.place import BUSY_SECONDS, WRITING
from arena.store.postgres import BY_BYTES, PostgresServer
from arena.store.rows import line_cells
from arena.store.versions import SUBJECT, is_older, steps_from

__all__ = ["bring_server_up_to_date"]

_PAUSE_SECONDS = 0.1
_BUSY = ("55P03", "0A000")
"""What PostgreSQL says of tables that another transaction uses, and of those that are seen through views: as
this arena sees an older database."""
_ORDERED_OTHERWISE = text(
    "SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
    "JOIN pg_collation o ON o.oid = a.attcollation WHERE c.relnamespace = current_schema()::regnamespace "
    "AND c.relname = ANY(:names) AND a.attnum > 0 AND NOT a.attisdropped AND o.collname <> 'C' "
    "ORDER BY c.relname, a.attnum"
)
"""The columns with texts that are not ordered by their bytes. Arenas of schema 4 made all like that."""


def bring_server_up_to_date(address: str) -> str:
    """Make the database at an address one of this arena's version, if there is one and it is older.

    Returns in words what was done, or an empty text. Raises DatabaseRefused, also while another program has
    its tables open for long; StoreError.
    """
    if not is_there(address):
        return ""
    with Database.open(address, read_only=True) as there:
        name = there.name
        if not is_older(there.version):
            return ""
    place = PostgresServer(make_url(address), read_only=False)
    engine = place.engine()
    end = time.monotonic() + BUSY_SECONDS
    try:
        while True:
            try:
                return _migrated(engine, place)
            except DBAPIError as error:
                if getattr(error.orig, "sqlstate", "") not in _BUSY or time.monotonic() >= end:
                    raise
            time.sleep(_PAUSE_SECONDS)
    except ServerGone as error:
        raise place.refusal(error.message) from error
    except SQLAlchemyError as error:
        raise in_words(error, name) from error
    finally:
        engine.dispose()


def _migrated(engine: Engine, place: PostgresServer) -> str:
    with place.used(engine), engine.connect() as connection:
        connection.execution_options(**{WRITING: True})
        with connection.begin():
            return _brought_up_to_date(connection, place.name)


def _brought_up_to_date(connection: Connection, name: str) -> str:
    version = _shut_out_others(connection)
    if not is_older(version):
        return ""
    said = (
        f"the database {name} was made by an older arena: it was brought from schema {version} "
        f"to {SCHEMA_VERSION}"
    )
    for statement in steps_from(version):
        connection.exec_driver_sql(statement)
    _order_by_bytes(connection)
    meta = table_of(Meta)
    is_version = meta.c.key == "schema_version"
    connection.execute(update(meta).where(is_version).values(value=str(SCHEMA_VERSION)))
    line = LogLine(time.time_ns() // 1_000_000, "info", SUBJECT, said)
    connection.execute(table_of(Log).insert(), line_cells(line))
    return said


def _shut_out_others(connection: Connection) -> int:
    """Lock all tables, so that nobody reads or changes anything meanwhile. Return the version that they have.

    All at once or none: who waited for one table while others wait for it would make them fail.
    """
    there = inspect(connection).get_table_names()
    names = ", ".join(f'"{table.name}"' for table in Row.metadata.sorted_tables if table.name in there)
    connection.exec_driver_sql(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE NOWAIT")
    meta = table_of(Meta)
    return int(connection.execute(select(meta.c.value).where(meta.c.key == "schema_version")).scalar_one())


def _order_by_bytes(connection: Connection) -> None:
    """Have all texts ordered by their bytes. The rows stay as they are; indexes of texts are made anew."""
    names = [table.name for table in Row.metadata.sorted_tables]
    changes: defaultdict[str, list[str]] = defaultdict(list)
    for table, column in connection.execute(_ORDERED_OTHERWISE, {"names": names}):
        changes[table].append(f'ALTER COLUMN "{column}" TYPE VARCHAR COLLATE "{BY_BYTES}"')
    for table, alterations in changes.items():
        connection.exec_driver_sql(f'ALTER TABLE "{table}" {", ".join(alterations)}')

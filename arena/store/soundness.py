"""Checks whether the rows of a database fit together, whatever they mean; `arena verify` uses it.

It only reads. What the rows say about the game is checked elsewhere, from the records made of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from sqlalchemy import (
    CheckConstraint,
    Column,
    ColumnElement,
    Connection,
    RowMapping,
    String,
    Table,
    exists,
    func,
    literal,
    not_,
    or_,
    select,
    text,
)

from arena.match.record import MatchRecord
from arena.store import models
from arena.store.acts import RULINGS
from arena.store.dialects import place_of_row
from arena.store.history import NOTED_KEYS
from arena.store.models import table_of
from arena.store.rows import NOT_HANDED_OVER, SEAT_COLUMNS, fault_rows, finished_match, seat_rows
from arena.store.views import MatchState

__all__ = ["read_damage", "read_unlike", "read_unsound", "wrong_value"]

_SEASON = table_of(models.Season)
_STRETCH = table_of(models.Stretch)
_ENTRY = table_of(models.Entry)
_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
_SEAT = table_of(models.Seat)
_FAULT = table_of(models.Fault)
_ACTION = table_of(models.Action)
_OF_A_RESULT = {
    "suits": "",
    "rounds": 0,
    "lateness_count": 0,
    "lateness_us": 0,
    "sandbox": "",
    "fault_points": 0,
    "host": None,
    "record": None,
}
"""The values that the row of a match has until it is finished."""

_JSON: tuple[Column[str], ...] = (_SEASON.c.document, _ENTRY.c.command, _ACTION.c.detail)
"""The columns that hold JSON; in some acts `detail` is other text."""
_NOTED = ("free", "growing")
"""The keys that a league file may change within a season, by their class."""
_LAST_MS = 253_402_300_799_999
"""The last millisecond of the year 9999, after which no date can be written."""
_ROW = place_of_row()


def read_damage(connection: Connection) -> str:
    """Return the first damaged page or unreadable value; empty if there is none.

    A server looks after its own pages.
    """
    if connection.dialect.name != "sqlite":
        return wrong_value(connection)
    said = str(connection.execute(text("PRAGMA integrity_check(1)")).scalar())
    return wrong_value(connection) if said == "ok" else f"SQLite says of the file: {said}"


def read_unsound(connection: Connection) -> Iterator[str]:
    """Yield the contradictions between the rows, in words."""
    if connection.dialect.name == "sqlite":
        # SQLite checks foreign keys only on connections that ask for it; another program need not.
        for table, row, parent, _ in connection.execute(text("PRAGMA foreign_key_check")):
            yield f"row {row} of the table {table} belongs to no row of the table {parent}"
    yield from _forbidden(connection)
    yield from _misplaced(connection)
    yield from _without_result(connection)
    yield from _gaps(connection, _SEASON, None, _SEASON.c.number, 1)
    yield from _gaps(connection, _STRETCH, _STRETCH.c.season, _STRETCH.c.number)
    yield from _gaps(connection, _ENTRY, _ENTRY.c.season, _ENTRY.c.number)
    yield from _gaps(connection, _SEAT, _SEAT.c.match, _SEAT.c.seat)
    yield from _gaps(connection, _FAULT, _FAULT.c.match, _FAULT.c.number)
    yield from _attempts(connection)


def _forbidden(connection: Connection) -> Iterator[str]:
    """Yield values that the tables would refuse. SQLite checks its rules only when it writes."""
    for table in models.Row.metadata.sorted_tables:
        for check in table.constraints:
            if isinstance(check, CheckConstraint):
                broken = text(f"NOT ({check.sqltext})")
                count = connection.execute(select(func.count()).select_from(table).where(broken)).scalar()
                if count:
                    yield f"{count} rows of the table {table.name} are against its rule {check.name}"


def _misplaced(connection: Connection) -> Iterator[str]:
    """Yield matches that name another session than the one they belong to."""
    other = or_(
        _MATCH.c.season != _SESSION.c.season,
        _MATCH.c.cycle != _SESSION.c.cycle,
        _MATCH.c.index != _SESSION.c.index,
    )
    found = connection.execute(
        select(_MATCH.c.season, _MATCH.c.number, _SESSION.c.season, _SESSION.c.cycle, _SESSION.c.index)
        .join(_SESSION, _SESSION.c.id == _MATCH.c.session)
        .where(other)
        .order_by(_MATCH.c.id)
    )
    for season, number, of_season, cycle, index in found:
        yield (
            f"match {number} of season {season} is stored as one of session {cycle}.{index} of season "
            f"{of_season}, its own place in the schedule is another"
        )


def _without_result(connection: Connection) -> Iterator[str]:
    """Yield attempts that did not finish but have a result."""
    unfinished = _MATCH.c.state != MatchState.FINISHED.value
    filled = or_(*(_MATCH.c[name] != empty for name, empty in _OF_A_RESULT.items()))
    found = connection.execute(
        select(_MATCH.c.season, _MATCH.c.number, _MATCH.c.state)
        .where(unfinished, filled)
        .order_by(_MATCH.c.id)
    )
    for season, number, state in found:
        yield f"an attempt at match {number} of season {season} is {state}, and has a result"
    for table in (_SEAT, _FAULT):
        found = connection.execute(
            select(_MATCH.c.season, _MATCH.c.number, _MATCH.c.state)
            .where(unfinished)
            .where(exists().where(table.c.match == _MATCH.c.id))
            .order_by(_MATCH.c.id)
        )
        for season, number, state in found:
            yield (
                f"an attempt at match {number} of season {season} is {state}, and has rows "
                f"in the table {table.name}, as only finished ones have"
            )


def _gaps(
    connection: Connection,
    table: Table,
    group: ColumnElement[int] | None,
    number: ColumnElement[int],
    first: int = 0,
) -> Iterator[str]:
    """Yield tables whose rows are not numbered without a gap from `first` on. No number occurs twice."""
    of_what = literal(0) if group is None else group
    counted = select(of_what, func.min(number), func.max(number), func.count())
    if group is not None:
        counted = counted.group_by(group).order_by(group)
    for of, least, most, count in connection.execute(counted.select_from(table)):
        if count and (least, most) != (first, first + count - 1):
            where = "" if group is None else f" for the {group.key} {of}"
            yield (
                f"the table {table.name} has {count} rows{where}, numbered {least} to {most}, not "
                f"{first} to {first + count - 1}"
            )


def _attempts(connection: Connection) -> Iterator[str]:
    """Yield attempts at a match that are not numbered from 0, or that follow a finished one."""
    finished = func.max(_MATCH.c.attempt).filter(_MATCH.c.state == MatchState.FINISHED.value)
    slot = (_MATCH.c.season, _MATCH.c.cycle, _MATCH.c.index, _MATCH.c.order)
    found = connection.execute(
        select(func.min(_MATCH.c.number), *slot[:1], func.max(_MATCH.c.attempt), func.count(), finished)
        .group_by(*slot)
        .order_by(*slot)
    )
    for number, season, last, count, at_last in found:
        if last != count - 1:
            yield f"match {number} of season {season} has {count} attempts, the last is numbered {last}"
        elif at_last not in (None, last):
            yield f"match {number} of season {season} was begun again after it had been finished"


def wrong_value(connection: Connection) -> str:
    """Return the first value that cannot be read as what its column holds, in words; empty if there is none.

    Texts that are no UTF-8, JSON nested so deeply that nothing reads it, or of another shape, and times that
    are no dates. The tables themselves refuse values of another kind.
    """
    if connection.dialect.name == "sqlite":  # only SQLite takes any bytes as a text
        for table in models.Row.metadata.sorted_tables:
            if found := _no_text(connection, table):
                name, where, how = found
                return f"{name} in row {where} of the table {table.name} is {how}"
    for column in _JSON:
        if row := _too_deep(connection, column):
            return f"{column.name} in row {row} of the table {column.table.name} is JSON nested too deeply"
    return next(_meaningless(connection), "")


def _no_text(connection: Connection, table: Table) -> tuple[str, int, str] | None:
    """Return the column and row of the first text that is no UTF-8. SQLite stores any bytes as a text."""
    names = [column.name for column in table.columns if isinstance(column.type, String)]
    stored = "".join(f', CAST("{name}" AS BLOB)' for name in names)
    rows = connection.execute(text(f'SELECT rowid{stored} FROM "{table.name}"'))  # noqa: S608
    for row, *contents in rows:
        for name, content in zip(names, contents, strict=True):
            try:
                (content or b"").decode()
            except UnicodeDecodeError as error:
                return name, int(row), f"no UTF-8 from byte {error.start} on"
    return None


def _meaningless(connection: Connection) -> Iterator[str]:
    """Yield values of the right kind that mean nothing."""
    for table in models.Row.metadata.sorted_tables:
        for column in table.columns:
            if column.name == "at" or column.name.endswith("_at"):
                beyond = not_(column.between(0, _LAST_MS))
                for row, value in connection.execute(select(_ROW, column).select_from(table).where(beyond)):
                    yield f"{column.name} in row {row} of the table {table.name} is no time: {value}"
    for row, command in connection.execute(select(_ROW, _ENTRY.c.command)):
        if not _is_command(_read(command)):
            yield f"command in row {row} of the table entry is no list of texts"
    noted = _ACTION.c.what == NOTED_KEYS
    for row, keys in connection.execute(select(_ROW, _ACTION.c.detail).where(noted)):
        if not _are_keys(_read(keys)):
            yield f"detail in row {row} of the table action does not say which keys a league file had"
    ruled = _ACTION.c.what.in_(RULINGS)
    for row, detail in connection.execute(select(_ROW, _ACTION.c.detail).where(ruled)):
        if not _says_since_when(_read(detail)):
            yield f"detail in row {row} of the table action does not say from which cycle on it holds"


def read_unlike(connection: Connection, season: int, record: MatchRecord) -> Iterator[str]:
    """Yield what the rows of a finished match say that does not follow from its record."""
    key = record.key
    chosen = select(_MATCH).where(
        _MATCH.c.season == season, _MATCH.c.cycle == key.cycle, _MATCH.c.index == key.index,
        _MATCH.c.order == key.order, _MATCH.c.attempt == key.attempt,
    )  # fmt: skip
    match = connection.execute(chosen).mappings().one_or_none()
    if match is None:
        yield f"its record is of {key}, which was never begun"
        return
    yield from _other("", match, {**finished_match(record, "-"), "record": match["record"]})
    seats = [
        dict(zip(SEAT_COLUMNS, values, strict=True)) | more for values, more in seat_rows(match["id"], record)
    ]
    for table, number, expected in (
        (_SEAT, _SEAT.c.seat, [{**NOT_HANDED_OVER, **seat} for seat in seats]),
        (_FAULT, _FAULT.c.number, fault_rows(match["id"], record)),
    ):
        found = select(table).where(table.c.match == match["id"]).order_by(number)
        rows = connection.execute(found).mappings().all()
        if len(rows) != len(expected):
            yield f"it has {len(rows)} rows in the table {table.name}, its record says {len(expected)}"
            return
        for place, (row, made) in enumerate(zip(rows, expected, strict=True)):
            yield from _other(f" of {table.name} {place}", row, made)


def _other(of: str, row: RowMapping, expected: Mapping[str, object]) -> Iterator[str]:
    for name, value in expected.items():
        if row[name] != value:
            yield f"{name}{of} is {row[name]!r}, its record says {value!r}"


def _read(content: str) -> object:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _is_command(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _are_keys(value: object) -> bool:
    """Return whether a value is what a run notes: sections of keys, and the bots with their ids."""
    if not isinstance(value, dict) or not all(isinstance(value.get(kind), dict) for kind in _NOTED):
        return False
    sections = [item for kind in _NOTED for item in value[kind].items()]
    return all(_are_bots(keys) if name == "bots" else _are_tables(name, keys) for name, keys in sections)


def _are_tables(name: str, value: object) -> bool:
    """Return whether a value is a section, or those of all stages."""
    tables = value if name == "stages" and isinstance(value, list) else [value]
    return all(isinstance(table, dict) for table in tables)


def _says_since_when(value: object) -> bool:
    """Return whether a value is the detail of a ruling: its season and its first cycle."""
    return isinstance(value, dict) and all(type(value.get(key)) is int for key in ("season", "from_cycle"))


def _are_bots(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(bot, dict) and "id" in bot for bot in value)


def _too_deep(connection: Connection, column: Column[str]) -> object:
    """Return the row of the first JSON text that is nested too deeply to be read."""
    for row, content in connection.execute(select(_ROW, column)):
        try:
            json.loads(content)
        except ValueError:
            continue  # what a text must be is checked where it is used
        except RecursionError:
            return row
    return None

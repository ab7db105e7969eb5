"""Checks whether the rows of a database fit together, whatever they mean; `arena verify` uses it.

It only reads. What the rows say about the game is checked elsewhere, from the records made of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Column,
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
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlmodel import col

from arena.match.record import MatchRecord
from arena.store.acts import RULINGS
from arena.store.history import NOTED_KEYS
from arena.store.models import (
    ActionRow,
    EntryRow,
    FaultRow,
    MatchRow,
    PhaseRow,
    Row,
    SeasonRow,
    SeatRow,
    SessionRow,
)
from arena.store.rows import RowValues, fault_rows, finished_match, seat_rows
from arena.store.transaction import Transaction, reads
from arena.store.views import MatchState

__all__ = ["contradictions", "damage", "unlike", "unsound", "wrong_value"]


class place_of_row(FunctionElement[Any]):  # noqa: N801
    """Where a row is in its table: a number in SQLite, "(page,line)" in PostgreSQL."""

    name = "place_of_row"
    inherit_cache = True


@compiles(place_of_row, "sqlite")
def _place_in_sqlite(element: place_of_row, compiler: SQLCompiler, **more: Any) -> str:
    return "rowid"


@compiles(place_of_row, "postgresql")
def _place_in_postgresql(element: place_of_row, compiler: SQLCompiler, **more: Any) -> str:
    return "CAST(ctid AS text)"


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

_JSON = ((SeasonRow, "document"), (EntryRow, "command"), (ActionRow, "detail"))
"""The columns that hold JSON; in some acts `detail` is other text."""
_NOTED = ("free", "growing")
"""The keys that a league file may change within a season, by their class."""
_LAST_MS = 253_402_300_799_999
"""The last millisecond of the year 9999, after which no date can be written."""
_ROW = place_of_row()


@reads
def damage(db: Transaction) -> str:
    """Return the first damaged page or unreadable value; empty if there is none.

    A server looks after its own pages.
    """
    if db.get_bind().dialect.name != "sqlite":
        return wrong_value(db)
    said = str(db.execute(text("PRAGMA integrity_check(1)")).scalar())
    return wrong_value(db) if said == "ok" else f"SQLite says of the file: {said}"


@reads
def unsound(db: Transaction) -> str:
    """Return the first contradiction between the rows, in words; empty if there is none."""
    return next(contradictions(db), "")


def contradictions(db: Transaction) -> Iterator[str]:
    """Yield the contradictions between the rows, in words."""
    if db.get_bind().dialect.name == "sqlite":
        # SQLite checks foreign keys only on connections that ask for it; another program need not.
        for table, row, parent, _ in db.execute(text("PRAGMA foreign_key_check")):
            yield f"row {row} of the table {table} belongs to no row of the table {parent}"
    yield from _forbidden(db)
    yield from _misplaced(db)
    yield from _without_result(db)
    yield from _gaps(db, SeasonRow, "number", first=1)
    yield from _gaps(db, PhaseRow, "number", "season")
    yield from _gaps(db, EntryRow, "number", "season")
    yield from _gaps(db, SeatRow, "seat", "match")
    yield from _gaps(db, FaultRow, "number", "match")
    yield from _attempts(db)


def _forbidden(db: Transaction) -> Iterator[str]:
    """Yield values that the tables would refuse. SQLite checks its rules only when it writes."""
    for table in Row.metadata.sorted_tables:
        for check in table.constraints:
            if isinstance(check, CheckConstraint):
                broken = text(f"NOT ({check.sqltext})")
                count = db.execute(select(func.count()).select_from(table).where(broken)).scalar()
                if count:
                    yield f"{count} rows of the table {table.name} are against its rule {check.name}"


def _misplaced(db: Transaction) -> Iterator[str]:
    """Yield matches that name another session than the one they belong to."""
    other = or_(
        col(MatchRow.season) != col(SessionRow.season),
        col(MatchRow.cycle) != col(SessionRow.cycle),
        col(MatchRow.index) != col(SessionRow.index),
    )
    found = db.execute(
        select(
            col(MatchRow.season),
            col(MatchRow.number),
            col(SessionRow.season),
            col(SessionRow.cycle),
            col(SessionRow.index),
        )
        .join(SessionRow, col(SessionRow.id) == col(MatchRow.session))
        .where(other)
        .order_by(col(MatchRow.id))
    )
    for season, number, of_season, cycle, index in found:
        yield (
            f"match {number} of season {season} is stored as one of session {cycle}.{index} of season "
            f"{of_season}, its own place in the schedule is another"
        )


def _without_result(db: Transaction) -> Iterator[str]:
    """Yield attempts that did not finish but have a result."""
    unfinished = col(MatchRow.state) != MatchState.FINISHED.value
    filled = or_(*(getattr(MatchRow, name) != empty for name, empty in _OF_A_RESULT.items()))
    found = db.execute(
        select(col(MatchRow.season), col(MatchRow.number), col(MatchRow.state))
        .where(unfinished, filled)
        .order_by(col(MatchRow.id))
    )
    for season, number, state in found:
        yield f"an attempt at match {number} of season {season} is {state}, and has a result"
    for model in (SeatRow, FaultRow):
        found = db.execute(
            select(col(MatchRow.season), col(MatchRow.number), col(MatchRow.state))
            .where(unfinished)
            .where(exists().where(col(model.match) == col(MatchRow.id)))
            .order_by(col(MatchRow.id))
        )
        for season, number, state in found:
            yield (
                f"an attempt at match {number} of season {season} is {state}, and has rows "
                f"in the table {model.__tablename__}, as only finished ones have"
            )


def _gaps(db: Transaction, model: type[Row], number: str, group: str = "", first: int = 0) -> Iterator[str]:
    """Yield tables whose rows are not numbered without a gap from `first` on. No number occurs twice."""
    table = model.table()
    counted = select(
        table.c[group] if group else literal(0),
        func.min(table.c[number]),
        func.max(table.c[number]),
        func.count(),
    ).select_from(table)
    if group:
        counted = counted.group_by(table.c[group]).order_by(table.c[group])
    for of, least, most, count in db.execute(counted):
        if count and (least, most) != (first, first + count - 1):
            where = f" for the {group} {of}" if group else ""
            yield (
                f"the table {table.name} has {count} rows{where}, numbered {least} to {most}, not "
                f"{first} to {first + count - 1}"
            )


def _attempts(db: Transaction) -> Iterator[str]:
    """Yield attempts at a match that are not numbered from 0, or that follow a finished one."""
    finished = func.max(col(MatchRow.attempt)).filter(col(MatchRow.state) == MatchState.FINISHED.value)
    slot = (col(MatchRow.season), col(MatchRow.cycle), col(MatchRow.index), col(MatchRow.order))
    found = db.execute(
        select(
            func.min(col(MatchRow.number)), *slot[:1], func.max(col(MatchRow.attempt)), func.count(), finished
        )
        .group_by(*slot)
        .order_by(*slot)
    )
    for number, season, last, count, at_last in found:
        if last != count - 1:
            yield f"match {number} of season {season} has {count} attempts, the last is numbered {last}"
        elif at_last not in (None, last):
            yield f"match {number} of season {season} was begun again after it had been finished"


def wrong_value(db: Transaction) -> str:
    """Return the first value that cannot be read as what its column holds, in words; empty if there is none.

    Texts that are no UTF-8, JSON nested so deeply that nothing reads it, or of another shape, and times that
    are no dates. The tables themselves refuse values of another kind.
    """
    if db.get_bind().dialect.name == "sqlite":  # only SQLite takes any bytes as a text
        for table in Row.metadata.sorted_tables:
            if found := _no_text(db, table):
                name, where, how = found
                return f"{name} in row {where} of the table {table.name} is {how}"
    for model, name in _JSON:
        column = model.table().c[name]
        if row := _too_deep(db, column):
            return f"{column.name} in row {row} of the table {column.table.name} is JSON nested too deeply"
    return next(_meaningless(db), "")


def _no_text(db: Transaction, table: Table) -> tuple[str, int, str] | None:
    """Return the column and row of the first text that is no UTF-8. SQLite stores any bytes as a text."""
    names = [column.name for column in table.columns if isinstance(column.type, String)]
    stored = "".join(f', CAST("{name}" AS BLOB)' for name in names)
    rows = db.execute(text(f'SELECT rowid{stored} FROM "{table.name}"'))  # noqa: S608
    for row, *contents in rows:
        for name, content in zip(names, contents, strict=True):
            try:
                (content or b"").decode()
            except UnicodeDecodeError as error:
                return name, int(row), f"no UTF-8 from byte {error.start} on"
    return None


def _meaningless(db: Transaction) -> Iterator[str]:
    """Yield values of the right kind that mean nothing."""
    for table in Row.metadata.sorted_tables:
        for column in table.columns:
            if column.name == "at" or column.name.endswith("_at"):
                beyond = not_(column.between(0, _LAST_MS))
                for row, value in db.execute(select(_ROW, column).select_from(table).where(beyond)):
                    yield f"{column.name} in row {row} of the table {table.name} is no time: {value}"
    for row, command in db.execute(select(_ROW, col(EntryRow.command))):
        if not _is_command(_read(command)):
            yield f"command in row {row} of the table entry is no list of texts"
    noted = col(ActionRow.what) == NOTED_KEYS
    for row, keys in db.execute(select(_ROW, col(ActionRow.detail)).where(noted)):
        if not _are_keys(_read(keys)):
            yield f"detail in row {row} of the table action does not say which keys a league file had"
    ruled = col(ActionRow.what).in_(RULINGS)
    for row, detail in db.execute(select(_ROW, col(ActionRow.detail)).where(ruled)):
        if not _says_since_when(_read(detail)):
            yield f"detail in row {row} of the table action does not say from which cycle on it holds"


@reads
def unlike(db: Transaction, season: int, record: MatchRecord) -> list[str]:
    """Return what the rows of a finished match say that does not follow from its record."""
    return list(_unlike(db, season, record))


def _unlike(db: Transaction, season: int, record: MatchRecord) -> Iterator[str]:
    """Yield what the rows of a finished match say that does not follow from its record."""
    key = record.key
    chosen = select(MatchRow).where(
        col(MatchRow.season) == season,
        col(MatchRow.cycle) == key.cycle,
        col(MatchRow.index) == key.index,
        col(MatchRow.order) == key.order,
        col(MatchRow.attempt) == key.attempt,
    )
    match = db.scalars(chosen).one_or_none()
    if match is None or match.id is None:
        yield f"its record is of {key}, which was never begun"
        return
    yield from _other("", match, {**finished_match(record, "-"), "record": match.record})
    seats = select(SeatRow).where(col(SeatRow.match) == match.id).order_by(col(SeatRow.seat))
    yield from _others("seat", db.scalars(seats).all(), seat_rows(match.id, record))
    faults = select(FaultRow).where(col(FaultRow.match) == match.id).order_by(col(FaultRow.number))
    yield from _others("fault", db.scalars(faults).all(), fault_rows(match.id, record))


def _others(table: str, rows: Sequence[Row], expected: Sequence[RowValues]) -> Iterator[str]:
    if len(rows) != len(expected):
        yield f"it has {len(rows)} rows in the table {table}, its record says {len(expected)}"
        return
    for place, (row, made) in enumerate(zip(rows, expected, strict=True)):
        yield from _other(f" of {table} {place}", row, made)


def _other(of: str, row: Row, expected: RowValues) -> Iterator[str]:
    for name, value in expected.items():
        if getattr(row, name) != value:
            yield f"{name}{of} is {getattr(row, name)!r}, its record says {value!r}"


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


def _too_deep(db: Transaction, column: Column[str]) -> object:
    """Return the row of the first JSON text that is nested too deeply to be read."""
    for row, content in db.execute(select(_ROW, column)):
        try:
            json.loads(content)
        except ValueError:
            continue  # what a text must be is checked where it is used
        except RecursionError:
            return row
    return None

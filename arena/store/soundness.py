"""Checks whether the rows of a database fit together, whatever they mean; `arena verify` uses it.

It only reads. What the rows say about the game is checked elsewhere, from the records made of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import (
    CheckConstraint,
    String,
    Table,
    Text,
    exists,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
    text,
)
from sqlmodel import col

from arena.match.record import MatchRecord
from arena.store.models import (
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
from arena.store.transaction import Transaction, reads, reads_on
from arena.store.views import MatchState

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

_LAST_MS = 253_402_300_799_999
"""The last millisecond of the year 9999, after which no date can be written."""


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
    places = [(getattr(MatchRow, name), getattr(SessionRow, name)) for name in ("season", "cycle", "index")]
    found = db.execute(
        select(col(MatchRow.season), col(MatchRow.number), *(of_session for _, of_session in places))
        .join(SessionRow, col(SessionRow.id) == col(MatchRow.session))
        .where(or_(*(own != of_session for own, of_session in places)))
        .order_by(col(MatchRow.id))
    )
    for season, number, of_season, cycle, index in found:
        yield (
            f"match {number} of season {season} is stored as one of session {cycle}.{index} of season "
            f"{of_season}, its own place in the schedule is another"
        )


def _without_result(db: Transaction) -> Iterator[str]:
    """Yield attempts that did not finish but have a result."""
    filled = or_(*(getattr(MatchRow, name) != empty for name, empty in _OF_A_RESULT.items()))
    sat = [exists().where(col(model.match) == col(MatchRow.id)) for model in (SeatRow, FaultRow)]
    found = db.execute(
        select(col(MatchRow.season), col(MatchRow.number), col(MatchRow.state))
        .where(col(MatchRow.state) != MatchState.FINISHED.value, or_(filled, *sat))
        .order_by(col(MatchRow.id))
    )
    for season, number, state in found:
        yield f"an attempt at match {number} of season {season} is {state}, and has a result"


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

    Texts that are no UTF-8, and times that are no dates. The tables themselves refuse values of another kind,
    and JSON of another shape is found where it is read.
    """
    return next(_wrong_values(db), "")


def _wrong_values(db: Transaction) -> Iterator[str]:
    tables, is_file = Row.metadata.sorted_tables, db.get_bind().dialect.name == "sqlite"
    row_number = literal_column("rowid" if is_file else "CAST(ctid AS text)", Text())
    if is_file:
        for table in tables:
            yield from _no_texts(db, table)
    for table in tables:
        for column in table.columns:
            if column.name == "at" or column.name.endswith("_at"):
                beyond = not_(column.between(0, _LAST_MS))
                for row, value in db.execute(select(row_number, column).select_from(table).where(beyond)):
                    yield f"{column.name} in row {row} of the table {table.name} is no time: {value}"


def _no_texts(db: Transaction, table: Table) -> Iterator[str]:
    """Yield the texts that are no UTF-8. Only SQLite stores any bytes as a text."""
    names = [column.name for column in table.columns if isinstance(column.type, String)]
    stored = "".join(f', CAST("{name}" AS BLOB)' for name in names)
    rows = db.execute(text(f'SELECT rowid{stored} FROM "{table.name}"'))  # noqa: S608
    for row, *contents in rows:
        for name, content in zip(names, contents, strict=True):
            try:
                (content or b"").decode()
            except UnicodeDecodeError as error:
                said = f"no UTF-8 from byte {error.start} on"
                yield f"{name} in row {row} of the table {table.name} is {said}"


@reads_on
def unlike(db: Transaction, season: int, record: MatchRecord) -> Iterator[str]:
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

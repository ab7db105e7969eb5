"""Reads whole records of finished matches, many with each query. It only reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, Table, select

from arena.match.record import MatchRecord
from arena.store import models
from arena.store.models import table_of
from arena.store.rows import record_from
from arena.store.views import MatchState

__all__ = ["StoredRecord", "read_records"]

_AT_ONCE = 128  # a record of four rounds takes about 20 KB in memory
_MATCH = table_of(models.Match)
_SEAT = table_of(models.Seat)
_ROUND = table_of(models.Round)
_FAULT = table_of(models.Fault)


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """The rows of a finished match, each kind in ascending order. Decoding them takes longer than reading."""

    match: RowMapping
    seats: Sequence[RowMapping]
    rounds: Sequence[RowMapping]
    faults: Sequence[RowMapping]

    @property
    def number(self) -> int:
        """Return the number of the match in its season."""
        return int(self.match["number"])

    def record(self) -> MatchRecord:
        """Return the record, equal to the one saved."""
        return record_from(self.match, self.seats, self.rounds, self.faults)


def read_records(connection: Connection, season: int, numbers: Sequence[int]) -> Iterator[StoredRecord]:
    """Yield the records of the finished matches among these numbers, in ascending order."""
    wanted = sorted(numbers)
    for first in range(0, len(wanted), _AT_ONCE):
        yield from _piece(connection, season, wanted[first : first + _AT_ONCE])


def _piece(connection: Connection, season: int, numbers: Sequence[int]) -> Iterator[StoredRecord]:
    finished = (
        _MATCH.c.season == season, _MATCH.c.number.in_(numbers), _MATCH.c.state == MatchState.FINISHED.value,
    )  # fmt: skip
    chosen = select(_MATCH).where(*finished).order_by(_MATCH.c.number)
    matches = connection.execute(chosen).mappings().all()
    own = [match["id"] for match in matches]
    seats = _by_match(connection, _SEAT, _SEAT.c.seat, own)
    rounds = _by_match(connection, _ROUND, _ROUND.c.round, own)
    faults = _by_match(connection, _FAULT, _FAULT.c.number, own)
    for match in matches:
        key = match["id"]
        yield StoredRecord(match, seats[key], rounds[key], faults[key])


def _by_match(
    connection: Connection, table: Table, order: ColumnElement[Any], matches: Collection[int]
) -> Mapping[int, list[RowMapping]]:
    """Return the rows of these matches, by the id of the match and in that order."""
    rows: defaultdict[int, list[RowMapping]] = defaultdict(list)
    for row in connection.execute(select(table).where(table.c.match.in_(matches)).order_by(order)).mappings():
        rows[row["match"]].append(row)
    return rows

"""Reads the records of finished matches, whole and as they are stored. It works inside a transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from arena.match.record import MatchRecord
from arena.match.record_json import record_from_json
from arena.store import models
from arena.store.models import table_of
from arena.store.session import reads_on
from arena.store.views import MatchState

__all__ = ["StoredRecord", "read_records"]

_AT_ONCE = 128  # a record of four rounds takes about 5 KB
_MATCH = table_of(models.Match)


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """The record of a finished match as JSON, with its number. Decoding it takes longer than reading."""

    number: int
    text: str

    def record(self) -> MatchRecord:
        """Return the record, equal to the one saved. ValueError if it is none."""
        return record_from_json(self.text)


@reads_on
def read_records(connection: Connection, season: int, numbers: Sequence[int]) -> Iterator[StoredRecord]:
    """Yield the records of the finished matches among these numbers, in ascending order, piece by piece.

    They are not decoded yet: whoever does that may be another process.
    """
    wanted = sorted(numbers)
    finished = (_MATCH.c.season == season, _MATCH.c.state == MatchState.FINISHED.value)
    chosen = select(_MATCH.c.number, _MATCH.c.record).where(*finished).order_by(_MATCH.c.number)
    for first in range(0, len(wanted), _AT_ONCE):
        found = chosen.where(_MATCH.c.number.in_(wanted[first : first + _AT_ONCE]))
        for number, text in connection.execute(found).all():
            yield StoredRecord(number, text)

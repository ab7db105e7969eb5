"""Makes domain objects of rows, and rows of domain objects. Executes no SQL.

A match is stored as its record. Its rows in `seat` and `fault`, and the numbers beside the record, only
repeat what is filtered and summed; all of it follows from the record.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, fields, is_dataclass
from functools import partial
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Row as SelectedRow

from arena.match.record import MatchRecord, SeatRecord
from arena.match.record_json import record_to_json
from arena.match.texts import storable
from arena.match.times import extended_by_seat, spent_by_seat
from arena.store.models import EntryRow, PhaseRow, SeasonRow
from arena.store.views import Entry, MatchState, NewPhase, NewSeason, PhaseView, Reported, SeasonView

RowValues = dict[str, Any]
"""One row: a value for each column that is set."""

_Shape = TypeVar("_Shape")
_Meaning = TypeVar("_Meaning")

_REPORTED = {field.name: f"reported_{field.name}" for field in fields(Reported)}
"""The columns of `entry` that hold what the bot's process reported."""
_LAST_WORDS = 500
"""Characters of a bot's standard error that stand beside each of its faults."""


class BadValueError(Exception):
    """A stored value that no arena stores; `Database.reading` makes a sentence of it."""


def domain(shape: type[_Shape], row: Any, **other: object) -> _Shape:
    """Make a dataclass of a row or of an object, from columns named like its fields and from `other` fields.

    A stranger's database may hold anything, and SQLModel's tables do not check what is read. So every value
    is checked here, against the annotation of its field. Raises BadValueError.
    """
    # `index`, a column of ours, is a method of SQLAlchemy's rows.
    value = row._mapping.__getitem__ if isinstance(row, SelectedRow) else partial(getattr, row)
    adapter, names = _shape_of(shape)
    values = {name: value(name) for name in names if name not in other}
    try:
        return cast(_Shape, adapter.validate_python(values | other))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadValueError(f"{where} is {str(first['input'])[:60]}: {first['msg']}") from error


_SHAPES: dict[type, tuple[TypeAdapter[Any], tuple[str, ...]]] = {}
"""What checks the values of each dataclass, and the names of its fields. Making it takes milliseconds."""


def _shape_of(shape: type) -> tuple[TypeAdapter[Any], tuple[str, ...]]:
    if shape not in _SHAPES:
        assert is_dataclass(shape), "only dataclasses are made from rows"
        _SHAPES[shape] = TypeAdapter(shape), tuple(field.name for field in fields(shape))
    return _SHAPES[shape]


def stored(read: Callable[[Any], _Meaning], value: object) -> _Meaning:
    """Return what one stored value means, as `read` says. Raises BadValueError where it means nothing."""
    try:
        return read(value)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise BadValueError(str(error)) from error


def _json(name: str, text: str) -> Any:
    """Return what a column of this name holds as JSON. Raises BadValueError where it is none."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadValueError(f"{name} is {str(text)[:60]}: it is no JSON ({error})") from error


def season_from(row: SeasonRow, entries: Iterable[EntryRow], phases: Iterable[PhaseRow]) -> SeasonView:
    """Return a season, with its entries and phases in ascending order of their numbers."""
    return domain(
        SeasonView,
        row,
        entries=tuple(map(_entry_from, entries)),
        phases=tuple(map(_phase_from, phases)),
    )


def _entry_from(row: EntryRow) -> Entry:
    said = {name: getattr(row, column) for name, column in _REPORTED.items()}
    reported = None if said["name"] is None else Reported(**{name: text or "" for name, text in said.items()})
    return domain(Entry, row, command=_json("command", row.command), reported=reported)


def _phase_from(row: PhaseRow) -> PhaseView:
    """Return a phase, without its secret until it has ended."""
    return domain(
        PhaseView,
        row,
        secret=row.secret if row.ended_at is not None else None,
        entries=_json("entries", row.entries),
        owed=_json("owed", row.owed),
    )


def season_values(number: int, new: NewSeason) -> RowValues:
    """Return the row of `season`; its fields are named like the columns, entries have rows of their own."""
    values = asdict(new)
    del values["entries"]
    return {"number": number, **values}


def entry_values(season: int, entry: Entry) -> RowValues:
    """Return the row of `entry`; its fields are named like the columns, `reported` has several columns."""
    values = asdict(entry)
    del values["reported"]
    command = json.dumps(entry.command, ensure_ascii=False)
    return {"season": season, **values, "command": command, "role": entry.role.value} | reported_values(
        entry.reported
    )


def reported_values(said: Reported | None) -> RowValues:
    """Return the columns of `entry` for what a bot's process reported: all NULL before it did."""
    return {column: said and getattr(said, name) for name, column in _REPORTED.items()}


def phase_values(new: NewPhase) -> RowValues:
    """Return the row of `phase`, not ended."""
    begun = {"cycles_at_most": new.cycles_planned, "ended_at": None, "end_reason": ""}
    lists = {"entries": json.dumps(new.entries), "owed": json.dumps(new.owed)}
    return {**asdict(new), **begun, **lists, "secret": new.secret.hex()}


def finished_match(record: MatchRecord, text: str = "") -> RowValues:
    """Return the columns of `match` that finishing it sets; its place in the schedule is set already.

    `text`: the record as JSON, where that is known already. Raises ValueError for a match with a seat
    without a clock: in a league all have the same clocks.
    """
    if record.setup.no_clock is not None:
        raise ValueError("a league stores no match in which a seat had no clock")
    return {
        "state": MatchState.FINISHED.value,
        "suits": record.setup.suits,
        "started_at": record.started_at,
        "finished_at": record.finished_at,
        "rounds": len(record.rounds),
        "lateness_count": record.lateness_count,
        "lateness_us": record.lateness_us,
        "sandbox": record.sandbox,
        "fault_points": record.setup.terms.fault_points,
        "record": text or record_to_json(record),
    }


def seat_rows(match: int, record: MatchRecord) -> list[RowValues]:
    """Return the rows of `seat` for the match with that id."""
    rows = []
    for number, (seat, spent, extended_us) in enumerate(
        zip(record.seats, spent_by_seat(record), extended_by_seat(record), strict=True)
    ):
        over_round, over_question = seat.hand_over_at or (None, None)
        rows.append(
            {
                "match": match,
                "seat": number,
                "bot": seat.bot,
                "points": seat.points,
                "charge": seat.charge,
                "place": seat.place,
                "faults": seat.faults,
                "hand_over": seat.hand_over and seat.hand_over.value,
                "hand_over_round": over_round,
                "hand_over_question": over_question,
                "late": seat.late,
                "decisions": spent.decisions,
                "took_total_us": spent.took_total_us,
                "took_max_us": spent.took_max_us,
                "cpu_us": seat.cpu_us,
                "off_turn_us": seat.off_turn_us,
                "queued_us": seat.queued_us,
                "frozen": seat.frozen,
                "left_core": seat.left_core,
                "pid": seat.pid,
                "bot_table": seat.table,
                "stderr_bytes": seat.stderr_bytes,
                "extended_us": extended_us,
            }
        )
    return rows


def fault_rows(match: int, record: MatchRecord) -> list[RowValues]:
    """Return the rows of `fault` for the match with that id; its fields are named like the columns."""
    return [
        {
            **asdict(fault),
            "match": match,
            "number": number,
            "kind": fault.kind.value,
            "reason": storable(fault.reason),
            "sent": storable(fault.sent),
            "last_words": storable(_last_words(record.seats[fault.seat])),
        }
        for number, fault in enumerate(record.faults)
    ]


def _last_words(seat: SeatRecord) -> str:
    return (seat.stderr_tail or seat.stderr_head)[-_LAST_WORDS:]

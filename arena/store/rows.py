"""Makes rows of the tables from matches, seasons, entries and stretches, and back. Executes no SQL.

A match is stored as its record. Its rows in `seat` and `fault`, and the numbers beside the record, only
repeat what is filtered and summed; all of it follows from the record.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from typing import Final, TypeVar

from sqlalchemy import RowMapping

from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import MatchRecord, SeatRecord
from arena.match.record_json import record_to_json
from arena.match.texts import storable
from arena.store.bulk import Values
from arena.store.history import Action, LogLine
from arena.store.inputs import NewSeason, NewStretch
from arena.store.row import BadValueError, stored
from arena.store.times import extended_by_seat, spent_by_seat
from arena.store.views import Entry, MatchState, Reported, Role, SeasonView, StretchView

__all__ = [
    "NOT_HANDED_OVER",
    "SEAT_COLUMNS",
    "Cells",
    "entry_cells",
    "fault_from",
    "fault_rows",
    "finished_match",
    "hand_over_from",
    "line_cells",
    "season_cells",
    "season_from",
    "seat_rows",
    "shaped",
    "stretch_cells",
]

Cells = dict[str, object]
"""One row: a value for each column that is set."""

_Shape = TypeVar("_Shape")

_MOST_OF_A_SEASON = {
    "seats": 8,
    "rounds": 1_000,
    "field_size": 10_000,
    "sessions_per_cycle": 20_000,
    "matches_per_session": 1_000,
}
_MOST_OF_A_STRETCH = {"cycles_planned": 100_000, "first_cycle": 100_000, "first_index": 20_000}
"""More than any arena allows: who goes through what is planned would never come to an end."""

_REPORTED = "reported_"
"""The prefix of the columns of `entry` that hold what the bot's process reported."""

SEAT_COLUMNS = (
    "match", "seat", "bot", "points", "charge", "place", "faults", "late", "decisions", "took_total_us",
    "took_max_us", "cpu_us", "off_turn_us", "queued_us", "frozen", "left_core", "pid", "bot_table",
    "stderr_bytes", "extended_us",
)  # fmt: skip
"""The columns that every row of `seat` sets."""

NOT_HANDED_OVER: Final[Mapping[str, object]] = {
    "hand_over": None,
    "hand_over_round": None,
    "hand_over_question": None,
}
"""The columns of a seat that its row leaves out where nobody took over."""

_LAST_WORDS = 500
"""Characters of a bot's standard error that stand beside each of its faults."""


def finished_match(record: MatchRecord, text: str = "") -> Cells:
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


def seat_rows(match: int, record: MatchRecord) -> list[tuple[Values, Cells]]:
    """Return the rows of `seat` for the match with that id.

    Each row is the values of SEAT_COLUMNS, and the values of other columns by name. A column that is NULL
    in most rows is left out, and true and false are numbers: SQLite's driver takes text and whole numbers
    as they are, and looks for an adapter for every other value.
    """
    spent, extended = spent_by_seat(record), extended_by_seat(record)
    rows: list[tuple[Values, Cells]] = []
    for number, (seat, took) in enumerate(zip(record.seats, spent, strict=True)):
        values = (
            match, number, seat.bot, seat.points, seat.charge, seat.place, seat.faults, seat.late, *took,
            seat.cpu_us, seat.off_turn_us, seat.queued_us, int(seat.frozen), int(seat.left_core), seat.pid,
            seat.table, seat.stderr_bytes, extended[number],
        )  # fmt: skip
        rows.append((values, _hand_over_cells(seat)))
    return rows


def _hand_over_cells(seat: SeatRecord) -> Cells:
    if seat.hand_over is None and seat.hand_over_at is None:
        return {}
    number, question = seat.hand_over_at or (None, None)
    return {
        "hand_over": seat.hand_over.value if seat.hand_over else None,
        "hand_over_round": number,
        "hand_over_question": question,
    }


def fault_rows(match: int, record: MatchRecord) -> list[Cells]:
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


def shaped(shape: Callable[..., _Shape], row: RowMapping, **other: object) -> _Shape:
    """Make a dataclass from the columns of a row named like its fields, and from `other` fields."""
    return shape(**{name: row[name] for name in _field_names(shape) if name not in other}, **other)


@cache
def _field_names(shape: Callable[..., object]) -> tuple[str, ...]:
    assert is_dataclass(shape), "only dataclasses are made from rows"
    return tuple(field.name for field in fields(shape))


def hand_over_from(row: RowMapping) -> dict[str, object]:
    """Return the fields `hand_over` and `hand_over_at` of a seat; both None if it was not replaced."""
    kind, number, question = row["hand_over"], row["hand_over_round"], row["hand_over_question"]
    at = (number, question) if number is not None and question is not None else None
    return {"hand_over": stored(HandOver, kind) if kind is not None else None, "hand_over_at": at}


def fault_from(row: RowMapping) -> Fault:
    """Return a fault from its row."""
    return shaped(Fault, row, kind=stored(FaultKind, row["kind"]))


def season_cells(number: int, new: NewSeason) -> Cells:
    """Return the row of `season`; its fields are named like the columns, entries have rows of their own."""
    cells = asdict(new)
    del cells["entries"]
    return {"number": number, **cells}


def entry_cells(season: int, entry: Entry) -> Cells:
    """Return the row of `entry`; its fields are named like the columns, `reported` has several columns."""
    cells = asdict(entry)
    del cells["reported"]
    command = json.dumps(entry.command, ensure_ascii=False)
    return {"season": season, **cells, "command": command, "role": entry.role.value} | reported_cells(
        entry.reported
    )


def reported_cells(said: Reported | None) -> Cells:
    """Return the columns of `entry` for what a bot's process reported: all NULL before it did."""
    return {f"{_REPORTED}{name}": said and getattr(said, name) for name in _field_names(Reported)}


def stretch_cells(new: NewStretch) -> Cells:
    """Return the row of `stretch`, not ended."""
    return {**asdict(new), "secret": new.secret.hex(), "ended_at": None, "end_reason": ""}


def line_cells(line: LogLine | Action) -> Cells:
    """Return the row of `log` or `action`; their fields are named like the columns."""
    return asdict(line)


def season_from(
    row: RowMapping, entries: Iterable[RowMapping], stretches: Iterable[RowMapping]
) -> SeasonView:
    """Return the view of a season, with its entries and stretches in ascending order of their numbers.

    Raises BadValueError for numbers that no arena allows.
    """
    _check(row, _MOST_OF_A_SEASON, f"season {row['number']}")
    return shaped(
        SeasonView,
        row,
        entries=tuple(map(_entry_from, entries)),
        stretches=tuple(map(_stretch_from, stretches)),
    )


def _check(row: RowMapping, most: Mapping[str, int], what: str) -> None:
    for name, limit in most.items():
        if row[name] > limit:
            raise BadValueError(f"{name} of {what} is {row[name]}, and {limit:,} is the most there can be")


def _command(text: str) -> tuple[str, ...]:
    words = json.loads(text)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError("the command is no list of texts")
    return tuple(words)


def _entry_from(row: RowMapping) -> Entry:
    said = {name: row[f"{_REPORTED}{name}"] for name in _field_names(Reported)}
    return shaped(
        Entry,
        row,
        command=stored(_command, row["command"]),
        role=stored(Role, row["role"]),
        reported=None
        if said["name"] is None
        else Reported(**{name: text or "" for name, text in said.items()}),
    )


def _stretch_from(row: RowMapping) -> StretchView:
    """Return the view of a stretch, without its secret until it has ended."""
    _check(row, _MOST_OF_A_STRETCH, f"stretch {row['number']} of season {row['season']}")
    return shaped(StretchView, row, secret=row["secret"] if row["ended_at"] is not None else None)

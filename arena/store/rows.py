"""Makes rows of the tables from matches, seasons, entries and stretches, and back. Executes no SQL.

The rows of a match lose nothing: `record_from` gives back exactly what they were made from. The one
exception are characters that no database takes (lone surrogates in what a bot wrote), which become "?".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from functools import cache, lru_cache
from typing import TypeVar

from sqlalchemy import RowMapping

from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import RECORD_VERSION, MatchRecord, MatchSetup, RoundRecord, SeatRecord, Terms
from arena.papayoo import PAPAYOOS, Board, card_name, dealer_of, parse_card
from arena.store.bulk import Values
from arena.store.history import Action, LogLine
from arena.store.inputs import NewSeason, NewStretch
from arena.store.texts import (
    amounts_from,
    amounts_text,
    numbers_from,
    numbers_text,
    plays_from,
    plays_text,
    sets_from,
    sets_text,
)
from arena.store.times import extended_by_seat, spent_by_seat
from arena.store.views import Entry, MatchState, Reported, Role, SeasonView, StretchView

__all__ = [
    "ROUND_COLUMNS",
    "SEAT_COLUMNS",
    "Cells",
    "entry_cells",
    "fault_from",
    "fault_rows",
    "finished_match",
    "hand_over_from",
    "line_cells",
    "record_from",
    "round_rows",
    "season_cells",
    "season_from",
    "seat_rows",
    "shaped",
    "stretch_cells",
]

_hands_text = lru_cache(maxsize=512)(sets_text)
"""Writes hands as text, and keeps it: a session plays the same boards in every seat order."""

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
    "took_max_us", "cpu_us", "off_turn_us", "queued_us", "frozen", "left_core", "pid", "bot_table", "seed",
    "id_key", "stderr_bytes", "stderr_head", "stderr_tail", "extended_us",
)  # fmt: skip
"""The columns that every row of `seat` sets."""

ROUND_COLUMNS = (
    "match", "round", "dealer", "papayoo", "hands", "passes", "plays", "points", "stand_in", "took_us",
    "extended",
)  # fmt: skip
"""The columns that every row of `round` sets."""


def finished_match(record: MatchRecord) -> Cells:
    """Return the columns of `match` that finishing it sets; its place in the schedule is set already.

    Raises ValueError for a match with a seat without a clock. In a league all have the same clocks, so the
    tables have no place for such a seat, and a match read back would not be the one that was played.
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
        **asdict(record.setup.terms),
    }


def seat_rows(match: int, record: MatchRecord) -> list[tuple[Values, Cells]]:
    """Return the rows of `seat` for the match with that id.

    Each row is the values of SEAT_COLUMNS, and the values of other columns by name. A column that is NULL
    in most rows is left out, and true and false are numbers: SQLite's driver takes text and whole numbers
    as they are, and looks for an adapter for every other value.
    """
    names = record.setup.names
    spent, extended = spent_by_seat(record), extended_by_seat(record)
    rows: list[tuple[Values, Cells]] = []
    for number, (seat, seed, took) in enumerate(zip(record.seats, record.setup.seeds, spent, strict=True)):
        values = (
            match, number, seat.bot, seat.points, seat.charge, seat.place, seat.faults, seat.late, *took,
            seat.cpu_us, seat.off_turn_us, seat.queued_us, int(seat.frozen), int(seat.left_core), seat.pid,
            seat.table, seed, seat.id_key, seat.stderr_bytes, _storable(seat.stderr_head),
            _storable(seat.stderr_tail), extended[number],
        )  # fmt: skip
        more = _hand_over_cells(seat)
        rows.append((values, {**more, "told_name": names[number]} if names else more))
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


def round_rows(match: int, record: MatchRecord) -> list[Values]:
    """Return the rows of `round` for the match with that id: the values of ROUND_COLUMNS."""
    players = record.setup.players
    return [
        (
            match,
            number,
            (dealer := dealer_of(number, players)),
            card_name(PAPAYOOS[board.papayoo_suit]),
            _hands_text(tuple(board.hands_by_seat(dealer))),
            sets_text(played.passes),
            plays_text(played.plays),
            numbers_text(played.points),
            numbers_text(played.stand_in),
            numbers_text(played.took_us),
            amounts_text(played.extended),
        )
        for number, (board, played) in enumerate(zip(record.setup.boards, record.rounds, strict=True))
    ]


def fault_rows(match: int, record: MatchRecord) -> list[Cells]:
    """Return the rows of `fault` for the match with that id; its fields are named like the columns."""
    return [
        {
            **asdict(fault),
            "match": match,
            "number": number,
            "kind": fault.kind.value,
            "reason": _storable(fault.reason),
            "sent": _storable(fault.sent),
        }
        for number, fault in enumerate(record.faults)
    ]


def record_from(
    match: RowMapping,
    seats: Sequence[RowMapping],
    rounds: Sequence[RowMapping],
    faults: Sequence[RowMapping],
) -> MatchRecord:
    """Return the record of a finished match from its rows, each kind in ascending order of its number."""
    names = tuple(seat["told_name"] for seat in seats if seat["told_name"] is not None)
    setup = MatchSetup(
        boards=tuple(map(_board_from, rounds)),
        suits=match["suits"],
        seeds=tuple(seat["seed"] for seat in seats),
        terms=shaped(Terms, match),
        names=names or None,
    )
    return shaped(
        MatchRecord,
        match,
        key=shaped(MatchKey, match),
        setup=setup,
        seats=tuple(shaped(SeatRecord, row, table=row["bot_table"], **hand_over_from(row)) for row in seats),
        rounds=tuple(map(_round_from, rounds)),
        faults=tuple(map(fault_from, faults)),
        finished_at=match["finished_at"] or 0,
        version=RECORD_VERSION,
    )


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
    return {"hand_over": HandOver(kind) if kind is not None else None, "hand_over_at": at}


def fault_from(row: RowMapping) -> Fault:
    """Return a fault from its row."""
    return shaped(Fault, row, kind=FaultKind(row["kind"]))


def _board_from(row: RowMapping) -> Board:
    by_seat = sets_from(row["hands"])
    players = len(by_seat)
    hands = tuple(by_seat[(row["dealer"] + position) % players] for position in range(players))
    return Board(hands, PAPAYOOS.index(parse_card(row["papayoo"])))


def _round_from(row: RowMapping) -> RoundRecord:
    return RoundRecord(
        passes=sets_from(row["passes"]),
        plays=plays_from(row["plays"]),
        points=numbers_from(row["points"]),
        stand_in=numbers_from(row["stand_in"]),
        took_us=numbers_from(row["took_us"]),
        extended=amounts_from(row["extended"]),
    )


def _storable(text: str) -> str:
    """Return the text with characters that no database takes replaced by "?"."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


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

    Raises ValueError for numbers that no arena allows.
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
            raise ValueError(f"{name} of {what} is {row[name]}, and {limit:,} is the most there can be")


def _entry_from(row: RowMapping) -> Entry:
    said = {name: row[f"{_REPORTED}{name}"] for name in _field_names(Reported)}
    return shaped(
        Entry,
        row,
        command=tuple(json.loads(row["command"])),
        role=Role(row["role"]),
        reported=None
        if said["name"] is None
        else Reported(**{name: text or "" for name, text in said.items()}),
    )


def _stretch_from(row: RowMapping) -> StretchView:
    """Return the view of a stretch, without its secret until it has ended."""
    _check(row, _MOST_OF_A_STRETCH, f"stretch {row['number']} of season {row['season']}")
    return shaped(StretchView, row, secret=row["secret"] if row["ended_at"] is not None else None)

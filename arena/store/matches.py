"""Matches with their seats, and faults with where they happened, as pages need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select

from arena.match.faults import FaultKind
from arena.store import models
from arena.store.conduct import FaultView
from arena.store.models import table_of
from arena.store.rows import hand_over_at_from, hand_over_from
from arena.store.texts import line_up_from
from arena.store.views import MatchState, MatchView, SeatView, SessionKey, SessionState

__all__ = ["FaultQuery", "MatchQuery", "read_faults", "read_matches"]

_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
_SEAT = table_of(models.Seat)
_FAULT = table_of(models.Fault)
_ENTRY = table_of(models.Entry)

_LAST_WORDS = 500
"""Characters of a bot's standard error that go with each of its faults."""


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """Which matches are wanted; None: whatever it is."""

    season: int
    bot: str | None = None
    session: SessionKey | None = None
    state: MatchState | None = None
    number: int | None = None
    numbers: range | None = None

    def conditions(self) -> Sequence[ColumnElement[bool]]:
        """For the WHERE clause of a statement that selects from `match`."""
        wanted: list[ColumnElement[bool]] = [_MATCH.c.season == self.season]
        if self.session is not None:
            cycle, index = self.session
            wanted += [_MATCH.c.cycle == cycle, _MATCH.c.index == index]
        if self.state is not None:
            wanted.append(_MATCH.c.state == self.state.value)
        if self.number is not None:
            wanted.append(_MATCH.c.number == self.number)
        if self.numbers is not None:
            wanted += [_MATCH.c.number >= self.numbers.start, _MATCH.c.number < self.numbers.stop]
        if self.bot is not None:
            wanted.append(_MATCH.c.id.in_(select(_SEAT.c.match).where(_SEAT.c.bot == self.bot)))
        return wanted


@dataclass(frozen=True, slots=True)
class FaultQuery:
    """Which faults are wanted; None: whatever it is."""

    season: int
    bot: str | None = None
    number: int | None = None


def read_matches(connection: Connection, query: MatchQuery) -> list[MatchView]:
    """See `Reader.matches`."""
    seats = _seats_by_match(connection, query)
    found = connection.execute(
        select(
            _MATCH,
            _MATCH.c.index.label("session_index"),  # a row has a method `index`
            _SESSION.c.stretch,
            _SESSION.c.line_up,
            _SESSION.c.state.label("session_state"),
        )
        .join(_SESSION, _SESSION.c.id == _MATCH.c.session)
        .where(*query.conditions())
        .order_by(_MATCH.c.number, _MATCH.c.attempt)
    )
    return [_match_view(row, tuple(seats.get(row.id, ()))) for row in found]


def read_faults(connection: Connection, query: FaultQuery) -> list[FaultView]:
    """See `Reader.faults`."""
    wanted = [_MATCH.c.season == query.season]
    if query.bot is not None:
        wanted.append(_SEAT.c.bot == query.bot)
    if query.number is not None:
        wanted.append(_MATCH.c.number == query.number)
    found = connection.execute(
        select(
            _FAULT,
            _MATCH.c.number.label("match_number"),
            _MATCH.c.cycle,
            _MATCH.c.index.label("session_index"),
            _MATCH.c.order,
            _MATCH.c.attempt,
            _MATCH.c.finished_at,
            _SESSION.c.state,
            _SEAT.c.bot,
            func.substr(
                func.coalesce(func.nullif(_SEAT.c.stderr_tail, ""), _SEAT.c.stderr_head), -_LAST_WORDS
            ).label("last_words"),
            _ENTRY.c.name,
        )
        .join(_MATCH, _MATCH.c.id == _FAULT.c.match)
        .join(_SESSION, _SESSION.c.id == _MATCH.c.session)
        .join(_SEAT, (_SEAT.c.match == _FAULT.c.match) & (_SEAT.c.seat == _FAULT.c.seat))
        .outerjoin(_ENTRY, (_ENTRY.c.season == _MATCH.c.season) & (_ENTRY.c.bot == _SEAT.c.bot))
        .where(*wanted)
        .order_by(_MATCH.c.number, _FAULT.c.number)
    )
    return [_fault_view(row) for row in found]


def _seats_by_match(connection: Connection, query: MatchQuery) -> dict[int, list[SeatView]]:
    """By the id of each match that is wanted, its seats in order."""
    found = connection.execute(
        select(
            _SEAT.c.match, _SEAT.c.seat, _SEAT.c.bot, _ENTRY.c.name, _SEAT.c.points, _SEAT.c.charge,
            _SEAT.c.place, _SEAT.c.faults, _SEAT.c.hand_over, _SEAT.c.hand_over_round,
            _SEAT.c.hand_over_question, _SEAT.c.late, _SEAT.c.decisions, _SEAT.c.took_total_us,
            _SEAT.c.took_max_us, _SEAT.c.cpu_us, _SEAT.c.off_turn_us, _SEAT.c.queued_us, _SEAT.c.frozen,
            _SEAT.c.left_core, _SEAT.c.pid, _SEAT.c.stderr_bytes,
        )
        .join(_MATCH, _MATCH.c.id == _SEAT.c.match)
        .outerjoin(_ENTRY, (_ENTRY.c.season == _MATCH.c.season) & (_ENTRY.c.bot == _SEAT.c.bot))
        .where(*query.conditions())
        .order_by(_SEAT.c.match, _SEAT.c.seat)
    )  # fmt: skip
    seats: dict[int, list[SeatView]] = {}
    for row in found:
        seats.setdefault(row.match, []).append(_seat_view(row))
    return seats


def _match_view(row: Row[*tuple[Any, ...]], seats: tuple[SeatView, ...]) -> MatchView:
    return MatchView(
        number=row.number,
        cycle=row.cycle,
        index=row.session_index,
        order=row.order,
        attempt=row.attempt,
        stretch=row.stretch,
        state=MatchState(row.state),
        reason=row.reason,
        session_state=SessionState(row.session_state),
        line_up=line_up_from(row.line_up),
        seats=seats,
        suits=row.suits,
        started_at=row.started_at,
        finished_at=row.finished_at,
        rounds=row.rounds,
        lateness_count=row.lateness_count,
        lateness_us=row.lateness_us,
        sandbox=row.sandbox,
        record_version=row.record_version,
    )


def _seat_view(row: Row[*tuple[Any, ...]]) -> SeatView:
    return SeatView(
        seat=row.seat,
        bot=row.bot,
        name=row.name or row.bot,
        points=row.points,
        charge=row.charge,
        place=row.place,
        faults=row.faults,
        hand_over=hand_over_from(row.hand_over),
        hand_over_at=hand_over_at_from(row.hand_over_round, row.hand_over_question),
        late=row.late,
        decisions=row.decisions,
        took_total_us=row.took_total_us,
        took_max_us=row.took_max_us,
        cpu_us=row.cpu_us,
        off_turn_us=row.off_turn_us,
        queued_us=row.queued_us,
        frozen=row.frozen,
        left_core=row.left_core,
        pid=row.pid,
        stderr_bytes=row.stderr_bytes,
    )


def _fault_view(row: Row[*tuple[Any, ...]]) -> FaultView:
    return FaultView(
        match=row.match_number,
        cycle=row.cycle,
        index=row.session_index,
        order=row.order,
        attempt=row.attempt,
        session_state=SessionState(row.state),
        at=row.finished_at,
        fault=row.number,
        seat=row.seat,
        bot=row.bot,
        name=row.name or row.bot,
        kind=FaultKind(row.kind),
        reason=row.reason,
        round=row.round,
        question=row.question,
        sent=row.sent,
        wall_us=row.wall_us,
        cpu_us=row.cpu_us,
        queued_us=row.queued_us,
        last_words=row.last_words,
    )

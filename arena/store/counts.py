"""Counts and sums over the sessions and matches of a season: its progress, its results, faults and times.

It computes no score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Mapped
from sqlmodel import col

from arena.errors import StoreError
from arena.match.faults import FaultKind
from arena.match.times import BotTimes, CoreWaits
from arena.score.results import SessionResult, SessionResultError
from arena.store.acts import read_rulings
from arena.store.models import FaultRow, MatchRow, PhaseRow, SeatRow, SessionRow
from arena.store.planned import departures, season_plan
from arena.store.rows import BadValueError, stored
from arena.store.transaction import Transaction, reads
from arena.store.views import (
    CycleProgress,
    MatchState,
    Progress,
    SeasonView,
    SessionKey,
    SessionState,
    SessionView,
)

__all__ = [
    "read_bot_times",
    "read_core_waits",
    "read_fault_counts",
    "read_first_free",
    "read_processes",
    "read_progress",
    "read_results",
    "read_sandbox_levels",
    "read_session_states",
    "read_sessions",
]

_State = TypeVar("_State", bound=StrEnum)


def read_progress(db: Transaction, view: SeasonView) -> Progress:
    """Read what `read.progress` returns."""
    season, per_session = view.number, view.matches_per_session
    cycles = _cycles(db, view)
    planned = sum(cycle.sessions for cycle in cycles)
    sessions = _by_state(db, col(SessionRow.state), SessionState, col(SessionRow.season) == season)
    matches = _by_state(db, col(MatchRow.state), MatchState, col(MatchRow.season) == season)
    rounds, started_at, finished_at = db.execute(
        select(
            func.sum(col(MatchRow.rounds)),
            func.min(col(MatchRow.started_at)),
            func.max(col(MatchRow.finished_at)),
        ).where(col(MatchRow.season) == season)
    ).one()
    return Progress(
        season=season,
        cycles=cycles,
        sessions_planned=planned,
        sessions_complete=sessions[SessionState.COMPLETE],
        sessions_voided=sessions[SessionState.VOIDED],
        sessions_left_out=sessions[SessionState.LEFT_OUT],
        matches_planned=planned * per_session,
        matches_begun=matches[MatchState.BEGUN],
        matches_finished=matches[MatchState.FINISHED],
        matches_aborted=matches[MatchState.ABORTED],
        matches_interrupted=matches[MatchState.INTERRUPTED],
        rounds_finished=rounds or 0,
        faults=_fault_count(db, season),
        started_at=started_at,
        finished_at=finished_at,
    )


def _cycles(db: Transaction, view: SeasonView) -> tuple[CycleProgress, ...]:
    season = view.number
    planned = (
        db.execute(
            select(func.max(col(PhaseRow.cycles_planned))).where(col(PhaseRow.season) == season)
        ).scalar()
        or 0
    )
    states = db.execute(
        select(col(SessionRow.cycle), col(SessionRow.state), func.count())
        .where(col(SessionRow.season) == season)
        .group_by(col(SessionRow.cycle), col(SessionRow.state))
    ).all()
    complete: Counter[int] = Counter()
    over: Counter[int] = Counter()
    for cycle, state, count in states:
        complete[cycle] += count if state == SessionState.COMPLETE.value else 0
        over[cycle] += count if state != SessionState.PLANNED.value else 0
    last = max([planned - 1, *(cycle for cycle, _, _ in states)])
    sizes = _sizes(db, view, last + 1)
    return tuple(CycleProgress(cycle, size, complete[cycle], over[cycle]) for cycle, size in enumerate(sizes))


def _sizes(db: Transaction, view: SeasonView, cycles: int) -> list[int]:
    """Return the sessions of each of the first cycles, which are fewer where bots have left the field."""
    rulings = read_rulings(db, view.number)
    if not view.open and not departures(view, rulings):
        return [view.sessions_per_cycle] * cycles
    try:
        plan = season_plan(view, rulings)
    except ValueError as error:
        raise StoreError(f"Season {view.number} has no schedule: {error}") from error
    return [plan.sessions_in(cycle) for cycle in range(cycles)]


def _by_state(
    db: Transaction,
    state: ColumnElement[str] | Mapped[str],
    states: type[_State],
    wanted: ColumnElement[bool],
) -> Counter[_State]:
    """Return how many wanted rows of a table are in each state."""
    named = state.label("state_now")
    counted = db.execute(select(named, func.count()).where(wanted).group_by(named))
    return Counter({stored(states, found): count for found, count in counted})


def _fault_count(db: Transaction, season: int) -> int:
    counted = db.execute(
        select(func.count())
        .select_from(FaultRow)
        .join(MatchRow, col(MatchRow.id) == col(FaultRow.match))
        .where(col(MatchRow.season) == season)
    ).scalar()
    return int(counted or 0)


def read_results(db: Transaction, season: int, states: Iterable[SessionState]) -> list[SessionResult]:
    """Return the sessions of a season in these states, in schedule order; see `read.session_results`."""
    rounds = _rounds(db, season, states)
    card_points: dict[int, dict[str, int]] = {identity: {} for identity in rounds}
    fault_points: dict[int, dict[str, int]] = {identity: {} for identity in rounds}
    seat_rounds: dict[int, dict[str, int]] = {identity: {} for identity in rounds}
    added = (
        select(
            col(MatchRow.session), col(SeatRow.bot),
            func.sum(col(SeatRow.points)), func.sum(col(SeatRow.charge)), func.sum(col(MatchRow.rounds)),
        )
        .join(SeatRow, col(SeatRow.match) == col(MatchRow.id))
        .where(col(MatchRow.season) == season)
        .group_by(col(MatchRow.session), col(SeatRow.bot))
        .order_by(col(MatchRow.session), col(SeatRow.bot))
    )  # fmt: skip
    for session, bot, points, charge, sat in db.execute(added):
        if session in rounds:
            card_points[session][bot] = points
            fault_points[session][bot] = charge
            # Only the stand-in of several bots, the two of a duel and candidates of a gauntlet sit in
            # more or fewer rounds than the session has.
            if sat != rounds[session][2]:
                seat_rounds[session][bot] = sat
    try:
        return [
            SessionResult(
                cycle, index, count, card_points[identity], fault_points[identity], seat_rounds[identity]
            )
            for identity, (cycle, index, count) in rounds.items()
        ]
    except SessionResultError as error:
        raise BadValueError(str(error)) from error


def _rounds(db: Transaction, season: int, states: Iterable[SessionState]) -> dict[int, tuple[int, int, int]]:
    """Return, by the id of each session in these states, its cycle, index and the rounds of its matches."""
    counted = (
        select(
            col(SessionRow.id), col(SessionRow.cycle), col(SessionRow.index), func.sum(col(MatchRow.rounds))
        )
        .join(MatchRow, col(MatchRow.session) == col(SessionRow.id))
        .where(col(SessionRow.season) == season, col(SessionRow.state).in_([one.value for one in states]))
        .where(col(MatchRow.state) == MatchState.FINISHED.value)
        .group_by(col(SessionRow.id), col(SessionRow.cycle), col(SessionRow.index))
        .order_by(col(SessionRow.cycle), col(SessionRow.index))
    )
    return {identity: (cycle, index, count) for identity, cycle, index, count in db.execute(counted)}


@reads
def read_sessions(db: Transaction, season: int) -> list[SessionView]:
    """Return every session that was at least begun, in schedule order."""
    finished = (
        select(func.count())
        .where(col(MatchRow.session) == col(SessionRow.id), col(MatchRow.state) == MatchState.FINISHED.value)
        .scalar_subquery()
    )
    columns = (
        col(SessionRow.cycle),
        col(SessionRow.index),
        col(SessionRow.phase),
        col(SessionRow.line_up),
        col(SessionRow.state),
        col(SessionRow.reason),
        col(SessionRow.completed_at),
    )
    here = select(*columns, finished).where(col(SessionRow.season) == season)
    return [
        SessionView(
            cycle, index, phase, tuple(line_up.split()), stored(SessionState, state), reason, at, matches
        )
        for cycle, index, phase, line_up, state, reason, at, matches in db.execute(
            here.order_by(col(SessionRow.cycle), col(SessionRow.index))
        )
    ]


@reads
def read_session_states(db: Transaction, season: int) -> dict[SessionKey, SessionState]:
    """Return the state of every session that was at least begun."""
    columns = select(col(SessionRow.cycle), col(SessionRow.index), col(SessionRow.state))
    here = columns.where(col(SessionRow.season) == season)
    found = db.execute(here.order_by(col(SessionRow.cycle), col(SessionRow.index)))
    return {(cycle, index): stored(SessionState, state) for cycle, index, state in found}


@reads
def read_first_free(db: Transaction, season: int) -> int:
    """Return the first cycle of a season of which nothing was begun.

    An act of the organiser holds from there on. A run that is going to begin a cycle reads the rulings in the
    same transaction, so it knows every ruling that was stored before.
    """
    begun = db.execute(
        select(func.max(col(SessionRow.cycle))).where(col(SessionRow.season) == season)
    ).scalar()
    return 0 if begun is None else int(begun) + 1


@reads
def read_fault_counts(db: Transaction, season: int) -> dict[str, dict[FaultKind, int]]:
    """Return, by bot id, the number of its faults of each kind; bots and kinds without any are absent."""
    counted = (
        select(col(SeatRow.bot), col(FaultRow.kind), func.count())
        .join(
            SeatRow, (col(SeatRow.match) == col(FaultRow.match)) & (col(SeatRow.seat) == col(FaultRow.seat))
        )
        .join(MatchRow, col(MatchRow.id) == col(FaultRow.match))
        .where(col(MatchRow.season) == season)
        .group_by(col(SeatRow.bot), col(FaultRow.kind))
        .order_by(col(SeatRow.bot), col(FaultRow.kind))
    )
    counts: dict[str, dict[FaultKind, int]] = {}
    for bot, kind, count in db.execute(counted):
        counts.setdefault(bot, {})[stored(FaultKind, kind)] = count
    return counts


@reads
def read_bot_times(db: Transaction, season: int) -> list[BotTimes]:
    """Return the time charged to each bot that has finished a match, by bot id."""
    spent = (
        select(
            col(SeatRow.bot),
            func.count(col(SeatRow.match).distinct()),
            func.sum(col(SeatRow.decisions)),
            func.sum(col(SeatRow.took_total_us)),
            func.max(col(SeatRow.took_max_us)),
        )
        .join(MatchRow, col(MatchRow.id) == col(SeatRow.match))
        .where(col(MatchRow.season) == season)
        .group_by(col(SeatRow.bot))
        .order_by(col(SeatRow.bot))
    )
    return [BotTimes(*row) for row in db.execute(spent)]


@reads
def read_core_waits(db: Transaction, season: int) -> CoreWaits:
    """Return how long the bots of all finished matches waited for cores."""
    took, queued, extended = col(SeatRow.took_total_us), col(SeatRow.queued_us), col(SeatRow.extended_us)
    summed = (
        select(func.sum(took + extended), func.sum(queued), func.sum(extended))
        .join(MatchRow, col(MatchRow.id) == col(SeatRow.match))
        .where(col(MatchRow.season) == season)
    )
    return CoreWaits(*[us or 0 for us in db.execute(summed).one()])


@reads
def read_processes(db: Transaction, season: int) -> dict[str, int]:
    """Return, by bot id, how many processes finished the first match that they were started for."""
    counted = (
        select(col(SeatRow.bot), func.count())
        .join(MatchRow, col(MatchRow.id) == col(SeatRow.match))
        .where(col(MatchRow.season) == season, col(SeatRow.bot_table) == 0, col(SeatRow.pid) != 0)
        .group_by(col(SeatRow.bot))
        .order_by(col(SeatRow.bot))
    )
    return {str(bot): int(count) for bot, count in db.execute(counted)}


@reads
def read_sandbox_levels(db: Transaction, season: int) -> dict[str, int]:
    """Return how many finished matches were played under each level of the sandbox."""
    counted = (
        select(col(MatchRow.sandbox), func.count())
        .where(col(MatchRow.season) == season, col(MatchRow.state) == MatchState.FINISHED.value)
        .group_by(col(MatchRow.sandbox))
        .order_by(col(MatchRow.sandbox))
    )
    return {str(level): int(count) for level, count in db.execute(counted)}

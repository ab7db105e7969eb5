"""Counts the progress of a season, and reads the result of each of its sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from sqlalchemy import ColumnElement, Connection, func, select

from arena.errors import StoreError
from arena.standings.results import SessionResult, SessionResultError
from arena.store import models
from arena.store.acts import read_rulings
from arena.store.after_end import in_league, is_after_end, state_now
from arena.store.models import table_of
from arena.store.planned import departures, season_plan
from arena.store.progress import CycleProgress, Progress
from arena.store.row import BadValueError, stored
from arena.store.views import MatchState, SeasonView, SessionState

__all__ = ["read_progress", "read_results"]

_STRETCH = table_of(models.Stretch)
_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
_FAULT = table_of(models.Fault)
_SEAT = table_of(models.Seat)

_State = TypeVar("_State", bound=StrEnum)


def read_progress(connection: Connection, view: SeasonView) -> Progress:
    """Read what `Database.progress` returns."""
    season, per_session = view.number, view.matches_per_session
    cycles = _cycles(connection, view)
    planned = sum(cycle.sessions for cycle in cycles)
    sessions = _by_state(connection, state_now(), SessionState, _SESSION.c.season == season)
    of_season = _MATCH.c.season == season
    matches = _by_state(connection, _MATCH.c.state, MatchState, of_season & in_league())
    ahead = _by_state(connection, _MATCH.c.state, MatchState, of_season & ~in_league())
    rounds, started_at, finished_at = connection.execute(
        select(func.sum(_MATCH.c.rounds), func.min(_MATCH.c.started_at), func.max(_MATCH.c.finished_at))
        .where(_MATCH.c.season == season, in_league())
    ).one()  # fmt: skip
    return Progress(
        season=season,
        cycles=cycles,
        sessions_planned=planned,
        sessions_complete=sessions[SessionState.COMPLETE],
        sessions_voided=sessions[SessionState.VOIDED],
        sessions_left_out=sessions[SessionState.LEFT_OUT],
        sessions_after_end=sessions[SessionState.AFTER_END],
        matches_planned=planned * per_session,
        matches_begun=matches[MatchState.BEGUN],
        matches_finished=matches[MatchState.FINISHED],
        matches_aborted=matches[MatchState.ABORTED],
        matches_interrupted=matches[MatchState.INTERRUPTED],
        matches_after_end=ahead[MatchState.FINISHED],
        rounds_finished=rounds or 0,
        faults=_fault_count(connection, season),
        started_at=started_at,
        finished_at=finished_at,
    )


def _cycles(connection: Connection, view: SeasonView) -> tuple[CycleProgress, ...]:
    season = view.number
    planned = (
        connection.execute(
            select(func.max(_STRETCH.c.cycles_planned)).where(_STRETCH.c.season == season)
        ).scalar()
        or 0
    )
    states = connection.execute(
        select(_SESSION.c.cycle, _SESSION.c.state, func.count())
        .where(_SESSION.c.season == season, ~is_after_end())
        .group_by(_SESSION.c.cycle, _SESSION.c.state)
    ).all()
    complete: Counter[int] = Counter()
    over: Counter[int] = Counter()
    for cycle, state, count in states:
        complete[cycle] += count if state == SessionState.COMPLETE.value else 0
        over[cycle] += count if state != SessionState.PLANNED.value else 0
    last = max([planned - 1, *(cycle for cycle, _, _ in states)])
    sizes = _sizes(connection, view, last + 1)
    return tuple(CycleProgress(cycle, size, complete[cycle], over[cycle]) for cycle, size in enumerate(sizes))


def _sizes(connection: Connection, view: SeasonView, cycles: int) -> list[int]:
    """Return the sessions of each of the first cycles, which are fewer where bots have left the field."""
    rulings = read_rulings(connection, view.number)
    if not view.open and not view.skipped and not departures(view, rulings):
        return [view.sessions_per_cycle] * cycles
    try:
        plan = season_plan(view, rulings)
    except ValueError as error:
        raise StoreError(f"Season {view.number} has no schedule: {error}") from error
    return [plan.sessions_in(cycle) for cycle in range(cycles)]


def _by_state(
    connection: Connection, state: ColumnElement[str], states: type[_State], wanted: ColumnElement[bool]
) -> Counter[_State]:
    """Return how many wanted rows of a table are in each state."""
    named = state.label("state_now")
    counted = connection.execute(select(named, func.count()).where(wanted).group_by(named))
    return Counter({stored(states, found): count for found, count in counted})


def _fault_count(connection: Connection, season: int) -> int:
    counted = connection.execute(
        select(func.count())
        .select_from(_FAULT)
        .join(_MATCH, _MATCH.c.id == _FAULT.c.match)
        .where(_MATCH.c.season == season, in_league())
    ).scalar()
    return int(counted or 0)


def read_results(connection: Connection, season: int, states: Iterable[SessionState]) -> list[SessionResult]:
    """Return the sessions of a season in these states, in schedule order; see `Database.session_results`."""
    rounds = _rounds(connection, season, states)
    card_points: dict[int, dict[str, int]] = {identity: {} for identity in rounds}
    fault_points: dict[int, dict[str, int]] = {identity: {} for identity in rounds}
    seat_rounds: dict[int, dict[str, int]] = {identity: {} for identity in rounds}
    added = (
        select(
            _MATCH.c.session, _SEAT.c.bot,
            func.sum(_SEAT.c.points), func.sum(_SEAT.c.charge), func.sum(_MATCH.c.rounds),
        )
        .join(_SEAT, _SEAT.c.match == _MATCH.c.id)
        .where(_MATCH.c.season == season)
        .group_by(_MATCH.c.session, _SEAT.c.bot)
        .order_by(_MATCH.c.session, _SEAT.c.bot)
    )  # fmt: skip
    for session, bot, points, charge, sat in connection.execute(added):
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


def _rounds(
    connection: Connection, season: int, states: Iterable[SessionState]
) -> dict[int, tuple[int, int, int]]:
    """Return, by the id of each session in these states, its cycle, index and the rounds of its matches."""
    counted = (
        select(_SESSION.c.id, _SESSION.c.cycle, _SESSION.c.index, func.sum(_MATCH.c.rounds))
        .join(_MATCH, _MATCH.c.session == _SESSION.c.id)
        .where(_SESSION.c.season == season, _SESSION.c.state.in_([one.value for one in states]))
        .where(~is_after_end())
        .where(_MATCH.c.state == MatchState.FINISHED.value)
        .group_by(_SESSION.c.id, _SESSION.c.cycle, _SESSION.c.index)
        .order_by(_SESSION.c.cycle, _SESSION.c.index)
    )
    return {identity: (cycle, index, count) for identity, cycle, index, count in connection.execute(counted)}

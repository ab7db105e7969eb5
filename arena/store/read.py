"""What the store tells: seasons, progress, results, matches, faults, log, as plain data.

    from arena.store import read
    read.matches(database, season)

Every function takes a session, or a database for a transaction of its own (`arena.store.session`), and
raises StoreError if that cannot be read. Seasons are named by their number; a season that does not exist has
nothing in it, unless a function says otherwise. Nothing here writes, and it sums and counts at most: the
standings and the schedule do all other work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Table, func, select

from arena.errors import StoreError, UsageError
from arena.match.record import MatchRecord
from arena.standings.results import SessionResult
from arena.store import models
from arena.store.acts import read_actions, read_rulings, read_sittings
from arena.store.counts import read_progress, read_results
from arena.store.free_cycles import read_first_free
from arena.store.history import LogLine
from arena.store.host_rows import read_hosts
from arena.store.matches import (
    FaultQuery,
    MatchQuery,
    read_each,
    read_faults,
    read_matches,
    read_played,
)
from arena.store.models import table_of
from arena.store.progress import Progress
from arena.store.records import StoredRecord, read_records
from arena.store.reviews import read_review_marks, read_review_summaries, read_reviews
from arena.store.row import stored
from arena.store.rows import shaped
from arena.store.seasons import read_marks, read_named, read_season
from arena.store.session import Session, reads
from arena.store.session_rows import read_session_states, read_sessions
from arena.store.soundness import read_damage, read_unlike, read_unsound
from arena.store.sums import (
    read_bot_times,
    read_core_waits,
    read_fault_counts,
    read_processes,
    read_sandbox_levels,
)
from arena.store.views import (
    FaultView,
    MatchSlot,
    MatchState,
    MatchView,
    SeasonView,
    SessionKey,
    SessionState,
)

__all__ = [
    "aborted_counts",
    "actions",
    "attempts",
    "bot_times",
    "chain_end",
    "core_waits",
    "current_season",
    "damage",
    "each_match",
    "fault_counts",
    "faults",
    "finished",
    "first_free",
    "hosts",
    "logs",
    "logs_of",
    "match",
    "matches",
    "played",
    "processes",
    "progress",
    "record",
    "records",
    "review_marks",
    "review_summaries",
    "reviews",
    "rulings",
    "sandbox_levels",
    "season",
    "season_marks",
    "seasons",
    "session_results",
    "session_states",
    "sessions",
    "sittings",
    "stretch_secret",
    "unlike",
    "unsound",
]

_SEASON = table_of(models.Season)
_STRETCH = table_of(models.Stretch)
_MATCH = table_of(models.Match)
_SLOT = (_MATCH.c.cycle, _MATCH.c.index, _MATCH.c.order)
_LOG = table_of(models.Log)


# What is defined by subject, under the name that callers use
season = read_named
season_marks = read_marks
sessions = read_sessions
session_states = read_session_states
records = read_records
each_match = read_each
played = read_played
fault_counts = read_fault_counts
bot_times = read_bot_times
core_waits = read_core_waits
processes = read_processes
sandbox_levels = read_sandbox_levels
hosts = read_hosts
reviews = read_reviews
review_marks = read_review_marks
review_summaries = read_review_summaries
sittings = read_sittings
rulings = read_rulings
first_free = read_first_free
actions = read_actions


@reads
def seasons(session: Session) -> list[SeasonView]:
    """Return all seasons, oldest first."""
    return [read_season(session, row) for row in _rows(session, _SEASON, _SEASON.c.number)]


@reads
def current_season(session: Session) -> SeasonView | None:
    """Return the newest season, None before the first."""
    newest = _rows(session, _SEASON, _SEASON.c.number.desc())[:1]
    return read_season(session, newest[0]) if newest else None


@reads
def stretch_secret(session: Session, season: int, number: int) -> bytes:
    """Return the 32 secret bytes of a stretch, ended or not: for dealing only, never for showing.

    StoreError if there is no such stretch.
    """
    wanted = (_STRETCH.c.season == season, _STRETCH.c.number == number)
    secret = session.execute(select(_STRETCH.c.secret).where(*wanted)).scalar()
    if secret is None:
        raise StoreError(f"Season {season} has no stretch {number}")
    return stored(bytes.fromhex, secret)


@reads
def chain_end(session: Session, season: int) -> bytes:
    """Return the end of a season's chain of secrets, empty if it has none: for dealing only.

    StoreError if it is damaged.
    """
    text = session.execute(select(_SEASON.c.chain_end).where(_SEASON.c.number == season)).scalar()
    return stored(bytes.fromhex, text or "")


@reads
def attempts(session: Session, season: int) -> dict[MatchSlot, int]:
    """Return the number of the last attempt, in any state, at every match that was ever begun."""
    return dict(_by_slot(session, season, None))


@reads
def aborted_counts(session: Session, season: int) -> dict[MatchSlot, int]:
    """Return the number of aborted attempts at each match that has any. Interrupted ones do not count."""
    aborted = select(_MATCH.c.cycle, _MATCH.c.index, _MATCH.c.order, func.count()).where(
        _MATCH.c.season == season, _MATCH.c.state == MatchState.ABORTED.value
    )
    found = session.execute(aborted.group_by(*_SLOT).order_by(*_SLOT))
    return {(cycle, index, order): count for cycle, index, order, count in found}


@reads
def finished(session: Session, season: int) -> set[MatchSlot]:
    """Return the matches that have a result."""
    return {slot for slot, _ in _by_slot(session, season, MatchState.FINISHED)}


@reads
def progress(session: Session, season: int) -> Progress:
    """Return the progress of the season. UsageError if there is no such season."""
    return read_progress(session, read_named(session, season))


@reads
def session_results(session: Session, season: int, void: bool = False) -> list[SessionResult]:
    """Return the complete sessions, in schedule order: the score is made from them.

    Voided and left out sessions are not among them; with `void`, the voided ones are.
    """
    states = (SessionState.COMPLETE, SessionState.VOIDED) if void else (SessionState.COMPLETE,)
    return read_results(session, season, states)


@reads
def matches(
    session: Session,
    season: int,
    *,
    bot: str | None = None,
    of_session: SessionKey | None = None,
    state: MatchState | None = MatchState.FINISHED,
    after_end: bool = False,
) -> list[MatchView]:
    """Return matches by number, then attempt; only those of one bot or one session, if named.

    `state`: only attempts in this state; None for all. A bot sits only in finished matches, so `bot`
    finds no others.
    """
    return read_matches(session, MatchQuery(season, bot, of_session, state, after_end=after_end))


@reads
def match(session: Session, season: int, number: int) -> MatchView:
    """Return the finished match with that number, else the last attempt at it.

    UsageError if there is none.
    """
    found = read_matches(session, MatchQuery(season, number=number, after_end=True))
    if not found:
        raise UsageError(f"Season {season} has no match {number}")
    return next((match for match in found if match.state is MatchState.FINISHED), found[-1])


@reads
def record(session: Session, season: int, number: int) -> MatchRecord:
    """Return the whole record of a finished match, equal to the one saved.

    UsageError if it is not finished.
    """
    for found in read_records(session, season, [number]):
        return stored(StoredRecord.record, found)
    raise UsageError(f"Season {season} has no finished match {number}")


@reads
def faults(
    session: Session, season: int, bot: str | None = None, number: int | None = None
) -> list[FaultView]:
    """Return the faults in finished matches, by match number and in the order in which they happened.

    Only those of one bot, or of the match with that number, if named.
    """
    return read_faults(session, FaultQuery(season, bot, number))


@reads
def logs(session: Session) -> list[LogLine]:
    """Return the league's log, oldest first, of all seasons."""
    return [shaped(LogLine, row) for row in _rows(session, _LOG, _LOG.c.id)]


@reads
def logs_of(session: Session, season: SeasonView) -> list[LogLine]:
    """Return the log from the beginning of a season on until the next one began, oldest first."""
    later = select(func.min(_SEASON.c.opened_at)).where(_SEASON.c.number > season.number)
    end = session.execute(later).scalar()
    found = [line for line in logs(session) if line.at >= season.opened_at]
    return found if end is None else [line for line in found if line.at < end]


@reads
def damage(session: Session) -> str:
    """Return the first thing that SQLite finds wrong with the file, or a value that nothing can read.

    Empty if there is none.
    """
    return read_damage(session)


@reads
def unlike(session: Session, season: int, record: MatchRecord) -> list[str]:
    """Return what the rows of a finished match say that does not follow from its record."""
    return list(read_unlike(session, season, record))


@reads
def unsound(session: Session) -> str:
    """Return the first contradiction between the rows, in words; empty if there is none."""
    return next(read_unsound(session), "")


def _rows(
    session: Session, table: Table, order: ColumnElement[Any], *wanted: ColumnElement[bool]
) -> Sequence[RowMapping]:
    """Return the wanted rows of a table, all columns, in that order."""
    return session.execute(select(table).where(*wanted).order_by(order)).mappings().all()


def _by_slot(session: Session, season: int, state: MatchState | None) -> Iterator[tuple[MatchSlot, int]]:
    """Yield each match with the number of its last attempt in the state; None: in any state."""
    chosen = select(_MATCH.c.cycle, _MATCH.c.index, _MATCH.c.order, func.max(_MATCH.c.attempt)).where(
        _MATCH.c.season == season
    )
    if state is not None:
        chosen = chosen.where(_MATCH.c.state == state.value)
    for cycle, index, order, attempt in session.execute(chosen.group_by(*_SLOT).order_by(*_SLOT)):
        yield (cycle, index, order), attempt

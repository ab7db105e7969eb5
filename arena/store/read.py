"""What the store tells: seasons, progress, results, matches, faults, log, as plain data.

    from arena.store import read
    read.matches(database, season)

Every function takes a transaction, or a database for one of its own (`arena.store.transaction`), and
raises StoreError if that cannot be read. Seasons are named by their number; a season that does not exist has
nothing in it, unless a function says otherwise. Nothing here writes, and it sums and counts at most: the
standings and the schedule do all other work.
"""

from __future__ import annotations

from sqlalchemy import func, select
from sqlmodel import col

from arena.errors import StoreError, UsageError
from arena.match.record import MatchRecord
from arena.score.results import SessionResult
from arena.store.acts import read_actions, read_rulings, read_sittings
from arena.store.counts import (
    read_bot_times,
    read_core_waits,
    read_fault_counts,
    read_first_free,
    read_processes,
    read_progress,
    read_results,
    read_sandbox_levels,
    read_session_states,
    read_sessions,
)
from arena.store.decisions import read_decisions
from arena.store.history import LogLine
from arena.store.matches import (
    FaultQuery,
    MatchQuery,
    StoredRecord,
    read_each,
    read_faults,
    read_hosts,
    read_matches,
    read_played,
    read_records,
)
from arena.store.models import LogRow, PhaseRow, SeasonRow
from arena.store.reviews import read_review_marks, read_review_summaries, read_reviews
from arena.store.rows import domain, stored
from arena.store.seasons import read_marks, read_named, read_season
from arena.store.soundness import read_damage, read_unlike, read_unsound
from arena.store.stored_season import read_so_far, read_stored_season
from arena.store.transaction import Transaction, reads
from arena.store.views import (
    FaultView,
    MatchState,
    MatchView,
    Progress,
    SeasonView,
    SessionKey,
    SessionState,
)

__all__ = [
    "actions",
    "bot_times",
    "chain_end",
    "core_waits",
    "current_season",
    "damage",
    "decisions",
    "each_match",
    "fault_counts",
    "faults",
    "first_free",
    "hosts",
    "logs",
    "logs_of",
    "match",
    "matches",
    "phase_secret",
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
    "so_far",
    "stored_season",
    "unlike",
    "unsound",
]


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
decisions = read_decisions
first_free = read_first_free
actions = read_actions
so_far = read_so_far
stored_season = read_stored_season


@reads
def seasons(db: Transaction) -> list[SeasonView]:
    """Return all seasons, oldest first."""
    found = db.scalars(select(SeasonRow).order_by(col(SeasonRow.number)))
    return [read_season(db, row) for row in found.all()]


@reads
def current_season(db: Transaction) -> SeasonView | None:
    """Return the newest season, None before the first."""
    newest = db.scalars(select(SeasonRow).order_by(col(SeasonRow.number).desc()).limit(1)).first()
    return None if newest is None else read_season(db, newest)


@reads
def phase_secret(db: Transaction, season: int, number: int) -> bytes:
    """Return the 32 secret bytes of a phase, ended or not: for dealing only, never for showing.

    StoreError if there is no such phase.
    """
    wanted = (col(PhaseRow.season) == season, col(PhaseRow.number) == number)
    secret = db.execute(select(col(PhaseRow.secret)).where(*wanted)).scalar()
    if secret is None:
        raise StoreError(f"Season {season} has no phase {number}")
    return stored(bytes.fromhex, secret)


@reads
def chain_end(db: Transaction, season: int) -> bytes:
    """Return the end of a season's chain of secrets, empty if it has none: for dealing only.

    StoreError if it is damaged.
    """
    text = db.execute(select(col(SeasonRow.chain_end)).where(col(SeasonRow.number) == season)).scalar()
    return stored(bytes.fromhex, text or "")


@reads
def progress(db: Transaction, season: int) -> Progress:
    """Return the progress of the season. UsageError if there is no such season."""
    return read_progress(db, read_named(db, season))


@reads
def session_results(db: Transaction, season: int, void: bool = False) -> list[SessionResult]:
    """Return the complete sessions, in schedule order: the score is made from them.

    Voided and left out sessions are not among them; with `void`, the voided ones are.
    """
    states = (SessionState.COMPLETE, SessionState.VOIDED) if void else (SessionState.COMPLETE,)
    return read_results(db, season, states)


@reads
def matches(
    db: Transaction,
    season: int,
    *,
    bot: str | None = None,
    of_session: SessionKey | None = None,
    state: MatchState | None = MatchState.FINISHED,
) -> list[MatchView]:
    """Return matches by number, then attempt; only those of one bot or one session, if named.

    `state`: only attempts in this state; None for all. A bot sits only in finished matches, so `bot`
    finds no others.
    """
    return read_matches(db, MatchQuery(season, bot, of_session, state))


@reads
def match(db: Transaction, season: int, number: int) -> MatchView:
    """Return the finished match with that number, else the last attempt at it.

    UsageError if there is none.
    """
    found = read_matches(db, MatchQuery(season, number=number))
    if not found:
        raise UsageError(f"Season {season} has no match {number}")
    return next((match for match in found if match.state is MatchState.FINISHED), found[-1])


@reads
def record(db: Transaction, season: int, number: int) -> MatchRecord:
    """Return the whole record of a finished match, equal to the one saved.

    UsageError if it is not finished.
    """
    for found in read_records(db, season, [number]):
        return stored(StoredRecord.record, found)
    raise UsageError(f"Season {season} has no finished match {number}")


@reads
def faults(
    db: Transaction, season: int, bot: str | None = None, number: int | None = None
) -> list[FaultView]:
    """Return the faults in finished matches, by match number and in the order in which they happened.

    Only those of one bot, or of the match with that number, if named.
    """
    return read_faults(db, FaultQuery(season, bot, number))


@reads
def logs(db: Transaction) -> list[LogLine]:
    """Return the league's log, oldest first, of all seasons."""
    return [domain(LogLine, row) for row in db.scalars(select(LogRow).order_by(col(LogRow.id)))]


@reads
def logs_of(db: Transaction, season: SeasonView) -> list[LogLine]:
    """Return the log from the beginning of a season on until the next one began, oldest first."""
    later = select(func.min(col(SeasonRow.opened_at))).where(col(SeasonRow.number) > season.number)
    end = db.execute(later).scalar()
    found = [line for line in logs(db) if line.at >= season.opened_at]
    return found if end is None else [line for line in found if line.at < end]


@reads
def damage(db: Transaction) -> str:
    """Return the first thing that SQLite finds wrong with the file, or a value that nothing can read.

    Empty if there is none.
    """
    return read_damage(db)


@reads
def unlike(db: Transaction, season: int, record: MatchRecord) -> list[str]:
    """Return what the rows of a finished match say that does not follow from its record."""
    return list(read_unlike(db, season, record))


@reads
def unsound(db: Transaction) -> str:
    """Return the first contradiction between the rows, in words; empty if there is none."""
    return next(read_unsound(db), "")

"""Reads back what has been stored as plain data: seasons, progress, results, matches, faults, log.

It only reads. It sums and counts at most: the standings and the schedule do all other work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, Table, func, select

from arena.conduct.disqualify import Ruling, Sitting
from arena.errors import StoreError, UsageError
from arena.match.faults import FaultKind
from arena.match.record import MatchRecord
from arena.review.reviewed import Reviewed
from arena.standings.results import SessionResult
from arena.store import models
from arena.store.acts import read_actions, read_rulings, read_sittings
from arena.store.counts import read_progress, read_results
from arena.store.database import Database
from arena.store.free_cycles import read_first_free
from arena.store.history import Action, LogLine, SeasonMark
from arena.store.host_rows import read_hosts
from arena.store.hosts import HostView
from arena.store.matches import (
    FaultQuery,
    MatchQuery,
    PlayedMatch,
    read_each,
    read_faults,
    read_matches,
    read_played,
)
from arena.store.models import table_of
from arena.store.outages import through_outages
from arena.store.progress import Progress
from arena.store.records import StoredRecord, read_records
from arena.store.review_document import StoredReview
from arena.store.review_rows import read_review_marks, read_review_summaries, read_reviews
from arena.store.rows import shaped
from arena.store.seasons import read_marks, read_named, read_season
from arena.store.session_rows import read_session_states, read_sessions
from arena.store.soundness import read_damage, read_unsound
from arena.store.sums import (
    read_bot_times,
    read_core_waits,
    read_fault_counts,
    read_processes,
    read_sandbox_levels,
)
from arena.store.times import BotTimes, CoreWaits
from arena.store.views import (
    FaultView,
    MatchSlot,
    MatchState,
    MatchView,
    SeasonView,
    SessionKey,
    SessionState,
    SessionView,
)

__all__ = ["Reader"]

_SEASON = table_of(models.Season)
_STRETCH = table_of(models.Stretch)
_MATCH = table_of(models.Match)
_SLOT = (_MATCH.c.cycle, _MATCH.c.index, _MATCH.c.order)
_LOG = table_of(models.Log)
_ACTION = table_of(models.Action)


@through_outages
class Reader:
    """Reads from one open database, also while a run writes into it. Seasons are named by their number.

    Every call sees the database as it is at that moment, and raises StoreError if it cannot be read. A
    season that does not exist has nothing in it, unless a call says otherwise.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def seasons(self) -> list[SeasonView]:
        """Return all seasons, oldest first."""
        with self._database.reading() as connection:
            return [read_season(connection, row) for row in _rows(connection, _SEASON, _SEASON.c.number)]

    def current_season(self) -> SeasonView | None:
        """Return the newest season, None before the first."""
        with self._database.reading() as connection:
            newest = _rows(connection, _SEASON, _SEASON.c.number.desc())[:1]
            return read_season(connection, newest[0]) if newest else None

    def season(self, number: int) -> SeasonView:
        """Return the season with that number. UsageError, which names the others, if there is none."""
        with self._database.reading() as connection:
            return read_named(connection, number)

    def season_marks(self) -> list[SeasonMark]:
        """Return what tells the seasons apart, oldest first, without reading any of them."""
        with self._database.reading() as connection:
            return read_marks(connection)

    def stretch_secret(self, season: int, number: int) -> bytes:
        """Return the 32 secret bytes of a stretch, ended or not: for dealing only, never for showing.

        StoreError if there is no such stretch.
        """
        wanted = (_STRETCH.c.season == season, _STRETCH.c.number == number)
        with self._database.reading() as connection:
            secret = connection.execute(select(_STRETCH.c.secret).where(*wanted)).scalar()
            if secret is None:
                raise StoreError(f"Season {season} has no stretch {number} in {self._database.name}")
            return bytes.fromhex(secret)

    def chain_end(self, season: int) -> bytes:
        """Return the end of a season's chain of secrets, empty if it has none: for dealing only.

        StoreError if it is damaged.
        """
        with self._database.reading() as connection:
            text = connection.execute(select(_SEASON.c.chain_end).where(_SEASON.c.number == season)).scalar()
        try:
            return bytes.fromhex(text or "")
        except ValueError as error:
            raise StoreError(f"The chain of secrets of season {season} cannot be read") from error

    def sessions(self, season: int, after_end: bool = False) -> list[SessionView]:
        """Return every session that was at least begun, in schedule order.

        `after_end`, here and below: also what was played after the end of its stretch.
        """
        with self._database.reading() as connection:
            return read_sessions(connection, season, after_end)

    def session_states(self, season: int) -> dict[SessionKey, SessionState]:
        """Return the state of every session that was at least begun."""
        with self._database.reading() as connection:
            return read_session_states(connection, season)

    def attempts(self, season: int) -> dict[MatchSlot, int]:
        """Return the number of the last attempt, in any state, at every match that was ever begun."""
        with self._database.reading() as connection:
            return dict(_by_slot(connection, season, None))

    def aborted_counts(self, season: int) -> dict[MatchSlot, int]:
        """Return the number of aborted attempts at each match that has any. Interrupted ones do not count."""
        aborted = select(_MATCH.c.cycle, _MATCH.c.index, _MATCH.c.order, func.count()).where(
            _MATCH.c.season == season, _MATCH.c.state == MatchState.ABORTED.value
        )
        with self._database.reading() as connection:
            found = connection.execute(aborted.group_by(*_SLOT).order_by(*_SLOT))
            return {(cycle, index, order): count for cycle, index, order, count in found}

    def finished(self, season: int) -> set[MatchSlot]:
        """Return the matches that have a result."""
        with self._database.reading() as connection:
            return {slot for slot, _ in _by_slot(connection, season, MatchState.FINISHED)}

    def progress(self, season: int) -> Progress:
        """Return the progress of the season. UsageError if there is no such season."""
        with self._database.reading() as connection:
            return read_progress(connection, read_named(connection, season))

    def session_results(self, season: int, void: bool = False) -> list[SessionResult]:
        """Return the complete sessions, in schedule order: the score is made from them.

        Voided and left out sessions are not among them; with `void`, the voided ones are.
        """
        states = (SessionState.COMPLETE, SessionState.VOIDED) if void else (SessionState.COMPLETE,)
        with self._database.reading() as connection:
            return read_results(connection, season, states)

    def matches(
        self,
        season: int,
        *,
        bot: str | None = None,
        session: SessionKey | None = None,
        state: MatchState | None = MatchState.FINISHED,
        after_end: bool = False,
    ) -> list[MatchView]:
        """Return matches by number, then attempt; only those of one bot or one session, if named.

        `state`: only attempts in this state; None for all. A bot sits only in finished matches, so `bot`
        finds no others.
        """
        with self._database.reading() as connection:
            return read_matches(connection, MatchQuery(season, bot, session, state, after_end=after_end))

    def match(self, season: int, number: int) -> MatchView:
        """Return the finished match with that number, else the last attempt at it.

        UsageError if there is none.
        """
        with self._database.reading() as connection:
            found = read_matches(connection, MatchQuery(season, number=number, after_end=True))
        if not found:
            raise UsageError(f"Season {season} has no match {number} in {self._database.name}")
        return next((match for match in found if match.state is MatchState.FINISHED), found[-1])

    def record(self, season: int, number: int) -> MatchRecord:
        """Return the whole record of a finished match, equal to the one saved.

        UsageError if it is not finished.
        """
        with self._database.reading() as connection:
            for stored in read_records(connection, season, [number]):
                return stored.record()
        raise UsageError(f"Season {season} has no finished match {number} in {self._database.name}")

    def records(self, season: int, numbers: Sequence[int]) -> Iterator[StoredRecord]:
        """Yield the records of the finished matches among these numbers, in ascending order, piece by piece.

        They are not decoded yet: whoever does that may be another process.
        """
        with self._database.reading() as connection:
            yield from read_records(connection, season, numbers)

    def each_match(self, season: int, after_end: bool = False) -> Iterator[MatchView]:
        """Yield the finished matches by number, as `matches` returns them, but read piece by piece."""
        with self._database.reading() as connection:
            yield from read_each(connection, season, after_end)

    def played(
        self, season: int, numbers: range | None = None, after_end: bool = False
    ) -> Iterator[PlayedMatch]:
        """Yield the finished matches with all their rounds, by number; read piece by piece.

        All are in the state that the database had when the first was read. `numbers`: only matches with
        these numbers.
        """
        with self._database.reading() as connection:
            yield from read_played(connection, season, numbers, after_end)

    def faults(self, season: int, bot: str | None = None, number: int | None = None) -> list[FaultView]:
        """Return the faults in finished matches, by match number and in the order in which they happened.

        Only those of one bot, or of the match with that number, if named.
        """
        with self._database.reading() as connection:
            return read_faults(connection, FaultQuery(season, bot, number))

    def fault_counts(self, season: int) -> dict[str, dict[FaultKind, int]]:
        """Return, by bot id, the number of its faults of each kind; bots and kinds without any are absent."""
        with self._database.reading() as connection:
            return read_fault_counts(connection, season)

    def bot_times(self, season: int) -> list[BotTimes]:
        """Return the time charged to each bot that has finished a match, by bot id."""
        with self._database.reading() as connection:
            return read_bot_times(connection, season)

    def core_waits(self, season: int) -> CoreWaits:
        """Return how long the bots of all finished matches waited for cores."""
        with self._database.reading() as connection:
            return read_core_waits(connection, season)

    def processes(self, season: int) -> dict[str, int]:
        """Return, by bot id, how many processes finished the first match that they were started for."""
        with self._database.reading() as connection:
            return read_processes(connection, season)

    def sandbox_levels(self, season: int) -> dict[str, int]:
        """Return how many finished matches were played under each level of the sandbox."""
        with self._database.reading() as connection:
            return read_sandbox_levels(connection, season)

    def hosts(self, season: int) -> list[HostView]:
        """Return the hosts on which matches of a season were finished, by id; `MatchView.host` names one."""
        with self._database.reading() as connection:
            return read_hosts(connection, season)

    def reviews(
        self, season: int, bot: str | None = None, match: MatchSlot | None = None
    ) -> Iterator[Reviewed]:
        """Yield what decisions of a season cost, or of a bot or match, as far as they were reviewed."""
        with self._database.reading() as connection:
            yield from read_reviews(connection, season, bot, match)

    def review_marks(self, season: int) -> dict[MatchSlot, tuple[int, int]]:
        """Return, for each match with reviewed decisions, a mark that is another when their reviews are.

        The mark is how many there are, and the sum of what was found: the database adds up, so no decision
        is read.
        """
        with self._database.reading() as connection:
            return read_review_marks(connection, season)

    def review_summaries(self, season: int) -> list[StoredReview]:
        """Return the reviews of a season's bots, by bot id."""
        with self._database.reading() as connection:
            return read_review_summaries(connection, season)

    def sittings(self, season: int) -> Iterator[Sitting]:
        """Yield every bot of every finished match, and whether it was replaced in it, match by match."""
        with self._database.reading() as connection:
            yield from read_sittings(connection, season)

    def rulings(self, season: int) -> tuple[Ruling, ...]:
        """Return who was excluded or reinstated, in the order in which that was done."""
        with self._database.reading() as connection:
            return read_rulings(connection, season)

    def first_free(self, season: int) -> int:
        """Return the first cycle of the first decision block of which nothing was begun."""
        with self._database.reading() as connection:
            return read_first_free(connection, season)

    def damage(self) -> str:
        """Return the first thing that SQLite finds wrong with the file, or a value that nothing can read.

        Empty if there is none.
        """
        with self._database.reading() as connection:
            return read_damage(connection)

    def unsound(self) -> str:
        """Return the first contradiction between the rows, in words; empty if there is none."""
        with self._database.reading() as connection:
            return next(read_unsound(connection), "")

    def logs(self) -> list[LogLine]:
        """Return the league's log, oldest first, of all seasons."""
        with self._database.reading() as connection:
            return [shaped(LogLine, row) for row in _rows(connection, _LOG, _LOG.c.id)]

    def logs_of(self, season: SeasonView) -> list[LogLine]:
        """Return the log from the beginning of a season on until the next one began, oldest first."""
        later = select(func.min(_SEASON.c.opened_at)).where(_SEASON.c.number > season.number)
        with self._database.reading() as connection:
            end = connection.execute(later).scalar()
        logs = [line for line in self.logs() if line.at >= season.opened_at]
        return logs if end is None else [line for line in logs if line.at < end]

    def actions(self) -> list[Action]:
        """Return the organiser's acts, oldest first, in all seasons."""
        with self._database.reading() as connection:
            return read_actions(connection)


def _rows(
    connection: Connection, table: Table, order: ColumnElement[Any], *wanted: ColumnElement[bool]
) -> Sequence[RowMapping]:
    """Return the wanted rows of a table, all columns, in that order."""
    return connection.execute(select(table).where(*wanted).order_by(order)).mappings().all()


def _by_slot(
    connection: Connection, season: int, state: MatchState | None
) -> Iterator[tuple[MatchSlot, int]]:
    """Yield each match with the number of its last attempt in the state; None: in any state."""
    chosen = select(_MATCH.c.cycle, _MATCH.c.index, _MATCH.c.order, func.max(_MATCH.c.attempt)).where(
        _MATCH.c.season == season
    )
    if state is not None:
        chosen = chosen.where(_MATCH.c.state == state.value)
    for cycle, index, order, attempt in connection.execute(chosen.group_by(*_SLOT).order_by(*_SLOT)):
        yield (cycle, index, order), attempt

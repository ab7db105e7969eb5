"""Writes for the coordinator: seasons, stretches, begun and finished matches, log and acts.

Each call is one transaction. When it returns, all of it survives a power cut; when it raises StoreError,
none of it was kept. Nothing here decides what is played or what it is worth.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, delete, func, select, update

from arena.conduct.disqualify import Ruling
from arena.deals import MatchKey
from arena.errors import StoreError, UsageError
from arena.match.record import MatchRecord
from arena.review.reviewed import Reviewed
from arena.review.summary import BotReview
from arena.schedule.seating import Numbering, Sizes
from arena.store import models
from arena.store.acts import read_rulings, reinstate, store_rulings, take_out
from arena.store.after_end import state_now
from arena.store.begun import NOTHING_BEFORE, Beforehand, Beginning, Begun
from arena.store.database import Database
from arena.store.free_cycles import read_first_free
from arena.store.history import NEW_SEASON, NOTED_KEYS, Action, LogLine
from arena.store.host_rows import store_host
from arena.store.hosts import Host
from arena.store.inputs import NewSeason, NewStretch
from arena.store.models import table_of
from arena.store.outages import through_outages
from arena.store.planned import open_plan
from arena.store.review_rows import forget_reviews, store_review_summary, store_reviews
from arena.store.rows import line_cells, reported_cells, stretch_cells
from arena.store.saving import NOWHERE, Hosts, save_results
from arena.store.seasons import begin_anew, close_season, insert_entries, insert_season, read_season
from arena.store.views import Entry, MatchState, Reported, SessionKey, SessionState

__all__ = ["Writer"]

_SEASON = table_of(models.Season)
_STRETCH = table_of(models.Stretch)
_ENTRY = table_of(models.Entry)
_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
_LOG = table_of(models.Log)
_ACTION = table_of(models.Action)


@through_outages
class Writer:
    """Writes into one open database. Seasons are named by their number."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # Kept, for every save needs them. They change only with the stretches of an open season.
        self._sizes: dict[int, Numbering] = {}

    def open_season(self, new: NewSeason, noted: str | None = None, acts: int | None = None) -> int:
        """Store a season with its entries. Return its number, one more than the season before.

        Nothing more is dealt in the season before: what is open in it ends, so that its secret can be
        shown. `noted`: the keys of the league file that may change, which are stored with the act that begins
        the season; None for neither. `acts`: the number of acts from which the season follows; nothing is
        stored, and 0 is returned, if there are others by now.
        """
        with self._database.writing() as connection:
            if acts is not None and _acts(connection) != acts:
                return 0
            last = int(connection.execute(select(func.max(_SEASON.c.number))).scalar() or 0)
            season = last + 1
            close_season(connection, last, new.opened_at)
            insert_season(connection, season, new)
            if noted is not None:
                at, who, subject = new.opened_at, new.opened_by, str(season)
                for act in (
                    Action(at, who, NEW_SEASON, subject, new.reason),
                    Action(at, who, NOTED_KEYS, subject, "", noted),
                ):
                    connection.execute(_ACTION.insert(), line_cells(act))
        return season

    def begin_anew(self, season: int, new: NewSeason) -> None:
        """Replace a season of which no match was finished by another one of the same number.

        StoreError if a match was finished.
        """
        self._sizes.pop(season, None)
        with self._database.writing() as connection:
            begin_anew(connection, season, new)

    def open_stretch(self, new: NewStretch, acts: int | None = None) -> bool:
        """Store a stretch and its secret. Call this before the first of its matches is begun.

        `acts`: the number of acts from which the stretch follows. Return whether it was stored: it is not if
        there are others by now.
        """
        self._sizes.pop(new.season, None)
        with self._database.writing() as connection:
            if acts is not None and _acts(connection) != acts:
                return False
            connection.execute(_STRETCH.insert(), stretch_cells(new))
            return True

    def end_stretch(self, season: int, number: int, reason: str, at: int, cycles: int | None = None) -> None:
        """Store that a stretch has ended and its secret may be shown.

        A stretch that has ended stays as it is. `cycles`: the cycles of the whole league, if fewer than
        planned.
        """
        planned = {} if cycles is None else {"cycles_planned": cycles}
        with self._database.writing() as connection:
            connection.execute(
                update(_STRETCH)
                .where(_STRETCH.c.season == season, _STRETCH.c.number == number)
                .where(_STRETCH.c.ended_at.is_(None))
                .values(ended_at=at, end_reason=reason, **planned)
            )

    def begin_sessions(
        self,
        season: int,
        stretch: int,
        begun: Sequence[Begun],
        at: int,
        first: Beforehand = NOTHING_BEFORE,
    ) -> bool:
        """Store that attempts are begun at `at`, and their sessions if they are new.

        Return whether that was done: it is not if the rulings on who plays are no longer those of `first`.
        The matches of `first` are stored in any case, as `save_matches` does. Attempts that are begun already
        stay so. StoreError if a session is known with another line-up, or if an attempt has ended.
        """
        with self._database.writing() as connection:
            sizes = self._sizes_of(connection, season)
            save_results(connection, season, first.finished, sizes.matches_per_session, first.hosts)
            if first.rulings is not None and read_rulings(connection, season) != first.rulings:
                return False
            Beginning(connection, season, stretch, sizes, at).begin(begun)
            return True

    def save_matches(
        self, season: int, records: Sequence[MatchRecord], hosts: Hosts = NOWHERE
    ) -> tuple[SessionKey, ...]:
        """Store whole finished matches. Return the sessions that are now complete, in schedule order.

        `hosts`: where each was played, by its key; a match that is not named has no host. A match is skipped
        if its result is stored already, or if its attempt was aborted or interrupted meanwhile: saving twice
        changes nothing. Its session must have been begun.
        """
        with self._database.writing() as connection:
            sizes = self._sizes_of(connection, season)
            return save_results(connection, season, records, sizes.matches_per_session, hosts)

    def abort(self, season: int, key: MatchKey, reason: str, state: MatchState = MatchState.ABORTED) -> None:
        """End a begun attempt without a result. An attempt that has ended stays as it is."""
        with self._database.writing() as connection:
            connection.execute(
                update(_MATCH)
                .where(_MATCH.c.season == season, _MATCH.c.cycle == key.cycle, _MATCH.c.index == key.index)
                .where(_MATCH.c.order == key.order, _MATCH.c.attempt == key.attempt)
                .where(_MATCH.c.state == MatchState.BEGUN.value)
                .values(state=state.value, reason=reason)
            )

    def unbegin(self, season: int, keys: Sequence[MatchKey]) -> None:
        """Delete attempts that were begun only here: no card of them was dealt to anybody."""
        with self._database.writing() as connection:
            for key in keys:
                connection.execute(
                    delete(_MATCH)
                    .where(
                        _MATCH.c.season == season, _MATCH.c.cycle == key.cycle, _MATCH.c.index == key.index
                    )
                    .where(_MATCH.c.order == key.order, _MATCH.c.attempt == key.attempt)
                    .where(_MATCH.c.state == MatchState.BEGUN.value)
                )

    def interrupt_begun(self, season: int, reason: str) -> int:
        """Mark all begun attempts as interrupted, after a run was stopped or killed. Return their number."""
        with self._database.writing() as connection:
            result = connection.execute(
                update(_MATCH)
                .where(_MATCH.c.season == season, _MATCH.c.state == MatchState.BEGUN.value)
                .values(state=MatchState.INTERRUPTED.value, reason=reason)
            )
            return result.rowcount

    def leave_out(self, season: int, session: SessionKey, reason: str) -> None:
        """Leave out a planned session of which a match was aborted too often. It is never scored."""
        with self._database.writing() as connection:
            if _session_state(connection, season, session) is SessionState.PLANNED:
                _change_session(connection, season, session, SessionState.LEFT_OUT, reason)

    def void(self, season: int, session: SessionKey, act: Action) -> None:
        """Take a complete session out of the score, for `act.reason`, and store the act.

        UsageError if there is no such session, or if it does not count anyway.
        """
        with self._database.writing() as connection:
            state = _session_state(connection, season, session)
            if state is not SessionState.COMPLETE:
                raise UsageError(_why_not_void(session, state))
            _change_session(connection, season, session, SessionState.VOIDED, act.reason)
            connection.execute(_ACTION.insert(), line_cells(act))

    def disqualify(self, season: int, rulings: Sequence[Ruling], act: tuple[int, str]) -> None:
        """Store exclusions by the limits, by `act`: when, and by whom. The stand-in becomes an entry."""
        with self._database.writing() as connection:
            store_rulings(connection, season, rulings, act)

    def take_out(self, season: int, bot: str, reason: str, act: tuple[int, str]) -> Ruling:
        """Store that the organiser excludes a bot for a reason, by `act`: when, and by whom.

        The returned ruling says from which cycle on: the first of a block of which nothing was begun.
        UsageError if the bot is out already.
        """
        with self._database.writing() as connection:
            return take_out(connection, season, bot, reason, act, read_first_free(connection, season))

    def reinstate(self, season: int, bot: str, reason: str, act: tuple[int, str]) -> Ruling:
        """Let an excluded bot play again, by `act`: when, and by whom.

        The ruling says from which cycle on: the first of a block of which nothing was begun. UsageError if
        the bot is not out.
        """
        with self._database.writing() as connection:
            return reinstate(connection, season, bot, reason, act, read_first_free(connection, season))

    def enter(self, season: int, entries: Sequence[Entry]) -> None:
        """Store entries that have come to an open season. StoreError if one is there already."""
        with self._database.writing() as connection:
            insert_entries(connection, season, entries)

    def described(self, season: int, entries: Sequence[Entry]) -> None:
        """Store the descriptions of bots, which may change at any time: `author`, `language` and `url`."""
        with self._database.writing() as connection:
            for entry in entries:
                connection.execute(
                    update(_ENTRY)
                    .where(_ENTRY.c.season == season, _ENTRY.c.bot == entry.bot)
                    .values(author=entry.author, language=entry.language, url=entry.url)
                )

    def reported(self, season: int, bot: str, said: Reported) -> None:
        """Store what a bot's process reported about itself."""
        with self._database.writing() as connection:
            connection.execute(
                update(_ENTRY)
                .where(_ENTRY.c.season == season, _ENTRY.c.bot == bot)
                .values(reported_cells(said))
            )

    def host(self, host: Host, at: int) -> int:
        """Store a host that is seen at `at`, once as long as it stays the same. Return the id of its row."""
        with self._database.writing() as connection:
            return store_host(connection, host, at)

    def reviews(self, season: int, found: Collection[Reviewed]) -> None:
        """Store what decisions of finished matches cost; what was stored of the same ones is replaced."""
        with self._database.writing() as connection:
            store_reviews(connection, season, found)

    def review_summary(self, season: int, review: BotReview, at: int) -> None:
        """Store the review of a bot, made at `at`, in the place of the one before."""
        with self._database.writing() as connection:
            store_review_summary(connection, season, review, at)

    def forget_reviews(self, season: int, bot: str) -> int:
        """Remove what is stored of a bot's reviews. Return of how many decisions something was."""
        with self._database.writing() as connection:
            return forget_reviews(connection, season, bot)

    def log(self, line: LogLine) -> None:
        """Store a line of the league's log."""
        with self._database.writing() as connection:
            connection.execute(_LOG.insert(), line_cells(line))

    def action(self, act: Action, acts: int | None = None) -> bool:
        """Store an act.

        `acts`: the number of acts from which this one follows. Return whether it was stored: it is not if
        there are others by now.
        """
        with self._database.writing() as connection:
            if acts is not None and _acts(connection) != acts:
                return False
            connection.execute(_ACTION.insert(), line_cells(act))
            return True

    def _sizes_of(self, connection: Connection, season: int) -> Numbering:
        if season not in self._sizes:
            row = (
                connection.execute(select(_SEASON).where(_SEASON.c.number == season)).mappings().one_or_none()
            )
            if row is None:
                raise StoreError(f"There is no season {season} in the database {self._database.name}")
            view = read_season(connection, row)
            sizes = Sizes(view.sessions_per_cycle, view.matches_per_session)
            self._sizes[season] = open_plan(view) if view.open else sizes
        return self._sizes[season]


def _acts(connection: Connection) -> int:
    return int(connection.execute(select(func.count()).select_from(_ACTION)).scalar() or 0)


def _session_state(connection: Connection, season: int, session: SessionKey) -> SessionState | None:
    cycle, index = session
    state = connection.execute(
        select(state_now())
        .where(_SESSION.c.season == season)
        .where(_SESSION.c.cycle == cycle, _SESSION.c.index == index)
    ).scalar()
    return None if state is None else SessionState(state)


def _change_session(
    connection: Connection, season: int, session: SessionKey, state: SessionState, reason: str
) -> None:
    cycle, index = session
    connection.execute(
        update(_SESSION)
        .where(_SESSION.c.season == season)
        .where(_SESSION.c.cycle == cycle, _SESSION.c.index == index)
        .values(state=state.value, reason=reason)
    )


def _why_not_void(session: SessionKey, state: SessionState | None) -> str:
    cycle, index = session
    why = {
        None: "was never begun",
        SessionState.PLANNED: "is not complete, so it does not count yet",
        SessionState.VOIDED: "is void already",
        SessionState.LEFT_OUT: "was left out, so it does not count anyway",
        SessionState.AFTER_END: "was played after the end of its stretch, so it does not count anyway",
    }
    return f"The session (cycle {cycle}, index {index}) {why[state]}"

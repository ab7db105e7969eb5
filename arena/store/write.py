"""What a league stores: seasons, phases, begun and finished matches, log and acts.

    from arena.store import write
    write.log(database, line)

Every function takes a transaction, or a database for one of its own (`arena.store.transaction`). When such a
call returns, all of it survives a power cut; when it raises StoreError, none of it was kept. Seasons are
named by their number. Nothing here decides what is played or what it is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import delete, func, insert, select, update
from sqlmodel import col

from arena.conduct.exclusion import Ruling
from arena.deals import MatchKey
from arena.errors import UsageError
from arena.match.record import MatchRecord
from arena.store.acts import read_rulings, store_decision, store_exclusion, store_reinstatement
from arena.store.counts import read_first_free
from arena.store.decisions import Decision
from arena.store.history import NEW_SEASON, NOTED_KEYS, Action, LogLine
from arena.store.inputs import NewPhase, NewSeason
from arena.store.models import ActionRow, EntryRow, LogRow, MatchRow, PhaseRow, SeasonRow, SessionRow
from arena.store.playing import (
    NOTHING_BEFORE,
    NOWHERE,
    UNWRITTEN,
    Beforehand,
    Begun,
    Hosts,
    Texts,
    begin,
    finish,
    note_host,
)
from arena.store.reviews import forget_reviews, save_review_summary, save_reviews
from arena.store.rows import phase_values, reported_values, stored
from arena.store.seasons import (
    close_season,
    enter,
    insert_season,
    replace_season,
)
from arena.store.transaction import Transaction, changed, writes
from arena.store.views import (
    Entry,
    MatchState,
    Reported,
    SessionKey,
    SessionState,
)

__all__ = [
    "abort",
    "action",
    "begin_anew",
    "begin_sessions",
    "decision",
    "describe",
    "end_phase",
    "enter",
    "exclude",
    "forget_reviews",
    "interrupt_begun",
    "leave_out",
    "log",
    "note_host",
    "note_reported",
    "open_phase",
    "open_season",
    "reinstate",
    "save_matches",
    "save_review_summary",
    "save_reviews",
    "unbegin",
    "void",
]


@writes
def open_season(db: Transaction, new: NewSeason, noted: str | None = None, acts: int | None = None) -> int:
    """Store a season with its entries. Return its number, one more than the season before.

    Nothing more is dealt in the season before: what is open in it ends, so that its secret can be
    shown. `noted`: the keys of the league file that may change, which are stored with the act that begins
    the season; None for neither. `acts`: the number of acts from which the season follows; nothing is
    stored, and 0 is returned, if there are others by now.
    """
    if acts is not None and _acts(db) != acts:
        return 0
    last = int(db.execute(select(func.max(col(SeasonRow.number)))).scalar() or 0)
    season = last + 1
    close_season(db, last, new.opened_at)
    insert_season(db, season, new)
    if noted is not None:
        at, who, subject = new.opened_at, new.opened_by, str(season)
        for act in (
            Action(at, who, NEW_SEASON, subject, new.reason),
            Action(at, who, NOTED_KEYS, subject, "", noted),
        ):
            db.execute(insert(ActionRow), asdict(act))
    return season


@writes
def begin_anew(db: Transaction, season: int, new: NewSeason) -> None:
    """Replace a season of which no match was finished by another one of the same number.

    StoreError if a match was finished.
    """
    replace_season(db, season, new)


@writes
def open_phase(db: Transaction, new: NewPhase, acts: int | None = None) -> bool:
    """Store a phase and its secret. Call this before the first of its matches is begun.

    `acts`: the number of acts from which the phase follows. Return whether it was stored: it is not if
    there are others by now.
    """
    if acts is not None and _acts(db) != acts:
        return False
    db.execute(insert(PhaseRow), phase_values(new))
    return True


@writes
def end_phase(
    db: Transaction, season: int, number: int, reason: str, at: int, cycles: int | None = None
) -> None:
    """Store that a phase has ended and its secret may be shown.

    A phase that has ended stays as it is. `cycles`: the cycles of the whole league, if fewer than
    planned.
    """
    planned = {} if cycles is None else {"cycles_planned": cycles}
    db.execute(
        update(PhaseRow)
        .where(col(PhaseRow.season) == season, col(PhaseRow.number) == number)
        .where(col(PhaseRow.ended_at).is_(None))
        .values(ended_at=at, end_reason=reason, **planned)
    )


@writes
def begin_sessions(
    db: Transaction,
    season: int,
    phase: int,
    begun: Sequence[Begun],
    at: int,
    first: Beforehand = NOTHING_BEFORE,
) -> bool:
    """Store that attempts are begun at `at`, and their sessions if they are new.

    Return whether that was done: it is not if the rulings on who plays are no longer those of `first`.
    The matches of `first` are stored in any case, as `save_matches` does. Attempts that are begun already
    stay so. StoreError if a session is known with another line-up, or if an attempt has ended.
    """
    finish(db, season, first.finished, first.hosts, first.texts)
    if first.rulings is not None and read_rulings(db, season) != first.rulings:
        return False
    begin(db, (season, phase), begun, at)
    return True


@writes
def save_matches(
    db: Transaction,
    season: int,
    records: Sequence[MatchRecord],
    hosts: Hosts = NOWHERE,
    texts: Texts = UNWRITTEN,
) -> tuple[SessionKey, ...]:
    """Store whole finished matches. Return the sessions that are now complete, in schedule order.

    `hosts`: where each was played, by its key; a match that is not named has no host. `texts`: the
    records as JSON, those that are known. A match is skipped
    if its result is stored already, or if its attempt was aborted or interrupted meanwhile: saving twice
    changes nothing. Its session must have been begun.
    """
    return finish(db, season, records, hosts, texts)


@writes
def abort(
    db: Transaction, season: int, key: MatchKey, reason: str, state: MatchState = MatchState.ABORTED
) -> None:
    """End a begun attempt without a result. An attempt that has ended stays as it is."""
    db.execute(
        update(MatchRow)
        .where(
            col(MatchRow.season) == season, col(MatchRow.cycle) == key.cycle, col(MatchRow.index) == key.index
        )
        .where(col(MatchRow.order) == key.order, col(MatchRow.attempt) == key.attempt)
        .where(col(MatchRow.state) == MatchState.BEGUN.value)
        .values(state=state.value, reason=reason)
    )


@writes
def unbegin(db: Transaction, season: int, keys: Sequence[MatchKey]) -> None:
    """Delete attempts that were begun only here: no card of them was dealt to anybody."""
    for key in keys:
        db.execute(
            delete(MatchRow)
            .where(
                col(MatchRow.season) == season,
                col(MatchRow.cycle) == key.cycle,
                col(MatchRow.index) == key.index,
            )
            .where(col(MatchRow.order) == key.order, col(MatchRow.attempt) == key.attempt)
            .where(col(MatchRow.state) == MatchState.BEGUN.value)
        )


@writes
def interrupt_begun(db: Transaction, season: int, reason: str) -> int:
    """Mark all begun attempts as interrupted, after a run was stopped or killed. Return their number."""
    return changed(
        db,
        update(MatchRow)
        .where(col(MatchRow.season) == season, col(MatchRow.state) == MatchState.BEGUN.value)
        .values(state=MatchState.INTERRUPTED.value, reason=reason),
    )


@writes
def leave_out(db: Transaction, season: int, key: SessionKey, reason: str) -> None:
    """Leave out a planned session of which a match was aborted too often. It is never scored."""
    if _session_state(db, season, key) is SessionState.PLANNED:
        _change_session(db, season, key, SessionState.LEFT_OUT, reason)


@writes
def void(db: Transaction, season: int, key: SessionKey, act: Action) -> None:
    """Take a complete session out of the score, for `act.reason`, and store the act.

    UsageError if there is no such session, or if it does not count anyway.
    """
    state = _session_state(db, season, key)
    if state is not SessionState.COMPLETE:
        raise UsageError(_why_not_void(key, state))
    _change_session(db, season, key, SessionState.VOIDED, act.reason)
    db.execute(insert(ActionRow), asdict(act))


@writes
def exclude(db: Transaction, season: int, bot: str, reason: str, act: tuple[int, str]) -> Ruling:
    """Store that the organiser excludes a bot for a reason, by `act`: when, and by whom.

    The returned ruling says from which cycle on: the first of which nothing was begun.
    UsageError if the bot is out already.
    """
    return store_exclusion(db, season, bot, reason, act, read_first_free(db, season))


@writes
def reinstate(db: Transaction, season: int, bot: str, reason: str, act: tuple[int, str]) -> Ruling:
    """Let an excluded bot play again, by `act`: when, and by whom.

    The ruling says from which cycle on: the first of which nothing was begun. UsageError if the bot is not
    out.
    """
    return store_reinstatement(db, season, bot, reason, act, read_first_free(db, season))


@writes
def decision(db: Transaction, season: int, made: Decision) -> bool:
    """Store a decision. Return whether it was: it is not if acts were stored since it was made."""
    if _acts(db) != made.acts:
        return False
    store_decision(db, season, made)
    return True


@writes
def describe(db: Transaction, season: int, entries: Sequence[Entry]) -> None:
    """Store the authors of bots, which may change at any time."""
    for entry in entries:
        db.execute(
            update(EntryRow)
            .where(col(EntryRow.season) == season, col(EntryRow.bot) == entry.bot)
            .values(author=entry.author)
        )


@writes
def note_reported(db: Transaction, season: int, bot: str, said: Reported) -> None:
    """Store what a bot's process reported about itself."""
    db.execute(
        update(EntryRow)
        .where(col(EntryRow.season) == season, col(EntryRow.bot) == bot)
        .values(reported_values(said))
    )


@writes
def log(db: Transaction, line: LogLine) -> None:
    """Store a line of the league's log."""
    db.execute(insert(LogRow), asdict(line))


@writes
def action(db: Transaction, act: Action, acts: int | None = None) -> bool:
    """Store an act.

    `acts`: the number of acts from which this one follows. Return whether it was stored: it is not if
    there are others by now.
    """
    if acts is not None and _acts(db) != acts:
        return False
    db.execute(insert(ActionRow), asdict(act))
    return True


def _acts(db: Transaction) -> int:
    return int(db.execute(select(func.count()).select_from(ActionRow)).scalar() or 0)


def _session_state(db: Transaction, season: int, key: SessionKey) -> SessionState | None:
    cycle, index = key
    state = db.execute(
        select(col(SessionRow.state))
        .where(col(SessionRow.season) == season)
        .where(col(SessionRow.cycle) == cycle, col(SessionRow.index) == index)
    ).scalar()
    return None if state is None else stored(SessionState, state)


def _change_session(db: Transaction, season: int, key: SessionKey, state: SessionState, reason: str) -> None:
    cycle, index = key
    db.execute(
        update(SessionRow)
        .where(col(SessionRow.season) == season)
        .where(col(SessionRow.cycle) == cycle, col(SessionRow.index) == index)
        .values(state=state.value, reason=reason)
    )


def _why_not_void(key: SessionKey, state: SessionState | None) -> str:
    cycle, index = key
    why = {
        None: "was never begun",
        SessionState.PLANNED: "is not complete, so it does not count yet",
        SessionState.VOIDED: "is void already",
        SessionState.LEFT_OUT: "was left out, so it does not count anyway",
    }
    return f"The session (cycle {cycle}, index {index}) {why[state]}"

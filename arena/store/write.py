"""What a league stores: seasons, stretches, begun and finished matches, log and acts.

    from arena.store import write
    write.log(database, line)

Every function takes a session, or a database for a transaction of its own (`arena.store.session`). When such
a call returns, all of it survives a power cut; when it raises StoreError, none of it was kept. Seasons are
named by their number. Nothing here decides what is played or what it is worth.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, delete, func, select, update

from arena.conduct.disqualify import Ruling
from arena.deals import MatchKey
from arena.errors import UsageError
from arena.match.record import MatchRecord
from arena.schedule.seating import Numbering, Sizes
from arena.store import models
from arena.store.acts import read_rulings, store_exclusion, store_reinstatement, store_rulings
from arena.store.after_end import state_now
from arena.store.begun import NOTHING_BEFORE, Beforehand, Beginning, Begun
from arena.store.free_cycles import read_first_free
from arena.store.history import NEW_SEASON, NOTED_KEYS, Action, LogLine
from arena.store.host_rows import store_host
from arena.store.hosts import Host
from arena.store.inputs import NewSeason, NewStretch
from arena.store.models import table_of
from arena.store.planned import open_plan
from arena.store.reviews import delete_reviews, store_review_summary, store_reviews
from arena.store.row import stored
from arena.store.rows import line_cells, reported_cells, stretch_cells
from arena.store.saving import NOWHERE, UNWRITTEN, Hosts, Texts, save_results
from arena.store.seasons import (
    close_season,
    insert_entries,
    insert_season,
    read_named,
    replace_season,
)
from arena.store.session import Session, writes
from arena.store.views import (
    Entry,
    MatchState,
    Reported,
    SessionKey,
    SessionState,
    StoredDecision,
    StoredReview,
)

__all__ = [
    "abort",
    "action",
    "begin_anew",
    "begin_sessions",
    "describe",
    "disqualify",
    "end_stretch",
    "enter",
    "exclude",
    "forget_reviews",
    "interrupt_begun",
    "leave_out",
    "log",
    "note_host",
    "note_reported",
    "open_season",
    "open_stretch",
    "reinstate",
    "save_matches",
    "save_review_summary",
    "save_reviews",
    "unbegin",
    "void",
]

_SEASON = table_of(models.Season)
_STRETCH = table_of(models.Stretch)
_ENTRY = table_of(models.Entry)
_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
_LOG = table_of(models.Log)
_ACTION = table_of(models.Action)


_NUMBERINGS: WeakKeyDictionary[Engine, dict[int, Numbering]] = WeakKeyDictionary()
"""How the matches of the seasons of each open database are numbered, which every save needs to know. It
changes only with the stretches of an open season."""


def _numbering(session: Session, season: int) -> Numbering:
    known = _NUMBERINGS.setdefault(session.engine, {})
    if season not in known:
        view = read_named(session, season)
        sizes = Sizes(view.sessions_per_cycle, view.matches_per_session)
        known[season] = open_plan(view) if view.open else sizes
    return known[season]


def _forget_numbering(session: Session, season: int) -> None:
    _NUMBERINGS.get(session.engine, {}).pop(season, None)


@writes
def open_season(session: Session, new: NewSeason, noted: str | None = None, acts: int | None = None) -> int:
    """Store a season with its entries. Return its number, one more than the season before.

    Nothing more is dealt in the season before: what is open in it ends, so that its secret can be
    shown. `noted`: the keys of the league file that may change, which are stored with the act that begins
    the season; None for neither. `acts`: the number of acts from which the season follows; nothing is
    stored, and 0 is returned, if there are others by now.
    """
    if acts is not None and _acts(session) != acts:
        return 0
    last = int(session.execute(select(func.max(_SEASON.c.number))).scalar() or 0)
    season = last + 1
    close_season(session, last, new.opened_at)
    insert_season(session, season, new)
    if noted is not None:
        at, who, subject = new.opened_at, new.opened_by, str(season)
        for act in (
            Action(at, who, NEW_SEASON, subject, new.reason),
            Action(at, who, NOTED_KEYS, subject, "", noted),
        ):
            session.execute(_ACTION.insert(), line_cells(act))
    return season


@writes
def begin_anew(session: Session, season: int, new: NewSeason) -> None:
    """Replace a season of which no match was finished by another one of the same number.

    StoreError if a match was finished.
    """
    _forget_numbering(session, season)
    replace_season(session, season, new)


@writes
def open_stretch(session: Session, new: NewStretch, acts: int | None = None) -> bool:
    """Store a stretch and its secret. Call this before the first of its matches is begun.

    `acts`: the number of acts from which the stretch follows. Return whether it was stored: it is not if
    there are others by now.
    """
    _forget_numbering(session, new.season)
    if acts is not None and _acts(session) != acts:
        return False
    session.execute(_STRETCH.insert(), stretch_cells(new))
    return True


@writes
def end_stretch(
    session: Session, season: int, number: int, reason: str, at: int, cycles: int | None = None
) -> None:
    """Store that a stretch has ended and its secret may be shown.

    A stretch that has ended stays as it is. `cycles`: the cycles of the whole league, if fewer than
    planned.
    """
    planned = {} if cycles is None else {"cycles_planned": cycles}
    session.execute(
        update(_STRETCH)
        .where(_STRETCH.c.season == season, _STRETCH.c.number == number)
        .where(_STRETCH.c.ended_at.is_(None))
        .values(ended_at=at, end_reason=reason, **planned)
    )


@writes
def begin_sessions(
    session: Session,
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
    sizes = _numbering(session, season)
    save_results(session, season, first.finished, sizes.matches_per_session, first.hosts, first.texts)
    if first.rulings is not None and read_rulings(session, season) != first.rulings:
        return False
    Beginning(session, season, stretch, sizes, at).begin(begun)
    return True


@writes
def save_matches(
    session: Session,
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
    sizes = _numbering(session, season)
    return save_results(session, season, records, sizes.matches_per_session, hosts, texts)


@writes
def abort(
    session: Session, season: int, key: MatchKey, reason: str, state: MatchState = MatchState.ABORTED
) -> None:
    """End a begun attempt without a result. An attempt that has ended stays as it is."""
    session.execute(
        update(_MATCH)
        .where(_MATCH.c.season == season, _MATCH.c.cycle == key.cycle, _MATCH.c.index == key.index)
        .where(_MATCH.c.order == key.order, _MATCH.c.attempt == key.attempt)
        .where(_MATCH.c.state == MatchState.BEGUN.value)
        .values(state=state.value, reason=reason)
    )


@writes
def unbegin(session: Session, season: int, keys: Sequence[MatchKey]) -> None:
    """Delete attempts that were begun only here: no card of them was dealt to anybody."""
    for key in keys:
        session.execute(
            delete(_MATCH)
            .where(_MATCH.c.season == season, _MATCH.c.cycle == key.cycle, _MATCH.c.index == key.index)
            .where(_MATCH.c.order == key.order, _MATCH.c.attempt == key.attempt)
            .where(_MATCH.c.state == MatchState.BEGUN.value)
        )


@writes
def interrupt_begun(session: Session, season: int, reason: str) -> int:
    """Mark all begun attempts as interrupted, after a run was stopped or killed. Return their number."""
    result = session.execute(
        update(_MATCH)
        .where(_MATCH.c.season == season, _MATCH.c.state == MatchState.BEGUN.value)
        .values(state=MatchState.INTERRUPTED.value, reason=reason)
    )
    return result.rowcount


@writes
def leave_out(session: Session, season: int, key: SessionKey, reason: str) -> None:
    """Leave out a planned session of which a match was aborted too often. It is never scored."""
    if _session_state(session, season, key) is SessionState.PLANNED:
        _change_session(session, season, key, SessionState.LEFT_OUT, reason)


@writes
def void(session: Session, season: int, key: SessionKey, act: Action) -> None:
    """Take a complete session out of the score, for `act.reason`, and store the act.

    UsageError if there is no such session, or if it does not count anyway.
    """
    state = _session_state(session, season, key)
    if state is not SessionState.COMPLETE:
        raise UsageError(_why_not_void(key, state))
    _change_session(session, season, key, SessionState.VOIDED, act.reason)
    session.execute(_ACTION.insert(), line_cells(act))


@writes
def disqualify(session: Session, season: int, rulings: Sequence[Ruling], act: tuple[int, str]) -> None:
    """Store exclusions by the limits, by `act`: when, and by whom. The stand-in becomes an entry."""
    store_rulings(session, season, rulings, act)


@writes
def exclude(session: Session, season: int, bot: str, reason: str, act: tuple[int, str]) -> Ruling:
    """Store that the organiser excludes a bot for a reason, by `act`: when, and by whom.

    The returned ruling says from which cycle on: the first of a block of which nothing was begun.
    UsageError if the bot is out already.
    """
    return store_exclusion(session, season, bot, reason, act, read_first_free(session, season))


@writes
def reinstate(session: Session, season: int, bot: str, reason: str, act: tuple[int, str]) -> Ruling:
    """Let an excluded bot play again, by `act`: when, and by whom.

    The ruling says from which cycle on: the first of a block of which nothing was begun. UsageError if
    the bot is not out.
    """
    return store_reinstatement(session, season, bot, reason, act, read_first_free(session, season))


@writes
def enter(session: Session, season: int, entries: Sequence[Entry]) -> None:
    """Store entries that have come to an open season. StoreError if one is there already."""
    insert_entries(session, season, entries)


@writes
def describe(session: Session, season: int, entries: Sequence[Entry]) -> None:
    """Store the descriptions of bots, which may change at any time: `author`, `language` and `url`."""
    for entry in entries:
        session.execute(
            update(_ENTRY)
            .where(_ENTRY.c.season == season, _ENTRY.c.bot == entry.bot)
            .values(author=entry.author, language=entry.language, url=entry.url)
        )


@writes
def note_reported(session: Session, season: int, bot: str, said: Reported) -> None:
    """Store what a bot's process reported about itself."""
    session.execute(
        update(_ENTRY).where(_ENTRY.c.season == season, _ENTRY.c.bot == bot).values(reported_cells(said))
    )


@writes
def note_host(session: Session, host: Host, at: int) -> int:
    """Store a host that is seen at `at`, once as long as it stays the same. Return the id of its row."""
    return store_host(session, host, at)


@writes
def save_reviews(session: Session, season: int, found: Collection[StoredDecision], at: int) -> None:
    """Store at `at` what decisions of finished matches cost. What was stored of the same ones is replaced."""
    store_reviews(session, season, found, at)


@writes
def save_review_summary(session: Session, season: int, review: StoredReview) -> None:
    """Store the review of a bot in the place of the one before."""
    store_review_summary(session, season, review)


@writes
def forget_reviews(session: Session, season: int, bot: str) -> int:
    """Remove what is stored of a bot's reviews. Return of how many decisions something was."""
    return delete_reviews(session, season, bot)


@writes
def log(session: Session, line: LogLine) -> None:
    """Store a line of the league's log."""
    session.execute(_LOG.insert(), line_cells(line))


@writes
def action(session: Session, act: Action, acts: int | None = None) -> bool:
    """Store an act.

    `acts`: the number of acts from which this one follows. Return whether it was stored: it is not if
    there are others by now.
    """
    if acts is not None and _acts(session) != acts:
        return False
    session.execute(_ACTION.insert(), line_cells(act))
    return True


def _acts(session: Session) -> int:
    return int(session.execute(select(func.count()).select_from(_ACTION)).scalar() or 0)


def _session_state(session: Session, season: int, key: SessionKey) -> SessionState | None:
    cycle, index = key
    state = session.execute(
        select(state_now())
        .where(_SESSION.c.season == season)
        .where(_SESSION.c.cycle == cycle, _SESSION.c.index == index)
    ).scalar()
    return None if state is None else stored(SessionState, state)


def _change_session(session: Session, season: int, key: SessionKey, state: SessionState, reason: str) -> None:
    cycle, index = key
    session.execute(
        update(_SESSION)
        .where(_SESSION.c.season == season)
        .where(_SESSION.c.cycle == cycle, _SESSION.c.index == index)
        .values(state=state.value, reason=reason)
    )


def _why_not_void(key: SessionKey, state: SessionState | None) -> str:
    cycle, index = key
    why = {
        None: "was never begun",
        SessionState.PLANNED: "is not complete, so it does not count yet",
        SessionState.VOIDED: "is void already",
        SessionState.LEFT_OUT: "was left out, so it does not count anyway",
        SessionState.AFTER_END: "was played after the end of its stretch, so it does not count anyway",
    }
    return f"The session (cycle {cycle}, index {index}) {why[state]}"

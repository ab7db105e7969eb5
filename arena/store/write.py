"""What a league stores: seasons, phases, begun and finished matches, log and acts.

    from arena.store import write
    write.log(database, line)

Every function takes a transaction, or a database for one of its own (`arena.store.transaction`). When such a
call returns, all of it survives a power cut; when it raises StoreError, none of it was kept. Seasons are
named by their number. Nothing here decides what is played or what it is worth. What is stored of matches is
in `arena.store.playing`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlmodel import col

from arena.conduct.exclusion import Ruling, disqualified, whole_bots_out
from arena.errors import StoreError, UsageError
from arena.match.stand_in import STAND_IN, STAND_IN_NAME
from arena.schedule import canonical_json
from arena.score.entry_ids import bot_of
from arena.store import read
from arena.store.acts import RULINGS, Decision, ruling_act
from arena.store.history import NEW_SEASON, NOTED_KEYS, Action, LogLine
from arena.store.models import (
    ActionRow,
    BotRow,
    DecisionRow,
    EntryRow,
    LogRow,
    MatchRow,
    PhaseRow,
    SeasonRow,
    SessionRow,
)
from arena.store.playing import abort as abort
from arena.store.playing import begin_sessions as begin_sessions
from arena.store.playing import interrupt_begun as interrupt_begun
from arena.store.playing import note_host as note_host
from arena.store.playing import save_matches as save_matches
from arena.store.playing import unbegin as unbegin
from arena.store.rows import entry_values, phase_values, reported_values, season_values, stored
from arena.store.transaction import Transaction, writes
from arena.store.views import Entry, MatchState, NewPhase, NewSeason, Reported, Role, SessionKey, SessionState

# Seasons


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
    season, reason = last + 1, "a new season was begun"
    interrupt_begun(db, last, reason)
    db.execute(
        update(PhaseRow)
        .where(col(PhaseRow.season) == last, col(PhaseRow.ended_at).is_(None))
        .values(ended_at=new.opened_at, end_reason=reason)
    )
    _insert_season(db, season, new)
    if noted is not None:
        at, who, subject = new.opened_at, new.opened_by, str(season)
        action(db, Action(at, who, NEW_SEASON, subject, new.reason))
        action(db, Action(at, who, NOTED_KEYS, subject, "", noted))
    return season


@writes
def begin_anew(db: Transaction, season: int, new: NewSeason) -> None:
    """Replace a season of which no match was finished by another one of the same number.

    Its phases, decisions, sessions and attempts are gone. What the organiser ruled on bots that still play
    stays in force, and in an open season on all. Raises StoreError if a match was finished.
    """
    of_season = col(MatchRow.season) == season
    finished = select(func.count()).where(of_season, col(MatchRow.state) == MatchState.FINISHED.value)
    if db.execute(finished).scalar():
        raise StoreError(f"Season {season} cannot begin anew, for matches of it were finished")
    for table in (MatchRow, SessionRow, DecisionRow, PhaseRow, EntryRow):
        db.execute(delete(table).where(col(table.season) == season))
    db.execute(delete(SeasonRow).where(col(SeasonRow.number) == season))
    _insert_season(db, season, new)
    db.execute(delete(BotRow).where(col(BotRow.slug).not_in(select(col(EntryRow.bot)))))
    is_open = read.season(db, season).open
    _rule_from_the_start(db, season, None if is_open else {entry.bot for entry in new.entries})


def _insert_season(db: Transaction, number: int, new: NewSeason) -> None:
    """Store a season under a number that is free, with its entries."""
    db.execute(insert(SeasonRow), season_values(number, new))
    enter(db, number, new.entries)


def _rule_from_the_start(db: Transaction, season: int, bots: Collection[str] | None) -> None:
    """Let what is ruled of `bots` hold from the first cycle on of a season that has just begun anew.

    `bots`: None for all, where it is not known who will play. The cycles of the earlier acts do not exist
    any more, so all but those in force are deleted.
    """
    in_force = set(disqualified(read.rulings(db, season)))
    about = select(col(ActionRow.id), col(ActionRow.subject), col(ActionRow.detail)).where(
        col(ActionRow.what).in_(RULINGS)
    )
    rows = [(id_, bot, json.loads(detail)) for id_, bot, detail in db.execute(about).all()]
    for id_, bot, detail in reversed([row for row in rows if row[2]["season"] == season]):
        # The last act on a bot that is out is the one that took it out.
        if bot in in_force and (bots is None or bot in bots):
            in_force.discard(bot)
            changed = json.dumps({**detail, "from_cycle": 0})
            db.execute(update(ActionRow).where(col(ActionRow.id) == id_).values(detail=changed))
            _enter_stand_in(db, season)
        else:
            db.execute(delete(ActionRow).where(col(ActionRow.id) == id_))


# Entries


@writes
def enter(db: Transaction, season: int, entries: Sequence[Entry]) -> None:
    """Store entries of a season, and the ids that no season had before."""
    if not entries:
        return
    known = set(db.execute(select(col(BotRow.slug))).scalars())
    unknown = [{"slug": entry.bot} for entry in entries if entry.bot not in known]
    if unknown:
        db.execute(insert(BotRow), unknown)
    db.execute(insert(EntryRow), [entry_values(season, entry) for entry in entries])


def _enter_stand_in(db: Transaction, season: int) -> None:
    """Make the stand-in an entry of a season in which it has the seats of bots that are out."""
    view = read.season(db, season)
    if not view.plans_anew and all(entry.bot != STAND_IN for entry in view.entries):
        number = len(view.entries)
        enter(db, season, [Entry(STAND_IN, number, STAND_IN_NAME, "", "", (), role=Role.STAND_IN)])


@writes
def describe(db: Transaction, season: int, entries: Sequence[Entry]) -> None:
    """Store the authors of bots, which may change at any time."""
    for entry in entries:
        db.execute(update(EntryRow).where(*_entry(season, entry.bot)).values(author=entry.author))


@writes
def note_reported(db: Transaction, season: int, bot: str, said: Reported) -> None:
    """Store what a bot's process reported about itself."""
    db.execute(update(EntryRow).where(*_entry(season, bot)).values(reported_values(said)))


def _entry(season: int, bot: str) -> tuple[ColumnElement[bool], ...]:
    return col(EntryRow.season) == season, col(EntryRow.bot) == bot


# Phases and decisions


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
def decision(db: Transaction, season: int, made: Decision) -> bool:
    """Store a decision. Return whether it was: it is not if acts were stored since it was made.

    The stand-in is entered with the first bot that is out, where it has its seats.
    """
    if _acts(db) != made.acts:
        return False
    if made.excluded:
        _enter_stand_in(db, season)
    document = canonical_json(asdict(made))
    db.execute(insert(DecisionRow), {"season": season, "cycles": made.cycles, "document": document})
    return True


# Sessions that do not count


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
    why_not = {
        None: "was never begun",
        SessionState.PLANNED: "is not complete, so it does not count yet",
        SessionState.VOIDED: "is void already",
        SessionState.LEFT_OUT: "was left out, so it does not count anyway",
    }
    if state is not SessionState.COMPLETE:
        raise UsageError(f"The session (cycle {key[0]}, index {key[1]}) {why_not[state]}")
    _change_session(db, season, key, SessionState.VOIDED, act.reason)
    action(db, act)


def _session(season: int, key: SessionKey) -> tuple[ColumnElement[bool], ...]:
    cycle, index = key
    return (
        col(SessionRow.season) == season, col(SessionRow.cycle) == cycle, col(SessionRow.index) == index
    )  # fmt: skip


def _session_state(db: Transaction, season: int, key: SessionKey) -> SessionState | None:
    state = db.execute(select(col(SessionRow.state)).where(*_session(season, key))).scalar()
    return None if state is None else stored(SessionState, state)


def _change_session(db: Transaction, season: int, key: SessionKey, state: SessionState, reason: str) -> None:
    changed = update(SessionRow).where(*_session(season, key))
    db.execute(changed.values(state=state.value, reason=reason))


# Acts and the log


@writes
def exclude(db: Transaction, season: int, bot: str, reason: str, act: tuple[int, str]) -> Ruling:
    """Store that the organiser excludes a bot for a reason, by `act`: when, and by whom.

    The returned ruling says from which cycle on: the first of which nothing was begun.
    UsageError if the bot is out already.
    """
    known = disqualified(read.rulings(db, season)).get(bot)
    if known is not None:
        raise UsageError(
            f"{bot} is excluded already, by the {known.by}, from session {known.from_cycle}.0 of season "
            f"{season} on: {known.reason}"
        )
    ruling = Ruling(bot, True, read.first_free(db, season), reason, by_organiser=True)
    _enter_stand_in(db, season)
    action(db, ruling_act(season, ruling, act))
    return ruling


@writes
def reinstate(db: Transaction, season: int, bot: str, reason: str, act: tuple[int, str]) -> Ruling:
    """Let an excluded bot play again, by `act`: when, and by whom.

    The ruling says from which cycle on: the first of which nothing was begun. In an open season `bot` is a
    version, or a bot that is out as a whole. UsageError if it is not out.
    """
    made = read.rulings(db, season)
    out = {**disqualified(made), **whole_bots_out(made)}
    ruling = out.get(bot)
    if ruling is None:
        versions = [entry for entry in sorted(out) if bot_of(entry) == bot]
        are = "is out: name that one" if len(versions) == 1 else "are out: name one"
        hint = f"; of its versions, {', '.join(versions)} {are}" if versions else ""
        raise UsageError(f"{bot} is not excluded in season {season}, so there is nothing to undo{hint}")
    back = Ruling(bot, False, max(read.first_free(db, season), ruling.from_cycle), reason)
    action(db, ruling_act(season, back, act))
    return back


@writes
def action(db: Transaction, act: Action) -> None:
    """Store an act."""
    db.execute(insert(ActionRow), asdict(act))


def _acts(db: Transaction) -> int:
    return int(db.execute(select(func.count()).select_from(ActionRow)).scalar() or 0)


@writes
def log(db: Transaction, line: LogLine) -> None:
    """Store a line of the league's log."""
    db.execute(insert(LogRow), asdict(line))

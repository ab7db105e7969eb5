"""What the store tells: seasons, progress, results, matches, faults, log, as plain data.

    from arena.store import read
    read.matches(database, season)

Every function takes a transaction, or a database for one of its own (`arena.store.transaction`), and
raises StoreError if that cannot be read. Seasons are named by their number; a season that does not exist has
nothing in it, unless a function says otherwise. Nothing here writes, and it sums and counts at most: the
standings and the schedule do all other work. What is read of matches is in `arena.store.matches`, and what is
found wrong in `arena.store.soundness`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from typing import Final

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import func, select
from sqlmodel import col

from arena.conduct.exclusion import Ruling
from arena.errors import StoreError, UsageError
from arena.schedule import canonical_json
from arena.score.results import SessionResult, SessionResultError
from arena.store.acts import Decision, rulings_from, unsaid
from arena.store.history import Action, LogLine, SeasonMark
from arena.store.matches import bot_times as bot_times
from arena.store.matches import core_waits as core_waits
from arena.store.matches import each_match as each_match
from arena.store.matches import fault_counts as fault_counts
from arena.store.matches import faults as faults
from arena.store.matches import hosts as hosts
from arena.store.matches import match as match
from arena.store.matches import matches as matches
from arena.store.matches import played as played
from arena.store.matches import processes as processes
from arena.store.matches import record as record
from arena.store.matches import records as records
from arena.store.matches import sandbox_levels as sandbox_levels
from arena.store.matches import sittings as sittings
from arena.store.models import (
    ActionRow,
    DecisionRow,
    EntryRow,
    FaultRow,
    LogRow,
    MatchRow,
    PhaseRow,
    SeasonRow,
    SeatRow,
    SessionRow,
)
from arena.store.rows import BadValueError, domain, season_from, stored
from arena.store.soundness import damage as damage
from arena.store.soundness import unlike as unlike
from arena.store.soundness import unsound as unsound
from arena.store.stored_season import SoFar, StoredSeason, departures, season_plan
from arena.store.transaction import Transaction, reads
from arena.store.views import (
    CycleProgress,
    MatchSlot,
    MatchState,
    Progress,
    SeasonView,
    SessionKey,
    SessionState,
    SessionView,
)

_DECISION: Final = TypeAdapter(Decision)


# Seasons


@reads
def seasons(db: Transaction) -> list[SeasonView]:
    """Return all seasons, oldest first."""
    found = db.scalars(select(SeasonRow).order_by(col(SeasonRow.number)))
    return [_season(db, row) for row in found.all()]


@reads
def season(db: Transaction, number: int) -> SeasonView:
    """Return the season with that number. UsageError, which names the others, if there is none."""
    row = db.get(SeasonRow, number)
    if row is not None:
        return _season(db, row)
    known = db.scalars(select(col(SeasonRow.number)).order_by(col(SeasonRow.number))).all()
    if not known:
        others = "no season has begun yet"
    elif len(known) == 1:
        others = f"the only one is season {known[0]}"
    else:
        others = f"there are seasons {known[0]} {'and' if len(known) == 2 else 'to'} {known[-1]}"
    raise UsageError(f"There is no season {number}: {others}")


@reads
def current_season(db: Transaction) -> SeasonView | None:
    """Return the newest season, None before the first."""
    newest = db.scalars(select(SeasonRow).order_by(col(SeasonRow.number).desc()).limit(1)).first()
    return None if newest is None else _season(db, newest)


def _season(db: Transaction, row: SeasonRow) -> SeasonView:
    entries = select(EntryRow).where(col(EntryRow.season) == row.number)
    phases = select(PhaseRow).where(col(PhaseRow.season) == row.number)
    return season_from(
        row,
        db.scalars(entries.order_by(col(EntryRow.number))).all(),
        db.scalars(phases.order_by(col(PhaseRow.number))).all(),
    )


@reads
def stored_season(db: Transaction) -> StoredSeason | None:
    """Return the newest season with all that was done to it, None before the first."""
    view = current_season(db)
    if view is None:
        return None
    finished = (col(MatchRow.season) == view.number, col(MatchRow.state) == MatchState.FINISHED.value)
    is_played = db.execute(select(col(MatchRow.id)).where(*finished).limit(1)).first() is not None
    return StoredSeason(view, actions(db), decisions(db, view.number), is_played)


@reads
def season_marks(db: Transaction) -> list[SeasonMark]:
    """Return what tells the seasons apart, oldest first, without reading any of them."""
    here = col(SeasonRow.number)
    finished = (
        select(func.count())
        .where(col(MatchRow.season) == here, col(MatchRow.state) == MatchState.FINISHED.value)
        .scalar_subquery()
    )
    columns = (here, col(SeasonRow.opened_at), col(SeasonRow.digest), finished)
    return [SeasonMark(*row) for row in db.execute(select(*columns).order_by(here))]


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


# How far a season is


@reads
def progress(db: Transaction, number: int) -> Progress:
    """Return the progress of a season. UsageError if there is no such season."""
    view, place = season(db, number), (col(SessionRow.cycle), col(SessionRow.state))
    counted = select(*place, func.count()).where(col(SessionRow.season) == number).group_by(*place)
    over: Counter[int] = Counter()
    complete: Counter[int] = Counter()
    by_session: Counter[SessionState] = Counter()
    for cycle, state, count in db.execute(counted):
        by_session[stored(SessionState, state)] += count
        complete[cycle] += count if state == SessionState.COMPLETE.value else 0
        over[cycle] += count if state != SessionState.PLANNED.value else 0
    last = max([0, *(phase.cycles_planned for phase in view.phases), *(cycle + 1 for cycle in over)])
    sizes = enumerate(_sizes(db, view, last))
    cycles = tuple(CycleProgress(cycle, size, complete[cycle], over[cycle]) for cycle, size in sizes)
    planned = sum(cycle.sessions for cycle in cycles)
    of_matches = db.execute(
        select(
            col(MatchRow.state),
            func.count(),
            func.sum(col(MatchRow.rounds)),
            func.min(col(MatchRow.started_at)),
            func.max(col(MatchRow.finished_at)),
        )
        .where(col(MatchRow.season) == number)
        .group_by(col(MatchRow.state))
    ).all()
    by_match = Counter({stored(MatchState, state): count for state, count, *_ in of_matches})
    fault_count = db.execute(
        select(func.count())
        .select_from(FaultRow)
        .join(MatchRow, col(MatchRow.id) == col(FaultRow.match))
        .where(col(MatchRow.season) == number)
    ).scalar()
    return Progress(
        season=number,
        cycles=cycles,
        sessions_planned=planned,
        sessions_complete=by_session[SessionState.COMPLETE],
        sessions_voided=by_session[SessionState.VOIDED],
        sessions_left_out=by_session[SessionState.LEFT_OUT],
        matches_planned=planned * view.matches_per_session,
        matches_begun=by_match[MatchState.BEGUN],
        matches_finished=by_match[MatchState.FINISHED],
        matches_aborted=by_match[MatchState.ABORTED],
        matches_interrupted=by_match[MatchState.INTERRUPTED],
        rounds_finished=sum(rounds for _, _, rounds, _, _ in of_matches),
        faults=int(fault_count or 0),
        started_at=min((at for _, _, _, at, _ in of_matches), default=None),
        finished_at=max((at for *_, at in of_matches if at is not None), default=None),
    )


def _sizes(db: Transaction, view: SeasonView, cycles: int) -> list[int]:
    """Return the sessions of each of the first cycles, which are fewer where bots have left the field."""
    made = rulings(db, view.number)
    if not view.open and not departures(view, made):
        return [view.sessions_per_cycle] * cycles
    try:
        plan = season_plan(view, made)
    except ValueError as error:
        raise StoreError(f"Season {view.number} has no schedule: {error}") from error
    return [plan.sessions_in(cycle) for cycle in range(cycles)]


@reads
def so_far(db: Transaction, season: int) -> SoFar:
    """Return what was begun of a season."""
    slot = (col(MatchRow.cycle), col(MatchRow.index), col(MatchRow.order))
    counted = select(*slot, col(MatchRow.state), func.max(col(MatchRow.attempt)), func.count())
    found = db.execute(counted.where(col(MatchRow.season) == season).group_by(*slot, col(MatchRow.state)))
    finished: set[MatchSlot] = set()
    attempts: dict[MatchSlot, int] = {}
    aborted: dict[MatchSlot, int] = {}
    for cycle, index, order, state, last, count in found:
        key = (cycle, index, order)
        attempts[key] = max(last, attempts.get(key, last))
        if state == MatchState.FINISHED.value:
            finished.add(key)
        elif state == MatchState.ABORTED.value:
            aborted[key] = count
    return SoFar(session_states(db, season), finished, attempts, aborted)


@reads
def first_free(db: Transaction, season: int) -> int:
    """Return the first cycle of a season of which nothing was begun.

    An act of the organiser holds from there on. A run that is going to begin a cycle reads the rulings in the
    same transaction, so it knows every ruling that was stored before.
    """
    begun = db.execute(
        select(func.max(col(SessionRow.cycle))).where(col(SessionRow.season) == season)
    ).scalar()
    return 0 if begun is None else int(begun) + 1


# Sessions


@reads
def sessions(db: Transaction, season: int) -> list[SessionView]:
    """Return every session that was at least begun, in schedule order."""
    finished = (
        select(func.count())
        .where(col(MatchRow.session) == col(SessionRow.id), col(MatchRow.state) == MatchState.FINISHED.value)
        .scalar_subquery()
    )
    found = db.execute(
        select(*SessionRow.table().columns, finished.label("matches_finished"))
        .where(col(SessionRow.season) == season)
        .order_by(col(SessionRow.cycle), col(SessionRow.index))
    )
    return [domain(SessionView, row, line_up=tuple(row.line_up.split())) for row in found]


@reads
def session_states(db: Transaction, season: int) -> dict[SessionKey, SessionState]:
    """Return the state of every session that was at least begun."""
    columns = select(col(SessionRow.cycle), col(SessionRow.index), col(SessionRow.state))
    here = columns.where(col(SessionRow.season) == season)
    found = db.execute(here.order_by(col(SessionRow.cycle), col(SessionRow.index)))
    return {(cycle, index): stored(SessionState, state) for cycle, index, state in found}


@reads
def session_results(db: Transaction, season: int, void: bool = False) -> list[SessionResult]:
    """Return the complete sessions, in schedule order: the score is made from them.

    Voided and left out sessions are not among them; with `void`, the voided ones are.
    """
    states = (SessionState.COMPLETE, SessionState.VOIDED) if void else (SessionState.COMPLETE,)
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
    place = (col(SessionRow.id), col(SessionRow.cycle), col(SessionRow.index))
    counted = (
        select(*place, func.sum(col(MatchRow.rounds)))
        .join(MatchRow, col(MatchRow.session) == col(SessionRow.id))
        .where(col(SessionRow.season) == season, col(SessionRow.state).in_([one.value for one in states]))
        .where(col(MatchRow.state) == MatchState.FINISHED.value)
        .group_by(*place)
        .order_by(col(SessionRow.cycle), col(SessionRow.index))
    )
    return {identity: (cycle, index, count) for identity, cycle, index, count in db.execute(counted)}


# Acts, decisions and the log


@reads
def actions(db: Transaction) -> list[Action]:
    """Return the organiser's acts, oldest first, in all seasons."""
    found = [domain(Action, row) for row in db.scalars(select(ActionRow).order_by(col(ActionRow.id)))]
    if said := next(filter(None, map(unsaid, found)), ""):
        raise BadValueError(said)
    return found


@reads
def rulings(db: Transaction, season: int) -> tuple[Ruling, ...]:
    """Return who was excluded or reinstated, in the order in which that was done."""
    return rulings_from(actions(db), decisions(db, season), season)


@reads
def decisions(db: Transaction, season: int) -> tuple[Decision, ...]:
    """Return the decisions of a season, earliest first."""
    found = db.scalars(
        select(DecisionRow).where(col(DecisionRow.season) == season).order_by(col(DecisionRow.cycles))
    )
    return tuple(map(_decision, found))


def _decision(row: DecisionRow) -> Decision:
    try:
        decision = _DECISION.validate_json(row.document, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadValueError(f"a decision after {row.cycles} cycles: {where}: {first['msg']}") from error
    if decision.cycles != row.cycles or canonical_json(asdict(decision)) != row.document:
        raise BadValueError(f"a decision after {row.cycles} cycles is not as an arena writes it")
    return decision


@reads
def logs(db: Transaction) -> list[LogLine]:
    """Return the league's log, oldest first, of all seasons."""
    return [domain(LogLine, row) for row in db.scalars(select(LogRow).order_by(col(LogRow.id)))]


@reads
def logs_of(db: Transaction, season: SeasonView) -> list[LogLine]:
    """Return the log from the beginning of a season on until the next one began, oldest first."""
    later = select(func.min(col(SeasonRow.opened_at))).where(col(SeasonRow.number) > season.number)
    end = db.execute(later).scalar()
    return [line for line in logs(db) if season.opened_at <= line.at and (end is None or line.at < end)]

"""Reads matches with their seats and rounds, their records, their faults, and sums over them by bot.

Its functions are part of `arena.store.read`. They read a season of any size in pieces, all from one state of
the database, and hide no cards: whoever shows them must ask `MatchView.cards_may_show`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Result, func, select
from sqlmodel import col

from arena.conduct.exclusion import Sitting
from arena.errors import UsageError
from arena.match.faults import Fault, FaultKind
from arena.match.record import MatchRecord
from arena.match.record_json import RecordDocument, RoundDocument, document_of, record_from_json
from arena.match.texts import set_texts_from
from arena.match.times import BotTimes, CoreWaits
from arena.papayoo import dealer_of
from arena.store.history import HostView
from arena.store.models import (
    EntryRow,
    FaultRow,
    HostRow,
    MatchRow,
    SeatRow,
    SessionRow,
)
from arena.store.rows import domain, stored
from arena.store.transaction import Transaction, reads, reads_on
from arena.store.views import (
    FaultView,
    MatchState,
    MatchView,
    SeatView,
    SessionKey,
)

_MATCHES_AT_ONCE = 200
"""Matches held in memory, so that a season of any size can be read."""

_ITS_ENTRY = (col(EntryRow.season) == col(MatchRow.season)) & (col(EntryRow.bot) == col(SeatRow.bot))
_ITS_SEAT = (col(SeatRow.match) == col(FaultRow.match)) & (col(SeatRow.seat) == col(FaultRow.seat))
_Conditions: TypeAlias = Sequence[ColumnElement[bool]]
"""The conditions for a statement that selects from `match`."""


def _finished(season: int, numbers: range) -> _Conditions:
    return (
        col(MatchRow.season) == season,
        col(MatchRow.state) == MatchState.FINISHED.value,
        col(MatchRow.number) >= numbers.start,
        col(MatchRow.number) < numbers.stop,
    )


def _matches(db: Transaction, wanted: _Conditions) -> list[MatchView]:
    """Return matches by number, then attempt."""
    seats = _seats_by_match(db, wanted)
    found = db.execute(
        select(
            *(column for column in MatchRow.table().columns if column.name != "record"),
            col(SessionRow.phase),
            col(SessionRow.line_up),
            col(SessionRow.state).label("session_state"),
        )
        .join(SessionRow, col(SessionRow.id) == col(MatchRow.session))
        .where(*wanted)
        .order_by(col(MatchRow.number), col(MatchRow.attempt))
    )
    # Rows, not objects of SQLModel: 48,000 seats take 0.35 s as rows and 1.2 s as objects.
    return [
        domain(MatchView, row, line_up=tuple(row.line_up.split()), seats=tuple(seats.get(row.id, ())))
        for row in found
    ]


def _seats_by_match(db: Transaction, wanted: _Conditions) -> dict[int, list[SeatView]]:
    """Return the seats of each wanted match in order, by the id of its row."""
    found = db.execute(
        select(*SeatRow.table().columns, col(EntryRow.name))
        .join(MatchRow, col(MatchRow.id) == col(SeatRow.match))
        .outerjoin(EntryRow, _ITS_ENTRY)
        .where(*wanted)
        .order_by(col(SeatRow.match), col(SeatRow.seat))
    )
    seats: dict[int, list[SeatView]] = {}
    for row in found:
        at = None if row.hand_over_round is None else (row.hand_over_round, row.hand_over_question)
        seat = domain(SeatView, row, name=row.name or row.bot, hand_over_at=at)
        seats.setdefault(row.match, []).append(seat)
    return seats


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round with canonical cards by name; `hands` (as dealt), `passes` and points are by seat.

    `stand_in`: the decisions that the stand-in made; `took_us`: the time of each decision; `extended`: by how
    much the deadlines of some moved because the bot had no core. Decisions count from 0: first the passes by
    seat, then the plays. `fault_points`: what each seat was charged for this round. A charge that belongs to
    no question, and what a hand-over adds, counts in the round of the hand-over, or in the first.
    """

    round: int
    dealer: int
    papayoo: str
    hands: tuple[str, ...]
    passes: tuple[str, ...]
    plays: tuple[str, ...]
    points: tuple[int, ...]
    fault_points: tuple[int, ...]
    stand_in: tuple[int, ...]
    took_us: tuple[int, ...]
    extended: Mapping[int, int]

    def deciders(self) -> tuple[int, ...]:
        """Return the seat of each decision. A card is played by the seat that holds it after the passes."""
        seats = range(len(self.hands))
        holder = {card: seat for seat in seats for card in self.hands[seat].split()}
        for seat in seats:
            left = (seat + 1) % len(self.hands)
            holder.update(dict.fromkeys(self.passes[seat].split(), left))
        return (*seats, *(holder[card] for card in self.plays))


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match with its rounds in order."""

    match: MatchView
    rounds: tuple[PlayedRound, ...]


@reads_on
def each_match(db: Transaction, season: int) -> Iterator[MatchView]:
    """Yield the finished matches by number, as `matches` returns them, but read piece by piece."""
    for wanted in _pieces(db, season):
        yield from _matches(db, wanted)


@reads_on
def played(db: Transaction, season: int, numbers: range | None = None) -> Iterator[PlayedMatch]:
    """Yield the finished matches with all their rounds, by number; read piece by piece.

    All are in the state that the database had when the first was read. `numbers`: only matches with
    these numbers.
    """
    for wanted in _pieces(db, season, numbers):
        found = db.execute(select(col(MatchRow.number), col(MatchRow.record)).where(*wanted))
        documents = {number: stored(document_of, record) for number, record in found}
        for match in _matches(db, wanted):
            yield played_from(match, documents[match.number])


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """The record of a finished match as JSON, with its number. Decoding it takes longer than reading."""

    number: int
    text: str

    def record(self) -> MatchRecord:
        """Return the record, equal to the one saved. ValueError if it is none."""
        return record_from_json(self.text)


@reads_on
def records(db: Transaction, season: int, numbers: Sequence[int]) -> Iterator[StoredRecord]:
    """Yield the records of the finished matches among these numbers, in ascending order, piece by piece.

    They are not decoded yet: whoever does that may be another process.
    """
    wanted = sorted(numbers)
    finished = (col(MatchRow.season) == season, col(MatchRow.state) == MatchState.FINISHED.value)
    chosen = select(col(MatchRow.number), col(MatchRow.record)).where(*finished)
    for first in range(0, len(wanted), _MATCHES_AT_ONCE):
        found = chosen.where(col(MatchRow.number).in_(wanted[first : first + _MATCHES_AT_ONCE]))
        for number, text in db.execute(found.order_by(col(MatchRow.number))).all():
            yield StoredRecord(number, text or "")


def _pieces(db: Transaction, season: int, numbers: range | None = None) -> Iterator[_Conditions]:
    """Yield what selects the finished matches of a season, or those with these numbers, some at a time."""
    if numbers is None:
        found = db.execute(select(func.max(col(MatchRow.number))).where(col(MatchRow.season) == season))
        numbers = range(1, (found.scalar() or 0) + 1)
    for first in range(numbers.start, numbers.stop, _MATCHES_AT_ONCE):
        yield _finished(season, range(first, min(first + _MATCHES_AT_ONCE, numbers.stop)))


def played_from(match: MatchView, document: RecordDocument) -> PlayedMatch:
    """Return a match from its document, the charge of each seat divided among its rounds."""
    rounds, a_fault = document["rounds"], document["terms"].fault_points
    charged = [[0] * len(match.seats) for _ in rounds]
    for fault in document["faults"]:
        if fault["round"] is not None:
            charged[fault["round"]][fault["seat"]] += a_fault
    for seat in match.seats:
        own = sum(by_seat[seat.seat] for by_seat in charged)
        beyond = seat.hand_over_at[0] if seat.hand_over_at else 0
        charged[beyond][seat.seat] += seat.charge - own
    return PlayedMatch(match, tuple(map(_played_round, range(len(rounds)), rounds, charged)))


def _played_round(number: int, played: RoundDocument, charged: Sequence[int]) -> PlayedRound:
    hands = set_texts_from(played["hands"])
    return PlayedRound(
        round=number,
        dealer=dealer_of(number, len(hands)),
        papayoo=played["papayoo"],
        hands=hands,
        passes=set_texts_from(played["passes"]),
        plays=tuple(played["plays"].split()),
        points=played["points"],
        fault_points=tuple(charged),
        stand_in=played["stand_in"],
        took_us=played["took_us"],
        extended=dict(played["extended"]),
    )


@reads
def hosts(db: Transaction, season: int) -> list[HostView]:
    """Return the hosts on which matches of a season were finished, by id; `MatchView.host` names one."""
    here = select(col(MatchRow.host)).where(col(MatchRow.season) == season)
    found = db.scalars(select(HostRow).where(col(HostRow.id).in_(here)).order_by(col(HostRow.id)))
    return [domain(HostView, row) for row in found]


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
    wanted = [col(MatchRow.season) == season]
    if of_session is not None:
        cycle, index = of_session
        wanted += [col(MatchRow.cycle) == cycle, col(MatchRow.index) == index]
    if state is not None:
        wanted.append(col(MatchRow.state) == state.value)
    if bot is not None:
        wanted.append(col(MatchRow.id).in_(select(col(SeatRow.match)).where(col(SeatRow.bot) == bot)))
    return _matches(db, wanted)


@reads
def match(db: Transaction, season: int, number: int) -> MatchView:
    """Return the finished match with that number, else the last attempt at it.

    UsageError if there is none.
    """
    found = _matches(db, [col(MatchRow.season) == season, col(MatchRow.number) == number])
    if not found:
        raise UsageError(f"Season {season} has no match {number}")
    return next((match for match in found if match.state is MatchState.FINISHED), found[-1])


@reads
def record(db: Transaction, season: int, number: int) -> MatchRecord:
    """Return the whole record of a finished match, equal to the one saved.

    UsageError if it is not finished.
    """
    for found in records(db, season, [number]):
        return stored(StoredRecord.record, found)
    raise UsageError(f"Season {season} has no finished match {number}")


@reads
def faults(
    db: Transaction, season: int, bot: str | None = None, number: int | None = None
) -> list[FaultView]:
    """Return the faults in finished matches, by match number and in the order in which they happened.

    Only those of one bot, or of the match with that number, if named.
    """
    wanted = [col(MatchRow.season) == season]
    if bot is not None:
        wanted.append(col(SeatRow.bot) == bot)
    if number is not None:
        wanted.append(col(MatchRow.number) == number)
    found = db.execute(
        select(
            *FaultRow.table().columns,
            col(MatchRow.number).label("match_number"),
            col(MatchRow.finished_at).label("at"),
            col(SessionRow.state).label("session_state"),
            col(SeatRow.bot),
            col(EntryRow.name),
        )
        .join(MatchRow, col(MatchRow.id) == col(FaultRow.match))
        .join(SessionRow, col(SessionRow.id) == col(MatchRow.session))
        .join(SeatRow, _ITS_SEAT)
        .outerjoin(EntryRow, _ITS_ENTRY)
        .where(*wanted)
        .order_by(col(MatchRow.number), col(FaultRow.number))
    )
    return [
        domain(FaultView, row, match=row.match_number, name=row.name or row.bot, fault=domain(Fault, row))
        for row in found
    ]


@reads
def fault_counts(db: Transaction, season: int) -> dict[str, dict[FaultKind, int]]:
    """Return, by bot id, the number of its faults of each kind; bots and kinds without any are absent."""
    counted = (
        select(col(SeatRow.bot), col(FaultRow.kind), func.count())
        .join(SeatRow, _ITS_SEAT)
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
def bot_times(db: Transaction, season: int) -> list[BotTimes]:
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
def core_waits(db: Transaction, season: int) -> CoreWaits:
    """Return how long the bots of all finished matches waited for cores."""
    took, queued, extended = col(SeatRow.took_total_us), col(SeatRow.queued_us), col(SeatRow.extended_us)
    summed = (
        select(func.sum(took + extended), func.sum(queued), func.sum(extended))
        .join(MatchRow, col(MatchRow.id) == col(SeatRow.match))
        .where(col(MatchRow.season) == season)
    )
    return CoreWaits(*[us or 0 for us in db.execute(summed).one()])


@reads
def processes(db: Transaction, season: int) -> dict[str, int]:
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
def sandbox_levels(db: Transaction, season: int) -> dict[str, int]:
    """Return how many finished matches were played under each level of the sandbox."""
    counted = (
        select(col(MatchRow.sandbox), func.count())
        .where(col(MatchRow.season) == season, col(MatchRow.state) == MatchState.FINISHED.value)
        .group_by(col(MatchRow.sandbox))
        .order_by(col(MatchRow.sandbox))
    )
    return {str(level): int(count) for level, count in db.execute(counted)}


@reads_on
def sittings(db: Transaction, season: int) -> Iterator[Sitting]:
    """Yield every bot of every finished match, and whether it was replaced in it, match by match."""
    found: Result[Any] = db.execute(
        select(
            col(MatchRow.id), col(SeatRow.bot), col(MatchRow.cycle), col(MatchRow.index),
            col(MatchRow.order), col(SeatRow.hand_over).label("lost"), col(SeatRow.pid),
            col(MatchRow.started_at), col(MatchRow.finished_at),
        )
        .join(SeatRow, col(SeatRow.match) == col(MatchRow.id))
        .where(col(MatchRow.season) == season, col(MatchRow.state) == MatchState.FINISHED.value)
        # A bot that was replaced at any of its seats counts as replaced, so such seats come first.
        .order_by(col(MatchRow.id), col(SeatRow.bot), col(SeatRow.hand_over).is_(None), col(SeatRow.seat))
    )  # fmt: skip
    last = None
    for row in found:
        if last != (row.id, row.bot):
            last = row.id, row.bot
            yield domain(Sitting, row)

"""Reads matches with their seats and rounds, their records, and faults with their places.

It reads a season of any size in pieces, all from one state of the database. It hides no cards: whoever
shows them must ask `MatchView.cards_may_show`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, func, select
from sqlmodel import col

from arena.match.faults import Fault
from arena.match.record import MatchRecord
from arena.match.record_json import RecordDocument, RoundDocument, document_of, record_from_json
from arena.match.texts import set_texts_from
from arena.papayoo import dealer_of
from arena.store.history import HostView
from arena.store.models import EntryRow, FaultRow, HostRow, MatchRow, SeatRow, SessionRow
from arena.store.rows import domain, stored
from arena.store.transaction import Transaction, reads, reads_on
from arena.store.views import FaultView, MatchState, MatchView, SeatView, SessionKey

__all__ = [
    "FaultQuery",
    "MatchQuery",
    "PlayedMatch",
    "PlayedRound",
    "StoredRecord",
    "read_each",
    "read_faults",
    "read_hosts",
    "read_matches",
    "read_played",
    "read_records",
]


_MATCHES_AT_ONCE = 200
"""Matches held in memory, so that a season of any size can be read."""


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """Which matches are wanted; None means any."""

    season: int
    bot: str | None = None
    session: SessionKey | None = None
    state: MatchState | None = None
    number: int | None = None
    numbers: range | None = None

    def conditions(self) -> Sequence[ColumnElement[bool]]:
        """Return the conditions for the WHERE clause of a statement that selects from `match`."""
        wanted: list[ColumnElement[bool]] = [col(MatchRow.season) == self.season]
        if self.session is not None:
            cycle, index = self.session
            wanted += [col(MatchRow.cycle) == cycle, col(MatchRow.index) == index]
        if self.state is not None:
            wanted.append(col(MatchRow.state) == self.state.value)
        if self.number is not None:
            wanted.append(col(MatchRow.number) == self.number)
        if self.numbers is not None:
            wanted += [col(MatchRow.number) >= self.numbers.start, col(MatchRow.number) < self.numbers.stop]
        if self.bot is not None:
            wanted.append(
                col(MatchRow.id).in_(select(col(SeatRow.match)).where(col(SeatRow.bot) == self.bot))
            )
        return wanted


@dataclass(frozen=True, slots=True)
class FaultQuery:
    """Which faults are wanted; None means any."""

    season: int
    bot: str | None = None
    number: int | None = None


def read_matches(db: Transaction, query: MatchQuery) -> list[MatchView]:
    """Read what `read.matches` returns."""
    seats = _seats_by_match(db, query)
    found = db.execute(
        select(
            *(column for column in MatchRow.table().columns if column.name != "record"),
            col(SessionRow.phase),
            col(SessionRow.line_up),
            col(SessionRow.state).label("session_state"),
        )
        .join(SessionRow, col(SessionRow.id) == col(MatchRow.session))
        .where(*query.conditions())
        .order_by(col(MatchRow.number), col(MatchRow.attempt))
    )
    # Rows, not objects of SQLModel: 48,000 seats take 0.35 s as rows and 1.2 s as objects.
    return [
        domain(MatchView, row, line_up=tuple(row.line_up.split()), seats=tuple(seats.get(row.id, ())))
        for row in found
    ]


def read_faults(db: Transaction, query: FaultQuery) -> list[FaultView]:
    """Read what `read.faults` returns."""
    wanted = [col(MatchRow.season) == query.season]
    if query.bot is not None:
        wanted.append(col(SeatRow.bot) == query.bot)
    if query.number is not None:
        wanted.append(col(MatchRow.number) == query.number)
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
        .join(
            SeatRow, (col(SeatRow.match) == col(FaultRow.match)) & (col(SeatRow.seat) == col(FaultRow.seat))
        )
        .outerjoin(
            EntryRow, (col(EntryRow.season) == col(MatchRow.season)) & (col(EntryRow.bot) == col(SeatRow.bot))
        )
        .where(*wanted)
        .order_by(col(MatchRow.number), col(FaultRow.number))
    )
    return [
        domain(FaultView, row, match=row.match_number, name=row.name or row.bot, fault=domain(Fault, row))
        for row in found
    ]


def _seats_by_match(db: Transaction, query: MatchQuery) -> dict[int, list[SeatView]]:
    """Return the seats of each wanted match in order, by the id of its row."""
    found = db.execute(
        select(*SeatRow.table().columns, col(EntryRow.name))
        .join(MatchRow, col(MatchRow.id) == col(SeatRow.match))
        .outerjoin(
            EntryRow,
            (col(EntryRow.season) == col(MatchRow.season)) & (col(EntryRow.bot) == col(SeatRow.bot)),
        )
        .where(*query.conditions())
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
def read_each(db: Transaction, season: int) -> Iterator[MatchView]:
    """Yield the finished matches by number, as `read.matches` returns them, but read piece by piece."""
    for query in _pieces(db, MatchQuery(season)):
        yield from read_matches(db, query)


@reads_on
def read_played(db: Transaction, season: int, numbers: range | None = None) -> Iterator[PlayedMatch]:
    """Yield the finished matches with all their rounds, by number; read piece by piece.

    All are in the state that the database had when the first was read. `numbers`: only matches with
    these numbers.
    """
    for query in _pieces(db, MatchQuery(season, numbers=numbers)):
        found = db.execute(select(col(MatchRow.number), col(MatchRow.record)).where(*query.conditions()))
        documents = {number: stored(document_of, record) for number, record in found}
        for match in read_matches(db, query):
            yield _played(match, documents[match.number])


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """The record of a finished match as JSON, with its number. Decoding it takes longer than reading."""

    number: int
    text: str

    def record(self) -> MatchRecord:
        """Return the record, equal to the one saved. ValueError if it is none."""
        return record_from_json(self.text)


@reads_on
def read_records(db: Transaction, season: int, numbers: Sequence[int]) -> Iterator[StoredRecord]:
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


def _pieces(db: Transaction, query: MatchQuery) -> Iterator[MatchQuery]:
    """Yield queries for the finished matches of a season, or for the wanted numbers, some at a time."""
    wanted = query.numbers
    if wanted is None:
        found = db.execute(select(func.max(col(MatchRow.number))).where(col(MatchRow.season) == query.season))
        wanted = range(1, (found.scalar() or 0) + 1)
    for first in range(wanted.start, wanted.stop, _MATCHES_AT_ONCE):
        numbers = range(first, min(first + _MATCHES_AT_ONCE, wanted.stop))
        yield replace(query, state=MatchState.FINISHED, numbers=numbers)


def _played(match: MatchView, document: RecordDocument) -> PlayedMatch:
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
def read_hosts(db: Transaction, season: int) -> list[HostView]:
    """Return the hosts on which matches of a season were finished, by id; `MatchView.host` names one."""
    here = select(col(MatchRow.host)).where(col(MatchRow.season) == season)
    found = db.scalars(select(HostRow).where(col(HostRow.id).in_(here)).order_by(col(HostRow.id)))
    return [domain(HostView, row) for row in found]

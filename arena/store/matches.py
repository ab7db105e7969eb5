"""Reads matches with their seats and rounds, and faults with their places, for pages and exports.

It reads a season of any size in pieces, all from one state of the database. It hides no cards: whoever
shows them must ask `MatchView.cards_may_show`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, Connection, func, select

from arena.match.record_json import RecordDocument, RoundDocument, document_of
from arena.match.texts import set_texts_from
from arena.papayoo import dealer_of
from arena.store import models
from arena.store.after_end import in_league, state_now
from arena.store.models import table_of
from arena.store.row import stored
from arena.store.rows import fault_from, hand_over_from, shaped
from arena.store.session import reads_on
from arena.store.views import FaultView, MatchState, MatchView, SeatView, SessionKey, SessionState

__all__ = [
    "FaultQuery",
    "MatchQuery",
    "PlayedMatch",
    "PlayedRound",
    "read_each",
    "read_faults",
    "read_matches",
    "read_played",
]

_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
_SEAT = table_of(models.Seat)
_FAULT = table_of(models.Fault)
_ENTRY = table_of(models.Entry)

_MATCHES_AT_ONCE = 200
"""Matches held in memory, so that a season of any size can be read."""


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """Which matches are wanted; None means any. `after_end`: also those after the end of their stretch."""

    season: int
    bot: str | None = None
    session: SessionKey | None = None
    state: MatchState | None = None
    number: int | None = None
    numbers: range | None = None
    after_end: bool = False

    def conditions(self) -> Sequence[ColumnElement[bool]]:
        """Return the conditions for the WHERE clause of a statement that selects from `match`."""
        wanted: list[ColumnElement[bool]] = [_MATCH.c.season == self.season]
        if not self.after_end:
            wanted.append(in_league())
        if self.session is not None:
            cycle, index = self.session
            wanted += [_MATCH.c.cycle == cycle, _MATCH.c.index == index]
        if self.state is not None:
            wanted.append(_MATCH.c.state == self.state.value)
        if self.number is not None:
            wanted.append(_MATCH.c.number == self.number)
        if self.numbers is not None:
            wanted += [_MATCH.c.number >= self.numbers.start, _MATCH.c.number < self.numbers.stop]
        if self.bot is not None:
            wanted.append(_MATCH.c.id.in_(select(_SEAT.c.match).where(_SEAT.c.bot == self.bot)))
        return wanted


@dataclass(frozen=True, slots=True)
class FaultQuery:
    """Which faults are wanted; None means any. Those after the end of a stretch are found by number only."""

    season: int
    bot: str | None = None
    number: int | None = None


def read_matches(connection: Connection, query: MatchQuery) -> list[MatchView]:
    """Read what `Database.matches` returns."""
    seats = _seats_by_match(connection, query)
    found = connection.execute(
        select(
            *(column for column in _MATCH.c if column is not _MATCH.c.record),
            _SESSION.c.stretch,
            _SESSION.c.line_up,
            state_now().label("session_state"),
        )
        .join(_SESSION, _SESSION.c.id == _MATCH.c.session)
        .where(*query.conditions())
        .order_by(_MATCH.c.number, _MATCH.c.attempt)
    )
    return [
        shaped(
            MatchView,
            row,
            state=stored(MatchState, row["state"]),
            session_state=stored(SessionState, row["session_state"]),
            line_up=tuple(row["line_up"].split()),
            seats=tuple(seats.get(row["id"], ())),
        )
        for row in found.mappings()
    ]


def read_faults(connection: Connection, query: FaultQuery) -> list[FaultView]:
    """Read what `Database.faults` returns."""
    wanted = [_MATCH.c.season == query.season]
    if query.number is None:
        wanted.append(in_league())
    if query.bot is not None:
        wanted.append(_SEAT.c.bot == query.bot)
    if query.number is not None:
        wanted.append(_MATCH.c.number == query.number)
    found = connection.execute(
        select(
            _FAULT,
            _MATCH.c.number.label("match_number"),
            _MATCH.c.finished_at.label("at"),
            state_now().label("session_state"),
            _SEAT.c.bot,
            _ENTRY.c.name,
        )
        .join(_MATCH, _MATCH.c.id == _FAULT.c.match)
        .join(_SESSION, _SESSION.c.id == _MATCH.c.session)
        .join(_SEAT, (_SEAT.c.match == _FAULT.c.match) & (_SEAT.c.seat == _FAULT.c.seat))
        .outerjoin(_ENTRY, (_ENTRY.c.season == _MATCH.c.season) & (_ENTRY.c.bot == _SEAT.c.bot))
        .where(*wanted)
        .order_by(_MATCH.c.number, _FAULT.c.number)
    )
    return [
        shaped(
            FaultView,
            row,
            match=row["match_number"],
            session_state=stored(SessionState, row["session_state"]),
            name=row["name"] or row["bot"],
            fault=fault_from(row),
        )
        for row in found.mappings()
    ]


def _seats_by_match(connection: Connection, query: MatchQuery) -> dict[int, list[SeatView]]:
    """Return the seats of each wanted match in order, by the id of its row."""
    found = connection.execute(
        select(
            _SEAT.c.match, _SEAT.c.seat, _SEAT.c.bot, _ENTRY.c.name, _SEAT.c.points, _SEAT.c.charge,
            _SEAT.c.place, _SEAT.c.faults, _SEAT.c.hand_over, _SEAT.c.hand_over_round,
            _SEAT.c.hand_over_question, _SEAT.c.late, _SEAT.c.decisions, _SEAT.c.took_total_us,
            _SEAT.c.took_max_us, _SEAT.c.cpu_us, _SEAT.c.off_turn_us, _SEAT.c.queued_us, _SEAT.c.frozen,
            _SEAT.c.left_core, _SEAT.c.pid, _SEAT.c.stderr_bytes, _SEAT.c.extended_us,
        )
        .join(_MATCH, _MATCH.c.id == _SEAT.c.match)
        .outerjoin(_ENTRY, (_ENTRY.c.season == _MATCH.c.season) & (_ENTRY.c.bot == _SEAT.c.bot))
        .where(*query.conditions())
        .order_by(_SEAT.c.match, _SEAT.c.seat)
    )  # fmt: skip
    seats: dict[int, list[SeatView]] = {}
    for row in found.mappings():
        name = row["name"] or row["bot"]
        seats.setdefault(row["match"], []).append(shaped(SeatView, row, name=name, **hand_over_from(row)))
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
def read_each(connection: Connection, season: int, after_end: bool = False) -> Iterator[MatchView]:
    """Yield the finished matches by number, as `read.matches` returns them, but read piece by piece."""
    for query in _pieces(connection, MatchQuery(season, after_end=after_end)):
        yield from read_matches(connection, query)


@reads_on
def read_played(
    connection: Connection, season: int, numbers: range | None = None, after_end: bool = False
) -> Iterator[PlayedMatch]:
    """Yield the finished matches with all their rounds, by number; read piece by piece.

    All are in the state that the database had when the first was read. `numbers`: only matches with
    these numbers.
    """
    for query in _pieces(connection, MatchQuery(season, numbers=numbers, after_end=after_end)):
        found = connection.execute(select(_MATCH.c.number, _MATCH.c.record).where(*query.conditions()))
        documents = {number: stored(document_of, record) for number, record in found}
        for match in read_matches(connection, query):
            yield _played(match, documents[match.number])


def _pieces(connection: Connection, query: MatchQuery) -> Iterator[MatchQuery]:
    """Yield queries for the finished matches of a season, or for the wanted numbers, some at a time."""
    wanted = query.numbers
    if wanted is None:
        found = connection.execute(select(func.max(_MATCH.c.number)).where(_MATCH.c.season == query.season))
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

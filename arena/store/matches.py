"""Reads matches with their seats and rounds, and faults with their places, for pages and exports.

It reads a season of any size in pieces, all from one state of the database. It hides no cards: whoever
shows them must ask `MatchView.cards_may_show`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, Connection, RowMapping, func, select

from arena.store import models
from arena.store.after_end import in_league, state_now
from arena.store.dialects import last_characters
from arena.store.models import table_of
from arena.store.rows import fault_from, hand_over_from, shaped
from arena.store.texts import amounts_from, line_up_from, numbers_from, set_texts_from
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
_ROUND = table_of(models.Round)

_LAST_WORDS = 500
"""Characters of a bot's standard error that are shown with each of its faults."""
_MATCHES_AT_ONCE = 200
"""Matches held in memory, so that a season of any size can be read."""
_Charges = dict[tuple[int, int], dict[int, int]]
"""Fault points by round, for each (match number, seat)."""


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
    """Read what `Reader.matches` returns."""
    seats = _seats_by_match(connection, query)
    found = connection.execute(
        select(
            _MATCH,
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
            state=MatchState(row["state"]),
            session_state=SessionState(row["session_state"]),
            line_up=line_up_from(row["line_up"]),
            seats=tuple(seats.get(row["id"], ())),
        )
        for row in found.mappings()
    ]


def read_faults(connection: Connection, query: FaultQuery) -> list[FaultView]:
    """Read what `Reader.faults` returns."""
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
            last_characters(
                func.coalesce(func.nullif(_SEAT.c.stderr_tail, ""), _SEAT.c.stderr_head), _LAST_WORDS
            ).label("last_words"),
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
            session_state=SessionState(row["session_state"]),
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


def read_each(connection: Connection, season: int, after_end: bool = False) -> Iterator[MatchView]:
    """Read what `Reader.each_match` returns."""
    for query in _pieces(connection, MatchQuery(season, after_end=after_end)):
        yield from read_matches(connection, query)


def read_played(
    connection: Connection, season: int, numbers: range | None = None, after_end: bool = False
) -> Iterator[PlayedMatch]:
    """Read what `Reader.played` returns."""
    for query in _pieces(connection, MatchQuery(season, numbers=numbers, after_end=after_end)):
        rounds = _rounds_by_match(connection, query)
        charges = _charges(connection, query)
        for match in read_matches(connection, query):
            yield _played(match, rounds.get(match.number, ()), charges)


def _pieces(connection: Connection, query: MatchQuery) -> Iterator[MatchQuery]:
    """Yield queries for the finished matches of a season, or for the wanted numbers, some at a time."""
    wanted = query.numbers
    if wanted is None:
        found = connection.execute(select(func.max(_MATCH.c.number)).where(_MATCH.c.season == query.season))
        wanted = range(1, (found.scalar() or 0) + 1)
    for first in range(wanted.start, wanted.stop, _MATCHES_AT_ONCE):
        numbers = range(first, min(first + _MATCHES_AT_ONCE, wanted.stop))
        yield replace(query, state=MatchState.FINISHED, numbers=numbers)


def _rounds_by_match(connection: Connection, query: MatchQuery) -> dict[int, list[RowMapping]]:
    """Return the rows of `round` by match number, in order."""
    found = connection.execute(
        select(
            _MATCH.c.number, _ROUND.c.round, _ROUND.c.dealer, _ROUND.c.papayoo, _ROUND.c.hands,
            _ROUND.c.passes, _ROUND.c.plays, _ROUND.c.points, _ROUND.c.stand_in, _ROUND.c.took_us,
            _ROUND.c.extended,
        )
        .join(_MATCH, _MATCH.c.id == _ROUND.c.match)
        .where(*query.conditions())
        .order_by(_MATCH.c.number, _ROUND.c.round)
    )  # fmt: skip
    rounds: dict[int, list[RowMapping]] = {}
    for row in found.mappings():
        rounds.setdefault(row["number"], []).append(row)
    return rounds


def _charges(connection: Connection, query: MatchQuery) -> _Charges:
    """Return what the faults inside rounds cost, by match number, seat and round."""
    found = connection.execute(
        select(_MATCH.c.number, _FAULT.c.seat, _FAULT.c.round, func.sum(_MATCH.c.fault_points))
        .join(_MATCH, _MATCH.c.id == _FAULT.c.match)
        .where(*query.conditions(), _FAULT.c.round.is_not(None))
        .group_by(_MATCH.c.number, _FAULT.c.seat, _FAULT.c.round)
    )
    charges: _Charges = {}
    for number, seat, round_, points in found:
        charges.setdefault((number, seat), {})[round_] = points
    return charges


def _played(match: MatchView, rows: Sequence[RowMapping], charges: _Charges) -> PlayedMatch:
    """Return a match from its rows, the charge of each seat divided among its rounds."""
    charged = [[0] * len(match.seats) for _ in rows]
    for seat in match.seats:
        own = charges.get((match.number, seat.seat), {})
        for round_, points in own.items():
            charged[round_][seat.seat] += points
        beyond = seat.hand_over_at[0] if seat.hand_over_at else 0
        charged[beyond][seat.seat] += seat.charge - sum(own.values())
    return PlayedMatch(match, tuple(map(_played_round, rows, charged)))


def _played_round(row: RowMapping, charged: Sequence[int]) -> PlayedRound:
    return shaped(
        PlayedRound,
        row,
        hands=set_texts_from(row["hands"]),
        passes=set_texts_from(row["passes"]),
        plays=tuple(row["plays"].split()),
        points=numbers_from(row["points"]),
        fault_points=tuple(charged),
        stand_in=numbers_from(row["stand_in"]),
        took_us=numbers_from(row["took_us"]),
        extended=dict(amounts_from(row["extended"])),
    )

"""The finished matches of a season with their rounds, one after another: for exports and ratings.

Reads a season of any size in pieces, all from one state of the database. It hides no cards: whoever
shows them asks `MatchView.cards_may_show`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, select

from arena.store import models
from arena.store.matches import MatchQuery, read_matches
from arena.store.models import table_of
from arena.store.texts import numbers_from, set_texts_from
from arena.store.views import MatchState, MatchView

__all__ = ["PlayedMatch", "PlayedRound", "read_each", "read_played"]

_MATCH = table_of(models.Match)
_ROUND = table_of(models.Round)
_FAULT = table_of(models.Fault)

_MATCHES_AT_ONCE = 200

_Charges = dict[tuple[int, int], dict[int, int]]
"""By match number and seat: fault points by round."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round with canonical cards by name; `hands` (as dealt), `passes` and points are by seat.

    `stand_in`: the decisions that the stand-in made; `took_us`: the time of each. Decisions are
    counted from 0: first the passes by seat, then the plays. `fault_points`: what each seat was
    charged for this round; what belongs to no question, and what a hand-over adds, is charged to
    the round of the hand-over, or to the first.
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

    def deciders(self) -> tuple[int, ...]:
        """The seat of each decision. A card is played by whoever holds it after the passes."""
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


def read_each(connection: Connection, season: int) -> Iterator[MatchView]:
    """See `Reader.each_match`."""
    for query in _pieces(connection, season):
        yield from read_matches(connection, query)


def read_played(connection: Connection, season: int, numbers: range | None = None) -> Iterator[PlayedMatch]:
    """See `Reader.played`."""
    for query in _pieces(connection, season, numbers):
        rounds = _rounds(connection, query)
        charges = _charges(connection, query)
        for match in read_matches(connection, query):
            yield _played(match, rounds.get(match.number, ()), charges)


def _pieces(connection: Connection, season: int, wanted: range | None = None) -> Iterator[MatchQuery]:
    """The finished matches of a season, or those of the numbers wanted, some at a time, by number."""
    if wanted is None:
        found = connection.execute(select(func.max(_MATCH.c.number)).where(_MATCH.c.season == season))
        wanted = range(1, (found.scalar() or 0) + 1)
    for first in range(wanted.start, wanted.stop, _MATCHES_AT_ONCE):
        numbers = range(first, min(first + _MATCHES_AT_ONCE, wanted.stop))
        yield MatchQuery(season, state=MatchState.FINISHED, numbers=numbers)


def _rounds(connection: Connection, query: MatchQuery) -> dict[int, list[Row[*tuple[Any, ...]]]]:
    """The rows of `round` by match number, in order."""
    found = connection.execute(
        select(
            _MATCH.c.number, _ROUND.c.round, _ROUND.c.dealer, _ROUND.c.papayoo, _ROUND.c.hands,
            _ROUND.c.passes, _ROUND.c.plays, _ROUND.c.points, _ROUND.c.stand_in, _ROUND.c.took_us,
        )
        .join(_MATCH, _MATCH.c.id == _ROUND.c.match)
        .where(*query.conditions())
        .order_by(_MATCH.c.number, _ROUND.c.round)
    )  # fmt: skip
    rounds: dict[int, list[Row[*tuple[Any, ...]]]] = {}
    for row in found:
        rounds.setdefault(row.number, []).append(row)
    return rounds


def _charges(connection: Connection, query: MatchQuery) -> _Charges:
    """What the faults inside rounds cost, by match number, seat and round."""
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


def _played(match: MatchView, rows: Sequence[Row[*tuple[Any, ...]]], charges: _Charges) -> PlayedMatch:
    """A match from its rows, the charge of each seat shared among its rounds."""
    charged = [[0] * len(match.seats) for _ in rows]
    for seat in match.seats:
        own = charges.get((match.number, seat.seat), {})
        for round_, points in own.items():
            charged[round_][seat.seat] += points
        beyond = seat.hand_over_at[0] if seat.hand_over_at else 0
        charged[beyond][seat.seat] += seat.charge - sum(own.values())
    return PlayedMatch(match, tuple(map(_round_from, rows, charged)))


def _round_from(row: Row[*tuple[Any, ...]], charged: Sequence[int]) -> PlayedRound:
    return PlayedRound(
        round=row.round,
        dealer=row.dealer,
        papayoo=row.papayoo,
        hands=set_texts_from(row.hands),
        passes=set_texts_from(row.passes),
        plays=tuple(row.plays.split()),
        points=numbers_from(row.points),
        fault_points=tuple(charged),
        stand_in=numbers_from(row.stand_in),
        took_us=numbers_from(row.took_us),
    )

"""Makes the rows of an export, one after another, from what the store tells. Formats and writes nothing.

Whatever depends on clocks, process ids or the order of arrival is in columns of its own or left out, so
that equal plays give equal rows. Cards of a session are exported only when it is over.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter

from arena.export.tables import TABLES, What
from arena.score.columns import COLUMNS, Cell, Line
from arena.store import read
from arena.store.database import Database
from arena.store.matches import PlayedMatch, PlayedRound
from arena.store.scoring import cards_shown, scored
from arena.store.views import MatchView, SeasonView, SeatView, SessionKey

Row = tuple[Cell, ...]

_NO_CARDS: Row = (None, None, None)

_DIGITS = 6
"""Digits of points. More would differ between machines."""
_ANY = ""
"""The key of whoever sat there, beside the ids of bots."""


@dataclass(frozen=True, slots=True)
class Export:
    """What is wanted of a season.

    `timing`: with the columns that depend on clocks. `cards_at_end`: with cards only when the whole league
    is over, in an open one the phase of the match, as with `reveal = "finished"` in the league file.
    `ended`: whether another season has begun, so that nothing more is dealt in this one.
    """

    season: SeasonView
    what: What
    timing: bool = False
    cards_at_end: bool = False
    ended: bool = False


def table_rows(database: Database, wanted: Export) -> Iterator[Row]:
    """Yield the rows of a table in its order, with the columns of `columns_of`. StoreError."""
    kept = [place for place, column in enumerate(TABLES[wanted.what]) if wanted.timing or not column.timing]
    yield from map(itemgetter(*kept), _TABLES[wanted.what](database, wanted))


def _standings(database: Database, wanted: Export) -> Iterator[Row]:
    for line in scored(database, wanted.season).lines(wanted.season):
        yield (wanted.season.number, *standing_cells(line).values())


def standing_cells(line: Line) -> Mapping[str, Cell]:
    """Return the columns of `standings` but for the season, by name and in their order."""
    cells = {column.name: column.value(line) for column in COLUMNS}
    return {name: rounded(cell) if isinstance(cell, float) else cell for name, cell in cells.items()}


def rounded(points: float | None) -> float | None:
    """Return points with the digits that are alike on all machines. Never -0.0."""
    return None if points is None else round(points, _DIGITS) + 0.0


def _sessions(database: Database, wanted: Export) -> Iterator[Row]:
    number = wanted.season.number
    matches: defaultdict[SessionKey, Counter[str]] = defaultdict(Counter)
    rounds: defaultdict[SessionKey, Counter[str]] = defaultdict(Counter)
    points: defaultdict[SessionKey, Counter[tuple[str, str]]] = defaultdict(Counter)
    hosts: defaultdict[SessionKey, set[int | None]] = defaultdict(set)
    for match in read.each_match(database, number):
        key = (match.cycle, match.index)
        hosts[key].add(match.host)
        for bot in {_ANY, *(seat.bot for seat in match.seats)}:
            matches[key][bot] += 1
            rounds[key][bot] += match.rounds
        for seat in match.seats:
            points[key][seat.bot, "card"] += seat.points
            points[key][seat.bot, "fault"] += seat.charge
    for session in read.sessions(database, number):
        key = (session.cycle, session.index)
        for place, bot in enumerate(session.line_up):
            who = bot if bot in matches[key] else _ANY  # the stand-in had its seats
            yield (
                number, *key, session.phase, session.state.value, place, bot,
                matches[key][who], rounds[key][who], points[key][bot, "card"], points[key][bot, "fault"],
                len(hosts[key] - {None}) > 1,
            )  # fmt: skip


def _matches(database: Database, wanted: Export) -> Iterator[Row]:
    for match in read.each_match(database, wanted.season.number):
        for seat in match.seats:
            yield (
                *_place(wanted, match), match.attempt, match.session_state.value, match.suits, match.rounds,
                seat.seat, seat.bot, seat.points, seat.charge, seat.place, seat.faults,
                *_hand_over(seat),
                match.started_at, match.finished_at, seat.decisions, seat.took_total_us, seat.took_max_us,
                seat.cpu_us, seat.off_turn_us, seat.queued_us, seat.extended_us, seat.frozen, seat.left_core,
                seat.late, match.lateness_count, match.sandbox, match.host,
            )  # fmt: skip


def _hand_over(seat: SeatView) -> tuple[str | None, int | None, int | None]:
    if seat.hand_over is None:
        return None, None, None
    return seat.hand_over.value, *(seat.hand_over_at or (None, None))


def _rounds(database: Database, wanted: Export) -> Iterator[Row]:
    shows = cards_shown(database, wanted.season, wanted.ended, wanted.cards_at_end)
    for played in read.played(database, wanted.season.number):
        place, shown = _place(wanted, played.match), shows(played.match)
        for round_ in played.rounds:
            for seat in played.match.seats:
                number = seat.seat
                yield (
                    *place, round_.round, number, seat.bot, round_.dealer == number,
                    round_.points[number], round_.fault_points[number],
                    *((round_.papayoo, round_.hands[number], round_.passes[number]) if shown else _NO_CARDS),
                )  # fmt: skip


def _plays(database: Database, wanted: Export) -> Iterator[Row]:
    shows = cards_shown(database, wanted.season, wanted.ended, wanted.cards_at_end)
    for played in read.played(database, wanted.season.number):
        if shows(played.match):
            for round_ in played.rounds:
                yield from _decisions(_place(wanted, played.match), played, round_)


def _decisions(place: Row, played: PlayedMatch, round_: PlayedRound) -> Iterator[Row]:
    seats = len(round_.hands)
    cards = (*round_.passes, *round_.plays)
    by_stand_in = frozenset(round_.stand_in)
    bots = [seat.bot for seat in played.match.seats]
    for decision, (seat, what, took) in enumerate(zip(round_.deciders(), cards, round_.took_us, strict=True)):
        question = decision // seats  # the passes are the first of them
        yield (
            *place, round_.round, decision, question, seat, bots[seat], what, decision in by_stand_in, took,
            round_.extended.get(decision, 0),
        )  # fmt: skip


def _hosts(database: Database, wanted: Export) -> Iterator[Row]:
    number = wanted.season.number
    played = Counter(match.host for match in read.each_match(database, number))
    for host in read.hosts(database, wanted.season.number):
        yield (
            wanted.season.number, host.id, host.name, host.machine, host.processor, host.cores, host.compiled,
            host.sandbox, host.arena, host.python, played[host.id], host.first_seen_at,
        )  # fmt: skip


def _place(wanted: Export, match: MatchView) -> Row:
    return wanted.season.number, match.number, match.cycle, match.index, match.order


_TABLES: Mapping[What, Callable[[Database, Export], Iterator[Row]]] = {
    What.STANDINGS: _standings,
    What.SESSIONS: _sessions,
    What.MATCHES: _matches,
    What.ROUNDS: _rounds,
    What.PLAYS: _plays,
    What.HOSTS: _hosts,
}

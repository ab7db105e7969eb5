"""Matches, seasons, entries and stretches as rows of the tables, and made again from them. Executes no SQL.

The rows of a match lose nothing: `record_from` gives back exactly what they were made from, save for
characters that no database takes (lone surrogates in what a bot wrote), which become "?".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import lru_cache

from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import MatchRecord, MatchSetup, RoundRecord, SeatRecord, Terms
from arena.papayoo import PAPAYOOS, Board, card_name, dealer_of, parse_card
from arena.store import models
from arena.store.bulk import Values
from arena.store.inputs import NewSeason, NewStretch
from arena.store.texts import numbers_from, numbers_text, plays_from, plays_text, sets_from, sets_text
from arena.store.times import spent_by_seat
from arena.store.views import Action, Entry, LogLine, MatchState, Reported, Role, SeasonView, StretchView

__all__ = [
    "ROUND_COLUMNS",
    "SEAT_COLUMNS",
    "Cells",
    "entry_cells",
    "fault_rows",
    "finished_match",
    "line_cells",
    "record_from",
    "round_rows",
    "season_cells",
    "season_from",
    "seat_rows",
    "stretch_cells",
]

_hands_text = lru_cache(maxsize=512)(sets_text)
"""A session plays the same boards in every seat order, so that a board's text is needed again soon."""

Cells = dict[str, object]
"""One row: a value for each column that is set."""

SEAT_COLUMNS = (
    "match", "seat", "bot", "points", "charge", "place", "faults", "late", "decisions", "took_total_us",
    "took_max_us", "cpu_us", "off_turn_us", "queued_us", "frozen", "left_core", "pid", "bot_table", "seed",
    "id_key", "stderr_bytes", "stderr_head", "stderr_tail",
)  # fmt: skip
"""What every row of `seat` says."""

ROUND_COLUMNS = (
    "match", "round", "dealer", "papayoo", "hands", "passes", "plays", "points", "stand_in", "took_us",
)  # fmt: skip
"""What a row of `round` says."""


def finished_match(record: MatchRecord) -> Cells:
    """The columns of `match` that finishing it sets; its place in the schedule is there already."""
    terms = record.setup.terms
    return {
        "state": MatchState.FINISHED.value,
        "suits": record.setup.suits,
        "started_at": record.started_at,
        "finished_at": record.finished_at,
        "rounds": len(record.rounds),
        "lateness_count": record.lateness_count,
        "lateness_us": record.lateness_us,
        "sandbox": record.sandbox,
        "record_version": record.version,
        "move_ms": terms.move_ms,
        "bank_ms": terms.bank_ms,
        "fault_points": terms.fault_points,
        "max_faults": terms.max_faults,
    }


def seat_rows(match: int, record: MatchRecord) -> list[tuple[Values, Cells]]:
    """The rows of `seat` for the match with that id: the values of SEAT_COLUMNS, and what else it says.

    What is NULL in most rows is not said, and truth is a number: SQLite's driver takes text and whole
    numbers as they are, and looks for an adapter for everything else.
    """
    names = record.setup.names
    spent = spent_by_seat(record)
    rows: list[tuple[Values, Cells]] = []
    for number, (seat, seed, took) in enumerate(zip(record.seats, record.setup.seeds, spent, strict=True)):
        values = (
            match, number, seat.bot, seat.points, seat.charge, seat.place, seat.faults, seat.late, *took,
            seat.cpu_us, seat.off_turn_us, seat.queued_us, int(seat.frozen), int(seat.left_core), seat.pid,
            seat.table, seed, seat.id_key, seat.stderr_bytes, _storable(seat.stderr_head),
            _storable(seat.stderr_tail),
        )  # fmt: skip
        more = _hand_over_cells(seat)
        rows.append((values, {**more, "told_name": names[number]} if names else more))
    return rows


def _hand_over_cells(seat: SeatRecord) -> Cells:
    if seat.hand_over is None and seat.hand_over_at is None:
        return {}
    number, question = seat.hand_over_at or (None, None)
    return {
        "hand_over": seat.hand_over.value if seat.hand_over else None,
        "hand_over_round": number,
        "hand_over_question": question,
    }


def round_rows(match: int, record: MatchRecord) -> list[Values]:
    """The rows of `round` for the match with that id: the values of ROUND_COLUMNS."""
    players = record.setup.players
    return [
        (
            match,
            number,
            (dealer := dealer_of(number, players)),
            card_name(PAPAYOOS[board.papayoo_suit]),
            _hands_text(tuple(board.hands_by_seat(dealer))),
            sets_text(played.passes),
            plays_text(played.plays),
            numbers_text(played.points),
            numbers_text(played.stand_in),
            numbers_text(played.took_us),
        )
        for number, (board, played) in enumerate(zip(record.setup.boards, record.rounds, strict=True))
    ]


def fault_rows(match: int, record: MatchRecord) -> list[Cells]:
    """The rows of `fault` for the match with that id."""
    return [
        {
            "match": match,
            "number": number,
            "seat": fault.seat,
            "kind": fault.kind.value,
            "reason": _storable(fault.reason),
            "round": fault.round,
            "question": fault.question,
            "sent": _storable(fault.sent),
            "wall_us": fault.wall_us,
            "cpu_us": fault.cpu_us,
            "queued_us": fault.queued_us,
        }
        for number, fault in enumerate(record.faults)
    ]


def record_from(
    match: models.Match,
    seats: Sequence[models.Seat],
    rounds: Sequence[models.Round],
    faults: Sequence[models.Fault],
) -> MatchRecord:
    """The record of a finished match from its rows, each kind in ascending order of its number."""
    names = tuple(seat.told_name for seat in seats if seat.told_name is not None)
    setup = MatchSetup(
        boards=tuple(_board_from(row) for row in rounds),
        suits=match.suits,
        seeds=tuple(seat.seed for seat in seats),
        terms=Terms(match.move_ms, match.bank_ms, match.fault_points, match.max_faults),
        names=names or None,
    )
    return MatchRecord(
        key=MatchKey(match.cycle, match.index, match.order, match.attempt),
        setup=setup,
        seats=tuple(_seat_from(row) for row in seats),
        rounds=tuple(_round_from(row) for row in rounds),
        faults=tuple(_fault_from(row) for row in faults),
        started_at=match.started_at,
        finished_at=match.finished_at or 0,
        lateness_count=match.lateness_count,
        lateness_us=match.lateness_us,
        sandbox=match.sandbox,
        version=match.record_version,
    )


def hand_over_from(kind: str | None) -> HandOver | None:
    """The cause of a hand-over from its column."""
    return HandOver(kind) if kind is not None else None


def hand_over_at_from(round_number: int | None, question: int | None) -> tuple[int, int] | None:
    """(round, question) of a hand-over from its two columns, which are NULL together."""
    return (round_number, question) if round_number is not None and question is not None else None


def _board_from(row: models.Round) -> Board:
    by_seat = sets_from(row.hands)
    players = len(by_seat)
    hands = tuple(by_seat[(row.dealer + position) % players] for position in range(players))
    return Board(hands, PAPAYOOS.index(parse_card(row.papayoo)))


def _round_from(row: models.Round) -> RoundRecord:
    return RoundRecord(
        passes=sets_from(row.passes),
        plays=plays_from(row.plays),
        points=numbers_from(row.points),
        stand_in=numbers_from(row.stand_in),
        took_us=numbers_from(row.took_us),
    )


def _seat_from(row: models.Seat) -> SeatRecord:
    return SeatRecord(
        bot=row.bot,
        points=row.points,
        charge=row.charge,
        place=row.place,
        faults=row.faults,
        hand_over=hand_over_from(row.hand_over),
        hand_over_at=hand_over_at_from(row.hand_over_round, row.hand_over_question),
        late=row.late,
        id_key=row.id_key,
        table=row.bot_table,
        pid=row.pid,
        cpu_us=row.cpu_us,
        off_turn_us=row.off_turn_us,
        queued_us=row.queued_us,
        frozen=row.frozen,
        left_core=row.left_core,
        stderr_head=row.stderr_head,
        stderr_tail=row.stderr_tail,
        stderr_bytes=row.stderr_bytes,
    )


def _fault_from(row: models.Fault) -> Fault:
    return Fault(
        seat=row.seat,
        kind=FaultKind(row.kind),
        reason=row.reason,
        round=row.round,
        question=row.question,
        sent=row.sent,
        wall_us=row.wall_us,
        cpu_us=row.cpu_us,
        queued_us=row.queued_us,
    )


def _storable(text: str) -> str:
    """The text as every database takes it."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def season_cells(number: int, new: NewSeason) -> Cells:
    """The row of `season`; its fields are named like the columns, the entries have rows of their own."""
    cells = asdict(new)
    del cells["entries"]
    return {"number": number, **cells}


def entry_cells(season: int, entry: Entry) -> Cells:
    """The row of `entry`."""
    said = entry.reported
    return {
        "season": season,
        "bot": entry.bot,
        "number": entry.number,
        "name": entry.name,
        "digest": entry.digest,
        "folder": entry.folder,
        "command": json.dumps(entry.command, ensure_ascii=False),
        "author": entry.author,
        "language": entry.language,
        "url": entry.url,
        "role": entry.role.value,
        **reported_cells(said),
    }


def reported_cells(said: Reported | None) -> Cells:
    """The columns of `entry` for what a bot's process said of itself: all NULL before it did."""
    return {
        "reported_name": said.name if said else None,
        "reported_version": said.version if said else None,
        "reported_language": said.language if said else None,
        "reported_author": said.author if said else None,
    }


def stretch_cells(new: NewStretch) -> Cells:
    """The row of `stretch`, open."""
    return {**asdict(new), "secret": new.secret.hex(), "ended_at": None, "end_reason": ""}


def line_cells(line: LogLine | Action) -> Cells:
    """The row of `log` or `action`; their fields are named like the columns."""
    return asdict(line)


def season_from(
    row: models.Season, entries: Iterable[models.Entry], stretches: Iterable[models.Stretch]
) -> SeasonView:
    """The view of a season, with its entries and stretches in ascending order of their numbers."""
    return SeasonView(
        number=row.number,
        opened_at=row.opened_at,
        document=row.document,
        digest=row.digest,
        league_text=row.league_text,
        line_ups=row.line_ups,
        seats=row.seats,
        rounds=row.rounds,
        field_size=row.field_size,
        sessions_per_cycle=row.sessions_per_cycle,
        matches_per_session=row.matches_per_session,
        opened_by=row.opened_by,
        reason=row.reason,
        entries=tuple(entry_from(entry) for entry in entries),
        stretches=tuple(stretch_from(stretch) for stretch in stretches),
    )


def entry_from(row: models.Entry) -> Entry:
    """The view of an entry."""
    return Entry(
        bot=row.bot,
        number=row.number,
        name=row.name,
        digest=row.digest,
        folder=row.folder,
        command=tuple(json.loads(row.command)),
        author=row.author,
        language=row.language,
        url=row.url,
        role=Role(row.role),
        reported=_reported_from(row),
    )


def stretch_from(row: models.Stretch) -> StretchView:
    """The view of a stretch, without its secret while it has not ended."""
    return StretchView(
        season=row.season,
        number=row.number,
        commitment=row.commitment,
        secret=row.secret if row.ended_at is not None else None,
        public_draw=row.public_draw,
        predictable=row.predictable,
        committed_at=row.committed_at,
        ended_at=row.ended_at,
        end_reason=row.end_reason,
        league_digest=row.league_digest,
        cycles_planned=row.cycles_planned,
        first_cycle=row.first_cycle,
        first_index=row.first_index,
    )


def _reported_from(row: models.Entry) -> Reported | None:
    if row.reported_name is None:
        return None
    return Reported(
        row.reported_name,
        row.reported_version or "",
        row.reported_language or "",
        row.reported_author or "",
    )

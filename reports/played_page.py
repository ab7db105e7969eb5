"""Makes the page of one match that belongs to no league, as one HTML file, with all cards, for who played it.

With `LookBack` it says what the decisions at one seat cost. It reads no database and finds nothing out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from arena.match.record import MatchRecord
from arena.match.record_json import document_of, record_to_json
from arena.match.relabel import Relabelling
from arena.match.times import extended_by_seat, spent_by_seat
from arena.papayoo import PAPAYOOS
from arena.store.matches import played_from
from arena.store.views import MatchState, MatchView, SeatView, SessionState
from arena.verify.match_file import MatchFile
from reports.options import ReportOptions
from reports.pages.cards import CardGroup, named_faces
from reports.pages.match import MatchPage, decision_words, match_data, page_of_one
from reports.render import Assets, Page, Renderer, Site
from reports.secrecy import Secrecy
from reports.text import listed, points


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    """A decision that surely cost points. `question`: 0 for the pass, t + 1 for trick t.

    `chosen`, `better`: names of cards as the match had them. `cost`: the points that the choice is expected
    to cost beside the better one, with its standard error.
    """

    round: int
    question: int
    chosen: tuple[str, ...]
    better: tuple[str, ...]
    cost: float
    error: float


@dataclass(frozen=True, slots=True)
class LookBack:
    """What the decisions at a seat cost, `tried` of them. `costly`: the costliest, the worst first.

    `a_round`: what all of a round are expected to cost, with its standard error; None where it is not known.
    """

    seat: int
    tried: int
    a_round: tuple[float, float | None] | None
    costly: tuple[CostlyDecision, ...]


@dataclass(frozen=True, slots=True)
class CostlyRow:
    """A row of the table. `path`: of its card on the page."""

    where: str
    path: str
    chosen: tuple[CardGroup, ...]
    better: tuple[CardGroup, ...]
    cost: str


@dataclass(frozen=True, slots=True)
class PlayedPage:
    """Everything on the page. `back`: None where nobody asked for it; `a_round`: in words, "" if unknown."""

    match: MatchPage
    back: LookBack | None = None
    who: str = ""
    a_round: str = ""
    rows: tuple[CostlyRow, ...] = ()


def played_page(file: MatchFile, back: LookBack | None = None) -> bytes:
    """Return the page of a match, with what the decisions at a seat cost if that was asked for.

    The same match gives the same bytes.
    """
    view = _view(file)
    played = played_from(view, document_of(record_to_json(file.record)))
    data = match_data(played, Secrecy(ReportOptions(), over=True), file.record.faults)
    data["about"] = "Played with arena play; it belongs to no league."
    title = f"A match of {listed(file.names)}"
    page = PlayedPage(page_of_one(view, data, title))
    if back is not None:
        a_round = "" if back.a_round is None else _plus_minus(*back.a_round)
        rows = tuple(_rows(back, file.record))
        page = replace(page, back=back, who=file.names[back.seat], a_round=a_round, rows=rows)
    renderer = Renderer(Site("Papayoo", Assets.read(), inside=True))
    return renderer.render(Page("matches/1.html", "played.html", title, "", page))


def _view(file: MatchFile) -> MatchView:
    record = file.record
    return MatchView(
        number=file.number, cycle=record.key.cycle, index=record.key.index, order=record.key.order, attempt=0,
        phase=0, state=MatchState.FINISHED, reason="", session_state=SessionState.COMPLETE,
        line_up=tuple(seat.bot for seat in record.seats), seats=tuple(_seats(file.names, record)),
        suits=record.setup.suits, started_at=record.started_at, finished_at=record.finished_at,
        rounds=len(record.rounds), lateness_count=record.lateness_count, lateness_us=record.lateness_us,
        sandbox=record.sandbox,
    )  # fmt: skip


def _seats(names: tuple[str, ...], record: MatchRecord) -> Iterator[SeatView]:
    for number, (seat, spent, more) in enumerate(
        zip(record.seats, spent_by_seat(record), extended_by_seat(record), strict=True)
    ):
        yield SeatView(
            seat=number, bot=seat.bot, name=names[number], points=seat.points, charge=seat.charge,
            place=seat.place, faults=seat.faults, hand_over=seat.hand_over, hand_over_at=seat.hand_over_at,
            late=seat.late, decisions=spent.decisions, took_total_us=spent.took_total_us,
            took_max_us=spent.took_max_us, cpu_us=seat.cpu_us, pid=0, stderr_bytes=seat.stderr_bytes,
            off_turn_us=seat.off_turn_us, queued_us=seat.queued_us, frozen=seat.frozen,
            left_core=seat.left_core, extended_us=more,
        )  # fmt: skip


def _rows(back: LookBack, record: MatchRecord) -> Iterator[CostlyRow]:
    names = Relabelling.of(record.setup.suits).card_names
    for one in back.costly:
        papayoo = names[PAPAYOOS[record.setup.boards[one.round].papayoo_suit]]
        yield CostlyRow(
            where=decision_words(one.round, one.question),
            path=f"#r{one.round}" + (f"t{one.question - 1}s{back.seat}" if one.question else "p"),
            chosen=named_faces(one.chosen, papayoo),
            better=named_faces(one.better, papayoo),
            cost=_plus_minus(one.cost, one.error),
        )


def _plus_minus(value: float, error: float | None) -> str:
    """Return a number with its standard error: "4.2 ± 0.6"; without one, the number."""
    return points(value, 1) + ("" if error is None else f" ± {points(error, 1)}")

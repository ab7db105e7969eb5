"""Makes the page of one match that belongs to no league, as one HTML file, with all cards, for who played it.

With `AskedBack` it says what another bot would have done at one seat. It reads no database and asks nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from arena.match.record import MatchRecord
from arena.match.times import extended_by_seat, spent_by_seat
from arena.store.views import MatchState, MatchView, SeatView, SessionState
from arena.verify.match_file import MatchFile
from reports.assets import Assets
from reports.inlining import inlined
from reports.options import ReportOptions
from reports.pages.match import MatchPage, Ways, match_page
from reports.pages.moments import CardGroup, decision_words, named_faces, plus_minus
from reports.pages.rounds import RoundPart
from reports.render import Page, Renderer, Site
from reports.secrecy import Secrecy
from reports.text import listed

__all__ = ["AskedBack", "Differing", "played_page"]


@dataclass(frozen=True, slots=True)
class Differing:
    """A decision in which the other bot chose otherwise. `question`: 0 for the pass, t + 1 for trick t.

    `chosen`, `other`: names of cards as the match had them. `cost`: the points that the choice is expected to
    cost beside the other one, with its standard error; below 0 where the other one is worse.
    """

    round: int
    question: int
    chosen: tuple[str, ...]
    other: tuple[str, ...]
    cost: float
    error: float


@dataclass(frozen=True, slots=True)
class AskedBack:
    """What another bot, called `name`, would have done at a seat, of `asked` decisions with a choice.

    `a_round`: what all differences of a round are expected to cost, with its standard error, None where that
    is not known. `exact`: it answered the same when it was asked twice.
    """

    seat: int
    name: str
    asked: int
    a_round: tuple[float, float | None] | None
    exact: bool
    differing: tuple[Differing, ...]


@dataclass(frozen=True, slots=True)
class DifferingRow:
    """A row of the table. `path`: of its card on the page; `sure`: beyond two standard errors."""

    where: str
    path: str
    chosen: tuple[CardGroup, ...]
    other: tuple[CardGroup, ...]
    cost: str
    sure: bool


@dataclass(frozen=True, slots=True)
class PlayedPage(MatchPage):
    """Everything on the page. `asked`: None where nobody was asked; `a_round`: in words, "" if not known."""

    asked: AskedBack | None = None
    who: str = ""
    a_round: str = ""
    rows: tuple[DifferingRow, ...] = ()


def played_page(file: MatchFile, asked: AskedBack | None = None) -> bytes:
    """Return the page of a match, with what another bot would have done if it was asked.

    The same match gives the same bytes. Raises NotReplayableError (a ValueError) if it breaks the rules.
    """
    secrecy = Secrecy(ReportOptions(), over=True)
    page = match_page(_view(file), file.record, secrecy, Ways(None, None, ()))
    page = replace(page, about="Played with arena play; it belongs to no league.", file="")
    data = PlayedPage(*(getattr(page, field.name) for field in fields(page)))
    if asked is not None:
        rows = tuple(_rows(asked, page.rounds, len(file.names)))
        data = replace(data, asked=asked, who=file.names[asked.seat], a_round=_a_round(asked), rows=rows)
    assets = Assets()
    paths = assets.paths
    site = Site("Papayoo", (), paths["site.css"], paths["icon.svg"], paths)
    title = f"A match of {listed(file.names)}"
    html = Renderer(site).render(Page("matches/1.html", "played.html", title, "", data))
    return inlined(html.decode(), assets.contents).encode()


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


def _rows(asked: AskedBack, rounds: tuple[RoundPart, ...], players: int) -> Iterator[DifferingRow]:
    """Yield the rows, the costliest first."""
    for one in sorted(asked.differing, key=lambda one: -one.cost):
        part = rounds[one.round]
        anchor = f"r{one.round}p"
        if one.question:
            turn = (asked.seat - part.tricks[one.question - 1].leader) % players
            anchor = f"r{one.round}t{one.question - 1}c{turn}"
        yield DifferingRow(
            where=decision_words(one.round, one.question),
            path=f"#{anchor}",
            chosen=named_faces(one.chosen, part.papayoo.name),
            other=named_faces(one.other, part.papayoo.name),
            cost=plus_minus(one.cost, one.error),
            sure=abs(one.cost) > 2 * one.error,
        )


def _a_round(asked: AskedBack) -> str:
    if asked.a_round is None:
        return ""
    value, error = asked.a_round
    return plus_minus(abs(value), error)

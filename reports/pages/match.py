"""Builds the page of one match, and defines the words of all pages for what happens in a match.

It reads and writes nothing; `secrecy` decides what may be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import sub

from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import MatchRecord, SeatRecord
from arena.match.times import extended_at
from arena.papayoo import dealer_of
from arena.store.views import MatchView, SeatView, SessionState
from arena.verify.match_file import MatchFile, without_private, write_match_file
from arena.wording import counted
from reports.pages.moments import decision_words
from reports.pages.rounds import OtherRow, RoundPart, round_parts
from reports.pages.words import bot_path
from reports.secrecy import Secrecy
from reports.selection import MatchLink
from reports.text import listed, milliseconds, number

KIND_WORDS = {
    FaultKind.ILLEGAL: "illegal move",
    FaultKind.BAD_MESSAGE: "bad message",
    FaultKind.TIMEOUT: "timeout",
    FaultKind.CRASHED: "crash",
    FaultKind.START_FAILED: "failed start",
    FaultKind.FLOOD: "flood",
    FaultKind.RESOURCE: "resource limit",
}
"""The names of the kinds of fault for people, in the singular: as all words of tables here, for `_`."""

HAND_OVER_WORDS = {
    HandOver.MAX_FAULTS: "too many faults",
    HandOver.SILENT: "two timeouts in a row without an answer",
    HandOver.CRASHED: "it crashed",
    HandOver.START_FAILED: "it could not be started",
    HandOver.FLOOD: "it wrote too much",
    HandOver.RESOURCE: "it used more than its share of the machine",
}

_COSTLIEST = 3
"""The tricks that a page of a match links to."""

_BROKEN_OFF = "Not scored: the season ended before its session was over."

STANDING_WORDS = {
    SessionState.PLANNED: "Not scored yet: other matches of its session are still to be played.",
    SessionState.COMPLETE: "",
    SessionState.VOIDED: "Not scored: the organiser took its session out.",
    SessionState.LEFT_OUT: "Not scored: a match of its session could not be finished.",
}


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sat where, with the result.

    `path`: of the bot's page, from the site's folder. `taken_over`: in words, from when and why the stand-in
    decided; empty if it did not. `marks`: what else others should know of its conduct.
    """

    view: SeatView
    path: str
    taken_over: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GridRow:
    """Card points of one round by seat; `faults`: how many each seat committed in it."""

    number: int
    dealer: int
    points: tuple[int, ...]
    faults: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One fault that may be shown with its evidence. `where`: "round 1, trick 4"; `kind`: in words.

    `extended_us`: by how much the deadline of its question had moved because the bot had no core.
    """

    fault: Fault
    bot: str
    where: str
    kind: str
    extended_us: int


@dataclass(frozen=True, slots=True)
class CostlyTrick:
    """A trick with many points, and who took it. `anchor`: its place on the page, "r1t5"."""

    round: int
    trick: int
    points: int
    bot: str

    @property
    def anchor(self) -> str:
        """Return its place on the page."""
        return f"r{self.round}t{self.trick}"


@dataclass(frozen=True, slots=True)
class Ways:
    """The links from one match page to others: before and after it, and in the same session."""

    previous: MatchLink | None
    next: MatchLink | None
    siblings: tuple[MatchLink, ...]


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Everything on the page of one match.

    `result`: in one sentence. `about`: its place in the schedule, a sentence; `standing`: why it does not
    count, empty when it does. `rounds` is empty when the cards are not shown, and `hidden` then says why.
    `costliest`: the tricks with the most points, if the cards are shown. `faults` are those that are shown,
    `faults_hidden` says why others are not, `faults_total` counts all. `file`: of the match as JSON,
    `messages`: the page of its messages, both in the same folder and empty if there is none. `stderr`: the
    seats whose standard error may be quoted, and wrote any.
    """

    match: MatchView
    result: str
    about: str
    standing: str
    seats: tuple[SeatRow, ...]
    grid: tuple[GridRow, ...]
    rounds: tuple[RoundPart, ...]
    costliest: tuple[CostlyTrick, ...]
    hidden: str
    faults: tuple[FaultRow, ...]
    faults_total: int
    faults_hidden: str
    stderr: tuple[tuple[SeatView, SeatRecord], ...]
    ways: Ways
    file: str
    messages: str

    @property
    def named(self) -> frozenset[str]:
        """Return the places of the costliest tricks on the page."""
        return frozenset(trick.anchor for trick in self.costliest)


@dataclass(frozen=True, slots=True)
class Sibling:
    """Another match of the same session: its link, its bots by seat, card points by round and seat."""

    link: MatchLink
    bots: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]


def match_page(
    match: MatchView,
    record: MatchRecord,
    secrecy: Secrecy,
    ways: Ways,
    siblings: Sequence[Sibling] = (),
) -> MatchPage:
    """Build the page of a finished match and its `record`. Raises NotReplayableError."""
    bots = [seat.name for seat in match.seats]
    hidden = secrecy.cards_hidden(match)
    shown = [not secrecy.evidence_hidden(match, seat.bot) for seat in match.seats]
    secret = [fault.seat for fault in record.faults if not shown[fault.seat]]
    rounds = () if hidden else tuple(_with_others(round_parts(record, bots), record, siblings))
    return MatchPage(
        match=match,
        result=result_words([(seat.name, seat.total) for seat in match.seats]),
        about=about_match(match),
        standing=_standing(match, secrecy),
        seats=tuple(_seat_row(seat) for seat in match.seats),
        grid=tuple(_grid(record)),
        rounds=rounds,
        costliest=_costliest(rounds, bots),
        hidden=hidden,
        faults=tuple(_fault_row(fault, record, bots) for fault in record.faults if shown[fault.seat]),
        faults_total=len(record.faults),
        faults_hidden=secrecy.evidence_hidden(match, match.seats[secret[0]].bot) if secret else "",
        stderr=tuple(_stderr(match, record, secrecy)),
        ways=ways,
        file="" if hidden else f"{match.number}.json",
        messages=messages_name(match) if talking_seats(match, secrecy) else "",
    )


def _seat_row(seat: SeatView) -> SeatRow:
    return SeatRow(seat, bot_path(seat.bot), taken_over(seat), tuple(seat_marks(seat)))


def _standing(match: MatchView, secrecy: Secrecy) -> str:
    """Return why a match is not scored, in words; empty if it is."""
    if secrecy.closed and match.session_state is SessionState.PLANNED:
        return _BROKEN_OFF
    return STANDING_WORDS[match.session_state]


def result_words(totals: Sequence[tuple[str, int]]) -> str:
    """Return the result of a match in one sentence: "Duck won with 106 points, 120 fewer than Random."

    `totals`: by seat, a name with its points.
    """
    fewest = min(total for _, total in totals)
    winners = [name for name, total in totals if total == fewest]
    if len(winners) > 1:
        return f"{listed(winners)} share the first place with {counted(fewest, 'point')}."
    more = min(total for _, total in totals if total > fewest)
    fewer = f"{number(more - fewest)} fewer than {listed([name for name, total in totals if total == more])}"
    return f"{winners[0]} won with {counted(fewest, 'point')}, {fewer}."


def _costliest(rounds: Sequence[RoundPart], bots: Sequence[str]) -> tuple[CostlyTrick, ...]:
    """Return the three tricks with the most points, the costliest first; of equals the earlier ones."""
    tricks = [
        CostlyTrick(part.number, trick.number, trick.points, bots[trick.taker])
        for part in rounds
        for trick in part.tricks
    ]
    return tuple(sorted(tricks, key=lambda trick: -trick.points)[:_COSTLIEST])


def messages_name(match: MatchView) -> str:
    """Return the file name of the page of its messages, beside that of the match."""
    return f"{match.number}-messages.html"


def talking_seats(match: MatchView, secrecy: Secrecy) -> tuple[SeatView, ...]:
    """Return the seats whose messages are shown."""
    return tuple(seat for seat in match.seats if secrecy.shows_messages(match, seat.bot))


def match_json(match: MatchView, record: MatchRecord, secrecy: Secrecy) -> bytes:
    """Return the file of a match whose cards are shown, with which its author can play the match again."""
    stderr = [seat.seat for seat in match.seats if secrecy.shows_stderr(match, seat.bot)]
    evidence = [seat.seat for seat in match.seats if not secrecy.evidence_hidden(match, seat.bot)]
    open_record = without_private(record, stderr, evidence)
    names = tuple(seat.name for seat in match.seats)
    return write_match_file(MatchFile(match.number, names, open_record))


def _with_others(
    parts: Iterable[RoundPart], record: MatchRecord, siblings: Sequence[Sibling]
) -> Iterator[RoundPart]:
    """Yield each round with the results of others with the same cards.

    A seat holds the same hand in every seat order.
    """
    for part in parts:
        own = record.rounds[part.number].points
        yield replace(part, others=tuple(_other(one, part.number, own) for one in siblings))


def _other(sibling: Sibling, round_: int, own: Sequence[int]) -> OtherRow:
    points = sibling.points[round_]
    return OtherRow(sibling.link, sibling.bots, points, tuple(map(sub, points, own)))


def fault_kinds(counts: Mapping[FaultKind, int]) -> str:
    """Return faults by kind in words, most frequent first: "2 × timeout, 1 × crash"."""
    kinds = sorted(counts, key=lambda kind: (-counts[kind], list(FaultKind).index(kind)))
    return ", ".join(
        f"{number(counts[kind])}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{KIND_WORDS[kind]}" for kind in kinds
    )


def session_name(match: MatchView) -> str:
    """Return the name of a match's session on the pages: its cycle and its index there, both from 0."""
    return f"{match.cycle}.{match.index}"


def about_match(match: MatchView) -> str:
    """Return where a match is in the schedule, in one sentence."""
    attempt = f", attempt {match.attempt}" if match.attempt else ""
    return f"Session {session_name(match)}, seat order {match.order}{attempt}."


def seat_marks(seat: SeatView) -> Iterator[str]:
    """Yield what others should know of a bot's conduct in a match, besides its faults."""
    if seat.frozen:
        used = f"{(seat.off_turn_us or 0) / 1e6:.1f} s"
        yield f"stopped between its questions: {used} of processor time without a question"
    if seat.left_core:
        yield "left the core that it shares with its referee"
    if seat.extended_us:
        more = milliseconds(seat.extended_us)
        yield f"got {more} more for its answers, while others had its core"


def taken_over(seat: SeatView) -> str:
    """Return from when and why the stand-in decided, in words; empty if it did not."""
    if seat.hand_over is None or seat.hand_over_at is None:
        return ""
    (round_, question), reason = seat.hand_over_at, HAND_OVER_WORDS[seat.hand_over]
    if not question:
        return f"stand-in from round {round_}, pass on: {reason}"
    return f"stand-in from round {round_}, trick {question - 1} on: {reason}"


def fault_place(fault: Fault) -> str:
    """Return where a fault happened, in words."""
    if fault.kind is FaultKind.START_FAILED:
        return "at its start"
    if fault.round is None or fault.question is None:
        return "outside any question"
    return decision_words(fault.round, fault.question)


def _grid(record: MatchRecord) -> Iterator[GridRow]:
    players = record.setup.players
    for place, round_ in enumerate(record.rounds):
        here = [fault.seat for fault in record.faults if fault.round == place]
        faults = tuple(here.count(seat) for seat in range(players))
        yield GridRow(place, dealer_of(place, players), round_.points, faults)


def _fault_row(fault: Fault, record: MatchRecord, bots: Sequence[str]) -> FaultRow:
    where, extended_us = fault_place(fault), 0
    if fault.round is not None and fault.question is not None:
        extended_us = extended_at(record, fault.round, fault.question, fault.seat)
    return FaultRow(fault, bots[fault.seat], where, KIND_WORDS[fault.kind], extended_us)


def _stderr(match: MatchView, record: MatchRecord, secrecy: Secrecy) -> Iterator[tuple[SeatView, SeatRecord]]:
    for view, seat in zip(match.seats, record.seats, strict=True):
        if seat.stderr_bytes and secrecy.shows_stderr(match, view.bot):
            yield view, seat

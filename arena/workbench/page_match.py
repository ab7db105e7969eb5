"""A match between people at pages and bots: the server of the pages, the match, and what is left for its end.

Prints nothing: `Host` hears what there is to say. Nothing is stored.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final, Protocol

import trio

from arena.errors import one_error
from arena.linux.alarm import run
from arena.linux.family import adopting_orphans
from arena.people.access import LOOPBACK, Address, Entrance
from arena.people.hosting import Certificate, Listener, listen, serve
from arena.people.http import Document
from arena.people.seat import PageSeat
from arena.people.shared import Note, SharedTable
from arena.people.site import TableSite
from arena.verify.match_file import MatchFile, write_match_file
from arena.workbench.bots import Bot
from arena.workbench.look_back import NotReviewed, look_back
from arena.workbench.one_match import Guest, Overheard, Played, Rules, file_of, play
from arena.workbench.typed import Typed
from reports import played_page, seat_files

__all__ = ["Host", "Match", "Where", "play_on_pages"]

_CLOSED_SECONDS: Final = 60.0
"""How long all pages must be closed, after the match, before the server ends."""

_EVERYWHERE: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - asked for, and only with TLS or --insecure
"""Addresses under which nobody is reached: a server that listens there is reached by its machine's name."""

_KINDS: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_DOOR: Final = b"<!doctype html><title>Papayoo</title><p>Open the address that the terminal shows.</p>\n"


@dataclass(frozen=True, slots=True)
class Match:
    """What is played. `people`: the names of those in the first seats; `clock`: whether they have one."""

    people: tuple[str, ...]
    bots: Sequence[Bot]
    rules: Rules
    clock: bool = False


@dataclass(frozen=True, slots=True)
class Where:
    """Where pages are served. `port`: see `listen`. `away_seconds`: how long a page may be away."""

    host: str = LOOPBACK
    port: int | None = None
    certificate: Certificate | None = None
    away_seconds: float = 600.0


class Host(Protocol):
    """Who invites the people, and hears of what all are told."""

    def invite(self, seat: int, address: str, *, again: bool) -> None:
        """Give the person at a seat the address of the page. `again`: a newer one was asked for."""

    def tell(self, note: Note) -> None:
        """Something that all at the table are told."""

    def over(self, played: Played) -> None:
        """The match is over. The pages stay as long as they are open."""

    def failed(self, error: Exception) -> None:
        """A request failed by an error of ours."""


def play_on_pages(match: Match, where: Where, overheard: Overheard, host: Host) -> Played:
    """Play one match of people and bots, and return how it went.

    Returns when all pages have been closed for a minute after the match. Raises UsageError where the pages
    cannot be served, and as `play_match` does.
    """
    with one_error(), adopting_orphans():
        return run(_PageMatch(match, where, host).play, overheard)


class _PageMatch:
    def __init__(self, match: Match, where: Where, host: Host) -> None:
        self._match, self._where, self._host = match, where, host
        self._names = (*match.people, *(bot.name for bot in match.bots))
        seats = range(len(match.people))
        clock = match.rules.terms.move_ms / 1000 if match.clock else None
        self._entrance = Entrance(seats, secure=where.certificate is not None)
        self._table = SharedTable(self._names, seats, match.rules.rounds, host.tell)
        self._seats = {seat: PageSeat(seat, self._table, where.away_seconds, clock) for seat in seats}
        self._file: MatchFile | None = None

    async def play(self, overheard: Overheard) -> Played:
        where = self._where
        context = None if where.certificate is None else where.certificate.context()
        listener = await listen(where.host, where.port)
        port = listener.socket.getsockname()[1]
        host = socket.gethostname() if where.host in _EVERYWHERE else where.host
        self._address = Address(host, port, tls=context is not None)
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._serve, listener, context)
            nursery.start_soon(self._invite_again)
            played = await play(
                [*self._guests(), *self._match.bots],
                self._match.rules,
                self._heard(overheard),
                self._table.bot_replaced,
            )
            self._finished(played)
            await self._until_closed()
            nursery.cancel_scope.cancel()
        return played

    # The pages

    async def _serve(self, listener: Listener, context: ssl.SSLContext | None) -> None:
        files = seat_files(len(self._names), self._match.rules.rounds)
        public = {"/": Document(_DOOR)}
        for path, content in files.beside.items():
            public[f"/{path}"] = Document(content, _KINDS[path.rpartition(".")[2]])
        site = TableSite(
            self._address, self._entrance, self._seats, Document(files.page), public.get, self._look_back
        )
        await serve(listener, context, site.answer, self._host.failed)

    def _invite(self, *, again: bool) -> None:
        for seat in self._seats:
            token = self._entrance.token(seat)
            self._host.invite(seat, f"{self._address.origin}/seat/{seat}/#{token}", again=again)

    async def _invite_again(self) -> None:
        """Give new addresses whenever somebody presses Enter: for another browser, or one without cookies."""
        typed = Typed()
        while await typed.line() is not None:
            self._invite(again=True)

    def _look_back(self, number: int) -> None:
        """Review the decisions at a seat, once, when the match is over."""
        seat = self._seats[number]
        if self._file is None or seat.looking_back or "review.html" in seat.documents:
            return
        seat.looking_back = "trying"
        self._table.changed()
        self._nursery.start_soon(self._review, seat, self._file)

    async def _review(self, seat: PageSeat, file: MatchFile) -> None:
        try:
            back = await look_back(file, seat.number)
        except NotReviewed as error:
            seat.looking_back = f"The review failed: {error}"
        else:
            seat.documents["review.html"] = cache(lambda: Document(played_page(file, back)))
            seat.looking_back = ""
        self._table.changed()

    # The match

    def _guests(self) -> list[Guest]:
        invited = False

        async def arrived(seat: PageSeat) -> None:
            nonlocal invited
            if not invited:
                invited = True
                self._invite(again=False)
            await seat.arrived()

        return [
            Guest(name, seat.converse, self._match.clock, partial(arrived, seat))
            for name, seat in zip(self._match.people, self._seats.values(), strict=True)
        ]

    def _heard(self, overheard: Overheard) -> Overheard:
        def heard(seat: int, from_bot: bool, line: bytes) -> None:
            overheard(seat, from_bot, line)
            self._table.heard(seat, from_bot, line)

        return heard

    def _finished(self, played: Played) -> None:
        self._file = file = file_of(self._names, played)
        kept = Document(write_match_file(file), "application/json", "papayoo.json")
        for seat in self._seats.values():
            seat.documents["match.html"] = cache(lambda: Document(played_page(file)))
            seat.documents["match.json"] = lambda: kept
        self._table.finished(played.record.seats)
        self._host.over(played)

    async def _until_closed(self) -> None:
        """Wait until no page has been open for a while."""
        everybody = set(self._seats)
        while True:
            await self._table.until(lambda: self._table.away >= everybody)
            with trio.move_on_after(_CLOSED_SECONDS) as patience:
                await self._table.until(lambda: not self._table.away >= everybody)
            if patience.cancelled_caught:
                return

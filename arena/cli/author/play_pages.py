"""A match of `arena play` with people: on the terminal, or on pages that are served until they are closed.

When the match on pages is over, a person may have the own decisions reviewed. `arena review` does it in a
process of its own, so the numbers are those that its user would get.
"""

from __future__ import annotations

import json
import socket
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import click
import trio

from arena.cli.author.play_people import PeopleWishes
from arena.cli.browser import open_page_apart
from arena.cli.layout import fitted_apart, plain
from arena.cli.options import say
from arena.errors import Interrupted, one_error
from arena.linux.alarm import run
from arena.linux.family import adopting_orphans
from arena.linux.installation import same_python
from arena.match.faults import HandOver
from arena.people.access import LOOPBACK, Address, Entrance
from arena.people.hosting import listen, serve, tls_context
from arena.people.http import document
from arena.people.seat import PageSeat
from arena.people.shared import Note, SharedTable, What
from arena.people.site import TableSite
from arena.verify.match_file import MatchFile, write_match_file
from arena.workbench.bots import Bot
from arena.workbench.one_match import Guest, Overheard, Played, Rules, file_of, play, play_match
from arena.workbench.seat_terminal import LEFT, SeatTerminal, Typed
from arena.workbench.seat_text import replaced_text
from reports import CostlyDecision, LookBack, played_page, seat_files

_CLOSED_SECONDS: Final = 60.0
"""How long all pages must be closed, after the match, before the server ends."""
_MOST_OF_A_NAME = 16
"""The most columns of a bot's name beside the cards that it plays."""
_WORLDS: Final = 64
"""In how many deals each decision is tried."""
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
class Seated:
    """Who plays, and how. `names`: by seat, people first."""

    bots: Sequence[Bot]
    names: Sequence[str]
    rules: Rules


def with_people(
    seated: Seated, overheard: Overheard, show: Callable[[Played], object], wishes: PeopleWishes
) -> Played:
    """Play a match with people, `show` it as soon as it is over, and return how it went.

    On pages it returns when all have been closed for a minute after the match. Raises Interrupted when the
    match was left before its end, UsageError where the pages cannot be served.
    """
    over: list[Played] = []

    def shown(played: Played) -> None:
        over.append(played)
        show(played)

    try:
        if wishes["terminal"]:
            _on_terminal(seated, overheard, shown, wishes)
        else:
            with one_error(), adopting_orphans():
                run(_PageMatch(seated, shown, wishes).play, overheard)
    except* KeyboardInterrupt:
        pass
    if over:
        return over[0]
    raise Interrupted(LEFT)


def _seconds(seated: Seated, wishes: PeopleWishes) -> float | None:
    """Return the time for a choice where people have a clock."""
    return seated.rules.terms.move_ms / 1000 if wishes["clock"] else None


def _on_terminal(
    seated: Seated, overheard: Overheard, show: Callable[[Played], object], wishes: PeopleWishes
) -> None:
    names = seated.names
    short = fitted_apart(map(plain, names), _MOST_OF_A_NAME)
    terminal = SeatTerminal(
        [short[plain(name)] for name in names],
        lambda text: click.echo(text, nl=False, err=wishes["as_json"]),
        _seconds(seated, wishes),
    )
    guest = Guest(names[0], terminal.converse, wishes["clock"])
    try:
        show(play_match([guest, *seated.bots], seated.rules, overheard, terminal.replaced))
    finally:
        terminal.end_line()


class _PageMatch:
    """A match of people on pages and bots: it invites the people, and prints what all are told."""

    def __init__(self, seated: Seated, show: Callable[[Played], object], wishes: PeopleWishes) -> None:
        self._seated, self._show, self._wishes = seated, show, wishes
        self._names = [plain(name) for name in seated.names]
        seats = range(wishes["me"])
        certificate, key = wishes["tls_cert"], wishes["tls_key"]
        self._tls = tls_context(str(certificate), str(key)) if certificate and key else None
        self._entrance = Entrance(seats, secure=self._tls is not None)
        self._table = SharedTable(seated.names, seats, seated.rules.rounds, self._tell)
        away, clock = wishes["away_minutes"] * 60, _seconds(seated, wishes)
        self._seats = {seat: PageSeat(seat, self._table, away, clock) for seat in seats}
        self._invited = False
        self._file: MatchFile | None = None

    async def play(self, overheard: Overheard) -> None:
        listen_on = self._wishes["host"] or LOOPBACK
        listener = await listen(listen_on, self._wishes["port"])
        host = socket.gethostname() if listen_on in _EVERYWHERE else listen_on
        self._address = Address(host, listener.socket.getsockname()[1], tls=self._tls is not None)

        def heard(seat: int, from_bot: bool, line: bytes) -> None:
            overheard(seat, from_bot, line)
            self._table.heard(seat, from_bot, line)

        guests = [
            Guest(self._seated.names[number], seat.converse, self._wishes["clock"], partial(self._come, seat))
            for number, seat in self._seats.items()
        ]
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(serve, listener, self._tls, self._site().answer, _say_failed)
            nursery.start_soon(self._invite_again)
            everybody: list[Bot | Guest] = [*guests, *self._seated.bots]
            self._finished(await play(everybody, self._seated.rules, heard, self._table.bot_replaced))
            await self._until_closed()
            nursery.cancel_scope.cancel()

    # Who comes

    def _site(self) -> TableSite:
        files = seat_files(len(self._names), self._seated.rules.rounds)
        public = {"/": document(_DOOR)}
        for path, content in files.beside.items():
            public[f"/{path}"] = document(content, _KINDS[path.rpartition(".")[2]])
        page = document(files.page)
        return TableSite(self._address, self._entrance, self._seats, page, public.get, self._look_back)

    async def _come(self, seat: PageSeat) -> None:
        """Invite all people, once, and wait until one of them has opened the page."""
        if not self._invited:
            self._invited = True
            self._invite()
        await seat.arrived()

    async def _invite_again(self) -> None:
        """Give new addresses whenever somebody presses Enter: for another browser, or one without cookies."""
        typed = Typed()
        while await typed.line() is not None:
            self._invite(again=True)

    def _invite(self, *, again: bool = False) -> None:
        # Of several people only one can sit at this machine's browser, and who that is nobody knows.
        alone = len(self._seats) == 1
        if not again:
            who = "Open this page to play" if alone else "Everybody opens a page to play"
            say(f"{who}; Enter here gives a new address, Ctrl-C ends it.")
        for seat in self._seats:
            address = f"{self._address.origin}/seat/{seat}/#{self._entrance.token(seat)}"
            say(address if alone else f"{self._names[seat]}: {address}")
            if self._wishes["open_"] and alone and not again:
                open_page_apart(address)

    async def _until_closed(self) -> None:
        """Wait until no page has been open for a while."""
        everybody = set(self._seats)
        while True:
            await self._table.until(lambda: self._table.away >= everybody)
            with trio.move_on_after(_CLOSED_SECONDS) as patience:
                await self._table.until(lambda: not self._table.away >= everybody)
            if patience.cancelled_caught:
                return

    # What becomes of the match

    def _tell(self, note: Note) -> None:
        name = self._names[note.seat]
        if note.what is What.REPLACED:
            say(replaced_text(name, HandOver(note.why)))
        else:
            why = "was away too long" if note.what is What.AWAY else "was late too often"
            say(f"{name} {why}: the stand-in plays the cards to the end of the match.")

    def _finished(self, played: Played) -> None:
        self._file = file = file_of(self._seated.names, played)
        kept = document(write_match_file(file), "application/json", "papayoo.json")
        for seat in self._seats.values():
            seat.documents["match.html"] = cache(lambda: document(played_page(file)))
            seat.documents["match.json"] = lambda: kept
        self._table.finished(played.record.seats)
        self._show(played)
        say("The pages stay until they are closed, or until Ctrl-C.")

    def _look_back(self, number: int) -> None:
        """Review the decisions at a seat, once, when the match is over."""
        seat = self._seats[number]
        if self._file is None or seat.looking_back or "review.html" in seat.documents:
            return
        seat.looking_back = "trying"
        self._table.changed()
        self._nursery.start_soon(self._review, seat, self._file)

    async def _review(self, seat: PageSeat, file: MatchFile) -> None:
        back = await _look_back(file, seat.number)
        if isinstance(back, str):
            seat.looking_back = f"The review failed: {back}"
        else:
            seat.documents["review.html"] = cache(lambda: document(played_page(file, back)))
            seat.looking_back = ""
        self._table.changed()


def _say_failed(error: Exception) -> None:
    say(f"a request could not be answered: {error!r}")


async def _look_back(file: MatchFile, seat: int) -> LookBack | str:
    """Return what the decisions at a seat of a match cost, or why the review failed."""
    with tempfile.TemporaryDirectory(prefix="arena-back-") as folder:
        path = Path(folder) / "match.json"
        path.write_bytes(write_match_file(file))
        argv, environment = same_python(
            "-m", "arena", "review", str(path), file.record.seats[seat].bot,
            "--worlds", str(_WORLDS), "--json",
        )  # fmt: skip
        done = await trio.run_process(
            argv, env=environment, capture_stdout=True, capture_stderr=True, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return said[-1] if said else f"it ended with {done.returncode}"
    return _as_page(json.loads(done.stdout), seat)


def _as_page(found: dict[str, Any], seat: int) -> LookBack:
    a_round = found["a_round"]
    return LookBack(
        seat=seat,
        tried=found["reviewed"],
        a_round=None if a_round is None else (a_round["value"], a_round["error"]),
        costly=tuple(
            CostlyDecision(
                one["round"],
                one["question"],
                tuple(one["chosen"]),
                tuple(one["best"]),
                one["cost"],
                one["error"],
            )
            for one in found["costliest"]
        ),
    )

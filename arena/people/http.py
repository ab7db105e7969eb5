"""HTTP/1.1 on one stream: requests in, replies out, and streams of events that end when the reader is gone.

The protocol is h11's, the stream trio's. Knows no address, no page and no seat: `answer` is given each
request. Why not the server of `arena serve`: its handlers are threads, and find out that a reader has gone
only when they write. Here that is noticed at once, in the event loop of the match, which tests drive with a
clock of their own.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final, TypeAlias

import h11
import trio

READ_SECONDS: Final = 30.0
"""The longest that a request may take to come, and that a connection may be idle."""
WRITE_SECONDS: Final = 20.0
"""The longest that a reader may take for one piece."""
MAX_BODY: Final = 16384
_READ_SIZE: Final = 16384

_SAFE: Final = (
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
)


@dataclass(frozen=True, slots=True)
class Request:
    """A whole request. `target`: the path and what follows it; `headers`: by name in lower case."""

    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def path(self) -> str:
        """Return the target without a query."""
        return self.target.partition("?")[0]


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered. `kind`: its media type. `events`: pieces that are sent one by one after the body."""

    status: int = 200
    body: bytes = b""
    kind: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    events: Callable[[], AsyncIterator[bytes]] | None = None


Answer: TypeAlias = Callable[[Request], Awaitable[Reply]]


def document(content: bytes, kind: str = "text/html; charset=utf-8", name: str = "") -> Reply:
    """Return a file as an answer. `name`: what a browser saves it as, "" to show it."""
    saved = (("Content-Disposition", f'attachment; filename="{name}"'),) if name else ()
    return Reply(HTTPStatus.OK, content, kind, saved)


def said(sentence: str, status: int) -> Reply:
    """Return a sentence for the person at the page."""
    return Reply(status, json.dumps({"sentence": sentence}).encode(), "application/json")


async def serve_stream(stream: trio.abc.Stream, answer: Answer) -> None:
    """Answer the requests of one connection until it ends. Raises nothing that comes from the other end."""
    try:
        await _Connection(stream, answer).serve()
    except (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
        pass
    finally:
        # A reader that has gone, or takes nothing, must not be waited for.
        with trio.move_on_after(1.0) as closing:
            closing.shield = True
            await stream.aclose()


class _Connection:
    def __init__(self, stream: trio.abc.Stream, answer: Answer) -> None:
        self._stream = stream
        self._answer = answer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_READ_SIZE)

    async def serve(self) -> None:
        while True:
            try:
                with trio.fail_after(READ_SECONDS):
                    request = await self._request()
            except h11.RemoteProtocolError as error:
                if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                    await self._send(said("No browser asks like this.", error.error_status_hint))
                return
            if request is None:
                return
            if len(request.body) > MAX_BODY:
                reply = said("That is too much for one request.", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            else:
                reply = await self._answer(request)
            await self._send(reply, only_head=request.method == "HEAD")
            if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                return
            self._http.start_next_cycle()

    async def _request(self) -> Request | None:
        """Return the next whole request, or None at the end. Of a body that is too long, the beginning."""
        head = await self._event()
        if not isinstance(head, h11.Request):
            return None
        body = b""
        while len(body) <= MAX_BODY:
            event = await self._event()
            if isinstance(event, h11.Data):
                body += event.data
            else:
                break
        headers: dict[str, str] = {}
        for name, value in head.headers:
            key, text = name.decode("latin-1"), value.decode("latin-1")
            headers[key] = f"{headers[key]}, {text}" if key in headers else text
        return Request(head.method.decode("ascii"), head.target.decode("latin-1"), headers, body)

    async def _event(self) -> object:
        while True:
            event = self._http.next_event()
            if event is not h11.NEED_DATA:
                return event
            if self._http.they_are_waiting_for_100_continue:
                await self._write(h11.InformationalResponse(status_code=100, headers=[]))
            self._http.receive_data(bytes(await self._stream.receive_some(_READ_SIZE)))

    async def _send(self, reply: Reply, *, only_head: bool = False) -> None:
        # A stream has no length: it ends with its connection.
        end = ("Content-Length", str(len(reply.body))) if reply.events is None else ("Connection", "close")
        headers = [*_SAFE, *reply.headers, ("Content-Type", reply.kind), end]
        await self._write(h11.Response(status_code=int(reply.status), headers=headers))
        if reply.body and not only_head:
            await self._write(h11.Data(data=reply.body))
        if reply.events is not None and not only_head:
            await self._send_events(reply.events)
        await self._write(h11.EndOfMessage())

    async def _send_events(self, events: Callable[[], AsyncIterator[bytes]]) -> None:
        """Send what comes, until there is no more or the reader is gone."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._until_gone, nursery.cancel_scope)
            async with aclosing(events()) as pieces:  # type: ignore[type-var]
                async for piece in pieces:
                    await self._write(h11.Data(data=piece))
            nursery.cancel_scope.cancel()

    async def _until_gone(self, scope: trio.CancelScope) -> None:
        """Wait for the end of what the reader sends: while events are sent, it says nothing."""
        try:
            while await self._stream.receive_some(_READ_SIZE):
                pass
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        scope.cancel()

    async def _write(self, event: h11.Event) -> None:
        data = self._http.send(event)
        if data:
            with trio.fail_after(WRITE_SECONDS):
                await self._stream.send_all(data)

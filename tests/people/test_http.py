"""HTTP on a stream: whole requests from any pieces, what is no request, slow ends, and streams of events."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest
import trio
from trio.testing import MemoryReceiveStream, MemorySendStream, MockClock, memory_stream_pair

from arena.errors import UsageError
from arena.people.access import LOOPBACK
from arena.people.hosting import listen, serve, tls_context
from arena.people.http import MAX_BODY, READ_SECONDS, WRITE_SECONDS, Reply, Request, serve_stream
from tests.cluster_engine import make_certificate, needs_openssl

GET = b"GET /seat/0/?x=1 HTTP/1.1\r\nHost: a\r\nCookie: b=c\r\nCookie: d=e\r\n\r\n"
POST = b"POST /seat/0/answer HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
Stream = trio.StapledStream[MemorySendStream, MemoryReceiveStream]


class Echo:
    """Answers with what was asked, and remembers it."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    async def __call__(self, request: Request) -> Reply:
        self.asked.append(request)
        return Reply(200, b"[" + request.body + b"]")


async def talked(pieces: Iterable[bytes], answer: Echo) -> bytes:
    """What comes back when these pieces are sent, and then nothing more."""
    ours, theirs = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_stream, theirs, answer)
        for piece in pieces:
            await ours.send_all(piece)
        await ours.send_stream.aclose()
        return await whole(ours)


async def whole(stream: Stream) -> bytes:
    """All that comes until the end."""
    data = bytearray()
    while piece := await stream.receive_some():
        data += piece
    return bytes(data)


async def test_requests_come_byte_by_byte_and_several_on_one_connection() -> None:
    answer = Echo()
    said = await talked((bytes([byte]) for byte in GET + POST + GET), answer)
    assert [(one.method, one.target, one.path, one.body) for one in answer.asked] == [
        ("GET", "/seat/0/?x=1", "/seat/0/", b""),
        ("POST", "/seat/0/answer", "/seat/0/answer", b"hello"),
        ("GET", "/seat/0/?x=1", "/seat/0/", b""),
    ]
    assert answer.asked[0].headers == {"host": "a", "cookie": "b=c, d=e"}
    assert said.count(b"HTTP/1.1 200") == 3
    assert said.count(b"\r\nContent-Length: 7\r\n") == 1
    assert b"[hello]" in said


async def test_a_body_that_is_too_long_is_not_read_to_its_end() -> None:
    answer = Echo()
    length = str(MAX_BODY * 9).encode()
    said = await talked([POST[:-5].replace(b": 5", b": " + length), b"x" * (MAX_BODY + 1)], answer)
    assert said.startswith(b"HTTP/1.1 413")
    assert answer.asked == []


@pytest.mark.parametrize(
    "bad",
    [b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"x" * 40_000 + b"\r\n\r\n"],
)
async def test_what_is_no_request_ends_the_connection(bad: bytes) -> None:
    answer = Echo()
    said = await talked([bad, GET], answer)
    assert said.startswith(b"HTTP/1.1 4")
    assert b"No browser asks like this." in said
    assert answer.asked == []


async def test_a_request_that_comes_too_slowly_ends(autojump_clock: MockClock) -> None:
    ours, theirs = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_stream, theirs, Echo())
        await ours.send_all(GET[:20])
        began = trio.current_time()
        assert await whole(ours) == b""
        assert trio.current_time() - began == pytest.approx(READ_SECONDS, abs=2)


class Ticking:
    """Answers with events, one a second. `closed`: how many of them have ended."""

    def __init__(self, piece: bytes = b"x") -> None:
        self.closed = 0
        self._piece = piece

    async def __call__(self, request: Request) -> Reply:
        return Reply(kind="text/event-stream", events=self.events)

    async def events(self) -> AsyncIterator[bytes]:
        try:
            while True:
                yield self._piece
                await trio.sleep(1)
        finally:
            self.closed += 1


async def test_events_come_as_they_happen_and_end_when_the_reader_is_gone(autojump_clock: MockClock) -> None:
    ours, theirs = memory_stream_pair()
    answer = Ticking()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_stream, theirs, answer)
        await ours.send_all(GET)
        seen = b""
        while seen.count(b"1\r\nx\r\n") < 3:
            seen += await ours.receive_some()
        began = trio.current_time()
        await ours.aclose()
    assert trio.current_time() == began, "nobody waited for the next event"
    assert answer.closed == 1


async def test_a_reader_that_takes_nothing_ends(autojump_clock: MockClock) -> None:
    """A network holds only so much: then sending waits for the reader."""

    async def never() -> None:
        await trio.sleep_forever()

    ours, theirs = memory_stream_pair()
    answer = Ticking()
    async with trio.open_nursery() as nursery:
        await ours.send_all(GET)
        theirs.send_stream.send_all_hook = never
        began = trio.current_time()
        nursery.start_soon(serve_stream, theirs, answer)
    assert trio.current_time() - began == pytest.approx(WRITE_SECONDS, abs=2)


async def asked_of(stream: trio.abc.Stream, request: bytes) -> bytes:
    await stream.send_all(request)
    said = b""
    while b"\r\n\r\n" not in said:
        said += await stream.receive_some()
    return said


async def test_an_error_of_ours_fails_one_request_and_nothing_else() -> None:
    told: list[Exception] = []

    async def answer(request: Request) -> Reply:
        if request.body:
            raise RuntimeError("ours")
        return Reply(200, b"fine")

    listener = await listen(LOOPBACK, 0)
    port = listener.socket.getsockname()[1]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, listener, None, answer, told.append)
        stream = await trio.open_tcp_stream(LOOPBACK, port)
        async with stream:
            assert (await asked_of(stream, POST)).startswith(b"HTTP/1.1 500")
        async with await trio.open_tcp_stream(LOOPBACK, port) as stream:
            assert (await asked_of(stream, GET)).startswith(b"HTTP/1.1 200")
        nursery.cancel_scope.cancel()
    assert [str(error) for error in told] == ["ours"]


@needs_openssl
async def test_with_tls_and_without_what_is_no_certificate(tmp_path: Path) -> None:
    files = make_certificate(tmp_path / "tls")
    certificate, key = str(files / "cert.pem"), str(files / "key.pem")
    listener = await listen(LOOPBACK, 0)
    port = listener.socket.getsockname()[1]
    trusting = ssl.create_default_context(cafile=certificate)
    trusting.check_hostname = False
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, listener, tls_context(certificate, key), Echo(), lambda _error: None)
        async with await trio.open_tcp_stream(LOOPBACK, port) as plain:
            await plain.send_all(GET)
            assert b"HTTP" not in await whole(plain)  # type: ignore[arg-type]
        stream = trio.SSLStream(await trio.open_tcp_stream(LOOPBACK, port), trusting)
        async with stream:
            assert (await asked_of(stream, GET)).startswith(b"HTTP/1.1 200")
        nursery.cancel_scope.cancel()
    with pytest.raises(UsageError, match="are no certificate and key"):
        tls_context(key, key)
    with pytest.raises(UsageError, match="No such file"):
        tls_context(str(tmp_path / "none"), key)


async def test_a_port_that_is_taken() -> None:
    async with await listen(LOOPBACK, 0) as listener:
        port = listener.socket.getsockname()[1]
        with pytest.raises(UsageError, match=f"--port {port}: cannot listen on 127.0.0.1: "):
            await listen(LOOPBACK, port)
        with pytest.raises(UsageError, match=r"cannot listen on no\.such\.name\.invalid"):
            await listen("no.such.name.invalid", 0)

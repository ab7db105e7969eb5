"""Listens for the pages of a table, with or without TLS, and answers every connection. Decides nothing.

An error of ours in one answer must not end the match: it is told, and that request fails.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

import trio

from arena.errors import UsageError
from arena.people.http import Answer, Reply, Request, said, serve_stream

USUAL_PORT: Final = 7251
"""The port next to that of `arena serve`."""
_MOST_CONNECTIONS: Final = 100

Listener = trio.SocketListener


def tls_context(certificate: str, key: str) -> ssl.SSLContext:
    """Return what a server needs of a certificate and its key, as PEM. UsageError if they cannot be used."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:  # ssl.SSLError is one
        raise UsageError(f"{certificate} and {key} are no certificate and key: {error}") from None
    return context


async def listen(host: str, port: int | None) -> Listener:
    """Listen on a port: 0 for any free one, None for the usual one or, where that is taken, any free one.

    Raises UsageError where that is not possible.
    """
    if port is None:
        try:
            return await _listen(host, USUAL_PORT)
        except OSError:
            port = 0
    try:
        return await _listen(host, port)
    except OSError as error:
        what = f"--port {port}: " if port else ""
        raise UsageError(f"{what}cannot listen on {host}: {error.strerror or error}") from None


async def _listen(host: str, port: int) -> Listener:
    # Of a name with several addresses the first.
    first, *others = await trio.open_tcp_listeners(port, host=host)
    for other in others:
        await other.aclose()
    return first


async def serve(
    listener: Listener, context: ssl.SSLContext | None, answer: Answer, failed: Callable[[Exception], object]
) -> None:
    """Answer whoever connects, until cancelled. `failed` is told of errors of ours."""
    limit = trio.CapacityLimiter(_MOST_CONNECTIONS)

    async def guarded(request: Request) -> Reply:
        try:
            return await answer(request)
        except Exception as error:
            failed(error)
            return said(
                "The arena failed to answer; the terminal says more.", HTTPStatus.INTERNAL_SERVER_ERROR
            )

    async def connected(stream: trio.SocketStream) -> None:
        secured = stream if context is None else trio.SSLStream(stream, context, server_side=True)
        async with limit:
            await serve_stream(secured, guarded)

    await trio.serve_listeners(connected, [listener])

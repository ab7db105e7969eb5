"""A connection that a test can cut: a proxy on this machine between a client and a server."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Self

__all__ = ["Cable"]

_AT_ONCE = 1 << 16


class Cable:
    """Passes on what comes to its `port`, until it is cut. A context manager."""

    def __init__(self, to_port: int) -> None:
        self._to = to_port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self._is_cut = False
        self.port = int(self._listening.getsockname()[1])

    def __enter__(self) -> Self:
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        self.cut()

    def cut(self) -> None:
        """Break all connections, and refuse new ones until `mend`."""
        self._is_cut = True
        ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def mend(self) -> None:
        """Pass on what new connections bring."""
        self._is_cut = False

    def _listen(self) -> None:
        with suppress(OSError):  # it was closed
            while True:
                near, _ = self._listening.accept()
                self._join(near)

    def _join(self, near: socket.socket) -> None:
        try:
            if self._is_cut:
                raise OSError("it is cut")
            far = socket.create_connection(("127.0.0.1", self._to))
        except OSError:
            near.close()
            return
        self._ends += [near, far]
        for source, target in ((near, far), (far, near)):
            threading.Thread(target=_pass_on, args=(source, target), daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(_AT_ONCE):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)

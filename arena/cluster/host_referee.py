"""A host process as the referee of its worker: made ready, given sessions, heard. It decides nothing.

Like all that a worker runs, it imports no event loop and nothing that checks messages.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from threading import Thread

from arena.cluster.host_client import HostClient

__all__ = ["HostReferee", "Played", "unready"]


@dataclass(frozen=True, slots=True)
class Played:
    """What came of some sessions: the lines of the host process.

    `left`: how many sessions are not done. `ended`: how the process ended, if it did so before all of them
    were done, else "". `unready`: whether there was no process to play them, so that no match is the cause.
    """

    lines: list[bytes]
    left: int = 0
    ended: str = ""
    unready: bool = False


class HostReferee:
    """A host process that this worker has started, if one could be: what it said first, and what it holds.

    One thread at a time starts it and hears it. Any other may end it meanwhile: then its lines end.
    """

    def __init__(self, client: HostClient | None = None) -> None:
        self._client = client
        self._ending = False
        self.told: list[bytes] = []
        """What it said until it was ready or was not."""
        self.left = 0
        """How many sessions it holds that are not done."""

    @property
    def alive(self) -> bool:
        """Return whether it has not ended, and nobody is ending it."""
        return self._client is not None and not self._ending and self._client.alive

    @property
    def ready(self) -> bool:
        """Return whether it has said that it is ready."""
        return bool(self.told) and self.told[-1].startswith(b"Ready ")

    @property
    def why_not(self) -> str:
        """Return why it is not ready, in words."""
        said = self.told[-1] if self.told else b""
        try:
            return str(json.loads(said.removeprefix(b"Unready "))["text"])
        except (ValueError, KeyError, TypeError):
            return f"it said {said[:200]!r}"

    def make_ready(self, order: bytes) -> None:
        """Give it its order, and read what it says until it is ready or is not."""
        assert self._client is not None, "it was started"
        self._client.send([order])
        while not self.told or not self.told[-1].startswith((b"Ready ", b"Unready ")):
            self.told.append(self._client.line() or unready("PROCESS", self._client.close()))
        if not self.ready:
            self._client.close()

    def send(self, lines: list[bytes]) -> None:
        """Write lines."""
        if self._client is not None:
            self._client.send(lines)

    def hear(self, until: float) -> Played:
        """Return the lines that come until all sessions are done or the time is over."""
        assert self._client is not None, "it became ready"
        found: list[bytes] = []
        while self.left:
            line = self._client.line(until)
            if line is None:
                break
            if not line:
                self.left = 0
                return Played(found, ended=self._client.close())
            found.append(line)
            self.left -= line.startswith(b"SessionDone ")
        return Played(found, self.left)

    def close(self) -> None:
        """End it, and wait for its end. Whoever reads its lines sees them end."""
        if self._client is not None:
            self._client.close()

    def end(self) -> None:
        """End it without waiting for its end. From now on it is not alive."""
        self._ending = True
        Thread(target=self.close, daemon=True).start()


def unready(why: str, text: str) -> bytes:
    """Return the line of an Unready. `why`: the name of a `Why`."""
    from arena.cluster.orders import ORDER_LINES, Unready, Why

    return ORDER_LINES.write(Unready(Why[why], text))

"""A match with people on pages, played by the real command, and the page of a seat without a browser."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from types import TracebackType
from typing import Any, Self
from urllib.parse import urljoin, urlsplit

from tests.forked import Forked

PATIENCE = 120.0
"""Seconds for anything, on a machine that does much else."""
_ADDRESS = re.compile(r"https?://\S+/seat/(\d)/#\S+")


class PageMatch:
    """`arena play` with these words, in a `with`, for so many people. `addresses`: by seat, the newest."""

    def __init__(
        self, *words: str, people: int = 1, opens: bool = False, environment: Mapping[str, str] | None = None
    ) -> None:
        self._people = people
        self.addresses: dict[int, str] = {}
        self.said: list[str] = []
        self.out = ""
        (stdin, written), (read_out, stdout), (read_err, stderr) = os.pipe(), os.pipe(), os.pipe()
        self._process = Forked(
            ("play", *words, *([] if opens else ["--no-open"])),
            (stdin, stdout, stderr),
            environment=environment,
        )
        for descriptor in (stdin, stdout, stderr):
            os.close(descriptor)
        self._stdin = os.fdopen(written, "w", encoding="utf-8")
        self._stdout = os.fdopen(read_out, encoding="utf-8")
        self._stderr = os.fdopen(read_err, encoding="utf-8")
        self._readers = [
            threading.Thread(target=read, daemon=True) for read in (self._read_out, self._read_err)
        ]
        for reader in self._readers:
            reader.start()

    def _read_out(self) -> None:
        for line in self._stdout:
            self.out += line

    def _read_err(self) -> None:
        for line in self._stderr:
            self.said.append(line)
            if found := _ADDRESS.search(line):
                self.addresses[int(found[1])] = found[0]

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until something holds."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"{what}: {self.said} {self.out}"
            assert self._process.poll() is None or holds(), f"{what}: it ended: {self.said} {self.out}"
            time.sleep(0.02)

    def __enter__(self) -> Self:
        self.until(lambda: len(self.addresses) == self._people, "addresses")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.returncode is None:
            self.end(signal.SIGINT)

    @property
    def address(self) -> str:
        """The address of the first seat."""
        return self.addresses[0]

    def press_enter(self) -> None:
        """Ask for new addresses."""
        before = dict(self.addresses)
        self._stdin.write("\n")
        self._stdin.flush()
        self.until(lambda: all(self.addresses[seat] != before[seat] for seat in before), "new addresses")

    def end(self, number: signal.Signals) -> int:
        """End it with a signal, and return its exit code."""
        self._process.send_signal(number)
        return self.ended()

    def ended(self) -> int:
        """Wait for its end, and return its exit code."""
        code = self._process.wait(PATIENCE)
        for reader in self._readers:
            reader.join()
        for stream in (self._stdin, self._stdout, self._stderr):
            stream.close()
        return code


class Page:
    """What the page of a seat does, without a browser: it enters, hears of each state, and sends choices.

    `sent`: all that the server has sent, states included.
    """

    def __init__(self, address: str, context: ssl.SSLContext | None = None) -> None:
        self.sent: list[bytes] = []
        self._place = urlsplit(address)
        self._context = context
        self.cookie = ""
        self._events: http.client.HTTPResponse | None = None

    def _connection(self) -> http.client.HTTPConnection:
        host, port = self._place.hostname, self._place.port
        assert host is not None
        if self._place.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=PATIENCE, context=self._context)
        return http.client.HTTPConnection(host, port, timeout=PATIENCE)

    def ask(
        self, method: str, what: str, content: object = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request as the page does, and return status, headers and body."""
        with closing(self._connection()) as connection:
            own = {"Origin": f"{self._place.scheme}://{self._place.netloc}", "Cookie": self.cookie} | headers
            body = None if content is None else json.dumps(content)
            connection.request(method, urljoin(self._place.path, what), body, own)
            reply = connection.getresponse()
            read = reply.read()
            self.sent.append(read)
            return reply.status, {name.lower(): value for name, value in reply.getheaders()}, read

    def enter(self) -> int:
        """Change the token for a cookie, and return the status."""
        status, headers, _ = self.ask("POST", "enter", {"token": self._place.fragment})
        self.cookie = headers.get("set-cookie", "").partition(";")[0]
        return status

    def states(self) -> Iterator[dict[str, Any]]:
        """Yield each state of the table, as long as the server sends any."""
        connection = self._connection()
        connection.request("GET", urljoin(self._place.path, "events"), headers={"Cookie": self.cookie})
        with closing(connection), connection.getresponse() as reply:
            assert reply.status == 200, reply.read()
            try:
                while line := reply.readline():
                    self.sent.append(line)
                    if line.startswith(b"data: {") and line != b"data: {}\n":
                        yield json.loads(line.removeprefix(b"data: "))
            except (http.client.IncompleteRead, ConnectionError):
                return  # the server was ended

    def choose(self, state: dict[str, Any], cards: Sequence[str]) -> tuple[int, str]:
        """Send cards as the answer to the question of this state. Return the status, and what was refused."""
        status, _, body = self.ask("POST", "answer", {"question": state["question"], "cards": cards})
        return status, json.loads(body)["sentence"] if body else ""

    def asked(self) -> Iterator[dict[str, Any]]:
        """Yield the first state of each question, and that of the result."""
        seen = ""
        for state in self.states():
            if state["result"] is not None:
                yield state
                return
            if state["question"] not in ("", seen):
                seen = state["question"]
                yield state
        raise AssertionError("the server has ended")

    def play(self, most: int | None = None) -> dict[str, Any]:
        """Choose the first legal cards: so many times, or to the end of the match. Return the last state."""
        for state in self.asked():
            if state["result"] is not None or most == 0:
                break
            assert self.choose(state, state["legal"][: state["count"]]) == (204, "")
            most = None if most is None else most - 1
        return state

"""A referee process for tests: it is given jobs, heard with limited patience, and ended in any case."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from arena.linux.process_tree import children
from arena.referee.jobs import (
    Finished,
    JobMessage,
    SessionDone,
    SessionJob,
    Setup,
    read_message,
    write_message,
)
from tests.tables import deals_of, job

PATIENCE = 40.0
"""Seconds to wait for anything. Only a broken referee takes so long."""

DEAF = (
    sys.executable,
    "-c",
    "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN);"
    "os.execv(sys.argv[1], sys.argv[1:])",
)
"""The beginning of a command line: the rest of it is started to ignore the ends of its children."""

_BODY = "from arena.referee.referee import main; main()"


def descendants(pid: int) -> list[int]:
    """Return the descendants of a process, generation by generation."""
    found = children(pid)
    for child in found:
        found += children(child)
    return found


def is_between(pid: int) -> bool:
    """Say whether this process stands between the arena and a bot. One that has ended meanwhile does not."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:5]
        return words[0].endswith(b"bwrap") or words[-1].endswith(b"supervisor.py")
    return False


class RefereeRun:
    """A referee for a `with` statement.

    `setup`: the setup to send at once, if any. `log`: the file of its standard error. `before`: a command
    that starts the referee, such as a wrapper, with its arguments. `first`: code that it runs before.
    """

    def __init__(self, setup: Setup | None, log: Path, before: Sequence[str] = (), first: str = "") -> None:
        self._log = log
        self._body = f"{first}{_BODY}"
        with log.open("wb") as errors:
            self._popen = subprocess.Popen(
                [*before, sys.executable, "-c", self._body],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
                bufsize=0,
            )
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self._input, self._output = self._popen.stdin, self._popen.stdout
        self._rest = b""
        self._messages: list[JobMessage] = []
        self.pid = self._referee_below() if before else self._popen.pid
        if setup is not None:
            self.send(setup)

    def _referee_below(self) -> int:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for pid in descendants(self._popen.pid):
                with contextlib.suppress(OSError):
                    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                    if words[1:3] == [b"-c", self._body.encode()]:
                        return pid
            time.sleep(0.01)
        raise AssertionError(f"there is no referee: {self.errors()}")

    def __enter__(self) -> RefereeRun:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._input.close()
        try:
            self._popen.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
            raise
        finally:
            self._output.close()

    def send(self, message: JobMessage) -> None:
        self._input.write(write_message(message))

    def session(self, seats: Sequence[str], orders: Sequence[int], index: int = 0) -> None:
        """Send a session with these seat orders, all with the same seats."""
        matches = tuple(job(seats, index, order) for order in orders)
        self.send(SessionJob(0, index, deals_of(index).key.hex(), matches))

    def next(self) -> JobMessage | None:
        """Return the next message, or None at the end of the stream."""
        deadline = time.monotonic() + PATIENCE
        while not self._messages:
            readable, _, _ = select.select([self._output], [], [], deadline - time.monotonic())
            assert readable, f"nothing came from the referee within {PATIENCE} s"
            data = os.read(self._output.fileno(), 1 << 16)
            if not data:
                return None
            *lines, self._rest = (self._rest + data).split(b"\n")
            self._messages += [read_message(line) for line in lines]
        return self._messages.pop(0)

    def until_done(self) -> list[JobMessage]:
        """Return all messages up to the end of a session, or of the stream."""
        said: list[JobMessage] = []
        while (message := self.next()) is not None:
            said.append(message)
            if isinstance(message, SessionDone):
                break
        return said

    def finished(self) -> Finished:
        """Return the next finished match, and drop the messages before it."""
        while not isinstance(message := self.next(), Finished):
            assert message is not None, self.errors()
        return message

    def below(self) -> list[int]:
        """Return the referee's descendants, generation by generation."""
        return descendants(self.pid)

    def bots(self) -> list[int]:
        """Return the bots' processes: the referee's descendants without what is between."""
        return [pid for pid in self.below() if not is_between(pid)]

    def close_input(self) -> None:
        """Close the referee's input, as when the coordinator is gone."""
        self._input.close()

    def exit_code(self) -> int:
        """Wait for the referee to end, and return its exit code."""
        return self._popen.wait(PATIENCE)

    def errors(self) -> str:
        """Return what it wrote to standard error."""
        return self._log.read_text(encoding="utf-8")

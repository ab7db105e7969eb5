"""The worker's end of a host process: starts it, writes and reads its lines, ends it. Reads no line.

Nothing here waits in an event loop, because a worker of the engine runs its tasks in threads.
"""

from __future__ import annotations

import math
import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from threading import Lock

from arena.linux.endings import how_it_ended, last_lines
from arena.linux.installation import same_python
from arena.linux.leftovers import MARK, end_leftovers

__all__ = ["HostClient"]

_AT_ONCE = 1 << 16
CLOSE_SECONDS = 2.0
"""The time that a host process has to end its bots and itself before it is killed."""


class HostClient:
    """A host process, started by the constructor. `close` may be called by any thread, and more than once.

    `mark`: by which it and its bots are found if they are left behind, or "". `arguments`: of `arena host`.
    Raises OSError when no process can be started.
    """

    def __init__(self, mark: str, arguments: Iterable[str]) -> None:
        self._mark = mark
        argv, environment = same_python("-m", "arena", "host", *arguments)
        # Not that of whoever started this worker, who would end these bots as its own.
        environment.pop(MARK, None)
        if mark:
            environment[MARK] = mark
        # In memory, because the disk may be what is wrong.
        self._errors = os.memfd_create("host-errors")
        try:
            self._popen = subprocess.Popen(
                argv,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                stderr=self._errors,
                start_new_session=True,
            )
        except BaseException:
            os.close(self._errors)
            raise
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self._input, self._output = self._popen.stdin, self._popen.stdout
        self._readable = select.poll()
        self._readable.register(self._output, select.POLLIN)
        self._rest = b""
        self._lines: deque[bytes] = deque()
        self._writing = Lock()
        self._closing = Lock()
        self._closes = False
        self._ended = ""
        self.pid = self._popen.pid

    @property
    def alive(self) -> bool:
        """Return whether it has not ended, and nobody is ending it."""
        return not self._closes and self._popen.poll() is None

    def send(self, lines: Iterable[bytes]) -> None:
        """Write lines. If it is gone nothing happens: then no line comes back."""
        data = memoryview(b"".join(lines))
        # ValueError: another thread has closed it.
        with self._writing, suppress(BrokenPipeError, ValueError):
            while data:
                data = data[self._input.write(data) :]

    def line(self, until: float = math.inf) -> bytes | None:
        """Return the next line, with its newline, as soon as there is one; b"" when it has ended.

        Returns None when there is none by the time `until` of the monotonic clock.
        """
        while not self._lines:
            data = self._read(until)
            if not data:
                return data
            *lines, self._rest = (self._rest + data).split(b"\n")
            self._lines.extend(lines)
        return self._lines.popleft() + b"\n"

    def _read(self, until: float) -> bytes | None:
        """Return what has come, b"" at the end, or None when the time is over."""
        wait_ms = None if math.isinf(until) else max(0.0, until - time.monotonic()) * 1000
        if not self._readable.poll(wait_ms):
            return None
        # Only this thread reads, and nobody closes it before this object is gone.
        return os.read(self._output.fileno(), _AT_ONCE)

    def close(self) -> str:
        """End it with its bots, and return in words how it ended, with its last words.

        Its input is closed, and then it ends its bots and itself; after `CLOSE_SECONDS` it is killed.
        """
        self._closes = True
        with self._closing:
            if not self._ended:
                self._ended = self._close()
        return self._ended

    def _close(self) -> str:
        with suppress(BrokenPipeError):
            self._input.close()
        try:
            code = self._popen.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self.pid, signal.SIGKILL)
            code = self._popen.wait()
        if code and self._mark:
            # Its bots end with it, unless their keepers were killed too.
            end_leftovers(self._mark)
        said = last_lines(os.pread(self._errors, os.fstat(self._errors).st_size, 0))
        os.close(self._errors)
        return f"its process {how_it_ended(code)}{said}"

"""The coordinator's end of one referee process: starts it, sends it work, hears from it. Decides nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import trio

from arena.channel import PipeChannel
from arena.jobs import JobMessage, Setup, read_message, write_message
from arena.line_stream import LineStream

__all__ = ["RefereeClient"]

CLOSE_SECONDS = 2.0
"""What a referee gets to end its bots and itself before it is killed."""
_POLL_SECONDS = 0.01


class RefereeClient:
    """A referee process. `close` must be awaited once. Its standard error goes to `log`."""

    def __init__(self, log: Path) -> None:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as errors:
            self._popen = subprocess.Popen(
                [sys.executable, "-m", "arena", "referee"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # Ctrl-C is for the coordinator alone
                bufsize=0,
            )
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        channel = PipeChannel(os.dup(self._popen.stdin.fileno()), os.dup(self._popen.stdout.fileno()))
        self._popen.stdin.close()
        self._popen.stdout.close()
        self._stream = LineStream(channel)
        self.pid = self._popen.pid

    async def send(self, message: JobMessage) -> bool:
        """Send one message; False when the referee is gone."""
        try:
            await self._stream.send(write_message(message))
        except BrokenPipeError:
            return False
        return True

    async def begin(self, setup: Setup) -> None:
        """Send what stays the same; the first message."""
        await self.send(setup)

    async def messages(self) -> AsyncIterator[JobMessage]:
        """What the referee says, until it ends."""
        async for line in self._stream.lines():
            yield read_message(line)

    async def close(self) -> str:
        """End it: it ends its bots when its input ends. How it ended, in words."""
        with trio.CancelScope(shield=True):
            self._stream.close_write()
            deadline = trio.current_time() + CLOSE_SECONDS
            while self._popen.poll() is None and trio.current_time() < deadline:
                await trio.sleep(_POLL_SECONDS)
            if self._popen.poll() is None:
                os.killpg(self.pid, signal.SIGKILL)
                self._popen.wait()
            self._stream.close()
        code = self._popen.returncode
        return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"

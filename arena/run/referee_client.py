"""The coordinator's end of one referee process: starts it, sends it work, hears from it. Decides nothing."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import BinaryIO

import trio

from arena.bot.channel import PipeChannel
from arena.errors import InternalError
from arena.linux.endings import last_lines
from arena.linux.installation import same_python
from arena.linux.strays import end_strays, mine, not_mine
from arena.referee.jobs import JobMessage, read_message, write_message
from arena.referee.line_stream import LineStream

__all__ = ["RefereeClient"]

CLOSE_SECONDS = 2.0
"""The time that a referee has to end its bots and itself before it is killed."""


class RefereeClient:
    """A referee process, started by the constructor. `close` must be awaited once.

    The process appends its standard error to the file `log`. Raises InternalError when no process can be
    started.
    """

    def __init__(self, log: Path) -> None:
        self._log = log
        try:
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("ab") as errors:
                self._log_begins = errors.tell()
                self._popen = _popen(errors)
        except OSError as error:
            raise InternalError(f"no referee can be started (its log: {log}): {error}") from error
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        # The channel owns its descriptors, and so do the files of the Popen object: hence the duplicates.
        channel = PipeChannel(os.dup(self._popen.stdin.fileno()), os.dup(self._popen.stdout.fileno()))
        self._popen.stdin.close()
        self._popen.stdout.close()
        self._stream = LineStream(channel)
        self.pid = self._popen.pid
        self._pidfd = os.pidfd_open(self.pid)
        # Otherwise `end_strays` would take this child for a process that a bot left behind.
        mine(self.pid)

    async def send(self, message: JobMessage) -> bool:
        """Send one message, and return False when the referee is gone."""
        try:
            await self._stream.send(write_message(message))
        except BrokenPipeError:
            return False
        return True

    async def messages(self) -> AsyncGenerator[JobMessage, None]:
        """Yield the referee's messages until it ends."""
        async with aclosing(self._stream.lines()) as lines:
            async for line in lines:
                yield read_message(line)

    async def close(self) -> int:
        """End the referee, and return its exit code, or minus the number of the signal that killed it.

        Its input is closed, and then it ends its bots and itself; after `CLOSE_SECONDS` it is killed.
        """
        # Shielded: a run that is stopped at once must not leave bots behind either.
        with trio.CancelScope(shield=True):
            self._stream.close_write()
            with trio.move_on_after(CLOSE_SECONDS):
                await trio.lowlevel.wait_readable(self._pidfd)
            if self._popen.poll() is None:
                os.killpg(self.pid, signal.SIGKILL)
            self._stream.close()
            os.close(self._pidfd)
            code = self._popen.wait()
            not_mine(self.pid)
            # What the bots of a killed referee had started now has this process as its parent.
            await end_strays()
        return code

    def last_words(self) -> str:
        """Return the last lines that it wrote into its log, each after a newline and indented, or ""."""
        with self._log.open("rb") as log:
            log.seek(self._log_begins)
            return last_lines(log.read())


def _popen(errors: BinaryIO) -> subprocess.Popen[bytes]:
    argv, environment = same_python("-m", "arena", "referee")
    return subprocess.Popen(
        argv,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,  # Ctrl-C is for the coordinator alone
        bufsize=0,
    )

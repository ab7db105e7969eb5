"""A process of the arena that a run has started, and the lines between the two. Knows no message."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import BinaryIO

import trio

from arena.bot.channel import PipeChannel
from arena.errors import InternalError
from arena.linux.endings import last_lines
from arena.linux.family import end_orphans, mine, not_mine
from arena.linux.installation import same_python
from arena.referee.line_stream import LineStream

CLOSE_SECONDS = 2.0
"""The time that a process has to end what it has started and itself before it is killed."""


class Child:
    """A process that runs a module of the arena as a command, started by the constructor.

    `close` must be awaited once. The process appends its standard error to the file `log`. Raises
    InternalError when no process can be started.
    """

    def __init__(self, log: Path, *command: str) -> None:
        self._log = log
        try:
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("ab") as errors:
                self._log_begins = errors.tell()
                self._popen = _popen(command, errors)
        except OSError as error:
            raise InternalError(f"no {command[1]} can be started (its log: {log}): {error}") from error
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        # The channel owns its descriptors, and so do the files of the Popen object: hence the duplicates.
        channel = PipeChannel(os.dup(self._popen.stdin.fileno()), os.dup(self._popen.stdout.fileno()))
        self._popen.stdin.close()
        self._popen.stdout.close()
        self._stream = LineStream(channel)
        self.pid = self._popen.pid
        self._pidfd = os.pidfd_open(self.pid)
        # Otherwise `end_orphans` would take this child for a process that a bot left behind.
        mine(self.pid)

    async def send(self, lines: bytes) -> bool:
        """Send lines, and return False when the process is gone."""
        try:
            await self._stream.send(lines)
        except BrokenPipeError:
            return False
        return True

    def lines(self) -> AsyncGenerator[bytes, None]:
        """Yield the lines of the process, without their newlines, until it ends."""
        return self._stream.lines()

    async def close(self, patience: float = CLOSE_SECONDS) -> int:
        """End the process, and return its exit code, or minus the number of the signal that killed it.

        Its input is closed, and then it ends itself; after `patience` seconds it is killed.
        """
        # Shielded: a run that is stopped at once must not leave bots behind either.
        with trio.CancelScope(shield=True):
            self._stream.close_write()
            with trio.move_on_after(patience):
                await trio.lowlevel.wait_readable(self._pidfd)
            if self._popen.poll() is None:
                os.killpg(self.pid, signal.SIGKILL)
            self._stream.close()
            os.close(self._pidfd)
            code = self._popen.wait()
            not_mine(self.pid)
            # What the bots of a killed process had started now has this process as its parent.
            await end_orphans()
        return code

    def last_words(self) -> str:
        """Return the last lines that it wrote into its log, each after a newline and indented, or ""."""
        try:
            with self._log.open("rb") as log:
                log.seek(self._log_begins)
                return last_lines(log.read())
        except OSError:  # somebody has tidied up
            return ""


def _popen(command: Sequence[str], errors: BinaryIO) -> subprocess.Popen[bytes]:
    argv, environment = same_python("-m", *command)
    return subprocess.Popen(
        argv,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,  # Ctrl-C is for the coordinator alone
        bufsize=0,
    )

"""The coordinator's end of one referee process: starts it, sends it work, hears from it. Decides nothing.

`AtWork` is the coordinator's view of one referee: the sessions it holds and how many more it may be given.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import trio

from arena.bot.channel import PipeChannel
from arena.bot.line_stream import LineStream
from arena.deals import MatchKey
from arena.errors import InternalError
from arena.linux.installation import same_python
from arena.linux.reaper import end_strays, mine, not_mine
from arena.referee.jobs import JobMessage, read_message, write_message
from arena.schedule import Session
from arena.season.agenda import Work

__all__ = ["AtWork", "RefereeClient", "how_it_ended"]

CLOSE_SECONDS = 2.0
"""The time that a referee has to end its bots and itself before it is killed."""
_LAST_LINES = 3


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
            lines = log.read().decode("utf-8", "replace").split("\n")
        return "".join(f"\n    {line}" for line in [line for line in lines if line.strip()][-_LAST_LINES:])


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


def how_it_ended(code: int) -> str:
    """Return in words what `RefereeClient.close` returned."""
    return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


_SESSIONS_AHEAD = 2
"""Sessions that a referee knows of for each of its tables: the one being played and the next one, so that
the referee never waits for the coordinator."""
_AHEAD_SECONDS = 0.5
"""The time that quick sessions given ahead should last. So several of them are begun in one transaction: a
transaction takes a millisecond of processor time, as long as some sixty decisions of quick bots."""
_MOST_AHEAD = 32


@dataclass(slots=True)
class AtWork:
    """A referee and the sessions that it holds.

    `heard`: whether it has sent any message. `stopped`: whether it was told to stop. `open`: by (cycle,
    index), each session begun for it and the attempts that are not reported yet, in the order in which it is
    told of them. `unsent`: the sessions that it has not been told of yet; the task that sends them holds
    `sending`. `begun`: the matches that it says it is playing, where it plays several at a time.
    `session_seconds`: the smoothed time from the end of one session to the end of the next, 0 while unknown.
    `last_done`: when its last session ended, by trio's clock.
    """

    client: RefereeClient
    tables: int = 1
    heard: bool = False
    stopped: bool = False
    open: dict[tuple[int, int], tuple[Session, list[MatchKey]]] = field(default_factory=dict)
    unsent: deque[Work] = field(default_factory=deque)
    sending: trio.Lock = field(default_factory=trio.Lock)
    begun: list[MatchKey] = field(default_factory=list)
    session_seconds: float = 0.0
    last_done: float | None = None

    def session_done(self, now: float) -> None:
        """Note that a session was done at the time `now`, in seconds of trio's clock."""
        if self.last_done is not None:
            seconds = now - self.last_done
            # Exponential smoothing; the first time is taken whole, for there is nothing to smooth it with.
            self.session_seconds += (seconds - self.session_seconds) / (4 if self.session_seconds else 1)
        self.last_done = now

    def playing(self) -> list[MatchKey]:
        """Return the matches that it was playing when it was last heard of."""
        unfinished = [key for _, keys in self.open.values() for key in keys]
        # With one table it plays in the order of its sessions, so the first unfinished match is the one.
        return [key for key in unfinished if key in self.begun] if self.tables > 1 else unfinished[:1]

    def room(self, share: int) -> int:
        """Return how many further sessions it may be given now.

        `share`: the sessions for it if all unplayed sessions were divided evenly among the referees.
        """
        return self._ahead(share) - len(self.open)

    def is_low(self, share: int) -> bool:
        """Return whether half of the sessions that it may hold are played, so that it needs more now."""
        return len(self.open) <= self._ahead(share) // 2

    def _ahead(self, share: int) -> int:
        ahead = _SESSIONS_AHEAD * self.tables
        if self.session_seconds:
            ahead = max(ahead, min(_MOST_AHEAD, round(_AHEAD_SECONDS / self.session_seconds)))
        # Never more than its share, or it would still hold sessions when the others have none left.
        return max(_SESSIONS_AHEAD, min(ahead, share))

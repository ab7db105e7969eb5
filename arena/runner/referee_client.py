"""The coordinator's end of one referee, wherever that is: what it is sent, what comes back, how it ended.

A referee is a pair of streams of lines, to a process of this machine or through the bridge to one of a host.
What it says is checked against what it was given: what no referee could say ends it. Decides nothing.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from arena.deals import MatchKey
from arena.linux.endings import how_it_ended
from arena.referee.child import Child
from arena.referee.jobs import (
    Aborted,
    Begun,
    Finished,
    JobMessage,
    MatchJob,
    Met,
    SessionDone,
    SessionJob,
    Setup,
    Stop,
    read_message,
    write_message,
)
from arena.runner.record_check import validate_record
from arena.runner.referees import End, RefereeEnd
from protocol.messages import MAX_TEXT

__all__ = ["LineEnd", "Lines", "LocalLines", "RefereeClient"]

_LONGEST = 1 << 16
"""The bytes of the longest line that is no record of a match. A traceback is the longest of them."""


@dataclass(frozen=True, slots=True)
class LineEnd:
    """How the streams ended. `code`: the process's exit code, None if it was lost with its host."""

    code: int | None
    how: str
    log: str
    last_words: str = ""


class Lines(Protocol):
    """The streams of lines to and from one referee."""

    name: str

    async def send(self, lines: bytes) -> bool:
        """Send lines, and return False when the referee is gone."""

    def lines(self) -> AsyncGenerator[bytes, None]:
        """Yield the referee's lines until it ends."""

    async def close(self) -> LineEnd:
        """End the referee if it has not ended, and return how it ended."""


class LocalLines:
    """A referee process of this machine, started by the constructor. `close` must be awaited once.

    It appends its standard error to the file `log`. Raises InternalError when no process can be started.
    """

    def __init__(self, log: Path, number: int, setup: Setup) -> None:
        self._child = Child(log, "arena", "referee")
        self._log = log
        self._setup = write_message(setup)
        self.name = f"referee {number}"
        self.pid = self._child.pid

    async def send(self, lines: bytes) -> bool:
        """Send lines, after the setup."""
        setup, self._setup = self._setup, b""
        return await self._child.send(setup + lines)

    def lines(self) -> AsyncGenerator[bytes, None]:
        """Yield the referee's lines until it ends."""
        return self._child.lines()

    async def close(self) -> LineEnd:
        """End the referee: it ends its bots and itself, or is killed after a while."""
        code = await self._child.close()
        how = f"{self.name} {how_it_ended(code)}"
        return LineEnd(code, how, str(self._log), self._child.last_words())


class RefereeClient:
    """A referee. `close` must be awaited once.

    `setup`: the one that it has. `host`: the number of the row of its host. `has_finished`: whether it has
    finished a match. `ended`: how, once it was closed.
    """

    def __init__(self, lines: Lines, setup: Setup, host: int, ahead_seconds: float = 0.5) -> None:
        """Return the client; by default sessions for half a second are begun ahead.

        So several quick sessions are begun in one transaction, which takes a millisecond of processor time,
        as long as some sixty decisions of quick bots.
        """
        self._lines = lines
        self._setup = setup
        self._jobs: dict[tuple[int, int], dict[MatchKey, MatchJob]] = {}
        self._bots: set[str] = set()
        """The bots of the matches that it was ever given."""
        self._told_to_stop = False
        self._wrong = ""
        self.tables = setup.tables
        self.host = host
        self.ahead_seconds = ahead_seconds
        self.has_finished = False
        self.ended: RefereeEnd | None = None

    @property
    def sessions(self) -> int:
        """Return how many sessions it holds."""
        return len(self._jobs)

    async def send(self, message: JobMessage) -> bool:
        """Send one message. Return False when the referee is gone."""
        match message:
            case SessionJob():
                self._jobs[message.cycle, message.index] = {job.key: job for job in message.matches}
                self._bots.update(bot for job in message.matches for bot in job.seats)
            case Stop():
                self._told_to_stop = True
        return await self._lines.send(write_message(message))

    async def messages(self) -> AsyncGenerator[JobMessage, None]:
        """Yield the referee's messages until it ends, or says what no referee says."""
        async with aclosing(self._lines.lines()) as lines:
            async for line in lines:
                try:
                    message = read_message(line)
                    if len(line) > _LONGEST and not isinstance(message, Finished):
                        raise ValueError(f"a {type(message).__name__} of {len(line):,} bytes")
                    self._check(message)
                except ValueError as error:
                    self._wrong = str(error).partition("\n")[0]
                    return
                yield message

    async def close(self) -> RefereeEnd:
        """End the referee if it has not ended, and return how it ended."""
        found = await self._lines.close()
        if self._wrong:
            how = f"{self._lines.name} sent what no referee sends: {self._wrong}"
            self.ended = RefereeEnd(End.BROKE, how, found.log)
        else:
            in_order = End.IN_ORDER if self._told_to_stop and found.code == 0 else End.BROKE
            end = End.GONE if found.code is None else in_order
            self.ended = RefereeEnd(end, found.how, found.log, found.last_words)
        return self.ended

    def _check(self, message: JobMessage) -> None:
        """Check that a message is about what the referee was given. Raises ValueError."""
        match message:
            case Finished(record=record):
                job = self._held(record.key)
                if wrong := validate_record(record, self._setup, job.seats):
                    raise ValueError(f"a result of {record.key} with {wrong}")
                del self._jobs[record.key.cycle, record.key.index][record.key]
                self.has_finished = True
            case Aborted(key, reason):
                self._held(key)
                if not reason.strip():
                    raise ValueError(f"an abort of {key} without a reason")
                del self._jobs[key.cycle, key.index][key]
            case SessionDone(cycle, index):
                if self._jobs.pop((cycle, index), {None: None}):
                    raise ValueError(f"the end of session {cycle}.{index}, of which matches are missing")
            case Met():
                if message.bot not in self._bots:
                    raise ValueError(f"something of {message.bot!r}, which plays in no match of its")
                said = (message.name, message.version, message.language or "", message.author or "")
                if not all(len(text) <= MAX_TEXT and text.isprintable() for text in said):
                    raise ValueError(f"what no bot can say of itself ({message.bot})")
            case Begun(keys):
                for key in keys:
                    self._held(key)
            case _:
                raise ValueError(f"{type(message).__name__}, which is for referees")

    def _held(self, key: MatchKey) -> MatchJob:
        """Return the match with this key. Raises ValueError when the referee was not given it."""
        job = self._jobs.get((key.cycle, key.index), {}).get(key)
        if job is None:
            raise ValueError(f"something of {key}, which it was not given")
        return job

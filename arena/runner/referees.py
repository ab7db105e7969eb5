"""Referees as a coordinator sees them: what each is sent and says, what it holds, and how it ends.

A referee is a pair of streams of lines, to a process of this machine or through the bridge to one of a host.
What it says is checked against what it was given: what no referee could say ends it. `LocalReferees` starts
processes of this machine; `arena.runner.cluster_referees` finds workers of a cluster. Nothing about sessions
is decided here: a `Workload` counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Protocol, TypeAlias

import trio

from arena.deals import MatchKey
from arena.errors import InternalError
from arena.linux.endings import how_it_ended, was_told_to_end
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
from arena.schedule import Session
from arena.season.agenda import Work

_SESSIONS_AHEAD = 2
"""Sessions that a referee knows of for each of its tables: the one being played and the next one, so that
the referee never waits for the coordinator."""
_MOST_AHEAD = 32
_MEASURED_SECONDS = 0.25
SILENT_LOOKS = 60
"""Looks in a row between which a referee that has something to do may say nothing. Looks are counted, not
seconds: in a time in which this process or its machine stood still, nothing could be heard."""
_SILENT_ENDINGS = 3
"""Referees that may end in a row without having sent a message; then the cause is a mistake of ours."""


class End(Enum):
    """The way in which a referee ended, which decides what becomes of the matches that it was playing."""

    IN_ORDER = "it was told to stop, and has finished what it was playing"
    BROKE = "by itself: its matches are aborted, for they may be the cause"
    GONE = "with its host, or by a signal after it was told to stop: it counts against no match"
    SIGNALLED = "by a signal"

    @classmethod
    def of(cls, code: int | None) -> End:
        """Return the way in which a process ended with this exit code; None: it was lost with its host."""
        if code is None:
            return cls.GONE
        if was_told_to_end(code):
            return cls.SIGNALLED
        return cls.BROKE if code else cls.IN_ORDER


@dataclass(frozen=True, slots=True)
class RefereeEnd:
    """The end of a referee. `how`: in words. `log`: where more can be read, `last_words`: its last lines."""

    end: End
    how: str
    log: str
    last_words: str = ""

    def __str__(self) -> str:
        return f"{self.how}; see {self.log}"


class Lines(Protocol):
    """The streams of lines to and from one referee."""

    name: str

    async def send(self, lines: bytes) -> bool:
        """Send lines, and return False when the referee is gone."""

    def lines(self) -> AsyncGenerator[bytes, None]:
        """Yield the referee's lines until it ends."""

    async def close(self) -> RefereeEnd:
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

    async def send(self, lines: bytes) -> bool:
        """Send lines, after the setup."""
        setup, self._setup = self._setup, b""
        return await self._child.send(setup + lines)

    def lines(self) -> AsyncGenerator[bytes, None]:
        """Yield the referee's lines until it ends."""
        return self._child.lines()

    async def close(self) -> RefereeEnd:
        """End the referee: it ends its bots and itself, or is killed after a while."""
        code = await self._child.close()
        how = f"{self.name} {how_it_ended(code)}"
        return RefereeEnd(End.of(code), how, str(self._log), self._child.last_words())


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
            case Stop():
                self._told_to_stop = True
        return await self._lines.send(write_message(message))

    async def messages(self) -> AsyncGenerator[JobMessage, None]:
        """Yield the referee's messages until it ends, or says what no referee says."""
        async with aclosing(self._lines.lines()) as lines:
            async for line in lines:
                try:
                    message = read_message(line)
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
            found = RefereeEnd(End.BROKE, how, found.log)
        elif found.end is End.SIGNALLED and self._told_to_stop:
            found = replace(found, end=End.GONE)
        elif found.end is not End.GONE and not self._told_to_stop:
            found = replace(found, end=End.BROKE)
        self.ended = found
        return found

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
            case Begun(keys):
                for key in keys:
                    self._held(key)
            case Met():
                pass
            case _:
                raise ValueError(f"{type(message).__name__}, which is for referees")

    def _held(self, key: MatchKey) -> MatchJob:
        """Return the match with this key. Raises ValueError when the referee was not given it."""
        job = self._jobs.get((key.cycle, key.index), {}).get(key)
        if job is None:
            raise ValueError(f"something of {key}, which it was not given")
        return job


Play: TypeAlias = Callable[[RefereeClient], Awaitable[RefereeEnd | None]]
"""Has a referee play until its end. Returns how it ended if it was never heard of, else None."""
More: TypeAlias = Callable[[], bool]
"""Whether anything is left for which a referee is wanted."""


class Referees(Protocol):
    """The referees of one phase. `count`: how many there are now, or will be; at least 1."""

    @property
    def count(self) -> int:
        """Return how many referees share what is left to play."""

    async def keep(self, play: Play, more: More) -> None:
        """Have referees play, and others in the place of those that are lost, until no more is wanted."""


def local_referee(log: Path, number: int, setup: Setup, host: int) -> RefereeClient:
    """Start a referee process. Raises InternalError when none can be started."""
    return RefereeClient(LocalLines(log, number, setup), setup, host)


class LocalReferees:
    """Referees by their setups. `logs`: the folder for what they write to standard error."""

    def __init__(self, setups: Sequence[Setup], logs: Path, host: int) -> None:
        self._setups = setups
        self._logs = logs
        self._host = host

    @property
    def count(self) -> int:
        """Return how many referees share what is left to play."""
        return len(self._setups)

    async def keep(self, play: Play, more: More) -> None:
        """Have referees play, and others in the place of those that are lost, until no more is wanted.

        Raises InternalError when referees fail again and again.
        """
        async with trio.open_nursery() as nursery:
            for number, setup in enumerate(self._setups):
                nursery.start_soon(self._keep, number, setup, play, more)

    async def _keep(self, number: int, setup: Setup, play: Play, more: More) -> None:
        silent = 0
        log = self._logs / f"referee-{number}.log"
        while more():
            ended = await play(local_referee(log, number, setup, self._host))
            silent = 0 if ended is None else silent + 1
            if ended is not None and silent >= _SILENT_ENDINGS and more():
                raise InternalError(
                    f"{ended.how} before it played anything; see {ended.log}{ended.last_words}"
                )


# Without `eq`: two referees are different even while they hold the same.
@dataclass(slots=True, eq=False)
class Workload:
    """A referee and the sessions that it holds.

    `heard`: whether it has sent any message. `stopped`: whether it was told to stop. `open`: by (cycle,
    index), each session begun for it and the attempts that are not reported yet, in the order in which it is
    told of them. `unsent`: the sessions that it has not been told of yet; the task that sends them holds
    `sending`. `begun`: the matches that it says it is playing, where it plays several at a time.
    `session_seconds`: the smoothed time from the end of one session to the end of the next, 0 while unknown.
    `measured_at`: up to when it was measured, by trio's clock, and `done`: how many ended since. `hearing`:
    the scope in which it is listened to; whoever cancels it ends the referee.
    """

    client: RefereeClient
    heard: bool = False
    stopped: bool = False
    open: dict[tuple[int, int], tuple[Session, list[MatchKey]]] = field(default_factory=dict)
    unsent: deque[Work] = field(default_factory=deque)
    sending: trio.Lock = field(default_factory=trio.Lock)
    begun: list[MatchKey] = field(default_factory=list)
    session_seconds: float = 0.0
    measured_at: float | None = None
    done: int = 0
    hearing: trio.CancelScope = field(default_factory=trio.CancelScope)
    _silent: int = 0

    def was_heard(self) -> None:
        """Note that a message has come from it."""
        self.heard = True
        self._silent = 0

    def is_silent(self) -> bool:
        """Count a look at it, and return whether it was silent for too many although it has something to do.

        A referee that was told to stop has to end.
        """
        self._silent = self._silent + 1 if self.open or self.stopped else 0
        return self._silent > SILENT_LOOKS

    def session_done(self, now: float) -> None:
        """Note that a session was done at the time `now`, in seconds of trio's clock."""
        if self.measured_at is None:
            self.measured_at = now
            return
        self.done += 1
        # What comes from a host comes in batches: several ends at one moment say nothing of one session.
        if now - self.measured_at >= _MEASURED_SECONDS:
            latest, before = (now - self.measured_at) / self.done, self.session_seconds
            # Smoothed exponentially: the latest counts a quarter. The first is taken whole.
            self.session_seconds = before + (latest - before) / 4 if before else latest
            self.measured_at, self.done = now, 0

    def playing(self) -> list[MatchKey]:
        """Return the matches that it was playing when it was last heard of."""
        unfinished = [key for _, keys in self.open.values() for key in keys]
        # With one table it plays in the order of its sessions, so the first unfinished match is the one.
        return [key for key in unfinished if key in self.begun] if self.client.tables > 1 else unfinished[:1]

    def told(self) -> list[MatchKey]:
        """Return the matches that it was told of and has not reported, in their order."""
        unsent = {key for work in self.unsent for key in work.keys}
        return [key for _, keys in self.open.values() for key in keys if key not in unsent]

    def room(self, share: int) -> int:
        """Return how many further sessions it may be given now.

        `share`: the sessions for it if all unplayed sessions were divided evenly among the referees.
        """
        return self._ahead(share) - len(self.open)

    def is_low(self, share: int) -> bool:
        """Return whether half of the sessions that it may hold are played, so that it needs more now."""
        return len(self.open) <= self._ahead(share) // 2

    def _ahead(self, share: int) -> int:
        ahead = _SESSIONS_AHEAD * self.client.tables
        if seconds := self.session_seconds:
            ahead = max(ahead, round(min(_MOST_AHEAD, self.client.ahead_seconds / seconds)))
        # Never more than its share, or it would still hold sessions when the others have none left.
        return max(_SESSIONS_AHEAD, min(ahead, share))

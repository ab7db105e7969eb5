"""Referees as a coordinator sees them: where they come from, what each holds, and how one of them ends.

`LocalReferees` starts processes of this machine, `ClusterReferees` finds workers of a cluster. Nothing about
sessions is decided here: a `Workload` counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeAlias

import trio

from arena.deals import MatchKey
from arena.referee.jobs import JobMessage
from arena.schedule import Session
from arena.season.agenda import Work

__all__ = ["SILENT_LOOKS", "End", "More", "Play", "Referee", "RefereeEnd", "Referees", "Workload"]

_SESSIONS_AHEAD = 2
"""Sessions that a referee knows of for each of its tables: the one being played and the next one, so that
the referee never waits for the coordinator."""
_MOST_AHEAD = 32
_MEASURED_SECONDS = 0.25
SILENT_LOOKS = 60
"""Looks in a row between which a referee that has something to do may say nothing. Looks are counted, not
seconds: in a time in which this process or its machine stood still, nothing could be heard."""


class End(Enum):
    """The way in which a referee ended, which decides what becomes of the matches that it was playing."""

    IN_ORDER = "it was told to stop, and has finished what it was playing"
    BROKE = "by itself: its matches are aborted, for they may be the cause"
    GONE = "its host is lost: nobody has caused that, so it counts against no match"


@dataclass(frozen=True, slots=True)
class RefereeEnd:
    """The end of a referee. `how`: in words. `log`: where more can be read, `last_words`: its last lines."""

    end: End
    how: str
    log: str
    last_words: str = ""

    def __str__(self) -> str:
        return f"{self.how}; see {self.log}"


class Referee(Protocol):
    """The coordinator's end of one referee. `tables`: how many matches it plays at once.

    `host`: the number of the row of its host. `ahead_seconds`: how long the sessions should last that it is
    given ahead.
    """

    tables: int
    host: int
    ahead_seconds: float

    async def send(self, message: JobMessage) -> bool:
        """Send one message, and return False when the referee is gone."""

    def messages(self) -> AsyncGenerator[JobMessage, None]:
        """Yield the referee's messages until it ends."""

    async def close(self) -> RefereeEnd:
        """End the referee if it has not ended, and return how it ended."""


Play: TypeAlias = Callable[[Referee], Awaitable[RefereeEnd | None]]
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

    client: Referee
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

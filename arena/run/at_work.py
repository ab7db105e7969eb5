"""What one referee is doing, as its coordinator sees it, and how much it is to know of. Sends nothing."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import trio

from arena.deals import MatchKey
from arena.run.referee_client import RefereeClient
from arena.schedule import Session
from arena.season.agenda import Work

__all__ = ["AtWork"]

_SESSIONS_AHEAD = 2
"""Sessions that a referee knows of for each of its tables: the one being played and the next, so that it
never waits for us."""
_AHEAD_SECONDS = 0.5
"""Of quick sessions it knows of so many that they last so long, and is given more with every transaction: one
of its own takes a millisecond of processor time, as long as some sixty decisions of quick bots."""
_MOST_AHEAD = 32


@dataclass(slots=True)
class AtWork:
    """A referee, with what was begun for it and is not reported yet, by session, in the order it is told of.

    `unsent`: those of them that it has not been told of yet; whoever tells it holds `sending`. `begun`: the
    matches that it says it is playing, where it plays several at a time. `session_seconds`: from one session
    done to the next, smoothed; 0 while that is not known.
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
        """One more, at this time."""
        if self.last_done is not None:
            seconds = now - self.last_done
            self.session_seconds += (seconds - self.session_seconds) / (4 if self.session_seconds else 1)
        self.last_done = now

    def playing(self) -> list[MatchKey]:
        """What it was playing when it was last heard of."""
        unfinished = [key for _, keys in self.open.values() for key in keys]
        return [key for key in unfinished if key in self.begun] if self.tables > 1 else unfinished[:1]

    def room(self, share: int) -> int:
        """How many further sessions it may be given now.

        `share`: the sessions for it if what is left were divided among all referees.
        """
        return self._ahead(share) - len(self.open)

    def is_low(self, share: int) -> bool:
        """Whether half of what it may know of is played, so that it must be given more now."""
        return len(self.open) <= self._ahead(share) // 2

    def _ahead(self, share: int) -> int:
        ahead = _SESSIONS_AHEAD * self.tables
        if self.session_seconds:
            ahead = max(ahead, min(_MOST_AHEAD, round(_AHEAD_SECONDS / self.session_seconds)))
        return max(_SESSIONS_AHEAD, min(ahead, share))

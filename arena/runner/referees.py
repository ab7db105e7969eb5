"""Where a coordinator's referees come from, and how one of them ends. Decides nothing about sessions.

`LocalReferees` starts processes of this machine, `ClusterReferees` finds workers of a cluster.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeAlias

from arena.referee.jobs import JobMessage

__all__ = ["End", "More", "Play", "Referee", "RefereeEnd", "Referees"]


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
    given ahead. `session_seconds`: how long it says that a session takes, 0 if it does not say.
    """

    tables: int
    host: int
    ahead_seconds: float
    session_seconds: float

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

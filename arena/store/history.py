"""What happened to a league: lines of its log, acts of its organiser, machines it was on. Plain frozen data.

It holds no SQL and must not import sqlmodel. Times are milliseconds since 1970 (UTC).
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.linux.machine import Host

FIELD = "field"
"""The subject of the lines of the log on who comes to an open season, changes, leaves, or waits."""

NEW_SEASON = "new season"
"""The name of the acts that begin a season."""

NOTED_KEYS = "league file"
"""The name of the acts that note the keys of a league file that may change within a season."""

CUT_SHORT = "the run before did not end in order"
"""Why an attempt is interrupted: it was still begun when the next run began."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """An entry of the league's log. `level`: "info", "warning" or "error".

    `text`: a line, and below it what a bot wrote on standard error, if that is what it is about.
    """

    at: int
    level: str
    subject: str
    text: str

    @property
    def headline(self) -> str:
        """Return its first line. Only this may be shown to everybody."""
        return self.text.partition("\n")[0]


@dataclass(frozen=True, slots=True)
class SeasonMark:
    """What tells a season from every other, found without reading it: two equal marks mean the same season.

    `digest`: of its document; `matches`: how many were finished.
    """

    number: int
    opened_at: int
    digest: str
    matches: int


@dataclass(frozen=True, slots=True)
class Action:
    """An organiser's act: who did what to which subject, and why. `detail`: the state before, or more."""

    at: int
    who: str
    what: str
    subject: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class HostView(Host):
    """A stored host. `id`: by which matches name it, from 1. `first_seen_at`: in ms since 1970 (UTC)."""

    id: int
    first_seen_at: int

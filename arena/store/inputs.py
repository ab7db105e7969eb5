"""Defines what the store is told about seasons, phases and sessions: plain data that checks itself.

The tables check nothing but their constraints, so a wrong value is found here, near its cause. It must
not import sqlmodel. Matches arrive as `arena.match.record.MatchRecord`.

    ValueError      for every value that cannot be right; the text says which
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field

from arena.store.views import Entry, SessionKey

__all__ = ["NewPhase", "NewSeason", "PlannedSession"]


@dataclass(frozen=True, slots=True)
class NewSeason:
    """A season to be opened; the fields are those of `views.SeasonView`. An open season begins without bots.

    `entries` must have different ids, and the numbers 0, 1, ... in order. They are the bots of the league
    file and every other bot that may ever take a seat (house bots, the stand-in). `chain_end`: see
    `models.Season`.
    """

    opened_at: int
    document: str
    digest: str
    league_text: str
    line_ups: str
    seats: int
    rounds: int
    field_size: int
    sessions_per_cycle: int
    matches_per_session: int
    entries: tuple[Entry, ...]
    opened_by: str = ""
    reason: str = ""
    chain_end: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Refuse values that no season can have."""
        json.loads(self.document)
        _check_one_of("line_ups", self.line_ups, ("all", "balanced", "gauntlet"))
        for name in ("rounds", "field_size", "sessions_per_cycle", "matches_per_session"):
            _check_at_least(name, getattr(self, name), 1)
        if not 3 <= self.seats <= 8:
            raise ValueError(f"seats is {self.seats}: expected 3 to 8")
        if [entry.number for entry in self.entries] != list(range(len(self.entries))):
            raise ValueError("the entries are not numbered 0, 1, ... in order")
        if len({entry.bot for entry in self.entries}) != len(self.entries):
            raise ValueError("two entries have the same bot id")


@dataclass(frozen=True, slots=True)
class NewPhase:
    """A phase to be opened. Its secret is stored before its first match, and published only after its last.

    `number` counts from 0 in its season; `secret`: 32 bytes; the other fields are those of
    `views.PhaseView`.
    """

    season: int
    number: int
    secret: bytes
    commitment: str
    committed_at: int
    league_digest: str
    cycles_planned: int
    first_cycle: int = 0
    public_draw: str | None = None
    predictable: bool = False
    entries: tuple[str, ...] = ()
    owed: tuple[tuple[str, int], ...] = ()
    first_match: int = 1
    acts: int = 0

    def __post_init__(self) -> None:
        """Refuse values that no phase can have."""
        if len(self.secret) != 32:
            raise ValueError(f"a secret of {len(self.secret)} bytes: expected 32")
        for name in ("number", "first_cycle"):
            _check_at_least(name, getattr(self, name), 0)
        _check_at_least("cycles_planned", self.cycles_planned, 1)


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """A session of the schedule. `line_up`: the ids of its bots in the order of the schedule.

    `first_match`: the number of its first match, through the season.
    """

    cycle: int
    index: int
    line_up: tuple[str, ...]
    first_match: int

    def __post_init__(self) -> None:
        """Refuse values that no session can have."""
        _check_at_least("cycle", self.cycle, 0)
        _check_at_least("index", self.index, 0)
        _check_at_least("first_match", self.first_match, 1)
        if not self.line_up:
            raise ValueError("a session without bots")

    @property
    def key(self) -> SessionKey:
        """Return (cycle, index)."""
        return self.cycle, self.index


def _check_at_least(name: str, value: int, least: int) -> None:
    if value < least:
        raise ValueError(f"{name} is {value}: expected at least {least}")


def _check_one_of(name: str, value: str, allowed: Collection[str]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}: expected one of {', '.join(allowed)}")

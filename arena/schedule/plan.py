"""Plans the schedule of a league: which line-up plays in which order at which place of which cycle.

It is a pure function of the field and the published season digest. It knows neither the secret of the deals
nor what has been played.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from math import comb
from typing import Protocol

from arena.deals.draws import Draws
from arena.papayoo import MAX_PLAYERS, MIN_PLAYERS
from arena.schedule.planners import (
    DUEL_SESSIONS,
    CompletePlanner,
    CyclicPlanner,
    DuelPlanner,
    GauntletPlanner,
    gauntlet_sessions,
)
from arena.schedule.schedule import Schedule
from arena.schedule.seating import DUEL_MATCHES, DUELLISTS, Session, seat_orders

AUTO_ALL_UP_TO = 100
"""The number of line-ups up to which "auto" means "all"."""

MOST_LINE_UPS = 20_000
"""The most line-ups of a cycle of "all". Nobody would finish a longer one, so it is refused unplanned."""


class ScheduleError(ValueError):
    """There is no schedule for this field."""


class LineUps(StrEnum):
    """Which line-ups a cycle holds; the values of `line_ups` in league.toml."""

    AUTO = "auto"
    ALL = "all"
    BALANCED = "balanced"
    GAUNTLET = "gauntlet"


@dataclass(frozen=True, slots=True)
class Field:
    """What the schedule depends on.

    bots: how many take seats, house bots included; numbered 0, 1, ... as in the season's file.

    seats: at a table, 3 to 8.

    season_digest: `season_digest` of the season; every draw of the schedule is named by it.

    line_ups: "auto" means "all" when there are at most 100 line-ups, else "balanced".

    candidates: the numbers of the bots that a "gauntlet" compares; the others are their opponents.

    Two bots play a duel, whatever the number of seats. Raises ValueError for a word that is no `LineUps`.
    """

    bots: int
    seats: int
    season_digest: str
    line_ups: str = LineUps.AUTO
    candidates: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.line_ups not in tuple(LineUps):
            words = ", ".join(f'"{word}"' for word in LineUps)
            raise ValueError(f'line_ups = "{self.line_ups}": expected one of {words}')

    @property
    def is_duel(self) -> bool:
        """Return whether two bots share all seats."""
        return self.bots == DUELLISTS and not self.is_gauntlet

    @property
    def is_gauntlet(self) -> bool:
        """Return whether candidates are compared by their results against the same opponents."""
        return self.line_ups == LineUps.GAUNTLET

    @property
    def opponents(self) -> tuple[int, ...]:
        """Return the numbers of the bots that are not candidates, ascending."""
        return tuple(sorted(set(range(self.bots)) - set(self.candidates)))

    @property
    def sessions_per_cycle(self) -> int:
        """Return the number of sessions of every cycle."""
        if self.is_gauntlet:
            return gauntlet_sessions(len(self.opponents), self.seats)
        if self.is_duel:
            return DUEL_SESSIONS
        return comb(self.bots, self.seats) if self.resolve() is LineUps.ALL else self.bots

    @property
    def sessions_of_each(self) -> int:
        """Return the sessions of a cycle in which each bot sits, or in a gauntlet each candidate."""
        if self.is_gauntlet or self.is_duel:
            return self.sessions_per_cycle
        return self.sessions_per_cycle * self.seats // self.bots

    @property
    def matches_per_session(self) -> int:
        """Return the number of matches of every session."""
        if self.is_duel:
            return DUEL_MATCHES
        return len(seat_orders(tuple(range(self.seats)))) * max(1, len(self.candidates))

    def resolve(self) -> LineUps:
        """Return what "auto" means for this field, else what the field says.

        If there are as many bots as seats, or two bots, there is a single line-up, so it is always "all".
        """
        if self.is_gauntlet:
            return LineUps.GAUNTLET
        if self.bots == self.seats or self.is_duel:
            return LineUps.ALL
        if self.line_ups != LineUps.AUTO:
            return LineUps(self.line_ups)
        return LineUps.ALL if comb(self.bots, self.seats) <= AUTO_ALL_UP_TO else LineUps.BALANCED


class Planner(Protocol):
    """Makes the orders of cycle 0, 1, 2, ..., one cycle a call. It keeps its counts from cycle to cycle."""

    def next_cycle(self) -> Sequence[tuple[int, ...]]: ...


Departures = Mapping[int, Set[int]]
"""Who is departed: by the first cycle for which it holds, the numbers of the bots that are not in the field.

It holds until the next cycle that is named. Before the first one nobody is departed.
"""


class Plan(Schedule):
    """The schedule of a field, cycle by cycle.

    A cycle depends on the counts of all earlier ones, so these are planned with it and kept: asking again,
    in any order, gives the same sessions. Not for use by several threads at once. Raises ScheduleError if
    there is no schedule for the field.

    Where bots are `departed`, the schedule is planned anew for the present field, from the first cycle on
    for which that field differs from the one before: earlier counts are forgotten. A duel, or a present
    field that cannot fill a table, has cycles without a session then. No bot of a gauntlet may be departed.
    """

    def __init__(self, field: Field, departed: Departures | None = None) -> None:
        _check(field)
        self.field = field
        self.departed = {cycle: frozenset(gone) for cycle, gone in sorted((departed or {}).items())}
        if field.is_gauntlet and any(self.departed.values()):
            raise ScheduleError("no bot of a gauntlet leaves its field: all candidates meet the same bots")
        self.resolved = field.resolve()
        self._before = [0]
        self._planner: Planner | None = None
        self._planned_for: tuple[int, ...] = ()
        self._text = plan_text(field.season_digest)
        self._cycles: list[tuple[Session, ...]] = []

    @property
    def sessions_per_cycle(self) -> int:
        """Return the number of sessions of a cycle of the whole field, the most that a cycle has."""
        return self.field.sessions_per_cycle

    def present(self, cycle: int) -> tuple[int, ...]:
        """Return the numbers of the bots in the field in a cycle, ascending."""
        gone: Set[int] = frozenset()
        for first, departed in self.departed.items():
            if first <= cycle:
                gone = departed
        return tuple(bot for bot in range(self.field.bots) if bot not in gone)

    def sessions_in(self, cycle: int) -> int:
        """Return the number of sessions of a cycle; 0 if the present field cannot fill a table."""
        present = self._field_of(self.present(cycle))
        return 0 if present is None else present.sessions_per_cycle

    def sessions_before(self, cycles: int) -> int:
        """Return the number of sessions of the first `cycles` cycles."""
        while len(self._before) <= cycles:
            self._before.append(self._before[-1] + self.sessions_in(len(self._before) - 1))
        return self._before[cycles]

    def first_difference(self, other: Plan) -> int | None:
        """Return the first cycle that another plan of the season plays otherwise; None if there is none."""
        changes = sorted(self.departed.keys() | other.departed.keys())
        return next((cycle for cycle in changes if self.present(cycle) != other.present(cycle)), None)

    @property
    def matches_per_session(self) -> int:
        """Return the number of matches of every session."""
        return self.field.matches_per_session

    def cycle(self, number: int) -> tuple[Session, ...]:
        """Return the sessions of a cycle, from 0, in the order in which they are to be played.

        Raises ValueError for a negative number.
        """
        if number < 0:
            raise ValueError(f"cycle {number}: cycles are counted from 0")
        while len(self._cycles) <= number:
            self._cycles.append(self._next_cycle())
        return self._cycles[number]

    def _next_cycle(self) -> tuple[Session, ...]:
        cycle, present = len(self._cycles), self.present(len(self._cycles))
        if self._planner is None or present != self._planned_for:
            self._plan_anew(cycle, present)
        if self._planner is None:
            return ()
        orders = self._planner.next_cycle()
        if not self.field.is_duel:  # in a duel the index says which pattern is played
            orders = Draws(f"{self._text}|sessions|{cycle}").shuffled(orders)
        candidates = len(self.field.candidates)
        return tuple(
            Session(cycle, index, tuple(present[bot] for bot in order), candidates)
            for index, order in enumerate(orders)
        )

    def _plan_anew(self, cycle: int, present: tuple[int, ...]) -> None:
        """Begin the schedule of the present field with this cycle."""
        field, whole = self._field_of(present), len(present) == self.field.bots
        self._planned_for = present
        self._text = plan_text(self.field.season_digest) + ("" if whole and not cycle else f"|from|{cycle}")
        self._planner = None if field is None else _planner(field, self._text)

    def _field_of(self, present: tuple[int, ...]) -> Field | None:
        """Return the field of these bots, numbered anew from 0; None if they cannot be scheduled."""
        if len(present) == self.field.bots:
            return self.field
        if self.field.is_duel or len(present) < self.field.seats:
            return None
        # What "auto" means is settled once: else a field that shrinks could come to play longer cycles.
        return replace(self.field, bots=len(present), line_ups=self.resolved.value)


def _check(field: Field) -> None:
    """Raise the ScheduleError that says why there is no schedule, if there is none."""
    bots, seats = field.bots, field.seats
    check_seats(seats)
    if field.is_duel:
        return
    if field.is_gauntlet:
        _check_gauntlet(field)
        return
    if bots < seats:
        raise ScheduleError(
            f"{bots} bots cannot fill {seats} seats: add {seats - bots} house bots, or lower `seats`"
        )
    if field.resolve() is LineUps.ALL and comb(bots, seats) > MOST_LINE_UPS:
        raise ScheduleError(
            f'line_ups = "all": {bots} bots on {seats} seats make {comb(bots, seats):,} line-ups a cycle, '
            f'more than {MOST_LINE_UPS:,}: use "balanced" or "auto"'
        )


def check_seats(seats: int) -> None:
    """Raise ScheduleError unless Papayoo is played by so many."""
    if not MIN_PLAYERS <= seats <= MAX_PLAYERS:
        raise ScheduleError(f"seats = {seats}: Papayoo is played by {MIN_PLAYERS} to {MAX_PLAYERS}")


def _check_gauntlet(field: Field) -> None:
    missing = field.seats - 1 - len(field.opponents)
    if not field.candidates:
        raise ScheduleError("a gauntlet without a candidate compares nothing")
    if missing > 0:
        raise ScheduleError(
            f"{len(field.opponents)} opponents cannot fill the {field.seats - 1} seats beside a candidate: "
            f"add {missing}, or lower `seats`"
        )


def _planner(field: Field, text: str) -> Planner:
    """Return the planner of a field; `text`: the beginning of the text of every draw."""
    if field.is_gauntlet:
        return GauntletPlanner(field.candidates, field.opponents, field.seats, text)
    if field.is_duel:
        return DuelPlanner(field.seats)
    if field.resolve() is LineUps.ALL:
        return CompletePlanner(field.bots, field.seats)
    return CyclicPlanner(field.bots, field.seats, text)


def plan_text(season_digest: str) -> str:
    """Return the beginning of the text of every draw of the schedule."""
    return f"papayoo-1|plan|{season_digest}"


def canonical_json(document: Mapping[str, object]) -> str:
    """Return the one JSON text of a season's fixed keys, bot ids and bot digests.

    Keys are sorted by code point; there are no spaces, no escapes where UTF-8 needs none, and numbers as
    Python writes them (1.0 and 1 differ, so the caller must settle which keys are fractions). Raises
    ValueError for NaN and infinities, TypeError for what JSON cannot hold.
    """
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def season_digest(document: Mapping[str, object]) -> str:
    """Return the lowercase hex SHA-256 of the UTF-8 bytes of the document's canonical JSON."""
    return hashlib.sha256(canonical_json(document).encode()).hexdigest()

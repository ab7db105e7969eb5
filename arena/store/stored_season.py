"""A season as it is stored at one moment: its acts and decisions, its schedule, its limits, what was begun.

Plain data without SQL; `read.stored_season` and `read.so_far` return it. What is decided of a season rests
on this; `arena.season` does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from arena.conduct.exclusion import Limits, Ruling, bars_of, out_in
from arena.errors import StoreError
from arena.schedule import (
    DecisionCycles,
    Departures,
    Field,
    LineUps,
    OpenPlan,
    PhaseField,
    Plan,
    Schedule,
    ScheduleError,
    plan_decisions,
)
from arena.store.acts import Decision, FailedStart, closing, failed_starts, rulings_from
from arena.store.history import Action
from arena.store.views import MatchSlot, PhaseView, Role, SeasonView, SessionKey, SessionState


@dataclass(frozen=True, slots=True)
class StoredSeason:
    """A season with its decisions, earliest first, and the acts of all seasons, oldest first.

    `is_played`: whether a match of it was finished.
    """

    view: SeasonView
    acts: Sequence[Action]
    decisions: Sequence[Decision] = ()
    is_played: bool = True

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return who is out and who is back, in the order of time."""
        return rulings_from(self.acts, self.decisions, self.view.number)

    @property
    def failures(self) -> Mapping[str, Sequence[FailedStart]]:
        """Return how each version failed to start, each time in a row; see `failed_starts`."""
        return failed_starts(self.view, self.acts)

    @property
    def closed(self) -> str:
        """Return that the organiser closed the season and why; empty as long as bots may come."""
        act = closing(self.acts, self.view.number)
        return "" if act is None else f"season {act.subject} is closed: {act.reason}"


@dataclass(frozen=True, slots=True)
class SoFar:
    """What was begun of a season so far.

    `states`: each stored session's state. `finished`: the matches that have a result. `attempts`: the number
    of the last attempt at each match. `aborted`: how many attempts at each match were aborted; interrupted
    ones do not count.
    """

    states: Mapping[SessionKey, SessionState] = field(default_factory=dict)
    finished: Set[MatchSlot] = frozenset()
    attempts: Mapping[MatchSlot, int] = field(default_factory=dict)
    aborted: Mapping[MatchSlot, int] = field(default_factory=dict)


def limits_of(season: SeasonView) -> Limits | None:
    """Return the limits of a season; None where they take out nobody, or its document does not say them.

    House bots and the opponents of a gauntlet can be excluded too, so they count.
    """
    faults, stages = season.section("faults"), season.section("stage").get("of", 1)
    share = faults.get("disqualify_share")
    if not (isinstance(share, int | float) and share < 1):
        return None
    judged = [entry for entry in season.entries if entry.role is not Role.STAND_IN]
    bots = [entry.bot for entry in sorted(judged, key=lambda entry: entry.number)]
    return Limits(share, bars_of(bots, season.open, stages if isinstance(stages, int) else 1))


def season_plan(season: SeasonView, rulings: Iterable[Ruling]) -> Schedule:
    """Return the schedule of a season, `rulings` in the order in which they were made.

    Raises ScheduleError where the season's facts allow no schedule, StoreError where the documents of an open
    season's phases cannot be read.
    """
    return open_plan(season) if season.open else closed_plan(season, rulings)


def closed_plan(season: SeasonView, rulings: Iterable[Ruling]) -> Plan:
    """Return the schedule of a closed season. Raises as `season_plan` does."""
    ranked = tuple(entry.number for entry in season.entries if entry.role is Role.ENTRANT)
    candidates = ranked if season.line_ups == LineUps.GAUNTLET else ()
    field = Field(season.field_size, season.seats, season.digest, season.line_ups, candidates)
    return Plan(field, departures(season, rulings))


def open_plan(season: SeasonView) -> OpenPlan:
    """Return the schedule of an open season: all of its phases so far, as they were begun.

    A phase that ended early has fewer cycles than its document plans. StoreError if a document cannot be
    read, names an entry that is not there, or allows no schedule.
    """
    numbers = {entry.bot: entry.number for entry in season.entries}
    phases = [_field(one, numbers) for one in season.phases]
    try:
        return OpenPlan(season.seats, season.digest, phases)
    except ScheduleError as error:
        raise StoreError(f"The phases of season {season.number} cannot be planned: {error}") from error


def decisions_of(season: SeasonView, phase: PhaseView) -> DecisionCycles:
    """Return the decisions of a phase as they were planned when it began. StoreError if it has no cycle."""
    sessions = (len(phase.entries) or 1) if season.open else season.sessions_per_cycle
    try:
        return plan_decisions(phase.first_cycle, phase.cycles_at_most, sessions, season.open)
    except ScheduleError as error:
        raise StoreError(f"Phase {phase.number} of season {phase.season}: {error}") from error


def _field(phase: PhaseView, numbers: Mapping[str, int]) -> PhaseField:
    try:
        return PhaseField(
            first_cycle=phase.first_cycle,
            cycles=phase.cycles_planned - phase.first_cycle,
            entries=tuple(numbers[entry] for entry in phase.entries),
            owed=tuple((numbers[entry], sessions) for entry, sessions in phase.owed),
        )
    except KeyError as error:
        raise StoreError(
            f"Phase {phase.number} of season {phase.season} names the entry {error}, which is not there"
        ) from error


def playing(season: SeasonView) -> tuple[str, ...]:
    """Return who plays in the newest phase of an open season, in the order of their numbers."""
    return season.phases[-1].entries if season.phases else ()


def seated(season: SeasonView) -> frozenset[str]:
    """Return who played, or was to play, in any phase of an open season so far."""
    return frozenset(entry for phase in season.phases for entry in phase.entries)


def matches_before(season: SeasonView) -> int:
    """Return the number of the last match before the newest phase of an open season, 0 for none."""
    return season.phases[-1].first_match - 1 if season.phases else 0


def with_house(season: SeasonView, entries: Iterable[str]) -> frozenset[str]:
    """Return who counts as present in an open season beside these entries: every house bot that ever sat.

    So scores do not move when a seat is filled or not.
    """
    house = {entry.bot for entry in season.entries if entry.role is Role.HOUSE}
    return frozenset(entries) | (house & seated(season))


def departures(season: SeasonView, rulings: Iterable[Ruling]) -> Departures:
    """Return who left the field of a season, and from which cycle on; nobody where the stand-in plays on."""
    made = tuple(rulings)
    if not made or not season.plans_anew or season.open:
        return {}
    numbers = {entry.bot: entry.number for entry in season.entries}
    return {
        cycle: {numbers[bot] for bot in out_in(made, cycle) if bot in numbers}
        for cycle in sorted({ruling.from_cycle for ruling in made})
    }

"""The schedule of a stored season, by its fixed facts and by who left its field.

It has no SQL. What the organiser and the limits ruled it is told.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.conduct.disqualify import Ruling, out_in
from arena.schedule import Departures, Field, LineUps, Plan
from arena.store.views import Role, SeasonView

__all__ = ["departures", "season_plan"]


def season_plan(season: SeasonView, rulings: Iterable[Ruling]) -> Plan:
    """Return the schedule of a season, `rulings` in the order in which they were made.

    Raises ScheduleError where the season's facts allow no schedule.
    """
    ranked = tuple(entry.number for entry in season.entries if entry.role is Role.ENTRANT)
    candidates = ranked if season.line_ups == LineUps.GAUNTLET else ()
    field = Field(season.field_size, season.seats, season.digest, season.line_ups, candidates)
    return Plan(field, departures(season, rulings))


def departures(season: SeasonView, rulings: Iterable[Ruling]) -> Departures:
    """Return who left the field of a season, and from which cycle on; nobody where the stand-in plays on."""
    made = tuple(rulings)
    if not made or not season.plans_anew:
        return {}
    numbers = {entry.bot: entry.number for entry in season.entries}
    return {
        cycle: {numbers[bot] for bot in out_in(made, cycle) if bot in numbers}
        for cycle in sorted({ruling.from_cycle for ruling in made})
    }

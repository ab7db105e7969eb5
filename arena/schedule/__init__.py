"""Makes the schedule from the published season alone: line-ups, their orders, sessions, match numbers.

It is pure: no IO and no clock.
"""

from arena.schedule.plan import (
    Departures,
    Field,
    LineUps,
    Plan,
    ScheduleError,
    TooManyLineUpsError,
    UnsupportedFieldError,
    canonical_json,
    season_digest,
)
from arena.schedule.seating import Session, seat_orders

__all__ = [
    "Departures",
    "Field",
    "LineUps",
    "Plan",
    "ScheduleError",
    "Session",
    "TooManyLineUpsError",
    "UnsupportedFieldError",
    "canonical_json",
    "season_digest",
    "seat_orders",
]

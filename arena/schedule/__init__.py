"""The schedule, pure: line-ups, their orders, sessions and match numbers, from the published season
alone."""

from arena.schedule.plan import (
    Field,
    LineUps,
    Plan,
    ScheduleError,
    TooManyLineUpsError,
    UnsupportedFieldError,
    season_digest,
)
from arena.schedule.seating import MAX_SEATS, MIN_SEATS, Session, seat_orders

__all__ = [
    "MAX_SEATS",
    "MIN_SEATS",
    "Field",
    "LineUps",
    "Plan",
    "ScheduleError",
    "Session",
    "TooManyLineUpsError",
    "UnsupportedFieldError",
    "season_digest",
    "seat_orders",
]

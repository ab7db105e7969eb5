"""The schedule, pure: line-ups, their orders, sessions and match numbers, from the published season
alone."""

from arena.schedule.plan import (
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

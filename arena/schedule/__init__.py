"""Makes the schedule from the published season alone: line-ups, their orders, sessions, match numbers.

It is pure: no IO and no clock.
"""

from arena.schedule.decision_cycles import DecisionCycles, plan_decisions
from arena.schedule.open_plan import OpenPlan, PhaseField, catch_up_block
from arena.schedule.plan import (
    Departures,
    Field,
    LineUps,
    Plan,
    ScheduleError,
    canonical_json,
    season_digest,
)
from arena.schedule.schedule import Schedule
from arena.schedule.seating import Session, seat_orders

__all__ = [
    "DecisionCycles",
    "Departures",
    "Field",
    "LineUps",
    "OpenPlan",
    "PhaseField",
    "Plan",
    "Schedule",
    "ScheduleError",
    "Session",
    "canonical_json",
    "catch_up_block",
    "plan_decisions",
    "season_digest",
    "seat_orders",
]

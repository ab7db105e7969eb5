"""Makes the schedule from the published season alone: line-ups, their orders, sessions, match numbers.

It is pure: no IO and no clock.
"""

from arena.schedule.decision_cycles import DecisionCycles as DecisionCycles
from arena.schedule.decision_cycles import plan_decisions as plan_decisions
from arena.schedule.open_plan import OpenPlan as OpenPlan
from arena.schedule.open_plan import PhaseField as PhaseField
from arena.schedule.open_plan import catch_up_block as catch_up_block
from arena.schedule.plan import Departures as Departures
from arena.schedule.plan import Field as Field
from arena.schedule.plan import LineUps as LineUps
from arena.schedule.plan import Plan as Plan
from arena.schedule.plan import ScheduleError as ScheduleError
from arena.schedule.plan import canonical_json as canonical_json
from arena.schedule.plan import season_digest as season_digest
from arena.schedule.schedule import Schedule as Schedule
from arena.schedule.seating import Session as Session
from arena.schedule.seating import seat_orders as seat_orders

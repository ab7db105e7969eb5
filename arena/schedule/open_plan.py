"""Plans the schedule of an open season: phase after phase, each with a field of its own.

A phase is a block in which newcomers catch up, if any do, and then balanced cycles of its whole field. It
is a pure function of the phases and the digest of the season's rules. It knows neither the secrets of the
deals nor what has been played.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from arena.deals.draws import Draws
from arena.schedule.catch_up import Meetings, Owed, Table, in_debt, in_order, shared, tables
from arena.schedule.plan import ScheduleError, check_seats, plan_text
from arena.schedule.planners import CyclicPlanner
from arena.schedule.schedule import Schedule
from arena.schedule.seating import Session, seat_orders


@dataclass(frozen=True, slots=True)
class PhaseField:
    """Who sits in a phase of an open season, and what is planned for it.

    first_cycle: the season's number of its first cycle, from 0.

    cycles: how many cycles are planned, the catch-up block included; fewer if the phase ended early.

    entries: the numbers of all who sit, house bots included, ascending.

    owed: the sessions of the catch-up block, which is the first cycle then; empty if there is none.
    """

    first_cycle: int
    cycles: int
    entries: tuple[int, ...]
    owed: Owed = ()

    @property
    def end(self) -> int:
        """Return the number of the first cycle after the phase."""
        return self.first_cycle + self.cycles

    def is_block(self, cycle: int) -> bool:
        """Return whether a cycle of the season is the catch-up block of this phase."""
        return bool(self.owed) and cycle == self.first_cycle < self.end


class OpenPlan(Schedule):
    """The schedule of an open season, cycle by cycle. Bots are the numbers of entries.

    A cycle depends on earlier ones, so these are planned with it and kept: asking again, in any order, gives
    the same sessions. What is planned for a phase does not depend on later ones. Not for use by several
    threads at once.

    A balanced cycle has as many sessions as the field has entries (`CyclicPlanner`, also where the field just
    fills a table). Its counts go on while the field is that of the balanced cycle before. Where it is
    not, they begin anew. A catch-up block (`catch_up.tables`) goes by the meetings of all earlier cycles of
    the season. After the last phase there are cycles without a session.

    Raises ScheduleError if a table cannot be filled, or if the phases do not follow one another.
    """

    def __init__(self, seats: int, season_digest: str, phases: Iterable[PhaseField]) -> None:
        check_seats(seats)
        self.seats = seats
        self.phases = tuple(phases)
        _check(self.phases, seats)
        self._digest = season_digest
        self._first_cycles = [phase.first_cycle for phase in self.phases]
        self._cycles: list[tuple[Session, ...]] = []
        self._before = [0]
        self._meetings, self._counted = Meetings(), 0
        self._balanced = _Balanced(seats, season_digest)
        self._start = (0, self._balanced.copy())  # of the newest phase of which a cycle is planned

    @property
    def matches_per_session(self) -> int:
        """Return the number of matches of every session."""
        return len(seat_orders(tuple(range(self.seats))))

    @property
    def cycles(self) -> int:
        """Return the number of cycles that are planned, those of all phases."""
        return self.phases[-1].end if self.phases else 0

    def phase_of(self, cycle: int) -> PhaseField | None:
        """Return the phase of a cycle; None after the last one. Raises ValueError if it is negative."""
        if cycle < 0:
            raise ValueError(f"cycle {cycle}: cycles are counted from 0")
        if cycle >= self.cycles:
            return None
        return self.phases[bisect_right(self._first_cycles, cycle) - 1]

    def present(self, cycle: int) -> tuple[int, ...]:
        """Return the numbers of the entries in the field in a cycle, ascending; none after the last cycle."""
        phase = self.phase_of(cycle)
        return () if phase is None else phase.entries

    def cycle(self, number: int) -> tuple[Session, ...]:
        """Return the sessions of a cycle, from 0, in the order in which they are to be played.

        Raises ValueError for a negative number.
        """
        if self.phase_of(number) is None:
            return ()
        while len(self._cycles) <= number:
            self._cycles.append(self._next_cycle())
        return self._cycles[number]

    def sessions_in(self, cycle: int) -> int:
        """Return the number of sessions of a cycle; 0 after the last one."""
        phase = self.phase_of(cycle)
        if phase is None:
            return 0
        return len(self.cycle(cycle)) if phase.is_block(cycle) else len(phase.entries)

    def sessions_before(self, cycles: int) -> int:
        """Return the number of sessions of the first `cycles` cycles."""
        if self.phase_of(cycles) is None:
            cycles = self.cycles
        place = max(0, bisect_right(self._first_cycles, cycles) - 1)
        while len(self._before) <= place:
            earlier = self.phases[len(self._before) - 1]
            self._before.append(self._before[-1] + self._sessions_of(earlier, earlier.cycles))
        if not self.phases:
            return 0
        phase = self.phases[place]
        return self._before[place] + self._sessions_of(phase, cycles - phase.first_cycle)

    def _sessions_of(self, phase: PhaseField, cycles: int) -> int:
        """Return the sessions of the first `cycles` cycles of a phase."""
        if not cycles:
            return 0
        return self.sessions_in(phase.first_cycle) + (cycles - 1) * len(phase.entries)

    def first_difference(self, other: OpenPlan) -> int | None:
        """Return the first cycle that another plan of the season may plan otherwise, None without one."""
        same = _same(self.phases, other.phases)
        here, there = self.phases[same:], other.phases[same:]
        if not here and not there:
            return None
        if here and there and _begins_as(here[0], there[0]):
            return min(here[0].end, there[0].end)
        return (here or there)[0].first_cycle

    def catch_up_tables(self, entries: Sequence[int], owed: Owed) -> Iterator[Table]:
        """Yield the line-ups of a catch-up block that would begin after the last planned cycle."""
        for cycle in range(self.cycles):
            self.cycle(cycle)
        return self._tables(self.cycles, entries, owed)

    def sat(self) -> Mapping[int, int]:
        """Return in how many sessions of all planned cycles each entry sits."""
        self._count(self.cycles)
        return self._meetings.sat

    def going_on(self, phases: Iterable[PhaseField]) -> OpenPlan:
        """Return the plan of the season with these phases instead: the same as one made from nothing.

        It takes over what this one has planned, so that a long season is not planned again with each phase:
        where phases follow, or the newest one that was planned is cut short. Else it begins from nothing.
        """
        plan = OpenPlan(self.seats, self._digest, phases)
        first = self.first_difference(plan)
        kept, balanced = len(self._cycles), self._balanced
        if first is not None and first < kept:
            kept, balanced = self._start
        if first is None or kept <= first:
            plan._cycles, plan._balanced = self._cycles[:kept], balanced.copy()
            plan._start = self._start
            if self._counted <= kept:
                plan._meetings, plan._counted = self._meetings.copy(), self._counted
        return plan

    def _next_cycle(self) -> tuple[Session, ...]:
        number = len(self._cycles)
        phase = self.phases[bisect_right(self._first_cycles, number) - 1]
        if number == phase.first_cycle:
            self._start = (number, self._balanced.copy())
        if phase.is_block(number):
            block = self._tables(number, phase.entries, phase.owed)
            orders = in_order(block, phase.entries, self.seats)
        else:
            orders = self._balanced.orders(number, phase.entries)
        return tuple(Session(number, index, order) for index, order in enumerate(orders))

    def _tables(self, cycle: int, entries: Sequence[int], owed: Owed) -> Iterator[Table]:
        """Yield the line-ups of a block in this cycle; all earlier ones are planned."""
        self._count(cycle)
        return tables(entries, owed, self.seats, self._meetings, f"{plan_text(self._digest)}|catchup|{cycle}")

    def _count(self, cycles: int) -> None:
        """Count the meetings of the first `cycles` cycles."""
        while self._counted < cycles:
            # It may be a block, which is planned by the counts of the cycles before it.
            for session in self.cycle(self._counted):
                self._meetings.add(session.order)
            self._counted += 1


@dataclass
class _Balanced:
    """The balanced cycles of a season, one after another: the planner of the field of the last one."""

    seats: int
    season_digest: str
    entries: tuple[int, ...] = ()
    text: str = ""
    planner: CyclicPlanner | None = None

    def orders(self, cycle: int, entries: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return the orders of the season's cycle `cycle`, which this field plays."""
        if self.planner is None or entries != self.entries:
            self.entries = entries
            self.text = plan_text(self.season_digest) + (f"|from|{cycle}" if cycle else "")
            self.planner = CyclicPlanner(len(entries), self.seats, self.text)
        orders = Draws(f"{self.text}|sessions|{cycle}").shuffled(self.planner.next_cycle())
        return [tuple(entries[place] for place in order) for order in orders]

    def copy(self) -> _Balanced:
        """Return the same state, to be planned on apart."""
        return replace(self, planner=self.planner and self.planner.copy())


def catch_up_block(
    plan: OpenPlan, entries: Sequence[int], balanced_cycles: int, counted: Mapping[int, int]
) -> Owed:
    """Return what newcomers are to catch up in the phase that would follow those of a plan.

    entries: the numbers of all who are to sit, house bots included, ascending.
    balanced_cycles: how many cycles the phase is to have beside the block.
    counted: of each ranked entry among them, how many of its sessions count in the score now.

    A block has at most as many sessions as the balanced cycles: half of the phase. If that is too few, each
    plays the same number of those that it owes, the largest with which the block is short enough, and the
    rest in the next phases. There is no block where those who owe nothing, house bots included, could not
    fill a table beside a newcomer.
    """
    owed = in_debt(counted, plan.sat())
    if not owed or len(entries) - len(owed) < plan.seats - 1:
        return ()
    most = balanced_cycles * len(entries)

    def is_too_long(share: int) -> bool:
        block = plan.catch_up_tables(entries, shared(owed, share))
        return len(list(islice(block, most + 1))) > most

    fullest = max(sessions for _, sessions in owed)
    share = fullest if not is_too_long(fullest) else bisect_left(range(1, fullest), True, key=is_too_long)
    return shared(owed, share) if share else ()


def _check(phases: Sequence[PhaseField], seats: int) -> None:
    """Raise the ScheduleError that says what is wrong with the phases, if anything is."""
    begins = 0
    for number, phase in enumerate(phases):
        wrong = _wrong(phase, seats)
        if phase.first_cycle != begins or phase.cycles < 0:
            wrong = f"it has {phase.cycles} cycles from {phase.first_cycle}, it must begin with {begins}"
        if wrong:
            raise ScheduleError(f"phase {number}: {wrong}")
        begins = phase.end


def _wrong(phase: PhaseField, seats: int) -> str:
    """Return why this field cannot be planned, or an empty text."""
    entries, owing = phase.entries, [entry for entry, _ in phase.owed]
    if list(entries) != sorted(set(entries)):
        return f"its entries are not in ascending order: {_listed(entries)}"
    if len(entries) < seats:
        return f"{len(entries)} entries cannot fill {seats} seats"
    if owing != sorted(set(owing)) or not set(owing) <= set(entries):
        return f"those who catch up are not entries of its field in ascending order: {_listed(owing)}"
    if any(sessions < 1 for _, sessions in phase.owed):
        return "an entry that catches up owes a session at least"
    if owing and len(entries) - len(owing) < seats - 1:
        return f"the {len(entries) - len(owing)} others cannot fill {seats} seats beside one that catches up"
    return ""


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _same(one: Sequence[PhaseField], other: Sequence[PhaseField]) -> int:
    """Return the number of phases with which both begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (here, there) in pairs if here != there), min(len(one), len(other)))


def _begins_as(one: PhaseField, other: PhaseField) -> bool:
    """Return whether two phases differ in nothing but their number of cycles."""
    return replace(one, cycles=other.cycles) == other

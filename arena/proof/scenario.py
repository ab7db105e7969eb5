"""A field of bots and its schedule, as the studies simulate them league by league. Judges nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from arena.proof.played import Played
from arena.proof.synthetic import Synthetic, duels_between, form_of, passes_between
from arena.proof.world import Faults, World, stream
from arena.schedule import Field, LineUps, Plan
from arena.standings import Plan as LeaguePlan
from arena.standings import SessionResult

__all__ = ["League", "Scenario"]

_MOST_CYCLES = 100
"""Cycles for which the form of bots is drawn; no study has more."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A field to simulate, with either true `scores` (points from par, centred on 0) or `policies` to play.

    `duels` and `passes`: the standard deviations, in points, of bots' effects on one another beside their
    strengths. `twins`: the numbers of the bots that are one bot entered several times. `lost`: the share of
    sessions that never count, as void ones. `wild`, `faults`, `tails`: see `Synthetic`. `drift`: the standard
    deviation, in points, of the form of each bot from cycle to cycle, 0 for those beyond its end. `lasts`:
    the cycles for which a form lasts.
    """

    key: str
    title: str
    seats: int
    scores: Sequence[float] = ()
    policies: Sequence[str] = ()
    line_ups: str = LineUps.AUTO
    duels: float = 3.0
    passes: float = 3.0
    twins: Sequence[int] = ()
    lost: float = 0.0
    wild: Mapping[int, float] = field(default_factory=dict)
    faults: Mapping[int, Faults] = field(default_factory=dict)
    drift: Sequence[float] = ()
    lasts: int = 1
    tails: tuple[float, float] = (0.0, 1.0)

    @property
    def bots(self) -> int:
        """Return the number of bots."""
        return len(self.policies or self.scores)

    def world(self, dice: Random) -> World:
        """Return the bots; in the model their effects on one another are drawn from `dice`."""
        if self.policies:
            return Played(self.policies, self.seats)
        kinds = [self.twins[0] if bot in self.twins else bot for bot in range(self.bots)]
        duels = duels_between(dice, kinds, self.duels)
        passes = passes_between(dice, kinds, self.passes)
        deviations = [*self.drift, *[0.0] * self.bots][: self.bots]
        form = form_of(dice, deviations, _MOST_CYCLES, self.lasts) if self.drift else ()
        return Synthetic(
            self.seats, self.scores, duels, passes, self.wild, self.faults, form=form, tails=self.tails
        )


@dataclass(frozen=True, slots=True)
class League:
    """One simulated league of a scenario: its own bots, schedule, lost sessions and dice."""

    scenario: Scenario
    seed: int
    number: int

    def world(self) -> World:
        """Return the bots of this league."""
        return self.scenario.world(self._dice("world"))

    def schedule(self) -> Plan:
        """Return the arena's own schedule, under a season digest of this league's own."""
        field_ = Field(self.scenario.bots, self.scenario.seats, self._name("season"), self.scenario.line_ups)
        return Plan(field_)

    def plan(self, cycles: int) -> LeaguePlan:
        """Return the plan as the standings need it, with the sessions that are lost."""
        dice, size = self._dice("lost"), self.schedule().sessions_per_cycle
        places = [(cycle, index) for cycle in range(cycles) for index in range(size)]
        lost = frozenset(place for place in places if dice.random() < self.scenario.lost)
        return LeaguePlan(size, cycles, lost)

    def sessions(self, world: World, plan: LeaguePlan) -> Iterator[list[SessionResult]]:
        """Yield the sessions that count, cycle by cycle."""
        schedule, dice = self.schedule(), self._dice("sessions")
        for cycle in range(plan.cycles):
            yield [
                world.latin(dice, (cycle, session.index), session.order)
                for session in schedule.cycle(cycle)
                if (cycle, session.index) not in plan.left_out
            ]

    def _name(self, part: str) -> str:
        return f"{self.seed}|{self.scenario.key}|{self.number}|{part}"

    def _dice(self, part: str) -> Random:
        return stream(self.seed, self.scenario.key, self.number, part)

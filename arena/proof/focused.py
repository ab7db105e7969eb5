"""Simulates leagues whose line-ups follow from what is open. Judges nothing; the arena has no such cycles.

A focused cycle has as many sessions as a balanced one. Whoever lacks most sits first, and then whoever has
met those at the table least: so bots with open verdicts play more, against all others as evenly as can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from random import Random

from arena.proof.scenario import League
from arena.proof.world import World, stream
from arena.schedule import Plan
from arena.standings import Look, SessionResult
from arena.standings.needed import MOST_SESSIONS_NEEDED

__all__ = ["BALANCED", "Course", "Met", "Way", "lacking"]


@dataclass(frozen=True, slots=True)
class Way:
    """How a league focuses, from its first look on.

    `every`: the first of so many cycles is focused, the others are the next ones of the balanced plan; 0:
    none is focused. `together`: see `Met.line_ups`.
    """

    every: int
    together: float = 0.0

    @property
    def key(self) -> str:
        """Return what names the way in the keys of figures."""
        return f"every-{self.every}" + ("-together" if self.together else "")

    @property
    def title(self) -> str:
        """Return the way in words."""
        which = "every cycle" if self.every == 1 else f"one cycle of {self.every}"
        return f"{which} focused" + (", at one table" if self.together else "")


BALANCED = Way(0)


@dataclass(slots=True)
class Met:
    """In how many sessions each bot sat, and each two of them together."""

    sat: list[int]
    pairs: list[list[int]]

    @classmethod
    def nobody(cls, bots: int) -> Met:
        """Return the counts of so many bots before the first session."""
        return cls([0] * bots, [[0] * bots for _ in range(bots)])

    def add(self, line_up: Iterable[int]) -> None:
        """Count a session."""
        seated = list(line_up)
        for bot in seated:
            self.sat[bot] += 1
        for one, other in permutations(seated, 2):
            self.pairs[one][other] += 1

    def line_ups(
        self, lack: Sequence[float], sessions: int, seats: int, together: float, dice: Random
    ) -> list[tuple[int, ...]]:
        """Return the line-ups of a focused cycle, in drawn orders, and count them.

        `lack`: how much each bot lacks, in any unit. `together`: how much rather whoever lacks something sits
        at a table, in meetings, of which an even schedule has one of each two for a seat; 0 for not at all.
        """
        bots, unit = len(self.sat), sum(lack) or 1.0
        left = [own / unit * sessions * (seats if together else 1) for own in lack]
        even = (bots - 1) / (seats - 1)
        found = []
        for _ in range(sessions):
            seated = [max(range(bots), key=lambda bot: (left[bot], dice.random()))]
            while len(seated) < seats:
                costs = [
                    (even * self._met(bot, seated) - together * (left[bot] > 0.5), dice.random(), bot)
                    for bot in range(bots)
                    if bot not in seated
                ]
                seated.append(min(costs)[2])
            for bot in seated:
                left[bot] -= 1.0
            self.add(seated)
            found.append(tuple(dice.sample(seated, seats)))
        return found

    def _met(self, bot: int, seated: Iterable[int]) -> float:
        """Return how often a bot has met those at a table, by the sessions of each."""
        return sum(
            self.pairs[bot][other] * (1.0 / max(1, self.sat[bot]) + 1.0 / max(1, self.sat[other])) / 2.0
            for other in seated
        )


def lacking(seen: Look, bots: Sequence[str]) -> list[float]:
    """Return how many sessions each bot lacks until it is decided beside its neighbours; all 0 if settled."""
    lack = dict.fromkeys(bots, 0.0)
    for pair in seen.open_neighbours:
        more = float(pair.more_sessions or MOST_SESSIONS_NEEDED)
        for bot in (pair.better, pair.worse):
            lack[bot] = max(lack[bot], more)
    return [lack[bot] for bot in bots]


@dataclass(slots=True)
class Course:
    """One league, cycle by cycle. `seen`: the last look, set by the caller. `played`: all sessions."""

    world: World
    plan: Plan
    dice: Random
    way: Way
    seen: Look | None = None
    played: list[SessionResult] = field(default_factory=list)
    _cycle: int = 0
    _balanced: int = 0
    _since: int = 0
    _met: Met = field(init=False)

    def __post_init__(self) -> None:
        """Begin with a league in which nobody has met."""
        self._met = Met.nobody(len(self.world.bots))

    @classmethod
    def of(cls, league: League, way: Way) -> Course:
        """Return the course of a league that has not begun."""
        scenario = league.scenario
        dice = stream(league.seed, scenario.key, league.number, "course")
        return cls(league.world(), league.schedule(), dice, way)

    def play(self) -> None:
        """Play the next cycle."""
        size = self.plan.sessions_per_cycle
        if self._focuses():
            lack = lacking(self.seen, self.world.bots) if self.seen else []
            orders = self._met.line_ups(lack, size, self.world.seats, self.way.together, self.dice)
        else:
            orders = [session.order for session in self.plan.cycle(self._balanced)]
            self._balanced += 1
            for order in orders:
                self._met.add(order)
        places = ((self._cycle, index) for index in range(size))
        self.played += [
            self.world.latin(self.dice, place, order) for place, order in zip(places, orders, strict=True)
        ]
        self._cycle += 1

    def _focuses(self) -> bool:
        """Return whether the next cycle is focused, and count it."""
        if not self.way.every or self.seen is None:
            return False
        self._since += 1
        return (self._since - 1) % self.way.every == 0

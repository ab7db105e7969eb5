"""Simulates open seasons: entries that come, improve and leave, phase after phase. Judges nothing.

The schedule, with its catch-up blocks, and the score are the arena's own code. The truth of an entry is its
mean score over all line-ups of the present field, in which it may meet others than it has met.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random

from arena.proof.synthetic import Synthetic, duels_between, form_of, joint_between, passes_between
from arena.proof.world import NO_FAULTS, Faults
from arena.schedule import OpenPlan, PhaseField, catch_up_quota
from arena.standings import SessionResult
from arena.standings.open_field import counted

__all__ = ["Effects", "Entries", "OpenSeason", "Version"]

_ROUND_POINTS = 250


@dataclass(frozen=True, slots=True)
class Version:
    """An entry of a simulated season.

    `bot` and `number` name it, `bot@number`, from 1. `strength`: in points a round against the mean of a
    table. `kind`: whose effects on others it has; programs of one kind are the same but for their strength.
    """

    bot: int
    number: int
    strength: float
    kind: int

    @property
    def name(self) -> str:
        """Return the id of the entry."""
        return f"bot{self.bot:02}@{self.number}"


@dataclass(frozen=True, slots=True)
class Effects:
    """How large the effects of entries on one another are: standard deviations in points, of each kind.

    `duels`, `passes`, `joint`: see `Synthetic`. By default those of `Scenario`.
    """

    duels: float = 3.0
    passes: float = 3.0
    joint: float = 0.0


_LIKE_SCENARIO = Effects()


@dataclass(frozen=True)
class Entries:
    """All entries that a season may have, in the order in which they come, and what they do to others."""

    versions: Sequence[Version]
    seats: int
    world: Synthetic

    @classmethod
    def of(
        cls,
        dice: Random,
        versions: Sequence[Version],
        seats: int,
        drift: float = 0.0,
        faults: Mapping[int, Faults] | None = None,
        effects: Effects = _LIKE_SCENARIO,
    ) -> Entries:
        """Draw the effects of these entries on one another.

        `drift`: the standard deviation of the form of each in a cycle. `faults`: by number.
        """
        # Drawn by kind: where all kinds are present, each of them once, no score changes by these effects.
        known = sorted({version.kind for version in versions})
        kinds = [known.index(version.kind) for version in versions]
        duels = duels_between(dice, range(len(known)), effects.duels)
        passes = passes_between(dice, range(len(known)), effects.passes)
        joint = joint_between(dice, range(len(known)), effects.joint) if effects.joint else ()
        # Its scores are true with charges, which are added to the truth here: so they cost no card points.
        charged = [(faults or {}).get(i, NO_FAULTS).per_round(seats) for i in range(len(versions))]
        world = Synthetic(
            seats,
            charged,
            [[duels[a][b] for b in kinds] for a in kinds],
            [[passes[a][b] for b in kinds] for a in kinds],
            faults=faults or {},
            form=form_of(dice, [drift] * len(versions), _MOST_CYCLES, 1) if drift else (),
            joint=[[joint[a][b] for b in kinds] for a in kinds] if joint else (),
        )
        return cls(versions, seats, world)

    @property
    def names(self) -> list[str]:
        """Return the ids of all entries."""
        return [version.name for version in self.versions]

    def played(self, dice: Random, place: tuple[int, int], order: tuple[int, ...]) -> SessionResult:
        """Play a session; `order`: the numbers of its entries."""
        # The world knows no strengths: they are given as a form, which may be another in each session.
        form = self.world.form[place[0]] if self.world.form else [0.0] * len(self.versions)
        own = [version.strength + each for version, each in zip(self.versions, form, strict=True)]
        result = replace(self.world, form=(own,)).latin(dice, (0, 0), order)
        names = dict(zip(self.world.bots, self.names, strict=True))
        return SessionResult(
            *place,
            result.rounds,
            {names[bot]: points for bot, points in result.card_points.items()},
            {names[bot]: points for bot, points in result.fault_points.items()},
        )

    def truth(self, present: Sequence[int]) -> dict[str, float]:
        """Return the true scores in this field, charges included."""
        size, seats = len(present), self.seats
        mean = sum(self.versions[i].strength for i in present) / size
        spread = (seats - 1) * size / (seats * (size - 1))
        found = {}
        for i in present:
            duels = sum(self.world.duels[i][j] for j in present) * (seats - 1) / (size - 1)
            passes = sum(self.world.passes[j][i] - self.world.passes[i][j] for j in present) / (size - 1)
            charge = self.world.faults.get(i, NO_FAULTS).per_round(seats)
            own = spread * (self.versions[i].strength - mean)
            joint = self._joint(i, present) if self.world.joint else 0.0
            found[self.versions[i].name] = _ROUND_POINTS / seats + own + duels + passes + joint + charge
        return found

    def _joint(self, i: int, present: Sequence[int]) -> float:
        """Return what joint effects add to the mean points of an entry over all line-ups of a field."""
        size, seats = len(present), self.seats
        own = sum(self.world.joint[i][j] for j in present)
        rest = sum(self.world.joint[a][b] for a, b in combinations(present, 2)) - own
        beside = (seats - 1) / (size - 1)
        both_beside = beside * (seats - 2) / (size - 2) if size > 2 else 0.0
        return own * beside - 2.0 / seats * (own * beside + rest * both_beside)


_MOST_CYCLES = 200


@dataclass(slots=True)
class OpenSeason:
    """One simulated season: its phases and the sessions that were played."""

    entries: Entries
    digest: str
    dice: Random
    phases: list[PhaseField] = field(default_factory=list)
    results: list[SessionResult] = field(default_factory=list)

    def phase(self, present: Sequence[int], cycles: int) -> Iterator[int]:
        """Play a phase of these entries, ascending: a block for newcomers, then `cycles` balanced cycles.

        Yield the number of complete cycles of the season after each.
        """
        names = self.entries.names
        plan = self._plan()
        eligible = counted(self.results, [names[i] for i in present]).eligible
        known = {i: eligible.get(names[i], 0) for i in present}
        block = catch_up_quota(plan, present, cycles, known).block if self.phases else ()
        self.phases.append(PhaseField(plan.cycles, cycles + bool(block), tuple(present), block))
        plan = self._plan()
        for cycle in range(self.phases[-1].first_cycle, plan.cycles):
            self.results += [
                self.entries.played(self.dice, (cycle, session.index), session.order)
                for session in plan.cycle(cycle)
            ]
            yield cycle + 1

    def _plan(self) -> OpenPlan:
        return OpenPlan(self.entries.seats, self.digest, self.phases)

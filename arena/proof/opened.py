"""Study: do ± and verdicts hold in a field that changes, for newcomers and for veterans?

Bots come, improve and leave between phases. The schedule, with its catch-up blocks, is the arena's own. Who
comes, improves or leaves does not depend on results here. A newcomer is an entry in its first phase.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from typing import NamedTuple

from arena.proof.closed import MARGIN, is_wrong
from arena.proof.study import NOTHING, Claim, Sample, Study
from arena.proof.world import Dice, Faults, Texture, World, dice_of
from arena.schedule import OpenPlan, PhaseField, catch_up_block
from arena.score.counting import eligible, sessions_of_each
from arena.score.entry_ids import entry_id
from arena.score.fit import Fit, fit
from arena.score.results import SessionResult
from arena.score.verdicts import Look, look

_SEATS = 4
_CHARGED = Faults(0.3, 40)
_OF_NEWCOMERS: Claim = (0.93, 0.98)
"""Form is suspected more often here than it should be, and then widens the ± of newcomers most."""


class Entry(NamedTuple):
    """An entry: its bot, version, strength in points, and whose effects on others it has."""

    bot: int
    version: int
    strength: float
    kind: int


@dataclass(frozen=True, slots=True)
class Lives:
    """Who comes, improves and leaves, from phase to phase.

    `start`: the bots of the first phase. `deviation`: of their strengths, in points. Before each later
    phase one or two bots come with the chance `comes` each, and each bot improves, or leaves, with the
    chance `improves`, or `leaves`. `fresh`: whether a new version has new effects on others, too. `form`: as
    in `Texture`. `charged`: whether every third entry has faults.
    """

    start: int = 12
    deviation: float = 6.0
    comes: float = 0.6
    improves: float = 0.1
    leaves: float = 0.06
    fresh: bool = False
    form: float = 0.0
    charged: bool = False

    def drawn(self, dice: Dice, phases: int) -> tuple[list[Entry], list[list[int]]]:
        """Return the entries of a season, and the numbers of those in the field of each phase."""
        entries = [Entry(bot, 1, self._strength(dice), bot) for bot in range(self.start)]
        fields = [list(range(self.start))]
        for _ in range(phases - 1):
            staying = [i for i in fields[-1] if dice.random() >= self.leaves]
            here = []
            for i in staying if len(staying) >= self.start // 2 else fields[-1]:
                if dice.random() < self.improves:
                    old = entries[i]
                    better = old.strength + float(dice.normal(-1.0, self.deviation / 2.0))
                    kind = len(entries) if self.fresh else old.kind
                    entries.append(Entry(old.bot, old.version + 1, better, kind))
                    here.append(len(entries) - 1)
                else:
                    here.append(i)
            for _ in range(2):
                if dice.random() < self.comes:
                    bot = 1 + max(entry.bot for entry in entries)
                    entries.append(Entry(bot, 1, self._strength(dice), len(entries)))
                    here.append(len(entries) - 1)
            fields.append(sorted(here))
        return entries, fields

    def _strength(self, dice: Dice) -> float:
        return float(dice.normal(0.0, self.deviation))

    def world(self, dice: Dice, entries: Sequence[Entry]) -> World:
        """Return the bots of all entries."""
        faults = dict.fromkeys(range(0, len(entries), 3), _CHARGED) if self.charged else {}
        names = [entry_id(f"bot{entry.bot:02}", entry.version) for entry in entries]
        strengths, kinds = [entry.strength for entry in entries], [entry.kind for entry in entries]
        return World(dice, names, _SEATS, strengths, Texture(form=self.form, faults=faults), kinds)


@dataclass(frozen=True)
class Opened(Study):
    """Open seasons of so many `phases`, each of `cycles` balanced cycles; a look after every cycle."""

    name: str
    title: str
    lives: Lives
    leagues: int
    phases: int = 12
    cycles: int = 3
    held_out: bool = False
    claims: bool = True

    def sample(self, seed: int, number: int) -> Sample:
        """See `Study`."""
        dice = dice_of(seed, self.name, number)
        entries, fields = self.lives.drawn(dice, self.phases)
        world = self.lives.world(dice, entries)
        plan, played = OpenPlan(_SEATS, f"{seed}|{self.name}|{number}", ()), list[SessionResult]()
        wrong, seen = list[float](), defaultdict[str, list[float]](list)
        before: set[int] = set()
        for here in fields:
            present, truth = [world.names[i] for i in here], world.truth(here)
            counted = sessions_of_each(eligible(played, present))
            known = {i: counted[world.names[i]] for i in here}
            block = catch_up_block(plan, here, self.cycles, known) if played else ()
            phase = PhaseField(plan.cycles, self.cycles + bool(block), tuple(here), block)
            plan = plan.going_on((*plan.phases, phase))
            for cycle in range(phase.first_cycle, phase.end):
                played += world.play(dice, plan.cycle(cycle))
                result = fit(played, present, _SEATS)
                table = look(result, present, cycle + 1, MARGIN, final=False)
                if isinstance(table, Look):
                    wrong.append(is_wrong(table, truth))
            if before and result.comparable:
                _compare(seen, result, truth, {world.names[i] for i in here if i not in before})
            before = set(here)
        shares = {key: fsum(values) / len(values) for key, values in seen.items()}
        return {**shares, "wrong tables": fsum(wrong) / len(wrong), "a season with one": any(wrong)}

    def claim(self, key: str) -> Claim:
        """See `Study`."""
        if not self.claims:
            return NOTHING
        return _OF_NEWCOMERS if key in ("newcomers: scores", "newcomers: differences") else super().claim(key)


def _compare(
    seen: dict[str, list[float]], found: Fit, truth: Mapping[str, float], newcomers: Collection[str]
) -> None:
    """Add how far the scores of a phase are off, and whether each ± holds the truth."""
    off = {entry: found.scores[entry] - truth[entry] for entry in found.bots}
    for entry, error in off.items():
        who = "newcomers" if entry in newcomers else "veterans"
        seen[f"{who}: bias"].append(error)
        seen[f"{who}: scores"].append(abs(error) <= (found.half_width(entry) or 0.0))
    for a, b in combinations(found.bots, 2):
        who = "newcomers" if a in newcomers or b in newcomers else "veterans"
        seen[f"{who}: differences"].append(abs(off[a] - off[b]) <= (found.half_width(a, b) or 0.0))

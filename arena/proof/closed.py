"""Study: the ± and the verdicts of closed leagues, from the first sessions until all is settled.

A league is looked at after every complete cycle, as `stop = "settled"` does. An order that was claimed stands
unless form is seen to last. It is wrong if the one that is called ahead is truly no better. The ± is measured
at fixed numbers of sessions, because it is for a league whose length was fixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from arena.proof.played import Played
from arena.proof.study import NOTHING, Claim, Sample, Study
from arena.proof.world import PLAIN, Dice, Texture, World, dice_of
from arena.schedule import Field, LineUps, Plan
from arena.score.fit import Fit, fit
from arena.score.results import SessionResult
from arena.score.verdicts import Look, Verdict, look

MARGIN = 2.0
"""The points within which bots are level: the default of a league file."""
_SAME = 1e-9
_SESSIONS_CLAIMED = 30
_SESSIONS_WITH_FORM = 60
"""The sessions of a league from which on the coverage is claimed. Form takes three cycles to see."""
_SESSIONS_OF_A_BOT = 10
_WITH_FEWER: Claim = (0.93, 0.98)
"""What is claimed while a bot has fewer: whom it has not met yet cannot be told from chance."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A field to simulate by its true `scores`, in points from their mean.

    `policies`: those of bots that play real rounds. `twins`: the numbers of the bots that are one bot entered
    several times. `lost`: the share of sessions that never count. `left`: who has left the field, by the
    first cycle for which that holds.
    """

    seats: int
    scores: Sequence[float]
    policies: Sequence[str] = ()
    texture: Texture = PLAIN
    line_ups: LineUps = LineUps.AUTO
    twins: Sequence[int] = ()
    lost: float = 0.0
    left: Mapping[int, frozenset[int]] = field(default_factory=dict)

    @property
    def bots(self) -> int:
        """Return the number of bots."""
        return len(self.scores)

    def table(self, dice: Dice) -> World | Played:
        """Return the bots; what they do to one another is drawn."""
        if self.policies:
            return Played(self.policies, self.seats, self.scores)
        names = [f"bot{number:02}" for number in range(self.bots)]
        kinds = [min(self.twins) if bot in self.twins else bot for bot in range(self.bots)]
        world = World(dice, names, self.seats, [0.0] * self.bots, self.texture, kinds)
        world.give_scores(self.scores)
        return world

    def plan(self, digest: str) -> Plan:
        """Return the arena's own schedule."""
        return Plan(Field(self.bots, self.seats, digest, self.line_ups), self.left)


def miss(result: Fit, truth: Mapping[str, float]) -> dict[str, float]:
    """Return the shares of scores and differences whose ± holds the truth, the mean ± and square error."""
    off = {bot: result.scores[bot] - truth[bot] for bot in result.bots}
    wide = {bot: result.half_width(bot) or 0.0 for bot in result.bots}
    pairs = list(combinations(result.bots, 2))
    apart = [abs(off[a] - off[b]) <= (result.half_width(a, b) or 0.0) for a, b in pairs]
    return {
        "scores": sum(abs(off[bot]) <= wide[bot] for bot in off) / len(off),
        "differences": sum(apart) / len(apart),
        "±": sum(wide.values()) / len(wide),
        "square error": sum(error**2 for error in off.values()) / len(off),
    }


def is_wrong(found: Look, truth: Mapping[str, float]) -> bool:
    """Return whether any pair of a table is called in the wrong order."""
    ahead = [(pair.better, pair.worse) for pair in found.pairs if pair.verdict is Verdict.AHEAD]
    return any(truth[worse] - truth[better] <= _SAME for better, worse in ahead)


@dataclass(frozen=True)
class Closed(Study):
    """Leagues of a scenario, of up to so many `cycles`, and the ± after so many sessions (`sizes`).

    `claims`: whether anything is claimed of it; `steady`: also that it is hardly ever said that form varies.
    """

    name: str
    title: str
    scenario: Scenario
    sizes: Sequence[int]
    cycles: int = 20
    leagues: int = 1000
    held_out: bool = False
    claims: bool = True
    steady: bool = True

    def sample(self, seed: int, number: int) -> Sample:
        """See `Study`."""
        scenario, dice = self.scenario, dice_of(seed, self.name, number)
        table, plan = scenario.table(dice), scenario.plan(f"{seed}|{self.name}|{number}")
        watch, found, played = _Watch(scenario, table.names), dict[str, bool | float](), list[SessionResult]()
        for cycle in range(self.cycles):
            here, before = plan.present(cycle), len(played)
            names, truth = [table.names[bot] for bot in here], table.truth(here)
            results = table.play(dice, plan.cycle(cycle))
            played += [each for each in results if not scenario.lost or dice.random() >= scenario.lost]
            for size in self.sizes:
                if before < size <= len(played):
                    result = fit(played[:size], names, scenario.seats)
                    found[f"{size}: has ±"] = result.comparable and len(result.bots) == len(names)
                    if found[f"{size}: has ±"]:
                        found |= {f"{size}: {what}": share for what, share in miss(result, truth).items()}
            if not watch.seen["settled"]:
                watch.look(fit(played, names, scenario.seats), names, cycle + 1, truth)
            elif len(played) >= max(self.sizes, default=0):
                break
        return watch.seen | found

    def claim(self, key: str) -> Claim:
        """See `Study`."""
        size, _, what = key.rpartition(": ")
        least, varies = _SESSIONS_CLAIMED if self.steady else _SESSIONS_WITH_FORM, what.startswith("form")
        early = bool(size) and int(size) < least
        if not self.claims or early or (varies and not self.steady):
            return NOTHING
        each = int(size) * self.scenario.seats / self.scenario.bots if size else _SESSIONS_OF_A_BOT
        few = each < _SESSIONS_OF_A_BOT and what in ("scores", "differences")
        return _WITH_FEWER if few else super().claim(key)


class _Watch:
    """Looks at a league after each cycle, until it is settled. `seen`: the figures of its verdicts."""

    def __init__(self, scenario: Scenario, names: Sequence[str]) -> None:
        self._twins = {names[bot] for bot in scenario.twins}
        self._began = scenario.bots
        self._claimed = frozenset[tuple[str, str]]()
        self.seen: dict[str, bool | float] = {"wrong order": False}
        if scenario.twins:
            self.seen["same bot separated"] = False
        if max(scenario.scores) - min(scenario.scores) > MARGIN:
            self.seen["falsely level"] = False
        self.seen |= {
            "settled": False,
            "sessions": 0.0,
            "form said to vary": False,
            "form said to last": False,
        }

    def look(self, result: Fit, names: Sequence[str], cycles: int, truth: Mapping[str, float]) -> None:
        """Look at the league after a cycle. Only what was not claimed before is judged."""
        self.seen["sessions"] = float(result.session_count)
        self._note("form said to vary", bool(result.varying))
        self._note("form said to last", result.form_lasts)
        standing = frozenset[tuple[str, str]]() if result.form_lasts else self._claimed
        found = look(result, names, cycles, MARGIN, began=self._began, claimed=standing)
        if not isinstance(found, Look):
            return
        for better, worse in found.ahead - self._claimed:
            if truth[worse] - truth[better] <= _SAME:
                self._note("wrong order", True)
                self._note("same bot separated", {better, worse} <= self._twins)
        level = [pair for pair in found.pairs if pair.verdict is Verdict.LEVEL]
        gaps = [abs(truth[pair.worse] - truth[pair.better]) for pair in level]
        self._note("falsely level", any(gap > MARGIN + _SAME for gap in gaps))
        self.seen["settled"] = found.settled
        self._claimed = found.ahead | {pair for pair in standing if not set(pair) <= set(names)}

    def _note(self, what: str, happened: bool) -> None:
        if happened:
            self.seen[what] = True

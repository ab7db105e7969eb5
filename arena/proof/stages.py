"""Study: how often do stages cut the best bot, and what are the scores and verdicts of a final worth?

A stage is a season of its own: its own deals, its own schedule, its own score. What bots do to one another
stays the same. All rules of who goes on see the same first stage, so they are compared by the same luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.proof.closed import MARGIN, is_wrong, miss
from arena.proof.study import NOTHING, Claim, Sample, Study
from arena.proof.world import PLAIN, Dice, Texture, World, dice_of
from arena.schedule import Field, LineUps, Plan
from arena.score.cut import Keep, cut
from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.table import Plan as LeaguePlan
from arena.score.verdicts import Look

HALVING = "halving"
RULES = ("contenders 1", "contenders 3", HALVING)
"""Who goes on; by halving the better half, as many as a table has seats at least."""
_SEATS = 4


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage that was played, by the numbers of its bots, and all that its score depends on."""

    present: Sequence[int]
    scoring: Scoring
    results: Sequence[SessionResult]

    def going_on(self, rule: str, cuts: int) -> list[int]:
        """Return the numbers of those who go on, best first."""
        half = max(_SEATS, len(self.present) // 2)
        done = cut(self.scoring, self.results, Keep(half if rule == HALVING else rule, cuts))
        numbers = dict(zip(self.scoring.bots, self.present, strict=True))
        return [numbers[name] for name in done.going_on]


@dataclass(frozen=True)
class Staged(Study):
    """Contests of `stages` stages of so many balanced `cycles`; strengths have this `deviation` in points."""

    name: str
    title: str
    bots: int
    deviation: float
    leagues: int
    texture: Texture = PLAIN
    stages: int = 4
    cycles: int = 4
    held_out: bool = False

    def sample(self, seed: int, number: int) -> Sample:
        """See `Study`."""
        dice, digest = dice_of(seed, self.name, number), f"{seed}|{self.name}|{number}"
        names = [f"bot{bot:02}" for bot in range(self.bots)]
        strengths = dice.normal(0.0, self.deviation, self.bots).tolist()
        world = World(dice, names, _SEATS, strengths, self.texture)
        first = self._stage(dice, world, f"{digest}|0", range(self.bots))
        found: dict[str, bool | float] = {}
        for rule in RULES:
            contest = self._contest(dice, world, f"{digest}|{rule}", first, rule)
            found |= {f"{rule}: {what}": value for what, value in contest.items()}
        return found

    def _contest(self, dice: Dice, world: World, digest: str, first: Stage, rule: str) -> Sample:
        """Return what became of a contest by a rule.

        The best bot is the one of the largest strength; what it does to some opponents and others to it
        averages out over the whole field. `bias`: of whoever led the stage before, in points.
        """
        played, wrong, leader = first, [_is_wrong(first, world)], ""
        for number in range(1, self.stages):
            going_on = played.going_on(rule, self.stages - 1)
            leader = world.names[going_on[0]]
            played = self._stage(dice, world, f"{digest}|{number}", sorted(going_on))
            wrong.append(_is_wrong(played, world))
        truth, result = world.truth(played.present), played.scoring.fit(played.results)
        best, missed = int(world.strengths.argmin()), miss(result, truth)
        tables = [each for each in wrong if each is not None]
        return {
            "best bot cut": best not in played.present,
            "best bot first": min(result.bots, key=result.scores.__getitem__) == world.names[best],
            "finalists": float(len(played.present)),
            **({"wrong tables": sum(tables) / len(tables)} if tables else {}),
            "scores": missed["scores"],
            "differences": missed["differences"],
            "bias": result.scores[leader] - truth[leader],
        }

    def claim(self, key: str) -> Claim:
        """See `Study`."""
        return NOTHING if key == f"{HALVING}: best bot cut" else super().claim(key)

    def _stage(self, dice: Dice, world: World, digest: str, present: Sequence[int]) -> Stage:
        """Play a stage of balanced cycles; of one for each session where there is one line-up."""
        place = Field(len(present), _SEATS, digest, LineUps.BALANCED)
        plan = Plan(place)
        # Four bots are one line-up, which a cycle plays once: then more cycles give as many sessions.
        cycles = self.cycles * _SEATS // place.sessions_of_each
        results: list[SessionResult] = []
        for cycle in range(cycles):
            drawn = plan.cycle(cycle)
            seated = [replace(each, order=tuple(present[i] for i in each.order)) for each in drawn]
            results += world.play(dice, seated)
        names = tuple(world.names[i] for i in present)
        scoring = Scoring(names, _SEATS, plan=LeaguePlan(plan.sessions_per_cycle, cycles), margin=MARGIN)
        return Stage(present, scoring, results)


def _is_wrong(stage: Stage, world: World) -> bool | None:
    """Return whether any order at the end of a stage is wrong; None without verdicts."""
    seen = stage.scoring.look(stage.results)
    return is_wrong(seen, world.truth(stage.present)) if isinstance(seen, Look) else None

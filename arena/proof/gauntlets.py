"""Study: how often does a gauntlet, looked at after every cycle until it is settled, answer wrongly?

It is wrong to call a candidate better that is not better, or to say of one that is better by more than the
margin that it is not. One that is better by just the margin may be missed in a tenth of gauntlets.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.proof.study import NOTHING, Claim, Sample, Study
from arena.proof.world import PLAIN, Dice, Texture, World, dice_of
from arena.schedule import Field, LineUps, Plan
from arena.score.paired import Answer, Outcome
from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.table import Plan as LeaguePlan

CANDIDATES = (0, 1)
"""The numbers of the candidates; the others are the opponents."""
MOST_WRONG = 0.05
"""The share of gauntlets that may find one better that is not, to each side."""
MOST_MISSED = 0.1
"""The share that may miss a candidate that is better by the margin."""


@dataclass(frozen=True)
class Gauntlet(Study):
    """Gauntlets whose first candidate is better by `truth` points, charges included, of up to `cycles`.

    It is 0 or more. Both candidates are the same bot, but for their strengths and charges.
    """

    name: str
    title: str
    truth: float
    margin: float
    leagues: int
    opponents: int = 3
    seats: int = 4
    cycles: int = 40
    texture: Texture = PLAIN
    held_out: bool = False

    def sample(self, seed: int, number: int) -> Sample:
        """Return the answer about the first candidate, and the sessions played."""
        dice, seats = dice_of(seed, self.name, number), self.seats
        world = candidates(dice, self.truth, seats, self.opponents, self.texture)
        names = world.names
        field = Field(len(names), seats, f"{seed}|{self.name}|{number}", LineUps.GAUNTLET, CANDIDATES)
        plan = Plan(field)
        scoring = Scoring(
            bots=tuple(names),
            seats=seats,
            house=frozenset(names[len(CANDIDATES) :]),
            plan=LeaguePlan(plan.sessions_per_cycle, self.cycles),
            margin=self.margin,
            gauntlet=True,
        )
        played, outcome = list[SessionResult](), Outcome.OPEN
        for cycle in range(self.cycles):
            played += world.play(dice, plan.cycle(cycle))
            seen = scoring.answer(played)
            if isinstance(seen, Answer) and seen.settled:
                outcome = seen.of_first()
                break
        return {each.value: outcome is each for each in Outcome} | {"sessions": float(len(played))}

    def claim(self, key: str) -> Claim:
        """See `Study`."""
        if key == Outcome.WORSE.value or (key == Outcome.BETTER.value and self.truth <= 0.0):
            return (0.0, MOST_WRONG)
        missed = key == Outcome.LEVEL.value and self.truth >= self.margin
        return (0.0, MOST_MISSED) if missed else NOTHING


def candidates(dice: Dice, truth: float, seats: int, opponents: int, texture: Texture) -> World:
    """Return two candidates, of which the first is better by so many points a round, and opponents."""
    size = len(CANDIDATES) + opponents
    kinds = [0, *range(opponents + 1)]
    names = [f"bot{bot}" for bot in range(size)]
    world = World(dice, names, seats, [0.0] * size, texture, kinds)
    # A strength counts against the mean of the table, which has the candidate in it.
    world.strengths[0] -= (truth + world.charge[0] - world.charge[1]) * seats / (seats - 1)
    return world

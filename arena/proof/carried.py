"""Study: does the ± of a final hold the truth if the sessions of earlier stages count in it, too?

That is `carry = true`. Where `carry_error` allows it, the ± is claimed; elsewhere it is only reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Self

from arena.proof.changing import Effects, Entries, Version
from arena.proof.coverage import BOUNDS
from arena.proof.figure import Figure, mean_figure
from arena.proof.stages import Contest, Stage
from arena.proof.study import Leagues
from arena.proof.world import stream
from arena.standings import Fit, fit
from arena.standings.carry import StagePlan, carried_weight, carry_error

__all__ = ["Carried", "carried_fit", "covered"]

_SEATS = 4
_ROUNDS_OF_A_CYCLE = 64
"""The rounds of a bot in a balanced cycle at four seats: four sessions of four matches of four rounds."""


def carried_fit(played: Sequence[Stage], entries: Entries) -> Fit:
    """Return the fit of the sessions of all stages for those who play in the last one."""
    left = {entries.names[i] for i in played[-1].present}
    gone = [name for name in entries.names if name not in left]
    sessions = [session for stage in played for session in stage.sessions]
    seated = {name for session in sessions for name in session.card_points}
    return fit(sessions, seated, entries.seats, departed=[name for name in gone if name in seated])


def covered(found: Fit, entries: Entries, present: Sequence[int]) -> tuple[float, float] | None:
    """Return the shares of scores and of differences of these bots whose ± holds the truth."""
    truth = entries.truth(present)
    if not found.intervals:
        return None
    scores = [abs(found.scores[bot] - truth[bot]) <= (found.half_width(bot) or 0.0) for bot in truth]
    differences = [
        abs(found.scores[a] - found.scores[b] - truth[a] + truth[b]) <= (found.pair_half_width(a, b) or 0.0)
        for a, b in combinations(truth, 2)
    ]
    return sum(scores) / len(scores), sum(differences) / len(differences)


@dataclass(frozen=True, slots=True)
class Carried:
    """Contests of two or more stages with so many `bots` and balanced `cycles` in each; the first go on.

    `deviation`: of the strengths, in points. `effects`: what bots do to one another. `usual`:
    whether they are as large as elsewhere in the proof; of larger ones nothing is claimed.
    """

    kind: str
    bots: tuple[int, ...]
    cycles: tuple[int, ...]
    effects: Effects
    leagues: int
    deviation: float = 6.0
    usual: bool = True

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        fields = "-".join(map(str, self.bots))
        return f"carried.{fields}.{'-'.join(map(str, self.cycles))}.{self.kind}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        fields = ", then ".join(map(str, self.bots))
        played = " + ".join(map(str, self.cycles))
        return (
            f"Earlier stages count: {fields} bots, {played} cycles, effects {self.kind}, R {self.weight:.2f}"
        )

    @property
    def weight(self) -> float:
        """Return how much the earlier stages disturb the scores."""
        return carried_weight(
            [(bots, _ROUNDS_OF_A_CYCLE * each) for bots, each in zip(self.bots, self.cycles, strict=True)],
            _SEATS,
        )

    @property
    def claimed(self) -> bool:
        """Return whether the ± is claimed: a league file may say `carry = true` here."""
        plan = [
            StagePlan(bots, _ROUNDS_OF_A_CYCLE * each)
            for bots, each in zip(self.bots, self.cycles, strict=True)
        ]
        return self.usual and not carry_error(plan, _SEATS)

    def sample(self, seed: int, number: int) -> tuple[tuple[float, float], float]:
        """Simulate one contest.

        Return the coverage of scores and differences in the last stage, and the error of whoever led it
        after the first stage.
        """
        name = f"{seed}|{self.name}|{number}"
        dice = stream(seed, self.name, number)
        versions = [Version(bot, 1, dice.gauss(0.0, self.deviation), bot) for bot in range(self.bots[0])]
        entries = Entries.of(dice, versions, _SEATS, effects=self.effects)
        contest = Contest(entries, name, len(self.bots))
        present = tuple(range(self.bots[0]))
        for bots, cycles in zip(self.bots, self.cycles, strict=True):
            if contest.played:
                present = tuple(sorted(contest.played[-1].in_order(entries.names)[:bots]))
            contest.stage(present, cycles, dice)
        found, first = carried_fit(contest.played, entries), contest.played[0].in_order(entries.names)
        leader = next(entries.names[bot] for bot in first if bot in present)
        error = found.scores[leader] - entries.truth(present)[leader]
        return covered(found, entries, present) or (0.0, 0.0), error

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield the coverage of scores and differences, and the bias of who led after the first stage."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        bounds = BOUNDS if self.claimed else None
        for place, what in enumerate(("scores", "differences")):
            shares = [shares[place] for shares, _ in samples]
            yield mean_figure(f"{self.name}.{what}", f"final: {what}", shares, bounds)
        errors = [error for _, error in samples]
        bias = mean_figure(f"{self.name}.leader", "bias of who led the first stage, points", errors)
        yield replace(bias, percent=False)

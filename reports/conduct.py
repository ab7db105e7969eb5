"""Says what speaks against a bot: how often it was replaced, and the evidence that this is no chance.

The same decision as that of a run, from the same facts: what was played to the end. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.conduct.exclusion import Conduct, Limits, Sitting, Tally
from arena.store.stored_season import limits_of
from arena.store.views import MatchView
from arena.wording import counted
from reports.facts import LeagueFacts
from reports.text import number


@dataclass(frozen=True, slots=True)
class Judged:
    """In how many of its matches a bot was replaced, and the evidence, empty where it is not judged.

    `bar`: the evidence at which it is out.
    """

    lost: int
    matches: int
    evidence: str
    bar: int = 0

    @property
    def text(self) -> str:
        """Return it in words: "replaced in 4 of 24 matches (17 %), evidence 0.87 (out at 600)"."""
        if not self.evidence:
            return self._replaced
        return f"{self._replaced}, evidence {self.evidence} (out at {number(self.bar)})"

    @property
    def _replaced(self) -> str:
        lost = number(self.lost)
        if not self.matches:
            return f"replaced in {lost} of 0 matches"
        return (
            f"replaced in {lost} of {counted(self.matches, 'match', 'matches')} "
            f"({100 * self.lost / self.matches:.0f} %)"
        )


class Judgement:
    """What has been played, as the limits of the season see it.

    `limits`: those of the season; None where the limits take out nobody.
    """

    def __init__(self, facts: LeagueFacts) -> None:
        self.limits = limits_of(facts.season)
        self._rulings = facts.rulings
        self._cycles = 1 + max((match.cycle for match in facts.matches), default=0)
        self._conduct = Conduct(self.limits or Limits(1.0), facts.season.matches_per_session)
        for match in facts.matches:
            self._conduct.add(_sittings(match))

    @property
    def replaced(self) -> tuple[str, ...]:
        """Return the bots that were ever replaced, in the order of ids."""
        return self._conduct.replaced

    def tally(self, bot: str, cycles: int | None = None) -> Tally:
        """Return the sessions of a bot that counted after the first `cycles` cycles, by default after all.

        What counts is what it has played since it was reinstated, as in a decision.
        """
        last = (self._cycles if cycles is None else cycles) - 1
        return self._conduct.tally(bot, last, self._rulings)

    def of(self, bot: str, cycles: int | None = None) -> Judged:
        """Return how often a bot was replaced, and the evidence. `cycles`: as for `tally`."""
        tally = self.tally(bot, cycles)
        lost = sum(lost * times for (lost, _), times in tally.items())
        matches = sum(sat * times for (_, sat), times in tally.items())
        bar = None if self.limits is None else self.limits.bars.get(bot)
        if self.limits is None or bar is None:
            return Judged(lost, matches, "")
        return Judged(lost, matches, self.limits.in_words(tally), bar)


def _sittings(match: MatchView) -> Iterator[Sitting]:
    """Yield each bot of a match once. It counts as replaced if it was replaced at any of its seats."""
    seats = {seat.bot: seat for seat in match.seats} | {
        seat.bot: seat for seat in reversed(match.seats) if seat.hand_over is not None
    }
    for seat in seats.values():
        yield Sitting(
            seat.bot, match.cycle, match.index, match.order,
            seat.hand_over, seat.pid, match.started_at, match.finished_at or match.started_at,
        )  # fmt: skip

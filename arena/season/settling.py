"""The end of a league that stops as soon as it is settled: decided after whole cycles, from verdicts alone.

Tells the organiser after each cycle which pairs of neighbours are undecided, or in a gauntlet how the
candidates compare. Plays and stores nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from arena.season.opening import OpenSeason
from arena.standings import Answer, Look, NoLook, Pair
from arena.standings.gauntlet_words import told, told_early
from arena.standings.words import decided, more_sessions, outcome
from arena.store.planned import season_plan
from arena.store.reader import Reader
from arena.store.scoring import Scored, scored
from arena.store.views import StretchView

__all__ = ["End", "Settling", "broken_off"]

_COMPLETE = "its cycles were played"
_PAIRS_SAID = 5


@dataclass(frozen=True, slots=True)
class End:
    """The end of a stretch: the reason in words, and the number of cycles that the league consists of."""

    reason: str
    cycles: int


def broken_off(cycles: int, planned: int, why: str) -> End:
    """Return the end of a stretch of which only the first `cycles` of the `planned` ones were played."""
    return End(f"ended after {_cycles(cycles)} of at most {planned:,}: {why}", cycles)


class Settling:
    """Decides whether a league goes on after a cycle.

    `say` tells the organiser. `compared` receives a gauntlet's answer after each of its cycles.
    """

    def __init__(
        self,
        season: OpenSeason,
        reader: Reader,
        say: Callable[[str], None],
        compared: Callable[[Answer | NoLook], None] = lambda answer: None,
    ) -> None:
        self._season = season
        self._reader = reader
        self._say = say
        self._compared = compared

    @property
    def asked(self) -> bool:
        """Return whether the league file asks to stop as soon as the league is settled."""
        return self._season.loaded.league.schedule.stop == "settled"

    def goes_on(self, cycles: int) -> bool:
        """Return whether there is a cycle after the first `cycles`, which are complete and stored."""
        if not self.asked:
            return True
        # Looks after whole cycles only: the verdicts stay valid however often one looks at these.
        score = scored(self._reader, self._season.view)
        seen = score.scoring.deciding_look(score.results)
        if score.scoring.gauntlet:
            for line in self._told(score):
                self._say(line)
        else:
            for line in self._said(cycles, seen):
                self._say(line)
        return isinstance(seen, NoLook) or not seen.settled

    def end(self, stretch: StretchView) -> End:
        """Return how a stretch ends that has nothing left to play."""
        planned = stretch.cycles_planned
        if not self.asked:
            return End(_COMPLETE, planned)
        score = scored(self._reader, self._season.view)
        seen = score.scoring.deciding_look(score.results)
        if isinstance(seen, NoLook):
            return End(f"budget reached: {seen.reason}", planned)
        if seen.settled:
            return End(f"settled after {_cycles(seen.cycles)} of at most {planned:,}", seen.cycles)
        if score.scoring.gauntlet:
            return End(f"budget reached: {'; '.join(self._told(score))}", planned)
        return End(outcome(seen), planned)

    def _told(self, score: Scored) -> Sequence[str]:
        """Return a gauntlet's answer so far, in lines."""
        answer = score.scoring.answer(score.results)
        self._compared(answer)
        if isinstance(answer, NoLook):
            return told_early(score.scoring.so_far(score.results), answer, self._names)
        return told(answer, self._names, self._rounds)

    @property
    def _names(self) -> dict[str, str]:
        return {entry.bot: entry.name for entry in self._season.view.entries}

    @property
    def _rounds(self) -> int:
        """Return the number of rounds of a session."""
        return self._season.plan.matches_per_session * self._season.view.rounds

    def _said(self, cycles: int, seen: Look | NoLook) -> Iterator[str]:
        after = f"after {_cycles(cycles)}"
        if isinstance(seen, NoLook):
            yield f"{after}: no verdicts yet: {seen.reason}"
            return
        yield f"{after}: {decided(seen, self._season.loaded.league.schedule.margin)}"
        still = seen.open_neighbours
        rulings = self._reader.rulings(self._season.view.number)
        # Of a cycle that is to come: the field may be smaller by then.
        a_cycle = season_plan(self._season.view, rulings).sessions_in(cycles)
        for pair in still[:_PAIRS_SAID]:
            yield f"  {self._pair(pair, a_cycle)}"
        if len(still) > _PAIRS_SAID:
            yield f"  and {len(still) - _PAIRS_SAID} more"

    def _pair(self, pair: Pair, a_cycle: int) -> str:
        """Describe an undecided pair, and how many whole cycles of so many sessions would decide it."""
        names = self._names
        needs = more_sessions(pair.more_sessions)
        if pair.more_sessions is not None:
            needs += f", {_cycles(-(-pair.more_sessions // a_cycle))}"
        return f"{names[pair.better]}, {names[pair.worse]}: {pair.difference:.2f} apart, {needs}"


def _cycles(number: int) -> str:
    return "1 cycle" if number == 1 else f"{number:,} cycles"

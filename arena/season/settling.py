"""The end of a league that stops as soon as it is settled: decided after whole cycles, from verdicts alone.

Tells the organiser after each cycle which pairs of neighbours are undecided, or in a gauntlet how the
candidates compare. The look that decides is stored, so that nothing that is ruled later changes that the
league has ended. Plays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from arena.conduct.disqualify import disqualified
from arena.season.opening import OpenSeason, now_ms
from arena.standings import Answer, Look, NoLook, Pair
from arena.standings.gauntlet_words import told, told_early
from arena.standings.words import decided, more_sessions, outcome
from arena.store.acts import voids_from
from arena.store.looks import SETTLED, DecidingLook, looks_from
from arena.store.planned import season_plan
from arena.store.reader import Reader
from arena.store.scoring import Scored, scored
from arena.store.views import Role, SeasonView, StretchView
from arena.store.writer import Writer

__all__ = ["End", "Settling", "broken_off", "settled_by"]

_COMPLETE = "its cycles were played"
_PAIRS_SAID = 5
_JUDGE = "arena"
"""Who stores a look, in the table of acts."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of a stretch: the reason in words, and the number of cycles that the league consists of."""

    reason: str
    cycles: int


def broken_off(cycles: int, planned: int, why: str) -> End:
    """Return the end of a stretch of which only the first `cycles` of the `planned` ones were played."""
    return End(f"ended after {_cycles(cycles)} of at most {planned:,}: {why}", cycles)


def _settled(cycles: int, planned: int) -> End:
    return End(f"settled after {_cycles(cycles)} of at most {planned:,}", cycles)


def settled_by(reader: Reader, season: SeasonView, cycles: int) -> DecidingLook | None:
    """Return the look by which a league was settled after so many cycles; None without one.

    It decides as long as nobody is in the field who was not there then: a bot that was reinstated since has
    to be compared. Later acts change scores only.
    """
    looks = [look for _, look in looks_from(reader.actions(), season.number)]
    found = next((one for one in looks[::-1] if (one.what, one.cycles) == (SETTLED, cycles)), None)
    if found is None:
        return None
    out = disqualified(reader.rulings(season.number))
    here = {entry.bot for entry in season.entries if entry.role is not Role.STAND_IN}
    return found if here - out.keys() <= set(found.field) else None


class Settling:
    """Decides whether a league goes on after a cycle.

    `say` tells the organiser. `compared` receives a gauntlet's answer after each of its cycles.
    """

    def __init__(
        self,
        season: OpenSeason,
        reader: Reader,
        writer: Writer,
        say: Callable[[str], None],
        compared: Callable[[Answer | NoLook], None] = lambda answer: None,
    ) -> None:
        self._season = season
        self._reader = reader
        self._writer = writer
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
        if settled_by(self._reader, self._season.view, cycles) is not None:
            return False
        # Looks after whole cycles only: the verdicts stay valid however often one looks at these.
        score, seen = self._look()
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
        for cycles in range(planned, stretch.first_cycle, -1):
            if settled_by(self._reader, self._season.view, cycles) is not None:
                return _settled(cycles, planned)
        score, seen = self._look()
        if isinstance(seen, NoLook):
            return End(f"budget reached: {seen.reason}", planned)
        if seen.settled:
            return _settled(seen.cycles, planned)
        if score.scoring.gauntlet:
            return End(f"budget reached: {'; '.join(self._told(score))}", planned)
        return End(outcome(seen), planned)

    def _look(self) -> tuple[Scored, Look | NoLook]:
        """Look at all that counts now. A look by which the league is settled is stored."""
        number = self._season.view.number
        while True:
            acts = self._reader.actions()
            score = scored(self._reader, self._season.view)
            seen = score.scoring.deciding_look(score.results)
            if isinstance(seen, NoLook) or not seen.settled:
                return score, seen
            void = voids_from(acts, number)
            look = DecidingLook.of(number, SETTLED, seen.cycles, (score.scoring, score.results), void)
            # If the organiser has ruled meanwhile, what counts has to be looked at again.
            if self._writer.action(look.act(now_ms(), _JUDGE), len(acts)):
                return score, seen

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

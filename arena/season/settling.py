"""The end of a league that stops as soon as it is settled: by the verdicts after decision cycles.

A look uses only these cycles, whatever was played of the next ones, which count as well in the end. It tells
the organiser which pairs of neighbours are undecided, or in a gauntlet how the candidates compare. The look
that decides is stored, so that nothing that is ruled later changes that the league has ended. Plays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from arena.conduct.disqualify import disqualified
from arena.season.opening import OpenSeason, now_ms
from arena.standings import Answer, Look, NoLook, Pair, Scoring, SessionResult
from arena.standings.gauntlet_words import told, told_early
from arena.standings.words import decided, more_sessions, outcome
from arena.store import read, write
from arena.store.acts import voids_from
from arena.store.database import Database
from arena.store.deciding_looks import SETTLED, DecidingLook, looks_from
from arena.store.looks import played_of, scoring_then
from arena.store.planned import decisions_of, season_plan
from arena.store.views import ALL_PLAYED, Role, SeasonView, StretchView

__all__ = ["End", "Settling", "broken_off", "settled", "settled_by"]

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


def settled(cycles: int, end: int, planned: int) -> End:
    """Return the end of a stretch that was settled after `cycles`; it ends after the cycles begun by then."""
    return End(f"settled after {_cycles(cycles)} of at most {planned:,}", end)


def settled_by(database: Database, season: SeasonView, stretch: StretchView) -> DecidingLook | None:
    """Return the look by which a stretch ended, where it ends now, because the league was settled.

    It decides as long as nobody is in the field who was not there then: a bot that was reinstated since has
    to be compared. Later acts change scores only.
    """
    effect = decisions_of(season, stretch).effect
    looks = _looks_in_force(database, season)
    return next((look for look in looks[::-1] if effect(look.cycles) == stretch.cycles_planned), None)


def _looks_in_force(database: Database, season: SeasonView) -> list[DecidingLook]:
    """Return the looks by which a league was settled and that still decide, oldest first."""
    looks = [look for _, look in looks_from(read.actions(database), season.number) if look.what == SETTLED]
    if not looks:
        return []
    out = disqualified(read.rulings(database, season.number))
    here = {entry.bot for entry in season.entries if entry.role is not Role.STAND_IN}
    return [look for look in looks if here - out.keys() <= set(look.field)]


class Settling:
    """Decides whether a league goes on after a decision cycle.

    `say` tells the organiser. `compared` receives a gauntlet's answer after each of them.
    """

    def __init__(
        self,
        season: OpenSeason,
        database: Database,
        say: Callable[[str], None],
        compared: Callable[[Answer | NoLook], None] = lambda answer: None,
    ) -> None:
        self._season = season
        self._database = database
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
        settled = [look.cycles for look in _looks_in_force(self._database, self._season.view)]
        if settled and max(settled) >= cycles:
            # An earlier run decided it. If the league was settled later, it went on after these cycles.
            return cycles not in settled
        scoring, results, seen = self._look(cycles)
        if scoring.gauntlet:
            for line in self._told(scoring, results):
                self._say(line)
        else:
            for line in self._said(cycles, seen):
                self._say(line)
        return isinstance(seen, NoLook) or not seen.settled

    def end(self, stretch: StretchView) -> End:
        """Return how a stretch ends all of whose cycles were played."""
        planned = stretch.cycles_planned
        if not self.asked:
            return End(ALL_PLAYED, planned)
        if (look := settled_by(self._database, self._season.view, stretch)) is not None:
            return settled(look.cycles, planned, planned)
        scoring, results, seen = self._look(planned)
        if isinstance(seen, NoLook):
            return End(f"budget reached: {seen.reason}", planned)
        if seen.settled:
            return settled(seen.cycles, planned, planned)
        if scoring.gauntlet:
            return End(f"budget reached: {'; '.join(self._told(scoring, results))}", planned)
        return End(outcome(seen), planned)

    def _look(self, cycles: int) -> tuple[Scoring, Sequence[SessionResult], Look | NoLook]:
        """Look at what counts of the first `cycles` cycles. A look that settles the league is stored."""
        number = self._season.view.number
        while True:
            acts = read.actions(self._database)
            scored_by = scoring_then(self._season.view, acts, played_of(self._database, number), cycles)
            seen = scored_by[0].deciding_look(scored_by[1])
            if isinstance(seen, NoLook) or not seen.settled:
                return *scored_by, seen
            look = DecidingLook.of(number, SETTLED, seen.cycles, scored_by, voids_from(acts, number))
            # If the organiser has ruled meanwhile, what counts has to be looked at again.
            if write.action(self._database, look.act(now_ms(), _JUDGE), len(acts)):
                return *scored_by, seen

    def _told(self, scoring: Scoring, results: Sequence[SessionResult]) -> Sequence[str]:
        """Return a gauntlet's answer so far, in lines."""
        answer = scoring.answer(results)
        self._compared(answer)
        if isinstance(answer, NoLook):
            return told_early(scoring.so_far(results), answer, self._names)
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
        rulings = read.rulings(self._database, self._season.view.number)
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

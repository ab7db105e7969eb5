"""The director of a season: has it decided after decision cycles who plays on, and where the phase ends.

Stands between the database, the pure decisions (`arena.season.decide`) and the coordinator, and tells the
organiser. It starts no referee and plays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from arena.conduct.exclusion import Ruling, disqualified, out_in, sittings_of
from arena.match.record import MatchRecord
from arena.runner.seasons import OpenSeason
from arena.schedule import DecisionCycles, Schedule
from arena.score.paired import Answer
from arena.score.verdicts import Look, NoLook, Pair
from arena.score.words import answer_text, decided, more_sessions, outcome
from arena.season.decide import (
    Compared,
    compare,
    conduct_of,
    decide,
    decision_in_force,
    stops_when_settled,
    too_few_from,
)
from arena.season.opening import now_ms
from arena.store import read, write
from arena.store.acts import Decision
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.scoring import played_of
from arena.store.stored_season import StoredSeason, decisions_of, limits_of, season_plan
from arena.store.views import ALL_PLAYED, PhaseView

Changes: TypeAlias = Callable[[StoredSeason, int], tuple[int, str] | None]

_PAIRS_SAID = 5


@dataclass(frozen=True, slots=True)
class End:
    """The end of a phase: the reason in words, and the number of cycles that the league consists of."""

    reason: str
    cycles: int


class Director:
    """The director of one season, for one run. `say` tells the organiser.

    `compared` receives a gauntlet's answer after each decision cycle. `changes`: told what is stored and the
    first cycle of which nothing can have been begun, it says from which cycle on the field of an open season
    is another one, and why; None as long as it stays.
    """

    def __init__(
        self,
        season: OpenSeason,
        database: Database,
        say: Callable[[str], None],
        compared: Callable[[Answer | NoLook], None],
        changes: Changes | None = None,
    ) -> None:
        self._season = season.view
        self._bots = season.bots
        self._margin = season.loaded.league.schedule.margin
        self._rounds = season.plan.matches_per_session * season.view.rounds
        self._database = database
        self._say = say
        self._compared = compared
        self._changes = changes
        self._conduct = conduct_of(season.view)
        # A match at a time, for a long season would take much memory at once.
        for _, match in groupby(
            read.sittings(database, season.view.number), key=lambda sitting: sitting.place
        ):
            self._conduct.add(match)
        self._read()
        self._plan = season.plan
        self._phase: PhaseView
        self._decisions: DecisionCycles
        self._end: End | None = None

    def begin(self, phase: PhaseView) -> DecisionCycles | None:
        """Direct a phase, from wherever it is. Return its decisions; None if there is nothing to decide."""
        self._phase = phase
        self._decisions = decisions_of(self._season, phase)
        self._end = None
        asked = self._changes or stops_when_settled(self._stored) or limits_of(self._season)
        return self._decisions if asked else None

    def played(self, record: MatchRecord) -> None:
        """Note how the bots of a finished match behaved, which is not stored yet."""
        self._conduct.add(sittings_of(record))

    # Who plays

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings that were read last."""
        return self._rulings

    @property
    def plan(self) -> Schedule:
        """Return the schedule by the rulings that were read last: the same object until it changes."""
        return self._plan

    def read_again(self) -> None:
        """Read the rulings again, and tell of the organiser's new ones."""
        known = self._rulings
        self._read()
        for ruling in self._rulings:
            if not ruling.by_limits and ruling not in known:
                self._say(str(ruling))
        if known != self._rulings and self._season.plans_anew:
            plan = season_plan(self._season, self._rulings)
            if plan.first_difference(self._plan) is not None:
                self._plan = plan

    def out(self, cycle: int) -> frozenset[str]:
        """Return the bots whose seats the stand-in has in a cycle."""
        return out_in(self._rulings, cycle)

    def plays(self, cycle: int) -> frozenset[str]:
        """Return the bots that play in a cycle."""
        return frozenset(self._bots[number] for number in self._plan.present(cycle)) - self.out(cycle)

    def _read(self) -> None:
        stored = read.stored_season(self._database)
        assert stored is not None, "a season is played"
        self._stored = stored
        self._rulings = stored.rulings

    # Decisions

    def decide(self, cycles: int) -> None:
        """Decide who plays on, and whether the phase goes on, at the end of a decision cycle.

        All matches of the first `cycles` cycles are stored. Later ones may be being played, so what is
        decided holds from the cycles after those on. What an earlier run decided stays.
        """
        self.read_again()
        known = next((one for one in self._stored.decisions if one.cycles == cycles), None)
        decision = self._decide_now(cycles) if known is None else known
        planned = self._decisions.planned
        if decision.settled and cycles < planned and self.ends() == planned:
            self._end = _settled(decision, planned)

    def _decide_now(self, cycles: int) -> Decision:
        effect, number = self._decisions.effect(cycles), self._season.number
        while True:
            compared = self._compare(cycles) if stops_when_settled(self._stored) else None
            decision = decide(self._stored, self._conduct, cycles, effect, compared, now_ms())
            if write.decision(self._database, number, decision):
                break
            self.read_again()  # the organiser has ruled meanwhile, so what counts has to be looked at again
        if compared is not None:
            for line in self._lines_on(cycles, compared):
                self._say(line)
        self.read_again()
        # Where the organiser had taken a bot out already, that is what people are told of it.
        for ruling in disqualified(self._rulings).values():
            if ruling in decision.rulings:
                write.log(self._database, LogLine(now_ms(), "warning", "excluded", str(ruling)))
                self._say(str(ruling))
        return decision

    # The end

    def ends(self) -> int:
        """Return after how many cycles of the season the phase ends, as things stand now.

        It ends early where the league is settled, where too few bots are left, and where the field of an open
        season changes. Once that is known it stays so.
        """
        planned = self._decisions.planned
        if self._end is None and (found := self._early()) is not None:
            cycles, why = max(found[0], self._decisions.first), found[1]
            if cycles < planned:
                self._end = End(f"ended after {_cycles(cycles)} of at most {planned:,}: {why}", cycles)
        return planned if self._end is None else self._end.cycles

    def _early(self) -> tuple[int, str] | None:
        """Return from which cycle on the field cannot play on as it is, and why."""
        if self._changes is None:
            return too_few_from(self._season, self._rulings)
        return self._changes(self._stored, read.first_free(self._database, self._season.number))

    def end(self) -> End:
        """Return how the phase ended, of which nothing is left to play and to decide."""
        if self._end is not None:
            return self._end
        planned = self._decisions.planned
        if not stops_when_settled(self._stored):
            return End(ALL_PLAYED, planned)
        if (decision := decision_in_force(self._stored, planned)) is not None:
            return _settled(decision, planned)
        compared = self._compare(planned)
        if isinstance(compared.look, NoLook):
            return End(f"budget reached: {compared.look.reason}", planned)
        if compared.scoring.gauntlet:
            return End(f"budget reached: {'; '.join(self._answer(compared))}", planned)
        return End(outcome(compared.look), planned)

    # What the organiser is told of a comparison

    def _compare(self, cycles: int) -> Compared:
        return compare(self._stored, played_of(self._database, self._season.number), cycles)

    def _lines_on(self, cycles: int, compared: Compared) -> Iterator[str]:
        if compared.scoring.gauntlet:
            yield from self._answer(compared)
            return
        after, look = f"after {_cycles(cycles)}", compared.look
        if isinstance(look, NoLook):
            yield f"{after}: no verdicts yet: {look.reason}"
            return
        yield f"{after}: {decided(look, self._margin)}"
        yield from self._undecided(cycles, look)

    def _undecided(self, cycles: int, look: Look) -> Iterator[str]:
        # Of a cycle that is to come: the field may be smaller by then.
        a_cycle = self._plan.sessions_in(cycles)
        still = look.open_neighbours
        for pair in still[:_PAIRS_SAID]:
            yield f"  {self._pair(pair, a_cycle)}"
        if len(still) > _PAIRS_SAID:
            yield f"  and {len(still) - _PAIRS_SAID} more"

    def _pair(self, pair: Pair, a_cycle: int) -> str:
        """Describe an undecided pair, and how many whole cycles of so many sessions would decide it."""
        needs = more_sessions(pair.more_sessions)
        if pair.more_sessions is not None:
            needs += f", {_cycles(-(-pair.more_sessions // a_cycle))}"
        names = self._names
        return f"{names[pair.better]}, {names[pair.worse]}: {pair.difference:.2f} apart, {needs}"

    def _answer(self, compared: Compared) -> Sequence[str]:
        """Return a gauntlet's answer so far, in lines."""
        answer = compared.scoring.answer(compared.results)
        self._compared(answer)
        return answer_text(answer, self._names, self._rounds)

    @property
    def _names(self) -> dict[str, str]:
        return {entry.bot: entry.name for entry in self._season.entries}


def _settled(decision: Decision, planned: int) -> End:
    return End(f"settled after {_cycles(decision.cycles)} of at most {planned:,}", decision.effect)


def _cycles(number: int) -> str:
    return "1 cycle" if number == 1 else f"{number:,} cycles"

"""Disqualification while a league is played: keeps the bots' conduct, stores decisions, says who sits.

Stands between the database, the pure decisions (`disqualify`) and the coordinator. Plays nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from arena.conduct.disqualify import Conduct, Ruling, out_in, sittings_of, worth_telling
from arena.conduct.limits import limits_of
from arena.match.record import MatchRecord
from arena.schedule import Schedule, Session
from arena.season.opening import OpenSeason, now_ms
from arena.season.too_few import why_broken_off
from arena.store.history import LogLine
from arena.store.planned import season_plan
from arena.store.reader import Reader
from arena.store.writer import Writer

__all__ = ["Discipline"]

_JUDGE = "arena"
"""The name of the disqualifier in the table of acts."""


class Discipline:
    """Decides who may play in each cycle of a season. `say` tells the organiser of every decision."""

    def __init__(
        self, season: OpenSeason, reader: Reader, writer: Writer, say: Callable[[str], None]
    ) -> None:
        faults = season.loaded.league.faults
        self._season = season.view
        self._number = season.view.number
        self._bots = season.bots
        self._reader = reader
        self._writer = writer
        self._say = say
        self._conduct = Conduct(
            limits_of(faults.disqualify_share, faults.disqualify_after, season.view.score_rule.by_evidence),
            season.plan.matches_per_session,
        )
        # A match at a time, for a long season would take much memory at once.
        for _, match in groupby(reader.sittings(self._number), key=lambda sitting: sitting.place):
            self._conduct.add(match)
        self._rulings = reader.rulings(self._number)
        self._plan = season.plan

    def played(self, record: MatchRecord) -> None:
        """Take note of a finished match."""
        self._conduct.add(sittings_of(record))

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings that were read last."""
        return self._rulings

    @property
    def plan(self) -> Schedule:
        """Return the schedule by the rulings that were read last: the same object until it changes."""
        return self._plan

    def read_again(self) -> bool:
        """Read the rulings again, tell of the organiser's new ones, and return whether any is new."""
        known, self._rulings = self._rulings, self._reader.rulings(self._number)
        for ruling in self._rulings[len(known) :]:
            if not ruling.by_limits:
                self._say(str(ruling))
        if known == self._rulings:
            return False
        if self._season.plans_anew:
            plan = season_plan(self._season, self._rulings)
            if plan.first_difference(self._plan) is not None:
                self._plan = plan
        return True

    @property
    def broken_off(self) -> str:
        """Return why the season ends before its time, as things stand; empty if it goes on."""
        return why_broken_off(self._season, self._rulings)

    def out(self, cycle: int) -> frozenset[str]:
        """Return the bots whose seats the stand-in has in a cycle."""
        return out_in(self._rulings, cycle)

    def plays(self, cycle: int) -> frozenset[str]:
        """Return the bots that play in a cycle."""
        return frozenset(self._bots[number] for number in self._plan.present(cycle)) - self.out(cycle)

    def decide(self, cycles: int) -> None:
        """Store who is disqualified now that the first `cycles` cycles are over."""
        # The organiser may have ruled meanwhile, and an earlier run may have stored this very decision before
        # it was stopped.
        self.read_again()
        if not cycles:
            return
        known = {(ruling.bot, ruling.from_cycle) for ruling in self._rulings if ruling.by_limits}
        decided = self._conduct.decide(cycles - 1, self._rulings)
        new = [ruling for ruling in decided if (ruling.bot, ruling.from_cycle) not in known]
        self._writer.disqualify(self._number, new, (now_ms(), _JUDGE))
        self.read_again()
        for ruling in worth_telling(self._rulings):
            if ruling in new:
                self._tell(str(ruling))

    def is_decided(self, cycle: int, in_hand: Iterable[Session]) -> bool:
        """Return whether it is certain who sits in `cycle` while the earlier sessions `in_hand` are played.

        It is certain when nobody can be disqualified by these sessions, whatever happens in them. So the
        last sessions of a cycle keep referees waiting only where it matters.
        """
        sessions = list(in_hand)
        # First by the rulings last read: reading them again takes as long as storing a match, and most often
        # the answer is no. Only a yes is checked against rulings that the organiser may have made since.
        if not self._is_sure(cycle, sessions):
            return False
        return not self.read_again() or self._is_sure(cycle, sessions)

    def _is_sure(self, cycle: int, sessions: Sequence[Session]) -> bool:
        """Return the same by the rulings that were read last."""
        # Several cycles may be in hand at once: each end of a cycle before `cycle` must be certain.
        for earlier in range(min((s.cycle for s in sessions), default=cycle - 1), cycle):
            mine = {(s.cycle, s.index): self._sitting(s) for s in sessions if s.cycle <= earlier}
            if self._conduct.may_fall(earlier, self._rulings, self._conduct.in_hand(mine)):
                return False
        return True

    def _sitting(self, session: Session) -> Mapping[str, int]:
        """Return in how many matches of a session each bot sits that is not out."""
        out = self.out(session.cycle)
        sat = Counter(number for row in session.rows for number in set(row))
        return {bot: matches for number, matches in sat.items() if (bot := self._bots[number]) not in out}

    def _tell(self, text: str) -> None:
        self._writer.log(LogLine(now_ms(), "warning", "disqualified", text))
        self._say(text)

"""Disqualification while a league is played: keeps the bots' conduct, stores decisions, says who sits.

Stands between the database, the pure decisions (`disqualify`) and the coordinator. Plays nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from arena.conduct.disqualify import Conduct, Limits, Ruling, out_in, sittings_of, worth_telling
from arena.match.record import MatchRecord
from arena.schedule import Schedule
from arena.season.opening import OpenSeason, now_ms
from arena.season.too_few import too_few_from
from arena.store import read, write
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.limits import limits_of
from arena.store.planned import season_plan

__all__ = ["Discipline"]

_JUDGE = "arena"
"""The name of who excludes by the limits, in the table of acts."""


class Discipline:
    """Decides who may play in each cycle of a season. `say` tells the organiser of every decision."""

    def __init__(self, season: OpenSeason, database: Database, say: Callable[[str], None]) -> None:
        limits = limits_of(season.view)
        self._asked = limits is not None
        self._season = season.view
        self._number = season.view.number
        self._bots = season.bots
        self._database = database
        self._say = say
        self._conduct = Conduct(limits or Limits(1.0, 1), season.plan.matches_per_session)
        # A match at a time, for a long season would take much memory at once.
        for _, match in groupby(read.sittings(database, self._number), key=lambda sitting: sitting.place):
            self._conduct.add(match)
        self._rulings = read.rulings(database, self._number)
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
        known, self._rulings = self._rulings, read.rulings(self._database, self._number)
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
    def asked(self) -> bool:
        """Return whether the limits can exclude a bot at all."""
        return self._asked

    @property
    def too_few(self) -> tuple[int, str] | None:
        """Return from which cycle on too few bots are left, as things stand, and why; None if enough are."""
        return too_few_from(self._season, self._rulings)

    def out(self, cycle: int) -> frozenset[str]:
        """Return the bots whose seats the stand-in has in a cycle."""
        return out_in(self._rulings, cycle)

    def plays(self, cycle: int) -> frozenset[str]:
        """Return the bots that play in a cycle."""
        return frozenset(self._bots[number] for number in self._plan.present(cycle)) - self.out(cycle)

    def decide(self, cycles: int, effect: int) -> None:
        """Store who is excluded after the first `cycles` cycles: out from the cycle `effect` on."""
        # The organiser may have ruled meanwhile, and an earlier run may have stored this very decision before
        # it was stopped.
        self.read_again()
        if not cycles:
            return
        known = {(ruling.bot, ruling.decided) for ruling in self._rulings if ruling.by_limits}
        decided = self._conduct.decide(cycles, effect, self._rulings)
        new = [ruling for ruling in decided if (ruling.bot, ruling.decided) not in known]
        write.disqualify(self._database, self._number, new, (now_ms(), _JUDGE))
        self.read_again()
        for ruling in worth_telling(self._rulings):
            if ruling in new:
                self._tell(str(ruling))

    def _tell(self, text: str) -> None:
        write.log(self._database, LogLine(now_ms(), "warning", "excluded", text))
        self._say(text)

"""The director of a season: decides after decision cycles who plays on, and whether there is another cycle.

Joins the disqualifications (`discipline`) and the end of the league (`settling`), so that the coordinator
asks one object. Starts no referee and plays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from arena.conduct.disqualify import Ruling
from arena.match.record import MatchRecord
from arena.schedule import DecisionCycles, Schedule
from arena.season.discipline import Discipline
from arena.season.opening import OpenSeason
from arena.season.settling import End, Settling, broken_off, settled
from arena.standings import Answer, NoLook
from arena.store import read
from arena.store.database import Database
from arena.store.planned import decisions_of
from arena.store.views import StretchView

__all__ = ["Changes", "Director"]

Changes: TypeAlias = Callable[[Sequence[Ruling], int], tuple[int, str] | None]


class Director:
    """The director of one season, for one run. `say` tells the organiser; `compared` as in `Settling`.

    `changes`: told the rulings and the first cycle of which nothing can have been begun, it says from which
    cycle on the field of an open season is another one, and why; None as long as it stays.
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
        self._number = season.view.number
        self._database = database
        self._changes = changes
        self._discipline = Discipline(season, database, say)
        self._settling = Settling(season, database, say, compared)
        self._decisions: DecisionCycles
        self._stretch: StretchView
        self._end: End | None = None

    def begin(self, stretch: StretchView) -> DecisionCycles | None:
        """Direct a stretch, from wherever it is. Return its decisions; None if there is nothing to decide."""
        self._stretch = stretch
        self._decisions = decisions_of(self._season, stretch)
        self._end = None
        decides = self._changes or self._settling.asked or self._discipline.asked
        return self._decisions if decides else None

    def played(self, record: MatchRecord) -> None:
        """Note how the bots of a finished match behaved, which is not stored yet."""
        self._discipline.played(record)

    def decide(self, cycles: int) -> None:
        """Decide who plays on, and whether the stretch goes on, at the end of a decision cycle.

        All matches of the first `cycles` cycles are stored. Later ones may be being played, so what is
        decided holds from the cycles after those on. Deciding twice changes nothing. Bots are excluded
        first, for who sits in a cycle must be stored before it begins.
        """
        effect = self._decisions.effect(cycles)
        self._discipline.decide(cycles, effect)
        if self.ends() < self._decisions.planned or cycles == self._decisions.planned:
            return
        if not self._settling.goes_on(cycles):
            self._end = settled(cycles, effect, self._decisions.planned)

    def ends(self) -> int:
        """Return after how many cycles of the season the stretch ends, as things stand now.

        It ends early where the league is settled, where too few bots are left, and where the field of an open
        season changes. Once that is known it stays so.
        """
        if self._end is None and (found := self._early()) is not None:
            planned, cycles = self._decisions.planned, max(found[0], self._decisions.first)
            if cycles < planned:
                self._end = broken_off(cycles, planned, found[1])
        return self._decisions.planned if self._end is None else self._end.cycles

    def _early(self) -> tuple[int, str] | None:
        """Return from which cycle on the field cannot play on as it is, and why."""
        if self._changes is None:
            return self._discipline.too_few
        return self._changes(self._discipline.rulings, read.first_free(self._database, self._number))

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings that were read last."""
        return self._discipline.rulings

    @property
    def plan(self) -> Schedule:
        """Return the schedule by the rulings that were read last."""
        return self._discipline.plan

    def read_again(self) -> None:
        """Read the rulings again: the organiser may have made some since."""
        self._discipline.read_again()

    def out(self, cycle: int) -> frozenset[str]:
        """Return the bots whose seats the stand-in has in a cycle."""
        return self._discipline.out(cycle)

    def plays(self, cycle: int) -> frozenset[str]:
        """Return the bots that play in a cycle."""
        return self._discipline.plays(cycle)

    def end(self) -> End:
        """Return how the stretch ended, of which nothing is left to play and to decide."""
        return self._settling.end(self._stretch) if self._end is None else self._end

"""The director of a season: decides after blocks of cycles who plays on, and whether there is another cycle.

Joins the disqualifications (`discipline`) and the end of the league (`settling`), so that the coordinator
asks one object. Starts no referee and plays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from arena.conduct.disqualify import Ruling
from arena.match.record import MatchRecord
from arena.schedule import DecisionBlocks, Schedule
from arena.season.discipline import Discipline
from arena.season.opening import OpenSeason
from arena.season.settling import End, Settling, broken_off
from arena.standings import Answer, NoLook
from arena.store import read
from arena.store.database import Database
from arena.store.planned import stretch_blocks
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
        self._number = season.view.number
        self._database = database
        self._changes = changes
        self._discipline = Discipline(season, database, say)
        self._settling = Settling(season, database, say, compared)
        self._blocks: DecisionBlocks
        self._end: End | None = None

    def begin(self, stretch: StretchView) -> DecisionBlocks | None:
        """Direct a stretch, from wherever it is. Return its blocks; None if nothing is decided after them."""
        self._blocks = stretch_blocks(stretch)
        self._end = None
        decides = self._changes or self._settling.asked or self._discipline.asked
        return self._blocks if decides else None

    def played(self, record: MatchRecord) -> None:
        """Note how the bots of a finished match behaved, which is not stored yet."""
        self._discipline.played(record)

    def decide(self, cycles: int) -> None:
        """Decide who plays on, and whether there is another cycle, at the end of a block.

        All matches of the first `cycles` cycles are stored. Later ones may be being played, so what is
        decided takes effect one block later; but a league that is settled ends here. Deciding twice changes
        nothing. Bots are disqualified first, for who sits in a block must be stored before it begins.
        """
        self._discipline.decide(cycles, self._blocks.beyond(cycles))
        if self.ends() < self._blocks.planned or cycles == self._blocks.planned:
            return
        if not self._settling.goes_on(cycles):
            self._end = self._settling.end(cycles, self._blocks.planned)

    def ends(self) -> int:
        """Return after how many cycles of the season the stretch ends, as things stand now.

        It ends early where the league is settled, where too few bots are left, and where the field of an open
        season changes. Once that is known it stays so.
        """
        if self._end is None and (found := self._early()) is not None:
            planned, cycles = self._blocks.planned, max(found[0], self._blocks.first)
            if cycles < planned:
                self._end = broken_off(cycles, planned, found[1])
        return self._blocks.planned if self._end is None else self._end.cycles

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
        """Return how the stretch ended, of which nothing is left to play and all blocks are decided."""
        planned = self._blocks.planned
        return self._settling.end(planned, planned) if self._end is None else self._end

"""The director of a season: decides between cycles who plays on, and whether there is another cycle.

Joins the disqualifications (`discipline`) and the end of the league (`settling`), so that the coordinator
asks one object. Starts no referee and plays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.conduct.disqualify import Ruling
from arena.match.record import MatchRecord
from arena.schedule import Schedule, Session
from arena.season.discipline import Discipline
from arena.season.opening import OpenSeason
from arena.season.settling import End, Settling, broken_off
from arena.standings import Answer, NoLook
from arena.store.reader import Reader
from arena.store.views import StretchView
from arena.store.writer import Writer

__all__ = ["Director"]


class Director:
    """The director of one season, for one run. `say` tells the organiser; `compared` as in `Settling`.

    `changes`: told the rulings and how many cycles are over, it says why the field of an open season changes
    now, or nothing.
    """

    def __init__(
        self,
        season: OpenSeason,
        reader: Reader,
        writer: Writer,
        say: Callable[[str], None],
        compared: Callable[[Answer | NoLook], None],
        changes: Callable[[Sequence[Ruling], int], str] = lambda rulings, cycles: "",
    ) -> None:
        self._changes = changes
        self._discipline = Discipline(season, reader, writer, say)
        self._settling = Settling(season, reader, writer, say, compared)
        self._broken_off_after: int | None = None

    def played(self, record: MatchRecord) -> None:
        """Note how the bots of a finished match behaved, which is not stored yet."""
        self._discipline.played(record)

    def goes_on(self, cycles: int) -> bool:
        """Return whether there is a cycle after the first `cycles`.

        The coordinator asks only while the agenda is held: all matches of these cycles are then stored, and
        none is being played. Bots are disqualified first, for who sits in the next cycle must be stored
        before that cycle begins.
        """
        self._discipline.decide(cycles)
        if self._why_it_ends(cycles):
            self._broken_off_after = cycles
            return False
        return self._settling.goes_on(cycles)

    def goes_on_early(self, cycle: int, playing: Sequence[Session]) -> bool:
        """Return whether it is certain that `cycle` is played, and by whom, while `playing` is not over."""
        # Where the league may end as soon as it is settled, the verdicts need every session of the cycle.
        if self._settling.asked or self._why_it_ends(cycle):
            return False
        # The organiser may have ruled since: `is_decided` finds it.
        return self._discipline.is_decided(cycle, playing) and not self._why_it_ends(cycle)

    def _why_it_ends(self, cycles: int) -> str:
        """Return why nothing more is played after so many cycles, as things stand; empty if it goes on."""
        return self._discipline.broken_off or self._changes(self._discipline.rulings, cycles)

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

    @property
    def may_stop_early(self) -> bool:
        """Return whether the league ends as soon as it is settled."""
        return self._settling.asked

    def end(self, stretch: StretchView) -> End:
        """Judge the last cycle of a stretch that has nothing left to play, and return how it ended."""
        after, self._broken_off_after = self._broken_off_after, None
        planned = stretch.cycles_planned
        cycles = self._discipline.plan.playable(planned) if after is None else after
        if cycles == planned:
            end = self._settling.end(stretch)
        else:
            end = broken_off(cycles, planned, self._why_it_ends(cycles))
        self._discipline.decide(end.cycles)
        return end

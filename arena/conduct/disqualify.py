"""Which bots are disqualified, and from which cycle on. Pure: reads no database, starts and stops nothing.

A bot is disqualified when a cycle is over and the stand-in has replaced it in more than a share of
its matches; from the next cycle on the stand-in has its seats. Only finished sessions count, void ones
too: what is taken out of the score was played all the same, so that a decision can always be
worked out again. A bot that was reinstated is judged by what it played since then.

One process incident counts once. A process whose match is handed over is ended, so that each match it
lost is an incident of its own, but for those that it was playing at the same moment (at several tables
of one referee): of the matches that one process lost for one reason, those that follow one another in the
schedule and overlapped in time count as one. Each process that does not start is one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from arena.match.faults import HandOver
from arena.match.record import MatchRecord
from arena.match.stand_in import STAND_IN

__all__ = ["Conduct", "Limits", "Ruling", "Sitting", "Unplayed", "disqualified", "out_in", "sittings_of"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a bot is disqualified: replaced in more than `share` of its matches, of which there are at
    least `after`."""

    share: float
    after: int

    def exceeded(self, lost: int, matches: int) -> bool:
        """Whether that is too much. Exact: 0.29 of 100 matches are 29."""
        return matches >= self.after and lost > Fraction(repr(self.share)) * matches


@dataclass(frozen=True, slots=True)
class Sitting:
    """A bot in one finished match: `lost` says why the stand-in replaced it, None when it played to the end.

    `pid`: the process that played, 0 if there was none. Times are milliseconds since 1970 (UTC).
    """

    bot: str
    cycle: int
    index: int
    order: int
    lost: HandOver | None = None
    pid: int = 0
    started_at: int = 0
    finished_at: int = 0

    @property
    def place(self) -> tuple[int, int, int]:
        """Where it stands in the schedule."""
        return self.cycle, self.index, self.order

    def same_incident(self, earlier: Sitting) -> bool:
        """Whether both were lost by one process at one moment."""
        return (
            0 != self.pid == earlier.pid
            and self.lost is earlier.lost
            and self.started_at < earlier.finished_at
            and earlier.started_at < self.finished_at
        )


@dataclass(frozen=True, slots=True)
class Ruling:
    """From the cycle `from_cycle` on a bot is out, or back in. `reason`: why, for people."""

    bot: str
    out: bool
    from_cycle: int
    reason: str = ""


@dataclass(slots=True)
class Unplayed:
    """Matches by bot of sessions that are not over: `all` of them, and those in `doubt`, which are not known
    to have been played to their end."""

    all: Counter[str] = field(default_factory=Counter)
    doubt: Counter[str] = field(default_factory=Counter)


def out_in(rulings: Iterable[Ruling], cycle: int) -> frozenset[str]:
    """The bots that do not play in a cycle. `rulings` in the order in which they were made."""
    last = {ruling.bot: ruling for ruling in rulings if ruling.from_cycle <= cycle}
    return frozenset(bot for bot, ruling in last.items() if ruling.out)


def disqualified(rulings: Iterable[Ruling]) -> dict[str, Ruling]:
    """The bots that are disqualified as things stand, with the ruling that did it."""
    last = {ruling.bot: ruling for ruling in rulings}
    return {bot: ruling for bot, ruling in last.items() if ruling.out}


def sittings_of(record: MatchRecord) -> list[Sitting]:
    """The bots of a match, each once however many seats it held; replaced at any, replaced."""
    key = record.key
    found: dict[str, Sitting] = {}
    for seat in record.seats:
        known = found.get(seat.bot)
        if known is None or known.lost is None:
            found[seat.bot] = Sitting(
                seat.bot, key.cycle, key.index, key.order,
                seat.hand_over, seat.pid, record.started_at, record.finished_at,
            )  # fmt: skip
    return list(found.values())


class Conduct:
    """How often each bot was replaced, as far as a season has been played.

    Is told of sittings in any order; a session counts once all its matches have been told of.
    """

    def __init__(self, limits: Limits, matches_per_session: int) -> None:
        self._limits = limits
        self._per_session = matches_per_session
        self._open: defaultdict[tuple[int, int], list[Sitting]] = defaultdict(list)
        self._matches: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._lost: defaultdict[str, list[Sitting]] = defaultdict(list)

    def add(self, sittings: Iterable[Sitting]) -> None:
        """What became of the bots of some matches; each match whole, and once."""
        touched = set()
        for sitting in sittings:
            session = (sitting.cycle, sitting.index)
            self._open[session].append(sitting)
            touched.add(session)
        for session in touched:
            if len({sitting.order for sitting in self._open[session]}) >= self._per_session:
                self._count(self._open.pop(session))

    def _count(self, session: Iterable[Sitting]) -> None:
        for sitting in session:
            if sitting.bot == STAND_IN:
                continue
            self._matches[sitting.bot][sitting.cycle] += 1
            if sitting.lost is not None:
                self._lost[sitting.bot].append(sitting)

    def decide(self, cycle: int, rulings: Sequence[Ruling]) -> tuple[Ruling, ...]:
        """What is decided when `cycle` is over: who is out from the next one on, in the order of ids.

        The same whenever it is asked: from sessions up to that cycle and earlier rulings alone.
        """
        out = out_in(rulings, cycle)
        return tuple(
            Ruling(bot, True, cycle + 1, f"replaced in {lost:,} of {matches:,} matches")
            for bot in sorted(self._matches)
            if bot not in out
            for lost, matches in [self.replaced(bot, cycle, rulings)]
            if self._limits.exceeded(lost, matches)
        )

    def replaced(self, bot: str, cycle: int, rulings: Iterable[Ruling]) -> tuple[int, int]:
        """Incidents and matches that count against a bot when `cycle` is over."""
        first = max((r.from_cycle for r in rulings if _back_in(r, bot, cycle)), default=0)
        matches = sum(n for played, n in self._matches[bot].items() if first <= played <= cycle)
        lost = sorted(
            (s for s in self._lost[bot] if first <= s.cycle <= cycle),
            key=lambda s: (s.pid, str(s.lost), s.place),
        )
        again = sum(later.same_incident(earlier) for earlier, later in pairwise(lost))
        return len(lost) - again, matches

    def may_fall(self, cycle: int, rulings: Sequence[Ruling], unplayed: Unplayed) -> bool:
        """Whether anybody could still be disqualified when `cycle` is over, whatever happens in the matches
        of it, and of earlier cycles, that are `unplayed`."""
        out = out_in(rulings, cycle)
        for bot in set(self._matches).union(unplayed.all) - out:
            lost, matches = self.replaced(bot, cycle, rulings)
            worst, enough = lost + unplayed.doubt[bot], matches + unplayed.all[bot] >= self._limits.after
            # A session may still be left out, with the good matches in it: they do not count for the bot.
            if enough and Limits(self._limits.share, 0).exceeded(worst, matches + unplayed.doubt[bot]):
                return True
        return False

    def unplayed(self, sessions: Mapping[tuple[int, int], Iterable[str]]) -> Unplayed:
        """The matches of sessions that are not over, by the bots that sit in them."""
        counted = Unplayed()
        for session, bots in sessions.items():
            good = Counter(s.bot for s in self._open.get(session, ()) if s.lost is None)
            for bot in bots:
                counted.all[bot] += self._per_session
                counted.doubt[bot] += self._per_session - good[bot]
        return counted


def _back_in(ruling: Ruling, bot: str, cycle: int) -> bool:
    return ruling.bot == bot and not ruling.out and ruling.from_cycle <= cycle

"""Which bots are excluded, and from which cycle on. It reads no database, starts and stops nothing.

The organiser may exclude a bot too. Such a ruling says from which cycle on, and changes nothing of what the
rule decides about the cycles before.

When a decision block (`arena.schedule.blocks`) is over, the arena excludes a bot if the stand-in has
replaced it too often by the `limits`. The next block may be being played by then, so it plays no more from
the end of that one on. Only finished sessions count. Void sessions count too: what is taken out of the score
was played all the same, and so a decision can always be worked out again. A reinstated bot is judged by what
it has played since.

One process incident counts once. A process whose match is handed over is ended, so each match that a bot
lost is an incident of its own. The exception is matches that one process was playing at the same moment (at
several tables of one referee): of the matches that one process lost for one reason, those that follow one
another in the schedule and overlapped in time count as one. Each process that does not start is an incident.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arena.conduct.evidence import SessionShare
from arena.conduct.limits import Limits
from arena.match.faults import HandOver
from arena.match.record import MatchRecord
from arena.match.stand_in import STAND_IN
from arena.standings.entry_ids import bot_of

__all__ = [
    "Conduct",
    "Ruling",
    "Sitting",
    "disqualified",
    "out_in",
    "sittings_of",
    "worth_telling",
]


SessionPlace = tuple[int, int]
"""A session: its cycle and index."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A bot in one finished match.

    `lost`: why the stand-in replaced it, None when it played to the end. `pid`: the process that played, 0 if
    there was none. Times are milliseconds since 1970 (UTC).
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
        """Return the place of the match in the schedule: cycle, index of the session, seat order."""
        return self.cycle, self.index, self.order

    def same_incident(self, earlier: Sitting) -> bool:
        """Return whether one process lost both matches at one moment."""
        return (
            0 != self.pid == earlier.pid
            and self.lost is earlier.lost
            and self.started_at < earlier.finished_at
            and earlier.started_at < self.finished_at
        )


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision that a bot is out from the cycle `from_cycle` on, or back in. `reason` is for people.

    `by_organiser`: whether the organiser took it out, and not the limits of the league. `after`: after how
    many cycles the limits decided it; None where it took effect at once, and for acts of the organiser.
    """

    bot: str
    out: bool
    from_cycle: int
    reason: str = ""
    by_organiser: bool = False
    after: int | None = None

    @property
    def decided(self) -> int:
        """Return after how many cycles the limits decided it."""
        return self.from_cycle if self.after is None else self.after

    @property
    def word(self) -> str:
        """Return what people call it: "excluded" or "reinstated"."""
        return "excluded" if self.out else "reinstated"

    @property
    def by(self) -> str:
        """Return who took the bot out: "organiser", or "arena" by the limits."""
        return "organiser" if self.by_organiser else "arena"

    @property
    def by_limits(self) -> bool:
        """Return whether the bot is out because it exceeded the limits, and not by the organiser's act."""
        return self.out and not self.by_organiser

    @property
    def brief(self) -> str:
        """Return the reason without the evidence: "replaced in 40 of 40 matches". An act's is whole."""
        return self.reason.partition(":")[0] if self.by_limits else self.reason

    def __str__(self) -> str:
        """Return the ruling as a sentence without a full stop."""
        if not self.out:
            return (
                f"{self.bot} is reinstated: {self.reason}; from session {self.from_cycle}.0 on it plays again"
            )
        since = f"from session {self.from_cycle}.0 on it plays no more"
        return f"{self.bot} is excluded by the {self.by}: {self.reason}; {since}"


def out_in(rulings: Iterable[Ruling], cycle: int) -> frozenset[str]:
    """Return the bots that do not play in a cycle. `rulings` must be in the order in which they were made."""
    last = {ruling.bot: ruling for ruling in rulings if ruling.from_cycle <= cycle}
    return frozenset(bot for bot, ruling in last.items() if ruling.out)


def worth_telling(rulings: Iterable[Ruling]) -> list[Ruling]:
    """Return the rulings without those by the limits on bots that the organiser had taken out already.

    They are made all the same, for the cycle that such a bot plays to its end. But the organiser's is shown.
    """
    told: list[Ruling] = []
    by_organiser: set[str] = set()
    for ruling in rulings:
        if ruling.by_limits and ruling.out and ruling.bot in by_organiser:
            continue
        told.append(ruling)
        if ruling.out and not ruling.by_limits:
            by_organiser.add(ruling.bot)
        else:
            by_organiser.discard(ruling.bot)
    return told


def disqualified(rulings: Iterable[Ruling]) -> dict[str, Ruling]:
    """Return the bots that are excluded after all these rulings, each with its ruling.

    Of several rulings by which a bot is out, the organiser's counts: it stays the reason, even if the bot
    exceeds the limits in the last cycle that it plays.
    """
    found: dict[str, Ruling] = {}
    for ruling in rulings:
        known = found.get(ruling.bot)
        if not ruling.out:
            found.pop(ruling.bot, None)
        elif known is None or known.by_limits:
            found[ruling.bot] = ruling
    return found


def sittings_of(record: MatchRecord) -> list[Sitting]:
    """Return the bots of a match, each once however many seats it held.

    A bot that was replaced at one of its seats counts as replaced.
    """
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

    It is told of sittings in any order. A session counts once all its matches have been told.
    """

    def __init__(self, limits: Limits, matches_per_session: int) -> None:
        self._limits = limits
        self._per_session = matches_per_session
        self._open: defaultdict[SessionPlace, list[Sitting]] = defaultdict(list)
        # By bot and cycle, how many sessions it sat in so many matches of. Only sessions with an incident are
        # kept one by one, for a long season has very many.
        self._sessions: defaultdict[str, defaultdict[int, Counter[int]]]
        self._sessions = defaultdict(lambda: defaultdict(Counter))
        self._lost: defaultdict[str, list[Sitting]] = defaultdict(list)
        self._hurt: defaultdict[str, dict[SessionPlace, int]] = defaultdict(dict)

    def add(self, sittings: Iterable[Sitting]) -> None:
        """Take in what became of the bots in some matches. Each match must be told whole and only once."""
        touched = set()
        for sitting in sittings:
            session = (sitting.cycle, sitting.index)
            self._open[session].append(sitting)
            touched.add(session)
        for session in touched:
            if len({sitting.order for sitting in self._open[session]}) >= self._per_session:
                self._count(session, self._open.pop(session))

    def _count(self, session: SessionPlace, sittings: Iterable[Sitting]) -> None:
        of_bot: defaultdict[str, list[Sitting]] = defaultdict(list)
        for sitting in sittings:
            if sitting.bot != STAND_IN:
                of_bot[sitting.bot].append(sitting)
        for bot, sat in of_bot.items():
            self._sessions[bot][session[0]][len(sat)] += 1
            lost = [sitting for sitting in sat if sitting.lost is not None]
            if lost:
                self._lost[bot] += lost
                self._hurt[bot][session] = len(sat)

    def decide(self, cycles: int, effect: int, rulings: Sequence[Ruling]) -> tuple[Ruling, ...]:
        """Return who is excluded after the first `cycles` cycles, in the order of ids.

        `effect`: the cycle from which on they are out. The answer is the same whenever it is asked: it
        follows from sessions of these cycles and from what was ruled before, and not from what the organiser
        rules on cycles that may be played while it is asked.
        """
        out = _out_before(rulings, cycles)
        after = None if effect == cycles else cycles
        return tuple(
            Ruling(bot, True, effect, why, after=after)
            for bot in sorted(self._sessions)
            if bot not in out and (why := self._limits.why_out(self.tally(bot, cycles - 1, rulings)))
        )

    @property
    def replaced(self) -> tuple[str, ...]:
        """Return the bots that were ever replaced, in the order of ids."""
        return tuple(sorted(bot for bot, lost in self._lost.items() if lost))

    def tally(self, bot: str, cycle: int, rulings: Iterable[Ruling]) -> Counter[SessionShare]:
        """Return the sessions that count for or against a bot when `cycle` is over.

        Of each the incidents by which the bot was replaced, and its matches. An incident in which it lost
        matches of several sessions counts in the first of them.
        """
        first = _judged_from(bot, cycle, rulings)
        # Matches of one incident must come to lie next to each other, so the process and the reason go first.
        lost = sorted(
            (s for s in self._lost[bot] if first <= s.cycle <= cycle),
            key=lambda s: (s.pid, str(s.lost), s.place),
        )
        again = [later.same_incident(earlier) for earlier, later in pairwise(lost)]
        # The first match of all is no repetition.
        incidents = Counter(
            (s.cycle, s.index) for s, repeated in zip(lost, [False, *again], strict=False) if not repeated
        )
        hurt = {place: sat for place, sat in self._hurt[bot].items() if first <= place[0] <= cycle}
        counted = Counter({(0, sat): -times for sat, times in Counter(hurt.values()).items()})
        counted.update((incidents[place], sat) for place, sat in hurt.items())
        for played, sessions in self._sessions[bot].items():
            if first <= played <= cycle:
                counted.update({(0, sat): times for sat, times in sessions.items()})
        return +counted


def _out_before(rulings: Iterable[Ruling], cycles: int) -> frozenset[str]:
    """Return the bots that are not judged after the first `cycles` cycles, for they are out already.

    The limits must have ruled so after fewer cycles, and the organiser for one of these cycles.
    """
    made = (one for one in rulings if (one.decided if one.by_limits else one.from_cycle) < cycles)
    last = {ruling.bot: ruling for ruling in made}
    return frozenset(bot for bot, ruling in last.items() if ruling.out)


def _judged_from(bot: str, cycle: int, rulings: Iterable[Ruling]) -> int:
    """Return the first cycle whose sessions count for or against a bot: since it was last reinstated.

    A version of an open season is also reinstated with its bot.
    """
    of_bot = (bot, bot_of(bot))
    back = (ruling.from_cycle for ruling in rulings if ruling.bot in of_bot and not ruling.out)
    return max((since for since in back if since <= cycle), default=0)

"""Exclusion: which bots are out for being replaced too often, from which cycle on, and on what evidence.

It is pure. It reads no database, starts and stops nothing. The organiser may exclude a bot too. Such a ruling
says from which cycle on, and changes nothing of what the limits decide about the cycles before.

**When.** After a decision cycle (`arena.schedule.decision_cycles`) a bot is out for which the evidence is
enough. The next cycle may be being played by then, so it plays no more from the end of that one on. Only
finished sessions count. Void sessions count too: what is taken out of the score was played all the same, and
so a decision can always be worked out again. A reinstated bot is judged by what it has played since.

**What counts.** One process incident counts once. A process whose match is handed over is ended, so each
match that a bot lost is an incident of its own. The exception is matches that one process was playing at the
same moment (at several tables of one referee): of the matches that one process lost for one reason, those
that follow one another in the schedule and overlapped in time count as one. Each process that does not start
is an incident.

**The evidence** E is a bet against the bot. Somebody who doubts that its share is at most p stakes 1 and
multiplies it by 1 + lambda (x_c - p) after each session c, in which the bot was replaced in the share x_c of
its matches. E is the mean of twenty such bets, lambda = j/(20 p) for j = 1 to 20. As long as the expected
share of each session, given all earlier ones, is at most p, no bet can be expected to grow. So E is a
nonnegative supermartingale that begins at 1, and the chance that it ever reaches a bar B is at most 1/B
(Ville's inequality, "Etude critique de la notion de collectif", 1939; the bets: Waudby-Smith and Ramdas,
"Estimating means of bounded random variables by betting", 2024). Matches of one session share their boards,
so a session is one observation: incidents that cluster in sessions do not add up faster than that.

**The bar** is such that the chances of all bots of a league, one in B each, add up to one in `LEAGUES` at
most, however they depend on one another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from itertools import pairwise
from math import floor

from arena.match.faults import HandOver
from arena.match.record import MatchRecord
from arena.match.stand_in import STAND_IN
from arena.score.entry_ids import bot_of

LEAGUES = 100
"""At most in one league of so many any bot within the limits is ever excluded."""
MOST_VERSIONS_OUT = 3
"""The versions of a bot that evidence takes out before the bot is out as a whole, until it is reinstated."""
_BETS = 20
_MOST_SAID = 1_000_000
_DIGITS = Context(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""How E is computed: in the long season of a bad bot it has very many digits."""

SessionPlace = tuple[int, int]
"""A session: its cycle and index."""

SessionShare = tuple[int, int]
"""A bot in one session: the incidents by which it was replaced, and its matches, at least one."""

Tally = Mapping[SessionShare, int]
"""How many sessions of a bot went so."""


def bars_of(bots: Sequence[str], comes: bool = False, stages: int = 1) -> dict[str, int]:
    """Return the evidence that is enough against each bot of a season, one of so many `stages` of a league.

    `bots`: all that can be excluded. Where bots come while it goes on (`comes`), in the order in which they
    came: nobody knows how many it will be, so the n-th has the share 1/(n (n + 1)) of the chance of error,
    and all of them together have 1. Otherwise they have equal shares.
    """
    places = [place * (place + 1) if comes else len(bots) for place in range(1, len(bots) + 1)]
    return {bot: LEAGUES * stages * place for bot, place in zip(bots, places, strict=True)}


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a season: there is evidence enough that a bot is replaced beyond its share.

    `share`: the part of its matches in which it may be replaced. `bars`: the evidence that is enough, by bot;
    who is not there is never out.
    """

    share: float
    bars: Mapping[str, int] = field(default_factory=dict)

    def evidence(self, tally: Tally) -> Decimal:
        """Return E to 40 digits, in decimal numbers, so that every machine decides alike.

        It rises with the incidents of each session. If the share is 0, a single incident is certain evidence,
        infinity.
        """
        if not self.share:
            return Decimal("Infinity" if totals(tally)[0] else 1)
        with localcontext(_DIGITS):
            # The share as it is written, 0.29 and not the nearest binary fraction.
            share = Decimal(repr(self.share))
            gains = [(Decimal(r) / m / share - 1, times) for (r, m), times in sorted(tally.items())]
            total = Decimal(0)
            for j in range(1, _BETS + 1):
                bet = Decimal(1)
                for gain, times in gains:
                    bet *= (1 + gain * j / _BETS) ** times
                total += bet
            return total / _BETS

    def is_enough(self, bot: str, tally: Tally) -> bool:
        """Return whether E reaches the bar of a bot."""
        bar = self.bars.get(bot)
        return bar is not None and totals(tally)[0] > 0 and self.evidence(tally) >= bar

    def why_out(self, bot: str, tally: Tally) -> str:
        """Return why a bot with these sessions is excluded, in words; empty if it is not."""
        if not self.is_enough(bot, tally):
            return ""
        lost, matches = totals(tally)
        beyond = f"the evidence that this is more than {100 * self.share:g} % and no chance"
        enough = f"{self.in_words(tally)}; {self.bars[bot]:,} is enough"
        return f"replaced in {lost:,} of {matches:,} matches: {beyond} is {enough}"

    def in_words(self, tally: Tally) -> str:
        """Return the evidence as people read it: whole numbers above 10, two digits below."""
        found = self.evidence(tally)
        if found >= _MOST_SAID:
            return f"more than {_MOST_SAID:,}"
        # Rounded down, so that nothing below the bar is shown as the bar.
        return f"{floor(found):,}" if found >= 10 else f"{floor(found * 100) / 100:.2f}"


def totals(tally: Tally) -> SessionShare:
    """Return the incidents and the matches of all sessions."""
    return (
        sum(lost * times for (lost, _), times in tally.items()),
        sum(matches * times for (_, matches), times in tally.items()),
    )


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


def whole_bots_out(rulings: Iterable[Ruling]) -> dict[str, Ruling]:
    """Return the bots of an open season that are out with all versions, later ones too, each with its ruling.

    `rulings`: all of the season, in the order in which they were made. A bot is out by the organiser's act,
    or because three of its versions are excluded since it was last reinstated. A version that was
    reinstated itself does not count. The ruling of such a bot is that of the last version, with its reason.
    """
    made = list(rulings)
    last_back = {ruling.bot: place for place, ruling in enumerate(made) if not ruling.out}
    of_bot: defaultdict[str, list[Ruling]] = defaultdict(list)
    out = disqualified(made)
    for entry, ruling in out.items():
        bot = bot_of(entry)
        if entry != bot and made.index(ruling) > last_back.get(bot, -1):
            of_bot[bot].append(ruling)
    found = {bot: ruling for bot, ruling in out.items() if bot == bot_of(bot)}
    for bot, versions in of_bot.items():
        if bot not in found and len(versions) >= MOST_VERSIONS_OUT:
            last = max(versions, key=made.index)
            why = f"{len(versions)} of its versions are excluded, the last one {last.bot}: {last.reason}"
            found[bot] = replace(last, bot=bot, reason=why)
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
            if bot not in out and (why := self._limits.why_out(bot, self.tally(bot, cycles - 1, rulings)))
        )

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

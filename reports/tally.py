"""Counts what the pages show of every bot and every pair of bots, in one pass over all matches.

Counts and errors only: no order, no words. Points are those of matches that count in the score, so that
nothing is told of deals that are still being played. Times are those of all finished matches.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import sqrt

from arena.papayoo import CARD_NAMES
from arena.score.quantiles import t_quantile
from arena.store.matches import PlayedMatch, PlayedRound
from arena.store.views import MatchView

CHEAP = 25
"""A round with fewer card points is a cheap one."""

SHARES = (0.5, 0.95, 0.99, 0.999, 1.0)
"""The shares of decisions of which pages say within what time they were made; the last is the longest."""

_ERROR = 0.05
"""The chance that an interval, or one of several that are made for so many comparisons, misses the truth."""

_FEWEST = 3
"""The sessions from which on there are errors. Of two, Student's t has a ± of more points than there are."""

_RANKS = {name: int(name[1:]) for name in CARD_NAMES}


@dataclass(slots=True)
class Spent:
    """The microseconds of each decision of a phase, without zeros (nobody was asked)."""

    # An array holds each time in 8 bytes; a list would hold an object for each.
    us: array[int] = field(default_factory=lambda: array("Q"))
    _sorted: int = field(default=0, repr=False)

    def ordered(self) -> Sequence[int]:
        """Return all times, the shortest first. They are sorted once."""
        if self._sorted != len(self.us):
            self.us = array("Q", sorted(self.us))
            self._sorted = len(self.us)
        return self.us

    def quantiles(self, *shares: float) -> tuple[int, ...]:
        """Return, for each share, the least time that at least this share of decisions did not exceed."""
        ordered, last = self.ordered(), len(self.us) - 1
        return tuple(ordered[min(last, max(0, -int(-share * len(ordered) // 1) - 1))] for share in shares)


@dataclass(slots=True)
class BotTally:
    """The counts of one bot.

    `points`: card points. `cheap`: rounds with fewer than `CHEAP` of them. `places`: matches by place, the
    first at 0. `met`: the other bots that it met.
    """

    size: int
    matches: int = 0
    rounds: int = 0
    points: int = 0
    papayoos: int = 0
    cheap: int = 0
    places: list[int] = field(init=False)
    met: set[str] = field(default_factory=set)
    passes: Spent = field(default_factory=Spent)
    plays: Spent = field(default_factory=Spent)
    _both: Spent | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Make a list as long as the table is wide."""
        self.places = [0] * self.size

    @property
    def card_points(self) -> float | None:
        """Return the mean card points of a round, against whomever; None without a round."""
        return self.points / self.rounds if self.rounds else None

    @property
    def times(self) -> Spent:
        """Return the times of all its decisions. They are put together once, when all are counted."""
        if self._both is None:
            # Sorted parts are only merged, which takes time in proportion to their length.
            parts = chain(self.passes.ordered(), self.plays.ordered())
            self._both = Spent(array("Q", sorted(parts)))
        return self._both


@dataclass(frozen=True, slots=True)
class Gap:
    """How many more points one bot had than another at their common tables, by session.

    All matches of a session have the same boards, so its matches are no independent evidence: errors are
    those between sessions. `ahead`, `behind`: matches in which the first had fewer points, or more. `rounds`
    and `points`: of all sessions; the last three are sums of products of both over the sessions.
    """

    matches: int = 0
    ahead: int = 0
    behind: int = 0
    sessions: int = 0
    rounds: int = 0
    points: int = 0
    rounds_squared: int = 0
    points_times_rounds: int = 0
    points_squared: int = 0

    @property
    def mean(self) -> float:
        """Return the points a round."""
        return self.points / self.rounds

    def turned(self) -> Gap:
        """Return the same, seen from the other bot."""
        return replace(
            self,
            ahead=self.behind,
            behind=self.ahead,
            points=-self.points,
            points_times_rounds=-self.points_times_rounds,
        )

    def with_session(self, matches: Sequence[tuple[int, int]]) -> Gap:
        """Return it with another session, given the rounds and points of its matches."""
        rounds, points = sum(r for r, _ in matches), sum(p for _, p in matches)
        return Gap(
            self.matches + len(matches),
            self.ahead + sum(p < 0 for _, p in matches),
            self.behind + sum(p > 0 for _, p in matches),
            self.sessions + 1,
            self.rounds + rounds,
            self.points + points,
            self.rounds_squared + rounds * rounds,
            self.points_times_rounds + points * rounds,
            self.points_squared + points * points,
        )

    def half_width(self, comparisons: int = 1) -> float | None:
        """Return the ± of points a round; None below three sessions.

        It is so wide that of so many intervals all are right with 95 %, whatever they have in common
        (Bonferroni).
        """
        if self.sessions < _FEWEST:
            return None
        left = self.points_squared - 2 * self.mean * self.points_times_rounds
        left += self.mean * self.mean * self.rounds_squared
        variance = max(0.0, left) * self.sessions / (self.sessions - 1)
        reach = t_quantile(1.0 - _ERROR / (2 * comparisons), self.sessions - 1)
        return reach * sqrt(variance) / self.rounds


class Tallies:
    """The counts of all bots and pairs. Note each match in the order of numbers; that takes 50 us a round.

    `of_bots`: by bot id, without those that finished no match.
    """

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self.of_bots: dict[str, BotTally] = {}
        self._gaps: dict[tuple[str, str], Gap] = {}
        self._session: tuple[int, int] | None = None
        self._pairs: dict[tuple[str, str], list[tuple[int, int]]] = {}

    def note(self, played: PlayedMatch) -> None:
        """Count a match. The matches of a session have consecutive numbers."""
        match = played.match
        own = [self.of_bots.setdefault(seat.bot, BotTally(self._seats)) for seat in match.seats]
        if match.counts:
            _count_match(own, match)
            self._count_pairs(match)
        for round_ in played.rounds:
            deciders, taker = _course(round_)
            _count_times(own, round_, deciders)
            if match.counts:
                own[taker].papayoos += 1
                for tally, points in zip(own, round_.points, strict=True):
                    tally.cheap += points < CHEAP

    def gap(self, bot: str, other: str) -> Gap | None:
        """Return how many more points a bot had than another; None if they never met."""
        self._end_session()
        found = self._gaps.get((min(bot, other), max(bot, other)))
        return found.turned() if found and bot > other else found

    @property
    def gaps(self) -> Mapping[tuple[str, str], Gap]:
        """Return the gaps by two ids in ascending order."""
        self._end_session()
        return self._gaps

    def _count_pairs(self, match: MatchView) -> None:
        if self._session != (match.cycle, match.index):
            self._end_session()
            self._session = match.cycle, match.index
        for number, seat in enumerate(match.seats):
            for other in match.seats[number + 1 :]:
                if seat.bot != other.bot:
                    first, second = (seat, other) if seat.bot < other.bot else (other, seat)
                    pair = self._pairs.setdefault((first.bot, second.bot), [])
                    pair.append((match.rounds, first.total - second.total))

    def _end_session(self) -> None:
        for pair, matches in self._pairs.items():
            self._gaps[pair] = self._gaps.get(pair, Gap()).with_session(matches)
        self._pairs = {}


def _count_match(own: list[BotTally], match: MatchView) -> None:
    bots = {seat.bot for seat in match.seats}
    for tally, seat in zip(own, match.seats, strict=True):
        tally.matches += 1
        tally.places[seat.place - 1] += 1
        tally.rounds += match.rounds
        tally.points += seat.points
        tally.met |= bots - {seat.bot}


def _count_times(own: list[BotTally], round_: PlayedRound, deciders: list[int]) -> None:
    players, times = len(own), round_.took_us
    for tally, took in zip(own, times, strict=False):
        if took:
            tally.passes.us.append(took)
    add = [tally.plays.us.append for tally in own]  # there are many more plays
    for seat, took in zip(deciders[players:], times[players:], strict=False):
        if took:
            add[seat](took)


def _course(round_: PlayedRound) -> tuple[list[int], int]:
    """Return the seat of each decision, and the seat that took the Papayoo."""
    players = len(round_.points)
    leader = papayoo_taker = round_.dealer % players  # a changed database may say 7 of 4
    seats = list(range(players))
    orders = [(*seats[first:], *seats[:first]) for first in seats]
    for start in range(0, len(round_.plays), players):
        trick = round_.plays[start : start + players]
        led, best, at = trick[0][0], 0, 0
        seats += orders[leader]
        for turn, card in enumerate(trick):
            if card[0] == led and _RANKS[card] > best:
                best, at = _RANKS[card], turn
        leader = (leader + at) % players
        if round_.papayoo in trick:
            papayoo_taker = leader
    return seats, papayoo_taker

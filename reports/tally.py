"""Counts what the pages show of every bot, in one pass over all rounds. Counts only: no order, no words.

Points are those of matches that count in the score, so that nothing is told of deals that are still being
played. Times are those of all finished matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arena.papayoo import CARD_NAMES
from arena.store.matches import PlayedMatch, PlayedRound
from arena.store.views import MatchView
from reports.thinking import SHARES, Spent, Thinking

CHEAP = 25
"""A round with fewer card points is a cheap one."""

_RANKS = {name: int(name[1:]) for name in CARD_NAMES}


@dataclass(slots=True)
class Meeting:
    """Two bots at one table: their matches and rounds, and how many more points the first had in them.

    `ahead`: the matches in which the first had fewer points.
    """

    matches: int = 0
    rounds: int = 0
    points: int = 0
    ahead: int = 0


@dataclass(slots=True)
class BotTally:
    """The counts of one bot.

    `points`: card points. `cheap`: rounds with fewer than `CHEAP` of them. `places`: matches by place, the
    first at 0. `meetings`: by the other bot's id.
    """

    size: int
    matches: int = 0
    rounds: int = 0
    points: int = 0
    papayoos: int = 0
    cheap: int = 0
    places: list[int] = field(init=False)
    meetings: dict[str, Meeting] = field(default_factory=dict)
    passes: Spent = field(default_factory=Spent)
    plays: Spent = field(default_factory=Spent)
    _thinking: Thinking | None = field(default=None, repr=False)

    @property
    def card_points(self) -> float | None:
        """Return the mean card points of a round, against whomever; None without a round."""
        return self.points / self.rounds if self.rounds else None

    @property
    def thinking(self) -> Thinking | None:
        """Return the times of all its decisions; None before the first. Found once all are counted."""
        if self._thinking is None:
            self._thinking = Thinking.of((self.passes, self.plays))
        return self._thinking

    @property
    def p95_us(self) -> int | None:
        """Return the time that 95 % of all its decisions did not exceed; None before the first."""
        return None if self.thinking is None else self.thinking.quantiles[SHARES.index(0.95)]

    def __post_init__(self) -> None:
        """Make a list as long as the table is wide."""
        self.places = [0] * self.size


def tally(matches: Iterable[PlayedMatch], seats: int) -> Mapping[str, BotTally]:
    """Count every match, and return the counts by bot id. Takes about 50 us a round of four.

    Bots that finished no match are absent.
    """
    tallies: dict[str, BotTally] = {}
    for played in matches:
        own = [tallies.setdefault(seat.bot, BotTally(seats)) for seat in played.match.seats]
        if played.match.counts:
            _count_match(own, played.match)
        for round_ in played.rounds:
            deciders, taker = _course(round_)
            _count_times(own, round_, deciders)
            if played.match.counts:
                own[taker].papayoos += 1
                for tally_, points in zip(own, round_.points, strict=True):
                    tally_.cheap += points < CHEAP
    return tallies


def _count_match(own: list[BotTally], match: MatchView) -> None:
    """Count places, points, and every pair of different bots at the table."""
    for tally_, seat in zip(own, match.seats, strict=True):
        tally_.matches += 1
        tally_.places[seat.place - 1] += 1
        tally_.rounds += match.rounds
        tally_.points += seat.points
        for other in match.seats:
            if other.bot != seat.bot:
                meeting = tally_.meetings.setdefault(other.bot, Meeting())
                meeting.matches += 1
                meeting.rounds += match.rounds
                meeting.points += seat.total - other.total
                meeting.ahead += seat.total < other.total


def _count_times(own: list[BotTally], round_: PlayedRound, deciders: list[int]) -> None:
    players, times = len(own), round_.took_us
    for tally_, took in zip(own, times, strict=False):
        if took:
            tally_.passes.us.append(took)
    add = [tally_.plays.us.append for tally_ in own]  # there are many more plays
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

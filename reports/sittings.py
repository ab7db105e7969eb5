"""Counts session by session how many more points one bot had than another at their common tables.

All matches of a session have the same boards, so its matches are no independent evidence: errors are those
between sessions. Counts and errors only: no order, no words. Only sessions that count in the score are here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

from arena.score.quantiles import t_quantile
from arena.store.matches import PlayedMatch
from arena.store.views import MatchView

_ERROR = 0.05
"""The chance that an interval, or one of several that are made for so many comparisons, misses the truth."""

_FEWEST = 3
"""The sessions from which on there are errors. Of two, Student's t has a ± of more points than there are."""


def _reach(comparisons: int, sessions: int) -> float:
    """Return the half width of an interval in standard errors.

    Of so many intervals all are right with 95 %, whatever they have in common (Bonferroni).
    """
    return t_quantile(1.0 - _ERROR / (2 * comparisons), sessions - 1)


@dataclass(slots=True)
class Gap:
    """How many more points one bot of a pair had at their common tables, by session.

    `rounds` and `points`: of all sessions; the others are sums of products of both over the sessions.
    """

    sessions: int = 0
    rounds: int = 0
    points: int = 0
    rounds_squared: int = 0
    points_times_rounds: int = 0
    points_squared: int = 0

    def add(self, rounds: int, points: int) -> None:
        """Add a session."""
        self.sessions += 1
        self.rounds += rounds
        self.points += points
        self.rounds_squared += rounds * rounds
        self.points_times_rounds += points * rounds
        self.points_squared += points * points

    def half_width(self, comparisons: int = 1) -> float | None:
        """Return the ± of points a round, wide enough for so many comparisons; None below three sessions."""
        if self.sessions < _FEWEST:
            return None
        mean = self.points / self.rounds
        left = self.points_squared - 2 * mean * self.points_times_rounds + mean * mean * self.rounds_squared
        variance = max(0.0, left) * self.sessions / (self.sessions - 1)
        return _reach(comparisons, self.sessions) * sqrt(variance) / self.rounds


@dataclass(slots=True)
class _Session:
    """The session that is being read. `pairs`: rounds and points, by two ids in ascending order."""

    key: tuple[int, int]
    pairs: dict[tuple[str, str], list[int]] = field(default_factory=dict)


class Sittings:
    """What all sessions say of pairs of bots. `note` each match in the order of numbers, then `finish`.

    `gaps`: by two ids in ascending order, how many more points the first had.
    """

    def __init__(self) -> None:
        self._session: _Session | None = None
        self.gaps: dict[tuple[str, str], Gap] = {}

    def note(self, played: PlayedMatch) -> None:
        """Count a match. The matches of a session have consecutive numbers."""
        match = played.match
        if not match.counts:
            return
        if self._session is None or self._session.key != (match.cycle, match.index):
            self.finish()
            self._session = _Session((match.cycle, match.index))
        _count_pairs(self._session, match)

    def finish(self) -> None:
        """Take note that a session is complete, if there is one."""
        session, self._session = self._session, None
        for pair, (rounds, points) in session.pairs.items() if session else ():
            self.gaps.setdefault(pair, Gap()).add(rounds, points)

    def gap(self, bot: str, other: str) -> Gap | None:
        """Return the gap of two bots, whichever comes first; None if they never met. Its ± has no sign."""
        return self.gaps.get((min(bot, other), max(bot, other)))


def _count_pairs(session: _Session, match: MatchView) -> None:
    seats, rounds = match.seats, match.rounds
    for number, seat in enumerate(seats):
        for other in seats[number + 1 :]:
            if seat.bot == other.bot:
                continue
            first, second = (seat, other) if seat.bot < other.bot else (other, seat)
            sums = session.pairs.setdefault((first.bot, second.bot), [0, 0])
            sums[0] += rounds
            sums[1] += first.total - second.total

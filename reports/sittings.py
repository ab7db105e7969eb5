"""Counts session by session how bots did at each seat, beside the dealer and against each other.

All matches of a session have the same boards, so its matches are no independent evidence: errors are those
between sessions. Counts and errors only: no order, no words. Only sessions that count in the score are here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import sqrt

from arena.standings.quantiles import t_quantile
from arena.store.matches import PlayedMatch

__all__ = ["Effects", "Gap", "Sittings"]

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
class Effects:
    """How much more at each place at the table than at all places on average, in points a round.

    `sessions`: those that say something; `sums`, `squares`: over these, of what each session says. `others`:
    what others made there of the same cards, times the rounds `weights` of the bot itself.
    """

    sessions: int
    sums: list[float]
    squares: list[float]
    others: list[float]
    weights: list[int]

    @classmethod
    def none(cls, places: int) -> Effects:
        """Return the effects before the first session."""
        return cls(0, [0.0] * places, [0.0] * places, [0.0] * places, [0] * places)

    def add(self, differences: Sequence[float]) -> None:
        """Add what a session says: the difference at each place."""
        mean = sum(differences) / len(differences)
        self.sessions += 1
        for place, difference in enumerate(differences):
            self.sums[place] += difference - mean
            self.squares[place] += (difference - mean) ** 2

    def mean(self, place: int) -> float:
        """Return how much more it is at that place; 0 before the first session."""
        return self.sums[place] / max(1, self.sessions)

    def half_width(self, place: int, comparisons: int) -> float | None:
        """Return its ±, wide enough for so many comparisons together; None below three sessions."""
        count = self.sessions
        if count < _FEWEST:
            return None
        spread = max(0.0, self.squares[place] - self.sums[place] ** 2 / count)
        return _reach(comparisons, count) * sqrt(spread / (count - 1) / count)

    def others_mean(self, place: int) -> float | None:
        """Return the points a round that others made there of the same cards; None if nobody did."""
        return self.others[place] / self.weights[place] if self.weights[place] else None


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
    """The sums of the session that is being read: by bot, rounds and points at each seat and distance."""

    key: tuple[int, int]
    rounds: dict[str, list[int]] = field(default_factory=dict)
    points: dict[str, list[int]] = field(default_factory=dict)
    pairs: dict[tuple[str, str], list[int]] = field(default_factory=dict)


class Sittings:
    """What all sessions say. `note` every match in the order of their numbers, then `finish`.

    `everybody`: all bots together, against par; `effects`: each bot against the others of its sessions that
    held the same cards at the same place. Both hold two: by seat, and by how many seats to the left of the
    dealer. `gaps`: by two ids in ascending order, how many more points the first had.
    """

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._session: _Session | None = None
        self.everybody = self._none()
        self.effects: dict[str, tuple[Effects, Effects]] = {}
        self.gaps: dict[tuple[str, str], Gap] = {}

    def note(self, played: PlayedMatch) -> None:
        """Count a match. The matches of a session have consecutive numbers."""
        match = played.match
        if not match.counts:
            return
        if self._session is None or self._session.key != (match.cycle, match.index):
            self.finish()
            self._session = _Session((match.cycle, match.index))
        _count_places(self._session, played, self._seats)
        _count_pairs(self._session, played)

    def finish(self) -> None:
        """Take note that a session is complete, if there is one."""
        session, self._session = self._session, None
        if session is None:
            return
        for half, everybody in enumerate(self.everybody):
            places = slice(half * self._seats, (half + 1) * self._seats)
            self._close(session, places, everybody, half)
        for pair, (rounds, points) in session.pairs.items():
            self.gaps.setdefault(pair, Gap()).add(rounds, points)

    def gap(self, bot: str, other: str) -> Gap | None:
        """Return the gap of two bots, whichever comes first; None if they never met. Its ± has no sign."""
        return self.gaps.get((min(bot, other), max(bot, other)))

    def of(self, bot: str) -> tuple[Effects, Effects]:
        """Return what is known of a bot: by seat, and by distance from the dealer."""
        return self.effects.get(bot) or self._none()

    def _none(self) -> tuple[Effects, Effects]:
        return Effects.none(self._seats), Effects.none(self._seats)

    def _close(self, session: _Session, places: slice, everybody: Effects, half: int) -> None:
        all_rounds, all_points = _sums(session.rounds, places), _sums(session.points, places)
        if not all(all_rounds):
            return
        everybody.add([points / rounds for points, rounds in zip(all_points, all_rounds, strict=True)])
        for bot, every in session.rounds.items():
            own, points = every[places], session.points[bot][places]
            left = [rounds - mine for rounds, mine in zip(all_rounds, own, strict=True)]
            # Who had a place alone, or never, cannot be compared there.
            if not (all(own) and all(left)):
                continue
            if bot not in self.effects:
                self.effects[bot] = self._none()
            effects = self.effects[bot][half]
            others = [(a - b) / n for a, b, n in zip(all_points, points, left, strict=True)]
            effects.add([p / n - other for p, n, other in zip(points, own, others, strict=True)])
            for place, (other, mine) in enumerate(zip(others, own, strict=True)):
                effects.others[place] += other * mine
                effects.weights[place] += mine


def _sums(by_bot: Mapping[str, Sequence[int]], places: slice) -> list[int]:
    """Return the sums over all bots, of each of these places."""
    return [sum(column) for column in zip(*(counts[places] for counts in by_bot.values()), strict=True)]


def _count_places(session: _Session, played: PlayedMatch, seats: int) -> None:
    own = []
    for seat in played.match.seats:
        if seat.bot not in session.rounds:
            session.rounds[seat.bot] = [0] * (2 * seats)
            session.points[seat.bot] = [0] * (2 * seats)
        rounds, points = session.rounds[seat.bot], session.points[seat.bot]
        rounds[seat.seat] += len(played.rounds)
        points[seat.seat] += seat.points
        own.append((rounds, points))
    for round_ in played.rounds:
        for (rounds, points), place, made in zip(
            own, _beside(round_.dealer, seats), round_.points, strict=True
        ):
            rounds[place] += 1
            points[place] += made


@cache
def _beside(dealer: int, seats: int) -> Sequence[int]:
    """Return where each seat's distance from the dealer stands among the sums."""
    return [seats + (seat - dealer) % seats for seat in range(seats)]


def _count_pairs(session: _Session, played: PlayedMatch) -> None:
    seats, rounds = played.match.seats, played.match.rounds
    for number, seat in enumerate(seats):
        for other in seats[number + 1 :]:
            if seat.bot == other.bot:
                continue
            first, second = (seat, other) if seat.bot < other.bot else (other, seat)
            sums = session.pairs.setdefault((first.bot, second.bot), [0, 0])
            sums[0] += rounds
            sums[1] += first.total - second.total

"""Study: is a league settled sooner where those with open verdicts play more, and is it right then?

The arena has no such cycles, and nothing is claimed of them: docs/statistics.md says why. The same bots play
a balanced league and focused ones. All are judged by the clock of each pair, as an open field is, for a
focused league has no other; the balanced one is judged as the arena does, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import fsum
from typing import Self

from arena.proof.figure import Figure, mean_figure, rate_figure, ratio_figure
from arena.proof.focused import BALANCED, Course, Way
from arena.proof.ladder import wrong_order
from arena.proof.scenario import League, Scenario
from arena.proof.study import Leagues, Study
from arena.proof.world import stream
from arena.schedule import LineUps
from arena.standings import Look, NoLook, SessionResult, Verdict, look, open_fit, open_judged
from arena.standings import Plan as LeaguePlan

__all__ = ["Ended", "Focus", "focus_studies"]

_SEATS = 4
_FIRST_LOOK = 10
_LATER = 10
"""The first look is after ten cycles, and then one after every tenth part of the cycles so far."""

Judge = Callable[[int, Sequence[SessionResult]], Look | NoLook]
"""Returns the verdicts on the sessions of so many cycles."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a league ended: settled, or after its cycles.

    `open`: the pairs that were open then, neighbours or not. `wrong`: whether a wrong order was ever
    declared. `covered`: the share of the ± of scores that hold the truth.
    """

    sessions: int
    settled: bool
    open: int
    wrong: bool
    covered: float


@dataclass(frozen=True, slots=True)
class Focus:
    """Leagues of `bots` at four seats of up to `cycles` cycles, each in these focused `ways` too.

    `deviation`: of the scores, in points, which are drawn for each league; `effects`: of what bots do to one
    another.
    """

    bots: int
    deviation: float
    margin: float
    cycles: int
    ways: tuple[Way, ...]
    leagues: int
    effects: float = 3.0

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        kind = "" if self.effects else "-plain"
        return f"focus.{self.bots}-bots-{self.deviation:g}-margin-{self.margin:g}{kind}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        kind = "" if self.effects else ", without influences between bots"
        return (
            f"Focus on open verdicts: {self.bots} bots with sd {self.deviation:g}{kind}, margin "
            f"{self.margin:g}, up to {self.cycles} cycles"
        )

    def sample(self, seed: int, number: int) -> tuple[Ended, ...]:
        """Play a league: balanced as the arena judges it and by clocks of pairs, then in each of the ways."""
        league = League(self._scenario(seed, number), seed, number)
        bots, plan = league.world().bots, LeaguePlan(self.bots, self.cycles)

        def as_league(_: int, played: Sequence[SessionResult]) -> Look | NoLook:
            return look(played, bots, _SEATS, plan, self.margin)

        def by_pairs(cycles: int, played: Sequence[SessionResult]) -> Look | NoLook:
            return open_judged(cycles, open_fit(played, bots, _SEATS), bots, self.margin)

        return (
            *self._ended(Course.of(league, BALANCED), (as_league, by_pairs)),
            *(ended for way in self.ways for ended in self._ended(Course.of(league, way), (by_pairs,))),
        )

    def _scenario(self, seed: int, number: int) -> Scenario:
        """Return the bots of a league."""
        dice = stream(seed, self.name, number)
        drawn = [dice.gauss(0.0, self.deviation) for _ in range(self.bots)]
        mean = fsum(drawn) / self.bots
        return Scenario(
            self.name,
            self.title,
            _SEATS,
            tuple(own - mean for own in drawn),
            line_ups=LineUps.BALANCED,
            duels=self.effects,
            passes=self.effects,
        )

    def _ended(self, course: Course, judges: Sequence[Judge]) -> list[Ended]:
        """Play until each of the judges calls the league settled, or its cycles are over."""
        watches = [_Watch(judge, course) for judge in judges]
        next_look = _FIRST_LOOK
        for cycle in range(1, self.cycles + 1):
            course.play()
            if cycle >= min(next_look, self.cycles):
                next_look = cycle + max(1, cycle // _LATER)
                for watch in watches:
                    watch.take(cycle)
                course.seen = watches[0].seen
                if all(watch.settled for watch in watches):
                    break
        return [watch.ended() for watch in watches]

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield what focused cycles gain, and what becomes of the guarantees. Nothing is claimed of them."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        as_league, by_pairs, *focused = zip(*samples, strict=True)
        yield from self._guarantees("balanced", as_league)
        yield from self._gain("balanced", "balanced, by clocks of pairs", as_league, by_pairs)
        for way, ended in zip(self.ways, focused, strict=True):
            yield from self._gain(way.key, way.title, by_pairs, ended)
            yield from self._guarantees(way.key, ended)

    def _gain(self, key: str, title: str, before: Sequence[Ended], now: Sequence[Ended]) -> Iterator[Figure]:
        """Yield the sessions until settled; where no league is, the pairs that are open at its end."""
        both = list(zip(before, now, strict=True))
        if any(ended.settled for ended in (*before, *now)):
            sessions = [(a.sessions, b.sessions) for a, b in both]
            mean = fsum(old for old, _ in sessions) / len(sessions)
            yield ratio_figure(f"{self.name}.{key}.sessions", f"{title}: sessions (of {mean:.0f})", sessions)
        else:
            still = [(a.open, b.open) for a, b in both]
            yield ratio_figure(f"{self.name}.{key}.open", f"{title}: open pairs", still)

    def _guarantees(self, key: str, ended: Sequence[Ended]) -> Iterator[Figure]:
        settled, wrong = [each.settled for each in ended], [each.wrong for each in ended]
        yield rate_figure(f"{self.name}.{key}.settled", f"{key}: settled", settled)
        yield rate_figure(f"{self.name}.{key}.wrong", f"{key}: a wrong order ever", wrong)
        covered = [each.covered for each in ended]
        yield mean_figure(f"{self.name}.{key}.covered", f"{key}: coverage of the ± at the end", covered)


class _Watch:
    """Follows a league as one judge sees it, until that calls it settled."""

    def __init__(self, judge: Judge, course: Course) -> None:
        self._judge = judge
        self._course = course
        self._truth = course.world.truth or {}
        self._wrong = False
        self._sessions = 0
        self.seen: Look | None = None

    @property
    def settled(self) -> bool:
        """Return whether no pair of neighbours was open at the last look."""
        return self.seen is not None and not self.seen.open_neighbours

    def take(self, cycles: int) -> None:
        """Look at the sessions so far."""
        if self.settled:
            return
        self._sessions = len(self._course.played)
        found = self._judge(cycles, self._course.played)
        if isinstance(found, Look):
            self.seen = found
            self._wrong = self._wrong or wrong_order(found, self._truth)

    def ended(self) -> Ended:
        """Return how the league ended."""
        assert self.seen is not None, "so many cycles are enough for verdicts"
        result = self.seen.fit
        still = sum(pair.verdict is Verdict.OPEN for pair in self.seen.pairs)
        held = [
            abs(result.scores[bot] - true) <= (result.half_width(bot) or 0.0)
            for bot, true in self._truth.items()
        ]
        return Ended(self._sessions, self.settled, still, self._wrong, sum(held) / len(held))


def focus_studies() -> list[Study]:
    """Return the leagues that were tried: until they are settled, and for a fixed number of cycles."""
    ways = (Way(4), Way(1), Way(1, together=0.5))
    return [
        Focus(12, 16.0, 6.0, 250, ways, 40),
        Focus(24, 16.0, 6.0, 350, ways, 20),
        Focus(24, 16.0, 6.0, 350, ways, 20, effects=0.0),
        Focus(24, 6.0, 2.0, 100, ways, 20),
    ]

"""The fit where the stand-in holds several seats of a table, against exact refits seat by seat."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.standings import SessionResult, fit
from arena.standings.fit_any import fit_any
from tests.examples import examples
from tests.standings.reference import solve

BOTS = ("a", "b", "c", "d", "s")
SEATS = 3


@dataclass(frozen=True)
class Played:
    """A session with its points seat by seat."""

    line_up: tuple[str, ...]
    points: tuple[int, ...]
    charges: tuple[int, ...]
    rounds: int

    def result(self, index: int) -> SessionResult:
        cards = {bot: self._sum(self.points, bot) for bot in self.line_up}
        faults = {bot: self._sum(self.charges, bot) for bot in self.line_up}
        several = {bot: self.rounds * n for bot in self.line_up if (n := self.line_up.count(bot)) > 1}
        return SessionResult(0, index, self.rounds, cards, faults, several)

    def _sum(self, values: tuple[int, ...], bot: str) -> int:
        return sum(value for value, sat in zip(values, self.line_up, strict=True) if sat == bot)


def league(rng: Random, sessions: int) -> list[Played]:
    """Line-ups in which "s" may sit several times; only it does."""
    played = []
    for _ in range(sessions):
        line_up = tuple("s" if rng.random() < 0.4 else bot for bot in rng.sample(BOTS[:4], SEATS))
        rounds = rng.choice((3, 6))
        cuts = sorted(rng.randrange(250 * rounds) for _ in range(SEATS - 1))
        ends = [0, *cuts, 250 * rounds]
        points = tuple(high - low for low, high in pairwise(ends))
        charges = tuple(0 if bot == "s" else rng.choice((0, 0, 40)) for bot in line_up)
        played.append(Played(line_up, points, charges, rounds))
    return played


def exact(sessions: list[Played]) -> list[Fraction]:
    """Least squares over single seats, with a Lagrange multiplier for sum s = 0. ValueError if singular."""
    size = len(BOTS)
    matrix = [[Fraction(0)] * (size + 1) for _ in range(size + 1)]
    right = [Fraction(0)] * (size + 1)
    for i in range(size):
        matrix[i][size] = matrix[size][i] = Fraction(1)
    for session in sessions:
        sat = [BOTS.index(bot) for bot in session.line_up]
        for seat, own in enumerate(sat):
            design = [Fraction(int(own == bot)) - Fraction(sat.count(bot), SEATS) for bot in range(size)]
            y = Fraction(session.points[seat], session.rounds) - Fraction(250, SEATS)
            for i in range(size):
                right[i] += session.rounds * design[i] * y
                for j in range(size):
                    matrix[i][j] += session.rounds * design[i] * design[j]
    spread = Fraction((SEATS - 1) * size, SEATS * (size - 1))
    strengths = solve(matrix, right)[:size]
    return [Fraction(250, SEATS) + spread * strengths[i] + charge(sessions, BOTS[i]) for i in range(size)]


def charge(sessions: list[Played], bot: str) -> Fraction:
    """Fault points for a round and seat."""
    mine = [(s, seat) for s in sessions for seat, sat in enumerate(s.line_up) if sat == bot]
    return Fraction(sum(s.charges[seat] for s, seat in mine), sum(s.rounds for s, _ in mine))


@examples(30)
@given(st.integers(0, 2**32))
def test_scores_and_covariance_agree_with_real_refits(seed: int) -> None:
    sessions = league(Random(seed), 9)
    result = fit([session.result(index) for index, session in enumerate(sessions)], BOTS, SEATS)
    try:
        full = exact(sessions)
    except (ValueError, ZeroDivisionError):
        assert not result.comparable
        return
    assert [result.scores[bot] for bot in BOTS] == pytest.approx([float(score) for score in full], abs=1e-9)
    try:
        rest = [exact(sessions[:i] + sessions[i + 1 :]) for i in range(len(sessions))]
    except (ValueError, ZeroDivisionError):
        assert not result.intervals
        return
    assert result.covariance is not None
    count = len(sessions)
    for i in range(len(BOTS)):
        for j in range(len(BOTS)):
            moved = sum((full[i] - one[i]) * (full[j] - one[j]) for one in rest)
            expected = float(Fraction(count - 1, count) * moved)
            assert result.covariance[i][j] == pytest.approx(expected, rel=1e-8, abs=1e-8)


def test_three_seats_of_which_the_stand_in_has_two_are_no_duel() -> None:
    sessions = [
        SessionResult(0, index, 3, {"a": 200 + index, "s": 550 - index}, {}, {"s": 6}) for index in range(3)
    ]
    result = fit_any(sessions, ["a", "s"], 3)
    assert result.par == pytest.approx(250 / 3)
    assert result.fap["a"] == pytest.approx(sum(s.card_points["a"] for s in sessions) / 9, abs=20)
    assert result == fit(sessions, ["a", "s"], 3)

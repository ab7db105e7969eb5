"""The scores of a gauntlet: the paired test by hand, real deletions, and what cancels out."""

from __future__ import annotations

from math import sqrt
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.standings import SessionResult, SessionResultError, fit_any
from arena.standings.paired_means import is_gauntlet
from arena.standings.paired_means import paired_means as gauntlet

SEATS = 4
ROUNDS = 32
"""Of a session: two candidates, four seat orders, four rounds."""

Points = tuple[int, int]


def session(index: int, cards: Points, faults: Points = (0, 0), opponents: str = "xyz") -> SessionResult:
    """Candidates "new" and "old" with these points; the rest goes to the opponents."""
    rest = 250 * ROUNDS - sum(cards)
    shares = [rest // 3, rest // 3, rest - 2 * (rest // 3)]
    points = {"new": cards[0], "old": cards[1], **dict(zip(opponents, shares, strict=True))}
    half = {"new": ROUNDS // 2, "old": ROUNDS // 2}
    return SessionResult(0, index, ROUNDS, points, {"new": faults[0], "old": faults[1]}, half)


points = st.integers(0, 2000)
leagues = st.lists(st.tuples(st.tuples(points, points), st.tuples(points, points)), min_size=2, max_size=12)


@given(leagues)
def test_the_difference_is_students_test_of_paired_differences(played: list[tuple[Points, Points]]) -> None:
    sessions = [session(index, *each) for index, each in enumerate(played)]
    found = gauntlet(sessions, ["new", "old", "x", "y", "z"], SEATS)
    gaps = [(cards[0] + faults[0] - cards[1] - faults[1]) / 16 for cards, faults in played]
    assert found.scores["new"] - found.scores["old"] == pytest.approx(mean(gaps), abs=1e-9)
    assert found.pair_se("new", "old") == pytest.approx(stdev(gaps) / sqrt(len(gaps)), abs=1e-6)
    assert found.fap["new"] == pytest.approx(mean(cards[0] for cards, _ in played) / 16)
    assert found.rounds["new"] == 16 * len(played)
    assert found.rounds["x"] == 32 * len(played)


def test_opponents_that_take_turns_have_the_covariance_of_real_deletions() -> None:
    cards = [(900, 800), (700, 1000), (650, 655), (1200, 900), (400, 610), (900, 1001)]
    line_ups = ["wxy", "xyz", "wyz", "wxz", "wxy", "xyz"]
    sessions = [
        session(i, both, opponents=who) for i, (both, who) in enumerate(zip(cards, line_ups, strict=True))
    ]
    bots = ["new", "old", *"wxyz"]
    whole = gauntlet(sessions, bots, SEATS)
    for a in bots:
        for b in bots:
            moved = [
                [whole.scores[bot] - gauntlet([s for s in sessions if s is not out], bots, SEATS).scores[bot]
                 for bot in (a, b)]
                for out in sessions
            ]  # fmt: skip
            expected = 5 / 6 * sum(one * other for one, other in moved)
            assert whole.covariance is not None
            assert whole.covariance[bots.index(a)][bots.index(b)] == pytest.approx(expected, abs=1e-9)


def test_a_session_of_candidates_is_told_from_others_by_its_seats() -> None:
    ours = session(0, (5, 6))
    plain = SessionResult(0, 1, 4, {"a": 0, "b": 1000, "c": 0}, {})
    assert is_gauntlet(ours)
    assert not is_gauntlet(plain)
    bots = ["new", "old", *"xyz"]
    both = [ours, session(1, (7, 7))]
    assert fit_any(both, bots, SEATS) == gauntlet(both, bots, SEATS)


def test_sessions_that_do_not_belong_together() -> None:
    with pytest.raises(SessionResultError, match="given twice"):
        gauntlet([session(0, (1, 2)), session(0, (1, 2))], ["new", "old", *"xyz"], SEATS)
    with pytest.raises(SessionResultError, match="z not among"):
        gauntlet([session(0, (1, 2))], ["new", "old", *"xy"], SEATS)

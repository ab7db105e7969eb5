"""The score of a duel: by hand, against real deletions of sessions, and in coverage."""

from __future__ import annotations

from itertools import permutations
from math import isclose, sqrt
from random import Random

import pytest

from arena.standings import SessionResult, SessionResultError, duel
from arena.standings.student import t_quantile
from tests.standings import leagues

AB = ("a", "b")


def played(index: int, first: int, faults: int = 0) -> SessionResult:
    """A session of eight rounds in which a took `first` of the 2000 card points."""
    return leagues.session((index // 2, index % 2), 8, {"a": first, "b": 2000 - first}, {"b": faults})


def test_by_hand() -> None:
    result = duel([played(0, 960), played(1, 1120, 160)], AB, 4)
    assert result.scores == (65.0, 60.0 + 5.0)  # each sat 16 times a session
    assert result.charges == (0.0, 5.0)
    assert result.difference == 0.0
    assert result.se == sqrt(2 * 5.0**2 / 2)  # y = -5 and +5
    assert result.half_width == t_quantile(0.975, 1) * 5.0


def test_too_few_sessions() -> None:
    nothing = duel([], AB, 4)
    assert (nothing.scores, nothing.charges, nothing.difference, nothing.se) == (None, None, None, None)
    assert nothing.half_width is None
    one = duel([played(0, 960)], AB, 4)
    assert (one.scores, one.difference, one.se, one.half_width) == ((60.0, 65.0), -5.0, None, None)


def test_the_standard_error_is_the_jackknife_of_real_deletions() -> None:
    rng = Random(1)
    sessions = [played(i, rng.randrange(700, 1300), 40 * rng.randrange(3)) for i in range(9)]
    full = duel(sessions, AB, 4)
    assert full.difference is not None
    assert full.se is not None
    squares = 0.0
    for left_out in sessions:
        without = duel([each for each in sessions if each is not left_out], AB, 4).difference
        assert without is not None
        squares += (full.difference - without) ** 2
    assert isclose(full.se, sqrt(8 / 9 * squares), rel_tol=1e-12)


def test_the_names_change_sides_with_the_sign_and_no_order_matters() -> None:
    sessions = [played(0, 900, 40), played(1, 1111), played(2, 1003, 80)]
    result = duel(sessions, AB, 5)
    for turned in permutations(sessions):
        assert duel(turned, AB, 5) == result
    other = duel(sessions, ("b", "a"), 5)
    assert result.difference is not None
    assert other.difference == -result.difference
    assert other.scores == (result.scores or ())[::-1]
    assert other.se == result.se


def test_intervals_cover_as_often_as_they_say() -> None:
    rng, hits, truth = Random(7), 0, 2 * 32 / 16  # each card point more of a is one less of b
    for _ in range(1000):
        sessions = [played(i, 1032 + round(rng.gauss(0, 100))) for i in range(30)]
        result = duel(sessions, AB, 4)
        assert result.difference is not None
        hits += abs(result.difference - truth) <= (result.half_width or 0.0)
    assert 930 <= hits <= 970


def test_sessions_of_something_else_are_refused() -> None:
    with pytest.raises(SessionResultError, match="is given twice"):
        duel([played(0, 1000), played(0, 1000)], AB, 4)
    with pytest.raises(SessionResultError, match="played by a, b, expected a and c"):
        duel([played(0, 1000)], ("a", "c"), 4)
    with pytest.raises(SessionResultError, match="5 rounds are no two equal matches"):
        duel([leagues.session((0, 0), 5, {"a": 1000, "b": 250})], AB, 4)

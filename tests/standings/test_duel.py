"""The score of a duel: by hand, against its definition, and in coverage."""

from __future__ import annotations

from math import isclose, sqrt
from random import Random

import pytest

from arena.standings import Plan, SessionResult, SessionResultError, Verdict, look, standings
from arena.standings.duel import duel
from arena.standings.fit import fit
from arena.standings.fit_any import fit_any
from arena.standings.quantiles import t_quantile
from arena.standings.verdicts import Look
from tests.standings import leagues

AB = ("a", "b")


def played(index: int, first: int, faults: int = 0) -> SessionResult:
    """A session of eight rounds in which a took `first` of the 2000 card points."""
    return leagues.session((index // 2, index % 2), 8, {"a": first, "b": 2000 - first}, {"b": faults})


def test_by_hand() -> None:
    result = duel([played(0, 960), played(1, 1120, 160)], AB, 4)
    assert result.scores == {"a": 65.0, "b": 60.0 + 5.0}  # each sat 16 times a session
    assert result.charge == {"a": 0.0, "b": 5.0}
    assert result.par == 62.5
    assert isclose(result.pair_se("a", "b") or 0.0, sqrt(2 * 5.0**2 / 2))  # y = -5 and +5
    assert isclose(result.half_width("a") or 0.0, t_quantile(0.975, 1) * 5.0)  # its means are 60 and 70


def test_too_few_sessions() -> None:
    nothing = fit_any([], AB, 4)
    assert (nothing.scores, nothing.intervals, nothing.par) == ({}, False, 62.5)
    one = duel([played(0, 960)], AB, 4)
    assert (one.scores, one.comparable, one.intervals) == ({"a": 60.0, "b": 65.0}, False, False)


def test_the_standard_error_is_that_of_the_mean_difference() -> None:
    rng = Random(1)
    sessions = [played(i, rng.randrange(700, 1300), 40 * rng.randrange(3)) for i in range(9)]
    result = duel(sessions, AB, 5)
    sat = 5 * 8 / 2
    differences = [
        (session.card_points["a"] - session.card_points["b"] - session.fault_points["b"]) / sat
        for session in sessions
    ]
    mean = sum(differences) / 9
    squares = sum((difference - mean) ** 2 for difference in differences)
    assert isclose(result.scores["a"] - result.scores["b"], mean, rel_tol=1e-12)
    assert isclose(result.pair_se("a", "b") or 0.0, sqrt(squares / (9 * 8)), rel_tol=1e-12)


def test_the_leaderboard_and_the_verdict_of_a_duel() -> None:
    rng = Random(3)
    sessions = [played(i, 800 + round(rng.gauss(0, 100))) for i in range(40)]
    table = standings(sessions, AB, 4, plan=Plan(2, 20))
    assert [row.bot for row in table.rows] == ["a", "b"]
    assert [row.rank for row in table.rows] == [1, 2]
    assert isclose(sum(row.score or 0.0 for row in table.rows), 125.0)
    assert table.provisional is None
    seen = look(sessions, AB, 4, Plan(2, 20), 2.0)
    assert isinstance(seen, Look)
    assert [pair.verdict for pair in seen.pairs] == [Verdict.AHEAD]
    assert seen.settled


def test_a_table_of_several_bots_is_no_duel() -> None:
    rng = Random(5)
    field = ("a", "b", "c")
    sessions = [leagues.noisy(rng, (0, i), field, 4, dict.fromkeys(field, 0.0)) for i in range(4)]
    assert fit_any(sessions, field, 3) == fit(sessions, field, 3)


def test_sessions_of_something_else_are_refused() -> None:
    with pytest.raises(SessionResultError, match="is given twice"):
        duel([played(0, 1000), played(0, 1000)], AB, 4)
    with pytest.raises(SessionResultError, match="b not among the bots"):
        duel([played(0, 1000)], ("a", "c"), 4)
    with pytest.raises(SessionResultError, match="5 rounds are no two equal matches"):
        duel([leagues.session((0, 0), 5, {"a": 1000, "b": 250})], AB, 4)

"""Duels and gauntlets: paired differences and the sequential test, each by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from math import log, sqrt
from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.score.paired import OPPONENTS, Answer, Outcome, duel, is_duel, is_gauntlet, paired_means
from arena.score.quantiles import t_quantile
from arena.score.results import SessionResult, SessionResultError
from arena.score.scoring import Scoring
from arena.score.table import Plan
from arena.score.verdicts import NoLook
from arena.score.words import answer_text
from tests.score import leagues

NAMES = {"new": "New", "old": "Old"}
ROUNDS = 32
"""Of a session of a gauntlet: two candidates, four seat orders, four rounds."""
Points = tuple[int, int]


def dueled(index: int, first: int, faults: int = 0) -> SessionResult:
    """A session of eight rounds in which a took `first` of the 2000 card points."""
    return leagues.session((0, index), 8, {"a": first, "b": 2000 - first}, {"b": faults})


def test_a_duel_is_students_test_of_the_differences() -> None:
    dice, sat = Random(1), 5 * 8 / 2
    sessions = [dueled(i, dice.randrange(700, 1300), 40 * dice.randrange(3)) for i in range(4)]
    result = duel(sessions, "ab", 5)
    first = [s.card_points["a"] / sat for s in sessions]
    second = [(s.card_points["b"] + s.fault_points["b"]) / sat for s in sessions]
    error = stdev(b - a for a, b in zip(first, second, strict=True)) / 2
    assert result.scores == pytest.approx({"a": mean(first), "b": mean(second)})
    assert result.par == 50.0
    assert result.half_width("a") == pytest.approx(t_quantile(0.975, 3) * stdev(first) / 2)
    squares = [stdev(first) ** 2, stdev(second) ** 2]
    freedom = 3 * sum(squares) ** 2 / sum(square**2 for square in squares)
    assert result.standard_error("a", "b") == pytest.approx(error)
    assert result.half_width("a", "b") == pytest.approx(t_quantile(0.975, int(freedom)) * error)


def test_a_duel_counts_for_each_seat() -> None:
    sessions = [replace(dueled(i, 900 + 40 * (i // 4) + i % 3), cycle=i // 4) for i in range(20)]
    two, four = (duel(sessions, "ab", seats) for seats in (2, 4))
    assert four.protected
    assert four.half_width("a", "b") == pytest.approx((two.half_width("a", "b") or 0.0) / 2)
    assert four.of_verdict("a", "b")[0] == pytest.approx(two.of_verdict("a", "b")[0] / 4)


def test_what_is_no_duel() -> None:
    assert is_duel(dueled(0, 1000))
    assert not is_duel(SessionResult(0, 0, 3, {"a": 200, "s": 550}, {}, {"s": 6})), (
        "s holds two of three seats"
    )
    assert not is_duel(leagues.session((0, 0), 1, {"a": 50, "b": 50, "c": 150}))
    with pytest.raises(SessionResultError, match="is given twice"):
        duel([dueled(0, 1000), dueled(0, 1000)], "ab", 4)
    with pytest.raises(SessionResultError, match="5 rounds are no two equal matches"):
        duel([leagues.session((0, 0), 5, {"a": 1000, "b": 250})], "ab", 4)


def session(index: int, cards: Points, faults: Points = (0, 0), opponents: str = "xyz") -> SessionResult:
    """Candidates "new" and "old" with these points; the rest goes to the opponents."""
    rest = 250 * ROUNDS - sum(cards)
    shares = [rest // 3, rest // 3, rest - 2 * (rest // 3)]
    points = {"new": cards[0], "old": cards[1], **dict(zip(opponents, shares, strict=True))}
    half = {"new": ROUNDS // 2, "old": ROUNDS // 2}
    return SessionResult(0, index, ROUNDS, points, {"new": faults[0], "old": faults[1]}, half)


both = st.tuples(st.integers(0, 2000), st.integers(0, 2000))
opponents = st.sampled_from(["wxy", "wxz", "wyz", "xyz"])


@given(st.lists(st.tuples(both, both, opponents), min_size=2, max_size=8))
def test_the_difference_is_students_test_of_paired_differences(
    played: list[tuple[Points, Points, str]],
) -> None:
    sessions = [session(index, *each) for index, each in enumerate(played)]
    bots = ["new", "old", *"wxyz"]
    found = paired_means(sessions, bots, 4)
    gaps = [(cards[0] + faults[0] - cards[1] - faults[1]) / 16 for cards, faults, _ in played]
    assert found.scores["new"] - found.scores["old"] == pytest.approx(mean(gaps), abs=1e-9)
    assert found.standard_error("new", "old") == pytest.approx(stdev(gaps) / sqrt(len(gaps)), abs=1e-6)
    assert found.rounds["new"] == 16 * len(played)
    rest = [paired_means([s for s in sessions if s is not out], bots, 4) for out in sessions]
    for bot in found.bots:  # opponents that take turns have the errors of real deletions
        squares = sum((found.scores[bot] - one.scores[bot]) ** 2 for one in rest)
        share = (len(rest) - 1) / len(rest)
        assert found.standard_error(bot) == pytest.approx(sqrt(share * squares), abs=1e-6)
    assert set(found.bots) == {bot for bot in bots if found.sessions[bot] > 1}
    assert all(map(is_gauntlet, sessions))
    with pytest.raises(SessionResultError, match="given twice"):
        paired_means([sessions[0], sessions[0]], bots, 4)


def season(gaps: Sequence[float], margin: float = 1.0) -> tuple[Scoring, list[SessionResult]]:
    """A gauntlet in which new has so many points a round fewer than old, session by session."""
    results = [session(i, (800, round(800 + 16 * gap))) for i, gap in enumerate(gaps)]
    plan = Plan(sessions_per_cycle=len(gaps), cycles=4)
    return Scoring(
        ("new", "old", *"xyz"), 4, frozenset("xyz"), plan=plan, margin=margin, gauntlet=True
    ), results


def answered(scoring: Scoring, results: Sequence[SessionResult]) -> Answer:
    found = scoring.answer(results)
    assert isinstance(found, Answer)
    return found


@pytest.mark.parametrize("margin", [3.0, 1.0, 0.0])
@pytest.mark.parametrize("spread", [1.0, 4.0])
def test_the_sequential_test_by_its_formula(margin: float, spread: float) -> None:
    """The log likelihood ratio of a difference of x over that of none is x (d - x/2) / v, for m, 2m, 4m..."""
    outcomes = set()
    m, squares = max(0.5, margin), spread**2 * 64 / 63

    def said(centre: float, sessions: int) -> Outcome:
        v = squares / sessions * (1 + 3 / sessions)
        sizes = [(m * 2**k, 0.05 / 2 ** (k + 1)) for k in range(8)]
        if any(x * (abs(centre) - x / 2) / v > log(1 / share) for x, share in sizes):
            return Outcome.BETTER if centre > 0 else Outcome.WORSE
        return Outcome.LEVEL if m * (centre - m / 2) / v <= -log(1 / 0.1) else Outcome.OPEN

    for centre in (6.0, 2.0, 1.0, 0.5, 0.25, 0.0, -0.5, -2.0, -6.0):
        found = answered(*season([centre + spread * (-1) ** i for i in range(64)], margin))
        (one,) = found.comparisons
        assert one.outcome is found.of_first() is said(centre, 64)
        v = squares / 64 * (1 + 3 / 64)
        reach = min(m * 2**k / 2 + log(20 * 2 ** (k + 1)) * v / (m * 2**k) for k in range(8))
        assert (one.difference, one.low, one.high) == pytest.approx((centre, centre - reach, centre + reach))
        assert one.se == pytest.approx(sqrt(squares / 64))
        assert found.settled == (one.outcome is not Outcome.OPEN)
        if one.more_sessions is not None:
            first = next(more for more in count(1) if said(centre, 64 + more) is not Outcome.OPEN)
            assert one.more_sessions == first
        outcomes.add(one.outcome)
    assert len(outcomes) >= 3


def test_no_answer_comes_before_16_sessions() -> None:
    scoring, results = season([50.0, 50.5] * 7 + [50.0])
    early = scoring.answer(results)
    assert early == NoLook("an answer needs 16 sessions; so far there are 15")
    assert answer_text(early, NAMES, ROUNDS) == [f"no answer yet: {early.reason}"]
    assert answered(*season([50.0, 50.5] * 8)).of_first() is Outcome.BETTER


def test_of_three_the_first_has_to_be_better_than_each() -> None:
    dice, results = Random(3), []
    for index in range(64):
        mine, near, far = 800, 805 + dice.randrange(300), 1200 + dice.randrange(300)
        points = {"a": mine, "b": near, "c": far, "x": 24 * 250 - mine - near - far}
        results.append(SessionResult(0, index, 24, points, {}, dict.fromkeys("abc", 8)))
    for order, expected in (("abc", Outcome.BETTER), ("bac", Outcome.WORSE), ("cab", Outcome.WORSE)):
        scoring = Scoring((*order, "x"), 4, frozenset("x"), plan=Plan(64, 1), margin=1.0, gauntlet=True)
        found = answered(scoring, results)
        assert [one.first + one.second for one in found.comparisons] == [order[:2], order[::2], order[1:]]
        assert found.of_first() is expected


def test_one_candidate_is_compared_with_its_opponents() -> None:
    dice, results, gaps = Random(4), [], []
    for index in range(40):
        mine, charged = 600 + dice.randrange(200), 40 * (index % 2)
        cards = {"new": mine, "x": 1000, "y": 1000, "z": 2000 - mine}
        results.append(SessionResult(0, index, 16, cards, {"new": charged, "z": 48}))
        gaps.append((4000 - mine + 48) / 48 - (mine + charged) / 16)
    scoring = Scoring(("new", *"xyz"), 4, frozenset("xyz"), plan=Plan(40, 1), margin=1.0, gauntlet=True)
    (one,) = answered(scoring, results).comparisons
    assert (one.first, one.second, one.outcome) == ("new", OPPONENTS, Outcome.BETTER)
    assert (one.difference, one.se) == pytest.approx((mean(gaps), stdev(gaps) / sqrt(40)))


@pytest.mark.parametrize(
    ("gaps", "said"),
    [
        (
            [6, 8] * 16,
            "New is better than Old by 7.00 points a round (6.37 to 7.63): settled after 32 sessions",
        ),
        (
            [-6, -8] * 16,
            "New is worse than Old by 7.00 points a round (6.37 to 7.63): settled after 32 sessions",
        ),
        (
            [-0.5, 0.25] * 32,
            "New is not better than Old by 1 point a round: it is 0.12 worse (-0.38 to 0.63); settled",
        ),
        ([-9, 10] * 32, "undecided after 64 sessions (2,048 rounds): New is 0.5 better than Old so far (-3."),
    ],
)
def test_the_answer_in_words(gaps: list[float], said: str) -> None:
    (line,) = answer_text(answered(*season(gaps)), NAMES, ROUNDS)
    assert line.startswith(said)

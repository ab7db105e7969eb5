"""What a gauntlet answers: intervals and outcomes by hand, what is missing, one candidate, and words."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest

from arena.standings import Answer, NoLook, Outcome, Plan, Scoring, SessionResult
from arena.standings.boundary import boundary
from arena.standings.gauntlet_answer import OPPONENTS
from arena.standings.gauntlet_words import told, told_early
from tests.standings.test_paired_means import session

NAMES = {"new": "New", "old": "Old"}
ROUNDS = 32


def season(gaps: Sequence[float], margin: float = 1.0) -> tuple[Scoring, list[SessionResult]]:
    """A gauntlet in which new has so many points a round fewer than old, session by session."""
    results = [session(i, (800, round(800 + 16 * gap))) for i, gap in enumerate(gaps)]
    bots = ("new", "old", "x", "y", "z")
    plan = Plan(sessions_per_cycle=len(gaps), cycles=4)
    return Scoring(bots, 4, frozenset("xyz"), plan=plan, margin=margin, gauntlet=True), results


def noisy(centre: float, deviation: float, count: int = 64) -> list[float]:
    dice = Random(5)
    return [centre + dice.gauss(0.0, deviation) for _ in range(count)]


def answered(gaps: Sequence[float], margin: float = 1.0) -> Answer:
    scoring, results = season(gaps, margin)
    found = scoring.answer(results)
    assert isinstance(found, Answer)
    return found


@pytest.mark.parametrize(
    ("centre", "deviation", "outcome"),
    [
        (6.0, 4.0, Outcome.BETTER),
        (-6.0, 4.0, Outcome.WORSE),
        (0.1, 0.5, Outcome.LEVEL),
        (0.5, 8.0, Outcome.OPEN),
    ],
)
def test_the_interval_decides(centre: float, deviation: float, outcome: Outcome) -> None:
    found = answered(noisy(centre, deviation))
    (one,) = found.comparisons
    gaps = [round(16 * gap) / 16 for gap in noisy(centre, deviation)]
    reach = boundary(64, 0.05) * stdev(gaps) / sqrt(64)
    assert one.difference == pytest.approx(mean(gaps))
    assert (one.low, one.high) == pytest.approx((mean(gaps) - reach, mean(gaps) + reach))
    assert one.outcome is found.of_first() is outcome
    assert found.settled is (outcome is not Outcome.OPEN)
    assert (found.more_sessions is not None) is (outcome is Outcome.OPEN)


def test_what_is_expected_is_what_it_then_takes() -> None:
    gaps = noisy(2.0, 8.0)
    more = answered(gaps, 1.0).more_sessions
    assert more is not None
    reached = boundary(64 + more, 0.05) * stdev(gaps) / sqrt(64 + more)
    assert reached == pytest.approx(answered(gaps).comparisons[0].difference, rel=0.05)


def test_no_answer_before_30_sessions() -> None:
    scoring, results = season(noisy(50.5, 0.1, 29))
    early = scoring.answer(results)
    assert isinstance(early, NoLook)
    (line,) = told_early(scoring.so_far(results), early, NAMES)
    assert line.startswith("no answer yet: New is 50.5")
    assert line.endswith("better than Old after 29 of the 30 sessions that a first answer needs")
    assert told_early([], early, NAMES) == [f"no answer yet: {early.reason}"]


def test_of_three_the_first_has_to_be_better_than_each() -> None:
    dice = Random(3)
    results = []
    for index in range(64):
        mine, near, far = 800, 805 + dice.randrange(300), 1200 + dice.randrange(300)
        points = {"a": mine, "b": near, "c": far, "x": 24 * 250 - mine - near - far}
        results.append(SessionResult(0, index, 24, points, {}, dict.fromkeys("abc", 8)))
    plan = Plan(64, 1)
    for order, expected in (("abc", Outcome.BETTER), ("bac", Outcome.WORSE), ("cab", Outcome.WORSE)):
        found = Scoring((*order, "x"), 4, frozenset("x"), plan=plan, gauntlet=True).answer(results)
        assert isinstance(found, Answer)
        assert [(one.first, one.second) for one in found.comparisons] == [
            (order[0], order[1]), (order[0], order[2]), (order[1], order[2]),
        ]  # fmt: skip
        assert found.of_first() is expected


def test_one_candidate_is_compared_with_its_opponents() -> None:
    dice = Random(4)
    results, gaps = [], []
    for index in range(40):
        mine, charged = 600 + dice.randrange(200), 40 * (index % 2)
        rest = 16 * 250 - mine
        cards = {"new": mine, "x": 1000, "y": 1000, "z": rest - 2000}
        results.append(SessionResult(0, index, 16, cards, {"new": charged, "z": 48}))
        gaps.append((rest + 48) / 48 - (mine + charged) / 16)
    scoring = Scoring(("new", *"xyz"), 4, frozenset("xyz"), plan=Plan(40, 1), margin=1.0, gauntlet=True)
    found = scoring.answer(results)
    assert isinstance(found, Answer)
    (one,) = found.comparisons
    assert (one.first, one.second) == ("new", OPPONENTS)
    assert one.difference == pytest.approx(mean(gaps))
    assert one.se == pytest.approx(stdev(gaps) / sqrt(40))
    assert scoring.so_far(results)[0].difference == pytest.approx(mean(gaps))
    assert "than its opponents" in told(found, NAMES, 16)[0]


def test_words() -> None:
    assert told(answered([6.0, 8.0] * 16), NAMES, ROUNDS) == [
        "New is better than Old by 7.00 points a round (6.32 to 7.68): "
        "settled after 32 sessions (1,024 rounds)"
    ]
    assert told(answered([-0.5, 0.25] * 32), NAMES, ROUNDS) == [
        "no difference between New and Old larger than 1 point a round (New 0.12 worse, -0.03 to 0.28): "
        "settled after 64 sessions (2,048 rounds)"
    ]
    (line,) = told(answered([-9.0, 10.0] * 32), NAMES, ROUNDS)
    assert line.startswith(
        "undecided after 64 sessions (2,048 rounds): New is 0.5 better than Old so far (-3."
    )
    assert line.endswith(" rounds) expected")
    (far,) = told(answered([4.0, -4.0] * 32, 0.0), NAMES, ROUNDS)
    assert far.endswith("; not within reach; raise margin or accept a shared rank")
    assert "surely within 9 points" in told(answered([6.0, 8.0] * 16, 9.0), NAMES, ROUNDS)[0]

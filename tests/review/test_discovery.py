"""Many tests at once: the procedure is the published one, and its rate holds; blunders are surely costly."""

from __future__ import annotations

from random import Random

from arena.deals import MatchKey
from arena.review.discovery import blunders, surviving
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed

PUBLISHED = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
    0.7590, 1.0000,
]  # fmt: skip
"""The example of section 3.2 of Benjamini and Hochberg (1995): four hypotheses are rejected."""


def decided(cost: float, error: float, **other: object) -> Reviewed:
    known: dict[str, object] = {
        "match": MatchKey(0, 0, 0), "round": 0, "question": 1, "seat": 0, "bot": "a", "phase": Phase.LEAD,
        "chosen": 1, "best": 2, "cost": cost, "error": error, "true_cost": 0.0, "beside": 0.0,
        "beside_error": 0.0, "expected": 60.0,
        "worlds": 100, "options": 3,
    }  # fmt: skip
    return Reviewed(**(known | other))  # type: ignore[arg-type]


def test_the_published_example() -> None:
    assert surviving(PUBLISHED) == [True] * 4 + [False] * 11
    shuffled = Random(1).sample(PUBLISHED, len(PUBLISHED))
    assert surviving(shuffled) == [p <= 0.0095 for p in shuffled]


def test_the_share_of_false_findings_is_at_most_the_rate() -> None:
    dice = Random(2)
    shares = []
    for _ in range(2000):
        p_values = [dice.random() for _ in range(15)] + [dice.random() / 1000 for _ in range(5)]
        found = surviving(p_values)
        shares.append(sum(found[:15]) / max(1, sum(found)))
    assert 0.02 < sum(shares) / len(shares) < 0.05  # exactly 15/20 of the rate: 0.0375


def test_a_blunder_is_sure_and_costs_a_point() -> None:
    sure, small, unsure = decided(8, 1), decided(0.9, 0.01), decided(8, 6)
    dear = decided(20, 2, question=0, phase=Phase.PASS)
    others = [decided(0, 1, question=t) for t in range(2, 15)]
    assert blunders([sure, small, unsure, dear, *others]) == [dear, sure]


def test_more_decisions_need_surer_blunders() -> None:
    borderline = decided(3, 1.2)
    assert blunders([borderline]) == [borderline]
    assert blunders([borderline, *(decided(0, 1) for _ in range(300))]) == []


def test_a_cost_that_is_known_exactly_is_sure() -> None:
    known = decided(4, 0, worlds=1)
    assert blunders([known, *(decided(0, 1) for _ in range(1000))]) == [known]

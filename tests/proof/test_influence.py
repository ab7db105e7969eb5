"""The study of influence finds the components that were put in."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from arena.proof.influence import Influence, components
from arena.proof.scenario import Scenario
from arena.proof.study import run_studies
from arena.standings import SessionResult

BOTS = [f"b{number}" for number in range(6)]


def test_components_are_found_again() -> None:
    """Standard deviations of 9 by line-up and 6 by chance, each less what a session's sum takes away."""
    dice = Random(1)
    sessions = []
    for index, line_up in enumerate(combinations(range(6), 4)):
        suits = [dice.gauss(0.0, 9.0) for _ in line_up]
        for cycle in range(40):
            points = [
                1000 * (62.5 + 3 * bot + suit + dice.gauss(0.0, 6.0))
                for bot, suit in zip(line_up, suits, strict=True)
            ]
            off = (250_000 - sum(points)) / 4
            cards = {f"b{bot}": round(own + off) for bot, own in zip(line_up, points, strict=True)}
            cards[f"b{line_up[0]}"] += 250_000 - sum(cards.values())
            sessions.append(SessionResult(cycle, index, 1000, cards, {}))
    between, within = components(sessions, BOTS, 4)
    assert within == pytest.approx(36.0, rel=0.06)  # 15 * 39 * 3 degrees of freedom
    assert between == pytest.approx(81.0, rel=0.6)  # 40


def test_a_model_without_influence_has_none() -> None:
    field = Scenario("none", "6 bots", 4, (-9.0, -5.0, -1.0, 1.0, 5.0, 9.0), duels=0.0, passes=0.0)
    (found,) = run_studies([Influence(field, 4, 40)], 1, 1, lambda _: None)
    (figure,) = found.figures
    assert abs(figure.value) < 4 * figure.error + 0.02
    assert not figure.claimed
    strong = Scenario("much", "6 bots", 4, field.scores, duels=6.0, passes=0.0)
    (found,) = run_studies([Influence(strong, 4, 40)], 1, 1, lambda _: None)
    assert found.figures[0].value > 0.2

"""The study of cost compares the sessions that two rules need, league by league."""

from __future__ import annotations

import pytest

from arena.proof.cost import Cost
from arena.proof.figure import Figure
from arena.proof.scenario import Scenario
from arena.proof.study import run_studies
from arena.standings import verdicts
from arena.standings.boundary import boundary

FAR = Scenario("wide", "5 bots far apart", 4, (-30.0, -15.0, 0.0, 15.0, 30.0), duels=0.0, passes=0.0)


def ratio(study: Cost) -> Figure:
    (found,) = run_studies([study], seed=2, jobs=1, league_over=lambda _: None)
    (figure,) = found.figures
    return figure


@pytest.mark.slow
def test_both_rules_need_about_as_many_sessions() -> None:
    found = ratio(Cost(FAR, 20, 40, 1.05))
    assert 0.9 < found.value < 1.1
    assert found.holds
    assert "under score-1" in found.label


@pytest.mark.slow
def test_a_rule_that_needs_more_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def dear(sessions: int, error: float, doubt: object) -> float:
        return boundary(sessions, error) * (1.5 if getattr(doubt, "freedom", 0.0) else 1.0)

    monkeypatch.setattr(verdicts, "boundary", dear)
    assert not ratio(Cost(FAR, 20, 40, 1.05)).holds

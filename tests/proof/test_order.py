"""The study of wrong orders counts what is declared against the truth, and would find too bold verdicts."""

from __future__ import annotations

import pytest

from arena.proof.figure import Figure
from arena.proof.order import Order
from arena.proof.scenario import Scenario
from arena.proof.study import run_studies
from arena.standings import verdicts

EQUAL = Scenario("even", "5 equal bots", 4, (0.0,) * 5, twins=(1, 3))
FAR = Scenario("wide", "5 bots far apart", 4, (-40.0, -20.0, 0.0, 20.0, 40.0), duels=0.0, passes=0.0)


def figures(study: Order) -> dict[str, Figure]:
    (found,) = run_studies([study], seed=2, jobs=1, league_over=lambda _: None)
    return {figure.key.rpartition(".")[2]: figure for figure in found.figures}


def test_bots_far_apart_are_settled_rightly() -> None:
    found = figures(Order(FAR, 8, 12))
    assert found["wrong"].value == 0.0
    assert found["settled"].value > 0.5
    assert 0.8 < found["covered"].value <= 1.0
    assert "twins" not in found


def test_verdicts_that_are_too_bold_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "boundary", lambda sessions, error, doubt: 1.4)
    found = figures(Order(EQUAL, 6, 25))
    assert found["wrong"].high == 0.05
    assert found["twins"].high == pytest.approx(0.05 / 10)
    assert found["wrong"].value > 0.3
    assert not found["wrong"].holds
    assert not found["twins"].holds


def test_calling_different_bots_level_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "boundary", lambda sessions, error, doubt: 0.4)
    near = Scenario("near", "5 bots a little apart", 4, (-6.0, -3.0, 0.0, 3.0, 6.0))
    assert not figures(Order(near, 6, 25))["level"].holds


def test_of_real_rounds_only_twins_are_judged() -> None:
    played = Scenario("real", "twins", 3, policies=("short~9#1", "short~9#2", "low", "any"), twins=(0, 1))
    found = figures(Order(played, 6, 40).resized(2))
    assert found["wrong"].value == 0.0
    assert set(found) == {"wrong", "twins", "settled"}

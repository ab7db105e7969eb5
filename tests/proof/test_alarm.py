"""The study of alarms counts what is said of form, and would find too many of them."""

from __future__ import annotations

import pytest

from arena.proof.alarm import Alarm
from arena.proof.figure import Figure
from arena.proof.scenario import Scenario
from arena.proof.study import run_studies
from arena.standings import form

STEADY = Scenario("steady", "5 equal bots", 4, (0.0,) * 5)
ONE = Scenario("one", "6 equal bots, one of them moody", 4, (0.0,) * 6, drift=(15.0,))


def figures(study: Alarm) -> dict[str, Figure]:
    (found,) = run_studies([study], seed=2, jobs=1, league_over=lambda _: None)
    return {figure.key.rpartition(".")[2]: figure for figure in found.figures}


@pytest.mark.slow
def test_a_moody_bot_is_found_and_others_are_not_named() -> None:
    found = figures(Alarm(ONE, 6, 20))
    assert found["said"].high is None
    assert found["said"].value > 0.6
    assert found["wrong"].value < 0.2


def test_too_many_alarms_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form, "ALARM", 0.5)
    found = figures(Alarm(STEADY, 5, 20))
    assert set(found) == {"said"}
    assert found["said"].high == 0.05
    assert not found["said"].holds

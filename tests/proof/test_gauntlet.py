"""The study of gauntlets counts wrong answers against the truth, and would find too bold ones."""

from __future__ import annotations

import pytest

from arena.proof.figure import Figure
from arena.proof.gauntlet import Gauntlet, apart, gauntlet_plan
from arena.proof.scenario import Scenario
from arena.proof.study import run_studies
from arena.proof.world import Faults, stream
from arena.standings import Outcome, verdicts


def candidates(truth: float) -> Scenario:
    return Scenario("two", "two candidates", 4, apart(truth, 3), twins=(0, 1))


def figures(study: Gauntlet) -> dict[str, Figure]:
    (found,) = run_studies([study], seed=4, jobs=1, league_over=lambda _: None)
    return {figure.key.rpartition(".")[2]: figure for figure in found.figures}


@pytest.mark.slow
def test_a_better_bot_is_found_the_sooner_the_better_it_is() -> None:
    little, much = (figures(Gauntlet(candidates(gap), gap, 4.0, 20, 12)) for gap in (6.0, 12.0))
    assert little["wrong"].value == much["wrong"].value == 0.0
    assert much["better"].value > 0.9
    assert much["sessions"].value < little["sessions"].value


@pytest.mark.slow
def test_answers_at_95_percent_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "boundary", lambda *given: 1.6)
    found = figures(Gauntlet(candidates(0.0), 0.0, 0.0, 15, 25))["wrong"]
    assert found.high == 0.05
    assert not found.holds


@pytest.mark.parametrize(
    ("truth", "right"),
    [
        (0.0, {Outcome.LEVEL, Outcome.OPEN}),
        (2.0, {Outcome.LEVEL, Outcome.OPEN, Outcome.BETTER}),
        (4.0, {Outcome.OPEN, Outcome.BETTER}),
        (-4.0, {Outcome.OPEN, Outcome.WORSE}),
    ],
)
def test_what_is_wrong(truth: float, right: set[Outcome]) -> None:
    study = Gauntlet(candidates(truth), truth, 2.0, 1, 40)
    assert {outcome for outcome in Outcome if not study.is_wrong(outcome)} == right


def test_the_truth_of_the_model_is_the_difference_that_gauntlets_show() -> None:
    truth, charge = -3.0, 10.0
    faults = {0: Faults(0.5, round(8 * charge))}
    scenario = Scenario("known", "", 4, apart(truth, 4, charge), twins=(0, 1), faults=faults)
    world = scenario.world(stream(1, "world"))
    dice, gaps = stream(1, "sessions"), []
    for cycle in range(50):
        for session in gauntlet_plan(scenario, "x").cycle(cycle):
            result = world.turns(dice, (cycle, session.index), session.order, 2)
            first, second = (
                (result.card_points[bot] + result.fault_points.get(bot, 0)) / result.seat_rounds[bot]
                for bot in world.bots[:2]
            )
            gaps.append(second - first)
    error = 20.0 / len(gaps) ** 0.5
    assert sum(gaps) / len(gaps) == pytest.approx(truth, abs=4 * error)

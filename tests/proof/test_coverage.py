"""The study of coverage holds for the arena's intervals, and would not for worse ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from arena.proof import coverage
from arena.proof.coverage import Coverage, Estimate
from arena.proof.scenario import Scenario
from arena.proof.study import Findings, run_studies
from arena.standings import Fit, SessionResult, fit

FIELD = Scenario("small", "4 bots, 3 seats", 3, (-6.0, -1.0, 2.0, 5.0), duels=0.0)


def findings(study: Coverage) -> Findings:
    return next(iter(run_studies([study], seed=1, jobs=1, league_over=lambda _: None)))


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_variances_too_small_or_too_large_would_be_found(
    factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(sessions: Iterable[SessionResult], bots: Sequence[str], seats: int) -> Fit:
        result = fit(sessions, bots, seats)
        assert result.covariance is not None
        wrong = [[factor * value for value in row] for row in result.covariance]
        return replace(result, covariance=wrong, form=None)

    monkeypatch.setattr(coverage, "fit", wrong)
    found = findings(Coverage(FIELD, (8,), 60))
    assert not found.holds
    whats = ("scores", "differences", "variance", "width")
    assert [figure.key for figure in found.figures] == [f"coverage.small.32.{what}" for what in whats]
    assert found.figures[2].value == pytest.approx(factor, rel=0.3)


def test_an_unknown_truth_is_the_mean_of_the_other_leagues(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {0: 1.0, 1: 2.0, 2: 9.0}
    study = Coverage(FIELD, (1,), 3)

    def sample(self: Coverage, seed: int, number: int) -> coverage.Sample:
        one = Estimate(values[number], 1.0, 4.5, None)
        return {1: {("a",): one, ("a", "b"): one}}

    monkeypatch.setattr(Coverage, "sample", sample)
    # the truths are 5.5, 5 and 1.5: within 4.5 of the first two only
    assert [figure.value for figure in findings(study).figures[:2]] == pytest.approx([2 / 3, 2 / 3])


def test_leagues_without_intervals_are_counted_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def sample(self: Coverage, seed: int, number: int) -> coverage.Sample:
        one = Estimate(0.0, 1.0, 2.0, 1.0)
        return {1: {("a",): one, ("a", "b"): one} if number else {}, 2: {}}

    monkeypatch.setattr(Coverage, "sample", sample)
    found = {figure.key: figure for figure in findings(Coverage(FIELD, (1, 2), 4)).figures}
    assert found["coverage.small.4.given"].value == 0.75
    assert found["coverage.small.4.scores"].leagues == 3
    assert [key for key in found if key.startswith("coverage.small.8")] == ["coverage.small.8.given"]

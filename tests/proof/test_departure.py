"""The studies of who is excluded, and of the scores when a bot has left, against what they must find."""

from __future__ import annotations

import pytest

from arena.proof.departure import Departure, Disqualified
from arena.proof.scenario import Scenario
from arena.proof.study import Study, run_studies

FIELD = Scenario("small", "4 bots, 3 seats", 3, policies=("short", "dump", "duck", "low"))
"""So small that after one cycle chance moves the differences: nothing is expected of them."""


def found(study: Study) -> dict[str, float]:
    (findings,) = run_studies([study], 3, 1, lambda leagues: None)
    assert findings.holds
    return {figure.key: figure.value for figure in findings.figures}


def test_a_broken_bot_is_out_after_twelve_matches_always() -> None:
    assert found(Disqualified("x", 1.0, False, 3, None, 20)) == {"disqualified.x.late": 0.0}
    (never,) = run_studies([Disqualified("x", 0.3, False, 3, None, 20)], 3, 1, lambda leagues: None)
    assert not never.holds


@pytest.mark.parametrize("clustered", [False, True])
def test_a_bot_within_its_share_stays(clustered: bool) -> None:
    assert found(Disqualified("x", 0.05, clustered, 40, 0.001, 60)) == {"disqualified.x.out": 0.0}


def test_a_bot_beyond_its_share_is_out_sooner_or_later() -> None:
    (findings,) = run_studies([Disqualified("x", 0.5, False, 40, 0.001, 20)], 3, 1, lambda leagues: None)
    (figure,) = findings.figures
    assert (figure.value, findings.holds) == (1.0, False)


@pytest.mark.slow
def test_who_is_left_averages_par_and_differences_stay_as_they_are_without_the_bot() -> None:
    """Six bots at four seats; the worst is out after the first of eight cycles."""
    policies = ("short", "short~5", "dump", "dump~5", "duck", "low")
    figures = found(Departure(Scenario("six", "6 bots", 4, policies=policies), 8, 8))
    assert figures["departure.six.anew.mean"] == pytest.approx(62.5)
    assert abs(figures["departure.six.anew.shrunk"]) < 3.0
    assert figures["departure.six.stand-in.mean"] < 50.0
    assert figures["departure.six.stand-in.shrunk"] > 2.0


def test_only_the_bots_that_are_left_average_par() -> None:
    (findings,) = run_studies([Departure(FIELD, 2, 4)], 3, 1, lambda leagues: None)
    figures = {figure.key: figure.value for figure in findings.figures}
    assert figures["departure.small.anew.mean"] == pytest.approx(250 / 3)
    assert figures["departure.small.stand-in.mean"] < 250 / 3 - 3

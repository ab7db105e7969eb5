"""Whether a last stage may count the sessions of earlier ones: the weight of these, and the reasons."""

from __future__ import annotations

import pytest

from arena.standings.carry import MOST_CARRIED, StagePlan, carried_weight, carry_error


def test_the_weight_is_that_of_the_formula() -> None:
    # 16 sessions each among 12 bots and then among 8: 16^2 (1/7 - 1/11) / 32.
    assert carried_weight([(12, 256), (8, 256)], 4) == pytest.approx(8 * (1 / 7 - 1 / 11))
    assert carried_weight([(12, 256), (12, 256)], 4) == 0.0
    assert carried_weight([(8, 256), (12, 256)], 4) == 0.0, "more bots are no loss"
    three = carried_weight([(24, 256), (12, 256), (8, 512)], 4)
    moved = 16 * ((1 / 7 - 1 / 23) ** 0.5 + (1 / 7 - 1 / 11) ** 0.5)
    assert three == pytest.approx(moved**2 / 64)
    assert carried_weight([(12, 256), (8, 256)], 7) == pytest.approx(4 * 8 * (1 / 7 - 1 / 11))


def test_it_is_allowed_where_few_leave_or_the_last_stage_is_long() -> None:
    assert carry_error([StagePlan(24, 256), StagePlan(18, 256)], 4) == ""
    assert carry_error([StagePlan(12, 128), StagePlan(8, 384)], 4) == ""
    assert carried_weight([(12, 256), (8, 256)], 4) > MOST_CARRIED
    reason = carry_error([StagePlan(12, 256), StagePlan(8, 256)], 4)
    assert reason.startswith("50 % of what is played would be from before, when there were up to 12 bots and")
    assert "that weighs 0.42, and above 0.2" in reason


@pytest.mark.parametrize("last", [StagePlan(None, 256), StagePlan(8, None)])
def test_what_results_decide_is_refused(last: StagePlan) -> None:
    assert "not known beforehand" in carry_error([StagePlan(12, 256), last], 4)


def test_a_final_of_two_carries_nothing() -> None:
    assert "a final of two carries nothing" in carry_error([StagePlan(4, 256), StagePlan(2, 256)], 4)

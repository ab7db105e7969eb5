"""The study of who is excluded, against what it must find."""

from __future__ import annotations

import pytest

from arena.proof.excluded import Excluded
from arena.proof.study import Study, run_studies


def found(study: Study) -> dict[str, float]:
    (findings,) = run_studies([study], 3, 1, lambda leagues: None)
    assert findings.holds
    return {figure.key: figure.value for figure in findings.figures}


def test_a_broken_bot_is_out_after_sixteen_matches_always() -> None:
    assert found(Excluded("x", 1.0, False, 8, None, 20, soon=4)) == {"excluded.x.late": 0.0}
    (never,) = run_studies([Excluded("x", 0.3, False, 8, None, 20, soon=4)], 3, 1, lambda leagues: None)
    assert not never.holds


@pytest.mark.parametrize("clustered", [False, True])
def test_a_bot_within_its_share_stays(clustered: bool) -> None:
    assert found(Excluded("x", 0.05, clustered, 40, 0.001, 20)) == {"excluded.x.out": 0.0}


def test_a_bot_beyond_its_share_is_out_sooner_or_later() -> None:
    (findings,) = run_studies([Excluded("x", 0.5, False, 40, 0.001, 20)], 3, 1, lambda leagues: None)
    (figure,) = findings.figures
    assert (figure.value, findings.holds) == (1.0, False)

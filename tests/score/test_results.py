"""A session result refuses numbers that no session can have."""

from __future__ import annotations

import pytest

from arena.score.results import SessionResult, SessionResultError

CARDS = {"a": 100, "b": 150, "c": 250}


def test_a_true_session() -> None:
    session = SessionResult(2, 7, 2, CARDS, {"b": 40})
    assert session.key == (2, 7)
    assert session.name == "session (cycle 2, index 7)"


@pytest.mark.parametrize(
    ("session", "message"),
    [
        ((0, -1, 2, CARDS, {}), "cycle and index count from 0"),
        ((0, 0, 0, CARDS, {}), "has rounds, not 0"),
        ((0, 3, 3, CARDS, {}), r"cycle 0, index 3\): 500 card points in 3 rounds, expected 750"),
        ((0, 0, 1, {"a": 300, "b": -50}, {}), "negative card points of b"),
        ((0, 0, 2, CARDS, {"a": -40}), "negative fault points of a"),
        ((0, 0, 2, CARDS, {"x": 40, "a": 40}), "charges for x, not in its line-up"),
    ],
)
def test_impossible_sessions(
    session: tuple[int, int, int, dict[str, int], dict[str, int]], message: str
) -> None:
    with pytest.raises(SessionResultError, match=message):
        SessionResult(*session)

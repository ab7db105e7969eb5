"""What the store refuses before it comes near a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena.store.inputs import PlannedSession
from tests.store.samples import new_season, new_stretch


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"document": "{"}, "Expecting property name"),
        ({"line_ups": "auto"}, "line_ups is 'auto': expected one of all, balanced"),
        ({"seats": 9}, "seats is 9: expected 3 to 8"),
        ({"seats": 2}, "seats is 2: expected 3 to 8"),
        ({"rounds": 0}, "rounds is 0: expected at least 1"),
        ({"matches_per_session": 0}, "matches_per_session is 0"),
        ({"entries": new_season().entries[1:]}, "not numbered 0, 1"),
        ({"entries": (new_season().entries[0], replace(new_season().entries[0], number=1))}, "same bot id"),
    ],
)
def test_no_season_is_like_that(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        replace(new_season(), **change)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"secret": b"short"}, "a secret of 5 bytes: expected 32"),
        ({"number": -1}, "number is -1: expected at least 0"),
        ({"cycles_planned": 0}, "cycles_planned is 0: expected at least 1"),
    ],
)
def test_no_stretch_is_like_that(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        replace(new_stretch(), **change)


def test_no_session_is_like_that() -> None:
    with pytest.raises(ValueError, match="without bots"):
        PlannedSession(0, 0, ())
    with pytest.raises(ValueError, match="index is -1"):
        PlannedSession(0, -1, ("ant",))

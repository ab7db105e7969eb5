"""How many more sessions decide a pair: the earlier of ahead and level, and what is out of reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.standings.boundary import boundary
from arena.standings.needed import MOST_SESSIONS_NEEDED, Measured, sessions_needed
from arena.standings.words import more_sessions

ERROR = 0.05


def reach(seen: Measured, sessions: int) -> float:
    return boundary(sessions, seen.error) * seen.se * (seen.sessions / sessions) ** 0.5


@pytest.mark.parametrize(
    ("difference", "margin", "by"),
    [(3.0, 2.0, "ahead"), (3.0, 0.0, "ahead"), (0.1, 2.0, "level"), (0.0, 2.0, "level"), (1.2, 2.0, "ahead")],
)
def test_the_first_session_count_that_decides(difference: float, margin: float, by: str) -> None:
    seen = Measured(difference, se=1.5, sessions=120, error=ERROR)
    more = sessions_needed(seen, margin)
    assert more is not None
    distance = difference if by == "ahead" else margin - difference
    assert reach(seen, 120 + more) <= distance < reach(seen, 120 + more - 1)


def test_level_within_the_margin_may_be_much_nearer_than_ahead() -> None:
    """What was promised before, by "ahead" alone, was about 600,000 sessions."""
    seen = Measured(0.05, se=1.0, sessions=120, error=ERROR)
    level, ahead_alone = sessions_needed(seen, 2.0), sessions_needed(seen, 0.0)
    assert level is not None
    assert level < 2000
    assert ahead_alone is None


def test_beyond_the_bound_there_is_no_number() -> None:
    def at(difference: float) -> int | None:
        return sessions_needed(Measured(difference, se=1.0, sessions=120, error=ERROR), 0.0)

    edge = reach(Measured(0.0, 1.0, 120, ERROR), 120 + MOST_SESSIONS_NEEDED)
    assert at(edge) == MOST_SESSIONS_NEEDED
    assert at(edge * 0.999) is None
    assert at(0.0) is None


def test_the_bound_stands_in_the_documents() -> None:
    said = (Path(__file__).parents[2] / "docs/score.md").read_text(encoding="utf-8")
    assert f"more than {MOST_SESSIONS_NEEDED:,} further sessions" in said
    assert f'"{more_sessions(None)}"' in said

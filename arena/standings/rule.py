"""Names the rules by which a season is scored and its bots are judged. It must not compute anything.

A season's document names its rule, and the season keeps it: what was claimed under one rule is never
judged again under another.
"""

from __future__ import annotations

from enum import StrEnum


class ScoreRule(StrEnum):
    """How a season comes to its ± and verdicts, and to who leaves it. docs/score.md says what differs."""

    SCORE_1 = "score-1"
    """That of seasons whose document names no rule: they began before there was a second one."""
    SCORE_2 = "score-2"


NEWEST_RULE = ScoreRule.SCORE_2
"""The rule of new seasons."""

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
    """That of seasons with a fixed field, and of the first open seasons."""
    SCORE_3 = "score-3"
    """That of open seasons: ± and verdicts allow for who met whom (`arena.standings.meetings`)."""

    @property
    def by_meetings(self) -> bool:
        """Return whether the ± of a changing field is corrected for who met whom."""
        return self is ScoreRule.SCORE_3

    @property
    def by_evidence(self) -> bool:
        """Return whether it takes evidence, and not a share that may be chance, to disqualify a bot."""
        return self is not ScoreRule.SCORE_1

    @property
    def plans_anew(self) -> bool:
        """Return whether a bot that is out leaves the field, and the schedule is planned anew without it.

        Otherwise the stand-in has its seats.
        """
        return self is not ScoreRule.SCORE_1


NEWEST_RULE = ScoreRule.SCORE_2
"""The rule of new seasons with a fixed field."""
OPEN_RULE = ScoreRule.SCORE_3
"""The rule of new open seasons."""

"""Limits that a test can work out in its head: a bot is out by its share alone, whatever chance may do."""

from __future__ import annotations

from arena.conduct.exclusion import Limits, Tally


class ByShare(Limits):
    """A bot is out that was replaced in more than `share` of its matches."""

    def why_out(self, bot: str, tally: Tally) -> str:
        lost = sum(lost * times for (lost, _), times in tally.items())
        matches = sum(sat * times for (_, sat), times in tally.items())
        too_often = lost > self.share * matches
        return f"replaced in {lost:,} of {matches:,} matches" if too_often else ""

"""Which matches get a page, and which the leaderboard points at. Nothing is left to chance, ties included."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.store.views import MatchView
from reports.options import Replays

__all__ = ["closest", "most_recent", "with_page"]

ALL_UP_TO = 2000
"""`replays = "auto"` means all matches up to here, the interesting ones beyond."""

INTERESTING = 200
"""Of the closest and of the most recent matches, how many are interesting."""


def with_page(matches: Sequence[MatchView], replays: Replays) -> frozenset[int]:
    """The numbers of the matches that get a page of their own."""
    if replays is Replays.NONE:
        return frozenset()
    if replays is Replays.ALL or (replays is Replays.AUTO and len(matches) <= ALL_UP_TO):
        return frozenset(match.number for match in matches)
    chosen = [
        *(match for match in matches if match.faults),
        *closest(matches, INTERESTING),
        *most_recent(matches, INTERESTING),
    ]
    return frozenset(match.number for match in chosen)


def closest(matches: Iterable[MatchView], count: int) -> list[MatchView]:
    """The matches that count in the score with the least between first and last, closest first."""
    scored = [match for match in matches if match.counts]
    return sorted(scored, key=lambda match: (_spread(match), match.number))[:count]


def most_recent(matches: Iterable[MatchView], count: int) -> list[MatchView]:
    """The matches that were finished last, latest first."""
    return sorted(matches, key=lambda match: (-(match.finished_at or 0), -match.number))[:count]


def _spread(match: MatchView) -> int:
    totals = [seat.total for seat in match.seats]
    return max(totals) - min(totals)

"""Defines how far a season has been played: plain frozen data. No SQL, and sqlmodel is not imported."""

from __future__ import annotations

from dataclasses import dataclass

from arena.store.views import SeasonView

__all__ = ["CycleProgress", "Progress", "is_over"]


@dataclass(frozen=True, slots=True)
class CycleProgress:
    """The progress of a cycle. Sessions that are `over` are complete, voided or left out.

    A cycle that is skipped, because it lies after the end of a stretch, has no sessions.
    """

    cycle: int
    sessions: int
    complete: int
    over: int

    @property
    def is_over(self) -> bool:
        """Return whether nothing of it remains to be played."""
        return self.over >= self.sessions


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a season.

    `cycles`: every cycle that the newest stretch plans or that holds sessions, ascending. A match that
    was aborted and finished later counts in both numbers. `started_at`: when the first match started;
    `finished_at`: when the last one finished; None before. `faults`: in finished matches. What was played
    after the end of a stretch is in no number but those that are named so.
    """

    season: int
    cycles: tuple[CycleProgress, ...]
    sessions_planned: int
    sessions_complete: int
    sessions_voided: int
    sessions_left_out: int
    matches_planned: int
    matches_begun: int
    matches_finished: int
    matches_aborted: int
    matches_interrupted: int
    rounds_finished: int
    faults: int
    started_at: int | None
    finished_at: int | None
    sessions_after_end: int = 0
    matches_after_end: int = 0


def is_over(season: SeasonView, progress: Progress) -> bool:
    """Return whether nothing remains to be played in a season, or the organiser's limit was reached."""
    if not season.stretches:
        return False
    # A stretch that has ended was the last one unless another is open. A complete plan is over anyway.
    return season.stretches[-1].ended_at is not None or all(cycle.is_over for cycle in progress.cycles)

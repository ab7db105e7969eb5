"""What a gauntlet shows while it plays: the answer so far, and how much more it is expected to need."""

from __future__ import annotations

from arena.cli.progress import Progress
from arena.match.record import MatchRecord
from arena.season.opening import OpenSeason
from arena.standings import Answer, NoLook
from arena.standings.verdicts import MIN_SESSIONS

__all__ = ["GauntletProgress"]


class GauntletProgress(Progress):
    """The bar goes to the end that is expected, which moves with every look; never beyond the budget."""

    def __init__(self) -> None:
        super().__init__()
        self._per_session = self._per_cycle = 1
        self._expected: int | None = None

    def opened(self, season: OpenSeason) -> None:
        """See `RunWatcher`."""
        view, plan = season.view, season.plan
        self._per_session = plan.matches_per_session
        self._per_cycle = plan.sessions_per_cycle * plan.matches_per_session
        ranked = len(plan.field.candidates)
        most = plan.sessions_per_cycle * season.cycles
        self.say(
            f"{season.loaded.name}, season {view.number}: {ranked} candidate{'' if ranked == 1 else 's'}, "
            f"{view.field_size - ranked} opponents, {view.seats} seats; a session is "
            f"{plan.matches_per_session} matches, {plan.matches_per_session * view.rounds} rounds; "
            f"a look every {plan.sessions_per_cycle} sessions, at most {most:,} sessions"
        )

    def compared(self, answer: Answer | NoLook) -> None:
        """See `RunWatcher`."""
        if isinstance(answer, Answer):
            more = answer.more_sessions
            self._expected = None if more is None else self._whole_cycles(more)

    def finished(self, record: MatchRecord, matches_left: int) -> None:
        """See `Watcher`."""
        if self._expected is not None:
            self._expected = max(0, self._expected - 1)
        super().finished(record, matches_left)

    def expected_left(self) -> int:
        """See `Progress`. Before the first look it is that look; then what the last one expected."""
        if self._expected is not None:
            return min(self._left, self._expected)
        missing = self._whole_cycles(MIN_SESSIONS) - (self._planned - self._left)
        return min(self._left, missing) if missing > 0 else self._left

    def _whole_cycles(self, sessions: int) -> int:
        """The matches of so many sessions, rounded up to whole cycles: there are no looks in between."""
        return -(-sessions * self._per_session // self._per_cycle) * self._per_cycle

"""Shows a gauntlet: how much more it needs while it plays, then the answer, as text and as JSON.

The text fits 80 columns. Must not compute anything itself.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from arena.cli.layout import prose, short_names
from arena.cli.progress import Progress
from arena.cli.tables import board_table
from arena.match.record import MatchRecord
from arena.runner.seasons import OpenSeason
from arena.score.columns import COLUMNS, Line
from arena.score.counting import ENOUGH_SESSIONS
from arena.score.paired import Answer, Outcome
from arena.score.verdicts import NoLook
from arena.score.words import answer_text, points
from arena.store.scoring import Scored
from arena.store.views import Role, SeasonView

_BEGINNINGS = ("no ", "undecided ")
"""How sentences begin that do not begin with a name: only they may get a capital letter."""


@dataclass(frozen=True, slots=True)
class GauntletBoard:
    """What is shown of a gauntlet."""

    season: SeasonView
    score: Scored

    @property
    def answer(self) -> Answer | NoLook:
        """Return the answer so far."""
        return self.score.scoring.answer(self.score.results)

    @property
    def outcome(self) -> Outcome:
        """Return what is known of the first candidate against every other."""
        answer = self.answer
        return Outcome.OPEN if isinstance(answer, NoLook) else answer.of_first()

    def text(self) -> str:
        """Return the answer, the candidates, and what the numbers mean; no newline at the end."""
        names = short_names(self.season)
        said = [prose(_sentence(line)) for line in answer_text(self.answer, names, self._rounds)]
        table = board_table(self._candidates, without=("rank",))
        return "\n".join([*said, "", *table, "", prose(self._meaning(names))])

    def document(self) -> dict[str, object]:
        """Return all of it with full precision; null where there is no number."""
        answer = self.answer
        return {
            "season": self.season.number,
            "outcome": self.outcome.value,
            "margin": self.score.scoring.margin,
            "rounds_per_session": self._rounds,
            **(_no_answer(answer.reason) if isinstance(answer, NoLook) else _answer(answer)),
            "candidates": [
                {column.name: column.value(line) for column in COLUMNS} for line in self._candidates
            ],
            "opponents": [line.bot for line in self.score.standings.house],
        }

    @property
    def _candidates(self) -> list[Line]:
        return [line for line in self.score.lines(self.season) if not line.standing.house]

    @property
    def _rounds(self) -> int:
        return self.season.matches_per_session * self.season.rounds

    def _meaning(self, names: dict[str, str]) -> str:
        house = [names[entry.bot] for entry in self.season.entries if entry.role is Role.HOUSE]
        return (
            f"Against {', '.join(house)}; same seats, same boards. Points a round, fewer are better; margin "
            f"{points(self.score.scoring.margin)}. The intervals in brackets are valid however often you "
            "look, in 95 of 100 gauntlets; read +- once, at the end."
        )


def _answer(answer: Answer) -> dict[str, object]:
    return {
        "settled": answer.settled,
        "reason": None,
        "sessions": answer.sessions,
        "more_sessions": answer.more_sessions,
        "comparisons": [{**asdict(one), "outcome": one.outcome.value} for one in answer.comparisons],
    }


def _no_answer(reason: str) -> dict[str, object]:
    return {"settled": False, "reason": reason, "sessions": 0, "more_sessions": None, "comparisons": []}


def _sentence(line: str) -> str:
    return (f"{line[:1].upper()}{line[1:]}" if line.startswith(_BEGINNINGS) else line) + "."


class GauntletProgress(Progress):
    """Shows the bar up to the expected end, which moves with every look, but never beyond the budget."""

    def __init__(self) -> None:
        super().__init__()
        self._per_session = self._per_cycle = 1
        self._expected: int | None = None

    def opened(self, season: OpenSeason) -> None:
        """See `RunWatcher`."""
        view, plan = season.view, season.plan
        self._per_session = plan.matches_per_session
        self._per_cycle = view.sessions_per_cycle * plan.matches_per_session
        ranked = sum(entry.role is Role.ENTRANT for entry in view.entries)
        most = view.sessions_per_cycle * season.cycles
        self.say(
            f"{season.loaded.name}, season {view.number}: {ranked} candidate{'' if ranked == 1 else 's'}, "
            f"{view.field_size - ranked} opponents, {view.seats} seats; a session is "
            f"{plan.matches_per_session} matches, {plan.matches_per_session * view.rounds} rounds; "
            f"a look every {view.sessions_per_cycle} sessions, at most {most:,} sessions"
        )

    def compared(self, answer: Answer | NoLook) -> None:
        """See `RunWatcher`."""
        if isinstance(answer, Answer):
            more = answer.more_sessions
            self._expected = None if more is None else self._whole_cycles(more)

    def finished(self, record: MatchRecord, matches_left: int) -> None:
        """See `RunWatcher`."""
        if self._expected is not None:
            self._expected = max(0, self._expected - 1)
        super().finished(record, matches_left)

    def expected_left(self) -> int:
        """See `Progress`. Counts to the first look; after it, to the end that the last look expected."""
        if self._expected is not None:
            return min(self._left, self._expected)
        missing = self._whole_cycles(ENOUGH_SESSIONS) - (self._planned - self._left)
        return min(self._left, missing) if missing > 0 else self._left

    def _whole_cycles(self, sessions: int) -> int:
        """Return the matches of `sessions`, rounded up to whole cycles: there are no looks in between."""
        return -(-sessions * self._per_session // self._per_cycle) * self._per_cycle

"""The answer of a gauntlet as text that fits 80 columns, and as JSON. Works nothing out itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from arena.cli.layout import fitted, prose, table
from arena.cli.leaderboard import names_of
from arena.standings import Answer, NoLook, Outcome, Standing
from arena.standings.comparison_words import points, told, told_early
from arena.store.scoring import Scored
from arena.store.views import Role, SeasonView

__all__ = ["GauntletBoard"]

_NAME_IN_TEXT = 24
_BEGINNINGS = ("no ", "undecided ")
"""How a sentence begins that does not begin with a name."""


@dataclass(frozen=True, slots=True)
class GauntletBoard:
    """What is shown of a gauntlet."""

    season: SeasonView
    score: Scored

    @property
    def answer(self) -> Answer | NoLook:
        """What it answers so far."""
        return self.score.scoring.answer(self.score.results)

    @property
    def outcome(self) -> Outcome:
        """What is known of the first candidate against every other."""
        answer = self.answer
        return Outcome.OPEN if isinstance(answer, NoLook) else answer.of_first()

    def text(self) -> str:
        """The answer, the candidates, and what the numbers mean; no newline at the end."""
        names = {bot: fitted(name, _NAME_IN_TEXT) for bot, name in names_of(self.season).items()}
        said = [prose(_sentence(line)) for line in self._told(names)]
        return "\n".join([*said, "", *self._table(names), "", prose(self._meaning(names))])

    def document(self) -> dict[str, object]:
        """All of it with full precision; null where there is no number."""
        answer = self.answer
        return {
            "season": self.season.number,
            "outcome": self.outcome.value,
            "margin": self.score.scoring.margin,
            "rounds_per_session": self._rounds,
            **(_no_answer(answer.reason) if isinstance(answer, NoLook) else _answer(answer)),
            "candidates": [_line(line) for line in self.score.standings.rows],
            "opponents": [line.bot for line in self.score.standings.house],
        }

    @property
    def _rounds(self) -> int:
        return self.season.matches_per_session * self.season.rounds

    def _told(self, names: dict[str, str]) -> Sequence[str]:
        answer, score = self.answer, self.score
        if isinstance(answer, NoLook):
            return told_early(score.scoring.so_far(score.results), answer, names)
        return told(answer, names, self._rounds)

    def _table(self, names: dict[str, str]) -> list[str]:
        head = ["candidate", "score", "+-", "card", "fault", "sessions", "rounds"]
        rows = [
            (
                names[line.bot],
                *map(_points, (line.score, line.half_width, line.fap, line.charge)),
                f"{line.sessions:,}",
                f"{line.rounds:,}",
            )
            for line in self.score.standings.rows
        ]
        return table(head, rows, frozenset({0}))

    def _meaning(self, names: dict[str, str]) -> str:
        house = [names[entry.bot] for entry in self.season.entries if entry.role is Role.HOUSE]
        return (
            f"Against {', '.join(house)}; same seats, same boards. Points a round, fewer are better; margin "
            f"{points(self.score.scoring.margin)}. What is in brackets holds however often one looks, in 95 "
            "of 100 gauntlets; +- is for one look."
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


def _points(number: float | None) -> str:
    return "-" if number is None else f"{number:.2f}"


def _line(line: Standing) -> dict[str, object]:
    return {
        "bot": line.bot,
        "score": line.score,
        "half_width": line.half_width,
        "card_points": line.fap,
        "fault_points": line.charge,
        "sessions": line.sessions,
        "rounds": line.rounds,
    }

"""How the standing moved from cycle to cycle, as text that fits 80 columns, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.cli.layout import prose
from arena.cli.leaderboard import look_json, names_of, narrow_table
from arena.standings import Look, Moment, Standing
from arena.store.scoring import Scored
from arena.store.views import SeasonView

__all__ = ["Course"]

_MOST_SHOWN = 5
"""Cycles that fit beside names of a readable width."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a season came to stand as it does: one moment for each complete cycle."""

    season: SeasonView
    score: Scored

    def text(self) -> str:
        """A line for each bot, a column for each complete cycle: rank and score after it."""
        shown = list(self.score.scoring.course(self.score.results, _MOST_SHOWN))
        if not shown:
            return "No cycle is complete yet."
        hidden = shown[-1].cycles - len(shown)
        said = [*_table(self, shown), "", prose(_explained(hidden))]
        return "\n".join([*said, *_looks(shown)])

    def document(self) -> dict[str, object]:
        """Every complete cycle with the standings after it."""
        scoring = self.score.scoring
        moments = scoring.course(self.score.results)
        return {
            "season": self.season.number,
            "par": self.score.standings.par,
            "cycles": [_moment_json(moment, scoring.margin) for moment in moments],
        }


def _table(course: Course, shown: Sequence[Moment]) -> list[str]:
    names, now = names_of(course.season), course.score.standings
    places = [{line.bot: line for line in _lines(moment)} for moment in shown]
    head = ["now", "bot", *(f"cycle {moment.cycles}" for moment in shown)]
    rows = [
        (_rank(line), names[line.bot], *(_place(at.get(line.bot)) for at in places))
        for line in (*now.rows, *now.house)
    ]
    return narrow_table(head, rows)


def _lines(moment: Moment) -> tuple[Standing, ...]:
    return (*moment.standings.rows, *moment.standings.house)


def _explained(hidden: int) -> str:
    cycles = "more cycle is" if hidden == 1 else "more cycles are"
    more = f" {hidden} {cycles} in --json." if hidden else ""
    return (
        f"Rank and score after the first so many complete cycles together; now: all complete sessions.{more}"
    )


def _looks(shown: Sequence[Moment]) -> list[str]:
    """How much of the order was open after these cycles."""
    looks = [moment.look for moment in shown if isinstance(moment.look, Look)]
    if not looks:
        return []
    said = ", ".join(f"{len(seen.open_neighbours)} after cycle {seen.cycles}" for seen in looks)
    return [prose(f"Undecided of {len(looks[-1].bots) - 1} pairs of neighbours: {said}.")]


def _rank(line: Standing) -> str:
    return "-" if line.rank is None else str(line.rank)


def _place(line: Standing | None) -> str:
    return "-" if line is None or line.score is None else f"{_rank(line)}: {line.score:.2f}"


def _moment_json(moment: Moment, margin: float) -> dict[str, object]:
    seen = moment.look
    return {
        "cycles": moment.cycles,
        "comparable": moment.standings.comparable,
        "standings": [
            {
                "rank": line.rank,
                "rank_low": seen.ranks.get(line.bot, (None, None))[0] if isinstance(seen, Look) else None,
                "rank_high": seen.ranks.get(line.bot, (None, None))[1] if isinstance(seen, Look) else None,
                "bot": line.bot,
                "score": line.score,
                "half_width": line.half_width,
                "sessions": line.sessions,
            }
            for line in _lines(moment)
        ],
        "verdicts": look_json(seen, margin),
    }

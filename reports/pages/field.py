"""The field that a bot's page compares it with: the mean of the ranked bots, and the best of them.

House bots, the stand-in, and excluded bots are not part of it: they have no rank. It reads
and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from arena.score.table import Standing
from reports.facts import LeagueFacts
from reports.tally import BotTally, Spent


@dataclass(frozen=True, slots=True)
class Best:
    """The bot with the fewest points that is not the one whose page it is. `word`: "Best" or "Next best"."""

    word: str
    name: str
    path: str
    standing: Standing
    tally: BotTally


class Field:
    """The ranked bots that have played, best first, and means over them: each bot counts once."""

    def __init__(self, facts: LeagueFacts) -> None:
        self._facts = facts
        self._rows = [row for row in facts.standings.rows if row.rank is not None and _rounds(facts, row.bot)]
        self._tallies = [facts.tallies[row.bot] for row in self._rows]
        self.size = len(self._rows)
        self.places = self._means(lambda own: shares(own.places))
        self.papayoos = self._mean(lambda own: own.papayoos / own.rounds)
        self.cheap = self._mean(lambda own: own.cheap / own.rounds)
        self.card_points = self._mean(lambda own: own.card_points)
        self.score = _mean_of([row.score for row in self._rows])
        self.charge = _mean_of([row.charge for row in self._rows])

    def best(self, bot: str) -> Best | None:
        """Return the best of the others; None if there is none."""
        found = next((place for place, row in enumerate(self._rows) if row.bot != bot), None)
        if found is None:
            return None
        row = self._rows[found]
        word = "Next best" if found else "Best"
        return Best(word, self._facts.entry(row.bot).name, f"{row.bot}.html", row, self._tallies[found])

    def middle_times(self, phase: Callable[[BotTally], Spent], shares: Sequence[float]) -> Sequence[int]:
        """Return the quantiles of the times of a phase, of each the middle one of all bots.

        A mean would be the time of the slowest bot.
        """
        each = [phase(own).quantiles(*shares) for own in self._tallies if phase(own).us]
        return [round(median(column)) for column in zip(*each, strict=True)]

    def _mean(self, figure: Callable[[BotTally], float | None]) -> float | None:
        return _mean_of([figure(own) for own in self._tallies])

    def _means(self, figures: Callable[[BotTally], Sequence[float]]) -> tuple[float, ...]:
        rows = [found for own in self._tallies if (found := figures(own))]
        return tuple(fmean(column) for column in zip(*rows, strict=True))


def shares(counts: Sequence[int]) -> tuple[float, ...]:
    """Return each count as a share of all; nothing where there is nothing to share out."""
    total = sum(counts)
    return tuple(count / total for count in counts) if total else ()


def _mean_of(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _rounds(facts: LeagueFacts, bot: str) -> int:
    own = facts.tallies.get(bot)
    return own.rounds if own else 0

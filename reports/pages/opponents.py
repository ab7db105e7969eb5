"""Builds the tables of each bot against others. It reads and writes nothing.

In a small league a bot's page has all others. Among hundreds most differences are large or chance, so the
page has the bot's neighbours in the order of scores, and says in a sentence what is sure about the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.score.table import Standing
from arena.score.verdicts import Look, Pair, Verdict
from arena.wording import counted
from reports.facts import LeagueFacts
from reports.pages.bars import percent
from reports.tally import BotTally
from reports.text import listed, number

_NEAR = 10
"""Neighbours on each side that a bot is compared with in a league of many bots."""

_AHEAD, _BEHIND, _LEVEL, _OPEN = "surely ahead", "surely behind", "level", "open"
_SAID = {
    _AHEAD: "surely ahead of {bots}",
    _BEHIND: "surely behind {bots}",
    _LEVEL: "level with {bots}",
    _OPEN: "undecided against {bots}",
}


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """The bot against another one, or in a league of many bots the bot itself, without a path.

    `rank`: that of the other one by score, "–" without a rank. `difference` of their scores, below 0 if the
    bot is better. `half_width`: of that difference, 95 %, valid for one look at the end; `verdict`: what is
    sure of the pair, in words; they are None or empty without intervals or verdicts. `together`: points a
    round more than the other at the same tables, `together_half_width` the ± of that, from session to
    session; `ahead`: share of those matches in which it had fewer points.
    """

    name: str
    path: str
    rank: str
    difference: float | None
    half_width: float | None
    verdict: str
    matches: int
    together: float | None
    together_half_width: float | None
    ahead: str


class Opponents:
    """All bots against each other, found once for the pages of all of them."""

    def __init__(self, facts: LeagueFacts) -> None:
        self._facts = facts
        self._rows = (*facts.standings.rows, *facts.standings.house)
        self._places = {row.bot: place for place, row in enumerate(self._rows)}
        self._pairs: dict[tuple[str, str], Pair] = {}
        self._sure: dict[str, Counter[str]] = {}
        for pair in facts.look.pairs if isinstance(facts.look, Look) else ():
            self._pairs[pair.better, pair.worse] = pair
            for bot in (pair.better, pair.worse):
                self._sure.setdefault(bot, Counter())[_words(pair, bot)] += 1

    def standing(self, bot: str) -> Standing | None:
        """Return the line of a bot on the leaderboard; None if it has none."""
        place = self._places.get(bot)
        return None if place is None else self._rows[place]

    def near(self, bot: str, reach: int) -> Sequence[Standing]:
        """Return the lines of the bot and of so many neighbours on each side."""
        place = self._places.get(bot)
        return () if place is None else self._rows[max(0, place - reach) : place + reach + 1]

    def of(self, bot: str, own: BotTally) -> Iterator[OpponentRow]:
        """Yield the bots that its page compares it with, best first. `own`: its tally."""
        for row in self.near(bot, _NEAR) if self._facts.many else self._rows:
            if row.bot == bot:
                if self._facts.many:
                    yield OpponentRow(
                        self._facts.entry(bot).name, "", _rank(row), None, None, "", 0, None, None, "–"
                    )
            elif row.score is not None or row.bot in own.met:
                yield self._row(bot, row)

    def summary(self, bot: str, own: BotTally) -> str:
        """Return what is sure about a bot and all others, in one sentence; empty in a small league."""
        if not self._facts.many or not own.met:
            return ""
        others = len(own.met)
        met = f"It met {counted(others, 'bot')} at its tables."
        sure = self._sure.get(bot)
        if sure is None:
            return met
        parts = [said.format(bots=number(sure[verdict])) for verdict, said in _SAID.items() if sure[verdict]]
        among = f"Among {counted(sure.total(), 'other ranked bot')} it is {listed(parts)}."
        return f"{met} {among}"

    def _row(self, bot: str, row: Standing) -> OpponentRow:
        gap = self._facts.counts.gap(bot, row.bot)
        difference, half_width = self._difference(bot, row.bot)
        pair = self._pairs.get((bot, row.bot)) or self._pairs.get((row.bot, bot))
        return OpponentRow(
            name=self._facts.entry(row.bot).name,
            path=f"{row.bot}.html",
            rank=_rank(row),
            difference=difference,
            half_width=half_width,
            verdict=_words(pair, bot) if pair else "",
            matches=gap.matches if gap else 0,
            together=gap.mean if gap else None,
            together_half_width=gap.half_width() if gap else None,
            ahead=percent(gap.ahead, gap.matches) if gap else "–",
        )

    def _difference(self, bot: str, other: str) -> tuple[float | None, float | None]:
        """Return the difference of their scores, with its interval for one look at the end."""
        fit = self._facts.standings.fit
        if bot not in fit.scores or other not in fit.scores:
            return None, None
        if not (fit.sessions.get(bot) and fit.sessions.get(other)):
            return None, None
        return fit.scores[bot] - fit.scores[other], fit.half_width(bot, other)


def _rank(row: Standing) -> str:
    return "–" if row.rank is None else str(row.rank)


def _words(pair: Pair, bot: str) -> str:
    """Return the verdict on a bot of the pair."""
    if pair.verdict is Verdict.AHEAD:
        return _AHEAD if pair.better == bot else _BEHIND
    return _LEVEL if pair.verdict is Verdict.LEVEL else _OPEN

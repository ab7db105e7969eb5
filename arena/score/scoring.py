"""Turns the results of a season into standings and verdicts: who is ranked, which sessions are waited for.

It takes plain values, so that the terminal, the pages and `arena verify` score a season in the same way.
The score itself is `fit`; what may be claimed of it is `verdicts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.score.fit import Fit, fit
from arena.score.paired import (
    Answer,
    answer,
    duel,
    is_duel,
    is_gauntlet,
    look_at_candidates,
    paired_means,
)
from arena.score.results import SessionResult
from arena.score.table import Plan, Standings, progress, standings
from arena.score.verdicts import Look, NoLook, complete_cycles, judge, look


@dataclass(frozen=True, slots=True)
class Scoring:
    """All that the score of a season depends on besides its results.

    `bots`: the ids of all entries, in the season's order. `house`: those that play without a rank.
    `stand_ins`: those that take part only once they have sat in a session, without a rank too. `plan`: None
    before a phase was opened. `departed`: those of `disqualified` that left the field; the others were
    replaced by a stand-in. `margin`: points within which two bots count as level. `gauntlet`: whether
    the entrants are candidates that take turns in the same seats. `present`: who is in the field of an open
    season now, house bots too, even those that are not needed at the moment; None in a closed season.
    `claimed`: the orders (better, worse) that decisions of a closed season have claimed, which stand.
    """

    bots: tuple[str, ...]
    seats: int
    house: frozenset[str] = frozenset()
    stand_ins: frozenset[str] = frozenset()
    disqualified: frozenset[str] = frozenset()
    departed: frozenset[str] = frozenset()
    plan: Plan | None = None
    margin: float = 0.0
    gauntlet: bool = False
    present: frozenset[str] | None = None
    claimed: frozenset[tuple[str, str]] = frozenset()

    @property
    def entrants(self) -> tuple[str, ...]:
        """Return the bots that entered to be ranked, with the disqualified ones.

        Of a changing field, those who are present.
        """
        here = self.bots if self.present is None else [bot for bot in self.bots if bot in self.present]
        return tuple(bot for bot in here if bot not in self.house | self.stand_ins)

    def fit(self, results: Sequence[SessionResult]) -> Fit:
        """Return the fit of the results. SessionResultError if they are not of this season."""
        seated = {bot for result in results for bot in result.card_points}
        if self.gauntlet or any(map(is_gauntlet, results)):
            return paired_means(results, [bot for bot in self.bots if bot not in self.stand_ins], self.seats)
        if self.present is not None:
            return fit(results, self.present, self.seats)
        here = [bot for bot in self.bots if bot not in self.stand_ins or bot in seated]
        if results and all(map(is_duel, results)):
            return duel(results, here, self.seats)
        left = [bot for bot in here if bot not in self.departed]
        return fit(results, left if len(left) > 1 else here, self.seats)

    def standings(self, results: Sequence[SessionResult], known: Fit | None = None) -> Standings:
        """Return the standings from the complete sessions; `known`: their fit.

        SessionResultError if they are not of this season.
        """
        seated = {bot for result in results for bot in result.card_points}
        field = [bot for bot in self.bots if bot not in self.stand_ins or bot in seated]
        return standings(
            self.fit(results) if known is None else known,
            field,
            house=[bot for bot in field if bot in self.house | self.stand_ins],
            excluded=[bot for bot in field if bot in self.disqualified],
            retired=() if self.present is None else [bot for bot in field if bot not in self.present],
            provisional=None if self.plan is None else progress(results, self.plan),
        )

    def look(self, results: Sequence[SessionResult], known: Fit | None = None) -> Look | NoLook:
        """Return the verdicts on the complete cycles among the results; `known`: the fit of all of them."""
        if self.plan is None:
            return NoLook("nothing has been planned yet")
        if self.gauntlet:
            if len(self.entrants) == 1:
                return NoLook("there is only one candidate, so there are no ranks to compare")
            return self.deciding_look(results)
        cycles, complete = complete_cycles(results, self.plan)
        same = known is not None and len(complete) == len(results)
        result = known if known is not None and same else self.fit(complete)
        return look(
            result,
            self._ranked,
            cycles,
            self.margin,
            began=len(self.entrants),
            claimed=() if result.form_lasts else self.claimed,
            final=self.present is None,
        )

    def deciding_look(self, results: Sequence[SessionResult]) -> Look | NoLook:
        """Return the look that decides when a season with `stop = "settled"` ends.

        It is the usual one. A single candidate of a gauntlet is compared with all its opponents together.
        """
        if not self.gauntlet or self.plan is None:
            return self.look(results)
        ranked = self._ranked or self.entrants
        return look_at_candidates(results, ranked, self.seats, self.plan, self.margin)

    @property
    def _ranked(self) -> tuple[str, ...]:
        return tuple(bot for bot in self.entrants if bot not in self.disqualified)

    def look_at(self, results: Sequence[SessionResult], error: float) -> Look | NoLook:
        """Return the verdicts on the complete cycles at another error of a pair, which decides who goes on.

        Where the usual look has no verdicts, this one has none either.
        """
        seen = self.look(results)
        if isinstance(seen, NoLook):
            return seen
        compared = [pair.seen for pair in seen.pairs]
        return judge(seen.cycles, seen.fit, seen.bots, compared, len(compared), error=error)

    def answer(self, results: Sequence[SessionResult]) -> Answer | NoLook:
        """Return the answer of a gauntlet after its complete cycles."""
        return answer(self.deciding_look(results), self.entrants, self.margin)

    def lines(self, results: Sequence[SessionResult], most: int) -> Iterator[tuple[int, Standings]]:
        """Yield the standings after leading complete cycles, oldest first: the first, the last, some between.

        `most`, 2 or more: only after so many of them.
        """
        if self.plan is None:
            return
        cycles, complete = complete_cycles(results, self.plan)
        chosen: Sequence[int] = range(1, cycles + 1)
        if cycles > most:
            chosen = [1 + round(place * (cycles - 1) / (most - 1)) for place in range(most)]
        for count in chosen:
            yield count, self.standings([result for result in complete if result.cycle < count])

"""Turns the results of a season into standings and verdicts: who is ranked, which sessions are waited for.

It takes plain values, so that the terminal, the pages and `arena verify` score a season in the same way.
The score itself is `table`; what may be claimed of it is `verdicts`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from arena.standings.fit import Fit
from arena.standings.fit_any import fit_any
from arena.standings.gauntlet_answer import Answer, Gap, answer, gaps, look_at_one
from arena.standings.open_field import OpenFit
from arena.standings.open_look import open_judged, open_look
from arena.standings.open_table import open_standings
from arena.standings.results import SessionResult
from arena.standings.table import Plan, Standings, standings
from arena.standings.verdicts import Look, NoLook, complete_cycles, judged, look_with


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of a league when its first `cycles` cycles were complete."""

    cycles: int
    standings: Standings
    look: Look | NoLook


@dataclass(frozen=True, slots=True)
class Scoring:
    """All that the score of a season depends on besides its results.

    `bots`: the ids of all entries, in the season's order. `house`: those that play without a rank.
    `stand_ins`: those that take part only once they have sat in a session, without a rank too. `plan`: None
    before a phase was opened. `departed`: those of `disqualified` that left the field; the others were
    replaced by a stand-in. `margin`: points within which two bots count as level. `gauntlet`: whether
    the entrants are candidates that take turns in the same seats. `present`: who is in the field of an open
    season now, house bots too, even those that are not needed at the moment; None in a closed season.
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

    @property
    def entrants(self) -> tuple[str, ...]:
        """Return the bots that entered to be ranked, with the disqualified ones.

        Of a changing field, those who are present.
        """
        here = self.bots if self.present is None else [bot for bot in self.bots if bot in self.present]
        return tuple(bot for bot in here if bot not in self.house | self.stand_ins)

    def standings(self, results: Sequence[SessionResult]) -> Standings:
        """Return the standings from the complete sessions.

        SessionResultError if they are not of this season.
        """
        if self.present is not None:
            return open_standings(
                results,
                self.bots,
                self.seats,
                present=self.present,
                house=self.house,
                disqualified=self.disqualified,
                plan=self.plan,
            )
        seated = {bot for result in results for bot in result.card_points}
        field = [bot for bot in self.bots if bot not in self.stand_ins or bot in seated]
        return standings(
            results,
            field,
            self.seats,
            house=[bot for bot in field if bot in self.house | self.stand_ins],
            disqualified=self.disqualified,
            departed=self.departed,
            plan=self.plan,
        )

    def look(self, results: Sequence[SessionResult], known: Fit | None = None) -> Look | NoLook:
        """Return the verdicts on the complete cycles among the results; `known`: the fit of all of them."""
        if self.plan is None:
            return NoLook("nothing has been planned yet")
        if self.present is not None:
            field = [bot for bot in self.bots if bot in self.present]
            return open_look(results, field, self.entrants, self.seats, self.plan, self.margin)

        def fitting(complete: Collection[SessionResult], field: Collection[str]) -> Fit:
            if known is not None and (known.session_count, set(known.bots)) == (len(complete), set(field)):
                return known  # all sessions are of complete cycles, so it is the same fit
            return fit_any(complete, field, self.seats, departed=self.departed)

        return look_with(
            fitting,
            results,
            [bot for bot in self.entrants if bot not in self.disqualified],
            self.plan,
            self.margin,
            len(self.entrants),
        )

    def look_at(self, results: Sequence[SessionResult], error: float) -> Look | NoLook:
        """Return the verdicts on the complete cycles at another error of a pair, which decides who goes on.

        Where the usual look has no verdicts, this one has none either.
        """
        seen = self.look(results)
        if isinstance(seen, NoLook):
            return seen
        if isinstance(seen.fit, OpenFit):
            return open_judged(seen.cycles, seen.fit, self.entrants, self.margin, error)
        ranked = [bot for bot in self.entrants if bot not in self.disqualified]
        return judged(seen.cycles, seen.fit, ranked, error, self.margin)

    def deciding_look(self, results: Sequence[SessionResult]) -> Look | NoLook:
        """Return the look that decides when a season with `stop = "settled"` ends.

        It is the usual look. For the only candidate of a gauntlet it is the comparison with all opponents
        together.
        """
        if not self.gauntlet or len(self.entrants) > 1 or self.plan is None:
            return self.look(results)
        return look_at_one(results, self.entrants[0], self.seats, self.plan, self.margin)

    def answer(self, results: Sequence[SessionResult]) -> Answer | NoLook:
        """Return the answer of a gauntlet after its complete cycles."""
        return answer(self.deciding_look(results), self.entrants, self.margin)

    def so_far(self, results: Sequence[SessionResult]) -> Sequence[Gap]:
        """Return how the candidates of a gauntlet differ, before anything can be claimed."""
        return gaps(results, self.entrants, self.seats)

    def course(self, results: Sequence[SessionResult], most: int | None = None) -> Iterator[Moment]:
        """Yield the state of the league after each of its leading complete cycles, oldest first.

        `most`, 2 or more: only after so many of them: the first, the last and some spread evenly between.
        """
        for cycles, played in self._leading(results, most):
            line = self.standings(played)
            yield Moment(cycles, line, self.look(played, line.fit))

    def lines(self, results: Sequence[SessionResult], most: int) -> Iterator[tuple[int, Standings]]:
        """Yield the same without verdicts, which cost the most among hundreds of bots."""
        for cycles, played in self._leading(results, most):
            yield cycles, self.standings(played)

    def _leading(
        self, results: Sequence[SessionResult], most: int | None
    ) -> Iterator[tuple[int, list[SessionResult]]]:
        """Yield numbers of leading complete cycles, each with their sessions."""
        if self.plan is None:
            return
        cycles, complete = complete_cycles(results, self.plan)
        chosen: Sequence[int] = range(1, cycles + 1)
        if most is not None and cycles > most:
            chosen = [1 + round(place * (cycles - 1) / (most - 1)) for place in range(most)]
        for count in chosen:
            yield count, [result for result in complete if result.cycle < count]

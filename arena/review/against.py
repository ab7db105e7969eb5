"""What another bot would have answered to the same questions, and what the difference costs.

Both choices are tried in the same worlds (`arena.review.worlds`). Nothing is selected by its outcome, so the
mean difference has no bias: no halves are needed as in `arena.review.estimate`. It may have either sign. This
module must not ask a bot.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from arena.deals import MatchKey
from arena.review.average import FEWEST_SESSIONS
from arena.review.clusters import Estimate, Tally, mean, p_above
from arena.review.decisions import Decision
from arena.review.discovery import LEAST_BLUNDER, surviving
from arena.review.estimate import difference
from arena.review.phases import Phase
from arena.review.worlds import Worlds

__all__ = ["Against", "Answered", "Compared", "PhaseAgainst", "against", "compared"]

_EXAMPLES: Final = 3


@dataclass(frozen=True, slots=True)
class Compared:
    """One decision in which the other bot chose otherwise.

    `chosen`, `other`: sets of cards. `cost`: expected points to the end of the round of `chosen` minus those
    of `other`; below 0 where the other bot's choice is worse. `error`: its standard error. `true_cost`: the
    same with the cards as they really lay. `worlds`: how many deals were tried.
    """

    match: MatchKey
    round: int
    question: int
    seat: int
    phase: Phase
    chosen: int
    other: int
    cost: float
    error: float
    true_cost: float
    worlds: int


@dataclass(frozen=True, slots=True)
class PhaseAgainst:
    """One phase: `asked` decisions with a choice, of which `differ` were answered otherwise.

    `each`: what such a difference costs, in points; None where there is none.
    """

    phase: Phase
    asked: int
    differ: int
    each: Estimate | None


@dataclass(frozen=True, slots=True)
class Against:
    """What another bot would have done.

    `rounds`: in which it was asked, each seat for itself. `illegal`: answers that the rules forbid; they
    count nowhere else. `exact`: it answered the same when it was asked twice. If not, it looks at a clock or
    throws dice of its own, and another run finds other answers. `a_round`: what all differences of a round
    cost the reviewed bot beside the other's answers, in points; None in fewer than two rounds. `examples`:
    where its answer was surely better, the costliest first.
    """

    name: str
    rounds: int
    asked: int
    differ: int
    illegal: int
    exact: bool
    a_round: Estimate | None
    phases: tuple[PhaseAgainst, ...]
    examples: tuple[Compared, ...]


def compared(match: MatchKey, decision: Decision, other: int, worlds: int, chance: Random) -> Compared:
    """Return what a decision cost beside another choice. Raises ValueError for fewer than two worlds."""
    drawn = Worlds(decision, chance)
    cost, error = difference([drawn.draw() for _ in range(worlds)], decision.chosen, other)
    true = drawn.true()
    return Compared(
        match=match,
        round=decision.place[0],
        question=decision.place[1],
        seat=decision.seat,
        phase=decision.phase,
        chosen=decision.chosen,
        other=other,
        cost=cost,
        error=error,
        true_cost=true(decision.chosen) - true(other),
        worlds=worlds,
    )


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of one question. `cost`: None where the other bot chose what has the same effect."""

    match: MatchKey
    round: int
    seat: int
    phase: Phase
    illegal: bool
    cost: Compared | None


def against(name: str, answered: Sequence[Answered], exact: bool) -> Against:
    """Return the sum of what another bot answered to all questions of some rounds that left a choice."""
    legal = [each for each in answered if not each.illegal]
    costs = [each.cost for each in legal if each.cost is not None]
    rounds = {(each.match, each.round, each.seat) for each in answered}
    by_session = len({_session(match) for match, _, _ in rounds}) >= FEWEST_SESSIONS
    tallies: dict[tuple[int, ...], Tally] = defaultdict(Tally)
    for match, number, _ in rounds:
        tallies[_session(match) if by_session else (*_session(match), number)].add(0.0)
    for cost in costs:
        session = _session(cost.match)
        tallies[session if by_session else (*session, cost.round)].add(cost.cost, 0.0)
    sure = surviving([p_above(Estimate(each.cost, each.error, each.worlds - 1)) for each in costs])
    worst = [cost for cost, kept in zip(costs, sure, strict=True) if kept and cost.cost >= LEAST_BLUNDER]
    return Against(
        name=name,
        rounds=len(rounds),
        asked=len(answered),
        differ=len(costs),
        illegal=len(answered) - len(legal),
        exact=exact,
        a_round=mean(tallies.values()) if len(rounds) > 1 else None,
        phases=tuple(_phase(phase, legal) for phase in Phase),
        examples=tuple(sorted(worst, key=lambda each: -each.cost)[:_EXAMPLES]),
    )


def _phase(phase: Phase, legal: Iterable[Answered]) -> PhaseAgainst:
    here = [each for each in legal if each.phase is phase]
    costs = [each.cost for each in here if each.cost is not None]
    tallies: dict[tuple[int, ...], Tally] = defaultdict(Tally)
    for cost in costs:
        tallies[(*_session(cost.match), cost.round)].add(cost.cost)
    return PhaseAgainst(phase, len(here), len(costs), mean(tallies.values()) if costs else None)


def _session(match: MatchKey) -> tuple[int, int]:
    return match.cycle, match.index

"""Whether earlier stages count in the last one, decided when it begins, from what was really played.

A league file announces it for the fields that it foresees. Where another number of bots plays in the end, the
rule decides again, so that the ± claims no more than was measured. Plays nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena.league.carrying import Planned
from arena.standings import SessionResult
from arena.standings.carry import StagePlan, carry_error
from arena.store.stage import Decision

__all__ = ["with_carry"]


def with_carry(decision: Decision, played: Sequence[Sequence[SessionResult]], last: Planned) -> Decision:
    """Return the decision with whether earlier stages count in the score of the last stage, which begins.

    `played`: the sessions of each earlier stage that count.
    """
    plans = [_plan(results, decision.going_on) for results in played if results]
    why = carry_error([*plans, last.plan], last.field.seats)
    sessions = 0 if why else sum(map(len, played))
    return replace(decision, carried=sessions, no_carry=why, to_play=last.cycles)


def _plan(results: Sequence[SessionResult], going_on: Sequence[str]) -> StagePlan:
    """Return a stage as it was played: all who sat in it, and the most rounds of those who are left."""
    seated = {bot for result in results for bot in result.card_points}
    rounds = [sum(one.rounds for one in results if bot in one.card_points) for bot in going_on]
    return StagePlan(len(seated), max(rounds, default=0))

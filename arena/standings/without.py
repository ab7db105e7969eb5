"""The league as if a bot had not been there: for exploring, never for a rank.

Whole sessions are dropped, so that the rest is as balanced as it was played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .results import SessionResult
from .scoring import Scoring
from .table import Plan
from .verdicts import MIN_SESSIONS


class TooLittleLeftError(ValueError):
    """What is left without the bot cannot be scored; the message says why.

    ValueError
    └── TooLittleLeftError
    """


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left of a season without a bot; `dropped` counts the sessions that it sat in."""

    scoring: Scoring
    results: tuple[SessionResult, ...]
    dropped: int


def without(scoring: Scoring, results: Sequence[SessionResult], bot: str) -> Rest:
    """The season without the sessions in which `bot` sat.

    The share of error of a pair stays that of the whole season: leaving bots out until a pair
    separates must not make that easier. Raises ValueError for a bot that is not of the season,
    TooLittleLeftError for fewer than 30 sessions or when the other bots have not all met.
    """
    if bot not in scoring.bots:
        raise ValueError(f"{bot} is not of this season")
    kept = tuple(result for result in results if bot not in result.card_points)
    gone = frozenset(result.key for result in results) - {result.key for result in kept}
    if len(kept) < MIN_SESSIONS:
        raise TooLittleLeftError(
            f"{len(kept)} complete sessions are left without {bot}; {MIN_SESSIONS} are needed"
        )
    rest = replace(
        scoring,
        bots=tuple(other for other in scoring.bots if other != bot),
        house=scoring.house - {bot},
        stand_ins=scoring.stand_ins - {bot},
        disqualified=scoring.disqualified - {bot},
        plan=_plan_without(scoring.plan, gone),
        starters=scoring.starters if scoring.starters is not None else len(scoring.entrants),
    )
    if not rest.standings(kept).comparable:
        raise TooLittleLeftError(f"without {bot} the other bots have not all met, directly or through others")
    return Rest(rest, kept, len(gone))


def _plan_without(plan: Plan | None, gone: frozenset[tuple[int, int]]) -> Plan | None:
    """The plan in which nobody waits for the sessions that are gone."""
    return None if plan is None else replace(plan, left_out=plan.left_out | gone)

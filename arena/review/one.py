"""One decision by its place: what it cost. The same in any process and in any order.

This module must not know which decisions are worth a look.
"""

from __future__ import annotations

from random import Random

from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.review.cost import DEFAULT_WORLDS, cost_of
from arena.review.decisions import Decision, decisions_of
from arena.review.findings import Place
from arena.review.reviewed import Reviewed

__all__ = ["chance_of", "decision_at", "review_one"]


def review_one(record: MatchRecord, place: Place, seed: str, worlds: int = DEFAULT_WORLDS) -> Reviewed:
    """Return what a decision of this match cost, as one of the fair sample.

    All chance follows from the seed and the place. Raises ValueError for a place that the match does not
    have, and for cards that do not fit the rules.
    """
    decision = decision_at(record, place)
    found = cost_of(decision, worlds, chance_of(place, seed))
    match, round_, question, seat = place
    return Reviewed(
        match,
        round_,
        question,
        seat,
        decision.bot,
        decision.phase,
        decision.chosen,
        found.best,
        found.cost,
        found.error,
        found.true_cost,
        found.beside,
        found.beside_error,
        found.expected,
        found.worlds,
        found.options,
    )


def decision_at(record: MatchRecord, place: Place) -> Decision:
    """Return the decision at a place. Raises ValueError as `review_one` does."""
    match, round_, question, seat = place
    if match == record.key:
        for decision in decisions_of(record, [seat]):
            if decision.place == (round_, question):
                return decision
    raise ValueError(f"{_named(match)} has no decision of seat {seat} in round {round_}, question {question}")


def chance_of(place: Place, seed: str) -> Random:
    """Return the chance from which the worlds of a decision are drawn."""
    match, round_, question, seat = place
    return Random(f"{seed}/{_named(match)}/{round_}/{question}/{seat}")  # noqa: S311 - the same each time


def _named(match: MatchKey) -> str:
    return f"{match.cycle}.{match.index}.{match.order}.{match.attempt}"

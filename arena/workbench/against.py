"""Puts the questions of finished matches to another bot, and compares its choices with those that were made.

The answers are asked for as `arena.workbench.replay` does: the same bytes, without a clock. What a difference
costs, `arena.review.against` finds. It stores and prints nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from arena.errors import StoreError
from arena.match.record import MatchRecord
from arena.match.relabel import Relabelling
from arena.review.against import Answered, compared
from arena.review.decisions import Decision, decisions_of
from arena.review.options import same_effect
from arena.workbench.bots import Bot
from arena.workbench.replay import Asked, ask_again, asked_of

__all__ = ["ANSWER_SECONDS", "Answers", "answered", "answers_of"]

ANSWER_SECONDS: Final = 60.0
"""A bot that hangs must not hold up everything. None has as much time for a decision in a league."""

Answers = dict[tuple[int, int], int | None]
"""A bot's choices by round and question, as sets of canonical cards; None for an illegal answer."""


def answers_of(bot: Bot, record: MatchRecord, seat: int) -> Answers:
    """Start the bot, put all questions of this seat to it, and return its choices.

    Raises Failed when it does not start, or does not answer within `ANSWER_SECONDS`; StoreError for a record
    that contradicts the rules.
    """
    names = Relabelling.of(record.setup.suits)
    found: Answers = {}

    def told(asked: Asked) -> None:
        found[asked.place] = None if asked.illegal else names.cards(asked.now)

    try:
        questions = asked_of(record, seat)
    except (ValueError, LookupError) as error:
        raise StoreError(
            f"The cards of session {record.key.cycle}.{record.key.index} do not fit the rules. Was the "
            "database changed by another program? `arena verify` says where"
        ) from error
    ask_again(bot, questions, told, seconds=ANSWER_SECONDS)
    return found


def answered(record: MatchRecord, seat: int, answers: Answers, worlds: int, seed: str) -> Iterator[Answered]:
    """Yield each decision of this seat that had a choice and was its bot's own, beside the other bot's.

    Differences are tried in so many worlds, drawn by the seed: the same each time. Raises ValueError for
    cards that do not fit the rules.
    """
    for decision in decisions_of(record, [seat]):
        if not decision.forced and not decision.by_stand_in:
            yield _answered(record, decision, answers[decision.place], worlds, seed)


def _answered(record: MatchRecord, decision: Decision, other: int | None, worlds: int, seed: str) -> Answered:
    key = record.key
    cost = None
    if other is not None and not same_effect(decision, other):
        chance = Random(f"{seed} {key} {decision.place} {decision.seat}")  # noqa: S311 - the same each time
        cost = compared(key, decision, other, worlds, chance)
    return Answered(key, decision.place[0], decision.seat, decision.phase, other is None, cost)
